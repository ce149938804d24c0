//! Reading the keys that a registry lists: from ASCII armor to certificates.
//!
//! A certificate is a primary key with the signatures, user ids and subkeys that follow it. Nothing
//! is verified here; `certificate` judges. Facts/providers 3.4: one armor block may hold several
//! keys, CRLF and text before the block are fine, a second block in the same text is not read.
//!
//! Attacks and answers:
//! - a text of unbounded size or with endless packets: both are capped before and while reading;
//! - a signature that cannot be parsed (it might be a revocation): the whole certificate is
//!   dropped;
//! - a revocation moved to a place where a reader would overlook it: it counts wherever in the
//!   certificate it stands;
//! - a key of version 3 or older, whose id an attacker can choose: dropped;
//! - control characters or raw bytes in an error message: errors carry no byte of the text.

use std::io::Read as _;

use pgp::armor::{BlockType, Dearmor};
use pgp::packet::{
    Packet, PacketParser, PublicKey, PublicSubkey, Signature, SignatureType, UserId,
};
use pgp::types::{KeyDetails as _, KeyVersion, Tag};

/// The longest key text that is looked at; the largest real ones are below 100 KiB.
const MAX_ARMOR: usize = 4 << 20;
/// The most packets in one block: a much certified key has some thousand.
const MAX_PACKETS: usize = 20_000;

/// Why a listed key cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyTextError {
    /// There is no armor block.
    #[error("there is no armored block in it")]
    NoArmor,
    /// The block is not a public key.
    #[error("its armored block is no public key")]
    OtherBlock,
    /// The armor is damaged.
    #[error("its armor is damaged")]
    DamagedArmor,
    /// The block holds no key that can be used: none at all, version 3, or damaged.
    #[error("its armored block holds no readable key of version 4 or later")]
    NoKey,
    /// Size or packet count is beyond reason.
    #[error("it is larger than any key can be")]
    TooLarge,
}

/// A user id and the signatures that follow it.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) id: UserId,
    pub(super) signatures: Vec<Signature>,
}

/// A subkey and the signatures that follow it.
#[derive(Debug)]
pub(super) struct Subkey {
    pub(super) key: PublicSubkey,
    pub(super) signatures: Vec<Signature>,
}

/// A primary key and all that belongs to it, unverified.
#[derive(Debug)]
pub(super) struct Certificate {
    pub(super) primary: PublicKey,
    pub(super) revocations: Vec<Signature>,
    pub(super) direct: Vec<Signature>,
    pub(super) identities: Vec<Identity>,
    pub(super) subkeys: Vec<Subkey>,
}

/// Reads all certificates of one key text, in their order.
///
/// # Errors
/// [`KeyTextError`] if the armor cannot be decoded, or not one certificate is readable.
pub(super) fn read_keyring(text: &str) -> Result<Vec<Certificate>, KeyTextError> {
    if text.len() > MAX_ARMOR {
        return Err(KeyTextError::TooLarge);
    }
    let packets = dearmor(text)?;
    let mut grouping = Grouping::default();
    let mut parser = PacketParser::new(packets.as_slice());
    let mut count = 0;
    while let Some(body) = parser.next_ref() {
        count += 1;
        if count > MAX_PACKETS {
            return Err(KeyTextError::TooLarge);
        }
        let Ok(body) = body else {
            return Err(KeyTextError::DamagedArmor);
        };
        let header = body.packet_header();
        match Packet::from_reader(header, body) {
            Ok(packet) => grouping.take(packet),
            Err(_) => grouping.unreadable(header.tag()),
        }
    }
    if grouping.certificates.is_empty() {
        Err(KeyTextError::NoKey)
    } else {
        Ok(grouping.certificates)
    }
}

/// Decodes the first armor block of a text.
fn dearmor(text: &str) -> Result<Vec<u8>, KeyTextError> {
    let block = from_first_block(text).ok_or(KeyTextError::NoArmor)?;
    let mut dearmor = Dearmor::new(block.as_bytes());
    dearmor
        .read_header()
        .map_err(|_| KeyTextError::DamagedArmor)?;
    if dearmor.typ != Some(BlockType::PublicKey) {
        return Err(KeyTextError::OtherBlock);
    }
    let mut packets = Vec::new();
    dearmor
        .read_to_end(&mut packets)
        .map_err(|_| KeyTextError::DamagedArmor)?;
    Ok(packets)
}

/// Drops text before the first block and blanks around lines.
///
/// The tools trim every line, also of Unicode blanks: a published key has a no-break space where
/// the empty line after the header belongs. The decoder is stricter, so the text is put in order
/// for it.
fn from_first_block(text: &str) -> Option<String> {
    let mut lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| !line.starts_with("-----BEGIN "))
        .peekable();
    lines.peek()?;
    Some(
        lines.fold(String::with_capacity(text.len()), |mut block, line| {
            block.push_str(line);
            block.push('\n');
            block
        }),
    )
}

/// What the next signature belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Owner {
    /// No certificate is open: whatever comes is skipped up to the next primary key.
    #[default]
    Nothing,
    Primary,
    Identity,
    Subkey,
    /// Something that is not evaluated (a photo, an unreadable subkey), with its signatures.
    Ignored,
}

/// Puts packets together to certificates.
#[derive(Debug, Default)]
struct Grouping {
    certificates: Vec<Certificate>,
    owner: Owner,
}

impl Grouping {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "whatever other packets there are or will be are ignored"
    )]
    fn take(&mut self, packet: Packet) {
        if let Packet::PublicKey(primary) = packet {
            return self.open(primary);
        }
        let Some(certificate) = self
            .certificates
            .last_mut()
            .filter(|_| self.owner != Owner::Nothing)
        else {
            return;
        };
        match packet {
            Packet::UserId(id) => {
                certificate.identities.push(Identity {
                    id,
                    signatures: Vec::new(),
                });
                self.owner = Owner::Identity;
            }
            Packet::PublicSubkey(key) => {
                certificate.subkeys.push(Subkey {
                    key,
                    signatures: Vec::new(),
                });
                self.owner = Owner::Subkey;
            }
            Packet::Signature(signature) => attach(certificate, self.owner, signature),
            Packet::Marker(_) | Packet::Trust(_) | Packet::Padding(_) => {}
            _ => self.owner = Owner::Ignored,
        }
    }

    fn open(&mut self, primary: PublicKey) {
        if primary.version() < KeyVersion::V4 {
            self.owner = Owner::Nothing;
            return;
        }
        self.owner = Owner::Primary;
        self.certificates.push(Certificate {
            primary,
            revocations: Vec::new(),
            direct: Vec::new(),
            identities: Vec::new(),
            subkeys: Vec::new(),
        });
    }

    /// A packet that cannot be parsed. An unreadable signature could be a revocation, so it costs
    /// the certificate.
    fn unreadable(&mut self, tag: Tag) {
        if tag == Tag::PublicKey {
            self.owner = Owner::Nothing;
        } else if self.owner != Owner::Nothing && tag == Tag::Signature {
            self.certificates.pop();
            self.owner = Owner::Nothing;
        } else if self.owner != Owner::Nothing {
            self.owner = Owner::Ignored;
        }
    }
}

/// Gives a signature to its owner; a revocation of the key goes to the key wherever it stands.
fn attach(certificate: &mut Certificate, owner: Owner, signature: Signature) {
    if signature.typ() == Some(SignatureType::KeyRevocation) {
        certificate.revocations.push(signature);
        return;
    }
    match owner {
        Owner::Primary => certificate.direct.push(signature),
        Owner::Identity => {
            if let Some(identity) = certificate.identities.last_mut() {
                identity.signatures.push(signature);
            }
        }
        Owner::Subkey => {
            if let Some(subkey) = certificate.subkeys.last_mut() {
                subkey.signatures.push(signature);
            }
        }
        Owner::Nothing | Owner::Ignored => {}
    }
}

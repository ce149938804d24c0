//! Detached OpenPGP signatures over SHA256SUMS documents (facts/providers 3.4 to 3.8).
//!
//! The cryptography is the `pgp` crate's. That crate verifies with MD5, with future-dated
//! signatures and with revoked keys; everything after the bare cryptographic check is decided here,
//! in the order of facts 3.7.
//!
//! Expiry: an expired *key* is accepted and the fact is told; an expired or future *signature* is
//! refused. That is what `terraform` does, but for a signature that is expired itself *and* made by
//! an expired key, which it lets pass.
//!
//! Attacks and answers:
//! - armored, empty or garbage signatures, other packets: refused;
//! - endless signatures: size and count are capped;
//! - a signature that names a listed key but was made by another: the cryptographic check;
//! - several signatures, so that a good one hides a bad one: the first whose issuer is listed
//!   decides;
//! - a signature made for another purpose (a certification) passed off as one over a file: only
//!   binary and text signatures;
//! - a broken digest, a revoked key, an expired or future signature, an unknown critical notation:
//!   refused;
//! - raw bytes of a hostile packet in an error message: errors hold key ids and numbers, never the
//!   parser's text.

use std::time::SystemTime;

use pgp::packet::{Packet, PacketParser, Signature, SignatureType, SignatureVersion};

use crate::document::SigningKey;

use super::certificate::{Component, Standing, Unfit};
use super::keyring::{Certificate, read_keyring};
use super::signature_error::SignatureError;
use super::signature_facts::{
    Validity, is_accepted_digest, issuer_ids, signature_validity, unknown_critical,
};

const MAX_SIGNATURE: usize = 1 << 20;
const MAX_SIGNATURES: usize = 64;

/// Who signed a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signer {
    /// The id of the primary key, 16 upper-case hex digits, also where a subkey signed.
    pub key_id: String,
    /// The fingerprint of the primary key, upper-case hex digits: what a key is remembered by, since ids can be
    /// forged.
    pub fingerprint: String,
    /// Set if the key is outside its lifetime, which is accepted and told.
    pub expired: Option<Expired>,
}

/// How a signing key is outside its lifetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expired {
    /// The key expired then.
    Ended(SystemTime),
    /// The key claims to be created then, after the present.
    NotYetValid(SystemTime),
}

/// Verifies a binary detached signature over a document with the keys that a registry lists.
///
/// Keys are tried in their order. A key that made none of the signatures is passed over; an
/// unreadable one is an error once it is reached; a signer with an expired key is taken only if no
/// later key does better.
///
/// # Errors
/// [`SignatureError`] if no listed key proves the document.
pub fn verify_detached(
    document: &[u8],
    signature: &[u8],
    keys: &[SigningKey],
    now: SystemTime,
) -> Result<Signer, SignatureError> {
    let signatures = Signatures::read(signature)?;
    let mut search = Search::default();
    let mut second_best = None;
    for (index, key) in keys.iter().enumerate() {
        let outcome = read_keyring(&key.ascii_armor)
            .map_err(|source| SignatureError::UnreadableKey {
                position: index + 1,
                count: keys.len(),
                source,
            })
            .and_then(|ring| search.verify(document, &signatures, &ring, now));
        match outcome {
            Ok(Some(signer)) if signer.expired.is_none() => return Ok(signer),
            Ok(Some(signer)) => second_best = second_best.or(Some(signer)),
            Ok(None) => {}
            Err(error) => return second_best.ok_or(error),
        }
    }
    second_best.ok_or_else(|| search.failure(&signatures))
}

/// The fingerprints of all primary keys among `keys`, upper-case hex digits; a key that cannot be read has none.
pub fn fingerprints(keys: &[SigningKey]) -> Vec<String> {
    let rings = keys
        .iter()
        .filter_map(|key| read_keyring(&key.ascii_armor).ok());
    let mut fingerprints: Vec<String> = rings
        .flat_map(|ring| {
            ring.iter()
                .map(Certificate::fingerprint)
                .collect::<Vec<_>>()
        })
        .collect();
    fingerprints.sort();
    fingerprints.dedup();
    fingerprints
}

/// The signature packets up to the first thing that is none.
struct Signatures {
    packets: Vec<Signature>,
    /// The tools stop reading at the first signature that counts, so garbage behind it does no
    /// harm.
    ends_in_garbage: bool,
}

impl Signatures {
    fn read(bytes: &[u8]) -> Result<Self, SignatureError> {
        if bytes.is_empty() {
            return Err(SignatureError::Empty);
        }
        if bytes.trim_ascii_start().starts_with(b"-----BEGIN") {
            return Err(SignatureError::Armored);
        }
        let too_large = SignatureError::TooLarge {
            limit: MAX_SIGNATURE,
            packets: MAX_SIGNATURES,
        };
        if bytes.len() > MAX_SIGNATURE {
            return Err(too_large);
        }
        let mut packets = Vec::new();
        for packet in PacketParser::new(bytes) {
            match packet {
                Ok(Packet::Signature(signature)) if packets.len() < MAX_SIGNATURES => {
                    packets.push(signature);
                }
                Ok(Packet::Signature(_)) => return Err(too_large),
                Ok(_) | Err(_) => {
                    return Ok(Self {
                        packets,
                        ends_in_garbage: true,
                    });
                }
            }
        }
        Ok(Self {
            packets,
            ends_in_garbage: false,
        })
    }
}

/// What was learnt on the way, for the message if no key fits.
#[derive(Default)]
struct Search {
    listed: Vec<String>,
    unfit: Vec<(String, Unfit)>,
    refused_digest: Option<SignatureError>,
}

impl Search {
    /// Verifies with one key ring; `None` if it holds none of the issuers.
    fn verify(
        &mut self,
        document: &[u8],
        signatures: &Signatures,
        ring: &[Certificate],
        now: SystemTime,
    ) -> Result<Option<Signer>, SignatureError> {
        self.listed.extend(ring.iter().map(Certificate::key_id));
        for signature in &signatures.packets {
            if !matches!(
                signature.version(),
                SignatureVersion::V4 | SignatureVersion::V6
            ) {
                continue;
            }
            if issuer_ids(signature).is_empty() {
                return Err(SignatureError::NoIssuer);
            }
            let candidates = self.candidates(signature, ring);
            if !candidates.is_empty() {
                return verify_with(document, signature, &candidates, now).map(Some);
            }
        }
        Ok(None)
    }

    /// The keys of a ring that may have made a signature; those that cannot are noted.
    fn candidates<'a>(
        &mut self,
        signature: &Signature,
        ring: &'a [Certificate],
    ) -> Vec<Candidate<'a>> {
        let mut candidates = Vec::new();
        for certificate in ring {
            for component in certificate.issuers_of(signature) {
                if let Some(refusal) = refused_digest(signature, certificate) {
                    self.refused_digest.get_or_insert(refusal);
                    continue;
                }
                match certificate.standing(component) {
                    Ok(standing) => candidates.push(Candidate {
                        certificate,
                        component,
                        standing,
                    }),
                    Err(unfit) => self.unfit.push((certificate.key_id(), unfit)),
                }
            }
        }
        candidates
    }

    fn failure(self, signatures: &Signatures) -> SignatureError {
        if let Some(refusal) = self.refused_digest {
            return refusal;
        }
        if signatures.ends_in_garbage {
            return SignatureError::Malformed;
        }
        let mut issuers: Vec<String> = signatures.packets.iter().flat_map(issuer_ids).collect();
        issuers.sort();
        issuers.dedup();
        SignatureError::UnknownIssuer {
            issuers,
            listed: self.listed,
            unfit: self.unfit,
        }
    }
}

struct Candidate<'a> {
    certificate: &'a Certificate,
    component: Component<'a>,
    standing: Standing<'a>,
}

impl Candidate<'_> {
    fn made(&self, signature: &Signature, document: &[u8]) -> bool {
        match self.component {
            Component::Primary => signature
                .verify(&self.certificate.primary, document)
                .is_ok(),
            Component::Subkey(subkey) => signature.verify(&subkey.key, document).is_ok(),
        }
    }

    /// All that remains to be asked once the cryptographic check passed, in the order of facts 3.7.
    fn judge(&self, signature: &Signature, now: SystemTime) -> Result<Signer, SignatureError> {
        let key_id = self.certificate.key_id();
        if let Some(rule) = std::iter::once(signature)
            .chain(self.standing.signatures())
            .find_map(unknown_critical)
        {
            return Err(SignatureError::UnknownCriticalRule { key_id, rule });
        }
        if self.standing.is_revoked(self.certificate, now) {
            return Err(SignatureError::Revoked { key_id });
        }
        match signature_validity(signature, now) {
            Validity::Current => {}
            Validity::Ended(at) => return Err(SignatureError::Expired { key_id, at }),
            Validity::NotYet(at) => return Err(SignatureError::FromFuture { key_id, at }),
        }
        let expired = match self.standing.key_validity(self.certificate, now) {
            Validity::Current => None,
            Validity::Ended(at) => Some(Expired::Ended(at)),
            Validity::NotYet(at) => Some(Expired::NotYetValid(at)),
        };
        let mut bindings = self.standing.signatures();
        if expired.is_none()
            && bindings.any(|binding| signature_validity(binding, now) != Validity::Current)
        {
            return Err(SignatureError::BindingNotValid { key_id });
        }
        Ok(Signer {
            key_id,
            fingerprint: self.certificate.fingerprint(),
            expired,
        })
    }
}

fn verify_with(
    document: &[u8],
    signature: &Signature,
    candidates: &[Candidate<'_>],
    now: SystemTime,
) -> Result<Signer, SignatureError> {
    let named = candidates
        .first()
        .map(|candidate| candidate.certificate.key_id())
        .unwrap_or_default();
    if !matches!(
        signature.typ(),
        Some(SignatureType::Binary | SignatureType::Text)
    ) {
        return Err(SignatureError::OtherPurpose { key_id: named });
    }
    if signature.created().is_none() {
        return Err(SignatureError::Malformed);
    }
    match candidates
        .iter()
        .find(|candidate| candidate.made(signature, document))
    {
        Some(candidate) => candidate.judge(signature, now),
        None => Err(SignatureError::Mismatch { key_id: named }),
    }
}

fn refused_digest(signature: &Signature, certificate: &Certificate) -> Option<SignatureError> {
    let digest = signature
        .hash_alg()
        .filter(|digest| !is_accepted_digest(*digest))?;
    Some(SignatureError::RefusedDigest {
        key_id: certificate.key_id(),
        digest: digest.to_string(),
    })
}

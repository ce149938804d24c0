//! Attacks on [`verify_detached`], with keys and signatures forged for each.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use pgp::composed::{KeyType, SecretKeyParamsBuilder, SubkeyParamsBuilder};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{
    KeyFlags, Notation, PacketTrait, RevocationCode, SecretKey, SecretSubkey, Signature,
    SignatureConfig, SignatureType, Subpacket, SubpacketData, UserId,
};
use pgp::types::{KeyDetails, Password, Tag, Timestamp};
use rand::SeedableRng as _;
use rand::rngs::StdRng;

use super::{Expired, KeyTextError, SignatureError, Signer, Unfit, verify_detached};
use crate::document::SigningKey;

const DOCUMENT: &[u8] = b"00  terraform-provider-net_1.0.0_linux_amd64.zip\n";
const BORN: u32 = 1_600_000_000;
const SIGNED: u32 = BORN + 1_000;
const DAY: u32 = 86_400;

fn at(seconds: u32) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.into())
}

fn now() -> SystemTime {
    at(BORN + 30 * DAY)
}

/// A primary key and a subkey whose certificates are put together by hand.
struct Forge {
    primary: SecretKey,
    subkey: SecretSubkey,
}

/// The packets of a public key.
struct Block(Vec<u8>);

impl Block {
    fn with(mut self, packet: &impl PacketTrait) -> Self {
        packet.to_writer_with_header(&mut self.0).unwrap();
        self
    }

    fn armored(&self) -> SigningKey {
        let body = base64::engine::general_purpose::STANDARD.encode(&self.0);
        let lines: Vec<&str> = body
            .as_bytes()
            .chunks(64)
            .map(|line| std::str::from_utf8(line).unwrap())
            .collect();
        let (begin, end) = (
            "-----BEGIN PGP PUBLIC KEY BLOCK-----",
            "-----END PGP PUBLIC KEY BLOCK-----",
        );
        SigningKey {
            ascii_armor: format!("{begin}\n\n{}\n{end}\n", lines.join("\n")),
        }
    }
}

fn signing() -> SubpacketData {
    let mut flags = KeyFlags::default();
    flags.set_sign(true);
    flags.set_certify(true);
    SubpacketData::KeyFlags(flags)
}

fn encrypting() -> SubpacketData {
    let mut flags = KeyFlags::default();
    flags.set_encrypt_comms(true);
    SubpacketData::KeyFlags(flags)
}

fn user() -> UserId {
    UserId::from_str(
        pgp::types::PacketHeaderVersion::New,
        "Acme <acme@example.com>",
    )
    .unwrap()
}

fn lasts(seconds: u32) -> SubpacketData {
    SubpacketData::KeyExpirationTime(pgp::types::Duration::from_secs(seconds))
}

fn notation() -> SubpacketData {
    SubpacketData::Notation(Notation {
        readable: true,
        name: "rule@example.com".into(),
        value: "x".into(),
    })
}

fn config(
    typ: SignatureType,
    issuer: &impl KeyDetails,
    created: u32,
    more: Vec<SubpacketData>,
) -> SignatureConfig {
    let mut config = SignatureConfig::v4(typ, issuer.algorithm(), HashAlgorithm::Sha256);
    let first = [
        SubpacketData::SignatureCreationTime(Timestamp::from_secs(created)),
        SubpacketData::IssuerFingerprint(issuer.fingerprint()),
    ];
    config.hashed_subpackets = first
        .into_iter()
        .chain(more)
        .map(|data| Subpacket::regular(data).unwrap())
        .collect();
    config.unhashed_subpackets =
        vec![Subpacket::regular(SubpacketData::IssuerKeyId(issuer.legacy_key_id())).unwrap()];
    config
}

fn bytes(signature: &Signature) -> Vec<u8> {
    let mut bytes = Vec::new();
    signature.to_writer_with_header(&mut bytes).unwrap();
    bytes
}

fn key_id(key: &impl KeyDetails) -> String {
    format!("{:X}", key.fingerprint())[24..].to_owned()
}

impl Forge {
    fn new(seed: u64) -> Self {
        let subkey = SubkeyParamsBuilder::default()
            .key_type(KeyType::Ed25519Legacy)
            .can_sign(true)
            .created_at(Timestamp::from_secs(BORN))
            .build()
            .unwrap();
        let params = SecretKeyParamsBuilder::default()
            .key_type(KeyType::Ed25519Legacy)
            .created_at(Timestamp::from_secs(BORN))
            .primary_user_id("x".into())
            .subkey(subkey)
            .build()
            .unwrap();
        let mut key = params.generate(StdRng::seed_from_u64(seed)).unwrap();
        Self {
            primary: key.primary_key,
            subkey: key.secret_subkeys.remove(0).key,
        }
    }

    fn id(&self) -> String {
        key_id(&self.primary)
    }

    fn bare(&self) -> Block {
        Block(Vec::new()).with(self.primary.public_key())
    }

    /// Primary key, user id, self signature with these further statements.
    fn block(&self, says: Vec<SubpacketData>) -> Block {
        self.bare()
            .with(&user())
            .with(&self.certification(SignatureType::CertPositive, BORN, says))
    }

    fn certification(
        &self,
        typ: SignatureType,
        created: u32,
        says: Vec<SubpacketData>,
    ) -> Signature {
        let public = self.primary.public_key();
        config(typ, &self.primary, created, says)
            .sign_certification(
                &self.primary,
                public,
                &Password::empty(),
                Tag::UserId,
                &user(),
            )
            .unwrap()
    }

    fn revocation(&self, by: &Forge, code: RevocationCode, created: u32) -> Signature {
        let reason = SubpacketData::RevocationReason(code, "".into());
        config(
            SignatureType::KeyRevocation,
            &by.primary,
            created,
            vec![reason],
        )
        .sign_key(&by.primary, &Password::empty(), self.primary.public_key())
        .unwrap()
    }

    /// The subkey's claim to belong to a primary key.
    fn back_signature(&self, primary: &Forge) -> SubpacketData {
        let back = config(SignatureType::KeyBinding, &self.subkey, BORN, vec![])
            .sign_primary_key_binding(
                &self.subkey,
                self.subkey.public_key(),
                &Password::empty(),
                primary.primary.public_key(),
            )
            .unwrap();
        SubpacketData::EmbeddedSignature(Box::new(back))
    }

    fn binding(
        &self,
        subkey: &SecretSubkey,
        typ: SignatureType,
        says: Vec<SubpacketData>,
    ) -> Signature {
        config(typ, &self.primary, BORN, says)
            .sign_subkey_binding(
                &self.primary,
                self.primary.public_key(),
                &Password::empty(),
                subkey.public_key(),
            )
            .unwrap()
    }

    fn signature(&self, created: u32, more: Vec<SubpacketData>) -> Vec<u8> {
        let config = config(SignatureType::Binary, &self.primary, created, more);
        bytes(
            &config
                .sign(&self.primary, &Password::empty(), DOCUMENT)
                .unwrap(),
        )
    }

    fn subkey_signature(&self) -> Vec<u8> {
        let config = config(SignatureType::Binary, &self.subkey, SIGNED, vec![]);
        bytes(
            &config
                .sign(&self.subkey, &Password::empty(), DOCUMENT)
                .unwrap(),
        )
    }

    fn fingerprint(&self) -> String {
        format!("{:X}", self.primary.fingerprint())
    }

    fn signer(&self) -> Signer {
        Signer {
            key_id: self.id(),
            fingerprint: self.fingerprint(),
            expired: None,
        }
    }
}

fn verify(signature: &[u8], blocks: &[Block]) -> Result<Signer, SignatureError> {
    let keys: Vec<SigningKey> = blocks.iter().map(Block::armored).collect();
    verify_detached(DOCUMENT, signature, &keys, now())
}

fn unfit(result: Result<Signer, SignatureError>) -> Vec<Unfit> {
    match result {
        Err(SignatureError::UnknownIssuer { unfit, .. }) => {
            unfit.into_iter().map(|(_, reason)| reason).collect()
        }
        other => panic!("not an unknown issuer: {other:?}"),
    }
}

#[test]
fn accepts_signature_by_primary_key_and_by_bound_subkey() {
    let acme = Forge::new(1);
    assert_eq!(
        verify(
            &acme.signature(SIGNED, vec![]),
            &[acme.block(vec![signing()])]
        ),
        Ok(acme.signer())
    );

    let binding = acme.binding(
        &acme.subkey,
        SignatureType::SubkeyBinding,
        vec![signing(), acme.back_signature(&acme)],
    );
    let block = acme
        .block(vec![])
        .with(acme.subkey.public_key())
        .with(&binding);
    assert_eq!(
        verify(&acme.subkey_signature(), &[block]),
        Ok(acme.signer()),
        "the primary key's id is told"
    );
}

#[test]
fn refuses_altered_document() {
    let acme = Forge::new(1);
    let keys = [acme.block(vec![]).armored()];
    let altered = verify_detached(
        b"01  other.zip\n",
        &acme.signature(SIGNED, vec![]),
        &keys,
        now(),
    );
    assert_eq!(altered, Err(SignatureError::Mismatch { key_id: acme.id() }));
}

#[test]
fn refuses_signature_that_names_a_listed_key_but_was_made_by_another() {
    let (acme, mallory) = (Forge::new(1), Forge::new(2));
    let forged = config(SignatureType::Binary, &acme.primary, SIGNED, vec![])
        .sign(&mallory.primary, &Password::empty(), DOCUMENT)
        .unwrap();
    assert_eq!(
        verify(&bytes(&forged), &[acme.block(vec![])]),
        Err(SignatureError::Mismatch { key_id: acme.id() })
    );
}

#[test]
fn refuses_what_is_no_binary_signature() {
    let acme = Forge::new(1);
    let user_packet = Block(Vec::new()).with(&user()).0;
    for (signature, expected) in [
        (&b""[..], SignatureError::Empty),
        (b"-----BEGIN PGP SIGNATURE-----\n", SignatureError::Armored),
        (b"garbage", SignatureError::Malformed),
        (b"\xff\xff\xff\xff\xff\xff\xff", SignatureError::Malformed),
        (user_packet.as_slice(), SignatureError::Malformed),
    ] {
        assert_eq!(verify(signature, &[acme.block(vec![])]), Err(expected));
    }
}

#[test]
fn ignores_garbage_behind_the_signature_that_counts() {
    let acme = Forge::new(1);
    let mut signature = acme.signature(SIGNED, vec![]);
    signature.push(b'\n');
    assert_eq!(verify(&signature, &[acme.block(vec![])]), Ok(acme.signer()));
}

#[test]
fn refuses_endless_signatures() {
    let acme = Forge::new(1);
    let many = acme.signature(SIGNED, vec![]).repeat(65);
    for flood in [many, vec![0x88; (1 << 20) + 1]] {
        assert!(matches!(
            verify(&flood, &[acme.block(vec![])]),
            Err(SignatureError::TooLarge { .. })
        ));
    }
}

#[test]
fn refuses_endless_keys() {
    let acme = Forge::new(1);
    let packets = (0..20_001).fold(acme.bare(), |block, _| block.with(&user()));
    let large = SigningKey {
        ascii_armor: "x".repeat((4 << 20) + 1),
    };
    for key in [packets.armored(), large] {
        let refused = verify_detached(DOCUMENT, &acme.signature(SIGNED, vec![]), &[key], now());
        let source = KeyTextError::TooLarge;
        assert_eq!(
            refused,
            Err(SignatureError::UnreadableKey {
                position: 1,
                count: 1,
                source
            })
        );
    }
}

#[test]
fn first_signature_with_a_listed_issuer_decides() {
    let (acme, other) = (Forge::new(1), Forge::new(2));
    let mut bad = config(SignatureType::Binary, &acme.primary, SIGNED, vec![])
        .sign(&acme.primary, &Password::empty(), &b"another document"[..])
        .map(|signature| bytes(&signature))
        .unwrap();
    bad.extend(acme.signature(SIGNED, vec![]));
    assert_eq!(
        verify(&bad, &[acme.block(vec![])]),
        Err(SignatureError::Mismatch { key_id: acme.id() })
    );

    let mut by_two = other.signature(SIGNED, vec![]);
    by_two.extend(acme.signature(SIGNED, vec![]));
    assert_eq!(verify(&by_two, &[acme.block(vec![])]), Ok(acme.signer()));
}

#[test]
fn refuses_signature_made_for_another_purpose() {
    let acme = Forge::new(1);
    for typ in [
        SignatureType::CertGeneric,
        SignatureType::Standalone,
        SignatureType::Timestamp,
    ] {
        // The library does not let one sign with these types; the type in a finished packet does
        // the same.
        let mut packet = acme.signature(SIGNED, vec![]);
        let version = packet.iter().position(|byte| *byte == 4).unwrap();
        packet[version + 1] = typ.into();
        assert_eq!(
            verify(&packet, &[acme.block(vec![])]),
            Err(SignatureError::OtherPurpose { key_id: acme.id() }),
            "{typ:?}"
        );
    }
}

#[test]
fn refuses_broken_digests() {
    let acme = Forge::new(1);
    for digest in [HashAlgorithm::Md5, HashAlgorithm::Ripemd160] {
        // The library does not sign so with this kind of key (a true MD5 signature by an RSA key is
        // among the vectors).
        let mut packet = acme.signature(SIGNED, vec![]);
        let version = packet.iter().position(|byte| *byte == 4).unwrap();
        packet[version + 3] = digest.into();
        let refused = verify(&packet, &[acme.block(vec![])]);
        assert_eq!(
            refused,
            Err(SignatureError::RefusedDigest {
                key_id: acme.id(),
                digest: digest.to_string()
            })
        );
    }
}

#[test]
fn refuses_expired_and_future_signature() {
    let acme = Forge::new(1);
    let lifetime = SubpacketData::SignatureExpirationTime(pgp::types::Duration::from_secs(DAY));
    let (key_id, keys) = (acme.id(), [acme.block(vec![])]);
    assert_eq!(
        verify(&acme.signature(SIGNED, vec![lifetime]), &keys),
        Err(SignatureError::Expired {
            key_id: key_id.clone(),
            at: at(SIGNED + DAY)
        })
    );
    let future = BORN + 31 * DAY;
    assert_eq!(
        verify(&acme.signature(future, vec![]), &keys),
        Err(SignatureError::FromFuture {
            key_id,
            at: at(future)
        })
    );
}

#[test]
fn refuses_expired_signature_even_of_an_expired_key() {
    let acme = Forge::new(1);
    let lifetime = SubpacketData::SignatureExpirationTime(pgp::types::Duration::from_secs(DAY));
    let refused = verify(
        &acme.signature(SIGNED, vec![lifetime]),
        &[acme.block(vec![lasts(DAY)])],
    );
    assert!(matches!(refused, Err(SignatureError::Expired { .. })));
}

#[test]
fn tells_an_expired_key_and_prefers_one_that_is_not() {
    let (acme, other) = (Forge::new(1), Forge::new(2));
    let mut both = acme.signature(SIGNED, vec![]);
    both.extend(other.signature(SIGNED, vec![]));
    let expired = Signer {
        key_id: acme.id(),
        fingerprint: acme.fingerprint(),
        expired: Some(Expired::Ended(at(BORN + DAY))),
    };
    let expired_block = || acme.block(vec![lasts(DAY)]);

    assert_eq!(verify(&both, &[expired_block()]), Ok(expired.clone()));
    assert_eq!(
        verify(&both, &[expired_block(), other.block(vec![])]),
        Ok(other.signer())
    );
    assert_eq!(
        verify(&both, &[expired_block(), Block(b"?".to_vec())]),
        Ok(expired)
    );
}

#[test]
fn refuses_key_whose_bindings_are_from_the_future() {
    let acme = Forge::new(1);
    let late = acme.certification(SignatureType::CertPositive, BORN + 40 * DAY, vec![]);
    let refused = verify(
        &acme.signature(SIGNED, vec![]),
        &[acme.bare().with(&user()).with(&late)],
    );
    assert_eq!(
        refused,
        Err(SignatureError::BindingNotValid { key_id: acme.id() })
    );
}

#[test]
fn refuses_revoked_key_wherever_the_revocation_stands() {
    let acme = Forge::new(1);
    let revocation = acme.revocation(&acme, RevocationCode::KeyRetired, SIGNED);
    let certification = acme.certification(SignatureType::CertPositive, BORN, vec![]);
    let in_place = acme
        .bare()
        .with(&revocation)
        .with(&user())
        .with(&certification);
    let hidden = acme.block(vec![]).with(&revocation);
    for block in [in_place, hidden] {
        let refused = verify(&acme.signature(SIGNED, vec![]), &[block]);
        assert_eq!(refused, Err(SignatureError::Revoked { key_id: acme.id() }));
    }
}

#[test]
fn compromise_revokes_even_before_its_date() {
    let acme = Forge::new(1);
    let future = BORN + 40 * DAY;
    let with = |code| {
        acme.block(vec![])
            .with(&acme.revocation(&acme, code, future))
    };
    let signature = acme.signature(SIGNED, vec![]);
    let compromised = verify(&signature, &[with(RevocationCode::KeyCompromised)]);
    assert_eq!(
        compromised,
        Err(SignatureError::Revoked { key_id: acme.id() })
    );
    assert_eq!(
        verify(&signature, &[with(RevocationCode::KeyRetired)]),
        Ok(acme.signer())
    );
}

#[test]
fn refuses_revoked_identity_and_revoked_subkey() {
    let acme = Forge::new(1);
    let identity =
        acme.block(vec![])
            .with(&acme.certification(SignatureType::CertRevocation, SIGNED, vec![]));
    let refused = Err(SignatureError::Revoked { key_id: acme.id() });
    assert_eq!(
        verify(&acme.signature(SIGNED, vec![]), &[identity]),
        refused
    );

    let says = vec![signing(), acme.back_signature(&acme)];
    let subkey = acme
        .block(vec![])
        .with(acme.subkey.public_key())
        .with(&acme.binding(&acme.subkey, SignatureType::SubkeyBinding, says))
        .with(&acme.binding(&acme.subkey, SignatureType::SubkeyRevocation, vec![]));
    assert_eq!(verify(&acme.subkey_signature(), &[subkey]), refused);
}

#[test]
fn sets_aside_key_with_a_revocation_by_another_key() {
    let (acme, mallory) = (Forge::new(1), Forge::new(2));
    let block =
        acme.block(vec![])
            .with(&acme.revocation(&mallory, RevocationCode::NoReason, SIGNED));
    assert_eq!(
        unfit(verify(&acme.signature(SIGNED, vec![]), &[block])),
        [Unfit::ForeignRevocation]
    );
}

#[test]
fn refuses_unknown_critical_notation_and_ignores_an_uncritical_one() {
    let acme = Forge::new(1);
    assert_eq!(
        verify(
            &acme.signature(SIGNED, vec![notation()]),
            &[acme.block(vec![])]
        ),
        Ok(acme.signer())
    );

    let mut critical = config(SignatureType::Binary, &acme.primary, SIGNED, vec![]);
    critical
        .hashed_subpackets
        .push(Subpacket::critical(notation()).unwrap());
    let signature = critical
        .sign(&acme.primary, &Password::empty(), DOCUMENT)
        .unwrap();
    assert_eq!(
        verify(&bytes(&signature), &[acme.block(vec![])]),
        Err(SignatureError::UnknownCriticalRule {
            key_id: acme.id(),
            rule: "rule@example.com".into()
        })
    );
}

#[test]
fn sets_aside_stolen_subkey() {
    // Mallory lists a key of her own with the victim's subkey glued to it: she can bind it, but it
    // never signed back.
    let (acme, mallory) = (Forge::new(1), Forge::new(2));
    let replayed = acme.back_signature(&acme);
    for says in [vec![signing()], vec![], vec![signing(), replayed]] {
        let binding = mallory.binding(&acme.subkey, SignatureType::SubkeyBinding, says);
        let block = mallory
            .block(vec![])
            .with(acme.subkey.public_key())
            .with(&binding);
        assert_eq!(
            unfit(verify(&acme.subkey_signature(), &[block])),
            [Unfit::NoBackSignature]
        );
    }
}

#[test]
fn sets_aside_subkey_that_the_primary_key_did_not_bind() {
    let (acme, mallory) = (Forge::new(1), Forge::new(2));
    let says = vec![signing(), mallory.back_signature(&acme)];
    let binding = mallory.binding(&mallory.subkey, SignatureType::SubkeyBinding, says);
    let block = acme
        .block(vec![])
        .with(mallory.subkey.public_key())
        .with(&binding);
    assert_eq!(
        unfit(verify(&mallory.subkey_signature(), &[block])),
        [Unfit::NotBound]
    );
}

#[test]
fn sets_aside_keys_that_are_not_for_signing() {
    let acme = Forge::new(1);
    let primary = verify(
        &acme.signature(SIGNED, vec![]),
        &[acme.block(vec![encrypting()])],
    );
    assert_eq!(unfit(primary), [Unfit::NotForSigning]);

    let binding = acme.binding(
        &acme.subkey,
        SignatureType::SubkeyBinding,
        vec![encrypting()],
    );
    let block = acme
        .block(vec![])
        .with(acme.subkey.public_key())
        .with(&binding);
    assert_eq!(
        unfit(verify(&acme.subkey_signature(), &[block])),
        [Unfit::NotForSigning]
    );
}

#[test]
fn sets_aside_key_without_a_signature_on_itself() {
    let (acme, mallory) = (Forge::new(1), Forge::new(2));
    let foreign = mallory.certification(SignatureType::CertPositive, BORN, vec![]);
    for block in [
        acme.bare(),
        acme.bare().with(&user()),
        acme.bare().with(&user()).with(&foreign),
    ] {
        assert_eq!(
            unfit(verify(&acme.signature(SIGNED, vec![]), &[block])),
            [Unfit::NoSelfSignature]
        );
    }
}

#[test]
fn names_the_issuer_and_the_listed_keys() {
    let (acme, other) = (Forge::new(1), Forge::new(2));
    let signature = acme.signature(SIGNED, vec![]);
    let none = verify(&signature, &[]).unwrap_err().to_string();
    assert_eq!(
        none,
        format!(
            "the signature is by key `{}`, and the registry lists no key for it",
            acme.id()
        )
    );
    let one = verify(&signature, &[other.block(vec![])])
        .unwrap_err()
        .to_string();
    let expected = format!(
        "the signature is by key `{}`, and the only key that the registry lists is `{}`",
        acme.id(),
        other.id()
    );
    assert_eq!(one, expected);
}

#[test]
fn unreadable_key_is_an_error_only_when_reached_and_shows_no_bytes_of_it() {
    let acme = Forge::new(1);
    let good = acme.block(vec![]).armored();
    let begin = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
    let signature = acme.signature(SIGNED, vec![]);
    for (text, source) in [
        (String::new(), KeyTextError::NoArmor),
        ("SECRET-BYTES".to_owned(), KeyTextError::NoArmor),
        (
            format!("{begin}\n\nSECRET-BYTES!\n"),
            KeyTextError::DamagedArmor,
        ),
        (
            good.ascii_armor.replace("PUBLIC", "PRIVATE"),
            KeyTextError::OtherBlock,
        ),
        (
            Block(acme.signature(SIGNED, vec![])).armored().ascii_armor,
            KeyTextError::NoKey,
        ),
    ] {
        let bad = SigningKey {
            ascii_armor: text.clone(),
        };
        let first = verify_detached(DOCUMENT, &signature, &[bad.clone(), good.clone()], now());
        assert_eq!(
            first,
            Err(SignatureError::UnreadableKey {
                position: 1,
                count: 2,
                source
            }),
            "{text}"
        );
        let shown = format!("{:?}", first.unwrap_err());
        assert!(!shown.contains("SECRET"), "{shown}");
        let second = verify_detached(DOCUMENT, &signature, &[good.clone(), bad], now());
        assert_eq!(second, Ok(acme.signer()), "{text}");
    }
}

#[test]
fn reads_blocks_with_text_before_line_ends_and_blanks() {
    let acme = Forge::new(1);
    let armor = acme.block(vec![]).armored().ascii_armor;
    let signature = acme.signature(SIGNED, vec![]);
    for text in [
        armor.replace('\n', "\r\n"),
        format!("----- text\n\n-----before it\n{armor}"),
        armor.replacen("\n\n", "\n\u{a0}\r\n", 1),
        armor.replacen("\n\n", "\nComment: x\nVersion:\n\n", 1),
        armor.replace('\n', " \n  "),
    ] {
        let keys = [SigningKey {
            ascii_armor: text.clone(),
        }];
        assert_eq!(
            verify_detached(DOCUMENT, &signature, &keys, now()),
            Ok(acme.signer()),
            "{text}"
        );
    }
}

#[test]
fn drops_certificate_with_an_unreadable_signature() {
    let acme = Forge::new(1);
    // A signature packet of version 4 that ends too early: it could have been a revocation.
    let block = Block([acme.block(vec![]).0, vec![0x88, 0x02, 0x04, 0x20]].concat());
    let refused = verify(&acme.signature(SIGNED, vec![]), &[block]);
    let source = KeyTextError::NoKey;
    assert_eq!(
        refused,
        Err(SignatureError::UnreadableKey {
            position: 1,
            count: 1,
            source
        })
    );
}

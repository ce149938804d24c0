//! Throw-away OpenPGP keys and detached signatures with them.

use std::sync::OnceLock;

use pgp::composed::{
    ArmorOptions, DetachedSignature, EncryptionCaps, KeyType, SecretKeyParamsBuilder,
    SignedPublicKey, SignedSecretKey,
};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{KeyFlags, SignatureConfig, SignatureType, Subpacket, SubpacketData};
use pgp::ser::Serialize;
use pgp::types::{Duration, KeyDetails, Password, Tag, Timestamp};

/// When all keys were made: in 2020.
const BORN: u32 = 1_600_000_000;

/// Whoever signs releases: an Ed25519 key made in this process.
pub struct Signer {
    secret: SignedSecretKey,
    armor: String,
    key_id: String,
}

impl Signer {
    /// Makes a key.
    pub fn generate(user: &str) -> Self {
        let mut params = SecretKeyParamsBuilder::default();
        params
            .key_type(KeyType::Ed25519Legacy)
            .can_certify(true)
            .can_sign(true)
            .can_encrypt(EncryptionCaps::None)
            .created_at(Timestamp::from_secs(BORN))
            .primary_user_id(format!("{user} <{user}@example.test>"));
        let params = params.build().expect("the parameters are complete");
        let secret = params
            .generate(rand::thread_rng())
            .expect("an Ed25519 key can be made");
        let public = SignedPublicKey::from(secret.clone());
        let armor = public
            .to_armored_string(ArmorOptions::default())
            .expect("a key can be armored");
        let key_id = public.legacy_key_id().to_string().to_uppercase();
        Self {
            secret,
            armor,
            key_id,
        }
    }

    /// The publisher that registries list; one per process, for key generation is not free.
    pub fn publisher() -> &'static Self {
        static PUBLISHER: OnceLock<Signer> = OnceLock::new();
        PUBLISHER.get_or_init(|| Self::generate("publisher"))
    }

    /// Somebody whom no registry lists.
    pub fn stranger() -> &'static Self {
        static STRANGER: OnceLock<Signer> = OnceLock::new();
        STRANGER.get_or_init(|| Self::generate("stranger"))
    }

    /// A publisher whose key was made in 2020 and expired a day later.
    pub fn expired() -> &'static Self {
        static EXPIRED: OnceLock<Signer> = OnceLock::new();
        EXPIRED.get_or_init(|| Self::generate("expired").with_a_day_of_life())
    }

    /// Replaces the key's signature on itself by one that says how long it lasts.
    fn with_a_day_of_life(mut self) -> Self {
        let key = &self.secret.primary_key;
        let mut config = SignatureConfig::v4(
            SignatureType::CertPositive,
            key.algorithm(),
            HashAlgorithm::Sha256,
        );
        let mut flags = KeyFlags::default();
        flags.set_sign(true);
        flags.set_certify(true);
        config.hashed_subpackets = [
            SubpacketData::SignatureCreationTime(Timestamp::from_secs(BORN)),
            SubpacketData::IssuerFingerprint(key.fingerprint()),
            SubpacketData::KeyFlags(flags),
            SubpacketData::KeyExpirationTime(Duration::from_secs(86_400)),
        ]
        .map(|data| Subpacket::regular(data).expect("the data are short"))
        .to_vec();
        let mut public = SignedPublicKey::from(self.secret.clone());
        let user = public
            .details
            .users
            .first_mut()
            .expect("there is a user id");
        let signature = config
            .sign_certification(
                key,
                key.public_key(),
                &Password::empty(),
                Tag::UserId,
                &user.id,
            )
            .expect("the key signs");
        user.signatures = vec![signature];
        self.armor = public
            .to_armored_string(ArmorOptions::default())
            .expect("a key can be armored");
        self
    }

    /// The public key, ASCII-armored.
    pub fn armor(&self) -> &str {
        &self.armor
    }

    /// Key id: 16 upper-case hex digits.
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// A binary detached signature over `document`.
    pub fn sign(&self, document: &[u8]) -> Vec<u8> {
        self.signature(document)
            .to_bytes()
            .expect("a vector takes any bytes")
    }

    /// The same in ASCII armor, which the protocol does not allow.
    pub fn sign_armored(&self, document: &[u8]) -> Vec<u8> {
        self.signature(document)
            .to_armored_bytes(ArmorOptions::default())
            .expect("a signature can be armored")
    }

    fn signature(&self, document: &[u8]) -> DetachedSignature {
        let key = &self.secret.primary_key;
        DetachedSignature::sign_binary_data(
            rand::thread_rng(),
            key,
            &Password::empty(),
            HashAlgorithm::Sha256,
            document,
        )
        .expect("the key signs")
    }
}

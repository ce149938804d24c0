//! What a single signature packet says, read for the decisions of `openpgp` and `certificate`.

use std::time::{Duration, SystemTime};

use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{RevocationCode, Signature, SubpacketData};
use pgp::types::{Fingerprint, KeyId};

/// Where a point in time stands to a span of validity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Validity {
    Current,
    Ended(SystemTime),
    NotYet(SystemTime),
}

/// The validity of a signature; one without a date is never valid and has been refused before.
pub(super) fn signature_validity(signature: &Signature, now: SystemTime) -> Validity {
    let created = signature
        .created()
        .map_or(SystemTime::UNIX_EPOCH, SystemTime::from);
    validity(
        created,
        signature.signature_expiration_time().map(Duration::from),
        now,
    )
}

/// The name of the first critical rule in a signature that this program does not know.
///
/// No notation is known here, nor to the tools.
pub(super) fn unknown_critical(signature: &Signature) -> Option<String> {
    let mut critical = signature
        .config()?
        .hashed_subpackets()
        .filter(|subpacket| subpacket.is_critical);
    critical.find_map(|subpacket| {
        if let SubpacketData::Notation(notation) = &subpacket.data {
            return Some(printable(&notation.name));
        }
        // Every other kind is one that the parser knows.
        let unknown = matches!(
            subpacket.data,
            SubpacketData::Experimental(..) | SubpacketData::Other(..)
        );
        unknown.then(|| format!("subpacket {}", subpacket.typ().as_u8(false)))
    })
}

/// Whether a digest may carry a signature (facts/providers 3.6).
pub(super) fn is_accepted_digest(digest: HashAlgorithm) -> bool {
    matches!(
        digest,
        HashAlgorithm::Sha1
            | HashAlgorithm::Sha224
            | HashAlgorithm::Sha256
            | HashAlgorithm::Sha384
            | HashAlgorithm::Sha512
            | HashAlgorithm::Sha3_256
            | HashAlgorithm::Sha3_512
    )
}

/// The ids of the keys that a signature names as its issuer, 16 upper-case hex digits each.
pub(super) fn issuer_ids(signature: &Signature) -> Vec<String> {
    let by_id = signature
        .issuer_key_id()
        .into_iter()
        .map(|id| key_id_text(*id));
    let by_fingerprint = signature
        .issuer_fingerprint()
        .into_iter()
        .filter_map(fingerprint_key_id);
    let mut ids: Vec<String> = by_id.chain(by_fingerprint).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// The key id within a fingerprint: the end of a version 4 one, the start of a version 6 one.
fn fingerprint_key_id(fingerprint: &Fingerprint) -> Option<String> {
    let text = format!("{fingerprint:X}");
    let id = match fingerprint {
        Fingerprint::V4(_) => text.get(text.len().checked_sub(16)?..),
        Fingerprint::V6(_) => text.get(..16),
        // Keys of other versions are not read.
        Fingerprint::V2(_) | Fingerprint::V3(_) | Fingerprint::V5(_) | Fingerprint::Unknown(_) => {
            None
        }
    };
    id.map(str::to_owned)
}

pub(super) fn key_id_text(id: KeyId) -> String {
    format!("{id}").to_ascii_uppercase()
}

/// Text from outside, fit for a message.
fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars()
        .take(100)
        .map(|c| {
            if c.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect()
}

/// Whether a signature may bind something to a key: dated, and over an accepted digest.
pub(super) fn binds(signature: &Signature) -> bool {
    signature.created().is_some() && signature.hash_alg().is_some_and(is_accepted_digest)
}

/// Whether a revocation holds: at any time if the key was compromised, else while the revocation is
/// valid.
pub(super) fn is_in_force(revocation: &Signature, now: SystemTime) -> bool {
    revocation.revocation_reason_code() == Some(&RevocationCode::KeyCompromised)
        || signature_validity(revocation, now) == Validity::Current
}

/// A lifetime of zero means for ever.
pub(super) fn validity(start: SystemTime, lifetime: Option<Duration>, now: SystemTime) -> Validity {
    let end = lifetime
        .filter(|lifetime| !lifetime.is_zero())
        .map(|lifetime| start + lifetime);
    match end {
        _ if start > now => Validity::NotYet(start),
        Some(end) if now > end => Validity::Ended(end),
        Some(_) | None => Validity::Current,
    }
}

//! A version's SHA256SUMS document together with its signature, its keys and where it came from.

use url::Url;

use crate::document::{Shasums, SigningKey};
use crate::package::SealedShasums;

/// A SHA256SUMS document that was checked once and serves for every platform of its version.
#[derive(Debug, Clone)]
pub struct ShasumsProof {
    /// Where the document came from.
    pub url: Url,
    /// Where the signature came from.
    pub signature_url: Url,
    /// The document, its signature verified.
    pub sealed: SealedShasums,
    /// The document's lines.
    pub shasums: Shasums,
    /// The signature's bytes as received.
    pub signature: Vec<u8>,
    /// The keys that the registry lists.
    pub signing_keys: Vec<SigningKey>,
}

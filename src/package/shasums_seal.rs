//! A SHA256SUMS document with the proof of its signature, made once for all packages of a version.

use std::time::SystemTime;

use crate::address::{Hostname, Tool};
use crate::document::{SigningKey, Verdict};

use super::openpgp::{Signer, verify_detached};
use super::signature_error::SignatureError;

/// Whether a registry may leave the keys away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningPolicy {
    /// A document without a signature by a listed key is refused.
    Required,
    /// A document of a registry that lists no keys at all counts as a mere list of checksums.
    OptionalWithoutKeys,
}

/// Whether OpenTofu's `OPENTOFU_ENFORCE_GPG_VALIDATION` is set to `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enforcement {
    /// Signatures are required everywhere.
    Strict,
    /// The tool's own exception holds.
    Usual,
}

impl SigningPolicy {
    /// The policy of a tool for a provider's host: OpenTofu makes an exception for its own registry
    /// (facts/providers 3.9).
    pub fn of(tool: Tool, host: &Hostname, enforcement: Enforcement) -> Self {
        match (tool, enforcement) {
            (Tool::Tofu, Enforcement::Usual)
                if host.for_comparison() == Tool::Tofu.default_host() =>
            {
                Self::OptionalWithoutKeys
            }
            (Tool::Tofu | Tool::Terraform, Enforcement::Usual | Enforcement::Strict) => {
                Self::Required
            }
        }
    }
}

/// A SHA256SUMS document that passed the check of its signature.
///
/// Only [`SealedShasums::verify`] makes one, so that a digest looked up in
/// [`SealedShasums::document`] is one that the signer, if there is one, vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedShasums {
    document: Vec<u8>,
    signer: Option<Signer>,
}

impl SealedShasums {
    /// Verifies the signature of a document with the keys that the registry lists.
    ///
    /// # Errors
    /// [`SignatureError`] if no listed key proves the document, unless the policy lets it pass.
    pub fn verify(
        document: Vec<u8>,
        signature: &[u8],
        keys: &[SigningKey],
        policy: SigningPolicy,
        now: SystemTime,
    ) -> Result<Self, SignatureError> {
        let signer = match policy {
            SigningPolicy::OptionalWithoutKeys if keys.is_empty() => None,
            SigningPolicy::OptionalWithoutKeys | SigningPolicy::Required => {
                Some(verify_detached(&document, signature, keys, now)?)
            }
        };
        Ok(Self { document, signer })
    }

    /// The document, as received.
    pub fn document(&self) -> &[u8] {
        &self.document
    }

    /// Who signed it; `None` if the registry lists no keys and need not.
    pub fn signer(&self) -> Option<&Signer> {
        self.signer.as_ref()
    }

    /// What can be said of a package that this document lists.
    pub(super) fn verdict(&self) -> Verdict {
        match &self.signer {
            Some(signer) => Verdict::Signed {
                key_id: signer.key_id.clone(),
                expired: signer.expired.is_some(),
            },
            None => Verdict::Checksum,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_opentofu_excuses_its_own_registry() {
        let own: Hostname = "registry.opentofu.org".parse().unwrap();
        let other: Hostname = "registry.example.com".parse().unwrap();
        for (tool, host, enforcement, expected) in [
            (
                Tool::Tofu,
                &own,
                Enforcement::Usual,
                SigningPolicy::OptionalWithoutKeys,
            ),
            (
                Tool::Tofu,
                &own,
                Enforcement::Strict,
                SigningPolicy::Required,
            ),
            (
                Tool::Tofu,
                &other,
                Enforcement::Usual,
                SigningPolicy::Required,
            ),
            (
                Tool::Terraform,
                &own,
                Enforcement::Usual,
                SigningPolicy::Required,
            ),
        ] {
            assert_eq!(
                SigningPolicy::of(tool, host, enforcement),
                expected,
                "{tool:?} {host} {enforcement:?}"
            );
        }
    }

    #[test]
    fn excuse_holds_only_where_no_key_is_listed() {
        let verify = |keys: &[SigningKey], policy| {
            SealedShasums::verify(b"x".to_vec(), b"", keys, policy, SystemTime::UNIX_EPOCH)
        };
        let excused = verify(&[], SigningPolicy::OptionalWithoutKeys).unwrap();
        assert_eq!(
            (excused.signer(), excused.verdict()),
            (None, Verdict::Checksum)
        );
        assert_eq!(
            verify(&[], SigningPolicy::Required),
            Err(SignatureError::Empty)
        );
        let key = SigningKey {
            ascii_armor: "garbage".to_owned(),
        };
        assert_eq!(
            verify(&[key], SigningPolicy::OptionalWithoutKeys),
            Err(SignatureError::Empty)
        );
    }
}

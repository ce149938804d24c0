//! Why a signature proves nothing.

use std::fmt::Write as _;
use std::time::SystemTime;

use crate::failure::{ExitCode, Failure};

use super::certificate::Unfit;
use super::keyring::KeyTextError;

/// Why the signature of a SHA256SUMS document is refused. Key ids are 16 upper-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// There is no signature at all.
    #[error("the signature is empty")]
    Empty,
    /// Text where the binary form belongs.
    #[error("the signature is armored text instead of a binary detached signature")]
    Armored,
    /// Not a sequence of signature packets.
    #[error("the signature is no binary detached OpenPGP signature")]
    Malformed,
    /// Larger than any signature, or more signatures than any release has.
    #[error("the signature is larger than {limit} bytes or has more than {packets} parts")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
        /// The limit in packets.
        packets: usize,
    },
    /// A signature that does not say who made it.
    #[error("the signature does not name the key that made it")]
    NoIssuer,
    /// A listed key cannot be read.
    #[error("key {position} of {count} that the registry lists cannot be read")]
    UnreadableKey {
        /// The place in the list, from 1.
        position: usize,
        /// The length of the list.
        count: usize,
        /// Why.
        source: KeyTextError,
    },
    /// None of the listed keys made any of the signatures.
    #[error("{}", unknown_issuer(issuers, listed, unfit))]
    UnknownIssuer {
        /// The keys that the signatures name.
        issuers: Vec<String>,
        /// The primary keys that the registry lists.
        listed: Vec<String>,
        /// Listed keys that are named but cannot have signed, with the reasons.
        unfit: Vec<(String, Unfit)>,
    },
    /// Made with a digest that is broken.
    #[error(
        "the signature by key `{key_id}` uses the digest {digest}, which proves nothing any more"
    )]
    RefusedDigest {
        /// The key that is named as issuer.
        key_id: String,
        /// The digest.
        digest: String,
    },
    /// A signature for another purpose than signing a file.
    #[error("the signature by key `{key_id}` is not one over a document")]
    OtherPurpose {
        /// The key that is named as issuer.
        key_id: String,
    },
    /// Document or signature were altered, or the signature was forged.
    #[error("the signature by key `{key_id}` does not fit the document")]
    Mismatch {
        /// The primary key.
        key_id: String,
    },
    /// The signer made the signature depend on a rule that is not known here.
    #[error("the signature by key `{key_id}` depends on the unknown critical rule `{rule}`")]
    UnknownCriticalRule {
        /// The primary key.
        key_id: String,
        /// The name of the notation, or the number of the subpacket.
        rule: String,
    },
    /// The key, its identity or the signing subkey was revoked.
    #[error("key `{key_id}` is revoked")]
    Revoked {
        /// The primary key.
        key_id: String,
    },
    /// The signature's own life is over.
    #[error("the signature by key `{key_id}` expired on {}", httpdate::fmt_http_date(*at))]
    Expired {
        /// The primary key.
        key_id: String,
        /// When it expired.
        at: SystemTime,
    },
    /// The signature is dated after the present.
    #[error("the signature by key `{key_id}` is dated {}, which is in the future", httpdate::fmt_http_date(*at))]
    FromFuture {
        /// The primary key.
        key_id: String,
        /// Its date.
        at: SystemTime,
    },
    /// The signatures within the key that make it a signing key are not valid now.
    #[error("the bindings of key `{key_id}` are not valid at this time")]
    BindingNotValid {
        /// The primary key.
        key_id: String,
    },
}

impl Failure for SignatureError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Verification
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::UnknownIssuer { .. } => vec![
                "if the publisher changed keys, ask them for the new one and try again once the registry lists it"
                    .to_owned(),
            ],
            Self::FromFuture { .. } => vec!["check the clock of this machine".to_owned()],
            Self::Revoked { .. } | Self::Expired { .. } | Self::RefusedDigest { .. } => {
                vec!["ask the publisher to sign the release again, or choose another version".to_owned()]
            }
            Self::Empty
            | Self::Armored
            | Self::Malformed
            | Self::TooLarge { .. }
            | Self::NoIssuer
            | Self::UnreadableKey { .. }
            | Self::OtherPurpose { .. }
            | Self::Mismatch { .. }
            | Self::UnknownCriticalRule { .. }
            | Self::BindingNotValid { .. } => {
                vec!["do not use this release before its publisher has explained or mended it".to_owned()]
            }
        }
    }
}

fn unknown_issuer(issuers: &[String], listed: &[String], unfit: &[(String, Unfit)]) -> String {
    let mut text = format!("the signature is by {}", keys(issuers));
    let rest = match listed {
        [] => "the registry lists no key for it".to_owned(),
        [one] => format!("the only key that the registry lists is `{one}`"),
        several => format!("the registry lists {}", keys(several)),
    };
    _ = write!(text, ", and {rest}");
    for (id, reason) in unfit {
        _ = write!(text, "; `{id}` {reason}");
    }
    text
}

fn keys(ids: &[String]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    let noun = if let [_] = ids { "key" } else { "keys" };
    format!("{noun} {}", quoted.join(", "))
}

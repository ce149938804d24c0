//! Proof key for code exchange, RFC 7636, method S256 and no other.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::secret::Secret;

/// The code verifier of one login. Its `Debug` shows a mask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verifier(Secret);

/// Why a text is no code verifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a code verifier has 43 to 128 letters, digits and `-._~`")]
pub struct VerifierError;

impl Verifier {
    /// The verifier of these random bytes: 256 bits, as section 7.1 recommends.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(Secret::new(random_text(bytes)))
    }

    /// Takes a text that meets section 4.1.
    ///
    /// # Errors
    ///
    /// If it is too short, too long or has other characters.
    pub fn parse(text: &str) -> Result<Self, VerifierError> {
        let is_unreserved =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        if !(43..=128).contains(&text.len()) || !text.bytes().all(is_unreserved) {
            return Err(VerifierError);
        }
        Ok(Self(Secret::new(text)))
    }

    /// The verifier itself, for the token request.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// The challenge that goes with the authorization request: 43 characters.
    pub fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.expose()))
    }
}

/// Random bytes as 43 characters that need no escape in URLs.
pub fn random_text(bytes: [u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

//! SHA-256 digests.

use std::fmt::{self, Write};
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::failure::{ExitCode, Failure};

/// A SHA-256 digest. `Display` prints lower-case hex digits; `FromStr` takes 64 of either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256Digest(pub [u8; 32]);

impl Sha256Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl FromStr for Sha256Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        decode(text.as_bytes())
            .map(Self)
            .ok_or_else(|| DigestError(text.to_owned()))
    }
}

fn decode(text: &[u8]) -> Option<[u8; 32]> {
    let (pairs, []) = text.as_chunks::<2>() else {
        return None;
    };
    let pairs: &[[u8; 2]; 32] = pairs.try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = nibble(*high)? << 4 | nibble(*low)?;
    }
    Some(bytes)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for byte in self.0 {
            f.write_char(char::from(DIGITS[usize::from(byte >> 4)]))?;
            f.write_char(char::from(DIGITS[usize::from(byte & 15)]))?;
        }
        Ok(())
    }
}

/// The text, as given, is no SHA-256 digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no SHA-256 digest, which has 64 hexadecimal digits")]
pub struct DigestError(pub String);

impl Failure for DigestError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "71b8d997a1e5253c03a5ded749434bac74dce505c5e58da43d56efc29d2dd9eb";

    #[test]
    fn digests_parse_and_print_the_same() {
        let digest: Sha256Digest = TEXT.parse().unwrap();
        assert_eq!(digest.to_string(), TEXT);
        assert_eq!(TEXT.to_uppercase().parse(), Ok(digest));
    }

    #[test]
    fn refuses_other_lengths_and_characters() {
        let long = format!("{TEXT}00");
        let foreign = TEXT.replace('7', "g");
        let wide = format!("{}é", &TEXT[2..]);
        for text in ["", &TEXT[1..], &TEXT[2..], &long, &foreign, &wide] {
            assert!(text.parse::<Sha256Digest>().is_err(), "{text}");
        }
    }
}

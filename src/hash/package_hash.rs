//! Package hashes as lock files and mirror indexes carry them (facts/providers 4.1 to 4.3).

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Sha256Digest;
use crate::failure::{ExitCode, Failure};

/// `SCHEME:VALUE`; the value is unchecked, and hashes compare as text. Ordered by the bytes of the text,
/// which is the order of lock files. `Display` gives back what was parsed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackageHash(String);

/// The schemes that can be computed; any other is kept but matches nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HashScheme {
    /// `h1:`, over the files of the package.
    H1,
    /// `zh:`, over the bytes of the archive.
    Zh,
    /// A scheme that this program does not know.
    Other,
}

impl PackageHash {
    /// The `zh:` hash of an archive with this digest.
    pub fn zh(digest: Sha256Digest) -> Self {
        Self(format!("zh:{digest}"))
    }

    /// The `h1:` hash of a package whose list of files has this digest.
    pub fn h1(digest: Sha256Digest) -> Self {
        Self(format!("h1:{}", STANDARD.encode(digest.0)))
    }

    /// The scheme.
    pub fn scheme(&self) -> HashScheme {
        match self.0.split_once(':') {
            Some(("h1", _)) => HashScheme::H1,
            Some(("zh", _)) => HashScheme::Zh,
            _ => HashScheme::Other,
        }
    }

    /// Whether a package can have this hash: `h1:` and the base64 of 32 bytes, `zh:` and 64 lower-case hex digits. Of
    /// an unknown scheme nobody can tell, so it may be.
    pub fn is_possible(&self) -> bool {
        let value = self.0.split_once(':').map_or("", |(_, value)| value);
        match self.scheme() {
            HashScheme::H1 => STANDARD.decode(value).is_ok_and(|bytes| bytes.len() == 32),
            HashScheme::Zh => {
                let digest = value.parse::<Sha256Digest>();
                digest.is_ok_and(|digest| digest.to_string() == value)
            }
            HashScheme::Other => true,
        }
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PackageHash {
    type Err = PackageHashError;

    fn from_str(text: &str) -> Result<Self, PackageHashError> {
        match text.split_once(':') {
            Some((scheme, _)) if !scheme.is_empty() => Ok(Self(text.to_owned())),
            _ => Err(PackageHashError(text.to_owned())),
        }
    }
}

impl fmt::Display for PackageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text, as given, has no scheme.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no package hash: it does not begin with a scheme and a colon, such as `h1:`")]
pub struct PackageHashError(pub String);

impl Failure for PackageHashError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self.0.parse::<Sha256Digest>() {
            Ok(digest) => vec![format!(
                "the hash of an archive is written `{}`",
                PackageHash::zh(digest)
            )],
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_read_from_the_text() {
        let cases = [
            (
                "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
                HashScheme::H1,
            ),
            ("zh:00", HashScheme::Zh),
            ("h1:", HashScheme::H1),
            ("h2:x:y", HashScheme::Other),
            ("H1:x", HashScheme::Other),
        ];
        for (text, scheme) in cases {
            let hash: PackageHash = text.parse().unwrap();
            assert_eq!(hash.scheme(), scheme, "{text}");
            assert_eq!(hash.to_string(), text);
        }
    }

    #[test]
    fn hashes_that_no_package_can_have_are_told() {
        let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        for (text, is_possible) in [
            ("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", true),
            ("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", false),
            ("h1:aGVsbG8=", false),
            ("h1:", false),
            (&format!("zh:{hex}"), true),
            (&format!("zh:{}", hex.to_uppercase()), false),
            (&format!("zh:{}", &hex[2..]), false),
            ("h9:whatever", true),
        ] {
            let hash: PackageHash = text.parse().unwrap();
            assert_eq!(hash.is_possible(), is_possible, "{text}");
        }
    }

    #[test]
    fn refuses_text_without_scheme() {
        for text in ["", ":x", "h1", "deadbeef"] {
            assert!(text.parse::<PackageHash>().is_err(), "{text}");
        }
    }

    #[test]
    fn hashes_of_no_files_are_the_known_ones() {
        let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let digest: Sha256Digest = hex.parse().unwrap();
        let h1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        assert_eq!(PackageHash::h1(digest).as_str(), h1);
        assert_eq!(PackageHash::zh(digest).to_string(), format!("zh:{hex}"));
        assert_eq!(PackageHashError(hex.into()).hints().len(), 1);
    }
}

//! `checksum=` of module sources: what the archive's bytes must hash to (facts/modules 4.3).

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

/// A digest in one of the four kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleChecksum {
    kind: Kind,
    /// In lower case.
    hex: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Md5,
    Sha1,
    Sha256,
    Sha512,
}

const KINDS: [(Kind, &str, usize); 4] = [
    (Kind::Md5, "md5", 32),
    (Kind::Sha1, "sha1", 40),
    (Kind::Sha256, "sha256", 64),
    (Kind::Sha512, "sha512", 128),
];

/// What `checksum=` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChecksumSource {
    /// The digest itself.
    Digest(ModuleChecksum),
    /// A file of digests by file name; its URL.
    File(String),
}

/// The text is no checksum.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChecksumTextError {
    /// A kind that is not known.
    #[error("`{0}` is no kind of checksum: those are `md5`, `sha1`, `sha256` and `sha512`")]
    Kind(String),
    /// Digits that are none, or too few or many for the kind.
    #[error("`{0}` is no checksum: it has not as many hexadecimal digits as one of its kind")]
    Digits(String),
}

impl ChecksumSource {
    /// Parses `HEX`, `KIND:HEX` or `file:URL`.
    ///
    /// # Errors
    ///
    /// If the kind is not known, or the digits do not fit it.
    pub fn parse(text: &str) -> Result<Self, ChecksumTextError> {
        match text.split_once(':') {
            Some(("file", url)) => Ok(Self::File(url.to_owned())),
            Some((kind, hex)) => ModuleChecksum::of_kind(kind, hex).map(Self::Digest),
            None => ModuleChecksum::of_length(text).map(Self::Digest),
        }
    }
}

impl ModuleChecksum {
    fn of_kind(name: &str, hex: &str) -> Result<Self, ChecksumTextError> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let Some((kind, _, length)) = KINDS.into_iter().find(|(_, known, _)| is_it(known)) else {
            return Err(ChecksumTextError::Kind(name.to_owned()));
        };
        let is_hex = hex.len() == length && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Err(ChecksumTextError::Digits(hex.to_owned()));
        }
        Ok(Self {
            kind,
            hex: hex.to_ascii_lowercase(),
        })
    }

    fn of_length(hex: &str) -> Result<Self, ChecksumTextError> {
        let kind = KINDS
            .into_iter()
            .find(|(_, _, length)| *length == hex.len());
        let (_, name, _) = kind.ok_or_else(|| ChecksumTextError::Digits(hex.to_owned()))?;
        Self::of_kind(name, hex)
    }

    /// Finds the checksum of the file `name` in a file of them: lines `HEX  NAME`, `HEX *NAME` or
    /// `KIND (NAME) = HEX`, or a file that is nothing but one digest.
    pub fn find(sums: &str, name: &str) -> Option<Self> {
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let lines = || sums.lines().map(str::trim).filter(|line| !line.is_empty());
        let found = lines().find_map(|line| {
            if let Some((head, hex)) = line.rsplit_once(") = ") {
                let (kind, listed) = head.split_once(" (")?;
                return (base(listed) == name).then(|| Self::of_kind(kind, hex).ok())?;
            }
            let (hex, listed) = line.split_once(char::is_whitespace)?;
            let listed = listed.trim_start();
            let listed = listed.strip_prefix('*').unwrap_or(listed);
            (base(listed) == name).then(|| Self::of_length(hex).ok())?
        });
        let only = || lines().next().filter(|_| lines().count() == 1);
        found.or_else(|| Self::of_length(only()?).ok())
    }

    /// Hashes a file; the digest in hexadecimal digits. Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn hash(&self, path: &Path) -> io::Result<String> {
        let file = File::open(path)?;
        match self.kind {
            Kind::Md5 => hash::<Md5>(file),
            Kind::Sha1 => hash::<Sha1>(file),
            Kind::Sha256 => hash::<Sha256>(file),
            Kind::Sha512 => hash::<Sha512>(file),
        }
    }

    /// The digest in lower-case digits.
    pub fn hex(&self) -> &str {
        &self.hex
    }
}

fn hash<D: Digest>(mut file: File) -> io::Result<String> {
    let mut hash = D::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    let digits = hash.finalize();
    let nibbles = digits.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    Ok(nibbles
        .filter_map(|nibble| char::from_digit(nibble.into(), 16))
        .collect())
}

impl fmt::Display for ModuleChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = KINDS.iter().find(|(kind, _, _)| *kind == self.kind);
        write!(f, "{}:{}", name.map_or("", |(_, name, _)| name), self.hex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA1: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

    #[test]
    fn kinds_are_told_by_name_or_length() {
        let digest = |text: &str| ChecksumSource::parse(text);
        let expected = Ok(ChecksumSource::Digest(ModuleChecksum {
            kind: Kind::Sha1,
            hex: SHA1.to_owned(),
        }));
        assert_eq!(digest(SHA1), expected);
        assert_eq!(digest(&format!("SHA1:{}", SHA1.to_uppercase())), expected);
        assert_eq!(
            digest("file:http://h/s"),
            Ok(ChecksumSource::File("http://h/s".to_owned()))
        );
        assert!(matches!(
            digest("crc32:00"),
            Err(ChecksumTextError::Kind(_))
        ));
        for text in ["abc", "sha1:abc", "sha256:", ""] {
            assert!(
                matches!(digest(text), Err(ChecksumTextError::Digits(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn files_of_checksums_are_read_by_name() {
        for sums in [
            format!("{SHA1}  dir/a.zip\n"),
            format!("x\n{SHA1} *a.zip\n"),
            format!("SHA1 (a.zip) = {SHA1}\n"),
            format!("{SHA1}\n"),
        ] {
            assert_eq!(
                ModuleChecksum::find(&sums, "a.zip").unwrap().hex(),
                SHA1,
                "{sums}"
            );
        }
        assert_eq!(
            ModuleChecksum::find(&format!("{SHA1}  b.zip\n"), "a.zip"),
            None
        );
    }

    #[test]
    fn an_empty_file_has_the_digest_of_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let checksum = ModuleChecksum::of_length(SHA1).unwrap();
        assert_eq!(checksum.hash(file.path()).unwrap(), SHA1);
    }
}

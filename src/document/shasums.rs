//! SHA256SUMS documents: the signed list of a version's archives (facts/providers 3.2, 3.3).
//!
//! The document comes from strangers and is read before its signature is checked. Known attacks, and
//! the answers:
//!
//! - Two lines for one file, one good and one bad: the first decides, as for the tools, so nobody sees
//!   another answer than they do.
//! - A name that only looks like the wanted one (`*name`, `./name`, other case): names compare byte by
//!   byte and are never used as paths.
//! - Lines of another shape among good ones, to smuggle in hashes: then the list as a whole yields no
//!   hashes.
//! - A blank line, which crashes the tools: it is skipped.
//! - A line over 64 KiB, at which the tools stop reading in silence: it counts as a line of another shape.

use std::collections::BTreeMap;
use std::str;

use crate::failure::{ExitCode, Failure};
use crate::hash::{PackageHash, Sha256Digest};

const LONGEST_LINE: usize = 64 * 1024;

/// A parsed SHA256SUMS document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shasums {
    lines: Vec<Line>,
}

/// One line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    /// The first field as a digest, or as it stands.
    digest: Result<Sha256Digest, String>,
    /// The second field.
    filename: Option<Vec<u8>>,
    is_too_long: bool,
}

impl Shasums {
    /// Reads a document. Every text is one: what is wrong with a line shows when it is asked for.
    ///
    /// Fields are split at runs of blanks, so that tabs, carriage returns, further columns and a
    /// missing final newline do no harm.
    pub fn parse(document: &[u8]) -> Self {
        let lines = document
            .split(|byte| *byte == b'\n')
            .filter_map(Line::parse)
            .collect();
        Self { lines }
    }

    /// The digest that the document has for `filename`: that of the first line with this very name.
    ///
    /// # Errors
    ///
    /// Fails if no line has the name, or if the line that has it begins with no digest.
    pub fn digest_of(&self, filename: &str) -> Result<Sha256Digest, ShasumsError> {
        let is_wanted = |line: &&Line| line.filename.as_deref() == Some(filename.as_bytes());
        let Some(line) = self.lines.iter().find(is_wanted) else {
            return Err(ShasumsError::NotListed {
                filename: filename.to_owned(),
            });
        };
        line.digest.clone().map_err(|text| ShasumsError::NoDigest {
            filename: filename.to_owned(),
            text,
        })
    }

    /// The digests of all files, by name, as [`Self::digest_of`] finds them.
    pub fn digests(&self) -> BTreeMap<&[u8], Sha256Digest> {
        let mut first_lines = BTreeMap::new();
        for line in &self.lines {
            if let Some(name) = &line.filename {
                first_lines.entry(name.as_slice()).or_insert(&line.digest);
            }
        }
        let digests = first_lines.into_iter();
        digests
            .filter_map(|(name, digest)| Some((name, *digest.as_ref().ok()?)))
            .collect()
    }

    /// The `zh:` hashes of all lines, whatever their file names, in the document's order; `None` if any
    /// line has another shape, for then the list as a whole is not trusted (facts 3.3).
    pub fn package_hashes(&self) -> Option<Vec<PackageHash>> {
        self.lines.iter().map(Line::package_hash).collect()
    }
}

impl Line {
    /// Splits a line into fields; `None` for a blank one.
    fn parse(line: &[u8]) -> Option<Self> {
        let mut fields = line
            .split(|byte| is_blank(*byte))
            .filter(|field| !field.is_empty());
        let first = fields.next()?;
        let digest = str::from_utf8(first)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| shorten(&String::from_utf8_lossy(first)));
        Some(Self {
            digest,
            filename: fields.next().map(<[u8]>::to_vec),
            is_too_long: line.len() > LONGEST_LINE,
        })
    }

    fn package_hash(&self) -> Option<PackageHash> {
        match (&self.digest, &self.filename) {
            (Ok(digest), Some(_)) if !self.is_too_long => Some(PackageHash::zh(*digest)),
            _ => None,
        }
    }
}

/// The blanks that separate fields; a newline has separated lines before.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

/// Keeps messages readable whatever stands in the place of a digest.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Why a document vouches for no digest of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShasumsError {
    /// No line has the file name.
    #[error("the SHA256SUMS document does not list `{filename}`")]
    NotListed {
        /// The name that was looked for.
        filename: String,
    },
    /// The line of the file begins with something else than a digest.
    #[error("the SHA256SUMS document has `{text}` for `{filename}`, which is no SHA-256 digest")]
    NoDigest {
        /// The name that was looked for.
        filename: String,
        /// What stands in the place of the digest, shortened.
        text: String,
    },
}

impl Failure for ShasumsError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Verification
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "71b8d997a1e5253c03a5ded749434bac74dce505c5e58da43d56efc29d2dd9eb";
    const TWO: &str = "910ffa97533fd464030d1af10311d1f027f3249f992d3925010c3f9cefa63a49";

    fn shasums(text: &str) -> Shasums {
        Shasums::parse(text.as_bytes())
    }

    #[test]
    fn first_of_two_lines_for_one_file_decides() {
        let document = shasums(&format!("{ONE}  a.zip\n{TWO}  a.zip\n"));
        assert_eq!(document.digest_of("a.zip"), Ok(ONE.parse().unwrap()));
        let first = [(&b"a.zip"[..], ONE.parse().unwrap())];
        assert_eq!(document.digests(), first.into_iter().collect());
    }

    #[test]
    fn names_that_only_look_alike_do_not_count() {
        let document = shasums(&format!(
            "{ONE} *a.zip\n{ONE}  ./a.zip\n{ONE}  A.zip\n{ONE}  a.zip.sig\n"
        ));
        let error = document.digest_of("a.zip").unwrap_err();
        let message = "the SHA256SUMS document does not list `a.zip`";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn one_line_of_another_shape_takes_all_hashes_away() {
        let good = format!("{ONE}  a.zip\n");
        assert_eq!(
            shasums(&good).package_hashes().map(|hashes| hashes.len()),
            Some(1)
        );
        for bad in ["# comment", "abcd b.zip", ONE, &format!("{TWO}0 b.zip")] {
            let document = shasums(&format!("{good}{bad}\n"));
            assert_eq!(document.package_hashes(), None, "{bad}");
            assert!(document.digest_of("a.zip").is_ok(), "{bad}");
        }
    }

    #[test]
    fn blank_lines_are_skipped() {
        let document = shasums(&format!("\n{ONE}  a.zip\r\n \t\r\n\n{TWO}\tb.zip"));
        let hashes = document.package_hashes().unwrap();
        let texts: Vec<&str> = hashes.iter().map(PackageHash::as_str).collect();
        assert_eq!(texts, [format!("zh:{ONE}"), format!("zh:{TWO}")]);
        assert_eq!(shasums("").package_hashes(), Some(Vec::new()));
    }

    #[test]
    fn overlong_line_takes_all_hashes_away() {
        let document = shasums(&format!("{ONE}  a.zip{}\n", " x".repeat(LONGEST_LINE)));
        assert_eq!(document.package_hashes(), None);
        assert!(document.digest_of("a.zip").is_ok());
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_in_short() {
        let mut document = vec![0xff; 10_000];
        document.extend_from_slice(b"  a.zip\n");
        let error = Shasums::parse(&document).digest_of("a.zip").unwrap_err();
        assert!(error.to_string().len() < 500, "{error}");
    }
}

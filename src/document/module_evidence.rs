//! What a mirror knows of a module's package: where it came from, what it was there, and what is kept of it.
//!
//! Hostile input: mirrors may be shared. Sizes are capped by the reader; values are parsed into types; members
//! of later versions survive a rewrite.

use serde_json::Value;

use super::json::{self, JsonDocumentError, Members, Object};
use crate::document::{CommitId, PackageIdentity};
use crate::hash::Sha256Digest;

/// The major number is that of readers that understand the document.
const FORMAT_VERSION: &str = "1.0";

/// The evidence of one package: a module of a registry, an archive, a repository.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModuleEvidence {
    /// The sources as the far side asks for them, without secrets.
    pub sources: Vec<String>,
    /// The digest of the URL that is asked, for archives: `sources` hide values that may be secrets.
    pub asked: Option<Sha256Digest>,
    /// What the origin's package was; `None` for repositories, which have many commits.
    pub identity: Option<PackageIdentity>,
    /// The file that is kept, for modules and archives.
    pub file: Option<KeptFile>,
    /// What a registry answers to `download`, for modules.
    pub location: Option<String>,
    rest: Members,
}

/// A file as it was when it was put into the mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptFile {
    /// Its digest.
    pub sha256: Sha256Digest,
    /// Its size in bytes.
    pub size: u64,
}

impl ModuleEvidence {
    /// The evidence of a package that came from `source`.
    pub fn of(source: String) -> Self {
        Self {
            sources: vec![source],
            ..Self::default()
        }
    }

    /// Reads a document.
    ///
    /// # Errors
    ///
    /// If it is not JSON of this shape, or of a later major format.
    pub fn parse(document: &[u8]) -> Result<Self, JsonDocumentError> {
        let mut object = Object::parse(document)?;
        let found = object.take_required_text("format_version")?;
        if found.split('.').next() != FORMAT_VERSION.split('.').next() {
            return Err(JsonDocumentError::FormatVersion { found });
        }
        let sources = object.take_texts("sources")?;
        let asked = parsed::<Sha256Digest>(&mut object, "asked")?;
        let commit = parsed::<CommitId>(&mut object, "commit")?;
        let archive = parsed::<Sha256Digest>(&mut object, "archive")?;
        let kept = parsed::<Sha256Digest>(&mut object, "sha256")?;
        let file = match kept {
            None => None,
            Some(sha256) => Some(KeptFile {
                sha256,
                size: object.take_required_number("size")?,
            }),
        };
        let commit = commit.map(PackageIdentity::Commit);
        Ok(Self {
            sources,
            asked,
            identity: commit.or(archive.map(PackageIdentity::Archive)),
            file,
            location: object.take_text("location")?,
            rest: object.rest(),
        })
    }

    /// Prints the document.
    pub fn render(&self) -> String {
        let mut members = self.rest.clone();
        let mut insert = |key: &str, value: Value| members.insert(key.to_owned(), value);
        insert("format_version", FORMAT_VERSION.into());
        insert("sources", self.sources.as_slice().into());
        if let Some(asked) = self.asked {
            insert("asked", asked.to_string().into());
        }
        match &self.identity {
            Some(PackageIdentity::Commit(commit)) => {
                insert("commit", commit.to_string().into());
            }
            Some(PackageIdentity::Archive(digest)) => {
                insert("archive", digest.to_string().into());
            }
            Some(PackageIdentity::Directory) | None => {}
        }
        if let Some(file) = self.file {
            insert("sha256", file.sha256.to_string().into());
            insert("size", file.size.into());
        }
        if let Some(location) = &self.location {
            insert("location", location.as_str().into());
        }
        json::render(members)
    }

    /// Adds a source of the same package; `false` if it is known.
    pub fn add_source(&mut self, source: &str) -> bool {
        let is_new = !self.sources.iter().any(|known| known == source);
        if is_new {
            self.sources.push(source.to_owned());
            self.sources.sort_unstable();
        }
        is_new
    }
}

fn parsed<T>(object: &mut Object, key: &str) -> Result<Option<T>, JsonDocumentError>
where
    T: std::str::FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text = object.take_text(key)?;
    let value = text.map(|text| text.parse()).transpose();
    value.map_err(|error| object.invalid(key, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_survives_a_rewrite() {
        let digest = "0a".repeat(32);
        for text in [
            format!(
                "{{\n  \"archive\": \"{digest}\",\n  \"asked\": \"{digest}\",\n  \"format_version\": \"1.0\",\n  \"later\": [\n    1\n  ],\n  \"location\": \"./module.zip\",\n  \"sha256\": \"{digest}\",\n  \"size\": 3,\n  \"sources\": [\n    \"x\"\n  ]\n}}"
            ),
            format!(
                "{{\n  \"commit\": \"{}\",\n  \"format_version\": \"1.0\",\n  \"sources\": []\n}}",
                "0a".repeat(20)
            ),
        ] {
            let evidence = ModuleEvidence::parse(text.as_bytes()).unwrap();
            assert_eq!(evidence.render(), text);
        }
    }

    #[test]
    fn refuses_other_formats_and_values() {
        for text in [
            "{}",
            "{\"format_version\":\"2.0\"}",
            "{\"format_version\":\"1.0\",\"sha256\":\"x\"}",
            "{\"format_version\":\"1.0\",\"commit\":\"main\"}",
            "{\"format_version\":\"1.0\",\"sources\":[1]}",
        ] {
            assert!(ModuleEvidence::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_source_is_added_once() {
        let mut evidence = ModuleEvidence::of("b".to_owned());
        assert!(evidence.add_source("a"));
        assert!(!evidence.add_source("b"));
        assert_eq!(evidence.sources, ["a", "b"]);
    }
}

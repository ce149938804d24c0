//! The record of installed modules, `modules.json` (facts/modules 3.2).
//!
//! It is written byte for byte as the tools write it, and read as they read it: keys match in any case, unknown
//! ones are ignored, sources are normalised again, versions too.
//!
//! Whoever wrote the file decides which directories are taken for modules; whoever reads it caps its size first.
//! A repeated key, bad JSON and a bad version are errors, as for the tools. Directories are the reader's
//! to check.

use std::collections::BTreeMap;

use crate::address::{ModuleSource, Tool, clean_path};
use crate::document::{JsonError, Node};
use crate::failure::{ExitCode, Failure};
use crate::version::{ModuleConstraints, ModuleVersion, ModuleVersionError};

/// The file's name in the directory of installed modules.
pub const MODULES_MANIFEST_NAME: &str = "modules.json";

/// All records, in the order in which they are written: bytewise by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModulesManifest {
    /// By key: call names from the root joined with `.`; the root's own is empty.
    pub records: BTreeMap<String, ModuleRecord>,
}

/// Where one module of the tree is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleRecord {
    /// The source in its normal form; empty for the root.
    pub source: String,
    /// The version, for modules of registries.
    pub version: Option<ModuleVersion>,
    /// The directory with `/`, relative to the root module's or absolute.
    pub dir: String,
}

impl ModuleRecord {
    /// The record that the root always has.
    pub fn root() -> Self {
        Self {
            source: String::new(),
            version: None,
            dir: ".".to_owned(),
        }
    }
}

impl ModuleRecord {
    /// Whether the record is of a module that a call of `source` with these constraints wants (facts 3.3).
    pub fn serves(&self, source: &ModuleSource, constraints: Option<&ModuleConstraints>) -> bool {
        let is_admitted = |version: &ModuleVersion| {
            constraints.is_none_or(|constraints| constraints.admits(version))
        };
        self.source == source.to_string() && self.version.as_ref().is_none_or(is_admitted)
    }

    fn render(&self, key: &str) -> String {
        let version = match &self.version {
            Some(version) => format!(",\"Version\":{}", quoted(&version.to_string())),
            None => String::new(),
        };
        let (key, source, dir) = (quoted(key), quoted(&self.source), quoted(&self.dir));
        format!("{{\"Key\":{key},\"Source\":{source}{version},\"Dir\":{dir}}}")
    }
}

impl ModulesManifest {
    /// Reads the file's bytes; none at all are an empty manifest.
    ///
    /// # Errors
    ///
    /// If they are not JSON of the known shape, a key is there twice, or a version is none.
    pub fn parse(bytes: &[u8], tool: Tool) -> Result<Self, ModulesManifestError> {
        let mut records = BTreeMap::new();
        if bytes.is_empty() {
            return Ok(Self { records });
        }
        for node in Node::only(bytes)?.elements("Modules")? {
            let key = node.text("Key")?;
            let record = record(&node, &key, tool)?;
            if records.insert(key.clone(), record).is_some() {
                return Err(ModulesManifestError::Repeated(key));
            }
        }
        Ok(Self { records })
    }

    /// The bytes of the file: one line without a line break at its end.
    pub fn render(&self) -> String {
        let mut text = String::from("{\"Modules\":[");
        for (index, (key, record)) in self.records.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text += &record.render(key);
        }
        text + "]}"
    }

    /// Drops the record of `key` and all below it.
    pub fn forget(&mut self, key: &str) {
        let below = format!("{key}.");
        self.records
            .retain(|other, _| other != key && !other.starts_with(&below));
    }
}

fn record(node: &Node<'_>, key: &str, tool: Tool) -> Result<ModuleRecord, ModulesManifestError> {
    let source = node.text("Source")?;
    let version = node.text("Version")?;
    let version = (!version.is_empty()).then(|| version.parse());
    let version = version
        .transpose()
        .map_err(|source| ModulesManifestError::Version {
            key: key.to_owned(),
            source,
        })?;
    Ok(ModuleRecord {
        // A source that is none stays as it is: no call can be equal to it.
        source: ModuleSource::parse(&source, tool).map_or(source, |source| source.to_string()),
        version,
        dir: clean_path(&node.text("Dir")?),
    })
}

/// A string as Go's JSON encoder writes it: control characters and what HTML minds as `\u00XX`.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '&' | '<' | '>' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                quoted.extend(format!("\\u{:04x}", u32::from(c)).chars());
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Why bytes are no record of installed modules.
#[derive(Debug, thiserror::Error)]
pub enum ModulesManifestError {
    /// Not JSON of the known shape.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The same key twice.
    #[error("the module `{0}` is recorded twice")]
    Repeated(String),
    /// A version that is none.
    #[error("the module `{key}` is recorded with a bad version")]
    Version {
        /// The key of the record.
        key: String,
        /// What is wrong with the version.
        source: ModuleVersionError,
    },
}

impl Failure for ModulesManifestError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        vec!["delete the file: it is written anew from the configuration".to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ModulesManifest, ModulesManifestError> {
        ModulesManifest::parse(text.as_bytes(), Tool::Terraform)
    }

    #[test]
    fn bytes_are_those_of_the_tools() {
        let text = "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},\
            {\"Key\":\"B\",\"Source\":\"https://example.com/a.zip?x=1\\u0026y=\\u003cé\\u003e\",\"Dir\":\".terraform/modules/B\"},\
            {\"Key\":\"a\",\"Source\":\"registry.terraform.io/a/b/c\",\"Version\":\"1.2.3\",\"Dir\":\".terraform/modules/a\"}]}";
        assert_eq!(parse(text).unwrap().render(), text);
        assert_eq!(ModulesManifest::default().render(), "{\"Modules\":[]}");
    }

    #[test]
    fn what_is_read_is_normalised() {
        let text = "{\"x\":1,\"modules\":[{\"key\":\"m\",\"SOURCE\":\"hashicorp/a/b\",\"version\":\"v1.5\",\"dir\":\"./x//y/\"}]}";
        let manifest = parse(text).unwrap();
        let record = &manifest.records["m"];
        assert_eq!(record.source, "registry.terraform.io/hashicorp/a/b");
        assert_eq!(record.version.as_ref().unwrap().to_string(), "1.5.0");
        assert_eq!(record.dir, "x/y");
    }

    #[test]
    fn refuses_repeated_keys_bad_versions_and_other_shapes() {
        for text in [
            "nope",
            "{\"Modules\":[{\"Key\":\"a\"},{\"Key\":\"a\"}]}",
            "{\"Modules\":[{\"Key\":\"a\",\"Version\":\"banana\"}]}",
            "{\"Modules\":[{\"Key\":1}]}",
            "{\"Modules\":{}}",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(parse("").unwrap(), ModulesManifest::default());
    }

    #[test]
    fn a_module_is_forgotten_with_all_below_it() {
        let text = "{\"Modules\":[{\"Key\":\"a\"},{\"Key\":\"a.b\"},{\"Key\":\"ab\"}]}";
        let mut manifest = parse(text).unwrap();
        manifest.forget("a");
        assert_eq!(manifest.records.keys().collect::<Vec<_>>(), ["ab"]);
    }
}

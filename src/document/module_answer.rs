//! The two answers of the module registry protocol: `versions` and `download` (facts/modules 2.2, 2.3).
//!
//! Hostile input: sizes are capped by the reader, types are checked by [`super::go_json`]; a version that does
//! not parse is skipped and told; a location is only a text here, which the client judges.

use crate::document::{JsonError, Node};
use crate::version::ModuleVersion;

/// How many version texts to warn of are kept.
const KEPT_WORDS: usize = 5;

/// The answer to `NAMESPACE/NAME/SYSTEM/versions`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleVersionsAnswer {
    /// In the order listed: among versions of equal precedence the first is chosen.
    pub versions: Vec<ModuleVersion>,
    /// The first few version texts that do not parse, as received.
    pub unparsable: Vec<String>,
}

impl ModuleVersionsAnswer {
    /// Reads the answer's body: the first JSON value, of which only the first module counts; `None` if
    /// there is none.
    ///
    /// # Errors
    ///
    /// If it is not JSON of the documented types.
    pub fn parse(body: &[u8]) -> Result<Option<Self>, JsonError> {
        let Some(module) = Node::first(body)?.elements("modules")?.next() else {
            return Ok(None);
        };
        let mut answer = Self::default();
        for entry in module.elements("versions")? {
            let text = entry.text("version")?;
            match text.parse() {
                Ok(version) => answer.versions.push(version),
                Err(_) if answer.unparsable.len() < KEPT_WORDS => answer.unparsable.push(text),
                Err(_) => {}
            }
        }
        Ok(Some(answer))
    }
}

/// The body of a 200 answer to `VERSION/download`, which OpenTofu reads and Terraform does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleDownloadAnswer {
    /// Where the package is; empty if only the header says so.
    pub location: String,
    /// `use_registry_credentials`: the location is fetched directly, with the host's token if true
    /// (facts/modules 2.4).
    pub direct: Option<bool>,
}

impl ModuleDownloadAnswer {
    /// Reads the body.
    ///
    /// # Errors
    ///
    /// If it is not JSON of the documented types.
    pub fn parse(body: &[u8]) -> Result<Self, JsonError> {
        let root = Node::first(body)?;
        let direct = match root.member("use_registry_credentials")? {
            Some(node) => {
                let value = node.as_value()?.as_bool();
                Some(value.ok_or_else(|| node.wrong("true or false"))?)
            }
            None => None,
        };
        Ok(Self {
            location: root.text("location")?,
            direct,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_module_and_the_first_value_count() {
        let body = b"{\"modules\":[{\"versions\":[{\"version\":\"v1.0\"},{\"version\":\"x\"}]},{\"versions\":1}]} trailing";
        let answer = ModuleVersionsAnswer::parse(body).unwrap().unwrap();
        assert_eq!(answer.versions[0].to_string(), "1.0.0");
        assert_eq!(answer.unparsable, ["x"]);
        assert_eq!(
            ModuleVersionsAnswer::parse(b"{\"modules\":[]}").unwrap(),
            None
        );
        assert!(ModuleVersionsAnswer::parse(b"\xef\xbb\xbf{}").is_err());
    }

    #[test]
    fn the_download_body_may_ask_for_the_direct_way() {
        let parse = |body: &str| ModuleDownloadAnswer::parse(body.as_bytes());
        assert_eq!(parse("{}").unwrap(), ModuleDownloadAnswer::default());
        let direct = parse("{\"location\":\"x\",\"use_registry_credentials\":true}").unwrap();
        assert_eq!((direct.location.as_str(), direct.direct), ("x", Some(true)));
        for body in [
            "",
            "<html>",
            "{\"location\":1}",
            "{\"use_registry_credentials\":\"x\"}",
        ] {
            assert!(parse(body).is_err(), "{body}");
        }
    }
}

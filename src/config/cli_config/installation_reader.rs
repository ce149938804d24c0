//! From the HCL 1 tree to `provider_installation` (facts/providers 9.3 to 9.6).
//!
//! Unlike for other settings, a mistake here drops only the method it is in. Names of methods are
//! matched literally, names of arguments without regard to case, as the tools do. JSON needs care: of an object whose
//! members are all objects the tools make labels, so that methods in it have to be lists of objects.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use url::Url;

use super::expansion::expand_strictly;
use super::installation::{InstallationMethod, MethodKind, ProviderInstallation};
use super::installation_problem::InstallationProblem;
use super::setting::{NotHonoured, Place};
use super::typed::{expected, text};
use super::warning::{CliConfigProblem, CliConfigWarning};
use crate::address::{ProviderAddr, ProviderAddrError, ProviderPattern, ProviderSource, Tool};
use crate::config::Environment;
use crate::document::hcl1::{Body, Item, Position, Value, ValueKind};
use crate::secret::ShownUrl;

/// The flavour of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Blocks and `=`.
    Native,
    /// JSON.
    Json,
}

/// Reads the blocks of one file.
pub(super) struct InstallationReader<'f> {
    pub(super) file: &'f Path,
    pub(super) tool: Tool,
    pub(super) environment: &'f Environment,
    pub(super) syntax: Syntax,
    pub(super) warnings: Vec<CliConfigWarning>,
    pub(super) not_honoured: Vec<NotHonoured>,
}

/// The arguments of one method.
struct Arguments<'b> {
    method: &'b str,
    body: &'b Body,
}

impl InstallationReader<'_> {
    /// The blocks that one item stands for: one, or in JSON as many as its list has objects.
    pub(super) fn blocks(&mut self, item: &Item) -> Vec<ProviderInstallation> {
        let name = "provider_installation";
        if self.syntax == Syntax::Native {
            if item.assigned {
                self.warn(item.position(), InstallationProblem::NoBlock(name.into()));
                return Vec::new();
            }
            if item.keys.len() > 1 {
                self.warn(item.position(), InstallationProblem::Labelled(name.into()));
            }
        }
        let Some(bodies) = bodies(&item.value) else {
            self.warn(item.position(), InstallationProblem::NoBlock(name.into()));
            return Vec::new();
        };
        let read = |body| self.block(item.position(), body);
        bodies.into_iter().map(read).collect()
    }

    fn block(&mut self, position: Position, body: &Body) -> ProviderInstallation {
        let mut block = ProviderInstallation {
            methods: Vec::new(),
            dev_overrides: BTreeMap::new(),
            place: self.place(position),
        };
        let is_object = |item: &Item| item.value.kind.as_object().is_some();
        let has_items = !body.items.is_empty();
        if self.syntax == Syntax::Json && has_items && body.items.iter().all(is_object) {
            self.warn(position, InstallationProblem::MisreadJson);
            return block;
        }
        for item in &body.items {
            self.item(item, &mut block);
        }
        block
    }

    fn item(&mut self, item: &Item, block: &mut ProviderInstallation) {
        let name = item.keys[0].text.as_str();
        let is_assigned = self.syntax == Syntax::Native && item.assigned;
        let bodies = match self.syntax {
            Syntax::Native => item.value.kind.as_object().map(|body| vec![body]),
            Syntax::Json => bodies(&item.value),
        };
        let Some(bodies) = bodies.filter(|_| !is_assigned) else {
            self.warn(item.position(), InstallationProblem::NoBlock(name.into()));
            return;
        };
        if item.keys.len() > 1 {
            self.warn(item.position(), InstallationProblem::Labelled(name.into()));
        }
        for body in bodies {
            if name == "dev_overrides" {
                self.dev_overrides(item.position(), body, block);
                continue;
            }
            match self.method(name, item.position(), body) {
                Ok(method) => block.methods.push(method),
                Err(problem) => self.warn(item.position(), problem),
            }
        }
    }

    fn method(
        &mut self,
        name: &str,
        position: Position,
        body: &Body,
    ) -> Result<InstallationMethod, InstallationProblem> {
        let arguments = Arguments { method: name, body };
        let (kind, own): (MethodKind, &[&str]) = match (name, self.tool) {
            ("direct", _) => (MethodKind::Direct, &["download_retry_count"]),
            ("filesystem_mirror", _) => (
                MethodKind::FilesystemMirror {
                    path: arguments
                        .text("path")?
                        .ok_or(InstallationProblem::NoPath)?
                        .into(),
                },
                &["path"],
            ),
            ("network_mirror", tool) => (
                MethodKind::NetworkMirror {
                    url: https_url(arguments.text("url")?.ok_or(InstallationProblem::NoUrl)?)?,
                    trust_all_hashes: tool == Tool::Tofu
                        && arguments.boolean("trust_all_hashes")?.unwrap_or_default(),
                },
                &["url", "trust_all_hashes", "download_retry_count"],
            ),
            ("oci_mirror", Tool::Tofu) => (
                MethodKind::OciMirror {
                    repository_template: arguments
                        .text("repository_template")?
                        .ok_or(InstallationProblem::NoTemplate)?
                        .to_owned(),
                },
                &["repository_template"],
            ),
            (unknown, _) => return Err(InstallationProblem::UnknownMethod(unknown.to_owned())),
        };
        let method = InstallationMethod {
            kind,
            include: self.patterns(&arguments, "include")?,
            exclude: self.patterns(&arguments, "exclude")?,
            place: self.place(position),
        };
        self.tell_ignored(&arguments, own);
        Ok(method)
    }

    /// Arguments that the tool ignores in silence, and one that this program does not follow.
    fn tell_ignored(&mut self, arguments: &Arguments<'_>, own: &[&str]) {
        for item in &arguments.body.items {
            let name = item.keys[0].text.to_ascii_lowercase();
            let is_known = own.contains(&name.as_str());
            let is_of_tofu = matches!(name.as_str(), "trust_all_hashes" | "download_retry_count");
            if name == "download_retry_count" && is_known && self.tool == Tool::Tofu {
                let place = self.place(item.position());
                let name = "download_retry_count";
                self.not_honoured.push(NotHonoured { name, place });
            } else if !matches!(name.as_str(), "include" | "exclude")
                && (!is_known || (is_of_tofu && self.tool == Tool::Terraform))
            {
                let problem = InstallationProblem::UnknownArgument {
                    method: arguments.method.to_owned(),
                    name: item.keys[0].text.clone(),
                };
                self.warn(item.position(), problem);
            }
        }
    }

    fn patterns(
        &self,
        arguments: &Arguments<'_>,
        name: &str,
    ) -> Result<Vec<ProviderPattern>, InstallationProblem> {
        let texts = arguments.texts(name)?.into_iter();
        let parse = |text| ProviderPattern::parse(text, self.tool);
        let patterns = texts.map(parse).collect::<Result<_, _>>();
        patterns.map_err(|problem| InstallationProblem::Pattern {
            method: arguments.method.to_owned(),
            problem,
        })
    }

    fn dev_overrides(&mut self, position: Position, body: &Body, block: &mut ProviderInstallation) {
        if !block.methods.is_empty() {
            return self.warn(position, InstallationProblem::OverridesNotFirst);
        }
        let not_text = |item: &&Item| item.keys.len() > 1 || text(&item.value).is_none();
        if let Some(item) = body.items.iter().find(not_text) {
            let problem = InstallationProblem::Type {
                method: "dev_overrides".to_owned(),
                message: expected(&item.keys[0].text, "a string", &item.value),
            };
            return self.warn(item.position(), problem);
        }
        for item in &body.items {
            let path = text(&item.value).unwrap_or_default();
            match self.dev_override(&item.keys[0].text, path) {
                Ok((addr, path)) => _ = block.dev_overrides.insert(addr, path),
                Err(problem) => self.warn(item.position(), problem),
            }
        }
    }

    fn dev_override(
        &self,
        address: &str,
        path: &str,
    ) -> Result<(ProviderAddr, PathBuf), InstallationProblem> {
        let source = ProviderSource::parse(address, self.tool);
        let addr = match source.map_err(InstallationProblem::OverriddenAddress)? {
            ProviderSource::Installable(addr) => addr,
            ProviderSource::BuiltIn(address) => {
                return Err(InstallationProblem::OverriddenAddress(
                    ProviderAddrError::BuiltIn(address),
                ));
            }
            ProviderSource::Legacy(address) => {
                return Err(InstallationProblem::OverriddenAddress(
                    ProviderAddrError::Legacy(address),
                ));
            }
        };
        let expanded = expand_strictly(path, self.environment);
        let expanded = expanded.map_err(|variable| InstallationProblem::UnsetVariable {
            path: path.to_owned(),
            variable,
        })?;
        Ok((addr, clean(Path::new(&expanded))))
    }

    fn place(&self, position: Position) -> Place {
        Place {
            file: self.file.to_owned(),
            position,
        }
    }

    fn warn(&mut self, position: Position, problem: InstallationProblem) {
        self.warnings.push(CliConfigWarning {
            file: self.file.to_owned(),
            position: Some(position),
            problem: CliConfigProblem::Installation(problem),
        });
    }
}

impl<'b> Arguments<'b> {
    /// The last value of an argument; null counts as none.
    fn value(&self, name: &str) -> Option<&'b Value> {
        let named = |item: &&Item| item.keys[0].text.eq_ignore_ascii_case(name);
        let value = self.body.items.iter().rfind(named).map(|item| &item.value);
        value.filter(|value| value.kind != ValueKind::Null)
    }

    /// A string; an empty one counts as none.
    fn text(&self, name: &str) -> Result<Option<&'b str>, InstallationProblem> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        let found = text(value).ok_or_else(|| self.wrong(name, "a string", value))?;
        Ok(Some(found).filter(|text| !text.is_empty()))
    }

    fn boolean(&self, name: &str) -> Result<Option<bool>, InstallationProblem> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        if let ValueKind::Bool(found) = value.kind {
            return Ok(Some(found));
        }
        Err(self.wrong(name, "`true` or `false`", value))
    }

    fn texts(&self, name: &str) -> Result<Vec<&'b str>, InstallationProblem> {
        let Some(value) = self.value(name) else {
            return Ok(Vec::new());
        };
        let wrong = || self.wrong(name, "a list of strings", value);
        let values = value.kind.as_list().ok_or_else(wrong)?;
        let texts = values.iter().map(|value| text(value).ok_or_else(wrong));
        texts.collect()
    }

    fn wrong(&self, name: &str, what: &str, value: &Value) -> InstallationProblem {
        InstallationProblem::Type {
            method: self.method.to_owned(),
            message: expected(name, what, value),
        }
    }
}

/// An object, or a list of objects.
fn bodies(value: &Value) -> Option<Vec<&Body>> {
    match value.kind.as_list() {
        None => Some(vec![value.kind.as_object()?]),
        Some(values) => values.iter().map(|value| value.kind.as_object()).collect(),
    }
}

fn https_url(text: &str) -> Result<Url, InstallationProblem> {
    let url = Url::parse(text).ok();
    let fit = |url: &Url| url.scheme() == "https" && url.has_host() && text.contains("://");
    match url {
        Some(url) if fit(&url) => Ok(url),
        Some(url) => Err(InstallationProblem::NotHttps {
            url: ShownUrl::of(&url).to_string(),
        }),
        None => Err(InstallationProblem::NotHttps {
            url: text.chars().take(200).collect(),
        }),
    }
}

/// The shortest path with the same meaning, without looking at the disk.
fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(cleaned.components().next_back(), Some(Component::Normal(_))) =>
            {
                cleaned.pop();
            }
            Component::ParentDir if cleaned.has_root() => {}
            Component::ParentDir
            | Component::Normal(_)
            | Component::RootDir
            | Component::Prefix(_) => cleaned.push(component),
        }
    }
    if cleaned.as_os_str().is_empty() {
        cleaned.push(".");
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CliConfig;

    fn load(tool: Tool, text: &str) -> CliConfig {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(".terraformrc"), text).unwrap();
        let environment = Environment::default();
        CliConfig::load(tool, &environment, Some(home.path()), home.path())
    }

    fn methods(config: &CliConfig) -> Vec<String> {
        let blocks = config.provider_installations.iter();
        let methods = blocks.flat_map(|block| &block.methods);
        methods.map(|method| method.kind.to_string()).collect()
    }

    fn warnings(config: &CliConfig) -> Vec<String> {
        let problems = config.warnings.iter().map(|warning| &warning.problem);
        problems.map(ToString::to_string).collect()
    }

    #[test]
    fn json_methods_are_lists_of_objects() {
        let text = r#"{"provider_installation": {"filesystem_mirror": [{"path": "/a"}, {"path": "/b"}], "direct": [{}]}}"#;
        let config = load(Tool::Terraform, text);
        let expected = [
            "`filesystem_mirror` of `/a`",
            "`filesystem_mirror` of `/b`",
            "`direct`",
        ];
        assert_eq!(methods(&config), expected);
        assert_eq!(config.warnings, []);
        let text = r#"{"provider_installation": {"filesystem_mirror": {"path": "/a"}}}"#;
        let config = load(Tool::Terraform, text);
        assert_eq!(methods(&config), [""; 0]);
        assert!(warnings(&config)[0].contains("list of objects"));
        assert_eq!(config.provider_installations.len(), 1);
    }

    #[test]
    fn labels_are_told_and_ignored() {
        let text = "provider_installation \"x\" {\n  direct \"y\" {\n  }\n}\n";
        let config = load(Tool::Terraform, text);
        assert_eq!(methods(&config), ["`direct`"]);
        assert_eq!(config.warnings.len(), 2);
    }

    #[test]
    fn names_of_methods_are_literal_and_those_of_arguments_are_not() {
        let text = "provider_installation {\n  Direct {\n  }\n  filesystem_mirror {\n    PATH = \"/a\"\n  }\n}\n";
        let config = load(Tool::Terraform, text);
        assert_eq!(methods(&config), ["`filesystem_mirror` of `/a`"]);
        let told = ["there is no installation method `Direct`; it is left out"];
        assert_eq!(warnings(&config), told);
        let config = load(Tool::Terraform, "Provider_Installation {\n}\n");
        assert_eq!(config.provider_installations, []);
        let told = ["there is no setting `Provider_Installation`; it is ignored"];
        assert_eq!(warnings(&config), told);
    }

    #[test]
    fn wrong_types_drop_the_method_alone() {
        let text = "provider_installation {\n  filesystem_mirror {\n    path = \"/a\"\n    include = \"a/b\"\n  }\n  dev_overrides {\n    \"a/b\" = [\"x\"]\n  }\n  direct {\n  }\n}\n";
        let config = load(Tool::Terraform, text);
        assert_eq!(methods(&config), ["`direct`"]);
        let expected = "`include` must be a list of strings, not a string; this `filesystem_mirror` is left out";
        assert_eq!(warnings(&config)[0], expected);
        assert_eq!(config.provider_installations[0].dev_overrides.len(), 0);
    }

    #[test]
    fn what_is_of_tofu_alone_is_told_under_terraform() {
        let text = "provider_installation {\n  oci_mirror {\n    repository_template = \"x/${type}\"\n  }\n  network_mirror {\n    url = \"https://m.example/\"\n    trust_all_hashes = true\n  }\n}\n";
        let config = load(Tool::Tofu, text);
        let expected = [
            "`oci_mirror` of `x/${type}`",
            "`network_mirror` of `https://m.example/`",
        ];
        assert_eq!(methods(&config), expected);
        assert_eq!(config.warnings, []);
        let config = load(Tool::Terraform, text);
        assert_eq!(methods(&config), expected[1..]);
        assert_eq!(config.warnings.len(), 2, "{:?}", warnings(&config));
        let kind = &config.provider_installations[0].methods[0].kind;
        assert!(matches!(
            kind,
            MethodKind::NetworkMirror {
                trust_all_hashes: false,
                ..
            }
        ));
    }

    #[test]
    fn urls_in_warnings_show_no_password() {
        let text = "provider_installation {\n  network_mirror {\n    url = \"http://u:hunter2@m.example/\"\n  }\n}\n";
        let told = warnings(&load(Tool::Terraform, text)).join("\n");
        assert!(
            told.contains("m.example") && !told.contains("hunter2"),
            "{told}"
        );
    }

    #[test]
    fn paths_are_cleaned_without_the_disk() {
        for (given, expected) in [
            ("/opt/x/../y/./z/", "/opt/y/z"),
            ("/../x", "/x"),
            ("../x/..", ".."),
            ("x/..", "."),
        ] {
            assert_eq!(clean(Path::new(given)), Path::new(expected), "{given}");
        }
    }
}

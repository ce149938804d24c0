//! Module calls (facts/modules 5.4).

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::loose_constraints;
use super::problem::{Location, Problem, ProblemKind, shown};
use super::static_scope::StaticScope;
use super::static_value::StaticValue;
use super::syntax::{Attribute, Block, Value};
use crate::address::Tool;

/// Where a module call takes its module from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallSource {
    /// The source address as written, constants evaluated; not normalised.
    Literal(String),
    /// The source or the version needs evaluation of more than constants, so neither is known.
    Dynamic,
}

/// A call of another module, override files applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleCall {
    /// The call's name, or that of the `run` block in a test file.
    pub name: String,
    /// The source.
    pub source: CallSource,
    /// The version constraint, valid in form.
    pub version: Option<String>,
    /// What the call gives for the variables of the module, as far as it is known.
    pub arguments: BTreeMap<String, StaticValue>,
    /// The file of the call.
    pub file: PathBuf,
    /// The line of the call.
    pub line: usize,
    /// The test file's name below the module directory, for a module that a `run` block uses.
    pub test_file: Option<String>,
}

impl ModuleCall {
    /// The call's key among those of its module: its name, or `test.DIRECTORY.FILE.RUN` for tests, where
    /// only the ending `.tftest.hcl` is left out (facts/modules 3.1).
    pub fn key(&self) -> String {
        match &self.test_file {
            None => self.name.clone(),
            Some(file) => {
                let file = file.strip_suffix(".tftest.hcl").unwrap_or(file);
                format!("test.{}.{}", file.replace('/', "."), self.name)
            }
        }
    }

    /// The path of a module on this disk, relative to the caller's directory: `./x`, `../x`
    /// (facts/modules 1).
    pub fn local_path(&self) -> Option<&str> {
        match &self.source {
            CallSource::Literal(source) => is_local(source).then_some(source),
            CallSource::Dynamic => None,
        }
    }
}

/// Arguments of a call that are no variables of the module.
const META_ARGUMENTS: [&str; 6] = [
    "source",
    "version",
    "providers",
    "count",
    "for_each",
    "depends_on",
];

/// A call as its file has it, before override files are applied.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) source: Option<Attribute>,
    pub(super) version: Option<Attribute>,
    pub(super) arguments: Vec<Attribute>,
    pub(super) at: Location,
    pub(super) test_file: Option<String>,
}

impl Call {
    /// Reads a `module` block.
    pub(super) fn new(block: &Block) -> Self {
        Self {
            name: block.labels[0].clone(),
            source: block.content.attribute("source").cloned(),
            version: block.content.attribute("version").cloned(),
            arguments: block.content.attributes.clone(),
            at: block.at.clone(),
            test_file: None,
        }
    }

    /// Reads the `module` block inside a `run` block.
    pub(super) fn of_test(run: &Block, module: &Block, test_file: &str) -> Self {
        Self {
            name: run.labels[0].clone(),
            source: module.content.attribute("source").cloned(),
            version: module.content.attribute("version").cloned(),
            arguments: Vec::new(),
            at: module.at.clone(),
            test_file: Some(test_file.to_owned()),
        }
    }

    /// Applies a block of an override file.
    pub(super) fn override_with(&mut self, later: Self) {
        self.source = later.source.or(self.source.take());
        self.version = later.version.or(self.version.take());
        self.arguments.extend(later.arguments);
    }

    /// Checks the whole; none if it has a problem.
    pub(super) fn finish(
        &self,
        scope: &StaticScope<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<ModuleCall> {
        match self.checked(scope) {
            Ok((source, version)) => Some(ModuleCall {
                name: self.name.clone(),
                source,
                version,
                arguments: self.values(scope),
                file: self.at.file.to_path_buf(),
                line: self.at.line,
                test_file: self.test_file.clone(),
            }),
            Err(problem) => {
                problems.push(*problem);
                None
            }
        }
    }

    /// Later ones override earlier ones.
    fn values(&self, scope: &StaticScope<'_>) -> BTreeMap<String, StaticValue> {
        let value = |it: &Attribute| (it.name.clone(), StaticValue(scope.value(it)));
        let is_argument = |it: &&Attribute| !META_ARGUMENTS.contains(&it.name.as_str());
        self.arguments
            .iter()
            .filter(is_argument)
            .map(value)
            .collect()
    }

    fn checked(
        &self,
        scope: &StaticScope<'_>,
    ) -> Result<(CallSource, Option<String>), Box<Problem>> {
        let name = || shown(&self.name);
        let problem = |at: &Location, kind| {
            Box::new(Problem {
                at: at.clone(),
                kind,
            })
        };
        if self.test_file.is_none() && hcl_edit::Ident::try_new(self.name.as_str()).is_err() {
            return Err(problem(&self.at, ProblemKind::ModuleName(name())));
        }
        let Some(source) = &self.source else {
            return Err(problem(&self.at, ProblemKind::MissingSource(name())));
        };
        let evaluated = |attribute: &Attribute| Attribute {
            value: scope.value(attribute),
            ..attribute.clone()
        };
        let source = &evaluated(source);
        let version = self.version.as_ref().map(evaluated);
        // OpenTofu takes null for absent; terraform takes the argument for set (facts 1.1).
        let is_absent = |it: &Attribute| scope.tool() == Tool::Tofu && it.value == Value::Null;
        let version = version.as_ref().filter(|version| !is_absent(version));
        let is_dynamic = |attribute: &Attribute| attribute.value.is_dynamic();
        if is_dynamic(source) || version.is_some_and(is_dynamic) {
            return Ok((CallSource::Dynamic, None));
        }
        let Value::Text(address) = &source.value else {
            return Err(problem(&source.at, ProblemKind::CallSourceNotText(name())));
        };
        if self.test_file.is_some() && !is_local(address) && !is_registry(address) {
            return Err(problem(&source.at, ProblemKind::TestModuleSource(name())));
        }
        let version = match version {
            Some(version) if !is_registry(address) => {
                return Err(problem(
                    &version.at,
                    ProblemKind::VersionNeedsRegistry(name()),
                ));
            }
            Some(version) => constraint(version).map_err(|kind| problem(&version.at, kind))?,
            None => None,
        };
        Ok((CallSource::Literal(address.clone()), version))
    }
}

/// The text of a valid constraint; none for null.
pub(super) fn constraint(attribute: &Attribute) -> Result<Option<String>, ProblemKind> {
    if attribute.value == Value::Null {
        return Ok(None);
    }
    let text = attribute
        .value
        .as_text()
        .ok_or(ProblemKind::ConstraintNotText)?;
    match loose_constraints::form(&text) {
        Some(_) => Ok(Some(text)),
        None => Err(ProblemKind::Constraint(shown(&text))),
    }
}

fn is_local(source: &str) -> bool {
    ["./", "../", ".\\", "..\\"]
        .iter()
        .any(|prefix| source.starts_with(prefix))
}

/// Whether a source has the shape of a registry address, `[HOST/]NAMESPACE/NAME/SYSTEM[//SUBDIR]`. Just
/// enough to check `version`; the address itself is parsed where modules are installed.
fn is_registry(source: &str) -> bool {
    let is_word = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    if is_local(source) || source.contains("::") || source.contains("://") {
        return false;
    }
    let address = source
        .split_once("//")
        .map_or(source, |(address, _)| address);
    match address.split('/').collect::<Vec<_>>()[..] {
        [namespace, name, system] => is_word(namespace) && is_word(name) && is_word(system),
        [host, namespace, name, system] => {
            host.contains('.') && is_word(namespace) && is_word(name) && is_word(system)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_addresses_are_told_by_their_shape() {
        for (source, expected) in [
            ("acme/vpc/aws", true),
            ("example.com/acme/vpc/aws//sub", true),
            ("./a/b/c", false),
            ("git::https://example.com/x.git", false),
            ("localhost:8080/a/b/c", false),
            ("github.com/a/b", false),
            ("foo", false),
        ] {
            assert_eq!(is_registry(source), expected, "{source}");
        }
    }

    #[test]
    fn keys_of_tests_name_file_and_run() {
        for (file, key) in [
            (None, "r"),
            (Some("t.tftest.hcl"), "test.t.r"),
            (Some("tests/t.tftest.json"), "test.tests.t.tftest.json.r"),
        ] {
            let call = ModuleCall {
                name: "r".to_owned(),
                source: CallSource::Dynamic,
                version: None,
                arguments: BTreeMap::new(),
                file: PathBuf::new(),
                line: 1,
                test_file: file.map(str::to_owned),
            };
            assert_eq!(call.key(), key);
        }
    }
}

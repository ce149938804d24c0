//! The scan itself: list, read, put together, compute.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::declaration::Declarer;
use super::file_set::{FileName, FileSet, Syntax, with_suffix};
use super::module::Module;
use super::module_call::{Call, CallSource, ModuleCall};
use super::problem::{Problem, ScanError, shown};
use super::requirements::{Collector, RequiredVersion};
use super::schema::{self, BodySchema};
use super::source_file::SourceFile;
use super::static_scope::StaticScope;
use super::static_value::StaticInputs;
use super::syntax::Content;
use super::test_file::TestFile;
use super::{json, native};
use crate::address::{ProviderAddr, Tool};
use crate::document::on_deep_stack;
use crate::version::VersionConstraints;

/// Which place a module has in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleKind {
    /// The root: its test files count, and it may be empty.
    Root,
    /// A called module.
    Child,
}

/// What one module directory says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModuleScan {
    /// The providers to install, each with the constraints of all places in this module.
    pub requirements: BTreeMap<ProviderAddr, VersionConstraints>,
    /// The required providers that are part of the tool, by full address.
    pub built_in: BTreeSet<String>,
    /// The module calls in name order, then those of test files.
    pub module_calls: Vec<ModuleCall>,
    /// `required_version` of each `terraform` block. OpenTofu heeds them in its own files only, so for it
    /// those of `.tf` files are not here.
    pub required_versions: Vec<RequiredVersion>,
    /// Whether a `backend` or `cloud` block says where the state is.
    pub has_backend: bool,
    /// What the result cannot know.
    pub warnings: Vec<String>,
    /// The configuration files, test files left out; empty for a root module without configuration.
    pub files: Vec<PathBuf>,
}

/// Scans the module in `directory`: this directory alone (and the test files of a root), not the modules it
/// calls.
///
/// # Errors
///
/// Returns an error if the directory cannot be listed, if that of a child has no configuration, and the list
/// of all problems if there are any in its files.
pub fn scan_module(
    directory: &Path,
    tool: Tool,
    kind: ModuleKind,
) -> Result<ModuleScan, ScanError> {
    scan_module_with(directory, tool, kind, &StaticInputs::of_root())
}

/// Scans like [`scan_module`], with what is given for the module's variables.
///
/// # Errors
///
/// As for [`scan_module`].
pub fn scan_module_with(
    directory: &Path,
    tool: Tool,
    kind: ModuleKind,
    inputs: &StaticInputs,
) -> Result<ModuleScan, ScanError> {
    let unreadable = |source| ScanError::Directory {
        directory: directory.to_owned(),
        source,
    };
    let files = FileSet::list(directory, tool, kind).map_err(unreadable)?;
    if kind == ModuleKind::Child && files.is_empty() {
        return Err(ScanError::NoConfiguration {
            directory: directory.to_owned(),
        });
    }
    let problems = Vec::new();
    let scanner = Scanner {
        directory,
        tool,
        inputs,
        problems,
    };
    on_deep_stack(|| scanner.scan(&files)).map_err(unreadable)?
}

struct Scanner<'d> {
    directory: &'d Path,
    tool: Tool,
    inputs: &'d StaticInputs,
    problems: Vec<Problem>,
}

impl Scanner<'_> {
    fn scan(mut self, files: &FileSet) -> Result<ModuleScan, ScanError> {
        let module = self.module(files);
        let tests = self.tests(&files.tests);
        let in_tests = tests.iter().flat_map(|test| &test.calls);
        let scope = StaticScope::new(self.tool, self.inputs, &module.variables, &module.locals);
        let module_calls = self.calls(module.calls.values().chain(in_tests), &scope);
        let mut collector = Collector {
            tool: self.tool,
            module: &module,
            problems: &mut self.problems,
            requirements: BTreeMap::new(),
            built_in: BTreeSet::new(),
        };
        collector.collect();
        for (name, at) in tests.iter().flat_map(|test| &test.providers) {
            collector.add_local(name, &VersionConstraints::default(), at);
        }
        let (requirements, built_in) = (collector.requirements, collector.built_in);
        if !self.problems.is_empty() {
            self.problems.sort_by(|a, b| a.at.cmp(&b.at));
            let (directory, problems) = (self.directory.to_owned(), self.problems);
            return Err(ScanError::Invalid {
                directory,
                problems,
            });
        }
        let warnings = module_calls.iter().filter_map(dynamic_warning).collect();
        let read = files.primary.iter().chain(&files.overrides);
        Ok(ModuleScan {
            requirements,
            built_in,
            module_calls,
            required_versions: module.required_versions,
            has_backend: module.has_backend,
            warnings,
            files: read.map(|file| self.directory.join(&file.name)).collect(),
        })
    }

    fn module(&mut self, files: &FileSet) -> Module {
        let mut module = Module::default();
        for file in &files.primary {
            let content = self.read(file, &schema::CONFIGURATION);
            let mut declarer = Declarer {
                tool: self.tool,
                problems: &mut self.problems,
            };
            module.add(&content, &mut declarer);
        }
        for file in &files.overrides {
            let content = self.read(file, &schema::CONFIGURATION);
            let mut declarer = Declarer {
                tool: self.tool,
                problems: &mut self.problems,
            };
            module.override_with(&content, &mut declarer);
        }
        module
    }

    fn tests(&mut self, files: &[FileName]) -> Vec<TestFile> {
        files
            .iter()
            .map(|file| TestFile::new(&file.name, &self.read(file, &schema::TEST), self.tool))
            .collect()
    }

    fn calls<'c>(
        &mut self,
        calls: impl Iterator<Item = &'c Call>,
        scope: &StaticScope<'_>,
    ) -> Vec<ModuleCall> {
        let problems = &mut self.problems;
        calls
            .filter_map(|call| call.finish(scope, problems))
            .collect()
    }

    fn read(&mut self, file: &FileName, schema: &'static BodySchema) -> Content {
        let source = match SourceFile::read(self.directory, file) {
            Ok(source) => source,
            Err(problem) => {
                self.problems.push(*problem);
                return Content::default();
            }
        };
        let mut content = match file.syntax {
            Syntax::Native => native::read(&source, schema, &mut self.problems),
            Syntax::Json => json::read(&source, schema, self.tool, &mut self.problems),
        };
        if self.tool == Tool::Tofu && !is_tofu_file(&file.name) {
            forget_required_versions(&mut content);
        }
        content
    }
}

fn is_tofu_file(name: &str) -> bool {
    with_suffix(name, &[".tofu", ".tofu.json"]).is_some()
}

fn forget_required_versions(content: &mut Content) {
    for block in content
        .blocks
        .iter_mut()
        .filter(|block| block.kind == "terraform")
    {
        block
            .content
            .attributes
            .retain(|attribute| attribute.name != "required_version");
    }
}

fn dynamic_warning(call: &ModuleCall) -> Option<String> {
    match call.source {
        CallSource::Literal(_) => None,
        CallSource::Dynamic => Some(format!(
            "{}:{}: the source or version of the module call `{}` is dynamic, so what that module \
             requires is not known",
            call.file.display(),
            call.line,
            shown(&call.name)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::ProblemKind;
    use super::super::source_file::MAX_FILE_BYTES;
    use super::*;

    fn scan(files: &[(&str, &str)], tool: Tool) -> Result<ModuleScan, ScanError> {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        scan_module(directory.path(), tool, ModuleKind::Root)
    }

    /// The problems as `FILE:LINE:COLUMN: message`, without the temporary directory.
    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let Err(ScanError::Invalid {
            directory,
            problems,
        }) = scan(files, Tool::Terraform)
        else {
            panic!("no problem found");
        };
        let prefix = format!("{}/", directory.display());
        problems
            .iter()
            .map(|problem| problem.to_string().replace(&prefix, ""))
            .collect()
    }

    #[test]
    fn every_problem_is_told_with_its_place() {
        let native =
            "terraform {\n  required_providers {\n    A = {}\n    b = \"latest\"\n  }\n}\n";
        let json = "{\"foo\": 1,\n \"module\": {\"m\": {}, \"n\": 5}}";
        let told = problems(&[("a.tf", native), ("b.tf.json", json), ("c.tf", "x {")]);
        let places: Vec<&str> = told
            .iter()
            .map(|problem| problem.split(": ").next().unwrap())
            .collect();
        assert_eq!(
            places,
            [
                "a.tf:3:5",
                "a.tf:4:5",
                "b.tf.json:1:9",
                "b.tf.json:2:18",
                "b.tf.json:2:27",
                "c.tf:1:4"
            ],
            "{told:#?}"
        );
    }

    #[test]
    fn a_child_without_configuration_is_an_error_but_a_root_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let scan = |kind| scan_module(directory.path(), Tool::Terraform, kind);
        assert_eq!(scan(ModuleKind::Root).unwrap(), ModuleScan::default());
        assert!(matches!(
            scan(ModuleKind::Child),
            Err(ScanError::NoConfiguration { .. })
        ));
    }

    #[test]
    fn a_dynamic_source_is_told_and_not_guessed() {
        let scan = scan(
            &[(
                "a.tf",
                "variable \"x\" {}\nmodule \"m\" {\n  source = \"./${var.x}\"\n}\n",
            )],
            Tool::Tofu,
        )
        .unwrap();
        assert_eq!(scan.module_calls[0].source, CallSource::Dynamic);
        assert!(scan.warnings[0].contains("a.tf:2: the source or version of the module call `m`"));
    }

    #[test]
    fn tofu_heeds_required_version_in_its_own_files_only() {
        let text = "terraform {\n  required_version = \">= 1.6\"\n}\n";
        let count = |name, tool| scan(&[(name, text)], tool).unwrap().required_versions.len();
        assert_eq!(count("a.tf", Tool::Terraform), 1);
        assert_eq!(count("a.tf", Tool::Tofu), 0);
        assert_eq!(count("a.tofu", Tool::Tofu), 1);
    }

    #[test]
    fn local_names_are_checked() {
        for (text, accepted) in [
            ("provider \"a-1\" {}", true),
            ("provider \"a_b\" {}", false),
            ("provider \"Aws\" {}", false),
            ("resource \"x_y\" \"z\" {\n  provider = Aws.b\n}", false),
            ("resource \"_y\" \"z\" {}", false),
            (
                "terraform {\n  required_providers {\n    Aws = \"1.0\"\n  }\n}",
                true,
            ),
            (
                "terraform {\n  required_providers {\n    a = { configuration_aliases = [b.x] }\n  }\n}",
                false,
            ),
            ("terraform {\n  required_version = \"1.0-beta\"\n}", false),
            (
                "module \"m\" {\n  source = \"./a\"\n}\nmodule \"m\" {\n  source = \"./b\"\n}",
                false,
            ),
            ("provider \"a\" \"b\" {}", false),
        ] {
            assert_eq!(
                scan(&[("a.tf", text)], Tool::Terraform).is_ok(),
                accepted,
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_nesting_that_would_exhaust_the_stack() {
        let nested = |open: &str, close: &str| {
            format!(
                "variable \"v\" {{\n  default = {}1{}\n}}\n",
                open.repeat(5000),
                close.repeat(5000)
            )
        };
        for (open, close) in [
            ("[", "]"),
            ("(", ")"),
            ("\"${", "}\""),
            ("\"%{ for a in ", "}%{ endfor }\""),
        ] {
            let told = problems(&[("a.tf", &nested(open, close))]);
            assert!(told[0].contains("syntax error"), "{told:?}");
        }
        let deep = format!(
            "{{\"module\": {{\"m\": {{\"source\": {}{}}}}}}}",
            "[".repeat(5000),
            "]".repeat(5000)
        );
        assert!(problems(&[("a.tf.json", &deep)])[0].contains("`source`"));
        let deep = format!("{{\"module\": {}{}}}", "[".repeat(5000), "]".repeat(5000));
        assert!(problems(&[("a.tf.json", &deep)])[0].contains("must be an object"));
    }

    #[test]
    fn refuses_a_file_that_is_too_large() {
        let directory = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(directory.path().join("a.tf")).unwrap();
        file.set_len(MAX_FILE_BYTES + 1).unwrap();
        let error = scan_module(directory.path(), Tool::Terraform, ModuleKind::Root).unwrap_err();
        assert!(matches!(
            error.problems()[0].kind,
            ProblemKind::Unreadable(_)
        ));
    }

    #[test]
    fn control_characters_of_names_are_escaped_in_messages() {
        let told = problems(&[("a.tf.json", "{\"x\\u001b[2J\\n\": 1}")]);
        assert!(!told[0].contains(['\u{1b}', '\n']), "{told:?}");
    }

    #[test]
    fn files_that_are_no_text_are_told() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("a.tf"), b"# \xff").unwrap();
        let error = scan_module(directory.path(), Tool::Terraform, ModuleKind::Root).unwrap_err();
        assert!(matches!(error.problems()[0].kind, ProblemKind::NotText));
    }
}

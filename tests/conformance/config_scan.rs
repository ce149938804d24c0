//! `config-scan.json`: configuration files to required providers and module calls.
//!
//! Modules from elsewhere are not fetched here; a case that needs one is one of an open call.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use provender::address::Tool;
use provender::config::scan::{CallSource, ProblemKind, ScanError};
use provender::config::state::{STATE_FILE, providers_in_state};
use provender::config::{Environment, ModuleProblem, ModuleWalk, RootModule};
use provender::version::VersionConstraints;
use serde_json::Value;

use super::support::{Report, cases, same, text};

/// What a source that needs evaluation leads to in the tools.
const NOT_CONSTANT: [&str; 4] = [
    "source_not_constant",
    "source_not_static",
    "circular_reference",
    "variable_declared_not_const",
];

/// The sum of all modules of a tree that are local.
#[derive(Debug, Default)]
struct Tree {
    requirements: BTreeMap<String, VersionConstraints>,
    built_in: BTreeSet<String>,
    calls: BTreeMap<String, String>,
    dynamic: BTreeSet<String>,
    /// The vectors' names of what is wrong.
    errors: BTreeSet<&'static str>,
}

#[test]
fn configurations_are_scanned_as_the_tools_do() {
    let mut report = Report::new("config-scan.json");
    for case in cases("config-scan.json") {
        let id = text(&case, "id");
        if let Some(reason) = left_out(&case) {
            report.leave_out(id, reason);
            continue;
        }
        let directory = tempfile::tempdir().unwrap();
        write_files(directory.path(), &case);
        let got = walk(directory.path(), tool(&case));
        report.case(id, compare(&case, &got));
    }
    report.finish();
}

fn left_out(case: &Value) -> Option<&'static str> {
    match expected_errors(case).first().map(String::as_str) {
        Some("check_needs_assert") => Some("conditions of checks are not looked at"),
        Some("core_version_mismatch") => {
            Some("no tool is run, so there is no version to compare `required_version` with")
        }
        _ => None,
    }
}

fn expected_errors(case: &Value) -> Vec<String> {
    let errors = case["errors"].as_array();
    errors
        .into_iter()
        .flatten()
        .map(|error| error.as_str().unwrap().to_owned())
        .collect()
}

fn tool(case: &Value) -> Tool {
    if case["tool"] == "opentofu" {
        Tool::Tofu
    } else {
        Tool::Terraform
    }
}

fn write_files(directory: &Path, case: &Value) {
    for (name, content) in case["files"].as_object().unwrap() {
        let path = directory.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content.as_str().unwrap()).unwrap();
    }
}

fn walk(root: &Path, tool: Tool) -> Result<Tree, ScanError> {
    let (inputs, _) = RootModule::new(root, &Environment::default(), tool).static_inputs();
    let mut walk = ModuleWalk::start(root, tool, &inputs)?;
    let mut tree = Tree::default();
    walk.run(|_| {
        tree.errors.insert("registry_needed");
        None
    });
    for (addr, constraints) in walk.requirements() {
        tree.requirements.insert(addr.to_string(), constraints);
    }
    for (key, module) in &walk.modules {
        tree.built_in.extend(module.scan.built_in.clone());
        for call in &module.scan.module_calls {
            if let CallSource::Literal(source) = &call.source {
                let prefix = if key.is_empty() {
                    String::new()
                } else {
                    format!("{key}.")
                };
                tree.calls
                    .insert(format!("{prefix}{}", call.key()), source.clone());
            }
        }
    }
    for failure in walk.failures {
        match failure.problem {
            ModuleProblem::Dynamic => {
                tree.dynamic.insert(failure.key);
            }
            ModuleProblem::Source(_) => {
                tree.errors.insert("source_unrecognised");
            }
            ModuleProblem::Cycle(_) => {
                tree.errors.insert("endless_recursion");
            }
            ModuleProblem::NoDirectory { .. } | ModuleProblem::OutsidePackage { .. } => {
                tree.errors.insert("module_dir_missing");
            }
            ModuleProblem::Scan(error) => return Err(error),
            ModuleProblem::Constraints(_)
            | ModuleProblem::TooDeep(_)
            | ModuleProblem::TooMany(_) => panic!("{}", failure.problem),
        }
    }
    for addr in providers_in_state(&root.join(STATE_FILE), tool)
        .unwrap()
        .providers
    {
        tree.requirements.entry(addr.to_string()).or_default();
    }
    Ok(tree)
}

fn is_dynamic(got: &Result<Tree, ScanError>) -> Result<(), String> {
    match got {
        Ok(tree) if !tree.dynamic.is_empty() => Ok(()),
        other => Err(format!("expected a dynamic source, got {other:?}")),
    }
}

fn compare(case: &Value, got: &Result<Tree, ScanError>) -> Result<(), String> {
    let errors = expected_errors(case);
    if errors
        .iter()
        .any(|error| NOT_CONSTANT.contains(&error.as_str()))
    {
        return is_dynamic(got);
    }
    match got {
        Err(error) => {
            let names = error_names(error);
            if errors.iter().all(|error| names.contains(&error.as_str())) && case["ok"] == false {
                Ok(())
            } else {
                Err(format!("got {names:?} ({error}), expected {errors:?}"))
            }
        }
        Ok(tree) if case["ok"] == false => {
            let got: Vec<String> = tree.errors.iter().map(ToString::to_string).collect();
            same(&got, &errors)
        }
        Ok(tree) if !tree.errors.is_empty() || !tree.dynamic.is_empty() => {
            Err(format!("refused: {tree:?}"))
        }
        Ok(tree) => compare_tree(case, tree),
    }
}

fn compare_tree(case: &Value, tree: &Tree) -> Result<(), String> {
    if let Some(expected) = case["required_providers"].as_object() {
        let (built_in, installable): (Vec<_>, Vec<_>) = expected
            .iter()
            .partition(|(_, constraints)| constraints.is_null());
        let shown = |(addr, constraints): &(&String, &Value)| {
            ((*addr).clone(), constraints.as_str().unwrap().to_owned())
        };
        let got = tree
            .requirements
            .iter()
            .map(|(addr, all)| (addr.clone(), all.to_string()));
        same(
            &got.collect::<BTreeMap<_, _>>(),
            &installable.iter().map(shown).collect(),
        )?;
        same(
            &tree.built_in,
            &built_in.into_iter().map(|(addr, _)| addr.clone()).collect(),
        )?;
    }
    if let Some(expected) = case["module_calls"].as_object() {
        let shown =
            |(key, source): (&String, &Value)| (key.clone(), source.as_str().unwrap().to_owned());
        same(&tree.calls, &expected.iter().map(shown).collect())?;
    }
    Ok(())
}

/// The vectors' names of what is wrong.
fn error_names(error: &ScanError) -> Vec<&'static str> {
    match error {
        ScanError::Directory { .. } | ScanError::NoConfiguration { .. } => {
            vec!["module_dir_missing"]
        }
        ScanError::Invalid { problems, .. } => problems
            .iter()
            .flat_map(|problem| problem_names(&problem.kind))
            .copied()
            .collect(),
    }
}

fn problem_names(kind: &ProblemKind) -> &'static [&'static str] {
    match kind {
        ProblemKind::Syntax(_) => &["syntax_error"],
        ProblemKind::JsonShape(_) => &["json_shape"],
        ProblemKind::UnknownName(_) => &["unknown_block"],
        ProblemKind::RequiredProvidersOutsideTerraform => {
            &["required_providers_not_in_terraform_block"]
        }
        ProblemKind::SecondRequiredProviders { .. } => &["duplicate_required_providers"],
        ProblemKind::UnknownRequirementKey { .. } => &["required_providers_unknown_key"],
        ProblemKind::ProviderSource { .. } => &["provider_source_bad", "provider_type_prefix"],
        ProblemKind::LegacyProvider { .. } => &["legacy_provider_address"],
        ProblemKind::ConstraintNotText => &["constraint_not_string"],
        ProblemKind::Constraint(_) => &["constraint_bad"],
        ProblemKind::ProviderConstraint { .. } => &["constraint_bad_for_providers"],
        ProblemKind::BuiltInWithVersion(_) => &["builtin_provider_with_version"],
        ProblemKind::ReservedArgument(_) => &["reserved_argument"],
        ProblemKind::Experiments => &["experiments_refused"],
        ProblemKind::ModuleName(_) => &["module_name_invalid"],
        ProblemKind::VersionNeedsRegistry(_) => {
            &["version_needs_registry_source", "version_on_non_registry"]
        }
        ProblemKind::TestModuleSource(_) => &["test_module_source_kind"],
        ProblemKind::OverridesNothing(_) => &["override_without_base"],
        ProblemKind::Unreadable(_)
        | ProblemKind::NotText
        | ProblemKind::LabelCount { .. }
        | ProblemKind::Duplicate(_)
        | ProblemKind::RequirementShape(_)
        | ProblemKind::ConfigurationAlias(_)
        | ProblemKind::SourceNotText(_)
        | ProblemKind::ProviderName(_)
        | ProblemKind::ProviderReference
        | ProblemKind::PrereleaseOfTool
        | ProblemKind::MissingSource(_)
        | ProblemKind::CallSourceNotText(_)
        | ProblemKind::DeclaredTwice { .. } => &[],
    }
}

//! `module-source.json`: module sources of both tools, classified and normalised.
//!
//! Where the cases mark that OpenTofu asks a Bitbucket service while parsing, its answer is taken to be Git, so the
//! outcome is that of terraform (stated in `address/module_detect.rs`).

use provender::address::{ModuleSource, ModuleSourceError, Tool};
use serde_json::Value;

use super::support::{Report, cases, same, text};

#[test]
fn module_sources_are_as_the_tools_have_them() {
    let mut report = Report::new("module-source.json");
    for case in cases("module-source.json") {
        let name = format!("{} ({})", text(&case, "input"), text(&case, "mode"));
        let outcome = source(&case, Tool::Terraform, &case).and_then(|()| {
            let mut expected = case.clone();
            for (key, value) in case["opentofu"].as_object().into_iter().flatten() {
                expected[key] = value.clone();
            }
            source(&case, Tool::Tofu, &expected).map_err(|error| format!("tofu: {error}"))
        });
        report.case(&name, outcome);
    }
    report.finish();
}

fn source(case: &Value, tool: Tool, expected: &Value) -> Result<(), String> {
    let input = text(case, "input");
    let parsed = match text(case, "mode") {
        "any" => ModuleSource::parse(input, tool),
        "registry_only" => ModuleSource::parse_versioned(input, tool),
        other => panic!("unknown mode `{other}`"),
    };
    match parsed {
        Err(error) if text(expected, "kind") == "error" => {
            same(&kind_of(&error), &text(expected, "error"))
        }
        Err(error) => Err(format!("refused: {error}")),
        Ok(source) => {
            same(&source.to_string().as_str(), &text(expected, "normalized"))?;
            parts(&source, tool, expected)
        }
    }
}

fn parts(source: &ModuleSource, tool: Tool, expected: &Value) -> Result<(), String> {
    let parts = &expected["parts"];
    match source {
        ModuleSource::Local(path) => {
            same(&"local", &text(expected, "kind"))?;
            same(&path.as_str(), &text(parts, "path"))
        }
        ModuleSource::Registry(module) => {
            same(&"registry", &text(expected, "kind"))?;
            let host = match text(parts, "host") {
                "registry.terraform.io" => expected["normalized"]
                    .as_str()
                    .and_then(|it| it.split('/').next()),
                host => Some(host),
            };
            same(&Some(module.addr.hostname().for_display()), &host)?;
            same(&module.addr.namespace(), &text(parts, "namespace"))?;
            same(&module.addr.name(), &text(parts, "name"))?;
            same(&module.addr.target_system(), &text(parts, "system"))?;
            same(&module.subdir.as_str(), &text(parts, "subdir"))
        }
        ModuleSource::Remote(module) => {
            same(&"remote", &text(expected, "kind"))?;
            same(&module.package(), &text(parts, "package"))?;
            same(&module.subdir(), &text(parts, "subdir"))?;
            same(&module.getter().as_str(), &text(parts, "getter"))?;
            let supported = match tool {
                Tool::Terraform => &parts["getter_supported_by_terraform"],
                Tool::Tofu => &parts["getter_supported_by_opentofu"],
            };
            same(&Some(module.has_getter(tool)), &supported.as_bool())
        }
    }
}

/// The word that the cases have for a mistake.
fn kind_of(error: &ModuleSourceError) -> &'static str {
    match error {
        ModuleSourceError::Empty => "empty_source",
        ModuleSourceError::Unrecognised(_) => "unrecognised_source",
        ModuleSourceError::SubdirOutside(_) => "subdir_escapes_package",
        ModuleSourceError::Shorthand { form, .. } if form.contains("github.com") => {
            "github_needs_owner_and_repo"
        }
        ModuleSourceError::Shorthand { form, .. } if form.contains("googleapis") => "bad_gcs_url",
        ModuleSourceError::Shorthand { form, .. } if form.contains("S3") => "bad_s3_url",
        ModuleSourceError::Shorthand { .. } => "another shorthand",
        ModuleSourceError::Components(_) => "registry_component_count",
        ModuleSourceError::LocalPath(_) => "registry_local_path",
        ModuleSourceError::Host { .. } => "registry_bad_host",
        ModuleSourceError::EncodedHost { .. } => "registry_punycode_host",
        ModuleSourceError::HostWithoutDot { .. } => "registry_host_needs_dot",
        ModuleSourceError::ReservedHost { .. } => "registry_reserved_host",
        ModuleSourceError::TooFewAfterHost(_) => "registry_missing_component_after_host",
        ModuleSourceError::Namespace { .. } => "registry_bad_namespace",
        ModuleSourceError::Name { .. } => "registry_bad_name",
        ModuleSourceError::TargetSystem { .. } => "registry_bad_system",
        ModuleSourceError::Query(_) => "registry_query_not_allowed",
    }
}

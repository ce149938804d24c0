//! `cli-config.json`: CLI configuration text to settings, as far as they are interpreted.

use std::collections::BTreeMap;
use std::path::Path;

use provender::address::{Hostname, ProviderPattern, Tool};
use provender::auth::Credentials;
use provender::config::cli_config::{
    CliConfigProblem, CliConfigWarning, InstallationMethod, InstallationProblem, MethodKind,
    ProviderInstallation, ServiceValue,
};
use provender::config::{CliConfig, Environment};
use serde_json::{Value, json};

use super::support::{Report, cases, document, same, text};

/// A home directory with the files of a case.
struct Home {
    directory: tempfile::TempDir,
    variables: BTreeMap<String, String>,
}

impl Home {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let variables = [
            ("HOME", directory.path().to_str().unwrap()),
            ("X_EXIST", "/"),
        ];
        let variables = variables
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into_iter()
            .collect();
        Self {
            directory,
            variables,
        }
    }

    fn write(&self, name: &str, content: &[u8]) {
        let path = self.directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn environment(&self) -> Environment {
        self.variables.clone().into_iter().collect()
    }

    fn load(&self) -> CliConfig {
        CliConfig::load(Tool::Terraform, &self.environment(), None, Path::new("/"))
    }
}

#[test]
fn single_files_are_read_as_the_tools_do() {
    let mut report = Report::new("cli-config.json");
    for case in cases("cli-config.json") {
        let name = text(&case, "name");
        let kinds = kinds(&case["error_kinds"]);
        let home = Home::new();
        home.write(".terraformrc", &content(&case["text"]));
        report.case(name, compare(&case, &kinds, &home.load()));
    }
    report.finish();
}

fn content(value: &Value) -> Vec<u8> {
    match value["base16"].as_str() {
        Some(hex) => (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect(),
        None => value.as_str().unwrap().as_bytes().to_vec(),
    }
}

fn kinds(value: &Value) -> Vec<String> {
    let kinds = value.as_array();
    kinds
        .into_iter()
        .flatten()
        .map(|kind| kind.as_str().unwrap().to_owned())
        .collect()
}

/// What the tools ignore in silence, and this program warns of.
const IGNORED: &str = "ignored";

fn kind_of(warning: &CliConfigWarning) -> &'static str {
    match &warning.problem {
        CliConfigProblem::Missing => "file_missing_warning",
        CliConfigProblem::Unreadable { .. } => "unreadable",
        CliConfigProblem::Syntax { .. } => "syntax",
        CliConfigProblem::Type { .. } => "type",
        CliConfigProblem::InvalidHostname { .. } => "invalid_hostname",
        CliConfigProblem::CacheDirectoryMissing { .. } => "cache_dir_unusable",
        CliConfigProblem::SeveralHelpers => "helper_multiple",
        CliConfigProblem::SeveralProviderInstallations => "provider_installation_multiple",
        CliConfigProblem::UnknownSetting { .. } => IGNORED,
        CliConfigProblem::Installation(problem) => installation_kind_of(problem),
    }
}

pub(super) fn installation_kind_of(problem: &InstallationProblem) -> &'static str {
    match problem {
        InstallationProblem::NoBlock(_) => "pi_attribute",
        InstallationProblem::Labelled(_) => "pi_label",
        InstallationProblem::MisreadJson => "pi_misread_json",
        InstallationProblem::UnknownMethod(_) => "pi_unknown_method",
        InstallationProblem::NoPath => "pi_missing_path",
        InstallationProblem::NoUrl => "pi_missing_url",
        InstallationProblem::NoTemplate => "pi_missing_template",
        InstallationProblem::NotHttps { .. } => "pi_mirror_not_https",
        InstallationProblem::Type { .. } => "pi_type",
        InstallationProblem::Pattern { .. } => "pi_bad_pattern",
        InstallationProblem::OverridesNotFirst => "pi_dev_overrides_order",
        InstallationProblem::UnsetVariable { .. } => "pi_env_unset",
        InstallationProblem::OverriddenAddress(_) => "pi_bad_address",
        InstallationProblem::UnknownArgument { .. } => IGNORED,
    }
}

fn kinds_of(config: &CliConfig) -> Vec<&'static str> {
    let kinds = config.warnings.iter().map(kind_of);
    kinds.filter(|kind| *kind != IGNORED).collect()
}

fn compare(case: &Value, kinds: &[String], config: &CliConfig) -> Result<(), String> {
    // Where the tools crash, an ordinary type error is right.
    let expected: Vec<&str> = kinds
        .iter()
        .map(|kind| {
            if kind == "peer_crash" {
                "type"
            } else {
                kind.as_str()
            }
        })
        .collect();
    same(&kinds_of(config), &expected)?;
    let parsed = &case["parsed"];
    let cache = parsed["plugin_cache_dir"]
        .as_str()
        .map(|path| path.replace("<value of X_EXIST>", "/"));
    let got = config
        .plugin_cache_dir
        .as_ref()
        .map(|path| path.to_str().unwrap().to_owned());
    same(&got, &cache)?;
    same(&shown_hosts(config), &expected_hosts(parsed))?;
    same(&shown_credentials(config), &expected_credentials(parsed))?;
    if let Some(expected) = parsed["provider_installation"].as_array() {
        let got = config.provider_installations.iter().map(shown_installation);
        same(&got.collect::<Vec<_>>(), expected)?;
    }
    let helpers = parsed["credentials_helpers"].as_object();
    let helpers = helpers
        .into_iter()
        .flatten()
        .map(|(name, helper)| (name.clone(), kinds_or_empty(&helper["args"])));
    let got = config
        .helpers
        .values()
        .map(|helper| (helper.name.clone(), helper.args.clone()));
    same(&got.collect::<BTreeMap<_, _>>(), &helpers.collect())
}

/// A block as the cases show it. The URL library writes host names in lower case, and the cases as given.
fn shown_installation(block: &ProviderInstallation) -> Value {
    let patterns = |patterns: &[ProviderPattern]| {
        let short = |pattern: &ProviderPattern| {
            let text = pattern.to_string();
            let own = text.strip_prefix("registry.terraform.io/");
            own.unwrap_or(&text).to_owned()
        };
        json!(patterns.iter().map(short).collect::<Vec<_>>())
    };
    let shown_method = |method: &InstallationMethod| {
        let mut shown = match &method.kind {
            MethodKind::Direct => json!({ "direct": true }),
            MethodKind::FilesystemMirror { path } => json!({ "filesystem_mirror": path }),
            MethodKind::NetworkMirror { url, .. } => {
                let url = url.as_str().replace("//mirror.", "//Mirror.");
                json!({ "network_mirror": url })
            }
            MethodKind::OciMirror {
                repository_template,
            } => json!({ "oci_mirror": repository_template }),
        };
        if !method.include.is_empty() {
            shown["include"] = patterns(&method.include);
        }
        if !method.exclude.is_empty() {
            shown["exclude"] = patterns(&method.exclude);
        }
        shown
    };
    let methods: Vec<Value> = block.methods.iter().map(shown_method).collect();
    let mut shown = json!({ "methods": methods });
    for (addr, path) in &block.dev_overrides {
        shown["dev_overrides"][addr.to_string()] = json!(path);
    }
    shown
}

fn kinds_or_empty(value: &Value) -> Vec<String> {
    kinds(value)
}

type Services = BTreeMap<String, BTreeMap<String, String>>;

fn shown_hosts(config: &CliConfig) -> Services {
    let shown = |service: &ServiceValue| match service {
        ServiceValue::Text(text) => text.clone(),
        ServiceValue::Other(_) => "not a string".to_owned(),
    };
    let services = |services: &BTreeMap<String, ServiceValue>| {
        services
            .iter()
            .map(|(id, value)| (id.clone(), shown(value)))
            .collect()
    };
    let hosts = config.hosts.iter();
    hosts
        .map(|(host, entry)| (host.to_string(), services(&entry.services)))
        .collect()
}

fn expected_hosts(parsed: &Value) -> Services {
    let services = |entry: &Value| {
        let services = entry["services"].as_object().into_iter().flatten();
        services
            .map(|(id, value)| (id.clone(), value.as_str().unwrap().to_owned()))
            .collect()
    };
    let hosts = parsed["hosts"].as_object().into_iter().flatten();
    hosts
        .map(|(host, entry)| (host.clone(), services(entry)))
        .collect()
}

fn shown_credentials(config: &CliConfig) -> BTreeMap<String, Option<String>> {
    let token = |token: &provender::secret::Secret| token.expose().to_owned();
    let credentials = config.credentials.iter();
    credentials
        .map(|(host, entry)| (host.to_string(), entry.token.as_ref().map(token)))
        .collect()
}

fn expected_credentials(parsed: &Value) -> BTreeMap<String, Option<String>> {
    let credentials = parsed["credentials"].as_object().into_iter().flatten();
    credentials
        .map(|(host, entry)| (host.clone(), entry["token"].as_str().map(str::to_owned)))
        .collect()
}

#[test]
fn several_files_are_merged_as_the_tools_do() {
    let mut report = Report::new("cli-config.json, multi");
    for case in document("cli-config.json")["multi"].as_array().unwrap() {
        let name = text(case, "name");
        if case["expect"].is_string() {
            report.leave_out(
                name,
                "the tools' outcome is random; here the last spelling wins",
            );
            continue;
        }
        let mut home = Home::new();
        if let Some(main) = case["main"].as_str() {
            home.write(".terraformrc", main.as_bytes());
        }
        for (file, content) in case["dir_files"].as_object().into_iter().flatten() {
            home.write(
                &format!(".terraform.d/{file}"),
                content.as_str().unwrap().as_bytes(),
            );
        }
        for (variable, value) in case["env"].as_object().into_iter().flatten() {
            home.variables
                .insert(variable.clone(), value.as_str().unwrap().to_owned());
        }
        if let Some(named) = case["override"].as_str() {
            home.write("named.tfrc", named.as_bytes());
            let path = home.directory.path().join("named.tfrc");
            home.variables.insert(
                "TF_CLI_CONFIG_FILE".to_owned(),
                path.to_str().unwrap().to_owned(),
            );
        }
        report.case(name, compare_merged(&case["expect"], &home));
    }
    report.finish();
}

fn compare_merged(expect: &Value, home: &Home) -> Result<(), String> {
    let config = home.load();
    let host: Hostname = "example.com".parse().unwrap();
    if let Some(expected) = expect["plugin_cache_dir"].as_str() {
        same(
            &config.plugin_cache_dir.as_deref(),
            &Some(Path::new(expected)),
        )?;
    } else {
        same(
            &kinds_of(&config),
            &kinds(&expect["error_kinds"])
                .iter()
                .map(String::as_str)
                .collect(),
        )?;
    }
    let services = config.hosts.get(&host).map(|host| &host.services);
    if let Some(expected) = expect["service"].as_str() {
        let expected = ServiceValue::Text(format!("SRV/{expected}/"));
        same(
            &services.and_then(|services| services.get("providers.v1")),
            &Some(&expected),
        )?;
    }
    if expect["services"].is_array() {
        let got: Vec<String> = services
            .into_iter()
            .flatten()
            .map(|(id, _)| id.clone())
            .collect();
        same(&got, &kinds(&expect["services"]))?;
    }
    if let Some(expected) = expect.get("token") {
        let found = Credentials::new(&home.environment(), &config).configured(&host);
        let got = found.map(|found| found.token.expose().to_owned());
        same(&got.as_deref(), &expected.as_str())?;
    }
    for (name, helper) in expect["credentials_helpers"]
        .as_object()
        .into_iter()
        .flatten()
    {
        let got = config.helpers.get(name).map(|helper| helper.args.clone());
        same(&got, &Some(kinds(&helper["args"])))?;
    }
    Ok(())
}

#[test]
fn unusual_files_are_told_as_the_tools_do() {
    let mut report = Report::new("cli-config.json, file_states and environment");
    for case in document("cli-config.json")["file_states"]
        .as_array()
        .unwrap()
    {
        let situation = text(case, "situation");
        let mut home = Home::new();
        let path = home.directory.path().join(".terraformrc");
        match situation {
            "missing override" => {
                home.variables
                    .insert("TF_CLI_CONFIG_FILE".to_owned(), "/nonexistent/x".to_owned());
            }
            "override is a directory" => {
                home.variables
                    .insert("TF_CLI_CONFIG_FILE".to_owned(), "/".to_owned());
            }
            "rc is a directory" => std::fs::create_dir(path).unwrap(),
            #[cfg(unix)]
            "rc is a dangling link" => std::os::unix::fs::symlink("/nonexistent/x", path).unwrap(),
            other => {
                report.leave_out(other, "not on this system");
                continue;
            }
        }
        let mut got = kinds_of(&home.load());
        if got.is_empty() {
            got.push("ok");
        }
        report.case(
            situation,
            same(
                &got,
                &kinds(&case["result"]).iter().map(String::as_str).collect(),
            ),
        );
    }
    for case in document("cli-config.json")["environment"]
        .as_array()
        .unwrap()
    {
        let mut home = Home::new();
        for (variable, value) in case["env"].as_object().unwrap() {
            home.variables
                .insert(variable.clone(), value.as_str().unwrap().to_owned());
        }
        let config = home.load();
        let got = (
            config
                .plugin_cache_dir
                .map(|path| path.to_str().unwrap().to_owned()),
            config.plugin_cache_may_break_dependency_lock_file,
        );
        let parsed = &case["parsed"];
        let expected = (
            parsed["plugin_cache_dir"].as_str().map(str::to_owned),
            parsed["plugin_cache_may_break_dependency_lock_file"] == true,
        );
        report.case(&case["env"].to_string(), same(&got, &expected));
    }
    report.finish();
}

#[test]
fn the_credentials_file_is_read_as_the_tools_do() {
    let mut report = Report::new("credentials-file.json, reads");
    for case in document("credentials-file.json")["reads"]
        .as_array()
        .unwrap()
    {
        let home = Home::new();
        home.write(
            ".terraform.d/credentials.tfrc.json",
            text(case, "text").as_bytes(),
        );
        let config = home.load();
        let host: Hostname = text(case, "host").parse().unwrap();
        let found = Credentials::new(&home.environment(), &config).configured(&host);
        let token = found.as_ref().map(|found| found.token.expose());
        let dropped = config
            .warnings
            .iter()
            .any(|warning| matches!(kind_of(warning), "syntax" | "type"));
        // An empty token is none: no empty header is sent for it.
        let expected = case["token"].as_str().filter(|token| !token.is_empty());
        let outcome = same(&token, &expected)
            .and_then(|()| same(&dropped, &(text(case, "result") != "ok")))
            .and_then(|()| {
                let warned = config
                    .warnings
                    .iter()
                    .any(|w| kind_of(w) == "invalid_hostname");
                same(&warned, &case["warning"].is_string())
            });
        report.case(text(case, "name"), outcome);
    }
    report.finish();
}

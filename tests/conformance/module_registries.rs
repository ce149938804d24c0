//! `module-registry.json`, whole exchanges: a registry is served, a module installed, requests compared.
//!
//! What differs from the recorded requests on purpose: archives are not asked for with HEAD first. Host names without a
//! port are those of a `host` block; the port in sources and answers is that of the server.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use provender::address::Tool;
use provender::config::{Environment, RootModule};
use provender::http::{Client, ClientOptions, Proxies, RetryPolicy};
use provender::ops::{
    Action, ExpiredKeys, Fetcher, InstallRootRequest, Kinds, LockMode, ModuleOrigins, PackageSizes,
    SignaturePolicy, SilentReporter, Summary, install_root,
};
use provender::package::{Enforcement, ModuleLimits};
use provender::registry::{DiscoveryClient, ModuleRegistryClient};
use provender::source::{GitProgram, ModuleGetter, OfflineSource};
use serde_json::Value;

use super::registry_client::{impatient, wait_for};
use super::support::{Report, cases, flag, same, text};
use crate::support::archive::{Member, zip};
use crate::support::{Reply, TestServer, server::Transport};

/// Errors that the cases tell apart and this program tells by their exit code.
const NOT_FOUND: [&str; 5] = [
    // The status is 404 in both cases.
    "archive_http_status",
    "module_not_found",
    "version_not_found",
    "no_modules_service",
    "no_modules_service_version",
];

#[test]
fn modules_are_got_from_registries_as_by_the_tools() {
    let mut report = Report::new("module-registry.json (exchanges)");
    for case in cases("module-registry.json") {
        let kind = text(&case, "type");
        if kind == "version_selection" {
            continue;
        }
        let id = text(&case, "id");
        if id == "location-file-url" {
            report.leave_out(id, "the tool obeys `file:` locations, which are refused here (facts 6.4); tested in `registry`");
            continue;
        }
        if id == "tofu-direct-true" {
            report.leave_out(
                id,
                "a token goes to the registry's API alone, never to archives (design, \"Trust\")",
            );
            continue;
        }
        if id.starts_with("tofu-direct") {
            report.case(id, direct(&case));
            continue;
        }
        let expected = &case["terraform_1.11.4"];
        let outcome = exchange(&case, Tool::Terraform)
            .and_then(|got| compare(&got, expected, true).map_err(|it| format!("terraform: {it}")))
            .and_then(|()| {
                let expected = &case["opentofu"];
                if expected.is_null() {
                    return Ok(());
                }
                let compared =
                    exchange(&case, Tool::Tofu).and_then(|got| compare(&got, expected, false));
                compared.map_err(|it| format!("tofu: {it}"))
            });
        report.case(id, outcome);
    }
    report.finish();
}

/// The cases of OpenTofu's direct mode name nothing but the answer.
fn direct(case: &Value) -> Result<(), String> {
    let mut case = case.clone();
    case["module_source"] = "example.com/x/y/z".into();
    case["service_url"] = "http://127.0.0.1:PORT/m/".into();
    let body = text(&case["download_answer"], "body");
    let body = body.replace("https://example.com/", "http://127.0.0.1:PORT/");
    case["download_answer"]["body"] = body.into();
    let got = exchange(&case, Tool::Tofu)?;
    compare(&got, &case["opentofu"], false)
}

/// What came of one exchange.
struct Got {
    summary: Summary,
    requests: Vec<(String, bool)>,
    manifest: String,
}

fn exchange(case: &Value, tool: Tool) -> Result<Got, String> {
    let is_discovery = text(case, "type") == "discovery";
    let transport = if is_discovery {
        Transport::Tls
    } else {
        Transport::Plain
    };
    let server = TestServer::builder().transport(transport).start();
    let port = server.port().to_string();
    let filled = |text: &str| text.replace("PORT", &port);
    serve(case, &server, &filled);
    let environment = credentials(case, &server);
    let root = tempfile::tempdir().unwrap();
    let source = filled(text(case, "module_source"));
    let call = format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
    std::fs::write(root.path().join("main.tf"), call).unwrap();
    let http = client(&server);
    let services = case["service_url"].as_str().map(filled);
    let config = tempfile::tempdir().unwrap();
    let overrides = services
        .map(|url| host_block("example.com", &url))
        .unwrap_or_default();
    let environment = with_config(environment, config.path(), &overrides);
    let origins = origins(&http, &environment, tool);
    let summary = wait_for(install(root.path(), &origins, &http, tool));
    let manifest = std::fs::read_to_string(root.path().join(".terraform/modules/modules.json"));
    let requests = server.requests().into_iter().map(|request| {
        let has_token = request
            .headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        (format!("{} {}", request.method, request.target), has_token)
    });
    Ok(Got {
        summary: summary?,
        requests: requests.collect(),
        manifest: manifest.unwrap_or_default(),
    })
}

fn host_block(host: &str, url: &str) -> String {
    format!("host \"{host}\" {{\n  services = {{\n    \"modules.v1\" = \"{url}\"\n  }}\n}}\n")
}

fn with_config(mut pairs: Vec<(String, String)>, dir: &Path, blocks: &str) -> Environment {
    let path = dir.join("terraform.rc");
    std::fs::write(&path, blocks).unwrap();
    pairs.push((
        "TF_CLI_CONFIG_FILE".to_owned(),
        path.to_string_lossy().into_owned(),
    ));
    pairs.into_iter().collect()
}

fn credentials(case: &Value, server: &TestServer) -> Vec<(String, String)> {
    let has_some = case["credentials_configured"] == true || text(case, "id") == "credentials";
    if !has_some {
        return Vec::new();
    }
    let numeric = format!("TF_TOKEN_127_0_0_1:{}", server.port());
    let named = "TF_TOKEN_example_com".to_owned();
    [named, numeric]
        .map(|name| (name, "secret".to_owned()))
        .into()
}

fn client(server: &TestServer) -> Client {
    Client::new(ClientOptions {
        ca_files: vec![server.ca_file().to_owned()],
        proxies: Proxies::None,
        ..ClientOptions::default()
    })
    .unwrap()
}

fn origins(http: &Client, environment: &Environment, tool: Tool) -> ModuleOrigins {
    use provender::auth::Credentials;
    use provender::config::CliConfig;
    let config = CliConfig::load(tool, environment, None, Path::new("/"));
    let credentials = Arc::new(Credentials::new(environment, &config));
    let retry = impatient(1);
    let hosts = config.hosts.clone();
    let discovery =
        DiscoveryClient::new(http.clone(), Arc::clone(&credentials), hosts, tool, retry);
    ModuleOrigins {
        registry: Some(ModuleRegistryClient::new(
            http.clone(),
            discovery,
            credentials,
            retry,
        )),
        getter: getter(http, tool),
    }
}

/// A getter that tries once.
pub(super) fn getter(http: &Client, tool: Tool) -> ModuleGetter {
    ModuleGetter {
        http: Some(http.clone()),
        retry: RetryPolicy::none(),
        tool,
        limits: ModuleLimits::default(),
        git: GitProgram::default(),
    }
}

/// Installs the modules of the root module in `dir`.
pub(super) async fn install(
    dir: &Path,
    origins: &ModuleOrigins,
    http: &Client,
    tool: Tool,
) -> Result<Summary, String> {
    let fetcher = Fetcher {
        http,
        retry: RetryPolicy::none(),
        signatures: SignaturePolicy::AsTheSourceRequires,
        expired_keys: ExpiredKeys::Accept,
        cache: None,
        reporter: &SilentReporter,
        sizes: PackageSizes::default(),
    };
    let request = InstallRootRequest {
        root: RootModule::new(dir, &Environment::default(), tool),
        platform: "linux_amd64".parse().unwrap(),
        lock_mode: LockMode::Keep,
        jobs: 2,
        kinds: Kinds::Modules,
        overridden: BTreeMap::new(),
        plugin_cache: None,
    };
    let source = OfflineSource::of_origin(tool, Enforcement::Usual);
    let summary = install_root(&source, origins, &fetcher, &request).await;
    summary.map_err(|error| error.to_string())
}

fn serve(case: &Value, server: &TestServer, filled: &dyn Fn(&str) -> String) {
    let answer = |described: &Value| {
        let status = u16::try_from(described["status"].as_u64().unwrap()).unwrap();
        let body = filled(described["body"].as_str().unwrap_or_default());
        let reply = Reply {
            body: body.into(),
            ..Reply::status(status)
        };
        let headers = described["headers"].as_object().into_iter().flatten();
        headers.fold(reply, |reply, (name, value)| {
            reply.header(name, &filled(value.as_str().unwrap()))
        })
    };
    let usual = serde_json::json!({"status": 200, "headers": {}, "body": "{\"modules\": [{\"versions\": [{\"version\": \"1.0.0\"}]}]}"});
    let versions = case.get("versions_answer").unwrap_or(&usual);
    server.route("/m/x/y/z/versions", answer(versions));
    let direct = Reply::status(204).header("X-Terraform-Get", &server.url("/a.zip"));
    let download = case.get("download_answer").map_or(direct, answer);
    server.route("/m/x/y/z/1.0.0/download", download);
    if let Some(discovery) = case.get("discovery_answer") {
        server.route("/.well-known/terraform.json", answer(discovery));
        let other = serde_json::json!({"status": 200, "headers": {"Content-Type": "application/json"}, "body": "{\"modules.v1\":\"/m/\"}"});
        server.route("/other/terraform.json", answer(&other));
    }
    for path in ["/a.zip", "/package.zip", "/m/x/y/z/1.0.0/package.zip"] {
        server.route(path, Reply::body(zip(&module_files(""))));
    }
    for (path, described) in case["other_answers"].as_object().into_iter().flatten() {
        server.route(path, answer(described));
    }
    let requests = case["terraform_1.11.4"]["requests"]
        .as_array()
        .into_iter()
        .flatten();
    for path in requests.filter_map(|it| it["path"].as_str()) {
        let path = path.split('?').next().unwrap();
        if path.strip_suffix(".zip").is_some() && !path.starts_with("/etc") {
            server.route(path, Reply::body(zip(&module_files(""))));
        }
        if path == "/arch" {
            let tar = super::archive_urls::tar_gz(&[("top/main.tf", ""), ("top/sub/main.tf", "")]);
            server.route(path, Reply::body(tar));
        }
    }
}

fn module_files(prefix: &str) -> Vec<Member> {
    let file = |name: &str| Member {
        name: format!("{prefix}{name}"),
        mode: 0o644,
        content: b"".to_vec(),
    };
    ["main.tf", "a/main.tf", "a/b/main.tf", "b/main.tf"]
        .map(file)
        .into()
}

fn compare(got: &Got, expected: &Value, with_requests: bool) -> Result<(), String> {
    let module = got.summary.modules.first().ok_or("no module")?;
    if flag(expected, "ok") {
        if let Some(error) = &module.error {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            return Err(format!("refused: {error}: {cause:?}"));
        }
        if let Some(dir) = expected["dir"].as_str() {
            let text = format!("\"Version\":\"1.0.0\",\"Dir\":\"{dir}\"");
            same(&got.manifest.contains(&text), &true)
                .map_err(|it| format!("{it}: {}", got.manifest))?;
        }
    } else {
        same(&module.action, &Action::Failed)?;
        let code = module
            .error
            .as_ref()
            .map(provender::failure::Failure::exit_code);
        let is_missing = expected["error"]
            .as_str()
            .is_some_and(|it| NOT_FOUND.contains(&it));
        same(
            &(code == Some(provender::failure::ExitCode::NotFound)),
            &is_missing,
        )
        .or_else(|it| {
            if expected["error"] == "subdir_missing" {
                Ok(())
            } else {
                Err(it)
            }
        })
        .map_err(|it| format!("{it}: {:?}", module.error))?;
    }
    if !with_requests {
        return Ok(());
    }
    let recorded = expected["requests"].as_array().into_iter().flatten();
    let recorded: Vec<(String, bool)> = recorded
        .filter(|it| it["method"] != "HEAD")
        .map(|it| {
            (
                format!("{} {}", text(it, "method"), text(it, "path")),
                flag(it, "authorization"),
            )
        })
        .collect();
    same(&got.requests, &recorded)
}

//! What `explain` shows: as text, and as part of the JSON document.

use serde::Serialize;

use crate::address::Hostname;
use crate::ops::{ExplainedHost, ExplainedMethod, Explanation};
use crate::ui::counted;

/// All that `explain` found out.
#[derive(Debug)]
pub struct ExplanationReport<'e> {
    /// The methods, and what they say.
    pub explanation: &'e Explanation,
    /// The hosts that are asked.
    pub hosts: Vec<HostReport>,
}

/// A host that is asked.
#[derive(Debug)]
pub struct HostReport {
    /// The host.
    pub host: Hostname,
    /// File and line of the `host` block that stands for its discovery.
    pub block: Option<String>,
    /// How its registry was found, if discovery is used and allowed.
    pub discovered: Option<ExplainedHost>,
    /// Which credentials source is used for it, in words; never the token.
    pub credentials: String,
}

/// The explanation in JSON.
#[derive(Debug, Serialize)]
pub(super) struct JsonExplanation {
    address: String,
    dev_override: Option<String>,
    version: Option<String>,
    methods: Vec<JsonMethod>,
    hosts: Vec<JsonHost>,
}

#[derive(Debug, Serialize)]
struct JsonMethod {
    method: String,
    asked: bool,
    reason: String,
    versions: Option<usize>,
    failure: Option<String>,
    serves: Option<String>,
}

#[derive(Debug, Serialize)]
struct JsonHost {
    host: String,
    credentials: String,
    host_block: Option<String>,
    discovery: Vec<String>,
    registry: Option<String>,
    failure: Option<String>,
}

/// The explanation as text, with its last line end.
pub fn explanation_lines(report: &ExplanationReport<'_>) -> String {
    let explanation = report.explanation;
    let mut lines = vec![format!("`{}`", explanation.addr)];
    if let Some(dir) = &explanation.overridden {
        lines.push(format!(
            "is under development: `dev_overrides` take it from `{}`, and `install` leaves it out",
            dir.display()
        ));
    }
    let numbered = explanation.methods.iter().zip(1..);
    lines.extend(numbered.map(|(method, number)| format!("{number}. {}", method_line(method))));
    if explanation.methods.is_empty() {
        lines.push("no installation method is configured".to_owned());
    }
    if let Some(version) = &explanation.version {
        let served = explanation.methods.iter().zip(1..);
        let mut served =
            served.filter_map(|(method, number)| Some((method.serves.as_ref()?, number)));
        lines.push(match served.next() {
            Some((place, number)) => format!("version {version} comes from {number}: `{place}`"),
            None => format!("version {version} would be chosen, and no method has it"),
        });
    }
    lines.extend(report.hosts.iter().flat_map(host_lines));
    lines.join("\n")
}

fn method_line(method: &ExplainedMethod) -> String {
    if !method.is_asked {
        return format!("{}: not asked, {}", method.name, method.reason);
    }
    let answer = match (method.version_count, &method.failure) {
        (Some(count), _) => counted(count, "version"),
        (None, Some(failure)) => failure.clone(),
        (None, None) => "no answer".to_owned(),
    };
    format!("{}: asked, {}; {answer}", method.name, method.reason)
}

fn host_lines(host: &HostReport) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(block) = &host.block {
        lines.push(format!(
            "services of `{}` come from the `host` block in `{block}`",
            host.host
        ));
    }
    if let Some(discovered) = &host.discovered {
        let hops: Vec<String> = discovered
            .hops
            .iter()
            .map(|hop| format!("`{hop}`"))
            .collect();
        if !hops.is_empty() {
            let way = hops.join(", redirected to ");
            lines.push(format!("services of `{}` come from {way}", host.host));
        }
        lines.extend(
            discovered
                .registry
                .iter()
                .map(|url| format!("provider registry of `{}`: `{url}`", host.host)),
        );
        lines.extend(discovered.failure.clone());
    }
    lines.push(format!(
        "credentials for `{}`: {}",
        host.host, host.credentials
    ));
    lines
}

impl JsonExplanation {
    pub(super) fn of(report: &ExplanationReport<'_>) -> Self {
        let explanation = report.explanation;
        let path = |dir: &std::path::PathBuf| dir.display().to_string();
        Self {
            address: explanation.addr.to_string(),
            dev_override: explanation.overridden.as_ref().map(path),
            version: explanation.version.as_ref().map(ToString::to_string),
            methods: explanation.methods.iter().map(JsonMethod::of).collect(),
            hosts: report.hosts.iter().map(JsonHost::of).collect(),
        }
    }
}

impl JsonMethod {
    fn of(method: &ExplainedMethod) -> Self {
        Self {
            method: method.name.clone(),
            asked: method.is_asked,
            reason: method.reason.clone(),
            versions: method.version_count,
            failure: method.failure.clone(),
            serves: method.serves.clone(),
        }
    }
}

impl JsonHost {
    fn of(host: &HostReport) -> Self {
        let discovered = host.discovered.as_ref();
        let hops = discovered.into_iter().flat_map(|it| &it.hops);
        Self {
            host: host.host.to_string(),
            credentials: host.credentials.clone(),
            host_block: host.block.clone(),
            discovery: hops.map(ToString::to_string).collect(),
            registry: discovered.and_then(|it| Some(it.registry.as_ref()?.to_string())),
            failure: discovered.and_then(|it| it.failure.clone()),
        }
    }
}

//! What the JSON document says of problems: the member `findings`.

use serde::Serialize;

use crate::ops::{CacheFinding, Finding};

/// The member; its elements differ by command.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum JsonFindings {
    /// Of `cache verify`.
    Cache(Vec<JsonCacheFinding>),
    /// Of `verify`.
    Verify(Vec<JsonFinding>),
}

/// A problem of the package cache.
#[derive(Debug, Serialize)]
pub(super) struct JsonCacheFinding {
    kind: &'static str,
    packages: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    path: String,
    got: Option<String>,
    expected: String,
}

/// A problem that `verify` found.
#[derive(Debug, Serialize)]
pub(super) struct JsonFinding {
    kind: &'static str,
    address: Option<String>,
    version: Option<String>,
    platform: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    path: Option<String>,
    got: Option<String>,
    expected: Option<String>,
    explanation: Option<String>,
    exit_code: u8,
    fixed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
}

impl JsonFindings {
    pub(super) fn of_cache(findings: &[CacheFinding]) -> Self {
        Self::Cache(findings.iter().map(JsonCacheFinding::of).collect())
    }

    pub(super) fn of_verification(findings: &[Finding]) -> Self {
        Self::Verify(findings.iter().map(JsonFinding::of).collect())
    }
}

impl JsonCacheFinding {
    fn of(finding: &CacheFinding) -> Self {
        let packages = finding.packages.iter();
        Self {
            kind: finding.kind(),
            packages: packages
                .map(|id| format!("{} {} {}", id.addr, id.version, id.platform))
                .collect(),
            module: finding.module.clone(),
            path: finding.damage.path.display().to_string(),
            got: finding.damage.got.clone(),
            expected: finding.damage.expected.clone(),
        }
    }
}

impl JsonFinding {
    fn of(finding: &Finding) -> Self {
        let subject = &finding.subject;
        Self {
            kind: finding.kind.name(),
            address: subject.address(),
            version: subject.version_text(),
            platform: subject.platform.as_ref().map(ToString::to_string),
            key: subject.module.as_ref().map(|module| module.key.clone()),
            path: finding.path.as_ref().map(|path| path.display().to_string()),
            got: finding.got.clone(),
            expected: finding.expected.clone(),
            explanation: finding.explanation.clone(),
            exit_code: finding.kind.exit_code().number(),
            fixed: finding.fixed,
            root: finding.lock.clone(),
        }
    }
}

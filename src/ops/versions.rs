//! `versions`: what a source offers.

use crate::address::ProviderAddr;
use crate::config::ProviderRequest;
use crate::document::OfferedVersion;
use crate::ops::packages::selection::no_matching_version;
use crate::ops::{OpError, Reporter};
use crate::source::Source;
use crate::version::Prereleases;

/// What a source offers of one provider, newest first.
#[derive(Debug)]
pub struct ListedVersions {
    /// The provider.
    pub addr: ProviderAddr,
    /// The versions that meet the constraints.
    pub versions: Vec<OfferedVersion>,
}

/// Lists the versions of the requested provider that meet its constraints; without constraints all,
/// prereleases too.
///
/// # Errors
///
/// If the source cannot answer, or nothing meets the constraints.
pub async fn list_versions(
    source: &dyn Source,
    request: &ProviderRequest,
    reporter: &dyn Reporter,
) -> Result<ListedVersions, OpError> {
    let addr = &request.addr;
    let answer = source.available_versions(addr).await;
    let answer = answer.map_err(|source| OpError::Versions {
        addr: addr.clone(),
        source,
    })?;
    tell_oddities(addr, &answer, reporter);
    let allowed = |offer: &&OfferedVersion| {
        request.constraints.is_empty()
            || request
                .constraints
                .allows(&offer.version, Prereleases::ExactOnly)
    };
    let versions: Vec<_> = answer
        .versions
        .iter()
        .rev()
        .filter(allowed)
        .cloned()
        .collect();
    if versions.is_empty() {
        return Err(no_matching_version(addr, &request.constraints, &answer));
    }
    Ok(ListedVersions {
        addr: addr.clone(),
        versions,
    })
}

/// Shows the registry's warnings, and the version texts that were skipped.
pub(super) fn tell_oddities(
    addr: &ProviderAddr,
    answer: &crate::document::VersionsAnswer,
    reporter: &dyn Reporter,
) {
    for warning in &answer.warnings {
        reporter.warning(&format!(
            "the registry says of `{addr}`: {}",
            shortened(warning, 500)
        ));
    }
    let hidden = answer.warning_count - answer.warnings.len();
    if hidden > 0 {
        reporter.warning(&format!(
            "the registry has {hidden} more warnings about `{addr}`, not shown"
        ));
    }
    if !answer.unparsable.is_empty() {
        let texts = answer.unparsable.iter();
        let texts: Vec<String> = texts
            .map(|text| format!("`{}`", shortened(text, 60)))
            .collect();
        let rest = answer.unparsable_count - texts.len();
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        reporter.warning(&format!(
            "the source lists versions of `{addr}` that cannot be parsed, left out: {}{more}",
            texts.join(", ")
        ));
    }
}

/// A stranger's words on one line and of a bearable length.
fn shortened(text: &str, length: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    match line.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

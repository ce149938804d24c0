//! Choosing versions among those that a source offers (facts/providers 11.9).

use crate::address::ProviderAddr;
use crate::document::VersionsAnswer;
use crate::ops::{Choice, OpError};
use crate::version::{Prereleases, Version, VersionConstraints};

/// The versions of `answer` that `choice` takes, newest first.
///
/// # Errors
///
/// If none will do.
pub(in crate::ops) fn choose(
    addr: &ProviderAddr,
    constraints: &VersionConstraints,
    choice: &Choice,
    prereleases: Prereleases,
    answer: &VersionsAnswer,
) -> Result<Vec<Version>, OpError> {
    let offered = || answer.versions.iter().map(|offer| &offer.version);
    let chosen: Vec<Version> = match choice {
        Choice::Exactly(version) => vec![version.clone()],
        Choice::All => newest_first(constraints.allowed(offered(), prereleases)).collect(),
        Choice::Newest(count) => {
            let allowed = constraints.allowed(offered(), prereleases);
            newest_first(allowed).take(count.get()).collect()
        }
    };
    if chosen.is_empty() {
        return Err(no_matching_version(addr, constraints, answer));
    }
    Ok(chosen)
}

/// The error that nothing offered meets `constraints`.
pub(in crate::ops) fn no_matching_version(
    addr: &ProviderAddr,
    constraints: &VersionConstraints,
    answer: &VersionsAnswer,
) -> OpError {
    let stable = answer
        .versions
        .iter()
        .rfind(|offer| !offer.version.is_prerelease());
    let newest = stable
        .or(answer.versions.last())
        .map(|offer| offer.version.clone());
    let loose = constraints.allowed(
        answer.versions.iter().map(|offer| &offer.version),
        Prereleases::Included,
    );
    OpError::NoMatchingVersion {
        addr: addr.clone(),
        constraints: constraints.clone(),
        newest,
        prereleases: loose.len(),
    }
}

fn newest_first(ascending: Vec<&Version>) -> impl Iterator<Item = Version> {
    ascending.into_iter().rev().cloned()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    fn answer(versions: &[&str]) -> VersionsAnswer {
        let entries: Vec<String> = versions
            .iter()
            .map(|v| format!(r#"{{"version":"{v}"}}"#))
            .collect();
        VersionsAnswer::parse(format!(r#"{{"versions":[{}]}}"#, entries.join(",")).as_bytes())
            .unwrap()
    }

    fn chosen(constraints: &str, choice: &Choice, prereleases: Prereleases) -> Vec<String> {
        let addr = ProviderAddr::parse_canonical("example.com/acme/net").unwrap();
        let answer = answer(&["1.0.0", "1.2.0", "2.0.0-rc1", "1.1.0"]);
        choose(
            &addr,
            &constraints.parse().unwrap(),
            choice,
            prereleases,
            &answer,
        )
        .map(|versions| versions.iter().map(ToString::to_string).collect())
        .unwrap_or_default()
    }

    #[test]
    fn newest_all_and_exact_choices() {
        let newest = |count| Choice::Newest(NonZeroUsize::new(count).unwrap());
        assert_eq!(chosen("", &newest(1), Prereleases::ExactOnly), ["1.2.0"]);
        assert_eq!(
            chosen("< 1.2", &newest(2), Prereleases::ExactOnly),
            ["1.1.0", "1.0.0"]
        );
        assert_eq!(chosen("", &newest(1), Prereleases::Included), ["2.0.0-rc1"]);
        assert_eq!(
            chosen("", &Choice::All, Prereleases::ExactOnly),
            ["1.2.0", "1.1.0", "1.0.0"]
        );
        assert_eq!(chosen("> 2", &Choice::All, Prereleases::ExactOnly), [""; 0]);
        let exact = Choice::Exactly("9.0.0".parse().unwrap());
        assert_eq!(chosen("", &exact, Prereleases::ExactOnly), ["9.0.0"]);
    }
}

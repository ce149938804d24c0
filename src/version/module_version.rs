//! One version of a module, by the looser grammar that module registries are read with (facts/modules 3.4).
//!
//! Unlike versions of providers they may begin with `v`, have any count of numbers, and a prerelease
//! without its hyphen (`1.0.0beta1`). Registries are asked by the normal form, whose alphabet has no separator
//! of paths.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::failure::{ExitCode, Failure};

/// The fewest numbers of a normal form.
const FEWEST_NUMBERS: usize = 3;
/// The most numbers; the tools know no bound.
const MOST_NUMBERS: usize = 64;

/// A version of a module. `Display` prints the normal form, which registries are asked by.
///
/// Equality is that of the text; precedence ignores build metadata.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModuleVersion {
    /// At least three.
    numbers: Vec<u64>,
    /// How many of them were written.
    written: usize,
    pre: String,
    meta: String,
}

impl ModuleVersion {
    /// The prerelease without its hyphen, or empty.
    pub fn pre(&self) -> &str {
        &self.pre
    }

    /// Whether there is a prerelease part.
    pub fn is_prerelease(&self) -> bool {
        !self.pre.is_empty()
    }

    /// The numbers, at least three.
    pub(super) fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// How many numbers were written.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// Compares by precedence, which ignores build metadata. Versions with another count of numbers that
    /// are equal up to zeros are equal whatever their prereleases, as the tools have it.
    pub fn cmp_precedence(&self, other: &Self) -> Ordering {
        if self.numbers == other.numbers {
            return compare_prereleases(&self.pre, &other.pre);
        }
        let longest = self.numbers.len().max(other.numbers.len());
        let number = |version: &Self, index| version.numbers.get(index).copied().unwrap_or(0);
        (0..longest)
            .map(|index| number(self, index).cmp(&number(other, index)))
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    }
}

impl FromStr for ModuleVersion {
    type Err = ModuleVersionError;

    fn from_str(text: &str) -> Result<Self, ModuleVersionError> {
        scan(text).ok_or_else(|| ModuleVersionError(text.to_owned()))
    }
}

fn scan(text: &str) -> Option<ModuleVersion> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (rest, meta) = match text.split_once('+') {
        Some((rest, meta)) if is_parts(meta) => (rest, meta),
        Some(_) => return None,
        None => (text, ""),
    };
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(rest.len());
    let (numbers, pre) = rest.split_at(end);
    let mut numbers: Vec<u64> = numbers
        .split('.')
        .map(|digits| digits.parse().ok())
        .collect::<Option<_>>()?;
    let written = numbers.len();
    if written > MOST_NUMBERS || !is_prerelease(pre) {
        return None;
    }
    numbers.resize(written.max(FEWEST_NUMBERS), 0);
    Some(ModuleVersion {
        numbers,
        written,
        pre: pre.strip_prefix('-').unwrap_or(pre).to_owned(),
        meta: meta.to_owned(),
    })
}

/// With a hyphen anything, without one it may not begin with a digit; nothing at all is fine.
fn is_prerelease(text: &str) -> bool {
    match text.strip_prefix('-') {
        Some(pre) => is_parts(pre) || pre.is_empty(),
        None => text.is_empty() || is_parts(text),
    }
}

fn is_parts(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'~'))
    };
    text.split('.').all(is_part)
}

/// The order of prereleases; an empty one stands for a release and is highest.
fn compare_prereleases(one: &str, other: &str) -> Ordering {
    match (one.is_empty(), other.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let (ones, others): (Vec<&str>, Vec<&str>) =
        (one.split('.').collect(), other.split('.').collect());
    let part = |parts: &[&str], index: usize| parts.get(index).copied().unwrap_or("").to_owned();
    (0..ones.len().max(others.len()))
        .map(|index| compare_parts(&part(&ones, index), &part(&others, index)))
        .find(|order| *order != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

/// Numbers are below words; where one side has ended, it is below a number and above a word.
fn compare_parts(one: &str, other: &str) -> Ordering {
    let number = |part: &str| part.parse::<i64>().ok();
    match (number(one), number(other)) {
        _ if one == other => Ordering::Equal,
        (Some(one), Some(other)) => one.cmp(&other),
        (_, Some(_)) if one.is_empty() => Ordering::Less,
        (_, None) if one.is_empty() => Ordering::Greater,
        (Some(_), _) if other.is_empty() => Ordering::Greater,
        (None, _) if other.is_empty() => Ordering::Less,
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    }
}

impl fmt::Display for ModuleVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.numbers.iter().map(u64::to_string).collect();
        f.write_str(&numbers.join("."))?;
        super::number::write_suffix(f, &self.pre, &self.meta)
    }
}

/// The text is no version of a module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no version of a module")]
pub struct ModuleVersionError(String);

impl Failure for ModuleVersionError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> ModuleVersion {
        text.parse().unwrap()
    }

    #[test]
    fn the_normal_form_is_what_registries_are_asked_by() {
        for (text, normal) in [
            ("v1.0.0", "1.0.0"),
            ("1.1", "1.1.0"),
            ("01.0.0", "1.0.0"),
            ("1.0.0.1", "1.0.0.1"),
            ("1.0.0beta1", "1.0.0-beta1"),
            ("1.0.0-rc.1+b1", "1.0.0-rc.1+b1"),
        ] {
            assert_eq!(version(text).to_string(), normal);
            assert_eq!(version(normal).to_string(), normal);
        }
    }

    #[test]
    fn what_could_leave_a_url_or_is_no_version_is_refused() {
        for text in [
            "",
            "v",
            " 1.0.0",
            "1.0.0/..",
            "1..0",
            "1.0.",
            "1.0.0-a/b",
            "1.0.0+",
            "latest",
            "99999999999999999999",
        ] {
            assert!(text.parse::<ModuleVersion>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn precedence_is_that_of_the_tools() {
        let ascending = [
            "0.9",
            "1.0.0-1",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0",
            "1.0.0.1",
            "1.9",
            "1.10",
        ];
        for pair in ascending.windows(2) {
            assert_eq!(
                version(pair[0]).cmp_precedence(&version(pair[1])),
                Ordering::Less,
                "{pair:?}"
            );
        }
        assert_eq!(
            version("1.0.0+a").cmp_precedence(&version("1")),
            Ordering::Equal
        );
    }
}

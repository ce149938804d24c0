//! The order of prereleases as the tools have it (facts/providers 11.2).
//!
//! It is the order of semantic versioning with one defect: compared part by part, the side that runs
//! out of parts at a step is lower even if the current parts differ, so `z` comes before `a.a`. The
//! defect is kept, since the tools choose by it.

use std::cmp::Ordering;

/// Compares two prerelease texts; an empty one stands for a release and is highest.
pub(super) fn compare_prereleases(one: &str, other: &str) -> Ordering {
    match (one.is_empty(), other.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => steps(one).cmp(steps(other)),
    }
}

/// One step of the comparison: whether more parts follow outranks the part itself.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Step<'t> {
    goes_on: bool,
    part: Part<'t>,
}

/// Numbers are below words; numbers compare by length, then as text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'t> {
    Number(usize, &'t str),
    Word(&'t str),
}

fn steps(text: &str) -> impl Iterator<Item = Step<'_>> {
    let mut parts = text.split('.').peekable();
    std::iter::from_fn(move || {
        let part = parts.next()?;
        Some(Step {
            goes_on: parts.peek().is_some(),
            part: classify(part),
        })
    })
}

fn classify(part: &str) -> Part<'_> {
    if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
        Part::Number(part.len(), part)
    } else {
        Part::Word(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prereleases_ascend_as_for_the_tools() {
        let ascending = [
            "1", "2", "01", "10", "Beta1", "a", "alpha", "beta1", "beta10", "beta2", "z", "1.0",
            "a.a", "a.1.1", "",
        ];
        for pair in ascending.windows(2) {
            let (lower, higher) = (pair[0], pair[1]);
            assert_eq!(
                compare_prereleases(lower, higher),
                Ordering::Less,
                "{lower} {higher}"
            );
            assert_eq!(
                compare_prereleases(higher, lower),
                Ordering::Greater,
                "{higher} {lower}"
            );
        }
    }
}

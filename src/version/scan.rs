//! The grammar of version numbers that versions and constraint terms share (facts/providers 11.1).
//!
//! One to three numbers with dots, then optionally `-PRE`, then optionally `+META`. The tools tolerate
//! a trailing dot and an empty PRE or META at the very end; so does this. Numbers beyond 64 bits crash
//! the tools and are refused here. PRE and META end up in file names: their alphabet has no separator.

/// A version number as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scanned {
    /// One to three numbers.
    pub(super) numbers: Vec<u64>,
    /// The prerelease, or empty.
    pub(super) pre: String,
    /// The build metadata, or empty.
    pub(super) meta: String,
}

impl Scanned {
    /// The number at `index`, if written.
    pub(super) fn number(&self, index: usize) -> Option<u64> {
        self.numbers.get(index).copied()
    }
}

/// What is wrong with a version number; the phrase completes "`TEXT` …".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScanProblem {
    /// There is no text.
    Empty,
    /// A `v` before the number.
    Prefix,
    /// A part that is no number.
    NotANumber,
    /// A number that does not fit 64 bits.
    TooLarge,
    /// More than three numbers.
    TooManyNumbers,
    /// A prerelease or build metadata with other characters than theirs, or none before a `+`.
    Suffix,
}

impl ScanProblem {
    /// The phrase for messages.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Empty => "is empty",
            Self::Prefix => "begins with a `v`",
            Self::NotANumber => "has a part that is no number",
            Self::TooLarge => "has a number that does not fit 64 bits",
            Self::TooManyNumbers => "has more than three numbers",
            Self::Suffix => {
                "has a prerelease or build part with other characters than letters, digits, `.` and `-`"
            }
        }
    }
}

/// Reads a version number; `text` must hold nothing else.
pub(super) fn scan(text: &str) -> Result<Scanned, ScanProblem> {
    if text.is_empty() {
        return Err(ScanProblem::Empty);
    }
    let digits_end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (numbers, suffix) = text.split_at(digits_end);
    let prefixed = text.strip_prefix(['v', 'V']);
    if prefixed.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit())) {
        return Err(ScanProblem::Prefix);
    }
    let numbers = scan_numbers(numbers, suffix.is_empty())?;
    let (pre, meta) = scan_suffix(suffix)?;
    Ok(Scanned { numbers, pre, meta })
}

/// Reads the numbers; `is_whole` says that nothing follows, which is where a trailing dot is tolerated.
fn scan_numbers(text: &str, is_whole: bool) -> Result<Vec<u64>, ScanProblem> {
    let text = if is_whole {
        text.strip_suffix('.').unwrap_or(text)
    } else {
        text
    };
    let numbers: Vec<u64> = text.split('.').map(scan_number).collect::<Result<_, _>>()?;
    if numbers.len() > 3 {
        return Err(ScanProblem::TooManyNumbers);
    }
    Ok(numbers)
}

fn scan_number(digits: &str) -> Result<u64, ScanProblem> {
    if digits.is_empty() {
        return Err(ScanProblem::NotANumber);
    }
    digits.parse().map_err(|_| ScanProblem::TooLarge)
}

/// Reads `[-PRE][+META]`.
fn scan_suffix(text: &str) -> Result<(String, String), ScanProblem> {
    if !text.is_empty() && !text.starts_with(['-', '+']) {
        return Err(ScanProblem::NotANumber);
    }
    let (before, meta) = text.split_once('+').unwrap_or((text, ""));
    let has_meta = text.contains('+');
    let pre = before.strip_prefix('-').unwrap_or("");
    if before == "-" && has_meta {
        return Err(ScanProblem::Suffix);
    }
    if !pre.chars().chain(meta.chars()).all(is_suffix_char) {
        return Err(ScanProblem::Suffix);
    }
    Ok((pre.to_owned(), meta.to_owned()))
}

fn is_suffix_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mistake_is_told_apart() {
        use ScanProblem::{Empty, NotANumber, Prefix, Suffix, TooLarge, TooManyNumbers};
        let cases = [
            ("", Empty),
            ("v1.0", Prefix),
            ("v", NotANumber),
            ("é1", NotANumber),
            ("1.x", NotANumber),
            ("1.-1", NotANumber),
            ("1.0.-beta", NotANumber),
            ("1..0", NotANumber),
            (".", NotANumber),
            ("1.0.0.0", TooManyNumbers),
            ("18446744073709551616", TooLarge),
            ("1.0.0-+a", Suffix),
            ("1.0.0-b_1", Suffix),
            ("1.0.0+a+b", Suffix),
        ];
        for (text, problem) in cases {
            assert_eq!(scan(text), Err(problem), "{text:?}");
        }
    }

    #[test]
    fn refuses_suffixes_that_would_leave_their_directory() {
        for text in [
            "1.0.0/..",
            "1.0.0-../x",
            "1.0.0-a\\b",
            "1.0.0+a/b",
            "1.0.0-\u{2025}",
        ] {
            assert!(scan(text).is_err(), "{text:?}");
        }
    }
}

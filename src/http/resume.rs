//! Whether and how the rest of a cut body can be asked for (RFC 9110, 13.1.5 and 14).

use reqwest::header::{HeaderMap, HeaderValue, IF_RANGE, RANGE};

use crate::http::answer::text;

/// What tells that a file is still the same, byte for byte: a strong entity tag or a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Validator(HeaderValue);

impl Validator {
    /// Takes the validator from the head of a complete answer, if it has one that is strong enough.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        if text(headers, "accept-ranges").is_some_and(|units| units.eq_ignore_ascii_case("none")) {
            return None;
        }
        match headers.get("etag") {
            Some(tag) if tag.as_bytes().starts_with(b"\"") => Some(Self(tag.clone())),
            // A weak tag says that its server does not promise the same bytes.
            Some(_) => None,
            None => Self::of_date(headers),
        }
    }

    /// A date is strong if the file can no longer have changed within the second it names.
    fn of_date(headers: &HeaderMap) -> Option<Self> {
        let modified = httpdate::parse_http_date(text(headers, "last-modified")?).ok()?;
        let now = httpdate::parse_http_date(text(headers, "date")?).ok()?;
        let age = now.duration_since(modified).ok()?;
        (age.as_secs() >= 1).then(|| headers.get("last-modified").cloned().map(Self))?
    }

    /// Adds the headers that ask for everything from `offset` on, if the file is still the same.
    pub(super) fn ask_rest(&self, headers: &mut HeaderMap, offset: u64) {
        ask_rest(headers, offset);
        headers.insert(IF_RANGE, self.0.clone());
    }

    /// Whether a partial answer is of the same file as far as its head tells.
    pub(super) fn fits(&self, headers: &HeaderMap) -> bool {
        ["etag", "last-modified"].iter().all(|name| {
            let is_ours = (*name == "etag") == self.0.as_bytes().starts_with(b"\"");
            !is_ours || headers.get(*name).is_none_or(|value| *value == self.0)
        })
    }
}

/// Adds the header that asks for everything from `offset` on, whatever the file is now.
pub(super) fn ask_rest(headers: &mut HeaderMap, offset: u64) {
    let range = HeaderValue::from_str(&format!("bytes={offset}-"))
        .expect("digits and punctuation are valid in a header");
    headers.insert(RANGE, range);
}

/// The range of a partial answer: `bytes FIRST-LAST/TOTAL`, where the total may be `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentRange {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) total: Option<u64>,
}

impl ContentRange {
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let (unit, range) = text(headers, "content-range")?.trim().split_once(' ')?;
        let (bounds, total) = range.trim().split_once('/')?;
        let (first, last) = bounds.split_once('-')?;
        let range = Self {
            first: number(first)?,
            last: number(last)?,
            total: if total == "*" {
                None
            } else {
                Some(number(total)?)
            },
        };
        let is_sound = range.first <= range.last && range.total.is_none_or(|t| range.last < t);
        (unit.eq_ignore_ascii_case("bytes") && is_sound).then_some(range)
    }

    /// Whether the range is the rest from `offset` on of a file of `total` bytes, where known.
    pub(super) fn continues(&self, offset: u64, total: Option<u64>) -> bool {
        let total = total.or(self.total);
        self.first == offset
            && self.total.is_none_or(|own| Some(own) == total)
            && total.is_none_or(|total| self.last + 1 == total)
    }
}

fn number(text: &str) -> Option<u64> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: (&str, &str) = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");

    fn head(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn only_strong_validators_count() {
        let earlier = ("last-modified", "Sun, 06 Nov 1994 08:49:30 GMT");
        let same = ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT");
        for (pairs, expected) in [
            (vec![("etag", "\"a\"")], Some("\"a\"")),
            (vec![("etag", "W/\"a\"")], None),
            (vec![("etag", "W/\"a\""), earlier, NOW], None),
            (vec![earlier, NOW], Some(earlier.1)),
            (vec![same, NOW], None),
            (vec![earlier], None),
            (vec![("etag", "\"a\""), ("accept-ranges", "none")], None),
            (vec![], None),
        ] {
            let expected = expected.map(|text| Validator(HeaderValue::from_static(text)));
            assert_eq!(Validator::of(&head(&pairs)), expected, "{pairs:?}");
        }
    }

    #[test]
    fn content_ranges_are_read_strictly() {
        let range = |value| ContentRange::of(&head(&[("content-range", value)]));
        let sound = ContentRange {
            first: 5,
            last: 9,
            total: Some(10),
        };
        assert_eq!(range("bytes 5-9/10"), Some(sound));
        assert_eq!(
            range("bytes 5-9/*"),
            Some(ContentRange {
                total: None,
                ..sound
            })
        );
        for value in [
            "bytes 9-5/10",
            "bytes 5-10/10",
            "items 5-9/10",
            "bytes 5-9",
            "bytes */10",
            "bytes +5-9/10",
            "bytes 5-9/99999999999999999999999",
        ] {
            assert_eq!(range(value), None, "{value}");
        }
    }

    #[test]
    fn only_the_exact_rest_continues() {
        let range = |first, last, total| ContentRange { first, last, total };
        for (range, continues) in [
            (range(5, 9, Some(10)), true),
            (range(5, 9, None), true),
            (range(4, 9, Some(10)), false),
            (range(6, 9, Some(10)), false),
            (range(5, 8, Some(10)), false),
            (range(5, 10, Some(11)), false),
        ] {
            assert_eq!(range.continues(5, Some(10)), continues, "{range:?}");
        }
        assert!(range(5, 9, Some(10)).continues(5, None));
        assert!(!range(5, 8, Some(10)).continues(5, None));
    }

    #[test]
    fn partial_answer_with_another_tag_does_not_fit() {
        let validator = Validator::of(&head(&[("etag", "\"a\"")])).unwrap();
        assert!(validator.fits(&head(&[("etag", "\"a\"")])));
        assert!(validator.fits(&head(&[NOW])));
        assert!(!validator.fits(&head(&[("etag", "\"b\"")])));
    }
}

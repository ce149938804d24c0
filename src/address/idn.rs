//! International names: the mapping of UTS 46 in its "lookup" form, for hosts and for the parts of
//! provider addresses (facts/providers 1.3, 1.4, 12.2).
//!
//! The text comes from configurations, lock files and directory names, and ends up in paths and URLs.
//! Known attacks, and the answers:
//!
//! - A look-alike that maps to a dot, a slash or a colon (`‥`, `。`, `／`), to make `..` or another path
//!   after the check: [`Idn::map`] is the last step, and what it gives is checked for empty labels by
//!   the host and for dots by the parts; slashes and colons are refused here.
//! - An encoded name that decodes to something else (`xn--…`): the callers refuse the prefix.

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// A name in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Idn {
    /// ASCII with punycode labels.
    pub(super) ascii: String,
    /// Unicode, normalised and in lower case.
    pub(super) unicode: String,
}

impl Idn {
    /// Maps `text`; `None` if it holds what no host name may hold.
    ///
    /// Label lengths are not checked, as the tools do not check them either.
    pub(super) fn map(text: &str) -> Option<Self> {
        let mapper = Uts46::new();
        let ascii = mapper
            .to_ascii(
                text.as_bytes(),
                AsciiDenyList::STD3,
                Hyphens::Check,
                DnsLength::Ignore,
            )
            .ok()?;
        let (unicode, outcome) =
            mapper.to_unicode(ascii.as_bytes(), AsciiDenyList::STD3, Hyphens::Check);
        outcome.ok()?;
        Some(Self {
            unicode: unicode.into_owned(),
            ascii: ascii.into_owned(),
        })
    }
}

/// Maps `text` the older, transitional way and keeps what cannot be mapped, for messages only.
pub(super) fn lenient(text: &str) -> String {
    let older = text
        .replace('ß', "ss")
        .replace('ς', "σ")
        .replace(['\u{200c}', '\u{200d}'], "");
    let (unicode, outcome) =
        Uts46::new().to_unicode(older.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    match outcome {
        Ok(()) => unicode.into_owned(),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_of_separators_do_not_pass_unseen() {
        for text in ["a／b", "a：80", "a\u{2100}b", "a＠b", "a_b", "a b", "a\0b"] {
            assert_eq!(Idn::map(text), None, "{text:?}");
        }
        // These do pass, as dots: the callers look at what comes out.
        assert_eq!(
            Idn::map("a。b").map(|name| name.unicode),
            Some("a.b".to_owned())
        );
    }

    #[test]
    fn both_forms_name_the_same() {
        let name = Idn::map("MÜNCHEN.de").unwrap();
        assert_eq!(name.ascii, "xn--mnchen-3ya.de");
        assert_eq!(name.unicode, "münchen.de");
    }
}

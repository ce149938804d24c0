//! What a server says of a failure, made fit for a terminal and a page.
//!
//! Hostile input: the server's own words. Control characters are dropped, and no more than a few hundred
//! characters are shown.

use std::fmt;

/// The most characters shown of one text.
const LONGEST: usize = 300;

/// Text of a stranger without control characters, cut at a bearable length.
pub fn clean(text: &str) -> String {
    let harmless = text.chars().filter(|c| !c.is_control());
    let mut shown: String = harmless.take(LONGEST + 1).collect();
    if let Some((end, _)) = shown.char_indices().nth(LONGEST) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// An OAuth error: its code and the server's words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    error: String,
    description: Option<String>,
}

impl Refusal {
    /// Takes `error` and, unless empty, `error_description`.
    pub fn new(error: &str, description: Option<&str>) -> Self {
        let description = description.map(clean).filter(|text| !text.is_empty());
        Self {
            error: clean(error),
            description,
        }
    }

    /// The code, such as `access_denied`.
    pub fn error(&self) -> &str {
        &self.error
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.error)?;
        match &self.description {
            Some(description) => write!(f, " (in its own words: {description})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_floods_are_dropped() {
        let refusal = Refusal::new("a\u{1b}[2Jb", Some("x\r\ny"));
        assert_eq!(refusal.to_string(), "`a[2Jb` (in its own words: xy)");
        assert_eq!(Refusal::new("e", Some("\n")).to_string(), "`e`");
        assert_eq!(clean(&"é".repeat(9999)).chars().count(), LONGEST + 1);
    }
}

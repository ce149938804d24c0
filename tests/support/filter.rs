//! Makes output the same in every run: paths and ports, which differ, become words.

use std::path::Path;

/// Names in front of a port of the test servers.
const LOOPBACK: [&str; 2] = ["localhost:", "127.0.0.1:"];

/// Replacements, applied in the order added, before ports become `[PORT]`.
#[derive(Clone, Debug, Default)]
pub struct Filters(Vec<(String, String)>);

impl Filters {
    /// Replaces `text` by `word`.
    pub fn add(&mut self, text: &str, word: &str) {
        self.0.push((text.to_owned(), word.to_owned()));
    }

    /// Replaces a path by `word`, as given and with its links resolved.
    pub fn add_path(&mut self, path: &Path, word: &str) {
        if let Ok(resolved) = path.canonicalize() {
            self.add(&resolved.to_string_lossy(), word);
        }
        self.add(&path.to_string_lossy(), word);
    }

    /// `text` with everything replaced.
    pub fn apply(&self, text: &str) -> String {
        let text = self
            .0
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        LOOPBACK
            .iter()
            .fold(text, |text, name| without_ports(&text, name))
    }
}

/// `text` with the digits after each `name` replaced by `[PORT]`.
fn without_ports(text: &str, name: &str) -> String {
    let mut pieces = text.split(name);
    let mut filtered = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|letter: char| letter.is_ascii_digit());
        filtered.push_str(name);
        filtered.push_str(if rest.len() == piece.len() {
            ""
        } else {
            "[PORT]"
        });
        filtered.push_str(rest);
    }
    filtered
}

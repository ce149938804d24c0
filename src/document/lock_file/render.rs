//! Lock files as the tools write them, byte for byte (facts/providers 5.8).

use std::fmt::{self, Display, Formatter, Write};

use super::{Locks, ProviderLock};
use crate::address::{ProviderAddr, Tool};

impl Locks {
    /// The exact text that `tool` would write.
    pub fn render(&self, tool: Tool) -> String {
        let blocks: String = self
            .providers
            .iter()
            .map(|(addr, lock)| Block { addr, lock }.to_string())
            .collect();
        let header = header(tool);
        format!("{header}\n# Manual edits may be lost in future updates.\n{blocks}")
    }
}

/// The first line of the file.
fn header(tool: Tool) -> String {
    format!(
        "# This file is maintained automatically by \"{} init\".",
        tool.name()
    )
}

/// The tool that wrote `text`, by its first line; `None` if neither did.
pub fn tool_of_header(text: &str) -> Option<Tool> {
    let first = text.lines().next()?;
    [Tool::Terraform, Tool::Tofu]
        .into_iter()
        .find(|tool| header(*tool) == first)
}

/// One block after its blank line; the equals signs of `version` and `constraints` are aligned.
struct Block<'l> {
    addr: &'l ProviderAddr,
    lock: &'l ProviderLock,
}

impl Display for Block<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let version = Quoted(self.lock.version.to_string());
        writeln!(f, "\nprovider {} {{", Quoted(self.addr.to_string()))?;
        if self.lock.constraints.is_empty() {
            writeln!(f, "  version = {version}")?;
        } else {
            let constraints = Quoted(self.lock.constraints.to_string());
            writeln!(
                f,
                "  version     = {version}\n  constraints = {constraints}"
            )?;
        }
        let hashes = self.lock.sorted_hashes();
        if !hashes.is_empty() {
            writeln!(f, "  hashes = [")?;
            for hash in hashes {
                writeln!(f, "    {},", Quoted(hash.as_str()))?;
            }
            writeln!(f, "  ]")?;
        }
        writeln!(f, "}}")
    }
}

/// A string as HCL quotes it.
pub(in crate::document) struct Quoted<T>(pub(in crate::document) T);

impl<T: AsRef<str>> Display for Quoted<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let mut chars = self.0.as_ref().chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\n' => f.write_str("\\n"),
                '\r' => f.write_str("\\r"),
                '\t' => f.write_str("\\t"),
                '"' | '\\' => write!(f, "\\{c}"),
                // The start of a template is escaped by doubling its first character.
                '$' | '%' if chars.peek() == Some(&'{') => write!(f, "{c}{c}"),
                c if is_printable(c) => f.write_char(c),
                c if u32::from(c) > 0xffff => write!(f, "\\U{:08x}", u32::from(c)),
                c => write!(f, "\\u{:04x}", u32::from(c)),
            }?;
        }
        f.write_char('"')
    }
}

/// Whether the tools write the character as it is; near enough for what hashes and names can hold.
fn is_printable(c: char) -> bool {
    c == ' ' || !(c.is_control() || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_so_that_they_read_back() {
        let cases = [
            ("a\"b\\c", r#""a\"b\\c""#),
            ("a${b}%{c}$d", r#""a$${b}%%{c}$d""#),
            ("\n\r\t\u{1}\u{a0}é", "\"\\n\\r\\t\\u0001\\u00a0é\""),
        ];
        for (text, quoted) in cases {
            assert_eq!(Quoted(text).to_string(), quoted);
            let expression = hcl_edit::parser::parse_expr(quoted).unwrap();
            assert_eq!(expression.as_str(), Some(text));
        }
    }

    #[test]
    fn header_tells_the_tool() {
        for tool in [Tool::Terraform, Tool::Tofu] {
            assert_eq!(tool_of_header(&Locks::default().render(tool)), Some(tool));
        }
        assert_eq!(tool_of_header("# by hand\n"), None);
        assert_eq!(tool_of_header(""), None);
    }
}

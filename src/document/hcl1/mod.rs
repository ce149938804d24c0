//! HCL 1 and its JSON flavour: the language of the tools' CLI configuration (facts/login 6.2, 4.3).
//!
//! HCL 2 parsers refuse it (keys without `=` rules, comma-less lists, Go escapes), so this is a small
//! reader of its own: bytes to a tree with positions, no meaning. Both flavours give the same tree.
//! Nothing is expanded: `${…}` stays text. Writing is not its business.
//!
//! Attacks known, and the answer to each:
//! - *Nesting deep enough to exhaust the stack*: more than [`MAX_DEPTH`] levels are an error.
//! - *A file too large to hold*: more than [`MAX_BYTES`] bytes are refused before they are looked at.
//! - *Text that ends inside a string, comment, heredoc or object*: an error with the place where it
//!   began; the reader always moves forward, so it cannot loop.
//! - *Bytes that are no text* (NUL, a byte order mark, bad UTF-8, lone surrogates): an error.
//! - *Numbers that overflow*: kept as text; only the JSON flavour checks the range that the tools check.
mod escape;
mod heredoc;
mod json;
mod lexer;
mod parser;
mod syntax_error;
mod tree;

pub use parser::{MAX_BYTES, MAX_DEPTH, parse};
pub use syntax_error::SyntaxError;
pub use tree::{Body, Item, Key, Position, Value, ValueKind};

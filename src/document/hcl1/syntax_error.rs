//! Why a text is not HCL 1, and where.

use super::tree::Position;

/// A syntax error: only the first one of a text is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// Where the text stops making sense.
    pub position: Position,
    /// What is wrong there: a lower-case phrase that shows no value of the file, since it may be a token.
    pub message: String,
}

impl SyntaxError {
    pub(super) fn new(position: Position, message: impl Into<String>) -> Self {
        Self {
            position,
            message: message.into(),
        }
    }
}

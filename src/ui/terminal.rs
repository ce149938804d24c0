//! How wide the terminal is that the answer goes to.

use std::io::stdout;

use terminal_size::{Width, terminal_size_of};

/// The columns of the terminal behind stdout; `None` if it is no terminal, where lines may be of any length.
pub fn answer_width() -> Option<usize> {
    let (Width(columns), _) = terminal_size_of(stdout())?;
    Some(usize::from(columns))
}

//! The user at the terminal, or a script in their place: questions of a login, and lines of standard input.

use std::io::{self, BufRead, IsTerminal};

use tokio::sync::mpsc;
use url::Url;

use crate::ops::LoginDialog;
use crate::secret::Secret;
use crate::ui::Printer;

/// No honest line is longer.
const LINE_CAP: u64 = 64 << 10;

/// Asks on the terminal; where there is none, answers are the lines of standard input.
#[derive(Clone)]
pub struct TerminalDialog {
    printer: Printer,
}

impl TerminalDialog {
    /// A dialog that tells by `printer`.
    pub fn new(printer: Printer) -> Self {
        Self { printer }
    }
}

impl LoginDialog for TerminalDialog {
    fn note(&self, text: &str) {
        self.printer.note(text);
    }

    fn warning(&self, text: &str) {
        self.printer.warning(text);
    }

    fn url(&self, url: &Url) {
        self.printer.request(url.as_str());
    }

    fn ask(&self, question: &str) -> io::Result<String> {
        self.printer.prompt(question);
        let line = read_line(&mut io::stdin().lock())?;
        line.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn ask_hidden(&self, question: &str) -> io::Result<Secret> {
        if !io::stdin().is_terminal() {
            // A script knows what it is asked.
            let line = read_line(&mut io::stdin().lock())?;
            return line
                .map(Secret::new)
                .ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
        }
        rpassword::prompt_password(question).map(Secret::new)
    }

    fn lines(&self) -> mpsc::Receiver<Secret> {
        let (sender, lines) = mpsc::channel(1);
        // A thread of its own: nothing can end a read of standard input, and the program does not wait for it.
        std::thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            while let Ok(Some(line)) = read_line(&mut stdin) {
                if sender.blocking_send(Secret::new(line)).is_err() {
                    return;
                }
            }
        });
        lines
    }
}

/// The next line without its end, and without the mark that some shells begin a stream with; none at the end
/// of input. A line that is too long or no UTF-8 is an error: a part of it would be something else.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut capped = io::Read::take(&mut *input, LINE_CAP);
    if capped.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let is_whole = line.ends_with(b"\n") || (line.len() as u64) < LINE_CAP;
    let line = String::from_utf8(line).ok().filter(|_| is_whole);
    let line = line.ok_or(io::ErrorKind::InvalidData)?;
    let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
    Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_floods_are_refused() {
        let mut input = &b"a b\r\nlast"[..];
        assert_eq!(read_line(&mut input).unwrap().as_deref(), Some("a b"));
        assert_eq!(read_line(&mut input).unwrap().as_deref(), Some("last"));
        assert_eq!(read_line(&mut input).unwrap(), None);
        let flood = vec![b'a'; 1 << 20];
        for odd in [flood.as_slice(), b"\xff\xfe\n"] {
            let error = read_line(&mut &*odd).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        }
        let mut marked = "\u{feff}token\r\n".as_bytes();
        assert_eq!(read_line(&mut marked).unwrap().as_deref(), Some("token"));
    }
}

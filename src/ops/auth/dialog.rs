//! How a login talks with its user, without knowing who shows it.

use std::io;
use std::sync::Arc;

use tokio::sync::mpsc;
use url::Url;

use crate::secret::Secret;

/// Asks and tells. Questions block, so they are asked on threads of their own.
pub trait LoginDialog: Send + Sync {
    /// A line of a normal run.
    fn note(&self, text: &str);
    /// Something that the user should know but that stops nothing.
    fn warning(&self, text: &str);
    /// A URL to open, alone on its line, so that people and scripts can take it; shown in any case.
    fn url(&self, url: &Url);
    /// Asks for a line that may be seen.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    fn ask(&self, question: &str) -> io::Result<String>;
    /// Asks for a line that must not be seen.
    ///
    /// # Errors
    ///
    /// If there is no answer; `Interrupted` if the user pressed Ctrl-C.
    fn ask_hidden(&self, question: &str) -> io::Result<Secret>;
    /// The lines of standard input from now on; closed at its end.
    fn lines(&self) -> mpsc::Receiver<Secret>;
}

/// Runs a question on a thread of its own, which nothing waits for if the command is interrupted.
pub(in crate::ops) async fn asked<T: Send + 'static>(
    dialog: &Arc<dyn LoginDialog>,
    question: impl FnOnce(&dyn LoginDialog) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let dialog = Arc::clone(dialog);
    let (sender, answer) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        // Nobody waits any more if the command was interrupted.
        let _ = sender.send(question(dialog.as_ref()));
    });
    answer
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::UnexpectedEof.into()))
}

//! A program that asks its user to do something while it runs.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::process::Outcome;

/// Longer than any program under test takes for its next word.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program with all of its streams at hand; killed when dropped.
pub struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    stdout: Option<JoinHandle<String>>,
}

impl Conversation {
    /// Starts `command`.
    pub fn start(mut command: Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let (sender, lines) = mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        let mut stdout = child.stdout.take().expect("stdout is piped");
        let stderr = thread::spawn(move || {
            let mut all = String::new();
            for line in stderr.lines().map_while(Result::ok) {
                all.push_str(&line);
                all.push('\n');
                // The test may have heard enough.
                let _heard = sender.send(line);
            }
            all
        });
        let stdout = thread::spawn(move || {
            let mut all = String::new();
            let _until_error = stdout.read_to_string(&mut all);
            all
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            stderr: Some(stderr),
            stdout: Some(stdout),
        }
    }

    /// Waits for a line of stderr that fits.
    pub fn line(&self, fits: impl Fn(&str) -> bool) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.expect("the program says what it is waited for");
            if fits(&line) {
                return line;
            }
        }
    }

    /// Waits for the URL that stands alone on its line.
    pub fn url(&self) -> String {
        self.line(|line| line.starts_with("http"))
    }

    /// Writes a line to its standard input.
    pub fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        writeln!(stdin, "{line}").expect("the program reads");
    }

    /// Ends its standard input.
    pub fn hush(&mut self) {
        self.stdin = None;
    }

    /// Sends the signal of Ctrl-C.
    pub fn interrupt(&self) {
        let sent = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        assert!(sent.expect("`kill` is on every Unix").success());
    }

    /// Waits for its end; standard input stays as it is.
    pub fn wait(mut self) -> Outcome {
        let text = |thread: Option<JoinHandle<String>>| {
            thread
                .expect("it is waited for once")
                .join()
                .expect("a reader ends")
        };
        let (stdout, stderr) = (text(self.stdout.take()), text(self.stderr.take()));
        let status = self.child.wait().expect("a child can be waited for");
        Outcome {
            code: status.code().unwrap_or(-1),
            stdout,
            stderr,
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // Both fail only where the program has ended already, which is what is wanted.
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

//! A program under test: started, perhaps interrupted, and what it left on its streams.

use std::fmt;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::filter::Filters;

/// Longer than any program under test runs.
const PATIENCE: Duration = Duration::from_secs(180);

/// How a program ended. Its text is one block, made to be compared as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Exit code; 128 and the number of the signal where one ended the program.
    pub code: i32,
    /// Standard output, filtered.
    pub stdout: String,
    /// Standard error, filtered.
    pub stderr: String,
}

impl Outcome {
    /// Insists on that exit code, and shows everything if it is another.
    #[expect(
        clippy::return_self_not_must_use,
        reason = "the check may be all that is wanted"
    )]
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "unexpected exit code\n{self}");
        self
    }

    /// Standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON on stdout: {error}\n{self}"))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "code: {}\n--- stdout\n{}--- stderr\n{}",
            self.code, self.stdout, self.stderr
        )
    }
}

/// A program that runs; killed when dropped.
pub struct Running {
    child: Child,
    stdout: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
    filters: Filters,
}

impl Running {
    /// Starts `command` with its streams captured.
    pub fn start(mut command: Command, filters: Filters) -> Self {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let stdout = drain(child.stdout.take().expect("stdout is piped"));
        let stderr = drain(child.stderr.take().expect("stderr is piped"));
        Self {
            child,
            stdout,
            stderr,
            filters,
        }
    }

    /// Sends the signal of Ctrl-C.
    pub fn interrupt(&self) {
        let sent = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        assert!(
            sent.expect("`kill` is on every Unix").success(),
            "the program had ended already"
        );
    }

    /// Ends it at once, as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().expect("a running child can be killed");
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        let status = self.child.try_wait().expect("a child can be asked");
        status.is_some()
    }

    /// The most memory that it held so far, in KiB; `None` once it has ended, and where the system does not tell.
    pub fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_ascii_whitespace().nth(1)?.parse().ok()
    }

    /// Waits for its end.
    pub fn wait(mut self) -> Outcome {
        let stdout = self.collect(|running| &running.stdout);
        let stderr = self.collect(|running| &running.stderr);
        let status = self.child.wait().expect("a child can be waited for");
        let code = status.code().unwrap_or_else(|| 128 + signal(status));
        Outcome {
            code,
            stdout: self.filters.apply(&stdout),
            stderr: self.filters.apply(&stderr),
        }
    }

    fn collect(&mut self, stream: impl Fn(&Self) -> &Receiver<Vec<u8>>) -> String {
        let bytes = stream(self).recv_timeout(PATIENCE);
        assert!(bytes.is_ok(), "the program did not end within {PATIENCE:?}");
        String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only where the program has ended already, which is what is wanted.
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Reads a stream to its end on a thread, so that a full pipe never stops the program.
fn drain(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _until_error = stream.read_to_end(&mut bytes);
        // Nobody listens any more after a test has failed.
        let _received = sender.send(bytes);
    });
    receiver
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> i32 {
    std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or_default()
}

#[cfg(not(unix))]
fn signal(_status: std::process::ExitStatus) -> i32 {
    0
}

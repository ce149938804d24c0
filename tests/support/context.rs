//! A sealed place to run programs in: own home, own cache, empty environment, the test authority trusted.
//!
//! ```ignore
//! let registry = TestRegistry::of([ProviderSpec::new("acme/net").version("1.0.0")]);
//! let mut context = TestContext::new(env!("CARGO_BIN_EXE_provender"));
//! context.config(&registry.host_block("registry.example.test"));
//! let outcome = context.run(["mirror", "registry.example.test/acme/net", "--to", "mirror"]).expect_code(0);
//! ```

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::conversation::Conversation;
use super::filter::Filters;
use super::process::{Outcome, Running};
use super::terraform;
use super::tls::CaFile;

/// The sealed place. Everything in it is deleted on drop.
pub struct TestContext {
    root: TempDir,
    binary: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    filters: Filters,
    /// Deleted on drop, so it must live as long as the environment that names it.
    ca: CaFile,
}

impl TestContext {
    /// A new place for runs of `binary`: `env!("CARGO_BIN_EXE_provender")` in tests, [`built_binary`] in examples.
    pub fn new(binary: impl Into<PathBuf>) -> Self {
        let root =
            TempDir::with_prefix("provender-test-").expect("a temporary directory can be made");
        let ca = CaFile::write();
        let mut filters = Filters::default();
        filters.add_path(root.path(), "[TEMP]");
        filters.add_path(ca.path(), "[CA]");
        let mut context = Self {
            root,
            binary: binary.into(),
            environment: BTreeMap::new(),
            filters,
            ca,
        };
        for directory in ["home", "place", "cache", "tmp"] {
            fs::create_dir(context.path(directory)).expect("the temporary directory can be filled");
        }
        context.seal();
        context
    }

    fn seal(&mut self) {
        let ca = self.ca.path().to_owned();
        self.env("HOME", self.path("home"));
        self.env("TMPDIR", self.path("tmp"));
        self.env("PROVENDER_CACHE_DIR", self.path("cache"));
        self.env("SSL_CERT_FILE", ca);
        self.env("CHECKPOINT_DISABLE", "1");
        self.env("PATH", env::var_os("PATH").unwrap_or_default());
    }

    /// A path below the root of the place.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(relative)
    }

    /// The directory that programs run in.
    pub fn work(&self) -> PathBuf {
        self.path("place")
    }

    /// The home directory.
    pub fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// The package cache.
    pub fn cache(&self) -> PathBuf {
        self.path("cache")
    }

    /// Writes a file below the working directory, with the directories that it needs.
    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        write(&self.work().join(relative), content.as_ref())
    }

    /// Reads a text file below the working directory.
    pub fn read(&self, relative: &str) -> String {
        let path = self.work().join(relative);
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
    }

    /// Makes `text` the CLI configuration, through `TF_CLI_CONFIG_FILE`.
    pub fn config(&mut self, text: &str) {
        let file = write(&self.path("cli.tfrc"), text.as_bytes());
        self.env("TF_CLI_CONFIG_FILE", file);
    }

    /// Sets an environment variable for all later runs.
    pub fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) {
        self.environment
            .insert(name.as_ref().to_owned(), value.as_ref().to_owned());
    }

    /// Unsets an environment variable for all later runs.
    pub fn env_remove(&mut self, name: &str) {
        self.environment.remove(OsStr::new(name));
    }

    /// Replaces `text` by `word` in all later outcomes.
    pub fn filter(&mut self, text: &str, word: &str) {
        self.filters.add(text, word);
    }

    /// The binary, ready to run here.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        self.sealed(&self.binary, arguments)
    }

    /// Runs the binary to its end.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Outcome {
        self.spawn(arguments).wait()
    }

    /// Starts the binary.
    pub fn spawn<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Running {
        Running::start(self.command(arguments), self.filters.clone())
    }

    /// Starts the binary with its streams at hand.
    pub fn converse<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Conversation {
        Conversation::start(self.command(arguments))
    }

    /// The outcome with paths and names of this place replaced, as all others are.
    pub fn filtered(&self, outcome: &Outcome) -> Outcome {
        Outcome {
            code: outcome.code,
            stdout: self.filters.apply(&outcome.stdout),
            stderr: self.filters.apply(&outcome.stderr),
        }
    }

    /// Runs the real `terraform` here; `None` where there is none, then the test is to return.
    pub fn terraform<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Option<Outcome> {
        let program = terraform::find()?;
        Some(Running::start(self.sealed(&program, arguments), self.filters.clone()).wait())
    }

    fn sealed<S: AsRef<OsStr>>(
        &self,
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.work())
            .env_clear()
            .envs(&self.environment);
        command
    }
}

/// The `provender` beside the running program, where Cargo does not tell its path: examples lie in a directory beside it.
pub fn built_binary() -> PathBuf {
    let own = env::current_exe().expect("a program knows its own path");
    let directory = own
        .parent()
        .and_then(Path::parent)
        .expect("Cargo puts examples two levels deep");
    directory.join(format!("provender{}", env::consts::EXE_SUFFIX))
}

fn write(path: &Path, content: &[u8]) -> PathBuf {
    let directory = path.parent().expect("a file of the test has a directory");
    fs::create_dir_all(directory).expect("the temporary directory can be filled");
    fs::write(path, content).expect("the temporary directory can be filled");
    path.to_owned()
}

//! A desktop session of its own, with an unlocked keyring that lies in the sealed home.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use super::context::TestContext;

/// A shell script in such a session, ready to run; `None`, said aloud, where the programs for it are not installed.
pub fn session(context: &TestContext, script: &str) -> Option<Command> {
    let (session, _) = (
        program("dbus-run-session")?,
        program("gnome-keyring-daemon")?,
    );
    let unlock = "printf pw | gnome-keyring-daemon --unlock --components=secrets > /dev/null\n";
    let sealed = context.command([""; 0]);
    let environment = sealed
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    let mut command = Command::new(session);
    command
        .args(["--", "sh", "-ec", &format!("{unlock}{script}")])
        .current_dir(context.work())
        .env_clear()
        .envs(environment)
        .env("XDG_RUNTIME_DIR", context.path("tmp"));
    Some(command)
}

/// Where a program is on `PATH`.
fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|file| file.is_file());
    if found.is_none() {
        say_skipped(name);
    }
    found
}

#[expect(clippy::print_stderr, reason = "a test that is skipped must say so")]
fn say_skipped(name: &str) {
    eprintln!("skipped: `{name}` is not on PATH");
}

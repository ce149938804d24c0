//! Showing the login page: which program, and starting it so that it knows no secrets (facts/login 2.4).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use url::Url;

use crate::config::{Environment, environment};

/// A program that shows web pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    program: PathBuf,
    args: Vec<String>,
}

/// Programs that start the user's browser, in the order of the tools. `www-browser` is left out: it is a text browser
/// as often as not, and would fight for the terminal.
const LAUNCHERS: [&str; 3] = ["xdg-open", "x-www-browser", "wslview"];

/// The variables that a browser needs, by name or by beginning; no other is passed on.
const PASSED_ON: [&str; 33] = [
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_",
    "TZ",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_",
    "XAUTHORITY",
    "XDG_",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    "GNOME_",
    "KDE_",
    "QT_",
    "GTK_",
    "GDK_",
    "MOZ_",
    "BROWSER",
    "WSL",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
    "SystemRoot",
    "SYSTEMROOT",
    "windir",
    "ProgramFiles",
    "TEMP",
    "COMSPEC",
];

impl Browser {
    /// The browser of the user, if there is one that shows a window here: `BROWSER` with its arguments, else the
    /// system's launcher. Over SSH, or without a display, the browser is elsewhere.
    pub fn find(environment: &Environment) -> Option<Self> {
        if let Some(chosen) = environment.non_empty(environment::BROWSER) {
            let mut words = chosen.split_whitespace().map(str::to_owned);
            return Some(Self {
                program: PathBuf::from(words.next()?),
                args: words.collect(),
            });
        }
        if cfg!(target_os = "macos") {
            return Some(Self::of("/usr/bin/open", &[]));
        }
        if cfg!(windows) {
            // Not `cmd /c start`, to which characters of the URL would be commands.
            return Some(Self::of("rundll32.exe", &["url.dll,FileProtocolHandler"]));
        }
        let has = |name| environment.non_empty(name).is_some();
        if has(environment::SSH_CONNECTION)
            || !(has(environment::DISPLAY) || has(environment::WAYLAND_DISPLAY))
        {
            return None;
        }
        let path = environment.get(environment::PATH)?;
        let found = |name: &&str| {
            let mut files = std::env::split_paths(path).map(|dir| dir.join(name));
            files.find(|file| file.is_file())
        };
        let program = LAUNCHERS.iter().find_map(found)?;
        Some(Self {
            program,
            args: Vec::new(),
        })
    }

    fn of(program: &str, args: &[&str]) -> Self {
        Self {
            program: PathBuf::from(program),
            args: args.iter().map(ToString::to_string).collect(),
        }
    }

    /// What it is called.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

/// Starts the browser on `url` and does not wait for it. Its streams are closed, so that nothing of it lands on the
/// terminal, and its environment holds no tokens.
///
/// # Errors
///
/// If the program cannot be started, or `url` is neither http nor https.
pub fn open_browser(
    browser: &Browser,
    url: &Url,
    environment: &Environment,
) -> std::io::Result<()> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(std::io::Error::other("only web pages are opened"));
    }
    let variables = environment.iter().filter(|(name, _)| is_passed_on(name));
    let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let mut command = Command::new(&browser.program);
    command
        .args(&browser.args)
        .arg(url.as_str())
        .env_clear()
        .envs(variables)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    detach(&mut command);
    let mut child = command.spawn()?;
    std::thread::spawn(move || {
        // Only to leave no zombie; how it ended is nobody's business.
        let _ = child.wait();
    });
    Ok(())
}

fn is_passed_on(name: &str) -> bool {
    PASSED_ON.iter().any(|known| match known.strip_suffix('_') {
        Some(_) => name.starts_with(known),
        None => name == *known || (*known == "WSL" && name.starts_with("WSL")),
    })
}

/// Ctrl-C in the terminal is for the login, not for the browser.
#[cfg(unix)]
fn detach(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
fn detach(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn detach(_command: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        let pairs = pairs.iter();
        pairs
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn tokens_and_keys_are_not_passed_on() {
        for (name, passed) in [
            ("PATH", true),
            ("XDG_RUNTIME_DIR", true),
            ("WAYLAND_DISPLAY", true),
            ("LC_ALL", true),
            ("TF_TOKEN_example_com", false),
            ("AWS_SECRET_ACCESS_KEY", false),
            ("GITHUB_TOKEN", false),
            ("HTTPS_PROXY", false),
        ] {
            assert_eq!(is_passed_on(name), passed, "{name}");
        }
    }

    #[test]
    fn chosen_browser_keeps_its_arguments() {
        let browser = Browser::find(&environment(&[("BROWSER", "firefox --private-window")]));
        assert_eq!(browser, Some(Browser::of("firefox", &["--private-window"])));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn no_browser_is_started_where_nobody_would_see_it() {
        let path = ("PATH", "/usr/bin:/bin");
        assert_eq!(Browser::find(&environment(&[path])), None);
        let over_ssh = [path, ("DISPLAY", ":10"), ("SSH_CONNECTION", "1 2 3 4")];
        assert_eq!(Browser::find(&environment(&over_ssh)), None);
    }

    #[test]
    fn only_web_pages_are_opened() {
        let browser = Browser::of("/nonexistent/browser", &[]);
        for url in ["file:///etc/passwd", "javascript:alert(1)"] {
            let error = open_browser(&browser, &url.parse().unwrap(), &environment(&[]));
            assert_eq!(
                error.unwrap_err().to_string(),
                "only web pages are opened",
                "{url}"
            );
        }
    }
}

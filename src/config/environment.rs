//! The environment of the process: the only file that reads environment variables.
//!
//! Everything else gets an [`Environment`] value, so that tests choose it and nothing depends on
//! the order of reading. Variables are read as the tools read them: an empty one counts as set
//! only where the documentation of the constant says so.

use std::collections::BTreeMap;

/// The CLI configuration file, instead of all others; empty counts as unset.
pub const TF_CLI_CONFIG_FILE: &str = "TF_CLI_CONFIG_FILE";

/// The old name of [`TF_CLI_CONFIG_FILE`], read only when that is unset or empty.
pub const TERRAFORM_CONFIG: &str = "TERRAFORM_CONFIG";

/// The user's home directory; empty counts as unset.
pub const HOME: &str = "HOME";

/// The base of configuration directories, used by `tofu`; empty counts as unset.
pub const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";

/// Windows: the user's roaming data directory; empty counts as unset.
pub const APPDATA: &str = "APPDATA";

/// The file of user names and passwords for downloads, instead of `~/.netrc`; empty counts as unset.
pub const NETRC: &str = "NETRC";

/// The tools' own package cache, taken as it is; empty counts as unset.
pub const TF_PLUGIN_CACHE_DIR: &str = "TF_PLUGIN_CACHE_DIR";

/// Whether the tools' package cache may be used where the lock file cannot vouch for it: anything but
/// empty and `0` is yes.
pub const TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE: &str =
    "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE";

/// The beginning of the variables that hold a token, `TF_TOKEN_example_com`; an empty one counts as set.
pub const TF_TOKEN_PREFIX: &str = "TF_TOKEN_";

/// The base of data directories on Unix, below which local mirrors lie; empty counts as unset.
pub const XDG_DATA_HOME: &str = "XDG_DATA_HOME";

/// The machine's data directories on Unix, separated by colons, below which local mirrors lie; empty counts
/// as unset.
pub const XDG_DATA_DIRS: &str = "XDG_DATA_DIRS";

/// The variables that name proxies; the HTTP library reads them itself.
pub const PROXIES: [&str; 6] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
];

/// Hosts that are asked without a proxy; the lower-case name counts if this one is unset.
pub const NO_PROXY: &str = "NO_PROXY";

/// As [`NO_PROXY`].
pub const NO_PROXY_LOWER_CASE: &str = "no_proxy";

/// The directory for temporary files on Unix; empty or relative counts as unset.
pub const TMPDIR: &str = "TMPDIR";

/// The directory for temporary files on Windows; empty or relative counts as unset.
pub const TEMP: &str = "TEMP";

/// Further tries of registry requests; only whole numbers above zero count.
pub const TF_REGISTRY_DISCOVERY_RETRY: &str = "TF_REGISTRY_DISCOVERY_RETRY";

/// Seconds that a registry request may take; only whole numbers above zero count.
pub const TF_REGISTRY_CLIENT_TIMEOUT: &str = "TF_REGISTRY_CLIENT_TIMEOUT";

/// Further tries of package downloads; only whole numbers above zero count.
pub const TF_PROVIDER_DOWNLOAD_RETRY: &str = "TF_PROVIDER_DOWNLOAD_RETRY";

/// Seconds that a server may send nothing; only whole numbers above zero count.
pub const PROVENDER_STALL_TIMEOUT: &str = "PROVENDER_STALL_TIMEOUT";

/// The root module's data directory instead of `.terraform`; empty counts as unset.
pub const TF_DATA_DIR: &str = "TF_DATA_DIR";

/// The workspace whose local state counts, instead of the selected one; empty counts as unset.
pub const TF_WORKSPACE: &str = "TF_WORKSPACE";

/// How git connects by ssh; a source's own key is added to it.
pub const GIT_SSH_COMMAND: &str = "GIT_SSH_COMMAND";

/// The beginning of the variables that give a root module's variable a value, `TF_VAR_region`.
pub const TF_VAR_PREFIX: &str = "TF_VAR_";

/// `true`: OpenTofu requires signatures of its own registry, too.
pub const OPENTOFU_ENFORCE_GPG_VALIDATION: &str = "OPENTOFU_ENFORCE_GPG_VALIDATION";

/// `true`: OpenTofu refuses what an expired key has signed.
pub const OPENTOFU_ENFORCE_GPG_EXPIRATION: &str = "OPENTOFU_ENFORCE_GPG_EXPIRATION";

/// The tool to work for, as `--tool`; empty counts as unset.
pub const PROVENDER_TOOL: &str = "PROVENDER_TOOL";

/// The directory of the package cache, as `--cache-dir`; empty counts as unset.
pub const PROVENDER_CACHE_DIR: &str = "PROVENDER_CACHE_DIR";

/// The base of cache directories on Linux and its like; empty counts as unset.
pub const XDG_CACHE_HOME: &str = "XDG_CACHE_HOME";

/// Windows: the user's data directory on this machine; empty counts as unset.
pub const LOCALAPPDATA: &str = "LOCALAPPDATA";

/// The program that shows web pages, with its arguments, instead of the system's; empty counts as unset.
pub const BROWSER: &str = "BROWSER";

/// The X display, without which and without Wayland no browser is started on Linux and its like.
pub const DISPLAY: &str = "DISPLAY";

/// The Wayland display, see [`DISPLAY`].
pub const WAYLAND_DISPLAY: &str = "WAYLAND_DISPLAY";

/// Set in sessions over SSH, where the user's browser is on another machine.
pub const SSH_CONNECTION: &str = "SSH_CONNECTION";

/// Where programs are looked for.
pub const PATH: &str = "PATH";

/// The kind of terminal; `dumb` turns off colours and bars.
pub const TERM: &str = "TERM";

/// Set by CI systems; turns off bars unless empty.
pub const CI: &str = "CI";

/// Turns off colours unless empty.
pub const NO_COLOR: &str = "NO_COLOR";

/// Turns on colours unless empty or `0`.
pub const CLICOLOR_FORCE: &str = "CLICOLOR_FORCE";

/// A snapshot of environment variables (values that are not Unicode are left out).
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    order: Vec<String>,
}

impl Environment {
    /// Takes the snapshot of this process.
    pub fn of_process() -> Self {
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// The value of `name`, even if empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// The value of `name` unless unset or empty.
    pub fn non_empty(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// All variables in the order of the process's environment (later duplicates win in `get`).
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.order
            .iter()
            .map(|name| (name.as_str(), self.variables[name].as_str()))
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        let mut environment = Self::default();
        for (name, value) in pairs {
            if environment.variables.insert(name.clone(), value).is_none() {
                environment.order.push(name);
            }
        }
        environment
    }
}

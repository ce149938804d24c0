//! From files to one configuration: read each, then merge (facts/login 6.5).

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::expansion::expand;
use super::file_settings::{FileSettings, interpret};
use super::installation::ProviderInstallation;
use super::installation_reader::Syntax;
use super::location::{Search, System};
use super::setting::{CredentialsEntry, HelperSetting, HostServices, NotHonoured};
use super::warning::{CliConfigProblem, CliConfigWarning};
use crate::address::{Hostname, Tool};
use crate::config::Environment;
use crate::config::environment;
use crate::disk;
use crate::document::hcl1::{self, Position};

/// The CLI configuration of one tool, all files and variables together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CliConfig {
    /// `host` blocks: each replaces service discovery for its host.
    pub hosts: BTreeMap<Hostname, HostServices>,
    /// `credentials` blocks, those of `credentials.tfrc.json` included.
    pub credentials: BTreeMap<Hostname, CredentialsEntry>,
    /// `credentials_helper` blocks by name; more than one is a warning.
    pub helpers: BTreeMap<String, HelperSetting>,
    /// `provider_installation` blocks; the first counts, and more than one is a warning.
    pub provider_installations: Vec<ProviderInstallation>,
    /// `TF_PLUGIN_CACHE_DIR` as it is, else `plugin_cache_dir` expanded.
    pub plugin_cache_dir: Option<PathBuf>,
    /// Whether the cache may be used where the lock file cannot vouch for it.
    pub plugin_cache_may_break_dependency_lock_file: bool,
    /// Settings of the files that this version reads past.
    pub not_honoured: Vec<NotHonoured>,
    /// What is wrong in the files.
    pub warnings: Vec<CliConfigWarning>,
    /// The files that were read, in the order of reading.
    pub files: Vec<PathBuf>,
}

impl CliConfig {
    /// Finds, reads and merges the configuration of `tool`.
    ///
    /// `home` is the user's home directory, for an environment that names none; a relative file name in
    /// the environment counts from `cwd`, the directory before `--chdir`.
    pub fn load(tool: Tool, environment: &Environment, home: Option<&Path>, cwd: &Path) -> Self {
        let search = Search {
            tool,
            system: System::current(),
            environment,
            home,
            cwd,
        };
        let location = search.locate(Path::exists);
        let mut loader = Loader {
            tool,
            environment,
            config: Self::default(),
        };
        if let Some(main) = &location.main {
            loader.file(main, location.named_by_user);
        }
        for file in loader.directory_files(location.directory.as_deref()) {
            loader.file(&file, false);
        }
        loader.finish()
    }
}

struct Loader<'e> {
    tool: Tool,
    environment: &'e Environment,
    config: CliConfig,
}

impl<'e> Loader<'e> {
    fn warn(&mut self, file: &Path, position: Option<Position>, problem: CliConfigProblem) {
        self.config.warnings.push(CliConfigWarning {
            file: file.to_owned(),
            position,
            problem,
        });
    }

    fn file(&mut self, path: &Path, named_by_user: bool) {
        let bytes = match disk::read_capped(path, hcl1::MAX_BYTES).map_err(|error| error.source) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if named_by_user {
                    self.warn(path, None, CliConfigProblem::Missing);
                }
                return;
            }
            Err(error) => {
                return self.warn(
                    path,
                    None,
                    CliConfigProblem::Unreadable {
                        reason: error.to_string(),
                    },
                );
            }
        };
        self.config.files.push(path.to_owned());
        let body = match hcl1::parse(&bytes) {
            Ok(body) => body,
            Err(error) => {
                let problem = CliConfigProblem::Syntax {
                    message: error.message,
                };
                return self.warn(path, Some(error.position), problem);
            }
        };
        // What the parser goes by, too.
        let syntax = if bytes.trim_ascii_start().starts_with(b"{") {
            Syntax::Json
        } else {
            Syntax::Native
        };
        match interpret(path, self.tool, self.environment, syntax, &body) {
            Ok(settings) => self.merge(path, settings),
            Err(error) => {
                let problem = CliConfigProblem::Type {
                    message: error.message,
                };
                self.warn(path, Some(error.position), problem);
            }
        }
    }

    /// `*.tfrc` and `*.tfrc.json` of the directory in byte order, hidden ones too.
    fn directory_files(&mut self, directory: Option<&Path>) -> Vec<PathBuf> {
        let Some(directory) = directory else {
            return Vec::new();
        };
        let names = std::fs::read_dir(directory).and_then(|entries| {
            entries
                .map(|entry| Ok(entry?.file_name()))
                .collect::<io::Result<Vec<_>>>()
        });
        let mut names = match names {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                let problem = CliConfigProblem::Unreadable {
                    reason: error.to_string(),
                };
                self.warn(directory, None, problem);
                return Vec::new();
            }
        };
        names.retain(|name| {
            let name = name.as_encoded_bytes();
            name.ends_with(b".tfrc") || name.ends_with(b".tfrc.json")
        });
        names.sort();
        names.into_iter().map(|name| directory.join(name)).collect()
    }

    /// Adds a later file: its whole entries replace earlier ones, except that the first file with a
    /// `plugin_cache_dir` keeps it.
    fn merge(&mut self, file: &Path, settings: FileSettings) {
        let config = &mut self.config;
        config.hosts.extend(settings.hosts);
        config.credentials.extend(settings.credentials);
        config.helpers.extend(settings.helpers);
        config
            .provider_installations
            .extend(settings.provider_installations);
        config.not_honoured.extend(settings.not_honoured);
        config.warnings.extend(settings.warnings);
        config.plugin_cache_may_break_dependency_lock_file |=
            settings.plugin_cache_may_break_dependency_lock_file;
        let Some((given, position)) = settings.plugin_cache_dir else {
            return;
        };
        let path = expand(&given, self.environment);
        if self.cache_variable().is_none() {
            self.require_cache_directory(file, Some(position), &path);
        }
        if self.config.plugin_cache_dir.is_none() {
            self.config.plugin_cache_dir = Some(PathBuf::from(path));
        }
    }

    fn cache_variable(&self) -> Option<&'e str> {
        self.environment.non_empty(environment::TF_PLUGIN_CACHE_DIR)
    }

    /// Tells that a plugin cache directory is missing, as the tools do; they make it nevertheless.
    fn require_cache_directory(&mut self, place: &Path, position: Option<Position>, path: &str) {
        if !Path::new(path).exists() {
            let path = path.to_owned();
            let problem = CliConfigProblem::CacheDirectoryMissing { path };
            self.warn(place, position, problem);
        }
    }

    fn finish(mut self) -> CliConfig {
        if let Some(directory) = self.cache_variable() {
            self.require_cache_directory(
                Path::new(environment::TF_PLUGIN_CACHE_DIR),
                None,
                directory,
            );
            self.config.plugin_cache_dir = Some(PathBuf::from(directory));
        }
        self.config.plugin_cache_may_break_dependency_lock_file |= self
            .environment
            .non_empty(environment::TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE)
            .is_some_and(|value| value != "0");
        let helper = self
            .config
            .helpers
            .values()
            .nth(1)
            .map(|helper| helper.place.clone());
        if let Some(place) = helper {
            self.warn(
                &place.file,
                Some(place.position),
                CliConfigProblem::SeveralHelpers,
            );
        }
        let installation = self
            .config
            .provider_installations
            .get(1)
            .map(|block| block.place.clone());
        if let Some(place) = installation {
            let problem = CliConfigProblem::SeveralProviderInstallations;
            self.warn(&place.file, Some(place.position), problem);
        }
        self.config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(tool: Tool, text: &str) -> CliConfig {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(".terraformrc"), text).unwrap();
        CliConfig::load(
            tool,
            &Environment::default(),
            Some(home.path()),
            home.path(),
        )
    }

    #[test]
    fn warnings_show_no_token() {
        for text in [
            "credentials \"example.com\" {\n  token = hunter2\n}",
            "credentials \"example.com\" {\n  token = \"hunter2",
            "credentials \"example.com\" {\n  token = \"hunter2\\q\"\n}",
            "credentials \"example.com\" {\n  token = { a = \"hunter2\" }\n}",
            "credentials = \"hunter2\"",
        ] {
            let config = load(Tool::Terraform, text);
            let told = config.warnings[0].to_string();
            assert!(!told.contains("hunter2"), "{told}");
            assert!(told.contains(".terraformrc:"), "{told}");
        }
    }

    #[test]
    fn of_two_spellings_of_one_host_the_last_wins() {
        let text = "host \"example.com\" {\n}\nhost \"EXAMPLE.com:443\" {\n}\n";
        let config = load(Tool::Tofu, text);
        let places: Vec<usize> = config
            .hosts
            .values()
            .map(|host| host.place.position.line)
            .collect();
        assert_eq!(places, [3]);
    }

    #[test]
    fn settings_that_are_not_honoured_are_told() {
        let text = "registry_protocols {\n}\ncredentials_helper \"x\" {\n}\nfoo = 1\n";
        for (tool, expected) in [
            (Tool::Terraform, vec![]),
            (Tool::Tofu, vec!["registry_protocols"]),
        ] {
            let config = load(tool, text);
            let names: Vec<&str> = config.not_honoured.iter().map(|it| it.name).collect();
            assert_eq!(names, expected);
        }
    }
}

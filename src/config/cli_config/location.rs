//! Where the CLI configuration lies (facts/login 4.1, 6.1).

use std::path::{Path, PathBuf};

use crate::address::Tool;
use crate::config::Environment;
use crate::config::environment;

/// The system whose conventions count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    /// Linux, macOS and the like.
    Unix,
    /// Windows.
    Windows,
}

impl System {
    /// The system that this program was built for.
    pub(super) fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else {
            Self::Unix
        }
    }
}

/// The files to read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Location {
    /// The main file; none if no home directory is known.
    pub(super) main: Option<PathBuf>,
    /// Whether the user named the main file, so that its absence is worth a warning.
    pub(super) named_by_user: bool,
    /// The directory whose `*.tfrc` and `*.tfrc.json` count as well.
    pub(super) directory: Option<PathBuf>,
}

/// What the search looks at.
pub(super) struct Search<'s> {
    pub(super) tool: Tool,
    pub(super) system: System,
    pub(super) environment: &'s Environment,
    /// The home directory where the environment names none.
    pub(super) home: Option<&'s Path>,
    /// The directory in which the program was started, before `--chdir`.
    pub(super) cwd: &'s Path,
}

impl Search<'_> {
    /// Finds the files; `exists` answers for the disk.
    pub(super) fn locate(&self, exists: impl Fn(&Path) -> bool) -> Location {
        let named = self
            .environment
            .non_empty(environment::TF_CLI_CONFIG_FILE)
            .or_else(|| self.environment.non_empty(environment::TERRAFORM_CONFIG));
        if let Some(file) = named {
            // The named file alone counts: not the directory, not the credentials file in it.
            return Location {
                main: Some(self.cwd.join(file)),
                named_by_user: true,
                directory: None,
            };
        }
        match (self.system, self.tool) {
            (System::Unix, Tool::Terraform) => self.unix_terraform(),
            (System::Unix, Tool::Tofu) => self.unix_tofu(exists),
            (System::Windows, tool) => self.windows(tool, exists),
        }
    }

    fn home(&self) -> Option<PathBuf> {
        let home = self
            .environment
            .non_empty(environment::HOME)
            .map(Path::new)
            .or(self.home)?;
        Some(home.to_owned())
    }

    fn unix_terraform(&self) -> Location {
        let Some(home) = self.home() else {
            return Location::default();
        };
        Location {
            main: Some(home.join(".terraformrc")),
            named_by_user: false,
            directory: Some(home.join(".terraform.d")),
        }
    }

    /// An existing file at home hides the XDG one; an existing `~/.terraform.d` hides the XDG directory.
    fn unix_tofu(&self, exists: impl Fn(&Path) -> bool) -> Location {
        let Some(home) = self.home() else {
            return Location::default();
        };
        let xdg = self.environment.non_empty(environment::XDG_CONFIG_HOME);
        let xdg = xdg.map(|directory| Path::new(directory).join("opentofu"));
        let own = home.join(".tofurc");
        let shared = home.join(".terraformrc");
        let main = match &xdg {
            _ if exists(&own) => own,
            _ if exists(&shared) => shared,
            Some(xdg) => xdg.join("tofurc"),
            None => own,
        };
        let at_home = home.join(".terraform.d");
        let directory = match xdg {
            Some(xdg) if !exists(&at_home) => xdg,
            _ => at_home,
        };
        Location {
            main: Some(main),
            named_by_user: false,
            directory: Some(directory),
        }
    }

    /// The tools ask the system for the roaming data directory; `APPDATA` names the same one.
    fn windows(&self, tool: Tool, exists: impl Fn(&Path) -> bool) -> Location {
        let data = match self.environment.non_empty(environment::APPDATA) {
            Some(data) => Some(PathBuf::from(data)),
            None => self.home.map(|home| home.join("AppData").join("Roaming")),
        };
        let Some(data) = data else {
            return Location::default();
        };
        let shared = data.join("terraform.rc");
        let own = data.join("tofu.rc");
        let main = match tool {
            Tool::Terraform => shared,
            Tool::Tofu if !exists(&own) && exists(&shared) => shared,
            Tool::Tofu => own,
        };
        let directory = data.join("terraform.d");
        Location {
            main: Some(main),
            named_by_user: false,
            directory: Some(directory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locate(
        tool: Tool,
        system: System,
        variables: &[(&str, &str)],
        existing: &[&str],
    ) -> Location {
        let environment: Environment = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let search = Search {
            tool,
            system,
            environment: &environment,
            home: Some(Path::new("/passwd")),
            cwd: Path::new("/cwd"),
        };
        search.locate(|path| existing.iter().any(|existing| Path::new(existing) == path))
    }

    #[test]
    fn unix_locations_follow_the_tools() {
        use Tool::{Terraform, Tofu};
        let home = ("HOME", "/h");
        let xdg = ("XDG_CONFIG_HOME", "/x");
        for (tool, variables, existing, main, directory) in [
            (
                Terraform,
                vec![home],
                vec![],
                "/h/.terraformrc",
                "/h/.terraform.d",
            ),
            (
                Terraform,
                vec![home, xdg],
                vec![],
                "/h/.terraformrc",
                "/h/.terraform.d",
            ),
            (
                Terraform,
                vec![("HOME", "")],
                vec![],
                "/passwd/.terraformrc",
                "/passwd/.terraform.d",
            ),
            (Tofu, vec![home], vec![], "/h/.tofurc", "/h/.terraform.d"),
            (
                Tofu,
                vec![home],
                vec!["/h/.terraformrc"],
                "/h/.terraformrc",
                "/h/.terraform.d",
            ),
            (
                Tofu,
                vec![home],
                vec!["/h/.tofurc", "/h/.terraformrc"],
                "/h/.tofurc",
                "/h/.terraform.d",
            ),
            (
                Tofu,
                vec![home, xdg],
                vec![],
                "/x/opentofu/tofurc",
                "/x/opentofu",
            ),
            (
                Tofu,
                vec![home, xdg],
                vec!["/h/.terraform.d"],
                "/x/opentofu/tofurc",
                "/h/.terraform.d",
            ),
            (
                Tofu,
                vec![home, xdg],
                vec!["/h/.tofurc"],
                "/h/.tofurc",
                "/x/opentofu",
            ),
            (
                Tofu,
                vec![home, xdg],
                vec!["/h/.terraformrc"],
                "/h/.terraformrc",
                "/x/opentofu",
            ),
        ] {
            let location = locate(tool, System::Unix, &variables, &existing);
            let case = format!("{tool:?} {variables:?} {existing:?}");
            assert_eq!(location.main.as_deref(), Some(Path::new(main)), "{case}");
            assert_eq!(
                location.directory.as_deref(),
                Some(Path::new(directory)),
                "{case}"
            );
            assert!(!location.named_by_user, "{case}");
        }
    }

    #[test]
    fn a_named_file_replaces_everything() {
        for (variables, main) in [
            (
                vec![("TF_CLI_CONFIG_FILE", "/x"), ("TERRAFORM_CONFIG", "/y")],
                "/x",
            ),
            (
                vec![("TF_CLI_CONFIG_FILE", ""), ("TERRAFORM_CONFIG", "/y")],
                "/y",
            ),
            (vec![("TF_CLI_CONFIG_FILE", "rel/x")], "/cwd/rel/x"),
        ] {
            let location = locate(Tool::Terraform, System::Unix, &variables, &[]);
            assert_eq!(location.main.as_deref(), Some(Path::new(main)));
            assert_eq!((location.named_by_user, location.directory), (true, None));
        }
    }

    #[test]
    fn windows_locations_are_in_the_roaming_directory() {
        let roaming = Path::new("/roaming");
        for (tool, existing, main) in [
            (Tool::Terraform, vec![], "terraform.rc"),
            (Tool::Tofu, vec![], "tofu.rc"),
            (Tool::Tofu, vec!["/roaming/terraform.rc"], "terraform.rc"),
            (
                Tool::Tofu,
                vec!["/roaming/terraform.rc", "/roaming/tofu.rc"],
                "tofu.rc",
            ),
        ] {
            let location = locate(tool, System::Windows, &[("APPDATA", "/roaming")], &existing);
            assert_eq!(location.main, Some(roaming.join(main)));
            assert_eq!(location.directory, Some(roaming.join("terraform.d")));
        }
    }
}

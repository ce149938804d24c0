//! The local mirror directories that the tools look into without any setting (facts/providers 6.7).

use std::path::{Path, PathBuf};

use crate::address::Tool;
use crate::config::{Environment, environment, home_dir, implied_mirror_dir};

/// Where both tools look below the directory in which they were started.
const VENDOR_DIR: &str = "terraform.d/plugins";

/// The implied local mirrors of `tool` that exist, in the order in which they are asked. `started_in` is
/// the directory before `--chdir`.
pub fn implied_mirror_dirs(
    tool: Tool,
    environment: &Environment,
    started_in: &Path,
) -> Vec<PathBuf> {
    let mut dirs = candidates(tool, environment, started_in);
    dirs.retain(|dir| dir.is_dir());
    dirs
}

fn candidates(tool: Tool, environment: &Environment, started_in: &Path) -> Vec<PathBuf> {
    let mut dirs = vec![started_in.join(VENDOR_DIR)];
    dirs.extend(configuration_dir(environment).map(|dir| dir.join("plugins")));
    if tool == Tool::Tofu && cfg!(unix) {
        let data_home = environment.non_empty(environment::XDG_DATA_HOME);
        dirs.extend(data_home.map(|dir| Path::new(dir).join("opentofu/plugins")));
    }
    dirs.extend(implied_mirror_dir(environment));
    if cfg!(target_os = "macos") {
        let shared = "/Library/Application Support/io.terraform/plugins";
        dirs.push(PathBuf::from(shared));
    } else if cfg!(unix) {
        dirs.extend(system_dirs(environment));
    }
    dirs
}

/// `~/.terraform.d`, or `terraform.d` in the roaming data directory.
fn configuration_dir(environment: &Environment) -> Option<PathBuf> {
    if cfg!(windows) {
        let data = environment.non_empty(environment::APPDATA);
        let data = data.map(PathBuf::from).or_else(dirs::data_dir)?;
        return Some(data.join("terraform.d"));
    }
    Some(home_dir(environment)?.join(".terraform.d"))
}

/// The directories of the machine; relative entries are dropped.
fn system_dirs(environment: &Environment) -> Vec<PathBuf> {
    let listed = environment.non_empty(environment::XDG_DATA_DIRS);
    let listed = listed.unwrap_or("/usr/local/share:/usr/share");
    let dirs = listed.split(':').map(Path::new);
    let absolute = dirs.filter(|dir| dir.is_absolute());
    absolute.map(|dir| dir.join("terraform/plugins")).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn texts(tool: Tool, pairs: &[(&str, &str)]) -> Vec<String> {
        let pairs = pairs
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        let dirs = candidates(tool, &pairs.collect(), Path::new("/w"));
        dirs.iter().map(|dir| dir.display().to_string()).collect()
    }

    #[test]
    fn directories_come_in_the_order_of_the_tools() {
        let home = ("HOME", "/h");
        let usual = [
            "/w/terraform.d/plugins",
            "/h/.terraform.d/plugins",
            "/h/.local/share/terraform/plugins",
            "/usr/local/share/terraform/plugins",
            "/usr/share/terraform/plugins",
        ];
        assert_eq!(texts(Tool::Terraform, &[home]), usual);
        assert_eq!(texts(Tool::Tofu, &[home]), usual);
        let xdg = [
            home,
            ("XDG_DATA_HOME", "/d"),
            ("XDG_DATA_DIRS", "relative:/one:/two"),
        ];
        let mut named = vec![
            "/w/terraform.d/plugins",
            "/h/.terraform.d/plugins",
            "/d/terraform/plugins",
            "/one/terraform/plugins",
            "/two/terraform/plugins",
        ];
        assert_eq!(texts(Tool::Terraform, &xdg), named);
        named.insert(2, "/d/opentofu/plugins");
        assert_eq!(texts(Tool::Tofu, &xdg), named);
    }

    #[test]
    fn only_directories_that_exist_count() {
        let root = tempfile::tempdir().unwrap();
        let vendor = root.path().join(VENDOR_DIR);
        std::fs::create_dir_all(&vendor).unwrap();
        let home = root.path().join("h/.terraform.d");
        std::fs::create_dir_all(&home).unwrap();
        std::fs::write(home.join("plugins"), "a file").unwrap();
        let home = root.path().join("h").display().to_string();
        let environment = [
            ("HOME".to_owned(), home),
            ("XDG_DATA_DIRS".to_owned(), "/none".to_owned()),
        ];
        let environment = environment.into_iter().collect();
        let dirs = implied_mirror_dirs(Tool::Terraform, &environment, root.path());
        assert_eq!(dirs, [vendor]);
    }
}

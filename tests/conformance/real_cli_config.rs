//! CLI configuration files of public repositories: each is read, or refused for a reason that is known.
//!
//! They are not part of this repository: see `support::data_dir`.

use std::path::{Path, PathBuf};

use provender::address::Tool;
use provender::config::{CliConfig, Environment, environment};
use provender::document::hcl1;

use super::support::data_dir;

/// Files that the tools refuse as well, and why.
const REFUSED: [(&str, &str); 5] = [
    (
        "Code-Mountains__terraform-provider-vmworkstation-2__.terraformrc",
        "a Windows path with single backslashes",
    ),
    ("GGLucas__configs__.tofurc", "a value without quotes"),
    (
        "GusAntoniassi__configfiles__terraform.rc",
        "two words before `=`",
    ),
    (
        "Jienshakh__netology_terraform__.terraformrc",
        "a saved web page",
    ),
    (
        "stephen-sauer__nsxt-tf-plugin-on-win2012__terraform.rc",
        "a Windows path with single backslashes",
    ),
];

#[test]
fn real_files_are_read_or_refused_with_a_reason() {
    let Some(data) = data_dir() else { return };
    let mut read = 0;
    for path in files(&data.join("cli")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let refused = REFUSED.iter().find(|(file, _)| *file == name);
        match (hcl1::parse(&std::fs::read(&path).unwrap()), refused) {
            (Ok(_), None) => read += 1,
            (Err(error), Some((_, reason))) => println!("{name}: {error} ({reason})"),
            (Ok(_), Some((_, reason))) => panic!("{name}: read, although it has {reason}"),
            (Err(error), None) => panic!("{name}: {}: {error}", error.position),
        }
    }
    assert!(read > 0, "no file was read");
}

/// The warnings are printed: `cargo test --test conformance real_cli -- --nocapture`.
#[test]
fn real_files_give_warnings_and_never_stop_a_run() {
    let Some(data) = data_dir() else { return };
    let mut warned = 0;
    for path in files(&data.join("cli")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let named = (
            environment::TF_CLI_CONFIG_FILE.to_owned(),
            path.to_str().unwrap().to_owned(),
        );
        let tool = if name.contains("tofu") {
            Tool::Tofu
        } else {
            Tool::Terraform
        };
        let environment = Environment::from_iter([named]);
        let config = CliConfig::load(tool, &environment, None, Path::new("/"));
        let is_refused = REFUSED.iter().any(|(file, _)| *file == name);
        assert!(
            !is_refused || !config.warnings.is_empty(),
            "{name}: no warning"
        );
        warned += usize::from(!config.warnings.is_empty());
        for warning in &config.warnings {
            println!(
                "{name}: {}",
                warning.to_string().replace(path.to_str().unwrap(), "FILE")
            );
        }
    }
    assert!(warned >= REFUSED.len());
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            !matches!(
                path.file_name().unwrap().to_str(),
                Some("README.md" | "index.json")
            )
        })
        .collect();
    files.sort();
    files
}

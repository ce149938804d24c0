//! The settings of git for a mirror: repositories are asked for there (facts/modules 6.3).

use super::FarSide;
use super::quoted::quoted_with;

/// Prints the file. Git compares the beginnings of URLs and goes by the longest, so each repository has an entry of
/// its own.
pub(super) fn render(far: &FarSide) -> String {
    let mut text = "# Settings of git for this mirror, written by `provender mirror`.\n# Name this file in GIT_CONFIG_GLOBAL, or include it: git config --global include.path FILE\n".to_owned();
    if let Some(ca_file) = &far.settings.ca_file {
        let url = quoted(far.settings.url.as_str());
        text.extend([format!(
            "\n[http {url}]\n\tsslCAInfo = {}\n",
            quoted(ca_file)
        )]);
    }
    for repository in &far.repositories {
        let parts = ["git"]
            .into_iter()
            .chain(repository.path.iter().map(String::as_str));
        let url = far.url_of(parts);
        text.extend([format!("\n[url {}]\n", quoted(url.as_str()))]);
        for url in &repository.urls {
            text.extend([format!("\tinsteadOf = {}\n", quoted(url))]);
        }
    }
    text
}

/// A value of git.
fn quoted(text: &str) -> String {
    quoted_with(text, "$")
}

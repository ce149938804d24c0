//! Which tool a root module is written for, when the user does not say (`cli.md`, `--tool`).

use std::path::Path;

use crate::address::Tool;
use crate::disk;
use crate::document::lock_file::{LOCK_FILE_NAME, tool_of_header};

/// A lock file is a few hundred bytes a provider.
const LOCK_FILE_CAP: u64 = 16 << 20;

/// The tool of the root module in `dir`: a `.tofu` file tells, else the lock file's header, else
/// its hosts, else it is Terraform.
pub fn detect_tool(dir: &Path) -> Tool {
    if has_tofu_file(dir) {
        return Tool::Tofu;
    }
    let lock_file = disk::read_capped(&dir.join(LOCK_FILE_NAME), LOCK_FILE_CAP);
    lock_file
        .ok()
        .and_then(|bytes| tool_of_lock_file(&bytes))
        .unwrap_or_default()
}

fn has_tofu_file(dir: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        !name.starts_with('.') && (name.ends_with(".tofu") || name.ends_with(".tofu.json"))
    })
}

fn tool_of_lock_file(bytes: &[u8]) -> Option<Tool> {
    let text = String::from_utf8_lossy(bytes);
    if let Some(tool) = tool_of_header(&text) {
        return Some(tool);
    }
    let names = |tool: Tool| text.contains(&format!("\"{}/", tool.default_host()));
    match (names(Tool::Terraform), names(Tool::Tofu)) {
        (false, true) => Some(Tool::Tofu),
        (true, false) => Some(Tool::Terraform),
        (true, true) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(files: &[(&str, &str)]) -> Tool {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        detect_tool(dir.path())
    }

    #[test]
    fn tofu_files_lock_headers_and_hosts_tell() {
        let lock = LOCK_FILE_NAME;
        let entry = "provider \"registry.opentofu.org/hashicorp/null\" {}";
        assert_eq!(detected(&[]), Tool::Terraform);
        assert_eq!(detected(&[("main.tofu", "")]), Tool::Tofu);
        assert_eq!(detected(&[(".hidden.tofu", "")]), Tool::Terraform);
        assert_eq!(
            detected(&[(
                lock,
                "# This file is maintained automatically by \"tofu init\"."
            )]),
            Tool::Tofu
        );
        assert_eq!(detected(&[(lock, entry)]), Tool::Tofu);
        let terraform =
            format!("# This file is maintained automatically by \"terraform init\".\n{entry}");
        assert_eq!(detected(&[(lock, &terraform)]), Tool::Terraform);
    }
}

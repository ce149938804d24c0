//! The CLI configuration of Terraform and OpenTofu for a mirror (facts/modules 6.2, facts/providers 8).

use super::FarSide;
use super::quoted::quoted_with;

/// Prints the file. A `host` block replaces discovery, so the registry's own host need not be reachable.
pub(super) fn render(far: &FarSide) -> String {
    let mut text = "# Settings of terraform and tofu for this mirror, written by `provender mirror`.\n# Name this file in TF_CLI_CONFIG_FILE.\n".to_owned();
    if far.has_providers {
        text.extend([format!(
            "\nprovider_installation {{\n  network_mirror {{\n    url = {}\n  }}\n}}\n",
            quoted(far.settings.url.as_str())
        )]);
    }
    for host in &far.registries {
        let url = far.url_of(["modules", host, ""]);
        text.extend([format!(
            "\nhost {} {{\n  services = {{\n    \"modules.v1\" = {}\n  }}\n}}\n",
            quoted(host),
            quoted(url.as_str())
        )]);
    }
    text
}

/// A string of HCL 1, where `${` begins an interpolation.
fn quoted(text: &str) -> String {
    quoted_with(text, "\\u0024")
}

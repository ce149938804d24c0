//! Which file of a package is the plugin (facts/providers 3.13).

/// Whether a file of this name in the root of a package can be the plugin of a provider of type `ty`:
/// `terraform-provider-TYPE`, followed by nothing, `_…` or `.…`.
pub fn is_plugin_name(name: &str, ty: &str) -> bool {
    let rest = name
        .strip_prefix("terraform-provider-")
        .and_then(|rest| rest.strip_prefix(ty));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugin_is_told_by_its_name() {
        for name in [
            "terraform-provider-net",
            "terraform-provider-net_v1.0.0_x5",
            "terraform-provider-net.exe",
        ] {
            assert!(is_plugin_name(name, "net"), "{name}");
        }
        for name in [
            "terraform-provider-network",
            "terraform-provider-ne",
            "Terraform-provider-net",
            "net",
            "",
        ] {
            assert!(!is_plugin_name(name, "net"), "{name}");
        }
    }
}

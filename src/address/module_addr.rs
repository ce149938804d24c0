//! A module package in a registry: `HOST/NAMESPACE/NAME/SYSTEM` (facts/modules 1.3).
//!
//! All parts end up in URLs and, later, in paths; the alphabets leave no separator and no dot.

use std::fmt;

use super::{Hostname, ModuleSourceError, Tool};

/// The longest namespace, name or target system.
const LONGEST_PART: usize = 64;
/// Hosts of shorthands for version control, which are never registries.
const RESERVED_HOSTS: [&str; 2] = ["github.com", "bitbucket.org"];

/// The address of a module package in a registry. `Display` prints it with the host always, in its Unicode
/// form; case of namespace and name is kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleAddr {
    hostname: Hostname,
    namespace: String,
    name: String,
    target_system: String,
}

impl ModuleAddr {
    /// The host of the registry.
    pub fn hostname(&self) -> &Hostname {
        &self.hostname
    }

    /// The namespace, case kept.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The name, case kept.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The target system, such as `aws`.
    pub fn target_system(&self) -> &str {
        &self.target_system
    }

    /// The address as `tool` users write it: without the default host.
    pub fn for_display(&self, tool: Tool) -> String {
        if self.hostname.for_display() == tool.default_host() {
            return format!("{}/{}/{}", self.namespace, self.name, self.target_system);
        }
        self.to_string()
    }

    /// Parses `[HOST/]NAMESPACE/NAME/SYSTEM` with the default host of `tool`.
    ///
    /// # Errors
    ///
    /// Refuses text of another shape, and invalid parts: the host first, then the others in order.
    pub fn parse(text: &str, tool: Tool) -> Result<Self, ModuleSourceError> {
        let parts: Vec<&str> = text.split('/').collect();
        let (hostname, parts) = match parts[..] {
            [namespace, name, system] => (default_host(text, tool)?, [namespace, name, system]),
            [host, namespace, name, system] => {
                (registry_host(text, host)?, [namespace, name, system])
            }
            _ => return Err(ModuleSourceError::Components(text.to_owned())),
        };
        let [namespace, name, system] = parts;
        if !is_name(namespace) {
            return Err(bad_namespace(text, namespace));
        }
        if !is_name(name) {
            return Err(ModuleSourceError::Name {
                text: text.to_owned(),
                name: name.to_owned(),
            });
        }
        if !is_system(system) {
            return Err(bad_system(text, system));
        }
        Ok(Self {
            hostname,
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            target_system: system.to_owned(),
        })
    }
}

fn default_host(text: &str, tool: Tool) -> Result<Hostname, ModuleSourceError> {
    let host = tool.default_host();
    host.parse().map_err(|source| ModuleSourceError::Host {
        text: text.to_owned(),
        source,
    })
}

fn registry_host(text: &str, host: &str) -> Result<Hostname, ModuleSourceError> {
    let hostname: Hostname = host.parse().map_err(|source| {
        let text = text.to_owned();
        // Two hyphens in a row are most often an encoded name.
        if host.contains("--") {
            return ModuleSourceError::EncodedHost { text, source };
        }
        ModuleSourceError::Host { text, source }
    })?;
    if !hostname.for_comparison().contains('.') {
        return Err(ModuleSourceError::HostWithoutDot {
            text: text.to_owned(),
            host: host.to_owned(),
        });
    }
    if RESERVED_HOSTS.contains(&hostname.for_comparison()) {
        return Err(ModuleSourceError::ReservedHost {
            text: text.to_owned(),
            host: hostname,
        });
    }
    Ok(hostname)
}

fn bad_namespace(text: &str, namespace: &str) -> ModuleSourceError {
    let text = text.to_owned();
    if namespace.contains('.') {
        return ModuleSourceError::TooFewAfterHost(text);
    }
    ModuleSourceError::Namespace {
        text,
        namespace: namespace.to_owned(),
    }
}

fn bad_system(text: &str, system: &str) -> ModuleSourceError {
    let text = text.to_owned();
    if system.contains('?') {
        return ModuleSourceError::Query(text);
    }
    ModuleSourceError::TargetSystem {
        text,
        system: system.to_owned(),
    }
}

fn is_name(part: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = part.as_bytes();
    bytes.len() <= LONGEST_PART
        && bytes.iter().all(|byte| inner(*byte))
        && ends(bytes.first())
        && ends(bytes.last())
}

fn is_system(part: &str) -> bool {
    (1..=LONGEST_PART).contains(&part.len())
        && part
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

impl fmt::Display for ModuleAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            hostname,
            namespace,
            name,
            target_system,
        } = self;
        write!(f, "{hostname}/{namespace}/{name}/{target_system}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_address_parses_back() {
        for text in [
            "A-b/c_d/aws",
            "Example.com:8443/a/b/c",
            "испытание.com/a/b/c",
        ] {
            let addr = ModuleAddr::parse(text, Tool::Tofu).unwrap();
            assert_eq!(
                ModuleAddr::parse(&addr.to_string(), Tool::Terraform).unwrap(),
                addr,
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_parts_that_would_leave_their_directory() {
        for text in [
            "a/../b",
            "../a/b",
            "a/b/..",
            "example.com/../b/c",
            "a/b\\c/d",
            "a/b/c%2f",
        ] {
            assert!(ModuleAddr::parse(text, Tool::Terraform).is_err(), "{text}");
        }
    }

    #[test]
    fn the_default_host_is_left_out_for_its_tool() {
        let addr = ModuleAddr::parse("a/b/c", Tool::Tofu).unwrap();
        assert_eq!(addr.for_display(Tool::Tofu), "a/b/c");
        assert_eq!(
            addr.for_display(Tool::Terraform),
            "registry.opentofu.org/a/b/c"
        );
    }
}

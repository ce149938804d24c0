//! Module sources: local paths, registry addresses, everything else (facts/modules 1.1 to 1.6).
//!
//! Texts come from configurations, manifests and registries. What could leave a package's directory is
//! refused here or told by [`leaves_package`](super::leaves_package).

use std::fmt;

use super::module_subdir::{self, clean_path};
use super::{ModuleAddr, ModuleSourceError, RemoteModule, Tool};

/// Where a module is. `Display` prints the normal form, which is what manifests hold and what is
/// compared; it may contain secrets (see [`ModuleSource::shown`]).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModuleSource {
    /// A directory of the caller's package: a relative path with `/` that begins `./` or `../`.
    Local(String),
    /// A package of a registry.
    Registry(RegistryModule),
    /// Anything that a getter fetches.
    Remote(RemoteModule),
}

/// A registry's package and a directory in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegistryModule {
    /// The package.
    pub addr: ModuleAddr,
    /// The module's directory in it, with `/`; empty for the package itself.
    pub subdir: String,
}

impl ModuleSource {
    /// Classifies and normalises the source of a call without `version`.
    ///
    /// # Errors
    ///
    /// If the text is neither local nor an address in a registry nor a remote source.
    pub fn parse(text: &str, tool: Tool) -> Result<Self, ModuleSourceError> {
        if text.is_empty() {
            return Err(ModuleSourceError::Empty);
        }
        if is_local(text) {
            return Ok(Self::Local(normal_local(text)));
        }
        // A text is a registry address exactly if it parses as one (facts 1.1).
        if let Ok(module) = RegistryModule::parse(text, tool) {
            return Ok(Self::Registry(module));
        }
        RemoteModule::parse(text, tool).map(Self::Remote)
    }

    /// Parses the source of a call with a `version`, which can only be a registry's.
    ///
    /// # Errors
    ///
    /// If the text is no address in a registry.
    pub fn parse_versioned(text: &str, tool: Tool) -> Result<Self, ModuleSourceError> {
        if is_local(text) {
            return Err(ModuleSourceError::LocalPath(text.to_owned()));
        }
        RegistryModule::parse(text, tool).map(Self::Registry)
    }

    /// The normal form without secrets, for messages.
    pub fn shown(&self) -> String {
        match self {
            Self::Remote(module) => module.shown(),
            Self::Local(_) | Self::Registry(_) => self.to_string(),
        }
    }

    /// The module's directory in its package; empty for the package itself and for local modules.
    pub fn subdir(&self) -> &str {
        match self {
            Self::Local(_) => "",
            Self::Registry(module) => &module.subdir,
            Self::Remote(module) => module.subdir(),
        }
    }
}

impl RegistryModule {
    /// Parses `[HOST/]NAMESPACE/NAME/SYSTEM[//SUBDIR]`.
    fn parse(text: &str, tool: Tool) -> Result<Self, ModuleSourceError> {
        let split = module_subdir::split(text);
        if split.subdir.starts_with("../") {
            return Err(ModuleSourceError::SubdirOutside(text.to_owned()));
        }
        let addr = ModuleAddr::parse(&split.package, tool)?;
        Ok(Self {
            addr,
            subdir: split.subdir,
        })
    }
}

impl fmt::Display for RegistryModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&module_subdir::join(&self.addr.to_string(), &self.subdir))
    }
}

impl fmt::Display for ModuleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(path) => f.write_str(path),
            Self::Registry(module) => module.fmt(f),
            Self::Remote(module) => module.fmt(f),
        }
    }
}

fn is_local(text: &str) -> bool {
    ["./", "../", ".\\", "..\\"]
        .iter()
        .any(|prefix| text.starts_with(prefix))
}

/// Cleans a local path; the quirk that `..` alone gets `./` before it shows in manifests (facts 1.2).
fn normal_local(text: &str) -> String {
    let clean = clean_path(&text.replace('\\', "/"));
    if clean.starts_with("../") {
        clean
    } else {
        format!("./{clean}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_form_parses_back_to_itself() {
        for text in [
            "./",
            "..\\",
            "../../x/../y",
            "hashicorp/consul/aws//a/../b",
            "github.com/a/b/c?ref=x",
            "git@h.com:a/b.git//m?ref=a/b",
            "/tmp/a//b",
            "bucket.s3.amazonaws.com/foo.zip",
        ] {
            for tool in [Tool::Terraform, Tool::Tofu] {
                let source = ModuleSource::parse(text, tool).unwrap();
                let again = ModuleSource::parse(&source.to_string(), tool).unwrap();
                assert_eq!(again, source, "{text}");
            }
        }
    }
}

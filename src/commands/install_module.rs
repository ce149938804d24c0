//! `provender install` with the address of a module.

use std::path::Path;

use crate::address::{RegistryModule, clean_path};
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::report::report;
use crate::config::ModuleRequest;
use crate::failure::ExitCode;
use crate::ops::{InstallModuleRequest, SignaturePolicy, install_module};
use crate::ui::ProgressReporter;

/// Whether an argument is meant for a module, with or without a directory in its package.
pub(super) fn is_module(text: &str) -> bool {
    ModuleRequest::is_meant(&without_subdir(text).0)
}

/// Installs the module `text` names, such as `acme/vpc/aws//modules/x@~>5.0`, into `dir`.
pub(super) async fn run(
    context: &Context<'_>,
    text: &str,
    dir: &Path,
) -> Result<Option<ExitCode>, CommandError> {
    let (address, subdir) = without_subdir(text);
    let request = ModuleRequest::parse(&address, context.tool)?;
    let request = InstallModuleRequest {
        module: RegistryModule {
            addr: request.addr,
            subdir,
        },
        constraints: request.constraints,
        dir: context.path(dir),
        tool: context.tool,
    };
    let network = context.network(PackagesFrom::Methods)?;
    let reporter = ProgressReporter::new(context.printer.clone());
    let cache = context.cache_to_fill();
    let policy = SignaturePolicy::AsTheSourceRequires;
    let fetcher = network.fetcher(&reporter, policy, cache.as_ref());
    let summary = install_module(&network.modules, &fetcher, &request).await?;
    drop(reporter);
    Ok(report(context, "install", &summary))
}

/// The address with its constraint, and the directory that stood between them.
fn without_subdir(text: &str) -> (String, String) {
    let (address, constraint) = match text.split_once('@') {
        Some((address, constraint)) => (address, format!("@{constraint}")),
        None => (text, String::new()),
    };
    match address.split_once("//") {
        Some((address, subdir)) if !subdir.is_empty() => {
            (format!("{address}{constraint}"), clean_path(subdir))
        }
        Some((address, _)) => (format!("{address}{constraint}"), String::new()),
        None => (text.to_owned(), String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_stand_between_address_and_constraint() {
        for (text, address, subdir) in [
            ("a/b/c", "a/b/c", ""),
            ("a/b/c@~> 1.0", "a/b/c@~> 1.0", ""),
            ("a/b/c//x/../y@1", "a/b/c@1", "y"),
            ("h.example/a/b/c//x", "h.example/a/b/c", "x"),
            ("a/b/c//", "a/b/c", ""),
            ("a/b/c//../x", "a/b/c", "../x"),
        ] {
            let expected = (address.to_owned(), subdir.to_owned());
            assert_eq!(without_subdir(text), expected, "{text}");
            assert!(is_module(text), "{text}");
        }
        for text in ["a", "a/b", "h.example/a/b", "a/b@1"] {
            assert!(!is_module(text), "{text}");
        }
    }
}

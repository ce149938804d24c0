//! Which local modules a directory calls, as far as that can be told where its configuration is wrong.

use std::collections::BTreeSet;
use std::path::Path;

use super::file_set::FileSet;
use super::problem::ScanError;
use super::scanner::{ModuleKind, scan_module};
use super::source_file::SourceFile;
use crate::address::Tool;

/// The sources of the local modules that the configuration in `directory` and its tests call, such as
/// `./net`; `None` if there is no configuration.
///
/// Calls in a configuration that is wrong are looked for in its text, comments not told apart: enough to
/// see which directories somebody may call, never to install something.
///
/// # Errors
///
/// If the directory cannot be listed.
pub fn local_calls(directory: &Path, tool: Tool) -> Result<Option<BTreeSet<String>>, ScanError> {
    match scan_module(directory, tool, ModuleKind::Root) {
        Ok(scan) => {
            let local = scan
                .module_calls
                .iter()
                .filter_map(|call| call.local_path());
            let local = local.map(str::to_owned).collect();
            Ok((!scan.files.is_empty()).then_some(local))
        }
        Err(ScanError::Invalid { .. }) => in_the_text_of(directory, tool),
        Err(error) => Err(error),
    }
}

fn in_the_text_of(directory: &Path, tool: Tool) -> Result<Option<BTreeSet<String>>, ScanError> {
    let listed = FileSet::list(directory, tool, ModuleKind::Root);
    let files = listed.map_err(|source| ScanError::Directory {
        directory: directory.to_owned(),
        source,
    })?;
    let all = files.primary.iter().chain(&files.overrides);
    let readable = all.chain(&files.tests).filter_map(|file| {
        // One that cannot be read is told when its module is installed.
        SourceFile::read(directory, file).ok()
    });
    let sources = readable.flat_map(|file| local_sources(file.text()));
    let sources = sources.collect();
    Ok((!files.is_empty()).then_some(sources))
}

/// Everything in `text` that is written like `source = "./net"` or `"source": "../net"`.
fn local_sources(text: &str) -> Vec<String> {
    let after_each = text.split("source").skip(1);
    let sources = after_each.filter_map(|rest| {
        let rest = rest.strip_prefix('"').unwrap_or(rest).trim_start();
        let value = rest.strip_prefix(['=', ':'])?.trim_start();
        let (source, _) = value.strip_prefix('"')?.split_once('"')?;
        let is_local = source.starts_with("./") || source.starts_with("../");
        is_local.then(|| source.to_owned())
    });
    sources.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(files: &[(&str, &str)]) -> Option<Vec<String>> {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        let calls = local_calls(directory.path(), Tool::Terraform).unwrap();
        calls.map(|calls| calls.into_iter().collect())
    }

    const CALL: &str = "module \"m\" {\n  source = \"./m\"\n}\n";

    #[test]
    fn calls_of_configuration_and_tests_are_found() {
        assert_eq!(calls(&[("readme", "")]), None);
        assert_eq!(calls(&[("a.tf", "")]), Some(Vec::new()));
        let far = "module \"far\" {\n  source = \"acme/far/any\"\n}\n";
        let test = "run \"r\" {\n  module {\n    source = \"./setup\"\n  }\n}\n";
        assert_eq!(
            calls(&[("a.tf", CALL), ("b.tf", far), ("t.tftest.hcl", test)]).unwrap(),
            ["./m", "./setup"]
        );
    }

    #[test]
    fn calls_of_wrong_configuration_are_found_in_its_text() {
        let json = "{\"module\": {\"n\": {\"source\": \"../n\"}}}";
        let wrong = "module \"o\" {\n  source=\"../../o\"\n  version = \"1.0\"\n}\nx {";
        let found = calls(&[("a.tf", CALL), ("b.tf.json", json), ("c.tf", wrong)]);
        assert_eq!(found.unwrap(), ["../../o", "../n", "./m"]);
        assert_eq!(calls(&[("t.tftest.hcl", "run {")]), None);
    }
}

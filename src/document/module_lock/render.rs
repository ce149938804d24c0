//! Module locks as they are written: blocks by key, their equals signs aligned as `terraform fmt` does.

use std::fmt::{self, Display, Formatter};

use super::{LockedModule, ModuleLock};
use crate::document::PackageIdentity;
use crate::document::lock_file::Quoted;

/// The first lines of the file.
const HEADER: &str = "\
# `provender lock` writes this file, which tells what each called module is. Keep it in version control beside
# `.terraform.lock.hcl`. What is changed by hand may be lost.
";

impl ModuleLock {
    /// The text of the file.
    pub fn render(&self) -> String {
        let blocks = self.calls.iter();
        let blocks = blocks.map(|(key, module)| Block { key, module }.to_string());
        HEADER.to_owned() + &blocks.collect::<String>()
    }
}

/// One block after its blank line.
struct Block<'l> {
    key: &'l str,
    module: &'l LockedModule,
}

impl Display for Block<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let arguments = arguments(self.module);
        let width = arguments.iter().map(|(name, _)| name.len()).max();
        let width = width.unwrap_or_default();
        writeln!(f, "\nmodule {} {{", Quoted(self.key))?;
        for (name, value) in arguments {
            writeln!(f, "  {name:width$} = {}", Quoted(value))?;
        }
        writeln!(f, "}}")
    }
}

fn arguments(module: &LockedModule) -> Vec<(&'static str, String)> {
    let mut arguments = vec![("source", module.source.clone())];
    let version = module.version.as_ref();
    arguments.extend(version.map(|version| ("version", version.to_string())));
    match &module.identity {
        PackageIdentity::Commit(commit) => arguments.push(("commit", commit.to_string())),
        PackageIdentity::Archive(digest) => arguments.push(("archive", format!("sha256:{digest}"))),
        PackageIdentity::Directory => {}
    }
    arguments.push(("hash", module.hash.to_string()));
    let directory = module.directory.iter().cloned();
    arguments.extend(directory.map(|directory| ("directory", directory)));
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_sorted_and_aligned() {
        let mut lock = ModuleLock::default();
        for (key, version, identity) in [
            (
                "vpc.inner",
                Some("v1.2"),
                PackageIdentity::Archive("0a".repeat(32).parse().unwrap()),
            ),
            (
                "vpc",
                None,
                PackageIdentity::Commit("1b".repeat(20).parse().unwrap()),
            ),
            ("B", None, PackageIdentity::Directory),
        ] {
            let module = LockedModule {
                source: "a${b".to_owned(),
                version: version.map(|version| version.parse().unwrap()),
                identity,
                hash: "h1:x".parse().unwrap(),
                directory: (key == "vpc").then(|| "a/b".to_owned()),
            };
            lock.calls.insert(key.to_owned(), module);
        }
        let digest = "0a".repeat(32);
        let commit = "1b".repeat(20);
        let expected = format!(
            "
module \"B\" {{
  source = \"a$${{b\"
  hash   = \"h1:x\"
}}

module \"vpc\" {{
  source    = \"a$${{b\"
  commit    = \"{commit}\"
  hash      = \"h1:x\"
  directory = \"a/b\"
}}

module \"vpc.inner\" {{
  source  = \"a$${{b\"
  version = \"1.2.0\"
  archive = \"sha256:{digest}\"
  hash    = \"h1:x\"
}}
"
        );
        assert_eq!(lock.render().strip_prefix(HEADER).unwrap(), expected);
        assert_eq!(ModuleLock::default().render(), HEADER);
    }
}

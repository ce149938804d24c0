//! Which files of a directory belong to its module (facts/modules 5.1).

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::scanner::ModuleKind;
use crate::address::Tool;

/// The syntax of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Native,
    Json,
}

/// A file's name below the module directory, with `/`, and its syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileName {
    pub(super) name: String,
    pub(super) syntax: Syntax,
}

/// The files of one module, each group in name order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FileSet {
    /// The configuration proper.
    pub(super) primary: Vec<FileName>,
    /// Files that override it afterwards.
    pub(super) overrides: Vec<FileName>,
    /// Test files, of root modules only.
    pub(super) tests: Vec<FileName>,
}

impl FileSet {
    /// Lists `directory`.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be listed; a missing `tests` directory is none.
    pub(super) fn list(directory: &Path, tool: Tool, kind: ModuleKind) -> io::Result<Self> {
        let names = regular_files(directory)?;
        let configuration = |wanted: &dyn Fn(&str) -> bool| {
            without_shadowed(names.iter().filter(|name| wanted(name)).cloned().collect())
        };
        let suffixes = configuration_suffixes(tool);
        let is_override = |name: &str| is_override(name, suffixes);
        let belongs = |name: &str| with_suffix(name, suffixes).is_some();
        let tests = match kind {
            ModuleKind::Root => test_files(directory, &names, tool)?,
            ModuleKind::Child => Vec::new(),
        };
        Ok(Self {
            primary: configuration(&|name| belongs(name) && !is_override(name)),
            overrides: configuration(&|name| belongs(name) && is_override(name)),
            tests,
        })
    }

    /// Whether there is no configuration, tests aside.
    pub(super) fn is_empty(&self) -> bool {
        self.primary.is_empty() && self.overrides.is_empty()
    }
}

fn configuration_suffixes(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::Terraform => &[".tf", ".tf.json"],
        Tool::Tofu => &[".tf", ".tf.json", ".tofu", ".tofu.json"],
    }
}

fn test_suffixes(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::Terraform => &[".tftest.hcl", ".tftest.json"],
        Tool::Tofu => &[
            ".tftest.hcl",
            ".tftest.json",
            ".tofutest.hcl",
            ".tofutest.json",
        ],
    }
}

/// The name before a suffix of the list; suffixes are compared with case.
pub(super) fn with_suffix<'n>(name: &'n str, suffixes: &[&str]) -> Option<&'n str> {
    suffixes.iter().find_map(|suffix| name.strip_suffix(suffix))
}

/// Regular files (links followed) whose names are not ignored, in byte order.
///
/// Names that are not Unicode cannot be messages' subject; the tools would read them, nobody has them.
fn regular_files(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let is_file = entry
            .path()
            .metadata()
            .is_ok_and(|metadata| metadata.is_file());
        if is_file && !is_ignored(&name) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

fn is_override(name: &str, suffixes: &[&str]) -> bool {
    with_suffix(name, suffixes)
        .is_some_and(|base| base == "override" || base.ends_with("_override"))
}

/// Test files lie in the directory and in `tests`, not deeper.
fn test_files(directory: &Path, names: &[String], tool: Tool) -> io::Result<Vec<FileName>> {
    const TESTS: &str = "tests";
    let below = match regular_files(&directory.join(TESTS)) {
        Ok(names) => names,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Vec::new()
        }
        Err(error) => return Err(error),
    };
    let below = below.iter().map(|name| format!("{TESTS}/{name}"));
    let is_test = |name: &String| with_suffix(name, test_suffixes(tool)).is_some();
    Ok(without_shadowed(
        names.iter().cloned().chain(below).filter(is_test).collect(),
    ))
}

/// Drops each file that has an OpenTofu sibling: `a.tf` beside `a.tofu`, but not beside `a.tofu.json`.
fn without_shadowed(names: Vec<String>) -> Vec<FileName> {
    const PAIRS: [(&str, &str); 4] = [
        (".tf", ".tofu"),
        (".tf.json", ".tofu.json"),
        (".tftest.hcl", ".tofutest.hcl"),
        (".tftest.json", ".tofutest.json"),
    ];
    let present: BTreeSet<String> = names.iter().cloned().collect();
    let is_shadowed = |name: &String| {
        PAIRS.iter().any(|(shared, own)| {
            name.strip_suffix(shared)
                .is_some_and(|base| present.contains(&format!("{base}{own}")))
        })
    };
    names
        .into_iter()
        .filter(|name| !is_shadowed(name))
        .map(|name| {
            let syntax = if with_suffix(&name, &[".json"]).is_some() {
                Syntax::Json
            } else {
                Syntax::Native
            };
            FileName { name, syntax }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[FileName]) -> Vec<&str> {
        files.iter().map(|file| file.name.as_str()).collect()
    }

    fn directory_with(files: &[&str]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for file in files {
            let path = directory.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        directory
    }

    #[test]
    fn configuration_files_are_told_by_their_names() {
        let directory = directory_with(&[
            "b.tf",
            "a.tf.json",
            ".h.tf",
            "x.tf~",
            "#x.tf#",
            "#y.tf",
            "~n.tf",
            "C.TF",
            "override.tf",
            "b_override.tf.json",
            "xoverride.tf",
            "z.tofu",
            "d.tf/inner.tf",
            "t.tftest.hcl",
            "readme",
        ]);
        let set = FileSet::list(directory.path(), Tool::Terraform, ModuleKind::Root).unwrap();
        assert_eq!(
            names(&set.primary),
            ["#y.tf", "a.tf.json", "b.tf", "xoverride.tf", "~n.tf"]
        );
        assert_eq!(names(&set.overrides), ["b_override.tf.json", "override.tf"]);
        assert_eq!(names(&set.tests), ["t.tftest.hcl"]);
    }

    #[test]
    fn tofu_files_shadow_only_their_own_siblings() {
        let directory = directory_with(&[
            "a.tf",
            "a.tofu",
            "b.tf.json",
            "b.tofu",
            "c_override.tf",
            "c_override.tofu",
        ]);
        let set = FileSet::list(directory.path(), Tool::Tofu, ModuleKind::Child).unwrap();
        assert_eq!(names(&set.primary), ["a.tofu", "b.tf.json", "b.tofu"]);
        assert_eq!(names(&set.overrides), ["c_override.tofu"]);
    }

    #[test]
    fn test_files_count_for_root_modules_only() {
        let files = [
            "tests/a.tftest.json",
            "tests/.h.tftest.hcl",
            "tests/deep/b.tftest.hcl",
            "c.tofutest.hcl",
        ];
        let directory = directory_with(&files);
        let list = |tool, kind| FileSet::list(directory.path(), tool, kind).unwrap().tests;
        assert_eq!(
            names(&list(Tool::Terraform, ModuleKind::Root)),
            ["tests/a.tftest.json"]
        );
        assert_eq!(
            names(&list(Tool::Tofu, ModuleKind::Root)),
            ["c.tofutest.hcl", "tests/a.tftest.json"]
        );
        assert_eq!(
            names(&list(Tool::Tofu, ModuleKind::Child)),
            Vec::<&str>::new()
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_device_under_a_configuration_name_is_not_opened() {
        let directory = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/zero", directory.path().join("zero.tf")).unwrap();
        let set = FileSet::list(directory.path(), Tool::Terraform, ModuleKind::Root).unwrap();
        assert_eq!(set, FileSet::default());
    }
}

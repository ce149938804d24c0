//! Which format the archive of a module source has (facts/modules 4.1): told by the URL alone, never by the
//! content.

use std::fmt;

use crate::address::Tool;

/// A format that holds a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleFormat {
    /// `zip`
    Zip,
    /// `tar.gz`, `tgz`
    TarGz,
    /// `tar.bz2`, `tar.tbz2`, `tbz2`
    TarBz2,
    /// `tar.xz`, `txz`
    TarXz,
}

/// What a URL says of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatChoice {
    /// An archive.
    Archive(ModuleFormat),
    /// One compressed file, which no module is: `gz`, `bz2`, `xz`.
    SingleFile,
    /// No archive: the server is asked where the module is.
    None,
}

/// The keys and their meanings, longer ones before those that they end with.
const KEYS: [(&str, FormatChoice); 11] = [
    ("tar.gz", FormatChoice::Archive(ModuleFormat::TarGz)),
    ("tar.bz2", FormatChoice::Archive(ModuleFormat::TarBz2)),
    ("tar.tbz2", FormatChoice::Archive(ModuleFormat::TarBz2)),
    ("tar.xz", FormatChoice::Archive(ModuleFormat::TarXz)),
    ("tgz", FormatChoice::Archive(ModuleFormat::TarGz)),
    ("tbz2", FormatChoice::Archive(ModuleFormat::TarBz2)),
    ("txz", FormatChoice::Archive(ModuleFormat::TarXz)),
    ("zip", FormatChoice::Archive(ModuleFormat::Zip)),
    ("gz", FormatChoice::SingleFile),
    ("bz2", FormatChoice::SingleFile),
    ("xz", FormatChoice::SingleFile),
];

/// `tbz2` alone is missing in OpenTofu's table.
const NOT_OF_TOFU: &str = "tbz2";

impl FormatChoice {
    /// The choice for a URL's path and the value of its `archive` key, if it has one.
    pub fn of(path: &str, archive: Option<&str>, tool: Tool) -> Self {
        let mut keys = KEYS
            .iter()
            .filter(|(key, _)| tool == Tool::Terraform || *key != NOT_OF_TOFU);
        let found = match archive.filter(|value| !value.is_empty()) {
            // Anything that is no key means none: `false` and `0`, but `true` and `ZIP` too.
            Some(value) => keys.find(|(key, _)| *key == value),
            None => keys.find(|(key, _)| {
                path.strip_suffix(key)
                    .is_some_and(|before| before.ends_with('.'))
            }),
        };
        found.map_or(Self::None, |(_, choice)| *choice)
    }
}

impl fmt::Display for ModuleFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zip => "zip",
            Self::TarGz => "tar.gz",
            Self::TarBz2 => "tar.bz2",
            Self::TarXz => "tar.xz",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ending_and_the_archive_key_decide() {
        use FormatChoice::{Archive, None as No, SingleFile};
        for (path, archive, tool, expected) in [
            ("/a.tar.gz", None, Tool::Tofu, Archive(ModuleFormat::TarGz)),
            ("/a.gz", None, Tool::Tofu, SingleFile),
            (
                "/a.tbz2",
                None,
                Tool::Terraform,
                Archive(ModuleFormat::TarBz2),
            ),
            ("/a.tbz2", None, Tool::Tofu, No),
            (
                "/a.tar.tbz2",
                None,
                Tool::Tofu,
                Archive(ModuleFormat::TarBz2),
            ),
            ("/azip", None, Tool::Tofu, No),
            ("/a.ZIP", None, Tool::Tofu, No),
            (
                "/a.tar.gz",
                Some("zip"),
                Tool::Tofu,
                Archive(ModuleFormat::Zip),
            ),
            ("/a.zip", Some("false"), Tool::Tofu, No),
            ("/a.zip", Some("true"), Tool::Tofu, No),
            ("/a.tar", None, Tool::Tofu, No),
        ] {
            assert_eq!(
                FormatChoice::of(path, archive, tool),
                expected,
                "{path} {archive:?}"
            );
        }
    }
}

//! What a mirror directory has of modules, by name: versions of the static registry, repositories, archives, pages.
//!
//! Hostile input: the directory may be shared. Links are not followed; only names that parse count, and whatever does
//! not fit is told as stray.

use std::path::{Path, PathBuf};

use crate::address::{Hostname, ModuleAddr, PackagePlace, Tool};
use crate::disk::{self, DiskError, TEMP_PREFIX};
use crate::store::ModuleMirror;
use crate::store::module_mirror::{
    ARCHIVE_NAME, DOWNLOAD_NAME, EVIDENCE_NAME, EVIDENCE_SUFFIX, PAGE_NAME, VERSIONS_NAME,
};
use crate::version::ModuleVersion;

/// How deep paths of repositories and archives may be.
const DEEPEST: usize = 64;

/// Everything that a mirror has of modules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleInventory {
    /// Versions of modules and their directories.
    pub modules: Vec<(ModuleAddr, ModuleVersion, PathBuf)>,
    /// Modules, of which there may be no version, and their lists of versions.
    pub lists: Vec<(ModuleAddr, PathBuf)>,
    /// Bare repositories.
    pub repositories: Vec<(PackagePlace, PathBuf)>,
    /// Archives.
    pub archives: Vec<(PackagePlace, PathBuf)>,
    /// Pages that send on, by the place that they answer for.
    pub pages: Vec<(PackagePlace, PathBuf)>,
    /// What fits nowhere.
    pub stray: Vec<PathBuf>,
}

impl ModuleInventory {
    /// Looks through the modules of `mirror`. Blocks.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn of(mirror: &ModuleMirror) -> Result<Self, DiskError> {
        let mut inventory = Self::default();
        inventory.take_registry(&mirror.registry_dir(), &mut Vec::new())?;
        inventory.take_repositories(&mirror.repositories_dir(), &mut Vec::new())?;
        inventory.take_archives(&mirror.archives_dir(), &mut Vec::new())?;
        Ok(inventory)
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty() && self.repositories.is_empty() && self.archives.is_empty()
    }

    /// `HOST/NAMESPACE/NAME/SYSTEM`, then what is there of the module.
    fn take_registry(&mut self, dir: &Path, above: &mut Vec<String>) -> Result<(), DiskError> {
        for (name, path) in entries(dir)? {
            if !is_directory(&path) {
                self.stray.push(path);
                continue;
            }
            above.push(name);
            if let [_, _, _, _] = &above[..] {
                let host = Hostname::lenient_display(&above[0]);
                let text = format!("{host}/{}", above[1..].join("/"));
                match ModuleAddr::parse(&text, Tool::Terraform) {
                    Ok(addr) => self.take_module(&addr, &path)?,
                    Err(_) => self.stray.push(path),
                }
            } else {
                self.take_registry(&path, above)?;
            }
            above.pop();
        }
        Ok(())
    }

    fn take_module(&mut self, addr: &ModuleAddr, dir: &Path) -> Result<(), DiskError> {
        self.lists.push((addr.clone(), dir.join(VERSIONS_NAME)));
        for (name, path) in entries(dir)? {
            let version = name.parse::<ModuleVersion>().ok();
            let version = version.filter(|version| version.to_string() == name);
            match version.filter(|_| is_directory(&path)) {
                Some(version) => {
                    for (name, file) in entries(&path)? {
                        if ![ARCHIVE_NAME, DOWNLOAD_NAME, EVIDENCE_NAME].contains(&name.as_str()) {
                            self.stray.push(file);
                        }
                    }
                    self.modules.push((addr.clone(), version, path));
                }
                None if name == VERSIONS_NAME => {}
                None => self.stray.push(path),
            }
        }
        Ok(())
    }

    fn take_repositories(&mut self, dir: &Path, above: &mut Vec<String>) -> Result<(), DiskError> {
        for (name, path) in entries(dir)? {
            let is_repository =
                !above.is_empty() && Path::new(&name).extension().is_some_and(|it| it == "git");
            above.push(name);
            if !is_directory(&path) || above.len() > DEEPEST {
                self.stray.push(path);
            } else if is_repository {
                let place = PackagePlace::from_parts(above.clone());
                self.repositories.push((place, path));
            } else {
                self.take_repositories(&path, above)?;
            }
            above.pop();
        }
        Ok(())
    }

    fn take_archives(&mut self, dir: &Path, above: &mut Vec<String>) -> Result<(), DiskError> {
        for (name, path) in entries(dir)? {
            if name.ends_with(EVIDENCE_SUFFIX) {
                let name = name.trim_end_matches(EVIDENCE_SUFFIX).to_owned();
                let of = path.with_file_name(&name);
                // What is gone is told with its archive's name.
                if !of.is_file() && !above.is_empty() {
                    let parts = above.iter().cloned().chain([name]).collect();
                    self.archives.push((PackagePlace::from_parts(parts), of));
                }
                continue;
            }
            if is_directory(&path) && above.len() < DEEPEST {
                above.push(name);
                self.take_archives(&path, above)?;
                above.pop();
            } else if name == PAGE_NAME && above.len() > 1 {
                let place = PackagePlace::from_parts(above.clone());
                self.pages.push((place, path));
            } else if above.is_empty() || is_link(&path) {
                self.stray.push(path);
            } else {
                let parts = above.iter().cloned().chain([name]).collect();
                self.archives.push((PackagePlace::from_parts(parts), path));
            }
        }
        Ok(())
    }
}

/// The entries of a directory, sorted, without our own temporary files; none if it is not there.
fn entries(dir: &Path) -> Result<Vec<(String, PathBuf)>, DiskError> {
    if !is_directory(dir) {
        return Ok(Vec::new());
    }
    let mut names = disk::file_names(dir)?;
    names.retain(|name| !name.starts_with(TEMP_PREFIX));
    names.sort_unstable();
    let with_path = |name: String| {
        let path = dir.join(&name);
        (name, path)
    };
    Ok(names.into_iter().map(with_path).collect())
}

fn is_directory(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|found| found.is_symlink())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_file_has_its_place_or_is_stray() {
        let root = tempfile::tempdir().unwrap();
        for file in [
            "modules/h.example/acme/vpc/aws/versions",
            "modules/h.example/acme/vpc/aws/1.0.0/module.zip",
            "modules/h.example/acme/vpc/aws/1.0.0/download",
            "modules/h.example/acme/vpc/aws/1.0.0/evidence.json",
            "modules/h.example/acme/vpc/aws/1.0.0/.provender-x.tmp",
            "modules/h.example/acme/vpc/aws/1.0.0/notes",
            "modules/h.example/acme/vpc/aws/v1/module.zip",
            "modules/h.example/acme/vpc/AWS/versions",
            "modules/notes",
            "git/h.example/acme/net.git/HEAD",
            "git/h.example/notes",
            "archives/h.example/a/b.zip",
            "archives/h.example/a/b.zip.evidence.json",
            "archives/h.example/a/c.zip.evidence.json",
            "archives/h.example/vpc/index.html",
            "archives/notes",
        ] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let inventory = ModuleInventory::of(&ModuleMirror::new(root.path())).unwrap();
        let below = |path: &Path| {
            path.strip_prefix(root.path())
                .unwrap()
                .display()
                .to_string()
        };
        let stray: Vec<_> = inventory.stray.iter().map(|path| below(path)).collect();
        assert_eq!(
            stray,
            [
                "modules/h.example/acme/vpc/AWS",
                "modules/h.example/acme/vpc/aws/1.0.0/notes",
                "modules/h.example/acme/vpc/aws/v1",
                "modules/notes",
                "git/h.example/notes",
                "archives/notes",
            ]
        );
        assert_eq!(inventory.modules.len(), 1);
        assert_eq!(inventory.lists.len(), 1);
        let places = |all: &[(PackagePlace, PathBuf)]| {
            let places = all.iter().map(|(place, _)| place.to_string());
            places.collect::<Vec<_>>()
        };
        assert_eq!(places(&inventory.repositories), ["h.example/acme/net.git"]);
        assert_eq!(
            places(&inventory.archives),
            ["h.example/a/b.zip", "h.example/a/c.zip"]
        );
        assert_eq!(places(&inventory.pages), ["h.example/vpc"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_stray_and_not_followed() {
        let root = tempfile::tempdir().unwrap();
        for dir in ["modules", "git/h.example", "archives/h.example"] {
            fs::create_dir_all(root.path().join(dir)).unwrap();
            std::os::unix::fs::symlink("/", root.path().join(dir).join("away")).unwrap();
        }
        let inventory = ModuleInventory::of(&ModuleMirror::new(root.path())).unwrap();
        assert_eq!(inventory.stray.len(), 3);
        assert!(inventory.is_empty());
    }
}

//! What lies in a mirror directory, whoever filled it: ours, `terraform providers mirror`, or a copy by hand.
//!
//! Nothing is opened here, names alone decide. Hostile input: the directory may be shared. Links are not followed on
//! the way to a provider's directory, as the tools do not (facts/providers 6.2), so that the search can neither leave
//! the mirror nor run in circles; only names that parse count, and whatever does not fit is told as stray.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::address::{Hostname, Platform, ProviderAddr};
use crate::disk::{self, DiskError, TEMP_PREFIX};
use crate::document::PackageId;
use crate::store::MirrorLayout;
use crate::version::Version;

/// What other commands and modules of a mirror keep at its root.
const OTHERS_OF_THE_ROOT: [&str; 5] = ["modules", "git", "archives", "client", "README.md"];

/// Files of providers lie in `HOST/NAMESPACE/TYPE/`.
const DEPTH_OF_FILES: usize = 4;

/// Everything in a mirror directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MirrorInventory {
    /// What there is of each provider.
    pub providers: BTreeMap<ProviderAddr, MirroredProvider>,
    /// What belongs to no provider.
    pub stray: Vec<PathBuf>,
}

/// What a mirror directory has of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MirroredProvider {
    /// Archives at the provider's own level, by the version and platform of their names as spelled; or within a
    /// version's directory, where ours with upper-case letters lie.
    pub archives: BTreeMap<(Version, Platform), PathBuf>,
    /// Unpacked packages.
    pub unpacked: BTreeMap<(Version, Platform), PathBuf>,
    /// The list of versions.
    pub index: Option<PathBuf>,
    /// The list of archives of each version.
    pub documents: BTreeMap<Version, PathBuf>,
    /// What is known of each version.
    pub evidence: BTreeMap<Version, PathBuf>,
    /// The SHA256SUMS document of each version.
    pub sums: BTreeMap<Version, PathBuf>,
    /// The signature of each.
    pub signatures: BTreeMap<Version, PathBuf>,
    /// Archives that a failed run of `terraform providers mirror` left under a hidden name (facts 7.4).
    pub leftovers: Vec<PathBuf>,
    /// What fits nowhere.
    pub stray: Vec<PathBuf>,
}

impl MirrorInventory {
    /// Looks through the mirror in `root`. Blocks.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn of(root: &Path) -> Result<Self, DiskError> {
        let (inventory, failures) = Self::of_readable(root)?;
        failures.into_iter().next().map_or(Ok(inventory), Err)
    }

    /// Looks through what can be read of the mirror in `root`, and tells which directories cannot. Blocks.
    ///
    /// # Errors
    ///
    /// If `root` itself cannot be read.
    pub fn of_readable(root: &Path) -> Result<(Self, Vec<DiskError>), DiskError> {
        let mut inventory = Self::default();
        let mut failures = Vec::new();
        for (name, path) in sorted(root)? {
            if name.starts_with('.') || OTHERS_OF_THE_ROOT.contains(&name.as_str()) {
                continue;
            }
            let host = Hostname::lenient_display(&name).parse::<Hostname>().ok();
            match host.filter(|_| is_real_directory(&path)) {
                Some(host) => inventory.take_host(&host, &path, &mut failures),
                None => inventory.stray.push(path),
            }
        }
        Ok((inventory, failures))
    }

    /// Whether there is nothing of any provider: no file of one, and no directory either that is kept for its files alone.
    pub fn is_empty(&self) -> bool {
        let nothing = MirroredProvider::default();
        let has_files = |it: &MirroredProvider| {
            let files = MirroredProvider {
                stray: Vec::new(),
                ..it.clone()
            };
            files != nothing
        };
        let mut providers = self.providers.values();
        let is_kept = !self.providers.is_empty() && self.stray.is_empty();
        let is_kept = is_kept && providers.clone().all(|it| *it == nothing);
        !is_kept && !providers.any(has_files)
    }

    /// The mirror that `root`, of which this is the inventory, seems to be a part of, as what lies in it has the name of a
    /// provider's file on another level.
    pub fn whole(&self, root: &Path) -> Option<PathBuf> {
        let is_of_provider = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name == "index.json" || name.starts_with("terraform-provider-")
        };
        let stray = self.providers.values().flat_map(|it| &it.stray);
        let file = self.stray.iter().chain(stray).find(is_of_provider)?;
        let depth = file.strip_prefix(root).ok()?.components().count();
        let whole = root.ancestors().nth(DEPTH_OF_FILES.checked_sub(depth)?)?;
        (whole != root && !whole.as_os_str().is_empty()).then(|| whole.to_owned())
    }

    fn take_host(&mut self, host: &Hostname, dir: &Path, failures: &mut Vec<DiskError>) {
        for (namespace, dir) in readable(dir, failures) {
            if !is_real_directory(&dir) {
                self.stray.push(dir);
                continue;
            }
            for (ty, dir) in readable(&dir, failures) {
                let addr = ProviderAddr::from_parts(host.for_display(), &namespace, &ty).ok();
                match addr.filter(|_| is_real_directory(&dir)) {
                    Some(addr) => {
                        let provider = self.providers.entry(addr.clone()).or_default();
                        provider.take(&addr, &dir, failures);
                    }
                    None => self.stray.push(dir),
                }
            }
        }
    }
}

impl MirroredProvider {
    fn take(&mut self, addr: &ProviderAddr, dir: &Path, failures: &mut Vec<DiskError>) {
        for (name, path) in readable(dir, failures) {
            if is_real_directory(&path) {
                self.take_directory(addr, &name, path, failures);
            } else if !self.take_file(addr, &name, &path) {
                self.stray.push(path);
            }
        }
    }

    /// Finds the place of a file; `false` if it has none.
    fn take_file(&mut self, addr: &ProviderAddr, name: &str, path: &Path) -> bool {
        if name.starts_with(TEMP_PREFIX) {
            // Our own temporaries and partial downloads: a running or later command sees to them.
            return true;
        }
        if name.starts_with(".terraform-provider-") {
            self.leftovers.push(path.to_owned());
            return true;
        }
        if name == "index.json" {
            self.index.get_or_insert_with(|| path.to_owned());
            return true;
        }
        if let Some(version) = canonical_version(name.strip_suffix(".json")) {
            self.documents
                .entry(version)
                .or_insert_with(|| path.to_owned());
            return true;
        }
        if let Some((version, kind)) = MirrorLayout::version_file_of(addr, name) {
            let files = match kind {
                "evidence.json" => &mut self.evidence,
                "SHA256SUMS" => &mut self.sums,
                _ => &mut self.signatures,
            };
            files.insert(version, path.to_owned());
            return true;
        }
        match MirrorLayout::package_of_archive(addr, name).filter(|_| path.is_file()) {
            Some(key) => self.archives.insert(key, path.to_owned()).is_none(),
            None => false,
        }
    }

    /// Takes `VERSION/`: unpacked packages, and archives of versions whose names the tools would change.
    fn take_directory(
        &mut self,
        addr: &ProviderAddr,
        name: &str,
        dir: PathBuf,
        failures: &mut Vec<DiskError>,
    ) {
        // `1.0` is 1.0.0 to the tools (facts 6.4).
        let Ok(version) = name.parse::<Version>() else {
            if !name.starts_with(TEMP_PREFIX) {
                self.stray.push(dir);
            }
            return;
        };
        for (name, path) in readable(&dir, failures) {
            let platform = name.parse::<Platform>().ok().filter(|_| path.is_dir());
            let archive = MirrorLayout::package_of_archive(addr, &name);
            let archive = archive.filter(|(of, _)| *of == version && is_kept_inside(of));
            if let Some(platform) = platform {
                self.unpacked.insert((version.clone(), platform), path);
            } else if let Some(key) = archive {
                self.archives.insert(key, path);
            } else if !is_companion(&name) {
                self.stray.push(path);
            }
        }
    }

    /// The platforms of which there is anything in a version's name.
    pub fn versions(&self) -> std::collections::BTreeSet<Version> {
        let packages = self.archives.keys().chain(self.unpacked.keys());
        packages
            .map(|(version, _)| version)
            .chain(self.documents.keys())
            .chain(self.evidence.keys())
            .cloned()
            .collect()
    }

    /// Whether the tools take an archive for a version of another spelling, because it lies packed under a name with
    /// upper-case letters (facts 6.4).
    pub fn is_lower_cased(&self, addr: &ProviderAddr, key: &(Version, Platform)) -> bool {
        let id = PackageId {
            addr: addr.clone(),
            version: key.0.clone(),
            platform: key.1.clone(),
        };
        let place = MirrorLayout::new("").archive(&id);
        let is_inside = |path: &PathBuf| path.ends_with(&place);
        is_kept_inside(&key.0) && !self.archives.get(key).is_some_and(is_inside)
    }
}

/// Whether archives of a version lie in the version's directory.
fn is_kept_inside(version: &Version) -> bool {
    version.to_string().chars().any(char::is_uppercase)
}

/// What stands beside unpacked packages: OpenTofu's locks, our notes and temporaries.
fn is_companion(name: &str) -> bool {
    let is_note = name.starts_with('.') && name.strip_suffix(".h1").is_some();
    is_note || name.strip_suffix(".lock").is_some() || name.starts_with(TEMP_PREFIX)
}

fn canonical_version(text: Option<&str>) -> Option<Version> {
    let text = text?;
    let version = text.parse::<Version>().ok()?;
    (version.to_string() == text).then_some(version)
}

/// What is in a directory; nothing if it cannot be read, which is noted.
fn readable(dir: &Path, failures: &mut Vec<DiskError>) -> Vec<(String, PathBuf)> {
    sorted(dir).unwrap_or_else(|error| {
        failures.push(error);
        Vec::new()
    })
}

fn sorted(dir: &Path) -> Result<Vec<(String, PathBuf)>, DiskError> {
    let mut names = disk::file_names(dir)?;
    names.sort_unstable();
    let with_path = |name: String| {
        let path = dir.join(&name);
        (name, path)
    };
    Ok(names.into_iter().map(with_path).collect())
}

fn is_real_directory(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inventory(files: &[&str]) -> (tempfile::TempDir, MirrorInventory) {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let inventory = MirrorInventory::of(root.path()).unwrap();
        (root, inventory)
    }

    fn names(paths: &[PathBuf], root: &tempfile::TempDir) -> Vec<String> {
        let below = |path: &PathBuf| path.strip_prefix(root.path()).unwrap().to_owned();
        let shown = |path: &PathBuf| below(path).display().to_string();
        paths.iter().map(shown).collect()
    }

    #[test]
    fn every_file_has_its_place_or_is_stray() {
        let (root, inventory) = inventory(&[
            ".provender.lock",
            "README.md",
            "notes.txt",
            "modules/example.com/acme/vpc/aws/versions",
            "example.com/acme/net/index.json",
            "example.com/acme/net/1.0.0.json",
            "example.com/acme/net/1.0.json",
            "example.com/acme/net/terraform-provider-net_1.0.0_linux_amd64.zip",
            "example.com/acme/net/terraform-provider-net_1.0.0_SHA256SUMS",
            "example.com/acme/net/terraform-provider-net_1.0.0_SHA256SUMS.sig",
            "example.com/acme/net/terraform-provider-net_1.0.0_evidence.json",
            "example.com/acme/net/.terraform-provider-net_1.0.0_linux_amd64.zip",
            "example.com/acme/net/.provender-x.tmp",
            "example.com/acme/net/2.0.0/linux_amd64/terraform-provider-net",
            "example.com/acme/net/2.0.0/linux_amd64.lock",
            "example.com/acme/net/2.0.0/terraform-provider-net_2.0.0_linux_amd64.zip",
            "example.com/acme/net/1.0.0-Beta1/terraform-provider-net_1.0.0-Beta1_linux_amd64.zip",
            "example.com/acme/net/terraform-provider-net_1.1.0-Beta1_linux_amd64.zip",
            "example.com/acme/net/terraform-provider-dns_1.0.0_linux_amd64.zip",
        ]);
        assert_eq!(names(&inventory.stray, &root), ["notes.txt"]);
        let (addr, net) = inventory.providers.first_key_value().unwrap();
        assert_eq!(
            names(&net.stray, &root),
            [
                "example.com/acme/net/1.0.json",
                "example.com/acme/net/2.0.0/terraform-provider-net_2.0.0_linux_amd64.zip",
                "example.com/acme/net/terraform-provider-dns_1.0.0_linux_amd64.zip",
            ]
        );
        assert_eq!(net.leftovers.len(), 1);
        assert_eq!((net.archives.len(), net.unpacked.len()), (3, 1));
        assert_eq!((net.documents.len(), net.evidence.len()), (1, 1));
        assert_eq!((net.sums.len(), net.signatures.len()), (1, 1));
        let lower_cased = net
            .archives
            .keys()
            .filter(|key| net.is_lower_cased(addr, key));
        let versions: Vec<String> = lower_cased
            .map(|(version, _)| version.to_string())
            .collect();
        assert_eq!(versions, ["1.1.0-Beta1"]);
    }

    #[test]
    fn part_of_a_mirror_is_none() {
        let (root, whole) = inventory(&[
            "example.com/acme/net/index.json",
            "example.com/acme/net/terraform-provider-net_1.0.0_linux_amd64.zip",
        ]);
        assert!(!whole.is_empty());
        for part in ["example.com", "example.com/acme", "example.com/acme/net"] {
            let dir = root.path().join(part);
            let inventory = MirrorInventory::of(&dir).unwrap();
            assert!(inventory.is_empty(), "{part}");
            assert_eq!(
                inventory.whole(&dir).as_deref(),
                Some(root.path()),
                "{part}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_elsewhere_are_stray_and_not_followed() {
        let (root, _) = inventory(&["example.com/acme/net/index.json"]);
        std::os::unix::fs::symlink("/", root.path().join("other.example")).unwrap();
        let acme = root.path().join("example.com/acme");
        std::os::unix::fs::symlink(&acme, acme.join("loop")).unwrap();
        let inventory = MirrorInventory::of(root.path()).unwrap();
        assert_eq!(
            names(&inventory.stray, &root),
            ["example.com/acme/loop", "other.example"]
        );
    }
}

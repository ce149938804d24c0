//! Modules in a mirror directory: a static module registry, bare repositories, and archives under their host and
//! path (`cli.md`, `provender mirror`; facts/modules 6.2).
//!
//! Order of writes for a module: archive, evidence, `download`, the list of versions. So a kill at any instant leaves
//! lists that name only what is there. Lists are changed under the mirror's lock.
//!
//! Hostile input: the directory may be shared. Names are built from validated values alone; documents are capped
//! and parsed strictly; a file counts as present only if its size is the one that the evidence tells.

use std::fs;
use std::path::{Path, PathBuf};

use crate::address::{ModuleAddr, PackagePlace};
use crate::disk::{self, DiskError, TEMP_PREFIX, TempFile};
use crate::document::{JsonDocumentError, KeptFile, ModuleEvidence, ModuleVersionsAnswer};
use crate::store::{MirrorLock, PresentCheck, StoreError, read_document};
use crate::version::ModuleVersion;

/// What a registry's location is of a module that is kept flat.
pub const FLAT_LOCATION: &str = "./module.zip";
/// The archive of a module.
pub(super) const ARCHIVE_NAME: &str = "module.zip";
/// The evidence of a module and of a repository, in their directories.
pub(super) const EVIDENCE_NAME: &str = "evidence.json";
/// How the evidence of an archive is named beside it.
pub(super) const EVIDENCE_SUFFIX: &str = ".evidence.json";
/// The list of a module's versions.
pub(super) const VERSIONS_NAME: &str = "versions";
/// The answer that names a module's archive.
pub(super) const DOWNLOAD_NAME: &str = "download";
/// A page that sends on, where a server's directory is asked for.
pub(super) const PAGE_NAME: &str = "index.html";

/// The modules of a mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleMirror {
    root: PathBuf,
}

impl ModuleMirror {
    /// The modules of the mirror in directory `root`, which need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The mirror's directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Removes what killed runs left beside packages. Blocks.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn remove_leftovers(&self) -> Result<(), DiskError> {
        let dirs = [
            self.registry_dir(),
            self.archives_dir(),
            self.repositories_dir(),
        ];
        dirs.iter().try_for_each(|dir| remove_leftovers_below(dir))
    }

    /// The directory of the static registry.
    pub fn registry_dir(&self) -> PathBuf {
        self.root.join("modules")
    }

    /// The directory of bare repositories.
    pub fn repositories_dir(&self) -> PathBuf {
        self.root.join("git")
    }

    /// The directory of archives and pages.
    pub fn archives_dir(&self) -> PathBuf {
        self.root.join("archives")
    }

    /// The directory of a module: `modules/HOST/NAMESPACE/NAME/SYSTEM`.
    pub fn module_dir(&self, addr: &ModuleAddr) -> PathBuf {
        let host = addr.hostname().for_comparison();
        let dir = self.registry_dir().join(host).join(addr.namespace());
        dir.join(addr.name()).join(addr.target_system())
    }

    /// The directory of a module's version.
    pub fn version_dir(&self, addr: &ModuleAddr, version: &ModuleVersion) -> PathBuf {
        self.module_dir(addr).join(version.to_string())
    }

    /// The archive of a module's version.
    pub fn module_archive(&self, addr: &ModuleAddr, version: &ModuleVersion) -> PathBuf {
        self.version_dir(addr, version).join(ARCHIVE_NAME)
    }

    /// The bare repository of a place.
    pub fn repository(&self, place: &PackagePlace) -> PathBuf {
        self.repositories_dir().join(place.path())
    }

    /// The archive of a place.
    pub fn archive(&self, place: &PackagePlace) -> PathBuf {
        self.archives_dir().join(place.path())
    }

    /// The page that answers for a place.
    pub fn page(&self, place: &PackagePlace) -> PathBuf {
        self.archive(place).join(PAGE_NAME)
    }

    /// The evidence of a module's version, if its archive is there and good enough. Blocks.
    ///
    /// # Errors
    ///
    /// If the evidence or the archive cannot be read.
    pub fn present_module(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        check: PresentCheck,
    ) -> Result<Option<ModuleEvidence>, StoreError> {
        let evidence = self.version_dir(addr, version).join(EVIDENCE_NAME);
        let archive = self.module_archive(addr, version);
        if !self
            .version_dir(addr, version)
            .join(DOWNLOAD_NAME)
            .is_file()
        {
            return Ok(None);
        }
        present(&evidence, &archive, check)
    }

    /// Puts a module's version into the mirror. Blocks.
    ///
    /// # Errors
    ///
    /// If something cannot be written, or the list of versions cannot be read.
    pub fn put_module(
        &self,
        lock: &MirrorLock,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        archive: TempFile,
        evidence: &ModuleEvidence,
    ) -> Result<(), StoreError> {
        let dir = self.version_dir(addr, version);
        archive.persist(&dir.join(ARCHIVE_NAME))?;
        disk::write_atomically(&dir.join(EVIDENCE_NAME), evidence.render().as_bytes())?;
        let location = evidence.location.as_deref().unwrap_or(FLAT_LOCATION);
        let answer = serde_json::json!({ "location": location }).to_string();
        disk::write_atomically(&dir.join(DOWNLOAD_NAME), answer.as_bytes())?;
        self.list_module(lock, addr, version)
    }

    /// Writes the answer to `download` of the version in `dir` anew from its evidence, and takes away a list of
    /// versions that cannot be read: it is made of what is there. Blocks.
    ///
    /// # Errors
    ///
    /// If the evidence cannot be read, or something cannot be written.
    pub fn restate(&self, _: &MirrorLock, dir: &Path) -> Result<(), StoreError> {
        let evidence = Self::evidence_in(dir)?;
        if evidence.file.is_some() {
            let location = evidence.location.as_deref().unwrap_or(FLAT_LOCATION);
            let answer = serde_json::json!({ "location": location }).to_string();
            disk::write_atomically(&dir.join(DOWNLOAD_NAME), answer.as_bytes())?;
        }
        let list = dir.with_file_name(VERSIONS_NAME);
        if matches!(versions_in(&list), Err(StoreError::Document { .. })) {
            disk::remove_dir_all(&list)?;
        }
        Ok(())
    }

    /// Writes a page anew from its evidence. Blocks.
    ///
    /// # Errors
    ///
    /// If the evidence cannot be read, or the page cannot be written.
    pub fn rewrite_page(&self, page: &Path) -> Result<(), StoreError> {
        match Self::evidence_of(page)?.location {
            Some(target) if !target.contains("***") => {
                Ok(disk::write_atomically(page, page_text(&target).as_bytes())?)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Whether the list of versions names one.
    ///
    /// # Errors
    ///
    /// If the list cannot be read.
    pub fn is_listed(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
    ) -> Result<bool, StoreError> {
        Ok(self.listed(addr)?.contains(version))
    }

    /// The versions that the list of a module names; none if there is no list.
    ///
    /// # Errors
    ///
    /// If the list cannot be read.
    pub fn listed(&self, addr: &ModuleAddr) -> Result<Vec<ModuleVersion>, StoreError> {
        versions_in(&self.module_dir(addr).join(VERSIONS_NAME))
    }

    /// Enters a version that is there into the list of versions. Blocks.
    ///
    /// # Errors
    ///
    /// If the list cannot be read or written.
    pub fn list_module(
        &self,
        _: &MirrorLock,
        addr: &ModuleAddr,
        version: &ModuleVersion,
    ) -> Result<(), StoreError> {
        let mut versions = self.listed(addr)?;
        if versions.contains(version) {
            return Ok(());
        }
        versions.push(version.clone());
        let by_text = |a: &ModuleVersion, b: &ModuleVersion| a.to_string().cmp(&b.to_string());
        versions.sort_by(|a, b| a.cmp_precedence(b).then_with(|| by_text(a, b)));
        let rows = versions.iter().map(ToString::to_string);
        let rows: Vec<_> = rows
            .map(|it| serde_json::json!({ "version": it }))
            .collect();
        let text = serde_json::json!({ "modules": [{ "versions": rows }] }).to_string();
        let path = self.module_dir(addr).join(VERSIONS_NAME);
        Ok(disk::write_atomically(&path, text.as_bytes())?)
    }

    /// The evidence of an archive, if it is there and good enough. Blocks.
    ///
    /// # Errors
    ///
    /// If the evidence or the archive cannot be read.
    pub fn present_archive(
        &self,
        place: &PackagePlace,
        check: PresentCheck,
    ) -> Result<Option<ModuleEvidence>, StoreError> {
        let archive = self.archive(place);
        present(&evidence_beside(&archive), &archive, check)
    }

    /// Puts an archive into the mirror. Blocks.
    ///
    /// # Errors
    ///
    /// If something cannot be written.
    pub fn put_archive(
        &self,
        place: &PackagePlace,
        archive: TempFile,
        evidence: &ModuleEvidence,
    ) -> Result<(), StoreError> {
        let path = self.archive(place);
        archive.persist(&path)?;
        disk::write_atomically(&evidence_beside(&path), evidence.render().as_bytes())?;
        Ok(())
    }

    /// Removes the directories on the way to an archive that did not come, as far as nothing else is in them.
    pub fn remove_empty_dirs(&self, place: &PackagePlace) {
        let top = self.archives_dir();
        let archive = self.archive(place);
        let above = archive.ancestors().skip(1).take_while(|dir| *dir != top);
        for dir in above {
            // Another package may have come meanwhile.
            if fs::remove_dir(dir).is_err() {
                return;
            }
        }
    }

    /// Puts a page at a place, which sends on to where the package is (facts 2.5). Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn put_page(
        &self,
        place: &PackagePlace,
        evidence: &ModuleEvidence,
        page: &str,
    ) -> Result<(), StoreError> {
        let path = self.page(place);
        disk::write_atomically(&path, page.as_bytes())?;
        disk::write_atomically(&evidence_beside(&path), evidence.render().as_bytes())?;
        Ok(())
    }

    /// The evidence of a module's version, wherever it was read from; empty if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn evidence_in(dir: &Path) -> Result<ModuleEvidence, StoreError> {
        let path = dir.join(EVIDENCE_NAME);
        Ok(read_document(&path, ModuleEvidence::parse)?.unwrap_or_default())
    }

    /// The evidence of an archive or page; empty if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn evidence_of(file: &Path) -> Result<ModuleEvidence, StoreError> {
        let path = evidence_beside(file);
        Ok(read_document(&path, ModuleEvidence::parse)?.unwrap_or_default())
    }

    /// Notes by which URL a repository is asked for. Blocks.
    ///
    /// # Errors
    ///
    /// If the evidence cannot be read or written.
    pub fn note_repository(
        &self,
        _: &MirrorLock,
        place: &PackagePlace,
        url: &str,
    ) -> Result<(), StoreError> {
        let path = self.repository(place).join(EVIDENCE_NAME);
        let mut evidence = read_document(&path, ModuleEvidence::parse)?.unwrap_or_default();
        if evidence.add_source(url) {
            disk::write_atomically(&path, evidence.render().as_bytes())?;
        }
        Ok(())
    }

    /// Whether a repository is known by a URL.
    ///
    /// # Errors
    ///
    /// If the evidence cannot be read.
    pub fn knows_repository(&self, place: &PackagePlace, url: &str) -> Result<bool, StoreError> {
        let path = self.repository(place).join(EVIDENCE_NAME);
        let evidence = read_document(&path, ModuleEvidence::parse)?.unwrap_or_default();
        Ok(evidence.sources.iter().any(|known| known == url))
    }
}

/// Not within repositories, whose files are git's.
fn remove_leftovers_below(dir: &Path) -> Result<(), DiskError> {
    let is_directory = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    if !is_directory(dir) || dir.extension().is_some_and(|it| it == "git") {
        return Ok(());
    }
    disk::remove_stale_temps(dir)?;
    for name in disk::file_names(dir)? {
        if !name.starts_with(TEMP_PREFIX) {
            remove_leftovers_below(&dir.join(name))?;
        }
    }
    Ok(())
}

/// The versions that a list names; none if there is no list.
fn versions_in(list: &Path) -> Result<Vec<ModuleVersion>, StoreError> {
    let parse = |bytes: &[u8]| {
        let answer = ModuleVersionsAnswer::parse(bytes);
        answer.map_err(|source| JsonDocumentError::Invalid {
            place: VERSIONS_NAME.to_owned(),
            source: Box::new(source),
        })
    };
    let answer = read_document(list, parse)?.flatten();
    Ok(answer.map(|answer| answer.versions).unwrap_or_default())
}

/// A page that sends on to `target` (facts 2.5).
pub fn page_text(target: &str) -> String {
    let escaped = target
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!(
        "<html>\n<head><meta name=\"terraform-get\" content=\"{escaped}\"></head>\n<body></body>\n</html>\n"
    )
}

/// Where the evidence of an archive is.
pub(super) fn evidence_beside(archive: &Path) -> PathBuf {
    let mut name = archive.file_name().unwrap_or_default().to_owned();
    name.push(EVIDENCE_SUFFIX);
    archive.with_file_name(name)
}

fn present(
    evidence: &Path,
    file: &Path,
    check: PresentCheck,
) -> Result<Option<ModuleEvidence>, StoreError> {
    let Some(evidence) = read_document(evidence, ModuleEvidence::parse)? else {
        return Ok(None);
    };
    let Some(kept) = evidence.file else {
        return Ok(None);
    };
    Ok(is_kept(file, &kept, check)?.then_some(evidence))
}

/// Whether a file is as it was when it was put here.
pub(super) fn is_kept(
    file: &Path,
    kept: &KeptFile,
    check: PresentCheck,
) -> Result<bool, StoreError> {
    let found = file.metadata();
    if !found.is_ok_and(|it| it.is_file() && it.len() == kept.size) {
        return Ok(false);
    }
    match check {
        PresentCheck::Size => Ok(true),
        PresentCheck::Bytes => Ok(disk::sha256(file)? == kept.sha256),
    }
}

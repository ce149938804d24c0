//! The packages of one provider in the directory of a filesystem mirror (facts/providers 6.1 to 6.5).
//!
//! Hostile input: a directory may be shared with others. Names are compared after they were normalised, and only what
//! parses as a version and a platform counts; anything else is ignored. Links are not followed on the way, so that a
//! search cannot leave the mirror or run in circles, except for the mirror's root and for packages themselves, as the
//! tools allow it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::address::{Hostname, Platform, ProviderAddr};
use crate::disk::{self, DiskError};
use crate::version::Version;

/// A package that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalPackage {
    pub(super) version: Version,
    pub(super) platform: Platform,
    pub(super) form: LocalForm,
}

/// In which layout a package lies there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LocalForm {
    /// An archive.
    Packed(PathBuf),
    /// A directory of its files.
    Unpacked(PathBuf),
}

/// All packages of `addr` below `root`, in the order in which the tools find them. Blocks.
pub(super) fn search(root: &Path, addr: &ProviderAddr) -> Result<Vec<LocalPackage>, DiskError> {
    let root = resolved(root).map_err(DiskError::on("search the filesystem mirror", root))?;
    let host = |name: &str| {
        name.parse::<Hostname>()
            .is_ok_and(|host| host == *addr.hostname())
    };
    let namespace = |host: &str, name: &str| {
        ProviderAddr::from_parts(host, name, addr.ty()).is_ok_and(|found| found == *addr)
    };
    let mut packages = Vec::new();
    for (host_name, host_dir) in directories(&root, host)? {
        for (namespace_name, dir) in directories(&host_dir, |name| namespace(&host_name, name))? {
            let is_type = |name: &str| {
                ProviderAddr::from_parts(&host_name, &namespace_name, name)
                    .is_ok_and(|found| found == *addr)
            };
            for (_, dir) in directories(&dir, is_type)? {
                packages.extend(packages_in(&dir, addr.ty())?);
            }
        }
    }
    Ok(packages)
}

/// The root may be a link.
fn resolved(root: &Path) -> io::Result<PathBuf> {
    if cfg!(windows) {
        // The canonical form is one that many programs do not understand.
        return fs::metadata(root).map(|_| root.to_owned());
    }
    fs::canonicalize(root)
}

/// What lies in the directory of a provider, in either layout.
fn packages_in(dir: &Path, ty: &str) -> Result<Vec<LocalPackage>, DiskError> {
    let mut packages = Vec::new();
    for name in sorted_names(dir)? {
        let path = dir.join(&name);
        if is_real_directory(&path) {
            if let Ok(version) = name.parse::<Version>() {
                packages.extend(unpacked(&path, &version)?);
            }
        } else if let Some((version, platform)) = packed_name(&name, ty)
            && path.is_file()
        {
            packages.push(LocalPackage {
                version,
                platform,
                form: LocalForm::Packed(path),
            });
        }
    }
    Ok(packages)
}

/// `OS_ARCH` directories; links to directories count, too.
fn unpacked(dir: &Path, version: &Version) -> Result<Vec<LocalPackage>, DiskError> {
    let package = |name: String| {
        let path = dir.join(&name);
        let platform = name.parse().ok().filter(|_| path.is_dir())?;
        Some(LocalPackage {
            version: version.clone(),
            platform,
            form: LocalForm::Unpacked(path),
        })
    };
    Ok(sorted_names(dir)?.into_iter().filter_map(package).collect())
}

/// Version and platform in the name of an archive, whose letters count as lower-case ones.
pub(super) fn packed_name(name: &str, ty: &str) -> Option<(Version, Platform)> {
    let name = name.to_lowercase();
    let rest = name.strip_prefix("terraform-provider-")?.strip_prefix(ty)?;
    let rest = rest.strip_prefix('_')?.strip_suffix(".zip")?;
    let mut parts = rest.split('_');
    let (version, os, arch) = (parts.next()?, parts.next()?, parts.next()?);
    Some((version.parse().ok()?, format!("{os}_{arch}").parse().ok()?))
}

/// Real directories in `dir` whose names fit, with their names.
fn directories(
    dir: &Path,
    fits: impl Fn(&str) -> bool,
) -> Result<Vec<(String, PathBuf)>, DiskError> {
    let named = sorted_names(dir)?.into_iter().filter(|name| fits(name));
    let with_paths = named.map(|name| (name.clone(), dir.join(name)));
    Ok(with_paths
        .filter(|(_, path)| is_real_directory(path))
        .collect())
}

fn is_real_directory(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

fn sorted_names(dir: &Path) -> Result<Vec<String>, DiskError> {
    let mut names = disk::file_names(dir)?;
    names.sort_unstable();
    Ok(names)
}

//! `auth install-helper`: this program where the tools look for credentials helpers.

use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{self, DiskError};
use crate::ops::LoginError;

/// The name of the helper in `credentials_helper` blocks.
pub const HELPER_NAME: &str = "provender";

/// The file name by which the tools call this program as helper, without the suffix of Windows.
pub const HELPER_PROGRAM: &str = "terraform-credentials-provender";

/// Puts a link to `program`, where links are usual, else a copy, into the first of `dirs`; tells where it is.
///
/// # Errors
///
/// If there is no directory, it cannot be written, or something else is in the helper's place.
pub fn install_helper(program: &Path, dirs: &[PathBuf]) -> Result<PathBuf, LoginError> {
    let dir = dirs.first().ok_or(crate::auth::StorageError::NoHome)?;
    disk::create_private_dir_all(dir)?;
    let place = dir.join(format!("{HELPER_PROGRAM}{}", std::env::consts::EXE_SUFFIX));
    if place.symlink_metadata().is_ok() && !is_ours(&place, program) {
        return Err(LoginError::HelperInTheWay { path: place });
    }
    put(program, &place).map_err(|source| DiskError {
        action: "install the helper as",
        path: place.clone(),
        source,
    })?;
    Ok(place)
}

/// A link that an earlier run made, even if it leads nowhere now; or a file with the bytes of a program of this name.
fn is_ours(place: &Path, program: &Path) -> bool {
    if place.is_symlink() {
        let target = std::fs::read_link(place).unwrap_or_default();
        return target.file_stem() == program.file_stem();
    }
    let digest = |path: &Path| disk::sha256(path).ok();
    digest(place).is_some() && digest(place) == digest(program)
}

#[cfg(unix)]
fn put(program: &Path, place: &Path) -> io::Result<()> {
    match std::fs::remove_file(place) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    std::os::unix::fs::symlink(program, place)
}

#[cfg(not(unix))]
fn put(program: &Path, place: &Path) -> io::Result<()> {
    std::fs::copy(program, place).map(drop)
}

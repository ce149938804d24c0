//! What differs between operating systems, every branch written: modes, syncing, swapping, names.

use std::io;
use std::path::Path;

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Everybody whom the umask allows: mode 0644.
    All,
    /// The owner alone: mode 0600.
    Owner,
}

/// Sets the mode that a temporary file is created with; the umask still applies.
#[cfg(unix)]
pub(super) fn set_mode(builder: &mut tempfile::Builder<'_, '_>, readers: Readers) {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    let mode = match readers {
        Readers::All => 0o644,
        Readers::Owner => 0o600,
    };
    builder.permissions(Permissions::from_mode(mode));
}

/// Files inherit the access list of their directory: the profile of a user is private to them.
#[cfg(not(unix))]
pub(super) fn set_mode(_builder: &mut tempfile::Builder<'_, '_>, _readers: Readers) {}

/// Makes the entries of `dir` durable, so that a rename survives a loss of power.
///
/// File systems that cannot sync a directory answer "invalid" or "unsupported"; there is nothing
/// better to do on them.
#[cfg(unix)]
pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    match std::fs::File::open(dir)?.sync_all() {
        Err(error)
            if error.kind() == io::ErrorKind::InvalidInput
                || error.kind() == io::ErrorKind::Unsupported =>
        {
            Ok(())
        }
        other => other,
    }
}

/// Directories cannot be opened for syncing here; the file system journals renames by itself.
#[cfg(not(unix))]
pub(super) fn sync_dir(_dir: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes `link` a symbolic link to the directory `target`, which is best given as an absolute path.
///
/// # Errors
///
/// If the system does not make it, as Windows does not for everybody.
#[cfg(unix)]
pub fn link_to_dir(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Makes `link` a symbolic link to the directory `target`, which is best given as an absolute path.
///
/// # Errors
///
/// If the system does not make it, as Windows does not for everybody.
#[cfg(windows)]
pub fn link_to_dir(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(target, link)
}

/// Makes `link` lead to `target` as the link `model` does.
#[cfg(unix)]
pub(super) fn link_to(target: &Path, _model: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Makes `link` lead to `target` as the link `model` does: links to files and to directories differ here.
#[cfg(windows)]
pub(super) fn link_to(target: &Path, model: &Path, link: &Path) -> io::Result<()> {
    if model.is_dir() {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}

/// Two directories, held open: thousands of links by name between them need no walk along their paths.
#[cfg(unix)]
pub(super) struct DirPair {
    from: std::os::fd::OwnedFd,
    to: std::os::fd::OwnedFd,
}

#[cfg(unix)]
impl DirPair {
    /// Opens both.
    pub(super) fn open(from: &Path, to: &Path) -> io::Result<Self> {
        Ok(Self {
            from: std::fs::File::open(from)?.into(),
            to: std::fs::File::open(to)?.into(),
        })
    }

    /// Gives the file `name` of the first directory the same name in the second.
    pub(super) fn link(&self, name: &std::ffi::OsStr) -> io::Result<()> {
        use rustix::fs::{AtFlags, linkat};

        Ok(linkat(&self.from, name, &self.to, name, AtFlags::empty())?)
    }
}

/// Two directories, by their paths.
#[cfg(not(unix))]
pub(super) struct DirPair {
    from: std::path::PathBuf,
    to: std::path::PathBuf,
}

#[cfg(not(unix))]
impl DirPair {
    /// Takes both.
    pub(super) fn open(from: &Path, to: &Path) -> io::Result<Self> {
        Ok(Self {
            from: from.to_owned(),
            to: to.to_owned(),
        })
    }

    /// Gives the file `name` of the first directory the same name in the second.
    pub(super) fn link(&self, name: &std::ffi::OsStr) -> io::Result<()> {
        std::fs::hard_link(self.from.join(name), self.to.join(name))
    }
}

/// Swaps two directory entries in one step; `false` if the system or file system cannot.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(super) fn swap(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Swaps two directory entries in one step: never possible here.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(super) fn swap(_one: &Path, _other: &Path) -> io::Result<bool> {
    Ok(false)
}

/// The number of a file on its file system, and its mode.
#[cfg(unix)]
pub(super) fn inode_and_mode(metadata: &std::fs::Metadata) -> (u64, u32) {
    use std::os::unix::fs::MetadataExt;

    (metadata.ino(), metadata.mode())
}

/// Whether the open file is a regular one and stands at `path` itself.
#[cfg(unix)]
pub(super) fn is_at(file: &std::fs::File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let (Ok(own), Ok(found)) = (file.metadata(), path.symlink_metadata()) else {
        return false;
    };
    own.is_file() && (own.dev(), own.ino()) == (found.dev(), found.ino())
}

/// Nobody can tell here.
#[cfg(not(unix))]
pub(super) fn is_at(_file: &std::fs::File, _path: &Path) -> bool {
    false
}

/// Whether the open file belongs to the owner of another one, who alone may write it.
#[cfg(unix)]
pub(super) fn is_written_by_owner_of(file: &std::fs::File, other: &std::fs::File) -> bool {
    use std::os::unix::fs::MetadataExt;

    const OTHERS_WRITE: u32 = 0o022;
    let (Ok(found), Ok(other)) = (file.metadata(), other.metadata()) else {
        return false;
    };
    found.uid() == other.uid() && found.mode() & OTHERS_WRITE == 0
}

/// Nobody can tell here.
#[cfg(not(unix))]
pub(super) fn is_written_by_owner_of(_file: &std::fs::File, _other: &std::fs::File) -> bool {
    false
}

/// Sets the mode of a file to be created that everybody may read.
#[cfg(unix)]
pub(super) fn readable_by_all(options: &mut std::fs::OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o644);
}

/// Files inherit the access list of their directory.
#[cfg(not(unix))]
pub(super) fn readable_by_all(_options: &mut std::fs::OpenOptions) {}

/// The bytes that may still be written to the file system of `dir`, where the system tells.
#[cfg(unix)]
pub(super) fn available_space(dir: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(dir).ok()?;
    // File systems that do not count blocks say that they have none at all.
    (found.f_blocks > 0).then(|| found.f_bavail.saturating_mul(found.f_frsize))
}

/// There is no safe call for it.
#[cfg(not(unix))]
pub(super) fn available_space(_dir: &Path) -> Option<u64> {
    None
}

/// The library does not tell the number of a file here.
#[cfg(not(unix))]
pub(super) fn inode_and_mode(_metadata: &std::fs::Metadata) -> (u64, u32) {
    (0, 0)
}

/// Makes the empty file `to` share the blocks of `from`; `false` if the system or file system
/// cannot.
#[cfg(target_os = "linux")]
pub(super) fn share_blocks(from: &std::fs::File, to: &std::fs::File) -> bool {
    rustix::fs::ioctl_ficlone(to, from).is_ok()
}

/// Only whole files are cloned here, by name, or none.
#[cfg(not(target_os = "linux"))]
pub(super) fn share_blocks(_from: &std::fs::File, _to: &std::fs::File) -> bool {
    false
}

/// Makes a new file `to` that shares the blocks and has the mode of `from`; `false`, and no file, if
/// the system or file system cannot.
#[cfg(target_os = "linux")]
pub(super) fn reflink(from: &Path, to: &Path) -> io::Result<bool> {
    let source = std::fs::File::open(from)?;
    let target = std::fs::File::create_new(to)?;
    if share_blocks(&source, &target) {
        target.set_permissions(source.metadata()?.permissions())?;
        return Ok(true);
    }
    drop(target);
    std::fs::remove_file(to)?;
    Ok(false)
}

/// Makes a new file `to` that shares the blocks and has the mode of `from`; `false`, and no file, if
/// the file system cannot.
#[cfg(target_os = "macos")]
pub(super) fn reflink(from: &Path, to: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, CloneFlags, fclonefileat};

    let source = std::fs::File::open(from)?;
    Ok(fclonefileat(&source, CWD, to, CloneFlags::empty()).is_ok())
}

/// There is no such thing, or no safe call for it.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(super) fn reflink(_from: &Path, _to: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Makes a link to a directory.
#[cfg(unix)]
pub(super) fn symlink_dir(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Makes a link to a directory, which takes a privilege or the developer mode here.
#[cfg(windows)]
pub(super) fn symlink_dir(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(target, link)
}

/// There are no links.
#[cfg(not(any(unix, windows)))]
pub(super) fn symlink_dir(_target: &Path, _link: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether the mode of a file has a right to execute it.
#[cfg(unix)]
pub(super) fn is_executable(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    Ok(path.metadata()?.permissions().mode() & 0o111 != 0)
}

/// Files carry no such right.
#[cfg(not(unix))]
pub(super) fn is_executable(path: &Path) -> io::Result<bool> {
    path.metadata().map(|_| true)
}

/// Adds the right to execute a file for all who may read it.
#[cfg(unix)]
pub(super) fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let mut permissions = path.metadata()?.permissions();
    let mode = permissions.mode();
    permissions.set_mode(mode | ((mode & 0o444) >> 2));
    std::fs::set_permissions(path, permissions)
}

/// Files carry no such right.
#[cfg(not(unix))]
pub(super) fn make_executable(path: &Path) -> io::Result<()> {
    path.metadata().map(|_| ())
}

/// Tries to lock all of a file for this process, as other programs do by `fcntl`.
#[cfg(unix)]
pub(super) fn try_record_lock(file: &std::fs::File) -> Result<(), std::fs::TryLockError> {
    use rustix::fs::{FlockOperation, fcntl_lock};
    use rustix::io::Errno;

    match fcntl_lock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        Err(Errno::AGAIN | Errno::ACCESS) => Err(std::fs::TryLockError::WouldBlock),
        Err(error) => Err(std::fs::TryLockError::Error(error.into())),
    }
}

/// There is one kind of lock here.
#[cfg(not(unix))]
pub(super) fn try_record_lock(file: &std::fs::File) -> Result<(), std::fs::TryLockError> {
    file.try_lock()
}

/// Whether the process or the system ran out of file handles.
pub(super) fn is_out_of_handles(error: &io::Error) -> bool {
    // EMFILE and ENFILE have the same numbers on all Unix systems; then ERROR_TOO_MANY_OPEN_FILES.
    let codes: &[i32] = if cfg!(windows) { &[4] } else { &[24, 23] };
    error
        .raw_os_error()
        .is_some_and(|code| codes.contains(&code))
}

/// Whether the file system answers that it has no locks at all.
pub(super) fn has_no_locks(error: &io::Error) -> bool {
    // ENOLCK is what network file systems without a lock service answer on Linux and macOS.
    let no_locks = if cfg!(target_os = "macos") { 77 } else { 37 };
    error.kind() == io::ErrorKind::Unsupported
        || (cfg!(unix) && error.raw_os_error() == Some(no_locks))
}

/// Whether `name`, one part of a path, means something else than a file of that name here.
pub(super) fn is_special_name(name: &str) -> bool {
    cfg!(windows) && is_special_on_windows(name)
}

/// Devices (`nul`, `com1.txt`), alternate streams (`a:b`), reserved characters, and names that lose their end.
fn is_special_on_windows(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = name
        .split('.')
        .next()
        .unwrap_or(name)
        .trim_end()
        .to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().any(|device| {
        stem.strip_prefix(device).is_some_and(|rest| {
            let mut rest = rest.chars();
            matches!(
                (rest.next(), rest.next()),
                (Some('0'..='9' | '¹' | '²' | '³'), None)
            )
        })
    });
    numbered
        || DEVICES.contains(&stem.as_str())
        || name.contains(|c: char| matches!(c, ':' | '<' | '>' | '"' | '|' | '?' | '*') || c < ' ')
        || name.ends_with(['.', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_devices_and_streams_are_special() {
        for name in [
            "NUL", "con.txt", "COM1", "lpt9.zip", "a:b", "end.", "end ", "a?", "com¹",
        ] {
            assert!(is_special_on_windows(name), "{name}");
        }
        for name in ["console", "com", "com12", "nulls.txt", ".hidden", "lptx"] {
            assert!(!is_special_on_windows(name), "{name}");
        }
    }

    #[test]
    fn swap_exchanges_two_directories() {
        let root = tempfile::tempdir().unwrap();
        let (one, other) = (root.path().join("one"), root.path().join("other"));
        std::fs::create_dir(&one).unwrap();
        std::fs::write(&other, "file").unwrap();
        if swap(&one, &other).unwrap() {
            assert!(one.is_file() && other.is_dir());
        }
    }
}

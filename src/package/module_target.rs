//! The new directory that a module's archive is unpacked into. Attacks: see `module_archive`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::archive::display_name;
use super::module_archive::ModuleLimits;
use super::module_archive_error::ModuleArchiveError;

/// The longest name, in bytes.
const LONGEST_NAME: usize = 1024;
/// What of a mode is kept: no set-user-id, set-group-id and sticky bit.
const KEPT_BITS: u32 = 0o777;
/// What the owner of a file and of a directory may do whatever the archive says.
const OWNER_OF_FILE: u32 = 0o400;
const OWNER_OF_DIRECTORY: u32 = 0o700;

/// Writes files and directories, and keeps count.
pub(super) struct ModuleTarget<'d> {
    dest: &'d Path,
    limits: ModuleLimits,
    entries: usize,
    bytes: u64,
    files: usize,
    /// Modes of directories, given at the end, so that files can be written before.
    modes: BTreeMap<PathBuf, u32>,
}

impl<'d> ModuleTarget<'d> {
    pub(super) fn new(dest: &'d Path, limits: ModuleLimits) -> Self {
        Self {
            dest,
            limits,
            entries: 0,
            bytes: 0,
            files: 0,
            modes: BTreeMap::new(),
        }
    }

    /// How many bytes may be read in all.
    pub(super) fn byte_limit(&self) -> u64 {
        self.limits.bytes
    }

    /// Counts an entry, whatever it is.
    pub(super) fn count_entry(&mut self) -> Result<(), ModuleArchiveError> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            let limit = self.limits.entries;
            return Err(ModuleArchiveError::TooManyEntries { limit });
        }
        Ok(())
    }

    /// Makes a directory; its mode is set at the end.
    pub(super) fn directory(&mut self, name: &[u8], mode: u32) -> Result<(), ModuleArchiveError> {
        let path = self.path(name)?;
        fs::create_dir_all(&path).map_err(refused_or_failed(name, &path))?;
        self.modes
            .insert(path, mode & KEPT_BITS | OWNER_OF_DIRECTORY);
        Ok(())
    }

    /// Writes a file. Of several of one name the last stays, as with the tools.
    pub(super) fn file(
        &mut self,
        name: &[u8],
        mode: u32,
        content: &mut dyn Read,
        unreadable: impl Fn(io::Error) -> ModuleArchiveError,
    ) -> Result<(), ModuleArchiveError> {
        let (path, mut file) = self.open(name, mode)?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = match content.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(error)),
            };
            self.add_bytes(count as u64)?;
            file.write_all(&buffer[..count])
                .map_err(write_error(&path))?;
        }
        Ok(())
    }

    /// Opens a new file, with its mode whatever the process's mask says.
    pub(super) fn open(
        &mut self,
        name: &[u8],
        mode: u32,
    ) -> Result<(PathBuf, File), ModuleArchiveError> {
        let path = self.path(name)?;
        if path == self.dest {
            return Err(bad_name(name, "names no file"));
        }
        let parent = path.parent().unwrap_or(self.dest);
        fs::create_dir_all(parent).map_err(refused_or_failed(name, parent))?;
        if path.symlink_metadata().is_ok_and(|it| it.is_file()) {
            fs::remove_file(&path).map_err(write_error(&path))?;
        }
        let file = File::create_new(&path).map_err(refused_or_failed(name, &path))?;
        set_mode(&path, mode & KEPT_BITS | OWNER_OF_FILE).map_err(write_error(&path))?;
        self.files += 1;
        Ok((path, file))
    }

    /// Counts bytes of contents.
    pub(super) fn add_bytes(&mut self, count: u64) -> Result<(), ModuleArchiveError> {
        self.bytes = self.bytes.saturating_add(count);
        if self.bytes > self.limits.bytes {
            let limit = self.limits.bytes;
            return Err(ModuleArchiveError::TooLarge { limit });
        }
        Ok(())
    }

    /// Sets the modes of directories, deepest first.
    pub(super) fn finish(self) -> Result<(), ModuleArchiveError> {
        if self.files == 0 {
            return Err(ModuleArchiveError::Empty);
        }
        for (path, mode) in self
            .modes
            .iter()
            .rev()
            .filter(|(path, _)| *path != self.dest)
        {
            set_mode(path, *mode).map_err(write_error(path))?;
        }
        Ok(())
    }

    /// The place of an entry; the target itself for `./`.
    fn path(&self, name: &[u8]) -> Result<PathBuf, ModuleArchiveError> {
        let text = std::str::from_utf8(name).map_err(|_| bad_name(name, "is not UTF-8"))?;
        if text.len() > LONGEST_NAME {
            return Err(bad_name(name, "is too long"));
        }
        if text.chars().any(char::is_control) {
            return Err(bad_name(name, "holds a control character"));
        }
        if text.split(['/', '\\']).any(|part| part == "..") {
            return Err(bad_name(name, "leads out of its directory"));
        }
        if cfg!(windows) && text.contains(['\\', ':']) {
            return Err(bad_name(name, "is not possible on this platform"));
        }
        let parts = text
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".");
        let mut path = self.dest.to_owned();
        path.extend(parts);
        Ok(path)
    }
}

/// The error for a name that cannot be a path.
pub(super) fn bad_name(name: &[u8], problem: &'static str) -> ModuleArchiveError {
    let entry = display_name(name);
    ModuleArchiveError::Name { entry, problem }
}

/// Nobody else writes here, so that what is in the way comes from the archive itself.
fn refused_or_failed(name: &[u8], path: &Path) -> impl FnOnce(io::Error) -> ModuleArchiveError {
    use io::ErrorKind::{AlreadyExists, InvalidFilename, IsADirectory, NotADirectory};

    let (name, path) = (name.to_owned(), path.to_owned());
    move |source| {
        let kind = source.kind();
        if matches!(kind, AlreadyExists | IsADirectory | NotADirectory) {
            bad_name(&name, "needs a directory where another entry is a file")
        } else if kind == InvalidFilename {
            bad_name(&name, "is longer than this file system allows")
        } else {
            ModuleArchiveError::Write { path, source }
        }
    }
}

fn write_error(path: &Path) -> impl FnOnce(io::Error) -> ModuleArchiveError {
    let path = path.to_owned();
    move |source| ModuleArchiveError::Write { path, source }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// There are no modes here.
#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

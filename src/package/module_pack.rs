//! Packing a module's directory as a flat zip archive (facts/modules 6.4): regular files alone, so that every tool
//! unpacks the same, and the same bytes for the same files.
//!
//! The directory may be a stranger's repository. Attacks known, and the answer to each:
//! - *A link to a file of this machine*: links are followed only to what lies in the directory itself; others are
//!   left out and told.
//! - *Links that run in circles, or unfold without end*: a directory is not entered from within itself, and
//!   entries and bytes are limited.
//! - *Names that no archive can hold* (not UTF-8, control characters, backslashes): refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use sha2::{Digest as _, Sha256};

use crate::disk::DiskError;
use crate::failure::{ExitCode, Failure};
use crate::hash::Sha256Digest;
use crate::package::ModuleLimits;

/// The first instant that zip archives know, 1980-01-01: no archive tells when it was made.
const MADE_AT: i64 = 315_532_800;
/// Of repositories the bookkeeping is left out: it is not the module, and differs between equal clones.
const LEFT_OUT: [&str; 1] = [".git"];

/// Why a directory cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum ModulePackError {
    /// Something cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The archive cannot be written.
    #[error("cannot write the archive of the module")]
    Write(#[source] io::Error),
    /// There is nothing in it.
    #[error("the module has no files")]
    Empty,
    /// A name that no archive can hold.
    #[error("the module has a file `{0}`, whose name cannot be in an archive")]
    Name(String),
    /// More files than allowed.
    #[error("the module holds more than {0} files")]
    TooManyFiles(usize),
    /// More bytes than allowed.
    #[error("the module holds more than {0} bytes")]
    TooLarge(u64),
}

impl Failure for ModulePackError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Disk(source) => source.exit_code(),
            Self::Write(_) => ExitCode::Local,
            Self::Empty | Self::Name(_) | Self::TooManyFiles(_) | Self::TooLarge(_) => {
                ExitCode::Verification
            }
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Disk(source) => source.hints(),
            Self::Write(source) => crate::disk::hint(source)
                .map(str::to_owned)
                .into_iter()
                .collect(),
            Self::Empty | Self::Name(_) | Self::TooManyFiles(_) | Self::TooLarge(_) => Vec::new(),
        }
    }
}

/// The digest of the archive that [`pack_module`] makes of the files below `dir`, which is written nowhere. Blocks.
///
/// # Errors
///
/// As [`pack_module`].
pub fn digest_of_packed(dir: &Path) -> Result<Sha256Digest, ModulePackError> {
    let mut out = DigestWriter(Sha256::new());
    pack_module(dir, &mut out, ModuleLimits::default())?;
    Ok(Sha256Digest(out.0.finalize().into()))
}

/// Takes bytes for their digest alone.
struct DigestWriter(Sha256);

impl Write for DigestWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Packs the files below `dir` into `out`; the names of links that are left out, since they lead elsewhere. Blocks.
///
/// # Errors
///
/// If something cannot be read or written, or cannot be in an archive.
pub fn pack_module(
    dir: &Path,
    out: impl Write,
    limits: ModuleLimits,
) -> Result<Vec<String>, ModulePackError> {
    let mut search = Search::of(dir, limits)?;
    search.take(dir, "")?;
    if search.files.is_empty() {
        return Err(ModulePackError::Empty);
    }
    let mut archive = ZipArchiveWriter::new(io::BufWriter::new(out));
    for (name, path) in &search.files {
        add(&mut archive, name, path)?;
    }
    let mut buffered = archive.finish().map_err(unwritable)?;
    buffered.flush().map_err(ModulePackError::Write)?;
    Ok(search.left_out)
}

fn add<W: Write>(
    archive: &mut ZipArchiveWriter<W>,
    name: &str,
    path: &Path,
) -> Result<(), ModulePackError> {
    let mut file = File::open(path).map_err(DiskError::on("open", path))?;
    let mode = if is_executable(&file) { 0o755 } else { 0o644 };
    let entry = archive
        .new_file(name)
        .compression_method(CompressionMethod::DEFLATE)
        .last_modified(UtcDateTime::from_unix(MADE_AT))
        .unix_permissions(0o100_000 | mode);
    let (mut entry, config) = entry.start().map_err(unwritable)?;
    let encoder = DeflateEncoder::new(&mut entry, Compression::default());
    let mut content = config.wrap(encoder);
    io::copy(&mut file, &mut content).map_err(ModulePackError::Write)?;
    let (encoder, descriptor) = content.finish().map_err(unwritable)?;
    encoder.finish().map_err(ModulePackError::Write)?;
    entry.finish(descriptor).map_err(unwritable)?;
    Ok(())
}

fn unwritable(error: rawzip::Error) -> ModulePackError {
    ModulePackError::Write(io::Error::other(error))
}

/// Looks for the files of a module.
struct Search {
    top: PathBuf,
    limits: ModuleLimits,
    bytes: u64,
    /// By name in the archive, with `/`.
    files: BTreeMap<String, PathBuf>,
    left_out: Vec<String>,
    /// The directories that lead to the one in hand.
    entered: BTreeSet<PathBuf>,
}

impl Search {
    fn of(dir: &Path, limits: ModuleLimits) -> Result<Self, ModulePackError> {
        Ok(Self {
            top: resolved(dir)?,
            limits,
            bytes: 0,
            files: BTreeMap::new(),
            left_out: Vec::new(),
            entered: BTreeSet::new(),
        })
    }

    fn take(&mut self, dir: &Path, above: &str) -> Result<(), ModulePackError> {
        let real = resolved(dir)?;
        if !self.entered.insert(real.clone()) {
            self.left_out.push(above.trim_end_matches('/').to_owned());
            return Ok(());
        }
        let unreadable = || DiskError::on("read the directory", dir);
        for entry in fs::read_dir(dir).map_err(unreadable())? {
            let entry = entry.map_err(unreadable())?;
            let name = archivable(&entry.file_name().to_string_lossy(), &entry.path())?;
            if !LEFT_OUT.contains(&name.as_str()) {
                self.take_entry(&entry.path(), &format!("{above}{name}"))?;
            }
        }
        self.entered.remove(&real);
        Ok(())
    }

    fn take_entry(&mut self, path: &Path, name: &str) -> Result<(), ModulePackError> {
        let found = path
            .symlink_metadata()
            .map_err(DiskError::on("read", path))?;
        let is_inside = |real: &PathBuf| real.starts_with(&self.top) && !self.is_bookkeeping(real);
        if found.is_symlink() && !path.canonicalize().is_ok_and(|real| is_inside(&real)) {
            self.left_out.push(name.to_owned());
            return Ok(());
        }
        let metadata = path.metadata().map_err(DiskError::on("read", path))?;
        if metadata.is_dir() {
            return self.take(path, &format!("{name}/"));
        }
        if !metadata.is_file() {
            self.left_out.push(name.to_owned());
            return Ok(());
        }
        self.bytes = self.bytes.saturating_add(metadata.len());
        if self.bytes > self.limits.bytes {
            return Err(ModulePackError::TooLarge(self.limits.bytes));
        }
        if self.files.len() >= self.limits.entries {
            return Err(ModulePackError::TooManyFiles(self.limits.entries));
        }
        self.files.insert(name.to_owned(), path.to_owned());
        Ok(())
    }

    /// Whether a file is of what is left out, to which links may lead.
    fn is_bookkeeping(&self, real: &Path) -> bool {
        let below = real.strip_prefix(&self.top).unwrap_or(real);
        let mut parts = below.iter().map(|part| part.to_string_lossy());
        parts.any(|part| LEFT_OUT.contains(&&*part))
    }
}

fn resolved(dir: &Path) -> Result<PathBuf, DiskError> {
    dir.canonicalize().map_err(DiskError::on("read", dir))
}

fn archivable(name: &str, path: &Path) -> Result<String, ModulePackError> {
    let is_plain = path.file_name().and_then(|name| name.to_str()) == Some(name);
    if !is_plain || name.contains('\\') || name.chars().any(char::is_control) {
        return Err(ModulePackError::Name(name.escape_debug().to_string()));
    }
    Ok(name.to_owned())
}

#[cfg(unix)]
fn is_executable(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata = file.metadata();
    metadata.is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

/// There is no such bit here.
#[cfg(not(unix))]
fn is_executable(_: &File) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::package::{ModuleFormat, unpack_module};
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn packed(dir: &Path) -> (tempfile::NamedTempFile, Vec<String>) {
        let out = tempfile::NamedTempFile::new().unwrap();
        let left_out = pack_module(dir, out.as_file(), ModuleLimits::default()).unwrap();
        (out, left_out)
    }

    fn unpacked(archive: &Path) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let limits = ModuleLimits::default();
        unpack_module(archive, ModuleFormat::Zip, dir.path(), limits).unwrap();
        dir
    }

    fn module() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path();
        fs::create_dir_all(dir.join("modules/x")).unwrap();
        fs::create_dir_all(dir.join(".git/objects")).unwrap();
        fs::write(dir.join(".git/config"), "secret").unwrap();
        fs::write(dir.join("main.tf"), "# main").unwrap();
        fs::write(dir.join("modules/x/run.sh"), "#!/bin/sh\n".repeat(100)).unwrap();
        let mode = fs::Permissions::from_mode(0o700);
        fs::set_permissions(dir.join("modules/x/run.sh"), mode).unwrap();
        root
    }

    #[test]
    fn the_same_files_make_the_same_archive() {
        let (first, second) = (module(), module());
        let mode = fs::Permissions::from_mode(0o600);
        fs::set_permissions(second.path().join("main.tf"), mode).unwrap();
        let bytes = |dir: &Path| fs::read(packed(dir).0.path()).unwrap();
        assert_eq!(bytes(first.path()), bytes(second.path()));
        let digest = Sha256Digest::of(&bytes(first.path()));
        assert_eq!(digest_of_packed(first.path()).unwrap(), digest);
        let again = unpacked(packed(first.path()).0.path());
        assert_eq!(digest_of_packed(again.path()).unwrap(), digest);
        fs::write(second.path().join("main.tf"), "# other").unwrap();
        assert_ne!(bytes(first.path()), bytes(second.path()));
    }

    #[test]
    fn files_come_back_flat_with_plain_modes_and_without_bookkeeping() {
        let (archive, left_out) = packed(module().path());
        assert!(left_out.is_empty());
        let dir = unpacked(archive.path());
        assert!(!dir.path().join(".git").exists());
        assert_eq!(fs::read(dir.path().join("main.tf")).unwrap(), b"# main");
        let mode = |name: &str| {
            dir.path()
                .join(name)
                .metadata()
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("main.tf") & 0o777, 0o644);
        assert_eq!(mode("modules/x/run.sh") & 0o777, 0o755);
    }

    #[test]
    fn links_within_become_files_and_links_outside_are_left_out() {
        let root = module();
        let dir = root.path();
        symlink("main.tf", dir.join("same.tf")).unwrap();
        symlink("modules", dir.join("also")).unwrap();
        symlink("/etc/passwd", dir.join("evil")).unwrap();
        symlink("../..", dir.join("modules/up")).unwrap();
        symlink(".git/config", dir.join("config")).unwrap();
        symlink("nowhere", dir.join("broken")).unwrap();
        symlink("..", dir.join("modules/circle")).unwrap();
        let (archive, mut left_out) = packed(dir);
        left_out.sort();
        assert_eq!(
            left_out,
            [
                "also/circle",
                "also/up",
                "broken",
                "config",
                "evil",
                "modules/circle",
                "modules/up",
            ]
        );
        let out = unpacked(archive.path());
        assert_eq!(fs::read(out.path().join("same.tf")).unwrap(), b"# main");
        assert!(out.path().join("also/x/run.sh").is_file());
    }

    #[test]
    fn refuses_names_and_sizes_that_no_archive_should_have() {
        let root = module();
        let pack = |limits| {
            let out = tempfile::tempfile().unwrap();
            pack_module(root.path(), &out, limits)
        };
        let limits = |bytes, entries| ModuleLimits { bytes, entries };
        assert!(matches!(
            pack(limits(10, 10)),
            Err(ModulePackError::TooLarge(10))
        ));
        assert!(matches!(
            pack(limits(1 << 20, 1)),
            Err(ModulePackError::TooManyFiles(1))
        ));
        fs::write(root.path().join("a\nb"), "").unwrap();
        assert!(matches!(
            pack(ModuleLimits::default()),
            Err(ModulePackError::Name(_))
        ));
        let empty = tempfile::tempdir().unwrap();
        let out = tempfile::tempfile().unwrap();
        let result = pack_module(empty.path(), &out, ModuleLimits::default());
        assert!(matches!(result, Err(ModulePackError::Empty)));
    }
}

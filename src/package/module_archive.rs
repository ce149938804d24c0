//! Unpacking the archives of modules (facts/modules 4.2).
//!
//! Anybody may have made the archive; there is no signature. Attacks known, and the answer to each:
//! - *A bomb*: the sum of all contents, all bytes that a compressed stream gives, the count of entries
//!   and the memory of the decompressor are capped.
//! - *A name that climbs out with `..`*, under `/` or `\`: the archive is refused. Absolute names lie below the
//!   target, as with the tools.
//! - *A link that leads out, and a file written through it*: no link is ever made. As with the tools a link in a
//!   tar archive becomes an empty file and one in a zip archive a file that holds its target.
//! - *Set-user-id, set-group-id and sticky bits*: dropped, other than by the tools.
//! - *Modes that lock the owner out*: the owner may always read, and enter and change directories.
//! - *A device, pipe or sparse file*: refused.
//! - *Names of control characters, and those longer than any path*: refused.
//! - *Headers that two readers understand differently* (a size in an extension that is not the header's): refused.
//!
//! Everything is written into a new directory of ours, so nothing that stands elsewhere is touched before the
//! whole is known to be sound.

use std::path::Path;

use super::archive_error::ArchiveError;
use super::module_archive_error::ModuleArchiveError;
use super::module_format::ModuleFormat;
use super::module_target::ModuleTarget;
use super::{module_tar, module_zip};

/// What an archive of a module may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModuleLimits {
    /// Bytes of all files together, and of a decompressed stream.
    pub bytes: u64,
    /// Files and directories.
    pub entries: usize,
}

impl Default for ModuleLimits {
    /// 2 GiB and 100,000 entries; modules have some hundred kilobytes.
    fn default() -> Self {
        Self {
            bytes: 2 << 30,
            entries: 100_000,
        }
    }
}

/// Unpacks the archive at `path` into the empty directory `dest`. Blocks; for the blocking pool. After
/// an error `dest` may hold a part of it.
///
/// # Errors
///
/// If it is not of the format, hostile, beyond the limits, has no file, or cannot be written.
pub fn unpack_module(
    path: &Path,
    format: ModuleFormat,
    dest: &Path,
    limits: ModuleLimits,
) -> Result<(), ModuleArchiveError> {
    let mut target = ModuleTarget::new(dest, limits);
    match format {
        ModuleFormat::Zip => module_zip::unpack(path, &mut target),
        ModuleFormat::TarGz | ModuleFormat::TarBz2 | ModuleFormat::TarXz => {
            module_tar::unpack(path, format, &mut target)
        }
    }?;
    target.finish()
}

impl From<ArchiveError> for ModuleArchiveError {
    fn from(source: ArchiveError) -> Self {
        Self::Zip {
            source: Box::new(source),
        }
    }
}

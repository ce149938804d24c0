//! Module packages on the disk of this machine: a directory, which the tools link to, or an archive
//! (facts/modules 4.4).

use std::path::PathBuf;

use crate::address::{Tool, query_pairs};
use crate::package::{ChecksumSource, FormatChoice, ModuleChecksum, ModuleFormat};
use crate::source::ModuleFetchError;
use crate::source::module_http::CheckedArchive;

/// What is there.
#[derive(Debug)]
pub(super) enum LocalContent {
    /// A directory.
    Directory(PathBuf),
    /// An archive to unpack.
    Archive(CheckedArchive),
}

/// Finds what a `file:` URL names.
pub(super) fn look(url: &str, tool: Tool) -> Result<LocalContent, ModuleFetchError> {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let path = address.split_once("://").map_or(address, |(_, path)| path);
    let pairs = query_pairs(query).unwrap_or_default();
    let value = |key: &str| {
        pairs
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    };
    let choice = FormatChoice::of(path, value("archive"), tool);
    let checksum = match value("checksum") {
        None => None,
        Some(text) => match ChecksumSource::parse(text)? {
            ChecksumSource::Digest(checksum) => Some(checksum),
            ChecksumSource::File(_) => return Err(ModuleFetchError::ChecksumFileOfLocal),
        },
    };
    let path = PathBuf::from(path);
    if !path.is_absolute() {
        return Err(ModuleFetchError::NoLocal { path });
    }
    match choice {
        FormatChoice::Archive(format) => archive(path, format, checksum),
        FormatChoice::SingleFile => Err(ModuleFetchError::SingleFile),
        FormatChoice::None if checksum.is_some() => Err(ModuleFetchError::ChecksumOfDirectory),
        FormatChoice::None if path.is_dir() => Ok(LocalContent::Directory(path)),
        FormatChoice::None => Err(ModuleFetchError::NoLocal { path }),
    }
}

fn archive(
    path: PathBuf,
    format: ModuleFormat,
    checksum: Option<ModuleChecksum>,
) -> Result<LocalContent, ModuleFetchError> {
    if !path.is_file() {
        return Err(ModuleFetchError::NoLocal { path });
    }
    Ok(LocalContent::Archive(CheckedArchive {
        path,
        format,
        checksum,
    }))
}

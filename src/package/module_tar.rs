//! Compressed tar archives of modules. Attacks: see `module_archive`.
//!
//! Extended headers are read here and not by the library, which would keep one of any size in memory.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use tar::{Archive, Entry};

use super::archive::display_name;
use super::module_archive_error::ModuleArchiveError;
use super::module_format::ModuleFormat;
use super::module_target::ModuleTarget;

/// The memory that an xz stream may ask for, in KiB: its highest level needs 65 MiB.
const XZ_MEMORY: u32 = 128 << 10;
/// The largest extended header.
const EXTENSION_CAP: u64 = 64 << 10;
/// Of a stream may be read, beside contents, this much for headers and padding of one entry.
const OVERHEAD: u64 = 2048;

/// Unpacks the archive at `path` into `target`.
pub(super) fn unpack(
    path: &Path,
    format: ModuleFormat,
    target: &mut ModuleTarget<'_>,
) -> Result<(), ModuleArchiveError> {
    let file = File::open(path).map_err(|source| ModuleArchiveError::Read {
        path: path.to_owned(),
        source,
    })?;
    let file = BufReader::new(file);
    let stream: Box<dyn Read> = match format {
        ModuleFormat::TarBz2 => Box::new(MultiBzDecoder::new(file)),
        ModuleFormat::TarXz => Box::new(XzReader::new_mem_limit(file, true, XZ_MEMORY)),
        ModuleFormat::TarGz | ModuleFormat::Zip => Box::new(MultiGzDecoder::new(file)),
    };
    let limit = target
        .byte_limit()
        .saturating_mul(2)
        .saturating_add(OVERHEAD);
    let mut reader = Reader {
        format,
        target,
        extension: Extension::default(),
    };
    reader.read(stream.take(limit))
}

/// What extended headers say of the next entry.
#[derive(Default)]
struct Extension {
    name: Option<Vec<u8>>,
    size: Option<u64>,
}

struct Reader<'r, 'd> {
    format: ModuleFormat,
    target: &'r mut ModuleTarget<'d>,
    extension: Extension,
}

impl Reader<'_, '_> {
    fn read(&mut self, stream: impl Read) -> Result<(), ModuleArchiveError> {
        let mut archive = Archive::new(stream);
        let format = self.format;
        let damaged = |source| ModuleArchiveError::Damaged { format, source };
        let entries = archive.entries().map_err(damaged)?.raw(true);
        for entry in entries {
            self.target.count_entry()?;
            self.entry(entry.map_err(damaged)?)?;
        }
        Ok(())
    }

    fn entry<R: Read>(&mut self, mut entry: Entry<'_, R>) -> Result<(), ModuleArchiveError> {
        let kind = entry.header().entry_type();
        if kind.is_pax_local_extensions() {
            return self.take_pax(&mut entry);
        }
        if kind.is_gnu_longname() {
            return self.take_long_name(&mut entry);
        }
        // What holds for all entries is of no interest, nor are targets of links.
        if kind.is_pax_global_extensions() || kind.is_gnu_longlink() {
            return Ok(());
        }
        let Extension { name, size } = std::mem::take(&mut self.extension);
        let name = name.unwrap_or_else(|| entry.path_bytes().into_owned());
        if size.is_some_and(|size| size != entry.size()) {
            return Err(ModuleArchiveError::Extension);
        }
        let format = self.format;
        let damaged = |source| ModuleArchiveError::Damaged { format, source };
        let mode = entry.header().mode().map_err(damaged)?;
        // Old archives have directories that only their names tell.
        if kind.is_dir() || (kind.is_file() && name.ends_with(b"/")) {
            return self.target.directory(&name, mode);
        }
        if kind.is_file() || kind.is_contiguous() {
            return self.target.file(&name, mode, &mut entry, damaged);
        }
        if kind.is_symlink() || kind.is_hard_link() {
            return self.target.file(&name, mode, &mut io::empty(), damaged);
        }
        Err(ModuleArchiveError::Special {
            entry: display_name(&name),
        })
    }

    fn take_long_name<R: Read>(
        &mut self,
        entry: &mut Entry<'_, R>,
    ) -> Result<(), ModuleArchiveError> {
        let mut name = self.extension_bytes(entry)?;
        while name.last() == Some(&0) {
            name.pop();
        }
        self.extension.name = Some(name);
        Ok(())
    }

    /// Takes the records that matter: `LENGTH KEY=VALUE` and a line feed each.
    fn take_pax<R: Read>(&mut self, entry: &mut Entry<'_, R>) -> Result<(), ModuleArchiveError> {
        let bytes = self.extension_bytes(entry)?;
        for record in tar::PaxExtensions::new(&bytes) {
            let record = record.map_err(|_| ModuleArchiveError::Extension)?;
            match record.key_bytes() {
                b"path" => self.extension.name = Some(record.value_bytes().to_vec()),
                b"size" => {
                    let size = record.value().ok().and_then(|it| it.parse().ok());
                    self.extension.size = Some(size.ok_or(ModuleArchiveError::Extension)?);
                }
                key if key.starts_with(b"GNU.sparse") => return Err(ModuleArchiveError::Extension),
                _ => {}
            }
        }
        Ok(())
    }

    fn extension_bytes<R: Read>(
        &self,
        entry: &mut Entry<'_, R>,
    ) -> Result<Vec<u8>, ModuleArchiveError> {
        if entry.size() > EXTENSION_CAP {
            return Err(ModuleArchiveError::Extension);
        }
        let mut bytes = Vec::new();
        let format = self.format;
        let read = entry.read_to_end(&mut bytes);
        read.map_err(|source| ModuleArchiveError::Damaged { format, source })?;
        Ok(bytes)
    }
}

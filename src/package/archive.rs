//! Reading zip archives: the list of entries, and one walk over their contents that hashes while it
//! reads.
//!
//! The walk serves `h1_of_zip`, `inspect` and `unpack` alike. Whether names may become paths is
//! asked in `layout`; here only the archive itself is judged. One reader for all three, so that
//! what is hashed is what is unpacked.
//!
//! Attacks and answers:
//! - zip bomb by ratio: the sum of the declared sizes is capped, and no entry may hold more than it
//!   declares;
//! - zip bomb by overlap (many entries over the same bytes): byte ranges of entries must not
//!   overlap;
//! - zip bomb by count, or by names: entries, name lengths and their sum are capped before anything
//!   is kept;
//! - another name before the content than in the directory, so that two readers see two archives:
//!   refused;
//! - a directory with more or fewer entries than declared, so that some stay hidden: refused;
//! - content that does not fit its CRC-32 or size, encrypted content, rare methods: refused;
//! - names made for a terminal: shown escaped and shortened.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rawzip::{
    CompressionMethod, ErrorKind, FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord,
};

use super::archive_error::{ArchiveError, NameProblem};

const MAX_ENTRIES: u64 = 100_000;
const MAX_NAME: usize = 1024;
const MAX_NAMES: usize = 8 << 20;
const MAX_CONTENT: u64 = 8 << 30;
/// A local header's name and extra field, at their longest.
const MAX_LOCAL: usize = 2 * 0xffff;

/// One entry of the archive's directory.
#[derive(Debug)]
pub(super) struct Entry {
    /// The name, byte for byte as it stands there.
    pub(super) name: Vec<u8>,
    /// Unix mode with file type bits; made up from DOS attributes where there is none.
    pub(super) mode: u32,
    /// The declared size of the content, which the walk makes sure of.
    pub(super) size: u64,
    pub(super) crc: u32,
    pub(super) method: CompressionMethod,
    encrypted: bool,
    offset: u64,
    pub(super) place: ZipArchiveEntryWayfinder,
}

impl Entry {
    /// Whether the name says that this is a directory; such an entry has no content
    /// (facts/providers 4.5).
    pub(super) fn is_directory(&self) -> bool {
        self.name.ends_with(b"/")
    }

    /// The name, fit for a message.
    pub(super) fn display(&self) -> String {
        display_name(&self.name)
    }

    fn read(record: &ZipFileHeaderRecord<'_>) -> Self {
        Self {
            name: record.file_path().as_ref().to_vec(),
            mode: record.mode().value(),
            size: record.uncompressed_size_hint(),
            crc: record.crc32(),
            method: record.compression_method(),
            encrypted: record.flags().is_encrypted() || record.flags().has_strong_encryption(),
            offset: record.local_header_offset(),
            place: record.wayfinder(),
        }
    }
}

/// An open archive whose directory was read and found sound.
pub(super) struct Archive {
    pub(super) path: PathBuf,
    pub(super) zip: ZipArchive<FileReader>,
    entries: Vec<Entry>,
}

impl Archive {
    /// Opens an archive, and reads and checks its directory.
    pub(super) fn open(path: &Path) -> Result<Self, ArchiveError> {
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let file = File::open(path).map_err(|source| ArchiveError::Read {
            path: path.to_owned(),
            source,
        })?;
        let zip = ZipArchive::from_file(file, &mut buffer).map_err(|error| no_zip(path, error))?;
        let entries = list(path, &zip, &mut buffer)?;
        let archive = Self {
            path: path.to_owned(),
            zip,
            entries,
        };
        archive.check_headers()?;
        Ok(archive)
    }

    /// All entries in the order of the archive's directory, duplicates included.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The sum of the sizes of all contents.
    pub(super) fn size(&self) -> u64 {
        self.entries.iter().map(|entry| entry.size).sum()
    }

    /// Compares the headers before the contents with the directory, and makes sure that no bytes
    /// are used twice.
    fn check_headers(&self) -> Result<(), ArchiveError> {
        let mut local = vec![0; MAX_LOCAL];
        let mut ranges = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let content = self
                .zip
                .get_entry(entry.place)
                .map_err(|error| no_zip(&self.path, error))?;
            let header = content
                .local_header(&mut local)
                .map_err(|error| no_zip(&self.path, error))?;
            let name = header.file_path();
            if name.as_ref() != entry.name {
                return Err(ArchiveError::NamesDiffer {
                    entry: entry.display(),
                    local: display_name(name.as_ref()),
                });
            }
            let (_, end) = content.compressed_data_range();
            ranges.push((entry.offset, end, entry));
        }
        ranges.sort_by_key(|(start, end, _)| (*start, *end));
        for (earlier, later) in ranges.iter().zip(ranges.iter().skip(1)) {
            if earlier.1 > later.0 {
                return Err(ArchiveError::Overlap {
                    entry: later.2.display(),
                });
            }
        }
        Ok(())
    }
}

/// Reads the directory of an archive, with all caps.
fn list(
    path: &Path,
    zip: &ZipArchive<FileReader>,
    buffer: &mut [u8],
) -> Result<Vec<Entry>, ArchiveError> {
    let declared = zip.entries_hint();
    if declared > MAX_ENTRIES {
        return Err(ArchiveError::TooManyEntries { limit: MAX_ENTRIES });
    }
    let (mut entries, mut names, mut content) = (Vec::new(), 0, 0_u64);
    let mut records = zip.entries(buffer);
    while let Some(record) = records.next_entry().map_err(|error| no_zip(path, error))? {
        let entry = Entry::read(&record);
        check_entry(&entry)?;
        names += entry.name.len();
        content = content.saturating_add(entry.size);
        entries.push(entry);
        if entries.len() as u64 > declared {
            break;
        }
        if names > MAX_NAMES {
            return Err(ArchiveError::TooMuchText { limit: MAX_NAMES });
        }
        if content > MAX_CONTENT {
            return Err(ArchiveError::TooLarge { limit: MAX_CONTENT });
        }
    }
    let got = entries.len() as u64;
    if got == declared {
        Ok(entries)
    } else {
        Err(ArchiveError::EntryCount { got, declared })
    }
}

/// Refuses entries that no use of the archive can do with. A line feed would forge lines of the
/// `h1` text (facts 4.5).
fn check_entry(entry: &Entry) -> Result<(), ArchiveError> {
    let hostile = |problem| {
        Err(ArchiveError::HostileName {
            entry: entry.display(),
            problem,
        })
    };
    if entry.name.len() > MAX_NAME {
        return hostile(NameProblem::TooLong);
    }
    if entry.name.contains(&b'\n') {
        return hostile(NameProblem::ControlCharacter);
    }
    if entry.encrypted {
        return Err(ArchiveError::Encrypted {
            entry: entry.display(),
        });
    }
    if !matches!(
        entry.method,
        CompressionMethod::STORE | CompressionMethod::DEFLATE
    ) {
        return Err(ArchiveError::UnsupportedMethod {
            entry: entry.display(),
            method: entry.method.as_u16(),
        });
    }
    Ok(())
}

/// A failure to read is told apart from an archive that is wrong.
pub(super) fn no_zip(path: &Path, error: rawzip::Error) -> ArchiveError {
    let path = path.to_owned();
    let kind = error.into_kind();
    let no_zip = |source| ArchiveError::NoZip {
        path: path.clone(),
        source,
    };
    let ErrorKind::IO(source) = kind else {
        return no_zip(rawzip::Error::from(kind).into());
    };
    if source.kind() == io::ErrorKind::UnexpectedEof {
        return no_zip(source.into());
    }
    ArchiveError::Read { path, source }
}

/// A name from an archive, fit for a message: escaped, and cut after 100 characters.
pub(super) fn display_name(name: &[u8]) -> String {
    const SHOWN: usize = 100;
    let text = String::from_utf8_lossy(name);
    let mut shown: String = text
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

//! The walk over the contents of an archive, hashing while it reads. Attacks: see `archive`.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use rawzip::CompressionMethod;
use sha2::{Digest as _, Sha256};

use crate::disk::{AlignedReader, ReadBuffer};
use crate::hash::Sha256Digest;

use super::archive::{Archive, Entry, no_zip};
use super::archive_error::ArchiveError;

/// Large enough that system calls do not count, small enough to stay in the processor's cache.
const BUFFER: usize = 256 << 10;

/// Where the walk puts contents.
pub(super) trait Place {
    /// Receives the content of an entry.
    type Writer: Write;

    /// Opens the place for the content of the entry with this index, which is no directory.
    fn open(&mut self, index: usize) -> Result<Self::Writer, ArchiveError>;

    /// The error for a failed write to the place of that entry.
    fn failed(&self, index: usize, source: io::Error) -> ArchiveError;
}

/// Keeps nothing.
pub(super) struct Nowhere;

impl Place for Nowhere {
    type Writer = io::Sink;

    fn open(&mut self, _: usize) -> Result<io::Sink, ArchiveError> {
        Ok(io::sink())
    }

    fn failed(&self, _: usize, source: io::Error) -> ArchiveError {
        ArchiveError::Write {
            path: PathBuf::new(),
            source,
        }
    }
}

impl Archive {
    /// Reads every content once, into its place, and returns the digests in the order of the
    /// entries.
    pub(super) fn walk(&self, place: &mut impl Place) -> Result<Vec<Sha256Digest>, ArchiveError> {
        let mut buffer = ReadBuffer::new(BUFFER);
        let mut digests = Vec::with_capacity(self.entries().len());
        for (index, entry) in self.entries().iter().enumerate() {
            let hash = if entry.is_directory() {
                check_size(entry, 0)?;
                Sha256::new()
            } else {
                let mut copy = Copy {
                    entry,
                    writer: place.open(index)?,
                    hash: Sha256::new(),
                    crc: Crc::new(),
                    got: 0,
                };
                self.read_content(entry, |content| copy.run(content, &mut buffer))?
                    .map_err(|source| place.failed(index, source))?;
                copy.hash
            };
            digests.push(Sha256Digest(hash.finalize().into()));
        }
        Ok(digests)
    }

    /// Hands the inflated content of an entry to `read`.
    fn read_content<T>(
        &self,
        entry: &Entry,
        read: impl FnOnce(&mut dyn Read) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let mut stored = self
            .zip
            .get_entry(entry.place)
            .map_err(|error| no_zip(&self.path, error))?
            .reader();
        match entry.method {
            CompressionMethod::STORE => read(&mut stored),
            CompressionMethod::DEFLATE => {
                let capacity = usize::try_from(entry.place.compressed_size_hint())
                    .unwrap_or(BUFFER)
                    .clamp(1, BUFFER);
                read(&mut DeflateDecoder::new(AlignedReader::new(
                    stored, capacity,
                )))
            }
            other => Err(ArchiveError::UnsupportedMethod {
                entry: entry.display(),
                method: other.as_u16(),
            }),
        }
    }
}

/// The content of one entry on its way to its place.
struct Copy<'a, W> {
    entry: &'a Entry,
    writer: W,
    hash: Sha256,
    crc: Crc,
    got: u64,
}

impl<W: Write> Copy<'_, W> {
    /// Copies all of the content; the inner result is that of writing.
    fn run(
        &mut self,
        content: &mut dyn Read,
        buffer: &mut [u8],
    ) -> Result<io::Result<()>, ArchiveError> {
        loop {
            let count = match content.read(buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => {
                    return Err(ArchiveError::Damaged {
                        entry: self.entry.display(),
                        source,
                    });
                }
            };
            let bytes = &buffer[..count];
            self.got += count as u64;
            if self.got > self.entry.size {
                break;
            }
            self.hash.update(bytes);
            self.crc.update(bytes);
            if let Err(error) = self.writer.write_all(bytes) {
                return Ok(Err(error));
            }
        }
        self.check()?;
        Ok(self.writer.flush())
    }

    /// Compares size and checksum with what the directory declares.
    fn check(&self) -> Result<(), ArchiveError> {
        check_size(self.entry, self.got)?;
        let (got, declared) = (self.crc.sum(), self.entry.crc);
        if got == declared {
            return Ok(());
        }
        Err(ArchiveError::ChecksumMismatch {
            entry: self.entry.display(),
            got,
            declared,
        })
    }
}

fn check_size(entry: &Entry, got: u64) -> Result<(), ArchiveError> {
    let declared = entry.size;
    if got == declared {
        return Ok(());
    }
    Err(ArchiveError::SizeMismatch {
        entry: entry.display(),
        got,
        declared,
    })
}

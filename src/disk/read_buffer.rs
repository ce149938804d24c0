//! Buffers for reading large files.
//!
//! The kernel copies what is read three times as fast into memory that begins at a cache line, which large blocks of the
//! allocator do not: it puts its own 16 bytes first. Hashing by the processor's own instructions is not much faster than
//! the slow copy, so that this is a third of the time.

use std::io::{self, BufRead, Read};
use std::ops::{Deref, DerefMut, Range};

/// A cache line has 64 bytes, a page so many.
const PAGE: usize = 4096;

/// Bytes to read into, which begin at a page.
#[derive(Debug)]
pub struct ReadBuffer {
    bytes: Vec<u8>,
    range: Range<usize>,
}

impl ReadBuffer {
    /// What hashing a file reads at once: large enough that system calls do not count, small enough to stay in the
    /// processor's cache.
    pub const USUAL: usize = 64 << 10;

    /// A buffer of `size` bytes.
    pub fn new(size: usize) -> Self {
        let bytes = vec![0; size + PAGE];
        // Where the address cannot be told, the promise is not kept, and nothing else happens.
        let start = bytes.as_ptr().align_offset(PAGE).min(PAGE);
        Self {
            bytes,
            range: start..start + size,
        }
    }
}

impl Deref for ReadBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

impl DerefMut for ReadBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.range.clone()]
    }
}

/// As `BufReader`, with a [`ReadBuffer`].
#[derive(Debug)]
pub struct AlignedReader<R> {
    inner: R,
    buffer: ReadBuffer,
    unread: Range<usize>,
}

impl<R: Read> AlignedReader<R> {
    /// Reads `inner` in pieces of `size` bytes.
    pub fn new(inner: R, size: usize) -> Self {
        Self {
            inner,
            buffer: ReadBuffer::new(size),
            unread: 0..0,
        }
    }
}

impl<R: Read> Read for AlignedReader<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(target)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for AlignedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.unread.is_empty() {
            self.unread = 0..self.inner.read(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.unread.clone()])
    }

    fn consume(&mut self, count: usize) {
        self.unread.start = self.unread.end.min(self.unread.start + count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_begin_at_a_page() {
        for size in [1, 4096, ReadBuffer::USUAL, 1 << 20] {
            let mut buffer = ReadBuffer::new(size);
            assert_eq!(buffer.len(), size);
            assert_eq!(buffer.as_ptr().align_offset(PAGE), 0);
            buffer.fill(1);
        }
    }

    #[test]
    fn everything_is_read_in_order() {
        let bytes: Vec<u8> = (0..=250).cycle().take(10_000).collect();
        for size in [1, 7, 4096, 20_000] {
            let mut read = Vec::new();
            let mut reader = AlignedReader::new(&bytes[..], size);
            assert_eq!(reader.fill_buf().unwrap().len(), size.min(bytes.len()));
            reader.read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes, "{size}");
        }
    }
}

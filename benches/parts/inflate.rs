//! Inflating a package. Bytes per second are those of the inflated side.
//!
//! Only streams can be read in constant memory: `libdeflate` wants the whole archive and room for the whole
//! content, which may be gigabytes, and is here to show what that costs.

use std::io::{Read, Write};

use divan::Bencher;
use divan::counter::BytesCount;
use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};

use crate::payload::executable;

const SIZE: usize = 32 << 20;
const PIECE: usize = 256 << 10;

/// As the program does it: flate2 on zlib-rs, streaming.
#[divan::bench]
fn flate2_zlib_rs(bencher: Bencher) {
    measure(bencher, |deflated| {
        let mut buffer = vec![0; PIECE];
        let mut content = DeflateDecoder::new(deflated);
        let mut size = 0;
        loop {
            match content.read(&mut buffer).expect("it is sound") {
                0 => return size,
                count => size += count,
            }
        }
    });
}

/// Streaming, too.
#[divan::bench]
fn miniz_oxide(bencher: Bencher) {
    measure(bencher, |mut deflated| {
        let mut buffer = vec![0; PIECE];
        let mut state = InflateState::new_boxed(DataFormat::Raw);
        let mut size = 0;
        loop {
            let step = inflate(&mut state, deflated, &mut buffer, MZFlush::None);
            deflated = &deflated[step.bytes_consumed..];
            size += step.bytes_written;
            if step.status.expect("it is sound") == MZStatus::StreamEnd {
                return size;
            }
        }
    });
}

/// Whole buffers only.
#[divan::bench]
fn libdeflate_whole(bencher: Bencher) {
    measure(bencher, |deflated| {
        let mut content = vec![0; SIZE];
        libdeflater::Decompressor::new()
            .deflate_decompress(deflated, &mut content)
            .expect("it is sound")
    });
}

fn measure(bencher: Bencher, inflate: impl Fn(&[u8]) -> usize + Sync) {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(&executable(2, SIZE))
        .expect("a vector takes any bytes");
    let deflated = encoder.finish().expect("a vector takes any bytes");
    assert_eq!(inflate(&deflated), SIZE);
    bencher
        .counter(BytesCount::new(SIZE))
        .bench(|| inflate(divan::black_box(&deflated)));
}

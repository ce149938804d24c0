//! SHA-256 of a package while it arrives, in pieces of the size that the program reads.

use divan::Bencher;
use divan::counter::BytesCount;
use sha2::{Digest, Sha256};

use crate::payload::executable;

const SIZE: usize = 16 << 20;
const PIECE: usize = 256 << 10;

/// As the program does it.
#[divan::bench]
fn sha2(bencher: Bencher) {
    measure(bencher, |pieces| {
        let mut hash = Sha256::new();
        pieces.for_each(|piece| hash.update(piece));
        hash.finalize().into()
    });
}

/// By what rustls brings along.
#[divan::bench]
fn ring(bencher: Bencher) {
    measure(bencher, |pieces| {
        let mut context = ring::digest::Context::new(&ring::digest::SHA256);
        pieces.for_each(|piece| context.update(piece));
        let digest = context.finish();
        digest.as_ref().try_into().expect("SHA-256 has 32 bytes")
    });
}

fn measure(bencher: Bencher, hash: impl Fn(std::slice::Chunks<'_, u8>) -> [u8; 32] + Sync) {
    let bytes = executable(1, SIZE);
    assert_eq!(
        hash(bytes.chunks(PIECE)),
        <[u8; 32]>::from(Sha256::digest(&bytes))
    );
    bencher
        .counter(BytesCount::new(SIZE))
        .bench(|| hash(divan::black_box(&bytes).chunks(PIECE)));
}

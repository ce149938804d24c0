//! Archives that are small on the way and huge when opened; correctly summed and signed.

use super::scene::{HOST, LINUX, Scene, mirror_arguments, net, words};
use crate::support::archive::{Member, release};
use crate::support::tree;

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// What the bombs inflate to: far more than the memory that a run may need.
const INFLATED: usize = 512 << 20;

/// A release with one member of zeros.
fn bomb() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let start = |writer: &mut ZipWriter<_>, name: &str, mode| {
        let options = options.unix_permissions(mode);
        writer.start_file(name, options).expect("names differ");
    };
    for Member {
        name,
        mode,
        content,
    } in release("net", "1.0.0", "5", 64)
    {
        start(&mut writer, &name, mode);
        writer
            .write_all(&content)
            .expect("a vector takes any bytes");
    }
    start(&mut writer, "zeros", 0o644);
    let block = vec![0; 1 << 20];
    for _ in 0..INFLATED >> 20 {
        writer.write_all(&block).expect("a vector takes any bytes");
    }
    writer
        .finish()
        .expect("a vector takes any bytes")
        .into_inner()
}

/// The bomb with another declared size in both places.
fn declaring(size: u32) -> Vec<u8> {
    let mut archive = bomb();
    // The last local header and the last record of the directory are those of the zeros.
    for (signature, offset) in [(b"PK\x03\x04", 22), (b"PK\x01\x02", 24)] {
        let header = archive.windows(4).rposition(|window| window == signature);
        let at = header.expect("every zip has one") + offset;
        let declared = usize::try_from(u32::from_le_bytes(
            archive[at..at + 4].try_into().expect("four bytes"),
        ));
        assert_eq!(declared, Ok(INFLATED));
        archive[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    archive
}

#[test]
fn bomb_that_declares_little_is_refused_at_once() {
    let scene = Scene::of(net().archive(LINUX, declaring(1000)));
    let install = words([
        "install",
        "--dir=plugins",
        "--platform=linux_amd64",
        &format!("{HOST}/acme/net"),
    ]);
    for arguments in [mirror_arguments(), install] {
        let measured = scene.measure(&arguments);
        let outcome = measured.outcome.expect_code(10);
        assert!(
            outcome
                .stderr
                .contains("entry `zeros` declares 1000 bytes and has more"),
            "{outcome}"
        );
        assert!(
            outcome
                .stderr
                .contains("\nhint: the package was published like this"),
            "{outcome}"
        );
    }
    assert_eq!(scene.mirrored(), [""; 0]);
    let plugins = tree::names(&scene.cx.work().join("plugins"));
    assert!(
        plugins.iter().all(|name| name.ends_with('/')),
        "{plugins:?}"
    );
}

#[test]
fn bomb_that_declares_what_it_is_is_hashed_without_being_held() {
    let scene = Scene::of(net().archive(LINUX, bomb()));
    let measured = scene.mirror();
    measured.outcome.expect_code(0);
    assert!(
        measured.memory > 0 || !cfg!(target_os = "linux"),
        "memory is measured"
    );
    scene.holds_the_package();
}

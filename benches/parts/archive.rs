//! One pass over a package: what `mirror` does with every archive, and `install` with every directory.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use divan::Bencher;
use divan::counter::BytesCount;
use provender::package::{h1_of_directory, h1_of_zip, inspect, unpack};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::payload::executable;

const SIZE: usize = 64 << 20;

#[divan::bench]
fn inspect_archive(bencher: Bencher) {
    measure(bencher, |archive, _| {
        inspect(archive, "net").expect("it is a package");
    });
}

#[divan::bench]
fn h1_of_archive(bencher: Bencher) {
    measure(bencher, |archive, _| {
        h1_of_zip(archive).expect("it is an archive");
    });
}

#[divan::bench]
fn h1_of_unpacked(bencher: Bencher) {
    measure(bencher, |_, unpacked| {
        h1_of_directory(unpacked).expect("it is readable");
    });
}

fn measure(bencher: Bencher, run: impl Fn(&Path, &Path) + Sync) {
    let directory = TempDir::new().expect("a temporary directory can be made");
    let archive = directory.path().join("package.zip");
    let unpacked = directory.path().join("unpacked");
    write(&archive).expect("the archive can be written");
    fs::create_dir(&unpacked).expect("a directory can be made");
    unpack(&archive, &unpacked, "net").expect("it is a package");
    bencher
        .counter(BytesCount::new(SIZE))
        .bench(|| run(&archive, &unpacked));
}

fn write(path: &Path) -> zip::result::ZipResult<()> {
    let mut writer = ZipWriter::new(File::create(path)?);
    writer.start_file(
        "terraform-provider-net_v1.0.0_x5",
        SimpleFileOptions::default().unix_permissions(0o755),
    )?;
    writer.write_all(&executable(3, SIZE))?;
    writer.finish()?;
    Ok(())
}

//! Attacks by archives, each put together byte by byte.

use std::fs;
use std::path::{Path, PathBuf};

use flate2::Crc;
use tempfile::TempDir;

use super::{
    ArchiveError, NameProblem, PackageContents, h1_of_directory, h1_of_zip, inspect, unpack,
};
use crate::failure::{ExitCode, Failure as _};

const PLUGIN: &str = "terraform-provider-net_v1.0.0";

/// An entry, with every field that an attacker may choose.
struct Forged {
    name: Vec<u8>,
    local_name: Vec<u8>,
    content: Vec<u8>,
    declared: u32,
    crc: u32,
    mode: u32,
    flags: u16,
    method: u16,
    /// Place of an earlier entry, to be used again.
    shares: Option<u32>,
}

fn entry(name: impl AsRef<[u8]>, content: &[u8]) -> Forged {
    let mut crc = Crc::new();
    crc.update(content);
    Forged {
        name: name.as_ref().to_vec(),
        local_name: name.as_ref().to_vec(),
        content: content.to_vec(),
        declared: u32::try_from(content.len()).unwrap(),
        crc: crc.sum(),
        mode: 0o100_644,
        flags: 0,
        method: 0,
        shares: None,
    }
}

fn plugin() -> Forged {
    entry(PLUGIN, b"#!/bin/sh\n")
}

impl Forged {
    fn deflated(mut self) -> Self {
        let mut packed =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut packed, &self.content).unwrap();
        self.content = packed.finish().unwrap();
        self.method = 8;
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The fields that both headers have in common, up to the length of the name.
    fn common(&self, name: &[u8]) -> Vec<u8> {
        let size = u32::try_from(self.content.len()).unwrap();
        let mut bytes = Vec::new();
        for field in [20, self.flags, self.method, 0, 0] {
            bytes.extend(u16::to_le_bytes(field));
        }
        for field in [self.crc, size, self.declared] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }
}

/// The archive of some entries; `count` overrides what the end record declares.
fn bytes(entries: &[Forged], count: Option<u16>) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = entry.shares.unwrap_or(u32::try_from(bytes.len()).unwrap());
        if entry.shares.is_none() {
            bytes.extend(b"PK\x03\x04");
            bytes.extend(entry.common(&entry.local_name));
            bytes.extend(&entry.local_name);
            bytes.extend(&entry.content);
        }
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(entry.common(&entry.name));
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&entry.name);
    }
    let count = count.unwrap_or(u16::try_from(entries.len()).unwrap());
    let (start, length) = (
        u32::try_from(bytes.len()).unwrap(),
        u32::try_from(directory.len()).unwrap(),
    );
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}

/// An archive in a temporary directory.
struct Packed {
    directory: TempDir,
}

impl Packed {
    fn new(bytes: &[u8]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("package.zip"), bytes).unwrap();
        Self { directory }
    }

    fn of(entries: &[Forged]) -> Self {
        Self::new(&bytes(entries, None))
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("package.zip")
    }

    fn target(&self) -> PathBuf {
        self.directory.path().join("target")
    }

    fn unpack(&self) -> Result<PackageContents, ArchiveError> {
        unpack(&self.path(), &self.target(), "net")
    }

    /// Why unpacking and inspecting are refused, which must be for the same reason and leave
    /// nothing behind.
    fn refusal(&self) -> ArchiveError {
        let refusal = self.unpack().unwrap_err();
        let inspected = inspect(&self.path(), "net").unwrap_err();
        assert_eq!(refusal.to_string(), inspected.to_string());
        assert_eq!(refusal.exit_code(), ExitCode::Verification, "{refusal}");
        assert!(
            fs::read_dir(self.directory.path()).unwrap().count() <= 2,
            "something was written outside the target"
        );
        refusal
    }
}

fn problem(name: impl AsRef<[u8]>) -> Option<NameProblem> {
    let refusal = Packed::of(&[plugin(), entry(name, b"x")]).refusal();
    if let ArchiveError::HostileName { problem, .. } = refusal {
        Some(problem)
    } else {
        None
    }
}

#[test]
fn unpacks_a_package_and_hashes_it_in_the_same_pass() {
    let packed = Packed::of(&[
        entry("docs/", b"").with(|docs| docs.mode = 0o040_755),
        entry("docs/a.md", &vec![b'a'; 600_000])
            .deflated()
            .with(|doc| doc.declared = 600_000),
        plugin(),
        entry("./LICENSE", b"free").with(|license| license.mode = 0o106_777),
        entry("empty//file", b""),
    ]);
    let contents = packed.unpack().unwrap();
    assert_eq!(
        contents.h1_directory,
        h1_of_directory(&packed.target()).unwrap()
    );
    assert_eq!(contents.h1_zip, h1_of_zip(&packed.path()).unwrap());
    assert_ne!(contents.h1_zip, contents.h1_directory);
    assert_eq!((contents.unpacked_size, contents.file_count), (600_014, 4));
    assert_eq!(contents.executable, PLUGIN);
    assert_eq!(
        fs::read(packed.target().join("docs/a.md")).unwrap(),
        vec![b'a'; 600_000]
    );
    assert_eq!(inspect(&packed.path(), "net").unwrap(), contents);
}

#[cfg(unix)]
#[test]
fn modes_lose_special_bits_and_the_plugin_is_executable() {
    use std::os::unix::fs::PermissionsExt as _;
    let packed = Packed::of(&[
        plugin(),
        entry("suid", b"x").with(|file| file.mode = 0o106_777),
        entry("secret", b"x").with(|file| file.mode = 0o100_600),
    ]);
    packed.unpack().unwrap();
    let mode = |name: &str| {
        fs::metadata(packed.target().join(name))
            .unwrap()
            .permissions()
            .mode()
    };
    assert_eq!(mode(PLUGIN) & 0o7111, 0o111);
    assert_eq!(mode("suid") & 0o7022, 0);
    assert_eq!(mode("secret") & 0o7111, 0);
}

#[test]
fn refuses_names_that_lead_out_of_the_target() {
    for name in [
        "../evil",
        "a/../../evil",
        "a/..",
        "..",
        "..\\evil",
        "a\\..\\evil",
        "/../evil",
    ] {
        assert_eq!(problem(name), Some(NameProblem::Traversal), "{name}");
    }
    assert!(
        Packed::of(&[plugin(), entry("..a/b..", b"x")])
            .unpack()
            .is_ok(),
        "dots within a name are harmless"
    );
}

#[test]
fn refuses_absolute_names_drives_and_backslashes() {
    for name in ["/etc/passwd", "//server/share", "C:evil", "c:/evil"] {
        assert_eq!(problem(name), Some(NameProblem::Absolute), "{name}");
    }
    for name in ["a\\b", "\\evil", "C:\\evil"] {
        assert_eq!(problem(name), Some(NameProblem::Backslash), "{name}");
    }
}

#[test]
fn refuses_names_made_for_a_terminal_and_shows_them_escaped() {
    for name in [
        "a\nb",
        "a\0b",
        "\x1b[2Jx",
        "a\tb",
        "a\rb",
        "a\u{7f}",
        "a\u{9b}31m",
    ] {
        assert_eq!(
            problem(name),
            Some(NameProblem::ControlCharacter),
            "{name:?}"
        );
    }
    let refusal = Packed::of(&[plugin(), entry("\x1b[2Jx", b"")]).refusal();
    assert_eq!(
        refusal.to_string(),
        "the name of entry `\\u{1b}[2Jx` holds a control character"
    );
}

#[test]
fn refuses_names_that_are_not_utf8_empty_or_endless() {
    assert_eq!(problem(b"caf\xe9"), Some(NameProblem::NotUtf8));
    assert_eq!(problem(""), Some(NameProblem::Empty));
    assert_eq!(problem("."), Some(NameProblem::Empty));
    assert_eq!(problem("n".repeat(1025)), Some(NameProblem::TooLong));
    assert_eq!(problem("d/".repeat(33) + "x"), Some(NameProblem::TooLong));
}

#[test]
fn refuses_links_and_devices() {
    for mode in [0o120_777, 0o010_644, 0o020_644, 0o060_644, 0o140_644] {
        let refusal = Packed::of(&[
            plugin(),
            entry("link", b"/etc").with(|link| link.mode = mode),
        ])
        .refusal();
        assert!(
            matches!(refusal, ArchiveError::SpecialEntry { .. }),
            "{mode:o}: {refusal}"
        );
    }
    let through = Packed::of(&[
        plugin(),
        entry("link/", b"").with(|link| link.mode = 0o120_777),
        entry("link/passwd", b"x"),
    ]);
    assert!(matches!(
        through.refusal(),
        ArchiveError::SpecialEntry { .. }
    ));
}

#[test]
fn refuses_names_that_are_one_file_on_some_file_systems() {
    for (one, other) in [
        ("README", "README"),
        ("README", "./README"),
        ("README", "ReadMe"),
        ("caf\u{e9}", "cafe\u{301}"),
        ("\u{3c3}", "\u{3c2}"),
        ("docs/a", "Docs/b"),
        ("docs", "docs/a"),
        ("docs/a", "docs"),
        ("docs/a/b", "DOCS/A"),
    ] {
        let refusal = Packed::of(&[plugin(), entry(one, b"1"), entry(other, b"2")]).refusal();
        assert!(
            matches!(refusal, ArchiveError::Collision { .. }),
            "{one} {other}: {refusal}"
        );
    }
    let twice = [
        plugin(),
        entry("docs/", b""),
        entry("docs/", b""),
        entry("docs/a", b"x"),
    ];
    assert!(
        Packed::of(&twice).unpack().is_ok(),
        "a directory may be mentioned twice"
    );
}

#[test]
fn duplicate_names_are_hashed_twice_with_the_last_content() {
    let twice = |first: &[u8], last: &[u8]| {
        h1_of_zip(&Packed::of(&[entry("a", first), entry("a", last)]).path()).unwrap()
    };
    assert_eq!(twice(b"1", b"2"), twice(b"other", b"2"));
    assert_ne!(twice(b"1", b"2"), twice(b"2", b"1"));
    assert_ne!(
        twice(b"2", b"2"),
        h1_of_zip(&Packed::of(&[entry("a", b"2")]).path()).unwrap()
    );
}

#[test]
fn refuses_another_name_before_the_content() {
    let packed = Packed::of(&[
        plugin(),
        entry("good", b"x").with(|file| file.local_name = b"evil".to_vec()),
    ]);
    assert!(matches!(packed.refusal(), ArchiveError::NamesDiffer { .. }));
    assert!(matches!(
        h1_of_zip(&packed.path()),
        Err(ArchiveError::NamesDiffer { .. })
    ));
}

#[test]
fn refuses_bomb_that_declares_less_than_it_holds() {
    let bomb = entry("bomb", &vec![0; 50 << 20])
        .deflated()
        .with(|bomb| bomb.declared = 10);
    let refusal = Packed::of(&[plugin(), bomb]).refusal();
    assert!(
        matches!(refusal, ArchiveError::SizeMismatch { declared: 10, .. }),
        "{refusal}"
    );
}

#[test]
fn refuses_bomb_that_declares_more_than_any_package() {
    let huge = || entry("", b"x").with(|bomb| bomb.declared = u32::MAX - 1);
    let bombs = ["a", "b", "c"].map(|name| {
        huge()
            .with(|bomb| bomb.name = name.into())
            .with(|b| b.local_name = name.into())
    });
    assert!(matches!(
        Packed::of(&bombs).refusal(),
        ArchiveError::TooLarge { .. }
    ));
}

#[test]
fn refuses_bomb_of_overlapping_entries() {
    let overlapping = entry(PLUGIN, b"#!/bin/sh\n").with(|copy| copy.shares = Some(0));
    let packed = Packed::of(&[plugin(), overlapping]);
    assert!(matches!(packed.refusal(), ArchiveError::Overlap { .. }));
    assert!(matches!(
        h1_of_zip(&packed.path()),
        Err(ArchiveError::Overlap { .. })
    ));
}

#[test]
fn refuses_floods_of_entries_and_names() {
    let long = "n".repeat(1000);
    let names: Vec<Forged> = (0..9000)
        .map(|number| entry(format!("{long}{number}"), b""))
        .collect();
    assert!(matches!(
        Packed::of(&names).refusal(),
        ArchiveError::TooMuchText { .. }
    ));

    // The end record of the larger form, which counts in 64 bits, before the usual one.
    let mut flood = bytes(&[plugin()], None);
    let end = flood.split_off(flood.len() - 22);
    let (start, length) = (flood.len() as u64, 46 + PLUGIN.len() as u64);
    flood.extend(
        [
            &b"PK\x06\x06"[..],
            &44_u64.to_le_bytes(),
            &[45, 0, 45, 0],
            &[0; 8],
        ]
        .concat(),
    );
    for field in [100_001, 100_001, length, start - length] {
        flood.extend(u64::to_le_bytes(field));
    }
    flood.extend(
        [
            &b"PK\x06\x07\0\0\0\0"[..],
            &start.to_le_bytes(),
            &[1, 0, 0, 0],
        ]
        .concat(),
    );
    flood.extend([&end[..8], &[0xff; 12], &[0, 0]].concat());
    assert!(matches!(
        Packed::new(&flood).refusal(),
        ArchiveError::TooManyEntries { .. }
    ));
}

#[test]
fn refuses_a_directory_with_hidden_or_missing_entries() {
    for count in [1, 3] {
        let packed = Packed::new(&bytes(&[plugin(), entry("a", b"x")], Some(count)));
        let refusal = packed.refusal();
        assert!(
            matches!(refusal, ArchiveError::EntryCount { got: 2, .. }),
            "{count}: {refusal}"
        );
    }
}

#[test]
fn refuses_content_that_does_not_fit_its_checksum() {
    let refusal = Packed::of(&[plugin(), entry("a", b"x").with(|file| file.crc ^= 1)]).refusal();
    assert!(matches!(refusal, ArchiveError::ChecksumMismatch { .. }));
    let short = Packed::of(&[plugin(), entry("a", b"x").with(|file| file.declared = 2)]).refusal();
    assert!(matches!(
        short,
        ArchiveError::SizeMismatch {
            got: 1,
            declared: 2,
            ..
        }
    ));
    let garbage = entry("a", b"\xff\xff\xff\xff").with(|file| file.method = 8);
    assert!(matches!(
        Packed::of(&[plugin(), garbage]).refusal(),
        ArchiveError::Damaged { .. }
    ));
    let directory = entry("docs/", b"x").with(|docs| docs.mode = 0o040_755);
    assert!(matches!(
        Packed::of(&[plugin(), directory]).refusal(),
        ArchiveError::SizeMismatch { .. }
    ));
}

#[test]
fn refuses_encrypted_content_and_rare_methods() {
    for flags in [1, 0x41] {
        let secret = entry("a", b"x").with(|file| file.flags = flags);
        assert!(matches!(
            Packed::of(&[plugin(), secret]).refusal(),
            ArchiveError::Encrypted { .. }
        ));
    }
    for method in [1, 9, 12, 14, 93, 95, 99] {
        let refusal =
            Packed::of(&[plugin(), entry("a", b"x").with(|file| file.method = method)]).refusal();
        assert!(
            matches!(refusal, ArchiveError::UnsupportedMethod { .. }),
            "{method}"
        );
    }
}

#[test]
fn refuses_what_is_no_archive_or_cut_off() {
    let whole = bytes(&[plugin()], None);
    for cut in [0, 1, 30, whole.len() - 1] {
        assert!(
            matches!(
                Packed::new(&whole[..cut]).refusal(),
                ArchiveError::NoZip { .. }
            ),
            "{cut}"
        );
    }
    assert!(matches!(Packed::of(&[]).refusal(), ArchiveError::Empty));
    let missing = unpack(
        Path::new("/no/such/file"),
        Path::new("/no/such/target"),
        "net",
    )
    .unwrap_err();
    assert_eq!(missing.exit_code(), ExitCode::Local);
}

#[test]
fn no_damage_makes_the_reader_panic() {
    let whole = bytes(
        &[
            plugin(),
            entry("docs/a.md", &[7; 300])
                .deflated()
                .with(|doc| doc.declared = 300),
        ],
        None,
    );
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("package.zip");
    for at in 0..whole.len() {
        for damage in [0x00, 0xff, whole[at] ^ 1] {
            let mut damaged = whole.clone();
            damaged[at] = damage;
            fs::write(&path, &damaged).unwrap();
            // Whether it is refused depends on the byte; it has to come back.
            _ = inspect(&path, "net");
        }
    }
}

#[test]
fn refuses_a_target_that_holds_something() {
    let packed = Packed::of(&[plugin()]);
    fs::create_dir(packed.target()).unwrap();
    fs::write(packed.target().join("stray"), "").unwrap();
    let refusal = packed.unpack().unwrap_err();
    assert!(matches!(refusal, ArchiveError::DestinationNotEmpty { .. }));
    assert_eq!(refusal.exit_code(), ExitCode::Local);
}

#[test]
fn finds_the_plugin_by_the_rule_of_the_tools() {
    for (names, expected) in [
        (
            &["terraform-provider-net"][..],
            Some("terraform-provider-net"),
        ),
        (
            &["terraform-provider-net.exe"],
            Some("terraform-provider-net.exe"),
        ),
        (
            &["terraform-provider-net_v2", "terraform-provider-net_v1"],
            Some("terraform-provider-net_v1"),
        ),
        (
            &["terraform-provider-net/x", "terraform-provider-net_v1"],
            Some("terraform-provider-net_v1"),
        ),
        (&["terraform-provider-network"], None),
        (&["terraform-provider-net-x"], None),
        (&["bin/terraform-provider-net"], None),
        (&["Terraform-Provider-Net"], None),
    ] {
        let entries: Vec<Forged> = names
            .iter()
            .map(|name| entry(name, name.as_bytes()))
            .collect();
        let found = Packed::of(&entries)
            .unpack()
            .ok()
            .map(|contents| contents.executable);
        assert_eq!(found.as_deref(), expected, "{names:?}");
    }
}

#[cfg(unix)]
#[test]
fn directory_hash_refuses_pipes_directory_links_and_line_feeds() {
    use super::DirectoryHashError;
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("root");
    fs::create_dir(&root).unwrap();
    std::os::unix::fs::symlink(directory.path(), root.join("link")).unwrap();
    assert!(matches!(
        h1_of_directory(&root),
        Err(DirectoryHashError::NoFile { .. })
    ));
    fs::remove_file(root.join("link")).unwrap();

    std::os::unix::fs::symlink("nowhere", root.join("link")).unwrap();
    assert!(matches!(
        h1_of_directory(&root),
        Err(DirectoryHashError::Read { .. })
    ));
    fs::remove_file(root.join("link")).unwrap();

    let socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    assert!(matches!(
        h1_of_directory(&root),
        Err(DirectoryHashError::NoFile { .. })
    ));
    drop(socket);
    fs::remove_file(root.join("socket")).unwrap();

    fs::write(root.join("a\nb"), "").unwrap();
    let refusal = h1_of_directory(&root).unwrap_err();
    assert!(matches!(refusal, DirectoryHashError::Name { .. }));
    assert!(!refusal.to_string().contains('\n'));
}

#[test]
fn reads_what_another_writer_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("package.zip");
    let mut writer = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default()
        .large_file(true)
        .unix_permissions(0o755);
    writer.add_directory("docs", options).unwrap();
    writer.start_file(PLUGIN, options).unwrap();
    std::io::Write::write_all(&mut writer, &vec![b'x'; 1 << 20]).unwrap();
    writer.finish().unwrap();
    let contents = inspect(&path, "net").unwrap();
    assert_eq!((contents.unpacked_size, contents.file_count), (1 << 20, 1));
}

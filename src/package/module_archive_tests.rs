//! Archives of modules: sound ones, and one for each attack that `module_archive` lists.

use std::io::Write as _;
use std::path::Path;

use super::*;

/// A tar archive of entries `(name, kind, mode, content)`.
fn tar_of(entries: &[(&str, tar::EntryType, u32, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, kind, mode, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(*mode);
        header.set_size(content.len() as u64);
        header.set_cksum();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn small() -> ModuleLimits {
    ModuleLimits {
        bytes: 1 << 20,
        entries: 100,
    }
}

fn unpacked(bytes: &[u8], format: ModuleFormat) -> Result<tempfile::TempDir, ModuleArchiveError> {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    std::fs::write(&archive, bytes).unwrap();
    let dest = dir.path().join("out");
    std::fs::create_dir(&dest).unwrap();
    unpack_module(&archive, format, &dest, small())?;
    Ok(dir)
}

fn tar_gz(
    entries: &[(&str, tar::EntryType, u32, &[u8])],
) -> Result<tempfile::TempDir, ModuleArchiveError> {
    unpacked(&gz(&tar_of(entries)), ModuleFormat::TarGz)
}

const FILE: tar::EntryType = tar::EntryType::Regular;

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    path.symlink_metadata().unwrap().permissions().mode()
}

#[cfg(unix)]
#[test]
fn set_id_bits_are_dropped_and_owners_are_not_locked_out() {
    let dir = tar_gz(&[
        ("suid", FILE, 0o4755, b"x"),
        ("none", FILE, 0o0, b"x"),
        ("d/", tar::EntryType::Directory, 0o1500, b""),
        ("d/f", FILE, 0o666, b"x"),
    ])
    .unwrap();
    let out = dir.path().join("out");
    assert_eq!(mode(&out.join("suid")), 0o100_755);
    assert_eq!(mode(&out.join("none")), 0o100_400);
    assert_eq!(mode(&out.join("d")), 0o40_700);
    assert_eq!(mode(&out.join("d/f")), 0o100_666);
}

#[test]
fn links_become_files_and_nothing_is_written_through_them() {
    let dir = tar_gz(&[
        ("a.tf", FILE, 0o644, b"x"),
        ("l", tar::EntryType::Symlink, 0o777, b""),
    ])
    .unwrap();
    let link = dir.path().join("out/l");
    assert!(link.symlink_metadata().unwrap().is_file());
    assert_eq!(std::fs::read(link).unwrap(), b"");
    let through = tar_gz(&[
        ("l", tar::EntryType::Symlink, 0o777, b""),
        ("l/evil", FILE, 0o644, b"x"),
    ]);
    assert!(matches!(through, Err(ModuleArchiveError::Name { .. })));
}

#[test]
fn refuses_names_that_climb_out() {
    for name in ["../evil", "a/../../evil", "..\\evil", "a/..", "/../x"] {
        let error = tar_gz(&[(name, FILE, 0o644, b"x")]).unwrap_err();
        assert!(
            matches!(error, ModuleArchiveError::Name { .. }),
            "{name}: {error}"
        );
    }
    let dir = tar_gz(&[("/abs/f", FILE, 0o644, b"x"), ("a..b", FILE, 0o644, b"x")]).unwrap();
    assert!(dir.path().join("out/abs/f").is_file());
}

#[test]
fn refuses_a_name_that_is_a_file_and_a_directory() {
    for entries in [
        [("a", FILE, 0o644, &b"x"[..]), ("a/b", FILE, 0o644, b"x")],
        [("a/b", FILE, 0o644, b"x"), ("a", FILE, 0o644, b"x")],
    ] {
        let error = tar_gz(&entries).unwrap_err();
        assert!(matches!(error, ModuleArchiveError::Name { .. }), "{error}");
    }
}

#[test]
fn refuses_names_of_control_characters_and_no_names() {
    for name in ["a\nb", "a\u{1b}[2J", "./", "/"] {
        let entry = (name, tar::EntryType::Continuous, 0o644, &b"x"[..]);
        assert!(
            matches!(tar_gz(&[entry]), Err(ModuleArchiveError::Name { .. })),
            "{name:?}"
        );
    }
}

#[test]
fn refuses_devices_pipes_and_sparse_files() {
    for kind in [
        tar::EntryType::Char,
        tar::EntryType::Block,
        tar::EntryType::Fifo,
        tar::EntryType::GNUSparse,
    ] {
        let result = tar_gz(&[("x", kind, 0o644, b"")]);
        assert!(
            matches!(result, Err(ModuleArchiveError::Special { .. })),
            "{kind:?}"
        );
    }
}

#[test]
fn refuses_bombs_of_bytes_entries_and_headers() {
    let zeros = vec![0; (1 << 20) + 1];
    let error = tar_gz(&[("a", FILE, 0o644, &zeros)]).unwrap_err();
    assert!(
        matches!(error, ModuleArchiveError::TooLarge { .. }),
        "{error}"
    );
    let many = vec![("a", FILE, 0o644, &b""[..]); 101];
    let error = tar_gz(&many).unwrap_err();
    assert!(
        matches!(error, ModuleArchiveError::TooManyEntries { .. }),
        "{error}"
    );
    let name = vec![b'a'; 100 << 10];
    let error = tar_gz(&[("x", tar::EntryType::GNULongName, 0o644, &name)]).unwrap_err();
    assert!(matches!(error, ModuleArchiveError::Extension), "{error}");
    // Contents that nobody writes count too: they come out of the decompressor.
    let link = vec![0; 4 << 20];
    let error = tar_gz(&[("x", tar::EntryType::GNULongLink, 0o644, &link)]).unwrap_err();
    assert!(
        matches!(error, ModuleArchiveError::Damaged { .. }),
        "{error}"
    );
}

#[test]
fn refuses_extended_headers_that_contradict_the_plain_ones() {
    let pax = tar::EntryType::XHeader;
    let dir = tar_gz(&[
        ("p", pax, 0o644, b"15 path=a/b.tf\n"),
        ("x", FILE, 0o644, b"x"),
    ])
    .unwrap();
    assert!(dir.path().join("out/a/b.tf").is_file());
    for record in [&b"9 size=2\n"[..], b"22 GNU.sparse.major=1\n", b"nonsense"] {
        let error = tar_gz(&[("p", pax, 0o644, record), ("x", FILE, 0o644, b"x")]).unwrap_err();
        assert!(matches!(error, ModuleArchiveError::Extension), "{error}");
    }
}

#[test]
fn an_archive_without_files_or_of_another_format_is_refused() {
    let empty = tar_gz(&[("d/", tar::EntryType::Directory, 0o755, b"")]);
    assert!(matches!(empty, Err(ModuleArchiveError::Empty)));
    for format in [
        ModuleFormat::TarGz,
        ModuleFormat::TarBz2,
        ModuleFormat::TarXz,
    ] {
        let error = unpacked(b"PK\x03\x04 and so on", format).unwrap_err();
        assert!(
            matches!(error, ModuleArchiveError::Damaged { .. }),
            "{error}"
        );
    }
    assert!(matches!(
        unpacked(b"no zip", ModuleFormat::Zip),
        Err(ModuleArchiveError::Zip { .. })
    ));
}

#[test]
fn links_in_zip_archives_become_files_with_their_targets() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer
        .start_file("ro.tf", options.unix_permissions(0o400))
        .unwrap();
    writer.write_all(b"x").unwrap();
    writer.add_symlink("l", "/etc/passwd", options).unwrap();
    let dir = unpacked(&writer.finish().unwrap().into_inner(), ModuleFormat::Zip).unwrap();
    let link = dir.path().join("out/l");
    assert!(link.symlink_metadata().unwrap().is_file());
    assert_eq!(std::fs::read(link).unwrap(), b"/etc/passwd");
}

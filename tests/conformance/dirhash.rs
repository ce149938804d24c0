//! `dirhash.json`: the `h1:` hash of archives, of what they unpack to, and of directories.
//!
//! Some archives that the tools unpack are refused here, each for the reason that [`refused`]
//! names: their names do something else on another platform, or to a terminal, or depend on the
//! order in which files are written.

use std::fs;
use std::path::Path;

use provender::hash::{HashScheme, PackageHash, Sha256Digest};
use provender::package::{ArchiveError, NameProblem, h1_of_directory, h1_of_zip, inspect, unpack};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::support::{Report, cases, same, text, vectors_dir};

#[test]
fn package_hashes_are_as_the_tools_compute_them() {
    let mut report = Report::new("dirhash.json");
    for case in cases("dirhash.json") {
        match text(&case, "kind") {
            "zip" => report.case(text(&case, "name"), zip(&case)),
            "dir" => report.case(text(&case, "name"), tree(&case)),
            "files" => report.case(text(&case, "name"), files(&case)),
            _ => report.case(text(&case, "input"), parse(&case)),
        }
    }
    report.finish();
}

/// Cases that the tools unpack and that are refused here for the names of their entries.
fn refused(name: &str) -> Option<NameProblem> {
    match name {
        // The tools write it below the target as if it were relative.
        "absolute-name" => Some(NameProblem::Absolute),
        // A file on Unix, a directory on Windows.
        "backslash-name" => Some(NameProblem::Backslash),
        // A tab in a name forges columns of a listing.
        "space-and-tab-name" => Some(NameProblem::ControlCharacter),
        // Cannot be written on macOS, and is another name on Windows.
        "latin1-name" => Some(NameProblem::NotUtf8),
        _ => None,
    }
}

/// Cases that the tools unpack and that are refused here because two entries exclude each other:
/// the later `README.md` would overwrite the earlier; `a` and `A` are one file on macOS and
/// Windows.
fn collides(name: &str) -> bool {
    matches!(name, "duplicate-names" | "byte-order-sort")
}

fn zip(case: &Value) -> Result<(), String> {
    let path = vectors_dir().join(text(case, "file"));
    let digest = Sha256Digest(Sha256::digest(fs::read(&path).unwrap()).into());
    same(&PackageHash::zh(digest).as_str(), &text(case, "zh"))?;
    hash_is(h1_of_zip(&path), &case["h1_of_zip"])?;

    let directory = tempfile::tempdir().unwrap();
    let unpacked = unpack(&path, directory.path(), "demo");
    let inspected = inspect(&path, "demo");
    same(
        &inspected.as_ref().map_err(ToString::to_string),
        &unpacked.as_ref().map_err(ToString::to_string),
    )?;
    if unpacked.is_err() {
        same(&fs::read_dir(directory.path()).unwrap().count(), &0)
            .map_err(|_| "left files behind".to_owned())?;
    }
    let name = text(case, "name");
    match (unpacked, refused(name)) {
        (Err(ArchiveError::HostileName { problem, .. }), Some(expected)) => {
            same(&problem, &expected)
        }
        (Err(ArchiveError::Collision { .. }), None) if collides(name) => Ok(()),
        (Ok(contents), None) if !collides(name) => {
            same(&contents.h1_zip.as_str(), &text(case, "h1_of_zip"))?;
            same(
                &h1_of_directory(directory.path()).unwrap(),
                &contents.h1_directory,
            )?;
            hash_is(
                Ok::<_, ArchiveError>(contents.h1_directory),
                &case["h1_after_unpack"],
            )
        }
        (Err(_), None) if case["h1_after_unpack"].is_null() => Ok(()),
        (got, expected) => Err(format!("got {got:?}, expected {expected:?}")),
    }
}

/// Compares a hash with a text, or an error with null.
fn hash_is<E: std::fmt::Display>(
    got: Result<PackageHash, E>,
    expected: &Value,
) -> Result<(), String> {
    match (got, expected.as_str()) {
        (Ok(got), Some(expected)) => same(&got.as_str(), &expected),
        (Err(_), None) => Ok(()),
        (Ok(got), None) => Err(format!("got {got}, expected a refusal")),
        (Err(error), Some(_)) => Err(format!("refused: {error}")),
    }
}

#[cfg(unix)]
fn tree(case: &Value) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    let mut package = directory.path().join("package");
    fs::create_dir(&package).unwrap();
    for item in case["tree"].as_array().unwrap() {
        let part = |at: usize| item[at].as_str().unwrap_or_default();
        match part(0) {
            "file" => write(&package.join(part(1)), part(3)),
            "filehex" => write(&package.join(name_from_hex(part(1))), part(3)),
            "dir" => fs::create_dir_all(package.join(part(1))).unwrap(),
            "symlink" => std::os::unix::fs::symlink(part(2), package.join(part(1))).unwrap(),
            "package_dir_is_symlink" => {
                let link = directory.path().join("link");
                std::os::unix::fs::symlink(&package, &link).unwrap();
                package = link;
            }
            other => panic!("unknown item {other}"),
        }
    }
    hash_is(h1_of_directory(&package), &case["h1"])
}

#[cfg(not(unix))]
fn tree(_: &Value) -> Result<(), String> {
    println!("skipped: names and links that only Unix has");
    Ok(())
}

#[cfg(unix)]
fn name_from_hex(hex: &str) -> std::ffi::OsString {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    std::os::unix::ffi::OsStringExt::from_vec((0..hex.len()).step_by(2).map(byte).collect())
}

fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn files(case: &Value) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in case["files"].as_object().unwrap() {
        write(&directory.path().join(name), content.as_str().unwrap());
    }
    hash_is(h1_of_directory(directory.path()), &case["h1"])
}

fn parse(case: &Value) -> Result<(), String> {
    let parsed = text(case, "input").parse::<PackageHash>();
    same(&parsed.is_err(), &case["error"].as_bool().unwrap())?;
    let Ok(hash) = parsed else { return Ok(()) };
    let scheme = case["scheme_value"][0].as_str().unwrap();
    let expected = match scheme {
        "h1:" => HashScheme::H1,
        "zh:" => HashScheme::Zh,
        _ => HashScheme::Other,
    };
    same(&hash.scheme(), &expected)?;
    same(
        &hash.as_str(),
        &format!("{scheme}{}", case["scheme_value"][1].as_str().unwrap()).as_str(),
    )
}

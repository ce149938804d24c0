//! Tests of reading: what is kept, places, attacks.

use super::*;
use crate::failure::Failure;

const HASH: &str = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

fn block(key: &str, more: &str) -> String {
    format!("module \"{key}\" {{\n  source = \"a/b/c\"\n  hash = \"{HASH}\"\n{more}}}\n")
}

fn refused(text: &str) -> ModuleLockError {
    ModuleLock::parse(text).unwrap_err()
}

fn kind(text: &str) -> Kind {
    refused(text).problems[0].kind.clone()
}

#[test]
fn what_is_written_is_read_back() {
    let digest = "0a".repeat(32);
    let commit = "1b".repeat(20);
    let text = block("a", "")
        + &block(
            "a.b",
            &format!("version = \"1.2.0\"\narchive = \"sha256:{digest}\"\n"),
        )
        + &block("é-_1", &format!("commit = \"{commit}\"\n"));
    let lock = ModuleLock::parse(&format!("\u{feff}# by hand\r\n{text}")).unwrap();
    assert_eq!(lock.calls.len(), 3);
    let inner = &lock.calls["a.b"];
    assert_eq!(inner.version.as_ref().unwrap().to_string(), "1.2.0");
    assert_eq!(
        inner.identity,
        PackageIdentity::Archive(digest.parse().unwrap())
    );
    assert_eq!(ModuleLock::parse(&lock.render()).unwrap(), lock);
    let below: Vec<_> = lock.below("a").map(|(key, _)| key.as_str()).collect();
    assert_eq!(below, ["a.b"]);
    assert_eq!(ModuleLock::parse("").unwrap(), ModuleLock::default());
}

#[test]
fn all_problems_are_told_with_their_places() {
    let text = "x = 1\nmodule \"a\" {\n  source = b.c\n  é = 1\n  version = \"v1\"\n  commit = \"12\"\n  archive = \"00\"\n  hash = \"zh:00\"\n}\nmodule {}\nmodule \"b\" {}\n";
    let told: Vec<String> = refused(text)
        .problems
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        [
            "line 1, column 1: this version knows no argument `x` here",
            "line 3, column 12: `source` has a reference where a string is wanted",
            "line 4, column 3: this version knows no argument `é` here",
            "line 5, column 13: `version` has `v1`, which is not in normal form",
            "line 6, column 12: `12` is no commit, which has 40 or 64 hexadecimal digits",
            "line 7, column 13: `archive` has `00`, which is not `sha256:` and 64 lower-case hexadecimal digits",
            "line 8, column 10: `hash` has `zh:00`, which is not `h1:` and the base64 of 32 bytes",
            "line 10, column 1: a `module` block has one label, the names of the calls joined with `.`, not 0",
            "line 11, column 1: `source` is missing",
            "line 11, column 1: `hash` is missing",
        ]
    );
}

#[test]
fn merge_conflicts_are_named_with_advice() {
    let text = format!("{}<<<<<<< HEAD\n=======\n>>>>>>> x\n", block("a", ""));
    let error = refused(&text);
    assert_eq!(
        error.to_string(),
        "line 5, column 1: a merge conflict is not resolved"
    );
    assert!(error.hints()[0].contains("git checkout --ours"));
}

#[test]
fn what_newer_versions_write_is_refused_and_not_dropped() {
    for text in [
        "format = 2\n",
        "package \"a\" {}\n",
        &block("a", "signed_by = \"x\"\n"),
        &block("a", "origin {}\n"),
    ] {
        assert!(refused(text).hints()[0].contains("newer version"), "{text}");
    }
}

#[test]
fn keys_that_lead_out_of_their_directory_are_refused() {
    for key in [
        "",
        ".",
        "..",
        "../a",
        "a/../b",
        "a\\\\b",
        "/a",
        "c:",
        "a..b",
        ".a",
        "a.",
        "a\\u0000b",
        "a\\nb",
    ] {
        assert!(matches!(kind(&block(key, "")), Kind::Key(_)), "{key}");
    }
}

#[test]
fn second_block_for_a_call_is_refused_even_after_a_wrong_one() {
    let twice = block("a", "").repeat(2);
    assert_eq!(kind(&twice), Kind::Duplicate("a".to_owned()));
    let wrong = "module \"a\" {}\n".to_owned() + &block("a", "");
    let problems = refused(&wrong).problems;
    assert!(matches!(problems[2].kind, Kind::Duplicate(_)));
}

#[test]
fn hashes_that_compare_nothing_are_refused() {
    for hash in ["h1:", "h1:aGVsbG8=", "h9:x", "zh:00", "x", ""] {
        let text = block("a", "").replace(HASH, hash);
        assert!(matches!(kind(&text), Kind::Hash(_)), "{hash}");
    }
}

#[test]
fn directories_outside_of_the_package_are_refused() {
    for directory in ["", "/", "/etc", "..", "a/../..", "a/..\\\\b"] {
        let text = block("a", &format!("  directory = \"{directory}\"\n"));
        assert!(matches!(kind(&text), Kind::Directory(_)), "{directory}");
    }
    let lock = ModuleLock::parse(&block("a", "  directory = \"b/c\"\n")).unwrap();
    assert_eq!(lock.calls["a"].directory_or("x"), "b/c");
    assert_eq!(
        ModuleLock::parse(&block("a", "")).unwrap().calls["a"].directory_or("x"),
        "x"
    );
}

#[test]
fn a_half_lock_is_refused() {
    let text = block("a", "");
    for argument in ["source", "hash"] {
        let lines = text.split_inclusive('\n');
        let text: String = lines.filter(|line| !line.contains(argument)).collect();
        assert!(matches!(kind(&text), Kind::Missing(it) if it == argument));
    }
    let both = format!(
        "commit = \"{}\"\narchive = \"sha256:{}\"\n",
        "0a".repeat(20),
        "0a".repeat(32)
    );
    assert_eq!(kind(&block("a", &both)), Kind::CommitAndArchive);
}

#[test]
fn references_functions_and_null_are_refused() {
    for value in [
        "a.b",
        "file(\"/etc/passwd\")",
        "null",
        "[\"a\"]",
        "\"${a}\"",
    ] {
        let text = format!("module \"a\" {{\n  source = {value}\n}}\n");
        assert!(matches!(kind(&text), Kind::NotText { .. }), "{value}");
    }
}

#[test]
fn control_characters_forge_no_lines_of_messages() {
    for text in [
        block("a", "").replace("a/b/c", "a\\n\\u001b[2J"),
        block("a\\u001b[2J", ""),
        block("a", "").replace(HASH, "\\u001b[2J"),
        block("a", "version = \"1.0\\u001b[2J\"\n"),
        block("a", "commit = \"\\u001b[2J\"\n"),
    ] {
        let told = refused(&text).to_string();
        assert!(!told.contains(char::is_control), "{told:?}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let depth = 100_000;
    let text = format!(
        "module \"a\" {{\n  source = {}1{}\n}}\n",
        "[".repeat(depth),
        "]".repeat(depth)
    );
    assert!(matches!(kind(&text), Kind::Syntax(_)));
}

#[test]
fn a_file_made_of_problems_is_read_in_one_pass() {
    // Quadratic work would take minutes.
    let text = "x {}\n".repeat(20_000);
    assert_eq!(refused(&text).problems.len(), 20_000);
}

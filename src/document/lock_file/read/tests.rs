//! Tests of reading: places, attacks, and what is told of each problem.

use super::*;
use crate::failure::Failure;

fn refused(text: &str) -> LockFileError {
    Locks::parse(text, Tool::Terraform).unwrap_err()
}

#[test]
fn all_problems_are_told_with_their_places() {
    let text = "foo = 1\nprovider \"a.b/c/d\" {\n  hashes = [\"é\", null,\n    \"x\"]\n  version = \"1.0\"\n}\nprovider \"aws\" {}\n";
    let error = refused(text);
    let told: Vec<String> = error.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 1, column 1: a lock file has no argument `foo` here",
            "line 3, column 13: `é` is no package hash: it does not begin with a scheme and a colon, such as `h1:`",
            "line 3, column 18: `hashes` has null where a string is wanted",
            "line 4, column 5: `x` is no package hash: it does not begin with a scheme and a colon, such as `h1:`",
            "line 5, column 13: `version` has `1.0`, which is not in canonical form",
            "line 7, column 10: provider address `aws` is not in its canonical form",
        ]
    );
    assert_eq!(
        error.hints(),
        [
            "write it as `1.0.0`",
            "write it as `registry.terraform.io/hashicorp/aws`"
        ]
    );
    assert!(
        error
            .to_string()
            .starts_with("it has 6 problems:\n  line 1")
    );
}

#[test]
fn merge_conflicts_are_named() {
    let text = "provider \"a.b/c/d\" {\n<<<<<<< HEAD\n  version = \"1.0.0\"\n=======\n  version = \"1.0.1\"\n>>>>>>> other\n}\n";
    let error = refused(text);
    assert_eq!(
        error.to_string(),
        "line 2, column 1: a merge conflict is not resolved"
    );
    assert!(error.hints()[0].contains("git checkout --ours"));
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("[", "]"), ("(", ")"), ("\"${", "}\""), ("{a=", "}")] {
        let depth = 100_000;
        let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let text = format!("provider \"a.b/c/d\" {{\n  version = {value}\n}}\n");
        assert!(matches!(
            refused(&text).problems[0].kind,
            LockProblemKind::Syntax(_)
        ));
    }
    let blocks = format!("{}{}", "a {\n".repeat(100_000), "}\n".repeat(100_000));
    assert!(matches!(
        refused(&blocks).problems[0].kind,
        LockProblemKind::Syntax(_)
    ));
}

#[test]
fn addresses_and_versions_that_leave_their_directory_are_refused() {
    for label in [
        "a.b/../d",
        "../c/d",
        "a.b/c/d/..",
        "a.b/c\\\\d/e",
        "a.b/‥/d",
    ] {
        let error = refused(&format!(
            "provider \"{label}\" {{\n  version = \"1.0.0\"\n}}\n"
        ));
        assert!(
            matches!(error.problems[0].kind, LockProblemKind::Address(_)),
            "{label}"
        );
    }
    for version in ["1.0.0-/../x", "../1.0.0", "1.0.0\\\\x"] {
        let error = refused(&format!(
            "provider \"a.b/c/d\" {{\n  version = \"{version}\"\n}}\n"
        ));
        assert!(
            matches!(error.problems[0].kind, LockProblemKind::Version(_)),
            "{version}"
        );
    }
}

#[test]
fn second_block_for_a_provider_is_refused_even_after_a_wrong_one() {
    let block = "provider \"a.b/c/d\" {\n  version = \"x\"\n}\n";
    let error = refused(&block.repeat(2));
    assert!(matches!(
        error.problems[0].kind,
        LockProblemKind::Version(_)
    ));
    assert!(matches!(
        error.problems[1].kind,
        LockProblemKind::Duplicate(_)
    ));
}

#[test]
fn references_and_functions_are_not_followed() {
    for value in [
        "file(\"/etc/passwd\")",
        "\"${file(\"x\")}\"",
        "var.x",
        "\"%{ if true }1%{ endif }\"",
    ] {
        let error = refused(&format!(
            "provider \"a.b/c/d\" {{\n  version = {value}\n}}\n"
        ));
        assert!(
            matches!(error.problems[0].kind, LockProblemKind::NotText { .. }),
            "{value}"
        );
    }
}

#[test]
fn a_file_made_of_problems_is_read_in_one_pass() {
    let text = format!(
        "provider \"a.b/c/d\" {{\n  hashes = [{}]\n}}\n",
        "1,".repeat(50_000)
    );
    assert_eq!(refused(&text).problems.len(), 50_001);
}

#[test]
fn rules_follow_the_tool() {
    let lock = |address: &str| format!("provider \"{address}\" {{\n  version = \"1.0.0\"\n}}\n");
    let cases = [
        ("opentofu.org/builtin/x", true, false),
        ("a.b/c/opentofu-x", true, false),
        ("terraform.io/builtin/x", false, false),
        ("registry.opentofu.org/-/x", false, false),
    ];
    for (address, terraform, tofu) in cases {
        assert_eq!(
            Locks::parse(&lock(address), Tool::Terraform).is_ok(),
            terraform,
            "{address}"
        );
        assert_eq!(
            Locks::parse(&lock(address), Tool::Tofu).is_ok(),
            tofu,
            "{address}"
        );
    }
}

//! A configuration changes step by step; `provender install` and `terraform init` keep the same lock file.

use super::twins::{Requirements, Twins};

/// Steps through one configuration after the other.
const CONFIGURATIONS: [(&str, &Requirements); 13] = [
    ("first", &[("net", "~> 1.0")]),
    ("another constraint", &[("net", ">= 1.0.0")]),
    ("one more", &[("net", ">= 1.0.0"), ("dns", "2.0.0")]),
    (
        "another constraint and one more",
        &[("net", "!= 9.0.0"), ("dns", "2.0.0"), ("tls", "")],
    ),
    ("one less", &[("net", "!= 9.0.0"), ("tls", "")]),
    ("another constraint and one less", &[("tls", "> 1.0.0")]),
    ("other order", &[("tls", "> 1.0.0"), ("net", "1.0.0")]),
    ("no constraints", &[("net", ""), ("tls", "")]),
    ("one for the other", &[("net", ""), ("dns", "")]),
    (
        "required twice",
        &[("net", "~> 1.0"), ("net", "!= 1.1.0"), ("dns", "")],
    ),
    ("none", &[]),
    ("again", &[("dns", "")]),
    ("all", &[("net", "< 1.1"), ("dns", ""), ("tls", "~> 3.0.0")]),
];

#[test]
fn steps_with_installed_packages() {
    let Some(twins) = Twins::born() else {
        return;
    };
    for (what, requirements) in CONFIGURATIONS {
        twins.require(requirements);
        twins.agree(what);
    }
}

#[test]
fn steps_in_a_fresh_clone_each() {
    let Some(twins) = Twins::born() else {
        return;
    };
    for (what, requirements) in CONFIGURATIONS {
        twins.require(requirements);
        twins.agree(what);
        if !requirements.is_empty() {
            twins.forget_packages();
        }
    }
}

#[test]
fn upgrade_steps() {
    let Some(twins) = Twins::born() else {
        return;
    };
    for (what, requirements) in CONFIGURATIONS {
        twins.require(requirements);
        twins.agree_on_upgrade(what);
    }
    twins.require(&[("net", "1.0.0"), ("tls", "3.0.0")]);
    twins.agree_on_upgrade("older versions");
    twins.require(&[("net", ""), ("tls", "")]);
    twins.agree("what is locked stays");
    twins.agree_on_upgrade("newer versions");
    twins.require(&[("net", "1.3.0-beta1"), ("tls", "")]);
    twins.agree_on_upgrade("a prerelease");
    twins.require(&[("net", ">= 1.0.0"), ("tls", "")]);
    twins.agree_on_upgrade("away from a prerelease");
}

#[test]
fn failures_leave_the_lock_file() {
    let Some(twins) = Twins::born() else {
        return;
    };
    twins.require(&[("net", "1.0.0")]);
    let lock = twins.agree("first");
    let failures: [(&str, &Requirements); 4] = [
        (
            "the locked version is refused",
            &[("net", "> 1.0.0"), ("dns", "")],
        ),
        ("no such provider", &[("net", ""), ("none", "")]),
        ("no such version", &[("net", ""), ("dns", "> 9.0.0")]),
        ("contradiction", &[("net", ""), ("dns", "< 1.0.0, > 1.0.0")]),
    ];
    for (what, requirements) in failures {
        twins.require(requirements);
        assert_eq!(twins.agree_to_fail(what, 12), lock, "{what}");
    }
}

#[test]
fn constraints_of_kept_entries_are_written_only_where_the_package_was_placed() {
    let Some(twins) = Twins::born() else {
        return;
    };
    let constraints = |lock: &str| {
        let lines = lock.lines().filter(|line| line.contains("constraints"));
        lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    twins.require(&[("net", "~> 1.0")]);
    twins.agree("first");
    twins.require(&[("net", ">= 1.0.0"), ("dns", "")]);
    let lock = twins.agree("in place, and the file is written");
    assert_eq!(constraints(&lock), ["constraints = \"~> 1.0\""]);
    twins.forget_packages();
    let lock = twins.agree("placed, and the file is not written");
    assert_eq!(constraints(&lock), ["constraints = \"~> 1.0\""]);
    twins.forget_packages();
    twins.require(&[("net", ">= 1.0.0")]);
    let lock = twins.agree("placed, and the file is written");
    assert_eq!(constraints(&lock), ["constraints = \">= 1.0.0\""]);
}

//! The rules find what is planted, and leave alone what is allowed.

use super::rules::{Source, violations};

fn told(path: &str, body: &str) -> Vec<String> {
    let text = format!("//! Planted.\n{body}\n");
    violations(&Source {
        path: path.to_owned(),
        text,
    })
    .iter()
    .map(ToString::to_string)
    .collect()
}

/// A path, the text of a file there, and the one thing to be told of it.
const PLANTED: &[(&str, &str, &str)] = &[
    (
        "src/http/get.rs",
        "use crate::auth::Credentials;",
        "src/http/get.rs:2: `http` must not use `auth`",
    ),
    (
        "src/document/a.rs",
        "use crate::disk;",
        "`document` must not use `disk`",
    ),
    (
        "src/hash/a.rs",
        "use crate::version::Version;",
        "`hash` must not use `version`",
    ),
    (
        "src/secret.rs",
        "fn f(x: crate::address::Tool) {}",
        "`secret` must not use `address`",
    ),
    (
        "src/ops/a.rs",
        "use crate::{\n    disk,\n    ui::{Printer, Table},\n};",
        "src/ops/a.rs:4: `ops` must not use `ui`",
    ),
    ("src/ops/a.rs", "use crate::*;", "`ops` must not use `*`"),
    (
        "src/ops/a.rs",
        "use crate as all;",
        "`ops` must not use `crate`",
    ),
    (
        "src/failure.rs",
        "use super::secret::Secret;",
        "`super::` leads out",
    ),
    ("src/ops/mod.rs", "use super::ui;", "`super::` leads out"),
    (
        "src/ops/a.rs",
        "use super::super::ui;",
        "`super::` leads out",
    ),
    (
        "src/ops/a.rs",
        "mod tests {\n    use super::super::super::ui;\n}",
        "src/ops/a.rs:3: `super::` leads out",
    ),
    (
        "src/registry/a.rs",
        "fn f(x: reqwest::Url) {}",
        "only `src/http/` names `reqwest`",
    ),
    (
        "src/store/a.rs",
        "use zip::ZipArchive;",
        "only `src/package/` names `zip`",
    ),
    (
        "src/store/a.rs",
        "use pgp::composed;",
        "only `src/package/` names `pgp`",
    ),
    (
        "src/store/a.rs",
        "use rawzip;",
        "only `src/package/` names `rawzip`",
    ),
    (
        "src/ops/a.rs",
        "#[derive(clap::Args)]\nstruct A;",
        "only `src/commands/` names `clap`",
    ),
    (
        "src/ops/a.rs",
        "use indicatif::ProgressBar;",
        "only `src/ui/` names `indicatif`",
    ),
    (
        "src/auth/a.rs",
        "fn f() { std::env::var(\"HOME\"); }",
        "reads environment variables",
    ),
    (
        "src/auth/a.rs",
        "use std::env::{self, vars_os};",
        "reads environment variables",
    ),
    (
        "src/ops/a.rs",
        "fn f() { println!(\"x\"); }",
        "writes to the terminal",
    ),
    (
        "src/commands/mirror.rs",
        "fn f() { std::io::stderr(); }",
        "writes to the terminal",
    ),
    (
        "src/document/a.rs",
        "use std::fs;",
        "`document` has no use for `fs`",
    ),
    (
        "src/version/a.rs",
        "async fn f() {}",
        "`version` has no use for `async`",
    ),
    (
        "src/ops/mod.rs",
        "mod a;\nfn f() {}",
        "src/ops/mod.rs:3: `mod.rs` holds docs",
    ),
];

#[test]
fn finds_each_planted_violation() {
    for (path, body, expected) in PLANTED {
        let told = told(path, body);
        assert_eq!(told.len(), 1, "{body}: {told:?}");
        assert!(told[0].contains(expected), "{body}: {told:?}");
    }
}

#[test]
fn finds_a_file_without_a_purpose() {
    let source = Source {
        path: "src/ops/a.rs".to_owned(),
        text: "// no\n".to_owned(),
    };
    assert_eq!(violations(&source).len(), 1);
}

#[test]
fn leaves_what_is_allowed_alone() {
    for (path, body) in [
        (
            "src/http/get.rs",
            "// crate::auth\n/// [`x`](crate::ui)\nfn f() { g(\"crate::ui\"); }",
        ),
        (
            "src/http/get.rs",
            "use reqwest::Client;\nuse crate::failure::Failure;\npub(crate) fn f() {}",
        ),
        (
            "src/failure.rs",
            "mod tests {\n    use super::*;\n    use super::Failure;\n}",
        ),
        (
            "src/ops/a.rs",
            "use super::b;\nmod tests { use super::super::b; }\nuse crate::{disk, ops::c, store::{A, B}};",
        ),
        (
            "src/ops/a.rs",
            "fn f() { a.zip(b); std::env::consts::OS; std::env::current_dir(); }",
        ),
        (
            "src/config/environment.rs",
            "fn f() { std::env::vars_os(); }",
        ),
        (
            "src/ui/printer.rs",
            "fn f() { print!(\"x\"); std::io::stdout(); }",
        ),
        (
            "src/document/a.rs",
            "mod tests {\n    fn f() { std::fs::read(\"x\"); }\n}",
        ),
        (
            "src/ops/mod.rs",
            "#[cfg(test)]\nmod tests;\npub use a::{B, C};\npub(crate) mod d;",
        ),
    ] {
        assert_eq!(told(path, body), Vec::<String>::new(), "{body}");
    }
}

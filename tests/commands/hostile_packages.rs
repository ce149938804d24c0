//! Archives that are correctly summed and signed, but made to do harm.

use super::scene::{LINUX, Scene, shows, without_random_names};
use crate::support::archive::{Member, release, zip};
use crate::support::{Outcome, ProviderSpec, tree};

const NET: &str = "registry.example.test/acme/net@1.0.0";

fn member(name: &str, mode: u32, content: &[u8]) -> Member {
    Member {
        name: name.to_owned(),
        mode,
        content: content.to_vec(),
    }
}

/// An ordinary release with one more member.
fn with(member: Member) -> Vec<u8> {
    let mut members = release("net", "1.0.0", "5", 64);
    members.push(member);
    zip(&members).to_vec()
}

/// A scene whose `acme/net` is this archive on Linux.
fn serving(archive: Vec<u8>) -> Scene {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    Scene::of([net.archive(LINUX, archive)])
}

/// Installs and mirrors the archive; both must refuse it and leave no file anywhere but names of
/// locks and the cache's tag.
fn refused_everywhere(archive: Vec<u8>) -> Outcome {
    let scene = serving(archive);
    let before = tree::names(&scene.cx.path(""));
    let outcome = scene.install(["--dir", "plugins", NET]).expect_code(10);
    scene.mirror([NET]).expect_code(10);
    let files: Vec<String> = tree::names(&scene.cx.path(""))
        .into_iter()
        .filter(|name| !name.ends_with('/') && !before.contains(name))
        .filter(|name| !name.ends_with(".provender.lock"))
        .filter(|name| !name.contains("/v1/locks/") && !name.ends_with("/CACHEDIR.TAG"))
        .collect();
    assert_eq!(files, [""; 0], "{outcome}");
    outcome
}

#[test]
fn entry_that_climbs_out() {
    let archive = with(member("../../escaped", 0o644, b"x"));
    shows(
        &refused_everywhere(archive),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot install `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the name of entry `../../escaped` leads out of its directory

hint: the package was published like this, or damaged where it lay: do not use it, and tell who gave it
",
    );
}

#[test]
fn entry_that_climbs_out_by_backslashes() {
    refused_everywhere(with(member("a\\..\\..\\escaped", 0o644, b"x")));
}

#[test]
fn bytes_that_are_no_archive() {
    let outcome = refused_everywhere(b"this is no zip".to_vec());
    shows(
        &without_random_names(&outcome),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot install `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the archive is no intact zip file
  caused by: Missing end of central directory

hint: the package was published like this, or damaged where it lay: do not use it, and tell who gave it
",
    );
}

#[test]
fn archive_without_files() {
    shows(
        &refused_everywhere(zip(&[]).to_vec()),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot install `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the archive is empty

hint: the package was published like this, or damaged where it lay: do not use it, and tell who gave it
",
    );
}

#[test]
fn archive_without_the_executable() {
    let archive = zip(&[member("README.md", 0o644, b"x")]).to_vec();
    shows(
        &refused_everywhere(archive),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot install `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the archive holds no executable named `terraform-provider-net`

hint: the package was published like this, or damaged where it lay: do not use it, and tell who gave it
",
    );
}

#[test]
fn symlink_in_an_archive_becomes_no_link() {
    let scene = serving(with(member("passwd", 0o120_777, b"/etc/passwd")));
    let outcome = scene.install(["--dir", "plugins", NET]);
    let linked = tree::tree(&scene.cx.work())
        .into_iter()
        .find(|line| line.contains(" -> "));
    assert_eq!(linked, None, "{outcome}");
}

//! What users read when the command line makes no sense.

use super::scene::{Scene, shows};

const NET: &str = "registry.example.test/acme/net";

#[test]
fn constraint_that_does_not_parse() {
    shows(
        &Scene::usual().run(["versions", "registry.example.test/acme/net@=>1"]),
        "code: 2
--- stdout
--- stderr
error: `registry.example.test/acme/net@=>1` has no valid version constraint after the `@`
  caused by: `=>1` is no version constraint: `=>1` begins with no operator of Terraform

hint: Terraform's operator for this is `>=`
",
    );
}

#[test]
fn module_address() {
    shows(
        &Scene::usual().run(["lock", "terraform-aws-modules/vpc/aws"]),
        "code: 2
--- stdout
--- stderr
error: `terraform-aws-modules/vpc/aws` is a module address, and this command takes providers only

hint: a provider address with a host name has three parts whose first contains a dot: `example.com/acme/net`
",
    );
}

#[test]
fn address_that_is_none() {
    shows(
        &Scene::usual().run(["versions", "registry.example.test/acme/n_t"]),
        "code: 2
--- stdout
--- stderr
error: `registry.example.test/acme/n_t` is not a provider address
  caused by: provider address `registry.example.test/acme/n_t` has the invalid type `n_t`

hint: a namespace or type has letters, digits and single hyphens, not at its ends
",
    );
}

#[test]
fn platform_that_is_none() {
    shows(
        &Scene::usual().run(["mirror", "--to", "m", "--platform", "linux", NET]),
        "code: 2
--- stdout
--- stderr
error: `linux` is no platform: that is an operating system and an architecture joined by one `_`

hint: write it like `linux_amd64`
",
    );
}

#[test]
fn command_lines_that_make_no_sense() {
    let scene = Scene::usual();
    for arguments in [
        &["mirror", NET][..],
        &["mirror", "--to", "m"],
        &["versions"],
        &["versions", NET, NET],
        &["instal"],
        &["mirror", "--to", "m", "--jobs", "0", NET],
        &["versions", "-q", "-v", NET],
        &["versions", "--tool", "pulumi", NET],
        &[],
    ] {
        let outcome = scene.cx.run(arguments).expect_code(2);
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        assert!(!outcome.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn variable_with_an_unknown_tool() {
    let mut scene = Scene::usual();
    scene.cx.env("PROVENDER_TOOL", "pulumi");
    shows(
        &scene.run(["versions", NET]),
        "code: 2
--- stdout
--- stderr
error: the environment variable `PROVENDER_TOOL` is not usable
  caused by: `pulumi` is neither `terraform` nor `tofu`
",
    );
}

#[test]
fn directory_that_is_not_there() {
    shows(
        &Scene::usual().run(["-C", "nowhere", "install"]),
        "code: 1
--- stdout
--- stderr
error: `[TEMP]/place/nowhere` is not a directory
",
    );
    shows(
        &Scene::usual().mirror(["--root", "nowhere"]),
        "code: 1
--- stdout
--- stderr
error: `[TEMP]/place/nowhere` is not a directory
",
    );
}

#[test]
fn help_and_version_are_answers() {
    let scene = Scene::usual();
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["help", "mirror"],
        &["install", "--help"],
    ] {
        let outcome = scene.cx.run(arguments).expect_code(0);
        assert!(outcome.stdout.contains("Usage:"), "{outcome}");
        assert_eq!(outcome.stderr, "");
    }
    let outcome = scene.run(["--version"]).expect_code(0);
    assert_eq!(
        outcome.stdout,
        concat!("provender ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

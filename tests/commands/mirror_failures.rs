//! `mirror` and packages that are not what they should be: exit code 10, and nothing bad on disk.

use super::scene::{HOST, Scene, shows, without_digests};
use crate::support::registry::{Dialect, paths};
use crate::support::{Fault, Outcome, ProviderSpec, Signing, TestRegistry, When};

const NET: &str = "registry.example.test/acme/net";

fn net() -> ProviderSpec {
    ProviderSpec::new("acme/net").version("1.0.0")
}

/// Runs `mirror` on a provider that must be refused, and expects an untouched disk.
fn refused(provider: ProviderSpec) -> Outcome {
    let scene = Scene::of([provider]);
    let outcome = scene.mirror([NET]);
    let files = scene.names("mirror");
    assert!(
        files.iter().all(|name| name.ends_with('/')),
        "{files:?}\n{outcome}"
    );
    outcome
}

#[test]
fn tampered_archive() {
    shows(
        &without_digests(&refused(net().tampered())),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the archive has SHA-256 `[DIGEST]`, expected is `[DIGEST]`

hint: somebody on the way, such as a proxy or an artifact store, may have changed the package; if it stays so, tell those who run the source
",
    );
}

#[test]
fn announced_digest_that_is_not_the_one_in_the_sums() {
    shows(
        &without_digests(&refused(net().wrong_shasum())),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the SHA256SUMS document lists `[DIGEST]`, the registry announces `[DIGEST]`

hint: what the source says contradicts itself; tell those who run it
",
    );
}

#[test]
fn sums_that_do_not_name_the_archive() {
    shows(
        &refused(net().edit_sums(|sums| sums.replace("linux", "plan9"))),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the SHA256SUMS document does not list `terraform-provider-net_1.0.0_linux_amd64.zip`

hint: what the source says contradicts itself; tell those who run it
",
    );
}

#[test]
fn signature_by_another_key() {
    shows(
        &refused(net().signing(Signing::Stranger)),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the SHA256SUMS document of `registry.example.test/acme/net` 1.0.0 is not authentic
  caused by: the signature is by key `[STRANGER]`, and the only key that the registry lists is `[KEY]`

hint: if the publisher changed keys, ask them for the new one and try again once the registry lists it
",
    );
}

#[test]
fn signature_of_another_document() {
    shows(
        &refused(net().signing(Signing::OtherDocument)),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the SHA256SUMS document of `registry.example.test/acme/net` 1.0.0 is not authentic
  caused by: the signature by key `[KEY]` does not fit the document

hint: do not use this release before its publisher has explained or mended it
",
    );
}

#[test]
fn signature_in_armor() {
    shows(
        &refused(net().signing(Signing::Armored)),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the SHA256SUMS document of `registry.example.test/acme/net` 1.0.0 is not authentic
  caused by: the signature is armored text instead of a binary detached signature

hint: do not use this release before its publisher has explained or mended it
",
    );
}

#[test]
fn bytes_that_are_no_signature() {
    shows(
        &refused(net().signing(Signing::Garbage)),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the SHA256SUMS document of `registry.example.test/acme/net` 1.0.0 is not authentic
  caused by: the signature is no binary detached OpenPGP signature

hint: do not use this release before its publisher has explained or mended it
",
    );
}

#[test]
fn other_bytes_from_the_server() {
    let scene = Scene::of([net()]);
    let path = paths::archive("acme/net", "1.0.0", "linux_amd64");
    scene.registry.fault(&path, Fault::WrongBytes);
    scene.mirror([NET]).expect_code(10);
    scene.registry.clear_faults();
    scene.mirror([NET]).expect_code(0);
}

#[test]
fn package_of_another_size_than_reported() {
    let spec = net().edit_download(|document| {
        document["packages"]["linux_amd64"]["package_size"] = 17.into();
    });
    let builder = TestRegistry::builder()
        .dialect(Dialect::OpenTofu)
        .provider(spec);
    let scene = Scene::built(builder);
    scene.mirror([NET]).expect_code(10);
    let files = scene.names("mirror");
    assert!(files.iter().all(|name| name.ends_with('/')), "{files:?}");
}

#[test]
fn one_failed_package_stops_no_other_and_the_gravest_code_wins() {
    let good = ProviderSpec::new("acme/good").version("1.0.0");
    let bad = ProviderSpec::new("acme/bad").version("1.0.0").tampered();
    let scene = Scene::of([good, bad]);
    let [good, bad, absent] = ["good", "bad", "absent"].map(|ty| format!("{HOST}/acme/{ty}"));
    let outcome = scene.mirror(["-j1", bad.as_str(), absent.as_str(), good.as_str()]);
    shows(
        &without_digests(&outcome),
        "code: 10
--- stdout
mirrored 1 package (1.3 KiB), 2 failures
--- stderr
failed `registry.example.test/acme/bad` 1.0.0 for `linux_amd64`
mirrored `registry.example.test/acme/good` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
error: cannot mirror `registry.example.test/acme/bad` 1.0.0 for `linux_amd64`
  caused by: the archive has SHA-256 `[DIGEST]`, expected is `[DIGEST]`

hint: somebody on the way, such as a proxy or an artifact store, may have changed the package; if it stays so, tell those who run the source
error: cannot find the versions of `registry.example.test/acme/absent`
  caused by: the registry of `registry.example.test` has no provider `registry.example.test/acme/absent` (404 from `https://localhost:[PORT]/v1/providers/acme/absent/versions`)

hint: check the address; a private registry may also hide `registry.example.test/acme/absent` from requests without a token
",
    );
    let files = scene.names("mirror");
    assert!(
        files
            .iter()
            .any(|name| name.ends_with("good_1.0.0_linux_amd64.zip")),
        "{files:?}"
    );
    assert!(
        !files
            .iter()
            .any(|name| name.ends_with("bad_1.0.0_linux_amd64.zip")),
        "{files:?}"
    );
}

#[test]
fn broken_connection_is_resumed() {
    let scene = Scene::of([net().payload_size(200_000)]);
    let path = paths::archive("acme/net", "1.0.0", "linux_amd64");
    scene
        .registry
        .fault_when(&path, When::First(1), Fault::Cut { after: 100_000 });
    scene.mirror([NET]).expect_code(0);
    let requests = scene.registry.requests_for(&path);
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].header("range"), Some("bytes=100000-"));
}

#[test]
fn server_that_never_recovers_is_given_up() {
    let scene = Scene::of([net()]);
    let path = paths::archive("acme/net", "1.0.0", "linux_amd64");
    scene.registry.fault(&path, Fault::status(503));
    shows(
        &scene.mirror([NET]),
        "code: 13
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: cannot download the package
  caused by: `https://localhost:[PORT]/archives/acme/net/1.0.0/terraform-provider-net_1.0.0_linux_amd64.zip` answers with status 503 after 2 tries

hint: the server is in trouble, try again later
",
    );
    let files = scene.names("mirror");
    assert!(files.iter().all(|name| name.ends_with('/')), "{files:?}");
}

#[cfg(unix)]
#[test]
fn directory_that_cannot_be_written_is_told() {
    let scene = Scene::of([net()]);
    // A file in the place of a directory refuses the superuser, too.
    scene.cx.write("mirror", "not a directory");
    shows(
        &scene.mirror([NET]),
        "code: 1
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: cannot create the directory `[TEMP]/place/mirror/registry.example.test/acme/net`
  caused by: Not a directory (os error 20)

hint: a file stands where a directory has to be: move it, or choose another place
",
    );
}

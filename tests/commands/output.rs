//! The forms of output: JSON, quiet, verbose, coloured.

use serde_json::json;

use super::scene::{LINUX, Scene, shows};
use crate::support::ProviderSpec;

const NET: &str = "registry.example.test/acme/net";

#[test]
fn mirror_as_json() {
    let scene = Scene::usual();
    let outcome = scene.mirror(["--json", NET]).expect_code(0);
    let size = scene
        .registry
        .archive_bytes("acme/net", "2.0.0", LINUX)
        .len();
    assert_eq!(
        outcome.json(),
        json!({
            "format_version": "1.0",
            "command": "mirror",
            "packages": [{
                "kind": "provider",
                "address": NET,
                "version": "2.0.0",
                "platform": LINUX,
                "action": "mirrored",
                "verdict": "signed",
                "signed_by": "[KEY]",
                "size": size,
            }],
            "summary": {
                "installed": 0, "mirrored": 1, "kept": 0, "lock": 0, "locked": 0, "fetch": 0, "skipped": 0,
                "removed": 0, "remove": 0, "verified": 0, "failed": 0, "bytes": size,
            },
        })
    );
}

#[test]
fn install_as_json() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    let document = scene.install(["--json"]).expect_code(0).json();
    assert_eq!(document["command"], "install");
    assert_eq!(document["packages"][0]["action"], "installed");
    assert_eq!(document["packages"][0]["verdict"], "signed");
    assert_eq!(document["summary"]["installed"], 1);
    let document = scene.install(["--json"]).expect_code(0).json();
    assert_eq!(document["packages"][0]["action"], "kept");
    assert_eq!(document["summary"]["kept"], 1);
}

#[test]
fn dry_run_as_json() {
    let document = Scene::usual()
        .mirror(["--json", "--dry-run", NET])
        .expect_code(0)
        .json();
    assert_eq!(document["packages"][0]["action"], "fetch");
    assert_eq!(document["packages"][0]["size"], json!(null));
    assert_eq!(document["summary"]["fetch"], 1);
}

#[test]
fn partial_failure_as_json_has_packages_and_error() {
    let good = ProviderSpec::new("acme/good").version("1.0.0");
    let bad = ProviderSpec::new("acme/bad").version("1.0.0").tampered();
    let scene = Scene::of([good, bad]);
    let addresses = [
        "registry.example.test/acme/bad",
        "registry.example.test/acme/good",
    ];
    let [bad, good] = addresses;
    let outcome = scene.mirror(["--json", bad, good]).expect_code(10);
    let document = outcome.json();
    let actions: Vec<_> = document["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| package["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["failed", "mirrored"]);
    assert_eq!(document["error"]["kind"], "verification");
    assert_eq!(document["error"]["exit_code"], 10);
    assert_eq!(document["packages"][0]["error"], document["error"]);
    assert_eq!(document["summary"]["failed"], 1);
}

#[test]
fn errors_as_json() {
    let scene = Scene::usual();
    for (arguments, kind, code) in [
        (
            &["mirror", "--to", "m", "registry.example.test/acme/dns"][..],
            "not_found",
            12,
        ),
        (
            &["versions", "registry.example.test/acme/dns"],
            "not_found",
            12,
        ),
        (
            &["versions", "registry.example.test/acme/net@x"],
            "usage",
            2,
        ),
        (&["install"], "local", 1),
    ] {
        let outcome = scene.cx.run(arguments.iter().copied().chain(["--json"]));
        let outcome = outcome.expect_code(code);
        let document = outcome.json();
        assert_eq!(document["format_version"], "1.0", "{outcome}");
        assert_eq!(document["command"], arguments[0]);
        assert_eq!(document["error"]["kind"], kind);
        assert_eq!(document["error"]["exit_code"], code);
        for member in ["message", "causes", "hints"] {
            assert!(!document["error"][member].is_null(), "{outcome}");
        }
        assert!(!outcome.stderr.contains("error:"), "{outcome}");
    }
}

#[test]
fn usage_errors_as_json() {
    let scene = Scene::usual();
    let outcome = scene.run(["mirror", "--json", NET]).expect_code(2);
    let document = outcome.json();
    assert_eq!(document["error"]["kind"], "usage");
    assert_eq!(document["error"]["exit_code"], 2);
    let message = "the following required arguments were not provided: --to <DEST>";
    assert_eq!(document["error"]["message"], message);
    assert_eq!(outcome.stderr, "");
    let help = scene.run(["--json", "--help"]).expect_code(0);
    assert!(help.stdout.contains("Usage:"), "{help}");
}

#[test]
fn quiet_prints_the_answer_alone() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .warning("old");
    let scene = Scene::of([net]);
    shows(
        &scene.mirror(["-q", NET]),
        "code: 0
--- stdout
mirrored 1 package (1.3 KiB)
--- stderr
",
    );
    shows(
        &scene.run(["versions", "-q", NET]),
        "code: 0
--- stdout
version  protocols  platforms
1.0.0    5.0        darwin_arm64, linux_amd64
--- stderr
",
    );
}

#[test]
fn verbose_shows_the_requests() {
    let scene = Scene::usual();
    let outcome = scene.mirror(["-v", NET]).expect_code(0);
    for path in [
        "/v1/providers/acme/net/versions",
        "/v1/providers/acme/net/2.0.0/download/linux/amd64",
        "terraform-provider-net_2.0.0_SHA256SUMS",
        "terraform-provider-net_2.0.0_linux_amd64.zip",
    ] {
        assert!(outcome.stderr.contains(path), "{path} is not in\n{outcome}");
    }
    let quiet = scene.mirror([NET]).expect_code(0);
    assert!(!quiet.stderr.contains("/v1/providers/"), "{quiet}");
}

#[test]
fn colours_mark_labels_only_when_asked_for() {
    let mut scene = Scene::usual();
    let absent = "registry.example.test/acme/dns";
    let plain = scene.run(["versions", absent]).expect_code(12);
    assert!(!plain.stderr.contains('\u{1b}'), "{plain}");
    let painted = scene
        .run(["versions", "--color", "always", absent])
        .expect_code(12);
    assert!(
        painted.stderr.starts_with("\u{1b}[31;1merror:\u{1b}[0m "),
        "{painted}"
    );
    assert_eq!(painted.stdout, "");
    scene.cx.env("CLICOLOR_FORCE", "1");
    let forced = scene.run(["versions", absent]);
    assert_eq!(forced.stderr, painted.stderr);
    scene.cx.env("NO_COLOR", "1");
    assert_eq!(scene.run(["versions", absent]).stderr, plain.stderr);
    let painted_answer = scene
        .run(["versions", "--color", "always", NET])
        .expect_code(0);
    assert!(
        !painted_answer.stdout.contains('\u{1b}'),
        "{painted_answer}"
    );
}

#[test]
fn answer_that_cannot_be_written_is_a_failure() {
    let scene = Scene::usual();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = scene.cx.command(["versions", NET, "--json"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.starts_with("error: cannot write the answer\n"),
        "{stderr}"
    );
}

#[test]
fn words_of_strangers_stay_on_one_line_and_short() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let forged = format!("moved\nerror: forged {}", "x".repeat(9999));
    let scene = Scene::of([net.warning(&forged)]);
    let outcome = scene.run(["versions", NET]).expect_code(0);
    let start = format!("warning: the registry says of `{NET}`: moved error: forged xxx");
    assert!(outcome.stderr.starts_with(&start), "{outcome}");
    assert!(outcome.stderr.len() < 700, "{outcome}");
}

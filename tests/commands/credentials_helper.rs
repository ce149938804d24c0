//! Credentials helpers: other people's, which this program asks, and this program as one.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use super::login_scene::{LoginScene, TOKEN};
use crate::support::Conversation;

/// A helper that keeps tokens in files, one a host, and notes its calls.
const SCRIPT: &str = "#!/bin/sh
dir=$(dirname \"$0\")
echo \"$@\" >> \"$dir/calls\"
for last; do verb=$host; host=$last; done
case $verb in
get) cat \"$dir/token.$host\" 2>/dev/null || echo '{}' ;;
store) cat > \"$dir/token.$host\" ;;
forget) rm -f \"$dir/token.$host\" ;;
esac
";

fn plugins(scene: &LoginScene) -> PathBuf {
    scene.cx.home().join(".terraform.d/plugins")
}

fn configure(scene: &LoginScene, name: &str) {
    let text = format!("credentials_helper \"{name}\" {{\n  args = [\"--x\"]\n}}\n");
    fs::write(scene.cx.home().join(".terraformrc"), text).unwrap();
}

fn install(scene: &LoginScene, script: &str) {
    fs::create_dir_all(plugins(scene)).unwrap();
    let program = plugins(scene).join("terraform-credentials-foo");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    configure(scene, "foo");
}

#[test]
fn login_and_logout_go_through_the_helper() {
    let scene = LoginScene::new();
    install(&scene, SCRIPT);
    let outcome = scene.log_in();
    assert!(
        outcome
            .stdout
            .contains("is kept in the credentials helper `foo`"),
        "{outcome}"
    );
    assert!(!scene.file().exists());
    scene.mirror().expect_code(0);
    let host = scene.host();
    let outcome = scene.run(["auth", "status", &host]).expect_code(0);
    assert!(
        outcome
            .stdout
            .contains("yes    the credentials helper `foo`"),
        "{outcome}"
    );
    scene.run(["logout", &host]).expect_code(0);
    scene.run(["auth", "token", &host]).expect_code(4);
    let outcome = scene.run(["logout", &host]).expect_code(0);
    assert!(outcome.stdout.contains("no token for"), "{outcome}");
    let calls = fs::read_to_string(plugins(&scene).join("calls")).unwrap();
    let calls: Vec<&str> = calls.lines().collect();
    // Whether it answers is found out before the login; then one run asks once, however many requests it makes.
    let expected = [
        &["get", "store"][..],
        &["get"],
        &["get"],
        &["get", "forget", "get", "get", "get"],
    ];
    let expected = expected.concat();
    let expected: Vec<_> = expected
        .iter()
        .map(|verb| format!("--x {verb} {host}"))
        .collect();
    assert_eq!(calls, expected);
}

#[test]
fn variable_and_block_win_over_the_helper() {
    let mut scene = LoginScene::new();
    install(&scene, SCRIPT);
    let host = scene.host();
    scene.write_file(&scene.file_with("file"));
    let token = |scene: &LoginScene| scene.run(["auth", "token", &host]).expect_code(0).stdout;
    assert_eq!(token(&scene), "file\n");
    scene.cx.env(format!("TF_TOKEN_{host}"), "variable");
    assert_eq!(token(&scene), "variable\n");
    assert!(!plugins(&scene).join("calls").exists());
}

#[test]
fn helper_that_is_not_installed_stops_a_login() {
    let scene = LoginScene::new();
    configure(&scene, "foo");
    let outcome = scene.run(["login", &scene.host()]).expect_code(1);
    assert!(
        outcome
            .stderr
            .contains("the credentials helper `foo` is configured and not installed"),
        "{outcome}"
    );
    assert!(
        outcome.stderr.contains("`terraform-credentials-foo`"),
        "{outcome}"
    );
    assert!(!scene.file().exists());
}

#[test]
fn failing_helper_is_told_and_requests_go_on_without_a_token() {
    let scene = LoginScene::new();
    install(&scene, "#!/bin/sh\necho locked >&2\nexit 1\n");
    let outcome = scene.mirror().expect_code(4);
    assert!(
        outcome.stderr.contains("going on without a token"),
        "{outcome}"
    );
    assert!(outcome.stderr.contains("locked"), "{outcome}");
}

#[test]
fn install_helper_puts_this_program_where_the_tools_look() {
    let scene = LoginScene::new();
    let outcome = scene.run(["auth", "install-helper"]).expect_code(0);
    assert_eq!(outcome.stdout, "credentials_helper \"provender\" {}\n");
    let link = plugins(&scene).join("terraform-credentials-provender");
    assert_eq!(
        fs::read_link(&link).unwrap(),
        PathBuf::from(env!("CARGO_BIN_EXE_provender"))
    );
    // Again, and over a link of an earlier version; another program stays.
    scene.run(["auth", "install-helper"]).expect_code(0);
    fs::remove_file(&link).unwrap();
    symlink("/gone/provender", &link).unwrap();
    scene.run(["auth", "install-helper"]).expect_code(0);
    fs::remove_file(&link).unwrap();
    fs::write(&link, "theirs").unwrap();
    scene.run(["auth", "install-helper"]).expect_code(1);
    assert_eq!(fs::read_to_string(&link).unwrap(), "theirs");
}

#[test]
fn without_a_keyring_the_helper_fails_with_a_reason() {
    let scene = LoginScene::new();
    scene.run(["auth", "install-helper"]).expect_code(0);
    let call = |arguments: &[&str], input: &str| {
        let mut command = scene.cx.command([""; 0]);
        let program = plugins(&scene).join("terraform-credentials-provender");
        let mut helper = std::process::Command::new(program);
        helper.args(arguments).env_clear();
        helper.envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
        helper.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
        let mut helper = Conversation::start(helper);
        helper.say(input);
        helper.hush();
        helper.wait()
    };
    for arguments in [
        &["get", "example.com"][..],
        &["--x", "store", "example.com"],
        &["forget", "example.com"],
    ] {
        let outcome = call(arguments, &format!("{{\"token\":\"{TOKEN}\"}}")).expect_code(1);
        assert!(
            outcome
                .stderr
                .contains("there is no keyring that can be used"),
            "{outcome}"
        );
        assert_eq!(outcome.stdout, "");
    }
    for (arguments, input) in [
        (&["get"][..], ""),
        (&["list", "example.com"], ""),
        (&["store", "example.com"], "{\"token\":\"t\",\"x\":1}"),
        (&["store", "example.com"], "[]"),
        (&["get", "not a host"], ""),
    ] {
        let outcome = call(arguments, input).expect_code(1);
        assert!(
            !outcome.stderr.contains("keyring"),
            "{arguments:?}\n{outcome}"
        );
    }
}

#[test]
fn helper_that_fails_is_told_before_the_login() {
    let scene = LoginScene::new();
    install(
        &scene,
        "#!/bin/sh\nprintf 'error: no keyring\\n\\nhint: unlock it\\n' >&2; exit 7\n",
    );
    let login = scene
        .run(["login", &scene.host(), "--no-browser"])
        .expect_code(1);
    assert!(
        login
            .stderr
            .contains("(exit status: 7): error: no keyring\n"),
        "{login}"
    );
    assert!(!login.stderr.contains("unlock it"), "{login}");
    let token = scene.run(["auth", "token", &scene.host()]).expect_code(1);
    assert!(token.stderr.contains("error: no keyring"), "{token}");
    let status = scene
        .run(["auth", "status", "--json", &scene.host()])
        .json();
    let failure = status["credentials"][0]["failure"].as_str().unwrap();
    assert!(failure.contains("error: no keyring"), "{failure}");
}

//! The same CLI configuration leads both programs to the same source and the same lock file.

use std::fs;
use std::path::PathBuf;

use crate::support::TestServer;

use super::scene::{HOST, current, package_requests};
use super::twins::{TWINS, Twins};

/// What a case configures, requires, and how it must end: 0, or our exit code.
struct Case {
    methods: &'static str,
    constraint: &'static str,
    code: i32,
}

const fn case(methods: &'static str, constraint: &'static str) -> Case {
    Case {
        methods,
        constraint,
        code: 0,
    }
}

const fn failing(methods: &'static str, constraint: &'static str, code: i32) -> Case {
    Case {
        methods,
        constraint,
        code,
    }
}

/// `PACKED`, `UNPACKED` are directories with `acme/net` 1.0.0 and 1.2.0, and 1.0.0 alone; `MIRROR` is a network mirror of
/// the first. The registry has 1.0.0, 1.2.0 and a prerelease.
const CASES: [Case; 19] = [
    case("direct {}", ""),
    case("filesystem_mirror {\n path = \"PACKED\"\n}", ""),
    case("filesystem_mirror {\n path = \"PACKED\"\n}", "1.0.0"),
    case("filesystem_mirror {\n path = \"UNPACKED\"\n}", ""),
    case("network_mirror {\n url = \"MIRROR\"\n}", ""),
    case("filesystem_mirror {\n path = \"PACKED\"\n}\ndirect {}", ""),
    case("direct {}\nfilesystem_mirror {\n path = \"PACKED\"\n}", ""),
    case(
        "filesystem_mirror {\n path = \"UNPACKED\"\n}\ndirect {}",
        "",
    ),
    case(
        "filesystem_mirror {\n path = \"UNPACKED\"\n}\ndirect {}",
        "1.0.0",
    ),
    case(
        "filesystem_mirror {\n path = \"UNPACKED\"\n}\nfilesystem_mirror {\n path = \"PACKED\"\n}",
        "1.0.0",
    ),
    case(
        "filesystem_mirror {\n path = \"PACKED\"\n}\nfilesystem_mirror {\n path = \"UNPACKED\"\n}",
        "1.0.0",
    ),
    case(
        "network_mirror {\n url = \"MIRROR\"\n include = [\"HOST/acme/*\"]\n}\ndirect {\n exclude = [\"HOST/acme/*\"]\n}",
        "",
    ),
    case(
        "network_mirror {\n url = \"MIRROR\"\n exclude = [\"HOST/*/*\"]\n}\ndirect {}",
        "",
    ),
    case("filesystem_mirror \"label\" {\n path = \"PACKED\"\n}", ""),
    case(
        "foo {}\nfilesystem_mirror {\n path = \"UNPACKED\"\n}\nfilesystem_mirror {}\nnetwork_mirror {\n url = \"http://x/\"\n}",
        "",
    ),
    failing("", "", 12),
    failing(
        "filesystem_mirror {\n path = \"PACKED\"\n include = [\"HOST/other/*\"]\n}",
        "",
        12,
    ),
    failing("filesystem_mirror {\n path = \"UNPACKED\"\n}", "1.2.0", 12),
    failing("filesystem_mirror {\n path = \"none\"\n}\ndirect {}", "", 1),
];

/// Mirrors to choose from.
struct Places {
    packed: PathBuf,
    unpacked: PathBuf,
    server: TestServer,
}

impl Places {
    fn filled(twins: &Twins) -> Self {
        let work = twins.scene.context.work();
        let address = format!("{HOST}/acme/net");
        twins
            .scene
            .provender(&["mirror", &address, "--all-versions", "--to", "packed"]);
        let one = format!("{address}@1.0.0");
        twins
            .scene
            .provender(&["install", &one, "--dir", "unpacked"]);
        let packed = work.join("packed");
        Self {
            server: TestServer::of_directory(&packed),
            packed,
            unpacked: work.join("unpacked"),
        }
    }

    fn filled_in(&self, text: &str) -> String {
        text.replace("UNPACKED", self.unpacked.to_str().expect("text"))
            .replace("PACKED", self.packed.to_str().expect("text"))
            .replace("MIRROR", &self.server.url("/"))
            .replace("HOST", HOST)
    }
}

/// Where the installed package of a root module is a link to, if it is one.
fn link(twins: &Twins, dir: &str) -> Option<PathBuf> {
    let base = twins.scene.context.work().join(dir);
    let base = base.join(format!(".terraform/providers/{HOST}/acme/net"));
    let version = fs::read_dir(&base).ok()?.next()?.ok()?.path();
    fs::read_link(version.join(current())).ok()
}

fn forget(twins: &Twins) {
    for dir in TWINS {
        let root = twins.scene.context.work().join(dir);
        if root.is_dir() {
            fs::remove_dir_all(root).expect("it is there");
        }
    }
    twins.forget_cache();
    fs::create_dir_all(twins.scene.context.cache().join("v1")).expect("it was there");
}

#[test]
fn both_choose_the_same_source() {
    let Some(mut twins) = Twins::born() else {
        return;
    };
    let places = Places::filled(&twins);
    let hosts = twins.registry.host_block(HOST);
    for Case {
        methods,
        constraint,
        code,
    } in CASES
    {
        let methods = places.filled_in(methods);
        let config = format!("{hosts}\nprovider_installation {{\n{methods}\n}}\n");
        twins.scene.context.config(&config);
        forget(&twins);
        twins.require(&[("net", constraint)]);
        twins.registry.clear_requests();
        let what = format!("{methods} {constraint}");
        if code == 0 {
            twins.agree(&what);
        } else {
            twins.agree_to_fail(&what, code);
        }
        assert_eq!(link(&twins, TWINS[0]), link(&twins, TWINS[1]), "{what}");
        let mut asked = package_requests(&twins.registry);
        asked.retain(|line| line.starts_with("GET") && line.contains("/download/"));
        asked.sort();
        let once: Vec<_> = asked.chunks(2).map(|pair| pair[0].clone()).collect();
        let twice: Vec<_> = once
            .iter()
            .flat_map(|line| [line.clone(), line.clone()])
            .collect();
        assert_eq!(
            asked, twice,
            "{what}: one program asked the registry, the other did not"
        );
    }
}

#[test]
fn both_read_the_same_methods_from_json() {
    let Some(mut twins) = Twins::born() else {
        return;
    };
    let places = Places::filled(&twins);
    for (text, code) in [
        (
            "{\"provider_installation\": {\"filesystem_mirror\": [{\"path\": \"UNPACKED\"}], \"direct\": [{\"exclude\": [\"HOST/*/*\"]}]}}",
            0,
        ),
        (
            "{\"provider_installation\": {\"filesystem_mirror\": [{\"path\": \"UNPACKED\", \"include\": [\"a/b\"]}, {\"path\": \"PACKED\"}]}}",
            0,
        ),
        (
            "{\"provider_installation\": {\"filesystem_mirror\": {\"path\": \"PACKED\"}}}",
            12,
        ),
        (
            "{\"provider_installation\": [{\"filesystem_mirror\": {\"path\": \"PACKED\"}, \"direct\": {}}]}",
            12,
        ),
    ] {
        twins.scene.context.config(&places.filled_in(text));
        forget(&twins);
        twins.require(&[("net", "")]);
        if code == 0 {
            twins.agree(text);
        } else {
            twins.agree_to_fail(text, code);
        }
        assert_eq!(link(&twins, TWINS[0]), link(&twins, TWINS[1]), "{text}");
    }
}

#[test]
fn both_look_into_the_same_implied_directories() {
    let Some(mut twins) = Twins::born() else {
        return;
    };
    let places = Places::filled(&twins);
    let hosts = twins.registry.host_block(HOST);
    twins.scene.context.config(&hosts);
    twins
        .scene
        .context
        .env("XDG_DATA_DIRS", twins.scene.context.path("shared"));
    for place in [
        "home/.terraform.d/plugins",
        "home/.local/share/terraform/plugins",
        "shared/terraform/plugins",
    ] {
        let plugins = twins.scene.context.path(place);
        fs::create_dir_all(plugins.parent().expect("it has one")).expect("it can be made");
        fs::rename(&places.unpacked, &plugins).expect("one file system");
        forget(&twins);
        twins.require(&[("net", ""), ("dns", "")]);
        let lock = twins.agree(place);
        // Of `acme/net` there is a newer version, which the directory hides.
        assert!(lock.contains("version = \"1.0.0\""), "{lock}");
        let links = TWINS.map(|dir| link(&twins, dir));
        assert!(links[0].is_some() && links[0] == links[1], "{links:?}");
        fs::rename(&plugins, &places.unpacked).expect("one file system");
    }
}

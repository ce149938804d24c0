//! Mirrors that `terraform providers mirror` began and `provender mirror` goes on with.

use crate::support::{TestRegistry, TestServer};

use super::scene::{
    HOST, IDN_HOST, Scene, current, is_archive, lock_text, package_requests, provider,
};

#[test]
fn mirror_of_terraform_can_be_continued() {
    let registry = TestRegistry::of([
        provider("acme/net").version("1.0.0").version("1.2.0"),
        provider("acme/dns").version("2.0.0"),
    ]);
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let (net, dns, idn) = (
        format!("{HOST}/acme/net"),
        format!("{HOST}/acme/dns"),
        format!("{IDN_HOST}/acme/net"),
    );
    scene.root("a", &[(&net, "1.0.0"), (&dns, ""), (&idn, "1.0.0")]);
    scene
        .terraform("a", &["providers", "mirror", "../mirror"])
        .expect_code(0);

    registry.clear_requests();
    let old = format!("{net}@1.0.0");
    scene.provender(&["mirror", &net, &old, &idn, "--to", "mirror"]);
    // The package that carries no evidence is fetched like the ones that are new.
    let archives = package_requests(&registry);
    assert_eq!(
        archives.iter().filter(|line| is_archive(line)).count(),
        3,
        "{archives:?}"
    );
    registry.clear_requests();
    scene.provender(&["mirror", &net, &old, &idn, "--to", "mirror"]);
    assert_eq!(package_requests(&registry), [""; 0]);

    let h1 = |address, version| registry.h1(address, version, &current());
    let cases = [
        (&net, "1.0.0", h1("acme/net", "1.0.0")),
        (&net, "1.2.0", h1("acme/net", "1.2.0")),
        (&dns, "2.0.0", h1("acme/dns", "2.0.0")),
        (&idn, "1.2.0", h1("acme/net", "1.2.0")),
        (&idn, "1.0.0", h1("acme/net", "1.0.0")),
    ];
    drop(registry);
    let mirror = scene.context.work().join("mirror");
    let server = TestServer::of_directory(&mirror);
    let methods = [
        format!("filesystem_mirror {{ path = \"{}\" }}", mirror.display()),
        format!("network_mirror {{ url = \"{}\" }}", server.url("/")),
    ];
    for (kind, method) in methods.iter().enumerate() {
        scene.only(method);
        for (number, (source, version, h1)) in cases.iter().enumerate() {
            if kind == 1 && number == 4 {
                // `terraform` put the archive of the Unicode host under a name that its own client does not ask for.
                continue;
            }
            let dir = format!("far{kind}{number}");
            scene.root(&dir, &[(source, version)]);
            scene.init(&dir);
            let expected = lock_text(source, version, version, std::slice::from_ref(h1));
            assert_eq!(scene.lock(&dir), expected, "{method}");
        }
    }
}

#[test]
fn mirror_can_be_continued_by_terraform_and_back() {
    let registry = TestRegistry::of([provider("acme/net")
        .version("1.0.0")
        .version("1.1.0")
        .version("1.3.0-Beta1")]);
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let sources = [HOST, IDN_HOST].map(|host| format!("{host}/acme/net"));
    let ours: Vec<String> = sources
        .iter()
        .flat_map(|source| ["1.0.0", "1.3.0-Beta1"].map(|version| format!("{source}@{version}")))
        .collect();
    let mut arguments = vec!["mirror", "--to", "mirror"];
    arguments.extend(ours.iter().map(String::as_str));
    scene.provender(&arguments);
    scene.root("a", &[(&sources[0], "1.1.0"), (&sources[1], "1.1.0")]);
    scene
        .terraform("a", &["providers", "mirror", "../mirror"])
        .expect_code(0);
    // Its indexes forget what is not laid out its way; ours name everything again.
    registry.clear_requests();
    scene.provender(&arguments);
    assert_eq!(package_requests(&registry), [""; 0]);
    drop(registry);
    let server = TestServer::of_directory(&scene.context.work().join("mirror"));
    scene.only(&format!(
        "network_mirror {{ url = \"{}\" }}",
        server.url("/")
    ));
    for (number, address) in ours.iter().enumerate() {
        let (source, version) = address.split_once('@').expect("it was put together so");
        let dir = format!("far{number}");
        scene.root(&dir, &[(source, version)]);
        scene.init(&dir);
    }
    scene.root("b", &[(&sources[0], "1.1.0")]);
    scene.init("b");
}

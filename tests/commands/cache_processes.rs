//! Many processes and one package cache.

use super::scene::Scene;
use crate::support::ProviderSpec;
use crate::support::registry::paths;
use crate::support::{Fault, tree};

const ROOTS: [&str; 8] = ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"];

#[test]
fn eight_at_once_fetch_each_package_once() {
    let net = ProviderSpec::new("acme/net").payload_size(300_000);
    let scene = Scene::of([
        net.version("1.0.0"),
        ProviderSpec::new("acme/dns").version("2.0.0"),
    ]);
    for root in ROOTS {
        scene.root_in(root, [("acme/net", "1.0.0"), ("acme/dns", "2.0.0")]);
    }
    let running = ROOTS.map(|root| scene.start_install_in(root));
    for process in running {
        process.wait().expect_code(0);
    }
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 1);
    assert_eq!(scene.downloads("acme/dns", "2.0.0"), 1);
    let of = |root: &str| tree::tree_with_digests(&scene.cx.work().join(root));
    for root in ROOTS {
        assert_eq!(of(root), of("r1"));
    }
    let is_temporary = |name: &String| name.contains(".provender-");
    let names = tree::names(&scene.cx.cache());
    assert!(!names.iter().any(is_temporary), "{names:?}");
    scene.run(["cache", "verify"]).expect_code(0);
}

#[test]
fn eight_at_once_mend_a_damaged_entry() {
    let scene = Scene::usual();
    for root in ROOTS {
        scene.root_in(root, [("acme/net", "1.0.0")]);
    }
    scene.install_in("r1", []).expect_code(0);
    let (archive, unpacked) = scene.cached("1.0.0");
    std::fs::write(archive, "nothing").unwrap();
    std::fs::remove_dir_all(unpacked).unwrap();
    let running = ROOTS.map(|root| scene.start_install_in(root));
    for process in running {
        process.wait().expect_code(0);
    }
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 2);
    scene.run(["cache", "verify"]).expect_code(0);
}

#[test]
fn process_killed_while_it_fetches_leaves_the_entry_to_the_next() {
    let scene = Scene::usual();
    scene.root_in("a", [("acme/net", "1.0.0")]);
    scene.root_in("b", [("acme/net", "1.0.0")]);
    let archive = paths::archive("acme/net", "1.0.0", super::scene::LINUX);
    scene.registry.fault(&archive, Fault::Stall { after: 100 });
    let mut killed = scene.start_install_in("a");
    scene.registry.wait_for(&archive, 1);
    let waiting = scene.start_install_in("b");
    // Only the request that is under way stalls; the next must not.
    scene.registry.clear_faults();
    killed.kill();
    drop(killed);
    waiting.wait().expect_code(0);
    scene.run(["cache", "verify"]).expect_code(0);
}

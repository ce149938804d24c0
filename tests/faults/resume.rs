//! What a run leaves of a package, and what the next one makes of it.

use std::fs;
use std::path::PathBuf;

use super::scene::{ADDRESS, HOST, LINUX, Route, Scene, VERSION, mirror_arguments, net, words};
use crate::support::{Fault, When, tree};

/// The bytes that come before the fault.
const LEFT: usize = 2_500_000;

/// The ways to fetch a package, each into another place.
fn ways() -> [Vec<String>; 4] {
    let address = format!("{HOST}/{ADDRESS}");
    let install = [
        "install",
        "--dir=plugins",
        "--platform=linux_amd64",
        &address,
    ];
    [
        mirror_arguments(),
        [words(install), words(["--cache-dir=cache"])].concat(),
        [words(install), words(["--no-cache"])].concat(),
        words(["install", "--recursive", "--no-cache", install[2]]),
    ]
}

/// A scene with two root modules that require the package.
fn scene() -> Scene {
    let scene = Scene::of(net().payload_size(3_000_000));
    let module = format!(
        "terraform {{\n  required_providers {{\n    net = {{ source = \"{HOST}/{ADDRESS}\" }}\n  }}\n}}\n"
    );
    for dir in ["a", "b"] {
        scene.cx.write(&format!("roots/{dir}/main.tf"), &module);
    }
    scene
}

/// The partial downloads below the working directory.
fn parts(scene: &Scene) -> Vec<PathBuf> {
    let names = tree::names(&scene.cx.work()).into_iter();
    let paths = names.map(|name| scene.cx.work().join(name));
    paths
        .filter(|path| path.extension() == Some("part".as_ref()))
        .collect()
}

/// The `Range` headers of the requests for the archive since the last run began.
fn ranges(scene: &Scene) -> Vec<Option<String>> {
    let requests = scene.registry.requests_for(&Route::Archive.path());
    let range = |request: &crate::support::Request| request.header("range").map(str::to_owned);
    requests.iter().map(range).collect()
}

/// Runs into a cut and then into a dead server, so that the run fails with a part of the package.
fn fail_halfway(scene: &Scene, arguments: &[String]) {
    let archive = Route::Archive.path();
    let cut = Fault::Cut { after: LEFT };
    scene.registry.fault_when(&archive, When::First(1), cut);
    scene
        .registry
        .fault_when(&archive, When::From(2), Fault::HangUp);
    scene.measure(arguments).outcome.expect_code(13);
    scene.registry.clear_faults();
    assert_eq!(parts(scene).len(), 1);
}

#[test]
fn failed_run_is_taken_up_where_it_ended() {
    for arguments in ways() {
        let scene = scene();
        fail_halfway(&scene, &arguments);
        scene.measure(&arguments).outcome.expect_code(0);
        assert_eq!(
            ranges(&scene),
            [Some(format!("bytes={LEFT}-"))],
            "{arguments:?}"
        );
        assert_eq!(parts(&scene), [""; 0].map(PathBuf::from), "{arguments:?}");
    }
}

#[test]
fn killed_run_is_taken_up_where_it_ended() {
    for arguments in ways() {
        let scene = scene();
        let archive = Route::Archive.path();
        scene.registry.fault(&archive, Fault::Stall { after: LEFT });
        let mut running = scene.cx.spawn(&arguments);
        scene.registry.wait_for(&archive, 1);
        // Until as much has come as the program writes at once.
        let has_come = || {
            let part = parts(&scene).into_iter().next();
            part.is_some_and(|part| part.metadata().is_ok_and(|found| found.len() > 1 << 20))
        };
        while !has_come() {
            std::thread::yield_now();
        }
        running.kill();
        running.wait();
        scene.registry.release();
        scene.registry.clear_faults();
        scene.measure(&arguments).outcome.expect_code(0);
        let ranges = ranges(&scene);
        assert!(
            matches!(&ranges[..], [Some(range)] if range.starts_with("bytes=")),
            "{arguments:?}: {ranges:?}"
        );
        assert_eq!(parts(&scene), [""; 0].map(PathBuf::from), "{arguments:?}");
    }
}

#[test]
fn interrupted_run_is_taken_up_where_it_ended() {
    let scene = scene();
    let archive = Route::Archive.path();
    scene.registry.fault(&archive, Fault::Stall { after: LEFT });
    let running = scene.cx.spawn(mirror_arguments());
    scene.registry.wait_for(&archive, 1);
    while !parts(&scene)
        .iter()
        .any(|part| part.metadata().is_ok_and(|it| it.len() > 1 << 20))
    {
        std::thread::yield_now();
    }
    running.interrupt();
    running.wait().expect_code(130);
    scene.registry.release();
    scene.registry.clear_faults();
    scene.mirror().outcome.expect_code(0);
    assert!(ranges(&scene)[0].is_some());
    scene.holds_the_package();
}

#[test]
fn damaged_part_costs_a_download_and_harms_nothing() {
    let scene = scene();
    fail_halfway(&scene, &mirror_arguments());
    let part = parts(&scene).remove(0);
    let mut bytes = fs::read(&part).unwrap();
    bytes[1000] ^= 1;
    fs::write(&part, bytes).unwrap();
    scene.mirror().outcome.expect_code(0);
    assert_eq!(ranges(&scene), [Some(format!("bytes={LEFT}-")), None]);
    scene.holds_the_package();
}

#[test]
fn whole_part_needs_no_byte_more() {
    let scene = scene();
    fail_halfway(&scene, &mirror_arguments());
    let whole = scene.registry.archive_bytes(ADDRESS, VERSION, LINUX);
    fs::write(parts(&scene).remove(0), whole).unwrap();
    scene.mirror().outcome.expect_code(0);
    assert_eq!(scene.asked(Route::Archive), 0);
    scene.holds_the_package();
}

#[test]
fn part_is_not_continued_for_other_bytes_of_the_same_version() {
    let scene = scene();
    fail_halfway(&scene, &mirror_arguments());
    scene.registry.publish(&net().payload_size(3_000_001));
    scene.mirror().outcome.expect_code(0);
    assert_eq!(ranges(&scene), [None]);
}

#[test]
fn wrong_bytes_leave_no_part() {
    for arguments in ways() {
        let scene = scene();
        let archive = Route::Archive.path();
        scene.registry.fault(&archive, Fault::WrongBytes);
        scene.measure(&arguments).outcome.expect_code(10);
        assert_eq!(parts(&scene), [""; 0].map(PathBuf::from), "{arguments:?}");
    }
}

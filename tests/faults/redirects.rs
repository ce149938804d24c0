//! Redirects without end, to other hosts, and out of TLS.

use super::matrix::{Ends, case, run};
use super::scene::{Route, Scene, net};
use crate::support::server::Transport;
use crate::support::{Fault, Reply, TestRegistry, TestServer, When};

const ROUTES: [Route; 5] = [
    Route::Versions,
    Route::Metadata,
    Route::Sums,
    Route::Signature,
    Route::Archive,
];

#[test]
fn loops_are_left() {
    let ends = Ends::Badly {
        code: 13,
        says: "more than ",
        advises: "a fault of the server",
    };
    let rows = ROUTES.map(|route| {
        case(
            "loop",
            route,
            When::Always,
            Fault::Redirect(route.path()),
            ends,
        )
    });
    run(&rows);
}

#[test]
fn plain_http_is_never_asked() {
    let plain = TestServer::builder().transport(Transport::Plain).start();
    let ends = Ends::Badly {
        code: 13,
        says: "which is not safe to follow",
        advises: "a fault of the server",
    };
    let rows = ROUTES.map(|route| {
        let target = plain.url(&route.path());
        case(
            "to http",
            route,
            When::Always,
            Fault::Redirect(target),
            ends,
        )
    });
    run(&rows);
    assert_eq!(plain.connections(), 0);
}

#[test]
fn other_host_is_followed_without_the_token() {
    let builder = TestRegistry::builder().provider(net());
    let mut scene = Scene::built(builder.bearer_token("the-token"));
    scene.cx.env("TF_TOKEN_registry_example_test", "the-token");
    let other = TestServer::empty();
    // The other host has everything under the same paths.
    scene.mirror().outcome.expect_code(0);
    std::fs::remove_dir_all(scene.cx.work().join("mirror")).expect("the mirror is there");
    let archive = scene
        .registry
        .archive_bytes("acme/net", "1.0.0", "linux_amd64");
    other.route(
        &Route::Archive.path(),
        Reply::file("application/zip", archive),
    );
    let target = other.numeric_url() + &Route::Archive.path();
    scene
        .registry
        .fault(&Route::Archive.path(), Fault::Redirect(target));
    scene.mirror().outcome.expect_code(0);
    let requests = other.requests();
    assert_eq!(requests.len(), 1);
    assert!(
        requests
            .iter()
            .all(|request| request.header("authorization").is_none())
    );
    scene.holds_the_package();
}

//! Faults while a package is downloaded.

use std::time::Duration;

use bytes::Bytes;

use super::matrix::{Case, Ends, case, run, run_in};
use super::scene::{ADDRESS, LINUX, Route, Scene, VERSION};
use crate::support::{Fault, Reply, When, fault};

const ARCHIVE: Route = Route::Archive;

const CUT: Ends = Ends::Badly {
    code: 13,
    says: "the connection ended before the answer was complete",
    advises: "look at proxies and firewalls",
};

const OTHER_BYTES: Ends = Ends::Badly {
    code: 10,
    says: "the archive has SHA-256",
    advises: "somebody on the way",
};

fn twice(name: &'static str, first: Fault, then: Fault, ends: Ends) -> Case {
    Case {
        name,
        route: ARCHIVE,
        faults: vec![(When::First(1), first), (When::From(2), then)],
        ends,
    }
}

#[test]
fn broken_connections_are_taken_up_or_given_up() {
    let once = When::First(1);
    let cut = || Fault::Cut { after: 100_000 };
    run(&[
        case(
            "reset once",
            ARCHIVE,
            once,
            Fault::Reset { after: 100_000 },
            Ends::Well { tries: 2 },
        ),
        case(
            "reset always",
            ARCHIVE,
            When::Always,
            Fault::Reset { after: 1000 },
            CUT,
        ),
        case(
            "cut always",
            ARCHIVE,
            When::Always,
            Fault::Cut { after: 1000 },
            CUT,
        ),
        case(
            "hung up once",
            ARCHIVE,
            once,
            Fault::HangUp,
            Ends::Well { tries: 2 },
        ),
        case("hung up always", ARCHIVE, When::Always, Fault::HangUp, CUT),
        twice(
            "cut, no ranges then",
            cut(),
            Fault::NoRanges,
            Ends::Well { tries: 2 },
        ),
        twice(
            "cut, wrong ranges then",
            cut(),
            Fault::WrongRange,
            Ends::Well { tries: 3 },
        ),
        twice(
            "cut, another file then",
            cut(),
            Fault::Changed(Bytes::from(vec![b'x'; 500_000])),
            OTHER_BYTES,
        ),
        Case {
            name: "cut, no such range then",
            route: ARCHIVE,
            faults: vec![(When::Nth(1), cut()), (When::Nth(2), Fault::status(416))],
            ends: Ends::Well { tries: 3 },
        },
    ]);
}

#[test]
fn cut_package_of_a_server_without_ranges_starts_over() {
    let without_ranges = || {
        let scene = Scene::usual();
        let bytes = scene
            .registry
            .archive_bytes("acme/net", "1.0.0", "linux_amd64");
        scene.registry.route(
            &ARCHIVE.path(),
            Reply::file("application/zip", bytes).without_ranges(),
        );
        scene
    };
    let cut = Fault::Cut { after: 100_000 };
    run_in(
        &[
            case(
                "cut once",
                ARCHIVE,
                When::First(1),
                cut.clone(),
                Ends::Well { tries: 2 },
            ),
            case("cut always", ARCHIVE, When::Always, cut, CUT),
        ],
        &without_ranges,
    );
}

#[test]
fn bodies_of_another_length_are_other_bytes() {
    let always = When::Always;
    let short = Reply::file("application/zip", vec![b'x'; 1000]);
    run(&[
        case("shorter", ARCHIVE, always, Fault::Reply(short), OTHER_BYTES),
        case(
            "empty",
            ARCHIVE,
            always,
            Fault::Reply(Reply::body("")),
            OTHER_BYTES,
        ),
        case(
            "longer",
            ARCHIVE,
            always,
            Fault::Longer { extra: 1000 },
            OTHER_BYTES,
        ),
        case("flipped", ARCHIVE, always, Fault::WrongBytes, OTHER_BYTES),
        // What follows the announced end is nobody's.
        case(
            "more than announced",
            ARCHIVE,
            always,
            Fault::Overrun { extra: 1000 },
            Ends::Well { tries: 1 },
        ),
    ]);
}

#[test]
fn silent_servers_are_left_after_the_stall_time_out() {
    let silent = Ends::Badly {
        code: 13,
        says: "the server fell silent",
        advises: "PROVENDER_STALL_TIMEOUT",
    };
    let slow = Fault::Slow {
        chunk: 50_000,
        pause: Duration::from_millis(300),
    };
    run(&[
        case(
            "silent start",
            ARCHIVE,
            When::First(1),
            Fault::Silence,
            Ends::Well { tries: 2 },
        ),
        case(
            "stalled once",
            ARCHIVE,
            When::First(1),
            Fault::Stall { after: 100_000 },
            Ends::Well { tries: 2 },
        ),
        case(
            "stalled always",
            ARCHIVE,
            When::Always,
            Fault::Stall { after: 10 },
            silent,
        ),
        // Slower in all than the limit, but never silent for so long.
        case("slow", ARCHIVE, When::Always, slow, Ends::Well { tries: 1 }),
    ]);
}

#[test]
fn refusals_are_waited_out_or_told() {
    let always = When::Always;
    let tells = |says, advises| Ends::Badly {
        code: 13,
        says,
        advises,
    };
    let storm = Case {
        name: "500, then 502",
        route: ARCHIVE,
        faults: vec![
            (When::Nth(1), Fault::status(500)),
            (When::Nth(2), Fault::status(502)),
        ],
        ends: Ends::Well { tries: 3 },
    };
    let asked = Fault::retry_after(429, "0");
    run(&[
        storm,
        case(
            "429 once",
            ARCHIVE,
            When::First(1),
            Fault::status(429),
            Ends::Well { tries: 2 },
        ),
        case(
            "429 and a wait",
            ARCHIVE,
            When::First(2),
            asked,
            Ends::Well { tries: 3 },
        ),
        case(
            "429 always",
            ARCHIVE,
            always,
            Fault::status(429),
            tells("status 429 after 3 tries", "fewer `--jobs`"),
        ),
        case(
            "504 always",
            ARCHIVE,
            always,
            Fault::status(504),
            tells("status 504 after 3 tries", "try again later"),
        ),
        case(
            "404",
            ARCHIVE,
            always,
            Fault::status(404),
            tells("status 404", "tell those who run them"),
        ),
        case(
            "403",
            ARCHIVE,
            always,
            Fault::status(403),
            Ends::Badly {
                code: 4,
                says: "status 403",
                advises: "put them into `.netrc`",
            },
        ),
        case(
            "404",
            ARCHIVE,
            always,
            Fault::status(404),
            tells("status 404", "tell those who run them"),
        ),
    ]);
}

#[test]
fn wait_that_a_server_asks_for_is_kept() {
    let scene = Scene::usual();
    let asked = Fault::retry_after(503, "2");
    scene
        .registry
        .fault_when(&ARCHIVE.path(), When::First(1), asked);
    let measured = scene.mirror();
    measured.outcome.expect_code(0);
    assert!(
        measured.time >= Duration::from_secs(2),
        "{:?}",
        measured.time
    );
}

#[test]
fn encoded_package_is_refused() {
    let refused = Ends::Badly {
        code: 13,
        says: "answers with the content encoding `gzip`",
        advises: "a proxy on the way",
    };
    let bomb = Fault::GzipBomb { inflated: 8 << 20 };
    run(&[case("gzip", ARCHIVE, When::Always, bomb, refused)]);
}

#[test]
fn body_that_ends_with_the_connection_is_whole_if_its_digest_is_right() {
    let whole = || Fault::Unannounced { after: usize::MAX };
    run(&[
        case(
            "whole",
            ARCHIVE,
            When::Always,
            whole(),
            Ends::Well { tries: 1 },
        ),
        case(
            "cut once",
            ARCHIVE,
            When::First(1),
            Fault::Unannounced { after: 1000 },
            Ends::Well { tries: 2 },
        ),
        case(
            "cut always",
            ARCHIVE,
            When::Always,
            Fault::Unannounced { after: 1000 },
            CUT,
        ),
    ]);
}

#[test]
fn parts_that_do_not_go_together_are_fetched_anew() {
    let scene = Scene::usual();
    let bytes = scene.registry.archive_bytes(ADDRESS, VERSION, LINUX);
    // Another file under the same entity tag, so that its rest seems to continue the first.
    let tag = Reply::file("application/zip", bytes.clone()).etag();
    let other = Reply::file("application/zip", fault::flipped(&bytes)).header("ETag", &tag);
    let path = ARCHIVE.path();
    let registry = &scene.registry;
    registry.fault_when(&path, When::First(1), Fault::Cut { after: 100_000 });
    registry.fault_when(&path, When::Nth(2), Fault::Reply(other));
    scene.mirror().outcome.expect_code(0);
    let asked = registry.requests_for(&path);
    let ranges = asked
        .iter()
        .map(|request| request.header("range").is_some());
    assert_eq!(ranges.collect::<Vec<_>>(), [false, true, false]);
}

//! Faults in what a registry answers: lists of versions, metadata, SHA256SUMS and signatures.

use std::thread;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;

use super::matrix::{Case, Ends, case, run, run_in};
use super::scene::{Route, Scene};
use crate::support::{Fault, Reply, When};

const ROUTES: [Route; 4] = [
    Route::Versions,
    Route::Metadata,
    Route::Sums,
    Route::Signature,
];

/// Rows for all routes.
fn everywhere(name: &'static str, when: When, fault: &Fault, ends: Ends) -> Vec<Case> {
    let row = |route| case(name, route, when, fault.clone(), ends);
    ROUTES.into_iter().map(row).collect()
}

#[test]
fn passing_faults_are_tried_again() {
    let rows = [
        ("reset", Fault::Reset { after: 10 }),
        ("cut", Fault::Cut { after: 10 }),
        ("hung up", Fault::HangUp),
        ("503", Fault::status(503)),
        ("429 with a wait", Fault::retry_after(429, "0")),
        ("silence", Fault::Silence),
        ("stall", Fault::Stall { after: 10 }),
    ];
    for (name, fault) in rows {
        run(&everywhere(
            name,
            When::First(1),
            &fault,
            Ends::Well { tries: 2 },
        ));
    }
}

#[test]
fn lasting_faults_are_given_up_and_told() {
    let tells = |says, advises| Ends::Badly {
        code: 13,
        says,
        advises,
    };
    let rows = [
        (
            "cut",
            Fault::Cut { after: 10 },
            tells("the connection ended", "proxies and firewalls"),
        ),
        (
            "500",
            Fault::status(500),
            tells("answered 500", "in trouble"),
        ),
        (
            "429",
            Fault::status(429),
            tells("answered 429", "fewer `--jobs`"),
        ),
        (
            "stall",
            Fault::Stall { after: 10 },
            tells("the server fell silent", "PROVENDER_STALL_TIMEOUT"),
        ),
    ];
    let cases = rows.map(|(name, fault, ends)| everywhere(name, When::Always, &fault, ends));
    run(&cases.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn slow_answers_have_a_limit_in_all() {
    let slow = Fault::Slow {
        chunk: 10,
        pause: Duration::from_millis(600),
    };
    let ends = Ends::Badly {
        code: 13,
        says: "the answer took too long",
        advises: "TF_REGISTRY_CLIENT_TIMEOUT",
    };
    run(&everywhere("slow", When::Always, &slow, ends));
}

#[test]
fn encoded_answers_are_refused() {
    let bomb = Fault::GzipBomb { inflated: 8 << 20 };
    let ends = Ends::Badly {
        code: 13,
        says: "answers with the content encoding `gzip`",
        advises: "a proxy on the way",
    };
    run(&everywhere("gzip", When::Always, &bomb, ends));
}

/// Time enough for bodies that end only at their caps.
fn patient() -> Scene {
    let mut scene = Scene::usual();
    scene.cx.env("TF_REGISTRY_CLIENT_TIMEOUT", "50");
    scene
}

#[test]
fn answers_without_end_are_cut_off_at_their_caps() {
    let ends = Ends::Badly {
        code: 13,
        says: "sends more than the allowed",
        advises: "a fault of the server",
    };
    let text = Fault::Endless {
        first: Bytes::from_static(b"0123 file\n"),
        then: Bytes::from("0123 file\n".repeat(1000)),
    };
    run_in(
        &[
            case(
                "endless versions",
                Route::Versions,
                When::Always,
                Fault::endless_json(),
                ends,
            ),
            case(
                "endless metadata",
                Route::Metadata,
                When::Always,
                Fault::endless_json(),
                ends,
            ),
            case(
                "endless sums",
                Route::Sums,
                When::Always,
                text.clone(),
                ends,
            ),
            case(
                "endless signature",
                Route::Signature,
                When::Always,
                text,
                ends,
            ),
        ],
        &patient,
    );
}

#[test]
fn floods_below_the_caps_stay_within_memory() {
    let floods = [
        (
            Route::Versions,
            flood_of_versions("{\"version\":\"1.0.0\"}", 15 << 20),
        ),
        (Route::Versions, flood_of_versions("{}", 15 << 20)),
        (
            Route::Versions,
            flood_of_versions(
                "{\"version\":\"1.0.0\",\"platforms\":[{\"os\":\"a\",\"arch\":\"b\"}]}",
                15 << 20,
            ),
        ),
        (Route::Metadata, format!("[{}0]", "0,".repeat(3 << 20))),
        (Route::Sums, "0123 f\n".repeat(500 << 10)),
        (Route::Signature, "\u{88}\0".repeat(1 << 20)),
    ];
    for (route, flood) in floods {
        let scene = patient();
        let fault = Fault::Reply(Reply::body(flood).header("Content-Type", "application/json"));
        scene.registry.fault(&route.path(), fault);
        let outcome = scene.mirror().outcome;
        assert!([10, 13].contains(&outcome.code), "{route:?}\n{outcome}");
        assert_eq!(scene.mirrored(), [""; 0]);
    }
}

/// A list of one entry, again and again, of about that size.
fn flood_of_versions(entry: &str, size: usize) -> String {
    let entries = format!("{entry},").repeat(size / (entry.len() + 1));
    format!("{{\"versions\":[{entries}{{\"version\":\"0.0.1\"}}]}}")
}

#[test]
fn deep_nesting_is_refused() {
    let deep = "[".repeat(200_000);
    let nested = json!({ "versions": [] }).to_string().replace("[]", &deep);
    let ends = Ends::Badly {
        code: 13,
        says: "is malformed",
        advises: "a fault of the registry",
    };
    let fault = Fault::Reply(Reply::body(nested).header("Content-Type", "application/json"));
    run(&[
        case(
            "deep versions",
            Route::Versions,
            When::Always,
            fault.clone(),
            ends,
        ),
        case("deep metadata", Route::Metadata, When::Always, fault, ends),
    ]);
}

#[test]
fn storm_over_everything_is_survived() {
    // Every first try of every route fails in a way of its own.
    let scene = Scene::usual();
    let faults = [
        Fault::status(502),
        Fault::HangUp,
        Fault::Cut { after: 5 },
        Fault::retry_after(503, "0"),
        Fault::Reset { after: 1000 },
    ];
    let routes = ROUTES.into_iter().chain([Route::Archive]);
    for (route, fault) in routes.zip(faults) {
        scene
            .registry
            .fault_when(&route.path(), When::First(1), fault);
    }
    scene.mirror().outcome.expect_code(0);
    scene.holds_the_package();
}

#[test]
fn storm_of_requests_is_bounded() {
    // Each of eight runs asks no more often than its tries allow.
    let scene = Scene::usual();
    scene
        .registry
        .fault(&Route::Versions.path(), Fault::status(503));
    thread::scope(|scope| {
        let runs = [(); 8].map(|()| scope.spawn(|| scene.cx.run(super::scene::mirror_arguments())));
        for run in runs {
            run.join().expect("no panic").expect_code(13);
        }
    });
    assert_eq!(scene.asked(Route::Versions), 16);
}

#[test]
fn document_that_ends_with_the_connection_has_to_be_whole() {
    let whole = Fault::Unannounced { after: usize::MAX };
    run(&everywhere(
        "whole",
        When::Always,
        &whole,
        Ends::Well { tries: 1 },
    ));
    let half = Fault::Unannounced { after: 10 };
    let ends = |code, says| Ends::Badly {
        code,
        says,
        advises: "",
    };
    for (route, ends) in [
        (Route::Versions, ends(13, "not valid JSON")),
        (Route::Metadata, ends(13, "not valid JSON")),
        (Route::Sums, ends(10, "is not authentic")),
        (Route::Signature, ends(10, "is not authentic")),
    ] {
        run(&[case("half", route, When::Always, half.clone(), ends)]);
    }
}

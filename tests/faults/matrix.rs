//! Cases as rows of tables: what is spoiled, and how a run ends.

use std::thread;

use super::scene::{Route, Scene};
use crate::support::{Fault, When};

/// How a run ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ends {
    /// With the package in its place, after so many requests for the spoiled route.
    Well { tries: usize },
    /// With an exit code, a message that has these words, and advice that has those.
    Badly {
        code: i32,
        says: &'static str,
        advises: &'static str,
    },
}

/// A row.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) route: Route,
    /// Of several faults the first that applies acts.
    pub(super) faults: Vec<(When, Fault)>,
    pub(super) ends: Ends,
}

/// Shorthand for a row with one fault.
pub(super) fn case(name: &'static str, route: Route, when: When, fault: Fault, ends: Ends) -> Case {
    let faults = vec![(when, fault)];
    Case {
        name,
        route,
        faults,
        ends,
    }
}

/// How many rows run at once; they mostly wait.
const AT_ONCE: usize = 8;

/// Runs all rows.
pub(super) fn run(cases: &[Case]) {
    run_in(cases, &Scene::usual);
}

/// As [`run`], each row in a scene of its own.
pub(super) fn run_in(cases: &[Case], scene: &(dyn Fn() -> Scene + Sync)) {
    let mut failed = Vec::new();
    for some in cases.chunks(AT_ONCE) {
        thread::scope(|scope| {
            let start = |case| (case, scope.spawn(move || judge(case, &scene())));
            let running: Vec<_> = some.iter().map(start).collect();
            for (case, running) in running {
                if running.join().is_err() {
                    failed.push(format!("{} of {:?}", case.name, case.route));
                }
            }
        });
    }
    assert!(failed.is_empty(), "failed, see above: {failed:?}");
}

fn judge(case: &Case, scene: &Scene) {
    let name = case.name;
    for (when, fault) in &case.faults {
        scene
            .registry
            .fault_when(&case.route.path(), *when, fault.clone());
    }
    let measured = scene.mirror();
    let outcome = &measured.outcome;
    match case.ends {
        Ends::Well { tries } => {
            assert_eq!(outcome.code, 0, "{name}\n{outcome}");
            assert_eq!(scene.asked(case.route), tries, "{name}\n{outcome}");
        }
        Ends::Badly {
            code,
            says,
            advises,
        } => {
            assert_eq!(outcome.code, code, "{name}\n{outcome}");
            let (message, hints) = outcome.stderr.split_once("\nhint: ").unwrap_or_default();
            assert!(message.contains(says), "{name}: no `{says}`\n{outcome}");
            assert!(hints.contains(advises), "{name}: no `{advises}`\n{outcome}");
            assert_eq!(scene.mirrored(), [""; 0], "{name}\n{outcome}");
        }
    }
    scene.registry.clear_faults();
    scene.mirror().outcome.expect_code(0);
    scene.holds_the_package();
}

//! `mirror`, killed.

use super::campaign::Campaign;
use super::scene::{HOST, PLATFORMS, Scene};
use super::states::{complete_in_mirror, judge_mirror, lasting};
use crate::support::tree;

fn arguments() -> Vec<String> {
    let mut arguments = [
        "mirror",
        "--to",
        "mirror",
        "-j3",
        "--all-versions",
        "--include-prereleases",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.extend(PLATFORMS.map(|platform| format!("--platform={platform}")));
    arguments.extend(["net", "dns", "odd"].map(|ty| format!("{HOST}/acme/{ty}")));
    arguments
}

/// Everything that lasts, with its digest; the lock file of mirrors stays, too.
fn result(scene: &Scene) -> Vec<String> {
    let root = scene.path("mirror");
    let mut lines = tree::tree_with_digests(&root);
    let names = lasting(&root);
    lines.retain(|line| {
        names
            .iter()
            .any(|name| line.starts_with(&format!("{name} ")))
    });
    lines
}

#[test]
fn killed_mirror_holds_only_what_is_whole_and_the_next_run_fetches_only_the_rest() {
    let campaign = Campaign {
        arguments: arguments(),
        prepare: |_| (),
        judge: |scene| judge_mirror(scene, &scene.path("mirror")),
        complete: |scene| complete_in_mirror(&scene.path("mirror")),
        archives: 8,
        result,
    };
    campaign.run();
}

//! `install` of modules, killed: git, copies of its clone, and the package cache.

use std::fs;
use std::path::Path;
use std::process::Command;

use provender::address::Tool;
use provender::document::ModulesManifest;
use rand::Rng;

use super::campaign::CAMPAIGNS;
use super::chance::{self, Instant};
use super::scene::Scene;
use super::states::{Verdict, expect};
use crate::support::tree;

/// How many calls there are; the first one's place has the clone.
const CALLS: usize = 12;
const MODULES: &str = ".terraform/modules";

#[test]
fn killed_installation_of_modules_has_whole_packages_and_the_next_run_completes_it() {
    let repository = tempfile::tempdir().unwrap();
    fill(repository.path());
    let expected = visible(repository.path());
    let arguments = ["install", "--modules-only", "--cache-dir=cache"].map(str::to_owned);
    let mut scene = Scene::new();
    prepare(&scene, repository.path());
    let (outcome, time) = scene.run(&arguments);
    outcome.expect_code(0);
    judge(&scene, &expected).unwrap();
    let result = visible(&scene.path(MODULES));
    let (seed, kills) = (chance::seed(), chance::kills().div_ceil(CAMPAIGNS));
    for round in 0..kills {
        scene.renew();
        prepare(&scene, repository.path());
        let mut dice = chance::dice(seed, round);
        for _ in 0..dice.gen_range(1..=2) {
            let instant = Instant::After(time.mul_f64(dice.gen_range(0.0..1.05)));
            scene.kill_at(&arguments, instant);
            let state = judge(&scene, &expected);
            state.unwrap_or_else(|fault| panic!("{fault}\nkilled at {instant:?}, seed {seed}"));
        }
        scene.run(&arguments).0.expect_code(0);
        judge(&scene, &expected).unwrap();
        assert_eq!(
            visible(&scene.path(MODULES)),
            result,
            "seed {seed}, round {round}"
        );
        let check = ["cache", "verify", "--cache-dir=cache"].map(str::to_owned);
        scene.run(&check).0.expect_code(0);
    }
}

/// A repository with some files.
fn fill(dir: &Path) {
    for number in 0..30 {
        let path = dir.join(format!("m{}/f{number}.tf", number % 5));
        let parent = path.parent().expect("it is in a directory");
        fs::create_dir_all(parent).expect("the temporary directory can be filled");
        fs::write(path, format!("locals {{ n{number} = {number} }}\n"))
            .expect("the temporary directory can be filled");
    }
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["commit", "--quiet", "-m", "all"],
    ] {
        let usual = ["-c", "user.name=t", "-c", "user.email=t@example.test"];
        let mut git = Command::new("git");
        let status = git.args(usual).args(arguments).current_dir(dir).status();
        assert!(status.expect("there is git").success(), "{arguments:?}");
    }
}

fn prepare(scene: &Scene, repository: &Path) {
    let call = |number: usize| {
        let (url, dir) = (repository.display(), number % 5);
        format!("module \"c{number}\" {{\n  source = \"git::file://{url}//m{dir}\"\n}}\n")
    };
    let calls: String = (0..CALLS).map(call).collect();
    scene.cx.write("main.tf", calls);
}

/// Everything below `dir` but what git and this program keep for themselves.
fn visible(dir: &Path) -> Vec<String> {
    let mut lines = tree::tree_with_digests(dir);
    lines.retain(|line| !line.contains(".git/") && !line.contains(".provender-"));
    lines
}

/// Each package that stands is whole, and a record of modules names only what stands.
fn judge(scene: &Scene, expected: &[String]) -> Verdict {
    let modules = scene.path(MODULES);
    for number in 0..CALLS {
        let place = modules.join(format!("c{number}"));
        let is_whole = !place.exists() || visible(&place) == expected;
        expect(is_whole, &format!("{} is not whole", place.display()))?;
    }
    let Ok(record) = fs::read(modules.join("modules.json")) else {
        return Ok(());
    };
    let record = ModulesManifest::parse(&record, Tool::Terraform);
    for record in record.map_err(|error| error.to_string())?.records.values() {
        let dir = scene.path(&record.dir);
        expect(
            dir.is_dir(),
            &format!("{} is recorded and not there", record.dir),
        )?;
    }
    Ok(())
}

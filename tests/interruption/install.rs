//! `install`, killed: into a root module without and with a lock file, and into a directory.

use std::fs;
use std::path::{Path, PathBuf};

use super::campaign::Campaign;
use super::scene::{HOST, Scene};
use super::states::{Package, Verdict, expect, judge_directory, lasting, packages};
use crate::support::registry::paths;
use crate::support::{archive, tree};

const LOCK_FILE: &str = ".terraform.lock.hcl";

/// Where a root module keeps its packages.
const PROVIDERS: &str = ".terraform/providers";

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// Writes a root module that requires one version of each provider.
fn require(scene: &Scene) {
    let requirement = |(ty, version): (&str, &str)| {
        format!(
            "    {ty} = {{\n      source  = \"{HOST}/acme/{ty}\"\n      version = \"{version}\"\n    }}\n"
        )
    };
    let all = [("net", "1.1.0"), ("dns", "2.0.0"), ("odd", "1.0.0-RC1")].map(requirement);
    let module = format!(
        "terraform {{\n  required_providers {{\n{}  }}\n}}\n",
        all.concat()
    );
    scene.cx.write("main.tf", module);
}

/// As [`require`], with the lock file of a run before.
fn require_and_lock(scene: &Scene) {
    require(scene);
    let arguments = words(["install", "--no-cache", "--platform=linux_amd64"]);
    scene.run(&arguments).0.expect_code(0);
    fs::remove_dir_all(scene.path(".terraform")).expect("the packages are there");
}

/// The packages that stand in a directory.
fn standing<'a>(scene: &'a Scene, root: &'a str) -> impl Iterator<Item = Package> + 'a {
    packages().filter(move |package| scene.path(&directory(root, *package)).exists())
}

fn directory(root: &str, (address, version, platform): Package) -> String {
    format!("{root}/{HOST}/{address}/{version}/{platform}")
}

/// Every package that stands is whole, and nothing else is there.
fn judge(scene: &Scene, root: &str) -> Verdict {
    let mut files = lasting(&scene.path(root));
    for package in standing(scene, root) {
        let directory = directory(root, package);
        judge_directory(scene, &scene.path(&directory), package)?;
        files.retain(|name| !format!("{root}/{name}").starts_with(&format!("{directory}/")));
    }
    // Where there is no lock file, a note stands beside each package, and may stand before it.
    files.retain(|name| !name.contains("/.linux_") && !name.contains("/.darwin_"));
    expect(files.is_empty(), &format!("{files:?} are of no package"))
}

/// As [`judge`]; the lock file, if there is one, has a block for each provider, and each of them stands.
fn judge_root(scene: &Scene) -> Verdict {
    judge(scene, PROVIDERS)?;
    let Ok(lock) = fs::read_to_string(scene.path(LOCK_FILE)) else {
        return Ok(());
    };
    let is_whole = lock.matches("\nprovider \"").count() == 3 && lock.ends_with("  ]\n}\n");
    expect(is_whole, &format!("the lock file is\n{lock}"))?;
    expect(
        standing(scene, PROVIDERS).count() == 3,
        "a lock file before its packages",
    )
}

fn archives(packages: impl Iterator<Item = Package>) -> Vec<String> {
    packages
        .map(|(address, version, platform)| paths::archive(address, version, platform))
        .collect()
}

fn result(scene: &Scene) -> Vec<String> {
    let work: &Path = &scene.cx.work();
    let mut lines = tree::tree_with_digests(work);
    let names = lasting(work);
    lines.retain(|line| {
        names
            .iter()
            .any(|name| line.starts_with(&format!("{name} ")))
    });
    lines
}

#[test]
fn killed_installation_has_whole_packages_and_no_lock_file_before_them() {
    let campaign = Campaign {
        arguments: words(["install", "-j2", "--no-cache", "--platform=linux_amd64"]),
        prepare: require,
        judge: judge_root,
        // Without the lock file's word nothing tells whether a directory is what the registry has.
        complete: |scene| {
            let locked = scene.path(LOCK_FILE).exists();
            Ok(archives(standing(scene, PROVIDERS).filter(|_| locked)))
        },
        archives: 3,
        result,
    };
    campaign.run();
}

#[test]
fn killed_installation_of_what_is_locked_keeps_every_package_that_stands() {
    let campaign = Campaign {
        arguments: words([
            "install",
            "--locked",
            "-j2",
            "--no-cache",
            "--platform=linux_amd64",
        ]),
        prepare: require_and_lock,
        judge: |scene| judge(scene, PROVIDERS),
        complete: |scene| Ok(archives(standing(scene, PROVIDERS))),
        archives: 3,
        result,
    };
    campaign.run();
}

#[test]
fn killed_installation_into_a_directory_keeps_every_package_that_stands() {
    let addresses = ["net@1.1.0", "dns@2.0.0", "odd@1.0.0-RC1"];
    let mut arguments = words([
        "install",
        "--dir=plugins",
        "--no-cache",
        "-j3",
        "--platform=linux_amd64",
        "--platform=darwin_arm64",
    ]);
    arguments.extend(addresses.map(|address| format!("{HOST}/acme/{address}")));
    let campaign = Campaign {
        arguments,
        prepare: |_| (),
        judge: |scene| judge(scene, "plugins"),
        complete: |scene| Ok(archives(standing(scene, "plugins"))),
        archives: 6,
        result,
    };
    campaign.run();
}

const ARCHIVES: &str = "cache/v1/archives";

/// The archives of the cache that have the name of a package's.
fn cached(scene: &Scene) -> impl Iterator<Item = (Package, PathBuf)> + '_ {
    packages().filter_map(|package| {
        let (address, version, platform) = package;
        let zh = scene.registry.zh(address, version, platform);
        let name = format!("{}.zip", zh.trim_start_matches("zh:"));
        let path = scene.path(ARCHIVES).join(name);
        path.exists().then_some((package, path))
    })
}

/// As [`judge_root`], and every archive in the cache has the bytes that its name says.
fn judge_root_and_cache(scene: &Scene) -> Verdict {
    judge_root(scene)?;
    let mut others = lasting(&scene.path(ARCHIVES));
    for ((address, version, platform), path) in cached(scene) {
        let bytes = fs::read(&path).map_err(|error| error.to_string())?;
        let is_right = archive::zh(&bytes) == scene.registry.zh(address, version, platform);
        expect(is_right, &format!("{} has other bytes", path.display()))?;
        others.retain(|name| !path.ends_with(name));
    }
    expect(others.is_empty(), &format!("{others:?} are of no package"))
}

#[test]
fn killed_installation_fetches_nothing_that_the_cache_holds() {
    let campaign = Campaign {
        arguments: words([
            "install",
            "--cache-dir=cache",
            "-j2",
            "--platform=linux_amd64",
        ]),
        prepare: require,
        judge: judge_root_and_cache,
        complete: |scene| Ok(archives(cached(scene).map(|(package, _)| package))),
        archives: 3,
        // Records of the cache hold times and numbers of files.
        result: |scene| {
            let mut lines = result(scene);
            lines.retain(|line| !line.starts_with("cache/"));
            lines
        },
    };
    campaign.run();
}

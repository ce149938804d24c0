//! Packages that are odd but legal look the same, whoever installs them.

use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{TestRegistry, TestServer, tree};

use super::scene::{HOST, Scene, current, provider};

/// An archive with entries for directories, an empty directory, hidden and oddly named files.
///
/// No links: those are refused here, where `terraform` writes files that hold their targets.
fn odd_archive() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mode = |mode| SimpleFileOptions::default().unix_permissions(mode);
    let wrote = "a vector takes any bytes";
    for directory in ["docs/", "docs/empty/"] {
        writer.add_directory(directory, mode(0o755)).expect(wrote);
    }
    let files = [
        ("terraform-provider-odd_v1.0.0", 0o755),
        ("docs/read me.md", 0o644),
        (".hidden", 0o600),
        ("private", 0o400),
        ("shared", 0o666),
        ("naïve \u{1f600}.txt", 0o640),
        ("a/deep/tree/without/entries.txt", 0o644),
        ("helper.sh", 0o775),
    ];
    for (name, bits) in files {
        writer.start_file(name, mode(bits)).expect(wrote);
        writer.write_all(name.as_bytes()).expect(wrote);
    }
    writer.finish().expect(wrote).into_inner()
}

/// Which files can be executed. Other bits of their modes differ: ours are 0755 and 0644.
fn executables(root: &Path) -> Vec<String> {
    let is_executable = |name: &String| {
        let metadata = fs::symlink_metadata(root.join(name)).expect("it was just listed");
        metadata.is_file() && metadata.permissions().mode() & 0o100 != 0
    };
    let names = tree::names(root).into_iter();
    names.filter(is_executable).collect()
}

fn registry() -> TestRegistry {
    TestRegistry::of([provider("acme/odd")
        .version("1.0.0")
        .archive(&current(), odd_archive())])
}

#[test]
fn odd_package_is_installed_alike() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    for dir in ["ours", "theirs"] {
        scene.root(dir, &[(&format!("{HOST}/acme/odd"), "")]);
    }
    scene.install("ours");
    scene.init("theirs");
    assert_eq!(scene.lock("ours"), scene.lock("theirs"));
    let [ours, theirs] =
        ["ours", "theirs"].map(|dir| scene.context.work().join(dir).join(".terraform/providers"));
    assert_eq!(
        tree::tree_with_digests(&ours),
        tree::tree_with_digests(&theirs)
    );
    assert_eq!(executables(&ours), executables(&theirs));
    let lock = scene.lock("ours");
    scene.init("ours");
    assert_eq!(scene.lock("ours"), lock);
}

#[test]
fn odd_package_passes_through_a_mirror() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let source = format!("{HOST}/acme/odd");
    for dir in ["near", "far"] {
        scene.root(dir, &[(&source, "")]);
        scene.install(dir);
    }
    fs::remove_file(scene.lock_path("far")).expect("install wrote it");
    scene.provender(&["mirror", "--root", "near", "--to", "mirror"]);
    drop(registry);
    let mirror = scene.context.work().join("mirror");
    let server = TestServer::of_directory(&mirror);
    let methods = [
        format!("filesystem_mirror {{ path = \"{}\" }}", mirror.display()),
        format!("network_mirror {{ url = \"{}\" }}", server.url("/")),
    ];
    let lock = scene.lock("near");
    for method in methods {
        scene.only(&method);
        for dir in ["near", "far"] {
            let data = scene.context.work().join(dir).join(".terraform");
            fs::remove_dir_all(data).expect("the last run made it");
            scene.init(dir);
        }
        assert_eq!(scene.lock("near"), lock, "{method}");
        // Where directories have entries, the hash of the directory is not that of the archive: `terraform` refuses
        // its own lock file then, if that holds nothing else.
        fs::remove_file(scene.lock_path("far")).expect("init wrote it");
    }
}

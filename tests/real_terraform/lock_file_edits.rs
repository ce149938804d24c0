//! Lock files that people or other programs edited; `provender install` and `terraform init` make the same of them.

use super::scene::{FOREIGN, current, hash_lines};
use super::twins::{TWINS, Twins};

/// Replaces the list of hashes.
fn with_hashes(text: &str, hashes: &[&str]) -> String {
    let start = text.find("  hashes = [").expect("there are hashes");
    let lines = hash_lines(hashes);
    format!("{}  hashes = [\n{lines}  ]\n}}\n", &text[..start])
}

/// Edits of a lock file that holds one provider; each is tried with the package in place and without it.
fn assert_edits_agree(is_installed: bool) {
    let Some(twins) = Twins::born() else {
        return;
    };
    let hash = |platform: &str| twins.registry.zh("acme/net", "1.2.0", platform);
    let current = current();
    let h1 = twins.registry.h1("acme/net", "1.2.0", &current);
    let foreign_h1 = twins.registry.h1("acme/net", "1.2.0", FOREIGN[0]);
    let (zh, foreign_zh) = (hash(&current), hash(FOREIGN[0]));
    let (unknown, nonsense) = ("h9:abc", "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    let zeros = format!("zh:{}", "0".repeat(64));
    let lists: [(&str, Vec<&str>); 12] = [
        ("unsorted", vec![&zh, &h1]),
        ("twice", vec![&h1, &h1]),
        ("only h1", vec![&h1]),
        ("only zh", vec![&zh]),
        ("several platforms", vec![&h1, &foreign_h1, &zh]),
        ("foreign zh", vec![&foreign_zh, &h1]),
        ("wrong ones too", vec![nonsense, &h1, &zeros]),
        ("unknown scheme too", vec![&h1, unknown]),
        ("unknown scheme alone", vec![unknown]),
        ("right zh and wrong h1", vec![nonsense, &zh]),
        ("escapes", vec![&h1, "h9:$${x}"]),
        ("upper-case zh too", vec![&h1, "zh:ABCDEF"]),
    ];
    for (what, hashes) in &lists {
        twins.require(&[("net", "~> 1.0")]);
        twins.agree("anew");
        twins.edit_lock(|text| with_hashes(&text, hashes));
        if !is_installed {
            twins.forget_packages();
        }
        twins.forget_cache();
        twins.agree(what);
        twins.require(&[("net", ">= 1.2"), ("dns", "")]);
        twins.agree(&format!("{what}, then one more"));
        twins.edit_lock(|_| String::new());
    }
}

#[test]
fn edited_hashes_of_installed_packages() {
    assert_edits_agree(true);
}

#[test]
fn edited_hashes_in_a_fresh_clone() {
    assert_edits_agree(false);
}

#[test]
fn wrong_hashes_are_refused_and_stay() {
    let Some(twins) = Twins::born() else {
        return;
    };
    twins.require(&[("net", "~> 1.0")]);
    twins.agree("first");
    let wrong = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    twins.edit_lock(|text| with_hashes(&text, &[wrong]));
    twins.agree_to_fail("with the package in place", 10);
    twins.forget_packages();
    twins.agree_to_fail("in a fresh clone", 10);
}

#[test]
fn comments_and_layout_of_the_lock_file_stay_as_long_as_nothing_changes() {
    let Some(twins) = Twins::born() else {
        return;
    };
    twins.require(&[("net", "~> 1.0")]);
    twins.agree("first");
    twins.edit_lock(|text| {
        format!(
            "# kept by hand\n{}\n\n",
            text.replace("  version ", "\tversion ")
        )
    });
    let edited = twins.scene.lock("ours");
    assert_eq!(twins.agree("edited"), edited);
    twins.require(&[("net", ">= 1.0")]);
    assert_eq!(twins.agree("another constraint"), edited);
    twins.forget_packages();
    assert_eq!(twins.agree("fresh clone"), edited);
    twins.edit_lock(|text| text.replace('\n', "\r\n"));
    twins.agree("line ends of Windows");
    twins.require(&[("net", ">= 1.0"), ("dns", "")]);
    twins.agree("one more");
    twins.edit_lock(|text| format!("{text}\nmodule \"m\" {{\n}}\n"));
    twins.agree("a block of a module");
    twins.edit_lock(|_| String::new());
    twins.agree("an empty file");
    twins.edit_lock(|text| text.replace("acme/dns", "acme/other"));
    twins.agree("another address");
}

#[cfg(unix)]
#[test]
fn lock_file_that_is_a_link() {
    let Some(twins) = Twins::born() else {
        return;
    };
    twins.require(&[("net", "~> 1.0")]);
    for dir in TWINS {
        let lock = twins.scene.lock_path(dir);
        std::os::unix::fs::symlink("shared.hcl", lock).expect("the directory is there");
    }
    twins.agree("a link to nothing");
    twins.write("shared.hcl", &twins.scene.lock(TWINS[0]));
    for dir in TWINS {
        let lock = twins.scene.lock_path(dir);
        std::fs::remove_file(&lock).expect("it was written");
        std::os::unix::fs::symlink("shared.hcl", lock).expect("the directory is there");
    }
    twins.require(&[("net", "~> 1.0"), ("dns", "")]);
    twins.agree("a link to a lock file");
    let [theirs, ours] = TWINS.map(|dir| twins.scene.context.read(&format!("{dir}/shared.hcl")));
    assert_eq!(ours, theirs);
}

//! What differs between two module locks, in words.

use crate::document::{LockedModule, ModuleLock, PackageIdentity};
use crate::ops::modules::mismatch::told as package_told;
use crate::version::ModuleVersion;

/// The differences of the lock on disk and the one that `lock` would write.
pub(in crate::ops) fn changes(old: &ModuleLock, new: &ModuleLock) -> Vec<String> {
    let mut changes = Vec::new();
    for (key, module) in &new.calls {
        match old.calls.get(key) {
            None => changes.push(format!(
                "module `{key}` from {} is not locked",
                told(module)
            )),
            Some(old) if old == module => {}
            Some(old) => changes.push(change(key, old, module)),
        }
    }
    let gone = old.calls.keys().filter(|key| !new.calls.contains_key(*key));
    changes.extend(gone.map(|key| format!("module `{key}` is locked but no longer called")));
    if changes.is_empty() {
        changes.push("its text is not as `provender lock` writes it".to_owned());
    }
    changes
}

/// A version after its blank, or nothing.
pub(in crate::ops) fn numbered(version: Option<&ModuleVersion>) -> String {
    let version = version.map(|version| format!(" {version}"));
    version.unwrap_or_default()
}

fn change(key: &str, old: &LockedModule, new: &LockedModule) -> String {
    let (was, is) = (told(old), told(new));
    if was != is {
        return format!("module `{key}` is locked from {was}, and would be from {is}");
    }
    format!("module `{key}` from {is} {}", differences(old, new))
}

/// What differs between two packages of one source and version, in words.
fn differences(old: &LockedModule, new: &LockedModule) -> String {
    let mut differences = Vec::new();
    if old.hash != new.hash {
        let (old, new) = (&old.hash, &new.hash);
        differences.push(format!("is locked with the hash `{old}`, and has `{new}`"));
    }
    let got = package_told(&new.identity);
    match &old.identity {
        old if *old == new.identity => {}
        PackageIdentity::Directory => {
            differences.push(format!("is {got}, and is not locked as that"));
        }
        PackageIdentity::Commit(_) | PackageIdentity::Archive(_) => {
            let old = package_told(&old.identity);
            differences.push(format!("is locked as {old}, and is {got}"));
        }
    }
    if old.directory != new.directory {
        let shown = |module: &LockedModule| module.directory.clone().unwrap_or_default();
        let (old, new) = (shown(old), shown(new));
        differences.push(format!(
            "is locked with the directory `{old}`, and has `{new}`"
        ));
    }
    differences.join("; it ")
}

fn told(module: &LockedModule) -> String {
    format!("`{}`{}", module.source, numbered(module.version.as_ref()))
}

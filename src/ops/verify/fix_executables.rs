//! `verify --fix` for plugins that lost the right to be executed.

use crate::disk;
use crate::ops::{FindingKind, OpError, Verification};

/// Gives every plugin that was found so the right to be executed, in its place: where its file has further names, as in the
/// package cache, they share that. Tells what went wrong. Blocks.
pub fn make_executable(found: &Verification) -> Vec<OpError> {
    let findings = found.findings.iter();
    let plugins = findings.filter(|finding| finding.kind == FindingKind::NotExecutable);
    let plugins = plugins.filter_map(|finding| finding.path.as_ref());
    let failed = plugins.filter_map(|path| disk::make_executable(path).err());
    failed.map(OpError::Disk).collect()
}

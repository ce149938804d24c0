//! What the `cache` commands show: entries, totals, findings.

use std::path::Path;

use crate::ops::CacheFinding;
use crate::store::{CacheContents, CachedFacts, CachedModule};
use crate::ui::progress::verdict_words;
use crate::ui::{Table, bytes, counted};

/// Tables of all cached packages; empty if there are none.
pub fn cache_lines(contents: &CacheContents) -> String {
    provider_lines(&contents.archives) + &cached_module_lines(&contents.modules)
}

/// A table of cached packages of modules; empty if there are none.
pub fn cached_module_lines(modules: &[CachedModule]) -> String {
    if modules.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["module source", "package", "files"]);
    let mut rows: Vec<_> = modules.iter().collect();
    rows.sort_by_key(|module| (&module.source, &module.identity));
    for module in rows {
        table.row(vec![
            module.source.clone(),
            module.identity.to_string(),
            bytes(module.bytes),
        ]);
    }
    table.render()
}

fn provider_lines(entries: &[CachedFacts]) -> String {
    let mut rows: Vec<_> = entries
        .iter()
        .flat_map(|facts| facts.packages.iter().map(move |package| (package, facts)))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    rows.sort_by_key(|((id, _), facts)| (id, facts.digest));
    let mut table = Table::new(&["address", "version", "platform", "archive", "proved"]);
    for ((id, verdict), facts) in rows {
        table.row(vec![
            id.addr.to_string(),
            id.version.to_string(),
            id.platform.to_string(),
            bytes(facts.archive_bytes),
            verdict_words(verdict),
        ]);
    }
    table.render()
}

/// How much there is and where.
pub fn cache_totals(dir: &Path, contents: &CacheContents) -> String {
    let CacheContents { archives, modules } = contents;
    let packed = archives.iter().map(|facts| facts.archive_bytes).sum();
    let files = archives.iter().map(|facts| facts.unpacked_bytes).sum();
    let of_modules = if modules.is_empty() {
        String::new()
    } else {
        let files = modules.iter().map(|module| module.bytes).sum();
        let count = counted(modules.len(), "module package");
        format!(", {count} ({})", bytes(files))
    };
    format!(
        "{} ({}, unpacked {}){of_modules} in `{}`",
        counted(archives.len(), "archive"),
        bytes(packed),
        bytes(files),
        dir.display()
    )
}

/// One line for a problem, with got and expected value.
pub fn finding_line(finding: &CacheFinding) -> String {
    let packages = finding.packages.iter().map(ToString::to_string);
    let module = finding.module.iter().map(|source| format!("`{source}`"));
    let packages: Vec<String> = packages.chain(module).collect();
    let of = if packages.is_empty() {
        String::new()
    } else {
        format!(" of {}", packages.join(", "))
    };
    let damage = &finding.damage;
    let got = match &damage.got {
        Some(got) => format!("has `{got}`"),
        None => "is missing or cannot be hashed".to_owned(),
    };
    format!(
        "{}: `{}`{of} {got}, expected is `{}`\n",
        finding.kind(),
        damage.path.display(),
        damage.expected
    )
}

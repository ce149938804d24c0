//! What the far side needs, written after each run that left modules in the mirror: `client` and `README.md`.

use std::collections::BTreeSet;
use std::path::Path;

use url::Url;

use crate::disk;
use crate::document::far_side::{
    ArchiveServer, FarSide, FarSideSettings, MirroredRepository, OtherLocation,
};
use crate::ops::Reporter;
use crate::store::{
    FLAT_LOCATION, MirrorInventory, ModuleInventory, ModuleMirror, StoreError, read_document,
};

/// Where the settings are below the mirror's root.
const CLIENT_DIR: &str = "client";
/// What the next run knows by.
const SETTINGS_NAME: &str = "mirror.json";

/// Writes settings for the far side of the mirror in `root`, if it has modules; `settings` replace those of the last
/// run. Blocks.
///
/// # Errors
///
/// If the mirror cannot be looked through, or something cannot be written.
pub fn write_far_side(
    root: &Path,
    settings: Option<FarSideSettings>,
    reporter: &dyn Reporter,
) -> Result<(), StoreError> {
    let mirror = ModuleMirror::new(root);
    let inventory = ModuleInventory::of(&mirror)?;
    if inventory.is_empty() && settings.is_none() {
        return Ok(());
    }
    let dir = root.join(CLIENT_DIR);
    let known = read_document(&dir.join(SETTINGS_NAME), FarSideSettings::parse)?;
    let settings = settings.or(known).unwrap_or_default();
    let mut far = far_side(&mirror, &inventory, settings)?;
    for server in far.take_conflicting_servers() {
        reporter.warning(&format!(
            "`{}` is asked for archives, and `--served-at` names the same server: a plain web server cannot be both, so these archives are not found there",
            server.directory
        ));
    }
    write_changed(&dir.join(SETTINGS_NAME), &far.settings.render())?;
    write_changed(&dir.join("terraform.rc"), &far.cli_config())?;
    write_changed(&dir.join("nginx.conf"), &far.nginx())?;
    if let Some(text) = far.git_config() {
        write_changed(&dir.join("gitconfig"), &text)?;
    }
    write_readme(&root.join("README.md"), &far.readme(), reporter)
}

/// A mirror that needs nothing may be read-only.
fn write_changed(path: &Path, text: &str) -> Result<(), StoreError> {
    let cap = text.len() as u64 + 1;
    let is_there = disk::read_capped(path, cap).is_ok_and(|bytes| bytes == text.as_bytes());
    if !is_there {
        disk::write_atomically(path, text.as_bytes())?;
    }
    Ok(())
}

/// Somebody else's text stays.
fn write_readme(path: &Path, text: &str, reporter: &dyn Reporter) -> Result<(), StoreError> {
    let is_ours = |bytes: &[u8]| bytes.starts_with(FarSide::README_MARK.as_bytes());
    if path.exists() && !disk::read_capped(path, 1 << 20).is_ok_and(|bytes| is_ours(&bytes)) {
        reporter.note(&format!(
            "`{}` is not ours and stays as it is; how to use the mirror is told by `provender mirror --help`",
            path.display()
        ));
        return Ok(());
    }
    write_changed(path, text)
}

fn far_side(
    mirror: &ModuleMirror,
    inventory: &ModuleInventory,
    settings: FarSideSettings,
) -> Result<FarSide, StoreError> {
    let root = mirror.root();
    let absolute = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let mut far = FarSide {
        settings,
        root: absolute.to_string_lossy().into_owned(),
        has_providers: !MirrorInventory::of(root)?.providers.is_empty(),
        registries: BTreeSet::new(),
        repositories: Vec::new(),
        servers: BTreeSet::new(),
        locations: Vec::new(),
    };
    for (addr, _, dir) in &inventory.modules {
        far.registries
            .insert(addr.hostname().for_comparison().to_owned());
        let location = ModuleMirror::evidence_in(dir)?
            .location
            .filter(|it| it != FLAT_LOCATION);
        far.locations.extend(location.map(|location| OtherLocation {
            path: module_path(root, dir),
            location,
        }));
    }
    for (place, dir) in &inventory.repositories {
        let urls = ModuleMirror::evidence_in(dir)?.sources;
        if !urls.is_empty() {
            let path = place.parts().to_vec();
            far.repositories.push(MirroredRepository { path, urls });
        }
    }
    for (place, file) in inventory.archives.iter().chain(&inventory.pages) {
        let sources = ModuleMirror::evidence_of(file)?.sources;
        let servers = sources.iter().filter_map(|url| server(place.host(), url));
        far.servers.extend(servers);
    }
    Ok(far)
}

fn module_path(root: &Path, dir: &Path) -> String {
    let below = dir.strip_prefix(root).unwrap_or(dir);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    format!("{}/download", parts.join("/"))
}

fn server(directory: &str, url: &str) -> Option<ArchiveServer> {
    let url = Url::parse(url).ok()?;
    Some(ArchiveServer {
        directory: directory.to_owned(),
        host: url.host_str()?.to_owned(),
        port: url.port_or_known_default()?,
        has_tls: url.scheme() == "https",
    })
}

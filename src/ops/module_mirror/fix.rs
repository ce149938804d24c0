//! `verify --fix` for the modules of a mirror: what a fetch of the very same bytes, or another list, mends. Evidence is
//! never thrown away; a repository whose objects are damaged is for people to decide on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::expected::Expected;
use super::packages::{Packages, expect_same, kept_file};
use super::{MirrorModulesRequest, ModuleMirrorError};
use crate::address::{ModuleSource, RemoteModule};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::{ModuleOrigins, OpError, Remedy, Reporter, Verification};
use crate::source::GitProgram;
use crate::store::{MirrorStore, ModuleInventory, ModuleMirror, StoreError};

/// Mends what was found wrong with the modules of the mirror `documents`, and tells what went wrong with that.
pub async fn fix_modules(
    origins: &ModuleOrigins,
    documents: &MirrorStore,
    reporter: &dyn Reporter,
    request: &MirrorModulesRequest,
    found: &Verification,
) -> Vec<OpError> {
    let mendable = found
        .remaining()
        .filter(|it| it.kind.remedy() == Remedy::Mend);
    let paths: BTreeSet<PathBuf> = mendable.filter_map(|it| it.path.clone()).collect();
    let store = ModuleMirror::new(documents.layout().root());
    let places = [
        store.registry_dir(),
        store.archives_dir(),
        store.repositories_dir(),
    ];
    if !paths
        .iter()
        .any(|path| places.iter().any(|place| path.starts_with(place)))
    {
        return Vec::new();
    }
    let work = async {
        let packages = Packages::new(origins, documents, reporter, request)?;
        let look = store.clone();
        let inventory = on_blocking_pool(move || ModuleInventory::of(&look)).await?;
        let fixing = Fixing { packages, paths };
        Ok::<_, StoreError>(fixing.all(&inventory).await)
    };
    work.await.unwrap_or_else(|error| vec![error.into()])
}

struct Fixing<'f> {
    packages: Packages<'f>,
    /// Where problems are.
    paths: BTreeSet<PathBuf>,
}

impl Fixing<'_> {
    async fn all(&self, inventory: &ModuleInventory) -> Vec<OpError> {
        let mut failures = Vec::new();
        for (addr, version, dir) in &inventory.modules {
            let is_listed = !self.is_about(&self.packages.store.module_dir(addr).join("versions"));
            if is_listed && !self.is_below(dir) {
                continue;
            }
            let mended = async {
                self.restate(dir).await?;
                let anything = Expected::default();
                self.packages.module(addr, version, &anything).await?;
                Ok(())
            };
            failures.extend(told(format!("module `{addr}` {version}"), mended.await));
        }
        for path in &self.paths {
            let mended = self.other(path).await;
            failures.extend(told(format!("`{}`", path.display()), mended));
        }
        failures
    }

    /// Writes anew what only repeats evidence: the answer to `download`; and takes away a list that cannot be read,
    /// since it is made of what is there.
    async fn restate(&self, dir: &Path) -> Result<(), ModuleMirrorError> {
        let (store, dir) = (self.packages.store.clone(), dir.to_owned());
        let (_turn, lock) = self.packages.lock().await?;
        on_blocking_pool(move || store.restate(&lock, &dir)).await?;
        Ok(())
    }

    /// Archives, pages and the lists of repositories.
    async fn other(&self, path: &Path) -> Result<(), ModuleMirrorError> {
        let store = &self.packages.store;
        if let Some(bare) = path
            .parent()
            .and_then(Path::parent)
            .filter(|_| path.ends_with("info/refs"))
        {
            GitProgram::default().write_lists(bare).await?;
            return Ok(());
        }
        if !path.starts_with(store.archives_dir()) {
            return Ok(());
        }
        let file = path;
        let evidence = ModuleMirror::evidence_of(file)?;
        if evidence.location.is_some() {
            return Ok(store.rewrite_page(file)?);
        }
        let Some(module) = evidence.sources.first().and_then(|url| self.source(url)) else {
            return Ok(());
        };
        let getter = &self.packages.origins.getter;
        let (fetched, _) = getter.fetch_archive(&module, file).await?;
        expect_same(&evidence, kept_file(fetched.path())?, file)?;
        Ok(fetched.persist(file)?)
    }

    /// The source of an archive, whose format does not matter here; none if a secret was left out of it.
    fn source(&self, url: &str) -> Option<RemoteModule> {
        let separator = if url.contains('?') { '&' } else { '?' };
        let text = format!("{url}{separator}archive=zip");
        match ModuleSource::parse(&text, self.packages.tool).ok()? {
            ModuleSource::Remote(module) if !url.contains("***") => Some(module),
            ModuleSource::Remote(_) | ModuleSource::Registry(_) | ModuleSource::Local(_) => None,
        }
    }

    fn is_about(&self, path: &Path) -> bool {
        self.paths.contains(path)
    }

    fn is_below(&self, dir: &Path) -> bool {
        self.paths.iter().any(|path| path.starts_with(dir))
    }
}

fn told(named: String, mended: Result<(), ModuleMirrorError>) -> Option<OpError> {
    let source = Box::new(mended.err()?);
    Some(OpError::ModuleMirror { named, source })
}

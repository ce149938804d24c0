//! Trust on first use: the first key that a mirror sees of a provider is believed, another one is an alarm.
//!
//! A registry that somebody has taken over lists the key that suits him, and signs with it. A mirror remembers better: each
//! version's evidence holds the keys that were listed for it, and the fingerprints of those whose signatures were
//! taken. Keys that an earlier version's registry announced count as known, so that a publisher may change keys in good
//! order; anything else needs the user's word (`--accept-new-keys`).
//!
//! Attacks and answers:
//! - a new key with the id of an old one: fingerprints are compared;
//! - evidence that was made unreadable, so that the provider looks new: an error, not a first use;
//! - two versions with different keys in the very first run: both are taken and noted, as neither is earlier.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tokio::sync::Mutex;

use crate::address::ProviderAddr;
use crate::document::{Evidence, SigningKey};
use crate::ops::PackageFailure;
use crate::ops::blocking::on_blocking_pool;
use crate::package::{Signer, fingerprints};
use crate::store::{MirrorStore, StoreError};

/// What to do about a key that a mirror does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewKeys {
    /// The package is refused.
    Refuse,
    /// It is taken, and the key known from then on (`--accept-new-keys`).
    Accept,
}

/// The keys that a mirror knew when the run first asked, by provider.
#[derive(Debug, Default)]
pub(in crate::ops) struct KnownKeys(Mutex<BTreeMap<ProviderAddr, BTreeSet<String>>>);

impl KnownKeys {
    /// Refuses a signer of `addr` that is not known, unless nobody is yet. Every package has to pass before it is
    /// placed, so that what is known is what earlier runs have left.
    ///
    /// # Errors
    ///
    /// If the key is another one, or the evidence cannot be read.
    pub(in crate::ops) async fn check(
        &self,
        store: &MirrorStore,
        addr: &ProviderAddr,
        signer: &Signer,
    ) -> Result<(), PackageFailure> {
        let mut known = self.0.lock().await;
        if !known.contains_key(addr) {
            let (store, asked) = (store.clone(), addr.clone());
            let found = on_blocking_pool(move || known_keys_of(&store, &asked)).await?;
            known.insert(addr.clone(), found);
        }
        let known = known.get(addr).into_iter().flatten();
        let known: Vec<&String> = known.collect();
        if known.is_empty() || known.contains(&&signer.fingerprint) {
            return Ok(());
        }
        Err(PackageFailure::ChangedKey {
            got: signer.fingerprint.clone(),
            known: known.into_iter().cloned().collect(),
        })
    }
}

fn known_keys_of(store: &MirrorStore, addr: &ProviderAddr) -> Result<BTreeSet<String>, StoreError> {
    let evidence = store.evidence_of_versions(addr)?;
    let mut known = listed_keys(evidence.values());
    known.extend(evidence.into_values().flat_map(|it| it.trusted_keys));
    Ok(known)
}

/// The fingerprints of all keys that were listed for these versions.
pub(in crate::ops) fn listed_keys<'e>(
    evidence: impl Iterator<Item = &'e Evidence>,
) -> BTreeSet<String> {
    // The same key is listed for hundreds of versions.
    let keys: HashSet<&SigningKey> = evidence.flat_map(Evidence::signing_keys).collect();
    let keys: Vec<SigningKey> = keys.into_iter().cloned().collect();
    fingerprints(&keys).into_iter().collect()
}

//! A version made ready to serve: archives, SHA256SUMS, signature, and the metadata that points to them.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Value, json};

use super::archive;
use super::fault::flipped;
use super::provider::{ProviderSpec, Signing, VersionSpec};
use super::registry::{Dialect, paths};
use super::signing::Signer;

/// The files of one version.
pub(super) struct Release<'a> {
    provider: &'a ProviderSpec,
    spec: &'a VersionSpec,
    /// By platform, as summed and signed.
    pub(super) archives: BTreeMap<String, Bytes>,
    /// SHA256SUMS.
    pub(super) sums: String,
    /// Its signature.
    pub(super) signature: Vec<u8>,
}

impl<'a> Release<'a> {
    /// Builds and signs.
    pub(super) fn new(provider: &'a ProviderSpec, spec: &'a VersionSpec) -> Self {
        let published = spec
            .platforms
            .iter()
            .filter(|platform| !spec.unpublished.contains(platform));
        let archives: BTreeMap<String, Bytes> = published
            .map(|platform| (platform.clone(), spec.archive(&provider.ty, platform)))
            .collect();
        let sums = sums(provider, spec, &archives);
        let signature = signature(spec.signing, sums.as_bytes());
        Self {
            provider,
            spec,
            archives,
            sums,
            signature,
        }
    }

    /// The archive as the server sends it.
    pub(super) fn served(&self, platform: &str) -> Bytes {
        let archive = &self.archives[platform];
        if self.spec.tampered {
            flipped(archive)
        } else {
            archive.clone()
        }
    }

    /// The answer to `.../VERSION/download/OS/ARCH`; `url` turns a path of the file server into what is announced.
    pub(super) fn metadata(
        &self,
        platform: &str,
        dialect: Dialect,
        url: impl Fn(String) -> String,
    ) -> Value {
        let (address, version) = (self.provider.address(), &self.spec.version);
        let (os, arch) = split_platform(platform);
        let mut document = json!({
            "protocols": self.spec.protocols,
            "os": os,
            "arch": arch,
            "filename": paths::filename(&address, version, platform),
            "download_url": url(paths::archive(&address, version, platform)),
            "shasums_url": url(paths::sums(&address, version)),
            "shasums_signature_url": url(paths::signature(&address, version)),
            "shasum": self.shasum(platform),
            "signing_keys": { "gpg_public_keys": self.keys() },
        });
        if dialect == Dialect::OpenTofu {
            document["packages"] = self.packages();
        }
        if let Some(edit) = &self.spec.edit_download {
            edit(&mut document);
        }
        document
    }

    fn shasum(&self, platform: &str) -> String {
        if self.spec.wrong_shasum {
            "0".repeat(64)
        } else {
            digest(&self.archives[platform])
        }
    }

    fn keys(&self) -> Vec<Value> {
        let signer = Signer::publisher();
        let key = json!({
            "key_id": signer.key_id(),
            "ascii_armor": signer.armor(),
            "trust_signature": "",
            "source": "",
            "source_url": null,
        });
        if self.spec.signing == Signing::NoKeys {
            Vec::new()
        } else {
            vec![key]
        }
    }

    /// The map that OpenTofu's registry adds.
    fn packages(&self) -> Value {
        let package = |archive: &Bytes| {
            let mut hashes = vec![archive::zh(archive)];
            hashes.extend(archive::h1(archive));
            json!({ "hashes": hashes, "package_size": archive.len() })
        };
        self.archives
            .iter()
            .map(|(platform, archive)| (platform.clone(), package(archive)))
            .collect()
    }
}

/// `OS` and `ARCH` of `OS_ARCH`.
pub(super) fn split_platform(platform: &str) -> (&str, &str) {
    platform.split_once('_').expect("a platform is OS_ARCH")
}

fn digest(archive: &[u8]) -> String {
    archive::zh(archive).trim_start_matches("zh:").to_owned()
}

fn sums(provider: &ProviderSpec, spec: &VersionSpec, archives: &BTreeMap<String, Bytes>) -> String {
    let line = |(platform, archive): (&String, &Bytes)| {
        format!(
            "{}  {}\n",
            digest(archive),
            paths::filename(&provider.address(), &spec.version, platform)
        )
    };
    let sums: String = archives.iter().map(line).collect();
    match &spec.edit_sums {
        Some(edit) => edit(sums),
        None => sums,
    }
}

fn signature(signing: Signing, sums: &[u8]) -> Vec<u8> {
    match signing {
        Signing::Publisher | Signing::NoKeys => Signer::publisher().sign(sums),
        Signing::OtherDocument => Signer::publisher().sign(b"another document\n"),
        Signing::Expired => Signer::expired().sign(sums),
        Signing::Stranger => Signer::stranger().sign(sums),
        Signing::Armored => Signer::publisher().sign_armored(sums),
        Signing::Garbage => b"this is no signature".to_vec(),
    }
}

//! Where everything lies in a mirror directory (`cli.md`, `provender mirror`; facts/providers 6.1).
//!
//! The directory is a filesystem mirror and the document root of a network mirror at once. Three
//! kinds of names need care:
//! - a host name with characters beyond ASCII: packages lie under its Unicode form, where the
//!   filesystem search looks, the network mirror's JSON under its punycode form (facts 1.4, 8.2);
//! - a version with upper-case letters: the tools lower-case the names of packed archives (facts
//!   6.4), so its archive lies in the version's directory, beside the unpacked form that the
//!   filesystem search takes;
//! - a host with a port: a network mirror cannot serve it (facts 8.2), the directory can.

use std::path::{Path, PathBuf};

use url::Url;

use crate::address::{Platform, ProviderAddr};
use crate::document::PackageId;
use crate::version::Version;

/// The names of all files below a mirror's root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorLayout {
    root: PathBuf,
}

/// How a package is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The archive alone.
    Packed,
    /// The archive in the version's directory, and its files beside it.
    PackedAndUnpacked,
}

impl MirrorLayout {
    /// The layout below `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The mirror's directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `HOST/NAMESPACE/TYPE` with the host in display form: packages and evidence.
    pub fn provider_dir(&self, addr: &ProviderAddr) -> PathBuf {
        self.dir(addr.hostname().for_display(), addr)
    }

    /// `HOST/NAMESPACE/TYPE` with the host in comparison form: the network mirror's JSON.
    pub fn network_dir(&self, addr: &ProviderAddr) -> PathBuf {
        self.dir(addr.hostname().for_comparison(), addr)
    }

    /// The archive of a package.
    pub fn archive(&self, id: &PackageId) -> PathBuf {
        let dir = self.provider_dir(&id.addr);
        match Self::form(&id.version) {
            Form::Packed => dir.join(archive_name(id)),
            Form::PackedAndUnpacked => dir.join(id.version.to_string()).join(archive_name(id)),
        }
    }

    /// The directory of a package in the unpacked layout.
    pub fn unpacked(&self, id: &PackageId) -> PathBuf {
        self.provider_dir(&id.addr)
            .join(id.version.to_string())
            .join(id.platform.to_string())
    }

    /// The signed document of a version, as received.
    pub fn shasums(&self, addr: &ProviderAddr, version: &Version) -> PathBuf {
        self.version_file(addr, version, "SHA256SUMS")
    }

    /// Its detached signature.
    pub fn signature(&self, addr: &ProviderAddr, version: &Version) -> PathBuf {
        self.version_file(addr, version, "SHA256SUMS.sig")
    }

    /// What is known of a version's packages.
    pub fn evidence(&self, addr: &ProviderAddr, version: &Version) -> PathBuf {
        self.version_file(addr, version, "evidence.json")
    }

    /// The version whose evidence has this file name; none if it is no such name.
    pub(super) fn version_of_evidence(addr: &ProviderAddr, name: &str) -> Option<Version> {
        let (version, kind) = Self::version_file_of(addr, name)?;
        (kind == "evidence.json").then_some(version)
    }

    /// The version that a file is about, and which file it is: `SHA256SUMS`, `SHA256SUMS.sig` or `evidence.json`.
    pub(super) fn version_file_of(
        addr: &ProviderAddr,
        name: &str,
    ) -> Option<(Version, &'static str)> {
        let rest = name.strip_prefix("terraform-provider-")?;
        let rest = rest.strip_prefix(addr.ty())?.strip_prefix('_')?;
        let kinds = ["SHA256SUMS", "SHA256SUMS.sig", "evidence.json"];
        kinds.into_iter().find_map(|kind| {
            let version = rest.strip_suffix(kind)?.strip_suffix('_')?;
            Some((version.parse().ok()?, kind))
        })
    }

    /// Version and platform in the name of an archive, which must be spelled as ours are but may have any case.
    pub(super) fn package_of_archive(
        addr: &ProviderAddr,
        name: &str,
    ) -> Option<(Version, Platform)> {
        let rest = name.strip_prefix("terraform-provider-")?;
        let rest = rest.strip_prefix(addr.ty())?.strip_prefix('_')?;
        let (version, platform) = rest.strip_suffix(".zip")?.split_once('_')?;
        Some((version.parse().ok()?, platform.parse().ok()?))
    }

    /// The network mirror's list of versions.
    pub fn index(&self, addr: &ProviderAddr) -> PathBuf {
        self.network_dir(addr).join("index.json")
    }

    /// The network mirror's list of a version's archives.
    pub fn version_document(&self, addr: &ProviderAddr, version: &Version) -> PathBuf {
        self.network_dir(addr).join(format!("{version}.json"))
    }

    /// The file that processes lock while they change documents of this mirror.
    pub fn lock_file(&self) -> PathBuf {
        self.root.join(".provender.lock")
    }

    /// The archive's URL relative to its version document.
    pub fn archive_url(&self, id: &PackageId) -> String {
        let host = id.addr.hostname();
        let mut segments = Vec::new();
        let mut up = "";
        if host.for_display() != host.for_comparison() {
            up = "../../../";
            segments.extend([host.for_display(), id.addr.namespace(), id.addr.ty()]);
        }
        let version = id.version.to_string();
        if Self::form(&id.version) == Form::PackedAndUnpacked {
            segments.push(&version);
        }
        let name = archive_name(id);
        segments.push(&name);
        format!("{up}{}", percent_encoded(&segments))
    }

    pub(super) fn form(version: &Version) -> Form {
        if version.to_string().chars().any(char::is_uppercase) {
            Form::PackedAndUnpacked
        } else {
            Form::Packed
        }
    }

    fn dir(&self, host: &str, addr: &ProviderAddr) -> PathBuf {
        self.root.join(host).join(addr.namespace()).join(addr.ty())
    }

    fn version_file(&self, addr: &ProviderAddr, version: &Version, suffix: &str) -> PathBuf {
        let name = format!("terraform-provider-{}_{version}_{suffix}", addr.ty());
        self.provider_dir(addr).join(name)
    }
}

/// The synthesized name of an archive; the registry's `filename` is never used (facts 2.11).
fn archive_name(id: &PackageId) -> String {
    format!(
        "terraform-provider-{}_{}_{}.zip",
        id.addr.ty(),
        id.version,
        id.platform
    )
}

fn percent_encoded(segments: &[&str]) -> String {
    let mut url = Url::parse("https://mirror.invalid/").expect("a valid URL");
    url.path_segments_mut()
        .expect("an https URL has a path")
        .extend(segments);
    url.path().trim_start_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(addr: &str, version: &str) -> PackageId {
        PackageId {
            addr: ProviderAddr::parse_canonical(addr).unwrap(),
            version: version.parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        }
    }

    #[test]
    fn archives_and_urls_follow_the_kind_of_name() {
        let layout = MirrorLayout::new("/m");
        for (addr, version, archive, url) in [
            (
                "example.com/acme/net",
                "1.0.0",
                "/m/example.com/acme/net/terraform-provider-net_1.0.0_linux_amd64.zip",
                "terraform-provider-net_1.0.0_linux_amd64.zip",
            ),
            (
                "example.com/acme/net",
                "1.0.0+b1",
                "/m/example.com/acme/net/terraform-provider-net_1.0.0+b1_linux_amd64.zip",
                "terraform-provider-net_1.0.0+b1_linux_amd64.zip",
            ),
            (
                "example.com/acme/net",
                "1.0.0-Beta1",
                "/m/example.com/acme/net/1.0.0-Beta1/terraform-provider-net_1.0.0-Beta1_linux_amd64.zip",
                "1.0.0-Beta1/terraform-provider-net_1.0.0-Beta1_linux_amd64.zip",
            ),
            (
                "bücher.example/acme/net",
                "1.0.0",
                "/m/bücher.example/acme/net/terraform-provider-net_1.0.0_linux_amd64.zip",
                "../../../b%C3%BCcher.example/acme/net/terraform-provider-net_1.0.0_linux_amd64.zip",
            ),
        ] {
            let id = id(addr, version);
            assert_eq!(layout.archive(&id), Path::new(archive));
            assert_eq!(layout.archive_url(&id), url);
        }
    }

    #[test]
    fn evidence_leads_back_to_its_version() {
        let addr = ProviderAddr::parse_canonical("example.com/acme/net").unwrap();
        let version_of = |name: &str| MirrorLayout::version_of_evidence(&addr, name);
        let layout = MirrorLayout::new("/m");
        for text in ["1.0.0", "1.0.0-Beta1", "1.0.0+b1"] {
            let version = text.parse().unwrap();
            let path = layout.evidence(&addr, &version);
            let name = path.file_name().unwrap().to_str().unwrap();
            assert_eq!(version_of(name), Some(version));
        }
        for name in [
            "terraform-provider-net_1.0.0_SHA256SUMS",
            "terraform-provider-dns_1.0.0_evidence.json",
            "terraform-provider-net_x_evidence.json",
            "index.json",
        ] {
            assert_eq!(version_of(name), None, "{name}");
        }
    }

    #[test]
    fn network_documents_lie_under_the_punycode_name() {
        let layout = MirrorLayout::new("/m");
        let id = id("bücher.example/acme/net", "1.0.0");
        let document = layout.version_document(&id.addr, &id.version);
        assert_eq!(
            document,
            Path::new("/m/xn--bcher-kva.example/acme/net/1.0.0.json")
        );
        assert_eq!(
            layout.evidence(&id.addr, &id.version),
            Path::new("/m/bücher.example/acme/net/terraform-provider-net_1.0.0_evidence.json")
        );
    }
}

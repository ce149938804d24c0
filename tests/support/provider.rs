//! What a publisher releases: a provider, its versions, and in which ways each of them is odd.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use super::archive::{self, Member};

/// How SHA256SUMS of a version is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signing {
    /// By the publisher, whose key the registry lists.
    Publisher,
    /// The registry lists no keys; there is a signature nevertheless, as its URL is required.
    NoKeys,
    /// By the publisher, but over another document.
    OtherDocument,
    /// By a key that has expired, which the registry does not list by itself.
    Expired,
    /// By a key that the registry does not list.
    Stranger,
    /// By the publisher, in ASCII armor.
    Armored,
    /// Bytes that are no signature.
    Garbage,
}

type EditJson = Arc<dyn Fn(&mut Value) + Send + Sync>;
type EditText = Arc<dyn Fn(String) -> String + Send + Sync>;

/// One version of a provider.
#[derive(Clone)]
pub struct VersionSpec {
    pub(super) version: String,
    pub(super) listed_as: Option<String>,
    pub(super) platforms: Vec<String>,
    pub(super) unpublished: Vec<String>,
    pub(super) protocols: Vec<String>,
    pub(super) payload: usize,
    pub(super) more_files: Vec<Member>,
    pub(super) executable: bool,
    pub(super) archives: BTreeMap<String, Bytes>,
    pub(super) signing: Signing,
    pub(super) wrong_shasum: bool,
    pub(super) tampered: bool,
    pub(super) edit_download: Option<EditJson>,
    pub(super) edit_sums: Option<EditText>,
}

impl VersionSpec {
    fn usual() -> Self {
        Self {
            version: String::new(),
            listed_as: None,
            platforms: vec!["linux_amd64".to_owned(), "darwin_arm64".to_owned()],
            unpublished: Vec::new(),
            protocols: vec!["5.0".to_owned()],
            payload: 1024,
            more_files: Vec::new(),
            executable: true,
            archives: BTreeMap::new(),
            signing: Signing::Publisher,
            wrong_shasum: false,
            tampered: false,
            edit_download: None,
            edit_sums: None,
        }
    }

    /// The archive for `platform`.
    pub(super) fn archive(&self, ty: &str, platform: &str) -> Bytes {
        if let Some(given) = self.archives.get(platform) {
            return given.clone();
        }
        let protocol = self
            .protocols
            .first()
            .map_or("5", |text| text.split('.').next().unwrap_or("5"));
        let mut members = archive::release(ty, &self.version, protocol, self.payload);
        members.retain(|member| self.executable || member.mode != 0o755);
        let platform = Member {
            name: "PLATFORM".into(),
            mode: 0o644,
            content: format!("{platform}\n").into_bytes(),
        };
        members.push(platform);
        members.extend(self.more_files.iter().cloned());
        archive::zip(&members)
    }
}

/// A provider with its versions.
///
/// What is set before the first [`version`](Self::version) holds for all versions, what is set after one for that one.
#[derive(Clone)]
#[must_use]
pub struct ProviderSpec {
    pub(super) namespace: String,
    pub(super) ty: String,
    pub(super) versions: Vec<VersionSpec>,
    pub(super) only_listed: Vec<String>,
    pub(super) warnings: Vec<String>,
    usual: VersionSpec,
}

impl ProviderSpec {
    /// The provider `NAMESPACE/TYPE`, without versions yet.
    pub fn new(address: &str) -> Self {
        let (namespace, ty) = address
            .split_once('/')
            .expect("an address is NAMESPACE/TYPE");
        Self {
            namespace: namespace.to_owned(),
            ty: ty.to_owned(),
            versions: Vec::new(),
            only_listed: Vec::new(),
            warnings: Vec::new(),
            usual: VersionSpec::usual(),
        }
    }

    /// Adds a version.
    pub fn version(mut self, version: &str) -> Self {
        self.versions.push(VersionSpec {
            version: version.to_owned(),
            ..self.usual.clone()
        });
        self
    }

    /// Lists a text as a version without anything behind it, such as one that is no version at all.
    pub fn only_listed(mut self, text: &str) -> Self {
        self.only_listed.push(text.to_owned());
        self
    }

    /// Adds a warning of the registry about this provider.
    pub fn warning(mut self, text: &str) -> Self {
        self.warnings.push(text.to_owned());
        self
    }

    /// Platforms; `linux_amd64` and `darwin_arm64` if not called.
    pub fn platforms<const N: usize>(self, platforms: [&str; N]) -> Self {
        self.set(|spec| spec.platforms = platforms.map(str::to_owned).to_vec())
    }

    /// The registry lists that platform, but knows no package for it.
    pub fn unpublished(self, platform: &str) -> Self {
        self.set(|spec| spec.unpublished.push(platform.to_owned()))
    }

    /// Plugin protocols; `5.0` if not called.
    pub fn protocols<const N: usize>(self, protocols: [&str; N]) -> Self {
        self.set(|spec| spec.protocols = protocols.map(str::to_owned).to_vec())
    }

    /// The list spells this version otherwise: `1.0` for `1.0.0`.
    pub fn listed_as(self, text: &str) -> Self {
        self.set(|spec| spec.listed_as = Some(text.to_owned()))
    }

    /// About the size of the archive in bytes; 1024 if not called.
    pub fn payload_size(self, bytes: usize) -> Self {
        self.set(|spec| spec.payload = bytes)
    }

    /// Adds a file to the archive of every platform.
    pub fn extra_file(self, name: &str, content: &[u8]) -> Self {
        let member = Member {
            name: name.to_owned(),
            mode: 0o644,
            content: content.to_vec(),
        };
        self.set(|spec| spec.more_files.push(member))
    }

    /// Leaves the executable out.
    pub fn without_executable(self) -> Self {
        self.set(|spec| spec.executable = false)
    }

    /// Publishes these very bytes for a platform, correctly summed and signed: for hostile archives.
    pub fn archive(self, platform: &str, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        self.set(|spec| {
            spec.archives.insert(platform.to_owned(), bytes);
            if !spec.platforms.iter().any(|known| known == platform) {
                spec.platforms.push(platform.to_owned());
            }
        })
    }

    /// How it is signed; by the publisher if not called.
    pub fn signing(self, signing: Signing) -> Self {
        self.set(|spec| spec.signing = signing)
    }

    /// The metadata's `shasum` is of nothing; SHA256SUMS is right.
    pub fn wrong_shasum(self) -> Self {
        self.set(|spec| spec.wrong_shasum = true)
    }

    /// The archive that is served differs in one bit from the one that is summed and signed.
    pub fn tampered(self) -> Self {
        self.set(|spec| spec.tampered = true)
    }

    /// Changes the package metadata of every platform before it is served.
    pub fn edit_download(self, edit: impl Fn(&mut Value) + Send + Sync + 'static) -> Self {
        self.set(|spec| spec.edit_download = Some(Arc::new(edit)))
    }

    /// Changes SHA256SUMS before it is signed.
    pub fn edit_sums(self, edit: impl Fn(String) -> String + Send + Sync + 'static) -> Self {
        self.set(|spec| spec.edit_sums = Some(Arc::new(edit)))
    }

    fn set(mut self, change: impl FnOnce(&mut VersionSpec)) -> Self {
        change(self.versions.last_mut().unwrap_or(&mut self.usual));
        self
    }

    /// `NAMESPACE/TYPE`.
    pub fn address(&self) -> String {
        format!("{}/{}", self.namespace, self.ty)
    }
}

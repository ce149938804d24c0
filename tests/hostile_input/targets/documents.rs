//! Documents: lock files, SHA256SUMS, answers of registries and mirrors, evidence.

use std::fmt::Debug;

use provender::address::{Hostname, Tool};
use provender::document::lock_file::tool_of_header;
use provender::document::{
    Evidence, JsonDocumentError, Locks, MirrorIndex, PackageAnswer, Shasums, VersionDocument,
    VersionsAnswer,
};
use provender::registry::{ServiceId, Services};
use provender::version::Version;
use url::Url;

use super::told::told;

pub(super) mod seeds {
    //! From the vectors, but for evidence, which is our own format.

    use super::super::corpus::{literal, texts_of};

    pub(in super::super) fn lock_file() -> Vec<Vec<u8>> {
        texts_of(&["lockfile-load.json", "lockfile-save.json"])
    }

    pub(in super::super) fn shasums() -> Vec<Vec<u8>> {
        texts_of(&["shasums.json"])
    }

    pub(in super::super) fn registry_answers() -> Vec<Vec<u8>> {
        texts_of(&["registry-responses.json", "discovery.json"])
    }

    pub(in super::super) fn discovery_answer() -> Vec<Vec<u8>> {
        texts_of(&["discovery.json", "login-discovery.json"])
    }

    pub(in super::super) fn mirror_documents() -> Vec<Vec<u8>> {
        texts_of(&["network-mirror.json"])
    }

    pub(in super::super) fn evidence() -> Vec<Vec<u8>> {
        let digest = "71b8d997a1e5253c03a5ded749434bac74dce505c5e58da43d56efc29d2dd9eb";
        let package = |verdict: &str| {
            format!(
                r#"{{"download_url":"https://example.com/a.zip?s=***","filename":"a.zip","shasum":"{digest}","size":7,"verdict":{verdict}}}"#
            )
        };
        let signed = package(r#"{"kind":"signed","key_id":"0123456789ABCDEF","expired":true}"#);
        let unsigned = package(r#"{"kind":"checksum"}"#);
        literal(&[
            r#"{"format_version":"1.0"}"#,
            &format!(
                r#"{{"format_version":"1.7","origin":{{"host":"example.com","shasums_url":"https://example.com/SHA256SUMS","signature_url":"https://example.com/SHA256SUMS.sig"}},"packages":{{"linux_amd64":{signed},"linux_arm64":{unsigned}}},"protocols":["5.0","6.0"],"signing_keys":[{{"ascii_armor":"-----BEGIN PGP PUBLIC KEY BLOCK-----","x":1}}],"later":[null]}}"#
            ),
        ])
    }
}

/// The file name that seeds of SHA256SUMS list.
const PACKAGE: &str = "terraform-provider-net_1.0.0_linux_amd64.zip";

pub(super) fn lock_file(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let _ = tool_of_header(&text);
    for tool in [Tool::Terraform, Tool::Tofu] {
        let Some(parsed) = told(Locks::parse(&text, tool)) else {
            continue;
        };
        let _ = parsed.locks.clone().adopt_terraform_locks();
        let written = parsed.locks.render(tool);
        let again = Locks::parse(&written, tool).expect("what was written is a lock file");
        assert!(!again.locks.is_outdated_by(&again.locks), "{written}");
        assert_eq!(again.locks.render(tool), written);
    }
}

pub(super) fn shasums(input: &[u8]) {
    let document = Shasums::parse(input);
    let digest = told(document.digest_of(PACKAGE));
    let hashes = document.package_hashes();
    let listed = digest.map(provender::hash::PackageHash::zh);
    if let (Some(hashes), Some(listed)) = (hashes, listed) {
        assert!(hashes.contains(&listed));
    }
}

pub(super) fn registry_answers(input: &[u8]) {
    if let Ok(answer) = VersionsAnswer::parse(input) {
        assert!(answer.versions.is_sorted_by(|a, b| a.version < b.version));
    }
    let _ = PackageAnswer::parse(input);
}

pub(super) fn discovery_answer(input: &[u8]) {
    let host: Hostname = "example.com".parse().expect("it is a host name");
    let base = "https://example.com/.well-known/terraform.json";
    let base = Url::parse(base).expect("it is a URL");
    let Ok(services) = Services::parse(host, base, input) else {
        return;
    };
    for id in ["providers.v1", "modules.v1", "login.v1"] {
        if let Some(url) = told(services.url(ServiceId::new(id))) {
            assert!(matches!(url.scheme(), "http" | "https"));
            assert!(url.username().is_empty() && url.password().is_none());
        }
    }
}

pub(super) fn mirror_documents(input: &[u8]) {
    if let Some(mut index) = same_again(input, MirrorIndex::parse, MirrorIndex::render) {
        let version = Version::new(1, 0, 0);
        index.insert(&version);
        assert!(index.versions().contains(&version));
        index.remove(&version);
        assert!(!index.versions().contains(&version));
        let _ = index.unreadable_versions().count();
    }
    let _ = same_again(input, VersionDocument::parse, VersionDocument::render);
}

pub(super) fn evidence(input: &[u8]) {
    let _ = same_again(input, Evidence::parse, Evidence::render);
}

/// What is read and written is read again as the same.
fn same_again<T: PartialEq + Debug>(
    input: &[u8],
    parse: impl Fn(&[u8]) -> Result<T, JsonDocumentError>,
    render: impl Fn(&T) -> String,
) -> Option<T> {
    let document = told(parse(input))?;
    let again = parse(render(&document).as_bytes()).expect("what was written is a document");
    assert_eq!(again, document);
    Some(document)
}

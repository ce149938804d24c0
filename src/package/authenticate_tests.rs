//! What `authenticate` takes and refuses, and in which order.

use crate::document::PackageId;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use super::*;
use crate::address::ProviderAddr;
use crate::package::{LockMatch, SigningPolicy, h1_of_zip};

fn digest(byte: u8) -> Sha256Digest {
    Sha256Digest([byte; 32])
}

fn fetched(path: PathBuf) -> FetchedPackage {
    let id = PackageId {
        addr: ProviderAddr::parse_canonical("registry.example.com/acme/net").unwrap(),
        version: "1.0.0".parse().unwrap(),
        platform: "linux_amd64".parse().unwrap(),
    };
    FetchedPackage {
        id,
        path,
        digest: digest(1),
        size: 294,
    }
}

fn missing() -> FetchedPackage {
    fetched(PathBuf::from("/no/such/package.zip"))
}

fn unsigned() -> SealedShasums {
    let policy = SigningPolicy::OptionalWithoutKeys;
    SealedShasums::verify(Vec::new(), b"", &[], policy, SystemTime::UNIX_EPOCH).unwrap()
}

fn hash(text: &str) -> PackageHash {
    text.parse().unwrap()
}

fn registry(
    change: impl FnOnce(&mut RegistryExpectation<'_>),
) -> Result<VerifiedPackage, Mismatch> {
    let shasums = unsigned();
    let mut expectation = RegistryExpectation {
        shasums: &shasums,
        filename: "net.zip",
        listed: Some(digest(1)),
        announced: digest(1),
        reported: Reported::Nothing,
    };
    change(&mut expectation);
    authenticate(missing(), Expectation::Registry(expectation))
}

#[test]
fn registry_package_needs_document_metadata_and_archive_to_agree() {
    assert_eq!(*registry(|_| {}).unwrap().verdict(), Verdict::Checksum);
    let unlisted = registry(|expected| expected.listed = None);
    assert!(matches!(unlisted, Err(Mismatch::NotListed { filename }) if filename == "net.zip"));
    let contradiction = registry(|expected| expected.listed = Some(digest(2)));
    assert!(matches!(contradiction, Err(Mismatch::Listed { .. })));
    let other =
        registry(|expected| (expected.listed, expected.announced) = (Some(digest(2)), digest(2)));
    assert!(
        matches!(other, Err(Mismatch::Digest { got, expected }) if got == digest(1) && expected == digest(2))
    );
}

#[test]
fn checks_come_in_the_order_of_the_tools() {
    // Everything is wrong; what is told is the first.
    let all = registry(|expected| {
        (expected.listed, expected.announced) = (None, digest(2));
        expected.reported = Reported::OtherPlatforms;
    });
    assert!(matches!(all, Err(Mismatch::PlatformNotReported)));
    let document_first =
        registry(|expected| (expected.listed, expected.announced) = (Some(digest(3)), digest(2)));
    assert!(matches!(document_first, Err(Mismatch::Listed { .. })));
}

#[test]
fn reported_package_must_fit_in_size_and_hash() {
    let good = PackageHash::zh(digest(1));
    let with =
        |hashes: &[PackageHash], size| registry(|expected| expected.reported = leak(hashes, size));
    let one = std::slice::from_ref(&good);
    assert!(with(&[good.clone(), hash("h1:unchecked=")], 294).is_ok());
    assert!(matches!(with(one, 0), Err(Mismatch::ReportedSize(0))));
    assert!(matches!(with(one, -1), Err(Mismatch::ReportedSize(-1))));
    assert!(matches!(
        with(one, 295),
        Err(Mismatch::Size {
            got: 294,
            expected: 295
        })
    ));
    assert!(matches!(
        with(&[hash("h1:x")], 294),
        Err(Mismatch::NoReportedHash)
    ));
    assert!(matches!(
        with(&[good.clone(), hash("zh:x")], 294),
        Err(Mismatch::ReportedHash { .. })
    ));
}

fn leak(hashes: &[PackageHash], size: i64) -> Reported<'static> {
    Reported::Package {
        hashes: Box::leak(hashes.to_vec().into_boxed_slice()),
        size,
    }
}

/// A package that is there, with its true digest.
fn present() -> (tempfile::TempDir, FetchedPackage, PackageHash) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("net.zip");
    let mut writer = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    writer
        .start_file(
            "terraform-provider-net",
            zip::write::SimpleFileOptions::default(),
        )
        .unwrap();
    writer.finish().unwrap();
    let h1 = h1_of_zip(&path).unwrap();
    (directory, fetched(path), h1)
}

#[test]
fn one_fitting_hash_of_a_mirror_suffices() {
    let (_directory, package, h1) = present();
    let with = |hashes: &[PackageHash]| {
        authenticate(package.clone(), Expectation::Mirror(hashes))
            .map(|package| package.verdict().clone())
    };
    let (zh, wrong) = (PackageHash::zh(digest(1)), hash("zh:00"));
    assert_eq!(with(&[]).unwrap(), Verdict::Unauthenticated);
    for hashes in [
        vec![zh.clone()],
        vec![wrong.clone(), zh],
        vec![h1.clone()],
        vec![wrong.clone(), hash("x:y"), h1],
    ] {
        assert_eq!(with(&hashes).unwrap(), Verdict::Checksum, "{hashes:?}");
    }
    assert!(matches!(
        with(&[hash("x:y")]).unwrap_err(),
        Mismatch::NoKnownScheme(_)
    ));
    for hashes in [
        vec![wrong.clone()],
        vec![hash("h1:wrong")],
        vec![wrong, hash("h1:wrong"), hash("x:y")],
    ] {
        let refusal = with(&hashes).unwrap_err();
        assert!(matches!(refusal, Mismatch::NoHashFits { .. }), "{refusal}");
        assert_eq!(refusal.exit_code(), ExitCode::Verification);
    }
}

#[test]
fn archive_is_not_read_where_its_digest_decides() {
    let zh = [PackageHash::zh(digest(1)), hash("h1:other")];
    assert!(authenticate(missing(), Expectation::Mirror(&zh)).is_ok());
    let refusal = authenticate(missing(), Expectation::Mirror(&zh[1..])).unwrap_err();
    assert!(matches!(refusal, Mismatch::Archive(_)));
    assert_eq!(refusal.exit_code(), ExitCode::Local);
    assert_eq!(refusal.to_string(), "the archive cannot be hashed");
}

#[test]
fn source_that_says_nothing_proves_nothing() {
    let verified = authenticate(missing(), Expectation::Nothing).unwrap();
    assert_eq!(*verified.verdict(), Verdict::Unauthenticated);
}

#[test]
fn locked_hashes_are_compared_by_known_schemes_only() {
    let (_directory, package, h1) = present();
    let verified = authenticate(package, Expectation::Nothing).unwrap();
    let zh = PackageHash::zh(digest(1));
    assert_eq!(verified.hashes(), std::slice::from_ref(&zh));
    for (locked, expected) in [
        (vec![], LockMatch::NothingToCompare),
        (vec![hash("x:y")], LockMatch::NothingToCompare),
        (vec![hash("zh:other"), zh.clone()], LockMatch::Fits),
        (vec![hash("zh:other"), h1.clone()], LockMatch::Fits),
        (
            vec![hash("h1:other"), hash("x:y")],
            LockMatch::Differs {
                got: vec![zh.clone(), h1.clone()],
            },
        ),
    ] {
        assert_eq!(
            verified.matches_any(&locked).unwrap(),
            expected,
            "{locked:?}"
        );
    }
    assert_eq!(verified.hashes(), [zh, h1]);
}

#[test]
fn unpacking_a_verified_package_finds_its_hashes_by_the_way() {
    let (directory, package, h1) = present();
    let verified = authenticate(package, Expectation::Nothing).unwrap();
    let contents = verified.unpack(&directory.path().join("target")).unwrap();
    assert_eq!(contents.h1_zip, h1);
    assert_eq!(verified.hashes().len(), 2);
    assert_eq!(verified.inspect().unwrap(), contents);
}

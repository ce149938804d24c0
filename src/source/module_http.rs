//! Module packages from http servers: archives, and servers that say where the module is (facts/modules 2.5,
//! 4.1, 4.3).
//!
//! Servers may be hostile: answers are capped, archives go through `unpack_module`, and the format is told by the
//! URL that was asked for, never by what a redirect leads to.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use url::Url;

use crate::address::{RemoteModule, Tool, encode_pairs, query_pairs, shown_source};
use crate::disk::{self, DiskError, TempFile, on_blocking_pool};
use crate::hash::Sha256Digest;
use crate::http::{Client, DownloadRequest, GetRequest, NoProgress, Overflow, RetryPolicy};
use crate::package::{
    ChecksumSource, FormatChoice, ModuleChecksum, ModuleFormat, ModuleLimits, unpack_module,
};
use crate::registry::DirectArchive;
use crate::secret::{Secret, ShownUrl};
use crate::source::ModuleFetchError;
use crate::source::module_meta::meta_location;

/// The largest archive.
const ARCHIVE_CAP: u64 = 2 << 30;
/// Of a page, whose head says where the module is, no more is read.
const PAGE_CAP: u64 = 1 << 20;
/// The largest file of checksums.
const SUMS_CAP: u64 = 1 << 20;
/// As Go's default client, which the tools use for packages.
const MAX_REDIRECTS: usize = 10;

/// Gets what http and https URLs name.
pub(super) struct HttpGetter<'g> {
    pub(super) http: &'g Client,
    pub(super) retry: RetryPolicy,
    pub(super) limits: ModuleLimits,
}

/// A source's URL taken apart.
struct Request {
    url: Url,
    choice: FormatChoice,
    checksum: Option<ChecksumSource>,
}

/// An archive on disk and what its bytes must be.
#[derive(Debug)]
pub(super) struct CheckedArchive {
    pub(super) path: PathBuf,
    pub(super) format: ModuleFormat,
    pub(super) checksum: Option<ModuleChecksum>,
}

impl HttpGetter<'_> {
    /// Where the server sends on, if the URL is none of an archive.
    pub(super) async fn redirection(
        &self,
        url: &str,
        tool: Tool,
    ) -> Result<Option<RemoteModule>, ModuleFetchError> {
        let request = Request::parse(url, tool)?;
        match (request.choice, &request.checksum) {
            (FormatChoice::Archive(_), _) => return Ok(None),
            (FormatChoice::SingleFile, _) => return Err(ModuleFetchError::SingleFile),
            (FormatChoice::None, Some(_)) => return Err(ModuleFetchError::ChecksumOfDirectory),
            (FormatChoice::None, None) => {}
        }
        let location = self.ask_location(&request.url).await?;
        let next = RemoteModule::parse_full(&location, tool);
        let next = next.map_err(|_| ModuleFetchError::BadRedirection {
            to: shortened(&location),
        })?;
        Ok(Some(next))
    }

    async fn ask_location(&self, url: &Url) -> Result<String, ModuleFetchError> {
        let mut url = self.http.logged_in(url);
        let mut pairs = query_pairs(url.query().unwrap_or_default()).unwrap_or_default();
        pairs.retain(|(key, _)| key != "terraform-get");
        pairs.push(("terraform-get".to_owned(), "1".to_owned()));
        pairs.sort();
        url.set_query(Some(&encode_pairs(&pairs)));
        let request = GetRequest {
            retry: self.retry,
            overflow: Overflow::Cut,
            ..GetRequest::new(url, PAGE_CAP)
        };
        let answer = self
            .http
            .get(&request)
            .await
            .map_err(ModuleFetchError::http)?;
        if !answer.is_success() {
            return Err(ModuleFetchError::Status {
                url: ShownUrl::of(&answer.final_url),
                status: answer.status,
            });
        }
        let in_header = answer.header("x-terraform-get").filter(|it| !it.is_empty());
        let location = in_header
            .map(str::to_owned)
            .or_else(|| meta_location(&answer.body));
        location.ok_or_else(|| ModuleFetchError::NoLocation {
            url: ShownUrl::of(&answer.final_url),
        })
    }

    /// Downloads the archive of `url`, checks and unpacks it into `dest`.
    pub(super) async fn get_archive(
        &self,
        url: &str,
        dest: &Path,
        tool: Tool,
    ) -> Result<Sha256Digest, ModuleFetchError> {
        let (request, format) = Request::of_archive(url, tool)?;
        let checksum = self.checksum(&request).await?;
        let file = self.download(&request.url, None, dest).await?;
        self.unpack(file, format, checksum, dest).await
    }

    /// Downloads the archive of `url` to a file beside `place` and checks it.
    pub(super) async fn fetch_archive(
        &self,
        url: &str,
        place: &Path,
        tool: Tool,
    ) -> Result<(TempFile, Sha256Digest), ModuleFetchError> {
        let (request, _) = Request::of_archive(url, tool)?;
        let checksum = self.checksum(&request).await?;
        let file = self.download(&request.url, None, place).await?;
        on_blocking_pool(move || {
            check_bytes(file.path(), checksum.as_ref())?;
            let digest = disk::sha256(file.path())?;
            Ok((file, digest))
        })
        .await
    }

    /// The checksum that the bytes must have, if the source says one.
    async fn checksum(
        &self,
        request: &Request,
    ) -> Result<Option<ModuleChecksum>, ModuleFetchError> {
        match &request.checksum {
            None => Ok(None),
            Some(ChecksumSource::Digest(checksum)) => Ok(Some(checksum.clone())),
            Some(ChecksumSource::File(sums)) => {
                self.checksum_of(&request.url, sums).await.map(Some)
            }
        }
    }

    /// Downloads an archive whose format its content tells, as OpenTofu does for some registries.
    pub(super) async fn get_direct(
        &self,
        archive: &DirectArchive,
        dest: &Path,
    ) -> Result<Sha256Digest, ModuleFetchError> {
        let bearer = archive.bearer.clone();
        let file = self.download(&archive.url, bearer, dest).await?;
        let format = format_of_content(file.path())?;
        self.unpack(file, format, None, dest).await
    }

    async fn download(
        &self,
        url: &Url,
        bearer: Option<Secret>,
        dest: &Path,
    ) -> Result<TempFile, ModuleFetchError> {
        let file = TempFile::create_beside(dest)?;
        let request = DownloadRequest {
            url: url.clone(),
            digest: None,
            expected_size: None,
            bearer,
            cap: ARCHIVE_CAP,
            max_redirects: MAX_REDIRECTS,
            retry: self.retry,
        };
        let downloaded = self.http.download(&request, &file, &NoProgress).await;
        downloaded.map_err(ModuleFetchError::http)?;
        Ok(file)
    }

    async fn unpack(
        &self,
        file: TempFile,
        format: ModuleFormat,
        checksum: Option<ModuleChecksum>,
        dest: &Path,
    ) -> Result<Sha256Digest, ModuleFetchError> {
        let (dest, limits) = (dest.to_owned(), self.limits);
        on_blocking_pool(move || {
            let path = file.path().to_owned();
            let archive = CheckedArchive {
                path,
                format,
                checksum,
            };
            let result = unpack_checked(&archive, &dest, limits);
            file.discard();
            result
        })
        .await
    }

    /// The checksum that a file of them has for the archive of `url`.
    async fn checksum_of(&self, url: &Url, sums: &str) -> Result<ModuleChecksum, ModuleFetchError> {
        let name = url.path().rsplit('/').next().unwrap_or_default();
        let bad = || ModuleFetchError::NoChecksumInFile {
            name: name.to_owned(),
            file: shortened(sums),
        };
        let sums_url = Url::parse(sums)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        let request = GetRequest {
            retry: self.retry,
            ..GetRequest::new(self.http.logged_in(&sums_url.ok_or_else(bad)?), SUMS_CAP)
        };
        let answer = self
            .http
            .get(&request)
            .await
            .map_err(ModuleFetchError::http)?;
        if !answer.is_success() {
            return Err(ModuleFetchError::Status {
                url: ShownUrl::of(&answer.final_url),
                status: answer.status,
            });
        }
        ModuleChecksum::find(&String::from_utf8_lossy(&answer.body), name).ok_or_else(bad)
    }
}

impl Request {
    /// The source's URL and the format of the archive that it names.
    fn of_archive(text: &str, tool: Tool) -> Result<(Self, ModuleFormat), ModuleFetchError> {
        let request = Self::parse(text, tool)?;
        match request.choice {
            FormatChoice::Archive(format) => Ok((request, format)),
            FormatChoice::SingleFile | FormatChoice::None => Err(ModuleFetchError::SingleFile),
        }
    }

    /// Takes `archive`, `checksum` and `filename` out of the query; what is left is sorted and encoded anew.
    fn parse(text: &str, tool: Tool) -> Result<Self, ModuleFetchError> {
        let bad = || ModuleFetchError::BadUrl;
        let mut url = Url::parse(text).map_err(|_| bad())?;
        let mut pairs = query_pairs(url.query().unwrap_or_default()).ok_or_else(bad)?;
        let mut take = |key: &str| {
            let found = pairs
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value.clone());
            pairs.retain(|(name, _)| name != key);
            found
        };
        let (archive, checksum, _) = (take("archive"), take("checksum"), take("filename"));
        pairs.sort_by(|a, b| a.0.cmp(&b.0));
        let query = encode_pairs(&pairs);
        url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
        let choice = FormatChoice::of(url.path(), archive.as_deref(), tool);
        let checksum = checksum
            .map(|text| ChecksumSource::parse(&text))
            .transpose()?;
        Ok(Self {
            url,
            choice,
            checksum,
        })
    }
}

/// Checks an archive's bytes and unpacks it into the empty directory `dest`; the archive's digest. Blocks.
pub(super) fn unpack_checked(
    archive: &CheckedArchive,
    dest: &Path,
    limits: ModuleLimits,
) -> Result<Sha256Digest, ModuleFetchError> {
    check_bytes(&archive.path, archive.checksum.as_ref())?;
    unpack_module(&archive.path, archive.format, dest, limits)?;
    Ok(disk::sha256(&archive.path)?)
}

fn check_bytes(path: &Path, expected: Option<&ModuleChecksum>) -> Result<(), ModuleFetchError> {
    let Some(expected) = expected else {
        return Ok(());
    };
    let got = expected.hash(path).map_err(DiskError::on("read", path))?;
    if got == expected.hex() {
        return Ok(());
    }
    let expected = expected.clone();
    Err(ModuleFetchError::ChecksumMismatch { expected, got })
}

/// The format of the archive that `url` names by its ending or its query.
pub(super) fn archive_format(url: &str, tool: Tool) -> Result<ModuleFormat, ModuleFetchError> {
    Request::of_archive(url, tool).map(|(_, format)| format)
}

fn format_of_content(path: &Path) -> Result<ModuleFormat, ModuleFetchError> {
    let mut start = Vec::new();
    let file = File::open(path).map_err(DiskError::on("open", path))?;
    file.take(6)
        .read_to_end(&mut start)
        .map_err(DiskError::on("read", path))?;
    match &start[..] {
        [b'P', b'K', ..] => Ok(ModuleFormat::Zip),
        [0x1f, 0x8b, ..] => Ok(ModuleFormat::TarGz),
        [0xfd, b'7', b'z', b'X', b'Z', 0] => Ok(ModuleFormat::TarXz),
        [b'B', b'Z', b'h', ..] => Ok(ModuleFormat::TarBz2),
        _ => Err(ModuleFetchError::UnknownContent),
    }
}

fn shortened(text: &str) -> String {
    shown_source(&text.chars().take(200).collect::<String>())
}

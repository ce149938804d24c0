//! Packages: large answers, streamed to disk and hashed on the way.

use futures_util::future::BoxFuture;
use url::Url;

use crate::disk::TempFile;
use crate::hash::Sha256Digest;
use crate::http::login::with_login;
use crate::http::transfer::{Transfer, Transferred};
use crate::http::{Client, HttpError, RetryPolicy};
use crate::secret::{Secret, ShownUrl};

/// Told about the bytes of one download.
pub trait Progress: Send + Sync {
    /// The server announces `bytes` in all; told again for every try that starts over.
    fn announce(&self, bytes: u64);

    /// `bytes` more have arrived.
    fn add(&self, bytes: u64);

    /// The download starts over: nothing has arrived.
    fn restart(&self);

    /// Nothing happens until `wait` is over; who counts what is at work may let others work
    /// meanwhile.
    fn rest<'a>(&'a self, wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        wait
    }
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn announce(&self, _bytes: u64) {}

    fn add(&self, _bytes: u64) {}

    fn restart(&self) {}
}

/// A request for a package. No token of a registry is sent for providers (facts 2.8), and for modules only where their
/// registry serves the package itself (facts/modules 2.4); user information in the URL, or what
/// [`ClientOptions::logins`](crate::http::ClientOptions::logins) has for its host, is sent as basic authentication
/// to that host.
#[derive(Debug, Clone)]
pub struct DownloadRequest {
    /// What to get.
    pub url: Url,
    /// The digest that was announced for the package. What the target holds already is then taken for
    /// its beginning, and only the rest is asked for.
    pub digest: Option<Sha256Digest>,
    /// The size in bytes that was announced for the package elsewhere.
    pub expected_size: Option<u64>,
    /// The token for the host of `url`; it is dropped by the rules for documents.
    pub bearer: Option<Secret>,
    /// The most bytes that the package may have.
    pub cap: u64,
    /// How many redirects are followed.
    pub max_redirects: usize,
    /// Whether and when the request is repeated.
    pub retry: RetryPolicy,
}

/// A package on disk, not yet checked against anything.
#[derive(Debug, Clone)]
pub struct Downloaded {
    /// The SHA-256 of its bytes.
    pub digest: Sha256Digest,
    /// Its size in bytes.
    pub size: u64,
    /// Who sent it, after redirects.
    pub final_url: Url,
    /// The `Content-Type`, as sent.
    pub content_type: Option<String>,
}

impl Client {
    /// Downloads a package into `target` and hashes it while it arrives.
    ///
    /// A cut body is continued where it ended if the server can prove that the file is the same,
    /// and started over otherwise. What an earlier run left in `target` is continued if the digest is
    /// known; if the whole then has another digest, it is fetched once more from its beginning. What is
    /// whole already is not asked for. The file is complete when this returns, but not synced:
    /// [`TempFile::persist`] does that.
    ///
    /// # Errors
    ///
    /// Fails if no complete answer comes within the retries, the status is not 200, a redirect is
    /// not followed, the size is not as expected or above the cap, there is a content encoding, or
    /// writing fails.
    pub async fn download(
        &self,
        request: &DownloadRequest,
        target: &TempFile,
        progress: &dyn Progress,
    ) -> Result<Downloaded, HttpError> {
        let request = &DownloadRequest {
            url: with_login(&request.url, self.logins()),
            ..request.clone()
        };
        if let Some(digest) = request.digest {
            let transfer = Transfer::go_on(self, request, target, progress)?;
            let Transferred {
                downloaded,
                is_pieced,
            } = transfer.run().await?;
            if !is_pieced || downloaded.digest == digest {
                return Ok(downloaded);
            }
            log::info!(
                "the parts of `{}` do not go together, starting over",
                ShownUrl::of(&request.url)
            );
            progress.restart();
        }
        let transfer = Transfer::start(self, request, target, progress)?;
        Ok(transfer.run().await?.downloaded)
    }
}

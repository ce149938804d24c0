//! One download through all its tries: continued where it was cut if the server can prove that the
//! file is the same, started over otherwise.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use reqwest::header::HeaderMap;
use url::Url;

use crate::disk::TempFile;
use crate::http::answer::text;
use crate::http::exchange::{Fault, Outgoing, Reply, exchange, receive, refuse_encoding};
use crate::http::host_budget::{Admission, HostBudget};
use crate::http::promise::Promise;
use crate::http::resume::{ContentRange, Validator, ask_rest};
use crate::http::setback::{Setback, refused};
use crate::http::sink::Sink;
use crate::http::watch::Watch;
use crate::http::{
    Client, DownloadRequest, Downloaded, HttpError, Progress, TransportError, TransportKind,
};
use crate::secret::ShownUrl;

/// A try that brought this much further does not count: a large package over a bad line should
/// arrive in the end, and a server that sends a byte at a time should not keep us forever.
const STEP_FORWARD: u64 = 1 << 20;

/// A download in all its tries.
pub(super) struct Transfer<'a> {
    client: &'a Client,
    request: &'a DownloadRequest,
    progress: &'a dyn Progress,
    sink: Sink,
    /// The bytes still to come, once their number is known.
    promise: Option<Promise>,
    /// How many bytes the sink was given since its last restart.
    offset: u64,
    /// The offset after which the next step forward begins.
    milestone: u64,
    /// What came so far is from an earlier run; the digest will tell whether it goes with the rest.
    is_inherited: bool,
    /// Whether the file was put together from answers to several requests.
    is_pieced: bool,
    /// How the rest can be asked for.
    validator: Option<Validator>,
    /// The size that the server announced.
    total: Option<u64>,
    final_url: Url,
    content_type: Option<String>,
}

/// A complete file, which need not be the right one.
pub(super) struct Transferred {
    pub(super) downloaded: Downloaded,
    /// Whether it was put together from answers to several requests.
    pub(super) is_pieced: bool,
}

impl<'a> Transfer<'a> {
    pub(super) fn start(
        client: &'a Client,
        request: &'a DownloadRequest,
        target: &TempFile,
        progress: &'a dyn Progress,
    ) -> Result<Self, HttpError> {
        let sink = Sink::start(target)?;
        Ok(Self::new(client, request, progress, sink, 0))
    }

    /// Goes on with what the file holds already.
    pub(super) fn go_on(
        client: &'a Client,
        request: &'a DownloadRequest,
        target: &TempFile,
        progress: &'a dyn Progress,
    ) -> Result<Self, HttpError> {
        let most = request.expected_size.unwrap_or(request.cap);
        let (sink, offset) = Sink::go_on(target, most)?;
        if offset > 0 {
            progress.add(offset);
        }
        Ok(Self::new(client, request, progress, sink, offset))
    }

    fn new(
        client: &'a Client,
        request: &'a DownloadRequest,
        progress: &'a dyn Progress,
        sink: Sink,
        offset: u64,
    ) -> Self {
        Self {
            client,
            request,
            progress,
            sink,
            promise: None,
            offset,
            milestone: offset,
            is_inherited: offset > 0,
            is_pieced: false,
            validator: None,
            total: None,
            final_url: request.url.clone(),
            content_type: None,
        }
    }

    /// Tries until the package is there or the retries are used up.
    pub(super) async fn run(mut self) -> Result<Transferred, HttpError> {
        if self.is_whole().await? {
            return self.finish().await;
        }
        let retry = self.request.retry;
        let budget = self.client.budget(&self.request.url);
        let (mut tries, mut setbacks) = (1, 0);
        loop {
            let admission = self.admission(&budget).await;
            let Err(setback) = self.attempt().await else {
                budget.succeeded();
                return self.finish().await;
            };
            // Some servers end a body without saying so, or say a wrong length.
            if setback.is_passing() && self.is_whole().await? {
                return self.finish().await;
            }
            setbacks = if self.stepped_forward() {
                1
            } else {
                setbacks + 1
            };
            let asked = setback.asked();
            if setbacks > retry.retries
                || !setback.is_passing()
                || retry.is_too_long(&self.request.url, asked)
            {
                // What has come may be of use to another run, once it is written.
                if let Err(error) = self.sink.finish().await {
                    log::info!("{error}");
                }
                return Err(setback.into_error(tries));
            }
            let reason = setback.reason();
            let pause = retry.announced_pause(&self.request.url, setbacks, &reason, asked);
            if setback.tells_a_limit() {
                budget.exceeded(pause);
            }
            drop(admission);
            self.progress.rest(tokio::time::sleep(pause).boxed()).await;
            tries += 1;
        }
    }

    /// Waits until the host takes one more request.
    async fn admission(&self, budget: &Arc<HostBudget>) -> Admission {
        let mut admission = Arc::clone(budget).admission().boxed();
        if let Some(admission) = (&mut admission).now_or_never() {
            return admission;
        }
        let mut admitted = None;
        self.progress
            .rest(async { admitted = Some(admission.await) }.boxed())
            .await;
        admitted.expect("resting ends when there is an admission")
    }

    /// Whether an earlier run has left the whole package.
    async fn is_whole(&mut self) -> Result<bool, HttpError> {
        if self.offset == 0 {
            return Ok(false);
        }
        let so_far = self.sink.digest_so_far().await?;
        Ok(self.request.digest == Some(so_far))
    }

    /// Gets the package or its rest.
    async fn attempt(&mut self) -> Result<(), Setback> {
        let mut headers = HeaderMap::new();
        match &self.validator {
            _ if self.offset == 0 => self.start_over().await?,
            Some(validator) => validator.ask_rest(&mut headers, self.offset),
            None if self.is_inherited => ask_rest(&mut headers, self.offset),
            None => self.start_over().await?,
        }
        let asked_rest = !headers.is_empty();
        let (url, max_redirects) = (&self.request.url, self.request.max_redirects);
        let outgoing = Outgoing {
            url,
            headers,
            bearer: self.request.bearer.as_ref(),
            max_redirects,
        };
        let reply = exchange(self.client.packages(), &outgoing, self.client.limits()).await?;
        match reply.response.status().as_u16() {
            200 => self.begin(&reply).await?,
            206 if asked_rest => self.resume(&reply)?,
            416 if asked_rest => return Err(self.wrong_range(&reply.url)),
            status => return Err(refused(&reply, status)),
        }
        self.pump(reply).await
    }

    /// Forgets what came so far.
    async fn start_over(&mut self) -> Result<(), HttpError> {
        self.validator = None;
        self.is_inherited = false;
        self.is_pieced = false;
        self.total = None;
        if self.offset > 0 {
            log::info!("`{}` starts over", ShownUrl::of(&self.request.url));
            self.offset = 0;
            self.sink.restart().await?;
            self.progress.restart();
        }
        Ok(())
    }

    /// Takes the head of a whole package.
    async fn begin(&mut self, reply: &Reply) -> Result<(), Fault> {
        refuse_encoding(reply)?;
        self.start_over().await?;
        let headers = reply.response.headers();
        self.total = reply.response.content_length();
        self.validator = Validator::of(headers);
        self.content_type = text(headers, "content-type").map(str::to_owned);
        self.final_url = reply.url.clone();
        if let Some(total) = self.total {
            self.check_size(total)?;
            if let Some(expected) = self.request.expected_size.filter(|size| *size != total) {
                return Err(self.size_mismatch(expected, total).into());
            }
            self.make_room(total)?;
            self.progress.announce(total);
        }
        Ok(())
    }

    /// Makes sure that the disk has room for what is to come, beside all other downloads.
    fn make_room(&mut self, total: u64) -> Result<(), HttpError> {
        self.promise = None;
        let rest = total.saturating_sub(self.offset);
        self.promise = Some(self.client.promises().promise(self.sink.path(), rest)?);
        Ok(())
    }

    /// Takes the head of the rest of a package.
    fn resume(&mut self, reply: &Reply) -> Result<(), Fault> {
        refuse_encoding(reply)?;
        let headers = reply.response.headers();
        let total = self.total.or(self.request.expected_size);
        let range = ContentRange::of(headers).filter(|range| range.continues(self.offset, total));
        let is_same = match &self.validator {
            Some(validator) => validator.fits(headers),
            None => self.is_inherited,
        };
        match range {
            Some(range) if is_same => {
                log::info!(
                    "`{}` goes on at byte {}",
                    ShownUrl::of(&reply.url),
                    self.offset
                );
                self.is_pieced = true;
                let total = range.last + 1;
                self.check_size(total)?;
                if self.is_inherited && self.validator.is_none() {
                    self.validator = Validator::of(headers);
                    self.progress.announce(total);
                }
                self.total = Some(total);
                Ok(self.make_room(total)?)
            }
            _ => Err(self.wrong_range_fault(&reply.url)),
        }
    }

    /// The next try will not ask for the rest again.
    fn wrong_range(&mut self, url: &Url) -> Setback {
        Setback::Fault(self.wrong_range_fault(url))
    }

    fn wrong_range_fault(&mut self, url: &Url) -> Fault {
        self.validator = None;
        self.is_inherited = false;
        Fault::Transport {
            url: ShownUrl::of(url),
            source: TransportError::wrong_range(),
        }
    }

    /// Moves the body to the sink.
    async fn pump(&mut self, mut reply: Reply) -> Result<(), Setback> {
        let silence = self.client.limits().silence;
        let mut watch = Watch::start(self.offset);
        loop {
            let next = reply.response.chunk();
            match receive(next, &reply.url, TransportKind::Stalled, silence).await? {
                Some(bytes) => self.take(bytes).await?,
                None => return Ok(self.check_complete()?),
            }
            if watch.is_trickle(self.offset, silence) {
                return Err(Setback::Fault(Fault::Transport {
                    url: ShownUrl::of(&reply.url),
                    source: TransportError::trickle(),
                }));
            }
        }
    }

    async fn take(&mut self, bytes: Bytes) -> Result<(), HttpError> {
        let count = bytes.len() as u64;
        self.check_size(self.offset.saturating_add(count))?;
        self.sink.append(bytes).await?;
        self.offset += count;
        if let Some(promise) = &mut self.promise {
            promise.keep(count);
        }
        self.progress.add(count);
        Ok(())
    }

    /// Checks that a package of at least `size` bytes is allowed and expected.
    fn check_size(&self, size: u64) -> Result<(), HttpError> {
        let cap = self.request.cap;
        if let Some(expected) = self.whole_size().filter(|expected| size > *expected) {
            return Err(self.size_mismatch(expected, size));
        }
        if size > cap {
            return Err(HttpError::TooLarge {
                url: ShownUrl::of(&self.final_url),
                cap,
            });
        }
        Ok(())
    }

    /// A body may end early without an error, where its length was not announced.
    fn check_complete(&self) -> Result<(), Fault> {
        match self.whole_size() {
            Some(expected) if self.offset < expected => Err(Fault::Transport {
                url: ShownUrl::of(&self.final_url),
                source: TransportError::cut(self.offset, expected),
            }),
            _ => Ok(()),
        }
    }

    fn whole_size(&self) -> Option<u64> {
        self.request.expected_size.or(self.total)
    }

    fn size_mismatch(&self, expected: u64, got: u64) -> HttpError {
        HttpError::SizeMismatch {
            url: ShownUrl::of(&self.final_url),
            expected,
            got,
        }
    }

    /// Whether the tries since the last call that said so came a good deal further.
    fn stepped_forward(&mut self) -> bool {
        let stepped = self.offset >= self.milestone.saturating_add(STEP_FORWARD);
        if stepped {
            self.milestone = self.offset;
        }
        stepped
    }

    async fn finish(self) -> Result<Transferred, HttpError> {
        let downloaded = Downloaded {
            digest: self.sink.finish().await?,
            size: self.offset,
            final_url: self.final_url,
            content_type: self.content_type,
        };
        Ok(Transferred {
            downloaded,
            is_pieced: self.is_pieced,
        })
    }
}

//! Where the bytes of a package go: hashed and written on a thread of its own, while the network
//! brings the next ones.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::disk::{DiskError, TempFile};
use crate::hash::Sha256Digest;

/// How many pieces may wait. The HTTP library hands out up to about 400 KiB at once, so this bounds the
/// memory of one download.
const QUEUE: usize = 4;

/// Small pieces are joined to writes of this size.
const WRITE_SIZE: usize = 256 << 10;

enum Order {
    Append(Bytes),
    Restart,
    Tell(oneshot::Sender<Sha256Digest>),
}

/// The writing end of a package file, with the digest of all that was appended.
pub(super) struct Sink {
    orders: Sender<Order>,
    worker: JoinHandle<io::Result<Sha256Digest>>,
    path: PathBuf,
}

impl Sink {
    /// Starts writing at the beginning of `target`.
    pub(super) fn start(target: &TempFile) -> Result<Self, DiskError> {
        Self::go_on(target, 0).map(|(sink, _)| sink)
    }

    /// Goes on at the end of `target`, after at most `most` bytes; more than that cannot be the
    /// beginning of what is to come. Tells how many bytes there are.
    pub(super) fn go_on(target: &TempFile, most: u64) -> Result<(Self, u64), DiskError> {
        let path = target.path().to_owned();
        let open = || {
            let mut file = target.file().try_clone()?;
            let size = file.metadata()?.len();
            let kept = if size <= most { size } else { 0 };
            file.set_len(kept)?;
            file.rewind()?;
            Ok((file, kept))
        };
        let (file, kept) = open().map_err(DiskError::on("write", &path))?;
        let (orders, queue) = channel(QUEUE);
        let worker = spawn_blocking(move || work(file, queue));
        let sink = Self {
            orders,
            worker,
            path,
        };
        Ok((sink, kept))
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends `bytes`; waits while the disk is slower than the network.
    pub(super) async fn append(&mut self, bytes: Bytes) -> Result<(), DiskError> {
        self.order(Order::Append(bytes)).await
    }

    /// Forgets everything appended so far.
    pub(super) async fn restart(&mut self) -> Result<(), DiskError> {
        self.order(Order::Restart).await
    }

    /// The digest of all that is there now.
    pub(super) async fn digest_so_far(&mut self) -> Result<Sha256Digest, DiskError> {
        let (ask, answer) = oneshot::channel();
        self.order(Order::Tell(ask)).await?;
        match answer.await {
            Ok(digest) => Ok(digest),
            Err(_) => Err(self.failure().await),
        }
    }

    /// Waits until all is written and returns the digest.
    pub(super) async fn finish(self) -> Result<Sha256Digest, DiskError> {
        drop(self.orders);
        flat(self.worker.await).map_err(DiskError::on("write", &self.path))
    }

    async fn order(&mut self, order: Order) -> Result<(), DiskError> {
        if self.orders.send(order).await.is_ok() {
            return Ok(());
        }
        Err(self.failure().await)
    }

    /// Why the worker stopped; by itself it only does so when it fails.
    async fn failure(&mut self) -> DiskError {
        let result = flat((&mut self.worker).await);
        let stopped = || io::Error::other("the writing thread stopped");
        let error = result.err().unwrap_or_else(stopped);
        DiskError::on("write", &self.path)(error)
    }
}

fn flat<T>(result: Result<io::Result<T>, tokio::task::JoinError>) -> io::Result<T> {
    result.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Hashes what the file holds from its position on, then does what is ordered.
fn work(mut file: File, mut queue: Receiver<Order>) -> io::Result<Sha256Digest> {
    let mut hasher = Sha256::new();
    hash_rest(&mut file, &mut hasher)?;
    let mut writer = BufWriter::with_capacity(WRITE_SIZE, file);
    let mut batch = Vec::with_capacity(QUEUE);
    while queue.blocking_recv_many(&mut batch, QUEUE) > 0 {
        for order in batch.drain(..) {
            match order {
                Order::Append(bytes) => {
                    hasher.update(&bytes);
                    writer.write_all(&bytes)?;
                }
                Order::Tell(ask) => {
                    let digest = Sha256Digest(hasher.clone().finalize().into());
                    // Who asked may have been interrupted.
                    let _ = ask.send(digest);
                }
                Order::Restart => {
                    hasher = Sha256::new();
                    writer.flush()?;
                    rewind(writer.get_mut())?;
                }
            }
        }
    }
    writer.flush()?;
    Ok(Sha256Digest(hasher.finalize().into()))
}

fn hash_rest(file: &mut File, hasher: &mut Sha256) -> io::Result<()> {
    if file.metadata()?.len() == 0 {
        return Ok(());
    }
    let mut buffer = vec![0; WRITE_SIZE];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn rewind(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest_of(bytes: &[u8]) -> Sha256Digest {
        Sha256Digest(Sha256::digest(bytes).into())
    }

    #[tokio::test]
    async fn file_and_digest_hold_what_was_appended_after_the_last_restart() {
        let root = tempfile::tempdir().unwrap();
        let target = TempFile::create_beside(&root.path().join("package")).unwrap();
        let mut sink = Sink::start(&target).unwrap();
        sink.append(Bytes::from(vec![1; 3 * WRITE_SIZE]))
            .await
            .unwrap();
        sink.append(Bytes::from_static(b"wrong")).await.unwrap();
        sink.restart().await.unwrap();
        sink.append(Bytes::from_static(b"ri")).await.unwrap();
        sink.append(Bytes::from_static(b"ght")).await.unwrap();
        assert_eq!(sink.finish().await.unwrap(), digest_of(b"right"));
        assert_eq!(std::fs::read(target.path()).unwrap(), b"right");
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn full_disk_is_told_with_the_path() {
        let file = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let (orders, queue) = channel(QUEUE);
        let worker = spawn_blocking(move || work(file, queue));
        let mut sink = Sink {
            orders,
            worker,
            path: "package".into(),
        };
        let big = Bytes::from(vec![0; 2 * WRITE_SIZE]);
        let error = loop {
            if let Err(error) = sink.append(big.clone()).await {
                break error;
            }
        };
        assert_eq!(error.to_string(), "cannot write `package`");
        assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
    }
}

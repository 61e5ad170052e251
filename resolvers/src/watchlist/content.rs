//! Contents of the store of files, as readers take them that wait for what they read.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use cypher::statements::rows::WatchlistUpload;
use futures::StreamExt;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::{Inner, Result};

/// Parts that are read ahead.
const AHEAD: usize = 4;

/// A content, for a thread that may wait.
pub(super) struct Content {
    parts: mpsc::Receiver<io::Result<Bytes>>,
    part: Bytes,
    /// Bytes that are still to come.
    left: u64,
    broke: Arc<AtomicBool>,
}

/// Brings a content's parts. When it is dropped the content ends, and the thread that reads it with it.
pub(super) struct Bringing(JoinHandle<()>);

impl Drop for Bringing {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What was uploaded. `broke` is set where the store fails, or gives less than was uploaded: then what was read is not what is there.
pub(super) async fn content(inner: &Inner, upload: &WatchlistUpload, broke: &Arc<AtomicBool>) -> Result<(BufReader<Content>, Bringing)> {
    let mut stream = inner.settings.files.store.content(&upload.key).await?;
    let (sender, parts) = mpsc::channel(AHEAD);
    let bringing = tokio::spawn(async move {
        while let Some(part) = stream.next().await {
            if sender.send(part).await.is_err() {
                return;
            }
        }
    });
    let left = u64::try_from(upload.size).unwrap_or_default();
    let content = Content { parts, part: Bytes::new(), left, broke: Arc::clone(broke) };
    Ok((BufReader::with_capacity(64 << 10, content), Bringing(bringing)))
}

impl Read for Content {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            match self.parts.blocking_recv() {
                Some(Ok(part)) => {
                    self.left = self.left.saturating_sub(part.len() as u64);
                    self.part = part;
                }
                Some(Err(error)) => {
                    self.broke.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                None if self.left == 0 => return Ok(0),
                None => {
                    self.broke.store(true, Ordering::Relaxed);
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
        let taken = out.len().min(self.part.len());
        out[..taken].copy_from_slice(&self.part.split_to(taken));
        Ok(taken)
    }
}

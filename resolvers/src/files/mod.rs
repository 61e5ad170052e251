//! Files of cases, in an object store: a folder, or S3.
//!
//! What is in the store lies below a prefix of the graph's own ([`own`]): others may keep theirs in the same place.
//! A content goes to the store in parts while it comes in, so that a file is never whole in memory. Who may see it is the graph's to say: an object
//! that no node names is nobody's, and what an upload leaves behind that came to no good end is removed, at once where it is known
//! ([`Received::discard`]), or by the job `stray-files` where the process died over it.

pub(crate) mod kind;
pub(crate) mod macros;
pub(crate) mod name;
mod own;
pub(crate) mod stray;
pub(crate) mod text;
pub(crate) mod told;

use std::fmt;
use std::path::{Path as Folder, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{BackoffConfig, MultipartUpload, ObjectStore, ObjectStoreExt, RetryConfig};
use sha2::{Digest, Sha256};

pub(crate) use kind::{FileKind, Inspection};
pub(crate) use name::{FileName, as_given};
pub(crate) use own::OwnPrefix;
pub(crate) use stray::remove_stray;
use told::told;

use crate::{Error, Result, TooLarge};

/// Most bytes of a file.
pub const MAX_FILE: usize = 50 << 20;
/// What goes to the store at once: the least that S3 takes for a part.
const PART: usize = 5 << 20;
/// Files are mostly smaller than this.
const SMALL: usize = 256 << 10;
/// How long the store is waited for, in all, when it does not answer.
const PATIENCE: Duration = Duration::from_secs(5);
const AFTER_A_FAILURE: Duration = Duration::from_secs(2);

/// Why a file is not taken for what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileFault {
    /// Its name has no extension that stands for a type that is taken.
    Extension { known: String },
    /// Its content is not of the type that its name says.
    Content { wanted: &'static str, problem: String },
}

impl fmt::Display for FileFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileFault::Extension { known } => write!(formatter, "its name must end with one of {known}"),
            FileFault::Content { wanted, problem } => write!(formatter, "by its name it is {wanted}, but {problem}"),
        }
    }
}

/// Where files are kept. Cheap to clone.
#[derive(Clone)]
pub struct FileStore {
    objects: Arc<dyn ObjectStore>,
    prefix: Path,
    /// Where it is a folder: what a process leaves there that died is none of the store's objects.
    folder: Option<PathBuf>,
}

impl Default for FileStore {
    /// In memory, for as long as it lives.
    fn default() -> Self {
        Self { objects: Arc::new(InMemory::new()), prefix: Path::default(), folder: None }
    }
}

impl fmt::Debug for FileStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FileStore").field("objects", &self.objects.to_string()).finish_non_exhaustive()
    }
}

impl FileStore {
    /// Files in a folder, which is made where it is not there.
    pub fn folder(folder: &Folder) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let objects = LocalFileSystem::new_with_prefix(folder).map_err(std::io::Error::other)?.with_fsync(true);
        Ok(Self { objects: Arc::new(objects), prefix: Path::default(), folder: Some(folder.canonicalize()?) })
    }

    /// Files in a bucket of S3, below a prefix. Address and credentials are those of the usual variables (`AWS_…`).
    pub fn s3(bucket: &str, prefix: &str) -> std::result::Result<Self, String> {
        let retry = RetryConfig { backoff: BackoffConfig::default(), max_retries: 3, retry_timeout: PATIENCE };
        let objects = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry).build().map_err(|error| error.to_string())?;
        let prefix = Path::parse(prefix).map_err(|error| error.to_string())?;
        Ok(Self { objects: Arc::new(objects), prefix, folder: None })
    }

    /// Where is what has a key.
    fn place(&self, key: &str) -> Path {
        let mut place = self.prefix.clone();
        place.extend(key.split('/'));
        place
    }

    /// Takes a content in, as far as it is one that is taken.
    pub(crate) async fn receive(&self, key: &str, taken: Taken, mut content: BoxStream<'_, Result<Bytes>>) -> Result<Received> {
        let mut upload = Upload { store: self, place: self.place(key), waiting: Vec::new(), under_way: None };
        let (mut size, mut digest, mut inspection) = (0, Sha256::new(), taken.kind.map(Inspection::of));
        while let Some(part) = content.try_next().await? {
            size += part.len();
            if size > taken.most {
                return Err(Error::TooLarge(TooLarge::File { most: taken.most }));
            }
            digest.update(&part);
            if let Some(inspection) = &mut inspection {
                inspection.take(&part).await.map_err(Error::UnsupportedFile)?;
            }
            upload.take(&part).await?;
        }
        if size == 0 {
            return Err(Error::invalid("file", "must not be empty"));
        }
        if let Some(inspection) = inspection {
            inspection.end().await.map_err(Error::UnsupportedFile)?;
        }
        upload.end().await?;
        let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Received { store: self.clone(), place: self.place(key), size: size as i64, sha256 })
    }

    /// Removes a content that nobody needs any more. Where that fails, the job that looks for stray ones does it.
    pub(crate) async fn remove(&self, key: &str) {
        match self.objects.delete(&self.place(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => tracing::warn!(error = told(&error), "a content that nobody needs stays for now"),
        }
    }

    /// The content of a file that is there.
    pub(crate) async fn content(&self, key: &str) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
        match self.objects.get(&self.place(key)).await {
            Ok(found) => Ok(found.into_stream().map_err(|error| std::io::Error::other(told(&error))).boxed()),
            Err(object_store::Error::NotFound { .. }) => Err(Error::Internal("a file that the graph has is not in the store".to_owned())),
            Err(error) => Err(unavailable(&error)),
        }
    }
}

/// What is taken for a content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// Bytes.
    pub most: usize,
    /// The type that it must be of.
    pub kind: Option<FileKind>,
}

impl Taken {
    /// A file of a case.
    pub fn file(kind: FileKind) -> Self {
        Self { most: MAX_FILE, kind: Some(kind) }
    }
}

/// A content that is complete in the store, and nobody's as yet.
pub(crate) struct Received {
    store: FileStore,
    place: Path,
    pub size: i64,
    pub sha256: String,
}

impl Received {
    /// Nobody wants it.
    pub async fn discard(self) {
        if let Err(error) = self.store.objects.delete(&self.place).await {
            tracing::warn!(error = told(&error), "a file that nobody wants stays for now");
        }
    }
}

/// A content on its way to the store. When it is dropped before its end, what is there of it goes.
struct Upload<'a> {
    store: &'a FileStore,
    place: Path,
    waiting: Vec<u8>,
    /// Nothing was sent yet where there is none: a small file goes as one.
    under_way: Option<Box<dyn MultipartUpload>>,
}

impl Upload<'_> {
    async fn take(&mut self, mut part: &[u8]) -> Result<()> {
        while !part.is_empty() {
            let (now, later) = part.split_at(part.len().min(PART - self.waiting.len()));
            self.make_room(now.len());
            self.waiting.extend_from_slice(now);
            part = later;
            if self.waiting.len() == PART {
                let full = std::mem::take(&mut self.waiting);
                self.send(full.into()).await?;
            }
        }
        Ok(())
    }

    /// Room for so many bytes more, and never for more than a part: what is held is counted.
    fn make_room(&mut self, more: usize) {
        let wanted = self.waiting.len() + more;
        if wanted > self.waiting.capacity() {
            let room = if wanted <= SMALL { SMALL } else { PART };
            self.waiting.reserve_exact(room - self.waiting.len());
        }
    }

    async fn send(&mut self, part: Bytes) -> Result<()> {
        let upload = match &mut self.under_way {
            Some(upload) => upload,
            none => none.insert(self.store.objects.put_multipart(&self.place).await.map_err(|error| unavailable(&error))?),
        };
        upload.put_part(part.into()).await.map_err(|error| unavailable(&error))
    }

    async fn end(mut self) -> Result<()> {
        let rest = Bytes::from(std::mem::take(&mut self.waiting));
        if self.under_way.is_none() {
            let done = self.store.objects.put(&self.place, rest.into()).await;
            return done.map(drop).map_err(|error| unavailable(&error));
        }
        if !rest.is_empty() {
            self.send(rest).await?;
        }
        let Some(upload) = &mut self.under_way else { return Ok(()) };
        upload.complete().await.map_err(|error| unavailable(&error))?;
        self.under_way = None;
        Ok(())
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        let Some(mut upload) = self.under_way.take() else { return };
        // Whoever waited for it may be gone; outside a runtime there is nobody to do it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = upload.abort().await {
                    tracing::warn!(error = told(&error), "an upload that broke off stays in the store for now");
                }
            });
        }
    }
}

/// The store can't be used now: it is away, or full.
fn unavailable(error: &object_store::Error) -> Error {
    tracing::warn!(error = told(error), "the store of files can't be used");
    Error::Unavailable { retry_after: AFTER_A_FAILURE }
}

//! Files that are uploaded to be imported: kept in the store of files until an import has ended, or their time is over.

use bytes::Bytes;
use cypher::statements::rows::WatchlistUpload;
use cypher::{Params, map, statements};
use futures::stream::BoxStream;
use graph_schema::date::Timestamp;
use graph_schema::id::FileId;
use serde::Serialize;

use super::import::ImportWatchlist;
use crate::clock::millis;
use crate::files::Taken;
use crate::idempotency::Left;
use crate::policy::{Action, Subject};
use crate::queue::{Put, Rank, Write};
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

/// The label of uploads' nodes.
const UPLOAD: &str = "WatchlistUpload";

/// How many one transaction forgets.
const AT_A_TIME: i64 = 1000;

/// A file that was taken.
#[derive(Debug, Clone, Serialize)]
pub struct UploadedList {
    /// What an import names.
    pub id: String,
    /// Bytes.
    pub size: i64,
    pub sha256: String,
    pub uploaded_at: Timestamp,
    /// When it is removed, unless it is imported before.
    pub kept_until: Timestamp,
}

static KEEP_UPLOAD: Put = Put::of(statements::watchlist::KEEP_UPLOAD, Rank::Administration);

impl Resolvers {
    /// Takes a file in while it comes. What is refused, or breaks off, leaves nothing. What is in it is read when it is imported.
    #[boxed]
    pub async fn upload_list<'a>(&'a self, caller: &'a Caller, content: BoxStream<'a, Result<Bytes>>) -> Result<UploadedList> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::ImportWatchlists, Subject::List(UPLOAD))?;
        let id = FileId::new(inner.clock.id());
        let key = inner.key_of_file(&id).await?;
        let settings = &inner.settings.watchlists;
        let received = inner.settings.files.store.receive(&key, Taken { most: settings.upload, kind: None }, content).await?;
        let now = inner.clock.now();
        let uploaded = UploadedList {
            id: id.as_str().to_owned(),
            size: received.size,
            sha256: received.sha256.clone(),
            uploaded_at: now,
            kept_until: Timestamp(now.millis().saturating_add(millis(settings.keep_uploads_for))),
        };
        let said = serde_json::to_string(&uploaded).map_err(|error| Error::Internal(error.to_string()))?;
        let entry = inner.entry(&permit, UPLOAD, id.as_str(), "watchlist.uploaded").with_new_value(said);
        let props = map([
            ("name", format!("Upload of {now}").into()),
            ("key", key.into()),
            ("size", uploaded.size.into()),
            ("sha256", uploaded.sha256.as_str().into()),
            ("uploadedAt", now.millis().into()),
            ("uploadedBy", caller.id.as_str().into()),
        ]);
        let row = map([("id", id.as_str().into()), ("props", props)]);
        match inner.queue.write(&KEEP_UPLOAD, Write::new(row, entry)).await {
            Ok(()) => Ok(uploaded),
            // Where it is not known whether it was kept, the job that looks for stray contents will know.
            Err(error @ (Error::Unavailable { .. } | Error::Internal(_))) => Err(error),
            Err(error) => {
                received.discard().await;
                Err(error)
            }
        }
    }
}

/// What an import's files have in them, as far as one text can say it.
pub(super) fn content_of(job: &ImportWatchlist, uploads: &[WatchlistUpload]) -> String {
    let sha256 = |id: &str| uploads.iter().find(|upload| upload.id == id).map_or("", |upload| upload.sha256.as_str());
    match &job.aliases {
        Some(aliases) => format!("{}+{}", sha256(&job.upload), sha256(aliases)),
        None => sha256(&job.upload).to_owned(),
    }
}

/// Forgets some of the files whose time is over; their contents go with what no node names.
pub(crate) async fn forget_some(inner: &Inner) -> Result<Left> {
    let before = inner.clock.now().millis().saturating_sub(millis(inner.settings.watchlists.keep_uploads_for));
    let params = Params::none().with("before", before).with("most", AT_A_TIME);
    let rows = inner.engine.write_as(statements::watchlist::FORGET_UPLOADS, params).await?;
    let forgotten = statements::watchlist::FORGET_UPLOADS.first(rows)?.forgotten;
    Ok(if forgotten >= AT_A_TIME { Left::Perhaps } else { Left::Nothing })
}

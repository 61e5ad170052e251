//! Making a staged version count: one small transaction, with the audit entry that says so.

use std::time::Duration;

use cypher::statements::rows::LockedWatchlist;
use cypher::{Key, Reading, Value, WriteStatement, map, statements};
use serde_json::json;

use super::import::ImportWatchlist;
use super::{WATCHLIST, version_id};
use crate::policy::Permit;
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Error, Inner, ObjectKind, Result};

/// How long is waited where another import has come between.
const AFTER_ANOTHER: Duration = Duration::from_secs(2);

/// How many of each a version has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Published {
    pub entries: u64,
    pub added: u64,
    pub changed: u64,
    pub ended: u64,
    pub notes: u64,
}

impl Inner {
    /// Makes the version behind `base` count, which the job has staged. Done again it changes nothing.
    pub(super) async fn publish_watchlist(
        &self,
        permit: &Permit<'_>,
        import: &ImportWatchlist,
        (base, job): (i64, &str),
        (format, sha256): (&str, &str),
        counts: Published,
    ) -> Result<()> {
        let ImportWatchlist { list, name, by, by_name, .. } = import;
        let (number, now) = (base + 1, self.clock.now());
        let count = |number: u64| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
        let props: Vec<(Key, Value)> = vec![
            ("version".into(), number.into()),
            ("entries".into(), count(counts.entries)),
            ("format".into(), format.into()),
            ("sha256".into(), sha256.into()),
            ("importedAt".into(), now.millis().into()),
            ("publishedBy".into(), job.into()),
        ];
        let fields: Vec<(Key, Value)> = vec![
            ("name".into(), format!("{name}, version {number}").into()),
            ("number".into(), number.into()),
            ("publishedAt".into(), now.millis().into()),
            ("publishedBy".into(), by.as_str().into()),
            ("publishedByName".into(), by_name.as_str().into()),
            ("jobId".into(), job.into()),
            ("format".into(), format.into()),
            ("sha256".into(), sha256.into()),
            ("entries".into(), count(counts.entries)),
            ("added".into(), count(counts.added)),
            ("changed".into(), count(counts.changed)),
            ("ended".into(), count(counts.ended)),
            ("notes".into(), count(counts.notes)),
        ];
        let row = map([
            ("id", list.as_str().into()),
            ("props", Value::Map(props)),
            ("versionId", version_id(list, number).into()),
            ("fields", Value::Map(fields)),
            // It is queued where the version counts, and nowhere else, whatever dies.
            ("jobs", Value::List(self.rescreening_row((list, name, number), (by, by_name))?.into_iter().collect())),
        ]);
        let said = json!({"version": number, "format": format, "sha256": sha256, "entries": counts.entries, "added": counts.added,
            "changed": counts.changed, "ended": counts.ended, "jobId": job, "requestedBy": by, "requestedByName": by_name});
        let entry = self.entry(permit, WATCHLIST, list, "watchlist.published").with_new_value(said.to_string());
        let publication = Publication { list: list.clone(), job: job.to_owned(), base, row };
        self.queue.write(&Amending::<Publish>::NEW, Write::new(publication, entry)).await?;
        self.waker.wake_jobs();
        Ok(())
    }
}

/// A version that is to count.
struct Publication {
    list: String,
    job: String,
    base: i64,
    row: Value,
}

struct Publish;

impl Amend for Publish {
    type Row = Publication;
    type Locked = LockedWatchlist;
    type Stored = LockedWatchlist;
    type Answer = ();

    const LOCK: Reading<LockedWatchlist> = statements::watchlist::LOCK;
    const WRITE: WriteStatement = statements::watchlist::PUBLISH;
    const RANK: Rank = Rank::Administration;

    fn id(publication: &Publication) -> &str {
        &publication.list
    }

    fn decide(publication: &Publication, stored: Option<LockedWatchlist>, _: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| Error::not_found(ObjectKind::Watchlist, &publication.list))?;
        if stored.published_by.as_deref() == Some(publication.job.as_str()) {
            return Ok(Amended::nothing(()));
        }
        if stored.version != publication.base || stored.held_by.as_deref() != Some(publication.job.as_str()) {
            // What was staged is another's to tidy up; this import begins anew.
            return Err(Error::Unavailable { retry_after: AFTER_ANOTHER });
        }
        let old = (stored.version > 0).then(|| json!({"version": stored.version}).to_string());
        Ok(Amended::by((), publication.row.clone()).replacing(old))
    }
}

//! Starting jobs and cancelling them.

use std::sync::Arc;

use cypher::statements::rows::{LockedJob, PreparedJob};
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::job::JobStatus;

use super::JobKind;
use crate::audit::AuditDraft;
use crate::policy::{Action, Permit, Subject, may};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::values::word;
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed};

/// The label of jobs' nodes.
pub(super) const JOB: &str = "JobInstance";

/// What the audit log calls it that a job was queued.
const QUEUED: &str = "job.queued";

/// What is said of a new job besides what it is about.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// What people see of it.
    pub name: String,
    /// Those with more come first.
    pub priority: i64,
    /// While a job of the kind with this key has not ended, that is the job that is wanted.
    pub deduplication_key: Option<String>,
}

impl Resolvers {
    /// Queues a job of any kind; answers with its id, or with that of the job with the same deduplication key that has not ended.
    pub async fn start_job<J: JobKind>(&self, caller: &Caller, job: &J, wanted: Wanted, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let permit = self.inner.enter(caller, Action::StartJobs, Subject::List(JOB))?;
        let said = serde_json::to_string(job).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(self.inner.start_job(&permit, job, wanted, Once { key, body: &said }).await?.text)
    }

    /// Cancels a job: it ends at once where nobody is at it, else within a second. One that has ended stays as it is. For those who may see all jobs, and
    /// for whoever has started it.
    #[boxed]
    pub async fn cancel_job(&self, caller: &Caller, id: &str, key: Option<IdempotencyKey>) -> Result<()> {
        let inner = &self.inner;
        let of_all = may(caller, Action::CancelJobs).is_ok();
        let permit = inner.enter(caller, if of_all { Action::CancelJobs } else { Action::CancelOwnJob }, Subject::One(JOB, id))?;
        let entry = inner.entry(&permit, JOB, id, "job.cancelled");
        let wanted = Cancelling { id: id.to_owned(), by: caller.id.clone(), of_all };
        inner.answer_once(&permit, Once { key, body: "" }, id, &Amending::<Cancel>::NEW, Write::new(wanted, entry)).await?;
        Ok(())
    }
}

impl Inner {
    /// Queues a job; answers with its id, or with that of the job with the same deduplication key that has not ended.
    /// `once.body` is what whoever asked for it has said: the same again under the same key is the same request.
    pub(crate) async fn start_job<J: JobKind>(&self, permit: &Permit<'_>, job: &J, wanted: Wanted, once: Once<'_>) -> Result<Answered> {
        let payload = serde_json::to_string(job).map_err(|error| Error::Internal(error.to_string()))?;
        self.queue_job(permit, (J::KIND, payload), wanted, once).await
    }

    /// The id of the job that the same request has started before, under the same key.
    pub(crate) async fn started_before<J: JobKind>(&self, permit: &Permit<'_>, once: Once<'_>) -> Result<Option<Arc<str>>> {
        let said = said(J::KIND, &once);
        self.answered_before(permit, QUEUED, Once { key: once.key, body: &said }).await
    }

    /// A new job: its id, its row, and what the audit log says of it.
    fn queued(&self, permit: &Permit<'_>, (kind, payload): (&'static str, &str), wanted: Wanted) -> (String, Value, AuditDraft) {
        let id = self.clock.id();
        let entry = self.entry(permit, JOB, &id, QUEUED).with_new_value(payload.to_owned());
        let row = row_of(permit.caller(), &id, self.clock.now(), (kind, payload, wanted), DoneBy::Workers);
        (id, row, entry)
    }

    #[boxed]
    async fn queue_job<'a>(
        &'a self,
        permit: &'a Permit<'_>,
        (kind, payload): (&'static str, String),
        wanted: Wanted,
        once: Once<'a>,
    ) -> Result<Answered> {
        let deduplication_key = wanted.deduplication_key.clone();
        let (id, row, entry) = self.queued(permit, (kind, &payload), wanted);
        let new = NewJob { id, kind, deduplication_key, size: payload.len(), row };
        let said = said(kind, &once);
        let once = Once { key: once.key, body: &said };
        let mut write = Write::new(new, entry);
        // Of two of a kind the second has to see the first.
        let of_kind = LockHint::of("JobKind", kind);
        write.locks.push(of_kind);
        write.in_turn.push(of_kind);
        let answered = self.answer_new_as_decided(permit, once, &Amending::<Queue>::NEW, write).await?;
        self.waker.wake_jobs();
        Ok(answered)
    }
}

/// What is compared when a key is used again.
fn said(kind: &str, once: &Once<'_>) -> String {
    format!("{kind}\n{}", once.body)
}

/// Who does a job.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DoneBy {
    /// Whichever worker claims it.
    Workers,
    /// The standing job of its kind, of so many items.
    StandingJob { items: usize },
}

/// The row by which a job is made.
pub(crate) fn row_of(caller: &Caller, id: &str, now: Timestamp, (kind, payload, wanted): (&str, &str, Wanted), done_by: DoneBy) -> Value {
    let (total, open) = match done_by {
        DoneBy::Workers => (None, vec![Value::from(true)]),
        DoneBy::StandingJob { items } => (Some(items as i64), Vec::new()),
    };
    // Of one without items nothing is ever done.
    let (status, ended_at) = if total == Some(0) { (JobStatus::Done, Some(now.millis())) } else { (JobStatus::Queued, None) };
    map([
        ("id", id.into()),
        ("kind", kind.into()),
        ("name", wanted.name.into()),
        ("status", word(&status)),
        ("payload", payload.into()),
        ("total", total.into()),
        ("priority", wanted.priority.into()),
        ("deduplicationKey", wanted.deduplication_key.into()),
        ("createdAt", now.millis().into()),
        ("createdBy", caller.id.as_str().into()),
        ("createdByName", caller.name.as_str().into()),
        ("requestId", (&*caller.request_id).into()),
        ("endedAt", ended_at.into()),
        ("open", open.into()),
    ])
}

struct NewJob {
    id: String,
    kind: &'static str,
    deduplication_key: Option<String>,
    size: usize,
    row: Value,
}

/// Queues a job, unless there is one with its deduplication key.
struct Queue;

impl Amend for Queue {
    type Row = NewJob;
    type Locked = PreparedJob;
    type Stored = PreparedJob;
    type Answer = Arc<str>;

    const LOCK: Reading<PreparedJob> = statements::job_instance::PREPARE;
    const WRITE: WriteStatement = statements::job_instance::CREATE;
    const RANK: Rank = Rank::Administration;

    fn id(job: &NewJob) -> &str {
        &job.id
    }

    fn lock_row(job: &NewJob, write_id: &str) -> Value {
        let key = Value::from(job.deduplication_key.as_deref());
        map([("id", job.id.as_str().into()), ("kind", job.kind.into()), ("deduplicationKey", key), ("writeId", write_id.into())])
    }

    fn size(job: &NewJob) -> usize {
        job.size + 1_000
    }

    fn decide(job: &NewJob, prepared: Option<PreparedJob>, _: Decision<'_>) -> Result<Amended<Arc<str>>> {
        Ok(match prepared.and_then(|prepared| prepared.open) {
            Some(open) => Amended::nothing(Arc::from(open)).kept(),
            None => Amended::by(Arc::from(job.id.as_str()), job.row.clone()).kept(),
        })
    }
}

struct Cancelling {
    id: String,
    by: String,
    /// Whether he may cancel those of others.
    of_all: bool,
}

/// Says that a job is to be cancelled.
struct Cancel;

impl Amend for Cancel {
    type Row = Cancelling;
    type Locked = LockedJob;
    type Stored = LockedJob;
    type Answer = ();

    const LOCK: Reading<LockedJob> = statements::job_instance::LOCK;
    const WRITE: WriteStatement = statements::job_instance::CANCEL;
    const RANK: Rank = Rank::Administration;

    fn id(wanted: &Cancelling) -> &str {
        &wanted.id
    }

    fn decide(wanted: &Cancelling, stored: Option<LockedJob>, decision: Decision<'_>) -> Result<Amended<()>> {
        // Of others' jobs is not said that they are there.
        let stored = stored.filter(|job| wanted.of_all || job.created_by == wanted.by);
        let job = stored.ok_or_else(|| Error::not_found(ObjectKind::Job, &wanted.id))?;
        let now = decision.now.millis();
        // What is left of a bulk request is looked at once more, by the job that does them all.
        let is_idle = job.lease_until <= now && job.kind != crate::bulk::JOB;
        if job.status.is_ended() || (job.cancel_requested_at.is_some() && !is_idle) {
            return Ok(Amended::nothing(()));
        }
        let idle = if is_idle { vec![Value::from(true)] } else { Vec::new() };
        let row = [("id", wanted.id.as_str().into()), ("at", now.into()), ("by", wanted.by.as_str().into()), ("idle", idle.into())];
        Ok(Amended::by((), map(row)))
    }
}

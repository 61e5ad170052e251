//! What is shown of jobs, to whom.

use cypher::statements::rows::JobInstanceRow;
use cypher::{Params, Value, statements};
use graph_schema::date::Timestamp;
use graph_schema::job::JobStatus;
use graph_schema::json_text::JsonText;

use super::start::JOB;
use crate::idempotency::Left;
use crate::policy::{Action, Permit, Subject, may};
use crate::values::word;
use crate::{Caller, Inner, Resolvers, Result, boxed};

/// Jobs that have ended are kept for 30 days, in milliseconds.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1000;
/// How many one transaction forgets.
const AT_A_TIME: i64 = 1_000;
/// How many a page has at most.
const MOST: usize = 200;

/// Which jobs; all that is given must hold.
#[derive(Debug, Clone, Default)]
pub struct JobQuery {
    pub kinds: Option<Vec<String>>,
    pub statuses: Option<Vec<JobStatus>>,
    /// Behind this one.
    pub after: Option<JobPlace>,
    /// At most so many; of more than 200 so many.
    pub first: usize,
}

/// Where a job stands among all, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobPlace {
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub id: String,
}

/// A part of the list of jobs.
#[derive(Debug, Clone)]
pub struct JobPage {
    pub jobs: Vec<ShownJob>,
    /// Whether there are more behind it.
    pub more: bool,
}

/// A job.
#[derive(Debug, Clone)]
pub struct ShownJob {
    pub id: String,
    pub kind: String,
    pub name: String,
    pub status: JobStatus,
    /// What it is about.
    pub payload: Option<JsonText>,
    pub done: i64,
    pub total: Option<i64>,
    pub priority: i64,
    pub created_at: Timestamp,
    pub created_by: String,
    pub created_by_name: String,
    pub started_at: Option<Timestamp>,
    /// When it was last said how far it is.
    pub saved_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// How often a worker began with it, or went on.
    pub attempts: i64,
    pub last_error: Option<String>,
    pub cancel_requested_at: Option<Timestamp>,
    /// Who has asked for that, by id.
    pub cancelled_by: Option<String>,
    /// What it has come to.
    pub result: Option<JsonText>,
}

impl ShownJob {
    /// Where it stands.
    pub fn place(&self) -> JobPlace {
        JobPlace { created_at: self.created_at.millis(), id: self.id.clone() }
    }
}

impl From<JobInstanceRow> for ShownJob {
    fn from(row: JobInstanceRow) -> Self {
        let at = |millis: Option<i64>| millis.map(Timestamp);
        Self {
            id: row.id,
            kind: row.kind,
            name: row.caption,
            status: row.status,
            payload: JsonText::parse(&row.payload),
            done: row.done,
            total: row.total,
            priority: row.priority,
            created_at: Timestamp(row.created_at),
            created_by: row.created_by,
            created_by_name: row.created_by_name,
            started_at: at(row.started_at),
            saved_at: at(row.saved_at),
            ended_at: at(row.ended_at),
            attempts: row.attempts,
            last_error: row.last_error,
            cancel_requested_at: at(row.cancel_requested_at),
            cancelled_by: row.cancelled_by,
            result: row.result.as_deref().and_then(JsonText::parse),
        }
    }
}

impl Resolvers {
    /// Jobs, the newest first: all for those who manage them, else those that the caller has started.
    #[boxed]
    pub async fn jobs(&self, caller: &Caller, query: JobQuery) -> Result<JobPage> {
        let (permit, created_by) = self.inner.enter_jobs(caller, Subject::List(JOB))?;
        let first = query.first.min(MOST);
        let statuses = query.statuses.map(|statuses| statuses.iter().map(word).collect::<Vec<Value>>());
        let params = Params::none()
            .with("until", query.after.as_ref().map_or(i64::MAX, |after| after.created_at))
            .with("untilId", query.after.map(|after| after.id))
            .with("kinds", query.kinds)
            .with("statuses", statuses)
            .with("createdBy", created_by)
            .with("limit", first as i64 + 1);
        let rows = self.inner.read(&permit, statements::job_instance::LIST, params).await?;
        let mut jobs: Vec<ShownJob> = rows.into_iter().map(|row| row.job.into()).collect();
        let more = jobs.len() > first;
        jobs.truncate(first);
        Ok(JobPage { jobs, more })
    }

    /// A job by its id; nothing where there is none that is shown to the caller.
    #[boxed]
    pub async fn job(&self, caller: &Caller, id: &str) -> Result<Option<ShownJob>> {
        let (permit, created_by) = self.inner.enter_jobs(caller, Subject::One(JOB, id))?;
        let rows = self.inner.read(&permit, statements::job_instance::READ, Params::none().with("ids", vec![id])).await?;
        let shown = |row: &JobInstanceRow| created_by.is_none_or(|caller| row.created_by == caller);
        Ok(rows.into_iter().map(|row| row.job).find(shown).map(ShownJob::from))
    }
}

impl Inner {
    /// Lets somebody in who wants to see jobs; and whose alone are shown, where it is not all.
    pub(crate) fn enter_jobs<'c>(&self, caller: &'c Caller, subject: Subject<'_>) -> Result<(Permit<'c>, Option<&'c str>)> {
        if may(caller, Action::ReadJobs).is_ok() {
            Ok((self.enter(caller, Action::ReadJobs, subject)?, None))
        } else {
            Ok((self.enter(caller, Action::ReadOwnJobs, subject)?, Some(&caller.id)))
        }
    }
}

/// Forgets some of the jobs that have ended long ago.
pub(crate) async fn forget_some(inner: &Inner) -> Result<Left> {
    let params = Params::none().with("before", inner.clock.now().millis() - KEPT).with("most", AT_A_TIME);
    let rows = inner.engine.write_as(statements::job_instance::FORGET, params).await?;
    let forgotten = statements::job_instance::FORGET.first(rows)?.forgotten;
    Ok(if forgotten < AT_A_TIME { Left::Nothing } else { Left::Perhaps })
}

//! Jobs: work in the background that somebody has asked for.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::job::JobStatus;
use graph_schema::json_text::JsonText;
use graphql_http::asking::{asking, boxed, key};
use graphql_http::page::{cursor_in_time, page_in_time, page_info};
use graphql_http::refused::refused;
use graphql_http::user_error::{self, UserErrorOf, put_at};
use resolvers::Error;
use resolvers::jobs::{JobPlace, JobQuery, ShownJob};

use super::connection::simple_connection;
use super::filtering::one_of;
use super::principal::{Principal, principal};

/// Which jobs. All that is given must hold.
#[derive(InputObject, Default)]
pub struct JobFilter {
    /// Of one of these kinds, such as `bulk`.
    kinds: Option<Vec<String>>,
    /// With one of these statuses.
    statuses: Option<Vec<JobStatus>>,
    /// One of these.
    #[graphql(deprecation = "Use `kinds`.")]
    kind: Option<Vec<String>>,
    /// One of these.
    #[graphql(deprecation = "Use `statuses`.")]
    status: Option<Vec<JobStatus>>,
}

/// Reads a page.
#[boxed]
pub async fn jobs(context: &Context<'_>, first: Option<i32>, after: Option<String>, filter: Option<JobFilter>) -> Result<JobConnection> {
    let (resolvers, caller) = asking(context)?;
    let (first, after) = page_in_time(first, after)?;
    let after = after.map(|(created_at, id)| JobPlace { created_at, id });
    let JobFilter { kinds, statuses, kind, status } = filter.unwrap_or_default();
    let kinds = one_of(("kinds", kinds), ("kind", kind))?;
    let statuses = one_of(("statuses", statuses), ("status", status))?;
    let has_previous_page = after.is_some();
    let page = resolvers.jobs(caller, JobQuery { kinds, statuses, after, first }).await.map_err(refused)?;
    let cursor = |job: &ShownJob| cursor_in_time(job.created_at.millis(), &job.id);
    let edges: Vec<JobEdge> = page.jobs.into_iter().map(|job| JobEdge { cursor: cursor(&job), node: JobNode(job) }).collect();
    let page_info = page_info(has_previous_page, page.more, edges.iter().map(|edge| &edge.cursor));
    Ok(JobConnection { edges, page_info })
}

/// The job of an id that is shown to whoever asks.
#[boxed]
pub async fn job(context: &Context<'_>, id: &str) -> Result<Option<JobNode>> {
    let (resolvers, caller) = asking(context)?;
    Ok(resolvers.job(caller, id).await.map_err(refused)?.map(JobNode))
}

simple_connection! {
    /// A page of jobs.
    JobConnection {
        /// The jobs of this page with their cursors, the latest first.
        edges: JobEdge, nodes: JobNode
    }
}

/// A job in a page.
#[derive(SimpleObject)]
pub struct JobEdge {
    /// What `after` takes for the page behind it.
    cursor: String,
    /// The job itself.
    node: JobNode,
}

/// Work in the background that somebody has started. It is kept for 30 days after its end. For administrators, supervisors and whoever has started it.
pub struct JobNode(pub ShownJob);

/// Work in the background that somebody has started. The service keeps it for 30 days after its end.
#[Object(name = "Job")]
impl JobNode {
    /// The id by which `job` finds it and `cancelJob` cancels it.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// What kind of work it is, such as `bulk`.
    async fn kind(&self) -> &str {
        &self.0.kind
    }

    /// What it is, for people.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether the job waits, is under way, or how it ended.
    async fn status(&self) -> JobStatus {
        self.0.status
    }

    /// What it is about, as its kind has it.
    async fn payload(&self) -> Option<JsonText> {
        self.0.payload.clone()
    }

    /// So many are done, of whatever its kind counts: items, payments, accounts.
    async fn done(&self) -> i64 {
        self.0.done
    }

    /// Number of items, payments or accounts that the job has to do in all; null while it is not known.
    async fn total(&self) -> Option<i64> {
        self.0.total
    }

    /// Number of items, payments or accounts that the job has to do in all; null while it is not known.
    #[graphql(deprecation = "Use `total`.")]
    async fn of(&self) -> Option<i64> {
        self.0.total
    }

    /// Jobs with more come first.
    async fn priority(&self) -> i64 {
        self.0.priority
    }

    /// The time at which somebody asked for it.
    async fn created_at(&self) -> Timestamp {
        self.0.created_at
    }

    /// Who has asked for it: the id of a credential or user.
    #[graphql(deprecation = "Use `createdByPrincipal`.")]
    async fn created_by(&self) -> &str {
        &self.0.created_by
    }

    /// The user, key or client that has asked for it; null where the service has.
    async fn created_by_principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, Some(&self.0.created_by)).await
    }

    /// What whoever asked for it was called then.
    async fn created_by_name(&self) -> &str {
        &self.0.created_by_name
    }

    /// Since when a worker was at it for the first time; null while it waits.
    async fn started_at(&self) -> Option<Timestamp> {
        self.0.started_at
    }

    /// When it was last noted how far it is.
    async fn saved_at(&self) -> Option<Timestamp> {
        self.0.saved_at
    }

    /// When it was done, had failed or was cancelled; null before.
    async fn ended_at(&self) -> Option<Timestamp> {
        self.0.ended_at
    }

    /// How often a worker has begun with it or gone on.
    async fn attempts(&self) -> i64 {
        self.0.attempts
    }

    /// Why it failed last; null where it never has.
    async fn last_error(&self) -> Option<&str> {
        self.0.last_error.as_deref()
    }

    /// When somebody wanted it cancelled; null where nobody has.
    async fn cancel_requested_at(&self) -> Option<Timestamp> {
        self.0.cancel_requested_at
    }

    /// The user, key or client that wanted it cancelled; null where nobody has, and where the service did.
    async fn cancelled_by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.cancelled_by.as_deref()).await
    }

    /// What it has come to, as its kind has it; null until it is done.
    async fn result(&self) -> Option<JsonText> {
        self.0.result.clone()
    }
}

/// A job that is to be cancelled.
#[derive(InputObject)]
pub struct CancelJobInput {
    /// The job to cancel.
    job_id: ID,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct JobPayload {
    /// As it stands now; null where nothing was done.
    job: Option<JobNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<JobUserError>,
}

impl JobPayload {
    /// The same, with its errors at these paths, one each.
    pub fn with_paths(mut self, paths: Vec<Vec<String>>) -> Self {
        put_at(&mut self.user_errors, paths);
        self
    }
}

/// Why something was not done.
pub type JobUserError = UserErrorOf<JobErrorCode>;

/// Why something was not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum JobErrorCode {
    /// There is no such job, or what it is to be about is not there.
    NotFound,
    /// The input breaks a rule.
    Invalid,
}

/// A verification that is to begin.
#[derive(InputObject)]
pub struct VerifyTransfersInput {
    /// The same key again starts nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct JobMutation;

#[Object]
impl JobMutation {
    /// Compares, by a job, what `transferredTo` says of all pairs of accounts with their payments. Its result is `accounts` (how many were looked at),
    /// `differences` (how many pairs differ) and `shown` (the first 100 of these). While such a job has not ended, that is the one. For administrators.
    async fn verify_transfers(&self, context: &Context<'_>, input: VerifyTransfersInput) -> Result<JobPayload> {
        let (resolvers, caller) = asking(context)?;
        let done = async { resolvers.start_verifying_transfers(caller, key(input.idempotency_key)?).await };
        let done = done.await.map(|id| id.to_string());
        payload(context, done).await
    }

    /// Cancels a job: one that waits ends at once, one that is under way within a second. What it has done stays done; one that has ended stays as it is.
    /// For administrators, supervisors and whoever has started the job.
    async fn cancel_job(&self, context: &Context<'_>, input: CancelJobInput) -> Result<JobPayload> {
        let (resolvers, caller) = asking(context)?;
        let CancelJobInput { job_id, idempotency_key } = input;
        let done = async { resolvers.cancel_job(caller, &job_id, key(idempotency_key)?).await };
        let done = done.await.map(|()| job_id.0);
        payload(context, done).await
    }
}

/// The job as it stands, or why there is none.
#[boxed]
pub async fn payload(context: &Context<'_>, done: resolvers::Result<String>) -> Result<JobPayload> {
    match done {
        Ok(id) => Ok(JobPayload { job: job(context, &id).await?, user_errors: Vec::new() }),
        Err(error) => Ok(JobPayload { job: None, user_errors: user_errors(error)? }),
    }
}

fn user_errors(error: Error) -> Result<Vec<JobUserError>> {
    user_error::user_errors(error, [JobErrorCode::NotFound, JobErrorCode::Invalid])
}

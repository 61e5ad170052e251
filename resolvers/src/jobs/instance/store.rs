//! What the graph holds of jobs of which there may be any number.

use std::time::Duration;

use cypher::statements::job_instance as statements;
use cypher::statements::rows::{ClaimedJob, DueJob, HeldJob};
use cypher::{Engine, Params, Value, map};
use graph_schema::date::Timestamp;
use graph_schema::job::JobStatus;

use super::{Progress, Running};
use crate::conflicts::despite_conflicts;
use crate::jobs::lease::Renewed;
use crate::jobs::record::millis;
use crate::values::word;

/// A look that takes longer is given up; the next one is soon.
const LOOK_LIMIT: Duration = Duration::from_secs(2);

type Answer<T> = Result<T, cypher::Error>;

/// How a run leaves its job.
#[derive(Debug, Clone, PartialEq)]
pub enum Left {
    /// It goes on then: after a failure, for this reason, of so many in a row.
    ToBeTried { at: Timestamp, failures: i64, error: Option<String> },
    /// It has ended.
    Ended { status: JobStatus, error: Option<String>, result: Option<String> },
}

impl Left {
    pub fn props(self, now: Timestamp) -> Value {
        match self {
            Left::ToBeTried { at, failures, error } => {
                let mut props =
                    vec![("status".into(), word(&JobStatus::Queued)), ("dueAt".into(), at.millis().into()), ("failures".into(), failures.into())];
                // What a run says that was broken off is nothing about the job.
                props.extend(error.map(|error| ("lastError".into(), error.into())));
                Value::Map(props)
            }
            Left::Ended { status, error, result } => {
                let mut props = vec![("status".into(), word(&status)), ("endedAt".into(), now.millis().into()), ("result".into(), result.into())];
                props.extend(error.map(|error| ("lastError".into(), error.into())));
                Value::Map(props)
            }
        }
    }
}

/// The nodes of jobs, for one worker.
pub(super) struct InstanceStore {
    pub engine: Engine,
    /// What stands in a lease: nobody else's.
    pub holder: String,
}

impl InstanceStore {
    pub async fn enlist(&self, kinds: Vec<&'static str>) -> Answer<()> {
        despite_conflicts(|| self.engine.write(statements::ENLIST, Params::none().with("names", kinds.clone()))).await.map(drop)
    }

    /// Jobs that could be claimed now, those first that come first. Kinds with how many of each may be under way at a time.
    pub async fn due(&self, kinds: &[(&'static str, usize)], now: Timestamp) -> Answer<Vec<DueJob>> {
        let kind = |(kind, most): &(&'static str, usize)| map([("kind", (*kind).into()), ("most", (*most as i64).into())]);
        let params = Params::none().with("perKind", kinds.iter().map(kind).collect::<Vec<Value>>()).with("now", now.millis());
        self.engine.read_as(statements::DUE, params, LOOK_LIMIT).await
    }

    /// Takes a lease; nothing where somebody else was first, or as many of the kind are under way as may be.
    pub async fn claim(&self, job: &DueJob, now: Timestamp, lease: Duration, most: usize) -> Answer<Option<ClaimedJob>> {
        let params = self.of(&job.id, job.runs).with("kind", job.kind.as_str()).with("most", most as i64);
        let params = params.with("now", now.millis()).with("until", now.millis() + millis(lease));
        match self.engine.write_as(statements::CLAIM, params).await {
            Err(error) if error.is_conflict() => Ok(None),
            outcome => outcome.map(|rows| rows.into_iter().next()),
        }
    }

    pub async fn renew(&self, running: &Running) -> Answer<Renewed> {
        let until = running.context.now().millis() + millis(running.lease);
        let params = self.of(&running.id, running.runs).with("until", until);
        despite_conflicts(|| self.engine.write_as(statements::RENEW, params.clone())).await.map(held)
    }

    /// Notes how far a job is. What is `further` is not done again after a crash, so that earlier failures count no more.
    pub async fn save(&self, running: &Running, checkpoint: String, progress: Progress, further: bool) -> Answer<Renewed> {
        let now = running.context.now().millis();
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let params = self.of(&running.id, running.runs).with("checkpoint", checkpoint).with("done", number(progress.done));
        let params =
            params.with("total", progress.total.map(number)).with("now", now).with("until", now + millis(running.lease)).with("further", further);
        despite_conflicts(|| self.engine.write_as(statements::SAVE, params.clone())).await.map(held)
    }

    /// Which of some jobs somebody wants cancelled.
    pub async fn cancelled(&self, ids: Vec<&str>) -> Answer<Vec<String>> {
        let rows = self.engine.read_as(statements::CANCELLED, Params::none().with("ids", ids), LOOK_LIMIT).await?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }

    /// Lets go of a job; false where the lease was lost before.
    pub async fn release(&self, running: &Running, left: Left) -> Answer<bool> {
        let ended = if matches!(left, Left::Ended { .. }) { vec![Value::from(true)] } else { Vec::new() };
        let params = self.of(&running.id, running.runs).with("props", left.props(running.context.now())).with("ended", ended);
        let params = params.with("now", running.context.now().millis());
        despite_conflicts(|| self.engine.write_as(statements::RELEASE, params.clone())).await.map(|rows| !rows.is_empty())
    }

    fn of(&self, id: &str, runs: i64) -> Params {
        Params::none().with("id", id).with("holder", self.holder.as_str()).with("runs", runs)
    }
}

fn held(rows: Vec<HeldJob>) -> Renewed {
    match rows.first() {
        None => Renewed::Lost,
        Some(row) if row.cancelled => Renewed::Cancelled,
        Some(_) => Renewed::Yes,
    }
}

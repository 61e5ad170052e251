//! Runs, as the graph has them and as they are shown.

use cypher::statements::rows::{DetectionRunRow, RunJobRow};
use cypher::statements::{self, rows};
use cypher::{Key, Params, Value, map};
use graph_schema::date::{Date, Timestamp};
use graph_schema::detection::{DetectionBatch, ProcessType};
use graph_schema::job::JobStatus;
use graph_schema::json_text::JsonText;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::DETECTION_RUN;
use super::challengers::ShadowOutcome;
use super::job::Detect;
use crate::conflicts::despite_conflicts;
use crate::policy::{Action, Subject};
use crate::risk::ShadowScores;
use crate::{Caller, Inner, Resolvers, Result, boxed};

/// How many a page has at most.
const MOST: usize = 200;

/// Which runs.
#[derive(Debug, Clone, Default)]
pub struct RunQuery {
    /// Behind this one.
    pub after: Option<RunPlace>,
    /// At most so many; of more than 200 so many.
    pub first: usize,
}

/// Where a run stands among all, those asked for last first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPlace {
    /// Milliseconds since 1970.
    pub requested_at: i64,
    pub id: String,
}

/// A part of the list of runs.
#[derive(Debug, Clone)]
pub struct RunPage {
    pub runs: Vec<ShownRun>,
    /// Whether there are more behind it.
    pub more: bool,
}

/// A run, with how its job stands.
#[derive(Debug, Clone)]
pub struct ShownRun {
    pub id: String,
    pub close_of_business_date: Option<Date>,
    pub line_of_business: String,
    pub process_type: ProcessType,
    pub requested_at: Timestamp,
    pub requested_by: String,
    pub requested_by_name: String,
    /// The job that did it last; forgotten 30 days after its end.
    pub job_id: Option<String>,
    /// What was recorded later it has not seen.
    pub known_up_to: Option<Timestamp>,
    /// Nothing once the job is forgotten.
    pub job: Option<RunJob>,
}

/// How a run's job stands.
#[derive(Debug, Clone)]
pub struct RunJob {
    pub status: JobStatus,
    pub done: i64,
    pub total: Option<i64>,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub last_error: Option<String>,
    /// What it has come to.
    pub result: Option<JsonText>,
}

impl ShownRun {
    /// Where it stands.
    pub fn place(&self) -> RunPlace {
        RunPlace { requested_at: self.requested_at.millis(), id: self.id.clone() }
    }
}

impl RunJob {
    /// What rules in shadow have found, once it is done. Runs of before that was compared have none.
    pub fn shadows(&self) -> Vec<ShadowOutcome> {
        self.compared()
    }

    /// The same of a run that scores actors: what rules in shadow say of them.
    pub fn risk_shadows(&self) -> Vec<ShadowScores> {
        self.compared()
    }

    /// Nothing where the result is one of the other type of runs.
    fn compared<T: DeserializeOwned>(&self) -> Vec<T> {
        let compared = self.result.as_ref().and_then(|result| serde_json::from_str::<Compared<T>>(result.as_str()).ok());
        compared.map(|compared| compared.shadows).unwrap_or_default()
    }
}

/// The part of a result that says what rules in shadow say.
#[derive(Deserialize)]
struct Compared<T> {
    #[serde(default = "Vec::new")]
    shadows: Vec<T>,
}

impl From<rows::ShownRun> for ShownRun {
    fn from(rows::ShownRun { run, job }: rows::ShownRun) -> Self {
        let DetectionRunRow { id, line_of_business, process_type, requested_by, requested_by_name, job_id, .. } = run;
        Self {
            id,
            close_of_business_date: Date::parse(&run.close_of_business_date),
            line_of_business,
            process_type,
            requested_at: Timestamp(run.requested_at),
            requested_by,
            requested_by_name,
            job_id,
            known_up_to: run.known_up_to.map(Timestamp),
            job: job.map(RunJob::from),
        }
    }
}

impl From<RunJobRow> for RunJob {
    fn from(row: RunJobRow) -> Self {
        Self {
            status: row.status,
            done: row.done,
            total: row.total,
            started_at: row.started_at.map(Timestamp),
            ended_at: row.ended_at.map(Timestamp),
            last_error: row.last_error,
            result: row.result.as_deref().and_then(JsonText::parse),
        }
    }
}

impl Resolvers {
    /// Detection runs, those asked for last first.
    #[boxed]
    pub async fn detection_runs(&self, caller: &Caller, query: RunQuery) -> Result<RunPage> {
        let permit = self.inner.enter(caller, Action::ReadRules, Subject::List(DETECTION_RUN))?;
        let first = query.first.min(MOST);
        let params = Params::none()
            .with("until", query.after.as_ref().map_or(i64::MAX, |after| after.requested_at))
            .with("untilId", query.after.map(|after| after.id))
            .with("limit", first as i64 + 1);
        let rows = self.inner.read(&permit, statements::detection::LIST_RUNS, params).await?;
        let mut runs: Vec<ShownRun> = rows.into_iter().map(ShownRun::from).collect();
        let more = runs.len() > first;
        runs.truncate(first);
        Ok(RunPage { runs, more })
    }
}

impl Inner {
    /// Keeps what a run is. It is the service's own bookkeeping: the audit log has the job.
    pub(crate) async fn put_run(&self, row: Value) -> Result<()> {
        let params = Params::rows(vec![row]);
        despite_conflicts(|| self.engine.write(statements::detection::PUT_RUN, params.clone())).await?;
        Ok(())
    }
}

/// A run that was asked for, and the job that is to do it.
pub(super) fn run_row(job: &Detect, job_id: &str, caller: &Caller, now: Timestamp) -> Value {
    let mut props = what_it_is(&job.batch);
    props.extend(asked_for(&caller.id, &caller.name, now));
    props.push(("jobId".into(), job_id.into()));
    row(&job.run, Vec::new(), props, Some(now))
}

/// What a run's job knows up to, as soon as it has begun. Where the run was not kept when it was asked for, it is now.
pub(crate) fn begun_row(run: &str, batch: &DetectionBatch, job_id: &str, known_up_to: i64) -> Value {
    let mut made = what_it_is(batch);
    made.extend(asked_for("", "", Timestamp(known_up_to)));
    row(run, made, vec![("jobId".into(), job_id.into()), ("knownUpTo".into(), known_up_to.into())], None)
}

fn row(id: &str, made: Vec<(Key, Value)>, props: Vec<(Key, Value)>, requested_at: Option<Timestamp>) -> Value {
    let requested_at = requested_at.map(Timestamp::millis);
    map([("id", id.into()), ("made", Value::Map(made)), ("props", Value::Map(props)), ("requestedAt", requested_at.into())])
}

fn what_it_is(batch: &DetectionBatch) -> Vec<(Key, Value)> {
    let date = batch.close_of_business_date.to_string();
    vec![
        ("name".into(), format!("{} {} {date}", batch.process_type.as_str(), &*batch.line_of_business).into()),
        ("closeOfBusinessDate".into(), date.into()),
        ("lineOfBusiness".into(), (&*batch.line_of_business).into()),
        ("processType".into(), batch.process_type.as_str().into()),
    ]
}

fn asked_for(by: &str, name: &str, at: Timestamp) -> [(Key, Value); 3] {
    [("requestedAt".into(), at.millis().into()), ("requestedBy".into(), by.into()), ("requestedByName".into(), name.into())]
}

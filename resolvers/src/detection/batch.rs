//! Asking for a run.

use graph_schema::detection::{DetectionBatch, ProcessType};
use graph_schema::fault::Fault;
use graph_schema::given::Given;

use super::cases::Author;
use super::job::Detect;
use super::runs::run_row;
use super::{DETECTION_RUN, business_day};
use crate::derived_id::digest_id;
use crate::jobs::Wanted;
use crate::policy::{Action, Subject};
use crate::risk::ScoreActors;
use crate::{Answered, Caller, Error, IdempotencyKey, Once, Replayed, Resolvers, Result, boxed};

impl Resolvers {
    /// Initialize batch: queues a run and answers with what was asked for. The same day, line of business and type is the same run: while it has not
    /// ended nothing is queued, and afterwards it is done again.
    #[boxed]
    pub async fn initialize_batch(&self, caller: &Caller, given: Given<DetectionBatch>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let inner = &self.inner;
        let batch = &given.value;
        let id = run_id(batch);
        let permit = inner.enter(caller, Action::StartDetection, Subject::One(DETECTION_RUN, &id))?;
        let today = business_day::date_at(inner.clock.now().millis(), inner.settings.detection.time_zone);
        if today.is_some_and(|today| batch.close_of_business_date.naive() > today) {
            let shown = today.map(|today| today.to_string()).unwrap_or_default();
            let fault = format!("must not be after today ({shown}, {})", inner.settings.detection.time_zone);
            return Err(Error::Invalid(vec![Fault::new("closeOfBusinessDate", fault)]));
        }
        let echo = serde_json::to_string(batch).map_err(|error| Error::Internal(error.to_string()))?;
        let job = Detect { run: id.clone(), batch: batch.clone(), author: Some(Author::of(caller)) };
        let what = match batch.process_type {
            ProcessType::Aml => "Detection",
            ProcessType::Actor => "Risk scores",
        };
        let name = format!("{what} of {} for {} ({})", batch.close_of_business_date, &*batch.line_of_business, batch.process_type.as_str());
        let wanted = Wanted { name, deduplication_key: Some(id.clone()), ..Wanted::default() };
        let once = Once { key, body: &given.record };
        let queued = match batch.process_type {
            ProcessType::Aml => inner.start_job(&permit, &job, wanted, once).await?,
            ProcessType::Actor => inner.start_job(&permit, &ScoreActors { run: id.clone(), batch: batch.clone() }, wanted, once).await?,
        };
        if queued.replayed == Replayed::No {
            inner.put_run(run_row(&job, &queued.text, caller, inner.clock.now())).await?;
        }
        Ok(Answered { text: echo.into(), replayed: queued.replayed })
    }
}

/// A run is a day, a line of business and a type.
pub(super) fn run_id(batch: &DetectionBatch) -> String {
    let DetectionBatch { close_of_business_date, line_of_business, process_type } = batch;
    digest_id("run", &[&close_of_business_date.to_string(), line_of_business, process_type.as_str()])
}

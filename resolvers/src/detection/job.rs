//! The job that does a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use detection::Day;
use graph_schema::date::Date;
use graph_schema::detection::DetectionBatch;
use serde::{Deserialize, Serialize};

use super::DetectionSettings;
use super::below_the_line::Stratum;
use super::business_day::{day_of, span_before};
use super::cases::{Author, GatheredCases};
use super::challengers::ShadowOutcome;
use super::load::Loading;
use super::marks::{Marked, MarkedScope};
use super::record::{OfRun, Recorded};
use super::rule_set::Pinned;
use super::runs::begun_row;
use super::scope::nobody;
use super::search::{Found, Purpose, RuleFindings, SearchError, Searched, Searching, search};
use crate::jobs::{JobKind, Progress, Running, Stopped};
use crate::policy::Permit;
use crate::{Error, Inner};

/// About how many findings are recorded together; those of one rule about one actor are not divided.
const RECORDED_AT_ONCE: usize = 50;
/// Whom nobody is, where a run or a backtest monitors none.
pub(super) const NONE_WITH_PAYMENTS: &str = "no monitored actor with payments in the time";

/// A run that is to be done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Detect {
    /// The run's id.
    pub run: String,
    pub batch: DetectionBatch,
    /// Who has asked for it; nobody, where an older program has queued it.
    #[serde(default)]
    pub author: Option<Author>,
}

/// How far it is. What was read is read again after a crash, as it was known then, and what was recorded is recorded again, which changes nothing.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// Epoch milliseconds; nothing until it has begun.
    known_up_to: Option<i64>,
    /// The rules that it began with.
    rules: Option<Pinned>,
    /// Parts of the time that were read, and findings that were recorded, in the attempt that came furthest.
    steps: u64,
}

impl Done {
    /// Shows how far it is, of so many steps where that is known.
    async fn show(&mut self, running: &Running, steps: usize, total: Option<usize>) -> Result<(), Stopped> {
        self.steps = self.steps.max(steps as u64);
        running.show(self, Progress { done: self.steps, total: total.map(|total| total as u64) }).await
    }
}

/// What it has come to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Epoch milliseconds.
    known_up_to: i64,
    /// Monitored actors with payments in the time. Nobody, where the line of business selects nobody.
    actors: usize,
    /// Groups that were monitored as one.
    groups: usize,
    /// Payments that were looked at, each once.
    payments: usize,
    /// Rules that were live, or ran as shadows.
    rules: usize,
    /// Actors whom the statement of a rule could not tell all about, within its limits of time and rows; see the log.
    left_out: usize,
    /// What was recorded.
    findings: Recorded,
    /// What rules miss by little, where samples of that are wanted.
    below_the_line: Vec<Stratum>,
    /// What findings were gathered into.
    cases: GatheredCases,
    /// What each rule has found. Of shadows nothing is recorded.
    by_rule: Vec<RuleFindings>,
    /// What rules in shadow have found, beside what the live ones have.
    shadows: Vec<ShadowOutcome>,
    /// That nobody was monitored, where rules ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl JobKind for Detect {
    const KIND: &'static str = "detection";
    type Checkpoint = Done;
    type Result = Outcome;

    async fn run(&self, mut done: Done, running: &Running) -> Result<Outcome, Stopped> {
        let inner = &running.context().resolvers().inner;
        let permit = Permit::of_service();
        let known_up_to = match done.known_up_to {
            Some(known) => known,
            None => {
                let now = running.context().now().millis();
                done.known_up_to = Some(now);
                running.save(&done, Progress { done: 0, total: None }).await?;
                now
            }
        };
        inner.put_run(begun_row(&self.run, &self.batch, running.id(), known_up_to)).await?;
        // Whoever goes on with it runs the same rules with the same values, whatever was added, tuned or put into a folder since.
        let set = inner.rule_set(&permit, known_up_to).await?;
        let pinned = match &done.rules {
            Some(pinned) => pinned.clone(),
            None => {
                let pinned = Pinned::of(&set, &self.batch);
                done.rules = Some(pinned.clone());
                running.save(&done, Progress { done: 0, total: None }).await?;
                pinned
            }
        };
        let rules = pinned.rules(&set).map_err(Stopped::ForEver)?;
        let settings = inner.settings.detection;
        let day = the_day(self.batch.close_of_business_date, settings)?;
        let span = (!rules.is_empty()).then(|| span_before(day, pinned.lookback()));
        let mut loading = Loading::begin(inner, &permit, span, known_up_to).await?;
        let parts = loading.left();
        while loading.next_part().await? {
            done.show(running, parts - loading.left(), None).await?;
        }
        let (loaded, groups) = loading.end().await?;
        let (line, count) = (self.batch.line_of_business.to_string(), rules.len());
        let Marked { marks, left_out } =
            inner.marks(&permit, &rules, &MarkedScope { loaded: &loaded, groups: &groups, line: &line, day, known_up_to }).await?;
        let searched = searched(Searching { purpose: Purpose::Run, rules, loaded, groups, marks, settings, day, line, known_up_to }).await?;
        let findings = self.record(inner, &permit, (&searched.found, parts), known_up_to, running, &mut done).await?;
        let below_the_line = inner.record_below_the_line(&permit, &OfRun { job: self, known_up_to }, &searched.missed).await?;
        let cases = inner.gather_cases(self, &findings.ids).await?;
        let Searched { actors, groups, payments, by_rule, shadows, .. } = searched;
        let note = (count > 0 && actors + groups == 0).then(|| nobody(NONE_WITH_PAYMENTS, &self.batch.line_of_business));
        Ok(Outcome { known_up_to, actors, groups, payments, rules: count, left_out, findings, below_the_line, cases, by_rule, shadows, note })
    }
}

/// The business day of a date.
pub(crate) fn the_day(date: Date, settings: DetectionSettings) -> Result<Day, Stopped> {
    day_of(date.naive(), settings.time_zone).ok_or_else(|| Stopped::ForEver("the day is out of the calendar".to_owned()))
}

/// Searches on a thread of its own, which stops soon after nobody waits for it any more.
pub(super) async fn searched(searching: Searching) -> Result<Searched, Stopped> {
    let stop = Stop(Arc::default());
    let flag = Arc::clone(&stop.0);
    let searched = tokio::task::spawn_blocking(move || search(&searching, &flag)).await.map_err(|error| Error::Internal(error.to_string()))?;
    searched.map_err(|error| {
        tracing::error!(%error, "a search for patterns has failed");
        match error {
            SearchError::Stopped => Stopped::Failed(Error::Internal(error.to_string())),
            // The same is read again, and fails again.
            SearchError::Dataset(_) => Stopped::ForEver("what is stored can't be searched; see the log".to_owned()),
        }
    })
}

/// Tells a search to stop when it is dropped.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Detect {
    /// Records all findings, in their order.
    async fn record(
        &self,
        inner: &Inner,
        permit: &Permit<'_>,
        (found, read): (&[Found], usize),
        known_up_to: i64,
        running: &Running,
        done: &mut Done,
    ) -> Result<Recorded, Stopped> {
        let run = OfRun { job: self, known_up_to };
        let total = Some(read + found.len());
        let (mut recorded, mut steps) = (Recorded::default(), read);
        for some in portions(found) {
            recorded.add(inner.record_findings(permit, &run, some).await?);
            steps += some.len();
            done.show(running, steps, total).await?;
        }
        Ok(recorded)
    }
}

/// Portions of findings in the order of their places, none of which divides those of one rule about one actor.
fn portions(found: &[Found]) -> Vec<&[Found]> {
    let mut portions = Vec::new();
    let mut rest = found;
    while !rest.is_empty() {
        let mut end = rest.len().min(RECORDED_AT_ONCE);
        while end < rest.len() && rest[end].place.is_beside(&rest[end - 1].place) {
            end += 1;
        }
        let (portion, behind) = rest.split_at(end);
        portions.push(portion);
        rest = behind;
    }
    portions
}

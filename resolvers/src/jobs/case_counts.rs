//! Cases that have come, or changed, are brought to the counts where they belong (see [`crate::explore::counted`]).

use std::time::Duration;

use cypher::statements::case_count;
use cypher::statements::rows::UncountedCaseRow;
use cypher::{Engine, Error, Params, Transaction, Value, map};

use super::{Job, JobContext, Next};
use crate::Result;
use crate::conflicts::despite_conflicts;
use crate::explore::counted::{Cell, Grain, Standing, changes};

/// Cases of one step, as the statement has it. They are locked one after another: where somebody else has one, all who want those before it wait, too.
const AT_ONCE: usize = 100;
/// Between two steps others write. The embedded engine does one thing after another.
const PAUSE: Duration = Duration::from_millis(20);
const EMBEDDED_PAUSE: Duration = Duration::from_millis(50);
/// How long one may take, and wait for cases that others have. Writes of its cases wait for it.
const LIMIT: Duration = Duration::from_secs(3);
/// As long as some come, more gather before the next step, which costs the database about the same for one as for many: whoever asks for numbers meanwhile adds
/// those that wait. The job is kept, as taking it anew costs more than a step.
const GATHERED_FOR: Duration = Duration::from_secs(1);
/// How long those wait that were not counted in time.
const AGAIN: Duration = Duration::from_secs(1);

/// Counts some of the cases that wait. It may be cut off, and run beside another: the first statement of a step ends what a former one has left, and in the transaction that
/// changes counts nothing is done unless no other step has begun since.
pub struct CaseCounts;

impl Job for CaseCounts {
    const NAME: &'static str = "case-counts";
    /// Short: a step that was cut off has all cases gone through that somebody wants to be counted.
    const LEASE: Duration = Duration::from_secs(10);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        let inner = &context.resolvers.inner;
        let engine = &inner.engine;
        let params = Params::none().with("writeId", inner.clock.id());
        let begun = despite_conflicts(|| engine.write_as(case_count::BEGIN, params.clone())).await?;
        let number = case_count::BEGIN.first(begun)?.number;
        let counted = despite_conflicts(|| count_some(engine, params.clone(), number)).await;
        // Whatever came of it: else nobody could use counts until the job is tried again. The counting stays locked until that transaction is over.
        let ended = despite_conflicts(|| engine.write(case_count::END, params.clone().with("number", number))).await;
        let counted = match counted {
            Ok(counted) => counted,
            // Somebody has one of them for long, which is no failure: after a few of those nobody would count for minutes.
            Err(Error::TimeLimit { .. }) => {
                ended?;
                tracing::warn!("cases could not be counted in time, as somebody may have one of them; they are tried again");
                return Ok(Next::After(AGAIN));
            }
            Err(error) => return Err(error.into()),
        };
        // It is done, and found nowhere else any more.
        counted.tell_lost();
        ended?;
        let pause = if matches!(engine, Engine::Embedded(_)) { EMBEDDED_PAUSE } else { PAUSE };
        Ok(match counted.cases {
            0 => Next::WhenWoken,
            AT_ONCE => Next::InAMoment(pause),
            _ => Next::InAMoment(GATHERED_FOR),
        })
    }
}

/// What a step has counted.
#[derive(Default)]
struct Counted {
    cases: usize,
    /// The ids of those of which nobody could say as what they were counted before.
    lost: Vec<String>,
}

impl Counted {
    /// Tells whoever runs the service of cases that may be in a count too many.
    fn tell_lost(&self) {
        for case in &self.lost {
            metrics::counter!("amlgraph_case_counts_lost_total").increment(1);
            tracing::warn!(case, "what this case was counted as can't be read: it is counted anew, and a former count may have one case too many");
        }
    }
}

async fn count_some(engine: &Engine, params: Params, number: i64) -> std::result::Result<Counted, Error> {
    engine.in_transaction(LIMIT, async |transaction| count_in(transaction, params, number).await).await
}

/// What was counted. Nothing where another step has begun meanwhile, as this one was away for long: of two the later one alone changes counts.
async fn count_in(transaction: &mut Transaction, params: Params, number: i64) -> std::result::Result<Counted, Error> {
    let locked = transaction.run_as(case_count::LOCK, params.clone()).await?;
    if case_count::LOCK.first(locked)?.number != number {
        return Ok(Counted::default());
    }
    let waiting = transaction.run_as(case_count::UNCOUNTED, params).await?;
    let changes = changes(waiting.iter().map(|case| &case.standing));
    let lost = waiting.iter().filter(|case| Standing::is_lost(&case.standing)).map(|case| case.id.clone()).collect();
    let as_counted = |case: &UncountedCaseRow| map([("id", case.id.as_str().into()), ("countedAs", Standing::of(&case.standing).to_text().into())]);
    let counted: Vec<Value> = waiting.iter().map(as_counted).collect();
    if !changes.is_empty() {
        let perhaps_empty: Vec<String> = changes.iter().filter(|(_, change)| **change < 0).map(|((grain, cell), _)| cell.id(*grain)).collect();
        let rows = changes.iter().map(|((grain, cell), change)| row(*grain, cell, *change)).collect();
        transaction.put(case_count::ADD, Params::rows(rows)).await?;
        transaction.put(case_count::FORGET, Params::none().with("ids", perhaps_empty)).await?;
    }
    if !counted.is_empty() {
        transaction.put(case_count::COUNTED, Params::rows(counted)).await?;
    }
    Ok(Counted { cases: waiting.len(), lost })
}

fn row(grain: Grain, cell: &Cell, change: i64) -> Value {
    let Cell { case_type, state, status, workflow, assignee, day } = cell;
    let props = map([
        ("name", format!("{status} {assignee}").trim_end().into()),
        ("grain", grain.text().into()),
        ("day", (*day).into()),
        ("caseType", case_type.into()),
        ("state", state.into()),
        ("status", status.into()),
        ("workflowId", workflow.into()),
        ("assigneeId", assignee.into()),
        ("count", 0.into()),
    ]);
    map([("id", cell.id(grain).into()), ("props", props), ("change", change.into())])
}

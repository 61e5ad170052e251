//! Plans made ahead: a cold Neo4j takes seconds for the largest statements, which no request should wait for.
//!
//! A statement is planned by running it with nothing to do. (`EXPLAIN` leaves the plan in the database's cache, too, but not all that a first run needs: it
//! took 61 ms behind an `EXPLAIN`, and 11 ms behind a run without rows.) The service says that it is ready once that is done, but does not keep anybody waiting
//! for ever: what is left then is planned beside the first requests.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cypher::graph::{Visit, link, nodes};
use cypher::{Engine, Params, Statement, Value, statements};
use futures::FutureExt as _;
use futures::future::try_join;

use crate::explore::Shapes;

/// How long one of them may take to plan.
pub const PLANNING: Duration = Duration::from_secs(30);

/// How long all may take that are planned behind a change.
const PLANNING_BEHIND: Duration = Duration::from_secs(120);

/// How long after a failed attempt the next one is made.
const AGAIN: Duration = Duration::from_millis(250);

/// How long the service may be kept from being ready: at its start by plans that are missing, behind an outage by a database that takes no write.
const LONGEST_HOLD: Duration = Duration::from_secs(120);

/// How long a write may take by which it is found out that the database takes writes again.
const TAKEN_WITHIN: Duration = Duration::from_secs(2);

/// How long after an outage what is behind a change is planned: until then a cold database on a small machine has enough to do.
const CALM: Duration = Duration::from_secs(30);

/// The gauge of plans that were made.
const MADE: &str = "amlgraph_plans_made_ahead";

/// Neo4j keeps a plan for each order of size of a text, so ids that are nobody's are as long as real ones.
const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

/// Until when the service is kept from being ready: by the plans of its start, or by an outage.
#[derive(Default)]
pub struct Warmth(Mutex<Option<Instant>>);

impl Warmth {
    fn planning_until(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plans are to be made or a write is to be taken, for which nobody waits after this instant.
    pub fn cold(&self, until: Instant) {
        *self.planning_until() = Some(until);
    }

    /// The plans are made; or the database was away, and takes writes again.
    pub fn wait_no_more(&self) {
        *self.planning_until() = None;
    }

    /// Whether one who finds that the database answers now may take the service for ready.
    pub fn is_enough(&self, now: Instant) -> bool {
        self.planning_until().is_none_or(|until| now >= until)
    }
}

/// From here on the service is not ready, until [`Warmth::wait_no_more`]; an engine that makes no plans leaves it ready.
pub(crate) fn begin(engine: &Engine, warmth: &Warmth) {
    if let Engine::Bolt(_) = engine {
        warmth.cold(Instant::now() + LONGEST_HOLD);
    }
}

/// Runs the statements of the hot paths without rows, which changes nothing and leaves their plans in the database's cache: those of writes at
/// once, and all whenever the database was away; those of writes only when the rush after an outage is over. Ends with the task that runs it, at any moment:
/// as nothing is changed, nothing is marked that would then be in doubt.
pub(crate) async fn keep_warm(engine: &Engine, shapes: &Shapes, warmth: &Warmth) {
    // What was met while the service waited for its database is over.
    let _ = engine.outage().now_or_never();
    let unmarked = &engine.unstamped();
    let mut away = tokio::select! {
        () = until_planned(|| plan_writes(unmarked)) => false,
        () = engine.outage() => true,
    };
    loop {
        if !away {
            warmth.wait_no_more();
            engine.outage().await;
        }
        until_a_write_is_taken(engine, unmarked, shapes, warmth).await;
        // Notices of before are of the same outage.
        let _ = engine.outage().now_or_never();
        warmth.wait_no_more();
        plan_reads_anew(engine, shapes).await;
        away = tokio::time::timeout(CALM, engine.outage()).await.is_ok() || plan_writes(unmarked).await.is_err();
    }
}

/// Behind a notice of an outage. That may be of no more than one lost connection: the service stays ready where a write is taken at once, and else is held until
/// one is taken, as reads may be answered a while before. It is held once in an outage, for [`LONGEST_HOLD`] at most; reads are planned behind that, too.
async fn until_a_write_is_taken(engine: &Engine, unmarked: &Engine, shapes: &Shapes, warmth: &Warmth) {
    if let Ok(Ok(())) = tokio::time::timeout(TAKEN_WITHIN, take_a_write(unmarked)).await {
        return;
    }
    begin(engine, warmth);
    if tokio::time::timeout(LONGEST_HOLD, until_planned(|| take_a_write(unmarked))).await.is_err() {
        plan_reads_anew(engine, shapes).await;
        until_planned(|| take_a_write(unmarked)).await;
    }
}

/// A database that was away may have lost its plans.
async fn plan_reads_anew(engine: &Engine, shapes: &Shapes) {
    shapes.forget();
    until_planned(|| plan_reads(engine)).await;
}

/// Plans again until the database was there for all of it.
async fn until_planned<F: Future<Output = Result<(), cypher::Error>>>(plan: impl Fn() -> F) {
    while let Err(error) = plan().await {
        tracing::debug!(%error, "warming up");
        tokio::time::sleep(AGAIN).await;
    }
}

async fn plan_writes(engine: &Engine) -> Result<(), cypher::Error> {
    plan_first(engine).await?;
    plan_behind_a_change(engine).await
}

/// A write that finds nothing to change, and that a cold database has soon planned: it says that writes are taken, not that all of them are planned.
async fn take_a_write(engine: &Engine) -> Result<(), cypher::Error> {
    let nobody = Params::none().with("id", "").with("holder", "").with("until", 0_i64);
    engine.write_within(statements::job::RENEW.statement(), nobody, TAKEN_WITHIN).await.map(drop)
}

/// Two at a time, as planning is work of one core.
async fn plan_first(engine: &Engine) -> Result<(), cypher::Error> {
    let made = metrics::gauge!(MADE);
    made.set(0.0);
    try_join(run_first(engine, 0, &made), run_first(engine, 1, &made)).await.map(drop)
}

/// The same of what is met behind a change. The embedded engine makes one plan for both.
async fn plan_behind_a_change(engine: &Engine) -> Result<(), cypher::Error> {
    match engine {
        Engine::Bolt(_) => {
            let made = metrics::gauge!(MADE);
            try_join(run_behind_a_change(engine, 0, &made), run_behind_a_change(engine, 1, &made)).await.map(drop)
        }
        Engine::Embedded(_) => Ok(()),
    }
}

/// Every second one.
fn half<const N: usize>(all: [Statement; N], which: usize) -> impl Iterator<Item = Statement> {
    all.into_iter().skip(which).step_by(2)
}

async fn run_first(engine: &Engine, which: usize, made: &metrics::Gauge) -> Result<(), cypher::Error> {
    for statement in half(statements::COMING_FIRST, which) {
        planned(engine.write_within(statement, nothing_to_do(), PLANNING).await)?;
        made.increment(1.0);
    }
    Ok(())
}

/// Behind an audit entry that is undone.
pub async fn run_behind_a_change(engine: &Engine, which: usize, made: &metrics::Gauge) -> Result<(), cypher::Error> {
    planned(behind_a_change(engine, which, made).await)
}

async fn behind_a_change(engine: &Engine, which: usize, made: &metrics::Gauge) -> Result<(), cypher::Error> {
    let mut transaction = engine.begin_within(PLANNING_BEHIND).await?;
    let entry = cypher::map([("id", Value::from(format!("plans-{}", uuid::Uuid::new_v4())))]);
    transaction.put(statements::trail::APPEND, nothing_to_do().replacing("entries", vec![entry])).await?;
    for statement in half(statements::BEHIND_A_CHANGE, which) {
        transaction.put(statement, nothing_to_do()).await?;
        made.increment(1.0);
    }
    transaction.rollback().await;
    Ok(())
}

/// The parameters of any of the statements that are planned ahead, with nothing to do.
pub fn nothing_to_do() -> Params {
    let nothing = || Vec::<Value>::new();
    let params = Params::rows(nothing()).with("numbers", nothing()).with("writeId", NOBODY).with("account", NOBODY);
    let params = params.with(
        "batch",
        cypher::map([("rows", nothing().into()), ("numbers", nothing().into()), ("pairs", nothing().into()), ("changeSet", Value::Null)]),
    );
    // Of deliveries nothing is due before 1970.
    let params = params.with("names", nothing()).with("ids", nothing()).with("passedOver", nothing()).with("full", nothing());
    let params = params.with("holder", NOBODY).with("most", 1i64).with("places", 1i64).with("now", -1i64).with("until", -1i64);
    let params = params.with("id", NOBODY).with("begin", 0i64).with("behind", 0i64);
    params.with("entries", nothing()).with("events", nothing()).with("keys", nothing()).with("changeSets", nothing())
}

/// The usual walks: what is shown of an account or actor, and three steps along the money.
fn usual_walks() -> Vec<Visit> {
    let shown = |node| Visit { summary: true, ..Visit::of(node) };
    let along = |field: &str| {
        let link = link(&nodes::ACCOUNT, field)?;
        let step = |then| Visit { steps: vec![link.whole(then)], ..Visit::of(&nodes::ACCOUNT) };
        Some(step(step(step(Visit::of(&nodes::ACCOUNT)))))
    };
    [Some(shown(&nodes::ACCOUNT)), Some(shown(&nodes::ACTOR)), along("transferredTo"), along("receivedFrom")].into_iter().flatten().collect()
}

async fn plan_reads(engine: &Engine) -> Result<(), cypher::Error> {
    for walk in usual_walks() {
        // Who keeps answers has the numbers of accounts come along.
        let numbered = queries::with_numbers(&walk).filter(|_| engine.is_stamped());
        let mut composed = numbered.unwrap_or(walk).compose();
        composed.params.0.push(("ids".into(), Value::List(Vec::new())));
        planned(engine.read_composed("walk", composed, PLANNING).await)?;
    }
    Ok(())
}

/// Only a database that is away is worth another try.
fn planned<T>(outcome: Result<T, cypher::Error>) -> Result<(), cypher::Error> {
    match outcome {
        Err(error) if error.is_outage() => Err(error),
        Err(error) => {
            tracing::warn!(%error, "warming up");
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}

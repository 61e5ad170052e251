//! Plans made ahead: a cold Neo4j takes seconds for the largest statements, which no request should wait for.
//!
//! It makes one plan for a statement that comes first in its transaction, and another where the transaction has changed something before; and of a
//! parameter that is a text, as of a list, one for each order of its size (`cypher/src/hints.rs`), so that ids have their usual length here.

use std::time::Duration;

use cypher::graph::{Visit, link, nodes};
use cypher::{Engine, Params, Statement, Value, statements};

use crate::explore::Shapes;

/// How long one of them may take to plan.
const PLANNING: Duration = Duration::from_secs(30);

/// How long all may take that are planned behind a change.
const PLANNING_BEHIND: Duration = Duration::from_secs(120);

/// How long after a start what is rarer is planned: until then a cold database on a small machine has enough to do.
const CALM: Duration = Duration::from_secs(30);

/// An id as the clock makes them, which nothing has.
const NOBODYS_ID: &str = "00000000-0000-0000-0000-000000000000";

/// How long after a failed attempt the next one is made.
const AGAIN: Duration = Duration::from_millis(250);

/// Runs the statements of the hot paths without rows, which changes nothing and leaves their plans in the database's cache: those of writes at
/// once, and all whenever the database was away. Ends with the task that runs it.
pub(crate) async fn keep_warm(engine: &Engine, shapes: &Shapes) {
    while let Err(error) = plan_writes(engine).await {
        again_later(&error).await;
    }
    loop {
        if tokio::time::timeout(CALM, engine.outage()).await.is_err() {
            while let Err(error) = plan_behind_a_change(engine, &statements::BEHIND_A_CHANGE_LATER).await {
                again_later(&error).await;
            }
            engine.outage().await;
        }
        shapes.forget();
        while let Err(error) = plan_writes(engine).await {
            again_later(&error).await;
        }
        while let Err(error) = plan_reads(engine).await {
            again_later(&error).await;
        }
    }
}

async fn again_later(error: &cypher::Error) {
    tracing::debug!(%error, "warming up");
    tokio::time::sleep(AGAIN).await;
}

async fn plan_writes(engine: &Engine) -> Result<(), cypher::Error> {
    for statement in statements::COMING_FIRST {
        planned(engine.write_within(statement, nothing_to_do(), PLANNING).await)?;
    }
    plan_behind_a_change(engine, &statements::BEHIND_A_CHANGE).await
}

async fn plan_behind_a_change(engine: &Engine, statements: &[Statement]) -> Result<(), cypher::Error> {
    match engine {
        Engine::Bolt(_) => planned(run_behind_a_change(engine, statements).await),
        // It makes one plan for all.
        Engine::Embedded(_) => Ok(()),
    }
}

async fn run_behind_a_change(engine: &Engine, planned: &[Statement]) -> Result<(), cypher::Error> {
    let mut transaction = engine.begin_within(PLANNING_BEHIND).await?;
    transaction.put(statements::trail::UNDONE, Params::rows(vec![cypher::map([])])).await?;
    for statement in planned {
        transaction.put(*statement, nothing_to_do()).await?;
    }
    transaction.rollback().await;
    Ok(())
}

/// The parameters of any of the writes that are planned ahead, with nothing to do.
fn nothing_to_do() -> Params {
    let nothing = || Vec::<Value>::new();
    let params = Params::rows(nothing()).with("numbers", nothing()).with("writeId", NOBODYS_ID);
    let params = params.with("batch", cypher::map([("rows", nothing().into()), ("numbers", nothing().into()), ("pairs", nothing().into())]));
    // Of deliveries nothing is due before 1970.
    let params = params.with("names", nothing()).with("ids", nothing()).with("passedOver", nothing()).with("full", nothing());
    let params =
        params.with("account", NOBODYS_ID).with("holder", NOBODYS_ID).with("most", 1i64).with("places", 1i64).with("now", -1i64).with("until", -1i64);
    params.with("entries", nothing()).with("events", nothing()).with("keys", nothing())
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
        let mut composed = walk.compose();
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

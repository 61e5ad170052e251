//! Plans made ahead: a cold Neo4j takes seconds for the largest statements, which no request should wait for.

use std::time::Duration;

use cypher::graph::{Visit, link, nodes};
use cypher::{Engine, Params, Value, statements};

use crate::explore::Shapes;

/// How long one of them may take to plan.
const PLANNING: Duration = Duration::from_secs(30);

/// How long after a failed attempt the next one is made.
const AGAIN: Duration = Duration::from_millis(250);

/// Neo4j keeps a plan for each order of size of a text, so ids that are nobody's are as long as real ones.
const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

/// Runs the statements of the hot paths without rows, which changes nothing and leaves their plans in the database's cache: those of writes at
/// once, and all whenever the database was away. Ends with the task that runs it.
pub(crate) async fn keep_warm(engine: &Engine, shapes: &Shapes) {
    while let Err(error) = plan_writes(engine).await {
        again_later(&error).await;
    }
    loop {
        engine.outage().await;
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
    for statement in statements::KEEPING_PLANS {
        let nothing = || Vec::<cypher::Value>::new();
        let params = Params::rows(nothing()).with("numbers", nothing()).with("writeId", NOBODY);
        let params = params.with("batch", cypher::map([("rows", nothing().into()), ("numbers", nothing().into()), ("pairs", nothing().into())]));
        // Of deliveries nothing is due before 1970.
        let params = params.with("names", nothing()).with("ids", nothing()).with("passedOver", nothing()).with("full", nothing());
        let params = params.with("holder", NOBODY).with("most", 1i64).with("places", 1i64).with("now", -1i64).with("until", -1i64);
        let params = params.with("entries", nothing()).with("events", nothing()).with("keys", nothing());
        planned(engine.write_within(statement, params, PLANNING).await)?;
    }
    Ok(())
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
fn planned(outcome: Result<Vec<cypher::Row>, cypher::Error>) -> Result<(), cypher::Error> {
    match outcome {
        Err(error) if error.is_outage() => Err(error),
        Err(error) => {
            tracing::warn!(%error, "warming up");
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}

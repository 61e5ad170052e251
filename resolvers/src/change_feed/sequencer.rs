//! Change sets get their positions.

use std::collections::HashSet;
use std::time::Duration;

use cypher::statements::change_feed as statements;
use cypher::statements::rows::UnsequencedRow;
use cypher::{Params, Value, map};

use super::state::{LOOK, state};
use crate::conflicts::despite_conflicts;
use crate::queue::ChangeSet;
use crate::{Inner, Result};

/// How many sets one transaction gives positions to.
const AT_ONCE: usize = 1_000;
/// How many one step takes where more wait, as after a night without a worker.
const BACKLOG: usize = 50_000;
/// How long a look at those may take.
const LOOK_AT_BACKLOG: Duration = Duration::from_secs(60);

/// What a step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sequenced {
    /// Nothing waited.
    Nothing,
    /// All that waited, as far as it could be seen.
    Some,
    /// As many as one step takes.
    Full,
}

/// Gives some of the sets that wait their positions. Any number of these may run at the same time: the position is compared before it is set, so that of
/// two one does nothing.
pub(crate) async fn sequence_some(inner: &Inner) -> Result<Sequenced> {
    let state = state(&inner.engine).await?;
    let mut most = AT_ONCE;
    let mut first = look(inner, most).await?;
    if first.is_empty() {
        return Ok(Sequenced::Nothing);
    }
    if first.len() == most {
        // Each look goes through all that waits: of very much of it many are taken at once.
        most = BACKLOG;
        first = look(inner, most).await?;
    }
    let second = look(inner, most).await?;
    let in_order = in_order(&first, second);
    if in_order.is_empty() {
        // Somebody else has just done it.
        return Ok(Sequenced::Some);
    }
    let place = |(at, row): (usize, &UnsequencedRow)| map([("id", row.id.as_str().into()), ("place", (at as i64 + 1).into())]);
    let mut position = state.position;
    for some in in_order.chunks(AT_ONCE) {
        let rows: Vec<Value> = some.iter().enumerate().map(place).collect();
        let params = Params::rows(rows).with("position", position).with("writeId", inner.clock.id());
        let sequenced = despite_conflicts(|| inner.engine.write_as(statements::SEQUENCE, params.clone())).await?;
        // Somebody else has given positions meanwhile: what is left is looked at again.
        let Some(sequenced) = sequenced.first() else { break };
        position = sequenced.position;
        measure(inner, position, some);
        inner.event_watch.ring();
        inner.live.ring();
    }
    Ok(if most == BACKLOG { Sequenced::Full } else { Sequenced::Some })
}

async fn look(inner: &Inner, most: usize) -> Result<Vec<UnsequencedRow>> {
    let limit = if most > AT_ONCE { LOOK_AT_BACKLOG } else { LOOK };
    Ok(inner.engine.read_as(statements::UNSEQUENCED, Params::none().with("most", most as i64), limit).await?)
}

/// Those of a first look that can have their positions now, in order.
///
/// A look over all that waits may pass over what is committed while it goes on, and still see what was committed after that. The second look sees all that was
/// committed before anything that the first has seen. So whatever it sees besides comes first where its stamp is smaller, and those behind it wait
/// for the next step.
pub fn in_order(first: &[UnsequencedRow], second: Vec<UnsequencedRow>) -> Vec<UnsequencedRow> {
    let seen: HashSet<&str> = first.iter().map(|row| row.id.as_str()).collect();
    second.into_iter().take_while(|row| seen.contains(row.id.as_str())).collect()
}

/// How far the feed goes, and how long its sets have waited since just before they were sent.
fn measure(inner: &Inner, position: i64, rows: &[UnsequencedRow]) {
    metrics::gauge!("amlgraph_change_feed_position").set(position as f64);
    let now = inner.clock.now().millis();
    for row in rows {
        let waited = (now - ChangeSet::millis(row.stamp)).max(0) as f64 / 1000.0;
        metrics::histogram!("amlgraph_change_feed_lag_seconds").record(waited);
    }
}

//! Change sets are forgotten when they have served their time.

use cypher::statements::change_feed as statements;
use cypher::{Engine, Error, Params};

use super::state::{LOOK, state};

/// How many sets one transaction forgets.
const AT_A_TIME: i64 = 1_000;

/// Forgets some of the sets of before a moment, the first of the feed first: what is kept has no gap. Says whether there may be more of them.
pub(crate) async fn forget_some(engine: &Engine, before: i64) -> Result<bool, Error> {
    let state = state(engine).await?;
    let next = Params::none().with("from", state.forgotten + 1).with("until", state.position.min(state.forgotten + AT_A_TIME));
    let next = engine.read_as(statements::READ, next, LOOK).await?;
    let Some(last) = next.iter().take_while(|set| set.created_at < before).last() else { return Ok(false) };
    let params = Params::none().with("from", state.forgotten + 1).with("until", last.position);
    engine.write(statements::FORGET, params).await?;
    Ok(next.last().is_some_and(|set| set.position == last.position))
}

//! Change sets are forgotten when they have served their time.

use cypher::Params;
use cypher::statements::change_feed as statements;

use super::{LOOK, state};
use crate::clock::millis;
use crate::idempotency::Left;
use crate::{Inner, Result};

/// How many sets one transaction forgets.
const AT_A_TIME: i64 = 1_000;

/// Forgets some of the sets that are older than they are kept, the first of the feed first: what is kept has no gap.
pub(crate) async fn forget_some(inner: &Inner) -> Result<Left> {
    let before = inner.clock.now().millis().saturating_sub(millis(inner.settings.changes_kept_for));
    let state = state(&inner.engine).await?;
    let next = Params::none().with("from", state.forgotten + 1).with("until", state.position.min(state.forgotten + AT_A_TIME));
    let next = inner.engine.read_as(statements::READ, next, LOOK).await?;
    let Some(last) = next.iter().take_while(|set| set.created_at < before).last() else { return Ok(Left::Nothing) };
    let params = Params::none().with("from", state.forgotten + 1).with("until", last.position);
    inner.engine.write(statements::FORGET, params).await?;
    Ok(if next.last().is_some_and(|set| set.position == last.position) { Left::Perhaps } else { Left::Nothing })
}

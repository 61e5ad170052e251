//! Housekeeping: deliveries that ended, events that were dealt with, lanes that nothing waits in, and webhooks that were removed go after a time. Events
//! stay for as long as the sets of the change feed that name them: a reader that the feed still knows is not to come too late for them.

use cypher::statements::rows::ForgottenRow;
use cypher::{Params, Reading, statements};

use crate::clock::millis;
use crate::idempotency::Left;
use crate::{Inner, Result};

/// How many of each one transaction forgets: writers wait for it.
const AT_A_TIME: i64 = 1000;

/// Deliveries first: what they pointed to may go then.
const STATEMENTS: [Reading<ForgottenRow>; 4] = [
    statements::webhook::FORGET_DELIVERIES,
    statements::webhook::FORGET_EVENTS,
    statements::webhook::FORGET_LANES,
    statements::webhook::FORGET_REMOVED,
];

/// Forgets some of what has served its time.
pub(crate) async fn forget_some(inner: &Inner) -> Result<Left> {
    let kept_for = inner.settings.webhooks.keep_for;
    let mut left = Left::Nothing;
    for statement in STATEMENTS {
        let is_of_events = statement.label() == statements::webhook::FORGET_EVENTS.label();
        let kept_for = if is_of_events { kept_for.max(inner.settings.changes_kept_for) } else { kept_for };
        let before = inner.clock.now().millis().saturating_sub(millis(kept_for));
        let rows = inner.engine.write_as(statement, Params::none().with("before", before).with("most", AT_A_TIME)).await?;
        if statement.first(rows)?.forgotten >= AT_A_TIME {
            left = Left::Perhaps;
        }
    }
    Ok(left)
}

//! Statements that keep the plan that Neo4j made first.
//!
//! Neo4j makes a plan for the store as it is, and plans again when that has grown: for these, which are the largest and the hottest, it would take
//! seconds in the middle of a request, again and again while a store fills. They find everything by its id, or by an index on what they ask for, but for
//! webhooks, of which there are few: planned on a dozen stores that were filled at random, and on an empty one, none of them went through all nodes of
//! any other label. All other statements are planned again as Neo4j sees fit: what was planned while a label had no nodes may go through all of them
//! later.
//!
//! Of a statement that comes first in its transaction Neo4j makes another plan than of one behind a change: each is here for where it is met.

use super::{account, actor, case, delivery, identifier, observation, payment_move, trail, transaction, transfer};
use crate::Statement;

/// Those that come first in a transaction, the hottest first: a cold Neo4j plans them in this order.
pub const COMING_FIRST: [Statement; 16] = [
    transaction::RECORD.statement(),
    transaction::RECORD_ONE_SIDED.statement(),
    actor::RECORD_NEWER.statement(),
    trail::APPEND,
    identifier::READ.statement(),
    transaction::LOCK.statement(),
    actor::LOCK.statement(),
    account::LOCK.statement(),
    account::ADD_ACTORS.statement(),
    case::PREPARE.statement(),
    case::LOCK.statement(),
    observation::LOCK.statement(),
    delivery::TAKE_EVENTS.statement(),
    delivery::CLAIM.statement(),
    delivery::SETTLE.statement(),
    delivery::REST,
];

/// Those behind a change of their own transaction; planned after the others.
pub const BEHIND_A_CHANGE: [Statement; 18] = [
    transaction::LOCK.statement(),
    transaction::LOCK_AWAITED.statement(),
    transaction::UNLINK.statement(),
    transaction::AMEND.statement(),
    transfer::ADD.statement(),
    transfer::REFRESH_SPAN.statement(),
    trail::APPEND,
    actor::RECORD.statement(),
    account::RECORD.statement(),
    case::CREATE.statement(),
    case::AMEND.statement(),
    observation::LOCK.statement(),
    observation::RECORD.statement(),
    delivery::FAN_OUT,
    delivery::HEADS.statement(),
    delivery::REST,
    delivery::STANDING,
    identifier::READ.statement(),
];

/// More of these, which are met less often there or take a cold Neo4j longest; planned when the rush of a start is over.
pub const BEHIND_A_CHANGE_LATER: [Statement; 14] = [
    case::LOCK.statement(),
    transaction::RECORD.statement(),
    identifier::NAME_TOGETHER.statement(),
    identifier::TAKE.statement(),
    identifier::GIVE.statement(),
    account::MAKE_EXTERNAL.statement(),
    account::FORGET_EXTERNAL.statement(),
    payment_move::OPEN.statement(),
    payment_move::LOCK.statement(),
    payment_move::LEFT_OF_EXTERNAL.statement(),
    payment_move::PLACES.statement(),
    payment_move::RELINK.statement(),
    payment_move::FORGET_EMPTY.statement(),
    payment_move::CLOSE.statement(),
];

/// All of them.
pub fn keeping_plans() -> impl Iterator<Item = Statement> {
    COMING_FIRST.into_iter().chain(BEHIND_A_CHANGE).chain(BEHIND_A_CHANGE_LATER)
}

/// Whether a statement is one of them.
pub(crate) fn keeps_plan(statement: Statement) -> bool {
    keeping_plans().any(|keeping| keeping.label == statement.label)
}

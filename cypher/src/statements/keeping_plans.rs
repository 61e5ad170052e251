//! Statements that keep the plan that Neo4j made first.
//!
//! Neo4j makes a plan for the store as it is, and plans again when that has grown: for these, which are the largest and the hottest, it would take
//! seconds in the middle of a request, again and again while a store fills. They find everything by its id, or by an index on what they ask for, but for
//! webhooks, of which there are few: planned on a dozen stores that were filled at random, and on an empty one, none of them went through all nodes of
//! any other label. All other statements are planned again as Neo4j sees fit: what was planned while a label had no nodes may go through all of them
//! later.

use super::{account, actor, case, delivery, identifier, observation, payment_move, trail, transaction, transfer};
use crate::Statement;

/// The hottest first: a cold Neo4j plans them in this order.
pub const KEEPING_PLANS: [Statement; 41] = [
    transaction::RECORD.statement(),
    transaction::RECORD_ONE_SIDED.statement(),
    identifier::READ.statement(),
    transaction::LOCK.statement(),
    transaction::LOCK_AWAITED.statement(),
    transaction::UNLINK.statement(),
    transaction::AMEND.statement(),
    transfer::ADD.statement(),
    transfer::REFRESH_SPAN.statement(),
    trail::APPEND,
    actor::LOCK.statement(),
    actor::RECORD.statement(),
    actor::RECORD_NEWER.statement(),
    account::LOCK.statement(),
    account::RECORD.statement(),
    account::ADD_ACTORS.statement(),
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
    case::PREPARE.statement(),
    case::CREATE.statement(),
    case::LOCK.statement(),
    case::AMEND.statement(),
    observation::LOCK.statement(),
    observation::RECORD.statement(),
    delivery::TAKE_EVENTS.statement(),
    delivery::FAN_OUT,
    delivery::CLAIM.statement(),
    delivery::HEADS.statement(),
    delivery::SETTLE.statement(),
    delivery::REST,
    delivery::STANDING,
];

/// Those of them that are no later statement of a transaction. Behind a change of its own transaction Neo4j makes another plan of a statement.
pub const NEVER_BEHIND_CHANGES: [Statement; 4] =
    [actor::RECORD_NEWER.statement(), delivery::TAKE_EVENTS.statement(), delivery::CLAIM.statement(), delivery::SETTLE.statement()];

/// Whether a statement is one of them.
pub(crate) fn keeps_plan(statement: Statement) -> bool {
    KEEPING_PLANS.iter().any(|keeping| keeping.label == statement.label)
}

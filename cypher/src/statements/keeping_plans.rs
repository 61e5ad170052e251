//! Statements that keep the plan that Neo4j made first.
//!
//! Neo4j makes a plan for the store as it is, and plans again when that has grown: for these, which are the largest and the hottest, it would take
//! seconds in the middle of a request, again and again while a store fills. They find everything by its id, or by an index on what they ask for, but for
//! webhooks, of which there are few: planned on a dozen stores that were filled at random, and on an empty one, none of them went through all nodes of
//! any other label. All other statements are planned again as Neo4j sees fit: what was planned while a label had no nodes may go through all of them
//! later.

use super::{account, actor, case, delivery, identifier, observation, trail, transaction, transfer};
use crate::Statement;

/// The hottest first: a cold Neo4j plans them in this order.
pub const KEEPING_PLANS: [Statement; 32] = [
    transaction::RECORD_BY_NUMBER.statement(),
    transaction::RECORD.statement(),
    transaction::RECORD_ONE_SIDED.statement(),
    identifier::READ.statement(),
    transaction::LOCK.statement(),
    transaction::LOCK_AWAITED.statement(),
    transaction::KEEP_VERSION.statement(),
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
    account::LOCK_ROLES.statement(),
    account::PUT_ROLES.statement(),
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

/// Whether a statement is one of them.
pub(crate) fn keeps_plan(statement: Statement) -> bool {
    KEEPING_PLANS.iter().any(|keeping| keeping.label == statement.label)
}

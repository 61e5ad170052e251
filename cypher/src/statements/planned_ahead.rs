//! Statements whose plans a cold Neo4j makes before anybody waits for them.
//!
//! Of a statement that comes first in its transaction Neo4j makes one plan, and another of one behind a change of its own transaction: each is here for
//! where it is met.

use super::{account, actor, case, case_count, delivery, identifier, observation, payment_move, risk, screening, trail, transaction, transfer};
use crate::Statement;

/// Those that come first in a transaction, the hottest first.
pub const COMING_FIRST: [Statement; 23] = [
    transaction::RECORD_BY_NUMBER.statement(),
    transaction::RECORD.statement(),
    transaction::RECORD_ONE_SIDED.statement(),
    actor::RECORD_NEWER.statement(),
    trail::APPEND,
    identifier::READ.statement(),
    transaction::LOCK.statement(),
    actor::LOCK.statement(),
    account::LOCK.statement(),
    account::LOCK_ROLES.statement(),
    case::PREPARE.statement(),
    case::LOCK.statement(),
    observation::LOCK.statement(),
    delivery::TAKE_EVENTS.statement(),
    delivery::CLAIM.statement(),
    delivery::SETTLE.statement(),
    delivery::REST,
    risk::ADD_SCORE.statement(),
    screening::RECORD.statement(),
    screening::RESULTS.statement(),
    screening::PAYMENTS.statement(),
    screening::CLEARED.statement(),
    screening::ENTRIES.statement(),
];

/// Those behind a change, the hottest first.
pub const BEHIND_A_CHANGE: [Statement; 39] = [
    transaction::LOCK.statement(),
    transaction::LOCK_AWAITED.statement(),
    transaction::KEEP_VERSION.statement(),
    transaction::UNLINK.statement(),
    transaction::AMEND.statement(),
    transfer::ADD.statement(),
    transfer::REFRESH_SPAN.statement(),
    trail::APPEND,
    actor::RECORD.statement(),
    account::RECORD.statement(),
    account::PUT_ROLES.statement(),
    case::CREATE.statement(),
    case::AMEND.statement(),
    observation::LOCK.statement(),
    observation::RECORD.statement(),
    delivery::FAN_OUT,
    delivery::HEADS.statement(),
    delivery::REST,
    delivery::STANDING,
    identifier::READ.statement(),
    case::LOCK.statement(),
    transaction::RECORD.statement(),
    transaction::RECORD_BY_NUMBER.statement(),
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
    risk::ADD_SCORE.statement(),
    // They are met while cases are locked. The statement that locks these is not here, as it would lock some.
    case_count::ADD,
    case_count::FORGET,
    case_count::COUNTED,
];

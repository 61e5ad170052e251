//! The order in which writes are acknowledged: which of several versions is the present.
//!
//! A single write is acknowledged by its 200, and has been written by then: it comes after all that it finds. An item of a bulk request is acknowledged
//! by the request's 202 and written later: it keeps the place of that, whatever was written meanwhile and however long it waits.
//!
//! No machine's clock is asked. The store has a logical clock (`(:LogicalClock {time})`): it goes on by a tick for each bulk request before that is taken
//! (`bulk/tick`), and the request's items have their places in that tick. A single write has the time that the clock shows as it is written, which is later than
//! all items of the tick. So whatever came before a 202 has an earlier time than its items, and what came after it a later one, on any instance.

use cypher::Value;

/// How far the clock goes on for a bulk request.
pub const TICK: i64 = 1 << 17;
/// Where single writes begin in a tick, behind its items.
pub const BEHIND_ITEMS: i64 = 1 << 16;
/// Milliseconds since 1970 are far less: what an older program has taken has times before all others.
pub const BEFORE_ALL: i64 = -(1 << 53);

/// A place in the order of acknowledgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogicalTime(pub i64);

impl LogicalTime {
    /// That of a stored item, or of the first item of a part.
    pub fn stored(time: i64) -> Self {
        Self(time)
    }

    /// That of the first item of a bulk request, for which the clock has gone on to `time`.
    pub fn first_of_tick(time: i64) -> Self {
        Self(time - BEHIND_ITEMS)
    }

    /// That of an item that an older program has taken.
    pub fn of_older_program(received_at: i64) -> Self {
        Self(BEFORE_ALL + received_at)
    }

    /// That of an item so many places behind.
    pub fn behind(self, places: usize) -> Self {
        Self(self.0 + places as i64)
    }
}

impl From<LogicalTime> for Value {
    fn from(time: LogicalTime) -> Self {
        time.0.into()
    }
}

impl LogicalTime {
    /// As text that sorts as the times do, and behind the ids that older programs made of the time of day.
    pub fn sortable(self) -> String {
        format!("1{:016x}", self.0)
    }
}

/// When a write is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acknowledged {
    /// Once it is written.
    Written,
    /// Before, when the bulk request was taken that brought it.
    Before(LogicalTime),
}

impl Acknowledged {
    /// The time of what it writes in place of something of a stored time (none: nothing, or an older program has written it); `now` is what the clock
    /// says. Nothing where that was acknowledged later.
    pub fn in_place_of(self, stored: Option<i64>, now: Option<i64>) -> Option<i64> {
        match self {
            Self::Written => Some(now.unwrap_or(BEHIND_ITEMS).max(stored.unwrap_or(i64::MIN))),
            Self::Before(time) => stored.is_none_or(|stored| stored <= time.0).then_some(time.0),
        }
    }

    /// For a statement that finds out itself: null where the clock decides.
    pub fn given(self) -> Value {
        match self {
            Self::Written => Value::Null,
            Self::Before(time) => time.into(),
        }
    }
}

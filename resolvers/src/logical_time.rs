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
pub(crate) const TICK: i64 = 1 << 17;
/// Where single writes begin in a tick, behind its items.
const BEHIND_ITEMS: i64 = 1 << 16;
/// Milliseconds since 1970 are far less: what an older program has taken has times before all others.
const BEFORE_ALL: i64 = -(1 << 53);

/// A place in the order of acknowledgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LogicalTime(i64);

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
pub(crate) enum Acknowledged {
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 7 * TICK + BEHIND_ITEMS;

    #[test]
    fn what_is_acknowledged_as_it_is_written_comes_after_all_that_it_finds() {
        for stored in [None, Some(1), Some(NOW - 1), Some(NOW), Some(NOW + TICK)] {
            let time = Acknowledged::Written.in_place_of(stored, Some(NOW)).expect("it is the present");
            assert!(time >= NOW && stored.is_none_or(|stored| time >= stored));
        }
    }

    #[test]
    fn an_item_keeps_the_place_of_its_request() {
        let first = LogicalTime::first_of_tick(NOW);
        let (before, after) = (NOW - TICK, NOW);
        let item = |places| Acknowledged::Before(first.behind(places));
        for places in [0, 1, 8_999] {
            let time = item(places).in_place_of(None, Some(NOW)).expect("nothing is there");
            assert!(before < time && time < after, "single writes of the tick before come before it, those that see its tick after it");
            assert_eq!(item(places).in_place_of(Some(before), Some(NOW)), Some(time));
            assert_eq!(item(places).in_place_of(Some(after), Some(NOW + TICK)), None);
        }
        assert!(item(1).in_place_of(item(2).in_place_of(None, None), None).is_none(), "the later of two items of a request is the last word");
        let older = Acknowledged::Before(LogicalTime::of_older_program(1_800_000_000_000));
        assert!(older.in_place_of(Some(BEHIND_ITEMS), None).is_none() && older.in_place_of(None, None).is_some());
    }

    #[test]
    fn texts_sort_as_times_do() {
        let texts = [NOW, NOW + 1, NOW + TICK, NOW + 20 * TICK].map(|time| LogicalTime(time).sortable());
        assert!(texts.is_sorted());
    }
}

use cypher::Value;
use cypher::statements::rows::LockedActor;
use resolvers::testing::logical_time::{Acknowledged, BEFORE_ALL, BEHIND_ITEMS, LogicalTime, TICK};
use resolvers::testing::versioned::{Meaning, Stored, VersionedRow};

const NOW: i64 = 7 * TICK + BEHIND_ITEMS;
const DATE: &str = "2024-01-01";

fn row(record: &str, only_first: bool) -> VersionedRow {
    VersionedRow {
        id: "a".to_owned(),
        as_of: DATE.to_owned(),
        record: record.to_owned(),
        version_id: "v".to_owned(),
        version: Value::Null,
        present: Value::Null,
        numbers: Vec::new(),
        only_first,
    }
}

/// An actor with this record, which was acknowledged at a time; without one, a placeholder.
fn stored(record: Option<&str>, time: Option<i64>) -> Stored {
    let (as_of_date, record) = (record.map(|_| DATE.to_owned()), record.map(str::to_owned));
    let version = record.clone();
    LockedActor { id: "a".to_owned(), as_of_date, record, version, logical_time: time, now: Some(NOW), screened_facts: None }.into()
}

#[test]
fn who_may_replace_nothing_is_replaced_by_whatever_a_system_has_sent() {
    let first = LogicalTime::first_of_tick(NOW);
    let waits = Acknowledged::Before(first);
    let of_older_program = Acknowledged::Before(LogicalTime::of_older_program(1));
    for acknowledged in [Acknowledged::Written, waits] {
        assert_eq!(stored(None, None).meant(&row("Guess", true), acknowledged), (Meaning::First, BEFORE_ALL));
        for record in ["Known", "Guess"] {
            assert_eq!(stored(Some(record), Some(first.0)).meant(&row("Guess", true), acknowledged).0, Meaning::Refrained);
        }
    }
    let guess = stored(Some("Guess"), Some(BEFORE_ALL));
    for (acknowledged, time) in [(Acknowledged::Written, NOW), (waits, first.0), (of_older_program, BEFORE_ALL + 1)] {
        assert_eq!(guess.meant(&row("Known", false), acknowledged), (Meaning::Present, time));
        assert_eq!(guess.meant(&row("Guess", false), acknowledged), (Meaning::Nothing, time), "word for word it is acknowledged then");
    }
    // Not so what was said by somebody who may replace a record.
    assert_eq!(stored(Some("Said"), Some(NOW)).meant(&row("Known", false), waits).0, Meaning::Superseded);
}

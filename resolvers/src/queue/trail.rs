//! What a transaction leaves behind besides what it writes: audit entries, events, idempotency keys.

use cypher::{Params, Value, map};

use super::ChangeSet;

/// A row for an event that somebody can receive: one of the documented ones.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRow {
    /// Fresh, sorting by time.
    pub id: String,
    /// Such as `case.created`.
    pub name: &'static str,
    pub case_id: String,
    /// The place in the order of the case's events, from 1 on without a gap.
    pub sequence: i64,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// The documented `data`, as JSON text.
    pub data: String,
}

impl EventRow {
    fn row(self) -> Value {
        map([
            ("id", self.id.into()),
            ("name", self.name.into()),
            ("caseId", self.case_id.into()),
            ("sequence", self.sequence.into()),
            ("createdAt", self.created_at.into()),
            ("data", self.data.into()),
        ])
    }
}

/// Rows for `trail/append`, which every write statement has at its end.
#[derive(Default)]
pub struct Trail {
    pub entries: Vec<Value>,
    pub events: Vec<EventRow>,
    pub keys: Vec<Value>,
}

impl Trail {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.events.is_empty() && self.keys.is_empty()
    }

    /// The parameters of the statement that takes the trail with it, with the set of the changes that it tells of.
    pub fn with(self, params: Params) -> Params {
        let change_sets: Vec<Value> = self.change_set().into_iter().collect();
        self.params(params).with("changeSets", change_sets)
    }

    /// The same for entries that tell of no change.
    pub fn without_changes(self) -> Params {
        self.params(Params::none()).with("changeSets", Vec::<Value>::new())
    }

    fn params(self, params: Params) -> Params {
        let events: Vec<Value> = self.events.into_iter().map(EventRow::row).collect();
        params.with("entries", self.entries).with("events", events).with("keys", self.keys)
    }

    fn change_set(&self) -> Option<Value> {
        if self.entries.is_empty() && self.events.is_empty() {
            return None;
        }
        let entries: Vec<&str> = self.entries.iter().filter_map(|entry| entry.get("id").as_text()).collect();
        let events: Vec<&str> = self.events.iter().map(|event| event.id.as_str()).collect();
        Some(ChangeSet::begin().of(entries.join(" "), events.join(" ")))
    }
}

//! What every change leaves behind: an audit entry, and an event in the outbox. Both are written in the transaction of the change itself.

use std::borrow::Cow;

use cypher::{Value, map};

use crate::clock::Clock;
use crate::policy::Caller;

/// The audit entry and the event of one change, ready for `audit_and_outbox/append`.
#[derive(Debug, Clone)]
pub struct Trail {
    /// The audit entry's id; it names the write.
    pub write_id: String,
    pub audit: Value,
    pub event: Value,
}

/// What was changed: `kind` is the label of the node, `event` the event's name (`actor.recorded`).
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub kind: &'static str,
    pub id: &'a str,
    pub event: &'static str,
}

impl Change<'_> {
    fn domain(&self) -> &'static str {
        match self.kind {
            "ApiKey" | "Client" => "administration",
            _ => "ingestion",
        }
    }
}

impl Trail {
    /// The trail of a change by a caller, now.
    pub fn of(caller: &Caller, clock: &dyn Clock, change: Change) -> Self {
        let write_id = clock.id();
        let now = clock.now();
        let audit = map([
            ("id", write_id.as_str().into()),
            ("name", format!("{} {}", change.event, change.id).into()),
            ("timestamp", now.millis().into()),
            ("action", change.event.into()),
            ("domain", change.domain().into()),
            ("logType", "UPDATE".into()),
            ("objectType", change.kind.into()),
            ("objectId", change.id.into()),
            ("userId", caller.id.as_str().into()),
            ("userIP", caller.ip.map(|ip| ip.to_string()).into()),
            ("requestId", (&*caller.request_id).into()),
            ("actionResult", "SUCCESS".into()),
        ]);
        let event = map([
            ("id", clock.id().into()),
            ("name", change.event.into()),
            ("subjectKind", change.kind.into()),
            ("subjectId", change.id.into()),
            ("createdAt", now.millis().into()),
        ]);
        Self { write_id, audit, event }
    }

    /// The row for `audit_and_outbox/append`.
    pub fn row(&self) -> Value {
        map([("audit", self.audit.clone()), ("events", Value::List(vec![self.event.clone()]))])
    }

    /// Notes in the audit entry what was said, where the store keeps no record of it beside.
    pub fn saying(mut self, new_record: &str) -> Self {
        self.note("newValue", new_record);
        self
    }

    /// Notes in the audit entry what was taken away.
    pub fn removing(mut self, old_record: &str) -> Self {
        self.note("oldValue", old_record);
        self
    }

    /// Notes in the audit entry what the change replaced, and with what.
    pub fn replacing(self, old_record: &str, new_record: &str) -> Self {
        self.removing(old_record).saying(new_record)
    }

    fn note(&mut self, field: &'static str, record: &str) {
        if let Value::Map(entries) = &mut self.audit {
            entries.push((Cow::Borrowed(field), record.into()));
        }
    }
}

//! The audit entry that a change leaves, as far as it is known before the change is made.

use std::net::IpAddr;
use std::sync::Arc;

use cypher::{Value, map};
use graph_schema::date::Timestamp;

use crate::clock::Clock;
use crate::policy::{Caller, Means, Role};
use crate::queue::Values;

/// What is changed, and what that is called.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The label of the object's node.
    pub kind: &'static str,
    pub id: &'a str,
    /// Such as `actor.recorded`.
    pub action: &'static str,
}

/// An audit entry in the making: who did what to which object, when, in which request.
#[derive(Debug, Clone)]
pub struct AuditDraft {
    id: String,
    at: Timestamp,
    action: &'static str,
    object_type: &'static str,
    object_id: Arc<str>,
    case_id: Option<Arc<str>>,
    caller: Arc<Who>,
    new_value: Option<Arc<str>>,
    old_value: Option<Arc<str>>,
}

/// What of a caller is kept.
#[derive(Debug)]
struct Who {
    id: String,
    name: String,
    role: Role,
    means: Means,
    ip: Option<IpAddr>,
    request_id: Arc<str>,
}

impl AuditDraft {
    /// The entry of a change by a caller, now.
    pub fn of(caller: &Caller, clock: &dyn Clock, subject: Subject<'_>) -> Self {
        let who = Who {
            id: caller.id.clone(),
            name: caller.name.clone(),
            role: caller.role,
            means: caller.means,
            ip: caller.ip,
            request_id: Arc::clone(&caller.request_id),
        };
        Self {
            id: clock.id(),
            at: clock.now(),
            action: subject.action,
            object_type: subject.kind,
            object_id: Arc::from(subject.id),
            case_id: None,
            caller: Arc::new(who),
            new_value: None,
            old_value: None,
        }
    }

    /// Notes which case it is about.
    pub fn in_case(mut self, id: &str) -> Self {
        self.case_id = Some(Arc::from(id));
        self
    }

    /// Notes what was said, where the store keeps no record of it beside.
    pub fn with_new_value(mut self, record: impl Into<Arc<str>>) -> Self {
        self.new_value = Some(record.into());
        self
    }

    /// Notes what is taken away.
    pub fn with_old_value(mut self, record: impl Into<Arc<str>>) -> Self {
        self.old_value = Some(record.into());
        self
    }

    /// Names the entry, and the write.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// When the change was asked for.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    pub fn action(&self) -> &'static str {
        self.action
    }

    pub fn object_type(&self) -> &'static str {
        self.object_type
    }

    pub fn object_id(&self) -> &str {
        &self.object_id
    }

    /// About how many bytes the entry takes.
    pub fn size(&self) -> usize {
        400 + self.new_value.as_ref().map_or(0, |text| text.len()) + self.old_value.as_ref().map_or(0, |text| text.len())
    }

    /// The row for `trail/append`: every entry has all fields, because the embedded engine is quick only with nodes that are all alike.
    pub fn row(&self, values: &Values) -> Value {
        let text = |decided: &Option<String>, drafted: &Option<Arc<str>>| Value::from(decided.as_deref().or(drafted.as_deref()));
        let who = &self.caller;
        map([
            ("id", self.id.as_str().into()),
            ("name", format!("{} {}", self.action, self.object_id).into()),
            ("timestamp", self.at.millis().into()),
            ("action", self.action.into()),
            ("domain", domain(self.object_type).into()),
            ("logType", "UPDATE".into()),
            ("objectType", self.object_type.into()),
            ("objectId", (&*self.object_id).into()),
            ("caseId", self.case_id.as_deref().into()),
            ("userId", who.id.as_str().into()),
            ("userName", who.name.as_str().into()),
            ("userRole", who.role.to_string().into()),
            ("means", who.means.to_string().into()),
            ("userIP", who.ip.map(|ip| ip.to_string()).into()),
            ("requestId", (&*who.request_id).into()),
            ("oldValue", text(&values.old, &self.old_value)),
            ("newValue", text(&values.new, &self.new_value)),
            ("actionResult", "SUCCESS".into()),
        ])
    }
}

fn domain(object_type: &str) -> &'static str {
    match object_type {
        "ApiKey" | "Client" | "User" | "Workflow" => "administration",
        "Case" => "case_management",
        _ => "ingestion",
    }
}

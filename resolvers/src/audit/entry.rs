//! The audit entry that a change leaves, as far as it is known before the change is made.

use std::net::IpAddr;
use std::sync::Arc;

use cypher::Value;
use graph_schema::date::Timestamp;

use crate::clock::Clock;
use crate::logical_time::Acknowledged;
use crate::policy::{Caller, CredentialType, Permit, Roles};
use crate::queue::Values;

use super::Outcome;

/// What is changed, and what that is called.
#[derive(Debug, Clone, Copy)]
pub struct Object<'a> {
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
    /// The id of the entry that says that the change was refused: an entry under `id` says that it was made.
    refused_id: Option<String>,
    at: Timestamp,
    acknowledged: Acknowledged,
    action: &'static str,
    object_type: &'static str,
    object_id: Arc<str>,
    case_id: Option<Arc<str>>,
    caller: Arc<Who>,
    new_value: Option<Arc<str>>,
    old_value: Option<Arc<str>>,
}

/// So many characters are kept of what was asked for in vain: anybody can ask for much.
const MOST_OF_REFUSED: usize = 4_000;

/// What of a caller is kept.
#[derive(Debug)]
struct Who {
    id: String,
    name: String,
    roles: Roles,
    means: CredentialType,
    ip: Option<IpAddr>,
    request_id: Arc<str>,
}

impl Who {
    fn of(caller: &Caller) -> Self {
        Self {
            id: caller.id.clone(),
            name: caller.name.clone(),
            roles: caller.roles,
            means: caller.means,
            ip: caller.ip,
            request_id: Arc::clone(&caller.request_id),
        }
    }
}

impl AuditDraft {
    /// The entry of a change that a caller may make, now. Under the id that the permit wants for it, so that the change is made once.
    pub(crate) fn of(permit: &Permit<'_>, clock: &dyn Clock, object: Object<'_>) -> Self {
        let caller = permit.caller();
        let (id, refused_id) = match permit.entry() {
            Some(id) => (id.to_string(), Some(clock.id())),
            None => (clock.id(), None),
        };
        Self {
            id,
            refused_id,
            at: clock.now(),
            acknowledged: permit.acknowledged(),
            action: object.action,
            object_type: object.kind,
            object_id: Arc::from(object.id),
            case_id: None,
            caller: Arc::new(Who::of(caller)),
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

    /// When the change is acknowledged: its place among all changes of the same thing.
    pub fn acknowledged(&self) -> Acknowledged {
        self.acknowledged
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

    /// The row for `trail/append`, of a change that was made.
    pub fn row(&self, values: &Values) -> Value {
        let text = |decided: &Option<String>, drafted: &Option<Arc<str>>| Value::from(decided.as_deref().or(drafted.as_deref()));
        self.fields(&self.id, text(&values.old, &self.old_value), text(&values.new, &self.new_value), (Outcome::Success, values.notes))
    }

    /// The row of a change that was refused: what was asked for, and that nothing came of it.
    pub fn refused(&self) -> Value {
        let asked = self.new_value.as_deref().map(|text| match text.char_indices().nth(MOST_OF_REFUSED) {
            Some((end, _)) => &text[..end],
            None => text,
        });
        self.fields(self.refused_id.as_deref().unwrap_or(&self.id), Value::Null, asked.into(), (Outcome::Refused, None))
    }

    fn fields(&self, id: &str, old: Value, new: Value, (outcome, notes): (Outcome, Option<&str>)) -> Value {
        let who = &self.caller;
        entry(Entry {
            id,
            at: self.at,
            action: self.action,
            log_type: "UPDATE",
            object_type: self.object_type,
            object_id: Some(&self.object_id),
            case_id: self.case_id.as_deref(),
            user: Some((&who.id, &who.name, who.roles)),
            means: who.means.as_str(),
            ip: who.ip.map(|ip| ip.to_string()),
            request_id: Some(&who.request_id),
            notes: notes.map(str::to_owned),
            old,
            new,
            outcome,
        })
    }
}

/// Everything an entry says.
pub(super) struct Entry<'a> {
    pub id: &'a str,
    pub at: Timestamp,
    pub action: &'a str,
    pub log_type: &'static str,
    pub object_type: &'static str,
    pub object_id: Option<&'a str>,
    pub case_id: Option<&'a str>,
    pub user: Option<(&'a str, &'a str, Roles)>,
    pub means: &'a str,
    pub ip: Option<String>,
    pub request_id: Option<&'a str>,
    pub notes: Option<String>,
    pub old: Value,
    pub new: Value,
    pub outcome: Outcome,
}

/// The row for `trail/append`. What is null is not said: a statement that names all fields writes the same, and less is sent.
pub(super) fn entry(entry: Entry<'_>) -> Value {
    let about = entry.object_id.unwrap_or(entry.object_type);
    let fields: [(&'static str, Value); 19] = [
        ("id", entry.id.into()),
        ("name", format!("{} {about}", entry.action).into()),
        ("timestamp", entry.at.millis().into()),
        ("action", entry.action.into()),
        ("domain", domain(entry.object_type).into()),
        ("logType", entry.log_type.into()),
        ("objectType", entry.object_type.into()),
        ("objectId", entry.object_id.into()),
        ("caseId", entry.case_id.into()),
        ("userId", entry.user.map(|user| user.0).into()),
        ("userName", entry.user.map(|user| user.1).into()),
        ("userRole", entry.user.map(|user| user.2.to_string()).into()),
        ("means", entry.means.into()),
        ("userIP", entry.ip.into()),
        ("requestId", entry.request_id.into()),
        ("notes", entry.notes.into()),
        ("oldValue", entry.old),
        ("newValue", entry.new),
        ("actionResult", entry.outcome.as_str().into()),
    ];
    Value::Map(fields.into_iter().filter(|(_, value)| *value != Value::Null).map(|(name, value)| (name.into(), value)).collect())
}

fn domain(object_type: &str) -> &'static str {
    match object_type {
        "ApiKey" | "Client" | "User" | "Workflow" | "Webhook" | "Delivery" => "administration",
        "Case" => "case_management",
        "SegmentationCategory" | "SegmentationGroup" => "segmentation",
        _ => "ingestion",
    }
}

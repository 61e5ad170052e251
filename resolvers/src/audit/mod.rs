//! The audit log: the entry that every change leaves, and reading them.

mod entry;
mod gatherer;
mod noted;
mod telling;

use cypher::{Params, Value, statements};
use graph_schema::audit::{AuditLogDetail, AuditLogEntry, AuditLogEnvironment, AuditLogPage, LogType};
use graph_schema::date::Timestamp;
use graph_schema::opaque::Opaque;

pub use entry::{AuditDraft, Object};
pub(crate) use gatherer::{Gatherer, Stranger};
pub use noted::{AuditedReads, Noted, Outcome};
pub(crate) use telling::stranger_entry;

use crate::policy::{Action, Subject};
use crate::{Caller, Page, Resolvers, Result};

/// The query of Get Audit Logs.
#[derive(Debug, Clone)]
pub struct AuditQuery {
    /// Both ends belong to the range.
    pub from: Timestamp,
    pub to: Timestamp,
    pub case_id: Option<String>,
    pub log_type: Option<LogType>,
    pub page: Page,
}

impl Resolvers {
    /// Get Audit Logs: entries of a time range, newest first, and how many match in all.
    pub async fn audit_logs(&self, caller: &Caller, query: AuditQuery) -> Result<AuditLogPage> {
        let permit = self.inner.enter(caller, Action::ReadAuditLog, Subject::List("AuditEntry"))?;
        let filter = || {
            Params::none()
                .with("from", query.from.millis())
                .with("to", query.to.millis())
                .with("caseId", query.case_id.clone())
                .with("logType", query.log_type.as_ref().map(crate::values::word))
        };
        let page = filter().with("offset", query.page.offset).with("limit", query.page.limit);
        let entries = self.inner.read(&permit, statements::trail::ENTRIES, page);
        let (entries, count) = tokio::try_join!(entries, self.inner.read(&permit, statements::trail::ENTRIES_COUNT, filter()))?;
        Ok(AuditLogPage {
            offset: query.page.offset,
            limit: query.page.limit,
            number_of_values: count.first().map_or(0, |row| row.int("total")),
            values: entries.iter().map(|row| entry(row.get("entry"))).collect(),
        })
    }
}

fn entry(entry: &Value) -> AuditLogEntry {
    let text = |name: &str| entry.get(name).as_text().map(str::to_owned);
    let timestamp = Timestamp(entry.get("timestamp").as_int().unwrap_or_default());
    let action = text("action").unwrap_or_default();
    AuditLogEntry {
        timestamp,
        json_: AuditLogDetail {
            id: text("id").unwrap_or_default(),
            notes: text("notes"),
            case_id: text("caseId"),
            domain: text("domain").unwrap_or_default(),
            params: Some(params(entry)),
            user_ip: text("userIP"),
            user_id: text("userId"),
            log_type: if text("logType").as_deref() == Some("READ") { LogType::Read } else { LogType::Update },
            new_value: text("newValue"),
            object_id: text("objectId"),
            old_value: text("oldValue"),
            env_fields: AuditLogEnvironment { local_ip: None, pod_audit_name: None },
            timestamp,
            object_type: text("objectType").unwrap_or_default(),
            system_name: "amlgraph".to_owned(),
            user_action: action.clone(),
            action,
            object_field: text("objectField"),
            action_result: text("actionResult").unwrap_or_default(),
        },
    }
}

/// What an entry says that the document has no field for: who the user was, and how he came in.
fn params(entry: &Value) -> Opaque {
    let named = ["userName", "userRole", "means", "requestId"].map(|name| (name, entry.get(name).as_text()));
    let fields: serde_json::Map<String, serde_json::Value> =
        named.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into()))).collect();
    Opaque::parse(&serde_json::Value::Object(fields).to_string()).unwrap_or_default()
}

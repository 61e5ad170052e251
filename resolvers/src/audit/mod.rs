//! The audit log: the entry that every change leaves, and reading them.

mod entry;
mod gatherer;
mod noted;
mod telling;

use std::time::Duration;

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
        let listing = Listing::of(&query);
        let begin = self.inner.audit_places.begin(&listing, query.page.offset).await;
        let page = listing
            .params()
            .with("until", begin.place.as_ref().map_or(query.to.millis(), |place| place.0))
            .with("untilId", begin.place.map(|place| place.1))
            .with("skip", query.page.offset - begin.offset)
            .with("limit", query.page.limit);
        let entries = self.inner.read(&permit, statements::trail::ENTRIES, page);
        let count = self.inner.read(&permit, statements::trail::ENTRIES_COUNT, listing.params().with("to", query.to.millis()));
        let (entries, count) = tokio::join!(entries, count);
        let values: Vec<AuditLogEntry> = entries?.iter().map(|row| entry(row.get("entry"))).collect();
        let end = query.page.offset + values.len() as i64;
        if let Some(last) = values.last() {
            self.inner.audit_places.ends(listing, end, (last.timestamp.millis(), last.json_.id.clone())).await;
        }
        let number_of_values = match count {
            Ok(rows) => rows.first().map_or(0, |row| row.int("total")),
            // A list of years is longer than can be counted in time: what is known is that there are so many.
            Err(cypher::Error::TimeLimit { .. }) => end,
            Err(error) => return Err(error.into()),
        };
        Ok(AuditLogPage { offset: query.page.offset, limit: query.page.limit, number_of_values, values })
    }
}

/// What a list of entries is narrowed to; its pages are parts of one list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Listing {
    from: i64,
    to: i64,
    case_id: Option<String>,
    log_type: Option<&'static str>,
}

impl Listing {
    fn of(query: &AuditQuery) -> Self {
        let log_type = query.log_type.as_ref().map(|log_type| match log_type {
            LogType::Read => "READ",
            LogType::Update => "UPDATE",
        });
        Self { from: query.from.millis(), to: query.to.millis(), case_id: query.case_id.clone(), log_type }
    }

    fn params(&self) -> Params {
        Params::none().with("from", self.from).with("caseId", self.case_id.clone()).with("logType", self.log_type)
    }
}

/// Where pages of audit entries ended, so that the page behind one is found without passing over all before it. Only a help: who does not find
/// the place here skips. A list whose span has not ended grows at its front; then this keeps its pages from overlapping.
pub(crate) struct Places(moka::future::Cache<(Listing, i64), Place>);

/// Moment and id of the entry that a page ended with.
type Place = (i64, String);

/// Where a page begins.
struct Begin {
    /// So many entries are before the place.
    offset: i64,
    place: Option<Place>,
}

impl Default for Places {
    fn default() -> Self {
        Self(moka::future::Cache::builder().max_capacity(10_000).time_to_live(PLACES_KEPT).build())
    }
}

/// Longer than somebody who reads page by page takes for one.
const PLACES_KEPT: Duration = Duration::from_secs(600);

impl Places {
    async fn begin(&self, listing: &Listing, offset: i64) -> Begin {
        match self.0.get(&(listing.clone(), offset)).await {
            Some(place) => Begin { offset, place: Some(place) },
            None => Begin { offset: 0, place: None },
        }
    }

    async fn ends(&self, listing: Listing, offset: i64, place: Place) {
        self.0.insert((listing, offset), place).await;
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

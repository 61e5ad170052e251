//! The audit log: the entry that every change leaves, and reading them.

pub(crate) mod changes;
pub(crate) mod entry;
pub(crate) mod gatherer;
pub(crate) mod noted;
pub(crate) mod telling;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cypher::statements::rows::{AuditEntry, EntryRow};
use cypher::{Params, statements};
use graph_schema::audit::{AuditLogDetail, AuditLogEntry, AuditLogEnvironment, AuditLogPage, LogType};
use graph_schema::date::Timestamp;
use graph_schema::json_object::JsonObject;

pub use changes::{FieldChange, field_changes};
pub use entry::{AuditDraft, Object};
pub(crate) use gatherer::{Gatherer, Stranger};
pub use noted::{AuditedReads, Noted, Outcome};
pub(crate) use telling::stranger_entry;

use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Inner, OffsetPage, Resolvers, Result, boxed};

/// The query of Get Audit Logs.
#[derive(Debug, Clone)]
pub struct AuditQuery {
    /// Both ends belong to the range.
    pub from: Timestamp,
    pub to: Timestamp,
    pub case_id: Option<String>,
    pub log_type: Option<LogType>,
    pub page: OffsetPage,
}

/// How long the entries of a list may be counted: its page waits for that.
const COUNTING: Duration = Duration::from_secs(2);

impl Resolvers {
    /// Get Audit Logs: entries of a time range, newest first, and how many match in all. Those of one case are for more roles than all entries are.
    #[boxed]
    pub async fn audit_logs(&self, caller: &Caller, query: AuditQuery) -> Result<AuditLogPage> {
        let action = if query.case_id.is_some() { Action::ReadCaseAuditLog } else { Action::ReadAuditLog };
        let permit = self.inner.enter(caller, action, Subject::List("AuditEntry"))?;
        let listing = Listing::of(&query);
        let walk = self.inner.audit_walks.of(&caller.id, &listing).await;
        let begin = walk.begin(query.page.offset);
        let page = listing
            .params()
            .with("until", begin.place.as_ref().map_or(query.to.millis(), |place| place.0))
            .with("untilId", begin.place.map(|place| place.1))
            .with("skip", query.page.offset - begin.offset)
            .with("limit", query.page.limit);
        let entries = self.inner.read(&permit, statements::trail::ENTRIES, page);
        let all = listing.params().with("to", query.to.millis());
        let count = self.inner.read_within(&permit, COUNTING, statements::trail::ENTRIES_COUNT, all);
        let (entries, count) = tokio::join!(entries, count);
        let values: Vec<AuditLogEntry> = entries?.into_iter().map(entry).collect();
        let end = query.page.offset + values.len() as i64;
        if let Some(last) = values.last() {
            walk.ends(query.page.offset, end, (last.timestamp.millis(), last.json_.id.clone()));
        }
        let number_of_values = match count {
            Ok(rows) => statements::trail::ENTRIES_COUNT.first(rows)?.total,
            // A list of years is longer than can be counted in time; the page is there all the same.
            Err(_) => at_least(end, values.len(), query.page),
        };
        Ok(AuditLogPage { offset: query.page.offset, limit: query.page.limit, number_of_values, values })
    }
}

impl Inner {
    /// Which of these entries are there: the changes that were to leave them ([`Permit::leaving`]) were made.
    pub(crate) async fn written(&self, permit: &Permit<'_>, entries: Vec<&str>) -> Result<HashSet<String>> {
        let rows = self.read(permit, statements::trail::WRITTEN, Params::none().with("ids", entries)).await?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }
}

/// How many entries a list has for all that a page tells that ends there with so many of them: one more where it is full, so that whoever pages
/// until he has had that many goes on.
pub fn at_least(end: i64, returned: usize, page: OffsetPage) -> i64 {
    if returned as i64 == page.limit { end + 1 } else { end }
}

/// What a list of entries is narrowed to; its pages are parts of one list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Listing {
    pub from: i64,
    pub to: i64,
    pub case_id: Option<String>,
    pub log_type: Option<&'static str>,
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

/// Readers who go through lists page by page. Only a help: a reader whose walk is not known here skips what is before its page. A list whose span has
/// not ended grows at its front; a walk keeps its pages from overlapping, for its own reader and nobody else.
pub struct Walks(moka::future::Cache<(String, Listing), Arc<Walk>>);

impl Default for Walks {
    fn default() -> Self {
        Self(moka::future::Cache::builder().max_capacity(1_000).time_to_idle(WALKS_KEPT).build())
    }
}

/// Longer than somebody who reads page by page takes for one.
const WALKS_KEPT: Duration = Duration::from_secs(600);

impl Walks {
    pub async fn of(&self, reader: &str, listing: &Listing) -> Arc<Walk> {
        self.0.get_with((reader.to_owned(), listing.clone()), async { Arc::default() }).await
    }
}

/// Where a reader's pages of a list have ended, by how many entries are before that, so that the page behind one is found without passing over all
/// before it.
#[derive(Default)]
pub struct Walk(Mutex<BTreeMap<i64, Place>>);

/// Moment and id of the entry that a page ended with.
type Place = (i64, String);

/// So many ends of pages are known of a walk; of more, those near its beginning are forgotten.
const MOST_PLACES: usize = 1_000;

/// Where a page begins.
#[derive(Debug, PartialEq, Eq)]
pub struct Begin {
    /// So many entries are before the place.
    pub offset: i64,
    pub place: Option<Place>,
}

impl Walk {
    pub fn begin(&self, offset: i64) -> Begin {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match places.get(&offset) {
            Some(place) => Begin { offset, place: Some(place.clone()) },
            None => Begin { offset: 0, place: None },
        }
    }

    /// A page that began at `offset` has ended. The first page begins the walk anew: the list has grown since, and what came behind its former first
    /// page is elsewhere now.
    pub fn ends(&self, offset: i64, end: i64, place: Place) {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if offset == 0 {
            places.clear();
        }
        places.insert(end, place);
        if places.len() > MOST_PLACES {
            places.pop_first();
        }
    }
}

fn entry(EntryRow { entry }: EntryRow) -> AuditLogEntry {
    let timestamp = Timestamp(entry.timestamp);
    AuditLogEntry {
        timestamp,
        json_: AuditLogDetail {
            params: Some(params(&entry)),
            id: entry.id,
            notes: entry.notes,
            case_id: entry.case_id,
            domain: entry.domain,
            user_ip: entry.user_ip,
            user_id: entry.user_id,
            log_type: entry.log_type,
            new_value: entry.new_value,
            object_id: entry.object_id,
            old_value: entry.old_value,
            env_fields: AuditLogEnvironment { local_ip: None, pod_audit_name: None },
            timestamp,
            object_type: entry.object_type,
            system_name: "amlgraph".to_owned(),
            user_action: entry.action.clone(),
            action: entry.action,
            // Entries are of whole objects.
            object_field: None,
            action_result: entry.action_result,
        },
    }
}

/// What an entry says that the document has no field for: who the user was, and how he came in.
fn params(entry: &AuditEntry) -> JsonObject {
    let named = [("userName", &entry.user_name), ("userRole", &entry.user_role), ("means", &entry.means), ("requestId", &entry.request_id)];
    let fields: serde_json::Map<String, serde_json::Value> =
        named.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text.as_deref()?.into()))).collect();
    JsonObject::parse(&serde_json::Value::Object(fields).to_string()).unwrap_or_default()
}

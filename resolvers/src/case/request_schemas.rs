//! The shapes that requests for data have, by their types, and how long requests of a type may wait.

use cypher::Error as DatabaseError;
use cypher::graph::nodes::RequestSchemaSummary;
use cypher::graph::{FoundRow, Mismatch, Visit, lists, nodes};
use cypher::statements::rows::{DatedSchemaRow, RequestSchemaRow};
use cypher::{Params, Reading, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::given::Given;
use graph_schema::json_object::JsonObject;
use graph_schema::request_for_data::{RequestForDataSchema, RequestForDataSchemaRecord};

use crate::explore::{ListFilter, Span};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, ObjectKind, OffsetPage, Once, Resolvers, Result, boxed};

impl Resolvers {
    pub(super) async fn request_schema_row(&self, permit: &Permit<'_>, kind: &str) -> Result<Option<RequestSchemaRow>> {
        let rows = self.inner.lookups.rows(permit, statements::request_for_data::READ_SCHEMA, Params::none(), kind).await?;
        Ok(rows.first().cloned())
    }

    /// Create or update an RFD schema. Answers with the schema as it is kept.
    #[boxed]
    pub async fn record_request_schema(&self, caller: &Caller, given: Given<RequestForDataSchema>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let kind = given.value.kind.clone();
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("RequestForDataSchema", &kind))?;
        let inner = &self.inner;
        let before = self.request_schema_row(&permit, &kind).await?.map(|row| Timestamp(row.created_at));
        let created_at = given.value.created_at.or(before).unwrap_or_else(|| inner.clock.now());
        let due_within = given.value.due_within;
        let kept = RequestForDataSchemaRecord { kind: kind.clone(), schema: given.value.schema.clone(), created_at, due_within };
        let answer = serde_json::to_string(&kept).map_err(|error| Error::Internal(error.to_string()))?;
        let entry = inner.entry(&permit, "RequestForDataSchema", &kind, "request_for_data.schema.recorded").with_new_value(given.record.clone());
        let once = Once { key, body: &given.record };
        inner.answer_once(&permit, once, answer, &Amending::<RecordSchema>::NEW, Write::new(kept, entry)).await
    }

    /// Retrieve RFD schema by type.
    #[boxed]
    pub async fn request_schema(&self, caller: &Caller, kind: &str) -> Result<RequestForDataSchemaRecord> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("RequestForDataSchema", kind))?;
        let row = self.request_schema_row(&permit, kind).await?.ok_or_else(|| Error::not_found(ObjectKind::RequestForDataSchema, kind))?;
        let schema = opaque(&row.schema)?;
        Ok(RequestForDataSchemaRecord { kind: row.id, schema, created_at: Timestamp(row.created_at), due_within: row.due_within })
    }

    /// Retrieve a list of RFD schemas: the newest first.
    #[boxed]
    pub async fn request_schemas(&self, caller: &Caller, page: OffsetPage) -> Result<Vec<RequestForDataSchemaRecord>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("RequestForDataSchema"))?;
        let list = &lists::REQUEST_FOR_DATA_SCHEMAS;
        let then = Visit { summary: true, ..Visit::of(&nodes::REQUEST_FOR_DATA_SCHEMA) };
        let rows = self.inner.span(&permit, Span { list, filter: ListFilter::All, sort: Vec::new(), page, then }).await?;
        let items: std::result::Result<_, Mismatch> = rows.iter().map(schema_item).collect();
        items.map_err(|mismatch| DatabaseError::rejected(list.link.name, mismatch).into())
    }
}

fn schema_item(row: &FoundRow) -> std::result::Result<RequestForDataSchemaRecord, Mismatch> {
    let RequestSchemaSummary { schema, created_at, due_within } = row.node.summary()?;
    Ok(RequestForDataSchemaRecord { kind: row.node.id.to_string(), schema, created_at, due_within })
}

pub(super) fn opaque(text: &str) -> Result<JsonObject> {
    JsonObject::parse(text).ok_or_else(|| Error::Internal("what is stored of a request for data is no object".to_owned()))
}

/// Keeps the schema of a type in place of the one before.
struct RecordSchema;

impl Amend for RecordSchema {
    type Row = RequestForDataSchemaRecord;
    type Locked = DatedSchemaRow;
    type Stored = DatedSchemaRow;
    type Answer = ();

    const LOCK: Reading<DatedSchemaRow> = statements::request_for_data::LOCK_SCHEMA;
    const WRITE: WriteStatement = statements::request_for_data::RECORD_SCHEMA;
    const RANK: Rank = Rank::Record;

    fn id(kept: &RequestForDataSchemaRecord) -> &str {
        &kept.kind
    }

    fn size(kept: &RequestForDataSchemaRecord) -> usize {
        1_000 + kept.schema.as_str().len()
    }

    fn decide(kept: &RequestForDataSchemaRecord, stored: Option<DatedSchemaRow>, decision: Decision<'_>) -> Result<Amended<()>> {
        let props = map([
            ("name", kept.kind.as_str().into()),
            ("schema", kept.schema.as_str().into()),
            ("createdAt", kept.created_at.millis().into()),
            ("dueWithin", kept.due_within.into()),
            ("recordedAt", decision.now.millis().into()),
        ]);
        let write = map([("id", kept.kind.as_str().into()), ("props", props)]);
        Ok(Amended::by((), write).replacing(stored.map(|stored| stored.schema)))
    }
}

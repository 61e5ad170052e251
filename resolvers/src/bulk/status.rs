//! How far bulk requests are, and what of them has failed.

use std::time::Duration;

use cypher::graph::{FoundRow, Mismatch, Visit, lists, nodes};
use cypher::statements::rows::CaseStatusRow;
use cypher::{Error as DatabaseError, Params, statements};
use graph_schema::bulk::{BulkCaseStatus, BulkList, DeadLetter, MissingRelation};
use graph_schema::date::Timestamp;
use graph_schema::id::CaseId;
use graph_schema::json_text::JsonText;

use super::progress::{BulkListProgress, lists_left};
use crate::explore::{BulkItemFilter, BulkItemSort, BulkItemSummary, ListFilter, SortDirection, Span};
use crate::idempotency::Left;
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, Inner, ObjectKind, OffsetPage, Resolvers, Result, boxed};

/// How long it is told how an item stands, in milliseconds (document, "Bulk rules", 4).
const KEPT: i64 = 30 * 24 * 60 * 60 * 1000;
/// How many items one transaction forgets: writers wait for it.
const AT_A_TIME: i64 = 1000;

/// How long a commit may take at Neo4j from when the part of an item is gone for readers until the item is found: records are changed first, indexes
/// behind them. Who finds neither looks once more after that time.
const COMMIT: Duration = Duration::from_millis(25);

/// The query of Get Cases in Dead Letter Queue.
#[derive(Debug, Clone)]
pub struct DeadLetterQuery {
    pub case_id: Option<CaseId>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
    /// Newest first when empty.
    pub sort: Vec<(BulkItemSort, SortDirection)>,
    pub page: OffsetPage,
}

impl Resolvers {
    /// Get Bulk Case Ingestion Status: how a case stands that came in bulk, the last time that it was sent.
    #[boxed]
    pub async fn bulk_case_status(&self, caller: &Caller, case: &CaseId) -> Result<BulkCaseStatus> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("BulkItem", case.as_str()))?;
        let mut last = self.inner.last_of_case(&permit, case).await?;
        if last.is_none() {
            tokio::time::sleep(COMMIT).await;
            last = self.inner.last_of_case(&permit, case).await?;
        }
        last.map(status).ok_or_else(|| Error::not_found(ObjectKind::BulkCase, case.as_str()))
    }

    /// Get Cases in Dead Letter Queue.
    #[boxed]
    pub async fn dead_letters(&self, caller: &Caller, query: DeadLetterQuery) -> Result<Vec<DeadLetter>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("BulkItem"))?;
        let DeadLetterQuery { case_id, created_from, created_to, sort, page } = query;
        let list = &lists::DEAD_LETTERS;
        let sort = list.link.pages(&sort)?;
        let subject = case_id.map(|id| id.to_string());
        let filter =
            ListFilter::BulkItems(BulkItemFilter { list: Some(BulkList::Cases), subject, created_from, created_to, ..BulkItemFilter::default() });
        let then = Visit { summary: true, record: true, ..Visit::of(&nodes::BULK_ITEM) };
        let rows = self.inner.span(&permit, Span { list, filter, sort, page, then }).await?;
        let letters: std::result::Result<_, Mismatch> = rows.iter().map(dead_letter).collect();
        letters.map_err(|mismatch| DatabaseError::rejected(list.link.name, mismatch).into())
    }

    /// How far a bulk request is, list by list; those of which nothing is left to do are not named.
    #[boxed]
    pub async fn bulk_progress(&self, caller: &Caller, request: &str) -> Result<Vec<BulkListProgress>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let rows = self.inner.walks.rows(&permit, statements::bulk::PROGRESS, Params::none(), request).await?;
        Ok(rows.first().map(lists_left).unwrap_or_default())
    }
}

impl Inner {
    /// The last time that a case was sent.
    async fn last_of_case(&self, permit: &Permit<'_>, case: &CaseId) -> Result<Option<CaseStatusRow>> {
        let rows = self.read(permit, statements::bulk::CASE_STATUS, Params::none().with("case", case.as_str())).await?;
        Ok(rows.into_iter().max_by(|a, b| a.item.cmp(&b.item)))
    }
}

fn status(row: CaseStatusRow) -> BulkCaseStatus {
    BulkCaseStatus {
        status: row.state,
        missing_relations: row.missing.iter().filter_map(|text| MissingRelation::parse(text)).collect(),
        created_at: Timestamp(row.created_at),
        processed_at: row.processed_at.map(Timestamp),
        deferred_until: row.due_at.map(Timestamp),
        attempts: row.attempts,
    }
}

fn dead_letter(row: &FoundRow) -> std::result::Result<DeadLetter, Mismatch> {
    let BulkItemSummary { subject, created_at, processed_at, .. } = row.node.summary()?;
    let case = row.node.record.as_deref().and_then(JsonText::parse).ok_or(Mismatch { column: "body", problem: "of another type" })?;
    Ok(DeadLetter {
        id: row.node.id.to_string(),
        case_id: CaseId::new(subject.unwrap_or_default()),
        created_at,
        processed_at: processed_at.unwrap_or(created_at),
        case,
    })
}

/// Forgets some of what has served its time: items, then requests of which nothing is left.
pub(crate) async fn forget_some(inner: &Inner) -> Result<Left> {
    let before = inner.clock.now().millis() - KEPT;
    let params = || Params::none().with("before", before).with("most", AT_A_TIME);
    let items = inner.engine.write_as(statements::bulk::FORGET_ITEMS, params()).await?;
    let items = statements::bulk::FORGET_ITEMS.first(items)?.forgotten;
    let requests = inner.engine.write_as(statements::bulk::FORGET_REQUESTS, params()).await?;
    let requests = statements::bulk::FORGET_REQUESTS.first(requests)?.forgotten;
    Ok(if items < AT_A_TIME && requests < AT_A_TIME { Left::Nothing } else { Left::Perhaps })
}

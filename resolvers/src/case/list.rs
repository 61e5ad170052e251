//! Listing cases.

use cypher::Error as DatabaseError;
use cypher::graph::{FoundRow, Mismatch, Visit, link, lists, nodes};
use graph_schema::case::{CaseListItem, CaseListWorkflow, CaseTagRecord};
use graph_schema::id::CaseId;

use crate::explore::{CaseFilter, CaseSort, CaseSummary, ListFilter, SortDirection, Span};
use crate::policy::{Action, Subject};
use crate::{Caller, OffsetPage, Resolvers, Result, boxed};

/// The query of Get Cases.
#[derive(Debug, Clone)]
pub struct CaseQuery {
    pub filter: CaseFilter,
    /// Newest first when empty.
    pub sort: Vec<(CaseSort, SortDirection)>,
    pub page: OffsetPage,
}

impl Resolvers {
    /// Get Cases: a page of cases as a list shows them, in one statement with their tags.
    #[boxed]
    pub async fn cases(&self, caller: &Caller, query: CaseQuery) -> Result<Vec<CaseListItem>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("Case"))?;
        let list = &lists::CASES;
        let sort = list.link.pages(&query.sort)?;
        let tags = link(&nodes::CASE, "tags").map(|tags| tags.whole(Visit::of(tags.to)));
        let then = Visit { summary: true, steps: tags.into_iter().collect(), ..Visit::of(&nodes::CASE) };
        let span = Span { list, filter: ListFilter::Cases(query.filter), sort, page: query.page, then };
        let rows = self.inner.span(&permit, span).await?;
        let items: std::result::Result<_, Mismatch> = rows.iter().map(item).collect();
        items.map_err(|mismatch| DatabaseError::rejected(list.link.name, mismatch).into())
    }
}

fn item(row: &FoundRow) -> std::result::Result<CaseListItem, Mismatch> {
    let CaseSummary { kind, created_at, updated_at, workflow_id, step_id, status, state, .. } = row.node.summary()?;
    let tags = row.node.links.iter().flat_map(|link| &link.rows).map(FoundRow::edge::<CaseTagRecord>).collect::<std::result::Result<_, _>>()?;
    let workflow = CaseListWorkflow { id: workflow_id, step_id, status, state };
    Ok(CaseListItem { id: CaseId::new(&*row.node.id), workflow, created_at, updated_at, kind, tags })
}

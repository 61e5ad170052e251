//! Part of a list by position, as the REST operations have it: filtered, sorted and cut by the database.

use cypher::Error as DatabaseError;
use cypher::graph::{Begin, FoundRow, LONGEST_PAGE, List, Node, Page, Position, Slice, Step, Visit, link};

use super::{COUNT, ListFilter, PAGE};
use crate::policy::Permit;
use crate::{Inner, OffsetPage, Result};

/// Which part of which list, and what is wanted of each node.
pub(crate) struct Span {
    pub list: &'static List,
    pub filter: ListFilter,
    /// The most important first; the list's usual order when empty.
    pub sort: Vec<Page>,
    pub page: OffsetPage,
    pub then: Visit,
}

/// Which part of what a link leads to from a node, in the link's usual order.
pub(crate) struct SpanBehind<'a> {
    pub node: &'static Node,
    pub id: &'a str,
    /// The link, as GraphQL names it.
    pub field: &'static str,
    pub filter: ListFilter,
    pub page: OffsetPage,
    pub then: Visit,
}

/// So many rows of a whole list are read by one statement: what begins behind a place is never longer.
const AT_A_TIME: usize = LONGEST_PAGE;

impl Inner {
    /// The rows of a part of a list.
    pub(crate) async fn span(&self, permit: &Permit<'_>, span: Span) -> Result<Vec<FoundRow>> {
        let Span { list, filter, mut sort, page, then } = span;
        let link = &list.link;
        let last = sort.pop().unwrap_or(link.usual_page());
        let begin = Begin::At(Position { offset: page.offset, before: sort });
        let slice = Slice { page: last, limit: usize::try_from(page.limit).unwrap_or_default(), begin, until: None };
        let step = Step { link, conditions: link.conditions(&filter)?, slice: None, counted: false, then };
        let Some(row) = self.read_composed(permit, PAGE, list.compose_page(&step, &slice)).await? else { return Ok(Vec::new()) };
        step.read_page(&slice, row).map_err(|mismatch| DatabaseError::rejected(PAGE, mismatch).into())
    }

    /// All rows of a list that pass a filter, in its usual order. They are read some at a time, each time from where the time before has ended.
    pub(crate) async fn whole_list(&self, permit: &Permit<'_>, list: &'static List, filter: &ListFilter, then: Visit) -> Result<Vec<FoundRow>> {
        let link = &list.link;
        let step = Step { link, conditions: link.conditions(filter)?, slice: None, counted: false, then };
        let mut slice = Slice { page: link.usual_page(), limit: AT_A_TIME, begin: Begin::AtStart, until: None };
        let mut rows: Vec<FoundRow> = Vec::new();
        loop {
            let Some(row) = self.read_composed(permit, PAGE, list.compose_page(&step, &slice)).await? else { return Ok(rows) };
            let some = step.read_page(&slice, row).map_err(|mismatch| DatabaseError::rejected(PAGE, mismatch))?;
            let is_last = some.len() < AT_A_TIME;
            rows.extend(some);
            match rows.last() {
                Some(last) if !is_last => slice.begin = Begin::Behind(last.keys().to_vec()),
                _ => return Ok(rows),
            }
        }
    }

    /// The rows of a part of what a link leads to; nothing when there is no such node.
    pub(crate) async fn span_behind(&self, permit: &Permit<'_>, span: SpanBehind<'_>) -> Result<Option<Vec<FoundRow>>> {
        let SpanBehind { node, id, field, filter, page, then } = span;
        let link = link(node, field).ok_or_else(|| DatabaseError::rejected(PAGE, format!("{}.{field} is not in the table", node.label)))?;
        let begin = Begin::At(Position { offset: page.offset, before: Vec::new() });
        let slice = Slice { page: link.usual_page(), limit: usize::try_from(page.limit).unwrap_or_default(), begin, until: None };
        let step = Step { link, conditions: link.conditions(&filter)?, slice: Some(slice), counted: false, then };
        let visit = Visit { steps: vec![step], ..Visit::of(node) };
        let mut composed = visit.compose();
        composed.params = composed.params.with("ids", vec![id]);
        let Some(row) = self.read_composed(permit, PAGE, composed).await? else { return Ok(None) };
        let (_, found) = visit.read(row).map_err(|mismatch| DatabaseError::rejected(PAGE, mismatch))?;
        Ok(found.links.first().map(|link| link.rows.clone()))
    }

    /// How many of a list pass a filter.
    pub(crate) async fn count(&self, permit: &Permit<'_>, list: &'static List, filter: &ListFilter) -> Result<i64> {
        let link = &list.link;
        let step = Step { link, conditions: link.conditions(filter)?, slice: None, counted: true, then: Visit::of(link.to) };
        let row = self.read_composed(permit, COUNT.label(), list.compose_count(&step)).await?;
        Ok(COUNT.first(COUNT.rows(row.into_iter().collect())?)?.total)
    }
}

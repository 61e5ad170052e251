//! Reading ahead: which question answers the fields below a node.

use std::sync::Arc;

use async_graphql::parser::types::Field;
use async_graphql::{Context, Result, SelectionField};
use resolvers::explore::{Link, ListFilter, Node, Number, Step, Visit, link};

use super::super::page::{CursorScope, DEFAULT_SIZE, PageRequest};
use super::super::{asking, refused};
use super::arguments::{LinkArguments, RequestContext};

/// How many steps one statement may have: a setting. More make it dear to plan; without any, every link is a statement of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepsAtOnce(pub usize);

impl StepsAtOnce {
    fn of(context: &Context<'_>) -> usize {
        context.data_opt::<Self>().map_or(0, |steps| steps.0)
    }
}

/// Steps behind one another. An even number, so that a walk to and fro along one link is of equal parts.
const DEPTH: usize = 4;
/// Rows that one node may lead to, counting all limits on the way: what goes further is asked for once it is known what is there.
const ROWS: usize = 2_000;

/// A question, and for which field of the document each of its steps is.
pub struct Plan {
    pub visit: Arc<Visit>,
    /// One for each step.
    pub links: Vec<PlannedLink>,
}

/// A step, for a field.
pub struct PlannedLink {
    pub field: FieldId,
    /// The page it is for, of links that are read by pages.
    pub page: Option<PageRequest>,
    /// What is asked of each node.
    pub then: Arc<Plan>,
}

/// A place in a document. Names lie there once for each place at which they stand, so that where one lies tells it from all others, also where
/// a fragment is spread twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldId(usize);

impl FieldId {
    pub fn of(field: SelectionField<'_>) -> Self {
        Self(field.name().as_ptr() as usize)
    }

    pub fn number(self) -> usize {
        self.0
    }

    /// The same of a field as the document has it.
    pub fn of_node(field: &Field) -> Self {
        Self(field.name.node.as_ptr() as usize)
    }
}

/// What is left of what one statement may ask.
#[derive(Clone, Copy)]
struct Room {
    depth: usize,
    rows: usize,
}

impl Room {
    const WHOLE: Self = Self { depth: DEPTH, rows: ROWS };

    /// What is left behind a step of so many rows. A step for which there is no room is not taken: its field asks for it by itself.
    fn behind(self, rows: usize) -> Result<Self> {
        match (self.depth.checked_sub(1), self.rows / rows.max(1)) {
            (Some(depth), left @ 1..) => Ok(Self { depth, rows: left }),
            _ => Err("there is no room for it in one statement".into()),
        }
    }
}

impl Plan {
    pub fn of_nothing(node: &'static Node) -> Self {
        Self { visit: Arc::new(Visit::of(node)), links: Vec::new() }
    }

    /// The plan for what is selected below fields that are nodes of a kind.
    pub fn below<'a>(context: &Context<'_>, fields: impl IntoIterator<Item = SelectionField<'a>>, node: &'static Node) -> Self {
        Planning::new(context, StepsAtOnce::of(context)).nodes(fields, node, Room::WHOLE)
    }

    /// The plan for one link of a node: that of the present field.
    pub fn for_link(context: &Context<'_>, node: &'static Node, link: &'static Link) -> Result<Self> {
        let (step, planned) = Planning::behind_link(context).step(context.field(), link, Room::WHOLE)?;
        Ok(Self::of_link(node, step, planned))
    }

    /// The plan for edges of a link of a node, at most so many, as a filter finds them and the fields of a payload show them. The link is one of the steps, as
    /// that of a field is.
    pub fn for_edges(
        context: &Context<'_>,
        fields: &[SelectionField<'_>],
        node: &'static Node,
        link: &'static Link,
        (filter, most): (&ListFilter, usize),
    ) -> Result<Self> {
        let nodes = fields.iter().flat_map(|field| selected(*field, "node"));
        let then = Planning::behind_link(context).nodes(nodes, link.to, Room::WHOLE.behind(most.min(ROWS))?);
        let conditions = link.conditions(filter).map_err(|error| refused(error.into()))?;
        let step = Step { conditions, ..link.whole(Visit::clone(&then.visit)) };
        let planned = PlannedLink { field: FieldId::of(context.field()), page: None, then: Arc::new(then) };
        Ok(Self::of_link(node, step, planned))
    }

    fn of_link(node: &'static Node, step: Step, planned: PlannedLink) -> Self {
        Self { visit: Arc::new(Visit { steps: vec![step], ..Visit::of(node) }), links: vec![planned] }
    }

    /// The same without the links: they are followed when their fields ask. What is shown of the node comes with it, whether it is asked for or
    /// not, so that many documents share the statement, and the database its plan.
    pub fn without_links(self) -> Self {
        let Visit { node, record, .. } = *self.visit;
        Self { visit: Arc::new(Visit { summary: !node.summary.is_empty(), record, ..Visit::of(node) }), links: Vec::new() }
    }

    /// The same of which no link is followed but those of the node itself.
    pub fn of_one_link(mut self) -> Self {
        let mut visit = Visit::clone(&self.visit);
        for (step, link) in visit.steps.iter_mut().zip(&mut self.links) {
            let then = Plan { visit: Arc::clone(&link.then.visit), links: Vec::new() };
            link.then = Arc::new(then.without_links());
            step.then = Visit::clone(&link.then.visit);
        }
        Self { visit: Arc::new(visit), ..self }
    }

    /// The step for a page of a list, which the present field asks for, and what it is for.
    pub fn for_list(context: &Context<'_>, list: &'static Link) -> Result<(Step, PlannedLink)> {
        Planning::new(context, 0).step(context.field(), list, Room::WHOLE)
    }

    /// The same where the field itself has read its arguments.
    pub fn for_list_by(context: &Context<'_>, list: &'static Link, arguments: LinkArguments) -> Result<(Step, PlannedLink)> {
        Planning::new(context, 0).paged(context.field(), list, Room::WHOLE, arguments)
    }

    /// Where the answer for a field is.
    pub fn at(&self, field: FieldId) -> Option<usize> {
        self.links.iter().position(|link| link.field == field)
    }
}

struct Planning<'c> {
    context: &'c Context<'c>,
    /// Steps that are left.
    steps: usize,
    /// For filters that depend on the time, or on the caller.
    request: RequestContext,
}

impl<'c> Planning<'c> {
    fn new(context: &'c Context<'_>, steps: usize) -> Self {
        Self { context, steps, request: RequestContext::of(context) }
    }

    /// Of what is behind a link that is a step itself.
    fn behind_link(context: &'c Context<'_>) -> Self {
        Self::new(context, StepsAtOnce::of(context).saturating_sub(1))
    }

    /// What the caller is not shown is left to its own field, which says so; the rest is read all the same.
    fn is_shown(&self, node: &Node) -> bool {
        asking(self.context).is_ok_and(|(resolvers, caller)| resolvers.is_shown(caller, node))
    }

    fn nodes<'a>(&mut self, fields: impl IntoIterator<Item = SelectionField<'a>>, node: &'static Node, room: Room) -> Plan {
        let (mut visit, mut links) = (Visit::of(node), Vec::<PlannedLink>::new());
        for field in fields.into_iter().flat_map(|field| field.selection_set().collect::<Vec<_>>()) {
            match (field.name(), link(node, field.name())) {
                ("id" | "nodeId" | "name" | "__typename", _) => {}
                // One of another date is a version, which is asked for by the field.
                ("record", _) => visit.record |= node.record.is_some() && field.arguments().is_ok_and(|arguments| arguments.is_empty()),
                (_, Some(link)) if link.number == Number::One && is_known_by_id(link) && asks_for_id_alone(field) => visit.summary = true,
                (_, Some(link)) if !self.is_shown(link.to) => {}
                (_, Some(link)) => {
                    let id = FieldId::of(field);
                    if links.iter().any(|link| link.field == id) {
                        continue;
                    }
                    // A field whose arguments are wrong says so itself, and one for which there is no room asks by itself.
                    if let Some((step, planned)) = self.takes_step().then(|| self.step(field, link, room).ok()).flatten() {
                        visit.steps.push(step);
                        links.push(planned);
                    }
                }
                (_, None) => visit.summary |= !node.summary.is_empty(),
            }
        }
        Plan { visit: Arc::new(visit), links }
    }

    fn takes_step(&mut self) -> bool {
        match self.steps.checked_sub(1) {
            Some(left) => {
                self.steps = left;
                true
            }
            None => false,
        }
    }

    fn step(&mut self, field: SelectionField<'_>, link: &'static Link, room: Room) -> Result<(Step, PlannedLink)> {
        if link.number != Number::Pages {
            // Of a few that lead on there may be as many as the cost counts.
            let rows = if link.number == Number::Few { DEFAULT_SIZE } else { 1 };
            let then = self.nodes([field], link.to, room.behind(rows)?);
            let step = link.whole(Visit::clone(&then.visit));
            return Ok((step, PlannedLink { field: FieldId::of(field), page: None, then: Arc::new(then) }));
        }
        let arguments = LinkArguments::read(field, link, &self.request)?;
        self.paged(field, link, room, arguments)
    }

    fn paged(&mut self, field: SelectionField<'_>, link: &'static Link, room: Room, arguments: LinkArguments) -> Result<(Step, PlannedLink)> {
        let LinkArguments { page, filter, order } = arguments;
        let page = PageRequest::read(&page, field, CursorScope { link, order })?;
        let in_edges = selected(field, "edges").into_iter().flat_map(|edge| selected(edge, "node"));
        let nodes = in_edges.chain(selected(field, "nodes"));
        let then = self.nodes(nodes, link.to, room.behind(page.limit())?);
        let conditions = link.conditions(&filter).map_err(|error| refused(error.into()))?;
        let step = Step { link, conditions, slice: page.slice(), counted: page.is_counted(), then: Visit::clone(&then.visit) };
        Ok((step, PlannedLink { field: FieldId::of(field), page: Some(page), then: Arc::new(then) }))
    }
}

/// Fields of this name that a field selects directly.
pub fn selected<'a>(field: SelectionField<'a>, name: &str) -> Vec<SelectionField<'a>> {
    field.selection_set().filter(|selected| selected.name() == name).collect()
}

/// Whether the summary of what it leads from has the id of what it leads to.
fn is_known_by_id(link: &Link) -> bool {
    matches!(link.name, "Transaction.account" | "Transaction.owner")
}

/// Whether a field's node is asked for nothing but its id.
pub fn asks_for_id_alone(field: SelectionField<'_>) -> bool {
    field.selection_set().all(|selected| matches!(selected.name(), "id" | "nodeId" | "__typename"))
}

//! From a document to a walk, and from what was found back to the document's fields.
//!
//! Where a walk begins (a root field, or a node that was come to without what is asked of it), the fields below are read ahead ([`plan`]): one
//! question for the whole tree, one statement. Every node that comes of it ([`At`]) carries what was found with it, and the plan that says which
//! field of the document each part is for. A field that was not planned (the tree was too large for one statement) begins a walk of its own.

mod arguments;
mod plan;

use std::sync::Arc;

use async_graphql::{Context, Result, SelectionField};
use futures::future::BoxFuture;
use futures::future::join_all;
use resolvers::explore::{Columns, Found, Mismatch, Node, Reached, Visit, Walk};

use super::{asking, made_once, refused};
use crate::boxed;
pub use arguments::{LinkArguments, RequestContext, filter_of};
pub use plan::{FieldId, Plan, PlannedLink, StepsAtOnce, asks_for_id_alone, selected};

/// A node that a walk has come to.
#[derive(Clone)]
pub struct At {
    pub found: Arc<Found>,
    pub plan: Arc<Plan>,
}

impl At {
    /// A node of which nothing but its id and its caption is known.
    pub fn captioned(node: &'static Node, id: Arc<str>, name: Arc<str>) -> Self {
        Self { found: Arc::new(Found::captioned(id, name)), plan: Arc::new(Plan::of_nothing(node)) }
    }

    /// The node with an id, if there is one, with all that is asked of it.
    pub async fn find(context: &Context<'_>, node: &'static Node, id: &str) -> Result<Option<Self>> {
        Self::find_for(context, [context.field()], node, id).await
    }

    /// The same where what is asked stands below other fields than the present one.
    pub fn find_for<'c, 'a>(
        context: &'c Context<'c>,
        fields: impl IntoIterator<Item = SelectionField<'a>>,
        node: &'static Node,
        id: &'c str,
    ) -> BoxFuture<'c, Result<Option<Self>>> {
        Self::reach(context, Plan::below(context, fields, node), id, Reached::ByName)
    }

    /// The same of a node that another one names.
    pub async fn named(context: &Context<'_>, node: &'static Node, id: &str) -> Result<Option<Self>> {
        let plan = || Ok(Plan::below(context, [context.field()], node));
        question_of_all(context, ("", node), Plan::without_links, plan)?.reach(context, id, Reached::ByLink).await
    }

    #[boxed]
    async fn reach(context: &Context<'_>, plan: Plan, id: &str, reached: Reached) -> Result<Option<Self>> {
        Question::of(context, plan, Plan::without_links)?.reach(context, id, reached).await
    }

    /// Several nodes of a kind by their ids, each in the place of its id, with all that the present field asks of them. They are one question.
    #[boxed]
    pub async fn find_all(context: &Context<'_>, node: &'static Node, ids: &[String]) -> Result<Vec<Result<Option<Self>>>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let question = &Question::of(context, Plan::below(context, [context.field()], node), Plan::without_links)?;
        Ok(join_all(ids.iter().map(|id| question.reach(context, id, Reached::ByName))).await)
    }

    pub fn id(&self) -> &str {
        &self.found.id
    }

    pub fn name(&self) -> &str {
        &self.found.name
    }

    pub fn node(&self) -> &'static Node {
        self.plan.visit.node
    }

    /// What another question finds at this node.
    #[boxed]
    pub async fn ask(&self, context: &Context<'_>, visit: Visit) -> Result<Option<Arc<Found>>> {
        let (resolvers, caller) = asking(context)?;
        let walk = resolvers.walk_for(Arc::new(visit));
        resolvers.walk(caller, &walk, self.id(), Reached::ByLink).await.map_err(refused)
    }

    /// The record as it was given, of kinds that have one; none of what others have only named.
    #[boxed]
    pub async fn record(&self, context: &Context<'_>) -> Result<Option<Arc<str>>> {
        if self.plan.visit.record {
            return Ok(self.found.record.clone());
        }
        let found = self.ask(context, Visit { record: true, ..Visit::of(self.node()) }).await?;
        Ok(found.and_then(|found| found.record.clone()))
    }
}

/// A node with what is shown of its kind, read once.
#[derive(Clone)]
pub struct Shown<S> {
    pub at: At,
    summary: Option<Arc<S>>,
}

impl<S: Columns> Shown<S> {
    pub fn new(at: At) -> Result<Self> {
        let summary = at.found.has_summary().then(|| at.found.summary().map(Arc::new)).transpose().map_err(mismatched)?;
        Ok(Self { at, summary })
    }

    /// One of which it is known.
    pub fn known(at: At, summary: S) -> Self {
        Self { at, summary: Some(Arc::new(summary)) }
    }

    /// What is shown of it, where it was asked for before.
    pub fn at_hand(&self) -> Option<&S> {
        self.summary.as_deref()
    }

    /// What is shown of it, now where it was not asked for before.
    pub async fn summary(&self, context: &Context<'_>) -> Result<Arc<S>> {
        if let Some(summary) = &self.summary {
            return Ok(Arc::clone(summary));
        }
        let found = self.at.ask(context, Visit { summary: true, ..Visit::of(self.at.node()) }).await?;
        let found = found.ok_or_else(|| refused(resolvers::Error::Internal(format!("a {} is gone", self.at.node().label))))?;
        found.summary().map(Arc::new).map_err(mismatched)
    }
}

/// What is asked of nodes, and what each part of it is for.
pub struct Question {
    pub plan: Arc<Plan>,
    walk: Arc<Walk>,
}

impl Question {
    /// That of a plan: all at once, or less of it where the links behind are better followed one by one.
    pub fn of(context: &Context<'_>, mut plan: Plan, less: fn(Plan) -> Plan) -> Result<Self> {
        let (resolvers, caller) = asking(context)?;
        let walk_of = |plan: &Plan| resolvers.walk_for(Arc::clone(&plan.visit));
        let mut walk = walk_of(&plan);
        if !resolvers.is_one_statement(caller, &walk) {
            plan = less(plan);
            walk = walk_of(&plan);
        }
        Ok(Self { plan: Arc::new(plan), walk })
    }

    /// The node that it finds, if there is one.
    async fn reach(&self, context: &Context<'_>, id: &str, reached: Reached) -> Result<Option<At>> {
        let found = self.ask(context, id, reached).await?;
        Ok(found.map(|found| At { found, plan: Arc::clone(&self.plan) }))
    }

    /// What it finds at a node, if there is one.
    #[boxed]
    pub async fn ask(&self, context: &Context<'_>, id: &str, reached: Reached) -> Result<Option<Arc<Found>>> {
        let (resolvers, caller) = asking(context)?;
        resolvers.walk(caller, &self.walk, id, reached).await.map_err(refused)
    }
}

/// What the present field asks of each node: all nodes of a page are asked the same, so that it is planned once. `link`: that which is followed from nodes
/// of a kind; none of nodes that are named.
pub fn question_of_all(
    context: &Context<'_>,
    (link, node): (&'static str, &'static Node),
    less: fn(Plan) -> Plan,
    plan: impl FnOnce() -> Result<Plan>,
) -> Result<Arc<Question>> {
    made_once(context, (FieldId::of(context.field()).number(), link, node.label), || Question::of(context, plan()?, less))
}

/// What the database answered is not what the table says: a defect.
pub fn mismatched(mismatch: Mismatch) -> async_graphql::Error {
    refused(resolvers::Error::Internal(mismatch.to_string()))
}

//! Bulk requests, and how far they are.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::bulk::{BulkItemState, BulkList, MissingRelation};
use graph_schema::date::Timestamp;
use graph_schema::json_text::JsonText;
use resolvers::explore::{BulkItemFilter, BulkItemSummary, BulkRequestSummary, ListFilter};

use super::connection::{BulkItems, BulkRequests, NodeConnection, graph_node, links, one};
use super::page::{cost, cost_of_filter};
use super::walk::Shown;
use super::{asking, refused};

/// A page of items of bulk requests.
pub type BulkItemConnection = NodeConnection<BulkItemNode, EmptyFields, BulkItems>;
/// A page of bulk requests.
pub type BulkRequestConnection = NodeConnection<BulkRequestNode, EmptyFields, BulkRequests>;

/// Lists of records that were taken together, to be processed in the background.
#[derive(Clone)]
pub struct BulkRequestNode(Shown<BulkRequestSummary>);

graph_node!(BulkRequestNode shows BulkRequestSummary);

/// An item of a bulk request: a case, or what waits or has failed. Of other items that are done nothing is kept but what they brought.
#[derive(Clone)]
pub struct BulkItemNode(Shown<BulkItemSummary>);

graph_node!(BulkItemNode shows BulkItemSummary);

/// How far a list of a bulk request is.
#[derive(SimpleObject)]
struct BulkListProgress {
    list: BulkList,
    items: i64,
    pending: i64,
    deferred: i64,
    failed: i64,
    completed: i64,
}

/// Which items of bulk requests. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "BulkItemFilter")]
pub struct BulkItemFilterInput {
    list: Option<BulkList>,
    state: Option<BulkItemState>,
    /// What they are about: a case's id.
    subject: Option<ID>,
    /// Taken at this time or later.
    created_from: Option<Timestamp>,
    /// Taken at this time or earlier.
    created_to: Option<Timestamp>,
}

impl BulkItemFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { list, state, subject, created_from, created_to } = self;
        let subject = subject.map(|id| list.map_or_else(|| id.to_string(), |list| list.spelled(&id)));
        Ok(ListFilter::BulkItems(BulkItemFilter { list, state, subject, created_from, created_to }))
    }
}

/// Lists of records that were taken together, to be processed in the background.
#[Object(name = "BulkRequest")]
impl BulkRequestNode {
    async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    /// As its sender has named it: header `x-request-id`.
    async fn request_id(&self, context: &Context<'_>) -> Result<String> {
        Ok(self.0.summary(context).await?.request_id.clone())
    }

    async fn received_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.received_at)
    }

    /// Who sent it: the id of a credential.
    async fn user_id(&self, context: &Context<'_>) -> Result<String> {
        Ok(self.0.summary(context).await?.user_id.clone())
    }

    /// How far its lists are, in the order in which they are processed.
    #[graphql(complexity = "50 + child_complexity")]
    async fn progress(&self, context: &Context<'_>) -> Result<Vec<BulkListProgress>> {
        let (resolvers, caller) = asking(context)?;
        let left = resolvers.bulk_progress(caller, self.0.at.id()).await.map_err(refused)?;
        let sizes = &self.0.summary(context).await?.sizes;
        let of = |size: &String| {
            let (field, items) = size.split_once(' ')?;
            let (list, items) = (BulkList::of_field(field)?, items.parse().ok()?);
            let left = left.iter().find(|left| left.list == list);
            let (pending, deferred, failed) = left.map_or((0, 0, 0), |left| (left.pending, left.deferred, left.failed));
            Some(BulkListProgress { list, items, pending, deferred, failed, completed: items - pending - deferred - failed })
        };
        Ok(sizes.iter().filter_map(of).collect())
    }

    /// Its cases, and what of it waits or has failed, newest first.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn items(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<BulkItemFilterInput>,
    ) -> Result<BulkItemConnection> {
        links(context, self).await
    }
}

/// An item of a bulk request: a case, or what waits or has failed. Of other items that are done nothing is kept but what they brought.
#[Object(name = "BulkItem")]
impl BulkItemNode {
    async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    /// Its place in its list, and what it is about.
    async fn name(&self) -> &str {
        self.0.at.name()
    }

    async fn list(&self, context: &Context<'_>) -> Result<BulkList> {
        Ok(self.0.summary(context).await?.list)
    }

    async fn state(&self, context: &Context<'_>) -> Result<BulkItemState> {
        Ok(self.0.summary(context).await?.state)
    }

    /// What it is about: a case's id.
    async fn subject(&self, context: &Context<'_>) -> Result<Option<ID>> {
        Ok(self.0.summary(context).await?.subject.clone().map(ID))
    }

    /// What it waits for.
    async fn missing(&self, context: &Context<'_>) -> Result<Vec<MissingRelation>> {
        Ok(self.0.summary(context).await?.missing.iter().filter_map(|text| MissingRelation::parse(text)).collect())
    }

    /// Why it waits or has failed.
    async fn reasons(&self, context: &Context<'_>) -> Result<Vec<String>> {
        Ok(self.0.summary(context).await?.faults.clone())
    }

    /// How often it was tried.
    async fn attempts(&self, context: &Context<'_>) -> Result<i64> {
        Ok(self.0.summary(context).await?.attempts)
    }

    /// When its request was taken.
    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }

    /// When it was completed or given up.
    async fn processed_at(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
        Ok(self.0.summary(context).await?.processed_at)
    }

    /// When it is tried again at the latest.
    async fn deferred_until(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
        Ok(self.0.summary(context).await?.due_at)
    }

    /// The item as it came, while it is not done.
    async fn record(&self, context: &Context<'_>) -> Result<Option<JsonText>> {
        Ok(self.0.at.record(context).await?.as_deref().and_then(JsonText::parse))
    }

    /// The request that brought it.
    async fn request(&self, context: &Context<'_>) -> Result<Option<BulkRequestNode>> {
        one(context, self).await
    }
}

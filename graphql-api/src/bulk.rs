//! Bulk requests, and how far they are.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, InputObject, Result, SimpleObject};
use graph_schema::bulk::{BulkItemState, BulkList, MissingRelation};
use graph_schema::date::Timestamp;
use graph_schema::json_text::JsonText;
use graphql_service::filtering::end_of_span;
use resolvers::explore::{BulkItemFilter, BulkItemSummary, BulkRequestSummary, ListFilter};

use super::connection::{BulkItems, BulkRequests, NodeConnection};
use super::object::{graph_node, object_with_links};
use super::walk::Shown;
use super::{asking, refused};
use graphql_http::AnswerBudget;

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
    /// The list whose items are counted here.
    list: BulkList,
    /// How many items the list had when it was accepted.
    items: i64,
    /// How many were not tried yet.
    pending: i64,
    /// How many wait for something that they name, and are tried again.
    deferred: i64,
    /// How many were given up; they are in the dead letters.
    failed: i64,
    /// How many are stored.
    completed: i64,
}

/// Which items of bulk requests. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "BulkItemFilter")]
pub struct BulkItemFilterInput {
    /// Items of this list; of any, when null.
    list: Option<BulkList>,
    /// Items in this state; in any, when null.
    state: Option<BulkItemState>,
    /// What they are about: a case's id.
    subject: Option<ID>,
    /// Taken at this time or later.
    created_from: Option<Timestamp>,
    /// Taken before this time.
    created_to: Option<Timestamp>,
}

impl BulkItemFilterInput {
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { list, state, subject, created_from, created_to } = self;
        let created_to = end_of_span(("createdFrom", created_from), ("createdTo", created_to))?;
        let subject = subject.map(|id| list.map_or_else(|| id.to_string(), |list| list.spelled(&id)));
        Ok(ListFilter::BulkItems(BulkItemFilter { list, state, subject, created_from, created_to }))
    }
}

object_with_links! {
    /// Lists of records that were taken together, to be processed in the background.
    BulkRequestNode as "BulkRequest" {
        /// The service's own id of the request; `requestId` is the sender's.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("BulkRequest:{}", self.0.at.id()))
        }

        /// How far its lists are, in the order in which they are processed.
        // Counting what waits, and the six fields of each list: what is asked below has no name within the macro.
        #[graphql(complexity = 56)]
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
    }
    shown {
        /// As its sender has named it: header `x-request-id`.
        request_id: String = |it| it.request_id.clone();
        /// The time at which the service accepted the request.
        received_at: Timestamp = |it| it.received_at;
        /// Who sent it: the id of a credential.
        user_id: String = |it| it.user_id.clone() => deprecated "Use `sentBy`.";
    }
    principals {
        /// The user, key or client that sent it; null where the service did.
        sent_by = |it| Some(&it.user_id);
    }
    filtered {
        /// Its cases, and what of it waits or has failed, newest first.
        items: BulkItemFilterInput, BulkItemConnection;
    }
}

object_with_links! {
    /// An item of a bulk request: a case, or what waits or has failed. Of other items that are done nothing is kept but what they brought.
    BulkItemNode as "BulkItem" {
        /// The service's own id of the item.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("BulkItem:{}", self.0.at.id()))
        }

        /// Its place in its list, and what it is about.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The item as it came, while it is not done.
        async fn record(&self, context: &Context<'_>) -> Result<Option<JsonText>> {
            let text = self.0.at.record(context).await?;
            AnswerBudget::take(context, text.as_ref().map_or(0, |text| text.len()))?;
            Ok(text.as_deref().and_then(JsonText::parse))
        }
    }
    shown {
        /// The list of the request that had the item.
        list: BulkList = |it| it.list;
        /// How far the item is.
        state: BulkItemState = |it| it.state;
        /// What it is about: a case's id.
        subject: Option<ID> = |it| it.subject.clone().map(ID);
        /// What it waits for.
        missing: Vec<MissingRelation> = |it| it.missing.iter().filter_map(|text| MissingRelation::parse(text)).collect();
        /// Why it waits or has failed.
        reasons: Vec<String> = |it| it.faults.clone(), counted;
        /// How often it was tried.
        attempts: i64 = |it| it.attempts;
        /// When its request was taken.
        created_at: Timestamp = |it| it.created_at;
        /// When it was completed or given up.
        processed_at: Option<Timestamp> = |it| it.processed_at;
        /// When it is tried again at the latest.
        deferred_until: Option<Timestamp> = |it| it.due_at;
    }
    leads_to {
        /// The request that brought it.
        request: BulkRequestNode;
    }
}

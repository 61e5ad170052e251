//! The progress of work in the background.

use async_graphql::{Context, ID, Object, Result};
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::unfold;
use graph_schema::id::WebhookId;
use graphql_http::in_time;
use graphql_service::job::JobNode;
use resolvers::explore::nodes;
use resolvers::{BulkListProgress, BulkProgressWatch, DeliveriesWatch, JobWatch, RequestProgress, WebhookDeliveries};

use super::super::bulk::BulkRequestNode;
use super::super::walk::At;
use super::super::webhook::WebhookNode;
use super::super::{asking, refused};
use super::events::Events;
use crate::boxed;

/// What gives one state after another, until nothing more comes.
trait Watch: Send + 'static {
    type State: Send;

    fn next(&mut self) -> BoxFuture<'_, resolvers::Result<Option<Self::State>>>;
}

impl Watch for JobWatch {
    type State = resolvers::jobs::ShownJob;

    fn next(&mut self) -> BoxFuture<'_, resolvers::Result<Option<Self::State>>> {
        JobWatch::next(self)
    }
}

impl Watch for BulkProgressWatch {
    type State = RequestProgress;

    fn next(&mut self) -> BoxFuture<'_, resolvers::Result<Option<Self::State>>> {
        BulkProgressWatch::next(self)
    }
}

impl Watch for DeliveriesWatch {
    type State = WebhookDeliveries;

    fn next(&mut self) -> BoxFuture<'_, resolvers::Result<Option<Self::State>>> {
        DeliveriesWatch::next(self)
    }
}

/// An event for each state, until there is none or an error.
fn events<W: Watch, T: Send + 'static>(context: &Context<'_>, watch: W, event: fn(W::State) -> T) -> Events<T> {
    let events = unfold(Some(watch), move |watch| async move {
        let mut watch = watch?;
        match watch.next().await {
            Ok(Some(state)) => Some((Ok(event(state)), Some(watch))),
            Ok(None) => None,
            Err(error) => Some((Err(refused(error)), None)),
        }
    });
    in_time(context, events).boxed()
}

/// A job, as it goes on.
#[boxed]
pub async fn job_progress(context: &Context<'_>, id: &str) -> Result<Events<JobNode>> {
    let (resolvers, caller) = asking(context)?;
    let watch = resolvers.watch_job(caller, id).await.map_err(refused)?;
    Ok(events(context, watch, JobNode))
}

/// A bulk request, as it goes on.
#[boxed]
pub async fn bulk_progress(context: &Context<'_>, request_id: &str) -> Result<Events<BulkProgress>> {
    let (resolvers, caller) = asking(context)?;
    let watch = resolvers.watch_bulk_request(caller, request_id).await.map_err(refused)?;
    Ok(events(context, watch, BulkProgress))
}

/// Deliveries to one webhook or all, as they go on.
#[boxed]
pub async fn deliveries(context: &Context<'_>, webhook: Option<ID>) -> Result<Events<DeliveryProgress>> {
    let (resolvers, caller) = asking(context)?;
    let webhook = webhook.map(|id| WebhookId::spelled(&id).into_owned());
    let watch = resolvers.watch_deliveries(caller, webhook).await.map_err(refused)?;
    Ok(events(context, watch, DeliveryProgress))
}

/// How far a bulk request is.
pub struct BulkProgress(RequestProgress);

impl BulkProgress {
    fn sum(&self, of: fn(&BulkListProgress) -> i64) -> i64 {
        self.0.lists.iter().map(of).sum()
    }
}

/// How far a bulk request is, in items of all of its lists.
#[Object(name = "BulkProgress")]
impl BulkProgress {
    /// How many were not tried yet.
    async fn pending(&self) -> i64 {
        self.sum(|list| list.pending)
    }

    /// How many wait for something that they name, and are tried again.
    async fn deferred(&self) -> i64 {
        self.sum(|list| list.deferred)
    }

    /// How many were given up; they are in the dead letters.
    async fn failed(&self) -> i64 {
        self.sum(|list| list.failed)
    }

    /// Whether nothing is left to do: the last event.
    async fn done(&self) -> bool {
        self.0.done
    }

    /// The request as it is when the event is sent; its `progress` has the lists one by one.
    async fn request(&self, context: &Context<'_>) -> Result<Option<BulkRequestNode>> {
        At::find(context, &nodes::BULK_REQUEST, &self.0.id).await?.map(BulkRequestNode::new).transpose()
    }
}

/// How deliveries to a webhook go.
pub struct DeliveryProgress(WebhookDeliveries);

/// How deliveries to a webhook go. For administrators.
#[Object(name = "DeliveryProgress")]
impl DeliveryProgress {
    /// How many are still to be delivered; of more than 1,000 so many.
    async fn waiting(&self) -> i64 {
        self.0.waiting
    }

    /// How many were given up and are still kept; of more than 1,000 so many.
    async fn failed(&self) -> i64 {
        self.0.failed
    }

    /// The id of the webhook.
    async fn webhook_id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// The webhook as it is when the event is sent; null when it was removed meanwhile.
    async fn webhook(&self, context: &Context<'_>) -> Result<Option<WebhookNode>> {
        At::find(context, &nodes::WEBHOOK, &self.0.id).await?.map(WebhookNode::new).transpose()
    }
}

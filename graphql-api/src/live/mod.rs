//! Subscriptions: what clients are told of as it comes.
//!
//! A field of [`Subscription`] is a topic. Its stream has an event for each change; what is selected of a node in it is walked when the event is sent, as one
//! walk, so that the event shows the node as it is then. How events reach a client is in `graphql-http`.

mod changes;
mod events;
mod progress;

use async_graphql::{Context, ID, Result, Subscription};
use graphql_service::job::JobNode;
use resolvers::Topic;

use super::case::CaseFilterInput;
use super::observation::ObservationFilterInput;
use super::walk::RequestContext;
use changes::{CaseChange, NewObservation, Wanted, follow};
use events::Events;
use progress::{BulkProgress, DeliveryProgress, bulk_progress, deliveries, job_progress};

/// What clients are told of as it comes.
#[derive(Default)]
pub struct Subscription;

/// What clients are told of as it comes. Rights are checked for each event.
#[Subscription]
impl Subscription {
    /// What is done with cases: an event for each change of a case, and of its actors, comments, communications, files and requests. `id` keeps those of one
    /// case, `mine: true` those of cases that are assigned to the user behind the request when the event is sent, `filter` those of cases that are so then.
    /// Without `after` events begin now; with the `position` of an event they go on behind it.
    async fn case_changes(
        &self,
        context: &Context<'_>,
        id: Option<ID>,
        mine: Option<bool>,
        filter: Option<CaseFilterInput>,
        after: Option<ID>,
    ) -> Result<Events<CaseChange>> {
        let filter = filter.map(|filter| filter.into_lasting_filter(&RequestContext::of(context))).transpose()?.unwrap_or_default();
        follow(context, Wanted { topic: Topic::CaseChanges, id, mine, filter, after }, CaseChange).await
    }

    /// Observations that were not there before: alerts, as they are raised. `filter` keeps those that are so when the event is sent. Without `after` events
    /// begin now; with the `position` of an event they go on behind it.
    async fn new_observations(
        &self,
        context: &Context<'_>,
        filter: Option<ObservationFilterInput>,
        after: Option<ID>,
    ) -> Result<Events<NewObservation>> {
        let filter = filter.map(ObservationFilterInput::into_filter).transpose()?.unwrap_or_default();
        follow(context, Wanted { topic: Topic::NewObservations, id: None, mine: None, filter, after }, NewObservation).await
    }

    /// How far a bulk request is: now, and each time that this changes. The stream ends when nothing is left to do. `requestId` is the sender's, in header
    /// `x-request-id`, or the request's own `id`.
    async fn bulk_progress(&self, context: &Context<'_>, request_id: ID) -> Result<Events<BulkProgress>> {
        bulk_progress(context, &request_id).await
    }

    /// A job: now, and each time that it changes. The stream ends with the job. Runs of detection, rescreenings and bulk requests are jobs. For
    /// administrators, supervisors and whoever has started the job.
    async fn job_progress(&self, context: &Context<'_>, id: ID) -> Result<Events<JobNode>> {
        job_progress(context, &id).await
    }

    /// How deliveries to webhooks go: an event for each webhook now, and for a webhook each time that this changes. `webhookId` keeps one, and the stream ends
    /// when that is removed. For administrators.
    async fn deliveries(&self, context: &Context<'_>, webhook_id: Option<ID>) -> Result<Events<DeliveryProgress>> {
        deliveries(context, webhook_id).await
    }
}

//! Topics that come of the change feed.

use std::sync::Arc;

use async_graphql::{Context, Error, ErrorExtensions, ID, Object, Result};
use futures::StreamExt;
use futures::stream::unfold;
use graph_schema::date::Timestamp;
use graphql_http::in_time;
use graphql_service::principal::{Principal, principal};
use resolvers::explore::{ListFilter, nodes};
use resolvers::{EventPosition, Followed, Gap, LiveQuery, Topic, TopicChange, wording};

use super::super::case::CaseNode;
use super::super::observation::ObservationNode;
use super::super::walk::At;
use super::super::{asking, refused};
use super::events::Events;
use crate::boxed;

/// The code of an error by which a stream says that it leaves something out; the stream goes on.
const GAP: &str = "GAP";

/// What a subscription asks for.
pub struct Wanted {
    pub topic: Topic,
    pub id: Option<ID>,
    pub mine: Option<bool>,
    pub filter: ListFilter,
    pub after: Option<ID>,
}

/// The events of a topic, each made of its change.
#[boxed]
pub async fn follow<T: Send + 'static>(context: &Context<'_>, wanted: Wanted, event: fn(Arc<TopicChange>) -> T) -> Result<Events<T>> {
    let (resolvers, caller) = asking(context)?;
    let Wanted { topic, id, mine, filter, after } = wanted;
    let position = |id: ID| EventPosition::parse(&id).ok_or_else(|| Error::new("after: must be the position of an event, or one of `changes`"));
    let after = after.map(position).transpose()?;
    let query = LiveQuery { topic, id: id.map(|id| id.0), mine: mine.unwrap_or_default(), filter, after };
    let stream = resolvers.follow(caller, query).await.map_err(refused)?;
    let events = unfold(Some(stream), move |stream| async move {
        let mut stream = stream?;
        Some(match stream.next().await {
            Ok(Followed::Change(change)) => (Ok(event(change)), Some(stream)),
            Ok(Followed::Gap(gap)) => (Err(gap_error(&gap)), Some(stream)),
            Err(error) => (Err(refused(error)), None),
        })
    });
    Ok(in_time(context, events).boxed())
}

/// How a client is told of a gap.
fn gap_error(gap: &Gap) -> Error {
    Error::new(wording::gap(gap)).extend_with(|_, extensions| {
        extensions.set("code", GAP);
        extensions.set("after", gap.after.to_string());
        extensions.set("resumesAfter", gap.resumes_after.to_string());
    })
}

/// Something that was done with a case.
pub struct CaseChange(pub Arc<TopicChange>);

/// Something that was done with a case, or with what belongs to one.
#[Object(name = "CaseChange")]
impl CaseChange {
    /// The place of the change in the feed. As `after` of the same subscription it goes on behind this event.
    async fn position(&self) -> ID {
        ID(self.0.position.to_string())
    }

    /// When the service took the change, by the clock of its instance.
    async fn at(&self) -> Timestamp {
        self.0.at
    }

    /// What was done, such as `case.assigned`, as the audit log has it.
    async fn action(&self) -> &str {
        &self.0.action
    }

    /// The user, key or client that did it; null where the service itself did.
    async fn by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.user_id.as_deref()).await
    }

    /// The same by the id alone, which the event has without a further look.
    async fn user_id(&self) -> Option<&str> {
        self.0.user_id.as_deref()
    }

    /// The request in which it was done, by its header `x-request-id`: a client knows its own changes by it.
    async fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// The id of the case.
    async fn case_id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// The case as it is when the event is sent, which may have later changes already.
    async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
        At::find(context, &nodes::CASE, &self.0.id).await?.map(CaseNode::new).transpose()
    }
}

/// An observation that was not there before.
pub struct NewObservation(pub Arc<TopicChange>);

/// An observation whose record was not there before.
#[Object(name = "NewObservation")]
impl NewObservation {
    /// The place of the change in the feed. As `after` of the same subscription it goes on behind this event.
    async fn position(&self) -> ID {
        ID(self.0.position.to_string())
    }

    /// When the service took the observation, by the clock of its instance.
    async fn at(&self) -> Timestamp {
        self.0.at
    }

    /// What was done: `observation.recorded`.
    async fn action(&self) -> &str {
        &self.0.action
    }

    /// The user, key or client that recorded it; null where the service itself did, such as its detection.
    async fn by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.user_id.as_deref()).await
    }

    /// The same by the id alone, or the part of the service that recorded it.
    async fn user_id(&self) -> Option<&str> {
        self.0.user_id.as_deref()
    }

    /// The request in which it was recorded, by its header `x-request-id`.
    async fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// The id of the observation.
    async fn observation_id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// The observation as it is when the event is sent.
    async fn observation(&self, context: &Context<'_>) -> Result<Option<ObservationNode>> {
        At::find(context, &nodes::OBSERVATION, &self.0.id).await?.map(ObservationNode::new).transpose()
    }
}

//! Communications: what somebody wrote to somebody about a case.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, Error, ID, InputObject, Result};
use graph_schema::date::Timestamp;
use graph_schema::json_object::JsonObject;
use graphql_service::filtering::not_too_many;
use resolvers::explore::{CommunicationFilter, CommunicationSummary, ListFilter};

use super::super::actor::ActorNode;
use super::super::connection::{Communications, NodeConnection};
use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
use super::RequestNode;

/// What somebody wrote to somebody; one that was only named so far has `known: false`.
#[derive(Clone)]
pub struct CommunicationNode(Shown<CommunicationSummary>);

graph_node!(CommunicationNode shows CommunicationSummary);

/// Behind all others stands what has no time.
const WITHOUT_TIME: Timestamp = Timestamp(-9_000_000_000_000_000);

impl CommunicationNode {
    /// When it counts as sent in the order `SENT_AT` ([`resolvers::explore::CommunicationSort`]).
    pub(super) async fn counts_as_sent(&self, context: &Context<'_>) -> Result<Timestamp> {
        let summary = self.0.summary(context).await?;
        Ok(summary.sent_at.or(summary.created_at).or(summary.recorded_at).unwrap_or(WITHOUT_TIME))
    }
}

/// A page of communications.
pub type CommunicationConnection = NodeConnection<CommunicationNode, EmptyFields, Communications>;

object_with_links! {
    /// What somebody wrote to somebody; one that was only named so far has `known: false`.
    CommunicationNode as "Communication" {
        /// The communication's id, as it was ingested.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Communication:{}", self.0.at.id()))
        }

        /// The subject, else the id, for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// Whether it was described; otherwise only others have named it.
        known: bool = |it| it.known;
        /// Such as email or SMS.
        kind as "type": Option<String> = |it| it.kind.clone();
        /// The subject line; null when none was given.
        subject: Option<String> = |it| it.subject.clone(), counted;
        /// The text of the message; null when none was given.
        content: Option<String> = |it| it.content.clone(), counted;
        /// Who wrote it, as it says; `sender` is the actor, where it is one.
        sender_id: Option<String> = |it| it.sender_id.clone();
        /// To whom it was written, as it says; `receiver` is the actor, where it is one.
        receiver_id: Option<String> = |it| it.receiver_id.clone();
        /// The time at which the message was written, where the sender gave it.
        created_at: Option<Timestamp> = |it| it.created_at;
        /// The time at which the message was sent, where the sender gave it.
        sent_at: Option<Timestamp> = |it| it.sent_at;
        /// The time at which it was last described as a whole: one that is sent again has a new one. Null where it came with a case.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
        /// Attributes of the message, as a JSON object. `sender_identifiable_as_actor` and `receiver_identifiable_as_actor` mark ids of actors.
        metadata: Option<JsonObject> = |it| it.metadata.clone(), counted;
        /// Fields of the sender's own, as a JSON object of at most 10,000 characters.
        custom_data: Option<JsonObject> = |it| it.custom_data.clone(), counted;
    }
    leads_to {
        /// The actor who wrote it, where its sender is one.
        sender: ActorNode;
        /// The actor to whom it was written, where its receiver is one.
        receiver: ActorNode;
    }
    links {
        /// Requests for data that it answered.
        answered_requests: RequestsForData, RequestNode, EmptyFields;
    }
    cases {
        /// Cases that it belongs to, newest first unless `orderBy` says otherwise.
        cases;
    }
}

/// Which communications. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "CommunicationFilter")]
pub struct CommunicationFilterInput {
    /// Of one of these types, such as `email`.
    types: Option<Vec<String>>,
    /// Sent at this time or later. Where `sentAt` is not known `createdAt` counts, or else `recordedAt`; without any it is left out, also by `sentTo`.
    sent_from: Option<Timestamp>,
    /// Sent before this time.
    sent_to: Option<Timestamp>,
}

/// No type that communications are found by is longer, in bytes.
const LONGEST_TYPE: usize = 256;

impl CommunicationFilterInput {
    /// The filter. What can't hold for any communication is a mistake, and said to be one.
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { types, sent_from, sent_to } = self;
        not_too_many("types", types.as_ref().map(Vec::len))?;
        if types.iter().flatten().any(|kind| kind.len() > LONGEST_TYPE) {
            return Err(Error::new(format!("filter.types: must be of at most {LONGEST_TYPE} bytes each")));
        }
        if sent_from.zip(sent_to).is_some_and(|(from, to)| from >= to) {
            return Err(Error::new("filter.sentTo: must be later than sentFrom"));
        }
        Ok(ListFilter::Communications(CommunicationFilter { types, sent_from, sent_to }))
    }
}

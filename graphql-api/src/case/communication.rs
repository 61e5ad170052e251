//! Communications: what somebody wrote to somebody about a case.

use async_graphql::connection::EmptyFields;
use async_graphql::{ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::json_object::JsonObject;
use resolvers::explore::CommunicationSummary;

use super::super::actor::ActorNode;
use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
use super::RequestNode;

/// What somebody wrote to somebody; one that was only named so far has `known: false`.
#[derive(Clone)]
pub struct CommunicationNode(Shown<CommunicationSummary>);

graph_node!(CommunicationNode shows CommunicationSummary);

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

        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// Whether it was described; otherwise only others have named it.
        known: bool = |it| it.known;
        /// Such as email or SMS.
        kind as "type": Option<String> = |it| it.kind.clone();
        subject: Option<String> = |it| it.subject.clone(), counted;
        content: Option<String> = |it| it.content.clone(), counted;
        /// Who wrote it, as it says; `sender` is the actor, where it is one.
        sender_id: Option<String> = |it| it.sender_id.clone();
        /// To whom it was written, as it says; `receiver` is the actor, where it is one.
        receiver_id: Option<String> = |it| it.receiver_id.clone();
        created_at: Option<Timestamp> = |it| it.created_at;
        sent_at: Option<Timestamp> = |it| it.sent_at;
        metadata: Option<JsonObject> = |it| it.metadata.clone(), counted;
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

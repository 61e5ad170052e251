//! Communications: what somebody wrote to somebody about a case.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::json_object::JsonObject;
use resolvers::explore::CommunicationSummary;

use super::super::actor::ActorNode;
use super::super::connection::{graph_node, object_with_links, one};
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

        /// Whether it was described; otherwise only others have named it.
        async fn known(&self, context: &Context<'_>) -> Result<bool> {
            Ok(self.0.summary(context).await?.known)
        }

        /// Such as email or SMS.
        #[graphql(name = "type")]
        async fn kind(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.kind.clone())
        }

        async fn subject(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.subject.clone())
        }

        async fn content(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.content.clone())
        }

        /// Who wrote it, as it says; `sender` is the actor, where it is one.
        async fn sender_id(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.sender_id.clone())
        }

        /// To whom it was written, as it says; `receiver` is the actor, where it is one.
        async fn receiver_id(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.receiver_id.clone())
        }

        async fn created_at(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
            Ok(self.0.summary(context).await?.created_at)
        }

        async fn sent_at(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
            Ok(self.0.summary(context).await?.sent_at)
        }

        async fn metadata(&self, context: &Context<'_>) -> Result<Option<JsonObject>> {
            Ok(self.0.summary(context).await?.metadata.clone())
        }

        async fn custom_data(&self, context: &Context<'_>) -> Result<Option<JsonObject>> {
            Ok(self.0.summary(context).await?.custom_data.clone())
        }

        /// The actor who wrote it, where its sender is one.
        async fn sender(&self, context: &Context<'_>) -> Result<Option<ActorNode>> {
            one(context, self).await
        }

        /// The actor to whom it was written, where its receiver is one.
        async fn receiver(&self, context: &Context<'_>) -> Result<Option<ActorNode>> {
            one(context, self).await
        }
    }
    links {
        /// Requests for data that it answered.
        answered_requests: RequestsForData, RequestNode, EmptyFields;
    }
    payments {}
    transfers {}
    cases {
        /// Cases that it belongs to, newest first unless `orderBy` says otherwise.
        cases;
    }
}

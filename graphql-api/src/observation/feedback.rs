//! What people think of observations of cases.

use async_graphql::{ID, Result};
use graph_schema::date::Timestamp;
use resolvers::explore::FeedbackSummary;

use super::super::case::CaseNode;
use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
use super::ObservationNode;

/// What somebody thinks of an observation of a case.
#[derive(Clone)]
pub struct FeedbackNode(Shown<FeedbackSummary>);

graph_node!(FeedbackNode shows FeedbackSummary);

object_with_links! {
    /// What somebody thinks of an observation of a case.
    FeedbackNode as "ObservationFeedback" {
        /// The service's own id of the feedback.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ObservationFeedback:{}", self.0.at.id()))
        }
    }
    shown {
        /// Such as `TRUE_POSITIVE`.
        feedback: String = |it| it.feedback.clone();
        /// Who said so.
        user_id: ID = |it| ID(it.user_id.to_string()) => deprecated "Use `createdBy`.";
        /// The time at which it was given.
        created_at: Timestamp = |it| it.created_at;
    }
    principals {
        /// The user, key or client that gave it; null where the service did.
        created_by = |it| Some(&it.user_id);
    }
    leads_to {
        /// In which case it was said.
        case: CaseNode;
        /// What it was said of.
        observation: ObservationNode;
    }
}

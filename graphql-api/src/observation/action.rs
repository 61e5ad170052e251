//! What people have done with observations of cases.

use async_graphql::{ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::event::ObservationAction;
use resolvers::explore::ObservationActionSummary;

use super::super::case::CaseNode;
use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
use super::ObservationNode;

/// What somebody did with an observation of a case.
#[derive(Clone)]
pub struct ObservationActionNode(Shown<ObservationActionSummary>);

graph_node!(ObservationActionNode shows ObservationActionSummary);

object_with_links! {
    /// What somebody did with an observation of a case.
    ObservationActionNode as "ObservationAction" {
        /// The service's own id of the act.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ObservationAction:{}", self.0.at.id()))
        }
    }
    shown {
        /// The act that was taken on the observation.
        action: ObservationAction = |it| it.action;
        /// Who did it.
        user_id: ID = |it| ID(it.user_id.to_string()) => deprecated "Use `createdBy`.";
        /// The time at which it was taken.
        created_at: Timestamp = |it| it.created_at;
        /// Why.
        comment: Option<String> = |it| it.comment.clone(), counted;
    }
    principals {
        /// The user, key or client that did it; null where the service did.
        created_by = |it| Some(&it.user_id);
    }
    leads_to {
        /// In which case it was done.
        case: CaseNode;
        /// With what it was done.
        observation: ObservationNode;
    }
}

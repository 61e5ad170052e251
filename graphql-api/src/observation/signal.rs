//! Signals that were kept from becoming observations.

use async_graphql::{ID, Result};
use graph_schema::date::Date;
use resolvers::explore::SuppressedSignalSummary;

use super::super::actor::ActorNode;
use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;

/// A signal that an exclusion of its actor or a snoozed rule has kept from becoming an observation.
#[derive(Clone)]
pub struct SignalNode(Shown<SuppressedSignalSummary>);

graph_node!(SignalNode shows SuppressedSignalSummary);

object_with_links! {
    /// A signal that an exclusion of its actor or a snoozed rule has kept from becoming an observation.
    SignalNode as "SuppressedSignal" {
        /// The service's own id of the signal.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("SuppressedSignal:{}", self.0.at.id()))
        }
    }
    shown {
        /// The business day of the run that suppressed the signal.
        review_date: Date = |it| it.review_date;
        /// The id of the rule that would have noticed it; null where it is not known.
        rule_id: Option<ID> = |it| it.rule_id.clone().map(ID);
        /// By what it would have been noticed.
        detection_method_name: Option<String> = |it| it.detection_method_name.clone();
        /// Why it was suppressed.
        decision_reason: Option<String> = |it| it.decision_reason.clone(), counted;
        /// The system that noticed it; null when it is not known.
        data_source: Option<String> = |it| it.data_source.clone();
    }
    leads_to {
        /// Whom it was about.
        actor: ActorNode;
    }
}

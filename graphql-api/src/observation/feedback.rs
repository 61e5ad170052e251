//! What people think of observations of cases.

use async_graphql::{Context, ID, InputObject, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::id::{CaseId, ObservationId};
use graphql_http::asking::with_key;
use resolvers::GiveFeedback;
use resolvers::explore::FeedbackSummary;

use super::super::asking;
use super::super::case::CaseNode;
use super::super::case::work::{CasePayload, payload};
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
        async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }
    }
    shown {
        /// Such as `TRUE_POSITIVE`.
        feedback: String = |it| it.feedback.clone();
        /// Who said so.
        user_id: ID = |it| ID(it.user_id.to_string()) => deprecated "use `createdBy`";
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

/// Says what somebody thinks of an observation that a case was raised from.
#[derive(InputObject)]
pub struct GiveObservationFeedbackInput {
    /// The case in which the feedback is given.
    case_id: CaseId,
    /// The observation that the feedback is about: one from which the case was raised.
    observation_id: ObservationId,
    /// Such as `TRUE_POSITIVE`; it takes the place of what was said before.
    feedback: String,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct FeedbackMutation;

#[Object]
impl FeedbackMutation {
    /// Says what somebody thinks of an observation that a case was raised from.
    async fn give_observation_feedback(&self, context: &Context<'_>, input: GiveObservationFeedbackInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let GiveObservationFeedbackInput { case_id: case, observation_id: observation, feedback, expected_version, idempotency_key } = input;
        let give = GiveFeedback { case: case.clone(), observation, feedback, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.give_feedback(caller, give, key)).await;
        payload(context, &case, done).await
    }
}

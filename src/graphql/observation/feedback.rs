//! What people think of observations of cases.

use async_graphql::{Context, ID, InputObject, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::id::{CaseId, ObservationId};
use resolvers::GiveFeedback;
use resolvers::explore::FeedbackSummary;

use super::super::asking;
use super::super::case::CaseNode;
use super::super::case::work::{CasePayload, payload, with_key};
use super::super::connection::{graph_node, one};
use super::super::walk::Shown;
use super::ObservationNode;

/// What somebody thinks of an observation of a case.
#[derive(Clone)]
pub struct FeedbackNode(Shown<FeedbackSummary>);

graph_node!(FeedbackNode shows FeedbackSummary);

/// What somebody thinks of an observation of a case.
#[Object(name = "ObservationFeedback")]
impl FeedbackNode {
    async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    /// Such as `TRUE_POSITIVE`.
    async fn feedback(&self, context: &Context<'_>) -> Result<String> {
        Ok(self.0.summary(context).await?.feedback.clone())
    }

    /// Who said so.
    async fn user_id(&self, context: &Context<'_>) -> Result<ID> {
        Ok(ID(self.0.summary(context).await?.user_id.to_string()))
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }

    /// In which case it was said.
    async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
        one(context, self).await
    }

    /// What it was said of.
    async fn observation(&self, context: &Context<'_>) -> Result<Option<ObservationNode>> {
        one(context, self).await
    }
}

/// Says what somebody thinks of an observation that a case was raised from.
#[derive(InputObject)]
pub struct GiveObservationFeedbackInput {
    case_id: CaseId,
    observation_id: ObservationId,
    /// Such as `TRUE_POSITIVE`; it takes the place of what was said before.
    feedback: String,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i64>,
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
        let give = GiveFeedback { case: case.clone(), observation, feedback, expected_version };
        let done = with_key(idempotency_key, |key| resolvers.give_feedback(caller, give, key)).await;
        payload(context, &case, done).await
    }
}

//! What people do with observations of cases: whitelist them.

use async_graphql::{Context, ID, InputObject, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::event::ObservationAction;
use graph_schema::id::{CaseId, ObservationId};
use resolvers::WhitelistObservation;
use resolvers::explore::ObservationActionSummary;

use super::super::asking;
use super::super::case::CaseNode;
use super::super::case::work::{CasePayload, payload, with_key};
use super::super::connection::{graph_node, one};
use super::super::walk::Shown;
use super::ObservationNode;

/// What somebody did with an observation of a case.
#[derive(Clone)]
pub struct ObservationActionNode(Shown<ObservationActionSummary>);

graph_node!(ObservationActionNode shows ObservationActionSummary);

/// What somebody did with an observation of a case.
#[Object(name = "ObservationAction")]
impl ObservationActionNode {
    async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    async fn action(&self, context: &Context<'_>) -> Result<ObservationAction> {
        Ok(self.0.summary(context).await?.action)
    }

    /// Who did it.
    async fn user_id(&self, context: &Context<'_>) -> Result<ID> {
        Ok(ID(self.0.summary(context).await?.user_id.to_string()))
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }

    /// Why.
    async fn comment(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.0.summary(context).await?.comment.clone())
    }

    /// In which case it was done.
    async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
        one(context, self).await
    }

    /// With what it was done.
    async fn observation(&self, context: &Context<'_>) -> Result<Option<ObservationNode>> {
        one(context, self).await
    }
}

/// Whitelists an observation that a case was raised from.
#[derive(InputObject)]
pub struct WhitelistObservationInput {
    case_id: CaseId,
    observation_id: ObservationId,
    /// Why.
    comment: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i64>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct ObservationActionMutation;

#[Object]
impl ObservationActionMutation {
    /// Whitelists an observation that a case was raised from: it is known, and nothing to look into. Once it was done in a case, doing it again there
    /// changes nothing.
    async fn whitelist_observation(&self, context: &Context<'_>, input: WhitelistObservationInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let WhitelistObservationInput { case_id: case, observation_id: observation, comment, expected_version, idempotency_key } = input;
        let whitelist = WhitelistObservation { case: case.clone(), observation, comment, expected_version };
        let done = with_key(idempotency_key, |key| resolvers.whitelist_observation(caller, whitelist, key)).await;
        payload(context, &case, done).await
    }
}

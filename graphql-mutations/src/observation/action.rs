//! What people do with observations of cases: whitelist them.

use async_graphql::{Context, InputObject, Object, Result};
use graph_schema::id::{CaseId, ObservationId};
use graphql_http::asking::{asking, with_key};
use resolvers::WhitelistObservation;

use crate::case::work::{CasePayload, payload};

/// Whitelists an observation that a case was raised from.
#[derive(InputObject)]
pub struct WhitelistObservationInput {
    /// The case in which the observation is whitelisted.
    case_id: CaseId,
    /// The observation to whitelist: one from which the case was raised.
    observation_id: ObservationId,
    /// Why.
    comment: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
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
        let whitelist = WhitelistObservation { case: case.clone(), observation, comment, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.whitelist_observation(caller, whitelist, key)).await;
        payload(context, &case, done).await
    }
}

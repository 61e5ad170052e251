//! Saying what one thinks of observations of cases.

use async_graphql::{Context, InputObject, MaybeUndefined, Object, Result};
use graph_schema::id::{CaseId, ObservationId};
use graphql_http::asking::{asking, stated, with_key};
use resolvers::GiveFeedback;

use crate::case::work::{CasePayload, payload};

/// Says what somebody thinks of an observation that a case was raised from.
#[derive(InputObject)]
pub struct GiveObservationFeedbackInput {
    /// The case in which the feedback is given.
    case_id: CaseId,
    /// The observation that the feedback is about: one from which the case was raised.
    observation_id: ObservationId,
    /// Such as `TRUE_POSITIVE`. It takes the place of what was said before; null takes that back. Refused where it is left out.
    feedback: MaybeUndefined<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct FeedbackMutation;

#[Object]
impl FeedbackMutation {
    /// Says what somebody thinks of an observation that a case was raised from, or takes that back.
    async fn give_observation_feedback(&self, context: &Context<'_>, input: GiveObservationFeedbackInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let GiveObservationFeedbackInput { case_id: case, observation_id: observation, feedback, expected_version, idempotency_key } = input;
        let done = async {
            resolvers.may_work_on(caller, &case)?;
            let feedback = stated(context, "feedback", feedback)?;
            let give = GiveFeedback { case: case.clone(), observation, feedback, expected_version: expected_version.map(i64::from) };
            with_key(idempotency_key, |key| resolvers.give_feedback(caller, give, key)).await
        };
        payload(context, &case, done.await).await
    }
}

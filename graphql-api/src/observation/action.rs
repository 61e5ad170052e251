//! What people do with observations of cases: whitelist them.

use async_graphql::{Context, ID, InputObject, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::event::ObservationAction;
use graph_schema::id::{CaseId, ObservationId};
use graphql_http::asking::with_key;
use resolvers::WhitelistObservation;
use resolvers::explore::ObservationActionSummary;

use super::super::asking;
use super::super::case::CaseNode;
use super::super::case::work::{CasePayload, payload};
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
        async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }
    }
    shown {
        /// The act that was taken on the observation.
        action: ObservationAction = |it| it.action;
        /// Who did it.
        user_id: ID = |it| ID(it.user_id.to_string()) => deprecated "use `createdBy`";
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

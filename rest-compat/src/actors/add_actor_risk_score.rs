//! Add Actor Risk Score: takes a score of an actor.

use graph_schema::risk::{RiskScore, RiskScoreRecord};

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actor Risk Score",
    method: Method::Post,
    path: "/api/actors/{id}/risk_scores",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actor Risk Score.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor_risk_score",
    tag = "actors",
    description = "Takes a score of an actor's risk.",
    params(("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256)),
    request_body = RiskScore,
    responses((status = 200, description = "the score as it is stored", body = RiskScoreRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<RiskScore>()).together()?;
    written(asked.resolvers.add_risk_score(&caller, &id, given, key).await?)
}

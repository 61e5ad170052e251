//! Add Actor RiskAssessment: takes an array of assessments of an actor.

use graph_schema::risk::RiskAssessment;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actor RiskAssessment",
    method: Method::Post,
    path: "/api/actors/{id}/riskAssessments",
    success: 200,
    errors: &[422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Actor RiskAssessment.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor_risk_assessment",
    tag = "actors",
    description = "Takes what others have found about an actor's risk.",
    params(("id" = String, Path, description = "Id of the actor", min_length = 1, max_length = 256)),
    request_body = Vec<RiskAssessment>,
    responses((status = 200, description = "the array as it was given", body = Vec<RiskAssessment>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.array::<RiskAssessment>()).together()?;
    written(asked.resolvers.add_risk_assessments(&caller, &id, given, key).await?)
}

//! Get Observation: reads an observation as it is stored.

use graph_schema::observation::StoredObservation;

use crate::{
    answer::{Answer, made},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Observation",
    method: Method::Get,
    path: "/api/observations/{id}",
    success: 200,
    errors: &[400, 404, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Observation.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_observation",
    tag = "observations",
    description = "Reads an observation: its record, whom it is about, whether all that it names has come, the case that was raised from it.",
    params(("id" = String, Path, description = "Id of the observation", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the observation", body = StoredObservation)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    made(asked.resolvers.observation(&caller, &id).await?)
}

//! Add Actors to Observation: says whom an observation is about.

use graph_schema::observation::ObservationActor;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Actors to Observation",
    method: Method::Post,
    path: "/api/observations/{id}/actors",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct LinkedActors {
    /// `OK`.
    status: String,
}

/// Add Actors to Observation.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actors_to_observation",
    tag = "observations",
    description = "Links actors to an observation. One that is linked already is updated; actors need not be known yet.",
    params(("id" = String, Path, description = "Id of the observation", min_length = 1, max_length = 256)),
    request_body = Vec<ObservationActor>,
    responses((status = 200, description = "linked", body = LinkedActors)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.array::<ObservationActor>()).together()?;
    written(asked.resolvers.add_observation_actors(&caller, &id, given, key).await?)
}

//! Add an actor to a case: records an actor and links it to a case.

use graph_schema::case::{AddCaseActor, CaseActorType};
use resolvers::CaseAddition;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add an actor to a case",
    method: Method::Post,
    path: "/api/cases/{id}/actors",
    success: 200,
    errors: &[400, 404, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct AddedCaseActor {
    id: String,
    /// As it was said.
    #[schema(required = false)]
    r#type: CaseActorType,
}

/// Add an actor to a case.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_actor_to_case",
    tag = "cases",
    description = "Records an actor, as the bulk list of actors does, and links it to a case: both or neither. An actor that the case has already is updated.",
    params(
        ("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256),
        ("service-rfd-id" = Option<String>, Header, description = "The request for data that this answers: an open one, or one that the same has answered before", format = Uuid),
    ),
    request_body = AddCaseActor,
    responses((status = 200, description = "the actor of the case", body = AddedCaseActor)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let place = (asked.id("id"), asked.request_for_data()).together();
    let (key, (case, request_for_data), given) = (asked.key_without_query(), place, asked.object::<AddCaseActor>()).together()?;
    let request = CaseAddition { case, given, request_for_data, key };
    written(asked.resolvers.add_case_actor(&caller, request).await?)
}

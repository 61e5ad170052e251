//! Add a communication to a case: what somebody wrote to somebody.

use graph_schema::case::CommunicationRecord;
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
    name: "Add a communication to a case",
    method: Method::Post,
    path: "/api/cases/{id}/communications",
    success: 200,
    errors: &[400, 404, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct AddedCommunication {
    id: String,
    r#type: String,
}

/// Add a communication to a case.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_communication_to_case",
    tag = "cases",
    description = "Describes a communication and links it to a case; one that is there already is described anew, and the same again changes nothing. Its sender and receiver are linked where its metadata says that they are actors.",
    params(
        ("id" = String, Path, description = "Id of the case", min_length = 1, max_length = 256),
        ("service-rfd-id" = Option<String>, Header, description = "The request for data that this answers: an open one, or one that the same has answered before", format = Uuid),
    ),
    request_body = CommunicationRecord,
    responses((status = 200, description = "the communication of the case", body = AddedCommunication)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let place = (asked.id("id"), asked.request_for_data()).together();
    let (key, (case, request_for_data), given) = (asked.key_without_query(), place, asked.object::<CommunicationRecord>()).together()?;
    let request = CaseAddition { case, given, request_for_data, key };
    written(asked.resolvers.add_case_communication(&caller, request).await?)
}

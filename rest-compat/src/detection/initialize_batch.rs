//! Initialize batch: queues a detection run and answers with what was asked for.

use graph_schema::detection::DetectionBatch;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Initialize batch",
    method: Method::Post,
    path: "/api/detection/initialize",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Initialize batch.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "initialize_batch",
    tag = "detection",
    description = "Queues a detection run of a business day and answers at once. The same day, line of business and type again is the same run: it finds \
                   the same and adds no doubles.",
    request_body = DetectionBatch,
    responses((status = 200, description = "what was asked for", body = DetectionBatch)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.object::<DetectionBatch>()).together()?;
    written(asked.resolvers.initialize_batch(&caller, given, key).await?)
}

//! Upload a list: takes the file of a list in while it comes, so that it can be imported.

use axum::http::StatusCode;
use futures::{StreamExt, TryStreamExt};
use graph_schema::fault::Fault;
use resolvers::Error;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, json},
    fault::{BodyFault, Failure},
    form::FORM,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, Streamed},
};

/// Not of the document.
pub(crate) const OPERATION: Operation = Operation {
    name: "Upload a list",
    method: Method::Post,
    path: "/lists/uploads",
    success: 201,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// What an import names.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct UploadedList {
    id: String,
    /// In bytes.
    size: i64,
    sha256: String,
    #[schema(format = DateTime)]
    uploaded_at: String,
    /// When it is removed, unless it is imported before.
    #[schema(format = DateTime)]
    kept_until: String,
}

/// The file, as it is.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only its schema is used")]
struct ListFile(Vec<u8>);

/// Upload a list.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "upload_list",
    tag = "lists",
    description = "Takes the file of a list to screen against: the body is the file, as it is. `importWatchlist` in GraphQL imports it. For administrators and supervisors.",
    request_body(content = inline(ListFile), content_type = "application/octet-stream"),
    responses((status = 201, description = "taken", body = UploadedList)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, Streamed { asked, request }: Streamed) -> Answer {
    asked.no_query()?;
    if asked.media_type()?.as_deref() == Some(FORM) {
        return Err(Failure::MediaType("application/octet-stream"));
    }
    let content = request.into_body().into_data_stream().map_err(|error| broken(&error)).boxed();
    json(StatusCode::CREATED, &asked.resolvers.upload_list(&caller, content).await?)
}

/// A body that can't be read to its end.
fn broken(error: &axum::Error) -> Error {
    let problem = BodyFault::below(error).map_or("broke off before it was complete", |fault| fault.0);
    Error::Unreadable(vec![Fault::new("body", problem)])
}

//! Bulk ingest: takes lists of records that are processed in the background.

use graph_schema::bulk::{self, BulkIngest};
use utoipa::ToSchema;

use crate::{
    answer::{Answer, accepted},
    fault::{Failure, Together},
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Bulk ingest",
    method: Method::Post,
    path: "/api/bulk",
    success: 202,
    errors: &[400, 413, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The header that names a request.
const REQUEST_ID: &str = "x-request-id";

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct AcceptedBulk {
    /// As the header has it.
    request_id: String,
}

/// Bulk ingest.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "bulk_ingest",
    tag = "bulk",
    description = "Takes up to 1,000 items a list and 32 MB in all. All of it is checked first, and nothing is taken where anything is wrong. Then it is processed in the background: what names something that has not arrived waits for it. The same request again under the same `x-request-id` adds nothing.",
    params(("x-request-id" = String, Header, description = "Names the request", min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9_.:-]+$")),
    request_body = BulkIngest,
    responses((status = 202, description = "it was taken", body = AcceptedBulk)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    // A large body takes a while to read: nobody else is to wait for that on this thread.
    let days = asked.resolvers.days();
    let read = tokio::task::block_in_place(|| asked.must_be_json().and_then(|()| Ok(bulk::read(asked.body(), days)?)));
    let ((), key, lists) = (names_itself(&asked), asked.key_without_query(), read).together()?;
    // What was read as JSON is text.
    let body = std::str::from_utf8(asked.body()).unwrap_or_default();
    accepted(asked.resolvers.bulk_ingest(&caller, lists, body, key).await?)
}

/// The request's id is the caller's own: the HTTP assembly has taken it over as the id of the request if it is well-formed.
fn names_itself(asked: &RestRequest) -> Result<(), Failure> {
    let right = |value: &[u8]| (1..=128).contains(&value.len()) && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte));
    match asked.headers().get(REQUEST_ID) {
        None => Err(Failure::unreadable(REQUEST_ID, "is required: a name for the request, by which a retry is known")),
        Some(value) if right(value.as_bytes()) => Ok(()),
        Some(_) => Err(Failure::unreadable(REQUEST_ID, "must be 1 to 128 letters, digits, or any of - _ . :")),
    }
}

//! Get Cases in Dead Letter Queue: cases that came in bulk and could not be made.

use graph_schema::{bulk::DeadLetter, id};
use resolvers::{DeadLetterQuery, explore::BulkItemSort};

use crate::{
    answer::{Answer, bounded_page},
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{DEFAULT_LIMIT, date_time, id, in_order},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Cases in Dead Letter Queue",
    method: Method::Get,
    path: "/api/bulk/cases/dead_letter_queue",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The scalar fields of a list item.
const SORTABLE: [(&str, BulkItemSort); 4] = [
    ("id", BulkItemSort::Id),
    ("case_id", BulkItemSort::Subject),
    ("created_at", BulkItemSort::CreatedAt),
    ("processed_at", BulkItemSort::ProcessedAt),
];

const CREATED: [&str; 2] = ["filter.created_at.from", "filter.created_at.to"];

/// Get Cases in Dead Letter Queue.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_cases_in_dead_letter_queue",
    tag = "bulk",
    description = "Cases that came in bulk and break a rule, or have waited too long for what they name; newest first unless sorted.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
        ("filter.case_id" = Option<String>, Query, description = "Id of the case", min_length = 1, max_length = 256, pattern = r"^[^\x00-\x1f\x7f]*$"),
        ("filter.created_at.from" = Option<String>, Query, description = "Taken at this moment or later", format = DateTime),
        ("filter.created_at.to" = Option<String>, Query, description = "Taken at this moment or earlier", format = DateTime),
        ("sorting" = Option<String>, Query, description = "Comma-separated fields, `id`, `case_id`, `created_at` and `processed_at`; `-` before one for descending", pattern = "^-?(id|case_id|created_at|processed_at)(,-?(id|case_id|created_at|processed_at))*$"),
    ),
    responses((status = 200, description = "the cases", body = Vec<DeadLetter>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let wanted = wanted(&asked)?;
    let found = asked.resolvers.dead_letters(&caller, wanted).await?;
    bounded_page(asked.resolvers.page_bytes(), found.len(), &found)
}

fn wanted(asked: &RestRequest) -> Result<DeadLetterQuery, Failure> {
    let mut query = asked.query();
    let page = query.page(DEFAULT_LIMIT);
    let sort = query.sort("sorting", &SORTABLE);
    let case_id = query.optional("filter.case_id", id::<id::Case>);
    let created_from = query.optional(CREATED[0], date_time);
    let created_to = query.optional(CREATED[1], date_time);
    let wanted = query.finish(Some(DeadLetterQuery { case_id, created_from, created_to, sort, page }))?;
    in_order(wanted.created_from, wanted.created_to, CREATED)?;
    Ok(wanted)
}

//! Get Workflows: lists workflows with their steps.

use graph_schema::workflow::Workflow;
use resolvers::{WorkflowQuery, explore::WorkflowSort};

use crate::{
    answer::{Answer, bounded_page},
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Workflows",
    method: Method::Get,
    path: "/api/workflows",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The document's default for this list.
const DEFAULT_LIMIT: i64 = 200;

/// The scalar fields of a list item.
const SORTABLE: [(&str, WorkflowSort); 4] =
    [("id", WorkflowSort::Id), ("version", WorkflowSort::Version), ("hidden", WorkflowSort::Hidden), ("name", WorkflowSort::Name)];

/// Get Workflows.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_workflows",
    tag = "cases",
    description = "Lists workflows with their steps, newest first unless sorted.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 200 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
        ("sort.by" = Option<String>, Query, description = "Comma-separated fields, `id`, `version`, `hidden` and `name`; `-` before one for descending", pattern = "^-?(id|version|hidden|name)(,-?(id|version|hidden|name))*$"),
    ),
    responses((status = 200, description = "the workflows", body = Vec<Workflow>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let mut query = asked.query();
    let wanted = WorkflowQuery { page: query.page(DEFAULT_LIMIT), sort: query.sort("sort.by", &SORTABLE) };
    let wanted = query.finish(Some(wanted))?;
    let found = asked.resolvers.workflows(&caller, wanted).await?;
    bounded_page(asked.resolvers.page_bytes(), found.len(), &found)
}

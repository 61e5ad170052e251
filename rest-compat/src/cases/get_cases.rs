//! Get Cases: lists cases, as many as fit on a page.

use graph_schema::case::{CaseListItem, CaseType};
use graph_schema::id;
use graph_schema::workflow::StepState;
use resolvers::CaseQuery;
use resolvers::explore::{CaseFilter, CaseSort};

use crate::{
    answer::{Answer, bounded_page},
    fault::{Failure, Together},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{Query, boolean, date_time, id, in_order, one_of, text},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Cases",
    method: Method::Get,
    path: "/api/cases",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The document's default for this list.
const DEFAULT_LIMIT: i64 = 200;

/// The scalar fields of a list item.
const SORTABLE: [(&str, CaseSort); 4] =
    [("id", CaseSort::Id), ("created_at", CaseSort::CreatedAt), ("updated_at", CaseSort::UpdatedAt), ("type", CaseSort::Type)];

const CREATED: [&str; 2] = ["filter.created_at.from", "filter.created_at.to"];
const UPDATED: [&str; 2] = ["filter.updated_at.from", "filter.updated_at.to"];

/// Get Cases.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_cases",
    tag = "cases",
    description = "Lists cases, newest first unless sorted. All that is given must hold.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 200 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
        ("sort.by" = Option<String>, Query, description = "Comma-separated fields, `id`, `created_at`, `updated_at` and `type`; `-` before one for descending", pattern = "^-?(id|created_at|updated_at|type)(,-?(id|created_at|updated_at|type))*$"),
        ("filter.assigned" = Option<bool>, Query, description = "Whether somebody works on it"),
        ("filter.created_at.from" = Option<String>, Query, description = "Made at this moment or later", format = DateTime),
        ("filter.created_at.to" = Option<String>, Query, description = "Made at this moment or earlier", format = DateTime),
        ("filter.updated_at.from" = Option<String>, Query, description = "Last changed at this moment or later", format = DateTime),
        ("filter.updated_at.to" = Option<String>, Query, description = "Last changed at this moment or earlier", format = DateTime),
        ("filter.tags.id.all[]" = Option<Vec<String>>, Query, description = "Ids of tags of which it has each: commas, repetition, or both", style = Form, explode = false),
        ("filter.tags.id.in[]" = Option<Vec<String>>, Query, description = "Ids of tags of which it has one", style = Form, explode = false),
        ("filter.type.in[]" = Option<Vec<CaseType>>, Query, description = "Its type", style = Form, explode = false),
        ("filter.workflow.id.in[]" = Option<Vec<String>>, Query, description = "Its workflow", style = Form, explode = false),
        ("filter.workflow.state.in[]" = Option<Vec<StepState>>, Query, description = "The state of its step", style = Form, explode = false),
        ("filter.workflow.status.in[]" = Option<Vec<String>>, Query, description = "The status of its step", style = Form, explode = false),
        ("filter.workflow.step_id.in[]" = Option<Vec<String>>, Query, description = "Its step", style = Form, explode = false),
    ),
    responses((status = 200, description = "the cases", body = Vec<CaseListItem>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let wanted = wanted(asked.query())?;
    let found = asked.resolvers.cases(&caller, wanted).await?;
    bounded_page(asked.resolvers.page_bytes(), found.len(), &found)
}

fn wanted(mut query: Query) -> Result<CaseQuery, Failure> {
    let page = query.page(DEFAULT_LIMIT);
    let sort = query.sort("sort.by", &SORTABLE);
    let filter = CaseFilter {
        assigned: query.optional("filter.assigned", boolean),
        created_from: query.optional(CREATED[0], date_time),
        created_to: query.optional(CREATED[1], date_time),
        updated_from: query.optional(UPDATED[0], date_time),
        updated_to: query.optional(UPDATED[1], date_time),
        all_tags: query.list("filter.tags.id.all[]", id::<id::Tag>),
        any_tag: query.list("filter.tags.id.in[]", id::<id::Tag>),
        types: query.list("filter.type.in[]", one_of::<CaseType>),
        workflows: query.list("filter.workflow.id.in[]", id::<id::Workflow>),
        states: query.list("filter.workflow.state.in[]", one_of::<StepState>),
        statuses: query.list("filter.workflow.status.in[]", text),
        steps: query.list("filter.workflow.step_id.in[]", id::<id::Step>),
        ..CaseFilter::default()
    };
    let wanted = query.finish(Some(CaseQuery { filter, sort, page }))?;
    let CaseFilter { created_from, created_to, updated_from, updated_to, .. } = wanted.filter;
    (in_order(created_from, created_to, CREATED), in_order(updated_from, updated_to, UPDATED)).together()?;
    Ok(wanted)
}

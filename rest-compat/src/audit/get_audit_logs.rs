//! Get Audit Logs: lists who changed what in a span of time.

use graph_schema::audit::{AuditLogPage, LogTypeFilter};
use graph_schema::id::CaseId;
use resolvers::AuditQuery;

use crate::{
    answer::{Answer, bounded_page},
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{DEFAULT_LIMIT, Query, date_time, in_order, one_of, text},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Audit Logs",
    method: Method::Get,
    path: "/api/audit_logs",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

const FROM: &str = "startDate";
const TO: &str = "endDate";

/// Get Audit Logs.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_audit_logs",
    tag = "reporting",
    description = "Lists who changed what in a span of time, newest first. Analysts have to name a case, whose entries they see.",
    params(
        ("startDate" = String, Query, description = "From this moment on", format = DateTime),
        ("endDate" = String, Query, description = "Up to this moment; not before `startDate`", format = DateTime),
        ("caseId" = Option<String>, Query, description = "Only entries about this case"),
        ("logType" = Option<LogTypeFilter>, Query, description = "Only readings, only changes; all when absent"),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "a page of the log", body = AuditLogPage)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let wanted = wanted(asked.query())?;
    let page = asked.resolvers.audit_logs(&caller, wanted).await?;
    bounded_page(asked.resolvers.page_bytes(), page.values.len(), &page)
}

fn wanted(mut query: Query) -> Result<AuditQuery, Failure> {
    let span = query.required(FROM, date_time).zip(query.required(TO, date_time));
    let case_id = query.optional("caseId", text).map(|id| CaseId::spelled(&id).into_owned());
    let log_type = query.optional("logType", one_of::<LogTypeFilter>);
    let page = query.page(DEFAULT_LIMIT);
    let (from, to) = query.finish(span)?;
    in_order(Some(from), Some(to), [FROM, TO])?;
    let log_type = log_type.and_then(LogTypeFilter::log_type);
    Ok(AuditQuery { from, to, case_id, log_type, page })
}

//! Get Suppressed Signals: lists signals that exclusions and snoozed rules have kept from becoming observations.

use graph_schema::fault::Fault;
use graph_schema::reporting::SuppressedSignalPage;
use resolvers::SignalQuery;

use crate::{
    answer::{Answer, bounded_page},
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{DEFAULT_LIMIT, Query, date},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Suppressed Signals",
    method: Method::Get,
    path: "/api/reporting/suppressed_signals",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

const FROM: &str = "startDate";
const TO: &str = "endDate";

/// Get Suppressed Signals.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_suppressed_signals",
    tag = "reporting",
    description = "Lists signals that were suppressed by an exclusion of their actor or by a snoozed rule, by the day of their review, the latest first.",
    params(
        ("startDate" = String, Query, description = "From this day on", format = Date),
        ("endDate" = String, Query, description = "Up to this day; not before `startDate`", format = Date),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "a part of the signals", body = SuppressedSignalPage)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let wanted = wanted(asked.query())?;
    let found = asked.resolvers.suppressed_signals(&caller, wanted).await?;
    bounded_page(asked.resolvers.page_bytes(), found.signals_suppressed.len(), &found)
}

fn wanted(mut query: Query) -> Result<SignalQuery, Failure> {
    let span = query.required(FROM, date).zip(query.required(TO, date));
    let page = query.page(DEFAULT_LIMIT);
    let (from, to) = query.finish(span)?;
    if to < from {
        return Err(Failure::Invalid(vec![Fault::new(TO, format!("must not be before {FROM}"))]));
    }
    Ok(SignalQuery { from, to, page })
}

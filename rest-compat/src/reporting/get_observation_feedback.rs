//! Get Observation Feedback: lists what was said of observations in a span of time.

use axum::http::StatusCode;
use graph_schema::fault::Fault;
use graph_schema::reporting::ObservationFeedbackItem;
use resolvers::FeedbackQuery;

use crate::{
    answer::{Answer, json},
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{Query, date_time},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Observation Feedback",
    method: Method::Get,
    path: "/api/reporting/observation_feedback",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

const FROM: &str = "startDate";
const TO: &str = "endDate";

/// Get Observation Feedback.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_observation_feedback",
    tag = "reporting",
    description = "Lists the feedback that was given on observations in a span of time, the latest first: of each observation of a case what was said last in the span, whatever was said of it later.",
    params(
        ("startDate" = String, Query, description = "From this moment on", format = DateTime),
        ("endDate" = String, Query, description = "Up to this moment; after `startDate`", format = DateTime),
    ),
    responses((status = 200, description = "the feedback", body = Vec<ObservationFeedbackItem>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let wanted = wanted(asked.query())?;
    json(StatusCode::OK, &asked.resolvers.observation_feedback(&caller, wanted).await?)
}

fn wanted(mut query: Query) -> Result<FeedbackQuery, Failure> {
    let span = query.required(FROM, date_time).zip(query.required(TO, date_time));
    let (from, to) = query.finish(span)?;
    if to <= from {
        return Err(Failure::Invalid(vec![Fault::new(TO, format!("must be after {FROM}"))]));
    }
    Ok(FeedbackQuery { from, to })
}

//! Get Actor Risk Score: lists scores, newest first.

use graph_schema::{id::Actor, risk::RiskScoreRecord};
use resolvers::RiskScoreQuery;
use resolvers::explore::ScoreFilter;

use crate::{
    answer::{Answer, page_of_texts},
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{DEFAULT_LIMIT, Query, boolean, date_time, id, in_order, text},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Actor Risk Score",
    method: Method::Get,
    path: "/api/risk_scores",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

const FROM: &str = "filter.ingested_at.from";
const TO: &str = "filter.ingested_at.to";

/// Get Actor Risk Score.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_actor_risk_score",
    tag = "actors",
    description = "Lists risk scores, newest first.",
    params(
        ("filter.actor_ids.in[]" = Option<Vec<String>>, Query, description = "Ids of actors: commas, repetition, or both", style = Form, explode = false),
        ("filter.data_source" = Option<String>, Query, description = "Where the scores are from"),
        ("filter.ingested_at.from" = Option<String>, Query, description = "Received later than this moment", format = DateTime),
        ("filter.ingested_at.to" = Option<String>, Query, description = "Received earlier than this moment", format = DateTime),
        ("filter.newest_entry" = Option<bool>, Query, description = "Only the newest score of each actor: the one with the latest `as_of_date`, of several the one that was received last"),
        ("risk_rule_id" = Option<String>, Query, description = "Id of the rule that the scores are by"),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
    ),
    responses((status = 200, description = "the scores", body = Vec<RiskScoreRecord>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let wanted = wanted(asked.query())?;
    let records = asked.resolvers.risk_scores(&caller, wanted).await?;
    page_of_texts(asked.resolvers.page_bytes(), &records, |array| array)
}

fn wanted(mut query: Query) -> Result<RiskScoreQuery, Failure> {
    let filter = ScoreFilter {
        actors: query.list("filter.actor_ids.in[]", id::<Actor>),
        data_source: query.optional("filter.data_source", text),
        ingested_after: query.optional(FROM, date_time),
        ingested_before: query.optional(TO, date_time),
        ..ScoreFilter::default()
    };
    let newest_only = query.optional("filter.newest_entry", boolean) == Some(true);
    let filter = ScoreFilter { risk_rule: query.optional("risk_rule_id", text), ..filter };
    let filter = if newest_only { filter.newest_only() } else { filter };
    let page = query.page(DEFAULT_LIMIT);
    let wanted = query.finish(Some(RiskScoreQuery { filter, page }))?;
    in_order(wanted.filter.ingested_after, wanted.filter.ingested_before, [FROM, TO])?;
    Ok(wanted)
}

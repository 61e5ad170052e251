//! GraphQL over HTTP, whatever the schema: `POST /graphql` (one request, or a batch where a setting lets them in), `GET /graphql` (a page for a browser, a
//! query otherwise); documents within their limits, answers within their budget of bytes; pages of lists and their cursors; how errors of operations are put;
//! what every field begins with. Results that come for as long as somebody listens are in `live`.

// Modules, the lowest first: asking page refused user_error types selection document values variable_types exact repeated cost accept merged refusal budget trusted graphql_request settings limits check
// folder surroundings serving live.

mod accept;
pub mod asking;
mod budget;
mod check;
mod cost;
mod document;
mod exact;
mod folder;
mod graphql_request;
mod limits;
mod live;
mod merged;
pub mod page;
mod refusal;
pub mod refused;
mod repeated;
mod selection;
mod serving;
mod settings;
mod surroundings;
pub mod trusted;
mod types;
pub mod user_error;
mod values;
mod variable_types;

use std::sync::Arc;

use async_graphql::parser::types::OperationType;
use async_graphql::{Executor, Request};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use resolvers::{Caller, Resolvers};

pub use budget::{AnswerBudget, Large};
pub use check::{DocumentCheck, DocumentFault};
pub use cost::{CountsCost, Judge, judge};
pub use exact::Schemas;
pub use limits::{SETS, without_long_escapes};
pub use live::in_time;
pub use refusal::error_body;
pub use serving::execute;
pub use settings::{GraphqlLimits, LiveLimits, Switch};
pub use surroundings::{LiveStop, LiveSurroundings, Recognise, Stranger, Surroundings};
pub use types::Types;

use accept::Form;
use graphql_request::GraphqlRequest;
use limits::Documents;
use refusal::Refusal;
use serving::Serving;

/// The routes of a schema, which has these types, over the operations. The judge is of the same types, and has neither limits nor anything behind it.
pub fn routes<S: Executor>(
    (schemas, judge, types): (Schemas<S>, Judge<S>, Types),
    resolvers: &Resolvers,
    limits: &GraphqlLimits,
    surroundings: Surroundings,
) -> Router {
    let (loader, documents, answer_bytes) = (resolvers.loader().clone(), Documents::new(limits), resolvers.page_bytes());
    let serving = Serving { schemas, judge, types: Arc::new(types), loader, documents, limits: limits.clone(), surroundings, answer_bytes };
    let live = live::routes(serving.clone(), resolvers);
    Router::new().route("/graphql", get(asked_by_get::<S>).post(asked_by_post::<S>)).with_state(serving).merge(live)
}

/// A batch of requests, or one.
async fn asked_by_post<S: Executor>(
    State(serving): State<Serving<S>>,
    caller: Option<axum::Extension<Caller>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Some(refusal) = serving.repeated_headers(&headers) {
        return refusal.into_response();
    }
    let Some(axum::Extension(caller)) = caller else { return (serving.surroundings.no_caller)() };
    match graphql_request::posted(&headers, &body, serving.limits.batch) {
        Ok(asked) => {
            // A large one is not needed any more.
            drop(body);
            answer(&serving, asked, &caller, Form::of(&headers)).await
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// A page for a browser; for anyone else a query in the address, which may not change anything.
async fn asked_by_get<S: Executor>(
    State(serving): State<Serving<S>>,
    caller: Option<axum::Extension<Caller>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    if let Some(refusal) = serving.repeated_headers(&headers) {
        return refusal.into_response();
    }
    if accept::prefers_a_page(&headers) {
        match (serving.surroundings.page, &query) {
            (Some(page), _) => return page(),
            (None, None) => return Refusal::NoPage.into_response(),
            (None, Some(_)) => {}
        }
    }
    let Some(axum::Extension(caller)) = caller else { return (serving.surroundings.no_caller)() };
    let mut request = match graphql_request::in_address(&headers, query.as_deref().unwrap_or_default()) {
        Ok(request) => request,
        Err(refusal) => return refusal.into_response(),
    };
    // A document that breaks a limit, or can't be parsed, is answered below as one that is sent by POST.
    if serving.documents.parse(&mut request, &caller).await.is_ok() && selection::operation_type(&mut request) == Some(OperationType::Mutation) {
        return Refusal::NeedsPost.into_response();
    }
    answer(&serving, GraphqlRequest::One(Box::new(request)), &caller, Form::of(&headers)).await
}

async fn answer<S: Executor>(serving: &Serving<S>, asked: GraphqlRequest, caller: &Caller, form: Form) -> Response {
    // A batch is one answer.
    let budget = AnswerBudget::of(serving.answer_bytes);
    let one = |request: Request| serving.answer_one(request.data(caller.clone()).data(budget.clone()), caller);
    match asked {
        GraphqlRequest::One(request) => {
            let answer = serving.loader.gather(one(*request)).await;
            written(budget.written(&answer), form.status(answer.is_refused()), form)
        }
        GraphqlRequest::Several(requests) => {
            let answers = serving.loader.gather(futures::future::join_all(requests.into_iter().map(one))).await;
            written(budget.written(&answers), StatusCode::OK, form)
        }
    }
}

fn written(answer: serde_json::Result<Vec<u8>>, status: StatusCode, form: Form) -> Response {
    match answer {
        Ok(body) => (status, [(CONTENT_TYPE, form.name()), (CACHE_CONTROL, "no-store")], body).into_response(),
        Err(error) => Refusal::Defect(format!("an answer could not be written: {error}")).into_response(),
    }
}

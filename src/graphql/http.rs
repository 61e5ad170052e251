//! GraphQL over HTTP: `POST /graphql` (one request or a batch), `GET /graphql` (GraphiQL for a browser, a query otherwise), and GraphiQL's files.
//!
//! GraphiQL is served from this program alone: no other host is asked for anything.

use async_graphql::http::parse_query_string;
use async_graphql::parser::types::OperationType;
use async_graphql::{BatchRequest, BatchResponse, Request, Response as GraphResponse, ServerError};
use async_graphql_axum::GraphQLBatchRequest;
use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use resolvers::loader::Loader;
use resolvers::{Caller, Resolvers};

use super::GraphSchema;
use super::limits::Documents;
use crate::config::GraphqlLimits;
use crate::refusal::{Refusal, Shape};

#[derive(Clone)]
struct Serving {
    schema: GraphSchema,
    loader: Loader,
    documents: Documents,
    limits: GraphqlLimits,
}

/// The routes of GraphQL.
pub fn routes(resolvers: Resolvers, limits: &GraphqlLimits) -> Router {
    let (loader, documents) = (resolvers.loader().clone(), Documents::new(limits));
    let serving = Serving { schema: super::schema(resolvers, limits), loader, documents, limits: limits.clone() };
    Router::new().route("/graphql", get(asked_by_get).post(asked_by_post)).route("/graphiql/{file}", get(graphiql_file)).with_state(serving)
}

/// A batch of requests, or one.
async fn asked_by_post(State(serving): State<Serving>, caller: Option<axum::Extension<Caller>>, batch: GraphQLBatchRequest) -> Response {
    let Some(axum::Extension(caller)) = caller else { return no_caller() };
    let batch = batch.into_inner();
    let length = match &batch {
        BatchRequest::Single(_) => 1,
        BatchRequest::Batch(requests) => requests.len(),
    };
    if length > serving.limits.batch {
        return faulty(format!("at most {} requests in a batch", serving.limits.batch));
    }
    answer(serving, batch.data(caller)).await
}

/// A page for a browser; for anyone else a query in the address, which may not change anything.
async fn asked_by_get(
    State(serving): State<Serving>,
    caller: Option<axum::Extension<Caller>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let wants_a_page = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"));
    if wants_a_page {
        return ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")], INDEX).into_response();
    }
    let Some(axum::Extension(caller)) = caller else { return no_caller() };
    let mut request: Request = match parse_query_string(query.as_deref().unwrap_or_default()) {
        Ok(request) => request,
        Err(error) => return faulty(format!("query: {error}")),
    };
    if changes(&mut request) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "POST")], "{\"errors\":[{\"message\":\"a mutation is sent by POST\"}]}").into_response();
    }
    answer(serving, BatchRequest::Single(request).data(caller)).await
}

fn changes(request: &mut Request) -> bool {
    let document = request.parsed_query();
    document.is_ok_and(|document| document.operations.iter().any(|(_, operation)| operation.node.ty != OperationType::Query))
}

async fn answer(serving: Serving, batch: BatchRequest) -> Response {
    let response = match tokio::time::timeout(serving.limits.time, serving.loader.gather(carried_out(&serving, batch))).await {
        Ok(response) => explained(response, &serving.limits),
        Err(_) => {
            let mut error = ServerError::new("this took longer than it may; ask for less", None);
            error.extensions.get_or_insert_default().set("code", "TIME_LIMIT");
            BatchResponse::Single(GraphResponse::from_errors(vec![error]))
        }
    };
    match serde_json::to_vec(&response) {
        Ok(body) => ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

async fn carried_out(serving: &Serving, batch: BatchRequest) -> BatchResponse {
    let one = async |mut request: Request| match serving.documents.parse(&mut request).await {
        Ok(()) => serving.schema.execute(request).await,
        Err(error) => GraphResponse::from_errors(vec![error]),
    };
    match batch {
        BatchRequest::Single(request) => BatchResponse::Single(one(request).await),
        BatchRequest::Batch(requests) => BatchResponse::Batch(futures::future::join_all(requests.into_iter().map(one)).await),
    }
}

/// Says of the limits that async-graphql keeps what they are and what would be right; its own words name neither.
fn explained(mut response: BatchResponse, limits: &GraphqlLimits) -> BatchResponse {
    let responses = match &mut response {
        BatchResponse::Single(single) => std::slice::from_mut(single),
        BatchResponse::Batch(all) => all.as_mut_slice(),
    };
    for error in responses.iter_mut().flat_map(|response| &mut response.errors) {
        let (message, code) = match error.message.as_str() {
            "Query is too complex." => (
                format!(
                    "the query is too complex: at most {}, counting each field of each item of each page; ask for smaller pages (first: 5)",
                    limits.complexity
                ),
                "TOO_COMPLEX",
            ),
            "Query is nested too deep." => (format!("the query is nested too deep: at most {} levels", limits.depth), "TOO_DEEP"),
            _ => continue,
        };
        error.message = message;
        error.extensions.get_or_insert_default().set("code", code);
    }
    response
}

fn faulty(message: String) -> Response {
    let body = serde_json::json!({"errors": [{"message": message}]}).to_string();
    (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, "application/json")], body).into_response()
}

fn no_caller() -> Response {
    Refusal::Unauthenticated("credentials are missing: send an API key as x-api-key, or a bearer token".into()).worded(Shape::Graphql)
}

const INDEX: &str = include_str!("../../assets/graphiql/index.html");

/// GraphiQL's files by name; the large ones are kept and sent compressed.
const FILES: &[(&str, &str, &[u8])] = &[
    ("page.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/graphiql/page.js")),
    ("page.css", "text/css; charset=utf-8", include_bytes!("../../assets/graphiql/page.css")),
    ("graphiql.min.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/graphiql/graphiql.min.js.gz")),
    ("graphiql.min.css", "text/css; charset=utf-8", include_bytes!("../../assets/graphiql/graphiql.min.css.gz")),
    ("react.production.min.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/graphiql/react.production.min.js.gz")),
    ("react-dom.production.min.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/graphiql/react-dom.production.min.js.gz")),
];
const GZIP: [u8; 2] = [0x1f, 0x8b];

async fn graphiql_file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some((_, kind, bytes)) = FILES.iter().find(|(known, _, _)| *known == name) else { return StatusCode::NOT_FOUND.into_response() };
    let plain = [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "max-age=3600")];
    if !bytes.starts_with(&GZIP) {
        return (plain, *bytes).into_response();
    }
    let takes_gzip = headers.get(ACCEPT_ENCODING).and_then(|encodings| encodings.to_str().ok()).is_some_and(|encodings| encodings.contains("gzip"));
    if takes_gzip {
        return (plain, [(CONTENT_ENCODING, "gzip")], *bytes).into_response();
    }
    let mut whole = Vec::new();
    match std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(*bytes), &mut whole) {
        Ok(_) => (plain, whole).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

//! GraphQL over HTTP, whatever the schema: `POST /graphql` (one request, or a batch where a setting lets them in), `GET /graphql` (a page for a browser, a
//! query otherwise); documents within their limits, answers within their budget of bytes; pages of lists and their cursors; how errors of operations are put.

// Modules, the lowest first: page refused types selection exact accept merged refusal budget graphql_request settings limits.

mod accept;
mod budget;
mod exact;
mod graphql_request;
mod limits;
mod merged;
pub mod page;
mod refusal;
pub mod refused;
mod selection;
mod settings;
mod types;

use std::sync::Arc;

use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType};
use async_graphql::{Executor, Request, Response as GraphResponse, ServerError, Value};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use graph_schema::fault::Fault;
use resolvers::loader::Loader;
use resolvers::{Caller, Resolvers};
use serde::Serialize;

pub use budget::{AnswerBudget, Large};
pub use limits::{SETS, without_long_escapes};
pub use refusal::error_body;
pub use settings::{GraphqlLimits, Switch};
pub use types::Types;

use accept::Form;
use graphql_request::GraphqlRequest;
use limits::Documents;
use refusal::Refusal;

/// How async-graphql begins what it suggests.
const SUGGESTION: &str = " Did you mean ";

/// What the server around says of a request, for all that is behind it alike.
#[derive(Clone, Copy)]
pub struct Surroundings {
    /// The page for browsers, where there is one.
    pub page: Option<fn() -> Response>,
    /// A fault for each header that says one thing and was given more than once.
    pub header_faults: fn(&HeaderMap) -> Vec<Fault>,
    /// The answer to a request without a caller.
    pub no_caller: fn() -> Response,
}

#[derive(Clone)]
struct Serving<S> {
    schema: S,
    types: Arc<Types>,
    loader: Loader,
    documents: Documents,
    limits: GraphqlLimits,
    surroundings: Surroundings,
    /// Bytes that one answer may have.
    answer_bytes: usize,
}

/// The routes of a schema, which has these types, over the operations.
pub fn routes<S: Executor>(schema: S, types: Types, resolvers: &Resolvers, limits: &GraphqlLimits, surroundings: Surroundings) -> Router {
    let (loader, documents, answer_bytes) = (resolvers.loader().clone(), Documents::new(limits), resolvers.page_bytes());
    let serving = Serving { schema, types: Arc::new(types), loader, documents, limits: limits.clone(), surroundings, answer_bytes };
    Router::new().route("/graphql", get(asked_by_get::<S>).post(asked_by_post::<S>)).with_state(serving)
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
            serving.answer(asked, &caller, Form::of(&headers)).await
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
    if serving.documents.parse(&mut request).await.is_ok() && changes(&mut request) {
        return Refusal::NeedsPost.into_response();
    }
    serving.answer(GraphqlRequest::One(Box::new(request)), &caller, Form::of(&headers)).await
}

/// The operation that would be carried out; others may stand beside it.
fn operation(request: &mut Request) -> Option<&OperationDefinition> {
    let name = request.operation_name.clone();
    let document = request.parsed_query().ok()?;
    selection::operation(document, name.as_deref()).map(|operation| &operation.node)
}

fn changes(request: &mut Request) -> bool {
    operation(request).is_some_and(|operation| operation.ty == OperationType::Mutation)
}

/// Gives variables that are not given the values that the document says. async-graphql does so for arguments, but not for `@skip` and `@include`.
fn take_defaults(request: &mut Request) {
    let definitions = operation(request).map(|operation| operation.variable_definitions.clone()).unwrap_or_default();
    for definition in definitions {
        if let Some(default) = definition.node.default_value() {
            request.variables.entry(definition.node.name.node.clone()).or_insert_with(|| default.clone());
        }
    }
}

/// Carries out a request without HTTP and its limits: the result is the one that HTTP would have.
pub async fn execute<S: Executor>(schema: &S, types: &Types, mut request: Request) -> GraphResponse {
    let document = match request.parsed_query() {
        Ok(document) => Arc::new(document.clone()),
        Err(error) => return GraphResponse::from_errors(vec![error]),
    };
    run(schema, types, document, request).await.unwrap_or_else(GraphResponse::from_errors)
}

/// What comes of a request with this document; the errors of one that is not valid.
async fn run<S: Executor>(
    schema: &S,
    types: &Types,
    document: Arc<ExecutableDocument>,
    mut request: Request,
) -> Result<GraphResponse, Vec<ServerError>> {
    take_defaults(&mut request);
    let document = merged::merge(&mut request).map_err(|error| vec![error])?.unwrap_or(document);
    exact::execute(schema, types, &document, request).await
}

/// What comes of a request.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    /// It was begun, whatever became of its fields.
    Begun(GraphResponse),
    /// Its document was refused, so that there are no data, not even null.
    Refused { errors: Vec<ServerError> },
}

impl<S: Executor> Serving<S> {
    /// Why a request is refused that says twice what may be said once.
    fn repeated_headers(&self, headers: &HeaderMap) -> Option<Refusal> {
        let faults: Vec<String> = (self.surroundings.header_faults)(headers).iter().map(ToString::to_string).collect();
        (!faults.is_empty()).then(|| Refusal::Malformed(faults.join("; ")))
    }

    async fn answer(self, asked: GraphqlRequest, caller: &Caller, form: Form) -> Response {
        // A batch is one answer.
        let budget = AnswerBudget::of(self.answer_bytes);
        let one = |request: Request| self.answer_one(request.data(caller.clone()).data(budget.clone()));
        match asked {
            GraphqlRequest::One(request) => {
                let answer = self.loader.gather(one(*request)).await;
                written(budget.written(&answer), form.status(&answer), form)
            }
            GraphqlRequest::Several(requests) => {
                let answers = self.loader.gather(futures::future::join_all(requests.into_iter().map(one))).await;
                written(budget.written(&answers), StatusCode::OK, form)
            }
        }
    }

    /// Each request of a batch has the whole time, because they run side by side, and loses no more than itself.
    async fn answer_one(&self, request: Request) -> Answer {
        let mut answer = match tokio::time::timeout(self.limits.time, self.carry_out(request)).await {
            Ok(answer) => answer,
            Err(_) => {
                let error = limits::refused("TIME_LIMIT", "this took longer than it may; ask for less".into());
                Answer::Begun(GraphResponse::from_errors(vec![error]))
            }
        };
        let (Answer::Begun(GraphResponse { errors, .. }) | Answer::Refused { errors }) = &mut answer;
        for error in errors {
            self.explain(error);
        }
        answer
    }

    async fn carry_out(&self, mut request: Request) -> Answer {
        let document = match self.documents.parse(&mut request).await {
            Ok(document) => document,
            Err(error) => return Answer::Refused { errors: vec![error] },
        };
        match run(&self.schema, &self.types, document, request).await {
            // What goes wrong in a field says in which: where none does the document was not run.
            Ok(GraphResponse { data: Value::Null, errors, .. }) if !errors.is_empty() && errors.iter().all(|error| error.path.is_empty()) => {
                Answer::Refused { errors }
            }
            Ok(response) => Answer::Begun(response),
            Err(errors) => Answer::Refused { errors },
        }
    }

    /// Gives an error a code. Resolvers give theirs; what is left is about the document, its variables or its arguments.
    fn explain(&self, error: &mut ServerError) {
        // async-graphql says neither what the limit is nor what would be right.
        if error.message == "Query is too complex." {
            let most = self.limits.complexity;
            let counted = "counting each field of each item of each page; ask for smaller pages (first: 5)";
            *error = limits::refused("TOO_COMPLEX", format!("the query is too complex: at most {most}, {counted}"));
        }
        // Arguments of directives it suggests whatever it was told.
        if self.limits.suggestions == Switch::Off
            && let Some((said, _)) = error.message.split_once(SUGGESTION)
        {
            error.message = said.to_owned();
        }
        let extensions = error.extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", "INVALID");
        }
    }
}

fn written(answer: serde_json::Result<Vec<u8>>, status: StatusCode, form: Form) -> Response {
    match answer {
        Ok(body) => (status, [(CONTENT_TYPE, form.name()), (CACHE_CONTROL, "no-store")], body).into_response(),
        Err(error) => Refusal::Defect(format!("an answer could not be written: {error}")).into_response(),
    }
}

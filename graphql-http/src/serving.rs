//! Carrying out requests within their limits, whatever they came by.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_graphql::parser::types::{ExecutableDocument, OperationType};
use async_graphql::{Executor, Request, Response as GraphResponse, ServerError, Value};
use axum::http::HeaderMap;
use resolvers::Caller;
use resolvers::loader::Loader;
use serde::Serialize;

use crate::asking::{DocumentMemo, DocumentTime};
use crate::cost::{self, COST, Judge};
use crate::document::Document;
use crate::exact::{self, Schemas};
use crate::limits::{self, Documents};
use crate::merged;
use crate::refusal::Refusal;
use crate::repeated::each_once;
use crate::selection::{operation_type, take_variables};
use crate::settings::{GraphqlLimits, Switch};
use crate::surroundings::Surroundings;
use crate::types::Types;

/// Where subscriptions are carried out: over a WebSocket, and as a stream of events.
pub const SOCKET: &str = "/graphql/ws";
pub const STREAM: &str = "/graphql/stream";

/// How async-graphql begins what it suggests.
const SUGGESTION: &str = " Did you mean ";

#[derive(Clone)]
pub struct Serving<S> {
    pub schemas: Schemas<S>,
    pub judge: Judge<S>,
    pub types: Arc<Types>,
    pub loader: Loader,
    pub documents: Documents,
    pub limits: GraphqlLimits,
    pub surroundings: Surroundings,
    /// Bytes that one answer may have.
    pub answer_bytes: usize,
}

/// Carries out a request without HTTP and its limits: the result is the one that HTTP would have.
pub async fn execute<S: Executor>(schema: &S, types: &Types, mut request: Request) -> GraphResponse {
    let document = match request.parsed_query() {
        Ok(document) => Arc::new(Document::new(document.clone())),
        Err(error) => return GraphResponse::from_errors(vec![error]),
    };
    run(&Schemas::strict(schema), types, document, request).await.unwrap_or_else(GraphResponse::from_errors)
}

/// What comes of a request with this document; the errors of one that is not valid.
pub async fn run<S: Executor>(
    schemas: &Schemas<S>,
    types: &Types,
    document: Arc<Document>,
    mut request: Request,
) -> Result<GraphResponse, Vec<ServerError>> {
    let document = prepared(document, &mut request)?;
    exact::execute(schemas, types, &document, request).await
}

/// Gives a request with this document its variables, its time and its memory, and puts its mutations together: the document that is run. The errors of a request that
/// can't begin.
fn prepared(document: Arc<Document>, request: &mut Request) -> Result<Arc<Document>, Vec<ServerError>> {
    request.data.insert(DocumentTime::default());
    request.data.insert(DocumentMemo::default());
    take_variables(request)?;
    let merged = merged::merge(request).map_err(|error| vec![error])?;
    Ok(merged.map_or(document, |merged| Arc::new(Document::new(merged))))
}

/// What comes of a request.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// It was begun, whatever became of its fields.
    Begun(GraphResponse),
    /// Its document was refused, so that there are no data, not even null.
    Refused {
        errors: Vec<ServerError>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        extensions: BTreeMap<String, Value>,
    },
}

impl Answer {
    fn refused(errors: Vec<ServerError>) -> Self {
        Answer::Refused { errors, extensions: BTreeMap::new() }
    }

    pub fn is_refused(&self) -> bool {
        matches!(self, Answer::Refused { .. })
    }
}

impl<S: Executor> Serving<S> {
    /// Why a request is refused that says twice what may be said once.
    pub fn repeated_headers(&self, headers: &HeaderMap) -> Option<Refusal> {
        let faults: Vec<String> = (self.surroundings.header_faults)(headers).iter().map(ToString::to_string).collect();
        (!faults.is_empty()).then(|| Refusal::Malformed(faults.join("; ")))
    }

    /// Each request of a batch has the whole time, because they run side by side, and loses no more than itself.
    pub async fn answer_one(&self, request: Request, caller: &Caller) -> Answer {
        let mut answer = match tokio::time::timeout(self.limits.time, self.carry_out(request, caller)).await {
            Ok(answer) => answer,
            Err(_) => Answer::Begun(GraphResponse::from_errors(vec![out_of_time()])),
        };
        let (Answer::Begun(GraphResponse { errors, .. }) | Answer::Refused { errors, .. }) = &mut answer;
        for error in errors {
            explain(&self.limits, error);
        }
        answer
    }

    async fn carry_out(&self, mut request: Request, caller: &Caller) -> Answer {
        let document = match self.documents.parse(&mut request, caller).await {
            Ok(document) => document,
            Err(error) => return Answer::refused(vec![error]),
        };
        if operation_type(&mut request) == Some(OperationType::Subscription) {
            return Answer::refused(vec![needs_connection()]);
        }
        let document = match prepared(document, &mut request) {
            Ok(document) => document,
            Err(errors) => return Answer::refused(errors),
        };
        let cost = self.cost(document.tree(), &request).await;
        let mut answer = match exact::execute(&self.schemas, &self.types, &document, request).await {
            Ok(response) if exact::is_refusal(&response) => Answer::refused(each_once(document.tree(), response.errors)),
            Ok(response) => Answer::Begun(response),
            Err(errors) => Answer::refused(each_once(document.tree(), errors)),
        };
        if let Some(cost) = cost {
            let (Answer::Begun(GraphResponse { extensions, .. }) | Answer::Refused { extensions, .. }) = &mut answer;
            extensions.insert(COST.to_owned(), cost);
        }
        answer
    }

    /// What a request costs, where it asks. Its variables have their defaults.
    pub async fn cost(&self, document: &ExecutableDocument, request: &Request) -> Option<Value> {
        if !cost::is_asked(request) {
            return None;
        }
        cost::of_request(&self.judge, &self.types, document, request, self.limits.complexity).await
    }
}

/// What is told of a subscription that comes where each request has one answer.
fn needs_connection() -> ServerError {
    let message = format!(
        "a subscription is not carried out here: send it over a WebSocket at {SOCKET} (subprotocol graphql-transport-ws), or to {STREAM}, which answers with a \
         stream of events (SSE)"
    );
    limits::refused("INVALID", message)
}

/// What is told of what took too long.
pub fn out_of_time() -> ServerError {
    limits::refused("TIME_LIMIT", "this took longer than it may; ask for less".into())
}

/// Gives an error a code. Resolvers give theirs; what is left is about the document, its variables or its arguments.
pub fn explain(limits: &GraphqlLimits, error: &mut ServerError) {
    if error.message == limits::TOO_COMPLEX {
        *error = limits::too_complex(limits);
    }
    // Arguments of directives it suggests whatever it was told.
    if limits.suggestions == Switch::Off
        && let Some((said, _)) = error.message.split_once(SUGGESTION)
    {
        error.message = said.to_owned();
    }
    let extensions = error.extensions.get_or_insert_default();
    if extensions.get("code").is_none() {
        extensions.set("code", "INVALID");
    }
}

//! Carrying out requests within their limits, whatever they came by.

use std::sync::Arc;

use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Executor, Request, Response as GraphResponse, ServerError, Value};
use axum::http::HeaderMap;
use resolvers::loader::Loader;
use serde::Serialize;

use crate::limits::{self, Documents};
use crate::refusal::Refusal;
use crate::selection::take_defaults;
use crate::settings::{GraphqlLimits, Switch};
use crate::surroundings::Surroundings;
use crate::types::Types;
use crate::{exact, merged};

/// How async-graphql begins what it suggests.
const SUGGESTION: &str = " Did you mean ";

#[derive(Clone)]
pub struct Serving<S> {
    pub schema: S,
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
pub enum Answer {
    /// It was begun, whatever became of its fields.
    Begun(GraphResponse),
    /// Its document was refused, so that there are no data, not even null.
    Refused { errors: Vec<ServerError> },
}

impl Answer {
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
    pub async fn answer_one(&self, request: Request) -> Answer {
        let mut answer = match tokio::time::timeout(self.limits.time, self.carry_out(request)).await {
            Ok(answer) => answer,
            Err(_) => Answer::Begun(GraphResponse::from_errors(vec![out_of_time()])),
        };
        let (Answer::Begun(GraphResponse { errors, .. }) | Answer::Refused { errors }) = &mut answer;
        for error in errors {
            explain(&self.limits, error);
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
}

/// What is told of what took too long.
pub fn out_of_time() -> ServerError {
    limits::refused("TIME_LIMIT", "this took longer than it may; ask for less".into())
}

/// Gives an error a code. Resolvers give theirs; what is left is about the document, its variables or its arguments.
pub fn explain(limits: &GraphqlLimits, error: &mut ServerError) {
    // async-graphql says neither what the limit is nor what would be right.
    if error.message == "Query is too complex." {
        let most = limits.complexity;
        let counted = "counting each field of each item of each page; ask for smaller pages (first: 5)";
        *error = limits::refused("TOO_COMPLEX", format!("the query is too complex: at most {most}, {counted}"));
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

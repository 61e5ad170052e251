//! Subscriptions: one root field, and each event's result in its shape.
//!
//! async-graphql 7.2 takes the root fields that stand in the operation itself, all of them, and none of a fragment: the stream of such a document ends
//! in silence. So a subscription is always rewritten, to the one field that is wanted of all its places (specification, sections 5.2.3.1 and 6.2.3).

use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Executor, Name, Request, Response, ServerError};
use futures::StreamExt;
use futures::stream::BoxStream;

use super::{Exact, faults};
use crate::selection::operation;
use crate::types::Types;
use crate::variable_types::unknown_types;

/// A subscription under way.
pub struct Subscribed<'a> {
    exact: Exact<'a>,
    events: BoxStream<'static, Response>,
}

impl Subscribed<'_> {
    /// The next event's result; none when there are no more.
    pub async fn next(&mut self) -> Option<Response> {
        let mut response = self.events.next().await?;
        self.exact.complete(&mut response);
        Some(response)
    }
}

/// Begins a subscription whose document is this one, and whose variables have their defaults. Refused where the document is not valid.
pub async fn subscribe<'a, S: Executor>(
    schema: &S,
    types: &'a Types,
    document: &'a ExecutableDocument,
    mut request: Request,
) -> Result<Subscribed<'a>, Vec<ServerError>> {
    let unknown = unknown_types(types, document);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let name = request.operation_name.clone();
    let Some(mut exact) = Exact::of(document, name.as_deref(), &request.variables, types) else {
        return Err(refusals(schema, request).await);
    };
    let refused_at_root = |problem: String| {
        let pos = operation(document, name.as_deref()).map(|operation| operation.pos);
        Err(vec![ServerError::new(problem, pos)])
    };
    // Before the schema says that it has no such field.
    if let Some(problem) = exact.meta_problem() {
        return refused_at_root(problem);
    }
    let mut check = Request::new("").variables(request.variables.clone());
    check.operation_name = name.clone();
    check.set_parsed_query(Exact::unexecuted(document, name.as_deref()));
    let mut refused: Vec<ServerError> =
        schema.execute_stream(check, None).flat_map(|response| futures::stream::iter(response.errors)).collect().await;
    refused.extend(faults(types, document, name.as_deref(), &request.variables));
    if !refused.is_empty() {
        return Err(refused);
    }
    if let Some(conflict) = exact.conflict.take() {
        return Err(vec![conflict]);
    }
    if let Some(problem) = exact.root_problem() {
        return refused_at_root(problem);
    }
    request.set_parsed_query(exact.rewritten(document, name.as_deref(), &request.query));
    Ok(Subscribed { exact, events: schema.execute_stream(request, None) })
}

/// What the schema itself says of a subscription that it has no type for.
async fn refusals<S: Executor>(schema: &S, request: Request) -> Vec<ServerError> {
    let first = schema.execute_stream(request, None).next().await;
    let errors = first.map(|response| response.errors).unwrap_or_default();
    if errors.is_empty() { vec![ServerError::new("There are no subscriptions here.", None)] } else { errors }
}

impl Exact<'_> {
    /// That the root asks for something about types, which no stream has.
    fn meta_problem(&self) -> Option<String> {
        let name = self.root_names().find(|name| name.starts_with("__"))?;
        Some(format!("A subscription must not select \"{name}\" at its top level."))
    }

    fn root_names(&self) -> impl Iterator<Item = &str> {
        self.root.slots.iter().filter_map(|slot| slot.name()).map(Name::as_str)
    }

    /// What is wrong with the root of a subscription, in the words of the reference implementation where it has some.
    fn root_problem(&self) -> Option<String> {
        match self.root_names().count() {
            1 => None,
            0 => Some("A subscription must select one top level field; conditions leave none.".to_owned()),
            _ => Some("A subscription must select only one top level field.".to_owned()),
        }
    }
}

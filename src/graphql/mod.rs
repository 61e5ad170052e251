//! GraphQL: the graph for analysts. Types are by area; every field asks one resolver; limits are in `limits`, HTTP in `http`.

mod account;
mod actor;
mod case;
mod chain;
mod channel_location;
mod connection;
mod device;
mod facts;
mod http;
mod identity;
mod ip_address;
mod limits;
mod mutation;
mod page;
mod query;
mod transaction;

use async_graphql::{Context, EmptySubscription, ErrorExtensions, Schema};
use resolvers::{Caller, Resolvers};

pub use http::routes;

use crate::config::{GraphqlLimits, Introspection};

/// The schema over the operations.
pub type GraphSchema = Schema<query::Query, mutation::Mutation, EmptySubscription>;

/// The schema, without anything behind it: what `amlgraph schema` prints.
pub fn sdl() -> String {
    Schema::build(query::Query, mutation::Mutation::default(), EmptySubscription).finish().sdl()
}

/// The schema that answers.
pub fn schema(resolvers: Resolvers, limits: &GraphqlLimits) -> GraphSchema {
    let builder = Schema::build(query::Query, mutation::Mutation::default(), EmptySubscription)
        .data(resolvers)
        .limit_complexity(limits.complexity)
        // `limits` says how deep a query may be; this bound, 32 unless it is set, must not say otherwise.
        .limit_recursive_depth(limits::SETS);
    match limits.introspection {
        Introspection::On => builder.finish(),
        Introspection::Off => builder.disable_introspection().finish(),
    }
}

/// The operations and who asks; a request without a caller does not get here.
fn asking<'a>(context: &'a Context<'_>) -> async_graphql::Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
}

/// An operation's error for a client: what it says and a code, nothing of the inside.
fn refused(error: resolvers::Error) -> async_graphql::Error {
    use resolvers::Error;
    let (code, message) = match &error {
        Error::Unreadable(faults) | Error::Invalid(faults) => ("INVALID", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
        Error::Unauthenticated(text) => ("UNAUTHENTICATED", text.clone()),
        Error::Forbidden(text) => ("FORBIDDEN", text.clone()),
        Error::NotFound(text) => ("NOT_FOUND", text.clone()),
        Error::Conflict(text) => ("CONFLICT", text.clone()),
        Error::CaseConflict(conflict) => ("CONFLICT", conflict.to_string()),
        Error::Unavailable { .. } => ("UNAVAILABLE", "the database can't be used now; try again".to_owned()),
        Error::TimeLimit => ("TIME_LIMIT", "this took longer than it may; ask for less".to_owned()),
        Error::Internal(text) => {
            tracing::error!(error = text, "internal error");
            ("INTERNAL", "internal error; the log has more under this request's id".to_owned())
        }
    };
    async_graphql::Error::new(message).extend_with(|_, extensions| extensions.set("code", code))
}

#[cfg(test)]
mod tests {
    /// Clients are generated from the schema, so that a change of it is to be seen in review.
    #[test]
    fn the_schema_is_the_one_in_docs() {
        let kept = include_str!("../../docs/schema.graphql");
        assert_eq!(super::sdl().trim(), kept.trim(), "run: amlgraph schema > docs/schema.graphql");
    }
}

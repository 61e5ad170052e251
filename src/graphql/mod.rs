//! GraphQL: the graph for analysts. Types are by area; every field asks one resolver; limits are in `limits`, HTTP in `http`.

mod account;
mod actor;
mod at_once;
mod budget;
mod bulk;
mod case;
mod channel_location;
mod connection;
mod device;
mod http;
mod identity;
mod ip_address;
mod limits;
mod mutation;
mod object;
mod observation;
mod page;
mod query;
mod refused;
mod segmentation;
mod transaction;
mod user;
mod version;
mod walk;
mod webhook;

use async_graphql::{Context, EmptyMutation, EmptySubscription, Schema};
use resolvers::{Caller, Resolvers};

pub use http::routes;
pub use limits::without_long_escapes;
use refused::refused;

use crate::config::{GraphqlLimits, Switch};

/// The schema over the operations.
pub type GraphSchema = Schema<query::Query, mutation::Mutation, EmptySubscription>;

/// The schema, without anything behind it: what `amlgraph schema` prints.
pub fn sdl() -> String {
    Schema::build(query::Query, mutation::Mutation::default(), EmptySubscription).finish().sdl()
}

/// The schema that answers.
pub fn schema(resolvers: Resolvers, limits: &GraphqlLimits) -> GraphSchema {
    let mut builder = Schema::build(query::Query, mutation::Mutation::default(), EmptySubscription)
        .data(resolvers)
        .data(walk::StepsAtOnce(limits.steps))
        .limit_complexity(limits.complexity)
        // `limits` says how deep a query may be; this bound, 32 unless it is set, must not say otherwise.
        .limit_recursive_depth(limits::SETS);
    if limits.introspection == Switch::Off {
        builder = builder.disable_introspection();
    }
    if limits.suggestions == Switch::Off {
        builder = builder.disable_suggestions();
    }
    builder.finish()
}

/// The same without mutations and limits, for the operator of the store.
pub fn readable_schema(resolvers: Resolvers, limits: &GraphqlLimits) -> Schema<query::Query, EmptyMutation, EmptySubscription> {
    Schema::build(query::Query, EmptyMutation, EmptySubscription)
        .data(resolvers)
        .data(walk::StepsAtOnce(limits.steps))
        .limit_recursive_depth(limits::SETS)
        .finish()
}

/// The operations and who asks; a request without a caller does not get here.
fn asking<'a>(context: &'a Context<'_>) -> async_graphql::Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
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

//! GraphQL: the graph for analysts. Types are by area; every field asks one resolver. What leads to no node of the graph is in `graphql-service`; limits and
//! HTTP are in `graphql-http`.
//!
//! Its tests are in `tests/`: as unit tests they would have all of it compiled again. For them its modules are public.

// Modules, the lowest first: walk channel_location connection at_once user bulk device segmentation version account actor identity ip_address transaction
// case screening observation object webhook audit viewer live mutation query.

pub mod account;
pub mod actor;
pub mod at_once;
pub mod audit;
pub mod bulk;
pub mod case;
pub mod channel_location;
pub mod connection;
pub mod device;
pub mod identity;
pub mod ip_address;
pub mod live;
pub mod mutation;
mod object;
pub mod observation;
pub mod query;
pub mod screening;
pub mod segmentation;
pub mod transaction;
pub mod user;
pub mod version;
pub mod viewer;
pub mod walk;
pub mod webhook;

use async_graphql::{EmptyMutation, EmptySubscription, Schema};
use axum::Router;
use graphql_http::asking::{asking, boxed};
pub use graphql_http::page;
use graphql_http::refused::{self, refused};
use graphql_http::{CountsCost, GraphqlLimits, SETS, Surroundings, Switch, Types};
use resolvers::Resolvers;

/// The schema over the operations.
pub type GraphSchema = Schema<query::Query, mutation::Mutation, live::Subscription>;

/// The schema, without anything behind it: what `amlgraph schema` prints.
pub fn sdl() -> String {
    Schema::build(query::Query::default(), mutation::Mutation::default(), live::Subscription).finish().sdl()
}

/// The schema that answers.
fn schema(resolvers: Resolvers, limits: &GraphqlLimits) -> GraphSchema {
    let mut builder = Schema::build(query::Query::default(), mutation::Mutation::default(), live::Subscription)
        .data(resolvers)
        .data(walk::StepsAtOnce(limits.steps))
        .data(user::user_of_principal())
        .limit_complexity(limits.complexity)
        // `graphql_http` says how deep a query may be; this bound, 32 unless it is set, must not say otherwise.
        .limit_recursive_depth(SETS);
    if limits.introspection == Switch::Off {
        builder = builder.disable_introspection();
    }
    if limits.suggestions == Switch::Off {
        builder = builder.disable_suggestions();
    }
    builder.finish()
}

/// The routes that answer by it.
pub fn routes(resolvers: &Resolvers, limits: &GraphqlLimits, surroundings: Surroundings) -> Router {
    let schema = schema(resolvers.clone(), limits);
    let types = Types::of(&schema.sdl());
    graphql_http::routes((schema, graphql_http::judge(judging_schema), types), resolvers, limits, surroundings)
}

/// The schema that judges documents and answers none.
pub fn judging_schema() -> GraphSchema {
    Schema::build(query::Query::default(), mutation::Mutation::default(), live::Subscription).limit_recursive_depth(SETS).extension(CountsCost).finish()
}

/// The schema without mutations and limits, for the operator of the store.
pub fn readable_schema(resolvers: Resolvers, limits: &GraphqlLimits) -> Schema<query::Query, EmptyMutation, EmptySubscription> {
    Schema::build(query::Query::default(), EmptyMutation, EmptySubscription)
        .data(resolvers)
        .data(walk::StepsAtOnce(limits.steps))
        .data(user::user_of_principal())
        .limit_recursive_depth(SETS)
        .finish()
}

//! GraphQL: the graph for analysts. Types are by area; every field asks one resolver. What leads to no node of the graph is in `graphql-service`; limits and
//! HTTP are in `graphql-http`; what callers change, and the schema as a whole, is in `graphql-mutations`, whose tests are those of this crate, too.

// Modules, the lowest first: changes walk channel_location connection at_once user bulk device segmentation version risk balance account actor identity ip_address
// transaction case screening observation object webhook audit viewer statistics live query.

pub mod account;
pub mod actor;
pub mod at_once;
pub mod audit;
pub mod balance;
pub mod bulk;
pub mod case;
mod changes;
pub mod channel_location;
pub mod connection;
pub mod device;
pub mod identity;
pub mod ip_address;
pub mod live;
mod object;
pub mod observation;
pub mod query;
pub mod risk;
pub mod screening;
pub mod segmentation;
mod statistics;
pub mod transaction;
pub mod user;
pub mod version;
pub mod viewer;
pub mod walk;
pub mod webhook;

use async_graphql::{EmptyMutation, EmptySubscription, Schema};
use graphql_http::asking::{asking, boxed, made_once, present};
pub use graphql_http::page;
use graphql_http::refused::{self, refused};
use graphql_http::{GraphqlLimits, SETS};
use resolvers::Resolvers;

/// The schema without mutations and limits, for the operator of the store.
pub fn readable_schema(resolvers: Resolvers, limits: &GraphqlLimits) -> Schema<query::Query, EmptyMutation, EmptySubscription> {
    Schema::build(query::Query::default(), EmptyMutation, EmptySubscription)
        .data(resolvers)
        .data(walk::StepsAtOnce(limits.steps))
        .data(user::user_of_principal())
        .limit_recursive_depth(SETS)
        .finish()
}

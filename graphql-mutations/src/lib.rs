//! GraphQL: what callers change, and the schema as a whole. Each area has a file with its inputs, its payloads and its part of `Mutation`; what payloads lead
//! to are the types of `graphql-api`. What is changed of the service itself is in `graphql-service`.
//!
//! Its tests are in `tests/`: as unit tests they would have all of it compiled again. For them its modules are public.

// Modules, the lowest first: case observation cleared_match device risk segmentation user webhook user_error mutation.

pub mod case;
pub mod cleared_match;
pub mod device;
pub mod mutation;
pub mod observation;
pub mod risk;
pub mod segmentation;
pub mod user;
pub mod user_error;
pub mod webhook;

use async_graphql::{Executor, SDLExportOptions, Schema, SchemaBuilder, ValidationMode};
use axum::Router;
use graphql_api::{live, query, user::user_of_principal, walk};
use graphql_http::{CountsCost, DocumentCheck, GraphqlLimits, SETS, Schemas, Surroundings, Switch, Types};
use resolvers::Resolvers;

/// The schema over the operations.
type GraphSchema = Schema<query::Query, mutation::Mutation, live::Subscription>;

/// All types. No field has the interface of errors as its type, so that it is named here.
pub fn builder() -> SchemaBuilder<query::Query, mutation::Mutation, live::Subscription> {
    let all = Schema::build(query::Query::default(), mutation::Mutation::default(), live::Subscription);
    all.register_output_type::<user_error::UserError>()
}

/// The schema, without anything behind it: what `amlgraph schema` prints. Each scalar names the document that says what its values are.
pub fn sdl() -> String {
    builder().finish().sdl_with_options(SDLExportOptions::new().include_specified_by())
}

/// The schema that answers.
fn schema(resolvers: Resolvers, limits: &GraphqlLimits, mode: ValidationMode) -> GraphSchema {
    let mut builder = builder()
        .data(resolvers)
        .data(walk::StepsAtOnce(limits.steps))
        .data(user_of_principal())
        .validation_mode(mode)
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
    let [strict, quick] = [ValidationMode::Strict, ValidationMode::Fast].map(|mode| schema(resolvers.clone(), limits, mode));
    let types = Types::of(&strict.sdl());
    graphql_http::routes((Schemas { strict, quick }, graphql_http::judge(judging_schema), types), resolvers, limits, surroundings)
}

/// Checks documents against the schema and these limits; nothing is behind it.
pub fn document_check(limits: &GraphqlLimits) -> DocumentCheck<impl Executor + use<>> {
    let limited = judging().limit_complexity(limits.complexity).finish();
    let types = Types::of(&limited.sdl());
    DocumentCheck::new((graphql_http::judge(judging_schema), graphql_http::judge(move || limited)), types, limits)
}

/// The schema that judges documents and answers none.
fn judging_schema() -> GraphSchema {
    judging().finish()
}

fn judging() -> SchemaBuilder<query::Query, mutation::Mutation, live::Subscription> {
    builder().limit_recursive_depth(SETS).extension(CountsCost)
}

//! `amlgraph explain DOCUMENT`: carries a GraphQL query out on the configured store, and prints the statements that it took instead of the answer,
//! as Neo4j Browser takes them.

use anyhow::{Context, bail};
use async_graphql::{Request, Variables};
use resolvers::Caller;
use resolvers::explain::explained;

use super::print;
use crate::cli::Explain;
use crate::config::Settings;
use crate::store;

/// Prints the statements; fails if the document has faults.
pub async fn run(settings: Settings, options: Explain) -> anyhow::Result<()> {
    let engine = store::connect(&settings).await?.reading_only();
    let resolvers = store::resolvers(&engine, &settings)?;
    let variables: serde_json::Value = serde_json::from_str(&options.variables).context("--variables: must be JSON")?;
    let request = Request::new(graphql_http::without_long_escapes(&options.document))
        .variables(Variables::from_json(variables))
        .data(Caller::operator("explain"));
    let loader = resolvers.loader().clone();
    let schema = graphql_api::readable_schema(resolvers, &settings.graphql);
    let types = graphql_http::Types::of(&schema.sdl());
    let (response, asked) = explained(loader.gather(graphql_http::execute(&schema, &types, request))).await;
    for statement in &asked {
        print(&statement.for_browser());
        print("");
    }
    match response.errors.first() {
        Some(error) => bail!("the document: {}", error.message),
        None => Ok(()),
    }
}

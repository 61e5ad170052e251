//! Nodes whose facts are read when a field asks for one. The loader reads all facts of all nodes that are asked for together in one statement.

use std::sync::Arc;

use async_graphql::{Context, Result};
use cypher::Value;
use graph_schema::named::Named;
use resolvers::explore::{NodeKind, Reached};

use super::{asking, refused};

/// A node with facts in the graph.
pub trait Facts: Sync {
    const KIND: NodeKind;

    /// Its id.
    fn key(&self) -> &str;

    /// A fact by the name of its column; null when there is no such node or it does not have it.
    fn fact(&self, context: &Context<'_>, name: &str) -> impl Future<Output = Result<Value>> + Send {
        async move {
            let (resolvers, caller) = asking(context)?;
            let rows = resolvers.facts(caller, Self::KIND, self.key(), Reached::ByLink).await.map_err(refused)?;
            Ok(rows.first().map(|row| row.get(name).clone()).unwrap_or_default())
        }
    }

    /// A fact that is a text.
    fn text(&self, context: &Context<'_>, name: &str) -> impl Future<Output = Result<Option<String>>> + Send {
        async move { Ok(self.fact(context, name).await?.as_text().map(str::to_owned)) }
    }

    /// A fact that is one of an enum's words.
    fn word<T: Named + Send>(&self, context: &Context<'_>, name: &str) -> impl Future<Output = Result<Option<T>>> + Send {
        async move { Ok(self.fact(context, name).await?.as_text().and_then(T::named)) }
    }
}

/// Id and caption of a node, if there is one.
pub async fn named(context: &Context<'_>, kind: NodeKind, id: &str) -> Result<Option<(Arc<str>, Arc<str>)>> {
    let (resolvers, caller) = asking(context)?;
    let rows = resolvers.facts(caller, kind, id, Reached::ByName).await.map_err(refused)?;
    Ok(rows.first().map(|row| (Arc::from(id), Arc::from(row.get("name").as_text().unwrap_or(id)))))
}

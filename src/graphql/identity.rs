//! What identifies actors and accounts, as nodes of their own, so that sharing shows.

use async_graphql::connection::EmptyFields;
use async_graphql::{ID, Result, SimpleObject};
use graph_schema::edge::{IdentityFields, IdentityKind, SharedIdentityFields};
use resolvers::explore::{FoundRow, Node, node, nodes};

use super::account::AccountNode;
use super::actor::ActorNode;
use super::connection::{EdgeFields, GraphNode, object_with_links};
use super::walk::{At, mismatched};

/// A phone, an email, an address, a document, a reference, an IBAN or account number.
#[derive(Clone)]
pub struct IdentityNode {
    kind: IdentityKind,
    at: At,
}

impl GraphNode for IdentityNode {
    fn reached(at: At, row: &FoundRow) -> Result<Self> {
        let kind = row.edge::<IdentityFields>().map_err(mismatched)?.kind;
        Ok(Self { kind, at })
    }

    fn at(&self) -> &At {
        &self.at
    }

    /// The links to identities lead to nodes of several labels.
    fn node(&self) -> &'static Node {
        node(self.kind.label()).unwrap_or(&nodes::PHONE)
    }
}

/// By what two actors are connected.
#[derive(SimpleObject)]
pub struct SharedFields {
    pub identity: IdentityNode,
}

impl EdgeFields for SharedFields {
    type Said = SharedIdentityFields;

    fn of(SharedIdentityFields { kind, id, name }: SharedIdentityFields) -> Self {
        Self { identity: IdentityNode { kind, at: At::captioned(node(kind.label()).unwrap_or(&nodes::PHONE), id, name) } }
    }
}

object_with_links! {
    /// A phone, an email, an address, a document, a reference, an IBAN or account number.
    IdentityNode as "Identity" {
        async fn kind(&self) -> IdentityKind {
            self.kind
        }

        /// Its normalised form.
        async fn id(&self) -> ID {
            ID(self.at.id().to_owned())
        }

        /// As a human reads it.
        async fn name(&self) -> &str {
            self.at.name()
        }
    }
    links {
        /// Actors that have it.
        actors: Actors, ActorNode, EmptyFields;
        /// Accounts that have it.
        accounts: Accounts, AccountNode, EmptyFields;
    }
    payments {}
    transfers {}
}

//! What identifies actors and accounts, as nodes of their own, so that sharing shows.

use async_graphql::connection::EmptyFields;
use async_graphql::{ID, SimpleObject};
use graph_schema::edge::{IdentityFields, IdentityKind, SharedIdentityFields};
use resolvers::explore::{FoundRow, Mismatch, Node, node, nodes};

use super::account::AccountNode;
use super::actor::ActorNode;
use super::at_once::Leaf;
use super::connection::{EdgeFields, GraphNode};
use super::object::object_with_links;
use super::walk::{At, Shown, mismatched};

/// A phone, an email, an address, a document, a reference, an IBAN or account number.
#[derive(Clone)]
pub struct IdentityNode(Shown<IdentityFields>);

impl GraphNode for IdentityNode {
    type Shown = IdentityFields;

    /// Its kind is known by the link that leads to it.
    fn shown(row: &FoundRow) -> Result<Option<IdentityFields>, Mismatch> {
        row.edge().map(Some)
    }

    fn reached(at: At, row: &FoundRow) -> async_graphql::Result<Self> {
        Ok(Self(Shown::known(at, row.edge().map_err(mismatched)?)))
    }

    fn at(&self) -> &At {
        &self.0.at
    }

    /// The links to identities lead to nodes of several labels.
    fn node(&self) -> &'static Node {
        self.0.at_hand().map_or(&nodes::PHONE, |shown| of_kind(shown.kind))
    }
}

fn of_kind(kind: IdentityKind) -> &'static Node {
    node(kind.label()).unwrap_or(&nodes::PHONE)
}

/// By what two actors are connected.
#[derive(SimpleObject)]
pub struct SharedFields {
    /// The identity that both actors have.
    pub identity: IdentityNode,
}

impl EdgeFields for SharedFields {
    type Said = SharedIdentityFields;

    const LEAVES: &'static [Leaf<SharedIdentityFields>] = &[];

    fn of(SharedIdentityFields { kind, id, name }: SharedIdentityFields) -> Self {
        Self { identity: IdentityNode(Shown::known(At::captioned(of_kind(kind), id, name), IdentityFields { kind })) }
    }
}

object_with_links! {
    /// A phone, an email, an address, a document, a reference, an IBAN or account number.
    IdentityNode as "Identity" {
        /// Its normalised form.
        async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// As a human reads it.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// What sort of identifier it is.
        kind: IdentityKind = |it| it.kind;
    }
    links {
        /// Actors that have it.
        actors: Actors, ActorNode, EmptyFields;
        /// Accounts that have it.
        accounts: Accounts, AccountNode, EmptyFields;
    }
}

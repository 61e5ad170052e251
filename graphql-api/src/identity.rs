//! What identifies actors and accounts, as nodes of their own, so that sharing shows.

use std::borrow::Cow;

use async_graphql::connection::EmptyFields;
use async_graphql::resolver_utils::EnumType;
use async_graphql::{ID, Result, SimpleObject};
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
    fn shown(row: &FoundRow) -> std::result::Result<Option<IdentityFields>, Mismatch> {
        row.edge().map(Some)
    }

    fn reached(at: At, row: &FoundRow) -> Result<Self> {
        Ok(Self(Shown::known(at, row.edge().map_err(mismatched)?)))
    }

    fn at(&self) -> &At {
        &self.0.at
    }

    /// Identities of two kinds may have one id.
    fn id_type(row: &FoundRow) -> Option<Cow<'static, str>> {
        row.edge::<IdentityFields>().ok().map(|said| Cow::Borrowed(said.kind.label()))
    }

    /// The links to identities lead to nodes of several labels.
    fn node(&self) -> &'static Node {
        self.0.at_hand().map_or(&nodes::PHONE, |shown| of_kind(shown.kind))
    }
}

impl IdentityNode {
    /// One that was found by its label.
    pub fn new(at: At) -> Result<Self> {
        let label = at.node().label;
        let kind = IdentityKind::items().iter().map(|item| item.value).find(|kind| kind.label() == label);
        let kind = kind.ok_or_else(|| async_graphql::Error::new(format!("{label} is no kind of identities")))?;
        Ok(Self(Shown::known(at, IdentityFields { kind, source: None })))
    }

    /// The kind, by which the `nodeId` is told from that of another kind with the same id.
    fn label(&self) -> &'static str {
        self.node().label
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
        Self { identity: IdentityNode(Shown::known(At::captioned(of_kind(kind), id, name), IdentityFields { kind, source: None })) }
    }
}

object_with_links! {
    /// A phone, an email, an address, a document, a reference, an IBAN or account number.
    IdentityNode as "Identity" {
        /// Its normalised form.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types. It begins with the kind, such as `Phone`.
        pub async fn node_id(&self) -> ID {
            ID(format!("{}:{}", self.label(), self.0.at.id()))
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

//! What identifies actors, as nodes of their own, so that sharing shows.

use std::sync::Arc;

use async_graphql::{ComplexObject, Context, Enum, Result, SimpleObject};
use resolvers::explore::Link;

use super::actor::ActorNode;
use super::connection::{self, Actors, Names, Page};
use super::page::{KeyCursor, PageArguments, cost};

/// Kinds of identities.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdentityKind {
    Phone,
    Email,
    Address,
    GovernmentId,
    Reference,
}

impl IdentityKind {
    /// By the type of the link that leads to it.
    pub fn of_link(link: &str) -> Self {
        match link {
            "HAS_PHONE" => Self::Phone,
            "HAS_EMAIL" => Self::Email,
            "HAS_ADDRESS" => Self::Address,
            "HAS_GOVERNMENT_ID" => Self::GovernmentId,
            _ => Self::Reference,
        }
    }

    fn actors(self) -> Link {
        match self {
            Self::Phone => Link::PhoneActors,
            Self::Email => Link::EmailActors,
            Self::Address => Link::AddressActors,
            Self::GovernmentId => Link::GovernmentIdActors,
            Self::Reference => Link::ReferenceActors,
        }
    }
}

/// A phone, an email, an address, a document or a reference.
#[derive(SimpleObject, Clone)]
#[graphql(complex, name = "Identity")]
pub struct IdentityNode {
    pub kind: IdentityKind,
    #[graphql(skip)]
    pub key: Arc<str>,
    #[graphql(skip)]
    pub caption: Arc<str>,
}

#[ComplexObject]
impl IdentityNode {
    /// Its normalised form.
    async fn id(&self) -> async_graphql::ID {
        async_graphql::ID(self.key.to_string())
    }

    /// As a human reads it.
    async fn name(&self) -> &str {
        &self.caption
    }

    /// Who has it.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn actors(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ActorNode, connection::Nothing, Names<Actors>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, self.kind.actors(), &self.key, arguments, |row| (ActorNode::new(row.id, row.name), connection::Nothing {})).await
    }
}

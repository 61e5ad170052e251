//! What identifies actors and accounts, as nodes of their own, so that sharing shows.

use std::sync::Arc;

use async_graphql::{ComplexObject, Context, Enum, Result, SimpleObject};
use resolvers::explore::{Link, LinkRow};

use super::account::AccountNode;
use super::actor::ActorNode;
use super::connection::{self, Accounts, Actors, Names, Page};
use super::page::{KeyCursor, PageArguments, cost};

/// Kinds of identities.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdentityKind {
    Phone,
    Email,
    Address,
    GovernmentId,
    /// In another system.
    Reference,
    /// An IBAN or an account number.
    AccountIdentifier,
}

impl IdentityKind {
    /// By the type of the link that leads to it.
    pub fn of_link(link: &str) -> Self {
        match link {
            "HAS_PHONE" => Self::Phone,
            "HAS_EMAIL" => Self::Email,
            "HAS_ADDRESS" => Self::Address,
            "HAS_GOVERNMENT_ID" => Self::GovernmentId,
            "IDENTIFIED_BY" => Self::AccountIdentifier,
            _ => Self::Reference,
        }
    }

    /// The link to the actors that may have one.
    fn actors(self) -> Option<Link> {
        match self {
            Self::Phone => Some(Link::PhoneActors),
            Self::Email => Some(Link::EmailActors),
            Self::Address => Some(Link::AddressActors),
            Self::GovernmentId => Some(Link::GovernmentIdActors),
            Self::Reference => Some(Link::ReferenceActors),
            Self::AccountIdentifier => None,
        }
    }

    /// The link to the accounts that may have one.
    fn accounts(self) -> Option<Link> {
        match self {
            Self::Reference => Some(Link::ReferenceAccounts),
            Self::AccountIdentifier => Some(Link::IdentifierAccounts),
            Self::Phone | Self::Email | Self::Address | Self::GovernmentId => None,
        }
    }
}

/// A phone, an email, an address, a document, a reference, an IBAN or account number.
#[derive(SimpleObject, Clone)]
#[graphql(complex, name = "Identity")]
pub struct IdentityNode {
    pub kind: IdentityKind,
    #[graphql(skip)]
    pub key: Arc<str>,
    #[graphql(skip)]
    pub caption: Arc<str>,
}

impl IdentityNode {
    /// The identity at the end of a link that says of which kind it is.
    pub fn of_link(row: LinkRow) -> (Self, connection::Nothing) {
        let kind = IdentityKind::of_link(&row.text(0).unwrap_or_default());
        (Self { kind, key: row.id, caption: row.name }, connection::Nothing {})
    }
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

    /// Actors that have it.
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
        let Some(link) = self.kind.actors() else { return Ok(connection::nothing()) };
        connection::links(context, link, &self.key, arguments, |row| (ActorNode::new(row.id, row.name), connection::Nothing {})).await
    }

    /// Accounts that have it.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn accounts(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, AccountNode, connection::Nothing, Names<Accounts>>> {
        let arguments = PageArguments { first, after, last, before };
        let Some(link) = self.kind.accounts() else { return Ok(connection::nothing()) };
        connection::links(context, link, &self.key, arguments, |row| (AccountNode::new(row.id, row.name), connection::Nothing {})).await
    }
}

//! Actors: people and companies, what they hold, whom they have to do with, what they share.

use std::sync::Arc;

use async_graphql::{Context, Object, Result, SimpleObject};
use graph_schema::actor::{ActorRecord, ActorStatus, ActorType};
use graph_schema::date::{Date, Timestamp};
use resolvers::explore::{Link, LinkRow, NodeKind, TransactionLink};

use super::account::AccountNode;
use super::case::{CaseActorFields, CaseNode};
use super::connection::{self, ActorCases, Associates, Identities, Names, Page, RoleFields, RolesOfActor, Sharing, Transactions};
use super::facts::Facts;
use super::identity::{IdentityKind, IdentityNode};
use super::page::{KeyCursor, PageArguments, SortCursor, cost};
use super::transaction::{TransactionFilterInput, TransactionNode, TransactionOrder, transactions};
use super::{asking, refused};

/// A person or a company; one that was only named so far has `known: false`.
#[derive(Clone)]
pub struct ActorNode {
    pub key: Arc<str>,
    /// Known already where the node came with a list.
    pub caption: Option<Arc<str>>,
}

impl ActorNode {
    pub fn new(id: Arc<str>, name: Arc<str>) -> Self {
        Self { key: id, caption: Some(name) }
    }
}

impl Facts for ActorNode {
    const KIND: NodeKind = NodeKind::Actor;

    fn key(&self) -> &str {
        &self.key
    }
}

/// A person or a company; one that was only named so far has `known: false`.
#[Object(name = "Actor")]
impl ActorNode {
    /// The actor's id, as it was ingested.
    pub async fn id(&self) -> async_graphql::ID {
        async_graphql::ID(self.key.to_string())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> async_graphql::ID {
        async_graphql::ID(format!("Actor:{}", self.key))
    }

    /// What a human knows them by.
    async fn name(&self, context: &Context<'_>) -> Result<String> {
        match &self.caption {
            Some(name) => Ok(name.to_string()),
            None => Ok(self.text(context, "name").await?.unwrap_or_default()),
        }
    }

    /// Whether their record has arrived; others have only named them so far when not.
    async fn known(&self, context: &Context<'_>) -> Result<bool> {
        Ok(self.fact(context, "known").await?.as_bool().unwrap_or_default())
    }

    /// A person or a company.
    #[graphql(name = "type")]
    async fn kind(&self, context: &Context<'_>) -> Result<Option<ActorType>> {
        self.word(context, "kind").await
    }

    async fn status(&self, context: &Context<'_>) -> Result<Option<ActorStatus>> {
        self.word(context, "status").await
    }

    /// ISO 3166-1 alpha-2.
    async fn nationality(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "nationality").await
    }

    /// The country they live or are seated in, ISO 3166-1 alpha-2.
    async fn domicile(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "domicile").await
    }

    /// `YYYY-MM-DD`.
    async fn date_of_birth(&self, context: &Context<'_>) -> Result<Option<String>> {
        self.text(context, "dateOfBirth").await
    }

    /// The record as it was given: the present one, or as it was known to be on a date.
    async fn record(&self, context: &Context<'_>, as_of: Option<Date>) -> Result<Option<ActorRecord>> {
        let (resolvers, caller) = asking(context)?;
        let record = match as_of {
            Some(date) => resolvers.record_as_of(caller, NodeKind::Actor, &self.key, date).await,
            None => resolvers.record_of(caller, NodeKind::Actor, &self.key).await,
        };
        Ok(record.map_err(refused)?.map(|text| serde_json::from_str(&text)).transpose()?)
    }

    /// All versions, the latest date first.
    async fn history(&self, context: &Context<'_>) -> Result<Vec<ActorVersion>> {
        let (resolvers, caller) = asking(context)?;
        let versions = resolvers.versions(caller, NodeKind::Actor, &self.key).await.map_err(refused)?;
        let version = |(as_of_date, recorded_at, record): (String, i64, String)| {
            Ok(ActorVersion { as_of_date, recorded_at: Timestamp(recorded_at), record: serde_json::from_str(&record)? })
        };
        versions.into_iter().map(version).collect()
    }

    /// Accounts on which they have a role.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn accounts(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, AccountNode, RoleFields, Names<RolesOfActor>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::ActorAccounts, &self.key, arguments, |row| {
            let fields = RoleFields::of(&row);
            (AccountNode::new(row.id, row.name), fields)
        })
        .await
    }

    /// Who is associated with them: their investors, guarantors, representatives, relatives.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn associates(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ActorNode, AssociateFields, Names<Associates>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::ActorAssociates, &self.key, arguments, associate).await
    }

    /// With whom they are associated: in whom they invest, for whom they guarantee.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn associate_of(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ActorNode, AssociateFields, Names<Associates>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::ActorAssociateOf, &self.key, arguments, associate).await
    }

    /// What identifies them: phones, emails, addresses, documents, references.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn identities(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, IdentityNode, connection::Nothing, Names<Identities>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::ActorIdentities, &self.key, arguments, IdentityNode::of_link).await
    }

    /// Other actors that share a phone, an email, an address, a document or a reference with them.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn shares_identity_with(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ActorNode, SharedFields, Names<Sharing>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::ActorSharing, &self.key, arguments, |row| {
            let shared = IdentityNode {
                kind: IdentityKind::of_link(&row.text(0).unwrap_or_default()),
                key: row.text(1).unwrap_or_default().into(),
                caption: row.text(2).unwrap_or_default().into(),
            };
            (ActorNode::new(row.id, row.name), SharedFields { identity: shared })
        })
        .await
    }

    /// Cases that are about them or concern them.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn cases(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, CaseNode, CaseActorFields, Names<ActorCases>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::ActorCases, &self.key, arguments, |row| {
            let fields = CaseActorFields::of(&row);
            (CaseNode::new(row.id, row.name), fields)
        })
        .await
    }

    /// Payments that name them as the counterparty, by whoever reported them.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(clippy::too_many_arguments)]
    async fn involved_in(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<TransactionFilterInput>,
        order_by: Option<TransactionOrder>,
    ) -> Result<Page<SortCursor, TransactionNode, connection::Nothing, Names<Transactions>>> {
        let arguments = PageArguments { first, after, last, before };
        transactions(context, TransactionLink::InvolvedActor, &self.key, arguments, filter, order_by).await
    }

    /// Payments that are theirs.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(clippy::too_many_arguments)]
    async fn transactions(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<TransactionFilterInput>,
        order_by: Option<TransactionOrder>,
    ) -> Result<Page<SortCursor, TransactionNode, connection::Nothing, Names<Transactions>>> {
        let arguments = PageArguments { first, after, last, before };
        transactions(context, TransactionLink::Actor, &self.key, arguments, filter, order_by).await
    }
}

fn associate(row: LinkRow) -> (ActorNode, AssociateFields) {
    let ratio = row.more.get(1).and_then(cypher::Value::as_float);
    let fields = AssociateFields { kind: row.text(0), ratio, as_of_date: row.text(2) };
    (ActorNode::new(row.id, row.name), fields)
}

/// In what part somebody is associated with somebody.
#[derive(SimpleObject)]
pub struct AssociateFields {
    /// Such as `INVESTOR` or `GUARANTOR`.
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// The share owned, 0 to 1.
    pub ratio: Option<f64>,
    pub as_of_date: Option<String>,
}

/// By what two actors are connected.
#[derive(SimpleObject)]
pub struct SharedFields {
    pub identity: IdentityNode,
}

/// What was known of an actor as of a date.
#[derive(SimpleObject)]
pub struct ActorVersion {
    pub as_of_date: String,
    pub recorded_at: Timestamp,
    pub record: ActorRecord,
}

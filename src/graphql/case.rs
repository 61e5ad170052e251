//! Cases: where they stand, whom they are about, what was said of them. What people do with them is in [`work`].

pub mod work;

use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use graph_schema::case::{CaseActorType, CaseObservationRecord, CaseRecord, CaseTagRecord, CaseType, CaseWorkflowRecord};
use graph_schema::custom_property::CustomProperties;
use graph_schema::date::Timestamp;
use graph_schema::id::CaseId;
use graph_schema::json_text::JsonText;
use graph_schema::opaque::Opaque;
use resolvers::explore::{Link, LinkRow, NodeKind};

use super::actor::ActorNode;
use super::connection::{self, CaseActors, CaseComments, Names, Page};
use super::facts::Facts;
use super::page::{KeyCursor, PageArguments, cost};
use super::{asking, refused};

/// A case that is looked into, or to be reported.
#[derive(Clone)]
pub struct CaseNode {
    pub key: Arc<str>,
    pub caption: Arc<str>,
}

/// Somebody who works on cases.
#[derive(SimpleObject)]
#[graphql(name = "User")]
pub struct UserNode {
    pub id: ID,
    pub name: String,
}

/// What somebody said of a case.
#[derive(SimpleObject)]
#[graphql(name = "CaseComment")]
pub struct CommentNode {
    pub id: ID,
    pub text: String,
    /// Who said it.
    pub user_id: ID,
    pub created_at: Timestamp,
}

/// What an actor is to a case.
#[derive(SimpleObject)]
pub struct CaseActorFields {
    #[graphql(name = "type")]
    pub kind: CaseActorType,
    pub decision: Option<String>,
    /// What the case says of the actor: an object of `c__…`.
    pub custom_properties: CustomProperties,
}

impl CaseActorFields {
    pub fn of(row: &LinkRow) -> Self {
        let kind = if row.text(0).as_deref() == Some("FOCUSES_ON") { CaseActorType::Focal } else { CaseActorType::Connection };
        let custom_properties = row.text(2).map(|text| CustomProperties::of_text(&text)).unwrap_or_default();
        Self { kind, decision: row.text(1), custom_properties }
    }
}

impl CaseNode {
    pub fn new(id: Arc<str>, name: Arc<str>) -> Self {
        Self { key: id, caption: name }
    }

    /// What Get Case shows. The loader reads it once for all fields that ask.
    async fn record(&self, context: &Context<'_>) -> Result<CaseRecord> {
        let (resolvers, caller) = asking(context)?;
        resolvers.case_reached(caller, &CaseId::new(&*self.key)).await.map_err(refused)
    }
}

impl Facts for CaseNode {
    const KIND: NodeKind = NodeKind::Case;

    fn key(&self) -> &str {
        &self.key
    }
}

/// A case that is looked into, or to be reported.
#[Object(name = "Case")]
impl CaseNode {
    /// The case's id.
    pub async fn id(&self) -> ID {
        ID(self.key.to_string())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> ID {
        ID(format!("Case:{}", self.key))
    }

    async fn name(&self) -> &str {
        &self.caption
    }

    /// How often it has changed: what a mutation takes as `expectedVersion`.
    async fn version(&self, context: &Context<'_>) -> Result<i64> {
        Ok(self.fact(context, "version").await?.as_int().unwrap_or_default())
    }

    /// Who works on it.
    async fn assignee(&self, context: &Context<'_>) -> Result<Option<UserNode>> {
        let (id, name) = (self.text(context, "assignee").await?, self.text(context, "assigneeName").await?);
        Ok(id.map(|id| UserNode { name: name.unwrap_or_else(|| id.clone()), id: ID(id) }))
    }

    /// What `actOnCase` can do with it where it stands.
    async fn actions(&self, context: &Context<'_>) -> Result<Vec<String>> {
        let mut actions: Vec<String> =
            self.fact(context, "actions").await?.as_list().iter().filter_map(|action| action.as_text().map(str::to_owned)).collect();
        actions.dedup();
        Ok(actions)
    }

    #[graphql(name = "type")]
    async fn kind(&self, context: &Context<'_>) -> Result<CaseType> {
        Ok(self.record(context).await?.fields.kind)
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.record(context).await?.fields.created_at)
    }

    async fn updated_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.record(context).await?.fields.updated_at)
    }

    /// Where it stands.
    async fn workflow(&self, context: &Context<'_>) -> Result<CaseWorkflowRecord> {
        Ok(self.record(context).await?.fields.workflow)
    }

    /// What it was raised from.
    async fn observations(&self, context: &Context<'_>) -> Result<Vec<CaseObservationRecord>> {
        Ok(self.record(context).await?.fields.observations)
    }

    async fn tags(&self, context: &Context<'_>) -> Result<Vec<CaseTagRecord>> {
        Ok(self.record(context).await?.fields.tags)
    }

    async fn metadata(&self, context: &Context<'_>) -> Result<Option<Opaque>> {
        Ok(self.record(context).await?.fields.metadata)
    }

    /// What came out: any JSON value.
    async fn resolution(&self, context: &Context<'_>) -> Result<Option<JsonText>> {
        Ok(self.record(context).await?.fields.resolution)
    }

    /// By what way it came.
    async fn source(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.record(context).await?.fields.source)
    }

    async fn jurisdiction(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.record(context).await?.fields.jurisdiction)
    }

    /// What was written when it was closed.
    async fn narrative(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.record(context).await?.fields.narrative)
    }

    /// An object of `c__…`.
    async fn custom_properties(&self, context: &Context<'_>) -> Result<CustomProperties> {
        Ok(self.record(context).await?.custom_properties)
    }

    /// Whom it is about.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn actors(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, ActorNode, CaseActorFields, Names<CaseActors>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::CaseActors, &self.key, arguments, |row| {
            let fields = CaseActorFields::of(&row);
            (ActorNode::new(row.id, row.name), fields)
        })
        .await
    }

    /// What was said of it, the oldest first.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    async fn comments(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<Page<KeyCursor, CommentNode, connection::Nothing, Names<CaseComments>>> {
        let arguments = PageArguments { first, after, last, before };
        connection::links(context, Link::CaseComments, &self.key, arguments, |row| (comment(&row), connection::Nothing {})).await
    }
}

fn comment(row: &LinkRow) -> CommentNode {
    CommentNode {
        id: ID(row.id.to_string()),
        text: row.text(0).unwrap_or_default(),
        user_id: ID(row.text(1).unwrap_or_default()),
        created_at: Timestamp(row.int(2)),
    }
}

//! Segmentation: categories, groups, the actors in them and their owners.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::edge::MemberFields;
use graph_schema::segmentation::SegmentationType;
use resolvers::explore::{CategorySummary, GroupSummary};

use super::actor::ActorNode;
use super::connection::{graph_node, object_with_links, one};
use super::walk::Shown;

/// A category of segmentation: a way to tell actors apart.
#[derive(Clone)]
pub struct CategoryNode(Shown<CategorySummary>);

graph_node!(CategoryNode shows CategorySummary);

object_with_links! {
    /// A category of segmentation: a way to tell actors apart.
    CategoryNode as "SegmentationCategory" {
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("SegmentationCategory:{}", self.0.at.id()))
        }

        /// No other category has it.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        async fn description(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.description.clone())
        }

        /// By whom it is decided who is in its groups.
        #[graphql(name = "type")]
        async fn kind(&self, context: &Context<'_>) -> Result<SegmentationType> {
            Ok(self.0.summary(context).await?.kind)
        }

        async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
            Ok(self.0.summary(context).await?.created_at)
        }

        async fn changed_at(&self, context: &Context<'_>) -> Result<Timestamp> {
            Ok(self.0.summary(context).await?.changed_at)
        }

        async fn created_by(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.created_by.clone())
        }

        async fn changed_by(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.changed_by.clone())
        }
    }
    links {
        /// Its groups, newest first.
        groups: SegmentationGroups, GroupNode, EmptyFields;
        /// Who is in one of its groups; who came to one of them last is first.
        actors: Actors, ActorNode, EmptyFields;
    }
    payments {}
    transfers {}
}

/// A group of a category of segmentation.
#[derive(Clone)]
pub struct GroupNode(Shown<GroupSummary>);

graph_node!(GroupNode shows GroupSummary);

object_with_links! {
    /// A group of a category of segmentation.
    GroupNode as "SegmentationGroup" {
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("SegmentationGroup:{}", self.0.at.id()))
        }

        /// No other group of its category has it.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        async fn description(&self, context: &Context<'_>) -> Result<Option<String>> {
            Ok(self.0.summary(context).await?.description.clone())
        }

        async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
            Ok(self.0.summary(context).await?.created_at)
        }

        async fn changed_at(&self, context: &Context<'_>) -> Result<Timestamp> {
            Ok(self.0.summary(context).await?.changed_at)
        }

        async fn created_by(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.created_by.clone())
        }

        async fn changed_by(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.changed_by.clone())
        }

        /// The category it belongs to.
        async fn category(&self, context: &Context<'_>) -> Result<Option<CategoryNode>> {
            one(context, self).await
        }
    }
    links {
        /// Who is in it; who came last is first.
        actors: SegmentationMembers, ActorNode, MemberFields;
        /// Whose it is; who came last is first.
        owners: SegmentationMembers, ActorNode, MemberFields;
    }
    payments {}
    transfers {}
}

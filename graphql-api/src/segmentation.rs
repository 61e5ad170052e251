//! Segmentation: categories, groups, the actors in them and their owners.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result, SelectionField};
use graph_schema::date::Timestamp;
use graph_schema::segmentation::SegmentationType;
use resolvers::explore::{CategorySummary, GroupSummary, lists, nodes};

use super::actor::ActorNode;
use super::connection::{NodeConnection, NodeEdge, SegmentationCategories, SegmentationGroups, SegmentationMembers, edge_of_list};
use super::object::{graph_node, object_with_links};
use super::user::MemberEdge;
use super::walk::{At, Shown, selected};
use crate::boxed;

/// A page of the members of a group.
pub type MemberConnection = NodeConnection<ActorNode, MemberEdge, SegmentationMembers>;
/// An edge of a member or an owner of a group.
pub type MembershipEdge = NodeEdge<ActorNode, MemberEdge, SegmentationMembers>;
/// An edge of the list of groups.
pub type GroupEdge = NodeEdge<GroupNode, EmptyFields, SegmentationGroups>;
/// An edge of the list of categories.
pub type CategoryEdge = NodeEdge<CategoryNode, EmptyFields, SegmentationCategories>;

/// The edge of a group, for a payload; `fields` are those of the document that show it.
#[boxed]
pub async fn group_edge(context: &Context<'_>, fields: &[SelectionField<'_>], id: &str) -> Result<Option<GroupEdge>> {
    let below = fields.iter().flat_map(|field| selected(*field, "node"));
    let Some(at) = At::find_for(context, below, &nodes::SEGMENTATION_GROUP, id).await? else { return Ok(None) };
    let group = GroupNode::new(at)?;
    let made_at = group.0.summary(context).await?.created_at;
    Ok(Some(edge_of_list(&lists::SEGMENTATION_GROUPS, group, made_at)))
}

/// The same of a category.
#[boxed]
pub async fn category_edge(context: &Context<'_>, fields: &[SelectionField<'_>], id: &str) -> Result<Option<CategoryEdge>> {
    let below = fields.iter().flat_map(|field| selected(*field, "node"));
    let Some(at) = At::find_for(context, below, &nodes::SEGMENTATION_CATEGORY, id).await? else { return Ok(None) };
    let category = CategoryNode::new(at)?;
    let made_at = category.0.summary(context).await?.created_at;
    Ok(Some(edge_of_list(&lists::SEGMENTATION_CATEGORIES, category, made_at)))
}

/// A category of segmentation: a way to tell actors apart.
#[derive(Clone)]
pub struct CategoryNode(Shown<CategorySummary>);

graph_node!(CategoryNode shows CategorySummary);

object_with_links! {
    /// A category of segmentation: a way to tell actors apart.
    CategoryNode as "SegmentationCategory" {
        /// The service's own id of the category.
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
    }
    shown {
        /// What the category is for, in the words of its creator; null when none were given.
        description: Option<String> = |it| it.description.clone(), counted;
        /// By whom it is decided who is in its groups.
        kind as "type": SegmentationType = |it| it.kind;
        /// The time at which the category was created.
        created_at: Timestamp = |it| it.created_at;
        /// The time at which its name or description changed last; that of its creation before.
        updated_at: Timestamp = |it| it.changed_at;
        /// The time at which its name or description changed last; that of its creation before.
        changed_at: Timestamp = |it| it.changed_at => deprecated "Use `updatedAt`.";
        /// The name that the user, key or client had that created the category.
        created_by: String = |it| it.created_by.clone();
        /// The name that the user, key or client had that changed the category last.
        updated_by: String = |it| it.changed_by.clone();
        /// The name of the user, key or client that changed the category last.
        changed_by: String = |it| it.changed_by.clone() => deprecated "Use `updatedBy`.";
    }
    principals {
        /// The user, key or client that created the category; null where the service did, and for what was created before that was kept.
        created_by_principal = |it| it.created_by_id.as_deref();
        /// The user, key or client that changed the category last; null where the service did, and for what was changed before that was kept.
        updated_by_principal = |it| it.changed_by_id.as_deref();
    }
    links {
        /// Its groups, newest first.
        groups: SegmentationGroups, GroupNode, EmptyFields;
        /// Who is in one of its groups; who came to one of them last is first.
        actors: Actors, ActorNode, EmptyFields;
    }
}

/// A group of a category of segmentation.
#[derive(Clone)]
pub struct GroupNode(Shown<GroupSummary>);

graph_node!(GroupNode shows GroupSummary);

object_with_links! {
    /// A group of a category of segmentation.
    GroupNode as "SegmentationGroup" {
        /// The service's own id of the group.
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
    }
    shown {
        /// What the group is for, in the words of its creator; null when none were given.
        description: Option<String> = |it| it.description.clone(), counted;
        /// The time at which the group was created.
        created_at: Timestamp = |it| it.created_at;
        /// The time at which its name or description changed last; that of its creation before.
        updated_at: Timestamp = |it| it.changed_at;
        /// The time at which its name or description changed last; that of its creation before.
        changed_at: Timestamp = |it| it.changed_at => deprecated "Use `updatedAt`.";
        /// The name that the user, key or client had that created the group.
        created_by: String = |it| it.created_by.clone();
        /// The name that the user, key or client had that changed the group last.
        updated_by: String = |it| it.changed_by.clone();
        /// The name of the user, key or client that changed the group last.
        changed_by: String = |it| it.changed_by.clone() => deprecated "Use `updatedBy`.";
    }
    principals {
        /// The user, key or client that created the group; null where the service did, and for what was created before that was kept.
        created_by_principal = |it| it.created_by_id.as_deref();
        /// The user, key or client that changed the group last; null where the service did, and for what was changed before that was kept.
        updated_by_principal = |it| it.changed_by_id.as_deref();
    }
    leads_to {
        /// The category it belongs to.
        category: CategoryNode;
    }
    with_past {
        /// Whose it is; who came last is first.
        owners: SegmentationMembers, ActorNode, MemberEdge;
    }
    members {
        /// Who is in it; who came last is first.
        actors;
    }
}

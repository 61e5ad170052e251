//! Reading categories and groups, and lists of them and of those who are in them.

use std::sync::{Arc, LazyLock};

use cypher::Error as DatabaseError;
use cypher::graph::nodes::{self, CategorySummary, GroupSummary};
use cypher::graph::{Found, FoundRow, Mismatch, Node, Visit, Walk, lists};
use graph_schema::date::Timestamp;
use graph_schema::id::{ActorId, SegmentationCategoryId, SegmentationGroupId};
use graph_schema::segmentation::{SegmentationCategoryRecord, SegmentationGroupRecord};

use super::no_group;
use crate::explore::{ListFilter, OwnerFilter, Span, SpanBehind};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, Inner, ObjectKind, OffsetPage, Resolvers, Result, boxed};

/// What is shown of a category, and of a group.
static CATEGORY: LazyLock<Arc<Walk>> = LazyLock::new(|| Arc::new(Walk::of(Arc::new(shown(&nodes::SEGMENTATION_CATEGORY)))));
static GROUP: LazyLock<Arc<Walk>> = LazyLock::new(|| Arc::new(Walk::of(Arc::new(shown(&nodes::SEGMENTATION_GROUP)))));

fn shown(node: &'static Node) -> Visit {
    Visit { summary: true, ..Visit::of(node) }
}

impl Resolvers {
    /// Get Segmentation Category.
    #[boxed]
    pub async fn segmentation_category(&self, caller: &Caller, id: &SegmentationCategoryId) -> Result<SegmentationCategoryRecord> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("SegmentationCategory", id.as_str()))?;
        let found = self.inner.lookups.walk(&permit, &CATEGORY, id.as_str()).await?;
        let found = found.ok_or_else(|| no_category(id))?;
        Ok(category(&found).map_err(mismatched)?)
    }

    /// Get Segmentation Categories: the newest first.
    #[boxed]
    pub async fn segmentation_categories(&self, caller: &Caller, page: OffsetPage) -> Result<Vec<SegmentationCategoryRecord>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("SegmentationCategory"))?;
        let list = &lists::SEGMENTATION_CATEGORIES;
        let span = Span { list, filter: ListFilter::All, sort: Vec::new(), page, then: shown(&nodes::SEGMENTATION_CATEGORY) };
        let rows = self.inner.span(&permit, span).await?;
        Ok(rows.iter().map(|row| category(&row.node)).collect::<std::result::Result<_, _>>().map_err(mismatched)?)
    }

    /// Get a single Group.
    #[boxed]
    pub async fn segmentation_group(&self, caller: &Caller, id: &SegmentationGroupId) -> Result<SegmentationGroupRecord> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("SegmentationGroup", id.as_str()))?;
        self.inner.segmentation_group(&permit, id).await
    }

    /// Get all Groups under a Category: the newest first.
    #[boxed]
    pub async fn segmentation_groups(&self, caller: &Caller, id: &SegmentationCategoryId, page: OffsetPage) -> Result<Vec<SegmentationGroupRecord>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("SegmentationCategory", id.as_str()))?;
        let then = shown(&nodes::SEGMENTATION_GROUP);
        let span = SpanBehind { node: &nodes::SEGMENTATION_CATEGORY, id: id.as_str(), field: "groups", filter: ListFilter::All, page, then };
        let rows = self.inner.span_behind(&permit, span).await?.ok_or_else(|| no_category(id))?;
        Ok(rows.iter().map(|row| group(&row.node)).collect::<std::result::Result<_, _>>().map_err(mismatched)?)
    }

    /// Get all Actors of a Category: who came to one of its groups last is first.
    #[boxed]
    pub async fn segmentation_category_actors(&self, caller: &Caller, id: &SegmentationCategoryId, page: OffsetPage) -> Result<Vec<String>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("SegmentationCategory", id.as_str()))?;
        let rows = self.inner.span_behind(&permit, members(&nodes::SEGMENTATION_CATEGORY, id.as_str(), "actors", page)).await?;
        rows.map(ids).ok_or_else(|| no_category(id))
    }

    /// Get all Actors for a Group: who came last is first.
    #[boxed]
    pub async fn segmentation_group_actors(&self, caller: &Caller, id: &SegmentationGroupId, page: OffsetPage) -> Result<Vec<String>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("SegmentationGroup", id.as_str()))?;
        let rows = self.inner.span_behind(&permit, members(&nodes::SEGMENTATION_GROUP, id.as_str(), "actors", page)).await?;
        rows.map(ids).ok_or_else(|| no_group(id))
    }

    /// The owners of a group: who came last is first.
    #[boxed]
    pub async fn segmentation_owners(&self, caller: &Caller, id: &SegmentationGroupId, page: OffsetPage) -> Result<Vec<String>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("SegmentationGroup", id.as_str()))?;
        let rows = self.inner.span_behind(&permit, members(&nodes::SEGMENTATION_GROUP, id.as_str(), "owners", page)).await?;
        rows.map(ids).ok_or_else(|| no_group(id))
    }

    /// Get the owners for a Group: the same, where this actor is one of them.
    #[boxed]
    pub async fn segmentation_owners_with(
        &self,
        caller: &Caller,
        id: &SegmentationGroupId,
        actor: &ActorId,
        page: OffsetPage,
    ) -> Result<Vec<String>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("SegmentationGroup", id.as_str()))?;
        let one = OffsetPage { limit: 1, offset: 0 };
        let this = members(&nodes::SEGMENTATION_GROUP, id.as_str(), "owners", one);
        let this = SpanBehind { filter: ListFilter::Owners(OwnerFilter { actor: Some(actor.clone()), known_at: None }), ..this };
        let found = self.inner.span_behind(&permit, this).await?.ok_or_else(|| no_group(id))?;
        if found.is_empty() {
            return Err(Error::not_found(ObjectKind::SegmentationOwner, actor.as_str()));
        }
        let rows = self.inner.span_behind(&permit, members(&nodes::SEGMENTATION_GROUP, id.as_str(), "owners", page)).await?;
        rows.map(ids).ok_or_else(|| no_group(id))
    }

    /// Get Groups of an Actor: the one it came to last is first. An actor that has not arrived is in none.
    #[boxed]
    pub async fn segmentation_groups_of_actor(&self, caller: &Caller, id: &ActorId, page: OffsetPage) -> Result<Vec<String>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("Actor", id.as_str()))?;
        let then = Visit::of(&nodes::SEGMENTATION_GROUP);
        let span = SpanBehind { node: &nodes::ACTOR, id: id.as_str(), field: "segmentationGroups", filter: ListFilter::All, page, then };
        let rows = self.inner.span_behind(&permit, span).await?;
        Ok(rows.map(ids).unwrap_or_default())
    }
}

impl Inner {
    pub(super) async fn segmentation_group(&self, permit: &Permit<'_>, id: &SegmentationGroupId) -> Result<SegmentationGroupRecord> {
        let found = self.lookups.walk(permit, &GROUP, id.as_str()).await?.ok_or_else(|| no_group(id))?;
        Ok(group(&found).map_err(mismatched)?)
    }
}

/// A page of the actors that a link leads to, of whom nothing but their ids is wanted.
fn members<'a>(node: &'static Node, id: &'a str, field: &'static str, page: OffsetPage) -> SpanBehind<'a> {
    SpanBehind { node, id, field, filter: ListFilter::All, page, then: Visit::of(&nodes::ACTOR) }
}

fn ids(rows: Vec<FoundRow>) -> Vec<String> {
    rows.iter().map(|row| row.node.id.to_string()).collect()
}

fn category(found: &Found) -> std::result::Result<SegmentationCategoryRecord, Mismatch> {
    let CategorySummary { description, kind, created_at, changed_at, created_by, changed_by, .. } = found.summary()?;
    Ok(SegmentationCategoryRecord {
        id: SegmentationCategoryId::new(&*found.id),
        name: found.name.to_string(),
        description,
        created_at: seconds(created_at),
        changed_at: seconds(changed_at),
        created_by,
        changed_by,
        kind,
    })
}

fn group(found: &Found) -> std::result::Result<SegmentationGroupRecord, Mismatch> {
    let GroupSummary { description, category_id, created_at, changed_at, created_by, changed_by, .. } = found.summary()?;
    Ok(SegmentationGroupRecord {
        id: SegmentationGroupId::new(&*found.id),
        category_id,
        name: found.name.to_string(),
        description,
        created_at: seconds(created_at),
        changed_at: seconds(changed_at),
        created_by,
        changed_by,
    })
}

fn seconds(at: Timestamp) -> i64 {
    at.millis().div_euclid(1000)
}

fn mismatched(mismatch: Mismatch) -> DatabaseError {
    DatabaseError::rejected("segmentation", mismatch)
}

fn no_category(id: &SegmentationCategoryId) -> Error {
    Error::not_found(ObjectKind::SegmentationCategory, id.as_str())
}

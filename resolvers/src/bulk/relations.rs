//! What items name, and which of that is not there.

use std::collections::{BTreeSet, HashSet};

use cypher::{Params, Value, statements};
use graph_schema::bulk::{MissingRelation, RelationKind};

use crate::policy::Permit;
use crate::{Inner, Result};

impl Inner {
    /// Which of these are not there, or only as placeholders.
    pub(super) async fn missing(&self, permit: &Permit<'_>, named: &BTreeSet<MissingRelation>) -> Result<HashSet<MissingRelation>> {
        if named.is_empty() {
            return Ok(HashSet::new());
        }
        let of = |kind: RelationKind| -> Value {
            Value::List(named.iter().filter(|relation| relation.kind == kind).map(|relation| relation.id.as_str().into()).collect())
        };
        let params = Params::none()
            .with("actors", of(RelationKind::Actor))
            .with("locations", of(RelationKind::ChannelLocation))
            .with("communications", of(RelationKind::Communication))
            .with("groups", of(RelationKind::SegmentationGroup))
            .with("observations", of(RelationKind::Observation))
            .with("transactions", of(RelationKind::Transaction))
            .with("workflows", of(RelationKind::Workflow));
        let rows = self.read(permit, statements::bulk::PRESENT, params).await?;
        let present: HashSet<(String, String)> = rows.into_iter().map(|row| (row.kind, row.id)).collect();
        let is_there = |relation: &MissingRelation| present.contains(&(relation.kind.label().to_owned(), relation.id.clone()));
        Ok(named.iter().filter(|relation| !is_there(relation)).cloned().collect())
    }
}

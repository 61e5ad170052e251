//! What items name, and which of that is not there.

use std::collections::{BTreeSet, HashSet};

use cypher::{Params, Value, statements};
use graph_schema::bulk::{MissingRelation, RelationKind};

use crate::policy::Permit;
use crate::{Inner, Result};

/// So many are looked up by one statement.
const AT_ONCE: usize = 5_000;

impl Inner {
    /// Which of these are not there, or only as placeholders.
    pub(super) async fn missing(&self, permit: &Permit<'_>, named: &BTreeSet<MissingRelation>) -> Result<HashSet<MissingRelation>> {
        let named: Vec<&MissingRelation> = named.iter().collect();
        let mut missing = HashSet::new();
        for some in named.chunks(AT_ONCE) {
            missing.extend(self.missing_of_some(permit, some).await?);
        }
        Ok(missing)
    }

    async fn missing_of_some(&self, permit: &Permit<'_>, named: &[&MissingRelation]) -> Result<Vec<MissingRelation>> {
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
        Ok(named.iter().copied().filter(|relation| !is_there(relation)).cloned().collect())
    }
}

//! That one actor is in one group, as an item of a list says it, of a bulk request or an import.

use cypher::statements::rows::FoundMember;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::BulkActorSegmentationGroup;
use graph_schema::fault::Fault;
use graph_schema::id::{ActorId, SegmentationGroupId};

use super::By;
use super::members::{GROUP, membership_id, row};
use crate::policy::Permit;
use crate::queue::{Amend, Amended, Decision, LockHint, Rank, Write};
use crate::values::json_text;
use crate::{Error, Inner, Result};

impl Inner {
    /// An item of a list. Refused where the actor or the group has not arrived: who can wait for them does so before he writes it.
    pub(crate) fn segmentation_member_write(&self, permit: &Permit<'_>, given: &BulkActorSegmentationGroup) -> Write<Joining> {
        let BulkActorSegmentationGroup { actor_id, group_id } = given;
        let entry = self.entry(permit, "Actor", actor_id.as_str(), "actor.segmentation_group.joined").with_new_value(json_text(group_id.as_str()));
        let row = Joining {
            id: membership_id(actor_id, group_id),
            actor: actor_id.clone(),
            group: group_id.clone(),
            at: entry.at().millis(),
            by: By::of(permit.caller()),
        };
        Write::new(row, entry).locking([LockHint::of(GROUP, group_id.as_str())])
    }
}

/// One actor that comes to one group.
pub(crate) struct Joining {
    /// Of both.
    id: String,
    actor: ActorId,
    group: SegmentationGroupId,
    at: i64,
    by: By,
}

/// Brings one actor to one group, where both are there.
pub(crate) struct JoinGroup;

impl Amend for JoinGroup {
    type Row = Joining;
    type Locked = FoundMember;
    type Stored = FoundMember;
    type Answer = ();

    const LOCK: Reading<FoundMember> = statements::segmentation::FIND_MEMBER;
    const WRITE: WriteStatement = statements::segmentation::ADD_MEMBERS;
    const RANK: Rank = Rank::Relation;

    fn id(joining: &Joining) -> &str {
        &joining.id
    }

    fn lock_row(joining: &Joining, write_id: &str) -> Value {
        map([
            ("id", joining.id.as_str().into()),
            ("actor", joining.actor.as_str().into()),
            ("group", joining.group.as_str().into()),
            ("writeId", write_id.into()),
        ])
    }

    fn decide(joining: &Joining, found: Option<FoundMember>, decision: Decision<'_>) -> Result<Amended<()>> {
        let (actor, group, removed) = found.map_or((None, None, None), |found| (found.actor, found.group, found.removed_time));
        let absent = [
            actor.is_none().then(|| Fault::new("actor_id", "must match an actor that was ingested")),
            group.is_none().then(|| Fault::new("group_id", "must match a segmentation group that was made")),
        ];
        let faults: Vec<Fault> = absent.into_iter().flatten().collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        // Who was taken out after this was sent stays out.
        if decision.entry.acknowledged().in_place_of(removed, None).is_none() {
            return Ok(Amended::superseded(()));
        }
        Ok(Amended::by((), row(&joining.group, std::slice::from_ref(&joining.actor), joining.at, &joining.by)))
    }
}

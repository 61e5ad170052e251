//! That one actor is in one group, as an item of a list says it, of a bulk request or an import.

use cypher::statements::rows::FoundMember;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::BulkActorSegmentationGroup;
use graph_schema::fault::Fault;
use graph_schema::id::{ActorId, SegmentationGroupId};

use super::members::{GROUP, row};
use crate::derived_id::digest_id;
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
            id: digest_id("member", &[actor_id.as_str(), group_id.as_str()]),
            actor: actor_id.clone(),
            group: group_id.clone(),
            at: entry.at().millis(),
            by: permit.caller().name.clone(),
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
    by: String,
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

    fn lock_row(joining: &Joining, _: &str) -> Value {
        map([("id", joining.id.as_str().into()), ("actor", joining.actor.as_str().into()), ("group", joining.group.as_str().into())])
    }

    fn decide(joining: &Joining, found: Option<FoundMember>, _: Decision<'_>) -> Result<Amended<()>> {
        let (actor, group) = found.map_or((None, None), |found| (found.actor, found.group));
        let absent = [
            actor.is_none().then(|| Fault::new("actor_id", "must match an actor that was ingested")),
            group.is_none().then(|| Fault::new("group_id", "must match a segmentation group that was made")),
        ];
        let faults: Vec<Fault> = absent.into_iter().flatten().collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        Ok(Amended::by((), row(&joining.group, std::slice::from_ref(&joining.actor), joining.at, &joining.by)))
    }
}

//! That one actor is in one group, as an item of a bulk list says it.

use cypher::statements::rows::FoundMember;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::BulkActorSegmentationGroup;
use graph_schema::id::{ActorId, SegmentationGroupId};

use super::members::{GROUP, row};
use super::no_group;
use crate::derived_id::digest_id;
use crate::policy::Permit;
use crate::queue::{Amend, Amended, Decision, LockHint, Rank, Write};
use crate::values::json_text;
use crate::{Error, Inner, ObjectKind, Result};

impl Inner {
    /// An item of a bulk list. Refused as not found where the actor or the group has not arrived: then it waits.
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
        match found {
            Some(FoundMember { group: None, .. }) | None => Err(no_group(&joining.group)),
            Some(FoundMember { actor: None, .. }) => Err(Error::not_found(ObjectKind::Actor, joining.actor.as_str())),
            Some(_) => Ok(Amended::by((), row(&joining.group, std::slice::from_ref(&joining.actor), joining.at, &joining.by))),
        }
    }
}

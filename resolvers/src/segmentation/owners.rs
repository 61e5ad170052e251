//! Whose a group is: the actors that own it.

use std::marker::PhantomData;

use cypher::statements::rows::LockedOwner;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::id::{ActorId, SegmentationGroupId};
use serde_json::json;

use super::{By, no_group};
use crate::derived_id::digest_id;
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Set an owner for a Group: answers with a `message`. Who is an owner already stays one.
    #[boxed]
    pub async fn put_segmentation_owner(
        &self,
        caller: &Caller,
        group: &SegmentationGroupId,
        actor: &ActorId,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        self.change_owner::<Put>(caller, group, actor, key).await
    }

    /// Remove an owner from a Group: answers with a `message`. Not found where the actor owns no such group.
    #[boxed]
    pub async fn remove_segmentation_owner(
        &self,
        caller: &Caller,
        group: &SegmentationGroupId,
        actor: &ActorId,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        self.change_owner::<Remove>(caller, group, actor, key).await
    }

    async fn change_owner<W: MembershipChange>(
        &self,
        caller: &Caller,
        group: &SegmentationGroupId,
        actor: &ActorId,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Ingest, Subject::One("SegmentationGroup", group.as_str()))?;
        let said = json!({"owner": actor}).to_string();
        let entry = inner.entry(&permit, "SegmentationGroup", group.as_str(), W::ACTION);
        let entry = if W::GIVES { entry.with_new_value(said) } else { entry.with_old_value(said) };
        let ownership = Ownership {
            id: digest_id("owner", &[actor.as_str(), group.as_str()]),
            actor: actor.clone(),
            group: group.clone(),
            at: entry.at().millis(),
            by: By::of(caller),
        };
        let write = Write::new(ownership, entry).locking([LockHint::of("Actor", actor.as_str())]);
        let answer = json!({"message": W::MESSAGE}).to_string();
        inner.answer_once(&permit, Once { key, body: actor.as_str() }, answer, &Amending::<ChangeOwner<W>>::NEW, write).await
    }
}

/// An actor that owns a group, or did.
struct Ownership {
    /// Of both.
    id: String,
    actor: ActorId,
    group: SegmentationGroupId,
    at: i64,
    by: By,
}

impl Ownership {
    fn row(&self) -> Value {
        map([
            ("actor", self.actor.as_str().into()),
            ("group", self.group.as_str().into()),
            ("at", self.at.into()),
            ("by", self.by.name.as_str().into()),
            ("byId", self.by.id.as_str().into()),
        ])
    }
}

/// What becomes of an ownership.
trait MembershipChange: Send + Sync + 'static {
    const ACTION: &'static str;
    const MESSAGE: &'static str;
    const WRITE: WriteStatement;
    /// Whether the actor has it afterwards.
    const GIVES: bool;

    /// Whether something has to be written.
    fn changes(ownership: &Ownership, stored: &LockedOwner) -> Result<bool>;
}

struct Put;

impl MembershipChange for Put {
    const ACTION: &'static str = "segmentation_group.owner.added";
    const MESSAGE: &'static str = "the actor is an owner of the group";
    const WRITE: WriteStatement = statements::segmentation::PUT_OWNER;
    const GIVES: bool = true;

    fn changes(ownership: &Ownership, stored: &LockedOwner) -> Result<bool> {
        match stored.actor {
            Some(_) => Ok(!stored.owns),
            None => Err(Error::not_found(ObjectKind::SegmentationActor, ownership.actor.as_str())),
        }
    }
}

struct Remove;

impl MembershipChange for Remove {
    const ACTION: &'static str = "segmentation_group.owner.removed";
    const MESSAGE: &'static str = "the actor is no owner of the group any more";
    const WRITE: WriteStatement = statements::segmentation::REMOVE_OWNER;
    const GIVES: bool = false;

    fn changes(ownership: &Ownership, stored: &LockedOwner) -> Result<bool> {
        if stored.owns { Ok(true) } else { Err(Error::not_found(ObjectKind::SegmentationOwner, ownership.actor.as_str())) }
    }
}

/// Makes an actor an owner of a group, or takes that from him.
struct ChangeOwner<W>(PhantomData<fn() -> W>);

impl<W: MembershipChange> Amend for ChangeOwner<W> {
    type Row = Ownership;
    type Locked = LockedOwner;
    type Stored = LockedOwner;
    type Answer = ();

    const LOCK: Reading<LockedOwner> = statements::segmentation::LOCK_OWNER;
    const WRITE: WriteStatement = W::WRITE;
    const RANK: Rank = Rank::Relation;

    fn id(ownership: &Ownership) -> &str {
        &ownership.id
    }

    fn lock_row(ownership: &Ownership, write_id: &str) -> Value {
        map([
            ("id", ownership.id.as_str().into()),
            ("actor", ownership.actor.as_str().into()),
            ("group", ownership.group.as_str().into()),
            ("writeId", write_id.into()),
        ])
    }

    fn decide(ownership: &Ownership, stored: Option<LockedOwner>, _: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.filter(|stored| stored.group.is_some()).ok_or_else(|| no_group(&ownership.group))?;
        Ok(if W::changes(ownership, &stored)? { Amended::by((), ownership.row()) } else { Amended::nothing(()) })
    }
}

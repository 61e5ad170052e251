//! Who is in a group.

use std::collections::HashSet;
use std::marker::PhantomData;

use cypher::statements::rows::LockedSegment;
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::given::GivenList;
use graph_schema::id::{ActorId, SegmentationGroupId};
use graph_schema::segmentation::SegmentationMember;

use super::{By, no_group};
use crate::audit::AuditDraft;
use crate::derived_id::digest_id;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::values::json_text;
use crate::{Answered, Caller, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// The label of what is changed.
pub(super) const GROUP: &str = "SegmentationGroup";

impl Resolvers {
    /// Add Actors to a Group: answers with an object that says of each actor whether it is in the group now. One that has not arrived is not.
    #[boxed]
    pub async fn add_segmentation_members(
        &self,
        caller: &Caller,
        id: &SegmentationGroupId,
        given: GivenList<SegmentationMember>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::ChangeMembers, Subject::One(GROUP, id.as_str()))?;
        let entry = inner.entry(&permit, GROUP, id.as_str(), "segmentation_group.actors.added").with_new_value(given.record.clone());
        let asked = distinct(given.items.into_iter().map(|item| item.value.0));
        let known = inner.known_actors(&permit, &asked).await?;
        let answer = memberships(&asked, &known);
        let actors = asked.into_iter().filter(|actor| known.contains(actor.as_str())).collect();
        let change = MemberChange { group: id.clone(), actors, at: entry.at().millis(), by: By::of(caller) };
        let write = change.written(entry);
        inner.answer_once(&permit, Once { key, body: &given.record }, answer, &Amending::<ChangeMembers<Add>>::NEW, write).await
    }

    /// Remove Actors from a Group: answers with an empty object. Who is not in the group stays out of it.
    #[boxed]
    pub async fn remove_segmentation_members(
        &self,
        caller: &Caller,
        id: &SegmentationGroupId,
        given: GivenList<SegmentationMember>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::ChangeMembers, Subject::One(GROUP, id.as_str()))?;
        let entry = inner.entry(&permit, GROUP, id.as_str(), "segmentation_group.actors.removed").with_new_value(given.record.clone());
        let actors = distinct(given.items.into_iter().map(|item| item.value.0));
        let change = MemberChange { group: id.clone(), actors, at: entry.at().millis(), by: By::of(caller) };
        let write = change.written(entry);
        inner.answer_once(&permit, Once { key, body: &given.record }, "{}", &Amending::<ChangeMembers<Remove>>::NEW, write).await
    }
}

impl Inner {
    /// Which of these actors have arrived.
    async fn known_actors(&self, permit: &Permit<'_>, ids: &[ActorId]) -> Result<HashSet<String>> {
        let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
        let rows = self.read(permit, statements::segmentation::KNOWN_ACTORS, Params::none().with("ids", ids)).await?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }
}

/// Each once, in the order in which they are locked everywhere.
fn distinct(actors: impl Iterator<Item = ActorId>) -> Vec<ActorId> {
    let mut actors: Vec<ActorId> = actors.collect();
    actors.sort();
    actors.dedup();
    actors
}

/// An object of actors and whether they are known.
fn memberships(asked: &[ActorId], known: &HashSet<String>) -> String {
    let fields: Vec<String> = asked.iter().map(|actor| format!("{}:{}", json_text(actor.as_str()), known.contains(actor.as_str()))).collect();
    format!("{{{}}}", fields.join(","))
}

/// Actors that come to a group, or leave it.
struct MemberChange {
    group: SegmentationGroupId,
    actors: Vec<ActorId>,
    at: i64,
    by: By,
}

impl MemberChange {
    fn written(self, entry: AuditDraft) -> Write<Self> {
        let locks: Vec<LockHint> = self.actors.iter().map(|actor| LockHint::of("Actor", actor.as_str())).collect();
        Write::new(self, entry).locking(locks)
    }
}

/// The row for the statements that bring actors to a group, or take them out of it.
pub(super) fn row(group: &SegmentationGroupId, actors: &[ActorId], at: i64, by: &By) -> Value {
    let actors: Vec<&str> = actors.iter().map(|actor| actor.as_str()).collect();
    map([
        ("id", group.as_str().into()),
        ("actors", actors.into()),
        ("at", at.into()),
        ("by", by.name.as_str().into()),
        ("byId", by.id.as_str().into()),
    ])
}

/// The id of what is said of an actor in a group.
pub(super) fn membership_id(actor: &ActorId, group: &SegmentationGroupId) -> String {
    digest_id("member", &[actor.as_str(), group.as_str()])
}

/// Which way they go.
trait MembershipChange: Send + Sync + 'static {
    const WRITE: WriteStatement;

    fn row(change: &MemberChange) -> Value {
        row(&change.group, &change.actors, change.at, &change.by)
    }
}

struct Add;

impl MembershipChange for Add {
    const WRITE: WriteStatement = statements::segmentation::ADD_MEMBERS;
}

struct Remove;

impl MembershipChange for Remove {
    const WRITE: WriteStatement = statements::segmentation::REMOVE_MEMBERS;

    fn row(change: &MemberChange) -> Value {
        let removal = |actor: &ActorId| map([("id", membership_id(actor, &change.group).into()), ("actor", actor.as_str().into())]);
        let removals = Value::List(change.actors.iter().map(removal).collect());
        map([
            ("id", change.group.as_str().into()),
            ("removals", removals),
            ("at", change.at.into()),
            ("by", change.by.name.as_str().into()),
            ("byId", change.by.id.as_str().into()),
        ])
    }
}

/// Brings actors to a group that is there, or takes them out of it.
struct ChangeMembers<W>(PhantomData<fn() -> W>);

impl<W: MembershipChange> Amend for ChangeMembers<W> {
    type Row = MemberChange;
    type Locked = LockedSegment;
    type Stored = LockedSegment;
    type Answer = ();

    const LOCK: Reading<LockedSegment> = statements::segmentation::LOCK_GROUP;
    const WRITE: WriteStatement = W::WRITE;
    const RANK: Rank = Rank::Relation;

    fn id(change: &MemberChange) -> &str {
        change.group.as_str()
    }

    fn lock_row(change: &MemberChange, write_id: &str) -> Value {
        let id = || Value::from(change.group.as_str());
        map([("id", id()), ("group", id()), ("names", Value::List(Vec::new())), ("writeId", write_id.into())])
    }

    fn size(change: &MemberChange) -> usize {
        1_000 + change.actors.iter().map(|actor| 100 + actor.as_str().len()).sum::<usize>()
    }

    fn decide(change: &MemberChange, stored: Option<LockedSegment>, _: Decision<'_>) -> Result<Amended<()>> {
        if stored.is_none_or(|stored| stored.subject.is_none()) {
            return Err(no_group(&change.group));
        }
        Ok(if change.actors.is_empty() { Amended::nothing(()) } else { Amended::by((), W::row(change)) })
    }
}

//! What a case of a list adds to one that is there: the actors, observations and communications that it has not, and fields that are another now.
//!
//! What a case is for, and the workflow that it goes through, stay: whoever says otherwise is refused.

use std::sync::Arc;

use cypher::statements::rows::LockedCaseContents;
use cypher::{Key, Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::SingleCase;
use graph_schema::case::{CaseActorType, CreateCase};
use graph_schema::custom_property::PropertyEntity;
use graph_schema::enum_name::EnumName;
use graph_schema::fault::Fault;
use graph_schema::id::ActorId;
use graph_schema::json_object::with_fields_appended;
use graph_schema::json_text::compact;

use super::contents::StoredContents;
use super::create::linked;
use super::custom;
use super::field_times::Said;
use super::row::{communication, communication_ids};
use super::stored::{CaseChange, absent};
use super::update::Changeable;
use crate::logical_time::Acknowledged;
use crate::policy::Permit;
use crate::queue::{Amend, Amended, Decision, Rank, Write};
use crate::{Error, Inner, Result};

impl Inner {
    /// The write that adds to a case that is there what a case of a list says; `item` is its text.
    pub(super) fn extension_write(&self, permit: &Permit<'_>, case: SingleCase, item: &Arc<str>, repeats: Repeats) -> Write<Extension> {
        let id = case.id.as_str();
        let entry = self.entry(permit, "Case", id, "case.updated").in_case(id).with_new_value(Arc::clone(item));
        let locks = linked(&case.create, &case.communication_ids);
        let described = communication_ids(&case.id, case.create.communications.as_deref().unwrap_or_default());
        let by = permit.caller().id.to_string();
        let extension = Extension { case, described: described.clone(), repeats, by, size: item.len() };
        described.iter().fold(Write::new(extension, entry).locking(locks), |write, id| write.describing("Communication", id))
    }
}

/// Whether an item says what another has said, to the letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    Nothing,
    /// What it adds to arrays was added then.
    WhatMadeIt,
}

/// What is said of a case that is there.
pub(super) struct Extension {
    case: SingleCase,
    /// The ids of the communications that it describes, in their order.
    described: Vec<String>,
    repeats: Repeats,
    /// Whose write it is, by his id.
    by: String,
    size: usize,
}

/// Adds to a case what it has not.
pub(super) struct ExtendCase;

impl Amend for ExtendCase {
    type Row = Extension;
    type Locked = LockedCaseContents;
    type Stored = StoredContents;
    type Answer = ();

    const LOCK: Reading<LockedCaseContents> = statements::case::LOCK_CONTENTS;
    const WRITE: WriteStatement = statements::case::EXTEND;
    const RANK: Rank = Rank::Case;

    fn id(extension: &Extension) -> &str {
        extension.case.id.as_str()
    }

    fn lock_row(extension: &Extension, write_id: &str) -> Value {
        let SingleCase { create, communication_ids, update, .. } = &extension.case;
        let actors = create.named_actors();
        let communications = communication_ids.iter().map(|id| id.as_str()).chain(extension.described.iter().map(String::as_str));
        map([
            ("id", Self::id(extension).into()),
            ("writeId", write_id.into()),
            ("actors", each_once(actors.iter().map(|(id, _)| id.as_str()))),
            ("observations", each_once(create.observation_ids.iter().flatten().map(|id| id.as_str()))),
            ("communications", each_once(communications)),
            ("properties", custom::ids(PropertyEntity::Case, [&update.custom_properties]).into()),
        ])
    }

    fn size(extension: &Extension) -> usize {
        1_000 + 2 * extension.size
    }

    fn decide(extension: &Extension, stored: Option<StoredContents>, decision: Decision<'_>) -> Result<Amended<()>> {
        let SingleCase { id, create, communication_ids, update } = &extension.case;
        let stored = stored.ok_or_else(|| absent(id))?;
        let before = Changeable { resolution: &stored.resolution, custom_properties: &stored.custom_properties };
        let mut faults = what_stays(create, &stored);
        let acknowledged = decision.entry.acknowledged();
        let update = &stored.times.in_time(update, before, acknowledged, extension.repeats);
        let mut changed = before.after(update, &stored.definitions, &mut faults)?;
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        changed.extend(other_fields(create, &stored, acknowledged));
        let actors = Actors::of(create, &stored, acknowledged);
        let observations = create.observation_ids.iter().flatten().map(|id| id.as_str()).filter(|id| !stored.observations.contains(*id));
        let observations = each_once(observations);
        let named = stored.not_linked(communication_ids.iter().map(|id| id.as_str()));
        let described = create.communications.iter().flatten().zip(&extension.described);
        let described = described.map(|(given, id)| (id.as_str(), communication(given, id, stored.communications.get(id))));
        let described = stored.communications.described(described, &decision);
        let gains_nothing = named.is_empty() && described.changes_nothing && is_empty(&observations) && actors.is_empty();
        let times = stored.times.with(Said::by(update, before).chain(other_fields_of(create, &stored)).chain(actors_of(create, &stored)), &decision);
        let changes_nothing = changed.is_empty() && gains_nothing;
        let more = [
            ("relinked", actors.relinked.into()),
            ("focal", Value::List(actors.focal)),
            ("connected", Value::List(actors.connected)),
            ("observations", observations),
            ("linkedAt", decision.now.millis().into()),
            ("linkedBy", decision.entry.id().into()),
            ("by", extension.by.as_str().into()),
            ("named", named.into()),
            ("described", Value::List(described.rows)),
        ];
        let change = CaseChange::of(id, stored.counters).setting(times);
        if changes_nothing {
            return Ok(change.noted((), more));
        }
        let change = change.setting(changed).telling_of_an_update();
        Ok(change.amended((), &decision, more).replacing(Some(with_fields_appended("{}", &before.named_by(update)))))
    }
}

/// Ids in order, each once: nodes are locked in one order everywhere.
fn each_once<'a>(ids: impl Iterator<Item = &'a str>) -> Value {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into()
}

fn is_empty(list: &Value) -> bool {
    matches!(list, Value::List(items) if items.is_empty())
}

/// A fault for each thing that can't become another, where it is said to be one.
fn what_stays(given: &CreateCase, stored: &StoredContents) -> Vec<Fault> {
    let mut faults = Vec::new();
    if given.kind.is_some_and(|kind| kind != stored.kind) {
        faults.push(Fault::new("type", format!("must be {}: a case stays of the type with which it was made", stored.kind.text())));
    }
    if given.workflow_id.as_ref().is_some_and(|workflow| *workflow != stored.workflow) {
        faults.push(Fault::new("workflow_id", format!("must be {}: a case stays on the workflow with which it was made", stored.workflow)));
    }
    faults
}

/// The fields besides resolution and custom properties that are said.
fn other_fields_of(given: &CreateCase, stored: &StoredContents) -> impl Iterator<Item = Said> {
    let metadata = given.metadata.as_ref().map(|_| Said::metadata(stored.metadata.is_some()));
    metadata.into_iter().chain(given.created_at.map(|_| Said::created_at()))
}

/// The same of what actors are to the case.
fn actors_of(given: &CreateCase, stored: &StoredContents) -> impl Iterator<Item = Said> {
    let says = |(id, kind): &(ActorId, Option<CaseActorType>)| kind.is_some() || !stored.actors.contains_key(id);
    given.named_actors().into_iter().filter(says).map(|(id, _)| Said::actor(id.as_str(), stored.actors.contains_key(&id)))
}

/// The fields besides resolution and custom properties that are another now.
fn other_fields(given: &CreateCase, stored: &StoredContents, acknowledged: Acknowledged) -> Vec<(Key, Value)> {
    let is_new = |data: &&str| stored.metadata.as_deref().map(compact) != Some(compact(data));
    let gives_way = |said: Said| stored.times.give_way(&said, acknowledged);
    let metadata = given.metadata.as_ref().map(|data| data.as_str()).filter(is_new).filter(|_| gives_way(Said::metadata(stored.metadata.is_some())));
    let created_at = given.created_at.map(|at| at.millis()).filter(|at| *at != stored.created_at && gives_way(Said::created_at()));
    let metadata = metadata.map(|data| ("metadata".into(), data.into()));
    metadata.into_iter().chain(created_at.map(|at| ("createdAt".into(), at.into()))).collect()
}

/// Actors that a case gains, and those that are something else to it now.
#[derive(Default)]
struct Actors {
    relinked: Vec<String>,
    focal: Vec<Value>,
    connected: Vec<Value>,
}

impl Actors {
    fn of(given: &CreateCase, stored: &StoredContents, acknowledged: Acknowledged) -> Self {
        let mut all = Self::default();
        let mut named = given.named_actors();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        for (id, kind) in named {
            let before = stored.actors.get(&id);
            match (before, kind) {
                (None, kind) => all.link(&id, kind.unwrap_or_default(), Vec::new()),
                (Some(before), Some(kind)) if kind != before.kind && stored.times.give_way(&Said::actor(id.as_str(), true), acknowledged) => {
                    all.relinked.push(id.to_string());
                    all.link(&id, kind, before.link());
                }
                (Some(_), _) => {}
            }
        }
        all
    }

    fn link(&mut self, id: &ActorId, kind: CaseActorType, props: Vec<(Key, Value)>) {
        let links = match kind {
            CaseActorType::Focal => &mut self.focal,
            CaseActorType::Connection => &mut self.connected,
        };
        links.push(map([("id", id.as_str().into()), ("props", Value::Map(props))]));
    }

    fn is_empty(&self) -> bool {
        self.focal.is_empty() && self.connected.is_empty()
    }
}

//! Actors that people add to a case: stored ones by their ids, others with their records. All are added, or none.

use std::collections::BTreeSet;

use cypher::{Key, Params, Value, WriteStatement, map, statements};
use graph_schema::bulk::BulkActor;
use graph_schema::case::{AddCaseActor, CaseActorType, MAX_CASE_ACTORS, check_custom_data};
use graph_schema::fault::{Fault, Unacceptable};
use graph_schema::given;
use graph_schema::id::{ActorId, CaseId};
use graph_schema::json_object::{JsonObject, with_fields_appended};
use serde_json::{Value as Json, json};

use super::field_times::Said;
use super::stored::StoredCase;
use super::work::{CaseWork, Work, Working};
use crate::policy::{Action, Permit, may};
use crate::queue::{Amended, Amending, Decision, LockHint, Part};
use crate::versioned::RECORD_ACTOR;
use crate::{Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// Adds actors to a case.
#[derive(Debug, Clone)]
pub struct AddCaseActors {
    pub case: CaseId,
    /// Each actor once.
    pub actors: Vec<CaseActorToAdd>,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

/// An actor to be added.
#[derive(Debug, Clone)]
pub struct CaseActorToAdd {
    pub actor: NamedActor,
    /// What the actor is to the case. When absent that stays; of a new one it is `CONNECTION`.
    pub kind: Option<CaseActorType>,
    /// What was said before stays, when absent.
    pub custom_data: Option<JsonObject>,
}

/// How an actor is named.
#[derive(Debug, Clone)]
pub enum NamedActor {
    /// One whose record has not come is a placeholder until it does.
    Id(ActorId),
    /// With the names of the bulk list of actors.
    Record(JsonObject),
}

impl Resolvers {
    /// Adds actors to a case, and records those that come with a record: answers with their ids. Whoever may not send records leaves records that are
    /// there as they are. Told by `case.updated`, unless all was so already.
    #[boxed]
    pub async fn add_case_actors(&self, caller: &Caller, add: AddCaseActors, key: Option<IdempotencyKey>) -> Result<Vec<ActorId>> {
        let permit = self.work_on(caller, &add.case)?;
        let inner = &self.inner;
        let AddCaseActors { case, actors, expected_version } = add;
        if !(1..=MAX_CASE_ACTORS).contains(&actors.len()) {
            return Err(Error::invalid("actors", format!("must name 1 to {MAX_CASE_ACTORS}")));
        }
        let said = json!({"actors": actors.iter().map(CaseActorToAdd::said).collect::<Vec<_>>()});
        let (added, records) = read(actors)?;
        let stays = if may(caller, Action::Ingest).is_ok() { BTreeSet::new() } else { inner.recorded_among(&permit, &records).await? };
        let mut parts = Vec::with_capacity(records.len() + 1);
        for (at, record) in records.into_iter().filter(|(_, record)| !stays.contains(&record.id)) {
            let write = inner.actor_write(&permit, &BulkActor::into_single(record)).map_err(|error| within(at, error))?;
            parts.push(Part::new(&RECORD_ACTOR, write));
        }
        let ids: Vec<ActorId> = added.iter().map(|added| added.id.clone()).collect();
        let locks: Vec<LockHint> = added.iter().map(|added| LockHint::of("Actor", added.id.as_str())).collect();
        let work = Work::of(&permit, case.clone(), expected_version, NewActors(added));
        let action = "case.actors.added";
        let write = work.written(action, &said, inner, &permit).locking(locks);
        parts.push(Part::new(&Amending::<Working<NewActors>>::NEW, write));
        let body = format!("{expected_version:?}\n{said}");
        inner.answer_all_once(&permit, (action, case.as_str()), Once { key, body: &body }, "", parts).await.map(|_| ids)
    }
}

impl Inner {
    /// Which of these actors have a record.
    async fn recorded_among(&self, permit: &Permit<'_>, records: &[(usize, BulkActor)]) -> Result<BTreeSet<ActorId>> {
        if records.is_empty() {
            return Ok(BTreeSet::new());
        }
        let ids: Vec<&str> = records.iter().map(|(_, record)| record.id.as_str()).collect();
        let rows = self.read(permit, statements::actor::READ, Params::none().with("ids", ids)).await?;
        Ok(rows.into_iter().filter(|row| row.record.is_some()).map(|row| ActorId::new(row.id)).collect())
    }
}

impl CaseActorToAdd {
    /// What the audit entry says of it.
    fn said(&self) -> Json {
        match &self.actor {
            NamedActor::Id(id) => json!({"id": id, "type": self.kind, "customData": self.custom_data}),
            NamedActor::Record(record) => json!({"record": record, "type": self.kind, "customData": self.custom_data}),
        }
    }
}

/// The actors, and those that have a record with their places. All faults are told at once.
fn read(actors: Vec<CaseActorToAdd>) -> Result<(Vec<Added>, Vec<(usize, BulkActor)>)> {
    let (mut added, mut records, mut faults, mut seen) = (Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
    for (at, CaseActorToAdd { actor, kind, custom_data }) in actors.into_iter().enumerate() {
        check_custom_data(&format!("actors[{at}].customData"), custom_data.as_ref(), &mut faults);
        let id = match actor {
            NamedActor::Id(id) => id,
            NamedActor::Record(record) => match read_record(at, &record) {
                Ok(record) => {
                    let id = record.id.clone();
                    records.push((at, record));
                    id
                }
                Err(Error::Invalid(of_record)) => {
                    faults.extend(of_record);
                    continue;
                }
                Err(error) => return Err(error),
            },
        };
        if !seen.insert(id.clone()) {
            faults.push(Fault::new(format!("actors[{at}]"), format!("must not name the actor {id} twice")));
        }
        added.push(Added { id, kind, custom_data });
    }
    if faults.is_empty() { Ok((added, records)) } else { Err(Error::Invalid(faults)) }
}

/// A record, checked as that of an actor that a system adds to a case.
fn read_record(at: usize, record: &JsonObject) -> Result<BulkActor> {
    let body = with_fields_appended("{}", &[("actor", record.as_str())]);
    let given = given::read::<AddCaseActor>(body.as_bytes()).map_err(|refused| {
        let (Unacceptable::Unreadable(faults) | Unacceptable::Invalid(faults)) = refused;
        let place = |fault: Fault| Fault::new(fault.at.replacen("actor", &format!("actors[{at}].record"), 1), fault.problem);
        Error::Invalid(faults.into_iter().map(place).collect())
    })?;
    Ok(given.value.actor)
}

/// The faults of a record, seen from the whole.
fn within(at: usize, error: Error) -> Error {
    match error {
        Error::Invalid(faults) => {
            Error::Invalid(faults.into_iter().map(|fault| Fault::new(format!("actors[{at}].record.{}", fault.at), fault.problem)).collect())
        }
        other => other,
    }
}

/// An actor that a case is to have.
struct Added {
    id: ActorId,
    kind: Option<CaseActorType>,
    custom_data: Option<JsonObject>,
}

/// Actors to be linked to a case.
struct NewActors(Vec<Added>);

impl CaseWork for NewActors {
    const WRITE: WriteStatement = statements::case::EXTEND;

    fn actors(&self) -> Vec<&str> {
        self.0.iter().map(|added| added.id.as_str()).collect()
    }

    fn size(&self) -> usize {
        let each = |added: &Added| 200 + 2 * added.id.as_str().len() + added.custom_data.as_ref().map_or(0, |data| data.as_str().len());
        1_000 + self.0.iter().map(each).sum::<usize>()
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let mut added: Vec<&Added> = work.what.0.iter().collect();
        // Locked in one order everywhere.
        added.sort_by(|a, b| a.id.cmp(&b.id));
        let (mut relinked, mut focal, mut connected) = (Vec::new(), Vec::new(), Vec::new());
        for Added { id, kind, custom_data } in &added {
            let before = stored.actors.get(id);
            let kind = kind.or(before.map(|before| before.kind)).unwrap_or_default();
            let custom_data = custom_data.as_ref().or(before.and_then(|before| before.custom_data.as_ref()));
            if before.is_some_and(|before| before.kind == kind && before.custom_data.as_ref() == custom_data) {
                continue;
            }
            let props: Vec<(Key, Value)> = match before {
                Some(before) => before.link_with(custom_data),
                None => vec![("customData".into(), custom_data.map(|data| data.as_str()).into())],
            };
            relinked.extend(before.map(|_| id.as_str()));
            let links = match kind {
                CaseActorType::Focal => &mut focal,
                CaseActorType::Connection => &mut connected,
            };
            links.push(map([("id", id.as_str().into()), ("props", Value::Map(props))]));
        }
        let changes_nothing = focal.is_empty() && connected.is_empty();
        let said = added.iter().filter(|added| added.kind.is_some());
        let said = said.map(|added| Said::actor(added.id.as_str(), stored.actors.contains_key(&added.id)));
        let times = stored.times.with(said, decision);
        if changes_nothing && times.is_none() {
            return Ok(None);
        }
        let nothing = || Value::List(Vec::new());
        let more = [
            ("relinked", relinked.into()),
            ("focal", Value::List(focal)),
            ("connected", Value::List(connected)),
            ("observations", nothing()),
            ("linkedAt", decision.now.millis().into()),
            ("linkedBy", decision.entry.id().into()),
            ("by", work.by.as_str().into()),
            ("named", nothing()),
            ("described", nothing()),
        ];
        let change = work.change(stored).setting(times);
        Ok(Some(if changes_nothing { change.noted((), more) } else { change.telling_of_an_update().amended((), decision, more) }))
    }
}

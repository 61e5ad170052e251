//! What people say of a case besides its text: its tags, the law it falls under, whom it is about, and what was found of each of its actors. Each is told by
//! `case.updated`, unless it was so already.
//!
//! Actors that people add are stored ones by their ids, others with their records. All are added, or none.

use std::collections::BTreeSet;

use cypher::{Key, Params, Value, WriteStatement, map, statements};
use graph_schema::bulk::BulkActor;
use graph_schema::case::{AddCaseActor, CaseActorType, CaseTagRecord, MAX_CASE_ACTORS, check_custom_data};
use graph_schema::fault::{Fault, Unacceptable};
use graph_schema::given;
use graph_schema::id::{ActorId, CaseId, TagId};
use graph_schema::json_object::{JsonObject, with_fields_appended};
use graph_schema::json_text::compact;
use serde_json::{Value as Json, json};

use super::actors::{CaseActor, of_record};
use super::field_times::Said;
use super::stored::StoredCase;
use super::work::{CaseWork, Work, Working, check_total_size, must_say};
use crate::policy::{Action, Permit, may};
use crate::queue::{Amended, Amending, Decision, LockHint, Part};
use crate::versioned::RECORD_ACTOR;
use crate::{Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// Gives a case tags, and takes tags from it.
#[derive(Debug, Clone)]
pub struct TagCase {
    pub case: CaseId,
    /// No id twice. A tag that nobody has used gets this label; one that is there keeps its own.
    pub add: Vec<CaseTagRecord>,
    pub remove: Vec<TagId>,
    pub expected_version: Option<i64>,
}

/// Says under which law a case falls.
#[derive(Debug, Clone)]
pub struct PlaceCase {
    pub case: CaseId,
    /// None, when absent.
    pub jurisdiction: Option<String>,
    pub expected_version: Option<i64>,
}

/// Says what was found of an actor of a case.
#[derive(Debug, Clone)]
pub struct DecideActor {
    pub case: CaseId,
    pub actor: ActorId,
    /// Nothing, when absent.
    pub decision: Option<String>,
    pub expected_version: Option<i64>,
}

/// The most tags of a case, and the most that are taken from it at once.
const MOST_TAGS: usize = 100;
/// The most bytes of records that come along with actors: all are written in one transaction, for which others wait.
const MOST_RECORDED: usize = 2 << 20;
/// The longest of these texts, in characters.
const LONGEST: usize = 1_000;

impl Resolvers {
    /// Gives a case tags, and takes tags from it.
    #[boxed]
    pub async fn tag_case(&self, caller: &Caller, tag: TagCase, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &tag.case)?;
        tag.check(1)?;
        let said = json!({"tagsAdded": tag.add, "tagsRemoved": tag.remove});
        let locks: Vec<LockHint> = tag.add.iter().map(|added| LockHint::of("Tag", added.id.as_str())).collect();
        let work = Work::of(&permit, tag.case.clone(), tag.expected_version, tag);
        let write = work.written("case.updated", &said, &self.inner, &permit).locking(locks);
        self.done(&permit, &said, write, key).await
    }

    /// Says under which law a case falls.
    #[boxed]
    pub async fn place_case(&self, caller: &Caller, place: PlaceCase, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &place.case)?;
        if let Some(jurisdiction) = &place.jurisdiction {
            must_say("jurisdiction", jurisdiction, LONGEST)?;
        }
        let said = json!({"jurisdiction": place.jurisdiction});
        let work = Work::of(&permit, place.case.clone(), place.expected_version, place);
        let write = work.written("case.updated", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }

    /// Says what was found of an actor of a case.
    #[boxed]
    pub async fn decide_actor(&self, caller: &Caller, decide: DecideActor, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &decide.case)?;
        if let Some(decision) = &decide.decision {
            must_say("decision", decision, LONGEST)?;
        }
        let said = json!({"actorId": decide.actor, "decision": decide.decision});
        let work = Work::of(&permit, decide.case.clone(), decide.expected_version, decide);
        let write = work.written("case.updated", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }
}

impl TagCase {
    /// That it says not too much of each of so many cases of which the same is said, and does not contradict itself.
    pub fn check(&self, cases: usize) -> Result<()> {
        for (at, tags) in [("add", self.add.len()), ("remove", self.remove.len())] {
            if tags > MOST_TAGS {
                return Err(Error::invalid(at, format!("must be at most {MOST_TAGS} tags")));
            }
        }
        refuse_contradictions(self)?;
        let added: usize = self.add.iter().map(|tag| tag.id.as_str().len() + tag.label.len()).sum();
        let removed: usize = self.remove.iter().map(|id| id.as_str().len()).sum();
        check_total_size(cases, added + removed, "add")
    }
}

fn refuse_contradictions(tag: &TagCase) -> Result<()> {
    let mut ids = BTreeSet::new();
    for (at, added) in tag.add.iter().enumerate() {
        must_say(&format!("add[{at}].label"), &added.label, LONGEST)?;
        if tag.remove.contains(&added.id) {
            return Err(Error::invalid(&format!("add[{at}].id"), "must not be removed as well"));
        }
        if !ids.insert(&added.id) {
            return Err(Error::invalid(&format!("add[{at}].id"), "must not come twice"));
        }
    }
    Ok(())
}

impl CaseWork for TagCase {
    const WRITE: WriteStatement = statements::case::TAG;

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let TagCase { add, remove, .. } = &work.what;
        let add: Vec<Value> = add
            .iter()
            .filter(|tag| !stored.tags.contains(&tag.id))
            .map(|tag| map([("id", tag.id.as_str().into()), ("label", tag.label.as_str().into())]))
            .collect();
        let remove: Vec<&str> = remove.iter().filter(|id| stored.tags.contains(*id)).map(TagId::as_str).collect();
        if add.is_empty() && remove.is_empty() {
            return Ok(None);
        }
        if stored.tags.len() + add.len() > MOST_TAGS + remove.len() {
            return Err(Error::invalid("add", format!("a case has at most {MOST_TAGS} tags")));
        }
        let before = json!({"tags": stored.tags}).to_string();
        let more = [("add", add.into()), ("remove", remove.into())];
        Ok(Some(work.change(stored).telling_of_an_update().amended((), decision, more).replacing(Some(before))))
    }
}

impl CaseWork for PlaceCase {
    const WRITE: WriteStatement = statements::case::AMEND;

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let jurisdiction = &work.what.jurisdiction;
        if *jurisdiction == stored.jurisdiction {
            return Ok(None);
        }
        let before = stored.jurisdiction.as_ref().map(|before| json!({"jurisdiction": before}).to_string());
        let change = work.change(stored).setting([("jurisdiction", Value::from(jurisdiction.as_deref()))]).telling_of_an_update();
        Ok(Some(change.amended((), decision, []).replacing(before)))
    }
}

impl CaseWork for DecideActor {
    const WRITE: WriteStatement = statements::case::AMEND_ACTORS;

    fn actors(&self) -> Vec<&str> {
        vec![self.actor.as_str()]
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let DecideActor { actor, decision: decided, .. } = &work.what;
        let Some(CaseActor { decision: before, .. }) = stored.actors.get(actor) else {
            return Err(Error::invalid("actorId", "must be the id of an actor of the case"));
        };
        if before == decided {
            return Ok(None);
        }
        let props = map([("decision", Value::from(decided.as_deref()))]);
        let changed = Value::List(vec![map([("id", actor.as_str().into()), ("props", props)])]);
        let said_before = before.as_ref().map(|before| json!({"actorId": actor, "decision": before}).to_string());
        Ok(Some(work.change(stored).telling_of_an_update().amended((), decision, [("actors", changed)]).replacing(said_before)))
    }
}

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
    /// In neither way, or in both, which is refused.
    Unclear,
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
        if actors.iter().map(CaseActorToAdd::recorded).sum::<usize>() > MOST_RECORDED {
            return Err(Error::invalid("actors", format!("must have records of at most {MOST_RECORDED} bytes together")));
        }
        let said = json!({"actors": actors.iter().map(CaseActorToAdd::said).collect::<Vec<_>>()});
        let (added, records) = read(actors)?;
        let may_replace = may(caller, Action::Ingest).is_ok();
        let stays = if may_replace { BTreeSet::new() } else { inner.recorded_among(&permit, &records).await? };
        let mut parts = Vec::with_capacity(records.len() + 1);
        let mut faults = Vec::new();
        for (at, record) in records.into_iter().filter(|(_, record)| !stays.contains(&record.id)) {
            let placed = |error| of_record(&format!("actors[{at}].record"), error);
            match inner.actor_write(&permit, &BulkActor::into_single(record)).map_err(placed) {
                Ok(mut write) => {
                    // Until it is written somebody else may record the actor.
                    write.row.only_first = !may_replace;
                    parts.push(Part::new(&RECORD_ACTOR, write));
                }
                Err(Error::Invalid(of_one)) => faults.extend(of_one),
                Err(error) => return Err(error),
            }
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
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
            NamedActor::Unclear => json!({"type": self.kind, "customData": self.custom_data}),
        }
    }

    /// How many bytes of a record come along.
    fn recorded(&self) -> usize {
        if let NamedActor::Record(record) = &self.actor { record.as_str().len() } else { 0 }
    }
}

/// A record of an actor, with its place in what was sent.
type PlacedActor = (usize, BulkActor);

/// The actors, and those that have a record with their places. All faults are told at once.
fn read(actors: Vec<CaseActorToAdd>) -> Result<(Vec<Added>, Vec<PlacedActor>)> {
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
            NamedActor::Unclear => {
                faults.push(Fault::new(format!("actors[{at}]"), "must have exactly one of actorId and record"));
                continue;
            }
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
            let text = |data: Option<&JsonObject>| data.map(|data| compact(data.as_str()));
            if before.is_some_and(|before| before.kind == kind && text(before.custom_data.as_ref()) == text(custom_data)) {
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

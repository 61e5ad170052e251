//! Whom a case is about: adding actors, and what the case says of them.

use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::{AnsweredRequest, CaseLink, LockedCaseActor, LockedCaseActors, OpenRequest, SchemaRow};
use cypher::{Key, Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::BulkActor;
use graph_schema::case::{AddCaseActor, CaseActorType, CaseActorUpdate};
use graph_schema::custom_property::{CustomProperties, PropertyEntity};
use graph_schema::fault::Fault;
use graph_schema::given::{Given, GivenList};
use graph_schema::id::{ActorId, CaseId, RequestForDataId};
use graph_schema::json_object::{JsonObject, with_fields_appended};
use serde_json::json;

use super::addition::{Answers, CaseAddition, looked_up};
use super::custom::{self, Definitions};
use super::field_times::{FieldTimes, Said};
use super::row::custom_props;
use super::stored::{CaseChange, Counters, absent};
use super::update::OK;
use crate::policy::{Action, Permit, Subject, may};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::versioned::RECORD_ACTOR;
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Add an actor to a case: records the actor and links it, both or neither. Answers with `id` and, where it was said, `type`, as Get Case shows
    /// them. Whoever may not send records leaves an actor's record as it is: the actor is linked alone, and recorded only where nobody has done so.
    #[boxed]
    pub async fn add_case_actor(&self, caller: &Caller, request: CaseAddition<Given<AddCaseActor>>) -> Result<Answered> {
        let CaseAddition { case, given, request_for_data, key } = request;
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("Case", case.as_str()))?;
        let inner = &self.inner;
        // The same body for another case, or as another answer, is another request.
        let body = format!("{case}\n{request_for_data:?}\n{}", given.record);
        let AddCaseActor { actor, kind, custom_data } = given.value;
        let actor_id = actor.id.clone();
        let may_replace = may(caller, Action::Ingest).is_ok();
        let stays = !may_replace && inner.has_record(&permit, &actor_id).await?;
        let mut actor_write = inner.actor_write(&permit, &BulkActor::into_single(actor)).map_err(|error| of_record("actor", error))?;
        // Until it is written somebody else may record the actor.
        actor_write.row.only_first = !may_replace;
        let entry = inner.entry(&permit, "Case", case.as_str(), "case.actor.added").in_case(case.as_str()).with_new_value(given.record);
        let answer = match kind {
            Some(kind) => json!({"id": actor_id, "type": kind}),
            None => json!({"id": actor_id}),
        };
        let by = caller.id.clone();
        let link = AddedActor { case, actor: actor_id.clone(), kind, custom_data, answers: request_for_data, by };
        let link = Write::new(link, entry).locking([LockHint::of("Actor", actor_id.as_str())]);
        let once = Once { key, body: &body };
        if stays {
            return inner.answer_once(&permit, once, answer.to_string(), &Amending::<PutActor>::NEW, link).await;
        }
        inner.answer_both_once(&permit, once, answer.to_string(), (&RECORD_ACTOR, actor_write), (&Amending::<PutActor>::NEW, link)).await
    }

    /// Update multiple case actors: sets custom properties of several; arrays are appended to. Answers `OK`. An actor that is not the case's is a
    /// fault of its item, and then nothing is changed.
    #[boxed]
    pub async fn update_case_actors(
        &self,
        caller: &Caller,
        id: &CaseId,
        given: GivenList<CaseActorUpdate>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let updates = given.items.into_iter().map(|item| (item.value.actor_id, item.value.properties)).collect();
        let update = ActorUpdates { case: id.clone(), updates, named: Naming::InTheList };
        self.change_case_actors(caller, update, &given.record, key).await
    }

    /// Update a case actor: sets custom properties of one; arrays are appended to. Answers `OK`.
    #[boxed]
    pub async fn update_case_actor(
        &self,
        caller: &Caller,
        case: &CaseId,
        actor: &ActorId,
        given: Given<CustomProperties>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let update = ActorUpdates { case: case.clone(), updates: vec![(actor.clone(), given.value)], named: Naming::InThePath };
        let body = format!("{actor}\n{}", given.record);
        self.change_case_actors(caller, update, &body, key).await
    }

    async fn change_case_actors(&self, caller: &Caller, update: ActorUpdates, body: &str, key: Option<IdempotencyKey>) -> Result<Answered> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::RecordCase, Subject::One("Case", update.case.as_str()))?;
        let case = update.case.as_str();
        let entry = inner.entry(&permit, "Case", case, "case.actors.updated").in_case(case).with_new_value(update.text());
        let write = Write::new(update, entry);
        inner.answer_once(&permit, Once { key, body }, OK, &Amending::<AmendActors>::NEW, write).await
    }
}

impl Inner {
    /// Whether an actor's own record has come.
    async fn has_record(&self, permit: &Permit<'_>, actor: &ActorId) -> Result<bool> {
        let rows = self.read(permit, statements::actor::READ, Params::none().with("ids", vec![actor.as_str()])).await?;
        Ok(rows.iter().any(|row| row.record.is_some()))
    }
}

/// What a case says of one of its actors.
#[derive(Clone)]
pub(super) struct CaseActor {
    pub kind: CaseActorType,
    pub decision: Option<String>,
    pub custom_data: Option<JsonObject>,
    pub custom_properties: CustomProperties,
}

impl CaseActor {
    /// The actors of a row, by their ids.
    pub fn by_id(rows: Vec<LockedCaseActor>) -> BTreeMap<ActorId, Self> {
        let actor = |actor: LockedCaseActor| {
            let said = Self {
                kind: type_of_link(actor.link),
                decision: actor.decision,
                custom_data: actor.custom_data.as_deref().and_then(JsonObject::parse),
                custom_properties: actor.custom_properties.as_deref().map(CustomProperties::of_text).unwrap_or_default(),
            };
            (ActorId::new(actor.id), said)
        };
        rows.into_iter().map(actor).collect()
    }

    /// The fields of a link that says the same of the actor, with this custom data.
    pub fn link_with(&self, custom_data: Option<&JsonObject>) -> Vec<(Key, Value)> {
        let mut link = custom_props(&self.custom_properties, self.custom_properties.names());
        link.push(("decision".into(), self.decision.as_deref().into()));
        link.push(("customData".into(), custom_data.map(|data| data.as_str()).into()));
        link
    }

    /// The fields of a link that says the same of the actor.
    pub fn link(&self) -> Vec<(Key, Value)> {
        self.link_with(self.custom_data.as_ref())
    }
}

/// A case, and those of the actors that were asked for that are its.
pub(super) struct StoredActors {
    counters: Counters,
    times: FieldTimes,
    actors: BTreeMap<ActorId, CaseActor>,
    requests: Vec<OpenRequest>,
    answered: Vec<AnsweredRequest>,
    definitions: Vec<SchemaRow>,
}

impl From<LockedCaseActors> for StoredActors {
    fn from(row: LockedCaseActors) -> Self {
        let counters = Counters { version: row.version, event_sequence: row.event_sequence };
        let times = FieldTimes::stored(row.field_times.as_deref(), row.logical_time, row.clock);
        let LockedCaseActors { actors, requests, answered, definitions, .. } = row;
        Self { counters, times, actors: CaseActor::by_id(actors), requests, answered, definitions }
    }
}

/// What an actor is to a case, by the link between them.
pub(super) fn type_of_link(link: CaseLink) -> CaseActorType {
    match link {
        CaseLink::FocusesOn => CaseActorType::Focal,
        CaseLink::Concerns => CaseActorType::Connection,
    }
}

/// The row for `case/lock_actors`; `properties` are the ids of custom properties whose definitions are to be known, `answers` is the request for data
/// that is to be answered.
fn lock_row<'a>(
    case: &CaseId,
    write_id: &str,
    actors: impl Iterator<Item = &'a ActorId>,
    properties: Vec<String>,
    answers: Option<&RequestForDataId>,
) -> Value {
    let mut actors: Vec<&str> = actors.map(|actor| actor.as_str()).collect();
    actors.sort_unstable();
    actors.dedup();
    map([
        ("id", case.as_str().into()),
        ("writeId", write_id.into()),
        ("actors", actors.into()),
        ("properties", properties.into()),
        ("answers", looked_up(answers)),
    ])
}

/// An actor to be linked to a case.
pub(super) struct AddedActor {
    case: CaseId,
    actor: ActorId,
    kind: Option<CaseActorType>,
    custom_data: Option<JsonObject>,
    answers: Option<RequestForDataId>,
    by: String,
}

/// Links an actor to a case. What is known of the link already stays, unless something else is said now.
pub(super) struct PutActor;

impl Amend for PutActor {
    type Row = AddedActor;
    type Locked = LockedCaseActors;
    type Stored = StoredActors;
    type Answer = ();

    const LOCK: Reading<LockedCaseActors> = statements::case::LOCK_ACTORS;
    const WRITE: WriteStatement = statements::case::PUT_ACTOR;
    const RANK: Rank = Rank::Case;

    fn id(added: &AddedActor) -> &str {
        added.case.as_str()
    }

    fn lock_row(added: &AddedActor, write_id: &str) -> Value {
        lock_row(&added.case, write_id, [&added.actor].into_iter(), Vec::new(), added.answers.as_ref())
    }

    fn decide(added: &AddedActor, stored: Option<StoredActors>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&added.case))?;
        let before = stored.actors.get(&added.actor);
        let kind = added.kind.or(before.map(|before| before.kind)).unwrap_or_default();
        let custom_data = added.custom_data.clone().or_else(|| before.and_then(|before| before.custom_data.clone()));
        let actor = added.actor.as_str();
        let answers = Answers::of(added.answers.as_ref(), &stored.requests, &stored.answered, actor, &added.by, &decision)?;
        let times = stored.times.with(added.kind.map(|_| Said::actor(actor, before.is_some())), &decision);
        let changes_nothing = !answers.completes() && before.is_some_and(|before| before.kind == kind && before.custom_data == custom_data);
        if changes_nothing && times.is_none() {
            return Ok(Amended::nothing(()));
        }
        let link = match before {
            Some(before) => before.link_with(custom_data.as_ref()),
            None => vec![("customData".into(), custom_data.as_ref().map(|data| data.as_str()).into())],
        };
        let (focal, connected) = match kind {
            CaseActorType::Focal => (vec![Value::Map(link)], Vec::new()),
            CaseActorType::Connection => (Vec::new(), vec![Value::Map(link)]),
        };
        let more = [
            ("actor", added.actor.as_str().into()),
            ("focal", Value::List(focal)),
            ("connected", Value::List(connected)),
            ("answered", answers.rows()),
        ];
        let change = CaseChange::of(&added.case, stored.counters).setting(times);
        Ok(if changes_nothing { change.noted((), more) } else { change.telling_of_an_update().amended((), &decision, more) })
    }
}

/// Where a request names the actors it changes: so is said where one is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    InThePath,
    InTheList,
}

/// Custom properties for actors of a case, in the order in which they were given.
pub(super) struct ActorUpdates {
    case: CaseId,
    updates: Vec<(ActorId, CustomProperties)>,
    named: Naming,
}

impl ActorUpdates {
    /// What the audit entry says was set.
    fn text(&self) -> String {
        let fields: Vec<(&str, String)> = self.updates.iter().map(|(actor, given)| (actor.as_str(), given.to_text())).collect();
        object(&fields)
    }

    /// Not found, where the path names an actor that is not the case's; a fault of each item that does.
    fn refuse_absent(&self, stored: &StoredActors) -> Result<()> {
        let absent = self.updates.iter().enumerate().filter(|(_, (actor, _))| !stored.actors.contains_key(actor));
        match self.named {
            Naming::InThePath => match absent.map(|(_, (actor, _))| actor).next() {
                Some(actor) => Err(Error::not_found(ObjectKind::CaseActor, actor.as_str())),
                None => Ok(()),
            },
            Naming::InTheList => {
                let faults: Vec<Fault> = absent.map(|(at, _)| Fault::new(format!("[{at}].actor_id"), "the case has no such actor")).collect();
                if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
            }
        }
    }
}

/// Sets custom properties of a case's actors.
pub(super) struct AmendActors;

impl Amend for AmendActors {
    type Row = ActorUpdates;
    type Locked = LockedCaseActors;
    type Stored = StoredActors;
    type Answer = ();

    const LOCK: Reading<LockedCaseActors> = statements::case::LOCK_ACTORS;
    const WRITE: WriteStatement = statements::case::AMEND_ACTORS;
    const RANK: Rank = Rank::Case;

    fn id(update: &ActorUpdates) -> &str {
        update.case.as_str()
    }

    fn lock_row(update: &ActorUpdates, write_id: &str) -> Value {
        let properties = custom::ids(PropertyEntity::CaseActor, update.updates.iter().map(|(_, given)| given));
        lock_row(&update.case, write_id, update.updates.iter().map(|(actor, _)| actor), properties, None)
    }

    fn size(update: &ActorUpdates) -> usize {
        1_000 + 2 * update.updates.iter().map(|(_, given)| 100 + given.to_text().len()).sum::<usize>()
    }

    fn decide(update: &ActorUpdates, stored: Option<StoredActors>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&update.case))?;
        update.refuse_absent(&stored)?;
        // One actor may be named twice: the second goes on from the first.
        let mut changed: BTreeMap<&ActorId, (CustomProperties, BTreeSet<&str>)> = BTreeMap::new();
        let definitions = Definitions::of(&stored.definitions)?;
        let mut faults = Vec::new();
        for (at, (actor, given)) in update.updates.iter().enumerate() {
            let Some(before) = stored.actors.get(actor) else { continue };
            let (custom, named) = changed.entry(actor).or_insert_with(|| (before.custom_properties.clone(), BTreeSet::new()));
            *custom = custom.followed_by(given);
            named.extend(given.names());
            let place = match update.named {
                Naming::InThePath => String::new(),
                Naming::InTheList => format!("[{at}].properties."),
            };
            definitions.check(custom, given, &place, &mut faults);
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        changed.retain(|actor, (custom, _)| stored.actors.get(*actor).is_some_and(|before| before.custom_properties != *custom));
        if changed.is_empty() {
            return Ok(Amended::nothing(()));
        }
        let old: Vec<(&str, String)> =
            changed.keys().filter_map(|actor| Some((actor.as_str(), stored.actors.get(*actor)?.custom_properties.to_text()))).collect();
        let actor_row = |(actor, (custom, named)): (&&ActorId, &(CustomProperties, BTreeSet<&str>))| {
            let props: Vec<(Key, Value)> = custom_props(custom, named.iter().copied());
            map([("id", actor.as_str().into()), ("props", Value::Map(props))])
        };
        let actors = Value::List(changed.iter().map(actor_row).collect());
        let change = CaseChange::of(&update.case, stored.counters).telling_of_an_update();
        Ok(change.amended((), &decision, [("actors", actors)]).replacing(Some(object(&old))))
    }
}

/// An object of texts that are JSON each.
fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, text)| (*name, text.as_str())).collect();
    with_fields_appended("{}", &fields)
}

/// The faults of a record at a place, seen from the whole. It came with the names of bulk lists, and what is written of it has others.
pub(super) fn of_record(place: &str, error: Error) -> Error {
    let seen = |fault: Fault| {
        let field = match fault.at.as_str() {
            "asOfDate" => "as_of_date",
            "dateOfBirth" => "date_of_birth",
            field => field,
        };
        Fault::new(format!("{place}.{field}"), fault.problem)
    };
    match error {
        Error::Invalid(faults) => Error::Invalid(faults.into_iter().map(seen).collect()),
        other => other,
    }
}

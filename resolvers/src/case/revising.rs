//! What people change of the fields that systems send: custom properties and the resolution. A system adds to an array by sending more; a person sees the
//! whole and sets it, unless it is said that something is added.

use std::collections::BTreeSet;

use cypher::{Value, WriteStatement, map, statements};
use graph_schema::case::UpdateCase;
use graph_schema::custom_property::{CustomProperties, PREFIX, PropertyEntity};
use graph_schema::fault::{Fault, Unacceptable};
use graph_schema::given;
use graph_schema::id::{ActorId, CaseId};
use graph_schema::json_object::with_fields_appended;
use graph_schema::json_text::JsonText;
use serde_json::{Value as Json, json};

use super::custom::{self, Definitions};
use super::field_times::Said;
use super::row::{custom_props, says_the_same};
use super::stored::StoredCase;
use super::work::{CaseWork, Work, Working};
use crate::queue::{Amended, Amending, Decision, Values};
use crate::{Caller, Error, IdempotencyKey, Once, Resolvers, Result, boxed};

/// Sets custom properties of a case.
#[derive(Debug, Clone)]
pub struct SetCaseProperties {
    pub case: CaseId,
    /// Each name once.
    pub properties: Vec<SetProperty>,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

/// Sets custom properties of an actor of a case.
#[derive(Debug, Clone)]
pub struct SetCaseActorProperties {
    pub case: CaseId,
    pub actor: ActorId,
    /// Each name once.
    pub properties: Vec<SetProperty>,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

/// Sets one custom property.
#[derive(Debug, Clone)]
pub struct SetProperty {
    /// Begins with `c__`.
    pub name: String,
    /// The property goes, when absent.
    pub value: Option<JsonText>,
    /// Whether an array goes behind the array that is there.
    pub append: bool,
}

/// Sets the resolution of a case, in place of the one before.
#[derive(Debug, Clone)]
pub struct SetCaseResolution {
    pub case: CaseId,
    /// None, when absent.
    pub resolution: Option<JsonText>,
    pub expected_version: Option<i64>,
}

/// The most properties that are set at once.
const MOST: usize = 200;

impl Resolvers {
    /// Sets and clears custom properties of a case. Told by `case.updated`, unless all was so already.
    #[boxed]
    pub async fn set_case_properties(&self, caller: &Caller, set: SetCaseProperties, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &set.case)?;
        let SetCaseProperties { case, properties, expected_version } = set;
        let change = PropertyChange::of(&properties)?;
        let text = change.given.to_text();
        let said: Json = serde_json::from_str(&text).map_err(|error| Error::Internal(error.to_string()))?;
        let body = format!("{expected_version:?}\n{:?}\n{text}", change.replaced);
        let work = Work::of(&permit, case, expected_version, change);
        let write = work.written("case.updated", &said, &self.inner, &permit);
        let once = Once { key, body: &body };
        self.inner.answer_once(&permit, once, "", &Amending::<Working<PropertyChange>>::NEW, write).await.map(drop)
    }

    /// Sets and clears custom properties of an actor of a case. Told by `case.updated`, unless all was so already.
    #[boxed]
    pub async fn set_case_actor_properties(&self, caller: &Caller, set: SetCaseActorProperties, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &set.case)?;
        let SetCaseActorProperties { case, actor, properties, expected_version } = set;
        let change = PropertyChange::of(&properties)?;
        let said = said_of_actor(&actor, &change.given)?;
        let body = format!("{expected_version:?}\n{:?}\n{said}", change.replaced);
        let work = Work::of(&permit, case, expected_version, ActorPropertyChange { actor, change });
        let write = work.written("case.actors.updated", &said, &self.inner, &permit);
        let once = Once { key, body: &body };
        self.inner.answer_once(&permit, once, "", &Amending::<Working<ActorPropertyChange>>::NEW, write).await.map(drop)
    }

    /// Sets the resolution of a case, which may be open or closed. Told by `case.updated`, unless it was so already.
    #[boxed]
    pub async fn set_case_resolution(&self, caller: &Caller, set: SetCaseResolution, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &set.case)?;
        let SetCaseResolution { case, resolution, expected_version } = set;
        let resolution = resolution.filter(|resolution| !resolution.is_null());
        let said = json!({"resolution": resolution.as_ref().map(JsonText::value)});
        let work = Work::of(&permit, case, expected_version, ResolutionChange(resolution));
        let write = work.written("case.updated", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }
}

/// Custom properties to be set.
pub(super) struct PropertyChange {
    given: CustomProperties,
    /// Names of those whose arrays take the place of arrays that are there.
    replaced: BTreeSet<String>,
}

impl PropertyChange {
    /// All faults of the names and values are told at once.
    fn of(properties: &[SetProperty]) -> Result<Self> {
        if properties.is_empty() || properties.len() > MOST {
            return Err(Error::invalid("properties", format!("must name 1 to {MOST} properties")));
        }
        let mut names = BTreeSet::new();
        let mut faults = Vec::new();
        for (at, property) in properties.iter().enumerate() {
            let place = format!("properties[{at}].name");
            if !property.name.starts_with(PREFIX) {
                faults.push(Fault::new(place, format!("must begin with {PREFIX}")));
            } else if !names.insert(property.name.as_str()) {
                faults.push(Fault::new(place, "must not come twice"));
            }
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let value = |property: &SetProperty| property.value.as_ref().map_or("null", JsonText::as_str).to_owned();
        let values: Vec<String> = properties.iter().map(value).collect();
        let fields: Vec<(&str, &str)> = properties.iter().map(|property| property.name.as_str()).zip(values.iter().map(String::as_str)).collect();
        let names = || properties.iter().map(|property| property.name.as_str());
        let update = given::read::<UpdateCase>(with_fields_appended("{}", &fields).as_bytes()).map_err(|refused| match refused {
            Unacceptable::Invalid(faults) => Error::Invalid(faults.into_iter().map(|fault| placed(fault, names(), "name")).collect()),
            unreadable => unreadable.into(),
        })?;
        let replaced = properties.iter().filter(|property| !property.append).map(|property| property.name.clone()).collect();
        Ok(Self { given: update.value.custom_properties, replaced })
    }

    /// That what is there after it goes with the definitions.
    fn check(&self, after: &CustomProperties, definitions: &Definitions) -> Result<()> {
        let mut faults = Vec::new();
        definitions.check(after, &self.given, "", &mut faults);
        if faults.is_empty() {
            return Ok(());
        }
        Err(Error::Invalid(faults.into_iter().map(|fault| placed(fault, self.given.names(), "value")).collect()))
    }

    /// What is there after it.
    fn after(&self, before: &CustomProperties) -> CustomProperties {
        before.only(|name, value| !(value.is_array() && self.replaced.contains(name))).followed_by(&self.given)
    }
}

/// A fault of one of these properties, which has the property's name as its place, with its place in the list.
fn placed<'a>(fault: Fault, names: impl Iterator<Item = &'a str>, part: &str) -> Fault {
    // A name may begin as another does.
    let places = names.enumerate().filter_map(|(at, name)| Some((at, fault.at.strip_prefix(name)?)));
    let place = places.min_by_key(|(_, inside)| inside.len()).map(|(at, inside)| format!("properties[{at}].{part}{inside}"));
    match place {
        Some(place) => Fault::new(place, fault.problem),
        None => fault,
    }
}

impl CaseWork for PropertyChange {
    const WRITE: WriteStatement = statements::case::AMEND;

    fn properties(&self) -> Vec<String> {
        custom::ids(PropertyEntity::Case, [&self.given])
    }

    fn size(&self) -> usize {
        1_000 + 2 * self.given.to_text().len()
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let (given, before) = (&work.what.given, &stored.custom_properties);
        let after = work.what.after(before);
        work.what.check(&after, &Definitions::of(&stored.definitions)?)?;
        let said = given.names().map(|name| Said { field: name.to_owned(), is_there: before.get(name).is_some() });
        let said = said.chain(work.what.replaced.iter().map(|name| Said::replaced(name)));
        let change = work.change(stored).setting(stored.times.with(said, decision));
        if given.names().all(|name| says_the_same(after.get(name), before.get(name))) {
            return Ok(Some(change.noted((), [])));
        }
        let change = change.setting(custom_props(&after, given.names())).telling_of_an_update();
        // What was added to a list is not what the case has then.
        let of_these = |all: &CustomProperties| Some(all.only(|name, _| given.get(name).is_some()).to_text());
        let values = Values::replaced(of_these(before), of_these(&after));
        Ok(Some(Amended { values, ..change.amended((), decision, []) }))
    }
}

/// Custom properties of an actor to be set.
pub(super) struct ActorPropertyChange {
    actor: ActorId,
    change: PropertyChange,
}

/// What the audit entry says of properties of an actor.
fn said_of_actor(actor: &ActorId, properties: &CustomProperties) -> Result<Json> {
    let properties: Json = serde_json::from_str(&properties.to_text()).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(json!({actor.as_str(): properties}))
}

impl CaseWork for ActorPropertyChange {
    const WRITE: WriteStatement = statements::case::AMEND_ACTORS;

    fn actors(&self) -> Vec<&str> {
        vec![self.actor.as_str()]
    }

    fn properties(&self) -> Vec<String> {
        custom::ids(PropertyEntity::CaseActor, [&self.change.given])
    }

    fn size(&self) -> usize {
        self.change.size()
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let ActorPropertyChange { actor, change } = &work.what;
        let before = stored.actors.get(actor).ok_or_else(|| Error::invalid("actorId", "must be the id of an actor of the case"))?;
        let (given, before) = (&change.given, &before.custom_properties);
        let after = change.after(before);
        change.check(&after, &Definitions::of(&stored.definitions)?)?;
        if given.names().all(|name| says_the_same(after.get(name), before.get(name))) {
            return Ok(None);
        }
        let props = Value::Map(custom_props(&after, given.names()));
        let actors = Value::List(vec![map([("id", actor.as_str().into()), ("props", props)])]);
        let of_these = |all: &CustomProperties| said_of_actor(actor, &all.only(|name, _| given.get(name).is_some()));
        let values = Values::replaced(Some(of_these(before)?.to_string()), Some(of_these(&after)?.to_string()));
        let change = work.change(stored).telling_of_an_update();
        Ok(Some(Amended { values, ..change.amended((), decision, [("actors", actors)]) }))
    }
}

/// The resolution to be set.
pub(super) struct ResolutionChange(Option<JsonText>);

impl CaseWork for ResolutionChange {
    const WRITE: WriteStatement = statements::case::AMEND;

    fn size(&self) -> usize {
        1_000 + 2 * self.0.as_ref().map_or(0, |resolution| resolution.as_str().len())
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let resolution = &work.what.0;
        let times = stored.times.with([Said::resolution(stored.resolution.as_ref()), Said::replaced_resolution()], decision);
        let change = work.change(stored).setting(times);
        if says_the_same(resolution.as_ref(), stored.resolution.as_ref()) {
            return Ok(Some(change.noted((), [])));
        }
        let text = Value::from(resolution.as_ref().map(|resolution| resolution.as_str()));
        let change = change.setting([("resolution", text)]).telling_of_an_update();
        let old = stored.resolution.as_ref().map(|before| with_fields_appended("{}", &[("resolution", before.as_str())]));
        Ok(Some(change.amended((), decision, []).replacing(old)))
    }
}

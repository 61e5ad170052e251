//! What is known of a case under its lock, and how a change of it is numbered.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::{CaseMove, LockedCase, LockedCaseObservation, OpenRequest, SchemaRow};
use cypher::{Key, Value};
use graph_schema::custom_property::CustomProperties;
use graph_schema::event::{CaseUpdated, Event, ObservationAction, TransactionDecision};
use graph_schema::id::{ActorId, CaseId, ObservationId, StepId, TagId, TransactionId, UserId, WorkflowId};
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;
use graph_schema::workflow::StepState;

use super::actors::CaseActor;
use super::field_times::FieldTimes;
use crate::queue::{Amended, Decision, EventRow};
use crate::{Error, ObjectKind, Result};

/// The two numbers of a case: how often it has changed, and how many events have told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counters {
    pub version: i64,
    pub event_sequence: i64,
}

/// A step that a workflow has, by its node and by what is said of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub node: String,
    pub id: StepId,
    pub status: String,
    pub state: StepState,
}

/// A move that may be made from where a case stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Move {
    pub action: String,
    pub to: Step,
}

/// A case that is there.
pub(crate) struct StoredCase {
    pub counters: Counters,
    pub workflow: WorkflowId,
    pub step: Step,
    pub moves: Vec<Move>,
    pub assignee: Option<UserId>,
    pub metadata: Option<JsonObject>,
    pub resolution: Option<JsonText>,
    pub custom_properties: CustomProperties,
    pub times: FieldTimes,
    /// The requests for data that nobody has answered yet.
    pub requests: Vec<OpenRequest>,
    /// Those observations that were asked for and that it was raised from.
    observations: BTreeMap<ObservationId, KnownObservation>,
    /// Those transactions that were asked for and are its, and what was decided of each.
    pub transactions: BTreeMap<TransactionId, Option<TransactionDecision>>,
    /// Those actors that were asked for and are its, and what it says of each.
    pub(super) actors: BTreeMap<ActorId, CaseActor>,
    /// Those users who were asked for and may be given no work any more.
    pub disabled_users: BTreeSet<UserId>,
    pub tags: BTreeSet<TagId>,
    pub jurisdiction: Option<String>,
    /// How those custom properties are defined that were asked for.
    pub definitions: Vec<SchemaRow>,
}

/// An observation that a case was raised from.
pub(crate) struct KnownObservation {
    /// What was said of it last.
    pub feedback: Option<String>,
    /// What was done with it.
    pub action: Option<ObservationAction>,
    pub metadata: Option<JsonObject>,
    pub custom_data: Option<JsonObject>,
}

/// How a case stands, for somebody who decided by how it stood before.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentCase {
    pub version: i64,
    pub step_id: StepId,
    pub status: String,
    pub state: StepState,
    pub assignee: Option<UserId>,
    /// What may be done now.
    pub actions: Vec<String>,
}

impl Step {
    /// What a case has of the step it is on, so that a list of cases is filtered without their steps.
    pub(super) fn props(&self) -> [(&'static str, Value); 3] {
        [("stepId", self.id.as_str().into()), ("status", self.status.as_str().into()), ("state", crate::values::word(&self.state))]
    }
}

impl From<CaseMove> for Move {
    fn from(row: CaseMove) -> Self {
        Self { action: row.action, to: Step { node: row.step, id: StepId::new(row.step_id), status: row.status, state: row.state } }
    }
}

impl From<LockedCase> for StoredCase {
    fn from(row: LockedCase) -> Self {
        Self {
            counters: Counters { version: row.version, event_sequence: row.event_sequence },
            workflow: WorkflowId::new(row.workflow),
            step: Step { node: row.step, id: StepId::new(row.step_id), status: row.status, state: row.state },
            moves: row.moves.into_iter().map(Move::from).collect(),
            assignee: row.assignee.map(UserId::new),
            metadata: row.metadata.as_deref().and_then(JsonObject::parse),
            resolution: row.resolution.as_deref().and_then(JsonText::parse),
            custom_properties: row.custom_properties.as_deref().map(CustomProperties::of_text).unwrap_or_default(),
            times: FieldTimes::stored(row.field_times.as_deref(), row.logical_time, row.clock),
            requests: row.requests,
            observations: row.observations.into_iter().map(|found| (ObservationId::new(found.id.as_str()), found.into())).collect(),
            transactions: row
                .transactions
                .into_iter()
                .filter(|found| found.of_case)
                .map(|found| (TransactionId::new(found.id), found.decision))
                .collect(),
            actors: CaseActor::by_id(row.actors),
            disabled_users: row.users.into_iter().filter(|user| user.enabled == Some(false)).map(|user| UserId::new(user.id)).collect(),
            tags: row.tags.into_iter().map(TagId::new).collect(),
            jurisdiction: row.jurisdiction,
            definitions: row.definitions,
        }
    }
}

impl From<LockedCaseObservation> for KnownObservation {
    fn from(row: LockedCaseObservation) -> Self {
        Self {
            feedback: row.feedback,
            action: row.action,
            metadata: row.metadata.as_deref().and_then(JsonObject::parse),
            custom_data: row.custom_data.as_deref().and_then(JsonObject::parse),
        }
    }
}

impl StoredCase {
    /// One of the observations that it was raised from.
    pub(super) fn observation(&self, id: &ObservationId) -> Result<&KnownObservation> {
        self.observations.get(id).ok_or_else(|| Error::invalid("observationId", "the case was not raised from an observation with this id"))
    }

    pub(super) fn current(&self) -> CurrentCase {
        let mut actions: Vec<String> = self.moves.iter().map(|allowed| allowed.action.clone()).collect();
        actions.dedup();
        CurrentCase {
            version: self.counters.version,
            step_id: self.step.id.clone(),
            status: self.step.status.clone(),
            state: self.step.state,
            assignee: self.assignee.clone(),
            actions,
        }
    }
}

/// A change of a case that is there: its fields, and the events that tell of it, in their order.
pub(super) struct CaseChange {
    id: CaseId,
    before: Counters,
    props: Vec<(Key, Value)>,
    events: Vec<Event>,
}

impl CaseChange {
    pub(super) fn of(id: &CaseId, before: Counters) -> Self {
        Self { id: id.clone(), before, props: Vec::new(), events: Vec::new() }
    }

    /// Sets fields; null takes one away.
    pub(super) fn setting<K: Into<Key>>(mut self, props: impl IntoIterator<Item = (K, Value)>) -> Self {
        self.props.extend(props.into_iter().map(|(name, value)| (name.into(), value)));
        self
    }

    pub(super) fn telling(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }

    /// Tells of it by `case.updated`.
    pub(super) fn telling_of_an_update(self) -> Self {
        let updated = CaseUpdated { id: self.id.clone() };
        self.telling(Event::CaseUpdated(updated))
    }

    /// Nothing has changed, but when something was said again is noted: no new version, and nobody is told. `more` as of [`Self::amended`]; where all of
    /// it is empty, nothing is written.
    pub(super) fn noted<A>(self, answer: A, more: impl IntoIterator<Item = (&'static str, Value)>) -> Amended<A> {
        let more: Vec<(Key, Value)> = more.into_iter().map(|(name, value)| (name.into(), value)).collect();
        if self.props.is_empty() && more.iter().all(|(_, value)| matches!(value, Value::List(items) if items.is_empty())) {
            return Amended::nothing(answer);
        }
        let mut row = vec![(Cow::Borrowed("id"), self.id.as_str().into()), (Cow::Borrowed("props"), Value::Map(self.props))];
        row.extend(more);
        Amended::by(answer, Value::Map(row))
    }

    /// The change, numbered; `more` is what its statement takes besides the case's id and fields.
    pub(super) fn amended<A>(self, answer: A, decision: &Decision<'_>, more: impl IntoIterator<Item = (&'static str, Value)>) -> Amended<A> {
        let now = decision.now.millis();
        let told = self.events.len() as i64;
        let mut props = self.props;
        props.push((Cow::Borrowed("version"), (self.before.version + 1).into()));
        props.push((Cow::Borrowed("eventSequence"), (self.before.event_sequence + told).into()));
        props.push((Cow::Borrowed("updatedAt"), now.into()));
        let mut row: Vec<(Key, Value)> = vec![(Cow::Borrowed("id"), self.id.as_str().into()), (Cow::Borrowed("props"), Value::Map(props))];
        row.extend(more.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)));
        Amended::by(answer, Value::Map(row)).telling(numbered(self.events, self.before.event_sequence, decision))
    }
}

/// The events' rows, numbered on from the last one. Their ids follow from the write's, so that a second attempt tells no second event.
pub(super) fn numbered(events: Vec<Event>, last: i64, decision: &Decision<'_>) -> Vec<EventRow> {
    let row = |(event, sequence): (Event, i64)| EventRow {
        id: format!("{}-{}", decision.entry.id(), sequence - last),
        name: event.name(),
        case_id: event.case_id().to_string(),
        sequence,
        created_at: decision.now.millis(),
        data: event.data(),
    };
    events.into_iter().zip(last + 1..).map(row).collect()
}

/// There is no such case.
pub(super) fn absent(id: &CaseId) -> Error {
    Error::not_found(ObjectKind::Case, id.as_str())
}

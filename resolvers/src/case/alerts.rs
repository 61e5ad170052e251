//! A case that somebody raises from observations of the alerts queue.
//!
//! It is made as any other: by the same statement, told by the same event, with the same entry of the audit log. It focuses on the actors that the
//! observations are mainly about, and concerns the others. An observation that is in a case is not raised again, so that two who work on one queue make
//! one case of an alert.
//!
//! Observations may be added to an open case by the same rule: it focuses on, or concerns, those of their actors that it has not. What it says of the others
//! stays.

use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::{LockedAlerts, PreparedAlert, PreparedAlerts};
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::case::{CaseActorRequest, CaseActorType, CaseType, CreateCase, GatheredBy, MAX_CASE_ACTORS};
use graph_schema::enum_name::EnumName;
use graph_schema::given::Given;
use graph_schema::id::{ActorId, CaseId, ObservationId, StepId, UserId, WorkflowId};
use graph_schema::json_object::JsonObject;
use graph_schema::workflow::{StepState, default_workflow};
use serde_json::json;

use super::contents::StoredCommunications;
use super::create::{CaseMore, NewCase, made};
use super::field_times::{FieldTimes, Said};
use super::stored::{CaseChange, Counters, CurrentCase, Step, absent};
use super::work::{CaseConflict, CaseConflictKind, check_total_size};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Part, Rank, Write};
use crate::reason::comment_fault;
use crate::values::word;
use crate::{Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed};

/// The most observations that one case is raised from.
const MOST: usize = 500;
/// Where a fault of the observations is.
const OBSERVATIONS: &str = "observationIds";
/// Where that of the workflow is.
const WORKFLOW: &str = "workflowId";
/// Every case of an alert is one of these.
const KIND: CaseType = CaseType::Analysis;

/// Raises one case from observations.
#[derive(Debug, Clone)]
pub struct RaiseAlerts {
    /// Those that become one case.
    pub observations: Vec<ObservationId>,
    /// The open case to which they are added; a new one is made when absent.
    pub case: Option<CaseId>,
    /// The version of that case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
    /// The workflow of a new case; the default one when absent.
    pub workflow: Option<WorkflowId>,
    /// The user to whom a new case is given; nobody when absent.
    pub assignee: Option<UserId>,
    /// What is said of the case.
    pub comment: Option<String>,
}

impl RaiseAlerts {
    /// That a comment says something, and of each of so many cases not too much for all of them.
    pub fn check_comment(comment: &str, cases: usize) -> Result<()> {
        if let Some(fault) = comment_fault(comment) {
            return Err(Error::Invalid(vec![fault]));
        }
        check_total_size(cases, comment.len(), "comment").map_err(|error| renamed(error, "cases", OBSERVATIONS))
    }
}

impl Resolvers {
    /// Raises one case from observations whose records have come and of which none is in a case, or adds them to one: answers with its id. Told by
    /// `case.created`, or by `case.updated`; then by `case.assigned` and `case.commented`, where the request says so. The same request with the same key makes
    /// nothing, and has the same answer.
    #[boxed]
    pub async fn raise_alerts(&self, caller: &Caller, raise: RaiseAlerts, key: Option<IdempotencyKey>) -> Result<CaseId> {
        let inner = &self.inner;
        let id = raise.case.clone().unwrap_or_else(|| CaseId::new(inner.clock.id()));
        let permit = inner.enter(caller, Action::WorkOnCase, Subject::One("Case", id.as_str()))?;
        let RaiseAlerts { observations, case, expected_version, workflow, assignee, comment } = raise;
        // In one order, as they are locked, and each once.
        let observations: Vec<ObservationId> = observations.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        if observations.is_empty() || observations.len() > MOST {
            return Err(Error::invalid(OBSERVATIONS, format!("must name 1 to {MOST} observations")));
        }
        refuse_of_new_cases(case.is_some(), workflow.as_ref(), assignee.as_ref())?;
        refuse_of_no_case(case.is_some(), expected_version)?;
        comment.as_deref().map_or(Ok(()), |comment| RaiseAlerts::check_comment(comment, 1))?;
        let said = said(&observations, (&case, expected_version), &workflow, &assignee, &comment);
        let (action, first) = match &case {
            Some(_) => ("case.updated", inner.adding_part(&permit, &id, &observations, expected_version)),
            None => {
                let workflow = workflow.unwrap_or_else(|| default_workflow(KIND));
                ("case.created", inner.raising_part(&permit, &id, workflow, observations.clone()))
            }
        };
        let mut parts = vec![first];
        parts.extend(assignee.map(|to| inner.assigning_part(&permit, &id, to)));
        parts.extend(comment.map(|text| inner.commenting_part(&permit, &id, text)));
        let request = (action, case.as_ref().map_or("", |case| case.as_str()));
        match inner.answer_all_once(&permit, request, Once { key, body: &said }, id.to_string(), parts).await {
            Ok(answered) => Ok(CaseId::new(answered.text)),
            Err(error) => Err(inner.why_not(&permit, case.as_ref(), &observations, error).await),
        }
    }
}

impl Inner {
    /// The write that makes a case of observations.
    fn raising_part(&self, permit: &Permit<'_>, id: &CaseId, workflow: WorkflowId, observations: Vec<ObservationId>) -> Part {
        let entry = self.entry(permit, "Case", id.as_str(), "case.created").in_case(id.as_str());
        let user = UserId::new(permit.caller().id.as_str());
        let row = ToRaise { id: id.clone(), workflow, user, observations: observations.clone(), gathered: None };
        Part::new(&Amending::<Raise>::NEW, in_turn(Write::new(row, entry), &observations))
    }

    /// The write that adds observations to a case.
    fn adding_part(&self, permit: &Permit<'_>, case: &CaseId, observations: &[ObservationId], expected_version: Option<i64>) -> Part {
        let id = case.as_str();
        let said = json!({"observationIds": observations}).to_string();
        let entry = self.entry(permit, "Case", id, "case.updated").in_case(id).with_new_value(said);
        let by = permit.caller().id.clone();
        let row = AlertsToAdd { case: case.clone(), expected_version, observations: observations.to_vec(), by };
        Part::new(&Amending::<AddAlerts>::NEW, in_turn(Write::new(row, entry), observations))
    }

    /// Why nothing was raised, in the names of the request. Nothing is locked where the case or the workflow is not there, and neither where none of the
    /// observations is: which of them it was is found out here.
    async fn why_not(&self, permit: &Permit<'_>, case: Option<&CaseId>, observations: &[ObservationId], error: Error) -> Error {
        let may_be_the_case = matches!(error, Error::NotFound { kind: ObjectKind::Observation, .. });
        let may_be_observations = matches!(&error, Error::Invalid(faults) if faults.iter().any(|fault| fault.at == WORKFLOW));
        match case {
            Some(case) if may_be_the_case => {
                match self.read(permit, statements::bulk::CASES_THERE, Params::none().with("ids", vec![case.as_str()])).await {
                    Ok(there) if there.is_empty() => absent(case),
                    Ok(_) => error,
                    Err(unread) => unread.into(),
                }
            }
            None if may_be_observations => match self.has_any(permit, observations).await {
                Ok(true) => error,
                Ok(false) => none_there(observations),
                Err(unread) => unread,
            },
            _ => renamed(error, "userId", "assigneeId"),
        }
    }

    /// Whether the record of any of these observations has come.
    async fn has_any(&self, permit: &Permit<'_>, observations: &[ObservationId]) -> Result<bool> {
        let others = ["actors", "locations", "communications", "groups", "transactions", "workflows"];
        let params = others.into_iter().fold(Params::none(), |params, kind| params.with(kind, Vec::<&str>::new()));
        let ids: Vec<&str> = observations.iter().map(|id| id.as_str()).collect();
        Ok(!self.read(permit, statements::bulk::PRESENT, params.with("observations", ids)).await?.is_empty())
    }
}

/// Of two that raise the same observation the second is told what the first has made.
fn in_turn<R>(write: Write<R>, observations: &[ObservationId]) -> Write<R> {
    observations.iter().fold(write, |write, observation| write.describing("Observation", observation.as_str()))
}

/// What is compared when a key is used again. What older programs did not know is not there unless it is said.
fn said(
    observations: &[ObservationId],
    (case, expected_version): (&Option<CaseId>, Option<i64>),
    workflow: &Option<WorkflowId>,
    assignee: &Option<UserId>,
    comment: &Option<String>,
) -> String {
    let mut said = json!({"observationIds": observations, "workflowId": workflow});
    let more = [("caseId", json!(case)), ("expectedVersion", json!(expected_version)), ("assigneeId", json!(assignee)), ("comment", json!(comment))];
    for (name, value) in more.into_iter().filter(|(_, value)| !value.is_null()) {
        said[name] = value;
    }
    said.to_string()
}

/// A field may have another name here than in other work on cases.
fn renamed(error: Error, elsewhere: &str, here: &str) -> Error {
    match error {
        Error::Invalid(mut faults) => {
            faults.iter_mut().filter(|fault| fault.at == elsewhere).for_each(|fault| here.clone_into(&mut fault.at));
            Error::Invalid(faults)
        }
        error => error,
    }
}

/// What is said of a new case is not said of one that is there.
fn refuse_of_new_cases(is_there: bool, workflow: Option<&WorkflowId>, assignee: Option<&UserId>) -> Result<()> {
    let wrong = |at: &str, instead: &str| Err(Error::invalid(at, format!("is for a new case: leave it out where caseId is given{instead}")));
    match (is_there, workflow, assignee) {
        (true, Some(_), _) => wrong(WORKFLOW, ""),
        (true, None, Some(_)) => wrong("assigneeId", ", and use assignCase"),
        _ => Ok(()),
    }
}

/// A new case has no version by which anything was decided.
fn refuse_of_no_case(is_there: bool, expected_version: Option<i64>) -> Result<()> {
    if is_there || expected_version.is_none() {
        return Ok(());
    }
    Err(Error::invalid("expectedVersion", "is of the case that caseId names: leave it out for a new case"))
}

/// None of these observations is there: the first of them is named.
fn none_there(observations: &[ObservationId]) -> Error {
    Error::not_found(ObjectKind::Observation, observations.first().map_or("", |id| id.as_str()))
}

/// A case to be raised.
pub(super) struct ToRaise {
    pub id: CaseId,
    pub workflow: WorkflowId,
    pub user: UserId,
    pub observations: Vec<ObservationId>,
    /// Of findings that detection gathers: by what, and the case's metadata.
    pub gathered: Option<(GatheredBy, JsonObject)>,
}

/// Makes the case, unless one was raised from one of its observations; of findings that are gathered those are left out. It locks the actors on which the case
/// focuses as well. Where somebody raises it they are not known beforehand: what else locks one of them is kept apart by the database, and not by the queue.
pub(super) struct Raise;

impl Amend for Raise {
    type Row = ToRaise;
    type Locked = PreparedAlerts;
    type Stored = PreparedAlerts;
    type Answer = ();

    const LOCK: Reading<PreparedAlerts> = statements::case::PREPARE_ALERTS;
    const WRITE: WriteStatement = statements::case::CREATE;
    const RANK: Rank = Rank::Case;

    fn id(row: &ToRaise) -> &str {
        row.id.as_str()
    }

    fn lock_row(row: &ToRaise, write_id: &str) -> Value {
        let observations: Vec<&str> = row.observations.iter().map(|id| id.as_str()).collect();
        map([
            ("id", row.id.as_str().into()),
            ("writeId", write_id.into()),
            ("workflow", row.workflow.as_str().into()),
            ("caseType", word(&KIND)),
            ("observations", observations.into()),
        ])
    }

    fn size(row: &ToRaise) -> usize {
        1_000 + row.observations.iter().map(|id| 2 * id.as_str().len()).sum::<usize>()
    }

    fn decide(row: &ToRaise, prepared: Option<PreparedAlerts>, decision: Decision<'_>) -> Result<Amended<()>> {
        let prepared = prepared.ok_or_else(|| nothing_prepared(row))?;
        let mut alerts: Vec<&PreparedAlert> = prepared.observations.iter().collect();
        match &row.gathered {
            None => check(&row.observations, &prepared.observations)?,
            // Another worker has made it: what it has not is added to it the next time.
            Some(_) if prepared.is_made => return Ok(Amended::nothing(())),
            Some(_) => alerts.retain(|alert| alert.known && !alert.handled && alert.cases.is_empty()),
        }
        if alerts.is_empty() {
            return Ok(Amended::nothing(()));
        }
        let mut actors = actors_of(&alerts);
        if row.gathered.is_some() {
            // Nobody waits who could be told that there are too many: those in the focus come first.
            actors.sort_by_key(|actor| actor.kind != Some(CaseActorType::Focal));
            actors.truncate(MAX_CASE_ACTORS);
        } else if actors.len() > MAX_CASE_ACTORS {
            let problem = format!("are about {} actors; a case has at most {MAX_CASE_ACTORS} when it is made", actors.len());
            return Err(Error::invalid(OBSERVATIONS, problem));
        }
        let request = CreateCase {
            id: Some(row.id.clone()),
            kind: Some(KIND),
            workflow_id: Some(row.workflow.clone()),
            actors: Some(actors),
            observation_ids: Some(alerts.iter().map(|alert| ObservationId::new(alert.id.as_str())).collect()),
            metadata: row.gathered.as_ref().map(|(_, metadata)| metadata.clone()),
            ..CreateCase::default()
        };
        let given = Given::made(request).map_err(|error| Error::Internal(error.to_string()))?;
        let first_step = Step { node: prepared.step, id: StepId::new(prepared.step_id), status: prepared.status, state: prepared.state };
        let more = CaseMore::gathered(row.gathered.as_ref().map(|(by, _)| *by));
        let new = NewCase { id: row.id.clone(), workflow: row.workflow.clone(), user: row.user.clone(), given, more };
        let record = new.given.record.to_string();
        let mut amended = made(&new, &first_step, &StoredCommunications::default(), &decision);
        amended.values.new = Some(record);
        Ok(amended)
    }
}

/// Why nothing was found: the default workflow is always there. Of another one it is not known yet whether the observations are to blame ([`Inner::why_not`]).
fn nothing_prepared(row: &ToRaise) -> Error {
    if row.workflow == default_workflow(KIND) {
        return none_there(&row.observations);
    }
    Error::invalid(WORKFLOW, format!("there is no workflow with this id for cases of the type {}", KIND.text()))
}

/// That all observations are known, and of none a case was raised.
fn check(observations: &[ObservationId], found: &[PreparedAlert]) -> Result<()> {
    let known: BTreeMap<&str, &PreparedAlert> = found.iter().filter(|alert| alert.known).map(|alert| (alert.id.as_str(), alert)).collect();
    for id in observations {
        let alert = known.get(id.as_str()).ok_or_else(|| Error::not_found(ObjectKind::Observation, id.as_str()))?;
        if let Some(case) = alert.cases.first() {
            return Err(Error::invalid(OBSERVATIONS, format!("the observation {id} is in the case {case} already")));
        }
    }
    Ok(())
}

/// Whom the observations are about, each actor once: whoever one of them is mainly about is in the focus.
fn actors_of(alerts: &[&PreparedAlert]) -> Vec<CaseActorRequest> {
    let mut actors: BTreeMap<&str, bool> = BTreeMap::new();
    for actor in alerts.iter().flat_map(|alert| &alert.actors) {
        *actors.entry(actor.id.as_str()).or_default() |= actor.primary;
    }
    let request = |(id, primary): (&str, bool)| {
        let kind = if primary { CaseActorType::Focal } else { CaseActorType::Connection };
        CaseActorRequest { id: ActorId::new(id), kind: Some(kind) }
    };
    actors.into_iter().map(request).collect()
}

/// Observations to be added to a case.
struct AlertsToAdd {
    case: CaseId,
    expected_version: Option<i64>,
    /// Each once, in the order of their ids.
    observations: Vec<ObservationId>,
    by: String,
}

/// A case, and what is to be added to it.
struct StoredAlerts {
    counters: Counters,
    current: CurrentCase,
    times: FieldTimes,
    observations: Vec<PreparedAlert>,
    /// Those of their actors that are the case's.
    linked: BTreeSet<String>,
}

impl From<LockedAlerts> for StoredAlerts {
    fn from(row: LockedAlerts) -> Self {
        let mut linked = BTreeSet::new();
        let observations = row.observations.into_iter().map(|found| {
            linked.extend(found.linked);
            PreparedAlert { id: found.id, known: found.known, handled: found.handled, actors: found.actors, cases: found.cases }
        });
        let observations = observations.collect();
        let mut actions = row.actions;
        actions.dedup();
        let current = CurrentCase {
            version: row.version,
            step_id: StepId::new(row.step_id),
            status: row.status,
            state: row.state,
            assignee: row.assignee.map(UserId::new),
            actions,
        };
        Self {
            counters: Counters { version: row.version, event_sequence: row.event_sequence },
            current,
            times: FieldTimes::stored(row.field_times.as_deref(), row.logical_time, row.clock),
            observations,
            linked,
        }
    }
}

/// Adds observations to an open case.
struct AddAlerts;

impl Amend for AddAlerts {
    type Row = AlertsToAdd;
    type Locked = LockedAlerts;
    type Stored = StoredAlerts;
    type Answer = ();

    const LOCK: Reading<LockedAlerts> = statements::case::LOCK_ALERTS;
    const WRITE: WriteStatement = statements::case::EXTEND;
    const RANK: Rank = Rank::Case;

    fn id(row: &AlertsToAdd) -> &str {
        row.case.as_str()
    }

    fn lock_row(row: &AlertsToAdd, write_id: &str) -> Value {
        let observations: Vec<&str> = row.observations.iter().map(|id| id.as_str()).collect();
        map([("id", row.case.as_str().into()), ("writeId", write_id.into()), ("observations", observations.into())])
    }

    fn size(row: &AlertsToAdd) -> usize {
        1_000 + row.observations.iter().map(|id| 2 * id.as_str().len()).sum::<usize>()
    }

    fn decide(row: &AlertsToAdd, stored: Option<StoredAlerts>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| none_there(&row.observations))?;
        if row.expected_version.is_some_and(|expected| expected != stored.counters.version) {
            return Err(Error::CaseConflict(Box::new(CaseConflict { kind: CaseConflictKind::Stale, current: stored.current })));
        }
        if stored.current.state == StepState::Closed {
            return Err(Error::invalid("caseId", "is the id of a case that is closed; reopen it, or leave caseId out for a new case"));
        }
        check(&row.observations, &stored.observations)?;
        let alerts: Vec<&PreparedAlert> = stored.observations.iter().collect();
        let actors: Vec<_> = actors_of(&alerts).into_iter().filter(|actor| !stored.linked.contains(actor.id.as_str())).collect();
        if actors.len() > MAX_CASE_ACTORS {
            let problem = format!("are about {} more actors; add at most {MAX_CASE_ACTORS} at once", actors.len());
            return Err(Error::invalid(OBSERVATIONS, problem));
        }
        let of_type = |wanted: CaseActorType| -> Value {
            let of_it = actors.iter().filter(|actor| actor.kind.unwrap_or_default() == wanted);
            Value::List(of_it.map(|actor| map([("id", actor.id.as_str().into()), ("props", Value::Map(Vec::new()))])).collect())
        };
        let times = stored.times.with(actors.iter().map(|actor| Said::actor(actor.id.as_str(), false)), &decision);
        let observations: Vec<&str> = row.observations.iter().map(|id| id.as_str()).collect();
        let nothing = || Value::List(Vec::new());
        let more = [
            ("relinked", nothing()),
            ("focal", of_type(CaseActorType::Focal)),
            ("connected", of_type(CaseActorType::Connection)),
            ("observations", observations.into()),
            ("linkedAt", decision.now.millis().into()),
            ("linkedBy", decision.entry.id().into()),
            ("by", row.by.as_str().into()),
            ("named", nothing()),
            ("described", nothing()),
        ];
        let change = CaseChange::of(&row.case, stored.counters).setting(times);
        Ok(change.telling_of_an_update().amended((), &decision, more))
    }
}

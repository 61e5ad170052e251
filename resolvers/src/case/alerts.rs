//! A case that somebody raises from observations of the alerts queue.
//!
//! It is made as any other: by the same statement, told by the same event, with the same entry of the audit log. It focuses on the actors that the
//! observations are mainly about, and concerns the others. An observation that is in a case is not raised again, so that two who work on one queue make
//! one case of an alert.

use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::{PreparedAlert, PreparedAlerts};
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::case::{CaseActorRequest, CaseActorType, CaseType, CreateCase, MAX_CASE_ACTORS};
use graph_schema::enum_name::EnumName;
use graph_schema::given::Given;
use graph_schema::id::{ActorId, CaseId, ObservationId, StepId, UserId, WorkflowId};
use graph_schema::json_object::JsonObject;
use graph_schema::workflow::default_workflow;
use serde_json::json;

use super::contents::StoredCommunications;
use super::create::{CaseMore, NewCase, made};
use super::gather::GatheredBy;
use super::stored::Step;
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::values::word;
use crate::{Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

/// The most observations that one case is raised from.
const MOST: usize = 500;
/// Where a fault of the observations is.
const OBSERVATIONS: &str = "observationIds";
/// Every case of an alert is one of these.
const KIND: CaseType = CaseType::Analysis;

/// Raises one case from observations.
#[derive(Debug, Clone)]
pub struct RaiseAlerts {
    /// Those that become one case.
    pub observations: Vec<ObservationId>,
    /// The workflow of the case; the default one when absent.
    pub workflow: Option<WorkflowId>,
}

impl Resolvers {
    /// Raises one case from observations whose records have come and of which none is in a case: answers with its id. Told by `case.created`. The same
    /// request with the same key makes nothing, and has the same answer.
    #[boxed]
    pub async fn raise_alerts(&self, caller: &Caller, raise: RaiseAlerts, key: Option<IdempotencyKey>) -> Result<CaseId> {
        let inner = &self.inner;
        let id = CaseId::new(inner.clock.id());
        let permit = inner.enter(caller, Action::WorkOnCase, Subject::One("Case", id.as_str()))?;
        let RaiseAlerts { observations, workflow } = raise;
        // In one order, as they are locked, and each once.
        let observations: BTreeSet<ObservationId> = observations.into_iter().collect();
        if observations.is_empty() || observations.len() > MOST {
            return Err(Error::invalid(OBSERVATIONS, format!("must name 1 to {MOST} observations")));
        }
        let said = json!({"observationIds": observations, "workflowId": workflow}).to_string();
        let entry = inner.entry(&permit, "Case", id.as_str(), "case.created").in_case(id.as_str());
        let answer = id.to_string();
        let row = ToRaise {
            id,
            workflow: workflow.unwrap_or_else(|| default_workflow(KIND)),
            user: UserId::new(caller.id.as_str()),
            observations: observations.iter().cloned().collect(),
            gathered: None,
        };
        // Of two that raise the same observation the second is told what the first has made.
        let write = observations.iter().fold(Write::new(row, entry), |write, observation| write.describing("Observation", observation.as_str()));
        let once = Once { key, body: &said };
        let answered = inner.answer_new_once(&permit, once, answer, &Amending::<Raise>::NEW, write).await?;
        Ok(CaseId::new(answered.text))
    }
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
            None => check(row, &prepared.observations)?,
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

/// Why nothing was found: the default workflow is always there.
fn nothing_prepared(row: &ToRaise) -> Error {
    let first = row.observations.first().map_or("", |id| id.as_str());
    if row.workflow == default_workflow(KIND) {
        return Error::not_found(ObjectKind::Observation, first);
    }
    let problem = format!("there is no workflow with this id for cases of the type {}, or none of the observations is there", KIND.text());
    Error::invalid("workflowId", problem)
}

/// That all observations are known, and of none a case was raised.
fn check(row: &ToRaise, found: &[PreparedAlert]) -> Result<()> {
    let known: BTreeMap<&str, &PreparedAlert> = found.iter().filter(|alert| alert.known).map(|alert| (alert.id.as_str(), alert)).collect();
    for id in &row.observations {
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

//! Making a case from an observation.

use cypher::statements::rows::RaisedCase;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::case::{CaseActorRequest, CaseActorType, CaseType, CreateCase};
use graph_schema::given::Given;
use graph_schema::id::{ActorId, CaseId, ObservationId, StepId, UserId, WorkflowId};
use graph_schema::observation::ObservationRecord;
use graph_schema::workflow::default_workflow;

use super::contents::StoredCommunications;
use super::create::{CaseMore, NewCase, made};
use super::stored::Step;
use crate::derived_id::digest_uuid;
use crate::policy::Permit;
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::{Error, Inner, Result};

/// Makes cases from observations.
pub(crate) static RAISE_CASE: Amending<RaiseCase> = Amending::NEW;

/// The case that is made from an observation when it comes in: one, however often it comes.
pub(crate) fn raised_case_id(observation: &ObservationId) -> CaseId {
    CaseId::new(digest_uuid("case-of-observation", &[observation.as_str()]))
}

impl Inner {
    /// The write that makes the case of an observation, unless it was made before. It comes behind the write of the observation itself.
    pub(crate) fn raise_case_write(&self, permit: &Permit<'_>, id: CaseId, observation: &ObservationRecord) -> Write<ToRaise> {
        let entry = self.entry(permit, "Case", id.as_str(), "case.created").in_case(id.as_str());
        let locks: Vec<LockHint> = observation.actors.iter().flatten().map(|actor| LockHint::of("Actor", actor.actor_id.as_str())).collect();
        let workflow = default_workflow(CaseType::Analysis);
        let user = UserId::new(permit.caller().id.as_str());
        Write::new(ToRaise { id, observation: observation.id.clone(), workflow, user }, entry).locking(locks)
    }
}

/// A case to be made from an observation.
pub(crate) struct ToRaise {
    id: CaseId,
    observation: ObservationId,
    workflow: WorkflowId,
    user: UserId,
}

/// Makes the case of an observation, unless it was made before.
pub(crate) struct RaiseCase;

impl Amend for RaiseCase {
    type Row = ToRaise;
    type Locked = RaisedCase;
    type Stored = RaisedCase;
    type Answer = ();

    const LOCK: Reading<RaisedCase> = statements::case::PREPARE_RAISED;
    const WRITE: WriteStatement = statements::case::CREATE;
    const RANK: Rank = Rank::Case;

    fn id(case: &ToRaise) -> &str {
        case.id.as_str()
    }

    fn lock_row(case: &ToRaise, write_id: &str) -> Value {
        map([
            ("id", case.id.as_str().into()),
            ("writeId", write_id.into()),
            ("workflow", case.workflow.as_str().into()),
            ("observation", case.observation.as_str().into()),
        ])
    }

    fn decide(case: &ToRaise, prepared: Option<RaisedCase>, decision: Decision<'_>) -> Result<Amended<()>> {
        let prepared = prepared.ok_or_else(|| Error::Internal("the workflow of a case that is to be raised is not there".to_owned()))?;
        if prepared.record.is_some() {
            return Ok(Amended::nothing(()));
        }
        let actor = |(id, primary): (String, bool)| {
            let kind = if primary { CaseActorType::Focal } else { CaseActorType::Connection };
            CaseActorRequest { id: ActorId::new(id), kind: Some(kind) }
        };
        let actors = prepared.actors.into_iter().map(|found| actor((found.id, found.primary))).collect();
        let request = CreateCase {
            id: Some(case.id.clone()),
            kind: Some(CaseType::Analysis),
            actors: Some(actors),
            observation_ids: Some(vec![case.observation.clone()]),
            ..CreateCase::default()
        };
        let given = Given::made(request).map_err(|error| Error::Internal(error.to_string()))?;
        let first_step = Step { node: prepared.step, id: StepId::new(prepared.step_id), status: prepared.status, state: prepared.state };
        let new = NewCase { id: case.id.clone(), workflow: case.workflow.clone(), user: case.user.clone(), given, more: CaseMore::default() };
        let record = new.given.record.to_string();
        let mut amended = made(&new, &first_step, &StoredCommunications::default(), &decision);
        amended.values.new = Some(record);
        Ok(amended)
    }
}

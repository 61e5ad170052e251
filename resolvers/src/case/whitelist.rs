//! Whitelisting an observation that a case was raised from: it is known, and nothing to look into.
//!
//! It is done once. Who whitelists an observation again changes nothing, whatever is said with it: who did it first, when and why stays as it is, and
//! no second event tells of it.

use cypher::{Value, WriteStatement, map, statements};
use graph_schema::event::{CaseObservationsActioned, Event, ObservationAction};
use graph_schema::id::{CaseId, ObservationId};
use serde_json::json;

use super::stored::StoredCase;
use super::work::{CaseWork, LONGEST_COMMENT, Work, may_say};
use crate::derived_id::digest_id;
use crate::queue::{Amended, Decision};
use crate::values::word;
use crate::{Caller, IdempotencyKey, Resolvers, Result, boxed};

/// Whitelists an observation of a case.
#[derive(Debug, Clone)]
pub struct WhitelistObservation {
    pub case: CaseId,
    pub observation: ObservationId,
    /// Why.
    pub comment: Option<String>,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

impl Resolvers {
    /// Whitelists an observation of a case. Told by `case.observations.actioned`, unless that was done before.
    #[boxed]
    pub async fn whitelist_observation(&self, caller: &Caller, whitelist: WhitelistObservation, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.decide_on(caller, &whitelist.case)?;
        may_say("comment", whitelist.comment.as_deref(), LONGEST_COMMENT)?;
        let said = json!({"observationId": whitelist.observation, "actionName": ObservationAction::Whitelist, "comment": whitelist.comment});
        let work = Work::of(&permit, whitelist.case.clone(), whitelist.expected_version, whitelist);
        let write = work.written("case.observations.actioned", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }
}

impl CaseWork for WhitelistObservation {
    const WRITE: WriteStatement = statements::case::ACT_ON_OBSERVATION;

    fn observations(&self) -> Vec<&str> {
        vec![self.observation.as_str()]
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        const ACTION: ObservationAction = ObservationAction::Whitelist;
        let WhitelistObservation { observation, comment, .. } = &work.what;
        let known = stored.observation(observation)?;
        if known.action == Some(ACTION) {
            return Ok(None);
        }
        let event = Event::CaseObservationsActioned(CaseObservationsActioned {
            id: work.case.clone(),
            observation_id: observation.clone(),
            action_name: ACTION,
            user_id: work.by.clone(),
            comment: comment.clone(),
            case_metadata: stored.metadata.clone(),
            observation_metadata: known.metadata.clone(),
            observation_custom_data: known.custom_data.clone(),
        });
        let action = map([
            ("name", word(&ACTION)),
            ("action", word(&ACTION)),
            ("userId", work.by.as_str().into()),
            ("createdAt", decision.now.millis().into()),
            ("comment", comment.as_deref().into()),
            ("caseId", work.case.as_str().into()),
            ("observationId", observation.as_str().into()),
        ]);
        let id: Value = digest_id("observation-action", &[work.case.as_str(), observation.as_str()]).into();
        let more = [("observation", observation.as_str().into()), ("actionId", id), ("action", action)];
        Ok(Some(work.change(stored).telling(event).amended((), decision, more)))
    }
}

//! What people think of the observations that a case was raised from.

use cypher::{Value, WriteStatement, map, statements};
use graph_schema::event::{CaseObservationsFeedbackUpdated, Event};
use graph_schema::id::{CaseId, ObservationId};
use serde_json::json;

use super::stored::StoredCase;
use super::work::{CaseWork, Work, must_say};
use crate::derived_id::digest_id;
use crate::queue::{Amended, Decision};
use crate::{Caller, IdempotencyKey, Resolvers, Result, boxed};

/// Says what somebody thinks of an observation of a case.
#[derive(Debug, Clone)]
pub struct GiveFeedback {
    pub case: CaseId,
    pub observation: ObservationId,
    /// Such as `TRUE_POSITIVE`.
    pub feedback: String,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

/// The longest feedback, in characters.
const LONGEST: usize = 1_000;

impl Resolvers {
    /// Gives feedback on an observation of a case, in place of what was said before. Told by `case.observations.feedback.updated`, unless just that
    /// had been said.
    #[boxed]
    pub async fn give_feedback(&self, caller: &Caller, give: GiveFeedback, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &give.case)?;
        must_say("feedback", &give.feedback, LONGEST)?;
        let said = json!({"observationId": give.observation, "feedback": give.feedback});
        let work = Work::of(&permit, give.case.clone(), give.expected_version, give);
        let write = work.written("case.observations.feedback.updated", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }
}

impl CaseWork for GiveFeedback {
    const WRITE: WriteStatement = statements::case::GIVE_FEEDBACK;

    fn observations(&self) -> Vec<&str> {
        vec![self.observation.as_str()]
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let GiveFeedback { observation, feedback, .. } = &work.what;
        let before = &stored.observation(observation)?.feedback;
        if before.as_deref() == Some(feedback.as_str()) {
            return Ok(None);
        }
        let event = Event::CaseObservationsFeedbackUpdated(CaseObservationsFeedbackUpdated {
            id: work.case.clone(),
            user_id: work.by.clone(),
            observation_id: observation.clone(),
            feedback: feedback.clone(),
        });
        let given = map([
            ("name", feedback.as_str().into()),
            ("feedback", feedback.as_str().into()),
            ("userId", work.by.as_str().into()),
            ("createdAt", decision.now.millis().into()),
            ("caseId", work.case.as_str().into()),
            ("observationId", observation.as_str().into()),
        ]);
        let id: Value = digest_id("feedback", &[work.case.as_str(), observation.as_str()]).into();
        let more = [("observation", observation.as_str().into()), ("feedbackId", id), ("formerId", decision.entry.id().into()), ("feedback", given)];
        let said_before = before.as_ref().map(|before| json!({"observationId": observation, "feedback": before}).to_string());
        Ok(Some(work.change(stored).telling(event).amended((), decision, more).replacing(said_before)))
    }
}

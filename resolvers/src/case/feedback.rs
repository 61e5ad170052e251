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

/// Says what somebody thinks of an observation of a case, or takes it back.
#[derive(Debug, Clone)]
pub struct GiveFeedback {
    pub case: CaseId,
    pub observation: ObservationId,
    /// Such as `TRUE_POSITIVE`. What was said before is taken back, when absent.
    pub feedback: Option<String>,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

/// The longest feedback, in characters.
const LONGEST: usize = 1_000;

impl Resolvers {
    /// Gives feedback on an observation of a case, in place of what was said before, or takes that back. Told by `case.observations.feedback.updated`, unless
    /// it was so already.
    #[boxed]
    pub async fn give_feedback(&self, caller: &Caller, give: GiveFeedback, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &give.case)?;
        let GiveFeedback { case, observation, feedback, expected_version } = give;
        let said = json!({"observationId": observation, "feedback": feedback});
        let action = "case.observations.feedback.updated";
        let Some(feedback) = feedback else {
            let write = Work::of(&permit, case, expected_version, WithdrawnFeedback(observation)).written(action, &said, &self.inner, &permit);
            return self.done(&permit, &said, write, key).await;
        };
        must_say("feedback", &feedback, LONGEST)?;
        let write = Work::of(&permit, case, expected_version, NewFeedback { observation, feedback }).written(action, &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }
}

/// Feedback to be given.
struct NewFeedback {
    observation: ObservationId,
    feedback: String,
}

/// The observation whose feedback is taken back.
struct WithdrawnFeedback(ObservationId);

/// The one feedback that is given on an observation in a case.
fn feedback_id(case: &CaseId, observation: &ObservationId) -> Value {
    digest_id("feedback", &[case.as_str(), observation.as_str()]).into()
}

fn event(work: &Work<impl Send>, observation: &ObservationId, feedback: Option<&str>) -> Event {
    Event::CaseObservationsFeedbackUpdated(CaseObservationsFeedbackUpdated {
        id: work.case.clone(),
        user_id: work.by.clone(),
        observation_id: observation.clone(),
        feedback: feedback.map(str::to_owned),
    })
}

/// What the audit entry says of it.
fn said_of(observation: &ObservationId, before: &str) -> String {
    json!({"observationId": observation, "feedback": before}).to_string()
}

impl CaseWork for NewFeedback {
    const WRITE: WriteStatement = statements::case::GIVE_FEEDBACK;

    fn observations(&self) -> Vec<&str> {
        vec![self.observation.as_str()]
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let NewFeedback { observation, feedback } = &work.what;
        let before = &stored.observation(observation)?.feedback;
        if before.as_deref() == Some(feedback.as_str()) {
            return Ok(None);
        }
        let given = map([
            ("name", feedback.as_str().into()),
            ("feedback", feedback.as_str().into()),
            ("userId", work.by.as_str().into()),
            ("createdAt", decision.now.millis().into()),
            ("caseId", work.case.as_str().into()),
            ("observationId", observation.as_str().into()),
        ]);
        let more = [
            ("observation", observation.as_str().into()),
            ("feedbackId", feedback_id(&work.case, observation)),
            ("formerId", decision.entry.id().into()),
            ("feedback", given),
        ];
        let said_before = before.as_ref().map(|before| said_of(observation, before));
        let change = work.change(stored).telling(event(work, observation, Some(feedback.as_str())));
        Ok(Some(change.amended((), decision, more).replacing(said_before)))
    }
}

impl CaseWork for WithdrawnFeedback {
    const WRITE: WriteStatement = statements::case::WITHDRAW_FEEDBACK;

    fn observations(&self) -> Vec<&str> {
        vec![self.0.as_str()]
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let observation = &work.what.0;
        let Some(before) = &stored.observation(observation)?.feedback else { return Ok(None) };
        let more = [
            ("observation", observation.as_str().into()),
            ("feedbackId", feedback_id(&work.case, observation)),
            ("formerId", decision.entry.id().into()),
            ("until", decision.now.millis().into()),
        ];
        let change = work.change(stored).telling(event(work, observation, None));
        Ok(Some(change.amended((), decision, more).replacing(Some(said_of(observation, before)))))
    }
}

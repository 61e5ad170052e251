//! Dismissing an observation without a case: somebody has looked at it, and there is nothing to look into.
//!
//! It is done once. Whoever dismisses an observation again changes nothing: who did it first, when and why stays as it is. It may be taken back: then the
//! dismissal is kept as one that was, and the observation may be dismissed again.

use std::sync::Arc;

use cypher::statements::rows::DismissedObservation;
use cypher::{Reading, WriteStatement, map, statements};
use graph_schema::fault::Fault;
use graph_schema::id::ObservationId;
use serde_json::json;

use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::reason::{feedback_fault, reason_fault};
use crate::{Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

/// Characters of the reason that a dismissal is called by.
const CAPTION: usize = 60;

/// Dismisses an observation.
#[derive(Debug, Clone)]
pub struct DismissObservation {
    pub observation: ObservationId,
    /// Why.
    pub reason: String,
    /// What is thought of the finding, such as `FALSE_POSITIVE`: it counts for the rule as feedback in a case does.
    pub feedback: Option<String>,
}

/// Takes the dismissal of an observation back.
#[derive(Debug, Clone)]
pub struct RestoreObservation {
    pub observation: ObservationId,
    /// Why.
    pub reason: Option<String>,
}

impl Resolvers {
    /// Dismisses an observation whose record has come, unless that was done before.
    #[boxed]
    pub async fn dismiss_observation(&self, caller: &Caller, dismiss: DismissObservation, key: Option<IdempotencyKey>) -> Result<()> {
        let inner = &self.inner;
        let id = dismiss.observation.as_str();
        let permit = inner.enter(caller, Action::Decide, Subject::One("Observation", id))?;
        let faults: Vec<Fault> = reason_fault(&dismiss.reason).into_iter().chain(dismiss.feedback.as_deref().and_then(feedback_fault)).collect();
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let said = said_of(id, &dismiss.reason, dismiss.feedback.as_deref());
        let entry = inner.entry(&permit, "Observation", id, "observation.dismissed").with_new_value(Arc::from(said.as_str()));
        let row = Dismissal { by: caller.id.clone(), of: dismiss };
        inner.answer_once(&permit, Once { key, body: &said }, "", &Amending::<Dismiss>::NEW, Write::new(row, entry)).await.map(drop)
    }

    /// Takes the dismissal of an observation back, with the feedback that was given with it. One that is not dismissed stays as it is.
    #[boxed]
    pub async fn restore_observation(&self, caller: &Caller, restore: RestoreObservation, key: Option<IdempotencyKey>) -> Result<()> {
        let inner = &self.inner;
        let id = restore.observation.as_str();
        let permit = inner.enter(caller, Action::Decide, Subject::One("Observation", id))?;
        if let Some(fault) = restore.reason.as_deref().and_then(reason_fault) {
            return Err(Error::Invalid(vec![fault]));
        }
        let said = json!({"observationId": id, "reason": restore.reason}).to_string();
        let entry = inner.entry(&permit, "Observation", id, "observation.restored").with_new_value(Arc::from(said.as_str()));
        let row = Restoration { by: caller.id.clone(), of: restore };
        inner.answer_once(&permit, Once { key, body: &said }, "", &Amending::<Restore>::NEW, Write::new(row, entry)).await.map(drop)
    }
}

/// What the audit entry says of a dismissal.
fn said_of(observation: &str, reason: &str, feedback: Option<&str>) -> String {
    let mut said = json!({"observationId": observation, "reason": reason});
    if let Some(feedback) = feedback {
        said["feedback"] = feedback.into();
    }
    said.to_string()
}

/// A dismissal to be kept, and whose it is.
struct Dismissal {
    by: String,
    of: DismissObservation,
}

/// Keeps the first dismissal of an observation that is there.
struct Dismiss;

impl Amend for Dismiss {
    type Row = Dismissal;
    type Locked = DismissedObservation;
    type Stored = DismissedObservation;
    type Answer = ();

    const LOCK: Reading<DismissedObservation> = statements::observation::LOCK_DISMISSED;
    const WRITE: WriteStatement = statements::observation::DISMISS;
    // Behind the record of the observation, should that come in the same transaction.
    const RANK: Rank = Rank::Case;

    fn id(row: &Dismissal) -> &str {
        row.of.observation.as_str()
    }

    fn decide(row: &Dismissal, stored: Option<DismissedObservation>, decision: Decision<'_>) -> Result<Amended<()>> {
        let id = Self::id(row);
        let stored = stored.filter(|stored| stored.record.is_some()).ok_or_else(|| Error::not_found(ObjectKind::Observation, id))?;
        if stored.dismissal.is_some() {
            return Ok(Amended::nothing(()));
        }
        let reason = row.of.reason.as_str();
        let caption: String = reason.trim().lines().next().unwrap_or_default().chars().take(CAPTION).collect();
        let props = map([
            ("name", caption.into()),
            ("reason", reason.into()),
            ("userId", row.by.as_str().into()),
            ("createdAt", decision.now.millis().into()),
            ("observationId", id.into()),
            ("feedback", row.of.feedback.as_deref().into()),
        ]);
        Ok(Amended::by((), map([("id", id.into()), ("dismissal", decision.entry.id().into()), ("props", props)])))
    }
}

/// A dismissal to be taken back, and by whom.
struct Restoration {
    by: String,
    of: RestoreObservation,
}

/// Ends the dismissal of an observation, which is kept.
struct Restore;

impl Amend for Restore {
    type Row = Restoration;
    type Locked = DismissedObservation;
    type Stored = DismissedObservation;
    type Answer = ();

    const LOCK: Reading<DismissedObservation> = statements::observation::LOCK_DISMISSED;
    const WRITE: WriteStatement = statements::observation::RESTORE;
    const RANK: Rank = Rank::Case;

    fn id(row: &Restoration) -> &str {
        row.of.observation.as_str()
    }

    fn decide(row: &Restoration, stored: Option<DismissedObservation>, decision: Decision<'_>) -> Result<Amended<()>> {
        let id = Self::id(row);
        let stored = stored.filter(|stored| stored.record.is_some()).ok_or_else(|| Error::not_found(ObjectKind::Observation, id))?;
        if stored.dismissal.is_none() {
            return Ok(Amended::nothing(()));
        }
        let before = said_of(id, stored.reason.as_deref().unwrap_or_default(), stored.feedback.as_deref());
        let restored = map([
            ("until", decision.now.millis().into()),
            ("restoredBy", row.by.as_str().into()),
            ("restoreReason", row.of.reason.as_deref().into()),
        ]);
        Ok(Amended::by((), map([("id", id.into()), ("restored", restored)])).replacing(Some(before)))
    }
}

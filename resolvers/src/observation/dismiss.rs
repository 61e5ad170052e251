//! Dismissing an observation without a case: somebody has looked at it, and there is nothing to look into.
//!
//! It is done once. Whoever dismisses an observation again changes nothing: who did it first, when and why stays as it is.

use std::sync::Arc;

use cypher::statements::rows::DismissedObservation;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::id::ObservationId;
use serde_json::json;

use crate::derived_id::digest_id;
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::reason::reason_fault;
use crate::{Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

/// Characters of the reason that a dismissal is called by.
const CAPTION: usize = 60;

/// Dismisses an observation.
#[derive(Debug, Clone)]
pub struct DismissObservation {
    pub observation: ObservationId,
    /// Why.
    pub reason: String,
}

impl Resolvers {
    /// Dismisses an observation whose record has come, unless that was done before.
    #[boxed]
    pub async fn dismiss_observation(&self, caller: &Caller, dismiss: DismissObservation, key: Option<IdempotencyKey>) -> Result<()> {
        let inner = &self.inner;
        let id = dismiss.observation.as_str();
        let permit = inner.enter(caller, Action::Decide, Subject::One("Observation", id))?;
        if let Some(fault) = reason_fault(&dismiss.reason) {
            return Err(Error::Invalid(vec![fault]));
        }
        let said = json!({"observationId": id, "reason": dismiss.reason}).to_string();
        let entry = inner.entry(&permit, "Observation", id, "observation.dismissed").with_new_value(Arc::from(said.as_str()));
        let row = Dismissal { dismissal: digest_id("observation-dismissal", &[id]), by: caller.id.clone(), of: dismiss };
        inner.answer_once(&permit, Once { key, body: &said }, "", &Amending::<Dismiss>::NEW, Write::new(row, entry)).await.map(drop)
    }
}

/// A dismissal to be kept, and whose it is.
struct Dismissal {
    /// Its id, which follows from the observation's.
    dismissal: String,
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

    fn lock_row(row: &Dismissal, write_id: &str) -> Value {
        map([("id", Self::id(row).into()), ("writeId", write_id.into()), ("dismissal", row.dismissal.as_str().into())])
    }

    fn decide(row: &Dismissal, stored: Option<DismissedObservation>, decision: Decision<'_>) -> Result<Amended<()>> {
        let id = Self::id(row);
        let stored = stored.filter(|stored| stored.record.is_some()).ok_or_else(|| Error::not_found(ObjectKind::Observation, id))?;
        if stored.dismissed_at.is_some() {
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
        ]);
        Ok(Amended::by((), map([("id", id.into()), ("dismissal", row.dismissal.as_str().into()), ("props", props)])))
    }
}

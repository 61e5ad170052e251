//! Reading an observation back.

use std::sync::Arc;

use cypher::statements::rows::{self, ObservedActor};
use cypher::{Params, statements};
use graph_schema::date::Timestamp;
use graph_schema::id::{ActorId, CaseId, ObservationId};
use graph_schema::observation::{ObservationActor, ObservationStanding, StoredObservation};

use crate::policy::{Action, Subject};
use crate::{Caller, Error, ObjectKind, Resolvers, Result, boxed};

impl Resolvers {
    /// Get Observation: the stored observation, as JSON text. A placeholder is not found.
    #[boxed]
    pub async fn observation(&self, caller: &Caller, id: &ObservationId) -> Result<String> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("Observation", id.as_str()))?;
        let rows = self.inner.lookups.rows(&permit, statements::observation::READ, Params::none(), id.as_str()).await?;
        let stored = rows.first().and_then(stored).ok_or_else(|| Error::not_found(ObjectKind::Observation, id.as_str()))?;
        stored.to_text().map_err(|error| Error::Internal(format!("a stored observation: {error}")))
    }
}

fn stored(row: &rows::ObservationRow) -> Option<StoredObservation> {
    let actor = |actor: &ObservedActor| ObservationActor { actor_id: ActorId::new(actor.id.as_str()), primary: Some(actor.primary) };
    let standing = ObservationStanding {
        actors: row.actors.iter().map(actor).collect(),
        ingest_date: Timestamp(row.fields.recorded_at?),
        internal_id: row.fields.internal_id.clone()?,
        finalized: row.missing.is_empty(),
        case_id: row.cases.first().map(|id| CaseId::new(id.as_str())),
        submitter_internal_id: row.fields.submitted_by.clone(),
    };
    Some(StoredObservation { record: Arc::clone(row.record.as_ref()?), standing })
}

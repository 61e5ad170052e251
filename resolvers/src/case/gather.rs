//! Cases in which detection gathers findings.
//!
//! Such a case is made by the same rule as one that somebody raises from observations ([`super::alerts`]), and grows by the same rule as one of a list
//! ([`super::extend`]). Its node says by what its findings were gathered (`gatheredBy`).

use std::collections::BTreeMap;
use std::sync::Arc;

use graph_schema::bulk::SingleCase;
use graph_schema::case::{CaseActorRequest, CaseActorType, CaseType, CaseUpdate, CreateCase, GatheredBy, MAX_CASE_ACTORS, UpdateCase};
use graph_schema::custom_property::CustomProperties;
use graph_schema::id::{ActorId, CaseId, ObservationId, UserId};
use graph_schema::json_object::JsonObject;
use graph_schema::workflow::default_workflow;

use super::alerts::{Raise, ToRaise};
use super::extend::{ExtendCase, Repeats};
use crate::policy::Permit;
use crate::queue::{Amending, LockHint, Write};
use crate::{Error, Inner, Result};

/// The most findings that one write links to a case.
const AT_ONCE: usize = 500;

/// Findings that are one case.
pub(crate) struct Gathered {
    pub by: GatheredBy,
    /// The run that gathers them.
    pub run: String,
    pub findings: Vec<ObservationId>,
    /// Whom they are about, and whether mainly.
    pub actors: BTreeMap<ActorId, bool>,
}

impl Inner {
    /// Makes a case of findings; those that somebody has made a case of meanwhile are left out, and without any other there is none.
    pub(crate) async fn make_gathered_case(&self, permit: &Permit<'_>, id: CaseId, gathered: &Gathered) -> Result<()> {
        let (first, others) = gathered.findings.split_at(gathered.findings.len().min(AT_ONCE));
        // They are locked in the order in which everybody locks them.
        let mut observations = first.to_vec();
        observations.sort();
        let metadata = serde_json::json!({"gatheredBy": gathered.by, "detectionRun": gathered.run}).to_string();
        let row = ToRaise {
            id: id.clone(),
            workflow: default_workflow(CaseType::Analysis),
            user: UserId::new(permit.caller().id.as_str()),
            observations,
            gathered: JsonObject::parse(&metadata).map(|metadata| (gathered.by, metadata)),
        };
        let entry = self.entry(permit, "Case", id.as_str(), "case.created").in_case(id.as_str());
        let actors: Vec<LockHint> = requests(&gathered.actors).iter().map(|actor| LockHint::of("Actor", actor.id.as_str())).collect();
        let write = first.iter().fold(Write::new(row, entry), |write, finding| write.describing("Observation", finding.as_str())).locking(actors);
        self.queue.write(&Amending::<Raise>::NEW, write).await?;
        for some in others.chunks(AT_ONCE) {
            self.extend_gathered_case(permit, &id, some, &gathered.actors).await?;
        }
        Ok(())
    }

    /// Adds findings to a case that is there. Told by `case.updated`, unless it has them already.
    pub(crate) async fn add_to_gathered_case(&self, permit: &Permit<'_>, id: &CaseId, gathered: &Gathered) -> Result<()> {
        for some in gathered.findings.chunks(AT_ONCE) {
            self.extend_gathered_case(permit, id, some, &gathered.actors).await?;
        }
        Ok(())
    }

    async fn extend_gathered_case(
        &self,
        permit: &Permit<'_>,
        id: &CaseId,
        findings: &[ObservationId],
        actors: &BTreeMap<ActorId, bool>,
    ) -> Result<()> {
        let create = CreateCase { actors: Some(requests(actors)), observation_ids: Some(findings.to_vec()), ..CreateCase::default() };
        let text: Arc<str> = serde_json::to_string(&create).map_err(|error| Error::Internal(error.to_string()))?.into();
        let update = UpdateCase { fields: CaseUpdate::default(), custom_properties: CustomProperties::default() };
        let case = SingleCase { id: id.clone(), create, communication_ids: Vec::new(), update };
        self.queue.write(&Amending::<ExtendCase>::NEW, self.extension_write(permit, case, &text, Repeats::Nothing)).await
    }
}

/// Actors as a case takes them, those first whom it is to focus on. Of one who is only connected nothing is said, so that a focus stays one.
fn requests(actors: &BTreeMap<ActorId, bool>) -> Vec<CaseActorRequest> {
    let focal = actors.iter().filter(|(_, primary)| **primary).map(|(id, _)| CaseActorRequest { id: id.clone(), kind: Some(CaseActorType::Focal) });
    let others = actors.iter().filter(|(_, primary)| !**primary).map(|(id, _)| CaseActorRequest { id: id.clone(), kind: None });
    focal.chain(others).take(MAX_CASE_ACTORS).collect()
}

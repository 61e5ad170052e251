//! Reading a case.

use cypher::statements::rows;
use cypher::{Params, statements};
use graph_schema::case::{CaseActorFields, CaseActorRecord, CaseFields, CaseObservationRecord, CaseRecord, CaseTagRecord, CaseWorkflowRecord};
use graph_schema::custom_property::{CustomProperties, WithCustomProperties};
use graph_schema::date::Timestamp;
use graph_schema::id::{ActorId, CaseId, ObservationId, StepId, TagId, WorkflowId};
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;

use super::actors::type_of_link;
use super::stored::absent;
use crate::loader::Loader;
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Resolvers, Result, boxed};

impl Resolvers {
    /// Get Case: the case with its custom properties.
    #[boxed]
    pub async fn case(&self, caller: &Caller, id: &CaseId) -> Result<CaseRecord> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("Case", id.as_str()))?;
        case(&self.inner.lookups, &permit, id).await
    }

    /// The same of a case that was come to on a walk through the graph.
    #[boxed]
    pub async fn case_reached(&self, caller: &Caller, id: &CaseId) -> Result<CaseRecord> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        case(&self.inner.walks, &permit, id).await
    }
}

async fn case(loader: &Loader, permit: &Permit<'_>, id: &CaseId) -> Result<CaseRecord> {
    let rows = loader.rows(permit, statements::case::READ, Params::none(), id.as_str()).await?;
    rows.first().map(|row| record(id, row)).ok_or_else(|| absent(id))
}

fn record(id: &CaseId, row: &rows::CaseRow) -> CaseRecord {
    let stored = &row.fields;
    let fields = CaseFields {
        id: id.clone(),
        created_at: Timestamp(stored.created_at),
        updated_at: Timestamp(stored.updated_at),
        workflow: workflow(&row.workflow),
        actors: row.actors.iter().map(case_actor).collect(),
        observations: row.observations.iter().map(case_observation).collect(),
        tags: row.tags.iter().map(|tag| CaseTagRecord { id: TagId::new(tag.id.as_str()), label: tag.label.clone() }).collect(),
        metadata: stored.metadata.as_deref().and_then(JsonObject::parse),
        resolution: stored.resolution.as_deref().and_then(JsonText::parse),
        source: stored.source.clone(),
        jurisdiction: stored.jurisdiction.clone(),
        kind: stored.kind,
        narrative: stored.narrative.clone(),
    };
    WithCustomProperties { fields, custom_properties: custom_properties(stored.custom_properties.as_deref()) }
}

fn workflow(workflow: &rows::CaseWorkflow) -> CaseWorkflowRecord {
    CaseWorkflowRecord {
        id: WorkflowId::new(workflow.id.as_str()),
        name: workflow.name.clone(),
        status: workflow.status.clone(),
        state: workflow.state,
        kind: workflow.kind,
        step_id: StepId::new(workflow.step_id.as_str()),
        version: workflow.version,
    }
}

fn case_actor(actor: &rows::CaseActor) -> CaseActorRecord {
    let fields = CaseActorFields { id: ActorId::new(actor.id.as_str()), kind: type_of_link(actor.link), decision: actor.decision.clone() };
    WithCustomProperties { fields, custom_properties: custom_properties(actor.custom_properties.as_deref()) }
}

fn case_observation(observation: &rows::CaseObservation) -> CaseObservationRecord {
    CaseObservationRecord { id: ObservationId::new(observation.id.as_str()), feedback: observation.feedback.clone() }
}

fn custom_properties(text: Option<&str>) -> CustomProperties {
    text.map(CustomProperties::of_text).unwrap_or_default()
}

//! Reading a case.

use cypher::{Params, Row, Value, statements};
use graph_schema::case::{
    CaseActorFields, CaseActorRecord, CaseFields, CaseObservationRecord, CaseRecord, CaseTagRecord, CaseType, CaseWorkflowRecord,
};
use graph_schema::custom_property::{CustomProperties, WithCustomProperties};
use graph_schema::date::Timestamp;
use graph_schema::id::{ActorId, CaseId, ObservationId, StepId, TagId, WorkflowId};
use graph_schema::json_text::JsonText;
use graph_schema::named::Named;
use graph_schema::opaque::Opaque;

use super::actors::type_of_link;
use super::stored::{absent, state_of};
use crate::loader::Loader;
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Resolvers, Result};

impl Resolvers {
    /// Get Case: the case with its custom properties.
    pub async fn case(&self, caller: &Caller, id: &CaseId) -> Result<CaseRecord> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("Case", id.as_str()))?;
        case(&self.inner.lookups, &permit, id).await
    }

    /// The same of a case that was come to on a walk through the graph.
    pub async fn case_reached(&self, caller: &Caller, id: &CaseId) -> Result<CaseRecord> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        case(&self.inner.walks, &permit, id).await
    }
}

async fn case(loader: &Loader, permit: &Permit<'_>, id: &CaseId) -> Result<CaseRecord> {
    // Boxed for the same reason as `Inner::read`.
    let rows = Box::pin(loader.rows(permit, statements::case::READ, Params::none(), id.as_str())).await?;
    rows.first().map(|row| record(id, row)).ok_or_else(|| absent(id))
}

fn record(id: &CaseId, row: &Row) -> CaseRecord {
    let fields = row.get("fields");
    let text = |name: &str| fields.get(name).as_text().map(str::to_owned);
    let time = |name: &str| Timestamp(fields.get(name).as_int().unwrap_or_default());
    let custom_properties = text("customProperties").map(|text| CustomProperties::of_text(&text)).unwrap_or_default();
    let items = |name: &str| row.get(name).as_list().to_vec();
    let fields = CaseFields {
        id: id.clone(),
        created_at: time("createdAt"),
        updated_at: time("updatedAt"),
        workflow: workflow(row.get("workflow")),
        actors: items("actors").iter().map(|actor| case_actor(actor.as_list())).collect(),
        observations: items("observations")
            .iter()
            .filter_map(Value::as_text)
            .map(|id| CaseObservationRecord { id: ObservationId::new(id) })
            .collect(),
        tags: items("tags").iter().map(|tag| tag_of(tag.as_list())).collect(),
        metadata: text("metadata").and_then(|text| Opaque::parse(&text)),
        resolution: text("resolution").and_then(|text| JsonText::parse(&text)),
        source: text("source"),
        jurisdiction: text("jurisdiction"),
        kind: text("type").and_then(|text| CaseType::named(&text)).unwrap_or_default(),
        narrative: text("narrative"),
    };
    WithCustomProperties { fields, custom_properties }
}

fn workflow(workflow: &Value) -> CaseWorkflowRecord {
    let text = |name: &str| workflow.get(name).as_text().unwrap_or_default().to_owned();
    CaseWorkflowRecord {
        id: WorkflowId::new(text("id")),
        name: text("name"),
        status: text("status"),
        state: state_of(&text("state")),
        kind: CaseType::named(&text("type")).unwrap_or_default(),
        step_id: StepId::new(text("stepId")),
        version: workflow.get("version").as_int().unwrap_or_default(),
    }
}

fn case_actor(values: &[Value]) -> CaseActorRecord {
    let text = |at: usize| values.get(at).and_then(Value::as_text);
    let fields = CaseActorFields {
        id: ActorId::new(text(0).unwrap_or_default()),
        kind: type_of_link(text(1).unwrap_or_default()),
        decision: text(2).map(str::to_owned),
    };
    WithCustomProperties { fields, custom_properties: text(3).map(CustomProperties::of_text).unwrap_or_default() }
}

fn tag_of(values: &[Value]) -> CaseTagRecord {
    let text = |at: usize| values.get(at).and_then(Value::as_text).unwrap_or_default();
    CaseTagRecord { id: TagId::new(text(0)), label: text(1).to_owned() }
}

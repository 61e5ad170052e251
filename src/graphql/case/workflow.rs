//! What administrators set up for cases: workflows, and which values custom properties may have.

use async_graphql::{Context, ID, InputObject, Object, Result};
use graph_schema::case::CaseType;
use graph_schema::custom_property::{CustomPropertyDefinition, PropertyEntity};
use graph_schema::json_object::JsonObject;
use graph_schema::workflow::NewWorkflow;
use resolvers::explore::{PropertySummary, WorkflowSummary, nodes};

use super::super::connection::{graph_node, object_with_links};
use super::super::walk::{At, Shown};
use super::super::{asking, refused};
use super::StepNode;
use super::work::key;

/// The steps that cases go through, and the moves between them.
#[derive(Clone)]
pub struct WorkflowNode(Shown<WorkflowSummary>);

graph_node!(WorkflowNode shows WorkflowSummary);

object_with_links! {
    /// The steps that cases go through, and the moves between them.
    WorkflowNode as "Workflow" {
        /// Such as `default-analysis`.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Workflow:{}", self.0.at.id()))
        }

        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// For which cases it is.
        #[graphql(name = "type")]
        async fn kind(&self, context: &Context<'_>) -> Result<CaseType> {
            Ok(self.0.summary(context).await?.kind)
        }

        /// Higher for a later definition.
        async fn version(&self, context: &Context<'_>) -> Result<i64> {
            Ok(self.0.summary(context).await?.version)
        }

        /// Not offered to people.
        async fn hidden(&self, context: &Context<'_>) -> Result<bool> {
            Ok(self.0.summary(context).await?.hidden)
        }
    }
    links {
        /// In their order; a case begins on the first.
        steps: WorkflowSteps, StepNode, async_graphql::connection::EmptyFields;
    }
    payments {}
    transfers {}
    cases {
        /// Cases that go through it, newest first unless `orderBy` says otherwise.
        cases;
    }
}

/// A custom property and the schema of its values.
#[derive(Clone)]
pub struct PropertyNode(Shown<PropertySummary>);

graph_node!(PropertyNode shows PropertySummary);

/// A custom property and the schema of its values.
#[Object(name = "CustomProperty")]
impl PropertyNode {
    /// Begins with `c__`.
    async fn name(&self) -> &str {
        self.0.at.name()
    }

    /// What has it.
    async fn entity(&self, context: &Context<'_>) -> Result<PropertyEntity> {
        Ok(self.0.summary(context).await?.entity)
    }

    /// A JSON Schema.
    async fn schema(&self, context: &Context<'_>) -> Result<JsonObject> {
        Ok(self.0.summary(context).await?.schema.clone())
    }
}

/// A workflow to be added.
#[derive(InputObject)]
pub struct AddWorkflowInput {
    workflow: NewWorkflow,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// A custom property and the schema of its values.
#[derive(InputObject)]
pub struct DefineCustomPropertyInput {
    entity: PropertyEntity,
    /// Begins with `c__`.
    name: String,
    /// A JSON Schema. Its references lead to other parts of it, and never back to where they came from.
    schema: JsonObject,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct WorkflowMutation;

#[Object]
impl WorkflowMutation {
    /// Adds a workflow. Cases go through it that name it when they are made.
    async fn add_workflow(&self, context: &Context<'_>, input: AddWorkflowInput) -> Result<Option<WorkflowNode>> {
        let (resolvers, caller) = asking(context)?;
        let key = key(input.idempotency_key).map_err(refused)?;
        let id = input.workflow.id.clone();
        resolvers.add_workflow(caller, input.workflow, key).await.map_err(refused)?;
        At::find(context, &nodes::WORKFLOW, id.as_str()).await?.map(WorkflowNode::new).transpose()
    }

    /// Defines which values a custom property may have, from now on; what is stored stays as it is.
    async fn define_custom_property(&self, context: &Context<'_>, input: DefineCustomPropertyInput) -> Result<Option<PropertyNode>> {
        let (resolvers, caller) = asking(context)?;
        let key = key(input.idempotency_key).map_err(refused)?;
        let definition = CustomPropertyDefinition { entity: input.entity, name: input.name, schema: input.schema };
        let id = definition.id();
        resolvers.define_custom_property(caller, definition, key).await.map_err(refused)?;
        At::find(context, &nodes::CUSTOM_PROPERTY, &id).await?.map(PropertyNode::new).transpose()
    }
}

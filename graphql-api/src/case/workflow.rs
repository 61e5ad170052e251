//! What administrators set up for cases: workflows, and which values custom properties may have.

use async_graphql::{Context, ID, InputObject, Object, Result};
use graph_schema::case::CaseType;
use graph_schema::custom_property::{CustomPropertyDefinition, PropertyEntity};
use graph_schema::json_object::JsonObject;
use graph_schema::workflow::NewWorkflow;
use graphql_http::asking::key;
use resolvers::explore::{PropertySummary, WorkflowSummary, nodes};

use super::super::object::{graph_node, object_with_links};
use super::super::walk::{At, Shown};
use super::super::{asking, refused};
use super::StepNode;

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

        /// The workflow's name for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// For which cases it is.
        kind as "type": CaseType = |it| it.kind;
        /// Higher for a later definition.
        version: i64 = |it| it.version;
        /// Not offered to people.
        hidden: bool = |it| it.hidden;
    }
    links {
        /// In their order; a case begins on the first.
        steps: WorkflowSteps, StepNode, async_graphql::connection::EmptyFields;
    }
    cases {
        /// Cases that go through it, newest first unless `orderBy` says otherwise.
        cases;
    }
}

/// A custom property and the schema of its values.
#[derive(Clone)]
pub struct PropertyNode(Shown<PropertySummary>);

graph_node!(PropertyNode shows PropertySummary);

object_with_links! {
    /// A custom property and the schema of its values.
    PropertyNode as "CustomProperty" {
        /// Begins with `c__`.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// What has it.
        entity: PropertyEntity = |it| it.entity;
        /// A JSON Schema.
        schema: JsonObject = |it| it.schema.clone(), counted;
    }
}

/// A workflow to be added.
#[derive(InputObject)]
pub struct AddWorkflowInput {
    /// The workflow with all of its steps and moves.
    workflow: NewWorkflow,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// A custom property and the schema of its values.
#[derive(InputObject)]
pub struct DefineCustomPropertyInput {
    /// The kind of object that has the property. One name may be defined for each kind.
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

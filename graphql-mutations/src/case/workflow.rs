//! What administrators set up for cases: workflows, and which values custom properties may have.

use async_graphql::{Context, InputObject, Object, Result};
use graph_schema::custom_property::{CustomPropertyDefinition, PropertyEntity};
use graph_schema::json_object::JsonObject;
use graph_schema::workflow::NewWorkflow;
use graphql_api::case::workflow::{PropertyNode, WorkflowNode};
use graphql_api::walk::At;
use graphql_http::asking::{asking, key};
use graphql_http::refused::refused;
use resolvers::explore::nodes;

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

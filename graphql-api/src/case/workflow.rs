//! What administrators have set up for cases: workflows, and which values custom properties may have.

use async_graphql::{ID, Result};
use graph_schema::case::CaseType;
use graph_schema::custom_property::PropertyEntity;
use graph_schema::date::Timestamp;
use graph_schema::json_object::JsonObject;
use resolvers::explore::{PropertySummary, WorkflowSummary};

use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
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
        /// The time at which it was added; null for those that come with the service.
        created_at: Option<Timestamp> = |it| it.created_at;
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
        /// The entity and the name of the property.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("CustomProperty:{}", self.0.at.id()))
        }

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
        /// The time at which it was defined first.
        created_at: Timestamp = |it| it.created_at;
        /// The time at which it was defined last: since then its schema is as it is.
        updated_at: Timestamp = |it| it.changed_at;
    }
    principals {
        /// The user, key or client that defined it last; null where nobody knows any more.
        updated_by = |it| it.changed_by.as_deref();
    }
}

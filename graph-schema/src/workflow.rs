//! Workflows: the steps a case goes through, and which moves between them are allowed.
//!
//! They are data, so that an administrator can add some. Two are there from the start (migration `0004_workflows`): [`DEFAULT_ANALYSIS`] and
//! [`DEFAULT_FILING`].

mod added;

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use added::{NewMove, NewStep, NewWorkflow};

use crate::{
    case::CaseType,
    id::{StepId, WorkflowId},
};

/// The workflow of an analysis that names none.
pub const DEFAULT_ANALYSIS: &str = "default-analysis";
/// The workflow of a filing that names none.
pub const DEFAULT_FILING: &str = "default-filing";
/// The action that ends a case.
pub const CLOSE: &str = "CLOSE";

/// The action that asks for data on a case.
pub const REQUEST_DATA: &str = "REQUEST_DATA";

/// Whether there is something left to do for a case on a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StepState {
    /// Work on the case is left.
    Open,
    /// The case is done, unless it is opened again.
    Closed,
}

/// A workflow, as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "WorkflowRecord")]
pub struct Workflow {
    pub id: WorkflowId,
    /// Higher for a later definition.
    pub version: i64,
    /// Not offered to people.
    pub hidden: bool,
    pub name: String,
    /// In their order; a case begins on the first.
    pub steps: Vec<WorkflowStep>,
}

/// A step of a workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "WorkflowStepRecord")]
pub struct WorkflowStep {
    /// Unique in its workflow.
    pub id: StepId,
    pub label: String,
    pub status: String,
    pub state: StepState,
}

/// A move that a workflow allows: who stands on `from` gets to `to` by the action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject)]
#[serde(deny_unknown_fields)]
#[graphql(name = "WorkflowMoveRecord")]
pub struct WorkflowMove {
    /// Such as `CLAIM`.
    pub action: String,
    pub from: StepId,
    pub to: StepId,
}

/// The workflow of a case of this type that names none.
pub fn default_workflow(kind: CaseType) -> WorkflowId {
    WorkflowId::new(match kind {
        CaseType::Analysis => DEFAULT_ANALYSIS,
        CaseType::Filing => DEFAULT_FILING,
    })
}

/// The id of a step's node: steps of two workflows may have one id.
pub fn step_node_id(workflow: &WorkflowId, step: &StepId) -> String {
    format!("{workflow}/{step}")
}

/// The step whose node this is, as its workflow calls it.
pub fn step_of_node(workflow: &WorkflowId, node: &str) -> StepId {
    StepId::new(node.strip_prefix(workflow.as_str()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(node))
}

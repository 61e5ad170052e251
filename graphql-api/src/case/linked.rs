//! What cases are linked to: what was said of them, the steps they stand on. Each leads back.

use async_graphql::{ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::edge::MoveFields;
use graph_schema::workflow::StepState;
use resolvers::explore::{CommentSummary, StepSummary};

use super::super::object::{graph_node, object_with_links};
use super::super::walk::Shown;
use super::CaseNode;
use super::workflow::WorkflowNode;

/// What somebody said of a case.
#[derive(Clone)]
pub struct CommentNode(Shown<CommentSummary>);

graph_node!(CommentNode shows CommentSummary);

object_with_links! {
    /// What somebody said of a case.
    CommentNode as "CaseComment" {
        /// The service's own id of the comment.
        async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }
    }
    shown {
        /// The comment as its author wrote it.
        text: String = |it| it.text.clone(), counted;
        /// Who said it.
        user_id: ID = |it| ID(it.user_id.to_string());
        /// The time at which it was written.
        created_at: Timestamp = |it| it.created_at;
    }
    leads_to {
        /// What it was said of.
        case: CaseNode;
    }
}

/// A step of a workflow.
#[derive(Clone)]
pub struct StepNode(Shown<StepSummary>);

graph_node!(StepNode shows StepSummary);

object_with_links! {
    /// A step of a workflow.
    StepNode as "WorkflowStep" {
        /// Unique across all workflows, such as `default-analysis/to-do`.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("WorkflowStep:{}", self.0.at.id()))
        }
    }
    shown {
        /// As its workflow calls it, such as `to-do`.
        step_id: ID = |it| ID(it.step_id.to_string());
        /// The step's name for people, such as `To do`.
        label: String = |it| it.label.clone();
        /// A code of the step, such as `IN_PROGRESS`. Filters of cases take it.
        status: String = |it| it.status.clone();
        /// Whether a case on the step has something left to do.
        state: StepState = |it| it.state;
    }
    leads_to {
        /// The workflow that has it.
        workflow: WorkflowNode;
    }
    links {
        /// Where cases may go from it, and by what action.
        moves: WorkflowMoves, StepNode, MoveFields;
    }
    cases {
        /// What stands on it, newest first unless `orderBy` says otherwise.
        cases;
    }
}

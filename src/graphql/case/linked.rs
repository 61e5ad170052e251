//! What cases are linked to: what was said of them, the steps they stand on. Each leads back.

use async_graphql::{Context, ID, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::edge::MoveFields;
use graph_schema::workflow::StepState;
use resolvers::explore::{CommentSummary, StepSummary};

use super::super::connection::{graph_node, object_with_links, one};
use super::super::walk::Shown;
use super::CaseNode;
use super::workflow::WorkflowNode;

/// What somebody said of a case.
#[derive(Clone)]
pub struct CommentNode(Shown<CommentSummary>);

graph_node!(CommentNode shows CommentSummary);

/// What somebody said of a case.
#[Object(name = "CaseComment")]
impl CommentNode {
    async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    async fn text(&self, context: &Context<'_>) -> Result<String> {
        Ok(self.0.summary(context).await?.text.clone())
    }

    /// Who said it.
    async fn user_id(&self, context: &Context<'_>) -> Result<ID> {
        Ok(ID(self.0.summary(context).await?.user_id.to_string()))
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }

    /// What it was said of.
    async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
        one(context, self).await
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

        /// As its workflow calls it, such as `to-do`.
        async fn step_id(&self, context: &Context<'_>) -> Result<ID> {
            Ok(ID(self.0.summary(context).await?.step_id.to_string()))
        }

        async fn label(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.label.clone())
        }

        async fn status(&self, context: &Context<'_>) -> Result<String> {
            Ok(self.0.summary(context).await?.status.clone())
        }

        async fn state(&self, context: &Context<'_>) -> Result<StepState> {
            Ok(self.0.summary(context).await?.state)
        }

        /// The workflow that has it.
        async fn workflow(&self, context: &Context<'_>) -> Result<Option<WorkflowNode>> {
            one(context, self).await
        }
    }
    links {
        /// Where cases may go from it, and by what action.
        moves: WorkflowMoves, StepNode, MoveFields;
    }
    payments {}
    transfers {}
    cases {
        /// What stands on it, newest first unless `orderBy` says otherwise.
        cases;
    }
}

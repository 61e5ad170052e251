//! What cases are linked to: what was said of them, the steps they stand on, what was decided. Each leads back.

use async_graphql::{Context, ID, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::edge::{CaseDecisionFields, CaseTransactionFields, MoveFields};
use graph_schema::event::TransactionDecision;
use graph_schema::id::{ObservationId, UserId};
use graph_schema::workflow::StepState;
use graphql_service::principal::{Principal, principal};
use resolvers::explore::{CommentSummary, NothingSaid, StepSummary};

use super::super::at_once::Leaf;
use super::super::connection::EdgeFields;
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
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("CaseComment:{}", self.0.at.id()))
        }
    }
    shown {
        /// The comment as its author wrote it.
        text: String = |it| it.text.clone(), counted;
        /// Who said it.
        user_id: ID = |it| ID(it.user_id.to_string()) => deprecated "Use `createdBy`.";
        /// The time at which it was written.
        created_at: Timestamp = |it| it.created_at;
    }
    principals {
        /// The user, key or client that wrote it; null where the service did.
        created_by = |it| Some(&it.user_id);
    }
    leads_to {
        /// What it was said of.
        case: CaseNode;
    }
}

/// A label of cases. All cases with the tag share one label.
#[derive(Clone)]
pub struct TagNode(Shown<NothingSaid>);

graph_node!(TagNode shows NothingSaid);

object_with_links! {
    /// A label of cases. All cases with the tag share one label.
    TagNode as "CaseTag" {
        /// The id by which filters find the cases with this tag.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("CaseTag:{}", self.0.at.id()))
        }

        /// The tag's text for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The tag's text for people.
        async fn label(&self) -> &str {
            self.0.at.name()
        }
    }
    cases {
        /// Cases that have it, newest first unless `orderBy` says otherwise.
        cases;
    }
}

/// What somebody decided about a transaction of a case.
pub struct DecisionEdge(CaseDecisionFields);

/// What somebody decided about a transaction of a case.
#[Object]
impl DecisionEdge {
    /// The latest decision on the transaction in this case.
    async fn decision(&self) -> TransactionDecision {
        self.0.decision
    }

    /// The user or credential that took it, by id.
    #[graphql(deprecation = "Use `decidedByPrincipal`.")]
    async fn decided_by(&self) -> &UserId {
        &self.0.decided_by
    }

    /// The user, key or client that took it; null where the service did.
    async fn decided_by_principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, Some(self.0.decided_by.as_str())).await
    }

    /// The time at which it was taken.
    async fn decided_at(&self) -> Timestamp {
        self.0.decided_at
    }

    /// The reason that was given; null when none was.
    async fn comment(&self) -> Option<&str> {
        self.0.comment.as_deref()
    }
}

impl EdgeFields for DecisionEdge {
    type Said = CaseDecisionFields;

    const LEAVES: &'static [Leaf<CaseDecisionFields>] = &[
        Leaf { name: "decision", value: |said, selected| selected.value(&said.decision) },
        Leaf { name: "decided_by", value: |said, selected| selected.value(&said.decided_by) },
        Leaf { name: "decided_at", value: |said, selected| selected.value(&said.decided_at) },
        Leaf { name: "comment", value: |said, selected| selected.value(&said.comment) },
    ];

    fn of(said: CaseDecisionFields) -> Self {
        Self(said)
    }
}

/// What a transaction is to a case: by what it belongs to it, and what somebody decided about it there.
pub struct TransactionInCase(CaseTransactionFields);

/// What a transaction is to a case: by what it belongs to it, and what somebody decided about it there.
#[Object]
impl TransactionInCase {
    /// Observations of the case that cite it, by id; empty where it is of the case by an actor alone.
    async fn observation_ids(&self) -> Vec<&ObservationId> {
        citing(&self.0)
    }

    /// The latest decision on it in this case; null while there is none, as the three below.
    async fn decision(&self) -> Option<TransactionDecision> {
        decision(&self.0)
    }

    /// The user, key or client that took the decision; null where the service did.
    async fn decided_by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.decided.as_ref().map(|decided| decided.decided_by.as_str())).await
    }

    /// The time at which it was taken.
    async fn decided_at(&self) -> Option<Timestamp> {
        decided_at(&self.0)
    }

    /// The reason that was given; null when none was.
    async fn comment(&self) -> Option<&str> {
        comment(&self.0)
    }
}

fn decision(said: &CaseTransactionFields) -> Option<TransactionDecision> {
    said.decided.as_ref().map(|decided| decided.decision)
}

fn decided_at(said: &CaseTransactionFields) -> Option<Timestamp> {
    said.decided.as_ref().map(|decided| decided.decided_at)
}

fn comment(said: &CaseTransactionFields) -> Option<&str> {
    said.decided.as_ref().and_then(|decided| decided.comment.as_deref())
}

/// In one order on every engine.
fn citing(said: &CaseTransactionFields) -> Vec<&ObservationId> {
    let mut ids: Vec<&ObservationId> = said.observation_ids.iter().collect();
    ids.sort_unstable();
    ids
}

impl EdgeFields for TransactionInCase {
    type Said = CaseTransactionFields;

    const LEAVES: &'static [Leaf<CaseTransactionFields>] = &[
        Leaf { name: "observation_ids", value: |said, selected| selected.value(&citing(said)) },
        Leaf { name: "decision", value: |said, selected| selected.value(&decision(said)) },
        Leaf { name: "decided_at", value: |said, selected| selected.value(&decided_at(said)) },
        Leaf { name: "comment", value: |said, selected| selected.value(&comment(said)) },
    ];

    fn of(said: CaseTransactionFields) -> Self {
        Self(said)
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

        /// The step's name for people, as `label` has it.
        async fn name(&self) -> &str {
            self.0.at.name()
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
        /// So many seconds after it came to the step a case is to leave it; null where no case is due there.
        due_within_seconds: Option<i64> = |it| it.due_within;
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

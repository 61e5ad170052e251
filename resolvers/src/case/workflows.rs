//! Workflows: listed, and added by an administrator.

use cypher::Error as DatabaseError;
use cypher::graph::nodes::{StepSummary, WorkflowSummary};
use cypher::graph::{FoundRow, Mismatch, Visit, link, lists, nodes};
use cypher::statements::rows::LockedWorkflow;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::given::{Given, check};
use graph_schema::id::WorkflowId;
use graph_schema::workflow::{NewStep, NewWorkflow, Workflow, WorkflowStep, step_node_id};

use crate::explore::{ListFilter, SortDirection, Span, WorkflowSort};
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::values::word;
use crate::{Answered, Caller, Error, IdempotencyKey, OffsetPage, Once, Resolvers, Result, boxed};

/// The query of Get Workflows.
#[derive(Debug, Clone)]
pub struct WorkflowQuery {
    /// Newest first when empty.
    pub sort: Vec<(WorkflowSort, SortDirection)>,
    pub page: OffsetPage,
}

impl Resolvers {
    /// Get Workflows: a page of workflows with their steps, in one statement.
    #[boxed]
    pub async fn workflows(&self, caller: &Caller, query: WorkflowQuery) -> Result<Vec<Workflow>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("Workflow"))?;
        let list = &lists::WORKFLOWS;
        let sort = list.link.pages(&query.sort)?;
        let steps = link(&nodes::WORKFLOW, "steps").map(|steps| steps.whole(Visit { summary: true, ..Visit::of(steps.to) }));
        let then = Visit { summary: true, steps: steps.into_iter().collect(), ..Visit::of(&nodes::WORKFLOW) };
        let span = Span { list, filter: ListFilter::All, sort, page: query.page, then };
        let rows = self.inner.span(&permit, span).await?;
        let items: std::result::Result<_, Mismatch> = rows.iter().map(item).collect();
        items.map_err(|mismatch| DatabaseError::rejected(list.link.name, mismatch).into())
    }

    /// Adds a workflow with its steps and moves. The same again changes nothing.
    #[boxed]
    pub async fn add_workflow(&self, caller: &Caller, given: NewWorkflow, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::One("Workflow", given.id.as_str()))?;
        check(&given)?;
        let given = Given::made(given).map_err(|error| Error::Internal(error.to_string()))?;
        let inner = &self.inner;
        let entry = inner.entry(&permit, "Workflow", given.value.id.as_str(), "workflow.added").with_new_value(given.record.clone());
        let body = given.record.clone();
        inner.answer_once(&permit, Once { key, body: &body }, "", &Amending::<AddWorkflow>::NEW, Write::new(given, entry)).await
    }
}

fn item(row: &FoundRow) -> std::result::Result<Workflow, Mismatch> {
    let WorkflowSummary { version, hidden, .. } = row.node.summary()?;
    let steps = row.node.links.iter().flat_map(|link| &link.rows).map(step).collect::<std::result::Result<_, _>>()?;
    Ok(Workflow { id: WorkflowId::new(&*row.node.id), version, hidden, name: row.node.name.to_string(), steps })
}

fn step(row: &FoundRow) -> std::result::Result<WorkflowStep, Mismatch> {
    let StepSummary { step_id, label, status, state, .. } = row.node.summary()?;
    Ok(WorkflowStep { id: step_id, label, status, state })
}

/// Adds a workflow, unless the same was added before.
struct AddWorkflow;

impl Amend for AddWorkflow {
    type Row = Given<NewWorkflow>;
    type Locked = LockedWorkflow;
    type Stored = LockedWorkflow;
    type Answer = ();

    const LOCK: Reading<LockedWorkflow> = statements::workflow::LOCK;
    const WRITE: WriteStatement = statements::workflow::ADD;
    const RANK: Rank = Rank::Record;

    fn id(given: &Given<NewWorkflow>) -> &str {
        given.value.id.as_str()
    }

    fn size(given: &Given<NewWorkflow>) -> usize {
        1_000 + 3 * given.record.len()
    }

    fn decide(given: &Given<NewWorkflow>, stored: Option<LockedWorkflow>, decision: Decision<'_>) -> Result<Amended<()>> {
        match stored.filter(|stored| stored.version.is_some()).map(|stored| stored.record) {
            Some(record) if record.as_deref() == Some(&*given.record) => Ok(Amended::nothing(())),
            Some(_) => Err(Error::invalid("id", "is the id of a workflow that is there already")),
            None => Ok(Amended::by((), row(given, decision.now.millis()))),
        }
    }
}

fn row(given: &Given<NewWorkflow>, now: i64) -> Value {
    let NewWorkflow { id, name, kind, hidden, steps, moves } = &given.value;
    let props = map([
        ("name", name.as_str().into()),
        ("type", word(kind)),
        ("version", 1i64.into()),
        ("hidden", (*hidden).into()),
        ("createdAt", now.into()),
        ("record", (&*given.record).into()),
    ]);
    let step = |(position, step): (usize, &NewStep)| {
        let props = map([
            ("name", step.label.as_str().into()),
            ("label", step.label.as_str().into()),
            ("stepId", step.id.as_str().into()),
            ("status", step.status.as_str().into()),
            ("state", word(&step.state)),
            ("position", (position as i64).into()),
            ("dueWithin", step.due_within_seconds.into()),
        ]);
        map([("id", step_node_id(id, &step.id).into()), ("props", props)])
    };
    let moves = moves.iter().map(|given| {
        let (from, to) = (step_node_id(id, &given.from), step_node_id(id, &given.to));
        map([("action", given.action.as_str().into()), ("from", from.into()), ("to", to.into())])
    });
    map([
        ("id", id.as_str().into()),
        ("props", props),
        ("steps", Value::List(steps.iter().enumerate().map(step).collect())),
        ("moves", Value::List(moves.collect())),
    ])
}

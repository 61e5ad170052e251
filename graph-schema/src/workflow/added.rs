//! A workflow that an administrator adds, and what makes one that cases can go through.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::InputObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::StepState;
use crate::{
    case::CaseType,
    fault::Fault,
    given::Input,
    id::{StepId, WorkflowId},
    identity::visible,
};

/// Most steps of a workflow.
const MAX_STEPS: usize = 100;
/// Most moves of a workflow.
const MAX_MOVES: usize = 1_000;
/// The longest that a step may say a case stands on it, in seconds: ten years.
const MAX_DUE_WITHIN: i64 = 10 * 365 * 24 * 60 * 60;
/// Most characters of a label, a status or an action.
const MAX_CHARS: usize = 256;

/// A workflow to be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, InputObject, ToSchema)]
#[graphql(name = "NewWorkflow")]
pub struct NewWorkflow {
    /// An id that no other workflow has, without a slash.
    pub id: WorkflowId,
    /// The workflow's name for people, at most 256 characters.
    pub name: String,
    /// For which cases it is.
    #[graphql(name = "type")]
    #[serde(rename = "type")]
    pub kind: CaseType,
    /// Not offered to people.
    #[graphql(default)]
    #[serde(default)]
    pub hidden: bool,
    /// In their order; a case begins on the first.
    pub steps: Vec<NewStep>,
    /// The moves between steps, 1,000 at most. They lead from the first step to each step, and from each step to a closed one.
    pub moves: Vec<NewMove>,
}

/// A step of a workflow to be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, InputObject, ToSchema)]
#[graphql(name = "NewWorkflowStep")]
pub struct NewStep {
    /// Unique in its workflow.
    pub id: StepId,
    /// The step's name for people, at most 256 characters.
    pub label: String,
    /// Such as `IN_PROGRESS`.
    pub status: String,
    /// Whether a case on the step has something left to do.
    pub state: StepState,
    /// So many seconds after it came to the step a case is to leave it; no case is due there, when absent. For open steps; 1 to 315,360,000.
    #[serde(rename = "dueWithinSeconds", default, skip_serializing_if = "Option::is_none")]
    pub due_within_seconds: Option<i64>,
}

/// A move of a workflow to be added: who stands on `from` gets to `to` by the action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, InputObject, ToSchema)]
#[graphql(name = "NewWorkflowMove")]
pub struct NewMove {
    /// Such as `CLAIM`.
    pub action: String,
    /// The id of the step that the move leaves.
    pub from: StepId,
    /// The id of the step that the move reaches, another one than `from`.
    pub to: StepId,
}

impl Input for NewWorkflow {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_text("name", &self.name, faults);
        if self.id.as_str().contains('/') {
            faults.push(Fault::new("id", "must not contain a slash"));
        }
        check_count("steps", self.steps.len(), 1..=MAX_STEPS, faults);
        check_count("moves", self.moves.len(), 0..=MAX_MOVES, faults);
        self.check_steps(faults);
        self.check_moves(faults);
        // Which ways there are is only clear where every step and move is.
        if faults.is_empty() {
            self.check_ways(faults);
        }
    }
}

impl NewWorkflow {
    fn check_steps(&self, faults: &mut Vec<Fault>) {
        let mut seen: BTreeMap<&StepId, usize> = BTreeMap::new();
        for (index, step) in self.steps.iter().enumerate() {
            check_text(&format!("steps[{index}].label"), &step.label, faults);
            check_text(&format!("steps[{index}].status"), &step.status, faults);
            let due = format!("steps[{index}].dueWithinSeconds");
            match step.due_within_seconds {
                Some(_) if step.state == StepState::Closed => faults.push(Fault::new(due, "goes only with a step that is OPEN")),
                Some(seconds) if !(1..=MAX_DUE_WITHIN).contains(&seconds) => {
                    faults.push(Fault::new(due, format!("must be 1 to {MAX_DUE_WITHIN}")));
                }
                _ => {}
            }
            let at = format!("steps[{index}].id");
            if step.id.as_str().contains('/') {
                faults.push(Fault::new(&at, "must not contain a slash"));
            }
            if let Some(first) = seen.get(&step.id) {
                faults.push(Fault::new(at, format!("must be unique; steps[{first}] has it too")));
            } else {
                seen.insert(&step.id, index);
            }
        }
        if self.steps.first().is_some_and(|first| first.state == StepState::Closed) {
            faults.push(Fault::new("steps[0].state", "must be OPEN: a case begins there"));
        }
        if !self.steps.is_empty() && self.steps.iter().all(|step| step.state == StepState::Open) {
            faults.push(Fault::new("steps", "must have one that is CLOSED: a case ends there"));
        }
    }

    fn check_moves(&self, faults: &mut Vec<Fault>) {
        let known: BTreeSet<&StepId> = self.steps.iter().map(|step| &step.id).collect();
        let mut seen: BTreeMap<(&StepId, &str), usize> = BTreeMap::new();
        for (index, given) in self.moves.iter().enumerate() {
            check_text(&format!("moves[{index}].action"), &given.action, faults);
            for (name, step) in [("from", &given.from), ("to", &given.to)] {
                if !known.contains(step) {
                    faults.push(Fault::new(format!("moves[{index}].{name}"), "must be the id of one of the steps"));
                }
            }
            if given.from == given.to {
                faults.push(Fault::new(format!("moves[{index}].to"), "must be another step than from"));
            }
            if let Some(first) = seen.get(&(&given.from, given.action.as_str())) {
                faults.push(Fault::new(
                    format!("moves[{index}].action"),
                    format!("must lead to one step alone; moves[{first}] is the same action from there"),
                ));
            } else {
                seen.insert((&given.from, given.action.as_str()), index);
            }
        }
    }

    fn check_ways(&self, faults: &mut Vec<Fault>) {
        let forward = |from: &StepId, to: &StepId| (from.clone(), to.clone());
        let backward = |from: &StepId, to: &StepId| (to.clone(), from.clone());
        let first: Vec<StepId> = self.steps.iter().take(1).map(|step| step.id.clone()).collect();
        let closed = self.steps.iter().filter(|step| step.state == StepState::Closed).map(|step| step.id.clone()).collect();
        let reached = self.reached(first, forward);
        let ending = self.reached(closed, backward);
        for (index, step) in self.steps.iter().enumerate() {
            if !reached.contains(&step.id) {
                faults.push(Fault::new(format!("steps[{index}]"), "can't be reached from the first step"));
            } else if !ending.contains(&step.id) {
                faults.push(Fault::new(format!("steps[{index}]"), "has no way to a step that is CLOSED"));
            }
        }
    }

    /// The steps that some of them lead to, by moves as they are turned.
    fn reached(&self, from: Vec<StepId>, turned: impl Fn(&StepId, &StepId) -> (StepId, StepId)) -> BTreeSet<StepId> {
        let mut reached: BTreeSet<StepId> = from.iter().cloned().collect();
        let mut left = from;
        while let Some(step) = left.pop() {
            for given in &self.moves {
                let (from, to) = turned(&given.from, &given.to);
                if from == step && reached.insert(to.clone()) {
                    left.push(to);
                }
            }
        }
        reached
    }
}

fn check_text(at: &str, text: &str, faults: &mut Vec<Fault>) {
    if visible(text).is_none() {
        faults.push(Fault::new(at, "must have characters that can be seen"));
    } else if text.chars().count() > MAX_CHARS || text.chars().any(char::is_control) {
        faults.push(Fault::new(at, format!("must be at most {MAX_CHARS} characters, none of them a control character")));
    }
}

fn check_count(at: &str, count: usize, range: std::ops::RangeInclusive<usize>, faults: &mut Vec<Fault>) {
    if !range.contains(&count) {
        faults.push(Fault::new(at, format!("must be {} to {}", range.start(), range.end())));
    }
}

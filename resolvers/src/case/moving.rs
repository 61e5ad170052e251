//! Moving a case on its workflow: by an action, by closing it, by opening it again.
//!
//! To close a case is to bring it to a closed step, whatever its workflow calls the action; to reopen it, to bring it from there to an open one.

use cypher::{WriteStatement, statements};
use graph_schema::event::{CaseClosed, CaseWorkflowActioned, CaseWorkflowTransitioned, Event};
use graph_schema::fault::Fault;
use graph_schema::id::CaseId;
use graph_schema::json_text::JsonText;
use graph_schema::workflow::StepState;
use serde_json::{Value as Json, json};

use super::field_times::Said;
use super::stored::{CaseChange, Move, StoredCase};
use super::work::{CaseConflictKind, CaseWork, LONGEST_COMMENT, Work, check_total_size, conflict, may_say};
use crate::queue::{Amended, Decision, Values};
use crate::{Caller, Error, IdempotencyKey, Resolvers, Result, boxed};

/// Moves a case on its workflow.
#[derive(Debug, Clone)]
pub struct ActOnCase {
    pub case: CaseId,
    pub by: WantedMove,
    pub comment: Option<String>,
    /// What came out; only for a move that closes the case, as is the rest.
    pub resolution: Option<JsonText>,
    pub disposition_narrative: Option<String>,
    pub close_reason: Option<String>,
    pub expected_version: Option<i64>,
}

/// Which of the moves that a case may make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedMove {
    /// By this action, such as `CLAIM`.
    Action(String),
    /// From an open step to a closed one; by this action, where several lead to one.
    Close(Option<String>),
    /// From a closed step to an open one; by this action, where several lead to one.
    Reopen(Option<String>),
}

/// The longest narrative, in characters.
const LONGEST_NARRATIVE: usize = 100_000;
/// The longest reason why a case is closed, in characters.
const LONGEST_REASON: usize = 1_000;

impl WantedMove {
    /// As the audit entry says it: what was asked for, and by which action.
    fn said(&self) -> (&'static str, Option<&str>) {
        match self {
            Self::Action(action) => ("ACT", Some(action)),
            Self::Close(action) => ("CLOSE", action.as_deref()),
            Self::Reopen(action) => ("REOPEN", action.as_deref()),
        }
    }

    /// The move that is meant, of those that the case may make.
    fn of<'a>(&self, stored: &'a StoredCase) -> Result<&'a Move> {
        let not_allowed = || conflict(CaseConflictKind::NotAllowed, stored);
        let (from, to, action) = match self {
            Self::Action(action) => return stored.moves.iter().find(|allowed| allowed.action == *action).ok_or_else(not_allowed),
            Self::Close(action) => (StepState::Open, StepState::Closed, action),
            Self::Reopen(action) => (StepState::Closed, StepState::Open, action),
        };
        let leads = |way: &&Move| stored.step.state == from && way.to.state == to && action.as_ref().is_none_or(|action| way.action == *action);
        let ways: Vec<&Move> = stored.moves.iter().filter(leads).collect();
        match ways[..] {
            [way] => Ok(way),
            [] => Err(not_allowed()),
            _ => {
                let actions: Vec<&str> = ways.iter().map(|way| way.action.as_str()).collect();
                Err(Error::invalid("action", format!("must say by which of several actions: {}", actions.join(", "))))
            }
        }
    }
}

impl Resolvers {
    /// Moves a case on its workflow. Told by `case.workflow.actioned` and `case.workflow.transitioned`, and `case.closed` where that is what it does.
    #[boxed]
    pub async fn act_on_case(&self, caller: &Caller, act: ActOnCase, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &act.case)?;
        act.check(1)?;
        let said = act.said();
        let work = Work::of(&permit, act.case.clone(), act.expected_version, act);
        let write = work.written("case.workflow.actioned", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }
}

impl ActOnCase {
    /// A move of a case. Nothing is said of what came out.
    pub fn new(case: CaseId, by: WantedMove, comment: Option<String>, expected_version: Option<i64>) -> Self {
        Self { case, by, comment, resolution: None, disposition_narrative: None, close_reason: None, expected_version }
    }

    /// The same with what came out, which only a move that closes the case may say: the resolution, the narrative of the disposition, the reason for closing.
    pub fn with_outcome(self, resolution: Option<JsonText>, disposition_narrative: Option<String>, close_reason: Option<String>) -> Self {
        Self { resolution, disposition_narrative, close_reason, ..self }
    }

    /// That it says not too much of each of so many cases of which the same is said.
    pub fn check(&self, cases: usize) -> Result<()> {
        may_say("comment", self.comment.as_deref(), LONGEST_COMMENT)?;
        may_say("dispositionNarrative", self.disposition_narrative.as_deref(), LONGEST_NARRATIVE)?;
        may_say("closeReason", self.close_reason.as_deref(), LONGEST_REASON)?;
        let texts = [&self.comment, &self.disposition_narrative, &self.close_reason].into_iter().flatten().map(String::len).sum::<usize>();
        check_total_size(cases, texts + self.resolution.as_ref().map_or(0, |resolution| resolution.as_str().len()), "resolution")
    }

    /// As the audit entry says it.
    fn said(&self) -> Json {
        let resolution = self.resolution.as_ref().map(JsonText::value);
        let (wanted, action) = self.by.said();
        json!({"wanted": wanted, "actionName": action, "comment": self.comment, "resolution": resolution,
            "dispositionNarrative": self.disposition_narrative, "closeReason": self.close_reason})
    }
}

impl CaseWork for ActOnCase {
    const WRITE: WriteStatement = statements::case::MOVE;

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let Move { action, to } = work.what.by.of(stored)?;
        let closes = stored.step.state == StepState::Open && to.state == StepState::Closed;
        if !closes {
            only_on_closing(&work.what)?;
        }
        let (id, by) = (&work.case, &work.by);
        let actioned = Event::CaseWorkflowActioned(CaseWorkflowActioned {
            id: id.clone(),
            user_id: by.clone(),
            action_name: action.clone(),
            comment: work.what.comment.clone(),
            metadata: stored.metadata.clone(),
        });
        let transitioned = Event::CaseWorkflowTransitioned(CaseWorkflowTransitioned {
            id: id.clone(),
            workflow_id: stored.workflow.clone(),
            from_step_id: stored.step.id.clone(),
            to_step_id: to.id.clone(),
            user_id: by.clone(),
            action_name: action.clone(),
        });
        let mut change = work.change(stored).setting(to.props()).telling(actioned).telling(transitioned);
        if closes {
            let said = work.what.resolution.as_ref().map(|_| [Said::resolution(stored.resolution.as_ref()), Said::replaced_resolution()]);
            change = closing(change, work, stored).setting(stored.times.with(said.into_iter().flatten(), decision));
        }
        let before = json!({"stepId": stored.step.id}).to_string();
        let mut after = work.what.said();
        after["stepId"] = json!(to.id);
        let more = [("step", to.node.as_str().into()), ("at", decision.now.millis().into())];
        let amended = change.amended((), decision, more);
        Ok(Some(Amended { values: Values::replaced(Some(before), Some(after.to_string())), ..amended }))
    }
}

/// What is said when a case is closed can't be said before.
fn only_on_closing(act: &ActOnCase) -> Result<()> {
    let said = [
        ("resolution", act.resolution.is_some()),
        ("dispositionNarrative", act.disposition_narrative.is_some()),
        ("closeReason", act.close_reason.is_some()),
    ];
    let faults: Vec<Fault> =
        said.iter().filter(|(_, said)| *said).map(|(name, _)| Fault::new(*name, "goes only with an action that closes the case")).collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// The case is done: what came out, and the event that tells of it.
fn closing(change: CaseChange, work: &Work<ActOnCase>, stored: &StoredCase) -> CaseChange {
    let act = &work.what;
    let resolution = act.resolution.clone().or_else(|| stored.resolution.clone());
    let mut props = vec![("closeReason", act.close_reason.as_deref().into())];
    props.push(("resolution", resolution.as_ref().map(|resolution| resolution.as_str()).into()));
    props.extend(act.disposition_narrative.as_deref().map(|narrative| ("narrative", narrative.into())));
    change.setting(props).telling(Event::CaseClosed(CaseClosed {
        id: work.case.clone(),
        user_id: work.by.clone(),
        resolution,
        disposition_narrative: act.disposition_narrative.clone(),
        comment: act.comment.clone(),
        close_reason: act.close_reason.clone(),
        metadata: stored.metadata.clone(),
    }))
}

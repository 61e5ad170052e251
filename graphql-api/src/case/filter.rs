//! Which cases.

use async_graphql::{Error, ID, InputObject, Result};
use graph_schema::case::CaseType;
use graph_schema::date::Timestamp;
use graph_schema::id::{ActorId, StepId, TagId, UserId, WorkflowId};
use graph_schema::workflow::StepState;
use graphql_service::filtering::{end_of_span, not_too_many, one_of};
use graphql_service::segmentation::words;
use resolvers::explore::{CaseFilter, ListFilter, queues};

use super::super::walk::RequestContext;

/// Which cases. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "CaseFilter")]
pub struct CaseFilterInput {
    /// Words, each of which the narrative or a comment has, whatever their case. At most 10 words.
    text: Option<String>,
    /// Assigned to the user behind the request. Refused where there is none: it needs a token of a user. `false` is as if it were left out.
    mine: Option<bool>,
    /// Assigned to one of these users.
    assignee_ids: Option<Vec<UserId>>,
    /// Whether somebody works on it.
    assigned: Option<bool>,
    /// Focusing on one of these actors.
    focal_actor_ids: Option<Vec<ActorId>>,
    /// Focusing on one of these actors, or concerning it.
    actor_ids: Option<Vec<ActorId>>,
    /// Of one of these risk bands, as `riskBand` says: `low_risk`, `medium_risk` or `high_risk`.
    risk_bands: Option<Vec<String>>,
    /// Open and due already, or not. For lists: a subscription takes `dueTo`.
    overdue: Option<bool>,
    /// Due at this time or later.
    due_from: Option<Timestamp>,
    /// Due before this time.
    due_to: Option<Timestamp>,
    /// Closed at this time or later, and not open again.
    closed_from: Option<Timestamp>,
    /// Closed before this time, and not open again.
    closed_to: Option<Timestamp>,
    /// Made at this time or later.
    created_from: Option<Timestamp>,
    /// Made before this time.
    created_to: Option<Timestamp>,
    /// Last changed at this time or later.
    updated_from: Option<Timestamp>,
    /// Last changed before this time.
    updated_to: Option<Timestamp>,
    /// Made by one of these users, API keys or clients.
    created_by_ids: Option<Vec<ID>>,
    /// Each of these tags.
    all_tags: Option<Vec<TagId>>,
    /// At least one of these tags.
    tag_ids: Option<Vec<TagId>>,
    /// One of these types.
    types: Option<Vec<CaseType>>,
    /// In one of these workflows.
    workflow_ids: Option<Vec<WorkflowId>>,
    /// On a step of one of these states.
    states: Option<Vec<StepState>>,
    /// On a step of one of these statuses.
    statuses: Option<Vec<String>>,
    /// On one of these steps, as its workflow calls them.
    step_ids: Option<Vec<StepId>>,
    /// Under one of these jurisdictions.
    jurisdictions: Option<Vec<String>>,
    /// From one of these sources.
    sources: Option<Vec<String>>,
    /// Closed last for one of these reasons.
    close_reasons: Option<Vec<String>>,
    /// At least one of these tags.
    #[graphql(deprecation = "Use `tagIds`.")]
    any_tag: Option<Vec<TagId>>,
    /// One of these.
    #[graphql(name = "type", deprecation = "Use `types`.")]
    kinds: Option<Vec<CaseType>>,
    /// One of these.
    #[graphql(deprecation = "Use `workflowIds`.")]
    workflow_id: Option<Vec<WorkflowId>>,
    /// The state of its step: one of these.
    #[graphql(deprecation = "Use `states`.")]
    state: Option<Vec<StepState>>,
    /// The status of its step: one of these.
    #[graphql(deprecation = "Use `statuses`.")]
    status: Option<Vec<String>>,
    /// Its step, as its workflow calls it: one of these.
    #[graphql(deprecation = "Use `stepIds`.")]
    step_id: Option<Vec<StepId>>,
}

/// No text that cases are found by is longer, in bytes.
const LONGEST_TEXT: usize = 4_096;
/// Risk bands, the lowest first; a case has the place of its own as a number, from 1 on.
const RISK_BANDS: [&str; 3] = ["low_risk", "medium_risk", "high_risk"];
const STATES: [StepState; 2] = [StepState::Open, StepState::Closed];

/// The name of a band by its number; none where there is no band.
pub fn risk_band(number: i64) -> Option<&'static str> {
    usize::try_from(number).ok().and_then(|number| RISK_BANDS.get(number.checked_sub(1)?)).copied()
}

fn wrong<T>(name: &str, problem: &str) -> Result<T> {
    Err(Error::new(format!("filter.{name}: {problem}")))
}

/// The users of a member `at`, and the one who asks for what is theirs.
pub fn assignees(at: &str, named: Option<Vec<UserId>>, mine: Option<&str>) -> Result<Option<Vec<String>>> {
    not_too_many(at, named.as_ref().map(Vec::len))?;
    let named = named.map(|users| users.iter().map(|user| user.as_str().to_owned()).collect::<Vec<String>>());
    Ok(match (named, mine) {
        (named, None) => named,
        (None, Some(user)) => Some(vec![user.to_owned()]),
        (Some(named), Some(user)) => Some(named.into_iter().filter(|named| named == user).collect()),
    })
}

impl CaseFilterInput {
    /// Refuses a filter that can't hold for any case: it is a mistake.
    fn check(&self) -> Result<()> {
        for (name, from, to) in [("dueTo", self.due_from, self.due_to), ("closedTo", self.closed_from, self.closed_to)] {
            if from.zip(to).is_some_and(|(from, to)| to <= from) {
                return wrong(name, &format!("must be later than {}From", name.trim_end_matches("To")));
            }
        }
        if self.assigned == Some(false) && (self.mine == Some(true) || self.assignee_ids.is_some()) {
            return wrong("assigned", "must not be false beside mine and assigneeIds");
        }
        let texts = [
            ("riskBands", &self.risk_bands),
            ("statuses", &self.statuses),
            ("status", &self.status),
            ("jurisdictions", &self.jurisdictions),
            ("sources", &self.sources),
            ("closeReasons", &self.close_reasons),
        ];
        let others = [
            ("focalActorIds", self.focal_actor_ids.as_ref().map(Vec::len)),
            ("actorIds", self.actor_ids.as_ref().map(Vec::len)),
            ("createdByIds", self.created_by_ids.as_ref().map(Vec::len)),
            ("allTags", self.all_tags.as_ref().map(Vec::len)),
        ];
        for (name, length) in others.into_iter().chain(texts.map(|(name, texts)| (name, texts.as_ref().map(Vec::len)))) {
            not_too_many(name, length)?;
        }
        match texts.into_iter().find(|(_, texts)| texts.iter().flatten().any(|text| text.len() > LONGEST_TEXT)) {
            Some((name, _)) => wrong(name, &format!("must be of at most {LONGEST_TEXT} bytes each")),
            None => Ok(()),
        }
    }

    /// The bands that are named, as numbers.
    fn risks(&self) -> Result<Option<Vec<i64>>> {
        let Some(bands) = &self.risk_bands else { return Ok(None) };
        let number = |band: &String| RISK_BANDS.iter().zip(1..).find(|(known, _)| *known == band).map(|(_, number)| number);
        match bands.iter().map(number).collect::<Option<Vec<i64>>>() {
            Some(numbers) => Ok(Some(numbers)),
            None => wrong("riskBands", "must be low_risk, medium_risk or high_risk each"),
        }
    }

    /// The filter of what goes on while time does. It is asked again for each change, with the values that it has now, so that it has no present.
    pub fn into_lasting_filter(self, request: &RequestContext) -> Result<ListFilter> {
        match self.overdue {
            Some(_) => wrong("overdue", "goes with lists; a subscription takes dueTo"),
            None => self.into_filter(request),
        }
    }

    /// The filter.
    pub fn into_filter(self, request: &RequestContext) -> Result<ListFilter> {
        self.check()?;
        let risks = self.risks()?;
        let named = assignees("assigneeIds", self.assignee_ids, request.mine(self.mine)?)?;
        let states = one_of(("states", self.states), ("state", self.state))?;
        // What is overdue is open.
        let states = states.or((self.overdue == Some(true)).then(|| vec![StepState::Open]));
        let nobody = || (self.assigned == Some(false)).then(|| vec![String::new()]);
        let users = named.or_else(nobody);
        // Pages of one assignee are looked up by state and assignee together.
        let queues = users.as_ref().map(|users| queues(states.as_deref().unwrap_or(&STATES), users.iter().map(String::as_str)));
        let creators = self.created_by_ids.map(|ids| ids.iter().map(|id| UserId::spelled(id).into_owned()).collect());
        Ok(ListFilter::Cases(CaseFilter {
            assigned: self.assigned.filter(|_| queues.is_none()),
            created_from: self.created_from,
            created_to: end_of_span(("createdFrom", self.created_from), ("createdTo", self.created_to))?,
            updated_from: self.updated_from,
            updated_to: end_of_span(("updatedFrom", self.updated_from), ("updatedTo", self.updated_to))?,
            all_tags: self.all_tags,
            any_tag: one_of(("tagIds", self.tag_ids), ("anyTag", self.any_tag))?,
            types: one_of(("types", self.types), ("type", self.kinds))?,
            workflows: one_of(("workflowIds", self.workflow_ids), ("workflowId", self.workflow_id))?,
            states: states.filter(|_| queues.is_none()),
            statuses: one_of(("statuses", self.statuses), ("status", self.status))?,
            steps: one_of(("stepIds", self.step_ids), ("stepId", self.step_id))?,
            queues,
            focal_actors: self.focal_actor_ids,
            actors: self.actor_ids,
            risks,
            overdue: (self.overdue == Some(true)).then_some(request.now),
            not_overdue: (self.overdue == Some(false)).then_some(request.now),
            due_from: self.due_from,
            due_to: self.due_to,
            closed_from: self.closed_from,
            closed_to: self.closed_to,
            creators,
            words: words(self.text)?,
            jurisdictions: self.jurisdictions,
            sources: self.sources,
            close_reasons: self.close_reasons,
        }))
    }
}

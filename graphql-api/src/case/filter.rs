//! Which cases, and in which order.

use async_graphql::{Enum, Error, InputObject, Result};
use graph_schema::case::CaseType;
use graph_schema::date::Timestamp;
use graph_schema::id::{StepId, TagId, WorkflowId};
use graph_schema::workflow::StepState;
use resolvers::explore::{CaseFilter, CaseSort, ListFilter};

use super::super::transaction::{MOST_WORDS, SortDirection};

/// What cases are listed by.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
#[graphql(remote = "CaseSort")]
pub enum CaseOrderField {
    /// The time at which the case was made.
    CreatedAt,
    /// The time of the last change.
    UpdatedAt,
    /// The type: `ANALYSIS` before `FILING`, ascending.
    Type,
    /// The id, as text.
    Id,
}

/// An order of cases; newest first when none is given.
#[derive(InputObject, Clone, Copy)]
pub struct CaseOrder {
    /// The field that decides the order. Equal values go by id.
    pub field: CaseOrderField,
    /// Which end of the order comes first: the newest or largest unless it is said.
    #[graphql(default_with = "SortDirection::Descending")]
    pub direction: SortDirection,
}

/// Which cases. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "CaseFilter")]
pub struct CaseFilterInput {
    /// Whether somebody works on it.
    assigned: Option<bool>,
    /// Made at this time or later.
    created_from: Option<Timestamp>,
    /// Made at this time or earlier.
    created_to: Option<Timestamp>,
    /// Last changed at this time or later.
    updated_from: Option<Timestamp>,
    /// Last changed at this time or earlier.
    updated_to: Option<Timestamp>,
    /// Each of these tags.
    all_tags: Option<Vec<TagId>>,
    /// At least one of these tags.
    any_tag: Option<Vec<TagId>>,
    /// One of these.
    #[graphql(name = "type")]
    types: Option<Vec<CaseType>>,
    /// One of these.
    workflow_id: Option<Vec<WorkflowId>>,
    /// The state of its step: one of these.
    state: Option<Vec<StepState>>,
    /// The status of its step: one of these.
    status: Option<Vec<String>>,
    /// Its step, as its workflow calls it: one of these.
    step_id: Option<Vec<StepId>>,
}

/// No step's status is longer.
const LONGEST_STATUS: usize = 256;

impl CaseFilterInput {
    /// What can't hold for any case is a mistake, and said to be one.
    fn check(&self) -> Result<()> {
        let wrong = |name: &str, problem: &str| Err(Error::new(format!("filter.{name}: {problem}")));
        let turned = |from: Option<Timestamp>, to: Option<Timestamp>| from.zip(to).is_some_and(|(from, to)| to < from);
        if turned(self.created_from, self.created_to) {
            return wrong("createdTo", "must not be before createdFrom");
        }
        if turned(self.updated_from, self.updated_to) {
            return wrong("updatedTo", "must not be before updatedFrom");
        }
        let lists = [
            ("allTags", self.all_tags.as_ref().map(Vec::len)),
            ("anyTag", self.any_tag.as_ref().map(Vec::len)),
            ("type", self.types.as_ref().map(Vec::len)),
            ("workflowId", self.workflow_id.as_ref().map(Vec::len)),
            ("state", self.state.as_ref().map(Vec::len)),
            ("status", self.status.as_ref().map(Vec::len)),
            ("stepId", self.step_id.as_ref().map(Vec::len)),
        ];
        if let Some((name, _)) = lists.into_iter().find(|(_, length)| length.is_some_and(|length| length > MOST_WORDS)) {
            return wrong(name, &format!("must name at most {MOST_WORDS}"));
        }
        if self.status.iter().flatten().any(|status| status.len() > LONGEST_STATUS) {
            return wrong("status", &format!("must be of at most {LONGEST_STATUS} bytes each"));
        }
        match lists.into_iter().find(|(_, length)| *length == Some(0)) {
            Some((name, _)) => wrong(name, "must name at least one; leave it out for all"),
            None => Ok(()),
        }
    }

    pub fn into_filter(self) -> Result<ListFilter> {
        self.check()?;
        let Self {
            assigned,
            created_from,
            created_to,
            updated_from,
            updated_to,
            all_tags,
            any_tag,
            types,
            workflow_id: workflows,
            state: states,
            status: statuses,
            step_id: steps,
        } = self;
        Ok(ListFilter::Cases(CaseFilter {
            assigned,
            created_from,
            created_to,
            updated_from,
            updated_to,
            all_tags,
            any_tag,
            types,
            workflows,
            states,
            statuses,
            steps,
        }))
    }
}

//! Counts of cases that are kept, so that nobody has to go through all cases for them.
//!
//! Each case is in three counts, of all cases that stand as it does: in one whatever their days ([`Grain`]), in one of those that were made on its day, in one of
//! those that were closed on its day. Those by day are of cases whoever has them: with many users each case would be nearly alone in its count.
//!
//! A write that brings a case elsewhere says so in its own transaction, by the label `UncountedCase`, and touches no count: else all who move cases would wait for
//! one another at the same nodes. The job `case-counts` brings such cases from the counts that they are in (`countedAs`) to those where they belong. So the answer
//! to a question is a sum: of the counts, and of each case that waits what it will change.
//!
//! Neo4j has no snapshots. A reader that comes while cases are brought over would count one twice, or not at all. So `(:CaseCounting)` has a number that is odd as
//! long as that goes on, in transactions before and after it; who finds it odd, or another in the end, looks again, and has the cases counted one by one at last.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono_tz::Tz;
use cypher::graph::ListFilter;
use cypher::graph::filters::CaseFilter;
use cypher::graph::statistics::{GroupKey, MOST_GROUPS, NO_DAY};
use cypher::statements::rows::{CaseCell, CaseCounts, UncountedCase};
use cypher::{Params, Value};
use graph_schema::date::Timestamp;
use graph_schema::enum_name::EnumName;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::statistics::{DAY, Group, Statistics, StatisticsQuery};

/// Of so many counts, or cases that wait, one goes through all cases: that takes no longer. The statement answers with as many at most.
const MOST_COUNTS: usize = 10_000;
const MOST_WAITING: usize = 2_000;
/// What cases can be grouped by where they are counted already. Of the days either.
const KEYS: [GroupKey; 7] = [
    GroupKey::CASE_STATUS,
    GroupKey::CASE_STATE,
    GroupKey::CASE_ASSIGNEE,
    GroupKey::CASE_TYPE,
    GroupKey::CASE_WORKFLOW,
    GroupKey::CASE_CREATED_DAY,
    GroupKey::CASE_CLOSED_DAY,
];

/// Which day counts go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    /// By none: whatever their days.
    All,
    /// The day on which cases were made, in UTC.
    Created,
    /// The day on which they were closed, in UTC; [`NO_DAY`] of those that are not.
    Closed,
}

impl Grain {
    pub const EACH: [Self; 3] = [Self::All, Self::Created, Self::Closed];

    /// As counts have it.
    pub fn text(self) -> &'static str {
        match self {
            Self::All => "ALL",
            Self::Created => "CREATED",
            Self::Closed => "CLOSED",
        }
    }
}

/// What the cases of a count have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub case_type: String,
    pub state: String,
    pub status: String,
    pub workflow: String,
    /// Empty: nobody; or, by day, whoever it is.
    pub assignee: String,
    /// Since 1970.
    pub day: i64,
}

impl Cell {
    /// The id of the count.
    pub fn id(&self, grain: Grain) -> String {
        json!([grain.text(), self.day, self.case_type, self.state, self.status, self.workflow, self.assignee]).to_string()
    }

    /// What its cases have by a key: a text, or a day.
    fn part(&self, key: GroupKey) -> (String, i64) {
        let text = match key {
            GroupKey::CASE_STATUS => &self.status,
            GroupKey::CASE_STATE => &self.state,
            GroupKey::CASE_ASSIGNEE => &self.assignee,
            GroupKey::CASE_TYPE => &self.case_type,
            GroupKey::CASE_WORKFLOW => &self.workflow,
            _ => return (String::new(), self.day),
        };
        (text.clone(), 0)
    }
}

impl From<CaseCell> for Cell {
    fn from(count: CaseCell) -> Self {
        let CaseCell { case_type, state, status, workflow, assignee, day, count: _ } = count;
        Self { case_type, state, status, workflow, assignee, day }
    }
}

/// How a case stands, as far as it is counted by it: what `countedAs` says as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    case_type: String,
    state: String,
    status: String,
    workflow: String,
    assignee: String,
    created_day: i64,
    closed_day: Option<i64>,
}

impl Standing {
    /// How it stands now.
    pub fn of(case: &UncountedCase) -> Self {
        Self {
            case_type: case.case_type.clone(),
            state: case.state.clone(),
            status: case.status.clone(),
            workflow: case.workflow.clone(),
            assignee: case.assignee.clone(),
            created_day: case.created_at.div_euclid(DAY),
            closed_day: case.closed_at.map(|at| at.div_euclid(DAY)),
        }
    }

    /// How it stood when it was counted last, if it was. One of which that can't be read is counted as a new one: it must hold up no other.
    pub fn counted(case: &UncountedCase) -> Option<Self> {
        serde_json::from_str(case.counted_as.as_deref()?).ok()
    }

    /// Whether it was counted before, and nobody can say as what: the count that it was in has one case too many from then on.
    pub fn is_lost(case: &UncountedCase) -> bool {
        case.counted_as.is_some() && Self::counted(case).is_none()
    }

    pub fn to_text(&self) -> String {
        json!(self).to_string()
    }

    /// The count that it belongs to.
    pub fn cell(&self, grain: Grain) -> Cell {
        let Self { case_type, state, status, workflow, assignee, created_day, closed_day } = self.clone();
        let day = match grain {
            Grain::All => 0,
            Grain::Created => created_day,
            Grain::Closed => closed_day.unwrap_or(NO_DAY),
        };
        let assignee = if grain == Grain::All { assignee } else { String::new() };
        Cell { case_type, state, status, workflow, assignee, day }
    }
}

/// What becomes of counts where cases that wait are brought to those where they belong.
pub fn changes<'a>(waiting: impl IntoIterator<Item = &'a UncountedCase>) -> BTreeMap<(Grain, Cell), i64> {
    let mut changes: BTreeMap<(Grain, Cell), i64> = BTreeMap::new();
    for case in waiting {
        let (standing, before) = (Standing::of(case), Standing::counted(case));
        for grain in Grain::EACH {
            *changes.entry((grain, standing.cell(grain))).or_default() += 1;
            if let Some(before) = &before {
                *changes.entry((grain, before.cell(grain))).or_default() -= 1;
            }
        }
    }
    changes.retain(|_, change| *change != 0);
    changes
}

/// A question that counts answer.
#[derive(Debug)]
pub struct CountQuery<'a> {
    keys: &'a [GroupKey],
    filter: &'a CaseFilter,
    grain: Grain,
    /// The first day and the last.
    days: (i64, i64),
}

impl<'a> CountQuery<'a> {
    /// What is asked of cases, as a question for counts; nothing where cases have to be gone through: more is asked than how many there are, by something else, by
    /// a part of a day, or by day and assignee together.
    pub fn of(query: &'a StatisticsQuery, nothing: &'a CaseFilter, zone: Tz) -> Option<Self> {
        let filter = match &query.filter {
            ListFilter::All => nothing,
            ListFilter::Cases(filter) => filter,
            _ => return None,
        };
        let is_of_utc = zone == Tz::UTC || !query.keys.iter().any(|key| key.is_day());
        if !query.measures.is_empty() || !is_of_utc || !says_no_more(filter) || query.keys.iter().any(|key| !KEYS.contains(key)) {
            return None;
        }
        // The last moment of `created_to` belongs to the range.
        let created = Range::of(filter.created_from, filter.created_to.map(|to| Timestamp(to.millis().saturating_add(1))));
        let closed = Range::of(filter.closed_from, filter.closed_to);
        let by_created = created != Range::NONE || query.keys.contains(&GroupKey::CASE_CREATED_DAY);
        let by_closed = closed != Range::NONE || query.keys.contains(&GroupKey::CASE_CLOSED_DAY);
        let (grain, days) = match (by_created, by_closed) {
            (false, false) => (Grain::All, (0, 0)),
            (true, false) => (Grain::Created, created.whole_days()?),
            (false, true) => (Grain::Closed, closed.whole_days()?),
            (true, true) => return None,
        };
        let by_assignee = filter.assigned.is_some() || filter.queues.is_some() || query.keys.contains(&GroupKey::CASE_ASSIGNEE);
        if by_assignee && grain != Grain::All {
            return None;
        }
        Some(Self { keys: &query.keys, filter, grain, days })
    }

    /// Of the statement.
    pub fn params(&self) -> Params {
        Params::none().with("grain", self.grain.text()).with("from", self.days.0).with("to", self.days.1)
    }

    /// The answer; nothing where there are too many counts, or cases that wait.
    pub fn sum(&self, read: CaseCounts) -> Option<Statistics> {
        if read.counts.len() >= MOST_COUNTS || read.waiting.len() >= MOST_WAITING {
            return None;
        }
        let mut sums: BTreeMap<Vec<(String, i64)>, i64> = BTreeMap::new();
        let mut add = |cell: &Cell, change: i64| {
            if self.passes(cell) {
                *sums.entry(self.keys.iter().map(|key| cell.part(*key)).collect()).or_default() += change;
            }
        };
        for count in read.counts {
            let cases = count.count;
            add(&Cell::from(count), cases);
        }
        for case in &read.waiting {
            add(&Standing::of(case).cell(self.grain), 1);
            if let Some(counted) = Standing::counted(case) {
                add(&counted.cell(self.grain), -1);
            }
        }
        let mut groups: Vec<_> = sums.into_iter().filter(|(_, cases)| *cases != 0).collect();
        let number = groups.len() as i64;
        // Those of one size stay in the order of their keys.
        groups.sort_by_key(|(_, cases)| Reverse(*cases));
        groups.truncate(MOST_GROUPS);
        Some(Statistics { groups: groups.into_iter().map(|(parts, cases)| self.group(parts, cases)).collect(), number })
    }

    fn group(&self, parts: Vec<(String, i64)>, cases: i64) -> Group {
        let value = |key: GroupKey, (text, day): (String, i64)| if key.is_day() { Value::from(day) } else { Value::from(text) };
        Group::of_size(self.keys.iter().zip(parts).map(|(key, part)| (*key, value(*key, part))).collect(), cases)
    }

    /// Whether cases of a count are among those that are asked for.
    fn passes(&self, cell: &Cell) -> bool {
        let CaseFilter { assigned, types, workflows, states, statuses, queues, .. } = self.filter;
        let (first, last) = self.days;
        (first..=last).contains(&cell.day)
            && assigned.is_none_or(|assigned| assigned != cell.assignee.is_empty())
            && types.as_ref().is_none_or(|types| types.iter().any(|named| named.text() == cell.case_type))
            && workflows.as_ref().is_none_or(|workflows| workflows.iter().any(|named| named.as_str() == cell.workflow))
            && states.as_ref().is_none_or(|states| states.iter().any(|named| named.text() == cell.state))
            && statuses.as_ref().is_none_or(|statuses| statuses.contains(&cell.status))
            && queues.as_ref().is_none_or(|queues| queues.contains(&format!("{}/{}", cell.state, cell.assignee)))
    }
}

/// Whether a filter says nothing that counts do not know.
fn says_no_more(filter: &CaseFilter) -> bool {
    let others = CaseFilter { assigned: None, types: None, workflows: None, states: None, statuses: None, queues: None, ..filter.clone() };
    CaseFilter { created_from: None, created_to: None, closed_from: None, closed_to: None, ..others } == CaseFilter::default()
}

/// Whether no count was changed while this was read.
pub fn goes_together(read: &CaseCounts) -> bool {
    read.before == read.after && read.before % 2 == 0
}

/// From a moment up to another, in milliseconds, which does not belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    from: Option<i64>,
    to: Option<i64>,
}

impl Range {
    const NONE: Self = Self { from: None, to: None };

    fn of(from: Option<Timestamp>, to: Option<Timestamp>) -> Self {
        Self { from: from.map(Timestamp::millis), to: to.map(Timestamp::millis) }
    }

    /// The first day and the last, if it is of whole days in UTC. Who says no more than that days matter has those without one, too.
    fn whole_days(self) -> Option<(i64, i64)> {
        let day = |at: i64| (at.rem_euclid(DAY) == 0).then(|| at.div_euclid(DAY));
        let first = match self.from {
            Some(from) => day(from)?,
            None if self.to.is_some() => NO_DAY + 1,
            None => NO_DAY,
        };
        let last = match self.to {
            Some(to) => day(to)? - 1,
            None => i64::MAX,
        };
        Some((first, last))
    }
}

//! How many cases and observations there are, how old they are and how they were handled, by what they have. What is selected is computed, and nothing else.

use async_graphql::{Context, Enum, Object, Result, SelectionField};
use graph_schema::case::CaseType;
use graph_schema::date::{Date, Timestamp};
use graph_schema::observation::ObservationType;
use graph_schema::workflow::StepState;
use resolvers::detection::FeedbackCounts;
use resolvers::explore::{Group, GroupKey, List, Measure, Node, Statistics, StatisticsQuery, lists, nodes};
use serde::de::DeserializeOwned;

use super::case::workflow::WorkflowNode;
use super::case::{CaseFilterInput, TagNode};
use super::observation::{ObservationFilterInput, RuleNode};
use super::page::{DEAREST_ITEM, cost_of_filter};
use super::user::UserNode;
use super::walk::{At, RequestContext, filter_of};
use super::{asking, refused};
use crate::boxed;

/// The fields of rows that are computed, and of what.
const MEASURED: &[(Measure, &[&str])] = &[
    (Measure::OldestAt, &["oldestAt"]),
    (Measure::MedianAge, &["medianAgeSeconds"]),
    (Measure::Overdue, &["overdue"]),
    (Measure::Handled, &["handled"]),
    (Measure::Feedback, &["truePositives", "falsePositives", "precision", "precisionLow", "precisionHigh"]),
];

/// The cost of statistics: each key has all that the filter leaves sorted into groups. More keys than there are would be refused.
fn cost_of_statistics(keys: usize, child: usize) -> usize {
    100 + 100 * keys.min(10) + child
}

/// A field of all rows, of which there may be a thousand, most often a few.
fn cost_of_rows(child: usize) -> usize {
    1 + 50 * child.min(DEAREST_ITEM)
}

/// A node that a row leads to: with the row's share it costs as much as a thousand of them.
fn cost_of_node(child: usize) -> usize {
    20 * child.min(DEAREST_ITEM)
}

/// Keys that cases are grouped by.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
pub enum CaseStatisticsKey {
    /// The status of their step.
    Status,
    /// The state of their step.
    State,
    /// The user they are assigned to.
    Assignee,
    /// Their type.
    Type,
    /// Their workflow.
    Workflow,
    /// Their tags: a case with several counts in several rows.
    Tag,
    /// The reason that was given when they were closed last.
    CloseReason,
    /// The day on which they were made.
    CreatedDay,
    /// The day on which they were closed last, of those that are closed.
    ClosedDay,
}

impl From<CaseStatisticsKey> for GroupKey {
    fn from(key: CaseStatisticsKey) -> Self {
        match key {
            CaseStatisticsKey::Status => Self::CASE_STATUS,
            CaseStatisticsKey::State => Self::CASE_STATE,
            CaseStatisticsKey::Assignee => Self::CASE_ASSIGNEE,
            CaseStatisticsKey::Type => Self::CASE_TYPE,
            CaseStatisticsKey::Workflow => Self::CASE_WORKFLOW,
            CaseStatisticsKey::Tag => Self::CASE_TAG,
            CaseStatisticsKey::CloseReason => Self::CASE_CLOSE_REASON,
            CaseStatisticsKey::CreatedDay => Self::CASE_CREATED_DAY,
            CaseStatisticsKey::ClosedDay => Self::CASE_CLOSED_DAY,
        }
    }
}

/// Keys that observations are grouped by.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
pub enum ObservationStatisticsKey {
    /// Their type.
    Type,
    /// The rules that they name: an observation with several counts in several rows.
    Rule,
    /// Their priority.
    Priority,
    /// Their typology.
    Typology,
    /// The line of business of the run that made them.
    LineOfBusiness,
    /// Their data source.
    DataSource,
    /// The day of their `date`.
    Day,
    /// Whether somebody has handled them.
    Handled,
}

impl From<ObservationStatisticsKey> for GroupKey {
    fn from(key: ObservationStatisticsKey) -> Self {
        match key {
            ObservationStatisticsKey::Type => Self::OBSERVATION_TYPE,
            ObservationStatisticsKey::Rule => Self::OBSERVATION_RULE,
            ObservationStatisticsKey::Priority => Self::OBSERVATION_PRIORITY,
            ObservationStatisticsKey::Typology => Self::OBSERVATION_TYPOLOGY,
            ObservationStatisticsKey::LineOfBusiness => Self::OBSERVATION_LINE_OF_BUSINESS,
            ObservationStatisticsKey::DataSource => Self::OBSERVATION_DATA_SOURCE,
            ObservationStatisticsKey::Day => Self::OBSERVATION_DAY,
            ObservationStatisticsKey::Handled => Self::OBSERVATION_HANDLED,
        }
    }
}

/// How many cases there are, by keys.
pub struct CaseStatistics(Computed<CaseStatisticsRow>);

/// How many cases there are, how old they are, and how many are overdue, all together and by the keys that were named.
#[Object]
impl CaseStatistics {
    /// The time at which they were computed.
    async fn as_of(&self) -> Timestamp {
        self.0.as_of
    }

    /// All cases of the filter, as one row.
    async fn total(&self) -> &CaseStatisticsRow {
        &self.0.total
    }

    /// One row for each combination of the keys that occurs, the largest first; 1,000 at most.
    #[graphql(complexity = "cost_of_rows(child_complexity)")]
    async fn rows(&self) -> &[CaseStatisticsRow] {
        &self.0.rows
    }

    /// The number of combinations, with those that `rows` has left out.
    async fn row_count(&self) -> i64 {
        self.0.number
    }

    /// Whether `rows` has left out combinations.
    async fn truncated(&self) -> bool {
        self.0.is_truncated()
    }
}

/// Cases that have something in common.
pub struct CaseStatisticsRow(Group);

/// Cases that have something in common. A key is null unless it is grouped by, and where the cases have none.
#[Object]
impl CaseStatisticsRow {
    /// The status of the step.
    async fn status(&self) -> Option<&str> {
        self.0.text(GroupKey::CASE_STATUS)
    }

    /// The state of the step.
    async fn state(&self) -> Result<Option<StepState>> {
        word(&self.0, GroupKey::CASE_STATE)
    }

    /// The user they are assigned to; null for unassigned cases too.
    #[graphql(complexity = "cost_of_node(child_complexity)")]
    async fn assignee(&self, context: &Context<'_>) -> Result<Option<UserNode>> {
        node(context, &self.0, GroupKey::CASE_ASSIGNEE, &nodes::USER).await?.map(UserNode::new).transpose()
    }

    /// The type of the cases.
    #[graphql(name = "type")]
    async fn kind(&self) -> Result<Option<CaseType>> {
        word(&self.0, GroupKey::CASE_TYPE)
    }

    /// The workflow that the cases go through.
    #[graphql(complexity = "cost_of_node(child_complexity)")]
    async fn workflow(&self, context: &Context<'_>) -> Result<Option<WorkflowNode>> {
        node(context, &self.0, GroupKey::CASE_WORKFLOW, &nodes::WORKFLOW).await?.map(WorkflowNode::new).transpose()
    }

    /// The tag; null for cases without tags too.
    #[graphql(complexity = "cost_of_node(child_complexity)")]
    async fn tag(&self, context: &Context<'_>) -> Result<Option<TagNode>> {
        node(context, &self.0, GroupKey::CASE_TAG, &nodes::TAG).await?.map(TagNode::new).transpose()
    }

    /// The reason that was given when they were closed last.
    async fn close_reason(&self) -> Option<&str> {
        self.0.text(GroupKey::CASE_CLOSE_REASON)
    }

    /// The day on which they were made, in the time zone.
    async fn created_day(&self) -> Option<Date> {
        self.0.day(GroupKey::CASE_CREATED_DAY)
    }

    /// The day on which they were closed last, in the time zone; null for open cases too.
    async fn closed_day(&self) -> Option<Date> {
        self.0.day(GroupKey::CASE_CLOSED_DAY)
    }

    /// The number of cases.
    async fn count(&self) -> i64 {
        self.0.count
    }

    /// The number of cases that are open and were due already.
    async fn overdue(&self) -> i64 {
        self.0.overdue
    }

    /// The time at which the oldest of them was made; null when there is none.
    async fn oldest_at(&self) -> Option<Timestamp> {
        self.0.oldest_at
    }

    /// The median of the seconds from opening to closing, or up to now while they are open; null when there is none.
    async fn median_age_seconds(&self) -> Option<i64> {
        seconds(&self.0)
    }
}

/// How many observations there are, by keys.
pub struct ObservationStatistics(Computed<ObservationStatisticsRow>);

/// How many observations there are, how many were handled, and what feedback says of them, all together and by the keys that were named.
#[Object]
impl ObservationStatistics {
    /// The time at which they were computed.
    async fn as_of(&self) -> Timestamp {
        self.0.as_of
    }

    /// All observations of the filter, as one row.
    async fn total(&self) -> &ObservationStatisticsRow {
        &self.0.total
    }

    /// One row for each combination of the keys that occurs, the largest first; 1,000 at most.
    #[graphql(complexity = "cost_of_rows(child_complexity)")]
    async fn rows(&self) -> &[ObservationStatisticsRow] {
        &self.0.rows
    }

    /// The number of combinations, with those that `rows` has left out.
    async fn row_count(&self) -> i64 {
        self.0.number
    }

    /// Whether `rows` has left out combinations.
    async fn truncated(&self) -> bool {
        self.0.is_truncated()
    }
}

/// Observations that have something in common.
pub struct ObservationStatisticsRow(Group);

/// Observations that have something in common. A key is null unless it is grouped by, and where the observations have none.
#[Object]
impl ObservationStatisticsRow {
    /// The type of the observations.
    #[graphql(name = "type")]
    async fn kind(&self) -> Result<Option<ObservationType>> {
        word(&self.0, GroupKey::OBSERVATION_TYPE)
    }

    /// The rule; null for observations without rules too.
    #[graphql(complexity = "cost_of_node(child_complexity)")]
    async fn rule(&self, context: &Context<'_>) -> Result<Option<RuleNode>> {
        node(context, &self.0, GroupKey::OBSERVATION_RULE, &nodes::OBSERVATION_RULE).await?.map(RuleNode::new).transpose()
    }

    /// How urgent the observations are, as their senders say it.
    async fn priority(&self) -> Option<&str> {
        self.0.text(GroupKey::OBSERVATION_PRIORITY)
    }

    /// The typology that the observations are of.
    async fn typology(&self) -> Option<&str> {
        self.0.text(GroupKey::OBSERVATION_TYPOLOGY)
    }

    /// The line of business of the run that made them.
    async fn line_of_business(&self) -> Option<&str> {
        self.0.text(GroupKey::OBSERVATION_LINE_OF_BUSINESS)
    }

    /// The system that the observations come from.
    async fn data_source(&self) -> Option<&str> {
        self.0.text(GroupKey::OBSERVATION_DATA_SOURCE)
    }

    /// The day of their `date`, in the time zone.
    async fn day(&self) -> Option<Date> {
        self.0.day(GroupKey::OBSERVATION_DAY)
    }

    /// Whether they are those that were handled, or the others; of the key `HANDLED`.
    async fn is_handled(&self) -> Option<bool> {
        self.0.flag(GroupKey::OBSERVATION_HANDLED)
    }

    /// The number of observations.
    async fn count(&self) -> i64 {
        self.0.count
    }

    /// The number of them on which somebody has given feedback or acted, which somebody has dismissed, or from which a case was raised.
    async fn handled(&self) -> i64 {
        self.0.handled
    }

    /// The time of the oldest of them; null when there is none.
    async fn oldest_at(&self) -> Option<Timestamp> {
        self.0.oldest_at
    }

    /// The median of the seconds from `date` to the first handling, or up to now while nobody has handled them; null when there is none.
    async fn median_age_seconds(&self) -> Option<i64> {
        seconds(&self.0)
    }

    /// The number of them whose latest feedback calls them right.
    async fn true_positives(&self) -> i64 {
        self.0.true_positives
    }

    /// The number of them whose latest feedback calls them wrong.
    async fn false_positives(&self) -> i64 {
        self.0.false_positives
    }

    /// The share of the right ones among the right and the wrong, 0 to 1; null where there are none.
    async fn precision(&self) -> Option<f64> {
        judged(&self.0).precision()
    }

    /// Where Wilson's interval of the precision begins, of 95 %; null where there is no precision.
    async fn precision_low(&self) -> Option<f64> {
        judged(&self.0).interval().map(|interval| interval.low)
    }

    /// Where the interval ends.
    async fn precision_high(&self) -> Option<f64> {
        judged(&self.0).interval().map(|interval| interval.high)
    }
}

/// The present is a whole second, so that what was made within it is not yet.
fn seconds(group: &Group) -> Option<i64> {
    group.median_millis.map(|millis| millis.div_euclid(1_000).max(0))
}

fn judged(group: &Group) -> FeedbackCounts {
    let count = |count: i64| u64::try_from(count).unwrap_or_default();
    FeedbackCounts { true_positive: count(group.true_positives), false_positive: count(group.false_positives), ..FeedbackCounts::default() }
}

/// A value of one of the schema's own enumerations.
fn word<T: DeserializeOwned>(group: &Group, key: GroupKey) -> Result<Option<T>> {
    let Some(text) = group.text(key) else { return Ok(None) };
    let read = serde_json::from_value(serde_json::Value::String(text.to_owned()));
    read.map(Some).map_err(|error| refused(resolvers::Error::Internal(format!("the key of a group: {error}"))))
}

/// The node whose id a group has.
async fn node(context: &Context<'_>, group: &Group, key: GroupKey, node: &'static Node) -> Result<Option<At>> {
    match group.text(key) {
        Some(id) => At::named(context, node, id).await,
        None => Ok(None),
    }
}

/// Statistics of a list, as they were computed.
struct Computed<Row> {
    as_of: Timestamp,
    total: Row,
    rows: Vec<Row>,
    number: i64,
}

impl<Row> Computed<Row> {
    fn is_truncated(&self) -> bool {
        usize::try_from(self.number).is_ok_and(|number| number > self.rows.len())
    }
}

/// Statistics of the graph's lists.
#[derive(Default)]
pub struct StatisticsFields;

#[Object]
impl StatisticsFields {
    /// Numbers of cases by any of the keys, each named once at most, by the same filter as `cases`. They are those of the moment at which they are asked for.
    #[graphql(complexity = "cost_of_statistics(group_by.len(), child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables)]
    async fn case_statistics(
        &self,
        context: &Context<'_>,
        filter: Option<CaseFilterInput>,
        #[graphql(default, desc = "The keys, each once at most.")] group_by: Vec<CaseStatisticsKey>,
        #[graphql(default = "UTC", desc = "Where days begin: a name of the IANA time zone database, such as `Europe/Berlin`.")] time_zone: String,
    ) -> Result<CaseStatistics> {
        let keys = group_by.into_iter().map(GroupKey::from).collect();
        computed(context, &lists::CASES, keys, time_zone, CaseStatisticsRow).await.map(CaseStatistics)
    }

    /// Numbers of observations by any of the keys, each named once at most. They are counted when they are asked for, by the same filter as `observations`.
    #[graphql(complexity = "cost_of_statistics(group_by.len(), child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables)]
    async fn observation_statistics(
        &self,
        context: &Context<'_>,
        filter: Option<ObservationFilterInput>,
        #[graphql(default, desc = "The keys, each once at most.")] group_by: Vec<ObservationStatisticsKey>,
        #[graphql(default = "UTC", desc = "Where days begin: a name of the IANA time zone database, such as `Europe/Berlin`.")] time_zone: String,
    ) -> Result<ObservationStatistics> {
        let keys = group_by.into_iter().map(GroupKey::from).collect();
        computed(context, &lists::OBSERVATIONS, keys, time_zone, ObservationStatisticsRow).await.map(ObservationStatistics)
    }
}

/// Computes what is selected. All cases together are a statement of their own: one that has several tags is in several rows.
async fn computed<Row>(
    context: &Context<'_>,
    list: &'static List,
    keys: Vec<GroupKey>,
    time_zone: String,
    row: fn(Group) -> Row,
) -> Result<Computed<Row>> {
    let (resolvers, caller) = asking(context)?;
    resolvers.may_explore(caller).map_err(refused)?;
    let request = RequestContext::of(context);
    let as_of = request.now;
    let filter = filter_of(context.field(), &list.link, &request)?;
    let query = |keys, measures| StatisticsQuery { filter: filter.clone(), keys, measures, time_zone: time_zone.clone(), as_of };
    let total = measures_below(context.field(), &["total"]).map(|measures| query(Vec::new(), measures));
    let rows = measures_below(context.field(), &["rows", "rowCount", "truncated"]).map(|measures| query(keys, measures));
    let (total, grouped) = futures::try_join!(asked(context, list, total), asked(context, list, rows.clone()))?;
    let total = total.groups.into_iter().next().unwrap_or_default();
    let (mut groups, mut number) = (grouped.groups, grouped.number);
    if groups.iter().all(|group| group.count == 0) {
        // Without keys nothing is one group, too.
        groups.clear();
        number = 0;
    }
    if let Some(query) = rows.filter(|_| number == Statistics::TOO_MANY && selects(context.field(), "rowCount")) {
        number = resolvers.group_count(caller, list, &query).await.map_err(refused)?;
    }
    Ok(Computed { as_of, total: row(total), rows: groups.into_iter().map(row).collect(), number })
}

/// Asks one statement, if there is something to ask.
#[boxed]
async fn asked(context: &Context<'_>, list: &'static List, query: Option<StatisticsQuery>) -> Result<Statistics> {
    let Some(query) = query else { return Ok(Statistics::default()) };
    let (resolvers, caller) = asking(context)?;
    let statistics = match list.link.to.label {
        "Case" => resolvers.case_statistics(caller, &query).await,
        _ => resolvers.observation_statistics(caller, &query).await,
    };
    statistics.map_err(refused)
}

/// Whether a field is selected directly.
fn selects(field: SelectionField<'_>, name: &str) -> bool {
    field.selection_set().any(|selected| selected.name() == name)
}

/// The measures for the fields below some of the fields; nothing where none of these is selected.
fn measures_below(field: SelectionField<'_>, names: &[&str]) -> Option<Vec<Measure>> {
    let selected: Vec<SelectionField<'_>> = field.selection_set().filter(|selected| names.contains(&selected.name())).collect();
    if selected.is_empty() {
        return None;
    }
    let below: Vec<&str> = selected.iter().flat_map(|selected| selected.selection_set()).map(|field| field.name()).collect();
    let is_asked = |fields: &[&str]| fields.iter().any(|field| below.contains(field));
    Some(MEASURED.iter().filter(|(_, fields)| is_asked(fields)).map(|(measure, _)| *measure).collect())
}

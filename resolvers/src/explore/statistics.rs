//! Statistics of lists: counts, ages and feedback by what nodes have. They are computed in the database when they are asked for, from the conditions of the list
//! itself, so that they agree with its pages. Numbers of cases by what most ask for are kept ([`super::counted`]), and agree with that.

use chrono::{DateTime, Offset, Utc};
use chrono_tz::Tz;
use cypher::graph::statistics::{GroupKey, MOST_GROUPS, Measure, NO_DAY, Offsets, StatisticsSpec};
use cypher::graph::{Composed, List, ListFilter};
use cypher::{Error as DatabaseError, Row, Value};
use graph_schema::date::{Date, Timestamp};

/// The label of the statements in metrics and logs.
pub(super) const STATISTICS: &str = "list/statistics";
/// Milliseconds.
pub(super) const DAY: i64 = 86_400_000;
/// How far ahead of the present a time zone's changes are looked for.
const AHEAD: i64 = 366 * DAY;

/// The statistics that are asked of a list.
#[derive(Debug, Clone)]
pub struct StatisticsQuery {
    pub filter: ListFilter,
    /// In the order in which rows have them.
    pub keys: Vec<GroupKey>,
    /// The numbers that are told of each group besides its size; each once.
    pub measures: Vec<Measure>,
    /// In which days begin: a name of the IANA time zone database.
    pub time_zone: String,
    /// The present, to which those are as old as they are that are not done.
    pub as_of: Timestamp,
}

/// The groups of a list.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// The largest, at most [`MOST_GROUPS`].
    pub groups: Vec<Group>,
    /// How many there are in all; [`Statistics::TOO_MANY`] or more of more than can be given.
    pub number: i64,
}

impl Statistics {
    /// So many groups are known to be there where they were not counted.
    pub const TOO_MANY: i64 = MOST_GROUPS as i64 + 1;
}

/// A group: what its nodes have in common, how many there are, and what was measured.
#[derive(Debug, Clone, Default)]
pub struct Group {
    keys: Vec<(GroupKey, Value)>,
    pub count: i64,
    pub oldest_at: Option<Timestamp>,
    pub median_millis: Option<i64>,
    pub overdue: i64,
    pub handled: i64,
    pub true_positives: i64,
    pub false_positives: i64,
}

impl Group {
    /// One of which nothing was measured.
    pub(super) fn of_size(keys: Vec<(GroupKey, Value)>, count: i64) -> Self {
        Self { keys, count, ..Self::default() }
    }

    /// The value that the nodes have by a key; nothing where they have none, or the key was not asked for.
    pub fn text(&self, key: GroupKey) -> Option<&str> {
        self.value(key)?.as_text().filter(|text| !text.is_empty())
    }

    /// The day that they have by a key.
    pub fn day(&self, key: GroupKey) -> Option<Date> {
        let day = self.value(key)?.as_int().filter(|day| *day != NO_DAY)?;
        Timestamp(day.checked_mul(DAY)?).date()
    }

    /// Whether something is so of them.
    pub fn flag(&self, key: GroupKey) -> Option<bool> {
        self.value(key)?.as_bool()
    }

    fn value(&self, key: GroupKey) -> Option<&Value> {
        self.keys.iter().find(|(of, _)| *of == key).map(|(_, value)| value)
    }

    /// Reads a group as the statement gives it.
    fn read(group: &Value, query: &StatisticsQuery) -> Option<Self> {
        let values = group.as_list();
        let (keys, rest) = values.split_at_checked(query.keys.len())?;
        let mut rest = rest.iter();
        let mut read = Self { keys: query.keys.iter().copied().zip(keys.iter().cloned()).collect(), ..Self::default() };
        read.count = rest.next()?.as_int()?;
        for measure in &query.measures {
            let value = rest.next()?;
            match measure {
                Measure::OldestAt => read.oldest_at = value.as_int().map(Timestamp),
                Measure::MedianAge => read.median_millis = value.as_int(),
                Measure::Overdue => read.overdue = value.as_int()?,
                Measure::Handled => read.handled = value.as_int()?,
                Measure::Feedback => {
                    read.true_positives = value.as_int()?;
                    read.false_positives = rest.next()?.as_int()?;
                }
            }
        }
        Some(read)
    }
}

impl StatisticsQuery {
    /// Whether a key is named more than once.
    pub(super) fn repeats_a_key(&self) -> bool {
        self.keys.iter().enumerate().any(|(at, key)| self.keys[..at].contains(key))
    }

    /// The time zone, if there is one of the name.
    pub(super) fn zone(&self) -> Option<Tz> {
        self.time_zone.parse().ok()
    }

    /// The statement that computes it. `feedback` is what calls an observation right, and what calls it wrong.
    pub(super) fn compose(&self, list: &'static List, zone: Tz, feedback: [&[String]; 2]) -> Result<Composed, DatabaseError> {
        let offsets = self.offsets(zone);
        let spec = StatisticsSpec { keys: &self.keys, measures: &self.measures, now: self.as_of.millis(), offsets: &offsets, feedback };
        Ok(list.compose_statistics(list.link.conditions(&self.filter)?, &spec))
    }

    /// The statement that counts the groups.
    pub(super) fn compose_group_count(&self, list: &'static List, zone: Tz) -> Result<Composed, DatabaseError> {
        let offsets = self.offsets(zone);
        let spec = StatisticsSpec { keys: &self.keys, measures: &[], now: self.as_of.millis(), offsets: &offsets, feedback: [&[], &[]] };
        Ok(list.compose_group_count(list.link.conditions(&self.filter)?, &spec))
    }

    /// How the zone goes for all days that are asked for.
    fn offsets(&self, zone: Tz) -> Offsets {
        let has_days = self.keys.iter().any(|key| key.is_day());
        if has_days { offsets(zone, earliest(&self.filter), self.as_of.millis().saturating_add(AHEAD)) } else { Offsets::default() }
    }

    /// Reads the row of the statement that computes it.
    pub(super) fn read(&self, row: &Row) -> Result<Statistics, DatabaseError> {
        let groups: Option<Vec<Group>> = row.get("groups").as_list().iter().map(|group| Group::read(group, self)).collect();
        let Some(mut groups) = groups else { return Err(DatabaseError::rejected(STATISTICS, "a group is of another form")) };
        let number = groups.len() as i64;
        groups.truncate(MOST_GROUPS);
        Ok(Statistics { groups, number })
    }

    /// Reads the row of the statement that counts the groups.
    pub(super) fn read_group_count(row: &Row) -> Result<i64, DatabaseError> {
        row.get("number").as_int().ok_or_else(|| DatabaseError::rejected(STATISTICS, "a number is of another form"))
    }
}

/// No earlier than this is what the filter lets through: a case is not closed before it is made. Before 1970 a zone is taken to be as it was then.
fn earliest(filter: &ListFilter) -> i64 {
    let from = match filter {
        ListFilter::Cases(filter) => filter.created_from,
        ListFilter::Observations(filter) => filter.from,
        _ => None,
    };
    from.map_or(0, Timestamp::millis).max(0)
}

/// How a time zone goes from a moment up to another.
fn offsets(zone: Tz, from: i64, to: i64) -> Offsets {
    let first = offset_at(zone, from);
    let (mut changes, mut at, mut offset) = (Vec::new(), from, first);
    while at < to {
        let next = at.saturating_add(DAY).min(to);
        let then = offset_at(zone, next);
        if then != offset {
            changes.push((change_between(zone, at, next), then));
            offset = then;
        }
        at = next;
    }
    Offsets { first, changes }
}

/// The first moment behind `before` that has another offset than it; `after` has.
fn change_between(zone: Tz, mut before: i64, mut after: i64) -> i64 {
    let offset = offset_at(zone, before);
    while after - before > 1 {
        let middle = before + (after - before) / 2;
        if offset_at(zone, middle) == offset { before = middle } else { after = middle }
    }
    after
}

/// Milliseconds that clocks are ahead of UTC.
fn offset_at(zone: Tz, millis: i64) -> i64 {
    DateTime::<Utc>::from_timestamp_millis(millis).map_or(0, |at| i64::from(at.with_timezone(&zone).offset().fix().local_minus_utc()) * 1_000)
}

//! Statistics of a list: how many of its nodes there are, and how old they are, by what they have.
//!
//! The statement begins with the list's own pattern and conditions, so that what is counted is what a page of the list has. What nodes are grouped by is never
//! null in it: an empty text, or [`NO_DAY`], stands for nothing.

use super::compose::{Composing, Matched, Numbers, fill};
use super::filters::{Condition, handled};
use super::lists::List;
use super::visit::{Composed, Step, Visit};
use crate::Value;

/// The most groups of an answer.
pub const MOST_GROUPS: usize = 1_000;
/// Stands for no day.
pub const NO_DAY: i64 = i64::MIN;
const NUMBERS: Numbers = Numbers { from: 0, to: 1 };

/// Something that nodes are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupKey {
    /// `{b}` is the node. Of [`Form::Each`] it is a pattern, and `(x:` begins the other end.
    text: &'static str,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    One,
    /// What links lead to, of which each is a group, by its id.
    Each,
    /// The day of a time.
    Day,
}

const HANDLED: &str = handled!();

const fn one(text: &'static str) -> GroupKey {
    GroupKey { text, form: Form::One }
}

const fn each(text: &'static str) -> GroupKey {
    GroupKey { text, form: Form::Each }
}

const fn day(text: &'static str) -> GroupKey {
    GroupKey { text, form: Form::Day }
}

impl GroupKey {
    pub const CASE_STATUS: Self = one("coalesce({b}.status, '')");
    pub const CASE_STATE: Self = one("coalesce({b}.state, '')");
    pub const CASE_ASSIGNEE: Self = one("coalesce({b}.assigneeId, '')");
    pub const CASE_TYPE: Self = one("{b}.type");
    pub const CASE_WORKFLOW: Self = one("coalesce({b}.workflowId, '')");
    pub const CASE_TAG: Self = each("({b})-[:HAS_TAG]->(x:Tag)");
    pub const CASE_CLOSE_REASON: Self = one("coalesce({b}.closeReason, '')");
    pub const CASE_CREATED_DAY: Self = day("{b}.createdAt");
    pub const CASE_CLOSED_DAY: Self = day("CASE WHEN {b}.state = 'CLOSED' THEN {b}.closedAt ELSE null END");
    pub const OBSERVATION_TYPE: Self = one("CASE WHEN {b}:Placeholder THEN '' ELSE {b}.type END");
    pub const OBSERVATION_RULE: Self = each("({b})-[:MATCHED]->(x:ObservationRule)");
    pub const OBSERVATION_PRIORITY: Self = one("coalesce({b}.priority, '')");
    pub const OBSERVATION_TYPOLOGY: Self = one("coalesce({b}.taxonomyDescription, '')");
    pub const OBSERVATION_LINE_OF_BUSINESS: Self = one("coalesce({b}.lineOfBusiness, '')");
    pub const OBSERVATION_DATA_SOURCE: Self = one("coalesce({b}.dataSource, '')");
    pub const OBSERVATION_DAY: Self = day("{b}.observedAt");
    pub const OBSERVATION_HANDLED: Self = one(HANDLED);

    /// All keys of cases.
    pub const OF_CASES: &'static [Self] = &[
        Self::CASE_STATUS,
        Self::CASE_STATE,
        Self::CASE_ASSIGNEE,
        Self::CASE_TYPE,
        Self::CASE_WORKFLOW,
        Self::CASE_TAG,
        Self::CASE_CLOSE_REASON,
        Self::CASE_CREATED_DAY,
        Self::CASE_CLOSED_DAY,
    ];
    /// All keys of observations.
    pub const OF_OBSERVATIONS: &'static [Self] = &[
        Self::OBSERVATION_TYPE,
        Self::OBSERVATION_RULE,
        Self::OBSERVATION_PRIORITY,
        Self::OBSERVATION_TYPOLOGY,
        Self::OBSERVATION_LINE_OF_BUSINESS,
        Self::OBSERVATION_DATA_SOURCE,
        Self::OBSERVATION_DAY,
        Self::OBSERVATION_HANDLED,
    ];

    /// Whether it is the day of a time.
    pub fn is_day(self) -> bool {
        self.form == Form::Day
    }
}

/// A number that is told of a group besides its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// When the oldest was made.
    OldestAt,
    /// The median of milliseconds that it took, or has taken up to now.
    MedianAge,
    /// How many cases are open, and were due already.
    Overdue,
    /// How many observations were handled.
    Handled,
    /// How many observations feedback calls right; how many it calls wrong.
    Feedback,
}

/// A column: what is read of a node, and what is made of it for a group, where `{v}` is the former.
type Columns = &'static [(&'static str, &'static str)];

/// Neo4j's name of a function, and the embedded engine's.
const MEDIANS: [&str; 2] = ["percentileDisc(", "percentile_disc("];
const MEDIAN: &str = "percentileDisc({v}, 0.5)";

impl Measure {
    pub const ALL: &'static [Self] = &[Self::OldestAt, Self::MedianAge, Self::Overdue, Self::Handled, Self::Feedback];

    fn of_cases(self) -> Columns {
        match self {
            Self::OldestAt => &[("{b}.createdAt", "min({v})")],
            Self::MedianAge => &[("CASE WHEN {b}.state = 'CLOSED' THEN {b}.closedAt ELSE $now END - {b}.createdAt", MEDIAN)],
            Self::Overdue => &[("CASE WHEN {b}.state <> 'CLOSED' AND {b}.dueAt < $now THEN 1 ELSE null END", "count({v})")],
            Self::Handled | Self::Feedback => &[],
        }
    }

    fn of_observations(self) -> Columns {
        match self {
            Self::OldestAt => &[("{b}.observedAt", "min({v})")],
            Self::MedianAge => &[("CASE WHEN acts > 0 THEN handledAt ELSE $now END - {b}.observedAt", MEDIAN)],
            Self::Handled => &[(HANDLED, "count(CASE WHEN {v} THEN 1 ELSE null END)")],
            Self::Feedback => &[
                ("CASE WHEN size(given) > 0 AND given[0] IN $truePositive THEN 1 ELSE null END", "count({v})"),
                ("CASE WHEN size(given) > 0 AND given[0] IN $falsePositive THEN 1 ELSE null END", "count({v})"),
            ],
            Self::Overdue => &[],
        }
    }
}

/// Offsets of a time zone are looked up by the period of a time, which is so long, in milliseconds. Most zones change once in one at most. All changes since 1970
/// would take a node ten times as long.
const PERIOD: i64 = 90 * 86_400_000;

/// The offsets of a time zone from UTC, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offsets {
    /// Before all changes.
    pub first: i64,
    /// Since when (epoch milliseconds) it was which, in their order.
    pub changes: Vec<(i64, i64)>,
}

impl Offsets {
    /// The parameters of [`grouped_by`]: of each period from the first change's to the last one's the offset with which it begins, and its changes.
    fn params(&self, composing: &mut Composing) {
        let (Some((first, _)), Some((last, _))) = (self.changes.first(), self.changes.last()) else {
            composing.param("offset".to_owned(), self.first);
            return;
        };
        let (first, last) = (first.div_euclid(PERIOD), last.div_euclid(PERIOD));
        let (mut offset, mut offsets, mut changes) = (self.first, Vec::new(), Vec::new());
        for period in first..=last {
            let mut within = self.changes.iter().filter(|(since, _)| since.div_euclid(PERIOD) == period);
            offsets.push(Value::from(offset));
            changes.push(Value::List(within.clone().map(|(since, then)| Value::List(vec![(*since).into(), (*then).into()])).collect()));
            offset = within.next_back().map_or(offset, |(_, then)| *then);
        }
        composing.param("offsets".to_owned(), Value::List(offsets));
        composing.param("changes".to_owned(), Value::List(changes));
        composing.param("zoneFrom".to_owned(), first * PERIOD);
        composing.param("zoneUntil".to_owned(), (last + 1) * PERIOD);
        composing.param("lastPeriod".to_owned(), last - first);
    }
}

/// The statistics that are asked of a list.
#[derive(Debug, Clone)]
pub struct StatisticsSpec<'a> {
    pub keys: &'a [GroupKey],
    pub measures: &'a [Measure],
    /// Epoch milliseconds.
    pub now: i64,
    pub offsets: &'a Offsets,
    /// Feedback that calls an observation right, and what calls it wrong.
    pub feedback: [&'a [String]; 2],
}

/// Which engine a statement is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Neo4j,
    Embedded,
}

impl List {
    /// The statement: one row with `groups` (values of the keys, how many, then what each measure says), the largest first. There is one more than
    /// [`MOST_GROUPS`] where there are more than these. Without keys everything is one group.
    pub fn compose_statistics(&'static self, conditions: Vec<Condition>, spec: &StatisticsSpec<'_>) -> Composed {
        for_both(|dialect| self.groups(conditions.clone(), spec, dialect))
    }

    /// The statement that counts the groups: one row with `number`.
    pub fn compose_group_count(&'static self, conditions: Vec<Condition>, spec: &StatisticsSpec<'_>) -> Composed {
        for_both(|dialect| {
            let mut composing = self.grouped(conditions.clone(), &StatisticsSpec { measures: &[], ..spec.clone() }, &[], dialect);
            let keys: Vec<String> = (0..spec.keys.len()).map(|at| format!("g{at}")).collect();
            let all = if keys.is_empty() { "1 AS one".to_owned() } else { keys.join(", ") };
            composing.line(0, &format!("WITH DISTINCT {all}"));
            composing.line(0, "RETURN count(*) AS number");
            composing.done()
        })
    }

    fn groups(&'static self, conditions: Vec<Condition>, spec: &StatisticsSpec<'_>, dialect: Dialect) -> Composed {
        let columns = self.columns(spec.measures);
        let mut composing = self.grouped(conditions, spec, &columns, dialect);
        let keys: String = (0..spec.keys.len()).map(|at| format!("g{at}, ")).collect();
        let [median, of_engine] = MEDIANS;
        let made = |(at, (_, made)): (usize, &(&str, &str))| {
            let made = made.replace("{v}", &format!("v{at}"));
            let made = if dialect == Dialect::Embedded { made.replace(median, of_engine) } else { made };
            format!(", {made} AS m{at}")
        };
        let made: String = columns.iter().enumerate().map(made).collect();
        composing.line(0, &format!("WITH {keys}count(*) AS total{made}"));
        let (texts, names): (Vec<String>, Vec<String>) = spec.keys.iter().enumerate().map(|(at, key)| told(*key, at, dialect)).unzip();
        let then: String = names.iter().map(|name| format!(", {name}")).collect();
        let made: String = (0..columns.len()).map(|at| format!(", m{at}")).collect();
        let listed = |keys: &[String]| keys.iter().map(|key| format!("{key}, ")).collect::<String>();
        let (texts, names) = (listed(&texts), listed(&names));
        // As a number: so many rows are kept while they are sorted.
        composing.line(0, &format!("WITH {texts}total{made} ORDER BY total DESC{then} LIMIT {}", MOST_GROUPS + 1));
        composing.line(0, &format!("RETURN collect([{names}total{made}]) AS groups"));
        composing.done()
    }

    fn columns(&self, measures: &[Measure]) -> Vec<(&'static str, &'static str)> {
        let of_one = |measure: &Measure| if self.is_of_cases() { measure.of_cases() } else { measure.of_observations() };
        measures.iter().flat_map(of_one).copied().collect()
    }

    fn is_of_cases(&self) -> bool {
        self.link.to.label == "Case"
    }

    /// A row for each node, or for each key of it where it has several: what it is grouped by as `g0`, `g1`, …, and what is read of it as `v0`, `v1`, ….
    fn grouped(&'static self, conditions: Vec<Condition>, spec: &StatisticsSpec<'_>, columns: &[(&str, &str)], dialect: Dialect) -> Composing {
        let mut composing = Composing::default();
        let step = Step { link: &self.link, conditions, slice: None, counted: false, then: Visit::of(self.link.to) };
        let matched: Matched = composing.matched(&step, NUMBERS);
        composing.all_of(&matched, 0);
        if !self.is_of_cases() {
            of_acts(&mut composing, spec);
        }
        let each = |(_, key): &(usize, &GroupKey)| key.form == Form::Each;
        if dialect == Dialect::Neo4j {
            for (at, key) in spec.keys.iter().enumerate().filter(each) {
                composing.line(0, &format!("OPTIONAL MATCH {}", fill(key.text, NUMBERS).replace("(x:", &format!("(e{at}:"))));
            }
        }
        let read = |(at, key): (usize, &GroupKey)| match (key.form, dialect) {
            (Form::Each, Dialect::Neo4j) => format!("e{at} AS k{at}"),
            (Form::Each, Dialect::Embedded) => format!("[{} | x.id] AS k{at}", fill(key.text, NUMBERS)),
            (Form::One | Form::Day, _) => format!("{} AS k{at}", fill(key.text, NUMBERS)),
        };
        let values = columns.iter().enumerate().map(|(at, (row, _))| format!("{} AS v{at}", fill(row, NUMBERS)));
        let read: Vec<String> = spec.keys.iter().enumerate().map(read).chain(values).collect();
        let all = if read.is_empty() { "n1".to_owned() } else { read.join(", ") };
        composing.line(0, &format!("WITH {all}"));
        let mut names: Vec<String> = (0..spec.keys.len()).map(|at| format!("k{at}")).collect();
        if dialect == Dialect::Embedded {
            for (at, _) in spec.keys.iter().enumerate().filter(each) {
                composing.line(0, &format!("UNWIND CASE WHEN size(k{at}) = 0 THEN [''] ELSE k{at} END AS e{at}"));
                names[at] = format!("e{at}");
            }
        }
        let grouped = spec.keys.iter().zip(&names).enumerate().map(|(at, (key, name))| format!("{} AS g{at}", grouped_by(*key, name, spec.offsets)));
        let kept = (0..columns.len()).map(|at| format!("v{at}"));
        if !names.is_empty() {
            let kept: Vec<String> = grouped.chain(kept).collect();
            composing.line(0, &format!("WITH {}", kept.join(", ")));
        }
        params(&mut composing, spec);
        composing
    }
}

/// The statement for Neo4j, and where it differs that for the embedded engine. Neo4j follows the links of each node row by row and groups by what they lead to,
/// whose id is read once for each group: half the time of a list for each node. The embedded engine makes other groups of what was not found.
fn for_both(compose: impl Fn(Dialect) -> Composed) -> Composed {
    let [for_neo4j, for_embedded] = [Dialect::Neo4j, Dialect::Embedded].map(compose);
    let other = (for_embedded.text != for_neo4j.text).then_some(for_embedded.text);
    Composed { for_embedded: other, ..for_neo4j }
}

/// What a key of groups is made of in the end, and its name.
fn told(key: GroupKey, at: usize, dialect: Dialect) -> (String, String) {
    match (key.form, dialect) {
        (Form::Each, Dialect::Neo4j) => (format!("coalesce(g{at}.id, '') AS h{at}"), format!("h{at}")),
        _ => (format!("g{at}"), format!("g{at}")),
    }
}

/// Looks at the acts on each observation, as far as they are asked for.
fn of_acts(composing: &mut Composing, spec: &StatisticsSpec<'_>) {
    if spec.measures.contains(&Measure::MedianAge) {
        composing.line(0, "CALL {");
        composing.line(1, "WITH n1");
        composing.line(1, "MATCH (n1)<-[done:RAISED_FROM|GIVEN_ON|TAKEN_ON|DISMISSES]-(deed)");
        composing.line(1, "RETURN count(*) AS acts, min(coalesce(done.linkedAt, deed.createdAt)) AS handledAt");
        composing.line(0, "}");
    }
    if spec.measures.contains(&Measure::Feedback) {
        composing.line(0, "CALL {");
        composing.line(1, "WITH n1");
        composing.line(1, "MATCH (n1)<-[:GIVEN_ON|DISMISSES]-(said)");
        composing.line(1, "WHERE said.feedback IS NOT NULL AND NOT said:FormerObservationFeedback");
        composing.line(1, "WITH said ORDER BY said.createdAt DESC, said.id");
        composing.line(1, "RETURN collect(said.feedback) AS given");
        composing.line(0, "}");
    }
}

/// The value of a key: of a time the number of its day since 1970, in the time zone. Rounded down as a fraction, because Cypher divides towards 0.
fn grouped_by(key: GroupKey, name: &str, offsets: &Offsets) -> String {
    if key.form != Form::Day {
        return name.to_owned();
    }
    let offset = if offsets.changes.is_empty() {
        "$offset".to_owned()
    } else {
        // Before the first change all is as at the beginning of its period, and behind the last as at the end of that one's.
        let period = format!(
            "CASE WHEN {name} < $zoneFrom THEN 0 WHEN {name} >= $zoneUntil THEN $lastPeriod ELSE toInteger(({name} - $zoneFrom) / {PERIOD}) END"
        );
        format!("reduce(ahead = $offsets[{period}], change IN $changes[{period}] | CASE WHEN {name} >= change[0] THEN change[1] ELSE ahead END)")
    };
    format!("CASE WHEN {name} IS NULL THEN $noDay ELSE toInteger(floor(({name} + {offset}) / 86400000.0)) END")
}

fn params(composing: &mut Composing, spec: &StatisticsSpec<'_>) {
    let text = |texts: &[String]| Value::List(texts.iter().map(|text| text.as_str().into()).collect());
    let measures = |wanted: &[Measure]| spec.measures.iter().any(|measure| wanted.contains(measure));
    if measures(&[Measure::MedianAge, Measure::Overdue]) {
        composing.param("now".to_owned(), spec.now);
    }
    if measures(&[Measure::Feedback]) {
        composing.param("truePositive".to_owned(), text(spec.feedback[0]));
        composing.param("falsePositive".to_owned(), text(spec.feedback[1]));
    }
    if spec.keys.iter().any(|key| key.is_day()) {
        spec.offsets.params(composing);
        composing.param("noDay".to_owned(), NO_DAY);
    }
}

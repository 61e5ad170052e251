//! Statistics of a list are what plain code counts: the largest groups first, and no more than can be given; days of a time zone, whatever changes it has had.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cypher::graph::statistics::{GroupKey, MOST_GROUPS, NO_DAY, Offsets, StatisticsSpec};
use cypher::graph::{Condition, lists};
use cypher::{Engine, Params, Statement, Value, map};

use crate::LONG;

const MAKE: Statement = Statement::new(
    "test/statistics/make",
    "UNWIND $rows AS row MERGE (c:`Case` {id: row.id})
SET c.name = 'Case', c.workflowId = 'statistics-test', c.type = 'ANALYSIS', c.state = 'OPEN', c.status = row.status, c.createdAt = row.at",
);
const CLEAN: Statement = Statement::new("test/statistics/clean", "UNWIND $ids AS id MATCH (c:`Case` {id: id}) DETACH DELETE c");
const DAY: i64 = 86_400_000;

/// A zone that has changed twice within a month, and then not for years.
fn zone() -> Offsets {
    let hours = |hours: i64| hours * 3_600_000;
    Offsets { first: hours(1), changes: vec![(100 * DAY + 7, hours(2)), (125 * DAY, hours(1)), (900 * DAY - 1, hours(-5)), (2_700 * DAY, 0)] }
}

/// When cases were made: on both sides of each change, and every eight days from before 1970 until long after the last change.
fn times(zone: &Offsets) -> Vec<i64> {
    let beside = zone.changes.iter().flat_map(|(since, _)| [since - 1, *since, since + 1]);
    beside.chain([-1, 0, 40_000 * DAY + 1]).chain((-100..1_100).map(|n| n * (8 * DAY + 1_234_567))).collect()
}

/// How many there are of each, the most first, then in their own order.
fn counted<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<(K, i64)> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_insert(0) += 1;
    }
    let mut counts: Vec<(K, i64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
}

/// The groups of the test's cases by a key, and how many groups are counted.
async fn groups(engine: &Engine, key: GroupKey, zone: &Offsets) -> (Vec<(Value, i64)>, i64) {
    let list = &lists::CASES;
    let filter = list.link.filters.all().iter().find(|filter| filter.name == "workflows").expect("a filter");
    let conditions = || vec![Condition { filter, value: Value::from(vec!["statistics-test"]) }];
    let keys = [key];
    let spec = StatisticsSpec { keys: &keys, measures: &[], now: 0, offsets: zone, feedback: [&[], &[]] };
    let rows = engine.read_composed("test", list.compose_statistics(conditions(), &spec), LONG).await.expect("they are read");
    let number = engine.read_composed("test", list.compose_group_count(conditions(), &spec), LONG).await.expect("they are counted");
    let group = |group: &Value| (group.as_list()[0].clone(), group.as_list()[1].as_int().expect("a number"));
    (rows[0].get("groups").as_list().iter().map(group).collect(), number[0].get("number").as_int().expect("a number"))
}

/// The groups that are to be found, by their values: one more than can be given, where there are so many.
fn wanted<K>(counts: &[(K, i64)], value: impl Fn(&K) -> Value) -> (Vec<(Value, i64)>, i64) {
    (counts.iter().take(MOST_GROUPS + 1).map(|(key, count)| (value(key), *count)).collect(), counts.len() as i64)
}

pub async fn are_what_plain_code_counts(engine: Engine) {
    let zone = zone();
    let times = times(&zone);
    let status = |at: usize| if at.is_multiple_of(10) { "common".to_owned() } else { format!("status-{at}") };
    let ids: Vec<String> = (0..times.len()).map(|at| format!("statistics-case-{at}")).collect();
    let row = |(at, time): (usize, &i64)| map([("id", ids[at].as_str().into()), ("status", status(at).into()), ("at", (*time).into())]);
    engine.write_within(MAKE, Params::rows(times.iter().enumerate().map(row).collect()), LONG).await.expect("they are written");
    let day = |time: &i64| {
        let offset = zone.changes.iter().rev().find(|(since, _)| since <= time).map_or(zone.first, |(_, offset)| *offset);
        (time + offset).div_euclid(DAY)
    };
    let days = counted(times.iter().map(day));
    assert!(days.len() > MOST_GROUPS && days[0].1 > 1, "{} days", days.len());
    let found = groups(&engine, GroupKey::CASE_CREATED_DAY, &zone).await;
    assert_eq!(found, wanted(&days, |day| Value::from(*day)), "{}", engine.name());
    let statuses = counted((0..times.len()).map(status));
    let found = groups(&engine, GroupKey::CASE_STATUS, &zone).await;
    assert_eq!(found, wanted(&statuses, |status| Value::from(status.as_str())), "{}", engine.name());
    let found = groups(&engine, GroupKey::CASE_CLOSED_DAY, &zone).await;
    assert_eq!(found, (vec![(Value::from(NO_DAY), times.len() as i64)], 1), "{}", engine.name());
    engine.write_within(CLEAN, Params::none().with("ids", ids), LONG).await.expect("they are taken away");
}

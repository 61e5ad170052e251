//! Observations of a rule: links to rules repeat what lists are ordered by, whichever statement writes it, and of what an older program has written. And cases
//! by their types.

use std::collections::BTreeSet;

use cypher::graph::{Begin, Condition, List, Page, Slice, SortDirection, Step, Visit, lists};
use cypher::{Engine, Params, Statement, Value, map, statements};

use crate::{LONG, without_a_trace};

const MAKE: Statement = Statement::new(
    "test/by_rule/make",
    "UNWIND $rows AS row MERGE (m:ObservationRule {id: row.rule}) SET m.name = 'Rule'
MERGE (o:Observation {id: row.id}) SET o.name = 'Alert', o.record = '{}', o += row.props
MERGE (o)-[r:MATCHED]->(m) SET r += row.link",
);
const FORGET: Statement = Statement::new(
    "test/by_rule/forget",
    // With the one that stands for those of a newer program.
    "MATCH (m:Migration) WHERE m.id IN ['0037_lists_by_rule_and_type', 'statements-test'] DETACH DELETE m",
);
const READ: Statement = Statement::new(
    "test/by_rule/read",
    "UNWIND $ids AS id MATCH (o:Observation {id: id})-[r:MATCHED]->(m:ObservationRule)
WITH o.id AS observation, m.id AS rule, r.ruleId AS ruleId, r.observedAt AS observedAt, r.scoreBillionths AS scoreBillionths,
  r.standardUnits AS standardUnits, r.standardNanos AS standardNanos
RETURN observation, rule, ruleId, observedAt, scoreBillionths, standardUnits, standardNanos ORDER BY observation, rule",
);
static RULES: [&str; 2] = ["by-rule-a", "by-rule-b"];

/// What an observation says: when it was, its score, and its total.
fn said([at, score, units, nanos]: [i64; 4]) -> Value {
    map([("observedAt", at.into()), ("scoreBillionths", score.into()), ("standardUnits", units.into()), ("standardNanos", nanos.into())])
}

/// The same as a link to a rule repeats it.
fn repeated(rule: &str, [at, score, units, nanos]: [i64; 4]) -> Value {
    map([
        ("ruleId", rule.into()),
        ("observedAt", at.into()),
        ("scoreBillionths", score.into()),
        ("standardUnits", units.into()),
        ("standardNanos", nanos.into()),
    ])
}

fn row(id: &str, rule: &str, values: [i64; 4], link: Value) -> Value {
    map([("id", id.into()), ("rule", rule.into()), ("props", said(values)), ("link", link)])
}

/// What another run has left, or this one.
async fn clean(engine: &Engine) {
    for label in ["Observation", "ObservationRule", "Transaction", "Case"] {
        let text = format!("MATCH (n:`{label}`) WHERE n.id STARTS WITH 'by-rule-' DETACH DELETE n");
        engine.write_within(Statement::new("test/by_rule/clean", text.leak()), Params::none(), LONG).await.expect("clean");
    }
}

/// The links of observations: of each the observation, the rule, and what it repeats.
async fn links_of(engine: &Engine, ids: &[&str]) -> Vec<(String, String, [Value; 5])> {
    let rows = engine.read(READ, Params::none().with("ids", ids.to_vec()), LONG).await.expect("they are read");
    let text = |value: &Value| value.as_text().expect("an id").to_owned();
    let link = |row: &cypher::Row| {
        let values = ["ruleId", "observedAt", "scoreBillionths", "standardUnits", "standardNanos"].map(|column| row.get(column).clone());
        (text(row.get("observation")), text(row.get("rule")), values)
    };
    rows.iter().map(link).collect()
}

/// A link as it is to be.
fn whole(id: &str, rule: &str, values: [i64; 4]) -> (String, String, [Value; 5]) {
    let [at, score, units, nanos] = values.map(Value::from);
    (id.to_owned(), rule.to_owned(), [rule.into(), at, score, units, nanos])
}

/// Links that an older program has made, and such that it has left as they were, are completed on Neo4j, and as often as the migration is applied. The embedded
/// engine has no indexes of links, and leaves them.
pub async fn what_an_older_program_left_is_completed(engine: Engine) {
    const VALUES: [i64; 4] = [50, 500_000_000, 7, 8];
    let ids = ["by-rule-bare", "by-rule-stale", "by-rule-two", "by-rule-whole"];
    let [a, b] = RULES;
    clean(&engine).await;
    let bare = || Value::Map(Vec::new());
    let rows = vec![
        row(ids[0], a, VALUES, bare()),
        row(ids[1], a, VALUES, repeated(a, [49, -1, 900, 0])),
        row(ids[2], a, VALUES, bare()),
        row(ids[2], b, VALUES, repeated(b, [49, 500_000_000, 7, 8])),
        row(ids[3], b, VALUES, repeated(b, VALUES)),
    ];
    engine.write_within(MAKE, Params::rows(rows), LONG).await.expect("they are written");
    let before = links_of(&engine, &ids).await;
    let completed =
        vec![whole(ids[0], a, VALUES), whole(ids[1], a, VALUES), whole(ids[2], a, VALUES), whole(ids[2], b, VALUES), whole(ids[3], b, VALUES)];
    assert_ne!(before, completed);
    let wanted = if matches!(engine, Engine::Bolt(_)) { completed } else { before };
    for _ in 0..2 {
        engine.write_within(FORGET, Params::none(), LONG).await.expect("it is forgotten");
        assert_eq!(cypher::migrate(&engine).await.expect("migrates"), ["0037_lists_by_rule_and_type"]);
        assert_eq!(links_of(&engine, &ids).await, wanted, "{}", engine.name());
    }
    clean(&engine).await;
}

/// Whatever records an observation, or adds up what it cites, leaves links that repeat what it says then.
pub async fn links_repeat_what_observations_say(engine: Engine) {
    const PAY: &str = "MERGE (t:Transaction {id: 'by-rule-payment'}) REMOVE t:Placeholder REMOVE t:AwaitedTransaction
SET t.name = 'Payment', t.direction = 'OUTBOUND', t.standardUnits = 40, t.standardNanos = 5";
    const OBSERVATION: &str = "by-rule-recorded";
    let [a, b] = RULES;
    clean(&engine).await;
    let made = Params::rows(vec![map([("id", OBSERVATION.into()), ("writeId", "by-rule".into())])]);
    engine.write_within(statements::observation::LOCK.statement(), made, LONG).await.expect("it is there");
    let record = |at: i64, rules: &[&str]| {
        let rule = |rule: &&str| map([("id", (*rule).into()), ("name", "Rule".into()), ("link", map([("status", "MATCHED".into())]))]);
        let payment = map([("id", "by-rule-payment".into()), ("link", Value::Map(Vec::new()))]);
        without_a_trace(Params::rows(vec![map([
            ("id", OBSERVATION.into()),
            ("replaces", true.into()),
            ("props", map([("name", "Alert".into()), ("record", "{}".into()), ("observedAt", at.into()), ("scoreBillionths", 3_i64.into())])),
            ("transactions", Value::List(vec![payment])),
            ("actors", Value::List(Vec::new())),
            ("entities", Value::List(Vec::new())),
            ("rules", Value::List(rules.iter().map(rule).collect())),
        ])]))
    };
    let recorded = statements::observation::RECORD.statement();
    engine.write_within(recorded, record(10, &RULES), LONG).await.expect("it is recorded");
    let values = [10, 3, 0, 0];
    assert_eq!(links_of(&engine, &[OBSERVATION]).await, [whole(OBSERVATION, a, values), whole(OBSERVATION, b, values)], "{}", engine.name());
    engine.write_within(Statement::new("test/by_rule/pay", PAY), Params::none(), LONG).await.expect("it is paid");
    let payments = without_a_trace(Params::none().with("payments", vec!["by-rule-payment"]).with("writeId", "by-rule"));
    engine.write_within(statements::observation::ADD_UP.statement(), payments, LONG).await.expect("it is added up");
    let values = [10, 3, 40, 5];
    assert_eq!(links_of(&engine, &[OBSERVATION]).await, [whole(OBSERVATION, a, values), whole(OBSERVATION, b, values)], "{}", engine.name());
    engine.write_within(recorded, record(20, &[b]), LONG).await.expect("it is recorded again");
    assert_eq!(links_of(&engine, &[OBSERVATION]).await, [whole(OBSERVATION, b, [20, 3, 40, 5])], "{}", engine.name());
    clean(&engine).await;
}

/// All pages of three of a list, one behind the other: the last key of each row, which is its id. A list that does not end is none.
async fn all_pages(engine: &Engine, list: &'static List, conditions: &[Condition], page: Page) -> Vec<String> {
    let (mut found, mut begin) = (Vec::new(), Begin::AtStart);
    let keys = page.sort.keys.len();
    for _ in 0..20 {
        let slice = Slice { page, limit: 3, begin, until: None };
        let step =
            Step { link: &list.link, conditions: conditions.to_vec(), slice: Some(slice.clone()), counted: false, then: Visit::of(list.link.to) };
        let composed = list.compose_page(&step, &slice);
        let text = composed.text.clone();
        let rows = engine.read_composed("test/by_rule", composed, LONG).await.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let page = rows[0].get("found").clone();
        found.extend(page.as_list().iter().map(|row| row.as_list()[keys - 1].as_text().expect("an id").to_owned()));
        match page.as_list().get(2) {
            Some(last) => begin = Begin::Behind(last.as_list()[..keys].to_vec()),
            None => return found,
        }
    }
    panic!("{}: the pages do not end: {found:?}", engine.name());
}

/// How many nodes of a list pass.
async fn total(engine: &Engine, list: &'static List, conditions: &[Condition]) -> Option<i64> {
    let step = Step { link: &list.link, conditions: conditions.to_vec(), slice: None, counted: true, then: Visit::of(list.link.to) };
    let composed = list.compose_count(&step);
    let text = composed.text.clone();
    let rows = engine.read_composed("test/by_rule", composed, LONG).await.unwrap_or_else(|error| panic!("{error}\n{text}"));
    rows[0].get("total").as_int()
}

fn condition(list: &List, name: &str, values: &[&str]) -> Condition {
    let filter = list.link.filters.all().iter().find(|filter| filter.name == name).expect("a filter");
    Condition { filter, value: Value::from(values.to_vec()) }
}

/// An observation, whether its links are whole, and of which rules it is.
struct Made {
    id: String,
    values: [i64; 4],
    is_whole: bool,
    rules: &'static [&'static str],
}

/// In each order, both ways, of one rule and of two, some of whose observations are the same. What an older program has left behind is in its place on the
/// embedded engine, and in none on Neo4j: it takes nobody else's. It is counted on both.
pub async fn pages_end_whatever_links_repeat(engine: Engine) {
    clean(&engine).await;
    let made = |n: i64| Made {
        id: format!("by-rule-{:02}", (n * 7) % 24),
        values: [1_000 + n / 3, [-1, 5, 5, 9][(n % 4) as usize], n % 6, n % 2],
        is_whole: n % 5 != 0,
        rules: [&RULES[..1], &RULES[..], &RULES[1..]][(n % 3) as usize],
    };
    let all: Vec<Made> = (0..24).map(made).collect();
    let rows = all.iter().enumerate().flat_map(|(n, one)| {
        one.rules.iter().map(move |rule| {
            // One lacks all, and others say that they come first, or last.
            let link = match (one.is_whole, n % 3) {
                (true, _) => repeated(rule, one.values),
                (false, 0) => Value::Map(Vec::new()),
                (false, 1) => repeated(rule, [9_000; 4]),
                (false, _) => repeated(rule, [0; 4]),
            };
            row(&one.id, rule, one.values, link)
        })
    });
    engine.write_within(MAKE, Params::rows(rows.collect()), LONG).await.expect("they are written");
    let list = &lists::OBSERVATIONS;
    for rules in [&RULES[..1], &RULES[..]] {
        let many = all.iter().filter(|one| one.rules.iter().any(|rule| rules.contains(rule))).count();
        let counted = total(&engine, list, &[condition(list, "rules", rules)]).await;
        assert_eq!(counted, Some(many as i64), "{}: {rules:?}", engine.name());
        for sort in list.link.sorts {
            let key = |one: &Made| {
                let [at, score, units, nanos] = one.values.map(std::ops::Neg::neg);
                match sort.name {
                    "DATE" => (at, 0, one.id.clone()),
                    "SCORE" => (score, at, one.id.clone()),
                    _ => (units, nanos, one.id.clone()),
                }
            };
            let is_found = |one: &&Made| one.rules.iter().any(|rule| rules.contains(rule)) && (one.is_whole || !matches!(engine, Engine::Bolt(_)));
            let mut wanted: Vec<&Made> = all.iter().filter(is_found).collect();
            wanted.sort_by_key(|one| key(one));
            let mut wanted: Vec<&str> = wanted.into_iter().map(|one| one.id.as_str()).collect();
            assert_eq!(wanted.iter().collect::<BTreeSet<_>>().len(), wanted.len());
            for direction in [SortDirection::Descending, SortDirection::Ascending] {
                let found = all_pages(&engine, list, &[condition(list, "rules", rules)], Page { sort, direction }).await;
                assert_eq!(found, wanted, "{}: {rules:?} {}", engine.name(), sort.name);
                wanted.reverse();
            }
        }
    }
    clean(&engine).await;
}

/// In the order of types, and of one type in another order.
pub async fn cases_come_by_type(engine: Engine) {
    const CASES: &str = "UNWIND range(0, 10) AS i MERGE (c:`Case` {id: 'by-rule-case-' + toString(10 + (i * 7) % 11)})
SET c.name = 'Case', c.workflowId = 'by-rule', c.type = CASE WHEN i % 3 = 0 THEN 'FILING' ELSE 'ANALYSIS' END, c.createdAt = 1000 + i / 2";
    clean(&engine).await;
    engine.write_within(Statement::new("test/by_rule/cases", CASES), Params::none(), LONG).await.expect("they are written");
    let list = &lists::CASES;
    let mut cases: Vec<(i64, String)> = (0..11).map(|i| (i, format!("by-rule-case-{}", 10 + (i * 7) % 11))).collect();
    let ids = |cases: &[(i64, String)]| cases.iter().map(|(_, id)| id.clone()).collect::<Vec<_>>();
    let of = |order: &str, direction| Page { sort: list.link.sorts.iter().find(|sort| sort.name == order).expect("an order"), direction };
    let workflow = || condition(list, "workflows", &["by-rule"]);
    cases.sort_by_key(|(i, id)| (i % 3 == 0, id.clone()));
    let mut wanted = ids(&cases);
    assert_eq!(all_pages(&engine, list, &[workflow()], of("TYPE", SortDirection::Ascending)).await, wanted, "{}", engine.name());
    wanted.reverse();
    assert_eq!(all_pages(&engine, list, &[workflow()], of("TYPE", SortDirection::Descending)).await, wanted, "{}", engine.name());
    cases.retain(|(i, _)| i % 3 == 0);
    cases.sort_by_key(|(i, id)| (-(i / 2), id.clone()));
    let conditions = [workflow(), condition(list, "types", &["FILING", "NONE"])];
    assert_eq!(all_pages(&engine, list, &conditions, of("CREATED_AT", SortDirection::Descending)).await, ids(&cases), "{}", engine.name());
    clean(&engine).await;
}

//! A node that is named passes a list's filter if the list, filtered so, has it.

use std::collections::BTreeSet;

use cypher::graph::{Begin, Condition, Passing, Slice, Step, Visit, lists};
use cypher::{Engine, Params, Statement, Value};

use crate::LONG;

const CASES: i64 = 60;
/// No other test has cases of so long ago.
const FIRST: i64 = 1_000;

const MAKE: Statement = Statement::new(
    "test/passing/make",
    "UNWIND range(0, 59) AS i MERGE (c:`Case` {id: 'passing-case-' + i})
SET c.name = 'Case', c.version = 1, c.type = CASE WHEN i % 2 = 0 THEN 'ANALYSIS' ELSE 'FILING' END, c.createdAt = 1000 + i, c.updatedAt = 1059 - i,
  c.workflowId = 'passing-workflow-' + (i % 3), c.state = 'TO_DO', c.status = 'Open', c.stepId = 'to-do'
FOREACH (_ IN CASE WHEN i % 4 = 0 THEN [1] ELSE [] END | SET c.assigneeId = 'passing-user')
FOREACH (_ IN CASE WHEN i % 5 = 0 THEN [1] ELSE [] END | MERGE (t:Tag {id: 'passing-tag'}) ON CREATE SET t.name = 'Tag' MERGE (c)-[:HAS_TAG]->(t))",
);
const CLEAN: Statement = Statement::new("test/passing/clean", "UNWIND $ids AS id MATCH (c:`Case` {id: id}) DETACH DELETE c");

pub async fn is_what_the_list_has(engine: Engine) {
    engine.write_within(MAKE, Params::none(), LONG).await.expect("it is written");
    let ids: Vec<String> = (0..CASES).map(|number| format!("passing-case-{number}")).collect();
    let names = |names: &[&str]| Value::from(names.to_vec());
    let said = [
        condition("assigned", true.into()),
        condition("assigned", false.into()),
        condition("types", names(&["FILING"])),
        condition("workflows", names(&["passing-workflow-1", "passing-workflow-2"])),
        condition("updated_from", (FIRST + 20).into()),
        condition("all_tags", names(&["passing-tag"])),
        condition("any_tag", names(&["passing-tag", "none"])),
    ];
    let mut seen = BTreeSet::new();
    for (place, first) in said.iter().enumerate() {
        for second in &said[place..] {
            let range = [condition("created_from", FIRST.into()), condition("created_to", (FIRST + CASES - 1).into())];
            let conditions: Vec<Condition> = range.into_iter().chain([first.clone(), second.clone()]).collect();
            let listed = listed(&engine, conditions.clone()).await;
            assert_eq!(passing(&engine, conditions, &ids).await, listed, "{}: {} and {}", engine.name(), first.filter.name, second.filter.name);
            seen.insert(listed.len());
        }
    }
    assert!(seen.len() > 5, "the filters find different cases: {seen:?}");
    engine.write_within(CLEAN, Params::none().with("ids", ids), LONG).await.expect("it is taken away");
}

fn condition(name: &str, value: Value) -> Condition {
    let filter = lists::CASES.link.filters.all().iter().find(|filter| filter.name == name).expect("a filter");
    Condition { filter, value }
}

/// The cases that a page of the list has.
async fn listed(engine: &Engine, conditions: Vec<Condition>) -> BTreeSet<String> {
    let link = &lists::CASES.link;
    let slice = Slice { page: link.usual_page(), limit: 200, begin: Begin::AtStart, until: None };
    let step = Step { link, conditions, slice: None, counted: false, then: Visit::of(link.to) };
    let rows = engine.read_composed("test", lists::CASES.compose_page(&step, &slice), LONG).await.expect("it is read");
    let pages = rows.into_iter().map(|row| step.read_page(&slice, row).expect("a page"));
    pages.flatten().map(|row| row.node.id.to_string()).collect()
}

/// Those of the cases that pass.
async fn passing(engine: &Engine, conditions: Vec<Condition>, ids: &[String]) -> BTreeSet<String> {
    let visit = Visit { passing: Some(Passing { list: &lists::CASES, conditions }), ..Visit::of(lists::CASES.link.to) };
    let mut composed = visit.compose();
    composed.params = composed.params.with("ids", ids.to_vec());
    let rows = engine.read_composed("test", composed, LONG).await.expect("it is read");
    rows.into_iter().map(|row| visit.read(row).expect("a node").0.to_string()).collect()
}

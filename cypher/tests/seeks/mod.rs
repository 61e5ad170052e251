//! Pages of a list that are looked up by an index: what they have, and by which plan Neo4j finds them.

use cypher::graph::lists::SeekBy;
use cypher::graph::{Begin, Composed, Condition, List, Page, Slice, SortDirection, Step, Visit, lists};
use cypher::{Engine, Params, Statement, Value, map};

use crate::LONG;

/// A page is shorter than what has one value.
const PAGE: usize = 7;

/// An entry of the audit log, as far as filters go.
struct Entry {
    id: String,
    at: i64,
    object: String,
    principal: String,
    action: String,
    case: Option<String>,
}

/// Three at a time, whose ids are not in the order of their times.
fn entries() -> Vec<Entry> {
    let entry = |n: i64| Entry {
        id: format!("seek-{:02}", (n * 7) % 60),
        at: 1_000 + n / 3,
        object: format!("seek-object-{}", n % 4),
        principal: format!("seek-user-{}", n % 3),
        action: format!("seek-action-{}", n % 5),
        case: (n % 2 == 0).then(|| format!("seek-case-{}", n % 3)),
    };
    (0..60).map(entry).collect()
}

async fn write(engine: &Engine, entries: &[Entry]) {
    const WRITE: &str = "UNWIND $rows AS row MERGE (a:AuditEntry {id: row.id})
SET a.name = 'Entry', a.timestamp = row.at, a.objectId = row.objectId, a.userId = row.userId, a.action = row.action, a.caseId = row.caseId,
  a.objectType = 'Actor', a.logType = 'UPDATE', a.actionResult = 'SUCCESS'";
    let row = |entry: &Entry| {
        map([
            ("id", entry.id.as_str().into()),
            ("at", entry.at.into()),
            ("objectId", entry.object.as_str().into()),
            ("userId", entry.principal.as_str().into()),
            ("action", entry.action.as_str().into()),
            ("caseId", entry.case.as_deref().into()),
        ])
    };
    let rows = Params::rows(entries.iter().map(row).collect());
    engine.write_within(Statement::new("test/seeks", WRITE), rows, LONG).await.expect("they are written");
}

/// What is said to some filters of the list.
type Said<'a> = &'a [(&'a str, &'a [&'a str])];

fn conditions(said: Said<'_>) -> Vec<Condition> {
    let filters = lists::AUDIT_ENTRIES.link.filters.all();
    let condition = |(name, values): &(&str, &[&str])| Condition {
        filter: filters.iter().find(|filter| filter.name == *name).expect("a filter"),
        value: Value::List(values.iter().map(|value| Value::from(*value)).collect()),
    };
    said.iter().map(condition).collect()
}

fn step(said: Said<'_>, direction: SortDirection, begin: Begin) -> (Step, Slice) {
    let link = &lists::AUDIT_ENTRIES.link;
    let slice = Slice { page: Page { sort: &link.sorts[0], direction }, limit: PAGE, begin, until: None };
    (Step { link, conditions: conditions(said), slice: Some(slice.clone()), counted: true, then: Visit::of(link.to) }, slice)
}

async fn answer(engine: &Engine, composed: Composed, column: &str) -> Value {
    let text = composed.text.clone();
    let rows = engine.read_composed("test/seeks", composed, LONG).await.unwrap_or_else(|error| panic!("{error}\n{text}"));
    rows[0].get(column).clone()
}

/// All pages, one behind the other; of each row its time and its id.
async fn all_pages(engine: &Engine, said: Said<'_>, direction: SortDirection) -> Vec<(i64, String)> {
    let (mut found, mut begin) = (Vec::new(), Begin::AtStart);
    loop {
        let (step, slice) = step(said, direction, begin);
        let page = answer(engine, lists::AUDIT_ENTRIES.compose_page(&step, &slice), "found").await;
        let keys = |row: &Value| (row.as_list()[0].as_int().expect("a time"), row.as_list()[1].as_text().expect("an id").to_owned());
        found.extend(page.as_list().iter().map(keys));
        match page.as_list().get(PAGE - 1) {
            Some(last) => begin = Begin::Behind(last.as_list()[..2].to_vec()),
            None => return found,
        }
    }
}

/// Whatever is asked for, in both directions, page by page: what going through all entries finds.
pub async fn pages_are_those_of_the_whole_list(engine: Engine) {
    let entries = entries();
    write(&engine, &entries).await;
    let questions: [Said<'_>; 7] = [
        &[("objects", &["seek-object-1"])],
        &[("objects", &["seek-object-1", "seek-object-3", "seek-object-1"])],
        &[("principals", &["seek-user-0"]), ("actions", &["seek-action-1", "seek-action-2"])],
        &[("cases", &["seek-case-0", "seek-case-2"])],
        &[("actions", &["seek-action-0", "seek-action-1", "seek-action-4"])],
        &[("objects", &["seek-object-2"]), ("cases", &["seek-case-0", "seek-case-1"]), ("principals", &["seek-user-0", "seek-user-1"])],
        &[("objects", &["seek-nothing"])],
    ];
    for said in questions {
        let is_wanted = |entry: &&Entry| {
            said.iter().all(|(name, values)| match *name {
                "objects" => values.contains(&entry.object.as_str()),
                "principals" => values.contains(&entry.principal.as_str()),
                "actions" => values.contains(&entry.action.as_str()),
                _ => entry.case.as_deref().is_some_and(|case| values.contains(&case)),
            })
        };
        let mut expected: Vec<(i64, String)> = entries.iter().filter(is_wanted).map(|entry| (entry.at, entry.id.clone())).collect();
        expected.sort();
        assert_eq!(all_pages(&engine, said, SortDirection::Ascending).await, expected, "{}: {said:?}", engine.name());
        let total = answer(&engine, lists::AUDIT_ENTRIES.compose_count(&step(said, SortDirection::Ascending, Begin::AtStart).0), "total").await;
        assert_eq!(total.as_int(), Some(expected.len() as i64), "{}: {said:?}", engine.name());
        expected.reverse();
        assert_eq!(all_pages(&engine, said, SortDirection::Descending).await, expected, "{}: {said:?}", engine.name());
    }
}

/// Neo4j reads what a list is looked up by along its index, as far as a page goes, also where the store is nearly empty. Only rows of one time are sorted.
pub async fn neo4j_reads_along_the_index() {
    let server = test_support::neo4j::shared();
    let config = neo4rs::ConfigBuilder::default().uri(server.bolt_url()).user(server.user()).password(server.password()).max_connections(1).build();
    let graph = neo4rs::Graph::connect(config.expect("a configuration")).expect("an address");
    for (list, label) in [(&lists::AUDIT_ENTRIES, "AuditEntry"), (&lists::ACTORS, "Actor")] {
        for seek in list.seeks {
            let SeekBy::Property(property) = seek.by else { panic!("{} is no property", seek.filter) };
            for order in seek.orders {
                for (direction, at_start) in [(SortDirection::Descending, true), (SortDirection::Ascending, false)] {
                    is_read_along(&graph, list, (seek.filter, *order), (direction, at_start), &format!("{label}({property}, ")).await;
                }
            }
        }
    }
    queues_are_read_along_their_indexes(&graph).await;
}

/// Each order of queues, by each of their properties, in one direction or the other; and what links lead to, by its id. A plan takes Neo4j seconds.
async fn queues_are_read_along_their_indexes(graph: &neo4rs::Graph) {
    let mut seen = 0;
    for list in [&lists::CASES, &lists::REQUESTS_FOR_DATA, &lists::OBSERVATIONS] {
        for seek in list.seeks {
            let filter = list.link.filters.all().iter().find(|filter| filter.name == seek.filter).expect("a filter");
            let conditions = vec![Condition { filter, value: Value::from(vec!["none"]) }];
            let is_of_links = matches!(seek.by, SeekBy::Links(_));
            let sorts = list.link.sorts.iter().filter(|sort| seek.orders.is_empty() || seek.orders.contains(&sort.name));
            let directions = [SortDirection::Ascending, SortDirection::Descending].into_iter().cycle();
            for (sort, direction) in sorts.zip(directions).take(if is_of_links { 1 } else { usize::MAX }) {
                let keys: Vec<&str> = sort.keys.iter().map(|key| key.text.trim_start_matches("{b}.")).collect();
                let (operator, index) = match seek.by {
                    SeekBy::Property(property) => ("NodeIndexSeek", format!("({property}, {})", keys[0])),
                    SeekBy::LinkProperty { kind, property, .. } => {
                        ("DirectedRelationshipIndexSeek", format!("{kind}({property}, {})", keys[..keys.len() - 1].join(", ")))
                    }
                    SeekBy::Links(_) => ("NodeUniqueIndexSeek", "(id)".to_owned()),
                };
                let mut begins = vec![Begin::AtStart];
                if matches!(seek.by, SeekBy::LinkProperty { .. }) {
                    let mut place = vec![Value::Int(1_000); keys.len()];
                    place[keys.len() - 1] = Value::from("seek-00");
                    begins.push(Begin::Behind(place));
                }
                for begin in begins {
                    let slice = Slice { page: Page { sort, direction }, limit: PAGE, begin, until: None };
                    let (text, plan) = planned(graph, list, conditions.clone(), &slice).await;
                    for wanted in [operator, index.as_str()] {
                        assert!(plan.contains(wanted), "{wanted} is not in the plan of\n{text}\n{plan}");
                    }
                    assert!(!plan.contains("LabelScan"), "{text}\n{plan}");
                    assert!(is_of_links || plan.contains("PartialTop"), "it is sorted\n{text}\n{plan}");
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 3 * 6 + 2 + 2 + 2 + 3 * 2);
    cases_by_type_are_read_along_their_index(graph).await;
    observations_of_rules_are_counted_from_the_rules(graph).await;
}

/// The links of each rule, and no other observation.
async fn observations_of_rules_are_counted_from_the_rules(graph: &neo4rs::Graph) {
    let list = &lists::OBSERVATIONS;
    let filter = list.link.filters.all().iter().find(|filter| filter.name == "rules").expect("a filter");
    let conditions = vec![Condition { filter, value: Value::from(vec!["none"]) }];
    let step = Step { link: &list.link, conditions, slice: None, counted: true, then: Visit::of(list.link.to) };
    let text = list.compose_count(&step).text.to_string();
    let summary = graph.run(neo4rs::Query::new(format!("EXPLAIN {text}"))).await.unwrap_or_else(|error| panic!("{error}\n{text}"));
    // The driver shows a plan in its notes alone.
    let plan = format!("{summary:?}");
    assert!(plan.contains("NodeUniqueIndexSeek") && !plan.contains("LabelScan"), "{text}\n{plan}");
}

/// In the order of types nothing is sorted.
async fn cases_by_type_are_read_along_their_index(graph: &neo4rs::Graph) {
    let sort = lists::CASES.link.sorts.iter().find(|sort| sort.name == "TYPE").expect("an order");
    let place = || Begin::Behind(vec![Value::from("FILING"), Value::from("seek-00")]);
    for (direction, begin) in [
        (SortDirection::Ascending, Begin::AtStart),
        (SortDirection::Ascending, place()),
        (SortDirection::Descending, Begin::AtStart),
        (SortDirection::Descending, place()),
    ] {
        let slice = Slice { page: Page { sort, direction }, limit: PAGE, begin, until: None };
        let (text, plan) = planned(graph, &lists::CASES, Vec::new(), &slice).await;
        assert!(plan.contains("NodeIndexSeek") && plan.contains("(type, id)"), "it is not read along the index\n{text}\n{plan}");
        assert!(!["LabelScan", "PartialTop", "Sort"].iter().any(|word| plan.contains(word)), "it is sorted\n{text}\n{plan}");
    }
}

/// The text of a page and its plan, which the driver shows in its notes alone.
async fn planned(graph: &neo4rs::Graph, list: &'static List, conditions: Vec<Condition>, slice: &Slice) -> (String, String) {
    let step = Step { link: &list.link, conditions, slice: None, counted: false, then: Visit::of(list.link.to) };
    let text = list.compose_page(&step, slice).text.to_string();
    let summary = graph.run(neo4rs::Query::new(format!("EXPLAIN {text}"))).await.unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, format!("{summary:?}"))
}

/// The plan of a page of what a filter has, in an order.
async fn is_read_along(
    graph: &neo4rs::Graph,
    list: &'static List,
    (filter, order): (&str, &str),
    (direction, at_start): (SortDirection, bool),
    index: &str,
) {
    let link = &list.link;
    let sort = link.sorts.iter().find(|sort| sort.name == order).expect("an order of the list");
    let key = sort.keys[0].text.trim_start_matches("{b}.");
    let place = if key == "nameOrder" { Value::from("a") } else { Value::Int(1_000) };
    let begin = if at_start { Begin::AtStart } else { Begin::Behind(vec![place, Value::from("seek-00")]) };
    let filter = link.filters.all().iter().find(|known| known.name == filter).expect("a filter");
    let conditions = vec![Condition { filter, value: Value::from(vec!["seek-none"]) }];
    let slice = Slice { page: Page { sort, direction }, limit: PAGE, begin, until: None };
    let step = Step { link, conditions, slice: Some(slice.clone()), counted: false, then: Visit::of(link.to) };
    let text = list.compose_page(&step, &slice).text;
    let summary = graph.run(neo4rs::Query::new(format!("EXPLAIN {text}"))).await.unwrap_or_else(|error| panic!("{error}\n{text}"));
    // The driver shows a plan in its notes alone.
    let plan = format!("{summary:?}");
    let index = format!("{index}{key})");
    for wanted in ["NodeIndexSeek", index.as_str(), "PartialTop"] {
        assert!(plan.contains(wanted), "{wanted} is not in the plan of\n{text}\n{plan}");
    }
    assert!(!plan.contains("LabelScan"), "{text}\n{plan}");
}

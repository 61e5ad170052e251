//! Every statement runs on both engines, and every file has its place in the catalogue.
//!
//! Where no Neo4j can be had, its test is reported as ignored, with the reason; with `CI=true` that is a failure.

// The types of a whole test, one future in another, are deeper than the compiler allows by itself.
#![recursion_limit = "256"]

mod by_rule;
mod case_queues;
mod former;
mod passing;
mod refusals;
mod roll_ups;
mod screenings;
mod seeks;
mod sent_scores;
mod statistics;
mod typed_rows;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use cypher::graph::statistics::{GroupKey, Measure, Offsets, StatisticsSpec};
use cypher::graph::{
    Begin, Condition, Filter, Link, Node, Page, Passing, Position, SUPERNODE, Slice, Sort, SortDirection, Step, Visit, links, lists, nodes,
};
use cypher::{Bolt, BoltAddress, Embedded, Engine, Error, Params, Statement, Value, map, statements};
use libtest_mimic::{Arguments, Completion, Trial};

/// How long a statement of a test may take: a busy Neo4j plans it first.
const LONG: Duration = Duration::from_secs(60);

/// Parameters of a statement that writes, with no entry of the audit log, event, key or change set beside.
fn without_a_trace(params: Params) -> Params {
    let nothing = || Value::List(Vec::new());
    params.with("entries", nothing()).with("events", nothing()).with("keys", nothing()).with("changeSets", nothing())
}

fn main() {
    let trials = vec![
        Trial::test("the_catalogue_has_every_file", || {
            the_catalogue_has_every_file();
            Ok(())
        }),
        Trial::test("headers_say_what_rows_are_read_as", || {
            typed_rows::headers_say_what_rows_are_read_as();
            Ok(())
        }),
        Trial::test("on_the_embedded_engine", || {
            run(on_the_embedded_engine());
            Ok(())
        }),
        Trial::ignorable_test("on_neo4j", || match test_support::neo4j::available() {
            Ok(()) => {
                run(on_neo4j());
                Ok(Completion::Completed)
            }
            Err(reason) => Ok(Completion::ignored_with(reason)),
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(test);
}

/// A value for every parameter any statement takes: what is not about anything that exists.
fn parameters() -> Params {
    let empty = || Value::List(Vec::new());
    Params::none()
        .with("rows", empty())
        .with("batch", map([("rows", empty()), ("numbers", empty()), ("pairs", empty()), ("changeSet", Value::Null)]))
        .with("ids", vec!["nobody"])
        .with("numbers", vec![map([("id", "iban:none".into()), ("name", "none".into())])])
        .with("account", "none")
        .with("until", 1i64)
        .with("untilId", Value::Null)
        .with("skip", 0i64)
        .with("from", 0i64)
        .with("to", 1i64)
        .with("limit", 5i64)
        .with("limit2", 5i64)
        .with("limit3", 5i64)
        .with("transactions", vec!["nobody"])
        .with("payments", vec!["nobody"])
        .with("actors", vec!["nobody"])
        .with("entities", vec!["nobody"])
        .with("caseId", Value::Null)
        .with("logType", Value::Null)
        .with("hash", "none")
        .with("prefix", "statements-test")
        .with("id", "statements-test")
        .with("name", "none")
        .with("at", 0i64)
        .with("before", "\u{10FFFF}")
        .with("after", "")
        .with("end", "")
        .with("known", Value::Null)
        .with("version", "none")
        .with("knownUpTo", 1i64)
        .with("actorId", Value::Null)
        .with("ruleId", Value::Null)
        .with("line", Value::Null)
        .with("days", vec!["2020-01-01"])
        .with("truePositive", vec!["TRUE_POSITIVE"])
        .with("falsePositive", vec!["FALSE_POSITIVE"])
        .with("activeAt", Value::Null)
        .with("pastAt", Value::Null)
        .with("begin", 0i64)
        .with("behind", 1i64)
        .with("asOf", "2020-01-01")
        .with("sign", -1i64)
        .with("sort", "AMOUNT")
        .with("afterKey", Value::Null)
        .with("afterId", Value::Null)
        .with("afterCurrency", Value::Null)
        .with("writeId", "statements-test")
        .with("entries", empty())
        .with("events", empty())
        .with("keys", empty())
        .with("tokens", vec!["nobody"])
        .with("users", vec!["nobody"])
        .with("changeSets", empty())
        .with("position", -1i64)
        .with("values", false)
        .with("kind", "statements-test")
        .with("kinds", vec!["statements-test"])
        .with("perKind", vec![map([("kind", "statements-test".into()), ("most", 1.into())])])
        .with("createdBy", Value::Null)
        .with("ended", empty())
        .with("checkpoint", "{}")
        .with("further", true)
        .with("done", 0i64)
        .with("total", Value::Null)
        .with("most", 10i64)
        .with("number", -1i64)
        .with("grain", "ALL")
        .with("places", 10i64)
        .with("case", "none")
        .with("actors", empty())
        .with("locations", empty())
        .with("subjects", empty())
        .with("groups", empty())
        .with("communications", empty())
        .with("observations", empty())
        .with("workflows", empty())
        .with("holder", "nobody")
        .with("renewal", 1i64)
        .with("last", 1i64)
        .with("standing", "1 0 0 0 quiet 0 0")
        .with("note", "statements-test/1")
        .with("content", "1|1||||")
        .with("full", empty())
        .with("passedOver", empty())
        .with("wakingId", "")
        .with("names", vec!["nobody"])
        .with("runs", 0i64)
        .with("tick", 0i64)
        .with("now", 0i64)
        .with("createdAt", 0i64)
        .with("until", 0i64)
        .with("props", Value::Map(Vec::new()))
        .with("flow", Value::Null)
        .with("currency", Value::Null)
        .with("minTotal", Value::Null)
        .with("minAmount", Value::Null)
        .with("maxAmount", Value::Null)
        .with("direction", Value::Null)
        .with("statuses", Value::Null)
        .with("channels", Value::Null)
        .with("methods", Value::Null)
}

async fn runs_every_statement(engine: Engine) {
    let mut refused = Vec::new();
    for statement in statements::ALL {
        let needed = Params(parameters().0.into_iter().filter(|(name, _)| statement.text.contains(&format!("${name}"))).collect());
        if let Err(error) = engine.write_within(*statement, needed, LONG).await {
            refused.push(error.to_string());
        }
    }
    assert!(refused.is_empty(), "{}: {refused:#?}", engine.name());
}

/// A value that a filter may be given.
fn said(filter: &Filter) -> Value {
    match filter.said {
        "bool" => Value::Bool(true),
        "f64" => Value::Float(0.5),
        "Timestamp" => Value::Int(1),
        "Date" => Value::from("2020-01-01"),
        "InCurrency" => map([("currency", "EUR".into()), ("amount", Value::Float(1.5))]),
        "NewestOf" => {
            map([("dataSource", Value::Null), ("riskRule", "none".into()), ("ingestedAfter", Value::Null), ("ingestedBefore", 1i64.into())])
        }
        "Vec<i64>" => Value::from(vec![1_i64]),
        list if list.starts_with("Vec<") => Value::from(vec!["NONE"]),
        _ => Value::from("NONE"),
    }
}

/// A step with all that can be asked of it, from a place on to another.
fn whole_step(link: &'static Link, sort: &'static Sort, then: Visit) -> Step {
    let page = Page { sort, direction: sort.keys[0].direction };
    let place: Vec<Value> = sort.keys.iter().map(|_| Value::from("none")).collect();
    let until = Some(place.clone());
    let conditions = link.filters.all().iter().map(|filter| Condition { filter, value: said(filter) }).collect();
    Step { link, conditions, slice: Some(Slice { page, limit: 5, begin: Begin::Behind(place), until }), counted: true, then }
}

fn shown(node: &'static Node, steps: Vec<Step>) -> Visit {
    Visit { summary: true, record: true, numbers: node.label == "Account", steps, ..Visit::of(node) }
}

/// Both engines take every entry of the table, in each of its orders, with all of its filters, and behind another.
async fn walks_every_link(engine: Engine) {
    let mut refused = Vec::new();
    for node in nodes::ALL {
        let own = || {
            links::ALL.iter().filter(|link| links::link(node, link.name.split_once('.').expect("a field").1).is_some_and(|own| own.name == link.name))
        };
        // With all filters in its first order: Neo4j takes seconds to plan each of them.
        let in_order = |link: &'static Link, nth: usize, sort: &'static Sort| {
            let step = whole_step(link, sort, shown(link.to, Vec::new()));
            if nth == 0 { step } else { Step { conditions: Vec::new(), ..step } }
        };
        let steps = own().flat_map(|link| link.sorts.iter().enumerate().map(move |(nth, sort)| in_order(link, nth, sort))).collect();
        let behind = own()
            .map(|link| {
                link.whole(shown(
                    link.to,
                    own().filter(|next| next.to.label == link.to.label).take(1).map(|next| next.whole(Visit::of(next.to))).collect(),
                ))
            })
            .collect();
        for visit in [shown(node, steps), shown(node, behind)] {
            let mut composed = visit.compose();
            composed.params.0.push(("ids".into(), Value::from(vec!["nobody"])));
            if let Err(error) = engine.read_composed("test", composed.clone(), LONG).await {
                refused.push(format!("{}: {error}: {}", node.label, composed.text));
            }
        }
    }
    for list in lists::ALL {
        for (nth, sort) in list.link.sorts.iter().enumerate() {
            let step = whole_step(&list.link, sort, shown(list.link.to, Vec::new()));
            let at = |offset| Begin::At(Position { offset, before: vec![list.link.usual_page()] });
            let begins = [Begin::AtStart, at(1), at(1_000_000), step.slice.as_ref().expect("a slice").begin.clone()];
            // Neo4j takes seconds to plan a page with all filters: of further orders it is the one with the most in it.
            for begin in begins.into_iter().skip(if nth == 0 { 0 } else { 3 }) {
                let slice = Slice { begin, ..step.slice.clone().expect("a slice") };
                for composed in [list.compose_page(&step, &slice), list.compose_count(&step)] {
                    if let Err(error) = engine.read_composed("test", composed.clone(), LONG).await {
                        refused.push(format!("{}: {error}: {}", list.link.name, composed.text));
                    }
                }
            }
        }
    }
    for list in [&lists::CASES, &lists::OBSERVATIONS] {
        let conditions = list.link.filters.all().iter().map(|filter| Condition { filter, value: said(filter) }).collect();
        let mut composed = Visit { passing: Some(Passing { list, conditions }), ..Visit::of(list.link.to) }.compose();
        composed.params.0.push(("ids".into(), Value::from(vec!["nobody"])));
        if let Err(error) = engine.read_composed("test", composed.clone(), LONG).await {
            refused.push(format!("{}: {error}: {}", list.link.name, composed.text));
        }
    }
    let offsets = Offsets { first: 0, changes: vec![(0, 3_600_000)] };
    for (list, keys) in [(&lists::CASES, GroupKey::OF_CASES), (&lists::OBSERVATIONS, GroupKey::OF_OBSERVATIONS)] {
        let conditions = list.link.filters.all().iter().map(|filter| Condition { filter, value: said(filter) });
        for (keys, measures) in [(keys, Measure::ALL), (&[][..], Measure::ALL), (&[][..], &[][..])] {
            let spec = StatisticsSpec { keys, measures, now: 0, offsets: &offsets, feedback: [&[], &[]] };
            let conditions = || -> Vec<Condition> { conditions.clone().collect() };
            for composed in [list.compose_statistics(conditions(), &spec), list.compose_group_count(conditions(), &spec)] {
                if let Err(error) = engine.read_composed("test", composed.clone(), LONG).await {
                    refused.push(format!("{}: {error}: {}", list.link.name, composed.text));
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}: {}", engine.name(), refused.join("\n"));
}

/// More links than any node has; Neo4j compares how many there are with a number of 32 bits.
const NO_SUPERNODES: i64 = i32::MAX as i64;

/// A page of a supernode is what going through all of its links would give: in each order, either way, at the start and behind each row, filtered or not.
async fn supernodes_page_the_same(engine: Engine) {
    const GRAPH: &str = "MERGE (p:Phone {id: 'super-phone'}) SET p.name = 'Phone' MERGE (a:Account {id: 'super-account'}) SET a.name = 'Account'
WITH p, a UNWIND range(0, 59) AS i
MERGE (t:Transaction {id: 'super-payment-' + ((i * 7) % 60)}) SET t.name = 'Payment', t.createdAt = 1000 + i / 3, t.amount = toFloat(i)
MERGE (o:Actor {id: 'super-actor-' + ((i * 7) % 60)}) SET o.name = 'Actor'
FOREACH (_ IN CASE WHEN i % 4 = 0 THEN [] ELSE [1] END | MERGE (t)<-[:SENT]-(a) MERGE (o)-[:HAS_PHONE]->(p))
FOREACH (_ IN CASE WHEN i % 3 = 0 THEN [1] ELSE [] END | MERGE (t)-[:RECEIVED_BY]->(a))";
    engine.write_within(Statement::new("test/supernodes", GRAPH), Params::none(), LONG).await.expect("it is written");
    let mut rows_seen = 0;
    for (node, id, field) in
        [(&nodes::ACCOUNT, "super-account", "sent"), (&nodes::ACCOUNT, "super-account", "transactions"), (&nodes::PHONE, "super-phone", "actors")]
    {
        let link = links::link(node, field).expect("a link");
        let supernode = link.supernode.expect("it may be of a supernode");
        let filters = link.filters.all().iter().filter(|filter| ["from", "min_amount"].contains(&filter.name));
        for sort in link.sorts.iter().filter(|sort| supernode.orders.contains(sort)) {
            for direction in [SortDirection::Ascending, SortDirection::Descending] {
                for filter in [None].into_iter().chain(filters.clone().map(Some)) {
                    let conditions: Vec<Condition> =
                        filter.map(|filter| Condition { filter, value: said_of_supernodes(filter.name) }).into_iter().collect();
                    let mut begin = Begin::AtStart;
                    loop {
                        let slice = Slice { page: Page { sort, direction }, limit: 7, begin, until: None };
                        let step = Step { link, conditions: conditions.clone(), slice: Some(slice), counted: false, then: Visit::of(link.to) };
                        let visit = Visit { steps: vec![step], ..Visit::of(node) };
                        let [along, through] = [0, NO_SUPERNODES].map(|most| page(&engine, &visit, id, most));
                        let (along, through) = (along.await, through.await);
                        assert_eq!(along, through, "{}: {}", engine.name(), visit.compose().text);
                        rows_seen += along.len();
                        let Some(last) = along.get(6) else { break };
                        begin = Begin::Behind(last.as_list()[..sort.keys.len()].to_vec());
                    }
                }
            }
        }
    }
    assert!(rows_seen > 300, "{rows_seen} rows");
}

fn said_of_supernodes(filter: &str) -> Value {
    if filter == "from" { Value::Int(1005) } else { Value::Float(12.0) }
}

/// Of a supernode what is found along the index is enough for a page: here it is all that is looked for.
async fn pages_are_found_along_the_index(engine: Engine) {
    for (node, id, field, sort) in [
        (&nodes::ACCOUNT, "super-account", "sent", "CREATED_AT"),
        (&nodes::ACCOUNT, "super-account", "transactions", "CREATED_AT"),
        (&nodes::PHONE, "super-phone", "actors", "ID"),
    ] {
        let link = links::link(node, field).expect("a link");
        let sort = link.sorts.iter().find(|known| known.name == sort).expect("an order");
        let page = Page { sort, direction: sort.keys[0].direction };
        let slice = Slice { page, limit: 7, begin: Begin::AtStart, until: None };
        let visit = Visit {
            steps: vec![Step { link, conditions: Vec::new(), slice: Some(slice), counted: false, then: Visit::of(link.to) }],
            ..Visit::of(node)
        };
        let text = visit.compose().text.replace("IS NULL THEN [0] ELSE [] END AS few1", "IS NULL THEN [] ELSE [] END AS few1");
        let found = rows(&engine, &text, &visit, id, 0).await;
        assert_eq!(found.len(), 7, "{}: {text}", engine.name());
        assert_eq!(rows(&engine, &text, &visit, id, NO_SUPERNODES).await.len(), 0, "{}: it is no supernode then", engine.name());
    }
}

/// The rows of the one step; a node with more links than `most` is a supernode.
async fn page(engine: &Engine, visit: &Visit, id: &str, most: i64) -> Vec<Value> {
    rows(engine, &visit.compose().text, visit, id, most).await
}

/// The same of another text. As a statement by itself: what is composed is another on the embedded engine.
async fn rows(engine: &Engine, text: &str, visit: &Visit, id: &str, most: i64) -> Vec<Value> {
    let params = visit.compose().params.replacing(SUPERNODE, most).with("ids", vec![id]);
    let rows = engine.read(Statement::new("test", text.to_owned().leak()), params, LONG).await.expect("it is read");
    rows[0].get("found").as_list()[2].as_list().to_vec()
}

/// What `job/look.cypher` says of its branches holds: one that finds work adds a row, whatever jobs there are.
async fn a_look_takes_a_branch(engine: Engine) {
    const BRANCH: &str = "UNION ALL MATCH (n:Migration) WITH n LIMIT 1 RETURN 'waiting' AS id, null AS state";
    const NOTHING: &str = "UNION ALL MATCH (n:WhatWaits) WITH n LIMIT 1 RETURN 'idle' AS id, null AS state";
    let text = format!("{}{BRANCH}\n{NOTHING}", statements::job::LOOK.statement().text);
    let look = Statement::new("test/look", text.leak());
    let row = map([("id", "look-test".into()), ("props", map([("runs", 7.into()), ("createdAt", 1.into())]))]);
    engine.write_within(statements::job::ENLIST, Params::rows(vec![row]), LONG).await.expect("it is enlisted");
    for (ids, states) in [(vec!["look-test"], 1), (vec![], 0)] {
        let rows = engine.read(look, Params::none().with("ids", ids).with("now", -1i64), LONG).await.expect("it looks");
        assert_eq!(rows.iter().filter(|row| row.get("id").as_text() == Some("waiting") && *row.get("state") == Value::Null).count(), 1, "{rows:?}");
        assert_eq!(rows.iter().filter(|row| row.get("state").get("runs").as_int() == Some(7)).count(), states, "{rows:?}");
        assert_eq!(rows.len(), states + 1, "{rows:?}");
    }
}

async fn errors_are_told_apart(engine: Engine) {
    let create = Statement::new("test/create", "UNWIND $rows AS row CREATE (n:Migration {id: row.id}) RETURN n.id AS id");
    let row = || Params::rows(vec![map([("id", "told-apart".into())])]);
    let delete = Statement::new("test/delete", "MATCH (n:Migration {id: 'told-apart'}) DETACH DELETE n");
    engine.write_within(delete, Params::none(), LONG).await.expect("clean");
    engine.write_within(create, row(), LONG).await.expect("the first is created");
    let again = engine.write_within(create, row(), LONG).await;
    assert!(matches!(again, Err(Error::Constraint { .. })), "{again:?}");

    // A statement that fails ends its transaction, with all that came before.
    let mut transaction = engine.begin_within(LONG).await.expect("begins");
    let other = Params::rows(vec![map([("id", "told-apart-2".into())])]);
    transaction.run(create, other).await.expect("runs");
    assert!(transaction.run(create, row()).await.is_err());
    transaction.rollback().await;
    let left = Statement::new("test/left", "MATCH (n:Migration {id: 'told-apart-2'}) RETURN n.id AS id");
    assert_eq!(engine.read(left, Params::none(), LONG).await.expect("reads"), Vec::new());

    let wrong = engine.write_within(Statement::new("test/wrong", "MTCH (n) RETURN n"), Params::none(), LONG).await;
    assert!(matches!(wrong, Err(Error::Rejected { .. })), "{wrong:?}");

    let endless =
        "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c WITH a, b, c WHERE a + b * c = -1 RETURN count(*) AS n";
    let slow = engine.read(Statement::new("test/endless", endless), Params::none(), Duration::from_millis(300)).await;
    assert!(matches!(slow, Err(Error::TimeLimit { .. })), "{slow:?}");
    engine.write_within(delete, Params::none(), LONG).await.expect("clean");
}

/// Walks only read: they are planned beside all that writes, which takes a database half of the time.
async fn all_of_it(engine: Engine) {
    cypher::migrate(&engine).await.expect("migrates");
    cypher::migrate(&engine).await.expect("migrates again, to no effect");
    let one_after_another = async {
        runs_every_statement(engine.clone()).await;
        typed_rows::both_are_what_the_header_says(engine.clone()).await;
        supernodes_page_the_same(engine.clone()).await;
        pages_are_found_along_the_index(engine.clone()).await;
        a_look_takes_a_branch(engine.clone()).await;
        roll_ups::are_exact_past_64_bits(engine.clone()).await;
        roll_ups::filling::counts_each_payment_once(engine.clone()).await;
        former::is_kept(engine.clone()).await;
        passing::is_what_the_list_has(engine.clone()).await;
        sent_scores::leave_what_all_of_them_say(engine.clone()).await;
        statistics::are_what_plain_code_counts(engine.clone()).await;
        case_queues::are_made_of_what_the_log_knows(engine.clone()).await;
        by_rule::what_an_older_program_left_is_completed(engine.clone()).await;
        by_rule::links_repeat_what_observations_say(engine.clone()).await;
        by_rule::pages_end_whatever_links_repeat(engine.clone()).await;
        by_rule::cases_come_by_type(engine.clone()).await;
        refusals::leave_nothing(engine.clone()).await;
        screenings::keep_what_says_more(engine.clone()).await;
        screenings::an_actor_that_waits_again_is_not_taken_away(engine.clone()).await;
        seeks::pages_are_those_of_the_whole_list(engine.clone()).await;
        errors_are_told_apart(engine.clone()).await;
    };
    tokio::join!(one_after_another, walks_every_link(engine.clone()));
}

async fn on_the_embedded_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    all_of_it(Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"))).await;
}

async fn on_neo4j() {
    let server = test_support::neo4j::shared();
    let address = BoltAddress {
        url: server.bolt_url().to_owned(),
        user: server.user().to_owned(),
        password: server.password().to_owned(),
        database: None,
        connections: 4,
    };
    let engine = Engine::Bolt(Bolt::open(address).expect("opens"));
    all_of_it(engine.clone()).await;
    case_queues::a_case_and_a_score_see_each_other(engine).await;
    seeks::neo4j_reads_along_the_index().await;
}

fn the_catalogue_has_every_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("statements");
    let mut files = BTreeSet::new();
    for area in std::fs::read_dir(root).expect("a folder of areas") {
        let area = area.expect("an area").path();
        for file in std::fs::read_dir(&area).expect("a folder of statements") {
            let file = file.expect("a statement").path();
            let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
            files.insert(format!("{}/{stem}", area.file_name().and_then(|name| name.to_str()).expect("a name")));
        }
    }
    let known: BTreeSet<String> = statements::ALL.iter().map(|statement| statement.label.to_owned()).collect();
    assert_eq!(known, files);
    for statement in statements::ALL {
        assert!(statement.text.starts_with("// "), "{}: begins with what it is for", statement.label);
        assert!(statement.text.contains("// returns: "), "{}: says what it answers with", statement.label);
    }
}

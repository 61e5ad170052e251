//! Each rule with a statement that it refuses, and one beside it that it takes; and all statements there are.

use std::collections::BTreeSet;

use cypher::Value;
use cypher::graph::statistics::{GroupKey, Measure, Offsets, StatisticsSpec};
use cypher::graph::{Begin, Condition, Link, Page, Passing, Position, Slice, Sort, SortDirection, Step, Visit, links, lists, nodes};
use cypher::rules::{Rule, Terms, Violation, allowed_in_vain, check};
use cypher::statements::ALL;

/// What a rule refuses, a word of the reason, and what it takes.
const TABLE: &[(Rule, &str, &str, &str)] = &[
    (Rule::Syntax, "MTCH (n:Actor {id: $id}) RETURN n.id AS id", "MTCH", "MATCH (n:Actor {id: $id}) RETURN n.id AS id"),
    (Rule::ReadsOnly, "MATCH (n:Actor {id: $id}) SET n.x = 1", "changes", "MATCH (n:Actor {id: $id}) RETURN 'SET n.x = 1' AS text"),
    (Rule::Bounded, "MATCH (n:Actor {id: $id})-[*]->(b) RETURN b.id AS id", "no end", "MATCH (n:Actor {id: $id})-[*1..6]->(b) RETURN b.id AS id"),
    (Rule::Bounded, "MATCH (n:Actor {id: $id})-[*1..7]->(b) RETURN b.id AS id", "7 links", "MATCH (n:Actor {id: $id})-[*2]->(b) RETURN b.id AS id"),
    (
        Rule::Bounded,
        "RETURN COUNT { MATCH (:Actor {id: $id})-[*2..]->() } AS n",
        "no end",
        "RETURN COUNT { MATCH (:Actor {id: $id})-[:HAS_ROLE]->() } AS n",
    ),
    (
        Rule::MadeUpNames,
        "MATCH (n:Actor {id: $id}) RETURN n.type AS kind",
        "`n.type`",
        "MATCH (n:Actor {id: $id}) RETURN CASE WHEN n:Placeholder THEN null ELSE n.type END AS kind",
    ),
    (Rule::MadeUpNames, "MATCH (n:Tag {id: $id}) RETURN n.title AS t", "`n.title`", "MATCH (n:Tag {id: $id}) RETURN n.label AS t"),
    (
        Rule::MadeUpNames,
        "OPTIONAL MATCH (n:Actor {id: $id}) RETURN n.name AS name",
        "not found",
        "OPTIONAL MATCH (n:Actor {id: $id}) RETURN CASE WHEN n IS NULL THEN null ELSE n.name END AS name",
    ),
    (
        Rule::PatternProperties,
        "MATCH (n:Event {caseId: $id}) RETURN n.id AS id",
        "`caseId`",
        "MATCH (n:Event) WHERE n.caseId = $id RETURN n.id AS id",
    ),
    (Rule::PatternProperties, "MERGE (n:Actor {id: $id, status: 'ACTIVE'})", "`status`", "MERGE (n:Actor {id: $id}) SET n.status = 'ACTIVE'"),
    (
        Rule::PatternProperties,
        "MATCH (n:Actor {id: $id}) WHERE EXISTS { (n)--(:Tag {label: 'x'}) } RETURN n.id AS id",
        "`label`",
        "MATCH (n:Actor {id: $id})-[:HAS_ROLE {role: $role}]->(a:Account) RETURN a.id AS id",
    ),
    (Rule::Identity, "CREATE (n:Actor {key: $id})", "its `id`", "CREATE (n:Actor {id: $id, key: 1})"),
    (Rule::Identity, "MERGE (n:Actor:Placeholder {id: $id})", "further labels", "MERGE (n:Actor {id: $id}) ON CREATE SET n:Placeholder"),
    (Rule::Identity, "MERGE (n:Placeholder {id: $id})", "no main label", "MERGE (n:`Case` {id: $id})"),
    (Rule::Identity, "MATCH (n:Actor {id: $id}) SET n.id = 'x'", "never changed", "MATCH (n:Actor {id: $id}) SET n.key = 'x'"),
    (Rule::Identity, "MATCH (n:Actor {id: $id}) SET n = $props", "`+=`", "MATCH (n:Actor {id: $id}) SET n += $props"),
    (Rule::Identity, "MATCH (n:Actor {id: $id}) REMOVE n:Actor", "keeps", "MATCH (n:Actor {id: $id}) REMOVE n:Placeholder"),
    (Rule::Identity, "MATCH (n:Actor {id: $id}) SET n:Account", "other nodes", "MATCH (n:Actor {id: $id}) SET n:Actor"),
    (Rule::Comments, "MATCH (n:Actor {id: $id}) /* why */ RETURN n.id AS id", "`//`", "MATCH (n:Actor {id: '/* x */'}) // why\nRETURN n.id AS id"),
    (
        Rule::Extensions,
        "MATCH (n:Actor {id: $id}) CALL { WITH n SET n.x = 1 RETURN 1 AS one } RETURN one",
        "inside a CALL",
        "MATCH (n:Actor {id: $id}) CALL { WITH n MATCH (n)-->(b) RETURN count(*) AS one } RETURN one",
    ),
    (
        Rule::Extensions,
        "MATCH (n:Actor) CALL { WITH n DETACH DELETE n } IN TRANSACTIONS",
        "IN TRANSACTIONS",
        "MATCH (n:Actor) WHERE n.x = 1 DETACH DELETE n",
    ),
    (
        Rule::Extensions,
        "RETURN COLLECT { MATCH (n:Actor {id: $id}) RETURN n.id } AS ids",
        "COLLECT",
        "MATCH (n:Actor {id: $id}) RETURN collect(n.id) AS ids",
    ),
    (
        Rule::Extensions,
        "MATCH (n:Actor WHERE n.x = 1) RETURN n.id AS id",
        "behind the pattern",
        "MATCH (n:Actor) WHERE n.x = 1 RETURN [a IN [1] WHERE a > 0] AS id",
    ),
    (
        Rule::Extensions,
        "MATCH (n:Actor {id: $id}) ((a)-[:X]->(b)){1,3} (c) RETURN c.id AS id",
        "quantified",
        "MATCH (n:Actor {id: $id})-[:X*1..3]->(c) RETURN c.id AS id",
    ),
    (Rule::Extensions, "CALL apoc.meta.stats() YIELD labels RETURN labels", "APOC", "MATCH (n:Actor {id: 'apoc.x'}) RETURN labels(n) AS labels"),
    (Rule::Extensions, "CALL db.labels() YIELD label RETURN label", "CALL", "MATCH (n:Actor {id: $id}) RETURN n.`db.labels` AS label"),
    (
        Rule::Projections,
        "MATCH (n:Actor {id: $id}) WITH n, 1 AS x RETURN n{.id, x} AS n",
        "`x: x`",
        "MATCH (n:Actor {id: $id}) WITH n, 1 AS x RETURN n{.id, x: x} AS n",
    ),
    (Rule::Projections, "MATCH (n:Actor {id: $id}) RETURN n", "scalars", "MATCH (n:Actor {id: $id}) RETURN n.id AS n"),
    (
        Rule::Projections,
        "MATCH (n:Actor {id: $id})-->(b) RETURN n.id AS id, collect(b) AS all",
        "scalars",
        "MATCH (n:Actor {id: $id})-->(b) RETURN n.id AS id, collect(b.id) AS all",
    ),
    (
        Rule::ShortestPaths,
        "MATCH (a:Actor {id: $a}), p = shortestPath((a)-[*1..3]-(b:Actor)) RETURN length(p) AS n",
        "first pattern",
        "MATCH (a:Actor {id: $a}) MATCH (b:Actor {id: $b}) MATCH p = shortestPath((a)-[*1..3]-(b)) RETURN length(p) AS n",
    ),
    (Rule::Clocks, "MATCH (n:Actor {id: $id}) RETURN timestamp() AS now", "parameter", "MATCH (n:Actor {id: $id}) RETURN n.timestamp AS now"),
    (Rule::Clocks, "MATCH (n:Actor {id: $id}) SET n.key = randomUUID()", "parameter", "MATCH (n:Actor {id: $id}) SET n.key = $randomUUID"),
    (Rule::Clocks, "RETURN datetime({epochSeconds: 1}) AS at", "parameter", "RETURN $datetime AS at"),
    (
        Rule::WholeLabelOrder,
        "MATCH (n:Actor) RETURN n.id AS id ORDER BY n.createdAt LIMIT 5",
        "bound it",
        "MATCH (n:Actor) WHERE n.createdAt > $after RETURN n.id AS id ORDER BY n.createdAt LIMIT 5",
    ),
    (
        Rule::WholeLabelOrder,
        "MATCH (n:Actor)-[:HAS_ROLE]->(a:Account) WITH n, a ORDER BY n.id LIMIT 5 RETURN n.id AS id, a.id AS account",
        "bound it",
        "MATCH (n:Actor {id: $id})-[:HAS_ROLE]->(a:Account) WITH n, a ORDER BY a.id LIMIT 5 RETURN n.id AS id, a.id AS account",
    ),
    (Rule::MapProperties, "MATCH (n:Actor {id: $id}) SET n.x = {a: 1}", "JSON", "MATCH (n:Actor {id: $id}) SET n += {a: 1}"),
    (Rule::MapProperties, "CREATE (n:Actor {id: $id, x: [{a: 1}]})", "JSON", "CREATE (n:Actor {id: $id, x: [1]})"),
    (Rule::MapProperties, "MATCH (n:Actor {id: $id}) SET n += {x: {a: 1}}", "JSON", "MATCH (n:Actor {id: $id}) SET n += {x: 'a'}"),
    (
        Rule::BesideId,
        "MATCH (n:Actor {id: $id}) WHERE n.x < 5 AND coalesce(n.y, 0) = 0 RETURN n.id AS id",
        "beside the id",
        "MATCH (n:Actor {id: $id}) WITH n, n.x AS x, n.y AS y WHERE x < 5 AND coalesce(y, 0) = 0 RETURN n.id AS id",
    ),
    (
        Rule::BesideId,
        "MATCH (n:Actor) WHERE n.id = $id AND n.x IN $xs RETURN n.id AS id",
        "beside the id",
        "MATCH (n:Actor) WHERE n.id = $id AND n.x = $x RETURN n.id AS id",
    ),
    (
        Rule::BesideId,
        "UNWIND $rows AS row MATCH (n:Actor {id: row.id}) WHERE n.x < 5 RETURN n.id AS id",
        "beside the id",
        "UNWIND $rows AS row MATCH (n:Actor {id: row.id}) WHERE n.x < row.x AND NOT n:Placeholder RETURN n.id AS id",
    ),
    (
        Rule::BesideId,
        "MATCH (n:Actor {id: $id}) RETURN COUNT { MATCH (a:Account {id: $a}) WHERE a.x > 1 } AS n",
        "beside the id",
        "MATCH (n:Actor {id: $id}) RETURN COUNT { MATCH (n)--(a:Account) WHERE a.x > 1 } AS n",
    ),
    (
        Rule::BesideId,
        "UNWIND $rows AS row MATCH (n:Actor) WHERE row.id = n.id AND n.x < 5 RETURN n.id AS id",
        "beside the id",
        "UNWIND $rows AS row MATCH (n:Actor) WHERE row.id = n.id AND n.x = 5 RETURN n.id AS id",
    ),
    (
        Rule::BesideId,
        "MATCH (n:Actor {id: $id}) WHERE (n.x = 'a' OR n.x = 'b') AND NOT n:Placeholder RETURN n.id AS id",
        "beside the id",
        "MATCH (n:Actor {id: $id}) WHERE (n.x = 'a' OR n.y = 'b') AND NOT n:Placeholder RETURN n.id AS id",
    ),
    (
        Rule::BesideId,
        "MATCH (n:Actor {id: $id}) WITH n, n.y AS y WHERE n.x < 5 AND NOT n:Placeholder RETURN n.id AS id",
        "moves this condition",
        "MATCH (n:Actor {id: $id}) WITH n, n.x AS x WHERE x < 5 AND NOT n:Placeholder RETURN n.id AS id",
    ),
    (
        Rule::BesideId,
        "UNWIND $rows AS row MATCH (n:Actor {id: row.id}) WITH * WHERE n.x IS NULL OR n.x <= $x SET n.y = 1",
        "moves this condition",
        "UNWIND $rows AS row MATCH (n:Actor {id: row.id}) WITH * WHERE n.x IS NULL OR n.x <= row.x SET n.y = 1",
    ),
    (
        Rule::BesideId,
        "MATCH (n:Actor {id: $id}) WITH n WHERE coalesce(n.x, 0) > -5 RETURN count(*) AS n",
        "moves this condition",
        "MATCH (n:Actor {id: $id}) WHERE NOT n:Placeholder WITH n WHERE coalesce(n.x, 0) > -5 RETURN count(*) AS n",
    ),
    (
        Rule::BesideId,
        "MATCH (n:Actor {id: $id}) CALL { WITH n MATCH (n)--(b) RETURN count(*) AS c } WITH n, c WHERE c > 1 AND n.x IN ['a', 'b'] RETURN n.id AS id",
        "moves this condition",
        "MATCH (n:Actor {id: $id}) CALL { WITH n MATCH (n)--(b) RETURN b.id AS c } WITH n, c WHERE c > 1 AND n.x IN ['a', 'b'] RETURN n.id AS id",
    ),
    (
        Rule::DistinctAlone,
        "MATCH (n:Account {id: $id})<-[r:SIGNED_IN]-(:Device)-[:SEEN_AT]->(b:IpAddress) WHERE r.ipAddress = b.id RETURN count(DISTINCT b) AS n",
        "WITH DISTINCT",
        "MATCH (n:Account {id: $id})<-[r:SIGNED_IN]-(:Device)-[:SEEN_AT]->(b:IpAddress) WHERE r.ipAddress = b.id WITH DISTINCT b RETURN count(*) AS n",
    ),
    (
        Rule::DistinctAlone,
        "MATCH (n:Account {id: $id})<-[r:SIGNED_IN]-(b) WHERE r.at > b.at RETURN min(b.x) AS least",
        "another column",
        "MATCH (n:Account {id: $id})<-[r:SIGNED_IN]-(b) WHERE r.at > b.at RETURN min(b.x) AS least, count(*) AS n",
    ),
    (
        Rule::NamesAgain,
        "MATCH (a:Actor {id: $id}) WITH a.x AS x CREATE (a:Account {id: x})",
        "another name",
        "MATCH (a:Actor {id: $id}) WITH a.x AS x CREATE (b:Account {id: x})",
    ),
    (
        Rule::NamesAgain,
        "UNWIND $ids AS id MATCH (a:Actor {id: id}) WITH id MERGE (a:Account {id: id})",
        "another name",
        "UNWIND $ids AS id MATCH (a:Actor {id: id}) WITH count(*) AS n MERGE (a:Account {id: 'x'})",
    ),
    (
        Rule::GroupsByFound,
        "MATCH (n:Actor {id: $id}) OPTIONAL MATCH (n)-[:HAS_ROLE]->(a:Account) WITH a, count(*) AS c RETURN c",
        "`a`",
        "MATCH (n:Actor {id: $id}) OPTIONAL MATCH (n)-[:HAS_ROLE]->(a:Account) WITH n, count(a) AS c RETURN c",
    ),
    (
        Rule::GroupsByFound,
        "MATCH (n:Actor {id: $id}) OPTIONAL MATCH (n)-->(a) RETURN a.status AS status, count(a) AS c",
        "`a`",
        "MATCH (n:Actor {id: $id}) MATCH (n)-->(a) RETURN a.status AS status, count(a) AS c",
    ),
    (
        Rule::WrittenTwice,
        "MATCH (n:Actor {id: $id}) SET n.x = 1, n.y = n.x",
        "`n.x` is read",
        "MATCH (n:Actor {id: $id}) SET n.x = n.x + 1, n.y = n.z",
    ),
    (
        Rule::WrittenTwice,
        "UNWIND $rows AS row MATCH (n:Actor {id: row.id}) SET n.x = row.x SET n.x = row.y",
        "by clauses",
        "UNWIND $rows AS row MATCH (n:Actor {id: row.id}) SET n.x = row.x SET n.y = row.y",
    ),
    (
        Rule::AbsentBehindLimit,
        "MATCH (n:Transaction) WHERE n.createdAt > 1 WITH n LIMIT 5 RETURN count(*) AS n, min(n.amount) AS least",
        "`amount`",
        "MATCH (n:Transaction) WHERE n.createdAt > 1 WITH n LIMIT 5 RETURN count(*) AS n, min(n.id) AS least",
    ),
    (
        Rule::AbsentBehindLimit,
        "MATCH (n:Transaction) WITH n SKIP 3 RETURN count(n.amount) AS n",
        "`amount`",
        "MATCH (n:Transaction) WITH n SKIP 3 RETURN count(*) AS n",
    ),
    (
        Rule::MaybeNull,
        "MATCH (n:Actor {id: $id}) SET n.log = n.log + ['x']",
        "coalesce",
        "MATCH (n:Actor {id: $id}) SET n.log = coalesce(n.log, []) + ['x']",
    ),
    (
        Rule::MaybeNull,
        "MATCH (n:Actor {id: $id}) OPTIONAL MATCH (a:Account {id: $a}) CREATE (n)-[:HAS_ROLE]->(a)",
        "makes one",
        "MATCH (n:Actor {id: $id}) OPTIONAL MATCH (a:Account {id: $a}) FOREACH (_ IN CASE WHEN a IS NULL THEN [] ELSE [1] END | CREATE (n)-[:HAS_ROLE]->(a))",
    ),
    (
        Rule::MaybeNull,
        "MATCH (n:Actor {id: $id}) OPTIONAL MATCH (n)-->(a:Account) WITH n, a CALL { WITH a RETURN a IS NULL AS none } RETURN none",
        "outside",
        "MATCH (n:Actor {id: $id}) OPTIONAL MATCH (n)-->(a:Account) WITH n, a, a IS NULL AS none CALL { WITH none RETURN NOT none AS some } RETURN some",
    ),
    (
        Rule::NumberTypes,
        "MATCH (n:Actor {id: $id})-->(t) RETURN sum(t.x) AS n",
        "64 bits",
        "MATCH (n:Actor {id: $id})-->(t) RETURN collect(t.x) AS n",
    ),
    (Rule::NumberTypes, "UNWIND [1, 1.0] AS x RETURN DISTINCT x", "one type", "UNWIND [1, 2] AS x RETURN DISTINCT x"),
    (
        Rule::NumberTypes,
        "MATCH (n:Actor {id: $id}) SET n.x = 1, n.y = 2, n.x = 1.5",
        "whole number",
        "MATCH (n:Actor {id: $id}) SET n.x = 1, n.y = 1.5",
    ),
    (
        Rule::ReservedWords,
        "MATCH (limit:Actor {id: $id}) RETURN limit.id AS id",
        "backtick it",
        "MATCH (`limit`:Actor {id: $id}) RETURN `limit`.id AS id",
    ),
    (Rule::ReservedWords, "MATCH (n:Actor {id: $id}) RETURN n.id AS end", "backticks", "MATCH (n:Actor {id: $id}) RETURN n.ended AS `end`"),
];

const TERMS: Terms = Terms { reads_only: false, longest_path: Some(6), reasons_count: false, is_data: false };

fn terms_for(rule: Rule) -> Terms {
    Terms { reads_only: rule == Rule::ReadsOnly, ..TERMS }
}

#[test]
fn each_rule_refuses_with_its_reason_and_takes_what_is_beside_it() {
    let mut wrong = Vec::new();
    for (rule, refused, reason, taken) in TABLE {
        let found = check(refused, terms_for(*rule));
        if !found.iter().any(|violation| violation.rule == *rule && violation.reason.contains(reason)) {
            wrong.push(format!("{rule:?} takes {refused}: {found:#?}"));
        }
        let found: Vec<_> = check(taken, terms_for(*rule)).into_iter().filter(|violation| violation.rule != Rule::ReadsOnly).collect();
        if !found.is_empty() {
            wrong.push(format!("{rule:?} refuses {taken}: {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let covered: BTreeSet<Rule> = TABLE.iter().map(|(rule, ..)| *rule).collect();
    let missing: Vec<&Rule> = Rule::NUMBERED.iter().filter(|rule| !covered.contains(rule)).collect();
    assert!(missing.is_empty(), "without a statement: {missing:?}");
}

#[test]
fn the_place_says_which_clause_it_is() {
    let text = "MATCH (n:Actor {id: $id}) CALL { WITH n MATCH (n)--(b) RETURN sum(b.x) AS x } RETURN x";
    let found = check(text, TERMS);
    let said: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("rule 19, clause 2 (CALL), clause ") && said[0].contains(" (RETURN): where a sum"), "{said:?}");
}

#[test]
fn a_reason_in_the_statement_counts_where_it_may() {
    let text = |line: &str| format!("// {line}\nMATCH (n:Actor {{id: $id}})--(t) RETURN sum(t.amountUnits) AS n");
    let rules = |line: &str| check(&text(line), Terms::OWN).into_iter().map(|violation| violation.rule).collect::<Vec<_>>();
    assert_eq!(rules("allows: 19 because they are few"), []);
    assert_eq!(rules("allows: 16, 19 because they are few"), []);
    for line in ["allows: 16 because they are few", "allows: 19", "allows: 19 because ", "it allows: 19 because they are few"] {
        assert_eq!(rules(line), [Rule::NumberTypes], "{line}");
    }
    assert_eq!(check(&text("allows: 19 because they are few"), Terms::READ_AS_DATA).len(), 1, "a statement that comes as data gives no reasons");
    assert_eq!(allowed_in_vain(&text("allows: 16, 19 because they are few")), BTreeSet::from([Rule::WrittenTwice]));
}

#[test]
fn every_statement_keeps_the_rules() {
    let mut wrong = Vec::new();
    for statement in ALL {
        wrong.extend(check(statement.text, Terms::OWN).iter().map(|violation| format!("{}: {violation}", statement.label)));
        wrong.extend(allowed_in_vain(statement.text).iter().map(|rule| format!("{}: it breaks no {rule:?}", statement.label)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lists that a statement unwinds by names of their own, outside of its sub-queries.
fn unwound_by_name(text: &str) -> Vec<&str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    let (mut depth, mut found) = (0, Vec::new());
    for (at, word) in words.iter().enumerate() {
        if let ["UNWIND", list, "AS", ..] = words[at..]
            && depth == 0
            && list.chars().all(|char| char.is_alphanumeric() || char == '_')
        {
            found.push(list);
        }
        depth += word.matches('{').count();
        depth -= word.matches('}').count();
    }
    assert_eq!(depth, 0, "{text}");
    found
}

/// The embedded engine copies a list that has a name of its own into each row that it makes of its items, so that the time grows with the square of their
/// number (`findings/kglite_copied_lists.sh`). A map in a row is no copy. Where only reads follow, as in a sub-query, the engine drops the list.
#[test]
fn a_statement_that_writes_unwinds_no_list_by_its_own_name() {
    let writes = |text: &str| check(text, Terms { reads_only: true, ..TERMS }).iter().any(|violation| violation.rule == Rule::ReadsOnly);
    for (text, lists) in [
        ("UNWIND $rows AS row WITH row.items AS items UNWIND items AS item MERGE (n:Actor {id: item})", &["items"][..]),
        ("UNWIND $rows AS row // UNWIND items AS item\nUNWIND row.items AS item MERGE (n:Actor {id: item})", &[]),
        (
            "UNWIND $rows AS row WITH row.ids AS ids CALL { WITH ids UNWIND ids AS id RETURN count(id) AS n } MERGE (a:Actor {id: 'x'}) SET a.n = n",
            &[],
        ),
    ] {
        assert!(writes(text), "{text}");
        assert_eq!(unwound_by_name(text), lists, "{text}");
    }
    let writing = ALL.iter().filter(|statement| writes(statement.text));
    let wrong = writing.flat_map(|statement| unwound_by_name(statement.text).into_iter().map(|list| format!("{}: UNWIND {list}", statement.label)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "unwind the list of a map, as in `UNWIND row.items AS item`:\n{}", wrong.join("\n"));
}

/// What composed statements break, by the link or list, and why that is right.
const COMPOSED: &[(&str, Rule, &str)] = &[
    ("Query.channelLocations", Rule::MadeUpNames, "who asks for a type asks for known ones, and those have one"),
    ("Query.observations", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("Actor.observations", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("Case.observations", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("Actor.mentionedIn", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("Transaction.observations", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("ObservationRule.observations", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("Screening.observations", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("SegmentationGroup.actors", Rule::MadeUpNames, "a label that is made up for a type is none of the types that are asked for"),
    ("Case.deliveries", Rule::PatternProperties, "of a condition behind a node the embedded engine does not ask the index"),
    ("Case.events", Rule::PatternProperties, "of a condition behind a node the embedded engine does not ask the index"),
];

fn wrong_of(name: &str, text: &str) -> Vec<String> {
    let terms = Terms { reads_only: true, reasons_count: false, longest_path: None, is_data: false };
    let is_wrong = |violation: &Violation| !COMPOSED.iter().any(|(of, rule, _)| *of == name && *rule == violation.rule);
    check(text, terms).into_iter().filter(is_wrong).map(|violation| format!("{name}: {violation}\n{text}")).collect()
}

/// Every link and list, in each of its orders, at the start, behind a place and by number, with each of its filters and with all.
#[test]
fn what_is_composed_keeps_the_rules() {
    let mut wrong = Vec::new();
    for link in links::ALL {
        let node = nodes::ALL
            .iter()
            .find(|node| links::link(node, link.name.split_once('.').map_or("", |name| name.1)).is_some_and(|own| own.name == link.name));
        let Some(node) = node else { panic!("{}: of no node", link.name) };
        for step in steps_of(link) {
            let visit = Visit { summary: true, record: true, numbers: node.label == "Account", steps: vec![step], ..Visit::of(node) };
            let composed = visit.compose();
            // Of supernodes the embedded engine is not asked, which an order of a whole label is slow on.
            let of_supernodes = composed.for_embedded.is_some();
            wrong.extend(wrong_of(link.name, &composed.text).into_iter().filter(|said| !(of_supernodes && said.contains("rule 10"))));
            wrong.extend(composed.for_embedded.iter().flat_map(|text| wrong_of(link.name, text)));
        }
    }
    for list in lists::ALL {
        for step in steps_of(&list.link) {
            let slice = step.slice.clone().expect("a slice");
            let page = list.compose_page(&step, &slice);
            // What is read along an index is asked of Neo4j alone.
            let count = list.compose_count(&step);
            let texts = [page.for_embedded.unwrap_or(page.text), count.for_embedded.unwrap_or(count.text)];
            wrong.extend(texts.iter().flat_map(|text| wrong_of(list.link.name, text)));
            if [lists::CASES.link.name, lists::OBSERVATIONS.link.name].contains(&list.link.name) {
                let passing = Some(Passing { list, conditions: step.conditions });
                wrong.extend(wrong_of(list.link.name, &Visit { passing, ..Visit::of(list.link.to) }.compose().text));
            }
        }
    }
    let offsets = Offsets { first: 0, changes: vec![(0, 1)] };
    for (list, keys) in [(&lists::CASES, GroupKey::OF_CASES), (&lists::OBSERVATIONS, GroupKey::OF_OBSERVATIONS)] {
        for (keys, measures) in [(keys, Measure::ALL), (&keys[..1], &[][..]), (&[][..], Measure::ALL), (&[][..], &[][..])] {
            let spec = StatisticsSpec { keys, measures, now: 0, offsets: &offsets, feedback: [&[], &[]] };
            for composed in [list.compose_statistics(Vec::new(), &spec), list.compose_group_count(Vec::new(), &spec)] {
                // Neo4j alone groups by what may not have been found.
                wrong.extend(wrong_of("statistics", &composed.for_embedded.unwrap_or(composed.text)));
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn steps_of(link: &'static Link) -> Vec<Step> {
    let condition = |filter| Condition { filter, value: Value::Null };
    let all = || link.filters.all().iter().map(condition).collect();
    let step = |sort: &'static Sort, begin, conditions| {
        let page = Page { sort, direction: SortDirection::Descending };
        let then = Visit { summary: true, record: true, ..Visit::of(link.to) };
        Step { link, conditions, slice: Some(Slice { page, limit: 5, begin, until: None }), counted: true, then }
    };
    let mut steps: Vec<Step> = link.filters.all().iter().map(|filter| step(&link.sorts[0], Begin::AtStart, vec![condition(filter)])).collect();
    for sort in link.sorts {
        let place = || Begin::Behind(vec![Value::Null; sort.keys.len()]);
        let by_number = || Begin::At(Position { offset: 3, before: Vec::new() });
        for conditions in [Vec::new(), all()] {
            steps.push(step(sort, Begin::AtStart, conditions.clone()));
            steps.push(step(sort, place(), conditions.clone()));
            steps.push(step(sort, by_number(), conditions));
        }
    }
    steps
}

//! The text of a statement as Neo4j gets it: headed by its label, by which an operator knows it in `SHOW TRANSACTIONS` and the query log, without the other
//! comments (a quarter of the longest text, which would be sent, hashed and compared each time), with hints, and with its lists in a map.
//!
//! The hints tell Neo4j to look up by its unique index what a statement names by its id.
//! It would, if it knew how many nodes there are: but what it knows of an index is some seconds old, and of one that was empty then it takes going through all of
//! it for the cheapest plan, once for each row. Where numbers of accounts were loaded and the first payment came a moment later, that plan was kept, and
//! payments by number took five times as long until Neo4j was started anew. The embedded engine knows no hints, and needs none: so statements are written
//! without, and get them here.
//!
//! Of a parameter that is a list, or a text, Neo4j makes a plan for each order of its size: none, one, up to ten, up to a hundred… Of the largest
//! statements each of these takes it up to a second on a cold start, and of four lists there are dozens. What is in a map it does not look at: so the lists
//! that stand behind `UNWIND` or `IN` in a statement are sent in one, and with ids of the usual length each statement has one plan, and another
//! where its transaction has changed something before.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::Statement;
use crate::packing::{Packing, packed};
use crate::scan::{clauses, name_at, pattern_at, seeks_by_id, without_comments, words};
use crate::statements::ALL;

/// The parameter that has the lists.
pub(crate) const LISTS: &str = "lists";

/// A statement as Neo4j gets it.
pub(crate) struct ForNeo4j {
    pub text: String,
    /// The parameters that come as members of [`LISTS`].
    pub lists: Vec<String>,
    /// How its rows go, when not as maps.
    pub packing: Option<Packing>,
}

/// The statements of the catalogue, by their labels.
static CATALOGUE: LazyLock<HashMap<&'static str, ForNeo4j>> =
    LazyLock::new(|| ALL.iter().map(|statement| (statement.label, sent(*statement))).collect());

fn sent(statement: Statement) -> ForNeo4j {
    let mut sent = with_lists_in_a_map(&text_of(statement));
    if let Some((text, packing)) = packed(statement.label, &sent.text) {
        sent.text = text;
        sent.packing = Some(packing);
    }
    sent
}

fn text_of(statement: Statement) -> String {
    let lines = statement.text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    format!("// {}\n{}", statement.label, hinted(&code, by_other_properties(statement.label)))
}

/// A node that a statement looks up by other properties: label of the statement, node, properties.
const BY_OTHER_PROPERTIES: [(&str, &str, &str); 17] = [
    ("case_count/read", "n:CaseCount", "grain, day"),
    ("delivery/claim", "due:DeliveryLane", "dueAt"),
    ("delivery/take_events", "e:Event", "caseId"),
    ("detection/outcomes", "o:Observation", "businessDate"),
    ("screening/clear", "f:ClearedMatch", "pair"),
    ("screening/cleared", "c:ClearedMatch", "pair"),
    ("screening/entries", "e:WatchlistEntry", "key"),
    ("screening/pending", "p:PendingScreening", "dueAt"),
    ("screening/pending_bulk_payments", "p:PendingPaymentScreening", "bulkDueAt"),
    ("screening/pending_payments", "p:PendingPaymentScreening", "dueAt"),
    ("watchlist/added", "e:WatchlistEntry", "addedIn"),
    ("watchlist/changed_ids", "e:WatchlistEntry", "addedIn"),
    ("watchlist/ended", "e:WatchlistEntry", "endedIn"),
    ("watchlist/keys", "e:WatchlistEntry", "key"),
    ("watchlist/places", "e:WatchlistEntry", "key"),
    ("watchlist/states", "e:WatchlistEntry", "key"),
    ("webhook/lock_failed", "d:Delivery", "webhookId, state"),
];

fn by_other_properties(label: &str) -> Option<(&'static str, &'static str)> {
    BY_OTHER_PROPERTIES.iter().find(|(of, ..)| *of == label).map(|(_, node, properties)| (*node, *properties))
}

/// A statement for Neo4j. `None` for what is not in the catalogue: its text goes as it is.
pub(crate) fn for_neo4j(statement: Statement) -> Option<&'static ForNeo4j> {
    CATALOGUE.get(statement.label).filter(|_| !statement.text.is_empty())
}

/// The lists that are gone through, or looked into, become members of a map.
fn with_lists_in_a_map(text: &str) -> ForNeo4j {
    let code = without_comments(text);
    let mut lists = BTreeSet::new();
    for word in ["UNWIND", "IN"] {
        let behind = words(&code, word).map(|at| code[at + word.len()..].trim_start());
        lists.extend(behind.filter_map(|rest| whole_parameter(rest.strip_prefix('$')?)));
    }
    let mut rewritten = String::with_capacity(text.len() + 64);
    let mut copied = 0;
    for (at, _) in code.match_indices('$') {
        if whole_parameter(&code[at + 1..]).is_some_and(|name| lists.contains(name)) {
            rewritten.push_str(&text[copied..=at]);
            rewritten.push_str(LISTS);
            rewritten.push('.');
            copied = at + 1;
        }
    }
    rewritten.push_str(&text[copied..]);
    ForNeo4j { text: rewritten, lists: lists.into_iter().map(str::to_owned).collect(), packing: None }
}

/// The name of a parameter; none where a member of it is meant.
fn whole_parameter(rest: &str) -> Option<&str> {
    let name = name_at(rest, 0);
    (!name.is_empty() && !rest[name.len()..].starts_with('.')).then_some(name)
}

/// The text, with `USING INDEX SEEK` behind each pattern of a MATCH in which a node has an id, and a hint where it is this node, which has an index on these
/// properties.
fn hinted(text: &str, by_others: Option<(&str, &str)>) -> String {
    let code = without_comments(text);
    let mut hinted = String::with_capacity(text.len() * 2);
    let mut copied = 0;
    for begin in clauses(&code, "MATCH") {
        let before = code[..begin].trim_end();
        // A sub-query that is a condition takes no hint.
        if before.ends_with("EXISTS {") || before.ends_with("COUNT {") {
            continue;
        }
        let pattern = pattern_at(&code, begin + "MATCH".len());
        let end = begin + "MATCH".len() + pattern.trim_end().len();
        hinted.push_str(&text[copied..end]);
        hinted.push_str(&seeks_by_id(pattern));
        if let Some((node, properties)) = by_others
            && pattern.trim() == format!("({node})")
        {
            hinted.push_str(&hint(node, properties));
        }
        copied = end;
    }
    hinted.push_str(&text[copied..]);
    hinted
}

/// Of an index of several properties all are known, or the last lies in a range. Neo4j might go through all of it, if it were not told to seek.
fn hint(node: &str, properties: &str) -> String {
    let seek = if properties.contains(',') { "SEEK " } else { "" };
    format!(" USING INDEX {seek}{node}({properties})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{is_in_a_name, named_by_id};

    #[test]
    fn what_has_an_id_is_looked_up_by_it() {
        for (text, wanted) in [
            ("MATCH (a:Account {id: $id})\nRETURN a", "MATCH (a:Account {id: $id}) USING INDEX SEEK a:Account(id)\nRETURN a"),
            (
                "UNWIND $rows AS row\nOPTIONAL MATCH (i:Number {id: row.id})<-[l:HAS]-(a:Account)\nWHERE l.x = 'MATCH' WITH a",
                "UNWIND $rows AS row\nOPTIONAL MATCH (i:Number {id: row.id})<-[l:HAS]-(a:Account) USING INDEX SEEK i:Number(id)\nWHERE l.x = 'MATCH' WITH a",
            ),
            (
                "MATCH (c:`Case`:Open {id: f(1)}), (d:Day {id: 'b)'}) RETURN c",
                "MATCH (c:`Case`:Open {id: f(1)}), (d:Day {id: 'b)'}) USING INDEX SEEK c:`Case`(id) USING INDEX SEEK d:Day(id) RETURN c",
            ),
            (
                "CALL { MATCH (a:A {id: $a}) RETURN a }\nMATCH (b:B {id: a.b})",
                "CALL { MATCH (a:A {id: $a}) USING INDEX SEEK a:A(id) RETURN a }\nMATCH (b:B {id: a.b}) USING INDEX SEEK b:B(id)",
            ),
        ] {
            assert_eq!(hinted(text, None), wanted);
        }
    }

    #[test]
    fn all_else_stays_as_it_is() {
        for text in [
            "MATCH (a:Account) WHERE a.id = $id RETURN a",
            "MERGE (a:Account {id: $id}) ON MATCH SET a.x = 1",
            "// MATCH (a:Account {id: $id})\nRETURN 1",
            "MATCH (a:A)-[:B]->(:C {id: 1}) RETURN a",
            "MATCH (a:A) WHERE EXISTS { MATCH (a)-->(b:B {id: 1}) } RETURN 'it''s … (x:A {id: 1})'",
            "MATCH (a:A {name: 'x'})-[r:R {id: 1}]-(b) RETURN a",
        ] {
            assert_eq!(hinted(text, None), text);
        }
    }

    /// Of a pattern that begins with a node of which nothing is known, Neo4j may go through all that have its label; and goes on doing so.
    #[test]
    fn statements_that_keep_their_plans_begin_at_a_node_that_is_known() {
        for statement in crate::statements::KEEPING_PLANS {
            let plain = without_comments(statement.text);
            for at in clauses(&plain, "MATCH") {
                let pattern = pattern_at(&plain, at + "MATCH".len()).trim();
                let is_bound = |node: &str| {
                    let name = node.split([')', ':', ' ']).next().unwrap_or_default();
                    !name.is_empty() && words(&plain[..at], name).next().is_some()
                };
                let begins_at_known = pattern.split('(').skip(1).any(is_bound);
                let is_listed = BY_OTHER_PROPERTIES.iter().any(|(label, node, _)| *label == statement.label && pattern == format!("({node})"));
                let is_of_few = pattern.contains(":Webhook") && statement.label.starts_with("delivery/");
                let known = begins_at_known || named_by_id(pattern).next().is_some() || is_listed || is_of_few;
                assert!(known, "{}: MATCH {pattern}", statement.label);
            }
        }
    }

    #[test]
    fn lists_are_sent_in_a_map() {
        for (text, wanted, lists) in [
            (
                "UNWIND $rows AS row RETURN row.id, size($rows), $rowsOf",
                "UNWIND $lists.rows AS row RETURN row.id, size($lists.rows), $rowsOf",
                vec!["rows"],
            ),
            (
                "FOREACH (a IN $b | CREATE (:X {id: $id}))\nUNWIND $c AS d",
                "FOREACH (a IN $lists.b | CREATE (:X {id: $id}))\nUNWIND $lists.c AS d",
                vec!["b", "c"],
            ),
            ("UNWIND $batch.rows AS row RETURN row.id = $x", "UNWIND $batch.rows AS row RETURN row.id = $x", vec![]),
            ("MATCH (a) WHERE a.x = 'IN $a' RETURN $a", "MATCH (a) WHERE a.x = 'IN $a' RETURN $a", vec![]),
            ("RETURN [x IN $a WHERE x > $b] // not IN $b", "RETURN [x IN $lists.a WHERE x > $b] // not IN $b", vec!["a"]),
        ] {
            let sent = with_lists_in_a_map(text);
            assert_eq!((sent.text.as_str(), sent.lists), (wanted, lists.into_iter().map(str::to_owned).collect()));
        }
    }

    /// What would be sent amiss: a list that also stays outside of the map, or a member of a map that is taken for a list.
    #[test]
    fn no_statement_names_a_list_in_two_ways() {
        for statement in ALL {
            assert!(!statement.text.contains(&format!("${LISTS}")), "{}: the name is taken", statement.label);
            let sent = &CATALOGUE[statement.label];
            for name in &sent.lists {
                let left =
                    sent.text.match_indices(&format!("${name}")).find(|(at, found)| !is_in_a_name(sent.text[at + found.len()..].chars().next()));
                assert_eq!(left, None, "{}: {name}", statement.label);
            }
        }
    }

    #[test]
    fn of_the_comments_the_label_alone_is_sent() {
        let statement = Statement::new("a/b", "// Says what it does.\n// returns: n\nMATCH (n:A {id: 'x // y'})\n  // why\nRETURN n // as it is\n");
        let wanted = "// a/b\nMATCH (n:A {id: 'x // y'}) USING INDEX SEEK n:A(id)\nRETURN n // as it is\n";
        assert_eq!(text_of(statement), wanted);
    }

    #[test]
    fn some_look_up_by_other_properties() {
        for (label, node, properties) in BY_OTHER_PROPERTIES {
            assert_eq!(CATALOGUE[label].text.matches(&format!("({node}){}", hint(node, properties))).count(), 1, "{label}");
        }
    }
}

//! Which properties statements give to the nodes that they make.
//!
//! The embedded engine takes a property of a CREATE for a misspelt one that no node of the label has had, and does not look whether it is null. So it is
//! told beforehand what our statements name in a CREATE. What they SET it takes as it is, and of several labels it goes by the first.

use std::collections::{BTreeMap, BTreeSet};

use crate::scan::{clauses, is_in_a_name, pattern_at, without_comments};
use crate::statements::ALL;

/// Labels of nodes that the statements of the catalogue make, with the properties that they may get there.
pub(crate) fn made_by_statements() -> BTreeMap<String, BTreeSet<String>> {
    let mut made: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for statement in ALL {
        for (label, properties) in made_by(statement.text) {
            made.entry(label).or_default().extend(properties);
        }
    }
    made
}

fn made_by(text: &str) -> Vec<(String, Vec<String>)> {
    let code = without_comments(text);
    let patterns = clauses(&code, "CREATE").map(|at| pattern_at(&code, at + "CREATE".len()));
    patterns.flat_map(|pattern| pattern.match_indices('(').filter_map(|(at, _)| node(&pattern[at + 1..]))).collect()
}

/// A node with properties, from behind its parenthesis on: its first label, and what its properties are called. Nothing where it is no such node.
fn node(code: &str) -> Option<(String, Vec<String>)> {
    let (labels, properties) = code.split_once(" {")?;
    let (variable, labels) = labels.split_once(':')?;
    let is_name = |name: &str| name.chars().all(|character| is_in_a_name(Some(character)));
    if !is_name(variable) || !labels.split(':').all(is_name) {
        return None;
    }
    let label = labels.split(':').next()?.trim_matches('`');
    let names = properties_of(properties).into_iter().filter_map(|property| property.split_once(':')).map(|(name, _)| name.trim().to_owned());
    Some((label.to_owned(), names.collect()))
}

/// What stands between commas, up to the brace that closes the properties.
fn properties_of(code: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut properties) = (0, 0, Vec::new());
    for (at, character) in code.char_indices() {
        match character {
            '}' | ',' if depth == 0 => {
                properties.push(&code[begin..at]);
                begin = at + 1;
                if character == '}' {
                    break;
                }
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    properties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_create_are_found_with_their_properties() {
        let text = "MERGE (a:Actor {id: row.id}) ON CREATE SET a.name = 'x' // CREATE (b:B {no: 1})\n\
            CREATE (t:Transaction {id: row.id, text: 'CREATE (c:C {no: 1})',\n  amount: row.props.amount})-[:SENT {at: 1}]->(:`Case`:Open {id: 1})\n\
            FOREACH (e IN $entries | CREATE (n:AuditEntry {id: coalesce(e.id, [1, 2][0]), at: {a: 1}.a}) CREATE (n)<-[:HAS {since: f(1)}]-(a))";
        let found = |label: &str, properties: &[&str]| (label.to_owned(), properties.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(made_by(text), [found("Transaction", &["id", "text", "amount"]), found("Case", &["id"]), found("AuditEntry", &["id", "at"])]);
    }

    #[test]
    fn of_the_catalogue() {
        let made = made_by_statements();
        assert!(made["Transaction"].contains("counterpartyName") && made["AuditEntry"].contains("notes"));
        assert!(made["Event"].contains("sequence"), "of two labels the first one is meant");
        assert!(!made.contains_key("MAY_MOVE_TO"), "a link is no node");
    }
}

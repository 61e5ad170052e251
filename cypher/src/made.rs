//! Which properties statements give to the nodes that they make.
//!
//! The embedded engine takes a property of a CREATE for a misspelt one that no node of the label has had, and does not look whether it is null. What our
//! statements name is not misspelt (a test runs them all), so it is told beforehand.

use std::collections::{BTreeMap, BTreeSet};

use crate::scan::{is_in_a_name, pattern_at, without_comments, words};
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
    let nodes = |at: usize| pattern_at(&code, at + "CREATE".len()).split('(').skip(1).filter_map(node);
    words(&code, "CREATE").filter(|at| !code[..*at].trim_end().ends_with("ON")).flat_map(nodes).collect()
}

/// A node of a pattern, from behind its parenthesis on: its first label, and the properties in its braces.
fn node(pattern: &str) -> Option<(String, Vec<String>)> {
    let (labels, rest) = pattern.split_once(" {")?;
    let (_, labels) = labels.split_once(':')?;
    let label = labels.split(':').next()?.trim_matches('`');
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|character| is_in_a_name(Some(character)));
    let end = rest.find('}')?;
    let properties = rest[..end].split(',').filter_map(|property| property.split_once(':')).map(|(name, _)| name.trim());
    is_name(label).then(|| (label.to_owned(), properties.filter(|name| is_name(name)).map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_create_are_found_with_their_properties() {
        let text = "MERGE (a:Actor {id: row.id}) ON CREATE SET a.name = 'x' // CREATE (b:B {no: 1})\n\
            CREATE (t:Transaction {id: row.id, text: 'CREATE (c:C {no: 1})',\n  amount: row.props.amount})-[:SENT {at: 1}]->(:`Case`:Open {id: 1})\n\
            FOREACH (e IN $entries | CREATE (n:AuditEntry {id: e.id}) CREATE (n)<-[:HAS]-(a))";
        let found = |label: &str, properties: &[&str]| (label.to_owned(), properties.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(made_by(text), [found("Transaction", &["id", "text", "amount"]), found("Case", &["id"]), found("AuditEntry", &["id"])]);
    }

    #[test]
    fn of_the_catalogue() {
        let made = made_by_statements();
        assert!(made["Transaction"].contains("counterpartyName") && made["AuditEntry"].contains("notes"));
        assert!(made["Event"].contains("sequence"), "of two labels the first one is meant");
    }
}

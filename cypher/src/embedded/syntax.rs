//! The syntax tree of a statement, as the embedded engine's own parser has it.
//!
//! kglite gives its tree to everybody, but names only the outermost types: what lies inside can be printed, not matched. So the tree is read out of its
//! printed form, which the pinned version fixes; a test knows each kind of clause that a statement of ours may have.

use kglite::api::cypher::{is_mutation_query, parse_cypher};

use crate::rules::Tree;

/// A statement that was parsed.
pub(crate) struct Syntax {
    /// Its clauses.
    pub(crate) clauses: Tree,
    /// Whether it changes anything.
    pub(crate) changes: bool,
}

/// Parses a statement; the parser's reason where it is none.
pub(crate) fn syntax_of(text: &str) -> Result<Syntax, String> {
    let query = parse_cypher(text).map_err(|error| error.to_string())?;
    let clauses = Tree::of_debug(&format!("{:?}", query.clauses)).ok_or("the engine prints its syntax tree in another way than it did")?;
    Ok(Syntax { clauses, changes: is_mutation_query(&query) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_have_the_names_that_are_asked_for() {
        let text = "MATCH (a:A:B {id: $id})-[r:R|S*1..3 {x: 1}]->(b) WHERE a.x < 1 AND NOT b:C OPTIONAL MATCH (b)--(c) \
            WITH a, collect(DISTINCT b.x) AS xs ORDER BY a.id DESC SKIP 1 LIMIT 2 UNWIND xs AS x CALL { WITH a MATCH (a)-->(d) RETURN count(*) AS n } \
            MERGE (e:E {id: x}) ON CREATE SET e.y = 1.5 CREATE (e)-[:T]->(a) SET a += {z: [1]}, a:F REMOVE a.q, a:F \
            FOREACH (i IN [1] | DELETE r) RETURN a{.*, x: 'it\\'s'} AS m UNION ALL MATCH (f) RETURN f.id AS m";
        let syntax = syntax_of(text).expect("a statement");
        let names: Vec<&str> = syntax.clauses.items().iter().map(Tree::name).collect();
        let wanted = "Match Where OptionalMatch With OrderBy Skip Limit Unwind CallSubquery Merge Create Set Remove Foreach Return Union";
        assert_eq!(names.join(" "), wanted);
        assert!(syntax.changes && !syntax_of("RETURN 1 AS n").expect("a statement").changes);
        let first = syntax.clauses.items()[0].get("0");
        let node = first.get("patterns").items()[0].get("elements").items()[0].get("0");
        assert_eq!((node.get("variable").text(), node.get("node_type").text()), (Some("a"), Some("A")));
        assert_eq!(node.get("properties").some().map(|map| map.entries().count()), Some(1));
        assert!(syntax_of("MTCH (n)").is_err());
    }
}

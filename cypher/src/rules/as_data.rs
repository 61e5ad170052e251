//! What is asked of a statement besides when it comes as data ([`super::Terms::is_data`]).
//!
//! Our own statements are run on both engines by tests. One that comes as data is run on a store of people's work without that, so that only what is known
//! to be the same is taken: functions of a list, operators of both, names that the graph has. And it makes no rows out of nothing: ranges have a length that
//! can be read, and patterns that stand side by side have something in common.

use super::expressions::{conjuncts, function};
use super::reading::is_equality;
use super::scope::{Check, Level, Scope, variables};
use super::vocabulary::{Known, known, nearest};
use super::{Rule, Tree};
use crate::scan::without_comments;

/// Functions that answer alike on both engines. A test runs each on both.
const FUNCTIONS: [&str; 39] = [
    "abs",
    "avg",
    "ceil",
    "coalesce",
    "collect",
    "count",
    "endnode",
    "floor",
    "head",
    "last",
    "left",
    "length",
    "ltrim",
    "max",
    "min",
    "nodes",
    "range",
    "relationships",
    "replace",
    "reverse",
    "right",
    "round",
    "rtrim",
    "sign",
    "size",
    "split",
    "sqrt",
    "startnode",
    "substring",
    "sum",
    "tail",
    "toboolean",
    "tofloat",
    "tointeger",
    "tolower",
    "tostring",
    "toupper",
    "trim",
    "type",
];
/// How many numbers one `range()` may have.
const LONGEST_RANGE: i64 = 10_000;
/// Words that a statement may begin with: options, commands of the schema and prefixes of one engine are none.
const FIRST_WORDS: [&str; 6] = ["MATCH", "OPTIONAL", "UNWIND", "CALL", "WITH", "RETURN"];
/// What the text may not have, outside of quotes and comments.
const NOT_IN_THE_TEXT: [(&str, &str); 5] = [
    (";", "a file has one statement, without a semicolon"),
    ("!=", "`!=` is unknown to Neo4j: `<>`"),
    ("=~", "regular expressions are another language on each engine: `STARTS WITH`, `CONTAINS` or `ENDS WITH`"),
    ("||", "texts are joined by `+`"),
    ("FORMAT CSV", "`FORMAT CSV` is unknown to Neo4j"),
];

/// What the text says that a statement as data may not.
pub(super) fn broken(text: &str) -> Vec<(Rule, String)> {
    let code = without_comments(text);
    let mut broken = Vec::new();
    let first: String = code.trim_start().chars().take_while(|character| character.is_alphabetic()).collect();
    if !FIRST_WORDS.contains(&&*first.to_ascii_uppercase()) {
        broken.push((Rule::Extensions, format!("a statement begins with one of {}, and not with {first:?}", FIRST_WORDS.join(", "))));
    }
    let capitals = code.to_ascii_uppercase();
    for (words, reason) in NOT_IN_THE_TEXT {
        if capitals.contains(words) {
            broken.push((Rule::Extensions, reason.to_owned()));
        }
    }
    // Neo4j reads these before it looks for quotes.
    if text.contains("\\u") || text.contains("\\U") {
        broken.push((Rule::Extensions, "characters are written as they are, and not as `\\u…`".to_owned()));
    }
    broken
}

impl Check {
    /// A pattern that has nothing in common with what is there already: each of these with each of those.
    pub(super) fn product(&mut self, pattern: &Tree, condition: Option<&Tree>, scope: &Scope) {
        if !self.terms.is_data || !scope.names.keys().any(|name| scope.is_node_or_link(name)) {
            return;
        }
        let parts: Vec<&Tree> = pattern.get("elements").items().iter().map(|element| element.get("0")).collect();
        let own: Vec<&str> = parts.iter().filter_map(|part| part.get("variable").text()).collect();
        let is_tied = |part: &&Tree| {
            let is_there = part.get("variable").text().is_some_and(|name| scope.names.contains_key(name));
            is_there || part.get("properties").some().is_some_and(|map| map.entries().any(|(property, _)| property == "id"))
        };
        let ties = |part: &&Tree| {
            (is_equality(part) || matches!(part.name(), "In" | "InExpression")) && variables(part).iter().any(|name| own.contains(&name.as_str()))
        };
        if !parts.iter().any(is_tied) && !condition.is_some_and(|condition| conjuncts(condition).iter().any(ties)) {
            let what = own.first().map_or("a pattern".to_owned(), |name| format!("`{name}`"));
            let reason = format!("{what} has nothing in common with what was found before: link them, or ask for something equal in the `WHERE`");
            self.broken(Rule::Bounded, reason);
        }
    }

    /// The names and the length of a pattern.
    pub(super) fn pattern_as_data(&mut self, pattern: &Tree) {
        if !self.terms.is_data {
            return;
        }
        let mut longest = 0;
        for element in pattern.get("elements").items() {
            let part = element.get("0");
            let (known, kind) = if element.is("Node") { (&known().labels, "label") } else { (&known().types, "type of link") };
            for name in names(part) {
                self.unknown_name(known, kind, name);
            }
            for (property, _) in part.get("properties").some().into_iter().flat_map(Tree::entries) {
                self.unknown_property(property);
            }
            if ["label_params", "type_params"].iter().any(|member| !part.get(member).items().is_empty()) {
                self.broken(Rule::Extensions, "labels and types of links are written out, and are no parameters");
            }
            let most = part.get("var_length").some().and_then(|length| length.items().get(1)?.name().parse().ok());
            longest += most.filter(|most| self.terms.longest_path.is_some_and(|longest| *most <= longest)).unwrap_or(0);
        }
        if let Some(most) = self.terms.longest_path.filter(|most| longest > *most) {
            self.broken(Rule::Bounded, format!("one pattern may follow {longest} links behind one another, and {most} at most are allowed"));
        }
    }

    pub(super) fn property_as_data(&mut self, variable: &str, property: &str, scope: &Scope) {
        if scope.is_node_or_link(variable) {
            self.unknown_property(property);
        }
    }

    pub(super) fn label_as_data(&mut self, part: &Tree) {
        if part.get("label_param").some().is_some() {
            self.broken(Rule::Extensions, "labels are written out, and are no parameters");
        } else if let Some(label) = part.get("label").text() {
            self.unknown_name(&known().labels, "label", label);
        }
    }

    pub(super) fn projection_as_data(&mut self, part: &Tree, scope: &Scope) {
        let Some(variable) = part.get("variable").text().filter(|name| scope.is_node_or_link(name)) else { return };
        for item in part.get("items").items() {
            match item.name() {
                "Property" => self.unknown_property(item.get("0").text().unwrap_or_default()),
                "AllProperties" if self.terms.is_data => {
                    self.broken(Rule::Projections, format!("`{variable}{{.*}}` is another answer when a property is added: name what is wanted"));
                }
                _ => {}
            }
        }
    }

    pub(super) fn function_as_data(&mut self, part: &Tree, name: &str) {
        if !self.terms.is_data {
            return;
        }
        if !name.contains('.') && !FUNCTIONS.contains(&name) {
            let near = nearest(name, FUNCTIONS).map(|near| format!(" (`{near}()`?)")).unwrap_or_default();
            self.broken(Rule::Extensions, format!("`{name}()` is not among the functions that are known to be one on both engines{near}"));
        }
        if name == "range" && !is_short_range(part) {
            let reason = format!("how long a `range()` is has to be read off it: whole numbers, or `size(…)`, and {LONGEST_RANGE} at most");
            self.broken(Rule::Bounded, reason);
        }
    }

    /// `HAVING`, which one engine has.
    pub(super) fn no_having(&mut self, body: &Tree) {
        if self.terms.is_data && body.get("having").some().is_some() {
            self.broken(Rule::Extensions, "`HAVING` is unknown to Neo4j: a `WITH` and its `WHERE`");
        }
    }

    /// The rows of several branches have no common end.
    pub(super) fn union_as_data(&mut self, body: &Tree, scope: &Scope) {
        if !self.terms.is_data {
            return;
        }
        if scope.level == Level::Top {
            let reason = "the rows of a `UNION` have no end in common: `CALL { … UNION … } RETURN …`";
            self.broken(Rule::Bounded, reason);
        }
        if !body.get("kind").is("Union") {
            self.broken(Rule::Extensions, "of what joins branches Neo4j knows `UNION` alone");
        }
    }

    fn unknown_property(&mut self, property: &str) {
        // Custom properties have names that the graph does not know beforehand.
        if !property.starts_with("c__") {
            self.unknown_name(&known().properties, "property", property);
        }
    }

    fn unknown_name(&mut self, known: &Known, kind: &str, name: &str) {
        if self.terms.is_data && !known.contains(name) {
            let near = nearest(name, known.iter().map(String::as_str)).map(|near| format!(": `{near}`?")).unwrap_or_default();
            self.broken(Rule::Vocabulary, format!("the graph has no {kind} `{name}`{near}"));
        }
    }
}

/// All labels or types that a part of a pattern has.
fn names(part: &Tree) -> Vec<&str> {
    let one = ["node_type", "connection_type"].into_iter().filter_map(|member| part.get(member).text());
    let several = ["extra_labels", "alt_labels", "connection_types"].into_iter().flat_map(|member| {
        let member = part.get(member);
        member.some().unwrap_or(member).items().iter().filter_map(Tree::text)
    });
    let mut names: Vec<&str> = one.chain(several).collect();
    names.dedup();
    names
}

/// Whether a range has a length that can be read off it.
fn is_short_range(part: &Tree) -> bool {
    let [from, to, ..] = part.get("args").items() else { return false };
    let is_size = |part: &Tree| part.is("FunctionCall") && matches!(&*function(part), "size" | "length");
    let is_list_length = is_size(to) || (to.is("Subtract") && is_size(to.get("0")) && whole_number(to.get("1")).is_some());
    match (whole_number(from), whole_number(to)) {
        (Some(from), Some(to)) => from.abs_diff(to) < LONGEST_RANGE as u64,
        (Some(from), None) => from >= 0 && is_list_length,
        _ => false,
    }
}

/// The number, where an expression is a whole one.
pub(crate) fn whole_number(part: &Tree) -> Option<i64> {
    let value = part.get("0");
    match part.name() {
        "Literal" if value.is("Int64") => value.get("0").name().parse().ok(),
        "Negate" => whole_number(value)?.checked_neg(),
        _ => None,
    }
}

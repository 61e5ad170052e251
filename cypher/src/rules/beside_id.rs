//! Conditions beside an id: rule 12.
//!
//! A node that the embedded engine finds by its label and its one id is not asked for the rest of its pattern. The engine moves conditions into the pattern, and
//! where it has, it may not ask for them again. It moves those of the `MATCH`, of a `WITH` right behind it, and of what comes behind a `CALL` that answers
//! with one row. What a `WITH` gives a name of its own stays where it is.

use std::collections::BTreeSet;

use super::expressions::{conjuncts, function, has_aggregate, is_aggregate, things};
use super::reading::is_equality;
use super::scope::{Check, Scope, alias_of, variables};
use super::{Rule, Tree};

impl Check {
    /// The condition of a `MATCH`.
    pub(super) fn beside_id(&mut self, body: &Tree, condition: Option<&Tree>, scope: &Scope) {
        let Some(condition) = condition else { return };
        let conditions = conjuncts(condition);
        let by_id = by_id(body, &conditions);
        for part in conditions {
            let about: Vec<String> = variables(part).into_iter().filter(|name| by_id.contains(name)).collect();
            let Some(name) = about.first().filter(|_| is_moved(part) || !is_harmless(part, &about, scope)) else { continue };
            let reason = format!(
                "beside the id of `{name}` a condition compares a property by `=`, or with values of a row; what is asked else compares what a `WITH` has \
                 named: `WITH {name}, {name}.x AS x WHERE x < …`"
            );
            self.broken(Rule::BesideId, reason);
        }
    }

    /// The condition of a `WITH` or `WHERE` that does not stand in the `MATCH`, and is moved there.
    pub(super) fn moved_beside_id(&mut self, clauses: &[Tree], at: usize, scope: &Scope) {
        let Some((matched, moved)) = moved_into(clauses, at, scope) else { return };
        let behind = &clauses[matched + 1];
        let own = clauses[matched].get("0").get("where_clause").some().or_else(|| behind.is("Where").then(|| behind.get("0")));
        let mut conditions = own.map(|own| conjuncts(own.get("predicate"))).unwrap_or_default();
        conditions.extend(&moved);
        let by_id = by_id(clauses[matched].get("0"), &conditions);
        let names: BTreeSet<String> = moved.into_iter().filter(|part| is_moved(part)).flat_map(variables).collect();
        for name in names.intersection(&by_id) {
            let reason = format!(
                "the embedded engine moves this condition beside the id of `{name}`, where it may not look at it: compare what the `WITH` has named \
                 (`WITH {name}, {name}.x AS x WHERE x < …`)"
            );
            self.broken(Rule::BesideId, reason);
        }
    }
}

/// The `MATCH` into which conditions of the clause are moved, and these. The scope is that before the clause.
fn moved_into<'a>(clauses: &'a [Tree], at: usize, scope: &Scope) -> Option<(usize, Vec<&'a Tree>)> {
    let body = clauses[at].get("0");
    let condition = if clauses[at].is("Where") { Some(body) } else { body.get("where_clause").some().filter(|_| clauses[at].is("With")) };
    let conditions = conjuncts(condition?.get("predicate"));
    let matched = clauses[..at].iter().rposition(|clause| matches!(clause.name(), "Match" | "OptionalMatch"))?;
    let between = &clauses[matched + 1..=at];
    if !between.iter().any(|clause| clause.is("CallSubquery")) {
        // All are moved, or none. A name that the `WITH` gives to something else is taken for what had it before.
        let is_behind = between.len() == 1 && between[0].is("With") && clauses[matched].is("Match") && passes_rows(body);
        let is_known = |name: &String| scope.names.contains_key(name) && is_projected(body, name);
        let is_moved = is_behind && conditions.iter().flat_map(|part| variables(part)).all(|name| is_known(&name));
        return is_moved.then_some((matched, conditions));
    }
    let behind = if between[0].is("Where") { &between[1..] } else { between };
    let goes_on = |clause: &Tree| match clause.name() {
        "CallSubquery" => has_one_row(clause.get("body").get("clauses").items()),
        "With" => passes_rows(clause.get("0")),
        name => name == "Where",
    };
    if !behind[0].is("CallSubquery") || !behind.iter().all(goes_on) {
        return None;
    }
    let withs: Vec<&Tree> = behind.iter().filter(|clause| clause.is("With")).map(|clause| clause.get("0")).collect();
    let is_passed = |part: &&Tree| variables(part).iter().all(|name| withs.iter().all(|with| passes(with, name)));
    Some((matched, conditions.into_iter().filter(is_passed).collect()))
}

/// Whether a `CALL` answers with one row, whatever it finds.
fn has_one_row(clauses: &[Tree]) -> bool {
    let last = clauses.last().filter(|last| last.is("Return"));
    last.is_some_and(|last| last.get("0").get("items").items().iter().all(|item| is_aggregate(item.get("expression"))))
}

/// Whether behind a `WITH` the rows are those before it.
fn passes_rows(body: &Tree) -> bool {
    !body.get("distinct").is("true") && !body.get("items").items().iter().any(has_aggregate)
}

/// Whether a `WITH` has a name.
fn is_projected(body: &Tree, name: &str) -> bool {
    body.get("items").items().iter().any(|item| item.get("expression").is("Star") || alias_of(item) == Some(name))
}

/// Whether a name is the same before a `WITH` and behind it.
fn passes(body: &Tree, name: &str) -> bool {
    let is_itself = |item: &Tree| item.get("expression").is("Variable") && item.get("expression").get("0").text() == Some(name);
    let is_made = |item: &Tree| alias_of(item) == Some(name) && !is_itself(item);
    is_projected(body, name) && !body.get("items").items().iter().any(is_made)
}

/// The nodes of a pattern that are named by their ids, in the pattern or in a condition.
fn by_id(body: &Tree, conditions: &[&Tree]) -> BTreeSet<String> {
    let mut by_id = BTreeSet::new();
    let mut others = BTreeSet::new();
    for node in body.get("patterns").all().into_iter().filter(|part| part.is("NodePattern")) {
        let has_id = node.get("properties").some().is_some_and(|map| map.entries().any(|(property, _)| property == "id"));
        let names = if has_id { &mut by_id } else { &mut others };
        names.extend(node.get("variable").text().map(str::to_owned));
    }
    let equalities = conditions.iter().filter(|part| is_equality(part)).flat_map(|part| [part.get("left"), part.get("right")]);
    let ids = equalities.filter(|side| side.is("PropertyAccess") && side.get("property").text() == Some("id"));
    by_id.extend(ids.filter_map(|side| side.get("variable").text()).filter(|name| others.contains(*name)).map(str::to_owned));
    by_id
}

/// Whether the embedded engine moves a condition into the pattern, and may drop it then: a property beside a value that is known before.
fn is_moved(part: &Tree) -> bool {
    match part.name() {
        "Comparison" => is_bound(part).is_some(),
        "In" => is_property(part.get("expr")) && part.get("list").items().iter().all(is_literal),
        "Or" => is_null_or_bound(part) || is_one_of(part),
        _ => false,
    }
}

/// `n.x < 5`, `5 > n.x`, `coalesce(n.x, 0) < 5`: the property.
fn is_bound(part: &Tree) -> Option<&Tree> {
    if !matches!(part.get("operator").name(), "LessThan" | "LessThanEq" | "GreaterThan" | "GreaterThanEq") {
        return None;
    }
    let is_known = |side: &Tree| side.is("Parameter") || is_literal(side);
    let (left, right) = (part.get("left"), part.get("right"));
    let side = if is_known(right) { left } else { Some(right).filter(|_| is_known(left))? };
    let property = match side.get("args").items() {
        [property, default] if side.is("FunctionCall") && function(side) == "coalesce" && is_known(default) => property,
        _ => side,
    };
    Some(property).filter(|property| is_property(property))
}

/// `n.x IS NULL OR n.x < 5`.
fn is_null_or_bound(part: &Tree) -> bool {
    let (left, right) = (unbracketed(part.get("0")), unbracketed(part.get("1")));
    let (null, bound) = if left.is("IsNull") { (left, right) } else { (right, left) };
    null.is("IsNull") && is_bound(bound) == Some(null.get("0"))
}

/// `n.x = 1 OR n.x = 2`.
fn is_one_of(part: &Tree) -> bool {
    let mut properties = Vec::new();
    let mut open = vec![part];
    while let Some(part) = open.pop().map(unbracketed) {
        match part.name() {
            "Or" => open.extend(part.parts()),
            "Comparison" if is_equality(part) => {
                let (left, right) = (part.get("left"), part.get("right"));
                match (is_literal(left), is_literal(right)) {
                    (_, true) => properties.push(left),
                    (true, false) => properties.push(right),
                    (false, false) => return false,
                }
            }
            _ => return false,
        }
    }
    properties.iter().all(|property| is_property(property) && property == &properties[0])
}

/// A property that is not the id: where the id is asked for twice, the second is not moved.
fn is_property(part: &Tree) -> bool {
    part.is("PropertyAccess") && part.get("property").text() != Some("id")
}

fn is_literal(part: &Tree) -> bool {
    part.is("Literal") || (part.is("Negate") && is_literal(part.get("0")))
}

/// What stands in brackets.
fn unbracketed(part: &Tree) -> &Tree {
    if part.is("PredicateExpr") { unbracketed(part.get("0")) } else { part }
}

/// Whether the embedded engine keeps a condition about nodes that are named by their ids.
fn is_harmless(part: &Tree, about: &[String], scope: &Scope) -> bool {
    let is_own_property =
        |side: &Tree| side.is("PropertyAccess") && side.get("variable").text().is_some_and(|name| about.iter().any(|own| own == name));
    let asked = if part.is("Not") { part.get("0") } else { part };
    if !variables(asked).iter().any(|name| about.contains(name)) {
        return true;
    }
    match asked.name() {
        "LabelCheck" | "Exists" => true,
        "IsNull" | "IsNotNull" => is_own_property(asked.get("0")),
        "Comparison" if is_equality(asked) && (is_own_property(asked.get("left")) || is_own_property(asked.get("right"))) => true,
        "PredicateExpr" | "And" | "Or" => asked.parts().all(|part| is_harmless(part, about, scope)),
        _ => things(part, scope).iter().any(|name| !about.contains(name)),
    }
}

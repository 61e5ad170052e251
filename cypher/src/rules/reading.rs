//! What clauses that read may say.

use std::collections::{BTreeMap, BTreeSet};

use super::expressions::{conjuncts, function, has_aggregate, is_aggregate, may_be_null};
use super::scope::{Check, Kind, Level, Name, Scope, alias_of, variables};
use super::{Rule, Tree};

impl Check {
    /// A `MATCH` with its condition.
    pub(super) fn matched(&mut self, body: &Tree, condition: Option<&Tree>, is_optional: bool, scope: &mut Scope) {
        let patterns = body.get("patterns").items();
        let is_shortest = |path: &Tree| path.get("is_shortest_path").is("true");
        if body.get("path_assignments").items().iter().any(is_shortest) && patterns.len() != 1 {
            self.broken(Rule::ShortestPaths, "a shortest path is the only pattern of its `MATCH`");
        }
        let before = scope.names.clone();
        scope.whole_label |= patterns.iter().any(|pattern| goes_through_all(pattern, condition, scope));
        for pattern in patterns {
            self.product(pattern, condition, scope);
            self.pattern(pattern, scope);
        }
        for path in body.get("path_assignments").items() {
            if let Some(variable) = path.get("variable").text() {
                scope.names.insert(variable.to_owned(), Name { absent: is_optional, ..Name::value() });
            }
        }
        if is_optional {
            for (_, name) in scope.names.iter_mut().filter(|(name, _)| !before.contains_key(*name)) {
                (name.absent, name.just_sought, name.sought_by) = (true, true, Some(self.sought));
            }
            self.sought += 1;
        }
        self.beside_id(body, condition, scope);
        if let Some(condition) = body.get("where_clause").some() {
            self.condition(condition.get("predicate"), scope);
        }
    }

    /// A pattern that is looked for; its names are known behind it.
    pub(super) fn pattern(&mut self, pattern: &Tree, scope: &mut Scope) {
        self.pattern_as_data(pattern);
        for element in pattern.get("elements").items() {
            let part = element.get("0");
            match element.name() {
                "Node" => {
                    self.node_pattern(part);
                    named(part, Kind::Node, labels_of(part), scope);
                }
                _ => {
                    self.length(part);
                    named(part, Kind::Link, Vec::new(), scope);
                }
            }
            for expression in part.get("properties").some().into_iter().flat_map(Tree::entries) {
                self.expressions(expression.1, scope);
            }
        }
    }

    fn node_pattern(&mut self, part: &Tree) {
        let properties = part.get("properties").some().into_iter().flat_map(Tree::entries);
        for (property, _) in properties.filter(|(property, _)| *property != "id") {
            let reason = format!("a pattern names a node by its `id` alone: `{property}` goes into the `WHERE`, or a `SET`");
            self.broken(Rule::PatternProperties, reason);
        }
    }

    fn length(&mut self, part: &Tree) {
        let Some(length) = part.get("var_length").some() else { return };
        let most: Option<usize> = length.items().get(1).and_then(|most| most.name().parse().ok());
        let is_written = part.get("var_length_max_written").is("true");
        let reason = match (is_written, most, self.terms.longest_path) {
            (true, Some(most), Some(longest)) if most > longest => {
                format!("it may follow {most} links behind one another, and {longest} at most are allowed")
            }
            (false, ..) => "how many links it may follow behind one another has no end: say one (`*1..3`)".to_owned(),
            _ => return,
        };
        self.broken(Rule::Bounded, reason);
    }

    pub(super) fn with(&mut self, body: &Tree, next: Option<&Tree>, scope: &mut Scope) {
        self.no_having(body);
        let items = body.get("items").items();
        for item in items {
            self.expressions(item.get("expression"), scope);
        }
        self.groups(items, scope);
        let aggregates = items.iter().any(has_aggregate);
        let mut names = BTreeMap::new();
        for item in items {
            let expression = item.get("expression");
            if expression.is("Star") {
                names.extend(scope.names.clone());
            }
            if let Some(alias) = alias_of(item) {
                names.insert(alias.to_owned(), projected(expression, scope));
            }
        }
        if aggregates {
            scope.left_behind.clear();
            scope.whole_label = false;
            scope.two_things = false;
        } else {
            let gone = scope.names.keys().filter(|name| !names.contains_key(*name)).cloned();
            scope.left_behind.extend(gone);
        }
        for name in names.values_mut() {
            name.just_sought = false;
        }
        if let Some(order) = next.filter(|next| next.is("OrderBy")) {
            // It may speak of what the items were made of.
            let mut both = scope.clone();
            both.names.extend(names.clone());
            self.expressions(order.get("0"), &both);
        }
        scope.names = names;
        if let Some(condition) = body.get("where_clause").some() {
            self.condition(condition.get("predicate"), scope);
        }
    }

    pub(super) fn returned(&mut self, body: &Tree, scope: &mut Scope) {
        self.no_having(body);
        let items = body.get("items").items();
        for item in items {
            let expression = item.get("expression");
            self.expressions(expression, scope);
            if scope.level == Level::Top {
                self.answered(expression, scope);
            }
        }
        self.groups(items, scope);
        if let [only] = items {
            self.alone(only.get("expression"), scope);
        }
        for item in items {
            if let Some(alias) = alias_of(item) {
                let name = projected(item.get("expression"), scope);
                scope.names.insert(alias.to_owned(), name);
            }
        }
    }

    /// What a statement answers with: maps, lists and scalars.
    fn answered(&mut self, expression: &Tree, scope: &Scope) {
        let is_whole = |part: &Tree| part.is("Variable") && part.get("0").text().is_some_and(|name| scope.is_node_or_link(name));
        let is_collected = is_aggregate(expression) && function(expression) == "collect" && expression.get("args").items().iter().any(is_whole);
        if expression.is("Star") || is_whole(expression) || is_collected {
            self.broken(Rule::Projections, "a statement answers with maps and scalars, not with nodes and links");
        }
    }

    /// `count(DISTINCT n)` and its like, as the only column.
    fn alone(&mut self, expression: &Tree, scope: &Scope) {
        if !is_aggregate(expression) {
            return;
        }
        let is_distinct = expression.get("distinct").is("true");
        let is_extreme = matches!(function(expression).as_str(), "min" | "max");
        if is_distinct || (is_extreme && scope.two_things) {
            let reason =
                "alone in a `RETURN` the embedded engine tries one row for each node: `WITH DISTINCT n RETURN count(*)`, or another column beside it";
            self.broken(Rule::DistinctAlone, reason);
        }
    }

    /// What is counted is counted by what was there before it was looked for.
    fn groups(&mut self, items: &[Tree], scope: &Scope) {
        if !items.iter().any(has_aggregate) {
            return;
        }
        let keys = items.iter().filter(|item| !has_aggregate(item));
        let sought: BTreeSet<String> = keys.flat_map(variables).filter(|name| scope.names.get(name).is_some_and(|name| name.just_sought)).collect();
        for name in sought {
            let reason =
                format!("`{name}` may not have been found, and then is one group or none: count by what was bound before the `OPTIONAL MATCH`");
            self.broken(Rule::GroupsByFound, reason);
        }
    }

    pub(super) fn order(&mut self, body: &Tree, scope: &mut Scope) {
        self.expressions(body, scope);
        if scope.whole_label {
            let reason = "a whole label is sorted, which no index helps the embedded engine with: bound it by what it is sorted by";
            self.broken(Rule::WholeLabelOrder, reason);
        }
    }
}

fn named(part: &Tree, kind: Kind, labels: Vec<String>, scope: &mut Scope) {
    if let Some(variable) = part.get("variable").text() {
        scope.names.entry(variable.to_owned()).or_insert_with(|| Name::of(kind, labels));
    }
}

/// Whether all nodes of a label are gone through for a pattern: nothing of it is known, and no condition bounds it.
fn goes_through_all(pattern: &Tree, condition: Option<&Tree>, scope: &Scope) -> bool {
    let parts: Vec<&Tree> = pattern.get("elements").items().iter().map(|element| element.get("0")).collect();
    let name = |part: &&Tree| part.get("variable").text().map(str::to_owned);
    let is_known = |part: &&Tree| name(part).is_some_and(|name| scope.names.contains_key(&name)) || part.get("properties").some().is_some();
    let own: BTreeSet<String> = parts.iter().filter_map(name).collect();
    let bounds = |part: &&Tree| {
        matches!(part.name(), "Comparison" | "In" | "InExpression" | "StartsWith") && variables(part).iter().any(|name| own.contains(name))
    };
    !parts.iter().any(is_known) && !condition.is_some_and(|condition| conjuncts(condition).iter().any(bounds))
}

pub(super) fn labels_of(part: &Tree) -> Vec<String> {
    let first = part.get("node_type").text().or_else(|| part.get("label").text());
    let others = part.get("extra_labels").items().iter().filter_map(Tree::text);
    first.into_iter().chain(others).map(str::to_owned).collect()
}

/// What a column is.
fn projected(expression: &Tree, scope: &Scope) -> Name {
    let same = expression.get("0").text().filter(|_| expression.is("Variable")).and_then(|name| scope.names.get(name));
    same.cloned().unwrap_or_else(|| Name { absent: may_be_null(expression, scope), ..Name::value() })
}

pub(super) fn is_equality(part: &Tree) -> bool {
    part.is("Comparison") && part.get("operator").is("Equals")
}

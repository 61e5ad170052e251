//! What clauses that write may say.

use std::collections::BTreeSet;

use super::reading::labels_of;
use super::scope::{Check, Kind, Name, Scope};
use super::{Rule, Tree};
use crate::areas::MAIN_LABELS;

/// Stands for the properties of a map.
const ALL: &str = "*";

impl Check {
    pub(super) fn created(&mut self, body: &Tree, scope: &mut Scope) {
        for pattern in body.get("patterns").items() {
            self.made(pattern, true, scope);
        }
    }

    pub(super) fn merged(&mut self, body: &Tree, scope: &mut Scope) {
        let pattern = body.get("pattern");
        for element in pattern.get("elements").items().iter().filter(|element| element.is("Node")) {
            let node = element.get("0");
            let is_there = node.get("variable").text().is_some_and(|name| scope.names.contains_key(name));
            let labels = labels_of(node);
            if !is_there && labels.len() > 1 {
                self.broken(Rule::Identity, "nodes are merged by their main label alone; further labels are set behind it");
            } else if let Some(label) = labels.first().filter(|label| !is_there && !MAIN_LABELS.contains(label.as_str())) {
                self.broken(Rule::Identity, format!("`{label}` is no main label: ids are not unique in it"));
            }
            for (property, _) in node.get("properties").entries().filter(|(property, _)| *property != "id") {
                self.broken(Rule::PatternProperties, format!("nodes are merged by their `id` alone: `{property}` goes into a `SET`"));
            }
        }
        self.made(pattern, false, scope);
        for (member, is_new) in [("on_create", true), ("on_match", false)] {
            if let Some(items) = body.get(member).some() {
                self.set(items.items(), scope, is_new);
            }
        }
    }

    /// A pattern that is made, or made where it is not there.
    fn made(&mut self, pattern: &Tree, is_new: bool, scope: &mut Scope) {
        let elements = pattern.get("elements").items();
        for element in elements {
            let part = element.get("0");
            let variable = part.get("variable").text();
            for (property, value) in part.get("properties").entries() {
                self.expressions(value, scope);
                self.no_map(property, value);
            }
            if element.is("Node") {
                self.made_node(part, variable, elements.len() > 1, scope);
            }
            let kind = if element.is("Node") { Kind::Node } else { Kind::Link };
            if let Some(variable) = variable {
                scope.names.entry(variable.to_owned()).or_insert_with(|| Name { is_new, ..Name::of(kind, labels_of(part)) });
            }
        }
    }

    fn made_node(&mut self, part: &Tree, variable: Option<&str>, is_linked: bool, scope: &Scope) {
        if let Some(name) = variable.filter(|name| scope.names.contains_key(*name)) {
            if is_linked && scope.may_be_absent(name) && scope.is_node_or_link(name) {
                let reason = format!("`{name}` may not have been found: Neo4j makes no link to it, and the embedded engine makes one");
                self.broken(Rule::MaybeNull, reason);
            }
            return;
        }
        if let Some(name) = variable.filter(|name| scope.left_behind.contains(*name)) {
            let reason = format!("`{name}` was something else before a `WITH`, which the embedded engine goes on with: take another name");
            self.broken(Rule::NamesAgain, reason);
        }
        if labels_of(part).is_empty() || !part.get("properties").entries().any(|(property, _)| property == "id") {
            self.broken(Rule::Identity, "a node is made with its main label and its `id`");
        }
    }

    /// The items of a `SET`. `is_new`: of nodes that were made just now.
    pub(super) fn set(&mut self, items: &[Tree], scope: &mut Scope, is_new: bool) {
        for (at, item) in items.iter().enumerate() {
            let expression = item.get("expression");
            self.expressions(expression, scope);
            let Some(variable) = item.get("variable").text() else { continue };
            match item.name() {
                "Label" => self.label(item, variable, scope),
                "Map" if item.get("replace").is("true") => {
                    self.broken(Rule::Identity, format!("`SET {variable} = …` takes the id away: `+=` keeps it"));
                }
                "Property" if item.get("property").text() == Some("id") => self.broken(Rule::Identity, "an id is never changed"),
                _ => {}
            }
            self.no_map(item.get("property").text().unwrap_or(ALL), expression);
            self.number_type(item, items);
            self.reads_its_own(at, items, scope);
        }
        if !is_new {
            self.written_again(items, scope);
        }
    }

    /// Whether an item reads what another of the same clause writes.
    fn reads_its_own(&mut self, at: usize, items: &[Tree], scope: &Scope) {
        let others = items.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, item)| item);
        for other in others {
            let written = other.get("property").text();
            let is_map = other.is("Map");
            let reads = items[at].get("expression").all().into_iter().find(|part| {
                let property = part.get("property").text();
                let same_name = part.get("variable").text() == other.get("variable").text();
                let is_stored = part.get("variable").text().is_some_and(|name| scope.is_node_or_link(name));
                part.is("PropertyAccess") && is_stored && ((is_map && same_name) || (written.is_some() && property == written))
            });
            if let Some((variable, property)) = reads.and_then(|part| Some((part.get("variable").text()?, part.get("property").text()?))) {
                let reason =
                    format!("`{variable}.{property}` is read in the clause that writes it: whether it is the old or the new one differs on Neo4j");
                self.broken(Rule::WrittenTwice, reason);
            }
        }
    }

    /// Whether a clause writes what one before it has written.
    fn written_again(&mut self, items: &[Tree], scope: &mut Scope) {
        let written = items.iter().filter(|item| !item.is("Label")).filter_map(|item| {
            let property = if item.is("Map") { ALL } else { item.get("property").text()? };
            let variable = item.get("variable").text().filter(|name| !scope.names.get(*name).is_some_and(|name| name.is_new))?;
            Some((variable.to_owned(), property.to_owned()))
        });
        let written: BTreeSet<(String, String)> = written.collect();
        for (name, property) in written.intersection(&scope.written.clone()) {
            let reason = format!(
                "two clauses write `{name}.{property}`: where two rows are about one node, Neo4j goes by rows, and the embedded engine by clauses"
            );
            self.broken(Rule::WrittenTwice, reason);
        }
        scope.written.extend(written);
    }

    fn label(&mut self, item: &Tree, variable: &str, scope: &Scope) {
        let Some(label) = item.get("label").text() else { return };
        let own = scope.names.get(variable).and_then(|name| name.labels.first());
        if MAIN_LABELS.contains(label) && own.is_some_and(|own| own != label) {
            self.broken(Rule::Identity, format!("`{label}` is the main label of other nodes"));
        }
    }

    pub(super) fn removed(&mut self, body: &Tree, scope: &mut Scope) {
        for item in body.get("items").items() {
            let (variable, label) = (item.get("variable").text().unwrap_or_default(), item.get("label").text());
            if label.is_some_and(|label| MAIN_LABELS.contains(label)) {
                self.broken(Rule::Identity, format!("`{variable}` keeps its main label"));
            }
            if item.get("property").text() == Some("id") {
                self.broken(Rule::Identity, "an id is never taken away");
            }
            if let Some(property) = item.get("property").text() {
                scope.written.insert((variable.to_owned(), property.to_owned()));
            }
        }
    }

    pub(super) fn deleted(&mut self, body: &Tree, scope: &mut Scope) {
        self.expressions(body, scope);
    }

    /// Maps are no properties.
    fn no_map(&mut self, property: &str, value: &Tree) {
        let is_map = |part: &Tree| matches!(part.name(), "MapLiteral" | "MapProjection");
        if property != ALL && (is_map(value) || (value.is("ListLiteral") && value.get("0").items().iter().any(is_map))) {
            self.broken(Rule::MapProperties, format!("`{property}` is a map, which Neo4j does not store: JSON text"));
        }
        // What is added to a node as a map has values that are none.
        if property == ALL && value.is("MapLiteral") {
            for (property, value) in value.get("0").items().iter().filter_map(|entry| Some((entry.items().first()?.text()?, entry.items().get(1)?))) {
                self.no_map(property, value);
            }
        }
    }

    /// A property is a whole number everywhere, or nowhere.
    fn number_type(&mut self, item: &Tree, items: &[Tree]) {
        let literal = |item: &Tree| {
            let value = item.get("expression").get("0");
            matches!(value.name(), "Int64" | "Float64").then(|| value.name().to_owned())
        };
        let same = |other: &&Tree| other.get("property").text().is_some() && other.get("property") == item.get("property");
        let (Some(own), Some(property)) = (literal(item), item.get("property").text()) else { return };
        if items.iter().filter(same).filter_map(literal).any(|other| other != own) {
            self.broken(Rule::NumberTypes, format!("`{property}` is a whole number here and a fraction there"));
        }
    }
}

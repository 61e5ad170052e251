//! From a question to one statement.
//!
//! A step is a `CALL` with the node before it: match, filter, order, cut, then the steps behind it in the same way, then all of it as one list. What
//! is counted is a `CALL` of its own. The nodes one begins at come as `$ids`, so that all who ask in the same shape are answered together. Steps are
//! numbered as they are met; the number makes the names of variables and parameters.

mod pages;

use std::fmt::Write;
use std::sync::Arc;

use super::supernode::{Along, SUPERNODE, Supernodes};
use super::{Begin, Column, Composed, Condition, Count, Link, Passing, Slice, SortDirection, Step, Supernode, Visit};
use crate::{Params, Value};

/// How the statement of a walk begins.
pub(crate) const FROM_IDS: &str = "UNWIND $ids AS id";

impl Visit {
    /// The statement: one row for each of `$ids` that there is, with the columns `id` and `found`.
    pub fn compose(&self) -> Composed {
        let composed = self.composed(Composing::default());
        if !composed.params.0.iter().any(|(name, _)| name == SUPERNODE) {
            return composed;
        }
        let without = self.composed(Composing { supernodes: Supernodes::AreNone, ..Composing::default() });
        Composed { for_embedded: Some(without.text), ..composed }
    }

    fn composed(&self, mut composing: Composing) -> Composed {
        composing.line(0, FROM_IDS);
        composing.line(0, &format!("MATCH (n0:`{}` {{id: id}})", self.node.label));
        if let Some(hidden) = self.node.hidden {
            composing.line(0, &format!("WHERE NOT n0:{hidden}"));
        }
        if let Some(passing) = &self.passing {
            composing.passing(passing);
        }
        let columns = composing.visit(self, 0, 0);
        composing.line(0, &format!("RETURN id, [{columns}] AS found"));
        composing.done()
    }
}

#[derive(Default)]
pub(super) struct Composing {
    text: String,
    params: Params,
    /// How many steps have been met.
    steps: usize,
    supernodes: Supernodes,
}

/// The numbers of a step and of the step whose nodes it leads from.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) from: usize,
    pub(super) to: usize,
}

/// What a step matches.
pub(super) struct Matched {
    /// `MATCH` and its pattern.
    pub(super) pattern: String,
    /// All that must hold.
    pub(super) holds: Vec<String>,
}

impl Composing {
    pub(super) fn done(self) -> Composed {
        Composed { text: Arc::from(self.text), for_embedded: None, params: self.params }
    }

    pub(super) fn line(&mut self, depth: usize, line: &str) {
        for _ in 0..depth {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes the steps that lead from a node; gives what is to be answered of it, in the order in which it is read.
    fn visit(&mut self, visit: &Visit, number: usize, depth: usize) -> String {
        let mut columns = format!("n{number}.id, n{number}.name");
        if visit.numbers {
            self.numbers(number, depth);
            let _ = write!(columns, ", k{number}");
        }
        if visit.summary {
            push_columns(&mut columns, visit.node.summary, Numbers { from: number, to: number });
        }
        if let Some(record) = visit.node.record.filter(|_| visit.record) {
            let _ = write!(columns, ", n{number}.{record}");
        }
        for step in &visit.steps {
            self.steps += 1;
            let numbers = Numbers { from: number, to: self.steps };
            // In the order of the statement: the count's parameters are the slice's.
            let matched = self.matched(step, numbers);
            match step.link.degree.filter(|_| step.conditions.is_empty()) {
                _ if !step.counted => {}
                Some(degree) => {
                    let _ = write!(columns, ", COUNT {{ {} }}", fill(degree, numbers));
                }
                None => {
                    self.count(step.link, &matched, numbers, depth);
                    let _ = write!(columns, ", c{}", numbers.to);
                }
            }
            if let Some(slice) = &step.slice {
                self.slice(step, slice, &matched, numbers, depth);
                let _ = write!(columns, ", x{}", numbers.to);
            }
        }
        columns
    }

    /// Writes which numbers an account has, each in a list of its own.
    fn numbers(&mut self, number: usize, depth: usize) {
        self.line(depth, "CALL {");
        self.line(depth + 1, &format!("WITH n{number}"));
        self.line(depth + 1, &format!("MATCH (n{number})-[:IDENTIFIED_BY|HINTED_BY]->(m{number}:AccountIdentifier)"));
        self.line(depth + 1, &format!("RETURN collect([m{number}.id]) AS k{number}"));
        self.line(depth, "}");
    }

    /// The first things that hold are the link's own, the others the caller's, in their order.
    pub(super) fn matched(&mut self, step: &Step, numbers: Numbers) -> Matched {
        let holds = self.holds(step.link, &step.conditions, numbers);
        Matched { pattern: format!("MATCH {}", fill(&step.pattern(), numbers)), holds }
    }

    fn holds(&mut self, link: &Link, conditions: &[Condition], numbers: Numbers) -> Vec<String> {
        let mut holds: Vec<String> = link.condition.iter().map(|condition| fill(condition, numbers)).collect();
        for (at, condition) in conditions.iter().enumerate() {
            let name = format!("f{}_{at}", numbers.to);
            holds.push(fill(condition.filter.text, numbers).replace("{p}", &format!("${name}")));
            self.param(name, condition.value.clone());
        }
        holds
    }

    /// Writes what must hold of the nodes that are named. Behind a `WITH`, as the embedded engine drops conditions that stand beside an id. It moves a
    /// `WHERE` ahead of its `WITH`, and so beside the id, unless that speaks of what the `WITH` makes: hence the first condition, which always holds.
    fn passing(&mut self, passing: &Passing) {
        let holds = self.holds(&passing.list.link, &passing.conditions, Numbers { from: 0, to: 0 });
        if !holds.is_empty() {
            self.line(0, "WITH id, n0, n0.id AS passing");
            self.line(0, &format!("WHERE passing = id AND {}", holds.join(" AND ")));
        }
    }

    /// Writes what is matched.
    pub(super) fn all_of(&mut self, matched: &Matched, depth: usize) {
        self.line(depth, &matched.pattern);
        if !matched.holds.is_empty() {
            self.line(depth, &format!("WHERE {}", matched.holds.join(" AND ")));
        }
    }

    fn count(&mut self, link: &Link, matched: &Matched, numbers: Numbers, depth: usize) {
        self.line(depth, "CALL {");
        self.line(depth + 1, &format!("WITH n{}", numbers.from));
        self.all_of(matched, depth + 1);
        self.number_of(link.count, numbers, &format!("c{}", numbers.to), depth + 1);
        self.line(depth, "}");
    }

    /// Writes how many of the matches count. Not `count(DISTINCT n)`: where a condition is about two things, the embedded engine tries one match of each node.
    fn number_of(&mut self, count: Count, Numbers { to, .. }: Numbers, name: &str, depth: usize) {
        if count == Count::Nodes {
            self.line(depth, &format!("WITH DISTINCT n{to}"));
        }
        self.line(depth, &format!("RETURN count(*) AS {name}"));
    }

    fn slice(&mut self, step: &Step, slice: &Slice, matched: &Matched, numbers: Numbers, depth: usize) {
        let number = numbers.to;
        self.line(depth, "CALL {");
        self.line(depth + 1, &format!("WITH n{}", numbers.from));
        let keys = keys(slice, numbers);
        let places = match &slice.begin {
            Begin::Behind(place) => self.places(number, place),
            Begin::AtStart | Begin::At(_) => Vec::new(),
        };
        match Supernode::of(step, slice).filter(|_| self.supernodes == Supernodes::AreFound) {
            Some(supernode) => self.many(supernode, step, matched, &Along { keys: &keys, places: &places, numbers }, depth + 1),
            None => self.all_of(matched, depth + 1),
        }
        self.line(depth + 1, &format!("WITH {}", fill(step.link.carry, numbers)));
        let ends = slice.until.as_ref().map(|until| self.ends(number, until)).unwrap_or_default();
        let between: Vec<String> = [(&keys, places), (&reversed(&keys), ends)]
            .into_iter()
            .filter(|(_, places)| !places.is_empty())
            .map(|(keys, places)| format!("({})", behind(keys, &places)))
            .collect();
        if !between.is_empty() {
            self.line(depth + 1, &format!("WHERE {}", between.join(" AND ")));
            self.line(depth + 1, "WITH *");
        }
        self.line(depth + 1, &ordered(&keys));
        self.cut(slice, number, depth + 1);
        let rows = self.rows(step, &keys, numbers, depth + 1);
        self.line(depth + 1, &format!("RETURN {rows} AS x{number}"));
        self.line(depth, "}");
    }

    /// The parameters of the place behind which a slice begins.
    fn places(&mut self, number: usize, place: &[Value]) -> Vec<String> {
        self.named("a", number, place)
    }

    /// Those of the place before which it ends.
    fn ends(&mut self, number: usize, place: &[Value]) -> Vec<String> {
        self.named("e", number, place)
    }

    fn named(&mut self, letter: &str, number: usize, place: &[Value]) -> Vec<String> {
        let names: Vec<String> = (0..place.len()).map(|at| format!("{letter}{number}_{at}")).collect();
        for (name, value) in names.iter().zip(place) {
            self.param(name.clone(), value.clone());
        }
        names
    }

    fn cut(&mut self, slice: &Slice, number: usize, depth: usize) {
        if let Begin::At(position) = &slice.begin {
            self.line(depth, &format!("SKIP $s{number}"));
            self.param(format!("s{number}"), position.offset);
        }
        self.line(depth, &format!("LIMIT $l{number}"));
        self.param(format!("l{number}"), slice.limit as i64);
    }

    /// Writes the steps behind a slice; gives its rows as one list.
    fn rows(&mut self, step: &Step, keys: &[Key], numbers: Numbers, depth: usize) -> String {
        let then = self.visit(&step.then, numbers.to, depth);
        let mut columns: Vec<String> = keys.iter().map(|key| key.text.clone()).collect();
        columns.extend(step.link.edge.iter().map(|column| fill(column.text, numbers)));
        columns.push(then);
        format!("collect([{}])", columns.join(", "))
    }

    pub(super) fn param(&mut self, name: String, value: impl Into<Value>) {
        self.params.0.push((name.into(), value.into()));
    }

    /// The same of what several steps share.
    pub(super) fn param_once(&mut self, name: &'static str, value: impl Into<Value>) {
        if !self.params.0.iter().any(|(there, _)| there == name) {
            self.param(name.to_owned(), value);
        }
    }
}

/// A key of an order, as it goes in a slice.
pub(super) struct Key {
    pub(super) text: String,
    direction: SortDirection,
}

impl Key {
    /// What is between a key and that of what it comes behind.
    pub(super) fn sign(&self) -> char {
        sign(self.direction)
    }
}

/// The same in the order read from its end.
fn reversed(keys: &[Key]) -> Vec<Key> {
    keys.iter().map(|key| Key { text: key.text.clone(), direction: key.direction.reversed() }).collect()
}

fn keys(slice: &Slice, numbers: Numbers) -> Vec<Key> {
    slice.keys().into_iter().map(|(key, direction)| Key { text: fill(key.text, numbers), direction }).collect()
}

/// That the keys come behind the places, in the order they go.
pub(super) fn behind(keys: &[Key], places: &[String]) -> String {
    let mut condition = String::new();
    for (Key { text, direction }, place) in keys.iter().zip(places).rev() {
        let sign = sign(*direction);
        condition = match condition.as_str() {
            "" => format!("{text} {sign} ${place}"),
            rest => format!("{text} {sign} ${place} OR ({text} = ${place} AND ({rest}))"),
        };
    }
    condition
}

/// The same so that an index of the first key is used. CASE and not OR: Neo4j reads an OR as two searches, and then sorts everything.
fn behind_in_index(keys: &[Key], places: &[String]) -> String {
    match (keys, places) {
        ([first, rest @ ..], [place, places @ ..]) if !rest.is_empty() && !places.is_empty() => {
            let (text, sign, rest) = (&first.text, sign(first.direction), behind(rest, places));
            format!("{text} {sign}= ${place} AND CASE {text} WHEN ${place} THEN {rest} ELSE true END")
        }
        ([first, ..], [place, ..]) => format!("{} {} ${place}", first.text, sign(first.direction)),
        _ => "true".to_owned(),
    }
}

fn sign(direction: SortDirection) -> char {
    match direction {
        SortDirection::Ascending => '>',
        SortDirection::Descending => '<',
    }
}

pub(super) fn ordered<'k>(keys: impl IntoIterator<Item = &'k Key>) -> String {
    let word = |direction| match direction {
        SortDirection::Ascending => "",
        SortDirection::Descending => " DESC",
    };
    let keys: Vec<String> = keys.into_iter().map(|key| format!("{}{}", key.text, word(key.direction))).collect();
    format!("ORDER BY {}", keys.join(", "))
}

fn push_columns(text: &mut String, columns: &[Column], numbers: Numbers) {
    for column in columns {
        let _ = write!(text, ", {}", fill(column.text, numbers));
    }
}

/// A template with the names of a step.
pub(super) fn fill(template: &str, Numbers { from, to }: Numbers) -> String {
    let mut text = String::with_capacity(template.len() + 8);
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (before, name) = rest.split_at(at);
        text.push_str(before);
        let _ = match name.get(..3) {
            Some("{n}") => write!(text, "n{from}"),
            Some("{b}") => write!(text, "n{to}"),
            Some("{r}") => write!(text, "r{to}"),
            Some("{i}") => write!(text, "i{to}"),
            Some("{d}") => write!(text, "{to}"),
            // A map, or the place of a parameter: the brace stands for itself.
            _ => {
                text.push('{');
                rest = &name[1..];
                continue;
            }
        };
        rest = &name[3..];
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests;

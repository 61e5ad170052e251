//! Pages of lists, and how many nodes a list has.
//!
//! Both engines read a page along the index of the first key of its order. Where a filter names little of a list, Neo4j begins with that instead.

use std::fmt::Write;

use super::super::lists::{Seek, SeekBy};
use super::super::orders::KeyKind;
use super::super::{Begin, Composed, LONGEST_PAGE, Link, List, Slice, Step};
use super::{Composing, Key, Matched, Numbers, behind_in_index, fill, keys, ordered, reversed, sign};
use crate::scan::seeks_by_id;

const NUMBERS: Numbers = Numbers { from: 0, to: 1 };
/// The key that tells any two nodes apart.
const ID: &str = "n1.id";

/// How a page is found.
#[derive(Clone, Copy)]
enum Way {
    /// Along the index of the first key.
    Through,
    /// By each value of the condition at this place.
    Sought(&'static Seek, usize),
    /// Along an index of these properties, in which all keys are.
    Along(&'static [&'static str]),
}

impl Way {
    /// By what values are looked up, where they are.
    fn by(self) -> Option<&'static SeekBy> {
        match self {
            Self::Sought(seek, _) => Some(&seek.by),
            Self::Through | Self::Along(_) => None,
        }
    }
}

impl List {
    /// The statement of a page of the list: one row, with the column `found`.
    pub fn compose_page(&'static self, step: &Step, slice: &Slice) -> Composed {
        let through = self.composed_page(step, slice, Way::Through);
        match self.way(step, slice) {
            Way::Through => through,
            way => Composed { for_embedded: Some(through.text), ..self.composed_page(step, slice, way) },
        }
    }

    /// How Neo4j finds a page.
    fn way(&self, step: &Step, slice: &Slice) -> Way {
        let order = slice.page.sort.name;
        let said = |seek: &'static Seek| step.conditions.iter().position(|condition| condition.filter.name == seek.filter).map(|at| (seek, at));
        let is_sought = |seek: &&'static Seek| seek.orders.is_empty() || seek.orders.contains(&order);
        match slice.begin {
            Begin::At(_) => Way::Through,
            Begin::AtStart | Begin::Behind(_) => {
                let sought = self.seeks.iter().filter(is_sought).find_map(said).map(|(seek, at)| Way::Sought(seek, at));
                let along = || self.along.iter().find(|(name, _)| *name == order).map(|(_, properties)| Way::Along(properties));
                sought.or_else(along).unwrap_or(Way::Through)
            }
        }
    }

    /// What is looked up by values is put together of the first rows of each, read along the index: it has an order only where the property has one value,
    /// and is named first.
    fn composed_page(&'static self, step: &Step, slice: &Slice, way: Way) -> Composed {
        let mut composing = Composing { steps: 1, ..Composing::default() };
        let keys = keys(slice, NUMBERS);
        let kind = slice.first_sort().keys[0].kind;
        let place = match &slice.begin {
            Begin::Behind(place) => place.clone(),
            Begin::AtStart | Begin::At(_) => vec![kind.before_all(keys[0].direction)],
        };
        let places = composing.places(1, &place);
        let mut matched = composing.matched(step, NUMBERS);
        let repeated = matches!(way.by(), Some(SeekBy::LinkProperty { .. })).then(|| on_link(&keys));
        let in_index = repeated.as_deref().unwrap_or(&keys);
        let depth = usize::from(way.by().is_some());
        match way {
            Way::Through => {}
            Way::Sought(seek, at) => composing.each_value(&self.link, (seek, at), in_index, &mut matched),
            Way::Along(properties) => {
                let _ = write!(matched.pattern, " USING INDEX SEEK n1:`{}`({})", self.link.to.label, properties.join(", "));
                matched.holds.extend(properties.iter().skip(1).map(|property| format!("n1.{property} IS NOT NULL")));
            }
        }
        let Matched { pattern, mut holds } = matched;
        composing.line(depth, &pattern);
        let mut bound = behind_in_index(in_index, &places);
        if kind == KeyKind::Integer {
            // kglite reads a range out of an index only if it has two ends.
            let (text, direction) = (&in_index[0].text, keys[0].direction.reversed());
            bound = format!("{bound} AND {text} {}= $b1", sign(direction));
            composing.param("b1".to_owned(), kind.before_all(direction));
        }
        holds.push(bound);
        if let Some(until) = &slice.until {
            let ends = composing.ends(1, until);
            holds.push(behind_in_index(&reversed(in_index), &ends));
        }
        composing.line(depth, &format!("WHERE {}", holds.join(" AND ")));
        self.first_rows(&mut composing, slice, (keys.as_slice(), in_index), way);
        composing.line(0, &ordered(&keys));
        composing.cut(slice, 1, 0);
        let rows = composing.rows(step, &keys, NUMBERS, 0);
        composing.line(0, &format!("RETURN {rows} AS found"));
        composing.done()
    }

    /// Writes what is kept of the rows, in order: as many as a page may need, or of each value as many as the page has.
    fn first_rows(&self, composing: &mut Composing, slice: &Slice, (keys, in_index): (&[Key], &[Key]), way: Way) {
        let carry = format!("WITH {}", fill(self.link.carry, NUMBERS));
        let Some(by) = way.by() else {
            composing.line(0, &carry);
            if let Some(most) = most(slice) {
                // As a number: kglite keeps so many rows while it reads, where for a parameter it sorts all of them.
                composing.line(0, &ordered(keys));
                composing.line(0, &format!("LIMIT {most}"));
                composing.line(0, &carry);
            }
            return;
        };
        let value = |text: String| Key { text, direction: keys[0].direction };
        let (kept, first) = match by {
            SeekBy::Property(property) => (carry.as_str(), Some(value(format!("n1.{property}")))),
            SeekBy::LinkProperty { property, .. } => ("WITH n1, r1", Some(value(format!("r1.{property}")))),
            SeekBy::Links(_) => (carry.as_str(), None),
        };
        composing.line(1, kept);
        composing.line(1, &ordered(first.iter().chain(in_index)));
        composing.line(1, "LIMIT $l1");
        composing.line(1, "RETURN n1");
        composing.line(0, "}");
        match by {
            SeekBy::Property(_) => composing.line(0, &carry),
            // Two values may lead to one node.
            SeekBy::LinkProperty { .. } | SeekBy::Links(_) => composing.line(0, "WITH DISTINCT n1"),
        }
    }

    /// The statement that counts what a page is of: one row, with the column `total`.
    pub fn compose_count(&'static self, step: &Step) -> Composed {
        let mut composing = Composing::default();
        if let Some(hidden) = self.link.to.hidden.filter(|_| step.conditions.is_empty()) {
            // Two numbers that the store keeps. Whatever is filtered is something that a hidden node does not have.
            composing.line(0, &format!("RETURN COUNT {{ (:`{}`) }} - COUNT {{ (:{hidden}) }} AS total", self.link.to.label));
            return composing.done();
        }
        let through = self.composed_count(step, None);
        let linked = |seek: &'static Seek| {
            let pattern = match seek.by {
                SeekBy::Links(pattern) | SeekBy::LinkProperty { from: pattern, .. } => pattern,
                SeekBy::Property(_) => return None,
            };
            step.conditions.iter().position(|condition| condition.filter.name == seek.filter).map(|at| (pattern, at))
        };
        match self.seeks.iter().find_map(linked) {
            None => through,
            by_links => Composed { for_embedded: Some(through.text), ..self.composed_count(step, by_links) },
        }
    }

    /// Of what the links of each value lead to, where a pattern and the place of its condition are given.
    fn composed_count(&'static self, step: &Step, by_links: Option<(&'static str, usize)>) -> Composed {
        let mut composing = Composing::default();
        let mut matched = composing.matched(step, NUMBERS);
        if let Some((pattern, at)) = by_links {
            composing.values(at);
            matched.behind(pattern, place_of(&self.link, at));
        }
        composing.all_of(&matched, 0);
        composing.number_of(self.link.count, NUMBERS, "total", 0);
        composing.done()
    }
}

impl Matched {
    /// What the links of a value lead to, in the place of the condition that names the value. Neo4j would begin with another index where it expects little to be in
    /// it, if the other conditions belonged to the match.
    fn behind(&mut self, pattern: &str, place: usize) {
        let pattern = fill(pattern, NUMBERS);
        self.pattern = format!("MATCH {pattern}{}\n  WITH DISTINCT n1", seeks_by_id(&pattern));
        self.holds.remove(place);
    }
}

/// Where the condition at a place stands among all that hold.
fn place_of(link: &Link, at: usize) -> usize {
    usize::from(link.condition.is_some()) + at
}

impl Composing {
    /// Begins a sub-query for each value that is said. What it matches is of that value, and is looked up by the index of the property and the keys, or by
    /// its links.
    fn each_value(&mut self, link: &Link, (Seek { by, .. }, at): (&Seek, usize), keys: &[Key], matched: &mut Matched) {
        self.values(at);
        self.line(0, "CALL {");
        self.line(1, "WITH value");
        let place = place_of(link, at);
        match by {
            SeekBy::Property(property) => {
                // A mere `USING INDEX` lets Neo4j go through the whole index, which it does where it expects little to be in it.
                let key = keys[0].text.trim_start_matches("n1.");
                let _ = write!(matched.pattern, " USING INDEX SEEK n1:`{}`({property}, {key})", link.to.label);
                matched.holds[place] = format!("n1.{property} = value");
            }
            SeekBy::LinkProperty { pattern, kind, property, .. } => {
                let repeated: Vec<&str> = keys.iter().filter_map(|key| key.text.strip_prefix("r1.")).collect();
                matched.pattern = format!("MATCH {} USING INDEX SEEK r1:{kind}({property}, {})", fill(pattern, NUMBERS), repeated.join(", "));
                matched.holds[place] = format!("r1.{property} = value");
                // What is asked of the keys alone is asked of the link: a span of the first bounds the index, and of the others no node is looked at in vain.
                for hold in &mut matched.holds {
                    let of_link = repeated.iter().fold(hold.clone(), |text, key| text.replace(&format!("n1.{key}"), &format!("r1.{key}")));
                    if !of_link.contains("n1") {
                        *hold = of_link;
                    }
                }
                // An older program that writes beside this one leaves a link as it was. Out of its place, it would have others left out, or pages without an end:
                // so it is passed over. CASE and not =, by which Neo4j might begin with all nodes and look the links up.
                matched.holds.extend(repeated.iter().map(|key| format!("CASE n1.{key} WHEN r1.{key} THEN true ELSE false END")));
                // An index of several properties finds nothing where one of them is not asked for.
                matched.holds.extend(repeated.iter().skip(1).map(|key| format!("r1.{key} IS NOT NULL")));
            }
            SeekBy::Links(pattern) => matched.behind(pattern, place),
        }
    }

    /// Begins with each value that is said.
    fn values(&mut self, at: usize) {
        self.line(0, &format!("UNWIND $f1_{at} AS value"));
        self.line(0, "WITH DISTINCT value");
    }
}

/// The keys as the link repeats them; it has no id.
fn on_link(keys: &[Key]) -> Vec<Key> {
    let repeated = |key: &Key| if key.text == ID { key.text.clone() } else { key.text.replacen("n1.", "r1.", 1) };
    keys.iter().map(|key| Key { text: repeated(key), direction: key.direction }).collect()
}

/// The most nodes that are read for a page by place: the longest, and one that tells whether there are more.
const MOST: usize = LONGEST_PAGE + 1;
/// The most rows that are kept to find a page by its number; for one that ends behind them all are sorted.
const MOST_KEPT: usize = 1 << 16;

/// A bound of the rows up to the end of a page. It stands in the text, so there are few of them.
fn most(slice: &Slice) -> Option<usize> {
    match &slice.begin {
        Begin::AtStart | Begin::Behind(_) => Some(MOST),
        Begin::At(position) => {
            let end = slice.limit.saturating_add(usize::try_from(position.offset).unwrap_or(usize::MAX));
            (end <= MOST_KEPT).then(|| end.next_power_of_two().max(1 << 10))
        }
    }
}

//! The Cypher that both engines answer alike, as a check of statements.
//!
//! Each rule stands for something that one engine refuses, or answers otherwise than the other without a word. Statements of the repository are checked by a
//! test; a statement that comes as data is checked when it is loaded. The check knows the statement alone, so it refuses what may be answered in two
//! ways, though the data would never let it. Whoever wrote a statement of the repository says in it why it is right after all:
//! `// allows: 16 because no two rows are about one node`. Who sends a statement as data is not asked.

mod as_data;
mod beside_id;
mod expressions;
mod reading;
mod scope;
mod tree;
mod vocabulary;
mod words;
mod writing;

use std::collections::BTreeSet;
use std::fmt;

pub(crate) use as_data::whole_number;
pub(crate) use scope::alias_of;
pub(crate) use tree::Tree;
pub(crate) use vocabulary::nearest;

use crate::embedded::syntax_of;

/// What a statement breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// It is no statement.
    Syntax,
    /// It changes something, and was to read only.
    ReadsOnly,
    /// It may follow links without an end, or further than it was to, or make rows out of nothing.
    Bounded,
    /// It names a label, a type of link or a property that the graph does not have.
    Vocabulary,
    /// 1: names that are made up where they are not stored.
    MadeUpNames,
    /// 2: properties in patterns.
    PatternProperties,
    /// 3: ids and main labels.
    Identity,
    /// 4: words of the language that are used as names.
    ReservedWords,
    /// 5: comments.
    Comments,
    /// 6: what one of the engines does not have.
    Extensions,
    /// 7: what may be returned.
    Projections,
    /// 8: shortest paths.
    ShortestPaths,
    /// 9: clocks and chance.
    Clocks,
    /// 10: the order of a whole label.
    WholeLabelOrder,
    /// 11: maps as properties.
    MapProperties,
    /// 12: conditions beside an id.
    BesideId,
    /// 13: distinct nodes alone.
    DistinctAlone,
    /// 14: names that are used again.
    NamesAgain,
    /// 15: groups by what may not have been found.
    GroupsByFound,
    /// 16: what is read or written while it is written.
    WrittenTwice,
    /// 17: absent properties behind a limit.
    AbsentBehindLimit,
    /// 18: what may be null.
    MaybeNull,
    /// 19: whole numbers and fractions.
    NumberTypes,
}

impl Rule {
    /// Those with a number, in their order.
    pub const NUMBERED: [Self; 19] = [
        Self::MadeUpNames,
        Self::PatternProperties,
        Self::Identity,
        Self::ReservedWords,
        Self::Comments,
        Self::Extensions,
        Self::Projections,
        Self::ShortestPaths,
        Self::Clocks,
        Self::WholeLabelOrder,
        Self::MapProperties,
        Self::BesideId,
        Self::DistinctAlone,
        Self::NamesAgain,
        Self::GroupsByFound,
        Self::WrittenTwice,
        Self::AbsentBehindLimit,
        Self::MaybeNull,
        Self::NumberTypes,
    ];

    /// The number by which a statement names it; those without one are never allowed.
    pub fn number(self) -> Option<usize> {
        Self::NUMBERED.iter().position(|rule| *rule == self).map(|at| at + 1)
    }

    fn numbered(number: usize) -> Option<Self> {
        Self::NUMBERED.get(number.checked_sub(1)?).copied()
    }
}

/// Where a statement breaks a rule, and why that is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub rule: Rule,
    /// Which clause, from the outermost one on: `clause 3 (CALL), clause 2 (WITH)`.
    pub place: String,
    pub reason: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.rule.number() {
            write!(formatter, "rule {number}, ")?;
        }
        write!(formatter, "{}: {}", self.place, self.reason)
    }
}

/// What is asked of a statement besides the rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct Terms {
    /// It may change nothing.
    pub reads_only: bool,
    /// How many links one pattern may follow behind one another; whatever it says as long as it has an end, where nothing is said.
    pub longest_path: Option<usize>,
    /// Whether lines of the statement may allow what it does (`// allows: …`).
    pub reasons_count: bool,
    /// Nobody who knows both engines has written it: it names what the graph has, calls the functions that are known to be one on both, and makes no rows out
    /// of nothing.
    pub is_data: bool,
}

impl Terms {
    /// Those of the statements of the repository.
    pub const OWN: Self = Self { reads_only: false, longest_path: None, reasons_count: true, is_data: false };
    /// Those of reads that come as data.
    pub const READ_AS_DATA: Self = Self { reads_only: true, longest_path: Some(6), reasons_count: false, is_data: true };
}

/// All that a statement breaks, in the order of its clauses.
pub fn check(text: &str, terms: Terms) -> Vec<Violation> {
    let mut found = found(text, terms);
    if terms.reasons_count {
        let allowed = allowed(text);
        found.retain(|violation| !allowed.contains(&violation.rule));
    }
    found
}

/// Rules that lines of a statement allow it to break, although it breaks none of them: nobody reads such a line and learns something that is so.
pub fn allowed_in_vain(text: &str) -> BTreeSet<Rule> {
    let broken: BTreeSet<Rule> = found(text, Terms::OWN).into_iter().map(|violation| violation.rule).collect();
    allowed(text).difference(&broken).copied().collect()
}

fn found(text: &str, terms: Terms) -> Vec<Violation> {
    let whole = |rule, reason: String| Violation { rule, place: "the statement".to_owned(), reason };
    let mut found: Vec<Violation> = words::broken(text).into_iter().map(|(rule, reason)| whole(rule, reason)).collect();
    if terms.is_data {
        found.extend(as_data::broken(text).into_iter().map(|(rule, reason)| whole(rule, reason)));
    }
    match syntax_of(text) {
        Err(reason) => {
            // Below the first line it shows the text.
            let said = reason.lines().next().unwrap_or_default();
            found.push(whole(refused_by_parser(said), said.to_owned()));
        }
        Ok(syntax) => {
            if terms.reads_only && syntax.changes {
                found.push(whole(Rule::ReadsOnly, "it changes the graph".to_owned()));
            }
            let names = words::reserved_names(text, &syntax.clauses);
            found.extend(names.into_iter().map(|reason| whole(Rule::ReservedWords, reason)));
            found.extend(scope::Check::of(&syntax.clauses, terms));
        }
    }
    found
}

/// What the embedded engine's parser refuses itself is often one of the rules.
fn refused_by_parser(reason: &str) -> Rule {
    let words = [
        ("backtick it", Rule::ReservedWords),
        ("shortestPath", Rule::ShortestPaths),
        ("Block comments", Rule::Comments),
        ("inside a CALL", Rule::Extensions),
    ];
    words.into_iter().find(|(words, _)| reason.contains(words)).map_or(Rule::Syntax, |(_, rule)| rule)
}

/// The rules that lines such as `// allows: 10, 16 because …` name, if they say why.
fn allowed(text: &str) -> BTreeSet<Rule> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("// allows: "));
    let said = lines.filter_map(|line| line.split_once(" because ").filter(|(_, reason)| !reason.trim().is_empty()));
    said.flat_map(|(rules, _)| rules.split(',')).filter_map(|number| Rule::numbered(number.trim().parse().ok()?)).collect()
}

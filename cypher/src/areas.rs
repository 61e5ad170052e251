//! Which parts of the graph a statement is about, read off its text: labels and types of links.
//!
//! What a statement writes is among the labels and types that it names, as nodes are named by their main label and links by their type. What an answer
//! depends on is among those of its statement. So where the two have none in common, the one cannot change the other. A name too many costs a read
//! that could have been spared; none may be missing. Where a text does not say enough, it is about everything.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use graph_schema::migrations::MIGRATIONS;

use crate::scan::{name_at, without_comments, words};

/// Labels in which ids are unique.
pub(crate) static MAIN_LABELS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let statements = MIGRATIONS.iter().flat_map(|migration| migration.statements()).filter(|text| text.contains("REQUIRE n.id IS UNIQUE"));
    statements.filter_map(|text| text.split_once("FOR (n:")?.1.split_once(')')).map(|(label, _)| label.trim_matches('`')).collect()
});

/// Labels that nodes of one kind have besides their main one, with that: a node may be named by either.
const FURTHER_LABELS: [(&str, &str); 13] = [
    ("AwaitedTransaction", "Transaction"),
    ("DeadLetter", "BulkItem"),
    ("DeferredItem", "BulkItem"),
    ("EndedWatchlistEntry", "WatchlistEntry"),
    ("ExternalAccount", "Account"),
    ("ImportingWatchlist", "Watchlist"),
    ("Individual", "Actor"),
    ("LegalEntity", "Actor"),
    ("OpenJob", "JobInstance"),
    ("Pending", "Event"),
    ("RemovedWebhook", "Webhook"),
    ("Unsequenced", "ChangeSet"),
    ("WakingWebhook", "Webhook"),
];
/// A label of many kinds. A node is never named by it alone.
const PLACEHOLDER: &str = "Placeholder";
/// Stands for links of any type that go with a node.
const DETACHED: &str = "DETACH DELETE";
/// What may stand behind the colon of a map and is no label.
const KEYWORDS: [&str; 4] = ["CASE", "COUNT", "EXISTS", "NOT"];
/// The clauses that change something.
const WRITING: [&str; 5] = ["CREATE", "MERGE", "SET", "REMOVE", "DELETE"];

/// What a statement writes.
#[derive(Debug, PartialEq)]
pub(crate) enum Written {
    Nothing,
    /// Nodes of these labels and links of these types at most.
    These(BTreeSet<String>),
    Anything,
}

/// What a statement writes at most.
pub(crate) fn written_by(text: &str) -> Written {
    let code = without_comments(text);
    let has = |word| words(&code, word).next().is_some();
    if !WRITING.into_iter().any(has) {
        return Written::Nothing;
    }
    let mut names = names(&code);
    if names.is_empty() || has_untyped_link(&code) {
        return Written::Anything;
    }
    if has("DETACH") {
        names.insert(DETACHED);
    }
    Written::These(with_main_labels(names))
}

/// What the answer of a statement depends on; `None` where that may be anything, as a property of a node whose label is not said.
pub(crate) fn read_by(text: &str) -> Option<BTreeSet<String>> {
    let code = without_comments(text);
    let mut names = names(&code);
    let unlabelled = unlabelled_nodes(&code);
    if names.is_empty() || has_untyped_link(&code) || unlabelled.iter().any(|name| has_property(&code, name)) {
        return None;
    }
    if unlabelled.iter().all(|name| name.is_empty()) {
        // Whatever sets or takes it names the main label, too.
        names.remove(PLACEHOLDER);
    }
    if !unlabelled.is_empty() {
        names.insert(DETACHED);
    }
    Some(with_main_labels(names))
}

fn with_main_labels(names: BTreeSet<&str>) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    all.extend(FURTHER_LABELS.iter().filter(|(further, _)| names.contains(further)).map(|(_, main)| (*main).to_owned()));
    all
}

/// Labels and types: what stands behind a colon, and the alternatives behind that.
fn names(code: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (colon, _) in code.match_indices(':') {
        let mut at = colon + 1;
        loop {
            at += code[at..].len() - code[at..].trim_start_matches([' ', '!', '(']).len();
            let name = name_at(code, at);
            let bare = name.trim_matches('`');
            if !bare.starts_with(|character: char| character.is_ascii_uppercase()) || KEYWORDS.contains(&bare) {
                break;
            }
            names.insert(bare);
            at += name.len();
            match code[at..].strip_prefix(['|', '&']) {
                Some(rest) => at = code.len() - rest.trim_start_matches(':').len(),
                None => break,
            }
        }
    }
    names
}

/// Whether a link is matched whose type is not said.
fn has_untyped_link(code: &str) -> bool {
    let untyped = |(at, _): (usize, &str)| {
        let inside = &code[at + 2..];
        let name = name_at(code, at + 2);
        !inside[name.len()..].starts_with(':')
    };
    code.match_indices("-[").any(untyped) || code.contains(")--") || code.contains(")<--")
}

/// The names of nodes in patterns of links whose label is said nowhere; an empty one where a node has no name.
fn unlabelled_nodes(code: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (open, _) in code.match_indices('(') {
        let name = name_at(code, open + 1);
        let rest = code[open + 1 + name.len()..].trim_start();
        let is_end = code[..open].ends_with(['-', '>']);
        let is_begin = rest.strip_prefix(')').is_some_and(|behind| behind.starts_with('-') || behind.starts_with("<-"));
        let is_labelled = rest.starts_with(':') || (!name.is_empty() && code.contains(&format!("({name}:")));
        if (is_end || is_begin) && !is_labelled {
            found.insert(name);
        }
    }
    found
}

/// Whether a property of what has this name is read.
fn has_property(code: &str, name: &str) -> bool {
    !name.is_empty() && words(code, name).any(|at| code[at + name.len()..].starts_with(['.', '{']))
}

#[cfg(test)]
mod tests;

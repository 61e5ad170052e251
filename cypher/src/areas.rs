//! Which parts of the graph a statement is about, read off its text: labels and types of links.
//!
//! What a statement writes is among the labels and types that it names, as nodes are named by their main label and links by their type. What an answer
//! depends on is among those of its statement. So where the two have none in common, the one cannot change the other. A name too many costs a read
//! that could have been spared; none may be missing. Where a text does not say enough, it is about everything.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use graph_schema::migrations::MIGRATIONS;

use crate::scan::{is_in_a_name, name_at, pattern_at, without_comments, words};

/// Labels in which ids are unique.
pub(crate) static MAIN_LABELS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let statements = MIGRATIONS.iter().flat_map(|migration| migration.statements()).filter(|text| text.contains("REQUIRE n.id IS UNIQUE"));
    statements.filter_map(|text| text.split_once("FOR (n:")?.1.split_once(')')).map(|(label, _)| label.trim_matches('`')).collect()
});

/// Labels that nodes of one kind have besides their main one, with that: a node may be named by either.
const FURTHER_LABELS: [(&str, &str); 14] = [
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
    ("UncountedCase", "Case"),
    ("Unsequenced", "ChangeSet"),
    ("WakingWebhook", "Webhook"),
];
/// Labels of nodes that every write leaves behind, and of entries that reads leave in the audit log. No answer about them would be good for long. So none is
/// kept, and who writes nothing else touches nothing that anybody keeps.
const UNKEPT: [&str; 6] = ["AuditEntry", "ChangeSet", "Event", "IdempotencyKey", "Pending", "Unsequenced"];
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
    /// Nodes of these labels and links of these types at most, as far as anything of them is kept; none where nothing is.
    These(BTreeSet<String>),
    Anything,
}

/// What a statement writes at most, but for what nobody keeps.
pub(crate) fn written_by(text: &str) -> Written {
    let code = dense(&without_comments(text));
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
    if !turns_placeholders(&code) {
        names.remove(PLACEHOLDER);
    }
    names.retain(|name| !UNKEPT.contains(name));
    Written::These(with_main_labels(names))
}

/// What the answer of a statement depends on; `None` where that may be anything, as a property of a node whose label is not said, and where it is not to be kept.
pub(crate) fn read_by(text: &str) -> Option<BTreeSet<String>> {
    let code = dense(&without_comments(text));
    let mut names = names(&code);
    let unlabelled = unlabelled_nodes(&code);
    let is_unkept = names.iter().any(|name| UNKEPT.contains(name));
    if names.is_empty() || is_unkept || has_untyped_link(&code) || unlabelled.iter().any(|name| has_property(&code, name)) {
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

/// The same, and the main label of each that is a further one.
pub(crate) fn with_main_labels(names: BTreeSet<&str>) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    all.extend(FURTHER_LABELS.iter().filter(|(further, _)| names.contains(further)).map(|(_, main)| (*main).to_owned()));
    all
}

/// The same without blanks, but one between two names.
pub(crate) fn dense(code: &str) -> String {
    let mut dense = String::with_capacity(code.len());
    for part in code.split_whitespace() {
        if is_in_a_name(dense.chars().next_back()) && is_in_a_name(part.chars().next()) {
            dense.push(' ');
        }
        dense.push_str(part);
    }
    dense
}

/// Whether a node that was there before becomes a placeholder, or stops being one. One that is made as a placeholder has no links yet, and is found by none
/// but those that the statement names.
fn turns_placeholders(code: &str) -> bool {
    let label = format!(":{PLACEHOLDER}");
    let names_it = |behind: usize| pattern_at(code, behind).contains(&label);
    let is_of_new = |set: usize| code[..set].trim_end().ends_with("ON CREATE");
    words(code, "REMOVE").any(|at| names_it(at + "REMOVE".len())) || words(code, "SET").any(|at| !is_of_new(at) && names_it(at + "SET".len()))
}

/// Labels and types: what stands behind a colon, and the alternatives behind that.
fn names(code: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (colon, _) in code.match_indices(':') {
        let mut rest = &code[colon + 1..];
        loop {
            rest = rest.trim_start_matches(['!', '(', ':']);
            let name = name_at(rest, 0);
            let bare = name.trim_matches('`');
            if !bare.starts_with(|character: char| character.is_ascii_uppercase()) || KEYWORDS.contains(&bare) {
                break;
            }
            names.insert(bare);
            match rest[name.len()..].trim_start_matches(')').strip_prefix(['|', '&']) {
                Some(others) => rest = others,
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

/// The names of nodes in patterns of links whose label is not said where they are known by it; an empty one where a node has no name.
pub(crate) fn unlabelled_nodes(code: &str) -> BTreeSet<&str> {
    let blocks = blocks(code);
    let mut found = BTreeSet::new();
    for (open, _) in code.match_indices('(') {
        let name = name_at(code, open + 1);
        let rest = &code[open + 1 + name.len()..];
        let is_end = ["]-", "]->", "--", "-->"].iter().any(|link| code[..open].ends_with(link));
        let is_begin = rest.strip_prefix(')').is_some_and(|behind| ["-[", "--", "<-[", "<--"].iter().any(|link| behind.starts_with(link)));
        if (is_end || is_begin) && !rest.starts_with(':') && !is_labelled(code, &blocks, name, open) {
            found.insert(name);
        }
    }
    found
}

/// Whether a pattern gives a name a label, and the name is known from there at this place.
fn is_labelled(code: &str, blocks: &[Range<usize>], name: &str, at: usize) -> bool {
    let is_known = |(pattern, _): (usize, &str)| scope(code, blocks, name, pattern).contains(&at);
    !name.is_empty() && code.match_indices(&format!("({name}:")).any(is_known)
}

/// Where a name is known that is named at a place: in the innermost block around it, and around a sub-query that answers with it.
fn scope(code: &str, blocks: &[Range<usize>], name: &str, at: usize) -> Range<usize> {
    let answers_with_it = |block: &Range<usize>| {
        let inside = &code[block.clone()];
        let answer = words(inside, "RETURN").last().map_or("", |begin| &inside[begin..]);
        code[..block.start].ends_with("CALL{") && words(answer, name).any(|at| !answer[at + name.len()..].starts_with('.'))
    };
    let mut around: Vec<&Range<usize>> = blocks.iter().filter(|block| block.contains(&at)).collect();
    around.sort_by_key(|block| Reverse(block.start));
    around.into_iter().find(|&block| !answers_with_it(block)).cloned().unwrap_or(0..code.len())
}

/// What stands in braces or brackets.
fn blocks(code: &str) -> Vec<Range<usize>> {
    let (mut open, mut blocks) = (Vec::new(), Vec::new());
    for (at, character) in code.char_indices() {
        match character {
            '{' | '[' => open.push(at + 1),
            '}' | ']' => blocks.extend(open.pop().map(|begin| begin..at)),
            _ => {}
        }
    }
    blocks
}

/// Whether a property of what has this name is read.
fn has_property(code: &str, name: &str) -> bool {
    !name.is_empty() && words(code, name).any(|at| code[at + name.len()..].starts_with(['.', '{']))
}

#[cfg(test)]
mod tests;

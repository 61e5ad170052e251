//! What only the text tells, as a parser has forgotten it: comments, quotes, words in their places.

use super::{Rule, Tree};
use crate::scan::{is_in_a_name, without_comments, words};

/// Words that a statement may use as a name of a label, link or variable in backticks only.
const RESERVED: [&str; 34] = [
    "AND", "AS", "CALL", "CASE", "CONTAINS", "CREATE", "DELETE", "DETACH", "DISTINCT", "ELSE", "END", "ENDS", "EXISTS", "FALSE", "FOREACH", "IN",
    "IS", "LIMIT", "MATCH", "MERGE", "NOT", "NULL", "OPTIONAL", "OR", "ORDER", "REMOVE", "RETURN", "SET", "SKIP", "STARTS", "TRUE", "UNION", "WHERE",
    "WITH",
];

/// What the engines differ in, or one of them does not know, by its words.
const UNKNOWN: [(&str, &str); 5] = [
    ("IN TRANSACTIONS", "`IN TRANSACTIONS` is unknown to the embedded engine"),
    ("COLLECT {", "`COLLECT { }` is unknown to the embedded engine"),
    ("LOAD CSV", "files are read by no statement"),
    ("apoc.", "APOC is not everywhere"),
    ("gds.", "GDS is not everywhere"),
];

pub(super) fn broken(text: &str) -> Vec<(Rule, String)> {
    let code = without_comments(text);
    let mut broken = Vec::new();
    if without_quotes(text).contains("/*") {
        broken.push((Rule::Comments, "comments are `//`: the embedded engine knows no others".to_owned()));
    }
    for (words, reason) in UNKNOWN {
        if code.to_ascii_uppercase().contains(&words.to_ascii_uppercase()) {
            broken.push((Rule::Extensions, reason.to_owned()));
        }
    }
    for pattern in bracketed(&code) {
        if words(pattern, "WHERE").next().is_some() {
            broken.push((Rule::Extensions, format!("`WHERE` stands behind the pattern and not in it: ({pattern})")));
        }
    }
    if code.contains("))+") || code.contains("))*") || code.contains(")){") || code.contains(")) {") || code.contains("]->+") || code.contains("]-+")
    {
        broken.push((Rule::Extensions, "quantified paths are unknown to the embedded engine".to_owned()));
    }
    broken.extend(projections(&code));
    broken
}

/// The text of nodes and links of patterns: what stands in the innermost round or square brackets and begins as these do.
fn bracketed(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices(['(', '[']).filter_map(|(at, open)| {
        let close = if open == "(" { ')' } else { ']' };
        let inside = &code[at + 1..];
        let inside = &inside[..inside.find(close)?];
        // `(n:Label …` and `[r:TYPE …`, and neither a function's parenthesis nor a list's comprehension.
        let is_function = is_in_a_name(code[..at].chars().next_back());
        let (name, _) = inside.split_once(':')?;
        (!is_function && name.chars().all(|character| is_in_a_name(Some(character)))).then_some(inside)
    })
}

/// `a{.*, x}` is read in two ways.
fn projections(code: &str) -> Vec<(Rule, String)> {
    let mut broken = Vec::new();
    for (at, _) in code.match_indices('{') {
        let is_projection = is_in_a_name(code[..at].trim_end().chars().next_back()) && code[at + 1..].trim_start().starts_with('.');
        let Some(end) = code[at..].find('}').filter(|_| is_projection) else { continue };
        for part in code[at + 1..at + end].split(',').map(str::trim) {
            if !part.is_empty() && part.chars().all(|character| is_in_a_name(Some(character))) {
                broken.push((Rule::Projections, format!("a map's `{part}` is written `{part}: {part}`")));
            }
        }
    }
    broken
}

/// Names of labels, links and variables that are words of the language, and stand without backticks.
pub(super) fn reserved_names(text: &str, clauses: &Tree) -> Vec<String> {
    let code = without_comments(text);
    let mut names: Vec<&str> = clauses.all().into_iter().flat_map(names_of).filter(|name| RESERVED.contains(&&*name.to_ascii_uppercase())).collect();
    names.sort_unstable();
    names.dedup();
    let bare = |name: &&str| {
        let stands =
            |before: &str| code.match_indices(&format!("{before}{name}")).any(|(at, found)| !is_in_a_name(code[at + found.len()..].chars().next()));
        stands(":") || stands("|") || stands("AS ") || stands("(")
    };
    names.into_iter().filter(bare).map(|name| format!("`{name}` is a word of the language and needs backticks as a name")).collect()
}

fn names_of(part: &Tree) -> Vec<&str> {
    let one = |member: &str| part.get(member).text();
    let several =
        |member: &str| part.get(member).items().iter().chain(part.get(member).some().into_iter().flat_map(Tree::items)).filter_map(Tree::text);
    let single = ["variable", "alias", "node_type", "label", "connection_type"].into_iter().filter_map(one);
    single.chain(["extra_labels", "alt_labels", "connection_types"].into_iter().flat_map(several)).collect()
}

/// The text without what stands between quotes, comments included.
fn without_quotes(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let mut quote = None;
        for (at, character) in line.char_indices() {
            match quote {
                Some(end) if character == end => quote = None,
                Some(_) => {}
                None if line[at..].starts_with("//") => break,
                None if matches!(character, '\'' | '"' | '`') => quote = Some(character),
                None => code.push(character),
            }
        }
        code.push('\n');
    }
    code
}

//! `kinds.tsv`: each kind of write with the question that shows it and the write itself, in an order in which each can be done.
//!
//! A kind is an operation of `operations.tsv` or a mutation, with `: ` and which way of it where there are several. The question may have a text behind it,
//! with a colon between: of a list that other tests write to as well, only whether that text is in it. Where no question shows it, a dash, and why in the
//! write's place. The last column says which id of the answer is called how from then on.

use std::collections::BTreeSet;

const TABLE: &str = include_str!("kinds.tsv");

/// A kind of write that a question shows.
pub struct Kind {
    pub name: &'static str,
    pub question: &'static str,
    /// Whether it is in the answer is all that is looked at.
    pub text: Option<&'static str>,
    pub write: Write,
    /// A name, and where in the answer its id is.
    pub makes: Option<(&'static str, &'static str)>,
}

/// How it is written.
pub enum Write {
    Rest {
        method: &'static str,
        path: &'static str,
        body: &'static str,
    },
    /// The field with its arguments.
    Mutation(&'static str),
    File {
        path: &'static str,
        name: &'static str,
    },
    /// What answers a request for data.
    Answer {
        request: &'static str,
        path: &'static str,
        body: &'static str,
    },
    /// In the background: done when something can be read.
    Bulk {
        request: &'static str,
        done: &'static str,
        body: &'static str,
    },
}

impl Write {
    fn of(text: &'static str) -> Self {
        let (how, rest) = text.split_once(' ').unwrap_or_else(|| panic!("how, and what: {text}"));
        let two = |text: &'static str| text.split_once(' ').unwrap_or((text, ""));
        match how {
            "mutation" => Self::Mutation(rest),
            "FILE" => {
                let (path, name) = two(rest);
                Self::File { path, name }
            }
            "ANSWER" => {
                let (request, rest) = two(rest);
                let (path, body) = two(rest);
                Self::Answer { request, path, body }
            }
            "BULK" => {
                let (request, rest) = two(rest);
                let (done, body) = two(rest);
                Self::Bulk { request, done, body }
            }
            method => {
                let (path, body) = two(rest);
                Self::Rest { method, path, body }
            }
        }
    }
}

/// The columns of each line.
fn lines() -> impl Iterator<Item = [&'static str; 4]> {
    let mut lines = TABLE.lines();
    assert_eq!(lines.next(), Some("kind\tshown by\twrite\tmakes"), "kinds.tsv, line 1");
    lines.map(|line| {
        let columns: Vec<&'static str> = line.split('\t').collect();
        columns.try_into().unwrap_or_else(|_| panic!("kinds.tsv: four columns with tabs between: {line}"))
    })
}

/// Those that a question shows.
pub fn all() -> Vec<Kind> {
    let read = |[name, shown_by, write, makes]: [&'static str; 4]| {
        let (question, text) = match shown_by.split_once(':') {
            Some((question, text)) => (question, Some(text)),
            None => (shown_by, None),
        };
        Kind { name, question, text, write: Write::of(write), makes: makes.split_once('=') }
    };
    lines().filter(|[_, shown_by, ..]| *shown_by != "-").map(read).collect()
}

/// The operations and mutations that are in the table, shown or not.
pub fn operations() -> BTreeSet<&'static str> {
    lines().map(|[name, ..]| name.split_once(": ").map_or(name, |(operation, _)| operation)).collect()
}

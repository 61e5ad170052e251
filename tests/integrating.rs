//! `docs/integrating.md`: every command in it runs, in its order, and what it answers is what stands behind it.

use std::fmt::Write;

use serde_json::Value;

use crate::support::{Engine, Server, Store, page, tests};

tests![embedded: every_command_of_the_guide_runs];

const GUIDE: &str = include_str!("../docs/integrating.md");

/// A block of commands, and the answer that stands behind it.
struct Block {
    commands: String,
    /// The kind of the block behind it, `json` or `text`, and what is in it.
    answer: Option<(String, String)>,
}

/// The fenced blocks, in their order. A block of commands is answered by the block behind it, unless that is one of commands, too.
fn blocks() -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (kind, text) in page::blocks(GUIDE) {
        match kind {
            "sh" => blocks.push(Block { commands: text, answer: None }),
            kind => blocks.last_mut().expect("commands before an answer").answer = Some((kind.to_owned(), text)),
        }
    }
    blocks
}

/// Whether an answer is what the guide shows; `…` in its texts stands for anything.
fn is_as_shown(answer: &Value, shown: &Value) -> bool {
    match (answer, shown) {
        (Value::Object(answer), Value::Object(shown)) => {
            answer.len() == shown.len() && shown.iter().all(|(name, shown)| answer.get(name).is_some_and(|answer| is_as_shown(answer, shown)))
        }
        (Value::Array(answer), Value::Array(shown)) => {
            answer.len() == shown.len() && answer.iter().zip(shown).all(|(answer, shown)| is_as_shown(answer, shown))
        }
        (Value::String(answer), Value::String(shown)) => match shown.split_once('…') {
            Some((begin, end)) => answer.starts_with(begin) && answer.ends_with(end),
            None => answer == shown,
        },
        (answer, shown) => answer == shown,
    }
}

async fn every_command_of_the_guide_runs(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let blocks = blocks();
    assert!(blocks.len() > 15 && blocks.iter().filter(|block| block.answer.is_some()).count() > 8, "the guide has commands and answers");
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = String::new();
    for (at, block) in blocks.iter().enumerate() {
        let _ = writeln!(script, "echo '{at}' > at\n{{\n{}\n}} > answer-{at}", block.commands);
    }
    let output = page::run(&server, folder.path(), &script).await;
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let at: usize = read("at").trim().parse().expect("a number");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{}{said}", blocks[at].commands, read(&format!("answer-{at}")));
    for (at, block) in blocks.iter().enumerate() {
        let answer = read(&format!("answer-{at}"));
        match &block.answer {
            Some((kind, shown)) if kind == "json" => {
                let [answer, shown] =
                    [&answer, shown].map(|text| serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{error}: {text}")));
                assert!(is_as_shown(&answer, &shown), "{}\n{answer:#}\nshown is\n{shown:#}", block.commands);
            }
            Some((_, shown)) => assert_eq!(answer.trim(), shown.trim(), "{}", block.commands),
            None => {}
        }
    }
}

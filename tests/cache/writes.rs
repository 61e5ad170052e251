//! Each kind of write, with a question that was answered from the cache before it: what is asked behind the write's answer is what the store has.

use std::collections::BTreeSet;

use serde_json::Value;

use super::kinds::{self, Kind, Write};
use super::measures::{SETTINGS, comes_to_be_cached, past_it};
use super::questions;
use super::scene::Scene;
use crate::support::{Api, Engine, Server, Store, tests};

tests![both: every_kind_of_write_is_shown_at_once; embedded: every_kind_of_write_is_in_the_table];

/// Questions that the cache has nothing of. It may have more of them; then they must not stand here.
const UNCACHED: [&str; 0] = [];

/// What was found wrong, and which questions were answered from the cache.
#[derive(Default)]
struct Found {
    faults: Vec<String>,
    cached: BTreeSet<&'static str>,
}

async fn every_kind_of_write_is_shown_at_once(engine: Engine) {
    let server = Server::with(Store::of(engine), &SETTINGS);
    let (mut scene, mut found) = (Scene::new(), Found::default());
    // Parts of a bulk request may be done by the worker of another test's server on the same Neo4j, of whose writes this one does not know.
    let is_its_own = |kind: &Kind| engine == Engine::Embedded || !matches!(kind.write, Write::Bulk { .. });
    for kind in kinds::all().into_iter().filter(is_its_own) {
        found.look_at(&kind, &mut scene, &server).await;
    }
    assert!(found.faults.is_empty(), "{} faults:\n{}", found.faults.len(), found.faults.join("\n"));
    let uncached: Vec<&str> = questions::names().filter(|name| !found.cached.contains(name)).collect();
    assert_eq!(uncached, UNCACHED, "questions that were asked twice and not found in the cache");
}

impl Found {
    async fn look_at(&mut self, kind: &Kind, scene: &mut Scene, api: &Api) {
        let question = kind.question;
        if !self.cached.contains(question) && comes_to_be_cached(api, async || drop(scene.ask(api, kind).await)).await {
            self.cached.insert(question);
        }
        let before = scene.ask(api, kind).await;
        let again = scene.ask(api, kind).await;
        scene.write(api, kind).await;
        let after = scene.ask(api, kind).await;
        let stored = scene.ask(&past_it(api), kind).await;
        let later = scene.ask(api, kind).await;
        let mut fault = |what: String| self.faults.push(format!("{}: {what}", kind.name));
        if again != before {
            fault(format!("asked twice before it, {question} has two answers: {}", difference(&again, &before)));
        }
        if stored == before {
            fault(format!("{question} does not show it"));
        }
        if after != stored {
            fault(format!("asked at once, {question} is stale: {}", difference(&after, &stored)));
        }
        if later != stored {
            fault(format!("asked once more, {question} is stale: {}", difference(&later, &stored)));
        }
    }
}

/// Where two answers differ first, and what they have there.
fn difference(shown: &Value, stored: &Value) -> String {
    let (mut shown, mut stored, mut place) = (shown, stored, String::new());
    loop {
        let deeper = match (shown, stored) {
            (Value::Object(one), Value::Object(other)) => one
                .iter()
                .find_map(|(name, value)| other.get(name).filter(|of_other| *of_other != value).map(|of_other| (name.clone(), value, of_other))),
            (Value::Array(one), Value::Array(other)) => one
                .iter()
                .zip(other)
                .enumerate()
                .find(|(_, (value, of_other))| value != of_other)
                .map(|(at, (value, of_other))| (at.to_string(), value, of_other)),
            _ => None,
        };
        let Some((name, of_shown, of_stored)) = deeper else { return format!("{place} is {shown}, and in the store {stored}") };
        place.push('/');
        place.push_str(&name);
        (shown, stored) = (of_shown, of_stored);
    }
}

/// Who adds an operation or a mutation adds a line: with the question that shows it, or why none does.
async fn every_kind_of_write_is_in_the_table(_: Engine) {
    let of_rest = include_str!("../operations.tsv").lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        let (name, method) = (columns.next()?, columns.next()?);
        (method != "GET").then_some(name)
    });
    let schema = include_str!("../../docs/schema.graphql");
    let (_, rest) = schema.split_once("\ntype Mutation {").expect("mutations");
    let (fields, _) = rest.split_once("\n}").expect("their end");
    let of_graphql = fields.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix('\t')?.split_once('(')?;
        (!name.is_empty() && name.chars().all(|char| char.is_ascii_alphanumeric())).then_some(name)
    });
    let (wanted, listed): (BTreeSet<&str>, BTreeSet<&str>) = (of_rest.chain(of_graphql).collect(), kinds::operations());
    assert!(wanted.len() > 70, "{wanted:?}");
    let missing: Vec<&&str> = wanted.difference(&listed).collect();
    let strange: Vec<&&str> = listed.difference(&wanted).collect();
    assert!(missing.is_empty() && strange.is_empty(), "kinds.tsv needs lines for {missing:?}, and has lines for {strange:?}, which are not there");
    for kind in kinds::all() {
        questions::text_of(kind.question);
    }
}

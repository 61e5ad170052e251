//! Random documents of which parts are left out by conditions, and whose edges are selected in two places: their results are those of the whole
//! documents without these parts, to the letter, on both engines.

use std::sync::atomic::Ordering;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::parse_query;
use async_graphql::parser::types::{Directive, DocumentOperations, ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::{Name, Positioned, Request, Value, Variables};
use cypher::Engine;
use graphql_api::at_once::WRITTEN;
use graphql_http::Types;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use resolvers::Caller;

use super::walks::{document, embedded, field_by_field, graph, neo4j, schema};

/// Where other documents begin: a number.
const SEED: &str = "AMLGRAPH_TEST_SEED";

type Directives = Vec<Positioned<Directive>>;

/// Two conditions by which something is left out, and one by which it is not.
fn conditions() -> [Directives; 3] {
    ["@skip(if: true)", "@include(if: false)", "@skip(if: false)"].map(|condition| {
        let document = parse_query(format!("{{ field {condition} }}")).expect("a document");
        let (_, operation) = document.operations.iter().next().expect("an operation");
        operation.node.selection_set.node.items[0].node.directives().clone()
    })
}

/// Leaves a part of the selections out.
fn leave_out(set: &mut SelectionSet, conditions: &[Directives], random: &mut StdRng) {
    for item in &mut set.items {
        if random.random_ratio(1, 4) {
            *item.node.directives_mut() = conditions[random.random_range(0..conditions.len())].clone();
        }
        match &mut item.node {
            Selection::Field(field) => leave_out(&mut field.node.selection_set.node, conditions, random),
            Selection::InlineFragment(fragment) => leave_out(&mut fragment.node.selection_set.node, conditions, random),
            Selection::FragmentSpread(_) => {}
        }
    }
}

fn with_parts_left_out(text: &str, seed: u64) -> ExecutableDocument {
    let (conditions, mut random) = (conditions(), StdRng::seed_from_u64(seed));
    let mut document = parse_query(text).expect("a document");
    // Maps have no order, and the next run is to have the same documents.
    let mut names: Vec<Name> = document.fragments.keys().cloned().collect();
    names.sort();
    for name in names {
        let fragment = document.fragments.get_mut(&name).expect("a fragment");
        leave_out(&mut fragment.node.selection_set.node, &conditions, &mut random);
    }
    if let DocumentOperations::Single(operation) = &mut document.operations {
        leave_out(&mut operation.node.selection_set.node, &conditions, &mut random);
    }
    document
}

/// What a document asks for of what the whole has. All fragments are of the type at which they stand.
struct Part<'a>(&'a ExecutableDocument);

impl<'a> Part<'a> {
    fn of(&self, whole: &Value, sets: &[&'a SelectionSet]) -> Value {
        match whole {
            Value::List(items) => Value::List(items.iter().map(|item| self.of(item, sets)).collect()),
            Value::Object(all) => {
                let (mut asked, mut fields) = (IndexMap::new(), IndexMap::new());
                sets.iter().for_each(|set| self.collect(set, &mut asked));
                for (key, asked) in asked {
                    let below: Vec<&SelectionSet> = asked.iter().map(|field| &field.selection_set.node).collect();
                    let value = &all[key.as_str()];
                    // What nothing is selected of is a value, whatever it looks like.
                    let is_value = below.iter().all(|set| set.items.is_empty());
                    fields.insert(key.clone(), if is_value { value.clone() } else { self.of(value, &below) });
                }
                Value::Object(fields)
            }
            value => value.clone(),
        }
    }

    fn collect(&self, set: &'a SelectionSet, asked: &mut IndexMap<&'a Name, Vec<&'a Field>>) {
        for item in set.items.iter().filter(|item| item.node.directives().iter().all(is_wanted)) {
            match &item.node {
                Selection::Field(field) => asked.entry(&field.node.response_key().node).or_default().push(&field.node),
                Selection::InlineFragment(fragment) => self.collect(&fragment.node.selection_set.node, asked),
                Selection::FragmentSpread(spread) => {
                    self.collect(&self.0.fragments[&spread.node.fragment_name.node].node.selection_set.node, asked);
                }
            }
        }
    }
}

fn is_wanted(directive: &Positioned<Directive>) -> bool {
    let said = directive.node.get_argument("if").is_some_and(|value| value.node.to_string() == "true");
    said == (directive.node.name.node == "include")
}

async fn results_are_exact(engine: Engine, documents: u64) {
    let (prefix, resolvers) = graph(engine).await;
    let schema = schema(&resolvers, 12);
    let types = Types::of(&schema.sdl());
    let first = std::env::var(SEED).ok().map_or(0, |seed| seed.parse().expect("a number"));
    let (mut empty, before) = (0, WRITTEN.load(Ordering::Relaxed));
    for seed in first..first + documents {
        let (text, variables) = document(seed, &prefix);
        let request = |text: &str| Request::new(text).variables(Variables::from_json(variables.clone())).data(Caller::operator("test"));
        let whole = resolvers.loader().gather(schema.execute(request(&text))).await;
        assert!(whole.errors.is_empty(), "seed {seed}: {text}: {:?}", whole.errors);
        let text = if seed.is_multiple_of(2) { text } else { field_by_field(&text) };
        let part = with_parts_left_out(&text, seed);
        let mut asked = request(&text);
        asked.set_parsed_query(part.clone());
        let response = resolvers.loader().gather(graphql_http::execute(&schema, &types, asked)).await;
        assert!(response.errors.is_empty(), "seed {seed}: {text}: {:?}", response.errors);
        let (_, operation) = part.operations.iter().next().expect("an operation");
        let expected = Part(&part).of(&whole.data, &[&operation.node.selection_set.node]);
        let written = |data: &Value| serde_json::to_string(data).expect("JSON");
        let (found, expected) = (written(&response.data), written(&expected));
        assert_eq!(found, expected, "seed {seed}: {part:?}");
        empty += usize::from(found.contains("{}"));
    }
    // Or the documents show nothing.
    let written = WRITTEN.load(Ordering::Relaxed) - before;
    assert!(
        empty as u64 > documents / 20 && written > documents / 4,
        "{empty} of {documents} have empty objects, {written} pages were written at once"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_exact_embedded() {
    let folder = tempfile::tempdir().expect("a folder");
    results_are_exact(embedded(folder.path()).await, 150).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_exact_on_neo4j() {
    if let Some(engine) = neo4j().await {
        results_are_exact(engine, 25).await;
    }
}

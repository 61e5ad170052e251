//! The specification's algorithm (sections 6.3 and 6.4), step by step and without a thought for cost, beside which random documents are answered.

use std::fmt::Write;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::parse_query;
use async_graphql::parser::types::{Directive, ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::{Name, Positioned, Value};
use async_graphql_value::Value as Said;
use serde_json::json;

use super::world::{is_bad, is_none, is_refused, is_worse, next};
use super::{run, told};

/// How many documents a run asks.
const DOCUMENTS: u64 = 600;
/// Where other documents begin: a number.
const SEED: &str = "AMLGRAPH_TEST_SEED";

/// What a field's function comes to.
enum Outcome {
    Fails,
    None,
    Leaf(Value),
    Object(&'static str, u32),
    List(Vec<Outcome>),
}

fn thing(number: u32) -> Outcome {
    Outcome::Object("Thing", number)
}

fn resolve(of: &str, number: u32, field: &Field) -> Outcome {
    let n = match field.get_argument("n").map(|value| &value.node) {
        Some(Said::Number(n)) => n.as_u64().and_then(|n| u32::try_from(n).ok()).expect("a small number"),
        _ => 0,
    };
    let next = next(number, n);
    let unless = |fails: bool, outcome: Outcome| if fails { Outcome::Fails } else { outcome };
    match field.name.node.as_str() {
        "__typename" => Outcome::Leaf(Value::from(of)),
        "value" => Outcome::Leaf(Value::from(number)),
        "onlyQuery" | "onlyThing" | "onlyOther" => Outcome::Leaf(Value::from(7)),
        "bad" => unless(is_bad(number), Outcome::Leaf(Value::from(2))),
        "worse" => unless(is_worse(number), Outcome::Leaf(Value::from(number))),
        "thing" if is_none(next) => Outcome::None,
        "thing" | "sure" => thing(next),
        "refused" => unless(is_refused(next), thing(next)),
        "perhaps" => unless(is_worse(next), thing(next)),
        "things" => Outcome::List((0..next % 3).map(|index| thing(next + index)).collect()),
        "maybe" => Outcome::List((0..next % 4).map(|index| if index.is_multiple_of(2) { thing(next + index) } else { Outcome::None }).collect()),
        "item" if next.is_multiple_of(5) => Outcome::None,
        "item" => Outcome::Object(if next.is_multiple_of(2) { "Thing" } else { "Other" }, next),
        other => panic!("no field {other}"),
    }
}

/// Whether null may be in a field, and in the items of its list.
fn nullable(field: &str) -> (bool, bool) {
    (matches!(field, "bad" | "thing" | "perhaps" | "item"), field == "maybe")
}

struct Interpreter<'a> {
    document: &'a ExecutableDocument,
    failed: Vec<String>,
}

type Groups<'a> = Vec<(Name, Vec<&'a Field>)>;

impl<'a> Interpreter<'a> {
    /// ExecuteSelectionSet; none where null climbs.
    fn object(&mut self, sets: &[&'a SelectionSet], of: &'static str, number: u32, path: &str) -> Option<Value> {
        let (mut groups, mut fields, mut stands) = (Groups::new(), IndexMap::new(), true);
        sets.iter().for_each(|set| self.collect(set, of, &mut groups));
        for (key, asked) in groups {
            let outcome = resolve(of, number, asked[0]);
            match self.complete(outcome, &asked, nullable(&asked[0].name.node), &format!("{path}/{key}")) {
                Some(value) => {
                    fields.insert(key, value);
                }
                None => stands = false,
            }
        }
        stands.then_some(Value::Object(fields))
    }

    /// CollectFields.
    fn collect(&self, set: &'a SelectionSet, of: &str, groups: &mut Groups<'a>) {
        let applies = |condition: &Name| condition == of || (condition == "Item" && of != "Query");
        for item in &set.items {
            if !item.node.directives().iter().all(is_wanted) {
                continue;
            }
            match &item.node {
                Selection::Field(field) => {
                    let key = &field.node.response_key().node;
                    match groups.iter_mut().find(|(name, _)| name == key) {
                        Some((_, fields)) => fields.push(&field.node),
                        None => groups.push((key.clone(), vec![&field.node])),
                    }
                }
                Selection::InlineFragment(fragment) => {
                    if fragment.node.type_condition.as_ref().is_none_or(|condition| applies(&condition.node.on.node)) {
                        self.collect(&fragment.node.selection_set.node, of, groups);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = &self.document.fragments[&spread.node.fragment_name.node];
                    if applies(&fragment.node.type_condition.node.on.node) {
                        self.collect(&fragment.node.selection_set.node, of, groups);
                    }
                }
            }
        }
    }

    /// CompleteValue, and handling of field errors.
    fn complete(&mut self, outcome: Outcome, asked: &[&'a Field], (nullable, of_item): (bool, bool), path: &str) -> Option<Value> {
        let value = match outcome {
            Outcome::None => None,
            Outcome::Fails => {
                self.failed.push(path.to_owned());
                None
            }
            Outcome::Leaf(value) => Some(value),
            Outcome::Object(of, number) => {
                let sets: Vec<&SelectionSet> = asked.iter().map(|field| &field.selection_set.node).collect();
                self.object(&sets, of, number, path)
            }
            Outcome::List(items) => {
                let items = items.into_iter().enumerate();
                let values: Vec<_> = items.map(|(index, item)| self.complete(item, asked, (of_item, false), &format!("{path}/{index}"))).collect();
                values.into_iter().collect::<Option<Vec<Value>>>().map(Value::List)
            }
        };
        value.or(nullable.then_some(Value::Null))
    }
}

/// `$yes` is true, and `$no` is false.
fn is_wanted(directive: &Positioned<Directive>) -> bool {
    let said = match directive.node.get_argument("if").map(|value| &value.node) {
        Some(Said::Boolean(said)) => *said,
        Some(Said::Variable(name)) => name == "yes",
        other => panic!("no condition: {other:?}"),
    };
    said == (directive.node.name.node == "include")
}

/// Writes random documents. A response key always has the same field and arguments.
struct Writer {
    state: u64,
    /// Name, type and selection; each spreads those before it at most.
    fragments: Vec<(&'static str, &'static str, String)>,
}

impl Writer {
    fn below(&mut self, most: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % most
    }

    fn choose<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    fn set(&mut self, on: &'static str, depth: usize) -> String {
        let selections: Vec<String> = (0..=self.below(4)).map(|_| self.selection(on, depth)).collect();
        format!("{{ {} }}", selections.join(" "))
    }

    fn selection(&mut self, on: &'static str, depth: usize) -> String {
        let directive = self.choose(&["", "", "", "", "@skip(if: $yes)", "@skip(if: $no)", "@include(if: $no)", "@include(if: true)"]);
        let conditions: &[&str] = match on {
            "Item" => &["Item", "Thing", "Other"],
            "Thing" => &["Thing", "Item"],
            "Other" => &["Other", "Item"],
            _ => &["Query"],
        };
        let spread: Vec<&str> = self.fragments.iter().filter(|(_, on, _)| conditions.contains(on)).map(|(name, ..)| *name).collect();
        match self.below(9) {
            0 if depth > 0 => format!("... {directive} {}", self.set(on, depth - 1)),
            1 if depth > 0 => {
                let condition = self.choose(conditions);
                format!("... on {condition} {directive} {}", self.set(condition, depth - 1))
            }
            2 if !spread.is_empty() => format!("...{} {directive}", self.choose(&spread)),
            3..=6 if depth > 0 && on != "Item" => {
                let (field, n) = (self.choose(&["thing", "sure", "refused", "perhaps", "things", "maybe", "item"]), self.below(3));
                let below = self.set(if field == "item" { "Item" } else { "Thing" }, depth - 1);
                format!("{field}{n}: {field}(n: {n}) {directive} {below}")
            }
            _ => format!("{} {directive}", self.leaf(on)),
        }
    }

    fn leaf(&mut self, on: &str) -> String {
        let only = match on {
            "Item" => return self.choose(&["value", "__typename", "again: value"]).to_owned(),
            "Thing" => "onlyThing",
            "Other" => "onlyOther",
            _ => "onlyQuery",
        };
        self.choose(&["value", "__typename", "again: value", "bad", "worse", only]).to_owned()
    }

    fn document(seed: u64) -> String {
        let mut writer = Writer { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15), fragments: Vec::new() };
        for name in ["FirstPart", "SecondPart", "ThirdPart"] {
            let on = writer.choose(&["Query", "Thing", "Other", "Item"]);
            let set = writer.set(on, 2);
            writer.fragments.push((name, on, set));
        }
        let mut text = writer.set("Query", 4);
        // What is not used may not be there.
        for (name, on, set) in writer.fragments.iter().rev() {
            if text.contains(&format!("...{name}")) {
                let _ = write!(text, " fragment {name} on {on} {set}");
            }
        }
        // async-graphql counts no variable that directives of `__typename` alone name: each is in a field that is left out as well.
        let ways = [("$yes", "used: value @skip(if: $yes)"), ("$no", "used: value @include(if: $no)")];
        let used: Vec<(&str, &str)> = ways.into_iter().filter(|(name, _)| text.contains(name)).collect();
        if used.is_empty() {
            return text;
        }
        let variables: Vec<String> = used.iter().map(|(name, _)| format!("{name}: Boolean!")).collect();
        let fields: Vec<&str> = used.iter().map(|(_, field)| *field).collect();
        format!("query({}) {{ {} {}", variables.join(", "), fields.join(" "), text.trim_start_matches("{ "))
    }
}

#[tokio::test]
async fn random_documents_have_the_results_of_the_specification() {
    let first = std::env::var(SEED).ok().map_or(0, |seed| seed.parse().expect("a number"));
    let (mut with_errors, mut with_empty, mut with_nothing) = (0, 0, 0);
    for seed in first..first + DOCUMENTS {
        let text = Writer::document(seed);
        let document = parse_query(&text).unwrap_or_else(|error| panic!("{seed}: {text}: {error}"));
        let number = u32::try_from(seed % 997).expect("a small number");
        let response = run(number, &text, json!({"yes": true, "no": false})).await;
        let mut interpreter = Interpreter { document: &document, failed: Vec::new() };
        let (_, operation) = document.operations.iter().next().expect("an operation");
        let data = interpreter.object(&[&operation.node.selection_set.node], "Query", number, "").unwrap_or_default();
        interpreter.failed.sort();
        let expected = (serde_json::to_string(&data).expect("JSON"), interpreter.failed);
        assert_eq!(told(&response), expected, "seed {seed}: {text}: {:?}", response.errors);
        with_errors += usize::from(!expected.1.is_empty());
        with_empty += usize::from(expected.0.contains("{}"));
        with_nothing += usize::from(expected.0 == "null");
    }
    // Or the documents show nothing.
    assert!(with_errors > 60 && with_empty > 10 && with_nothing > 5, "{with_errors} {with_empty} {with_nothing}");
}

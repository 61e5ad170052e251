//! What is counted of a link is what is listed, whatever the graph.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

use cypher::graph::{Begin, Condition, Filter, LONGEST_PAGE, Link, Node, Page, Slice, Step, Visit, links, nodes};
use cypher::{Engine, Value};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::graph::Graph;

/// How many values a filter is tried with on a link for as long as no node has met it.
const TRIES: usize = 6;

/// Of every link of the table, unfiltered and with each of its filters, for all nodes that it may lead from.
pub async fn equal_lists(engine: Engine, seeds: Range<u64>) {
    let prefix = format!("{:x}-", rand::random::<u32>());
    let (mut wrong, mut found, mut met) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for seed in seeds {
        let graph = Graph::random(seed, &prefix);
        graph.write(&engine).await;
        let mut random = StdRng::seed_from_u64(seed);
        for node in nodes::ALL {
            let ids = Value::List(graph.ids(node.label).into_iter().map(Value::from).collect());
            for link in links::ALL.iter().filter(|link| leads_from(node, link)) {
                for conditions in conditions(link, &graph, &mut random, &met) {
                    let filter = conditions.first().map(|condition| named(condition.filter));
                    let visit = Visit { steps: vec![step(link, conditions)], ..Visit::of(node) };
                    let mut composed = visit.compose();
                    composed.params.0.push(("ids".into(), ids.clone()));
                    let text = composed.text.clone();
                    let rows = engine.read_composed("test/counts", composed, Duration::from_secs(60)).await.expect("it is read");
                    for row in &rows {
                        let [.., count, list] = row.get("found").as_list() else { panic!("{}: a count and a list", link.name) };
                        if count.as_int() != Some(list.as_list().len() as i64) {
                            wrong.push(format!(
                                "seed {seed}, {} of {:?}: {count:?} and {} in\n{text}",
                                link.name,
                                row.get("id"),
                                list.as_list().len()
                            ));
                        }
                        if !list.as_list().is_empty() {
                            found.insert(link.name);
                            met.extend(filter);
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {} are wrong, first {}", engine.name(), wrong.len(), wrong[0]);
    let missing: Vec<&str> = links::ALL.iter().map(|link| link.name).filter(|name| !found.contains(name)).collect();
    assert!(missing.is_empty(), "never found anything, so they show nothing: {missing:?}");
    let unmet: BTreeSet<FilterName> =
        links::ALL.iter().flat_map(|link| link.filters.all()).map(named).filter(|filter| !met.contains(filter)).collect();
    assert!(unmet.is_empty(), "filters that no node has met, so they show nothing: {unmet:?}");
}

/// The name of a filter and what it is; several have one name.
type FilterName = (&'static str, &'static str);

fn named(filter: &'static Filter) -> FilterName {
    (filter.name, filter.text)
}

fn leads_from(node: &Node, link: &Link) -> bool {
    link.name.split_once('.').is_some_and(|(_, field)| links::link(node, field).is_some_and(|own| own.name == link.name))
}

/// Nothing, and each filter by itself; with several values where none of them was met so far.
fn conditions(link: &'static Link, graph: &Graph, random: &mut StdRng, met: &BTreeSet<FilterName>) -> Vec<Vec<Condition>> {
    let mut all = vec![Vec::new()];
    for filter in link.filters.all() {
        let tries = if met.contains(&named(filter)) { 1 } else { TRIES };
        all.extend((0..tries).map(|_| vec![Condition { filter, value: said(filter, graph, random) }]));
    }
    all
}

fn step(link: &'static Link, conditions: Vec<Condition>) -> Step {
    let sort = &link.sorts[0];
    let page = Page { sort, direction: sort.keys[0].direction };
    Step {
        link,
        conditions,
        slice: Some(Slice { page, limit: LONGEST_PAGE, begin: Begin::AtStart, until: None }),
        counted: true,
        then: Visit::of(link.to),
    }
}

/// What somebody may say to a filter, and some node has.
fn said(filter: &Filter, graph: &Graph, random: &mut StdRng) -> Value {
    let texts = |texts: &[&str]| Value::List(texts.iter().map(|text| Value::from(*text)).collect());
    match filter.name {
        "min_amount"
        | "max_amount"
        | "min_standardized_amount"
        | "max_standardized_amount"
        | "min_total"
        | "min_standardized_total"
        | "max_standardized_total"
        | "min_score"
        | "max_score" => Value::Float(f64::from(random.random_range(0..4)) / 2.0),
        "min_total_in" | "max_total_in" => {
            cypher::map([("currency", "A".into()), ("amount", Value::Float(f64::from(random.random_range(0..4)) / 2.0))])
        }
        "from" | "to" | "given_from" | "given_to" | "created_from" | "created_to" | "updated_from" | "updated_to" | "ingested_after"
        | "ingested_before" | "overdue" | "not_overdue" | "due_before" | "known_at" | "recorded_from" | "recorded_to" | "added_from" | "added_to"
        | "sent_from" | "sent_to" => Value::Int(random.random_range(0..4)),
        "known" | "assigned" | "handled" | "below_the_line" | "is_customer" | "current" => Value::Bool(random.random_bool(0.5)),
        "all_tags" | "any_tag" => Value::List(vec![graph.id(random, "Tag")]),
        "actors" => Value::List(vec![graph.id(random, "Actor")]),
        "rules" => Value::List(vec![graph.id(random, "ObservationRule")]),
        "segments" => Value::List(vec![graph.id(random, "SegmentationGroup")]),
        "channels" | "methods" | "types" | "workflows" | "states" | "statuses" | "steps" | "behaviors" | "priorities" | "labels"
        | "program_groups" | "data_sources" | "typologies" | "bands" | "words" | "risk_bands" | "domiciles" | "nationalities"
        | "assessment_types" | "excluded" | "exclusion_types" | "actor_types" | "responses" | "operations" => texts(&["A", "B"]),
        // Names of events, or of the deliveries' own.
        "event_names" => texts(&["A", "B", "node"]),
        "actor" => graph.id(random, "Actor"),
        "case" => graph.id(random, "Case"),
        "cases" => Value::List(vec![graph.id(random, "Case")]),
        "webhooks" => Value::List(vec![graph.id(random, "Webhook")]),
        // Each node's name has these letters.
        "named" => texts(&["od"]),
        "as_of" | "reviewed_from" | "reviewed_to" => "2024-01-02".into(),
        "newest_of" => cypher::map([("dataSource", Value::Null), ("riskRule", Value::Null), ("ingestedBefore", Value::Null)]),
        _ => ["A", "B", "C"].choose(random).copied().unwrap_or_default().into(),
    }
}

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
    // Neo4j plans each text anew, a third of a second each: a filter that some nodes have met by one link is not asked by all others, too.
    let again = usize::from(matches!(engine, Engine::Embedded(_)));
    let (mut wrong, mut found, mut met) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for seed in seeds {
        let graph = Graph::random(seed, &prefix);
        graph.write(&engine).await;
        let mut random = StdRng::seed_from_u64(seed);
        for node in nodes::ALL {
            let ids = Value::List(graph.ids(node.label).into_iter().map(Value::from).collect());
            for link in links::ALL.iter().filter(|link| leads_from(node, link)) {
                for conditions in conditions(link, &graph, &mut random, (&met, again)) {
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

/// Nothing, and each filter by itself; with several values where none of them was met so far, and `again` times where one was.
fn conditions(link: &'static Link, graph: &Graph, random: &mut StdRng, (met, again): (&BTreeSet<FilterName>, usize)) -> Vec<Vec<Condition>> {
    let mut all = vec![Vec::new()];
    for filter in link.filters.all() {
        let tries = if met.contains(&named(filter)) { again } else { TRIES };
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
    let half = |random: &mut StdRng| Value::Float(f64::from(random.random_range(0..4)) / 2.0);
    match filter.said {
        "bool" => Value::Bool(random.random_bool(0.5)),
        "f64" => half(random),
        "Timestamp" => Value::Int(random.random_range(0..4)),
        "Date" => "2024-01-02".into(),
        "InCurrency" => cypher::map([("currency", "A".into()), ("amount", half(random))]),
        "NewestOf" => cypher::map([("dataSource", Value::Null), ("riskRule", Value::Null), ("ingestedBefore", Value::Null)]),
        "Vec<i64>" => Value::List(vec![Value::Int(random.random_range(0..4))]),
        list if list.starts_with("Vec<") => Value::List(listed(filter, graph, random)),
        "ActorId" => graph.id(random, "Actor"),
        _ => ["A", "B", "C"].choose(random).copied().unwrap_or_default().into(),
    }
}

/// Some of what is in a list that somebody may say: ids of nodes, letters of a name or a text, or what properties are in the graph.
fn listed(filter: &Filter, graph: &Graph, random: &mut StdRng) -> Vec<Value> {
    let label = match filter.name {
        "all_tags" | "any_tag" => "Tag",
        "actors" | "focal_actors" => "Actor",
        "rules" => "ObservationRule",
        "segments" => "SegmentationGroup",
        "cases" => "Case",
        "webhooks" => "Webhook",
        // Every name has the first of them, texts may have the second.
        "named" | "described" | "called" | "words" => return ["od", "a"].choose(random).map(|letters| (*letters).into()).into_iter().collect(),
        // Names of events, or of the deliveries' own.
        "event_names" => return ["A", "B", "node"].map(Value::from).to_vec(),
        _ => return ["A", "B"].map(Value::from).to_vec(),
    };
    vec![graph.id(random, label)]
}

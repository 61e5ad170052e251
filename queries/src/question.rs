//! What an entry answers, for any node: the kind of node, the link, its filters and its page. Each question has a number, which makes the keys of entries
//! short, and knows what its answers depend on.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cypher::graph::{Begin, Condition, Link, Node, Slice, Step, Visit};
use cypher::{Areas, Stamps};
use moka::sync::Cache;

use crate::reach::{self, Reach};

/// Questions that are remembered. The entries of one that is forgotten are not found any more.
const REMEMBERED: u64 = 10_000;

/// A question whose answers may be kept.
pub(crate) struct Question {
    pub(crate) number: u64,
    /// What its answers depend on.
    pub(crate) areas: Areas,
    /// What a write names that changes them.
    pub(crate) reach: Reach,
}

/// Nothing where what the answers depend on is not known.
pub(crate) type Asked = Option<Arc<Question>>;

/// The questions that were met, by their names.
pub(crate) struct Questions {
    stamps: Arc<Stamps>,
    met: Cache<String, Asked>,
    next: AtomicU64,
}

/// The questions of a walk: its visit's, and of each step those of its own.
pub(crate) struct VisitQuestions {
    /// What is shown of the node itself.
    pub(crate) node: Asked,
    pub(crate) steps: Vec<StepQuestions>,
}

pub(crate) struct StepQuestions {
    pub(crate) page: Asked,
    pub(crate) count: Asked,
    pub(crate) then: VisitQuestions,
}

impl VisitQuestions {
    /// Where nothing is kept.
    fn none(visit: &Visit) -> Self {
        let step = |step: &Step| StepQuestions { page: None, count: None, then: Self::none(&step.then) };
        Self { node: None, steps: visit.steps.iter().map(step).collect() }
    }

    /// Whether it is known what all of an answer depends on.
    pub(crate) fn are_known(&self, visit: &Visit) -> bool {
        self.node.is_some() && self.are_links_known(visit)
    }

    fn are_links_known(&self, visit: &Visit) -> bool {
        visit.steps.iter().zip(&self.steps).all(|(step, asked)| {
            (!step.counted || asked.count.is_some()) && (step.slice.is_none() || asked.page.is_some()) && asked.then.are_links_known(&step.then)
        })
    }
}

impl Questions {
    pub(crate) fn new(stamps: Arc<Stamps>) -> Self {
        Self { stamps, met: Cache::new(REMEMBERED), next: AtomicU64::new(0) }
    }

    /// The questions of a walk. `has_begun`: what is shown of the nodes themselves is known already.
    pub(crate) fn of_visit(&self, visit: &Visit, has_begun: bool) -> VisitQuestions {
        let node = if has_begun { None } else { self.of_node(visit) };
        VisitQuestions { node, steps: visit.steps.iter().map(|step| self.of_step(visit.node, step)).collect() }
    }

    fn of_step(&self, node: &'static Node, step: &Step) -> StepQuestions {
        StepQuestions {
            page: step.slice.as_ref().and_then(|slice| self.of_page(node, step, slice)),
            count: if step.counted { self.of_count(node, step) } else { None },
            then: if leads_to_its_kind(step.link) { self.of_visit(&step.then, true) } else { VisitQuestions::none(&step.then) },
        }
    }

    /// What a statement answers with that reads a list.
    pub(crate) fn of_list(&self, text: &str) -> Asked {
        self.named(format!("list {text}"), || (Arc::from(text), Reach::Anywhere))
    }

    fn of_node(&self, visit: &Visit) -> Asked {
        let name = format!("node {} {} {}", visit.node.label, visit.summary, visit.record);
        self.named(name, || (alone(visit).compose().text, reach::of_node(visit)))
    }

    fn of_page(&self, node: &'static Node, step: &Step, slice: &Slice) -> Asked {
        let then = &step.then;
        let mut name = format!("page {} {} {} {}", node.label, step.link.name, then.summary, then.record);
        write_page(&mut name, slice)?;
        write_conditions(&mut name, &step.conditions);
        let asking = || {
            let step = Step { counted: false, then: alone(then), ..step.clone() };
            let reach = reach::of_page(node, &step);
            (text(node, step, reach), reach)
        };
        self.named(name, asking)
    }

    fn of_count(&self, node: &'static Node, step: &Step) -> Asked {
        let mut name = format!("count {} {}", node.label, step.link.name);
        write_conditions(&mut name, &step.conditions);
        let asking = || {
            let step = Step { slice: None, then: Visit::of(step.link.to), ..step.clone() };
            let reach = reach::of_count(node, &step);
            (text(node, step, reach), reach)
        };
        self.named(name, asking)
    }

    /// `asking`: a statement that asks it, and what changes its answers.
    fn named(&self, name: String, asking: impl FnOnce() -> (Arc<str>, Reach)) -> Asked {
        self.met.get_with(name, || {
            let (text, reach) = asking();
            let areas = self.stamps.areas_of(&text)?;
            Some(Arc::new(Question { number: self.next.fetch_add(1, Ordering::Relaxed), areas, reach }))
        })
    }
}

/// A statement that asks for one step; with the numbers of accounts where these have to be known, so that the answer depends on them as well.
fn text(node: &'static Node, step: Step, reach: Reach) -> Arc<str> {
    let numbers = reach == Reach::ItsNodesOrNumbers;
    Visit { numbers, steps: vec![step], ..Visit::of(node) }.compose().text
}

/// Whether the nodes at the other end have the label of the kind that the link leads to. Nodes of other labels may have ids that are those of others there.
fn leads_to_its_kind(link: &Link) -> bool {
    let label = link.pattern.split_once("({b}:").map(|(_, rest)| rest.trim_start_matches('`'));
    let behind = label.and_then(|rest| rest.strip_prefix(link.to.label));
    behind.is_some_and(|rest| !rest.starts_with(|character: char| character.is_alphanumeric()))
}

/// What is shown of the node itself.
fn alone(visit: &Visit) -> Visit {
    Visit { summary: visit.summary, record: visit.record, ..Visit::of(visit.node) }
}

/// Writes which page it is; nothing where it is one by number, which no walk asks for.
fn write_page(name: &mut String, slice: &Slice) -> Option<()> {
    let Slice { page, limit, begin, until } = slice;
    let behind = match begin {
        Begin::AtStart => None,
        Begin::Behind(place) => Some(place),
        Begin::At(_) => return None,
    };
    // The names of a link's orders differ, and a string takes whatever is written.
    let _ = write!(name, " {} {:?} {limit} {behind:?} {until:?}", page.sort.name, page.direction);
    Some(())
}

fn write_conditions(name: &mut String, conditions: &[Condition]) {
    for condition in conditions {
        let _ = write!(name, " {} {:?}", condition.filter.name, condition.value);
    }
}

#[cfg(test)]
mod tests {
    use cypher::graph::links;

    use super::*;

    #[test]
    fn nodes_of_several_labels_are_told_from_each_other() {
        let others: Vec<&str> = links::ALL.iter().filter(|link| !leads_to_its_kind(link)).map(|link| link.name).collect();
        let wanted = ["Actor.identities", "Account.identities", "Case.title", "Observation.missingReferences", "Observation.handling"];
        assert_eq!(others, wanted);
    }
}

//! What an entry answers, for any node: the kind of node, the link, its filters and its page. Questions that differ in values alone have one shape, which
//! knows what their answers depend on. Shapes are few; values are whatever callers say, and nothing is remembered of them but a hash.

use std::fmt::{self, Write};
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};
use std::sync::Arc;

use cypher::graph::{Begin, Composed, Condition, Link, Node, Slice, Step, Visit, Walk};
use cypher::{Areas, Stamps, Value};
use moka::sync::Cache;

use crate::reach::{self, Reach};

/// Shapes that are remembered, each of some hundred bytes. One that is forgotten is made out again.
const REMEMBERED: u64 = 10_000;

/// A question whose answers may be kept.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) shape: Arc<Shape>,
    /// What it has in common with no other question.
    pub(crate) number: u128,
}

/// What questions have in common that differ in values alone.
pub(crate) struct Shape {
    /// What the answers depend on.
    pub(crate) areas: Areas,
    /// What a write names that changes them.
    pub(crate) reach: Reach,
}

/// Nothing where what the answers depend on is not known, or soon is another without a write.
pub(crate) type Asked = Option<Question>;

/// The shapes of questions that were met, by their numbers.
pub(crate) struct Questions {
    stamps: Arc<Stamps>,
    met: Cache<u128, Option<Arc<Shape>>>,
    /// By which numbers are made. Nobody outside knows them, so that nobody can make two questions of one number.
    keys: [RandomState; 2],
}

/// A number that is as good as no other's, of what is written into it.
#[derive(Clone)]
struct Fingerprint([DefaultHasher; 2]);

impl Fingerprint {
    fn number(&self) -> u128 {
        let [one, other] = &self.0;
        (u128::from(one.finish()) << 64) | u128::from(other.finish())
    }
}

impl fmt::Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.iter_mut().for_each(|hasher| hasher.write(text.as_bytes()));
        Ok(())
    }
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

/// The same, and the stamps by which they know what they depend on.
struct WalkQuestions {
    stamps: Arc<Stamps>,
    questions: Arc<VisitQuestions>,
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
        visit.steps.iter().zip(&self.steps).all(|(step, asked)| asked.is_known(step) && asked.then.are_links_known(&step.then))
    }
}

impl StepQuestions {
    /// Whether it is known what all that is asked of the link itself depends on.
    pub(crate) fn is_known(&self, step: &Step) -> bool {
        (!step.counted || self.count.is_some()) && (step.slice.is_none() || self.page.is_some())
    }
}

impl Questions {
    pub(crate) fn new(stamps: Arc<Stamps>) -> Self {
        Self { stamps, met: Cache::new(REMEMBERED), keys: [RandomState::new(), RandomState::new()] }
    }

    /// The questions of a walk, which are put together once.
    pub(crate) fn of_walk(&self, walk: &Walk) -> Arc<VisitQuestions> {
        let make = || Arc::new(self.of_visit(walk.visit(), false));
        match walk.noted(|| WalkQuestions { stamps: Arc::clone(&self.stamps), questions: make() }) {
            Some(noted) if Arc::ptr_eq(&noted.stamps, &self.stamps) => Arc::clone(&noted.questions),
            // A walk that lives as long as the process may have been looked up in another cache before.
            _ => make(),
        }
    }

    /// `has_begun`: what is shown of the nodes themselves is known already.
    fn of_visit(&self, visit: &Visit, has_begun: bool) -> VisitQuestions {
        let node = if has_begun { None } else { self.of_node(visit) };
        VisitQuestions { node, steps: visit.steps.iter().map(|step| self.of_step(visit.node, step)).collect() }
    }

    fn of_step(&self, node: &'static Node, step: &Step) -> StepQuestions {
        let is_kept = !asks_for_the_present(&step.conditions);
        StepQuestions {
            page: step.slice.as_ref().filter(|_| is_kept).and_then(|slice| self.of_page(node, step, slice)),
            count: if step.counted && is_kept { self.of_count(node, step) } else { None },
            then: if leads_to_its_kind(step.link) { self.of_visit(&step.then, true) } else { VisitQuestions::none(&step.then) },
        }
    }

    /// What a statement answers with that reads a list, by a step.
    pub(crate) fn of_list(&self, step: &Step, composed: &Composed) -> Asked {
        if is_about_the_present(step) {
            return None;
        }
        let name = self.name(format_args!("list {}", composed.text));
        self.asked(&name, format_args!("{:?}", composed.params), || (Arc::clone(&composed.text), Reach::Anywhere))
    }

    fn of_node(&self, visit: &Visit) -> Asked {
        let name = self.name(format_args!("node {} {} {}", visit.node.label, visit.summary, visit.record));
        self.asked(&name, format_args!(""), || (alone(visit).compose().text, reach::of_node(visit)))
    }

    fn of_page(&self, node: &'static Node, step: &Step, slice: &Slice) -> Asked {
        let Slice { page, limit, begin, until } = slice;
        let behind = match begin {
            Begin::AtStart => None,
            Begin::Behind(place) => Some(place),
            // One by number, which no walk asks for.
            Begin::At(_) => return None,
        };
        let (then, conditions) = (&step.then, &step.conditions);
        let of_nodes = format_args!("page {} {} {} {}", node.label, step.link.name, then.summary, then.record);
        // The names of a link's orders differ.
        let order = format_args!("{} {:?}", page.sort.name, page.direction);
        let places = (behind.map(Vec::len), until.as_ref().map(Vec::len));
        let name = self.name(format_args!("{of_nodes} {order} {places:?} {:?}", filters(conditions)));
        let asking = || {
            let step = Step { counted: false, then: alone(then), ..step.clone() };
            let reach = reach::of_page(node, &step);
            (text(node, step, reach), reach)
        };
        self.asked(&name, format_args!("{limit} {behind:?} {until:?} {:?}", values(conditions)), asking)
    }

    fn of_count(&self, node: &'static Node, step: &Step) -> Asked {
        let name = self.name(format_args!("count {} {} {:?}", node.label, step.link.name, filters(&step.conditions)));
        let asking = || {
            let step = Step { slice: None, then: Visit::of(step.link.to), ..step.clone() };
            let reach = reach::of_count(node, &step);
            (text(node, step, reach), reach)
        };
        self.asked(&name, format_args!("{:?}", values(&step.conditions)), asking)
    }

    fn name(&self, name: fmt::Arguments<'_>) -> Fingerprint {
        let mut fingerprint = Fingerprint(self.keys.each_ref().map(BuildHasher::build_hasher));
        // It takes whatever is written.
        let _ = fingerprint.write_fmt(name);
        fingerprint
    }

    /// A question of a shape, with its values. `asking`: a statement that asks it, and what changes its answers.
    fn asked(&self, name: &Fingerprint, values: fmt::Arguments<'_>, asking: impl FnOnce() -> (Arc<str>, Reach)) -> Asked {
        let shape = self.met.get_with(name.number(), || {
            let (text, reach) = asking();
            Some(Arc::new(Shape { areas: self.stamps.areas_of(&text)?, reach }))
        })?;
        let mut number = name.clone();
        // No name has such a character.
        let _ = write!(number, "\0{values}");
        Some(Question { shape, number: number.number() })
    }
}

fn filters(conditions: &[Condition]) -> Vec<&'static str> {
    conditions.iter().map(|condition| condition.filter.name).collect()
}

fn values(conditions: &[Condition]) -> Vec<&Value> {
    conditions.iter().map(|condition| &condition.value).collect()
}

/// Whether something must hold of the present moment. It is another one a second later, and nothing that was kept by it is found again.
fn asks_for_the_present(conditions: &[Condition]) -> bool {
    conditions.iter().any(|condition| condition.filter.is_of_the_present())
}

/// The same of a step, or of any behind it.
fn is_about_the_present(step: &Step) -> bool {
    asks_for_the_present(&step.conditions) || step.then.steps.iter().any(is_about_the_present)
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use cypher::graph::{Filter, FilterSet, links, nodes};

    use super::*;

    /// What is asked of the cases of a tag behind a place, by what somebody says to a filter.
    fn asked(questions: &Questions, place: &str, (filter, value): (&str, Value)) -> StepQuestions {
        let link = links::ALL.iter().find(|link| link.name == "Tag.cases").expect("a link");
        let filter = FilterSet::Cases.all().iter().find(|there| there.name == filter).expect("a filter");
        let begin = Begin::Behind(vec![Value::from(place); link.usual_page().sort.keys.len()]);
        let slice = Slice { page: link.usual_page(), limit: 10, begin, until: None };
        let conditions = vec![Condition { filter, value }];
        questions.of_step(&nodes::TAG, &Step { link, conditions, slice: Some(slice), counted: true, then: Visit::of(link.to) })
    }

    #[test]
    fn questions_that_differ_in_values_have_one_shape_and_several_numbers() {
        let questions = Questions::new(Arc::new(Stamps::new(Duration::from_secs(1))));
        let page = |place: &str, creator: &str| asked(&questions, place, ("creators", vec![creator].into())).page.expect("it is known");
        let (one, again) = (page("place", "creator"), page("place", "creator"));
        assert_eq!(one.number, again.number);
        for other in [page("place", "another"), page("another", "creator")] {
            assert!(Arc::ptr_eq(&one.shape, &other.shape) && one.number != other.number);
        }
        let of_others = asked(&questions, "place", ("sources", vec!["creator"].into())).page.expect("it is known");
        assert!(!Arc::ptr_eq(&one.shape, &of_others.shape) && one.number != of_others.number);
    }

    #[test]
    fn nothing_is_kept_that_was_found_by_the_present_moment() {
        let questions = Questions::new(Arc::new(Stamps::new(Duration::from_secs(1))));
        for (filter, is_kept) in [("overdue", false), ("not_overdue", false), ("due_from", true)] {
            let StepQuestions { page, count, .. } = asked(&questions, "place", (filter, 1_i64.into()));
            assert_eq!((page.is_some(), count.is_some()), (is_kept, is_kept), "{filter}");
        }
        for filter in ["active_at", "past_at"] {
            let is_there = |there: &Filter| there.name == filter && there.is_of_the_present();
            assert!(FilterSet::ClearedMatches.all().iter().any(is_there), "{filter}");
        }
    }

    #[test]
    fn nodes_of_several_labels_are_told_from_each_other() {
        let others: Vec<&str> = links::ALL.iter().filter(|link| !leads_to_its_kind(link)).map(|link| link.name).collect();
        let wanted = [
            "Actor.identities",
            // Entries of the audit log are read as nodes that have no more to show than a phone.
            "RiskScore.recordedBy",
            "ActorExclusion.recordedBy",
            "Account.identities",
            "Transaction.recordedBy",
            "TransactionVersion.recordedBy",
            "Case.title",
            "Observation.missingReferences",
            "Observation.handling",
        ];
        assert_eq!(others, wanted);
    }
}

//! A question for a tree of links: what is wanted of the nodes one begins at, and of those that links lead to.

use std::any::Any;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::filters::KNOWN_AT;
use super::{Condition, Link, List, Node, Number, Past, Sort, SortDirection, SortKey};
use crate::{Params, Value};

/// What is wanted of nodes of a kind, besides their ids and captions.
#[derive(Debug, Clone)]
pub struct Visit {
    pub node: &'static Node,
    pub summary: bool,
    pub record: bool,
    /// Whether the ids of the numbers come along that an account has; only for accounts.
    pub numbers: bool,
    pub steps: Vec<Step>,
    /// What a node must be to be found at all; anything, where it is not said.
    pub passing: Option<Passing>,
}

/// That a node is one of a list, as it is filtered: what a page of that list has, asked of nodes that are named.
#[derive(Debug, Clone)]
pub struct Passing {
    pub list: &'static List,
    pub conditions: Vec<Condition>,
}

/// What is wanted of a link.
#[derive(Debug, Clone)]
pub struct Step {
    pub link: &'static Link,
    pub conditions: Vec<Condition>,
    /// Which of the nodes at the other end; none of them when only their number is wanted.
    pub slice: Option<Slice>,
    /// Whether their number is wanted.
    pub counted: bool,
    /// What is wanted of each.
    pub then: Visit,
}

/// The longest page by place.
pub const LONGEST_PAGE: usize = 500;

/// Some of a list, from a place on.
#[derive(Debug, Clone)]
pub struct Slice {
    pub page: Page,
    pub limit: usize,
    pub begin: Begin,
    /// The keys of the one before which it ends at the latest.
    pub until: Option<Vec<Value>>,
}

/// Where a slice begins.
#[derive(Debug, Clone)]
pub enum Begin {
    AtStart,
    /// Behind the one with these keys.
    Behind(Vec<Value>),
    /// Where so many have been passed over, as REST has it.
    At(Position),
}

/// A place by number, in an order of several fields.
#[derive(Debug, Clone)]
pub struct Position {
    /// So many are passed over.
    pub offset: i64,
    /// Orders whose first keys go before the slice's own.
    pub before: Vec<Page>,
}

/// An order and the direction in which it is read.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub sort: &'static Sort,
    /// That of the first key; the others follow.
    pub direction: SortDirection,
}

/// A statement and the parameters it takes, all but `$ids`.
#[derive(Debug, Clone)]
pub struct Composed {
    pub text: Arc<str>,
    /// The same for an engine that reads nothing in the order of an index inside a sub-query, where it differs: supernodes are none there, and a page of a
    /// list is found by going through the list.
    pub for_embedded: Option<Arc<str>>,
    pub params: Params,
}

/// A question that is ready to be asked.
#[derive(Debug)]
pub struct Walk {
    visit: Arc<Visit>,
    /// Once it is needed: an answer that was kept is found without.
    composed: OnceLock<Composed>,
    fingerprint: OnceLock<Fingerprint>,
    /// What somebody has made out of the question, once.
    noted: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl Walk {
    pub fn of(visit: Arc<Visit>) -> Self {
        Self { visit, composed: OnceLock::new(), fingerprint: OnceLock::new(), noted: OnceLock::new() }
    }

    /// What somebody makes out of the question, which is made once; nothing where somebody else has made something of another type before.
    pub fn noted<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<Arc<T>> {
        let noted = self.noted.get_or_init(|| Arc::new(make()) as Arc<dyn Any + Send + Sync>);
        Arc::clone(noted).downcast().ok()
    }

    pub fn visit(&self) -> &Visit {
        &self.visit
    }

    pub fn composed(&self) -> &Composed {
        self.composed.get_or_init(|| self.visit.compose())
    }

    /// Two of the same text differ in their parameters at most.
    pub fn text(&self) -> &Arc<str> {
        &self.composed().text
    }

    /// What tells it from all others that would answer something else.
    pub fn fingerprint(&self) -> &Fingerprint {
        self.fingerprint.get_or_init(|| Fingerprint::of(format!("{} {:?}", self.text(), self.composed().params)))
    }

    /// A number that all walks of the same text have, and as good as no other: all that a text depends on is in it.
    pub fn shape(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.visit.hash_shape(&mut hasher);
        hasher.finish()
    }

    /// Whether it follows more than one link.
    pub fn is_of_several_links(&self) -> bool {
        match &self.visit.steps[..] {
            [] => false,
            [only] => !only.then.steps.is_empty(),
            _ => true,
        }
    }
}

fn hash_filters(conditions: &[Condition], hasher: &mut DefaultHasher) {
    conditions.len().hash(hasher);
    conditions.iter().for_each(|condition| condition.filter.name.hash(hasher));
}

impl Step {
    fn hash_shape(&self, hasher: &mut DefaultHasher) {
        let Self { link, conditions, slice, counted, then } = self;
        (link.name, counted, slice.is_some()).hash(hasher);
        hash_filters(conditions, hasher);
        if let Some(Slice { page, limit: _, begin, until }) = slice {
            (page.sort.name, page.direction, until.as_ref().map(Vec::len)).hash(hasher);
            match begin {
                Begin::AtStart => 0.hash(hasher),
                Begin::Behind(place) => (1, place.len()).hash(hasher),
                Begin::At(Position { offset: _, before }) => {
                    (2, before.len()).hash(hasher);
                    before.iter().for_each(|page| (page.sort.name, page.direction).hash(hasher));
                }
            }
        }
        then.hash_shape(hasher);
    }

    /// From where to where: also along links that are there no more, where somebody asks what was known at a moment.
    pub(super) fn pattern(&self) -> Cow<'static, str> {
        let pattern = self.link.pattern;
        let asks_for_the_past = self.conditions.iter().any(|condition| condition.filter.text == KNOWN_AT);
        match self.link.past.filter(|_| asks_for_the_past) {
            Some(Past { present, with_former }) => Cow::Owned(pattern.replace(present, with_former)),
            None => Cow::Borrowed(pattern),
        }
    }
}

/// A text that tells a question from all others, with its parameters: floats have no hash. It is hashed once, however many ids are asked about.
#[derive(Debug, Clone)]
pub struct Fingerprint {
    text: Arc<str>,
    hash: u64,
}

impl Fingerprint {
    pub fn of(text: String) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self { text: Arc::from(text), hash: hasher.finish() }
    }
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text) || (self.hash == other.hash && self.text == other.text)
    }
}
impl Eq for Fingerprint {}
impl Hash for Fingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Visit {
    fn hash_shape(&self, hasher: &mut DefaultHasher) {
        let Self { node, summary, record, numbers, steps, passing } = self;
        (node.label, summary, record, numbers, passing.is_some(), steps.len()).hash(hasher);
        if let Some(Passing { list, conditions }) = passing {
            list.link.name.hash(hasher);
            hash_filters(conditions, hasher);
        }
        steps.iter().for_each(|step| step.hash_shape(hasher));
    }

    /// Of the nodes nothing but that they are there.
    pub fn of(node: &'static Node) -> Self {
        Self { node, summary: false, record: false, numbers: false, steps: Vec::new(), passing: None }
    }
}

impl Slice {
    /// Its keys, the most important first, each in the direction in which it is read. One order turned round is its exact reverse, so that a page
    /// can be read from the end. Where several are named, what tells equal ones apart keeps its own direction.
    pub(super) fn keys(&self) -> Vec<(&'static SortKey, SortDirection)> {
        let Page { sort, direction } = self.page;
        match &self.begin {
            Begin::At(position) => {
                let named = position.before.iter().chain([&self.page]).map(|page| (&page.sort.keys[0], page.direction));
                named.chain(sort.keys[1..].iter().map(|key| (key, key.direction))).collect()
            }
            Begin::AtStart | Begin::Behind(_) => {
                let turned = sort.keys[0].direction != direction;
                sort.keys.iter().map(|key| (key, if turned { key.direction.reversed() } else { key.direction })).collect()
            }
        }
    }

    /// The order of its first key.
    pub(super) fn first_sort(&self) -> &'static Sort {
        match &self.begin {
            Begin::At(position) => position.before.first().unwrap_or(&self.page).sort,
            Begin::AtStart | Begin::Behind(_) => self.page.sort,
        }
    }
}

impl Link {
    /// Its usual order, in its own direction.
    pub fn usual_page(&self) -> Page {
        let sort = &self.sorts[0];
        Page { sort, direction: sort.keys[0].direction }
    }

    /// A step that reads what there is one of, or a few.
    pub fn whole(&'static self, then: Visit) -> Step {
        let limit = match self.number {
            Number::One => 1,
            Number::Few | Number::Pages => FEW,
        };
        let slice = Slice { page: self.usual_page(), limit, begin: Begin::AtStart, until: None };
        Step { link: self, conditions: Vec::new(), slice: Some(slice), counted: false, then }
    }
}

/// The most of what is read together.
const FEW: usize = 1_000;

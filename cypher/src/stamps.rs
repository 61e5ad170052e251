//! When which part of the graph was changed last, and where a change is under way, as far as this process writes: by this whoever keeps an answer
//! knows whether it is still one.
//!
//! A write marks what it touches before it begins, and stamps it when it is over, however it ended. An answer is good as long as nothing it depends on
//! is marked or was stamped since it began to be read. So no reader is answered with what was before a write that somebody was told of, or whose
//! outcome somebody else has seen. A write whose outcome is not known may still come about: what it touches stays marked for a time.
//!
//! What is touched are areas: labels and types of links ([`crate::areas`]). A few statements are known to touch no more of their areas than nodes that
//! their parameters name: they stamp these nodes besides, and an answer about other nodes stays good. Nodes share stripes, as they have no number. A payment
//! changes links of accounts, and the accounts themselves not: so what a node is has another stripe than its links.
//!
//! Where other processes write, too, all that is written here is in a journal ([`Journal`]), and what they say of theirs is stamped like a write
//! ([`Stamps::apply`]).

mod journal;
mod note;
mod stripe;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::areas::{Written, read_by, with_main_labels, written_by};
use crate::{Params, Statement, Value};
use note::{Change, Names};
use stripe::STRIPES;

pub(crate) use journal::Pass;
pub use journal::{Journal, Taken};
pub use note::Note;
pub use stripe::Stripe;

/// Statements that touch nothing but nodes which their parameters name by id, links between these, and links of accounts that have a number which the
/// parameters name. They are those that are written most.
const OF_NAMED_NODES: [&str; 3] = ["transaction/record", "transaction/record_by_number", "transaction/record_one_sided"];
/// The members of their parameters that are ids, or lists of ids: of nodes whose links they touch.
const OF_IDS: [&str; 10] = ["id", "writeId", "account", "other", "owner", "fresh", "hint", "one", "locations", "numbers"];
/// Those of nodes that they make or change themselves. All others they make where there are none, and leave as they are else.
const OF_CHANGED: [&str; 3] = ["id", "fresh", "numbers"];

/// Statements of which a write is in doubt.
const DOUBTS: &str = "amlgraph_cache_doubts";

/// The stamps of all areas and stripes.
pub struct Stamps {
    /// The number of the last change.
    last: AtomicU64,
    /// Of changes that may have touched anything.
    anything: Stamp,
    areas: RwLock<HashMap<String, Arc<Area>>>,
    stripes: Box<[Stamp]>,
    /// What statements touch, by where their texts lie.
    known: RwLock<HashMap<(usize, usize), Arc<Touched>>>,
    /// How long the marks of a write stay whose outcome is not known.
    in_doubt_for: Duration,
    /// What is written, where others are to be told.
    journal: Option<Arc<Journal>>,
}

/// A moment between changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

/// What an answer depends on.
#[derive(Clone)]
pub struct Areas(Arc<[Arc<Area>]>);

#[derive(Default)]
struct Stamp {
    /// Changes that are under way.
    marked: AtomicUsize,
    /// The last one that is over.
    changed: AtomicU64,
}

#[derive(Default)]
struct Area {
    /// Of all changes.
    any: Stamp,
    /// Of those that may have touched all of it.
    whole: Stamp,
}

/// What a statement touches.
struct Touched {
    /// Of the statement.
    label: &'static str,
    names: Arc<Names>,
    /// Those of the names.
    areas: Vec<Arc<Area>>,
    /// Whether of these areas it touches nodes alone that its parameters name.
    of_named_nodes: bool,
    /// Until when a write of it may still come about whose outcome is not known. While there is a time here, all that it touches is marked.
    doubt: Mutex<Option<Instant>>,
}

impl Stamp {
    fn mark(&self) {
        self.marked.fetch_add(1, SeqCst);
    }

    /// Somebody else's change is over.
    fn touch(&self, number: u64) {
        self.changed.fetch_max(number, SeqCst);
    }

    fn end(&self, number: u64) {
        self.touch(number);
        self.marked.fetch_sub(1, SeqCst);
    }

    /// Marks are looked at first: where one has just gone, the change is seen.
    fn is_unchanged(&self, since: Moment) -> bool {
        self.marked.load(SeqCst) == 0 && self.changed.load(SeqCst) <= since.0
    }
}

impl Stamps {
    /// None are there yet. Where it is not known what became of a write, what it touched counts as being changed for `in_doubt_for`.
    pub fn new(in_doubt_for: Duration) -> Self {
        // It is shown that there are none.
        metrics::gauge!(DOUBTS).increment(0.0);
        Self {
            last: AtomicU64::new(0),
            anything: Stamp::default(),
            areas: RwLock::default(),
            stripes: (0..STRIPES).map(|_| Stamp::default()).collect(),
            known: RwLock::default(),
            in_doubt_for,
            journal: None,
        }
    }

    /// The same with a journal, for those who tell other processes what is written here. Nothing is written before others know that this process writes.
    pub fn with_journal(in_doubt_for: Duration) -> Self {
        Self { journal: Some(Arc::default()), ..Self::new(in_doubt_for) }
    }

    /// What is written here, where others are told.
    pub fn journal(&self) -> Option<&Arc<Journal>> {
        self.journal.as_ref()
    }

    /// Stamps what another process has written: what was read until now may be from before that.
    pub fn apply(&self, note: &Note) {
        let number = self.last.fetch_add(1, SeqCst) + 1;
        if note.is_anything {
            self.anything.touch(number);
        }
        for (areas, are_whole) in [(&note.whole, true), (&note.in_part, false)] {
            // Another version of the program may not know yet which labels go together.
            let names: BTreeSet<&str> = areas.iter().map(String::as_str).collect();
            for area in with_main_labels(names).into_iter().map(|name| self.area(name)) {
                area.any.touch(number);
                if are_whole {
                    area.whole.touch(number);
                }
            }
        }
        for stripe in &note.stripes {
            self.stripes[stripe.place()].touch(number);
        }
    }

    /// The present moment: what is read from now on shows all changes that are over.
    pub fn now(&self) -> Moment {
        Moment(self.last.load(SeqCst))
    }

    /// What the answer of a statement depends on; `None` where its text does not say.
    pub fn areas_of(&self, text: &str) -> Option<Areas> {
        Some(Areas(read_by(text)?.into_iter().map(|name| self.area(name)).collect()))
    }

    /// Whether nothing was changed since a moment, and nothing is being changed, that an answer depends on. `about`: the stripes of all nodes and links that it is
    /// about, and of all numbers of accounts among them, where it depends on nothing else in its areas.
    pub fn are_unchanged(&self, areas: &Areas, about: Option<&[Stripe]>, since: Moment) -> bool {
        let stripes_are_unchanged = |stripes: &[Stripe]| stripes.iter().all(|stripe| self.stripes[stripe.place()].is_unchanged(since));
        let is_unchanged = |area: &Arc<Area>| area.any.is_unchanged(since) || (about.is_some() && area.whole.is_unchanged(since));
        let all_are = areas.0.iter().all(|area| area.any.is_unchanged(since));
        self.anything.is_unchanged(since) && (all_are || (areas.0.iter().all(is_unchanged) && about.is_some_and(stripes_are_unchanged)))
    }

    /// What a statement is about to touch, with these parameters; `None` where it writes nothing.
    pub(crate) fn writing(self: &Arc<Self>, statement: Statement, params: &Params) -> Option<Writing> {
        let touched = self.touched(statement)?;
        let stripes = touched.of_named_nodes.then(|| {
            let mut stripes = Vec::new();
            params.0.iter().for_each(|(name, value)| add_stripes(name, value, &mut stripes));
            stripes.sort_unstable();
            stripes.dedup();
            stripes
        });
        let change = Arc::new(Change { names: Arc::clone(&touched.names), stripes });
        Some(Writing { stamps: Arc::clone(self), touched, change, number: None })
    }

    fn touched(&self, statement: Statement) -> Option<Arc<Touched>> {
        // Texts of statements lie where they lie for good.
        let place = (statement.text.as_ptr() as usize, statement.text.len());
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        let touched = known.unwrap_or_else(|| {
            let (is_anything, names) = match written_by(statement.text) {
                Written::Nothing => (false, Default::default()),
                Written::These(names) => (false, names),
                Written::Anything => (true, Default::default()),
            };
            let names = Arc::new(Names { is_anything, areas: names.into_iter().collect() });
            let areas = names.areas.iter().map(|name| self.area(name.clone())).collect();
            let of_named_nodes = OF_NAMED_NODES.contains(&statement.label);
            let touched = Arc::new(Touched { label: statement.label, names, areas, of_named_nodes, doubt: Mutex::default() });
            self.known.write().unwrap_or_else(PoisonError::into_inner).insert(place, Arc::clone(&touched));
            touched
        });
        (touched.names.is_anything || !touched.areas.is_empty()).then_some(touched)
    }

    fn area(&self, name: String) -> Arc<Area> {
        if let Some(area) = self.areas.read().unwrap_or_else(PoisonError::into_inner).get(&name) {
            return Arc::clone(area);
        }
        Arc::clone(self.areas.write().unwrap_or_else(PoisonError::into_inner).entry(name).or_default())
    }
}

/// Those of the ids in a member of this name, and in what it has inside: of their links, and of the nodes themselves where these may change.
fn add_stripes(name: &str, value: &Value, stripes: &mut Vec<Stripe>) {
    match value {
        Value::Text(id) if OF_IDS.contains(&name) => {
            stripes.extend(Stripe::of_links(id));
            if OF_CHANGED.contains(&name) {
                stripes.extend(Stripe::of_node(id));
            }
        }
        Value::List(items) => items.iter().for_each(|item| add_stripes(name, item, stripes)),
        Value::Map(entries) => entries.iter().for_each(|(name, value)| add_stripes(name, value, stripes)),
        Value::Text(_) | Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {}
    }
}

/// A write that is about to begin.
pub(crate) struct Writing {
    stamps: Arc<Stamps>,
    touched: Arc<Touched>,
    /// With the stripes of the nodes that it touches of its areas; without where it may touch all of these.
    change: Arc<Change>,
    /// In the journal, once it has begun.
    number: Option<u64>,
}

impl Writing {
    /// Marks what it touches: from here on it may be under way.
    pub(crate) fn mark(mut self) -> Marks {
        self.begin();
        Marks { writing: Some(self), in_doubt: false }
    }

    fn begin(&mut self) {
        self.each(Stamp::mark);
        self.number = self.stamps.journal.as_ref().map(|journal| journal.begin(&self.change));
    }

    fn each(&self, of: impl Fn(&Stamp)) {
        if self.touched.names.is_anything {
            of(&self.stamps.anything);
        }
        for area in &self.touched.areas {
            of(&area.any);
            if self.change.stripes.is_none() {
                of(&area.whole);
            }
        }
        for stripe in self.change.stripes.iter().flatten() {
            of(&self.stamps.stripes[stripe.place()]);
        }
    }

    /// Takes the marks away, and stamps what was touched.
    fn end(&self) {
        let number = self.stamps.last.fetch_add(1, SeqCst) + 1;
        self.each(|stamp| stamp.end(number));
        if let (Some(journal), Some(number)) = (&self.stamps.journal, self.number) {
            journal.end(number);
        }
    }

    /// Marks all of its areas for as long as it may still come about. The writes of a statement that are in doubt share these marks: while a database is
    /// away, there may be very many of them.
    fn leave_in_doubt(&self, runtime: &Handle) {
        let change = Arc::new(Change { names: Arc::clone(&self.touched.names), stripes: None });
        let mut whole = Self { stamps: Arc::clone(&self.stamps), touched: Arc::clone(&self.touched), change, number: None };
        {
            let mut doubt = locked(&self.touched.doubt);
            if doubt.replace(Instant::now() + self.stamps.in_doubt_for).is_some() {
                return;
            }
            // Still locked: whoever finds a doubt finds its marks.
            whole.begin();
        }
        metrics::gauge!(DOUBTS).increment(1.0);
        tracing::warn!(
            statement = whole.touched.label,
            minutes = whole.stamps.in_doubt_for.as_secs() / 60,
            "whether a write was made is not known: until so long after the last such write, the store is asked for what it touches, not the read cache"
        );
        runtime.spawn(async move {
            while let Some(until) = whole.touched.in_doubt_until() {
                tokio::time::sleep_until(until).await;
            }
            // Where another doubt has begun meanwhile, it has marks of its own.
            whole.end();
            metrics::gauge!(DOUBTS).decrement(1.0);
        });
    }
}

impl Touched {
    /// Until when a write may still come about; nothing once that time is over.
    fn in_doubt_until(&self) -> Option<Instant> {
        let mut doubt = locked(&self.doubt);
        *doubt = doubt.filter(|until| *until > Instant::now());
        *doubt
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The marks of a write under way. Once they are dropped, it is over; in doubt, as long after that as it may still come about.
pub(crate) struct Marks {
    writing: Option<Writing>,
    in_doubt: bool,
}

impl Marks {
    /// From now on the write may have been made, whatever is heard of it.
    pub(crate) fn in_doubt(&mut self) {
        self.in_doubt = true;
    }

    /// It is known whether the write was made.
    pub(crate) fn settle(mut self) {
        self.in_doubt = false;
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        let Some(writing) = self.writing.take() else { return };
        if self.in_doubt {
            // Without a runtime the process is at its end, and nothing is read any more: the marks stay.
            let Ok(runtime) = Handle::try_current() else { return };
            writing.leave_in_doubt(&runtime);
        }
        // Behind the marks of the doubt, so that there are some all the time.
        writing.end();
    }
}

#[cfg(test)]
mod tests;

//! Who waits for what, in the memory of this process: what is written here wakes those that wait for it at once.
//!
//! It is a hint. What waits stands in the graph with a time at which it is tried again, so that what arrives at another instance, or is forgotten
//! here, is found a little later.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use graph_schema::bulk::MissingRelation;

/// The most that is noted. Then all of it is forgotten, which costs no more than what comes next a wait.
const MOST: usize = 100_000;

/// What is awaited in this process. Clones share.
#[derive(Clone, Default)]
pub struct Awaited(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// How many things are awaited: nearly always none, which is all that a write looks at then.
    count: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Items by what they wait for, `Actor/17`.
    items: HashMap<String, HashSet<String>>,
    /// How many items all of them have.
    noted: usize,
    /// Items for which something has arrived.
    woken: BTreeSet<String>,
}

impl Awaited {
    /// An item waits for these.
    pub fn wait_for(&self, missing: &[MissingRelation], item: &str) {
        self.note(missing.iter().take(MOST).map(ToString::to_string).collect(), item);
    }

    /// An item waits until something is written: its label and id.
    pub fn wait_until_written(&self, kind: &str, id: &str, item: &str) {
        self.note(vec![format!("{kind}/{id}")], item);
    }

    fn note(&self, things: Vec<String>, item: &str) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.noted + things.len() > MOST {
            state.items.clear();
            state.noted = 0;
        }
        for thing in things {
            if state.items.entry(thing).or_default().insert(item.to_owned()) {
                state.noted += 1;
            }
        }
        self.0.count.store(state.items.len(), Ordering::Release);
    }

    /// Something was written: its label and id. Whether somebody has waited for it.
    pub fn arrived(&self, kind: &str, id: &str) -> bool {
        if self.0.count.load(Ordering::Acquire) == 0 {
            return false;
        }
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(items) = state.items.remove(&format!("{kind}/{id}")) else { return false };
        state.noted = state.noted.saturating_sub(items.len());
        state.woken.extend(items);
        self.0.count.store(state.items.len(), Ordering::Release);
        true
    }

    /// Items that were taken and not tried are woken again.
    pub fn wake_again(&self, items: impl IntoIterator<Item = String>) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).woken.extend(items);
    }

    /// Some of the items for which something has arrived, each once; the others stay for the next call.
    pub fn take_woken(&self, most: usize) -> Vec<String> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: Vec<String> = state.woken.iter().take(most).cloned().collect();
        for item in &taken {
            state.woken.remove(item);
        }
        taken
    }
}

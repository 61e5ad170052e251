//! Who waits for what, in the memory of this process: what is written here wakes those that wait for it at once.
//!
//! It is a hint. What waits stands in the graph with a time at which it is tried again, so that what arrives at another instance, or is forgotten
//! here, is found a little later.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use graph_schema::bulk::MissingRelation;

/// The most things that are known to be awaited.
const MOST: usize = 100_000;

/// What is awaited in this process. Clones share.
#[derive(Clone, Default)]
pub(crate) struct Awaited(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// How many things are awaited: nearly always none, which is all that a write looks at then.
    count: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Items by what they wait for, `Actor/17`.
    items: HashMap<String, Vec<String>>,
    /// Items for which something has arrived.
    woken: Vec<String>,
}

impl Awaited {
    /// An item waits for these.
    pub fn wait_for(&self, missing: &[MissingRelation], item: &str) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        for relation in missing {
            if state.items.len() >= MOST {
                break;
            }
            let waiting = state.items.entry(relation.to_string()).or_default();
            if !waiting.iter().any(|known| known == item) {
                waiting.push(item.to_owned());
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
        state.woken.extend(items);
        self.0.count.store(state.items.len(), Ordering::Release);
        true
    }

    /// The items for which something has arrived since the last call, each once.
    pub fn take_woken(&self) -> Vec<String> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut woken = std::mem::take(&mut state.woken);
        woken.sort_unstable();
        woken.dedup();
        woken
    }
}

#[cfg(test)]
mod tests {
    use graph_schema::bulk::RelationKind;

    use super::*;

    #[test]
    fn what_arrives_wakes_those_that_wait_for_it_once() {
        let awaited = Awaited::default();
        let actor = |id: &str| MissingRelation { kind: RelationKind::Actor, id: id.to_owned() };
        assert!(!awaited.arrived("Actor", "a"), "nobody waits");
        awaited.wait_for(&[actor("a"), actor("b")], "x");
        awaited.wait_for(&[actor("a")], "y");
        awaited.wait_for(&[actor("a")], "y");
        assert!(!awaited.arrived("Observation", "a"));
        assert!(awaited.arrived("Actor", "a") && awaited.arrived("Actor", "b"));
        assert_eq!(awaited.take_woken(), ["x", "y"]);
        assert!(!awaited.arrived("Actor", "a") && awaited.take_woken().is_empty());
    }
}

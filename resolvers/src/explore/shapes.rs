//! Which shapes of walks may be one statement: those whose plan the database has.
//!
//! To plan a statement of many links takes Neo4j some hundredths of a second, and seconds while it is cold; following one link after the other
//! takes it small statements, of which there are few. So a shape is walked link by link until it has been met twice, which is when it is worth a plan,
//! and until the plan is made, which nobody waits for. A caller who thinks of a new shape each time never makes the database plan one.
//! The embedded engine has no plans to make.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cypher::graph::Walk;
use cypher::{Engine, Value};
use moka::sync::Cache;
use tokio::sync::{Mutex, Semaphore};

/// Shapes that are remembered: as many as Neo4j keeps plans, unless it is told otherwise.
const REMEMBERED: u64 = 1_000;
/// Plans that are made or wait to be.
const WAITING: usize = 16;
/// How long a plan may take.
const PLANNING: Duration = Duration::from_secs(30);

/// The shapes that were met, by their numbers. Where two shared one, a plan would be made while somebody waits.
#[derive(Clone)]
pub(crate) struct Shapes {
    engine: Engine,
    met: Cache<u64, Arc<Shape>>,
    /// One plan at a time: it takes a core of the database.
    turn: Arc<Mutex<()>>,
    /// Who may wait for a turn.
    places: Arc<Semaphore>,
}

#[derive(Default)]
struct Shape {
    is_begun: AtomicBool,
    is_planned: AtomicBool,
}

impl Shapes {
    pub(crate) fn new(engine: Engine) -> Self {
        Self { engine, met: Cache::new(REMEMBERED), turn: Arc::default(), places: Arc::new(Semaphore::new(WAITING)) }
    }

    /// Whether a walk may be one statement; until it may, this sees to it that it will.
    pub(crate) fn is_ready(&self, walk: &Walk) -> bool {
        if matches!(self.engine, Engine::Embedded(_)) || !walk.is_of_several_links() {
            return true;
        }
        let number = walk.shape();
        let Some(shape) = self.met.get(&number) else {
            self.met.insert(number, Arc::default());
            return false;
        };
        if !shape.is_begun.swap(true, Ordering::Relaxed) {
            self.plan(walk, Arc::clone(&shape));
        }
        shape.is_planned.load(Ordering::Acquire)
    }

    fn plan(&self, walk: &Walk, shape: Arc<Shape>) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            // Another time.
            shape.is_begun.store(false, Ordering::Relaxed);
            return;
        };
        let (engine, turn, mut composed) = (self.engine.clone(), Arc::clone(&self.turn), walk.composed().clone());
        composed.params.0.push(("ids".into(), Value::List(Vec::new())));
        tokio::spawn(async move {
            let (_place, _turn) = (place, turn.lock().await);
            match engine.read_composed("walk/plan", composed, PLANNING).await {
                Ok(_) => shape.is_planned.store(true, Ordering::Release),
                Err(error) => {
                    tracing::warn!(%error, "planning a walk");
                    shape.is_begun.store(false, Ordering::Relaxed);
                }
            }
        });
    }

    /// Forgets all: a database that was away may come back without its plans.
    pub(crate) fn forget(&self) {
        self.met.invalidate_all();
    }
}

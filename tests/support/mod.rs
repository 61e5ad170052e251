//! What the tests stand on: how a test becomes one trial for each engine, a server to talk to, and what to say to it.

mod answer;
mod api;
pub mod bulk;
pub mod case_work;
pub mod delivering;
pub mod event_stream;
pub mod fixtures;
pub mod follower;
pub mod import;
pub mod jobs;
pub mod killed_runs;
pub mod ledger;
pub mod live;
pub mod load;
pub mod logs;
pub mod lossy;
pub mod mixed;
pub mod network;
pub mod observations;
pub mod page;
pub mod reader;
pub mod ready;
pub mod receiver;
pub mod requests;
pub mod s3;
mod server;
pub mod socket;
pub mod stored;
pub mod subscriber;
pub mod wire;

pub use answer::Answer;
pub use api::Api;
pub use server::{Server, Store, command, jobs_left_on_shared, show_shared_logs, stop_shared};

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use libtest_mimic::{Completion, Trial};
use test_support::neo4j;

/// Where the graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Embedded,
    Neo4j,
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Neo4j => "neo4j",
        }
    }
}

/// Who may run beside a test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Company {
    Any,
    /// For a test that measures how long something takes.
    None,
}

/// How long each trial took, without its wait for others to end.
static TOOK: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// The slowest trials, slowest first: what makes the suite long.
pub fn slowest(how_many: usize) -> Vec<(Duration, String)> {
    let mut took = std::mem::take(&mut *TOOK.lock().unwrap_or_else(PoisonError::into_inner));
    took.sort_by(|one, other| other.cmp(one));
    took.truncate(how_many);
    took
}

/// Held by every test that runs; a test that measures times holds it alone.
static TIME: RwLock<()> = RwLock::new(());

/// A test, and which engines it runs on.
pub struct Test {
    name: &'static str,
    engines: &'static [Engine],
    company: Company,
    body: Arc<dyn Fn(Engine) -> BoxFuture<'static, ()> + Send + Sync>,
}

impl Test {
    pub fn new<F: Future<Output = ()> + Send + 'static>(name: &'static str, engines: &'static [Engine], body: fn(Engine) -> F) -> Self {
        Self { name, engines, company: Company::Any, body: Arc::new(move |engine| Box::pin(body(engine))) }
    }

    /// The same, run alone.
    pub fn alone(self) -> Self {
        Self { company: Company::None, ..self }
    }

    /// One trial for each engine.
    pub fn trials(self, area: &'static str) -> Vec<Trial> {
        let trial = |engine: &Engine| {
            let (engine, body, alone) = (*engine, Arc::clone(&self.body), self.company == Company::None);
            let name = format!("{area}::{} [{}]", self.name, engine.name());
            Trial::ignorable_test(name.clone(), move || {
                if engine == Engine::Neo4j
                    && let Err(reason) = neo4j::available()
                {
                    return Ok(Completion::ignored_with(reason));
                }
                // The others wait, or go on beside it; a poisoned lock is a failed test, and says nothing about this one.
                let _alone = alone.then(|| TIME.write().unwrap_or_else(PoisonError::into_inner));
                let _beside = (!alone).then(|| TIME.read().unwrap_or_else(PoisonError::into_inner));
                let began = Instant::now();
                run(body(engine));
                TOOK.lock().unwrap_or_else(PoisonError::into_inner).push((began.elapsed(), name));
                Ok(Completion::Completed)
            })
        };
        self.engines.iter().map(trial).collect()
    }
}

/// Workers of their own: what a test does in the background goes on while the test itself waits for a process.
fn run(test: BoxFuture<'static, ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    runtime.block_on(test);
    runtime.shutdown_background();
}

/// `tests![both: a, b; neo4j: c; embedded: d]`: the tests of an area by the names of their functions.
macro_rules! tests {
    ($($engines:ident: $($test:ident),+ $(,)?);+ $(;)?) => {
        pub fn tests() -> Vec<crate::support::Test> {
            vec![$($(crate::support::Test::new(stringify!($test), crate::support::$engines(), $test)),+),+]
        }
    };
}
pub(crate) use tests;

pub const fn both() -> &'static [Engine] {
    &[Engine::Embedded, Engine::Neo4j]
}

pub const fn neo4j() -> &'static [Engine] {
    &[Engine::Neo4j]
}

/// For what has nothing to do with the database.
pub const fn embedded() -> &'static [Engine] {
    &[Engine::Embedded]
}

/// Ids that no other test has: all tests of Neo4j share one database, and so may several runs. Holds what makes them its own.
#[derive(Clone)]
pub struct Ids(pub String);

impl Ids {
    pub fn new() -> Self {
        let id = uuid::Uuid::new_v4().simple().to_string();
        logs::plant(&id[..12]);
        Self(id[..12].to_owned())
    }

    /// This test's own `name`.
    pub fn of(&self, name: &str) -> String {
        format!("{name}-{}", self.0)
    }

    /// Digits of this test's own, for what must be a number.
    pub fn digits(&self, count: usize) -> String {
        let number = u64::from_str_radix(&self.0, 16).expect("hexadecimal digits");
        let digits = format!("{number:020}");
        let digits = &digits[digits.len() - count..];
        let number = digits.trim_start_matches('0');
        // Fewer may be in a log by chance.
        if number.len() > 9 {
            logs::plant(number);
        }
        digits.to_owned()
    }
}

/// Waits until something is so; panics when it is not within `limit`. It looks often at first, and less often as time goes by: who is waited for needs the
/// machine, too.
pub async fn eventually<F: Future<Output = bool>>(what: &str, limit: Duration, check: impl Fn() -> F) -> Duration {
    let started = Instant::now();
    while !check().await {
        assert!(started.elapsed() < limit, "{what}: not within {limit:?}");
        tokio::time::sleep((started.elapsed() / 50).clamp(Duration::from_millis(20), Duration::from_millis(100))).await;
    }
    started.elapsed()
}

/// The files in a folder, and below it.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    paths.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

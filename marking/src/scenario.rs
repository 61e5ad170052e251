//! The tests of rules that are statements: each network is written to a store once, and the statement asked about it.
//!
//! A store may have many networks, and be used by others: all ids of one begin with a text of its own, which is taken away from what the
//! statement answers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

use cypher::{Embedded, Engine};
use detection::{Day, Mark, MarkError, Marker, NoMarker, Pack, Quantity, Rule, Scenario, Search, Settings};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::graph::{self, Names};
use crate::statement::{Asking, MarkStatement};

/// A store that could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the runtime or the folder of a store could not be made")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] cypher::Error),
}

/// Does something with who runs statements over tests: a store within the process, where a rule of the pack is a statement. The thread waits meanwhile.
pub fn with_marker<T: Send>(pack: &Pack, then: impl FnOnce(&dyn Marker) -> T + Send) -> Result<T, OpenError> {
    if pack.rules().iter().all(|packed| matches!(packed.rule.search, Search::Kernel(_))) {
        return Ok(then(&NoMarker));
    }
    // On a thread of its own, as the store has a scheduler, which none may be within another.
    std::thread::scope(|scope| {
        let marked = scope.spawn(|| ScenarioMarker::embedded().map(|marker| then(&marker)));
        marked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs statements over the networks of tests. It blocks: it is not for threads that run a scheduler.
pub struct ScenarioMarker {
    runtime: Runtime,
    engine: Engine,
    /// The store's folder goes with it, where it is its own.
    _folder: Option<TempDir>,
    /// What all ids begin with.
    own: String,
    /// What is in the store, by the test's file.
    written: RefCell<BTreeMap<String, Names>>,
    /// What was asked before: thresholds are no part of it, so moving one asks nothing.
    asked: RefCell<BTreeMap<Asked, Vec<Mark>>>,
}

/// A test's file, the rule, the day, and the passes of the rule.
type Asked = (String, String, Day, Vec<(String, Quantity)>);

impl ScenarioMarker {
    /// Over a store of its own, within the process.
    pub fn embedded() -> Result<Self, OpenError> {
        let folder = tempfile::tempdir()?;
        let runtime = Runtime::new()?;
        let engine = runtime.block_on(async {
            let engine = Engine::Embedded(Embedded::open(folder.path()).await?);
            cypher::migrate(&engine).await?;
            Ok::<_, cypher::Error>(engine)
        })?;
        Ok(Self::over(runtime, engine, Some(folder)))
    }

    /// Over a database that is up to date. Networks stay there.
    pub fn on(runtime: Runtime, engine: Engine) -> Self {
        Self::over(runtime, engine, None)
    }

    fn over(runtime: Runtime, engine: Engine, folder: Option<TempDir>) -> Self {
        let own = uuid::Uuid::new_v4().simple().to_string();
        Self { runtime, engine, _folder: folder, own, written: RefCell::default(), asked: RefCell::default() }
    }

    /// The names of a test's network, which is written where it is not there.
    async fn names(&self, scenario: &Scenario) -> Result<Names, cypher::Error> {
        let known = self.written.borrow().get(&scenario.file).cloned();
        if let Some(names) = known {
            return Ok(names);
        }
        let names = Names::new(format!("{}-{}/", self.own, self.written.borrow().len()));
        graph::write(&self.engine, scenario, &names).await?;
        self.written.borrow_mut().insert(scenario.file.clone(), names.clone());
        Ok(names)
    }

    async fn ask(&self, rule: &Rule, scenario: &Scenario, settings: &Settings) -> Result<Vec<Mark>, MarkError> {
        let failed = |error: &dyn std::fmt::Display| MarkError(error.to_string());
        let joined = |faults: Vec<String>| MarkError(faults.join("; "));
        let statement = MarkStatement::of(rule).map_err(|faults| joined(faults.iter().map(ToString::to_string).collect()))?;
        let Some(statement) = statement else { return Ok(Vec::new()) };
        let names = self.names(scenario).await.map_err(|error| failed(&error))?;
        let dataset = &scenario.dataset;
        let actors: Vec<String> = dataset.monitored().map(|actor| names.of(&dataset.actor(actor).id)).collect();
        let actors: Vec<&str> = actors.iter().map(String::as_str).collect();
        let window = scenario.day.window(settings.value("window").as_hours());
        let (from, to) = (window.start.millis(), window.end.millis());
        let payments = graph::reported(dataset, |at| window.holds(at), &names);
        let payments: Vec<&str> = payments.iter().map(String::as_str).collect();
        let countries = detection::high_risk_countries();
        let asking = Asking { actors: &actors, payments: &payments, from, to, known_up_to: to, countries: &countries };
        let asked = statement.asked(&asking, settings).map_err(|faults| joined(faults.iter().map(ToString::to_string).collect()))?;
        let rows = self.engine.read_loaded(asked).await.map_err(|error| failed(&error))?;
        let mut marks = statement.marks(&rows).map_err(|error| failed(&error))?;
        marks.iter_mut().for_each(|mark| names.strip(mark));
        Ok(marks)
    }
}

impl Marker for ScenarioMarker {
    fn marks(&self, rule: &Rule, scenario: &Scenario, settings: &Settings) -> Result<Vec<Mark>, MarkError> {
        let thresholds: Vec<&str> = rule.thresholds().map(|(name, ..)| name).collect();
        let passes = settings.values().iter().filter(|(name, _)| !thresholds.contains(&name.as_str()));
        let passes = passes.map(|(name, &value)| (name.clone(), value)).collect();
        let asked: Asked = (scenario.file.clone(), rule.key(), scenario.day, passes);
        let known = self.asked.borrow().get(&asked).cloned();
        if let Some(marks) = known {
            return Ok(marks);
        }
        let marks = self.runtime.block_on(self.ask(rule, scenario, settings))?;
        self.asked.borrow_mut().insert(asked, marks.clone());
        Ok(marks)
    }
}

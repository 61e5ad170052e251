//! The program under test as a process, and its store.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use graph_schema::migrations::MIGRATIONS;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::neo4j::{self, Neo4j};

use super::fixtures::{Other, Payment, account, actor, iban, with};
use super::ready::wait_until_ready;
use super::{Api, Engine, eventually, jobs, logs};

const PROGRAM: &str = env!("CARGO_BIN_EXE_amlgraph");

/// One for all: the shared Neo4j keeps the first server's key.
const ADMIN_KEY: &str = "test-administrator-key-Zq7Xw2Lk9Vb4Nf6Rj1Hs";

/// By this all servers on Neo4j seal the secrets of webhooks; an embedded store has a key of its own.
const WEBHOOKS_KEY: &str = "dGVzdHMtc2VhbC1hbGwtc2VjcmV0cy1ieS10aGlzISE=";

/// A debug build on a busy machine is slow; more than this is a hang.
const READY_WITHIN: Duration = Duration::from_secs(240);

/// Longer than requests, work in the background and the audit log may take together once it stops.
const STOPPED_WITHIN: Duration = Duration::from_secs(120);

/// Who ends with its test has this long to say so.
const ENDS_WITHIN: Duration = Duration::from_secs(20);

/// Where a server keeps its graph.
#[derive(Clone)]
pub enum Store {
    Folder(Arc<TempDir>),
    /// The Neo4j of all tests.
    Shared,
    /// A Neo4j of its own.
    Private(Arc<OwnNeo4j>),
}

/// A Neo4j that a test has for itself. A cold one takes a core for a minute: more than a few at once would make each other wait for longer than
/// any test does. So one that a test has done with is emptied and kept for the next, with its schema: a schema that is made anew takes all plans along.
pub struct OwnNeo4j {
    /// None only when it is dropped.
    neo4j: Option<Neo4j>,
    _place: Option<Place>,
    afterwards: Afterwards,
}

/// What becomes of a Neo4j that a test has done with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Afterwards {
    Kept,
    Gone,
}

/// Those that are empty and wait for their next test.
static KEPT: Mutex<Vec<Neo4j>> = Mutex::new(Vec::new());

impl OwnNeo4j {
    /// An empty one, which other tests may have had before.
    fn taken(place: Place) -> Self {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self { neo4j: Some(kept.unwrap_or_else(|| Neo4j::start().expect("a Neo4j"))), _place: Some(place), afterwards: Afterwards::Kept }
    }

    /// A new one; without a place beside those that have one.
    fn started(place: Option<Place>) -> Self {
        Self { neo4j: Some(Neo4j::start().expect("a Neo4j")), _place: place, afterwards: Afterwards::Gone }
    }
}

/// Migrations that say of the schema alone what they say. A store that has been emptied has those still; the others are applied again, as they make nodes.
fn migrations_of_the_schema() -> Vec<&'static str> {
    let is_of_it =
        |statement: &str| ["CREATE CONSTRAINT", "CREATE INDEX", "CREATE RANGE INDEX", "DROP INDEX"].iter().any(|begin| statement.starts_with(begin));
    MIGRATIONS.iter().filter(|migration| migration.statements().all(is_of_it)).map(|migration| migration.id).collect()
}

impl Drop for OwnNeo4j {
    fn drop(&mut self) {
        let Some(neo4j) = self.neo4j.take() else { return };
        // What a test that failed has left behind is nobody else's.
        if self.afterwards == Afterwards::Kept && !std::thread::panicking() && neo4j.empty(&migrations_of_the_schema()).is_ok() {
            KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(neo4j);
        }
    }
}

impl Deref for OwnNeo4j {
    type Target = Neo4j;

    fn deref(&self) -> &Neo4j {
        self.neo4j.as_ref().expect("it is there until it is dropped")
    }
}

/// The right to have a Neo4j of one's own.
struct Place;

/// How many places are free, and who waits for one.
static PLACES: (Mutex<usize>, Condvar) = (Mutex::new(2), Condvar::new());

impl Place {
    /// Waits for one.
    fn take() -> Self {
        let (free, freed) = &PLACES;
        let free = free.lock().unwrap_or_else(PoisonError::into_inner);
        *freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner) -= 1;
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *PLACES.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        PLACES.1.notify_one();
    }
}

impl Store {
    /// An empty folder, or the Neo4j of all tests.
    pub fn of(engine: Engine) -> Self {
        match engine {
            Engine::Embedded => Self::Folder(Arc::new(folder())),
            Engine::Neo4j => Self::Shared,
        }
    }

    /// An empty folder, or an empty Neo4j of its own.
    pub fn private(engine: Engine) -> Self {
        match engine {
            Engine::Embedded => Self::Folder(Arc::new(folder())),
            Engine::Neo4j => Self::Private(Arc::new(OwnNeo4j::taken(Place::take()))),
        }
    }

    /// The same, where the Neo4j is a new one, and for nobody afterwards: for tests of a cold database, and for those that change its schema.
    pub fn cold(engine: Engine) -> Self {
        match engine {
            Engine::Embedded => Self::private(engine),
            Engine::Neo4j => Self::Private(Arc::new(OwnNeo4j::started(Some(Place::take())))),
        }
    }

    /// Its Neo4j, if it is in one.
    pub fn neo4j(&self) -> Option<&Neo4j> {
        match self {
            Self::Folder(_) => None,
            Self::Shared => Some(neo4j::shared()),
            Self::Private(own) => Some(own),
        }
    }

    /// What the program calls it in its notes.
    pub fn name(&self) -> String {
        match self {
            Self::Folder(folder) => format!("embedded:{}", folder.path().join("store").canonicalize().expect("it is there").display()),
            _ => format!("{}/", self.neo4j().expect("it is no folder").bolt_url()),
        }
    }

    /// `amlgraph …`, pointed at this store.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        match self {
            Self::Folder(folder) => command.env("AMLGRAPH_DATABASE__URL", format!("embedded:{}", folder.path().join("store").display())),
            _ => {
                let neo4j = self.neo4j().expect("it is no folder");
                command
                    .env("AMLGRAPH_DATABASE__URL", neo4j.bolt_url())
                    .env("AMLGRAPH_WEBHOOKS__KEY", WEBHOOKS_KEY)
                    .env("AMLGRAPH_DATABASE__USER", neo4j.user())
                    .env("AMLGRAPH_DATABASE__PASSWORD", neo4j.password())
                    .env("AMLGRAPH_WEBHOOKS__KEY", WEBHOOKS_KEY)
            }
        };
        command
    }

    /// The rows of a Cypher query. An embedded store must not be in use.
    pub fn cypher(&self, query: &str) -> Vec<Value> {
        let output = self.command(&["query", query]).output().expect("the program runs");
        assert!(output.status.success(), "{query}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
    }

    /// What each of some patterns finds: `("actors", "MATCH (n:Actor)", "count(n)")`. They are one query, because opening a large embedded
    /// store takes a while.
    pub fn count(&self, patterns: &[(&str, &str, &str)]) -> BTreeMap<String, i64> {
        let queries: Vec<String> =
            patterns.iter().map(|(what, pattern, found)| format!("{pattern} RETURN '{what}' AS what, {found} AS found")).collect();
        // Where there is nothing to be counted, there is no row either.
        let mut counts: BTreeMap<String, i64> = patterns.iter().map(|(what, _, _)| ((*what).to_owned(), 0)).collect();
        for row in self.cypher(&queries.join(" UNION ALL ")) {
            let (Some(what), Some(found)) = (row["what"].as_str(), row["found"].as_i64()) else { panic!("what and how many: {row}") };
            counts.insert(what.to_owned(), found);
        }
        counts
    }
}

/// `amlgraph …` without any setting of whoever runs the tests.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("AMLGRAPH_")) {
        command.env_remove(name);
    }
    command.args(arguments).env("AMLGRAPH_LOG", "warn").current_dir(std::env::temp_dir()).stdin(Stdio::null());
    command
}

fn folder() -> TempDir {
    tempfile::Builder::new().prefix("amlgraph-test-").tempdir().expect("a folder")
}

/// A server that is running, and a client of it with the administrator's key.
pub struct Server {
    api: Api,
    // Before its store, so that it is gone when that is emptied.
    process: Arc<Process>,
    pub store: Store,
    settings: Vec<(&'static str, String)>,
}

/// The servers with default settings that tests share, one for each engine.
static SHARED: Mutex<[Option<Server>; 2]> = Mutex::new([None, None]);
/// That on Neo4j that delivers events for all tests that look at that.
static FOR_DELIVERIES: Mutex<Option<Server>> = Mutex::new(None);

impl Server {
    /// The server with default settings that tests share.
    pub fn shared(engine: Engine) -> Self {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let server = shared[engine as usize].get_or_insert_with(|| Self::start(engine));
        server.of_this_test()
    }

    /// A server that delivers events: one of its own over a folder; on Neo4j one for all, over a Neo4j of its own. One with other settings would deliver
    /// what is this one's, and one that ends with its test would leave things half delivered.
    pub fn for_deliveries(engine: Engine, settings: &[(&'static str, &str)]) -> Self {
        if engine == Engine::Embedded {
            return Self::with(Store::of(engine), settings);
        }
        let mut shared = FOR_DELIVERIES.lock().unwrap_or_else(PoisonError::into_inner);
        let server = shared.get_or_insert_with(|| {
            // It stays until all tests are done, and keeps no place from others.
            let server = Self::with(Store::Private(Arc::new(OwnNeo4j::started(None))), settings);
            warm_up(&server.process);
            server
        });
        server.of_this_test()
    }

    /// The same server. A client's connections belong to the runtime of the test that opened them.
    fn of_this_test(&self) -> Self {
        Self { api: self.client(), store: self.store.clone(), settings: self.settings.clone(), process: Arc::clone(&self.process) }
    }

    /// A server of its own: an empty folder, or the Neo4j of all tests.
    pub fn start(engine: Engine) -> Self {
        Self::on(Store::of(engine))
    }

    /// A server of its own over a store.
    pub fn on(store: Store) -> Self {
        Self::with(store, &[])
    }

    /// A server of its own with settings, such as `("AMLGRAPH_LIMITS__BODY", "1KiB")`.
    pub fn with(store: Store, settings: &[(&'static str, &str)]) -> Self {
        if matches!(store, Store::Shared) {
            warm_up_shared();
        }
        let server = Self::starting_with(store, settings);
        if !matches!(server.store, Store::Folder(_)) {
            wait_until_ready(&server.process.base);
        }
        server
    }

    /// A server that listens already, whether it is ready or not.
    pub fn starting(store: Store) -> Self {
        Self::starting_with(store, &[])
    }

    /// The same with settings.
    pub fn starting_with(store: Store, settings: &[(&'static str, &str)]) -> Self {
        let settings: Vec<(&'static str, String)> = settings.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let process = Process::start(&store, &settings);
        Self { api: Api::new(&process.base, ADMIN_KEY), store, settings, process: Arc::new(process) }
    }

    /// Another client of the server, with its own connections.
    pub fn client(&self) -> Api {
        Api::new(&self.process.base, ADMIN_KEY)
    }

    pub fn key(&self) -> &'static str {
        ADMIN_KEY
    }

    /// What it has printed so far.
    pub fn printed(&self) -> String {
        self.process.printed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All it has logged so far.
    pub fn logged(&self) -> String {
        std::fs::read_to_string(self.process.home.path().join("log")).expect("a log")
    }

    /// Bytes of memory that the process has now.
    pub fn resident_bytes(&self) -> usize {
        let id = self.process.child().id();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("Linux says how much a process has");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its line");
        let kibibytes = line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number");
        kibibytes << 10
    }

    /// Ends it at once, as a crash would.
    pub fn kill(&self) {
        self.process.kill();
    }

    /// Asks it to stop; answers with how it ended.
    pub fn stop(&self) -> ExitStatus {
        self.terminate();
        self.process.wait()
    }

    /// Asks it to stop, and does not wait.
    pub fn terminate(&self) {
        self.process.signal("TERM");
    }

    /// How it ended, once it has.
    pub fn ended(&self) -> ExitStatus {
        self.process.wait()
    }

    /// Starts it again over the same store, after it was stopped or killed. It has another address.
    pub fn start_again(&mut self) {
        self.process = Arc::new(Process::start(&self.store, &self.settings));
        self.api = Api::new(&self.process.base, ADMIN_KEY);
    }

    /// The rows of a Cypher query. The embedded store can be open in one process only, so its server is stopped and started around it.
    pub fn cypher(&mut self, query: &str) -> Vec<Value> {
        if !matches!(self.store, Store::Folder(_)) {
            return self.store.cypher(query);
        }
        self.stop();
        let rows = self.store.cypher(query);
        self.start_again();
        rows
    }
}

impl Deref for Server {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

/// Warms up the Neo4j of all tests, before anyone measures time.
fn warm_up_shared() {
    static WARM: Once = Once::new();
    WARM.call_once(|| warm_up(&Process::start(&Store::Shared, &[])));
}

/// A Neo4j that has just started plans each statement for seconds; all tests at once would take that for an outage. One server brings the
/// database up to date and has the largest statements planned.
fn warm_up(process: &Process) {
    let api = Api::new(&process.base, ADMIN_KEY);
    // A test's own runtime can't be waited for inside itself.
    let written = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            for (path, text) in of_each_kind() {
                eventually("a first record is written", READY_WITHIN, async || api.post(path, text.clone()).await.status == 200).await;
            }
            let (case, text) = (format!("/api/cases/{WARM_CASE}"), r#"{"resolution":"warm"}"#);
            eventually("a first case is changed", READY_WITHIN, async || api.patch(&case, text).await.status == 200).await;
            for query in WALKS {
                eventually("a first walk", READY_WITHIN, async || api.graphql_answer(query, json!({})).await["errors"].is_null()).await;
            }
        });
    });
    written.join().expect("it is written");
}

const WARM_CASE: &str = "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";

/// Walks whose statements take the longest to plan.
const WALKS: [&str; 4] = [
    r#"{ account(id: "warm-up-payer") { transferredTo { edges { node { transferredTo { edges { node { transferredTo { totalCount edges { node { id } } } } } } } } } } }"#,
    r#"{ account(id: "warm-up-payer") { known transactions { edges { node { sender { known } owner { known } } } } receivedFrom(orderBy: {field: COUNT}) { totalCount } } }"#,
    r#"{ actor(id: "warm-up-owner") { transactions { totalCount edges { node { id } } } sharesIdentityWith { totalCount edges { node { id } } } } }"#,
    r#"{ case(id: "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37") { version type actors { totalCount edges { node { id cases { totalCount edges { type } } } } } comments { totalCount edges { node { id } } } } }"#,
];

/// Records that take each way through the write path: new, by number, amended, and an account that takes over what was paid to its number.
fn of_each_kind() -> Vec<(&'static str, String)> {
    let payment = Payment::new("warm-up", "warm-up-payer", "warm-up-payee");
    let by_number = Payment { other: Other::Iban(iban("000000000000000000")), ..payment.clone() };
    let payee = with(account("warm-up-payee"), json!({"iban": iban("000000000000000000")}));
    let texts = [payment.text(), by_number.text(), payment.amount("1").text()].map(|text| ("/api/v2/transactions", text));
    let case = json!({"id": WARM_CASE, "actors": [{"id": "warm-up-owner"}]});
    let added = json!({"actor": {"id": "warm-up-owner", "type": "INDIVIDUAL", "as_of_date": "2024-01-01"}, "type": "FOCAL"});
    let more = [
        ("/api/accounts", payee.to_string()),
        ("/api/actors", actor("warm-up-owner").to_string()),
        ("/api/cases", case.to_string()),
        ("/api/cases/0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37/actors", added.to_string()),
    ];
    texts.into_iter().chain(more).collect()
}

/// The jobs that tests left behind on the shared servers.
pub fn jobs_left_on_shared() -> Vec<String> {
    let shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    shared.iter().flatten().flat_map(|server| runtime.block_on(jobs::left(&server.client()))).collect()
}

/// Takes the shared servers down.
pub fn stop_shared() {
    *SHARED.lock().unwrap_or_else(PoisonError::into_inner) = [None, None];
    *FOR_DELIVERIES.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Shows the logs of the shared servers. They outlive the tests that failed on them.
pub fn show_shared_logs() {
    let shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let delivering = FOR_DELIVERIES.lock().unwrap_or_else(PoisonError::into_inner);
    for server in shared.iter().chain([&*delivering]).flatten() {
        eprintln!("--- log of a shared server\n{}\n---", server.process.log());
    }
}

struct Process {
    child: Mutex<Child>,
    /// Whether other servers on the same store go past their caches for minutes, once it has ended without saying so.
    is_missed: bool,
    base: String,
    printed: Arc<Mutex<String>>,
    /// Its log, shown when a test fails.
    home: TempDir,
}

impl Process {
    fn start(store: &Store, settings: &[(&'static str, String)]) -> Self {
        let home = folder();
        let log = std::fs::File::create(home.path().join("log")).expect("a file");
        let mut command = store.command(&["serve"]);
        command
            .env("AMLGRAPH_LISTEN", "127.0.0.1:0")
            .env("AMLGRAPH_ADMIN_KEY", ADMIN_KEY)
            // Much is logged, so that there is something to search for what must not be in it.
            .env("AMLGRAPH_LOG", "debug")
            .current_dir(home.path())
            .stdout(Stdio::piped())
            .stderr(log);
        for (name, value) in settings {
            match value.strip_prefix("--") {
                Some(flag) => command.arg(format!("--{flag}")),
                None => command.env(name, value),
            };
        }
        let mut child = command.spawn().expect("the program starts");
        let output = child.stdout.take().expect("its output");
        let is_missed = settings.iter().any(|(name, value)| *name == "AMLGRAPH_CACHE__BYTES" && value != "0");
        let mut process = Self { child: Mutex::new(child), is_missed, base: String::new(), printed: Arc::default(), home };
        let (ready, becomes_ready) = std::sync::mpsc::channel();
        let printed = Arc::clone(&process.printed);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some(address) = line.trim().strip_prefix("API").and_then(|rest| rest.trim().strip_suffix("/docs")) {
                    // Nobody listens any more when it took too long.
                    let _ = ready.send(address.to_owned());
                }
                *printed.lock().unwrap_or_else(PoisonError::into_inner) += &(line + "\n");
            }
        });
        match becomes_ready.recv_timeout(READY_WITHIN) {
            Ok(base) => process.base = base,
            Err(_) => panic!("the server did not start:\n{}", process.log()),
        }
        process
    }

    fn signal(&self, name: &str) {
        let id = self.child().id();
        // The standard library has no signals but SIGKILL.
        let sent = Command::new("kill").args([&format!("-{name}"), &id.to_string()]).status().expect("kill runs");
        assert!(sent.success(), "kill -{name} {id}");
    }

    fn wait(&self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child().try_wait().expect("a child") {
                return status;
            }
            assert!(started.elapsed() < STOPPED_WITHIN, "the server does not stop:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn kill(&self) {
        let mut child = self.child();
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self) -> String {
        read_end(&self.home.path().join("log"))
    }
}

fn read_end(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    // What went as it should says little about what did not.
    let goes_well = |line: &&str| ["DEBUG", "INFO"].iter().any(|level| line.contains(&format!("\"level\":\"{level}\"")));
    let lines: Vec<&str> = text.lines().filter(|line| !goes_well(line)).collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

impl Drop for Process {
    fn drop(&mut self) {
        let has_ended = self.child().try_wait().is_ok_and(|status| status.is_some());
        if self.is_missed && !has_ended {
            self.signal("TERM");
            let asked = Instant::now();
            while asked.elapsed() < ENDS_WITHIN && self.child().try_wait().is_ok_and(|status| status.is_none()) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        self.kill();
        logs::search(&std::fs::read_to_string(self.home.path().join("log")).unwrap_or_default());
        let log = self.log();
        if std::thread::panicking() && !log.is_empty() {
            eprintln!("--- log of the server\n{log}\n---");
        }
    }
}

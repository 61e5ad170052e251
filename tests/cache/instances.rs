//! Several instances on one Neo4j. Each answers from its own cache, and shows what another has written half a second after that at the latest: while both are
//! well, and while either is killed. Whoever sends the position of what he has written sees it at once, at any instance.

use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use cypher::{Params, Statement};
use rand::{Rng, rngs::StdRng};
use serde_json::{Value, json};

use super::at_work::{AGAIN, PATIENCE, SHOWN, Work, at_work};
use super::measures::{AS_SHIPPED, BYTES, POSITION, SETTINGS, comes_to_be_cached, hits, past_it, statements_about_others};
use super::random::{data_of, is_taken, time};
use super::registers::Register;
use crate::support::fixtures::{actor, with};
use crate::support::{Api, Engine, Ids, Server, Store, bulk, eventually, stored, tests};

tests![neo4j: no_instance_is_staler_than_it_may_be, a_position_is_shown_by_any_instance, what_one_writes_is_cached_anew_by_the_other,
    a_worker_of_its_own_is_noticed, instances_that_do_nothing_send_nothing, an_audited_read_makes_no_process_a_writer, what_a_migration_changes_is_told,
    who_can_tell_nobody_is_not_ready, who_is_stopped_while_it_plans_leaves_nothing_in_doubt];

/// As old an answer may be, as far as another instance has written.
const STALENESS: Duration = Duration::from_millis(500);
/// What comes by a note is there long before what is kept has become too old, which takes a minute.
const SOON: Duration = Duration::from_secs(30);
const NAME: &str = "query($id: ID!) { actor(id: $id) { name accounts(first: 5) { totalCount } } }";

/// A write that was answered.
struct Written {
    value: u64,
    at: Instant,
    by: usize,
}

/// What all share. Instances are numbers: one that was killed comes back at another address.
struct World {
    apis: [RwLock<Api>; 2],
    registers: Vec<Register>,
    /// By register.
    written: Vec<Mutex<Vec<Written>>>,
    reads: AtomicUsize,
    /// Reads with the position of a write, at the other instance.
    own_reads: AtomicUsize,
    faults: Mutex<Vec<String>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    async fn of(apis: [Api; 2]) -> Arc<Self> {
        let registers = Register::made(&apis[0]).await;
        let written = registers.iter().map(|_| Mutex::default()).collect();
        let world = Self {
            apis: apis.map(RwLock::new),
            registers,
            written,
            reads: AtomicUsize::new(0),
            own_reads: AtomicUsize::new(0),
            faults: Mutex::default(),
        };
        // A cold database plans for seconds what it has not met: that is over before the time runs.
        for (number, register) in world.registers.iter().enumerate() {
            world.put(number, 1, 0).await;
            for api in [world.api(0), world.api(1)] {
                for question in 0..register.questions() {
                    for _ in 0..3 {
                        api.send(register.ask(&api, question)).await;
                    }
                }
            }
        }
        Arc::new(world)
    }

    fn api(&self, instance: usize) -> Api {
        self.apis[instance].read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An instance is at another address now.
    fn moved(&self, instance: usize, api: Api) {
        *self.apis[instance].write().unwrap_or_else(PoisonError::into_inner) = api;
    }

    /// Writes a value, again and again until it was taken, by whichever instance takes it. Answers with which that was and the position, where it was the
    /// first that was asked.
    async fn put(&self, register: usize, value: u64, first: usize) -> Option<(usize, String)> {
        let began = Instant::now();
        for tries in 0.. {
            let instance = (first + tries) % self.apis.len();
            let api = self.api(instance);
            let answer = api.try_send(self.registers[register].write(&api, value)).await;
            if let Ok(answer) = &answer
                && is_taken(answer)
            {
                locked(&self.written[register]).push(Written { value, at: Instant::now(), by: instance });
                return (tries == 0).then(|| (instance, answer.header(POSITION).to_owned()));
            }
            assert!(began.elapsed() < PATIENCE, "{} is not taken: {answer:?}", self.registers[register].name());
            tokio::time::sleep(AGAIN).await;
        }
        None
    }

    /// What an instance must show of a register to whoever asks now.
    fn least(&self, register: usize, instance: usize) -> u64 {
        let now = Instant::now();
        let written = locked(&self.written[register]);
        let is_old = |write: &&Written| write.by == instance || now.duration_since(write.at) >= STALENESS;
        written.iter().filter(is_old).map(|write| write.value).max().unwrap_or_default()
    }

    /// Asks once; the answer is at least what it has to be. Whether there was one.
    async fn check(&self, register: usize, (how, api): (&str, &Api), question: usize, least: u64) -> bool {
        let asked = &self.registers[register];
        let Some(data) = data_of(api.try_send(asked.ask(api, question)).await) else { return false };
        let (value, most) = (asked.value(question, &data), asked.most());
        if value < least || value > most {
            let fault = format!("{}, question {question} {how}: {value}, and {least} to {most} is right: {data}", asked.name());
            locked(&self.faults).push(fault);
        }
        true
    }

    /// That nothing was stale, and that there was something to be.
    fn end(&self) {
        let (faults, reads, own) = (locked(&self.faults), self.reads.load(Ordering::Relaxed), self.own_reads.load(Ordering::Relaxed));
        println!("{reads} reads, {own} by writers at the other instance");
        assert!(faults.is_empty(), "{} of {} reads are wrong:\n{}", faults.len(), reads + own, faults[..faults.len().min(SHOWN)].join("\n"));
        assert!(reads > 100 && own > 20, "too little was done: {reads} reads, {own} by writers");
    }
}

impl Work for World {
    fn registers(&self) -> usize {
        self.registers.len()
    }

    async fn read(&self, random: &mut StdRng) {
        let (register, instance) = (random.random_range(0..self.registers.len()), random.random_range(0..self.apis.len()));
        let question = random.random_range(0..self.registers[register].questions());
        let api = self.api(instance);
        let api = if random.random_range(0..8) == 0 { past_it(&api) } else { api };
        let least = self.least(register, instance);
        let how = format!("at instance {instance}");
        match self.check(register, (how.as_str(), &api), question, least).await {
            true => _ = self.reads.fetch_add(1, Ordering::Relaxed),
            // Who has no time, or is not there.
            false => tokio::time::sleep(AGAIN).await,
        }
    }

    /// Writes a value, and reads it at the other instance.
    async fn write(&self, register: usize, value: u64, random: &mut StdRng) {
        let Some((instance, position)) = self.put(register, value, random.random_range(0..self.apis.len())).await else { return };
        if position.is_empty() {
            return locked(&self.faults).push(format!("{}: a write has no position", self.registers[register].name()));
        }
        let api = self.api((instance + 1) % self.apis.len()).with_header(POSITION, position);
        let question = random.random_range(0..self.registers[register].questions());
        if self.check(register, ("by its writer", &api), question, value).await {
            self.own_reads.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// An instance whose only writes are those of its requests.
const ALONE: [(&str, &str); 2] = [AS_SHIPPED[0], ("", "--no-worker")];

/// Two instances on a store of their own.
fn pair(engine: Engine, settings: &[(&'static str, &str)]) -> [Server; 2] {
    let store = Store::private(engine);
    [Server::with(store.clone(), settings), Server::with(store, settings)]
}

async fn no_instance_is_staler_than_it_may_be(engine: Engine) {
    let [mut one, mut other] = pair(engine, &AS_SHIPPED);
    let world = World::of([one.client(), other.client()]).await;
    let running = at_work(&world);
    tokio::time::sleep(time(4)).await;
    for server in [&one, &other] {
        eventually("something is found in the cache of each", SOON, async || hits(server).await > 0.0).await;
    }
    // A writer that is killed leaves notes that nobody has, and may have written what is in none.
    one.kill();
    tokio::time::sleep(time(2)).await;
    one.start_again();
    world.moved(0, one.client());
    tokio::time::sleep(time(2)).await;
    other.kill();
    tokio::time::sleep(time(2)).await;
    other.start_again();
    world.moved(1, other.client());
    tokio::time::sleep(time(2)).await;
    for running in running {
        running.stop().await;
    }
    world.end();
}

/// Writes the name of an actor.
async fn name(api: &Api, id: &str, day: usize) -> String {
    let name = format!("Name {day}");
    let record = with(actor(id), json!({"asOfDate": format!("1990-01-{day:02}"), "name": name}));
    api.post("/api/actors", record.to_string()).await.expect(200).header(POSITION).to_owned()
}

async fn shown_name(api: &Api, id: &str) -> String {
    api.graphql(NAME, json!({"id": id})).await["actor"]["name"].as_str().expect("a name").to_owned()
}

async fn a_position_is_shown_by_any_instance(engine: Engine) {
    // So stale an answer may be that the position alone makes it young.
    let [one, other] = pair(engine, &SETTINGS);
    let id = Ids::new().of("person");
    for day in 1..=20 {
        let position = name(&one, &id, day).await;
        let reader = other.with_header(POSITION, format!("{position}, {position}"));
        assert_eq!(shown_name(&reader, &id).await, format!("Name {day}"), "{position}");
        // So that there is something in the cache to be stale.
        shown_name(&other, &id).await;
    }
    assert!(comes_to_be_cached(&other, async || drop(shown_name(&other, &id).await)).await);
    let position = name(&one, &id, 21).await;
    let reader = other.with_header(POSITION, position);
    assert_eq!(shown_name(&reader, &id).await, "Name 21");
    assert!(comes_to_be_cached(&other, async || drop(shown_name(&reader, &id).await)).await, "its note has come");
    for unknown in ["", "nobody.1", "a-position", "nobody.-1", "nobody.99999999999999999999", ",,,"] {
        let (reader, before) = (other.with_header(POSITION, unknown), hits(&other).await);
        assert_eq!(shown_name(&reader, &id).await, "Name 21", "{unknown}");
        assert!((hits(&other).await - before).abs() < f64::EPSILON, "{unknown}: the store is asked");
    }
    // Its own writes an instance has always.
    let position = name(&other, &id, 22).await;
    let writer = other.with_header(POSITION, position);
    assert_eq!(shown_name(&writer, &id).await, "Name 22");
    assert!(comes_to_be_cached(&other, async || drop(shown_name(&writer, &id).await)).await);
}

/// By the note, and not because what is kept becomes too old, nor because nothing is kept.
async fn what_one_writes_is_cached_anew_by_the_other(engine: Engine) {
    let [one, other] = pair(engine, &AS_SHIPPED);
    let id = Ids::new().of("person");
    for (day, writer, reader) in [(1, &one, &other), (2, &other, &one), (3, &one, &other)] {
        name(writer, &id, day).await;
        eventually("it shows", SOON, async || shown_name(reader, &id).await == format!("Name {day}")).await;
        for server in [writer, reader] {
            let is_cached = async || comes_to_be_cached(server, async || drop(shown_name(server, &id).await)).await;
            eventually("it is cached", SOON, is_cached).await;
        }
    }
}

/// `amlgraph work`, which is ended when it is dropped.
struct Working(Child);

impl Drop for Working {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn a_worker_of_its_own_is_noticed(engine: Engine) {
    let store = Store::private(engine);
    let server = Server::with(store.clone(), &[AS_SHIPPED[0], ("", "--no-worker")]);
    let ids = Ids::new();
    let id = ids.of("person");
    name(&server, &id, 1).await;
    let mut work = store.command(&["work"]);
    let work = work.env(BYTES, "64MiB").stdout(Stdio::null()).stderr(Stdio::null());
    let _working = Working(work.spawn().expect("it starts"));
    assert!(comes_to_be_cached(&server, async || drop(shown_name(&server, &id).await)).await);
    let record = with(bulk::bulk_actor(&id), json!({"name": "Name 2"}));
    bulk::taken(&server, &ids.of("bulk"), &json!({"actors": [record]})).await;
    eventually("the worker has done it", bulk::SOON, async || shown_name(&past_it(&server), &id).await == "Name 2").await;
    eventually("it shows", SOON, async || shown_name(&server, &id).await == "Name 2").await;
}

async fn instances_that_do_nothing_send_nothing(engine: Engine) {
    let [one, other] = pair(engine, &ALONE);
    let id = Ids::new().of("person");
    name(&one, &id, 1).await;
    for server in [&one, &other] {
        shown_name(server, &id).await;
    }
    assert!(sent(&[&one, &other]).await > 0.0, "they tell one another what they write");
    let before = come_to_rest(&[&one, &other]).await;
    shown_name(&one, &id).await;
    eventually("whoever is asked looks again", SOON, async || sent(&[&one, &other]).await > before).await;
}

/// How many statements instances have sent about others.
async fn sent(servers: &[&Server]) -> f64 {
    let mut sent = 0.0;
    for server in servers {
        sent += statements_about_others(server).await;
    }
    sent
}

/// Returns when they send none any more; answers with how many there were.
async fn come_to_rest(servers: &[&Server]) -> f64 {
    eventually("nothing is sent for two seconds", SOON, async || {
        let before = sent(servers).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        (sent(servers).await - before).abs() < f64::EPSILON
    })
    .await;
    sent(servers).await
}

/// Nothing about the audit log is kept: nobody has to be told of an entry.
async fn an_audited_read_makes_no_process_a_writer(engine: Engine) {
    let server = Server::with(Store::private(engine), &ALONE);
    let id = Ids::new().of("person");
    name(&server, &id, 1).await;
    let before = come_to_rest(&[&server]).await;
    server.get(&format!("/api/actors/{id}")).await.expect(200);
    let entries = format!("MATCH (e:AuditEntry) WHERE e.objectId = '{id}' AND e.logType = 'READ' RETURN e.id AS id");
    eventually("its entry is there", SOON, async || !server.store.cypher(&entries).is_empty()).await;
    assert!((sent(&[&server]).await - before).abs() < f64::EPSILON, "others are told of a read");
}

/// While others have the store in use, too.
async fn what_a_migration_changes_is_told(engine: Engine) {
    const EXCLUDED: &str = "{ actors(first: 5, filter: {exclusionTypes: [SUPPRESSED]}) { totalCount } }";
    // As an older program has left it.
    const OLDER: &str = "MATCH (a:Actor {id: $id}) MATCH (m:Migration {id: '0034_actor_lists'}) \
        REMOVE a.exclusionType, a.exclusionStoredAt, a.exclusionRecordedAt, a.exclusionId DELETE m";
    let mut server = Server::with(Store::private(engine), &ALONE);
    let id = Ids::new().of("person");
    name(&server, &id, 1).await;
    server.post(&format!("/api/actors/{id}/exclusions"), r#"{"exclusion_type":"SUPPRESSED"}"#).await.expect(200);
    stored::write(&mut server, OLDER, Params::none().with("id", &id)).await;
    let excluded = async || server.graphql(EXCLUDED, json!({})).await["actors"]["totalCount"].as_u64();
    assert!(
        comes_to_be_cached(&server, async || {
            excluded().await;
        })
        .await
    );
    assert_eq!(excluded().await, Some(0));
    let migrated = server.store.command(&["migrate"]).env(BYTES, "64MiB").status().expect("it runs");
    assert!(migrated.success());
    eventually("it shows", SOON, async || excluded().await == Some(1)).await;
}

/// Who holds the node of a process keeps it from saying that it writes.
async fn who_can_tell_nobody_is_not_ready(engine: Engine) {
    const HOLD: Statement = Statement::new("test/hold", "MATCH (w:CacheWriter) SET w.asked = 0");
    let server = Server::with(Store::private(engine), &ALONE);
    let id = Ids::new().of("person");
    name(&server, &id, 1).await;
    let database = stored::of_neo4j(server.store.neo4j().expect("a Neo4j"));
    let mut holding = database.begin().await.expect("it begins");
    holding.run(HOLD, Params::none()).await.expect("it is held");
    let write = async || server.try_send(server.posting("/api/actors", actor(&id).to_string())).await.expect("an answer").status;
    eventually("nothing is written", SOON, async || write().await == 503).await;
    let is_ready = async || server.get("/health/ready").await.status == 200;
    eventually("it is not ready", SOON, async || !is_ready().await).await;
    server.get(&format!("/api/actors/{id}")).await.expect(200);
    holding.rollback().await;
    eventually("it is ready", SOON, is_ready).await;
    assert_eq!(write().await, 200, "the first write is taken");
}

/// What is planned with nothing to do changes nothing, whatever becomes of it.
async fn who_is_stopped_while_it_plans_leaves_nothing_in_doubt(engine: Engine) {
    let server = Server::starting_with(Store::cold(engine), &ALONE);
    eventually("it plans", SOON, async || server.anonymous().get("/health/ready").await.json()["status"] == "planning").await;
    let notes = "MATCH (n:CacheNote) RETURN n.id AS id";
    eventually("it has told of its first key", SOON, async || !server.store.cypher(notes).is_empty()).await;
    assert!(server.stop().success());
    let standings = server.store.cypher("MATCH (w:CacheWriter) RETURN w.standing AS standing");
    let is_quiet = |row: &Value| row["standing"].as_str().is_some_and(|standing| standing.contains(" quiet "));
    assert!(!standings.is_empty() && standings.iter().all(is_quiet), "{standings:?}");
}

//! Several instances on one Neo4j. Each answers from its own cache, and shows what another has written half a second after that at the latest: while both are
//! well, and while either is killed. Whoever sends the position of what he has written sees it at once, at any instance.

use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;

use super::measures::{AS_SHIPPED, BYTES, POSITION, SETTINGS, comes_to_be_cached, hits, past_it, statements_about_others};
use super::random::{data_of, is_taken, time};
use super::registers::Register;
use crate::support::fixtures::{actor, with};
use crate::support::load::Running;
use crate::support::{Api, Engine, Ids, Server, Store, bulk, eventually, tests};

tests![neo4j: no_instance_is_staler_than_it_may_be, a_position_is_shown_by_any_instance, what_one_writes_is_cached_anew_by_the_other,
    a_worker_of_its_own_is_noticed, instances_that_do_nothing_send_nothing];

/// As old an answer may be, as far as another instance has written.
const STALENESS: Duration = Duration::from_millis(500);
const READERS: usize = 6;
/// Between two writes of a value, at most.
const PAUSE: Duration = Duration::from_millis(60);
/// Before what was not done, or is not known to have been done, is sent again.
const AGAIN: Duration = Duration::from_millis(20);
/// A Neo4j that was just started may plan a write for seconds.
const PATIENCE: Duration = Duration::from_secs(120);
/// What comes by a note is there long before what is kept has become too old, which takes a minute.
const SOON: Duration = Duration::from_secs(30);
/// Faults that are shown; one defect makes many.
const SHOWN: usize = 20;
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
            world.write(number, 1, 0).await;
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
    async fn write(&self, register: usize, value: u64, first: usize) -> Option<(usize, String)> {
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

    /// Asks in one of the ways there are.
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
    async fn write_and_read(&self, register: usize, value: u64, random: &mut StdRng) {
        let Some((instance, position)) = self.write(register, value, random.random_range(0..self.apis.len())).await else { return };
        if position.is_empty() {
            return locked(&self.faults).push(format!("{}: a write has no position", self.registers[register].name()));
        }
        let api = self.api((instance + 1) % self.apis.len()).with_header(POSITION, position);
        let question = random.random_range(0..self.registers[register].questions());
        if self.check(register, ("by its writer", &api), question, value).await {
            self.own_reads.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// That nothing was stale, and that there was something to be.
    fn end(&self) {
        let (faults, reads, own) = (locked(&self.faults), self.reads.load(Ordering::Relaxed), self.own_reads.load(Ordering::Relaxed));
        println!("{reads} reads, {own} by writers at the other instance");
        assert!(faults.is_empty(), "{} of {} reads are wrong:\n{}", faults.len(), reads + own, faults[..faults.len().min(SHOWN)].join("\n"));
        assert!(reads > 100 && own > 20, "too little was done: {reads} reads, {own} by writers");
    }
}

/// Readers and writers who go on until they are stopped.
fn at_work(world: &Arc<World>) -> [Running; 2] {
    let seeds = Arc::new(AtomicUsize::new(0));
    let readers = Running::start(READERS, |go_on| {
        let (world, seed) = (Arc::clone(world), seeds.fetch_add(1, Ordering::Relaxed));
        async move {
            let mut random = StdRng::seed_from_u64(seed as u64);
            while go_on.load(Ordering::Relaxed) {
                world.read(&mut random).await;
            }
        }
    });
    let registers = Arc::new(AtomicUsize::new(0));
    let writers = Running::start(world.registers.len(), |go_on| {
        let (world, register) = (Arc::clone(world), registers.fetch_add(1, Ordering::Relaxed));
        async move {
            let mut random = StdRng::seed_from_u64(1_000 + register as u64);
            for value in 2.. {
                if !go_on.load(Ordering::Relaxed) {
                    break;
                }
                world.write_and_read(register, value, &mut random).await;
                tokio::time::sleep(PAUSE.mul_f64(random.random_range(0.0..1.0))).await;
            }
        }
    });
    [readers, writers]
}

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
    let [one, other] = pair(engine, &[AS_SHIPPED[0], ("", "--no-worker")]);
    let id = Ids::new().of("person");
    name(&one, &id, 1).await;
    for server in [&one, &other] {
        shown_name(server, &id).await;
    }
    let sent = async || statements_about_others(&one).await + statements_about_others(&other).await;
    assert!(sent().await > 0.0, "they tell one another what they write");
    eventually("nothing is sent for two seconds", SOON, async || {
        let before = sent().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        (sent().await - before).abs() < f64::EPSILON
    })
    .await;
    let before = sent().await;
    shown_name(&one, &id).await;
    eventually("whoever is asked looks again", SOON, async || sent().await > before).await;
}

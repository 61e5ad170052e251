//! Random reads and writes, on one instance and on two of which either is killed now and then. An answer is older than it may be when it does not show what
//! had been answered before it was asked for.
//!
//! `CACHE_SECONDS` says how long, a few seconds unless it is set. By hand, a minute on each engine:
//!
//! ```sh
//! CACHE_SECONDS=60 cargo test --release --test suite -- cache::instances --nocapture
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::measures::{POSITION, SETTINGS, STALENESS, behind, hits, past_it};
use super::registers::{Answered, Register, Whose};
use crate::support::load::Running;
use crate::support::{Answer, Api, Engine, Server, Store, tests};

tests![both: nothing_on_one_instance_is_stale; neo4j: nothing_on_two_instances_is_older_than_it_may_be];

const READERS: usize = 6;
/// Between two writes of a value, at most.
const PAUSE: Duration = Duration::from_millis(60);
/// Before what was not done, or is not known to have been done, is sent again.
const AGAIN: Duration = Duration::from_millis(20);
/// A Neo4j that was just started may plan a write for seconds.
const PATIENCE: Duration = Duration::from_secs(120);
/// Faults that are shown; one defect makes many.
const SHOWN: usize = 20;

/// How long reads and writes go on.
fn time(unless_set: u64) -> Duration {
    let seconds = std::env::var("CACHE_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(unless_set))
}

/// An instance as clients know it.
#[derive(Clone)]
struct Instance {
    api: Api,
    /// Its number, and how often it was started.
    process: (usize, usize),
}

/// What all share.
struct World {
    instances: Mutex<Vec<Instance>>,
    registers: Vec<Register>,
    reads: AtomicUsize,
    faults: Mutex<Vec<String>>,
}

impl World {
    async fn of(servers: &[Server]) -> Arc<Self> {
        let instances = servers.iter().enumerate().map(|(number, server)| Instance { api: server.client(), process: (number, 0) }).collect();
        let registers = Register::made(&servers[0]).await;
        let world = Self { instances: Mutex::new(instances), registers, reads: AtomicUsize::new(0), faults: Mutex::default() };
        // A cold database plans for seconds what it has not met: that is over before the time runs.
        for register in &world.registers {
            world.write(register, 1, &mut StdRng::seed_from_u64(1)).await;
            for question in 0..register.questions() {
                for server in servers {
                    for _ in 0..3 {
                        server.send(register.ask(server, question)).await;
                    }
                }
            }
        }
        Arc::new(world)
    }

    fn any(&self, random: &mut StdRng) -> Instance {
        let instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
        instances[random.random_range(0..instances.len())].clone()
    }

    fn has_one_instance(&self) -> bool {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner).len() == 1
    }

    /// A process has taken the place of another.
    fn was_started(&self, number: usize, api: Api) {
        let mut instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, starts) = instances[number].process;
        instances[number] = Instance { api, process: (number, starts + 1) };
    }

    fn fault(&self, what: String) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// Writes a value, again and again at any instance until it was taken, as a good client does.
    async fn write(&self, register: &Register, value: u64, random: &mut StdRng) {
        let began = Instant::now();
        loop {
            let Instance { api, process } = self.any(random);
            let answer = api.try_send(register.write(&api, value)).await;
            if let Ok(answer) = &answer
                && is_taken(answer)
            {
                let position = answer.header(POSITION).to_owned();
                if position.is_empty() {
                    self.fault(format!("{}: the answer to a write tells no position", register.name()));
                }
                register.was_answered(Answered { value, at: Instant::now(), by: process, position });
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{} is not taken: {answer:?}", register.name());
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Asks once, in one of the ways there are.
    async fn read(&self, random: &mut StdRng) {
        let Instance { api, process } = self.any(random);
        let register = &self.registers[random.random_range(0..self.registers.len())];
        let question = random.random_range(0..register.questions());
        let alone = self.has_one_instance();
        let (least, how, api) = match random.random_range(0..4) {
            0 => (register.least(Whose::All), "past the cache", past_it(&api)),
            1 => {
                let Some(last) = register.last() else { return };
                (last.value, "with a position", behind(&api, &last.position))
            }
            _ if alone => (register.least(Whose::All).max(register.seen()), "on the only instance", api),
            _ => (register.least(Whose::Old(STALENESS, process)), "on one of two", api),
        };
        let Some(data) = data_of(api.try_send(register.ask(&api, question)).await) else {
            // Who was killed, or has no time.
            tokio::time::sleep(AGAIN).await;
            return;
        };
        let value = register.value(question, &data);
        self.reads.fetch_add(1, Ordering::Relaxed);
        let most = register.most();
        if value < least || value > most {
            self.fault(format!("{}, question {question} {how}: {value}, and {least} to {most} is right: {data}", register.name()));
        }
        register.was_seen(value);
    }
}

/// Whether a write was taken: that of a mutation says so in its body.
fn is_taken(answer: &Answer) -> bool {
    let body: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let against = body.pointer("/data/commentOnCase/userErrors");
    answer.status == 200 && body.get("errors").is_none() && against.is_none_or(|errors| *errors == json!([]))
}

/// The data of an answer that has no errors.
fn data_of(answer: Result<Answer, reqwest::Error>) -> Option<Value> {
    let answer = answer.ok().filter(|answer| answer.status == 200)?;
    let Ok(Value::Object(mut body)) = serde_json::from_str(&answer.text) else { return None };
    if body.contains_key("errors") { None } else { body.remove("data") }
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
        let (world, number) = (Arc::clone(world), registers.fetch_add(1, Ordering::Relaxed));
        async move {
            let mut random = StdRng::seed_from_u64(1_000 + number as u64);
            let register = &world.registers[number];
            for value in 2.. {
                if !go_on.load(Ordering::Relaxed) {
                    break;
                }
                world.write(register, value, &mut random).await;
                tokio::time::sleep(PAUSE.mul_f64(random.random_range(0.0..1.0))).await;
            }
        }
    });
    [readers, writers]
}

/// That nothing was stale, and that there was something to be.
async fn check(world: &World, servers: &[Server]) {
    let faults = world.faults.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let reads = world.reads.load(Ordering::Relaxed);
    let mut found = 0.0;
    for server in servers {
        found += hits(server).await;
    }
    let written: Vec<(String, u64)> = world.registers.iter().map(|register| (register.name(), register.most())).collect();
    println!("{reads} reads, {found} times found in the cache, written: {written:?}");
    assert!(faults.is_empty(), "{} of {reads} reads and the writes are wrong:\n{}", faults.len(), faults[..faults.len().min(SHOWN)].join("\n"));
    assert!(found > 0.0, "nothing was found in the cache");
    assert!(reads > 100 && written.iter().all(|(_, value)| *value > 5), "too little was done: {reads} reads, {written:?}");
}

async fn nothing_on_one_instance_is_stale(engine: Engine) {
    let servers = [Server::with(Store::of(engine), &SETTINGS)];
    let world = World::of(&servers).await;
    let running = at_work(&world);
    tokio::time::sleep(time(4)).await;
    for running in running {
        running.stop().await;
    }
    check(&world, &servers).await;
}

async fn nothing_on_two_instances_is_older_than_it_may_be(engine: Engine) {
    const KILLS: u32 = 3;
    let store = Store::private(engine);
    let mut servers = [Server::with(store.clone(), &SETTINGS), Server::with(store, &SETTINGS)];
    let world = World::of(&servers).await;
    let running = at_work(&world);
    let (time, mut random) = (time(8), StdRng::seed_from_u64(7));
    for kill in 0..KILLS {
        tokio::time::sleep(time / (KILLS + 1)).await;
        // Each in turn, in the middle of whatever it is at.
        tokio::time::sleep(Duration::from_millis(random.random_range(0..100))).await;
        let number = kill as usize % servers.len();
        servers[number].kill();
        servers[number].start_again();
        world.was_started(number, servers[number].client());
    }
    tokio::time::sleep(time / (KILLS + 1)).await;
    for running in running {
        running.stop().await;
    }
    check(&world, &servers).await;
}

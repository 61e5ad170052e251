//! Random reads and writes. An answer is older than it may be when it does not show what had been answered before it was asked for, or what another reader
//! had been shown.
//!
//! `CACHE_SECONDS` says how long, a few seconds unless it is set. By hand, a minute on each engine:
//!
//! ```sh
//! CACHE_SECONDS=60 cargo test --release --test suite -- cache::random --nocapture
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand::{Rng, rngs::StdRng};
use serde_json::{Value, json};

use super::at_work::{AGAIN, PATIENCE, SHOWN, Work, at_work};
use super::measures::{SETTINGS, hits, past_it};
use super::registers::Register;
use crate::support::{Answer, Api, Engine, Server, Store, tests};

tests![both: nothing_is_stale];

/// How long reads and writes go on.
pub fn time(unless_set: u64) -> Duration {
    let seconds = std::env::var("CACHE_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(unless_set))
}

/// What all share.
struct World {
    api: Api,
    registers: Vec<Register>,
    reads: AtomicUsize,
    faults: Mutex<Vec<String>>,
}

impl World {
    async fn of(api: Api) -> Arc<Self> {
        let registers = Register::made(&api).await;
        let world = Self { api, registers, reads: AtomicUsize::new(0), faults: Mutex::default() };
        // A cold database plans for seconds what it has not met: that is over before the time runs.
        for register in &world.registers {
            world.put(register, 1).await;
            for question in 0..register.questions() {
                for _ in 0..3 {
                    world.api.send(register.ask(&world.api, question)).await;
                }
            }
        }
        Arc::new(world)
    }

    fn fault(&self, what: String) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// Writes a value, again and again until it was taken, as a good client does.
    async fn put(&self, register: &Register, value: u64) {
        let began = Instant::now();
        loop {
            let answer = self.api.try_send(register.write(&self.api, value)).await;
            if answer.as_ref().is_ok_and(is_taken) {
                register.was_answered(value);
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{} is not taken: {answer:?}", register.name());
            tokio::time::sleep(AGAIN).await;
        }
    }
}

impl Work for World {
    fn registers(&self) -> usize {
        self.registers.len()
    }

    async fn read(&self, random: &mut StdRng) {
        let register = &self.registers[random.random_range(0..self.registers.len())];
        let question = random.random_range(0..register.questions());
        let (how, api) = match random.random_range(0..4) {
            0 => ("past the cache", past_it(&self.api)),
            _ => ("by the cache", self.api.clone()),
        };
        let least = register.least();
        let Some(data) = data_of(api.try_send(register.ask(&api, question)).await) else {
            // Who has no time.
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

    async fn write(&self, register: usize, value: u64, _: &mut StdRng) {
        self.put(&self.registers[register], value).await;
    }
}

/// Whether a write was taken: that of a mutation says so in its body.
pub fn is_taken(answer: &Answer) -> bool {
    let body: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let against = body.pointer("/data/commentOnCase/userErrors");
    answer.status == 200 && body.get("errors").is_none() && against.is_none_or(|errors| *errors == json!([]))
}

/// The data of an answer that has no errors.
pub fn data_of(answer: Result<Answer, reqwest::Error>) -> Option<Value> {
    let answer = answer.ok().filter(|answer| answer.status == 200)?;
    let Ok(Value::Object(mut body)) = serde_json::from_str(&answer.text) else { return None };
    if body.contains_key("errors") { None } else { body.remove("data") }
}

/// That nothing was stale, and that there was something to be.
async fn check(world: &World) {
    let faults = world.faults.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let reads = world.reads.load(Ordering::Relaxed);
    let found = hits(&world.api).await;
    let written: Vec<(String, u64)> = world.registers.iter().map(|register| (register.name(), register.most())).collect();
    println!("{reads} reads, {found} times found in the cache, written: {written:?}");
    assert!(faults.is_empty(), "{} of {reads} reads are wrong:\n{}", faults.len(), faults[..faults.len().min(SHOWN)].join("\n"));
    assert!(found > 0.0, "nothing was found in the cache");
    assert!(reads > 100 && written.iter().all(|(_, value)| *value > 5), "too little was done: {reads} reads, {written:?}");
}

async fn nothing_is_stale(engine: Engine) {
    let server = Server::with(Store::of(engine), &SETTINGS);
    let world = World::of(server.client()).await;
    let running = at_work(&world);
    tokio::time::sleep(time(4)).await;
    for running in running {
        running.stop().await;
    }
    check(&world).await;
}

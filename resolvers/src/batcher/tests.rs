//! The batcher against an operation that fails now and then and looks whether anything meets that must not.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cypher::{Bolt, BoltAddress, Engine, Error};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::{Batcher, Lane, Operation, Passage, Touch};

/// A payment of the test: its number, the accounts it touches, and whether the database will refuse it.
struct Payment {
    number: usize,
    id: String,
    accounts: Vec<u64>,
    touches: Vec<Touch>,
    is_bad: bool,
}

#[derive(Default)]
struct Seen {
    /// Accounts of transactions that are under way.
    under_way: HashSet<u64>,
    most_at_once: usize,
    at_once: usize,
    /// How often each payment was written.
    times: HashMap<usize, usize>,
}

struct Watching {
    seen: Arc<Mutex<Seen>>,
    random: Mutex<StdRng>,
}

impl Operation for Watching {
    type Row = Payment;
    type Answer = usize;

    const PASSAGE: Passage = Passage::SideBySide;

    fn name(&self) -> &'static str {
        "watching"
    }
    fn key(row: &Payment) -> &str {
        &row.id
    }
    fn touches(row: &Payment) -> &[Touch] {
        &row.touches
    }
    fn size(_row: &Payment) -> usize {
        1
    }

    async fn apply(&self, _engine: &Engine, rows: &[&Payment], answers: &mut [Option<usize>]) -> Result<(), Error> {
        let accounts: HashSet<u64> = rows.iter().flat_map(|row| row.accounts.iter().copied()).collect();
        {
            let mut seen = self.seen.lock().expect("no panic while it is held");
            assert!(seen.under_way.is_disjoint(&accounts), "two transactions under way touch the same account");
            seen.under_way.extend(&accounts);
            seen.at_once += 1;
            seen.most_at_once = seen.most_at_once.max(seen.at_once);
        }
        let (pause, luck) = {
            let mut random = self.random.lock().expect("no panic while it is held");
            (random.random_range(50..500), random.random_range(0..10))
        };
        tokio::time::sleep(Duration::from_micros(pause)).await;
        let mut seen = self.seen.lock().expect("no panic while it is held");
        seen.at_once -= 1;
        seen.under_way.retain(|account| !accounts.contains(account));
        let detail = String::new();
        if luck == 0 {
            return Err(Error::Conflict { statement: "watching", detail });
        }
        // Now and then half of it is durable before the rest fails.
        let until = if luck == 1 { rows.len() / 2 } else { rows.len() };
        if rows[..until].iter().any(|row| row.is_bad) {
            return Err(Error::Constraint { statement: "watching", detail });
        }
        for (row, answer) in rows.iter().zip(answers).take(until) {
            *answer = Some(row.number);
            *seen.times.entry(row.number).or_default() += 1;
        }
        if until < rows.len() { Err(Error::Conflict { statement: "watching", detail }) } else { Ok(()) }
    }
}

fn neo4j_that_nobody_asks() -> Engine {
    let address = BoltAddress { url: "bolt://127.0.0.1:1".into(), user: String::new(), password: String::new(), database: None, connections: 1 };
    Engine::Bolt(Bolt::open(address).expect("an address"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_write_once_and_none_beside_another_of_its_account() {
    for seed in 0..5 {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let operation = Watching { seen: Arc::clone(&seen), random: Mutex::new(StdRng::seed_from_u64(seed)) };
        let batcher = Batcher::start(operation, neo4j_that_nobody_asks(), Lane::default());
        let mut random = StdRng::seed_from_u64(seed);
        let mut waiting = Vec::new();
        let accounts_there_are = [3, 40, 2_000, 2_000, 2_000][seed as usize];
        for number in 0..1_500 {
            let accounts: Vec<u64> = (0..2).map(|_| random.random_range(0..accounts_there_are)).collect();
            let touches = accounts.iter().map(|account| Touch::of("account", &account.to_string())).collect();
            let payment = Payment { number, id: format!("{number:05}"), accounts, touches, is_bad: number % 97 == 0 };
            let batcher = batcher.clone();
            waiting.push(tokio::spawn(async move { batcher.try_write(payment).await }));
            if random.random_range(0..20) == 0 {
                tokio::time::sleep(Duration::from_micros(200)).await;
            }
        }
        for (number, answer) in waiting.into_iter().enumerate() {
            match answer.await.expect("no panic") {
                Ok(answer) => assert!(answer == number && number % 97 != 0, "{number}: {answer}"),
                Err(error) => assert!(number % 97 == 0 && matches!(error, Error::Constraint { .. }), "{number}: {error}"),
            }
        }
        let seen = seen.lock().expect("no panic while it is held");
        assert!(seen.times.values().all(|times| *times == 1), "seed {seed}: something was written twice");
        assert!(seen.most_at_once <= 3, "seed {seed}: {} at once", seen.most_at_once);
        assert!(accounts_there_are < 2_000 || seen.most_at_once > 1, "seed {seed}: nothing ran side by side");
    }
}

//! Subscribers that resume by their position, while servers are killed, connections are cut and Neo4j dies: at the end each has what the change feed has,
//! nothing less and nothing twice.
//!
//! `LIVE_KILLS` says how often something is killed, 12 times unless it is set. By hand, a hundred times on both engines:
//!
//! ```sh
//! LIVE_KILLS=100 cargo test --release --test suite -- live_chaos --nocapture
//! ```

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::support::fixtures::case_id;
use crate::support::follower::Follower;
use crate::support::live::{CASE_CHANGES, of_cases, told};
use crate::support::subscriber::Subscriber;
use crate::support::{Api, Engine, Server, Store, eventually, jobs, tests};

tests![both: subscribers_lose_and_double_nothing_whatever_is_killed];

const WRITERS: usize = 3;
/// Changes of cases between two kills, at least.
const BETWEEN_KILLS: usize = 12;
/// Changes of one case, beside the one that makes it.
const OF_A_CASE: usize = 8;
/// What a subscriber waits for before it looks whether it is to end.
const A_MOMENT: Duration = Duration::from_millis(200);
/// A Neo4j that was killed has to recover and to plan everything anew.
const PATIENCE: Duration = Duration::from_secs(300);

fn kills() -> usize {
    std::env::var("LIVE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(12)
}

/// The instances that there are now, for clients that go to whichever answers.
type Instances = Arc<Mutex<Vec<Api>>>;

fn one_of(instances: &Instances, number: usize) -> Api {
    let instances = instances.lock().unwrap_or_else(PoisonError::into_inner);
    instances[number % instances.len()].clone()
}

/// Makes cases and changes them, each again and again until it was taken, as a good client does.
async fn write_on(instances: Instances, first: usize, written: Arc<AtomicUsize>, is_over: Arc<AtomicBool>) {
    let mut turn = first;
    while !is_over.load(Ordering::Relaxed) {
        let id = case_id();
        until_taken(&instances, &mut turn, "POST", "/api/cases", &json!({"id": id, "actors": [{"id": format!("actor-of-{id}")}]})).await;
        for number in 0..OF_A_CASE {
            until_taken(&instances, &mut turn, "PATCH", &format!("/api/cases/{id}"), &json!({"c__n": number})).await;
            written.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn until_taken(instances: &Instances, turn: &mut usize, method: &str, path: &str, body: &Value) {
    loop {
        *turn += 1;
        let now = one_of(instances, *turn);
        match now.try_send(now.sending(method, path, body.to_string())).await {
            Ok(answer) if answer.status == 200 => return,
            Ok(answer) => assert!([500, 503].contains(&answer.status), "{answer:?}"),
            Err(_) => {}
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Reads on until it is told that all is over; its connection breaks now and then, and it goes on at any instance.
async fn follow(mut subscriber: Subscriber, instances: Instances, seed: u64, is_over: Arc<AtomicBool>) -> Subscriber {
    let mut random = StdRng::seed_from_u64(seed);
    while !is_over.load(Ordering::Relaxed) {
        let api = one_of(&instances, random.random_range(0..2));
        for _ in 0..random.random_range(1..40) {
            subscriber.read_on(&api, A_MOMENT).await;
            if is_over.load(Ordering::Relaxed) {
                break;
            }
        }
        subscriber.cut_off();
    }
    subscriber
}

/// What is killed.
#[derive(Debug)]
enum Victim {
    Server(usize),
    Database,
}

async fn subscribers_lose_and_double_nothing_whatever_is_killed(engine: Engine) {
    let store = Store::private(engine);
    // An embedded store can be open in one process only.
    let count = if engine == Engine::Embedded { 1 } else { 2 };
    let mut servers: Vec<Server> = (0..count).map(|_| Server::on(store.clone())).collect();
    let instances: Instances = Arc::new(Mutex::new(servers.iter().map(Server::client).collect()));
    let mut feed = Follower::from_now(&servers[0]).await;
    let begun = feed.position.to_string();
    let (written, writers_are_done, all_is_over) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let writers: Vec<JoinHandle<()>> = (0..WRITERS)
        .map(|first| tokio::spawn(write_on(Arc::clone(&instances), first, Arc::clone(&written), Arc::clone(&writers_are_done))))
        .collect();
    let subscribers = [1, 2].map(|seed| {
        let subscriber = Subscriber::behind(&begun, servers[0].key(), (CASE_CHANGES, "caseChanges"), json!({}));
        tokio::spawn(follow(subscriber, Arc::clone(&instances), seed, Arc::clone(&all_is_over)))
    });
    let mut random = StdRng::seed_from_u64(11);
    for kill in 1..=kills() {
        let due = written.load(Ordering::Relaxed) + BETWEEN_KILLS;
        eventually("changes go on", PATIENCE, async || written.load(Ordering::Relaxed) >= due).await;
        // At any moment of what comes next.
        tokio::time::sleep(Duration::from_millis(random.random_range(0..150))).await;
        let victim = if engine == Engine::Neo4j && kill % 10 == 5 { Victim::Database } else { Victim::Server(random.random_range(0..count)) };
        println!("kill {kill}: {victim:?}, {} changes", written.load(Ordering::Relaxed));
        match victim {
            Victim::Server(number) => {
                servers[number].kill();
                servers[number].start_again();
                instances.lock().unwrap_or_else(PoisonError::into_inner)[number] = servers[number].client();
            }
            Victim::Database => {
                let neo4j = store.neo4j().expect("a Neo4j");
                neo4j.kill().expect("it is killed");
                neo4j.start_again().expect("it starts");
            }
        }
    }
    writers_are_done.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.expect("a writer ends well");
    }
    jobs::none_left(&servers[0]).await;
    feed.read_all(&servers[0]).await;
    let wanted = of_cases(&feed, |_| true);
    assert!(wanted.len() >= kills() * BETWEEN_KILLS, "{} changes", wanted.len());
    all_is_over.store(true, Ordering::Relaxed);
    for (number, subscriber) in subscribers.into_iter().enumerate() {
        let mut subscriber = subscriber.await.expect("a subscriber ends well");
        println!("subscriber {number} has {} of {} events", subscriber.events.len(), wanted.len());
        subscriber.read_until(&servers[0], "the rest comes", |events| events.len() >= wanted.len()).await;
        let came: Vec<_> = subscriber.events.iter().map(told).collect();
        assert_eq!(came, wanted, "0 lost, 0 doubled, in order");
    }
}

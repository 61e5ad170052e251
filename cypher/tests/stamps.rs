//! Stamps against the store: random writers and readers, commits that are delayed, undone, broken off or that fail. Who keeps answers as stamps allow is
//! never shown less than a write was told to have made, nor than another reader has been shown.

use std::collections::HashMap;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cypher::{Embedded, Engine, Moment, Params, Stamps, Statement, Value};
use rand::{Rng, SeedableRng, rngs::StdRng};

/// Nodes, each with a number that one writer at a time makes larger.
const NODES: usize = 4;
const WRITERS: usize = 3;
const READERS: usize = 4;
const TIME: Duration = Duration::from_secs(2);
const LIMIT: Duration = Duration::from_secs(5);

const MAKE: Statement = Statement::new("test/make", "UNWIND $rows AS row MERGE (a:Actor {id: row.id}) SET a.name = row.id, a.number = 0");
const SET: Statement = Statement::new("test/set", "UNWIND $rows AS row MATCH (a:Actor {id: row.id}) SET a.number = row.number");
const BROKEN: Statement = Statement::new("test/broken", "UNWIND $rows AS row MATCH (a:Actor {id: row.id}) SET a.number = row.number IS NO CYPHER");
const READ: Statement = Statement::new("test/read", "UNWIND $ids AS id MATCH (a:Actor {id: id}) RETURN a.number AS number");

/// Answers as somebody keeps them who goes by the stamps, and what a reader has to be shown at least.
struct World {
    engine: Engine,
    stamps: Arc<Stamps>,
    kept: Mutex<HashMap<usize, (Moment, i64)>>,
    /// Of each node: the largest number that a write was told to have made or a reader was shown, and the turn of its writer.
    least: Vec<Mutex<i64>>,
    turns: Vec<tokio::sync::Mutex<i64>>,
    hits: AtomicUsize,
    reads: AtomicUsize,
    is_over: AtomicBool,
}

fn row(node: usize, number: i64) -> Params {
    Params::rows(vec![cypher::map([("id", format!("actor-{node}").into()), ("number", number.into())])])
}

impl World {
    async fn new(engine: Engine) -> Arc<Self> {
        let stamps = Arc::new(Stamps::new(Duration::from_secs(60)));
        let engine = engine.stamped(Arc::clone(&stamps));
        for node in 0..NODES {
            engine.write(MAKE, row(node, 0)).await.expect("it is made");
        }
        Arc::new(Self {
            engine,
            stamps,
            kept: Mutex::default(),
            least: (0..NODES).map(|_| Mutex::default()).collect(),
            turns: (0..NODES).map(|_| tokio::sync::Mutex::default()).collect(),
            hits: AtomicUsize::new(0),
            reads: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        })
    }

    fn shown(&self, node: usize, number: i64) {
        let mut least = self.least[node].lock().expect("no panic");
        *least = number.max(*least);
    }

    /// Makes a number larger in one of the ways there are, some of which come to nothing.
    async fn write(&self, random: &mut StdRng) {
        let node = random.random_range(0..NODES);
        let mut last = self.turns[node].lock().await;
        *last += 1;
        let pause = Duration::from_micros(random.random_range(0..3_000));
        let is_made = match random.random_range(0..6) {
            0 => self.engine.write(SET, row(node, *last)).await.is_ok(),
            1 => {
                let mut transaction = self.engine.begin().await.expect("it begins");
                transaction.run(SET, row(node, *last)).await.expect("it runs");
                tokio::time::sleep(pause).await;
                transaction.commit().await.is_ok()
            }
            2 => {
                let mut transaction = self.engine.begin().await.expect("it begins");
                transaction.put(SET, row(node, *last)).await.expect("it runs");
                tokio::time::sleep(pause).await;
                transaction.rollback().await;
                false
            }
            3 => {
                let mut transaction = self.engine.begin().await.expect("it begins");
                transaction.run(SET, row(node, *last)).await.expect("it runs");
                assert!(transaction.run(BROKEN, row(node, *last)).await.is_err());
                drop(transaction);
                false
            }
            // Its writer goes away: whether it is made, nobody is told. The next number is larger in any case.
            4 => {
                let _ = tokio::time::timeout(pause, self.engine.write(SET, row(node, *last))).await;
                // The engine's writers take turns: when this one has ended, that one has.
                self.engine
                    .write(
                        SET,
                        row(node, {
                            *last += 1;
                            *last
                        }),
                    )
                    .await
                    .is_ok()
            }
            _ => {
                assert!(self.engine.write(BROKEN, row(node, *last)).await.is_err());
                false
            }
        };
        if is_made {
            self.shown(node, *last);
        }
    }

    /// Reads a number, from what is kept where the stamps say that it is good.
    async fn read(&self, random: &mut StdRng) {
        let node = random.random_range(0..NODES);
        let least = *self.least[node].lock().expect("no panic");
        let areas = self.stamps.areas_of(READ.text).expect("its areas are known");
        let kept = self.kept.lock().expect("no panic").get(&node).copied();
        let good = kept.filter(|(since, _)| self.stamps.are_unchanged(&areas, None, *since));
        let number = match good {
            Some((_, number)) => {
                self.hits.fetch_add(1, SeqCst);
                number
            }
            None => {
                let since = self.stamps.now();
                let ids = Params::none().with("ids", vec![format!("actor-{node}")]);
                let rows = self.engine.read(READ, ids, LIMIT).await.expect("it is read");
                let number = rows.first().map(|row| row.get("number")).and_then(Value::as_int).expect("a number");
                // Late, and maybe in the place of what was read after it.
                tokio::time::sleep(Duration::from_micros(random.random_range(0..500))).await;
                self.kept.lock().expect("no panic").insert(node, (since, number));
                number
            }
        };
        self.reads.fetch_add(1, SeqCst);
        assert!(number >= least, "node {node}: {number} is shown where {least} had been, {}", if good.is_some() { "kept" } else { "read" });
        self.shown(node, number);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_kept_is_never_older_than_what_was_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = World::new(Engine::Embedded(Embedded::open(folder.path()).await.expect("it opens"))).await;
    let mut tasks = tokio::task::JoinSet::new();
    for seed in 0..WRITERS + READERS {
        let world = Arc::clone(&world);
        tasks.spawn(async move {
            let mut random = StdRng::seed_from_u64(seed as u64);
            while !world.is_over.load(SeqCst) {
                if seed < WRITERS {
                    world.write(&mut random).await;
                    // So that there is something to be kept.
                    tokio::time::sleep(Duration::from_millis(random.random_range(0..10))).await;
                } else {
                    world.read(&mut random).await;
                    tokio::task::yield_now().await;
                }
            }
        });
    }
    tokio::time::sleep(TIME).await;
    world.is_over.store(true, SeqCst);
    while let Some(ended) = tasks.join_next().await {
        ended.expect("nothing was older than it may be");
    }
    let (hits, reads) = (world.hits.load(SeqCst), world.reads.load(SeqCst));
    println!("{hits} of {reads} were kept");
    assert!(hits > 100 && reads > hits, "{hits} of {reads} were kept");
    // When all is over, nothing is marked; what was broken off ends a little later.
    let areas = world.stamps.areas_of(READ.text).expect("its areas are known");
    for _ in 0..200 {
        if world.stamps.are_unchanged(&areas, None, world.stamps.now()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("marks of a write stay that is over");
}

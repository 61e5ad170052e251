//! The queue against changes that fail now and then and look whether anything meets that must not.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cypher::{Bolt, BoltAddress, Engine};
use futures::future::BoxFuture;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use resolvers::jobs::Waker;
use resolvers::testing::audit::entry::{Object, entry_of_service, entry_with_id};
use resolvers::testing::audit::gatherer::Gatherer;
use resolvers::testing::audit::telling::stranger_entry;
use resolvers::testing::bulk::awaited::Awaited;
use resolvers::testing::device::RECORD_DEVICE;
use resolvers::testing::queue::change::{Change, Company, Done, Item, Rank};
use resolvers::testing::queue::submission::LockHint;
use resolvers::testing::queue::unit_of_work::UnitOfWork;
use resolvers::testing::queue::{Along, Queue, Write, WriteError};
use resolvers::{Error, ObjectKind, SystemClock};
use tokio::sync::Semaphore;

/// A payment of the test: its number, the accounts it touches, and what will become of it.
struct Payment {
    number: usize,
    accounts: Vec<u64>,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Good,
    /// The database will refuse it.
    Broken,
    /// It takes longer than a transaction may.
    Slow,
    /// The change says no.
    Refused,
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

/// A change that only pretends: it never asks the database.
struct Watching {
    name: &'static str,
    company: Company,
    seen: Arc<Mutex<Seen>>,
    random: Mutex<StdRng>,
}

impl Watching {
    fn leaked(name: &'static str, company: Company, seen: &Arc<Mutex<Seen>>, seed: u64) -> &'static Self {
        Box::leak(Box::new(Self { name, company, seen: Arc::clone(seen), random: Mutex::new(StdRng::seed_from_u64(seed)) }))
    }

    /// Writes some of the rows, in a transaction or as part of one.
    async fn watch(&self, rows: &[&Payment]) -> Result<usize, cypher::Error> {
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
        if luck == 0 {
            return Err(cypher::Error::Conflict { statement: "watching", detail: String::new() });
        }
        if rows.iter().any(|row| row.fate == Fate::Slow) {
            return Err(cypher::Error::TimeLimit { statement: "watching" });
        }
        if rows.iter().any(|row| row.fate == Fate::Broken) {
            return Err(cypher::Error::Constraint { statement: "watching", detail: String::new() });
        }
        // Now and then the fast way does half of it.
        let until = if luck == 1 && self.company == Company::OwnKind { rows.len() / 2 } else { rows.len() };
        // What shares a transaction with another kind may be undone and done again; what keeps to itself may not.
        for row in rows.iter().take(until).filter(|row| row.fate == Fate::Good && self.company == Company::OwnKind) {
            *seen.times.entry(row.number).or_default() += 1;
        }
        Ok(until)
    }
}

impl Change for Watching {
    type Row = Payment;
    type Answer = usize;

    fn name(&self) -> &'static str {
        self.name
    }

    fn rank(&self) -> Rank {
        Rank::Record
    }

    fn company(&self) -> Company {
        self.company
    }

    fn size(&self, _row: &Payment) -> usize {
        1
    }

    fn at_once<'a>(
        &'a self,
        _engine: &'a Engine,
        _limit: Duration,
        items: &'a [Item<'a, Payment>],
    ) -> Option<BoxFuture<'a, Result<Vec<Option<usize>>, cypher::Error>>> {
        Some(Box::pin(async move {
            let rows: Vec<&Payment> = items.iter().map(|item| item.row).collect();
            let until = self.watch(&rows).await?;
            let done = |(at, row): (usize, &&Payment)| (at < until && row.fate == Fate::Good).then_some(row.number);
            Ok(rows.iter().enumerate().map(done).collect())
        }))
    }

    fn apply<'a>(
        &'a self,
        _unit: &'a mut UnitOfWork,
        items: &'a [Item<'a, Payment>],
    ) -> BoxFuture<'a, Result<Vec<resolvers::Result<Done<usize>>>, cypher::Error>> {
        Box::pin(async move {
            let rows: Vec<&Payment> = items.iter().map(|item| item.row).collect();
            self.watch(&rows).await?;
            let outcome = |row: &&Payment| match row.fate {
                // Without an entry there is nothing to append, so that the database is not asked.
                Fate::Good => Ok(Done { answer: row.number, entry: None, events: Vec::new(), kept: None }),
                _ => Err(Error::not_found(ObjectKind::Actor, "refused")),
            };
            Ok(rows.iter().map(outcome).collect())
        })
    }
}

/// A queue over a Neo4j that nobody asks, but for refusals, which wait for ever.
fn queue() -> Queue {
    let engine = neo4j_that_nobody_asks();
    let gatherer = Gatherer::start(engine.clone(), stranger_entry(Arc::new(SystemClock)));
    Queue::start(engine, gatherer, Waker::default(), Awaited::default())
}

fn neo4j_that_nobody_asks() -> Engine {
    let address = BoltAddress { url: "bolt://127.0.0.1:1".into(), user: String::new(), password: String::new(), database: None, connections: 1 };
    Engine::Bolt(Bolt::open(address).expect("an address"))
}

fn write_of(payment: Payment) -> Write<Payment> {
    let id = format!("{:05}", payment.number);
    let entry = entry_of_service(Object { kind: "Transaction", id: &id, action: "watched" });
    let locks: Vec<LockHint> = payment.accounts.iter().map(|account| LockHint::of("Account", &account.to_string())).collect();
    Write::new(payment, entry).locking(locks)
}

fn fate_of(number: usize) -> Fate {
    match number {
        number if number.is_multiple_of(97) => Fate::Broken,
        number if number % 101 == 5 => Fate::Refused,
        250 => Fate::Slow,
        _ => Fate::Good,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_write_once_and_none_beside_another_of_its_account() {
    for seed in 0..5 {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let kinds = [("alone", Company::OwnKind), ("one", Company::AnyKind), ("other", Company::AnyKind)];
        let kinds = kinds.map(|(name, company)| Watching::leaked(name, company, &seen, seed));
        let queue = queue();
        let mut random = StdRng::seed_from_u64(seed);
        let mut waiting = Vec::new();
        let accounts_there_are = [3, 40, 2_000, 2_000, 2_000][seed as usize];
        for number in 0..1_500 {
            let accounts: Vec<u64> = (0..2).map(|_| random.random_range(0..accounts_there_are)).collect();
            let write = write_of(Payment { number, accounts, fate: fate_of(number) });
            let (queue, change) = (queue.clone(), kinds[random.random_range(0..3)]);
            waiting.push(tokio::spawn(async move { queue.write_along(change, write, Along::default()).await }));
            if random.random_range(0..20) == 0 {
                tokio::time::sleep(Duration::from_micros(200)).await;
            }
        }
        for (number, answer) in waiting.into_iter().enumerate() {
            let right = match (&answer.await.expect("no panic"), fate_of(number)) {
                (Ok(answer), Fate::Good) => *answer == number,
                (Err(WriteError::Database(cypher::Error::Constraint { .. })), Fate::Broken) => true,
                (Err(WriteError::Database(cypher::Error::TimeLimit { .. })), Fate::Slow) => true,
                (Err(WriteError::Refused(Error::NotFound { .. })), Fate::Refused) => true,
                _ => false,
            };
            assert!(right, "seed {seed}: {number}");
        }
        let seen = seen.lock().expect("no panic while it is held");
        assert!(seen.times.values().all(|times| *times == 1), "seed {seed}: something was written twice");
        assert!(seen.most_at_once <= 4, "seed {seed}: {} at once", seen.most_at_once);
        assert!(accounts_there_are < 2_000 || seen.most_at_once > 1, "seed {seed}: nothing ran side by side");
    }
}

/// A change of its own that has the name of another, as those have that share a statement.
struct Namesake;

impl Change for Namesake {
    type Row = &'static str;
    type Answer = &'static str;

    fn name(&self) -> &'static str {
        "one"
    }

    fn rank(&self) -> Rank {
        Rank::Record
    }

    fn size(&self, _row: &&'static str) -> usize {
        1
    }

    fn apply<'a>(
        &'a self,
        _unit: &'a mut UnitOfWork,
        items: &'a [Item<'a, &'static str>],
    ) -> BoxFuture<'a, Result<Vec<resolvers::Result<Done<&'static str>>>, cypher::Error>> {
        let done = items.iter().map(|item| Ok(Done { answer: *item.row, entry: None, events: Vec::new(), kept: None })).collect();
        Box::pin(async move { Ok(done) })
    }
}

#[tokio::test]
async fn kinds_of_one_name_get_their_own_rows() {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let one = Watching::leaked("one", Company::AnyKind, &seen, 1);
    let queue = queue();
    let payment = || write_of(Payment { number: 1, accounts: vec![1], fate: Fate::Good });
    let text = Write::new("text", payment().entry);
    let both = queue.write_both((one, payment()), (&Namesake, text), Along::default()).await;
    assert_eq!(both.expect("nothing is wrong with it"), (1, "text"));
}

#[tokio::test]
async fn of_two_parts_none_is_written_when_one_is_refused() {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let (one, other) = (Watching::leaked("one", Company::AnyKind, &seen, 1), Watching::leaked("other", Company::AnyKind, &seen, 2));
    let queue = queue();
    let good = |number| write_of(Payment { number, accounts: vec![1], fate: Fate::Good });
    let refused = write_of(Payment { number: 2, accounts: vec![2], fate: Fate::Refused });
    let (together, beside) = tokio::join!(
        queue.write_both((one, good(1)), (other, refused), Along::default()),
        queue.write_both((one, good(3)), (other, good(4)), Along::default())
    );
    assert!(matches!(together, Err(WriteError::Refused(Error::NotFound { .. }))));
    assert_eq!(beside.expect("nothing is wrong with it"), (3, 4));
    queue.idle().await;
}

/// Takes longer than it may, as soon as it may go on.
struct Stuck {
    attempts: AtomicUsize,
    gate: Semaphore,
}

impl Change for Stuck {
    type Row = ();
    type Answer = ();

    fn name(&self) -> &'static str {
        "stuck"
    }

    fn rank(&self) -> Rank {
        Rank::Record
    }

    fn size(&self, _row: &()) -> usize {
        1
    }

    fn apply<'a>(
        &'a self,
        _unit: &'a mut UnitOfWork,
        _items: &'a [Item<'a, ()>],
    ) -> BoxFuture<'a, Result<Vec<resolvers::Result<Done<()>>>, cypher::Error>> {
        Box::pin(async {
            self.attempts.fetch_add(1, Ordering::SeqCst);
            // It is never given a permit: closing ends the wait.
            let _ = self.gate.acquire().await;
            Err(cypher::Error::TimeLimit { statement: "stuck" })
        })
    }
}

#[tokio::test]
async fn what_nobody_waits_for_any_more_is_not_tried_again() {
    let stuck: &Stuck = Box::leak(Box::new(Stuck { attempts: AtomicUsize::new(0), gate: Semaphore::new(0) }));
    let queue = queue();
    let write = |number| {
        let Write { entry, .. } = write_of(Payment { number, accounts: Vec::new(), fate: Fate::Good });
        let (queue, write) = (queue.clone(), Write::new((), entry));
        tokio::spawn(async move { queue.write(stuck, write).await })
    };
    let callers: Vec<_> = (0..64).map(write).collect();
    while stuck.attempts.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    for caller in callers {
        caller.abort();
        assert!(caller.await.is_err_and(|error| error.is_cancelled()), "nobody has been answered");
    }
    let attempts = stuck.attempts.load(Ordering::SeqCst);
    stuck.gate.close();
    queue.idle().await;
    assert_eq!(stuck.attempts.load(Ordering::SeqCst), attempts);
}

/// A write whose entry is in the store was made, though nobody heard of it: it is told so, and whoever comes with it is written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_again_under_the_same_entry_is_made_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(cypher::Embedded::open(folder.path()).await.expect("opens"));
    cypher::migrate(&engine).await.expect("migrates");
    let gatherer = Gatherer::start(engine.clone(), stranger_entry(Arc::new(SystemClock)));
    let queue = Queue::start(engine.clone(), gatherer, Waker::default(), Awaited::default());
    let write = |id: &'static str, entry: &str| {
        let entry = entry_with_id(entry, Object { kind: "Device", id, action: "device.recorded" });
        let row = cypher::map([("id", id.into()), ("props", cypher::map([("name", id.into())]))]);
        let write = Write::new(row, entry);
        let queue = queue.clone();
        tokio::spawn(async move { queue.write_along(&RECORD_DEVICE, write, Along::default()).await.is_ok() })
    };
    assert!(write("device", "once").await.expect("no panic"));
    let again = [write("device", "once"), write("other", "another"), write("device", "once")];
    for again in again {
        assert!(again.await.expect("no panic"));
    }
    let read = async |label: &'static str, text: &'static str| {
        let mut ids: Vec<_> = engine.read(cypher::Statement::new(label, text), cypher::Params::none(), Duration::from_secs(5)).await.expect("reads");
        ids.drain(..).map(|row| row.get("id").as_text().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(read("test/entries", "MATCH (n:AuditEntry) RETURN n.id AS id ORDER BY id").await, ["another", "once"]);
    assert_eq!(read("test/devices", "MATCH (n:Device) RETURN n.id AS id ORDER BY id").await, ["device", "other"]);
}

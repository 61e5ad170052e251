//! What a commit costs on the embedded engine, by how large the store is.
//!
//!     cargo build --workspace --examples && target/debug/examples/embedded_commit [FOLDER]
//!
//! Fills a store with payments and measures at each size: one payment a commit, 64 a commit, by a statement that is a transaction of its own
//! (in place) and by an explicit transaction (on a fork). Dependencies are optimised in a dev build, so that the engine is measured fairly.
//! Every commit is flushed to the disk; what the disk alone takes for that is printed too, as it is the noisy part. Compare within one run.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cypher::{Embedded, Engine, Params, Statement, Value, map, migrate};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RECORD: Statement = Statement::new("record", include_str!("embedded_commit.cypher"));
const SIZES: [u64; 4] = [0, 8_000, 16_000, 100_000];
const ACCOUNTS: u64 = 6_200;
const FILL: u64 = 500;

#[derive(Clone, Copy)]
enum Way {
    InPlace,
    OnFork,
}

struct Store {
    engine: Engine,
    payments: u64,
}

#[tokio::main]
async fn main() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = std::env::args().nth(1).map_or_else(|| temporary.path().to_owned(), PathBuf::from).join("embedded_commit");
    let _ = std::fs::remove_dir_all(&folder);
    let engine = Engine::Embedded(Embedded::open(&folder).await.expect("the store opens"));
    migrate(&engine).await.expect("it takes the migrations");
    println!("a flush of 2 KB by the disk alone: {:.2} ms\n", millis(disk_alone(&folder)));
    println!(
        "| payments | in place: 1 a commit, ms p50 / p99 | 64 a commit, ms p50 | two writers of 32, payments/s | on a fork: 1 a commit | 64 a commit | MiB resident |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut store = Store { engine, payments: 0 };
    for size in SIZES {
        store.fill(size).await;
        let [single, batch] = [store.measure(Way::InPlace, 1, 200).await, store.measure(Way::InPlace, 64, 30).await];
        let [forked, forked_batch] = [store.measure(Way::OnFork, 1, 100).await, store.measure(Way::OnFork, 64, 15).await];
        let a_second = store.two_writers(32, 30).await;
        println!(
            "| {size} | {:.2} / {:.2} | {:.1} | {a_second:.0} | {:.2} / {:.2} | {:.1} | {} |",
            millis(single.median),
            millis(single.p99),
            millis(batch.median),
            millis(forked.median),
            millis(forked.p99),
            millis(forked_batch.median),
            resident_mib(),
        );
    }
    let started = Instant::now();
    store.engine.close().await.expect("the log is folded");
    println!("\nfolding the log into the store file: {:.2} s, {} MiB resident after it", started.elapsed().as_secs_f64(), resident_mib());
    let _ = std::fs::remove_dir_all(&folder);
}

impl Store {
    async fn fill(&mut self, size: u64) {
        while self.payments < size {
            let rows = self.rows(FILL);
            self.engine.write(RECORD, rows).await.expect("a batch is recorded");
        }
    }

    async fn measure(&mut self, way: Way, rows: u64, commits: usize) -> Times {
        let mut times = Vec::with_capacity(commits);
        for _ in 0..commits {
            let params = self.rows(rows);
            let started = Instant::now();
            match way {
                Way::InPlace => drop(self.engine.write(RECORD, params).await.expect("recorded")),
                Way::OnFork => {
                    let mut transaction = self.engine.begin().await.expect("begun");
                    transaction.run(RECORD, params).await.expect("recorded");
                    transaction.commit().await.expect("committed");
                }
            }
            times.push(started.elapsed());
        }
        times.sort();
        Times { median: times[commits / 2], p99: times[commits * 99 / 100] }
    }

    /// Payments a second by two writers, as the program's queue has them: one works while the log is flushed for the other.
    async fn two_writers(&mut self, rows: u64, commits: u64) -> f64 {
        let batches: Vec<[Params; 2]> = (0..commits).map(|_| [self.rows(rows), self.rows(rows)]).collect();
        let (one, other): (Vec<_>, Vec<_>) = batches.into_iter().map(|[one, other]| (one, other)).unzip();
        let started = Instant::now();
        let write = async |batches: Vec<Params>| {
            for rows in batches {
                self.engine.write(RECORD, rows).await.expect("recorded");
            }
        };
        tokio::join!(write(one), write(other));
        (2 * rows * commits) as f64 / started.elapsed().as_secs_f64()
    }

    /// The next payments, between accounts that look drawn at random.
    fn rows(&mut self, count: u64) -> Params {
        let numbers = self.payments..self.payments + count;
        self.payments += count;
        Params::none().with("rows", Value::List(numbers.map(payment).collect()))
    }
}

struct Times {
    median: Duration,
    p99: Duration,
}

fn payment(number: u64) -> Value {
    let drawn = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (from, to) = (format!("account-{}", (drawn >> 40) % ACCOUNTS), format!("account-{}", (drawn >> 16) % ACCOUNTS));
    let id = format!("transaction-{number:08}");
    let record = format!(
        r#"{{"object":"transaction","id":"{id}","account_id":"{from}","account_owner_id":"actor-{from}","amount":{{"value":12.30,"currency":"EUR"}},"standardized_amount":12.30,"direction":"OUTBOUND","status":"COMPLETED","created_at":"2024-05-01T10:00:00Z","counterparty":{{"object":"account","account_id":"{to}"}},"description":"invoice {number} of the month, as agreed","method":"WIRE"}}"#
    );
    map([
        ("id", id.into()),
        ("record", record.into()),
        ("from", from.into()),
        ("to", to.into()),
        ("createdAt", (1_700_000_000_000 + (number * 977 % 1_000_000) as i64).into()),
        ("entryId", format!("entry-{number:08}").into()),
    ])
}

/// The median of appending 2 KB to a file and flushing it.
fn disk_alone(folder: &Path) -> Duration {
    let path = folder.join("flush");
    let mut file = File::create(&path).expect("a file");
    let mut times: Vec<_> = (0..100)
        .map(|_| {
            let started = Instant::now();
            file.write_all(&[7; 2048]).and_then(|()| file.sync_data()).expect("written");
            started.elapsed()
        })
        .collect();
    let _ = std::fs::remove_file(path);
    times.sort();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn resident_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

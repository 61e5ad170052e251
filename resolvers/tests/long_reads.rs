//! Long reads on both engines: each row once and in order whatever is written meanwhile, and roll-ups that are what their payments add up to.

// The type of a worker's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

mod engines;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cypher::statements::rows::PaymentRow;
use cypher::{Engine, Params, Statement, Value, map};
use engines::{Body, on_both};
use futures::stream::{self, StreamExt};
use graph_schema::id::TransactionId;
use graph_schema::job::JobStatus;
use graph_schema::transaction::TransactionRecord;
use libtest_mimic::Arguments;
use resolvers::jobs::ShownJob;
use resolvers::{Caller, Clock, Error, Resolvers, RowStream, ScreeningRequest, Settings, SystemClock};
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;

const SOON: Duration = Duration::from_secs(240);
/// How long one write of a test may take: a busy Neo4j plans it first.
const WRITTEN_WITHIN: Duration = Duration::from_secs(60);
/// Payments that are there from the start to the end of a test.
const STABLE: usize = 2_500;

/// Payments without accounts: what a stream goes by is their ids.
const FILL: Statement = Statement::new(
    "test/fill",
    "UNWIND $rows AS row CREATE (t:Transaction {id: row.id, name: 'Payment', record: '{}', accountId: 'a', createdAt: 1, recordedAt: 1, logicalTime: 1, \
     amountUnits: 1, amountNanos: 0, standardUnits: 1, standardNanos: 0, currency: 'EUR', status: 'COMPLETED', direction: 'OUTBOUND'})",
);
const AMEND: Statement = Statement::new("test/amend", "UNWIND $rows AS row MATCH (t:Transaction {id: row.id}) SET t.amountUnits = 2");
const REMOVE: Statement = Statement::new("test/remove", "UNWIND $rows AS row MATCH (t:Transaction {id: row.id}) DETACH DELETE t");

fn caller() -> Caller {
    Caller::operator("test")
}

fn rows(ids: impl IntoIterator<Item = String>) -> Params {
    Params::rows(ids.into_iter().map(|id| map([("id", id.into())])).collect::<Vec<Value>>())
}

/// Ids of one test on one engine, in order: of the stable ones, and of those that come or go.
struct Ids(String);

impl Ids {
    fn new() -> Self {
        Self(format!("long-{}-", SystemClock.id()))
    }

    fn stable(&self, number: usize) -> String {
        format!("{}{number:06}-1", self.0)
    }

    fn other(&self, number: usize) -> String {
        format!("{}{number:06}-2", self.0)
    }

    async fn fill(&self, engine: &Engine) {
        for begin in (0..STABLE).step_by(500) {
            engine.write_within(FILL, rows((begin..begin + 500).map(|number| self.stable(number))), WRITTEN_WITHIN).await.expect("they are written");
        }
    }

    /// Those of a stream that are of this test, from where it stands on. Behind them there may be others'.
    async fn rest(&self, stream: &mut RowStream<PaymentRow>) -> Vec<String> {
        let mut ids = Vec::new();
        while let Some(page) = stream.next_page().await.expect("a page") {
            ids.extend(page.rows.into_iter().map(|row| row.id).filter(|id| id.starts_with(&self.0)));
            if !page.until.starts_with(&self.0) {
                break;
            }
        }
        ids
    }
}

async fn every_row_comes_once_and_in_order_while_others_write(engine: Engine) {
    let (ids, resolvers) = (Ids::new(), Resolvers::new(engine.clone(), Settings::default()));
    ids.fill(&engine).await;
    let done = AtomicBool::new(false);
    let write = async {
        for number in (0..STABLE).step_by(7).cycle() {
            if done.load(Ordering::Relaxed) {
                break;
            }
            let these = || (number..number + 7).map(|number| ids.other(number));
            engine.write_within(FILL, rows(these()), WRITTEN_WITHIN).await.expect("they are added");
            engine.write_within(AMEND, rows((number..number + 7).map(|number| ids.stable(number))), WRITTEN_WITHIN).await.expect("they are amended");
            engine.write_within(REMOVE, rows(these()), WRITTEN_WITHIN).await.expect("they are removed");
        }
    };
    let read = async {
        for _ in 0..3 {
            let mut stream = resolvers.stream_payments(&caller(), Some(&ids.0)).expect("he may");
            let read = ids.rest(&mut stream).await;
            assert!(read.is_sorted_by(|before, after| before < after), "none twice, none out of its place");
            let read: BTreeSet<String> = read.into_iter().collect();
            assert!((0..STABLE).all(|number| read.contains(&ids.stable(number))), "all that were there all the time");
        }
        done.store(true, Ordering::Relaxed);
    };
    tokio::join!(write, read);
}

async fn a_stream_goes_on_from_the_key_of_any_page(engine: Engine) {
    let (ids, resolvers) = (Ids::new(), Resolvers::new(engine.clone(), Settings::default()));
    ids.fill(&engine).await;
    let start = |after: &str| resolvers.stream_payments(&caller(), Some(after)).expect("he may");
    let all = ids.rest(&mut start(&ids.0)).await;
    assert_eq!(all.len(), STABLE);
    let mut stream = start(&ids.0);
    let mut read = 0;
    while let Some(page) = stream.next_page().await.expect("a page") {
        read += page.rows.iter().filter(|row| row.id.starts_with(&ids.0)).count();
        if !page.until.starts_with(&ids.0) {
            break;
        }
        // One that has been removed since is as good a place as any.
        engine.write_within(REMOVE, rows([page.until.clone()]), WRITTEN_WITHIN).await.expect("it is removed");
        let first = start(&page.until).next_page().await.expect("a page").and_then(|page| page.rows.into_iter().next());
        assert_eq!(first.map(|row| row.id).filter(|id| id.starts_with(&ids.0)).as_ref(), all.get(read));
    }
    assert_eq!(read, STABLE);
}

async fn no_more_than_one_page_is_read_ahead(engine: Engine) {
    let (ids, resolvers) = (Ids::new(), Resolvers::new(engine.clone(), Settings::default()));
    ids.fill(&engine).await;
    let mut streams = Vec::new();
    for _ in 0..8 {
        let mut stream = resolvers.stream_payments(&caller(), Some(&ids.0)).expect("he may");
        assert_eq!(stream.pages_asked(), 0, "nothing is read that nobody asks for");
        stream.next_page().await.expect("a page").expect("one");
        streams.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(streams.iter().all(|stream| stream.pages_asked() <= 2), "the one in hand, and the next");
    // What is dropped keeps nobody from reading.
    drop(streams);
    assert_eq!(ids.rest(&mut resolvers.stream_payments(&caller(), Some(&ids.0)).expect("he may")).await.len(), STABLE);
}

/// Streams come to an end beside whoever never stops reading, who is not kept from it.
async fn long_reads_end_beside_others(engine: Engine) {
    let (ids, resolvers) = (Ids::new(), Resolvers::new(engine.clone(), Settings::default()));
    ids.fill(&engine).await;
    let done = AtomicBool::new(false);
    let id = TransactionId::new(ids.stable(0));
    let others = stream::iter(0..8).for_each_concurrent(None, |_| async {
        while !done.load(Ordering::Relaxed) {
            resolvers.transaction(&caller(), &id).await.expect("a record");
        }
    });
    let read = async {
        let mut stream = resolvers.stream_payments(&caller(), Some(&ids.0)).expect("he may");
        assert_eq!(tokio::time::timeout(SOON, ids.rest(&mut stream)).await.expect("it ends").len(), STABLE);
        done.store(true, Ordering::Relaxed);
    };
    tokio::join!(others, read);
}

/// An instance with its worker, and payments between accounts of its own.
struct Verifying {
    resolvers: Resolvers,
    own: String,
}

impl Verifying {
    async fn pay(&self, number: usize, from: &str, to: &str, units: usize) {
        let own = &self.own;
        let direction = if number.is_multiple_of(3) { "INBOUND" } else { "OUTBOUND" };
        // Whose report it is: the receiver's, where it is inbound.
        let (account, other) = if direction == "INBOUND" { (to, from) } else { (from, to) };
        let body = json!({
            "id": format!("{own}-{number}"), "account_id": format!("{own}-{account}"), "account_owner_id": format!("{own}-owner"),
            "amount": {"value": units, "currency": "EUR"}, "standardized_amount": units,
            "counterparty": {"object": "ACCOUNT_INFO", "account_info": {"id": format!("{own}-{other}")}},
            "created_at": 1_718_000_000 + number, "direction": direction, "status": "COMPLETED",
        });
        let given = graph_schema::given::read::<TransactionRecord>(body.to_string().as_bytes()).expect("right");
        // A cold Neo4j plans the statement for seconds, on a busy machine for longer than a write may take.
        for _ in 0..10 {
            match self.resolvers.add_transaction(&caller(), given.clone(), ScreeningRequest::default(), None).await {
                Ok(_) => return,
                Err(Error::TooLong | Error::Unavailable { .. }) => {}
                Err(error) => panic!("it is recorded: {error}"),
            }
        }
        panic!("it is recorded, at the tenth time at the latest");
    }

    async fn pay_all(&self, numbers: std::ops::Range<usize>, pay: impl Fn(usize) -> (String, String, usize)) {
        let payments = numbers.map(|number| (number, pay(number)));
        let payments = stream::iter(payments).for_each_concurrent(32, |(number, (from, to, units))| async move {
            self.pay(number, &from, &to, units).await;
        });
        payments.await;
    }

    async fn verify(&self) -> Json {
        let id = self.resolvers.start_verifying_transfers(&caller(), None).await.expect("it is queued");
        let began = Instant::now();
        loop {
            let job: ShownJob = self.resolvers.job(&caller(), &id).await.expect("it is read").expect("it is there");
            if job.status.is_ended() {
                assert_eq!((job.status, job.last_error), (JobStatus::Done, None));
                return serde_json::from_str(job.result.expect("a result").as_str()).expect("JSON");
            }
            assert!(began.elapsed() < SOON, "it ends: {job:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Changes the roll-up from one account to another by a clause about `r`.
    async fn tamper(&self, engine: &Engine, clause: &str, from: &str, to: &str) {
        let text = format!("MATCH (f:Account {{id: $from}})-[r:TRANSFERRED_TO]->(s:Account {{id: $to}}) {clause}");
        let params = Params::none().with("from", format!("{}-{from}", self.own)).with("to", format!("{}-{to}", self.own));
        engine.write_within(Statement::new("test/tamper", text.leak()), params, WRITTEN_WITHIN).await.expect("it is changed");
    }
}

async fn roll_ups_are_verified(engine: Engine) {
    let resolvers = Resolvers::new(engine.clone(), Settings::default());
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = tokio::spawn(resolvers.worker().run(async {
        let _ = stopped.await;
    }));
    let verifying = Verifying { resolvers, own: SystemClock.id() };
    // One that has sent more than is read at once, and many that have sent little.
    let pay = |number: usize| {
        let from = if number < 300 { "hub".to_owned() } else { format!("a{}", number % 20) };
        (from, format!("b{}", number % 13), 1 + number * 1_234_567 % 999_999_999)
    };
    verifying.pay_all(0..600, pay).await;
    let found = verifying.verify().await;
    assert_eq!((&found["differences"], &found["shown"]), (&json!(0), &json!([])));
    assert!(found["accounts"].as_u64().expect("a number") >= 34, "{found}");

    // What is written meanwhile is no difference: new payments, and others in the place of old ones.
    let done = AtomicBool::new(false);
    let write = async {
        for round in 0.. {
            if done.load(Ordering::Relaxed) {
                break;
            }
            verifying.pay_all(550..650, |number| (pay(number).0, format!("b{}", (number + round) % 13), number + round)).await;
            verifying.pay_all(0..50, |number| (pay(number).0, format!("b{}", (number + round) % 13), number + round)).await;
        }
    };
    let verify = async {
        for _ in 0..4 {
            let found = verifying.verify().await;
            assert_eq!(found["differences"], json!(0), "{found}");
        }
        done.store(true, Ordering::Relaxed);
    };
    tokio::join!(write, verify);

    // What is wrong is told, of small accounts and of large ones.
    verifying.tamper(&engine, "SET r.sentUnits = r.sentUnits + 1", "a1", "b7").await;
    verifying.tamper(&engine, "SET r.last = r.last + 1", "hub", "b3").await;
    verifying.tamper(&engine, "DELETE r", "hub", "b5").await;
    let found = verifying.verify().await;
    assert_eq!(found["differences"], json!(3), "{found}");
    let of = |number: usize, end: &str| found["shown"][number][end].as_str().map(|id| id.trim_start_matches(&verifying.own).to_owned());
    let pairs: BTreeSet<_> = (0..3).map(|number| (of(number, "from"), of(number, "to"))).collect();
    let pair = |from: &str, to: &str| (Some(from.to_owned()), Some(to.to_owned()));
    assert_eq!(pairs, BTreeSet::from([pair("-a1", "-b7"), pair("-hub", "-b3"), pair("-hub", "-b5")]), "{found}");
    let missing = (0..3).find(|number| of(*number, "to").as_deref() == Some("-b5")).expect("it is told");
    assert_eq!((&found["shown"][missing]["said"], &found["shown"][missing]["currency"]), (&json!([]), &json!("EUR")));
    drop(stop);
    worker.await.expect("it ends well");
}

const TESTS: [(&str, Body); 5] = [
    ("every_row_comes_once_and_in_order_while_others_write", |engine| Box::pin(every_row_comes_once_and_in_order_while_others_write(engine))),
    ("a_stream_goes_on_from_the_key_of_any_page", |engine| Box::pin(a_stream_goes_on_from_the_key_of_any_page(engine))),
    ("no_more_than_one_page_is_read_ahead", |engine| Box::pin(no_more_than_one_page_is_read_ahead(engine))),
    ("long_reads_end_beside_others", |engine| Box::pin(long_reads_end_beside_others(engine))),
    ("roll_ups_are_verified", |engine| Box::pin(roll_ups_are_verified(engine))),
];

fn main() {
    libtest_mimic::run(&Arguments::from_args(), on_both(TESTS)).exit();
}

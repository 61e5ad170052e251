//! Workers that share jobs, on both engines: one of them claims, a dead one is followed by another, a woken one is prompt.

// The type of a worker's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

mod clock;
mod engines;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clock::Ahead;
use cypher::{Engine, Params, Row, Statement, map};
use engines::{Body, embedded, neo4j, on_both, on_neo4j, run, shared_neo4j};
use futures::future::BoxFuture;
use libtest_mimic::{Arguments, Trial};
use resolvers::jobs::{CaseCounts, Job, JobContext, Jobs, Next, Worker};
use resolvers::{Clock, Error, Resolvers, Result, Settings, SystemClock};
use tokio::sync::oneshot;

/// Each test has a job of its own, so that all can run at once on one Neo4j.
const NAMES: [&str; 7] = ["test-shared", "test-woken", "test-failing", "test-long", "test-lost", "test-stopped", "test-killed"];
/// Where a lease has to run out, or to be renewed in time, it is as short as a busy machine allows; elsewhere so long that none runs out.
const LEASES: [Duration; 7] = [LONG, LONG, LONG, Duration::from_secs(6), Duration::from_secs(6), LONG, Duration::from_secs(10)];
const LONG: Duration = Duration::from_secs(60);
const SOON: Duration = Duration::from_secs(120);
/// In the environment of the process that is to be killed: where its store is.
const CHILD: &str = "AMLGRAPH_TEST_JOBS_CHILD";

type Script = dyn Fn() -> BoxFuture<'static, Result<Next>> + Send + Sync;

/// A job that does what its test says.
struct Scripted<const N: usize>(Arc<Script>);

impl<const N: usize> Scripted<N> {
    fn new<F: Future<Output = Result<Next>> + Send + 'static>(script: impl Fn() -> F + Send + Sync + 'static) -> Self {
        Self(Arc::new(move || Box::pin(script())))
    }
}

impl<const N: usize> Clone for Scripted<N> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<const N: usize> Job for Scripted<N> {
    const NAME: &'static str = NAMES[N];
    const LEASE: Duration = LEASES[N];

    async fn run(&self, _: &JobContext) -> Result<Next> {
        (self.0)().await
    }
}

/// A worker that runs until it is stopped.
struct Running {
    resolvers: Resolvers,
    task: tokio::task::JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Running {
    fn start(engine: &Engine, jobs: Jobs) -> Self {
        Self::by(engine, jobs, Arc::new(SystemClock))
    }

    fn by(engine: &Engine, jobs: Jobs, clock: Arc<dyn Clock>) -> Self {
        let resolvers = Resolvers::with_clock(engine.clone(), Settings::default(), clock);
        let (stop, stopped) = oneshot::channel::<()>();
        let worker = Worker::new(&resolvers, jobs);
        let task = tokio::spawn(worker.run(async {
            let _ = stopped.await;
        }));
        Self { resolvers, task, stop }
    }

    async fn stop(self) {
        drop(self.stop);
        self.task.await.expect("it ends well");
    }
}

fn only<const N: usize>(job: &Scripted<N>) -> Jobs {
    Jobs::none().with(job.clone())
}

async fn query(engine: &Engine, text: &'static str, id: &str) -> Vec<Row> {
    engine.write(Statement::new("test/query", text), Params::none().with("id", id)).await.expect("it runs")
}

async fn forget<const N: usize>(engine: &Engine) {
    query(engine, "MATCH (j:Job {id: $id}) DETACH DELETE j RETURN count(*) AS n", NAMES[N]).await;
}

/// Holder (empty: nobody), end of the lease, failures.
async fn standing<const N: usize>(engine: &Engine) -> Option<(String, i64, i64)> {
    let text = "MATCH (j:Job {id: $id}) RETURN coalesce(j.holder, '') AS holder, j.leaseUntil AS leaseUntil, j.failures AS failures";
    let rows = query(engine, text, NAMES[N]).await;
    rows.first().map(|row| {
        let int = |name: &str| row.get(name).as_int().expect("a number");
        (row.get("holder").as_text().expect("a name").to_owned(), int("leaseUntil"), int("failures"))
    })
}

async fn eventually(what: &str, check: impl AsyncFn() -> bool) -> Duration {
    let started = Instant::now();
    while !check().await {
        assert!(started.elapsed() < SOON, "{what}: not within {SOON:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    started.elapsed()
}

/// Eight workers; the steps of a job come one after the other, and it is done once.
async fn one_of_many_claims(engine: Engine) {
    forget::<0>(&engine).await;
    let (steps, at_once, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = (Arc::clone(&steps), Arc::clone(&at_once), Arc::clone(&most));
    let job = Scripted::<0>::new(move || {
        let (steps, at_once, most) = seen.clone();
        async move {
            most.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            at_once.fetch_sub(1, Ordering::SeqCst);
            Ok(if steps.fetch_add(1, Ordering::SeqCst) < 4 { Next::AtOnce } else { Next::After(Duration::from_secs(3600)) })
        }
    });
    let workers: Vec<Running> = (0..8).map(|_| Running::start(&engine, only(&job))).collect();
    eventually("it is done", async || steps.load(Ordering::SeqCst) >= 5).await;
    // Whoever looked when it was due has had the time to claim it again.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    for worker in workers {
        worker.stop().await;
    }
    assert_eq!((steps.load(Ordering::SeqCst), most.load(Ordering::SeqCst)), (5, 1));
    assert_eq!(standing::<0>(&engine).await, Some((String::new(), 0, 0)));
}

async fn a_woken_job_is_prompt(engine: Engine) {
    forget::<1>(&engine).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&runs);
    let job = Scripted::<1>::new(move || {
        counter.fetch_add(1, Ordering::SeqCst);
        async { Ok(Next::WhenWoken) }
    });
    let worker = Running::start(&engine, only(&job));
    eventually("a new job is run", async || runs.load(Ordering::SeqCst) == 1).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(runs.load(Ordering::SeqCst), 1, "nobody woke it");
    // The next look is a second later. On a busy machine some rounds may be as slow as that.
    let mut quickest = SOON;
    for round in 2..32 {
        worker.resolvers.waker().wake(NAMES[1]);
        quickest = quickest.min(eventually("it is woken", async || runs.load(Ordering::SeqCst) == round).await);
        if round > 4 && quickest < Duration::from_millis(500) {
            break;
        }
    }
    assert!(quickest < Duration::from_millis(500), "{quickest:?}: sooner than the next look");
    worker.stop().await;
}

/// Errors and panics alike; waking does not shorten the wait.
async fn a_failed_run_is_tried_again_after_a_growing_wait(engine: Engine) {
    forget::<2>(&engine).await;
    let (clock, runs) = (Arc::new(Ahead::default()), Arc::new(AtomicUsize::new(0)));
    let counter = Arc::clone(&runs);
    let job = Scripted::<2>::new(move || {
        let run = counter.fetch_add(1, Ordering::SeqCst);
        async move {
            match run {
                0 => Err(Error::Internal("it went wrong".to_owned())),
                1..4 => panic!("it went wrong badly"),
                _ => Ok(Next::WhenWoken),
            }
        }
    });
    let mut before = Instant::now();
    let worker = Running::by(&engine, only(&job), Arc::<Ahead>::clone(&clock));
    for failures in 1..5 {
        eventually("it failed", async || standing::<2>(&engine).await.is_some_and(|(holder, _, seen)| holder.is_empty() && seen == failures)).await;
        assert_eq!(runs.load(Ordering::SeqCst) as i64, failures);
        // The waits are 1, 2, 4 and 8 seconds; the last ones are longer than two looks.
        if failures > 2 {
            worker.resolvers.waker().wake(NAMES[2]);
            tokio::time::sleep(Duration::from_millis(1200)).await;
            let seen = runs.load(Ordering::SeqCst) as i64;
            // It began to rest after `before`: a machine that has needed the whole wait until here has let it run again.
            assert!(seen == failures || before.elapsed() >= Duration::from_millis(1000 << (failures - 1)), "it rests: {seen} runs");
        }
        before = Instant::now();
        clock.0.fetch_add(1000 << (failures - 1), Ordering::Relaxed);
    }
    eventually("it succeeded", async || standing::<2>(&engine).await == Some((String::new(), 0, 0))).await;
    worker.stop().await;
}

/// A run that is longer than the lease renews it, so that nobody else begins.
async fn a_long_run_keeps_its_lease(engine: Engine) {
    forget::<3>(&engine).await;
    let begun = Arc::new(AtomicUsize::new(0));
    let ended = Arc::new(AtomicUsize::new(0));
    let seen = (Arc::clone(&begun), Arc::clone(&ended));
    let job = Scripted::<3>::new(move || {
        let (begun, ended) = seen.clone();
        async move {
            begun.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(2 * LEASES[3]).await;
            ended.fetch_add(1, Ordering::SeqCst);
            Ok(Next::WhenWoken)
        }
    });
    let workers = [Running::start(&engine, only(&job)), Running::start(&engine, only(&job))];
    eventually("it is done", async || ended.load(Ordering::SeqCst) == 1).await;
    for worker in workers {
        worker.stop().await;
    }
    assert_eq!(begun.load(Ordering::SeqCst), 1);
}

/// Says when what holds it is dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

async fn who_lost_the_lease_stops(engine: Engine) {
    forget::<4>(&engine).await;
    let (begun, dropped) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = (Arc::clone(&begun), Arc::clone(&dropped));
    let job = Scripted::<4>::new(move || {
        let (begun, dropped) = seen.clone();
        async move {
            let _dropped = Dropped(dropped);
            begun.fetch_add(1, Ordering::SeqCst);
            std::future::pending().await
        }
    });
    let worker = Running::start(&engine, only(&job));
    eventually("it has begun", async || begun.load(Ordering::SeqCst) == 1).await;
    query(&engine, "MATCH (j:Job {id: $id}) SET j.holder = 'another', j.leaseUntil = 99999999999999 RETURN j.id AS id", NAMES[4]).await;
    let within = eventually("it stops", async || dropped.load(Ordering::SeqCst) == 1).await;
    // It is told when it renews, three times in a lease.
    assert!(within < 2 * LEASES[4], "{within:?}");
    worker.stop().await;
    assert_eq!(standing::<4>(&engine).await, Some(("another".to_owned(), 99_999_999_999_999, 0)), "it is the other's");
}

/// A worker that is stopped ends its step and gives the lease back; what is left is done by another at once.
async fn a_stopped_worker_lets_go(engine: Engine) {
    forget::<5>(&engine).await;
    let begun = Arc::new(Mutex::new(Vec::new()));
    let ended = Arc::new(AtomicUsize::new(0));
    let seen = (Arc::clone(&begun), Arc::clone(&ended));
    let job = Scripted::<5>::new(move || {
        let (begun, ended) = seen.clone();
        async move {
            begun.lock().expect("no panic while it is held").push(Instant::now());
            tokio::time::sleep(Duration::from_millis(300)).await;
            ended.fetch_add(1, Ordering::SeqCst);
            Ok(Next::AtOnce)
        }
    });
    let worker = Running::start(&engine, only(&job));
    eventually("it has begun", async || !begun.lock().expect("a list").is_empty()).await;
    worker.stop().await;
    assert_eq!(ended.load(Ordering::SeqCst), begun.lock().expect("a list").len(), "the last step came to its end");
    assert_eq!(standing::<5>(&engine).await, Some((String::new(), 0, 0)));
    let (before, started) = (ended.load(Ordering::SeqCst), Instant::now());
    let other = Running::start(&engine, only(&job));
    eventually("another goes on", async || ended.load(Ordering::SeqCst) > before).await;
    assert!(started.elapsed() < LEASES[5], "no lease had to run out: {:?}", started.elapsed());
    other.stop().await;
}

/// The holder is a process that is killed with SIGKILL: its lease runs out, and another takes over then and not before.
async fn a_killed_holder_is_followed_by_another(engine: &str, open: impl AsyncFn() -> Engine) {
    {
        let engine = open().await;
        forget::<6>(&engine).await;
        engine.close().await.expect("it closes");
    }
    let program = std::env::current_exe().expect("this test");
    let mut holder = Command::new(program).env(CHILD, engine).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(holder.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    assert_eq!(line.trim(), "holding");
    holder.kill().expect("it is killed");
    holder.wait().expect("it is gone");
    let killed = SystemClock.now().millis();
    let engine = open().await;
    let (_, lease_until, _) = standing::<6>(&engine).await.expect("it was claimed");
    assert!(lease_until > killed, "killed in the middle of its lease");
    let begun = Arc::new(AtomicI64::new(0));
    let seen = Arc::clone(&begun);
    let job = Scripted::<6>::new(move || {
        seen.store(SystemClock.now().millis(), Ordering::SeqCst);
        async { Ok(Next::WhenWoken) }
    });
    let worker = Running::start(&engine, only(&job));
    eventually("another takes over", async || begun.load(Ordering::SeqCst) > 0).await;
    let waited = begun.load(Ordering::SeqCst) - lease_until;
    assert!((0..30_000).contains(&waited), "{waited} ms after the lease");
    worker.stop().await;
}

/// What the process does that is killed: claims a job and never ends it.
async fn hold(engine: Engine) {
    let job = Scripted::<6>::new(|| async {
        println!("holding");
        std::future::pending().await
    });
    let worker = Running::start(&engine, only(&job));
    worker.task.await.expect("it is killed before");
}

/// More keys than one step forgets; one that is still honoured stays.
async fn housekeeping_forgets_keys_in_steps(engine: Engine) {
    let own = SystemClock.id();
    let row = |number: usize, at: i64| map([("id", format!("{own}-{number}").into()), ("at", at.into())]);
    let rows = (0..2500).map(|number| row(number, 1)).chain([row(2500, SystemClock.now().millis())]).collect();
    let create = "UNWIND $rows AS row CREATE (k:IdempotencyKey {id: row.id, name: 'Idempotency key', createdAt: row.at})";
    engine.write(Statement::new("test/create", create), Params::rows(rows)).await.expect("they are there");
    let worker = Running::start(&engine, Jobs::standard());
    worker.resolvers.waker().wake("housekeeping");
    let left = async || {
        let text = "MATCH (k:IdempotencyKey) WHERE k.id STARTS WITH $id RETURN count(k) AS keys";
        query(&engine, text, &own).await.first().and_then(|row| row.get("keys").as_int()).expect("a count")
    };
    eventually("they are forgotten", async || left().await == 1).await;
    worker.stop().await;
    assert_eq!(left().await, 1);
}

/// Of webhooks goes what ended long ago, and what nothing points to any more; what is to be delivered stays, however old.
async fn housekeeping_forgets_what_webhooks_were_told(engine: Engine) {
    let own = SystemClock.id();
    const PUT: &str = "CREATE (gone:Webhook:RemovedWebhook {id: $id + '-removed', name: 'x', removedAt: 1})
        CREATE (kept:Webhook:RemovedWebhook {id: $id + '-removed, told', name: 'x', removedAt: 1})
        CREATE (there:Webhook {id: $id + '-there', name: 'x'})
        CREATE (old:Event {id: $id + '-old', name: 'x', createdAt: 1})
        CREATE (alone:Event {id: $id + '-nobody was told', name: 'x', createdAt: 1})
        CREATE (waiting:Event:Pending {id: $id + '-pending', name: 'x', createdAt: 1})
        CREATE (told:Event {id: $id + '-told late', name: 'x', createdAt: 1})
        CREATE (new:Event {id: $id + '-new', name: 'x', createdAt: $now})
        CREATE (ended:Delivery {id: $id + '-ended', name: 'x', state: 'FAILED', createdAt: 1, finishedAt: 1})
        CREATE (late:Delivery {id: $id + '-ended late', name: 'x', state: 'DELIVERED', createdAt: 1, finishedAt: $now})
        CREATE (under_way:Delivery {id: $id + '-on its way', name: 'x', state: 'WAITING', createdAt: 1})
        CREATE (ended)-[:TELLS]->(old) CREATE (late)-[:TELLS]->(told) CREATE (under_way)-[:TELLS]->(told)
        CREATE (ended)-[:GOES_TO]->(there) CREATE (late)-[:GOES_TO]->(kept) CREATE (under_way)-[:GOES_TO]->(there)
        CREATE (empty:DeliveryLane {id: $id + '-empty', name: 'x', holder: ''})
        CREATE (had:DeliveryLane {id: $id + '-somebody has it', name: 'x', holder: 'somebody', dueAt: 1})
        CREATE (due:DeliveryLane {id: $id + '-due now', name: 'x', holder: '', dueAt: $now})
        CREATE (full:DeliveryLane {id: $id + '-waited in', name: 'x', holder: '', dueAt: 1})
        CREATE (under_way)-[:WAITS_IN]->(full)";
    let params = Params::none().with("id", own.as_str()).with("now", SystemClock.now().millis());
    engine.write(Statement::new("test/put", PUT), params).await.expect("they are there");
    let left = async || {
        let text = "MATCH (n) WHERE (n:Webhook OR n:Event OR n:Delivery OR n:DeliveryLane) AND n.id STARTS WITH $id RETURN n.id AS id";
        let rows = query(&engine, text, &own).await;
        rows.iter().filter_map(|row| row.get("id").as_text()?.strip_prefix(&format!("{own}-")).map(str::to_owned)).collect::<BTreeSet<_>>()
    };
    let worker = Running::start(&engine, Jobs::standard());
    worker.resolvers.waker().wake("housekeeping");
    let wanted = ["removed, told", "there", "pending", "told late", "new", "ended late", "on its way", "somebody has it", "due now", "waited in"];
    let wanted: BTreeSet<String> = wanted.map(str::to_owned).into();
    eventually("what is over goes", async || left().await.len() <= wanted.len()).await;
    worker.stop().await;
    assert_eq!(left().await, wanted);
}

/// How cases of bulk requests went is told for 30 days. What is not done is kept for as long as it takes, and its request with it.
async fn housekeeping_forgets_how_bulk_went_after_30_days(engine: Engine) {
    let own = SystemClock.id();
    const PUT: &str = "CREATE (old:BulkRequest {id: $id + '-old', name: 'x', receivedAt: $long_ago})
        CREATE (waited_for:BulkRequest {id: $id + '-waited for', name: 'x', receivedAt: $long_ago})
        CREATE (new:BulkRequest {id: $id + '-new', name: 'x', receivedAt: $lately})
        CREATE (done:BulkItem {id: $id + '-done', name: 'x', list: 'CASES', state: 'COMPLETED', subject: $id, processedAt: $long_ago})
        CREATE (failed:BulkItem {id: $id + '-failed', name: 'x', list: 'CASES', state: 'FAILED', subject: $id, processedAt: $long_ago})
        CREATE (late:BulkItem {id: $id + '-done late', name: 'x', list: 'CASES', state: 'COMPLETED', subject: $id, processedAt: $lately})
        CREATE (waits:BulkItem {id: $id + '-waits', name: 'x', list: 'CASES', state: 'DEFERRED', subject: $id, dueAt: $next_year})
        CREATE (done)-[:PART_OF]->(old) CREATE (failed)-[:PART_OF]->(old)
        CREATE (late)-[:PART_OF]->(new) CREATE (waits)-[:PART_OF]->(waited_for)";
    // 30 days, give or take what the test may take.
    let ago = |minutes: i64| SystemClock.now().millis() - (30 * 24 * 60 + minutes) * 60_000;
    let params = Params::none().with("id", own.as_str()).with("long_ago", ago(10)).with("lately", ago(-10)).with("next_year", ago(-365 * 24 * 60));
    engine.write(Statement::new("test/put", PUT), params).await.expect("they are there");
    let left = async || {
        let rows = query(&engine, "MATCH (n) WHERE (n:BulkItem OR n:BulkRequest) AND n.id STARTS WITH $id RETURN n.id AS id", &own).await;
        rows.iter().filter_map(|row| row.get("id").as_text()?.strip_prefix(&format!("{own}-")).map(str::to_owned)).collect::<BTreeSet<_>>()
    };
    let worker = Running::start(&engine, Jobs::standard());
    worker.resolvers.waker().wake("housekeeping");
    let wanted: BTreeSet<String> = ["waited for", "new", "done late", "waits"].map(str::to_owned).into();
    eventually("what is over goes", async || left().await.len() <= wanted.len()).await;
    worker.stop().await;
    assert_eq!(left().await, wanted);
    // Nobody else is to find what this test has put there to wait.
    query(&engine, "MATCH (n) WHERE (n:BulkItem OR n:BulkRequest) AND n.id STARTS WITH $id DETACH DELETE n RETURN count(*) AS gone", &own).await;
}

/// A case that does not say when it was made lets each step fail, and counts can be used all the same until the next one. (Its type would be made up.) On the
/// embedded engine alone, as others count cases of the Neo4j that all share.
async fn a_step_of_counting_that_fails_is_over(engine: Engine) {
    let put = "CREATE (c:`Case`:UncountedCase {id: $id, name: 'x', type: 'ANALYSIS'}) RETURN c.id AS id";
    query(&engine, put, "strange").await;
    let worker = Running::start(&engine, Jobs::none().with(CaseCounts));
    let has_failed = async || {
        let rows = query(&engine, "MATCH (j:Job {id: $id}) RETURN j.failures AS failures", CaseCounts::NAME).await;
        rows.first().and_then(|row| row.get("failures").as_int()) > Some(0)
    };
    eventually("it fails", has_failed).await;
    worker.stop().await;
    let rows = query(&engine, "MATCH (k:CaseCounting {id: $id}) RETURN k.number AS number", "cases").await;
    let number = rows.first().and_then(|row| row.get("number").as_int()).expect("a number");
    assert!(number > 0 && number % 2 == 0, "{number}");
}

/// A case of whose former counts nobody can make sense holds up no other: it is counted anew.
async fn a_case_that_was_counted_as_nobody_knows_what_holds_up_no_other(engine: Engine) {
    let put = "UNWIND [$id, 'new'] AS id CREATE (c:`Case`:UncountedCase {id: id, name: 'x', type: 'ANALYSIS', state: 'OPEN', status: 'TO_DO', createdAt: 1})
        SET c.countedAs = CASE WHEN id = 'new' THEN null ELSE '[]' END RETURN id";
    query(&engine, put, "strange").await;
    let put = "CREATE (c:`Case`:UncountedCase {id: $id, name: 'x', type: 'ANALYSIS', state: 'OPEN', status: 'TO_DO', createdAt: 1})
        SET c.countedAs = 7 RETURN c.id AS id";
    query(&engine, put, "no text").await;
    let worker = Running::start(&engine, Jobs::none().with(CaseCounts));
    let all = "MATCH (n:CaseCount) WHERE n.grain = $id RETURN n.count AS count";
    let counted = async || query(&engine, all, "ALL").await.iter().filter_map(|row| row.get("count").as_int()).sum::<i64>() == 3;
    eventually("all are counted", counted).await;
    worker.stop().await;
    for case in ["strange", "no text"] {
        let rows = query(&engine, "MATCH (c:`Case` {id: $id}) RETURN c.countedAs AS countedAs", case).await;
        assert!(rows.first().and_then(|row| row.get("countedAs").as_text()).is_some_and(|text| text.contains("TO_DO")), "{case} can be read again");
    }
}

const TESTS: [(&str, Body); 9] = [
    ("one_of_many_claims", |engine| Box::pin(one_of_many_claims(engine))),
    ("a_woken_job_is_prompt", |engine| Box::pin(a_woken_job_is_prompt(engine))),
    ("a_failed_run_is_tried_again_after_a_growing_wait", |engine| Box::pin(a_failed_run_is_tried_again_after_a_growing_wait(engine))),
    ("a_long_run_keeps_its_lease", |engine| Box::pin(a_long_run_keeps_its_lease(engine))),
    ("who_lost_the_lease_stops", |engine| Box::pin(who_lost_the_lease_stops(engine))),
    ("a_stopped_worker_lets_go", |engine| Box::pin(a_stopped_worker_lets_go(engine))),
    ("housekeeping_forgets_keys_in_steps", |engine| Box::pin(housekeeping_forgets_keys_in_steps(engine))),
    ("housekeeping_forgets_how_bulk_went_after_30_days", |engine| Box::pin(housekeeping_forgets_how_bulk_went_after_30_days(engine))),
    ("housekeeping_forgets_what_webhooks_were_told", |engine| Box::pin(housekeeping_forgets_what_webhooks_were_told(engine))),
];

const KILLED: &str = "a_killed_holder_is_followed_by_another";

fn trials() -> Vec<Trial> {
    let killed = [
        Trial::test(format!("{KILLED} [embedded]"), || {
            let folder = tempfile::tempdir()?;
            let place = folder.path().to_str().ok_or("a path")?.to_owned();
            run(a_killed_holder_is_followed_by_another(&place, async || embedded(folder.path()).await));
            Ok(())
        }),
        Trial::ignorable_test(format!("{KILLED} [neo4j]"), || {
            on_neo4j(async {
                let place = shared_neo4j();
                a_killed_holder_is_followed_by_another(&place, async || neo4j(&place).await).await;
            })
        }),
    ];
    let counting = Trial::test("a_step_of_counting_that_fails_is_over [embedded]", || {
        let folder = tempfile::tempdir()?;
        run(async { a_step_of_counting_that_fails_is_over(embedded(folder.path()).await).await });
        Ok(())
    });
    let lost = Trial::test("a_case_that_was_counted_as_nobody_knows_what_holds_up_no_other [embedded]", || {
        let folder = tempfile::tempdir()?;
        run(async { a_case_that_was_counted_as_nobody_knows_what_holds_up_no_other(embedded(folder.path()).await).await });
        Ok(())
    });
    on_both(TESTS).into_iter().chain(killed).chain([counting, lost]).collect()
}

fn main() {
    if let Ok(place) = std::env::var(CHILD) {
        let open = async { if place.contains("://") { neo4j(&place).await } else { embedded(Path::new(&place)).await } };
        run(async { hold(open.await).await });
        return;
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit();
}

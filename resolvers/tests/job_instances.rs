//! Jobs of which there may be any number, on both engines: each ends once, none goes back, whatever becomes of the workers.

// The type of a worker's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

mod clock;
mod engines;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use clock::Standing;
use cypher::{Engine, Params, Statement};
use engines::{Body, on_both};
use graph_schema::job::JobStatus;
use libtest_mimic::Arguments;
use rand::{Rng, SeedableRng, rngs::StdRng};
use resolvers::jobs::{JobKind, JobQuery, Jobs, Kinds, Progress, Running, ShownJob, Stopped, Wanted, Worker};
use resolvers::{Caller, Clock, Error, Resolvers, Settings, SystemClock};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// Each test has a kind of its own, so that all can run at once on one Neo4j.
const KINDS: [&str; 8] = ["test-ends", "test-fails", "test-never", "test-cancelled", "test-in-turn", "test-once", "test-stolen", "test-chaos"];
const SOON: Duration = Duration::from_secs(120);

/// Counts up to a number, a step at a time.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Counting<const N: usize> {
    name: String,
    /// Those of one test on one engine.
    #[serde(default)]
    group: String,
    upto: u64,
    pause: u64,
    /// What is to go wrong, behind the first step.
    #[serde(default)]
    fault: Fault,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
enum Fault {
    #[default]
    None,
    Fails,
    Panics,
    Never,
}

/// By the names of jobs: the numbers from which their runs began, and each that was counted, in order.
static SEEN: LazyLock<Mutex<BTreeMap<String, Vec<u64>>>> = LazyLock::new(Mutex::default);
/// How many of a group are under way, and the most there ever were.
static AT_ONCE: LazyLock<Mutex<BTreeMap<String, (i64, i64)>>> = LazyLock::new(Mutex::default);

/// One more is under way until it is dropped.
struct UnderWay(String);

impl UnderWay {
    fn begin(group: &str) -> Self {
        let mut at_once = AT_ONCE.lock().expect("no panic while it is held");
        let (now, most) = at_once.entry(group.to_owned()).or_default();
        *now += 1;
        *most = (*most).max(*now);
        Self(group.to_owned())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        AT_ONCE.lock().expect("no panic while it is held").entry(self.0.clone()).or_default().0 -= 1;
    }
}

impl<const N: usize> JobKind for Counting<N> {
    const KIND: &'static str = KINDS[N];
    /// Where workers die it has to run out; elsewhere it is so long that a busy machine loses none.
    const LEASE: Duration = Duration::from_secs(if N == 7 { 4 } else { 60 });
    const AT_ONCE: usize = if N == 7 { 3 } else { 1 };
    const FAILURES: i64 = 3;
    type Checkpoint = u64;
    type Result = u64;

    async fn run(&self, mut count: u64, running: &Running) -> Result<u64, Stopped> {
        let _under_way = UnderWay::begin(&self.group);
        while count < self.upto {
            tokio::time::sleep(Duration::from_millis(self.pause)).await;
            count += 1;
            running.save(&count, Progress { done: count, total: Some(self.upto) }).await?;
            SEEN.lock().expect("no panic while it is held").entry(self.name.clone()).or_default().push(count);
            match self.fault {
                Fault::None => {}
                Fault::Fails if count > 1 => {}
                Fault::Fails => return Err(Stopped::Failed(Error::Internal("it went wrong".to_owned()))),
                Fault::Panics => panic!("it went wrong badly"),
                Fault::Never => return Err(Stopped::ForEver("there is no such thing".to_owned())),
            }
        }
        Ok(count)
    }
}

fn seen(name: &str) -> Vec<u64> {
    SEEN.lock().expect("no panic while it is held").get(name).cloned().unwrap_or_default()
}

/// An instance of the service: its operations, and a worker until it is stopped.
struct Instance {
    resolvers: Resolvers,
    task: tokio::task::JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Instance {
    fn start<const N: usize>(engine: &Engine) -> Self {
        Self::by::<N>(engine, Arc::new(SystemClock))
    }

    fn by<const N: usize>(engine: &Engine, clock: Arc<dyn Clock>) -> Self {
        let resolvers = Resolvers::with_clock(engine.clone(), Settings::default(), clock);
        let (stop, stopped) = oneshot::channel::<()>();
        let worker = Worker::new(&resolvers, Jobs::none()).with_kinds(Kinds::none().with::<Counting<N>>());
        let task = tokio::spawn(worker.run(async {
            let _ = stopped.await;
        }));
        Self { resolvers, task, stop }
    }

    async fn stop(self) {
        drop(self.stop);
        self.task.await.expect("it ends well");
    }

    /// As a crash would: nothing is let go.
    fn drop_dead(self) {
        self.task.abort();
    }
}

fn administrator() -> Caller {
    Caller::operator("test")
}

fn counting<const N: usize>(upto: u64, pause: u64) -> Counting<N> {
    Counting { name: SystemClock.id(), group: String::new(), upto, pause, fault: Fault::None }
}

async fn start<const N: usize>(resolvers: &Resolvers, job: &Counting<N>, priority: i64) -> String {
    let wanted = Wanted { name: job.name.clone(), priority, deduplication_key: None };
    resolvers.start_job(&administrator(), job, wanted, None).await.expect("it is queued").to_string()
}

async fn shown(resolvers: &Resolvers, id: &str) -> ShownJob {
    resolvers.job(&administrator(), id).await.expect("it is read").expect("it is there")
}

async fn until_ended(resolvers: &Resolvers, id: &str) -> ShownJob {
    eventually("it ends", async || shown(resolvers, id).await.status.is_ended()).await;
    shown(resolvers, id).await
}

async fn eventually(what: &str, check: impl AsyncFn() -> bool) -> Duration {
    let started = Instant::now();
    while !check().await {
        assert!(started.elapsed() < SOON, "{what}: not within {SOON:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    started.elapsed()
}

async fn it_ends_with_its_result_and_says_how_far_it_is(engine: Engine) {
    let instance = Instance::start::<0>(&engine);
    let job = counting::<0>(5, 1);
    let id = start(&instance.resolvers, &job, 0).await;
    let ended = until_ended(&instance.resolvers, &id).await;
    assert_eq!((ended.status, ended.done, ended.total, ended.attempts), (JobStatus::Done, 5, Some(5), 1));
    assert_eq!(ended.result.map(|result| result.as_str().to_owned()), Some("5".to_owned()));
    assert!(ended.created_at <= ended.started_at.expect("it was begun") && ended.started_at <= ended.saved_at && ended.saved_at <= ended.ended_at);
    assert_eq!((ended.name, ended.kind, ended.last_error), (job.name.clone(), KINDS[0].to_owned(), None));
    assert_eq!(seen(&job.name), [1, 2, 3, 4, 5]);
    let query = JobQuery { kinds: Some(vec![KINDS[0].to_owned()]), first: 200, ..JobQuery::default() };
    let listed = instance.resolvers.jobs(&administrator(), query).await.expect("a list");
    assert!(listed.jobs.iter().any(|listed| listed.id == id));
    instance.stop().await;
}

/// What has saved something has not failed in vain: its failures are counted anew. What has not, fails for good after three.
async fn a_run_that_fails_is_tried_again_and_blocks_nobody(engine: Engine) {
    // It is tried again when its clock says so, however long the machine takes for the other.
    let clock = Arc::new(Standing::at_present());
    let instance = Instance::by::<1>(&engine, Arc::<Standing>::clone(&clock));
    let failing = Counting { fault: Fault::Fails, ..counting::<1>(3, 1) };
    let (bad, good) = (start(&instance.resolvers, &failing, 1).await, start(&instance.resolvers, &counting::<1>(3, 1), 0).await);
    assert_eq!(until_ended(&instance.resolvers, &good).await.status, JobStatus::Done, "the other waits no longer than the first run takes");
    let waiting = shown(&instance.resolvers, &bad).await;
    assert_eq!((waiting.status, waiting.done), (JobStatus::Queued, 1));
    assert!(waiting.last_error.is_some_and(|error| error.contains("see its log")));
    clock.0.fetch_add(1_100, Ordering::Relaxed);
    let ended = until_ended(&instance.resolvers, &bad).await;
    assert_eq!((ended.status, ended.done, ended.attempts), (JobStatus::Done, 3, 2));
    assert_eq!(seen(&failing.name), [1, 2, 3], "it went on where it was");
    let defect = Counting { fault: Fault::Panics, ..counting::<1>(1_000, 1) };
    let id = start(&instance.resolvers, &defect, 0).await;
    for _ in 0..3 {
        eventually("it has failed", async || shown(&instance.resolvers, &id).await.last_error.is_some()).await;
        clock.0.fetch_add(5_000, Ordering::Relaxed);
    }
    instance.resolvers.cancel_job(&administrator(), &id, None).await.expect("it is cancelled");
    until_ended(&instance.resolvers, &id).await;
    instance.stop().await;
}

async fn what_never_can_be_done_is_told_with_its_reason(engine: Engine) {
    let instance = Instance::start::<2>(&engine);
    let never = Counting { fault: Fault::Never, ..counting::<2>(3, 1) };
    let (bad, good) = (start(&instance.resolvers, &never, 1).await, start(&instance.resolvers, &counting::<2>(1, 1), 0).await);
    let ended = until_ended(&instance.resolvers, &bad).await;
    assert_eq!((ended.status, ended.last_error.as_deref()), (JobStatus::Failed, Some("there is no such thing")));
    assert_eq!(until_ended(&instance.resolvers, &good).await.status, JobStatus::Done);
    assert_eq!(seen(&never.name), [1], "it was not tried again");
    instance.stop().await;
}

/// One that waits ends at once; one that is under way at another instance within a second.
async fn a_cancelled_job_stops_within_a_second(engine: Engine) {
    let (worker, other) = (Instance::start::<3>(&engine), Resolvers::new(engine.clone(), Settings::default()));
    let (long, waiting) = (counting::<3>(100_000, 5), counting::<3>(5, 5));
    let under_way = start(&worker.resolvers, &long, 1).await;
    eventually("it is under way", async || shown(&other, &under_way).await.done > 0).await;
    let idle = start(&worker.resolvers, &waiting, 0).await;
    other.cancel_job(&administrator(), &idle, None).await.expect("it is cancelled");
    assert_eq!(shown(&other, &idle).await.status, JobStatus::Cancelled, "nobody was at it");
    other.cancel_job(&administrator(), &under_way, None).await.expect("it is cancelled");
    // In pauses of ten milliseconds between looks: what looks themselves take is the machine's.
    let looks = AtomicUsize::new(0);
    let has_stopped = async || {
        looks.fetch_add(1, Ordering::Relaxed);
        shown(&other, &under_way).await.status == JobStatus::Cancelled
    };
    let took = eventually("it stops", has_stopped).await;
    assert!(looks.load(Ordering::Relaxed) < 150, "{} looks in {took:?}", looks.load(Ordering::Relaxed));
    let counted = seen(&long.name).len();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!((seen(&long.name).len(), seen(&waiting.name).len()), (counted, 0), "nothing more is done");
    other.cancel_job(&administrator(), &under_way, None).await.expect("again it changes nothing");
    assert!(matches!(other.cancel_job(&administrator(), "no job", None).await, Err(Error::NotFound { .. })));
    worker.stop().await;
}

async fn those_of_a_kind_take_turns_by_their_priority(engine: Engine) {
    let starter = Resolvers::new(engine.clone(), Settings::default());
    let (mut jobs, group) = (Vec::new(), SystemClock.id());
    for priority in [0, 0, 5, 9, 5] {
        let job = Counting { group: group.clone(), ..counting::<4>(3, 5) };
        jobs.push((priority, start(&starter, &job, priority).await));
    }
    let instances = [Instance::start::<4>(&engine), Instance::start::<4>(&engine)];
    let mut begun = Vec::new();
    for (number, (priority, id)) in jobs.iter().enumerate() {
        let ended = until_ended(&starter, id).await;
        begun.push((ended.started_at, -priority, number));
    }
    begun.sort();
    let priorities: Vec<i64> = begun.iter().map(|(_, priority, _)| -priority).collect();
    assert_eq!(priorities, [9, 5, 5, 0, 0]);
    assert_eq!(AT_ONCE.lock().expect("no panic while it is held").get(&group), Some(&(0, 1)), "one at a time, of two workers");
    for instance in instances {
        instance.stop().await;
    }
}

async fn what_is_wanted_twice_is_one_job_until_it_ends(engine: Engine) {
    let starter = Resolvers::new(engine.clone(), Settings::default());
    let job = counting::<5>(2, 1);
    let key = SystemClock.id();
    let wanted = || Wanted { name: "once".to_owned(), priority: 0, deduplication_key: Some(key.clone()) };
    let caller = administrator();
    let (first, second) = tokio::join!(starter.start_job(&caller, &job, wanted(), None), starter.start_job(&caller, &job, wanted(), None));
    let id = first.expect("it is queued");
    assert_eq!(id, second.expect("it is queued"));
    let instance = Instance::start::<5>(&engine);
    until_ended(&starter, &id).await;
    assert_ne!(id, starter.start_job(&caller, &job, wanted(), None).await.expect("another"), "it has ended");
    instance.stop().await;
}

/// A run that has lost its lease can save nothing any more, and ends nothing.
async fn a_checkpoint_is_taken_from_the_run_that_has_the_lease(engine: Engine) {
    let instance = Instance::start::<6>(&engine);
    let group = SystemClock.id();
    let job = Counting { group: group.clone(), ..counting::<6>(100_000, 5) };
    let id = start(&instance.resolvers, &job, 0).await;
    eventually("it is under way", async || shown(&instance.resolvers, &id).await.done > 2).await;
    let steal = "MATCH (j:JobInstance {id: $id}) SET j.holder = 'another', j.runs = 99, j.leaseUntil = 99999999999999, j.done = 7 RETURN j.id AS id";
    engine.write(Statement::new("test/steal", steal), Params::none().with("id", id.as_str())).await.expect("it is written");
    eventually("the run has ended", async || AT_ONCE.lock().expect("no panic while it is held").get(&group).is_some_and(|(now, _)| *now == 0)).await;
    let counted = seen(&job.name).len();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let now = shown(&instance.resolvers, &id).await;
    assert_eq!((now.status, now.done, seen(&job.name).len()), (JobStatus::Running, 7, counted), "it is the other's");
    instance.stop().await;
    let end = "MATCH (j:JobInstance {id: $id}) SET j.status = 'CANCELLED', j.leaseUntil = 0 REMOVE j:OpenJob RETURN j.id AS id";
    engine.write(Statement::new("test/end", end), Params::none().with("id", id.as_str())).await.expect("it is written");
}

/// Workers come, die and are stopped at random.
async fn whatever_becomes_of_workers_each_job_ends_once(engine: Engine) {
    let starter = Resolvers::new(engine.clone(), Settings::default());
    let mut random = StdRng::seed_from_u64(11);
    let jobs: Vec<Counting<7>> = (0..12).map(|_| counting::<7>(random.random_range(5..40), 10)).collect();
    let mut ids = Vec::new();
    for job in &jobs {
        ids.push(start(&starter, job, random.random_range(0..3)).await);
    }
    let mut instances: Vec<Instance> = (0..3).map(|_| Instance::start::<7>(&engine)).collect();
    for _ in 0..12 {
        tokio::time::sleep(Duration::from_millis(random.random_range(100..700))).await;
        let instance = instances.swap_remove(random.random_range(0..instances.len()));
        if random.random_bool(0.6) {
            instance.drop_dead();
        } else {
            instance.stop().await;
        }
        instances.push(Instance::start::<7>(&engine));
    }
    for (job, id) in jobs.iter().zip(&ids) {
        let ended = until_ended(&starter, id).await;
        assert_eq!((ended.status, ended.done as u64), (JobStatus::Done, job.upto), "{ended:?}");
        let counted = seen(&job.name);
        assert_eq!(counted.iter().copied().max(), Some(job.upto));
        // What was saved was counted before it was written down here, so that a step may be missing and none is there twice.
        assert!(counted.is_sorted_by(|before, after| before < after), "no checkpoint goes back: {counted:?}");
    }
    for instance in instances {
        instance.stop().await;
    }
}

const TESTS: [(&str, Body); 8] = [
    ("it_ends_with_its_result_and_says_how_far_it_is", |engine| Box::pin(it_ends_with_its_result_and_says_how_far_it_is(engine))),
    ("a_run_that_fails_is_tried_again_and_blocks_nobody", |engine| Box::pin(a_run_that_fails_is_tried_again_and_blocks_nobody(engine))),
    ("what_never_can_be_done_is_told_with_its_reason", |engine| Box::pin(what_never_can_be_done_is_told_with_its_reason(engine))),
    ("a_cancelled_job_stops_within_a_second", |engine| Box::pin(a_cancelled_job_stops_within_a_second(engine))),
    ("those_of_a_kind_take_turns_by_their_priority", |engine| Box::pin(those_of_a_kind_take_turns_by_their_priority(engine))),
    ("what_is_wanted_twice_is_one_job_until_it_ends", |engine| Box::pin(what_is_wanted_twice_is_one_job_until_it_ends(engine))),
    ("a_checkpoint_is_taken_from_the_run_that_has_the_lease", |engine| Box::pin(a_checkpoint_is_taken_from_the_run_that_has_the_lease(engine))),
    ("whatever_becomes_of_workers_each_job_ends_once", |engine| Box::pin(whatever_becomes_of_workers_each_job_ends_once(engine))),
];

fn main() {
    libtest_mimic::run(&Arguments::from_args(), on_both(TESTS)).exit();
}

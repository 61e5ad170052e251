//! What is followed live, on both engines: changes by topic, credentials of open connections, jobs.

// The type of a worker's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

mod clock;
mod engines;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clock::Standing;
use cypher::Engine;
use engines::{Body, on_both};
use graph_schema::given;
use graph_schema::id::UserId;
use graph_schema::job::JobStatus;
use graph_schema::user::{CreateUser, UpdateUser};
use libtest_mimic::Arguments;
use resolvers::explore::{ListFilter, ObservationFilter};
use resolvers::jobs::{ChangeFeed, JobKind, Jobs, Running, Stopped, Wanted, Worker};
use resolvers::{
    AddObservation, Caller, CaseWanted, Clock, CredentialEnd, CredentialType, CredentialWatch, Error, EventPosition, Followed, Identified, LiveQuery,
    LiveStream, Origin, Resolvers, Role, RolesOfGroups, Settings, SystemClock, TokenSettings, Topic, TopicChange,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(120);
/// Longer than a token holds, in milliseconds.
const A_TOKENS_TIME: i64 = 16 * 60 * 1000;

const TESTS: [(&str, Body); 5] = [
    ("a_credential_ends_with_its_revocation_or_its_time", |engine| Box::pin(a_credential_ends_with_its_revocation_or_its_time(engine))),
    ("a_user_with_other_roles_comes_again", |engine| Box::pin(a_user_with_other_roles_comes_again(engine))),
    ("new_observations_are_told_once_in_order", |engine| Box::pin(new_observations_are_told_once_in_order(engine))),
    ("a_subscription_that_can_not_be_is_refused", |engine| Box::pin(a_subscription_that_can_not_be_is_refused(engine))),
    ("a_job_is_told_until_it_ends", |engine| Box::pin(a_job_is_told_until_it_ends(engine))),
];

fn main() {
    libtest_mimic::run(&Arguments::from_args(), on_both(TESTS)).exit();
}

fn administrator() -> Caller {
    Caller::operator("test")
}

fn caller(identified: Identified) -> Caller {
    Caller::new(identified, None, "live-test".into())
}

/// Whether a credential has ended within a time, and why.
async fn ended(watch: &mut CredentialWatch, within: Duration) -> Option<CredentialEnd> {
    timeout(within, watch.ended()).await.ok()
}

async fn a_credential_ends_with_its_revocation_or_its_time(engine: Engine) {
    let clock = Arc::new(Standing::at_present());
    let instance = Resolvers::with_clock(engine.clone(), Settings::default(), Arc::<Standing>::clone(&clock));
    let other = Resolvers::new(engine, Settings::default());
    let admin = administrator();

    let key = instance.create_key(&admin, Role::Analyst, None).await.expect("a key");
    let by_key = caller(instance.authenticate_key(&key.key, None).await.expect("it is known"));
    let origin = Origin { ip: None, request_id: "live-test".into() };
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let client = instance.create_client(&admin, Role::Analyst, None).await.expect("a client");
        let token = instance.issue_token(&origin, &client.client_id, &client.client_secret).await.expect("a token").access_token;
        tokens.push((client.client_id, caller(instance.authenticate_token(&token, None).await.expect("it is known"))));
    }
    let [(revoked_client, by_revoked), (_, by_expired)] = <[_; 2]>::try_from(tokens).expect("two clients");
    assert!(by_key.expires_at.is_none() && by_expired.expires_at.is_some_and(|at| at > clock.now()));

    let [mut key_watch, mut same_key, mut client_watch, mut token_watch, mut operator] =
        [&by_key, &by_key, &by_revoked, &by_expired, &admin].map(|caller| instance.watch_credential(caller));
    let still = Duration::from_millis(1_500);
    for watch in [&mut key_watch, &mut client_watch, &mut token_watch] {
        assert_eq!(ended(watch, still).await, None, "it is good");
    }
    other.revoke_key(&admin, &key.id).await.expect("it is revoked elsewhere");
    assert_eq!(ended(&mut key_watch, SOON).await, Some(CredentialEnd::Revoked));
    assert_eq!(ended(&mut same_key, SOON).await, Some(CredentialEnd::Revoked), "each of its connections ends");
    other.revoke_client(&admin, &revoked_client).await.expect("it is revoked elsewhere");
    assert_eq!(ended(&mut client_watch, SOON).await, Some(CredentialEnd::Revoked));
    let mut late = instance.watch_credential(&by_key);
    assert_eq!(ended(&mut late, SOON).await, Some(CredentialEnd::Revoked), "what has ended before is found");
    assert_eq!(ended(&mut token_watch, still).await, None, "the other client is good");
    clock.0.fetch_add(A_TOKENS_TIME, Ordering::Relaxed);
    assert_eq!(ended(&mut token_watch, SOON).await, Some(CredentialEnd::Expired));
    assert_eq!(ended(&mut operator, still).await, None, "nobody revokes the operator");
}

/// Only where the roles are those of the user's groups do these matter.
async fn a_user_with_other_roles_comes_again(engine: Engine) {
    let groups = RolesOfGroups(vec![("analysts".to_owned(), Role::Analyst), ("auditors".to_owned(), Role::Auditor)]);
    let settings = Settings { tokens: TokenSettings { groups, ..TokenSettings::default() }, ..Settings::default() };
    let (instance, other) = (Resolvers::new(engine.clone(), settings), Resolvers::new(engine, Settings::default()));
    let admin = administrator();
    let id = SystemClock.id();
    let groups = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    let user = CreateUser {
        user_id: Some(UserId::new(id.clone())),
        subject: None,
        username: format!("live-{id}"),
        first_name: None,
        last_name: None,
        enabled: None,
        groups: groups(&["others", "analysts"]),
        idempotency_key: None,
    };
    other.create_user(&admin, user).await.expect("a user");
    let [mut by_groups, mut by_token] = [true, false].map(|follows_groups| {
        let (id, name, roles, means) = (id.clone(), "Ada".to_owned(), Role::Analyst.into(), CredentialType::Token);
        instance.watch_credential(&caller(Identified { id, name, roles, means, expires_at: None, follows_groups, user: None }))
    });
    let become_of = async |names: &[&str]| {
        let (user_id, groups) = (UserId::new(id.clone()), groups(names));
        let update = UpdateUser { user_id, username: None, first_name: None, last_name: None, enabled: None, groups, idempotency_key: None };
        other.update_user(&admin, update).await.expect("it is changed elsewhere");
    };
    let still = Duration::from_millis(1_500);
    become_of(&["analysts"]).await;
    assert_eq!(ended(&mut by_groups, still).await, None, "the roles are the same");
    become_of(&["auditors"]).await;
    assert_eq!(ended(&mut by_groups, SOON).await, Some(CredentialEnd::Revoked));
    assert_eq!(ended(&mut by_token, still).await, None, "its token says the roles");
}

/// An instance whose worker gives change sets their positions.
struct Instance {
    resolvers: Resolvers,
    task: tokio::task::JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Instance {
    fn start(engine: &Engine) -> Self {
        let resolvers = Resolvers::new(engine.clone(), Settings::default());
        let (stop, stopped) = oneshot::channel::<()>();
        let worker = Worker::new(&resolvers, Jobs::none().with(ChangeFeed::default()));
        let task = tokio::spawn(worker.run(async {
            let _ = stopped.await;
        }));
        Self { resolvers, task, stop }
    }

    async fn stop(self) {
        drop(self.stop);
        self.task.await.expect("it ends well");
    }

    async fn record(&self, id: &str, title: &str) {
        let record = json!({"id": id, "type": "ALERT_RULE", "behaviorId": title, "behaviorName": "Test", "date": 1_718_000_000, "title": title});
        let given = given::read(record.to_string().as_bytes()).expect("a record");
        let request = AddObservation { given, case: CaseWanted::No, key: None };
        self.resolvers.add_observation(&administrator(), request).await.expect("it is stored");
    }

    async fn follow(&self, filter: ListFilter, after: Option<EventPosition>) -> LiveStream {
        let query = LiveQuery { topic: Topic::NewObservations, id: None, mine: false, filter, after };
        self.resolvers.follow(&administrator(), query).await.expect("it can be followed")
    }
}

/// The next change of an observation of this test: on a shared database others come, too.
async fn next(stream: &mut LiveStream, own: &str) -> Arc<TopicChange> {
    let found = async {
        loop {
            match stream.next().await.expect("it goes on") {
                Followed::Change(change) if change.id.starts_with(own) => return change,
                Followed::Change(_) => {}
                Followed::Gap(gap) => panic!("{gap:?}"),
            }
        }
    };
    timeout(SOON, found).await.expect("it comes")
}

async fn new_observations_are_told_once_in_order(engine: Engine) {
    let instance = Instance::start(&engine);
    let own = format!("live-{}", SystemClock.id());
    let id = |number: usize| format!("{own}-{number}");
    let mut stream = instance.follow(ListFilter::All, None).await;
    for number in 0..3 {
        instance.record(&id(number), "first").await;
    }
    // Neither the same again nor a change is new.
    instance.record(&id(0), "first").await;
    instance.record(&id(1), "second").await;
    instance.record(&id(3), "second").await;
    let mut told = Vec::new();
    for _ in 0..4 {
        told.push(next(&mut stream, &own).await);
    }
    assert_eq!(told.iter().map(|change| change.id.clone()).collect::<Vec<_>>(), [0, 1, 2, 3].map(id));
    assert!(told.iter().map(|change| change.position).is_sorted_by(|one, next| one < next), "positions go up");
    assert!(told.iter().all(|change| change.action == "observation.recorded" && change.topic == Topic::NewObservations));

    let mut resumed = instance.follow(ListFilter::All, Some(told[1].position)).await;
    assert_eq!([next(&mut resumed, &own).await.id.clone(), next(&mut resumed, &own).await.id.clone()], [2, 3].map(id), "behind its position");
    let filter = ListFilter::Observations(ObservationFilter { behaviors: Some(vec!["second".to_owned()]), ..ObservationFilter::default() });
    let mut filtered = instance.follow(filter, Some(told[0].position)).await;
    assert_eq!([next(&mut filtered, &own).await.id.clone(), next(&mut filtered, &own).await.id.clone()], [id(1), id(3)], "as they are now");

    // Without a position nothing is told that had its position before.
    let mut late = instance.follow(ListFilter::All, None).await;
    instance.record(&id(4), "late").await;
    assert_eq!(next(&mut late, &own).await.id, id(4));
    drop((stream, resumed, filtered, late));
    instance.stop().await;
}

async fn a_subscription_that_can_not_be_is_refused(engine: Engine) {
    let resolvers = Resolvers::new(engine, Settings::default());
    let admin = administrator();
    let key = resolvers.create_key(&admin, Role::Ingest, None).await.expect("a key");
    let ingest = caller(resolvers.authenticate_key(&key.key, None).await.expect("it is known"));
    let query = |mine, after: Option<&str>| LiveQuery {
        topic: Topic::CaseChanges,
        id: None,
        mine,
        filter: ListFilter::All,
        after: after.map(|text| EventPosition::parse(text).expect("a position")),
    };
    let refused = async |caller: &Caller, query: LiveQuery| resolvers.follow(caller, query).await.err().expect("it is refused");
    assert!(matches!(refused(&ingest, query(false, None)).await, Error::Forbidden { .. }), "who may not explore");
    assert!(matches!(refused(&admin, query(true, None)).await, Error::Invalid(_)), "who is no user has no cases");
    assert!(matches!(refused(&admin, query(false, Some("999999999999999"))).await, Error::Invalid(_)), "a position that was never given");
    assert!(matches!(resolvers.watch_job(&admin, "nothing").await.err(), Some(Error::NotFound { .. })));
    assert!(matches!(resolvers.watch_bulk_request(&admin, "nothing").await.err(), Some(Error::Invalid(_))));
    let mut deliveries = resolvers.watch_deliveries(&admin, Some("nothing".to_owned())).await.expect("it is looked for");
    assert!(matches!(deliveries.next().await, Err(Error::NotFound { .. })));
}

/// A job that no worker of this test does.
#[derive(Serialize, Deserialize)]
struct Waiting;

impl JobKind for Waiting {
    const KIND: &'static str = "test-live";
    type Checkpoint = ();
    type Result = ();

    async fn run(&self, (): (), _: &Running) -> Result<(), Stopped> {
        Ok(())
    }
}

async fn a_job_is_told_until_it_ends(engine: Engine) {
    let resolvers = Resolvers::new(engine, Settings::default());
    let admin = administrator();
    let wanted = Wanted { name: "Live".to_owned(), priority: 0, deduplication_key: None };
    let id = resolvers.start_job(&admin, &Waiting, wanted, None).await.expect("it is queued").to_string();
    let mut watch = resolvers.watch_job(&admin, &id).await.expect("it is there");
    let mut told = async || timeout(SOON, watch.next()).await.expect("it comes").expect("it is shown").map(|job| (job.id, job.status));
    assert_eq!(told().await, Some((id.clone(), JobStatus::Queued)), "as it is");
    resolvers.cancel_job(&admin, &id, None).await.expect("it is cancelled");
    assert_eq!(told().await, Some((id, JobStatus::Cancelled)));
    assert_eq!(told().await, None, "nothing comes behind its end");
}

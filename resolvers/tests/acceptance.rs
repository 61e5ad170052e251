//! Requests that several instances take, on both engines: of bulk requests the one that was sent last is the last word, whatever the clocks say; a key of a
//! list is the list's at all of them.

// The type of a worker's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

mod engines;

use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::{Engine, Params, Statement};
use engines::{Body, on_both};
use graph_schema::actor::{ActorExclusion, ExclusionType};
use graph_schema::date::Timestamp;
use graph_schema::given::Given;
use graph_schema::id::ActorId;
use libtest_mimic::Arguments;
use resolvers::policy::{Caller, CredentialType, Identified, Role};
use resolvers::{Action, Clock, Error, IdempotencyKey, Replayed, Resolvers, Settings, SystemClock};
use serde_json::json;

const SOON: Duration = Duration::from_secs(240);
/// So many records of each way.
const PAIRS: usize = 10;

/// The machine's clock, so many milliseconds ahead.
struct Ahead(i64);

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        Timestamp(SystemClock.now().millis() + self.0)
    }
}

fn instance(engine: &Engine, ahead: i64) -> Resolvers {
    Resolvers::with_clock(engine.clone(), Settings::default(), Arc::new(Ahead(ahead)))
}

/// An instance takes a request with one actor.
async fn take(instance: &Resolvers, id: &str, name: &str) {
    let body = json!({"actors": [{"id": id, "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": name}]}).to_string();
    let lists = graph_schema::bulk::read(
        body.as_bytes(),
        graph_schema::days::Days::at(graph_schema::date::Timestamp::parse("2024-01-31T12:00:00Z").expect("a time")),
    )
    .expect("right");
    let (id_of_sender, means) = ("sender".to_owned(), CredentialType::System);
    let roles = Role::Ingest.into();
    let sender = Identified { id: id_of_sender.clone(), name: id_of_sender, roles, means, expires_at: None, follows_groups: false, user: None };
    let caller = Caller::new(sender, None, Arc::from(format!("{id} {name}")));
    instance.bulk_ingest(&caller, lists, &body, None).await.expect("taken");
}

async fn name_of(engine: &Engine, id: &str) -> Option<String> {
    let statement = Statement::new("test/name", "MATCH (n:Actor {id: $id}) RETURN n.name AS name");
    let rows = engine.read(statement, Params::none().with("id", id), SOON).await.expect("it runs");
    rows.first().and_then(|row| row.get("name").as_text().map(str::to_owned))
}

async fn what_was_sent_last_is_the_last_word(engine: Engine) {
    let (fast, right, slow) = (instance(&engine, 300), instance(&engine, 0), instance(&engine, -60_000));
    let own = SystemClock.id();
    let id = |way: &str, number: usize| format!("{own}-{way}-{number}");
    let ways = [("fast first", &fast, &right), ("slow last", &right, &slow), ("fast last", &slow, &fast), ("one", &right, &right)];
    // Nobody looks at them yet.
    for number in 0..PAIRS {
        for (way, first, second) in ways {
            take(first, &id(way, number), "old").await;
            take(second, &id(way, number), "new").await;
        }
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = tokio::spawn(right.worker().run(async {
        let _ = stopped.await;
    }));
    let parts = Statement::new("test/parts", "MATCH (p:BulkPart) RETURN count(p) AS parts");
    let began = Instant::now();
    while engine.read(parts, Params::none(), SOON).await.expect("it runs")[0].get("parts").as_int() != Some(0) {
        assert!(began.elapsed() < SOON, "all of it is done");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(stop);
    worker.await.expect("it ends well");
    for number in 0..PAIRS {
        for (way, ..) in ways {
            assert_eq!(name_of(&engine, &id(way, number)).await.as_deref(), Some("new"), "{way} {number}");
        }
    }
}

/// A list that was cut short is sent again as a whole, to whichever instance. Under its key there is no other list, and no request that is none.
async fn a_key_belongs_to_one_list(engine: Engine) {
    let (one, other, next_day) = (instance(&engine, 0), instance(&engine, 0), instance(&engine, 25 * 60 * 60 * 1000));
    let (own, caller) = (SystemClock.id(), Caller::operator("test"));
    let key = |name: &str| IdempotencyKey::parse(&format!("{own}-{name}")).ok();
    let begin =
        async |instance: &Resolvers, name: &str, list: &str| instance.begin_list(&caller, (Action::SendDecision, "Actor"), key(name), list).await;
    let act = async |instance: &Resolvers, at: usize, key: Option<IdempotencyKey>| {
        let given = Given::made(ActorExclusion { exclusion_type: ExclusionType::Suppressed, stored_at: None }).expect("JSON");
        instance.add_exclusion(&caller, &ActorId::new(format!("{own}-{at}")), given, key).await.map(|answered| answered.replayed)
    };
    let is_refused = |error: Option<Error>| matches!(error, Some(Error::Invalid(_)));

    let keys = begin(&one, "cut", "list").await.expect("it is begun");
    for at in 0..2 {
        assert_eq!(act(&one, at, keys.of(at)).await.expect("it is done"), Replayed::No);
    }
    drop(keys);
    let keys = begin(&other, "cut", "list").await.expect("the same list");
    for (at, replayed) in [Replayed::Yes, Replayed::Yes, Replayed::No].into_iter().enumerate() {
        assert_eq!(act(&other, at, keys.of(at)).await.expect("it is done"), replayed, "item {at}");
    }
    drop(keys);
    assert!(is_refused(begin(&one, "cut", "another list").await.err()), "another list");
    for name in ["cut", "cut/0"] {
        assert!(is_refused(act(&one, 0, key(name)).await.err()), "a single request under {name}");
    }
    act(&one, 0, key("single")).await.expect("it is done");
    assert!(is_refused(begin(&other, "single", "list").await.err()), "a list under the key of a single request");
    drop(begin(&one, "whole", "list").await.expect("it is begun"));
    assert!(is_refused(begin(&other, "whole", "another list").await.err()), "nothing of the first one was done yet");

    // Of two at once one is begun.
    let (this, that) = tokio::join!(begin(&one, "both", "this"), begin(&other, "both", "that"));
    let errors: Vec<Error> = [this, that].into_iter().filter_map(Result::err).collect();
    assert!(matches!(errors.as_slice(), [Error::Invalid(_)]), "{errors:?}");
    assert!(begin(&next_day, "both", "a third one").await.is_ok(), "a key has its time");
}

const TESTS: [(&str, Body); 2] = [
    ("what_was_sent_last_is_the_last_word", |engine| Box::pin(what_was_sent_last_is_the_last_word(engine))),
    ("a_key_belongs_to_one_list", |engine| Box::pin(a_key_belongs_to_one_list(engine))),
];

fn main() {
    libtest_mimic::run(&Arguments::from_args(), on_both(TESTS)).exit();
}

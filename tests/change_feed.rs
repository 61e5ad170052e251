//! The change feed: every committed change once, in order, without a gap.

use std::collections::BTreeSet;
use std::time::Duration;

use cypher::Params;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;

use crate::support::fixtures::{Payment, actor, case_id};
use crate::support::follower::Follower;
use crate::support::load::Load;
use crate::support::mixed::Mixed;
use crate::support::{Engine, Ids, Server, Store, eventually, jobs, stored, tests};

tests![
    both: what_is_changed_comes_in_the_order_of_the_answers,
          every_change_is_there_once_whatever_is_killed,
          who_comes_too_late_is_told_so,
          only_administrators_follow_it,
          positions_that_nobody_was_given_are_refused;
    neo4j: two_writers_leave_one_feed
];

/// Every kind of way to write: at once, by numbers, on one side only, carefully, in bulk, with events.
async fn what_is_changed_comes_in_the_order_of_the_answers(engine: Engine) {
    let server = Server::shared(engine);
    let ids = Ids::new();
    let mut reader = Follower::from_now(&server).await;
    let (person, case) = (ids.of("person"), case_id());
    let payment = |name: &str, amount: &str| Payment::new(ids.of(name), ids.of("a"), ids.of("b")).amount(amount);
    server.post("/api/actors", actor(&person).to_string()).await.expect(200);
    server.post("/api/v2/transactions", payment("one", "1").text()).await.expect(200);
    server.post("/api/v2/transactions", payment("two", "2").text()).await.expect(200);
    server.post("/api/v2/transactions", payment("one", "3").text()).await.expect(200);
    server.post("/api/cases", json!({"id": case, "actors": [{"id": person}]}).to_string()).await.expect(200);
    server.patch(&format!("/api/cases/{case}"), json!({"c__n": 1}).to_string()).await.expect(200);
    server.post("/api/v2/transactions", payment("last", "4").text()).await.expect(200);
    reader.read_until(&server, &[ids.of("last")]).await;

    let own: BTreeSet<String> = [person.clone(), ids.of("one"), ids.of("two"), ids.of("last"), case.clone()].into();
    let changes: Vec<_> = reader.changes().filter(|change| own.contains(change["objectId"].as_str().unwrap_or_default())).collect();
    let objects: Vec<&str> = changes.iter().map(|change| change["objectId"].as_str().expect("an id")).collect();
    let (one, two, last) = (ids.of("one"), ids.of("two"), ids.of("last"));
    assert_eq!(objects, [&person, &one, &two, &one, &case, &case, &last], "each change where its answer was");
    assert_eq!(changes[0]["objectType"], "Actor");
    assert_eq!(changes[4]["caseId"], json!(case));
    assert!(changes.iter().all(|change| change["userId"].is_string() && change["requestId"].is_string()), "{changes:#?}");
    assert!(reader.events.len() >= 2, "the case's making and its change have an event each");
}

/// Payments and other writes go on while the server is killed again and again, with the sequencer in it; the reader, too, starts anew from what it had
/// written down.
async fn every_change_is_there_once_whatever_is_killed(engine: Engine) {
    let mut server = Server::on(Store::private(engine));
    let ids = Ids::new();
    let (load, mixed) = (Load::new(&ids), Mixed::new(&ids, &server).await);
    let mut reader = Follower::default();
    let mut random = StdRng::seed_from_u64(3);
    for _ in 0..5 {
        let before = load.acknowledged().len();
        let running = [load.run(4, || server.client()), mixed.run(2, || server.client())];
        for _ in 0..random.random_range(2..8) {
            reader.read_on(&server, random.random_range(1..=50)).await;
            tokio::time::sleep(Duration::from_millis(random.random_range(20..150))).await;
        }
        eventually("payments come", Duration::from_secs(120), async || load.acknowledged().len() > before + 5).await;
        server.kill();
        for running in running {
            running.stop().await;
        }
        server.start_again();
    }
    jobs::none_left(&server).await;
    reader.read_all(&server).await;
    let told: Vec<String> = reader.changes().map(|change| change["id"].as_str().expect("an id").to_owned()).collect();
    let entries = "MATCH (a:AuditEntry) WHERE a.logType = 'UPDATE' AND a.actionResult = 'SUCCESS' RETURN a.id AS id";
    let written: BTreeSet<String> = server.cypher(entries).iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect();
    let once: BTreeSet<String> = told.iter().cloned().collect();
    assert_eq!(once.len(), told.len(), "each is told once");
    assert_eq!(once, written, "all that was written is told, and nothing else");
    assert!(load.acknowledged().len() > 20, "something was written: {}", load.acknowledged().len());
    let waiting = server.cypher("MATCH (c:ChangeSet) WHERE c.position IS NULL RETURN count(*) AS waiting");
    assert_eq!(waiting[0]["waiting"], 0);
}

/// Two instances write to one store. One of them has the sequencer, and either may be asked.
async fn two_writers_leave_one_feed(engine: Engine) {
    let store = Store::private(engine);
    let (one, other) = (Server::on(store.clone()), Server::on(store));
    let ids = Ids::new();
    let mut reader = Follower::from_now(&one).await;
    let load = Load::new(&ids);
    let running = [load.run(3, || one.client()), load.run(3, || other.client())];
    for turn in 0..20 {
        reader.read_on(if turn % 2 == 0 { &one } else { &other }, 30).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for running in running {
        running.stop().await;
    }
    let acknowledged = load.acknowledged();
    reader.read_until(&other, &acknowledged).await;
    let objects = reader.objects();
    let once: BTreeSet<&String> = objects.iter().collect();
    assert_eq!(once.len(), objects.len(), "each payment was written once");
    assert!(acknowledged.iter().all(|id| once.contains(id)));
}

async fn who_comes_too_late_is_told_so(engine: Engine) {
    let mut server = Server::with(Store::private(engine), &[("AMLGRAPH_CHANGES__KEEP_FOR", "1s")]);
    let ids = Ids::new();
    // The first cleaning up belongs to the start: it is not to come between a change and its reader, nor to be under way when the next is asked for.
    jobs::none_left(&server).await;
    let mut reader = Follower::from_now(&server).await;
    let begun = reader.position;
    let people: Vec<String> = (0..5).map(|number| ids.of(&format!("person-{number}"))).collect();
    for person in &people {
        server.post("/api/actors", actor(person).to_string()).await.expect(200);
    }
    reader.read_until(&server, &people).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    stored::write(&mut server, "MATCH (j:Job {id: 'housekeeping'}) SET j.dueAt = 0, j.restUntil = 0", Params::none()).await;
    let query = "query($after: ID!) { changes(after: $after) { position last sets { position } } }";
    let forgotten = eventually("they are forgotten", Duration::from_secs(120), async || {
        let answer = server.graphql_answer(query, json!({"after": begun.to_string()})).await;
        answer["errors"][0]["extensions"]["code"] == "FORGOTTEN"
    });
    forgotten.await;
    let answer = server.graphql_in_time(query, json!({"after": begun.to_string()})).await;
    let oldest = answer["errors"][0]["extensions"]["oldest"].as_str().expect("where to begin").to_owned();
    assert!(oldest.parse::<i64>().expect("a position") > begun);
    let rest = server.graphql(query, json!({"after": oldest})).await;
    assert!(rest["changes"]["sets"].is_array(), "from there on all is there: {rest}");
    let without = server.graphql("{ changes { position } }", json!({})).await;
    assert!(without["changes"]["position"].is_string(), "who names no position begins with the first that is kept");
}

async fn only_administrators_follow_it(engine: Engine) {
    let server = Server::shared(engine);
    for role in ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR"] {
        let key = server.post("/admin/keys", json!({"role": role, "name": "feed"}).to_string()).await;
        let key = key.expect(201).json()["key"].as_str().expect("a key").to_owned();
        let body = json!({"query": "{ changes { position } }"}).to_string();
        let answer = server.with_key(&key).post("/graphql", body).await;
        assert!(answer.status == 403 || answer.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN", "{role}: {answer:?}");
    }
}

async fn positions_that_nobody_was_given_are_refused(engine: Engine) {
    let server = Server::shared(engine);
    let cases = [
        ("after: \"x\"", "after: must be"),
        ("after: \"-1\"", "after: must be"),
        ("after: \"999999999\"", "after: must be"),
        ("first: 0", "first: must be"),
        ("first: 201", "first: must be"),
    ];
    for (arguments, wrong) in cases {
        let answer = server.graphql_answer(&format!("{{ changes({arguments}) {{ position }} }}"), json!({})).await;
        let message = answer["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with(wrong), "{arguments}: {answer}");
    }
}

//! Readers of `GET /events` over a store that many write to: whatever is killed, and whichever instance is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinHandle;

use crate::support::fixtures::case_id;
use crate::support::reader::{Reader, text};
use crate::support::{Api, Engine, Server, Store, eventually, jobs, tests};

tests![
    both: nothing_is_lost_or_doubled_whatever_is_killed;
    neo4j: a_reader_that_asks_two_instances_by_turns_reads_one_order
];

/// Makes cases, one after another, and changes each, until each write was taken.
async fn write_on(api: Arc<Mutex<Api>>, written: Arc<AtomicUsize>) {
    for _ in 0..CASES {
        let id = case_id();
        let make = json!({"id": id, "actors": [{"id": format!("actor-of-{id}")}]}).to_string();
        until_taken(&api, "POST", "/api/cases", &make).await;
        for number in 0..CHANGES {
            until_taken(&api, "PATCH", &format!("/api/cases/{id}"), &json!({"c__n": number}).to_string()).await;
            written.fetch_add(1, Ordering::Relaxed);
        }
    }
}

const WRITERS: usize = 4;
const CASES: usize = 6;
const CHANGES: usize = 8;
const KILLS: usize = 5;
/// Of all writers together.
const LEAST_EVENTS: usize = WRITERS * CASES * (CHANGES + 1);

async fn until_taken(api: &Mutex<Api>, method: &str, path: &str, body: &str) {
    loop {
        let now = api.lock().expect("a client").clone();
        match now.try_send(now.sending(method, path, body)).await {
            Ok(answer) if answer.status == 200 => return,
            Ok(answer) => assert!([500, 503].contains(&answer.status), "{answer:?}"),
            Err(_) => {}
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// That a reader has read every event that is stored, each once, and those of each case in their order.
fn has_read_all(reader: &Reader, server: &mut Server) {
    let read = reader.ids();
    let once: BTreeSet<&String> = read.iter().collect();
    assert_eq!(once.len(), read.len(), "each came once");
    assert!(read.len() >= LEAST_EVENTS, "{} events", read.len());
    let mut came: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for event in &reader.events {
        came.entry(text(&event["event"]["data"]["id"])).or_default().push(text(&event["event"]["id"]));
    }
    let rows = server.cypher("MATCH (e:Event) RETURN e.caseId AS caseId, e.sequence AS sequence, e.id AS id");
    let mut rows: Vec<(i64, String, String)> =
        rows.iter().map(|row| (row["sequence"].as_i64().expect("a number"), text(&row["caseId"]), text(&row["id"]))).collect();
    rows.sort();
    let mut stored: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, case, id) in rows {
        stored.entry(case).or_default().push(id);
    }
    assert_eq!(came, stored, "all that was stored came, in the order of its case");
}

/// The reader starts anew from what it has stored, whatever was killed under it.
async fn nothing_is_lost_or_doubled_whatever_is_killed(engine: Engine) {
    let mut server = Server::on(Store::private(engine));
    let reader = tokio::sync::Mutex::new(Reader::from_now(&server).await);
    let (api, written) = (Arc::new(Mutex::new(server.client())), Arc::new(AtomicUsize::new(0)));
    let writers: Vec<_> = (0..WRITERS).map(|_| tokio::spawn(write_on(Arc::clone(&api), Arc::clone(&written)))).collect();
    for kill in 1..=KILLS {
        let due = kill * WRITERS * CASES * CHANGES / (KILLS + 1);
        eventually("changes go on", Duration::from_secs(120), async || {
            reader.lock().await.read_on(&server, &format!("&limit={kill}&wait=1")).await;
            written.load(Ordering::Relaxed) >= due
        })
        .await;
        server.kill();
        server.start_again();
        *api.lock().expect("a client") = server.client();
    }
    for writer in writers {
        writer.await.expect("a writer ends well");
    }
    jobs::none_left(&server).await;
    let mut reader = reader.into_inner();
    reader.read_all(&server, "&limit=1000").await;
    has_read_all(&reader, &mut server);
}

/// As behind a balancer: each instance is asked for what is behind the position that the other gave, while both write.
async fn a_reader_that_asks_two_instances_by_turns_reads_one_order(engine: Engine) {
    let store = Store::private(engine);
    let (mut one, other) = (Server::on(store.clone()), Server::on(store));
    let reader = Reader::from_now(&one).await;
    let begun = reader.after.clone();
    let (reader, turn, written) = (tokio::sync::Mutex::new(reader), AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let at = |server: &Server| tokio::spawn(write_on(Arc::new(Mutex::new(server.client())), Arc::clone(&written)));
    let writers: [JoinHandle<()>; WRITERS] = [at(&one), at(&one), at(&other), at(&other)];
    eventually("all is written", Duration::from_secs(240), async || {
        let asked = [&one, &other][turn.fetch_add(1, Ordering::Relaxed) % 2];
        reader.lock().await.read_on(asked, "&limit=7&wait=1").await;
        writers.iter().all(JoinHandle::is_finished)
    })
    .await;
    for writer in writers {
        writer.await.expect("a writer ends well");
    }
    jobs::none_left(&one).await;
    let mut reader = reader.into_inner();
    reader.read_all(&other, "").await;
    let mut again = Reader::behind(begun);
    again.read_all(&one, "&limit=1000").await;
    assert_eq!(again.ids(), reader.ids(), "whoever is asked, and for however many, the order is one");
    has_read_all(&reader, &mut one);
}

//! The server is killed, again and again, while cases change and the receiver of their events fails, hangs, resets and is slow: every event
//! arrives, and those of a case in their order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;

use crate::support::fixtures::case_id;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{Api, Engine, Server, Store, eventually, jobs, tests};

tests![both: killed_twenty_times_every_event_arrives_in_the_order_of_its_case];

const KILLS: usize = 20;
const CASES: usize = 100;
/// Of each case, beside the one that makes it.
const CHANGES: usize = 20;

async fn killed_twenty_times_every_event_arrives_in_the_order_of_its_case(engine: Engine) {
    let receiver = unreliable(7).await;
    let settings = [
        ("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE", "true"),
        ("AMLGRAPH_WEBHOOKS__TIMEOUT", "1s"),
        // The schedule is compressed; the kills are real.
        ("AMLGRAPH_WEBHOOKS__RETRY_SCHEDULE", "50ms,100ms,200ms,200ms,500ms,500ms,500ms,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s"),
    ];
    let mut server = Server::with(Store::private(engine), &settings);
    let webhook = json!({"name": "chaos", "url": receiver.url(), "events": ["*"]});
    server.post("/api/webhooks", webhook.to_string()).await.expect(201);

    let api = Arc::new(Mutex::new(server.client()));
    let changed = Arc::new(AtomicUsize::new(0));
    let writers: Vec<_> = (0..CASES).map(|_| tokio::spawn(change_a_case(Arc::clone(&api), Arc::clone(&changed)))).collect();
    let wanted = CASES * (CHANGES + 1);
    let arrived = || receiver.events_taken();
    for kill in 1..=KILLS {
        let due = kill * CASES * CHANGES / (KILLS + 1);
        eventually("changes go on", Duration::from_secs(300), async || changed.load(Ordering::Relaxed) >= due).await;
        // Killed in the middle of delivering. On Neo4j the leases of who was killed run out first, which is not waited for each time.
        if engine == Engine::Embedded || kill % 5 == 0 {
            let enough = (arrived() + 50).min(wanted);
            eventually("events arrive between kills", Duration::from_secs(300), async || arrived() >= enough).await;
        }
        server.kill();
        server.start_again();
        *api.lock().expect("a client") = server.client();
    }
    let mut cases = Vec::new();
    for writer in writers {
        cases.push(writer.await.expect("a writer ends well"));
    }
    println!("{} of {wanted} events arrived while the server was killed", arrived());
    eventually("all events have arrived", Duration::from_secs(900), async || arrived() >= wanted).await;
    jobs::none_left(&server).await;
    check(&mut server, &receiver, &cases);
}

/// A receiver that takes two requests of three.
async fn unreliable(seed: u64) -> Receiver {
    let random = Mutex::new(StdRng::seed_from_u64(seed));
    Receiver::of_all(move |_, _| {
        let mut random = random.lock().expect("one request at a time");
        match random.random_range(0..96) {
            0..64 => Reply::Status(200),
            64..76 => Reply::Status(500),
            // Rare, as all cases wait for it.
            76 => Reply::With(503, "retry-after", "1".to_owned()),
            77..80 => Reply::Status(302),
            80..84 => Reply::Hang,
            84..88 => Reply::Reset,
            // Slow, and too slow: what the service no longer waits for counts as not taken here, as it comes again.
            88..92 => Reply::Late(Duration::from_millis(random.random_range(50..500)), 200),
            _ => Reply::Late(Duration::from_secs(3), 500),
        }
    })
    .await
}

/// Makes a case and changes it, again and again until each change was taken, as a good client does.
async fn change_a_case(api: Arc<Mutex<Api>>, changed: Arc<AtomicUsize>) -> String {
    let id = case_id();
    let make = json!({"id": id, "actors": [{"id": format!("actor-of-{id}")}]}).to_string();
    until_taken(&api, "POST", "/api/cases", &make).await;
    for number in 0..CHANGES {
        let change = json!({"c__number": number}).to_string();
        until_taken(&api, "PATCH", &format!("/api/cases/{id}"), &change).await;
        changed.fetch_add(1, Ordering::Relaxed);
    }
    id
}

async fn until_taken(api: &Mutex<Api>, method: &str, path: &str, body: &str) {
    loop {
        let now = api.lock().expect("a client").clone();
        let request = now.request(method, path).header("content-type", "application/json").body(body.to_owned());
        match now.try_send(request).await {
            Ok(answer) if answer.status == 200 => return,
            Ok(answer) => assert!(answer.status == 503 || answer.status == 500, "{answer:?}"),
            Err(_) => {}
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn check(server: &mut Server, receiver: &Receiver, cases: &[String]) {
    // The embedded store can be open in one process only.
    server.stop();
    let stored = server.store.cypher("MATCH (e:Event) RETURN e.id AS id, e.caseId AS case, e.sequence AS sequence, e.name AS event");
    let mut place: HashMap<String, (String, i64)> = HashMap::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for event in &stored {
        let text = |name: &str| event[name].as_str().expect("a text").to_owned();
        place.insert(text("id"), (text("case"), event["sequence"].as_i64().expect("a number")));
        *names.entry(text("event")).or_default() += 1;
    }
    assert_eq!(names, BTreeMap::from([("case.created".to_owned(), CASES), ("case.updated".to_owned(), CASES * CHANGES)]));

    // By the first time that each was taken.
    let mut seen = BTreeSet::new();
    let mut order: HashMap<String, Vec<i64>> = HashMap::new();
    let taken = receiver.taken();
    for received in &taken {
        let (case, sequence) = place.get(received.id()).unwrap_or_else(|| panic!("never stored: {}", received.text));
        assert_eq!(received.body()["data"]["id"], json!(case));
        if seen.insert(received.id().to_owned()) {
            order.entry(case.clone()).or_default().push(*sequence);
        }
    }
    println!("{} requests, {} taken, {} of them for the first time", receiver.count(), taken.len(), seen.len());
    assert_eq!(order.len(), cases.len());
    for (case, sequences) in order {
        assert_eq!(sequences, (1..=CHANGES as i64 + 1).collect::<Vec<_>>(), "{case}");
    }
    let left = server.store.count(&[
        ("waiting", "MATCH (e:Event) WHERE e:Pending", "count(e)"),
        ("undelivered", "MATCH (d:Delivery) WHERE d.state <> 'DELIVERED'", "count(d)"),
        ("queued", "MATCH (:Delivery)-[w:WAITS_IN]->(:DeliveryLane)", "count(w)"),
        ("due", "MATCH (l:DeliveryLane) WHERE l.dueAt > 0", "count(l)"),
    ]);
    assert!(left.values().all(|count| *count == 0), "{left:?}");
}

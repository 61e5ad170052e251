//! What a request may take up, and how the server stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::fixtures::{Payment, actor};
use crate::support::wire::{Wire, held_bytes, status};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![embedded: heads_are_bounded, bodies_are_bounded, a_slow_head_is_cut_off, a_slow_body_is_cut_off, strangers_take_no_place, a_body_holds_what_it_counts,
        bodies_share_their_memory, a_refused_body_is_not_read_to_its_end, settings_must_be_known;
    both: too_much_at_once_is_refused, slow_uploads_take_no_place, it_stops_in_order, health_and_metrics];

/// What comes at all has come by then, however busy the machine is.
const SOON: Duration = Duration::from_secs(60);
/// What is not waited for: less than the settings allow by themselves, and than any wait of the service, and much on a busy machine.
const NO_WAIT: Duration = Duration::from_secs(8);
/// What a body may take without being counted.
const FREE: usize = 16 << 10;

async fn heads_are_bounded(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__HEADER", "8KiB")]);
    let fits = server.send(server.request("GET", "/health/live").header("x-filler", "x".repeat(4_000))).await;
    assert_eq!(fits.status, 200);
    let mut wire = Wire::open(&server).await;
    wire.say(&format!("GET /health/live HTTP/1.1\r\nhost: x\r\nx-filler: {}\r\n\r\n", "x".repeat(20_000))).await;
    assert_eq!(status(&wire.hear(SOON).await), 431);
}

async fn bodies_are_bounded(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__BODY", "64KiB")]);
    let body = |length: usize| {
        let least = actor("a").to_string();
        format!("{}{least}", " ".repeat(length - least.len()))
    };
    server.post("/api/actors", body(64 << 10)).await.expect(200);
    let refused = server.post("/api/actors", body((64 << 10) + 1)).await.expect(413);
    assert_eq!(refused.places(), ["body"]);
    // Refused while it is read: neither a body without a length nor one of any length is waited for.
    let mut wire = Wire::open(&server).await;
    let head = format!("POST /api/actors HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n", server.key());
    wire.say(&format!("{head}content-length: 99999999999\r\n\r\n{{")).await;
    assert_eq!(status(&wire.hear(SOON).await), 413);
    let mut wire = Wire::open(&server).await;
    wire.say(&format!("{head}transfer-encoding: chunked\r\n\r\n")).await;
    for _ in 0..70 {
        wire.say(&format!("400\r\n{}\r\n", " ".repeat(1024))).await;
    }
    assert_eq!(status(&wire.hear(SOON).await), 413);
    for (length, answer) in [("-1", 400), ("x", 400)] {
        let mut wire = Wire::open(&server).await;
        wire.say(&format!("{head}content-length: {length}\r\n\r\n{{}}")).await;
        assert_eq!(status(&wire.hear(SOON).await), answer, "{length}");
    }
}

async fn a_slow_head_is_cut_off(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__HEADER_TIME", "300ms")]);
    let mut wire = Wire::open(&server).await;
    wire.say("GET /health/live HTTP/1.1\r\nhost:").await;
    let started = Instant::now();
    let heard = wire.hear(SOON).await;
    assert!(heard.is_empty() || status(&heard) == 408, "{heard}");
    // Without the setting it would be ten seconds.
    assert!(started.elapsed() < NO_WAIT, "{:?}", started.elapsed());
}

async fn a_slow_body_is_cut_off(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__BODY_TIME", "300ms")]);
    let mut wire = Wire::open(&server).await;
    wire.say(&format!("POST /api/actors HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-length: 10\r\n\r\n{{", server.key())).await;
    let started = Instant::now();
    let heard = wire.hear(SOON).await;
    assert_eq!(status(&heard), 408, "{heard}");
    // Without the setting it would be half a minute.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(heard.to_lowercase().contains("x-request-id: ") && heard.contains(r#"{"errors":["body: "#), "{heard}");
}

/// Callers without a place are told at once, and when to come again.
async fn too_much_at_once_is_refused(engine: Engine) {
    let (server, ids) = (Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__IN_FLIGHT", "2")]), Ids::new());
    let crowd: Vec<_> = (0..16).map(|number| tokio::spawn(keep_asking(server.client(), actor(&ids.of(&format!("b{number}"))).to_string()))).collect();
    for (path, body) in [("/api/actors", actor(&ids.of("a")).to_string()), ("/graphql", r#"{"query":"{ __typename }"}"#.into())] {
        eventually("it is refused", SOON, async || {
            let started = Instant::now();
            let answer = server.post(path, body.clone()).await;
            if answer.status != 503 {
                return false;
            }
            // Who waited for a place would wait for as long as a request may take, which is nine seconds.
            assert!(started.elapsed() < NO_WAIT, "{:?}", started.elapsed());
            assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
            assert!(!answer.header("x-request-id").is_empty());
            true
        })
        .await;
    }
    // Those who watch over the service are not kept out.
    for path in ["/health/live", "/metrics"] {
        server.get(path).await.expect(200);
    }
    eventually("it is ready", SOON, async || {
        let answer = server.get("/health/ready").await;
        // A busy database may be too slow for a moment; who is refused a place is told of no status.
        assert!(answer.json()["status"].is_string(), "{answer:?}");
        answer.status == 200
    })
    .await;
    crowd.iter().for_each(tokio::task::JoinHandle::abort);
    eventually("there is room again", SOON, async || server.post("/api/actors", actor(&ids.of("a")).to_string()).await.status == 200).await;
}

/// One of a crowd: sends a record again and again.
async fn keep_asking(api: Api, record: String) {
    loop {
        let answer = api.post("/api/actors", record.clone()).await;
        assert!(matches!(answer.status, 200 | 503), "{answer:?}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// The head of a request to add an actor, with the server's key, or another.
fn head(key: &str, length: usize) -> String {
    let about = "host: x\r\nconnection: close\r\ncontent-type: application/json";
    format!("POST /api/actors HTTP/1.1\r\n{about}\r\nx-api-key: {key}\r\ncontent-length: {length}\r\n\r\n")
}

/// Nor must the bodies of callers that were recognised; when they are there, they are worked on.
async fn slow_uploads_take_no_place(engine: Engine) {
    // They are as slow as the machine makes this test.
    let settings = [("AMLGRAPH_LIMITS__IN_FLIGHT", "1"), ("AMLGRAPH_LIMITS__BODY_TIME", "10m")];
    let (server, ids) = (Server::with(Store::of(engine), &settings), Ids::new());
    let mut slow = Vec::new();
    for number in 0..20 {
        let body = actor(&ids.of(&format!("slow-{number}"))).to_string();
        let (begin, rest) = body.split_at(10);
        let mut wire = Wire::open(&server).await;
        wire.say(&format!("{}{begin}", head(server.key(), body.len()))).await;
        slow.push((wire, rest.to_owned()));
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.post("/api/actors", actor(&ids.of("a")).to_string()).await.expect(200);
    server.graphql("{ __typename }", json!({})).await;
    for (wire, rest) in &mut slow {
        wire.say(rest).await;
        assert_eq!(status(&wire.hear(SOON).await), 200);
    }
}

/// What callers have sent of large bodies is bounded, all together and for each; small bodies always come through.
async fn bodies_share_their_memory(engine: Engine) {
    let settings = [("AMLGRAPH_LIMITS__BODY", "64KiB"), ("AMLGRAPH_LIMITS__BODIES", "128KiB")];
    let server = Server::with(Store::of(engine), &settings);
    let of_length = |length: usize| format!("{}{}", actor("a"), " ".repeat(length - actor("a").to_string().len()));
    let mut held = Wire::open(&server).await;
    held.say(&format!("{}{}", head(server.key(), 60 << 10), " ".repeat(50 << 10))).await;
    // Another large body meanwhile could take the room that this one still needs.
    eventually("it is counted", SOON, async || held_bytes(&server).await >= (50 << 10) - FREE).await;
    let refused = server.post("/api/actors", of_length(60 << 10)).await.expect(503);
    assert!(!refused.header("retry-after").is_empty());
    server.post("/api/actors", of_length(FREE)).await.expect(200);
    let other = server.post("/admin/keys", r#"{"role":"INGEST"}"#).await.expect(201).json();
    server.with_key(other["key"].as_str().expect("a key")).post("/api/actors", of_length(60 << 10)).await.expect(200);
    drop(held);
    eventually("there is room again", SOON, async || server.post("/api/actors", of_length(60 << 10)).await.status == 200).await;
}

/// Whether its length is told or not: what is there is never copied from one place to a larger one.
async fn a_body_holds_what_it_counts(engine: Engine) {
    let server = Server::with(Store::of(engine), &[]);
    server.post("/api/actors", actor("a").to_string()).await.expect(200);
    let (piece, pieces) = (vec![b' '; 1 << 20], 31);
    for framing in ["transfer-encoding: chunked".to_owned(), format!("content-length: {}", 32 << 20)] {
        let before = server.resident_bytes();
        let mut wire = Wire::open(&server).await;
        let head = format!("host: x\r\nx-api-key: {}\r\ncontent-type: application/json", server.key());
        wire.say(&format!("POST /api/actors HTTP/1.1\r\n{head}\r\n{framing}\r\n\r\n")).await;
        let mut most = 0;
        for _ in 0..pieces {
            let sent =
                if framing.starts_with("transfer") { [format!("{:x}\r\n", piece.len()).as_bytes(), &piece, b"\r\n"].concat() } else { piece.clone() };
            assert!(wire.send(&sent).await, "it is taken");
            most = most.max(server.resident_bytes());
        }
        let more = most.saturating_sub(before);
        // What the connection and the allocator hold comes on top.
        assert!(more < (pieces + 12) << 20, "{framing}: {} MiB more for {pieces}", more >> 20);
        drop(wire);
    }
}

/// Whoever was refused and sends on has a little thrown away, so that he can read the answer, and is cut off then.
async fn a_refused_body_is_not_read_to_its_end(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__BODY", "64KiB")]);
    for key in ["nobody's", server.key()] {
        let mut wire = Wire::open(&server).await;
        wire.say(&head(key, 4 << 30)).await;
        let (started, mut sent) = (Instant::now(), 0);
        let piece = vec![b' '; 1 << 16];
        while sent < 1 << 30 && wire.send(&piece).await {
            sent += piece.len();
        }
        // What the kernel holds between the two comes on top. A body may take half a minute to come.
        assert!(sent < 32 << 20 && started.elapsed() < Duration::from_secs(20), "{key}: {sent} bytes in {:?}", started.elapsed());
    }
}

/// A body that trickles in from somebody who has no key must not keep others out.
async fn strangers_take_no_place(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__IN_FLIGHT", "1")]);
    let mut strangers = Vec::new();
    for head in ["POST /auth/token HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded", "POST /api/actors HTTP/1.1\r\nx-api-key: nobody's"] {
        let mut wire = Wire::open(&server).await;
        wire.say(&format!("{head}\r\nhost: x\r\ncontent-length: 100\r\n\r\n{{")).await;
        strangers.push(wire);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.post("/api/actors", actor("a").to_string()).await.expect(200);
}

/// On SIGTERM no connection is taken any more, what runs is finished, and the program ends well.
async fn it_stops_in_order(engine: Engine) {
    // The request that is finished last is sent as slowly as the machine makes this test.
    let (server, ids) = (Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__BODY_TIME", "10m")]), Ids::new());
    let body = actor(&ids.of("last")).to_string();
    let mut wire = Wire::open(&server).await;
    let (begin, rest) = body.split_at(10);
    wire.say(&format!(
        "POST /api/actors HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{begin}",
        server.key(),
        body.len()
    ))
    .await;
    let taken = Arc::new(AtomicUsize::new(0));
    let writers = (0..4).map(|writer| {
        let (api, ids, taken) = (server.client(), ids.clone(), Arc::clone(&taken));
        tokio::spawn(async move {
            let mut done = Vec::new();
            for number in 0..10_000 {
                let payment = Payment::new(ids.of(&format!("payment-{writer}-{number}")), ids.of("payer"), ids.of("payee"));
                match api.try_send(api.posting("/api/v2/transactions", payment.text())).await {
                    Ok(answer) => {
                        taken.fetch_add(1, Ordering::Relaxed);
                        done.push((payment.id, answer.status));
                    }
                    Err(_) => break,
                }
            }
            done
        })
    });
    let writers: Vec<_> = writers.collect();
    // Connections are taken in the order in which they came: that of the slow one is among those taken, and its head long read.
    eventually("there is load", SOON, async || taken.load(Ordering::Relaxed) >= 20).await;
    server.terminate();
    let is_shut = async || server.client().try_send(server.request("GET", "/health/live")).await.is_err();
    // Requests under way may take half a minute to finish.
    eventually("no connection is taken any more", Duration::from_secs(20), is_shut).await;
    wire.say(rest).await;
    let heard = wire.hear(SOON).await;
    assert_eq!(status(&heard), 200, "{heard}");
    assert!(heard.ends_with(&body), "{heard}");
    drop(wire);
    let mut acknowledged = Vec::new();
    for writer in writers {
        for (id, status) in writer.await.expect("a writer ends well") {
            assert_eq!(status, 200, "{id}");
            acknowledged.push(id);
        }
    }
    let ended = server.ended();
    assert_eq!(ended.code(), Some(0), "{ended}");
    let mut server = server;
    server.start_again();
    server.get(&format!("/api/actors/{}", ids.of("last"))).await.expect(200);
    let query = "query($id: ID!) { account(id: $id) { transferredTo { edges { count } } } }";
    let data = server.graphql(query, json!({"id": ids.of("payer")})).await;
    let count = data["account"]["transferredTo"]["edges"][0]["count"].as_u64().unwrap_or_default();
    // The last answer of a writer may be lost with its connection; no acknowledged payment is.
    assert!((acknowledged.len()..=acknowledged.len() + 4).contains(&(count as usize)), "{count} stored, {} acknowledged", acknowledged.len());
}

/// A cold Neo4j takes its time for the plans.
const READY_WITHIN: Duration = Duration::from_secs(150);

async fn health_and_metrics(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let open = server.anonymous();
    assert_eq!(open.get("/health/live").await.expect(200).json(), json!({"status": "live"}));
    let name = if engine == Engine::Neo4j { "neo4j" } else { "embedded" };
    eventually("it is ready", READY_WITHIN, async || open.get("/health/ready").await.status == 200).await;
    assert_eq!(open.get("/health/ready").await.expect(200).json(), json!({"status": "ready", "engine": name}));
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee"));
    server.post("/api/v2/transactions", payment.text()).await.expect(200);
    server.graphql("query($id: ID!) { account(id: $id) { name } }", json!({"id": payment.account})).await;
    // A request that was answered may still be under way for a moment.
    let alone = "amlgraph_http_requests_in_flight 1\n";
    eventually("no other request is under way", SOON, async || open.get("/metrics").await.expect(200).text.contains(alone)).await;
    let metrics = open.get("/metrics").await.expect(200).text;
    for wanted in [
        r#"amlgraph_http_requests_total{method="POST",route="/api/v2/transactions",status="200"} 1"#,
        r#"amlgraph_statement_seconds_count{statement="transaction/record"} "#,
        r#"amlgraph_batch_rows_count{operation="transaction/record"} 1"#,
        r#"amlgraph_loader_keys_count{statement="walk"} 1"#,
        "# HELP amlgraph_http_request_seconds ",
    ] {
        assert!(metrics.contains(wanted), "{wanted} in\n{metrics}");
    }
    for personal in [&ids.0, server.key()] {
        assert!(!metrics.contains(personal), "{personal} in\n{metrics}");
    }
}

async fn settings_must_be_known(engine: Engine) {
    let store = Store::of(engine);
    for (name, value, named) in [
        ("AMLGRAPH_LISTNE", "127.0.0.1:0", "AMLGRAPH_LISTNE"),
        ("AMLGRAPH_LIMITS__BODY", "much", "AMLGRAPH_LIMITS__BODY"),
        ("AMLGRAPH_DATABASE__URL", "mysql://x", "AMLGRAPH_DATABASE__URL"),
        ("AMLGRAPH_ADMIN_KEY", "short", "AMLGRAPH_ADMIN_KEY"),
        ("AMLGRAPH_TOKEN__JWT_ONLY", "Get Actr", "Get Actr"),
    ] {
        let output = store.command(&["serve", "--listen", "127.0.0.1:0"]).env(name, value).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(named), "{name}={value}: {said}");
        assert!(!said.contains("short"), "a secret is not repeated: {said}");
    }
}

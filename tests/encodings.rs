//! How a body is written: compressed, in which character set, with a mark at its start. What is not understood is refused by its name, on every route.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::support::fixtures::actor;
use crate::support::wire::{Wire, held_bytes, status};
use crate::support::{Answer, Api, Engine, Ids, Server, Store, eventually, tests};

tests![both: a_compressed_body_is_understood; embedded: what_is_not_understood_is_named, what_is_said_of_no_body_is_passed_over,
    what_is_no_gzip_is_told, a_compressed_body_keeps_the_limits, a_mark_at_the_start_is_taken];

const SOON: Duration = Duration::from_secs(60);
const BOUNDARY: &str = "a-boundary-of-the-tests";

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).expect("room");
    encoder.finish().expect("room")
}

fn form(name: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
    [head.as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

/// One request to each kind of route: its path, its type and its body.
struct Doors {
    all: Vec<(String, String, Vec<u8>)>,
}

impl Doors {
    async fn of(api: &Api, ids: &Ids) -> Self {
        let made = api.post("/api/cases", "{}").await.expect(200).json();
        let case = made["case_id"].as_str().expect("an id");
        let client = api.post("/admin/clients", r#"{"role":"INGEST"}"#).await.expect(201).json();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let grant =
            format!("grant_type=client_credentials&client_id={}&client_secret={}", text(&client["client_id"]), text(&client["client_secret"]));
        let json = "application/json".to_owned();
        let query = json!({"query": "query($id: ID!) { actor(id: $id) { id } }", "variables": {"id": ids.of("a")}});
        let all = vec![
            ("/api/actors".to_owned(), json.clone(), actor(&ids.of("a")).to_string().into_bytes()),
            ("/graphql".to_owned(), json, query.to_string().into_bytes()),
            ("/auth/token".to_owned(), "application/x-www-form-urlencoded".to_owned(), grant.into_bytes()),
            (format!("/api/cases/{case}/files"), format!("multipart/form-data; boundary={BOUNDARY}"), form("a.txt", &[b'x'; 100_000])),
        ];
        Self { all }
    }
}

async fn send(api: &Api, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
    let request = headers.iter().fold(api.request("POST", path).body(body), |request, (name, value)| request.header(*name, *value));
    api.send(request).await
}

async fn a_compressed_body_is_understood(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (path, kind, body) in Doors::of(&server, &ids).await.all {
        for coding in ["gzip", "x-gzip", "GZIP", "identity, gzip"] {
            let answer = send(&server, &path, &[("content-type", &kind), ("content-encoding", coding)], gzip(&body)).await;
            assert!(answer.status == 200 && !answer.text.contains("\"errors\""), "{path} {coding}: {answer:?}");
        }
        send(&server, &path, &[("content-type", &kind), ("content-encoding", "identity")], body).await.expect(200);
    }
    let record = server.get(&format!("/api/actors/{}", ids.of("a"))).await.expect(200);
    assert_eq!(record.text, actor(&ids.of("a")).to_string(), "it is kept as it was before");
    // Without a length, too.
    let mut wire = Wire::open(&server).await;
    let head = "host: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked";
    wire.say(&format!("POST /api/actors HTTP/1.1\r\n{head}\r\nx-api-key: {}\r\n\r\n", server.key())).await;
    for byte in gzip(actor(&ids.of("b")).to_string().as_bytes()) {
        wire.send(&[b"1\r\n".as_slice(), &[byte], b"\r\n"].concat()).await;
    }
    wire.say("0\r\n\r\n").await;
    let heard = wire.hear(SOON).await;
    assert!(status(&heard) == 200 && heard.ends_with(&actor(&ids.of("b")).to_string()), "{heard}");
}

async fn what_is_not_understood_is_named(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (path, kind, body) in Doors::of(&server, &ids).await.all {
        for coding in ["br", "deflate", "zstd", "compress", "gzip, gzip", "gzip, br", "none"] {
            let answer = send(&server, &path, &[("content-type", &kind), ("content-encoding", coding)], body.clone()).await.expect(415);
            assert!(answer.text.contains("content-encoding: must be gzip") && answer.text.contains(coding), "{path} {coding}: {answer:?}");
            assert_eq!(answer.header("accept-encoding"), "gzip");
        }
        let answer = send(&server, &path, &[("content-type", &kind), ("content-range", "bytes 0-9/10")], body.clone()).await.expect(400);
        assert!(answer.text.contains("content-range"), "{answer:?}");
        for charset in ["iso-8859-1", "UTF-16", "\"windows-1252\""] {
            let kind = format!("{kind}; charset={charset}");
            let answer = send(&server, &path, &[("content-type", &kind)], body.clone()).await.expect(415);
            assert!(answer.text.contains("content-type: its charset must be utf-8"), "{path} {charset}: {answer:?}");
        }
        for charset in ["utf-8", "\"UTF-8\"", "'utf-8'", "us-ascii", ""] {
            let kind = format!("{kind}; charset={charset}");
            send(&server, &path, &[("content-type", &kind)], body.clone()).await.expect(200);
        }
        let twice = send(&server, &path, &[("content-type", &kind), ("content-type", "text/plain")], body.clone()).await.expect(400);
        assert!(twice.text.contains("content-type: must be given once"), "{twice:?}");
        let mut wire = Wire::open(&server).await;
        let head = format!("host: x\r\nx-api-key: {}\r\ncontent-type: {kind}\r\ntransfer-encoding: gzip, chunked", server.key());
        wire.say(&format!("POST {path} HTTP/1.1\r\n{head}\r\n\r\n0\r\n\r\n")).await;
        let heard = wire.hear(SOON).await;
        assert!(status(&heard) == 501 && heard.contains("transfer-encoding: must be chunked"), "{path}: {heard}");
    }
}

/// Some clients send the headers of a body with every request.
async fn what_is_said_of_no_body_is_passed_over(engine: Engine) {
    let server = Server::shared(engine);
    for (name, value) in [("content-encoding", "br"), ("content-type", "text/plain; charset=iso-8859-1")] {
        server.send(server.request("GET", "/api/risk_scores").header(name, value)).await.expect(200);
        server.send(server.request("GET", "/health/live").header(name, value)).await.expect(200);
    }
}

async fn what_is_no_gzip_is_told(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (path, kind, body) in Doors::of(&server, &ids).await.all {
        let whole = gzip(&body);
        let more = [&whole[..], b"more"].concat();
        for wrong in [&body[..], &whole[..whole.len() - 4], &more] {
            let answer = send(&server, &path, &[("content-type", &kind), ("content-encoding", "gzip")], wrong.to_vec()).await.expect(400);
            assert!(answer.text.contains("body: must be gzip"), "{path}: {answer:?}");
        }
    }
}

/// What is inflated counts, and while it is.
async fn a_compressed_body_keeps_the_limits(engine: Engine) {
    let settings = [("AMLGRAPH_LIMITS__BODY", "1MiB"), ("AMLGRAPH_LIMITS__BODIES", "2MiB")];
    let server = Server::with(Store::of(engine), &settings);
    let gzipped = [("content-type", "application/json"), ("content-encoding", "gzip")];
    let of_length = |length: usize| format!("{}{}", actor("a"), " ".repeat(length - actor("a").to_string().len()));
    send(&server, "/api/actors", &gzipped, gzip(of_length(1 << 20).as_bytes())).await.expect(200);
    let larger = send(&server, "/api/actors", &gzipped, gzip(of_length((1 << 20) + 1).as_bytes())).await.expect(413);
    assert_eq!(larger.places(), ["body"]);
    let before = server.resident_bytes();
    // Some 500 KiB each, and half a gigabyte once inflated; others that are nothing, without an end.
    let mut bomb = GzEncoder::new(Vec::new(), Compression::default());
    (0..512).for_each(|_| bomb.write_all(&[b' '; 1 << 20]).expect("room"));
    let bomb = bomb.finish().expect("room");
    for path in ["/api/actors", "/graphql", "/auth/token"] {
        let kind = if path == "/auth/token" { "application/x-www-form-urlencoded" } else { "application/json" };
        let answer = send(&server, path, &[("content-type", kind), ("content-encoding", "gzip")], bomb.clone()).await;
        assert_eq!(answer.status, 413, "{path}: {answer:?}");
    }
    let more = server.resident_bytes().saturating_sub(before);
    assert!(more < 64 << 20, "{more} bytes more");
    // Half of the memory of all bodies is one caller's, compressed or not.
    let held = gzip(of_length(1 << 20).as_bytes());
    let (now, rest) = held.split_at(held.len() - 20);
    let mut wire = Wire::open(&server).await;
    let head = format!("host: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-encoding: gzip", server.key());
    wire.say(&format!("POST /api/actors HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n", held.len())).await;
    wire.send(now).await;
    // Another large body meanwhile could take the room that this one still needs.
    eventually("it is counted", SOON, async || held_bytes(&server).await > 600 << 10).await;
    server.post("/api/actors", of_length(1 << 19)).await.expect(503);
    wire.send(rest).await;
    assert_eq!(status(&wire.hear(SOON).await), 200);
}

async fn a_mark_at_the_start_is_taken(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mark: &[u8] = b"\xEF\xBB\xBF";
    for (path, kind, body) in Doors::of(&server, &ids).await.all {
        if !kind.starts_with("multipart") {
            send(&server, &path, &[("content-type", &kind)], [mark, &body[..]].concat()).await.expect(200);
            send(&server, &path, &[("content-type", &kind), ("content-encoding", "gzip")], gzip(&[mark, &body[..]].concat())).await.expect(200);
        }
    }
    assert_eq!(server.get(&format!("/api/actors/{}", ids.of("a"))).await.expect(200).text, actor(&ids.of("a")).to_string());
    let bulk = json!({"actors": [{"id": ids.of("c"), "type": "INDIVIDUAL", "as_of_date": "2024-01-01"}]});
    let id = ids.of("r");
    let named = [("content-type", "application/json"), ("x-request-id", id.as_str())];
    send(&server, "/api/bulk", &named, [mark, bulk.to_string().as_bytes()].concat()).await.expect(202);
}

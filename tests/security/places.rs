//! One caller has a quarter of the places at the most, whatever he sends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::fixtures::actor;
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![both: one_caller_keeps_nobody_out];

/// Sends a record over and over.
async fn keep_sending(api: Api, record: String, goes_on: Arc<AtomicBool>, refused: Arc<AtomicUsize>) {
    while goes_on.load(Ordering::Relaxed) {
        let answer = api.post("/api/actors", record.clone()).await;
        if answer.status == 503 {
            assert!(!answer.header("retry-after").is_empty(), "{answer:?}");
            refused.fetch_add(1, Ordering::Relaxed);
        } else {
            answer.expect(200);
        }
    }
}

async fn one_caller_keeps_nobody_out(engine: Engine) {
    let (server, ids) = (Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__IN_FLIGHT", "8")]), Ids::new());
    let other = server.post("/admin/keys", r#"{"role":"INGEST"}"#).await.expect(201).json();
    let other = server.with_key(other["key"].as_str().expect("a key"));
    let (goes_on, refused) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicUsize::new(0)));
    let crowd: Vec<_> = (0..24)
        .map(|number| {
            let record = actor(&ids.of(&format!("crowd-{number}"))).to_string();
            tokio::spawn(keep_sending(server.client(), record, Arc::clone(&goes_on), Arc::clone(&refused)))
        })
        .collect();
    eventually("one caller has all that he may have", Duration::from_secs(90), async || refused.load(Ordering::Relaxed) > 20).await;
    // Six places are left for others, of whom one asks at a time.
    for number in 0..50 {
        other.post("/api/actors", actor(&ids.of(&format!("other-{number}"))).to_string()).await.expect(200);
    }
    goes_on.store(false, Ordering::Relaxed);
    for sender in crowd {
        sender.await.expect("it was answered as it should be");
    }
}

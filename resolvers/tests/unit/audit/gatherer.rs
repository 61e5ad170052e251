use std::sync::Arc;
use std::time::Duration;

use cypher::Engine;
use resolvers::SystemClock;
use resolvers::testing::audit::gatherer::{Gatherer, STRANGERS_EVERY, Stranger};
use resolvers::testing::audit::telling::stranger_entry;

async fn notes(engine: &Engine) -> Vec<String> {
    let all = cypher::Statement::new("test/notes", "MATCH (n:AuditEntry) RETURN n.notes AS notes ORDER BY notes");
    let rows = engine.read(all, cypher::Params::none(), Duration::from_secs(5)).await.expect("reads");
    rows.iter().map(|row| row.get("notes").as_text().expect("a text").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_are_written_every_few_seconds_and_callers_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(cypher::Embedded::open(folder.path()).await.expect("opens"));
    cypher::migrate(&engine).await.expect("migrates");
    let of_strangers = stranger_entry(Arc::new(SystemClock));
    let gatherer = Gatherer::start(engine.clone(), Arc::clone(&of_strangers));
    let stranger = |reason| Stranger { action: "sign_in.refused", means: "API_KEY", from: "192.0.2.1".to_owned(), reason };
    let began = std::time::Instant::now();
    gatherer.refuse(stranger("first"));
    while notes(&engine).await != ["first"] {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // He goes on, and a caller is told of among it.
    for _ in 0..10 {
        gatherer.refuse(stranger("more"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    gatherer.tell(of_strangers(&stranger("a caller's"), 1)).await;
    while !notes(&engine).await.contains(&"a caller's".to_owned()) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let found = notes(&engine).await;
    // A machine that has needed longer than they wait has written them by now.
    let is_late = began.elapsed() >= STRANGERS_EVERY;
    assert!(is_late || found == ["a caller's", "first"], "what the stranger does is not written as often: {found:?}");
    gatherer.idle().await;
    let found = notes(&engine).await;
    // In one entry, unless the first of them were written before the last had come.
    let times = |note: &String| note.strip_prefix("more (").and_then(|rest| rest.strip_suffix(" times)")?.parse::<usize>().ok());
    let more: usize = found[2..].iter().map(|note| if note == "more" { 1 } else { times(note).expect("so many times") }).sum();
    assert!(found[..2] == ["a caller's", "first"] && more == 10, "who waits for all of it gets all of it: {found:?}");
    assert!(is_late || began.elapsed() >= STRANGERS_EVERY || found.len() == 3, "{found:?}");
}

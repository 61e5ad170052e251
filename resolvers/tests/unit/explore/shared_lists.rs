use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use cypher::graph::Composed;
use cypher::{Embedded, Engine, Params, Row, Statement};
use resolvers::Caller;
use resolvers::loader::Loader;
use resolvers::testing::explore::shared_lists::{Question, SharedLists};

const LIMIT: Duration = Duration::from_secs(30);

/// Counts nodes, and takes its time for it.
fn slow_count(label: &str) -> Composed {
    let text = format!("UNWIND range(1, 50000) AS i WITH count(i) AS n OPTIONAL MATCH (m:{label}) WITH n, count(m) AS m RETURN n + m AS total");
    Composed { text: text.into(), for_embedded: None, params: Params::none() }
}

fn question(engine: &Engine, composed: Composed) -> Question {
    Question { engine: engine.clone(), label: "test", composed, limit: LIMIT }
}

async fn store() -> (tempfile::TempDir, Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"));
    (folder, engine)
}

/// Nothing is kept of a question once it has been answered, a moment later.
async fn forgotten(lists: &SharedLists) {
    for _ in 0..1_000 {
        if lists.locked().waiting.is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("questions are kept: {:?}", lists.locked().waiting.keys());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_serves_all_who_wait() {
    let (_folder, engine) = store().await;
    // Nobody stops waiting, however busy the machine is.
    let lists = SharedLists { patience: LIMIT, ..SharedLists::new(Loader::new(engine.clone(), LIMIT)) };
    let caller = Caller::operator("test");
    let all = futures::future::join_all((0..50).map(|_| lists.row(&caller, question(&engine, slow_count("Nothing"))))).await;
    let rows: Vec<Arc<Row>> = all.into_iter().map(|answer| answer.expect("it is answered").expect("a row")).collect();
    assert!(rows.iter().all(|row| row.get("total").as_int() == Some(50_000)));
    let different: HashSet<*const Row> = rows.iter().map(Arc::as_ptr).collect();
    assert!(different.len() <= 3, "{} answers for 50 who asked at once", different.len());
    forgotten(&lists).await;
}

/// What was written before somebody asked is in his answer, though an older question is under way.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_answered_with_what_was_before() {
    let (_folder, engine) = store().await;
    let (lists, caller) = (SharedLists::new(Loader::new(engine.clone(), LIMIT)), Caller::operator("test"));
    for written in 1..=5 {
        let older = loop {
            let older = tokio::spawn({
                let (lists, engine, caller) = (lists.clone(), engine.clone(), caller.clone());
                async move { lists.row(&caller, question(&engine, slow_count("Written"))).await }
            });
            // Until it has begun: then nobody waits for what is under its name. On a busy machine it may be over before that is seen.
            while !older.is_finished() && !lists.locked().waiting.values().any(Vec::is_empty) {
                tokio::task::yield_now().await;
            }
            if !older.is_finished() {
                break older;
            }
            older.await.expect("it ends").expect("it is answered");
        };
        let params = Params::none().with("id", written);
        engine.write(Statement::new("test/write", "CREATE (:Written {id: $id})"), params).await.expect("written");
        let row = lists.row(&caller, question(&engine, slow_count("Written"))).await.expect("it is answered").expect("a row");
        assert_eq!(row.get("total").as_int(), Some(50_000 + written));
        older.await.expect("it ends").expect("it is answered");
        forgotten(&lists).await;
    }
}

/// Behind a statement that takes long nobody waits.
#[tokio::test(flavor = "multi_thread")]
async fn who_would_wait_long_asks_by_himself() {
    let (_folder, engine) = store().await;
    let (lists, caller) = (SharedLists::new(Loader::new(engine.clone(), LIMIT)), Caller::operator("test"));
    // Somebody's statement that never ends.
    lists.locked().waiting.insert(format!("{} {:?}", slow_count("Nothing").text, Params::none()).into(), Vec::new());
    let answer = lists.row(&caller, question(&engine, slow_count("Nothing"))).await;
    assert_eq!(answer.expect("it is answered").expect("a row").get("total").as_int(), Some(50_000));
    assert!(lists.locked().waiting.values().all(Vec::is_empty), "nobody waits any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hangs_up_leaves_the_others_their_answer() {
    let (_folder, engine) = store().await;
    let (lists, caller) = (SharedLists::new(Loader::new(engine.clone(), LIMIT)), Caller::operator("test"));
    let first = tokio::spawn({
        let (lists, engine, caller) = (lists.clone(), engine.clone(), caller.clone());
        async move { lists.row(&caller, question(&engine, slow_count("Nothing"))).await }
    });
    tokio::time::sleep(Duration::from_millis(5)).await;
    first.abort();
    assert!(lists.row(&caller, question(&engine, slow_count("Nothing"))).await.is_ok());
    let refused = Composed { text: "MTCH (n) RETURN n".into(), for_embedded: None, params: Params::none() };
    assert!(lists.row(&caller, question(&engine, refused)).await.is_err());
    forgotten(&lists).await;
}

use std::sync::Weak;

use cypher::{Bolt, BoltAddress};

use super::*;

const IN_DOUBT_FOR: Duration = Duration::from_secs(300);
/// How long tasks may take to end on a busy machine.
const SOON: Duration = Duration::from_secs(10);

/// Of a store that nobody has to ask: nothing is written or asked.
fn others() -> Others {
    let address = BoltAddress {
        url: "bolt://127.0.0.1:1".to_owned(),
        user: "neo4j".to_owned(),
        password: "password".to_owned(),
        database: None,
        connections: 1,
    };
    let engine = Engine::Bolt(Bolt::open(address).expect("an address"));
    let stamps = Arc::new(Stamps::with_journal(IN_DOUBT_FOR));
    Others::of(&engine, &stamps, "process", Duration::from_millis(500), IN_DOUBT_FOR).expect("a store that others may have open")
}

/// Waits until so many have hold of what the tasks share.
async fn held_by(shared: &Weak<Shared>, count: usize) {
    let held = async {
        while shared.strong_count() != count {
            tokio::time::sleep(BETWEEN_LOOKS_AT_CLOSE).await;
        }
    };
    tokio::time::timeout(SOON, held).await.unwrap_or_else(|_| panic!("{} have hold of it, not {count}", shared.strong_count()));
}

#[tokio::test]
async fn teller_and_follower_end_when_the_process_closes() {
    let others = others();
    let shared = Arc::downgrade(&others.shared);
    assert!(shared.strong_count() > 1, "two tasks");
    others.close().await;
    held_by(&shared, 1).await;
}

#[tokio::test]
async fn teller_and_follower_end_when_nobody_has_the_cache_any_more() {
    let others = others();
    let shared = Arc::downgrade(&others.shared);
    tokio::time::sleep(BETWEEN_LOOKS_AT_CLOSE).await;
    drop(others);
    held_by(&shared, 0).await;
}

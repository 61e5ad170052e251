use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cypher::{Embedded, Engine, Error};
use futures::future::BoxFuture;
use resolvers::testing::live::states::{IDLE, Looked, States};

static LOOKS: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// How often somebody has counted; `gone` is never there.
struct Counted;

impl Looked for Counted {
    type State = usize;

    fn look(_: &Engine, ids: Vec<String>) -> BoxFuture<'_, Result<HashMap<String, usize>, Error>> {
        LOOKS.fetch_add(1, Ordering::Relaxed);
        let count = COUNT.load(Ordering::Relaxed);
        Box::pin(async move { Ok(ids.into_iter().filter(|id| id != "gone").map(|id| (id, count)).collect()) })
    }
}

static BROKEN_LOOKS: AtomicUsize = AtomicUsize::new(0);

/// Is there when it is looked at for the third time.
struct Breaking;

impl Looked for Breaking {
    type State = usize;

    fn look(_: &Engine, ids: Vec<String>) -> BoxFuture<'_, Result<HashMap<String, usize>, Error>> {
        Box::pin(async move {
            match BROKEN_LOOKS.fetch_add(1, Ordering::Relaxed) {
                0 => panic!("a defect"),
                1 => Err(Error::rejected("test/look", "not understood")),
                look => Ok(ids.into_iter().map(|id| (id, look)).collect()),
            }
        })
    }
}

#[tokio::test]
async fn whoever_watches_is_looked_for_again_whatever_a_look_comes_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"));
    let mut watch = States::<Breaking>::default().watch(&engine, "state");
    let seen = tokio::time::timeout(Duration::from_secs(60), watch.next()).await;
    assert_eq!(seen.expect("it comes"), Some(2));
}

#[tokio::test]
async fn one_look_serves_all_who_watch_and_none_is_made_for_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"));
    let states = States::<Counted>::default();
    let mut watches: Vec<_> = (0..500).map(|number| states.watch(&engine, &format!("state-{}", number % 100))).collect();
    let mut gone = states.watch(&engine, "gone");
    for watch in &mut watches {
        assert_eq!(watch.next().await, Some(0), "the state as it is");
    }
    assert_eq!(gone.next().await, None);
    COUNT.store(1, Ordering::Relaxed);
    for watch in &mut watches {
        assert_eq!(watch.next().await, Some(1), "and what it has changed to");
    }
    assert!(LOOKS.load(Ordering::Relaxed) < 20, "{LOOKS:?} looks for 501 who watch");
    drop((watches, gone));
    while states.0.locked().is_served {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let looks = LOOKS.load(Ordering::Relaxed);
    tokio::time::sleep(IDLE * 2).await;
    assert_eq!(LOOKS.load(Ordering::Relaxed), looks, "nobody watches");
}

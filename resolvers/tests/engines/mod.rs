//! Tests that run on both engines: each on an embedded store of its own, and on the Neo4j that all share.
//!
//! Where no Neo4j can be had, its tests are reported as ignored, with the reason; with `CI=true` that is a failure.

use std::path::Path;

use cypher::{Bolt, BoltAddress, Embedded, Engine};
use futures::future::LocalBoxFuture;
use libtest_mimic::{Completion, Failed, Trial};

/// A test.
pub type Body = fn(Engine) -> LocalBoxFuture<'static, ()>;

pub async fn embedded(folder: &Path) -> Engine {
    let engine = Engine::Embedded(Embedded::open(folder).await.expect("opens"));
    cypher::migrate(&engine).await.expect("migrates");
    engine
}

/// Address, user and password in one text.
pub async fn neo4j(place: &str) -> Engine {
    let [url, user, password] = place.split(' ').collect::<Vec<_>>()[..] else { panic!("three words: {place}") };
    let address = BoltAddress { url: url.to_owned(), user: user.to_owned(), password: password.to_owned(), database: None, connections: 16 };
    let engine = Engine::Bolt(Bolt::open(address).expect("opens"));
    cypher::migrate(&engine).await.expect("migrates");
    engine
}

/// Where the Neo4j of all tests is.
pub fn shared_neo4j() -> String {
    let server = test_support::neo4j::shared();
    format!("{} {} {}", server.bolt_url(), server.user(), server.password())
}

pub fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(test);
}

pub fn on_neo4j(test: impl Future<Output = ()>) -> Result<Completion, Failed> {
    match test_support::neo4j::available() {
        Ok(()) => {
            run(test);
            Ok(Completion::Completed)
        }
        Err(reason) => Ok(Completion::ignored_with(reason)),
    }
}

/// Two trials a test.
pub fn on_both(tests: impl IntoIterator<Item = (&'static str, Body)>) -> Vec<Trial> {
    let both = |(name, body): (&'static str, Body)| {
        let embedded = Trial::test(format!("{name} [embedded]"), move || {
            let folder = tempfile::tempdir()?;
            run(async { body(embedded(folder.path()).await).await });
            Ok(())
        });
        [embedded, Trial::ignorable_test(format!("{name} [neo4j]"), move || on_neo4j(async move { body(neo4j(&shared_neo4j()).await).await }))]
    };
    tests.into_iter().flat_map(both).collect()
}

//! Both engines, brought up to date.
//!
//! Where no Neo4j can be had, its tests are reported as ignored, with the reason; with `CI=true` that is a failure.

use cypher::{Bolt, BoltAddress, Embedded, Engine};
use libtest_mimic::{Completion, Failed, Trial};

/// A store of one's own, which goes with its folder.
pub async fn embedded() -> (Engine, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("it opens"));
    cypher::migrate(&engine).await.expect("it migrates");
    (engine, folder)
}

/// The Neo4j that all tests share.
pub async fn neo4j() -> Engine {
    let server = test_support::neo4j::shared();
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    let engine = Engine::Bolt(Bolt::open(BoltAddress { url, user, password, database: None, connections: 4 }).expect("an address"));
    cypher::migrate(&engine).await.expect("it migrates");
    engine
}

pub fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(test);
}

pub fn on_neo4j(name: &str, test: fn()) -> Trial {
    Trial::ignorable_test(name, move || -> Result<Completion, Failed> {
        match test_support::neo4j::available() {
            Ok(()) => {
                test();
                Ok(Completion::Completed)
            }
            Err(reason) => Ok(Completion::ignored_with(reason)),
        }
    })
}

//! Random graphs, and random statements on them, on both engines.
//!
//! Seeds are fixed, so that a run says the same as the one before. Others are tried by
//! `AMLGRAPH_RANDOM_CASES=20000 AMLGRAPH_RANDOM_SEED=7 cargo test --workspace --test random alike -- --nocapture`, which takes about a minute for 1,500. It stops at the first
//! statement that the engines differ in, and prints the smallest one that they still do.

mod random {
    pub mod counts;
    pub mod differ;
    pub mod graph;
    pub mod statements;
}

use cypher::{Bolt, BoltAddress, Embedded, Engine};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use random::{counts, differ};

fn main() {
    let trials = vec![
        Trial::test("counts_equal_lists_on_the_embedded_engine", || {
            run(async {
                let (engine, _folder) = embedded().await;
                counts::equal_lists(engine, 0..6).await;
            });
            Ok(())
        }),
        on_neo4j("counts_equal_lists_on_neo4j", || {
            run(async { counts::equal_lists(neo4j().await, 0..5).await });
        }),
        on_neo4j("engines_answer_alike", || {
            run(async {
                let (embedded, _folder) = embedded().await;
                let (seed, cases) = (said("AMLGRAPH_RANDOM_SEED", 1), said("AMLGRAPH_RANDOM_CASES", 115));
                differ::Both::new(embedded, neo4j().await).answer_alike(seed, cases).await;
            });
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn on_neo4j(name: &str, test: fn()) -> Trial {
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

fn said(name: &str, else_: u64) -> u64 {
    std::env::var(name).ok().and_then(|said| said.parse().ok()).unwrap_or(else_)
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(test);
}

async fn embedded() -> (Engine, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("it opens"));
    cypher::migrate(&engine).await.expect("it migrates");
    (engine, folder)
}

async fn neo4j() -> Engine {
    let server = test_support::neo4j::shared();
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    let engine = Engine::Bolt(Bolt::open(BoltAddress { url, user, password, database: None, connections: 4 }).expect("an address"));
    cypher::migrate(&engine).await.expect("it migrates");
    engine
}

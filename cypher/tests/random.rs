//! Random graphs, and random statements on them, on both engines.
//!
//! Seeds are fixed, so that a run says the same as the one before. Others are tried by
//! `AMLGRAPH_RANDOM_CASES=20000 AMLGRAPH_RANDOM_SEED=7 cargo test --workspace --test random alike -- --nocapture`, which takes about a minute for 1,500. It stops at the first
//! statement that the engines differ in, and prints the smallest one that they still do.

mod engines;
mod random {
    pub mod counts;
    pub mod differ;
    pub mod graph;
    pub mod statements;
}

use engines::{embedded, neo4j, on_neo4j, run};
use libtest_mimic::{Arguments, Trial};
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

fn said(name: &str, else_: u64) -> u64 {
    std::env::var(name).ok().and_then(|said| said.parse().ok()).unwrap_or(else_)
}

#!/usr/bin/env bash
# petgraph 0.8.3, `page_rank`: an account passes no random jump to those it pays, and parallel payments take rank from whom they pay.
# A pair of accounts gets the share of a payment or the share of a random jump. By the definition it gets both.
# Parallel payments count in what a rank is divided by, but only one of them passes its share on.
# So an account that nobody pays can come first, and a second payment raises the payer instead of the one that is paid.
# Expected: PageRank by the article that its text names. Each account has (1 - d) / n, and d times its shares of those that pay it.
# Needs a stable Rust of 2026. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "petgraph-page-rank"
version = "0.0.0"
edition = "2024"

[dependencies]
petgraph = "=0.8.3"
TOML
cat > "$folder/src/main.rs" << 'RUST'
use petgraph::{Graph, algo::page_rank};

type Payments = &'static [(u32, u32)];

/// A walker goes on along one payment with d, and starts anywhere otherwise; from an account that pays nobody it always starts anywhere.
fn by_definition(count: usize, payments: Payments, d: f64) -> Vec<f64> {
    let mut ranks = vec![1.0 / count as f64; count];
    for _ in 0..1000 {
        let mut next = vec![0.0; count];
        for (account, rank) in ranks.iter().enumerate() {
            let paid: Vec<usize> = payments.iter().filter(|(payer, _)| *payer as usize == account).map(|(_, paid)| *paid as usize).collect();
            let goes_on = if paid.is_empty() { 0.0 } else { d };
            for other in 0..count {
                next[other] += (1.0 - goes_on) * rank / count as f64;
            }
            for other in &paid {
                next[*other] += goes_on * rank / paid.len() as f64;
            }
        }
        ranks = next;
    }
    ranks
}

fn by_petgraph(count: usize, payments: Payments, d: f64) -> Vec<f64> {
    let mut graph = Graph::<(), ()>::new();
    for _ in 0..count {
        graph.add_node(());
    }
    graph.extend_with_edges(payments);
    page_rank(&graph, d, 1000)
}

fn rounded(ranks: Vec<f64>) -> String {
    format!("{:?}", ranks.iter().map(|rank| (rank * 1000.0).round() / 1000.0).collect::<Vec<f64>>())
}

/// Each: what is asked; the number of accounts; the payments; d; what comes.
const CASES: [(&str, usize, Payments, f64, &str); 7] = [
    ("a ring of three", 3, &[(0, 1), (1, 2), (2, 0)], 0.85, "[0.333, 0.333, 0.333]"),
    ("0 pays 1", 2, &[(0, 1)], 0.85, "[0.347, 0.653]"),
    ("0 and 1 pay each other, 2 pays 0, and nobody pays 2", 3, &[(0, 1), (1, 0), (2, 0)], 0.85, "[0.486, 0.462, 0.053]"),
    ("the same, d = 0.2", 3, &[(0, 1), (1, 0), (2, 0)], 0.2, "[0.3, 0.336, 0.364]"),
    ("the same, d = 0: only random jumps", 3, &[(0, 1), (1, 0), (2, 0)], 0.0, "[0.0, 0.5, 0.5]"),
    ("0 pays 1 and 2, which pay it back", 3, &[(0, 1), (0, 2), (1, 0), (2, 0)], 0.85, "[0.493, 0.254, 0.254]"),
    ("the same, and 0 pays 1 twice", 3, &[(0, 1), (0, 1), (0, 2), (1, 0), (2, 0)], 0.85, "[0.542, 0.229, 0.229]"),
];

fn main() {
    let mut changed = 0;
    println!("petgraph 0.8.3");
    for (asked, count, payments, d, known) in CASES {
        let found = rounded(by_petgraph(count, payments, d));
        let expected = rounded(by_definition(count, payments, d));
        println!("\n  {asked}\n    comes:    {found}\n    expected: {expected}");
        if found != known {
            println!("    CHANGED:  it was {known}");
            changed += 1;
        }
    }
    std::process::exit(i32::from(changed > 0));
}
RUST
cd "$folder"
cargo run --quiet

//! Tables in Markdown, printed line by line as results come in, ready for `docs/performance.md`.

use crate::cell::{Compared, Measured};

/// Opens a section.
pub fn heading(text: &str) {
    println!("\n### {text}\n");
}

/// The head of a table whose lines are [`compared`].
pub fn compared_head(unit: &str) {
    println!(
        "| | connections | raw, {unit}/s | p50 / p99 ms | amlgraph, {unit}/s | p50 / p99 ms | ratio | cores then: database / amlgraph / client |"
    );
    println!("|---|---|---|---|---|---|---|---|");
}

/// Both sides of a cell.
pub fn compared(caption: &str, connections: usize, compared: &Compared) {
    let cores = compared.service.cores();
    println!(
        "| {caption} | {connections} | {} | {} | {} | {} | **{:.2}** | {:.2} / {:.2} / {:.2} |",
        rate(compared.raw.rate()),
        times(&compared.raw),
        rate(compared.service.rate()),
        times(&compared.service),
        compared.ratio(),
        cores.database,
        cores.service,
        cores.client,
    );
}

/// A number a second, with commas.
pub fn rate(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Median and 99th percentile.
pub fn times(measured: &Measured) -> String {
    format!("{:.1} / {:.1}", measured.millis(0.5), measured.millis(0.99))
}

/// Says on standard error what is being done.
pub fn doing(text: &str) {
    eprintln!("bench: {text}");
}

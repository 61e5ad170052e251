//! Tables in Markdown, printed line by line as results come in, ready for `bench/results/`.

use crate::cell::{Compared, Measured};
use crate::machine::Share;

/// Opens a section.
pub fn heading(text: &str) {
    println!("\n### {text}\n");
}

/// The head of a table whose lines are [`compared`], raw against the service.
pub fn compared_head(unit: &str) {
    two_sided_head("raw", "amlgraph", unit);
}

/// The head of a table whose lines are [`compared`]: what the basis is and what is measured against it.
pub fn two_sided_head(basis: &str, subject: &str, unit: &str) {
    println!(
        "| | connections | {basis}, {unit}/s | p50 / p99 ms | {subject}, {unit}/s | p50 / p99 ms | ratio | cores then: database / amlgraph / client |"
    );
    println!("|---|---|---|---|---|---|---|---|");
}

/// Both sides of a cell.
pub fn compared(caption: &str, connections: usize, compared: &Compared) {
    println!(
        "| {caption} | {connections} | {} | {} | {} | {} | **{:.2}** | {} |",
        rate(compared.basis.rate()),
        times(&compared.basis),
        rate(compared.subject.rate()),
        times(&compared.subject),
        compared.ratio(),
        share(compared.subject.cores()),
    );
}

/// Of the database, the service and the client.
pub fn share(of: Share) -> String {
    format!("{:.2} / {:.2} / {:.2}", of.database, of.service, of.client)
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

/// The middle of what is greater than nothing; of an even number the geometric mean of the two there, so that the median of ratios the other way
/// round is its inverse.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (lower, upper) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
    (lower * upper).sqrt()
}

/// A quantile of what is in order: 0.5, 0.99.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(place).copied().unwrap_or_default()
}

/// Median and 99th percentile.
pub fn times(measured: &Measured) -> String {
    format!("{:.1} / {:.1}", measured.millis(0.5), measured.millis(0.99))
}

/// Says on standard error what is being done.
pub fn doing(text: &str) {
    eprintln!("bench: {text}");
}

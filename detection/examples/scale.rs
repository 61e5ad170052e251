//! What datasets of many payments take of memory, and each rule of time.
//!
//!     scale PAYMENTS...
//!
//! Networks have 40 payments an account over 180 days, however large they are. Memory is what the process has resident more once the dataset
//! is there than before its rows were made. Times are the processor's; a rule's is that of a day, the mean of three days again and again. Beside the sizes stands what the
//! largest of them makes on paper of ten million payments, and by how much a payment's time has grown from the smallest to the largest.

mod bank;
#[path = "bank/processor.rs"]
mod processor;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::process::Command;

use detection::{Pack, Search, Settings};
use sample::typologies;

const SEED: u64 = 29;
const PAYMENTS_AN_ACCOUNT: usize = 40;
/// Accounts for each planted case of a typology.
const ACCOUNTS_A_CASE: usize = 400;
/// Days that are looked at, and how many there are behind them: at the very end nothing that was planted is complete.
const DAYS: usize = 3;
const BEHIND: usize = 8;
/// Seconds that a rule is measured for at least: what Linux counts is exact to some milliseconds.
const LEAST: f64 = 0.3;
const PAPER: f64 = 10e6;
/// Says that one size is to be measured in this process, as memory that was freed before would be taken again.
const ALONE: &str = "--alone";

const MEMORY: &str = "bytes a payment";
const PEAK: &str = "MiB at most, the generator included";
const LOADING: &str = "s to load";
const FINDINGS: &str = "findings of three days";
/// Lines that do not grow with the payments.
const FLAT: [&str; 1] = [MEMORY];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Err("usage: scale PAYMENTS...".into()),
        [flag, size] if flag == ALONE => alone(number(size)?),
        sizes => compared(&sizes.iter().map(|size| number(size)).collect::<Result<Vec<_>, _>>()?),
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text} is no number of payments"))
}

/// Measures one size, and prints a line for each thing that was measured.
fn alone(payments: usize) -> Result<(), Box<dyn Error>> {
    let accounts = payments / PAYMENTS_AN_ACCOUNT;
    let settings = typologies::Settings { accounts, payments, cases: accounts / ACCOUNTS_A_CASE, ..typologies::Settings::with_seed(SEED) };
    let network = typologies::generate(&settings)?;
    let days = bank::days(&network)?;
    let before = memory("VmRSS:")?;
    let began = processor::seconds()?;
    let dataset = bank::dataset(&network)?;
    let loading = processor::seconds()? - began;
    println!("{MEMORY}={}", (memory("VmRSS:")? - before) / payments as f64);
    println!("{LOADING}={}", loading);
    let mut findings = 0;
    for rule in Pack::built_in()?.rules().iter().map(|packed| &packed.rule).filter(|rule| matches!(rule.search, Search::Kernel(_))) {
        let (began, mut looked_at, mut found) = (processor::seconds()?, 0, 0);
        while looked_at == 0 || processor::seconds()? - began < LEAST {
            let days = days.iter().rev().skip(BEHIND).take(DAYS);
            found = days.map(|&day| rule.detect(&dataset, day, &Settings::of(rule)).len()).sum();
            looked_at += DAYS;
        }
        println!("{}, s a day={}", rule.id, (processor::seconds()? - began) / looked_at as f64);
        findings += found;
    }
    println!("{FINDINGS}={findings}");
    println!("{PEAK}={}", memory("VmHWM:")? / f64::from(1 << 20));
    Ok(())
}

/// Bytes of this process, as `/proc` tells.
fn memory(name: &str) -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let kib = status.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix("kB"));
    Ok(kib.ok_or("there is no such line in /proc/self/status")?.trim().parse::<f64>()? * 1024.0)
}

/// Measures each size in a process of its own, and prints the table.
fn compared(sizes: &[usize]) -> Result<(), Box<dyn Error>> {
    let mut rows: Vec<String> = Vec::new();
    let mut cells: BTreeMap<(String, usize), f64> = BTreeMap::new();
    for (column, size) in sizes.iter().enumerate() {
        let output = Command::new(std::env::current_exe()?).args([ALONE, &size.to_string()]).output()?;
        if !output.status.success() {
            return Err(format!("{size} payments: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        for line in String::from_utf8(output.stdout)?.lines() {
            let (name, value) = line.rsplit_once('=').ok_or("a line without a value")?;
            if column == 0 {
                rows.push(name.to_owned());
            }
            cells.insert((name.to_owned(), column), value.parse()?);
        }
    }
    print!("| payments |");
    sizes.iter().for_each(|size| print!(" {size} |"));
    println!(" 10,000,000 on paper | growth a payment |\n|---|{}---:|---:|", "---:|".repeat(sizes.len()));
    for row in rows {
        let values: Vec<f64> = (0..sizes.len()).filter_map(|column| cells.get(&(row.clone(), column)).copied()).collect();
        println!("| {row} | {}", line(&row, sizes, &values));
    }
    Ok(())
}

/// The cells behind the name of a row.
fn line(row: &str, sizes: &[usize], values: &[f64]) -> String {
    let mut line: String = values.iter().map(|value| format!("{} | ", shown(*value))).collect();
    if let ([first, .., last], [small, .., large]) = (values, sizes) {
        let (each_first, each_last) = if FLAT.contains(&row) { (*first, *last) } else { (first / *small as f64, last / *large as f64) };
        let paper = if FLAT.contains(&row) { *last } else { each_last * PAPER };
        line.push_str(&format!("{} | {:.2} |", shown(paper), each_last / each_first));
    } else {
        line.push_str("| |");
    }
    line
}

fn shown(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") }
}

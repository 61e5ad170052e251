//! Screening of all actors after a list has changed: 100,000 actors against 1,000 entries that a version has changed, of a list of 10,000.
//!
//! Names are made of syllables by number, the same in every run. A hundred actors have the name of an entry that changes; what is alike by chance is found
//! besides. The time is that of the job, from when it was queued until its end, and of the import before it.

use std::time::Instant;

use anyhow::{Result, ensure};
use cypher::{Engine, Params, Statement, Value, map};
use serde_json::json;

use crate::database::write;
use crate::desk::Desk;
use crate::machine::{peak_mib, resident_mib};
use crate::report;
use crate::service::{Content, Program, Store};

pub const ACTORS: u64 = 100_000;
const ENTRIES: u64 = 10_000;
const CHANGED: u64 = 1_000;
/// Actors who are on the list.
const LISTED: u64 = 100;
const BATCH: u64 = 2_000;

const SETTINGS: [(&str, &str); 2] = [("AMLGRAPH_SCREENING__SANCTIONS", "watchlists"), ("AMLGRAPH_SCREENING__ACTORS", "SANCTIONS")];
/// An actor as it is stored where actors are screened, with as much of a record as is read of it.
const FILL: Statement = Statement::new(
    "fill/actors",
    "UNWIND $rows AS row CREATE (a:Actor:Individual {id: row.id, name: row.name, record: '{}', screenedFacts: row.facts})",
);

const SYLLABLES: [&str; 40] = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we", "xi", "yo", "zu", "bran", "chel", "dor",
    "fen", "gar", "hol", "kar", "lin", "mor", "nel", "par", "rus", "stan", "tor", "val", "wen", "yar", "zel", "quin", "ost",
];

/// A name of two words: mixed, so that neighbours have nothing in common.
pub fn name(number: u64) -> String {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = |shift: u32| {
        let syllable = |at: u32| SYLLABLES[(mixed.rotate_left(shift + 7 * at) % SYLLABLES.len() as u64) as usize];
        format!("{}{}{}", syllable(0), syllable(1), syllable(2))
    };
    format!("{} {}", word(3), word(31))
}

/// The list: of the first entries some are actors; `changed` have another name besides.
fn list(changed: u64) -> String {
    let mut text = "id,schema,name,aliases\n".to_owned();
    for entry in 0..ENTRIES {
        let of = if entry < LISTED { entry * 997 } else { ACTORS + entry };
        let alias = if entry < changed { name(2 * ACTORS + entry) } else { String::new() };
        text += &format!("Q{entry},Person,{},{alias}\n", name(of));
    }
    text
}

/// Fills a store that is empty but for its schema.
pub async fn fill(engine: &Engine) -> Result<()> {
    for from in (0..ACTORS).step_by(BATCH as usize) {
        let row = |number: u64| {
            let name = name(number);
            let facts = json!({"kind": "INDIVIDUAL", "names": [name]}).to_string();
            map([("id", format!("actor-{number}").into()), ("name", name.into()), ("facts", facts.into())])
        };
        let rows: Vec<Value> = (from..from + BATCH).map(row).collect();
        write(engine, FILL, Params::rows(rows)).await?;
    }
    Ok(())
}

/// Heads the table of the section.
pub fn head() {
    report::heading("Screening of all actors after a list has changed");
    println!("| | actors | entries that changed | import s | screening s | actors/s | hits | MiB resident before, at most |");
    println!("|---|---|---|---|---|---|---|---|");
}

/// The section on one engine, whose store is filled.
pub async fn run(program: &Program, store: Store<'_>, engine: &str) -> Result<()> {
    report::doing(&format!("rescreening, {engine}"));
    let service = program.serve_with(store, Content::AsItIs, &SETTINGS).await?;
    let mut desk = Desk::open(service.address).await?;
    desk.import(&list(0)).await?;
    desk.screened_all(1).await?;
    let before = resident_mib(service.id())?;
    let imported = desk.import(&list(CHANGED)).await?;
    let began = Instant::now();
    let result = desk.screened_all(2).await?;
    let took = began.elapsed().as_secs_f64();
    ensure!(result["entries"] == json!(CHANGED) && result["actors"] == json!(ACTORS), "the job has come to {result}");
    let hits = result["hits"].as_u64().unwrap_or_default();
    ensure!(hits >= LISTED, "who is listed is found: {result}");
    println!(
        "| {engine} | {ACTORS} | {CHANGED} | {:.1} | **{took:.1}** | {} | {hits} | {before:.0}, {:.0} |",
        imported.as_secs_f64(),
        report::rate(ACTORS as f64 / took),
        peak_mib(service.id())?
    );
    service.stop().await
}

//! `amlgraph screening …`: names against names and lists, from files to standard output, without a store or a server; and all actors of a running server.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::Context;
use screening::Index;
use screening::files::{read_pairs, score_pairs, search_queries};
use screening::list::{Entry, Problem, Query, looks_like_sdn, read_queries, read_sdn_aliases};
use screening::validate::{Plan, validate};
use serde_json::json;

use super::graphql::{graphql, refused};
use super::job::awaited;
use super::output::Output;
use super::print;
use crate::cli::{FileScreening, ScoringFlag, Screening, ScreeningList, Server};

const SCREEN_ACTORS: &str = "mutation { screenActors(input: {}) { job { id } userErrors { message } } }";

/// Carries the command out.
pub async fn run(command: Screening) -> anyhow::Result<()> {
    match command {
        Screening::Actors { server } => actors(&server).await,
        Screening::OfFiles(command) => with_files(command),
    }
}

/// Has all actors screened, waits for it, and prints what it has come to.
async fn actors(server: &Server) -> anyhow::Result<()> {
    let data = graphql(server, SCREEN_ACTORS, json!({})).await?;
    refused(&data["screenActors"]["userErrors"])?;
    let id = data["screenActors"]["job"]["id"].as_str().context("the server has started no job")?;
    let job = awaited(server, ("screening", "actor-batch-screening", id)).await?;
    if job["status"] != "DONE" {
        let reason = job["lastError"].as_str().unwrap_or("somebody has cancelled it");
        anyhow::bail!("not all actors were screened:\n{reason}");
    }
    print(&job["result"].to_string());
    Ok(())
}

/// What is wrong in a file is told with line and column, and then nothing is printed.
fn with_files(command: FileScreening) -> anyhow::Result<()> {
    let out = Output::buffered();
    match command {
        FileScreening::Score { scoring: ScoringFlag { scoring }, pairs } => {
            let read = read_pairs(open(&pairs)?).with_context(|| format!("{}", pairs.display()))?;
            score_pairs(&read, scoring, out)?;
        }
        FileScreening::Search { list, top, scoring: ScoringFlag { scoring }, queries } => {
            let queries = read_people(&queries)?;
            search_queries(&Index::new(read_list(&list)?).scored_by(scoring), &queries, top, out)?;
        }
        FileScreening::Validate { list, people, each, seed, scoring: ScoringFlag { scoring }, threshold } => {
            let people = people.as_deref().map(read_people).transpose()?.unwrap_or_default();
            let plan = Plan { seed, each, scoring, threshold: threshold.unwrap_or(scoring.threshold()) };
            validate(&read_list(&list)?, &people, &plan).write(out)?;
        }
    }
    Ok(())
}

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    Ok(BufReader::new(File::open(path).with_context(|| format!("{}", path.display()))?))
}

fn read_list(list: &ScreeningList) -> anyhow::Result<Vec<Entry>> {
    let path = &list.list;
    let mut text = Vec::new();
    open(path)?.read_to_end(&mut text).with_context(|| format!("{}", path.display()))?;
    if list.aliases.is_some() && !looks_like_sdn(&text) {
        anyhow::bail!("--aliases is for OFAC's sdn.csv, and {} is not that; every other list has its other names in the same file", path.display());
    }
    let mut read = screening::list::read(&text).with_context(|| format!("{}", path.display()))?;
    note(path, &read.notes);
    if let Some(aliases) = &list.aliases {
        let notes = read_sdn_aliases(open(aliases)?, &mut read.items).with_context(|| format!("{}", aliases.display()))?;
        note(aliases, &notes);
    }
    Ok(read.items)
}

fn read_people(path: &Path) -> anyhow::Result<Vec<Query>> {
    let read = read_queries(open(path)?).with_context(|| format!("{}", path.display()))?;
    note(path, &read.notes);
    Ok(read.items)
}

/// What was not used does not stop the command; it is told on standard error, the first of many.
fn note(path: &Path, notes: &[Problem]) {
    const TOLD: usize = 20;
    for note in notes.iter().take(TOLD) {
        eprintln!("{}: {note}", path.display());
    }
    if notes.len() > TOLD {
        eprintln!("{}: and {} more", path.display(), notes.len() - TOLD);
    }
}

//! `amlgraph risk backtest`, `what-if` and `shadow`: what other rules, or other weights, would have said of actors, and what those in shadow said in a run.
//! The server does the work: what is known of actors is in its store.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, bail};
use detection::Grid;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::{BacktestRisk, RiskShadowOptions, Server, TriedWeights, WhatIfRisk};
use crate::commands::detect::what_if::values;
use crate::commands::graphql::{graphql, refused};
use crate::commands::print;

const START: &str = "mutation($input: BacktestRiskRuleInput!) { backtestRiskRule(input: $input) { job { id } userErrors { message } } }";
const JOB: &str = "query($id: ID!) { job(id: $id) { status lastError result } }";
const RUNS: &str = "query($after: String) { detectionRuns(first: 100, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
    closeOfBusinessDate lineOfBusiness processType status riskShadows { rule version scored bands { band actors } otherBands
        first { actor liveScore liveBand score band } } } } } }";
/// How often the job is asked for.
const PAUSE: Duration = Duration::from_millis(500);
/// The most sets of weights that a backtest takes.
const MOST_SETS: usize = 50;
/// The bands, in the order of the columns.
const BANDS: [&str; 3] = ["low_risk", "medium_risk", "high_risk"];

/// What a backtest has come to.
#[derive(Deserialize)]
struct Outcome {
    rule: String,
    version: String,
    /// The weights that were tried.
    sets: Vec<BTreeMap<String, String>>,
    days: Vec<Day>,
    /// What is to be known of all of it.
    note: Option<String>,
}

#[derive(Deserialize)]
struct Day {
    date: String,
    #[serde(flatten)]
    tuned: Beside,
    sets: Vec<Beside>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Beside {
    scored: usize,
    bands: BTreeMap<String, usize>,
    other_bands: usize,
}

/// A row for each day, and for each set of weights that is tried.
pub async fn backtest(BacktestRisk { rule, line, from, to, tried, server }: BacktestRisk) -> anyhow::Result<()> {
    let input = json!({"ruleId": rule, "lineOfBusiness": line, "from": from.to_string(), "to": to.to_string()});
    run(&server, input, &tried).await
}

/// The same of one day.
pub async fn what_if(WhatIfRisk { rule, line, day, tried, server }: WhatIfRisk) -> anyhow::Result<()> {
    if tried.values.is_empty() {
        bail!("--try NAME=VALUE,… must be there: without other weights it is a backtest");
    }
    let day = day.to_string();
    let input = json!({"ruleId": rule, "lineOfBusiness": line, "from": day, "to": day});
    run(&server, input, &tried).await
}

async fn run(server: &Server, mut input: Value, tried: &TriedWeights) -> anyhow::Result<()> {
    let values = values(&tried.values)?;
    // All of them are made before any is sent.
    if values.values().try_fold(1_usize, |count, values| count.checked_mul(values.len())).is_none_or(|count| count > MOST_SETS) {
        bail!("there may be {MOST_SETS} combinations of weights");
    }
    if !values.is_empty() {
        let sets = Grid::combinations(&values)
            .into_iter()
            .map(|point| -> Value { point.into_iter().map(|(factor, weight)| json!({"factor": factor, "value": weight.to_string()})).collect() });
        input["sets"] = sets.collect();
    }
    let outcome = ended(server, input).await?;
    if tried.json {
        print(&serde_json::to_string_pretty(&outcome)?);
        return Ok(());
    }
    print_table(&serde_json::from_value(outcome).context("reading the server's answer")?);
    Ok(())
}

/// Starts the job and waits for its end. Whoever breaks this off leaves the job to go on.
async fn ended(server: &Server, input: Value) -> anyhow::Result<Value> {
    let data = graphql(server, START, json!({"input": input})).await?;
    let payload = &data["backtestRiskRule"];
    refused(&payload["userErrors"])?;
    let id = payload["job"]["id"].as_str().context("the server's answer has no job")?;
    loop {
        let mut data = graphql(server, JOB, json!({"id": id})).await?;
        let job = &mut data["job"];
        match job["status"].as_str() {
            Some("DONE") => return Ok(job["result"].take()),
            Some("QUEUED" | "RUNNING") => tokio::time::sleep(PAUSE).await,
            _ => bail!("the job {id} has not come to its end: {}", job["lastError"].as_str().unwrap_or("it was cancelled, or is forgotten")),
        }
    }
}

fn print_table(Outcome { rule, version, sets, days, note }: &Outcome) {
    note.iter().for_each(|note| eprintln!("note: {note}"));
    print(&format!("{rule} {version}"));
    let heads = ["scored", "low", "medium", "high", "other band"].map(|head| format!("{head:>12}")).concat();
    print(&format!("{:<12}{heads}  weights", "day"));
    for Day { date, tuned, sets: of_sets } in days {
        print_row(date, tuned, "as tuned");
        for (set, of_set) in sets.iter().zip(of_sets) {
            let weights: Vec<String> = set.iter().map(|(factor, weight)| format!("{factor}={weight}")).collect();
            print_row(date, of_set, &weights.join(" "));
        }
    }
}

fn print_row(name: &str, Beside { scored, bands, other_bands }: &Beside, weights: &str) {
    let [low, medium, high] = BANDS.map(|band| bands.get(band).copied().unwrap_or_default());
    let numbers = [*scored, low, medium, high, *other_bands].map(|count| format!("{count:>12}")).concat();
    print(&format!("{name:<12}{numbers}  {weights}"));
}

/// What rules in shadow said in the run of a day and a line of business, as JSON or as a table.
pub async fn shadow(RiskShadowOptions { line, day, json, server }: RiskShadowOptions) -> anyhow::Result<()> {
    let run = run_of(&server, &line, &day.to_string()).await?;
    let shadows = run["riskShadows"].as_array().map_or(&[][..], Vec::as_slice);
    if json {
        print(&serde_json::to_string_pretty(shadows)?);
        return Ok(());
    }
    if shadows.is_empty() {
        print(&none_in_shadow(&run, &line, &day.to_string()));
        return Ok(());
    }
    let heads = ["scored", "low", "medium", "high", "other band"].map(|head| format!("{head:>12}")).concat();
    print(&format!("{:<24}{:>10}{heads}", "rule", "version"));
    for shadow in shadows {
        let count = |band: &str| {
            shadow["bands"].as_array().into_iter().flatten().find(|of| of["band"] == band).map_or(0, |of| of["actors"].as_u64().unwrap_or_default())
        };
        let number = |name: &str| shadow[name].as_u64().unwrap_or_default();
        let [low, medium, high] = BANDS.map(count);
        let numbers = [number("scored"), low, medium, high, number("otherBands")].map(|count| format!("{count:>12}")).concat();
        let text = |name: &str| shadow[name].as_str().unwrap_or_default();
        print(&format!("{:<24}{:>10}{numbers}", text("rule"), text("version")));
        for other in shadow["first"].as_array().into_iter().flatten() {
            let text = |name: &str| other[name].as_str().unwrap_or_default();
            print(&format!("    {}: {} ({}) instead of {} ({})", text("actor"), other["score"], text("band"), other["liveScore"], text("liveBand")));
        }
    }
    Ok(())
}

/// Why a run says nothing of rules in shadow.
fn none_in_shadow(run: &Value, line: &str, day: &str) -> String {
    match run["status"].as_str() {
        Some("DONE") => format!("no risk rule was in shadow in the run for {line} and {day}"),
        Some(status) => format!("the run for {line} and {day} is {status}; what rules in shadow say is there when it is DONE"),
        None => format!("the job of the run for {line} and {day} is kept no more, and what rules in shadow said neither"),
    }
}

/// The run of a day and a line of business.
async fn run_of(server: &Server, line: &str, day: &str) -> anyhow::Result<Value> {
    let mut after = Value::Null;
    loop {
        let data = graphql(server, RUNS, json!({"after": after})).await?;
        let page = &data["detectionRuns"];
        let runs = page["edges"].as_array().map_or(&[][..], Vec::as_slice);
        let is_it = |run: &Value| run["lineOfBusiness"] == line && run["closeOfBusinessDate"] == day && run["processType"] == "ACTOR";
        if let Some(edge) = runs.iter().find(|edge| is_it(&edge["node"])) {
            return Ok(edge["node"].clone());
        }
        if page["pageInfo"]["hasNextPage"] != true {
            bail!("there is no run of the type ACTOR for {line} and {day}");
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
}

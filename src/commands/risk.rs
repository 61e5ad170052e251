//! `amlgraph risk …`: scores of actors, of a running server; tests of risk rules, and rules as a policy, without one.

mod backtest;

use std::cmp::Reverse;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Parser;
use detection::Quantity;
use risk::Pack;
use serde_json::{Value, json};

use super::graphql::{graphql, refused};
use super::print;
use crate::cli::{CalculateRisk, PackOptions, Risk, Server};

const FACTORS: &str = "factor input known decisive rating weight contribution";

/// Carries out the command.
pub async fn run(command: Risk) -> anyhow::Result<ExitCode> {
    match command {
        Risk::Actor(arguments) => {
            let arguments = ["amlgraph risk".to_owned()].into_iter().chain(arguments);
            let CalculateRisk { actor, server } = CalculateRisk::try_parse_from(arguments).unwrap_or_else(|error| error.exit());
            calculate(&server, &actor).await?;
        }
        Risk::Explain { actor, server } => explain(&server, &actor).await?,
        Risk::Test(options) => return test(&options),
        Risk::Lint(options) => return lint(&options),
        Risk::Policy { folder } => policy(folder.as_deref())?,
        Risk::Backtest(options) => backtest::backtest(options).await?,
        Risk::WhatIf(options) => backtest::what_if(options).await?,
        Risk::Shadow(options) => backtest::shadow(options).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints one JSON object.
async fn calculate(server: &Server, actor: &str) -> anyhow::Result<()> {
    let mutation = format!(
        "mutation($input: CalculateRiskInput!) {{ calculateRisk(input: $input) {{ userErrors {{ message }}
          risk {{ ruleId ruleVersion asOf calculatedScore score band overridden isNew factors {{ {FACTORS} }} }} }} }}"
    );
    let data = graphql(server, &mutation, json!({"input": {"actorId": actor}})).await?;
    let payload = &data["calculateRisk"];
    refused(&payload["userErrors"])?;
    print(&payload["risk"].to_string());
    Ok(())
}

/// Prints a line for each factor that contributes, those that contribute most first, and their sum.
async fn explain(server: &Server, actor: &str) -> anyhow::Result<()> {
    let query = format!("query($id: ID!) {{ actor(id: $id) {{ riskScore riskBand riskFactors {{ {FACTORS} }} }} }}");
    let data = graphql(server, &query, json!({"id": actor})).await?;
    let shown = &data["actor"];
    if shown.is_null() {
        bail!("there is no actor {actor}");
    }
    let factors = shown["riskFactors"].as_array().map_or(&[][..], Vec::as_slice);
    if factors.is_empty() {
        bail!("no score of the actor {actor} was calculated");
    }
    let mut lines = Vec::with_capacity(factors.len());
    for factor in factors {
        lines.push((contribution(factor)?, line(factor)));
    }
    lines.sort_by_key(|(contribution, _)| Reverse(*contribution));
    let sum = lines.iter().map(|(contribution, _)| *contribution).sum::<Quantity>().to_string();
    for (_, line) in lines.iter().filter(|(contribution, _)| *contribution > Quantity::ZERO) {
        print(line);
    }
    print(&format!("{sum:>12}  calculated"));
    let score = shown["riskScore"].as_f64().map(|score| score.to_string()).unwrap_or_default();
    let band = shown["riskBand"].as_str().unwrap_or_default();
    print(&format!("{score:>12}  counts ({band})"));
    Ok(())
}

fn contribution(factor: &Value) -> anyhow::Result<Quantity> {
    let text = factor["contribution"].as_str().context("the server's answer has no contribution")?;
    text.parse().with_context(|| format!("the contribution {text:?}"))
}

/// What a factor contributes, and why.
fn line(factor: &Value) -> String {
    let text = |name: &str| factor[name].as_str().unwrap_or_default();
    let known = factor["decisive"].as_str().map_or_else(|| factor["known"].to_string(), str::to_owned);
    let [contribution, name, rating, weight] = ["contribution", "factor", "rating", "weight"].map(text);
    format!("{contribution:>12}  {name}: {known} is rated {rating} of {weight}")
}

/// The rules of a folder, or those that the program comes with.
fn load(folder: Option<&Path>) -> anyhow::Result<Pack> {
    match folder {
        Some(folder) => Pack::load(folder).with_context(|| format!("{}: the risk rules can't be read", folder.display())),
        None => Pack::built_in().context("the built-in risk rules can't be read"),
    }
}

/// Runs all tests; the exit code says whether they pass.
fn test(options: &PackOptions) -> anyhow::Result<ExitCode> {
    let report = risk::test(&load(options.folder.as_deref())?);
    if options.json {
        print(&serde_json::to_string_pretty(&report)?);
    } else {
        for (rule, test) in report.rules.iter().flat_map(|rule| rule.tests.iter().map(move |test| (rule, test))) {
            let said = if test.differences.is_empty() { "OK".to_owned() } else { test.differences.join("; ") };
            print(&format!("{} {}: {}: {said}", rule.rule, rule.version, test.name));
        }
    }
    Ok(code(report.passes()))
}

/// Looks whether there are enough tests; the exit code says so.
fn lint(options: &PackOptions) -> anyhow::Result<ExitCode> {
    let report = risk::lint(&load(options.folder.as_deref())?);
    if options.json {
        print(&serde_json::to_string_pretty(&report)?);
    } else {
        for rule in &report.rules {
            print(&format!("{} {}: {} tests, {} faults", rule.rule, rule.version, rule.tests, rule.faults.len()));
            rule.faults.iter().for_each(|fault| print(&format!("    {fault}")));
        }
    }
    Ok(code(report.passes()))
}

fn policy(folder: Option<&Path>) -> anyhow::Result<()> {
    for packed in load(folder)?.rules() {
        let rule = &packed.rule;
        print(&format!("{} {}: {}\n\n| factor | what | of its weight | points |\n|---|---|---|---|", rule.id, rule.version, rule.name));
        rule.policy().iter().for_each(|row| print(row));
    }
    Ok(())
}

fn code(passes: bool) -> ExitCode {
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! `amlgraph detect …`: what detection offers without a server, and what a server says of its rules.

mod accounts;
mod backtest;
mod explain;
mod faults;
mod features;
mod pack;
mod payments;
mod progress;
mod report;
mod run;
mod shadow;
mod source;
pub(super) mod what_if;

use std::process::ExitCode;

use crate::cli::Detect;

pub async fn run(command: Detect) -> anyhow::Result<ExitCode> {
    match command {
        Detect::Features(options) => features::run(options).map(|()| ExitCode::SUCCESS),
        Detect::Rules(options) => pack::rules(&options),
        Detect::Test(options) => pack::test(&options),
        Detect::Lint(options) => pack::lint(&options),
        Detect::Run(options) => run::run(&options).map(|()| ExitCode::SUCCESS),
        Detect::WhatIf(options) => what_if::what_if(&options).map(|()| ExitCode::SUCCESS),
        Detect::Diff(options) => what_if::diff(&options).map(|()| ExitCode::SUCCESS),
        Detect::Shadow(options) => shadow::run(&options).map(|()| ExitCode::SUCCESS),
        Detect::Explain(options) => explain::run(&options),
        Detect::Backtest(options) => backtest::run(&options).map(|()| ExitCode::SUCCESS),
        Detect::Report(options) => report::run(&options).await.map(|()| ExitCode::SUCCESS),
    }
}

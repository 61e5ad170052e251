//! What `amlgraph risk` takes.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::{PackOptions, Server};

#[derive(Subcommand)]
pub enum Risk {
    /// Print what the last calculated score of an actor is made of, and what that adds up to
    Explain {
        /// The actor's id
        actor: String,
        #[command(flatten)]
        server: Server,
    },
    /// Run the tests of risk rules; no server is needed
    Test(PackOptions),
    /// Look whether risk rules have enough tests: each weight, moved by one step, fails one, and each rating is reached by one
    Lint(PackOptions),
    /// Print risk rules as a policy: one row of a table for each rating
    Policy {
        /// A folder of risk rules; without it those that the program comes with
        folder: Option<PathBuf>,
    },
    /// Print how many actors would have been in which band by a risk rule, day by day, and how many in another than by the live rules
    Backtest(BacktestRisk),
    /// Print the same of one day for other weights of a risk rule: a row for each combination
    WhatIf(WhatIfRisk),
    /// Print what rules in shadow said of actors in the run of a day
    Shadow(RiskShadowOptions),
    /// Calculate the score of an actor as of today, by its id, and keep it where it is another
    #[command(external_subcommand)]
    Actor(Vec<String>),
}

/// What stands behind `amlgraph risk` where it is an actor's id.
#[derive(Parser)]
#[command(name = "amlgraph risk", disable_version_flag = true)]
pub struct CalculateRisk {
    /// The actor's id
    pub actor: String,
    #[command(flatten)]
    pub server: Server,
}

/// Other weights of a rule, and how what they come to is printed.
#[derive(Args)]
pub struct TriedWeights {
    /// Weights of a factor; all combinations with those of others are tried, 50 at most
    #[arg(long = "try", value_name = "NAME=VALUE,…")]
    pub values: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct BacktestRisk {
    /// The risk rule, whatever its status
    #[arg(long, value_name = "ID")]
    pub rule: String,
    /// Whom it is about: INDIVIDUAL, LEGAL_ENTITY, or a line of business
    #[arg(long, value_name = "LINE")]
    pub line: String,
    /// The first business day
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub from: chrono::NaiveDate,
    /// The last business day; 366 days in all at most
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub to: chrono::NaiveDate,
    #[command(flatten)]
    pub tried: TriedWeights,
    #[command(flatten)]
    pub server: Server,
}

#[derive(Args)]
pub struct WhatIfRisk {
    /// The risk rule, whatever its status
    #[arg(long, value_name = "ID")]
    pub rule: String,
    /// Whom it is about: INDIVIDUAL, LEGAL_ENTITY, or a line of business
    #[arg(long, value_name = "LINE")]
    pub line: String,
    /// The business day
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub day: chrono::NaiveDate,
    #[command(flatten)]
    pub tried: TriedWeights,
    #[command(flatten)]
    pub server: Server,
}

#[derive(Args)]
pub struct RiskShadowOptions {
    /// The line of business of the run
    #[arg(long, value_name = "LINE")]
    pub line: String,
    /// The business day of the run
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub day: chrono::NaiveDate,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: Server,
}

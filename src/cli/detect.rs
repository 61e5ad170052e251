//! What `amlgraph detect` takes.

use std::path::PathBuf;
use std::time::Duration;

use analytics::{Bins, Legs};
use clap::{Args, Subcommand, ValueEnum};

use super::Server;

#[derive(Subcommand)]
pub enum Detect {
    /// Print what the patterns say of each payment, as CSV; no database is needed
    Features(FeaturesOptions),
    /// Print the rules, with what their parameters are and mean
    Rules(PackOptions),
    /// Run the tests of rules
    Test(PackOptions),
    /// Look whether rules have enough tests: three positive, three innocent look-alikes, both sides of each parameter
    Lint(PackOptions),
    /// Print what the rules find in payments from a file, day by day, as lines of JSON; no database is needed
    Run(RunRulesOptions),
    /// Print what other thresholds of a rule would find in payments from a file; all of them cost one pass
    WhatIf(WhatIfOptions),
    /// Print what other versions of rules find and these do not, and the other way round, in payments from a file
    Diff(DiffOptions),
    /// Print what challengers find beside the live versions of rules, in payments from a file
    Shadow(ShadowOptions),
    /// Print why a rule fires for an actor on a day: measures, payments, and whether it fires again with the necessary ones alone
    Explain(ExplainOptions),
    /// Print how much a rule finds on each day, in payments from a file
    Backtest(BacktestOptions),
    /// Print what feedback says of the rules of a running server, by version, line of business and period
    Report(ReportOptions),
}

#[derive(Args)]
pub struct PackOptions {
    /// A folder of rules; without it those that the program comes with
    pub folder: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct PaymentsFile {
    /// The payments, CSV with the columns id,from,to,at,amount,currency; `-` is standard input
    pub payments: PathBuf,
    /// Whose accounts are, CSV with the columns id,owner and, where they are known, opened (YYYY-MM-DD) and the owner's kind (individual or legal-entity);
    /// an account without a line is of an actor of its own, and an owner without a kind is a company
    #[arg(long, value_name = "FILE")]
    pub accounts: Option<PathBuf>,
    /// Whose days are business days
    #[arg(long, default_value = "UTC", value_name = "ZONE", value_parser = resolvers::detection::DetectionSettings::time_zone)]
    pub time_zone: resolvers::detection::Zone,
}

#[derive(Args)]
pub struct PaymentsSource {
    #[command(flatten)]
    pub file: PaymentsFile,
    /// The first business day; else that of the first payment
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub from: Option<chrono::NaiveDate>,
    /// The last business day; else that of the last payment
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub to: Option<chrono::NaiveDate>,
}

#[derive(Args)]
pub struct RunRulesOptions {
    #[command(flatten)]
    pub source: PaymentsSource,
    /// A folder of rules; without it those that the program comes with
    #[arg(long, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// This rule alone, also where it is not live
    #[arg(long, value_name = "ID")]
    pub rule: Option<String>,
}

#[derive(Args)]
pub struct WhatIfOptions {
    #[command(flatten)]
    pub source: PaymentsSource,
    /// A folder of rules; without it those that the program comes with
    #[arg(long, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// The rule
    #[arg(long, value_name = "ID")]
    pub rule: String,
    /// Values of a threshold; all combinations with those of others are tried
    #[arg(long = "try", value_name = "NAME=VALUE,…", required = true)]
    pub values: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct DiffOptions {
    #[command(flatten)]
    pub source: PaymentsSource,
    /// A folder of rules; without it those that the program comes with
    #[arg(long, value_name = "DIR")]
    pub before: Option<PathBuf>,
    /// A folder of rules that may take their place
    #[arg(long, value_name = "DIR")]
    pub after: PathBuf,
    /// This rule alone, also where it is not live
    #[arg(long, value_name = "ID")]
    pub rule: Option<String>,
}

#[derive(Args)]
pub struct ShadowOptions {
    #[command(flatten)]
    pub source: PaymentsSource,
    /// A folder of rules whose versions may take the place of the live ones
    #[arg(long, value_name = "DIR")]
    pub challenger: PathBuf,
    /// A folder of the rules that are live; without it those that the program comes with
    #[arg(long, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// The challenger of this rule alone
    #[arg(long, value_name = "ID")]
    pub rule: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ExplainOptions {
    #[command(flatten)]
    pub file: PaymentsFile,
    /// A folder of rules; without it those that the program comes with
    #[arg(long, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// The rule
    #[arg(long, value_name = "ID")]
    pub rule: String,
    /// The actor that it is about: an account's owner, or the account where its owner is not known
    #[arg(long, value_name = "ID")]
    pub actor: String,
    /// The business day
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub day: chrono::NaiveDate,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct BacktestOptions {
    #[command(flatten)]
    pub source: PaymentsSource,
    /// A folder of rules; without it those that the program comes with
    #[arg(long, value_name = "DIR")]
    pub rules: Option<PathBuf>,
    /// The rule, whatever its status
    #[arg(long, value_name = "ID")]
    pub rule: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ReportOptions {
    /// The first business day
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub from: chrono::NaiveDate,
    /// The last business day; 1,830 days in all at most
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub to: chrono::NaiveDate,
    /// How long periods are
    #[arg(long, default_value = "month", value_name = "PERIOD")]
    pub by: ReportPeriod,
    /// This rule alone
    #[arg(long, value_name = "ID")]
    pub rule: Option<String>,
    /// This line of business alone
    #[arg(long, value_name = "LINE")]
    pub line: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub server: Server,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ReportPeriod {
    Day,
    /// From Monday to Sunday
    Week,
    Month,
}

impl ReportPeriod {
    /// As GraphQL names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "DAY",
            Self::Week => "WEEK",
            Self::Month => "MONTH",
        }
    }
}

#[derive(Args)]
pub struct FeaturesOptions {
    /// The payments, CSV with the columns id,from,to,at,amount,currency; `-` is standard input
    pub payments: PathBuf,
    /// The length of all windows that have none of their own
    #[arg(long, default_value = "24h", value_name = "TIME", value_parser = crate::config::duration::parse)]
    pub window: Duration,
    /// The window of fan-in and fan-out
    #[arg(long, value_name = "TIME", value_parser = crate::config::duration::parse)]
    pub fan_window: Option<Duration>,
    /// The longest time of a scatter-gather
    #[arg(long, value_name = "TIME", value_parser = crate::config::duration::parse)]
    pub scatter_gather_window: Option<Duration>,
    /// The longest time of a cycle
    #[arg(long, value_name = "TIME", value_parser = crate::config::duration::parse)]
    pub cycle_window: Option<Duration>,
    /// The longest time of gather-scatter and of pass-through
    #[arg(long, value_name = "TIME", value_parser = crate::config::duration::parse)]
    pub pass_through_window: Option<Duration>,
    /// The window in which a sender's and a receiver's payments are counted
    #[arg(long, value_name = "TIME", value_parser = crate::config::duration::parse)]
    pub velocity_window: Option<Duration>,
    /// The most payments in a cycle
    #[arg(long, default_value_t = 5, value_name = "PAYMENTS", value_parser = clap::value_parser!(u32).range(0..=12))]
    pub cycle_length: u32,
    /// Which payments make a scatter-gather
    #[arg(long, default_value = "in-order")]
    pub scatter_gather: ScatterGather,
    /// Smallest sizes of the bins in which fans and scatter-gathers are counted
    #[arg(long, default_value = "2,3,4,5,10,20", value_name = "SIZES", value_parser = bins)]
    pub bins: Bins,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ScatterGather {
    /// Each intermediary receives before it pays
    InOrder,
    /// Whichever came first
    AnyOrder,
    /// As snapml's Graph Feature Preprocessor counts, for models that know its numbers
    GraphFeaturePreprocessor,
}

impl From<ScatterGather> for Legs {
    fn from(scatter_gather: ScatterGather) -> Self {
        match scatter_gather {
            ScatterGather::InOrder => Self::InOrder,
            ScatterGather::AnyOrder => Self::AnyOrder,
            ScatterGather::GraphFeaturePreprocessor => Self::AsGraphFeaturePreprocessor,
        }
    }
}

/// Reads bins: sizes with commas.
fn bins(text: &str) -> Result<Bins, String> {
    let size = |size: &str| size.trim().parse::<u32>().map_err(|_| format!("{size:?} is no size"));
    let sizes: Vec<u32> = text.split(',').map(size).collect::<Result<_, _>>()?;
    Bins::new(sizes).map_err(|error| error.to_string())
}

//! The command line, as `amlgraph --help` shows it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use resolvers::Role;
use screening::Scoring;

use crate::config::Flags;
use crate::import::List;

mod detect;
mod risk;

pub use detect::{
    BacktestOptions, Detect, DiffOptions, ExplainOptions, FeaturesOptions, PackOptions, PaymentsFile, PaymentsSource, ReportOptions, RunRulesOptions,
    ShadowOptions, WhatIfOptions,
};

pub use self::risk::{BacktestRisk, CalculateRisk, Risk, RiskShadowOptions, TriedWeights, WhatIfRisk};

/// An anti-money-laundering graph: the documented API in, GraphQL out, on Neo4j or an embedded store.
#[derive(Parser)]
#[command(name = "amlgraph", version, propagate_version = true)]
pub struct Cli {
    /// Settings file [default: amlgraph.toml, when there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What is logged: a level, or levels by module (`info,cypher=debug`)
    #[arg(long, global = true, value_name = "FILTER")]
    pub log: Option<String>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Serve the API, and do the worker's part unless told otherwise
    Serve(Serve),
    /// Do the worker's part only
    Work(StoreFlags),
    /// Bring a store up to date
    Migrate(StoreFlags),
    /// Print the GraphQL schema
    Schema,
    /// Print the OpenAPI document
    Openapi,
    /// Load DIR/<list>.ndjson into a store, or send it to a server
    Import(Import),
    /// Write the bundled sample network as files that `import` reads
    Sample {
        /// The folder; it is made if need be
        dir: PathBuf,
    },
    /// API keys of a running server, and one for a store that nobody can get into any more
    #[command(subcommand)]
    Key(Key),
    /// Token clients of a running server
    #[command(subcommand)]
    Client(Credential),
    /// Users of a running server
    #[command(subcommand)]
    User(User),
    /// Webhooks of a running server
    #[command(subcommand)]
    Webhook(Webhook),
    /// Work in the background of a running server
    #[command(subcommand)]
    Jobs(Jobs),
    /// Lists to screen against, of a running server
    #[command(subcommand)]
    List(Watchlists),
    /// Print what was changed in a running server's store, one JSON object a transaction
    Changes(Changes),
    /// Read the store with Cypher; prints one JSON object a row
    Query(Query),
    /// Print the statements of a GraphQL query, to paste into Neo4j Browser
    Explain(Explain),
    /// Make the list of trusted GraphQL documents out of a folder
    Documents {
        /// The folder with *.graphql files; folders within it count, too
        dir: PathBuf,
        /// Write the list to this file [default: print it]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Read statements that come as data
    #[command(subcommand)]
    Statements(Statements),
    /// Detection without a server, and what feedback says of the rules of one
    #[command(subcommand)]
    Detect(Detect),
    /// Compare names and search lists of names, from files and without a server; have all actors of a running server screened
    #[command(subcommand)]
    Screening(Screening),
    /// Risk scores of actors, of a running server; and the rules that they are calculated by
    #[command(subcommand)]
    Risk(Risk),
}

#[derive(Args)]
pub struct Serve {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    #[command(flatten)]
    pub store: StoreFlags,
    /// Leave the worker's part to `amlgraph work`
    #[arg(long)]
    pub no_worker: bool,
    /// Load the bundled sample network first, when the store is empty
    #[arg(long)]
    pub sample: bool,
}

#[derive(Args, Default)]
pub struct StoreFlags {
    /// The store: embedded:FOLDER, bolt://HOST:PORT, neo4j://…, or with TLS bolt+s://, neo4j+s://
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
}

#[derive(Args)]
#[command(after_help = lists())]
pub struct Import {
    /// The folder with actors.ndjson, accounts.ndjson, …
    pub dir: PathBuf,
    /// Send it to this server instead of writing to the store [env: AMLGRAPH_URL, unless --database is there]
    #[arg(long, value_name = "URL", requires = "key", conflicts_with = "database")]
    pub url: Option<String>,
    /// API key for that server
    #[arg(long, env = "AMLGRAPH_KEY", hide_env_values = true)]
    pub key: Option<String>,
    #[command(flatten)]
    pub store: StoreFlags,
    /// Begin again, although an earlier run got somewhere
    #[arg(long)]
    pub restart: bool,
}

#[derive(Args)]
pub struct Query {
    /// The statement; it may only read
    pub cypher: String,
    #[command(flatten)]
    pub store: StoreFlags,
    /// The longest it may take
    #[arg(long, default_value = "30s", value_parser = crate::config::duration::parse)]
    pub limit: std::time::Duration,
}

#[derive(Args)]
pub struct Explain {
    /// The document; a query
    pub document: String,
    /// Its variables, a JSON object
    #[arg(long, default_value = "{}")]
    pub variables: String,
    #[command(flatten)]
    pub store: StoreFlags,
}

#[derive(Subcommand)]
pub enum Key {
    #[command(flatten)]
    OfServer(Credential),
    /// Make an administrator's key in the store itself and show it, this once; the audit log has it. A server over an embedded store must be stopped
    Recover(Recover),
}

#[derive(Args)]
pub struct Recover {
    /// What it is for
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub store: StoreFlags,
}

#[derive(Subcommand)]
pub enum Screening {
    #[command(flatten)]
    OfFiles(FileScreening),
    /// Have a running server screen all actors against its whole lists, and wait for it; prints what it has come to as a JSON object
    Actors {
        #[command(flatten)]
        server: Server,
    },
}

#[derive(Subcommand)]
pub enum FileScreening {
    /// Score pairs of names; prints the rows in their order with `score` and `match` behind
    Score {
        #[command(flatten)]
        scoring: ScoringFlag,
        /// CSV with the columns name1, name2 and, if there, schema
        pairs: PathBuf,
    },
    /// Search a list; prints query,rank,id,name,score,match as CSV
    Search {
        #[command(flatten)]
        list: ScreeningList,
        /// Entries for each query, at the most
        #[arg(long, default_value_t = 5)]
        top: usize,
        #[command(flatten)]
        scoring: ScoringFlag,
        /// CSV with the columns id, name and, if there, schema, birth_date, countries
        queries: PathBuf,
    },
    /// Change names of a list in many ways and search for them; prints recall and false alerts over all thresholds as CSV
    Validate {
        #[command(flatten)]
        list: ScreeningList,
        /// People who are on no list: CSV as for `search`
        #[arg(long, value_name = "FILE")]
        people: Option<PathBuf>,
        /// Names for each way of changing them
        #[arg(long, default_value_t = 300)]
        each: usize,
        /// The same seed changes the same names in the same ways
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        scoring: ScoringFlag,
        /// A threshold that the report has besides its curve [default: the one that `match` uses]
        #[arg(long)]
        threshold: Option<f32>,
    },
}

#[derive(Args)]
pub struct ScoringFlag {
    /// How names are scored: standard, or ofac in the manner of OFAC's own search
    #[arg(long, value_name = "NAME", default_value = "standard")]
    pub scoring: Scoring,
}

#[derive(Args)]
pub struct ScreeningList {
    /// The list: OpenSanctions' simple CSV or entities.ftm.json, OFAC's sdn.csv or sdn.xml, or the UN's consolidated list as XML
    #[arg(long, value_name = "FILE")]
    pub list: PathBuf,
    /// The other names of OFAC's sdn.csv: its alt.csv
    #[arg(long, value_name = "FILE")]
    pub aliases: Option<PathBuf>,
}

#[derive(Subcommand)]
pub enum Credential {
    /// Make one and show its secret, this once
    Create {
        /// INGEST, ANALYST, SUPERVISOR, AUDITOR or ADMIN
        #[arg(long)]
        role: Role,
        /// What it is for
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        server: Server,
    },
    /// List them, one JSON object a line, without secrets
    List {
        #[command(flatten)]
        server: Server,
    },
    /// Revoke one, a client with the tokens it has: at once on this server, within 20 ms on other instances
    Revoke {
        /// Its id
        id: String,
        #[command(flatten)]
        server: Server,
    },
}

#[derive(Subcommand)]
pub enum User {
    /// Make one, whom cases can be assigned to
    Create {
        /// What they are known by; no other user has it
        #[arg(long)]
        username: String,
        #[arg(long)]
        first_name: Option<String>,
        #[arg(long)]
        last_name: Option<String>,
        /// A group they are in; may be given several times
        #[arg(long = "group", value_name = "GROUP")]
        groups: Vec<String>,
        /// Their id, a UUID [default: a new one]
        #[arg(long, conflicts_with = "subject")]
        id: Option<String>,
        /// The `sub` of the tokens that the outside issuer gives them
        #[arg(long)]
        subject: Option<String>,
        #[command(flatten)]
        server: Server,
    },
    /// List them, one JSON object a line
    List {
        #[command(flatten)]
        server: Server,
    },
    /// Refuse one's tokens: at once on this server, within 20 ms on other instances
    Disable {
        /// Their id
        id: String,
        #[command(flatten)]
        server: Server,
    },
    /// Take one's tokens again
    Enable {
        /// Their id
        id: String,
        #[command(flatten)]
        server: Server,
    },
}

#[derive(Subcommand)]
pub enum Webhook {
    /// Register a receiver on this machine until Ctrl-C, and print what it is told
    Listen(Listen),
}

#[derive(Subcommand)]
pub enum Statements {
    /// Check each *.cypher of a folder, without a store; prints each with OK or with all its faults
    Check {
        /// The folder
        dir: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum Jobs {
    /// List jobs, the newest first; prints one JSON object each
    List {
        /// Only of these kinds, comma-separated
        #[arg(long, value_name = "KINDS", value_delimiter = ',')]
        kind: Vec<String>,
        /// Only with these statuses, comma-separated: QUEUED, RUNNING, DONE, FAILED, CANCELLED
        #[arg(long, value_name = "STATUSES", value_delimiter = ',')]
        status: Vec<String>,
        /// How many at most
        #[arg(long, value_name = "NUMBER", default_value_t = 100)]
        most: usize,
        #[command(flatten)]
        server: Server,
    },
    /// Cancel a job; what it has done stays done
    Cancel {
        /// Its id
        id: String,
        #[command(flatten)]
        server: Server,
    },
}

#[derive(Subcommand)]
pub enum Watchlists {
    /// Import a list, or a new version of it, and wait until it counts; prints what it has come to as a JSON object
    Import(ImportList),
    /// Print each list, or the versions of one, the newest first, one JSON object each
    Show {
        /// The list's id, such as ofac-sdn
        list: Option<String>,
        /// How many versions at most
        #[arg(long, value_name = "NUMBER", default_value_t = 100)]
        most: usize,
        #[command(flatten)]
        server: Server,
    },
    /// Print what a version of a list has otherwise than the one before, one JSON object an entry
    #[command(disable_version_flag = true)]
    Diff {
        /// The list's id, such as ofac-sdn
        list: String,
        /// The number of the version [default: the one that counts]
        #[arg(long, value_name = "NUMBER")]
        version: Option<i64>,
        /// Go on behind an entry: what its line says as `after`
        #[arg(long, value_name = "PLACE")]
        after: Option<String>,
        /// How many entries are asked for at once; fewer where that is too much for one answer
        #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=200))]
        page: u16,
        #[command(flatten)]
        server: Server,
    },
}

#[derive(Args)]
pub struct ImportList {
    /// The file: OpenSanctions' simple CSV or entities.ftm.json, OFAC's sdn.csv or sdn.xml, or the UN's consolidated list as XML
    pub file: PathBuf,
    /// What the list is called; a list of this name gets a new version
    #[arg(long)]
    pub name: String,
    /// How the file must be written: SIMPLE_CSV, FTM_JSON, OFAC_SDN_CSV, OFAC_SDN_XML or UN_XML [default: its content says so]
    #[arg(long)]
    pub format: Option<String>,
    /// The other names of OFAC's sdn.csv: its alt.csv
    #[arg(long, value_name = "FILE")]
    pub aliases: Option<PathBuf>,
    #[command(flatten)]
    pub server: Server,
}

#[derive(Args)]
pub struct Changes {
    /// The position of the last set that was read before; without it from the first that is kept
    #[arg(long, value_name = "POSITION")]
    pub after: Option<String>,
    /// Go on with what comes, until Ctrl-C
    #[arg(long)]
    pub follow: bool,
    #[command(flatten)]
    pub server: Server,
}

#[derive(Args)]
pub struct Listen {
    /// Of what it is told: names of events, comma-separated
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "*")]
    pub events: Vec<String>,
    /// The port to listen on, 0 for any that is free
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// What to answer
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(200..=599), conflicts_with = "forward")]
    pub status: u16,
    /// Hand on what comes to this address, and answer as it is answered there
    #[arg(long, value_name = "ADDRESS")]
    pub forward: Option<String>,
    #[command(flatten)]
    pub server: Server,
}

/// A running server and a key there.
#[derive(Args)]
pub struct Server {
    /// The server
    #[arg(long, env = "AMLGRAPH_URL", default_value = "http://127.0.0.1:8080")]
    pub url: String,
    /// An API key there, of a role that may do this; administrators' may do all
    #[arg(long, env = "AMLGRAPH_KEY", hide_env_values = true)]
    pub key: String,
}

/// The files that an import reads.
fn lists() -> String {
    format!("Lists, in the order in which they are read: {}", List::ALL.map(List::name).join(", "))
}

impl Cli {
    /// The flags that are settings.
    pub fn settings(&self) -> Flags {
        let none = StoreFlags::default();
        let (listen, store) = match &self.command {
            Command::Serve(serve) => (serve.listen.clone(), &serve.store),
            Command::Work(store) | Command::Migrate(store) => (None, store),
            Command::Import(import) => (None, &import.store),
            Command::Query(query) => (None, &query.store),
            Command::Explain(explain) => (None, &explain.store),
            Command::Key(Key::Recover(recover)) => (None, &recover.store),
            Command::Schema
            | Command::Openapi
            | Command::Sample { .. }
            | Command::Documents { .. }
            | Command::Statements(_)
            | Command::Detect(_)
            | Command::Screening(_)
            | Command::Risk(_)
            | Command::Key(_)
            | Command::Client(_)
            | Command::User(_)
            | Command::Webhook(_)
            | Command::Jobs(_)
            | Command::List(_)
            | Command::Changes(_) => (None, &none),
        };
        Flags { config: self.config.clone(), log: self.log.clone(), listen, database: store.database.clone() }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}

//! What `amlgraph risk` takes.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

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

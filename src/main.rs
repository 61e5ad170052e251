//! The program `amlgraph`: an anti-money-laundering graph behind a documented HTTP API and GraphQL.
//!
//! `amlgraph serve` is the service: [`config`] says how it is set up, [`store`] opens the database, [`http`] answers requests (who asks is
//! settled in [`credentials`]), [`worker`] does what nobody waits for. The other [`commands`] are for those who run it; [`import`] brings
//! files in. What an operation means is not decided here but in the crate `resolvers`.

// The type of a command's future holds those of everything it waits for, down to a connection's: deeper than the compiler's default follows.
#![recursion_limit = "256"]

// Modules, the lowest first: config import cli private refusal credentials http store telemetry worker commands.

mod cli;
mod commands;
mod config;
mod credentials;
mod http;
mod import;
mod private;
mod refusal;
mod store;
mod telemetry;
mod worker;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What is still running on a blocking thread when the program ends is given this long.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// Connections that are open at once, in and out, and the files of a store: the system's first limit, often 1,024, is not meant for servers.
const OPEN_FILES: u64 = 65_536;

fn main() -> ExitCode {
    // Two rustls providers are linked in (the database driver and the HTTP client differ); unless one is chosen, the first TLS connection
    // panics. It fails only when one was chosen already, and nothing came before this.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    // As far as the system lets; with less it works, too.
    let _ = rlimit::increase_nofile_limit(OPEN_FILES);
    match run(cli::Cli::parse()) {
        Ok(code) => code,
        Err(_) if commands::is_output_closed() => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("amlgraph: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: cli::Cli) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting the async runtime")?;
    let outcome = runtime.block_on(commands::run(cli));
    runtime.shutdown_timeout(LAST_WORDS);
    outcome
}

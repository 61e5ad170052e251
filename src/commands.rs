//! What `amlgraph <command>` does, a file each. Standard output carries only what a command is for; everything else goes to standard error.

mod changes;
mod credential;
mod detect;
mod documents;
mod explain;
mod graphql;
mod import;
mod job;
mod list;
mod output;
mod query;
mod recover;
mod risk;
mod sample;
mod screening;
mod serve;
mod server;
mod statements;
mod user;
mod webhook;
mod work;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;

use crate::cli::{Cli, Command, Key};
use crate::config::{self, Settings};
use crate::{private, store, telemetry};

pub use output::is_closed as is_output_closed;
pub use server::{address, client, is_redirected};

/// Carries out the command; the error is what is shown.
pub async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let flags = cli.settings();
    let settings = || -> anyhow::Result<Settings> {
        let settings = config::load(&flags)?;
        telemetry::log(&settings.log)?;
        private::keep_to_ourselves();
        tracing::debug!(?settings, "settings");
        Ok(settings)
    };
    // A cache is of use to whoever is asked again and again. Others need it for one thing: that those who have one know what is written.
    let without_cache = || settings().map(|settings| Settings { cache_bytes: 0, ..settings });
    let only_telling = || settings().map(Settings::only_telling);
    match cli.command {
        Command::Serve(options) => serve::run(settings()?, options).await?,
        Command::Work(_) => work::run(only_telling()?).await?,
        Command::Migrate(_) => store::open(&only_telling()?).await?.close().await.context("closing the store")?,
        Command::Schema => print(&graphql_mutations::sdl()),
        Command::Openapi => print(&rest_compat::openapi().to_pretty_json().context("the OpenAPI document")?),
        Command::Import(options) => return import::run(only_telling()?, options).await,
        Command::Sample { dir } => sample::run(&dir)?,
        Command::Key(Key::OfServer(command)) => credential::run(credential::Kind::Key, command).await?,
        Command::Key(Key::Recover(options)) => recover::run(only_telling()?, options).await?,
        Command::Client(command) => credential::run(credential::Kind::Client, command).await?,
        Command::User(command) => user::run(command).await?,
        Command::Webhook(command) => webhook::run(command).await?,
        Command::Jobs(command) => job::run(command).await?,
        Command::List(command) => list::run(command).await?,
        Command::Changes(options) => changes::run(options).await?,
        Command::Query(options) => query::run(settings()?, options).await?,
        Command::Explain(options) => explain::run(without_cache()?, options).await?,
        Command::Documents { dir, output } => documents::run(&config::graphql_limits_alone(&flags)?, &dir, output.as_deref()).await?,
        Command::Statements(command) => return statements::run(command),
        Command::Detect(command) => return detect::run(command).await,
        Command::Screening(command) => screening::run(command).await?,
        Command::Risk(command) => return risk::run(command).await,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a line. Whoever has closed our output does not want to read more of it, which is no reason to stop.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

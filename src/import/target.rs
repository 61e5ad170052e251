//! Where lines go: straight into a store, or to a server.

use std::time::Duration;

use anyhow::{Context, bail};
use futures::future::BoxFuture;
use resolvers::{ImportList, LineOutcome, Resolvers};

use super::server::Server;
use super::{Line, List, Outcome, Summary};

/// A database that is away for longer is not waited for; the checkpoint is there to go on from.
const TRIES: u32 = 6;
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// What takes the lines.
pub struct Target(Kind);

enum Kind {
    Store { resolvers: Resolvers, run: String },
    Server(Server),
}

impl Target {
    /// The store itself: 500 lines are one transaction; `run` names this import there.
    pub fn store(resolvers: Resolvers, run: &str) -> Self {
        Self(Kind::Store { resolvers, run: run.to_owned() })
    }

    /// A server at an address, with an API key of the role INGEST or ADMIN; `run` names this import there.
    pub fn server(url: &str, key: &str, run: &str) -> anyhow::Result<Self> {
        Ok(Self(Kind::Server(Server::new(url, key, run)?)))
    }

    /// Takes lines of a list, when `turn` has come, and says of each what became of it, in their order. An error means that the target takes
    /// nothing at all.
    pub async fn send(&self, list: List, lines: Vec<Line>, turn: BoxFuture<'static, ()>) -> anyhow::Result<Vec<Outcome>> {
        match &self.0 {
            Kind::Store { resolvers, run } => into_store(resolvers, run, list, lines, turn).await,
            Kind::Server(server) => server.send(list, lines, turn).await,
        }
    }

    /// Learns, where all was sent, what became of what was only taken so far.
    pub async fn settle(&self, summary: &mut Summary) -> anyhow::Result<()> {
        match &self.0 {
            Kind::Store { .. } => Ok(()),
            Kind::Server(server) => server.settle(summary).await,
        }
    }
}

async fn into_store(resolvers: &Resolvers, run: &str, list: List, lines: Vec<Line>, turn: BoxFuture<'static, ()>) -> anyhow::Result<Vec<Outcome>> {
    let lines: Vec<(u64, String)> = lines.into_iter().map(|line| (line.number, line.text)).collect();
    let mut turn = Some(turn);
    let mut pause = FIRST_PAUSE;
    for tries in 1.. {
        // It comes once; whoever tries again has it.
        let turn = turn.take().unwrap_or_else(|| Box::pin(std::future::ready(())));
        match resolvers.import(run, import_list(list), lines.clone(), turn).await {
            Ok(outcomes) => return Ok(outcomes.into_iter().map(outcome).collect()),
            // One that is too slow now, as a cold one is, may be fast enough the next time.
            Err(resolvers::Error::Unavailable { .. } | resolvers::Error::TooLong) if tries < TRIES => {
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
            Err(error) => return Err(error).with_context(|| format!("importing {}", list.name())),
        }
    }
    bail!("importing {}", list.name())
}

fn import_list(list: List) -> ImportList {
    match list {
        List::Actors => ImportList::Actors,
        List::Accounts => ImportList::Accounts,
        List::AccountActors => ImportList::AccountActors,
        List::Associates => ImportList::Associates,
        List::Transactions => ImportList::Transactions,
        List::Devices => ImportList::Devices,
        List::SignIns => ImportList::SignIns,
        List::AccountBalances => ImportList::AccountBalances,
        List::ActorSegmentationGroups => ImportList::ActorSegmentationGroups,
        List::Observations => ImportList::Observations,
        List::Communications => ImportList::Communications,
        List::Cases => ImportList::Cases,
    }
}

fn outcome(outcome: LineOutcome) -> Outcome {
    match outcome {
        LineOutcome::Accepted => Outcome::Accepted,
        LineOutcome::Failed(faults) => Outcome::Refused(faults.iter().map(ToString::to_string).collect()),
    }
}

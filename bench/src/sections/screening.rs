//! Payments that are screened for sanctions while their sender waits, beside the same payments that are not, with a list of 10,000 and of 1,000,000 names.
//!
//! The list is made of the names of another (`--list`, or invented ones), each changed in one way by a seed, until it is as long as wanted. Counterparties of
//! payments have invented names, or names of the list that are changed once more: those are the longest searches, and many of them are hits, which are
//! written as observations. What a service without providers takes for the same payments is measured beside.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::screening::evidence::Facts;
use ::screening::list::{self, Entry};
use ::screening::mutate::ChangedNames;
use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::cell::{Compared, Plan, Side, Work, settled_by_turns};
use crate::desk::Desk;
use crate::http::{self, Connection};
use crate::machine::{Processes, resident_mib};
use crate::payments::{Accounts, Flow, Naming, Random};
use crate::report;
use crate::sections::ingest;
use crate::sections::rescreening::name;
use crate::service::{Content, KEY, Program, Service, Store};

/// Names of the lists.
pub const SIZES: [usize; 2] = [10_000, 1_000_000];
const CONNECTIONS: [usize; 2] = [1, 32];
/// Names that payments take turns with.
const POOL: usize = 20_000;
/// Names that lists are made of where no list is given.
const INVENTED: u64 = 20_000;
const SEED: u64 = 1;
/// Longer than the index of the longest list takes to load.
const LOADED_WITHIN: Duration = Duration::from_secs(600);
const LOOK: Duration = Duration::from_millis(300);

const SETTINGS: [(&str, &str); 1] = [("AMLGRAPH_SCREENING__SANCTIONS", "watchlists")];
const SCREENED: &str = "/api/v2/transactions?operations=SANCTIONS";

/// The names that lists are made of.
pub struct Source(Vec<Entry>);

impl Source {
    /// Those of a file, or invented ones.
    pub fn of(file: Option<&Path>) -> Result<Self> {
        let Some(path) = file else {
            let entry =
                |number: u64| Entry { id: number.to_string(), schema: "Person".to_owned(), names: vec![name(number)], facts: Facts::default() };
            return Ok(Self((0..INVENTED).map(entry).collect()));
        };
        let text = std::fs::read(path).with_context(|| path.display().to_string())?;
        let read = list::read(&text).map_err(|problems| anyhow!("{}: {problems}", path.display()))?;
        Ok(Self(read.items))
    }

    fn changed(&self, seed: u64) -> Result<ChangedNames<'_>> {
        ChangedNames::of(&self.0, seed).context("the list has no names")
    }

    /// A list of so many names, as OpenSanctions' simple CSV.
    fn list(&self, size: usize) -> Result<String> {
        let mut text = "id,schema,name\n".to_owned();
        for (at, (schema, name)) in self.changed(SEED)?.take(size).enumerate() {
            // Names have quotes in them, and commas.
            writeln!(text, "Q{at},{schema},\"{}\"", name.replace('"', "\"\""))?;
        }
        Ok(text)
    }

    /// Names of the list, changed by another seed than the list's.
    fn listed(&self) -> Result<Vec<String>> {
        Ok(self.changed(SEED + 1)?.take(POOL).map(|(_, name)| name).collect())
    }
}

/// Names that are nobody's on the lists, but by chance.
fn invented() -> Vec<String> {
    (0..POOL as u64).map(|number| name(10 * INVENTED + number)).collect()
}

/// Sends payments to counterparties of these names.
struct Sender {
    connection: Connection,
    path: &'static str,
    names: Arc<Vec<String>>,
    flow: Flow,
    random: Random,
}

impl Sender {
    /// A payment's record, with a name of the counterparty.
    fn record(&mut self) -> Result<String> {
        const BEFORE: &str = r#""counterparty":{"object":"ACCOUNT_INFO","#;
        let record = self.flow.payment(&mut self.random).record;
        let name = &self.names[self.random.below(self.names.len() as u64) as usize];
        let named = record.replacen(BEFORE, &format!(r#"{BEFORE}"name":{},"#, serde_json::to_string(name)?), 1);
        ensure!(named.len() > record.len(), "the payment has another counterparty: {record}");
        Ok(named)
    }
}

impl Work for Sender {
    async fn once(&mut self) -> Result<()> {
        let record = self.record()?;
        self.connection.send_for_success(&http::post(self.path, KEY, &record)).await?;
        Ok(())
    }
}

async fn senders(address: SocketAddr, path: &'static str, names: &Arc<Vec<String>>, connections: usize) -> Result<Vec<Sender>> {
    let flow = Flow { accounts: Accounts::Spread, naming: Naming::Id };
    let mut senders = Vec::with_capacity(connections);
    for seed in 0..connections as u64 {
        let connection = Connection::open(address).await?;
        senders.push(Sender { connection, path, names: Arc::clone(names), flow, random: Random::new(5_000 + seed) });
    }
    Ok(senders)
}

/// Heads the table of the section.
pub fn head() {
    report::heading("Payments that are screened while their sender waits");
    println!(
        "| | names of the list | counterparties | connections | not screened, payments/s | p50 / p99 ms | screened, payments/s | p50 / p99 ms | p99 more, ms | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
}

/// The section on one engine: a store that has its accounts, and another for a service without providers, which may be the same where two services can share
/// one.
pub async fn run(
    program: &Program,
    (store, plain): (Store<'_>, Store<'_>),
    engine: (&str, Option<u32>),
    source: &Source,
    size: usize,
    plan: Plan,
) -> Result<()> {
    let (engine, database) = engine;
    report::doing(&format!("screening with {size} names, {engine}"));
    let service = program.serve_with(store, Content::AsItIs, &SETTINGS).await?;
    let imported = Desk::open(service.address).await?.import(&source.list(size)?).await?;
    let loaded = loaded(&service).await?;
    let processes = Processes { database, service: Some(service.id()) };
    for (caption, names) in [("invented", invented()), ("names of the list, changed", source.listed()?)] {
        let names = Arc::new(names);
        for connections in CONNECTIONS {
            let without = senders(service.address, ingest::PATH, &names, connections).await?;
            let with = senders(service.address, SCREENED, &names, connections).await?;
            let without = Side { name: "payments that are not screened", workers: without, processes: &processes };
            let with = Side { name: "payments that are screened", workers: with, processes: &processes };
            line(engine, (size, caption, connections), &settled_by_turns(without, with, plan).await?);
        }
    }
    let other = program.serve(plain, Content::AsItIs).await?;
    let other_processes = Processes { database, service: Some(other.id()) };
    let names = Arc::new(invented());
    for connections in CONNECTIONS {
        let without = senders(other.address, ingest::PATH, &names, connections).await?;
        let with = senders(service.address, ingest::PATH, &names, connections).await?;
        let without = Side { name: "a service without providers", workers: without, processes: &other_processes };
        let with = Side { name: "a service with providers", workers: with, processes: &processes };
        let compared = settled_by_turns(without, with, plan).await?;
        line(engine, (size, "not screened, by a service without providers and by this one", connections), &compared);
    }
    eprintln!(
        "bench: {size} names on {engine}: imported in {:.1} s, searched {:.1} s later, {:.0} MiB resident",
        imported.as_secs_f64(),
        loaded.as_secs_f64(),
        resident_mib(service.id())?
    );
    other.stop().await?;
    service.stop().await
}

fn line(engine: &str, (size, caption, connections): (usize, &str, usize), compared: &Compared) {
    println!(
        "| {engine} | {} | {caption} | {connections} | {} | {} | {} | {} | **{:.1}** | {:.2} |",
        report::rate(size as f64),
        report::rate(compared.basis.rate()),
        report::times(&compared.basis),
        report::rate(compared.subject.rate()),
        report::times(&compared.subject),
        compared.subject.millis(0.99) - compared.basis.millis(0.99),
        compared.ratio()
    );
}

/// Waits until payments are screened by the list; how long that took.
async fn loaded(service: &Service) -> Result<Duration> {
    let began = Instant::now();
    let mut sender = senders(service.address, SCREENED, &Arc::new(invented()), 1).await?.pop().context("a sender")?;
    while began.elapsed() < LOADED_WITHIN {
        let record = sender.record()?;
        let answer = sender.connection.send_for_success(&http::post(SCREENED, KEY, &record)).await?;
        let answer: serde_json::Value = serde_json::from_slice(answer)?;
        match answer["screening_results"][0]["response"].as_str() {
            Some("HIT" | "MISS") => return Ok(began.elapsed()),
            Some(_) => tokio::time::sleep(LOOK).await,
            None => bail!("answered {answer}"),
        }
    }
    bail!("the list is not searched within {LOADED_WITHIN:?}")
}

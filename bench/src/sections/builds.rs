//! One build against another, on the same Neo4j: payments by number, raw and both by turns.
//!
//! Two runs of this benchmark differ by more than most changes of the program gain or lose. So whoever weighs one gives the build before it
//! (`--other`), and reads the median of the turns. That both do the same work is seen by section numbers, or by the tests.

use std::time::Instant;

use anyhow::Result;
use test_support::neo4j::Neo4j;

use crate::cell::{Measured, Plan, Side};
use crate::database;
use crate::machine::Processes;
use crate::payments::{Accounts, Flow, Links, Naming};
use crate::report;
use crate::sections::ingest::{Raw, Sent, make_accounts, raw_workers, senders};
use crate::service::{Content, Program, Service, Store};

const FLOW: Flow = Flow { accounts: Accounts::Spread, naming: Naming::Number };
const HEAD: &str = "| turn | raw, payments/s | the other, payments/s | cores: database / amlgraph / client | this, payments/s | cores | the other to raw | \
                    this to raw | this to the other |\n|---|---|---|---|---|---|---|---|---|";

/// Those that take turns.
struct Sides<'a> {
    raw: Side<'a, Raw>,
    other: Side<'a, Sent>,
    this: Side<'a, Sent>,
}

/// What they did in one turn.
#[derive(Default)]
struct Turn {
    raw: Measured,
    other: Measured,
    this: Measured,
}

/// The section.
pub async fn on_neo4j(program: &Program, other: &Program, server: &Neo4j, connections: usize, plan: Plan) -> Result<()> {
    report::doing("two builds on Neo4j");
    database::wipe(server).await?;
    let this = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    let other = other.serve(Store::Neo4j(server), Content::AsItIs).await?;
    make_accounts(&database::raw(server, 1)?).await?;
    let processes = [None, Some(other.id()), Some(this.id())].map(|service| Processes { database: server.process_id(), service });
    let mut sides = Sides::of(server, [&other, &this], &processes, connections).await?;
    sides.warm_up(plan).await?;
    report::heading(&format!("Two builds, payments by number to 6,200 accounts, {connections} connections, raw knows the ids, Neo4j"));
    println!("{HEAD}");
    let mut ratios: [Vec<f64>; 3] = Default::default();
    for number in 1..=plan.rounds {
        let turn = sides.turn(number, plan).await?;
        turn.print(number);
        ratios.iter_mut().zip(turn.ratios()).for_each(|(all, ratio)| all.push(ratio));
    }
    let [other_to_raw, this_to_raw, this_to_other] = ratios.map(report::median);
    println!("| median | | | | | | **{other_to_raw:.2}** | **{this_to_raw:.2}** | **{this_to_other:.2}** |");
    this.stop().await?;
    other.stop().await
}

impl<'a> Sides<'a> {
    async fn of(server: &Neo4j, [other, this]: [&Service; 2], [by_hand, others, its]: &'a [Processes; 3], connections: usize) -> Result<Self> {
        let workers = raw_workers(&database::raw(server, connections)?, Links::Merged, Flow { naming: Naming::Id, ..FLOW }, connections);
        Ok(Self {
            raw: Side { name: "raw", workers, processes: by_hand },
            other: Side { name: "the other", workers: senders(other.address, FLOW, connections).await?, processes: others },
            this: Side { name: "this", workers: senders(this.address, FLOW, connections).await?, processes: its },
        })
    }

    async fn warm_up(&mut self, plan: Plan) -> Result<()> {
        let started = Instant::now();
        while started.elapsed() < 3 * plan.java {
            self.raw.settle(plan).await?;
            self.other.settle(plan).await?;
            self.this.settle(plan).await?;
        }
        Ok(())
    }

    /// The builds come first by turns.
    async fn turn(&mut self, number: u32, plan: Plan) -> Result<Turn> {
        let mut turn = Turn::default();
        self.raw.measure(plan, &mut turn.raw).await?;
        let this_is_first = number.is_multiple_of(2);
        if this_is_first {
            self.this.measure(plan, &mut turn.this).await?;
        }
        self.other.measure(plan, &mut turn.other).await?;
        if !this_is_first {
            self.this.measure(plan, &mut turn.this).await?;
        }
        Ok(turn)
    }
}

impl Turn {
    fn ratios(&self) -> [f64; 3] {
        let [raw, other, this] = [&self.raw, &self.other, &self.this].map(Measured::rate);
        [other / raw, this / raw, this / other]
    }

    fn print(&self, number: u32) {
        let [raw, other, this] = [&self.raw, &self.other, &self.this].map(|measured| report::rate(measured.rate()));
        let [others, its] = [&self.other, &self.this].map(|measured| report::share(measured.cores()));
        let [other_to_raw, this_to_raw, this_to_other] = self.ratios();
        println!("| {number} | {raw} | {other} | {others} | {this} | {its} | {other_to_raw:.2} | {this_to_raw:.2} | {this_to_other:.2} |");
    }
}

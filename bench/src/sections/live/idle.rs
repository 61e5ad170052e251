//! What the service takes in a minute in which nothing happens, without subscribers and with them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::machine::{peak_mib, resident_mib};
use crate::metrics::Metrics;
use crate::report;
use crate::service::Service;

/// Before a minute begins, so that what was done before has had its time.
const QUIET: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);
/// Of statements a second: differences below are not named.
const NOTABLE: f64 = 0.05;

/// A minute in which nobody asks for anything.
pub struct Idle {
    /// At its end.
    resident_mib: f64,
    peak_mib: f64,
    /// Each statement's number a second, by its name.
    statements: BTreeMap<String, f64>,
}

impl Idle {
    /// Waits for such a minute, and lets it pass.
    pub async fn minute(service: &Service) -> Result<Self> {
        tokio::time::sleep(QUIET).await;
        let (began, at_first) = (Instant::now(), Metrics::of(service.address).await?);
        tokio::time::sleep(MINUTE).await;
        let at_last = Metrics::of(service.address).await?;
        let seconds = began.elapsed().as_secs_f64();
        let before = at_first.statements();
        let a_second = |(name, count): (&str, f64)| (name.to_owned(), (count - before.get(name).copied().unwrap_or_default()) / seconds);
        let statements = at_last.statements().into_iter().map(a_second).collect();
        Ok(Self { resident_mib: resident_mib(service.id())?, peak_mib: peak_mib(service.id())?, statements })
    }

    /// Statements a second.
    fn rate(&self) -> f64 {
        self.statements.values().sum()
    }

    /// How many more a second there are than in another minute, of those where that can be seen.
    fn more_than(&self, other: &Self) -> String {
        let rate_in = |idle: &Self, name: &str| idle.statements.get(name).copied().unwrap_or_default();
        // Once run, a statement is in all later minutes.
        let more = self.statements.keys().map(|name| (name, rate_in(self, name) - rate_in(other, name)));
        let named = more.filter(|(_, more)| more.abs() >= NOTABLE).map(|(name, more)| format!("`{name}` {more:+.2}"));
        named.collect::<Vec<_>>().join(", ")
    }
}

/// Opens the table of [`line`].
pub fn head(engine: &str) {
    report::heading(&format!("Idle subscribers, {engine}"));
    println!(
        "| subscribers | all connected after, s | MiB resident without, with them, at most | KiB for each | statements/s in an idle minute: without, with them | \
         more | of which |"
    );
    println!("|---|---|---|---|---|---|---|");
}

/// What so many subscribers have taken who were connected within a time.
pub fn line(subscribers: usize, connected_after: Duration, without: &Idle, with: &Idle) {
    let each = (with.resident_mib - without.resident_mib) * 1024.0 / subscribers as f64;
    println!(
        "| {} | {:.1} | {:.0}, **{:.0}**, {:.0} | {each:.1} | {:.2}, {:.2} | **{:+.2}** | {} |",
        report::rate(subscribers as f64),
        connected_after.as_secs_f64(),
        without.resident_mib,
        with.resident_mib,
        with.peak_mib,
        without.rate(),
        with.rate(),
        with.rate() - without.rate(),
        with.more_than(without),
    );
}

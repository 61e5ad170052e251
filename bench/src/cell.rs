//! One cell of a table: workers that do the same thing over and over for a while, two sides by turns: raw and through the service, mostly.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::machine::{Processes, Share};

/// After so many warming ups in a row that were not faster, both sides count as settled.
const SETTLED: u32 = 2;
const MOST_WARM_UPS: u32 = 60;

/// What one connection does over and over.
pub trait Work: Send + 'static {
    /// Does it once; an error ends the benchmark.
    fn once(&mut self) -> impl Future<Output = Result<()>> + Send;
}

/// How long a cell takes.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Measured, of each side, over all rounds.
    pub measured: Duration,
    /// Before each measurement, not counted.
    pub warm_up: Duration,
    /// Both sides are measured by turns, so many times, so that whatever else the machine does meanwhile meets both.
    pub rounds: u32,
    /// How long both sides work before a section's first cell: Java goes on for a minute or two to compile what writes.
    pub java: Duration,
}

/// What came of one side.
#[derive(Default)]
pub struct Measured {
    micros: Vec<u32>,
    wall: Duration,
    share: Share,
}

/// Both sides of a cell.
#[derive(Default)]
pub struct Compared {
    /// What the other is measured against: raw, mostly.
    pub basis: Measured,
    /// What is asked about: the service, mostly.
    pub subject: Measured,
}

/// The workers of one side, one a connection, and whose processor time is theirs.
pub struct Side<'a, W> {
    /// What errors call it.
    pub name: &'static str,
    pub workers: Vec<W>,
    pub processes: &'a Processes,
}

/// Measures the service against raw, once both have settled.
pub async fn compare<R: Work, S: Work>(raw: Vec<R>, service: Vec<S>, plan: Plan, processes: &Processes) -> Result<Compared> {
    let raw = Side { name: "raw", workers: raw, processes };
    settled_by_turns(raw, Side { name: "through the service", workers: service, processes }, plan).await
}

/// Measures two sides by turns, once both have settled.
pub async fn settled_by_turns<B: Work, S: Work>(mut basis: Side<'_, B>, mut subject: Side<'_, S>, plan: Plan) -> Result<Compared> {
    // Both, before either is measured: the database learns from each what the other gains by.
    basis.settle(plan).await?;
    subject.settle(plan).await?;
    by_turns(basis, subject, plan).await
}

/// Measures two sides by turns, after nothing but a warming up each: where no Java is at work, and what is written must not be much.
pub async fn by_turns<B: Work, S: Work>(mut basis: Side<'_, B>, mut subject: Side<'_, S>, plan: Plan) -> Result<Compared> {
    let mut compared = Compared::default();
    for _ in 0..plan.rounds {
        basis.measure(plan, &mut compared.basis).await?;
        subject.measure(plan, &mut compared.subject).await?;
    }
    Ok(Compared { basis: compared.basis.in_order(), subject: compared.subject.in_order() })
}

/// Measures one side alone, once it has settled.
pub async fn alone<W: Work>(workers: Vec<W>, plan: Plan, processes: &Processes) -> Result<Measured> {
    again(settle(workers, plan).await?, plan, processes).await
}

/// Measures one side alone, after nothing but a warming up: where others have just done the same.
pub async fn again<W: Work>(mut workers: Vec<W>, plan: Plan, processes: &Processes) -> Result<Measured> {
    let mut measured = Measured::default();
    for _ in 0..plan.rounds {
        workers = measure(workers, plan, processes, &mut measured).await?;
    }
    Ok(measured.in_order())
}

/// Lets workers work until they get no faster: Java compiles what is asked of it often, and that takes a while, longer on a busy machine.
pub async fn settle<W: Work>(mut workers: Vec<W>, plan: Plan) -> Result<Vec<W>> {
    let mut best = 0;
    let mut not_better = 0;
    for _ in 0..MOST_WARM_UPS {
        let (kept, micros) = drive(workers, plan.warm_up).await?;
        workers = kept;
        not_better = if micros.len() * 10 > best * 11 { 0 } else { not_better + 1 };
        best = best.max(micros.len());
        if not_better == SETTLED {
            break;
        }
    }
    Ok(workers)
}

/// Lets both sides work by turns until Java has had its time for them.
pub async fn warmed<B: Work, S: Work>(mut basis: Vec<B>, mut subject: Vec<S>, plan: Plan) -> Result<()> {
    const TURN: Duration = Duration::from_secs(5);
    let until = Instant::now() + 2 * plan.java;
    while Instant::now() < until {
        (basis, _) = drive(basis, TURN).await?;
        (subject, _) = drive(subject, TURN).await?;
    }
    Ok(())
}

async fn measure<W: Work>(workers: Vec<W>, plan: Plan, processes: &Processes, into: &mut Measured) -> Result<Vec<W>> {
    let (workers, _) = drive(workers, plan.warm_up).await?;
    let before = processes.used();
    let started = Instant::now();
    let (workers, micros) = drive(workers, plan.measured / plan.rounds).await?;
    into.wall += started.elapsed();
    into.share += processes.used() - before;
    into.micros.extend(micros);
    Ok(workers)
}

impl<W: Work> Side<'_, W> {
    /// Lets its workers work until they get no faster.
    pub async fn settle(&mut self, plan: Plan) -> Result<()> {
        self.workers = settle(std::mem::take(&mut self.workers), plan).await.context(self.name)?;
        Ok(())
    }

    /// One turn of its workers.
    pub async fn measure(&mut self, plan: Plan, into: &mut Measured) -> Result<()> {
        self.workers = measure(std::mem::take(&mut self.workers), plan, self.processes, into).await.context(self.name)?;
        Ok(())
    }
}

/// Lets all workers work until the time is over; what they are at then is finished and counted.
async fn drive<W: Work>(workers: Vec<W>, time: Duration) -> Result<(Vec<W>, Vec<u32>)> {
    let until = Instant::now() + time;
    let tasks: Vec<_> = workers.into_iter().map(|worker| tokio::spawn(work(worker, until))).collect();
    let mut workers = Vec::with_capacity(tasks.len());
    let mut micros = Vec::new();
    for task in tasks {
        let (worker, took) = task.await??;
        workers.push(worker);
        micros.extend(took);
    }
    if micros.is_empty() {
        bail!("nothing was done in {time:?}");
    }
    Ok((workers, micros))
}

async fn work<W: Work>(mut worker: W, until: Instant) -> Result<(W, Vec<u32>)> {
    let mut micros = Vec::new();
    let mut started = Instant::now();
    while started < until {
        worker.once().await?;
        let done = Instant::now();
        micros.push(u32::try_from((done - started).as_micros()).unwrap_or(u32::MAX));
        started = done;
    }
    Ok((worker, micros))
}

impl Measured {
    /// With its times in order, as quantiles need them.
    pub fn in_order(mut self) -> Self {
        self.micros.sort_unstable();
        self
    }

    /// Takes in what came of another turn.
    pub fn take_in(&mut self, turn: Self) {
        self.micros.extend(turn.micros);
        self.wall += turn.wall;
        self.share += turn.share;
    }

    /// How many a second.
    pub fn rate(&self) -> f64 {
        self.micros.len() as f64 / self.wall.as_secs_f64()
    }

    /// Milliseconds within which this part of all was done: 0.5, 0.99.
    pub fn millis(&self, part: f64) -> f64 {
        let at = (self.micros.len() as f64 * part) as usize;
        self.micros.get(at.min(self.micros.len().saturating_sub(1))).map_or(0.0, |micros| f64::from(*micros) / 1000.0)
    }

    /// How many cores each process kept busy.
    pub fn cores(&self) -> Share {
        self.share.over(self.wall)
    }

    /// Processor milliseconds that each process took for one.
    pub fn processor_millis(&self) -> Share {
        self.share.millis_each(self.micros.len())
    }
}

impl Compared {
    /// The subject's rate as a multiple of the basis'.
    pub fn ratio(&self) -> f64 {
        self.subject.rate() / self.basis.rate()
    }
}

//! Readers and writers who go on until they are stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::support::load::Running;

const READERS: usize = 6;
/// Between two writes of a value, at most.
const PAUSE: Duration = Duration::from_millis(60);
/// Before what was not done, or is not known to have been done, is sent again.
pub const AGAIN: Duration = Duration::from_millis(20);
/// A Neo4j that was just started may plan a write for seconds.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// Faults that are shown; one defect makes many.
pub const SHOWN: usize = 20;

/// What they read and write.
pub trait Work: Send + Sync + 'static {
    /// How many registers there are.
    fn registers(&self) -> usize;

    /// Asks once, in one of the ways there are, and looks at the answer.
    fn read(&self, random: &mut StdRng) -> impl Future<Output = ()> + Send;

    /// Writes a value of a register.
    fn write(&self, register: usize, value: u64, random: &mut StdRng) -> impl Future<Output = ()> + Send;
}

/// Readers of all registers, and a writer of each; all have the value 1 so far.
pub fn at_work<W: Work>(work: &Arc<W>) -> [Running; 2] {
    let seeds = AtomicUsize::new(0);
    let readers = Running::start(READERS, |go_on| {
        let (work, seed) = (Arc::clone(work), seeds.fetch_add(1, Ordering::Relaxed));
        async move {
            let mut random = StdRng::seed_from_u64(seed as u64);
            while go_on.load(Ordering::Relaxed) {
                work.read(&mut random).await;
            }
        }
    });
    let registers = AtomicUsize::new(0);
    let writers = Running::start(work.registers(), |go_on| {
        let (work, register) = (Arc::clone(work), registers.fetch_add(1, Ordering::Relaxed));
        async move {
            let mut random = StdRng::seed_from_u64(1_000 + register as u64);
            for value in 2.. {
                if !go_on.load(Ordering::Relaxed) {
                    break;
                }
                work.write(register, value, &mut random).await;
                tokio::time::sleep(PAUSE.mul_f64(random.random_range(0.0..1.0))).await;
            }
        }
    });
    [readers, writers]
}

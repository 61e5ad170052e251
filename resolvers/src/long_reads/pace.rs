//! How many rows a page has.

use std::time::Duration;

/// What a page is to take: long enough that its trip to the database is little of it, short enough that what is read beside it hardly waits.
const AIM: Duration = Duration::from_millis(50);
/// The same while others read: they wait for no more than this.
const AIM_BESIDE: Duration = Duration::from_millis(10);
const FIRST: usize = 200;
pub const FEWEST: usize = 20;
pub const MOST: usize = 2_000;

/// Whether others read at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    Alone,
    Others,
}

/// The size of the next page, by how long the last ones took.
#[derive(Debug, Clone, Copy)]
pub struct Pace(usize);

impl Default for Pace {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Pace {
    pub fn size(self) -> usize {
        self.0
    }

    /// A page of so many took so long. One page alone makes the next at most twice as large, and at least half.
    pub fn took(&mut self, rows: usize, took: Duration, company: Company) {
        let aim = if company == Company::Alone { AIM } else { AIM_BESIDE };
        let fitting = rows as f64 * aim.as_secs_f64() / took.as_secs_f64().max(1e-6);
        let (least, most) = ((self.0 / 2).max(FEWEST), (self.0 * 2).min(MOST));
        // What is left at the end of the keys says nothing of larger pages when it was quick.
        if rows >= self.0 || fitting < self.0 as f64 {
            self.0 = (fitting as usize).clamp(least, most);
        }
    }
}

//! The processor's time, which other programs on the machine do not add to.

use std::error::Error;
use std::fs;

/// Seconds that this process' first thread has worked so far, as Linux counts them: to a few milliseconds.
pub fn seconds() -> Result<f64, Box<dyn Error>> {
    let counted = fs::read_to_string("/proc/self/schedstat")?;
    let nanos: u64 = counted.split_whitespace().next().ok_or("/proc/self/schedstat is empty")?.parse()?;
    Ok(nanos as f64 / 1e9)
}

//! How many days are done, as a line on standard error where that is a terminal.

use std::io::IsTerminal;

use chrono::NaiveDate;
use indicatif::{ProgressBar, ProgressStyle};

/// What shows which day is looked at.
pub struct DayProgress(ProgressBar);

impl DayProgress {
    /// Begins with so many days ahead.
    pub fn begin(days: usize) -> Self {
        let bar = if std::io::stderr().is_terminal() { ProgressBar::new(days as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} days  {msg}  {eta} left") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows the day that is looked at.
    pub fn tell(&self, day: NaiveDate) {
        self.0.set_message(day.to_string());
    }

    /// One day more is done.
    pub fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for DayProgress {
    /// Takes the line away.
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

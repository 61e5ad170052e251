//! How far an import is, on standard error: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::{List, Summary};

/// Between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(5);

/// What shows how far it is.
pub struct Progress {
    bar: ProgressBar,
    /// When the last line was written; without one there is a terminal.
    last_line: Option<Instant>,
}

impl Progress {
    /// Begins; `weight` is the whole.
    pub fn begin(weight: u64) -> Self {
        let bar = if std::io::stderr().is_terminal() { ProgressBar::new(weight) } else { ProgressBar::hidden() };
        bar.set_length(weight);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}  {eta} left") {
            bar.set_style(style);
        }
        let last_line = (!std::io::stderr().is_terminal()).then(Instant::now);
        Self { bar, last_line }
    }

    /// So much more is done.
    pub fn advance(&self, weight: u64) {
        self.bar.inc(weight);
    }

    /// Shows what is being done.
    pub fn tell(&mut self, list: List, summary: &Summary) {
        let text = || format!("{} · {} accepted, {} failed", list.name(), summary.accepted(), summary.failed());
        let Some(last_line) = &mut self.last_line else {
            self.bar.set_message(text());
            return;
        };
        if last_line.elapsed() >= PAUSE {
            *last_line = Instant::now();
            let percent = self.bar.position() * 100 / self.bar.length().unwrap_or_default().max(1);
            eprintln!("{percent:>3} %  {}", text());
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

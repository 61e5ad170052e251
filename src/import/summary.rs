//! The summary of an import: how many lines were accepted, refused and passed over, and why.

use std::collections::BTreeMap;
use std::fmt;

use super::Outcome;

/// Reasons that are kept apart. A file that is wrong throughout may have a reason of its own in every line.
const MOST_REASONS: usize = 200;
/// Places that are named for each reason.
const EXAMPLES: usize = 3;
const OTHER: &str = "other reasons";

/// What became of all lines.
#[derive(Debug, Default)]
pub struct Summary {
    accepted: u64,
    failed: u64,
    skipped: u64,
    /// Of those accepted: what waits for something at a server, what it has not looked at, and what it tells nothing of.
    waiting: u64,
    pending: u64,
    untold: u64,
    reasons: BTreeMap<(&'static str, String), Reason>,
}

#[derive(Debug, Default)]
struct Reason {
    count: u64,
    /// The first lines it was met in.
    lines: Vec<u64>,
}

impl Summary {
    /// Lines that were done in an earlier run.
    pub fn skip(&mut self, lines: u64) {
        self.skipped += lines;
    }

    /// What became of a line.
    pub fn enter(&mut self, list: &'static str, line: u64, outcome: Outcome) {
        let reasons = match outcome {
            Outcome::Accepted => {
                self.accepted += 1;
                Vec::new()
            }
            Outcome::Refused(reasons) => {
                self.failed += 1;
                reasons
            }
            Outcome::Waiting(reasons) => {
                self.accepted += 1;
                self.waiting += 1;
                reasons
            }
        };
        for reason in reasons {
            self.enter_reason(list, line, &reason);
        }
    }

    /// What became of a line that was taken for accepted.
    pub fn enter_later(&mut self, list: &'static str, line: u64, outcome: Outcome) {
        self.accepted = self.accepted.saturating_sub(1);
        self.enter(list, line, outcome);
    }

    /// So many lines were taken by a server that has not looked at them.
    pub fn leave_pending(&mut self, lines: u64) {
        self.pending += lines;
    }

    /// So many lines were taken by a server that does not tell what becomes of them.
    pub fn take_untold(&mut self, lines: u64) {
        self.untold += lines;
    }

    fn enter_reason(&mut self, list: &'static str, line: u64, reason: &str) {
        let mut key = (list, without_indexes(reason));
        if self.reasons.len() >= MOST_REASONS && !self.reasons.contains_key(&key) {
            key.1 = OTHER.to_owned();
        }
        let entry = self.reasons.entry(key).or_default();
        entry.count += 1;
        if entry.lines.len() < EXAMPLES {
            entry.lines.push(line);
        }
    }

    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    pub fn failed(&self) -> u64 {
        self.failed
    }
}

/// `addresses[3].country: …` and `addresses[0].country: …` are one reason.
fn without_indexes(reason: &str) -> String {
    let (place, rest) = reason.split_once(": ").unwrap_or(("", reason));
    let mut short = String::with_capacity(reason.len());
    let mut inside = false;
    for c in place.chars() {
        inside = inside && c != ']';
        if !inside {
            short.push(c);
        }
        inside = inside || c == '[';
    }
    if place.is_empty() { rest.to_owned() } else { format!("{short}: {rest}") }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "accepted {}\nfailed   {}\nskipped  {}", self.accepted, self.failed, self.skipped)?;
        if self.skipped > 0 {
            write!(f, "\n  {} done by an earlier run (--restart sends them again)", self.skipped)?;
        }
        let later = [
            (self.waiting, "of those accepted wait at the server for what they name"),
            (self.pending, "of those accepted lie at the server, which has not processed them"),
            (self.untold, "of those accepted are processed by the server; what becomes of them it tells keys of the role ADMIN alone"),
        ];
        for (lines, text) in later.into_iter().filter(|(lines, _)| *lines > 0) {
            write!(f, "\n  {lines} {text}")?;
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, reason)| std::cmp::Reverse(reason.count));
        for ((list, text), reason) in reasons {
            let lines: Vec<String> = reason.lines.iter().map(|line| format!("{list}.ndjson:{line}")).collect();
            let more = if reason.count > reason.lines.len() as u64 { ", …" } else { "" };
            write!(f, "\n  {} × {text} ({}{more})", reason.count, lines.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_grouped_with_their_first_places() {
        let mut summary = Summary::default();
        summary.skip(7);
        summary.enter("actors", 1, Outcome::Accepted);
        for line in 2..7 {
            let reason = format!("addresses[{line}].country: must be one of the codes [A]");
            summary.enter("actors", line, Outcome::Refused(vec![reason]));
        }
        summary.enter("accounts", 9, Outcome::Refused(vec!["line: must be UTF-8".into(), "x: y".into()]));
        let text = summary.to_string();
        assert!(text.starts_with("accepted 1\nfailed   6\nskipped  7\n"), "{text}");
        assert!(
            text.contains("5 × addresses[].country: must be one of the codes [A] (actors.ndjson:2, actors.ndjson:3, actors.ndjson:4, …)"),
            "{text}"
        );
        assert!(text.contains("1 × x: y (accounts.ndjson:9)"), "{text}");
    }

    #[test]
    fn what_becomes_of_lines_at_a_server_is_told_apart() {
        let mut summary = Summary::default();
        for line in 1..=5 {
            summary.enter("observations", line, Outcome::Accepted);
        }
        summary.enter_later("observations", 2, Outcome::Refused(vec!["waited too long for what it names".into()]));
        summary.enter_later("observations", 3, Outcome::Waiting(vec!["waits for: ACTOR a".into()]));
        summary.leave_pending(1);
        summary.take_untold(0);
        let text = summary.to_string();
        assert!(text.starts_with("accepted 4\nfailed   1\nskipped  0\n  1 of those accepted wait at the server for what they name\n"), "{text}");
        assert!(text.contains("1 of those accepted lie at the server") && !text.contains("role ADMIN"), "{text}");
        assert!(text.contains("1 × waits for: ACTOR a (observations.ndjson:3)"), "{text}");
    }

    #[test]
    fn a_flood_of_reasons_is_cut_off() {
        let mut summary = Summary::default();
        for line in 0..1_000 {
            summary.enter("actors", line, Outcome::Refused(vec![format!("id: {line} is wrong")]));
        }
        assert_eq!(summary.reasons.len(), MOST_REASONS + 1);
        assert!(summary.to_string().contains("800 × other reasons"));
    }
}

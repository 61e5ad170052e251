//! The measures of the service, as `/metrics` shows them.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use anyhow::{Context, Result};

use crate::http::{self, Connection};

/// Counts one for each statement, by its name.
const STATEMENTS: &str = "amlgraph_statement_seconds_count";

/// All measures at one moment.
pub struct Metrics(String);

impl Metrics {
    /// Those of a running service.
    pub async fn of(address: SocketAddr) -> Result<Self> {
        let mut connection = Connection::open(address).await?;
        let text = connection.send_for_success(&http::get("/metrics")).await.context("asking for /metrics")?;
        Ok(Self(String::from_utf8(text.to_vec()).context("/metrics is text")?))
    }

    /// The sum of a measure over all its labels; 0 before anything was measured.
    pub fn sum(&self, name: &str) -> f64 {
        self.series(name).map(|(_, value)| value).sum()
    }

    /// How many statements the service has run, by their names.
    pub fn statements(&self) -> BTreeMap<&str, f64> {
        self.series(STATEMENTS).filter_map(|(labels, count)| Some((label(labels, "statement=\"")?, count))).collect()
    }

    /// The labels and the value of each line of a measure.
    fn series<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, f64)> {
        self.0.lines().filter_map(move |line| {
            let rest = line.strip_prefix(name)?;
            let (labels, value) = rest.rsplit_once(' ')?;
            // Else the name only begins as this one does.
            let is_it = labels.is_empty() || labels.starts_with('{');
            Some((labels, value.parse::<f64>().ok().filter(|_| is_it)?))
        })
    }
}

/// The value of a label.
fn label<'a>(labels: &'a str, begins: &str) -> Option<&'a str> {
    labels.split_once(begins)?.1.split_once('"').map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_measure_are_told_from_all_others() {
        let text = "# HELP amlgraph_live_subscriptions subscriptions under way\n# TYPE amlgraph_live_subscriptions gauge\n\
                    amlgraph_live_subscriptions{transport=\"ws\"} 90\namlgraph_live_subscriptions{transport=\"sse\"} 10\n\
                    amlgraph_live_subscriptions_more 7\namlgraph_plain 3\n\
                    amlgraph_statement_seconds_count{statement=\"live/look\"} 60\namlgraph_statement_seconds_sum{statement=\"live/look\"} 0.5\n";
        let metrics = Metrics(text.to_owned());
        assert!((metrics.sum("amlgraph_live_subscriptions") - 100.0).abs() < f64::EPSILON);
        assert!((metrics.sum("amlgraph_plain") - 3.0).abs() < f64::EPSILON);
        assert!(metrics.sum("amlgraph_absent").abs() < f64::EPSILON);
        assert_eq!(metrics.statements(), BTreeMap::from([("live/look", 60.0)]));
    }
}

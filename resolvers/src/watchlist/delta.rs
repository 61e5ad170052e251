//! What a list has otherwise than in the version that counts, staged for the next one.
//!
//! Whatever is done here can be done again: what is staged already is found, and counted as if it were staged now.

use std::collections::HashMap;
use std::time::Duration;

use cypher::statements::rows::WatchlistState;
use cypher::statements::watchlist as statements;
use cypher::{Params, Value, map};
use screening::list::{Entry, Survey};

use super::entry::Said;
use super::{KEYS, keys_of, version_id};
use crate::conflicts::despite_conflicts;
use crate::{Inner, Result};

/// How long a look at some entries may take.
const LIMIT: Duration = Duration::from_secs(30);
/// How many entries one transaction ends.
const AT_A_TIME: usize = 500;

/// The changes of one import.
pub(super) struct Delta<'a> {
    inner: &'a Inner,
    list: &'a str,
    /// The import's job.
    job: &'a str,
    /// The version that counts.
    base: i64,
    pub taken: u64,
    pub added: u64,
    pub changed: u64,
    pub ended: u64,
}

/// What is to be done with an entry.
enum Step {
    Nothing,
    Stage(Value),
}

impl<'a> Delta<'a> {
    pub fn of(inner: &'a Inner, list: &'a str, job: &'a str, base: i64) -> Self {
        Self { inner, list, job, base, taken: 0, added: 0, changed: 0, ended: 0 }
    }

    /// Whether the next version would say what this one says.
    pub fn is_nothing(&self) -> bool {
        self.added == 0 && self.changed == 0 && self.ended == 0
    }

    fn next(&self) -> i64 {
        self.base + 1
    }

    /// Compares some entries with what is stored, and stages what differs.
    pub async fn take(&mut self, entries: &[Entry]) -> Result<()> {
        let said: Vec<Said> = entries.iter().map(|entry| Said::of(self.list, entry)).collect();
        let keys: Vec<&str> = said.iter().map(|said| said.key.as_str()).collect();
        let params = Params::none().with("ids", keys).with("position", self.base);
        let mut stored: HashMap<String, Vec<WatchlistState>> = HashMap::new();
        for state in self.inner.engine.read_as(statements::STATES, params, LIMIT).await? {
            stored.entry(state.key.clone()).or_default().push(state);
        }
        let mut rows = Vec::new();
        for said in said {
            self.taken += 1;
            let states = stored.remove(&said.key).unwrap_or_default();
            if let Step::Stage(row) = self.step(said, &states) {
                rows.push(row);
            }
        }
        if !rows.is_empty() {
            let params = Params::rows(rows).with("holder", self.job);
            despite_conflicts(|| self.inner.engine.write(statements::STAGE, params.clone())).await?;
        }
        Ok(())
    }

    fn step(&mut self, said: Said, states: &[WatchlistState]) -> Step {
        let current = states.iter().find(|state| state.since <= self.base);
        let staged = states.iter().any(|state| state.since == self.next() && state.fingerprint == said.fingerprint);
        let change = match current {
            Some(current) if current.fingerprint == said.fingerprint => return Step::Nothing,
            Some(_) => {
                self.changed += 1;
                "CHANGED"
            }
            None => {
                self.added += 1;
                "ADDED"
            }
        };
        if staged {
            return Step::Nothing;
        }
        let mut props = said.props;
        props.push(("since".into(), self.next().into()));
        props.push(("addedIn".into(), version_id(self.list, self.next()).into()));
        props.push(("stagedBy".into(), self.job.into()));
        props.push(("change".into(), change.into()));
        Step::Stage(map([
            ("id", format!("{}@{}", said.key, self.next()).into()),
            ("list", self.list.into()),
            ("props", Value::Map(props)),
            ("former", current.map(|current| current.id.as_str()).into()),
            ("ending", self.ending("CHANGED")),
        ]))
    }

    /// Ends what is on the list no more.
    pub async fn end_what_is_gone(&mut self, survey: &Survey) -> Result<()> {
        let (mut after, end) = keys_of(self.list);
        let begin = after.len();
        let mut behind = i64::MAX;
        loop {
            let params = Params::none().with("after", after.as_str()).with("behind", behind).with("end", end.as_str());
            let keyed = self.inner.engine.read_as(statements::KEYS, params, LIMIT).await?;
            let gone: Vec<Value> = keyed
                .iter()
                .filter(|entry| entry.is_in(self.base) && !survey.has(&entry.key[begin..]))
                .map(|entry| map([("id", entry.id.as_str().into()), ("list", self.list.into()), ("props", self.ending("ENDED"))]))
                .collect();
            self.ended += gone.len() as u64;
            for some in gone.chunks(AT_A_TIME) {
                let params = Params::rows(some.to_vec()).with("holder", self.job);
                despite_conflicts(|| self.inner.engine.write(statements::END, params.clone())).await?;
            }
            match keyed.last() {
                Some(last) if keyed.len() == KEYS => (after, behind) = (last.key.clone(), last.since),
                _ => return Ok(()),
            }
        }
    }

    /// What an entry says that is no more from the next version on.
    fn ending(&self, ended_as: &'static str) -> Value {
        map([
            ("until", self.next().into()),
            ("endedIn", version_id(self.list, self.next()).into()),
            ("endedAs", ended_as.into()),
            ("endedBy", self.job.into()),
        ])
    }
}

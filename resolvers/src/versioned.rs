//! Actors and accounts: records that are valid from a date on.
//!
//! What is said of a thing as of a date is kept as a version of it; the version with the latest date is the present and becomes the node
//! itself. An older date than the stored one is history and changes nothing else. Of what is said as of one date, what was acknowledged last counts
//! ([`crate::logical_time`]). Both are written alike; only their statements differ, and that actors, whose present needs nothing but the record, have a
//! faster way: what is new or newer is one statement.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use cypher::statements::rows::{LockedAccount, LockedActor, Recorded};
use cypher::{Engine, Error, Key, Params, Reading, Value, WriteStatement, map, statements};
use futures::future::BoxFuture;
use graph_schema::identity::Identity;
use serde::de::DeserializeOwned;

use crate::Result as Outcome;
use crate::logical_time::{Acknowledged, BEFORE_ALL};
use crate::numbers::{self, Claims};
use crate::queue::{Change, ChangeSet, Company, Done, Item, Rank, UnitOfWork, Values};

/// What is written of one actor or account.
pub struct VersionedRow {
    pub id: String,
    /// `YYYY-MM-DD`: sorts as it reads.
    pub as_of: String,
    pub record: String,
    pub version_id: String,
    /// The row for the `keep_version` statement.
    pub version: Value,
    /// The row for the `record` statement, should this be the present.
    pub present: Value,
    /// Numbers that name an account; none for an actor.
    pub numbers: Vec<Identity>,
    /// Whether it is said by somebody who may not replace what is recorded. That is looked at under the lock: a record may come until then. And whatever
    /// a system has sent takes its place, also what was acknowledged before and is not written yet.
    pub only_first: bool,
}

impl VersionedRow {
    /// The whole row for the `record` statement, which keeps the version too, acknowledged at a time.
    fn present_and_version(&self, time: Value) -> Value {
        match (&self.present, &self.version) {
            (Value::Map(present), Value::Map(version)) => {
                let fields = present.iter().chain(version.iter().filter(|(name, _)| name != "id")).cloned();
                Value::Map(fields.chain([acknowledged(time)]).collect())
            }
            _ => self.present.clone(),
        }
    }

    /// The row for the `keep_version` statement.
    fn version_of(&self, time: i64) -> Value {
        match &self.version {
            Value::Map(version) => Value::Map(version.iter().cloned().chain([acknowledged(time.into())]).collect()),
            version => version.clone(),
        }
    }
}

fn acknowledged(time: Value) -> (Key, Value) {
    ("logicalTime".into(), time)
}

/// A kind of versioned record, and its statements; `L` is what is locked of it.
pub struct RecordVersioned<L> {
    lock: Reading<L>,
    keep_version: WriteStatement,
    renew: WriteStatement,
    unlink: WriteStatement,
    record: WriteStatement,
    /// The faster way: one statement that records what is new or newer, and leaves the rest. Accounts have none, as it has to be settled whose their
    /// numbers are.
    at_once: Option<Reading<Recorded>>,
}

/// Writes actors.
pub static RECORD_ACTOR: RecordVersioned<LockedActor> = RecordVersioned {
    lock: statements::actor::LOCK,
    keep_version: statements::actor::KEEP_VERSION,
    renew: statements::actor::RENEW,
    unlink: statements::actor::UNLINK_IDENTITIES,
    record: statements::actor::RECORD,
    at_once: Some(statements::actor::RECORD_NEWER),
};
/// Writes accounts; an account takes over what was paid to or from its number before it was known.
pub static RECORD_ACCOUNT: RecordVersioned<LockedAccount> = RecordVersioned {
    lock: statements::account::LOCK,
    keep_version: statements::account::KEEP_VERSION,
    renew: statements::account::RENEW,
    unlink: statements::account::UNLINK_IDENTITIES,
    record: statements::account::RECORD,
    at_once: None,
};

/// What is stored of a record.
pub struct Stored {
    id: String,
    /// The date of the present; `None` for a placeholder.
    as_of: Option<String>,
    record: Option<String>,
    /// What was said before as of the row's own date.
    version: Option<String>,
    /// When that was acknowledged.
    time: Option<i64>,
    /// What the clock says.
    now: Option<i64>,
    /// Numbers that the present record of an account names.
    numbers: Vec<String>,
    /// Whether its record came when actors were screened.
    is_screened: bool,
}

impl From<LockedActor> for Stored {
    fn from(row: LockedActor) -> Self {
        let LockedActor { id, as_of_date, record, version, logical_time, now, screened_facts } = row;
        let is_screened = screened_facts.is_some();
        Self { id, as_of: as_of_date, record, version, time: logical_time, now, numbers: Vec::new(), is_screened }
    }
}

impl From<LockedAccount> for Stored {
    fn from(row: LockedAccount) -> Self {
        let LockedAccount { id, as_of_date, record, version, logical_time, now, numbers } = row;
        Self { id, as_of: as_of_date, record, version, time: logical_time, now, numbers, is_screened: false }
    }
}

/// What a row means for what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Something is recorded, and whoever says this may not replace it.
    Refrained,
    /// Something else was acknowledged later of the same date.
    Superseded,
    /// It is what is stored, word for word.
    Nothing,
    /// It is history.
    Past,
    /// It is the present; there was none.
    First,
    /// It is the present in place of another.
    Present,
}

/// A row, what is stored of the thing, what the row means for that, and when it was acknowledged.
struct Said<'a> {
    row: &'a VersionedRow,
    stored: &'a Stored,
    meaning: Meaning,
    time: i64,
}

impl Said<'_> {
    /// The row for the `renew` statement, where the time is another than what is stored.
    fn renewed(&self) -> Option<Value> {
        if self.meaning != Meaning::Nothing || self.stored.time == Some(self.time) {
            return None;
        }
        let is_present = self.stored.as_of.as_deref() == Some(self.row.as_of.as_str());
        let present = if is_present { vec![self.row.id.as_str()] } else { Vec::new() };
        Some(map([("versionId", self.row.version_id.as_str().into()), ("logicalTime", self.time.into()), ("present", present.into())]))
    }
}

impl Stored {
    /// `actor/record_newer` says the same in Cypher: it takes what is the first or the present, but for a placeholder that has identities, and
    /// leaves the rest to come here.
    fn said<'a>(&'a self, item: &Item<'a, VersionedRow>) -> Said<'a> {
        let (meaning, time) = self.meant(item.row, item.entry.acknowledged());
        Said { row: item.row, stored: self, meaning, time }
    }

    /// What a row means for this, and its place in the order of acknowledgements.
    pub fn meant(&self, row: &VersionedRow, acknowledged: Acknowledged) -> (Meaning, i64) {
        if row.only_first {
            let meaning = if self.record.is_some() { Meaning::Refrained } else { self.meaning(row) };
            return (meaning, self.time.unwrap_or(BEFORE_ALL));
        }
        match acknowledged.in_place_of(self.time, self.now) {
            None => (Meaning::Superseded, 0),
            Some(time) => (self.meaning(row), time),
        }
    }

    fn meaning(&self, row: &VersionedRow) -> Meaning {
        let is_stored = self.version.as_deref() == Some(row.record.as_str());
        if is_stored && !self.is_to_be_screened(row) {
            Meaning::Nothing
        } else if self.as_of.as_deref().is_some_and(|present| present > row.as_of.as_str()) {
            Meaning::Past
        } else if self.record.is_none() {
            Meaning::First
        } else {
            Meaning::Present
        }
    }

    /// Whether the present record came when actors were not screened, and is sent again now that they are.
    fn is_to_be_screened(&self, row: &VersionedRow) -> bool {
        let is_present = self.record.is_some() && self.as_of.as_deref() == Some(row.as_of.as_str());
        is_present && !self.is_screened && matches!(row.present.get("screenings"), Value::List(screenings) if !screenings.is_empty())
    }

    /// What the audit entry says was replaced: the present by another present, an older version by its correction.
    fn replaced(&self, meaning: Meaning, row: &VersionedRow) -> Values {
        let old = match meaning {
            Meaning::Refrained => return Values { notes: Some("left as it was: what somebody else has recorded is stored"), ..Values::default() },
            Meaning::Superseded => return Values::superseded_with(row.record.as_str()),
            Meaning::Present => self.record.clone(),
            Meaning::Past => self.version.clone(),
            Meaning::Nothing | Meaning::First => None,
        };
        let new = old.as_ref().map(|_| row.record.clone());
        Values::replaced(old, new)
    }
}

impl<L: DeserializeOwned + Into<Stored> + 'static> Change for RecordVersioned<L> {
    type Row = VersionedRow;
    type Answer = ();

    fn name(&self) -> &'static str {
        self.record.label()
    }

    fn rank(&self) -> Rank {
        Rank::Record
    }

    fn company(&self) -> Company {
        if self.at_once.is_some() { Company::OwnKind } else { Company::AnyKind }
    }

    fn size(&self, row: &VersionedRow) -> usize {
        3 * row.record.len() + 500
    }

    fn at_once<'a>(
        &'a self,
        engine: &'a Engine,
        limit: Duration,
        items: &'a [Item<'a, VersionedRow>],
    ) -> Option<BoxFuture<'a, Result<Vec<Option<()>>, Error>>> {
        // The statement would replace a record.
        let statement = self.at_once.filter(|_| !items.iter().any(|item| item.row.only_first))?;
        Some(Box::pin(async move {
            let mut rows: Vec<Value> = items.iter().map(row_with_trail).collect();
            // Locks are taken in one order everywhere.
            rows.sort_by(|a, b| a.get("id").as_text().cmp(&b.get("id").as_text()));
            let recorded: HashSet<String> = match engine
                .write_within_as(
                    statement,
                    Params::none().with("batch", map([("rows", Value::List(rows)), ("changeSet", ChangeSet::begin().open())])),
                    limit,
                )
                .await
            {
                Ok(rows) => rows.into_iter().flat_map(|row| row.written).collect(),
                // An audit entry is there already, its answer lost, or a key was taken meanwhile: the careful way tells which.
                Err(Error::Constraint { .. }) => HashSet::new(),
                Err(error) => return Err(error),
            };
            Ok(items.iter().map(|item| recorded.contains(item.entry.id()).then_some(())).collect())
        }))
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, VersionedRow>]) -> BoxFuture<'a, Result<Vec<Outcome<Done<()>>>, Error>> {
        Box::pin(async move {
            let locks = items.iter().map(|item| {
                let (id, version) = (item.row.id.as_str(), item.row.version_id.as_str());
                map([("id", id.into()), ("versionId", version.into()), ("writeId", item.entry.id().into())])
            });
            let locked = unit.run(self.lock, Params::rows(locks.collect())).await?;
            let stored = locked.into_iter().map(L::into);
            let stored: HashMap<String, Stored> = stored.map(|stored| (stored.id.clone(), stored)).collect();
            let mut outcomes = Vec::with_capacity(items.len());
            let mut said: Vec<Said<'_>> = Vec::with_capacity(items.len());
            let mut present: Vec<(&VersionedRow, &Stored)> = Vec::new();
            for item in items {
                let absent = || Error::Rejected { statement: self.lock.label(), detail: "a row that was locked is not there".into() };
                let stored = stored.get(&item.row.id).ok_or_else(absent)?;
                let meant = stored.said(item);
                if matches!(meant.meaning, Meaning::First | Meaning::Present) {
                    present.push((item.row, stored));
                }
                outcomes.push(Ok(Done { answer: (), entry: Some(stored.replaced(meant.meaning, item.row)), events: Vec::new(), kept: None }));
                said.push(meant);
            }
            self.write(unit, &said).await?;
            if let Some(first) = items.first() {
                settle_numbers(unit, &present, first.entry.id(), first.entry.at().millis()).await?;
            }
            Ok(outcomes)
        })
    }
}

impl<L> RecordVersioned<L> {
    async fn write(&self, unit: &mut UnitOfWork, said: &[Said<'_>]) -> Result<(), Error> {
        let that = |wanted: &[Meaning], row: fn(&Said<'_>) -> Value| -> Vec<Value> {
            said.iter().filter(|said| wanted.contains(&said.meaning)).map(row).collect()
        };
        put(unit, self.renew, said.iter().filter_map(Said::renewed).collect()).await?;
        put(unit, self.keep_version, that(&[Meaning::Past], |said| said.row.version_of(said.time))).await?;
        put(unit, self.unlink, that(&[Meaning::Present], |said| map([("id", said.row.id.as_str().into())]))).await?;
        put(unit, self.record, that(&[Meaning::First, Meaning::Present], |said| said.row.present_and_version(said.time.into()))).await
    }
}

/// The row for the statement that does all at once.
fn row_with_trail(item: &Item<'_, VersionedRow>) -> Value {
    let trail = [
        (Key::from("writeId"), item.entry.id().into()),
        (Key::from("audit"), item.entry.row(&Values::default())),
        (Key::from("keys"), Value::List(item.key.cloned().into_iter().collect())),
    ];
    match item.row.present_and_version(item.entry.acknowledged().given()) {
        Value::Map(row) => Value::Map(row.into_iter().chain(trail).collect()),
        row => row,
    }
}

async fn put(unit: &mut UnitOfWork, statement: WriteStatement, rows: Vec<Value>) -> Result<(), Error> {
    if rows.is_empty() { Ok(()) } else { unit.put(statement, Params::rows(rows)).await }
}

/// Settles whose the numbers are that accounts' records name now or named before.
async fn settle_numbers(unit: &mut UnitOfWork, present: &[(&VersionedRow, &Stored)], write_id: &str, now: i64) -> Result<(), Error> {
    let mut claims = Claims::default();
    for (row, stored) in present {
        claims.names.extend(row.numbers.iter().map(|number| (number.id.clone(), number.name.clone())));
        claims.own.insert(row.id.clone(), row.numbers.iter().map(|number| number.id.clone()).collect());
        claims.former.extend(stored.numbers.iter().cloned());
    }
    numbers::settle(unit, &claims, write_id, now).await.map(drop)
}

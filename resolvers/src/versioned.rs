//! Actors and accounts: records that are valid from a date on.
//!
//! What is said of a thing as of a date is kept as a version of it; the version with the latest date is the present and becomes the node
//! itself. An older date than the stored one is history and changes nothing else. Both are written alike; only their statements differ.

use std::collections::{BTreeMap, HashMap};

use cypher::{Error, Params, Row, Statement, Value, WriteStatement, map, statements};
use futures::future::BoxFuture;

use crate::Result as Outcome;
use crate::queue::{Change, Done, Item, Rank, UnitOfWork, Values};

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
    pub numbers: Vec<String>,
}

/// A kind of versioned record, and its statements.
pub struct RecordVersioned {
    lock: Statement,
    keep_version: WriteStatement,
    unlink: WriteStatement,
    record: WriteStatement,
}

/// Writes actors.
pub static RECORD_ACTOR: RecordVersioned = RecordVersioned {
    lock: statements::actor::LOCK,
    keep_version: statements::actor::KEEP_VERSION,
    unlink: statements::actor::UNLINK_IDENTITIES,
    record: statements::actor::RECORD,
};
/// Writes accounts; an account takes over what was paid to or from its number before it was known.
pub static RECORD_ACCOUNT: RecordVersioned = RecordVersioned {
    lock: statements::account::LOCK,
    keep_version: statements::account::KEEP_VERSION,
    unlink: statements::account::UNLINK_IDENTITIES,
    record: statements::account::RECORD,
};

/// What is stored of a record.
struct Stored {
    /// The date of the present; `None` for a placeholder.
    as_of: Option<String>,
    record: Option<String>,
    /// What was said before as of the row's own date.
    version: Option<String>,
}

impl From<&Row> for Stored {
    fn from(row: &Row) -> Self {
        let text = |name: &str| row.get(name).as_text().map(str::to_owned);
        Self { as_of: text("asOfDate"), record: text("record"), version: text("version") }
    }
}

/// What a row means for what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// It is what is stored, word for word.
    Nothing,
    /// It is history.
    Past,
    /// It is the present; there was none.
    First,
    /// It is the present in place of another.
    Present,
}

impl Stored {
    fn meaning(&self, row: &VersionedRow) -> Meaning {
        if self.version.as_deref() == Some(row.record.as_str()) {
            Meaning::Nothing
        } else if self.as_of.as_deref().is_some_and(|present| present > row.as_of.as_str()) {
            Meaning::Past
        } else if self.record.is_none() {
            Meaning::First
        } else {
            Meaning::Present
        }
    }

    /// What the audit entry says was replaced: the present by another present, an older version by its correction.
    fn replaced(self, meaning: Meaning, row: &VersionedRow) -> Values {
        let old = match meaning {
            Meaning::Present => self.record,
            Meaning::Past => self.version,
            Meaning::Nothing | Meaning::First => None,
        };
        Values { new: old.as_ref().map(|_| row.record.clone()), old }
    }
}

impl Change for RecordVersioned {
    type Row = VersionedRow;
    type Answer = ();

    fn name(&self) -> &'static str {
        self.record.label()
    }

    fn rank(&self) -> Rank {
        Rank::Record
    }

    fn size(&self, row: &VersionedRow) -> usize {
        3 * row.record.len() + 500
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, VersionedRow>]) -> BoxFuture<'a, Result<Vec<Outcome<Done<()>>>, Error>> {
        Box::pin(async move {
            let locks = items.iter().map(|item| {
                let (id, version) = (item.row.id.as_str(), item.row.version_id.as_str());
                map([("id", id.into()), ("versionId", version.into()), ("writeId", item.entry.id().into())])
            });
            let locked = unit.run(self.lock, Params::rows(locks.collect())).await?;
            let mut stored: HashMap<String, Stored> = locked.iter().map(|row| (row.text("id"), Stored::from(row))).collect();
            let mut outcomes = Vec::with_capacity(items.len());
            let mut said: Vec<(&VersionedRow, Meaning)> = Vec::with_capacity(items.len());
            for item in items {
                let absent = || Error::Rejected { statement: self.lock.label, detail: "a row that was locked is not there".into() };
                let stored = stored.remove(&item.row.id).ok_or_else(absent)?;
                let meaning = stored.meaning(item.row);
                said.push((item.row, meaning));
                outcomes.push(Ok(Done { answer: (), entry: Some(stored.replaced(meaning, item.row)), events: Vec::new() }));
            }
            self.write(unit, &said).await?;
            Ok(outcomes)
        })
    }
}

impl RecordVersioned {
    async fn write(&self, unit: &mut UnitOfWork, said: &[(&VersionedRow, Meaning)]) -> Result<(), Error> {
        let that =
            |wanted: &[Meaning]| -> Vec<&VersionedRow> { said.iter().filter(|(_, meaning)| wanted.contains(meaning)).map(|(row, _)| *row).collect() };
        put(unit, self.keep_version, that(&[Meaning::Past, Meaning::First, Meaning::Present]), |row| row.version.clone()).await?;
        put(unit, self.unlink, that(&[Meaning::Present]), |row| map([("id", row.id.as_str().into())])).await?;
        let present = that(&[Meaning::First, Meaning::Present]);
        put(unit, self.record, present.clone(), |row| row.present.clone()).await?;
        take_over_externals(unit, &present).await
    }
}

async fn put(unit: &mut UnitOfWork, statement: WriteStatement, rows: Vec<&VersionedRow>, row: impl Fn(&VersionedRow) -> Value) -> Result<(), Error> {
    if rows.is_empty() {
        return Ok(());
    }
    unit.put(statement, Params::rows(rows.into_iter().map(row).collect())).await
}

async fn take_over_externals(unit: &mut UnitOfWork, present: &[&VersionedRow]) -> Result<(), Error> {
    let of_number: BTreeMap<&str, &str> =
        present.iter().flat_map(|row| row.numbers.iter().map(|number| (number.as_str(), row.id.as_str()))).collect();
    if of_number.is_empty() {
        return Ok(());
    }
    let numbers: Vec<Value> = of_number.keys().map(|number| (*number).into()).collect();
    let writer = present.first().map(|row| row.version_id.as_str());
    let found = unit.run(statements::account::FIND_EXTERNAL, Params::none().with("numbers", numbers).with("writeId", writer)).await?;
    // An external account may be found by two numbers; it is taken over once.
    let externals: BTreeMap<String, &str> =
        found.iter().filter_map(|row| Some((row.text("external"), *of_number.get(row.get("number").as_text()?)?))).collect();
    for (external, account) in externals {
        take_over(unit, account, &external).await?;
    }
    Ok(())
}

/// Payments that one statement adopts.
const ADOPTED_AT_ONCE: i64 = 10_000;

/// Payments that named the number before the account was known went to an external account: its payments and roll-ups become the account's.
async fn take_over(unit: &mut UnitOfWork, account: &str, external: &str) -> Result<(), Error> {
    use statements::account;

    let both = || Params::none().with("account", account).with("external", external);
    let one = || Params::none().with("external", external);
    let mut pairs = Vec::new();
    for mut row in unit.run(account::TRANSFERS_OUT, one()).await? {
        let to = row.text("to");
        let to = if to == external { account.to_owned() } else { to };
        row.0.retain(|(column, _)| column != "to");
        pairs.push(pair(account.to_owned(), to, row));
    }
    for mut row in unit.run(account::TRANSFERS_IN, one()).await? {
        let from = row.text("from");
        row.0.retain(|(column, _)| column != "from");
        pairs.push(pair(from, account.to_owned(), row));
    }
    for adopt in [account::ADOPT_SENT, account::ADOPT_RECEIVED] {
        // A number may have been paid a million times, and a statement has its time.
        while unit.run(adopt, both().with("most", ADOPTED_AT_ONCE)).await?.first().is_some_and(|row| row.int("moved") > 0) {}
    }
    if !pairs.is_empty() {
        unit.run(statements::transfer::ADD, Params::rows(pairs)).await?;
    }
    unit.put(account::FORGET_EXTERNAL, one()).await
}

fn pair(from: String, to: String, tallies: Row) -> Value {
    let mut entries = vec![("from".into(), from.into()), ("to".into(), to.into())];
    entries.extend(tallies.0.into_iter().map(|(column, value)| (column.into(), value)));
    Value::Map(entries)
}

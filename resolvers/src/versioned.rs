//! Actors and accounts: records that are valid from a date on.
//!
//! What is said of a thing as of a date is kept as a version of it; the version with the latest date is the present and becomes the node
//! itself. An older date than the stored one is history and changes nothing else. Both are written alike; only their statements differ.

use std::collections::{BTreeMap, HashSet};

use cypher::{Engine, Error, Params, Row, Statement, Transaction, Value, map, statements};

use crate::batcher::Operation;
use crate::trail::Trail;

/// What is written of one actor or account.
pub struct VersionedWrite {
    pub id: String,
    /// `YYYY-MM-DD`: sorts as it reads.
    pub as_of: String,
    pub record: String,
    /// The row for the `keep_version` statement.
    pub version: Value,
    /// The row for the `record` statement, should this be the present.
    pub present: Value,
    /// Numbers that name an account; none for an actor.
    pub numbers: Vec<String>,
    pub trail: Trail,
}

/// Writes actors.
pub struct RecordActors;
/// Writes accounts; an account takes over what was paid to or from its number before it was known.
pub struct RecordAccounts;

/// The statements of one kind of versioned record.
struct Kind {
    lock: Statement,
    keep_version: Statement,
    unlink: Statement,
    record: Statement,
}

const ACTOR: Kind = Kind {
    lock: statements::actor::LOCK,
    keep_version: statements::actor::KEEP_VERSION,
    unlink: statements::actor::UNLINK_IDENTITIES,
    record: statements::actor::RECORD,
};
const ACCOUNT: Kind = Kind {
    lock: statements::account::LOCK,
    keep_version: statements::account::KEEP_VERSION,
    unlink: statements::account::UNLINK_IDENTITIES,
    record: statements::account::RECORD,
};

impl Operation for RecordActors {
    type Row = VersionedWrite;
    type Answer = ();

    fn name(&self) -> &'static str {
        "actor/record"
    }
    fn key(row: &VersionedWrite) -> &str {
        &row.id
    }
    fn size(row: &VersionedWrite) -> usize {
        3 * row.record.len() + 500
    }
    async fn apply(&self, engine: &Engine, rows: &[&VersionedWrite], answers: &mut [Option<()>]) -> Result<(), Error> {
        write(engine, &ACTOR, rows, answers).await
    }
}

impl Operation for RecordAccounts {
    type Row = VersionedWrite;
    type Answer = ();

    fn name(&self) -> &'static str {
        "account/record"
    }
    fn key(row: &VersionedWrite) -> &str {
        &row.id
    }
    fn size(row: &VersionedWrite) -> usize {
        3 * row.record.len() + 500
    }
    async fn apply(&self, engine: &Engine, rows: &[&VersionedWrite], answers: &mut [Option<()>]) -> Result<(), Error> {
        write(engine, &ACCOUNT, rows, answers).await
    }
}

async fn write(engine: &Engine, kind: &Kind, rows: &[&VersionedWrite], answers: &mut [Option<()>]) -> Result<(), Error> {
    let mut transaction = engine.begin().await?;
    match write_in(&mut transaction, kind, rows).await {
        Ok(()) => {
            transaction.commit().await?;
            answers.fill(Some(()));
            Ok(())
        }
        Err(error) => {
            transaction.rollback().await;
            Err(error)
        }
    }
}

async fn write_in(transaction: &mut Transaction, kind: &Kind, rows: &[&VersionedWrite]) -> Result<(), Error> {
    let ids = rows.iter().map(|row| map([("id", row.id.as_str().into()), ("writeId", row.trail.write_id.as_str().into())]));
    let stored = transaction.run(kind.lock, Params::rows(ids.collect())).await?;
    let stored_of = |id: &str| stored.iter().find(|row| row.get("id").as_text() == Some(id));

    let versions = rows.iter().map(|row| row.version.clone()).collect();
    transaction.run(kind.keep_version, Params::rows(versions)).await?;

    let present: Vec<&VersionedWrite> = rows
        .iter()
        .copied()
        .filter(|row| stored_of(&row.id).is_none_or(|stored| stored.get("asOfDate").as_text().is_none_or(|date| date <= row.as_of.as_str())))
        .collect();
    let replaced: Vec<Value> =
        present.iter().filter(|row| stored_of(&row.id).is_some_and(has_record)).map(|row| map([("id", row.id.as_str().into())])).collect();
    if !replaced.is_empty() {
        transaction.run(kind.unlink, Params::rows(replaced)).await?;
    }
    if !present.is_empty() {
        let rows = present.iter().map(|row| row.present.clone()).collect();
        transaction.run(kind.record, Params::rows(rows)).await?;
    }
    take_over_externals(transaction, &present).await?;
    let current: HashSet<&str> = present.iter().map(|row| row.id.as_str()).collect();
    let trails = rows.iter().map(|row| match stored_of(&row.id).filter(|stored| has_record(stored)) {
        // What is of an older date replaces nothing.
        Some(stored) if current.contains(row.id.as_str()) => row.trail.clone().replacing(&stored.text("record"), &row.record).row(),
        _ => row.trail.row(),
    });
    transaction.run(statements::audit_and_outbox::APPEND, Params::rows(trails.collect())).await?;
    Ok(())
}

fn has_record(stored: &Row) -> bool {
    stored.get("record").as_text().is_some()
}

async fn take_over_externals(transaction: &mut Transaction, present: &[&VersionedWrite]) -> Result<(), Error> {
    let of_number: BTreeMap<&str, &str> =
        present.iter().flat_map(|row| row.numbers.iter().map(|number| (number.as_str(), row.id.as_str()))).collect();
    if of_number.is_empty() {
        return Ok(());
    }
    let numbers: Vec<Value> = of_number.keys().map(|number| (*number).into()).collect();
    let writer = present.first().map(|row| row.trail.write_id.as_str());
    let found = transaction.run(statements::account::FIND_EXTERNAL, Params::none().with("numbers", numbers).with("writeId", writer)).await?;
    // An external account may be found by two numbers; it is taken over once.
    let externals: BTreeMap<String, &str> =
        found.iter().filter_map(|row| Some((row.text("external"), *of_number.get(row.get("number").as_text()?)?))).collect();
    for (external, account) in externals {
        take_over(transaction, account, &external).await?;
    }
    Ok(())
}

/// Payments that one statement adopts.
const ADOPTED_AT_ONCE: i64 = 10_000;

/// Payments that named the number before the account was known went to an external account: its payments and roll-ups become the account's.
async fn take_over(transaction: &mut Transaction, account: &str, external: &str) -> Result<(), Error> {
    use statements::account;

    let both = || Params::none().with("account", account).with("external", external);
    let one = || Params::none().with("external", external);
    let mut pairs = Vec::new();
    for mut row in transaction.run(account::TRANSFERS_OUT, one()).await? {
        let to = row.text("to");
        let to = if to == external { account.to_owned() } else { to };
        row.0.retain(|(column, _)| column != "to");
        pairs.push(pair(account.to_owned(), to, row));
    }
    for mut row in transaction.run(account::TRANSFERS_IN, one()).await? {
        let from = row.text("from");
        row.0.retain(|(column, _)| column != "from");
        pairs.push(pair(from, account.to_owned(), row));
    }
    for adopt in [account::ADOPT_SENT, account::ADOPT_RECEIVED] {
        // A number may have been paid a million times, and a statement has its time.
        while transaction.run(adopt, both().with("most", ADOPTED_AT_ONCE)).await?.first().is_some_and(|row| row.int("moved") > 0) {}
    }
    if !pairs.is_empty() {
        transaction.run(statements::transfer::ADD, Params::rows(pairs)).await?;
    }
    transaction.run(account::FORGET_EXTERNAL, one()).await.map(drop)
}

fn pair(from: String, to: String, tallies: Row) -> Value {
    let mut entries = vec![("from".into(), from.into()), ("to".into(), to.into())];
    entries.extend(tallies.0.into_iter().map(|(column, value)| (column.into(), value)));
    Value::Map(entries)
}

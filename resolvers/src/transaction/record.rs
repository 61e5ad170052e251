//! The write path of transactions.
//!
//! A new payment between accounts that are named by their ids, or with an outside party, takes the fast way: one statement writes record,
//! links, roll-up, audit entry and event, and is a transaction of its own. It leaves a transaction that was there before alone and says so by
//! what is missing in its answer. Whatever is left takes the careful way: one transaction of several statements, which finds out whose a
//! number is, takes back what an older version of the record had added, and then runs the same statement. A request with an
//! idempotency key takes it too, because the key is kept in the same transaction.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use cypher::{Engine, Error, Key, Params, Row, Statement, Value, map, statements};
use futures::future::BoxFuture;
use graph_schema::identity::Identity;
use graph_schema::money::Money;
use graph_schema::transaction::Direction;

use super::row::{OPTIONAL, Other, Tally, TransactionRow};
use crate::Result as Outcome;
use crate::queue::{Change, Company, Done, Item, Rank, UnitOfWork, Values};
use crate::values::identity_map;

/// What the ids of external accounts begin with.
const EXTERNAL: &str = "external:";

/// Writes transactions.
pub struct RecordTransaction;

pub static RECORD_TRANSACTION: RecordTransaction = RecordTransaction;

type Given<'a> = Item<'a, TransactionRow>;

impl Change for RecordTransaction {
    type Row = TransactionRow;
    type Answer = ();

    fn name(&self) -> &'static str {
        "transaction/record"
    }

    fn rank(&self) -> Rank {
        Rank::Transaction
    }

    fn company(&self) -> Company {
        Company::OwnKind
    }

    fn size(&self, row: &TransactionRow) -> usize {
        row.record.len() + 1_500
    }

    fn at_once<'a>(&'a self, engine: &'a Engine, limit: Duration, items: &'a [Given<'a>]) -> Option<BoxFuture<'a, Result<Vec<Option<()>>, Error>>> {
        Some(Box::pin(async move {
            let plain = items.iter().filter(|item| item.key.is_none() && item.row.is_plain());
            let rows = plain.map(|item| (item.row, item.row.resolved(&HashMap::new(), item.entry.row(&Values::default()))));
            let mut recorded: HashSet<String> = HashSet::new();
            for (statement, given) in by_statement(rows) {
                recorded.extend(engine.write_within(statement, Params::rows(given), limit).await?.iter().flat_map(ids));
            }
            Ok(items.iter().map(|item| recorded.contains(&item.row.id).then_some(())).collect())
        }))
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Given<'a>]) -> BoxFuture<'a, Result<Vec<Outcome<Done<()>>>, Error>> {
        Box::pin(write_in(unit, items))
    }
}

impl TransactionRow {
    fn is_plain(&self) -> bool {
        !matches!(self.counterparty, Other::Numbers(_))
    }

    /// The row with its counterparty and audit entry; `accounts` says which account has which number.
    fn resolved(&self, accounts: &HashMap<String, String>, entry: Value) -> Vec<(Key, Value)> {
        match &self.counterparty {
            Other::Nobody => self.row(None, entry),
            Other::Account(id) => self.row(Some((id, None)), entry),
            Other::External(party) => self.external(party, &[], entry),
            Other::Numbers(numbers) => match numbers.iter().find_map(|number| accounts.get(&number.id)) {
                Some(account) => self.row(Some((account, None)), entry),
                None => match numbers.first() {
                    Some(number) => self.external(number, numbers, entry),
                    None => self.row(None, entry),
                },
            },
        }
    }

    /// The row with an outside party, under all the numbers that the payment names.
    fn external(&self, party: &Identity, numbers: &[Identity], entry: Value) -> Vec<(Key, Value)> {
        let id = format!("{EXTERNAL}{}", party.id);
        let external = map([
            ("id", id.as_str().into()),
            ("props", map([("name", party.name.as_str().into())])),
            ("numbers", Value::List(numbers.iter().map(identity_map).collect())),
        ]);
        self.row(Some((&id, Some(external))), entry)
    }
}

/// Rows of both statements: payments between two accounts, and those whose other side nobody knows.
fn by_statement<'a>(rows: impl Iterator<Item = (&'a TransactionRow, Vec<(Key, Value)>)>) -> Vec<(Statement, Vec<Value>)> {
    let mut two_sided = Vec::new();
    let mut one_sided = Vec::new();
    for (write, row) in rows {
        match write.counterparty {
            Other::Nobody => one_sided.push(Value::Map(row)),
            _ => two_sided.push(Value::Map(row)),
        }
    }
    let both = [(statements::transaction::RECORD, two_sided), (statements::transaction::RECORD_ONE_SIDED, one_sided)];
    both.into_iter().filter(|(_, rows)| !rows.is_empty()).collect()
}

fn ids(row: &Row) -> Vec<String> {
    row.get("ids").as_list().iter().filter_map(|id| id.as_text().map(str::to_owned)).collect()
}

async fn write_in(unit: &mut UnitOfWork, items: &[Given<'_>]) -> Result<Vec<Outcome<Done<()>>>, Error> {
    let rows: Vec<&TransactionRow> = items.iter().map(|item| item.row).collect();
    let accounts = resolve_numbers(unit, &rows).await?;
    let mut stored = lock_stored(unit, &rows).await?;
    // What is stored word for word is not taken back and recorded again: a file that is sent twice would cost more the second time.
    let is_same = |row: &TransactionRow| stored.get(&row.id).is_some_and(|stored| stored.get("record").as_text() == Some(row.record.as_str()));
    let (same, changed): (Vec<&Given<'_>>, Vec<&Given<'_>>) = items.iter().partition(|item| is_same(item.row));
    let same: HashSet<&str> = same.iter().map(|item| item.row.id.as_str()).collect();
    same.iter().for_each(|id| drop(stored.remove(*id)));
    let changed_rows: Vec<&TransactionRow> = changed.iter().map(|item| item.row).collect();
    lock_externals(unit, &changed_rows, &accounts, &stored).await?;
    let taken_back = take_back(unit, &stored).await?;
    let rows_now = changed.iter().map(|item| {
        let before = stored.get(item.row.id.as_str());
        let values = before.map_or_else(Values::default, |stored| Values { old: Some(stored.text("record")), new: Some(item.row.record.clone()) });
        let mut resolved = item.row.resolved(&accounts, item.entry.row(&values));
        if before.is_some() {
            take_absent_fields_away(&mut resolved);
        }
        (item.row, resolved)
    });
    let mut done = HashSet::new();
    for (statement, rows) in by_statement(rows_now) {
        for row in unit.run(statement, Params::rows(rows)).await? {
            done.extend(ids(&row));
        }
    }
    if done.len() != changed.len() {
        // Another instance made one of them in between; the second look will see it.
        return Err(Error::Conflict { statement: statements::transaction::RECORD.label, detail: "a transaction appeared meanwhile".into() });
    }
    if !taken_back.is_empty() {
        unit.run(statements::transfer::REFRESH_SPAN, Params::rows(taken_back)).await?;
    }
    // The statement has written the entry of what has changed.
    let entry = |item: &Given<'_>| same.contains(item.row.id.as_str()).then(Values::default);
    Ok(items.iter().map(|item| Ok(Done { answer: (), entry: entry(item), events: Vec::new() })).collect())
}

/// Which account has each of the numbers that the rows name.
async fn resolve_numbers(unit: &mut UnitOfWork, rows: &[&TransactionRow]) -> Result<HashMap<String, String>, Error> {
    let mut numbers: BTreeMap<&str, (&Identity, &str)> = BTreeMap::new();
    for row in rows {
        if let Other::Numbers(named) = &row.counterparty {
            numbers.extend(named.iter().map(|number| (number.id.as_str(), (number, row.write_id.as_str()))));
        }
    }
    if numbers.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = numbers.into_values().map(|(number, write_id)| {
        let mut row = identity_map(number);
        if let Value::Map(entries) = &mut row {
            entries.push(("writeId".into(), write_id.into()));
        }
        row
    });
    let answer = unit.run(statements::account::RESOLVE_IDENTIFIERS, Params::rows(rows.collect())).await?;
    Ok(answer.into_iter().filter_map(|row| Some((row.text("id"), row.get("account").as_text()?.to_owned()))).collect())
}

/// Transactions among the rows that were recorded before, locked, by id.
async fn lock_stored(unit: &mut UnitOfWork, rows: &[&TransactionRow]) -> Result<HashMap<String, Row>, Error> {
    let ids = rows.iter().map(|row| map([("id", row.id.as_str().into()), ("writeId", row.write_id.as_str().into())]));
    let stored = unit.run(statements::transaction::LOCK, Params::rows(ids.collect())).await?;
    Ok(stored.into_iter().map(|row| (row.text("id"), row)).collect())
}

/// Locks the external accounts that the rows lead to, or led to by their former records: an account that arrives with their number takes over
/// their payments and roll-ups, and must not do so between what is read here and what is written. A conflict where one has just gone.
async fn lock_externals(
    unit: &mut UnitOfWork,
    rows: &[&TransactionRow],
    accounts: &HashMap<String, String>,
    stored: &HashMap<String, Row>,
) -> Result<(), Error> {
    let Some(writer) = rows.first() else { return Ok(()) };
    let resolved = rows.iter().filter_map(|row| match &row.counterparty {
        Other::Numbers(numbers) => numbers.iter().find_map(|number| accounts.get(&number.id)).cloned(),
        _ => None,
    });
    let linked = stored.values().flat_map(|row| [row.text("from"), row.text("to")]);
    let ids: BTreeSet<String> = resolved.chain(linked).filter(|id| id.starts_with(EXTERNAL)).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let named = || Params::none().with("ids", ids.iter().map(String::as_str).collect::<Vec<_>>());
    unit.run(statements::account::LOCK_EXTERNALS, named().with("writeId", writer.write_id.as_str())).await?;
    let known = unit.run(statements::account::KNOWN_EXTERNALS, named()).await?;
    if known.len() == ids.len() {
        return Ok(());
    }
    Err(Error::Conflict { statement: statements::account::LOCK_EXTERNALS.label, detail: "an external account was taken over meanwhile".into() })
}

/// Subtracts what stored transactions had added and unlinks them. Answers with the pairs whose span must be read again.
async fn take_back(unit: &mut UnitOfWork, stored: &HashMap<String, Row>) -> Result<Vec<Value>, Error> {
    if stored.is_empty() {
        return Ok(Vec::new());
    }
    let mut pairs: BTreeMap<(String, String, String), TakenBack> = BTreeMap::new();
    for row in stored.values().filter(|row| row.get("counted").as_bool() == Some(true)) {
        let direction = if row.get("direction").as_text() == Some("INBOUND") { Direction::Inbound } else { Direction::Outbound };
        let tally = Tally {
            currency: row.text("currency"),
            amount: Money::from_sums(row.int("units"), row.int("nanos")),
            standardized: Money::from_sums(row.int("standardUnits"), row.int("standardNanos")),
            at: row.int("createdAt"),
        };
        let pair = pairs.entry((row.text("from"), row.text("to"), row.text("currency"))).or_default();
        pair.add(tally.tallies(direction, -1), tally.at);
    }
    let mut less = Vec::new();
    let mut spans = Vec::new();
    for ((from, to, currency), taken_back) in pairs {
        let pair = |first: Value, last: Value, sums: Vec<(Key, i64)>| {
            let named = [
                ("from", from.as_str().into()),
                ("to", to.as_str().into()),
                ("currency", currency.as_str().into()),
                ("first", first),
                ("last", last),
            ];
            let named = named.into_iter().map(|(name, value)| (Key::from(name), value));
            Value::Map(named.chain(sums.into_iter().map(|(name, sum)| (name, Value::Int(sum)))).collect())
        };
        spans.push(pair(taken_back.first.into(), taken_back.last.into(), Vec::new()));
        less.push(pair(Value::Null, Value::Null, taken_back.sums));
    }
    if !less.is_empty() {
        unit.run(statements::transfer::ADD, Params::rows(less)).await?;
    }
    let mut ids: Vec<&String> = stored.keys().collect();
    ids.sort();
    let ids = ids.into_iter().map(|id| map([("id", id.into())])).collect();
    unit.run(statements::transaction::UNLINK, Params::rows(ids)).await?;
    Ok(spans)
}

/// What is taken back from one pair of accounts in one currency.
#[derive(Default)]
struct TakenBack {
    sums: Vec<(Key, i64)>,
    /// Epoch milliseconds of the first and the last of the payments.
    first: Option<i64>,
    last: Option<i64>,
}

impl TakenBack {
    fn add(&mut self, tallies: impl IntoIterator<Item = (Key, Value)>, at: i64) {
        for (name, number) in tallies {
            let number = number.as_int().unwrap_or_default();
            match self.sums.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += number,
                None => self.sums.push((name, number)),
            }
        }
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = Some(self.last.map_or(at, |last| last.max(at)));
    }
}

/// Makes the row of a transaction that was there before: fields it lost are removed.
fn take_absent_fields_away(row: &mut [(Key, Value)]) {
    for (name, value) in row {
        if let ("props", Value::Map(props)) = (&**name, value) {
            for optional in OPTIONAL {
                if !props.iter().any(|(known, _)| known == optional) {
                    props.push((optional.into(), Value::Null));
                }
            }
        }
    }
}

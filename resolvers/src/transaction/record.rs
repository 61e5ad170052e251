//! The write path of transactions.
//!
//! A new payment takes the fast way: one statement writes record, links, roll-up and audit entry, and is a transaction of its own, whoever the
//! counterparty is: an account by its id or its numbers, an outside party, nobody. What it can't decide in passing it leaves alone and says so by
//! what is missing in its answer: a transaction that was there before, one that an observation was waiting for, and numbers that are named together for
//! the first time. Those take the careful way: one transaction of several statements, which settles whose the numbers are ([`crate::numbers`]), records
//! what is new by the same statement, and of what was there takes back what its older version had added. The older version itself is kept, with the
//! time in which it was known.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use cypher::statements::rows::{LockedPayment, Recorded};
use cypher::{Engine, Error, Params, Reading, Value, map, statements};
use futures::future::BoxFuture;
use graph_schema::transaction::Direction;

use super::roll_up::{RollUps, Sign, TransferDelta};
use super::row::{CounterpartySide, NamedNumbers, Strangers, TransactionRow};
use crate::Result as Outcome;
use crate::change_feed;
use crate::derived_id::digest_id;
use crate::logical_time::Acknowledged;
use crate::numbers::{Claims, EXTERNAL, Holders, settle};
use crate::queue::{Change, ChangeSet, Company, Done, Item, Rank, UnitOfWork, Values};

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
            let mut recorded: HashSet<String> = HashSet::new();
            for (statement, params) in by_statement(&items.iter().collect::<Vec<_>>(), Keys::InTheStatement) {
                match engine.write_within_as(statement, params, limit).await {
                    Ok(rows) => recorded.extend(rows.into_iter().flat_map(|row| row.written)),
                    // Another instance has just recorded one of them; the careful way finds it.
                    Err(Error::Constraint { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(items.iter().map(|item| recorded.contains(&item.row.write_id).then_some(())).collect())
        }))
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Given<'a>]) -> BoxFuture<'a, Result<Vec<Outcome<Done<()>>>, Error>> {
        Box::pin(write_in(unit, items))
    }
}

/// Who keeps idempotency keys: a statement that is a transaction of its own has to, in any other the queue does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    InTheStatement,
    InTheTrail,
}

/// New payments by their statements: those that have another side, of which some name it by numbers or none does, and those that have none.
fn by_statement(items: &[&Given<'_>], keys: Keys) -> Vec<(Reading<Recorded>, Params)> {
    let entangled = entangled(items);
    let named = NamedNumbers::by(items.iter().map(|item| item.row));
    let mut two_sided = Vec::new();
    let mut one_sided = Vec::new();
    for item in items {
        let is_entangled = item.row.numbers().iter().any(|number| entangled.contains(number.id.as_str()));
        let strangers = if is_entangled || item.row.hint().is_some() { Strangers::MustBeSettled } else { Strangers::MayBeMade };
        let key = item.key.filter(|_| keys == Keys::InTheStatement);
        let row = item.row.row(item.entry, key, &named, strangers);
        match item.row.counterparty {
            CounterpartySide::Nobody => one_sided.push(row),
            CounterpartySide::Numbers(_) | CounterpartySide::Account(_) | CounterpartySide::External(_) => two_sided.push(row),
        }
    }
    let mut statements = Vec::with_capacity(2);
    let change_set = || ("changeSet", ChangeSet::begin().open());
    if !two_sided.is_empty() {
        let rows = ("rows", Value::List(two_sided));
        statements.push(match named.lists() {
            Some([numbers, pairs]) => (statements::transaction::RECORD_BY_NUMBER, map([rows, ("numbers", numbers), ("pairs", pairs), change_set()])),
            None => (statements::transaction::RECORD, map([rows, change_set()])),
        });
    }
    if !one_sided.is_empty() {
        statements.push((statements::transaction::RECORD_ONE_SIDED, map([("rows", Value::List(one_sided)), change_set()])));
    }
    statements.into_iter().map(|(statement, batch)| (statement, Params::none().with("batch", batch))).collect()
}

/// Numbers that one of the payments names together with others than another does. In one statement each would make an account for them.
fn entangled<'a>(items: &[&Given<'a>]) -> HashSet<&'a str> {
    let mut companies: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    let mut entangled = HashSet::new();
    for item in items {
        let ids: BTreeSet<&str> = item.row.numbers().iter().map(|number| number.id.as_str()).collect();
        for id in &ids {
            if companies.entry(id).or_insert_with(|| ids.clone()) != &ids {
                entangled.insert(*id);
            }
        }
    }
    entangled
}

async fn write_in(unit: &mut UnitOfWork, items: &[Given<'_>]) -> Result<Vec<Outcome<Done<()>>>, Error> {
    let Some(first) = items.first() else { return Ok(Vec::new()) };
    let write_id = first.entry.id();
    let superseded = superseded(unit, items).await?;
    let current: Vec<&Given<'_>> = items.iter().filter(|item| !superseded.contains(item.row.id.as_str())).collect();
    let holders = settle(unit, &claims(&current), write_id, first.entry.at().millis()).await?;
    let stored = lock_stored(unit, &current).await?;
    let (meant, new) = meanings(&current, &stored);
    renew(unit, &meant).await?;
    let awaited = record_new(unit, &new).await?;
    let changed: Vec<Changed<'_, '_>> = meant.iter().filter_map(changed).chain(awaited.iter().copied()).collect();
    amend(unit, &changed, &holders, write_id).await?;
    let meant: HashMap<&str, &Meant<'_, '_>> = meant.iter().map(|meant| (meant.item.row.id.as_str(), meant)).collect();
    let done = |item: &Given<'_>| {
        let id = item.row.id.as_str();
        let entry = match meant.get(id) {
            None if superseded.contains(id) => Some(Values::superseded_with(item.row.record.as_str())),
            Some(Meant { meaning: Meaning::Superseded, .. }) => Some(Values::superseded_with(item.row.record.as_str())),
            Some(Meant { meaning: Meaning::Same(_), .. }) => Some(Values::default()),
            Some(Meant { stored, .. }) => Some(Values::replaced(Some(stored.record.clone()), Some(item.row.record.clone()))),
            None if awaited.iter().any(|changed| changed.item.row.id == id) => Some(Values::default()),
            // The statement has written the entry of what is new.
            None => None,
        };
        Ok(Done { answer: (), entry, events: Vec::new(), kept: None })
    };
    Ok(items.iter().map(done).collect())
}

/// What a payment means for one that is stored.
enum Meaning {
    /// It was acknowledged before that.
    Superseded,
    /// It is that, word for word, acknowledged at this time. It is not taken back and recorded again: a file that is sent twice would cost more the second
    /// time.
    Same(i64),
    /// It takes its place, acknowledged at this time.
    Present(i64),
}

/// A payment that was recorded before, and what it means for what is stored.
struct Meant<'a, 'r> {
    item: &'a Given<'r>,
    stored: &'a LockedPayment,
    meaning: Meaning,
}

/// Those that were recorded before, and those that are new.
fn meanings<'a, 'r>(items: &[&'a Given<'r>], stored: &'a HashMap<String, LockedPayment>) -> (Vec<Meant<'a, 'r>>, Vec<&'a Given<'r>>) {
    let (mut meant, mut new) = (Vec::new(), Vec::new());
    for item in items.iter().copied() {
        let Some(stored) = stored.get(item.row.id.as_str()) else {
            new.push(item);
            continue;
        };
        let meaning = match item.entry.acknowledged().in_place_of(stored.logical_time, stored.now) {
            None => Meaning::Superseded,
            Some(time) if stored.record == item.row.record => Meaning::Same(time),
            Some(time) => Meaning::Present(time),
        };
        meant.push(Meant { item, stored, meaning });
    }
    (meant, new)
}

fn changed<'a, 'r>(meant: &Meant<'a, 'r>) -> Option<Changed<'a, 'r>> {
    let Meaning::Present(time) = meant.meaning else { return None };
    Some(Changed { item: meant.item, stored: Some(meant.stored), time })
}

/// Payments that were acknowledged before what is stored of them: nothing that they name is to be made for them. One that is overtaken from now on is seen
/// once it is locked.
async fn superseded<'a>(unit: &mut UnitOfWork, items: &'a [Given<'_>]) -> Result<HashSet<&'a str>, Error> {
    let before = |item: &&Given<'_>| matches!(item.entry.acknowledged(), Acknowledged::Before(_));
    let ids: Vec<&str> = items.iter().filter(before).map(|item| item.row.id.as_str()).collect();
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let rows = unit.run(statements::transaction::TIMES, Params::none().with("ids", ids)).await?;
    let stored: HashMap<String, Option<i64>> = rows.into_iter().map(|row| (row.id, row.logical_time)).collect();
    let is_late = |item: &&Given<'_>| {
        let time = stored.get(item.row.id.as_str()).copied().flatten();
        item.entry.acknowledged().in_place_of(time, None).is_none()
    };
    Ok(items.iter().filter(is_late).map(|item| item.row.id.as_str()).collect())
}

/// Notes that what is stored was acknowledged again.
async fn renew(unit: &mut UnitOfWork, meant: &[Meant<'_, '_>]) -> Result<(), Error> {
    let row = |meant: &Meant<'_, '_>| match meant.meaning {
        Meaning::Same(time) if meant.stored.logical_time != Some(time) => {
            Some(map([("id", meant.item.row.id.as_str().into()), ("logicalTime", time.into())]))
        }
        _ => None,
    };
    let rows: Vec<Value> = meant.iter().filter_map(row).collect();
    if rows.is_empty() { Ok(()) } else { unit.put(statements::transaction::RENEW, Params::rows(rows)).await }
}

/// What the payments say of numbers.
fn claims(items: &[&Given<'_>]) -> Claims {
    let mut claims = Claims::default();
    for row in items.iter().map(|item| item.row) {
        claims.names.extend(row.numbers().iter().map(|number| (number.id.clone(), number.name.clone())));
        claims.paid.extend(row.numbers().iter().map(|number| number.id.clone()));
        claims.together.extend(row.pairs().map(|(one, other)| (one.to_owned(), other.to_owned())));
    }
    claims
}

/// Transactions among the rows that were recorded before, locked, by id.
async fn lock_stored(unit: &mut UnitOfWork, items: &[&Given<'_>]) -> Result<HashMap<String, LockedPayment>, Error> {
    let ids = items.iter().map(|item| map([("id", item.row.id.as_str().into())]));
    let stored = unit.run(statements::transaction::LOCK, Params::rows(ids.collect())).await?;
    Ok(stored.into_iter().map(|payment| (payment.id.clone(), payment)).collect())
}

/// A payment whose node is there.
#[derive(Clone, Copy)]
struct Changed<'a, 'r> {
    item: &'a Given<'r>,
    /// What was stored of it; nothing of one that was only awaited.
    stored: Option<&'a LockedPayment>,
    /// When it was acknowledged.
    time: i64,
}

impl Changed<'_, '_> {
    /// Since when it is known: behind what it replaces, whatever the clocks of two instances say. So no two versions of a payment have one time.
    fn known_from(&self) -> i64 {
        self.stored.map_or(self.item.row.recorded_at, |stored| self.item.row.recorded_at.max(stored.recorded_at + 1))
    }

    /// The row for `transaction/keep_version`: what was stored.
    fn former(&self) -> Option<Value> {
        let stored = self.stored?;
        Some(map([
            ("id", stored.id.as_str().into()),
            // Named by the write that replaces it: of the same record there is a version for each time it was replaced.
            ("versionId", digest_id("transaction-version", &[&stored.id, self.item.entry.id()]).into()),
            ("from", stored.from.as_deref().into()),
            ("to", stored.to.as_deref().into()),
            ("device", stored.device.as_deref().into()),
            ("ip", stored.ip.as_deref().into()),
            ("knownUntil", self.known_from().into()),
        ]))
    }
}

/// Records what is new; answers with those that observations were waiting for, locked and not recorded.
async fn record_new<'a, 'r>(unit: &mut UnitOfWork, new: &[&'a Given<'r>]) -> Result<Vec<Changed<'a, 'r>>, Error> {
    let mut done: HashSet<String> = HashSet::new();
    for (statement, params) in by_statement(new, Keys::InTheTrail) {
        match unit.run(statement, params).await {
            Ok(rows) => {
                done.extend(rows.into_iter().flat_map(|row| row.written));
                unit.wake(change_feed::JOB);
            }
            Err(Error::Constraint { statement, detail }) => return Err(Error::Conflict { statement, detail }),
            Err(error) => return Err(error),
        }
    }
    let left: Vec<&Given<'_>> = new.iter().copied().filter(|item| !done.contains(&item.row.write_id)).collect();
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let ids = left.iter().map(|item| map([("id", item.row.id.as_str().into())]));
    let awaited = unit.run(statements::transaction::LOCK_AWAITED, Params::rows(ids.collect())).await?;
    // Another instance made one of them in between; the second look will see it.
    if awaited.len() != left.len() {
        let statement = statements::transaction::LOCK_AWAITED.label();
        return Err(Error::Conflict { statement, detail: "a transaction appeared meanwhile".to_owned() });
    }
    let now: HashMap<&str, Option<i64>> = awaited.iter().map(|row| (row.id.as_str(), row.now)).collect();
    // Nothing is stored that could have come later.
    let time = |item: &Given<'_>| item.entry.acknowledged().in_place_of(None, now.get(item.row.id.as_str()).copied().flatten()).unwrap_or_default();
    Ok(left.into_iter().map(|item| Changed { item, stored: None, time: time(item) }).collect())
}

/// Records again what was there before, and keeps what that was. What it had added to roll-ups is taken back as what it adds now is added.
async fn amend(unit: &mut UnitOfWork, amended: &[Changed<'_, '_>], holders: &Holders, write_id: &str) -> Result<(), Error> {
    if amended.is_empty() {
        return Ok(());
    }
    make_parties(unit, amended).await?;
    let mut roll_ups = RollUps::default();
    let mut sightings = Vec::new();
    let mut left = BTreeSet::new();
    let mut rows = Vec::with_capacity(amended.len());
    for changed @ Changed { item, stored, time } in amended {
        if let Some(stored) = stored {
            if let (Some(tally), Some(from), Some(to)) = (TransferDelta::stored(stored), &stored.from, &stored.to) {
                roll_ups.change(from, to, &tally, Sign::Minus);
            }
            if let (Some(device), Some(ip)) = (&stored.device, &stored.ip) {
                sightings.push(map([("device", device.into()), ("ip", ip.into())]));
            }
        }
        let other = other(item.row, holders)?;
        left.extend(stored.and_then(external_of).filter(|account| Some(*account) != other.as_deref()));
        if let (Some(tally), (Some(from), Some(to))) = (item.row.tally(), item.row.ends(other.as_deref())) {
            roll_ups.change(from, to, tally, Sign::Plus);
        }
        rows.push(item.row.amending_row(other.as_deref(), changed.known_from(), *time));
    }
    let former: Vec<Value> = amended.iter().filter_map(Changed::former).collect();
    if !former.is_empty() {
        unit.put(statements::transaction::KEEP_VERSION, Params::rows(former)).await?;
    }
    let ids = amended.iter().map(|changed| map([("id", changed.item.row.id.as_str().into())])).collect();
    unit.put(statements::transaction::UNLINK, Params::rows(ids)).await?;
    unit.put(statements::transaction::AMEND, Params::rows(rows)).await?;
    let ids: Vec<&str> = amended.iter().map(|changed| changed.item.row.id.as_str()).collect();
    unit.put(statements::observation::ADD_UP, Params::none().with("payments", ids).with("writeId", write_id)).await?;
    let (changes, spans) = (roll_ups.changes(), roll_ups.spans());
    if !changes.is_empty() {
        unit.put(statements::transfer::ADD, Params::rows(changes)).await?;
    }
    if !spans.is_empty() {
        unit.put(statements::transfer::REFRESH_SPAN, Params::rows(spans)).await?;
    }
    if !sightings.is_empty() {
        unit.put(statements::transaction::FORGET_SIGHTINGS, Params::rows(sightings).with("writeId", write_id)).await?;
    }
    if !left.is_empty() {
        let rows = left.into_iter().map(|account| map([("account", account.into()), ("writeId", write_id.into())])).collect();
        unit.put(statements::account::FORGET_UNPAID, Params::rows(rows)).await?;
    }
    Ok(())
}

/// The external account that a stored payment was made to or came from.
fn external_of(stored: &LockedPayment) -> Option<&str> {
    let other = match stored.direction {
        Direction::Outbound => &stored.to,
        Direction::Inbound => &stored.from,
    };
    other.as_deref().filter(|account| account.starts_with(EXTERNAL))
}

/// Outside parties that amended payments name.
async fn make_parties(unit: &mut UnitOfWork, amended: &[Changed<'_, '_>]) -> Result<(), Error> {
    let parties: BTreeMap<String, &str> = amended.iter().filter_map(|changed| changed.item.row.party()).collect();
    if parties.is_empty() {
        return Ok(());
    }
    let rows = parties.iter().map(|(id, name)| map([("id", id.into()), ("name", (*name).into())])).collect();
    unit.run(statements::account::MAKE_EXTERNAL, Params::rows(rows)).await.map(drop)
}

/// The account on the other side.
fn other(row: &TransactionRow, holders: &Holders) -> Result<Option<String>, Error> {
    let unsettled = || Error::Rejected { statement: statements::identifier::READ.label(), detail: "numbers were not settled".into() };
    Ok(match &row.counterparty {
        CounterpartySide::Nobody => None,
        CounterpartySide::Account(id) => Some(id.clone()),
        CounterpartySide::External(_) => row.party().map(|(id, _)| id),
        CounterpartySide::Numbers(numbers) => Some(holders.of(numbers.iter().map(|number| number.id.as_str())).ok_or_else(unsettled)?.to_owned()),
    })
}

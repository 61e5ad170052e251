//! A generated bank in a store: its customers, their accounts, a record of each payment by each customer who has a part in it, and roll-ups.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow};
use chrono::NaiveDate;
use cypher::{Engine, Params, Statement, Value, map};
use sample::typologies::{Account, AccountId, Actor, ActorKind, Network, Payment, Settings, generate};

use crate::database::write;

const BATCH: usize = 2_000;
const DAY_MS: i64 = 86_400_000;
const NANOS_A_CENT: i64 = 10_000_000;
/// One that no rule was tuned on.
const SEED: u64 = 29;
/// As many as the generator has in half a year, in which there are 40 payments an account.
const DAYS_OF_THE_GENERATOR: usize = 180;
const PAYMENTS_AN_ACCOUNT: usize = 40;
/// Accounts for each planted case of a typology.
const ACCOUNTS_A_CASE: usize = 400;

const FILL_ACTORS: Statement = Statement::new(
    "fill/actors",
    "UNWIND $rows AS row
CREATE (o:Actor {id: row.id, name: row.id, type: row.type, status: 'ACTIVE', customerSince: row.since, domicile: row.domicile, record: '{}'})",
);
const FILL_ACCOUNTS: Statement = Statement::new(
    "fill/accounts",
    "UNWIND $rows AS row CREATE (a:Account {id: row.id, name: row.id, status: 'ACTIVE', openedDate: row.opened, record: '{}'})",
);
const FILL_ROLES: Statement = Statement::new(
    "fill/roles",
    "UNWIND $rows AS row
MATCH (o:Actor {id: row.owner}) MATCH (a:Account {id: row.id})
CREATE (o)-[:HAS_ROLE {role: 'OWNER', since: 1}]->(a)",
);
const FILL_RECORDS: Statement = Statement::new(
    "fill/records",
    "UNWIND $rows AS row
MATCH (f:Account {id: row.from}) MATCH (s:Account {id: row.to}) MATCH (o:Actor {id: row.owner})
CREATE (t:Transaction {id: row.id, name: row.id, createdAt: row.at, amount: row.amount, amountUnits: row.units, amountNanos: row.nanos,
  standardizedAmount: row.amount, standardUnits: row.units, standardNanos: row.nanos, currency: row.currency, direction: row.direction, status: 'COMPLETED',
  counted: true, accountId: row.account, accountOwnerId: row.owner, recordedAt: 1, logicalTime: 1})
CREATE (f)-[:SENT]->(t) CREATE (t)-[:RECEIVED_BY]->(s) CREATE (t)-[:OWNED_BY]->(o)",
);
/// Whoever reports a payment, both tallies that there are have all payments of a pair.
const FILL_ROLL_UPS: Statement = Statement::new(
    "fill/roll_ups",
    "UNWIND $rows AS row
MATCH (f:Account {id: row.from}) MATCH (s:Account {id: row.to})
CREATE (f)-[:TRANSFERRED_TO {currency: row.currency, sentCount: row.sent * row.count, sentUnits: row.sent * row.units, sentNanos: row.sent * row.nanos,
  sentStandardUnits: row.sent * row.units, sentStandardNanos: row.sent * row.nanos, receivedCount: row.received * row.count,
  receivedUnits: row.received * row.units, receivedNanos: row.received * row.nanos, receivedStandardUnits: row.received * row.units,
  receivedStandardNanos: row.received * row.nanos, first: row.first, last: row.last, largerTally: row.larger, count: row.count, totalUnits: row.units,
  totalNanos: row.nanos, total: row.total}]->(s)",
);

/// A bank of one generated network, with older copies of its payments before it.
pub struct Bank {
    network: Network,
    start: NaiveDate,
    days: u32,
    /// How many times the network's payments are there: once, and as many times more, each as long before the one behind it as the network lasts.
    times: u32,
}

/// What a pair of accounts has paid in one currency.
#[derive(Default)]
struct Paid {
    count: i64,
    cents: i64,
    first: i64,
    last: i64,
}

impl Bank {
    /// The generator's own: 5,000 accounts and 200,000 payments over 180 days.
    pub fn of_half_a_year() -> Result<Self> {
        Self::generated(Settings { start: start()?, ..Settings::with_seed(SEED) })
    }

    /// About as dense, with so many payments over so many days.
    pub fn over(days: u32, payments: usize) -> Result<Self> {
        let accounts = payments * DAYS_OF_THE_GENERATOR / (PAYMENTS_AN_ACCOUNT * days as usize);
        Self::generated(Settings { start: start()?, days, accounts, payments, cases: accounts / ACCOUNTS_A_CASE, ..Settings::with_seed(SEED) })
    }

    fn generated(settings: Settings) -> Result<Self> {
        let network = generate(&settings).map_err(|fault| anyhow!("{fault}"))?;
        Ok(Self { network, start: settings.start, days: settings.days, times: 1 })
    }

    /// The same with so many times the history.
    pub fn with_history(self, times: u32) -> Self {
        Self { times, ..self }
    }

    /// Payments, each once.
    pub fn payments(&self) -> usize {
        self.network.payments.len() * self.times as usize
    }

    pub fn accounts(&self) -> usize {
        self.network.accounts.len()
    }

    /// The day so many days before the last one.
    pub fn day_before_the_last(&self, days: u32) -> Result<NaiveDate> {
        let place = (self.days - 1).checked_sub(days).context("the bank has fewer days")?;
        self.start.checked_add_days(chrono::Days::new(place.into())).context("a day of the calendar")
    }

    /// Ids of some customers.
    pub fn some_actors(&self, count: usize) -> Vec<String> {
        let each = (self.network.actors.len() / count).max(1);
        self.network.actors.iter().step_by(each).map(|actor| actor.id.to_string()).collect()
    }

    /// Puts all of it into a store that is empty but for its schema; answers with the number of records.
    pub async fn fill(&self, engine: &Engine) -> Result<usize> {
        let Network { actors, accounts, payments, .. } = &self.network;
        fill(engine, FILL_ACTORS, actors.iter().map(actor_row)).await?;
        fill(engine, FILL_ACCOUNTS, accounts.iter().map(account_row)).await?;
        fill(engine, FILL_ROLES, accounts.iter().filter_map(role_row)).await?;
        fill(engine, FILL_ROLL_UPS, self.roll_ups().into_iter()).await?;
        let mut records = 0;
        // The oldest first, as they would have come.
        for copy in (0..self.times).rev() {
            let rows = payments.iter().flat_map(|payment| self.record_rows(payment, copy));
            records += fill(engine, FILL_RECORDS, rows).await?;
        }
        Ok(records)
    }

    /// The records of one payment of the copy that is so many times the network's length before it.
    fn record_rows(&self, payment: &Payment, copy: u32) -> impl Iterator<Item = Value> {
        let &Payment { id, from, to, at, amount, currency } = payment;
        let at = at - i64::from(copy) * i64::from(self.days) * DAY_MS;
        let sides = [("OUTBOUND", "out", from), ("INBOUND", "in", to)];
        let row = move |(direction, end, account): (&str, &str, AccountId), owner: String| {
            map([
                ("id", format!("{id}-{copy}-{end}").into()),
                ("from", from.to_string().into()),
                ("to", to.to_string().into()),
                ("owner", owner.into()),
                ("account", account.to_string().into()),
                ("at", at.into()),
                ("amount", (amount.0 as f64 / 100.0).into()),
                ("units", (amount.0 / 100).into()),
                ("nanos", (amount.0 % 100 * NANOS_A_CENT).into()),
                ("currency", currency.code().into()),
                ("direction", direction.into()),
            ])
        };
        let rows: Vec<Value> = sides.into_iter().filter_map(|side| Some(row(side, self.owner(side.2)?))).collect();
        rows.into_iter()
    }

    /// The customer who owns an account; nobody owns the bank's own.
    fn owner(&self, account: AccountId) -> Option<String> {
        self.network.accounts.get(account.0 as usize)?.owner.map(|owner| owner.to_string())
    }

    fn roll_ups(&self) -> Vec<Value> {
        let mut paid: BTreeMap<(AccountId, AccountId, &str), Paid> = BTreeMap::new();
        for payment in &self.network.payments {
            let paid = paid.entry((payment.from, payment.to, payment.currency.code())).or_insert(Paid { first: payment.at, ..Paid::default() });
            paid.count += 1;
            paid.cents += payment.amount.0;
            paid.last = payment.at;
        }
        let times = i64::from(self.times);
        let before = (times - 1) * i64::from(self.days) * DAY_MS;
        let row = |((from, to, currency), paid): ((AccountId, AccountId, &str), Paid)| {
            let [sent, received] = [from, to].map(|account| i64::from(self.owner(account).is_some()));
            let larger = if sent == 1 { "SENT" } else { "RECEIVED" };
            let cents = paid.cents * times;
            map([
                ("from", from.to_string().into()),
                ("to", to.to_string().into()),
                ("currency", currency.into()),
                ("sent", sent.into()),
                ("received", received.into()),
                ("larger", larger.into()),
                ("count", (paid.count * times).into()),
                ("units", (cents / 100).into()),
                ("nanos", (cents % 100 * NANOS_A_CENT).into()),
                ("total", (cents as f64 / 100.0).into()),
                ("first", (paid.first - before).into()),
                ("last", paid.last.into()),
            ])
        };
        paid.into_iter().map(row).collect()
    }
}

/// A day from which on a network of a year is over.
fn start() -> Result<NaiveDate> {
    NaiveDate::from_ymd_opt(2025, 1, 1).context("a day of the calendar")
}

fn actor_row(actor: &Actor) -> Value {
    let kind = match actor.kind {
        ActorKind::Individual => "INDIVIDUAL",
        ActorKind::LegalEntity => "LEGAL_ENTITY",
    };
    map([("id", actor.id.to_string().into()), ("type", kind.into()), ("since", actor.since.to_string().into()), ("domicile", actor.domicile.into())])
}

fn account_row(account: &Account) -> Value {
    map([("id", account.id.to_string().into()), ("opened", account.opened.to_string().into())])
}

fn role_row(account: &Account) -> Option<Value> {
    Some(map([("id", account.id.to_string().into()), ("owner", account.owner?.to_string().into())]))
}

/// Writes rows in batches; answers with how many.
async fn fill(engine: &Engine, statement: Statement, rows: impl Iterator<Item = Value>) -> Result<usize> {
    let (mut rows, mut written) = (rows.peekable(), 0);
    while rows.peek().is_some() {
        let batch: Vec<Value> = rows.by_ref().take(BATCH).collect();
        written += batch.len();
        write(engine, statement, Params::rows(batch)).await?;
    }
    Ok(written)
}

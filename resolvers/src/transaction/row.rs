//! One transaction as the graph will have it: its scalars, where the money came from and went, whom and what it touched.

use std::borrow::Cow;

use cypher::{Key, Value, map};
use graph_schema::given::Given;
use graph_schema::identity::{self, CounterpartyKey, Identity};
use graph_schema::money::Money;
use graph_schema::transaction::{Direction, TransactionRecord, TransactionStatus};

use crate::queue::LockHint;
use crate::values::{identity_map, word};
use crate::{Error, Result};

/// What is written of one transaction.
pub struct TransactionRow {
    pub id: String,
    /// The account whose side this is.
    pub account: String,
    pub direction: Direction,
    pub counterparty: Other,
    pub record: String,
    /// Everything of the row that does not depend on who the counterparty turns out to be.
    pub(super) row: Vec<(Key, Value)>,
    pub(super) money: Tally,
    pub(super) completed: bool,
    /// Names the write.
    pub(super) write_id: String,
}

/// Who or what is on the other side.
pub enum Other {
    /// Nobody is named: cash over the counter, a fee.
    Nobody,
    /// An account by its id.
    Account(String),
    /// Numbers that an account may have; the first names the external account when none has.
    Numbers(Vec<Identity>),
    /// Somebody without an account that is known.
    External(Identity),
}

/// What a counted transaction adds to the roll-up of its pair of accounts.
#[derive(Clone)]
pub(super) struct Tally {
    pub currency: String,
    pub amount: Money,
    pub standardized: Money,
    pub at: i64,
}

/// Optional fields of the node, in the order [`TransactionRow::of`] sets them; an amended record takes away what it does not have.
pub(super) const OPTIONAL: [&str; 10] =
    ["accountBalance", "channel", "channelLocationId", "counterpartyName", "description", "method", "purpose", "userId", "userName", "counted"];

impl TransactionRow {
    /// Splits money, normalises identities. `now` is when it was received. Also the nodes at the ends of its links.
    pub fn of(given: &Given<TransactionRecord>, now: i64, write_id: &str) -> Result<(Self, Vec<LockHint>)> {
        let value = &given.value;
        let amount = money("amount.value", &value.amount.value)?;
        let standardized = money("standardized_amount", &value.standardized_amount)?;
        let account = value.account_id.as_str().to_owned();
        let counterparty = match identity::counterparty_key(&value.counterparty, &account) {
            CounterpartyKey::None => Other::Nobody,
            CounterpartyKey::Account(id) => Other::Account(id.as_str().to_owned()),
            CounterpartyKey::Keys(numbers) => Other::Numbers(numbers),
            CounterpartyKey::External(party) => Other::External(party),
        };
        let money = Tally { currency: value.amount.currency.as_str().to_owned(), amount, standardized, at: value.created_at.millis() };
        let mut write = Self {
            id: value.id.as_str().to_owned(),
            account,
            direction: value.direction,
            counterparty,
            record: given.record.to_string(),
            row: Vec::with_capacity(32),
            money,
            completed: value.status == TransactionStatus::Completed,
            write_id: write_id.to_owned(),
        };
        let mut locks = Vec::with_capacity(6);
        write.row = write.fixed_part(value, now, &mut locks);
        Ok((write, locks))
    }

    /// Also notes what the links lock.
    fn fixed_part(&self, value: &TransactionRecord, now: i64, locks: &mut Vec<LockHint>) -> Vec<(Key, Value)> {
        let device = value.device.as_ref();
        let ips = device.and_then(|device| device.ip_address.as_deref()).and_then(identity::ip);
        let devices = device.and_then(|device| device.id.as_ref()).and_then(|id| identity::device(id.as_str()));
        let party = identity::identified_actor(&value.counterparty);
        locks.extend([LockHint::of("Account", &self.account), LockHint::of("Actor", value.account_owner_id.as_str())]);
        locks.extend(devices.iter().map(|device| LockHint::of("Device", &device.id)));
        locks.extend(ips.iter().map(|ip| LockHint::of("IpAddress", &ip.id)));
        locks.extend(value.channel_location_id.iter().map(|id| LockHint::of("ChannelLocation", id.as_str())));
        locks.extend(party.iter().map(|id| LockHint::of("Actor", id.as_str())));
        match &self.counterparty {
            Other::Nobody => {}
            Other::Account(id) => locks.push(LockHint::of("Account", id)),
            Other::External(party) => locks.push(LockHint::of("Account", &format!("external:{}", party.id))),
            Other::Numbers(numbers) => locks.extend(numbers.iter().map(|number| LockHint::of("AccountIdentifier", &number.id))),
        }
        let parties =
            party.map(|id| map([("id", id.as_str().into()), ("name", value.counterparty.name.clone().unwrap_or_else(|| id.to_string()).into())]));
        vec![
            ("id".into(), self.id.as_str().into()),
            ("writeId".into(), self.write_id.as_str().into()),
            ("account".into(), self.account.as_str().into()),
            ("owner".into(), value.account_owner_id.as_str().into()),
            ("currency".into(), self.money.currency.as_str().into()),
            ("devices".into(), Value::List(devices.iter().map(identity_map).collect())),
            ("ips".into(), Value::List(ips.iter().map(identity_map).collect())),
            ("locations".into(), Value::List(value.channel_location_id.iter().map(|id| id.as_str().into()).collect())),
            ("parties".into(), Value::List(parties.into_iter().collect())),
            ("props".into(), Value::Map(self.props(value, now))),
        ]
    }

    fn props(&self, value: &TransactionRecord, now: i64) -> Vec<(Key, Value)> {
        let mut props: Vec<(Key, Value)> = vec![
            ("name".into(), format!("{} {}", value.amount.value.plain(), self.money.currency).into()),
            ("record".into(), self.record.as_str().into()),
            ("recordedAt".into(), now.into()),
            ("accountId".into(), self.account.as_str().into()),
            ("accountOwnerId".into(), value.account_owner_id.as_str().into()),
            ("amount".into(), self.money.amount.to_f64().into()),
            ("amountUnits".into(), self.money.amount.units.into()),
            ("amountNanos".into(), i64::from(self.money.amount.nanos).into()),
            ("currency".into(), self.money.currency.as_str().into()),
            ("standardizedAmount".into(), self.money.standardized.to_f64().into()),
            ("standardUnits".into(), self.money.standardized.units.into()),
            ("standardNanos".into(), i64::from(self.money.standardized.nanos).into()),
            ("createdAt".into(), self.money.at.into()),
            ("direction".into(), word(&value.direction)),
            ("status".into(), word(&value.status)),
            ("counterpartyKind".into(), word(&value.counterparty.object)),
        ];
        let mut optional = |name: &'static str, value: Value| {
            if value != Value::Null {
                props.push((Cow::Borrowed(name), value));
            }
        };
        optional("accountBalance", value.account_balance.as_ref().map(|number| number.to_f64()).into());
        optional("channel", value.channel.as_ref().map(word).into());
        optional("channelLocationId", value.channel_location_id.as_ref().map(|id| id.as_str()).into());
        optional("counterpartyName", value.counterparty.name.as_deref().into());
        optional("description", value.description.as_deref().into());
        optional("method", value.method.as_ref().map(word).into());
        optional("purpose", value.purpose.as_ref().map(word).into());
        optional("userId", value.user_id.as_deref().into());
        optional("userName", value.user_name.as_deref().into());
        optional("counted", (self.completed && !matches!(self.counterparty, Other::Nobody)).then_some(true).into());
        props
    }

    /// The row for `transaction/record` (or `record_one_sided`), once it is known who the counterparty is.
    pub(super) fn row(&self, other: Option<(&str, Option<Value>)>, entry: Value) -> Vec<(Key, Value)> {
        let mut row = self.row.clone();
        row.push(("audit".into(), entry));
        let account = Value::from(self.account.as_str());
        let (other, external) = match other {
            Some((id, external)) => (Value::from(id), external),
            None => (Value::Null, None),
        };
        let counted = self.completed && other != Value::Null;
        let (from, to) = match self.direction {
            Direction::Outbound => (account, other),
            Direction::Inbound => (other, account),
        };
        // A one-sided row has the account itself on its side, which the statement tells by which of the two is null.
        row.push(("from".into(), from));
        row.push(("to".into(), to));
        row.push(("externals".into(), Value::List(external.into_iter().collect())));
        if counted {
            row.extend(self.money.tallies(self.direction, 1));
            row.push(("countedAt".into(), self.money.at.into()));
        } else {
            row.extend(Tally::none());
            row.push(("countedAt".into(), Value::Null));
        }
        row
    }
}

const TALLIES: [[&str; 5]; 2] = [
    ["sentCount", "sentUnits", "sentNanos", "sentStandardUnits", "sentStandardNanos"],
    ["receivedCount", "receivedUnits", "receivedNanos", "receivedStandardUnits", "receivedStandardNanos"],
];

impl Tally {
    /// What one side's report adds: to the sender's tally or the receiver's. `sign` is -1 to take it back.
    pub(super) fn tallies(&self, direction: Direction, sign: i64) -> impl Iterator<Item = (Key, Value)> + use<> {
        let numbers = [
            sign,
            sign * self.amount.units,
            sign * i64::from(self.amount.nanos),
            sign * self.standardized.units,
            sign * i64::from(self.standardized.nanos),
        ];
        let (mine, others) = match direction {
            Direction::Outbound => (TALLIES[0], TALLIES[1]),
            Direction::Inbound => (TALLIES[1], TALLIES[0]),
        };
        let mine = mine.into_iter().zip(numbers).map(|(name, number)| (Cow::Borrowed(name), Value::Int(number)));
        mine.chain(others.into_iter().map(|name| (Cow::Borrowed(name), Value::Int(0))))
    }

    fn none() -> impl Iterator<Item = (Key, Value)> {
        TALLIES.into_iter().flatten().map(|name| (Cow::Borrowed(name), Value::Int(0)))
    }
}

fn money(at: &str, number: &graph_schema::number::Number) -> Result<Money> {
    number.to_money().map_err(|too_large| Error::invalid(at, too_large.to_string()))
}

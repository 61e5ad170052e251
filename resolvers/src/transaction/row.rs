//! One transaction as the graph will have it: its scalars, where the money came from and went, whom and what it touched.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use cypher::{Key, Value, map};
use graph_schema::code::is_country;
use graph_schema::given::Given;
use graph_schema::identity::{CounterpartyKey, Identity, IdentityRules, hinted_account, visible};
use graph_schema::json_object::JsonObject;
use graph_schema::money::Money;
use graph_schema::transaction::{Counterparty, Direction, TransactionRecord, TransactionStatus};

use super::roll_up::TransferDelta;
use crate::audit::AuditDraft;
use crate::numbers::EXTERNAL;
use crate::queue::{LockHint, Values};
use crate::values::{identity_map, word};
use crate::{Error, Result};

/// What is written of one transaction.
pub struct TransactionRow {
    pub id: String,
    /// The account whose side this is.
    pub account: String,
    pub direction: Direction,
    pub counterparty: CounterpartySide,
    pub record: String,
    /// When it was received.
    pub(super) recorded_at: i64,
    /// Everything of the row that does not depend on who the counterparty turns out to be.
    pub(super) row: Vec<(Key, Value)>,
    pub(super) money: TransferDelta,
    pub(super) completed: bool,
    /// Names the write.
    pub(super) write_id: String,
}

/// Who or what is on the other side.
pub enum CounterpartySide {
    /// Nobody is named: cash over the counter, a fee.
    Nobody,
    /// An account by its id.
    Account(String),
    /// Numbers that an account may have, the last of them perhaps its id ([`hinted_account`]).
    Numbers(Vec<Identity>),
    /// Somebody without an account that is known.
    External(Identity),
}

/// Optional fields of the node, in the order [`TransactionRow::of`] sets them; an amended record takes away what it does not have.
const OPTIONAL: [&str; 14] = [
    "accountBalance",
    "channel",
    "channelLocationId",
    "counterpartyCountries",
    "counterpartyName",
    "counterpartyNumbers",
    "description",
    "excludedFromMonitoring",
    "international",
    "method",
    "purpose",
    "userId",
    "userName",
    "counted",
];

impl TransactionRow {
    /// Splits money, normalises identities. `now` is when it was received. Also the nodes at the ends of its links.
    pub fn of(given: &Given<TransactionRecord>, rules: &IdentityRules, now: i64, write_id: &str) -> Result<(Self, Vec<LockHint>)> {
        let value = &given.value;
        let amount = money("amount.value", &value.amount.value)?;
        let standardized = money("standardized_amount", &value.standardized_amount)?;
        let account = value.account_id.as_str().to_owned();
        let counterparty = match rules.counterparty_key(&value.counterparty, &account) {
            CounterpartyKey::None => CounterpartySide::Nobody,
            CounterpartyKey::Account(id) => CounterpartySide::Account(id.as_str().to_owned()),
            CounterpartyKey::Keys(numbers) => CounterpartySide::Numbers(numbers),
            CounterpartyKey::External(party) => CounterpartySide::External(party),
        };
        let currency = value.amount.currency.as_str().to_owned();
        let money = TransferDelta { currency, direction: value.direction, amount, standardized, at: value.created_at.millis() };
        let mut write = Self {
            id: value.id.as_str().to_owned(),
            account,
            direction: value.direction,
            counterparty,
            record: given.record.to_string(),
            recorded_at: now,
            row: Vec::with_capacity(32),
            money,
            completed: value.status == TransactionStatus::Completed,
            write_id: write_id.to_owned(),
        };
        let mut locks = Vec::with_capacity(6);
        write.row = write.fixed_part(value, rules, &mut locks);
        Ok((write, locks))
    }

    /// Also notes what the links lock.
    fn fixed_part(&self, value: &TransactionRecord, rules: &IdentityRules, locks: &mut Vec<LockHint>) -> Vec<(Key, Value)> {
        let device = value.device.as_ref();
        let ips = device.and_then(|device| device.ip_address.as_deref()).and_then(|ip| rules.ip(ip));
        let devices = device.and_then(|device| device.id.as_ref()).and_then(|id| rules.device(id.as_str()));
        let party = rules.identified_actor(&value.counterparty);
        locks.extend([LockHint::of("Account", &self.account), LockHint::of("Actor", value.account_owner_id.as_str())]);
        locks.extend(devices.iter().map(|device| LockHint::of("Device", &device.id)));
        locks.extend(ips.iter().map(|ip| LockHint::of("IpAddress", &ip.id)));
        locks.extend(value.channel_location_id.iter().map(|id| LockHint::of("ChannelLocation", id.as_str())));
        locks.extend(party.iter().map(|id| LockHint::of("Actor", id.as_str())));
        match &self.counterparty {
            CounterpartySide::Nobody => {}
            CounterpartySide::Account(id) => locks.push(LockHint::of("Account", id)),
            CounterpartySide::External(party) => locks.push(LockHint::of("Account", &format!("{EXTERNAL}{}", party.id))),
            CounterpartySide::Numbers(numbers) => {
                locks.extend(numbers.iter().map(|number| LockHint::of("AccountIdentifier", &number.id)));
                locks.extend(self.hint().map(|account| LockHint::of("Account", account)));
            }
        }
        let parties = party.map(|id| map([("id", id.as_str().into()), ("name", shown_name(value).unwrap_or(id.as_str()).into())]));
        vec![
            ("id".into(), self.id.as_str().into()),
            ("writeId".into(), self.write_id.as_str().into()),
            ("account".into(), self.account.as_str().into()),
            ("outbound".into(), (self.direction == Direction::Outbound).into()),
            ("owner".into(), value.account_owner_id.as_str().into()),
            ("currency".into(), self.money.currency.as_str().into()),
            ("devices".into(), Value::List(devices.iter().map(identity_map).collect())),
            ("ips".into(), Value::List(ips.iter().map(identity_map).collect())),
            ("locations".into(), Value::List(value.channel_location_id.iter().map(|id| id.as_str().into()).collect())),
            ("parties".into(), Value::List(parties.into_iter().collect())),
            ("props".into(), Value::Map(self.props(value))),
        ]
    }

    fn props(&self, value: &TransactionRecord) -> Vec<(Key, Value)> {
        let mut props: Vec<(Key, Value)> = vec![
            ("name".into(), format!("{} {}", value.amount.value.plain(), self.money.currency).into()),
            ("record".into(), self.record.as_str().into()),
            ("recordedAt".into(), self.recorded_at.into()),
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
        optional("counterpartyCountries", countries(&value.counterparty).into());
        optional("counterpartyName", shown_name(value).into());
        optional("counterpartyNumbers", self.number_ids().into());
        optional("description", value.description.as_deref().into());
        optional("excludedFromMonitoring", says(value.metadata.as_ref(), "exclude_from_monitoring").then_some(true).into());
        optional("international", says(value.metadata.as_ref(), "international").then_some(true).into());
        optional("method", value.method.as_ref().map(word).into());
        optional("purpose", value.purpose.as_ref().map(word).into());
        optional("userId", value.user_id.as_deref().into());
        optional("userName", value.user_name.as_deref().into());
        optional("counted", self.tally().map(|_| true).into());
        props
    }

    /// What it adds to the roll-up of its pair, when it counts.
    pub(super) fn tally(&self) -> Option<&TransferDelta> {
        Some(&self.money).filter(|_| self.completed && !matches!(self.counterparty, CounterpartySide::Nobody))
    }

    /// Numbers that its counterparty is named by, the strongest first.
    pub fn numbers(&self) -> &[Identity] {
        match &self.counterparty {
            CounterpartySide::Numbers(numbers) => numbers,
            _ => &[],
        }
    }

    /// The account whose id stands beside the numbers.
    pub(super) fn hint(&self) -> Option<&str> {
        self.numbers().last().and_then(|last| hinted_account(&last.id))
    }

    fn number_ids(&self) -> Option<Vec<&str>> {
        let ids: Vec<&str> = self.numbers().iter().map(|number| number.id.as_str()).collect();
        Some(ids).filter(|ids| !ids.is_empty())
    }

    /// Numbers that it names together: each two of them once, the lesser first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let ids = || self.numbers().iter().map(|number| number.id.as_str());
        ids().flat_map(move |one| ids().filter(move |other| one < *other).map(move |other| (one, other)))
    }

    /// The outside party that it names, as an external account: id and name.
    pub(super) fn party(&self) -> Option<(String, &str)> {
        match &self.counterparty {
            CounterpartySide::External(party) => Some((format!("{EXTERNAL}{}", party.id), &party.name)),
            _ => None,
        }
    }

    /// The row for `transaction/record`, `record_by_number` or `record_one_sided`, with its audit entry and idempotency key. `named` has all numbers
    /// of the statement; `strangers` says whether it may make an external account for numbers that nobody has.
    pub(super) fn row(&self, entry: &AuditDraft, key: Option<&Value>, named: &NamedNumbers<'_>, strangers: Strangers) -> Value {
        let (other, external) = match &self.counterparty {
            CounterpartySide::Nobody => (None, None),
            CounterpartySide::Account(id) => (Some(id.as_str()), None),
            CounterpartySide::External(_) => (None, self.party()),
            // Called as `numbers::settle` would call it.
            CounterpartySide::Numbers(numbers) if strangers == Strangers::MayBeMade => {
                (None, numbers.iter().min_by(|a, b| a.id.cmp(&b.id)).map(|first| (format!("{EXTERNAL}{}", first.id), first.name.as_str())))
            }
            CounterpartySide::Numbers(_) => (None, None),
        };
        let made = external.as_ref().map(|(id, _)| id.as_str());
        let is_named_by_numbers = !self.numbers().is_empty();
        let hint = self.hint();
        let beside = self.numbers().iter().filter(|number| hint.is_some() && hinted_account(&number.id).is_none());
        let more = [
            ("audit", entry.row(&Values::default())),
            ("logicalTime", entry.acknowledged().given()),
            ("keys", Value::List(key.into_iter().cloned().collect())),
            ("other", other.or(made.filter(|_| !is_named_by_numbers)).into()),
            ("fresh", made.filter(|_| is_named_by_numbers).into()),
            ("externals", Value::List(external.as_ref().map(|(id, name)| self.external(id, name)).into_iter().collect())),
            ("numbers", Value::List(self.numbers().iter().map(|number| named.number(&number.id)).collect())),
            ("pairs", Value::List(self.pairs().map(|pair| named.pair(pair)).collect())),
            ("hint", hint.into()),
            ("beside", Value::List(beside.map(|number| named.number(&number.id)).collect())),
            ("countedAt", self.tally().map(|tally| tally.at).into()),
        ];
        let more = more.into_iter().map(|(name, value)| (Key::from(name), value));
        Value::Map(self.row.iter().cloned().chain(more).chain(TransferDelta::columns(self.tally())).collect())
    }

    /// An external account that it may make, with the numbers that name it.
    fn external(&self, id: &str, name: &str) -> Value {
        map([
            ("id", id.into()),
            ("name", name.into()),
            ("numbers", Value::List(self.numbers().iter().map(|number| number.id.as_str().into()).collect())),
            ("pairs", Value::List(self.pairs().map(|(one, other)| map([("one", one.into()), ("other", other.into())])).collect())),
        ])
    }

    /// The row for `transaction/amend`: what the record does not say any more is taken away. `other` is the other account, `known_from` when it took the
    /// place of what was stored, `time` when it was acknowledged.
    pub(super) fn amending_row(&self, other: Option<&str>, known_from: i64, time: i64) -> Value {
        let mut row = self.row.clone();
        for (name, value) in &mut row {
            if let ("props", Value::Map(props)) = (&**name, value) {
                let absent = OPTIONAL.into_iter().filter(|optional| !props.iter().any(|(known, _)| known == optional));
                let absent: Vec<_> = absent.map(|name| (Key::from(name), Value::Null)).collect();
                props.extend(absent);
                props.retain(|(name, _)| name != "recordedAt");
                props.push(("recordedAt".into(), known_from.into()));
                props.push(("logicalTime".into(), time.into()));
                // The audit entry that tells who has sent it.
                props.push(("writeId".into(), self.write_id.as_str().into()));
            }
        }
        let (from, to) = self.ends(other);
        let ids = |end: Option<&str>| Value::List(end.into_iter().map(Value::from).collect());
        row.push(("senders".into(), ids(from)));
        row.push(("receivers".into(), ids(to)));
        Value::Map(row)
    }

    /// From whom to whom the money went.
    pub(super) fn ends<'a>(&'a self, other: Option<&'a str>) -> (Option<&'a str>, Option<&'a str>) {
        match self.direction {
            Direction::Outbound => (Some(&self.account), other),
            Direction::Inbound => (other, Some(&self.account)),
        }
    }
}

/// The numbers that payments of one statement name, and those they name together, each once; rows say which by their places.
pub(super) struct NamedNumbers<'a> {
    numbers: BTreeMap<&'a str, (i64, &'a Identity)>,
    pairs: BTreeMap<(&'a str, &'a str), i64>,
}

impl<'a> NamedNumbers<'a> {
    pub(super) fn by(rows: impl Iterator<Item = &'a TransactionRow>) -> Self {
        let mut named = Self { numbers: BTreeMap::new(), pairs: BTreeMap::new() };
        for row in rows {
            named.numbers.extend(row.numbers().iter().map(|number| (number.id.as_str(), (0, number))));
            named.pairs.extend(row.pairs().map(|pair| (pair, 0)));
        }
        named.numbers.values_mut().zip(0..).for_each(|((at, _), place)| *at = place);
        named.pairs.values_mut().zip(0..).for_each(|(at, place)| *at = place);
        named
    }

    /// `numbers` and `pairs` of `transaction/record_by_number`, in order; nothing where no payment names a number.
    pub(super) fn lists(&self) -> Option<[Value; 2]> {
        if self.numbers.is_empty() {
            return None;
        }
        let number =
            |(at, number): &(i64, &Identity)| map([("id", number.id.as_str().into()), ("name", number.name.as_str().into()), ("at", (*at).into())]);
        let pair = |((one, other), at): (&(&str, &str), &i64)| map([("one", (*one).into()), ("other", (*other).into()), ("at", (*at).into())]);
        Some([Value::List(self.numbers.values().map(number).collect()), Value::List(self.pairs.iter().map(pair).collect())])
    }

    fn number(&self, id: &str) -> Value {
        self.numbers.get(id).map(|(at, _)| *at).into()
    }

    fn pair(&self, pair: (&str, &str)) -> Value {
        self.pairs.get(&pair).copied().into()
    }
}

/// Whether a payment to numbers that nobody has makes an external account in passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strangers {
    MayBeMade,
    /// Another payment of the same statement names some of the numbers, and others: they are to have one account. Or an account's id is named beside them.
    MustBeSettled,
}

/// The name of the counterparty; its id where nobody sees anything of the name.
fn shown_name(value: &TransactionRecord) -> Option<&str> {
    let name = value.counterparty.name.as_deref()?;
    visible(name).or_else(|| value.counterparty.id.as_ref().map(|id| id.as_str()))
}

/// Whether a key of its metadata is true, as a word or as a text: `exclude_from_monitoring` leaves it out of detection, `international` makes it
/// cross-border.
fn says(metadata: Option<&JsonObject>, key: &str) -> bool {
    // Most metadata has nothing of it, and is not parsed for that.
    let named = metadata.filter(|metadata| metadata.as_str().contains(key));
    let said = named.and_then(|metadata| metadata.get(key));
    said.is_some_and(|said| said == true || said == "true")
}

/// Countries that the counterparty is named with, by their codes: those of its account and of that account's bank, and of its addresses. Its IBAN is among
/// its numbers. One text, spaces between them: the embedded engine copies columns of lists.
fn countries(counterparty: &Counterparty) -> Option<String> {
    let account = counterparty.account_info.as_ref();
    let of_account = account.and_then(|account| account.country.as_deref());
    // A BIC has four letters of the bank, then the country.
    let of_bank = account.and_then(|account| account.bic.as_deref()?.trim().get(4..6));
    let of_addresses = counterparty.postal_addresses.iter().flatten().filter_map(|address| address.country.as_deref());
    let said = of_addresses.chain(of_account).chain(of_bank).map(|country| country.trim().to_ascii_uppercase());
    let codes: BTreeSet<String> = said.filter(|country| is_country(country)).collect();
    (!codes.is_empty()).then(|| codes.into_iter().collect::<Vec<_>>().join(" "))
}

fn money(at: &str, number: &graph_schema::number::Number) -> Result<Money> {
    number.to_money().map_err(|too_large| Error::invalid(at, too_large.to_string()))
}

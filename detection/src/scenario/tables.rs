//! The tables of a test as a dataset.

use std::collections::BTreeMap;

use analytics::{AccountIndex, CurrencyIndex, Timestamp};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

use crate::dataset::{Account, Actor, ActorIndex, ActorKind, Dataset, Payment, Records};
use crate::pack::fields::Fields;
use crate::quantity::Quantity;

/// The blocks of comma-separated values.
#[derive(Debug, Clone, Copy)]
pub struct Blocks<'a> {
    pub payments: &'a str,
    pub accounts: Option<&'a str>,
    pub actors: Option<&'a str>,
}

/// Rows so far; what is not listed is made when it is named.
#[derive(Default)]
struct Rows {
    actors: Vec<Actor>,
    accounts: Vec<Account>,
    payments: Vec<Payment>,
    currencies: Vec<String>,
    actor_places: BTreeMap<String, u32>,
    account_places: BTreeMap<String, u32>,
}

/// Builds the dataset; faults are told by block and line.
pub fn dataset(fields: &mut Fields<'_>, blocks: Blocks<'_>) -> Option<Dataset> {
    let mut rows = Rows::default();
    for (block, text, columns) in [
        ("actors", blocks.actors, &["id", "kind", "monitored"][..]),
        ("accounts", blocks.accounts, &["id", "owner", "opened"]),
        ("payments", Some(blocks.payments), &["id", "from", "to", "at", "amount", "currency"]),
    ] {
        for (line, row) in table(fields, block, text.unwrap_or_default(), columns) {
            let taken = match block {
                "actors" => rows.take_actor(&row),
                "accounts" => rows.take_account(&row),
                _ => rows.take_payment(&row),
            };
            if let Err(says) = taken {
                fields.fault(&format!("{block}, line {line}"), says);
            }
        }
    }
    match Dataset::new(rows.actors, rows.accounts, rows.payments, rows.currencies) {
        Ok(dataset) => Some(dataset),
        Err(invalid) => {
            fields.fault("payments", invalid.to_string());
            None
        }
    }
}

/// A row by its columns' names.
pub(super) type Row = BTreeMap<String, String>;

/// The rows of a block with their lines in it; the header is line 1.
pub(super) fn table(fields: &mut Fields<'_>, block: &str, text: &str, columns: &[&str]) -> Vec<(usize, Row)> {
    let mut lines = text.lines().enumerate().map(|(place, line)| (place + 1, line.trim())).filter(|(_, line)| !line.is_empty());
    let Some((line, header)) = lines.next() else { return Vec::new() };
    let header: Vec<&str> = header.split(',').map(str::trim).collect();
    let absent: Vec<&str> = columns.iter().copied().filter(|column| !header.contains(column)).collect();
    let is_optional = |column: &str| matches!((block, column), ("payments", "records") | ("links", "since" | "until"));
    let unknown = header.iter().find(|column| !columns.contains(column) && !is_optional(column));
    if !absent.is_empty() || unknown.is_some() {
        fields.fault(&format!("{block}, line {line}"), format!("must be the header {}", columns.join(",")));
        return Vec::new();
    }
    let mut rows = Vec::new();
    for (line, text) in lines {
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        if cells.len() != header.len() {
            fields.fault(&format!("{block}, line {line}"), format!("has {} cells; the header has {}", cells.len(), header.len()));
            continue;
        }
        rows.push((line, header.iter().zip(cells).map(|(column, cell)| ((*column).to_owned(), cell.to_owned())).collect()));
    }
    rows
}

impl Rows {
    fn take_actor(&mut self, row: &Row) -> Result<(), String> {
        let kind = match row["kind"].as_str() {
            "individual" => ActorKind::Individual,
            "legal-entity" => ActorKind::LegalEntity,
            other => return Err(format!("kind is {other:?}; it may be individual, legal-entity")),
        };
        let monitored = match row["monitored"].as_str() {
            "true" => true,
            "false" => false,
            other => return Err(format!("monitored is {other:?}; it may be true, false")),
        };
        self.actor(&row["id"], kind, monitored);
        Ok(())
    }

    fn take_account(&mut self, row: &Row) -> Result<(), String> {
        let owner = match row["owner"].as_str() {
            "-" => None,
            owner => Some(self.actor(owner, ActorKind::Individual, true)),
        };
        let opened = match row["opened"].as_str() {
            "" => None,
            opened => Some(time(opened)?),
        };
        self.account_places.insert(row["id"].clone(), self.accounts.len() as u32);
        self.accounts.push(Account { id: row["id"].as_str().into(), owner, opened });
        Ok(())
    }

    fn take_payment(&mut self, row: &Row) -> Result<(), String> {
        let id: Box<str> = row["id"].as_str().into();
        let [from, to] = [self.account(&row["from"]), self.account(&row["to"])];
        let owner = |account: AccountIndex| self.accounts[account.0 as usize].owner;
        let (sender, receiver) = (owner(from), owner(to));
        let (records, sender, receiver) = match row.get("records").map_or("both", String::as_str) {
            "both" => (Records::Both { outbound: id.clone(), inbound: id }, sender, receiver),
            "outbound" => (Records::Outbound(id), sender, None),
            "inbound" => (Records::Inbound(id), None, receiver),
            other => return Err(format!("records is {other:?}; it may be both, outbound, inbound")),
        };
        let amount: Quantity = row["amount"].parse().map_err(|invalid| format!("amount: {invalid}"))?;
        let currency = self.currency(&row["currency"]);
        let at = time(&row["at"])?;
        self.payments.push(Payment { records, from, to, at, amount: amount.as_amount(), currency, sender, receiver });
        Ok(())
    }

    /// The actor of an id, which is made if need be.
    fn actor(&mut self, id: &str, kind: ActorKind, monitored: bool) -> ActorIndex {
        let place = *self.actor_places.entry(id.to_owned()).or_insert(self.actors.len() as u32);
        if place as usize == self.actors.len() {
            self.actors.push(Actor { id: id.into(), kind, monitored, since: None });
        }
        ActorIndex(place)
    }

    /// The account of an id, which is made if need be.
    fn account(&mut self, id: &str) -> AccountIndex {
        if let Some(&place) = self.account_places.get(id) {
            return AccountIndex(place);
        }
        let owner = Some(self.actor(id, ActorKind::Individual, true));
        let place = self.accounts.len() as u32;
        self.account_places.insert(id.to_owned(), place);
        self.accounts.push(Account { id: id.into(), owner, opened: None });
        AccountIndex(place)
    }

    fn currency(&mut self, name: &str) -> CurrencyIndex {
        let place = self.currencies.iter().position(|known| known == name).unwrap_or_else(|| {
            self.currencies.push(name.to_owned());
            self.currencies.len() - 1
        });
        CurrencyIndex(place as u16)
    }
}

/// A time of UTC: a date, a date with a time, or RFC 3339.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    let with_time = || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M").or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f"));
    let utc = || with_time().or_else(|_| text.parse().map(|date: NaiveDate| date.and_time(NaiveTime::MIN)));
    let millis = DateTime::parse_from_rfc3339(text).map(|at| at.timestamp_millis()).or_else(|_| utc().map(|at| at.and_utc().timestamp_millis()));
    let at = millis.ok().and_then(Timestamp::from_millis);
    at.ok_or_else(|| format!("{text:?} is no time such as 2026-03-09T10:00"))
}

//! Payments from a file, as rules look at them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use analytics::{AccountIndex, Network};
use anyhow::{Context, bail};
use chrono::{Days, NaiveDate};
use detection::{Account, Actor, ActorIndex, ActorKind, Dataset, Day, Payment, Records};
use resolvers::detection::{Zone, date_at, day_of};

use super::payments::{self, Payments};
use crate::cli::{PaymentsFile, PaymentsSource};

/// Who owns accounts, and when they were opened.
type Owners = HashMap<String, (String, Option<NaiveDate>)>;

/// What was read, and the business days that are looked at.
pub struct Source {
    pub dataset: Dataset,
    pub days: Vec<(NaiveDate, Day)>,
}

impl Source {
    /// Reads all of it; nothing where there are no payments.
    pub fn read(PaymentsSource { file, from, to }: &PaymentsSource) -> anyhow::Result<Option<Self>> {
        Self::between(file, (*from, *to))
    }

    /// Reads all of it, to look at one day.
    pub fn of_day(file: &PaymentsFile, day: NaiveDate) -> anyhow::Result<Option<Self>> {
        Self::between(file, (Some(day), Some(day)))
    }

    fn between(options: &PaymentsFile, asked: (Option<NaiveDate>, Option<NaiveDate>)) -> anyhow::Result<Option<Self>> {
        let file = &options.payments;
        let payments = payments::read(BufReader::with_capacity(1 << 18, open(file)?)).with_context(|| file.display().to_string())?;
        let owners = options.accounts.as_deref().map(owners).transpose()?;
        let Some((first, last)) = ends(&payments.network, asked, options.time_zone) else { return Ok(None) };
        let dataset = dataset(payments, owners.as_ref(), options.time_zone)?;
        Ok(Some(Self { dataset, days: days(first, last, options.time_zone)? }))
    }
}

fn open(file: &Path) -> anyhow::Result<Box<dyn Read>> {
    Ok(match file.as_os_str() {
        name if name == "-" => Box::new(io::stdin().lock()),
        name => Box::new(File::open(name).with_context(|| file.display().to_string())?),
    })
}

/// The first day and the last: those that were asked for, or those of the payments. Nothing where there are none.
fn ends(network: &Network, (from, to): (Option<NaiveDate>, Option<NaiveDate>), zone: Zone) -> Option<(NaiveDate, NaiveDate)> {
    let mut payments = network.payments();
    let date = |payment| date_at(network.at(payment).millis(), zone);
    let first = payments.next()?;
    let last = payments.last().unwrap_or(first);
    Some((from.or_else(|| date(first))?, to.or_else(|| date(last))?))
}

fn days(first: NaiveDate, last: NaiveDate, zone: Zone) -> anyhow::Result<Vec<(NaiveDate, Day)>> {
    let mut days = Vec::new();
    let mut date = first;
    while date <= last {
        days.push((date, day_of(date, zone).with_context(|| format!("{date} is out of the calendar"))?));
        let Some(next) = date.checked_add_days(Days::new(1)) else { break };
        date = next;
    }
    Ok(days)
}

/// CSV with the columns `id,owner` and, where it is known, `opened`.
fn owners(file: &Path) -> anyhow::Result<Owners> {
    let mut csv = csv::Reader::from_path(file).with_context(|| file.display().to_string())?;
    let header = csv.headers()?.clone();
    let place = |name: &str| header.iter().position(|column| column.trim() == name);
    let (Some(id), Some(owner)) = (place("id"), place("owner")) else {
        bail!("{}: the header must have id,owner (and may have opened)", file.display())
    };
    let opened = place("opened");
    let mut owners = HashMap::new();
    for record in csv.records() {
        let record = record.with_context(|| file.display().to_string())?;
        let text = |place: usize| record.get(place).unwrap_or_default().trim().to_owned();
        let line = record.position().map_or(0, csv::Position::line);
        let date = opened.map(text).filter(|date| !date.is_empty());
        let date =
            date.map(|date| date.parse::<NaiveDate>().with_context(|| format!("line {line}: \"{date}\" is no date (YYYY-MM-DD)"))).transpose()?;
        owners.insert(text(id), (text(owner), date));
    }
    Ok(owners)
}

/// The payments as rules look at them. An account without a line of its own belongs to an actor of its name.
fn dataset(payments: Payments, owners: Option<&Owners>, zone: Zone) -> anyhow::Result<Dataset> {
    let Payments { network, ids, accounts, currencies } = payments;
    let mut places: HashMap<String, ActorIndex> = HashMap::new();
    let mut actors: Vec<Actor> = Vec::new();
    let mut rows = Vec::with_capacity(accounts.len());
    for id in accounts {
        let (owner, date) = owners.and_then(|owners| owners.get(&id).cloned()).unwrap_or_else(|| (id.clone(), None));
        let owner = *places.entry(owner.clone()).or_insert_with(|| {
            actors.push(Actor { id: owner.into(), kind: ActorKind::LegalEntity, monitored: true, since: None });
            ActorIndex(actors.len() as u32 - 1)
        });
        let opened = date.and_then(|date| day_of(date, zone)).map(|day| day.start());
        rows.push(Account { id: id.into(), owner: Some(owner), opened });
    }
    let owner = |account: AccountIndex| rows.get(account.0 as usize).and_then(|account| account.owner);
    let payment = |index| {
        let (from, to) = (network.from(index), network.to(index));
        let id: Box<str> = ids.get(network.loaded(index)).into();
        Payment {
            // Each line stands for both records.
            records: Records::Both { outbound: id.clone(), inbound: id },
            from,
            to,
            at: network.at(index),
            amount: network.amount(index),
            currency: network.currency(index),
            sender: owner(from),
            receiver: owner(to),
        }
    };
    let payments = network.payments().map(payment).collect();
    Ok(Dataset::new(actors, rows, payments, currencies)?)
}

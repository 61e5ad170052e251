//! Payments from a file, as rules look at them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use analytics::{AccountIndex, Network};
use anyhow::Context;
use chrono::{Days, NaiveDate};
use detection::{Account, Actor, ActorIndex, Dataset, Day, Payment, Records};
use resolvers::detection::{Zone, date_at, day_of};

use super::accounts::{self, Accounts};
use super::payments::{self, Payments};
use crate::cli::{PaymentsFile, PaymentsSource};

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
        let accounts = options.accounts.as_deref().map(read_accounts).transpose()?.unwrap_or_default();
        let Some((first, last)) = ends(&payments.network, asked, options.time_zone) else { return Ok(None) };
        let dataset = dataset(payments, &accounts, options.time_zone)?;
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

fn read_accounts(file: &Path) -> anyhow::Result<Accounts> {
    accounts::read(open(file)?).with_context(|| file.display().to_string())
}

/// The payments as rules look at them.
fn dataset(payments: Payments, known: &Accounts, zone: Zone) -> anyhow::Result<Dataset> {
    let Payments { network, ids, accounts, currencies } = payments;
    let mut places: HashMap<String, ActorIndex> = HashMap::new();
    let mut actors: Vec<Actor> = Vec::new();
    let mut rows = Vec::with_capacity(accounts.len());
    for id in accounts {
        let (owner, date) = known.owner_of(&id);
        let kind = known.kind_of(&owner);
        let owner = *places.entry(owner.clone()).or_insert_with(|| {
            actors.push(Actor { id: owner.into(), kind, monitored: true, since: None });
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

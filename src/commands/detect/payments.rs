//! Payments as CSV: `id,from,to,at,amount,currency`, a line each, read one by one. `docs/detection.md` says what each column takes.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Read;

use analytics::{AccountIndex, Amount, CurrencyIndex, Network, Payment, Timestamp};
use anyhow::Context;
use csv::StringRecord;
use graph_schema::number::Number;

use super::faults::{Fault, Faults, MOST_FAULTS};

/// The columns, in the order in which a payment is read.
const COLUMNS: [&str; 6] = ["id", "from", "to", "at", "amount", "currency"];

/// Payments that were read, with their ids in the order of the lines.
pub struct Payments {
    pub network: Network,
    pub ids: Ids,
    /// By index.
    pub accounts: Vec<String>,
    /// By index.
    pub currencies: Vec<String>,
}

/// Texts, one behind the other.
#[derive(Default)]
pub struct Ids {
    text: String,
    ends: Vec<usize>,
}

impl Ids {
    fn push(&mut self, id: &str) {
        self.text.push_str(id);
        self.ends.push(self.text.len());
    }

    pub fn get(&self, place: usize) -> &str {
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[begin..self.ends[place]]
    }
}

/// Reads payments. The error is [`Faults`] where it is the file's.
pub fn read(file: impl Read) -> anyhow::Result<Payments> {
    let mut csv = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(file);
    let mut header = StringRecord::new();
    let mut reader = match csv.read_record(&mut header) {
        Ok(_) => Reader::new(&header),
        Err(error) => {
            let mut faults = Reader::default();
            faults.unreadable(error)?;
            faults
        }
    };
    let mut record = StringRecord::new();
    while reader.faults.is_empty() || reader.places.is_some() && reader.faults.len() < MOST_FAULTS {
        match csv.read_record(&mut record) {
            Ok(false) => return reader.payments(false),
            Ok(true) => reader.take(&record),
            Err(error) => reader.unreadable(error)?,
        }
    }
    let may_be_more = reader.places.is_some();
    reader.payments(may_be_more)
}

#[derive(Default)]
struct Reader {
    /// Where each column stands in the file; `None` where the header is not understood.
    places: Option<[usize; COLUMNS.len()]>,
    width: usize,
    faults: Vec<Fault>,
    payments: Vec<Payment>,
    ids: Ids,
    /// The place and line of each id, by its hash.
    seen: HashMap<u64, (usize, u64)>,
    hasher: RandomState,
    accounts: HashMap<String, AccountIndex>,
    currencies: HashMap<String, CurrencyIndex>,
}

impl Reader {
    fn new(header: &StringRecord) -> Self {
        let mut reader = Self { width: header.len(), ..Self::default() };
        // A mark at the file's start says no more than that it is UTF-8.
        let name = |place: usize| header.get(place).map(|name| if place == 0 { name.trim_start_matches('\u{feff}') } else { name }.trim());
        let found = COLUMNS.map(|column| (0..header.len()).find(|&place| name(place) == Some(column)));
        for (column, _) in COLUMNS.into_iter().zip(found).filter(|(_, place)| place.is_none()) {
            reader.fault(1, None, format!("the header has no column \"{column}\"; it must be {}", COLUMNS.join(",")));
        }
        if reader.faults.is_empty() {
            reader.places = Some(found.map(Option::unwrap_or_default));
        }
        reader
    }

    fn take(&mut self, record: &StringRecord) {
        let line = record.position().map_or(0, csv::Position::line);
        let Some(places) = self.places else { return };
        if record.len() != self.width {
            self.fault(line, None, format!("has {} columns, and the header has {}", record.len(), self.width));
            return;
        }
        let before = self.faults.len();
        let text = |column: usize| record.get(places[column]).unwrap_or_default();
        let mut read = |column: usize, fault: Option<String>| {
            if let Some(problem) = fault {
                self.faults.push(Fault { line, column: Some((places[column] + 1, COLUMNS[column])), problem });
            }
        };
        let empty = |text: &str| text.trim().is_empty().then(|| "is empty".to_owned());
        (0..3).for_each(|column| read(column, empty(text(column))));
        let at = time(text(3)).map_err(|problem| read(3, Some(problem))).ok();
        let amount = amount(text(4)).map_err(|problem| read(4, Some(problem))).ok();
        read(5, currency(text(5)).err());
        if let (Some(at), Some(amount), true) = (at, amount, before == self.faults.len()) {
            if let Some(fault) = self.take_id(text(0), line) {
                self.faults.push(Fault { line, column: Some((places[0] + 1, COLUMNS[0])), problem: fault });
                return;
            }
            let [from, to] = [1, 2].map(|column| self.account(text(column)));
            match self.currency(text(5)) {
                Some(currency) => self.payments.push(Payment { from, to, at, amount, currency }),
                None => self.fault(line, Some((places[5] + 1, COLUMNS[5])), "is one currency too many: there may be 65,536".to_owned()),
            }
        }
    }

    /// Keeps an id; what is wrong where an earlier line has it.
    fn take_id(&mut self, id: &str, line: u64) -> Option<String> {
        let place = self.ids.ends.len();
        match self.seen.insert(self.hasher.hash_one(id), (place, line)) {
            Some((before, earlier)) if self.ids.get(before) == id => {
                // The first one stays known.
                self.seen.insert(self.hasher.hash_one(id), (before, earlier));
                Some(format!("{id:?} is the id of line {earlier}, too"))
            }
            _ => {
                self.ids.push(id);
                None
            }
        }
    }

    fn account(&mut self, text: &str) -> AccountIndex {
        if let Some(&account) = self.accounts.get(text) {
            return account;
        }
        // No more accounts than two a payment; a network refuses payments before these are too many.
        let account = AccountIndex(self.accounts.len() as u32);
        self.accounts.insert(text.to_owned(), account);
        account
    }

    fn currency(&mut self, text: &str) -> Option<CurrencyIndex> {
        if let Some(&currency) = self.currencies.get(text) {
            return Some(currency);
        }
        let currency = CurrencyIndex(u16::try_from(self.currencies.len()).ok()?);
        self.currencies.insert(text.to_owned(), currency);
        Some(currency)
    }

    fn fault(&mut self, line: u64, column: Option<(usize, &'static str)>, problem: String) {
        self.faults.push(Fault { line, column, problem });
    }

    /// A line that is no text; or the error, where the file could not be read.
    fn unreadable(&mut self, error: csv::Error) -> anyhow::Result<()> {
        match error.kind() {
            csv::ErrorKind::Utf8 { pos, err } => {
                let line = pos.as_ref().map_or(0, csv::Position::line);
                self.fault(line, None, format!("column {} is not UTF-8", err.field() + 1));
                Ok(())
            }
            _ => Err(error).context("reading payments"),
        }
    }

    fn payments(self, may_be_more: bool) -> anyhow::Result<Payments> {
        if self.faults.is_empty() {
            let network = Network::new(&self.payments)?;
            let accounts = by_index(self.accounts, |account| account.0 as usize);
            let currencies = by_index(self.currencies, |currency| currency.0 as usize);
            return Ok(Payments { network, ids: self.ids, accounts, currencies });
        }
        Err(Faults::new("payments", self.faults, may_be_more).into())
    }
}

/// Names in the order of the numbers that they were given.
fn by_index<I>(names: HashMap<String, I>, place: impl Fn(&I) -> usize) -> Vec<String> {
    let mut names: Vec<(String, I)> = names.into_iter().collect();
    names.sort_by_key(|(_, index)| place(index));
    names.into_iter().map(|(name, _)| name).collect()
}

/// RFC 3339, or seconds since 1970; what is finer than a millisecond is cut off.
fn time(text: &str) -> Result<Timestamp, String> {
    let millis = match graph_schema::date::Timestamp::parse(text) {
        Some(time) => Some(time.millis()),
        None => epoch_millis(text),
    };
    let problem = || format!("{text:?} is no time: RFC 3339 such as 2026-01-31T06:30:00Z, or seconds since 1970 such as 1769841000.5");
    millis.and_then(Timestamp::from_millis).ok_or_else(problem)
}

fn epoch_millis(text: &str) -> Option<i64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    if digits.is_empty() || decimals.is_empty() || !digits.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: String = decimals.chars().chain("000".chars()).take(3).collect();
    let millis = digits.parse::<i64>().ok()?.checked_mul(1_000)?.checked_add(thousandths.parse().ok()?)?;
    Some(if whole.starts_with('-') { -millis } else { millis })
}

/// A number as JSON writes it, not below zero; rounded half-even past nine decimals.
fn amount(text: &str) -> Result<Amount, String> {
    let number =
        Number::parse(text).ok_or_else(|| format!("{text:?} is no amount: a number such as 1250.50, without blanks and signs of thousands"))?;
    let money = number.to_money().map_err(|error| format!("{text:?} {error}"))?;
    let amount = i128::from(money.units) * 1_000_000_000 + i128::from(money.nanos);
    if amount < 0 { Err(format!("{text:?} is below zero: a payment back is one with from and to exchanged")) } else { Ok(Amount(amount)) }
}

/// Three to twelve capital letters or digits.
fn currency(text: &str) -> Result<(), String> {
    let is_code = (3..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_code.then_some(()).ok_or_else(|| format!("{text:?} is no currency: three to twelve capital letters or digits such as EUR or USDT"))
}

#[cfg(test)]
mod tests;

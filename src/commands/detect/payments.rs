//! Payments as CSV: `id,from,to,at,amount,currency`, a line each, read one by one. `docs/detection.md` says what each column takes.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::io::Read;

use analytics::{AccountIndex, Amount, CurrencyIndex, Network, Payment, Timestamp};
use anyhow::Context;
use csv::StringRecord;
use graph_schema::number::Number;

/// The columns, in the order in which a payment is read.
const COLUMNS: [&str; 6] = ["id", "from", "to", "at", "amount", "currency"];
/// The most faults that are told.
const MOST_FAULTS: usize = 20;

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

/// What is wrong with the file: all that was found, up to `MOST_FAULTS`.
#[derive(Debug, PartialEq, Eq)]
pub struct Faults {
    faults: Vec<Fault>,
    /// Whether reading ended at the last of them.
    may_be_more: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Fault {
    line: u64,
    /// The number of the column in the file, from one, and its name; `None` where the whole line is meant.
    column: Option<(usize, &'static str)>,
    problem: String,
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

    fn payments(mut self, may_be_more: bool) -> anyhow::Result<Payments> {
        if self.faults.is_empty() {
            let network = Network::new(&self.payments)?;
            let accounts = by_index(self.accounts, |account| account.0 as usize);
            let currencies = by_index(self.currencies, |currency| currency.0 as usize);
            return Ok(Payments { network, ids: self.ids, accounts, currencies });
        }
        let may_be_more = may_be_more || self.faults.len() > MOST_FAULTS;
        self.faults.truncate(MOST_FAULTS);
        Err(Faults { faults: self.faults, may_be_more }.into())
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some((number, name)) => write!(f, "line {}, column {number} ({name}): {}", self.line, self.problem),
            None => write!(f, "line {}: {}", self.line, self.problem),
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the payments can't be read")?;
        for fault in &self.faults {
            write!(f, "\n  {fault}")?;
        }
        if self.may_be_more {
            write!(f, "\n  … there may be more: reading ended at the first {}", self.faults.len())?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        match read(text.as_bytes()) {
            Ok(_) => Vec::new(),
            Err(error) => error.to_string().lines().skip(1).map(|line| line.trim().to_owned()).collect(),
        }
    }

    fn with(lines: &str) -> String {
        format!("id,from,to,at,amount,currency\n{lines}")
    }

    #[test]
    fn columns_stand_in_any_order_beside_others_behind_a_mark() {
        let payments = read("\u{feff}currency,label,amount,at,to,from,id\nEUR,x,1.5,1000,b,a,p\n".as_bytes()).unwrap();
        let payment = payments.network.payments().next().unwrap();
        assert_eq!(payments.ids.get(0), "p");
        assert_eq!(payments.network.at(payment).millis(), 1_000_000);
        assert_eq!(payments.network.amount(payment), Amount(1_500_000_000));
    }

    #[test]
    fn a_time_is_rfc_3339_or_seconds() {
        let table = [
            ("0", Some(0)),
            ("-1.5", Some(-1_500)),
            ("1769841000", Some(1_769_841_000_000)),
            ("1769841000.25", Some(1_769_841_000_250)),
            ("1769841000.2509", Some(1_769_841_000_250)),
            ("2026-01-31T06:30:00Z", Some(1_769_841_000_000)),
            ("2026-01-31T07:30:00.250+01:00", Some(1_769_841_000_250)),
            ("2026-01-31", None),
            ("1.", None),
            (".5", None),
            ("1e9", None),
            ("", None),
            ("99999999999999", None),
            ("9999999999999999999", None),
        ];
        for (text, millis) in table {
            assert_eq!(time(text).ok().map(Timestamp::millis), millis, "{text}");
        }
    }

    #[test]
    fn each_fault_is_told_with_its_line_and_column() {
        let lines = "p,a,b,yesterday,1,EUR\nq,,b,0,-1,eur\np,a,b,0,\"1,000\",EUR\nr,a,b,0,1,EUR\nr,a,b,0,1,EUR\ns,a\n";
        let told = faults(&with(lines));
        let expected = [
            "line 2, column 4 (at): \"yesterday\" is no time",
            "line 3, column 2 (from): is empty",
            "line 3, column 5 (amount): \"-1\" is below zero",
            "line 3, column 6 (currency): \"eur\" is no currency",
            "line 4, column 5 (amount): \"1,000\" is no amount",
            "line 6, column 1 (id): \"r\" is the id of line 5, too",
            "line 7: has 2 columns, and the header has 6",
        ];
        assert_eq!(told.len(), expected.len(), "{told:#?}");
        for (told, expected) in told.iter().zip(expected) {
            assert!(told.starts_with(expected), "{told}");
        }
    }

    #[test]
    fn a_header_names_all_columns_that_are_missing() {
        let told = faults("id,source,to,at,amount\np,a,b,0,1\n");
        assert_eq!(told.len(), 2, "{told:#?}");
        assert!(told[0].contains("\"from\"") && told[1].contains("\"currency\""), "{told:#?}");
        assert_eq!(faults("").len(), 6);
    }

    #[test]
    fn the_first_twenty_faults_are_told() {
        let told = faults(&with(&"p,a,b,never,1,EUR\n".repeat(50)));
        assert_eq!(told.len(), 21);
        assert!(told[20].contains("there may be more"), "{}", told[20]);
        assert_eq!(faults(&with(&"p,a,b,never,1,EUR\n".repeat(19))).len(), 19);
    }

    #[test]
    fn what_is_not_utf_8_is_told_with_its_place() {
        let mut bytes = with("p,a,b,0,1,EUR\nq,").into_bytes();
        bytes.extend([0xff, b',', b'b', b',', b'0', b',', b'1', b',', b'E', b'U', b'R', b'\n']);
        let error = read(bytes.as_slice()).err().unwrap().to_string();
        assert!(error.contains("line 3: column 2 is not UTF-8"), "{error}");
    }
}

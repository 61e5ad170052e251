//! Accounts as CSV: `id,owner` and, where they are known, `opened` and `kind`, a line each. `docs/detection.md` says what each column takes.

use std::collections::HashMap;
use std::io::Read;

use anyhow::Context;
use chrono::NaiveDate;
use csv::StringRecord;
use detection::ActorKind;

use super::faults::{Fault, Faults, MOST_FAULTS};

/// The columns; the first two must be there.
const COLUMNS: [&str; 4] = ["id", "owner", "opened", "kind"];
const OPENED: usize = 2;
const KIND: usize = 3;

/// Who owns accounts, and what the owners are.
#[derive(Debug, Default)]
pub struct Accounts {
    /// The owner of each account, and when that was opened.
    owners: HashMap<String, (String, Option<NaiveDate>)>,
    /// The kind of each owner, and the first line that tells it.
    kinds: HashMap<String, (ActorKind, u64)>,
}

impl Accounts {
    /// Who owns an account, and when it was opened. An account without a line of its own belongs to an actor of its name.
    pub fn owner_of(&self, account: &str) -> (String, Option<NaiveDate>) {
        self.owners.get(account).cloned().unwrap_or_else(|| (account.to_owned(), None))
    }

    /// What an owner is: a company where no line tells it.
    pub fn kind_of(&self, owner: &str) -> ActorKind {
        self.kinds.get(owner).map_or(ActorKind::LegalEntity, |(kind, _)| *kind)
    }
}

/// Reads accounts. The error is [`Faults`] where it is the file's.
pub fn read(file: impl Read) -> anyhow::Result<Accounts> {
    let mut csv = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let mut reader = Reader::new(csv.headers().context("reading accounts")?);
    if reader.faults.is_empty() {
        for record in csv.records() {
            reader.take(&record.context("reading accounts")?);
            if reader.faults.len() >= MOST_FAULTS {
                return Err(Faults::new("accounts", reader.faults, true).into());
            }
        }
    }
    if reader.faults.is_empty() { Ok(reader.accounts) } else { Err(Faults::new("accounts", reader.faults, false).into()) }
}

struct Reader {
    /// Where each column stands in the file.
    places: [Option<usize>; COLUMNS.len()],
    width: usize,
    faults: Vec<Fault>,
    accounts: Accounts,
}

impl Reader {
    fn new(header: &StringRecord) -> Self {
        // A mark at the file's start says no more than that it is UTF-8.
        let place = |column: &str| header.iter().position(|name| name.trim_start_matches('\u{feff}').trim() == column);
        let places = COLUMNS.map(place);
        let missing = COLUMNS.into_iter().zip(places).take(OPENED).filter(|(_, place)| place.is_none());
        let problem = |column: &str| format!("the header has no column \"{column}\"; it must be id,owner, and may have opened and kind");
        let faults = missing.map(|(column, _)| Fault { line: 1, column: None, problem: problem(column) }).collect();
        Self { places, width: header.len(), faults, accounts: Accounts::default() }
    }

    fn take(&mut self, record: &StringRecord) {
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != self.width {
            let problem = format!("has {} columns, and the header has {}", record.len(), self.width);
            self.faults.push(Fault { line, column: None, problem });
            return;
        }
        let [id, owner, opened, kind] = self.places.map(|place| place.and_then(|place| record.get(place)).unwrap_or_default().trim());
        let opened = self.cell((line, OPENED), opened, date);
        if let Some(kind) = self.cell((line, KIND), kind, actor_kind) {
            let (known, earlier) = *self.accounts.kinds.entry(owner.to_owned()).or_insert((kind, line));
            if known != kind {
                self.fault((line, KIND), format!("{owner:?} is {} by line {earlier}; an owner is one of both", word(known)));
            }
        }
        self.accounts.owners.insert(id.to_owned(), (owner.to_owned(), opened));
    }

    /// What a cell says; nothing where it is empty or has a fault.
    fn cell<T>(&mut self, at: (u64, usize), text: &str, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        if text.is_empty() {
            return None;
        }
        read(text).map_err(|problem| self.fault(at, problem)).ok()
    }

    fn fault(&mut self, (line, column): (u64, usize), problem: String) {
        let column = self.places[column].map(|place| (place + 1, COLUMNS[column]));
        self.faults.push(Fault { line, column, problem });
    }
}

fn date(text: &str) -> Result<NaiveDate, String> {
    text.parse().map_err(|_| format!("{text:?} is no date (YYYY-MM-DD)"))
}

/// The word that tests of rules use, or the one of records (`LEGAL_ENTITY`).
fn actor_kind(text: &str) -> Result<ActorKind, String> {
    let kinds = [ActorKind::Individual, ActorKind::LegalEntity];
    let written = text.to_ascii_lowercase().replace('_', "-");
    let kind = kinds.into_iter().find(|kind| word(*kind) == written);
    kind.ok_or_else(|| format!("{text:?} is no kind of an actor: individual or legal-entity"))
}

fn word(kind: ActorKind) -> &'static str {
    match kind {
        ActorKind::Individual => "individual",
        ActorKind::LegalEntity => "legal-entity",
    }
}

#[cfg(test)]
mod tests;

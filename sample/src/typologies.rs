//! A generator of a bank's payments with planted money-laundering typologies, for tests and measurements of detection.
//!
//! [`generate`] makes up a population and half a year of its payments: households with salaries, rents and purchases, employers, shops,
//! suppliers, agencies, charities, treasuries. Among them it plants cases of seventeen typologies ([`Typology`]) and innocent events that look
//! like them ([`Innocent`]). The result says which payments are which. The same [`Settings`] give the same network; no clock is asked.
//!
//! | module | makes |
//! |---|---|
//! | `population` | customers and accounts, and what they do |
//! | `planted` | the cases that payments alone tell, each with its source in the literature |
//! | `look_alikes` | innocent events that look like them |
//! | `related` | what is known beside payments ([`Fact`]); cases that only these facts tell, and innocent events that look like them |
//! | `ordinary` | all else, up to the number of payments that was asked for |
//!
//! Sources for the whole: Suzumura and Kanezashi, *AMLSim* (2018), for typologies planted into simulated accounts; Altman et al., *Realistic
//! Synthetic Financial Transactions for Anti-Money Laundering Models* (NeurIPS 2023), for patterns that criminals with an ordinary life make;
//! reports of FATF, which the modules name. One payment in about a hundred is planted: far more than in a real bank, so that recall can be
//! measured at all.

mod book;
mod calendar;
mod cast;
mod csv;
mod draw;
mod facts;
mod innocent;
mod look_alikes;
mod network;
mod ordinary;
mod planted;
mod population;
mod related;

use std::fmt;

use chrono::NaiveDate;

use book::Book;
use calendar::Calendar;
use cast::Cast;
use draw::{Draw, Part};
pub use facts::{Assessment, Fact, OutsiderId, Party};
pub use innocent::Innocent;
pub use network::{Account, AccountId, Actor, ActorId, ActorKind, Cents, Currency, LookAlike, Network, Payment, PaymentId, Planted, Typology};
use population::{Population, Sizes};

/// What is to be generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub seed: u64,
    /// Accounts, those of the bank itself included.
    pub accounts: usize,
    /// Payments, planted ones included.
    pub payments: usize,
    /// The first day, in UTC.
    pub start: NaiveDate,
    /// Days, at least [`FEWEST_DAYS`].
    pub days: u32,
    /// Planted cases of each typology, and innocent events of each kind.
    pub cases: usize,
}

/// The fewest days in which an account can fall asleep and awake.
pub const FEWEST_DAYS: u32 = 130;
/// The most days, ten years.
pub const MOST_DAYS: u32 = 3_653;
/// The fewest accounts of a bank with all trades.
pub const FEWEST_ACCOUNTS: usize = 1_000;

/// Why there is no such network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsFault {
    /// The days are not [`FEWEST_DAYS`] to [`MOST_DAYS`].
    Days(u32),
    /// The accounts are fewer than [`FEWEST_ACCOUNTS`].
    Accounts(usize),
    /// The customers are too few for the cases.
    Cases(usize),
    /// What comes back each month is more than the payments asked for. Says how many payments that is.
    Payments { fewest: usize },
}

impl Settings {
    /// 5,000 accounts and 200,000 payments in 180 days from 2026-01-01 on, with 12 cases of each typology.
    pub fn with_seed(seed: u64) -> Self {
        let start = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap_or_default();
        Self { seed, accounts: 5_000, payments: 200_000, start, days: 180, cases: 12 }
    }
}

/// Makes up a network.
///
/// Fails when the settings ask for what can't be. Half a second at the size of [`Settings::with_seed`].
pub fn generate(settings: &Settings) -> Result<Network, SettingsFault> {
    let Settings { seed, accounts, payments, start, days, cases } = *settings;
    let days = i32::try_from(days).ok().filter(|_| (FEWEST_DAYS..=MOST_DAYS).contains(&days)).ok_or(SettingsFault::Days(days))?;
    if accounts < FEWEST_ACCOUNTS {
        return Err(SettingsFault::Accounts(accounts));
    }
    // With more, the subjects of cases would be a large part of all customers.
    if cases > accounts / 100 {
        return Err(SettingsFault::Cases(cases));
    }
    let population = Population::new(seed, &Sizes { accounts, mules: cases * 8, dormant: (accounts * 28 / 1_000).max(cases * 3) });
    let mut book = Book::new(Calendar::new(start, days), &population);
    let mut cast = Cast::new(&population, &mut book, seed);
    planted::plant(&mut cast, cases).ok_or(SettingsFault::Cases(cases))?;
    let unused = cast.unused();
    let mut cast = Cast::of_unused(&population, &mut book, Draw::new(seed, Part::LookAlikes), unused);
    look_alikes::enter(&mut cast, cases).ok_or(SettingsFault::Cases(cases))?;
    let unused = cast.unused();
    related::note(&population, &mut book, seed);
    let mut cast = Cast::of_unused(&population, &mut book, Draw::new(seed, Part::Related), unused);
    related::enter(&mut cast, cases).ok_or(SettingsFault::Cases(cases))?;
    ordinary::enter_regular(&population, &mut book, seed);
    let purchases = payments.checked_sub(book.len()).ok_or(SettingsFault::Payments { fewest: book.len() })?;
    ordinary::enter_purchases(&population, &mut book, seed, purchases);
    Ok(book.finish(&population, seed))
}

impl fmt::Display for SettingsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "a network has {FEWEST_DAYS} to {MOST_DAYS} days, not {days}"),
            Self::Accounts(accounts) => write!(f, "a network has at least {FEWEST_ACCOUNTS} accounts, not {accounts}"),
            Self::Cases(cases) => write!(f, "there are too few customers for {cases} cases of each typology"),
            Self::Payments { fewest } => write!(f, "salaries, rents, cases and the like alone are {fewest} payments"),
        }
    }
}

impl std::error::Error for SettingsFault {}

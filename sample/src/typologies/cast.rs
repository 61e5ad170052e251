//! Who takes part in planted cases and in innocent events, and when.

use super::book::{Book, Entry, Transfer};
use super::calendar::Hours;
use super::draw::{Draw, Part};
use super::network::{AccountId, Cents, Currency, Typology};
use super::population::{Income, Person, Population};

const HOUR_MS: f64 = 3_600_000.0;

/// One earner in so many may be a newcomer.
const NEWCOMERS: usize = 30;

/// Chooses accounts and days. An account is the subject of one case or event at most.
pub(super) struct Cast<'a> {
    pub population: &'a Population,
    pub book: &'a mut Book,
    pub draw: Draw,
    /// People in random order, who have not been a subject yet.
    people: Vec<AccountId>,
    small: Vec<AccountId>,
    mules: Vec<AccountId>,
    dormant: Vec<AccountId>,
    /// People without a second account who may have come during the time of the network.
    newcomers: Vec<AccountId>,
    /// Everybody that may be a party beside the subject.
    parties: Vec<AccountId>,
}

/// Accounts that have not been a subject yet.
pub(super) struct Unused {
    people: Vec<AccountId>,
    small: Vec<AccountId>,
    mules: Vec<AccountId>,
    dormant: Vec<AccountId>,
    newcomers: Vec<AccountId>,
}

/// The payments of one case or event, all in one currency.
pub(super) struct Scene {
    pub currency: Currency,
    pub entries: Vec<Entry>,
}

/// Makes up a case of a number: the accounts that it is about, and its payments. None when there are too few customers.
pub(super) type Case = fn(&mut Cast<'_>, usize) -> Option<(Vec<AccountId>, Scene)>;

impl<'a> Cast<'a> {
    /// The cast of the planted cases.
    pub fn new(population: &'a Population, book: &'a mut Book, seed: u64) -> Self {
        let mut draw = Draw::new(seed, Part::Planted);
        let earners = population.people.iter().filter(|person| !matches!(person.income, Income::Student { .. } | Income::Benefit));
        let (newcomers, people): (Vec<(usize, &Person)>, Vec<_>) =
            earners.enumerate().partition(|(place, person)| place.is_multiple_of(NEWCOMERS) && person.savings.is_none());
        let accounts = |people: Vec<(usize, &Person)>| people.into_iter().map(|(_, person)| person.account).collect();
        let (newcomers, mut people): (Vec<AccountId>, Vec<AccountId>) = (accounts(newcomers), accounts(people));
        draw.shuffle(&mut people);
        // The first of the small companies trade both ways with each other.
        let mut small: Vec<AccountId> = population.companies.small_accounts.iter().skip(20).copied().collect();
        draw.shuffle(&mut small);
        let mut mules = population.mules.clone();
        draw.shuffle(&mut mules);
        let unused = Unused { people, small, mules, dormant: population.dormant.clone(), newcomers };
        Self::of_unused(population, book, draw, unused)
    }

    /// The cast of what comes behind the planted cases: who is left.
    pub fn of_unused(population: &'a Population, book: &'a mut Book, draw: Draw, unused: Unused) -> Self {
        let Unused { people, small, mules, dormant, newcomers } = unused;
        let parties = [&people[..], &small[..]].concat();
        Self { population, book, draw, people, small, mules, dormant, newcomers, parties }
    }

    pub fn unused(self) -> Unused {
        Unused { people: self.people, small: self.small, mules: self.mules, dormant: self.dormant, newcomers: self.newcomers }
    }

    pub fn person(&mut self) -> Option<AccountId> {
        self.people.pop()
    }

    pub fn small_company(&mut self) -> Option<AccountId> {
        self.small.pop()
    }

    pub fn dormant(&mut self) -> Option<AccountId> {
        self.dormant.pop()
    }

    pub fn newcomer(&mut self) -> Option<AccountId> {
        self.newcomers.pop()
    }

    /// An account that is opened on a day.
    pub fn newly_opened(&mut self, day: i32) -> Option<AccountId> {
        let mule = self.mules.pop()?;
        self.book.open(mule, day);
        Some(mule)
    }

    /// The subject of a case: a customer for long, or one who opened the account for it some weeks before.
    pub fn subject(&mut self, day: i32) -> Option<AccountId> {
        // New accounts are kept for the cases that can't do without them.
        let reserved = self.population.mules.len() / 4;
        match self.draw.real(0.0..=1.0) {
            share if share < 0.35 && self.mules.len() > reserved => {
                let before = self.draw.day(4..=50);
                self.newly_opened(day - before)
            }
            share if share < 0.8 => self.person(),
            _ => self.small_company(),
        }
    }

    /// Different parties beside those who are in already.
    pub fn parties(&mut self, number: usize, others: &[AccountId]) -> Vec<AccountId> {
        let mut parties = self.draw.several(&self.parties, number.saturating_add(others.len()));
        parties.retain(|party| !others.contains(party));
        parties.truncate(number);
        parties
    }

    /// The first day of something that takes so many days and begins on the earliest day at the soonest.
    pub fn first_day(&mut self, earliest: i32, days: i32) -> i32 {
        let last = (self.book.calendar.days() - days - 1).max(earliest);
        self.draw.day(earliest..=last)
    }

    /// A time on a day.
    pub fn at(&mut self, day: i32, hours: Hours) -> i64 {
        self.book.calendar.at(day, hours, &mut self.draw)
    }

    /// A time so many hours later.
    pub fn later(&mut self, at: i64, hours: std::ops::RangeInclusive<f64>) -> i64 {
        at + (self.draw.real(hours) * HOUR_MS) as i64 + 1
    }

    /// A scene in a currency, mostly the euro.
    pub fn scene(&mut self) -> Scene {
        let currency = if self.draw.chance(0.88) { Currency::Eur } else { self.draw.pick(&Currency::ALL) };
        Scene { currency, entries: Vec::new() }
    }

    /// A scene in euro.
    pub fn euro(&self) -> Scene {
        Scene { currency: Currency::Eur, entries: Vec::new() }
    }

    /// Plants a case.
    pub fn plant(&mut self, typology: Typology, case: Case, number: usize) -> Option<()> {
        let (focal, scene) = case(self, number)?;
        self.book.plant(typology, self.population.owners_of(&focal), scene.entries);
        Some(())
    }

    /// Enters a payment of a scene.
    pub fn send(&mut self, scene: &mut Scene, (from, to): (AccountId, AccountId), at: i64, amount: Cents) {
        scene.entries.push(self.book.enter(Transfer { from, to, at, amount, currency: scene.currency }));
    }
}

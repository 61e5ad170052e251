//! The payments while they are made, before they are sorted and numbered.

use super::calendar::{Calendar, Hours};
use super::draw::{Draw, Part};
use super::facts::Known;
use super::innocent::Innocent;
use super::network::{Account, AccountId, Actor, ActorId, Cents, Currency, LookAlike, Network, Payment, PaymentId, Planted, Typology};
use super::population::Population;

/// The place of a payment in the order in which payments were made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u32);

/// A payment without a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    pub from: AccountId,
    pub to: AccountId,
    pub at: i64,
    pub amount: Cents,
    pub currency: Currency,
}

/// All payments so far and what is known of them.
pub(super) struct Book {
    pub calendar: Calendar,
    /// The day on which each account was opened.
    opened: Vec<i32>,
    entries: Vec<Transfer>,
    pub known: Known<Entry>,
    planted: Vec<(Typology, Vec<ActorId>, Vec<Entry>)>,
    look_alikes: Vec<(Innocent, Vec<Entry>)>,
}

impl Book {
    pub fn new(calendar: Calendar, population: &Population) -> Self {
        Self {
            calendar,
            opened: population.opened.clone(),
            entries: Vec::new(),
            known: Known::nothing(),
            planted: Vec::new(),
            look_alikes: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Moves the opening of an account.
    pub fn open(&mut self, account: AccountId, day: i32) {
        self.opened[account.0 as usize] = day;
    }

    pub fn opened(&self, account: AccountId) -> i32 {
        self.opened[account.0 as usize]
    }

    /// Enters a payment of a case or an event, whose days its maker has chosen.
    pub fn enter(&mut self, transfer: Transfer) -> Entry {
        self.entries.push(transfer);
        Entry(self.entries.len() as u32 - 1)
    }

    /// Enters an ordinary payment in euro; nothing where an account is not open yet, or payer and payee are one.
    pub fn pay(&mut self, from: AccountId, to: AccountId, (day, hours): (i32, Hours), amount: Cents, draw: &mut Draw) -> Option<Entry> {
        self.pay_in(Currency::Eur, from, to, (day, hours), amount, draw)
    }

    /// Enters an ordinary payment in a currency; nothing where an account is not open yet, or payer and payee are one.
    pub fn pay_in(
        &mut self,
        currency: Currency,
        from: AccountId,
        to: AccountId,
        (day, hours): (i32, Hours),
        amount: Cents,
        draw: &mut Draw,
    ) -> Option<Entry> {
        let is_open = self.opened(from) <= day && self.opened(to) <= day && (0..self.calendar.days()).contains(&day);
        let at = self.calendar.at(day, hours, draw);
        (is_open && from != to).then(|| self.enter(Transfer { from, to, at, amount, currency }))
    }

    /// Notes that the payments are a planted case.
    pub fn plant(&mut self, typology: Typology, focal: Vec<ActorId>, entries: Vec<Entry>) {
        self.planted.push((typology, focal, entries));
    }

    /// Notes that the payments are innocent although they look like a typology.
    pub fn look_alike(&mut self, kind: Innocent, entries: Vec<Entry>) {
        if !entries.is_empty() {
            self.look_alikes.push((kind, entries));
        }
    }

    /// Sorts the payments and numbers them. Actors and accounts get numbers at random, so that no number says what something is.
    pub fn finish(self, population: &Population, seed: u64) -> Network {
        let mut draw = Draw::new(seed, Part::Numbering);
        let actors = numbers(population.actors.len(), &mut draw);
        let accounts = numbers(population.owners.len(), &mut draw);
        let mut order: Vec<u32> = (0..self.entries.len() as u32).collect();
        order.sort_by_key(|&entry| (self.entries[entry as usize].at, entry));
        let mut payments = Vec::with_capacity(order.len());
        let mut ids = vec![PaymentId(0); order.len()];
        for (id, &entry) in (0..).map(PaymentId).zip(&order) {
            ids[entry as usize] = id;
            let Transfer { from, to, at, amount, currency } = self.entries[entry as usize];
            let (from, to) = (AccountId(accounts[from.0 as usize]), AccountId(accounts[to.0 as usize]));
            payments.push(Payment { id, from, to, at, amount, currency });
        }
        let numbered = |entries: &[Entry]| {
            let mut payments: Vec<PaymentId> = entries.iter().map(|entry| ids[entry.0 as usize]).collect();
            payments.sort_unstable();
            payments
        };
        let day = |payment: Option<&PaymentId>| self.calendar.date(payment.map_or(0, |id| self.calendar.day(payments[id.0 as usize].at)));
        let planted = self.planted.iter().map(|(typology, focal, entries)| {
            let ids = numbered(entries);
            let (first_day, last_day) = (day(ids.first()), day(ids.last()));
            Planted {
                typology: *typology,
                focal: focal.iter().map(|actor| ActorId(actors[actor.0 as usize])).collect(),
                payments: ids,
                first_day,
                last_day,
            }
        });
        let planted = planted.collect();
        let look_alikes = self.look_alikes.iter().map(|(kind, entries)| LookAlike { kind: *kind, payments: numbered(entries) }).collect();
        let facts = self.known.numbered(
            |actor| ActorId(actors[actor.0 as usize]),
            |account| AccountId(accounts[account.0 as usize]),
            |entry| ids[entry.0 as usize],
        );
        let (actors, accounts) = (self.actors(population, &actors), self.accounts(population, &actors, &accounts));
        Network { actors, accounts, payments, facts, planted, look_alikes }
    }

    fn actors(&self, population: &Population, numbers: &[u32]) -> Vec<Actor> {
        let mut since = vec![i32::MAX; numbers.len()];
        for (owner, &opened) in population.owners.iter().zip(&self.opened) {
            if let Some(owner) = owner {
                let since = &mut since[owner.0 as usize];
                *since = opened.min(*since);
            }
        }
        let actors = population.actors.iter().zip(since).zip(numbers).map(|((profile, since), &number)| Actor {
            id: ActorId(number),
            kind: profile.kind,
            since: self.calendar.date(since - profile.customer_before),
            domicile: profile.domicile,
        });
        let mut actors: Vec<Actor> = actors.collect();
        actors.sort_unstable_by_key(|actor| actor.id);
        actors
    }

    fn accounts(&self, population: &Population, actors: &[u32], numbers: &[u32]) -> Vec<Account> {
        let accounts = population.owners.iter().zip(&self.opened).zip(numbers).map(|((owner, &opened), &number)| Account {
            id: AccountId(number),
            owner: owner.map(|owner| ActorId(actors[owner.0 as usize])),
            opened: self.calendar.date(opened),
        });
        let mut accounts: Vec<Account> = accounts.collect();
        accounts.sort_unstable_by_key(|account| account.id);
        accounts
    }
}

fn numbers(count: usize, draw: &mut Draw) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    draw.shuffle(&mut numbers);
    numbers
}

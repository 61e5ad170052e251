//! The bank's customers and what they do for a living, before any payment is made.

mod companies;
mod people;

use super::draw::{Draw, Part, Weighted};
use super::network::{AccountId, ActorId, ActorKind};
pub(super) use companies::{Companies, Company, Shop};
pub(super) use people::{Home, Income, Person};

/// How many accounts of each kind there are. The rest are people.
pub(super) struct Sizes {
    pub accounts: usize,
    /// Accounts that the planted cases open.
    pub mules: usize,
    /// Accounts without payments of their own.
    pub dormant: usize,
}

impl Sizes {
    /// So many per mille of all accounts.
    fn per_mille(&self, share: usize) -> usize {
        (self.accounts * share / 1_000).max(1)
    }
}

/// A customer.
#[derive(Clone)]
pub(super) struct Profile {
    pub kind: ActorKind,
    pub domicile: &'static str,
    /// Days between becoming a customer and the first account.
    pub customer_before: i32,
}

/// Everybody, by what they do. An account's place in the lists of accounts is its id.
pub(super) struct Population {
    pub actors: Vec<Profile>,
    pub owners: Vec<Option<ActorId>>,
    /// The day on which each account was opened; negative before the network's first day.
    pub opened: Vec<i32>,
    /// The bank's own: cash in and out.
    pub cash: Vec<AccountId>,
    /// The bank's own: payments from and to other banks.
    pub clearing: Vec<AccountId>,
    pub companies: Companies,
    pub people: Vec<Person>,
    pub mules: Vec<AccountId>,
    pub dormant: Vec<AccountId>,
}

impl Population {
    pub fn new(seed: u64, sizes: &Sizes) -> Self {
        let mut draw = Draw::new(seed, Part::Population);
        let mut population = Self {
            actors: Vec::new(),
            owners: Vec::new(),
            opened: Vec::new(),
            cash: Vec::new(),
            clearing: Vec::new(),
            companies: Companies::default(),
            people: Vec::new(),
            mules: Vec::new(),
            dormant: Vec::new(),
        };
        population.cash = (0..4).map(|_| population.add(None, -6_000)).collect();
        population.clearing = (0..4).map(|_| population.add(None, -6_000)).collect();
        population.companies = Companies::new(&mut population, sizes, &mut draw);
        population.dormant = (0..sizes.dormant).map(|_| population.individual(&mut draw)).collect();
        population.mules = (0..sizes.mules).map(|_| population.mule(&mut draw)).collect();
        people::add(&mut population, sizes.accounts, &mut draw);
        population
    }

    /// An account of an actor, or of the bank itself.
    fn add(&mut self, owner: Option<ActorId>, opened: i32) -> AccountId {
        self.owners.push(owner);
        self.opened.push(opened);
        AccountId(self.owners.len() as u32 - 1)
    }

    fn actor(&mut self, kind: ActorKind, draw: &mut Draw) -> ActorId {
        let customer_before = if draw.chance(0.7) { 0 } else { draw.day(1..=1_500) };
        self.actors.push(Profile { kind, domicile: domicile(draw), customer_before });
        ActorId(self.actors.len() as u32 - 1)
    }

    /// The account of a person who has been a customer for a time.
    fn individual(&mut self, draw: &mut Draw) -> AccountId {
        let owner = self.actor(ActorKind::Individual, draw);
        let opened = -draw.day(200..=6_000);
        self.add(Some(owner), opened)
    }

    /// The account of a company that has been a customer for a time.
    fn company(&mut self, draw: &mut Draw) -> AccountId {
        let owner = self.actor(ActorKind::LegalEntity, draw);
        let opened = -draw.day(150..=5_000);
        self.add(Some(owner), opened)
    }

    /// An account that a case will open; the day is set then.
    fn mule(&mut self, draw: &mut Draw) -> AccountId {
        let kind = if draw.chance(0.7) { ActorKind::Individual } else { ActorKind::LegalEntity };
        let owner = self.actor(kind, draw);
        self.actors[owner.0 as usize].customer_before = 0;
        let opened = -draw.day(60..=400);
        self.add(Some(owner), opened)
    }

    pub fn owner(&self, account: AccountId) -> Option<ActorId> {
        self.owners[account.0 as usize]
    }

    /// The owners of accounts, each once, in the order of the accounts.
    pub fn owners_of(&self, accounts: &[AccountId]) -> Vec<ActorId> {
        let mut owners = Vec::new();
        for owner in accounts.iter().filter_map(|&account| self.owner(account)) {
            if !owners.contains(&owner) {
                owners.push(owner);
            }
        }
        owners
    }
}

/// The country of a customer of a bank in Germany.
fn domicile(draw: &mut Draw) -> &'static str {
    const COUNTRIES: [(&str, f64); 12] = [
        ("DE", 88.0),
        ("FR", 2.0),
        ("AT", 2.0),
        ("NL", 1.5),
        ("PL", 1.5),
        ("CH", 1.0),
        ("IT", 1.0),
        ("GB", 0.8),
        ("US", 0.8),
        ("TR", 0.6),
        ("AE", 0.4),
        ("CY", 0.4),
    ];
    COUNTRIES[Weighted::new(COUNTRIES.map(|(_, weight)| weight)).draw(draw)].0
}

//! Who has which number, as a function of what accounts' own records say and of which numbers payments have named together. Knows nothing of the
//! database.
//!
//! A number that accounts' own records name is theirs (of several, the first by id). Any other belongs, with all that payments have named together
//! with it, to an account of which one of them was named together with its own number; else to the account that has had them; else to one external
//! account, which is called after the first of them. What is decided does not depend on the order in which records and payments came.
//!
//! An account's id that a payment names beside numbers is a hint, kept as one more number ([`hinted_account`]) that belongs to that account alone. It
//! counts for the payment where no account's own record names any of the numbers, and for the numbers themselves, so that all who name them find the
//! same account. Where the account's own record names one of the numbers, it says which of several accounts with that number is meant.

use std::collections::{BTreeMap, BTreeSet};

use graph_schema::identity::hinted_account;

/// What the ids of external accounts begin with.
pub const EXTERNAL: &str = "external:";

/// Why an account has a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Its own record names it.
    Record,
    /// Payments have named it together with another of its numbers, or it is external.
    Payment,
}

/// A number as it is stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    pub name: String,
    pub holders: BTreeMap<String, Source>,
    /// Numbers that payments have named together with it.
    pub named: BTreeSet<String>,
    /// Whether payments are still being moved by it.
    pub moving: bool,
}

/// What is said of numbers.
#[derive(Debug, Clone, Default)]
pub struct Claims {
    /// Captions of the numbers, by id.
    pub names: BTreeMap<String, String>,
    /// Numbers that payments name.
    pub paid: BTreeSet<String>,
    /// Numbers that one payment names together.
    pub together: BTreeSet<(String, String)>,
    /// The numbers that accounts' own records name now, all of them.
    pub own: BTreeMap<String, BTreeSet<String>>,
    /// Those that the records named before, and the accounts' ids where payments have named these beside numbers.
    pub former: BTreeSet<String>,
    /// Accounts that have records, of those whose ids are named beside numbers for the first time.
    pub recorded: BTreeSet<String>,
}

/// What must change.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    /// Number, account, why.
    pub give: Vec<(String, String, Source)>,
    /// Number, account.
    pub take: Vec<(String, String)>,
    /// External accounts that must be there: id and the number they are called after.
    pub external: BTreeMap<String, String>,
    /// Accounts whose payments by a number may belong to somebody else now: account, number.
    pub leave: BTreeSet<(String, String)>,
}

pub type Numbers = BTreeMap<String, Known>;

impl Claims {
    /// The numbers that something is said of.
    pub fn numbers(&self) -> BTreeSet<String> {
        let own = self.own.values().flatten();
        let together = self.together.iter().flat_map(|(one, other)| [one, other]);
        own.chain(together).chain(&self.paid).chain(&self.former).cloned().collect()
    }

    /// Numbers that must be known as well before anything can be decided: whatever hangs together through numbers that no record names.
    pub fn unread(&self, numbers: &Numbers) -> BTreeSet<String> {
        let world = World { claims: self, numbers };
        let is_said = |id: &String| self.former.contains(id) || self.own.values().any(|own| own.contains(id));
        let open = numbers.keys().filter(|id| match hinted_account(id) {
            Some(account) => world.draws_payments(id, account),
            None => is_said(id) || !world.is_owned_before(id) || world.owners(id).is_empty(),
        });
        open.flat_map(|id| world.neighbours(id)).filter(|id| !numbers.contains_key(id)).collect()
    }
}

/// Who has numbers.
#[derive(Debug, Default, PartialEq)]
pub struct Holders(pub BTreeMap<String, BTreeMap<String, Source>>);

impl Holders {
    /// To whom a payment belongs that names these numbers, the strongest first, behind them perhaps an account's id: to that account where its own record
    /// names one of the numbers, to who has the first that an account's own record names, else to who has them by what payments say. The same is in the
    /// statements `transaction/record_by_number`, `payment_move/left` and `payment_move/places`.
    pub fn of<'a>(&self, numbers: impl Iterator<Item = &'a str> + Clone) -> Option<&str> {
        let hinted = numbers.clone().find_map(hinted_account).and_then(|account| {
            let mut holders = numbers.clone().filter(|id| hinted_account(id).is_none()).filter_map(|id| self.0.get(id));
            holders.find_map(|holders| holders.get_key_value(account).filter(|(_, why)| **why == Source::Record))
        });
        if let Some((account, _)) = hinted {
            return Some(account.as_str());
        }
        let by = |source: Source| {
            let mut holders = numbers.clone().filter_map(|id| self.0.get(id));
            holders.find_map(|holders| holders.iter().find(|(_, why)| **why == source)).map(|(account, _)| account.as_str())
        };
        by(Source::Record).or_else(|| by(Source::Payment))
    }
}

/// Decides what must change so that everybody has what they must, and who then has which number.
pub fn plan(numbers: &Numbers, claims: &Claims) -> (Plan, Holders) {
    let world = World { claims, numbers };
    let mut after: BTreeMap<String, BTreeMap<String, Source>> = BTreeMap::new();
    let mut plan = Plan::default();
    for id in numbers.keys() {
        let owners = world.owners(id);
        if !owners.is_empty() {
            after.insert(id.clone(), owners.into_iter().map(|account| (account.to_owned(), Source::Record)).collect());
        } else if let Some(account) = hinted_account(id) {
            after.insert(id.clone(), BTreeMap::from([(account.to_owned(), Source::Payment)]));
        }
    }
    for group in world.groups() {
        let Some(holder) = world.holder(&group) else { continue };
        if let Some(first) = holder.strip_prefix(EXTERNAL) {
            plan.external.insert(holder.clone(), first.to_owned());
        }
        after.extend(group.iter().map(|id| ((*id).to_owned(), BTreeMap::from([(holder.clone(), Source::Payment)]))));
    }
    let nobody = BTreeMap::new();
    for (id, known) in numbers {
        let holders = after.get(id.as_str()).unwrap_or(&nobody);
        let given = holders.iter().filter(|(account, source)| known.holders.get(*account) != Some(source));
        plan.give.extend(given.map(|(account, source)| (id.clone(), account.clone(), *source)));
        let taken = known.holders.keys().filter(|account| !holders.contains_key(*account));
        plan.take.extend(taken.map(|account| (id.clone(), account.clone())));
        plan.leave.extend(world.left(id, known, holders).into_iter().map(|account| (account, id.clone())));
    }
    (plan, Holders(after))
}

struct World<'a> {
    claims: &'a Claims,
    numbers: &'a Numbers,
}

impl<'a> World<'a> {
    /// Accounts whose own records name the number now. An account's id is its own once it has a record.
    fn owners<'b>(&'b self, id: &'b str) -> BTreeSet<&'b str> {
        if let Some(account) = hinted_account(id) {
            let is_recorded = self.is_owned_before(id) || self.claims.own.contains_key(account) || self.claims.recorded.contains(account);
            return BTreeSet::from_iter(is_recorded.then_some(account));
        }
        let before = self.numbers.get(id).into_iter().flat_map(owners_before).filter(|account| !self.claims.own.contains_key(*account));
        let now = self.claims.own.iter().filter(|(_, numbers)| numbers.contains(id)).map(|(account, _)| account.as_str());
        before.chain(now).collect()
    }

    fn is_owned_before(&self, id: &str) -> bool {
        self.numbers.get(id).is_some_and(|known| owners_before(known).next().is_some())
    }

    /// Whether payments that name the account's id beside numbers belong to it now, and did not before: it has its first record, or one that names more
    /// numbers.
    fn draws_payments(&self, id: &str, account: &str) -> bool {
        let Some(own) = self.claims.own.get(account) else { return false };
        let had = |number: &String| self.numbers.get(number).is_some_and(|known| known.holders.get(account) == Some(&Source::Record));
        !self.is_owned_before(id) || !own.iter().all(had)
    }

    fn neighbours(&self, id: &str) -> BTreeSet<String> {
        let before = self.numbers.get(id).into_iter().flat_map(|known| known.named.iter().cloned());
        let now = self.claims.together.iter().filter_map(|(one, other)| match id {
            _ if id == one => Some(other.clone()),
            _ if id == other => Some(one.clone()),
            _ => None,
        });
        before.chain(now).collect()
    }

    /// Numbers that no record names, as they hang together. Ids of accounts hold nothing together.
    fn groups(&self) -> Vec<BTreeSet<&'a str>> {
        let numbers = self.numbers.keys().map(String::as_str).filter(|id| hinted_account(id).is_none());
        let mut left: BTreeSet<&str> = numbers.filter(|id| self.owners(id).is_empty()).collect();
        let mut groups = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut group = BTreeSet::new();
            let mut next = vec![first];
            while let Some(id) = next.pop() {
                group.insert(id);
                let near = self.neighbours(id);
                let (found, rest) = left.into_iter().partition(|other| near.contains(*other));
                left = rest;
                next.extend::<BTreeSet<&str>>(found);
            }
            groups.push(group);
        }
        groups
    }

    /// Who has the numbers of a group; `None` when nobody has to.
    fn holder(&self, group: &BTreeSet<&'a str>) -> Option<String> {
        let near: BTreeSet<String> = group.iter().flat_map(|id| self.neighbours(id)).collect();
        if let Some(account) = near.iter().filter_map(|id| self.owners(id).first().copied()).min() {
            return Some(account.to_owned());
        }
        let hinted: BTreeSet<&str> = near.iter().filter_map(|id| hinted_account(id)).collect();
        let had = group.iter().flat_map(|id| self.had(id));
        if let Some(account) = had.filter(|account| !account.starts_with(EXTERNAL) && !hinted.contains(account)).min() {
            return Some(account.to_owned());
        }
        if let Some(account) = hinted.first() {
            return Some((*account).to_owned());
        }
        let is_needed = group.iter().any(|id| self.claims.paid.contains(*id) || self.had(id).next().is_some());
        group.first().filter(|_| is_needed).map(|first| format!("{EXTERNAL}{first}"))
    }

    /// Who has had a number that no record names now. A record that does not name it any more leaves it with the account only where payments
    /// have made it known as the account's.
    fn had(&self, id: &str) -> impl Iterator<Item = &'a str> {
        let known = self.numbers.get(id);
        let stays = known.is_some_and(|known| known.moving) || !self.neighbours(id).is_empty();
        let holders = known.into_iter().flat_map(|known| &known.holders);
        holders.filter(move |(_, source)| stays || **source == Source::Payment).map(|(account, _)| account.as_str())
    }

    /// Accounts that have payments by the number which are somebody else's now. What an account's record does not name any more stays.
    fn left(&self, id: &str, known: &Known, holders: &BTreeMap<String, Source>) -> BTreeSet<String> {
        let Some((now, source)) = holders.first_key_value() else { return BTreeSet::new() };
        let dropped = |account: &str| known.holders.get(account) == Some(&Source::Record) && self.claims.own.contains_key(account);
        let mut left: BTreeSet<String> = first(known).filter(|account| !dropped(account)).map(str::to_owned).into_iter().collect();
        let is_drawn = hinted_account(id).is_some_and(|account| self.draws_payments(id, account));
        if *source == Source::Record && (is_drawn || !self.is_owned_before(id)) {
            // A payment that names the number together with another's went to that one.
            left.extend(known.named.iter().filter_map(|other| first(self.numbers.get(other)?)).map(str::to_owned));
        }
        left.remove(now);
        left
    }
}

fn owners_before(known: &Known) -> impl Iterator<Item = &str> {
    known.holders.iter().filter(|(_, source)| **source == Source::Record).map(|(account, _)| account.as_str())
}

/// Who had the number.
fn first(known: &Known) -> Option<&str> {
    owners_before(known).next().or_else(|| known.holders.keys().next().map(String::as_str))
}

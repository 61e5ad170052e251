//! What each typology of relations claims, checked on payments and facts.

use std::collections::{BTreeMap, BTreeSet};

use sample::typologies::{AccountId, ActorId, Assessment, Fact, Innocent, Network, Party, Payment, PaymentId};

use super::NETWORK;
use super::shapes::{Checked, ensure, sum};

/// What is known, by whom or what it is about.
pub struct Facts<'a> {
    network: &'a Network,
    countries: BTreeMap<PaymentId, &'static str>,
    counterparties: BTreeMap<PaymentId, Party>,
    holders: BTreeMap<AccountId, Party>,
    /// What the last assessment of each kind says.
    assessed: BTreeMap<(Party, Assessment), bool>,
    owners: BTreeMap<Party, Vec<Party>>,
    /// Phones, addresses and devices of each actor.
    shared: BTreeMap<ActorId, BTreeSet<(&'static str, u32)>>,
}

impl<'a> Facts<'a> {
    pub fn of(network: &'a Network) -> Self {
        let mut facts = Self {
            network,
            countries: BTreeMap::new(),
            counterparties: BTreeMap::new(),
            holders: BTreeMap::new(),
            assessed: BTreeMap::new(),
            owners: BTreeMap::new(),
            shared: BTreeMap::new(),
        };
        // In their order, so that the last assessment is what stays.
        for fact in &network.facts {
            facts.add(*fact);
        }
        facts
    }

    fn add(&mut self, fact: Fact) {
        match fact {
            Fact::HasPhone { actor, phone } => drop(self.shared.entry(actor).or_default().insert(("phone", phone))),
            Fact::HasAddress { actor, address } => drop(self.shared.entry(actor).or_default().insert(("address", address))),
            Fact::SignedIn { account, device } => {
                let owner = self.network.accounts[account.0 as usize].owner.unwrap();
                self.shared.entry(owner).or_default().insert(("device", device));
            }
            Fact::Holds { party, account } => drop(self.holders.insert(account, party)),
            Fact::Owns { owner, owned } => self.owners.entry(owned).or_default().push(owner),
            Fact::Assessed { party, kind, holds, turn: _ } => drop(self.assessed.insert((party, kind), holds)),
            Fact::Counterparty { payment, party } => drop(self.counterparties.insert(payment, Party::Outsider(party))),
            Fact::Country { payment, code } => drop(self.countries.insert(payment, code)),
        }
    }

    pub fn one_country(&self, payments: &[&Payment]) -> Checked {
        let countries: BTreeSet<_> = payments.iter().map(|payment| self.countries.get(&payment.id)).collect();
        ensure(countries.len() == 1 && !countries.contains(&None), "not one country")?;
        ensure((1_200_000..=20_000_000).contains(&sum(payments)), "12,000 to 200,000")
    }

    /// All payments are with one party, which is assessed like that.
    pub fn one_counterparty(&self, payments: &[&Payment], kind: Assessment) -> Checked {
        let party = |payment: &&Payment| self.counterparties.get(&payment.id).or_else(|| self.holders.get(&payment.to)).copied();
        let parties: BTreeSet<Option<Party>> = payments.iter().map(party).collect();
        let [Some(party)] = parties.iter().copied().collect::<Vec<_>>()[..] else { return Err("not one counterparty".to_owned()) };
        ensure(self.assessed.get(&(party, kind)) == Some(&true), "the counterparty is not assessed")
    }

    /// The members have something in common, and pay one account most of what they get.
    pub fn ring(&self, members: &[ActorId], into: &[&Payment], out: &[&Payment]) -> Checked {
        ensure((3..=8).contains(&members.len()), "3 to 8 members")?;
        let mut common = self.shared.get(&members[0]).cloned().unwrap_or_default();
        for member in members {
            common.retain(|shared| self.shared.get(member).is_some_and(|of| of.contains(shared)));
        }
        ensure(!common.is_empty(), "the members share nothing")?;
        ensure(out.iter().all(|payment| payment.to == out[0].to) && out.len() == members.len(), "the members pay more than one account")?;
        ensure(sum(out) * 100 >= sum(into) * 74 && sum(out) <= sum(into), "75 % to 97 % is paid on")
    }

    /// Both ends have an owner in common, four links or more from both together.
    pub fn far_apart(&self, payments: &[&Payment]) -> Checked {
        let owner = |account: AccountId| Party::Customer(self.network.accounts[account.0 as usize].owner.unwrap());
        let (one, other) = (self.owners_of(owner(payments[0].from)), self.owners_of(owner(payments[0].to)));
        let links = one.iter().filter_map(|(party, links)| Some(links + other.get(party)?)).min();
        ensure(links.is_some_and(|links| links >= 4), "no common owner four links away")?;
        ensure((2_500_000..=40_000_000).contains(&sum(payments)), "25,000 to 400,000")
    }

    fn owners_of(&self, party: Party) -> BTreeMap<Party, usize> {
        let mut found = BTreeMap::from([(party, 0)]);
        let mut left = vec![party];
        while let Some(party) = left.pop() {
            let links = found[&party] + 1;
            for &owner in self.owners.get(&party).into_iter().flatten() {
                if found.get(&owner).is_none_or(|&known| known > links) {
                    found.insert(owner, links);
                    left.push(owner);
                }
            }
        }
        found
    }
}

#[test]
fn cleared_counterparties_were_assessed_otherwise_before() {
    let facts = Facts::of(&NETWORK);
    for (kind, assessment) in [(Innocent::ClearedNamesake, Assessment::Sanctions), (Innocent::FormerPep, Assessment::Pep)] {
        for alike in NETWORK.look_alikes.iter().filter(|alike| alike.kind == kind) {
            let party = facts.counterparties[&alike.payments[0]];
            assert!(!facts.assessed[&(party, assessment)], "{kind:?}");
            let turns = NETWORK.facts.iter().filter(|fact| matches!(fact, Fact::Assessed { party: of, .. } if *of == party)).count();
            assert_eq!(turns, 2, "{kind:?}");
        }
    }
}

#[test]
fn households_share_addresses_and_some_of_them_a_phone() {
    let mut by_address: BTreeMap<u32, BTreeSet<ActorId>> = BTreeMap::new();
    let mut by_phone: BTreeMap<u32, BTreeSet<ActorId>> = BTreeMap::new();
    for fact in &NETWORK.facts {
        match *fact {
            Fact::HasAddress { actor, address } => drop(by_address.entry(address).or_default().insert(actor)),
            Fact::HasPhone { actor, phone } => drop(by_phone.entry(phone).or_default().insert(actor)),
            _ => {}
        }
    }
    let shared = |by: &BTreeMap<u32, BTreeSet<ActorId>>, least: usize| by.values().filter(|actors| actors.len() >= least).count();
    assert!(shared(&by_address, 2) > 300 && shared(&by_address, 3) > 50, "{} and {}", shared(&by_address, 2), shared(&by_address, 3));
    assert!(shared(&by_phone, 2) > 30, "{}", shared(&by_phone, 2));
}

#[test]
fn a_landlord_of_many_is_paid_by_one_address() {
    for alike in NETWORK.look_alikes.iter().filter(|alike| alike.kind == Innocent::LodgingHouse) {
        let payments = alike.payments.iter().map(|id| &NETWORK.payments[id.0 as usize]);
        let payers: BTreeSet<AccountId> = payments.map(|payment| payment.from).collect();
        assert!(payers.len() > 10, "{}", payers.len());
    }
}

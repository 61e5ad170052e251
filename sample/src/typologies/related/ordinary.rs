//! Facts of ordinary life.
//!
//! Two in five people live with others: a partner, grown-up children, flatmates. Some households have one phone or one device for all. Companies have an
//! address and a phone; a third of the small ones belong to a customer. Groups have a parent, which has an owner elsewhere. One person in 250 is a politically
//! exposed person.

use crate::typologies::book::Book;
use crate::typologies::draw::{Draw, Part};
use crate::typologies::facts::{Assessment, Fact, Party};
use crate::typologies::network::{AccountId, ActorId};
use crate::typologies::population::{Home, Population};

const MOST_IN_A_HOUSEHOLD: usize = 5;

/// Notes what is known of everybody.
pub(in crate::typologies) fn note(population: &Population, book: &mut Book, seed: u64) {
    let mut draw = Draw::new(seed, Part::Facts);
    let mut household: Vec<(ActorId, AccountId)> = Vec::new();
    for (place, person) in population.people.iter().enumerate() {
        let Some(actor) = population.owner(person.account) else { continue };
        let with_the_one_before = matches!(person.home, Home::Shared { .. }) || draw.chance(0.12);
        if place > 0 && !(with_the_one_before && household.len() < MOST_IN_A_HOUSEHOLD) {
            note_household(book, &household, &mut draw);
            household.clear();
        }
        household.push((actor, person.account));
        if draw.chance(0.004) {
            book.known.note(Fact::Assessed { party: Party::Customer(actor), kind: Assessment::Pep, holds: true, turn: 0 });
        }
    }
    note_household(book, &household, &mut draw);
    let people: Vec<ActorId> = population.people.iter().filter_map(|person| population.owner(person.account)).collect();
    let mut is_person = vec![false; population.actors.len()];
    people.iter().for_each(|person| is_person[person.0 as usize] = true);
    // Everybody else has an address and a phone of their own.
    for actor in (0..population.actors.len() as u32).map(ActorId).filter(|actor| !is_person[actor.0 as usize]) {
        let (phone, address) = (book.known.phone(), book.known.address());
        book.known.note(Fact::HasPhone { actor, phone });
        book.known.note(Fact::HasAddress { actor, address });
    }
    note_owners(population, book, &people, &mut draw);
}

fn note_household(book: &mut Book, household: &[(ActorId, AccountId)], draw: &mut Draw) {
    let address = book.known.address();
    let (one_phone, one_device) = (draw.chance(0.12).then(|| book.known.phone()), draw.chance(0.2).then(|| book.known.device()));
    for &(actor, account) in household {
        let phone = one_phone.unwrap_or_else(|| book.known.phone());
        let own_device = book.known.device();
        book.known.note(Fact::HasAddress { actor, address });
        book.known.note(Fact::HasPhone { actor, phone });
        for device in one_device.into_iter().chain([own_device]) {
            book.known.note(Fact::SignedIn { account, device });
        }
    }
}

fn note_owners(population: &Population, book: &mut Book, people: &[ActorId], draw: &mut Draw) {
    let companies = &population.companies;
    for &account in &companies.small_accounts {
        if let Some(company) = population.owner(account).filter(|_| draw.chance(0.33)) {
            let owner = Party::Customer(draw.pick(people));
            book.known.note(Fact::Owns { owner, owned: Party::Customer(company) });
        }
    }
    for (parent, subsidiaries) in &companies.groups {
        let Some(parent) = population.owner(*parent).map(Party::Customer) else { continue };
        let owner = Party::Outsider(book.known.outsider());
        book.known.note(Fact::Owns { owner, owned: parent });
        for owned in subsidiaries.iter().filter_map(|&account| population.owner(account)).map(Party::Customer) {
            book.known.note(Fact::Owns { owner: parent, owned });
        }
    }
}

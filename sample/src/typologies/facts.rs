//! What a bank knows of its customers beside their payments: how they are reached, whom they own, how they were assessed.

use std::fmt;

use super::network::{AccountId, ActorId, PaymentId};

/// A party without an account at the bank: a counterparty at another bank, a holding. Counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutsiderId(pub u32);

/// Anybody that something is known of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    Customer(ActorId),
    Outsider(OutsiderId),
}

/// What an assessment is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assessment {
    Pep,
    Sanctions,
}

/// Something known. It always was: no fact begins or ends in the time of the network. `P` says how payments are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact<P = PaymentId> {
    /// The actor is reached by the phone. Phones are counted from zero, and so are addresses and devices.
    HasPhone {
        actor: ActorId,
        phone: u32,
    },
    HasAddress {
        actor: ActorId,
        address: u32,
    },
    /// The account was signed in to from the device.
    SignedIn {
        account: AccountId,
        device: u32,
    },
    /// The party has a role on the account beside its owner.
    Holds {
        party: Party,
        account: AccountId,
    },
    /// The owner has a part of the other.
    Owns {
        owner: Party,
        owned: Party,
    },
    /// The party was assessed; of several assessments of a kind the one with the highest `turn` holds.
    Assessed {
        party: Party,
        kind: Assessment,
        turn: u8,
        holds: bool,
    },
    /// The payment's counterparty, which has no account at the bank.
    Counterparty {
        payment: P,
        party: OutsiderId,
    },
    /// The payment names the country of its counterparty, ISO 3166-1 alpha-2.
    Country {
        payment: P,
        code: &'static str,
    },
}

/// Facts while they are made up, and how many phones and the like there are so far.
pub(super) struct Known<P> {
    facts: Vec<Fact<P>>,
    phones: u32,
    addresses: u32,
    devices: u32,
    outsiders: u32,
}

impl<P: Copy> Known<P> {
    pub fn nothing() -> Self {
        Self { facts: Vec::new(), phones: 0, addresses: 0, devices: 0, outsiders: 0 }
    }

    pub fn note(&mut self, fact: Fact<P>) {
        self.facts.push(fact);
    }

    pub fn phone(&mut self) -> u32 {
        next(&mut self.phones)
    }

    pub fn address(&mut self) -> u32 {
        next(&mut self.addresses)
    }

    pub fn device(&mut self) -> u32 {
        next(&mut self.devices)
    }

    pub fn outsider(&mut self) -> OutsiderId {
        OutsiderId(next(&mut self.outsiders))
    }

    /// The facts in order, each once, by the numbers that actors, accounts and payments get at last.
    pub fn numbered(
        &self,
        actor: impl Fn(ActorId) -> ActorId,
        account: impl Fn(AccountId) -> AccountId,
        payment: impl Fn(P) -> PaymentId,
    ) -> Vec<Fact> {
        let party = |party| match party {
            Party::Customer(id) => Party::Customer(actor(id)),
            Party::Outsider(id) => Party::Outsider(id),
        };
        let numbered = |fact: &Fact<P>| match *fact {
            Fact::HasPhone { actor: id, phone } => Fact::HasPhone { actor: actor(id), phone },
            Fact::HasAddress { actor: id, address } => Fact::HasAddress { actor: actor(id), address },
            Fact::SignedIn { account: id, device } => Fact::SignedIn { account: account(id), device },
            Fact::Holds { party: id, account: held } => Fact::Holds { party: party(id), account: account(held) },
            Fact::Owns { owner, owned } => Fact::Owns { owner: party(owner), owned: party(owned) },
            Fact::Assessed { party: id, kind, holds, turn } => Fact::Assessed { party: party(id), kind, holds, turn },
            Fact::Counterparty { payment: id, party } => Fact::Counterparty { payment: payment(id), party },
            Fact::Country { payment: id, code } => Fact::Country { payment: payment(id), code },
        };
        let mut facts: Vec<Fact> = self.facts.iter().map(numbered).collect();
        facts.sort_unstable();
        facts.dedup();
        facts
    }
}

fn next(count: &mut u32) -> u32 {
    *count += 1;
    *count - 1
}

impl Assessment {
    /// The type of the risk assessment.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pep => "PEP",
            Self::Sanctions => "SANCTIONS",
        }
    }
}

impl fmt::Display for OutsiderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "outsider-{:05}", self.0)
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Customer(id) => id.fmt(f),
            Self::Outsider(id) => id.fmt(f),
        }
    }
}

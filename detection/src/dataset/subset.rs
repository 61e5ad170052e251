//! A dataset of some payments alone, so that a rule can be asked again whether they suffice.

use analytics::{AccountIndex, PaymentIndex};

use super::{Account, Actor, ActorIndex, Dataset, Payment};

impl Dataset {
    /// The same actors and accounts as far as the payments name them, with those payments and no others.
    ///
    /// Indices are counted anew; ids stay. Payments of another dataset's indices are left out. Of marks stay those of the payments, with these alone.
    pub fn subset(&self, payments: &[PaymentIndex]) -> Self {
        let mut kept: Vec<PaymentIndex> = payments.iter().copied().filter(|payment| payment.position() < self.payments.len()).collect();
        kept.sort_unstable();
        kept.dedup();
        let rows = || kept.iter().map(|&payment| self.payment(payment));
        let accounts: Vec<AccountIndex> = distinct(rows().flat_map(|payment| [payment.from, payment.to]));
        let owners = accounts.iter().filter_map(|&account| self.account(account).owner);
        let parties = rows().flat_map(|payment| [payment.sender, payment.receiver]).flatten();
        let actors: Vec<ActorIndex> = distinct(owners.chain(parties));
        let actor = |old: ActorIndex| ActorIndex(place(&actors, old));
        let account = |old: AccountIndex| AccountIndex(place(&accounts, old));
        let kept_payments: Vec<Payment> = rows()
            .map(|payment| Payment {
                records: payment.records.clone(),
                from: account(payment.from),
                to: account(payment.to),
                sender: payment.sender.map(actor),
                receiver: payment.receiver.map(actor),
                ..*payment
            })
            .collect();
        let kept_accounts: Vec<Account> = accounts
            .iter()
            .map(|&old| {
                let old = self.account(old);
                Account { id: old.id.clone(), owner: old.owner.map(actor), opened: old.opened }
            })
            .collect();
        let kept_actors: Vec<Actor> = actors.iter().map(|&old| self.actor(old).clone()).collect();
        match Self::indexed(kept_actors, kept_accounts, kept_payments, self.currencies.clone()) {
            Ok(subset) => Self { marks: self.kept_marks(&actors, &kept), ..subset },
            // A part of a network has no more payments than the network.
            Err(_) => self.clone(),
        }
    }
}

fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

fn place<T: Ord>(sorted: &[T], value: T) -> u32 {
    sorted.partition_point(|other| *other < value) as u32
}

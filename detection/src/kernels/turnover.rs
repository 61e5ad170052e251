//! What an account or actor received and sent, summed up.

use std::collections::BTreeMap;

use analytics::{Amount, CurrencyIndex, PaymentIndex, Side};

use crate::dataset::{Act, ActorIndex, Dataset};
use crate::quantity::Quantity;

/// Acts of one currency.
#[derive(Debug, Clone, Default)]
pub struct Turnover {
    /// In the order of time.
    pub payments: Vec<PaymentIndex>,
    pub received: Amount,
    pub sent: Amount,
}

impl Turnover {
    pub fn add(&mut self, payment: PaymentIndex, side: Side, amount: Amount) {
        self.payments.push(payment);
        match side {
            Side::In => self.received += amount,
            Side::Out => self.sent += amount,
        }
    }

    /// What was received and sent together.
    pub fn total(&self) -> Quantity {
        Quantity::amount(self.received + self.sent)
    }

    /// The smaller of what was received and sent: the most that can have passed through.
    pub fn through(&self) -> Quantity {
        Quantity::amount(self.received.min(self.sent))
    }

    /// The part that the smaller of what was received and sent has of the larger.
    pub fn balance(&self) -> Quantity {
        Quantity::share(self.through(), Quantity::amount(self.received.max(self.sent)))
    }
}

/// Sums acts up by currency. Payments between own accounts of the actor are left out.
pub fn by_currency<'a>(dataset: &Dataset, actor: ActorIndex, acts: impl Iterator<Item = &'a Act>) -> BTreeMap<CurrencyIndex, Turnover> {
    let mut sums: BTreeMap<CurrencyIndex, Turnover> = BTreeMap::new();
    for act in acts.filter(|act| !is_own(dataset, actor, act)) {
        let payment = dataset.payment(act.payment);
        sums.entry(payment.currency).or_default().add(act.payment, act.side, payment.amount);
    }
    sums
}

/// Whether both accounts of an act are the actor's own.
pub fn is_own(dataset: &Dataset, actor: ActorIndex, act: &Act) -> bool {
    let payment = dataset.payment(act.payment);
    let owns = |account| dataset.account(account).owner == Some(actor);
    owns(payment.from) && owns(payment.to)
}

//! A generated network, the same as a dataset, and which payment each record is of.

use std::collections::HashMap;
use std::error::Error;

use detection::{Dataset, Day};
use sample::typologies::{Network, Payment, PaymentId};

use crate::generated::{dataset, days, records};

/// A generated network and the same as a dataset.
pub struct Bank {
    pub network: Network,
    pub dataset: Dataset,
    pub days: Vec<Day>,
    /// The payment of each record.
    payments: HashMap<String, PaymentId>,
}

impl Bank {
    pub fn of(network: Network) -> Result<Self, Box<dyn Error>> {
        let record = |payment: &Payment| (records(&network, payment).leading().to_owned(), payment.id);
        let payments = network.payments.iter().map(record).collect();
        Ok(Self { dataset: dataset(&network)?, days: days(&network)?, payments, network })
    }

    /// The payment of a record that a finding cites.
    pub fn payment(&self, record: &str) -> Option<PaymentId> {
        self.payments.get(record).copied()
    }
}

//! A generated network: as a dataset, as a graph for statements, and which payment each record is of.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;

use detection::{Dataset, Day, Link, LinkKind, Scenario, ScenarioKind};
use sample::typologies::{Fact, Network, Payment, PaymentId};

use crate::generated::{dataset, days, records};

/// A generated network, and the same as detection reads it.
pub struct Bank {
    pub network: Network,
    /// The dataset and what is known beside; the day is that which a statement is asked about.
    pub scenario: Scenario,
    pub days: Vec<Day>,
    /// The payment of each record.
    payments: HashMap<String, PaymentId>,
}

impl Bank {
    pub fn of(network: Network) -> Result<Self, Box<dyn Error>> {
        let record = |payment: &Payment| (records(&network, payment).leading().to_owned(), payment.id);
        let payments = network.payments.iter().map(record).collect();
        let days = days(&network)?;
        let scenario = Scenario {
            name: "generated".to_owned(),
            file: "generated".to_owned(),
            says: "A generated network".to_owned(),
            kind: ScenarioKind::Positive,
            day: *days.last().ok_or("a network without payments")?,
            parameters: BTreeMap::new(),
            dataset: dataset(&network)?,
            links: links(&network),
            expected: Vec::new(),
        };
        Ok(Self { scenario, days, payments, network })
    }

    pub fn dataset(&self) -> &Dataset {
        &self.scenario.dataset
    }

    /// The payment of a record that a finding cites.
    pub fn payment(&self, record: &str) -> Option<PaymentId> {
        self.payments.get(record).copied()
    }
}

/// What is known of everybody, as it is said beside the tests of rules.
fn links(network: &Network) -> Vec<Link> {
    let link = |from: String, kind: LinkKind, to: String| Link { from, kind, to, since: None, until: None };
    let leading = |payment: &PaymentId| records(network, &network.payments[payment.0 as usize]).leading().to_owned();
    let homes = network.actors.iter().map(|actor| link(actor.id.to_string(), LinkKind::LivesIn, actor.domicile.to_owned()));
    let facts = network.facts.iter().map(|fact| match fact {
        Fact::HasPhone { actor, phone } => link(actor.to_string(), LinkKind::HasPhone, format!("phone-{phone}")),
        Fact::HasAddress { actor, address } => link(actor.to_string(), LinkKind::HasAddress, format!("address-{address}")),
        Fact::SignedIn { account, device } => link(account.to_string(), LinkKind::SignedInFrom, format!("device-{device}")),
        Fact::Holds { party, account } => link(party.to_string(), LinkKind::HoldsAccount, account.to_string()),
        Fact::Owns { owner, owned } => link(owner.to_string(), LinkKind::Owns, owned.to_string()),
        Fact::Assessed { party, kind, holds, turn } => {
            let value = if *holds { "yes" } else { "no" };
            link(party.to_string(), LinkKind::Assessed, format!("{}={value}@2020-01-{:02}", kind.name(), turn + 1))
        }
        Fact::Counterparty { payment, party } => link(leading(payment), LinkKind::Involves, party.to_string()),
        Fact::Country { payment, code } => link(leading(payment), LinkKind::NamesCountry, (*code).to_owned()),
    });
    homes.chain(facts).collect()
}

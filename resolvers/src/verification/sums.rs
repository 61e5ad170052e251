//! What was transferred from an account to another in a currency: as payments have it, and as the roll-up says.

use std::collections::BTreeMap;

use cypher::statements::rows::{RollUp, TransferTally};
use graph_schema::money::Total;
use graph_schema::transaction::Direction;
use serde::{Deserialize, Serialize};

/// A receiver and a currency.
pub(super) type Pair = (String, String);

/// What the reports of one side add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Side {
    count: i64,
    amount: Total,
    standardized: Total,
}

/// What is known of a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    pub sent: Side,
    pub received: Side,
    /// The larger number of reports, and the larger amount.
    pub count: i64,
    pub total: Total,
    /// Epoch milliseconds; nothing where nothing is counted.
    pub first: Option<i64>,
    pub last: Option<i64>,
}

/// The same for people: amounts as decimal numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownSums {
    sent_count: i64,
    sent: String,
    sent_standardized: String,
    received_count: i64,
    received: String,
    received_standardized: String,
    count: i64,
    total: String,
    first: Option<i64>,
    last: Option<i64>,
}

impl From<Sums> for ShownSums {
    fn from(sums: Sums) -> Self {
        Self {
            sent_count: sums.sent.count,
            sent: sums.sent.amount.to_string(),
            sent_standardized: sums.sent.standardized.to_string(),
            received_count: sums.received.count,
            received: sums.received.amount.to_string(),
            received_standardized: sums.received.standardized.to_string(),
            count: sums.count,
            total: sums.total.to_string(),
            first: sums.first,
            last: sums.last,
        }
    }
}

impl Side {
    fn of(tally: &TransferTally) -> Self {
        Self {
            count: tally.count,
            amount: Total::of_millions(tally.millions, tally.units, tally.nanos),
            standardized: Total::of_millions(tally.standard_millions, tally.standard_units, tally.standard_nanos),
        }
    }
}

impl Sums {
    fn add(&mut self, tally: &TransferTally) {
        let side = if tally.direction == Direction::Outbound { &mut self.sent } else { &mut self.received };
        *side = Side::of(tally);
        self.first = Some(self.first.map_or(tally.first, |first| first.min(tally.first)));
        self.last = Some(self.last.map_or(tally.last, |last| last.max(tally.last)));
        self.count = self.sent.count.max(self.received.count);
        let is_sent = self.received.count == 0 || (self.sent.count != 0 && self.sent.amount >= self.received.amount);
        self.total = if is_sent { self.sent.amount } else { self.received.amount };
    }

    fn said(roll_up: &RollUp) -> Self {
        let number = |number: Option<i64>| number.unwrap_or_default();
        let total = |units, nanos, carry| Total::from_sums(number(units), number(nanos), number(carry));
        Self {
            sent: Side {
                count: number(roll_up.sent_count),
                amount: total(roll_up.sent_units, roll_up.sent_nanos, roll_up.sent_carry),
                standardized: total(roll_up.sent_standard_units, roll_up.sent_standard_nanos, roll_up.sent_standard_carry),
            },
            received: Side {
                count: number(roll_up.received_count),
                amount: total(roll_up.received_units, roll_up.received_nanos, roll_up.received_carry),
                standardized: total(roll_up.received_standard_units, roll_up.received_standard_nanos, roll_up.received_standard_carry),
            },
            count: number(roll_up.count),
            total: total(roll_up.total_units, roll_up.total_nanos, roll_up.total_carry),
            first: roll_up.first,
            last: roll_up.last,
        }
    }
}

/// Of a pair: what its payments add up to, and what each of its roll-ups says. There is to be one, or none where there are no payments.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    pub counted: Sums,
    pub said: Vec<Sums>,
}

impl Compared {
    pub fn differs(&self) -> bool {
        match self.said.as_slice() {
            [] => self.counted != Sums::default(),
            [said] => *said != self.counted,
            _ => true,
        }
    }
}

/// What was read of an account, by receiver and currency.
pub fn compared(tallies: &[TransferTally], roll_ups: &[RollUp]) -> BTreeMap<Pair, Compared> {
    let mut pairs: BTreeMap<Pair, Compared> = BTreeMap::new();
    for tally in tallies {
        pairs.entry((tally.to.clone(), tally.currency.clone())).or_default().counted.add(tally);
    }
    for roll_up in roll_ups {
        pairs.entry((roll_up.to.clone(), roll_up.currency.clone())).or_default().said.push(Sums::said(roll_up));
    }
    pairs
}

//! What payments add to the roll-ups of their pairs of accounts, and what is taken back when they are amended or moved.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use cypher::statements::rows::LockedPayment;
use cypher::{Key, Value};
use graph_schema::money::Money;
use graph_schema::transaction::Direction;

/// What a counted payment adds to the roll-up of its pair of accounts.
#[derive(Clone)]
pub struct TransferDelta {
    pub currency: String,
    pub direction: Direction,
    pub amount: Money,
    pub standardized: Money,
    /// Epoch milliseconds.
    pub at: i64,
}

/// Whether something is added or taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
}

pub const SUMS: usize = 10;

/// What senders' sides say, then what receivers' sides do.
const TALLIES: [&str; SUMS] = [
    "sentCount",
    "sentUnits",
    "sentNanos",
    "sentStandardUnits",
    "sentStandardNanos",
    "receivedCount",
    "receivedUnits",
    "receivedNanos",
    "receivedStandardUnits",
    "receivedStandardNanos",
];

impl TransferDelta {
    /// What a stored payment has added; `None` when it does not count.
    pub fn stored(payment: &LockedPayment) -> Option<Self> {
        (payment.counted == Some(true)).then(|| Self {
            currency: payment.currency.clone(),
            direction: payment.direction,
            amount: Money::from_sums(payment.units, payment.nanos),
            standardized: Money::from_sums(payment.standard_units, payment.standard_nanos),
            at: payment.created_at,
        })
    }

    /// One side's report: in the sender's tally or the receiver's.
    fn sums(&self, sign: Sign) -> [i64; SUMS] {
        let sign = if sign == Sign::Plus { 1 } else { -1 };
        let Money { units, nanos } = self.amount;
        let Money { units: standard_units, nanos: standard_nanos } = self.standardized;
        let mine = [1, units, nanos.into(), standard_units, standard_nanos.into()].map(|number: i64| sign * number);
        let mut sums = [0; SUMS];
        let at = if self.direction == Direction::Outbound { 0 } else { SUMS / 2 };
        sums[at..at + SUMS / 2].copy_from_slice(&mine);
        sums
    }

    /// The columns of a row for `transaction/record`, but for zeros: they add nothing, and half of them are.
    pub fn columns(tally: Option<&Self>) -> impl Iterator<Item = (Key, Value)> + use<> {
        named(tally.map_or([0; SUMS], |tally| tally.sums(Sign::Plus))).filter(|(_, sum)| *sum != Value::Int(0))
    }
}

fn named(sums: [i64; SUMS]) -> impl Iterator<Item = (Key, Value)> {
    TALLIES.into_iter().zip(sums).map(|(name, sum)| (Cow::Borrowed(name), Value::Int(sum)))
}

/// A sender, a receiver and a currency.
type Pair = (String, String, String);

/// Changes of roll-ups, added up by pair.
#[derive(Default)]
pub struct RollUps(BTreeMap<Pair, Delta>);

#[derive(Default)]
pub struct Delta {
    pub sums: [i64; SUMS],
    /// When the payments were made that are added, and those taken back.
    pub added: BTreeSet<i64>,
    pub taken: BTreeSet<i64>,
}

impl Delta {
    /// The first and the last of those taken back for which none of the same time is added: only then the pair's span may be another.
    pub fn gone(&self) -> Option<(i64, i64)> {
        let mut gone = self.taken.difference(&self.added).copied();
        let first = gone.next()?;
        Some((first, gone.last().unwrap_or(first)))
    }

    /// The first and the last of those added.
    fn come(&self) -> Option<(i64, i64)> {
        Some((*self.added.first()?, *self.added.last()?))
    }
}

impl RollUps {
    pub fn change(&mut self, from: &str, to: &str, tally: &TransferDelta, sign: Sign) {
        let delta = self.0.entry((from.to_owned(), to.to_owned(), tally.currency.clone())).or_default();
        for (sum, number) in delta.sums.iter_mut().zip(tally.sums(sign)) {
            *sum += number;
        }
        let times = if sign == Sign::Plus { &mut delta.added } else { &mut delta.taken };
        times.insert(tally.at);
    }

    /// Rows for `transfer/add`.
    pub fn changes(&self) -> Vec<Value> {
        let row = |(pair, delta): (&Pair, &Delta)| entries(pair, delta.come(), named(delta.sums));
        self.0.iter().map(row).collect()
    }

    /// Rows for `transfer/refresh_span`: pairs that payments were taken from, unless others of the same times came for them, as where only an amount was
    /// corrected.
    pub fn spans(&self) -> Vec<Value> {
        let row = |(pair, delta): (&Pair, &Delta)| delta.gone().map(|gone| entries(pair, Some(gone), []));
        self.0.iter().filter_map(row).collect()
    }
}

fn entries((from, to, currency): &Pair, span: Option<(i64, i64)>, more: impl IntoIterator<Item = (Key, Value)>) -> Value {
    let pair = [
        ("from", from.as_str().into()),
        ("to", to.as_str().into()),
        ("currency", currency.as_str().into()),
        ("first", span.map(|(first, _)| first).into()),
        ("last", span.map(|(_, last)| last).into()),
    ];
    Value::Map(pair.into_iter().map(|(name, value)| (Key::from(name), value)).chain(more).collect())
}

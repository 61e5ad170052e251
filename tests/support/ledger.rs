//! What the roll-ups must say, worked out from the payments by other means than the service's.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::str::FromStr;

use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::{Value, json};

use super::Api;
use super::fixtures::{Other, Payment};

/// Sender, receiver, currency.
pub type Pair = (String, String, String);

/// What a roll-up says.
#[derive(Clone, Debug, PartialEq)]
pub struct Total {
    pub count: i64,
    pub total: Decimal,
    /// Milliseconds since 1970 of the first and the last payment.
    pub first: i64,
    pub last: i64,
}

/// What each side of a pair has reported.
#[derive(Default)]
struct Sides {
    count: [i64; 2],
    sum: [Decimal; 2],
    times: BTreeSet<i64>,
}

/// The accounts that have arrived, by what payments may call them: keys as [`keys`] makes them.
#[derive(Default, Clone)]
pub struct Known(HashMap<String, String>);

impl Known {
    /// An account has arrived with an IBAN and a number at a bank.
    pub fn arrived(&mut self, account: &str, iban: &str, bank: &str, number: &str) {
        self.0.insert(iban_key(iban), account.to_owned());
        self.0.insert(number_key(bank, number), account.to_owned());
    }

    /// The node that a payment's other side is.
    fn node(&self, other: &Other) -> Option<String> {
        match other {
            Other::Nobody => None,
            Other::Account(id) => Some(id.clone()),
            Other::Party(id) => Some(format!("external:party:{id}")),
            Other::Iban(_) | Other::Number { .. } | Other::Both { .. } => {
                let keys = keys(other);
                let known = keys.iter().find_map(|key| self.0.get(key).cloned());
                Some(known.unwrap_or_else(|| format!("external:{}", keys.iter().min().expect("a number"))))
            }
        }
    }
}

/// What a payment calls an account: a German IBAN is the number inside it.
pub fn keys(other: &Other) -> Vec<String> {
    match other {
        Other::Iban(iban) => vec![iban_key(iban)],
        Other::Number { bank, number } => vec![number_key(bank, number)],
        Other::Both { iban, bank, number } => vec![iban_key(iban), number_key(bank, number)],
        Other::Nobody | Other::Account(_) | Other::Party(_) => Vec::new(),
    }
}

fn iban_key(iban: &str) -> String {
    if iban.starts_with("DE") { number_key(&iban[4..12], &iban[12..]) } else { format!("iban:{iban}") }
}

fn number_key(bank: &str, number: &str) -> String {
    format!("account:{bank}:{}", number.trim_start_matches('0'))
}

/// The roll-ups of payments: only completed ones count, and where both sides have reported, the larger of the two counts.
pub fn totals<'a>(payments: impl IntoIterator<Item = &'a Payment>, known: &Known) -> BTreeMap<Pair, Total> {
    let mut pairs: BTreeMap<Pair, Sides> = BTreeMap::new();
    for payment in payments.into_iter().filter(|payment| payment.status == "COMPLETED") {
        let Some(other) = known.node(&payment.other) else { continue };
        let own = payment.account.clone();
        let (side, from, to) = if payment.direction == "OUTBOUND" { (0, own, other) } else { (1, other, own) };
        let sides = pairs.entry((from, to, payment.currency.to_owned())).or_default();
        sides.count[side] += 1;
        sides.sum[side] += to_the_billionth(&payment.amount);
        sides.times.insert(payment.at * 1000);
    }
    let total = |sides: Sides| Total {
        count: sides.count[0].max(sides.count[1]),
        // A side that has said nothing does not count: nothing is more than a refund.
        total: (0..2).filter(|side| sides.count[*side] > 0).map(|side| sides.sum[side]).max().expect("a payment").normalize(),
        first: *sides.times.first().expect("a payment"),
        last: *sides.times.last().expect("a payment"),
    };
    pairs.into_iter().map(|(pair, sides)| (pair, total(sides))).collect()
}

/// An amount as it counts: to nine decimals, half to even.
pub fn to_the_billionth(amount: &str) -> Decimal {
    decimal(amount).round_dp_with_strategy(9, RoundingStrategy::MidpointNearestEven)
}

/// Any way to write a number.
pub fn decimal(text: &str) -> Decimal {
    let number = if text.contains(['e', 'E']) { Decimal::from_scientific(text) } else { Decimal::from_str(text) };
    number.unwrap_or_else(|error| panic!("{text}: {error}"))
}

const ROLL_UPS: &str = "query($id: ID!) { account(id: $id) {
    transferredTo(first: 500) { totalCount edges { count total currency first last node { id } } }
    receivedFrom(first: 500) { totalCount edges { count total currency first last node { id } } } } }";

/// What the service says of accounts, walked both ways: what an account has sent must be what the others have received.
pub async fn roll_ups(api: &Api, accounts: &BTreeSet<String>) -> BTreeMap<Pair, Total> {
    let mut sent = BTreeMap::new();
    let mut received = BTreeMap::new();
    for id in accounts {
        let account = &api.graphql(ROLL_UPS, json!({"id": id})).await["account"];
        for (link, out) in [("transferredTo", true), ("receivedFrom", false)] {
            let edges = account[link]["edges"].as_array().map(Vec::as_slice).unwrap_or_default();
            assert_eq!(account[link]["totalCount"].as_u64().unwrap_or_default(), edges.len() as u64, "{id} {link}");
            for edge in edges {
                let (other, currency) = (text(&edge["node"]["id"]), text(&edge["currency"]));
                let (from, to) = if out { (id.clone(), other) } else { (other, id.clone()) };
                let before = if out { &mut sent } else { &mut received }.insert((from, to, currency), total(edge));
                assert!(before.is_none(), "{id}: two roll-ups for one pair: {edge}");
            }
        }
    }
    assert_eq!(sent, received, "what was sent is what was received");
    sent
}

/// Checks the roll-ups of everyone who takes part in the payments.
pub async fn check<'a>(api: &Api, payments: impl IntoIterator<Item = &'a Payment> + Clone, known: &Known) {
    let wanted = totals(payments.clone(), known);
    let nodes = payments.into_iter().flat_map(|payment| [Some(payment.account.clone()), known.node(&payment.other)]).flatten().collect();
    let found = roll_ups(api, &nodes).await;
    // Only what is wrong: all of it is more than anybody reads.
    let pairs: BTreeSet<&Pair> = found.keys().chain(wanted.keys()).collect();
    let wrong: Vec<_> =
        pairs.into_iter().map(|pair| (pair, found.get(pair), wanted.get(pair))).filter(|(_, found, wanted)| found != wanted).collect();
    assert!(wrong.is_empty(), "pair, roll-up found, roll-up wanted: {wrong:#?}");
}

fn total(edge: &Value) -> Total {
    let millis = |value: &Value| chrono::DateTime::parse_from_rfc3339(&text(value)).expect("a date-time").timestamp_millis();
    Total {
        count: edge["count"].as_i64().expect("a count"),
        total: decimal(&text(&edge["total"])).normalize(),
        first: millis(&edge["first"]),
        last: millis(&edge["last"]),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_owned()
}

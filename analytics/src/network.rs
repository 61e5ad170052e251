//! A compact network of payments.
//!
//! Payments are columns in the order of time. Each account has its payments out and its payments in as one run of [`Link`]s in the
//! order of time (compressed sparse rows), so that a window of an account is a slice, and kernels that go through the accounts read
//! memory from its begin to its end. Beside each link stands its *turn*: where in the links of the other account its time is, so that a
//! walk from payment to payment searches nothing. A payment takes 38 bytes as columns, 32 as links, 8 as their places, 16 as turns.
//!
//! A self payment (`from = to`) is one row: one payment out and one in of its account. Parallel payments (same `from`, same `to`) are
//! rows of their own. Which two records are one payment is decided before: [`crate::one_payment`].

use std::ops::Range;

use crate::{AccountIndex, Amount, CurrencyIndex, PaymentIndex, Timestamp};

/// A payment as it is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Payment {
    pub from: AccountIndex,
    pub to: AccountIndex,
    pub at: Timestamp,
    pub amount: Amount,
    pub currency: CurrencyIndex,
}

/// More payments than a network numbers (4,294,967,294).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyPayments(pub usize);

impl std::fmt::Display for TooManyPayments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a network holds at most {} payments, not {}", u32::MAX - 1, self.0)
    }
}

impl std::error::Error for TooManyPayments {}

/// A payment as one of its accounts sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The account at the other end; of a self payment the account itself.
    pub other: AccountIndex,
    pub payment: PaymentIndex,
    pub at: Timestamp,
}

/// Which of an account's payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    Out,
    In,
}

/// The network. Nothing in it changes.
#[derive(Debug, Clone)]
pub struct Network {
    from: Vec<AccountIndex>,
    to: Vec<AccountIndex>,
    at: Vec<Timestamp>,
    amount: Vec<Amount>,
    currency: Vec<CurrencyIndex>,
    loaded: Vec<u32>,
    out: Links,
    into: Links,
    /// The turns of the payments out and in, in the order of their links.
    onward: Vec<Onward>,
    before: Vec<Before>,
}

impl Network {
    /// Builds the network; the payments come in any order.
    pub fn new(payments: &[Payment]) -> Result<Self, TooManyPayments> {
        if payments.len() >= u32::MAX as usize {
            return Err(TooManyPayments(payments.len()));
        }
        let loaded = by_time(payments);
        let sorted = || loaded.iter().map(|&place| &payments[place as usize]);
        let from: Vec<_> = sorted().map(|payment| payment.from).collect();
        let to: Vec<_> = sorted().map(|payment| payment.to).collect();
        let at: Vec<_> = sorted().map(|payment| payment.at).collect();
        let accounts = from.iter().chain(&to).map(|account| account.position() + 1).max().unwrap_or(0);
        let out = Links::new(accounts, &from, &to, &at);
        let into = Links::new(accounts, &to, &from, &at);
        let onward = onward(&out, &from, &to, &at);
        let before = before(&into, &from, &to, &at);
        let amount = sorted().map(|payment| payment.amount).collect();
        let currency = sorted().map(|payment| payment.currency).collect();
        Ok(Self { from, to, at, amount, currency, loaded, out, into, onward, before })
    }

    /// The number of payments.
    pub fn len(&self) -> usize {
        self.from.len()
    }

    pub fn is_empty(&self) -> bool {
        self.from.is_empty()
    }

    /// The number of accounts: one more than the largest index that a payment names.
    pub fn accounts(&self) -> usize {
        self.out.accounts()
    }

    /// All payments in the order of time.
    pub fn payments(&self) -> impl ExactSizeIterator<Item = PaymentIndex> + use<> {
        (0..self.len() as u32).map(PaymentIndex)
    }

    pub fn from(&self, payment: PaymentIndex) -> AccountIndex {
        self.from[payment.position()]
    }

    pub fn to(&self, payment: PaymentIndex) -> AccountIndex {
        self.to[payment.position()]
    }

    pub fn at(&self, payment: PaymentIndex) -> Timestamp {
        self.at[payment.position()]
    }

    pub fn amount(&self, payment: PaymentIndex) -> Amount {
        self.amount[payment.position()]
    }

    pub fn currency(&self, payment: PaymentIndex) -> CurrencyIndex {
        self.currency[payment.position()]
    }

    /// The place that the payment had among those that were loaded.
    pub fn loaded(&self, payment: PaymentIndex) -> usize {
        self.loaded[payment.position()] as usize
    }

    /// An account's payments on one side, in the order of time.
    pub fn links(&self, account: AccountIndex, side: Side) -> &[Link] {
        match side {
            Side::Out => self.out.of(account),
            Side::In => self.into.of(account),
        }
    }

    /// The bytes that the network takes beside the struct itself.
    pub fn bytes(&self) -> usize {
        let column = size_of::<AccountIndex>() * 2 + size_of::<Timestamp>() + size_of::<Amount>() + size_of::<CurrencyIndex>() + size_of::<u32>();
        self.len() * (column + size_of::<Onward>() + size_of::<Before>()) + self.out.bytes() + self.into.bytes()
    }

    pub(crate) fn out(&self, account: AccountIndex) -> &[Link] {
        self.out.of(account)
    }

    pub(crate) fn into(&self, account: AccountIndex) -> &[Link] {
        self.into.of(account)
    }

    /// An account's payments out, each with its turn.
    pub(crate) fn leaving(&self, account: AccountIndex) -> Leaving<'_> {
        let range = self.out.bounds(account);
        Leaving { links: &self.out.links[range.clone()], turns: &self.onward[range] }
    }

    /// An account's payments in, each with its turn.
    pub(crate) fn arriving(&self, account: AccountIndex) -> Arriving<'_> {
        let range = self.into.bounds(account);
        Arriving { links: &self.into.links[range.clone()], turns: &self.before[range] }
    }

    /// The place of a payment among all links of a side. Links of one account stand together.
    pub(crate) fn place(&self, payment: PaymentIndex, side: Side) -> usize {
        let places = match side {
            Side::Out => &self.out.places,
            Side::In => &self.into.places,
        };
        places[payment.position()] as usize
    }

    /// What the receiver of a payment paid on from `first` on and before `behind`, where `first` is later than the payment.
    pub(crate) fn onward(&self, receiver: AccountIndex, turn: Onward, first: Timestamp, behind: Timestamp) -> Leaving<'_> {
        let begin = turn.place as usize;
        let links = &self.out.links[begin..self.out.bounds(receiver).end];
        let skipped = links.iter().take_while(|link| link.at < first).count();
        let count = links[skipped..].iter().take_while(|link| link.at < behind).count();
        Leaving { links: &links[skipped..][..count], turns: &self.onward[begin + skipped..][..count] }
    }

    /// What the sender of a payment had received from `first` on and before `behind`, which is no later than the payment.
    pub(crate) fn before(&self, sender: AccountIndex, turn: Before, first: Timestamp, behind: Timestamp) -> Arriving<'_> {
        let begin = self.into.bounds(sender).start;
        let links = &self.into.links[begin..turn.place as usize];
        let end = links.len() - links.iter().rev().take_while(|link| link.at >= behind).count();
        let start = end - links[..end].iter().rev().take_while(|link| link.at >= first).count();
        Arriving { links: &links[start..end], turns: &self.before[begin + start..begin + end] }
    }
}

/// The places of the payments in the order of time; those of one instant keep the order in which they came.
fn by_time(payments: &[Payment]) -> Vec<u32> {
    let mut places: Vec<u32> = (0..payments.len() as u32).collect();
    if !payments.is_sorted_by_key(|payment| payment.at) {
        places.sort_by_key(|&place| payments[place as usize].at);
    }
    places
}

/// Of a payment: what its receiver paid on behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Onward {
    /// The place among all payments out where those of the receiver go on behind it. Such of its instant may be among them.
    place: u32,
    /// The milliseconds to the first of them; `u32::MAX` for more, and for never.
    gap: u32,
}

/// Of a payment: what its sender had received before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Before {
    /// The place among all payments in where those of the sender end before it. Such of its instant may be among them.
    place: u32,
    /// The milliseconds since the last of them; `u32::MAX` for more, and for never.
    gap: u32,
}

impl Onward {
    /// Whether the receiver of a payment of the time `at` may have paid something on before `behind`. No is certain.
    pub fn may_reach(self, at: Timestamp, behind: Timestamp) -> bool {
        self.gap == u32::MAX || i64::from(self.gap) < behind.0.saturating_sub(at.0)
    }
}

impl Before {
    /// Whether the sender of a payment of the time `at` may have received something from `first` on. No is certain.
    pub fn may_reach(self, first: Timestamp, at: Timestamp) -> bool {
        self.gap == u32::MAX || i64::from(self.gap) <= at.0.saturating_sub(first.0)
    }
}

/// The gap between two times; `u32::MAX` for what is longer.
fn gap(earlier: Timestamp, later: Timestamp) -> u32 {
    u32::try_from(later.0 - earlier.0).unwrap_or(u32::MAX)
}

/// Payments out of an account, each with its turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaving<'a> {
    pub links: &'a [Link],
    pub turns: &'a [Onward],
}

/// Payments into an account, each with its turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arriving<'a> {
    pub links: &'a [Link],
    pub turns: &'a [Before],
}

/// The links of all accounts on one side.
#[derive(Debug, Clone)]
struct Links {
    starts: Vec<u32>,
    links: Vec<Link>,
    /// The place of each payment's link.
    places: Vec<u32>,
}

impl Links {
    /// A counting sort by account, which keeps the order of time.
    fn new(accounts: usize, owner: &[AccountIndex], other: &[AccountIndex], at: &[Timestamp]) -> Self {
        let mut starts = vec![0_u32; accounts + 1];
        for account in owner {
            starts[account.position() + 1] += 1;
        }
        for account in 1..starts.len() {
            starts[account] += starts[account - 1];
        }
        let nothing = Link { other: AccountIndex(0), payment: PaymentIndex(0), at: Timestamp(0) };
        let mut links = vec![nothing; owner.len()];
        let mut next = starts.clone();
        let places = owner.iter().zip(other.iter().zip(at)).enumerate().map(|(payment, (account, (&other, &at)))| {
            let place = next[account.position()];
            next[account.position()] += 1;
            links[place as usize] = Link { other, payment: PaymentIndex(payment as u32), at };
            place
        });
        let places = places.collect();
        Self { starts, links, places }
    }

    fn accounts(&self) -> usize {
        self.starts.len() - 1
    }

    fn bounds(&self, account: AccountIndex) -> Range<usize> {
        match self.starts.get(account.position()..account.position() + 2) {
            Some(bounds) => bounds[0] as usize..bounds[1] as usize,
            None => 0..0,
        }
    }

    fn of(&self, account: AccountIndex) -> &[Link] {
        &self.links[self.bounds(account)]
    }

    fn bytes(&self) -> usize {
        (self.starts.len() + self.places.len()) * size_of::<u32>() + self.links.len() * size_of::<Link>()
    }
}

/// What the receiver of each payment paid on, in the order of the links out. From the last payment back, so that what an account pays behind a
/// payment is known.
fn onward(out: &Links, from: &[AccountIndex], to: &[AccountIndex], at: &[Timestamp]) -> Vec<Onward> {
    let mut onward = vec![Onward { place: 0, gap: 0 }; at.len()];
    let mut next: Vec<(u32, Option<Timestamp>)> = out.starts[1..].iter().map(|&end| (end, None)).collect();
    for payment in (0..at.len()).rev() {
        let (place, first) = next[to[payment].position()];
        onward[out.places[payment] as usize] = Onward { place, gap: first.map_or(u32::MAX, |first| gap(at[payment], first)) };
        next[from[payment].position()] = (out.places[payment], Some(at[payment]));
    }
    onward
}

/// What the sender of each payment had received, in the order of the links in.
fn before(into: &Links, from: &[AccountIndex], to: &[AccountIndex], at: &[Timestamp]) -> Vec<Before> {
    let mut before = vec![Before { place: 0, gap: 0 }; at.len()];
    let mut received: Vec<(u32, Option<Timestamp>)> = into.starts.iter().map(|&start| (start, None)).collect();
    for payment in 0..at.len() {
        let (place, last) = received[from[payment].position()];
        before[into.places[payment] as usize] = Before { place, gap: last.map_or(u32::MAX, |last| gap(last, at[payment])) };
        received[to[payment].position()] = (into.places[payment] + 1, Some(at[payment]));
    }
    before
}

/// The part of an account's links whose times are in `first..behind`.
pub(crate) fn between(links: &[Link], first: Timestamp, behind: Timestamp) -> &[Link] {
    let start = links.partition_point(|link| link.at < first);
    let rest = &links[start..];
    &rest[..rest.partition_point(|link| link.at < behind)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payment(from: u32, to: u32, at: i64) -> Payment {
        let (from, to) = (AccountIndex(from), AccountIndex(to));
        Payment { from, to, at: Timestamp(at), amount: Amount(1), currency: CurrencyIndex(0) }
    }

    #[test]
    fn payments_stand_in_the_order_of_time_and_know_their_place() {
        let network = Network::new(&[payment(0, 1, 30), payment(1, 2, 10), payment(2, 0, 20)]).unwrap();
        assert_eq!(network.payments().map(|p| network.at(p).0).collect::<Vec<_>>(), [10, 20, 30]);
        assert_eq!(network.payments().map(|p| network.loaded(p)).collect::<Vec<_>>(), [1, 2, 0]);
        assert_eq!(network.accounts(), 3);
    }

    #[test]
    fn a_self_payment_is_one_out_and_one_in() {
        let network = Network::new(&[payment(0, 0, 1)]).unwrap();
        assert_eq!(network.links(AccountIndex(0), Side::Out).len(), 1);
        assert_eq!(network.links(AccountIndex(0), Side::In).len(), 1);
    }

    #[test]
    fn parallel_payments_are_links_of_their_own() {
        let network = Network::new(&[payment(0, 1, 1), payment(0, 1, 1)]).unwrap();
        assert_eq!(network.links(AccountIndex(0), Side::Out).len(), 2);
        assert_eq!(network.links(AccountIndex(1), Side::In).len(), 2);
    }

    #[test]
    fn an_empty_network_and_an_unknown_account_have_nothing() {
        let network = Network::new(&[]).unwrap();
        assert!(network.is_empty());
        assert_eq!(network.accounts(), 0);
        assert!(network.links(AccountIndex(7), Side::Out).is_empty());
    }

    #[test]
    fn a_window_of_links_has_its_first_and_not_its_last() {
        let network = Network::new(&[payment(0, 1, 1), payment(0, 1, 2), payment(0, 1, 2), payment(0, 1, 3)]).unwrap();
        let links = network.out(AccountIndex(0));
        assert_eq!(between(links, Timestamp(2), Timestamp(3)).len(), 2);
        assert_eq!(between(links, Timestamp(0), Timestamp(9)).len(), 4);
        assert_eq!(between(links, Timestamp(2), Timestamp(1)).len(), 0);
    }
}

//! The built-in provider for signs of fraud: what detection's kernels say of a payment, by what is stored of its account.
//!
//! It looks for three signs. Each alone is daily life; a payment that shows two of them is a hit.
//!
//! | sign | what it is | what it may stand for |
//! |---|---|---|
//! | `velocity` | far more payments within a day than the account is used to | an account that somebody has taken over |
//! | `pass-through` | nearly all that came in within two days is paid on | a mule |
//! | `new-counterparty` | an account that is used, and never paid or was paid by the other one | both |

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use analytics::{
    AccountIndex, Amount, CurrencyIndex, Lookback, Network, Party, PaymentIndex, Side, Span, Timestamp, pass_throughs, velocities, velocities_before,
};
use cypher::statements::rows::PaymentRow;
use cypher::{Engine, Error, Params, statements};
use graph_schema::transaction::{Direction, TransactionRecord};

use super::Payment;
use super::result::{Match, MatchReason, ProviderResult};
use crate::clock::millis;

/// What each of the two looks at the store may take.
const LIMIT: Duration = Duration::from_secs(2);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// What is usual is measured over so many days before the last one.
const USUAL_DAYS: u32 = 30;
/// Payments that an account may have sent in all, and received: more can't be looked at while somebody waits.
pub const MOST_PAYMENTS: i64 = 5_000;
/// Payments that are looked at: all of such an account. The statement finds one more at most.
pub const MOST_FOUND: usize = 10_000;
/// Payments within a day, and how many times as many they are as on a usual day.
const BURST: u32 = 10;
const TIMES_USUAL: f64 = 3.0;
/// In hundredths of what came in.
const PAID_ON: i128 = 90;
/// How soon what came in is paid on.
const PASSED_WITHIN: Duration = Duration::from_secs(48 * 60 * 60);
/// Payments by which an account counts as used.
const USED: usize = 5;
/// Signs that are a hit, and all there are.
const HIT: usize = 2;
const ALL: f64 = 3.0;
/// There is one match at most.
const MATCH: &str = "signs";

/// Looks at what is stored.
pub struct Kernels(pub Engine);

impl Kernels {
    pub async fn look(&self, payment: &Payment) -> ProviderResult {
        let payment = &payment.value;
        let stored = match self.stored(payment).await {
            Ok(stored) => stored,
            Err(error) => {
                tracing::warn!(%error, "payments can't be read for screening");
                return ProviderResult::error("what is stored of the account could not be read");
            }
        };
        if !stored.iter().any(|row| row.id == payment.id.as_str()) {
            return ProviderResult::error("the account has too many payments to be looked at");
        }
        let reasons = signs(payment, &stored);
        if reasons.len() < HIT {
            return ProviderResult::miss();
        }
        let score = (reasons.len() as f64 / ALL * 100.0).round() / 100.0;
        ProviderResult::hit(vec![Match { id: MATCH.to_owned(), name: None, score: Some(score), reasons, cleared_before: None }])
    }

    /// Payments that the account has reported of the time before, and the one that is screened: completed ones, by which money has moved.
    /// Nothing where there are too many.
    async fn stored(&self, payment: &TransactionRecord) -> Result<Vec<PaymentRow>, Error> {
        let (account, at) = (payment.account_id.as_str(), payment.created_at.millis());
        let begin = at.saturating_sub(millis(DAY * (USUAL_DAYS + 1)));
        let params = Params::none().with("id", account).with("begin", begin).with("behind", at.saturating_add(1)).with("most", MOST_PAYMENTS);
        let found = self.0.read_as(statements::screening::PAYMENTS, params, LIMIT).await?;
        if found.len() > MOST_FOUND {
            // By some of them others would look new.
            return Ok(Vec::new());
        }
        // A payment of the account to itself is found twice.
        let ids: BTreeSet<String> = found.into_iter().map(|found| found.id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let params = Params::none().with("ids", ids.into_iter().collect::<Vec<String>>());
        let mut rows = self.0.read_as(statements::transaction::STREAM, params, LIMIT).await?;
        rows.retain(|row| row.id == payment.id.as_str() || (row.account_id == account && row.counted == Some(true)));
        Ok(rows)
    }
}

/// The signs that a payment shows.
pub fn signs(payment: &TransactionRecord, stored: &[PaymentRow]) -> Vec<MatchReason> {
    let Some((network, this)) = network(payment, stored) else { return Vec::new() };
    let signs = [velocity(&network, this, payment.direction), pass_through(&network, this, payment.direction), new_counterparty(payment, stored)];
    signs.into_iter().flatten().map(|what| MatchReason { what, party: None, listed: None, cost: None }).collect()
}

/// The payments as the kernels take them, and which of them is screened.
fn network(payment: &TransactionRecord, stored: &[PaymentRow]) -> Option<(Network, PaymentIndex)> {
    let mut accounts: HashMap<Option<&str>, u32> = HashMap::new();
    let mut currencies: HashMap<&str, u16> = HashMap::new();
    let mut payments = Vec::with_capacity(stored.len());
    for row in stored {
        let next = u32::try_from(accounts.len()).unwrap_or(u32::MAX);
        let from = *accounts.entry(row.from.as_deref()).or_insert(next);
        let next = u32::try_from(accounts.len()).unwrap_or(u32::MAX);
        let to = *accounts.entry(row.to.as_deref()).or_insert(next);
        let next = u16::try_from(currencies.len()).unwrap_or(u16::MAX);
        let currency = *currencies.entry(row.currency.as_str()).or_insert(next);
        payments.push(analytics::Payment {
            from: AccountIndex(from),
            to: AccountIndex(to),
            at: Timestamp::from_millis(row.created_at)?,
            amount: Amount(i128::from(row.amount_units) * 1_000_000_000 + i128::from(row.amount_nanos)),
            currency: CurrencyIndex(currency),
        });
    }
    let place = stored.iter().position(|row| row.id == payment.id.as_str())?;
    let network = Network::new(&payments).ok()?;
    let this = network.payments().find(|payment| network.loaded(*payment) == place)?;
    Some((network, this))
}

fn velocity(network: &Network, this: PaymentIndex, direction: Direction) -> Option<String> {
    let (party, side) = match direction {
        Direction::Outbound => (Party::Sender, Side::Out),
        Direction::Inbound => (Party::Receiver, Side::In),
    };
    let (day, before) = (Lookback::new(DAY), Lookback::new(DAY * USUAL_DAYS));
    let recent = velocities(network, party, side, day).activity(this).payments;
    let usual = f64::from(velocities_before(network, party, side, day, before).activity(this).payments) / f64::from(USUAL_DAYS);
    let is_burst = recent >= BURST && f64::from(recent) >= TIMES_USUAL * usual;
    is_burst.then(|| format!("velocity: {recent} payments within a day, {usual:.1} on a usual day"))
}

fn pass_through(network: &Network, this: PaymentIndex, direction: Direction) -> Option<String> {
    if direction != Direction::Outbound {
        return None;
    }
    let passed = pass_throughs(network, Span::new(PASSED_WITHIN)).passed(this);
    let (received, sent) = (passed.received.0, passed.sent.0);
    let is_passed_on = received > 0 && sent.saturating_mul(100) >= received.saturating_mul(PAID_ON);
    is_passed_on.then(|| format!("pass-through: {} came in within two days, {} was paid on", passed.received, passed.sent))
}

fn new_counterparty(payment: &TransactionRecord, stored: &[PaymentRow]) -> Option<String> {
    let other = |row: &PaymentRow| match row.direction {
        Direction::Outbound => row.to.clone(),
        Direction::Inbound => row.from.clone(),
    };
    let this = other(stored.iter().find(|row| row.id == payment.id.as_str())?)?;
    let earlier: Vec<&PaymentRow> = stored.iter().filter(|row| row.id != payment.id.as_str()).collect();
    let is_new = earlier.len() >= USED && !earlier.iter().any(|row| other(row).as_deref() == Some(this.as_str()));
    is_new.then(|| format!("new-counterparty: the first payment of {USUAL_DAYS} days with this account, after {} others", earlier.len()))
}

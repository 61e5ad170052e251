//! Accounts one after another, and what of them differs.

use std::time::{Duration, Instant};

use cypher::statements::rows::{CheckedPair, SenderTransfers};
use cypher::statements::{account, transfer};
use cypher::{Params, Value, map};
use serde::{Deserialize, Serialize};

use super::sums::{Pair, ShownSums, compared};
use crate::conflicts::despite_conflicts;
use crate::long_reads::{RowStream, Source};
use crate::policy::Permit;
use crate::{Inner, Result, boxed};

/// An account that has sent more payments is read by its receivers: what a page reads is to be bounded, however many accounts of this size it has.
const MOST_AT_ONCE: i64 = 200;
/// As many sums as `transfer/sums` answers with; fewer are the last.
const SUMS: usize = 10_000;
/// What a statement may take that goes through all that an account has sent: some 20 µs a payment, so that this is enough for several millions.
const LIMIT: Duration = Duration::from_secs(120);
/// What looking again may take, while nobody can pay from that account: less than a payment waits for.
const LOCKED: Duration = Duration::from_secs(2);
/// How much longer than it had the lock it leaves it to others before the next one.
const LEFT_TO_OTHERS: u32 = 4;
/// Pairs of a usual account that are looked at again in one transaction.
const CHECKED_AT_ONCE: usize = 20;
/// Behind all ids.
const END: &str = "\u{10FFFF}";

/// A roll-up that does not say what the payments do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Difference {
    from: String,
    to: String,
    currency: String,
    /// What the payments add up to.
    counted: ShownSums,
    /// What the roll-up says; nothing where there is none, several where there are.
    said: Vec<ShownSums>,
}

/// How far an account is that has sent much: all its receivers up to this one are done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Within {
    pub account: String,
    pub after: String,
}

/// A step through the receivers of such an account.
pub(super) struct Receivers {
    /// Where to go on; nothing where they all are done.
    pub next: Option<String>,
    pub looked: Looked,
}

/// What looking again came to.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub differences: Vec<Difference>,
    /// Pairs of which it could not be found out in the time that they may be locked.
    pub unsettled: u64,
}

/// Whether its payments were added up, and are not too many for that.
pub(super) fn is_whole(sender: &SenderTransfers) -> bool {
    sender.sent <= MOST_AT_ONCE
}

impl Inner {
    /// All accounts behind one of them, each with what it has sent, unless that is very much.
    pub(super) fn stream_senders(&self, _permit: &Permit<'_>, after: &str) -> RowStream<SenderTransfers> {
        let params = Params::none().with("most", MOST_AT_ONCE);
        let source = Source { keys: account::KEYS, rows: transfer::OF_SENDERS, params };
        RowStream::new(self.long_reads.clone(), source, Some(after))
    }

    /// What differs of a sender that was read whole.
    pub(super) async fn verify_sender(&self, permit: &Permit<'_>, sender: &SenderTransfers) -> Result<Looked> {
        let suspects: Vec<Pair> =
            compared(&sender.tallies, &sender.roll_ups).into_iter().filter(|(_, pair)| pair.differs()).map(|(pair, _)| pair).collect();
        self.look_again(permit, &sender.id, &suspects, CHECKED_AT_ONCE).await
    }

    /// What differs of a sender with very many payments, for its next receivers behind one of them.
    #[boxed]
    pub(super) async fn verify_receivers(&self, permit: &Permit<'_>, sender: &str, after: &str) -> Result<Receivers> {
        let params = Params::none().with("account", sender).with("after", after);
        let (mut tallies, _) = self.long_reads.read(transfer::SUMS, params.clone(), LIMIT).await?;
        let mut next = None;
        if tallies.len() >= SUMS
            && let Some(last) = tallies.last().map(|tally| tally.to.clone())
        {
            // Of the last one there may be more. Should it be the only one, what is missing of it is found under the lock.
            if tallies.first().is_some_and(|first| first.to != last) {
                tallies.retain(|tally| tally.to != last);
            }
            next = tallies.last().map(|tally| tally.to.clone());
        }
        let (roll_ups, _) = self.long_reads.read(transfer::ROLL_UPS, params.with("end", next.as_deref().unwrap_or(END)), LIMIT).await?;
        let roll_ups: Vec<_> = roll_ups.into_iter().map(|row| row.roll_up).collect();
        let suspects: Vec<Pair> = compared(&tallies, &roll_ups).into_iter().filter(|(_, pair)| pair.differs()).map(|(pair, _)| pair).collect();
        // One at a time: of such an account each takes long, and others wait for the lock.
        Ok(Receivers { next, looked: self.look_again(permit, sender, &suspects, 1).await? })
    }

    /// Which of these pairs differ while nobody changes them. Writers come in between.
    async fn look_again(&self, _permit: &Permit<'_>, sender: &str, suspects: &[Pair], at_once: usize) -> Result<Looked> {
        let mut looked = Looked::default();
        for suspects in suspects.chunks(at_once) {
            let row =
                |(to, currency): &Pair| map([("sender", sender.into()), ("receiver", to.as_str().into()), ("currency", currency.as_str().into())]);
            let params = Params::rows(suspects.iter().map(row).collect::<Vec<Value>>());
            let began = Instant::now();
            match despite_conflicts(|| self.engine.write_within_as(transfer::CHECK, params.clone(), LOCKED)).await {
                Ok(checked) => looked.differences.extend(checked.into_iter().flat_map(difference)),
                Err(cypher::Error::TimeLimit { .. }) => looked.unsettled += suspects.len() as u64,
                Err(error) => return Err(error.into()),
            }
            tokio::time::sleep(began.elapsed() * LEFT_TO_OTHERS).await;
        }
        Ok(looked)
    }
}

fn difference(checked: CheckedPair) -> Option<Difference> {
    let CheckedPair { from, to, currency, tallies, roll_ups } = checked;
    let (_, pair) = compared(&tallies, &roll_ups).into_iter().next()?;
    let said = pair.said.iter().map(|said| (*said).into()).collect();
    pair.differs().then(|| Difference { from, to, currency, counted: pair.counted.into(), said })
}

//! Verifying all roll-ups, as a job.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::senders::{Difference, Looked, Within, is_whole};
use crate::jobs::{JobKind, Progress, Running, Stopped, Wanted};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, IdempotencyKey, Once, Resolvers, Result, boxed};

/// Differences that are shown; others are counted.
const SHOWN: usize = 100;
/// How often is noted how far it is.
const SAVED_EVERY: Duration = Duration::from_secs(1);
/// The label of what it is about.
const ACCOUNT: &str = "Account";

/// All roll-ups of payments are compared with the payments.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VerifyTransfers {}

/// How far it is, and what was found.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// All accounts up to this one are done.
    after: String,
    /// Of the one behind it some receivers are done.
    within: Option<Within>,
    found: Findings,
}

/// What it has come to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// So many accounts were looked at.
    accounts: u64,
    /// So many roll-ups do not say what the payments do.
    differences: u64,
    /// So many were changed too often to be compared.
    unsettled: u64,
    /// The first of those that differ.
    shown: Vec<Difference>,
}

impl Findings {
    fn add(&mut self, Looked { differences, unsettled }: Looked) {
        self.unsettled += unsettled;
        self.differences += differences.len() as u64;
        let room = SHOWN - self.shown.len().min(SHOWN);
        self.shown.extend(differences.into_iter().take(room));
    }
}

impl JobKind for VerifyTransfers {
    const KIND: &'static str = "verify-transfers";
    type Checkpoint = Verified;
    type Result = Findings;

    async fn run(&self, mut done: Verified, running: &Running) -> std::result::Result<Findings, Stopped> {
        let inner = &running.context().resolvers().inner;
        let permit = Permit::of_service();
        let mut senders = inner.stream_senders(&permit, &done.after);
        let mut saved = Instant::now();
        while let Some(page) = senders.next_page().await? {
            for sender in page.rows {
                if is_whole(&sender) {
                    done.found.add(inner.verify_sender(&permit, &sender).await?);
                } else {
                    let begun = done.within.take().filter(|within| within.account == sender.id);
                    let mut next = Some(begun.map(|within| within.after).unwrap_or_default());
                    while let Some(after) = next {
                        let receivers = inner.verify_receivers(&permit, &sender.id, &after).await?;
                        done.found.add(receivers.looked);
                        next = receivers.next;
                        done.within = next.clone().map(|after| Within { account: sender.id.clone(), after });
                        done.save_when_due(running, &mut saved).await?;
                    }
                }
                done.after = sender.id;
                done.found.accounts += 1;
            }
            done.after = page.until;
            done.save_when_due(running, &mut saved).await?;
        }
        Ok(done.found)
    }
}

impl Verified {
    async fn save_when_due(&self, running: &Running, saved: &mut Instant) -> std::result::Result<(), Stopped> {
        if saved.elapsed() >= SAVED_EVERY {
            running.save(self, Progress { done: self.found.accounts, total: None }).await?;
            *saved = Instant::now();
        }
        Ok(())
    }
}

impl Resolvers {
    /// Starts the job; answers with its id. While one has not ended, that is the one.
    #[boxed]
    pub async fn start_verifying_transfers(&self, caller: &Caller, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let permit = self.inner.enter(caller, Action::StartJobs, Subject::List(ACCOUNT))?;
        let wanted =
            Wanted { name: "Verification of roll-ups".to_owned(), deduplication_key: Some(VerifyTransfers::KIND.to_owned()), ..Wanted::default() };
        Ok(self.inner.start_job(&permit, &VerifyTransfers {}, wanted, Once { key, body: "" }).await?.text)
    }
}

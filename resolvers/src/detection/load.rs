//! What a run reads of the store: payments of a time, the actors that they name, their accounts, and groups that are monitored as one.
//!
//! All of it goes through [`LongReads`](crate::long_reads::LongReads): a page at a time, behind what people wait for. Payments are read as they were known at a
//! moment: what was recorded later is left out, and what was replaced later is read as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use cypher::statements::rows::{FormerPayment, MonitoredActor, OwnedGroup, PaymentRow};
use cypher::statements::{detection, transaction};
use cypher::{Params, Reading, Value};
use serde::de::DeserializeOwned;

use super::business_day::parts_of;
use super::dataset::Loaded;
use crate::jobs::Stopped;
use crate::long_reads::{RowStream, Source, StreamedRow};
use crate::policy::Permit;
use crate::{Inner, Result};

/// Actors or accounts that are asked for at once.
const AT_ONCE: usize = 1_000;
/// Payments that a part of the time is to have: fewer than a statement for keys answers with.
const PAYMENTS_OF_A_PART: usize = 6_000;
/// Records that one look holds in memory at most: some 10 GB.
const MOST_RECORDS: usize = 15_000_000;
/// What such a statement may take.
const LIMIT: Duration = Duration::from_secs(20);

impl StreamedRow for FormerPayment {
    fn id(&self) -> &str {
        &self.id
    }
}

/// The reading of what rules look at, a part of the time after another.
pub(super) struct Loading<'a> {
    inner: &'a Inner,
    permit: &'a Permit<'a>,
    /// Epoch milliseconds.
    known_up_to: i64,
    left: std::vec::IntoIter<(i64, i64)>,
    payments: Vec<PaymentRow>,
}

impl<'a> Loading<'a> {
    /// Of a span of time (epoch milliseconds, half-open), or of none. Its parts are small enough for one statement to answer with its keys, where a day is.
    pub async fn begin(inner: &'a Inner, permit: &'a Permit<'a>, span: Option<(i64, i64)>, known_up_to: i64) -> Result<Self> {
        let parts = match span {
            Some(span) => parts_of(span, inner.count_payments(span).await? / PAYMENTS_OF_A_PART + 1),
            None => Vec::new(),
        };
        Ok(Self { inner, permit, known_up_to, left: parts.into_iter(), payments: Vec::new() })
    }

    /// Parts that are not read yet.
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Reads the next part; false where there is none. More records than can be held are refused for ever.
    pub async fn next_part(&mut self) -> std::result::Result<bool, Stopped> {
        let Some(part) = self.left.next() else { return Ok(false) };
        self.payments.extend(self.inner.load_payments(part, self.known_up_to).await?);
        if self.payments.len() > MOST_RECORDS {
            let reason = format!("the time that the rules look at has more than {MOST_RECORDS} records, which is more than one run can hold");
            return Err(Stopped::ForEver(reason));
        }
        Ok(true)
    }

    /// What was read, with the actors that payments name, their accounts, and the groups that are monitored as one.
    pub async fn end(self) -> Result<(Loaded, Vec<OwnedGroup>)> {
        let Self { inner, permit, known_up_to, payments, .. } = self;
        let groups = inner.load_groups(permit, known_up_to).await?;
        let owners = payments.iter().filter_map(|payment| payment.account_owner_id.as_deref());
        let owners: BTreeSet<&str> = owners.chain(groups.iter().flat_map(|group| &group.owners).map(String::as_str)).collect();
        let actors = inner.load_actors(permit, owners.into_iter(), known_up_to).await?;
        let accounts: BTreeSet<&str> = payments.iter().map(|payment| payment.account_id.as_str()).collect();
        let openings = inner.load_openings(permit, accounts.into_iter()).await?;
        Ok((Loaded { payments, actors, openings }, groups))
    }
}

impl Inner {
    /// How many payments a span of time has, whatever became of them.
    async fn count_payments(&self, (begin, behind): (i64, i64)) -> Result<usize> {
        let params = Params::none().with("begin", begin).with("behind", behind);
        let counted = detection::COUNT_OF_SPAN.first(self.long_reads.read(detection::COUNT_OF_SPAN, params, LIMIT).await?.0)?;
        Ok(usize::try_from(counted.total).unwrap_or_default())
    }

    /// Completed payments of a part of time (epoch milliseconds, half-open) that count for detection, as they were known at a moment.
    async fn load_payments(&self, (begin, behind): (i64, i64), known_up_to: i64) -> Result<Vec<PaymentRow>> {
        let span = Params::none().with("begin", begin).with("behind", behind);
        let present = Source { keys: detection::KEYS_OF_SPAN, rows: transaction::STREAM, params: span.clone() };
        let mut payments = all(RowStream::new(self.long_reads.clone(), present, None)).await?;
        payments.retain(|payment| payment.recorded_at.is_some_and(|recorded_at| recorded_at <= known_up_to));
        let former = Source { keys: detection::KEYS_OF_VERSIONS, rows: detection::VERSIONS, params: span.with("knownUpTo", known_up_to) };
        let versions = all(RowStream::new(self.long_reads.clone(), former, None)).await?;
        payments.extend(versions.into_iter().map(|version| version.payment));
        // A payment that was replaced between the two reads is met twice.
        let mut met = BTreeSet::new();
        payments.retain(|payment| payment.excluded != Some(true) && met.insert(payment.id.clone()));
        Ok(payments)
    }

    /// What is known of actors, by id.
    async fn load_actors(&self, _permit: &Permit<'_>, ids: impl Iterator<Item = &str>, known_up_to: i64) -> Result<BTreeMap<String, MonitoredActor>> {
        let params = Params::none().with("knownUpTo", known_up_to);
        let rows = self.by_ids(detection::ACTORS, ids, params).await?;
        Ok(rows.into_iter().map(|actor| (actor.id.clone(), actor)).collect())
    }

    /// When accounts were opened (`YYYY-MM-DD`), by id; those of which it is not known are left out.
    async fn load_openings(&self, _permit: &Permit<'_>, ids: impl Iterator<Item = &str>) -> Result<BTreeMap<String, String>> {
        let rows = self.by_ids(detection::ACCOUNTS, ids, Params::none()).await?;
        Ok(rows.into_iter().filter_map(|account| Some((account.id, account.opened_date?))).collect())
    }

    /// Segmentation groups that have an owner.
    async fn load_groups(&self, _permit: &Permit<'_>, known_up_to: i64) -> Result<Vec<OwnedGroup>> {
        let mut groups = self.long_reads.read(detection::GROUPS, Params::none().with("knownUpTo", known_up_to), LIMIT).await?.0;
        groups.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(groups)
    }

    async fn by_ids<R: DeserializeOwned>(&self, reading: Reading<R>, ids: impl Iterator<Item = &str>, params: Params) -> Result<Vec<R>> {
        let ids: Vec<&str> = ids.collect();
        let mut rows = Vec::with_capacity(ids.len());
        for some in ids.chunks(AT_ONCE) {
            let some: Vec<Value> = some.iter().map(|id| Value::from(*id)).collect();
            let params = params.clone().with("ids", Value::List(some));
            rows.extend(self.long_reads.read(reading, params, LIMIT).await?.0);
        }
        Ok(rows)
    }
}

async fn all<R: StreamedRow>(mut stream: RowStream<R>) -> Result<Vec<R>> {
    let mut rows = Vec::new();
    while let Some(page) = stream.next_page().await? {
        rows.extend(page.rows);
    }
    Ok(rows)
}

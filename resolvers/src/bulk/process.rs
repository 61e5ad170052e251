//! Processing what was taken, a part at a time, and what waits, some at a time.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use cypher::statements::rows::{BulkPartRow, WaitingItem};
use cypher::{Params, statements};
use futures::future::join_all;
use graph_schema::bulk::{BulkList, MissingRelation};
use graph_schema::date::Timestamp;

use super::accept::{items_of, subject};
use super::item::{Made, Record};
use super::settle::Settled;
use super::{Item, Outcome, Sender};
use crate::jobs::Next;
use crate::policy::Permit;
use crate::{Error, Inner, Result};

/// How many of those that wait are tried at once, and about how many characters they may have together.
const AT_ONCE: usize = 100;
const CHARACTERS: i64 = 4 << 20;
/// An item may not name more than a single record may.
const MOST_NAMED: usize = 10_000;

impl Inner {
    /// One step: those that wait and may be tried again, then the next part.
    pub(crate) async fn process_bulk(&self) -> Result<Next> {
        let permit = Permit::of_service();
        let retried = match self.retry_waiting(&permit).await {
            Ok(retried) => retried,
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            // What waits must not keep back what was not looked at yet.
            Err(error) => {
                tracing::error!(%error, "items of bulk requests that wait could not be tried again");
                0
            }
        };
        if let Some(part) = self.read(&permit, statements::bulk::NEXT_PART, Params::none()).await?.into_iter().next() {
            self.process_part(&permit, part).await?;
            return Ok(Next::AtOnce);
        }
        if retried > 0 {
            return Ok(Next::AtOnce);
        }
        let due = self.read(&permit, statements::bulk::NEXT_DUE, Params::none()).await?;
        // What is due and could not be tried rests for a moment.
        let wait = |due_at: i64| Duration::from_millis(u64::try_from(due_at - self.clock.now().millis()).unwrap_or_default().max(100));
        Ok(due.first().map_or(Next::WhenWoken, |row| Next::After(wait(row.due_at))))
    }

    async fn process_part(&self, permit: &Permit<'_>, part: BulkPartRow) -> Result<()> {
        let items = items_of_part(&part);
        let tried = self.try_all(permit, items).await?;
        let now = self.clock.now();
        let mut settled = Settled::default();
        for (item, outcome) in tried {
            settled.first_try(&item, outcome, now, self.settings.defer_for);
        }
        self.settle_part(&part.id, settled).await
    }

    /// Tries those that wait whose time has come, and those for which something has arrived; says how many.
    async fn retry_waiting(&self, permit: &Permit<'_>) -> Result<usize> {
        let params = Params::none().with("now", self.clock.now().millis()).with("most", AT_ONCE as i64);
        let mut due = self.read(permit, statements::bulk::DUE, params).await?;
        let woken = self.awaited.take_woken(AT_ONCE);
        if !woken.is_empty() {
            due.extend(self.read(permit, statements::bulk::WAITING_SIZES, Params::none().with("ids", woken)).await?);
            due.sort_by(|a, b| a.id.cmp(&b.id));
            due.dedup_by(|a, b| a.id == b.id);
        }
        // All of them would be in memory at once. One is taken however large it is.
        let mut characters = 0;
        let fits = |size: i64| {
            characters += size;
            characters <= CHARACTERS || characters == size
        };
        let ids: Vec<String> = due.into_iter().scan(fits, |fits, item| fits(item.size).then_some(item.id)).collect();
        if ids.is_empty() {
            return Ok(0);
        }
        let waiting = self.read(permit, statements::bulk::WAITING, Params::none().with("ids", ids)).await?;
        let count = waiting.len();
        let tried = self.try_all(permit, waiting.into_iter().map(waiting_item).collect()).await?;
        let now = self.clock.now();
        let mut settled = Settled::default();
        for (item, outcome) in tried {
            settled.another_try(&item, outcome, now, self.settings.defer_for);
        }
        self.settle_items(settled).await?;
        Ok(count)
    }

    /// Tries items; where they can't be tried together because of one of them, one by one. An error says that nothing can be written now; what was
    /// written stays.
    async fn try_all(&self, permit: &Permit<'_>, items: Vec<Item>) -> Result<Vec<(Item, Outcome)>> {
        let (mut tried, open) = self.written_before(permit, items).await?;
        match self.try_items(permit, open.clone()).await {
            Ok(more) => tried.extend(more),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => {
                tracing::warn!(%error, "items of a bulk request are tried one by one");
                let (written, open) = self.written_before(permit, open).await?;
                tried.extend(written);
                for item in open {
                    match self.try_items(permit, vec![item.clone()]).await {
                        Ok(more) => tried.extend(more),
                        Err(error @ Error::Unavailable { .. }) => return Err(error),
                        Err(error) => {
                            tracing::error!(%error, item = item.id, "an item of a bulk request can't be processed");
                            tried.push((item, Outcome::Failed(vec!["it can't be processed; see the log".to_owned()])));
                        }
                    }
                }
            }
        }
        Ok(tried)
    }

    /// Those that an earlier try has written, which is known by their audit entries, and those that are still to be written.
    async fn written_before(&self, permit: &Permit<'_>, items: Vec<Item>) -> Result<(Vec<(Item, Outcome)>, Vec<Item>)> {
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let written = self.read(permit, statements::trail::WRITTEN, Params::none().with("ids", ids)).await?;
        let written: HashSet<String> = written.into_iter().map(|row| row.id).collect();
        let (done, open): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| written.contains(&item.id));
        Ok((done.into_iter().map(|item| (item, Outcome::Completed)).collect(), open))
    }

    /// Writes the items of which all that they name is there, and about which nothing earlier waits.
    async fn try_items(&self, permit: &Permit<'_>, items: Vec<Item>) -> Result<Vec<(Item, Outcome)>> {
        let mut tried = Vec::with_capacity(items.len());
        let mut read = Vec::with_capacity(items.len());
        for item in items {
            match Record::read(item.list, &item.body) {
                Ok(record) if record.named().len() > MOST_NAMED => {
                    tried.push((item, Outcome::Failed(vec![format!("names more than {MOST_NAMED} others; send several")])));
                }
                Ok(record) => read.push((item, record)),
                Err(reason) => tried.push((item, Outcome::Failed(vec![reason]))),
            }
        }
        let missing = self.missing_of(permit, &read).await?;
        let superseded = self.superseded(permit, &read).await?;
        let mut earlier = self.earlier(permit, &read).await?;
        let mut ready = Vec::with_capacity(read.len());
        for (item, record) in read {
            let lacks: Vec<MissingRelation> = record.named().into_iter().filter(|relation| missing.contains(relation)).collect();
            let behind = item.about().is_some_and(|about| earlier.get(&about).is_some_and(|ids| ids.iter().any(|id| *id < item.id)));
            if superseded.contains(&item.id) {
                tried.push((item, Outcome::Completed));
            } else if behind {
                tried.push((item, Outcome::Later("waits for an earlier item about the same thing".to_owned())));
            } else if lacks.is_empty() {
                ready.push((item, record));
            } else {
                // What comes later about it waits behind it.
                earlier.entry(item.about().unwrap_or((item.list, String::new()))).or_default().extend(item.subject.iter().map(|_| item.id.clone()));
                tried.push((item, Outcome::Missing(lacks)));
            }
        }
        while !ready.is_empty() {
            ready = self.write_one_of_each(permit, ready, &mut tried).await?;
        }
        Ok(tried)
    }

    /// Writes the first item about each thing; returns the others, which have to see what these have made.
    async fn write_one_of_each(
        &self,
        permit: &Permit<'_>,
        ready: Vec<(Item, Record)>,
        tried: &mut Vec<(Item, Outcome)>,
    ) -> Result<Vec<(Item, Record)>> {
        let mut seen = HashSet::new();
        let (now, later): (Vec<_>, Vec<_>) = ready.into_iter().partition(|(item, _)| item.about().is_none_or(|about| seen.insert(about)));
        let mut made = self.cases_made(permit, &now).await?;
        let writes = now.into_iter().map(|(item, record)| {
            let made = item.case().and_then(|case| made.remove(case)).map_or(Made::No, Made::By);
            async move {
                let outcome = self.write_item(&item, record, made).await?;
                Ok::<_, Error>((item, outcome))
            }
        });
        for written in join_all(writes).await {
            tried.push(written?);
        }
        Ok(later)
    }

    /// What of all that items name is not there. Who waits for it is noted before the last look, so that what arrives meanwhile is not missed.
    async fn missing_of(&self, permit: &Permit<'_>, read: &[(Item, Record)]) -> Result<HashSet<MissingRelation>> {
        let named: BTreeSet<MissingRelation> = read.iter().flat_map(|(_, record)| record.named()).collect();
        let missing: BTreeSet<MissingRelation> = self.missing(permit, &named).await?.into_iter().collect();
        if missing.is_empty() {
            return Ok(HashSet::new());
        }
        for (item, record) in read {
            let lacks: Vec<MissingRelation> = record.named().into_iter().filter(|relation| missing.contains(relation)).collect();
            self.awaited.wait_for(&lacks, &item.id);
        }
        self.missing(permit, &missing).await
    }

    /// Those that have waited while something newer was recorded of the same payment or observation, whichever way that came.
    async fn superseded(&self, permit: &Permit<'_>, read: &[(Item, Record)]) -> Result<HashSet<String>> {
        let waited =
            |list: BulkList| -> Vec<&Item> { read.iter().map(|(item, _)| item).filter(|item| item.list == list && item.attempts > 0).collect() };
        let (transactions, observations) = (waited(BulkList::Transactions), waited(BulkList::Observations));
        if transactions.is_empty() && observations.is_empty() {
            return Ok(HashSet::new());
        }
        let ids = |items: &[&Item]| -> Vec<String> { items.iter().filter_map(|item| item.subject.clone()).collect() };
        let params = Params::none().with("transactions", ids(&transactions)).with("observations", ids(&observations));
        let rows = self.read(permit, statements::bulk::RECORDED, params).await?;
        let recorded: HashMap<(String, String), i64> =
            rows.into_iter().map(|row| ((row.kind, row.id), row.recorded_at.unwrap_or_default())).collect();
        let is_newer = |kind: &str, item: &Item| {
            let subject = item.subject.clone().unwrap_or_default();
            recorded.get(&(kind.to_owned(), subject)).is_some_and(|at| *at > item.created_at.millis())
        };
        let of = |kind: &'static str, items: Vec<&Item>| {
            items.into_iter().filter(|item| is_newer(kind, item)).map(|item| item.id.clone()).collect::<Vec<_>>()
        };
        Ok(of("Transaction", transactions).into_iter().chain(of("Observation", observations)).collect())
    }

    /// The items that wait about the same things, by what they are about.
    async fn earlier(&self, permit: &Permit<'_>, read: &[(Item, Record)]) -> Result<HashMap<(BulkList, String), Vec<String>>> {
        let subjects: Vec<&str> = read.iter().filter_map(|(item, _)| item.subject.as_deref()).collect();
        // Mostly nothing waits at all.
        if subjects.is_empty() || self.read(permit, statements::bulk::NEXT_DUE, Params::none()).await?.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = self.read(permit, statements::bulk::BEFORE, Params::none().with("subjects", subjects)).await?;
        let mut earlier: HashMap<(BulkList, String), Vec<String>> = HashMap::new();
        for row in rows {
            earlier.entry((row.list, row.subject)).or_default().push(row.id);
        }
        Ok(earlier)
    }

    /// Which of the cases are there already, and by which request.
    async fn cases_made(&self, permit: &Permit<'_>, ready: &[(Item, Record)]) -> Result<HashMap<String, Option<Arc<str>>>> {
        let cases: Vec<&str> = ready.iter().filter_map(|(item, _)| item.case()).collect();
        if cases.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = self.read(permit, statements::bulk::CASES_MADE, Params::none().with("ids", cases)).await?;
        Ok(rows.into_iter().map(|row| (row.id, row.record)).collect())
    }
}

fn items_of_part(part: &BulkPartRow) -> Vec<Item> {
    let sender = Sender {
        id: &part.user_id,
        name: &part.user_name,
        role: &part.user_role,
        means: &part.means,
        ip: part.user_ip.as_deref(),
        request_id: &part.request_id,
    };
    let sender = sender.caller();
    // It was made from such texts.
    let texts = items_of(&part.body).unwrap_or_default();
    let first = usize::try_from(part.first).unwrap_or_default();
    let item = |(at, body): (usize, Arc<str>)| {
        let subject = subject_of(part.list, &body);
        let place = format!("{}[{}]", part.list.field(), first + at);
        Item {
            id: format!("{}/{at:04}", part.id),
            name: subject.as_ref().map_or_else(|| place.clone(), |subject| format!("{place} {subject}")),
            list: part.list,
            subject,
            body,
            attempts: 0,
            created_at: Timestamp(part.received_at),
            sender: Arc::clone(&sender),
        }
    };
    texts.into_iter().enumerate().map(item).collect()
}

fn waiting_item(row: WaitingItem) -> Item {
    let sender = Sender {
        id: &row.user_id,
        name: &row.user_name,
        role: &row.user_role,
        means: &row.means,
        ip: row.user_ip.as_deref(),
        request_id: &row.request_id,
    };
    Item {
        sender: sender.caller(),
        name: String::new(),
        subject: subject_of(row.list, &row.body),
        id: row.id,
        list: row.list,
        body: row.body,
        attempts: row.attempts,
        created_at: Timestamp(row.created_at),
    }
}

/// What an item is about, of lists whose items may wait: what comes later about it must not overtake it.
fn subject_of(list: BulkList, body: &str) -> Option<String> {
    matches!(list, BulkList::Transactions | BulkList::Observations | BulkList::Cases).then(|| subject(body)).flatten()
}

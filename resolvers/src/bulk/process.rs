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
use crate::{Inner, Result};

/// How many of those that wait are tried at once.
const AT_ONCE: i64 = 500;

impl Inner {
    /// One step: those that wait and may be tried again, then the next part.
    pub(crate) async fn process_bulk(&self) -> Result<Next> {
        let permit = Permit::of_service();
        let retried = self.retry_waiting(&permit).await?;
        if let Some(part) = self.read(&permit, statements::bulk::NEXT_PART, Params::none()).await?.into_iter().next() {
            self.process_part(&permit, part).await?;
            return Ok(Next::AtOnce);
        }
        if retried == AT_ONCE as usize {
            return Ok(Next::AtOnce);
        }
        let due = self.read(&permit, statements::bulk::NEXT_DUE, Params::none()).await?;
        Ok(match due.first() {
            Some(row) => Next::After(Duration::from_millis(u64::try_from(row.due_at - self.clock.now().millis()).unwrap_or_default())),
            None => Next::WhenWoken,
        })
    }

    async fn process_part(&self, permit: &Permit<'_>, part: BulkPartRow) -> Result<()> {
        let items = items_of_part(&part);
        // What an earlier try has written is known by its audit entries.
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let written = self.read(permit, statements::trail::WRITTEN, Params::none().with("ids", ids)).await?;
        let written: HashSet<String> = written.into_iter().map(|row| row.id).collect();
        let (done, open): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| written.contains(&item.id));
        let tried = self.try_items(permit, open).await?;
        let now = self.clock.now();
        let mut settled = Settled::default();
        for (item, outcome) in done.into_iter().map(|item| (item, Outcome::Completed)).chain(tried) {
            settled.first_try(&item, outcome, now, self.settings.defer_for);
        }
        self.settle_part(&part.id, settled).await
    }

    /// Tries those that wait whose time has come, and those for which something has arrived; says how many.
    async fn retry_waiting(&self, permit: &Permit<'_>) -> Result<usize> {
        let params = Params::none().with("now", self.clock.now().millis()).with("most", AT_ONCE);
        let mut waiting = self.read(permit, statements::bulk::DUE, params).await?;
        let woken = self.awaited.take_woken();
        if !woken.is_empty() {
            waiting.extend(self.read(permit, statements::bulk::WOKEN, Params::none().with("ids", woken)).await?);
            waiting.sort_by(|a, b| a.id.cmp(&b.id));
            waiting.dedup_by(|a, b| a.id == b.id);
        }
        if waiting.is_empty() {
            return Ok(0);
        }
        let count = waiting.len();
        let tried = self.try_items(permit, waiting.into_iter().map(waiting_item).collect()).await?;
        let now = self.clock.now();
        let mut settled = Settled::default();
        for (item, outcome) in tried {
            settled.another_try(&item, outcome, now, self.settings.defer_for);
        }
        self.settle_items(settled).await?;
        Ok(count)
    }

    /// Writes the items of which all that they name is there. An error says that nothing can be written now; what was written stays.
    async fn try_items(&self, permit: &Permit<'_>, items: Vec<Item>) -> Result<Vec<(Item, Outcome)>> {
        let mut tried = Vec::with_capacity(items.len());
        let mut read = Vec::with_capacity(items.len());
        for item in items {
            match Record::read(item.list, &item.body) {
                Ok(record) => read.push((item, record)),
                Err(reason) => tried.push((item, Outcome::Failed(vec![reason]))),
            }
        }
        let missing = self.missing_of(permit, &read).await?;
        let mut ready = Vec::with_capacity(read.len());
        for (item, record) in read {
            let lacks: Vec<MissingRelation> = record.named().into_iter().filter(|relation| missing.contains(relation)).collect();
            if lacks.is_empty() {
                ready.push((item, record));
            } else {
                tried.push((item, Outcome::Missing(lacks)));
            }
        }
        let mut made = self.cases_made(permit, &ready).await?;
        let writes = ready.into_iter().map(|(item, record)| {
            let made = item.subject.as_ref().and_then(|case| made.remove(case)).map_or(Made::No, Made::By);
            async move {
                let outcome = self.write_item(&item, record, made).await?;
                Ok::<_, crate::Error>((item, outcome))
            }
        });
        for written in join_all(writes).await {
            tried.push(written?);
        }
        Ok(tried)
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

    /// Which of the cases are there already, and by which request.
    async fn cases_made(&self, permit: &Permit<'_>, ready: &[(Item, Record)]) -> Result<HashMap<String, Option<Arc<str>>>> {
        let cases: Vec<&str> =
            ready.iter().filter(|(item, _)| item.list == BulkList::Cases).filter_map(|(item, _)| item.subject.as_deref()).collect();
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
        let subject = (part.list == BulkList::Cases).then(|| subject(&body)).flatten();
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
        subject: (row.list == BulkList::Cases).then(|| subject(&row.body)).flatten(),
        id: row.id,
        list: row.list,
        body: row.body,
        attempts: row.attempts,
        created_at: Timestamp(row.created_at),
    }
}

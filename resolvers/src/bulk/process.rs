//! Processing what was taken, a part at a time, and what waits, some at a time.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::statements::rows::{BulkPartRow, EarlierItem, WaitingItem};
use cypher::{Params, statements};
use futures::future::join_all;
use graph_schema::bulk::{BulkList, MissingRelation, SingleCase};
use graph_schema::date::Timestamp;

use super::accept::{items_of, subject};
use super::item::{Known, Record};
use super::settle::Settled;
use super::{Item, Outcome, caller_of};
use crate::jobs::Next;
use crate::logical_time::LogicalTime;
use crate::policy::Permit;
use crate::screening::SubmittedPayment;
use crate::transaction::SeenHolders;
use crate::{Error, Inner, Result};

/// How many of those that wait are tried at once, and about how many characters they may have together.
const AT_ONCE: usize = 100;
const CHARACTERS: i64 = 4 << 20;
/// How long parts are processed before those that wait are looked at again.
const STEP: Duration = Duration::from_secs(2);
/// How long those that wait rest when they could not be tried.
const REST: Duration = Duration::from_secs(1);
/// An item may not name more than a single record may.
const MOST_NAMED: usize = 10_000;

/// Why an item was not tried whose request was cancelled before.
const CANCELLED: &str = "the bulk request was cancelled before this was looked at; send it again";

/// Items that were looked at.
#[derive(Default)]
struct Opened {
    /// Those that are to be tried no more.
    tried: Vec<(Item, Outcome)>,
    read: Vec<(Item, Record)>,
    /// Who has the numbers that payments among them name, as far as anyone has looked.
    holders: SeenHolders,
}

/// A part whose items are to be tried.
struct OpenPart {
    id: String,
    opened: Opened,
}

impl Inner {
    /// One step: those that wait and may be tried again, then parts.
    pub(crate) async fn process_bulk(&self) -> Result<Next> {
        let permit = Permit::of_service();
        let (retried, is_left) = match self.retry_waiting(&permit).await {
            Ok(retried) => (retried, false),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            // What waits must not keep back what was not looked at yet.
            Err(error) => {
                tracing::error!(%error, "items of bulk requests that wait could not be tried again");
                (0, true)
            }
        };
        if self.process_parts(&permit).await? + retried > 0 {
            return Ok(Next::AtOnce);
        }
        if is_left {
            return Ok(Next::After(REST));
        }
        let due = self.read(&permit, statements::bulk::NEXT_DUE, Params::none()).await?;
        // What is due and could not be tried rests for a moment.
        let wait = |due_at: i64| Duration::from_millis(u64::try_from(due_at - self.clock.now().millis()).unwrap_or_default().max(100));
        Ok(due.first().map_or(Next::WhenWoken, |row| Next::After(wait(row.due_at))))
    }

    /// Parts, one after another, until there is none or a step has taken long enough. While the items of one are written, the next is read; and while the
    /// next is tried, it is noted that one is done, where nothing of it waits or has failed: then no later item has to know. Says how many
    /// there were.
    async fn process_parts(&self, permit: &Permit<'_>) -> Result<usize> {
        let started = Instant::now();
        let mut next = self.open_part(permit, "").await?;
        let (mut parts, mut done) = (0, None);
        while let Some(part) = next.take() {
            parts += 1;
            let OpenPart { id, opened } = part;
            let (noted, tried, following) = tokio::join!(self.note_done(done.take()), self.try_part(permit, opened), async {
                if started.elapsed() < STEP { self.open_part(permit, &id).await } else { Ok(None) }
            });
            // What was tried is noted whatever became of the others. What is not noted is found written the next time.
            let settled = tried?;
            if noted.is_ok() && following.is_ok() && settled.is_nothing_left() {
                done = Some((id, settled));
            } else {
                self.settle_part(&id, settled).await?;
            }
            noted?;
            next = following?;
        }
        self.note_done(done).await?;
        Ok(parts)
    }

    /// The part behind another, its items read.
    async fn open_part(&self, permit: &Permit<'_>, after: &str) -> Result<Option<OpenPart>> {
        let part = self.read(permit, statements::bulk::NEXT_PART, Params::none().with("after", after)).await?.into_iter().next();
        let Some(part) = part else { return Ok(None) };
        let id = part.id.clone();
        let is_cancelled = part.cancelled_by.is_some();
        let mut opened = self.open(permit, items_of_part(part)).await?;
        if is_cancelled {
            // What was written before and not noted is left as it is.
            let cancelled = |(item, _)| (item, Outcome::Failed(vec![CANCELLED.to_owned()]));
            opened.tried.extend(opened.read.drain(..).map(cancelled));
        }
        // While the part before is written. Items that are tried by themselves or again are a hundred at most, for which a look does not pay.
        opened.holders = self.seen_holders(permit, opened.read.iter().filter_map(|(_, record)| record.transaction())).await;
        Ok(Some(OpenPart { id, opened }))
    }

    async fn note_done(&self, done: Option<(String, Settled)>) -> Result<()> {
        match done {
            Some((id, settled)) => self.settle_part(&id, settled).await,
            None => Ok(()),
        }
    }

    /// Tries the items of a part; what is to be noted of them.
    async fn try_part(&self, permit: &Permit<'_>, opened: Opened) -> Result<Settled> {
        let tried = self.try_all(permit, opened).await?;
        self.screen_written(permit, &tried).await?;
        let now = self.clock.now();
        let mut settled = Settled::default();
        for (item, outcome) in tried {
            settled.first_try(&item, outcome, now, self.settings.defer_for);
        }
        Ok(settled)
    }

    /// Tries those that wait whose time has come, and those for which something has arrived; says how many. What has arrived is not forgotten by an error.
    async fn retry_waiting(&self, permit: &Permit<'_>) -> Result<usize> {
        let woken = self.awaited.take_woken(AT_ONCE);
        let retried = self.retry(permit, &woken).await;
        if retried.is_err() {
            self.awaited.wake_again(woken);
        }
        retried
    }

    async fn retry(&self, permit: &Permit<'_>, woken: &[String]) -> Result<usize> {
        let params = Params::none().with("now", self.clock.now().millis()).with("most", AT_ONCE as i64);
        let mut due = self.read(permit, statements::bulk::DUE, params).await?;
        if !woken.is_empty() {
            due.extend(self.read(permit, statements::bulk::WAITING_SIZES, Params::none().with("ids", woken.to_vec())).await?);
            due.sort_by(|a, b| a.id.cmp(&b.id));
            due.dedup_by(|a, b| a.id == b.id);
        }
        // All of them would be in memory at once. One is taken however large it is.
        let mut characters = 0;
        let mut fits = |size: i64| {
            characters += size;
            characters <= CHARACTERS || characters == size
        };
        let places = due.iter().take_while(|item| fits(item.size)).count();
        let (now, later) = due.split_at(places);
        // Those whose time has come are found again.
        self.awaited.wake_again(later.iter().map(|item| item.id.clone()).filter(|id| woken.contains(id)));
        let ids: Vec<String> = now.iter().map(|item| item.id.clone()).collect();
        if ids.is_empty() {
            return Ok(0);
        }
        let waiting = self.read(permit, statements::bulk::WAITING, Params::none().with("ids", ids)).await?;
        let count = waiting.len();
        let (held, free) = self.held(permit, waiting.into_iter().map(waiting_item).collect()).await?;
        let opened = self.open(permit, free).await?;
        let mut tried = self.try_all(permit, opened).await?;
        self.screen_written(permit, &tried).await?;
        tried.extend(held);
        let now = self.clock.now();
        let mut settled = Settled::default();
        for (item, outcome) in tried {
            settled.another_try(&item, outcome, now, self.settings.defer_for);
        }
        self.settle_items(settled).await?;
        Ok(count)
    }

    /// Has payments screened that were written, where the settings say so: before it is noted that they are written, so that none is forgotten.
    async fn screen_written(&self, permit: &Permit<'_>, tried: &[(Item, Outcome)]) -> Result<()> {
        if self.settings.screening.bulk.is_empty() {
            return Ok(());
        }
        let written = tried.iter().filter(|(item, outcome)| item.list == BulkList::Transactions && matches!(outcome, Outcome::Completed));
        let submitted = |(item, _): &(Item, Outcome)| Some(SubmittedPayment { id: item.subject.clone()?, submission: item.id.clone() });
        let payments: Vec<SubmittedPayment> = written.filter_map(submitted).collect();
        self.screen_later(permit, &payments).await
    }

    /// Tries items; where they can't be tried together because of one of them, one by one. An error says that nothing can be written now; what was
    /// written stays.
    async fn try_all(&self, permit: &Permit<'_>, opened: Opened) -> Result<Vec<(Item, Outcome)>> {
        let Opened { mut tried, read, holders } = opened;
        let items: Vec<Item> = read.iter().map(|(item, _)| item.clone()).collect();
        match self.try_items(permit, read, &holders).await {
            Ok(more) => tried.extend(more),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => {
                tracing::warn!(%error, "items of a bulk request are tried one by one");
                tried.extend(self.try_one_by_one(permit, items).await?);
            }
        }
        Ok(tried)
    }

    async fn try_one_by_one(&self, permit: &Permit<'_>, items: Vec<Item>) -> Result<Vec<(Item, Outcome)>> {
        let (mut tried, mut waited_for) = (Vec::with_capacity(items.len()), HashSet::new());
        for item in items {
            // The graph does not know yet that an earlier one waits.
            if item.about().is_some_and(|about| waited_for.contains(&about)) {
                tried.push((item, Outcome::Behind));
                continue;
            }
            match self.try_one(permit, item.clone()).await {
                Ok(more) => {
                    let waits = |outcome: &Outcome| matches!(outcome, Outcome::Missing(_) | Outcome::Behind | Outcome::Later(_));
                    waited_for.extend(more.iter().filter(|(_, outcome)| waits(outcome)).filter_map(|(item, _)| item.about()));
                    tried.extend(more);
                }
                Err(error @ Error::Unavailable { .. }) => return Err(error),
                Err(error) => {
                    tracing::error!(%error, item = item.id, "an item of a bulk request can't be processed");
                    tried.push((item, Outcome::Failed(vec!["it can't be processed; see the log".to_owned()])));
                }
            }
        }
        Ok(tried)
    }

    /// Tries an item, unless it was written when all were tried together.
    async fn try_one(&self, permit: &Permit<'_>, item: Item) -> Result<Vec<(Item, Outcome)>> {
        let Opened { mut tried, read, holders } = self.open(permit, vec![item]).await?;
        tried.extend(self.try_items(permit, read, &holders).await?);
        Ok(tried)
    }

    /// Reads items, but for those that an earlier try has written, which is known by their audit entries. Nothing of it depends on what stands before them.
    async fn open(&self, permit: &Permit<'_>, items: Vec<Item>) -> Result<Opened> {
        let written = self.written(permit, items.iter().map(|item| item.id.as_str()).collect()).await?;
        let mut opened = Opened::default();
        for item in items {
            if written.contains(&item.id) {
                opened.tried.push((item, Outcome::Completed));
                continue;
            }
            match Record::read(item.list, &item.body) {
                Ok(record) if record.named().len() > MOST_NAMED => {
                    opened.tried.push((item, Outcome::Failed(vec![format!("names more than {MOST_NAMED} others; send several")])));
                }
                Ok(record) => opened.read.push((item, record)),
                Err(reason) => opened.tried.push((item, Outcome::Failed(vec![reason]))),
            }
        }
        Ok(opened)
    }

    /// Writes the items of which all that they name is there, and about which nothing earlier waits.
    async fn try_items(&self, permit: &Permit<'_>, mut read: Vec<(Item, Record)>, holders: &SeenHolders) -> Result<Vec<(Item, Outcome)>> {
        self.find_case_links(permit, &mut read).await?;
        let mut tried = Vec::with_capacity(read.len());
        let missing = self.missing_of(permit, &read).await?;
        let mut earlier = self.earlier(permit, &read).await?;
        let mut ready = Vec::with_capacity(read.len());
        for (item, record) in read {
            let lacks: Vec<MissingRelation> = record.named().into_iter().filter(|relation| missing.contains(relation)).collect();
            let behind = item.about().is_some_and(|about| earlier.get(&about).is_some_and(|ids| ids.iter().any(|id| *id < item.id)));
            if behind {
                if let Some(subject) = &item.subject {
                    self.awaited.wait_until_written(label_of(item.list), subject, &item.id);
                }
                tried.push((item, Outcome::Behind));
            } else if lacks.is_empty() {
                ready.push((item, record));
            } else {
                // What comes later about it waits behind it.
                earlier.entry(item.about().unwrap_or((item.list, String::new()))).or_default().extend(item.subject.iter().map(|_| item.id.clone()));
                tried.push((item, Outcome::Missing(lacks)));
            }
        }
        while !ready.is_empty() {
            ready = self.write_one_of_each(permit, ready, holders, &mut tried).await?;
        }
        Ok(tried)
    }

    /// Writes the first item about each thing; returns the others, which have to see what these have made.
    async fn write_one_of_each(
        &self,
        permit: &Permit<'_>,
        ready: Vec<(Item, Record)>,
        holders: &SeenHolders,
        tried: &mut Vec<(Item, Outcome)>,
    ) -> Result<Vec<(Item, Record)>> {
        let mut seen = HashSet::new();
        let (now, later): (Vec<_>, Vec<_>) = ready.into_iter().partition(|(item, _)| item.about().is_none_or(|about| seen.insert(about)));
        let cases: Vec<&SingleCase> = now.iter().filter_map(|(_, record)| record.case()).collect();
        let known = &Known { cases: self.known_cases(permit, &cases).await?, holders };
        let writes = now.into_iter().map(|(item, record)| async move {
            let outcome = self.write_item(&item, record, known).await?;
            Ok::<_, Error>((item, outcome))
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

    /// The items that wait about the same things, by what they are about.
    async fn earlier(&self, permit: &Permit<'_>, read: &[(Item, Record)]) -> Result<HashMap<(BulkList, String), Vec<String>>> {
        let subjects: Vec<&str> = read.iter().filter_map(|(item, _)| item.subject.as_deref()).collect();
        // Mostly nothing waits at all.
        if subjects.is_empty() || self.read(permit, statements::bulk::NEXT_DUE, Params::none()).await?.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = self.read(permit, statements::bulk::BEFORE, Params::none().with("subjects", subjects)).await?;
        let mut earlier: HashMap<(BulkList, String), Vec<String>> = HashMap::new();
        // One of these that is written now is no reason to wait: which of two is the present follows from their times. A case is told in turn.
        let here: HashSet<&str> = read.iter().filter(|(item, _)| item.list != BulkList::Cases).map(|(item, _)| item.id.as_str()).collect();
        let rows: Vec<EarlierItem> = rows.into_iter().filter(|row| !here.contains(row.id.as_str())).collect();
        // What is held is never written in its sender's name, and must not hold up others'.
        let held = self.shut_out(permit, rows.iter().map(|row| row.sender.as_str()).collect()).await?;
        for row in rows.into_iter().filter(|row| !held.contains(&row.sender)) {
            earlier.entry((row.list, row.subject)).or_default().push(row.id);
        }
        Ok(earlier)
    }
}

fn items_of_part(part: BulkPartRow) -> Vec<Item> {
    let sender = caller_of(part.sender);
    // It was made from such texts.
    let texts = items_of(&part.body).unwrap_or_default();
    let first = usize::try_from(part.first).unwrap_or_default();
    let time = part.logical_time.map_or(LogicalTime::of_older_program(part.received_at), LogicalTime::stored);
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
            time: time.behind(at),
            sender: Arc::clone(&sender),
            case_is_there: false,
        }
    };
    texts.into_iter().enumerate().map(item).collect()
}

fn waiting_item(row: WaitingItem) -> Item {
    Item {
        sender: caller_of(row.sender),
        name: String::new(),
        subject: subject_of(row.list, &row.body),
        id: row.id,
        list: row.list,
        body: row.body,
        attempts: row.attempts,
        created_at: Timestamp(row.created_at),
        time: row.logical_time.map_or(LogicalTime::of_older_program(row.created_at), LogicalTime::stored),
        case_is_there: false,
    }
}

/// The label of what is written once that is done behind which an item of a list waits.
fn label_of(list: BulkList) -> &'static str {
    match list {
        BulkList::Transactions => "Transaction",
        BulkList::Observations => "Observation",
        _ => "Case",
    }
}

/// What an item is about, of lists whose items may wait: what comes later about it must not overtake it.
fn subject_of(list: BulkList, body: &str) -> Option<String> {
    matches!(list, BulkList::Transactions | BulkList::Observations | BulkList::Cases).then(|| subject(list, body)).flatten()
}

//! The events of the change feed, for readers that ask for them.
//!
//! The order is that of the sets, and in each set that in which the events were made. A request goes through a bounded number of sets, most of which
//! have no event, and answers with how far it came. A reader that has read all may wait ([`super::watch`]).

use std::collections::HashMap;
use std::time::Duration;

use cypher::Params;
use cypher::statements::change_feed as statements;
use cypher::statements::rows::{NamedEvent, SetEvents, ToldEvent};
use tokio::time::Instant;

use super::EventPosition;
use super::watch::Waited;
use crate::delivery::envelope;
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

/// How many sets one statement reads.
pub(super) const SETS: i64 = 1_000;
/// How many of these statements one request asks for.
const MOST_READS: usize = 10;
/// How many events one statement looks up.
pub(super) const LOOKED_UP: usize = 1_000;
/// About how many bytes of `data` an answer has; it has one event at least.
pub const MOST_BYTES: i64 = 8 << 20;
/// When a reader that could not be told of events may ask again.
const AGAIN: Duration = Duration::from_secs(2);

/// Which events are to be read.
#[derive(Debug, Clone)]
pub struct EventsQuery {
    /// Behind which position; none: only what comes from now on. 0 is before the first change that there ever was.
    pub after: Option<EventPosition>,
    /// How many events at most.
    pub limit: usize,
    pub names: EventNames,
    /// How long to wait where there is no event.
    pub wait: Duration,
}

/// Events by their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventNames {
    All,
    These(Vec<String>),
}

impl EventNames {
    /// Whether events of this name are among them.
    pub(super) fn include(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(names) => names.iter().any(|one| one == name),
        }
    }
}

/// Some events of the feed.
#[derive(Debug, Clone)]
pub struct EventPage {
    /// In the order of their positions.
    pub events: Vec<FollowedEvent>,
    /// Up to where the feed is read now: the position to go on with. It goes on over events of other names.
    pub next: EventPosition,
    /// Whether the feed goes on behind `next` already.
    pub more: bool,
}

/// An event in the feed.
#[derive(Debug, Clone)]
pub struct FollowedEvent {
    /// Behind the event: a reader that goes on with it reads the next one.
    pub position: EventPosition,
    /// The documented envelope as JSON text, as webhooks are sent it.
    pub body: String,
}

impl Resolvers {
    /// Reads events on from a position. Where there are none it waits for some, as long as the query says.
    ///
    /// [`Error::Forgotten`]: events behind `after` are kept no more. [`Error::Invalid`]: `after` is no position that the feed has given.
    #[boxed]
    pub async fn follow_events(&self, caller: &Caller, query: EventsQuery) -> Result<EventPage> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::FollowEvents, Subject::List("Event"))?;
        let deadline = Instant::now() + query.wait;
        let mut page = inner.first_page(&permit, &query).await?;
        let mut waiter = None;
        while !query.wait.is_zero() && page.events.is_empty() && !page.more {
            let waiter = waiter.get_or_insert_with(|| inner.event_watch.begin(&inner.engine));
            match waiter.wait(page.next.set(), &query.names, deadline).await {
                Waited::Told => {
                    let before = page.next;
                    page = inner.page_behind(&permit, before, &query).await?;
                    if page.next == before {
                        break;
                    }
                }
                Waited::Nothing { until } => {
                    page.next = page.next.max(EventPosition::behind(until));
                    break;
                }
                Waited::Unknown => return Err(Error::Unavailable { retry_after: AGAIN }),
            }
        }
        Ok(page)
    }

    /// Lets all who wait for events go with what they have, from now on: the process stops.
    pub fn end_waits(&self) {
        self.inner.event_watch.stop();
    }
}

impl Inner {
    async fn first_page(&self, permit: &Permit<'_>, query: &EventsQuery) -> Result<EventPage> {
        match query.after {
            Some(after) => self.page_behind(permit, after, query).await,
            None => Ok(EventPage { events: Vec::new(), next: EventPosition::behind(self.feed_state(permit).await?.position), more: false }),
        }
    }

    /// Some events behind a position: as many as are wanted, or those of as many sets as one request goes through.
    async fn page_behind(&self, permit: &Permit<'_>, after: EventPosition, query: &EventsQuery) -> Result<EventPage> {
        let state = self.feed_state(permit).await?;
        if after.set() < state.forgotten {
            return Err(Error::Forgotten { oldest: state.forgotten });
        }
        let last = EventPosition::behind(state.position);
        if after > last {
            return Err(Error::invalid("after", format!("must be a position that was read before; the last one is {last}")));
        }
        let most = i64::try_from(self.settings.page_bytes).unwrap_or(MOST_BYTES).min(MOST_BYTES);
        let mut choice = Choice::behind(after, query, most);
        for _ in 0..MOST_READS {
            if choice.is_full || choice.at == last {
                break;
            }
            self.choose_some(permit, &mut choice, state.position).await?;
        }
        let (mut next, wanted) = (choice.at, choice.chosen.len());
        let events = self.bodies(permit, choice.chosen).await?;
        if let Some(event) = events.last().filter(|_| events.len() < wanted) {
            next = event.position;
        }
        Ok(EventPage { events, next, more: next < last })
    }

    /// Chooses events of the next sets.
    async fn choose_some(&self, permit: &Permit<'_>, choice: &mut Choice<'_>, last: i64) -> Result<()> {
        let (after, until) = (choice.at.set(), last.min(choice.at.set() + SETS));
        let rows = self.sets(permit, statements::EVENT_IDS, (after, until)).await?;
        for some in choice.listed(rows)?.chunks(LOOKED_UP) {
            let ids: Vec<&str> = some.iter().map(|event| event.id.as_str()).collect();
            let found = self.read(permit, statements::EVENT_NAMES, Params::none().with("ids", ids)).await?;
            choice.take_some(some, found)?;
            if choice.is_full {
                return Ok(());
            }
        }
        choice.at = EventPosition::behind(until);
        Ok(())
    }

    /// The bodies of events, up to the first that is kept no more. Where that is the first of all, the reader is told so.
    async fn bodies(&self, permit: &Permit<'_>, chosen: Vec<ListedEvent>) -> Result<Vec<FollowedEvent>> {
        if chosen.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<&str> = chosen.iter().map(|event| event.id.as_str()).collect();
        let found = self.read(permit, statements::EVENT_BODIES, Params::none().with("ids", ids)).await?;
        let mut found: HashMap<String, ToldEvent> = found.into_iter().map(|event| (event.id.clone(), event)).collect();
        let mut events = Vec::with_capacity(chosen.len());
        for event in chosen {
            match found.remove(&event.id) {
                Some(told) => {
                    let body = envelope(&told.id, &told.event_name, told.created_at, &told.data);
                    events.push(FollowedEvent { position: event.position, body });
                }
                None if events.is_empty() => return Err(Error::Forgotten { oldest: event.set }),
                None => break,
            }
        }
        Ok(events)
    }
}

/// An event that a set names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEvent {
    pub id: String,
    set: i64,
    /// Behind the event.
    position: EventPosition,
}

/// The events that an answer is made of, while they are chosen.
pub struct Choice<'q> {
    query: &'q EventsQuery,
    /// Up to where all were looked at.
    pub at: EventPosition,
    pub chosen: Vec<ListedEvent>,
    /// Of what was chosen, about.
    bytes: i64,
    /// How many there may be.
    most: i64,
    pub is_full: bool,
}

impl<'q> Choice<'q> {
    pub fn behind(at: EventPosition, query: &'q EventsQuery, most: i64) -> Self {
        Self { query, at, chosen: Vec::new(), bytes: 0, most, is_full: false }
    }

    /// The events of the next sets, but for those that were read before.
    pub fn listed(&self, rows: Vec<SetEvents>) -> Result<Vec<ListedEvent>> {
        let mut read = self.at.further();
        let mut listed = Vec::new();
        for SetEvents { position: set, events } in rows {
            if read > events.len() {
                return Err(Error::invalid("after", format!("must be a position that was read before; set {set} has {} events", events.len())));
            }
            let many = events.len();
            let events = events.into_iter().enumerate().skip(std::mem::take(&mut read));
            listed.extend(events.map(|(at, id)| ListedEvent { id, set, position: EventPosition::inside(set, at + 1, many) }));
        }
        Ok(listed)
    }

    /// Takes those events that are wanted, until there are enough, or one is kept no more. Where nothing was chosen before that one, the reader is told so.
    pub fn take_some(&mut self, listed: &[ListedEvent], found: Vec<NamedEvent>) -> Result<()> {
        let found: HashMap<&str, &NamedEvent> = found.iter().map(|event| (event.id.as_str(), event)).collect();
        for event in listed {
            match found.get(event.id.as_str()) {
                Some(named) => self.take(event, named),
                None if self.chosen.is_empty() => {
                    let missing = listed.iter().rfind(|event| !found.contains_key(event.id.as_str()));
                    return Err(Error::Forgotten { oldest: missing.map_or(event.set, |missing| missing.set) });
                }
                None => self.is_full = true,
            }
            if self.is_full {
                break;
            }
        }
        Ok(())
    }

    fn take(&mut self, event: &ListedEvent, named: &NamedEvent) {
        if self.query.names.include(&named.event_name) {
            self.bytes += named.size;
            if self.bytes > self.most && !self.chosen.is_empty() {
                self.is_full = true;
                return;
            }
            self.chosen.push(event.clone());
        }
        self.at = event.position;
        self.is_full = self.chosen.len() >= self.query.limit;
    }
}

//! What is followed live: changes of the feed by topic, the progress of work, and whether the credential of an open connection is still good.
//!
//! Ten thousand who wait must cost the database no more than one does. So whatever is looked at, is looked at once for all who want to know: the change feed
//! with all credentials ([`tail`]), and the state of work by its kind ([`states`]). Who follows holds a position and asks for what comes behind it; what a
//! topic has brought lately is in memory ([`memory`]), and everything else in the store. Rights, and the filter of whoever follows, are asked again for each
//! change.

pub(crate) mod change;
mod credential_watch;
pub(crate) mod credentials;
mod kinds;
pub(crate) mod memory;
pub(crate) mod states;
mod tail;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use cypher::graph::{List, Passing, Visit, Walk, lists};
use cypher::statements::rows::WebhookDeliveries;
use cypher::{Params, statements};
use graph_schema::id::{CaseId, ObservationId};
use tokio::sync::watch;

pub use change::{Topic, TopicChange};
pub use credential_watch::{CredentialEnd, CredentialWatch};
pub use memory::{Gap, GapReason};

use crate::change_feed::EventPosition;
use crate::explore::{ListFilter, Span};
use crate::jobs::ShownJob;
use crate::policy::{Action, CredentialType, Permit, Subject};
use crate::user::RolesOfGroups;
use crate::{BulkListProgress, Caller, Error, Inner, ObjectKind, OffsetPage, Resolvers, Result, boxed};
use credentials::CredentialKind;
use kinds::{ALL, BulkRequestState, BulkRequests, Deliveries, Jobs};
use memory::{Reader, Step};
use states::{StateWatch, States};
use tail::{Seat, Tail, Unread};

/// When a subscription that the database could not serve may be asked for again, or something is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// How often something is tried again before whoever follows is told.
const TRIES: usize = 10;
/// Who is told of nothing for so long looks where the feed is: else a position would grow old that is behind nothing but changes of other topics.
const LOOKS_UP_AFTER: Duration = Duration::from_secs(15);

/// All that looks for those who follow something live.
pub(crate) struct Live {
    tail: Tail,
    jobs: States<Jobs>,
    bulk_requests: States<BulkRequests>,
    deliveries: States<Deliveries>,
}

impl Live {
    /// `groups` says what the groups of users give.
    pub(crate) fn new(groups: RolesOfGroups) -> Self {
        let tail = Tail::new(Box::new(move |named: &[String]| groups.roles(named)));
        Self { tail, jobs: States::default(), bulk_requests: States::default(), deliveries: States::default() }
    }

    /// Says that sets of the change feed have got their positions.
    pub(crate) fn ring(&self) {
        self.tail.ring();
    }
}

/// Which changes are to be followed; all that is said must hold.
#[derive(Debug, Clone)]
pub struct LiveQuery {
    pub topic: Topic,
    /// Of one case or observation alone.
    pub id: Option<String>,
    /// Of cases that are assigned to the caller when the change is told.
    pub mine: bool,
    /// Of what is in the topic's list, filtered so, when the change is told.
    pub filter: ListFilter,
    /// Behind which position; none: what comes from now on.
    pub after: Option<EventPosition>,
}

/// What one who follows is told.
#[derive(Debug, Clone)]
pub enum Followed {
    Change(Arc<TopicChange>),
    /// Changes are left out; then it goes on.
    Gap(Gap),
}

/// Changes of a topic, as they come. Nothing is read before it is asked for, so that who is slow is sent what fits.
pub struct LiveStream {
    resolvers: Resolvers,
    caller: Caller,
    reader: Reader,
    /// A change of which is not known yet whether it is to be told: whoever is broken off asks again.
    found: Option<Arc<TopicChange>>,
    filter: Filter,
    more: watch::Receiver<()>,
    _seat: Seat,
}

/// What must hold of what a change is about.
struct Filter {
    id: Option<String>,
    /// To whom a case must be assigned.
    assignee: Option<String>,
    /// Finds what passes the filter of the list.
    list: Option<Arc<Walk>>,
}

impl Topic {
    /// The list that has all that changes of the topic are about.
    fn list(self) -> &'static List {
        match self {
            Self::CaseChanges => &lists::CASES,
            Self::NewObservations => &lists::OBSERVATIONS,
        }
    }

    fn label(self) -> &'static str {
        self.list().link.to.label
    }

    /// A text as ids of the topic are written.
    fn spelled(self, id: &str) -> String {
        match self {
            Self::CaseChanges => CaseId::spelled(id).into_owned(),
            Self::NewObservations => ObservationId::spelled(id).into_owned(),
        }
    }
}

impl Resolvers {
    /// Follows the changes of a topic behind a position, or from now on.
    ///
    /// [`Error::Invalid`]: `after` is no position that the feed has given, or `mine` is said by a caller who is no user.
    #[boxed]
    pub async fn follow(&self, caller: &Caller, query: LiveQuery) -> Result<LiveStream> {
        let inner = &self.inner;
        let LiveQuery { topic, id, mine, filter, after } = query;
        let id = id.map(|id| topic.spelled(&id));
        let permit =
            inner.enter(caller, Action::Explore, id.as_deref().map_or(Subject::List(topic.label()), |id| Subject::One(topic.label(), id)))?;
        let assignee = if mine { Some(user_of(caller)?) } else { None };
        let list = passing(topic.list(), &filter)?;
        let tail = &inner.live.tail;
        let seat = tail.follow(&inner.engine);
        let more = tail.more(topic);
        let present = EventPosition::behind(tail.last(&inner.engine).await?);
        let at = match after {
            None => present,
            Some(after) if after > present => {
                // The member of a cluster that was asked may be behind.
                let last = EventPosition::behind(inner.feed_state(&permit).await?.position);
                if after > last {
                    return Err(Error::invalid("after", format!("must be a position that was read before; the last one is {last}")));
                }
                after
            }
            Some(after) => after,
        };
        let filter = Filter { id, assignee, list };
        let reader = Reader::new(topic, at);
        Ok(LiveStream { resolvers: self.clone(), caller: caller.clone(), reader, found: None, filter, more, _seat: seat })
    }

    /// The position behind the last change that has one. Who reads it before a list, and follows from it on, is told of all that the list does not show.
    #[boxed]
    pub async fn feed_position(&self, caller: &Caller) -> Result<EventPosition> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::List("ChangeSet"))?;
        Ok(EventPosition::behind(self.inner.feed_state(&permit).await?.position))
    }

    /// Watches whether a caller's credential is still good: what an open connection does.
    pub fn watch_credential(&self, caller: &Caller) -> CredentialWatch {
        let inner = &self.inner;
        let stored = match caller.means {
            CredentialType::ApiKey => Some(CredentialKind::Key),
            CredentialType::Token if caller.follows_groups => Some(CredentialKind::TokenByGroups),
            CredentialType::Token => Some(CredentialKind::Token),
            CredentialType::Secret | CredentialType::System => None,
        };
        let stored = stored.map(|kind| (caller.id.as_str(), kind, caller.roles));
        CredentialWatch::begin(stored, (caller.expires_at, Arc::clone(&inner.clock)), &inner.live.tail, &inner.engine)
    }

    /// Watches a job until it has ended. [`Error::NotFound`]: there is none of this id that is shown to the caller.
    #[boxed]
    pub async fn watch_job(&self, caller: &Caller, id: &str) -> Result<JobWatch> {
        let Some(job) = self.job(caller, id).await? else { return Err(Error::not_found(ObjectKind::Job, id)) };
        let state = self.inner.live.jobs.watch(&self.inner.engine, &job.id);
        Ok(JobWatch { resolvers: self.clone(), caller: caller.clone(), state, is_over: false })
    }

    /// Watches a bulk request until nothing of it is left to do. It is named as its sender has named it, or by its own id; of several that were named alike it is
    /// the last.
    #[boxed]
    pub async fn watch_bulk_request(&self, caller: &Caller, request_id: &str) -> Result<BulkProgressWatch> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Explore, Subject::List("BulkRequest"))?;
        let id = inner.bulk_request_of(&permit, request_id).await?;
        let state = inner.live.bulk_requests.watch(&inner.engine, &id);
        Ok(BulkProgressWatch { resolvers: self.clone(), caller: caller.clone(), id, state, is_over: false })
    }

    /// Watches how deliveries to a webhook go, or to all. [`Error::NotFound`]: there is no such webhook.
    #[boxed]
    pub async fn watch_deliveries(&self, caller: &Caller, webhook: Option<String>) -> Result<DeliveriesWatch> {
        let inner = &self.inner;
        let subject = webhook.as_deref().map_or(Subject::List("Webhook"), |id| Subject::One("Webhook", id));
        inner.enter(caller, Action::ReadWebhooks, subject)?;
        let state = inner.live.deliveries.watch(&inner.engine, ALL);
        let (told, waiting) = (BTreeMap::new(), VecDeque::new());
        Ok(DeliveriesWatch { resolvers: self.clone(), caller: caller.clone(), webhook, state, told, waiting })
    }
}

impl Inner {
    /// The id of the bulk request that somebody names.
    async fn bulk_request_of(&self, permit: &Permit<'_>, named: &str) -> Result<String> {
        let list = &lists::BULK_REQUESTS;
        let filter = ListFilter::BulkRequests(crate::explore::BulkRequestFilter { request_id: Some(named.to_owned()) });
        let span = Span { list, filter, sort: Vec::new(), page: OffsetPage { limit: 1, offset: 0 }, then: Visit::of(list.link.to) };
        if let Some(row) = self.span(permit, span).await?.first() {
            return Ok(row.node.id.to_string());
        }
        let walk = Arc::new(Walk::of(Arc::new(Visit::of(list.link.to))));
        match self.walks.walk(permit, &walk, named).await? {
            Some(found) => Ok(found.id.to_string()),
            None => Err(Error::invalid("requestId", "must name a bulk request of the last 30 days, as its header `x-request-id` did")),
        }
    }

    /// Whether a change is about what somebody wants to follow.
    async fn passes(&self, permit: &Permit<'_>, filter: &Filter, change: &TopicChange) -> Result<bool> {
        if filter.id.as_ref().is_some_and(|id| *id != change.id) {
            return Ok(false);
        }
        if let Some(user) = &filter.assignee {
            let rows = self.walks.rows(permit, statements::live::ASSIGNEES, Params::none(), &change.id).await?;
            if rows.first().and_then(|row| row.assignee.as_ref()) != Some(user) {
                return Ok(false);
            }
        }
        match &filter.list {
            Some(walk) => Ok(self.walks.walk(permit, walk, &change.id).await?.is_some()),
            None => Ok(true),
        }
    }
}

/// The id of the user who calls.
fn user_of(caller: &Caller) -> Result<String> {
    let problem = "must be said with a token of a user, as cases are assigned to users; with an API key or a client's token leave it out";
    caller.user.clone().ok_or_else(|| Error::invalid("mine", problem))
}

/// Finds nodes of a list that pass a filter; nothing where all do.
fn passing(list: &'static List, filter: &ListFilter) -> Result<Option<Arc<Walk>>> {
    let conditions = list.link.conditions(filter)?;
    if conditions.is_empty() {
        return Ok(None);
    }
    let visit = Visit { passing: Some(Passing { list, conditions }), ..Visit::of(list.link.to) };
    Ok(Some(Arc::new(Walk::of(Arc::new(visit)))))
}

impl LiveStream {
    /// What comes next. Waits until something does, and may be broken off meanwhile. An error ends the stream; who has been told of a position goes on
    /// behind it with another one.
    #[boxed]
    pub async fn next(&mut self) -> Result<Followed> {
        let (mut tries, mut missing) = (0, 0);
        loop {
            // Thousands of changes may be passed over without a wait.
            tokio::task::consume_budget().await;
            if let Some(change) = self.found.clone() {
                let is_told = self.passes(&change).await?;
                self.found = None;
                if is_told {
                    return Ok(Followed::Change(change));
                }
            }
            // Before the memory is asked: what comes meanwhile ends the wait.
            self.more.mark_unchanged();
            let step = self.reader.step(&self.resolvers.inner.live.tail.memory());
            match step {
                Step::Tell(change) => self.found = Some(change),
                Step::Gap(gap) => return Ok(Followed::Gap(gap)),
                Step::Read(after, until) => {
                    let inner = &self.resolvers.inner;
                    match inner.live.tail.read(&inner.engine, (after, until)).await {
                        Ok(sets) => {
                            (tries, missing) = (0, 0);
                            self.reader.take(sets);
                        }
                        // The memory knows by now, and the next step says so.
                        Err(Unread::Forgotten) => {}
                        Err(Unread::Missing) if missing == TRIES => return Ok(Followed::Gap(self.reader.leave_out(until))),
                        Err(unread) => {
                            missing += usize::from(unread == Unread::Missing);
                            wait_for_another_try(&mut tries).await?;
                        }
                    }
                }
                // In time or not, the feed is looked at again.
                Step::Wait => drop(tokio::time::timeout(LOOKS_UP_AFTER, self.more.changed()).await),
            }
        }
    }

    /// Whether a change is to be told, as rights and the graph are now. Where the database is away for a moment, it is asked again.
    async fn passes(&self, change: &TopicChange) -> Result<bool> {
        let inner = &self.resolvers.inner;
        let permit = inner.enter(&self.caller, Action::Explore, Subject::Linked)?;
        let mut tries = 0;
        loop {
            match inner.passes(&permit, &self.filter, change).await {
                Err(Error::Unavailable { .. } | Error::TooLong) => wait_for_another_try(&mut tries).await?,
                answer => return answer,
            }
        }
    }
}

/// Waits before something is tried again, and fails when that was done often enough.
async fn wait_for_another_try(tries: &mut usize) -> Result<()> {
    *tries += 1;
    if *tries > TRIES {
        return Err(Error::Unavailable { retry_after: AGAIN });
    }
    tokio::time::sleep(AGAIN).await;
    Ok(())
}

/// A job, as it goes on.
pub struct JobWatch {
    resolvers: Resolvers,
    caller: Caller,
    state: StateWatch<Jobs>,
    is_over: bool,
}

impl JobWatch {
    /// The job as it is, and then each time that it has changed. Nothing behind its end.
    #[boxed]
    pub async fn next(&mut self) -> Result<Option<ShownJob>> {
        if self.is_over {
            return Ok(None);
        }
        let Some(row) = self.state.next().await else { return Ok(None) };
        let (_permit, created_by) = self.resolvers.inner.enter_jobs(&self.caller, Subject::Linked)?;
        if created_by.is_some_and(|caller| row.created_by != caller) {
            return Ok(None);
        }
        self.is_over = row.status.is_ended();
        Ok(Some(row.into()))
    }
}

/// A bulk request, as it goes on.
pub struct BulkProgressWatch {
    resolvers: Resolvers,
    caller: Caller,
    id: String,
    state: StateWatch<BulkRequests>,
    is_over: bool,
}

/// How far a bulk request is.
#[derive(Debug, Clone)]
pub struct RequestProgress {
    /// The request's own id.
    pub id: String,
    /// The lists of which something is left to do, or has failed.
    pub lists: Vec<BulkListProgress>,
    /// Whether nothing is left to do: its job has ended, and nothing waits.
    pub done: bool,
}

impl BulkProgressWatch {
    /// How far it is, and then each time that this has changed. Nothing behind its end.
    #[boxed]
    pub async fn next(&mut self) -> Result<Option<RequestProgress>> {
        if self.is_over {
            return Ok(None);
        }
        let Some(BulkRequestState { lists, is_over: done }) = self.state.next().await else { return Ok(None) };
        self.resolvers.inner.enter(&self.caller, Action::Explore, Subject::Linked)?;
        self.is_over = done;
        Ok(Some(RequestProgress { id: self.id.clone(), lists, done }))
    }
}

/// How deliveries to webhooks go on.
pub struct DeliveriesWatch {
    resolvers: Resolvers,
    caller: Caller,
    /// Of one webhook alone.
    webhook: Option<String>,
    state: StateWatch<Deliveries>,
    /// What was told last of each webhook.
    told: BTreeMap<String, WebhookDeliveries>,
    /// What is still to be told of the last look.
    waiting: VecDeque<WebhookDeliveries>,
}

impl DeliveriesWatch {
    /// How deliveries to each webhook go, and then each time that this has changed for one. Nothing where the one webhook is not there, or is removed.
    #[boxed]
    pub async fn next(&mut self) -> Result<Option<WebhookDeliveries>> {
        while self.waiting.is_empty() {
            let Some(all) = self.state.next().await else { return Ok(None) };
            match &self.webhook {
                Some(id) => match all.get(id) {
                    Some(one) => self.note(one),
                    None if self.told.is_empty() => return Err(Error::not_found(ObjectKind::Webhook, id)),
                    None => return Ok(None),
                },
                None => {
                    self.told.retain(|id, _| all.contains_key(id));
                    all.values().for_each(|one| self.note(one));
                }
            }
        }
        self.resolvers.inner.enter(&self.caller, Action::ReadWebhooks, Subject::Linked)?;
        Ok(self.waiting.pop_front())
    }

    fn note(&mut self, one: &WebhookDeliveries) {
        if self.told.get(&one.id) != Some(one) {
            self.told.insert(one.id.clone(), one.clone());
            self.waiting.push_back(one.clone());
        }
    }
}

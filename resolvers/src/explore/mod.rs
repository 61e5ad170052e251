//! Walking the graph: what GraphQL shows.
//!
//! A walk is a tree of links below nodes that somebody has named ([`Visit`]), or below a page of all nodes of a kind. It is one statement, which the
//! shared loader runs once for everyone who waits with the same tree; what the read cache has of it is not asked for. What may be walked stands in the
//! table of [`cypher::graph`]; what is asked of it, and by whom, is known here.

pub(crate) mod counted;
mod place;
pub(crate) mod places;
mod shapes;
pub(crate) mod shared_lists;
mod span;
mod statistics;

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use counted::{CountQuery, goes_together};
use cypher::graph::Composed;
use cypher::statements::case_count;
use cypher::statements::rows::TotalRow;
use cypher::{Engine, Error as DatabaseError, Reading};
use futures::future::try_join_all;
use queries::{ListQuestion, ReadCache, with_numbers};

pub use cypher::graph::filters::{
    AccountFilter, ActorFilter, ActorRiskFilter, AssociateFilter, AuditEntryFilter, BulkItemFilter, BulkRequestFilter, CaseActorFilter, CaseFilter,
    ClearedMatchFilter, CommunicationFilter, DeliveryFilter, EventFilter, FeedbackFilter, FormerFeedbackFilter, GroupFilter, InCurrency,
    LocationFilter, MemberFilter, ObservationFilter, OwnerFilter, PastFilter, PropertyFilter, RequestFilter, RiskAssessmentFilter, ScoreFilter,
    ScreeningFilter, SignalFilter, TransactionFilter, TransferFilter, UserFilter, VersionFilter, WorkflowFilter, queues,
};
pub use cypher::graph::nodes::{
    AccountBalanceSummary, AccountSummary, ActorExclusionSummary, ActorSummary, AuditEntrySummary, BulkItemSummary, BulkRequestSummary, CaseSummary,
    CaseTitlePart, CategorySummary, ChannelLocationSummary, ClearedMatchSummary, CommentSummary, CommunicationSummary, DeliverySummary,
    DeviceSummary, EventSummary, ExtendedInformationSummary, FeedbackSummary, FileSummary, GroupSummary, ObservationActionSummary,
    ObservationSummary, PropertySummary, RequestSchemaSummary, RequestSummary, RiskAssessmentSummary, RiskScoreSummary, ScreeningSummary,
    StepSummary, SuppressedSignalSummary, TransactionSummary, TransactionVersionSummary, UserSummary, VersionSummary, WebhookSummary,
    WorkflowSummary,
};
pub use cypher::graph::orders::{
    ActorSort, BulkItemSort, CaseSort, ClearedMatchSort, CommunicationSort, DeliverySort, FeedbackSort, LocationSort, ObservationSort, RequestSort,
    ScoredActorSort, SignalSort, TransactionSort, TransferSort, UserSort, WorkflowSort,
};
pub use cypher::graph::statistics::{GroupKey, MOST_GROUPS, Measure};
pub use cypher::graph::{
    Begin, Columns, Condition, FilterSet, Found, FoundLink, FoundRow, LONGEST_PAGE, Link, List, ListFilter, Mismatch, Node, NothingSaid, Number,
    Page, Readers, Slice, SortDirection, Step, Visit, Walk, link, links, lists, node, nodes,
};
pub use place::Place;
pub(crate) use shapes::Shapes;
pub(crate) use shared_lists::{Question, SharedLists};
pub(crate) use span::{Span, SpanBehind};
use statistics::STATISTICS;
pub use statistics::{Group, Statistics, StatisticsQuery};

use crate::explain;
use crate::policy::{Action, Permit, Subject, may};
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

/// How a node was come to: reading what somebody has named is noted for the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    ByName,
    ByLink,
}

/// How often counts of cases are looked at that are being changed, and the pause between two looks: together longer than a step of the job usually takes.
const LOOKS_AT_COUNTS: usize = 10;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// The labels of statements in metrics and logs.
const PAGE: &str = "list";
const COUNT: Reading<TotalRow> = Reading::new("list/count", "");

impl Resolvers {
    /// The walk that answers a question. What is found is kept the more exactly the more is known of accounts, so that their numbers come along; but for who
    /// wants to know the statement.
    pub fn walk_for(&self, visit: Arc<Visit>) -> Arc<Walk> {
        let is_kept = self.inner.cache.is_some() && !explain::is_wanted();
        let numbered = if is_kept { with_numbers(&visit).map(Arc::new) } else { None };
        Arc::new(Walk::of(numbered.unwrap_or(visit)))
    }

    /// What is found at a node, as far as was asked; nothing when there is no such node.
    #[boxed]
    pub async fn walk(&self, caller: &Caller, walk: &Arc<Walk>, id: &str, reached: Reached) -> Result<Option<Arc<Found>>> {
        let subject = match reached {
            Reached::ByName => Subject::One(walk.visit().node.label, id),
            Reached::ByLink => Subject::Linked,
        };
        let permit = self.inner.enter(caller, reading(walk.visit()), subject)?;
        Ok(self.inner.cached_walk(&permit, walk, id).await?)
    }

    /// Refuses a caller who may not walk the graph. A change that answers with nodes asks before it is made, so that nothing is changed and then hidden.
    pub fn may_explore(&self, caller: &Caller) -> Result<()> {
        self.inner.enter(caller, Action::Explore, Subject::Linked).map(drop)
    }

    /// Whether a walk is to be one statement: the database has a plan for it, or needs none. For who may not walk no plan is made.
    pub fn is_one_statement(&self, caller: &Caller, walk: &Walk) -> bool {
        explain::is_wanted() || (may(caller, reading(walk.visit())).is_ok() && self.inner.shapes.is_ready(walk))
    }

    /// Whether nodes of a kind are shown to a caller who may walk the graph: what is not is not asked for ahead, so that what leads there is shown.
    pub fn is_shown(&self, caller: &Caller, node: &Node) -> bool {
        node.readers == Readers::Explorers || may(caller, reading_of(node)).is_ok()
    }

    /// A page of all nodes of a kind, in the order it is read.
    #[boxed]
    pub async fn list(&self, caller: &Caller, list: &'static List, step: &Step, slice: &Slice) -> Result<Vec<FoundRow>> {
        let permit = self.inner.enter(caller, listing(step), Subject::List(list.link.to.label))?;
        let composed = list.compose_page(step, slice);
        let keeping = self.inner.keeping(step, &composed);
        if let Some(rows) = keeping.as_ref().filter(|_| self.inner.cache_for(&permit).is_some()).and_then(|keeping| keeping.page()) {
            return Ok(rows.to_vec());
        }
        let Some(row) = self.inner.shared_row(&permit, PAGE, composed).await? else { return Ok(Vec::new()) };
        let rows = step.read_page(slice, Arc::unwrap_or_clone(row)).map_err(|mismatch| DatabaseError::rejected(PAGE, mismatch))?;
        if let Some(keeping) = keeping {
            keeping.keep_page(&rows);
        }
        Ok(rows)
    }

    /// How many nodes of a kind there are, from the store's own count unless a filter asks for more.
    #[boxed]
    pub async fn list_count(&self, caller: &Caller, list: &'static List, step: &Step) -> Result<i64> {
        let permit = self.inner.enter(caller, listing(step), Subject::List(list.link.to.label))?;
        let composed = list.compose_count(step);
        let keeping = self.inner.keeping(step, &composed);
        if let Some(total) = keeping.as_ref().filter(|_| self.inner.cache_for(&permit).is_some()).and_then(|keeping| keeping.total()) {
            return Ok(total);
        }
        let row = self.inner.shared_row(&permit, COUNT.label(), composed).await?;
        let total = COUNT.first(COUNT.rows(row.map(Arc::unwrap_or_clone).into_iter().collect())?)?.total;
        if let Some(keeping) = keeping {
            keeping.keep_total(total);
        }
        Ok(total)
    }

    /// How many cases there are, and how old they are, by the keys.
    #[boxed]
    pub async fn case_statistics(&self, caller: &Caller, query: &StatisticsQuery) -> Result<Statistics> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::List(lists::CASES.link.to.label))?;
        self.statistics(&permit, &lists::CASES, query).await
    }

    /// How many observations there are, how many were handled, and what feedback says of them, by the keys. Feedback is for those who may read rules.
    #[boxed]
    pub async fn observation_statistics(&self, caller: &Caller, query: &StatisticsQuery) -> Result<Statistics> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::List(lists::OBSERVATIONS.link.to.label))?;
        if query.measures.contains(&Measure::Feedback) {
            self.inner.enter(caller, Action::ReadRules, Subject::List("ObservationFeedback")).map(drop)?;
        }
        self.statistics(&permit, &lists::OBSERVATIONS, query).await
    }

    /// How many groups of cases or observations there are, where [`Statistics::number`] says no more than that they are too many.
    #[boxed]
    pub async fn group_count(&self, caller: &Caller, list: &'static List, query: &StatisticsQuery) -> Result<i64> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::List(list.link.to.label))?;
        let composed = query.compose_group_count(list, zone_of(query)?)?;
        let row = self.inner.shared_row(&permit, STATISTICS, composed).await?;
        Ok(row.map(|row| StatisticsQuery::read_group_count(&row)).transpose()?.unwrap_or_default())
    }

    #[boxed]
    async fn statistics(&self, permit: &Permit<'_>, list: &'static List, query: &StatisticsQuery) -> Result<Statistics> {
        let zone = zone_of(query)?;
        if std::ptr::eq(list, &lists::CASES)
            && let Some(counted) = self.counted(permit, query, zone).await?
        {
            return Ok(counted);
        }
        let meanings = &self.inner.settings.feedback;
        let composed = query.compose(list, zone, [&meanings.true_positive, &meanings.false_positive])?;
        let row = self.inner.shared_row(permit, STATISTICS, composed).await?;
        Ok(row.map(|row| query.read(&row)).transpose()?.unwrap_or_default())
    }

    /// The answer of the counts that are kept of cases, where they have one.
    #[boxed]
    async fn counted(&self, permit: &Permit<'_>, query: &StatisticsQuery, zone: Tz) -> Result<Option<Statistics>> {
        let nothing = CaseFilter::default();
        let Some(asked) = CountQuery::of(query, &nothing, zone) else { return Ok(None) };
        // A statement of the embedded engine sees the store as it is at one moment.
        let is_of_one_moment = matches!(self.inner.engine, Engine::Embedded(_));
        for look in 0..LOOKS_AT_COUNTS {
            if look > 0 {
                tokio::time::sleep(BETWEEN_LOOKS).await;
            }
            let read = self.inner.read(permit, case_count::READ, asked.params()).await?;
            // Nothing was counted yet.
            let Some(read) = read.into_iter().next() else { return Ok(None) };
            if is_of_one_moment || goes_together(&read) {
                return Ok(asked.sum(read));
            }
        }
        Ok(None)
    }
}

impl Inner {
    /// What is found at a node; nothing when there is no such node. What the cache has is not read, and what it has not is read together.
    async fn cached_walk(&self, permit: &Permit<'_>, walk: &Arc<Walk>, id: &str) -> std::result::Result<Option<Arc<Found>>, DatabaseError> {
        let Some(cache) = self.cache_for(permit).filter(|_| walk.visit().passing.is_none()) else {
            return self.walks.walk(permit, walk, id).await;
        };
        let assembly = cache.look_up(walk, id);
        let pieces = assembly.pieces();
        let is_whole = pieces.first().is_some_and(|piece| Arc::ptr_eq(&piece.walk, walk));
        // Neo4j may have no plan for a piece though it has one for the whole.
        if !is_whole && pieces.iter().all(|piece| self.shapes.is_ready(&piece.walk)) {
            let found = try_join_all(pieces.iter().map(|piece| self.walks.walk(permit, &piece.walk, &piece.id))).await?;
            if let Some(found) = assembly.put_together(&found) {
                return Ok(Some(found));
            }
        }
        self.walks.walk(permit, walk, id).await
    }

    /// Where what a statement reads of a list is kept, if it is.
    fn keeping(&self, step: &Step, composed: &Composed) -> Option<ListQuestion<'_>> {
        self.cache.as_ref().and_then(|cache| cache.of_list(step, composed))
    }

    /// The cache, for who may be answered from it: not who asks for the store, nor who wants to know which statements are asked; and nobody while it is not
    /// known what other processes write.
    fn cache_for(&self, permit: &Permit<'_>) -> Option<&ReadCache> {
        self.cache.as_ref().filter(|cache| !permit.caller().past_cache && !explain::is_wanted() && cache.may_answer())
    }
}

/// The time zone of a query. Refused are one that there is not, and keys that are named more than once.
fn zone_of(query: &StatisticsQuery) -> Result<Tz> {
    if query.repeats_a_key() {
        return Err(Error::invalid("groupBy", "must name each key once"));
    }
    let unknown = || Error::invalid("timeZone", "must be a name of the IANA time zone database, such as Europe/Berlin");
    query.zone().ok_or_else(unknown)
}

/// What somebody does who asks a question: it is for those who may see all that it leads to.
fn reading(visit: &Visit) -> Action {
    let behind = visit.steps.iter().map(|step| reading(&step.then));
    behind.chain([reading_of(visit.node)]).find(|action| *action != Action::Explore).unwrap_or(Action::Explore)
}

/// The same of a list. Entries of the audit log that belong to cases are for more roles than all entries are.
fn listing(step: &Step) -> Action {
    let is_of_cases = || step.conditions.iter().any(|condition| condition.filter.name == "cases");
    match reading(&step.then) {
        Action::ReadAuditLog if is_of_cases() => Action::ReadCaseAuditLog,
        action => action,
    }
}

fn reading_of(node: &Node) -> Action {
    match node.readers {
        Readers::Explorers => Action::Explore,
        Readers::Administrators => Action::ReadWebhooks,
        Readers::Auditors => Action::ReadAuditLog,
    }
}

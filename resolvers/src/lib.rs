//! The operations, and what crosses them all.
//!
//! One async function per operation: may the caller ([`policy`]), is it valid (the input types of `graph-schema` have been checked when they
//! get here; what needs the graph is checked here), what is written, which the one [`queue`] of all writes does, the answer. Reads go through the shared [`loader`]. REST, GraphQL and the importer all call these and nothing else.
//!
//! Its tests are in `tests/`: as unit tests they would have all of it compiled again. What they reach of its inside is listed in [`testing`].

// The type of an operation's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

// Modules, the lowest first: beside clock conflicts derived_id explain logical_time migration policy error audit delivery files loader long_reads queue
// idempotency change_feed numbers reason rule_adding rule_tuning unique_name values device explore channel_location reporting segmentation user token credential
// verification versioned account actor case warm watchlist webhook jobs detection observation risk screening transaction bulk live import wording testing.

mod account;
mod actor;
mod audit;
mod beside;
mod bulk;
mod case;
mod change_feed;
mod channel_location;
mod clock;
mod conflicts;
mod credential;
mod delivery;
mod derived_id;
pub mod detection;
mod device;
mod error;
pub mod explain;
pub mod explore;
mod files;
mod idempotency;
mod import;
pub mod jobs;
mod live;
pub mod loader;
mod logical_time;
mod long_reads;
mod migration;
mod numbers;
mod observation;
pub mod policy;
mod queue;
mod reason;
mod reporting;
mod risk;
mod rule_adding;
mod rule_tuning;
mod screening;
mod segmentation;
#[doc(hidden)]
pub mod testing;
mod token;
mod transaction;
mod unique_name;
mod user;
mod values;
mod verification;
mod versioned;
mod warm;
mod watchlist;
mod webhook;
pub mod wording;

use std::sync::Arc;
use std::time::{Duration, Instant};

// Whoever waits for an `async fn` of another crate compiles its body again, and those of all that it waits for. An operation is boxed, so that it is compiled
// here alone, and not for each face, each test and the program.
use async_recursion::async_recursion as boxed;
use cypher::graph::Composed;
use cypher::{Engine, Params, Reading, Row};
use futures::future::BoxFuture;
use graph_schema::date::{Date, Timestamp};
use graph_schema::days::{Dated, Days, Latest};
use graph_schema::identity::IdentityRules;
pub use graph_schema::identity::Placeholders;
use queries::{ReadCache, Sharing};
use serde::de::DeserializeOwned;

pub use crate::risk::{
    BandChanges, BesideLive, FoundAssessment, KnownRiskRule, LiftOverride, OtherBand, OverrideScore, RiskBacktest, RiskBands, RiskCalculation,
    RiskFactor, RiskRules, RiskScoreQuery, RuleAddition, SetExclusion, ShadowScores, ShownScore,
};
pub use crate::screening::{ClearMatch, ClearedParty, ProviderKind, ProviderSecret, ProviderSettings, ScreeningRequest, ScreeningSettings};
pub use audit::{AuditQuery, AuditedReads, FieldChange, field_changes};
pub use beside::beside;
pub use bulk::{BulkListProgress, DeadLetterQuery};
pub use case::{
    ActOnCase, AddCaseActors, AddCommunicationByHand, AssignCase, CaseActorToAdd, CaseAddition, CaseConflict, CaseConflictKind, CaseQuery,
    CommentOnCase, CommunicationParty, CurrentCase, DecideActor, DecideTransaction, FileContent, GiveFeedback, GivenFile, NamedActor, PlaceCase,
    PropertyQuery, RaiseAlerts, RequestAnswer, RequestData, SetCaseActorProperties, SetCaseProperties, SetCaseResolution, SetProperty, TagCase,
    WantedMove, WhitelistObservation, WorkflowQuery,
};
pub use change_feed::{Change, ChangeSet, Changes, ChangesQuery, EventNames, EventPage, EventPosition, EventsQuery, FollowedEvent};
pub use channel_location::ChannelLocationQuery;
pub use clock::{Clock, SystemClock};
pub use credential::{CreatedClient, CreatedKey, CredentialEntry, FirstKey, Principal, PrincipalKind, Viewer, can_be_key};
pub use cypher::statements::rows::{EvidencePayment, WebhookDeliveries};
pub use cypher::without_values;
pub use delivery::address::Reach;
pub use error::{Conflict, Error, ObjectKind, Result, TokenFault, TooLarge, Unrecognised};
pub use files::{FileFault, FileStore, MAX_FILE};
pub use idempotency::{Answered, IdempotencyKey, ListKeys, MOST_IN_LIST, Once, Replayed};
pub use import::{ImportList, LineOutcome};
pub use live::{
    BulkProgressWatch, CredentialEnd, CredentialWatch, DeliveriesWatch, Followed, Gap, GapReason, JobWatch, LiveQuery, LiveStream, RequestProgress,
    Topic, TopicChange,
};
pub use long_reads::{Page, RowStream, StreamedRow};
pub use migration::migrate;
pub use observation::{AddObservation, CaseWanted, DismissObservation, Evidence, EvidenceAccount, EvidencePart, RestoreObservation};
use policy::Permit;
pub use policy::{Action, Caller, CredentialType, Identified, Origin, Role, Roles};
pub use reason::{comment_fault, feedback_fault, reason_fault};
pub use reporting::{FeedbackQuery, SignalQuery};
pub use token::{IssuedToken, OutsideIssuer, TokenSettings};
pub use transaction::{CurrencyTotal, FlowTotal, FlowTotals};
pub use user::RolesOfGroups;
pub use watchlist::{
    ChangeKind, EntryPage, ImportWatchlistRequest, ListedEntry, ShownEntry, ShownVersion, ShownWatchlist, UploadedList, VersionPage, WatchlistFormat,
    WatchlistSettings,
};
pub use webhook::{AnsweredWebhook, DeliveryCounts, ReplayedDeliveries, VaultKey, WebhookSettings};

use crate::audit::{AuditDraft, Gatherer, Object};
use crate::bulk::Awaited;
use crate::change_feed::EventWatch;
use crate::detection::{DetectionSettings, FeedbackMeanings, OwnRules};
use crate::explore::{Question, Shapes, SharedLists};
use crate::jobs::{Jobs, Kinds, Waker, Worker};
use crate::live::Live;
use crate::loader::Loader;
use crate::long_reads::LongReads;
use crate::queue::Queue;
use crate::screening::Screening;
use crate::warm::Warmth;
use crate::webhook::Vault;

/// A page of a list by position, as the REST operations have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetPage {
    /// At most so many items; 1 to 1000.
    pub limit: i64,
    /// So many items are passed over.
    pub offset: i64,
}

/// What the operations need to know of the configuration.
#[derive(Clone)]
pub struct Settings {
    /// How long one statement of a read may take.
    pub read_limit: Duration,
    pub risk_bands: RiskBands,
    pub tokens: TokenSettings,
    /// How many wrong credentials an address may send a minute.
    pub guesses: u32,
    pub audited_reads: AuditedReads,
    /// How long an item of a bulk request waits for what it names.
    pub defer_for: Duration,
    /// How long the sets of the change feed are kept.
    pub changes_kept_for: Duration,
    pub detection: DetectionSettings,
    /// Which feedback calls a finding right or wrong.
    pub feedback: FeedbackMeanings,
    /// Codes of countries of high risk.
    pub high_risk_countries: Vec<String>,
    /// The institution's own rules of detection.
    pub own_rules: OwnRules,
    /// The rules by which actors are scored.
    pub risk_rules: RiskRules,
    /// Whether a change of an actor's risk band is an observation.
    pub band_changes: BandChanges,
    /// How long a request for data may wait for its answer, where neither it nor its type says so.
    pub requests_due_within: Duration,
    /// Texts that identify nobody.
    pub placeholders: Placeholders,
    /// Bytes that the page of a list may have, as it is answered.
    pub page_bytes: usize,
    /// Bytes of what was read and is kept; with 0 nothing is.
    pub cache_bytes: usize,
    /// How old what is answered from there may be, as far as other processes have written.
    pub cache_staleness: Duration,
    pub files: FileSettings,
    pub webhooks: WebhookSettings,
    pub watchlists: WatchlistSettings,
    pub screening: ScreeningSettings,
}

/// Where files are kept.
#[derive(Debug, Clone)]
pub struct FileSettings {
    pub store: FileStore,
    /// How long a content may lie there that no case has.
    pub unclaimed_for: Duration,
}

impl Default for FileSettings {
    fn default() -> Self {
        Self { store: FileStore::default(), unclaimed_for: Duration::from_secs(3600) }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            read_limit: Duration::from_secs(5),
            risk_bands: RiskBands::default(),
            tokens: TokenSettings::default(),
            guesses: 300,
            audited_reads: AuditedReads::default(),
            defer_for: Duration::from_secs(24 * 60 * 60),
            changes_kept_for: Duration::from_secs(7 * 24 * 60 * 60),
            detection: DetectionSettings::default(),
            feedback: FeedbackMeanings::default(),
            high_risk_countries: ::detection::high_risk_countries(),
            own_rules: OwnRules::default(),
            risk_rules: RiskRules::default(),
            band_changes: BandChanges::default(),
            requests_due_within: Duration::from_secs(72 * 60 * 60),
            placeholders: Placeholders::default(),
            page_bytes: 64 << 20,
            cache_bytes: 0,
            cache_staleness: Duration::from_millis(500),
            files: FileSettings::default(),
            webhooks: WebhookSettings::default(),
            watchlists: WatchlistSettings::default(),
            screening: ScreeningSettings::default(),
        }
    }
}

/// All operations over one store. Cheap to clone; all clones share.
#[derive(Clone)]
pub struct Resolvers {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    clock: Arc<dyn Clock>,
    settings: Settings,
    identities: IdentityRules,
    /// What walks and lists of GraphQL have read, unless nothing is to be kept.
    cache: Option<ReadCache>,
    /// For the walks of GraphQL.
    walks: Loader,
    /// For what requests look up by its id on their way: that does not wait behind walks.
    lookups: Loader,
    /// Behind both of them, and what else is read.
    long_reads: LongReads,
    shapes: Shapes,
    warmth: Warmth,
    shared_lists: SharedLists,
    queue: Queue,
    gatherer: Gatherer,
    audit_walks: audit::Walks,
    known_locations: channel_location::Known,
    recognised: credential::Recognised,
    recognised_users: user::Known,
    tokens: token::Tokens,
    own_prefix: files::OwnPrefix,
    in_flight_keys: idempotency::InFlight,
    waker: Waker,
    /// Tells those who wait for events.
    event_watch: EventWatch,
    /// Looks for all who follow something live.
    live: Live,
    awaited: Awaited,
    screening: Screening,
    /// What the last run of the process has calculated of actors.
    last_calculation: crate::risk::LastCalculation,
    /// Seals the secrets of webhooks, where the settings have a key for that.
    vault: Option<Arc<Vault>>,
}

impl Resolvers {
    /// The days by which the dates of records are checked.
    pub fn days(&self) -> Days {
        Days::at(self.inner.clock.now())
    }

    /// Bytes that the page of a list may have, as it is answered.
    pub fn page_bytes(&self) -> usize {
        self.inner.settings.page_bytes
    }

    /// Operations over an engine, with the machine's clock. Needs a running tokio runtime, as writers are tasks.
    pub fn new(engine: Engine, settings: Settings) -> Self {
        Self::with_clock(engine, settings, Arc::new(SystemClock))
    }

    /// The same with another clock.
    pub fn with_clock(engine: Engine, settings: Settings, clock: Arc<dyn Clock>) -> Self {
        // Whatever is written from here on is noticed by the cache.
        let process = if settings.cache_bytes > 0 { clock.id() } else { String::new() };
        let sharing = Sharing { process, staleness: settings.cache_staleness };
        let (engine, cache) = ReadCache::over(engine, settings.cache_bytes, &sharing);
        let gatherer = Gatherer::start(engine.clone(), audit::stranger_entry(Arc::clone(&clock)));
        let waker = Waker::default();
        let awaited = Awaited::default();
        let walks = Loader::keeping(engine.clone(), settings.read_limit, cache.clone());
        let lookups = Loader::new(engine.clone(), settings.read_limit);
        let inner = Inner {
            long_reads: LongReads::new(engine.clone(), [walks.clone(), lookups.clone()]),
            lookups,
            shapes: Shapes::new(engine.clone()),
            warmth: Warmth::default(),
            shared_lists: SharedLists::new(walks.clone()),
            walks,
            cache,
            queue: Queue::start(engine.clone(), gatherer.clone(), waker.clone(), awaited.clone()),
            awaited,
            gatherer,
            audit_walks: audit::Walks::default(),
            known_locations: channel_location::Known::default(),
            recognised: credential::Recognised::new(settings.guesses),
            recognised_users: user::Known::default(),
            tokens: token::Tokens::new(settings.tokens.clone()),
            own_prefix: files::OwnPrefix::default(),
            in_flight_keys: idempotency::InFlight::default(),
            waker,
            event_watch: EventWatch::default(),
            live: Live::new(settings.tokens.groups.clone()),
            screening: Screening::new(&settings.screening, &engine),
            last_calculation: crate::risk::LastCalculation::default(),
            vault: settings.webhooks.key.as_ref().map(|key| Arc::new(Vault::new(key))),
            engine,
            clock,
            identities: IdentityRules::new(settings.placeholders.clone()),
            settings,
        };
        Self { inner: Arc::new(inner) }
    }

    /// The database answers and is migrated, and a write would be taken; false while it still makes the plans of what is written most, and behind an outage in
    /// which it took none, until it takes one.
    #[boxed]
    pub async fn ready(&self) -> Result<bool> {
        match cypher::is_migrated(&self.inner.engine).await {
            Ok(true) if self.inner.cache.as_ref().is_none_or(ReadCache::takes_writes) => Ok(self.inner.warmth.is_enough(Instant::now())),
            Ok(_) => Err(Error::Unavailable { retry_after: Duration::from_secs(1) }),
            Err(error) => Err(error.into()),
        }
    }

    /// The shared loader of walks.
    pub fn loader(&self) -> &Loader {
        &self.inner.walks
    }

    /// How many writes of this process are over, where other processes are told of them.
    pub fn written(&self) -> Option<u64> {
        self.inner.cache.as_ref().and_then(ReadCache::written)
    }

    /// The position of all that this process has written, where something is over since there were so many writes. Who sends it along is shown no less by any
    /// process, in [`Resolvers::knows_positions`].
    pub fn position_since(&self, written: Option<u64>) -> Option<String> {
        self.inner.cache.as_ref().filter(|cache| cache.written() > written).and_then(ReadCache::position)
    }

    /// Whether the read cache has all that these positions name. What is no position names nothing that it has.
    pub fn knows_positions<'a>(&self, positions: impl Iterator<Item = &'a str>) -> bool {
        self.inner.cache.as_ref().is_none_or(|cache| cache.knows(positions))
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// A worker that does all jobs in the background. See [`jobs`].
    pub fn worker(&self) -> Worker {
        Worker::new(self, Jobs::standard()).with_kinds(Kinds::standard())
    }

    /// Wakes the worker of this process after a commit.
    pub fn waker(&self) -> &Waker {
        &self.inner.waker
    }

    /// Lets the database plan the statements of the hot paths before a request needs them, now and after each of its outages: a cold Neo4j
    /// takes seconds for that. Works until it is dropped. From this call on until the first plans are made the service is not ready.
    pub fn keep_warm(&self) -> BoxFuture<'static, ()> {
        let inner = Arc::clone(&self.inner);
        warm::begin(&inner.engine, &inner.warmth);
        Box::pin(async move { warm::keep_warm(&inner.engine, &inner.shapes, &inner.warmth).await })
    }
}

impl Inner {
    /// Runs a statement that changes nothing, for as long as a read may take. Boxed: what waits for a database is large, and GraphQL makes a
    /// future for every field, each as large as the largest its type has.
    fn read<R: DeserializeOwned + 'static>(
        &self,
        permit: &Permit<'_>,
        reading: Reading<R>,
        params: Params,
    ) -> BoxFuture<'_, std::result::Result<Vec<R>, cypher::Error>> {
        self.read_within(permit, self.settings.read_limit, reading, params)
    }

    /// The same for what is worth less time than a read may take.
    fn read_within<R: DeserializeOwned + 'static>(
        &self,
        _permit: &Permit<'_>,
        limit: Duration,
        reading: Reading<R>,
        params: Params,
    ) -> BoxFuture<'_, std::result::Result<Vec<R>, cypher::Error>> {
        explain::note(|| Arc::from(reading.statement().text), &params, None);
        let outranking = self.long_reads.outrank();
        let limit = limit.min(self.settings.read_limit);
        Box::pin(async move {
            let _outranking = outranking;
            self.engine.read_as(reading, params, limit).await
        })
    }

    /// The one row of a composed statement, if it has one.
    fn read_composed(
        &self,
        _permit: &Permit<'_>,
        label: &'static str,
        composed: Composed,
    ) -> BoxFuture<'_, std::result::Result<Option<Row>, cypher::Error>> {
        let limit = self.settings.read_limit;
        explain::note(|| Arc::clone(&composed.text), &composed.params, None);
        let outranking = self.long_reads.outrank();
        Box::pin(async move {
            let _outranking = outranking;
            Ok(self.engine.read_composed(label, composed, limit).await?.into_iter().next())
        })
    }

    /// The same, of which one answer serves all who ask it at the same time.
    fn shared_row<'a>(
        &'a self,
        permit: &'a Permit<'_>,
        label: &'static str,
        composed: Composed,
    ) -> BoxFuture<'a, std::result::Result<Option<Arc<Row>>, cypher::Error>> {
        explain::note(|| Arc::clone(&composed.text), &composed.params, None);
        let question = Question { engine: self.engine.clone(), label, composed, limit: self.settings.read_limit };
        let outranking = self.long_reads.outrank();
        Box::pin(async move {
            let _outranking = outranking;
            self.shared_lists.row(permit.caller(), question).await
        })
    }

    /// The audit entry of a change that is to be made now: `kind` is the label of its object, `action` such as `actor.recorded`.
    fn entry(&self, permit: &Permit<'_>, kind: &'static str, id: &str, action: &'static str) -> AuditDraft {
        AuditDraft::of(permit, &*self.clock, Object { kind, id, action })
    }

    /// The date from which on a record is valid: where it says none, the day (UTC) on which it came.
    fn as_of(&self, permit: &Permit<'_>, at: &str, given: Option<Date>) -> Result<String> {
        match given {
            Some(date) => self.not_after_tomorrow(at, date).map(|()| date.to_string()),
            None => Ok(permit.received().unwrap_or_else(|| self.clock.now()).date().map(|date| date.to_string()).unwrap_or_default()),
        }
    }

    /// Refuses a record that is dated after tomorrow (UTC): nothing could ever replace it. Tomorrow is today somewhere else.
    fn not_after_tomorrow(&self, at: &str, date: Date) -> Result<()> {
        self.not_to_come([(at, Some(date), Latest::Tomorrow)])
    }

    /// Refuses dates that are still to come (UTC), all at once.
    fn not_to_come<'a>(&self, dates: impl IntoIterator<Item = Dated<'a>>) -> Result<()> {
        let faults = Days::at(self.clock.now()).faults(dates);
        if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
    }
}

//! Screening: who is on the other side of a payment, or who an actor is, and whether that is somebody on a list of sanctions, or the payment a fraud.
//!
//! - [`settings`]: which providers there are, for which operations.
//! - [`party`]: who is searched for. [`facts`]: what of an actor's record says who that is. [`result`]: what a provider says.
//! - [`provider`]: one provider, bounded in time and number, behind a circuit breaker ([`breaker`]). [`lists`]: the built-in one over the watchlists in the
//!   store, whose index each instance holds in memory. [`http`]: one that is a service of somebody else.
//!   [`kernels`]: the built-in one for signs of fraud.
//! - [`run`]: all providers beside each other. [`record`]: what they have said is kept: `(:Transaction|Actor)-[:HAS_SCREENING]->(:Screening)`, and
//!   each hit as an observation ([`finding`]).
//! - [`blocking`]: Add Transaction with screening. [`pending_payments`]: payments that nobody waits for, `(:PendingPaymentScreening)` until they are screened.
//!   [`answer`]: what is kept under an idempotency key.
//! - [`pending`]: actors that have come or changed, each `(:PendingScreening)` until it is screened. [`rescreen`]: all actors, when a list has changed.
//!   [`batch`]: all actors against whole lists, when somebody asks for it.
//! - [`cleared`]: matches that somebody has cleared are left out. [`clearance`]: clearing, and ending that.
//!
//! A screening's id follows from the request that brought the payment or the actor, the operation and the provider. Whoever screens looks which are there:
//! so each is done once, whatever dies, and whoever asks again.

pub(crate) mod answer;
mod batch;
mod blocking;
pub(crate) mod breaker;
mod clearance;
pub(crate) mod cleared;
pub(crate) mod facts;
mod finding;
mod former_job;
pub(crate) mod http;
pub(crate) mod kernels;
pub(crate) mod lists;
pub(crate) mod party;
pub(crate) mod pending;
pub(crate) mod pending_payments;
pub(crate) mod provider;
pub(crate) mod record;
mod rescreen;
pub(crate) mod result;
mod run;
mod settings;

use std::sync::Arc;

use cypher::Engine;
use cypher::statements::rows::ScreenedActorRow;
use graph_schema::given::Given;
use graph_schema::identity::Placeholders;
use graph_schema::screening::ScreeningOperation;
use graph_schema::transaction::TransactionRecord;
use reqwest::Client;
use tokio::sync::{Mutex, Semaphore};

pub(crate) use answer::TransactionAnswer;
pub(crate) use batch::ScreenActors;
pub(crate) use blocking::ToBeScreened;
pub use clearance::{ClearMatch, ClearedParty};
pub(crate) use former_job::ScreenPayments;
pub(crate) use pending::Drained;
pub(crate) use pending_payments::SubmittedPayment;
pub(crate) use rescreen::RescreenActors;
pub use settings::{ProviderKind, ProviderSecret, ProviderSettings, ScreeningSettings};

use crate::delivery::address::Resolver;
use crate::delivery::guarded_client;
use facts::ActorFacts;
use lists::Lists;
use party::Party;
use provider::{Means, Provider};

/// Payments and actors that are screened at once while nobody waits. Fewer than a provider takes at once: some of its places are for those for whom somebody does.
const IN_BACKGROUND: usize = 24;

/// What a sender wants screened, and whether it waits for that.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScreeningRequest {
    /// Each once.
    pub operations: Vec<ScreeningOperation>,
    pub blocking: bool,
}

impl ScreeningRequest {
    /// What tells it from other requests about the same payment.
    fn text(&self) -> String {
        let operations: Vec<&str> = self.operations.iter().map(|operation| operation.as_str()).collect();
        format!("screening {} {}", operations.join(","), self.blocking)
    }
}

/// A payment with its record.
pub struct Payment {
    value: TransactionRecord,
    /// JSON text.
    record: Arc<str>,
}

impl Payment {
    fn of(given: Given<TransactionRecord>) -> Self {
        Self { value: given.value, record: given.record }
    }

    /// One that is stored; nothing where it can't be read.
    pub fn stored(record: Arc<str>) -> Option<Self> {
        let value = serde_json::from_str(&record).ok()?;
        Some(Self { value, record })
    }
}

/// An actor with what it is screened by.
pub struct ScreenedActor {
    pub id: String,
    pub facts: ActorFacts,
    /// JSON text; empty where nobody needs it.
    pub record: Arc<str>,
}

impl ScreenedActor {
    /// One that is stored; nothing where it can't be read.
    fn stored(row: ScreenedActorRow, placeholders: &Placeholders) -> Option<Self> {
        let record: Arc<str> = Arc::from(row.record.unwrap_or_default());
        let facts = match row.facts.as_deref().and_then(ActorFacts::read) {
            Some(facts) => facts,
            None => ActorFacts::of(&serde_json::from_str(&record).ok()?, placeholders),
        };
        Some(Self { id: row.id, facts, record })
    }
}

/// What is screened.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    Payment(&'a Payment),
    Actor(&'a ScreenedActor),
}

impl<'a> Subject<'a> {
    /// Of the payment or the actor.
    fn id(self) -> &'a str {
        match self {
            Self::Payment(payment) => payment.value.id.as_str(),
            Self::Actor(actor) => &actor.id,
        }
    }

    /// Who is searched for; nothing where nobody is named.
    fn party(self, placeholders: &Placeholders) -> Option<Party> {
        match self {
            Self::Payment(payment) => Party::of(&payment.value.counterparty, placeholders),
            Self::Actor(actor) => actor.facts.party(),
        }
    }
}

/// The providers, and the index over watchlists.
///
/// Hits are gathered into cases one after another, so that of two about one actor the second finds the case of the first. That is so within an instance: of
/// two instances that have such hits at the same moment each may make a case, as of two runs of detection.
pub(crate) struct Screening {
    providers: Vec<Arc<Provider>>,
    /// None where no provider searches them.
    lists: Option<Arc<Lists>>,
    gathering: Mutex<()>,
    /// Turns of payments and actors that are screened while nobody waits.
    background: Semaphore,
}

impl Screening {
    pub fn new(settings: &ScreeningSettings, engine: &Engine) -> Self {
        let lists = Arc::new(Lists::new(settings.memory));
        let client = settings.providers.iter().any(|provider| matches!(provider.kind, ProviderKind::Http { .. })).then(|| client(settings)).flatten();
        let uses_lists = settings.providers.iter().any(|provider| matches!(provider.kind, ProviderKind::Watchlists));
        let means = Means { lists: &lists, engine, reach: settings.reach, client: client.as_ref() };
        let providers = settings.providers.iter().map(|provider| Arc::new(Provider::new(provider, &means))).collect();
        Self { providers, lists: uses_lists.then_some(lists), gathering: Mutex::new(()), background: Semaphore::new(IN_BACKGROUND) }
    }

    /// The providers for operations, in the order of these and of the settings.
    fn of(&self, operations: &[ScreeningOperation]) -> Vec<Arc<Provider>> {
        let of_one = |operation: &ScreeningOperation| {
            let operation = *operation;
            self.providers.iter().filter(move |provider| provider.operation == operation).cloned()
        };
        operations.iter().flat_map(of_one).collect()
    }

    /// Those of them that can screen actors.
    fn of_actors(&self, operations: &[ScreeningOperation]) -> Vec<Arc<Provider>> {
        self.of(operations).into_iter().filter(|provider| provider.screens_actors()).collect()
    }

    fn provider(&self, operation: ScreeningOperation, name: &str) -> Option<Arc<Provider>> {
        self.providers.iter().find(|provider| provider.operation == operation && provider.name == name).cloned()
    }

    fn lists(&self) -> Option<&Lists> {
        self.lists.as_deref()
    }
}

/// Makes the requests to HTTP providers; none where it can't be made, which is told.
fn client(settings: &ScreeningSettings) -> Option<Client> {
    let limits = settings.providers.iter().filter_map(|provider| match &provider.kind {
        ProviderKind::Http { timeout, .. } => Some(*timeout),
        ProviderKind::Watchlists | ProviderKind::Kernels => None,
    });
    let limit = limits.max().unwrap_or(settings.timeout);
    let client = guarded_client(Resolver::system(settings.reach), limit);
    client.inspect_err(|error| tracing::error!(%error, "no client for the providers of screening")).ok()
}

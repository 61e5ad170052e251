//! A provider: bounded in time and number, and left alone while it fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cypher::Engine;
use graph_schema::screening::ScreeningOperation;
use reqwest::Client;
use tokio::sync::Semaphore;

use super::Subject;
use super::breaker::Breaker;
use super::http::{Asked, HttpProvider};
use super::kernels::Kernels;
use super::lists::Lists;
use super::result::ProviderResult;
use super::settings::{ProviderKind, ProviderSettings};
use crate::Reach;

/// Requests to one provider that are under way at once.
const AT_ONCE: usize = 32;
/// How long a search may take when nobody waits for it.
pub const SEARCH: Duration = Duration::from_secs(10);

/// One provider for one operation.
pub struct Provider {
    pub operation: ScreeningOperation,
    pub name: String,
    pub kind: Kind,
    pub breaker: Breaker,
    pub places: Semaphore,
}

pub enum Kind {
    Watchlists(Arc<Lists>),
    Kernels(Kernels),
    Http(HttpProvider),
}

/// What providers are made of.
pub(super) struct Means<'a> {
    pub lists: &'a Arc<Lists>,
    pub engine: &'a Engine,
    pub reach: Reach,
    pub client: Option<&'a Client>,
}

impl Provider {
    pub(super) fn new(settings: &ProviderSettings, means: &Means<'_>) -> Self {
        let kind = match &settings.kind {
            ProviderKind::Watchlists => Kind::Watchlists(Arc::clone(means.lists)),
            ProviderKind::Kernels => Kind::Kernels(Kernels(means.engine.clone())),
            ProviderKind::Http { url, secret, timeout } => {
                let (url, secret, client) = (url.clone(), secret.clone(), means.client.cloned());
                Kind::Http(HttpProvider { url, secret, timeout: *timeout, reach: means.reach, client })
            }
        };
        let (operation, name) = (settings.operation, settings.name.clone());
        Self { operation, name, kind, breaker: Breaker::default(), places: Semaphore::new(AT_ONCE) }
    }

    /// How long it may take when nobody waits for it.
    pub fn own_limit(&self) -> Duration {
        match &self.kind {
            Kind::Watchlists(_) | Kind::Kernels(_) => SEARCH,
            Kind::Http(http) => http.timeout,
        }
    }

    /// Whether it can screen actors: detection's kernels look at payments.
    pub fn screens_actors(&self) -> bool {
        !matches!(self.kind, Kind::Kernels(_))
    }

    /// Whether what it finds are entries of the watchlists in the store.
    pub fn searches_watchlists(&self) -> bool {
        matches!(self.kind, Kind::Watchlists(_))
    }

    /// What it says of a payment or an actor, within the limit whatever it does.
    pub async fn ask(&self, asked: &Asked<'_>, limit: Duration) -> ProviderResult {
        let began = Instant::now();
        let result = match &self.kind {
            Kind::Watchlists(lists) => within(limit, lists.search(asked.party)).await,
            Kind::Kernels(kernels) => match asked.subject {
                Subject::Payment(payment) => within(limit, self.in_its_place(kernels.look(payment))).await,
                Subject::Actor(_) => ProviderResult::error("payments alone are screened by detection's kernels"),
            },
            Kind::Http(http) => self.ask_service(http, asked, limit).await,
        };
        let response = result.response.as_str();
        metrics::histogram!("amlgraph_screening_seconds", "provider" => self.name.clone()).record(began.elapsed().as_secs_f64());
        metrics::counter!("amlgraph_screenings_total", "provider" => self.name.clone(), "response" => response).increment(1);
        if !result.response.is_conclusive() {
            tracing::debug!(
                provider = self.name,
                operation = asked.operation.as_str(),
                response,
                reason = result.reason,
                "a provider screened nothing"
            );
        }
        result
    }

    /// Asks a service. That its time is over before it has a place says nothing of the service.
    async fn ask_service(&self, http: &HttpProvider, asked: &Asked<'_>, limit: Duration) -> ProviderResult {
        let was_asked = AtomicBool::new(false);
        let answer = self.in_its_place(async {
            if !self.breaker.lets_through(Instant::now()) {
                return ProviderResult::error("the provider has failed several times in a row, and is not asked for a moment");
            }
            was_asked.store(true, Ordering::Relaxed);
            http.ask(asked).await
        });
        let result = within(limit, answer).await;
        if was_asked.load(Ordering::Relaxed) {
            self.breaker.note(result.response.is_conclusive(), Instant::now());
        }
        result
    }

    /// Asks when one of the places is free.
    async fn in_its_place(&self, answer: impl Future<Output = ProviderResult>) -> ProviderResult {
        // It is never closed.
        let _place = self.places.acquire().await;
        answer.await
    }
}

async fn within(limit: Duration, answer: impl Future<Output = ProviderResult>) -> ProviderResult {
    tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| ProviderResult::timeout())
}

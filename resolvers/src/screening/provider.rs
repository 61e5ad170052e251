//! A provider: bounded in time and number, and left alone while it fails.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::Engine;
use graph_schema::screening::ScreeningOperation;
use reqwest::Client;
use tokio::sync::Semaphore;

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
const SEARCH: Duration = Duration::from_secs(10);

/// One provider for one operation.
pub(super) struct Provider {
    pub operation: ScreeningOperation,
    pub name: String,
    kind: Kind,
    breaker: Breaker,
    places: Semaphore,
}

enum Kind {
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
    pub fn new(settings: &ProviderSettings, means: &Means<'_>) -> Self {
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

    /// What it says of a payment, within the limit whatever it does.
    pub async fn ask(&self, asked: &Asked<'_>, limit: Duration) -> ProviderResult {
        let began = Instant::now();
        let result = match &self.kind {
            Kind::Watchlists(lists) => within(limit, lists.search(asked.party)).await,
            Kind::Kernels(kernels) => within(limit, self.in_its_place(kernels.look(asked.payment))).await,
            Kind::Http(_) if !self.breaker.lets_through(began) => {
                ProviderResult::error("the provider has failed several times in a row, and is not asked for a moment")
            }
            Kind::Http(http) => {
                let result = within(limit, self.in_its_place(http.ask(asked))).await;
                self.breaker.note(result.response.is_conclusive(), Instant::now());
                result
            }
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

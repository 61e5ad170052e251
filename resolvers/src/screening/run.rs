//! Screening one payment or actor: all providers beside each other, each within its time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::{Params, statements};
use futures::future::join_all;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};

use super::Subject;
use super::cleared::{PATIENT_LOOK, PartyKey};
use super::http::Asked;
use super::provider::Provider;
use super::result::ProviderResult;
use crate::derived_id::digest_id;
use crate::policy::Permit;
use crate::{Inner, Result};

/// How long looking for what was cleared may take at least, where providers have used up their time.
const LOOK: Duration = Duration::from_millis(100);

/// What a provider has said of a payment or an actor.
pub(super) struct Screened {
    /// The screening's id.
    pub id: String,
    pub provider: Arc<Provider>,
    pub result: ProviderResult,
}

/// The id of a screening: of what brought the payment, and of the provider. The same again is the same screening.
pub(super) fn screening_id(submission: &str, provider: &Provider) -> String {
    screening_id_of(submission, provider.operation, &provider.name)
}

pub(super) fn screening_id_of(submission: &str, operation: ScreeningOperation, provider: &str) -> String {
    digest_id("screening", &[submission, operation.as_str(), provider])
}

impl Inner {
    /// Asks providers about a payment or an actor; each has `limit`, or where there is none the time of its own.
    pub(super) async fn ask_providers(
        &self,
        subject: Subject<'_>,
        providers: Vec<(String, Arc<Provider>)>,
        limit: Option<Duration>,
    ) -> Vec<Screened> {
        let party = subject.party(&self.settings.placeholders);
        let party = party.as_ref();
        let began = Instant::now();
        let asked = providers.into_iter().map(|(id, provider)| async move {
            let asked = Asked { id: &id, operation: provider.operation, subject, party };
            let result = provider.ask(&asked, limit.unwrap_or_else(|| provider.own_limit())).await;
            Screened { id, provider, result }
        });
        let mut screened = join_all(asked).await;
        let left = limit.map_or(PATIENT_LOOK, |limit| limit.saturating_sub(began.elapsed()).max(LOOK));
        self.leave_out_cleared(PartyKey::of(subject, party).as_ref(), &mut screened, left).await;
        screened
    }

    /// What was said before, by the ids of screenings.
    pub(super) async fn screening_results(&self, ids: Vec<String>) -> Result<HashMap<String, ScreeningResponse>> {
        let rows = self.read(&Permit::of_service(), statements::screening::RESULTS, Params::none().with("ids", ids)).await?;
        Ok(rows.into_iter().map(|row| (row.id, row.response)).collect())
    }
}

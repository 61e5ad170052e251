//! Keeping what providers have said: hits as observations, and in cases where the settings say so; then a node for each result.
//!
//! The node comes last. Where it is there, all that follows from it is; where it is not, everything can be done again, and changes nothing the second time.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use cypher::{Key, Params, Value, map, statements};
use futures::future::try_join_all;
use graph_schema::screening::ScreeningResponse;

use super::run::Screened;
use super::{Payment, finding};
use crate::conflicts::despite_conflicts;
use crate::detection::GatheredFindings;
use crate::observation::RECORD_OBSERVATION;
use crate::policy::Permit;
use crate::values::word;
use crate::{Inner, Result};

/// What the statement about results may take.
const LIMIT: Duration = Duration::from_secs(10);
/// What the metadata of cases name in place of a run of detection.
const RUN: &str = "screening";

impl Inner {
    /// Keeps what providers have said of a payment; answers with what is kept, by the ids of the screenings. Of two who screen the same at once the result
    /// of whoever comes first is.
    pub(super) async fn record_screened(&self, payment: &Payment, screened: &[Screened]) -> Result<HashMap<String, ScreeningResponse>> {
        let permit = Permit::of_service();
        let mut rows = Vec::with_capacity(screened.len());
        let mut hits = BTreeSet::new();
        for one in screened {
            let observations = self.record_hits(&permit, payment, one).await?;
            rows.push(self.result_row(payment, one, &observations));
            hits.extend(observations);
        }
        if !hits.is_empty() {
            let least = 0.0;
            let _turn = self.screening.gathering.lock().await;
            self.gather_findings(permit.caller(), GatheredFindings { run: RUN, by: self.settings.screening.cases, least }, &hits).await?;
        }
        let params = Params::rows(rows);
        let kept = despite_conflicts(|| self.engine.write_within_as(statements::screening::RECORD, params.clone(), LIMIT)).await?;
        Ok(kept.into_iter().map(|row| (row.id, row.response)).collect())
    }

    /// Makes observations of what was found; answers with their ids.
    async fn record_hits(&self, permit: &Permit<'_>, payment: &Payment, screened: &Screened) -> Result<Vec<String>> {
        if screened.result.response != ScreeningResponse::Hit {
            return Ok(Vec::new());
        }
        let party = self.identities.identified_actor(&payment.value.counterparty);
        let mut ids = Vec::with_capacity(screened.result.matches.len());
        let mut writes = Vec::with_capacity(screened.result.matches.len());
        let mut met = BTreeSet::new();
        for found in screened.result.matches.iter().filter(|found| met.insert(found.id.as_str())) {
            let observation = finding::observation(payment, &screened.provider, found, party.as_ref())?;
            ids.push(observation.value.id.as_str().to_owned());
            writes.push(self.observation_write(permit, &observation)?);
        }
        try_join_all(writes.into_iter().map(|write| self.queue.write(&RECORD_OBSERVATION, write))).await?;
        Ok(ids)
    }

    fn result_row(&self, payment: &Payment, screened: &Screened, observations: &[String]) -> Value {
        let Screened { id, provider, result } = screened;
        let transaction = payment.value.id.as_str();
        let props: Vec<(Key, Value)> = vec![
            ("name".into(), format!("{} {}", provider.name, result.response.as_str()).into()),
            ("transactionId".into(), transaction.into()),
            ("operation".into(), word(&provider.operation)),
            ("providerName".into(), provider.name.as_str().into()),
            ("response".into(), word(&result.response)),
            ("screenedAt".into(), self.clock.now().millis().into()),
            ("score".into(), result.score().into()),
            ("reason".into(), result.reason.as_deref().into()),
        ];
        map([
            ("id", id.as_str().into()),
            ("transaction", transaction.into()),
            ("props", Value::Map(props)),
            ("observations", Value::List(observations.iter().map(|id| id.as_str().into()).collect())),
        ])
    }
}

//! Listing webhooks and reading one; how deliveries to it stand, in numbers that the database adds up.

use std::sync::{Arc, LazyLock};

use cypher::Error as DatabaseError;
use cypher::graph::nodes::{self, WebhookSummary};
use cypher::graph::{Found, Visit, Walk, lists};
use cypher::{Params, statements};
use futures::future::join_all;
use graph_schema::date::Timestamp;
use graph_schema::id::WebhookId;
use graph_schema::webhook::{ShownSecret, WebhookRecord};

use super::{DeliveryCounts, MOST, WEBHOOK, WebhookSecret};
use crate::explore::{ListFilter, Span};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, ObjectKind, OffsetPage, Resolvers, Result, boxed};

/// How many secrets one listing shows: as many as one transaction writes.
const SHOWN_AT_ONCE: usize = 500;
/// The longest time that is looked at: 92 days, a quarter of a year.
const LONGEST: i64 = 92 * 24 * 60 * 60 * 1000;

static SHOWN: LazyLock<Arc<Walk>> = LazyLock::new(|| Arc::new(Walk::of(Arc::new(shown()))));

fn shown() -> Visit {
    Visit { summary: true, ..Visit::of(&nodes::WEBHOOK) }
}

impl Resolvers {
    /// List webhooks: a page of them, or all; the newest first, each with its secret where no listing has shown that since it was made or rotated.
    #[boxed]
    pub async fn webhooks(&self, caller: &Caller, page: Option<OffsetPage>) -> Result<Vec<WebhookRecord>> {
        let permit = self.inner.enter(caller, Action::ReadWebhooks, Subject::List(WEBHOOK))?;
        let page = page.unwrap_or(OffsetPage { limit: MOST, offset: 0 });
        let span = Span { list: &lists::WEBHOOKS, filter: ListFilter::All, sort: Vec::new(), page, then: shown() };
        let rows = self.inner.span(&permit, span).await?;
        let records = rows.iter().map(|row| record(&row.node)).collect::<Result<Vec<_>>>()?;
        // Each secret that is shown is a write. Those behind the first are shown by the next listing, as nobody may be told any more once that takes too long.
        let unshown = records.iter().filter(|(_, summary)| !summary.secret_shown).take(SHOWN_AT_ONCE);
        let mut secrets = join_all(unshown.map(|(webhook, _)| self.shown_now(&permit, &webhook.id))).await.into_iter();
        let listed = records.into_iter().map(|(webhook, summary)| {
            let secret = if summary.secret_shown { None } else { secrets.next().flatten() };
            WebhookRecord { secret: secret.map(|secret| ShownSecret(secret.reveal())), ..webhook }
        });
        Ok(listed.collect())
    }

    /// The secret of a webhook, where a listing can show it; else the others are shown all the same, and this one the next time.
    async fn shown_now(&self, permit: &Permit<'_>, id: &WebhookId) -> Option<WebhookSecret> {
        self.inner.show_secret(permit, id).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a listing leaves out a webhook's secret");
            None
        })
    }

    /// Retrieve a Webhook by Id: without its secret.
    #[boxed]
    pub async fn webhook(&self, caller: &Caller, id: &WebhookId) -> Result<WebhookRecord> {
        let permit = self.inner.enter(caller, Action::ReadWebhooks, Subject::One(WEBHOOK, id.as_str()))?;
        let found = self.inner.lookups.walk(&permit, &SHOWN, id.as_str()).await?;
        let found = found.ok_or_else(|| Error::not_found(ObjectKind::Webhook, id.as_str()))?;
        record(&found).map(|(webhook, _)| webhook)
    }

    /// Counts deliveries to a webhook that were queued from a time on, and before another. Webhooks that are asked about together are one statement.
    #[boxed]
    pub async fn delivery_counts(&self, caller: &Caller, id: &WebhookId, (from, to): (Timestamp, Timestamp)) -> Result<DeliveryCounts> {
        let permit = self.inner.enter(caller, Action::ReadWebhooks, Subject::Linked)?;
        if from >= to {
            return Err(Error::invalid("to", "must be later than from"));
        }
        if to.millis().saturating_sub(from.millis()) > LONGEST {
            return Err(Error::invalid("to", "must be at most 92 days later than from"));
        }
        let params = Params::none().with("from", from.millis()).with("to", to.millis());
        let rows = self.inner.walks.rows(&permit, statements::webhook::STATISTICS, params, id.as_str()).await?;
        Ok(rows.first().map(DeliveryCounts::of).unwrap_or_default())
    }
}

fn record(found: &Found) -> Result<(WebhookRecord, WebhookSummary)> {
    let summary = found.summary::<WebhookSummary>().map_err(|mismatch| DatabaseError::rejected("webhook", mismatch))?;
    let webhook = WebhookRecord {
        id: WebhookId::new(&*found.id),
        name: found.name.to_string(),
        url: summary.url.clone(),
        events: summary.events.clone(),
        status: summary.status,
        secret: None,
        created: summary.created_at.millis(),
        tenant: summary.tenant.clone(),
    };
    Ok((webhook, summary))
}

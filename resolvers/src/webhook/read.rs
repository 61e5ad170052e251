//! Listing webhooks and reading one.

use std::sync::{Arc, LazyLock};

use cypher::Error as DatabaseError;
use cypher::graph::nodes::{self, WebhookSummary};
use cypher::graph::{Found, Visit, Walk, lists};
use graph_schema::id::WebhookId;
use graph_schema::webhook::{ShownSecret, WebhookRecord};

use super::WEBHOOK;
use crate::explore::{ListFilter, Span};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, ObjectKind, Page, Resolvers, Result};

static SHOWN: LazyLock<Arc<Walk>> = LazyLock::new(|| Arc::new(Walk::of(Arc::new(shown()))));

fn shown() -> Visit {
    Visit { summary: true, ..Visit::of(&nodes::WEBHOOK) }
}

impl Resolvers {
    /// List webhooks: the newest first, each with its secret where no listing has shown that since it was made or rotated.
    pub async fn webhooks(&self, caller: &Caller, page: Page) -> Result<Vec<WebhookRecord>> {
        let permit = self.inner.enter(caller, Action::ReadWebhooks, Subject::List(WEBHOOK))?;
        let span = Span { list: &lists::WEBHOOKS, filter: ListFilter::All, sort: Vec::new(), page, then: shown() };
        let rows = self.inner.span(&permit, span).await?;
        let listed = rows.iter().map(|row| self.listed(&permit, &row.node));
        futures::future::try_join_all(listed).await
    }

    async fn listed(&self, permit: &Permit<'_>, found: &Found) -> Result<WebhookRecord> {
        let (webhook, summary) = record(found)?;
        let secret = if summary.secret_shown { None } else { self.inner.show_secret(permit, &webhook.id).await? };
        Ok(WebhookRecord { secret: secret.map(|secret| ShownSecret(secret.reveal())), ..webhook })
    }

    /// Retrieve a Webhook by Id: without its secret.
    pub async fn webhook(&self, caller: &Caller, id: &WebhookId) -> Result<WebhookRecord> {
        let permit = self.inner.enter(caller, Action::ReadWebhooks, Subject::One(WEBHOOK, id.as_str()))?;
        let found = self.inner.lookups.walk(&permit, &SHOWN, id.as_str()).await?;
        let found = found.ok_or_else(|| Error::not_found(ObjectKind::Webhook, id.as_str()))?;
        record(&found).map(|(webhook, _)| webhook)
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

//! Making webhooks, changing and removing them, and rotating their secrets.
//!
//! What is answered may have a secret in it, and is kept under an idempotency key: it is kept with the secret sealed, and opened on its way out.

use std::sync::Arc;
use std::time::Duration;

use cypher::statements::rows::LockedWebhook;
use cypher::{Key, Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::given::Given;
use graph_schema::id::WebhookId;
use graph_schema::webhook::{CreateWebhook, ShownSecret, Subscription, UpdateWebhook, WebhookRecord, WebhookStatus};
use serde_json::json;

use super::{AnsweredWebhook, LANES_JOB, MOST, TENANT, Vault, WEBHOOK, WebhookSecret};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Put, Rank, Write};
use crate::values::word;
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed, without_values};

/// The longest that a former secret goes on signing.
const LONGEST_OVERLAP: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl Resolvers {
    /// Create and register a new Webhook: answers with it, secret and all.
    #[boxed]
    pub async fn create_webhook(&self, caller: &Caller, given: Given<CreateWebhook>, key: Option<IdempotencyKey>) -> Result<AnsweredWebhook> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::List(WEBHOOK))?;
        let vault = inner.vault()?;
        inner.check_room(&permit).await?;
        let id = inner.clock.id();
        let sealed = vault.seal(&WebhookSecret::random()?, &id)?;
        let entry = inner.entry(&permit, WEBHOOK, &id, "webhook.created").with_new_value(told_to_auditors(&given.record));
        let events = names(given.value.events);
        let webhook = WebhookRecord {
            id: WebhookId::new(id.as_str()),
            name: given.value.name.0,
            url: given.value.url.0,
            status: if events.is_empty() { WebhookStatus::Inactive } else { WebhookStatus::Active },
            events,
            secret: Some(ShownSecret(sealed)),
            created: entry.at().millis(),
            tenant: TENANT.to_owned(),
        };
        let answer = text(&webhook)?;
        let row = map([("id", id.into()), ("props", new_props(webhook))]);
        let write = Write::new(row, entry).locking([LockHint::of(WEBHOOK, "all")]);
        let made = inner.answer_new_once(&permit, Once { key, body: &given.record }, answer, &CREATE, write).await?;
        opened(vault, &made)
    }

    /// Update Webhook: answers with it, secret and all.
    #[boxed]
    pub async fn update_webhook(
        &self,
        caller: &Caller,
        id: &WebhookId,
        given: Given<UpdateWebhook>,
        key: Option<IdempotencyKey>,
    ) -> Result<AnsweredWebhook> {
        self.change(caller, id, Wanted::Update(given.value), &given.record, key).await
    }

    /// Update Webhook without a body: the opposite status.
    #[boxed]
    pub async fn toggle_webhook(&self, caller: &Caller, id: &WebhookId, key: Option<IdempotencyKey>) -> Result<AnsweredWebhook> {
        self.change(caller, id, Wanted::Toggle, "", key).await
    }

    async fn change(&self, caller: &Caller, id: &WebhookId, wanted: Wanted, body: &str, key: Option<IdempotencyKey>) -> Result<AnsweredWebhook> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::One(WEBHOOK, id.as_str()))?;
        let vault = inner.vault()?;
        let entry = inner.entry(&permit, WEBHOOK, id.as_str(), "webhook.updated").with_new_value(told_to_auditors(body));
        let row = Changed { id: id.clone(), wanted, vault: Arc::clone(vault) };
        let answered = inner.answer_as_decided(&permit, Once { key, body }, &Amending::<Change>::NEW, Write::new(row, entry)).await?;
        inner.waker.wake(LANES_JOB);
        opened(vault, &answered)
    }

    /// Remove a Webhook by Id: answers with it as it was, but for its status, and without its secret, of which nothing is kept.
    #[boxed]
    pub async fn remove_webhook(&self, caller: &Caller, id: &WebhookId, key: Option<IdempotencyKey>) -> Result<AnsweredWebhook> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::One(WEBHOOK, id.as_str()))?;
        let entry = inner.entry(&permit, WEBHOOK, id.as_str(), "webhook.removed");
        let answered = inner.answer_as_decided(&permit, Once { key, body: "" }, &Amending::<Remove>::NEW, Write::new(id.clone(), entry)).await?;
        inner.waker.wake(LANES_JOB);
        read(&answered)
    }

    /// Gives a webhook a new secret; the former one goes on signing beside it for as long as `overlap`. Answers with the new one.
    #[boxed]
    pub async fn rotate_webhook_secret(
        &self,
        caller: &Caller,
        id: &WebhookId,
        overlap: Duration,
        key: Option<IdempotencyKey>,
    ) -> Result<AnsweredWebhook> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::One(WEBHOOK, id.as_str()))?;
        let vault = inner.vault()?;
        if overlap > LONGEST_OVERLAP {
            return Err(Error::invalid("overlapSeconds", format!("must be at most {}", LONGEST_OVERLAP.as_secs())));
        }
        let said = json!({"overlapSeconds": overlap.as_secs()}).to_string();
        let entry = inner.entry(&permit, WEBHOOK, id.as_str(), "webhook.secret_rotated").with_new_value(said.as_str());
        let sealed = vault.seal(&WebhookSecret::random()?, id.as_str())?;
        let row = Rotated { id: id.clone(), sealed, overlap, vault: Arc::clone(vault) };
        let answered = inner.answer_as_decided(&permit, Once { key, body: &said }, &Amending::<Rotate>::NEW, Write::new(row, entry)).await?;
        opened(vault, &answered)
    }
}

impl Inner {
    /// That there are not as many already as there may be. Of those that are made at the same moment a few may come in too many.
    async fn check_room(&self, permit: &Permit<'_>) -> Result<()> {
        let rows = self.read(permit, statements::webhook::COUNT, Params::none()).await?;
        room_beside(statements::webhook::COUNT.first(rows)?.total)
    }

    /// The secret that a listing is to show, to the first one alone that asks. Where it can't be opened no listing has shown it.
    pub(super) async fn show_secret(&self, permit: &Permit<'_>, id: &WebhookId) -> Result<Option<WebhookSecret>> {
        // A listing is no place for it; whoever changes the webhook is told.
        let Some(vault) = &self.vault else { return Ok(None) };
        let entry = self.entry(permit, WEBHOOK, id.as_str(), "webhook.secret_shown");
        let row = Listed { id: id.clone(), vault: Arc::clone(vault) };
        match self.queue.write(&Amending::<Show>::NEW, Write::new(row, entry)).await {
            Ok(shown) => Ok(shown),
            Err(Error::Misconfigured(why) | Error::Internal(why)) => {
                tracing::error!(why = without_values(&why), "a listing leaves out a webhook's secret");
                Ok(None)
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

static CREATE: Put = Put::of(statements::webhook::CREATE, Rank::Administration);

pub fn room_beside(count: i64) -> Result<()> {
    match count {
        MOST.. => Err(Error::invalid("body", format!("there are {MOST} webhooks, as many as there may be; remove one first"))),
        _ => Ok(()),
    }
}

fn new_props(webhook: WebhookRecord) -> Value {
    map([
        ("name", webhook.name.into()),
        ("url", webhook.url.into()),
        ("events", webhook.events.into()),
        ("status", word(&webhook.status)),
        ("createdAt", webhook.created.into()),
        ("tenant", webhook.tenant.into()),
        ("secret", webhook.secret.map(|sealed| sealed.0).into()),
        ("secretShown", false.into()),
    ])
}

/// The names of events, each once.
fn names(events: Vec<Subscription>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for Subscription(name) in events {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The answer as it is kept: the secret in it is sealed.
fn text(sealed: &WebhookRecord) -> Result<Arc<str>> {
    serde_json::to_string(sealed).map(Arc::from).map_err(|error| Error::Internal(format!("a webhook can't be written: {error}")))
}

fn read(kept: &Answered) -> Result<AnsweredWebhook> {
    let webhook = serde_json::from_str(&kept.text).map_err(|error| Error::Internal(format!("a kept answer is no webhook: {error}")))?;
    Ok(AnsweredWebhook { webhook, replayed: kept.replayed })
}

/// The answer as it is given.
fn opened(vault: &Vault, kept: &Answered) -> Result<AnsweredWebhook> {
    let mut answered = read(kept)?;
    if let Some(secret) = &mut answered.webhook.secret {
        *secret = ShownSecret(vault.open(&secret.0, answered.webhook.id.as_str())?.reveal());
    }
    Ok(answered)
}

/// A webhook that is there, or that there is none.
fn there(stored: Option<LockedWebhook>, id: &WebhookId) -> Result<LockedWebhook> {
    stored.filter(|stored| !stored.removed).ok_or_else(|| Error::not_found(ObjectKind::Webhook, id.as_str()))
}

fn record(stored: &LockedWebhook) -> WebhookRecord {
    WebhookRecord {
        id: WebhookId::new(stored.id.as_str()),
        name: stored.name.clone(),
        url: stored.url.clone(),
        events: stored.events.clone(),
        status: stored.status,
        secret: stored.secret.clone().map(ShownSecret),
        created: stored.created_at,
        tenant: stored.tenant.clone(),
    }
}

/// What is to become of a webhook.
pub enum Wanted {
    Update(UpdateWebhook),
    Toggle,
}

impl Wanted {
    /// The webhook as it is to be. One that is told of nothing is never active.
    pub fn after(&self, before: &WebhookRecord) -> Result<WebhookRecord> {
        let mut after = before.clone();
        match self {
            Self::Toggle => after.status = before.status.opposite(),
            Self::Update(UpdateWebhook { name, url, events, status }) => {
                name.iter().for_each(|name| after.name.clone_from(&name.0));
                url.iter().for_each(|url| after.url.clone_from(&url.0));
                events.iter().for_each(|events| after.events = names(events.clone()));
                after.status = match (status, after.events.is_empty()) {
                    (Some(status), _) => *status,
                    (None, true) => WebhookStatus::Inactive,
                    (None, false) => before.status,
                };
            }
        }
        if after.status == WebhookStatus::Active && after.events.is_empty() {
            return Err(Error::invalid("events", "must name at least one for a webhook that is to be ACTIVE; it has none"));
        }
        Ok(after)
    }
}

/// A webhook to be changed.
struct Changed {
    id: WebhookId,
    wanted: Wanted,
    vault: Arc<Vault>,
}

/// Changes a webhook.
struct Change;

impl Amend for Change {
    type Row = Changed;
    type Locked = LockedWebhook;
    type Stored = LockedWebhook;
    type Answer = Arc<str>;

    const LOCK: Reading<LockedWebhook> = statements::webhook::LOCK;
    const WRITE: WriteStatement = statements::webhook::AMEND;
    const RANK: Rank = Rank::Administration;

    fn id(changed: &Changed) -> &str {
        changed.id.as_str()
    }

    fn decide(changed: &Changed, stored: Option<LockedWebhook>, _: Decision<'_>) -> Result<Amended<Arc<str>>> {
        let stored = there(stored, &changed.id)?;
        // What can't be answered is not done.
        changed.vault.open(stored.secret.as_deref().unwrap_or_default(), &stored.id)?;
        let before = record(&stored);
        let after = changed.wanted.after(&before)?;
        let answer = text(&after)?;
        if after == before {
            return Ok(Amended::nothing(answer).kept());
        }
        let old = json!({"name": before.name, "url": host_of(&before.url), "events": before.events, "status": before.status}).to_string();
        let row = amended(&after.id, props(&before, &after), resting(&before, &after));
        Ok(Amended::by(answer, row).replacing(Some(old)).kept())
    }
}

/// What was asked for, as the audit log has it, which analysts read too: of the address, whose path may hold a token, its host.
fn told_to_auditors(body: &str) -> String {
    let Ok(serde_json::Value::Object(mut fields)) = serde_json::from_str(body) else { return String::new() };
    if let Some(url) = fields.get_mut("url") {
        *url = host_of(url.as_str().unwrap_or_default()).into();
    }
    serde_json::Value::Object(fields).to_string()
}

/// Scheme and host of an address.
fn host_of(url: &str) -> String {
    url::Url::parse(url).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
}

fn amended(id: &WebhookId, props: Vec<(Key, Value)>, resting: Resting) -> Value {
    let waking: Vec<&str> = if resting == Resting::Woken { vec![id.as_str()] } else { Vec::new() };
    map([("id", id.as_str().into()), ("props", Value::Map(props)), ("waking", waking.into())])
}

/// What becomes of what rests, or waits for another try at the old address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resting {
    /// It is to go now.
    Woken,
    LeftAlone,
}

pub fn resting(before: &WebhookRecord, after: &WebhookRecord) -> Resting {
    let is_active = |webhook: &WebhookRecord| webhook.status == WebhookStatus::Active;
    if is_active(after) && (!is_active(before) || after.url != before.url) { Resting::Woken } else { Resting::LeftAlone }
}

fn props(before: &WebhookRecord, after: &WebhookRecord) -> Vec<(Key, Value)> {
    let mut props: Vec<(Key, Value)> = vec![
        ("name".into(), after.name.as_str().into()),
        ("url".into(), after.url.as_str().into()),
        ("events".into(), after.events.clone().into()),
        ("status".into(), word(&after.status)),
    ];
    if resting(before, after) == Resting::Woken {
        // It begins anew.
        props.push(("failingSince".into(), Value::Null));
        props.push(("disabledBecause".into(), Value::Null));
    }
    props
}

/// Removes a webhook.
struct Remove;

impl Amend for Remove {
    type Row = WebhookId;
    type Locked = LockedWebhook;
    type Stored = LockedWebhook;
    type Answer = Arc<str>;

    const LOCK: Reading<LockedWebhook> = statements::webhook::LOCK;
    const WRITE: WriteStatement = statements::webhook::REMOVE;
    const RANK: Rank = Rank::Administration;

    fn id(id: &WebhookId) -> &str {
        id.as_str()
    }

    fn decide(id: &WebhookId, stored: Option<LockedWebhook>, decision: Decision<'_>) -> Result<Amended<Arc<str>>> {
        let removed = WebhookRecord { status: WebhookStatus::Inactive, secret: None, ..record(&there(stored, id)?) };
        let secrets = ["secret", "formerSecret", "formerSecretUntil"].map(|name| (name, Value::Null));
        let rest = [("status", word(&removed.status)), ("removedAt", decision.now.millis().into())];
        let props = secrets.into_iter().chain(rest).map(|(name, value)| (name.into(), value)).collect();
        let row = map([("id", id.as_str().into()), ("props", Value::Map(props))]);
        let old = json!({"name": removed.name, "url": host_of(&removed.url), "events": removed.events}).to_string();
        Ok(Amended::by(text(&removed)?, row).replacing(Some(old)).kept())
    }
}

/// A webhook that is to have a new secret.
struct Rotated {
    id: WebhookId,
    sealed: String,
    overlap: Duration,
    vault: Arc<Vault>,
}

/// Gives a webhook a new secret.
struct Rotate;

impl Amend for Rotate {
    type Row = Rotated;
    type Locked = LockedWebhook;
    type Stored = LockedWebhook;
    type Answer = Arc<str>;

    const LOCK: Reading<LockedWebhook> = statements::webhook::LOCK;
    const WRITE: WriteStatement = statements::webhook::AMEND;
    const RANK: Rank = Rank::Administration;

    fn id(rotated: &Rotated) -> &str {
        rotated.id.as_str()
    }

    fn decide(rotated: &Rotated, stored: Option<LockedWebhook>, decision: Decision<'_>) -> Result<Amended<Arc<str>>> {
        let stored = there(stored, &rotated.id)?;
        // One that no key here opens signs nothing any more: so a service whose key was lost gets out of that.
        let former = stored.secret.as_deref().filter(|former| !rotated.overlap.is_zero() && rotated.vault.open(former, &stored.id).is_ok());
        let until = decision.now.millis() + i64::try_from(rotated.overlap.as_millis()).unwrap_or_default();
        let props = vec![
            ("secret".into(), rotated.sealed.as_str().into()),
            ("secretShown".into(), false.into()),
            ("formerSecret".into(), former.into()),
            ("formerSecretUntil".into(), former.map(|_| until).into()),
        ];
        let after = WebhookRecord { secret: Some(ShownSecret(rotated.sealed.clone())), ..record(&stored) };
        Ok(Amended::by(text(&after)?, amended(&rotated.id, props, Resting::LeftAlone)).kept())
    }
}

/// A webhook whose secret a listing is to show.
struct Listed {
    id: WebhookId,
    vault: Arc<Vault>,
}

/// Shows a webhook's secret to one listing.
struct Show;

impl Amend for Show {
    type Row = Listed;
    type Locked = LockedWebhook;
    type Stored = LockedWebhook;
    type Answer = Option<WebhookSecret>;

    const LOCK: Reading<LockedWebhook> = statements::webhook::LOCK;
    const WRITE: WriteStatement = statements::webhook::AMEND;
    const RANK: Rank = Rank::Administration;

    fn id(listed: &Listed) -> &str {
        listed.id.as_str()
    }

    fn decide(listed: &Listed, stored: Option<LockedWebhook>, _: Decision<'_>) -> Result<Amended<Option<WebhookSecret>>> {
        let stored = there(stored, &listed.id)?;
        match stored.secret.filter(|_| !stored.secret_shown) {
            Some(sealed) => {
                let secret = listed.vault.open(&sealed, &stored.id)?;
                Ok(Amended::by(Some(secret), amended(&listed.id, vec![("secretShown".into(), true.into())], Resting::LeftAlone)))
            }
            None => Ok(Amended::nothing(None)),
        }
    }
}

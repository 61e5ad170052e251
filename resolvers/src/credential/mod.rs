//! Credentials: API keys and token clients, made, listed, revoked, and recognised ([`sign_in`]); and who acts by them.

pub(crate) mod guesses;
mod revoking;
pub(crate) mod secret;
mod sign_in;

use std::time::Duration;

use cypher::statements::rows::{CredentialRow, PrincipalRow};
use cypher::{Params, Reading, Value, map, statements};
use graph_schema::date::Timestamp;
use serde::Serialize;

pub(crate) use guesses::network;
pub use secret::can_be_key;
pub(crate) use sign_in::Recognised;

use crate::audit::AuditDraft;
use crate::policy::{Action, Permit, Subject, may};
use crate::queue::{Along, Put, Rank, Write, WriteError};
use crate::{Caller, Error, Inner, Resolvers, Result, Role, boxed};
use revoking::{Credential, REVOKE, Revoke, Revoked};
use secret::{CLIENT, KEY, hash, secret};

/// How long the end of the process waits for audit entries.
const LAST_ENTRIES: Duration = Duration::from_secs(5);

/// A new API key. Only now is it whole.
#[derive(Debug, Clone, Serialize)]
pub struct CreatedKey {
    pub id: String,
    pub key: String,
    pub role: Role,
}

/// A new token client. Only now is its secret known.
#[derive(Debug, Clone, Serialize)]
pub struct CreatedClient {
    pub client_id: String,
    pub client_secret: String,
    pub role: Role,
}

/// How a store stands to the administrator's key that the settings give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstKey {
    /// None is given, and this one was made: it is shown now or never.
    Made(String),
    /// It opens the store, or none is given to a store that has keys.
    Known,
    /// The store has keys, and this is none of them that is good.
    Unknown,
    /// It is one, and no administrator's.
    OfAnotherRole,
}

/// A credential as it is listed: without its secret.
#[derive(Debug, Clone, Serialize)]
pub struct CredentialEntry {
    pub id: String,
    pub name: String,
    pub role: Role,
    pub created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// Somebody or something that acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    pub id: String,
    pub name: String,
    pub kind: PrincipalKind,
}

/// Kinds of those who act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrincipalKind {
    User,
    ApiKey,
    Client,
}

/// The caller, of whom it can be asked what the roles allow.
#[derive(Debug, Clone, Copy)]
pub struct Viewer<'c>(&'c Caller);

impl Viewer<'_> {
    /// Whether a role of the caller allows an action.
    pub fn may(self, action: Action) -> bool {
        may(self.0, action).is_ok()
    }
}

impl Resolvers {
    /// The caller.
    pub fn viewer<'c>(&self, caller: &'c Caller) -> Result<Viewer<'c>> {
        self.inner.enter(caller, Action::ReadPrincipals, Subject::Linked)?;
        Ok(Viewer(caller))
    }

    /// Who has this id; none where the service itself acted. Those who are asked for at the same time are looked up together.
    #[boxed]
    pub async fn principal(&self, caller: &Caller, id: &str) -> Result<Option<Principal>> {
        let permit = self.inner.enter(caller, Action::ReadPrincipals, Subject::Linked)?;
        let rows = self.inner.walks.rows(&permit, statements::credential::PRINCIPALS, Params::none(), id).await?;
        rows.first().map(Principal::of).transpose()
    }

    /// Makes an API key.
    #[boxed]
    pub async fn create_key(&self, caller: &Caller, role: Role, name: Option<String>) -> Result<CreatedKey> {
        let name = name.unwrap_or_else(|| format!("{role} key"));
        self.make_key(caller, role, &name, "api_key.created").await
    }

    /// Makes an administrator's key for who runs the service and can't get in any more; the audit log has it as `api_key.recovered`.
    #[boxed]
    pub async fn recover_key(&self, name: Option<String>) -> Result<CreatedKey> {
        let operator = Caller::operator("amlgraph key recover");
        self.make_key(&operator, Role::Admin, name.as_deref().unwrap_or("Recovered administrator"), "api_key.recovered").await
    }

    async fn make_key(&self, caller: &Caller, role: Role, name: &str, action: &'static str) -> Result<CreatedKey> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("ApiKey"))?;
        let inner = &self.inner;
        let (id, key) = (inner.clock.id(), secret(KEY)?);
        let entry = inner.entry(&permit, "ApiKey", &id, action);
        inner.queue.write(&CREATE_KEY, credential(name, role, &key, entry)).await?;
        inner.recognised.trust_key(&key);
        Ok(CreatedKey { id, key, role })
    }

    /// All API keys, newest first.
    #[boxed]
    pub async fn list_keys(&self, caller: &Caller) -> Result<Vec<CredentialEntry>> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("ApiKey"))?;
        self.inner.credentials(&permit, statements::credential::LIST_KEYS).await
    }

    /// Revokes an API key, unless no other credential of an administrator works.
    #[boxed]
    pub async fn revoke_key(&self, caller: &Caller, id: &str) -> Result<()> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::One("ApiKey", id))?;
        let entry = self.inner.entry(&permit, "ApiKey", id, "api_key.revoked");
        let revoked = self.inner.queue.write(&REVOKE, revocation(Credential::Key, id, entry)).await;
        self.inner.recognised.forget_keys();
        revoked
    }

    /// Makes a token client.
    #[boxed]
    pub async fn create_client(&self, caller: &Caller, role: Role, name: Option<String>) -> Result<CreatedClient> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("Client"))?;
        let inner = &self.inner;
        let (id, client_secret) = (inner.clock.id(), secret(CLIENT)?);
        let entry = inner.entry(&permit, "Client", &id, "client.created");
        let write = credential(&name.unwrap_or_else(|| format!("{role} client")), role, &client_secret, entry);
        inner.queue.write(&CREATE_CLIENT, write).await?;
        inner.recognised.trust_client(&id, &client_secret);
        Ok(CreatedClient { client_id: id, client_secret, role })
    }

    /// All token clients, newest first.
    #[boxed]
    pub async fn list_clients(&self, caller: &Caller) -> Result<Vec<CredentialEntry>> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("Client"))?;
        self.inner.credentials(&permit, statements::credential::LIST_CLIENTS).await
    }

    /// Revokes a token client, and with it the tokens it has, unless no other credential of an administrator works.
    #[boxed]
    pub async fn revoke_client(&self, caller: &Caller, id: &str) -> Result<()> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::One("Client", id))?;
        let entry = self.inner.entry(&permit, "Client", id, "client.revoked");
        let revoked = self.inner.queue.write(&REVOKE, revocation(Credential::Client, id, entry)).await;
        self.inner.recognised.forget_clients();
        revoked
    }

    /// On a store without keys: stores the given administrator's key, or makes one. Of two instances that start together on an empty store one
    /// makes the key. On a store with keys the given one is looked for.
    #[boxed]
    pub async fn first_key(&self, given: Option<&str>) -> Result<FirstKey> {
        let inner = &self.inner;
        let rows = inner.read(&Permit::of_service(), statements::credential::COUNT_KEYS, Params::none()).await?;
        if statements::credential::COUNT_KEYS.first(rows)?.total > 0 {
            return self.given_key(given).await;
        }
        let key = match given {
            Some(key) => key.to_owned(),
            None => secret(KEY)?,
        };
        let caller = Caller::system("system", Role::Admin, inner.clock.id().into());
        let permit = inner.enter(&caller, Action::Administer, Subject::List("ApiKey"))?;
        let entry = inner.entry(&permit, "ApiKey", FIRST_ADMINISTRATOR, "api_key.created");
        let write = credential("First administrator", Role::Admin, &key, entry);
        match inner.queue.write_along(&CREATE_KEY, write, Along::default()).await {
            Ok(()) if given.is_none() => Ok(FirstKey::Made(key)),
            Ok(()) => Ok(FirstKey::Known),
            // The id is the same for everyone who tries, and taken: another instance was quicker.
            Err(WriteError::Database(cypher::Error::Constraint { .. })) => self.given_key(given).await,
            Err(error) => Err(error.into()),
        }
    }

    async fn given_key(&self, given: Option<&str>) -> Result<FirstKey> {
        let Some(key) = given else { return Ok(FirstKey::Known) };
        Ok(match self.inner.find_key(&hash(key)).await? {
            Some(found) if found.roles.contain(Role::Admin) => FirstKey::Known,
            Some(_) => FirstKey::OfAnotherRole,
            None => FirstKey::Unknown,
        })
    }

    /// Waits until what is being written is written.
    #[boxed]
    pub async fn close(&self) {
        self.inner.queue.idle().await;
        // Where the database is away they can't be written: the process is to end all the same.
        if tokio::time::timeout(LAST_ENTRIES, self.inner.gatherer.idle()).await.is_err() {
            tracing::error!("the last audit entries could not be written");
        }
        if let Some(cache) = &self.inner.cache {
            cache.close().await;
        }
    }
}

impl Principal {
    fn of(PrincipalRow { id, name, kind }: &PrincipalRow) -> Result<Self> {
        let kind = match kind.as_str() {
            "USER" => PrincipalKind::User,
            "API_KEY" => PrincipalKind::ApiKey,
            "CLIENT" => PrincipalKind::Client,
            other => return Err(Error::Internal(format!("a principal of the kind {other}"))),
        };
        Ok(Self { id: id.clone(), name: name.clone(), kind })
    }
}

impl Inner {
    async fn credentials(&self, permit: &Permit<'_>, reading: Reading<CredentialRow>) -> Result<Vec<CredentialEntry>> {
        let rows = self.read(permit, reading, Params::none()).await?;
        let entry = |row: CredentialRow| {
            Ok(CredentialEntry {
                id: row.id,
                name: row.name,
                role: role_of(&row.role)?,
                created_at: Timestamp(row.created_at),
                revoked_at: row.revoked_at.map(Timestamp),
            })
        };
        rows.into_iter().map(entry).collect()
    }
}

/// The first key's id, on every store.
const FIRST_ADMINISTRATOR: &str = "first-administrator";

static CREATE_KEY: Put = Put::of(statements::credential::CREATE_KEY, Rank::Administration);
static CREATE_CLIENT: Put = Put::of(statements::credential::CREATE_CLIENT, Rank::Administration);

fn credential(name: &str, role: Role, secret: &str, entry: AuditDraft) -> Write<Value> {
    let row = map([
        ("id", entry.object_id().into()),
        ("name", name.into()),
        ("role", role.to_string().into()),
        ("hash", hash(secret).into()),
        ("createdAt", entry.at().millis().into()),
    ]);
    Write::new(row, entry)
}

fn revocation(credential: Credential, id: &str, entry: AuditDraft) -> Write<Revoked> {
    Revoke::in_turn(Write::new(Revoked { credential, id: id.to_owned() }, entry))
}

fn role_of(stored: &str) -> Result<Role> {
    stored.parse().map_err(|error| Error::Internal(format!("a stored credential's role {error}")))
}

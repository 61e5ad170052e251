//! Credentials: API keys and token clients, made, listed, revoked, and recognised.
//!
//! A secret is long and random, so that a plain SHA-256 of it is enough to keep (a slow hash protects short ones). A key, or the client a
//! token was issued to, is trusted for [`TRUSTED`] before the store is asked again: a revocation counts at once on the instance that does
//! it, and that much later on others.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use cypher::statements::rows::{CredentialRow, LockedCredential};
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use moka::future::Cache;
use serde::Serialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::audit::AuditDraft;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Along, Amend, Amended, Amending, Decision, Put, Rank, Write, WriteError};
use crate::token::{IssuedToken, TokenSubject};
use crate::{Caller, CredentialType, Error, Identified, Inner, ObjectKind, Origin, Resolvers, Result, Role, TokenFault, Unrecognised};

/// How long the end of the process waits for audit entries.
const LAST_ENTRIES: Duration = Duration::from_secs(5);

/// How long a recognised key or client is not looked up again.
const TRUSTED: Duration = Duration::from_millis(20);

/// Who was looked up a moment ago; nobody, where the store knows of none.
pub(crate) struct Recognised {
    /// By the key's hash.
    keys: Cache<String, Option<Identified>>,
    /// By the client's id.
    clients: Cache<String, Option<Identified>>,
}

impl Default for Recognised {
    fn default() -> Self {
        let cache = || Cache::builder().max_capacity(10_000).time_to_live(TRUSTED).build();
        Self { keys: cache(), clients: cache() }
    }
}

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

impl Resolvers {
    /// Whose key this is. Unauthenticated when it is nobody's or was revoked.
    pub async fn authenticate_key(&self, key: &str) -> Result<Identified> {
        let inner = &self.inner;
        let hash = hash(key);
        let looked_up = inner.recognised.keys.try_get_with(hash.clone(), async { inner.find_key(&hash).await }).await;
        match looked_up {
            Ok(Some(identified)) => Ok(identified),
            Ok(None) => Err(Error::Unauthenticated(Unrecognised::Key)),
            Err(error) => Err(Error::clone(&error)),
        }
    }

    /// Whose token this is: one of ours, while its client is not revoked, or one of the configured issuer's, while its user is enabled.
    pub async fn authenticate_token(&self, token: &str) -> Result<Identified> {
        let inner = &self.inner;
        let id = match inner.tokens.identify(token, inner.clock.now()).await? {
            TokenSubject::User(arrival) => return inner.arrived(arrival).await,
            TokenSubject::Client(client) => client.id,
        };
        let looked_up = inner.recognised.clients.try_get_with(id.clone(), async { inner.find_client(&id).await }).await;
        match looked_up {
            Ok(Some(identified)) => Ok(identified),
            Ok(None) => Err(Error::Unauthenticated(Unrecognised::Token(TokenFault::ClientRevoked))),
            Err(error) => Err(Error::clone(&error)),
        }
    }

    /// A short-lived token for a stored client. That it was issued or refused is noted for the audit log.
    pub async fn issue_token(&self, origin: &Origin, client_id: &str, client_secret: &str) -> Result<IssuedToken> {
        let issued = self.token_for(client_id, client_secret).await;
        match &issued {
            Ok((client, _)) => self.inner.token_issued(client, origin).await,
            Err(Error::Unauthenticated(reason)) => self.inner.refuse_stranger("token.refused", CredentialType::Secret, origin.ip, *reason),
            Err(_) => {}
        }
        issued.map(|(_, token)| token)
    }

    async fn token_for(&self, client_id: &str, client_secret: &str) -> Result<(Identified, IssuedToken)> {
        let inner = &self.inner;
        let params = Params::none().with("id", client_id);
        let rows = inner.read(&Permit::of_service(), statements::credential::FIND_CLIENT, params).await?;
        let wrong = || Error::Unauthenticated(Unrecognised::Client);
        let row = rows.into_iter().next().ok_or_else(wrong)?;
        if !bool::from(row.hash.as_bytes().ct_eq(hash(client_secret).as_bytes())) {
            return Err(wrong());
        }
        let client = Identified { id: client_id.to_owned(), name: row.name, role: role_of(&row.role)?, means: CredentialType::Secret };
        let token = inner.tokens.issue(client_id, &client.name, client.role, inner.clock.now())?;
        Ok((client, token))
    }

    /// Makes an API key.
    pub async fn create_key(&self, caller: &Caller, role: Role, name: Option<String>) -> Result<CreatedKey> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("ApiKey"))?;
        let inner = &self.inner;
        let (id, key) = (inner.clock.id(), secret("aml_")?);
        let entry = inner.entry(&permit, "ApiKey", &id, "api_key.created");
        let write = credential(&name.unwrap_or_else(|| format!("{role} key")), role, &key, entry);
        inner.queue.write(&CREATE_KEY, write).await?;
        Ok(CreatedKey { id, key, role })
    }

    /// All API keys, newest first.
    pub async fn list_keys(&self, caller: &Caller) -> Result<Vec<CredentialEntry>> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("ApiKey"))?;
        self.inner.credentials(&permit, statements::credential::LIST_KEYS).await
    }

    /// Revokes an API key.
    pub async fn revoke_key(&self, caller: &Caller, id: &str) -> Result<()> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::One("ApiKey", id))?;
        let entry = self.inner.entry(&permit, "ApiKey", id, "api_key.revoked");
        let revoked = self.inner.queue.write(&Amending::<RevokeKey>::NEW, Write::new(id.to_owned(), entry)).await;
        self.inner.recognised.keys.invalidate_all();
        revoked
    }

    /// Makes a token client.
    pub async fn create_client(&self, caller: &Caller, role: Role, name: Option<String>) -> Result<CreatedClient> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("Client"))?;
        let inner = &self.inner;
        let (id, client_secret) = (inner.clock.id(), secret("amlsec_")?);
        let entry = inner.entry(&permit, "Client", &id, "client.created");
        let write = credential(&name.unwrap_or_else(|| format!("{role} client")), role, &client_secret, entry);
        inner.queue.write(&CREATE_CLIENT, write).await?;
        Ok(CreatedClient { client_id: id, client_secret, role })
    }

    /// All token clients, newest first.
    pub async fn list_clients(&self, caller: &Caller) -> Result<Vec<CredentialEntry>> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::List("Client"))?;
        self.inner.credentials(&permit, statements::credential::LIST_CLIENTS).await
    }

    /// Revokes a token client, and with it the tokens it has.
    pub async fn revoke_client(&self, caller: &Caller, id: &str) -> Result<()> {
        let permit = self.inner.enter(caller, Action::Administer, Subject::One("Client", id))?;
        let entry = self.inner.entry(&permit, "Client", id, "client.revoked");
        let revoked = self.inner.queue.write(&Amending::<RevokeClient>::NEW, Write::new(id.to_owned(), entry)).await;
        self.inner.recognised.clients.invalidate_all();
        revoked
    }

    /// On a store without keys: stores the given administrator's key, or makes one and returns it. Of two instances that start together on
    /// an empty store one makes the key; the other returns nothing.
    pub async fn first_key(&self, given: Option<&str>) -> Result<Option<String>> {
        let inner = &self.inner;
        let rows = inner.read(&Permit::of_service(), statements::credential::COUNT_KEYS, Params::none()).await?;
        if statements::credential::COUNT_KEYS.first(rows)?.total > 0 {
            return Ok(None);
        }
        let key = match given {
            Some(key) => key.to_owned(),
            None => secret("aml_")?,
        };
        let caller = Caller::system("system", Role::Admin, inner.clock.id().into());
        let permit = inner.enter(&caller, Action::Administer, Subject::List("ApiKey"))?;
        let entry = inner.entry(&permit, "ApiKey", FIRST_ADMINISTRATOR, "api_key.created");
        let write = credential("First administrator", Role::Admin, &key, entry);
        match inner.queue.write_along(&CREATE_KEY, write, Along::default()).await {
            Ok(()) => Ok(given.is_none().then_some(key)),
            // The id is the same for everyone who tries, and taken: another instance was quicker.
            Err(WriteError::Database(cypher::Error::Constraint { .. })) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until what is being written is written.
    pub async fn close(&self) {
        self.inner.queue.idle().await;
        // Where the database is away they can't be written: the process is to end all the same.
        if tokio::time::timeout(LAST_ENTRIES, self.inner.gatherer.idle()).await.is_err() {
            tracing::error!("the last audit entries could not be written");
        }
    }
}

impl Inner {
    async fn find_key(&self, hash: &str) -> Result<Option<Identified>> {
        let params = Params::none().with("hash", hash);
        let rows = self.read(&Permit::of_service(), statements::credential::FIND_KEY, params).await?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        Ok(Some(Identified { id: row.id, name: row.name, role: role_of(&row.role)?, means: CredentialType::ApiKey }))
    }

    async fn find_client(&self, id: &str) -> Result<Option<Identified>> {
        let rows = self.read(&Permit::of_service(), statements::credential::FIND_CLIENT, Params::none().with("id", id)).await?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        Ok(Some(Identified { id: row.id, name: row.name, role: role_of(&row.role)?, means: CredentialType::Token }))
    }

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

static CREATE_KEY: Put = Put { statement: statements::credential::CREATE_KEY, rank: Rank::Administration };
static CREATE_CLIENT: Put = Put { statement: statements::credential::CREATE_CLIENT, rank: Rank::Administration };

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

/// Revokes an API key.
struct RevokeKey;

/// Revokes a token client.
struct RevokeClient;

fn revoke(id: &str, stored: Option<LockedCredential>, decision: Decision<'_>, kind: ObjectKind) -> Result<Amended<()>> {
    match stored {
        Some(LockedCredential { revoked_at: None, .. }) => Ok(Amended::by((), map([("id", id.into()), ("at", decision.now.millis().into())]))),
        _ => Err(Error::not_found(kind, id)),
    }
}

impl Amend for RevokeKey {
    type Row = String;
    type Locked = LockedCredential;
    type Stored = LockedCredential;
    type Answer = ();

    const LOCK: Reading<LockedCredential> = statements::credential::LOCK_KEY;
    const WRITE: WriteStatement = statements::credential::REVOKE_KEY;
    const RANK: Rank = Rank::Administration;

    fn id(id: &String) -> &str {
        id
    }

    fn decide(id: &String, stored: Option<LockedCredential>, decision: Decision<'_>) -> Result<Amended<()>> {
        revoke(id, stored, decision, ObjectKind::ApiKey)
    }
}

impl Amend for RevokeClient {
    type Row = String;
    type Locked = LockedCredential;
    type Stored = LockedCredential;
    type Answer = ();

    const LOCK: Reading<LockedCredential> = statements::credential::LOCK_CLIENT;
    const WRITE: WriteStatement = statements::credential::REVOKE_CLIENT;
    const RANK: Rank = Rank::Administration;

    fn id(id: &String) -> &str {
        id
    }

    fn decide(id: &String, stored: Option<LockedCredential>, decision: Decision<'_>) -> Result<Amended<()>> {
        revoke(id, stored, decision, ObjectKind::Client)
    }
}

fn role_of(stored: &str) -> Result<Role> {
    stored.parse().map_err(|error| Error::Internal(format!("a stored credential's role {error}")))
}

/// 32 random bytes of the operating system, as text.
fn secret(prefix: &str) -> Result<String> {
    use rand::TryRngCore;
    let mut bytes = [0u8; 32];
    rand::rngs::OsRng.try_fill_bytes(&mut bytes).map_err(|error| Error::Internal(format!("no randomness: {error}")))?;
    Ok(format!("{prefix}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)))
}

fn hash(secret: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(secret.as_bytes()))
}

//! Whose key or token this is.
//!
//! A key, or the client a token was issued to, is trusted for [`TRUSTED`] before the store is asked again: a revocation counts at once on the
//! instance that does it, and that much later on others.
//!
//! Callers must notice nothing of those who guess. So what is nonsense is refused without a look at the store, an address that has sent too much of it is
//! told to wait ([`super::guesses`]), and what was never good in this process is looked up a few at a time, whatever comes.

use std::net::IpAddr;
use std::time::Duration;

use cypher::{Params, statements};
use moka::future::Cache;
use subtle::ConstantTimeEq;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::guesses::{Guesses, Try};
use super::role_of;
use super::secret::{CLIENT, KEY, hash, is_nonsense};
use crate::policy::Permit;
use crate::token::{IssuedToken, TokenSubject};
use crate::{CredentialType, Error, Identified, Inner, Origin, Resolvers, Result, TokenFault, Unrecognised, boxed};

/// How long a recognised key or client is not looked up again.
const TRUSTED: Duration = Duration::from_millis(20);
/// How long it is known that a credential was good once. It is looked up all the same, as those of callers are.
const KNOWN: Duration = Duration::from_secs(24 * 60 * 60);
const MOST: u64 = 10_000;
/// So many that were never good are looked up at once ...
const STRANGERS: usize = 2;
/// ... and for so long they wait for that.
const PATIENCE: Duration = Duration::from_secs(2);

/// Who was looked up a moment ago; nobody, where the store knows of none.
pub(crate) struct Recognised {
    /// By the key's hash.
    keys: Cache<String, Option<Identified>>,
    /// By the client's id.
    clients: Cache<String, Option<Identified>>,
    /// Hashes of keys, and of ids of clients with their secrets, that were good within the last day.
    good: moka::sync::Cache<String, ()>,
    strangers: Semaphore,
    guesses: Guesses,
}

impl Recognised {
    /// An address may send so many wrong credentials a minute.
    pub fn new(guesses: u32) -> Self {
        let cache = || Cache::builder().max_capacity(MOST).time_to_live(TRUSTED).build();
        let good = moka::sync::Cache::builder().max_capacity(MOST).time_to_idle(KNOWN).build();
        Self { keys: cache(), clients: cache(), good, strangers: Semaphore::new(STRANGERS), guesses: Guesses::new(guesses) }
    }

    /// Keys are looked up again.
    pub fn forget_keys(&self) {
        self.keys.invalidate_all();
    }

    /// Clients are looked up again.
    pub fn forget_clients(&self) {
        self.clients.invalidate_all();
    }

    /// A key was made here, and is good.
    pub fn trust_key(&self, key: &str) {
        self.good.insert(hash(key), ());
    }

    /// A client was made here, and is good.
    pub fn trust_client(&self, id: &str, secret: &str) {
        self.good.insert(pair(id, secret), ());
    }

    fn take_try(&self, ip: Option<IpAddr>) -> Result<Try> {
        self.guesses.take(ip).map_err(|retry_after| Error::TooManyGuesses { retry_after })
    }

    /// Refuses a wrong credential; it counts.
    fn refuse<T>(&self, ip: Option<IpAddr>, reason: Unrecognised) -> Result<T> {
        self.take_try(ip)?.count();
        Err(Error::Unauthenticated(reason))
    }

    /// A place among those who are looked up although they were never good; who was needs none. Their address must have a try left, which nobody else
    /// takes meanwhile.
    async fn enter(&self, known_by: &str, ip: Option<IpAddr>) -> Result<Option<(Try, SemaphorePermit<'_>)>> {
        if self.good.contains_key(known_by) {
            return Ok(None);
        }
        let busy = || Error::Unavailable { retry_after: Duration::from_secs(1) };
        let taken = self.take_try(ip)?;
        let place = tokio::time::timeout(PATIENCE, self.strangers.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
        Ok(Some((taken, place)))
    }
}

impl Resolvers {
    /// Whose key this is, which came from this address. Unauthenticated when it is nobody's or was revoked.
    #[boxed]
    pub async fn authenticate_key(&self, key: &str, ip: Option<IpAddr>) -> Result<Identified> {
        let (inner, recognised) = (&self.inner, &self.inner.recognised);
        if is_nonsense(KEY, key) {
            return recognised.refuse(ip, Unrecognised::Key);
        }
        let hash = hash(key);
        // Who sends one key many times at once is looked up once.
        let looked_up = recognised.keys.try_get_with_by_ref(&hash, inner.look_up_key(&hash, ip)).await;
        match looked_up {
            Ok(Some(identified)) => {
                if !recognised.good.contains_key(&hash) {
                    recognised.good.insert(hash, ());
                }
                Ok(identified)
            }
            Ok(None) => {
                recognised.good.invalidate(&hash);
                recognised.refuse(ip, Unrecognised::Key)
            }
            Err(error) => Err(Error::clone(&error)),
        }
    }

    /// Whose token this is: one of ours, while its client is not revoked, or one of the configured issuer's, while its user is enabled. One that
    /// was signed by neither counts as a wrong credential of the address that it came from.
    #[boxed]
    pub async fn authenticate_token(&self, token: &str, ip: Option<IpAddr>) -> Result<Identified> {
        let inner = &self.inner;
        let (id, expires_at) = match inner.tokens.identify(token, inner.clock.now()).await {
            Ok(TokenSubject::User(arrival)) => return inner.arrived(arrival).await,
            Ok(TokenSubject::Client(client)) => (client.id, client.expires_at),
            // It was good a moment ago: nobody guesses.
            Err(error @ Error::Unauthenticated(Unrecognised::Token(TokenFault::Expired))) => return Err(error),
            Err(Error::Unauthenticated(reason)) => return inner.recognised.refuse(ip, reason),
            Err(error) => return Err(error),
        };
        let looked_up = inner.recognised.clients.try_get_with_by_ref(&id, async { inner.find_client(&id).await }).await;
        match looked_up {
            Ok(Some(identified)) => Ok(Identified { expires_at, ..identified }),
            Ok(None) => Err(Error::Unauthenticated(Unrecognised::Token(TokenFault::ClientRevoked))),
            Err(error) => Err(Error::clone(&error)),
        }
    }

    /// A short-lived token for a stored client. That it was issued or refused is noted for the audit log.
    #[boxed]
    pub async fn issue_token(&self, origin: &Origin, client_id: &str, client_secret: &str) -> Result<IssuedToken> {
        let issued = self.inner.token_for(origin, client_id, client_secret).await;
        match &issued {
            Ok((client, _)) => self.inner.token_issued(client, origin).await,
            Err(error) => {
                if let Some(reason) = error.refusal_of_a_stranger() {
                    self.inner.refuse_stranger("token.refused", CredentialType::Secret, origin.ip, reason);
                }
            }
        }
        issued.map(|(_, token)| token)
    }
}

impl Inner {
    async fn token_for(&self, origin: &Origin, client_id: &str, client_secret: &str) -> Result<(Identified, IssuedToken)> {
        let recognised = &self.recognised;
        if is_nonsense(CLIENT, client_secret) {
            return recognised.refuse(origin.ip, Unrecognised::Client);
        }
        let pair = pair(client_id, client_secret);
        let _entered = recognised.enter(&pair, origin.ip).await?;
        let Some(client) = self.client_with(client_id, client_secret).await? else {
            recognised.good.invalidate(&pair);
            return recognised.refuse(origin.ip, Unrecognised::Client);
        };
        recognised.good.insert(pair, ());
        let token = self.tokens.issue(client_id, &client.name, client.roles, self.clock.now())?;
        Ok((client, token))
    }

    /// The client with this id and this secret, unless it was revoked.
    async fn client_with(&self, id: &str, secret: &str) -> Result<Option<Identified>> {
        let rows = self.read(&Permit::of_service(), statements::credential::FIND_CLIENT, Params::none().with("id", id)).await?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        if !bool::from(row.hash.as_bytes().ct_eq(hash(secret).as_bytes())) {
            return Ok(None);
        }
        identified(id.to_owned(), row.name, &row.role, CredentialType::Secret).map(Some)
    }

    /// The key with this hash, entered as a stranger's where it was never good.
    async fn look_up_key(&self, hash: &str, ip: Option<IpAddr>) -> Result<Option<Identified>> {
        let _entered = self.recognised.enter(hash, ip).await?;
        self.find_key(hash).await
    }

    /// The key with this hash, unless it was revoked.
    pub(super) async fn find_key(&self, hash: &str) -> Result<Option<Identified>> {
        let params = Params::none().with("hash", hash);
        let rows = self.read(&Permit::of_service(), statements::credential::FIND_KEY, params).await?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        identified(row.id, row.name, &row.role, CredentialType::ApiKey).map(Some)
    }

    async fn find_client(&self, id: &str) -> Result<Option<Identified>> {
        let rows = self.read(&Permit::of_service(), statements::credential::FIND_CLIENT, Params::none().with("id", id)).await?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        identified(row.id, row.name, &row.role, CredentialType::Token).map(Some)
    }
}

/// Whom a stored credential names. When a token of it expires, the token says.
fn identified(id: String, name: String, role: &str, means: CredentialType) -> Result<Identified> {
    Ok(Identified { id, name, roles: role_of(role)?.into(), means, expires_at: None, follows_groups: false, user: None })
}

/// What a client with its secret is known by here.
fn pair(id: &str, secret: &str) -> String {
    hash(&format!("{id}\n{secret}"))
}

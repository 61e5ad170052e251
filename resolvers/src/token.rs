//! Tokens (JWT, RFC 7519): short-lived ones of our own for stored clients, and those of an outside issuer when its keys' address is known.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use graph_schema::date::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use rand::RngCore;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, RwLock};

use crate::{Error, Identified, Means, Result, Role, TokenFault, Unrecognised};

/// How long a token holds, in seconds.
const LIFETIME: u64 = 15 * 60;
const ISSUER: &str = "amlgraph";
/// Whom a token must be meant for, ours and an outside issuer's.
const AUDIENCE: &str = "amlgraph";
/// Keys of the outside issuer are read again after this long, and when a token names one that is not among them (at most once a minute).
const KEYS_HOLD: Duration = Duration::from_secs(600);
const KEYS_AGAIN: Duration = Duration::from_secs(60);
/// After a failure sooner.
const KEYS_AFTER_FAILURE: Duration = Duration::from_secs(5);
/// While the issuer can't be reached its keys are trusted for so long.
const KEYS_LAST: Duration = Duration::from_secs(3_600);

/// What tokens are signed and checked with.
#[derive(Clone, Default)]
pub struct TokenSettings {
    /// Signs our own tokens. Without one each process makes its own, and its tokens are good for that process alone.
    pub secret: Option<String>,
    /// Where an outside issuer shows its public keys.
    pub jwks_url: Option<String>,
}

/// Who made a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Issuer {
    /// This service, for a stored client.
    Ours,
    /// The configured one.
    Outside,
}

/// Whom a token names, by whose word.
pub(crate) struct Named {
    pub identified: Identified,
    pub issuer: Issuer,
}

/// A token and how many seconds it holds.
#[derive(Debug, Clone)]
pub struct IssuedToken {
    pub access_token: String,
    pub expires_in: u64,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: Option<String>,
    sub: String,
    aud: String,
    exp: u64,
    iat: Option<u64>,
    name: Option<String>,
    role: Role,
}

/// Issues and checks tokens.
pub(crate) struct Tokens {
    secret: Vec<u8>,
    outside: Option<Arc<Outside>>,
}

struct Outside {
    url: String,
    client: reqwest::Client,
    keys: RwLock<Keys>,
    /// When the keys were last read, or tried to be; held while they are.
    last_try: Mutex<Option<(Instant, Result<()>)>>,
}

#[derive(Default)]
struct Keys {
    by_id: HashMap<String, Arc<(DecodingKey, Algorithm)>>,
    read_at: Option<Instant>,
}

impl Tokens {
    pub fn new(settings: TokenSettings) -> Self {
        let secret = settings.secret.map_or_else(random_secret, String::into_bytes);
        let outside = settings.jwks_url.map(|url| {
            let client = reqwest::Client::builder().timeout(Duration::from_secs(5)).build().unwrap_or_default();
            Arc::new(Outside { url, client, keys: RwLock::default(), last_try: Mutex::default() })
        });
        Self { secret, outside }
    }

    /// A token for a client.
    pub fn issue(&self, id: &str, name: &str, role: Role, now: Timestamp) -> Result<IssuedToken> {
        let now = u64::try_from(now.millis() / 1000).unwrap_or_default();
        let claims = Claims {
            iss: Some(ISSUER.to_owned()),
            sub: id.to_owned(),
            aud: AUDIENCE.to_owned(),
            exp: now + LIFETIME,
            iat: Some(now),
            name: Some(name.to_owned()),
            role,
        };
        let access_token = encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(&self.secret))
            .map_err(|error| Error::Internal(format!("signing a token: {error}")))?;
        Ok(IssuedToken { access_token, expires_in: LIFETIME })
    }

    /// Whom a token names.
    pub async fn identify(&self, token: &str, now: Timestamp) -> Result<Named> {
        let header = decode_header(token).map_err(|_| refused(TokenFault::Malformed))?;
        let (claims, issuer) = if header.alg == Algorithm::HS256 {
            let mut validation = validation(Algorithm::HS256);
            validation.set_issuer(&[ISSUER]);
            (decode::<Claims>(token, &DecodingKey::from_secret(&self.secret), &validation), Issuer::Ours)
        } else {
            let outside = self.outside.as_ref().ok_or_else(|| refused(TokenFault::UnknownIssuer))?;
            let key = outside.key(header.kid.as_deref().unwrap_or_default()).await?;
            (decode::<Claims>(token, &key.0, &validation(key.1)), Issuer::Outside)
        };
        let claims = claims.map_err(|_| refused(TokenFault::NotValid))?.claims;
        if claims.exp <= u64::try_from(now.millis() / 1000).unwrap_or_default() {
            return Err(refused(TokenFault::Expired));
        }
        let name = claims.name.unwrap_or_else(|| claims.sub.clone());
        Ok(Named { identified: Identified { id: claims.sub, name, role: claims.role, means: Means::Token }, issuer })
    }
}

impl Outside {
    /// The issuer's key of this id. One that is held is taken while newer ones are read, or can't be.
    async fn key(self: &Arc<Self>, id: &str) -> Result<Arc<(DecodingKey, Algorithm)>> {
        let (held, is_fresh) = {
            let keys = self.keys.read().await;
            let age = keys.read_at.map(|at| at.elapsed());
            let held = keys.by_id.get(id).filter(|_| age.is_some_and(|age| age < KEYS_LAST)).map(Arc::clone);
            (held, age.is_some_and(|age| age < KEYS_HOLD))
        };
        match held {
            Some(key) if is_fresh => Ok(key),
            Some(key) => {
                let outside = Arc::clone(self);
                tokio::spawn(async move { outside.refresh().await });
                Ok(key)
            }
            None => {
                self.refresh().await?;
                self.keys.read().await.by_id.get(id).map(Arc::clone).ok_or_else(|| refused(TokenFault::UnknownKey))
            }
        }
    }

    /// Reads the keys again, unless that was done, or tried in vain, a moment ago. One does it for all who wait.
    async fn refresh(&self) -> Result<()> {
        let mut last = self.last_try.lock().await;
        match &*last {
            Some((at, Ok(()))) if at.elapsed() < KEYS_AGAIN => return Ok(()),
            Some((at, Err(error))) if at.elapsed() < KEYS_AFTER_FAILURE => return Err(error.clone()),
            _ => {}
        }
        let outcome = self.read_keys().await;
        let outcome = match outcome {
            Ok(by_id) => {
                *self.keys.write().await = Keys { by_id, read_at: Some(Instant::now()) };
                Ok(())
            }
            Err(error) => Err(error),
        };
        *last = Some((Instant::now(), outcome.clone()));
        outcome
    }

    async fn read_keys(&self) -> Result<HashMap<String, Arc<(DecodingKey, Algorithm)>>> {
        let unavailable = |error: reqwest::Error| {
            tracing::warn!(error = %error.without_url(), "the token issuer's keys can't be read");
            Error::Unavailable { retry_after: Duration::from_secs(5) }
        };
        let answer = self.client.get(&self.url).send().await.map_err(unavailable)?;
        let set: JwkSet = answer.error_for_status().map_err(unavailable)?.json().await.map_err(unavailable)?;
        Ok(set.keys.iter().filter_map(usable).collect())
    }
}

/// A key that signs asymmetrically, under its id.
fn usable(key: &jsonwebtoken::jwk::Jwk) -> Option<(String, Arc<(DecodingKey, Algorithm)>)> {
    let algorithm: Algorithm = key.common.key_algorithm?.to_string().parse().ok()?;
    if matches!(algorithm, Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512) {
        return None;
    }
    Some((key.common.key_id.clone()?, Arc::new((DecodingKey::from_jwk(key).ok()?, algorithm))))
}

fn validation(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["exp", "aud", "sub"]);
    validation
}

fn refused(fault: TokenFault) -> Error {
    Error::Unauthenticated(Unrecognised::Token(fault))
}

fn random_secret() -> Vec<u8> {
    let mut secret = vec![0u8; 32];
    rand::rng().fill_bytes(&mut secret);
    secret
}

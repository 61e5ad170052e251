//! Tokens (JWT, RFC 7519): short-lived ones of our own for stored clients, and those of an outside issuer when its keys' address is known.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use graph_schema::date::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use rand::RngCore;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tokio::sync::{Mutex, RwLock};

use crate::user::{Arrival, RolesOfGroups};
use crate::{CredentialType, Error, Identified, Result, Roles, TokenFault, Unrecognised};

/// How long a token holds, in seconds.
const LIFETIME: u64 = 15 * 60;
const ISSUER: &str = "amlgraph";
/// Whom our own tokens are meant for.
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
    /// Whose tokens are taken besides.
    pub outside: Option<OutsideIssuer>,
    /// What the groups of its users are here.
    pub groups: RolesOfGroups,
}

/// An issuer elsewhere that is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideIssuer {
    /// Where it shows its public keys.
    pub jwks_url: String,
    /// What its tokens say they are issued by (`iss`).
    pub issuer: String,
    /// What its tokens for this service say they are meant for (`aud`).
    pub audience: String,
}

/// Whom a token names, by whose word.
pub(crate) enum TokenSubject {
    /// A stored client, by ours.
    Client(Identified),
    /// Somebody, by that of the issuer elsewhere.
    User(Arrival),
}

/// A token and how many seconds it holds.
#[derive(Debug, Clone)]
pub struct IssuedToken {
    pub access_token: String,
    pub expires_in: u64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Claims {
    iss: Option<String>,
    sub: String,
    aud: String,
    exp: u64,
    iat: Option<u64>,
    name: Option<String>,
    role: Roles,
}

/// What a token of the issuer elsewhere says. What is not as it usually is (OpenID Connect Core, section 5.1) was not said.
#[derive(Clone, Deserialize)]
struct OutsideClaims {
    sub: String,
    exp: f64,
    #[serde(flatten)]
    more: serde_json::Map<String, Json>,
}

impl OutsideClaims {
    fn text(&self, name: &str) -> Option<String> {
        self.more.get(name)?.as_str().map(str::to_owned)
    }

    fn arrival(self, issuer: &str) -> Arrival {
        let groups = self.more.get("groups").and_then(Json::as_array);
        Arrival {
            issuer: issuer.to_owned(),
            username: self.text("preferred_username"),
            first_name: self.text("given_name"),
            last_name: self.text("family_name"),
            role: self.text("role").and_then(|role| role.parse().ok()),
            groups: groups.map(|groups| groups.iter().filter_map(Json::as_str).map(str::to_owned).collect()),
            expires_at: expiry(self.exp),
            subject: self.sub,
        }
    }
}

/// Issues and checks tokens.
pub(crate) struct Tokens {
    secret: Vec<u8>,
    outside: Option<Arc<Outside>>,
}

struct Outside {
    settings: OutsideIssuer,
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
        let outside = settings.outside.map(|settings| {
            // A redirect must not lead to where somebody on the way can put in keys of his own.
            let is_secure = settings.jwks_url.starts_with("https:");
            let client = reqwest::Client::builder().timeout(Duration::from_secs(5)).https_only(is_secure).build().unwrap_or_default();
            Arc::new(Outside { settings, client, keys: RwLock::default(), last_try: Mutex::default() })
        });
        Self { secret, outside }
    }

    /// The issuer elsewhere, if one is trusted.
    pub fn issuer(&self) -> Option<&str> {
        self.outside.as_ref().map(|outside| outside.settings.issuer.as_str())
    }

    /// A token for a client.
    pub fn issue(&self, id: &str, name: &str, roles: Roles, now: Timestamp) -> Result<IssuedToken> {
        let now = u64::try_from(now.millis() / 1000).unwrap_or_default();
        let claims = Claims {
            iss: Some(ISSUER.to_owned()),
            sub: id.to_owned(),
            aud: AUDIENCE.to_owned(),
            exp: now + LIFETIME,
            iat: Some(now),
            name: Some(name.to_owned()),
            role: roles,
        };
        let access_token = encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(&self.secret))
            .map_err(|error| Error::Internal(format!("signing a token: {error}")))?;
        Ok(IssuedToken { access_token, expires_in: LIFETIME })
    }

    /// Whom a token names.
    pub async fn identify(&self, token: &str, now: Timestamp) -> Result<TokenSubject> {
        let header = decode_header(token).map_err(|_| refused(TokenFault::Malformed))?;
        if header.alg == Algorithm::HS256 {
            let claims = claims::<Claims>(token, &DecodingKey::from_secret(&self.secret), &validation(Algorithm::HS256, ISSUER, AUDIENCE))?;
            not_expired(claims.exp as f64, now)?;
            let name = claims.name.unwrap_or_else(|| claims.sub.clone());
            let (id, roles, expires_at) = (claims.sub, claims.role, expiry(claims.exp as f64));
            return Ok(TokenSubject::Client(Identified {
                id,
                name,
                roles,
                means: CredentialType::Token,
                expires_at,
                follows_groups: false,
                user: None,
            }));
        }
        let outside = self.outside.as_ref().ok_or_else(|| refused(TokenFault::UnknownIssuer))?;
        let key = outside.key(header.kid.as_deref().unwrap_or_default()).await?;
        let OutsideIssuer { issuer, audience, .. } = &outside.settings;
        let claims = claims::<OutsideClaims>(token, &key.0, &validation(key.1, issuer, audience))?;
        not_expired(claims.exp, now)?;
        match claims.sub.trim() {
            "" => Err(refused(TokenFault::NotValid)),
            _ => Ok(TokenSubject::User(claims.arrival(issuer))),
        }
    }
}

fn claims<C: DeserializeOwned + Clone>(token: &str, key: &DecodingKey, validation: &Validation) -> Result<C> {
    decode::<C>(token, key, validation).map(|token| token.claims).map_err(|_| refused(TokenFault::NotValid))
}

/// The time of `exp`, which is in seconds; nothing of what no clock comes to.
fn expiry(seconds: f64) -> Option<Timestamp> {
    let millis = seconds * 1000.0;
    (millis < i64::MAX as f64).then_some(Timestamp(millis as i64))
}

fn not_expired(at: f64, now: Timestamp) -> Result<()> {
    if at * 1000.0 <= now.millis() as f64 { Err(refused(TokenFault::Expired)) } else { Ok(()) }
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
        let answer = self.client.get(&self.settings.jwks_url).send().await.map_err(unavailable)?;
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

fn validation(algorithm: Algorithm, issuer: &str, audience: &str) -> Validation {
    let mut validation = Validation::new(algorithm);
    // It is looked at by our own clock, so that one that was good is told from one that never was.
    validation.validate_exp = false;
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[audience]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
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

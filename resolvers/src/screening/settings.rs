//! Which providers screen payments and actors, and how.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ::screening::Scoring;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use graph_schema::screening::ScreeningOperation;

use crate::Reach;
use crate::detection::CasesBy;

/// How payments and actors are screened.
#[derive(Debug, Clone)]
pub struct ScreeningSettings {
    /// In the order in which their results are told.
    pub providers: Vec<ProviderSettings>,
    /// How long a blocking screening may take.
    pub timeout: Duration,
    /// What becomes of hits, besides observations.
    pub cases: CasesBy,
    /// For what payments are screened that come in bulk, or are imported.
    pub bulk: Vec<ScreeningOperation>,
    /// For what actors are screened that come or change.
    pub actors: Vec<ScreeningOperation>,
    /// How long a match stays cleared at the most, and where nobody says how long.
    pub clear_for: Duration,
    /// Where HTTP providers may be.
    pub reach: Reach,
    /// Bytes that the index over watchlists may take.
    pub memory: usize,
    /// How names are compared with those of watchlists.
    pub scoring: Scoring,
}

impl Default for ScreeningSettings {
    fn default() -> Self {
        Self {
            providers: Vec::new(),
            timeout: Duration::from_secs(1),
            cases: CasesBy::default(),
            bulk: Vec::new(),
            actors: Vec::new(),
            clear_for: Duration::from_secs(365 * 24 * 60 * 60),
            reach: Reach::default(),
            memory: 1 << 30,
            scoring: Scoring::default(),
        }
    }
}

/// One provider for one operation.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    pub operation: ScreeningOperation,
    /// As answers name it.
    pub name: String,
    pub kind: ProviderKind,
}

/// What a provider is.
#[derive(Debug, Clone)]
pub enum ProviderKind {
    /// The watchlists in the store.
    Watchlists,
    /// Detection's kernels, over what is stored of the payment's account.
    Kernels,
    /// A service of somebody else.
    Http { url: String, secret: ProviderSecret, timeout: Duration },
}

/// What requests to a provider are signed by.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderSecret(Arc<str>);

impl ProviderSecret {
    /// Bytes that a secret has at least and at most, as Standard Webhooks says.
    const BYTES: std::ops::RangeInclusive<usize> = 24..=64;

    /// Reads base64, with or without `whsec_` before it; the error never repeats the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let bytes = BASE64_STANDARD.decode(text.strip_prefix("whsec_").unwrap_or(text));
        match bytes {
            Ok(bytes) if Self::BYTES.contains(&bytes.len()) => Ok(Self(Arc::from(text))),
            _ => Err("must be the base64 of 24 to 64 random bytes, such as `openssl rand -base64 32` makes".to_owned()),
        }
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ProviderSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

//! Webhooks: who is told of events, and what is to be seen of that.

mod secret;

use std::time::Duration;

pub use secret::{Vault, VaultKey, WebhookSecret};

use crate::{Error, Inner, Result};

/// How webhooks are kept and delivered to.
#[derive(Debug, Clone)]
pub struct WebhookSettings {
    /// By what their secrets are sealed. Without one no webhook can be made.
    pub key: Option<VaultKey>,
    /// Whether they may lead to private and loopback addresses, and be `http`.
    pub allow_private: bool,
    /// How long is waited between one attempt and the next; after the last of them a delivery has failed.
    pub retry_schedule: Vec<Duration>,
    /// How long an attempt may take.
    pub timeout: Duration,
    /// How long is kept what was delivered, and what was not.
    pub keep_for: Duration,
}

impl Default for WebhookSettings {
    fn default() -> Self {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        let waits = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
        Self {
            key: None,
            allow_private: false,
            retry_schedule: waits.map(Duration::from_secs).into(),
            timeout: Duration::from_secs(15),
            keep_for: Duration::from_secs(30 * 24 * HOUR),
        }
    }
}

impl Inner {
    /// What seals secrets; refused where the settings have no key for it.
    pub(crate) fn vault(&self) -> Result<&Vault> {
        self.vault.as_ref().ok_or_else(|| Error::Misconfigured(NO_KEY.to_owned()))
    }
}

const NO_KEY: &str = "the secrets of webhooks can't be kept: there is no key to seal them by; who runs the service sets AMLGRAPH_WEBHOOKS__KEY to the \
     base64 of 32 random bytes, the same on all instances";

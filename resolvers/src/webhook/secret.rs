//! The secrets of webhooks, and how they are kept: sealed (AES-256-GCM) by a key that is not in the graph.
//!
//! A sealed secret says by which key it was sealed, so that another key is told apart from a text that somebody has changed, and it is bound to its
//! webhook: copied to another, it opens no more.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// How a sealed secret is written: `v1.<id of the key>.<base64 of nonce, sealed bytes and tag>`.
const VERSION: &str = "v1";
/// What every secret begins with, as Standard Webhooks has it.
const PREFIX: &str = "whsec_";
/// Bytes of a secret, and of the key that seals.
const BYTES: usize = 32;
const NONCE_BYTES: usize = 12;

/// What a webhook's deliveries are signed with: 32 random bytes, shown as `whsec_` and their base64.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret([u8; BYTES]);

impl WebhookSecret {
    /// A new one, of the operating system's randomness.
    pub fn random() -> Result<Self> {
        random_bytes().map(Self)
    }

    /// As receivers know it.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(self.bytes()))
    }

    /// What signs.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

/// What secrets are sealed by: 32 bytes, which the settings give, or a file beside the embedded store.
#[derive(Clone, PartialEq, Eq)]
pub struct VaultKey([u8; BYTES]);

impl VaultKey {
    /// Reads the base64 of 32 bytes; the error never repeats the text.
    pub fn parse(text: &str) -> std::result::Result<Self, &'static str> {
        let problem = "must be the base64 of 32 random bytes, such as `head -c 32 /dev/urandom | base64` makes";
        let bytes = BASE64_STANDARD.decode(text.trim()).map_err(|_| problem)?;
        bytes.try_into().map(Self).map_err(|_| problem)
    }

    /// A new one, of the operating system's randomness.
    pub fn random() -> Result<Self> {
        random_bytes().map(Self)
    }

    /// As [`VaultKey::parse`] reads it.
    pub fn reveal(&self) -> String {
        BASE64_STANDARD.encode(self.0)
    }

    /// Tells keys apart, and nothing else of them.
    fn id(&self) -> String {
        let digest = Sha256::new().chain_update(b"amlgraph webhooks key id\0").chain_update(self.0).finalize();
        digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for VaultKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

/// Seals secrets and opens them.
pub struct Vault {
    key: RandomizedNonceKey,
    key_id: String,
}

impl Vault {
    pub fn new(key: &VaultKey) -> Self {
        // It fails on a key of another length, which this is not.
        let sealing = RandomizedNonceKey::new(&AES_256_GCM, &key.0).unwrap_or_else(|_| unreachable!("a key of 32 bytes is one of AES-256"));
        Self { key: sealing, key_id: key.id() }
    }

    /// The secret as the graph keeps it, for this webhook and no other.
    pub fn seal(&self, secret: &WebhookSecret, webhook_id: &str) -> Result<String> {
        let mut sealed = secret.0.to_vec();
        let nonce = self.key.seal_in_place_append_tag(Aad::from(webhook_id.as_bytes()), &mut sealed);
        let nonce = nonce.map_err(|_| Error::Internal("a webhook's secret could not be sealed".to_owned()))?;
        let bytes: Vec<u8> = nonce.as_ref().iter().copied().chain(sealed).collect();
        Ok(format!("{VERSION}.{}.{}", self.key_id, BASE64_STANDARD.encode(bytes)))
    }

    /// The secret that was sealed for this webhook.
    pub fn open(&self, sealed: &str, webhook_id: &str) -> Result<WebhookSecret> {
        let damaged = || Error::Internal("the sealed secret of a webhook is damaged".to_owned());
        let mut parts = sealed.splitn(3, '.');
        let (Some(VERSION), Some(key_id), Some(text)) = (parts.next(), parts.next(), parts.next()) else { return Err(damaged()) };
        if key_id != self.key_id {
            let held = &self.key_id;
            let why = format!("the secret of a webhook was sealed by another key ({key_id}) than AMLGRAPH_WEBHOOKS__KEY has now ({held})");
            return Err(Error::Misconfigured(why));
        }
        let mut bytes = BASE64_STANDARD.decode(text).map_err(|_| damaged())?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_BYTES).ok_or_else(damaged)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| damaged())?;
        let opened = self.key.open_in_place(nonce, Aad::from(webhook_id.as_bytes()), sealed).map_err(|_| damaged())?;
        <[u8; BYTES]>::try_from(&*opened).map(WebhookSecret).map_err(|_| damaged())
    }
}

fn random_bytes() -> Result<[u8; BYTES]> {
    use rand::TryRngCore;
    let mut bytes = [0; BYTES];
    rand::rngs::OsRng.try_fill_bytes(&mut bytes).map_err(|error| Error::Internal(format!("no randomness: {error}")))?;
    Ok(bytes)
}

//! The secrets of keys and clients: how they are made, told from nonsense, and kept.
//!
//! One that is issued here ends with a checksum of itself, so that most of what is no secret is refused without a look at the store. It makes nothing
//! harder to guess, as anyone can work it out. Those of before have none, nor has a key that an operator has chosen; they are looked for.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// How API keys begin.
pub const KEY: &str = "aml_";
/// How the secrets of clients begin.
pub const CLIENT: &str = "amlsec_";
/// So many characters are 32 random bytes.
pub const RANDOM: usize = 43;
/// So many of the checksum end a secret.
pub const CHECKED: usize = 6;
/// No key was ever shorter.
const SHORTEST: usize = 16;

/// 32 random bytes of the operating system, as text, with their checksum.
pub fn secret(prefix: &str) -> Result<String> {
    use rand::TryRngCore;
    let mut bytes = [0u8; 32];
    rand::rngs::OsRng.try_fill_bytes(&mut bytes).map_err(|error| Error::Internal(format!("no randomness: {error}")))?;
    let random = format!("{prefix}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
    let checksum = checksum(&random);
    Ok(random + &checksum)
}

/// Whether a text can't be a secret: it is too short, or looks like one that was issued and has another checksum.
pub fn is_nonsense(prefix: &str, text: &str) -> bool {
    if text.len() < SHORTEST {
        return true;
    }
    let is_issued = text.is_ascii() && text.starts_with(prefix) && text.len() == prefix.len() + RANDOM + CHECKED;
    is_issued && {
        let (random, given) = text.split_at(prefix.len() + RANDOM);
        checksum(random) != given
    }
}

/// Whether a key that an operator has chosen can be sent, and is looked for when it comes.
pub fn can_be_key(text: &str) -> bool {
    let is_sent = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    text.bytes().all(is_sent) && text.trim() == text && !is_nonsense(KEY, text)
}

fn checksum(random: &str) -> String {
    let mut text = hash(&format!("checksum of {random}"));
    text.truncate(CHECKED);
    text
}

/// As it is kept: a secret is long and random, so that this is enough (a slow hash protects short ones).
pub(super) fn hash(secret: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(secret.as_bytes()))
}

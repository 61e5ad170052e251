//! Ids of nodes whose records have none of their own: the same thing said again gets the same id, and is an update.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Builder;

/// The id under which what is valid as of a date (`YYYY-MM-DD`) is kept: one version a date.
pub fn version_id(id: &str, as_of: &str) -> String {
    format!("{id}@{as_of}")
}

/// `KIND:…`, where the rest stands for all the parts and their order. It is short however long they are, as indexed values have a limit.
pub fn digest_id(kind: &str, parts: &[&str]) -> String {
    format!("{kind}:{}", BASE64_URL_SAFE_NO_PAD.encode(digest(parts)))
}

/// The same where the id must be a UUID.
pub fn digest_uuid(kind: &str, parts: &[&str]) -> String {
    let whole = digest(&[&[kind], parts].concat());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&whole[..16]);
    Builder::from_random_bytes(bytes).into_uuid().to_string()
}

/// The same where the id must be a number: one of 53 bits, which JSON keeps exactly.
pub fn digest_number(kind: &str, parts: &[&str]) -> i64 {
    let whole = digest(&[&[kind], parts].concat());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&whole[..8]);
    (u64::from_be_bytes(bytes) >> 11) as i64
}

fn digest(parts: &[&str]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in parts {
        // With its length in front, where one part ends and the next begins can't be moved.
        digest.update(part.len().to_be_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().into()
}

//! Idempotency keys: the same request again gets the first answer.
//!
//! A key is stored hashed, with a hash of the body and the answer, in the transaction that writes what was answered; its uniqueness is what
//! makes two instances agree. Requests of one process that are still under way are known here.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use cypher::{Params, Value, map, statements};
use graph_schema::date::Timestamp;
use sha2::{Digest, Sha256};

use crate::loader::Ask;
use crate::{Caller, Error, Inner, Result};

/// How long a key is honoured, in milliseconds.
const HONOURED: i64 = 24 * 60 * 60 * 1000;

/// Keys of requests under way in this process.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashSet<String>>>);

/// A key that is this request's own until it ends.
pub(crate) struct Claim {
    id: String,
    body_hash: String,
    in_flight: InFlight,
}

/// What asking for a key comes to.
pub(crate) enum Claimed {
    /// The request was answered before, with this.
    Answered(String),
    Free(Claim),
}

impl Claim {
    /// Claims a caller's key for a body. Two callers may use the same key without knowing of each other.
    pub async fn make(inner: &Inner, caller: &Caller, key: &str, body: &str) -> Result<Claimed> {
        let id = hash(&format!("{}\n{key}", caller.id));
        let claim = {
            let mut keys = inner.in_flight_keys.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !keys.insert(id.clone()) {
                return Err(Error::Conflict("idempotency-key: the first request with this key is still under way".to_owned()));
            }
            Claim { id, body_hash: hash(body), in_flight: inner.in_flight_keys.clone() }
        };
        Ok(match claim.again(inner).await? {
            Some(answer) => Claimed::Answered(answer),
            None => Claimed::Free(claim),
        })
    }

    /// What was answered under the key, if it was and still counts.
    pub async fn again(&self, inner: &Inner) -> Result<Option<String>> {
        let rows = inner.loader.load(&Ask::new(statements::idempotency::FIND, Params::none()), &self.id).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        if row.int("createdAt") < inner.clock.now().millis() - HONOURED {
            while forget_some(inner).await? == Left::Perhaps {}
            return Ok(None);
        }
        if row.text("bodyHash") == self.body_hash {
            Ok(Some(row.text("answer")))
        } else {
            Err(Error::invalid("idempotency-key", "was used with another body; use a new key for a new request"))
        }
    }

    /// The row that keeps the answer.
    pub fn row(&self, answer: &str, now: Timestamp) -> Value {
        let props = map([
            ("name", "Idempotency key".into()),
            ("bodyHash", self.body_hash.as_str().into()),
            ("answer", answer.into()),
            ("createdAt", now.millis().into()),
        ]);
        map([("id", self.id.as_str().into()), ("props", props)])
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// Whether more is to be forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Perhaps,
    Nothing,
}

/// How many keys one transaction forgets: writers wait for it.
const AT_A_TIME: i64 = 1000;

/// Forgets some of the keys that have served their time.
pub(crate) async fn forget_some(inner: &Inner) -> Result<Left> {
    let before = inner.clock.now().millis() - HONOURED;
    let params = Params::none().with("before", before).with("most", AT_A_TIME);
    let rows = inner.engine.write(statements::idempotency::FORGET, params).await?;
    let forgotten = rows.first().map_or(0, |row| row.int("forgotten"));
    Ok(if forgotten < AT_A_TIME { Left::Nothing } else { Left::Perhaps })
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

//! Idempotency keys: the same request again gets the first answer.
//!
//! Every write takes one. A key is stored hashed, with a hash of the request and the answer, in the transaction that writes what was answered; its
//! uniqueness is what makes two instances agree. Requests of one process that are still under way are known here.
//!
//! The items of a list are requests with keys of their own, so that a list that was cut short is sent again as a whole. The list's own key is stored before
//! anything is done of it, with a digest of the list: under that key another list is refused, and so is a request that is none, at whichever instance. With
//! the hash of its request the key of an item keeps the same digest.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use cypher::{Params, Value, map, statements};
use futures::future::BoxFuture;
use graph_schema::date::Timestamp;
use sha2::{Digest, Sha256};

use crate::audit::AuditDraft;
use crate::conflicts::despite_conflicts;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Along, Change, Part, Write, WriteError};
use crate::{Caller, Conflict, Error, Inner, Resolvers, Result, boxed};

/// How long a key is honoured, in milliseconds.
const HONOURED: i64 = 24 * 60 * 60 * 1000;
/// Most characters of a key.
const MAX_CHARS: usize = 255;
/// The same of a list's key: the keys of its items are longer.
const MAX_CHARS_OF_LIST: usize = 250;
/// The most items of a list under one key.
pub const MOST_IN_LIST: usize = 500;
/// What requests call their key: the header's name.
const HEADER: &str = "idempotency-key";
const USED: &str = "was used with another request; use a new key for a new request";

/// What a client calls a request, so that sending it again is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    text: String,
    /// What its request calls it, which is where its faults are.
    name: &'static str,
    /// A digest of the list, for the key of an item of one.
    list: Option<Arc<str>>,
}

impl IdempotencyKey {
    /// Takes 1 to 255 visible ASCII characters; the error says so.
    pub fn parse(text: &str) -> std::result::Result<Self, &'static str> {
        let right = (1..=MAX_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if right { Ok(Self { text: text.to_owned(), name: HEADER, list: None }) } else { Err("must be 1 to 255 visible ASCII characters") }
    }

    /// The same key, which its request calls by this name and not by that of the header.
    pub fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The key of an item of the list that has this one.
    fn of_item(&self, at: usize, list: &Arc<str>) -> Self {
        Self { text: format!("{}/{at}", self.text), name: self.name, list: Some(Arc::clone(list)) }
    }

    /// Under which id it is kept. Two callers may use the same key without knowing of each other.
    fn id(&self, caller: &Caller) -> String {
        hash(&format!("{}\n{}", caller.id, self.text))
    }
}

/// The keys of the items of a list; none, where the list has none. While they are there, no other request of this process has the list's key.
pub struct ListKeys(Option<ListKey>);

struct ListKey {
    key: IdempotencyKey,
    /// Of the list.
    digest: Arc<str>,
    _claim: Claim,
}

impl ListKeys {
    /// The key of the item at a place.
    pub fn of(&self, at: usize) -> Option<IdempotencyKey> {
        self.0.as_ref().map(|ListKey { key, digest, .. }| key.of_item(at, digest))
    }
}

/// Whether an answer was given before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replayed {
    Yes,
    No,
}

/// The answer of a write.
#[derive(Debug, Clone)]
pub struct Answered {
    /// As the operation documents it, mostly JSON.
    pub text: Arc<str>,
    pub replayed: Replayed,
}

impl Answered {
    pub(crate) fn first(text: Arc<str>) -> Self {
        Self { text, replayed: Replayed::No }
    }

    fn again(text: Arc<str>) -> Self {
        Self { text, replayed: Replayed::Yes }
    }
}

/// One caller's request to write: its key, if it has one, and what is compared when the key is used again.
#[derive(Debug, Clone)]
pub struct Once<'a> {
    pub key: Option<IdempotencyKey>,
    pub body: &'a str,
}

/// Keys of requests under way in this process.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashSet<String>>>);

/// A key that is this request's own until it ends.
struct Claim {
    id: String,
    /// What the request calls the key.
    name: &'static str,
    body_hash: String,
    in_flight: InFlight,
}

impl Resolvers {
    /// Begins a list of acts of a kind on things of a label, under a key that may be there. `request_text` is all that the list says: refused where the key was
    /// used with another list, or for another request, as long as that is honoured. Answers with the keys of its items. The key is this list's from then on,
    /// whatever becomes of the items.
    #[boxed]
    pub async fn begin_list(
        &self,
        caller: &Caller,
        act: (Action, &'static str),
        key: Option<IdempotencyKey>,
        request_text: &str,
    ) -> Result<ListKeys> {
        let (inner, (action, label)) = (&self.inner, act);
        let permit = inner.enter(caller, action, Subject::List(label))?;
        let Some(key) = key else { return Ok(ListKeys(None)) };
        if key.text.len() > MAX_CHARS_OF_LIST {
            return Err(Error::invalid(key.name, format!("must be 1 to {MAX_CHARS_OF_LIST} visible ASCII characters where it is for a list")));
        }
        let digest: Arc<str> = Arc::from(hash(request_text));
        // No request that is no list has such a hash.
        let claim = Claim::of(inner, permit.caller(), &key, format!("list/{digest}"))?;
        if claim.answered(inner).await?.is_none() {
            claim.keep(inner).await?;
        }
        Ok(ListKeys(Some(ListKey { key, digest, _claim: claim })))
    }
}

impl Inner {
    /// Makes a write and answers with `answer`; or, where the request has a key that was used for it before, with what was answered then.
    pub(crate) async fn answer_once<C: Change>(
        &self,
        permit: &Permit<'_>,
        once: Once<'_>,
        answer: impl Into<Arc<str>>,
        change: &'static C,
        write: Write<C::Row>,
    ) -> Result<Answered> {
        let request = Request::of(&write.entry, once);
        let made = |along| Box::pin(async move { self.queue.write_along(change, write, along).await.map(|_| None) }) as Made<'_>;
        self.answer_request(permit, request, answer.into(), made).await
    }

    /// The same for a write whose answer only its decision knows, which keeps it ([`Amended::kept`](crate::queue::Amended::kept)).
    pub(crate) async fn answer_as_decided<C: Change<Answer = Arc<str>>>(
        &self,
        permit: &Permit<'_>,
        once: Once<'_>,
        change: &'static C,
        write: Write<C::Row>,
    ) -> Result<Answered> {
        let request = Request::of(&write.entry, once);
        let made = |along| Box::pin(async move { self.queue.write_along(change, write, along).await.map(Some) }) as Made<'_>;
        self.answer_request(permit, request, Arc::from(""), made).await
    }

    /// The same for a write that makes something whose id its request need not say: the same body is the same request whatever id was made for it.
    pub(crate) async fn answer_new_once<C: Change>(
        &self,
        permit: &Permit<'_>,
        once: Once<'_>,
        answer: impl Into<Arc<str>>,
        change: &'static C,
        write: Write<C::Row>,
    ) -> Result<Answered> {
        let request = Request::to(&write.entry, "", once);
        let made = |along| Box::pin(async move { self.queue.write_along(change, write, along).await.map(|_| None) }) as Made<'_>;
        self.answer_request(permit, request, answer.into(), made).await
    }

    /// The same for a write that makes something: as [`Inner::answer_new_once`].
    pub(crate) async fn answer_new_as_decided<C: Change<Answer = Arc<str>>>(
        &self,
        permit: &Permit<'_>,
        once: Once<'_>,
        change: &'static C,
        write: Write<C::Row>,
    ) -> Result<Answered> {
        let request = Request::to(&write.entry, "", once);
        let made = |along| Box::pin(async move { self.queue.write_along(change, write, along).await.map(Some) }) as Made<'_>;
        self.answer_request(permit, request, Arc::from(""), made).await
    }

    /// The same for two writes of one transaction; the first names what the request is about.
    pub(crate) async fn answer_both_once<A: Change, B: Change>(
        &self,
        permit: &Permit<'_>,
        once: Once<'_>,
        answer: impl Into<Arc<str>>,
        first: (&'static A, Write<A::Row>),
        second: (&'static B, Write<B::Row>),
    ) -> Result<Answered> {
        let request = Request::of(&first.1.entry, once);
        let made = |along| Box::pin(async move { self.queue.write_both(first, second, along).await.map(|_| None) }) as Made<'_>;
        self.answer_request(permit, request, answer.into(), made).await
    }

    /// The same for several writes of one transaction, in the order of their ranks; `request` is the action and the object of the request. Where it makes
    /// something, the object is empty: as [`Inner::answer_new_once`].
    pub(crate) async fn answer_all_once(
        &self,
        permit: &Permit<'_>,
        request: (&str, &str),
        once: Once<'_>,
        answer: impl Into<Arc<str>>,
        parts: Vec<Part>,
    ) -> Result<Answered> {
        let request = Request::saying(request.0, request.1, once);
        let made = |along| Box::pin(async move { self.queue.write_all(parts, along).await.map(|()| None) }) as Made<'_>;
        self.answer_request(permit, request, answer.into(), made).await
    }

    /// What a request that makes something was answered under its key, if it was: for those who must ask first, whatever was there when it was made and is
    /// not any more. It is the request that [`Inner::answer_new_once`] knows by the action of its entry.
    pub(crate) async fn answered_before(&self, permit: &Permit<'_>, action: &str, once: Once<'_>) -> Result<Option<Arc<str>>> {
        let request = Request::saying(action, "", once);
        let Some(key) = request.key else { return Ok(None) };
        Claim::make(self, permit.caller(), &key, &request.text)?.answered(self).await
    }

    async fn answer_request<'a>(
        &self,
        permit: &Permit<'_>,
        request: Request,
        answer: Arc<str>,
        write: impl FnOnce(Along) -> Made<'a>,
    ) -> Result<Answered> {
        let Some(key) = request.key else {
            let decided = write(Along::default()).await?;
            return Ok(Answered::first(decided.unwrap_or(answer)));
        };
        let claim = Claim::make(self, permit.caller(), &key, &request.text)?;
        if let Some(before) = claim.answered(self).await? {
            return Ok(Answered::again(before));
        }
        let along = Along { key: Some(claim.row(&answer, self.clock.now())), ..Along::default() };
        match write(along).await {
            Ok(decided) => Ok(Answered::first(decided.unwrap_or(answer))),
            // Another instance was first with this key: its answer is the answer.
            Err(WriteError::Database(error @ cypher::Error::Constraint { .. })) => match claim.answered(self).await? {
                Some(before) => Ok(Answered::again(before)),
                // It was not the key that was there.
                None => Err(error.into()),
            },
            // An earlier try of this request may have been made meanwhile, though its sender was told otherwise: by what that has changed, the
            // second is refused, and is answered all the same.
            Err(WriteError::Refused(error)) => match claim.answered(self).await {
                Ok(Some(before)) => Ok(Answered::again(before)),
                _ => Err(error),
            },
            Err(error) => Err(error.into()),
        }
    }
}

/// A write under way, and what it answers where that was not known before. Boxed, because the futures of operations hold it, each as large as the largest.
type Made<'a> = BoxFuture<'a, std::result::Result<Option<Arc<str>>, WriteError>>;

/// What a key stands for.
struct Request {
    key: Option<IdempotencyKey>,
    text: String,
}

impl Request {
    /// The same body to another address is another request.
    fn of(entry: &AuditDraft, once: Once<'_>) -> Self {
        Self::to(entry, entry.object_id(), once)
    }

    fn to(entry: &AuditDraft, object_id: &str, once: Once<'_>) -> Self {
        Self::saying(entry.action(), object_id, once)
    }

    fn saying(action: &str, object_id: &str, once: Once<'_>) -> Self {
        let text = match &once.key {
            Some(_) => format!("{action}\n{object_id}\n{}", once.body),
            None => String::new(),
        };
        Self { key: once.key, text }
    }
}

impl Claim {
    /// Claims a caller's key for a request.
    fn make(inner: &Inner, caller: &Caller, key: &IdempotencyKey, request: &str) -> Result<Self> {
        let body_hash = match &key.list {
            Some(list) => format!("{}/{list}", hash(request)),
            None => hash(request),
        };
        Self::of(inner, caller, key, body_hash)
    }

    /// The same for a request that this hash stands for.
    fn of(inner: &Inner, caller: &Caller, key: &IdempotencyKey, body_hash: String) -> Result<Self> {
        let id = key.id(caller);
        let mut keys = inner.in_flight_keys.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !keys.insert(id.clone()) {
            return Err(Error::Conflict(Conflict::IdempotencyKeyInUse));
        }
        Ok(Self { id, name: key.name, body_hash, in_flight: inner.in_flight_keys.clone() })
    }

    /// What was answered under the key, if it was and still counts.
    async fn answered(&self, inner: &Inner) -> Result<Option<Arc<str>>> {
        let rows = inner.lookups.rows(&Permit::of_service(), statements::idempotency::FIND, Params::none(), &self.id).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        if row.created_at < inner.clock.now().millis() - HONOURED {
            // This one alone, which stands in the way: however many others there are, they are housekeeping's.
            let params = Params::none().with("id", self.id.as_str()).with("createdAt", row.created_at);
            inner.engine.write_as(statements::idempotency::FORGET_KEY, params).await?;
            return Ok(None);
        }
        if row.body_hash == self.body_hash { Ok(Some(Arc::clone(&row.answer))) } else { Err(Error::invalid(self.name, USED)) }
    }

    /// Stores the key of a list, which has no answer of its own. Another instance may have been first: with the same list, or with another one, which is
    /// refused.
    async fn keep(&self, inner: &Inner) -> Result<()> {
        let row = self.row("", inner.clock.now());
        let trail = || crate::queue::Trail { keys: vec![row.clone()], ..Default::default() }.without_changes();
        match despite_conflicts(|| inner.engine.write(statements::trail::APPEND, trail())).await {
            Ok(_) => Ok(()),
            Err(error @ cypher::Error::Constraint { .. }) => match self.answered(inner).await? {
                Some(_) => Ok(()),
                None => Err(error.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// The row that keeps the answer.
    fn row(&self, answer: &str, now: Timestamp) -> Value {
        map([
            ("id", self.id.as_str().into()),
            ("bodyHash", self.body_hash.as_str().into()),
            ("answer", answer.into()),
            ("createdAt", now.millis().into()),
        ])
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
    let rows = inner.engine.write_as(statements::idempotency::FORGET, params).await?;
    let forgotten = statements::idempotency::FORGET.first(rows)?.forgotten;
    Ok(if forgotten < AT_A_TIME { Left::Nothing } else { Left::Perhaps })
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

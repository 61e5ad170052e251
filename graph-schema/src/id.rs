//! Ids of records, one type per kind of record, so that an account's id is never passed as an actor's.

use std::{
    borrow::{Borrow, Cow},
    cmp, fmt, hash,
    marker::PhantomData,
    sync::Arc,
};

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// Most characters an id may have.
pub const MAX_ID_CHARS: usize = 256;

/// Pattern of ids: no control characters.
pub const ID_PATTERN: &str = r"^[^\x00-\x1f\x7f]*$";

/// The business id of a record of kind `K`: 1 to 256 characters, none of them a control character.
pub struct Id<K> {
    text: Arc<str>,
    kind: PhantomData<fn() -> K>,
}

/// What the ids of accounts elsewhere begin with, which the service makes itself.
pub const EXTERNAL: &str = "external:";
/// The `format` of ids that may not begin so.
pub(crate) const ACCOUNT_ID_FORMAT: &str = "account-id";
pub(crate) const ACCOUNT_ID_RULE: &str = "must not begin with \"external:\": such ids are the service's own";

/// Whether a text may be the id of an account that somebody sends.
pub(crate) fn is_account_id(text: &str) -> bool {
    !text.starts_with(EXTERNAL)
}

/// A kind of record that has ids.
pub trait IdKind {
    /// A rule of its own besides that for all ids: the `format` of its schema, what it takes, what is wrong else.
    const RULE: Option<IdRule> = None;
    /// How they are written.
    const SPELLING: Spelling = Spelling::AsGiven;
}

/// How the ids of a kind are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Each character counts.
    AsGiven,
    /// They are UUIDs: the same one in capitals is the same id (RFC 9562, section 4), which is kept and shown in small letters.
    Uuid,
}

impl Spelling {
    fn of(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Uuid if text.bytes().any(|byte| byte.is_ascii_uppercase()) && is_uuid(text) => Cow::Owned(text.to_ascii_lowercase()),
            Self::Uuid | Self::AsGiven => Cow::Borrowed(text),
        }
    }
}

/// Whether a text is a UUID with its hyphens, in small letters or capitals.
pub(crate) fn is_uuid(text: &str) -> bool {
    let is_hyphen = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    text.len() == 36 && text.bytes().enumerate().all(|(at, byte)| if is_hyphen(at) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}

/// A rule for the ids of a kind.
pub struct IdRule {
    format: &'static str,
    takes: fn(&str) -> bool,
    problem: &'static str,
}

/// Kind of [`ActorId`].
#[derive(Debug)]
pub enum Actor {}
/// Kind of [`AccountId`].
#[derive(Debug)]
pub enum Account {}

impl IdKind for Account {
    const RULE: Option<IdRule> = Some(IdRule { format: ACCOUNT_ID_FORMAT, takes: is_account_id, problem: ACCOUNT_ID_RULE });
}
/// Kind of [`TransactionId`].
#[derive(Debug)]
pub enum Transaction {}
/// Kind of [`ChannelLocationId`].
#[derive(Debug)]
pub enum ChannelLocation {}
/// Kind of [`DeviceId`].
#[derive(Debug)]
pub enum Device {}
/// Kind of [`PartyId`].
#[derive(Debug)]
pub enum Party {}
/// Kind of [`CaseId`].
#[derive(Debug)]
pub enum Case {}
/// Kind of [`WorkflowId`].
#[derive(Debug)]
pub enum Workflow {}
/// Kind of [`StepId`].
#[derive(Debug)]
pub enum Step {}
/// Kind of [`UserId`].
#[derive(Debug)]
pub enum User {}
/// Kind of [`ObservationId`].
#[derive(Debug)]
pub enum Observation {}
/// Kind of [`CommunicationId`].
#[derive(Debug)]
pub enum Communication {}
/// Kind of [`TagId`].
#[derive(Debug)]
pub enum Tag {}
/// Kind of [`RequestForDataId`].
#[derive(Debug)]
pub enum RequestForData {}
/// Kind of [`SegmentationCategoryId`].
#[derive(Debug)]
pub enum SegmentationCategory {}
/// Kind of [`SegmentationGroupId`].
#[derive(Debug)]
pub enum SegmentationGroup {}

/// Kind of [`FileId`].
#[derive(Debug)]
pub enum File {}

/// Kind of [`WebhookId`].
#[derive(Debug)]
pub enum Webhook {}
/// Kind of [`EventId`].
#[derive(Debug)]
pub enum Event {}
/// Kind of [`DeliveryId`].
#[derive(Debug)]
pub enum Delivery {}

impl IdKind for Actor {}
impl IdKind for Transaction {}
impl IdKind for ChannelLocation {}
impl IdKind for Device {}
impl IdKind for Party {}
impl IdKind for Workflow {}
impl IdKind for Step {}
impl IdKind for Observation {}
impl IdKind for Tag {}
impl IdKind for Event {}
impl IdKind for Delivery {}
impl IdKind for SegmentationCategory {}
impl IdKind for SegmentationGroup {}

impl IdKind for Case {
    const SPELLING: Spelling = Spelling::Uuid;
}

impl IdKind for User {
    const SPELLING: Spelling = Spelling::Uuid;
}

impl IdKind for Communication {
    const SPELLING: Spelling = Spelling::Uuid;
}

impl IdKind for RequestForData {
    const SPELLING: Spelling = Spelling::Uuid;
}

impl IdKind for File {
    const SPELLING: Spelling = Spelling::Uuid;
}

impl IdKind for Webhook {
    const SPELLING: Spelling = Spelling::Uuid;
}

pub type ActorId = Id<Actor>;
pub type AccountId = Id<Account>;
pub type TransactionId = Id<Transaction>;
pub type ChannelLocationId = Id<ChannelLocation>;
pub type DeviceId = Id<Device>;
/// A counterparty's id: an account's or an actor's, which of them is for the counterparty's `object` to say.
pub type PartyId = Id<Party>;
pub type CaseId = Id<Case>;
pub type WorkflowId = Id<Workflow>;
/// A step's id, unique in its workflow.
pub type StepId = Id<Step>;
/// A platform user's id, or that of the credential by which somebody acted.
pub type UserId = Id<User>;
pub type ObservationId = Id<Observation>;
pub type CommunicationId = Id<Communication>;
pub type TagId = Id<Tag>;
pub type RequestForDataId = Id<RequestForData>;
pub type FileId = Id<File>;
pub type WebhookId = Id<Webhook>;
/// An event's id, which is its `webhook-id` too.
pub type EventId = Id<Event>;
pub type DeliveryId = Id<Delivery>;
pub type SegmentationCategoryId = Id<SegmentationCategory>;
pub type SegmentationGroupId = Id<SegmentationGroup>;

impl<K> Id<K> {
    /// Takes a text that is already known to be an id (read from the store, or made here). Not checked.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), kind: PhantomData }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same text as the id of another kind of record.
    pub fn cast<L>(&self) -> Id<L> {
        Id::new(Arc::clone(&self.text))
    }
}

impl<K: IdKind> Id<K> {
    /// A text as ids of this kind are written, whether it is one or not.
    pub fn spelled(text: &str) -> Cow<'_, str> {
        K::SPELLING.of(text)
    }

    /// Checks a text that came from outside; the error says what would be right.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            Err("must not be empty")
        } else if text.chars().count() > MAX_ID_CHARS {
            Err("must be at most 256 characters")
        } else if text.chars().any(|c| c.is_ascii_control()) {
            Err("must not contain control characters")
        } else if let Some(rule) = K::RULE
            && !(rule.takes)(text)
        {
            Err(rule.problem)
        } else {
            Ok(Self::new(Self::spelled(text)))
        }
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        self.cast()
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<K> Eq for Id<K> {}

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

impl<K> hash::Hash for Id<K> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<K> Borrow<str> for Id<K> {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl<K> AsRef<str> for Id<K> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl<K> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, K: IdKind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[Scalar(name = "ID")]
impl<K: IdKind + 'static> ScalarType for Id<K> {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => Self::parse(&text).map_err(InputValueError::custom),
            Value::Number(number) => Self::parse(&number.to_string()).map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.text.to_string())
    }
}

impl<K: IdKind> utoipa::PartialSchema for Id<K> {
    fn schema() -> RefOr<Schema> {
        let format = K::RULE.map(|rule| SchemaFormat::Custom(rule.format.to_owned()));
        let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(MAX_ID_CHARS));
        text.pattern(Some(ID_PATTERN)).format(format).into()
    }
}

impl<K: IdKind> utoipa::ToSchema for Id<K> {}

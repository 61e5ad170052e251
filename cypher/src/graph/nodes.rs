//! Kinds of nodes, and what is shown of each.

use std::sync::Arc;

use graph_schema::account::{AccountStatus, AccountType};
use graph_schema::actor::{ActorStatus, ActorType};
use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::channel_location::ChannelLocationType;
use graph_schema::custom_property::PropertyEntity;
use graph_schema::date::{Date, Timestamp};
use graph_schema::id::{ActorId, SegmentationCategoryId};
use graph_schema::json_object::JsonObject;
use graph_schema::money::Money;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use graph_schema::segmentation::SegmentationType;
use graph_schema::transaction::{Channel, Direction, Method, Purpose, TransactionStatus};

pub use super::cases::{
    CaseSummary, CaseTitlePart, CommentSummary, CommunicationSummary, FeedbackSummary, FileSummary, ObservationActionSummary, RequestSchemaSummary,
    RequestSummary, StepSummary, WorkflowSummary,
};
pub use super::observations::ObservationSummary;
pub use super::risk_scores::RiskScoreSummary;
pub use super::webhooks::{DeliverySummary, EventSummary, WebhookSummary};

use super::row::{Columns, columns};
use super::{Column, Node, Readers};

/// All kinds.
pub static ALL: &[&Node] = &[
    &ACTOR,
    &ACTOR_VERSION,
    &ACCOUNT,
    &ACCOUNT_VERSION,
    &TRANSACTION,
    &TRANSACTION_VERSION,
    &CHANNEL_LOCATION,
    &DEVICE,
    &IP_ADDRESS,
    &CASE,
    &CASE_COMMENT,
    &COMMUNICATION,
    &CUSTOM_PROPERTY,
    &REQUEST_FOR_DATA,
    &REQUEST_FOR_DATA_SCHEMA,
    &WORKFLOW,
    &FILE,
    &USER,
    &WORKFLOW_STEP,
    &OBSERVATION,
    &OBSERVATION_RULE,
    &OBSERVATION_FEEDBACK,
    &OBSERVATION_ACTION,
    &SUPPRESSED_SIGNAL,
    &SCREENING,
    &CLEARED_MATCH,
    &TAG,
    &RISK_SCORE,
    &SEGMENTATION_CATEGORY,
    &SEGMENTATION_GROUP,
    &PHONE,
    &EMAIL,
    &ADDRESS,
    &GOVERNMENT_ID,
    &REFERENCE,
    &ACCOUNT_IDENTIFIER,
    &BULK_REQUEST,
    &BULK_ITEM,
    &WEBHOOK,
    &EVENT,
    &DELIVERY,
];

/// The kind with this label.
pub fn node(label: &str) -> Option<&'static Node> {
    ALL.iter().copied().find(|node| node.label == label)
}

const fn plain(label: &'static str) -> Node {
    Node { label, summary: &[], record: None, hidden: None, readers: Readers::Explorers }
}

const fn shown(label: &'static str, summary: &'static [Column]) -> Node {
    Node { label, summary, record: None, hidden: None, readers: Readers::Explorers }
}

const fn recorded(label: &'static str, summary: &'static [Column]) -> Node {
    Node { label, summary, record: Some("record"), hidden: None, readers: Readers::Explorers }
}

pub static ACTOR: Node = recorded("Actor", ActorSummary::COLUMNS);
pub static ACTOR_VERSION: Node = recorded("ActorVersion", VersionSummary::COLUMNS);
pub static ACCOUNT: Node = recorded("Account", AccountSummary::COLUMNS);
pub static ACCOUNT_VERSION: Node = recorded("AccountVersion", VersionSummary::COLUMNS);
/// What observations name and what has not come is no payment to anybody.
pub static TRANSACTION: Node = Node { hidden: Some("AwaitedTransaction"), ..recorded("Transaction", TransactionSummary::COLUMNS) };
pub static TRANSACTION_VERSION: Node = recorded("TransactionVersion", TransactionVersionSummary::COLUMNS);
pub static CHANNEL_LOCATION: Node = recorded("ChannelLocation", ChannelLocationSummary::COLUMNS);
pub static DEVICE: Node = shown("Device", DeviceSummary::COLUMNS);
pub static IP_ADDRESS: Node = plain("IpAddress");
pub static CASE: Node = shown("Case", CaseSummary::COLUMNS);
pub static CASE_COMMENT: Node = shown("CaseComment", CommentSummary::COLUMNS);
pub static COMMUNICATION: Node = shown("Communication", CommunicationSummary::COLUMNS);
pub static FILE: Node = shown("File", FileSummary::COLUMNS);
pub static USER: Node = shown("User", UserSummary::COLUMNS);
pub static CUSTOM_PROPERTY: Node = shown("CustomProperty", PropertySummary::COLUMNS);
pub static REQUEST_FOR_DATA: Node = shown("RequestForData", RequestSummary::COLUMNS);
pub static REQUEST_FOR_DATA_SCHEMA: Node = shown("RequestForDataSchema", RequestSchemaSummary::COLUMNS);
pub static WORKFLOW: Node = shown("Workflow", WorkflowSummary::COLUMNS);
pub static WORKFLOW_STEP: Node = shown("WorkflowStep", StepSummary::COLUMNS);
pub static OBSERVATION: Node = recorded("Observation", ObservationSummary::COLUMNS);
pub static OBSERVATION_RULE: Node = plain("ObservationRule");
pub static OBSERVATION_FEEDBACK: Node = shown("ObservationFeedback", FeedbackSummary::COLUMNS);
pub static OBSERVATION_ACTION: Node = shown("ObservationAction", ObservationActionSummary::COLUMNS);
pub static SUPPRESSED_SIGNAL: Node = shown("SuppressedSignal", SuppressedSignalSummary::COLUMNS);
pub static SCREENING: Node = shown("Screening", ScreeningSummary::COLUMNS);
pub static CLEARED_MATCH: Node = shown("ClearedMatch", ClearedMatchSummary::COLUMNS);
pub static TAG: Node = plain("Tag");
pub static SEGMENTATION_CATEGORY: Node = shown("SegmentationCategory", CategorySummary::COLUMNS);
pub static SEGMENTATION_GROUP: Node = shown("SegmentationGroup", GroupSummary::COLUMNS);
pub static RISK_SCORE: Node = recorded("RiskScore", RiskScoreSummary::COLUMNS);
pub static PHONE: Node = plain("Phone");
pub static EMAIL: Node = plain("Email");
pub static ADDRESS: Node = plain("Address");
pub static GOVERNMENT_ID: Node = plain("GovernmentId");
pub static REFERENCE: Node = plain("Reference");
pub static ACCOUNT_IDENTIFIER: Node = plain("AccountIdentifier");
pub static BULK_REQUEST: Node = shown("BulkRequest", BulkRequestSummary::COLUMNS);
pub static BULK_ITEM: Node = Node { record: Some("body"), ..shown("BulkItem", BulkItemSummary::COLUMNS) };

/// A secret is no column of the table, and so nowhere to be asked for.
pub static WEBHOOK: Node = Node { hidden: Some("RemovedWebhook"), readers: Readers::Administrators, ..shown("Webhook", WebhookSummary::COLUMNS) };
pub static EVENT: Node = shown("Event", EventSummary::COLUMNS);
/// Addresses and answers may have in them what is not for analysts.
pub static DELIVERY: Node = Node { readers: Readers::Administrators, ..shown("Delivery", DeliverySummary::COLUMNS) };

/// What is shown of an actor; a placeholder has none of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ActorSummary {
    pub known: bool,
    pub kind: Option<ActorType>,
    pub status: Option<ActorStatus>,
    pub nationality: Option<String>,
    pub domicile: Option<String>,
    pub date_of_birth: Option<Date>,
    /// The one that counts.
    pub risk_score: Option<f64>,
    pub risk_band: Option<String>,
}

columns!(ActorSummary {
    known: "NOT {b}:Placeholder",
    // A placeholder has no type, and the embedded engine would make one up.
    kind: "CASE WHEN {b}:Placeholder THEN null ELSE {b}.type END",
    status: "{b}.status",
    nationality: "{b}.nationality",
    domicile: "{b}.domicile",
    date_of_birth: "{b}.dateOfBirth",
    risk_score: "{b}.riskScore",
    risk_band: "{b}.riskBand",
});

/// What is shown of an account, placeholders and external accounts included.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountSummary {
    pub known: bool,
    pub external: bool,
    pub account_type: Option<AccountType>,
    pub status: Option<AccountStatus>,
    pub currency_code: Option<String>,
    pub iban: Option<String>,
    pub account_number: Option<String>,
    pub domicile: Option<String>,
}

columns!(AccountSummary {
    known: "{b}.record IS NOT NULL",
    external: "{b}:ExternalAccount",
    account_type: "{b}.accountType",
    status: "{b}.status",
    currency_code: "{b}.currencyCode",
    iban: "{b}.iban",
    account_number: "{b}.accountNumber",
    domicile: "{b}.domicile",
});

/// What was known of an actor or account as of a date.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionSummary {
    pub as_of_date: Date,
    pub recorded_at: Timestamp,
}

columns!(VersionSummary { as_of_date: "{b}.asOfDate", recorded_at: "{b}.recordedAt" });

/// A transaction as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactionSummary {
    pub amount: Money,
    pub currency: String,
    pub created_at: Timestamp,
    pub direction: Direction,
    pub status: TransactionStatus,
    pub channel: Option<Channel>,
    pub method: Option<Method>,
    pub purpose: Option<Purpose>,
    pub description: Option<String>,
    pub account_id: Arc<str>,
    pub account_owner_id: Arc<str>,
    pub counterparty_name: Option<String>,
    pub standardized_amount: Option<Money>,
}

columns!(TransactionSummary {
    amount: "[{b}.amountUnits, {b}.amountNanos]",
    currency: "{b}.currency",
    created_at: "{b}.createdAt",
    direction: "{b}.direction",
    status: "{b}.status",
    channel: "{b}.channel",
    method: "{b}.method",
    purpose: "{b}.purpose",
    description: "{b}.description",
    account_id: "{b}.accountId",
    account_owner_id: "{b}.accountOwnerId",
    counterparty_name: "{b}.counterpartyName",
    standardized_amount: "CASE WHEN {b}.standardUnits IS NULL THEN null ELSE [{b}.standardUnits, {b}.standardNanos] END",
});

/// What was known of a transaction until another record took its place.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactionVersionSummary {
    pub known_from: Timestamp,
    pub known_until: Timestamp,
    pub amount: Money,
    pub currency: String,
    pub standardized_amount: Money,
    pub created_at: Timestamp,
    pub direction: Direction,
    pub status: TransactionStatus,
    pub description: Option<String>,
    pub counterparty_name: Option<String>,
    pub account_id: Arc<str>,
    pub account_owner_id: Arc<str>,
    pub sender_id: Option<String>,
    pub receiver_id: Option<String>,
}

columns!(TransactionVersionSummary {
    known_from: "{b}.knownFrom",
    known_until: "{b}.knownUntil",
    amount: "[{b}.amountUnits, {b}.amountNanos]",
    currency: "{b}.currency",
    standardized_amount: "[{b}.standardUnits, {b}.standardNanos]",
    created_at: "{b}.createdAt",
    direction: "{b}.direction",
    status: "{b}.status",
    description: "{b}.description",
    counterparty_name: "{b}.counterpartyName",
    account_id: "{b}.accountId",
    account_owner_id: "{b}.accountOwnerId",
    sender_id: "{b}.senderId",
    receiver_id: "{b}.receiverId",
});

/// What is shown of a branch or machine.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelLocationSummary {
    pub kind: Option<ChannelLocationType>,
    pub street: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    pub state: Option<String>,
    pub country: Option<String>,
}

columns!(ChannelLocationSummary {
    // One that payments have only named has no type, and the embedded engine would make one up.
    kind: "CASE WHEN {b}.record IS NULL THEN null ELSE {b}.type END",
    street: "{b}.street",
    city: "{b}.city",
    postal_code: "{b}.postalCode",
    state: "{b}.state",
    country: "{b}.country",
});

/// What is shown of a device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceSummary {
    pub known: bool,
    pub kind: Option<String>,
    pub blocked: Option<bool>,
}

columns!(DeviceSummary { known: "{b}.recordedAt IS NOT NULL", kind: "{b}.kind", blocked: "{b}.blocked" });

/// A signal that was kept from becoming an observation.
#[derive(Debug, Clone, PartialEq)]
pub struct SuppressedSignalSummary {
    pub signal_id: i64,
    pub actor_id: ActorId,
    pub review_date: Date,
    pub detection_method_name: Option<String>,
    pub decision_reason: Option<String>,
    pub data_source: Option<String>,
}

columns!(SuppressedSignalSummary {
    signal_id: "{b}.signalId",
    actor_id: "{b}.actorId",
    review_date: "{b}.reviewDate",
    detection_method_name: "{b}.detectionMethodName",
    decision_reason: "{b}.decisionReason",
    data_source: "{b}.dataSource",
});

/// What a provider has said of a payment or an actor.
#[derive(Debug, Clone, PartialEq)]
pub struct ScreeningSummary {
    pub operation: ScreeningOperation,
    pub provider_name: String,
    pub response: ScreeningResponse,
    pub screened_at: Timestamp,
    pub score: Option<f64>,
    pub reason: Option<String>,
    /// `LIST/VERSION`.
    pub list_versions: Vec<String>,
    /// `LIST/ENTRY`.
    pub cleared: Vec<String>,
}

columns!(ScreeningSummary {
    operation: "{b}.operation",
    provider_name: "{b}.providerName",
    response: "{b}.response",
    screened_at: "{b}.screenedAt",
    score: "{b}.score",
    reason: "{b}.reason",
    // Those that an older program has kept have none.
    list_versions: "coalesce({b}.listVersions, [])",
    cleared: "coalesce({b}.cleared, [])",
});

/// That somebody has cleared a party of an entry of a watchlist.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearedMatchSummary {
    /// `LIST/ENTRY`.
    pub entry: String,
    pub entry_name: String,
    /// `LIST/VERSION`.
    pub list_version: String,
    /// The party's name, as it was searched for.
    pub party_name: String,
    pub until: Timestamp,
    pub reason: String,
    pub cleared_at: Timestamp,
    pub cleared_by: String,
    pub cleared_by_name: String,
    pub ended_at: Option<Timestamp>,
    pub ended_by: Option<String>,
    pub ended_by_name: Option<String>,
    pub end_reason: Option<String>,
}

columns!(ClearedMatchSummary {
    entry: "{b}.entry",
    entry_name: "{b}.entryName",
    list_version: "{b}.listVersion",
    party_name: "{b}.partyName",
    until: "{b}.until",
    reason: "{b}.reason",
    cleared_at: "{b}.clearedAt",
    cleared_by: "{b}.clearedBy",
    cleared_by_name: "{b}.clearedByName",
    ended_at: "{b}.endedAt",
    ended_by: "{b}.endedBy",
    ended_by_name: "{b}.endedByName",
    end_reason: "{b}.endReason",
});

/// A bulk request.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkRequestSummary {
    pub request_id: String,
    pub received_at: Timestamp,
    pub user_id: String,
    /// How many items each list has: `transactions 1000`.
    pub sizes: Vec<String>,
}

columns!(BulkRequestSummary { request_id: "{b}.requestId", received_at: "{b}.receivedAt", user_id: "{b}.userId", sizes: "{b}.sizes" });

/// An item of a bulk request that is asked for by its id, waits or has failed.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkItemSummary {
    pub list: BulkList,
    pub subject: Option<String>,
    pub state: BulkItemState,
    /// `Actor/17`.
    pub missing: Vec<String>,
    pub faults: Vec<String>,
    pub attempts: i64,
    pub created_at: Timestamp,
    pub processed_at: Option<Timestamp>,
    pub due_at: Option<Timestamp>,
}

columns!(BulkItemSummary {
    list: "{b}.list",
    subject: "{b}.subject",
    state: "{b}.state",
    missing: "{b}.missing",
    faults: "{b}.faults",
    attempts: "{b}.attempts",
    created_at: "{b}.createdAt",
    processed_at: "{b}.processedAt",
    due_at: "{b}.dueAt",
});

/// A category of segmentation; its name is its caption.
#[derive(Debug, Clone, PartialEq)]
pub struct CategorySummary {
    pub description: Option<String>,
    pub kind: SegmentationType,
    pub created_at: Timestamp,
    pub changed_at: Timestamp,
    pub created_by: String,
    pub changed_by: String,
}

columns!(CategorySummary {
    description: "{b}.description",
    kind: "{b}.type",
    created_at: "{b}.createdAt",
    changed_at: "{b}.changedAt",
    created_by: "{b}.createdBy",
    changed_by: "{b}.changedBy",
});

/// A group of a category; its name is its caption.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSummary {
    pub description: Option<String>,
    pub category_id: SegmentationCategoryId,
    pub created_at: Timestamp,
    pub changed_at: Timestamp,
    pub created_by: String,
    pub changed_by: String,
}

columns!(GroupSummary {
    description: "{b}.description",
    category_id: "{b}.categoryId",
    created_at: "{b}.createdAt",
    changed_at: "{b}.changedAt",
    created_by: "{b}.createdBy",
    changed_by: "{b}.changedBy",
});

/// A user; whom others have only named has none of it.
#[derive(Debug, Clone, PartialEq)]
pub struct UserSummary {
    pub known: bool,
    pub username: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub enabled: Option<bool>,
    pub groups: Vec<String>,
    pub created_at: Option<Timestamp>,
}

columns!(UserSummary {
    known: "NOT {b}:Placeholder",
    username: "{b}.username",
    first_name: "{b}.firstName",
    last_name: "{b}.lastName",
    enabled: "{b}.enabled",
    groups: "coalesce({b}.groups, [])",
    created_at: "{b}.createdAt",
});

/// What values a custom property may have.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertySummary {
    pub entity: PropertyEntity,
    pub schema: JsonObject,
}

columns!(PropertySummary { entity: "{b}.entity", schema: "{b}.schema" });

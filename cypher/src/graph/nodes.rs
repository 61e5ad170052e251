//! Kinds of nodes, and what is shown of each.

use std::sync::Arc;

use graph_schema::account::{AccountBalanceRecord, AccountStatus, AccountType};
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

pub use super::audit::AuditEntrySummary;
pub use super::cases::{
    CaseSummary, CaseTitlePart, CommentSummary, CommunicationSummary, FeedbackSummary, FileSummary, ObservationActionSummary, RequestSchemaSummary,
    RequestSummary, StepSummary, WorkflowSummary,
};
pub use super::observations::ObservationSummary;
pub use super::risk::{ActorExclusionSummary, ExtendedInformationSummary, RiskAssessmentSummary, RiskScoreSummary};
pub use super::webhooks::{DeliverySummary, EventSummary, WebhookSummary};

use super::row::{Columns, columns, summary};
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
    &RISK_ASSESSMENT,
    &ACTOR_EXCLUSION,
    &EXTENDED_INFORMATION,
    &ACCOUNT_BALANCE,
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
    &AUDIT_ENTRY,
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
pub static RISK_ASSESSMENT: Node = shown("RiskAssessment", RiskAssessmentSummary::COLUMNS);
pub static ACTOR_EXCLUSION: Node = shown("ActorExclusion", ActorExclusionSummary::COLUMNS);
pub static EXTENDED_INFORMATION: Node = shown("ExtendedInformation", ExtendedInformationSummary::COLUMNS);
pub static ACCOUNT_BALANCE: Node = shown("AccountBalance", AccountBalanceSummary::COLUMNS);
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
pub static AUDIT_ENTRY: Node = Node { readers: Readers::Auditors, ..shown("AuditEntry", AuditEntrySummary::COLUMNS) };

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
    /// When the present record came.
    pub recorded_at: Option<Timestamp>,
    /// Who has sent it, by id; those that an older program has kept have none.
    pub recorded_by: Option<String>,
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
    recorded_at: "{b}.recordedAt",
    recorded_by: "{b}.recordedBy",
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
    /// When the present record came.
    pub recorded_at: Option<Timestamp>,
    /// Who has sent it, by id; those that an older program has kept have none.
    pub recorded_by: Option<String>,
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
    recorded_at: "{b}.recordedAt",
    recorded_by: "{b}.recordedBy",
});

summary! {
    /// What was known of an actor or account as of a date.
    VersionSummary {
        as_of_date: Date = "{b}.asOfDate";
        recorded_at: Timestamp = "{b}.recordedAt";
        /// Who has sent it, by id; those that an older program has kept have none.
        recorded_by: Option<String> = "{b}.recordedBy";
    }
}

summary! {
    /// A balance of an account at the end of a day.
    AccountBalanceSummary {
        as_of_date: Date = "{b}.asOfDate";
        /// With the digits that it was sent with.
        given: AccountBalanceRecord = "{b}.record";
        recorded_by: Option<String> = "{b}.recordedBy";
    }
}

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
    /// When the present record came.
    pub recorded_at: Option<Timestamp>,
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
    recorded_at: "{b}.recordedAt",
});

summary! {
    /// What was known of a transaction until another record took its place.
    TransactionVersionSummary {
        known_from: Timestamp = "{b}.knownFrom";
        known_until: Timestamp = "{b}.knownUntil";
        amount: Money = "[{b}.amountUnits, {b}.amountNanos]";
        currency: String = "{b}.currency";
        standardized_amount: Money = "[{b}.standardUnits, {b}.standardNanos]";
        created_at: Timestamp = "{b}.createdAt";
        direction: Direction = "{b}.direction";
        status: TransactionStatus = "{b}.status";
        description: Option<String> = "{b}.description";
        counterparty_name: Option<String> = "{b}.counterpartyName";
        account_id: Arc<str> = "{b}.accountId";
        account_owner_id: Arc<str> = "{b}.accountOwnerId";
        sender_id: Option<String> = "{b}.senderId";
        receiver_id: Option<String> = "{b}.receiverId";
    }
}

/// What is shown of a branch or machine.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelLocationSummary {
    pub kind: Option<ChannelLocationType>,
    pub street: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    pub state: Option<String>,
    pub country: Option<String>,
    /// When the present record came.
    pub recorded_at: Option<Timestamp>,
}

columns!(ChannelLocationSummary {
    // One that payments have only named has no type, and the embedded engine would make one up.
    kind: "CASE WHEN {b}.record IS NULL THEN null ELSE {b}.type END",
    street: "{b}.street",
    city: "{b}.city",
    postal_code: "{b}.postalCode",
    state: "{b}.state",
    country: "{b}.country",
    recorded_at: "{b}.recordedAt",
});

/// What is shown of a device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceSummary {
    pub known: bool,
    pub kind: Option<String>,
    pub blocked: Option<bool>,
    pub metadata: Option<JsonObject>,
    /// When the present record came.
    pub recorded_at: Option<Timestamp>,
}

columns!(DeviceSummary {
    known: "{b}.recordedAt IS NOT NULL",
    kind: "{b}.kind",
    blocked: "{b}.blocked",
    metadata: "{b}.metadata",
    recorded_at: "{b}.recordedAt",
});

summary! {
    /// A signal that was kept from becoming an observation.
    SuppressedSignalSummary {
        signal_id: i64 = "{b}.signalId";
        actor_id: ActorId = "{b}.actorId";
        rule_id: Option<String> = "{b}.ruleId";
        review_date: Date = "{b}.reviewDate";
        detection_method_name: Option<String> = "{b}.detectionMethodName";
        decision_reason: Option<String> = "{b}.decisionReason";
        data_source: Option<String> = "{b}.dataSource";
    }
}

summary! {
    /// What a provider has said of a payment or an actor.
    ScreeningSummary {
        operation: ScreeningOperation = "{b}.operation";
        provider_name: String = "{b}.providerName";
        response: ScreeningResponse = "{b}.response";
        screened_at: Timestamp = "{b}.screenedAt";
        score: Option<f64> = "{b}.score";
        reason: Option<String> = "{b}.reason";
        /// `LIST/VERSION`.
        // Those that an older program has kept have none.
        list_versions: Vec<String> = "coalesce({b}.listVersions, [])";
        /// `LIST/ENTRY`.
        cleared: Vec<String> = "coalesce({b}.cleared, [])";
    }
}

summary! {
    /// That somebody has cleared a party of an entry of a watchlist.
    ClearedMatchSummary {
        /// `LIST/ENTRY`.
        entry: String = "{b}.entry";
        entry_name: String = "{b}.entryName";
        /// `LIST/VERSION`.
        list_version: String = "{b}.listVersion";
        /// The party's name, as it was searched for.
        party_name: String = "{b}.partyName";
        until: Timestamp = "{b}.until";
        reason: String = "{b}.reason";
        cleared_at: Timestamp = "{b}.clearedAt";
        cleared_by: String = "{b}.clearedBy";
        cleared_by_name: String = "{b}.clearedByName";
        ended_at: Option<Timestamp> = "{b}.endedAt";
        ended_by: Option<String> = "{b}.endedBy";
        ended_by_name: Option<String> = "{b}.endedByName";
        end_reason: Option<String> = "{b}.endReason";
    }
}

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

summary! {
    /// An item of a bulk request that is asked for by its id, waits or has failed.
    BulkItemSummary {
        list: BulkList = "{b}.list";
        subject: Option<String> = "{b}.subject";
        state: BulkItemState = "{b}.state";
        /// `Actor/17`.
        missing: Vec<String> = "{b}.missing";
        faults: Vec<String> = "{b}.faults";
        attempts: i64 = "{b}.attempts";
        created_at: Timestamp = "{b}.createdAt";
        processed_at: Option<Timestamp> = "{b}.processedAt";
        due_at: Option<Timestamp> = "{b}.dueAt";
    }
}

summary! {
    /// A category of segmentation; its name is its caption.
    CategorySummary {
        description: Option<String> = "{b}.description";
        kind: SegmentationType = "{b}.type";
        created_at: Timestamp = "{b}.createdAt";
        changed_at: Timestamp = "{b}.changedAt";
        created_by: String = "{b}.createdBy";
        changed_by: String = "{b}.changedBy";
        /// By id; nobody knows of what was made, or changed last, before that was kept.
        created_by_id: Option<String> = "{b}.createdById";
        changed_by_id: Option<String> = "{b}.changedById";
    }
}

summary! {
    /// A group of a category; its name is its caption.
    GroupSummary {
        description: Option<String> = "{b}.description";
        category_id: SegmentationCategoryId = "{b}.categoryId";
        created_at: Timestamp = "{b}.createdAt";
        changed_at: Timestamp = "{b}.changedAt";
        created_by: String = "{b}.createdBy";
        changed_by: String = "{b}.changedBy";
        /// By id; nobody knows of what was made, or changed last, before that was kept.
        created_by_id: Option<String> = "{b}.createdById";
        changed_by_id: Option<String> = "{b}.changedById";
    }
}

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
    pub created_at: Timestamp,
    pub changed_at: Timestamp,
    /// By id.
    pub changed_by: Option<String>,
}

columns!(PropertySummary {
    entity: "{b}.entity",
    schema: "{b}.schema",
    created_at: "{b}.createdAt",
    changed_at: "coalesce({b}.changedAt, {b}.createdAt)",
    changed_by: "{b}.changedBy",
});

impl Node {
    /// Whether it is what identifies actors or accounts: to GraphQL those are one type.
    pub fn is_identity(&self) -> bool {
        matches!(self.label, "Phone" | "Email" | "Address" | "GovernmentId" | "Reference" | "AccountIdentifier")
    }
}

//! Transactions: one payment as one side of it reported it.

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    account::check_amount,
    code::TransactionCurrency,
    date::{Date, EpochSeconds},
    fault::Fault,
    given::Input,
    id::{self, AccountId, ActorId, ChannelLocationId, DeviceId, PartyId, TransactionId},
    json_object::JsonObject,
    number::Number,
};

/// Which way the money went, seen from `account_id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Direction {
    Inbound,
    Outbound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TransactionStatus {
    Cancelled,
    Completed,
    Failed,
    Pending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Channel {
    Atm,
    Branch,
    Online,
    Pos,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Method {
    Card,
    Cash,
    Check,
    Virtual,
    WireTransfer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Purpose {
    BillPayment,
    Chargeback,
    Closing,
    Correction,
    Fee,
    Funding,
    InterestPayment,
    IntraActor,
    PayIn,
    PayOut,
    PrincipalPayment,
    Refund,
    Reverse,
    Settlement,
}

/// A transaction as it is ingested and read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TransactionRecord {
    pub id: TransactionId,
    pub account_id: AccountId,
    /// The monitored actor. When both sides are customers, a second transaction says the other side.
    pub account_owner_id: ActorId,
    pub amount: AmountRecord,
    pub counterparty: Counterparty,
    /// Seconds since 1970, decimals allowed.
    pub created_at: EpochSeconds,
    pub direction: Direction,
    /// The amount in the platform's default currency.
    pub standardized_amount: Number,
    pub status: TransactionStatus,
    /// Settled balance in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_balance: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel_location_id: Option<ChannelLocationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<TransactionDeviceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// Who performed the transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_name: Option<String>,
}

impl Input for TransactionRecord {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_amount("amount.value", Some(&self.amount.value), faults);
        check_amount("standardized_amount", Some(&self.standardized_amount), faults);
        check_amount("account_balance", self.account_balance.as_ref(), faults);
        check_party_id(self.counterparty.object, self.counterparty.id.as_ref(), faults);
    }
}

/// An amount and its currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AmountRecord {
    pub value: Number,
    pub currency: TransactionCurrency,
}

/// The device a transaction was made with, and from where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TransactionDeviceRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<DeviceId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<String>,
}

/// What the counterparty is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CounterpartyObject {
    Empty,
    Individual,
    AccountInfo,
    LegalEntity,
    NamedEntity,
}

/// The other side of a payment. Every kind of it may carry any of these fields. `date_of_registration`,
/// `account_info.id` and `industry.type` are shown for bulk ingestion only; they are taken here too, so that a
/// transaction says the same whichever way it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "CounterpartyRecord")]
pub struct Counterparty {
    pub object: CounterpartyObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<PartyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birth_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_registration: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_addresses: Option<Vec<PostalAddressRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_info: Option<AccountInfoRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub industry: Option<CounterpartyIndustryRecord>,
    /// Key `identifiable_as_actor` (text or truth value) says that `id` is an actor's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}

/// Where a counterparty is an account, its id may not be one of the service's own.
pub(crate) fn check_party_id(object: CounterpartyObject, id: Option<&PartyId>, faults: &mut Vec<Fault>) {
    if object == CounterpartyObject::AccountInfo && id.is_some_and(|id| !id::is_account_id(id.as_str())) {
        faults.push(Fault::new("counterparty.id", id::ACCOUNT_ID_RULE));
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PostalAddressRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountInfoRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<AccountId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iban: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CounterpartyIndustryRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification_identifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
}

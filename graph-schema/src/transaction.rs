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
    /// The account received the money.
    Inbound,
    /// The account sent the money.
    Outbound,
}

/// How far a payment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TransactionStatus {
    /// The payment was called off before it was carried out.
    Cancelled,
    /// The money has moved. Sums and detection count these payments alone.
    Completed,
    /// The payment could not be carried out.
    Failed,
    /// The payment is not carried out yet.
    Pending,
}

/// The channel by which a payment was ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Channel {
    /// A cash machine (automated teller machine).
    Atm,
    /// A branch of the bank.
    Branch,
    /// Online or mobile banking.
    Online,
    /// A terminal at the point of sale.
    Pos,
    /// The sender does not know the channel.
    Unknown,
}

/// The means by which a payment was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Method {
    /// A debit, credit or prepaid card.
    Card,
    /// Notes and coins.
    Cash,
    /// A cheque.
    Check,
    /// A virtual means of payment, by the sender's own classification.
    Virtual,
    /// A transfer between accounts of banks.
    WireTransfer,
}

/// What a payment is for, as the sender classifies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Purpose {
    /// The payment of a bill.
    BillPayment,
    /// A card payment that goes back to the payer after a dispute.
    Chargeback,
    /// The payout of what is left when an account or contract is closed.
    Closing,
    /// The correction of an earlier booking.
    Correction,
    /// A fee or charge.
    Fee,
    /// Money that funds an account or a contract.
    Funding,
    /// Interest that is paid or charged.
    InterestPayment,
    /// A transfer between two accounts of one actor.
    IntraActor,
    /// Money that is paid into an account.
    PayIn,
    /// Money that is paid out of an account.
    PayOut,
    /// A payment on the principal of a loan.
    PrincipalPayment,
    /// Money that a payee gives back.
    Refund,
    /// The reversal of an earlier payment.
    Reverse,
    /// The settlement of a trade or of an open balance.
    Settlement,
}

/// A transaction as it is ingested and read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TransactionRecord {
    /// The id of the transaction in the sender's system: 1 to 256 characters. The same id again updates it.
    pub id: TransactionId,
    /// The account whose side reports the payment. Its record may come later.
    pub account_id: AccountId,
    /// The monitored actor. When both sides are customers, a second transaction says the other side.
    pub account_owner_id: ActorId,
    /// The amount in the currency of the payment.
    pub amount: AmountRecord,
    /// The other side of the payment.
    pub counterparty: Counterparty,
    /// Seconds since 1970, decimals allowed.
    pub created_at: EpochSeconds,
    /// Whether the account sent or received the money.
    pub direction: Direction,
    /// The amount in the platform's default currency.
    pub standardized_amount: Number,
    /// How far the payment is. Sums and detection count `COMPLETED` ones alone.
    pub status: TransactionStatus,
    /// Settled balance in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_balance: Option<Number>,
    /// The channel by which the payment was ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// The branch or machine at which it was made: a channel location that was ingested before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel_location_id: Option<ChannelLocationId>,
    /// Fields of the sender's own, as a JSON object. The service keeps them unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    /// The text of the payment, such as its reference for the payee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The device that ordered the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<TransactionDeviceRecord>,
    /// Attributes of the payment. `exclude_from_monitoring` leaves it out of detection; `international` makes it cross-border.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// The means by which it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// What the payment is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// Who performed the transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The name of the person or system that performed the transaction.
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
    /// The amount as a decimal number, exact; at most 10^15 either way. It may be negative.
    pub value: Number,
    /// Three to twelve capital letters or digits: a code of ISO 4217, or a token such as `USDT`.
    pub currency: TransactionCurrency,
}

/// The device a transaction was made with, and from where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TransactionDeviceRecord {
    /// The id of the device in the sender's system. Sign-ins with the device have the same id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<DeviceId>,
    /// The IPv4 or IPv6 address from which the payment was ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<String>,
}

/// What the counterparty is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CounterpartyObject {
    /// The sender knows nothing that identifies the counterparty.
    Empty,
    /// A natural person.
    Individual,
    /// An account alone. `id` is then the id of the account.
    AccountInfo,
    /// A company or another organisation.
    LegalEntity,
    /// A party that is known by its name alone, be it a person or an organisation.
    NamedEntity,
}

/// The other side of a payment. Every kind of it may carry any of these fields. `date_of_registration`,
/// `account_info.id` and `industry.type` are shown for bulk ingestion only; they are taken here too, so that a
/// transaction says the same whichever way it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "CounterpartyRecord")]
pub struct Counterparty {
    /// The kind of party. It decides what `id` is an id of.
    pub object: CounterpartyObject,
    /// The id of the counterparty in the sender's system: of an account, of an actor, or of neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<PartyId>,
    /// The name of the person or organisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The day of birth of a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birth_date: Option<Date>,
    /// The day on which an organisation was registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_registration: Option<Date>,
    /// Postal addresses of the counterparty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_addresses: Option<Vec<PostalAddressRecord>>,
    /// The account of the counterparty. Its IBAN or number leads to the account in the graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_info: Option<AccountInfoRecord>,
    /// The line of business of the counterparty.
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

/// A postal address of a counterparty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PostalAddressRecord {
    /// The lines of the street address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
    /// The postal code, in the country's own form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    /// The town or city.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The state, province or region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The country, as the sender writes it. A code of ISO 3166-1 alpha-2 counts for rules on countries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The place in other words, where the address is not known by its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

/// The counterparty's account, as the payment names it. Any of these fields may be absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountInfoRecord {
    /// The sender's id of the account. An account whose own record names the IBAN or number takes precedence over it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<AccountId>,
    /// The name of the bank that holds the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_name: Option<String>,
    /// The Business Identifier Code of the bank (ISO 9362). Eight letters and the same with `XXX` count as one bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bic: Option<String>,
    /// The national code of the bank, such as a German Bankleitzahl or a US routing number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_code: Option<String>,
    /// The number of the account at its bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_number: Option<String>,
    /// The International Bank Account Number. It identifies an account only with its country's length and right check digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iban: Option<String>,
    /// The country of the account, as the sender writes it. A code of ISO 3166-1 alpha-2 counts for rules on countries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// The line of business of the counterparty, by a code of a classification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CounterpartyIndustryRecord {
    /// The classification that has the code, such as `NACE` or `MCC`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification_identifier: Option<String>,
    /// The code within that classification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The kind of code, in the sender's own words.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
}

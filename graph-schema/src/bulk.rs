//! The snake_case forms of bulk ingestion and import, and the single forms they become.
//!
//! Fields are those of the reference's "Bulk entities" table. `into_single` writes the single form's text with the
//! numbers as they came. What has no field there goes where a reader looks for it: `street` becomes `line1` and
//! `line2`, a date-time becomes epoch seconds with its decimals; what has no place at all goes under
//! `customData.bulk`.

mod case;
mod communication;
mod ingest;
mod observation;
mod progress;
mod segmentation;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use case::{BulkCase, BulkCaseFields, SingleCase};
pub use communication::BulkCommunication;
pub use ingest::{BulkIngest, BulkList, BulkLists, MAX_ITEMS, read};
pub use observation::{BulkObservation, BulkObservationRule};
pub use progress::{BulkCaseStatus, BulkItemState, DeadLetter, MissingRelation, MissingRelations, RelationKind};
pub use segmentation::BulkActorSegmentationGroup;

use crate::{
    account::check_amount,
    account::{AccountActorRecord, AccountActors, AccountBalance, AccountRecord, AccountStatus, AccountType},
    actor::{ActorRecord, ActorStatus, ActorSubType, ActorType, AddressRecord, Gender, GovernmentIdRecord, PhoneRecord, ReferenceRecord},
    associate::{ActorAssociates, AssociateRecord},
    code::{Country, Currency, Nationality},
    date::{Date, DateTimeText},
    fault::Fault,
    given::{Given, Input},
    id::PartyId,
    id::{AccountId, ActorId, ChannelLocationId, TransactionId},
    json_object::JsonObject,
    number::Number,
    transaction::{
        AccountInfoRecord, AmountRecord, Channel, Counterparty, CounterpartyIndustryRecord, CounterpartyObject, Direction, Method,
        PostalAddressRecord, Purpose, TransactionDeviceRecord, TransactionRecord, TransactionStatus, check_party_id,
    },
};

/// An actor of a bulk list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkActor {
    pub id: ActorId,
    #[serde(rename = "type")]
    pub kind: ActorType,
    pub as_of_date: Date,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<Vec<BulkAddress>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_since: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_birth: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domicile: Option<Country>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub government_ids: Option<Vec<BulkGovernmentId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nationality: Option<Nationality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phones: Option<Vec<BulkPhone>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<BulkReference>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ActorStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtypes: Option<Vec<ActorSubType>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkAddress {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkGovernmentId {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuing_authority: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkPhone {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkReference {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_name: Option<String>,
}

/// An account of a bulk list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkAccount {
    pub id: AccountId,
    pub account_type: AccountType,
    pub as_of_date: Date,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iban: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<BulkReference>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AccountStatus>,
}

/// A role of an actor on an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkAccountActor {
    pub account_id: AccountId,
    pub actor_id: ActorId,
    #[schema(min_length = 1)]
    pub actor_role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
}

/// A balance of an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkAccountBalance {
    pub account_id: AccountId,
    pub currency: Currency,
    pub current: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<Number>,
}

/// A line of `associates.ndjson`: an actor and the body of Add Actor Associates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkActorAssociates {
    pub actor_id: ActorId,
    #[serde(rename = "actorAssociates")]
    pub actor_associates: Vec<AssociateRecord>,
    /// Today, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
    /// The same, by the body's name for it.
    #[serde(skip_serializing_if = "Option::is_none", rename = "asOfDate")]
    pub as_of_date_of_body: Option<Date>,
}

/// A transaction of a bulk list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkTransaction {
    pub id: TransactionId,
    pub account_id: AccountId,
    pub account_owner_id: ActorId,
    pub amount: AmountRecord,
    pub counterparty: BulkCounterparty,
    /// RFC 3339, with any decimals.
    pub created_at: DateTimeText,
    pub direction: Direction,
    pub standardized_amount: Number,
    pub status: TransactionStatus,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_name: Option<String>,
}

/// The counterparty of a bulk transaction: `type` says what the single form calls `object`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkCounterparty {
    #[serde(rename = "type")]
    pub kind: CounterpartyObject,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}

impl Input for BulkActor {}
impl Input for BulkAccount {}
impl Input for BulkAccountActor {}

impl Input for BulkAccountBalance {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_amount("current", Some(&self.current), faults);
        check_amount("available", self.available.as_ref(), faults);
    }
}

impl Input for BulkActorAssociates {}

impl Input for BulkTransaction {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_amount("amount.value", Some(&self.amount.value), faults);
        check_amount("standardized_amount", Some(&self.standardized_amount), faults);
        check_amount("account_balance", self.account_balance.as_ref(), faults);
        check_party_id(self.counterparty.kind, self.counterparty.id.as_ref(), faults);
    }
}

/// What of a phone has no field in the single form.
#[derive(Serialize)]
struct LeftOver<'a> {
    phones: Vec<Option<&'a JsonObject>>,
}

impl BulkActor {
    /// The actor in its single form.
    pub fn into_single(self) -> Given<ActorRecord> {
        let custom_data = with_left_over(self.custom_data, self.phones.as_deref());
        let mut actor = ActorRecord::new(self.id, self.kind, self.as_of_date);
        actor.addresses = each(self.addresses);
        actor.custom_data = custom_data;
        actor.customer_since = self.customer_since;
        actor.data_source = self.data_source;
        actor.date_of_birth = self.date_of_birth;
        actor.domicile = self.domicile;
        actor.name = self.name;
        actor.gender = self.gender;
        actor.government_ids = each(self.government_ids);
        actor.metadata = self.metadata;
        actor.nationality = self.nationality;
        actor.phones = each(self.phones);
        actor.references = each(self.references);
        actor.status = self.status;
        actor.sub_type = self.subtypes;
        made(actor)
    }
}

impl BulkAccount {
    /// The account in its single form.
    pub fn into_single(self) -> Given<AccountRecord> {
        let mut account = AccountRecord::new(self.id, self.account_type, self.as_of_date);
        account.account_number = self.account_number;
        account.bank_code = self.bank_code;
        account.custom_data = self.custom_data;
        account.iban = self.iban;
        account.metadata = self.metadata;
        account.name = self.name;
        account.opened_date = self.opened_date;
        account.references = each(self.references);
        account.data_source = self.data_source;
        account.status = self.status;
        made(account)
    }
}

impl BulkAccountActor {
    /// The account, and its one actor as the single form has it.
    pub fn into_single(self) -> (AccountId, Given<AccountActors>) {
        let actor = AccountActorRecord { id: self.actor_id, role: self.actor_role };
        let actors = AccountActors { actors: vec![actor], as_of_date: self.as_of_date };
        (self.account_id, made(actors))
    }
}

impl BulkAccountBalance {
    /// The account, and its balance as the single form has it.
    pub fn into_single(self) -> (AccountId, Given<AccountBalance>) {
        let balance =
            AccountBalance { currency: self.currency, current: self.current, as_of_date: self.as_of_date, available: self.available, kind: None };
        (self.account_id, made(balance))
    }
}

impl BulkActorAssociates {
    /// The actor, and its associates as the single form has them.
    pub fn into_single(self) -> (ActorId, Given<ActorAssociates>) {
        let associates = ActorAssociates { actor_associates: self.actor_associates, as_of_date: self.as_of_date.or(self.as_of_date_of_body) };
        (self.actor_id, made(associates))
    }
}

impl BulkTransaction {
    /// The transaction in its single form.
    pub fn into_single(self) -> Given<TransactionRecord> {
        made(TransactionRecord {
            id: self.id,
            account_id: self.account_id,
            account_owner_id: self.account_owner_id,
            amount: self.amount,
            counterparty: self.counterparty.into(),
            created_at: self.created_at.epoch_seconds(),
            direction: self.direction,
            standardized_amount: self.standardized_amount,
            status: self.status,
            account_balance: self.account_balance,
            channel: self.channel,
            channel_location_id: self.channel_location_id,
            custom_data: self.custom_data,
            description: self.description,
            device: self.device,
            metadata: self.metadata,
            method: self.method,
            purpose: self.purpose,
            user_id: self.user_id,
            user_name: self.user_name,
        })
    }
}

impl From<BulkCounterparty> for Counterparty {
    fn from(bulk: BulkCounterparty) -> Self {
        Self {
            object: bulk.kind,
            id: bulk.id,
            name: bulk.name,
            birth_date: bulk.birth_date,
            date_of_registration: bulk.date_of_registration,
            postal_addresses: bulk.postal_addresses,
            account_info: bulk.account_info,
            industry: bulk.industry,
            metadata: bulk.metadata,
        }
    }
}

impl From<BulkAddress> for AddressRecord {
    /// The first line of the street is `line1`, all others are `line2`.
    fn from(bulk: BulkAddress) -> Self {
        let mut street = bulk.street.unwrap_or_default().into_iter();
        let line1 = street.next();
        let others: Vec<String> = street.collect();
        Self {
            kind: bulk.kind,
            line1,
            line2: (!others.is_empty()).then(|| others.join(", ")),
            postcode: bulk.postal_code,
            city: bulk.city,
            state: bulk.state,
            country: bulk.country,
        }
    }
}

impl From<BulkGovernmentId> for GovernmentIdRecord {
    fn from(bulk: BulkGovernmentId) -> Self {
        Self { id: bulk.id, kind: bulk.kind, issuing_authority: bulk.issuing_authority, expiration_date: bulk.expiration_date }
    }
}

impl From<BulkPhone> for PhoneRecord {
    fn from(bulk: BulkPhone) -> Self {
        Self { kind: bulk.kind, number: bulk.number }
    }
}

impl From<BulkReference> for ReferenceRecord {
    fn from(bulk: BulkReference) -> Self {
        Self { id: bulk.id, system_name: bulk.system_name }
    }
}

fn each<A, B: From<A>>(items: Option<Vec<A>>) -> Option<Vec<B>> {
    items.map(|items| items.into_iter().map(B::from).collect())
}

/// The custom data with the phones' own under `bulk.phones`, one entry a phone; as it was when no phone has any.
fn with_left_over(custom_data: Option<JsonObject>, phones: Option<&[BulkPhone]>) -> Option<JsonObject> {
    let phones = phones.unwrap_or_default();
    if phones.iter().all(|phone| phone.custom_data.is_none()) {
        return custom_data;
    }
    let left_over = LeftOver { phones: phones.iter().map(|phone| phone.custom_data.as_ref()).collect() };
    let extended = custom_data.clone().unwrap_or_default().with("bulk", &left_over);
    // Plain text in plain structs: there is nothing in it that JSON can't say.
    extended.ok().or(custom_data)
}

fn made<T: Serialize>(value: T) -> Given<T> {
    // Only keys that are not text, and texts that are not JSON, can't be written. The structs have no maps, and every
    // raw text in them was read as JSON.
    Given::made(value).unwrap_or_else(|error| panic!("a record is always writable: {error}"))
}

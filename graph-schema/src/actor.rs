//! Actors: individuals and legal entities, and their exclusion from monitoring.
//!
//! Three names are not shown in the reference and are chosen here: `emails` (items `type`, `address`), the
//! deprecated reference object `employee`, and the two arrays of links, `relatedAccounts` and `externalRelations`
//! (objects of the sender's own).

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    code::{Country, Nationality},
    date::{Date, Timestamp},
    given::Input,
    id::ActorId,
    identity::visible,
    json_object::JsonObject,
};

/// What an actor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActorType {
    /// A natural person.
    Individual,
    /// A company or another organisation with rights of its own.
    LegalEntity,
}

/// The gender of a person, as the sender recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Gender {
    /// A person who is recorded as female.
    Female,
    /// A person who is recorded as male.
    Male,
    /// Neither female nor male.
    Other,
    /// The sender does not know or tell it.
    Unspecified,
}

/// Whether the business relationship with an actor lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActorStatus {
    /// The relationship lasts.
    Active,
    /// The relationship has ended. Detection does not monitor the actor.
    Terminated,
}

/// What an actor is to the institution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActorSubType {
    /// A customer of the institution.
    Customer,
    /// An employee of the institution.
    Employee,
    /// A merchant that accepts payments.
    Merchant,
    /// A payment service provider.
    Psp,
}

/// How far the data of an actor were verified, as the sender reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ValidationStatus {
    /// The data were verified in customer due diligence.
    DueDiligence,
    /// Somebody entered the data by hand.
    ManualEntry,
    /// Nobody has verified the data.
    Unvalidated,
    /// The data were verified.
    Validated,
    /// A vendor of data supplied them.
    VendorSuppliedData,
}

/// The deprecated switch of actors and accounts; it has no effect on monitoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Monitored {
    /// The sender asks for monitoring. The service ignores it.
    Yes,
    /// The sender asks for no monitoring. The service ignores it.
    No,
}

/// An actor as it is ingested and read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActorRecord {
    /// Date the record became valid.
    pub as_of_date: Date,
    /// The id of the actor in the sender's system: 1 to 256 characters. The same id again updates the actor.
    pub id: ActorId,
    /// A natural person, or a legal entity.
    #[serde(rename = "type")]
    #[graphql(name = "type")]
    pub kind: ActorType,
    /// Postal addresses. Actors with an equal address share an identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<Vec<AddressRecord>>,
    /// Fields of the sender's own, as a JSON object. Runs of detection select actors by its `lineOfBusiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    /// The day on which the business relationship began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_since: Option<Date>,
    /// Identifier of the originating system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    /// The day of birth of a person, at latest today.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_birth: Option<Date>,
    /// Name used for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Country of residence or seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domicile: Option<Country>,
    /// Email addresses. Actors with an equal address share an identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emails: Option<Vec<EmailRecord>>,
    /// The given name of a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// Names between the given name and the family name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle_name: Option<String>,
    /// The family name of a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// The full name of the person or legal entity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The gender of a person, as the sender recorded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    /// Documents and numbers that authorities issued. Actors with an equal one share an identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub government_ids: Option<Vec<GovernmentIdRecord>>,
    /// The time of ingestion as the sender states it. The service keeps it and does not set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingest_date: Option<Timestamp>,
    /// Deprecated; see `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
    /// What is known of a legal entity in particular; absent for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_entity: Option<LegalEntityRecord>,
    /// Technical attributes of the record, as a JSON object of the sender's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitored: Option<Monitored>,
    /// The nationality of a person: ISO 3166-1 alpha-2, `XK`, or a former country of ISO 3166-3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nationality: Option<Nationality>,
    /// Phone numbers. Actors with an equal number share an identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phones: Option<Vec<PhoneRecord>>,
    /// Ids of the actor in other systems. Actors with an equal reference share an identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceRecord>>,
    /// Whether the business relationship lasts. Detection leaves out actors that are `TERMINATED`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ActorStatus>,
    /// What the actor is to the institution; several may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_type: Option<Vec<ActorSubType>>,
    /// The country in which the actor is liable to tax, as the sender writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_residency: Option<String>,
    /// How far the data of the actor were verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_status: Option<ValidationStatus>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_classification: Option<JsonObject>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<JsonObject>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub employee: Option<JsonObject>,
    /// Links to accounts that have to do with the actor: JSON objects of the sender's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_accounts: Option<Vec<JsonObject>>,
    /// Links to objects of other systems: JSON objects of the sender's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_relations: Option<Vec<JsonObject>>,
}

impl ActorRecord {
    /// An actor of which only what is required is known.
    pub fn new(id: ActorId, kind: ActorType, as_of_date: Date) -> Self {
        Self {
            as_of_date,
            id,
            kind,
            addresses: None,
            custom_data: None,
            customer_since: None,
            data_source: None,
            date_of_birth: None,
            display_name: None,
            domicile: None,
            emails: None,
            first_name: None,
            middle_name: None,
            last_name: None,
            name: None,
            gender: None,
            government_ids: None,
            ingest_date: None,
            is_active: None,
            legal_entity: None,
            metadata: None,
            monitored: None,
            nationality: None,
            phones: None,
            references: None,
            status: None,
            sub_type: None,
            tax_residency: None,
            validation_status: None,
            access_classification: None,
            classification: None,
            employee: None,
            related_accounts: None,
            external_relations: None,
        }
    }

    /// The name a human knows the actor by: what is to be displayed, else the full name, else its parts, else the id.
    pub fn caption(&self) -> String {
        let whole = [&self.display_name, &self.name].into_iter().flatten().find_map(|name| visible(name));
        if let Some(name) = whole {
            return name.to_owned();
        }
        let parts: Vec<&str> =
            [&self.first_name, &self.middle_name, &self.last_name].into_iter().flatten().filter_map(|part| visible(part)).collect();
        if parts.is_empty() { self.id.to_string() } else { parts.join(" ") }
    }

    /// The country that a phone number without a country code belongs to: the domicile, else the first address's
    /// country when it is a code, else the nationality.
    pub fn region(&self) -> Option<&str> {
        let of_address = || {
            let addresses = self.addresses.iter().flatten();
            let mut countries = addresses.filter_map(|address| address.country.as_deref());
            countries.find(|country| crate::code::is_country(country))
        };
        self.domicile.as_ref().map(Country::as_str).or_else(of_address).or_else(|| self.nationality.as_ref().map(Nationality::as_str))
    }
}

impl Input for ActorRecord {}

/// A postal address of an actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(Default)]
pub struct AddressRecord {
    /// The use of the address in the sender's words, such as `HOME` or `REGISTERED`.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// The street with the number of the house, or the box. Without one the address identifies nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line1: Option<String>,
    /// A second line, such as the flat, floor or building.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line2: Option<String>,
    /// The postal code, in the country's own form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postcode: Option<String>,
    /// The town or city.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The state, province or region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The country, as the sender writes it; best a code of ISO 3166-1 alpha-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// An email address of an actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmailRecord {
    /// The use of the address in the sender's words, such as `WORK`.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// The email address. Case does not tell two apart; an international domain equals its ASCII form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

/// A phone number of an actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PhoneRecord {
    /// The use of the number in the sender's words, such as `MOBILE`.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// The number in any usual spelling. Without a country code it belongs to the actor's domicile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// A passport, tax number or the like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GovernmentIdRecord {
    /// The number of the document, or the number that the authority gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The kind of document or number in the sender's words, such as `PASSPORT`. Equal numbers of two types are two identities.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// The authority that issued it. Equal numbers of two authorities are two identities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuing_authority: Option<String>,
    /// The last day on which the document is valid; null when it does not expire or the sender does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_date: Option<Date>,
}

/// The record's id in another system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReferenceRecord {
    /// The id in that system, compared character by character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The name of that system. Equal ids of two systems are two identities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_name: Option<String>,
}

/// What is known of a legal entity in particular.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegalEntityRecord {
    /// The day on which the entity was registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_registration: Option<Date>,
    /// The legal form in the sender's words, such as `GMBH` or `TRUST`.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// Industries in which the entity works, by codes of classifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub industry: Option<Vec<IndustryRecord>>,
}

/// A code of an industry classification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndustryRecord {
    /// The code within the classification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The classification that has the code, such as `NACE`, in the sender's words.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
}

/// How an actor is monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ExclusionType {
    /// As usual; it takes an exclusion back.
    Monitored,
    /// Not at all.
    NotMonitored,
    /// As usual, but what is found becomes a suppressed signal.
    Suppressed,
}

/// Whether an actor is monitored from some moment on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "ActorExclusionRecord")]
pub struct ActorExclusion {
    pub exclusion_type: ExclusionType,
    /// Now, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_at: Option<Timestamp>,
}

impl Input for ActorExclusion {}

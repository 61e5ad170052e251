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
    Individual,
    LegalEntity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Gender {
    Female,
    Male,
    Other,
    Unspecified,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActorStatus {
    Active,
    Terminated,
}

/// What an actor is to the institution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ActorSubType {
    Customer,
    Employee,
    Merchant,
    Psp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ValidationStatus {
    DueDiligence,
    ManualEntry,
    Unvalidated,
    Validated,
    VendorSuppliedData,
}

/// The deprecated switch of actors and accounts; it has no effect on monitoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Monitored {
    Yes,
    No,
}

/// An actor as it is ingested and read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActorRecord {
    /// Date the record became valid.
    pub as_of_date: Date,
    pub id: ActorId,
    #[serde(rename = "type")]
    #[graphql(name = "type")]
    pub kind: ActorType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<Vec<AddressRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_since: Option<Date>,
    /// Identifier of the originating system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_birth: Option<Date>,
    /// Name used for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Country of residence or seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domicile: Option<Country>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emails: Option<Vec<EmailRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub government_ids: Option<Vec<GovernmentIdRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingest_date: Option<Timestamp>,
    /// Deprecated; see `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_entity: Option<LegalEntityRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitored: Option<Monitored>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nationality: Option<Nationality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phones: Option<Vec<PhoneRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ActorStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_type: Option<Vec<ActorSubType>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_residency: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_accounts: Option<Vec<JsonObject>>,
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
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line1: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postcode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmailRecord {
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PhoneRecord {
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

/// A passport, tax number or the like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GovernmentIdRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuing_authority: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_date: Option<Date>,
}

/// The record's id in another system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReferenceRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_name: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegalEntityRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_registration: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub industry: Option<Vec<IndustryRecord>>,
}

/// A code of an industry classification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndustryRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ExclusionType {
    Monitored,
    NotMonitored,
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

//! What was known of actors and accounts as of dates, and of transactions until another record came.

use std::sync::Arc;

use async_graphql::{Context, ID, Result};
use graph_schema::account::AccountRecord;
use graph_schema::actor::ActorRecord;
use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::RecordingFields;
use graph_schema::money::Money;
use graph_schema::transaction::{Direction, TransactionRecord, TransactionStatus};
use graphql_service::principal::{Principal, principal};
use resolvers::explore::{Begin, ListFilter, Slice, Step, TransactionVersionSummary, VersionFilter, VersionSummary, Visit, link};
use serde::de::DeserializeOwned;

use super::account::AccountNode;
use super::actor::ActorNode;
use super::changes::{FieldChange, changes};
use super::connection::few;
use super::object::{graph_node, object_with_links};
use super::refused;
use super::walk::{At, Shown};
use crate::boxed;
use graphql_http::AnswerBudget;

/// The record of a node as it was given: the present one, or as it was known to be on a date.
#[boxed]
pub async fn record<T: DeserializeOwned>(context: &Context<'_>, at: &At, as_of: Option<Date>) -> Result<Option<T>> {
    let text = match as_of {
        Some(date) => record_as_of(context, at, date).await?,
        None => at.record(context).await?,
    };
    // What it is made of takes several times as much, but no more than in proportion.
    AnswerBudget::take(context, text.as_ref().map_or(0, |text| text.len()))?;
    let record = text.map(|text| serde_json::from_str(&text)).transpose();
    record.map_err(|error| refused(resolvers::Error::Internal(format!("a stored record of {}: {error}", at.node().label))))
}

/// That of the version with the latest date up to this one.
#[boxed]
async fn record_as_of(context: &Context<'_>, at: &At, date: Date) -> Result<Option<Arc<str>>> {
    let history = link(at.node(), "history").ok_or("it has no history")?;
    let slice = Slice { page: history.usual_page(), limit: 1, begin: Begin::AtStart, until: None };
    let then = Visit { record: true, ..Visit::of(history.to) };
    let conditions = history.conditions(&ListFilter::Versions(VersionFilter { as_of: Some(date) })).map_err(|error| refused(error.into()))?;
    let latest = Step { link: history, conditions, slice: Some(slice), counted: false, then };
    let found = at.ask(context, Visit { steps: vec![latest], ..Visit::of(at.node()) }).await?;
    Ok(found.and_then(|found| found.links[0].rows.first().and_then(|row| row.node.record.clone())))
}

/// The fields in which a record differs from the one before it, to which this field leads first; none where there is none.
#[boxed]
pub async fn changes_since(context: &Context<'_>, at: &At, field: &'static str) -> Result<Vec<FieldChange>> {
    let before = link(at.node(), field).ok_or("it has no version before")?;
    let slice = Slice { page: before.usual_page(), limit: 1, begin: Begin::AtStart, until: None };
    let then = Visit { record: true, ..Visit::of(before.to) };
    let step = Step { link: before, conditions: Vec::new(), slice: Some(slice), counted: false, then };
    let found = at.ask(context, Visit { record: true, steps: vec![step], ..Visit::of(at.node()) }).await?;
    let old = found.as_ref().and_then(|found| found.links[0].rows.first()?.node.record.clone());
    match old.zip(found.and_then(|found| found.record.clone())) {
        Some((old, new)) => changes(context, &old, &new),
        None => Ok(Vec::new()),
    }
}

/// What was known of an actor as of a date.
pub struct ActorVersion(Shown<VersionSummary>);

graph_node!(ActorVersion shows VersionSummary);

object_with_links! {
    /// What was known of an actor as of a date.
    ActorVersion as "ActorVersion" {
        /// The service's own id of the version.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ActorVersion:{}", self.0.at.id()))
        }

        /// The actor's record of that date, as it was given.
        async fn record(&self, context: &Context<'_>) -> Result<ActorRecord> {
            record(context, &self.0.at, None).await?.ok_or_else(|| "a version has no record".into())
        }

        /// The fields that differ from the version before it, by the date; empty where it is the first. A field that is null is as one that is not there.
        #[graphql(complexity = 31)]
        async fn changes(&self, context: &Context<'_>) -> Result<Vec<FieldChange>> {
            changes_since(context, &self.0.at, "previous").await
        }
    }
    shown {
        /// The date from which this version is valid. An actor has one version for each date.
        as_of_date: Date = |it| it.as_of_date;
        /// The time at which the service stored this version last.
        recorded_at: Timestamp = |it| it.recorded_at;
    }
    principals {
        /// The user, key or client that sent this version last; null for what was stored before that was kept.
        recorded_by = |it| it.recorded_by.as_deref();
    }
    leads_to {
        /// The version of the latest date before; null where it is the first.
        previous: ActorVersion;
    }
}

/// What was known of an account as of a date.
pub struct AccountVersion(Shown<VersionSummary>);

graph_node!(AccountVersion shows VersionSummary);

object_with_links! {
    /// What was known of an account as of a date.
    AccountVersion as "AccountVersion" {
        /// The service's own id of the version.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("AccountVersion:{}", self.0.at.id()))
        }

        /// The account's record of that date, as it was given.
        async fn record(&self, context: &Context<'_>) -> Result<AccountRecord> {
            record(context, &self.0.at, None).await?.ok_or_else(|| "a version has no record".into())
        }

        /// The fields that differ from the version before it, by the date; empty where it is the first. A field that is null is as one that is not there.
        #[graphql(complexity = 31)]
        async fn changes(&self, context: &Context<'_>) -> Result<Vec<FieldChange>> {
            changes_since(context, &self.0.at, "previous").await
        }
    }
    shown {
        /// The date from which this version is valid. An account has one version for each date.
        as_of_date: Date = |it| it.as_of_date;
        /// The time at which the service stored this version last.
        recorded_at: Timestamp = |it| it.recorded_at;
    }
    principals {
        /// The user, key or client that sent this version last; null for what was stored before that was kept.
        recorded_by = |it| it.recorded_by.as_deref();
    }
    leads_to {
        /// The version of the latest date before; null where it is the first.
        previous: AccountVersion;
    }
}

/// What a transaction said before another record took its place.
pub struct TransactionVersion(Shown<TransactionVersionSummary>);

graph_node!(TransactionVersion shows TransactionVersionSummary);

object_with_links! {
    /// What a transaction said before another record took its place.
    TransactionVersion as "TransactionVersion" {
        /// The service's own id of the version.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("TransactionVersion:{}", self.0.at.id()))
        }

        /// The record as it was given.
        async fn record(&self, context: &Context<'_>) -> Result<TransactionRecord> {
            record(context, &self.0.at, None).await?.ok_or_else(|| "a version has no record".into())
        }

        /// The fields that differ from the record that it had replaced; empty where it was the first, and where nobody knows since when it was known. A field
        /// that is null is as one that is not there.
        #[graphql(complexity = 31)]
        async fn changes(&self, context: &Context<'_>) -> Result<Vec<FieldChange>> {
            changes_since(context, &self.0.at, "previous").await
        }

        /// The user, key or client that sent it; null where the audit log does not have it, and for what was replaced before that was kept.
        async fn recorded_by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
            let said = few::<RecordingFields>(context, self).await?;
            principal(context, said.first().and_then(|recording| recording.by.as_deref())).await
        }
    }
    shown {
        /// When the service received it.
        known_from: Timestamp = |it| it.known_from;
        /// When another record took its place.
        known_until: Timestamp = |it| it.known_until;
        /// Exact to nine decimals; the record has them all.
        amount: Money = |it| it.amount;
        /// Three to twelve capital letters or digits: a code of ISO 4217, or a token such as `USDT`.
        currency: String = |it| it.currency.clone();
        /// The amount in the platform's default currency.
        standardized_amount: Money = |it| it.standardized_amount;
        /// The time at which the payment was made, as this record gave it.
        created_at: Timestamp = |it| it.created_at;
        /// Seen from `account`.
        direction: Direction = |it| it.direction;
        /// How far the payment was, by this record.
        status: TransactionStatus = |it| it.status;
        /// The text of the payment in this record; null when none was sent.
        description: Option<String> = |it| it.description.clone(), counted;
        /// The name of the other side in this record; null when it has none.
        counterparty_name: Option<String> = |it| it.counterparty_name.clone();
        /// The account whose side reported it.
        account_id: ID = |it| ID(it.account_id.to_string());
        /// The actor whose payment it was.
        owner_id: ID = |it| ID(it.account_owner_id.to_string());
        /// The account that the money came from, as far as it was known.
        sender_id: Option<ID> = |it| it.sender_id.clone().map(ID);
        /// The account that the money went to, as far as it was known.
        receiver_id: Option<ID> = |it| it.receiver_id.clone().map(ID);
    }
    leads_to {
        /// The account whose side reported it.
        account: AccountNode;
        /// The actor whose payment it was.
        owner: ActorNode;
        /// The record that it had replaced; null where it was the first.
        previous: TransactionVersion;
    }
}

//! Operations on accounts: what they are, who has a role on them, balances.

use std::borrow::Cow;
use std::sync::Arc;

use cypher::{Key, Value, map};
use graph_schema::account::{AccountActors, AccountBalance, AccountRecord};
use graph_schema::date::Date;
use graph_schema::given::Given;
use graph_schema::id::{AccountId, ActorId};
use graph_schema::identity;
use graph_schema::opaque::extended;

use crate::actor::distinct;
use crate::derived_id::version_id;
use crate::policy::{Action, may};
use crate::simple::SimpleWrite;
use crate::transaction::{identity_map, word};
use crate::versioned::VersionedWrite;
use crate::{Caller, Error, Inner, Resolvers, Result};

impl Resolvers {
    /// Add Account: stores the account, or updates it; answers with the record as it was given.
    pub async fn add_account(&self, caller: &Caller, given: Given<AccountRecord>) -> Result<Arc<str>> {
        may(caller, Action::Ingest)?;
        let write = self.inner.account_write(caller, &given);
        self.inner.writers.accounts.write(write).await?;
        Ok(given.record)
    }

    /// Add Account Balance: answers with the stored balance as JSON text: what was given, and `accountId`, `internalId`, `ingestDate`.
    pub async fn add_balance(&self, caller: &Caller, id: &AccountId, given: Given<AccountBalance>) -> Result<String> {
        may(caller, Action::Ingest)?;
        let (write, stored) = self.inner.balance_write(caller, id, &given);
        self.inner.writers.balances.write(write).await?;
        Ok(stored)
    }

    /// Add Actor to Account: gives actors roles; answers with what was given.
    pub async fn add_actors_to_account(&self, caller: &Caller, id: &AccountId, given: Given<AccountActors>) -> Result<Arc<str>> {
        may(caller, Action::Ingest)?;
        let write = self.inner.roles_write(caller, id, &given);
        self.inner.writers.roles.write(write).await?;
        Ok(given.record)
    }

    /// Remove Actor from Account: takes all the actor's roles on the account away. Not found when there was none.
    pub async fn remove_actor_from_account(&self, caller: &Caller, account: &AccountId, actor: &ActorId) -> Result<()> {
        may(caller, Action::Ingest)?;
        let key = format!("{account}\n{actor}");
        let row = map([("key", key.as_str().into()), ("id", account.as_str().into()), ("actor", actor.as_str().into())]);
        let removed = format!(r#"{{"actorId":{}}}"#, json(actor.as_str()));
        let trail = self.inner.trail(caller, "Account", account.as_str(), "account.actor.removed").removing(&removed);
        match self.inner.writers.role_removals.write(SimpleWrite { key, row, trail }).await? {
            Some(_) => Ok(()),
            None => Err(Error::NotFound("the actor has no role on this account: the relation does not exist".to_owned())),
        }
    }
}

impl Inner {
    pub(crate) fn account_write(&self, caller: &Caller, given: &Given<AccountRecord>) -> VersionedWrite {
        let account = &given.value;
        let id = account.id.as_str();
        let as_of = account.as_of_date.to_string();
        let now = self.clock.now().millis();
        let caption = account.caption();
        let trail = self.trail(caller, "Account", id, "account.recorded");
        let numbers = distinct(identity::account_keys(account));
        let references = distinct(account.references.iter().flatten().filter_map(identity::reference).collect());
        let present = map([
            ("id", id.into()),
            ("writeId", trail.write_id.as_str().into()),
            ("props", Value::Map(props(account, &caption, &given.record, now))),
            ("identifiers", Value::List(numbers.iter().map(identity_map).collect())),
            ("references", Value::List(references.iter().map(identity_map).collect())),
        ]);
        let version = map([
            ("name", format!("{caption} as of {as_of}").into()),
            ("asOfDate", as_of.as_str().into()),
            ("recordedAt", now.into()),
            ("record", (&*given.record).into()),
        ]);
        VersionedWrite {
            id: id.to_owned(),
            version: map([("id", id.into()), ("versionId", version_id(id, &as_of).into()), ("version", version)]),
            as_of,
            record: given.record.to_string(),
            present,
            numbers: numbers.into_iter().map(|number| number.id).collect(),
            trail,
        }
    }

    pub(crate) fn balance_write(&self, caller: &Caller, id: &AccountId, given: &Given<AccountBalance>) -> (SimpleWrite, String) {
        let value = &given.value;
        let now = self.clock.now();
        let trail = self.trail(caller, "Account", id.as_str(), "account.balance.recorded").saying(&given.record);
        let as_of = value.as_of_date.map_or_else(|| self.today(), |date| date.to_string());
        let kind = value.kind.as_ref().map(word);
        let balance_id = format!("{id}@{as_of}:{}{}", value.currency, if kind.is_some() { ":CLOSING" } else { "" });
        let stored = extended(
            &given.record,
            &[("accountId", &json(id.as_str())), ("internalId", &json(&trail.write_id)), ("ingestDate", &json(&now.to_string()))],
        );
        let balance = map([
            ("name", format!("{} {}", value.current.plain(), value.currency).into()),
            ("currency", value.currency.as_str().into()),
            ("current", value.current.to_f64().into()),
            ("available", value.available.as_ref().map(|number| number.to_f64()).into()),
            ("type", kind.into()),
            ("asOfDate", as_of.into()),
            ("ingestDate", now.millis().into()),
            ("record", stored.as_str().into()),
        ]);
        let row = map([("id", id.as_str().into()), ("balanceId", balance_id.into()), ("balance", balance)]);
        (SimpleWrite { key: id.as_str().to_owned(), row, trail }, stored)
    }

    pub(crate) fn roles_write(&self, caller: &Caller, id: &AccountId, given: &Given<AccountActors>) -> SimpleWrite {
        let as_of = given.value.as_of_date.map_or_else(|| self.today(), |date| date.to_string());
        let role = |actor: &graph_schema::account::AccountActorRecord| {
            map([("id", actor.id.as_str().into()), ("role", actor.role.as_str().into()), ("asOfDate", as_of.as_str().into())])
        };
        SimpleWrite {
            key: id.as_str().to_owned(),
            row: map([("id", id.as_str().into()), ("actors", Value::List(given.value.actors.iter().map(role).collect()))]),
            trail: self.trail(caller, "Account", id.as_str(), "account.actors.recorded").saying(&given.record),
        }
    }
}

/// A text as JSON.
pub(crate) fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The node's scalars. What is absent is null, so that an update removes it.
fn props(account: &AccountRecord, caption: &str, record: &str, now: i64) -> Vec<(Key, Value)> {
    let date = |date: Option<Date>| Value::from(date.map(|date| date.to_string()));
    let text = |text: &Option<String>| Value::from(text.as_deref());
    let fields = [
        ("name", caption.into()),
        ("accountType", word(&account.account_type)),
        ("asOfDate", account.as_of_date.to_string().into()),
        ("record", record.into()),
        ("recordedAt", now.into()),
        ("accountInDefault", account.account_in_default.into()),
        ("accountInDefaultDays", account.account_in_default_days.into()),
        ("accountNumber", text(&account.account_number)),
        ("bankCode", text(&account.bank_code)),
        ("iban", text(&account.iban)),
        ("accountName", text(&account.name)),
        ("productId", text(&account.product_id)),
        ("productType", text(&account.product_type)),
        ("closingBalance", account.closing_balance.as_ref().map(|number| number.to_f64()).into()),
        ("collateral", account.collateral.into()),
        ("depositable", account.depositable.into()),
        ("internal", account.internal.into()),
        ("terminated", account.terminated.into()),
        ("withdrawable", account.withdrawable.into()),
        ("currencyCode", account.currency_code.as_ref().map(|code| code.as_str()).into()),
        ("dataSource", text(&account.data_source)),
        ("domicile", account.domicile.as_ref().map(|country| country.as_str()).into()),
        ("ingestDate", account.ingest_date.map(|at| at.millis()).into()),
        ("monitored", account.monitored.as_ref().map(word).into()),
        ("openedDate", date(account.opened_date)),
        ("terminationDate", date(account.termination_date)),
        ("status", account.status.as_ref().map(word).into()),
        ("subType", account.sub_type.as_ref().map(word).into()),
        ("customData", account.custom_data.as_ref().map(|data| data.as_str()).into()),
        ("metadata", account.metadata.as_ref().map(|data| data.as_str()).into()),
    ];
    fields.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}

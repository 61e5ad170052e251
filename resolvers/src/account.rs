//! Operations on accounts: what they are, who has a role on them, balances.

pub(crate) mod roles;

use std::borrow::Cow;
use std::sync::Arc;

use cypher::{Key, Value, map, statements};
use graph_schema::account::{AccountActors, AccountBalance, AccountRecord};
use graph_schema::date::Date;
use graph_schema::given::Given;
use graph_schema::id::{AccountId, ActorId};
use graph_schema::json_object::with_fields_appended;

use crate::derived_id::version_id;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{LockHint, Put, Rank, Write};
use crate::values::{distinct, identity_map, json_text, word};
use crate::versioned::{RECORD_ACCOUNT, VersionedRow};
use crate::{Answered, Caller, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

pub(crate) use roles::CHANGE_ROLES;

impl Resolvers {
    /// Add Account: stores the account, or updates it; answers with the record as it was given.
    #[boxed]
    pub async fn add_account(&self, caller: &Caller, given: Given<AccountRecord>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Account", given.value.id.as_str()))?;
        let write = self.inner.account_write(&permit, &given)?;
        self.inner.answer_once(&permit, Once { key, body: &given.record }, Arc::clone(&given.record), &RECORD_ACCOUNT, write).await
    }

    /// Add Account Balance: answers with the stored balance as JSON text: what was given, and `accountId`, `internalId`, `ingestDate`.
    #[boxed]
    pub async fn add_balance(&self, caller: &Caller, id: &AccountId, given: Given<AccountBalance>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Account", id.as_str()))?;
        let (write, stored) = self.inner.balance_write(&permit, id, &given)?;
        self.inner.answer_once(&permit, Once { key, body: &given.record }, stored, &ADD_BALANCE, write).await
    }

    /// Add Actor to Account: gives actors roles; answers with what was given.
    #[boxed]
    pub async fn add_actors_to_account(
        &self,
        caller: &Caller,
        id: &AccountId,
        given: Given<AccountActors>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Account", id.as_str()))?;
        let write = self.inner.roles_write(&permit, id, &given)?;
        self.inner.answer_once(&permit, Once { key, body: &given.record }, Arc::clone(&given.record), &CHANGE_ROLES, write).await
    }

    /// Remove Actor from Account: takes all the actor's roles on the account away; answers with an empty object. Not found when there was none.
    #[boxed]
    pub async fn remove_actor_from_account(
        &self,
        caller: &Caller,
        account: &AccountId,
        actor: &ActorId,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Account", account.as_str()))?;
        let removed = format!(r#"{{"actorId":{}}}"#, json_text(actor.as_str()));
        let entry = self.inner.entry(&permit, "Account", account.as_str(), "account.actor.removed").with_old_value(removed.as_str());
        let write = self.inner.roles_removal(account, actor, entry);
        self.inner.answer_once(&permit, Once { key, body: &removed }, "{}", &CHANGE_ROLES, write).await
    }
}

pub static ADD_BALANCE: Put = Put::of(statements::account::ADD_BALANCE, Rank::Relation);

impl Inner {
    pub(crate) fn account_write(&self, permit: &Permit<'_>, given: &Given<AccountRecord>) -> Result<Write<VersionedRow>> {
        let account = &given.value;
        self.not_after_tomorrow("asOfDate", account.as_of_date)?;
        let id = account.id.as_str();
        let as_of = account.as_of_date.to_string();
        let now = self.clock.now().millis();
        let by = permit.caller().id.as_str();
        let caption = account.caption();
        let mut props = props(account, &caption, &given.record);
        props.push(("recordedAt".into(), now.into()));
        props.push(("recordedBy".into(), by.into()));
        let entry = self.entry(permit, "Account", id, "account.recorded");
        let numbers = distinct(self.identities.account_keys(account));
        let references = distinct(account.references.iter().flatten().filter_map(|reference| self.identities.reference(reference)).collect());
        let present = map([
            ("id", id.into()),
            ("writeId", entry.id().into()),
            ("props", Value::Map(props)),
            ("identifiers", Value::List(numbers.iter().map(identity_map).collect())),
            ("references", Value::List(references.iter().map(identity_map).collect())),
        ]);
        let version = map([
            ("name", format!("{caption} as of {as_of}").into()),
            ("asOfDate", as_of.as_str().into()),
            ("recordedAt", now.into()),
            ("recordedBy", by.into()),
            ("record", (&*given.record).into()),
        ]);
        let version_id = version_id(id, &as_of);
        let locks: Vec<LockHint> = numbers
            .iter()
            .map(|number| LockHint::of("AccountIdentifier", &number.id))
            .chain(references.iter().map(|reference| LockHint::of("Reference", &reference.id)))
            .collect();
        let row = VersionedRow {
            id: id.to_owned(),
            version: map([("id", id.into()), ("versionId", version_id.as_str().into()), ("version", version)]),
            version_id,
            as_of,
            record: given.record.to_string(),
            present,
            numbers,
            only_first: false,
        };
        Ok(Write::new(row, entry).locking(locks))
    }

    /// Also the stored balance, as JSON text.
    pub(crate) fn balance_write(&self, permit: &Permit<'_>, id: &AccountId, given: &Given<AccountBalance>) -> Result<(Write<Value>, String)> {
        let value = &given.value;
        let now = self.clock.now();
        let entry = self.entry(permit, "Account", id.as_str(), "account.balance.recorded").with_new_value(Arc::clone(&given.record));
        let as_of = self.as_of(permit, "asOfDate", value.as_of_date)?;
        let kind = value.kind.as_ref().map(word);
        let balance_id = format!("{id}@{as_of}:{}{}", value.currency, if kind.is_some() { ":CLOSING" } else { "" });
        let stored = with_fields_appended(
            &given.record,
            &[("accountId", &json_text(id.as_str())), ("internalId", &json_text(entry.id())), ("ingestDate", &json_text(&now.to_string()))],
        );
        let balance = map([
            ("name", format!("{} {}", value.current.plain(), value.currency).into()),
            ("currency", value.currency.as_str().into()),
            ("current", value.current.to_f64().into()),
            ("available", value.available.as_ref().map(|number| number.to_f64()).into()),
            ("type", kind.into()),
            ("asOfDate", as_of.into()),
            ("ingestDate", now.millis().into()),
            ("recordedBy", permit.caller().id.as_str().into()),
            ("record", stored.as_str().into()),
        ]);
        let fields = [
            ("id", id.as_str().into()),
            ("balanceId", balance_id.as_str().into()),
            ("logicalTime", entry.acknowledged().given()),
            ("balance", balance),
        ];
        Ok((Write::new(map(fields), entry).describing("AccountBalance", &balance_id), stored))
    }
}

/// The node's scalars. What is absent is null, so that an update removes it.
fn props(account: &AccountRecord, caption: &str, record: &str) -> Vec<(Key, Value)> {
    let date = |date: Option<Date>| Value::from(date.map(|date| date.to_string()));
    let text = |text: &Option<String>| Value::from(text.as_deref());
    let fields = [
        ("name", caption.into()),
        ("accountType", word(&account.account_type)),
        ("asOfDate", account.as_of_date.to_string().into()),
        ("record", record.into()),
        ("accountInDefault", account.account_in_default.into()),
        ("accountInDefaultDays", account.account_in_default_days.map(i64::from).into()),
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

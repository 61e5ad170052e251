//! Accounts with their nested product data, balances, and the actors that have a role on them.
//!
//! Nested fields whose type the reference does not show take the natural one: amounts are numbers, `is…` truth
//! values, `…Date` dates, the rest text or a number ([`Plain`]); `loanSecured` and `locateByPass`, which ask yes or
//! no without being called `is…`, take a truth value too.

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    actor::{Monitored, ReferenceRecord},
    code::{Country, Currency},
    date::{Date, Timestamp},
    fault::Fault,
    given::Input,
    id::{AccountId, ActorId},
    identity::visible,
    json_object::JsonObject,
    money::Money,
    number::{Number, Plain},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccountType {
    BothHicAndCod,
    CashOnDelivery,
    CreditCard,
    Current,
    HeldInCustody,
    Loan,
    MoneyMarket,
    PrePaidCard,
    Savings,
    TermDeposit,
    Trading,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccountStatus {
    Active,
    Closed,
    NoTrading,
    Terminated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccountSubType {
    Business,
    Personal,
}

/// An account as it is ingested and read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountRecord {
    pub account_type: AccountType,
    pub as_of_date: Date,
    pub id: AccountId,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_agreement_id: Option<String>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_representative_id: Option<String>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beneficiary_owner_id: Option<String>,
    /// Default or overdraft.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_in_default: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "crate::number::whole_of_32_bits")]
    // GraphQL shows it as an `Int`, which has no more.
    #[schema(minimum = -2_147_483_648, maximum = 2_147_483_647)]
    pub account_in_default_days: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iban: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_balance: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collateral: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depositable: Option<bool>,
    /// Owned by the bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminated: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency_code: Option<Currency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domicile: Option<Country>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingest_date: Option<Timestamp>,
    /// Deprecated; has no effect on monitoring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitored: Option<Monitored>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AccountStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_type: Option<AccountSubType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceRecord>>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<JsonObject>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_classification: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest: Option<Vec<InterestRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<ProductBalanceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit: Option<TermDepositRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit: Option<CreditRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan: Option<LoanRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brokerage: Option<BrokerageRecord>,
}

impl AccountRecord {
    /// An account of which only what is required is known.
    pub fn new(id: AccountId, account_type: AccountType, as_of_date: Date) -> Self {
        Self {
            account_type,
            as_of_date,
            id,
            account_agreement_id: None,
            primary_representative_id: None,
            beneficiary_owner_id: None,
            account_in_default: None,
            account_in_default_days: None,
            account_number: None,
            bank_code: None,
            iban: None,
            name: None,
            product_id: None,
            product_type: None,
            closing_balance: None,
            collateral: None,
            depositable: None,
            internal: None,
            terminated: None,
            withdrawable: None,
            currency_code: None,
            data_source: None,
            domicile: None,
            ingest_date: None,
            monitored: None,
            opened_date: None,
            termination_date: None,
            status: None,
            sub_type: None,
            custom_data: None,
            metadata: None,
            references: None,
            classification: None,
            access_classification: None,
            interest: None,
            balance: None,
            term_deposit: None,
            credit: None,
            loan: None,
            brokerage: None,
        }
    }

    /// The name a human knows the account by: its name, else IBAN, number or id.
    pub fn caption(&self) -> String {
        [&self.name, &self.iban, &self.account_number]
            .into_iter()
            .flatten()
            .find_map(|text| visible(text))
            .map_or_else(|| self.id.to_string(), str::to_owned)
    }
}

impl Input for AccountRecord {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_amount("closingBalance", self.closing_balance.as_ref(), faults);
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterestRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_type: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_code: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_form: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_rate: Option<Plain>,
}

/// The balances that ride on the account itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProductBalanceRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_balance: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_disposable_balance: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_disposable_balance_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_balance: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_balance_lcy: Option<Number>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TermDepositRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_type: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_period: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_withdrawal_notice: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_withdrawal_date: Option<Date>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreditRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_type: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_limit: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_limit_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_unused: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_unused_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_issue_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_final_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_card_number_masked: Option<Plain>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoanRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_type: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_principal: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_principal_lcy: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_installment: Option<Number>,
    #[schema(schema_with = crate::number::plain_or_boolean)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_secured: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_period_remaining: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_issue_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_final_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_frequency: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_settled: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BrokerageRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regulatory_exemption_type: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settlement_instruction: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_give_in: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_give_up: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_white_label: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_dma_broker: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_care_broker: Option<bool>,
    #[schema(schema_with = crate::number::plain_or_boolean)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locate_by_pass: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_name: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_desk: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agg_unit: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_fiduciary: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_erisa: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "is1940ActAccount")]
    #[graphql(name = "is1940ActAccount")]
    pub is_1940_act_account: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trading_desk: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_name: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_id: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_location: Option<Plain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Plain>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BalanceType {
    Closing,
}

/// A balance at the end of a day, as it is ingested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "AccountBalanceInputRecord")]
pub struct AccountBalance {
    pub currency: Currency,
    /// End-of-day balance.
    pub current: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<BalanceType>,
}

impl Input for AccountBalance {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_amount("current", Some(&self.current), faults);
        check_amount("available", self.available.as_ref(), faults);
    }
}

/// A balance as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountBalanceRecord {
    pub account_id: AccountId,
    pub internal_id: String,
    pub ingest_date: Timestamp,
    pub currency: Currency,
    pub current: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<BalanceType>,
}

/// The actors that have a role on an account as of a date.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "AccountActorsRecord")]
pub struct AccountActors {
    pub actors: Vec<AccountActorRecord>,
    /// Today, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
}

/// One actor and its role, such as `OWNER`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountActorRecord {
    pub id: ActorId,
    #[schema(min_length = 1)]
    pub role: String,
}

impl Input for AccountActors {}

/// An amount that is summed or compared must fit what money holds.
pub(crate) fn check_amount(at: &str, amount: Option<&Number>, faults: &mut Vec<Fault>) {
    if let Some(Err(too_large)) = amount.map(Money::try_from) {
        faults.push(Fault::new(at, too_large.to_string()));
    }
}

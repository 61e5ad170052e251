//! Accounts, balances, and the actors that have a role on them. What a record says of the product behind an account is in `product`.

mod product;

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use product::{BrokerageRecord, CreditRecord, InterestRecord, LoanRecord, ProductBalanceRecord, TermDepositRecord};

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
    number::Number,
};

/// Kinds of accounts by their product, as the record reports them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccountType {
    /// A securities account that is both `HELD_IN_CUSTODY` and `CASH_ON_DELIVERY`.
    BothHicAndCod,
    /// A securities account whose trades are paid on delivery of the securities.
    CashOnDelivery,
    /// The account of a credit card.
    CreditCard,
    /// A current account for everyday payments; a checking account in the US.
    Current,
    /// A securities account whose securities the institution keeps in custody.
    HeldInCustody,
    /// The account of a loan.
    Loan,
    /// A deposit that earns interest at rates of the money market.
    MoneyMarket,
    /// The account of a card that is loaded before it is used.
    PrePaidCard,
    /// A savings account.
    Savings,
    /// A deposit for a fixed term.
    TermDeposit,
    /// An account for trading securities or other instruments.
    Trading,
}

/// How an account may be used, as its record reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccountStatus {
    /// The account is in use.
    Active,
    /// The account was closed.
    Closed,
    /// The account exists, and no trades may be made on it.
    NoTrading,
    /// The contract of the account has ended.
    Terminated,
}

/// Whom an account serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccountSubType {
    /// A business or another organisation.
    Business,
    /// A private person.
    Personal,
}

/// An account as it is ingested and read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountRecord {
    /// The kind of product that the account is.
    pub account_type: AccountType,
    /// The date from which the record is valid, at latest tomorrow (UTC). The latest date is the present.
    pub as_of_date: Date,
    /// The id of the account in the sender's system: 1 to 256 characters. The same id again updates the account.
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
    /// Days for which the account has been in default or overdrawn.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "crate::number::whole_of_32_bits")]
    // GraphQL shows it as an `Int`, which has no more.
    #[schema(minimum = -2_147_483_648, maximum = 2_147_483_647)]
    pub account_in_default_days: Option<i32>,
    /// The number of the account at its bank. Payments that name it with the same bank meet this account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_number: Option<String>,
    /// The national code of the account's bank. It tells equal account numbers of two banks apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_code: Option<String>,
    /// The International Bank Account Number. Payments that name it meet this account, however it is spaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iban: Option<String>,
    /// The account's name for people, such as its holder or its product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id of the banking product behind the account. It links accounts of one product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    /// The type of that product, in the sender's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_type: Option<String>,
    /// The closing balance in the account's currency, exact; at most 10^15 either way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_balance: Option<Number>,
    /// Whether the account serves as collateral for a debt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collateral: Option<bool>,
    /// Whether money can be paid into the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depositable: Option<bool>,
    /// Owned by the bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal: Option<bool>,
    /// Whether the contract of the account has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminated: Option<bool>,
    /// Whether money can be withdrawn from the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawable: Option<bool>,
    /// The currency of the account: three capital letters, as ISO 4217 writes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency_code: Option<Currency>,
    /// The originating system, by the sender's own identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    /// The country in which the account is held, ISO 3166-1 alpha-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domicile: Option<Country>,
    /// The time of ingestion as the sender states it. The service keeps it and does not set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingest_date: Option<Timestamp>,
    /// Deprecated; has no effect on monitoring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitored: Option<Monitored>,
    /// The day on which the account was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened_date: Option<Date>,
    /// The day on which the account's contract ended or is to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination_date: Option<Date>,
    /// How the account may be used at present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AccountStatus>,
    /// Whether the account serves a business or a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_type: Option<AccountSubType>,
    /// Fields of the sender's own, as a JSON object. The service keeps them unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    /// Technical attributes of the record, as a JSON object of the sender's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// Ids of the account in other systems. Accounts with an equal reference share an identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceRecord>>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<JsonObject>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_classification: Option<JsonObject>,
    /// Interest that the account earns or is charged, one item for each kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest: Option<Vec<InterestRecord>>,
    /// Balances of deposits and loans that come with the account's record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<ProductBalanceRecord>,
    /// Terms of the deposit, where the account is a term deposit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit: Option<TermDepositRecord>,
    /// Terms of the credit line or card, where the account has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit: Option<CreditRecord>,
    /// Terms of the loan, where the account is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan: Option<LoanRecord>,
    /// Attributes of a brokerage account.
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

/// Kinds of balances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BalanceType {
    /// At the close of business.
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

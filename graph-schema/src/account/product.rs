//! What an account's record says of the product behind it: interest, balances, deposits, credits, loans, brokerage.
//!
//! Nested fields whose type the reference does not show take the natural one: amounts are numbers, `is…` truth
//! values, `…Date` dates, the rest text or a number ([`Plain`]); `loanSecured` and `locateByPass`, which ask yes or
//! no without being called `is…`, take a truth value too.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    date::Date,
    number::{Number, Plain},
};

/// One kind of interest of an account, in the sender's own codes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterestRecord {
    /// Whether interest is earned or charged, and on what, in the sender's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_type: Option<Plain>,
    /// The sender's code of the interest condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_code: Option<Plain>,
    /// How the rate is set, such as fixed or variable, in the sender's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_form: Option<Plain>,
    /// The rate, in the unit that the sender uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interest_rate: Option<Plain>,
}

/// The balances that ride on the account itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProductBalanceRecord {
    /// The balance of deposits, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_balance: Option<Number>,
    /// The balance of deposits, in the institution's local currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_balance_lcy: Option<Number>,
    /// The part of the deposits that can be disposed of, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_disposable_balance: Option<Number>,
    /// The part of the deposits that can be disposed of, in local currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_disposable_balance_lcy: Option<Number>,
    /// The balance of loans, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_balance: Option<Number>,
    /// The balance of loans, in the institution's local currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_balance_lcy: Option<Number>,
}

/// Terms of a deposit for a fixed time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TermDepositRecord {
    /// The kind of deposit, in the sender's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_type: Option<Plain>,
    /// The term, in the unit that the sender uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_period: Option<Plain>,
    /// The notice that a withdrawal needs, in the unit that the sender uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_withdrawal_notice: Option<Plain>,
    /// The day from which the deposit can be withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_deposit_withdrawal_date: Option<Date>,
}

/// A credit line or credit card. Amounts that end in `Lcy` are in the institution's local currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreditRecord {
    /// The kind of credit, in the sender's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_type: Option<Plain>,
    /// The most that may be drawn, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_limit: Option<Number>,
    /// The most that may be drawn, in local currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_limit_lcy: Option<Number>,
    /// The part of the limit that is not drawn, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_unused: Option<Number>,
    /// The part of the limit that is not drawn, in local currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_unused_lcy: Option<Number>,
    /// The day on which the credit was granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_issue_date: Option<Date>,
    /// The day on which the credit ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_final_date: Option<Date>,
    /// The number of the card with its middle digits hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit_card_number_masked: Option<Plain>,
}

/// Terms of a loan. Amounts that end in `Lcy` are in the institution's local currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoanRecord {
    /// The kind of loan, in the sender's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_type: Option<Plain>,
    /// The principal that is owed, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_principal: Option<Number>,
    /// The principal that is owed, in local currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_principal_lcy: Option<Number>,
    /// The amount of one instalment, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_installment: Option<Number>,
    /// Whether collateral secures the loan, or by what.
    #[schema(schema_with = crate::number::plain_or_boolean)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_secured: Option<Plain>,
    /// The time until the loan ends, in the unit that the sender uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_period_remaining: Option<Plain>,
    /// The day on which the loan was granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_issue_date: Option<Date>,
    /// The day on which the loan ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_final_date: Option<Date>,
    /// How often instalments are due, in the sender's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_frequency: Option<Plain>,
    /// Whether the loan is paid back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_settled: Option<bool>,
}

/// Attributes of a brokerage account, as the sender's trading systems have them. The service stores them and compares none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BrokerageRecord {
    /// The exemption from a trading regulation that applies to the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regulatory_exemption_type: Option<Plain>,
    /// How and where trades of the account settle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settlement_instruction: Option<Plain>,
    /// Whether trades that other brokers execute are given in to this account for clearing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_give_in: Option<bool>,
    /// Whether trades of the account are given up to another broker for clearing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_give_up: Option<bool>,
    /// Whether another firm offers the account under its own brand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_white_label: Option<bool>,
    /// Whether the broker gives direct market access (DMA).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_dma_broker: Option<bool>,
    /// Whether the broker works orders by hand, at its own discretion (care orders).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_care_broker: Option<bool>,
    /// Whether short sales go without locating the securities first.
    #[schema(schema_with = crate::number::plain_or_boolean)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locate_by_pass: Option<Plain>,
    /// The abbreviated name of the account in trading systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_name: Option<Plain>,
    /// The desk that is responsible for the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_desk: Option<Plain>,
    /// The aggregation unit: accounts whose positions are counted together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agg_unit: Option<Plain>,
    /// Whether the account is managed in trust for somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_fiduciary: Option<bool>,
    /// Whether the account holds assets of a US pension plan (ERISA, Employee Retirement Income Security Act).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_erisa: Option<bool>,
    /// Whether the account is of a fund under the US Investment Company Act of 1940.
    #[serde(skip_serializing_if = "Option::is_none", rename = "is1940ActAccount")]
    #[graphql(name = "is1940ActAccount")]
    pub is_1940_act_account: Option<bool>,
    /// The desk that trades for the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trading_desk: Option<Plain>,
    /// The name of the account's broker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_name: Option<Plain>,
    /// The id of that broker in the sender's system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_id: Option<Plain>,
    /// The place from which that broker works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broker_location: Option<Plain>,
    /// The region of the market or business to which the account belongs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Plain>,
}

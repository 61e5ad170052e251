//! Transfers, withdrawals, deposits and repayments as transactions.
//!
//! Each payment is one record, told by the side that pays: outbound on its account, owned by that account's owner, with the
//! receiving account as counterparty. The n-th row of a table is `transfer-<n>`, `withdraw-<n>`, `deposit-<n>` or `repay-<n>`.

use serde::Serialize;

use super::Lines;
use crate::party::{Directory, Holding, Party};
use crate::rows::{LoanPayment, Tables, Transfer};
use crate::value::{Exact, Moment};

/// The source names no currency.
const CURRENCY: &str = "USD";

#[derive(Serialize)]
struct Transaction {
    id: String,
    account_id: Holding,
    account_owner_id: Party,
    amount: Amount,
    counterparty: Counterparty,
    created_at: String,
    direction: &'static str,
    standardized_amount: Exact,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<&'static str>,
}

#[derive(Serialize)]
struct Amount {
    value: Exact,
    currency: &'static str,
}

#[derive(Serialize)]
struct Counterparty {
    r#type: &'static str,
    account_info: AccountInfo,
}

#[derive(Serialize)]
struct AccountInfo {
    id: Holding,
}

/// What the four kinds of payment differ in.
#[derive(Clone, Copy)]
struct Kind {
    prefix: &'static str,
    method: Option<&'static str>,
    purpose: Option<&'static str>,
}

const TRANSFER: Kind = Kind { prefix: "transfer", method: None, purpose: None };
const WITHDRAWAL: Kind = Kind { prefix: "withdraw", method: Some("CASH"), purpose: Some("PAY_OUT") };
const DEPOSIT: Kind = Kind { prefix: "deposit", method: None, purpose: Some("FUNDING") };
const REPAYMENT: Kind = Kind { prefix: "repay", method: None, purpose: Some("PRINCIPAL_PAYMENT") };

/// A row of any of the four tables.
struct Payment<'a> {
    from: Holding,
    to: Holding,
    amount: &'a Exact,
    at: Moment,
}

/// `transactions`: transfers, withdrawals, deposits of loans, repayments.
pub(crate) fn transactions<'a>(tables: &'a Tables, directory: &'a Directory) -> Lines<'a> {
    let transfers = numbered(TRANSFER, tables.transfers.iter().map(between_accounts), directory);
    let withdrawals = numbered(WITHDRAWAL, tables.withdrawals.iter().map(between_accounts), directory);
    let deposits = numbered(DEPOSIT, tables.deposits.iter().map(out_of_loan), directory);
    let repayments = numbered(REPAYMENT, tables.repayments.iter().map(into_loan), directory);
    let length = tables.transfers.len() + tables.withdrawals.len() + tables.deposits.len() + tables.repayments.len();
    Lines::of(length, transfers.chain(withdrawals).chain(deposits).chain(repayments))
}

fn between_accounts(row: &Transfer) -> Payment<'_> {
    Payment { from: Holding::Account(row.from_id), to: Holding::Account(row.to_id), amount: &row.amount, at: row.create_time }
}

fn out_of_loan(row: &LoanPayment) -> Payment<'_> {
    Payment { from: Holding::Loan(row.loan_id), to: Holding::Account(row.account_id), amount: &row.amount, at: row.create_time }
}

fn into_loan(row: &LoanPayment) -> Payment<'_> {
    Payment { from: Holding::Account(row.account_id), to: Holding::Loan(row.loan_id), amount: &row.amount, at: row.create_time }
}

fn numbered<'a>(
    kind: Kind,
    payments: impl Iterator<Item = Payment<'a>> + Send,
    directory: &'a Directory,
) -> impl Iterator<Item = Transaction> + Send {
    (1_usize..).zip(payments).map(move |(number, payment)| Transaction {
        id: format!("{}-{number}", kind.prefix),
        account_id: payment.from,
        account_owner_id: directory.owner(payment.from),
        amount: Amount { value: payment.amount.clone(), currency: CURRENCY },
        counterparty: Counterparty { r#type: "ACCOUNT_INFO", account_info: AccountInfo { id: payment.to } },
        created_at: payment.at.date_time(),
        direction: "OUTBOUND",
        standardized_amount: payment.amount.clone(),
        status: "COMPLETED",
        method: kind.method,
        purpose: kind.purpose,
    })
}

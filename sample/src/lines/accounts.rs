//! Accounts and loans as accounts, with their owners and borrowers.

use chrono::NaiveDate;
use serde::Serialize;

use super::{DATA_SOURCE, Lines};
use crate::party::{Holding, Party};
use crate::rows::{self, AccountKind, Loan, Tables};
use crate::value::Exact;

#[derive(Serialize)]
struct Account {
    id: Holding,
    account_type: &'static str,
    as_of_date: NaiveDate,
    name: String,
    opened_date: NaiveDate,
    data_source: &'static str,
    status: &'static str,
    metadata: Metadata,
}

/// What the source says and the bulk account has no field for.
#[derive(Serialize)]
#[serde(untagged)]
enum Metadata {
    Account { source_type: &'static str },
    Loan { loan_amount: Exact, balance: Exact },
}

/// `accounts`: accounts, then loans.
pub(crate) fn accounts(tables: &Tables) -> Lines<'_> {
    let lines = tables.accounts.iter().map(account).chain(tables.loans.iter().map(loan));
    Lines::of(tables.accounts.len() + tables.loans.len(), lines)
}

fn account(row: &rows::Account) -> Account {
    let Kind { account_type, caption, source_type } = kind(row.kind);
    Account {
        id: Holding::Account(row.account_id),
        account_type,
        as_of_date: row.create_time.date(),
        name: format!("{caption} {}", short(row.account_id)),
        opened_date: row.create_time.date(),
        data_source: DATA_SOURCE,
        status: if row.is_blocked { "NO_TRADING" } else { "ACTIVE" },
        metadata: Metadata::Account { source_type },
    }
}

fn loan(row: &Loan) -> Account {
    Account {
        id: Holding::Loan(row.loan_id),
        account_type: "LOAN",
        as_of_date: row.create_time.date(),
        name: format!("Loan {}", short(row.loan_id)),
        opened_date: row.create_time.date(),
        data_source: DATA_SOURCE,
        status: "ACTIVE",
        metadata: Metadata::Loan { loan_amount: row.loan_amount.clone(), balance: row.balance.clone() },
    }
}

struct Kind {
    account_type: &'static str,
    /// Begins the account's name, by which investigators see it.
    caption: &'static str,
    /// The source's own word.
    source_type: &'static str,
}

/// The nearest account type. What has no type of its own is kept for spending (`CURRENT`) or for later (`SAVINGS`).
fn kind(kind: AccountKind) -> Kind {
    let (account_type, caption, source_type) = match kind {
        AccountKind::Brokerage => ("TRADING", "Brokerage account", "brokerage account"),
        AccountKind::CertificateOfDeposit => ("TERM_DEPOSIT", "Certificate of deposit", "certificate of deposit"),
        AccountKind::Corporate => ("CURRENT", "Corporate account", "corporate account"),
        AccountKind::CreditCard => ("CREDIT_CARD", "Credit card", "credit card"),
        AccountKind::Custodial => ("HELD_IN_CUSTODY", "Custodial account", "custodial account"),
        AccountKind::DebitCard => ("CURRENT", "Debit card", "debit card"),
        AccountKind::Escrow => ("CURRENT", "Escrow account", "escrow account"),
        AccountKind::ForeignCurrency => ("CURRENT", "Foreign currency account", "foreign currency"),
        AccountKind::Merchant => ("CURRENT", "Merchant account", "merchant account"),
        AccountKind::PrepaidCard => ("PRE_PAID_CARD", "Prepaid card", "prepaid card"),
        AccountKind::Retirement => ("SAVINGS", "Retirement account", "retirement account"),
        AccountKind::Trust => ("SAVINGS", "Trust account", "trust account"),
    };
    Kind { account_type, caption, source_type }
}

/// `4616189618054761146` → `4616…761146`: short enough to read, long enough to tell the sample's accounts apart.
fn short(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() <= 12 {
        return digits;
    }
    format!("{}…{}", &digits[..4], &digits[digits.len() - 6..])
}

#[derive(Serialize)]
struct AccountActor {
    account_id: Holding,
    actor_id: Party,
    actor_role: &'static str,
    as_of_date: NaiveDate,
}

/// `account_actors`: owners of accounts, then borrowers of loans.
pub(crate) fn account_actors(tables: &Tables) -> Lines<'_> {
    let lines = tables.owners().map(|(holding, party, since)| AccountActor {
        account_id: holding,
        actor_id: party,
        actor_role: match holding {
            Holding::Account(_) => "OWNER",
            Holding::Loan(_) => "BORROWER",
        },
        as_of_date: since.date(),
    });
    let length = tables.person_accounts.len() + tables.company_accounts.len() + tables.person_loans.len() + tables.company_loans.len();
    Lines::of(length, lines)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_number_is_cut_in_the_middle() {
        assert_eq!(super::short(4_616_189_618_054_761_146), "4616…761146");
        assert_eq!(super::short(123_456_789_012), "123456789012");
    }
}

//! The tables as the FinBench generator wrote them: `|` between fields, a header line, ids of 64 bits, moments in UTC.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::party::{Holding, Party};
use crate::value::{Exact, Moment};

/// All eighteen tables, their rows in the order of the files.
pub(crate) struct Tables {
    pub(crate) persons: Vec<Person>,
    pub(crate) companies: Vec<Company>,
    pub(crate) accounts: Vec<Account>,
    pub(crate) loans: Vec<Loan>,
    pub(crate) person_accounts: Vec<PersonAccount>,
    pub(crate) company_accounts: Vec<CompanyAccount>,
    pub(crate) person_loans: Vec<PersonLoan>,
    pub(crate) company_loans: Vec<CompanyLoan>,
    pub(crate) person_investments: Vec<Investment>,
    pub(crate) company_investments: Vec<Investment>,
    pub(crate) person_guarantees: Vec<Guarantee>,
    pub(crate) company_guarantees: Vec<Guarantee>,
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) withdrawals: Vec<Transfer>,
    pub(crate) deposits: Vec<LoanPayment>,
    pub(crate) repayments: Vec<LoanPayment>,
    pub(crate) media: Vec<Medium>,
    pub(crate) sign_ins: Vec<SignIn>,
}

impl Tables {
    /// Reads the tables from their texts by name; fails on a missing table, an unknown one, and on a row that doesn't read.
    pub(crate) fn read(texts: &BTreeMap<String, String>) -> Result<Self> {
        ensure!(texts.len() == 18, "{} tables instead of 18", texts.len());
        Ok(Self {
            persons: rows(texts, "Person")?,
            companies: rows(texts, "Company")?,
            accounts: rows(texts, "Account")?,
            loans: rows(texts, "Loan")?,
            person_accounts: rows(texts, "PersonOwnAccount")?,
            company_accounts: rows(texts, "CompanyOwnAccount")?,
            person_loans: rows(texts, "PersonApplyLoan")?,
            company_loans: rows(texts, "CompanyApplyLoan")?,
            person_investments: rows(texts, "PersonInvestCompany")?,
            company_investments: rows(texts, "CompanyInvestCompany")?,
            person_guarantees: rows(texts, "PersonGuaranteePerson")?,
            company_guarantees: rows(texts, "CompanyGuaranteeCompany")?,
            transfers: rows(texts, "AccountTransferAccount")?,
            withdrawals: rows(texts, "AccountWithdrawAccount")?,
            deposits: rows(texts, "LoanDepositAccount")?,
            repayments: rows(texts, "AccountRepayLoan")?,
            media: rows(texts, "Medium")?,
            sign_ins: rows(texts, "MediumSignInAccount")?,
        })
    }
}

impl Tables {
    /// Who has which account or loan since when, in the order of the files: accounts of persons, of companies, then loans alike.
    pub(crate) fn owners(&self) -> impl Iterator<Item = (Holding, Party, Moment)> + Send {
        let accounts = self
            .person_accounts
            .iter()
            .map(|row| (Holding::Account(row.account_id), Party::Person(row.person_id), row.create_time))
            .chain(self.company_accounts.iter().map(|row| (Holding::Account(row.account_id), Party::Company(row.company_id), row.create_time)));
        let loans = self
            .person_loans
            .iter()
            .map(|row| (Holding::Loan(row.loan_id), Party::Person(row.person_id), row.create_time))
            .chain(self.company_loans.iter().map(|row| (Holding::Loan(row.loan_id), Party::Company(row.company_id), row.create_time)));
        accounts.chain(loans)
    }
}

fn rows<Row: DeserializeOwned>(texts: &BTreeMap<String, String>, name: &str) -> Result<Vec<Row>> {
    let text = texts.get(name).with_context(|| format!("table {name} is missing"))?;
    let mut reader = csv::ReaderBuilder::new().delimiter(b'|').quoting(false).from_reader(text.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().with_context(|| format!("reading table {name}"))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Person {
    pub(crate) person_id: u64,
    pub(crate) person_name: String,
    pub(crate) is_blocked: bool,
    pub(crate) create_time: Moment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Company {
    pub(crate) company_id: u64,
    pub(crate) company_name: String,
    pub(crate) is_blocked: bool,
    pub(crate) create_time: Moment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Account {
    pub(crate) account_id: u64,
    pub(crate) create_time: Moment,
    pub(crate) is_blocked: bool,
    /// Misspelt in the source.
    #[serde(rename = "accoutType")]
    pub(crate) kind: AccountKind,
}

/// The twelve kinds of account that the generator draws from.
#[derive(Clone, Copy, Deserialize)]
pub(crate) enum AccountKind {
    #[serde(rename = "brokerage account")]
    Brokerage,
    #[serde(rename = "certificate of deposit")]
    CertificateOfDeposit,
    #[serde(rename = "corporate account")]
    Corporate,
    #[serde(rename = "credit card")]
    CreditCard,
    #[serde(rename = "custodial account")]
    Custodial,
    #[serde(rename = "debit card")]
    DebitCard,
    #[serde(rename = "escrow account")]
    Escrow,
    #[serde(rename = "foreign currency")]
    ForeignCurrency,
    #[serde(rename = "merchant account")]
    Merchant,
    #[serde(rename = "prepaid card")]
    PrepaidCard,
    #[serde(rename = "retirement account")]
    Retirement,
    #[serde(rename = "trust account")]
    Trust,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Loan {
    pub(crate) loan_id: u64,
    pub(crate) loan_amount: Exact,
    pub(crate) balance: Exact,
    pub(crate) create_time: Moment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PersonAccount {
    pub(crate) person_id: u64,
    pub(crate) account_id: u64,
    pub(crate) create_time: Moment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CompanyAccount {
    pub(crate) company_id: u64,
    pub(crate) account_id: u64,
    pub(crate) create_time: Moment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PersonLoan {
    pub(crate) person_id: u64,
    pub(crate) loan_id: u64,
    pub(crate) create_time: Moment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CompanyLoan {
    pub(crate) company_id: u64,
    pub(crate) loan_id: u64,
    pub(crate) create_time: Moment,
}

/// The investor is a person or a company, as the table says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Investment {
    pub(crate) investor_id: u64,
    pub(crate) company_id: u64,
    /// The share of the company, 0 to 1.
    pub(crate) ratio: Exact,
    pub(crate) create_time: Moment,
}

/// `from` answers for `to`; both are persons or both are companies, as the table says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Guarantee {
    pub(crate) from_id: u64,
    pub(crate) to_id: u64,
    pub(crate) create_time: Moment,
}

/// Money from account to account.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Transfer {
    pub(crate) from_id: u64,
    pub(crate) to_id: u64,
    pub(crate) amount: Exact,
    pub(crate) create_time: Moment,
}

/// Money between a loan and an account, in the direction that the table says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LoanPayment {
    pub(crate) loan_id: u64,
    pub(crate) account_id: u64,
    pub(crate) amount: Exact,
    pub(crate) create_time: Moment,
}

/// What somebody signs in with: a phone, a card reader, a network address.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Medium {
    pub(crate) medium_id: u64,
    pub(crate) medium_type: String,
    pub(crate) is_blocked: bool,
    pub(crate) create_time: Moment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SignIn {
    pub(crate) medium_id: u64,
    pub(crate) account_id: u64,
    pub(crate) create_time: Moment,
}

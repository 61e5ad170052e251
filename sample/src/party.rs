//! Who is who: ids in the product's terms, and who owns which account.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use serde::{Serialize, Serializer};

use crate::rows::Tables;

/// A person or a company. 37 of each share a number, hence the prefix.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Party {
    Person(u64),
    Company(u64),
}

impl fmt::Display for Party {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(number) => write!(to, "person-{number}"),
            Self::Company(number) => write!(to, "company-{number}"),
        }
    }
}

impl Serialize for Party {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An account or a loan. One of each share a number, hence the prefix.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Holding {
    Account(u64),
    Loan(u64),
}

impl fmt::Display for Holding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(number) => write!(to, "account-{number}"),
            Self::Loan(number) => write!(to, "loan-{number}"),
        }
    }
}

impl Serialize for Holding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What lines about one record need to know of others.
pub(crate) struct Directory {
    owners: HashMap<Holding, Party>,
    names: HashMap<Party, String>,
}

impl Directory {
    /// Fails when an account or loan that pays has no owner, or more than one: the generator gives each exactly one, and guessing
    /// whose payment it was would be worse than refusing.
    pub(crate) fn of(tables: &Tables) -> Result<Self> {
        let directory = Self { owners: owners(tables)?, names: names(tables) };
        let accounts = tables.transfers.iter().chain(&tables.withdrawals).map(|payment| Holding::Account(payment.from_id));
        let loans = tables.deposits.iter().map(|payment| Holding::Loan(payment.loan_id));
        let repaying = tables.repayments.iter().map(|payment| Holding::Account(payment.account_id));
        for holding in accounts.chain(loans).chain(repaying) {
            directory.owners.get(&holding).with_context(|| format!("{holding} pays and has no owner"))?;
        }
        Ok(directory)
    }

    /// The owner of an account, the borrower of a loan.
    pub(crate) fn owner(&self, holding: Holding) -> Party {
        // `of` has looked up every account and loan that pays.
        self.owners[&holding]
    }

    /// The party's name; None for one without a row of its own.
    pub(crate) fn name(&self, party: Party) -> Option<&str> {
        self.names.get(&party).map(String::as_str)
    }
}

fn owners(tables: &Tables) -> Result<HashMap<Holding, Party>> {
    let mut owners = HashMap::new();
    for (holding, party, _) in tables.owners() {
        if let Some(other) = owners.insert(holding, party) {
            bail!("{holding} is owned by both {other} and {party}");
        }
    }
    Ok(owners)
}

fn names(tables: &Tables) -> HashMap<Party, String> {
    let persons = tables.persons.iter().map(|person| (Party::Person(person.person_id), person.person_name.clone()));
    let companies = tables.companies.iter().map(|company| (Party::Company(company.company_id), company.company_name.clone()));
    persons.chain(companies).collect()
}

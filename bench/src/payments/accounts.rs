//! The accounts that payments go between, and how payments name them.
//!
//! Each has a German IBAN, which says bank code and account number: a payment may name it by either.

use cypher::{Params, Statement, Value, map};
use graph_schema::identity::{CounterpartyKey, Identity, IdentityRules};

/// An account as a payment names it. Numbers from [`Accounts::count`] on are nobody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom {
    Id(u64),
    Iban(u64),
    /// By bank code and account number.
    NumberAtBank(u64),
}

/// Accounts that payments go between.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Accounts {
    /// 6,200 of them: two payments rarely meet.
    Spread,
    /// 10 of them: all payments meet.
    Hubs,
}

impl Accounts {
    /// How many there are.
    pub fn count(self) -> u64 {
        match self {
            Accounts::Spread => 6_200,
            Accounts::Hubs => 10,
        }
    }

    /// What a table calls them.
    pub fn caption(self) -> &'static str {
        match self {
            Accounts::Spread => "6,200 accounts",
            Accounts::Hubs => "10 hubs",
        }
    }

    /// The account's id.
    pub(super) fn account(self, number: u64) -> String {
        match self {
            Accounts::Spread => format!("account-{number:05}"),
            Accounts::Hubs => format!("hub-{number:05}"),
        }
    }

    /// The owner of an account.
    pub fn owner(self, number: u64) -> String {
        match self {
            Accounts::Spread => format!("actor-{number:05}"),
            Accounts::Hubs => format!("hub-owner-{number:05}"),
        }
    }

    fn bank_code(self) -> u64 {
        match self {
            Accounts::Spread => 10_010_010,
            Accounts::Hubs => 20_010_020,
        }
    }

    fn iban(self, number: u64) -> String {
        let inside = u128::from(self.bank_code()) * 10_u128.pow(10) + u128::from(account_number(number));
        // The check digits are those that leave 1 of the number with `DE` as digits behind it, divided by 97.
        let check = 98 - (inside * 1_000_000 + 131_400) % 97;
        format!("DE{check:02}{inside:018}")
    }

    /// The `account_info` of a payment to an account.
    pub(super) fn described(self, whom: Whom) -> String {
        match whom {
            Whom::Id(number) => format!(r#"{{"id":"{}"}}"#, self.account(number)),
            Whom::Iban(number) => format!(r#"{{"iban":"{}"}}"#, self.iban(number)),
            Whom::NumberAtBank(number) => {
                format!(r#"{{"bank_code":"{}","account_number":"{:010}"}}"#, self.bank_code(), account_number(number))
            }
        }
    }

    /// The number that a payment names, as the store has it: the raw side finds accounts by the same key as the service, with the same work.
    pub(super) fn identity(self, whom: Whom) -> Identity {
        identities(&self.described(whom)).swap_remove(0)
    }

    /// Makes accounts with their numbers, and owners, so that what is measured finds them.
    pub fn make(self) -> (Statement, Vec<Params>) {
        const MAKE: Statement = Statement::new("raw/make_accounts", include_str!("../../statements/make_accounts.cypher"));
        let row = |number| {
            let numbers = [self.described(Whom::Iban(number)), self.described(Whom::NumberAtBank(number))];
            let numbers = numbers.iter().flat_map(|described| identities(described));
            let numbers = numbers.map(|number| map([("id", number.id.into()), ("name", number.name.into())])).collect();
            map([("id", self.account(number).into()), ("owner", self.owner(number).into()), ("numbers", Value::List(numbers))])
        };
        let rows: Vec<Value> = (0..self.count()).map(row).collect();
        (MAKE, rows.chunks(500).map(|rows| Params::rows(rows.to_vec())).collect())
    }
}

/// The number at the bank; zeros do not count, so there is no number 0.
fn account_number(number: u64) -> u64 {
    number + 1
}

/// The numbers in an `account_info`.
fn identities(account_info: &str) -> Vec<Identity> {
    let counterparty = format!(r#"{{"object":"ACCOUNT_INFO","account_info":{account_info}}}"#);
    let counterparty = serde_json::from_str(&counterparty).expect("a counterparty");
    match IdentityRules::default().counterparty_key(&counterparty, "") {
        CounterpartyKey::Keys(keys) => keys,
        other => unreachable!("{account_info} names {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iban_is_valid() {
        // A text that is no IBAN keeps its letters as they come; a valid one is shown in groups of four.
        let identity = Accounts::Spread.identity(Whom::Iban(6));
        assert_eq!(identity.name.replace(' ', ""), Accounts::Spread.iban(6));
        assert!(identity.name.contains(' '), "{}", identity.name);
    }
}

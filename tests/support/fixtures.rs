//! Records to send: the least that is valid, to be said more of where a test is about more.

use serde_json::{Value, json};

/// An actor of which only what is required is known.
pub fn actor(id: &str) -> Value {
    json!({"id": id, "type": "INDIVIDUAL", "asOfDate": "2024-01-01"})
}

/// An account of which only what is required is known.
pub fn account(id: &str) -> Value {
    json!({"id": id, "accountType": "CURRENT", "asOfDate": "2024-01-01"})
}

/// An id that a case may have.
pub fn case_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// The object with more fields, or others in their place.
pub fn with(mut object: Value, more: Value) -> Value {
    let fields = object.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    object
}

/// Whom a payment was made to, or came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Other {
    /// Nobody: cash over the counter.
    Nobody,
    Account(String),
    /// By the IBAN that an account has.
    Iban(String),
    /// By number at a bank.
    Number {
        bank: String,
        number: String,
    },
    /// By IBAN and by number at a bank.
    Both {
        iban: String,
        bank: String,
        number: String,
    },
    /// Somebody of whom no account is known.
    Party(String),
}

/// A payment as one side reports it. The amount is text: how it is written is part of what is tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Payment {
    pub id: String,
    pub account: String,
    pub owner: String,
    pub amount: String,
    pub currency: &'static str,
    pub direction: &'static str,
    pub status: &'static str,
    /// Seconds since 1970.
    pub at: i64,
    pub other: Other,
}

/// Noon of a day in June 2024, in seconds.
pub const NOON: i64 = 1_718_280_000;

impl Payment {
    /// Ten euros from one account to another, completed, as the sender reports it.
    pub fn new(id: impl Into<String>, from: impl Into<String>, to: impl Into<String>) -> Self {
        let (id, account) = (id.into(), from.into());
        let owner = format!("owner-of-{account}");
        let other = Other::Account(to.into());
        Self { id, owner, account, amount: "10.00".into(), currency: "EUR", direction: "OUTBOUND", status: "COMPLETED", at: NOON, other }
    }

    pub fn amount(self, amount: impl Into<String>) -> Self {
        Self { amount: amount.into(), ..self }
    }

    pub fn at(self, at: i64) -> Self {
        Self { at, ..self }
    }

    /// The JSON text to send.
    pub fn text(&self) -> String {
        self.text_with(json!({}))
    }

    /// The JSON text to send, with more fields.
    pub fn text_with(&self, more: Value) -> String {
        let Self { id, account, owner, amount, currency, direction, status, at, other } = self;
        let mut text = format!(
            r#"{{"id":{},"account_id":{},"account_owner_id":{},"amount":{{"value":{amount},"currency":"{currency}"}},"standardized_amount":{amount},"counterparty":{},"created_at":{at},"direction":"{direction}","status":"{status}""#,
            json!(id),
            json!(account),
            json!(owner),
            other.counterparty(),
        );
        for (name, value) in more.as_object().expect("an object") {
            text += &format!(",{}:{value}", json!(name));
        }
        text + "}"
    }
}

impl Other {
    fn counterparty(&self) -> Value {
        match self {
            Self::Nobody => json!({"object": "EMPTY"}),
            Self::Account(id) => json!({"object": "ACCOUNT_INFO", "id": id}),
            Self::Iban(iban) => json!({"object": "INDIVIDUAL", "name": "Somebody", "account_info": {"iban": iban}}),
            Self::Number { bank, number } => json!({"object": "LEGAL_ENTITY", "account_info": {"bank_code": bank, "account_number": number}}),
            Self::Both { iban, bank, number } => {
                json!({"object": "LEGAL_ENTITY", "account_info": {"iban": iban, "bank_code": bank, "account_number": number}})
            }
            Self::Party(id) => json!({"object": "NAMED_ENTITY", "id": id, "name": "Somebody"}),
        }
    }
}

/// An IBAN of Germany that is right: 18 digits of bank and account behind its check digits.
pub fn iban(digits: &str) -> String {
    iban_of("DE", "1314", digits)
}

/// An IBAN of France that is right: 23 digits of bank, branch and account behind its check digits.
pub fn french_iban(digits: &str) -> String {
    iban_of("FR", "1527", digits)
}

/// The country's letters count from A = 10 on; the check digits make the whole 1 modulo 97.
fn iban_of(country: &str, letters: &str, digits: &str) -> String {
    let rest = format!("{digits}{letters}00").bytes().fold(0_u32, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
    format!("{country}{:02}{digits}", 98 - rest)
}

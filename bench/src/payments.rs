//! Payments to write: as the request's body, and as the parameters with which a client writes the same for itself.

mod accounts;
pub mod network;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, anyhow};
use cypher::{Key, Params, Statement, Value, map};
use graph_schema::bulk::BulkTransaction;
use graph_schema::date::Timestamp;
use graph_schema::given::read;
use graph_schema::identity::Identity;
use graph_schema::money::Money;

pub use accounts::{Accounts, Whom};

/// One payment to an account that is named by its id, written by hand.
pub const RECORD: Statement = Statement::new("raw/record", include_str!("../statements/record.cypher"));
/// One payment to whoever has a number, written by hand.
const RECORD_BY_NUMBER: Statement = Statement::new("raw/record_by_number", include_str!("../statements/record_by_number.cypher"));
/// Many payments to accounts that are named by their ids, written by hand.
pub const RECORD_BATCH: Statement = Statement::new("raw/record_batch", include_str!("../statements/record_batch.cypher"));
/// Many payments to whoever has a number, written by hand.
pub const RECORD_BATCH_BY_NUMBER: Statement =
    Statement::new("raw/record_batch_by_number", include_str!("../statements/record_batch_by_number.cypher"));

/// How a raw client makes the three links of a payment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// With `MERGE`: the same payment again does not double them, as it does not in the service. Neo4j locks both nodes for it.
    Merged,
    /// With `CREATE`: for clients who know that they never send anything twice.
    Created,
}

static CREATING: LazyLock<Statement> = LazyLock::new(|| creating(RECORD, "raw/record_creating"));
static CREATING_BY_NUMBER: LazyLock<Statement> = LazyLock::new(|| creating(RECORD_BY_NUMBER, "raw/record_by_number_creating"));

fn creating(merging: Statement, label: &'static str) -> Statement {
    let links = ["(f)-[:SENT]->(t)", "(t)-[:RECEIVED_BY]->(s)", "(t)-[:OWNED_BY]->(o)"];
    let text = links.iter().fold(merging.text.to_owned(), |text, link| text.replace(&format!("MERGE {link}"), &format!("CREATE {link}")));
    // Statements are texts of the program, which live as long as it does; so does this one.
    Statement::new(label, text.leak())
}

/// How payments name the account that they go to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    Id,
    /// By IBAN or by bank code and account number; half of the numbers are those of known accounts.
    Number,
}

impl Naming {
    /// What a table calls it.
    pub fn caption(self) -> &'static str {
        match self {
            Naming::Id => "by id",
            Naming::Number => "by number",
        }
    }
}

/// Payments of one kind, without end.
#[derive(Clone, Copy)]
pub struct Flow {
    pub accounts: Accounts,
    pub naming: Naming,
}

impl Flow {
    /// Between two random accounts.
    pub fn payment(self, random: &mut Random) -> Payment {
        let count = self.accounts.count();
        let from = random.below(count);
        let another = (from + 1 + random.below(count - 1)) % count;
        let whom = match self.naming {
            Naming::Id => Whom::Id(another),
            // As many that nobody has as known ones.
            Naming::Number => {
                let number = another + count * random.below(2);
                if random.below(2) == 0 { Whom::Iban(number) } else { Whom::NumberAtBank(number) }
            }
        };
        Payment::between(self.accounts, from, whom, amount(random))
    }
}

fn amount(random: &mut Random) -> Money {
    Money { units: 1 + random.below(9_999) as i64, nanos: (10_000_000 * random.below(100)) as i32 }
}

/// 2024-06-10; each payment is a second later than the one before.
const FIRST_SECOND: u64 = 1_717_977_600;

/// Numbers that look random and are the same in each run (SplitMix64).
#[derive(Clone)]
pub struct Random(u64);

/// How far a sequence goes with each number: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// A sequence of its own for each seed. Seeds that follow one another begin far apart: at neighbouring places all would be one sequence, and those who draw
    /// from them, as workers do, would all ask for the same at about the same time.
    pub fn new(seed: u64) -> Self {
        Self(mixed(mixed(seed.wrapping_add(STEP)).wrapping_add(STEP)))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0) % bound
    }
}

fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A payment that was not there before.
pub struct Payment {
    id: String,
    from: String,
    to: Receiver,
    owner: String,
    currency: String,
    amount: Money,
    /// Epoch milliseconds.
    at: i64,
    method: Option<Value>,
    purpose: Option<Value>,
    /// The record, as it is sent.
    pub record: String,
}

/// Whom a payment goes to, as a raw client has it.
enum Receiver {
    Account(String),
    /// Whoever has the number.
    Number(Identity),
}

impl Payment {
    /// From an account to whom is named.
    pub fn between(accounts: Accounts, from: u64, whom: Whom, amount: Money) -> Self {
        let to = match whom {
            Whom::Id(to) => Receiver::Account(accounts.account(to)),
            Whom::Iban(_) | Whom::NumberAtBank(_) => Receiver::Number(accounts.identity(whom)),
        };
        Self::made(accounts.account(from), accounts.owner(from), to, &accounts.described(whom), amount)
    }

    /// By an owner from his account; the receiver also as the `account_info` describes it.
    fn made(from: String, owner: String, to: Receiver, account_info: &str, amount: Money) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let second = FIRST_SECOND + number;
        let mut payment = Self {
            id: format!("payment-{number:09}"),
            from,
            to,
            owner,
            currency: "USD".to_owned(),
            amount,
            at: second as i64 * 1000,
            method: None,
            purpose: None,
            record: String::new(),
        };
        payment.record = payment.json(account_info, second);
        payment
    }

    fn json(&self, account_info: &str, second: u64) -> String {
        let Self { id, from, owner, currency, amount, .. } = self;
        format!(
            r#"{{"id":"{id}","account_id":"{from}","account_owner_id":"{owner}","amount":{{"value":{amount},"currency":"{currency}"}},"counterparty":{{"object":"ACCOUNT_INFO","account_info":{account_info}}},"created_at":{second},"direction":"OUTBOUND","standardized_amount":{amount},"status":"COMPLETED"}}"#
        )
    }

    /// Out of a line of the sample's transactions, all of which are completed and told by the side that pays.
    pub fn of_line(line: &str) -> Result<Self> {
        let given = read::<BulkTransaction>(line.as_bytes()).map_err(|faults| anyhow!("{faults:?}"))?.value.into_single();
        let value = given.value;
        let to = value.counterparty.account_info.and_then(|info| info.id).ok_or_else(|| anyhow!("no counterparty in {line}"))?;
        Ok(Self {
            id: value.id.as_str().to_owned(),
            from: value.account_id.as_str().to_owned(),
            to: Receiver::Account(to.as_str().to_owned()),
            owner: value.account_owner_id.as_str().to_owned(),
            currency: value.amount.currency.as_str().to_owned(),
            amount: value.amount.value.to_money()?,
            at: value.created_at.millis(),
            method: word(serde_json::to_value(value.method)?),
            purpose: word(serde_json::to_value(value.purpose)?),
            record: given.record.to_string(),
        })
    }

    /// The payment as an item of a bulk request.
    pub fn bulk_item(&self) -> String {
        let second = format!(r#""created_at":{}"#, self.at / 1000);
        let moment = format!(r#""created_at":"{}""#, Timestamp(self.at));
        self.record.replace(&second, &moment).replace(r#""object":"#, r#""type":"#)
    }

    /// The id, to look for it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The statement that writes it.
    pub fn statement(&self, links: Links) -> Statement {
        match (&self.to, links) {
            (Receiver::Account(_), Links::Merged) => RECORD,
            (Receiver::Account(_), Links::Created) => *CREATING,
            (Receiver::Number(_), Links::Merged) => RECORD_BY_NUMBER,
            (Receiver::Number(_), Links::Created) => *CREATING_BY_NUMBER,
        }
    }

    /// The parameters of its statement.
    pub fn params(&self) -> Params {
        Params(self.fields().into_iter().map(|(name, value)| (Key::from(name), value)).collect())
    }

    /// A row of [`RECORD_BATCH`].
    pub fn row(&self) -> Value {
        Value::Map(self.fields().into_iter().map(|(name, value)| (Key::from(name), value)).collect())
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let text = |text: &str| Value::from(text);
        let (units, nanos) = (Value::Int(self.amount.units), Value::from(self.amount.nanos));
        let write_id = fresh_id();
        let mut fields = vec![
            ("props", self.props(&write_id)),
            ("audit", self.audit(&write_id)),
            ("id", text(&self.id)),
            ("from", text(&self.from)),
            ("owner", text(&self.owner)),
            ("currency", text(&self.currency)),
            ("at", self.at.into()),
            ("total", self.amount.to_f64().into()),
            ("standardUnits", units.clone()),
            ("standardNanos", nanos.clone()),
            ("units", units),
            ("nanos", nanos),
        ];
        match &self.to {
            Receiver::Account(id) => fields.push(("to", text(id))),
            Receiver::Number(number) => fields.extend([
                ("number", text(&number.id)),
                ("numberName", text(&number.name)),
                ("external", format!("external:{}", number.id).into()),
            ]),
        }
        fields
    }

    fn props(&self, write_id: &str) -> Value {
        let (units, nanos) = (Value::Int(self.amount.units), Value::from(self.amount.nanos));
        let total = Value::Float(self.amount.to_f64());
        let mut props = vec![
            ("name".into(), format!("{} {}", self.amount, self.currency).into()),
            ("writeId".into(), write_id.into()),
            ("record".into(), self.record.as_str().into()),
            ("recordedAt".into(), self.at.into()),
            ("accountId".into(), self.from.as_str().into()),
            ("accountOwnerId".into(), self.owner.as_str().into()),
            ("amount".into(), total.clone()),
            ("amountUnits".into(), units.clone()),
            ("amountNanos".into(), nanos.clone()),
            ("currency".into(), self.currency.as_str().into()),
            ("standardizedAmount".into(), total),
            ("standardUnits".into(), units),
            ("standardNanos".into(), nanos),
            ("createdAt".into(), self.at.into()),
            ("direction".into(), "OUTBOUND".into()),
            ("status".into(), "COMPLETED".into()),
            ("counterpartyKind".into(), "ACCOUNT_INFO".into()),
            ("counted".into(), true.into()),
        ];
        props.extend(self.method.clone().map(|method| ("method".into(), method)));
        if let Receiver::Number(number) = &self.to {
            props.push(("counterpartyNumbers".into(), vec![number.id.as_str()].into()));
        }
        props.extend(self.purpose.clone().map(|purpose| ("purpose".into(), purpose)));
        Value::Map(props)
    }

    fn audit(&self, write_id: &str) -> Value {
        map([
            ("id", write_id.into()),
            ("name", format!("transaction.recorded {}", self.id).into()),
            ("timestamp", self.at.into()),
            ("action", "transaction.recorded".into()),
            ("domain", "ingestion".into()),
            ("logType", "UPDATE".into()),
            ("objectType", "Transaction".into()),
            ("objectId", self.id.as_str().into()),
            ("userId", "00000000-0000-0000-0000-000000000000".into()),
            ("userName", "Administrator".into()),
            ("userRole", "ADMIN".into()),
            ("means", "API_KEY".into()),
            ("userIP", "127.0.0.1".into()),
            ("requestId", write_id.into()),
            ("actionResult", "SUCCESS".into()),
        ])
    }
}

/// An id of the length of a UUID; later ones sort later, as the service's do.
fn fresh_id() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("00000000-0000-7000-8000-{:012x}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// The word of an enum, if there is one.
fn word(value: serde_json::Value) -> Option<Value> {
    value.as_str().map(Value::from)
}

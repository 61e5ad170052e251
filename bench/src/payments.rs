//! Payments to write: as the request's body, and as the parameters with which a client writes the same for itself.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, anyhow};
use cypher::{Params, Statement, Value, map};
use graph_schema::bulk::BulkTransaction;
use graph_schema::given::read;
use graph_schema::money::Money;

/// One payment, written by hand.
pub const RECORD: Statement = Statement::new("raw/record", include_str!("../statements/record.cypher"));
/// Many payments, written by hand.
pub const RECORD_BATCH: Statement = Statement::new("raw/record_batch", include_str!("../statements/record_batch.cypher"));

/// How a raw client makes the three links of a payment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// With `MERGE`: the same payment again does not double them, as it does not in the service. Neo4j locks both nodes for it.
    Merged,
    /// With `CREATE`: for clients who know that they never send anything twice.
    Created,
}

impl Links {
    /// The statement of one payment.
    pub fn statement(self) -> Statement {
        match self {
            Links::Merged => RECORD,
            Links::Created => *CREATING,
        }
    }
}

static CREATING: LazyLock<Statement> = LazyLock::new(|| {
    let links = ["(f)-[:SENT]->(t)", "(t)-[:RECEIVED_BY]->(s)", "(t)-[:OWNED_BY]->(o)"];
    let text = links.iter().fold(RECORD.text.to_owned(), |text, link| text.replace(&format!("MERGE {link}"), &format!("CREATE {link}")));
    // Statements are texts of the program, which live as long as it does; so does this one.
    Statement::new("raw/record_creating", text.leak())
});

/// 2024-06-10; each payment is a second later than the one before.
const FIRST_SECOND: u64 = 1_717_977_600;

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

    fn account(self, number: u64) -> String {
        match self {
            Accounts::Spread => format!("account-{number:05}"),
            Accounts::Hubs => format!("hub-{number:05}"),
        }
    }

    fn owner(self, number: u64) -> String {
        match self {
            Accounts::Spread => format!("actor-{number:05}"),
            Accounts::Hubs => format!("hub-owner-{number:05}"),
        }
    }

    /// Makes accounts and owners, so that what is measured finds them.
    pub fn make(self) -> (Statement, Vec<Params>) {
        const MAKE: Statement = Statement::new(
            "raw/make_accounts",
            "UNWIND $rows AS row\nMERGE (a:Account {id: row.id})\nSET a.name = row.id\nMERGE (o:Actor {id: row.owner})\nSET o.name = row.owner",
        );
        let row = |number| map([("id", self.account(number).into()), ("owner", self.owner(number).into())]);
        let rows: Vec<Value> = (0..self.count()).map(row).collect();
        (MAKE, rows.chunks(500).map(|rows| Params::rows(rows.to_vec())).collect())
    }
}

/// Numbers that look random and are the same in each run (SplitMix64).
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A payment that was not there before.
pub struct Payment {
    id: String,
    from: String,
    to: String,
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

impl Payment {
    /// Between two random accounts.
    pub fn random(accounts: Accounts, random: &mut Random) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let count = accounts.count();
        let from = random.below(count);
        let to = (from + 1 + random.below(count - 1)) % count;
        let amount = Money { units: 1 + random.below(9_999) as i64, nanos: (10_000_000 * random.below(100)) as i32 };
        let second = FIRST_SECOND + number;
        let mut payment = Self {
            id: format!("payment-{number:09}"),
            from: accounts.account(from),
            to: accounts.account(to),
            owner: accounts.owner(from),
            currency: "USD".to_owned(),
            amount,
            at: second as i64 * 1000,
            method: None,
            purpose: None,
            record: String::new(),
        };
        payment.record = payment.json(second);
        payment
    }

    fn json(&self, second: u64) -> String {
        let Self { id, from, to, owner, currency, amount, .. } = self;
        format!(
            r#"{{"id":"{id}","account_id":"{from}","account_owner_id":"{owner}","amount":{{"value":{amount},"currency":"{currency}"}},"counterparty":{{"object":"ACCOUNT_INFO","account_info":{{"id":"{to}"}}}},"created_at":{second},"direction":"OUTBOUND","standardized_amount":{amount},"status":"COMPLETED"}}"#
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
            to: to.as_str().to_owned(),
            owner: value.account_owner_id.as_str().to_owned(),
            currency: value.amount.currency.as_str().to_owned(),
            amount: value.amount.value.to_money()?,
            at: value.created_at.millis(),
            method: word(serde_json::to_value(value.method)?),
            purpose: word(serde_json::to_value(value.purpose)?),
            record: given.record.to_string(),
        })
    }

    /// The id, to look for it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The parameters of [`RECORD`].
    pub fn params(&self) -> Params {
        Params(self.fields().into())
    }

    /// A row of [`RECORD_BATCH`].
    pub fn row(&self) -> Value {
        map(self.fields())
    }

    fn fields(&self) -> [(&'static str, Value); 14] {
        let text = |text: &str| Value::from(text);
        let (units, nanos) = (Value::Int(self.amount.units), Value::from(self.amount.nanos));
        let write_id = fresh_id();
        [
            ("props", self.props(&write_id)),
            ("audit", self.audit(&write_id)),
            ("event", self.event()),
            ("id", text(&self.id)),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
            ("owner", text(&self.owner)),
            ("currency", text(&self.currency)),
            ("at", self.at.into()),
            ("total", self.amount.to_f64().into()),
            ("standardUnits", units.clone()),
            ("standardNanos", nanos.clone()),
            ("units", units),
            ("nanos", nanos),
        ]
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
            ("userIP", "127.0.0.1".into()),
            ("requestId", write_id.into()),
            ("actionResult", "SUCCESS".into()),
        ])
    }

    fn event(&self) -> Value {
        map([
            ("id", fresh_id().into()),
            ("name", "transaction.recorded".into()),
            ("subjectKind", "Transaction".into()),
            ("subjectId", self.id.as_str().into()),
            ("createdAt", self.at.into()),
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

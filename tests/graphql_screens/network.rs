//! What the screens are about: a company of the bundled sample with its accounts, payments, investors and sign-ins, and what the sample has nothing of.

use std::collections::BTreeSet;
use std::path::Path;

use cypher::{Params, map};
use serde_json::{Value, json};

use super::desk::text;
use crate::support::fixtures::{case_id, iban};
use crate::support::{Ids, Server, command, import, stored};
use crate::webhook_deliveries::{PUT, put, resting};

/// The company, with 20 payments of its two accounts, six investors and a company in which it invests.
pub const SUBJECT: &str = "company-10995116278206";
pub const ACCOUNT: &str = "account-218143106950759377";
pub const OTHER_ACCOUNT: &str = "account-208291482765886418";
/// One of its investors.
const INVESTOR: &str = "person-1388";
/// Within the months of these payments.
pub const FROM: &str = "2022-05-01T00:00:00Z";
pub const TO: &str = "2022-09-01T00:00:00Z";
/// Noon of a day between, in seconds.
const BETWEEN: i64 = 1_660_564_800;
/// Deliveries to the webhook, the oldest first.
pub const STATES: [&str; 4] = ["DELIVERED", "FAILED", "WAITING", "FAILED"];

/// What was put in, with ids of the test's own. Rows are those of the sample.
pub struct Network {
    pub subject: String,
    pub account: String,
    pub investor: String,
    pub payments: Vec<Value>,
    pub roles: Vec<Value>,
    pub associates: Vec<Value>,
    pub sign_ins: Vec<Value>,
    /// A payment to the company, which came twice: `PENDING`, then `COMPLETED`.
    pub incoming: String,
    pub place: String,
    pub device: String,
    /// The year of the signals about the company, which no other test has.
    pub year: i64,
    /// A webhook that is not active, and the case of its deliveries.
    pub webhook: String,
    pub told_of: String,
}

/// A value of the sample with ids of the test's own.
fn own(value: Value, ids: &Ids) -> Value {
    match value {
        Value::Object(fields) => {
            let is_id = |name: &str| ["id", "account_id", "account_owner_id", "actor_id", "device_id"].contains(&name);
            let field = |(name, value): (String, Value)| match &value {
                Value::String(id) if is_id(&name) => (name, json!(ids.of(id))),
                _ => (name, own(value, ids)),
            };
            Value::Object(fields.into_iter().map(field).collect())
        }
        Value::Array(items) => items.into_iter().map(|item| own(item, ids)).collect(),
        other => other,
    }
}

/// The rows of a list of the sample that name one of these ids.
pub fn rows_with(folder: &Path, list: &str, named: &BTreeSet<String>) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(list).with_extension("ndjson")).expect("a list");
    let quoted: Vec<String> = named.iter().map(|id| format!("\"{id}\"")).collect();
    let rows = text.lines().filter(|line| quoted.iter().any(|id| line.contains(id)));
    rows.map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Ids at a place of each row.
fn ids_at(rows: &[Value], place: &str) -> BTreeSet<String> {
    rows.iter().filter_map(|row| row.pointer(place)?.as_str()).map(str::to_owned).collect()
}

impl Network {
    pub async fn planted(server: &mut Server, ids: &Ids) -> Self {
        let mut network = Self::of_sample(server, ids);
        network.record(server, ids).await;
        network.store(server, ids).await;
        network
    }

    /// The company's neighbourhood, imported.
    fn of_sample(server: &Server, ids: &Ids) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let output = command(&["sample", folder.path().to_str().expect("a path")]).output().expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        let rows = |list: &str, named: &BTreeSet<String>| rows_with(folder.path(), list, named);

        let payments = rows("transactions", &named(&[ACCOUNT, OTHER_ACCOUNT]));
        let accounts = &ids_at(&payments, "/account_id") | &ids_at(&payments, "/counterparty/account_info/id");
        let (roles, associates) = (rows("account_actors", &accounts), rows("associates", &named(&[SUBJECT])));
        let sign_ins = rows("sign_ins", &named(&[ACCOUNT]));
        let actors = &ids_at(&roles, "/actor_id") | &ids_at(&associates, "/actor_id");
        let actors = &actors | &ids_at(&associates, "/actorAssociates/0/id");
        let lists = [
            ("actors", rows("actors", &actors)),
            ("accounts", rows("accounts", &accounts)),
            ("devices", rows("devices", &ids_at(&sign_ins, "/device_id"))),
            ("account_actors", roles),
            ("associates", associates),
            ("sign_ins", sign_ins),
            ("transactions", payments),
        ];
        let lists = lists.map(|(list, rows)| (list, rows.into_iter().map(|row| own(row, ids)).collect::<Vec<Value>>()));
        let (summary, ended) = import::to_server(&import::folder(&lists), server, server.key());
        assert!(ended.status.success(), "{summary}");
        let [.., (_, roles), (_, associates), (_, sign_ins), (_, payments)] = lists;
        assert_eq!((payments.len(), associates.len(), sign_ins.len()), (20, 7, 8), "the sample is as it was");
        let year = 2_100 + ids.digits(4).parse::<i64>().expect("a number") % 800;
        let of = |name: &str| ids.of(name);
        Self {
            subject: of(SUBJECT),
            account: of(ACCOUNT),
            investor: of(INVESTOR),
            payments,
            roles,
            associates,
            device: text(&sign_ins[0]["device_id"]).to_owned(),
            sign_ins,
            incoming: of("incoming"),
            place: of("place"),
            year,
            webhook: String::new(),
            told_of: case_id(),
        }
    }

    /// The record of the company as it is sent again, with what the sample does not say.
    pub fn record_of_subject(&self, ids: &Ids) -> Value {
        json!({"id": self.subject, "type": "LEGAL_ENTITY", "asOfDate": "2024-01-01", "name": ids.of("Douglas Ltd"), "domicile": "DE",
            "dataSource": "core", "customerSince": "2020-01-01", "taxResidency": "DE", "status": "ACTIVE", "customData": {"desk": 7},
            "addresses": [{"line1": "Markt 1", "postcode": "53111", "city": ids.of("Bonn"), "country": "DE"}],
            "emails": [{"type": "WORK", "address": format!("{}@example.com", ids.0)}],
            "phones": [{"type": "WORK", "number": self.phone(ids)}],
            "governmentIds": [{"id": ids.of("VAT"), "type": "VAT", "issuingAuthority": "DE", "expirationDate": "2030-01-01"}],
            "legalEntity": {"type": "LTD", "dateOfRegistration": "2001-02-03", "industry": [{"code": "64.19", "type": "NACE"}]}})
    }

    fn phone(&self, ids: &Ids) -> String {
        format!("+4930{}", ids.digits(9))
    }

    /// The payment to the company, as it was sent.
    pub fn record_of_incoming(&self, ids: &Ids, status: &str) -> Value {
        let account = json!({"iban": iban(&ids.digits(18)), "bank_name": "Bank", "bic": "COBADEFFXXX", "country": "DE"});
        let counterparty = json!({"object": "INDIVIDUAL", "id": self.investor, "name": ids.of("Migai"), "birth_date": "1990-01-01", "account_info": account,
            "postal_addresses": [{"lines": ["1 High St"], "postal_code": "AB1 2CD", "city": "London", "country": "GB"}],
            "industry": {"classification_identifier": "NACE", "code": "64.19", "type": "K"}, "metadata": {"identifiable_as_actor": true}});
        json!({"id": self.incoming, "account_id": self.account, "account_owner_id": self.subject, "amount": {"value": 250.75, "currency": "EUR"},
            "standardized_amount": 270.5, "counterparty": counterparty, "created_at": BETWEEN, "direction": "INBOUND", "status": status,
            "channel": "ATM", "method": "CARD", "purpose": "FEE", "description": ids.of("Rent"), "account_balance": 1000.5, "channel_location_id": self.place,
            "device": {"id": self.device, "ip_address": "192.0.2.1"}, "user_id": "u-1", "user_name": "User", "custom_data": {"a": 1}, "metadata": {"b": 2}})
    }

    /// By REST, what the sample has nothing of.
    async fn record(&self, server: &Server, ids: &Ids) {
        let post = async |path: String, body: Value| drop(server.post(&path, body.to_string()).await.expect(200));
        let investor = json!({"id": self.investor, "type": "INDIVIDUAL", "asOfDate": "2024-01-01", "name": ids.of("Migai"), "domicile": "GB",
            "phones": [{"type": "HOME", "number": self.phone(ids)}]});
        for record in [self.record_of_subject(ids), investor] {
            post("/api/actors".to_owned(), record).await;
        }
        let of_actor = |what: &str| format!("/api/actors/{}/{what}", self.subject);
        for (day, score) in [("2024-01-01", 20.0), ("2024-02-01", 60.0)] {
            let score =
                json!({"as_of_date": day, "final_score": score, "calculated_score": score, "risk_rule_id": "desk", "sub_scores": {"country": 1.5}});
            post(of_actor("risk_scores"), score).await;
        }
        let information = json!({"asOfDate": "2024-02-01", "numberOfLoans": 2, "loansBalanceLcy": 10.5, "depositsTotalBalanceLcy": 99.25,
            "firstProductDate": "2001-01-01"});
        post(of_actor("extendedInfo"), information).await;
        for (day, current) in [("2022-05-31", 12.25), ("2022-06-30", 30.5)] {
            let balance = json!({"currency": "EUR", "current": current, "available": 10, "asOfDate": day, "type": "CLOSING"});
            post(format!("/api/accounts/{}/balances", self.account), balance).await;
        }
        let place = json!({"id": self.place, "type": "ATM", "address": {"street": ["Markt 1"], "city": "Ulm", "country": "DE"}});
        post("/api/channel_locations".to_owned(), place).await;
        for status in ["PENDING", "COMPLETED"] {
            post("/api/v2/transactions".to_owned(), self.record_of_incoming(ids, status)).await;
        }
        // Long before what reports are about.
        post("/api/cases".to_owned(), json!({"id": self.told_of, "created_at": "2020-01-01T00:00:00Z"})).await;
    }

    /// Straight into the store: what the service itself writes, by detection, screening and delivery.
    async fn store(&mut self, server: &mut Server, ids: &Ids) {
        self.webhook = resting(server, &ids.of("Hook")).await;
        stored::write(server, PUT, Params::rows(put(&self.webhook, &self.told_of, &STATES))).await;
        let signal = map([
            ("name", "Signal".into()),
            ("signalId", self.year.into()),
            ("actorId", self.subject.as_str().into()),
            ("reviewDate", format!("{}-06-15", self.year).into()),
            ("detectionMethodName", "Structuring".into()),
            ("decisionReason", "SUPPRESSED".into()),
            ("dataSource", "core".into()),
        ]);
        let screening = |operation: &str, response: &str| {
            map([
                ("name", format!("desk {response}").into()),
                ("operation", operation.into()),
                ("providerName", "desk".into()),
                ("response", response.into()),
                ("screenedAt", (BETWEEN * 1_000).into()),
                ("score", 0.75.into()),
                ("listVersions", vec!["sanctions/1".to_owned()].into()),
            ])
        };
        let row = map([
            ("actor", self.subject.as_str().into()),
            ("payment", self.incoming.as_str().into()),
            ("signal", ids.of("signal").into()),
            ("suppressed", signal),
            ("ofActor", ids.of("screening-of-actor").into()),
            ("hit", screening("SANCTIONS", "HIT")),
            ("ofPayment", ids.of("screening-of-payment").into()),
            ("miss", screening("FRAUD", "MISS")),
        ]);
        let text = "UNWIND $rows AS row MATCH (a:Actor {id: row.actor}) MATCH (t:Transaction {id: row.payment})
            MERGE (s:SuppressedSignal {id: row.signal}) SET s += row.suppressed MERGE (s)-[:SUPPRESSED_FOR]->(a)
            MERGE (x:Screening {id: row.ofActor}) SET x += row.hit MERGE (a)-[:HAS_SCREENING]->(x)
            MERGE (y:Screening {id: row.ofPayment}) SET y += row.miss MERGE (t)-[:HAS_SCREENING]->(y)";
        stored::write(server, text, Params::rows(vec![row])).await;
    }

    /// Rows of the sample that are payments of an account, or to it, between the two times: the oldest first.
    pub fn of_account(&self) -> Vec<&Value> {
        let touches = |row: &&Value| row["account_id"] == self.account.as_str() || row["counterparty"]["account_info"]["id"] == self.account.as_str();
        let mut rows: Vec<&Value> = self.payments.iter().filter(touches).filter(is_between).collect();
        rows.sort_by_key(|row| text(&row["created_at"]).to_owned());
        rows
    }

    /// Rows of the sample that are payments of the company between the two times.
    pub fn of_subject(&self) -> Vec<&Value> {
        self.payments.iter().filter(|row| row["account_owner_id"] == self.subject.as_str()).filter(is_between).collect()
    }
}

/// Whether a payment was made between the two times.
pub fn is_between(row: &&Value) -> bool {
    (FROM..TO).contains(&text(&row["created_at"]))
}

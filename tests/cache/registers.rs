//! Values that only grow, each by one writer and by one at a time, and the questions that show them: so each answer says how old it is at least.
//!
//! Each write can be sent again and again, which does not change the value.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{Days, NaiveDate};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::support::fixtures::{Other, Payment, account, actor, case_id, iban, with};
use crate::support::observations::observation;
use crate::support::{Api, Ids};

/// More than fifty.
const MANY: u64 = 60;

/// What grows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// How many payments one account has made to another.
    Payments,
    /// The same where the other account is named by its IBAN alone.
    Numbered,
    /// The number in the name of an actor, by records of later and later dates.
    Name,
    /// How many have a role in an account.
    Roles,
    /// How many an observation is about.
    Observed,
    /// How many comments a case has.
    Comments,
}

/// The IBAN of a register's account.
fn iban_of(id: &str) -> String {
    iban(&Ids(id.to_owned()).digits(18))
}

/// A question, and where in the answer's data the value is.
type Shown = (&'static str, &'static str);

impl What {
    const ALL: [Self; 6] = [Self::Payments, Self::Numbered, Self::Name, Self::Roles, Self::Observed, Self::Comments];

    /// `@` is the register's id.
    fn questions(self) -> &'static [Shown] {
        match self {
            Self::Payments => &[
                (
                    r#"{ account(id: "@") { name transferredTo(first: 5) { edges { count total node { id } } } } }"#,
                    "/account/transferredTo/edges/0/count",
                ),
                (r#"{ account(id: "payee-@") { receivedFrom(first: 5) { edges { count node { id } } } } }"#, "/account/receivedFrom/edges/0/count"),
                (r#"{ account(id: "@") { sent(first: 3) { totalCount edges { node { id amount } } } } }"#, "/account/sent/totalCount"),
                (
                    r#"{ account(id: "first-@") { transferredTo(first: 5) { edges { node { id transferredTo(first: 5) { edges { count node { id } } } } } } } }"#,
                    "/account/transferredTo/edges/0/node/transferredTo/edges/0/count",
                ),
            ],
            Self::Numbered => &[
                (
                    r#"{ account(id: "payee-@") { name receivedFrom(first: 5) { edges { count node { id } } } } }"#,
                    "/account/receivedFrom/edges/0/count",
                ),
                (r#"{ account(id: "payee-@") { received(first: 3) { totalCount edges { node { id amount } } } } }"#, "/account/received/totalCount"),
                (
                    r#"{ account(id: "@") { transferredTo(first: 5) { totalCount edges { count node { id iban } } } } }"#,
                    "/account/transferredTo/edges/0/count",
                ),
            ],
            Self::Name => &[
                (r#"{ actor(id: "@") { name known } }"#, "/actor/name"),
                (r#"{ account(id: "of-@") { actors(first: 5) { edges { role node { id name } } } } }"#, "/account/actors/edges/0/node/name"),
            ],
            Self::Roles => {
                &[(r#"{ account(id: "@") { name actors(first: 3) { totalCount edges { role node { id } } } } }"#, "/account/actors/totalCount")]
            }
            Self::Observed => &[(
                r#"{ observation(id: "@") { behaviorName actors(first: 3) { totalCount edges { node { id } } } } }"#,
                "/observation/actors/totalCount",
            )],
            Self::Comments => {
                &[(r#"{ case(id: "@") { version comments(first: 3) { totalCount edges { node { text } } } } }"#, "/case/comments/totalCount")]
            }
        }
    }

    /// Requests for what has to be there. Neo4j lays out a node's links anew when it gets its fiftieth, and who reads meanwhile may miss some
    /// (`findings/neo4j_filling_node.sh`): each node that gets many has more than that from the start.
    fn before(self, id: &str) -> Vec<(String, Value)> {
        let many = |of: &dyn Fn(String) -> Value| -> Vec<Value> { (0..MANY).map(|number| of(format!("many-{number}-{id}"))).collect() };
        let roles = || json!({"actors": many(&|id| json!({"id": id, "role": "OWNER"}))});
        match self {
            Self::Payments => {
                let first = Payment::new(format!("to-{id}"), format!("first-{id}"), id);
                vec![
                    (format!("/api/accounts/{id}/actors"), roles()),
                    (format!("/api/accounts/payee-{id}/actors"), roles()),
                    ("/api/v2/transactions".to_owned(), serde_json::from_str(&first.text()).expect("JSON")),
                ]
            }
            Self::Numbered => vec![
                ("/api/accounts".to_owned(), with(account(&format!("payee-{id}")), json!({"iban": iban_of(id)}))),
                (format!("/api/accounts/{id}/actors"), roles()),
                (format!("/api/accounts/payee-{id}/actors"), roles()),
            ],
            Self::Name => {
                let associates = json!({"actorAssociates": many(&|id| json!({"id": id, "type": "GUARANTOR"}))});
                let role = json!({"actors": [{"id": id, "role": "OWNER"}]});
                vec![(format!("/api/actors/{id}/associates"), associates), (format!("/api/accounts/of-{id}/actors"), role)]
            }
            Self::Roles => vec![("/api/accounts".to_owned(), account(id)), (format!("/api/accounts/{id}/actors"), roles())],
            Self::Observed => {
                let actors = many(&|id| json!({"actorId": id}));
                vec![("/api/observations".to_owned(), with(observation(id), json!({"actors": actors})))]
            }
            Self::Comments => vec![("/api/cases".to_owned(), json!({"id": id, "actors": many(&|id| json!({"id": id}))}))],
        }
    }

    /// How many of those that are counted.
    fn there_before(self) -> u64 {
        if matches!(self, Self::Roles | Self::Observed) { MANY } else { 0 }
    }
}

pub struct Register {
    what: What,
    id: String,
    begun: AtomicU64,
    answered: AtomicU64,
    /// What a reader has seen.
    seen: AtomicU64,
}

impl Register {
    /// One of each kind, with what has to be there before its first write.
    pub async fn made(api: &Api) -> Vec<Self> {
        let mut made = Vec::new();
        for what in What::ALL {
            let id = if what == What::Comments { case_id() } else { Ids::new().0 };
            for (path, body) in what.before(&id) {
                api.post(&path, body.to_string()).await.expect(200);
            }
            made.push(Self { what, id, begun: AtomicU64::new(0), answered: AtomicU64::new(0), seen: AtomicU64::new(0) });
        }
        made
    }

    /// What errors call it.
    pub fn name(&self) -> String {
        format!("{:?}", self.what)
    }

    /// The request that makes the value this one.
    pub fn write(&self, api: &Api, value: u64) -> RequestBuilder {
        self.begun.fetch_max(value, Ordering::SeqCst);
        let id = &self.id;
        match self.what {
            What::Payments => api.posting("/api/v2/transactions", Payment::new(format!("{value}-{id}"), id, format!("payee-{id}")).text()),
            What::Numbered => {
                let payment = Payment { other: Other::Iban(iban_of(id)), ..Payment::new(format!("{value}-{id}"), id, "") };
                api.posting("/api/v2/transactions", payment.text())
            }
            What::Name => {
                let day = NaiveDate::from_ymd_opt(1990, 1, 1).and_then(|day| day.checked_add_days(Days::new(value))).expect("a day");
                let record = with(actor(id), json!({"asOfDate": day.to_string(), "name": format!("Name {value}")}));
                api.posting("/api/actors", record.to_string())
            }
            What::Roles => {
                let role = json!({"actors": [{"id": format!("{value}-{id}"), "role": "OWNER"}]});
                api.posting(&format!("/api/accounts/{id}/actors"), role.to_string())
            }
            What::Observed => {
                let actors = json!([{"actorId": format!("{value}-{id}")}]);
                api.posting(&format!("/api/observations/{id}/actors"), actors.to_string())
            }
            What::Comments => {
                let query = "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { userErrors { code } } }";
                let input = json!({"caseId": id, "text": format!("{value}"), "idempotencyKey": format!("{value}-{id}")});
                api.posting("/graphql", json!({"query": query, "variables": {"input": input}}).to_string())
            }
        }
    }

    /// Notes that the write of a value was answered.
    pub fn was_answered(&self, value: u64) {
        self.answered.fetch_max(value, Ordering::SeqCst);
    }

    /// What an answer must show that is asked for now.
    pub fn least(&self) -> u64 {
        self.answered.load(Ordering::SeqCst).max(self.seen.load(Ordering::SeqCst))
    }

    /// What an answer may show that has come.
    pub fn most(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Notes what a reader has seen.
    pub fn was_seen(&self, value: u64) {
        self.seen.fetch_max(value, Ordering::SeqCst);
    }

    /// How many questions show it.
    pub fn questions(&self) -> usize {
        self.what.questions().len()
    }

    /// The request of a question by its number.
    pub fn ask(&self, api: &Api, question: usize) -> RequestBuilder {
        let (text, _) = self.what.questions()[question];
        api.posting("/graphql", json!({"query": text.replace('@', &self.id)}).to_string())
    }

    /// The value in the data of its answer. Before the first write there may be nothing.
    pub fn value(&self, question: usize, data: &Value) -> u64 {
        let (_, place) = self.what.questions()[question];
        match data.pointer(place) {
            Some(Value::String(name)) => name.strip_prefix("Name ").map_or(0, |number| number.parse().expect("a number")),
            Some(value) => value.as_u64().unwrap_or_default().saturating_sub(self.what.there_before()),
            None => 0,
        }
    }
}

//! Pages of supernodes: an account with 300,000 payments in a store of 500,000, and a phone that 50,000 of 200,000 actors share. Raw goes through all that
//! the node is linked to, as a client's own statement does.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use cypher::{Engine, Params, Statement, Value};

use crate::asked::{Asked, requests};
use crate::cell::{Plan, Work, compare};
use crate::database::write;
use crate::http::Connection;
use crate::machine::Processes;
use crate::report;
use crate::service::{Content, Program, Store};

const PAYMENTS: i64 = 500_000;
const ACTORS: i64 = 200_000;
const BATCH: i64 = 2_000;
const LIMIT: Duration = Duration::from_secs(20);

const ACCOUNTS: Statement = Statement::new(
    "fill/accounts",
    "UNWIND range(0, 5000) AS i CREATE (a:Account {id: 'account-' + i, name: 'Account ' + i, record: '{}', status: 'ACTIVE'})",
);
/// Three of five are the first account's, in no order of their ids; those of the second are the oldest.
const FILL_PAYMENTS: Statement = Statement::new(
    "fill/payments",
    "UNWIND range($from, $to) AS i
WITH i, 'payment-' + right('00000000' + toString((i * 104729) % 500000), 9) AS id,
  CASE WHEN i % 5 < 3 THEN 'account-0' WHEN i < 50000 THEN 'account-1' ELSE 'account-' + toString(2 + i % 4000) END AS sender,
  'account-' + toString(2 + (i * 31) % 4999) AS receiver
MATCH (a:Account {id: sender}) MATCH (b:Account {id: receiver})
CREATE (t:Transaction {id: id, name: id, createdAt: 1700000000000 + i * 1000, amount: toFloat(i % 1000), amountUnits: i % 1000, amountNanos: 0,
  standardizedAmount: toFloat(i % 1000), standardUnits: i % 1000, standardNanos: 0, currency: 'EUR', direction: 'OUTBOUND', status: 'COMPLETED', channel: 'ATM', accountId: sender, accountOwnerId: 'owner'})
CREATE (a)-[:SENT]->(t) CREATE (t)-[:RECEIVED_BY]->(b)",
);
const PHONE: Statement = Statement::new("fill/phone", "CREATE (p:Phone {id: 'phone-0', name: '+49 30 1'})");
const FILL_ACTORS: Statement = Statement::new(
    "fill/actors",
    "UNWIND range($from, $to) AS i
CREATE (o:Actor {id: 'actor-' + i, name: 'Actor ' + i, type: 'INDIVIDUAL', status: 'ACTIVE', record: '{}'})
WITH o, i WHERE i % 4 = 0
MATCH (p:Phone {id: 'phone-0'})
CREATE (o)-[:HAS_PHONE]->(p)",
);

const SENT_BY_TIME: Statement = Statement::new(
    "raw/sent_by_time",
    "MATCH (a:Account {id: $id})-[:SENT]->(t:Transaction) WITH t ORDER BY t.createdAt DESC, t.id DESC LIMIT 6 RETURN t.id AS id, t.amount AS amount, t.createdAt AS at",
);
const SENT_BY_AMOUNT: Statement = Statement::new(
    "raw/sent_by_amount",
    "MATCH (a:Account {id: $id})-[:SENT]->(t:Transaction) WITH t ORDER BY t.amount DESC, t.id DESC LIMIT 6 RETURN t.id AS id, t.amount AS amount, t.createdAt AS at",
);
const SHARING: Statement = Statement::new(
    "raw/sharing",
    "MATCH (:Actor {id: $id})-[:HAS_PHONE]->(p:Phone)<-[:HAS_PHONE]-(o:Actor) WITH o ORDER BY o.id LIMIT 6 RETURN o.id AS id, o.name AS shown",
);

struct Question {
    caption: &'static str,
    graphql: &'static str,
    raw: Statement,
    root: &'static str,
}

const NEWEST: &str = "query($id: ID!) { account(id: $id) { sent(first: 5) { edges { node { id amount createdAt } } } } }";

const QUESTIONS: [Question; 5] = [
    Question { caption: "newest 5 of 300,000 sent", graphql: NEWEST, raw: SENT_BY_TIME, root: "account-0" },
    Question { caption: "newest 5 of 20,000 sent, all of them old", graphql: NEWEST, raw: SENT_BY_TIME, root: "account-1" },
    Question { caption: "newest 5 of 112 sent", graphql: NEWEST, raw: SENT_BY_TIME, root: "account-80" },
    Question {
        caption: "5 largest of 300,000 sent",
        graphql: "query($id: ID!) { account(id: $id) { sent(first: 5, orderBy: {field: AMOUNT}) { edges { node { id amount createdAt } } } } }",
        raw: SENT_BY_AMOUNT,
        root: "account-0",
    },
    Question {
        caption: "first 5 of 50,000 who share a phone",
        graphql: "query($id: ID!) { actor(id: $id) { identities(first: 1) { edges { node { actors(first: 5) { edges { node { id name } } } } } } } }",
        raw: SHARING,
        root: "actor-4",
    },
];

/// Asks the database.
struct Asker {
    engine: Engine,
    statement: Statement,
    root: &'static str,
}

impl Work for Asker {
    async fn once(&mut self) -> Result<()> {
        self.engine.read(self.statement, Params::none().with("id", self.root), LIMIT).await?;
        Ok(())
    }
}

/// Fills a store that is empty but for its schema.
pub async fn fill(engine: &Engine) -> Result<()> {
    write(engine, ACCOUNTS, Params::none()).await?;
    write(engine, PHONE, Params::none()).await?;
    for (statement, many) in [(FILL_PAYMENTS, PAYMENTS), (FILL_ACTORS, ACTORS)] {
        for from in (0..many).step_by(BATCH as usize) {
            write(engine, statement, Params::none().with("from", Value::from(from)).with("to", Value::from(from + BATCH - 1))).await?;
        }
    }
    Ok(())
}

/// The section on one engine, whose store is filled. `raw`: what the raw side asks.
pub async fn run(program: &Program, store: Store<'_>, raw: &Engine, database: Option<u32>, plan: Plan) -> Result<()> {
    let service = program.serve(store, Content::AsItIs).await?;
    let processes = Processes { database, service: Some(service.id()) };
    report::compared_head("requests");
    for question in &QUESTIONS {
        let requests = requests(question.graphql, &[question.root.to_owned()]);
        let asked = Asked::on(service.address, &Arc::clone(&requests), 1).await?;
        let rows = raw.read(question.raw, Params::none().with("id", question.root), LIMIT).await?.len();
        let mut connection = Connection::open(service.address).await?;
        let answer = String::from_utf8_lossy(connection.send_for_success(&requests[0]).await?).into_owned();
        ensure!(
            rows == 6 && answer.matches("\"name\":").count() + answer.matches("\"amount\":").count() == 5,
            "{}: {rows} rows, {answer}",
            question.caption
        );
        let asker = Asker { engine: raw.clone(), statement: question.raw, root: question.root };
        report::compared(question.caption, 1, &compare(vec![asker], asked, plan, &processes).await?);
    }
    service.stop().await
}

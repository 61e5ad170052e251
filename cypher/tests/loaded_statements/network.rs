//! A small network of payments: everything that the statements of the folder look for is in it.

use std::time::Duration;

use cypher::{Engine, Params, Statement, Value, map};

const NODES: Statement = Statement::new(
    "test/nodes",
    "UNWIND $rows AS row
    CREATE (p:Actor {id: row.actor, name: row.actor, status: 'ACTIVE', domicile: row.country, record: '{}'})
    CREATE (a:Account {id: row.account, name: row.account, status: 'OPEN', record: '{}', openedDate: row.opened})
    CREATE (p)-[:HAS_ROLE {role: 'HOLDER'}]->(a)",
);
const PAYMENTS: Statement = Statement::new(
    "test/payments",
    "UNWIND $rows AS row
    MATCH (a:Account {id: row.from})
    MATCH (b:Account {id: row.to})
    CREATE (t:Transaction {id: row.id, name: row.id, record: '{}', amount: row.amount, amountUnits: row.units, amountNanos: 0, currency: 'EUR',
      createdAt: row.at, direction: 'OUTBOUND', status: 'COMPLETED', counted: true})
    CREATE (a)-[:SENT]->(t)
    CREATE (t)-[:RECEIVED_BY]->(b)
    CREATE (a)-[:TRANSFERRED_TO {currency: 'EUR', count: 1, total: row.amount}]->(b)",
);
const SHARED: Statement = Statement::new(
    "test/shared",
    "CREATE (d:Device {id: $device, name: $device})
    CREATE (n:Phone {id: $phone, name: $phone})
    WITH d, n UNWIND $rows AS row
    MATCH (p:Actor {id: row.actor})
    MATCH (a:Account {id: row.account})
    CREATE (d)-[:SIGNED_IN {at: 1}]->(a)
    CREATE (p)-[:HAS_PHONE]->(n)",
);
const OWNERS: Statement = Statement::new(
    "test/owners",
    "UNWIND $rows AS row
    MATCH (p:Actor {id: row.owner})
    MATCH (q:Actor {id: row.owned})
    CREATE (p)-[:ASSOCIATED_WITH {type: 'INVESTOR', ratio: 0.5}]->(q)",
);
const SCORES: Statement = Statement::new(
    "test/scores",
    "MATCH (p:Actor {id: $actor})
    CREATE (s:RiskScore {id: $score, name: 'Score', record: '{}'})
    CREATE (p)-[:HAS_RISK_SCORE]->(s)
    CREATE (c:`Case` {id: $case, name: 'Case', record: '{}', type: 'ANALYSIS'})
    CREATE (c)-[:FOCUSES_ON]->(p)",
);

/// From, to, time, amount. One to five pay to zero (structured), which passes it on to six; one, two and three pay in a circle; nine was silent; zero pays out
/// to several.
const FLOWS: &[(usize, usize, i64, i64)] = &[
    (1, 0, 100, 900),
    (2, 0, 200, 950),
    (3, 0, 300, 990),
    (4, 0, 400, 980),
    (5, 0, 500, 4_700),
    (0, 6, 600, 4_600),
    (0, 7, 650, 300),
    (0, 8, 660, 250),
    (1, 2, 1_000, 5_000),
    (2, 3, 1_100, 4_900),
    (3, 1, 1_200, 4_800),
    (6, 7, 700, 300),
    (9, 8, 10, 40),
    (9, 8, 1_500, 45),
    (1, 3, 1_600, 77),
];

pub fn actor(number: usize) -> String {
    format!("loaded-actor-{number}")
}

pub fn account(number: usize) -> String {
    format!("loaded-account-{number}")
}

pub fn actors() -> Vec<String> {
    (0..10).map(actor).collect()
}

/// Writes it to a store that has none of it.
pub async fn make(engine: &Engine) {
    let party = |number: usize| {
        let country = if number == 7 { "IR" } else { "DE" };
        let opened = if number == 8 { "2025-05-01" } else { "2020-01-01" };
        map([("actor", actor(number).into()), ("account", account(number).into()), ("country", country.into()), ("opened", opened.into())])
    };
    let parties: Vec<Value> = (0..10).map(party).collect();
    let payment = |(number, (from, to, at, amount)): (usize, &(usize, usize, i64, i64))| {
        map([
            ("id", format!("loaded-payment-{number:02}").into()),
            ("from", account(*from).into()),
            ("to", account(*to).into()),
            ("at", (*at).into()),
            ("amount", (*amount as f64).into()),
            ("units", (*amount).into()),
        ])
    };
    let owners = [(1, 2), (2, 3), (3, 4), (4, 5)].map(|(owner, owned)| map([("owner", actor(owner).into()), ("owned", actor(owned).into())]));
    write(engine, NODES, Params::rows(parties.clone())).await;
    write(engine, PAYMENTS, Params::rows(FLOWS.iter().enumerate().map(payment).collect())).await;
    write(engine, SHARED, Params::rows(parties[1..4].to_vec()).with("device", "loaded-device").with("phone", "loaded-phone")).await;
    write(engine, OWNERS, Params::rows(owners.into())).await;
    let scores = Params::none().with("actor", actor(2)).with("score", "loaded-score").with("case", "loaded-case");
    write(engine, SCORES, scores).await;
}

async fn write(engine: &Engine, statement: Statement, params: Params) {
    engine.write_within(statement, params, Duration::from_secs(60)).await.unwrap_or_else(|error| panic!("on {}: {error}", engine.name()));
}

//! What observations name before it comes: what is missing is told, an observation is finalized once all of it is there, in whatever order it comes, and
//! a payment that is awaited is none until then.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::fixtures::{Other, Payment, actor, iban, with};
use crate::support::observations::{PATH, PAYMENTS, observation, paid, read, sent, taken};
use crate::support::{Engine, Ids, Server, ledger, tests};

tests![both: what_is_missing_is_told_and_an_observation_is_finalized_when_it_has_come, an_awaited_payment_is_none_until_it_comes,
    awaited_payments_of_every_kind_are_counted_once, payments_and_observations_that_cite_them_may_come_at_once,
    whoever_comes_first_the_graph_is_the_same];

async fn what_is_missing_is_told_and_an_observation_is_finalized_when_it_has_come(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, of) = (ids.of("observation"), |name: &str| ids.of(name));
    let known = Payment::new(of("known"), of("payer"), of("payee"));
    paid(&server, &known).await;
    let named = with(
        observation(&id),
        json!({"transactionIds": [of("known"), of("payment")], "actors": [{"actorId": of("actor")}],
        "associatedLegalEntity": [{"id": of("entity")}]}),
    );
    let missing =
        json!([{"type": "TRANSACTION", "id": of("payment")}, {"type": "ACTOR", "id": of("actor")}, {"type": "LEGAL_ENTITY", "id": of("entity")}]);
    let answer = taken(&server, named).await;
    assert_eq!(answer, json!({"caseIds": [], "observationFailedFinalization": [{"observationId": id, "missingReferences": missing}]}));
    let shown = async || {
        let query = "query($id: ID!) { observation(id: $id) { finalized missingReferences { type id } } }";
        server.graphql(query, json!({"id": id})).await["observation"].take()
    };
    let finalized = async || read(&server, &id).await["finalized"].clone();
    assert_eq!(finalized().await, json!(false));
    let by_id =
        json!([{"type": "ACTOR", "id": of("actor")}, {"type": "TRANSACTION", "id": of("payment")}, {"type": "LEGAL_ENTITY", "id": of("entity")}]);
    assert_eq!(shown().await, json!({"finalized": false, "missingReferences": by_id}));
    server.post("/api/actors", actor(&of("actor")).to_string()).await.expect(200);
    paid(&server, &Payment::new(of("payment"), of("payer"), of("payee"))).await;
    assert_eq!(finalized().await, json!(false));
    assert_eq!(shown().await["missingReferences"], json!([{"type": "LEGAL_ENTITY", "id": of("entity")}]));
    server.post("/api/actors", with(actor(&of("entity")), json!({"type": "LEGAL_ENTITY"})).to_string()).await.expect(200);
    assert_eq!(finalized().await, json!(true));
    assert_eq!(shown().await, json!({"finalized": true, "missingReferences": []}));
}

/// What an observation names and what has not come is no payment to anybody.
async fn an_awaited_payment_is_none_until_it_comes(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let (id, payment) = (ids.of("observation"), ids.of("payment"));
    let total = async || server.graphql("{ transactions { totalCount } }", json!({})).await["transactions"]["totalCount"].as_i64().expect("a number");
    let before = total().await;
    taken(&server, with(observation(&id), json!({"transactionIds": [payment]}))).await;
    server.get(&format!("/api/v2/transactions/{payment}")).await.expect(404);
    let query = "query($id: ID!, $node: ID!, $observation: ID!) { transaction(id: $id) { id } node(id: $node) { id }
        observation(id: $observation) { transactions { totalCount edges { node { id amount } } } } }";
    let variables = json!({"id": payment, "node": format!("Transaction:{payment}"), "observation": id});
    let nothing = json!({"transaction": null, "node": null, "observation": {"transactions": {"totalCount": 0, "edges": []}}});
    assert_eq!(server.graphql(query, variables.clone()).await, nothing);
    if engine == Engine::Embedded {
        // Nobody else has sent anything to this store.
        assert_eq!(total().await, before);
        let listed = server.graphql("{ transactions { edges { node { id } } } }", json!({})).await;
        assert_eq!(listed["transactions"]["edges"], json!([]));
    }
    let record = Payment::new(&payment, ids.of("payer"), ids.of("payee")).text();
    sent(&server, PAYMENTS, record.clone()).await;
    assert_eq!(server.get(&format!("/api/v2/transactions/{payment}")).await.expect(200).text, record);
    let there = json!({"transaction": {"id": payment}, "node": {"id": payment},
        "observation": {"transactions": {"totalCount": 1, "edges": [{"node": {"id": payment, "amount": "10"}}]}}});
    assert_eq!(server.graphql(query, variables).await, there);
    if engine == Engine::Embedded {
        assert_eq!(total().await, before + 1);
    }
}

/// However its other side is named, a payment that was awaited is added up as any other, once, also when it is sent again.
async fn awaited_payments_of_every_kind_are_counted_once(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let of = |name: &str| ids.of(name);
    let others = [
        ("account", Other::Account(of("payee"))),
        ("iban", Other::Iban(iban(&ids.digits(18)))),
        ("number", Other::Number { bank: ids.digits(8), number: ids.digits(10) }),
        ("party", Other::Party(of("party"))),
        ("nobody", Other::Nobody),
    ];
    let payments: Vec<Payment> = others.into_iter().map(|(name, other)| Payment { other, ..Payment::new(of(name), of("payer"), "") }).collect();
    let named: Vec<&str> = payments.iter().map(|payment| payment.id.as_str()).collect();
    taken(&server, with(observation(&of("observation")), json!({"transactionIds": named}))).await;
    for _ in 0..2 {
        futures::future::join_all(payments.iter().map(|payment| paid(&server, payment))).await;
    }
    let query = "query($id: ID!) { account(id: $id) { sent { totalCount } transferredTo(first: 10) { edges { total count } } } }";
    let found = server.graphql(query, json!({"id": of("payer")})).await["account"].take();
    let each = json!({"total": "10", "count": 1});
    assert_eq!(found, json!({"sent": {"totalCount": 5}, "transferredTo": {"edges": [each, each, each, each]}}));
    // Each time it is sent it has an entry, whichever way it went.
    let own = format!("a.objectType = 'Transaction' AND a.objectId ENDS WITH '{}'", ids.0);
    let entries = server.cypher(&format!("MATCH (a:AuditEntry) WHERE {own} RETURN a.objectId AS id, count(a) AS times"));
    assert!(entries.len() == 5 && entries.iter().all(|row| row["times"].as_i64() >= Some(2)), "{entries:?}");
    let left = server
        .cypher(&format!("MATCH (t:Transaction) WHERE t.id ENDS WITH '{}' AND (t:Placeholder OR t:AwaitedTransaction) RETURN t.id AS id", ids.0));
    assert_eq!(left, Vec::<Value>::new());
}

/// Over two servers, where there can be two: neither knows what the other is about to write.
async fn payments_and_observations_that_cite_them_may_come_at_once(engine: Engine) {
    const MANY: usize = 60;
    let (server, ids) = (Server::start(engine), Ids::new());
    let other = (engine == Engine::Neo4j).then(|| Server::start(engine));
    let of = |name: &str, at: usize| ids.of(&format!("{name}-{at}"));
    let payments: Vec<Payment> =
        (0..MANY).map(|at| Payment::new(of("payment", at), ids.of("payer"), of("payee", at % 3)).amount(format!("{at}.10"))).collect();
    let payments_to_send = payments.iter().map(|payment| (PAYMENTS, payment.text()));
    // Each payment is cited twice.
    let seen = (0..MANY / 3).map(|at| {
        let cited: Vec<String> = (0..6).map(|n| of("payment", (at * 3 + n) % MANY)).collect();
        (PATH, with(observation(&of("observation", at)), json!({"transactionIds": cited})).to_string())
    });
    let mut all: Vec<(&str, String)> = payments_to_send.chain(seen).collect();
    all.sort_by_key(|(_, text)| text.len() % 7);
    let answers = all.into_iter().enumerate().map(|(at, (path, body))| match &other {
        Some(other) if at % 2 == 0 => sent(other, path, body),
        _ => sent(&server, path, body),
    });
    futures::future::join_all(answers).await;
    for payment in &payments {
        assert_eq!(server.get(&format!("/api/v2/transactions/{}", payment.id)).await.expect(200).text, payment.text());
    }
    for at in 0..MANY / 3 {
        let id = of("observation", at);
        assert_eq!(read(&server, &id).await["finalized"], json!(true), "{id}");
        // Whoever came first: what its payments add up to is known, of each once.
        let cited: BTreeSet<usize> = (0..6).map(|n| (at * 3 + n) % MANY).collect();
        let total = cited.iter().map(|at| *at as f64 + 0.1).sum::<f64>();
        let query = "query($id: ID!) { observation(id: $id) { standardizedTotal } }";
        let read = server.graphql(query, json!({"id": id})).await["observation"]["standardizedTotal"].take();
        let read: f64 = read.as_str().and_then(|text| text.parse().ok()).expect("a number");
        assert!((read - total).abs() < 1e-6, "{id}: {read}, not {total}");
    }
    ledger::check(&server, payments.iter(), &Default::default()).await;
    let query = "query($id: ID!, $payer: ID!) { transaction(id: $id) { observations { totalCount } } account(id: $payer) { sent { totalCount } } }";
    let data = server.graphql(query, json!({"id": of("payment", 7), "payer": ids.of("payer")})).await;
    assert_eq!(data, json!({"transaction": {"observations": {"totalCount": 2}}, "account": {"sent": {"totalCount": MANY}}}));
}

async fn whoever_comes_first_the_graph_is_the_same(engine: Engine) {
    let mut server = Server::start(engine);
    let mut graphs = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]] {
        let ids = Ids::new();
        let of = |name: &str| ids.of(name);
        let payment = Payment::new(of("payment"), of("payer"), of("payee"));
        let seen =
            with(observation(&of("observation")), json!({"transactionIds": [of("payment")], "actors": [{"actorId": of("actor"), "primary": true}]}));
        for at in order {
            let (path, body) = match at {
                0 => ("/api/actors", actor(&of("actor")).to_string()),
                1 => (PAYMENTS, payment.text()),
                _ => (PATH, seen.to_string()),
            };
            sent(&server, path, body).await;
        }
        assert_eq!(read(&server, &of("observation")).await["finalized"], json!(true), "{order:?}");
        let query = format!(
            "MATCH (n) WHERE n.id ENDS WITH '{0}' OPTIONAL MATCH (n)-[r]->(m) WHERE m.id ENDS WITH '{0}'
             WITH n.id AS one, type(r) AS link, m.id AS other, size(labels(n)) AS labels ORDER BY one, link, other RETURN one, link, other, labels",
            ids.0
        );
        let rows = server.cypher(&query.replace('\n', " "));
        assert!(rows.len() > 5, "{rows:?}");
        graphs.push(rows.iter().map(|row| row.to_string().replace(&ids.0, "")).collect::<Vec<_>>());
    }
    assert!(graphs.iter().all(|graph| *graph == graphs[0]), "{graphs:#?}");
}

//! Transactions: every field of the document in and out, byte for byte; the same id again; every fault at once.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use crate::support::fixtures::{NOON, Other, Payment, account, actor, iban, with};
use crate::support::ready::READY_WITHIN;
use crate::support::{Engine, Ids, Server, eventually, jobs, tests};

tests![both: every_field_comes_back_as_it_was_given, numbers_keep_their_form, the_same_id_again_is_an_update, others_may_be_named_before_they_are_there,
    a_channel_location_must_be_there, a_number_meets_its_account_whichever_comes_first, an_address_is_seen_as_long_as_something_shows_it, without_a_provider_nothing_is_screened; embedded: all_faults_are_told_at_once, a_payment_is_one_statement,
    what_cannot_be_read, limits_of_fields];

const PATH: &str = "/api/v2/transactions";

/// Every field of the document, with blanks, number forms and characters that a rewriting of it would lose.
fn whole(ids: &Ids, place: &str) -> String {
    format!(
        r#" {{ "id" : "{id}", "account_id":"{account}","account_owner_id":"{owner}",
  "amount":{{"value":1250.50,"currency":"EUR"}},
  "counterparty":{{"object":"LEGAL_ENTITY","id":"{party}","name":"Müller \u0026 Söhne \"GmbH\"","birth_date":"1980-02-29","date_of_registration":"1999-12-31",
    "postal_addresses":[{{"lines":["Hauptstr. 1","2. Stock"],"postal_code":"10115","city":"Berlin","state":"BE","country":"DE","location":"52.5,13.4"}},{{}}],
    "account_info":{{"id":"{other}","bank_name":"A Bank","bic":"DEUTDEFF","bank_code":"50010517","account_number":"0532013000","iban":"DE89 3704 0044 0532 0130 00","country":"DE"}},
    "industry":{{"classification_identifier":"NACE","code":"64.19","type":"x"}},"metadata":{{"identifiable_as_actor":"false","n":1e2}}}},
  "created_at":1718280000.060,"direction":"OUTBOUND","standardized_amount":1.3505E3,"status":"COMPLETED","account_balance":-0.10,
  "channel":"ONLINE","channel_location_id":"{place}","custom_data":{{"z":1.0,"a":[1e1,{{}},null,true]}},"description":"an emoji 🏦 and a \t tab",
  "device":{{"id":"{device}","ip_address":"2001:DB8::1"}},"metadata":{{"international":true,"exclude_from_monitoring":false}},
  "method":"WIRE_TRANSFER","purpose":"SETTLEMENT","user_id":"u1","user_name":"Ursula" }}
"#,
        id = ids.of("payment"),
        account = ids.of("payer"),
        owner = ids.of("owner"),
        party = ids.of("party"),
        other = ids.of("payee"),
        device = ids.of("device"),
    )
}

async fn every_field_comes_back_as_it_was_given(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let place = ids.of("place");
    server.post("/api/channel_locations", json!({"id": place, "type": "BRANCH", "address": {}}).to_string()).await.expect(200);
    let text = whole(&ids, &place);
    let answer = server.post(PATH, text.clone()).await.expect(200);
    let body = answer.json();
    assert_eq!((&body["transaction_id"], &body["screening_results"]), (&json!(ids.of("payment")), &json!([])));
    assert_eq!(body["request_id"], json!(answer.header("x-request-id")));
    let read = server.get(&format!("{PATH}/{}", ids.of("payment"))).await.expect(200);
    assert_eq!(read.text.trim(), text.trim());
    assert!(read.header("content-type").starts_with("application/json"));
    for (field, values) in [
        ("direction", &["INBOUND", "OUTBOUND"][..]),
        ("status", &["CANCELLED", "COMPLETED", "FAILED", "PENDING"]),
        ("channel", &["ATM", "BRANCH", "ONLINE", "POS", "UNKNOWN"]),
        ("method", &["CARD", "CASH", "CHECK", "VIRTUAL", "WIRE_TRANSFER"]),
        (
            "purpose",
            &[
                "BILL_PAYMENT",
                "CHARGEBACK",
                "CLOSING",
                "CORRECTION",
                "FEE",
                "FUNDING",
                "INTEREST_PAYMENT",
                "INTRA_ACTOR",
                "PAY_IN",
                "PAY_OUT",
                "PRINCIPAL_PAYMENT",
                "REFUND",
                "REVERSE",
                "SETTLEMENT",
            ],
        ),
    ] {
        for value in values {
            let body: serde_json::Value = serde_json::from_str(&Payment::new(ids.of("each"), ids.of("payer"), ids.of("payee")).text()).expect("JSON");
            server.post(PATH, with(body, json!({field: value})).to_string()).await.expect(200);
        }
    }
    for object in ["EMPTY", "INDIVIDUAL", "ACCOUNT_INFO", "LEGAL_ENTITY", "NAMED_ENTITY"] {
        let body: serde_json::Value = serde_json::from_str(&Payment::new(ids.of("each"), ids.of("payer"), "").text()).expect("JSON");
        server.post(PATH, with(body, json!({"counterparty": {"object": object}})).to_string()).await.expect(200);
    }
}

async fn numbers_keep_their_form(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for amount in ["1.50", "1e3", "0.1E-2", "100", "-0", "0.000000000000000001", "999999999999999.999999999", "-12.30"] {
        let text = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).amount(amount).text();
        server.post(PATH, text.clone()).await.expect(200);
        assert_eq!(server.get(&format!("{PATH}/{}", ids.of("payment"))).await.expect(200).text, text);
    }
}

async fn the_same_id_again_is_an_update(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee"));
    let rich = payment
        .text_with(json!({"channel": "ATM", "description": "first", "device": {"id": ids.of("device"), "ip_address": "10.0.0.1"}, "user_name": "U"}));
    server.post(PATH, rich).await.expect(200);
    let poor = Payment { owner: ids.of("other owner"), other: Other::Nobody, ..payment }.text();
    server.post(PATH, poor.clone()).await.expect(200);
    assert_eq!(server.get(&format!("{PATH}/{}", ids.of("payment"))).await.expect(200).text, poor);
    let query =
        "query($id: ID!) { transaction(id: $id) { channel description owner { id } sender { id } receiver { id } device { id } ipAddress { id } } }";
    let data = server.graphql(query, json!({"id": ids.of("payment")})).await;
    let wanted = json!({"channel": null, "description": null, "owner": {"id": ids.of("other owner")}, "sender": {"id": ids.of("payer")}, "receiver": null, "device": null, "ipAddress": null});
    assert_eq!(data["transaction"], wanted, "nothing of the first is left");
    let owned = server
        .graphql("query($id: ID!) { actor(id: $id) { transactions { totalCount } } }", json!({"id": format!("owner-of-{}", ids.of("payer"))}))
        .await;
    assert_eq!(owned["actor"]["transactions"]["totalCount"], json!(0));
}

async fn others_may_be_named_before_they_are_there(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payment = Payment { owner: ids.of("owner"), ..Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")) };
    server.post(PATH, payment.text()).await.expect(200);
    server.get(&format!("/api/actors/{}", ids.of("owner"))).await.expect(404);
    let query = "query($id: ID!) { transaction(id: $id) { owner { known name } sender { known name external } receiver { known } } }";
    let known = async || server.graphql(query, json!({"id": ids.of("payment")})).await["transaction"].take();
    let stranger = json!({"owner": {"known": false, "name": ids.of("owner")}, "sender": {"known": false, "name": ids.of("payer"), "external": false}, "receiver": {"known": false}});
    assert_eq!(known().await, stranger);
    server.post("/api/actors", with(actor(&ids.of("owner")), json!({"name": "Olga"})).to_string()).await.expect(200);
    server.post("/api/accounts", with(account(&ids.of("payer")), json!({"name": "Main"})).to_string()).await.expect(200);
    let met =
        json!({"owner": {"known": true, "name": "Olga"}, "sender": {"known": true, "name": "Main", "external": false}, "receiver": {"known": false}});
    assert_eq!(known().await, met);
}

async fn a_channel_location_must_be_there(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let text = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).text_with(json!({"channel_location_id": ids.of("place")}));
    let refused = server.post(PATH, text.clone()).await.expect(400);
    assert_eq!(refused.places(), ["channel_location_id"]);
    server.get(&format!("{PATH}/{}", ids.of("payment"))).await.expect(404);
    server.post("/api/channel_locations", json!({"id": ids.of("place"), "type": "ATM", "address": {"city": "Ulm"}}).to_string()).await.expect(200);
    server.post(PATH, text).await.expect(200);
}

/// Account and payment have one of two numbers in common. Who comes first makes no difference.
async fn a_number_meets_its_account_whichever_comes_first(engine: Engine) {
    let server = Server::shared(engine);
    let table = [
        ("both", true, true, true, true),
        ("account by number", false, true, true, true),
        ("account by iban", true, false, true, true),
        ("payment by number", true, true, false, true),
    ];
    for (what, account_iban, account_number, payment_iban, payment_number) in table {
        for payment_first in [false, true] {
            let ids = Ids::new();
            let (iban, bank, number) = (iban(&ids.digits(18)), ids.digits(8), ids.digits(10));
            let mut record = account(&ids.of("payee"));
            let mut info = json!({});
            for (there, more) in [(account_iban, json!({"iban": iban})), (account_number, json!({"bankCode": bank, "accountNumber": number}))] {
                record = if there { with(record, more) } else { record };
            }
            for (there, more) in [(payment_iban, json!({"iban": iban})), (payment_number, json!({"bank_code": bank, "account_number": number}))] {
                info = if there { with(info, more) } else { info };
            }
            let body: serde_json::Value = serde_json::from_str(&Payment::new(ids.of("payment"), ids.of("payer"), "").text()).expect("JSON");
            let payment = with(body, json!({"counterparty": {"object": "INDIVIDUAL", "name": "Somebody", "account_info": info}}));
            let mut records = [("/api/accounts", record), (PATH, payment)];
            if payment_first {
                records.reverse();
            }
            for (path, record) in records {
                server.post(path, record.to_string()).await.expect(200);
            }
            let query = "query($id: ID!, $payer: ID!) { transaction(id: $id) { receiver { id known external } } account(id: $payer) { transferredTo { edges { node { id } } } } }";
            let data = server.graphql(query, json!({"id": ids.of("payment"), "payer": ids.of("payer")})).await;
            assert_eq!(
                data["transaction"]["receiver"],
                json!({"id": ids.of("payee"), "known": true, "external": false}),
                "{what}, payment first: {payment_first}"
            );
            assert_eq!(
                data["account"]["transferredTo"]["edges"],
                json!([{"node": {"id": ids.of("payee")}}]),
                "{what}, payment first: {payment_first}"
            );
        }
    }
}

async fn an_address_is_seen_as_long_as_something_shows_it(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let device = ids.of("device");
    let seen_at = async || {
        let query = "query($id: ID!) { device(id: $id) { ipAddresses(first: 10) { edges { node { id } } } } }";
        let data = server.graphql(query, json!({"id": device})).await;
        let edges = data["device"]["ipAddresses"]["edges"].as_array().cloned().unwrap_or_default();
        edges.iter().map(|edge| edge["node"]["id"].as_str().expect("an address").to_owned()).collect::<Vec<_>>()
    };
    let pay = async |name: &str, address: &str| {
        let payment = Payment::new(ids.of(name), ids.of("payer"), ids.of("payee"));
        let text = payment.text_with(json!({"device": {"id": device, "ip_address": address}}));
        server.post(PATH, text).await.expect(200);
    };
    pay("one", "192.0.2.1").await;
    assert_eq!(seen_at().await, ["192.0.2.1"]);
    pay("one", "192.0.2.2").await;
    assert_eq!(seen_at().await, ["192.0.2.2"], "nothing shows it at the first address any more");
    pay("two", "192.0.2.2").await;
    pay("one", "192.0.2.3").await;
    assert_eq!(seen_at().await, ["192.0.2.2", "192.0.2.3"], "another payment still shows it there");
    let plain = Payment::new(ids.of("one"), ids.of("payer"), ids.of("payee"));
    server.post(PATH, plain.text()).await.expect(200);
    assert_eq!(seen_at().await, ["192.0.2.2"], "the payment names no device any more");
}

async fn without_a_provider_nothing_is_screened(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let text = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).text();
    for query in ["", "?blocking=true", "?blocking=false&operations=FRAUD", "?operations=FRAUD,SANCTIONS"] {
        let body = server.post(&format!("{PATH}{query}"), text.clone()).await.expect(200).json();
        assert_eq!(body["screening_results"], json!([]), "{query}");
    }
    for (query, place) in [("?blocking=maybe", "blocking"), ("?operations=LAUNDRY", "operations"), ("?operation=FRAUD", "operation")] {
        assert_eq!(server.post(&format!("{PATH}{query}"), text.clone()).await.expect(400).places(), [place]);
    }
}

async fn all_faults_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let text = r#"{"id":"","account_id":7,"acount_owner_id":"o","amount":{"value":"1","currency":"Euro","unit":1},
        "counterparty":{"object":"ROBOT","birth_date":"2023-02-29","postal_addresses":[{},{"lines":"x"}],"account_info":{"IBAN":"x"}},
        "created_at":1718280000000,"direction":"SIDEWAYS","status":null,"device":{"id":true},"custom_data":[],"purpose":"FUN","channel":"MAIL","method":"BARTER","account_balance":"1"}"#;
    let answer = server.post(PATH, text).await.expect(400);
    let wanted = [
        "account_balance",
        "account_id",
        "account_owner_id",
        "acount_owner_id",
        "amount.currency",
        "amount.unit",
        "amount.value",
        "channel",
        "counterparty.account_info.IBAN",
        "counterparty.birth_date",
        "counterparty.object",
        "counterparty.postal_addresses[1].lines",
        "created_at",
        "custom_data",
        "device.id",
        "direction",
        "id",
        "method",
        "purpose",
        "standardized_amount",
        "status",
    ];
    assert_eq!(answer.places(), wanted, "{:#?}", answer.errors());
    for (place, right) in [("direction", "INBOUND"), ("amount.currency", "three"), ("account_owner_id", "required"), ("created_at", "seconds")] {
        let error = answer.errors().into_iter().find(|error| error.starts_with(&format!("{place}: "))).expect("it is there");
        assert!(error.contains(right), "it says what would be right: {error}");
    }
}

async fn what_cannot_be_read(engine: Engine) {
    let server = Server::shared(engine);
    for (body, place) in
        [("", "body"), ("{", "body"), ("[]", "body"), ("null", "body"), ("{} {}", "body"), (r#"{"id":"\ud800"}"#, ""), ("nonsense", "body")]
    {
        let answer = server.post(PATH, body).await.expect(400);
        assert!(answer.errors()[0].starts_with(place), "{body}: {}", answer.text);
    }
    let twice = server.post(PATH, r#"{"id":"a","id":"b"}"#).await.expect(400);
    assert!(twice.errors().iter().any(|error| error.starts_with("id: ") || error.starts_with("body: ")), "{twice:?}");
    server.send(server.request("POST", PATH).header("content-type", "text/xml").body("<x/>")).await.expect(415);
    let not_text = server.send(server.request("POST", PATH).header("content-type", "application/json").body(vec![b'{', 0xff])).await;
    assert_eq!(not_text.status, 400, "{not_text:?}");
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    server.post(PATH, format!(r#"{{"custom_data":{{"a":{deep}}}}}"#)).await.expect(400);
}

async fn limits_of_fields(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let send = async |payment: Payment| server.post(PATH, payment.text()).await;
    let payment = |id: String| Payment::new(id, ids.of("payer"), ids.of("payee"));
    let long = |length: usize| format!("{}{}", ids.of("é"), "é".repeat(length - ids.of("é").chars().count()));
    send(payment(long(256))).await.expect(200);
    let path = format!("{PATH}/{}", long(256));
    server.get(&path).await.expect(200);
    assert_eq!(server.get(&format!("{path}é")).await.expect(400).places(), ["id"]);
    assert_eq!(send(payment(long(257))).await.expect(400).places(), ["id"]);
    assert_eq!(send(payment("a\u{7}b".into())).await.expect(400).places(), ["id"]);
    assert_eq!(send(payment(ids.of("big")).amount("1e15")).await.expect(400).places(), ["amount.value", "standardized_amount"]);
    assert_eq!(send(payment(ids.of("bigger")).amount("-1e300")).await.expect(400).places(), ["amount.value", "standardized_amount"]);
    send(payment(ids.of("old")).at(-NOON)).await.expect(200);
    assert_eq!(send(payment(ids.of("far")).at(253_402_300_800)).await.expect(400).places(), ["created_at"]);
}

/// The statements that a payment could run.
const OF_PAYMENTS: [&str; 6] = ["transaction/", "identifier/", "account/", "transfer/", "payment_move/", "trail/"];

/// How often each of those ran so far, by its label.
async fn statements(server: &Server) -> BTreeMap<String, f64> {
    let counts = jobs::Shown::now(server).await.statements().into_iter();
    counts.filter(|(label, _)| OF_PAYMENTS.iter().any(|area| label.starts_with(area))).collect()
}

/// How many statements were run ahead.
async fn plans_made(server: &Server) -> Option<f64> {
    let metrics = server.anonymous().get("/metrics").await.expect(200).text;
    metrics.lines().find_map(|line| line.strip_prefix("amlgraph_plans_made_ahead ")).and_then(|made| made.parse().ok())
}

/// By whatever name the other side goes, known or not: only what was there before, or numbers that are named together for the first time, take more.
async fn a_payment_is_one_statement(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let known = with(account(&ids.of("known")), json!({"iban": iban("370400440532013000")}));
    server.post("/api/accounts", known.to_string()).await.expect(200);
    // What is run ahead at a start is run until its last was, and until it no longer becomes more.
    let wanted = cypher::statements::COMING_FIRST.len() as f64;
    eventually("the plans are made", READY_WITHIN, async || plans_made(&server).await == Some(wanted)).await;
    let mut so_far = BTreeMap::new();
    for _ in 0..60 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = statements(&server).await;
        if std::mem::replace(&mut so_far, now.clone()) == now {
            break;
        }
    }
    let others = [
        (Other::Account(ids.of("payee")), "transaction/record"),
        (Other::Iban(iban("370400440532013000")), "transaction/record_by_number"),
        (Other::Iban(iban("370400440532013001")), "transaction/record_by_number"),
        (Other::Number { bank: "10010010".into(), number: "12345".into() }, "transaction/record_by_number"),
        (Other::Party(ids.of("party")), "transaction/record"),
    ];
    for (number, (other, statement)) in others.into_iter().enumerate() {
        let payment = Payment { other, ..Payment::new(ids.of(&format!("payment-{number}")), ids.of("payer"), "") };
        let before = statements(&server).await;
        server.post(PATH, payment.text()).await.expect(200);
        let after = statements(&server).await;
        let ran: Vec<_> = after.into_iter().filter(|(label, count)| before.get(label) != Some(count)).collect();
        let once = before.get(statement).copied().unwrap_or(0.0) + 1.0;
        assert_eq!(ran, [(statement.to_owned(), once)], "{:?}", payment.other);
    }
}

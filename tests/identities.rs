//! What is one and what is not: accounts by their numbers, people by their phones, documents and addresses. A false link between strangers is worse than
//! one missed.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::fixtures::{Other, Payment, account, actor, french_iban, iban, with};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![both: a_mistyped_iban_is_nobody_elses, an_actors_id_makes_no_account, a_number_counts_beside_an_accounts_id,
    numbers_and_ids_end_alike_in_any_order, spellings_of_one_thing_are_shared_and_others_are_not, placeholders_identify_nobody,
    the_head_office_is_the_bank, an_amended_payment_leaves_no_empty_account, a_name_that_nobody_sees_is_none;
    embedded: codes_of_countries_and_currencies, births_and_payments_to_come_are_refused, placeholders_are_added_by_a_setting];

const PATH: &str = "/api/v2/transactions";
/// What follows in the background has followed by then: on Neo4j the worker of another test's server may have to do it, or to die first.
const SOON: Duration = Duration::from_secs(90);

/// A payment of `payer` to a counterparty.
fn paid_to(id: &str, payer: &str, counterparty: &Value) -> String {
    let payment = Payment { other: Other::Nobody, ..Payment::new(id, payer, "") };
    let mut body: Value = serde_json::from_str(&payment.text()).expect("JSON");
    body["counterparty"] = counterparty.clone();
    body.to_string()
}

/// An IBAN of the test's own.
fn french(ids: &Ids, number: usize) -> String {
    french_iban(&format!("1020{number}{}", ids.digits(18)))
}

async fn receiver(api: &Api, id: &str) -> String {
    let data = api.graphql("query($id: ID!) { transaction(id: $id) { receiver { id } } }", json!({"id": id})).await;
    data["transaction"]["receiver"]["id"].as_str().unwrap_or("nobody").to_owned()
}

async fn put_account(api: &Api, id: &str, more: Value) {
    send(api, "/api/accounts", with(account(id), more).to_string()).await;
}

/// A database on a busy machine may plan a statement for longer than a client is let wait: told to come again, a good client comes again.
async fn send(api: &Api, path: &str, text: String) {
    for _ in 0..20 {
        let answer = api.post(path, text.clone()).await;
        if answer.status == 200 {
            return;
        }
        assert_eq!(answer.status, 503, "{answer:?}");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("never taken: {text}");
}

async fn a_mistyped_iban_is_nobody_elses(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (bank, number) = (ids.digits(8), ids.digits(8));
    let right = iban(&format!("{bank}00{number}"));
    let short = iban(&format!("{bank}0{number}"));
    put_account(&server, &ids.of("right"), json!({"iban": right})).await;
    let pay = async |name: &str, iban: &str| {
        let counterparty = json!({"object": "ACCOUNT_INFO", "account_info": {"iban": iban}});
        send(&server, PATH, paid_to(&ids.of(name), &ids.of("payer"), &counterparty)).await;
        receiver(&server, &ids.of(name)).await
    };
    assert_eq!(pay("to-short", &short).await, format!("external:iban:{short}"));
    assert_eq!(pay("to-right", &right).await, ids.of("right"));
    assert_eq!(pay("in-words", &format!("IBAN: {}", right.to_lowercase())).await, ids.of("right"));
    // An account's own record may be mistyped as well: it takes only what was paid to the same text.
    put_account(&server, &ids.of("a-mistyped"), json!({"iban": short})).await;
    let moved = async || receiver(&server, &ids.of("to-short")).await == ids.of("a-mistyped");
    eventually("what was paid to the text follows", SOON, moved).await;
    assert_eq!(pay("to-right-again", &right).await, ids.of("right"));
}

async fn an_actors_id_makes_no_account(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let number = iban(&ids.digits(18));
    put_account(&server, &ids.of("account"), json!({"iban": number})).await;
    server.post("/api/actors", actor(&ids.of("anna")).to_string()).await.expect(200);
    let identified = json!({"object": "ACCOUNT_INFO", "id": ids.of("anna"), "metadata": {"identifiable_as_actor": "true"}});
    let table = [
        ("with-number", with(identified.clone(), json!({"account_info": {"iban": number}})), ids.of("account")),
        ("without", identified, format!("external:party:{}", ids.of("anna"))),
    ];
    for (name, counterparty, wanted) in table {
        send(&server, PATH, paid_to(&ids.of(name), &ids.of("payer"), &counterparty)).await;
        let query = "query($id: ID!) { transaction(id: $id) { receiver { id } parties { edges { node { id } } } } }";
        let data = server.graphql(query, json!({"id": ids.of(name)})).await;
        let parties = json!({"edges": [{"node": {"id": ids.of("anna")}}]});
        assert_eq!(data["transaction"], json!({"receiver": {"id": wanted}, "parties": parties}), "{name}");
    }
    let nobody = server.graphql("query($id: ID!) { account(id: $id) { id } }", json!({"id": ids.of("anna")})).await;
    assert!(nobody["account"].is_null(), "{nobody}");
}

async fn edges(api: &Api, payer: &str) -> Vec<(String, i64)> {
    let query = "query($id: ID!) { account(id: $id) { transferredTo(first: 20) { edges { count node { id } } } } }";
    let data = api.graphql(query, json!({"id": payer})).await;
    let edges = data["account"]["transferredTo"]["edges"].as_array().cloned().unwrap_or_default();
    let edge = |edge: &Value| (edge["node"]["id"].as_str().expect("an id").to_owned(), edge["count"].as_i64().expect("a count"));
    let mut edges: Vec<_> = edges.iter().map(edge).collect();
    edges.sort();
    edges
}

async fn a_number_counts_beside_an_accounts_id(engine: Engine) {
    let server = Server::shared(engine);
    for object in ["ACCOUNT_INFO", "INDIVIDUAL", "LEGAL_ENTITY"] {
        let ids = Ids::new();
        let (known, foreign) = (iban(&ids.digits(18)), french(&ids, 1));
        put_account(&server, &ids.of("x"), json!({"iban": known})).await;
        put_account(&server, &ids.of("recorded"), json!({})).await;
        put_account(&server, &ids.of("second"), json!({"iban": known})).await;
        let pay = async |name: &str, payer: &str, info: Value| {
            let counterparty = json!({"object": object, "account_info": info});
            send(&server, PATH, paid_to(&ids.of(name), &ids.of(payer), &counterparty)).await;
        };
        // A record names the number: whatever id stands beside it is none of its accounts'.
        pay("t1", "payer-1", json!({"id": ids.of("y"), "iban": known})).await;
        pay("t2", "payer-1", json!({"id": ids.of("recorded"), "iban": known})).await;
        pay("t3", "payer-1", json!({"iban": known})).await;
        let first = [ids.of("x"), ids.of("second")].into_iter().min().expect("two");
        assert_eq!(edges(&server, &ids.of("payer-1")).await, [(first, 3)], "{object}");
        // Two records name it: the id says which.
        pay("t4", "payer-2", json!({"id": ids.of("x"), "iban": known})).await;
        pay("t5", "payer-2", json!({"id": ids.of("second"), "iban": known})).await;
        let mut both = [(ids.of("x"), 1), (ids.of("second"), 1)];
        both.sort();
        assert_eq!(edges(&server, &ids.of("payer-2")).await, both, "{object}");
        // Nobody's record names it: with the id and without, it is one account's.
        pay("t6", "payer-3", json!({"id": ids.of("z"), "iban": foreign})).await;
        pay("t7", "payer-3", json!({"iban": foreign})).await;
        pay("t8", "payer-3", json!({"id": ids.of("z")})).await;
        assert_eq!(edges(&server, &ids.of("payer-3")).await, [(ids.of("z"), 3)], "{object}");
        // And where that account has a record, it is that one's.
        let other = french(&ids, 2);
        pay("t9", "payer-4", json!({"iban": other})).await;
        pay("t10", "payer-4", json!({"id": ids.of("recorded"), "iban": other})).await;
        assert_eq!(edges(&server, &ids.of("payer-4")).await, [(ids.of("recorded"), 2)], "{object}");
        let query = "query($id: ID!) { account(id: $id) { identities { totalCount edges { source node { kind } } } } }";
        for (name, source, why) in [("recorded", "PAYMENT", "its number, and not its own id"), ("x", "RECORD", "its own record names it")] {
            let shown = server.graphql(query, json!({"id": ids.of(name)})).await["account"]["identities"].take();
            let edge = json!({"source": source, "node": {"kind": "ACCOUNT_IDENTIFIER"}});
            assert_eq!(shown, json!({"totalCount": 1, "edges": [edge]}), "{why}");
        }
    }
}

/// A reproducible order of so many things.
fn order(count: usize, seed: u64) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    let mut order = Vec::with_capacity(count);
    while !left.is_empty() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.push(left.remove((state % left.len() as u64) as usize));
    }
    order
}

async fn numbers_and_ids_end_alike_in_any_order(engine: Engine) {
    let server = Server::shared(engine);
    for seed in 0..24 {
        let ids = Ids::new();
        let (first, second, third) = (french(&ids, 1), french(&ids, 2), french(&ids, 3));
        let (a, b, c) = (ids.of("a"), ids.of("b"), ids.of("c"));
        let to = |info: Value| json!({"object": "INDIVIDUAL", "account_info": info});
        // `a` names the first number itself; `b` has a record without one; `c` has none.
        let payments = [
            (to(json!({"iban": first})), a.as_str()),
            (to(json!({"id": c, "iban": first})), &a),
            (to(json!({"id": b, "iban": first})), &a),
            (to(json!({"id": b, "iban": second})), &b),
            (to(json!({"iban": second})), &b),
            (to(json!({"id": c, "iban": second})), &b),
            (to(json!({"id": c, "iban": third})), &c),
            (to(json!({"iban": third})), &c),
            (to(json!({"id": c})), &c),
        ];
        let mut requests: Vec<(&str, String)> = Vec::new();
        for (number, (counterparty, _)) in payments.iter().enumerate() {
            requests.push((PATH, paid_to(&ids.of(&format!("t{number}")), &ids.of("payer"), counterparty)));
        }
        requests.push(("/api/accounts", with(account(&a), json!({"iban": first})).to_string()));
        requests.push(("/api/accounts", account(&b).to_string()));
        let order = order(requests.len(), seed);
        for at in &order {
            let (path, body) = &requests[*at];
            send(&server, path, body.clone()).await;
        }
        let mut wanted = [(a.clone(), 3), (b.clone(), 3), (c.clone(), 3)];
        wanted.sort();
        // What went to a known account by a claim follows in the background. Counts may be right before all of it has come to where it belongs.
        for (number, (counterparty, wanted)) in payments.iter().enumerate() {
            let payment = ids.of(&format!("t{number}"));
            let has_come = async || receiver(&server, &payment).await == *wanted;
            eventually(&format!("{counterparty} goes to {wanted} in {order:?}"), SOON, has_come).await;
        }
        let settled = async || edges(&server, &ids.of("payer")).await == wanted;
        eventually(&format!("order {order:?}"), SOON, settled).await;
    }
}

/// Whether the second shares an identity with the first.
async fn shares(api: &Api, one: &str, other: &str) -> bool {
    let query = "query($id: ID!) { actor(id: $id) { sharesIdentityWith(first: 500) { edges { node { id } } } } }";
    let data = api.graphql(query, json!({"id": one})).await;
    let edges = data["actor"]["sharesIdentityWith"]["edges"].as_array().cloned().expect("edges");
    edges.iter().any(|edge| edge["node"]["id"] == json!(other))
}

async fn spellings_of_one_thing_are_shared_and_others_are_not(engine: Engine) {
    let server = Server::shared(engine);
    let phone = |number: &str| json!({"phones": [{"number": number}]});
    let email = |address: &str| json!({"emails": [{"address": address}]});
    let address = |line: &str| json!({"addresses": [{"line1": line}]});
    let table = [
        ("", phone("+3367a829916"), phone("+33672829916"), false),
        ("", phone("anna.ek1@example.com"), phone("bo1@example.org"), false),
        ("SA", phone("+966501234567"), phone("+٩٦٦٥٠١٢٣٤٥٦٧"), true),
        ("DE", phone("030 901820"), phone("030\t901820"), true),
        ("DE", phone("030 901820"), phone("030\u{200d}901820"), true),
        ("", phone("+49 30 901821 ext. 12"), phone("+49 30 901821;ext=12"), true),
        ("RU", phone("+7 812 345-67-89"), phone("8 (812) 345-67-89"), true),
        ("RU", phone("+7 800 555-35-35"), phone("8-800-555-35-35"), true),
        ("", phone("0044 20 7946 0958"), phone("+44 20 7946 0958"), true),
        ("US", phone("0044 20 7946 0958"), phone("+44 20 7946 0958"), true),
        ("", phone("112"), phone("112"), false),
        ("", email("jo@exämple.example"), email("jo@xn--exmple-cua.example"), true),
        ("", email("jo@example.example"), email("jo@exämple.example"), false),
        ("", address("Hauptstraße 5"), address("HAUPTSTRASSE 5"), true),
        ("", address("Hauptstr. 5"), address("HAUPTSTRASSE 5"), true),
        ("", address("istiklal 5 istanbul"), address("İSTİKLAL 5 İSTANBUL"), true),
        ("", address("Müllerweg 7"), address("Mu\u{308}llerweg 7"), true),
        ("", address("Οδός Ερμού 5"), address("ΟΔΟΣ ΕΡΜΟΥ 5"), true),
        ("", address("Müllerweg 7"), address("Müllerweg 8"), false),
    ];
    for (number, (domicile, one, other, wanted)) in table.into_iter().enumerate() {
        let ids = Ids::new();
        for (name, more) in [("one", &one), ("other", &other)] {
            let record = with(actor(&ids.of(name)), more.clone());
            let record = if domicile.is_empty() { record } else { with(record, json!({"domicile": domicile})) };
            send(&server, "/api/actors", record.to_string()).await;
        }
        assert_eq!(shares(&server, &ids.of("one"), &ids.of("other")).await, wanted, "{number}: {one} {other}");
    }
    let ids = Ids::new();
    for (name, number) in [("one", "+49 30 901822 ext. 12"), ("other", "+49 30 901822 ext. 34")] {
        send(&server, "/api/actors", with(actor(&ids.of(name)), phone(number)).to_string()).await;
    }
    let query = "query($id: ID!) { actor(id: $id) { identities { edges { node { name } } } } }";
    let shown = server.graphql(query, json!({"id": ids.of("other")})).await["actor"]["identities"]["edges"].to_string();
    assert!(shown.contains("+49 30 901822 ext. 34") && !shown.contains("ext. 12"), "{shown}");
}

async fn placeholders_identify_nobody(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (number, nothing) in ["N/A", "unknown", "-", "0000000000", "NOTPROVIDED", "1111111"].into_iter().enumerate() {
        let record = json!({"governmentIds": [{"type": "PASSPORT", "id": nothing}], "phones": [{"number": nothing}], "emails": [{"address": nothing}],
            "references": [{"systemName": "CRM", "id": nothing}]});
        let (one, other) = (ids.of(&format!("one-{number}")), ids.of(&format!("other-{number}")));
        for id in [&one, &other] {
            let text = with(actor(id), record.clone()).to_string();
            send(&server, "/api/actors", text.clone()).await;
            assert_eq!(server.get(&format!("/api/actors/{id}")).await.expect(200).text, text, "it is kept");
        }
        assert!(!shares(&server, &one, &other).await, "{nothing}");
        let info = json!({"object": "INDIVIDUAL", "account_info": {"iban": nothing, "account_number": nothing, "bank_code": nothing}});
        let payment = ids.of(&format!("payment-{number}"));
        send(&server, PATH, paid_to(&payment, &ids.of("payer"), &info)).await;
        assert_eq!(receiver(&server, &payment).await, "nobody", "{nothing}");
    }
}

async fn placeholders_are_added_by_a_setting(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_IDENTITIES__PLACEHOLDERS", "Kein Eintrag, siehe Akte")]);
    for name in ["one", "other"] {
        let record = json!({"phones": [{"number": "siehe  AKTE"}], "emails": [{"address": "kein eintrag"}]});
        send(&server, "/api/actors", with(actor(name), record).to_string()).await;
    }
    assert!(!shares(&server, "one", "other").await);
}

async fn the_head_office_is_the_bank(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let number = ids.digits(10);
    for (name, bic) in [("t1", "BSABESBB"), ("t2", "BSABESBBXXX"), ("t3", "bsabesbb")] {
        let info = json!({"object": "INDIVIDUAL", "account_info": {"bic": bic, "account_number": number}});
        send(&server, PATH, paid_to(&ids.of(name), &ids.of("payer"), &info)).await;
    }
    let branch = json!({"object": "INDIVIDUAL", "account_info": {"bic": "BSABESBB080", "account_number": number}});
    send(&server, PATH, paid_to(&ids.of("t4"), &ids.of("payer"), &branch)).await;
    let wanted = [("080", 1), ("", 3)].map(|(branch, count)| (format!("external:account:BSABESBB{branch}:{number}"), count));
    assert_eq!(edges(&server, &ids.of("payer")).await, wanted);
}

async fn an_amended_payment_leaves_no_empty_account(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payer = ids.of("payer");
    let exists = async |id: &str| !server.graphql("query($id: ID!) { account(id: $id) { id } }", json!({"id": id})).await["account"].is_null();
    let number = french(&ids, 1);
    let table = [
        (json!({"object": "NAMED_ENTITY", "name": "ACME"}), format!("external:name:acme@{payer}")),
        (json!({"object": "NAMED_ENTITY", "id": ids.of("party")}), format!("external:party:{}", ids.of("party"))),
        (json!({"object": "INDIVIDUAL", "account_info": {"iban": number}}), format!("external:iban:{number}")),
    ];
    for (at, (counterparty, external)) in table.iter().enumerate() {
        let (one, other) = (ids.of(&format!("one-{at}")), ids.of(&format!("other-{at}")));
        for id in [&one, &other] {
            send(&server, PATH, paid_to(id, &payer, counterparty)).await;
        }
        send(&server, PATH, paid_to(&one, &payer, &json!({"object": "EMPTY"}))).await;
        assert!(exists(external).await, "{external} has a payment yet");
        send(&server, PATH, paid_to(&other, &payer, &json!({"object": "NAMED_ENTITY", "name": format!("Other {at}")}))).await;
        assert!(!exists(external).await, "{external}");
        send(&server, PATH, paid_to(&one, &payer, counterparty)).await;
        assert_eq!(receiver(&server, &one).await, *external, "and it comes back with a payment");
    }
}

async fn a_name_that_nobody_sees_is_none(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (number, name) in ["\u{200b}", " ", "\u{a0}", "\u{feff}\u{2060}", "\u{3164}"].into_iter().enumerate() {
        let (id, payment) = (ids.of(&format!("actor-{number}")), ids.of(&format!("payment-{number}")));
        send(&server, "/api/actors", with(actor(&id), json!({"name": name})).to_string()).await;
        put_account(&server, &id, json!({"name": name})).await;
        let counterparty = json!({"object": "INDIVIDUAL", "id": id, "name": name});
        send(&server, PATH, paid_to(&payment, &ids.of("payer"), &counterparty)).await;
        let query = "query($id: ID!, $payment: ID!) { actor(id: $id) { name } account(id: $id) { name }
            transaction(id: $payment) { counterpartyName receiver { name } } }";
        let data = server.graphql(query, json!({"id": id, "payment": payment})).await;
        assert_eq!((&data["actor"]["name"], &data["account"]["name"]), (&json!(id), &json!(id)), "{name:?}");
        assert_eq!(data["transaction"], json!({"counterpartyName": id, "receiver": {"name": id}}), "{name:?}");
    }
}

async fn codes_of_countries_and_currencies(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (field, code, wanted) in [
        ("domicile", "XK", 200),
        ("nationality", "XK", 200),
        ("nationality", "SU", 200),
        ("nationality", "YU", 200),
        ("nationality", "DD", 200),
        ("domicile", "SU", 422),
        ("nationality", "XX", 422),
    ] {
        let answer = server.post("/api/actors", with(actor(&ids.of("actor")), json!({field: code})).to_string()).await;
        assert_eq!(answer.status, wanted, "{field} {code}: {answer:?}");
    }
    for (code, wanted) in [("EUR", 200), ("USDT", 422), ("E1R", 422)] {
        let answer = server.post("/api/accounts", with(account(&ids.of("account")), json!({"currencyCode": code})).to_string()).await;
        assert_eq!(answer.status, wanted, "{code}: {answer:?}");
    }
    for (at, (code, wanted)) in
        [("EUR", 200), ("USDT", 200), ("1INCH", 200), ("EU", 400), ("usdt", 400), ("ABCDEFGHIJKLM", 400)].into_iter().enumerate()
    {
        let payment = Payment { currency: code, ..Payment::new(ids.of(&format!("t{at}")), ids.of("payer"), ids.of("payee")) };
        let answer = server.post(PATH, payment.text()).await;
        assert_eq!(answer.status, wanted, "{code}: {answer:?}");
    }
}

async fn births_and_payments_to_come_are_refused(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let day = |days: i64| (chrono::Utc::now() + chrono::Duration::days(days)).format("%Y-%m-%d").to_string();
    let born = |date: String| with(actor(&ids.of("actor")), json!({"dateOfBirth": date}));
    assert_eq!(server.post("/api/actors", born(day(3)).to_string()).await.expect(422).places(), ["dateOfBirth"]);
    let both = with(born(day(3)), json!({"asOfDate": day(4)}));
    assert_eq!(server.post("/api/actors", both.to_string()).await.expect(422).places(), ["asOfDate", "dateOfBirth"]);
    server.post("/api/actors", born(day(-1)).to_string()).await.expect(200);
    let at = |days: i64| Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).at(chrono::Utc::now().timestamp() + days * 24 * 60 * 60);
    assert_eq!(server.post(PATH, at(3).text()).await.expect(400).places(), ["created_at"]);
    server.post(PATH, at(1).text()).await.expect(200);
    let unborn = json!({"object": "INDIVIDUAL", "id": ids.of("party"), "birth_date": day(3)});
    let answer = server.post(PATH, paid_to(&ids.of("unborn"), &ids.of("payer"), &unborn)).await.expect(400);
    assert_eq!(answer.places(), ["counterparty.birth_date"]);
}

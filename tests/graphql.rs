//! GraphQL: walking from node to node, history, shared identities, and who may ask.

use serde_json::{Value, json};

use crate::support::fixtures::{NOON, Payment, account, with};
use crate::support::network::Network;
use crate::support::{Engine, Ids, Server, tests};

tests![both: from_node_to_node, any_node_by_its_id, the_facts_of_a_payment, three_steps_along_the_money, who_may_ask];

/// From an actor over their account, its payments and the device back to the actor.
async fn from_node_to_node(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let query = r#"query($id: ID!) { actor(id: $id) { id name known type
        accounts(first: 1) { edges { role asOfDate node { id known external } } }
        associates(first: 1) { edges { type ratio asOfDate node { id known } } }
        associateOf(first: 1) { edges { type ratio node { id } } }
        identities(first: 1) { edges { node { kind id name actors(first: 5) { edges { node { id } } } } } }
        sharesIdentityWith(first: 1) { edges { identity { kind id } node { id } } }
        transactions(first: 1, orderBy: {field: AMOUNT, direction: ASC}) { edges { node { id
          device { id type ipAddresses { edges { node { id } } } accounts(first: 1) { edges { count first last node { id } } } }
          channelLocation { id name type city transactions { totalCount } }
          ipAddress { id devices { totalCount edges { node { id } } } transactions { edges { node { id } } } } sender { id name } receiver { id } owner { id known } account { id name } } } } } }"#;
    let data = server.graphql(query, json!({"id": network.actor})).await;
    let (of, actor) = (|name: &str| network.ids.of(name), &data["actor"]);
    let edge = |link: &str| &actor[link]["edges"][0];
    assert_eq!(
        [&actor["id"], &actor["name"], &actor["known"], &actor["type"]],
        [&json!(network.actor), &json!("Ada Actor"), &json!(true), &json!("INDIVIDUAL")]
    );
    assert_eq!(edge("accounts")["node"], json!({"id": of("owned-0"), "known": false, "external": false}));
    assert_eq!(edge("accounts")["role"], json!("OWNER"));
    assert_eq!((&edge("associates")["type"], &edge("associates")["node"]), (&json!("GUARANTOR"), &json!({"id": of("associate-0"), "known": false})));
    assert_eq!(edge("associateOf"), &json!({"type": "INVESTOR", "ratio": 0.5, "node": {"id": of("company-0")}}));
    let phone = &edge("identities")["node"];
    assert_eq!(phone["kind"], json!("PHONE"));
    let sharing = json!([{"node": {"id": network.actor}}, {"node": {"id": of("sharing-0")}}]);
    assert_eq!(phone["actors"]["edges"], sharing, "{phone}");
    assert_eq!(edge("sharesIdentityWith"), &json!({"identity": {"kind": "PHONE", "id": phone["id"]}, "node": {"id": of("sharing-0")}}));

    let payment = &edge("transactions")["node"];
    assert_eq!(payment["id"], json!(of("payment-0")));
    assert_eq!(payment["device"]["id"], json!(network.device));
    assert_eq!(payment["device"]["ipAddresses"]["edges"].as_array().map(Vec::len), Some(5));
    let sign_in = "2024-06-01T12:00:00Z";
    assert_eq!(payment["device"]["accounts"]["edges"][0], json!({"count": 1, "first": sign_in, "last": sign_in, "node": {"id": of("visited-0")}}));
    let place = json!({"id": network.place, "name": "ATM Ulm", "type": "ATM", "city": "Ulm", "transactions": {"totalCount": 5}});
    assert_eq!(payment["channelLocation"], place);
    let devices = json!({"totalCount": 1, "edges": [{"node": {"id": network.device}}]});
    let payments = json!({"edges": [{"node": {"id": of("payment-0")}}]});
    assert_eq!(payment["ipAddress"], json!({"id": network.ip(0), "devices": devices, "transactions": payments}));
    assert_eq!(payment["sender"], json!({"id": network.account, "name": "Main account"}));
    assert_eq!((&payment["receiver"], &payment["owner"]), (&json!({"id": of("other-0")}), &json!({"id": network.actor, "known": true})));
    assert_eq!(payment["account"], json!({"id": network.account, "name": "Main account"}));
}

async fn any_node_by_its_id(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    for (kind, id) in [
        ("Actor", network.actor.clone()),
        ("Actor", network.ids.of("holder-0")),
        ("Account", network.account.clone()),
        ("Transaction", network.ids.of("payment-0")),
        ("ChannelLocation", network.place.clone()),
        ("Device", network.device.clone()),
        ("IpAddress", network.ip(0)),
    ] {
        let query = "query($id: ID!) { node(id: $id) { __typename id nodeId } }";
        let node_id = format!("{kind}:{id}");
        let data = server.graphql(query, json!({"id": node_id})).await;
        assert_eq!(data["node"], json!({"__typename": kind, "id": id, "nodeId": node_id}));
        let nobody = format!("{kind}:{}", network.ids.of("nobody"));
        assert!(server.graphql(query, json!({"id": nobody})).await["node"].is_null(), "{nobody}");
    }
    for wrong in ["x", "account:x", "Nothing:x"] {
        let answer = server.graphql_answer("query($id: ID!) { node(id: $id) { id } }", json!({"id": wrong})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with("id: ")), "{answer}");
    }
}

async fn the_facts_of_a_payment(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).amount("1.50e3").at(NOON);
    let more = json!({"channel": "POS", "method": "CARD", "purpose": "FEE", "description": "for nothing", "custom_data": {"a": [1, {"b": null}]},
        "counterparty": {"object": "INDIVIDUAL", "id": ids.of("person"), "name": "Bert", "metadata": {"identifiable_as_actor": "true"}, "account_info": {"id": ids.of("payee")}}});
    let mut body: Value = serde_json::from_str(&payment.text()).expect("JSON");
    body = with(body, more);
    let text = body.to_string().replace("1500.0", "1.50e3");
    server.post("/api/v2/transactions", text).await.expect(200);
    let query = "query($id: ID!) { transaction(id: $id) { id name amount currency standardizedAmount createdAt direction status channel method purpose description
        counterpartyName parties { totalCount edges { node { id name known } } }
        record { id amount { value currency } created_at: createdAt customData counterparty { object name metadata } } } }";
    let data = server.graphql(query, json!({"id": ids.of("payment")})).await;
    let fact = &data["transaction"];
    for (field, wanted) in [
        ("name", "1500 EUR"),
        ("amount", "1500"),
        ("standardizedAmount", "1500"),
        ("currency", "EUR"),
        ("createdAt", "2024-06-13T12:00:00Z"),
        ("direction", "OUTBOUND"),
        ("status", "COMPLETED"),
        ("channel", "POS"),
        ("method", "CARD"),
        ("purpose", "FEE"),
        ("description", "for nothing"),
        ("counterpartyName", "Bert"),
    ] {
        assert_eq!(fact[field], json!(wanted), "{field}: {fact:#}");
    }
    assert_eq!(fact["parties"], json!({"totalCount": 1, "edges": [{"node": {"id": ids.of("person"), "name": "Bert", "known": false}}]}));
    assert_eq!(fact["record"]["customData"], json!({"a": [1, {"b": null}]}), "{fact:#}");
    assert_eq!(fact["record"]["amount"]["currency"], json!("EUR"), "{fact:#}");
}

/// A chain of payments a → b → … → e: each step of the same link, alone and in one query of three steps.
async fn three_steps_along_the_money(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (number, (from, to)) in ["ab", "bc", "cd", "de"].iter().map(|pair| pair.split_at(1)).enumerate() {
        let payment = Payment::new(ids.of(&format!("payment-{number}")), ids.of(from), ids.of(to)).amount(format!("{}", number + 1));
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
        server.post("/api/accounts", with(account(&ids.of(to)), json!({"name": format!("Account {to}")})).to_string()).await.expect(200);
    }
    for (link, from, wanted) in [("transferredTo", "a", ["b", "c", "d", "e"]), ("receivedFrom", "e", ["d", "c", "b", "a"])] {
        let step = |inner: &str| format!("{link}(first: 2) {{ edges {{ count total node {{ id name {inner} }} }} }}");
        // Four steps are more than one statement takes, so that the last one is asked for by itself.
        let query = format!("query($id: ID!) {{ account(id: $id) {{ {} }} }}", step(&step(&step(&step("")))));
        let data = server.graphql(&query, json!({"id": ids.of(from)})).await;
        let mut at = &data["account"];
        for name in wanted {
            let edges = at[link]["edges"].as_array().expect("edges");
            assert_eq!(edges.len(), 1, "{link} {name}: {data:#}");
            assert_eq!(edges[0]["node"]["id"], json!(ids.of(name)), "{link}: {data:#}");
            assert_eq!(edges[0]["count"], json!(1));
            at = &edges[0]["node"];
        }
    }
}

async fn who_may_ask(engine: Engine) {
    let server = Server::shared(engine);
    let make = async |role: &str| {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        made["key"].as_str().expect("a key").to_owned()
    };
    let (analyst, ingest) = (make("ANALYST").await, make("INGEST").await);
    let query = "{ actors(first: 1) { totalCount } }";
    server.with_key(&analyst).graphql(query, json!({})).await;
    let refused = server.with_key(&ingest).graphql_answer(query, json!({})).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], json!("FORBIDDEN"), "{refused}");
    let ids = Ids::new();
    let mutation = r#"mutation($id: ID!) { recordDevices(devices: [{id: $id, type: "PHONE", blocked: true}]) }"#;
    let refused = server.with_key(&analyst).graphql_answer(mutation, json!({"id": ids.of("device")})).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], json!("FORBIDDEN"), "{refused}");
    server.with_key(&ingest).graphql(mutation, json!({"id": ids.of("device")})).await;
    let device = server.with_key(&analyst).graphql("query($id: ID!) { device(id: $id) { type blocked } }", json!({"id": ids.of("device")})).await;
    assert_eq!(device["device"], json!({"type": "PHONE", "blocked": true}));
}

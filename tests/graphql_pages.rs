//! Pages of nothing and between two places, as Relay has them, and what is largest where there are several currencies.

use serde_json::{Value, json};

use crate::graphql_lists::{List, ids_of};
use crate::support::fixtures::Payment;
use crate::support::network::Network;
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: a_page_of_nothing_has_its_page_info, pages_between_two_places, amounts_are_compared_across_currencies_by_what_they_are_worth];

/// Relay: nothing is on it, and whether there is more is said all the same.
async fn a_page_of_nothing_has_its_page_info(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let list = List { root: "account", field: "transactions", arguments: "" };
    let whole = list.page(&server, &network.account, json!({"first": 100})).await;
    let (first, last) = (&whole["pageInfo"]["startCursor"], &whole["pageInfo"]["endCursor"]);
    for (page, previous, next) in [
        (json!({"first": 0}), false, true),
        (json!({"last": 0}), true, false),
        (json!({"first": 0, "after": first}), true, true),
        (json!({"first": 0, "after": last}), true, false),
        (json!({"first": 0, "before": first}), false, false),
        (json!({"first": 0, "after": first, "before": last}), true, true),
    ] {
        let found = list.page(&server, &network.account, page.clone()).await;
        let info = json!({"hasNextPage": next, "hasPreviousPage": previous, "startCursor": null, "endCursor": null});
        assert_eq!((&found["edges"], &found["pageInfo"], &found["totalCount"]), (&json!([]), &info, &json!(10)), "{page}");
    }
    let query = "{ actors(first: 0) { edges { node { id } } } accounts(first: 0) { pageInfo { hasNextPage } edges { node { id } } } }";
    assert_eq!(
        server.graphql(query, json!({})).await,
        json!({"actors": {"edges": []}, "accounts": {"pageInfo": {"hasNextPage": true}, "edges": []}})
    );
}

/// Relay: what lies between the two places, from its start or from its end.
async fn pages_between_two_places(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let by_amount = ", orderBy: {field: AMOUNT, direction: ASC}";
    for (root, id, field, arguments) in [
        ("account", &network.account, "transactions", ""),
        ("actor", &network.actor, "transactions", by_amount),
        ("account", &network.account, "transferredTo", ""),
        ("actor", &network.actor, "sharesIdentityWith", ""),
    ] {
        let list = List { root, field, arguments };
        let whole = list.page(&server, id, json!({"first": 100})).await;
        let (all, edges) = (ids_of(&whole), whole["edges"].as_array().expect("edges"));
        let cursor = |at: usize| edges[at]["cursor"].clone();
        for from in 0..all.len() {
            for to in [0, from, from + 1, from + 3, all.len() - 1].into_iter().filter(|to| *to < all.len()) {
                let between: Vec<String> = all.iter().take(to).skip(from + 1).cloned().collect();
                for size in [0, 2, all.len()] {
                    let place = json!({"after": cursor(from), "before": cursor(to)});
                    let page = async |way: &str| {
                        let mut page = place.clone();
                        page[way] = json!(size);
                        list.page(&server, id, page).await
                    };
                    let (first, last) = (page("first").await, page("last").await);
                    let start = between.iter().take(size).cloned().collect::<Vec<_>>();
                    let end = between.iter().skip(between.len().saturating_sub(size)).cloned().collect::<Vec<_>>();
                    assert_eq!((ids_of(&first), ids_of(&last)), (start, end), "{field}{arguments} {from} {to} {size}");
                    let more = json!(between.len() > size);
                    assert_eq!(first["pageInfo"]["hasNextPage"], more, "{field}{arguments} {from} {to} {size}");
                    assert_eq!(last["pageInfo"]["hasPreviousPage"], more, "{field}{arguments} {from} {to} {size}");
                }
            }
        }
    }
    between_two_places_of_all(&server).await;
}

/// Lists of all nodes likewise. Other tests add to them, also between two places: what was read while they did is read again.
async fn between_two_places_of_all(api: &Api) {
    let page = async |arguments: String| {
        let query = format!("{{ list: transactions({arguments}) {{ pageInfo {{ startCursor endCursor }} edges {{ node {{ id }} }} }} }}");
        api.graphql(&query, json!({})).await["list"].take()
    };
    for _ in 0..100 {
        let whole = page("first: 5".into()).await;
        let place = |name: &str| whole["pageInfo"][name].as_str().expect("a cursor").to_owned();
        let (start, end) = (place("startCursor"), place("endCursor"));
        let between = page(format!("first: 100, after: \"{start}\", before: \"{end}\"")).await;
        let back = page(format!("last: 100, after: \"{start}\", before: \"{end}\"")).await;
        let all = ids_of(&whole);
        if ids_of(&page("first: 5".into()).await) == all {
            assert_eq!((ids_of(&between), ids_of(&back)), (all[1..4].to_vec(), all[1..4].to_vec()), "{whole}");
            return;
        }
    }
    panic!("the list never stayed as it was");
}

/// Yen are many and worth little: what is largest goes by the platform's own currency, or within one currency that is named.
async fn amounts_are_compared_across_currencies_by_what_they_are_worth(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payments =
        [("a", "JPY", "9000", 60.5), ("b", "EUR", "70", 70.0), ("c", "JPY", "100000", 650.25), ("d", "USD", "80", 75.5), ("e", "JPY", "50", 0.3)];
    for (to, currency, amount, worth) in payments {
        let payment = Payment { currency, ..Payment::new(ids.of(to), ids.of("payer"), ids.of(&format!("to {to}"))).amount(amount) };
        let mut record: Value = serde_json::from_str(&payment.text()).expect("JSON");
        record["standardized_amount"] = json!(worth);
        server.post("/api/v2/transactions", record.to_string()).await.expect(200);
    }
    let payer = ids.of("payer");
    for (field, name, arguments, wanted) in [
        ("sent", "", ", orderBy: {field: AMOUNT}", "cdbae"),
        ("sent", "", ", orderBy: {field: AMOUNT, direction: ASC}", "eabdc"),
        ("sent", "", ", orderBy: {field: AMOUNT}, filter: {currency: \"JPY\"}", "cae"),
        ("sent", "", ", orderBy: {field: AMOUNT}, filter: {minStandardizedAmount: 70}", "cdb"),
        ("sent", "", ", orderBy: {field: AMOUNT}, filter: {maxStandardizedAmount: 70}", "bae"),
        ("sent", "", ", orderBy: {field: AMOUNT}, filter: {currency: \"JPY\", minAmount: 9000, maxAmount: 9000}", "a"),
        ("sent", "", ", orderBy: {field: AMOUNT}, filter: {currency: \"JPY\", minStandardizedAmount: 60}", "ca"),
        ("transferredTo", "to ", "", "cdbae"),
        ("transferredTo", "to ", ", orderBy: {field: TOTAL, direction: ASC}", "eabdc"),
        ("transferredTo", "to ", ", filter: {currency: \"JPY\"}", "cae"),
        ("transferredTo", "to ", ", filter: {minStandardizedTotal: 70}", "cdb"),
        ("transferredTo", "to ", ", filter: {currency: \"JPY\", minTotal: 9000}", "ca"),
    ] {
        let found = List { root: "account", field, arguments }.both_ways(&server, &payer).await;
        let wanted: Vec<String> = wanted.chars().map(|id| ids.of(&format!("{name}{id}"))).collect();
        assert_eq!(found, wanted, "{field}{arguments}");
    }
    // Added up by the side that says more, and taken back with the payment.
    let told = |to: &str, worth: f64, amount: &str| {
        let payment = Payment { currency: "JPY", ..Payment::new(ids.of(&format!("again {worth}")), &payer, ids.of(to)).amount(amount) };
        let mut record: Value = serde_json::from_str(&payment.text()).expect("JSON");
        record["standardized_amount"] = json!(worth);
        record.to_string()
    };
    server.post("/api/v2/transactions", told("to e", 80.0, "13000")).await.expect(200);
    let query = "query($id: ID!) { account(id: $id) { transferredTo(first: 2) { edges { total standardizedTotal currency } } } }";
    let data = server.graphql(query, json!({"id": payer})).await;
    let edges = json!([
        {"total": "100000", "standardizedTotal": "650.25", "currency": "JPY"},
        {"total": "13050", "standardizedTotal": "80.3", "currency": "JPY"},
    ]);
    assert_eq!(data["account"]["transferredTo"]["edges"], edges);
}

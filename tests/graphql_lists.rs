//! Lists in GraphQL: pages forward and backward over every link, counts, orders, filters, and what a list costs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::fixtures::{NOON, Payment, case_id};
use crate::support::network::{LINKS, Network};
use crate::support::{Api, Engine, Ids, Server, Store, jobs, tests};

tests![both: every_link_is_paged_both_ways, lists_of_all_nodes_are_paged, payments_in_any_order, transfers_in_any_order, payments_by_filter, transfers_by_filter,
    equal_transfers_are_paged, a_cursor_is_of_its_list, filters_must_make_sense, pages_must_make_sense, a_size_that_there_is_not_is_told_once; embedded: a_list_costs_a_constant_number_of_statements];

/// A list: the field that leads to its node, and its own with its arguments.
pub struct List<'a> {
    pub root: &'a str,
    pub field: &'a str,
    pub arguments: &'a str,
}

impl List<'_> {
    pub async fn page(&self, api: &Api, id: &str, page: Value) -> Value {
        let Self { root, field, arguments } = self;
        let query = format!(
            "query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {{ {root}(id: $id) {{
               list: {field}(first: $first, after: $after, last: $last, before: $before {arguments}) {{
                 totalCount pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} edges {{ cursor node {{ id }} }} }} }} }}"
        );
        let mut variables = json!({"id": id});
        variables.as_object_mut().expect("an object").extend(page.as_object().expect("an object").clone());
        api.graphql(&query, variables).await[root]["list"].take()
    }

    /// All ids, two a page, from the beginning.
    async fn forward(&self, api: &Api, id: &str) -> Vec<String> {
        let (mut found, mut after) = (Vec::new(), Value::Null);
        loop {
            let page = self.page(api, id, json!({"first": 2, "after": after})).await;
            assert_eq!(page["pageInfo"]["hasPreviousPage"], json!(!after.is_null()), "{}", self.field);
            found.extend(ids_of(&page));
            if page["pageInfo"]["hasNextPage"] == json!(false) {
                assert_eq!(page["totalCount"], json!(found.len()), "{}", self.field);
                return found;
            }
            assert_eq!(ids_of(&page).len(), 2, "{}", self.field);
            after = page["pageInfo"]["endCursor"].clone();
        }
    }

    /// All ids, two a page, from the end, in the list's own order.
    async fn backward(&self, api: &Api, id: &str) -> Vec<String> {
        let (mut found, mut before) = (Vec::new(), Value::Null);
        loop {
            let page = self.page(api, id, json!({"last": 2, "before": before})).await;
            assert_eq!(page["pageInfo"]["hasNextPage"], json!(!before.is_null()), "{}", self.field);
            found.splice(0..0, ids_of(&page));
            if page["pageInfo"]["hasPreviousPage"] == json!(false) {
                return found;
            }
            before = page["pageInfo"]["startCursor"].clone();
        }
    }

    /// All ids, after both ways to get them have agreed.
    pub async fn both_ways(&self, api: &Api, id: &str) -> Vec<String> {
        let forward = self.forward(api, id).await;
        assert_eq!(self.backward(api, id).await, forward, "{}({})", self.field, self.arguments);
        forward
    }
}

pub fn ids_of(page: &Value) -> Vec<String> {
    page["edges"].as_array().expect("edges").iter().map(|edge| edge["node"]["id"].as_str().expect("an id").to_owned()).collect()
}

async fn every_link_is_paged_both_ways(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let (actor, account, device, place) = (&network.actor, &network.account, &network.device, &network.place);
    let table = [
        ("actor", actor, "accounts", LINKS, "owned"),
        ("actor", actor, "associates", LINKS, "associate"),
        ("actor", actor, "associateOf", LINKS, "company"),
        ("actor", actor, "identities", LINKS, "+49"),
        ("actor", actor, "sharesIdentityWith", LINKS, "sharing"),
        ("actor", actor, "transactions", 2 * LINKS, "payment"),
        ("actor", &network.ids.of("party"), "involvedIn", LINKS, "payment"),
        ("account", account, "actors", LINKS, "holder"),
        ("account", account, "devices", LINKS, "seen"),
        ("account", account, "identities", LINKS, "system|"),
        ("account", &network.ids.of("visited-0"), "ipAddresses", 1, "2001:db8:"),
        ("account", account, "transactions", 2 * LINKS, "payment"),
        ("account", account, "sent", LINKS, "payment"),
        ("account", account, "received", LINKS, "payment"),
        ("account", account, "transferredTo", LINKS, "other"),
        ("account", account, "receivedFrom", LINKS, "other"),
        ("device", device, "accounts", LINKS, "visited"),
        ("device", device, "ipAddresses", LINKS, "2001:db8:"),
        ("device", device, "transactions", LINKS, "payment"),
        ("ipAddress", &network.ip(0), "devices", 1, "device"),
        ("ipAddress", &network.ip(0), "accounts", 1, "visited"),
        ("ipAddress", &network.ip(0), "transactions", 1, "payment"),
        ("channelLocation", place, "transactions", LINKS, "payment"),
    ];
    for (root, id, field, length, name) in table {
        let found = List { root, field, arguments: "" }.both_ways(&server, id).await;
        let distinct: BTreeSet<&String> = found.iter().collect();
        assert_eq!((found.len(), distinct.len()), (length, length), "{root}.{field}: {found:?}");
        assert!(found.iter().all(|id| id.starts_with(name)), "{root}.{field}: {found:?}");
    }
}

/// Transfers of one total, of which the first page is read by another statement than the next ones. Two payments each, whose billionths carry over.
async fn equal_transfers_are_paged(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let currencies = ["USD", "EUR", "GBP", "CHF", "JPY", "AUD"];
    for (currency, other, half) in currencies
        .iter()
        .flat_map(|currency| ["other", "other A", "other Z"].map(|other| (*currency, other)))
        .flat_map(|pair| [0, 1].map(|half| (pair.0, pair.1, half)))
    {
        let id = ids.of(&format!("payment {currency} {other} {half}"));
        let payment = Payment { currency, ..Payment::new(id, ids.of("payer"), ids.of(other)).amount("100.700000001") };
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    for (root, field) in [("payer", "transferredTo"), ("other A", "receivedFrom")] {
        let mut all = Vec::new();
        for arguments in ["", ", orderBy: {field: TOTAL}", ", orderBy: {field: TOTAL, direction: ASC}"] {
            let list = List { root: "account", field, arguments }.both_ways(&server, &ids.of(root)).await;
            assert_eq!(list.len(), if field == "transferredTo" { 18 } else { 6 }, "{field}({arguments})");
            all.push(list);
        }
        assert_eq!(all[0], all[1], "the order that is taken when none is given");
    }
}

/// A place in one list is none in another, nor in the same in another order.
async fn a_cursor_is_of_its_list(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let cursor_of = async |field: &str| {
        let query = format!("query($id: ID!) {{ account(id: $id) {{ list: {field} {{ pageInfo {{ endCursor }} }} }} }}");
        let data = server.graphql(&query, json!({"id": network.account})).await;
        data["account"]["list"]["pageInfo"]["endCursor"].as_str().expect("a cursor").to_owned()
    };
    let by_amount = cursor_of("transactions(first: 1, orderBy: {field: AMOUNT})").await;
    let by_total = cursor_of("transferredTo(first: 1)").await;
    let of_actors = cursor_of("actors(first: 1)").await;
    for (field, cursor) in [
        ("transactions(first: 1, after: $after)", &by_amount),
        // The same list the other way round, and in one currency, which is another order.
        ("transactions(first: 1, after: $after, orderBy: {field: AMOUNT, direction: ASC})", &by_amount),
        ("transactions(last: 1, before: $after, orderBy: {field: AMOUNT, direction: ASC})", &by_amount),
        ("transactions(first: 1, after: $after, orderBy: {field: AMOUNT}, filter: {currency: \"EUR\"})", &by_amount),
        ("transferredTo(first: 1, after: $after, orderBy: {field: TOTAL, direction: ASC})", &by_total),
        ("transactions(first: 1, after: $after, orderBy: {field: AMOUNT})", &by_total),
        ("transferredTo(first: 1, after: $after, orderBy: {field: COUNT})", &by_total),
        ("receivedFrom(first: 1, after: $after)", &by_total),
        ("devices(first: 1, after: $after)", &of_actors),
        ("actors(first: 1, after: $after)", &by_total),
        ("actors(last: 1, before: $after)", &"x".to_owned()),
        ("actors(first: 1, after: $after)", &String::new()),
    ] {
        let query = format!("query($id: ID!, $after: String) {{ account(id: $id) {{ {field} {{ edges {{ cursor }} }} }} }}");
        let answer = server.graphql_answer(&query, json!({"id": network.account, "after": cursor})).await;
        let message = answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{field}: {answer}"));
        assert!(message.ends_with("must be a cursor of this list in this order and direction"), "{field}: {message}");
    }
}

/// What can't hold for any transaction is a mistake.
async fn filters_must_make_sense(engine: Engine) {
    let server = Server::shared(engine);
    for (field, filter, place) in [
        ("transactions", "{currency: \"EUR\", minAmount: 10, maxAmount: 5}", "filter.maxAmount: "),
        ("transactions", "{minStandardizedAmount: 10, maxStandardizedAmount: 5}", "filter.maxStandardizedAmount: "),
        ("transactions", "{minAmount: 10}", "filter.minAmount: needs currency"),
        ("sent", "{maxAmount: 10, statuses: [COMPLETED]}", "filter.maxAmount: needs currency"),
        ("received", "{currency: \"eur\"}", "filter.currency: "),
        ("transactions", r#"{from: "2024-01-02T00:00:00Z", to: "2024-01-02T00:00:00Z"}"#, "filter.to: "),
        ("transactions", "{statuses: []}", "filter.statuses: "),
        ("transactions", "{status: []}", "filter.status: "),
        ("transactions", "{status: [COMPLETED], statuses: [COMPLETED]}", "filter.status: give statuses alone"),
        ("sent", "{channels: []}", "filter.channels: "),
        ("received", "{methods: []}", "filter.methods: "),
        ("transferredTo", "{currency: \"EUR\", minTotal: -1}", "filter.minTotal: "),
        ("transferredTo", "{minTotal: 1}", "filter.minTotal: needs currency"),
        ("receivedFrom", "{minStandardizedTotal: -1}", "filter.minStandardizedTotal: "),
        ("receivedFrom", r#"{currency: "euro"}"#, "filter.currency: "),
    ] {
        let query = format!(r#"{{ transaction(id: "nobody") {{ id }} account(id: "nobody") {{ {field}(filter: {filter}) {{ totalCount }} }} }}"#);
        server.post("/api/accounts", crate::support::fixtures::account("nobody").to_string()).await.expect(200);
        let answer = server.graphql_answer(&query, json!({})).await;
        let message = answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{filter}: {answer}"));
        assert!(message.starts_with(place), "{filter}: {message}");
    }
}

/// The lists of all nodes hold what other tests send, too, while it is read: a page goes on behind the one before, in the order of ids.
async fn lists_of_all_nodes_are_paged(engine: Engine) {
    let server = Server::shared(engine);
    Network::make(&server).await;
    for field in ["actors", "accounts", "channelLocations", "devices"] {
        for (way, size, cursor) in [("endCursor", "first", "after"), ("startCursor", "last", "before")] {
            let (mut all, mut at) = (Vec::new(), Value::Null);
            for _ in 0..3 {
                let query = format!(
                    "query($at: String) {{ list: {field}({size}: 4, {cursor}: $at) {{ pageInfo {{ {way} hasNextPage hasPreviousPage }} edges {{ node {{ id }} }} }} }}"
                );
                let mut data = server.graphql(&query, json!({"at": at})).await;
                at = data["list"]["pageInfo"][way].take();
                let mut page = ids_of(&data["list"]);
                if size == "last" {
                    page.reverse();
                }
                all.extend(page);
                let more = if size == "first" { "hasNextPage" } else { "hasPreviousPage" };
                if data["list"]["pageInfo"][more] == json!(false) {
                    break;
                }
            }
            let mut sorted = all.clone();
            sorted.sort();
            sorted.dedup();
            if size == "last" {
                sorted.reverse();
            }
            assert!(all == sorted && !all.is_empty(), "{field} {size}: {all:?}");
            // A page and its count are two statements, between which others may add to the list: what was seen is counted afterwards.
            let counted = server.graphql(&format!("{{ list: {field} {{ totalCount }} }}"), json!({})).await;
            assert!(counted["list"]["totalCount"].as_u64() >= Some(all.len() as u64), "{field}: {counted}");
        }
    }
    let known = server
        .graphql(
            "{ known: actors(filter: {known: true}) { totalCount } placeholders: actors(filter: {known: false}, first: 3) { totalCount edges { node { known } } } }",
            json!({}),
        )
        .await;
    assert!(known["known"]["totalCount"].as_i64() > Some(0) && known["placeholders"]["totalCount"].as_i64() > Some(0), "{known}");
    assert!(known["placeholders"]["edges"].as_array().expect("edges").iter().all(|edge| edge["node"]["known"] == json!(false)), "{known}");
}

async fn payments_in_any_order(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let key = |field: &str, payment: &Payment| if field == "AMOUNT" { payment.amount.parse::<f64>().expect("a number") } else { payment.at as f64 };
    for field in ["CREATED_AT", "AMOUNT"] {
        for direction in ["ASC", "DESC"] {
            let arguments = format!("orderBy: {{field: {field}, direction: {direction}}}");
            let found = List { root: "account", field: "transactions", arguments: &arguments }.both_ways(&server, &network.account).await;
            let mut wanted = network.payments();
            wanted.sort_by(|a, b| key(field, a).total_cmp(&key(field, b)).then(a.id.cmp(&b.id)));
            if direction == "DESC" {
                wanted.reverse();
            }
            let wanted: Vec<String> = wanted.into_iter().map(|payment| payment.id).collect();
            assert_eq!(found, wanted, "{arguments}");
        }
    }
    let newest_first = List { root: "account", field: "transactions", arguments: "" }.forward(&server, &network.account).await;
    let by_time = "orderBy: {field: CREATED_AT, direction: DESC}";
    assert_eq!(newest_first, List { root: "account", field: "transactions", arguments: by_time }.forward(&server, &network.account).await);
}

/// Each receiver gets so many payments of so much from such a time on: no two orders are the same.
async fn transfers_in_any_order(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let receivers = [("a", 1, "50", 300), ("b", 4, "1", 0), ("c", 2, "30", 100), ("d", 3, "2.5", 200)];
    for (name, count, amount, from) in receivers {
        for number in 0..count {
            let payment = Payment::new(ids.of(&format!("payment-{name}-{number}")), ids.of("payer"), ids.of(name));
            server.post("/api/v2/transactions", payment.amount(amount).at(NOON + from + 1000 * number).text()).await.expect(200);
        }
    }
    for (field, ascending) in [("TOTAL", "bdac"), ("COUNT", "acdb"), ("FIRST", "bcda"), ("LAST", "acdb")] {
        for direction in ["ASC", "DESC"] {
            let arguments = format!("orderBy: {{field: {field}, direction: {direction}}}");
            let found = List { root: "account", field: "transferredTo", arguments: &arguments }.both_ways(&server, &ids.of("payer")).await;
            let mut wanted: Vec<String> = ascending.chars().map(|name| ids.of(&name.to_string())).collect();
            if direction == "DESC" {
                wanted.reverse();
            }
            assert_eq!(found, wanted, "{arguments}");
        }
    }
}

async fn payments_by_filter(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let cancelled = Payment { status: "CANCELLED", ..network.payments().remove(9) };
    server.post("/api/v2/transactions", cancelled.text_with(json!({"channel": "POS", "method": "CARD"}))).await.expect(200);
    let numbers: [(&str, &[usize]); 15] = [
        ("minStandardizedAmount: 8.5", &[7, 8, 9]),
        ("currency: \"EUR\", maxAmount: 2.5", &[0, 1, 4]),
        ("currency: \"EUR\", minAmount: 2.5, maxAmount: 3.5", &[1, 2, 4]),
        (r#"from: "2024-06-13T12:06:00Z""#, &[6, 7, 8, 9]),
        (r#"to: "2024-06-13T12:01:00Z""#, &[0]),
        (r#"from: "2024-06-13T12:01:00Z", to: "2024-06-13T12:04:00Z""#, &[1, 2, 3]),
        ("direction: OUTBOUND", &[0, 2, 4, 6, 8]),
        ("direction: INBOUND", &[1, 3, 5, 7, 9]),
        ("statuses: [CANCELLED]", &[9]),
        ("status: [CANCELLED]", &[9]),
        ("statuses: [COMPLETED, PENDING], minStandardizedAmount: 9", &[8]),
        ("channels: [ATM]", &[0, 2, 4, 6, 8]),
        ("channels: [ATM, POS], currency: \"EUR\", minAmount: 9", &[8, 9]),
        ("methods: [CASH]", &[0, 1, 2, 3]),
        ("methods: [CASH], direction: INBOUND, channels: [ONLINE], maxStandardizedAmount: 3", &[1]),
    ];
    for (filter, numbers) in numbers {
        let arguments = format!("filter: {{{filter}}}");
        for (root, id) in [("account", &network.account), ("actor", &network.actor)] {
            let mut found = List { root, field: "transactions", arguments: &arguments }.both_ways(&server, id).await;
            found.sort();
            let wanted: Vec<String> = numbers.iter().map(|number| network.ids.of(&format!("payment-{number}"))).collect();
            assert_eq!(found, wanted, "{root} {filter}");
        }
    }
    all_transactions_by_filter(&server).await;
}

/// The list of all payments holds those of other tests, too: these are told by their amounts.
async fn all_transactions_by_filter(api: &Api) {
    let ids = Ids::new();
    let amount = format!("1{}", ids.digits(11));
    let payments: Vec<Payment> =
        (0..5).map(|n| Payment::new(ids.of(&format!("payment-{n}")), ids.of("payer"), ids.of("payee")).amount(&amount).at(NOON + n)).collect();
    for payment in &payments {
        api.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    let filter = format!("filter: {{minStandardizedAmount: {amount}, maxStandardizedAmount: {amount}}}");
    let query = |page: &str| {
        format!(
            "{{ list: transactions({page}, {filter}) {{ totalCount pageInfo {{ hasNextPage hasPreviousPage }} edges {{ cursor node {{ id }} }} }} }}"
        )
    };
    let page = |page: String| async move { api.graphql(&query(&page), json!({})).await["list"].take() };
    let newest = page("first: 2".into()).await;
    assert_eq!((ids_of(&newest), &newest["totalCount"]), (vec![ids.of("payment-4"), ids.of("payment-3")], &json!(5)));
    let cursor = newest["edges"][1]["cursor"].as_str().expect("a cursor").to_owned();
    assert_eq!(ids_of(&page(format!("first: 2, after: \"{cursor}\"")).await), [ids.of("payment-2"), ids.of("payment-1")]);
    assert_eq!(ids_of(&page(format!("last: 2, before: \"{cursor}\"")).await), [ids.of("payment-4")]);
    assert_eq!(ids_of(&page("last: 2".into()).await), [ids.of("payment-1"), ids.of("payment-0")]);
    // The first one is deprecated, and says the same.
    for oldest_first in ["order: ASC", "orderBy: {field: CREATED_AT, direction: ASC}"] {
        assert_eq!(ids_of(&page(format!("first: 2, {oldest_first}")).await), [ids.of("payment-0"), ids.of("payment-1")], "{oldest_first}");
    }
    assert_eq!(ids_of(&page("first: 2, orderBy: {field: CREATED_AT}".into()).await), [ids.of("payment-4"), ids.of("payment-3")]);
}

async fn transfers_by_filter(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (number, (to, currency, amount)) in [("a", "EUR", "5"), ("a", "USD", "50"), ("b", "EUR", "70"), ("c", "USD", "7")].into_iter().enumerate() {
        let payment = Payment { currency, ..Payment::new(ids.of(&format!("payment-{number}")), ids.of("payer"), ids.of(to)).amount(amount) };
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    for (filter, wanted) in
        [(r#"currency: "EUR""#, "ba"), ("minStandardizedTotal: 50", "ba"), (r#"currency: "USD", minTotal: 8"#, "a"), (r#"currency: "JPY""#, "")]
    {
        let arguments = format!("filter: {{{filter}}}");
        let found = List { root: "account", field: "transferredTo", arguments: &arguments }.both_ways(&server, &ids.of("payer")).await;
        assert_eq!(found, wanted.chars().map(|name| ids.of(&name.to_string())).collect::<Vec<_>>(), "{filter}");
    }
}

async fn pages_must_make_sense(engine: Engine) {
    let server = Server::shared(engine);
    for (arguments, problem) in [
        ("first: -1", "first: must be 0 to 500"),
        ("first: 501", "first: must be 0 to 500"),
        ("last: -1", "last: must be 0 to 500"),
        ("first: 1, last: 1", "ask for one of them"),
        (r#"before: "x""#, "with first or last how many"),
        (r#"first: 1, before: "x""#, "before: must be a cursor of this list"),
        (r#"last: 1, after: "x""#, "after: must be a cursor of this list"),
        (r#"first: 1, after: "*""#, "must be a cursor of this list"),
    ] {
        let answer = server.graphql_answer(&format!("{{ actors({arguments}) {{ edges {{ node {{ id }} }} }} }}"), json!({})).await;
        let message = answer["errors"][0]["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.contains(problem), "{arguments}: {answer}");
    }
}

/// Below a list it is one fault of the document, and a mutation whose answer asks for it does nothing.
async fn a_size_that_there_is_not_is_told_once(engine: Engine) {
    let (server, ids, case) = (Server::shared(engine), Ids::new(), case_id());
    for number in 0..3 {
        let payment = Payment::new(ids.of(&format!("payment-{number}")), ids.of(&format!("payer-{number}")), ids.of("payee"));
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    for (document, variables) in [
        ("{ accounts(last: 3) { nodes { transactions(first: -1) { totalCount } } } }", json!({})),
        ("{ accounts(last: 3) { nodes { ...F } } } fragment F on Account { transactions(first: 501) { totalCount } }", json!({})),
        ("query($size: Int) { accounts(last: 3) { nodes { transactions(first: $size) { totalCount } } } }", json!({"size": -1})),
        ("query($size: Int = 501) { accounts(last: 3) { nodes { transactions(first: $size) { totalCount } } } }", json!({})),
        ("mutation($id: ID!) { createCase(input: {id: $id}) { case { id comments(first: 501) { totalCount } } } }", json!({"id": case})),
    ] {
        let answer = server.graphql_answer(document, variables).await;
        let place = json!([{"line": 1, "column": document.find("first: ").expect("it is there") + 1}]);
        let error = json!({"message": "first: must be 0 to 500", "locations": place, "extensions": {"code": "INVALID"}});
        assert!(answer.get("data").is_none(), "{document}: {answer}");
        assert_eq!(answer["errors"], json!([error]), "{document}");
    }
    assert_eq!(server.graphql("query($id: ID!) { case(id: $id) { id } }", json!({"id": case})).await["case"], Value::Null, "nothing is made");
}

const COSTS: &str = "query($first: Int) { accounts(first: $first) { totalCount edges { node { known status
    actors(first: 3) { totalCount edges { role node { name known } } }
    transferredTo(first: 3) { totalCount edges { total node { name known } } }
    transactions(first: 3) { edges { node { sender { id } receiver { name } owner { known name } } } } } } } }";
/// Different questions in it: the accounts and their number, facts of accounts and of actors, and each link and its count.
const QUESTIONS: u64 = 10;

async fn a_list_costs_a_constant_number_of_statements(engine: Engine) {
    // What goes on in the background runs statements, too: the more of them the longer the answer takes.
    let (server, ids) = (Server::with(Store::of(engine), &[("", "--no-worker")]), Ids::new());
    for number in 0..60 {
        let payment =
            Payment::new(ids.of(&format!("payment-{number}")), ids.of(&format!("account-{number}")), ids.of(&format!("account-{}", number + 1)));
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
        let owner = json!({"actors": [{"id": ids.of(&format!("actor-{number}")), "role": "OWNER"}]});
        server.post(&format!("/api/accounts/{}/actors", payment.account), owner.to_string()).await.expect(200);
    }
    let mut costs = Vec::new();
    for first in [5, 50] {
        let before = statements(&server).await;
        let data = server.graphql(COSTS, json!({"first": first})).await;
        assert_eq!(data["accounts"]["edges"].as_array().map(Vec::len), Some(first));
        costs.push(statements(&server).await - before);
    }
    println!("statements for 5 and for 50 accounts: {costs:?}");
    // Facts are asked for at two depths; whatever the machine does, a question is never cut in pieces.
    assert!(costs.iter().all(|cost| *cost <= 2 * QUESTIONS), "{costs:?}");
}

/// Statements run so far, but for those that look up a key, and the one by which each process counts every few seconds what is overdue.
async fn statements(server: &Server) -> u64 {
    let counts = jobs::Shown::now(server).await.statements().into_iter();
    let is_asked_for = |label: &str| !label.contains("credential/") && !label.contains("count_overdue");
    counts.filter(|(label, _)| is_asked_for(label)).map(|(_, count)| count as u64).sum()
}

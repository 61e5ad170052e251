//! Accounts: every field in and out byte for byte, history by date, balances, and who holds them.

use serde_json::{Value, json};

use crate::support::fixtures::{account, with};
use crate::support::{Engine, Ids, Server, tests};

tests![both: every_field_comes_back_as_it_was_given, days_are_what_graphql_can_show, an_older_date_is_history, balances, roles_come_and_go, a_placeholder_becomes_real;
    embedded: all_faults_are_told_at_once];

/// Every field of the document.
fn whole(id: &str) -> String {
    format!(
        r#"{{ "accountType":"CURRENT","asOfDate":"2024-01-01","id":"{id}",
  "accountAgreementId":"a","primaryRepresentativeId":"p","beneficiaryOwnerId":"b","accountInDefault":true,"accountInDefaultDays":30,
  "accountNumber":"0532013000","bankCode":"37040044","iban":"DE89 3704 0044 0532 0130 00","name":"Main \u20ac account","productId":"P1","productType":"Giro",
  "closingBalance":-1.50e2,"collateral":false,"depositable":true,"internal":false,"terminated":false,"withdrawable":true,"currencyCode":"EUR","dataSource":"core","domicile":"DE",
  "ingestDate":"2024-01-01T00:00:00Z","monitored":"NO","openedDate":"2020-01-01","terminationDate":"2030-01-01","status":"NO_TRADING","subType":"BUSINESS",
  "customData":{{"a":1.10}},"metadata":{{}},"references":[{{"id":"r","systemName":"s"}}],"classification":{{"c":1}},"accessClassification":{{"d":2}},
  "interest":[{{"interestType":"DEBIT","interestCode":7,"interestForm":"FIXED","interestRate":1.250}}],
  "balance":{{"depositBalance":1.0,"depositBalanceLcy":2.00,"depositDisposableBalance":3,"depositDisposableBalanceLcy":4e0,"loanBalance":5,"loanBalanceLcy":6}},
  "termDeposit":{{"termDepositType":"T","termDepositPeriod":12,"termDepositWithdrawalNotice":"30 days","termDepositWithdrawalDate":"2025-01-01"}},
  "credit":{{"creditType":"C","creditLimit":1,"creditLimitLcy":2,"creditUnused":3,"creditUnusedLcy":4,"creditIssueDate":"2020-01-01","creditFinalDate":"2025-01-01","creditCardNumberMasked":"**** 1234"}},
  "loan":{{"loanType":"L","loanPrincipal":1,"loanPrincipalLcy":2,"loanInstallment":3,"loanSecured":true,"loanPeriodRemaining":"P1Y","loanIssueDate":"2020-01-01","loanFinalDate":"2040-01-01",
    "paymentFrequency":"MONTHLY","isSettled":false}},
  "brokerage":{{"regulatoryExemptionType":"R","settlementInstruction":"S","isGiveIn":true,"isGiveUp":false,"isWhiteLabel":true,"isDmaBroker":false,"isCareBroker":true,"locateByPass":false,
    "shortName":"SN","primaryDesk":"PD","aggUnit":"AU","isFiduciary":true,"isErisa":false,"is1940ActAccount":true,"tradingDesk":"TD","brokerName":"BN","brokerId":"BI","brokerLocation":"BL",
    "region":"EU"}} }}"#
    )
}

/// GraphQL's `Int` has 32 bits: what has more is refused on the way in, single and in bulk.
async fn days_are_what_graphql_can_show(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let record =
        |number: &str| format!(r#"{{"id":"{}","accountType":"LOAN","asOfDate":"2024-01-31","accountInDefaultDays":{number}}}"#, ids.of("days"));
    let bulk = |number: &str| {
        let item = format!(r#"{{"id":"{}","account_type":"LOAN","as_of_date":"2024-01-31","account_in_default_days":{number}}}"#, ids.of("days"));
        server.send(server.posting("/api/bulk", format!(r#"{{"accounts":[{item}]}}"#)).header("x-request-id", ids.of(&format!("r{number}"))))
    };
    let query = "query($id: ID!) { account(id: $id) { record { accountInDefaultDays } } }";
    for number in ["2147483648", "3000000000", "-2147483649", "3e9", "1e300", "123456789012345678901234567890"] {
        let refused = server.post("/api/accounts", record(number)).await.expect(422);
        assert_eq!(refused.places(), ["accountInDefaultDays"], "{number}");
        assert_eq!(bulk(number).await.expect(400).places(), ["accounts[0].account_in_default_days"], "{number}");
    }
    for (number, shown) in [("2147483647", i32::MAX), ("-2147483648", i32::MIN), ("3e2", 300)] {
        server.post("/api/accounts", record(number)).await.expect(200);
        let data = server.graphql(query, json!({"id": ids.of("days")})).await;
        assert_eq!(data["account"]["record"]["accountInDefaultDays"], json!(shown), "{number}");
    }
}

async fn every_field_comes_back_as_it_was_given(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let text = whole(&ids.of("account"));
    assert_eq!(server.post("/api/accounts", text.clone()).await.expect(200).text, text);
    let query = "query($id: ID!) { account(id: $id) { name known accountType status currencyCode iban accountNumber domicile
        record { closingBalance interest { interestCode interestRate } loan { loanSecured isSettled } brokerage { is1940ActAccount } customData } } }";
    let data = server.graphql(query, json!({"id": ids.of("account")})).await;
    let shown = &data["account"];
    assert_eq!(
        [&shown["name"], &shown["accountType"], &shown["status"], &shown["currencyCode"]],
        [&json!("Main € account"), &json!("CURRENT"), &json!("NO_TRADING"), &json!("EUR")]
    );
    let record = json!({"closingBalance": "-150", "interest": [{"interestCode": "7", "interestRate": "1.250"}], "loan": {"loanSecured": "true", "isSettled": false},
        "brokerage": {"is1940ActAccount": true}, "customData": {"a": 1.1}});
    assert_eq!(shown["record"], record);
    for (field, values) in [
        (
            "accountType",
            &[
                "BOTH_HIC_AND_COD",
                "CASH_ON_DELIVERY",
                "CREDIT_CARD",
                "CURRENT",
                "HELD_IN_CUSTODY",
                "LOAN",
                "MONEY_MARKET",
                "PRE_PAID_CARD",
                "SAVINGS",
                "TERM_DEPOSIT",
                "TRADING",
            ][..],
        ),
        ("status", &["ACTIVE", "CLOSED", "NO_TRADING", "TERMINATED"]),
        ("subType", &["BUSINESS", "PERSONAL"]),
        ("monitored", &["YES", "NO"]),
    ] {
        for value in values {
            server.post("/api/accounts", with(account(&ids.of("each")), json!({field: value})).to_string()).await.expect(200);
        }
    }
}

async fn an_older_date_is_history(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("account");
    for (date, name) in [("2024-02-01", "February"), ("2024-01-01", "January"), ("2024-03-01", "March")] {
        let record = with(account(&id), json!({"asOfDate": date, "name": name}));
        server.post("/api/accounts", record.to_string()).await.expect(200);
    }
    let query = "query($id: ID!, $date: Date) { account(id: $id) { name record(asOf: $date) { name } history { totalCount edges { node { record { name } } } } } }";
    for (date, name) in
        [(Some("2023-01-01"), None), (Some("2024-01-31"), Some("January")), (Some("2024-02-01"), Some("February")), (None, Some("March"))]
    {
        let data = server.graphql(query, json!({"id": id, "date": date})).await;
        let record = name.map(|name| json!({"name": name}));
        assert_eq!((&data["account"]["record"], &data["account"]["name"]), (&json!(record), &json!("March")), "{date:?}");
        let history = &data["account"]["history"];
        assert_eq!((&history["totalCount"], history["edges"].as_array().map(Vec::len)), (&json!(3), Some(3)));
    }
    // The version of the date before is what each differs from, whichever came first.
    let query = "query($id: ID!) { account(id: $id) { history(first: 9) { nodes { nodeId changes { path before after } previous { nodeId } } } } }";
    let nodes = server.graphql(query, json!({"id": id})).await["account"]["history"]["nodes"].take();
    let change =
        |path: &str, before: &str, after: &str| json!({"path": path, "before": json!(before).to_string(), "after": json!(after).to_string()});
    let versions = [("2024-03-01", "March"), ("2024-02-01", "February"), ("2024-01-01", "January")];
    for (at, pair) in versions.windows(2).enumerate() {
        let wanted = json!([change("/asOfDate", pair[1].0, pair[0].0), change("/name", pair[1].1, pair[0].1)]);
        assert_eq!((&nodes[at]["changes"], &nodes[at]["previous"]["nodeId"]), (&wanted, &nodes[at + 1]["nodeId"]), "{nodes:#}");
    }
    assert_eq!((&nodes[2]["changes"], &nodes[2]["previous"]), (&json!([]), &Value::Null), "{nodes:#}");
}

async fn balances(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = format!("/api/accounts/{}/balances", ids.of("account"));
    let text = r#"{"currency":"EUR","current":100.10,"asOfDate":"2024-01-31","available":-1e1,"type":"CLOSING"}"#;
    let stored = server.post(&path, text).await.expect(200);
    for kept in [r#""current":100.10"#, r#""available":-1e1"#, r#""asOfDate":"2024-01-31""#, r#""type":"CLOSING""#] {
        assert!(stored.text.contains(kept), "{kept} in {}", stored.text);
    }
    let body = stored.json();
    assert_eq!(body["accountId"], json!(ids.of("account")));
    assert!(body["internalId"].as_str().is_some_and(|id| !id.is_empty()) && body["ingestDate"].is_string(), "{body}");
    server.post(&path, r#"{"currency":"EUR","current":1}"#).await.expect(200);
    let table = [
        ("{}", vec!["currency", "current"]),
        (r#"{"currency":"eur","current":"1","type":"OPENING","x":1}"#, vec!["currency", "current", "type", "x"]),
        ("{", vec!["body"]),
    ];
    for (text, places) in table {
        assert_eq!(server.post(&path, text).await.expect(422).places(), places, "{text}");
    }
}

async fn roles_come_and_go(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = format!("/api/accounts/{}/actors", ids.of("account"));
    let text = format!(
        r#"{{"actors":[{{"id":"{}","role":"OWNER"}},{{"id":"{}","role":"OWNER"}},{{"id":"{}","role":"PROXY"}}],"asOfDate":"2024-02-01"}}"#,
        ids.of("a"),
        ids.of("b"),
        ids.of("a")
    );
    assert_eq!(server.post(&path, text.clone()).await.expect(200).text, text);
    let query = "query($id: ID!) { account(id: $id) { actors { totalCount edges { role asOfDate node { id } } } } }";
    let roles = async || -> Vec<String> {
        let data = server.graphql(query, json!({"id": ids.of("account")})).await;
        let edges = data["account"]["actors"]["edges"].as_array().expect("edges").clone();
        assert_eq!(data["account"]["actors"]["totalCount"], json!(edges.len()));
        edges
            .iter()
            .map(|edge| {
                format!(
                    "{} {} {}",
                    edge["node"]["id"].as_str().expect("an id"),
                    edge["role"].as_str().expect("a role"),
                    edge["asOfDate"].as_str().expect("a date")
                )
            })
            .collect()
    };
    let wanted = |name: &str, role: &str, date: &str| format!("{} {role} {date}", ids.of(name));
    assert_eq!(roles().await, [wanted("a", "OWNER", "2024-02-01"), wanted("a", "PROXY", "2024-02-01"), wanted("b", "OWNER", "2024-02-01")]);
    for (date, now) in [("2024-01-01", "2024-02-01"), ("2024-03-01", "2024-03-01")] {
        server.post(&path, json!({"actors": [{"id": ids.of("b"), "role": "OWNER"}], "asOfDate": date}).to_string()).await.expect(200);
        assert_eq!(roles().await[2], wanted("b", "OWNER", now));
    }
    server.delete(&format!("{path}/{}", ids.of("a"))).await.expect(200);
    assert_eq!(roles().await, [wanted("b", "OWNER", "2024-03-01")]);
    let gone = server.delete(&format!("{path}/{}", ids.of("a"))).await.expect(404);
    assert!(gone.json()["error"].as_str().is_some_and(|error| error.contains("does not exist")), "{}", gone.text);
    for (body, places) in [("{}", vec!["actors"]), (r#"{"actors":[{"role":"OWNER"},{"id":"x"}]}"#, vec!["actors[0].id", "actors[1].role"])] {
        assert_eq!(server.post(&path, body).await.expect(422).places(), places);
    }
    server.post(&path, "{").await.expect(400);
}

async fn a_placeholder_becomes_real(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    server.post(&format!("/api/accounts/{}/balances", ids.of("account")), r#"{"currency":"EUR","current":1}"#).await.expect(200);
    let query = "query($id: ID!) { account(id: $id) { known external name accountType record { id } } }";
    let shown = async || -> Value { server.graphql(query, json!({"id": ids.of("account")})).await["account"].take() };
    assert_eq!(shown().await, json!({"known": false, "external": false, "name": ids.of("account"), "accountType": null, "record": null}));
    server.post("/api/accounts", with(account(&ids.of("account")), json!({"accountType": "LOAN"})).to_string()).await.expect(200);
    assert_eq!(
        shown().await,
        json!({"known": true, "external": false, "name": ids.of("account"), "accountType": "LOAN", "record": {"id": ids.of("account")}})
    );
}

async fn all_faults_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let text = r#"{"accountType":"GIRO","accountInDefaultDays":1.5,"closingBalance":"1","currencyCode":"EURO","domicile":"xx","internal":"no","interest":{"interestRate":1},
        "balance":{"depositBalance":"x"},"loan":{"loanIssueDate":"x","loanRate":1},"brokerage":{"isErisa":1},"openedDate":"2023-02-29",
        "accountInDefault":"no","ingestDate":"2024-01-31","monitored":true,"status":"ASLEEP","subType":1,"terminationDate":"never"}"#;
    let answer = server.post("/api/accounts", text).await.expect(422);
    let wanted = [
        "accountInDefault",
        "accountInDefaultDays",
        "accountType",
        "asOfDate",
        "balance.depositBalance",
        "brokerage.isErisa",
        "closingBalance",
        "currencyCode",
        "domicile",
        "id",
        "ingestDate",
        "interest",
        "internal",
        "loan.loanIssueDate",
        "loan.loanRate",
        "monitored",
        "openedDate",
        "status",
        "subType",
        "terminationDate",
    ];
    assert_eq!(answer.places(), wanted, "{:#?}", answer.errors());
    server.post("/api/accounts", "{").await.expect(422);
}

//! The pages of an actor, an account and a payment, and the link chart.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::acting::Work;
use super::desk::{Desk, assert_near, each, having, list, number, only, text};
use super::network::{FROM, Network, TO};

/// Rows of the sample with the largest amounts first.
fn by_amount(mut rows: Vec<&Value>) -> Vec<&Value> {
    rows.sort_by(|one, other| number(&other["amount"]["value"]).total_cmp(&number(&one["amount"]["value"])));
    rows
}

pub async fn actor(desk: &Desk, network: &Network, work: &Work) {
    let data = desk.screen("03-actor-360", json!({"id": network.subject, "from": FROM, "to": TO})).await;
    let (shown, sent) = (&data["actor"], network.record_of_subject(&desk.ids));
    for field in ["id", "name", "type", "domicile", "status"] {
        assert_eq!(shown[field], sent[field], "{field}");
    }
    for field in ["asOfDate", "dataSource", "customerSince", "taxResidency", "customData"] {
        assert_eq!(shown["record"][field], sent[field], "{field}");
    }
    for field in ["addresses", "emails", "phones", "governmentIds"] {
        assert_eq!(only(&shown["record"][field][0], &sent[field][0]), sent[field][0], "{field}");
    }
    assert_eq!(shown["record"]["legalEntity"], sent["legalEntity"]);
    let read = desk.rest(&format!("/api/actors/{}", network.subject)).await;
    assert_eq!((&read["name"], &read["phones"][0]["number"]), (&shown["name"], &shown["record"]["phones"][0]["number"]));
    // The sample's own record came before.
    assert_eq!((&shown["history"]["totalCount"], &shown["history"]["nodes"][0]["asOfDate"]), (&json!(2), &json!("2024-01-01")));
    let [present, first] = [0, 1].map(|n| &shown["history"]["nodes"][n]);
    let changed = having(&present["changes"], "path", "/asOfDate");
    assert_eq!((&changed["before"], &changed["after"]), (&json!(first["asOfDate"].to_string()), &json!("\"2024-01-01\"")));
    assert_eq!(first["changes"], json!([]));
    risk(desk, shown, network).await;
    of_accounts(shown, network);
    relations(desk, shown, network);
    let cases: BTreeMap<&str, &Value> = list(&shown["cases"]["edges"]).iter().map(|edge| (text(&edge["node"]["id"]), edge)).collect();
    assert_eq!(cases.keys().copied().collect::<BTreeSet<_>>(), [&work.raised, &work.by_hand, &work.reopened].map(String::as_str).into());
    let raised = cases[work.raised.as_str()];
    assert_eq!((&raised["type"], &raised["decision"], &raised["node"]["assignee"]["id"]), (&json!("FOCAL"), &json!("CLEARED"), &json!(desk.ada)));
    // The alerts about the company.
    let observations = &shown["observations"];
    assert_eq!(observations["totalCount"], 6);
    let handled: BTreeMap<&str, bool> =
        list(&observations["edges"]).iter().map(|edge| (text(&edge["node"]["id"]), edge["node"]["handled"] == true)).collect();
    let id = |n: usize| desk.ids.of(&format!("alert-{n}"));
    assert_eq!([0, 1, 3, 4, 6, 7].map(|n| handled[id(n).as_str()]), [true, true, true, true, false, false]);
    assert!(list(&observations["edges"]).iter().all(|edge| edge["primary"] == true), "{observations}");
    let group = &shown["segmentationGroups"]["edges"][0];
    assert_eq!(
        (&group["node"]["id"], &group["node"]["category"]["id"], &group["byPrincipal"]),
        (&json!(work.group), &json!(work.category), &desk.who())
    );
    assert_eq!((&shown["segmentationGroups"]["totalCount"], &shown["ownedGroups"]["totalCount"]), (&json!(1), &json!(0)));
    assert_eq!(shown["communications"]["nodes"][0]["id"], json!(work.communication));
    let signal = &shown["suppressedSignals"]["nodes"][0];
    assert_eq!((&signal["id"], &signal["reviewDate"]), (&json!(desk.ids.of("signal")), &json!(format!("{}-06-15", network.year))));
    let snooze = &data["detectionSnoozes"]["nodes"];
    assert_eq!(list(snooze).len(), 1, "those that count: {snooze}");
    let said = (&snooze[0]["id"], &snooze[0]["ruleId"], &snooze[0]["byPrincipal"]);
    assert_eq!(said, (&json!(work.snooze), &json!(work.snoozed_rule), &desk.who()));
    let rules = desk.by("ANALYST").graphql("{ detectionRules { id name } }", json!({})).await;
    assert_eq!(snooze[0]["ruleName"], having(&rules["detectionRules"], "id", &work.snoozed_rule)["name"]);
}

async fn risk(desk: &Desk, shown: &Value, network: &Network) {
    let scores = desk.rest(&format!("/api/risk_scores?filter.actor_ids.in[]={}", network.subject)).await;
    assert_eq!((number(&shown["riskScore"]), &shown["riskBand"]), (91.5, &json!("high_risk")));
    let effective = &shown["effectiveRiskScore"];
    assert_eq!((number(&effective["finalScore"]), &effective["overrideReason"], &effective["recordedBy"]), (91.5, &json!("press"), &desk.who()));
    let listed = &shown["riskScores"];
    assert_eq!(listed["totalCount"], json!(list(&scores).len()));
    for (score, of_rest) in list(&listed["nodes"]).iter().zip(list(&scores)) {
        assert_eq!((number(&score["finalScore"]), &score["asOfDate"]), (number(&of_rest["final_score"]), &of_rest["as_of_date"]), "{of_rest}");
        assert_eq!(score["riskRuleId"], of_rest["risk_rule_id"], "{of_rest}");
    }
    let assessments: Vec<(&Value, &Value)> = list(&shown["riskAssessments"]["nodes"]).iter().map(|it| (&it["type"], &it["comment"])).collect();
    assert_eq!(assessments, [(&json!("PEP"), &json!("A minister")), (&json!("SAR"), &Value::Null)]);
    let excluded = &shown["exclusion"];
    assert_eq!((&excluded["type"], &excluded["comment"], &excluded["recordedBy"]), (&json!("NOT_MONITORED"), &json!("Our own"), &desk.who()));
    assert_eq!(shown["exclusions"]["totalCount"], 1);
    let screening = &shown["screenings"]["nodes"][0];
    let said = (&screening["id"], &screening["response"], &screening["score"], &screening["listVersions"]);
    assert_eq!(said, (&json!(desk.ids.of("screening-of-actor")), &json!("HIT"), &json!(0.75), &json!(["sanctions/1"])));
    let information = desk.rest(&format!("/api/actors/{}/extendedInfo", network.subject)).await;
    for field in ["numberOfLoans", "loansBalanceLcy", "depositsTotalBalanceLcy"] {
        assert_eq!(number(&shown["extendedInformation"][field]), number(&information[field]), "{field} of {information}");
    }
    let since = &shown["extendedInformation"];
    assert_eq!(
        (&since["asOfDate"], &since["firstProductDate"], &since["numberOfCreditCards"]),
        (&json!("2024-02-01"), &json!("2001-01-01"), &Value::Null)
    );
}

fn of_accounts(shown: &Value, network: &Network) {
    let roles: BTreeMap<&str, &Value> =
        network.roles.iter().filter(|row| row["actor_id"] == network.subject.as_str()).map(|row| (text(&row["account_id"]), row)).collect();
    let edges: BTreeMap<&str, &Value> = list(&shown["accounts"]["edges"]).iter().map(|edge| (text(&edge["node"]["id"]), edge)).collect();
    assert_eq!(edges.keys().collect::<Vec<_>>(), roles.keys().collect::<Vec<_>>());
    for (id, row) in roles {
        assert_eq!((&edges[id]["role"], &edges[id]["asOfDate"]), (&row["actor_role"], &row["as_of_date"]));
    }
    let account = &edges[network.account.as_str()]["node"];
    assert_eq!((&account["accountType"], &account["record"]["openedDate"]), (&json!("CREDIT_CARD"), &json!("2022-02-14")));
    let balance = &account["balances"]["nodes"][0];
    assert_eq!((&balance["asOfDate"], number(&balance["current"]), &balance["type"]), (&json!("2022-06-30"), 30.5, &json!("CLOSING")));
    // Payments of the time, by plain code over the sample; all of it is sent, and the one that was added is received.
    let rows = by_amount(network.of_subject());
    let (completed, flows) = (rows.iter().filter(|row| row["status"] == "COMPLETED").collect::<Vec<_>>(), &shown["flowTotals"]);
    assert!(completed.iter().all(|row| row["direction"] == "OUTBOUND" && row["amount"]["currency"] == "USD"), "the sample is as it was");
    let (sent, in_currency) = (&flows["outbound"], &flows["outbound"]["byCurrency"]);
    assert_eq!((&sent["count"], list(in_currency).len(), &in_currency[0]["currency"]), (&json!(completed.len()), 1, &json!("USD")));
    assert_eq!(in_currency[0]["count"], sent["count"]);
    assert_near(&sent["standardizedTotal"], completed.iter().map(|row| number(&row["standardized_amount"])).sum());
    assert_near(&in_currency[0]["total"], completed.iter().map(|row| number(&row["amount"]["value"])).sum());
    let received = json!({"count": 1, "standardizedTotal": "270.5", "byCurrency": [{"currency": "EUR", "count": 1, "total": "250.75"}]});
    assert_eq!(flows["inbound"], received);
    let largest = list(&shown["largest"]["nodes"]);
    assert_eq!((largest.len(), &largest[rows.len()]["id"]), (rows.len() + 1, &json!(network.incoming)), "the smallest is the one that was added");
    for (payment, row) in largest.iter().zip(&rows) {
        assert_eq!((&payment["id"], &payment["account"]["id"]), (&row["id"], &row["account_id"]));
        assert_near(&payment["standardizedAmount"], number(&row["standardized_amount"]));
    }
}

fn relations(desk: &Desk, shown: &Value, network: &Network) {
    let wanted: BTreeMap<&str, (&Value, f64)> = network
        .associates
        .iter()
        .filter(|row| row["actor_id"] == network.subject.as_str())
        .map(|row| {
            let it = &row["actorAssociates"][0];
            (text(&it["id"]), (&it["type"], number(&it["ratio"])))
        })
        .collect();
    let edges = list(&shown["associates"]["edges"]);
    let told: BTreeMap<&str, (&Value, f64)> = edges.iter().map(|edge| (text(&edge["node"]["id"]), (&edge["type"], number(&edge["ratio"])))).collect();
    assert_eq!((told, &shown["associates"]["totalCount"]), (wanted, &json!(6)));
    let of = network.associates.iter().find(|row| row["actor_id"] != network.subject.as_str()).expect("in whom it invests");
    assert_eq!(shown["associateOf"]["edges"][0]["node"]["id"], of["actor_id"]);
    // The company and its investor have one phone.
    let shared = &shown["sharesIdentityWith"]["edges"][0];
    assert_eq!((&shared["identity"]["kind"], &shared["node"]["id"]), (&json!("PHONE"), &json!(network.investor)));
    let kinds: BTreeMap<&str, i64> =
        list(&shown["identities"]["nodes"]).iter().map(|it| (text(&it["kind"]), it["actors"]["totalCount"].as_i64().expect("a count"))).collect();
    assert_eq!(kinds, [("ADDRESS", 1), ("EMAIL", 1), ("GOVERNMENT_ID", 1), ("PHONE", 2)].into(), "{}", desk.ids.0);
}

pub async fn account(desk: &Desk, network: &Network) {
    let shown = desk.screen("04-account-statement", json!({"id": network.account, "from": FROM, "to": TO})).await["account"].take();
    let holders = &shown["actors"];
    assert_eq!(
        (&holders["totalCount"], &holders["edges"][0]["node"]["id"], &holders["edges"][0]["role"]),
        (&json!(1), &json!(network.subject), &json!("OWNER"))
    );
    let days: Vec<(&Value, f64)> = list(&shown["balances"]["nodes"]).iter().map(|it| (&it["asOfDate"], number(&it["current"]))).collect();
    assert_eq!(days, [(&json!("2022-06-30"), 30.5), (&json!("2022-05-31"), 12.25)]);

    let rows = network.of_account();
    let payments = list(&shown["transactions"]["nodes"]);
    let (added, of_sample): (Vec<&Value>, Vec<&Value>) = payments.iter().partition(|payment| payment["id"] == network.incoming.as_str());
    assert_eq!(shown["transactions"]["totalCount"], json!(rows.len() + 1));
    assert!(payments.is_sorted_by_key(|payment| text(&payment["createdAt"])), "the oldest first");
    for (payment, row) in of_sample.iter().zip(&rows) {
        let other = &row["counterparty"]["account_info"]["id"];
        assert_eq!((&payment["id"], &payment["sender"]["id"], &payment["receiver"]["id"]), (&row["id"], &row["account_id"], other));
        assert_eq!((&payment["account"]["id"], &payment["direction"], &payment["status"]), (&row["account_id"], &row["direction"], &row["status"]));
        assert_near(&payment["amount"], number(&row["amount"]["value"]));
    }
    let sent = network.record_of_incoming(&desk.ids, "COMPLETED");
    for (field, of_record) in
        [("channel", "channel"), ("method", "method"), ("purpose", "purpose"), ("description", "description"), ("direction", "direction")]
    {
        assert_eq!(added[0][field], sent[of_record], "{field}");
    }
    assert_eq!((number(&added[0]["record"]["accountBalance"]), &added[0]["observations"]["totalCount"]), (1000.5, &json!(1)));

    // Sums of all time by account and currency, by plain code over the sample.
    for (field, own, other) in
        [("transferredTo", "/account_id", "/counterparty/account_info/id"), ("receivedFrom", "/counterparty/account_info/id", "/account_id")]
    {
        let mut totals: BTreeMap<&str, (i64, f64)> = BTreeMap::new();
        for row in network.payments.iter().filter(|row| row.pointer(own) == Some(&json!(network.account))) {
            let (count, total) = totals.entry(text(row.pointer(other).expect("an account"))).or_default();
            (*count, *total) = (*count + 1, *total + number(&row["amount"]["value"]));
        }
        let mut totals: Vec<(&str, (i64, f64))> = totals.into_iter().collect();
        totals.sort_by(|one, other| other.1.1.total_cmp(&one.1.1));
        let added = usize::from(field == "receivedFrom");
        assert_eq!(shown[field]["totalCount"], json!(totals.len() + added), "{field}");
        for (edge, (id, (count, total))) in list(&shown[field]["edges"]).iter().zip(totals) {
            assert_eq!((&edge["node"]["id"], &edge["count"], &edge["currency"]), (&json!(id), &json!(count), &json!("USD")), "{field}");
            assert_near(&edge["total"], total);
        }
    }
}

pub async fn transaction(desk: &Desk, network: &Network, work: &Work) {
    let shown = desk.screen("05-transaction", json!({"id": network.incoming})).await["transaction"].take();
    let sent = network.record_of_incoming(&desk.ids, "COMPLETED");
    for field in ["id", "direction", "status", "channel", "method", "purpose", "description"] {
        assert_eq!(shown[field], sent[field], "{field}");
    }
    assert_eq!((&shown["amount"], &shown["standardizedAmount"], &shown["currency"]), (&json!("250.75"), &json!("270.5"), &json!("EUR")));
    assert_eq!((&shown["createdAt"], &shown["counterpartyName"]), (&json!("2022-08-15T12:00:00Z"), &sent["counterparty"]["name"]));
    assert_eq!(
        (&shown["account"]["id"], &shown["owner"]["id"], &shown["receiver"]["id"]),
        (&json!(network.account), &json!(network.subject), &json!(network.account))
    );
    let iban = text(&sent["counterparty"]["account_info"]["iban"]);
    assert_eq!((&shown["sender"]["external"], text(&shown["sender"]["name"]).replace(' ', "").as_str()), (&json!(true), iban));
    let before = &shown["history"];
    assert_eq!(
        (&before["totalCount"], &before["nodes"][0]["status"], &before["nodes"][0]["amount"]),
        (&json!(1), &json!("PENDING"), &json!("250.75"))
    );
    assert_eq!(shown["changes"], json!([{"path": "/status", "before": "\"PENDING\"", "after": "\"COMPLETED\""}]));
    assert_eq!(before["nodes"][0]["changes"], json!([]), "it was the first");
    let query = "query($id: ID!) { transaction(id: $id) { hits: screenings(filter: {responses: [HIT]}) { totalCount }
        misses: screenings(filter: {responses: [MISS], operations: [FRAUD]}) { totalCount }
        others: screenings(filter: {responses: [MISS], operations: [SANCTIONS]}) { totalCount } } }";
    let found = desk.by("ANALYST").graphql(query, json!({"id": network.incoming})).await["transaction"].take();
    assert_eq!(["hits", "misses", "others"].map(|name| &found[name]["totalCount"]), [&json!(0), &json!(1), &json!(0)]);
    // It was made at noon: a time ends before its end.
    let query = "query($id: ID!) { actor(id: $id) {
        before: flowTotals(from: \"2022-08-15T11:59:59Z\", to: \"2022-08-15T12:00:00Z\") { inbound { count } }
        at: flowTotals(from: \"2022-08-15T12:00:00Z\", to: \"2022-08-15T12:00:01Z\") { inbound { count } } } }";
    let noon = desk.by("ANALYST").graphql(query, json!({"id": network.subject})).await["actor"].take();
    assert_eq!((&noon["before"]["inbound"]["count"], &noon["at"]["inbound"]["count"]), (&json!(0), &json!(1)));
    let screening = &shown["screenings"]["nodes"][0];
    assert_eq!((&screening["operation"], &screening["response"], &screening["providerName"]), (&json!("FRAUD"), &json!("MISS"), &json!("desk")));
    assert_eq!(
        (&shown["device"]["id"], &shown["ipAddress"]["id"], &shown["channelLocation"]["city"]),
        (&json!(network.device), &json!("192.0.2.1"), &json!("Ulm"))
    );
    let sign_ins = &shown["device"]["accounts"]["edges"][0];
    assert_eq!((&sign_ins["count"], &sign_ins["node"]["id"]), (&json!(network.sign_ins.len()), &json!(network.account)));
    assert_eq!(each(&shown["parties"]["nodes"], "id"), [&json!(network.investor)]);
    assert_eq!(each(&shown["observations"]["nodes"], "id"), [&json!(desk.ids.of("alert-0"))]);
    assert_eq!(shown["observations"]["nodes"][0]["cases"]["nodes"][0]["id"], json!(work.raised));
    let decided = &shown["decidedIn"]["edges"][0];
    let said = (&decided["node"]["id"], &decided["decision"], &decided["decidedByPrincipal"]);
    assert_eq!(said, (&json!(work.raised), &json!("BLOCK"), &desk.who()));

    let (record, read) = (&shown["record"], desk.rest(&format!("/api/v2/transactions/{}", network.incoming)).await);
    assert_eq!(
        (number(&record["accountBalance"]), &record["userId"], &record["userName"]),
        (number(&read["account_balance"]), &read["user_id"], &read["user_name"])
    );
    assert_eq!((&record["customData"], &record["metadata"]), (&sent["custom_data"], &sent["metadata"]));
    let (party, of_rest) = (&record["counterparty"], &read["counterparty"]);
    assert_eq!((&party["object"], &party["id"], &party["birthDate"]), (&of_rest["object"], &of_rest["id"], &of_rest["birth_date"]), "{of_rest}");
    assert_eq!(party["accountInfo"]["bic"], of_rest["account_info"]["bic"]);
    let address = (&party["postalAddresses"][0]["postalCode"], &party["postalAddresses"][0]["lines"]);
    assert_eq!(address, (&of_rest["postal_addresses"][0]["postal_code"], &of_rest["postal_addresses"][0]["lines"]));
    assert_eq!(party["industry"]["classificationIdentifier"], of_rest["industry"]["classification_identifier"]);
}

/// Reopens a chart of 80 nodes, of which four are there still, and expands each kind of node.
pub async fn chart(desk: &Desk, network: &Network, work: &Work) {
    let alert = desk.ids.of("alert-0");
    let there = [
        format!("Actor:{}", network.subject),
        format!("Account:{}", network.account),
        format!("Observation:{alert}"),
        format!("Case:{}", work.raised),
    ];
    let open: Vec<String> = there.iter().cloned().chain((there.len()..80).map(|n| format!("Actor:{}", desk.ids.of(&format!("gone-{n}"))))).collect();
    let expand = [&there[0], &there[1], &there[2], &there[3]];
    let data = desk.screen("06-link-chart", json!({"open": open, "expand": expand, "fromAlert": true, "alertId": alert})).await;
    let nodes = list(&data["nodes"]);
    assert_eq!((nodes.len(), nodes.iter().filter(|node| node.is_null()).count()), (80, 76));
    assert_eq!(nodes[..4].iter().map(|node| text(&node["nodeId"])).collect::<Vec<_>>(), there);
    assert_eq!(
        (&nodes[0]["type"], &nodes[0]["riskBand"], &nodes[0]["exclusion"]["type"]),
        (&json!("LEGAL_ENTITY"), &json!("high_risk"), &json!("NOT_MONITORED"))
    );
    assert_eq!((&nodes[1]["accountType"], &nodes[2]["handled"], &nodes[3]["__typename"]), (&json!("CREDIT_CARD"), &json!(true), &json!("Case")));

    let [company, account, observation, case] = [0, 1, 2, 3].map(|n| &data["expanded"][n]);
    let counts = ["accounts", "associates", "associateOf", "identities", "sharesIdentityWith", "cases", "observations"]
        .map(|name| &company[name]["totalCount"]);
    assert_eq!(counts, [2, 6, 1, 4, 1, 3, 6].map(|count| json!(count)).each_ref());
    let owned: BTreeSet<&str> = list(&company["accounts"]["edges"]).iter().map(|edge| text(&edge["node"]["id"])).collect();
    assert!(owned.contains(network.account.as_str()), "{owned:?}");
    assert_eq!(account["actors"]["edges"][0]["node"]["nodeId"], json!(there[0]));
    let device = &account["devices"]["edges"][0];
    let mut times: Vec<&str> = network.sign_ins.iter().map(|row| text(&row["at"])).collect();
    times.sort_unstable();
    let signed_in = (&device["count"], &device["first"], &device["last"], &device["node"]["id"]);
    assert_eq!(signed_in, (&json!(8), &json!(times[0]), &json!(times[7]), &json!(network.device)));
    let sent_to = network.payments.iter().filter(|row| row["account_id"] == network.account.as_str());
    let receivers: BTreeSet<&str> = sent_to.map(|row| text(&row["counterparty"]["account_info"]["id"])).collect();
    assert_eq!(list(&account["transferredTo"]["edges"]).iter().map(|edge| text(&edge["node"]["id"])).collect::<BTreeSet<_>>(), receivers);
    let payments = &observation["transactions"]["nodes"];
    assert_eq!(having(payments, "id", &network.incoming)["receiver"]["nodeId"], json!(there[1]));
    let people: BTreeSet<&str> = list(&case["actors"]["edges"]).iter().map(|edge| text(&edge["node"]["id"])).collect();
    let friend = desk.ids.of("friend");
    assert_eq!(people, [&network.subject, &network.investor, &friend].map(String::as_str).into());
    assert_eq!(case["observations"]["nodes"][0]["nodeId"], json!(there[2]));
    // It was sent by somebody else, who tells no evidence.
    assert_eq!((&data["observation"]["nodeId"], &data["observation"]["evidence"]), (&json!(there[2]), &Value::Null));
}

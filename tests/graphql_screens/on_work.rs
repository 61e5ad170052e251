//! What teams work through and look back on: alerts, requests for data, the audit log, webhooks, reports, segments.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::acting::{Work, alerts};
use super::desk::{Desk, as_node, each, having, list, number, only, text};
use super::network::{Network, STATES};

pub async fn alerts_queue(desk: &Desk, network: &Network) {
    let sent = alerts(desk, network);
    let data = desk.screen("07-alerts", json!({"view": {"behaviorIds": [desk.ids.of("behaviour")], "handled": false}})).await;
    let page = &data["observations"];
    // Of eight alerts nobody has handled two; the higher score comes first.
    assert_eq!((&page["totalCount"], each(&page["nodes"], "id")), (&json!(2), vec![&sent[6]["id"], &sent[7]["id"]]));
    for (row, alert) in list(&page["nodes"]).iter().zip([&sent[6], &sent[7]]) {
        for field in ["type", "score", "priority", "behaviorId", "behaviorName"] {
            assert_eq!(row[field], alert[field], "{field}");
        }
        let read = desk.rest(&format!("/api/observations/{}", text(&row["id"]))).await;
        assert_eq!((&row["ingestDate"], &row["finalized"]), (&read["ingestDate"], &read["finalized"]), "{read}");
        assert_eq!((&row["handled"], &row["handling"], &row["cases"]["totalCount"]), (&json!(false), &Value::Null, &json!(0)));
        let main = &row["actors"]["edges"][0];
        assert_eq!((&main["primary"], &main["node"]["id"], &row["actors"]["totalCount"]), (&json!(true), &json!(network.subject), &json!(2)));
        let numbers = (&main["node"]["observations"]["totalCount"], &main["node"]["cases"]["totalCount"], &main["node"]["exclusion"]["type"]);
        assert_eq!(numbers, (&json!(6), &json!(3), &json!("NOT_MONITORED")));
    }
    assert_eq!((&page["nodes"][0]["belowTheLine"], &page["nodes"][0]["rules"]["edges"][0]["node"]["id"]), (&json!(true), &json!(desk.ids.of("r1"))));
    let counts = |rows: &Value, key: &str| -> BTreeMap<String, i64> {
        let named = |row: &Value| if row[key].is_object() { row[key]["id"].to_string() } else { row[key].to_string() };
        list(rows).iter().map(|row| (named(row), row["count"].as_i64().expect("a count"))).collect()
    };
    let wanted = |rows: [(Value, i64); 2]| rows.map(|(key, count)| (key.to_string(), count)).into();
    assert_eq!(counts(&data["byPriority"]["rows"], "priority"), wanted([(json!("HIGH"), 1), (json!("LOW"), 1)]));
    assert_eq!(counts(&data["byRule"]["rows"], "rule"), wanted([(json!(desk.ids.of("r1")), 1), (Value::Null, 1)]));
    assert_eq!(data["byPriority"]["total"]["count"], 2);

    // The other tab: what was handled, and how.
    let data = desk.screen("07-alerts", json!({"view": {"behaviorIds": [desk.ids.of("behaviour")], "handled": true}})).await;
    let nodes = &data["observations"]["nodes"];
    let first = having(nodes, "id", text(&sent[0]["id"]));
    for (field, of_record) in [
        ("title", "title"),
        ("typology", "taxonomyDescription"),
        ("label", "label"),
        ("programGroup", "programGroup"),
        ("businessDate", "businessDate"),
    ] {
        assert_eq!(first[field], sent[0][of_record], "{field}");
    }
    let given = &first["feedback"]["nodes"][0];
    assert_eq!((&given["feedback"], &given["createdBy"], &first["transactions"]["totalCount"]), (&json!("TRUE_POSITIVE"), &desk.who(), &json!(2)));
    let found = having(nodes, "id", text(&sent[1]["id"]));
    assert_eq!((&found["lineOfBusiness"], &found["modelThreshold"]), (&json!(desk.ids.of("corporate")), &json!(0.5)));
    let dismissed = &having(nodes, "id", text(&sent[3]["id"]))["handling"];
    assert_eq!((&dismissed["kind"], &dismissed["reason"], &dismissed["by"]), (&json!("DISMISSED"), &json!("known"), &desk.who()));
}

pub async fn audit(desk: &Desk, work: &Work) {
    let cases = [&work.raised, &work.by_hand];
    let filter = json!({"objectIds": cases, "principalIds": [desk.ada], "logTypes": ["UPDATE"]});
    let data = desk.screen("08-audit", json!({"filter": filter})).await;
    assert_eq!(data["viewer"]["roles"], json!(["AUDITOR"]));
    // As REST lists the entries of these cases.
    let span = "startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&limit=1000&logType=UPDATE";
    let mut wanted = BTreeMap::new();
    for case in cases {
        let listed = desk.rest(&format!("/api/audit_logs?{span}&caseId={case}")).await;
        let entries =
            each(&listed["values"], "json_").into_iter().filter(|entry| entry["objectId"] == case.as_str() && entry["userId"] == desk.ada.as_str());
        wanted.extend(entries.map(|entry| (text(&entry["id"]).to_owned(), entry.clone())));
    }
    let nodes = list(&data["auditEntries"]["nodes"]);
    assert_eq!((&data["auditEntries"]["totalCount"], nodes.len()), (&json!(wanted.len()), wanted.len()));
    assert!(nodes.is_sorted_by(|one, next| text(&one["at"]) >= text(&next["at"])), "the newest first");
    for node in nodes {
        let entry = &wanted[text(&node["id"])];
        for (field, of_rest) in
            [("at", "timestamp"), ("action", "action"), ("outcome", "actionResult"), ("domain", "domain"), ("objectType", "objectType")]
        {
            assert_eq!(node[field], entry[of_rest], "{field}");
        }
        let by = (&node["by"]["id"], &node["credentialType"], &node["requestId"], &node["case"]["id"]);
        assert_eq!(by, (&entry["userId"], &entry["params"]["means"], &entry["params"]["requestId"], &entry["caseId"]), "{entry}");
        let object = (format!("Case:{}", text(&entry["objectId"])), format!("Analysis {}", text(&entry["objectId"])));
        assert_eq!((text(&node["object"]["nodeId"]), text(&node["object"]["name"])), (&*object.0, &*object.1), "{node}");
    }
    let moved =
        nodes.iter().find(|node| node["action"] == "case.workflow.actioned" && node["objectId"] == work.by_hand.as_str()).expect("it was moved");
    assert_eq!(having(&moved["changes"], "path", "/stepId"), &json!({"path": "/stepId", "before": "\"new\"", "after": "\"soon\""}));
    assert_eq!(having(&data["users"]["nodes"], "id", &desk.ada)["enabled"], true);
}

/// What was put there was queued in the first second of 1970; the last that was given up waits again.
pub async fn webhooks(desk: &Desk, network: &Network) {
    let id = &network.webhook;
    let span = json!({"webhookIds": [id], "states": null, "from": "1970-01-01T00:00:00Z", "to": "1970-01-01T00:00:01Z"});
    let data = desk.screen("09-webhooks", span).await;
    let (shown, read) = (having(&data["webhooks"]["nodes"], "id", id), desk.rest(&format!("/api/webhooks/{id}")).await);
    for field in ["name", "url", "events", "status", "tenant"] {
        assert_eq!(shown[field], read[field], "{field}");
    }
    let counts = json!({"delivered": 1, "failed": 1, "waiting": 2, "cancelled": 0, "successRatio": 0.5, "medianMillis": 12, "p95Millis": 12});
    assert_eq!(shown["statistics"], counts);
    let states: Vec<Value> = STATES.iter().enumerate().rev().map(|(at, state)| json!([at + 1, if at == 3 { "WAITING" } else { state }])).collect();
    let rows = &data["deliveries"];
    assert_eq!(rows["totalCount"], json!(STATES.len()));
    assert_eq!(list(&rows["nodes"]).iter().map(|row| json!([row["sequence"], row["state"]])).collect::<Vec<_>>(), states, "the newest first");
    for row in list(&rows["nodes"]) {
        assert_eq!(
            (&row["webhook"]["name"], &row["case"]["id"], &row["event"]["data"]),
            (&read["name"], &json!(network.told_of), &json!({})),
            "{row}"
        );
        let attempt = json!({"at": "2024-01-31T12:00:00Z", "millis": 12, "status": 500, "answer": "no", "problem": null});
        assert_eq!(row["attempts"][0], attempt);
    }
    let latest = &shown["latest"]["nodes"][0];
    assert_eq!((&latest["id"], &latest["eventName"]), (&rows["nodes"][0]["id"], &json!("case.updated")));
    // The usual tab.
    let given_up = desk.screen("09-webhooks", json!({"webhookIds": [id], "from": "1970-01-01T00:00:00Z", "to": "1970-01-01T00:00:01Z"})).await;
    assert_eq!(each(&given_up["deliveries"]["nodes"], "sequence"), [&json!(2)]);
    desk.server.delete(&format!("/api/webhooks/{id}")).await.expect(200);
}

pub async fn requests(desk: &Desk, network: &Network, work: &Work) {
    let data = desk.screen("10-requests-for-data", json!({"view": {"caseIds": [work.raised]}})).await;
    let page = &data["requestsForData"];
    assert_eq!((&page["totalCount"], &page["nodes"][0]["id"]), (&json!(3), &json!(work.open)), "what is due first comes first");
    for (id, is_overdue) in [(&work.open, true), (&work.fulfilled, false), (&work.rejected, false)] {
        let (row, read) = (having(&page["nodes"], "id", id), desk.rest(&format!("/api/request_for_data/{id}")).await);
        assert_eq!((&row["status"], &row["type"], &row["overdue"]), (&read["status"], &json!(work.kind), &json!(is_overdue)), "{read}");
        assert_eq!((&row["request"], &row["requestedByPrincipal"]), (&json!({"actor_id": network.subject, "years": 3}), &desk.who()));
        assert_eq!(row["schema"]["schema"]["required"], json!(["actor_id"]));
        let ended_by = if is_overdue { Value::Null } else { desk.who() };
        assert_eq!((&row["endedByPrincipal"], row["endedAt"].is_null()), (&ended_by, is_overdue));
        let (case, of_rest) = (&row["case"], desk.case(&work.raised).await);
        assert_eq!(
            (&case["id"], &case["assignee"]["id"], &case["step"]["status"]),
            (&json!(work.raised), &json!(desk.ada), &of_rest["workflow"]["status"])
        );
        assert_eq!(case["focalActors"]["nodes"][0]["id"], json!(network.subject));
    }
    assert_eq!(having(&page["nodes"], "id", &work.rejected)["reason"], "Nobody answers");
    assert_eq!(having(&page["nodes"], "id", &work.fulfilled)["answeringActor"]["id"], json!(network.subject));
    having(&data["requestForDataSchemas"]["nodes"], "type", &work.kind);
    assert_eq!(data["mine"]["totalCount"], 1);
    if desk.is_alone() {
        assert_eq!((&data["overdue"]["totalCount"], &data["open"]["totalCount"]), (&json!(1), &json!(1)));
    }
}

pub async fn reports(desk: &Desk, network: &Network, work: &Work) {
    let days = (format!("{}-01-01", network.year), format!("{}-12-31", network.year));
    let data = desk.screen("11-reports", json!({"from": work.began, "to": work.ended, "fromDay": days.0, "toDay": days.1})).await;
    let rows = |name: &str| list(&data[name]["rows"]);
    let closed = rows("closeReasons").iter().find(|row| row["closeReason"] == desk.ids.of("reason").as_str()).expect("the reason");
    assert_eq!((&closed["type"], &closed["count"]), (&json!("ANALYSIS"), &json!(1)), "what was opened again is not closed");
    let hers = rows("openByAssignee").iter().find(|row| row["assignee"]["id"] == desk.ada.as_str()).expect("her row");
    assert_eq!((&hers["count"], &hers["overdue"]), (&json!(2), &json!(1)));

    // By rule and typology, as the alerts say and what was done with them.
    let of = |key: &str, id: &str, name: &str| {
        let wanted = desk.ids.of(id);
        rows(name)
            .iter()
            .find(|row| row[key] == wanted.as_str() || row[key]["id"] == wanted.as_str())
            .unwrap_or_else(|| panic!("{wanted} in {}", data[name]))
    };
    for (name, key, id, counts) in [
        ("alertsByRule", "rule", "r1", [4, 3, 1, 1]),
        ("alertsByRule", "rule", "r2", [2, 2, 1, 0]),
        ("alertsByTypology", "typology", "layering", [2, 2, 1, 1]),
        ("alertsByLineOfBusiness", "lineOfBusiness", "retail", [1, 1, 0, 0]),
    ] {
        let row = of(key, id, name);
        assert_eq!(["count", "handled", "truePositives", "falsePositives"].map(|field| row[field].as_i64()), counts.map(Some), "{name} {id}");
        let judged = counts[2] + counts[3];
        let precision = if judged == 0 { Value::Null } else { json!(counts[2] as f64 / judged as f64) };
        assert_eq!(row["precision"], precision, "{name} {id}");
    }
    feedback(desk, &data["observationFeedback"], network, work).await;
    let listed = desk.rest(&format!("/api/reporting/suppressed_signals?startDate={}&endDate={}", days.0, days.1)).await;
    let (signal, of_rest) = (&data["suppressedSignals"]["nodes"][0], &listed["signals_suppressed"][0]);
    assert_eq!((&data["suppressedSignals"]["totalCount"], &listed["number_of_signals"]), (&json!(1), &json!(1)));
    for (field, name) in [
        ("reviewDate", "review_date"),
        ("detectionMethodName", "detection_method_name"),
        ("decisionReason", "decision_reason"),
        ("dataSource", "data_source"),
    ] {
        assert_eq!(signal[field], of_rest[name], "{field}");
    }
    assert_eq!(signal["actor"]["id"], of_rest["actor_id"]);
    if desk.is_alone() {
        let counts = ["opened", "closed", "openByStatus", "alertsByDay"].map(|name| data[name]["total"]["count"].as_i64());
        assert_eq!(counts, [4, 1, 4, 8].map(Some));
        let worked = &data["alertsByDay"]["total"];
        assert_eq!(worked["handled"], 6);
        assert_eq!(rows("alertsByDay").iter().map(|row| row["count"].as_i64().expect("a count")).sum::<i64>(), 8);
    }
}

/// What the analyst has said, as REST reports it.
async fn feedback(desk: &Desk, shown: &Value, network: &Network, work: &Work) {
    let reported = desk.rest(&format!("/api/reporting/observation_feedback?startDate={}&endDate={}", work.began, work.ended)).await;
    let cases = [&work.raised, &work.reopened];
    let is_own = |case: &Value| cases.iter().any(|id| *case == id.as_str());
    let of_rest: Vec<&Value> = list(&reported).iter().filter(|item| is_own(&item["caseId"])).collect();
    let nodes: Vec<&Value> = list(&shown["nodes"]).iter().filter(|node| is_own(&node["case"]["id"])).collect();
    assert_eq!((nodes.len(), of_rest.len()), (2, 2), "{shown}");
    for (node, item) in nodes.iter().zip(of_rest) {
        let observation = &node["observation"];
        assert_eq!((&node["feedback"], &node["createdAt"], &node["case"]["id"]), (&item["feedback"], &item["createdTime"], &item["caseId"]));
        assert_eq!(node["createdBy"], desk.who());
        for (field, name) in [
            ("id", "observationId"),
            ("type", "observationType"),
            ("date", "observationDate"),
            ("typology", "typology"),
            ("behaviorId", "behaviorId"),
            ("behaviorName", "behaviorName"),
        ] {
            assert_eq!(observation[field], item[name], "{field}");
        }
        assert_eq!(number(&observation["score"]), number(&item["modelScore"]));
        assert_eq!((&observation["lineOfBusiness"], &observation["modelThreshold"]), (&item["lineOfBusiness"], &item["modelThreshold"]), "{item}");
        assert_eq!((&observation["actors"]["edges"][0]["node"]["id"], &item["actorId"]), (&json!(network.subject), &json!(network.subject)));
    }
    // The one that was given last is of a finding.
    let found = &nodes[0]["observation"];
    assert_eq!((&found["lineOfBusiness"], &found["modelThreshold"]), (&json!(desk.ids.of("corporate")), &json!(0.5)));
    let payments = &nodes[1]["observation"]["transactions"];
    assert_eq!(payments["totalCount"], 2);
    having(&payments["nodes"], "id", &network.incoming);
}

pub async fn segmentation(desk: &Desk, network: &Network, work: &Work) {
    let (name, group_path) = (desk.ids.of("Wealth"), format!("/api/segmentation/groups/{}", work.group));
    let variables = json!({"searching": true, "text": name, "groupOpen": true, "groupId": work.group,
        "members": {"domiciles": ["DE"], "riskBands": ["high_risk"]}, "picking": true, "candidates": {"text": desk.ids.of("Migai"), "domiciles": ["GB"]}});
    let data = desk.screen("12-segmentation", variables).await;
    let (category, of_rest) = (
        having(&data["segmentationCategories"]["nodes"], "id", &work.category),
        desk.rest(&format!("/api/segmentation/categories/{}", work.category)).await,
    );
    assert_eq!((&category["name"], &category["createdBy"]), (&of_rest["name"], &of_rest["created_by"]), "{of_rest}");
    assert_eq!(category["actors"]["totalCount"], 1);
    let one = |count: i64| json!({"totalCount": count});
    let row = as_node("SegmentationGroup", &json!({"id": work.group, "name": name, "actors": one(1), "owners": one(1)}));
    assert_eq!(category["groups"], json!({"totalCount": 1, "nodes": [row]}));
    let of_category = as_node("SegmentationCategory", &json!({"id": work.category, "name": of_rest["name"]}));
    let found = as_node("SegmentationGroup", &json!({"id": work.group, "name": name, "category": of_category, "actors": one(1)}));
    assert_eq!(data["segmentationGroups"], json!({"totalCount": 1, "nodes": [found]}));

    let (group, read) = (&data["segmentationGroup"], desk.rest(&group_path).await);
    assert_eq!((&group["name"], &group["description"], &group["createdBy"]), (&read["name"], &read["description"], &read["created_by"]), "{read}");
    let member = &group["actors"]["edges"][0];
    let wanted =
        json!({"id": network.subject, "type": "LEGAL_ENTITY", "domicile": "DE", "riskBand": "high_risk", "cases": one(3), "observations": one(6)});
    assert_eq!((&group["actors"]["totalCount"], only(&member["node"], &wanted), &member["byPrincipal"]), (&json!(1), wanted, &desk.who()));
    assert_eq!((&group["createdByPrincipal"]["name"], &group["createdByPrincipal"]["kind"]), (&read["created_by"], &json!("API_KEY")));
    assert_eq!((each(&group["owners"]["edges"], "node")[0]["id"].clone(), &group["owners"]["totalCount"]), (json!(network.investor), &json!(1)));
    let candidate = &data["actors"];
    assert_eq!((&candidate["totalCount"], &candidate["nodes"][0]["id"]), (&json!(1), &json!(network.investor)));
    assert_eq!(candidate["nodes"][0]["segmentationGroups"]["totalCount"], 0);
    let members = desk.rest(&format!("{group_path}/actors")).await.to_string();
    assert!(members.contains(&network.subject) && !members.contains(&network.investor), "{members}");
}

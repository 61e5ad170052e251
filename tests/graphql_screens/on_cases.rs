//! The inbox and the page of a case.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::acting::{Work, alerts};
use super::desk::{Desk, as_node, each, having, list, only, text};
use super::network::Network;

pub async fn inbox(desk: &Desk, network: &Network, work: &Work) {
    let data = desk.screen("01-case-inbox", json!({"view": {"tagIds": [work.tag]}})).await;
    let viewer = &data["viewer"];
    assert_eq!((&viewer["principal"], &viewer["roles"]), (&desk.who(), &json!(["ANALYST"])));
    assert_eq!(viewer["user"], as_node("User", &json!({"id": desk.ada, "name": desk.who()["name"], "groups": [desk.ids.of("analysts")]})));

    let (page, all) = (&data["cases"], [&work.by_hand, &work.raised, &work.reopened, &work.closed]);
    assert_eq!(
        (&page["totalCount"], &page["pageInfo"]["hasNextPage"], &page["nodes"][0]["id"]),
        (&json!(4), &json!(false), &json!(work.by_hand)),
        "due first"
    );
    let mut statuses: BTreeMap<String, i64> = BTreeMap::new();
    for id in all {
        let (row, case) = (having(&page["nodes"], "id", id), desk.case(id).await);
        let workflow = &case["workflow"];
        let step = json!({"nodeId": row["step"]["nodeId"], "stepId": workflow["step_id"], "label": row["step"]["label"], "status": workflow["status"],
            "state": workflow["state"], "workflow": as_node("Workflow", &json!({"id": workflow["id"], "name": workflow["name"]}))});
        assert_eq!((&row["type"], &row["createdAt"], &row["updatedAt"]), (&case["type"], &case["created_at"], &case["updated_at"]), "{row}");
        assert_eq!((&row["step"], &row["tags"]), (&step, &tags(&case)), "{row}");
        let focal: BTreeSet<&str> = list(&case["actors"]).iter().filter(|actor| actor["type"] == "FOCAL").map(|actor| text(&actor["id"])).collect();
        assert_eq!(row["focalActors"]["totalCount"], json!(focal.len()), "{row}");
        assert!(
            list(&row["focalActors"]["nodes"]).iter().all(|actor| focal.contains(text(&actor["id"])) && actor["riskBand"] == "high_risk"),
            "{row}"
        );
        let observations = list(&case["observations"]);
        assert_eq!(row["observations"]["totalCount"], json!(observations.len()), "{row}");
        assert_eq!(row["observations"]["nodes"][0]["id"], observations.first().map_or(Value::Null, |it| it["id"].clone()));
        let is_hers = [&work.by_hand, &work.raised].contains(&id);
        assert_eq!(row["assignee"]["id"], if is_hers { json!(desk.ada) } else { Value::Null }, "{row}");
        assert_eq!(row["overdue"], json!(id == &work.by_hand), "{row}");
        *statuses.entry(text(&workflow["status"]).to_owned()).or_default() += 1;
    }
    let raised = having(&page["nodes"], "id", &work.raised);
    assert_eq!(raised["title"], json!(format!("Structuring: {}", desk.ids.of("Douglas Ltd"))));
    assert_eq!((&raised["comments"]["totalCount"], &raised["files"]["totalCount"], &raised["riskBand"]), (&json!(1), &json!(1), &json!("high_risk")));
    let open = json!({"id": work.open, "type": work.kind, "overdue": true});
    let requests = &raised["requestsForData"];
    assert_eq!((&requests["totalCount"], only(&requests["nodes"][0], &open)), (&json!(1), open), "the open one");
    assert_eq!(having(&page["nodes"], "id", &work.by_hand)["focalActors"]["nodes"][0]["id"], json!(network.subject));

    // Plain counts of the same cases.
    let load = |count: i64, overdue: i64| json!({"count": count, "overdue": overdue});
    let mine = &data["mine"]["total"];
    assert_eq!((only(mine, &load(0, 0)), &mine["oldestAt"]), (load(2, 1), &raised["createdAt"]));
    let shown: BTreeMap<String, i64> =
        list(&data["inView"]["rows"]).iter().map(|row| (text(&row["status"]).to_owned(), row["count"].as_i64().expect("a count"))).collect();
    assert_eq!(shown, statuses);
    let hers = list(&data["allOpen"]["rows"]).iter().find(|row| row["assignee"]["id"] == desk.ada.as_str()).expect("her row");
    assert_eq!(only(hers, &load(0, 0)), load(2, 1));
    if desk.is_alone() {
        // Of nobody: the one that was opened again, and the one that deliveries are of.
        let counts = ["unassigned", "overdue", "allOpen"].map(|name| only(&data[name]["total"], &load(0, 0)));
        assert_eq!(counts, [load(2, 0), load(1, 1), load(4, 1)]);
    }
}

pub async fn page(desk: &Desk, network: &Network, work: &Work) {
    let data = desk.screen("02-case-page", json!({"id": work.raised})).await;
    let (shown, case) = (&data["case"], desk.case(&work.raised).await);
    for (field, of_rest) in [
        ("type", "type"),
        ("createdAt", "created_at"),
        ("updatedAt", "updated_at"),
        ("source", "source"),
        ("jurisdiction", "jurisdiction"),
        ("narrative", "narrative"),
        ("resolution", "resolution"),
        ("metadata", "metadata"),
    ] {
        assert_eq!(shown[field], case[of_rest], "{field}");
    }
    assert_eq!(shown["tags"], tags(&case));
    let workflow = &case["workflow"];
    let stands = (&shown["step"]["stepId"], &shown["step"]["workflow"]["id"], &shown["step"]["workflow"]["version"]);
    assert_eq!(stands, (&workflow["step_id"], &workflow["id"], &workflow["version"]));
    let actions: BTreeSet<&str> = list(&shown["step"]["moves"]["edges"]).iter().map(|edge| text(&edge["action"])).collect();
    assert_eq!(actions, list(&shown["actions"]).iter().map(text).collect());
    assert_eq!(shown["customProperties"], json!({&work.property: case[&work.property]}));
    assert_eq!((&shown["createdBy"], &shown["assignee"]["id"], &shown["closedAt"]), (&desk.who(), &json!(desk.ada), &Value::Null));
    assert_eq!(having(&data["ofCases"]["nodes"], "name", &work.property)["schema"], json!({"type": "array", "items": {"type": "integer"}}));
    people(shown, &case, network, work);
    observation(desk, shown, network);
    payments(desk, &shown["transactions"], network);
    assert_eq!((&shown["analysisCase"], &shown["filings"]["totalCount"]), (&Value::Null, &json!(0)));
    said_and_asked(desk, shown, network, work).await;
    history(desk, &data["history"], work).await;
    assert_eq!(having(&data["users"]["nodes"], "id", &desk.ada)["name"], desk.who()["name"]);
    having(&data["workflows"]["nodes"], "id", &desk.ids.of("flow"));
    having(&data["requestForDataSchemas"]["nodes"], "type", &work.kind);
    if desk.is_alone() {
        assert_eq!(data["caseTags"]["nodes"], json!([as_node("CaseTag", &json!({"id": work.tag, "label": desk.ids.of("Tag")}))]));
    }

    let other = desk.screen("02-case-page", json!({"id": work.by_hand})).await["case"].take();
    assert_eq!(each(&other["earlierCases"], "id"), [&json!(work.reopened), &json!(work.raised)], "of the same company, the newest first");
    assert_eq!((&other["overdue"], &other["metadata"]), (&json!(true), &json!({"m": 1})));
}

/// The tags of a case of REST, as screens show them.
fn tags(case: &Value) -> Value {
    list(&case["tags"]).iter().map(|tag| as_node("CaseTag", tag)).collect()
}

fn people(shown: &Value, case: &Value, network: &Network, work: &Work) {
    let edges = list(&shown["actors"]["edges"]);
    assert!(edges.is_sorted_by_key(|edge| edge["type"] != "FOCAL"), "those first that it focuses on: {edges:?}");
    let told: BTreeMap<&str, (&Value, &Value)> = edges.iter().map(|edge| (text(&edge["node"]["id"]), (&edge["type"], &edge["decision"]))).collect();
    let wanted = list(&case["actors"]).iter().map(|actor| (text(&actor["id"]), (&actor["type"], &actor["decision"]))).collect();
    assert_eq!(told, wanted);
    let subject = &edges.iter().find(|edge| edge["node"]["id"] == network.subject.as_str()).expect("the company")["node"];
    assert_eq!(
        (&subject["domicile"], &subject["riskBand"], &subject["exclusion"]["type"]),
        (&json!("DE"), &json!("high_risk"), &json!("NOT_MONITORED"))
    );
    let assessments: Vec<(&Value, &Value)> = list(&subject["riskAssessments"]["nodes"]).iter().map(|it| (&it["type"], &it["value"])).collect();
    assert_eq!(assessments, [(&json!("PEP"), &json!("yes")), (&json!("SAR"), &json!("1"))]);
    let cases: BTreeSet<&str> = list(&subject["cases"]["nodes"]).iter().map(|case| text(&case["id"])).collect();
    assert_eq!(cases, [&work.raised, &work.by_hand, &work.reopened].map(String::as_str).into());
}

/// The alert, as it was sent.
fn observation(desk: &Desk, shown: &Value, network: &Network) {
    let sent = &alerts(desk, network)[0];
    let edge = &shown["observations"]["edges"][0];
    assert_eq!((&shown["observations"]["totalCount"], &edge["feedback"], &edge["action"]), (&json!(1), &json!("TRUE_POSITIVE"), &Value::Null));
    let node = &edge["node"];
    for field in ["id", "title", "type", "score", "priority", "behaviorId", "behaviorName", "features"] {
        assert_eq!(node[field], sent[field], "{field}");
    }
    assert_eq!((&node["typology"], &node["finalized"], &node["missingReferences"]), (&sent["taxonomyDescription"], &json!(true), &json!([])));
    let rules: BTreeSet<&str> = list(&node["rules"]["edges"]).iter().map(|edge| text(&edge["node"]["id"])).collect();
    assert_eq!(rules, list(&sent["rules"]).iter().map(|rule| text(&rule["id"])).collect());
    let rule = &node["rules"]["edges"][0];
    assert_eq!(
        (&rule["status"], &rule["score"], &rule["matched"], &rule["unmatched"]),
        (&json!("MATCHED"), &json!(0.5), &json!(["c1"]), &json!(["c2"]))
    );
    assert_eq!((&node["transactions"]["totalCount"], node["submittedBy"].is_object()), (&json!(2), true), "{node}");
}

/// Each payment of the case once: those that the alert cites, and those of the case's actors, by plain code over the sample.
fn payments(desk: &Desk, shown: &Value, network: &Network) {
    let cited: BTreeSet<&str> = [network.incoming.as_str(), text(&network.payments[12]["id"])].into();
    let is_of_case = |id: &Value| *id == network.subject.as_str() || *id == network.investor.as_str();
    let is_party = |row: &Value| row["counterparty"]["metadata"]["identifiable_as_actor"] == true && is_of_case(&row["counterparty"]["id"]);
    let own = network.payments.iter().filter(|row| is_of_case(&row["account_owner_id"]) || is_party(row)).map(|row| text(&row["id"]));
    let wanted: BTreeSet<&str> = own.chain(cited.iter().copied()).collect();
    let edges = list(&shown["edges"]);
    assert_eq!(edges.iter().map(|edge| text(&edge["node"]["id"])).collect::<BTreeSet<&str>>(), wanted);
    assert_eq!((&shown["totalCount"], edges.len()), (&json!(wanted.len()), wanted.len()), "each once");
    assert!(edges.is_sorted_by(|one, next| text(&one["node"]["createdAt"]) >= text(&next["node"]["createdAt"])), "the newest first");
    for edge in edges {
        let id = text(&edge["node"]["id"]);
        let citing = if cited.contains(id) { json!([desk.ids.of("alert-0")]) } else { json!([]) };
        assert_eq!((&edge["observationIds"], edge["decision"].is_null()), (&citing, id != network.incoming), "{edge}");
    }
    let decided = edges.iter().find(|edge| edge["node"]["id"] == network.incoming.as_str()).expect("what was decided about");
    assert_eq!((&decided["decision"], &decided["comment"], &decided["decidedBy"]), (&json!("BLOCK"), &json!("Too late"), &desk.who()));
    assert_eq!(decided["node"]["amount"], "250.75");
    let row = &network.payments[12];
    let payment = &edges.iter().find(|edge| edge["node"]["id"] == row["id"]).expect("it is cited")["node"];
    assert_eq!((&payment["currency"], &payment["direction"], &payment["status"]), (&row["amount"]["currency"], &row["direction"], &row["status"]));
    assert_eq!((&payment["sender"]["id"], &payment["receiver"]["id"]), (&row["account_id"], &row["counterparty"]["account_info"]["id"]));
    super::desk::assert_near(&payment["amount"], row["amount"]["value"].as_f64().expect("an amount"));
}

async fn said_and_asked(desk: &Desk, shown: &Value, network: &Network, work: &Work) {
    let comment = &shown["comments"]["nodes"][0];
    let wanted = json!({"id": work.comment, "text": desk.ids.of("Looks odd"), "createdAt": comment["createdAt"], "createdBy": desk.who()});
    assert_eq!((&shown["comments"]["totalCount"], comment), (&json!(1), &as_node("CaseComment", &wanted)));
    let letter = &shown["communications"]["nodes"][0];
    assert_eq!((&letter["id"], &letter["subject"], &letter["content"]), (&json!(work.communication), &json!(desk.ids.of("Hello")), &json!("…")));
    assert_eq!((&letter["sender"]["id"], &letter["receiver"], &letter["receiverId"]), (&json!(network.subject), &Value::Null, &json!("bank")));
    let file = &shown["files"]["nodes"][0];
    assert_eq!((&file["name"], &file["size"], &file["uploadedByPrincipal"]), (&json!("note.txt"), &json!(4), &desk.who()));
    assert_eq!(text(&file["url"]), format!("/files/{}", text(&file["id"])));
    assert!(work.file.to_string().contains(text(&file["id"])), "{} has {file}", work.file);
    assert_eq!(desk.by("ANALYST").get(text(&file["url"])).await.expect(200).text, "seen");

    let requests = &shown["requestsForData"]["nodes"];
    assert_eq!(each(requests, "id"), [&json!(work.open), &json!(work.fulfilled), &json!(work.rejected)], "the newest first");
    for request in list(requests) {
        let read = desk.rest(&format!("/api/request_for_data/{}", text(&request["id"]))).await;
        let said = (&request["type"], &request["status"], &request["request"]);
        assert_eq!(said, (&json!(work.kind), &read["status"], &json!({"actor_id": network.subject, "years": 3})), "{read}");
        assert_eq!((&request["requestedByPrincipal"], &request["schema"]["schema"]["required"]), (&desk.who(), &json!(["actor_id"])));
    }
    assert_eq!((&requests[1]["answeringActor"]["id"], &requests[2]["reason"]), (&json!(network.subject), &json!("Nobody answers")));
}

/// The entries of the audit log, as REST lists those of the case.
async fn history(desk: &Desk, shown: &Value, work: &Work) {
    let span = "startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&limit=1000&logType=UPDATE";
    let listed = desk.rest(&format!("/api/audit_logs?{span}&caseId={}", work.raised)).await;
    // That a lesser role was refused to read is written in the background.
    let listed = each(&listed["values"], "json_").into_iter().filter(|entry| entry["actionResult"] == "SUCCESS");
    let told: Vec<(&Value, &Value, &Value)> = listed.map(|entry| (&entry["id"], &entry["action"], &entry["userId"])).collect();
    let nodes = list(&shown["nodes"]);
    let done = nodes.iter().filter(|node| node["outcome"] == "SUCCESS");
    assert_eq!(done.map(|node| (&node["id"], &node["action"], &node["by"]["id"])).collect::<Vec<_>>(), told);
    // Such an entry may come between the page and its count, which are read one after the other.
    assert!(shown["totalCount"].as_u64().is_some_and(|total| total >= told.len() as u64), "{shown}");
    let moved = nodes.iter().find(|node| node["action"] == "case.assigned").expect("it was assigned");
    assert_eq!(moved["object"]["nodeId"], json!(format!("Case:{}", work.raised)));
    assert!(list(&moved["by"]["roles"]).contains(&json!("ANALYST")), "{moved}");
}

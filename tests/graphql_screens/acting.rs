//! The work on cases that the screens show, done by the mutations of `docs/screens`. Each is read back over REST, as far as REST has it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::desk::{Desk, as_node, each, having, list, number, text};
use super::network::Network;
use crate::support::fixtures::with;
use crate::support::observations::{observation, taken};
use crate::support::{eventually, requests};

/// For what is due within four seconds.
const SOON: Duration = Duration::from_secs(30);

/// Cases, alerts and requests by what became of them.
pub struct Work {
    /// Raised from the first alert, in the hands of the analyst. Nearly everything was done with it.
    pub raised: String,
    /// Opened by hand, and due already.
    pub by_hand: String,
    /// Raised from the second alert, closed and opened again.
    pub reopened: String,
    /// Raised from the third alert, and closed.
    pub closed: String,
    pub tag: String,
    pub comment: String,
    pub communication: String,
    pub file: Value,
    pub property: String,
    /// The type of the requests: one was rejected, one fulfilled, one is open.
    pub kind: String,
    pub rejected: String,
    pub fulfilled: String,
    pub open: String,
    /// Snoozed of the company now.
    pub snooze: String,
    pub snoozed_rule: String,
    pub category: String,
    pub group: String,
    /// Before and behind all of it.
    pub began: String,
    pub ended: String,
}

fn time(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// The alerts, by their numbers. All are of one behaviour of this test.
pub fn alerts(desk: &Desk, network: &Network) -> Vec<Value> {
    let of = |name: &str| desk.ids.of(name);
    let about = |actor: &str| json!([{"actorId": actor, "primary": true}, {"actorId": network.investor}]);
    let payments = json!([network.incoming, network.payments[12]["id"]]);
    let conditions = json!([{"id": "c1", "matched": true}, {"id": "c2", "matched": false}]);
    let rule = |name: &str| json!({"id": of(name), "name": format!("Rule {name}"), "status": "MATCHED", "score": 0.5, "conditions": conditions});
    let more = [
        json!({"score": 0.9, "priority": "HIGH", "title": of("Title"), "actors": about(&network.subject), "transactionIds": payments,
            "rules": [rule("r1"), rule("r2")], "taxonomyDescription": of("layering"), "label": "l1", "programGroup": "p1", "businessDate": "2024-06-13",
            "features": [{"group": "amounts", "items": [{"name": "sum", "value": 10.5}]}]}),
        json!({"score": 0.7, "priority": "LOW", "actors": about(&network.subject), "rules": [rule("r1")], "taxonomyDescription": of("layering"),
            "dataSource": "Service - Detection", "metadata": {"lineOfBusiness": of("corporate"), "threshold": 0.5}}),
        json!({"score": 0.6, "priority": "LOW", "rules": [rule("r2")], "dataSource": "Service - Detection", "metadata": {"lineOfBusiness": of("retail")}}),
        json!({"score": 0.5, "priority": "LOW", "actors": about(&network.subject), "rules": [rule("r1")]}),
        json!({"score": 0.4, "actors": about(&network.subject)}),
        json!({"score": 0.3}),
        json!({"score": 0.8, "priority": "HIGH", "actors": about(&network.subject), "rules": [rule("r1")], "btlFlag": true}),
        json!({"score": 0.2, "priority": "LOW", "actors": about(&network.subject)}),
    ];
    let alert = |(n, more): (usize, Value)| {
        let mut alert = with(observation(&of(&format!("alert-{n}"))), more);
        alert["behaviorId"] = json!(of("behaviour"));
        alert
    };
    more.into_iter().enumerate().map(alert).collect()
}

impl Work {
    pub async fn done(desk: &Desk, network: &Network) -> Self {
        // Alerts are of whole seconds.
        let began = Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string();
        let id = |n: usize| desk.ids.of(&format!("alert-{n}"));
        for mut alert in alerts(desk, network) {
            alert["date"] = json!(Utc::now().timestamp());
            taken(&desk.server, alert).await;
        }
        let (raised, [reopened, closed]) = alerts_are_raised_and_dismissed(desk, network, id).await;
        let by_hand = a_case_is_opened(desk, network).await;
        let tag = desk.ids.of("tag");
        ticked_cases(desk, [&raised, &by_hand, &reopened, &closed], &tag).await;
        let (comment, communication, file, property) = a_case_is_written_in(desk, network, &raised).await;
        findings(desk, network, (&raised, &id(0)), (&reopened, &id(1))).await;
        let (kind, [rejected, fulfilled, open]) = data_is_asked_for(desk, network, &raised).await;
        let (snoozed_rule, snooze) = rules_are_snoozed(desk, network).await;
        let (category, group) = segments_change(desk, network).await;
        risk_is_decided(desk, network).await;
        webhooks_are_changed(desk, network).await;
        is_overdue(desk, &by_hand, &open).await;
        let ended = time(Utc::now() + TimeDelta::seconds(1));
        Self {
            raised,
            by_hand,
            reopened,
            closed,
            tag,
            comment,
            communication,
            file,
            property,
            kind,
            rejected,
            fulfilled,
            open,
            snooze,
            snoozed_rule,
            category,
            group,
            began,
            ended,
        }
    }
}

/// The version of a case.
async fn version(desk: &Desk, case: &str) -> i64 {
    let shown = desk.by("ADMIN").graphql("query($id: ID!) { case(id: $id) { version } }", json!({"id": case})).await;
    shown["case"]["version"].as_i64().expect("a version")
}

async fn alerts_are_raised_and_dismissed(desk: &Desk, network: &Network, id: impl Fn(usize) -> String) -> (String, [String; 2]) {
    let made = desk.act("raise-case", json!({"observationIds": [id(0)], "idempotencyKey": desk.ids.of("raise")})).await;
    let raised = text(&made["case"]["id"]).to_owned();
    assert_eq!(made["case"]["title"], json!(format!("Structuring: {}", desk.ids.of("Douglas Ltd"))), "{made}");
    let observation = &made["observations"][0];
    assert_eq!((&observation["id"], &observation["handled"]), (&json!(id(0)), &json!(true)), "{made}");
    assert_eq!((&observation["handling"]["kind"], &observation["handling"]["by"]), (&json!("CASE_RAISED"), &desk.who()), "{made}");
    let case = desk.case(&raised).await;
    assert_eq!(case["observations"], json!([{"id": id(0)}]));
    assert_eq!(having(&case["actors"], "id", &network.subject)["type"], "FOCAL");
    assert_eq!(having(&case["actors"], "id", &network.investor)["type"], "CONNECTION");

    let each_one = desk.act_on_each("raise-cases", json!({"observationIds": [[id(1)], [id(2)]]})).await;
    let cases: Vec<String> = each_one.iter().map(|made| text(&made["case"]["id"]).to_owned()).collect();
    for (n, case) in cases.iter().enumerate() {
        assert_eq!(desk.case(case).await["observations"], json!([{"id": id(n + 1)}]));
        assert_eq!(desk.rest(&format!("/api/observations/{}", id(n + 1))).await["caseId"], json!(case));
    }

    let dismissed = desk.act("dismiss-observation", json!({"observationId": id(3), "reason": "known"})).await;
    let handling = &dismissed["observation"]["handling"];
    assert_eq!((&handling["kind"], &handling["reason"], &handling["by"]), (&json!("DISMISSED"), &json!("known"), &desk.who()), "{dismissed}");
    let restored = desk.act("restore-observation", json!({"observationId": id(3), "reason": "too early"})).await;
    assert_eq!((&restored["observation"]["handled"], &restored["observation"]["handling"]), (&json!(false), &Value::Null), "{restored}");
    desk.act("dismiss-observation", json!({"observationId": id(3), "reason": "known"})).await;
    let both = desk.act_on_each("dismiss-observations", json!({"observationIds": [id(4), id(5)], "reason": "noise"})).await;
    for (n, dismissed) in both.iter().enumerate() {
        let observation = &dismissed["observation"];
        assert_eq!(
            (&observation["id"], &observation["handled"], &observation["handling"]["reason"]),
            (&json!(id(n + 4)), &json!(true), &json!("noise"))
        );
        assert!(desk.rest(&format!("/api/observations/{}", id(n + 4))).await["caseId"].is_null(), "no case was made of it");
    }
    let Ok(cases) = cases.try_into() else { panic!("two cases") };
    (raised, cases)
}

/// On a workflow of the test's own, which has a case wait for a second.
async fn a_case_is_opened(desk: &Desk, network: &Network) -> String {
    let flow = desk.ids.of("flow");
    let step = |id: &str, state: &str, due: Value| json!({"id": id, "label": id, "status": id, "state": state, "dueWithinSeconds": due});
    let steps = [step("new", "OPEN", Value::Null), step("soon", "OPEN", json!(1)), step("done", "CLOSED", Value::Null)];
    let workflow = json!({"id": flow, "name": flow, "type": "ANALYSIS", "steps": steps,
        "moves": [{"action": "HURRY", "from": "new", "to": "soon"}, {"action": "CLOSE", "from": "soon", "to": "done"}]});
    desk.by("ADMIN")
        .graphql("mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id } }", json!({"input": {"workflow": workflow}}))
        .await;
    let actors = json!([{"actorId": network.subject, "type": "FOCAL"}, {"actorId": network.investor}]);
    let made = desk.act("create-case", json!({"workflowId": flow, "actors": actors, "metadata": {"m": 1}})).await;
    let id = text(&made["case"]["id"]).to_owned();
    let case = desk.case(&id).await;
    assert_eq!((&case["workflow"]["id"], &case["workflow"]["step_id"], &case["metadata"]), (&json!(flow), &json!("new"), &json!({"m": 1})));
    assert_eq!((&made["case"]["createdAt"], &made["caseEdge"]["node"]["id"]), (&case["created_at"], &json!(id)), "{made}");

    let moved = desk.act("act-on-case", json!({"caseId": id, "action": "HURRY", "expectedVersion": made["case"]["version"]})).await;
    assert_eq!((&moved["case"]["actions"], &moved["case"]["step"]["status"]), (&json!(["CLOSE"]), &json!("soon")), "{moved}");
    assert_eq!(desk.case(&id).await["workflow"]["step_id"], "soon");
    id
}

async fn ticked_cases(desk: &Desk, [raised, by_hand, reopened, closed]: [&String; 4], tag: &str) {
    let all = [raised, by_hand, reopened, closed];
    let mut cases = Vec::new();
    for case in all {
        cases.push(json!({"caseId": case, "expectedVersion": version(desk, case).await}));
    }
    let assigned = desk.act_on_each("assign-cases", json!({"cases": [cases[0], cases[1]], "userId": desk.ada})).await;
    for result in &assigned {
        assert_eq!(result["case"]["assignee"], as_node("User", &json!({"id": desk.ada, "name": desk.who()["name"]})), "{result}");
    }
    let cases: Vec<Value> = all.iter().map(|case| json!({"caseId": case})).collect();
    desk.act_on_each("tag-cases", json!({"cases": cases, "add": [{"id": tag, "label": desk.ids.of("Tag")}]})).await;
    for case in all {
        assert_eq!(desk.case(case).await["tags"], json!([{"id": tag, "label": desk.ids.of("Tag")}]));
    }
    let (reason, resolution) = (desk.ids.of("reason"), json!({"fine": true}));
    let close = json!({"cases": [cases[2], cases[3]], "closeReason": reason, "resolution": resolution, "dispositionNarrative": "Nothing"});
    for result in desk.act_on_each("close-cases", close).await {
        assert_eq!((&result["case"]["closeReason"], &result["case"]["step"]["state"]), (&json!(reason), &json!("CLOSED")), "{result}");
    }
    for case in [reopened, closed] {
        let case = desk.case(case).await;
        assert_eq!((&case["workflow"]["state"], &case["resolution"], &case["narrative"]), (&json!("CLOSED"), &resolution, &json!("Nothing")));
    }
    let again = desk.act("reopen-case", json!({"caseId": reopened, "comment": "There is more"})).await;
    assert_eq!(again["case"]["step"]["state"], "OPEN", "{again}");
    assert_eq!(desk.case(reopened).await["workflow"]["state"], "OPEN");
}

/// Answers with the comment, the communication, the file and the property.
async fn a_case_is_written_in(desk: &Desk, network: &Network, case: &str) -> (String, String, Value, String) {
    let said = desk.act("comment-on-case", json!({"caseId": case, "text": desk.ids.of("Looks odd")})).await;
    let comment = &said["comment"];
    assert_eq!((&comment["text"], &comment["createdBy"]), (&json!(desk.ids.of("Looks odd")), &desk.who()), "{said}");
    assert_eq!(said["commentEdge"]["node"]["id"], comment["id"], "{said}");
    let letter = json!({"caseId": case, "type": "email", "subject": desk.ids.of("Hello"), "content": "…", "senderId": network.subject, "senderIsActor": true,
        "receiverId": "bank"});
    let noted = desk.act("add-case-communication", letter).await;
    assert_eq!(noted["communicationEdge"]["node"]["id"], noted["communication"]["id"], "{noted}");
    let noted = noted["communication"].clone();
    assert_eq!(
        (&noted["subject"], &noted["senderId"], &noted["receiverId"]),
        (&json!(desk.ids.of("Hello")), &json!(network.subject), &json!("bank"))
    );

    let property = format!("c__{}", desk.ids.of("desk").replace('-', "_"));
    let define = "mutation($input: DefineCustomPropertyInput!) { defineCustomProperty(input: $input) { id } }";
    let definition = json!({"entity": "CASE", "name": property, "schema": {"type": "array", "items": {"type": "integer"}}});
    desk.by("ADMIN").graphql(define, json!({"input": definition})).await;
    let set = desk.act("set-case-properties", json!({"caseId": case, "properties": [{"name": property, "value": [1, 2]}]})).await;
    assert_eq!(set["case"]["customProperties"], json!({&property: [1, 2]}));
    desk.act("set-case-resolution", json!({"caseId": case, "resolution": ["so far"]})).await;
    let shown = desk.case(case).await;
    assert_eq!((&shown[&property], &shown["resolution"]), (&json!([1, 2]), &json!(["so far"])));

    // Files come over REST alone.
    let form = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"note.txt\"\r\n\r\nseen\r\n--x--\r\n";
    let upload =
        desk.by("ANALYST").request("POST", &format!("/api/cases/{case}/files")).header("content-type", "multipart/form-data; boundary=x").body(form);
    let file = desk.by("ANALYST").send(upload).await.expect(200).json();
    (text(&comment["id"]).to_owned(), text(&noted["id"]).to_owned(), file, property)
}

/// What was found of actors, payments and alerts.
async fn findings(desk: &Desk, network: &Network, (raised, first): (&str, &str), (reopened, second): (&str, &str)) {
    let found = desk.act("set-case-actor-finding", json!({"caseId": raised, "actorId": network.subject, "decision": "CLEARED"})).await;
    assert_eq!((&found["actorEdge"]["decision"], &found["actorEdge"]["node"]["id"]), (&json!("CLEARED"), &json!(network.subject)), "{found}");
    // The investor is a connection already; somebody who is not stored comes along.
    let friend = desk.ids.of("friend");
    let added = desk.act("add-case-actors", json!({"caseId": raised, "actors": [{"actorId": friend}, {"actorId": network.investor}]})).await;
    let edges: Vec<(&Value, &Value)> = list(&added["actorEdges"]).iter().map(|edge| (&edge["node"]["id"], &edge["node"]["known"])).collect();
    assert_eq!(edges, [(&json!(friend), &json!(false)), (&json!(network.investor), &json!(true))], "in the order of the input");
    let set = json!({"caseId": raised, "actorId": friend, "properties": [{"name": "c__seen", "value": true}]});
    let set = desk.act("set-case-actor-properties", set).await;
    assert_eq!((&set["actorEdge"]["customProperties"], &set["actorEdge"]["node"]["id"]), (&json!({"c__seen": true}), &json!(friend)), "{set}");
    let actors = desk.case(raised).await["actors"].take();
    assert_eq!(having(&actors, "id", &network.subject)["decision"], "CLEARED");
    assert_eq!((&having(&actors, "id", &friend)["type"], &having(&actors, "id", &friend)["c__seen"]), (&json!("CONNECTION"), &json!(true)));

    let decide = json!({"caseId": raised, "transactionId": network.incoming, "decision": "BLOCK", "comment": "Too late"});
    let edge = desk.act("decide-transaction", decide).await["case"]["decidedTransactions"]["edges"][0].clone();
    let said = (&edge["decision"], &edge["comment"], &edge["decidedByPrincipal"], &edge["node"]["id"]);
    assert_eq!(said, (&json!("BLOCK"), &json!("Too late"), &desk.who(), &json!(network.incoming)));

    let right = json!({"caseId": raised, "observationId": first, "feedback": "TRUE_POSITIVE"});
    let given = desk.act("give-observation-feedback", right).await["case"]["feedback"]["nodes"][0].clone();
    assert_eq!((&given["feedback"], &given["createdBy"], &given["observation"]["id"]), (&json!("TRUE_POSITIVE"), &desk.who(), &json!(first)));
    assert_eq!(desk.case(raised).await["observations"], json!([{"id": first, "feedback": "TRUE_POSITIVE"}]));
    let wrong = json!({"caseId": reopened, "observationId": second, "feedback": "FALSE_POSITIVE"});
    desk.act("give-observation-feedback", wrong).await;
    let known = desk.act("whitelist-observation", json!({"caseId": reopened, "observationId": second, "comment": "A friend"})).await;
    let act = &known["case"]["observationActions"]["nodes"][0];
    assert_eq!((&act["action"], &act["comment"], &act["createdBy"]), (&json!("WHITELIST"), &json!("A friend"), &desk.who()), "{known}");
}

/// Three requests: the first is rejected, the second fulfilled with an actor of the case, the third is open and due in four seconds.
async fn data_is_asked_for(desk: &Desk, network: &Network, case: &str) -> (String, [String; 3]) {
    let kind = requests::schema(desk.by("ADMIN"), &desk.ids).await;
    let mut asked = Vec::new();
    for n in 0..3 {
        let due = (n == 2).then(|| time(Utc::now() + TimeDelta::seconds(4)));
        let input = json!({"caseId": case, "type": kind, "request": {"actor_id": network.subject, "years": 3}, "dueAt": due});
        let made = desk.act("request-data", input).await;
        assert_eq!(made["requestForDataEdge"]["node"]["id"], made["requestForData"]["id"], "{made}");
        asked.push(text(&made["requestForData"]["id"]).to_owned());
    }
    assert_eq!(requests::step(&desk.server, case).await, "waiting-for-data");
    let rejected =
        desk.act("reject-request-for-data", json!({"requestForDataId": asked[0], "reason": "Nobody answers"})).await["requestForData"].clone();
    assert_eq!((&rejected["reason"], &rejected["endedByPrincipal"]), (&json!("Nobody answers"), &desk.who()));
    let fulfilled =
        desk.act("fulfil-request-for-data", json!({"requestForDataId": asked[1], "actorId": network.subject})).await["requestForData"].clone();
    assert_eq!((&fulfilled["answeringActor"]["id"], &fulfilled["endedByPrincipal"]), (&json!(network.subject), &desk.who()));
    let mut statuses = Vec::new();
    for request in &asked {
        statuses.push(requests::status(&desk.server, request).await);
    }
    assert_eq!(statuses, ["REJECTED", "COMPLETED", "REQUESTED"]);
    let Ok(asked) = asked.try_into() else { panic!("three requests") };
    (kind, asked)
}

/// Answers with the rule that is silent about the company, and the snooze.
async fn rules_are_snoozed(desk: &Desk, network: &Network) -> (String, String) {
    let rules = desk.by("ANALYST").graphql("{ detectionRules { id } }", json!({})).await;
    let mut names = each(&rules["detectionRules"], "id").into_iter().map(|id| text(id).to_owned()).collect::<Vec<String>>();
    names.dedup();
    let (rule, other, until) = (&names[0], &names[1], time(Utc::now() + TimeDelta::days(7)));
    let of_subject = json!({"actorId": network.subject, "ruleId": rule, "until": until, "reason": "A known pattern"});
    let snooze = text(&desk.act("snooze-detection", of_subject).await["snoozeId"]).to_owned();
    let targets = json!([{"actorId": network.subject, "ruleId": other}, {"actorId": network.investor, "ruleId": other}]);
    let several = desk.act_on_each("snooze-detections", json!({"targets": targets, "until": until, "reason": "Twice"})).await;
    for result in &several {
        desk.act("end-detection-snooze", json!({"snoozeId": result["snoozeId"], "reason": "Not after all"})).await;
    }
    // REST has none of it.
    let query = "query($actor: ID!) { detectionSnoozes(filter: {actorId: $actor}) { nodes { id ruleId active reason ended { reason } } } }";
    let snoozes = desk.by("ADMIN").graphql(query, json!({"actor": network.subject})).await["detectionSnoozes"]["nodes"].clone();
    let one = having(&snoozes, "id", &snooze);
    assert_eq!((&one["ruleId"], &one["active"], &one["reason"]), (&json!(rule), &json!(true), &json!("A known pattern")));
    let ended = having(&snoozes, "id", text(&several[0]["snoozeId"]));
    assert_eq!((&ended["active"], &ended["ended"]["reason"]), (&json!(false), &json!("Not after all")));
    (rule.clone(), snooze)
}

/// The case and the request were due within four seconds.
async fn is_overdue(desk: &Desk, case: &str, request: &str) {
    let query = "query($case: ID!, $request: ID!) { case(id: $case) { overdue } requestForData(id: $request) { overdue } }";
    let overdue = json!({"case": {"overdue": true}, "requestForData": {"overdue": true}});
    let variables = json!({"case": case, "request": request});
    eventually("both are overdue", SOON, async || desk.by("ADMIN").graphql(query, variables.clone()).await == overdue).await;
}

async fn segments_change(desk: &Desk, network: &Network) -> (String, String) {
    let create =
        "mutation($input: CreateSegmentationCategoryInput!) { createSegmentationCategory(input: $input) { category { id } userErrors { message } } }";
    let made = desk.by("ADMIN").graphql(create, json!({"input": {"name": desk.ids.of("category")}})).await;
    let category = text(&made["createSegmentationCategory"]["category"]["id"]).to_owned();
    let input = json!({"categoryId": category, "name": desk.ids.of("Wealth"), "description": "With an adviser"});
    let made = desk.act("create-segmentation-group", input).await;
    let group = text(&made["group"]["id"]).to_owned();
    let path = format!("/api/segmentation/groups/{group}");
    let read = desk.rest(&path).await;
    assert_eq!((&read["name"], &read["category_id"]), (&json!(desk.ids.of("Wealth")), &json!(category)));

    let input = json!({"groupId": group, "actorIds": [network.subject, network.investor]});
    let added = desk.act_on_each("add-segmentation-group-members", input).await;
    assert_eq!(
        added.iter().map(|result| &result["memberEdge"]["node"]["id"]).collect::<Vec<_>>(),
        [&json!(network.subject), &json!(network.investor)]
    );
    let removed = desk.act("remove-segmentation-group-members", json!({"groupId": group, "actorIds": [network.investor]})).await;
    assert_eq!(removed["group"]["actors"]["totalCount"], 1, "{removed}");
    let of_actor = async |actor: &str| desk.rest(&format!("/api/segmentation/actors/{actor}/groups")).await.to_string().contains(&group);
    assert_eq!((of_actor(&network.subject).await, of_actor(&network.investor).await), (true, false));

    for actor in [&network.investor, &network.subject] {
        let owner = desk.act("add-segmentation-group-owner", json!({"groupId": group, "actorId": actor})).await;
        assert_eq!(owner["ownerEdge"]["node"]["id"], json!(actor));
        desk.rest(&format!("{path}/owners/{actor}")).await;
    }
    let left = desk.act("remove-segmentation-group-owner", json!({"groupId": group, "actorId": network.subject})).await;
    assert_eq!((&left["group"]["owners"]["totalCount"], &left["ownerEdge"]), (&json!(1), &Value::Null));
    assert_ne!(desk.server.get(&format!("{path}/owners/{}", network.subject)).await.status, 200);
    (category, group)
}

async fn risk_is_decided(desk: &Desk, network: &Network) {
    let actor = &network.subject;
    let excluded =
        desk.act("set-actor-exclusion", json!({"actorId": actor, "type": "NOT_MONITORED", "comment": "Our own"})).await["exclusion"].clone();
    assert_eq!((&excluded["type"], &excluded["comment"], &excluded["recordedBy"]), (&json!("NOT_MONITORED"), &json!("Our own"), &desk.who()));
    let low = desk.act("override-risk-score", json!({"actorId": actor, "finalScore": "10", "reason": "calm"})).await;
    assert_eq!(low["actor"]["riskBand"], "low_risk", "{low}");
    let lifted = desk.act("lift-risk-score-override", json!({"actorId": actor, "reason": "press"})).await;
    assert_eq!((number(&lifted["actor"]["riskScore"]), &lifted["actor"]["riskBand"]), (60.0, &json!("medium_risk")), "{lifted}");
    let high = desk.act("override-risk-score", json!({"actorId": actor, "finalScore": "91.5", "reason": "press"})).await;
    assert_eq!((&high["riskScore"]["overrideReason"], &high["riskScore"]["recordedBy"]), (&json!("press"), &desk.who()), "{high}");
    let scores = desk.rest(&format!("/api/risk_scores?filter.actor_ids.in[]={actor}")).await;
    assert_eq!(each(&scores, "override")[..3], [&json!(true), &json!(false), &json!(true)], "{scores}");
    assert_eq!(list(&scores).len(), 5, "{scores}");

    let assessments = json!([{"type": "PEP", "value": "yes", "comment": "A minister"}, {"type": "SAR", "value": "1", "asOfDate": "2024-01-01"}]);
    let added = desk.act("add-risk-assessments", json!({"actorId": actor, "assessments": assessments})).await;
    assert_eq!(each(&added["riskAssessments"], "type"), [&json!("PEP"), &json!("SAR")], "{added}");
}

/// The webhook stays inactive, or what other tests do would be told to it.
async fn webhooks_are_changed(desk: &Desk, network: &Network) {
    let id = &network.webhook;
    let changed = desk.act("update-webhook", json!({"webhookId": id, "name": desk.ids.of("Desk")})).await;
    let read = desk.rest(&format!("/api/webhooks/{id}")).await;
    assert_eq!(
        (&changed["webhook"]["name"], &changed["webhook"]["url"], &changed["webhook"]["status"]),
        (&read["name"], &read["url"], &read["status"])
    );
    let rotated = desk.act("rotate-webhook-secret", json!({"webhookId": id})).await;
    assert!(text(&rotated["secret"]).starts_with("whsec_") && rotated["webhook"]["formerSecretUntil"].is_string(), "{rotated}");
    // The second of those that were given up, but not the first.
    let since = DateTime::<Utc>::from_timestamp_millis(1_004).expect("a time");
    let replayed = desk.act("replay-failed-deliveries", json!({"webhookId": id, "since": time(since)})).await;
    assert_eq!((&replayed["replayed"], &replayed["more"]), (&json!(1), &json!(false)));
}

//! What is kept of actors, their risk and their accounts, in GraphQL; actors by filters and in orders; and what analysts decide about them.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::fixtures::{account, actor, with};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: what_was_sent_is_shown, actors_are_filtered_and_ordered, analysts_decide_about_an_actor, what_analysts_decide_counts_or_is_refused];

/// The digits of a decimal, however it is written.
fn digits(value: &Value) -> f64 {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().unwrap_or_else(|_| panic!("{value} is no number"))
}

async fn what_was_sent_is_shown(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, other, held) = (ids.of("actor"), ids.of("other"), ids.of("account"));
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    server.post("/api/accounts", account(&held).to_string()).await.expect(200);
    let post = async |what: &str, body: Value| server.post(&format!("/api/actors/{id}/{what}"), body.to_string()).await.expect(200);
    post("extendedInfo", json!({"asOfDate": "2024-01-01", "numberOfLoans": 1})).await;
    post("extendedInfo", json!({"asOfDate": "2024-02-01", "numberOfLoans": 2, "loansBalanceLcy": 10.5, "firstProductDate": "2001-01-01"})).await;
    post("exclusions", json!({"exclusion_type": "SUPPRESSED", "stored_at": "2024-03-01T00:00:00Z"})).await;
    post("exclusions", json!({"exclusion_type": "NOT_MONITORED", "stored_at": "2024-02-01T00:00:00Z"})).await;
    let assessment = |kind: &str, value: &str, date: &str| json!({"asOfDate": date, "type": kind, "value": value});
    post(
        "riskAssessments",
        json!([assessment("PEP", "yes", "2024-01-01"), assessment("PEP", "no", "2024-02-01"), assessment("SAR", "1", "2024-01-15")]),
    )
    .await;
    let score = |date: &str, score: f64, more: Value| with(json!({"as_of_date": date, "final_score": score, "risk_rule_id": "desk"}), more);
    post("risk_scores", score("2024-01-01", 90.5, json!({"override": true, "override_reason": "known", "sub_scores": {"country": 1.5}}))).await;
    post("risk_scores", score("2024-02-01", 20.0, json!({"calculated_score": 20.0}))).await;
    let associate =
        json!({"id": other, "type": "INVESTOR", "dataSource": "register", "isCustomer": true, "references": [{"id": "4711", "systemName": "CRM"}]});
    let plain = json!({"id": other, "type": "GUARANTOR"});
    server.post(&format!("/api/actors/{id}/associates"), json!({"actorAssociates": [associate, plain]}).to_string()).await.expect(200);
    let balance = json!({"currency": "EUR", "current": 12.25, "available": 10, "asOfDate": "2024-01-31", "type": "CLOSING"});
    server.post(&format!("/api/accounts/{held}/balances"), balance.to_string()).await.expect(200);

    let query = "query($id: ID!, $account: ID!) {
      actor(id: $id) {
        recordedAt recordedBy { kind } riskScore riskBand history { nodes { recordedBy { kind } } }
        effectiveRiskScore { finalScore overridden overrideReason subScores { name value } recordedBy { kind } }
        riskScores { totalCount nodes { asOfDate finalScore overrides riskRuleId } }
        exclusion { type recordedBy { kind } } exclusions { nodes { type } }
        riskAssessments { nodes { type value asOfDate recordedAt recordedBy { kind } } }
        current: riskAssessments(filter: {current: true}) { totalCount nodes { type value } }
        sar: riskAssessments(filter: {types: [\"SAR\"]}) { nodes { type } }
        extendedInformation { asOfDate numberOfLoans loansBalanceLcy firstProductDate recordedBy { kind } }
        extendedInformationHistory { totalCount }
        associates(filter: {types: [\"INVESTOR\"]}) { totalCount edges { type dataSource isCustomer references node { id } } }
      }
      account(id: $account) { recordedBy { kind } balances { nodes { nodeId asOfDate currency current available type recordedAt recordedBy { kind } } } }
    }";
    let data = server.graphql(query, json!({"id": id, "account": held})).await;
    let (shown, key) = (&data["actor"], json!({"kind": "API_KEY"}));
    assert!(shown["recordedAt"].is_string(), "{shown}");
    for by in
        ["/recordedBy", "/history/nodes/0/recordedBy", "/effectiveRiskScore/recordedBy", "/exclusion/recordedBy", "/extendedInformation/recordedBy"]
    {
        assert_eq!(shown.pointer(by), Some(&key), "{by}: {shown:#}");
    }
    assert_eq!((&shown["riskScore"], &shown["riskBand"]), (&json!(90.5), &json!("high_risk")));
    let effective = &shown["effectiveRiskScore"];
    assert_eq!((digits(&effective["finalScore"]), &effective["overridden"], &effective["overrideReason"]), (90.5, &json!(true), &json!("known")));
    assert_eq!((&effective["subScores"][0]["name"], digits(&effective["subScores"][0]["value"])), (&json!("country"), 1.5));
    let dates: Vec<&Value> = shown["riskScores"]["nodes"].as_array().expect("scores").iter().map(|score| &score["asOfDate"]).collect();
    assert_eq!((dates, &shown["riskScores"]["totalCount"]), (vec![&json!("2024-02-01"), &json!("2024-01-01")], &json!(2)));
    assert_eq!(shown["exclusion"]["type"], json!("SUPPRESSED"), "the one that was stored last counts");
    assert_eq!(shown["exclusions"]["nodes"], json!([{"type": "SUPPRESSED"}, {"type": "NOT_MONITORED"}]));
    let said: Vec<(&Value, &Value)> =
        shown["riskAssessments"]["nodes"].as_array().expect("assessments").iter().map(|it| (&it["type"], &it["value"])).collect();
    assert_eq!(said, [(&json!("PEP"), &json!("no")), (&json!("SAR"), &json!("1")), (&json!("PEP"), &json!("yes"))]);
    assert!(shown["riskAssessments"]["nodes"].as_array().expect("assessments").iter().all(|it| it["recordedBy"] == key), "{shown:#}");
    assert_eq!(shown["current"], json!({"totalCount": 2, "nodes": [{"type": "PEP", "value": "no"}, {"type": "SAR", "value": "1"}]}));
    assert_eq!(shown["sar"]["nodes"], json!([{"type": "SAR"}]));
    let information = &shown["extendedInformation"];
    assert_eq!((digits(&information["numberOfLoans"]), digits(&information["loansBalanceLcy"])), (2.0, 10.5));
    assert_eq!((&information["asOfDate"], &information["firstProductDate"]), (&json!("2024-02-01"), &json!("2001-01-01")));
    assert_eq!(shown["extendedInformationHistory"]["totalCount"], json!(2));
    let edge = json!({"type": "INVESTOR", "dataSource": "register", "isCustomer": true, "references": ["CRM 4711"], "node": {"id": other}});
    assert_eq!(shown["associates"], json!({"totalCount": 1, "edges": [edge]}));
    let balance = &data["account"]["balances"]["nodes"][0];
    assert_eq!((digits(&balance["current"]), digits(&balance["available"]), &balance["currency"]), (12.25, 10.0, &json!("EUR")));
    assert_eq!((&balance["asOfDate"], &balance["type"], &balance["recordedBy"]), (&json!("2024-01-31"), &json!("CLOSING"), &key));
    let again = server.graphql("query($id: ID!) { node(id: $id) { id ... on AccountBalance { currency } } }", json!({"id": balance["nodeId"]})).await;
    assert_eq!(again["node"]["currency"], json!("EUR"));
}

/// An actor of the test below, as it was sent.
struct Sent {
    id: String,
    name: String,
    domicile: Option<&'static str>,
    score: Option<f64>,
    is_pep: bool,
    exclusion: &'static str,
    /// More of its record.
    more: Value,
}

async fn actors_are_filtered_and_ordered(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let word = ids.of("lists");
    let sent = |at: usize| Sent {
        id: ids.of(&format!("listed-{at}")),
        name: format!("{} {word}", ["Delta", "alpha", "Charlie", "bravo", "Echo", "foxtrot"][at]),
        domicile: [Some("DE"), None, Some("AT"), Some("DE"), Some("FR"), None][at],
        score: [Some(10.0), Some(95.0), None, Some(60.0), Some(85.0), None][at],
        is_pep: [true, false, true, true, false, false][at],
        exclusion: ["MONITORED", "SUPPRESSED", "MONITORED", "NOT_MONITORED", "MONITORED", "MONITORED"][at],
        more: [
            json!({"status": "TERMINATED", "nationality": "FR"}),
            json!({"status": "ACTIVE", "customerSince": "2020-01-01"}),
            json!({"nationality": "SU"}),
            json!({"subType": ["CUSTOMER"], "nationality": "DE"}),
            json!({}),
            json!({"status": "TERMINATED"}),
        ][at]
            .clone(),
    };
    let all: Vec<Sent> = (0..6).map(sent).collect();
    for it in &all {
        let record = with(with(actor(&it.id), json!({"name": it.name, "domicile": it.domicile})), it.more.clone());
        server.post("/api/actors", record.to_string()).await.expect(200);
        let path = |what: &str| format!("/api/actors/{}/{what}", it.id);
        if let Some(score) = it.score {
            let record = json!({"as_of_date": "2024-01-01", "final_score": score, "risk_rule_id": "desk"});
            server.post(&path("risk_scores"), record.to_string()).await.expect(200);
        }
        let value = if it.is_pep { "yes" } else { "No" };
        server.post(&path("riskAssessments"), json!([{"asOfDate": "2024-01-01", "type": "PEP", "value": value}]).to_string()).await.expect(200);
        server.post(&path("exclusions"), json!({"exclusion_type": it.exclusion}).to_string()).await.expect(200);
    }
    let band = |it: &Sent| {
        it.score.map(|score| {
            if score >= 80.0 {
                "high_risk"
            } else if score >= 50.0 {
                "medium_risk"
            } else {
                "low_risk"
            }
        })
    };
    type Wanted = fn(&Sent) -> bool;
    let filters: [(Value, Wanted); 9] = [
        (json!({}), |_| true),
        (json!({"domiciles": ["DE", "FR"]}), |it| it.domicile.is_some_and(|code| code != "AT")),
        (json!({"assessmentTypes": ["PEP"]}), |it| it.is_pep),
        (json!({"exclusionTypes": ["SUPPRESSED", "NOT_MONITORED"]}), |it| it.exclusion != "MONITORED"),
        (json!({"exclusionTypes": ["MONITORED"], "types": ["INDIVIDUAL", "LEGAL_ENTITY"]}), |it| it.exclusion == "MONITORED"),
        (json!({"statuses": ["TERMINATED"]}), |it| it.more["status"] == "TERMINATED"),
        (json!({"nationalities": ["FR", "SU"]}), |it| it.more["nationality"] == "FR" || it.more["nationality"] == "SU"),
        (json!({"isCustomer": true}), |it| !it.more["customerSince"].is_null() || !it.more["subType"].is_null()),
        (json!({"isCustomer": false}), |it| it.more["customerSince"].is_null() && it.more["subType"].is_null()),
    ];
    let check = async |more: &Value, order: &str, expected: Vec<&Sent>| {
        let expected: Vec<&str> = expected.iter().map(|it| it.id.as_str()).collect();
        let filter = with(json!({"text": word.to_uppercase()}), more.clone());
        let mut found: Vec<String> = Vec::new();
        let mut after = Value::Null;
        loop {
            let query = format!(
                "query($filter: ActorFilter, $after: String) {{ actors(first: 2, after: $after, filter: $filter, orderBy: {{field: {order}}}) {{
                   totalCount pageInfo {{ hasNextPage endCursor }} nodes {{ id }} }} }}"
            );
            let page = server.graphql(&query, json!({"filter": filter, "after": after})).await["actors"].take();
            assert_eq!(page["totalCount"], json!(expected.len()), "{filter} {order}");
            found.extend(page["nodes"].as_array().expect("nodes").iter().map(|node| node["id"].as_str().expect("an id").to_owned()));
            if page["pageInfo"]["hasNextPage"] == json!(false) {
                break;
            }
            after = page["pageInfo"]["endCursor"].clone();
        }
        assert_eq!(found, expected, "{filter} {order}");
    };
    for (filter, is_wanted) in &filters {
        let mut expected: Vec<&Sent> = all.iter().filter(|it| is_wanted(it)).collect();
        expected.sort_by_key(|it| it.id.clone());
        check(filter, "ID", expected.clone()).await;
        expected.sort_by_key(|it| it.name.to_lowercase());
        check(filter, "NAME", expected.clone()).await;
        expected.sort_by_key(|it| (it.domicile.unwrap_or("~"), it.id.clone()));
        check(filter, "DOMICILE", expected.clone()).await;
        // From small to large is the order of risk turned round: who is equal in it is by id from the end.
        expected.sort_by(|one, other| one.score.unwrap_or(-1.0).total_cmp(&other.score.unwrap_or(-1.0)).then_with(|| other.id.cmp(&one.id)));
        check(filter, "RISK", expected).await;
    }
    // The other end first is the order turned round.
    let mut turned: Vec<&Sent> = all.iter().rev().collect();
    check(&json!({}), "RECORDED_AT, direction: DESC", turned.clone()).await;
    check(&json!({}), "RECORDED_AT", all.iter().collect()).await;
    turned.sort_by_key(|one| std::cmp::Reverse(one.name.to_lowercase()));
    check(&json!({}), "NAME, direction: DESC", turned.clone()).await;
    turned.sort_by_key(|it| (it.domicile.unwrap_or("~"), it.id.clone()));
    turned.reverse();
    check(&json!({}), "DOMICILE, direction: DESC", turned.clone()).await;
    turned.sort_by(|one, other| other.score.unwrap_or(-1.0).total_cmp(&one.score.unwrap_or(-1.0)).then_with(|| one.id.cmp(&other.id)));
    check(&json!({}), "RISK, direction: DESC", turned).await;
    check(&json!({"text": format!(" {}  ALPH", word.to_uppercase())}), "ID", vec![&all[1]]).await;
    let id_of = async |path: &str, body: Value| {
        server.post(&format!("/api/segmentation/{path}"), body.to_string()).await.expect(200).json()["id"].as_str().expect("an id").to_owned()
    };
    let category = id_of("categories", json!({"name": ids.of("category")})).await;
    let group = id_of("groups", json!({"category_id": category, "name": "Listed"})).await;
    server.post(&format!("/api/segmentation/groups/{group}/actors"), json!([all[2].id, all[4].id]).to_string()).await.expect(200);
    check(&json!({"segmentationGroupIds": [group]}), "NAME", vec![&all[2], &all[4]]).await;
    for wanted in ["high_risk", "low_risk"] {
        let mut expected: Vec<&Sent> = all.iter().filter(|it| band(it) == Some(wanted)).collect();
        expected.sort_by_key(|it| it.name.to_lowercase());
        check(&json!({"riskBands": [wanted]}), "NAME", expected).await;
    }
    for (filter, says) in [
        (json!({"riskBands": ["HIGH"]}), "filter.riskBands"),
        (json!({"types": [], "riskBands": ["HIGH"]}), "filter.types: must name at least one; leave it out for all; filter.riskBands: "),
        (json!({"domiciles": ["Germany"]}), "filter.domiciles"),
        (json!({"known": false}), "orderBy"),
        (json!({"types": []}), "filter.types"),
    ] {
        let query = "query($filter: ActorFilter) { actors(filter: $filter, orderBy: {field: NAME}) { nodes { id } } }";
        let answer = server.graphql_answer(query, json!({"filter": filter})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|text| text.starts_with(says)), "{filter}: {answer}");
    }
}

async fn analysts_decide_about_an_actor(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("decided");
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    let score = json!({"as_of_date": "2024-01-01", "final_score": 20, "risk_rule_id": "desk", "calculated_score": 20});
    server.post(&format!("/api/actors/{id}/risk_scores"), score.to_string()).await.expect(200);
    let key_of = async |role: &str| {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        server.with_key(made["key"].as_str().expect("a key"))
    };
    let (analyst, auditor) = (key_of("ANALYST").await, key_of("AUDITOR").await);
    let act = async |api: &Api, name: &str, input_type: &str, selected: &str, input: Value| {
        let input = with(json!({"actorId": id}), input);
        let query = format!("mutation($input: {input_type}!) {{ {name}(input: $input) {{ {selected} userErrors {{ code message }} }} }}");
        api.graphql_answer(&query, json!({"input": input})).await
    };

    let excluded = "actor { id exclusion { id type } } exclusion { id type comment recordedBy { kind } }";
    let exclude =
        async |input: Value| act(&analyst, "setActorExclusion", "SetActorExclusionInput", excluded, input).await["data"]["setActorExclusion"].take();
    let first = exclude(json!({"type": "SUPPRESSED", "comment": "a friend", "idempotencyKey": ids.of("key")})).await;
    assert_eq!((&first["exclusion"]["type"], &first["exclusion"]["comment"]), (&json!("SUPPRESSED"), &json!("a friend")), "{first}");
    assert_eq!((&first["exclusion"]["recordedBy"]["kind"], &first["userErrors"]), (&json!("API_KEY"), &json!([])), "{first}");
    let again = exclude(json!({"type": "SUPPRESSED", "comment": "a friend", "idempotencyKey": ids.of("key")})).await;
    assert_eq!(again["exclusion"]["id"], first["exclusion"]["id"], "the same again makes no other");
    let back = exclude(json!({"type": "MONITORED"})).await;
    assert_eq!(back["actor"]["exclusion"]["type"], json!("MONITORED"), "{back}");

    let scored = "actor { riskScore riskBand } riskScore { finalScore overridden overrideReason recordedBy { kind } }";
    let of_score = async |name: &str, input_type: &str, input: Value| act(&analyst, name, input_type, scored, input).await["data"][name].take();
    let refused = of_score("liftRiskScoreOverride", "LiftRiskScoreOverrideInput", json!({})).await;
    assert_eq!(refused["userErrors"][0]["code"], json!("INVALID"), "there is nothing to lift: {refused}");
    let high = of_score("overrideRiskScore", "OverrideRiskScoreInput", json!({"finalScore": "91.5", "reason": "press"})).await;
    assert_eq!((&high["actor"]["riskScore"], &high["actor"]["riskBand"]), (&json!(91.5), &json!("high_risk")), "{high}");
    assert_eq!((&high["riskScore"]["overridden"], &high["riskScore"]["overrideReason"]), (&json!(true), &json!("press")));
    let lifted = of_score("liftRiskScoreOverride", "LiftRiskScoreOverrideInput", json!({"reason": "cleared"})).await;
    assert_eq!((&lifted["actor"]["riskScore"], &lifted["actor"]["riskBand"]), (&json!(20.0), &json!("low_risk")), "{lifted}");
    assert_eq!((digits(&lifted["riskScore"]["finalScore"]), &lifted["riskScore"]["overridden"]), (20.0, &json!(false)));
    let listed = server.get(&format!("/api/risk_scores?filter.actor_ids.in[]={id}")).await.expect(200).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(3), "REST lists them as well: {listed}");
    assert_eq!((&listed[0]["override"], &listed[1]["override"]), (&json!(false), &json!(true)), "{listed}");

    let assessments =
        json!({"assessments": [{"type": "PEP", "value": "yes", "comment": "c"}, {"type": "SAR", "value": "1", "asOfDate": "2024-01-01"}]});
    let said = "riskAssessments { type value comment asOfDate recordedBy { kind } }";
    let added = act(&analyst, "addRiskAssessments", "AddRiskAssessmentsInput", said, assessments).await["data"]["addRiskAssessments"].take();
    let kinds: Vec<&Value> = added["riskAssessments"].as_array().expect("assessments").iter().map(|it| &it["type"]).collect();
    assert_eq!(kinds, [&json!("PEP"), &json!("SAR")], "{added}");
    for (name, input_type, input, path) in [
        ("addRiskAssessments", "AddRiskAssessmentsInput", json!({"assessments": []}), "assessments"),
        ("overrideRiskScore", "OverrideRiskScoreInput", json!({"finalScore": "1", "reason": " "}), "reason"),
        ("setActorExclusion", "SetActorExclusionInput", json!({"type": "MONITORED", "comment": "c".repeat(513)}), "comment"),
    ] {
        let answer = act(&analyst, name, input_type, "__typename", input).await;
        let error = &answer["data"][name]["userErrors"][0];
        assert!(error["code"] == json!("INVALID") && error["message"].as_str().is_some_and(|text| text.starts_with(path)), "{answer}");
    }
    let nobody = json!({"actorId": ids.of("nobody"), "type": "SUPPRESSED"});
    let answer = act(&analyst, "setActorExclusion", "SetActorExclusionInput", "__typename", nobody).await;
    assert_eq!(answer["data"]["setActorExclusion"]["userErrors"][0]["code"], json!("NOT_FOUND"), "{answer}");
    let answer = act(&auditor, "setActorExclusion", "SetActorExclusionInput", "__typename", json!({"type": "SUPPRESSED"})).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], json!("FORBIDDEN"), "{answer}");
}

/// Whatever systems have said of later days: what is acknowledged counts, and what could not count is refused.
async fn what_analysts_decide_counts_or_is_refused(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("ahead");
    let tomorrow = (chrono::Utc::now() + chrono::Duration::days(1)).format("%Y-%m-%d").to_string();
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    let post = async |what: &str, body: Value| server.post(&format!("/api/actors/{id}/{what}"), body.to_string()).await.expect(200);
    post("risk_scores", json!({"as_of_date": "2024-01-01", "final_score": 20, "risk_rule_id": "desk"})).await;
    post("risk_scores", json!({"as_of_date": tomorrow, "final_score": 70, "risk_rule_id": "desk", "override": true, "override_reason": "sent"}))
        .await;
    post("exclusions", json!({"exclusion_type": "NOT_MONITORED", "stored_at": "2999-01-01T00:00:00Z"})).await;
    let made = server.post("/admin/keys", json!({"role": "ANALYST"}).to_string()).await.expect(201).json();
    let analyst = server.with_key(made["key"].as_str().expect("a key"));
    let act = async |name: &str, shown: &str, input: Value| {
        let kind = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
        let query = format!("mutation($input: {kind}!) {{ {name}(input: $input) {{ {shown} userErrors {{ code message }} }} }}");
        let answer = analyst.graphql_answer(&query, json!({"input": with(json!({"actorId": id}), input)})).await;
        answer["data"][name].clone()
    };
    for kind in ["MONITORED", "SUPPRESSED", "MONITORED"] {
        let done = act("setActorExclusion", "actor { exclusion { type } exclusions(first: 1) { nodes { type } } }", json!({"type": kind})).await;
        assert_eq!(done["actor"], json!({"exclusion": {"type": kind}, "exclusions": {"nodes": [{"type": kind}]}}), "{done}");
    }
    // The sent override is dated tomorrow, and so is what is decided after it.
    for (step, (name, input, score)) in [
        ("overrideRiskScore", json!({"finalScore": "95", "reason": "press"}), 95.0),
        ("liftRiskScoreOverride", json!({}), 20.0),
        ("overrideRiskScore", json!({"finalScore": "60", "reason": "again", "asOfDate": tomorrow}), 60.0),
        ("overrideRiskScore", json!({"finalScore": "61", "reason": "more"}), 61.0),
    ]
    .into_iter()
    .enumerate()
    {
        let input = with(input, json!({"idempotencyKey": ids.of(&format!("key-{step}"))}));
        let shown = "actor { riskScore effectiveRiskScore { finalScore } } riskScore { id asOfDate }";
        let done = act(name, shown, input.clone()).await;
        assert_eq!((&done["actor"]["riskScore"], &done["riskScore"]["asOfDate"]), (&json!(score), &json!(tomorrow)), "{name}: {done}");
        assert_eq!(digits(&done["actor"]["effectiveRiskScore"]["finalScore"]), score, "{name}: {done}");
        assert_eq!(act(name, shown, input).await, done, "{name}: the same key sets one");
        if name == "liftRiskScoreOverride" {
            // Though that is said to be of tomorrow.
            let today = chrono::Utc::now().format("%Y-%m-%d").to_string();
            post("risk_scores", json!({"as_of_date": today, "final_score": 33, "risk_rule_id": "desk"})).await;
            let query = "query($id: ID!) { actor(id: $id) { riskScore effectiveRiskScore { finalScore } } }";
            let now = server.graphql(query, json!({"id": id})).await["actor"].take();
            assert_eq!((digits(&now["riskScore"]), digits(&now["effectiveRiskScore"]["finalScore"])), (33.0, 33.0), "what comes today counts: {now}");
        }
    }
    let of_two = json!([{"type": " ", "value": "yes", "asOfDate": "2999-01-01"}, {"type": "SAR", "value": "1", "asOfDate": "2999-01-01"}]);
    for (name, input, places) in [
        ("overrideRiskScore", json!({"finalScore": "1e400", "reason": " ", "asOfDate": "2999-01-01"}), vec!["finalScore", "reason", "asOfDate"]),
        ("overrideRiskScore", json!({"finalScore": "-1e15", "reason": "r"}), vec!["finalScore"]),
        ("overrideRiskScore", json!({"finalScore": "1", "reason": "r", "asOfDate": "2024-01-01"}), vec!["asOfDate"]),
        ("addRiskAssessments", json!({"assessments": of_two}), vec!["assessments[0].type", "assessments[0].asOfDate", "assessments[1].asOfDate"]),
    ] {
        let refused = act(name, "actor { id }", input).await;
        let told: Vec<&str> = refused["userErrors"].as_array().expect("errors").iter().filter_map(|error| error["message"].as_str()).collect();
        let at: Vec<&str> = told.iter().filter_map(|message| message.split_once(": ")).map(|(at, _)| at).collect();
        assert_eq!((at, &refused["actor"]), (places, &Value::Null), "{refused}");
    }
    // Of two at once the later one counts, and both are told which does.
    let shown = "actor { riskScore effectiveRiskScore { finalScore } } riskScore { id }";
    let both = join_all(["71", "72"].map(|score| act("overrideRiskScore", shown, json!({"finalScore": score, "reason": "at once"})))).await;
    assert!(both.iter().all(|done| done["userErrors"] == json!([])) && both[0]["riskScore"]["id"] != both[1]["riskScore"]["id"], "{both:?}");
    let listed = server.get(&format!("/api/risk_scores?filter.actor_ids.in[]={id}")).await.expect(200).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(9), "what was refused is kept nowhere: {listed}");
    let now = server.graphql("query($id: ID!) { actor(id: $id) { riskScore effectiveRiskScore { finalScore } } }", json!({"id": id})).await;
    let of_actor = digits(&now["actor"]["riskScore"]);
    assert_eq!((of_actor, of_actor), (digits(&listed[0]["final_score"]), digits(&now["actor"]["effectiveRiskScore"]["finalScore"])), "{now}");

    let query =
        "query($id: ID!) { auditEntries(first: 50, filter: {objectIds: [$id], objectTypes: [\"Actor\"]}) { nodes { action oldValue newValue } } }";
    let entries = server.graphql(query, json!({"id": id})).await["auditEntries"]["nodes"].take();
    let read = |text: &Value| text.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()).unwrap_or_default();
    let of_lift = entries.as_array().expect("entries").iter().find(|entry| read(&entry["newValue"])["override"] == json!(false)).expect("its entry");
    let (old, new) = (read(&of_lift["oldValue"]), read(&of_lift["newValue"]));
    assert_eq!(
        (&of_lift["action"], &old["final_score"], &new["final_score"]),
        (&json!("actor.risk_score.recorded"), &json!(95.0), &json!(20)),
        "{of_lift}"
    );
}

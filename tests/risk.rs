//! What is known about an actor's risk: exclusions, assessments, extended information, scores.

use serde_json::json;

use crate::support::{Answer, Engine, Ids, Server, Store, tests};

tests![both: exclusions_and_assessments, assessments_of_one_type_are_all_kept, extended_information_of_a_date, extended_information_is_replaced_whole, scores_are_stored_with_their_band, scores_are_listed_newest_first, the_newest_entry_is_that_of_the_latest_date,
    a_listed_score_is_the_stored_one;
    embedded: bands_are_configured];

fn path(ids: &Ids, what: &str) -> String {
    format!("/api/actors/{}/{what}", ids.of("actor"))
}

async fn exclusions_and_assessments(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for kind in ["MONITORED", "NOT_MONITORED", "SUPPRESSED"] {
        let answer =
            server.post(&path(&ids, "exclusions"), format!(r#"{{"exclusion_type":"{kind}","stored_at":"2024-01-01T00:00:00Z"}}"#)).await.expect(200);
        assert_eq!(answer.json(), json!(ids.of("actor")));
    }
    for (body, places) in
        [("{}", vec!["exclusion_type"]), (r#"{"exclusion_type":"X","stored_at":"now"}"#, vec!["exclusion_type", "stored_at"]), ("{", vec!["body"])]
    {
        assert_eq!(server.post(&path(&ids, "exclusions"), body).await.expect(422).places(), places);
    }
    let text = r#"[ {"asOfDate":"2024-01-01","type":"PEP","value":"yes","comment":"c"}, {"asOfDate":"2024-01-01","type":"anything","value":""} ]"#;
    assert_eq!(server.post(&path(&ids, "riskAssessments"), text).await.expect(200).text, text);
    let wrong = r#"[{"asOfDate":"2024-01-01","type":"PEP","value":"yes"},{"type":1,"comment":2,"note":3}]"#;
    let places = server.post(&path(&ids, "riskAssessments"), wrong).await.expect(422).places();
    assert_eq!(places, ["[1].asOfDate", "[1].comment", "[1].note", "[1].type", "[1].value"]);
    for unreadable in ["{}", "["] {
        server.post(&path(&ids, "riskAssessments"), unreadable).await.expect(422);
    }
    server.get(&format!("/api/actors/{}", ids.of("actor"))).await.expect(404);
}

async fn assessments_of_one_type_are_all_kept(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let hit = |value: &str, comment: &str| json!({"asOfDate": "2024-01-01", "type": "SANCTIONS", "value": value, "comment": comment});
    // The same again is an update.
    for items in [json!([hit("one list", ""), hit("another list", "")]), json!([hit("one list", "cleared")])] {
        server.post(&path(&ids, "riskAssessments"), items.to_string()).await.expect(200);
    }
    let pattern = format!("MATCH (:Actor {{id: '{}'}})-[:HAS_RISK_ASSESSMENT]->(x)", ids.of("actor"));
    let kept = server.cypher(&format!("{pattern} WITH x ORDER BY x.value RETURN x.value + ': ' + x.comment AS said"));
    let kept: Vec<&str> = kept.iter().filter_map(|row| row["said"].as_str()).collect();
    assert_eq!(kept, ["another list: ", "one list: cleared"]);
}

async fn extended_information_is_replaced_whole(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let path = path(&ids, "extendedInfo");
    server.post(&path, r#"{"asOfDate":"2024-01-01","numberOfLoans":7,"loansBalanceLcy":100,"firstProductDate":"2001-01-01"}"#).await.expect(200);
    server.post(&path, r#"{"asOfDate":"2024-01-01","numberOfCreditCards":1}"#).await.expect(200);
    let pattern = format!("MATCH (:Actor {{id: '{}'}})-[:HAS_EXTENDED_INFORMATION]->(x)", ids.of("actor"));
    let numbers = "x.numberOfLoans AS loans, x.loansBalanceLcy AS balance, x.firstProductDate AS first, x.numberOfCreditCards AS cards";
    let stored = server.cypher(&format!("{pattern} RETURN {numbers}"));
    assert_eq!(stored, [json!({"loans": null, "balance": null, "first": null, "cards": 1.0})]);
    // A date that is given as null is today's, and its name is not there twice.
    let stored = server.post(&path, r#"{"asOfDate":null,"numberOfLoans":1.50}"#).await.expect(200).text;
    assert_eq!(stored, format!(r#"{{"asOfDate":null,"numberOfLoans":1.50,"actorId":"{}"}}"#, ids.of("actor")));
    assert_eq!(server.get(&path).await.expect(200).text, stored);
    // A parameter that it does not have is the request's fault, not a sign that there is nothing.
    assert_eq!(server.get(&format!("{path}?x=1")).await.expect(400).places(), ["x"]);
}

async fn extended_information_of_a_date(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = path(&ids, "extendedInfo");
    server.get(&path).await.expect(404);
    let numbers = [
        "depositsAvailableBalanceLcy",
        "depositsFixedTermBalanceLcy",
        "depositsTotalBalanceLcy",
        "derivativesBalanceLcy",
        "loansBalanceLcy",
        "loansCreditLimitLcy",
        "loansOverdraftLcy",
        "loansPrincipalLcy",
        "securitiesBalanceLcy",
        "numberOfBankAccounts",
        "numberOfCreditCards",
        "numberOfDepositAccounts",
        "numberOfDerivativesPortfolios",
        "numberOfLoans",
        "numberOfSecuritiesPortfolios",
    ];
    let fields: String = numbers.iter().enumerate().map(|(at, name)| format!(r#""{name}":{at}.50,"#)).collect();
    let text = format!(r#"{{{fields}"asOfDate":"2024-02-01","firstProductDate":"2000-01-01","lastProductDate":"2023-01-01"}}"#);
    let stored = server.post(&path, text.clone()).await.expect(200);
    let wanted = format!(r#"{},"actorId":"{}"}}"#, text.trim_end_matches('}'), ids.of("actor"));
    assert_eq!(stored.text, wanted);
    assert_eq!(server.get(&path).await.expect(200).text, wanted);
    server.post(&path, r#"{"asOfDate":"2024-01-01","numberOfLoans":9}"#).await.expect(200);
    assert_eq!(server.get(&path).await.expect(200).text, wanted, "an older date is history");
    let today = server.post(&path, "{}").await.expect(200).json();
    assert!(today["asOfDate"].is_string() && today["actorId"] == json!(ids.of("actor")), "{today}");
    server.post(&path, "{").await.expect(400);
    assert_eq!(server.post(&path, r#"{"numberOfLoans":"1","asOfDate":"x","y":1}"#).await.expect(422).places(), ["asOfDate", "numberOfLoans", "y"]);
}

async fn scores_are_stored_with_their_band(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = path(&ids, "risk_scores");
    for (score, band) in
        [("0", "low_risk"), ("49.99", "low_risk"), ("50", "medium_risk"), ("7.99e1", "medium_risk"), ("80.0", "high_risk"), ("1000", "high_risk")]
    {
        let text = format!(
            r#"{{"as_of_date":"2024-01-01","final_score":{score},"risk_rule_id":"rule","calculated_score":1.50,"data_source":"Service - Risk Engine","metadata":{{"a":1e1}},
               "override":true,"override_reason":"{}","risk_rule_version":"2","sub_scores":{{"country":1.0,"age":0.50}}}}"#,
            "r".repeat(512)
        );
        let stored = server.post(&path, text.clone()).await.expect(200);
        assert!(stored.text.starts_with(text.trim_end_matches('}').trim_end()), "the record is kept: {}", stored.text);
        let body = stored.json();
        assert_eq!((&body["risk_band"], &body["actor_id"]), (&json!(band), &json!(ids.of("actor"))), "{score}");
        assert!(body["ingested_at"].is_string() && body["ingested_by"].is_string(), "{body}");
    }
    let long = format!(
        r#"{{"as_of_date":"2024-01-01","final_score":"1","override_reason":"{}","sub_scores":{{"a":"x"}},"x":1,
        "calculated_score":"1","metadata":[],"override":"no"}}"#,
        "r".repeat(513)
    );
    let places = server.post(&path, long).await.expect(400).places();
    assert_eq!(places, ["calculated_score", "final_score", "metadata", "override", "override_reason", "risk_rule_id", "sub_scores.a", "x"]);
    server.post(&path, "{").await.expect(400);
}

fn rules(answer: &Answer) -> Vec<String> {
    let items = answer.json();
    items.as_array().expect("a list").iter().map(|item| item["risk_rule_id"].as_str().expect("a rule").to_owned()).collect()
}

async fn scores_are_listed_newest_first(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut moments = Vec::new();
    for (actor, rule, source) in [("a", "r1", "s1"), ("b", "r1", "s2"), ("a", "r2", "s1"), ("b", "r3", "s1")] {
        let body = json!({"as_of_date": "2024-01-01", "final_score": 1, "risk_rule_id": ids.of(rule), "data_source": ids.of(source)});
        let stored = server.post(&format!("/api/actors/{}/risk_scores", ids.of(actor)), body.to_string()).await.expect(200).json();
        moments.push(stored["ingested_at"].as_str().expect("a moment").to_owned());
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let (a, b) = (ids.of("a"), ids.of("b"));
    let both = format!("filter.actor_ids.in[]={a},{b}");
    for (query, wanted) in [
        (both.clone(), "r3 r2 r1 r1"),
        (format!("filter.actor_ids.in%5B%5D={a}&filter.actor_ids.in[]={b}&limit=2"), "r3 r2"),
        (format!("{both}&limit=2&offset=2"), "r1 r1"),
        (format!("filter.actor_ids.in[]={a}"), "r2 r1"),
        (format!("risk_rule_id={}", ids.of("r1")), "r1 r1"),
        (format!("filter.data_source={}", ids.of("s2")), "r1"),
        (format!("{both}&filter.newest_entry=true"), "r3 r2"),
        (format!("{both}&filter.newest_entry=false&limit=1"), "r3"),
        (format!("{both}&filter.newest_entry=true&filter.ingested_at.to={}", moments[2]), "r1 r1"),
        (format!("filter.newest_entry=true&risk_rule_id={}", ids.of("r1")), "r1 r1"),
        (format!("filter.newest_entry=true&filter.data_source={}", ids.of("s1")), "r3 r2"),
        (format!("filter.newest_entry=true&filter.data_source={}&filter.ingested_at.to={}", ids.of("s1"), moments[3]), "r2"),
        (format!("filter.actor_ids.in[]={a},{a}"), "r2 r1"),
        // Later, and earlier, than the moment itself.
        (format!("{both}&filter.ingested_at.from={}", moments[1]), "r3 r2"),
        (format!("{both}&filter.ingested_at.to={}", moments[2]), "r1 r1"),
        (format!("{both}&filter.ingested_at.from={}&filter.ingested_at.to={}", moments[0], moments[3]), "r2 r1"),
    ] {
        let answer = server.get(&format!("/api/risk_scores?{query}")).await.expect(200);
        let wanted: Vec<String> = wanted.split(' ').map(|rule| ids.of(rule)).collect();
        assert_eq!(rules(&answer), wanted, "{query}");
    }
    let turned = format!("/api/risk_scores?filter.ingested_at.from={}&filter.ingested_at.to={}", moments[3], moments[0]);
    server.get(&turned).await.expect(400);
}

/// By the date it is as of; of one date by when it was received.
async fn the_newest_entry_is_that_of_the_latest_date(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut moments = Vec::new();
    let scores =
        [("june", "2024-06-01", "s1"), ("late-january", "2024-01-01", "s1"), ("june-again", "2024-06-01", "s2"), ("may", "2024-05-01", "s1")];
    for (rule, date, source) in scores {
        let body = json!({"as_of_date": date, "final_score": 1, "risk_rule_id": ids.of(rule), "data_source": ids.of(source)});
        let stored = server.post(&path(&ids, "risk_scores"), body.to_string()).await.expect(200).json();
        moments.push(stored["ingested_at"].as_str().expect("a moment").to_owned());
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let newest = format!("/api/risk_scores?filter.actor_ids.in[]={}&filter.newest_entry=true", ids.of("actor"));
    for (more, wanted) in [
        (String::new(), "june-again"),
        (format!("&filter.data_source={}", ids.of("s1")), "june"),
        (format!("&filter.ingested_at.to={}", moments[2]), "june"),
        (format!("&filter.ingested_at.from={}", moments[2]), "may"),
        (format!("&filter.ingested_at.from={}&filter.ingested_at.to={}", moments[0], moments[2]), "late-january"),
        (format!("&risk_rule_id={}", ids.of("may")), "may"),
    ] {
        let answer = server.get(&format!("{newest}{more}")).await.expect(200);
        assert_eq!(rules(&answer), [ids.of(wanted)], "{more}");
    }
}

/// As it was answered when it was stored, to the byte: numbers as they were written, and what the service adds of its own.
async fn a_listed_score_is_the_stored_one(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let text = r#"{ "sub_scores":{"country":1.0,"age":5e-1},"as_of_date":"2024-01-01", "final_score":50.10,"risk_rule_id":"geography","override":false,
        "data_source":"Service - On Demand Risk Calculations","calculated_score":4.910e1,"metadata":{"a":[1.50]} }"#;
    let stored = server.post(&path(&ids, "risk_scores"), text).await.expect(200);
    let listed = server.get(&format!("/api/risk_scores?filter.actor_ids.in[]={}", ids.of("actor"))).await.expect(200);
    assert_eq!(listed.text, format!("[{}]", stored.text));
    let of_ours = text.trim_end_matches('}').trim_end();
    assert!(stored.text.starts_with(of_ours), "the record is kept: {}", stored.text);
    let item = listed.json()[0].clone();
    // No field of the document gives a rule a name; it has its id's.
    let added = [("actor_id", json!(ids.of("actor"))), ("rule_name", json!("geography")), ("risk_band", json!("medium_risk"))];
    for (field, wanted) in added {
        assert_eq!(item[field], wanted, "{field}: {item}");
    }
    for field in ["ingested_by", "ingested_at"] {
        assert!(item[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {item}");
    }
}

async fn bands_are_configured(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_RISK__MEDIUM_FROM", "0.2"), ("AMLGRAPH_RISK__HIGH_FROM", "0.5")]);
    for (score, band) in [("0.1", "low_risk"), ("0.2", "medium_risk"), ("0.5", "high_risk")] {
        let body = format!(r#"{{"as_of_date":"2024-01-01","final_score":{score},"risk_rule_id":"r"}}"#);
        assert_eq!(server.post("/api/actors/a/risk_scores", body).await.expect(200).json()["risk_band"], json!(band));
    }
}

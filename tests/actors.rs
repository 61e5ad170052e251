//! Actors: every field in and out byte for byte, history by date, placeholders, shared identities, associates.

use futures::future::join_all;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::support::fixtures::{actor, case_id, with};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: every_field_comes_back_as_it_was_given, an_older_date_is_history, alone_or_with_a_case_it_is_recorded_alike, a_placeholder_becomes_real, the_same_phone_in_other_words, each_kind_of_identity_is_shared,
    an_update_lets_go_of_what_it_no_longer_has, associates_in_both_directions, associates_without_an_id; embedded: all_faults_are_told_at_once, ids_in_paths];

/// Every field of the document, in a form of its own.
fn whole(ids: &Ids) -> String {
    format!(
        r#"{{"asOfDate":"2024-01-01",   "id":"{}","type":"LEGAL_ENTITY",
  "addresses":[{{"type":"HOME","line1":"1 High St","line2":"Flat \u00e9","postcode":"AB1 2CD","city":"London","state":"","country":"GB"}},{{}}],
  "customData":{{"z":1.50,"a":{{"deep":[1e3,null]}}}},"customerSince":"2001-02-03","dataSource":"core","dateOfBirth":"1990-12-31","displayName":"D. Name","domicile":"GB",
  "emails":[{{"type":"WORK","address":"A.B@Example.org"}}],"firstName":"F","middleName":"M","lastName":"L","name":"N","gender":"UNSPECIFIED",
  "governmentIds":[{{"id":"X 1","type":"PASSPORT","issuingAuthority":"UK","expirationDate":null}},{{"id":"X2","expirationDate":"2030-01-01"}}],
  "ingestDate":"2024-01-01T10:00:00.120+02:00","isActive":true,
  "legalEntity":{{"dateOfRegistration":"1999-01-01","type":"LTD","industry":[{{"code":"64.19","type":"NACE"}}]}},
  "metadata":{{"k":-0.0}},"monitored":"YES","nationality":"GB","phones":[{{"type":"MOBILE","number":"+44 20 7946 0958"}}],
  "references":[{{"id":"r-1","systemName":"crm"}}],"status":"TERMINATED","subType":["CUSTOMER","EMPLOYEE","MERCHANT","PSP"],"taxResidency":"GB","validationStatus":"DUE_DILIGENCE",
  "accessClassification":{{"id":1}},"classification":{{"id":2}},"employee":{{"id":3}},"relatedAccounts":[{{"id":"a"}}],"externalRelations":[{{"id":"b"}}] }}"#,
        ids.of("actor")
    )
}

async fn every_field_comes_back_as_it_was_given(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let text = whole(&ids);
    assert_eq!(server.post("/api/actors", text.clone()).await.expect(200).text, text);
    assert_eq!(server.get(&format!("/api/actors/{}", ids.of("actor"))).await.expect(200).text, text);
    for (field, values) in [
        ("type", &["INDIVIDUAL", "LEGAL_ENTITY"][..]),
        ("gender", &["FEMALE", "MALE", "OTHER", "UNSPECIFIED"]),
        ("status", &["ACTIVE", "TERMINATED"]),
        ("monitored", &["YES", "NO"]),
        ("validationStatus", &["DUE_DILIGENCE", "MANUAL_ENTRY", "UNVALIDATED", "VALIDATED", "VENDOR_SUPPLIED_DATA"]),
    ] {
        for value in values {
            server.post("/api/actors", with(actor(&ids.of("each")), json!({field: value})).to_string()).await.expect(200);
        }
    }
}

async fn name_as_of(api: &Api, id: &str, date: Option<&str>) -> Value {
    let query = "query($id: ID!, $date: Date) { actor(id: $id) { record(asOf: $date) { name asOfDate } } }";
    api.graphql(query, json!({"id": id, "date": date})).await["actor"]["record"]["name"].take()
}

async fn an_older_date_is_history(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("actor");
    let record = |date: &str, name: &str| json!({"id": id, "type": "INDIVIDUAL", "asOfDate": date, "name": name}).to_string();
    let sent = [
        ("2024-03-01", "March"),
        ("2024-01-01", "January"),
        ("2024-05-01", "May"),
        ("2024-03-01", "March, corrected"),
        ("2024-05-01", "May, corrected"),
    ];
    for (date, name) in sent {
        let echo = server.post("/api/actors", record(date, name)).await.expect(200);
        assert_eq!(echo.text, record(date, name));
    }
    assert_eq!(server.get(&format!("/api/actors/{id}")).await.expect(200).text, record("2024-05-01", "May, corrected"));
    for (date, name) in [
        (Some("2023-12-31"), None),
        (Some("2024-01-01"), Some("January")),
        (Some("2024-02-29"), Some("January")),
        (Some("2024-03-01"), Some("March, corrected")),
        (Some("2024-04-30"), Some("March, corrected")),
        (Some("2030-01-01"), Some("May, corrected")),
        (None, Some("May, corrected")),
    ] {
        assert_eq!(name_as_of(&server, &id, date).await, json!(name), "{date:?}");
    }
    let data = server
        .graphql("query($id: ID!) { actor(id: $id) { name history { edges { node { asOfDate record { name } } } } } }", json!({"id": id}))
        .await;
    let wanted = ["2024-05-01", "2024-03-01", "2024-01-01"].into_iter().zip(["May, corrected", "March, corrected", "January"]);
    let wanted: Vec<Value> = wanted.map(|(date, name)| json!({"node": {"asOfDate": date, "record": {"name": name}}})).collect();
    assert_eq!(data["actor"], json!({"name": "May, corrected", "history": {"edges": wanted}}));
}

/// What is known of an actor: what is so now, the names by date, the identities.
async fn known(api: &Api, id: &str) -> Value {
    let query = "query($id: ID!) { actor(id: $id) { name status record { name } identities { edges { node { name } } } \
                 history { edges { node { asOfDate record { name } } } } } }";
    api.graphql(query, json!({"id": id})).await
}

/// What the audit entries about actors say was replaced by what: names, the oldest first.
fn replaced(server: &mut Server, ids: &[String]) -> Vec<Vec<(Value, Value)>> {
    let name = |text: &Value| text.as_str().map_or(Value::Null, |text| serde_json::from_str::<Value>(text).expect("a record")["name"].clone());
    let text = "MATCH (a:AuditEntry) WHERE a.action = 'actor.recorded' \
                RETURN a.objectId AS id, a.oldValue AS old, a.newValue AS new ORDER BY a.timestamp, a.id";
    let entries = server.cypher(text);
    let of = |id: &String| entries.iter().filter(|entry| entry["id"] == json!(id)).map(|entry| (name(&entry["old"]), name(&entry["new"]))).collect();
    ids.iter().map(of).collect()
}

/// The id of somebody whom a company's record only describes, by a reference.
async fn described(api: &Api, company: &str) -> String {
    let partner = json!({"name": "Ann", "type": "PARTNER", "references": [{"id": format!("r-{company}"), "systemName": "crm"}]});
    let associates = json!({"asOfDate": "2024-01-01", "actorAssociates": [partner]});
    api.post(&format!("/api/actors/{company}/associates"), associates.to_string()).await.expect(200);
    let found = api.graphql("query($id: ID!) { actor(id: $id) { associates { edges { node { id } } } } }", json!({"id": company})).await;
    found["actor"]["associates"]["edges"][0]["node"]["id"].as_str().expect("an id").to_owned()
}

/// Actors of whom nothing is known, a score, or a reference.
async fn some(api: &Api, ids: &Ids, how: &str) -> Vec<String> {
    let mut some = Vec::new();
    for place in 0..9 {
        let id = ids.of(&format!("{how}-{place}"));
        some.push(match place % 3 {
            0 => id,
            1 => {
                let score = json!({"as_of_date": "2024-01-01", "final_score": 1, "risk_rule_id": "rule"});
                api.post(&format!("/api/actors/{id}/risk_scores"), score.to_string()).await.expect(200);
                id
            }
            _ => described(api, &id).await,
        });
    }
    some
}

/// Alone many are one statement; with a case each is part of a transaction of several.
async fn alone_or_with_a_case_it_is_recorded_alike(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let case = case_id();
    server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    let (alone, with_case) = (some(&server, &ids, "alone").await, some(&server, &ids, "with-case").await);
    let mut random = StdRng::seed_from_u64(7);
    for step in 0..10 {
        let mut sent = Vec::new();
        for (place, (alone, with_case)) in alone.iter().zip(&with_case).enumerate() {
            let date = format!("2024-0{}-01", random.random_range(1..4));
            let name = format!("{place}-{}", random.random_range(0..3));
            let phones = json!([{"number": format!("+44 20 7946 0{}", 100 + random.random_range(0..3))}]);
            let status = if random.random_bool(0.5) { "ACTIVE" } else { "TERMINATED" };
            let said = json!({"type": "INDIVIDUAL", "name": name, "phones": phones, "status": status});
            let record = with(said.clone(), json!({"id": alone, "asOfDate": date}));
            let in_case = with(said, json!({"id": with_case, "as_of_date": date}));
            sent.push(server.post("/api/actors", record.to_string()));
            server.post(&format!("/api/cases/{case}/actors"), json!({"actor": in_case}).to_string()).await.expect(200);
        }
        join_all(sent).await.into_iter().for_each(|answer| drop(answer.expect(200)));
        for (alone, with_case) in alone.iter().zip(&with_case) {
            let (one, other) = (known(&server, alone).await, known(&server, with_case).await);
            // What the one is referred to by, the other is not.
            let other = other.to_string().replace("with-case-", "alone-");
            assert_eq!(one.to_string(), other, "step {step}");
        }
    }
    assert_eq!(replaced(&mut server, &alone), replaced(&mut server, &with_case));
}

async fn a_placeholder_becomes_real(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("named");
    let role = json!({"actors": [{"id": id, "role": "OWNER"}]}).to_string();
    server.post(&format!("/api/accounts/{}/actors", ids.of("account")), role).await.expect(200);
    server.get(&format!("/api/actors/{id}")).await.expect(404);
    let query = "query($id: ID!) { actor(id: $id) { known type record { id } history { edges { node { asOfDate } } } accounts { totalCount } } }";
    let shown = async || server.graphql(query, json!({"id": id})).await["actor"].take();
    assert_eq!(shown().await, json!({"known": false, "type": null, "record": null, "history": {"edges": []}, "accounts": {"totalCount": 1}}));
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    server.get(&format!("/api/actors/{id}")).await.expect(200);
    let real = json!({"known": true, "type": "INDIVIDUAL", "record": {"id": id}, "history": {"edges": [{"node": {"asOfDate": "2024-01-01"}}]}, "accounts": {"totalCount": 1}});
    assert_eq!(shown().await, real);
    let nobody = server.graphql(query, json!({"id": ids.of("nobody")})).await;
    assert!(nobody["actor"].is_null());
}

/// Ids of the actors with whom one shares something, and what.
async fn sharing(api: &Api, id: &str) -> Vec<(String, String)> {
    let query = "query($id: ID!) { actor(id: $id) { sharesIdentityWith(first: 50) { totalCount edges { identity { kind } node { id } } } } }";
    let data = api.graphql(query, json!({"id": id})).await;
    let list = &data["actor"]["sharesIdentityWith"];
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let edges: Vec<_> =
        list["edges"].as_array().expect("edges").iter().map(|edge| (text(&edge["node"]["id"]), text(&edge["identity"]["kind"]))).collect();
    assert_eq!(list["totalCount"], json!(edges.len()));
    edges
}

async fn the_same_phone_in_other_words(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let digits = ids.digits(7);
    let forms = [
        format!("+49 30 {digits}"),
        format!("0049 (0)30 {digits}"),
        format!("030/{digits}"),
        format!("030-{}-{}", &digits[..3], &digits[3..]),
        format!("tel:+4930{digits}"),
    ];
    for (number, phone) in forms.iter().enumerate().filter(|(number, _)| *number != 1) {
        // A national number is read as one of the actor's own country.
        let record = with(actor(&ids.of(&format!("actor-{number}"))), json!({"domicile": "DE", "phones": [{"number": phone}]}));
        server.post("/api/actors", record.to_string()).await.expect(200);
    }
    let abroad = with(actor(&ids.of("abroad")), json!({"domicile": "FR", "phones": [{"number": forms[2]}]}));
    server.post("/api/actors", abroad.to_string()).await.expect(200);
    let wanted: Vec<_> = [2, 3, 4].into_iter().map(|number| (ids.of(&format!("actor-{number}")), "PHONE".to_owned())).collect();
    assert_eq!(sharing(&server, &ids.of("actor-0")).await, wanted);
    assert_eq!(sharing(&server, &ids.of("abroad")).await, []);
}

/// What three actors have, around a text of the test's own: one, the same in other words, and something else.
type OfThree = fn(&str) -> [Value; 3];

async fn each_kind_of_identity_is_shared(engine: Engine) {
    let server = Server::shared(engine);
    let table: [(&str, OfThree); 4] = [
        ("EMAIL", |own| {
            let email = |address: String| json!({"emails": [{"address": address}]});
            [email(format!("Ada.{own}@Example.org")), email(format!(" ada.{own}@example.ORG ")), email(format!("eve.{own}@example.org"))]
        }),
        ("ADDRESS", |own| {
            let address =
                |line1: String, postcode: &str| json!({"addresses": [{"line1": line1, "postcode": postcode, "city": "Berlin", "country": "DE"}]});
            [
                address(format!("{own} Hauptstr. 1"), "10115"),
                address(format!("{own}  HAUPTSTR 1"), "10115"),
                address(format!("{own} Hauptstr. 1"), "10117"),
            ]
        }),
        ("GOVERNMENT_ID", |own| {
            let document = |id: String, kind: &str| json!({"governmentIds": [{"id": id, "type": kind, "issuingAuthority": "Berlin"}]});
            [document(format!("ab-{own}"), "PASSPORT"), document(format!("AB {own}"), "Passport"), document(format!("ab-{own}"), "TAX")]
        }),
        ("REFERENCE", |own| {
            let reference = |id: String, system: &str| json!({"references": [{"id": id, "systemName": system}]});
            [reference(format!("r-{own}"), "CRM"), reference(format!("r-{own}"), "crm"), reference(format!("R-{own}"), "CRM")]
        }),
    ];
    for (kind, records) in table {
        let ids = Ids::new();
        for (name, more) in ["one", "same", "other"].into_iter().zip(records(&ids.of("x"))) {
            server.post("/api/actors", with(actor(&ids.of(name)), more).to_string()).await.expect(200);
        }
        assert_eq!(sharing(&server, &ids.of("one")).await, [(ids.of("same"), kind.to_owned())], "{kind}");
        assert_eq!(sharing(&server, &ids.of("other")).await, [], "{kind}");
    }
}

async fn an_update_lets_go_of_what_it_no_longer_has(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let phone = json!({"nationality": "DE", "phones": [{"number": format!("+49 30 {}", ids.digits(7))}]});
    for name in ["one", "other"] {
        server.post("/api/actors", with(actor(&ids.of(name)), phone.clone()).to_string()).await.expect(200);
    }
    assert_eq!(sharing(&server, &ids.of("one")).await.len(), 1);
    server.post("/api/actors", with(actor(&ids.of("one")), json!({"type": "LEGAL_ENTITY"})).to_string()).await.expect(200);
    assert_eq!(sharing(&server, &ids.of("one")).await, []);
    let data =
        server.graphql("query($id: ID!) { actor(id: $id) { type nationality identities { totalCount } } }", json!({"id": ids.of("one")})).await;
    assert_eq!(data["actor"], json!({"type": "LEGAL_ENTITY", "nationality": null, "identities": {"totalCount": 0}}));
}

async fn associates_in_both_directions(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = format!("/api/actors/{}/associates", ids.of("company"));
    let text = format!(
        r#"{{"actorAssociates":[{{"id":"{}","references":[{{"id":"x","systemName":"y"}}],"dataSource":"d","name":"Ina","type":"INVESTOR","isCustomer":true,"ratio":0.250}},
          {{"id":"{}","type":"SPOUSE","customer":false}}],"asOfDate":"2024-02-01"}}"#,
        ids.of("investor"),
        ids.of("spouse")
    );
    assert_eq!(server.post(&path, text.clone()).await.expect(200).text, text);
    let query = "query($id: ID!) { actor(id: $id) { associates { edges { type ratio asOfDate node { id name known } } } } }";
    let edges = async || server.graphql(query, json!({"id": ids.of("company")})).await["actor"]["associates"]["edges"].take();
    let spouse = json!({"type": "SPOUSE", "ratio": null, "asOfDate": "2024-02-01", "node": {"id": ids.of("spouse"), "name": ids.of("spouse"), "known": false}});
    let investor = |ratio: f64, date: &str| json!({"type": "INVESTOR", "ratio": ratio, "asOfDate": date, "node": {"id": ids.of("investor"), "name": "Ina", "known": false}});
    assert_eq!(edges().await, json!([investor(0.25, "2024-02-01"), spouse]));
    for (date, ratio, now) in [("2024-01-01", 0.1, investor(0.25, "2024-02-01")), ("2024-03-01", 0.75, investor(0.75, "2024-03-01"))] {
        let body = json!({"actorAssociates": [{"id": ids.of("investor"), "type": "INVESTOR", "ratio": ratio}], "asOfDate": date});
        server.post(&path, body.to_string()).await.expect(200);
        assert_eq!(edges().await[0], now, "{date}");
    }
    for (ratio, status) in [("0", 200), ("1", 200), ("1.0000001", 422), ("-0.1", 422), ("\"1\"", 422)] {
        let body = format!(r#"{{"actorAssociates":[{{"id":"{}","type":"INVESTOR","ratio":{ratio}}}]}}"#, ids.of("other"));
        server.post(&path, body).await.expect(status);
    }
}

/// Whoever is only described is told apart by name and references, and where there are none by all else.
async fn associates_without_an_id(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = format!("/api/actors/{}/associates", ids.of("company"));
    let reference = ids.of("reference");
    let described = |system: &str| json!({"name": "Ann", "type": "PARTNER", "references": [{"id": reference, "systemName": system}]});
    let body = json!({"asOfDate": "2024-01-01", "actorAssociates": [
        {"type": "INVESTOR", "dataSource": "A"}, {"type": "INVESTOR", "dataSource": "B"}, {"type": "INVESTOR", "dataSource": "B"},
        described("CRM"), described("ERP"), {"name": "Ann", "type": "PARTNER"}, {"name": " Ann ", "type": "SPOUSE"},
    ]});
    // Sent again, nothing is doubled.
    for _ in 0..2 {
        server.post(&path, body.to_string()).await.expect(200);
    }
    let query = "query($id: ID!) { actor(id: $id) { associates(first: 20) { totalCount edges { type node { name known identities { edges { node { kind name } } } } } } } }";
    let data = server.graphql(query, json!({"id": ids.of("company")})).await;
    let associates = &data["actor"]["associates"];
    assert_eq!(associates["totalCount"], json!(7), "{associates}");
    let mut told: Vec<String> = associates["edges"]
        .as_array()
        .expect("edges")
        .iter()
        .map(|edge| {
            format!(
                "{} {} {}",
                edge["type"].as_str().expect("a type"),
                edge["node"]["name"].as_str().expect("a name"),
                edge["node"]["identities"]["edges"][0]["node"]["name"].as_str().unwrap_or("-")
            )
        })
        .collect();
    told.sort();
    let unnamed = format!("INVESTOR INVESTOR of {} -", ids.of("company"));
    let with = |system: &str| format!("PARTNER Ann {system} {reference}");
    assert_eq!(told, [unnamed.clone(), unnamed.clone(), unnamed, "PARTNER Ann -".into(), with("CRM"), with("ERP"), "SPOUSE Ann -".into()]);
    // Somebody who was named by id alone gets a name when one is told, until a record of their own arrives.
    for (name, wanted) in [(Value::Null, ids.of("p")), (json!("P"), "P".to_owned()), (json!("P2"), "P2".to_owned())] {
        let body = json!({"actorAssociates": [{"id": ids.of("p"), "name": name, "type": "T"}]});
        server.post(&path, body.to_string()).await.expect(200);
        let data = server.graphql("query($id: ID!) { actor(id: $id) { name } }", json!({"id": ids.of("p")})).await;
        assert_eq!(data["actor"]["name"], json!(wanted));
    }
}

async fn all_faults_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let text = r#"{"asOfDate":"2024-13-01","type":"PERSON","adresses":[],"addresses":[{},{"country":5,"zip":"x"}],"customerSince":"2023-02-29","dateOfBirth":"1.2.1990","domicile":"Germany","emails":[{"address":1}],"gender":"X",
        "governmentIds":[{"expirationDate":"never"}],"ingestDate":"today","isActive":"yes","legalEntity":{"industry":[{"code":1}]},"metadata":[],"monitored":"MAYBE","nationality":"XX","phones":{},"status":"CLOSED","subType":["CUSTOMER","CAT"],"validationStatus":"NEVER"}"#;
    let answer = server.post("/api/actors", text).await.expect(422);
    let wanted = [
        "addresses[1].country",
        "addresses[1].zip",
        "adresses",
        "asOfDate",
        "customerSince",
        "dateOfBirth",
        "domicile",
        "emails[0].address",
        "gender",
        "governmentIds[0].expirationDate",
        "id",
        "ingestDate",
        "isActive",
        "legalEntity.industry[0].code",
        "metadata",
        "monitored",
        "nationality",
        "phones",
        "status",
        "subType[1]",
        "type",
        "validationStatus",
    ];
    assert_eq!(answer.places(), wanted, "{:#?}", answer.errors());
    server.post("/api/actors", "{").await.expect(400);
    server.post("/api/actors/x/associates", "{").await.expect(400);
    assert_eq!(server.post("/api/actors/x/associates", r#"{"actorAssociates":[{"id":""}]}"#).await.expect(422).places(), ["actorAssociates[0].id"]);
}

async fn ids_in_paths(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (id, path) in
        [("a b", "a%20b"), ("ä/ö", "%C3%A4%2F%C3%B6"), ("100%", "100%25"), ("x?y#z", "x%3Fy%23z"), ("a+b", "a+b"), ("🏦", "%F0%9F%8F%A6")]
    {
        let text = actor(&ids.of(id)).to_string();
        server.post("/api/actors", text.clone()).await.expect(200);
        let path = ids.of(path);
        assert_eq!(server.get(&format!("/api/actors/{path}")).await.expect(200).text, text, "{id}");
    }
    let too_long = server.get(&format!("/api/actors/{}", "x".repeat(257))).await.expect(400);
    assert_eq!(too_long.places(), ["id"]);
    let missing = server.get(&format!("/api/actors/{}", ids.of("nobody"))).await.expect(404);
    assert_eq!(missing.places(), ["id"]);
}

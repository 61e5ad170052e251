//! Channel locations: in and out, filtered, sorted, paged.

use serde_json::{Value, json};

use crate::support::{Engine, Ids, Server, Store, tests};

tests![both: every_field_comes_back_as_it_was_given; embedded: lists_are_filtered_sorted_and_paged, a_page_has_two_hundred, all_faults_are_told_at_once];

const PATH: &str = "/api/channel_locations";

async fn every_field_comes_back_as_it_was_given(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let text = format!(
        r#"{{ "id":"{}","type":"OTHER",  "address":{{"street":["Münsterplatz 1","Hof"],"city":"Ulm","state":"BW","postal_code":"89073","country":"DE"}} }}"#,
        ids.of("place")
    );
    assert_eq!(server.post(PATH, text.clone()).await.expect(200).json(), json!({}));
    // Newest first: other tests can't have made hundreds since.
    let list = server.get(&format!("{PATH}?limit=1000")).await.expect(200).text;
    assert!(list.contains(&text), "{list}");
    let query = "query($id: ID!) { channelLocation(id: $id) { name type street city state postalCode country } }";
    let data = server.graphql(query, json!({"id": ids.of("place")})).await;
    assert_eq!(data["channelLocation"]["city"], json!("Ulm"), "{data}");
    assert_eq!(data["channelLocation"]["postalCode"], json!("89073"));
    let moved = json!({"id": ids.of("place"), "type": "ATM", "address": {"country": "AT"}}).to_string();
    server.post(PATH, moved).await.expect(200);
    let data = server.graphql(query, json!({"id": ids.of("place")})).await;
    assert_eq!(
        (&data["channelLocation"]["type"], &data["channelLocation"]["city"], &data["channelLocation"]["country"]),
        (&json!("ATM"), &Value::Null, &json!("AT"))
    );
}

async fn lists_are_filtered_sorted_and_paged(engine: Engine) {
    let server = Server::on(Store::of(engine));
    for (id, kind) in [("c", "ATM"), ("a", "BRANCH"), ("d", "OTHER"), ("b", "ATM")] {
        server.post(PATH, json!({"id": id, "type": kind, "address": {}}).to_string()).await.expect(200);
        // Newest first is told by milliseconds.
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    for (query, wanted) in [
        ("", "bdac"),
        ("?filter_type=ATM", "bc"),
        ("?filter_type=BRANCH", "a"),
        ("?filter_type=OTHER", "d"),
        ("?sort_by=id", "abcd"),
        ("?sort_by=-id&limit=2", "dc"),
        ("?sort_by=-id&limit=2&offset=2", "ba"),
        ("?sort_by=type,-id", "cbad"),
        ("?sort_by=type", "bcad"),
        ("?sort_by=-type", "dabc"),
        ("?sort_by=-type,-id", "dacb"),
        ("?sort_by=id,-type", "abcd"),
        ("?filter_type=ATM&sort_by=-id", "cb"),
        ("?limit=3&offset=1", "dac"),
        ("?offset=2147483647", ""),
        ("?offset=4", ""),
        ("?limit=1000", "bdac"),
    ] {
        let body = server.get(&format!("{PATH}{query}")).await.expect(200).json();
        let found: String = body["locations"].as_array().expect("a list").iter().map(|place| place["id"].as_str().expect("an id")).collect();
        assert_eq!(found, wanted, "{query}");
    }
}

async fn a_page_has_two_hundred(engine: Engine) {
    let server = Server::on(Store::of(engine));
    for number in 0..201 {
        server.post(PATH, json!({"id": format!("place-{number:03}"), "type": "ATM", "address": {}}).to_string()).await.expect(200);
    }
    let found = async |query: &str| -> Vec<String> {
        let body = server.get(&format!("{PATH}?sort_by=id{query}")).await.expect(200).json();
        body["locations"].as_array().expect("a list").iter().map(|place| place["id"].as_str().expect("an id").to_owned()).collect()
    };
    let (first, second) = (found("").await, found("&offset=200").await);
    assert_eq!((first.len(), first[0].as_str(), second), (200, "place-000", vec!["place-200".to_owned()]));
    for (limit, count) in [("1", 1), ("1000", 201)] {
        assert_eq!(found(&format!("&limit={limit}")).await.len(), count, "{limit}");
    }
    for limit in ["0", "1001", "-1"] {
        assert_eq!(server.get(&format!("{PATH}?limit={limit}")).await.expect(400).places(), ["limit"], "{limit}");
    }
}

async fn all_faults_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    for (body, places) in [
        ("{}", vec!["address", "id", "type"]),
        (
            r#"{"id":"x","type":"KIOSK","address":{"street":"Main St","city":1,"zip":"x"},"open":true}"#,
            vec!["address.city", "address.street", "address.zip", "open", "type"],
        ),
        ("{", vec!["body"]),
    ] {
        assert_eq!(server.post(PATH, body).await.expect(400).places(), places, "{body}");
    }
}

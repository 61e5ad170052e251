//! Communications of cases: added over REST, shown in the graph and over GraphQL, both ways.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::fixtures::{actor, case_id, with};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: a_communication_is_added_and_shown, parties_that_are_actors_are_linked, sent_again_it_is_described_anew,
    one_that_is_added_to_many_cases_at_once_has_one_sender, rules_of_a_communication,
    what_other_operations_name_becomes_known; embedded: a_key_adds_it_once];

/// A case of its own; answers with its path.
async fn case(api: &Api) -> String {
    let made = api.post("/api/cases", "{}").await.expect(200).json();
    format!("/api/cases/{}", made["case_id"].as_str().expect("an id"))
}

/// A communication of which only what is required is said.
fn communication(id: &str) -> Value {
    json!({"id": id, "type": "email", "sender_id": "bank", "receiver_id": "customer@example.com", "subject": "About your payment"})
}

/// One that an actor writes to himself.
fn to_oneself(id: &str, who: &str) -> Value {
    with(
        communication(id),
        json!({"sender_id": who, "receiver_id": who, "metadata": {"sender_identifiable_as_actor": true, "receiver_identifiable_as_actor": true}}),
    )
}

async fn shown(api: &Api, id: &str) -> Value {
    let query = "query($id: ID!) { communication(id: $id) { nodeId name known type subject content senderId receiverId metadata customData
        sender { id known } receiver { id known } cases { totalCount edges { node { id communications { totalCount edges { node { id } } } } } } } }";
    api.graphql(query, json!({"id": id})).await["communication"].take()
}

async fn a_communication_is_added_and_shown(engine: Engine) {
    let server = Server::shared(engine);
    let (path, id) = (case(&server).await, case_id());
    let before = server.get(&path).await.expect(200).json();
    let body = with(communication(&id), json!({"content": "Dear …", "custom_data": {"x": 1}, "metadata": {"channel": "outbox"}}));
    let answer = server.post(&format!("{path}/communications"), body.to_string()).await.expect(200).json();
    assert_eq!(answer, json!({"id": id, "type": "email"}));
    let case_id = path.rsplit('/').next().expect("an id");
    let wanted = json!({"nodeId": format!("Communication:{id}"), "name": "About your payment", "known": true, "type": "email",
        "subject": "About your payment", "content": "Dear …", "senderId": "bank", "receiverId": "customer@example.com",
        "metadata": {"channel": "outbox"}, "customData": {"x": 1}, "sender": null, "receiver": null,
        "cases": {"totalCount": 1, "edges": [{"node": {"id": case_id, "communications": {"totalCount": 1, "edges": [{"node": {"id": id}}]}}}]}});
    assert_eq!(shown(&server, &id).await, wanted);
    assert_ne!(server.get(&path).await.expect(200).json()["updated_at"], before["updated_at"], "the case has changed");
    let by_node = server.graphql("query($id: ID!) { node(id: $id) { __typename id } }", json!({"id": format!("Communication:{id}")})).await;
    assert_eq!(by_node["node"], json!({"__typename": "Communication", "id": id}));
}

async fn parties_that_are_actors_are_linked(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = format!("{}/communications", case(&server).await);
    let (sender, receiver) = (ids.of("sender"), ids.of("receiver"));
    server.post("/api/actors", actor(&sender).to_string()).await.expect(200);
    // A truth value or text; who is not known yet is a placeholder.
    for (metadata, linked) in [
        (json!({}), [false, false]),
        (json!({"sender_identifiable_as_actor": true}), [true, false]),
        (json!({"sender_identifiable_as_actor": "true", "receiver_identifiable_as_actor": true}), [true, true]),
        (json!({"sender_identifiable_as_actor": false, "receiver_identifiable_as_actor": "no"}), [false, false]),
    ] {
        let id = case_id();
        let body = with(communication(&id), json!({"sender_id": sender, "receiver_id": receiver, "metadata": metadata}));
        server.post(&path, body.to_string()).await.expect(200);
        let shown = shown(&server, &id).await;
        let one = |linked: bool, id: &str, known: bool| if linked { json!({"id": id, "known": known}) } else { Value::Null };
        let wanted = [one(linked[0], &sender, true), one(linked[1], &receiver, false)];
        assert_eq!([&shown["sender"], &shown["receiver"]], [&wanted[0], &wanted[1]], "{metadata}");
    }
    let query = "query($id: ID!) { actor(id: $id) { communications { totalCount } } }";
    assert_eq!(server.graphql(query, json!({"id": sender})).await["actor"]["communications"]["totalCount"], 2);
    assert_eq!(server.graphql(query, json!({"id": receiver})).await["actor"]["communications"]["totalCount"], 1);
    // What somebody writes to himself is one communication.
    let body = with(
        communication(&case_id()),
        json!({"sender_id": receiver, "receiver_id": receiver,
        "metadata": {"sender_identifiable_as_actor": true, "receiver_identifiable_as_actor": true}}),
    );
    server.post(&path, body.to_string()).await.expect(200);
    assert_eq!(server.graphql(query, json!({"id": receiver})).await["actor"]["communications"]["totalCount"], 2);
}

async fn sent_again_it_is_described_anew(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (first, second, id) = (case(&server).await, case(&server).await, case_id());
    let (before, after) = (ids.of("before"), ids.of("after"));
    let body = with(to_oneself(&id, &before), json!({"content": "Old"}));
    server.post(&format!("{first}/communications"), body.to_string()).await.expect(200);
    server.post(&format!("{first}/communications"), body.to_string()).await.expect(200);
    let body = with(to_oneself(&id, &after), json!({"subject": "New"}));
    server.post(&format!("{second}/communications"), body.to_string()).await.expect(200);
    let shown = shown(&server, &id).await;
    assert_eq!((&shown["subject"], &shown["content"], &shown["sender"]["id"]), (&json!("New"), &Value::Null, &json!(after)), "{shown}");
    assert_eq!(shown["cases"]["totalCount"], 2, "it belongs to both: {shown}");
    let query = "query($id: ID!) { actor(id: $id) { communications { totalCount } } }";
    assert_eq!(server.graphql(query, json!({"id": before})).await["actor"]["communications"]["totalCount"], 0);
    assert_eq!(server.graphql(query, json!({"id": after})).await["actor"]["communications"]["totalCount"], 1);
}

/// Of those who describe it at the same moment one is the last, and only his parties are linked.
async fn one_that_is_added_to_many_cases_at_once_has_one_sender(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let id = case_id();
    let mut cases = Vec::new();
    for _ in 0..16 {
        cases.push(case(&server).await);
    }
    let add = async |(at, case): (usize, &String)| {
        let body = to_oneself(&id, &ids.of(&format!("actor-{at}"))).to_string();
        server.post(&format!("{case}/communications"), body).await.expect(200);
    };
    join_all(cases.iter().enumerate().map(add)).await;
    let links = format!("MATCH (m:Communication {{id: '{id}'}})-[r:SENT_BY|SENT_TO]->(a:Actor) RETURN type(r) AS type, a.id AS id ORDER BY type");
    let links = server.cypher(&links);
    let last = shown(&server, &id).await;
    let wanted = ["SENT_BY", "SENT_TO"].map(|link| json!({"type": link, "id": last["senderId"]}));
    assert_eq!(links, wanted);
    assert_eq!(last["cases"]["totalCount"], 16);
}

async fn rules_of_a_communication(engine: Engine) {
    let server = Server::shared(engine);
    let path = format!("{}/communications", case(&server).await);
    let wrong = json!({"id": "1", "sender_id": "", "receiver_id": "x".repeat(257), "custom_data": [], "subjekt": "x"});
    let places = server.post(&path, wrong.to_string()).await.expect(422).places();
    assert_eq!(places, ["custom_data", "id", "receiver_id", "sender_id", "subject", "subjekt", "type"]);
    // Exactly as many characters as may be, however they are laid out.
    let data = |count: usize| format!(r#"{{ "a" : "{}" }}"#, "x".repeat(count - 8));
    let with_data = |data: String| communication(&case_id()).to_string().replacen('{', &format!(r#"{{"custom_data":{data},"#), 1);
    server.post(&path, with_data(data(10_000))).await.expect(200);
    assert_eq!(server.post(&path, with_data(data(10_001))).await.expect(422).places(), ["custom_data"]);
    let no_actor = with(communication(&case_id()), json!({"sender_id": "a\nb", "metadata": {"sender_identifiable_as_actor": true}}));
    assert_eq!(server.post(&path, no_actor.to_string()).await.expect(422).places(), ["sender_id"]);
    server.post(&path, "{").await.expect(400);
    server.post(&format!("{path}?x=1"), communication(&case_id()).to_string()).await.expect(400);
    // Without a case there is no communication either.
    let id = case_id();
    server.post(&format!("/api/cases/{}/communications", case_id()), communication(&id).to_string()).await.expect(404);
    assert!(shown(&server, &id).await.is_null());
    let answering = server.posting(&path, communication(&id).to_string()).header("service-rfd-id", case_id());
    assert_eq!(server.send(answering).await.expect(422).places(), ["service-rfd-id"]);
    assert!(shown(&server, &id).await.is_null());
}

async fn what_other_operations_name_becomes_known(engine: Engine) {
    let server = Server::shared(engine);
    let (path, id) = (case(&server).await, case_id());
    server.put(&path, json!({"communication_ids": [id]}).to_string()).await.expect(200);
    let named = shown(&server, &id).await;
    assert_eq!((&named["known"], &named["name"], &named["type"]), (&json!(false), &json!(id), &Value::Null));
    server.post(&format!("{path}/communications"), communication(&id).to_string()).await.expect(200);
    let described = shown(&server, &id).await;
    assert_eq!((&described["known"], &described["type"], &described["cases"]["totalCount"]), (&json!(true), &json!("email"), &json!(1)));
}

async fn a_key_adds_it_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = format!("{}/communications", case(&server).await);
    let body = communication(&case_id()).to_string();
    let keyed = |body: &str| server.send(server.posting(&path, body).header("idempotency-key", ids.of("key")));
    let first = keyed(&body).await.expect(200);
    let again = keyed(&body).await.expect(200);
    assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"));
    assert_eq!(keyed(&communication(&case_id()).to_string()).await.expect(422).places(), ["idempotency-key"]);
}

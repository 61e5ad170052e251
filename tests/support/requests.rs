//! Requests for data: asking over GraphQL, answering and rejecting over REST.

use serde_json::{Value, json};

use super::{Answer, Api, Ids};

pub const SCHEMAS: &str = "/api/request_for_data/schemas";

pub async fn case(api: &Api) -> String {
    let made = api.post("/api/cases", "{}").await.expect(200).json();
    made["case_id"].as_str().expect("an id").to_owned()
}

/// A schema of the test's own: an actor's id is asked for.
pub async fn schema(api: &Api, ids: &Ids) -> String {
    let kind = ids.of("KYC");
    let schema = json!({"type": "object", "properties": {"actor_id": {"type": "string"}, "years": {"type": "integer", "minimum": 1}},
        "required": ["actor_id"], "additionalProperties": false});
    api.post(SCHEMAS, json!({"type": kind, "schema": schema}).to_string()).await.expect(200);
    kind
}

pub async fn ask(api: &Api, case: &str, kind: &str, request: Value, more: Value) -> Value {
    let query = "mutation($input: RequestDataInput!) { requestData(input: $input) { requestForData { id status type request case { id } }
        userErrors { code message current { status } } case { version workflow { stepId } } } }";
    let mut input = json!({"caseId": case, "type": kind, "request": request});
    input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    api.graphql(query, json!({"input": input})).await["requestData"].take()
}

/// Asks, when nothing speaks against it; answers with the request's id.
pub async fn asked(api: &Api, case: &str, kind: &str) -> String {
    let payload = ask(api, case, kind, json!({"actor_id": "a"}), json!({})).await;
    assert_eq!(payload["userErrors"], json!([]), "{payload}");
    assert_eq!(payload["case"]["workflow"]["stepId"], "waiting-for-data", "{payload}");
    payload["requestForData"]["id"].as_str().expect("an id").to_owned()
}

pub async fn status(api: &Api, id: &str) -> String {
    let read = api.get(&format!("/api/request_for_data/{id}")).await.expect(200).json();
    read["status"].as_str().expect("a status").to_owned()
}

pub async fn step(api: &Api, case: &str) -> String {
    let read = api.get(&format!("/api/cases/{case}")).await.expect(200).json();
    read["workflow"]["step_id"].as_str().expect("a step").to_owned()
}

pub async fn act(api: &Api, case: &str, action: &str) {
    let query = "mutation($input: ActOnCaseInput!) { actOnCase(input: $input) { userErrors { message } } }";
    let data = api.graphql(query, json!({"input": {"caseId": case, "action": action}})).await;
    assert_eq!(data["actOnCase"]["userErrors"], json!([]), "{action}");
}

pub async fn reject(api: &Api, id: &str) -> Answer {
    api.post(&format!("/request_for_data/{id}/reject"), r#"{"reason":"nobody knows"}"#).await
}

/// Adds an actor, a communication or a file to a case as the answer to a request.
pub async fn answer(api: &Api, case: &str, what: &str, id: &str, request: &str) -> Answer {
    let path = format!("/api/cases/{case}/{what}");
    let sending = match what {
        "actors" => api.posting(&path, json!({"actor": {"id": id, "type": "INDIVIDUAL", "as_of_date": "2024-01-31"}}).to_string()),
        "communications" => {
            api.posting(&path, json!({"id": id, "type": "email", "sender_id": "a", "receiver_id": "b", "subject": "Data"}).to_string())
        }
        _ => {
            let form = format!("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{id}.txt\"\r\n\r\ndata\r\n--x--\r\n");
            api.request("POST", &path).header("content-type", "multipart/form-data; boundary=x").body(form)
        }
    };
    api.send(sending.header("service-rfd-id", request)).await
}

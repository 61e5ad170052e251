//! A client of a server: an address and a key.

use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::Answer;

/// How often something is asked again that a cold database was too slow for.
const COLD_TRIES: usize = 4;
/// Before it is asked again. It will be as slow right away.
const PAUSE: Duration = Duration::from_millis(500);

/// Someone who talks to a server.
#[derive(Clone)]
pub struct Api {
    http: Client,
    pub base: String,
    /// A header and its value. None: without credentials.
    credential: Option<(&'static str, String)>,
    /// What every request has besides.
    headers: Vec<(&'static str, String)>,
}

impl Api {
    pub fn new(base: &str, key: &str) -> Self {
        // The server has less time for any request, and a file of the largest size takes less, too; whoever waits for longer waits for ever. It closes
        // connections that are idle for ten seconds: none is used again shortly before.
        let http =
            Client::builder().no_proxy().timeout(Duration::from_secs(180)).pool_idle_timeout(Duration::from_secs(5)).build().expect("a client");
        Self { http, base: base.to_owned(), credential: None, headers: Vec::new() }.with_key(key)
    }

    /// The same with another key.
    pub fn with_key(&self, key: &str) -> Self {
        Self { credential: Some(("x-api-key", key.to_owned())), ..self.clone() }
    }

    /// The same with a token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { credential: Some(("authorization", format!("Bearer {token}"))), ..self.clone() }
    }

    /// The same without credentials.
    pub fn anonymous(&self) -> Self {
        Self { credential: None, ..self.clone() }
    }

    /// The same with a header in every request.
    pub fn with_header(&self, name: &'static str, value: impl Into<String>) -> Self {
        let mut other = self.clone();
        other.headers.push((name, value.into()));
        other
    }

    /// A request to be completed by hand.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        match &self.credential {
            Some((header, value)) => request.header(*header, value),
            None => request,
        }
    }

    /// The answer, or why there was none.
    pub async fn try_send(&self, request: reqwest::RequestBuilder) -> Result<Answer, reqwest::Error> {
        let request = request.build()?;
        let asked = format!("{} {}", request.method(), request.url());
        let response = self.http.execute(request).await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Answer { asked, status, headers, text: response.text().await? })
    }

    /// The answer there must be. What took too long "and was not done" is asked for again, as the answer says: a Neo4j that is cold may plan for seconds what it
    /// has not met, on a busy machine longer than a request may take.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        for _ in 0..COLD_TRIES {
            let Some(again) = request.try_clone() else { break };
            let answer = self.try_send(again).await.expect("an answer");
            if !answer.was_too_slow() {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.try_send(request).await.expect("an answer")
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request("DELETE", path)).await
    }

    /// A body of JSON text, sent byte for byte.
    pub async fn post(&self, path: &str, body: impl Into<String>) -> Answer {
        self.send(self.posting(path, body)).await
    }

    /// The same by `PUT`.
    pub async fn put(&self, path: &str, body: impl Into<String>) -> Answer {
        self.send(self.sending("PUT", path, body)).await
    }

    /// The same by `PATCH`.
    pub async fn patch(&self, path: &str, body: impl Into<String>) -> Answer {
        self.send(self.sending("PATCH", path, body)).await
    }

    /// The request of [`Self::post`].
    pub fn posting(&self, path: &str, body: impl Into<String>) -> reqwest::RequestBuilder {
        self.sending("POST", path, body)
    }

    pub fn sending(&self, method: &str, path: &str, body: impl Into<String>) -> reqwest::RequestBuilder {
        self.request(method, path).header("content-type", "application/json").body(body.into())
    }

    /// The data of a GraphQL query that must succeed.
    pub async fn graphql(&self, query: &str, variables: Value) -> Value {
        let mut answer = self.graphql_in_time(query, variables).await;
        assert!(answer["errors"].is_null(), "{query}\n{answer:#}");
        answer["data"].take()
    }

    /// A GraphQL answer, errors and all, but for those of too little time.
    ///
    /// A cold Neo4j takes a good part of a second to plan each statement that it has not met, on a busy machine more; a query of twenty links may
    /// have to be asked again. What was planned for it stays planned.
    pub async fn graphql_in_time(&self, query: &str, variables: Value) -> Value {
        self.graphql_whole_in_time(query, variables).await.json()
    }

    /// The same with its headers.
    pub async fn graphql_whole_in_time(&self, query: &str, variables: Value) -> Answer {
        self.in_time(json!({"query": query, "variables": variables})).await
    }

    /// The data of a GraphQL query that must succeed, and what it cost.
    pub async fn graphql_with_cost(&self, query: &str, variables: Value) -> (Value, u64) {
        let mut answer = self.in_time(json!({"query": query, "variables": variables, "extensions": {"cost": true}})).await.json();
        assert!(answer["errors"].is_null(), "{query}\n{answer:#}");
        let cost = answer["extensions"]["cost"]["requested"].as_u64().expect("what it cost");
        (answer["data"].take(), cost)
    }

    async fn in_time(&self, asked: Value) -> Answer {
        let query = asked["query"].as_str().unwrap_or_default();
        let begin = query.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with('#'));
        let changes = begin.is_some_and(|line| line.starts_with("mutation"));
        let mut answer = self.graphql_sent(&asked).await;
        for _ in 0..COLD_TRIES {
            let body = answer.json();
            if !may_be_asked_again(&body, changes) {
                break;
            }
            println!("asked again: {query}: {}", body["errors"][0]);
            tokio::time::sleep(PAUSE).await;
            answer = self.graphql_sent(&asked).await;
        }
        answer
    }

    /// A GraphQL answer, errors and all: those, too, that are told before anything of the document was looked at, as there was no time for it.
    pub async fn graphql_answer(&self, query: &str, variables: Value) -> Value {
        self.graphql_sent(&json!({"query": query, "variables": variables})).await.json()
    }

    async fn graphql_sent(&self, body: &Value) -> Answer {
        let answer = self.post("/graphql", body.to_string()).await;
        if answer.status == 503 { answer } else { answer.expect(200) }
    }
}

/// Whether the service had too little time for something that can be asked for again: a question always can, a change where its field says so. That was not
/// done; of what took too long as a whole nobody knows.
fn may_be_asked_again(answer: &Value, changes: bool) -> bool {
    let error = &answer["errors"][0];
    let is_of_a_change = error["path"].as_array().is_some_and(|path| path.len() == 1);
    let nothing_else = answer["data"].as_object().is_none_or(|data| data.values().all(Value::is_null));
    match error["extensions"]["code"].as_str() {
        Some("TIME_LIMIT") => !changes || (is_of_a_change && nothing_else),
        Some("UNAVAILABLE") => !changes,
        _ => false,
    }
}

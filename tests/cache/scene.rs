//! What a run through the table writes to: ids of its own by the names that the table and the questions have for them, and the writes themselves.

use std::collections::BTreeMap;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::kinds::{Kind, Write};
use super::questions;
use crate::support::fixtures::case_id;
use crate::support::{Answer, Api, Ids, bulk, eventually};

/// Names of things whose ids are UUIDs.
const UUIDS: [&str; 8] = ["case", "case-2", "case-3", "case-4", "case-5", "letter", "letter-2", "user"];

pub struct Scene {
    ids: Ids,
    /// Ids that are not made of the name.
    named: BTreeMap<&'static str, String>,
}

impl Scene {
    pub fn new() -> Self {
        Self { ids: Ids::new(), named: UUIDS.into_iter().map(|name| (name, case_id())).collect() }
    }

    /// The text with ids in the places of `@name`.
    pub fn fill(&self, text: &str) -> String {
        let mut parts = text.split('@');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|char: char| !(char.is_ascii_alphanumeric() || char == '-')).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            filled += &self.of(name);
            filled += rest;
        }
        filled
    }

    fn of(&self, name: &str) -> String {
        match (self.named.get(name), name) {
            (Some(id), _) => id.clone(),
            // A number that does not begin with 0.
            (None, "digits") => format!("7{}", self.ids.digits(7)),
            (None, "hex") => self.ids.0[..4].to_owned(),
            (None, name) => self.ids.of(name),
        }
    }

    /// What a kind's question is answered with, as far as it is looked at.
    pub async fn ask(&self, api: &Api, kind: &Kind) -> Value {
        let data = self.ask_all(api, kind.question).await;
        match kind.text {
            Some(text) => json!(data.to_string().contains(&self.fill(text))),
            None => data,
        }
    }

    /// What a question is answered with.
    pub async fn ask_all(&self, api: &Api, question: &str) -> Value {
        api.graphql(&self.fill(questions::text_of(question)), json!({})).await
    }

    /// Writes, which must succeed.
    pub async fn write(&mut self, api: &Api, kind: &Kind) {
        let answer = match &kind.write {
            Write::Mutation(field) => self.mutate(api, kind.name, field).await,
            write => api.send(self.request(api, write)).await,
        };
        assert!((200..300).contains(&answer.status), "{}: {}\n{}", kind.name, answer.asked, answer.text);
        if let Write::Bulk { done, .. } = &kind.write {
            let path = self.fill(done);
            eventually(kind.name, bulk::SOON, async || api.get(&path).await.status == 200).await;
        }
        if let Some((name, place)) = kind.makes {
            let body = answer.json();
            let id = body.pointer(place).and_then(Value::as_str).unwrap_or_else(|| panic!("{}: no id at {place} of {body}", kind.name));
            self.named.insert(name, id.to_owned());
        }
    }

    fn request(&self, api: &Api, write: &Write) -> RequestBuilder {
        match write {
            Write::Rest { method, path, body: "" } => api.request(method, &self.fill(path)),
            Write::Rest { method, path, body } => api.sending(method, &self.fill(path), self.fill(body)),
            Write::File { path, name } => {
                let name = self.fill(name);
                let form = format!("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\ndata\r\n--x--\r\n");
                api.request("POST", &self.fill(path)).header("content-type", "multipart/form-data; boundary=x").body(form)
            }
            Write::Answer { request, path, body } => api.posting(&self.fill(path), self.fill(body)).header("service-rfd-id", self.fill(request)),
            Write::Bulk { request, body, .. } => api.posting("/api/bulk", self.fill(body)).header("x-request-id", self.fill(request)),
            Write::Mutation(_) => unreachable!("a mutation goes another way"),
        }
    }

    async fn mutate(&self, api: &Api, kind: &str, field: &str) -> Answer {
        let name = field.split('(').next().unwrap_or_default();
        // Most have a payload with what speaks against it; some of those have something else that is wanted.
        let selection = match name {
            "recordDevices" | "recordSignIns" => "",
            "addWorkflow" => "{ id }",
            "defineCustomProperty" => "{ name }",
            "requestData" => "{ requestForData { id } userErrors { code message } }",
            "createWebhook" => "{ webhook { id } userErrors { code message } }",
            _ => "{ userErrors { code message } }",
        };
        let answer = api.graphql_whole_in_time(&format!("mutation {{ {} {selection} }}", self.fill(field)), json!({})).await;
        let body = answer.json();
        let against = body["data"][name].get("userErrors").unwrap_or(&Value::Null);
        assert!(body["errors"].is_null() && (against.is_null() || *against == json!([])), "{kind}: {body}");
        answer
    }
}

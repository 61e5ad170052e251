//! A stream of server-sent events, read line by line.

use serde_json::Value;

use super::socket::SOON;

/// What comes next of a stream.
#[derive(Debug, Clone, PartialEq)]
pub enum Came {
    /// An event with its name and its data.
    Event(String, String),
    /// A line that is for nobody: it keeps the connection alive.
    Comment,
    /// The stream is over, as HTTP says it.
    End,
    /// The connection broke.
    Broken,
}

/// A stream that was accepted.
pub struct EventStream {
    response: reqwest::Response,
    heard: Vec<u8>,
    name: String,
    data: Vec<String>,
}

impl EventStream {
    /// Sends a request that must be answered by a stream.
    pub async fn open(request: reqwest::RequestBuilder) -> Self {
        let response = request.header("accept", "text/event-stream").send().await.expect("an answer");
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
        let status = response.status();
        if status != 200 || kind.split(';').next() != Some("text/event-stream") {
            let text = response.text().await.unwrap_or_default();
            panic!("no stream: {status} {kind}: {text}");
        }
        Self { response, heard: Vec::new(), name: String::new(), data: Vec::new() }
    }

    pub fn header(&self, name: &str) -> &str {
        self.response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// What comes next, whatever it is.
    pub async fn hear(&mut self) -> Came {
        loop {
            while let Some(line) = self.line() {
                if let Some(came) = self.take(&line) {
                    return came;
                }
            }
            match tokio::time::timeout(SOON, self.response.chunk()).await.expect("something comes") {
                Ok(Some(chunk)) => self.heard.extend_from_slice(&chunk),
                Ok(None) => return Came::End,
                Err(_) => return Came::Broken,
            }
        }
    }

    /// The next whole line, without its end.
    fn line(&mut self) -> Option<String> {
        let end = self.heard.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.heard.drain(..=end).collect();
        let line = String::from_utf8(line).expect("an event is text");
        Some(line.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// Takes a line in, by the rules of the HTML standard.
    fn take(&mut self, line: &str) -> Option<Came> {
        if line.is_empty() {
            let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
            return (!name.is_empty() || !data.is_empty()).then(|| Came::Event(name, data.join("\n")));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" => return Some(Came::Comment),
            "event" => value.clone_into(&mut self.name),
            "data" => self.data.push(value.to_owned()),
            // Such as `id`: whoever doesn't know a field goes over it.
            _ => {}
        }
        None
    }

    /// The next event but for comments.
    async fn event(&mut self) -> (String, String) {
        loop {
            match self.hear().await {
                Came::Event(name, data) => return (name, data),
                Came::Comment => {}
                end => panic!("an event: {end:?}"),
            }
        }
    }

    /// The next event, which must be a result.
    pub async fn next(&mut self) -> Value {
        let (name, data) = self.event().await;
        assert_eq!(name, "next", "{data}");
        serde_json::from_str(&data).unwrap_or_else(|error| panic!("{error}: {data}"))
    }

    /// That the operation is complete, and the stream over behind it.
    pub async fn completed(&mut self) {
        assert_eq!(self.event().await, ("complete".to_owned(), String::new()));
        loop {
            match self.hear().await {
                Came::Comment => {}
                end => return assert_eq!(end, Came::End),
            }
        }
    }

    /// The only result of an operation.
    pub async fn only(&mut self) -> Value {
        let result = self.next().await;
        self.completed().await;
        result
    }

    /// The errors that refuse an operation: a result without data, and then the end.
    pub async fn refusal(&mut self) -> Vec<Value> {
        let result = self.only().await;
        assert!(result["data"].is_null(), "{result}");
        result["errors"].as_array().unwrap_or_else(|| panic!("errors: {result}")).clone()
    }
}

//! An answer of the server, and what tests want to know of it.

use serde_json::Value;

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The request, for messages.
    pub asked: String,
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    /// The same answer, when it has this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.asked, self.text);
        self
    }

    /// Whether the service had too little time for it, and says that nothing was done.
    pub fn was_too_slow(&self) -> bool {
        self.status == 503 && self.text.contains("took longer than it may and was not done")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{}: {error}\n{}", self.asked, self.text))
    }

    /// A header's value; empty when there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The lines of an `errors` body.
    #[track_caller]
    pub fn errors(&self) -> Vec<String> {
        let body = self.json();
        let errors = body["errors"].as_array().unwrap_or_else(|| panic!("{}: no errors in {}", self.asked, self.text));
        errors.iter().map(|error| error.as_str().expect("a text").to_owned()).collect()
    }

    /// Where the faults are: what stands before the colon of each error, sorted.
    #[track_caller]
    pub fn places(&self) -> Vec<String> {
        let mut places: Vec<String> = self.errors().iter().map(|error| error.split(": ").next().unwrap_or_default().to_owned()).collect();
        places.sort();
        places
    }
}

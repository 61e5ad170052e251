//! A provider over HTTP: a signed request (Standard Webhooks 1.0), and an answer that is believed only as far as it keeps to its form.

use std::time::Duration;

use chrono::Utc;
use graph_schema::screening::ScreeningOperation;
use reqwest::{Client, Response, StatusCode, header};
use serde::Deserialize;
use standardwebhooks::Webhook as Signer;
use url::Url;

use super::Subject;
use super::party::{Party, ToldParty};
use super::result::{Match, ProviderResult};
use super::settings::ProviderSecret;
use crate::Reach;

/// Bytes of an answer.
const LARGEST: usize = 64 << 10;
/// Matches of an answer, and reasons of a match.
const MOST_MATCHES: usize = 20;
const MOST_REASONS: usize = 50;
/// Characters of a match's id, and of any other text.
const LONGEST_ID: usize = 256;
const LONGEST_TEXT: usize = 1_000;

/// A service of somebody else.
pub struct HttpProvider {
    pub url: String,
    pub secret: ProviderSecret,
    /// How long a request may take when nobody waits for it.
    pub timeout: Duration,
    pub reach: Reach,
    /// None where none could be made.
    pub client: Option<Client>,
}

/// What a provider is asked about.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The screening's id: the same at each try.
    pub id: &'a str,
    pub operation: ScreeningOperation,
    pub subject: Subject<'a>,
    pub party: Option<&'a Party>,
}

/// What a provider answers.
#[derive(Deserialize)]
struct Answer {
    id: String,
    response: AnsweredResponse,
    #[serde(default)]
    matches: Vec<Match>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum AnsweredResponse {
    Hit,
    Miss,
}

impl HttpProvider {
    /// Asks once. Whoever stops waiting ends the request.
    pub async fn ask(&self, asked: &Asked<'_>) -> ProviderResult {
        match self.send(asked).await {
            Ok(text) => read(&text, asked.id).unwrap_or_else(ProviderResult::error),
            Err(result) => result,
        }
    }

    async fn send(&self, asked: &Asked<'_>) -> Result<Vec<u8>, ProviderResult> {
        let unusable = |problem: String| ProviderResult::error(format!("the provider's URL {problem}"));
        let url = Url::parse(&self.url).map_err(|error| unusable(error.to_string()))?;
        self.reach.check_scheme(&url).and_then(|()| self.reach.check_url(&url)).map_err(unusable)?;
        let client = self.client.as_ref().ok_or_else(|| ProviderResult::error("requests can't be made; see the service's log"))?;
        let (at, body) = (Utc::now().timestamp(), asked.body());
        let signer = Signer::new(self.secret.reveal());
        let signature = signer.and_then(|signer| signer.sign(asked.id, at, body.as_bytes()));
        let signature = signature.map_err(|_| ProviderResult::error("the request can't be signed"))?;
        let request = client
            .post(url)
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", asked.id)
            .header("webhook-timestamp", at)
            .header("webhook-signature", signature)
            .timeout(self.timeout)
            .body(body);
        let response = request.send().await.map_err(|error| failed(&error))?;
        match response.status() {
            StatusCode::OK => whole(response).await,
            status => Err(ProviderResult::error(format!("the provider answered with status {}", status.as_u16()))),
        }
    }
}

impl Asked<'_> {
    fn body(&self) -> String {
        let parties: Vec<ToldParty<'_>> = self.party.into_iter().map(ToldParty::from).collect();
        // They are texts and lists of texts.
        let parties = serde_json::to_string(&parties).unwrap_or_default();
        let (id, operation) = (serde_json::Value::from(self.id), self.operation.as_str());
        // The record is the JSON text that came.
        let (field, record) = match self.subject {
            Subject::Payment(payment) => ("transaction", &payment.record),
            Subject::Actor(actor) => ("actor", &actor.record),
        };
        format!(r#"{{"id":{id},"operation":"{operation}","{field}":{record},"parties":{parties}}}"#)
    }
}

fn failed(error: &reqwest::Error) -> ProviderResult {
    if error.is_timeout() {
        return ProviderResult::timeout();
    }
    ProviderResult::error(if error.is_connect() { "there is no connection to the provider" } else { "the connection to the provider broke" })
}

/// The body, as long as it is not too long.
async fn whole(mut response: Response) -> Result<Vec<u8>, ProviderResult> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
        if bytes.len() + chunk.len() > LARGEST {
            return Err(ProviderResult::error(format!("the provider's answer has more than {LARGEST} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// What an answer says; the error says why it is not believed.
pub fn read(text: &[u8], id: &str) -> Result<ProviderResult, &'static str> {
    let answer: Answer = serde_json::from_slice(text).map_err(|_| "the provider's answer is not JSON of the documented form")?;
    if answer.id != id {
        return Err("the provider's answer is about another screening");
    }
    if answer.matches.len() > MOST_MATCHES {
        return Err("the provider's answer has too many matches");
    }
    if !answer.matches.iter().all(is_sound) {
        return Err("a match of the provider's answer has an empty or too long text, too many reasons, or a score that is not from 0 to 1");
    }
    match answer.response {
        AnsweredResponse::Miss if answer.matches.is_empty() => Ok(ProviderResult::miss()),
        AnsweredResponse::Miss => Err("the provider's answer is a miss with matches"),
        AnsweredResponse::Hit if answer.matches.is_empty() => Err("the provider's answer is a hit without a match"),
        AnsweredResponse::Hit => Ok(ProviderResult::hit(answer.matches)),
    }
}

fn is_sound(found: &Match) -> bool {
    let is_short = |text: &String| text.chars().count() <= LONGEST_TEXT;
    let reasons = &found.reasons;
    let texts = reasons.iter().flat_map(|reason| [Some(&reason.what), reason.party.as_ref(), reason.listed.as_ref()]);
    !found.id.trim().is_empty()
        && found.id.chars().count() <= LONGEST_ID
        && reasons.len() <= MOST_REASONS
        && texts.chain([found.name.as_ref()]).flatten().all(is_short)
        && found.score.is_none_or(|score| (0.0..=1.0).contains(&score))
        && reasons.iter().filter_map(|reason| reason.cost).all(f64::is_finite)
}

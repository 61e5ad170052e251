//! What a bank sends beside payments: actors, risk scores, cases.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::http;
use crate::payments::{Accounts, Random};
use crate::service::KEY;

/// A day of the records' dates is over after so many of them: later ones are newer.
const RECORDS_A_DAY: u64 = 1_000;
/// Days that the dates go through, four weeks a month.
const DAYS: u64 = 336;

/// A request that sends an actor: one that was not there before, or a newer record of an owner of accounts.
pub fn actor(random: &mut Random) -> Vec<u8> {
    let number = next();
    let id = if random.below(2) == 0 { format!("client-{number:09}") } else { owner(random) };
    http::post("/api/actors", KEY, &record(&id, number))
}

/// A request that sends this actor.
pub fn actor_of_id(id: &str) -> Vec<u8> {
    http::post("/api/actors", KEY, &record(id, next()))
}

/// A person with what is usually known of one.
fn record(id: &str, number: u64) -> String {
    let as_of = date(number);
    format!(
        r#"{{"id":"{id}","asOfDate":"{as_of}","type":"INDIVIDUAL","firstName":"Robin","lastName":"Client {number}","name":"Robin Client {number}","dateOfBirth":"1980-02-29","domicile":"DE","nationality":"DE","status":"ACTIVE","addresses":[{{"line1":"{number} High Street","postcode":"{:05}","city":"Berlin","country":"DE"}}],"emails":[{{"address":"client-{number}@example.com"}}],"phones":[{{"number":"+49 1512 {:07}"}}]}}"#,
        number % 100_000,
        number % 10_000_000,
    )
}

/// A request that sends a risk score of an owner of accounts.
pub fn risk_score(random: &mut Random) -> Vec<u8> {
    let (as_of, score) = (date(next()), random.below(10_000) as f64 / 100.0);
    let body = format!(r#"{{"as_of_date":"{as_of}","final_score":{score},"risk_rule_id":"rule-{}"}}"#, random.below(20));
    http::post(&format!("/api/actors/{}/risk_scores", owner(random)), KEY, &body)
}

/// Ids of cases that have been made: anybody may update any of them.
#[derive(Clone, Default)]
pub struct Cases(Arc<Mutex<Vec<String>>>);

/// A request about a case.
pub struct CaseRequest {
    pub request: Vec<u8>,
    /// The case that is there once the request is answered.
    pub makes: Option<String>,
}

impl Cases {
    /// Makes a case or updates one that was made before, half of each.
    pub fn request(&self, random: &mut Random) -> CaseRequest {
        let updates = random.below(2) == 0;
        match self.any(random).filter(|_| updates) {
            Some(id) => CaseRequest { request: update_case(&id), makes: None },
            None => create_case(random),
        }
    }

    /// Notes a case that is there.
    pub fn made(&self, id: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(id);
    }

    fn any(&self, random: &mut Random) -> Option<String> {
        let made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = random.below((made.len() as u64).max(1)) as usize;
        made.get(at).cloned()
    }
}

/// A request that makes a case of one or two actors.
pub fn create_case(random: &mut Random) -> CaseRequest {
    let id = format!("00000000-0000-4000-8000-{:012x}", next());
    let (focal, connected) = (owner(random), owner(random));
    let connected = if connected == focal { String::new() } else { format!(r#",{{"id":"{connected}"}}"#) };
    let body =
        format!(r#"{{"id":"{id}","type":"ANALYSIS","actors":[{{"id":"{focal}","type":"FOCAL"}}{connected}],"metadata":{{"raised_by":"a rule"}}}}"#);
    CaseRequest { request: http::post("/api/cases", KEY, &body), makes: Some(id) }
}

/// A request that changes a case.
pub fn update_case(id: &str) -> Vec<u8> {
    http::patch(&format!("/api/cases/{id}"), KEY, &case_update())
}

/// The same under a name of its own.
pub fn update_case_as(name: &str, id: &str) -> Vec<u8> {
    http::patch_as(name, &format!("/api/cases/{id}"), KEY, &case_update())
}

/// Each says something else.
fn case_update() -> String {
    format!(r#"{{"resolution":{{"looked_at":{}}},"c__region":"EMEA"}}"#, next())
}

/// The owner of one of the accounts that payments go between.
fn owner(random: &mut Random) -> String {
    Accounts::Spread.owner(random.below(Accounts::Spread.count()))
}

/// Each record is another.
fn next() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// The day of a record.
fn date(number: u64) -> String {
    let day = (number / RECORDS_A_DAY).min(DAYS - 1);
    format!("2024-{:02}-{:02}", 1 + day / 28, 1 + day % 28)
}

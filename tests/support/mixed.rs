//! Writes of other kinds than payments, each with a name by which sending it again is known: risk scores, cases, comments on a case.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use super::load::Running;
use super::{Answer, Api, Ids, Server};

const COMMENT: &str = "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { userErrors { code } case { version } } }";

/// What was sent and what was acknowledged, in as many runs as are wanted.
#[derive(Clone)]
pub struct Mixed {
    ids: Ids,
    /// The case that is commented on.
    case: String,
    next: Arc<AtomicUsize>,
    acknowledged: Arc<Mutex<BTreeSet<usize>>>,
}

impl Mixed {
    pub async fn new(ids: &Ids, api: &Api) -> Self {
        let case = api.post("/api/cases", "{}").await.expect(200).json()["case_id"].as_str().expect("an id").to_owned();
        Self { ids: ids.clone(), case, next: Arc::default(), acknowledged: Arc::default() }
    }

    /// Lets writers loose on a server.
    pub fn run(&self, writers: usize, api: impl Fn() -> Api) -> Running {
        Running::start(writers, |go_on| self.clone().write(api(), go_on))
    }

    async fn write(self, api: Api, go_on: Arc<AtomicBool>) {
        while go_on.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if self.send(&api, number).await {
                self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).insert(number);
            } else {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }

    /// Sends one, for the first time or again; whether it was acknowledged.
    async fn send(&self, api: &Api, number: usize) -> bool {
        let name = self.ids.of(&format!("mixed-{number}"));
        let request = match number % 3 {
            0 => {
                let score = json!({"as_of_date": "2024-01-01", "final_score": 1, "risk_rule_id": name});
                let path = format!("/api/actors/{}/risk_scores", self.ids.of("scored"));
                api.posting(&path, score.to_string()).header("idempotency-key", &name)
            }
            1 => api.posting("/api/cases", json!({"id": self.case_id(number)}).to_string()),
            _ => {
                let input = json!({"caseId": self.case, "text": name, "idempotencyKey": name});
                api.posting("/graphql", json!({"query": COMMENT, "variables": {"input": input}}).to_string())
            }
        };
        let done = |answer: Answer| answer.status == 200 && (number % 3 != 2 || answer.json()["data"]["commentOnCase"]["userErrors"] == json!([]));
        api.try_send(request).await.is_ok_and(done)
    }

    fn case_id(&self, number: usize) -> String {
        let digits: String = self.ids.digits(12);
        format!("00000000-0000-4000-8000-{:012}", (digits.parse::<u64>().expect("digits") + number as u64) % 1_000_000_000_000)
    }

    /// What was acknowledged is there; what is sent again, acknowledged or not, is there once, and the commented case's events have no gap.
    pub async fn check(&self, server: &mut Server) {
        let acknowledged = self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let found = self.found(server);
        let lost: Vec<&usize> = acknowledged.iter().filter(|number| !found.contains_key(*number)).collect();
        assert!(lost.is_empty(), "acknowledged and not there: {lost:?}");
        let sent = self.next.load(Ordering::Relaxed);
        for number in 0..sent {
            while !self.send(server, number).await {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        let found = self.found(server);
        let wrong: Vec<_> = (0..sent).filter(|number| found.get(number) != Some(&1)).map(|number| (number, found.get(&number))).collect();
        assert!(wrong.is_empty(), "each is there once: {wrong:?}");

        let sequences = format!("MATCH (e:Event) WHERE e.caseId = '{}' RETURN e.sequence AS sequence ORDER BY e.sequence", self.case);
        let sequences: Vec<i64> = server.cypher(&sequences).iter().map(|row| row["sequence"].as_i64().expect("a number")).collect();
        let comments = (0..sent).filter(|number| number % 3 == 2).count() as i64;
        assert_eq!(sequences, (1..=comments + 1).collect::<Vec<i64>>(), "its making and each comment have one event");
        println!("{} of {sent} other writes acknowledged", acknowledged.len());
    }

    /// How often each is there, with its audit entry.
    fn found(&self, server: &mut Server) -> BTreeMap<usize, i64> {
        let sent = self.next.load(Ordering::Relaxed);
        let names: BTreeMap<String, usize> = (0..sent).map(|number| (self.ids.of(&format!("mixed-{number}")), number)).collect();
        let mut found = BTreeMap::new();
        let scores = "MATCH (x:RiskScore) MATCH (a:AuditEntry {id: x.id}) RETURN x.riskRuleId AS name, count(a) AS times";
        let comments = format!(
            "MATCH (:`Case` {{id: '{}'}})-[:HAS_COMMENT]->(x) MATCH (a:AuditEntry {{id: x.id}}) RETURN x.text AS name, count(a) AS times",
            self.case
        );
        for query in [scores, comments.as_str()] {
            for row in server.cypher(query) {
                if let Some(number) = row["name"].as_str().and_then(|name| names.get(name)) {
                    found.insert(*number, row["times"].as_i64().expect("a count"));
                }
            }
        }
        let ids: BTreeMap<String, usize> = (0..sent).filter(|number| number % 3 == 1).map(|number| (self.case_id(number), number)).collect();
        // An event's id begins with that of its write's audit entry.
        let cases = "MATCH (e:Event) WHERE e.name = 'case.created' MATCH (c:`Case` {id: e.caseId}) MATCH (a:AuditEntry {id: substring(e.id, 0, 36)})
            RETURN c.id AS id, count(a) AS times";
        for row in server.cypher(cases) {
            if let Some(number) = row["id"].as_str().and_then(|id| ids.get(id)) {
                found.insert(*number, row["times"].as_i64().expect("a count"));
            }
        }
        found
    }
}

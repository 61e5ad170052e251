//! Casework about actors of the sample, so that screens have something to show: alerts, cases in the hands of users, what was said and found in them, requests
//! for data, segments, deliveries and suppressed signals.
//!
//! It is done through the service, by the mutations of `docs/screens`, but for what only its own jobs write.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use chrono::Utc;
use cypher::{Engine, Params, Statement, Value as Row, map};
use serde_json::{Value, json};

use crate::database::write;
use crate::desk::Desk;
use crate::service::Service;

/// More than a page of the inbox has.
const CASES: usize = 60;
/// Each is about three alerts; of the others most wait.
const ALERTS: usize = 180;
const DISMISSED: usize = 40;
const USERS: usize = 8;
const CATEGORIES: usize = 5;
const GROUPS: usize = 8;
const MEMBERS: usize = 10;
const WEBHOOKS: usize = 20;
const DELIVERIES: usize = 12;
const SIGNALS: usize = 120;
/// Of the first alert, in seconds; the others come an hour after one another.
const FIRST_ALERT: i64 = 1_718_280_000;
const HOUR: i64 = 3_600;
const KIND: &str = "KYC";
/// Deliveries that wait are not taken, as their webhooks are not active.
const STATES: [&str; 4] = ["DELIVERED", "FAILED", "WAITING", "FAILED"];

macro_rules! act {
    ($name:literal) => {
        include_str!(concat!("../../../../docs/screens/", $name, ".graphql"))
    };
}

const CREATE_USER: &str = "mutation($input: CreateUserInput!) { createUser(input: $input) { user { id } userErrors { message } } }";
const CREATE_CATEGORY: &str = "mutation($input: CreateSegmentationCategoryInput!) { createSegmentationCategory(input: $input) { category { id } \
                               userErrors { message } } }";
const PARTIES: &str = "{ accounts(first: 500) { nodes { id actors(first: 1) { nodes { id } } sent(first: 1) { nodes { id } } } } }";

/// Webhooks that are not active, with what became of their deliveries.
const DELIVERED: Statement = Statement::new(
    "fill/deliveries_of_webhooks",
    "UNWIND $rows AS row
CREATE (w:Webhook {id: row.id, name: row.name, url: 'https://desk.example.com/hooks', events: [], status: 'INACTIVE', createdAt: row.createdAt,
  tenant: 'default', secretShown: true})
WITH w, row
UNWIND row.deliveries AS of
CREATE (e:Event {id: of.event, name: 'case.updated', caseId: of.case, sequence: of.sequence, createdAt: of.at, data: '{}'})
CREATE (d:Delivery {id: of.id, name: 'case.updated to ' + row.id, webhookId: row.id, eventId: of.event, eventName: 'case.updated', caseId: of.case,
  sequence: of.sequence, state: of.state, createdAt: of.at, finishedAt: of.finishedAt, attempts: 1, attemptLog: [of.attempt]})
CREATE (d)-[:TELLS]->(e)
CREATE (d)-[:GOES_TO]->(w)",
);
/// As detection suppresses them.
const SUPPRESSED: Statement = Statement::new(
    "fill/suppressed_signals",
    "UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
CREATE (s:SuppressedSignal {id: row.id, name: 'Signal', signalId: row.number, actorId: row.actor, reviewDate: row.day,
  detectionMethodName: 'Structuring', decisionReason: 'SUPPRESSED', dataSource: 'core'})-[:SUPPRESSED_FOR]->(a)",
);

/// What there is to ask about, by ids.
pub struct Casework {
    pub users: Vec<String>,
    /// Those on whom cases focus.
    pub actors: Vec<String>,
    pub accounts: Vec<String>,
    pub payments: Vec<String>,
    pub cases: Vec<String>,
    pub groups: Vec<String>,
}

/// Somebody of the sample, with an account and a payment out of it.
struct Party {
    actor: String,
    account: String,
    payment: String,
}

/// Who does it: an administrator and an analyst.
struct Office {
    admin: Desk,
    analyst: Desk,
    /// In the order of their ids; one more than there are cases.
    parties: Vec<Party>,
}

impl Casework {
    /// Does it at a service, before whose store there is another way for what only jobs write.
    pub async fn done(service: &Service, raw: &Engine, analyst: &str) -> Result<Self> {
        let mut admin = Desk::open(service.address).await?;
        let parties = parties(&mut admin).await?;
        let mut office = Office { admin, analyst: Desk::with_key(service.address, analyst).await?, parties };
        let users = office.hires().await?;
        office.is_alerted().await?;
        let cases = office.raises_cases(&users).await?;
        for (number, case) in cases.iter().enumerate() {
            office.works_on(number, case).await.with_context(|| format!("case {number}"))?;
        }
        office.tags_and_closes(&cases).await?;
        let groups = office.makes_groups().await?;
        let told_of = id_at(&office.admin.send("/api/cases", &json!({})).await?, "/case_id")?;
        write(raw, DELIVERED, Params::rows((0..WEBHOOKS).map(|number| webhook(number, &told_of)).collect())).await?;
        write(raw, SUPPRESSED, Params::rows((0..SIGNALS).map(|number| office.signal(number)).collect())).await?;
        let parties = &office.parties[..CASES];
        let [actors, accounts] = [of_each(parties, |of| &of.actor), of_each(parties, |of| &of.account)];
        Ok(Self { users, actors, accounts, payments: of_each(parties, |of| &of.payment), cases, groups })
    }

    #[cfg(test)]
    pub fn of_one_each() -> Self {
        let [users, actors, accounts, payments, cases, groups] = [(); 6].map(|()| vec!["x".to_owned()]);
        Self { users, actors, accounts, payments, cases, groups }
    }
}

/// The id at a place of an answer.
fn id_at(answer: &Value, place: &str) -> Result<String> {
    answer.pointer(place).and_then(Value::as_str).map(str::to_owned).with_context(|| format!("no {place} in {answer}"))
}

/// Owners of accounts that have paid, the first by their ids.
async fn parties(admin: &mut Desk) -> Result<Vec<Party>> {
    let data = admin.ask(PARTIES, json!({})).await?;
    let mut by_actor = BTreeMap::new();
    for node in data["accounts"]["nodes"].as_array().into_iter().flatten() {
        let of = ["/actors/nodes/0/id", "/id", "/sent/nodes/0/id"].map(|place| id_at(node, place));
        if let [Ok(actor), Ok(account), Ok(payment)] = of {
            by_actor.entry(actor).or_insert((account, payment));
        }
    }
    let parties: Vec<Party> = by_actor.into_iter().map(|(actor, (account, payment))| Party { actor, account, payment }).take(CASES + 1).collect();
    ensure!(parties.len() > CASES, "the sample has {} of these parties", parties.len());
    Ok(parties)
}

fn of_each(parties: &[Party], id: impl Fn(&Party) -> &String) -> Vec<String> {
    parties.iter().map(|party| id(party).clone()).collect()
}

/// Cases as mutations take them.
fn named<'a>(cases: impl Iterator<Item = &'a String>) -> Vec<Value> {
    cases.map(|case| json!({"caseId": case})).collect()
}

fn alert_id(number: usize) -> String {
    format!("alert-{number:03}")
}

impl Office {
    async fn hires(&mut self) -> Result<Vec<String>> {
        let mut users = Vec::with_capacity(USERS);
        for number in 0..USERS {
            let input = json!({"username": format!("analyst-{number}"), "firstName": "Ada", "lastName": format!("Byron {number}")});
            users.push(id_at(&self.admin.act(CREATE_USER, input).await?, "/user/id")?);
        }
        Ok(users)
    }

    /// Of each party three times. Another one comes with it, whose id is behind the other's: so it is in whatever order actors of a case come.
    async fn is_alerted(&mut self) -> Result<()> {
        for number in 0..ALERTS {
            let record = self.alert(number);
            self.admin.send("/api/observations", &record).await?;
        }
        let dismissed: Vec<String> = (CASES..CASES + DISMISSED).map(alert_id).collect();
        self.analyst.act(act!("dismiss-observations"), json!({"observationIds": dismissed, "reason": "Explained"})).await?;
        Ok(())
    }

    fn alert(&self, number: usize) -> Value {
        let [about, beside] = [0, 1].map(|place| &self.parties[number % CASES + place]);
        let conditions = json!([{"id": "c1", "matched": true}, {"id": "c2", "matched": false}]);
        let priority = ["HIGH", "MEDIUM", "LOW"][number % 3];
        let rule = |id: String| json!({"id": id, "name": format!("Rule {id}"), "status": "MATCHED", "score": 0.5, "conditions": conditions});
        json!({
            "id": alert_id(number), "type": "ALERT_RULE", "behaviorId": "structuring", "behaviorName": "Structuring",
            "date": FIRST_ALERT + number as i64 * HOUR, "score": number as f64 / 1_000.0, "priority": priority,
            "title": format!("Unusual payments {number}"), "taxonomyDescription": "Layering", "label": "l1", "programGroup": "AML",
            "businessDate": "2024-06-13", "dataSource": "monitoring",
            "actors": [{"actorId": about.actor, "primary": true}, {"actorId": beside.actor}],
            "transactionIds": [about.payment, beside.payment],
            "rules": [rule(format!("rule-{}", number % 7)), rule(format!("rule-{}", 7 + number % 5))],
            "features": [{"group": "amounts", "items": [{"name": "sum", "value": 10.5}]}],
        })
    }

    /// One of each of the first alerts, in their order; each user has some.
    async fn raises_cases(&mut self, users: &[String]) -> Result<Vec<String>> {
        let mut cases = vec![String::new(); CASES];
        for (place, user) in users.iter().enumerate() {
            let numbers: Vec<usize> = (place..CASES).step_by(USERS).collect();
            let alerts: Vec<[String; 1]> = numbers.iter().map(|number| [alert_id(*number)]).collect();
            let raised = self.analyst.act(act!("raise-cases"), json!({"observationIds": alerts, "assigneeId": user})).await?;
            for (at, number) in numbers.into_iter().enumerate() {
                cases[number] = id_at(&raised, &format!("/results/{at}/case/id"))?;
            }
        }
        let schema = json!({"type": "object", "properties": {"actor_id": {"type": "string"}}, "required": ["actor_id"]});
        self.admin.send("/api/request_for_data/schemas", &json!({"type": KIND, "schema": schema})).await?;
        Ok(cases)
    }

    /// What is said, found and asked for in a case; data in every second one.
    async fn works_on(&mut self, number: usize, case: &str) -> Result<()> {
        let Party { actor, payment, .. } = &self.parties[number];
        let analyst = &mut self.analyst;
        for remark in 0..3 {
            analyst.act(act!("comment-on-case"), json!({"caseId": case, "text": format!("Remark {remark}")})).await?;
        }
        let letter = json!({"caseId": case, "type": "email", "subject": "A question", "content": "…", "senderId": actor, "senderIsActor": true,
            "receiverId": "bank"});
        analyst.act(act!("add-case-communication"), letter).await?;
        analyst.act(act!("set-case-actor-finding"), json!({"caseId": case, "actorId": actor, "decision": "CLEARED"})).await?;
        let decided = json!({"caseId": case, "transactionId": payment, "decision": "RELEASE", "comment": "Known"});
        analyst.act(act!("decide-transaction"), decided).await?;
        let feedback = ["TRUE_POSITIVE", "FALSE_POSITIVE"][number % 2];
        analyst.act(act!("give-observation-feedback"), json!({"caseId": case, "observationId": alert_id(number), "feedback": feedback})).await?;
        analyst.upload(&format!("/api/cases/{case}/files"), "note.txt", "seen").await?;
        if number.is_multiple_of(2) {
            analyst.act(act!("request-data"), json!({"caseId": case, "type": KIND, "request": {"actor_id": actor}})).await?;
        }
        Ok(())
    }

    /// One in ten, of which none waits for data.
    async fn tags_and_closes(&mut self, cases: &[String]) -> Result<()> {
        let tags = json!([{"id": "urgent", "label": "Urgent"}, {"id": "cash", "label": "Cash"}]);
        self.analyst.act(act!("tag-cases"), json!({"cases": named(cases.iter()), "add": tags})).await?;
        let closed = named(cases.iter().skip(9).step_by(10));
        let input = json!({"cases": closed, "closeReason": "EXPLAINED", "dispositionNarrative": "Nothing"});
        self.analyst.act(act!("close-cases"), input).await.map(drop)
    }

    async fn makes_groups(&mut self) -> Result<Vec<String>> {
        let mut groups = Vec::with_capacity(CATEGORIES * GROUPS);
        for category in 0..CATEGORIES {
            let made = self.admin.act(CREATE_CATEGORY, json!({"name": format!("Category {category}")})).await?;
            let category = id_at(&made, "/category/id")?;
            for group in 0..GROUPS {
                let input = json!({"categoryId": category, "name": format!("Group {group}"), "description": "With an adviser"});
                let group = id_at(&self.admin.act(act!("create-segmentation-group"), input).await?, "/group/id")?;
                let from = groups.len() % (CASES - MEMBERS);
                let members: Vec<&String> = self.parties[from..from + MEMBERS].iter().map(|of| &of.actor).collect();
                self.admin.act(act!("add-segmentation-group-members"), json!({"groupId": group, "actorIds": members})).await?;
                self.admin.act(act!("add-segmentation-group-owner"), json!({"groupId": group, "actorId": members[0]})).await?;
                groups.push(group);
            }
        }
        Ok(groups)
    }

    fn signal(&self, number: usize) -> Row {
        let day = format!("2024-{:02}-{:02}", number / 28 + 1, number % 28 + 1);
        map([
            ("id", format!("signal-{number:03}").into()),
            ("number", (number as i64).into()),
            ("actor", self.parties[number % CASES].actor.as_str().into()),
            ("day", day.into()),
        ])
    }
}

/// A webhook with its deliveries, each at a time of its own.
fn webhook(number: usize, case: &str) -> Row {
    let now = Utc::now().timestamp_millis();
    let attempt = json!({"at": "2024-01-31T12:00:00Z", "millis": 12, "status": 500, "answer": "no", "problem": null}).to_string();
    let id = format!("00000000-0000-4000-8000-{number:012}");
    let delivery = |place: usize| {
        let (sequence, state) = (number * DELIVERIES + place, STATES[place % STATES.len()]);
        let at = now - 1_000 * sequence as i64;
        let finished_at = (state != "WAITING").then_some(at);
        map([
            ("id", format!("delivery-{sequence:04}").into()),
            ("event", format!("event-{sequence:04}").into()),
            ("case", case.into()),
            // Behind what was told of the case itself.
            ("sequence", (1_000 + sequence as i64).into()),
            ("state", state.into()),
            ("at", at.into()),
            ("finishedAt", finished_at.into()),
            ("attempt", attempt.as_str().into()),
        ])
    };
    let deliveries = (0..DELIVERIES).map(delivery).collect();
    map([
        ("id", id.into()),
        ("name", format!("Desk {number:02}").into()),
        ("createdAt", (now - number as i64).into()),
        ("deliveries", Row::List(deliveries)),
    ])
}

//! Numbers of cases, which come from counts that a job keeps: whatever is done with cases meanwhile, and whenever that job is killed, they are what plain
//! code counts of the cases one by one, and what the statement says that goes through all of them.
//!
//! `CASE_CHANGES` says how many changes each of four writers makes in each of six rounds, in every second of which the server is killed; 12 unless it is
//! set. By hand, some 10,000 changes in the rounds without a kill:
//!
//! ```sh
//! CASE_CHANGES=840 cargo test --release --test suite -- case_counts --nocapture
//! ```

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::join_all;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::bulk::{SOON, eventually_is, taken};
use crate::support::case_work::done;
use crate::support::fixtures::{case_id, with};
use crate::support::jobs::Shown;
use crate::support::{Api, Engine, Ids, Server, eventually, requests, tests};

tests![both: numbers_of_cases_are_those_of_plain_code_whatever_happens_meanwhile];

/// In every second one the server is killed.
const ROUNDS: u64 = 6;
const WRITERS: u64 = 4;
/// Changes of each writer in a round, unless `CASE_CHANGES` says otherwise.
const CHANGES: usize = 12;
/// One case is moved, and asked about at once, until counts have answered so often; after that time one answer is enough.
const ANSWERS: usize = 5;
const FOR_ANSWERS: Duration = Duration::from_secs(60);

/// A key as it is named in `groupBy`, and the field of a row.
type Key = (&'static str, &'static str);

const KEYS: [Key; 7] = [
    ("STATUS", "status"),
    ("STATE", "state"),
    ("ASSIGNEE", "assignee"),
    ("TYPE", "type"),
    ("WORKFLOW", "workflow"),
    ("CREATED_DAY", "createdDay"),
    ("CLOSED_DAY", "closedDay"),
];
/// Of all cases, and by the day on which they were made.
const OF_COUNTS: [[Key; 2]; 2] = [[KEYS[0], KEYS[2]], [KEYS[0], KEYS[5]]];
/// When cases were made: on both sides of midnight.
const CREATED: [&str; 4] = ["2024-01-30T23:59:59Z", "2024-01-31T00:00:00Z", "2024-01-31T12:00:00Z", "2024-02-01T00:00:00Z"];
const ACTIONS: [&str; 5] = ["TAKE", "GIVE_BACK", "FINISH", "AGAIN", "TAKE"];

const STATISTICS: &str =
    "query($filter: CaseFilter, $keys: [CaseStatisticsKey!]!) { caseStatistics(filter: $filter, groupBy: $keys) { rowCount total { count }
    rows { status state assignee { id } type workflow { id } createdDay closedDay count } } }";

/// A filter, and whether a case as it is shown passes it.
type Passing = (Value, Box<dyn Fn(&Value) -> bool + Send + Sync>);

/// The cases of one workflow, which no other test has.
struct World {
    ids: Ids,
    workflow: String,
    users: [String; 2],
    /// The type of requests for data.
    kind: String,
    /// Those that were sent, whether they were taken or not.
    cases: Mutex<Vec<String>>,
    taken: AtomicUsize,
}

impl World {
    async fn new(api: &Api) -> Self {
        let ids = Ids::new();
        let workflow = ids.of("counted");
        let step = |id: &str, state: &str| json!({"id": id, "label": id, "status": id.to_uppercase(), "state": state});
        let step_to = |action: &str, from: &str, to: &str| json!({"action": action, "from": from, "to": to});
        let wanted = json!({"id": workflow, "name": workflow, "type": "ANALYSIS",
            "steps": [step("new", "OPEN"), step("review", "OPEN"), step("waiting", "OPEN"), step("done", "CLOSED")],
            "moves": [step_to("TAKE", "new", "review"), step_to("GIVE_BACK", "review", "new"), step_to("FINISH", "review", "done"),
                step_to("REQUEST_DATA", "review", "waiting"), step_to("TAKE", "waiting", "review"), step_to("AGAIN", "done", "new")]});
        let add = "mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id } }";
        api.graphql(add, json!({"input": {"workflow": wanted}})).await;
        let kind = requests::schema(api, &ids).await;
        let users = ["one", "two"].map(|name| ids.of(name));
        Self { workflow, users, kind, cases: Mutex::default(), taken: AtomicUsize::new(0), ids }
    }

    fn sent(&self) -> Vec<String> {
        self.cases.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn new_case(&self) -> String {
        let id = case_id();
        self.cases.lock().unwrap_or_else(PoisonError::into_inner).push(id.clone());
        id
    }

    /// Makes a case, by REST or by a mutation.
    async fn make(&self, api: &Api, random: &mut StdRng) {
        let id = self.new_case();
        let request = if random.random_bool(0.7) {
            let at = CREATED.choose(random).expect("one");
            api.posting("/api/cases", json!({"id": id, "workflow_id": self.workflow, "created_at": at}).to_string())
        } else {
            let create = "mutation($input: CreateCaseInput!) { createCase(input: $input) { userErrors { code } } }";
            let input = json!({"id": id, "workflowId": self.workflow});
            api.posting("/graphql", json!({"query": create, "variables": {"input": input}}).to_string())
        };
        if api.try_send(request).await.is_ok_and(|answer| answer.status == 200 && !answer.text.contains("\"errors\"")) {
            self.taken.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Changes a case in some way; where that is not possible as it stands, or the server dies over it, in none.
    async fn change(&self, api: &Api, case: &str, random: &mut StdRng) {
        let user = match random.random_range(0..3_usize) {
            0 => Value::Null,
            at => json!(self.users[at - 1]),
        };
        let (field, more) = match random.random_range(0..8) {
            0 | 1 => ("assignCase", json!({"userId": user})),
            2..6 => ("actOnCase", json!({"action": ACTIONS.choose(random).expect("one")})),
            6 => ("closeCase", json!({})),
            _ => ("requestData", json!({"type": self.kind, "request": {"actor_id": "a"}})),
        };
        let shown = if field == "requestData" { "requestForData { id }" } else { "userErrors { code }" };
        let input = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
        let query = format!("mutation($input: {input}!) {{ {field}(input: $input) {{ {shown} }} }}");
        let variables = json!({"input": with(json!({"caseId": case}), more)});
        let answer = api.try_send(api.posting("/graphql", json!({"query": query, "variables": variables}).to_string())).await;
        let asked = answer.ok().filter(|answer| answer.status == 200).map(|answer| answer.json()["data"][field]["requestForData"]["id"].take());
        if let Some(Value::String(request)) = asked
            && random.random_bool(0.5)
        {
            let path = format!("/request_for_data/{request}/reject");
            let _ = api.try_send(api.posting(&path, r#"{"reason":"nobody knows"}"#)).await;
        }
    }

    /// What one of several writers does in a round.
    async fn write(&self, api: Api, seed: u64) {
        let mut random = StdRng::seed_from_u64(seed);
        for _ in 0..changes() {
            let case = self.sent().choose(&mut random).cloned();
            match case.filter(|_| random.random_bool(0.7)) {
                Some(case) => self.change(&api, &case, &mut random).await,
                None => self.make(&api, &mut random).await,
            }
        }
    }

    /// Brings cases in bulk: new ones, and some that are there, as made on another day.
    async fn bring(&self, api: &Api, round: u64) {
        let there: Vec<String> = self.sent().into_iter().take(3).collect();
        let new: Vec<String> = (0..3).map(|_| self.new_case()).collect();
        let case = |(at, id): (usize, &String)| json!({"id": id, "workflow_id": self.workflow, "created_at": CREATED[(at + round as usize) % CREATED.len()]});
        let cases: Vec<Value> = there.iter().chain(&new).enumerate().map(case).collect();
        taken(api, &self.ids.of(&format!("bulk-{round}")), &json!({"cases": cases})).await;
        for id in there.iter().chain(&new) {
            eventually_is(api, id, "COMPLETED").await;
        }
        self.taken.fetch_add(new.len(), Ordering::SeqCst);
    }

    /// The cases as each is shown by itself.
    async fn shown(&self, api: &Api) -> Vec<Value> {
        let query = "query($id: ID!) { case(id: $id) { type createdAt closedAt assignee { id } step { status state workflow { id } } } }";
        let mut shown = Vec::new();
        for id in self.sent() {
            let case = api.graphql(query, json!({"id": id})).await["case"].take();
            if case.is_object() {
                shown.push(case);
            }
        }
        shown
    }

    async fn ask(&self, api: &Api, filter: &Value, keys: &[Key]) -> Value {
        let names: Vec<&str> = keys.iter().map(|(name, _)| *name).collect();
        let filter = with(json!({"workflowIds": [self.workflow]}), filter.clone());
        api.graphql(STATISTICS, json!({"filter": filter, "keys": names})).await["caseStatistics"].take()
    }

    /// Looks again and again while others write: a case that moves is one case at each moment.
    async fn watch(&self, api: &Api, is_over: &AtomicBool) {
        while !is_over.load(Ordering::SeqCst) {
            let least = self.taken.load(Ordering::SeqCst);
            let shown = self.ask(api, &json!({}), &[KEYS[0], KEYS[2]]).await;
            let rows: i64 = shown["rows"].as_array().expect("rows").iter().filter_map(|row| row["count"].as_i64()).sum();
            for number in [rows, shown["total"]["count"].as_i64().expect("a number")] {
                assert!(number >= least as i64 && number <= self.sent().len() as i64, "{least} to {}: {shown}", self.sent().len());
            }
        }
    }

    async fn check(&self, api: &Api, round: u64) {
        let cases = self.shown(api).await;
        self.taken.store(cases.len(), Ordering::SeqCst);
        let today = chrono::Utc::now().date_naive();
        let one = self.users[0].clone();
        let filters: [Passing; 9] = [
            (json!({}), Box::new(|_| true)),
            (json!({"state": ["OPEN"]}), Box::new(|case| case["step"]["state"] == "OPEN")),
            (
                json!({"statuses": ["REVIEW", "DONE"], "types": ["ANALYSIS"]}),
                Box::new(|case| ["REVIEW", "DONE"].iter().any(|status| case["step"]["status"] == *status)),
            ),
            (json!({"assigned": true}), Box::new(|case| !case["assignee"].is_null())),
            (json!({"assigneeIds": [one]}), Box::new(move |case| case["assignee"]["id"] == one.as_str())),
            (json!({"assigned": false, "states": ["CLOSED"]}), Box::new(|case| case["assignee"].is_null() && case["step"]["state"] == "CLOSED")),
            (
                json!({"createdFrom": "2024-01-31T00:00:00Z", "createdTo": "2024-02-01T00:00:00Z"}),
                Box::new(|case| case["createdAt"].as_str().is_some_and(|at| at.starts_with("2024-01-31"))),
            ),
            // The moment of midnight belongs to the range: that is no whole day.
            (
                json!({"createdTo": "2024-01-31T00:00:00.001Z"}),
                Box::new(|case| case["createdAt"].as_str().is_some_and(|at| at <= "2024-01-31T00:00:00Z")),
            ),
            (json!({"closedFrom": format!("{}T00:00:00Z", today - chrono::TimeDelta::days(1))}), Box::new(|case| !case["closedAt"].is_null())),
        ];
        let groupings = KEYS.iter().enumerate().map(|(at, key)| vec![*key, KEYS[(at + 2) % KEYS.len()]]).chain([Vec::new()]);
        for keys in groupings {
            self.compare(api, (cases.as_slice(), round), &filters[0], &keys).await;
        }
        // By keys of which counts know whatever is filtered besides.
        for filter in &filters[1..] {
            self.compare(api, (cases.as_slice(), round), filter, &[KEYS[0], KEYS[1]]).await;
        }
    }

    async fn compare(&self, api: &Api, (cases, round): (&[Value], u64), (filter, passes): &Passing, keys: &[Key]) {
        let passing: Vec<&Value> = cases.iter().filter(|case| passes(case)).collect();
        let counted = self.ask(api, filter, keys).await;
        // Of all cases this is so, and no count knows it.
        let computed = self.ask(api, &with(filter.clone(), json!({"updatedFrom": "1970-01-01T00:00:00Z"})), keys).await;
        assert_eq!(counted, computed, "round {round}: {filter} {keys:?}");
        assert_eq!(of_rows(&counted, keys), of_cases(&passing, keys), "round {round}: {filter} {keys:?}");
        assert_eq!(counted["total"]["count"], json!(passing.len()), "round {round}: {filter}");
    }

    /// What is asked now, of all cases and by day; whether it is answered without going through cases, and whether this server has counted none since
    /// its statements had run so often.
    async fn asked_of_counts(&self, api: &Api, before: &BTreeMap<String, f64>) -> ([Value; 2], bool, bool) {
        let answers = [self.ask(api, &json!({}), &OF_COUNTS[0]).await, self.ask(api, &json!({}), &OF_COUNTS[1]).await];
        let after = Shown::now(api).await.statements();
        let runs = |label: &str| after.get(label).unwrap_or(&0.0) - before.get(label).unwrap_or(&0.0);
        // Rows and total of each.
        (answers, runs("case_count/read") >= 4.0 && runs("list/statistics") == 0.0, runs("case_count/counted") == 0.0)
    }

    /// Asks about a case at once when it has moved. What waits is looked for once a second, so that this one is in its former counts still: what counts say is
    /// the sum of these and of what waits. Cases of other tests may be counted meanwhile, so that all are gone through; not each time. That it waits is
    /// seen where no other server counts: on the embedded engine.
    async fn check_moving(&self, api: &Api, engine: Engine) {
        let id = self.new_case();
        let case = json!({"id": id, "workflow_id": self.workflow, "created_at": CREATED[2]});
        api.post("/api/cases", case.to_string()).await.expect(200);
        let mut cases = self.shown(api).await;
        let (mut from_counts, mut has_waited) = (0, matches!(engine, Engine::Neo4j));
        let began = Instant::now();
        for (action, status) in [("TAKE", "REVIEW"), ("GIVE_BACK", "NEW")].into_iter().cycle() {
            assert!(began.elapsed() < SOON, "{from_counts} answers came from counts, while the case waited: {has_waited}");
            let before = Shown::now(api).await.statements();
            done(api, "actOnCase", json!({"caseId": id, "action": action})).await;
            cases.last_mut().expect("the case that was made last")["step"]["status"] = json!(status);
            let (answers, is_from_counts, waits) = self.asked_of_counts(api, &before).await;
            for (answer, keys) in answers.iter().zip(&OF_COUNTS) {
                let all: Vec<&Value> = cases.iter().collect();
                assert_eq!(of_rows(answer, keys), of_cases(&all, keys), "{action}: {keys:?}");
                assert_eq!(answer["total"]["count"], json!(all.len()), "{action}");
            }
            from_counts += usize::from(is_from_counts);
            has_waited |= is_from_counts && waits;
            let wanted = if began.elapsed() < FOR_ANSWERS { ANSWERS } else { 1 };
            if has_waited && from_counts >= wanted {
                return;
            }
        }
    }
}

/// What a case has by the keys.
fn of_case(case: &Value, keys: &[Key]) -> Value {
    let day = |at: &Value| at.as_str().map_or(Value::Null, |at| json!(at[..10]));
    let value = |(_, field): &Key| match *field {
        "status" | "state" => case["step"][*field].clone(),
        "assignee" => case["assignee"]["id"].clone(),
        "workflow" => case["step"]["workflow"]["id"].clone(),
        "createdDay" => day(&case["createdAt"]),
        "closedDay" => day(&case["closedAt"]),
        field => case[field].clone(),
    };
    keys.iter().map(value).collect()
}

/// The same of a row.
fn of_row(row: &Value, keys: &[Key]) -> Value {
    keys.iter().map(|(_, field)| if row[*field].is_object() { row[*field]["id"].clone() } else { row[*field].clone() }).collect()
}

/// How many cases have the same by the keys.
fn of_cases(cases: &[&Value], keys: &[Key]) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for case in cases {
        *counts.entry(of_case(case, keys).to_string()).or_default() += 1;
    }
    counts
}

/// The same as it is shown.
fn of_rows(shown: &Value, keys: &[Key]) -> BTreeMap<String, i64> {
    let rows = shown["rows"].as_array().expect("rows").iter();
    rows.map(|row| (of_row(row, keys).to_string(), row["count"].as_i64().expect("a number"))).collect()
}

fn changes() -> usize {
    std::env::var("CASE_CHANGES").ok().and_then(|changes| changes.parse().ok()).unwrap_or(CHANGES)
}

async fn numbers_of_cases_are_those_of_plain_code_whatever_happens_meanwhile(engine: Engine) {
    let mut server = Server::start(engine);
    let world = World::new(&server).await;
    let mut random = StdRng::seed_from_u64(36);
    for round in 0..ROUNDS {
        let writers = || join_all((0..WRITERS).map(|writer| world.write(server.client(), round * WRITERS + writer)));
        if round % 2 == 0 {
            let is_over = AtomicBool::new(false);
            let writing = async {
                writers().await;
                world.bring(&server, round).await;
                is_over.store(true, Ordering::SeqCst);
            };
            tokio::join!(writing, world.watch(&server, &is_over));
        } else {
            // What waits is looked for once a second: so most kills come while cases wait, or are brought to their counts.
            let killed_after = Duration::from_millis(random.random_range(200..1_800));
            let kill = async {
                tokio::time::sleep(killed_after).await;
                server.kill();
            };
            tokio::join!(writers(), kill);
            server.start_again();
        }
        eventually("it answers", SOON, async || server.get("/health/ready").await.status == 200).await;
        world.check(&server, round).await;
    }
    let come_from_counts = async || {
        let before = Shown::now(&server).await.statements();
        world.asked_of_counts(&server, &before).await.1
    };
    eventually("numbers come from counts", SOON, come_from_counts).await;
    world.check_moving(&server, engine).await;
    world.check(&server, ROUNDS).await;
    let list = json!(world.workflow).to_string().replace('"', "'");
    let waiting = format!("MATCH (c:UncountedCase) WHERE c.workflowId = {list} RETURN count(c) AS waiting");
    let mut looks = 0;
    while server.cypher(&waiting)[0]["waiting"] != json!(0) {
        looks += 1;
        assert!(looks < 100, "cases wait to be counted for good");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    // Each case is in one count of each grain, and a count that has none is gone.
    let cases = world.shown(&server).await.len() as i64;
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for row in server.cypher(&format!("MATCH (n:CaseCount) WHERE n.workflowId = {list} RETURN n.grain AS grain, n.count AS count")) {
        let count = row["count"].as_i64().expect("a number");
        assert!(count > 0, "{row}");
        *counts.entry(row["grain"].as_str().expect("a text").to_owned()).or_default() += count;
    }
    assert_eq!(counts, BTreeMap::from(["ALL", "CLOSED", "CREATED"].map(|grain| (grain.to_owned(), cases))));
}

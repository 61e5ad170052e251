//! Detection runs: what a batch finds in what was sent, about whom, and what becomes of it.

use serde_json::{Value, json};

use crate::support::bulk::SOON;
use crate::support::fixtures::{Payment, account, actor, with};
use crate::support::{Api, Engine, Ids, Server, eventually, jobs, tests};

tests![both: a_batch_is_echoed_and_its_run_is_listed, all_faults_of_a_batch_are_told_at_once, what_is_found_is_an_observation_with_its_evidence,
    the_same_run_again_finds_the_same, who_is_not_monitored_is_left_out, what_is_suppressed_is_a_signal, a_payment_may_be_left_out,
    only_the_side_that_reported_is_monitored, a_line_of_business_selects_its_actors, a_group_is_monitored_as_one_and_its_owners_are_alerted,
    a_snooze_wants_a_rule_an_end_and_a_reason, a_finding_that_goes_on_is_continued,
    a_backtest_finds_what_the_live_run_found, rules_are_shown_with_their_parameters,
    feedback_tells_of_the_run];

pub const BATCH: &str = "/api/detection/initialize";
/// The business day of all runs here.
pub const DAY: &str = "2024-06-13";
/// Noon of that day, in seconds.
pub const NOON: i64 = 1_718_280_000;
pub const HOUR: i64 = 3_600;
pub const A_DAY: i64 = 24 * HOUR;
/// A line of business that nobody else has.
fn batch(line: &str) -> Value {
    json!({"closeOfBusinessDate": DAY, "lineOfBusiness": line, "processType": "AML"})
}

/// Runs a batch of the usual day to its end; answers with the run.
pub async fn run(api: &Api, line: &str) -> Value {
    run_on(api, line, DAY).await
}

/// The same of any day.
pub async fn run_on(api: &Api, line: &str, day: &str) -> Value {
    let batch = json!({"closeOfBusinessDate": day, "lineOfBusiness": line, "processType": "AML"});
    api.post(BATCH, batch.to_string()).await.expect(200);
    eventually("the run ends", SOON, async || find_on(api, line, day).await.is_some_and(|run| !run["endedAt"].is_null())).await;
    let run = find_on(api, line, day).await.expect("a run");
    jobs::is_done(&run);
    run
}

/// Runs the batch of the usual day again, after what it was before.
pub async fn again(api: &Api, line: &str, before: &Value) {
    api.post(BATCH, batch(line).to_string()).await.expect(200);
    eventually("it was done again", SOON, async || {
        find(api, line).await.is_some_and(|run| run["knownUpTo"] != before["knownUpTo"] && run["status"] == "DONE")
    })
    .await;
}

const RUNS: &str = "query($after: String) { detectionRuns(first: 100, after: $after) { pageInfo { hasNextPage endCursor } edges { node { id status
    closeOfBusinessDate lineOfBusiness processType requestedByName requestedAt knownUpTo endedAt lastError result progress { done total since }
    job { id kind } } } } }";

/// The run of a line of business, of the usual day.
pub async fn find(api: &Api, line: &str) -> Option<Value> {
    find_on(api, line, DAY).await
}

pub async fn find_on(api: &Api, line: &str, day: &str) -> Option<Value> {
    let mut after = Value::Null;
    loop {
        let page = api.graphql(RUNS, json!({"after": after})).await["detectionRuns"].take();
        let is_it = |run: &&Value| run["lineOfBusiness"] == line && run["closeOfBusinessDate"] == day;
        let found = page["edges"].as_array()?.iter().map(|edge| &edge["node"]).find(is_it).cloned();
        if found.is_some() || page["pageInfo"]["hasNextPage"] == false {
            return found;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
}

/// What is observed about an actor: the observation, with the fields of its record beside its own.
pub async fn observations(api: &Api, actor: &str) -> Vec<Value> {
    let query = "query($id: ID!) { actor(id: $id) { observations(first: 50) { edges { node { id behaviorId behaviorName title score dataSource
        record { type priority businessDate batchId taxonomyDescription features { group items { name value } } behaviorDescription transactionIds metadata
        rules { id status conditions { id matched } } } } } } } }";
    let data = api.graphql(query, json!({"id": actor})).await;
    let flat = |edge: &Value| {
        let mut node = edge["node"].clone();
        for field in ["type", "priority", "businessDate", "batchId", "features"] {
            node[field] = node["record"][field].clone();
        }
        node
    };
    data["actor"]["observations"]["edges"].as_array().map(|edges| edges.iter().map(flat).collect()).unwrap_or_default()
}

/// What fifteen strangers paid within a day to an account that was quiet for two months, as the receiver's bank sees it.
pub struct Gathering {
    pub receiver: String,
    pub payments: Vec<Payment>,
}

impl Gathering {
    pub fn of(ids: &Ids, name: &str) -> Self {
        Self::of_strangers(ids, name, 15)
    }

    /// The same of so many strangers.
    pub fn of_strangers(ids: &Ids, name: &str, strangers: i64) -> Self {
        let receiver = ids.of(name);
        let known = |n: i64| Payment::new(ids.of(&format!("{name}-known-{n}")), ids.of(&format!("{name}-old")), receiver.clone());
        let quiet = (1..=8).map(|n| known(n).amount("25.00").at(NOON - 8 * n * A_DAY));
        let sent = (0..strangers).map(|n| {
            let payment = Payment::new(ids.of(&format!("{name}-{n}")), ids.of(&format!("{name}-sender-{n}")), receiver.clone());
            payment.amount(format!("{}.{:02}", 2_400 + 13 * n, 11 + n)).at(NOON - 6 * HOUR + n * 900)
        });
        let payments = quiet.chain(sent).map(|payment| received(payment, &receiver)).collect();
        Self { receiver, payments }
    }

    pub fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self.payments.iter().skip(8).map(|payment| payment.id.clone()).collect();
        ids.sort();
        ids
    }

    pub fn owner(&self) -> String {
        format!("owner-of-{}", self.receiver)
    }

    /// The receiver's owner as a record of this line of business, his account, and all payments.
    pub async fn sent(&self, api: &Api, line: &str) {
        self.sent_with(api, json!({"customData": {"lineOfBusiness": line}})).await;
    }

    async fn sent_with(&self, api: &Api, of_actor: Value) {
        api.post("/api/actors", with(actor(&self.owner()), of_actor).to_string()).await.expect(200);
        api.post("/api/accounts", account(&self.receiver).to_string()).await.expect(200);
        for payment in &self.payments {
            api.post("/api/v2/transactions", payment.text()).await.expect(200);
        }
    }
}

/// The same payment as the receiver reports it.
pub fn received(payment: Payment, receiver: &str) -> Payment {
    let sender = payment.account.clone();
    let owner = format!("owner-of-{receiver}");
    Payment { account: receiver.to_owned(), owner, direction: "INBOUND", other: crate::support::fixtures::Other::Account(sender), ..payment }
}

async fn a_batch_is_echoed_and_its_run_is_listed(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let line = ids.of("nobody");
    let answer = server.post(BATCH, batch(&line).to_string()).await.expect(200);
    assert_eq!(answer.json(), batch(&line));
    let run = run(&server, &line).await;
    assert_eq!((&run["closeOfBusinessDate"], &run["processType"]), (&json!(DAY), &json!("AML")), "{run}");
    assert_eq!((&run["result"]["actors"], &run["result"]["findings"]["new"]), (&json!(0), &json!(0)), "the run says that it selected nobody: {run}");
    assert!(run["result"]["rules"].as_u64().is_some_and(|rules| rules > 0), "{run}");
    assert_eq!(run["job"]["kind"], "detection");
    assert!(run["knownUpTo"].is_string() && run["progress"]["since"].is_string(), "{run}");
    let again = server.post(BATCH, batch(&line).to_string()).await.expect(200);
    assert_eq!(again.json(), batch(&line));
    let page = server.graphql(RUNS, json!({})).await;
    let of_line = |edges: &Value| edges.as_array().expect("edges").iter().filter(|edge| edge["node"]["lineOfBusiness"] == line.as_str()).count();
    assert_eq!(of_line(&page["detectionRuns"]["edges"]), 1, "the same day, line and type is the same run");
}

async fn all_faults_of_a_batch_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let table = [
        (json!({}), 422, vec!["closeOfBusinessDate", "lineOfBusiness", "processType"]),
        (
            json!({"closeOfBusinessDate": "2024-02-30", "lineOfBusiness": "", "processType": "aml", "more": 1}),
            422,
            vec!["closeOfBusinessDate", "lineOfBusiness", "more", "processType"],
        ),
        (json!({"closeOfBusinessDate": DAY, "lineOfBusiness": " ", "processType": "AML"}), 422, vec!["lineOfBusiness"]),
        (json!({"closeOfBusinessDate": "9000-01-01", "lineOfBusiness": "INDIVIDUAL", "processType": "AML"}), 422, vec!["closeOfBusinessDate"]),
        (json!([]), 422, vec!["body"]),
    ];
    for (body, status, places) in table {
        let answer = server.post(BATCH, body.to_string()).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text);
        let mut told = answer.places();
        told.sort();
        assert_eq!(told, places, "{body}: {}", answer.text);
    }
    server.post(BATCH, "{").await.expect(400);
}

async fn what_is_found_is_an_observation_with_its_evidence(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let gathering = Gathering::of(&ids, "hub");
    gathering.sent(&server, &ids.of("line")).await;
    let run = run(&server, &ids.of("line")).await;
    assert_eq!(run["result"]["actors"], json!(1), "{run}");
    let found = observations(&server, &gathering.owner()).await;
    let fan_in = found.iter().find(|found| found["behaviorId"] == "fan-in").unwrap_or_else(|| panic!("{found:#?} {run}"));
    let mut cited: Vec<String> = serde_json::from_value(fan_in["record"]["transactionIds"].clone()).expect("ids");
    cited.sort();
    assert_eq!(cited, gathering.ids(), "{fan_in:#}");
    assert_eq!((&fan_in["type"], &fan_in["dataSource"], &fan_in["businessDate"]), (&json!("ALERT_RULE"), &json!("Service - Detection"), &json!(DAY)));
    assert_eq!(fan_in["batchId"], run["id"]);
    assert!(fan_in["score"].as_f64().is_some_and(|score| (0.0..=1.0).contains(&score)), "{fan_in}");
    let necessary: Vec<String> = serde_json::from_value(fan_in["record"]["metadata"]["necessary"].clone()).expect("ids");
    assert!(!necessary.is_empty() && necessary.iter().all(|id| cited.contains(id)), "{fan_in:#}");
    let measured: Vec<&Value> = fan_in["features"].as_array().expect("groups").iter().filter(|group| group["group"] == "measures").collect();
    let items = measured[0]["items"].as_array().expect("items");
    assert!(items.iter().all(|item| !item["value"]["value"].is_null() && !item["value"]["threshold"].is_null()), "{fan_in:#}");
    assert!(fan_in["record"]["behaviorDescription"].as_str().is_some_and(|text| text.len() > 50), "{fan_in:#}");
    assert_eq!((&fan_in["record"]["rules"][0]["id"], &fan_in["record"]["rules"][0]["status"]), (&json!("fan-in"), &json!("MATCHED")));
}

async fn the_same_run_again_finds_the_same(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    let first = run(&server, &line).await;
    let before = observations(&server, &gathering.owner()).await;
    assert!(!before.is_empty(), "{first}");
    again(&server, &line, &first).await;
    let after = observations(&server, &gathering.owner()).await;
    let ids = |found: &[Value]| found.iter().map(|found| found["id"].to_string()).collect::<std::collections::BTreeSet<_>>();
    assert_eq!((ids(&after), after.len()), (ids(&before), before.len()));
    let again = find(&server, &line).await.expect("a run");
    let counted = |run: &Value, what: &str| run["result"]["findings"][what].as_u64();
    assert_eq!((counted(&again, "new"), counted(&again, "continued")), (Some(0), counted(&first, "new")), "{again}");
}

async fn a_finding_that_goes_on_is_continued(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    let first = run_on(&server, &line, DAY).await;
    let fan_in =
        async || observations(&server, &gathering.owner()).await.into_iter().filter(|found| found["behaviorId"] == "fan-in").collect::<Vec<_>>();
    let before = fan_in().await;
    assert_eq!(before.len(), 1, "{first}");
    // The day after, two more strangers pay.
    let more = (20..22).map(|n| Payment::new(ids.of(&format!("hub-{n}")), ids.of(&format!("hub-sender-{n}")), gathering.receiver.clone()));
    let more: Vec<Payment> = more.map(|payment| received(payment.amount("2999.00").at(NOON + A_DAY), &gathering.receiver)).collect();
    for payment in &more {
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    let second = run_on(&server, &line, "2024-06-14").await;
    let after = fan_in().await;
    assert_eq!((after.len(), &after[0]["id"]), (1, &before[0]["id"]), "{second}: {after:#?}");
    assert_eq!((&after[0]["businessDate"], &after[0]["batchId"]), (&json!("2024-06-14"), &second["id"]));
    let mut wanted: Vec<String> = gathering.ids().into_iter().chain(more.iter().map(|payment| payment.id.clone())).collect();
    wanted.sort();
    let mut cited: Vec<String> = serde_json::from_value(after[0]["record"]["transactionIds"].clone()).expect("ids");
    cited.sort();
    assert_eq!(cited, wanted);
    // The day before again changes nothing: what a later day has found stands.
    again(&server, &line, &first).await;
    assert_eq!(fan_in().await[0]["businessDate"], "2024-06-14");
}

async fn a_backtest_finds_what_the_live_run_found(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    run_on(&server, &line, DAY).await;
    let live = observations(&server, &gathering.owner()).await.into_iter().filter(|found| found["behaviorId"] == "fan-in").count();
    assert_eq!(live, 1);
    // What comes, and what is replaced, after the run was not known to it.
    for payment in gathering.payments.iter().skip(8) {
        let replaced = Payment { status: "FAILED", ..payment.clone() };
        server.post("/api/v2/transactions", replaced.text()).await.expect(200);
    }
    let mutation = "mutation($input: BacktestRuleInput!) { backtestRule(input: $input) { job { id } userErrors { code message } } }";
    let sets = json!([[{"name": "accounts", "value": "15"}], [{"name": "accounts", "value": "16"}]]);
    let input = json!({"ruleId": "fan-in", "lineOfBusiness": line, "from": "2024-06-12", "to": "2024-06-14", "sets": sets});
    let started = server.graphql(mutation, json!({"input": input})).await["backtestRule"].take();
    let id = started["job"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    let job =
        async || server.graphql("query($id: ID!) { job(id: $id) { status result lastError done total } }", json!({"id": id})).await["job"].take();
    eventually("the backtest ends", SOON, async || job().await["status"] == "DONE").await;
    let result = job().await["result"].take();
    let by_day: Vec<(&Value, &Value)> = result["days"].as_array().expect("days").iter().map(|day| (&day["date"], &day["findings"])).collect();
    // Of the other days no run was there: they are looked at as they are known now.
    assert_eq!(by_day, [(&json!("2024-06-12"), &json!(0)), (&json!("2024-06-13"), &json!(1)), (&json!("2024-06-14"), &json!(0))], "{result:#}");
    let found: Vec<usize> = result["sets"].as_array().expect("sets").iter().map(|set| set["findings"].as_u64().expect("a number") as usize).collect();
    assert_eq!(found, [1, 0], "{result:#}");
    let wrong =
        json!({"ruleId": "fan-in", "lineOfBusiness": line, "from": "2024-06-14", "to": "2024-06-12", "sets": [[{"name": "window", "value": "1"}]]});
    let refused = server.graphql(mutation, json!({"input": wrong})).await["backtestRule"].take();
    assert_eq!(refused["userErrors"].as_array().map(Vec::len), Some(2), "{refused}");
}

async fn feedback_tells_of_the_run(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    run(&server, &line).await;
    let found = observations(&server, &gathering.owner()).await.into_iter().find(|found| found["behaviorId"] == "fan-in").expect("fan-in");
    let id = found["id"].as_str().expect("an id");
    let case = crate::support::case_work::made(&server, json!({"observation_ids": [id]})).await;
    let begun = chrono::Utc::now() - chrono::Duration::hours(1);
    let input = json!({"caseId": case, "observationId": id, "feedback": "TRUE_POSITIVE"});
    crate::support::case_work::work(&server, "giveObservationFeedback", input).await;
    let text = |at: chrono::DateTime<chrono::Utc>| at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let path =
        format!("/api/reporting/observation_feedback?startDate={}&endDate={}", text(begun), text(chrono::Utc::now() + chrono::Duration::hours(1)));
    let report = server.get(&path).await.expect(200).json();
    let given = report.as_array().expect("items").iter().find(|given| given["observationId"] == id).unwrap_or_else(|| panic!("{report:#}"));
    assert_eq!((&given["lineOfBusiness"], &given["typology"]), (&json!(line), &json!("fan-in")), "{given:#}");
    assert!(given["modelThreshold"].as_f64().is_some_and(|threshold| given["modelScore"].as_f64().expect("a score") >= threshold), "{given:#}");
}

async fn rules_are_shown_with_their_parameters(engine: Engine) {
    let server = Server::shared(engine);
    let query =
        "{ detectionRules { id version status name typology severity owner linesOfBusiness rationale knownFalsePositives redFlags { description source }
        parameters { name measure compare unit min max step default description } } }";
    let data = server.graphql(query, json!({})).await;
    let rules = data["detectionRules"].as_array().expect("rules");
    let fan_in = rules.iter().find(|rule| rule["id"] == "fan-in").expect("fan-in");
    assert!(fan_in["redFlags"].as_array().is_some_and(|flags| !flags.is_empty()), "{fan_in:#}");
    let of =
        |name: &str| fan_in["parameters"].as_array().expect("parameters").iter().find(|parameter| parameter["name"] == name).cloned().expect("it");
    assert_eq!((&of("accounts")["compare"], &of("window")["compare"]), (&json!("at least"), &Value::Null));
}

async fn exclude(api: &Api, actor: &str, kind: &str) {
    api.post(&format!("/api/actors/{actor}/exclusions"), json!({"exclusion_type": kind}).to_string()).await.expect(200);
}

async fn who_is_not_monitored_is_left_out(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let line = ids.of("line");
    let of_line = json!({"customData": {"lineOfBusiness": line}});
    // The last word counts; the record's own `monitored` never does.
    let table: [(&str, Value, &[&str], bool); 6] = [
        ("plain", json!({}), &[], true),
        ("excluded", json!({}), &["NOT_MONITORED"], false),
        ("again", json!({}), &["NOT_MONITORED", "MONITORED"], true),
        ("last", json!({}), &["MONITORED", "NOT_MONITORED"], false),
        ("gone", json!({"status": "TERMINATED"}), &[], false),
        ("said", json!({"monitored": "NO"}), &[], true),
    ];
    let mut gatherings = Vec::new();
    for (name, more, exclusions, _) in &table {
        let gathering = Gathering::of(&ids, name);
        gathering.sent_with(&server, with(of_line.clone(), more.clone())).await;
        for kind in *exclusions {
            exclude(&server, &gathering.owner(), kind).await;
        }
        gatherings.push(gathering);
    }
    let run = run(&server, &line).await;
    assert_eq!(run["result"]["actors"], json!(3), "{run}");
    for ((name, _, _, is_alerted), gathering) in table.iter().zip(&gatherings) {
        let found = observations(&server, &gathering.owner()).await;
        assert_eq!(!found.is_empty(), *is_alerted, "{name}: {found:#?}");
    }
}

pub async fn signals(api: &Api, actor: &str) -> Vec<Value> {
    let query =
        "query($id: ID!) { actor(id: $id) { suppressedSignals(first: 20) { edges { node { id reviewDate decisionReason detectionMethodName } } } } }";
    let data = api.graphql(query, json!({"id": actor})).await;
    data["actor"]["suppressedSignals"]["edges"].as_array().cloned().unwrap_or_default().into_iter().map(|edge| edge["node"].clone()).collect()
}

pub async fn snooze(api: &Api, input: Value) -> Value {
    let mutation = "mutation($input: SnoozeDetectionInput!) { snoozeDetection(input: $input) { snoozeId userErrors { code message } } }";
    api.graphql(mutation, json!({"input": input})).await["snoozeDetection"].take()
}

async fn what_is_suppressed_is_a_signal(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let line = ids.of("line");
    let (excluded, snoozed) = (Gathering::of(&ids, "excluded"), Gathering::of(&ids, "snoozed"));
    excluded.sent(&server, &line).await;
    snoozed.sent(&server, &line).await;
    exclude(&server, &excluded.owner(), "SUPPRESSED").await;
    let found = run(&server, &line).await;
    let rules: Vec<String> =
        observations(&server, &snoozed.owner()).await.iter().map(|found| found["behaviorId"].as_str().expect("a rule").to_owned()).collect();
    assert!(rules.iter().any(|rule| rule == "fan-in"), "{found}");
    assert_eq!(observations(&server, &excluded.owner()).await, Vec::<Value>::new());
    let kept = signals(&server, &excluded.owner()).await;
    assert!(kept.iter().any(|signal| signal["reviewDate"] == DAY), "{kept:#?}");
    // Another day's batch, with the rule snoozed: what it finds is a signal, and is in the report.
    let input = json!({"actorId": snoozed.owner(), "ruleId": "fan-in", "until": "2999-01-01T00:00:00Z", "reason": "a campaign that we know of"});
    let answer = snooze(&server, input).await;
    assert!(answer["snoozeId"].is_string() && answer["userErrors"] == json!([]), "{answer}");
    again(&server, &line, &found).await;
    let kept = signals(&server, &snoozed.owner()).await;
    assert_eq!(kept.len(), 1, "{kept:#?}");
    assert!(kept[0]["decisionReason"].as_str().is_some_and(|reason| reason.contains("snoozed")), "{kept:#?}");
    let report = server.get(&format!("/api/reporting/suppressed_signals?startDate={DAY}&endDate={DAY}&limit=1000")).await.expect(200).json();
    let reported: Vec<&Value> =
        report["signals_suppressed"].as_array().expect("items").iter().filter(|item| item["actor_id"] == snoozed.owner()).collect();
    assert_eq!(reported.len(), 1, "{report:#}");
    assert_eq!(reported[0]["data_source"], "Service - Detection");
}

async fn a_snooze_wants_a_rule_an_end_and_a_reason(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let actor_id = ids.of("actor");
    server.post("/api/actors", actor(&actor_id).to_string()).await.expect(200);
    let wrong = snooze(&server, json!({"actorId": actor_id, "ruleId": "no-rule", "until": "2020-01-01T00:00:00Z", "reason": " "})).await;
    let places: Vec<&str> = wrong["userErrors"].as_array().expect("errors").iter().map(|error| error["message"].as_str().expect("text")).collect();
    assert!(places.len() == 3 && ["reason", "ruleId", "until"].iter().all(|place| places.iter().any(|told| told.starts_with(place))), "{wrong}");
    let nobody = json!({"actorId": ids.of("nobody"), "ruleId": "fan-in", "until": "2999-01-01T00:00:00Z", "reason": "x"});
    assert_eq!(snooze(&server, nobody).await["userErrors"][0]["code"], "NOT_FOUND");
}

async fn a_payment_may_be_left_out(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (line, gathering) = (ids.of("line"), Gathering::of(&ids, "hub"));
    gathering.sent(&server, &line).await;
    for (at, payment) in gathering.payments.iter().enumerate().skip(8) {
        let said = if at % 2 == 0 { json!(true) } else { json!("true") };
        server.post("/api/v2/transactions", payment.text_with(json!({"metadata": {"exclude_from_monitoring": said}}))).await.expect(200);
    }
    // Of others it is said when they come.
    let fresh = Gathering::of(&ids, "fresh");
    let known = Gathering { payments: fresh.payments[..8].to_vec(), receiver: fresh.receiver.clone() };
    known.sent(&server, &line).await;
    for payment in &fresh.payments[8..] {
        server.post("/api/v2/transactions", payment.text_with(json!({"metadata": {"exclude_from_monitoring": true}}))).await.expect(200);
    }
    run(&server, &line).await;
    for gathering in [gathering, fresh] {
        assert_eq!(observations(&server, &gathering.owner()).await, Vec::<Value>::new());
    }
}

async fn only_the_side_that_reported_is_monitored(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let line = ids.of("line");
    let gathering = Gathering::of(&ids, "hub");
    // The same payments, reported by those who sent them alone: the receiver's owner is not named by any record.
    let sent = Gathering { payments: gathering.payments.iter().cloned().map(reported_by_the_sender).collect(), receiver: gathering.receiver.clone() };
    sent.sent(&server, &line).await;
    let run = run(&server, &line).await;
    assert_eq!(observations(&server, &gathering.owner()).await, Vec::<Value>::new(), "{run}");
}

fn reported_by_the_sender(payment: Payment) -> Payment {
    let receiver = payment.account.clone();
    let crate::support::fixtures::Other::Account(sender) = payment.other.clone() else { panic!("an account") };
    let (id, amount, at) = (payment.id.clone(), payment.amount.clone(), payment.at);
    Payment::new(id, sender, receiver).amount(amount).at(at)
}

async fn a_line_of_business_selects_its_actors(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (mine, theirs) = (Gathering::of(&ids, "mine"), Gathering::of(&ids, "theirs"));
    mine.sent(&server, &ids.of("mine-line")).await;
    theirs.sent(&server, &ids.of("their-line")).await;
    // A segmentation group of that name selects its members, too.
    let category = server.post("/api/segmentation/categories", json!({"name": ids.of("category")}).to_string()).await.expect(200).json();
    let group = json!({"category_id": category["id"], "name": ids.of("group")});
    let group = server.post("/api/segmentation/groups", group.to_string()).await.expect(200).json();
    let path = format!("/api/segmentation/groups/{}/actors", group["id"].as_str().expect("an id"));
    server.post(&path, json!([theirs.owner()]).to_string()).await.expect(200);
    run(&server, &ids.of("mine-line")).await;
    assert!(!observations(&server, &mine.owner()).await.is_empty());
    assert_eq!(observations(&server, &theirs.owner()).await, Vec::<Value>::new());
    run(&server, &ids.of("group")).await;
    assert!(!observations(&server, &theirs.owner()).await.is_empty());
}

async fn a_group_is_monitored_as_one_and_its_owners_are_alerted(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let line = ids.of("line");
    // Each of three members gets five of fifteen payments: none of them has enough to be alerted about, the group has.
    let gathering = Gathering::of(&ids, "hub");
    let mut members = Vec::new();
    for member in 0..3 {
        let receiver = ids.of(&format!("member-{member}"));
        server.post("/api/actors", actor(&format!("owner-of-{receiver}")).to_string()).await.expect(200);
        server.post("/api/accounts", account(&receiver).to_string()).await.expect(200);
        for (at, payment) in gathering.payments.iter().enumerate().filter(|(at, _)| at % 3 == member) {
            let sender = format!("{}-of-{at}", receiver);
            let own = Payment { account: receiver.clone(), owner: format!("owner-of-{receiver}"), ..payment.clone() };
            let own = if at >= 8 { Payment { other: crate::support::fixtures::Other::Account(sender), ..own } } else { own };
            server.post("/api/v2/transactions", own.text()).await.expect(200);
        }
        members.push(format!("owner-of-{receiver}"));
    }
    let owner = ids.of("owner");
    server.post("/api/actors", with(actor(&owner), json!({"customData": {"lineOfBusiness": line}})).to_string()).await.expect(200);
    // Two strangers pay him, too.
    let own = (0..2).map(|n| Payment::new(ids.of(&format!("own-{n}")), ids.of(&format!("own-sender-{n}")), ids.of("own")).amount("2500.00").at(NOON));
    let own: Vec<Payment> = own.map(|payment| Payment { owner: owner.clone(), ..received(payment, &ids.of("own")) }).collect();
    for payment in &own {
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    let category = server.post("/api/segmentation/categories", json!({"name": ids.of("category")}).to_string()).await.expect(200).json();
    let group = json!({"category_id": category["id"], "name": ids.of("group")});
    let group = server.post("/api/segmentation/groups", group.to_string()).await.expect(200).json();
    let group = group["id"].as_str().expect("an id").to_owned();
    server.post(&format!("/api/segmentation/groups/{group}/actors"), json!(members).to_string()).await.expect(200);
    // Without an owner a group is not monitored.
    run(&server, &line).await;
    assert_eq!(observations(&server, &owner).await, Vec::<Value>::new());
    server.put(&format!("/api/segmentation/groups/{group}/owners/{owner}"), "").await.expect(200);
    again(&server, &line, &find(&server, &line).await.expect("a run")).await;
    let of_group = async || {
        let found = observations(&server, &owner).await;
        let behavior = json!(format!("fan-in@{group}"));
        found.iter().find(|found| found["behaviorId"] == behavior).unwrap_or_else(|| panic!("{found:#?}"))["record"]["transactionIds"].to_string()
    };
    let cited = of_group().await;
    assert!(!own.iter().any(|payment| cited.contains(&payment.id)), "the owner is no member: {cited}");
    // As a member of the group he is one of those whose payments are summed.
    server.post(&format!("/api/segmentation/groups/{group}/actors"), json!([owner]).to_string()).await.expect(200);
    again(&server, &line, &find(&server, &line).await.expect("a run")).await;
    let cited = of_group().await;
    assert!(own.iter().all(|payment| cited.contains(&payment.id)), "the owner is a member: {cited}");
    for member in &members {
        assert_eq!(
            observations(&server, member).await.iter().filter(|found| found["batchId"] != Value::Null && found["behaviorId"] == "fan-in").count(),
            0
        );
    }
}

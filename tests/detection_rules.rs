//! Rules that people switch, tune and add, by GraphQL and by folder; challengers beside live versions; snoozes listed and ended.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::detection::{BATCH, DAY, Gathering, again, find, observations, run, run_on, signals, snooze};
use crate::support::bulk::SOON;
use crate::support::fixtures::Payment;
use crate::support::{Api, Engine, Ids, Server, Store, eventually, stored, tests};

tests![both: a_rule_is_tuned_and_what_was_set_stays, all_faults_of_a_tuning_are_told_at_once, a_rule_is_added_once_and_never_written_again,
    a_challenger_runs_beside_the_live_version, a_backtest_goes_by_the_values_of_then, a_line_of_business_of_nobody_is_told,
    snoozes_are_listed_and_ended,
    a_snooze_said_again_ends_the_one_before;
    embedded: a_folder_of_rules_takes_part, faults_of_a_folder_stop_the_start, a_rule_that_can_be_read_no_more_stops_runs_alone];

/// The files of a rule that searches as `fan-in` does, by their paths: only for actors of one line of business, so that it is in nobody's way.
struct OwnRule {
    id: String,
    line: String,
}

impl OwnRule {
    fn of(ids: &Ids) -> Self {
        Self { id: ids.of("own"), line: ids.of("line") }
    }

    fn files(&self, version: &str, status: &str) -> BTreeMap<String, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("detection/rules/fan-in");
        let read = |path: &Path| fs::read_to_string(path).expect("a file of a rule");
        let said = |line: &str| match line.split_once(" = ").map(|(name, _)| name) {
            Some("id") => format!("id = {:?}", self.id),
            Some("version") => format!("version = {version:?}"),
            Some("status") => format!("status = {status:?}"),
            Some("lines") => format!("lines = [{:?}]", self.line),
            _ => line.to_owned(),
        };
        let rule: Vec<String> = read(&folder.join("rule.toml")).lines().map(said).collect();
        let mut files = BTreeMap::from([(format!("{}/rule.toml", self.id), rule.join("\n") + "\n")]);
        for entry in fs::read_dir(folder.join("tests")).expect("tests") {
            let path = entry.expect("a test").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            files.insert(format!("{}/tests/{name}", self.id), read(&path));
        }
        files
    }

    async fn added(&self, api: &Api, version: &str, status: &str) {
        let answer = add(api, &self.files(version, status)).await;
        assert_eq!((&answer["rule"]["version"], &answer["userErrors"]), (&json!(version), &json!([])), "{answer}");
    }

    /// Its versions, the highest first.
    async fn versions(&self, api: &Api) -> Vec<Value> {
        let query = "{ detectionRules { id version status part source added { byName at } parameters { name default value }
            tunings { at byName reason status versions parameters { name value } } } }";
        let rules = api.graphql(query, json!({})).await["detectionRules"].take();
        rules.as_array().expect("rules").iter().filter(|rule| rule["id"] == self.id).cloned().collect()
    }

    /// What it has found about an actor.
    async fn found(&self, api: &Api, actor: &str) -> Vec<Value> {
        observations(api, actor).await.into_iter().filter(|found| found["behaviorId"] == self.id).collect()
    }
}

const PAYLOAD: &str = "{ rule { id version status part parameters { name value } tunings { reason } } userErrors { path code message } }";

async fn add(api: &Api, files: &BTreeMap<String, String>) -> Value {
    let files: Vec<Value> = files.iter().map(|(path, text)| json!({"path": path, "text": text})).collect();
    let mutation = format!("mutation($input: AddDetectionRuleInput!) {{ addDetectionRule(input: $input) {PAYLOAD} }}");
    api.graphql(&mutation, json!({"input": {"files": files}})).await["addDetectionRule"].take()
}

async fn tune(api: &Api, input: Value) -> Value {
    let mutation = format!("mutation($input: TuneDetectionRuleInput!) {{ tuneDetectionRule(input: $input) {PAYLOAD} }}");
    api.graphql(&mutation, json!({"input": input})).await["tuneDetectionRule"].take()
}

async fn tuned(api: &Api, input: Value) -> Value {
    let answer = tune(api, input).await;
    assert_eq!(answer["userErrors"], json!([]), "{answer}");
    answer["rule"].clone()
}

/// The messages of an answer's errors.
fn told(answer: &Value) -> Vec<&str> {
    answer["userErrors"].as_array().expect("errors").iter().map(|error| error["message"].as_str().expect("a text")).collect()
}

fn value_of<'a>(rule: &'a Value, name: &str) -> &'a Value {
    let parameters = rule["parameters"].as_array().expect("parameters");
    &parameters.iter().find(|parameter| parameter["name"] == name).unwrap_or_else(|| panic!("no {name}: {rule}"))["value"]
}

/// What a run says of a version.
fn by_rule<'a>(run: &'a Value, rule: &str, version: &str) -> Option<&'a Value> {
    run["result"]["byRule"].as_array().expect("rules").iter().find(|of| of["rule"] == rule && of["version"] == version)
}

async fn a_rule_is_tuned_and_what_was_set_stays(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (rule, gathering) = (OwnRule::of(&ids), Gathering::of(&ids, "hub"));
    gathering.sent(&server, &rule.line).await;
    rule.added(&server, "1.0.0", "live").await;
    let first = run(&server, &rule.line).await;
    let of_rule = by_rule(&first, &rule.id, "1.0.0").unwrap_or_else(|| panic!("{first:#}"));
    assert_eq!((&of_rule["status"], &of_rule["findings"], &of_rule["parameters"]["accounts"]), (&json!("live"), &json!(1), &json!("6")), "{of_rule}");
    assert_eq!(rule.found(&server, &gathering.owner()).await.len(), 1, "{first:#}");
    // Each word with the one before; what is not named stays.
    let table = [
        (json!({"parameters": [{"name": "accounts", "value": "16"}]}), "LIVE", "16"),
        (json!({"status": "SHADOW"}), "SHADOW", "16"),
        (json!({"parameters": [{"name": "accounts"}]}), "SHADOW", "6"),
        (json!({"status": "OFF", "parameters": [{"name": "accounts", "value": "8"}]}), "OFF", "8"),
    ];
    let mut before = first;
    for (place, (more, status, accounts)) in table.into_iter().enumerate() {
        let mut input = json!({"ruleId": rule.id, "reason": format!("reason {place}")});
        more.as_object().expect("fields").iter().for_each(|(name, value)| input[name] = value.clone());
        let rule_then = tuned(&server, input).await;
        assert_eq!((&rule_then["status"], value_of(&rule_then, "accounts")), (&json!(status), &json!(accounts)), "{rule_then}");
        again(&server, &rule.line, &before).await;
        before = find(&server, &rule.line).await.expect("a run");
        let of_rule = by_rule(&before, &rule.id, "1.0.0");
        match status {
            "OFF" => assert_eq!(of_rule, None, "{before:#}"),
            _ => assert_eq!(of_rule.map(|of| of["parameters"]["accounts"].clone()), Some(json!(accounts)), "{before:#}"),
        }
    }
    let versions = rule.versions(&server).await;
    assert_eq!((versions.len(), &versions[0]["part"], &versions[0]["source"]), (1, &json!("RESTING"), &json!("ADDED")), "{versions:#?}");
    assert!(versions[0]["added"]["byName"].is_string(), "{versions:#?}");
    let reasons: Vec<&Value> = versions[0]["tunings"].as_array().expect("tunings").iter().map(|tuning| &tuning["reason"]).collect();
    assert_eq!(reasons, ["reason 3", "reason 2", "reason 1", "reason 0"]);
    let accounts: Vec<&Value> = versions[0]["tunings"].as_array().expect("tunings").iter().map(|tuning| &tuning["parameters"]).collect();
    let named = |value: Value| json!([{"name": "accounts", "value": value}]);
    assert_eq!(accounts, [&named(json!("8")), &named(Value::Null), &json!([]), &named(json!("16"))]);
}

async fn all_faults_of_a_tuning_are_told_at_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let values = |values: &[(&str, &str)]| values.iter().map(|(name, value)| json!({"name": name, "value": value})).collect::<Vec<_>>();
    let table = [
        (json!({"ruleId": ids.of("nobody"), "parameters": values(&[("x", "1")]), "reason": ""}), vec!["reason", "ruleId"]),
        (json!({"ruleId": "fan-in", "version": "0.0.1", "status": "OFF", "reason": "x"}), vec!["version"]),
        (json!({"ruleId": "fan-in", "reason": "x"}), vec!["status"]),
        (
            json!({"ruleId": "fan-in", "reason": " ", "parameters": values(&[("acounts", "8"), ("accounts", "many"), ("amount", "-1"), ("floor", "101")])}),
            vec!["parameters[0].name", "parameters[1].value", "parameters[2].value", "parameters[3].value", "reason"],
        ),
        (json!({"ruleId": "fan-in", "reason": "x", "parameters": values(&[("accounts", "8"), ("accounts", "9")])}), vec!["parameters[1].name"]),
    ];
    for (input, places) in table {
        let answer = tune(&server, input.clone()).await;
        let mut at: Vec<&str> = told(&answer).iter().map(|told| told.split([' ', ':']).next().unwrap_or_default()).collect();
        at.sort_unstable();
        assert_eq!(at, places, "{input}: {answer}");
        assert_eq!(answer["rule"], Value::Null);
    }
}

async fn a_rule_is_added_once_and_never_written_again(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let rule = OwnRule::of(&ids);
    let files = rule.files("1.0.0", "off");
    rule.added(&server, "1.0.0", "off").await;
    rule.added(&server, "1.0.0", "off").await;
    rule.added(&server, "1.1.0", "off").await;
    let versions: Vec<Value> = rule.versions(&server).await.iter().map(|known| known["version"].clone()).collect();
    assert_eq!(versions, ["1.1.0", "1.0.0"]);
    let toml = format!("{}/rule.toml", rule.id);
    let changed = |version: &str, change: &dyn Fn(&mut BTreeMap<String, String>)| {
        let mut files = rule.files(version, "off");
        change(&mut files);
        files
    };
    let with = |from: &'static str, to: &'static str| {
        let toml = toml.clone();
        move |files: &mut BTreeMap<String, String>| {
            files.entry(toml.clone()).and_modify(|text| *text = text.replace(from, to));
        }
    };
    let without = |name: &'static str| move |files: &mut BTreeMap<String, String>| files.retain(|path, _| !path.contains(name));
    let as_statement = |files: &mut BTreeMap<String, String>| {
        with("kernel = \"fan-in\"\n", "")(files);
        files.insert(format!("{}/rule.cypher", rule.id), "MATCH (a:Actor) RETURN a.id AS actor\n".to_owned());
    };
    let table: [(BTreeMap<String, String>, &str); 8] = [
        (changed("2.0.0", &as_statement), "is taken from the folder"),
        (changed("1.0.0", &with("default = 6", "default = 7")), "tests/accounts"),
        (changed("1.0.0", &with("severity = \"high\"", "severity = \"low\"")), "is not written again"),
        (changed("2.0.0", &without("look-alike")), "look-alikes"),
        (changed("2.0.0", &with("kernel = \"fan-in\"", "kernel = \"fan-inn\"")), "kernel"),
        (changed("2.0.0", &with("severity = \"high\"", "severity = \"dire\"")), "severity"),
        (BTreeMap::new(), "one rule"),
        (files.iter().map(|(path, text)| (format!("x{path}"), text.clone())).collect(), "id"),
    ];
    for (place, (files, wanted)) in table.into_iter().enumerate() {
        let answer = add(&server, &files).await;
        assert!(answer["rule"].is_null() && told(&answer).iter().any(|told| told.contains(wanted)), "{place}, {wanted}: {answer:#}");
        for (at, told) in told(&answer).into_iter().enumerate() {
            let of = files.keys().position(|path| told.starts_with(&format!("{path}: ")));
            let path = of.map_or(json!(["input", "files"]), |of| json!(["input", "files", of.to_string(), "text"]));
            assert_eq!(answer["userErrors"][at]["path"], path, "{place}, {wanted}: {answer:#}");
        }
    }
    assert_eq!(rule.versions(&server).await.len(), 2);
}

async fn a_challenger_runs_beside_the_live_version(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let rule = OwnRule::of(&ids);
    let (many, some) =
        (Gathering::of(&ids, "many"), Gathering { payments: Gathering::of(&ids, "some").payments[..18].to_vec(), ..Gathering::of(&ids, "some") });
    many.sent(&server, &rule.line).await;
    some.sent(&server, &rule.line).await;
    rule.added(&server, "1.0.0", "live").await;
    rule.added(&server, "2.0.0", "shadow").await;
    let input = json!({"ruleId": rule.id, "version": "2.0.0", "parameters": [{"name": "accounts", "value": "12"}], "reason": "fewer alerts"});
    assert_eq!(tuned(&server, input).await["part"], "CHALLENGER");
    let first = run(&server, &rule.line).await;
    let shadows = async || {
        let query = "{ detectionRuns(first: 100) { edges { node { lineOfBusiness shadows { rule version liveVersion findings both onlyLive onlyShadow
            first { both { actor payments score } onlyLive { actor payments score } onlyShadow { actor } } } } } } }";
        let runs = server.graphql(query, json!({})).await["detectionRuns"]["edges"].take();
        let of_line = runs.as_array().expect("runs").iter().find(|run| run["node"]["lineOfBusiness"] == rule.line.as_str()).cloned();
        let shadows = of_line.expect("a run")["node"]["shadows"].take();
        shadows.as_array().expect("shadows").iter().filter(|shadow| shadow["rule"] == rule.id.as_str()).cloned().collect::<Vec<Value>>()
    };
    let told = shadows().await;
    assert_eq!(told.len(), 1, "{first:#}");
    let counts = ["findings", "both", "onlyLive", "onlyShadow"].map(|name| told[0][name].as_u64());
    assert_eq!((counts, &told[0]["liveVersion"]), ([Some(1), Some(1), Some(1), Some(0)], &json!("1.0.0")), "{told:#?}");
    assert_eq!((&told[0]["first"]["both"][0]["actor"], &told[0]["first"]["onlyLive"][0]["actor"]), (&json!(many.owner()), &json!(some.owner())));
    assert!(told[0]["first"]["onlyLive"][0]["payments"].as_array().is_some_and(|payments| !payments.is_empty()), "{told:#?}");
    let found = [rule.found(&server, &many.owner()).await, rule.found(&server, &some.owner()).await].concat();
    assert_eq!(found.len(), 2, "what the live version finds is recorded, and nothing else: {found:#?}");
    // Released, the challenger counts; what was live rests.
    tuned(&server, json!({"ruleId": rule.id, "version": "2.0.0", "status": "LIVE", "reason": "it does as well"})).await;
    again(&server, &rule.line, &first).await;
    let second = find(&server, &rule.line).await.expect("a run");
    assert!(by_rule(&second, &rule.id, "1.0.0").is_none() && by_rule(&second, &rule.id, "2.0.0").is_some(), "{second:#}");
    assert_eq!(shadows().await, Vec::<Value>::new());
    let parts: Vec<Value> = rule.versions(&server).await.iter().map(|known| known["part"].clone()).collect();
    assert_eq!(parts, ["LIVE", "RESTING"]);
    // Off without a version is all of it; a version in shadow runs by itself then.
    tuned(&server, json!({"ruleId": rule.id, "status": "OFF", "reason": "it is looked at"})).await;
    let parts = async || rule.versions(&server).await.iter().map(|known| known["part"].clone()).collect::<Vec<Value>>();
    assert_eq!(parts().await, ["RESTING", "RESTING"]);
    tuned(&server, json!({"ruleId": rule.id, "version": "2.0.0", "status": "SHADOW", "reason": "tried again"})).await;
    assert_eq!(parts().await, ["SHADOW", "RESTING"]);
    again(&server, &rule.line, &second).await;
    let told = shadows().await;
    assert_eq!((told.len(), &told[0]["liveVersion"], &told[0]["onlyShadow"]), (1, &Value::Null, &json!(1)), "{told:#?}");
}

async fn a_backtest_goes_by_the_values_of_then(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (rule, gathering) = (OwnRule::of(&ids), Gathering::of(&ids, "hub"));
    gathering.sent(&server, &rule.line).await;
    rule.added(&server, "1.0.0", "live").await;
    tuned(&server, json!({"ruleId": rule.id, "parameters": [{"name": "accounts", "value": "8"}], "reason": "before the run"})).await;
    run_on(&server, &rule.line, DAY).await;
    tuned(&server, json!({"ruleId": rule.id, "parameters": [{"name": "accounts", "value": "16"}], "reason": "after it"})).await;
    let mutation = "mutation($input: BacktestRuleInput!) { backtestRule(input: $input) { job { id } userErrors { path message } } }";
    let input = json!({"ruleId": rule.id, "lineOfBusiness": rule.line, "from": DAY, "to": "2024-06-14"});
    let started = server.graphql(mutation, json!({"input": input})).await["backtestRule"].take();
    let id = started["job"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    let job = async || server.graphql("query($id: ID!) { job(id: $id) { status result lastError } }", json!({"id": id})).await["job"].take();
    eventually("the backtest ends", SOON, async || job().await["status"] == "DONE").await;
    let result = job().await["result"].take();
    let days: Vec<(Value, Value)> =
        result["days"].as_array().expect("days").iter().map(|day| (day["parameters"]["accounts"].clone(), day["findings"].clone())).collect();
    // The day's run knew eight; of the day after there was none, so that it is as it is tuned now.
    assert_eq!(days, [(json!("8"), json!(1)), (json!("16"), json!(0))], "{result:#}");
    assert_eq!(result["version"], "1.0.0");
    let wrong = json!({"ruleId": rule.id, "version": "7.0.0", "lineOfBusiness": rule.line, "from": DAY, "to": DAY});
    let refused = server.graphql(mutation, json!({"input": wrong})).await["backtestRule"].take();
    assert!(told(&refused).iter().any(|told| told.starts_with("version")), "{refused}");
    // What is tried is what tuning takes.
    let sets = json!([[{"name": "accounts", "value": "9"}], [{"name": "accounts", "value": "8.5"}, {"name": "median", "value": "-1"}]]);
    let wrong = json!({"ruleId": rule.id, "lineOfBusiness": rule.line, "from": DAY, "to": DAY, "sets": sets});
    let refused = server.graphql(mutation, json!({"input": wrong})).await["backtestRule"].take();
    let right = ["must be a whole number of steps of 1 from 6, the default, not 8.5", "must be from 0 to 100000 amount, not -1"];
    assert_eq!(told(&refused), [format!("sets[1].accounts: {}", right[0]), format!("sets[1].median: {}", right[1])], "{refused}");
    let paths = [0, 1].map(|at: usize| refused["userErrors"][at]["path"].clone());
    assert_eq!(paths, [json!(["input", "sets", "1", "0"]), json!(["input", "sets", "1", "1"])], "{refused}");
    let tuning = json!([{"name": "accounts", "value": "8.5"}, {"name": "median", "value": "-1"}]);
    let refused = tune(&server, json!({"ruleId": rule.id, "parameters": tuning, "reason": "as it was tried"})).await;
    assert_eq!(told(&refused), [format!("parameters[0].value: {}", right[0]), format!("parameters[1].value: {}", right[1])], "{refused}");
}

/// A line of business that is misspelt selects nobody, and is no fault of the request.
async fn a_line_of_business_of_nobody_is_told(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (gathering, line, misspelt) = (Gathering::of(&ids, "hub"), ids.of("line"), ids.of("lime"));
    gathering.sent(&server, &line).await;
    let told = format!("no monitored actor with payments in the time is of the line of business {misspelt:?}");
    let mutation = "mutation($input: BacktestRuleInput!) { backtestRule(input: $input) { job { id } userErrors { message } } }";
    for (line, is_told) in [(&line, false), (&misspelt, true)] {
        let notes = |result: &Value| result["note"].as_str().map(|note| note.contains(&told));
        let result = run(&server, line).await["result"].take();
        assert_eq!(notes(&result), is_told.then_some(true), "{result:#}");
        let input = json!({"ruleId": "fan-in", "lineOfBusiness": line, "from": DAY, "to": DAY});
        let started = server.graphql(mutation, json!({"input": input})).await["backtestRule"].take();
        let id = started["job"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
        let job = async || server.graphql("query($id: ID!) { job(id: $id) { status result } }", json!({"id": id})).await["job"].take();
        eventually("the backtest ends", SOON, async || job().await["status"] == "DONE").await;
        let result = job().await["result"].take();
        assert_eq!((notes(&result), result["days"][0]["monitored"] == 0), (is_told.then_some(true), is_told), "{result:#}");
    }
}

async fn snoozes(api: &Api, filter: Value) -> Vec<Value> {
    let query = "query($filter: DetectionSnoozeFilter, $after: String) { detectionSnoozes(filter: $filter, first: 1, after: $after) {
        pageInfo { hasNextPage endCursor } edges { node { id actorId ruleId until reason at byName active ended { byName reason at } } } } }";
    let (mut all, mut after) = (Vec::new(), Value::Null);
    loop {
        let page = api.graphql(query, json!({"filter": filter, "after": after})).await["detectionSnoozes"].take();
        all.extend(page["edges"].as_array().expect("edges").iter().map(|edge| edge["node"].clone()));
        if page["pageInfo"]["hasNextPage"] == false {
            return all;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
}

async fn end(api: &Api, id: &str, reason: &str) -> Value {
    let mutation = "mutation($input: EndDetectionSnoozeInput!) { endDetectionSnooze(input: $input) { snoozeId userErrors { code message } } }";
    api.graphql(mutation, json!({"input": {"snoozeId": id, "reason": reason}})).await["endDetectionSnooze"].take()
}

async fn snoozes_are_listed_and_ended(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (line, gathering) = (ids.of("line"), Gathering::of(&ids, "hub"));
    gathering.sent(&server, &line).await;
    let actor = gathering.owner();
    let said = |rule: &str| json!({"actorId": actor, "ruleId": rule, "until": "2999-01-01T00:00:00Z", "reason": "a campaign"});
    let id = snooze(&server, said("fan-in")).await["snoozeId"].as_str().expect("an id").to_owned();
    snooze(&server, said("fan-out")).await;
    let first = run(&server, &line).await;
    let fan_in = async || observations(&server, &actor).await.into_iter().filter(|found| found["behaviorId"] == "fan-in").count();
    assert_eq!((fan_in().await, signals(&server, &actor).await.len()), (0, 1), "{first:#}");
    let table = [
        (json!({"actorId": actor}), 2),
        (json!({"actorId": actor, "ruleId": "fan-in"}), 1),
        (json!({"actorId": actor, "active": true}), 2),
        (json!({"actorId": actor, "active": false}), 0),
        (json!({"actorId": ids.of("nobody")}), 0),
    ];
    for (filter, expected) in table {
        assert_eq!(snoozes(&server, filter.clone()).await.len(), expected, "{filter}");
    }
    let refused = [(ids.of("none"), "x", "NOT_FOUND"), (id.clone(), " ", "INVALID")];
    for (id, reason, code) in refused {
        assert_eq!(end(&server, &id, reason).await["userErrors"][0]["code"], code, "{id} {reason}");
    }
    assert_eq!(end(&server, &id, "the campaign is over").await["snoozeId"], id.as_str());
    assert_eq!(end(&server, &id, "again").await["userErrors"][0]["code"], "INVALID");
    let ended = snoozes(&server, json!({"actorId": actor, "active": false})).await;
    assert_eq!((ended.len(), &ended[0]["id"], &ended[0]["active"]), (1, &json!(id), &json!(false)), "{ended:#?}");
    assert_eq!((&ended[0]["reason"], &ended[0]["ended"]["reason"]), (&json!("a campaign"), &json!("the campaign is over")));
    assert!(ended[0]["ended"]["byName"].is_string() && ended[0]["byName"].is_string(), "{ended:#?}");
    again(&server, &line, &first).await;
    assert_eq!(fan_in().await, 1, "a run that begins after the end alerts again");
}

async fn a_snooze_said_again_ends_the_one_before(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let gathering = Gathering::of(&ids, "hub");
    gathering.sent(&server, &ids.of("line")).await;
    let actor = gathering.owner();
    for until in ["2999-01-01T00:00:00Z", "2998-01-01T00:00:00Z"] {
        snooze(&server, json!({"actorId": actor, "ruleId": "fan-in", "until": until, "reason": until})).await;
    }
    let all = snoozes(&server, json!({"actorId": actor})).await;
    let shown: Vec<(&Value, &Value)> = all.iter().map(|snooze| (&snooze["active"], &snooze["reason"])).collect();
    assert_eq!(shown.len(), 2, "{all:#?}");
    assert!(
        shown.contains(&(&json!(true), &json!("2998-01-01T00:00:00Z"))) && shown.contains(&(&json!(false), &json!("2999-01-01T00:00:00Z"))),
        "{all:#?}"
    );
}

fn written(folder: &Path, files: &BTreeMap<String, String>) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

async fn a_folder_of_rules_takes_part(engine: Engine) {
    let (folder, ids) = (tempfile::tempdir().expect("a folder"), Ids::new());
    let (own, line) = (OwnRule::of(&ids), ids.of("line"));
    written(folder.path(), &own.files("1.0.0", "live"));
    // A version of one that the program comes with, higher and in shadow.
    let challenger = OwnRule { id: "fan-in".to_owned(), line: line.clone() };
    written(folder.path(), &challenger.files("90.0.0", "shadow"));
    let rules = folder.path().display().to_string();
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_DETECTION__RULES", rules.as_str())]);
    let gathering = Gathering::of(&ids, "hub");
    gathering.sent(&server, &line).await;
    let known = |versions: Vec<Value>| versions.iter().map(|known| (known["source"].clone(), known["part"].clone())).collect::<Vec<_>>();
    assert_eq!(known(own.versions(&server).await), [(json!("FOLDER"), json!("LIVE"))]);
    let both = [(json!("FOLDER"), json!("CHALLENGER")), (json!("BUILT_IN"), json!("LIVE"))];
    assert_eq!(known(challenger.versions(&server).await), both);
    let run = run(&server, &line).await;
    let shadow = run["result"]["shadows"].as_array().expect("shadows").iter().find(|shadow| shadow["version"] == "90.0.0").cloned();
    assert_eq!(shadow.map(|shadow| (shadow["both"].clone(), shadow["onlyLive"].clone())), Some((json!(1), json!(0))), "{run:#}");
    // What stands in the folder under a version can't be added otherwise.
    let answer = add(&server, &own.files("1.0.0", "off")).await;
    assert!(told(&answer).iter().any(|told| told.contains("is there already")), "{answer}");
}

async fn faults_of_a_folder_stop_the_start(engine: Engine) {
    let ids = Ids::new();
    let own = OwnRule::of(&ids);
    let toml = format!("{}/rule.toml", own.id);
    let built_in = OwnRule { id: "fan-in".to_owned(), line: ids.of("line") };
    let said = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("detection/rules/fan-in/rule.toml")).expect("a rule");
    let shipped = said.lines().find_map(|line| line.strip_prefix("version = ")).expect("a version").trim_matches('"').to_owned();
    let table: [(BTreeMap<String, String>, Vec<&str>); 3] = [
        (own.files("one", "dire"), vec!["AMLGRAPH_DETECTION__RULES", &toml, "version", "status"]),
        (
            own.files("1.0.0", "live").into_iter().filter(|(path, _)| !path.contains("positive")).collect(),
            vec!["AMLGRAPH_DETECTION__RULES", &toml, "positive tests"],
        ),
        (built_in.files(&shipped, "live"), vec!["fan-in/rule.toml", "raise it"]),
    ];
    for (files, wanted) in table {
        let folder = tempfile::tempdir().expect("a folder");
        written(folder.path(), &files);
        let rules = folder.path().display().to_string();
        let output = Store::of(engine).command(&["serve"]).env("AMLGRAPH_DETECTION__RULES", &rules).output().expect("the program runs");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && wanted.iter().all(|wanted| told.contains(wanted)), "{wanted:?}: {told}");
    }
    let output = Store::of(engine).command(&["serve"]).env("AMLGRAPH_DETECTION__RULES", "/no/such/folder").output().expect("the program runs");
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("/no/such/folder"));
}

/// A later program may read rules by stricter rules of its own. Here it is the text that is wrong.
async fn a_rule_that_can_be_read_no_more_stops_runs_alone(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    // The log names it, so that it has no id of this test's own: these are values of records.
    let own = OwnRule { id: "own-of-old".to_owned(), ..OwnRule::of(&ids) };
    own.added(&server, "1.0.0", "live").await;
    stored::write(&mut server, "MATCH (r:DetectionRuleVersion) SET r.rule = 'no rule'", cypher::Params::none()).await;
    server.post("/api/v2/transactions", Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).text()).await.expect(200);
    let answer = server.graphql_answer("{ detectionRules { id } }", json!({})).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INTERNAL", "{answer}");
    let told = format!("the rule {}@1.0.0, which was added, is not readable any more", own.id);
    assert!(server.logged().contains(&told) && !answer.to_string().contains("no rule"), "{}", server.logged());
    let line = ids.of("line");
    server.post(BATCH, json!({"closeOfBusinessDate": DAY, "lineOfBusiness": line, "processType": "AML"}).to_string()).await.expect(200);
    eventually("a run has failed", SOON, async || find(&server, &line).await.is_some_and(|run| !run["lastError"].is_null())).await;
}

//! Risk rules that people switch, tune and try; those in shadow; and runs that go on from the one before.
//!
//! Rules are those of a store, so that each test has a store of its own.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::actor_risk::{CALCULATE, DAY, assess, customer, run, scores, send, standing};
use crate::support::bulk::SOON;
use crate::support::{Api, Engine, Ids, Server, Store, command, eventually, tests};

tests![both: a_tuned_weight_counts_from_the_next_run_on, all_faults_of_a_tuning_are_told_at_once,
    a_rule_in_shadow_is_compared_and_takes_the_place_when_it_is_switched_live, a_rule_is_added_with_its_tests, a_backtest_goes_by_the_weights_of_then,
    a_run_goes_on_from_the_one_before;
    embedded: the_command_line_tries_weights_and_shows_shadows];

const RULE: &str = "{ id version status part factors { name weight default } tunings { reason status weights { factor value } } }";

async fn tune(api: &Api, input: Value) -> Value {
    let mutation = format!("mutation($input: TuneRiskRuleInput!) {{ tuneRiskRule(input: $input) {{ rule {RULE} userErrors {{ code message }} }} }}");
    api.graphql(&mutation, json!({"input": input})).await["tuneRiskRule"].take()
}

async fn tuned(api: &Api, input: Value) -> Value {
    let answer = tune(api, input).await;
    assert_eq!(answer["userErrors"], json!([]), "{answer}");
    answer["rule"].clone()
}

async fn rules(api: &Api) -> Vec<Value> {
    let rules = api.graphql(&format!("{{ riskRules {RULE} }}"), json!({})).await["riskRules"].take();
    rules.as_array().expect("rules").clone()
}

/// The weight of a factor, and the one in the rule's file.
fn weight(rule: &Value, name: &str) -> [String; 2] {
    let factor = rule["factors"].as_array().expect("factors").iter().find(|factor| factor["name"] == name);
    let factor = factor.unwrap_or_else(|| panic!("no {name}: {rule}"));
    ["weight", "default"].map(|field| factor[field].as_str().expect("a number").to_owned())
}

async fn a_tuned_weight_counts_from_the_next_run_on(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let (line, id) = (ids.of("line"), ids.of("actor"));
    send(&server, &customer(&id, &line)).await;
    assess(&server, &id, "PEP", "yes").await;
    run(&server, &line, DAY).await;
    let weights = |value: Option<&str>| json!([{"factor": "assessments", "value": value}]);
    // Each word with the one before, and the score that the next run keeps: none, where the rule is off.
    let table = [
        (json!({"weights": weights(Some("90"))}), "LIVE", ["90", "100"], Some(45.0)),
        (json!({"status": "SHADOW"}), "SHADOW", ["90", "100"], None),
        (json!({"status": "LIVE", "weights": weights(Some("120"))}), "LIVE", ["120", "100"], Some(60.0)),
        (json!({"weights": weights(None)}), "LIVE", ["100", "100"], Some(50.0)),
        (json!({"status": "OFF"}), "OFF", ["100", "100"], None),
    ];
    for (place, (more, status, expected, score)) in table.into_iter().enumerate() {
        let mut input = json!({"ruleId": "standard", "reason": format!("reason {place}")});
        more.as_object().expect("fields").iter().for_each(|(name, value)| input[name] = value.clone());
        let rule = tuned(&server, input).await;
        assert_eq!((&rule["status"], weight(&rule, "assessments")), (&json!(status), expected.map(str::to_owned)), "{rule}");
        let result = run(&server, &line, DAY).await;
        assert_eq!(result["scored"], json!(u8::from(score.is_some())), "{place}: {result}");
        if let Some(score) = score {
            assert_eq!((&result["written"], &standing(&server, &id).await["riskScore"]), (&json!(1), &json!(score)), "{place}: {result}");
        }
    }
    let rules = rules(&server).await;
    let [rule] = rules.as_slice() else { panic!("{rules:#?}") };
    assert_eq!((&rule["id"], &rule["part"]), (&json!("standard"), &json!("RESTING")));
    let reasons: Vec<&Value> = rule["tunings"].as_array().expect("tunings").iter().map(|tuning| &tuning["reason"]).collect();
    assert_eq!(reasons, ["reason 4", "reason 3", "reason 2", "reason 1", "reason 0"]);
    // No live rule scores anybody on demand, either.
    let refused = server.graphql(CALCULATE, json!({"input": {"actorId": id}})).await["calculateRisk"].take();
    assert_eq!(refused["userErrors"][0]["code"], "INVALID", "{refused}");
}

async fn all_faults_of_a_tuning_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let weights = |weights: &[(&str, &str)]| weights.iter().map(|(factor, value)| json!({"factor": factor, "value": value})).collect::<Vec<_>>();
    let table = [
        (json!({"ruleId": "nobody", "status": "OFF", "reason": ""}), vec!["reason: ", "ruleId: "]),
        (json!({"ruleId": "standard", "version": "0.0.1", "status": "OFF", "reason": "x"}), vec!["version: "]),
        (json!({"ruleId": "standard", "reason": "x"}), vec!["status: "]),
        (
            json!({"ruleId": "standard", "weights": weights(&[("home", "1"), ("domicile", "0.5"), ("industry", "many")]), "reason": "x"}),
            vec!["weights[0].factor: ", "weights[1].value: ", "weights[2].value: "],
        ),
    ];
    for (input, expected) in table {
        let answer = tune(&server, input.clone()).await;
        let told: Vec<&str> =
            answer["userErrors"].as_array().expect("errors").iter().map(|error| error["message"].as_str().expect("a text")).collect();
        assert!(expected.iter().all(|fault| told.iter().any(|told| told.contains(fault))), "{input}: {told:?}");
        assert_eq!(answer["rule"], Value::Null, "{answer}");
    }
}

/// The rule that the program comes with, and one in shadow that counts where people live.
fn with_a_rule_in_shadow() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let standard = Path::new(env!("CARGO_MANIFEST_DIR")).join("risk/rules/standard");
    for below in ["", "tests"] {
        let to = folder.path().join("standard").join(below);
        fs::create_dir_all(&to).expect("a folder");
        for entry in fs::read_dir(standard.join(below)).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_file() {
                fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("copied");
            }
        }
    }
    let harbour = folder.path().join("harbour");
    fs::create_dir_all(harbour.join("tests")).expect("a folder");
    let rule = "id = \"harbour\"\nversion = \"2.1.0\"\nstatus = \"shadow\"\nowner = \"o\"\nname = \"Harbour\"\nrationale = \"r\"\n\
        scores = [\"INDIVIDUAL\"]\n[network]\ndamping = 0.5\npayments = 1\nownership = 1\nidentities = 1\nfull = 100\n\
        [factors.home]\ninput = \"domicile\"\nweight = 70\nstep = 1\nsays = \"s\"\n[[factors.home.values]]\nrating = 1\nany = [\"DE\"]\n";
    fs::write(harbour.join("rule.toml"), rule).expect("written");
    let test = "says = \"s\"\nscore = 70\n[facts]\ndomicile = [\"DE\"]\n[contributions]\nhome = 70\n";
    fs::write(harbour.join("tests/home.toml"), test).expect("written");
    folder
}

async fn shadows(api: &Api) -> Value {
    let query = "{ detectionRuns(first: 1) { edges { node { shadows { rule } riskShadows { rule version scored bands { band actors } otherBands
        first { actor liveScore liveBand score band } } } } } }";
    api.graphql(query, json!({})).await["detectionRuns"]["edges"][0]["node"].take()
}

async fn a_rule_in_shadow_is_compared_and_takes_the_place_when_it_is_switched_live(engine: Engine) {
    let folder = with_a_rule_in_shadow();
    let server = Server::with(Store::private(engine), &[("AMLGRAPH_RISK__RULES", &folder.path().display().to_string())]);
    let ids = Ids::new();
    let (line, id) = (ids.of("line"), ids.of("actor"));
    send(&server, &customer(&id, &line)).await;
    let result = run(&server, &line, DAY).await;
    assert_eq!(result["rules"], json!(["harbour 2.1.0", "standard 1.0.0"]), "{result}");
    let compared = json!({"rule": "harbour", "version": "2.1.0", "scored": 1, "bands": [{"band": "medium_risk", "actors": 1}], "otherBands": 1,
        "first": [{"actor": id, "liveScore": 0.0, "liveBand": "low_risk", "score": 70.0, "band": "medium_risk"}]});
    let shown = shadows(&server).await;
    assert_eq!((&shown["riskShadows"], &shown["shadows"]), (&json!([compared]), &json!([])), "{shown:#}");
    // Switched live it scores individuals; companies are left to the other one. Switched back, the one before counts again.
    let table = [("LIVE", 70.0, "harbour", ["LIVE", "LIVE"]), ("SHADOW", 0.0, "standard", ["SHADOW", "LIVE"])];
    for (status, score, rule, parts) in table {
        tuned(&server, json!({"ruleId": "harbour", "status": status, "reason": "tried"})).await;
        run(&server, &line, DAY).await;
        let last = scores(&server, &id).await[0].clone();
        assert_eq!((&last["final_score"].as_f64(), &last["risk_rule_id"]), (&Some(score), &json!(rule)), "{last:#}");
        let found: Vec<Value> = rules(&server).await.into_iter().map(|mut rule| rule["part"].take()).collect();
        assert_eq!(found, parts);
    }
}

/// The files of a rule that counts where people live.
fn files(version: &str, status: &str, weight: u32) -> Vec<Value> {
    let rule = format!(
        "id = \"harbour\"\nversion = \"{version}\"\nstatus = \"{status}\"\nowner = \"o\"\nname = \"Harbour\"\nrationale = \"r\"\n\
         scores = [\"INDIVIDUAL\"]\n[network]\ndamping = 0.5\npayments = 1\nownership = 1\nidentities = 1\nfull = 100\n\
         [factors.home]\ninput = \"domicile\"\nweight = {weight}\nstep = 1\nsays = \"s\"\n[[factors.home.values]]\nrating = 1\nany = [\"DE\"]\n"
    );
    let test = format!("says = \"s\"\nscore = {weight}\n[facts]\ndomicile = [\"DE\"]\n[contributions]\nhome = {weight}\n");
    vec![json!({"path": "harbour/rule.toml", "text": rule}), json!({"path": "harbour/tests/home.toml", "text": test})]
}

async fn add(api: &Api, files: &[Value]) -> Value {
    let mutation = "mutation($input: AddRiskRuleInput!) { addRiskRule(input: $input) { rule { id version status part added { byName } }
        userErrors { code message } } }";
    api.graphql(mutation, json!({"input": {"files": files}})).await["addRiskRule"].take()
}

async fn a_rule_is_added_with_its_tests(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let (line, id) = (ids.of("line"), ids.of("actor"));
    send(&server, &customer(&id, &line)).await;
    run(&server, &line, DAY).await;
    // Each version that is added, what it does, and the score, rule and version that the next run leaves.
    let table = [
        (files("1.0.0", "off", 60), "RESTING", (0.0, "standard", "1.0.0")),
        (files("1.1.0", "live", 70), "LIVE", (70.0, "harbour", "1.1.0")),
        (files("1.2.0", "shadow", 80), "SHADOW", (70.0, "harbour", "1.1.0")),
    ];
    for (files, part, (score, rule, version)) in table {
        // The same again changes nothing.
        for _ in 0..2 {
            let answer = add(&server, &files).await;
            assert_eq!((&answer["userErrors"], &answer["rule"]["part"]), (&json!([]), &json!(part)), "{answer}");
            assert!(answer["rule"]["added"]["byName"].is_string(), "{answer}");
        }
        run(&server, &line, DAY).await;
        let last = scores(&server, &id).await[0].clone();
        assert_eq!(last["final_score"].as_f64(), Some(score), "{last:#}");
        assert_eq!((&last["risk_rule_id"], &last["risk_rule_version"]), (&json!(rule), &json!(version)), "{last:#}");
    }
    // Another process has them from the store.
    assert!(server.stop().success());
    server.start_again();
    let found: Vec<(Value, Value)> = rules(&server).await.into_iter().map(|mut rule| (rule["version"].take(), rule["part"].take())).collect();
    let expected = [("1.2.0", "SHADOW"), ("1.1.0", "LIVE"), ("1.0.0", "RESTING"), ("1.0.0", "LIVE")];
    assert_eq!(found, expected.map(|(version, part)| (json!(version), json!(part))));
    let off = tuned(&server, json!({"ruleId": "harbour", "status": "OFF", "reason": "none of them"})).await;
    assert_eq!((&off["version"], &off["part"]), (&json!("1.1.0"), &json!("RESTING")), "{off}");
    run(&server, &line, DAY).await;
    assert_eq!(scores(&server, &id).await[0]["risk_rule_id"], "standard");
    let untested: Vec<Value> = files("2.0.0", "off", 60).into_iter().take(1).collect();
    let refused = [
        (Vec::new(), "files: must be those of one rule"),
        (untested, "no test"),
        (files("1.1.0", "live", 71), "was added with other files"),
        (files("one", "off", 60), "version"),
    ];
    for (files, expected) in refused {
        let answer = add(&server, &files).await;
        let told = answer["userErrors"][0]["message"].as_str().unwrap_or_default();
        assert!(answer["rule"].is_null() && told.contains(expected), "{expected}: {answer}");
    }
}

const BACKTEST: &str = "mutation($input: BacktestRiskRuleInput!) { backtestRiskRule(input: $input) { job { id } userErrors { path message } } }";

async fn a_backtest_goes_by_the_weights_of_then(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let line = ids.of("line");
    for name in ["exposed", "plain"] {
        send(&server, &customer(&ids.of(name), &line)).await;
    }
    assess(&server, &ids.of("exposed"), "PEP", "yes").await;
    run(&server, &line, DAY).await;
    tuned(&server, json!({"ruleId": "standard", "weights": [{"factor": "assessments", "value": "90"}], "reason": "after it"})).await;
    let kept = scores(&server, &ids.of("exposed")).await;
    let sets = json!([[{"factor": "assessments", "value": "200"}]]);
    let input = json!({"ruleId": "standard", "lineOfBusiness": line, "from": DAY, "to": "2024-06-14", "sets": sets});
    let started = server.graphql(BACKTEST, json!({"input": input})).await["backtestRiskRule"].take();
    let id = started["job"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    let job = async || server.graphql("query($id: ID!) { job(id: $id) { status result lastError } }", json!({"id": id})).await["job"].take();
    eventually("the backtest ends", SOON, async || job().await["status"] == "DONE").await;
    let result = job().await["result"].take();
    assert_eq!((&result["rule"], &result["version"]), (&json!("standard"), &json!("1.0.0")), "{result:#}");
    // The day's run knew a hundred; of the day after there was none, so that it is as it is tuned now.
    let table = [("100", json!({"low_risk": 1, "medium_risk": 1})), ("90", json!({"low_risk": 2}))];
    for (day, (weight, bands)) in result["days"].as_array().expect("days").iter().zip(table) {
        assert_eq!((&day["weights"]["assessments"], &day["bands"], &day["otherBands"]), (&json!(weight), &bands, &json!(0)), "{day:#}");
        let tried = &day["sets"][0];
        assert_eq!((&tried["bands"], &tried["otherBands"]), (&json!({"low_risk": 1, "high_risk": 1}), &json!(1)), "{day:#}");
        assert_eq!(tried["first"][0]["actor"], json!(ids.of("exposed")), "{day:#}");
    }
    assert_eq!(result["days"].as_array().map(Vec::len), Some(2));
    assert_eq!(scores(&server, &ids.of("exposed")).await, kept, "nothing is kept of it");
    // What is tried is what tuning takes.
    let sets = json!([[{"factor": "home", "value": "1"}], [{"factor": "assessments", "value": "200.5"}]]);
    let wrong = json!({"ruleId": "standard", "lineOfBusiness": line, "from": DAY, "to": DAY, "sets": sets});
    let refused = server.graphql(BACKTEST, json!({"input": wrong})).await["backtestRiskRule"].take();
    let told = refused["userErrors"].to_string();
    let off_step = "must be a whole number of steps of 5 from 90, not 200.5";
    assert!(told.contains("sets[0].home: must be a factor of the rule: ") && told.contains(off_step), "{refused}");
    let paths = [0, 1].map(|at: usize| refused["userErrors"][at]["path"].clone());
    assert_eq!(paths, [json!(["input", "sets", "0", "0"]), json!(["input", "sets", "1", "0"])], "{refused}");
    let tuning = json!({"ruleId": "standard", "weights": [{"factor": "assessments", "value": "200.5"}], "reason": "as it was tried"});
    let mutation = "mutation($input: TuneRiskRuleInput!) { tuneRiskRule(input: $input) { userErrors { message } } }";
    let refused = server.graphql(mutation, json!({"input": tuning})).await["tuneRiskRule"].take();
    assert!(refused.to_string().contains("must be a whole number of steps of 5 from 100, not 200.5"), "{refused}");
}

async fn a_run_goes_on_from_the_one_before(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let line = ids.of("line");
    for name in ["changed", "owned", "plain"] {
        send(&server, &customer(&ids.of(name), &line)).await;
    }
    let associates = json!({"asOfDate": "2024-01-01", "actorAssociates": [{"id": ids.of("changed"), "type": "SHAREHOLDER", "ratio": 1}]});
    server.post(&format!("/api/actors/{}/associates", ids.of("owned")), associates.to_string()).await.expect(200);
    let first = run(&server, &line, DAY).await;
    assert_eq!((&first["evaluated"], &first["written"]), (&first["actors"], &json!(3)), "{first}");
    assert_eq!(run(&server, &line, DAY).await["evaluated"], json!(0));
    assess(&server, &ids.of("changed"), "SANCTIONS", "hit").await;
    // Whoever is exposed has another score, and is not evaluated for that.
    let second = run(&server, &line, DAY).await;
    assert_eq!((&second["evaluated"], &second["written"], &second["unchanged"]), (&json!(1), &json!(2), &json!(1)), "{second}");
    // Another process begins from nothing and finds the same.
    assert!(server.stop().success());
    server.start_again();
    let anew = run(&server, &line, DAY).await;
    assert_eq!((&anew["evaluated"], &anew["written"], &anew["unchanged"]), (&anew["actors"], &json!(0), &json!(3)), "{anew}");
}

async fn the_command_line_tries_weights_and_shows_shadows(engine: Engine) {
    let folder = with_a_rule_in_shadow();
    let server = Server::with(Store::private(engine), &[("AMLGRAPH_RISK__RULES", &folder.path().display().to_string())]);
    let ids = Ids::new();
    let (line, id) = (ids.of("line"), ids.of("actor"));
    send(&server, &customer(&id, &line)).await;
    assess(&server, &id, "PEP", "yes").await;
    run(&server, &line, DAY).await;
    let at = |arguments: &[&str]| {
        let output = command(&[&["risk"][..], arguments].concat()).env("AMLGRAPH_URL", &server.base).env("AMLGRAPH_KEY", server.key()).output();
        let output = output.expect("the program runs");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let table: [(&[&str], &[&str]); 4] = [
        (&["backtest", "--rule", "standard", "--line", &line, "--from", DAY, "--to", DAY], &["standard 1.0.0", "as tuned"]),
        (
            &["what-if", "--rule", "standard", "--line", &line, "--day", DAY, "--try", "assessments=90,200"],
            &["as tuned", "assessments=90", "assessments=200"],
        ),
        (&["what-if", "--rule", "harbour", "--line", &line, "--day", DAY, "--try", "home=30", "--json"], &["\"otherBands\": 1", "\"low_risk\": 1"]),
        (&["shadow", "--line", &line, "--day", DAY], &["harbour", "2.1.0"]),
    ];
    for (arguments, wanted) in table {
        let (ok, printed, said) = at(arguments);
        assert!(ok && wanted.iter().all(|wanted| printed.contains(wanted)), "{arguments:?}: {printed}{said}");
    }
    let (ok, _, said) = at(&["what-if", "--rule", "standard", "--line", &line, "--day", DAY]);
    assert!(!ok && said.contains("--try NAME=VALUE"), "{said}");
    tuned(&server, json!({"ruleId": "harbour", "status": "OFF", "reason": "it was tried"})).await;
    run(&server, &line, "2024-06-14").await;
    let (ok, printed, said) = at(&["shadow", "--line", &line, "--day", "2024-06-14"]);
    assert!(ok && printed == format!("no risk rule was in shadow in the run for {line} and 2024-06-14\n"), "{printed}{said}");
    // A line of business that is misspelt selects nobody.
    let note = "nobody was looked at: no actor is of the line of business \"misspelt\"";
    assert!(run(&server, "misspelt", DAY).await["note"].as_str().is_some_and(|told| told.starts_with(note)));
    let (ok, printed, said) = at(&["backtest", "--rule", "standard", "--line", "misspelt", "--from", DAY, "--to", DAY]);
    assert!(ok && said.contains(note) && printed.contains("as tuned"), "{printed}{said}");
    let (ok, _, said) = at(&["backtest", "--rule", "standard", "--line", &line, "--from", DAY, "--to", DAY]);
    assert!(ok && !said.contains("nobody"), "{said}");
    let (ok, _, said) = at(&["backtest", "--rule", "harbor", "--line", &line, "--from", DAY, "--to", DAY]);
    assert!(!ok && said.contains("ruleId: must be the id of a rule: harbour, standard"), "{said}");
    let (ok, _, said) = at(&["shadow", "--line", &line, "--day", "2024-01-01"]);
    assert!(!ok && said.contains("there is no run of the type ACTOR"), "{said}");
}

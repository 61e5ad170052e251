//! What feedback says of rules: counted by rule, version, line of business and period, against plain code; which rules fall; the command.

use std::collections::{BTreeMap, BTreeSet};

use graph_schema::date::Timestamp;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::support::case_work::{done, made};
use crate::support::fixtures::with;
use crate::support::observations::{observation, taken};
use crate::support::{Api, Engine, Ids, Server, Store, command, tests};

tests![both: histories_are_counted_as_plain_code_counts_them, the_last_feedback_counts_in_whichever_case, a_rule_whose_precision_falls_is_named,
    only_own_findings_above_the_line_count, other_feedback_counts_where_a_setting_says_so, the_command_prints_a_table_and_json;
    embedded: reports_are_bounded, settings_must_make_sense];

const COUNTS: &str = "findings truePositive falsePositive other withoutFeedback precision low high";

/// A finding of a rule, as a run records it.
#[derive(Debug, Clone)]
struct Finding {
    id: String,
    rule: String,
    version: &'static str,
    line: String,
    day: &'static str,
}

impl Finding {
    fn record(&self) -> Value {
        with(
            observation(&self.id),
            json!({"behaviorId": self.rule, "rule": [self.rule], "version": self.version, "businessDate": self.day, "dataSource": "Service - Detection",
                "metadata": {"lineOfBusiness": self.line}}),
        )
    }
}

/// Sends findings of one day, and gives feedback on each in a case of all of them.
async fn judged(api: &Api, ids: &Ids, rule: &str, day: &'static str, feedback: &[&str]) {
    let mut all = Vec::new();
    for place in 0..feedback.len() {
        let id = ids.of(&format!("{rule}-{day}-{place}"));
        let finding = Finding { id: id.clone(), rule: rule.to_owned(), version: "1.0.0", line: ids.of("line"), day };
        taken(api, finding.record()).await;
        all.push(id);
    }
    let case = made(api, json!({"observation_ids": all})).await;
    for (id, feedback) in all.iter().zip(feedback) {
        give(api, &case, id, feedback).await;
    }
}

async fn give(api: &Api, case: &str, observation: &str, feedback: &str) {
    done(api, "giveObservationFeedback", json!({"caseId": case, "observationId": observation, "feedback": feedback})).await;
}

/// The report on one rule; null where it has no findings.
async fn report(api: &Api, rule: &str, (from, to): (&str, &str), by: &str) -> Value {
    let query = format!(
        "query($rule: ID!, $from: Date!, $to: Date!, $by: DetectionPeriod) {{ detectionPrecision(ruleId: $rule, from: $from, to: $to, by: $by) {{ timeZone falling
        rules {{ ruleId all {{ {COUNTS} }} periods {{ from to counts {{ {COUNTS} }} }} falling {{ since latest {{ findings }} before {{ findings }} }}
        parts {{ version lineOfBusiness all {{ {COUNTS} }} periods {{ from counts {{ {COUNTS} }} }} falling {{ since }} }} }} }} }}"
    );
    let report = api.graphql(&query, json!({"rule": rule, "from": from, "to": to, "by": by})).await["detectionPrecision"].take();
    assert_eq!(report["timeZone"], "UTC");
    let names: Vec<Value> =
        report["rules"].as_array().expect("rules").iter().filter(|of| !of["falling"].is_null()).map(|of| of["ruleId"].clone()).collect();
    assert!(names.iter().all(|name| report["falling"].as_array().expect("names").contains(name)), "{report:#}");
    report["rules"].get(0).cloned().unwrap_or_default()
}

/// True and false positives, other feedback, none.
fn counts(counts: &Value) -> [u64; 4] {
    let found = ["truePositive", "falsePositive", "other", "withoutFeedback"].map(|name| counts[name].as_u64().expect("a count"));
    assert_eq!(counts["findings"].as_u64(), Some(found.iter().sum()), "{counts}");
    let (right, judged) = (found[0] as f64, (found[0] + found[1]) as f64);
    if judged == 0.0 {
        assert_eq!([&counts["precision"], &counts["low"], &counts["high"]], [&Value::Null; 3]);
    } else {
        let z = 1.959_963_984_540_054;
        let middle = (right + z * z / 2.0) / (judged + z * z);
        let half = z / (judged + z * z) * (right * (judged - right) / judged + z * z / 4.0).sqrt();
        for (name, wanted) in [("precision", right / judged), ("low", middle - half), ("high", middle + half)] {
            assert!(counts[name].as_f64().is_some_and(|found| (found - wanted).abs() < 1e-9), "{name}: {counts}, {wanted}");
        }
    }
    found
}

/// The place of feedback among what is counted.
fn place(feedback: Option<&str>) -> usize {
    match feedback {
        Some("TRUE_POSITIVE") => 0,
        Some("FALSE_POSITIVE") => 1,
        Some(_) => 2,
        None => 3,
    }
}

/// What was said last of an observation, of all that is stored: the latest, of several at one moment the one with the first id.
async fn last_feedback(api: &Api, observation: &str) -> Option<String> {
    let query = "query($id: ID!) { observation(id: $id) { feedback(first: 10) { nodes { id feedback createdAt } } } }";
    let data = api.graphql(query, json!({"id": observation})).await;
    let nodes = data["observation"]["feedback"]["nodes"].as_array().expect("nodes");
    let text = |node: &Value, name: &str| node[name].as_str().expect("a text").to_owned();
    let moment = |node: &Value| Timestamp::parse(&text(node, "createdAt")).expect("a moment");
    let latest = nodes.iter().min_by_key(|&node| (std::cmp::Reverse(moment(node)), text(node, "id")));
    latest.map(|node| text(node, "feedback"))
}

/// Rules, versions, lines, days and feedback by chance, some given again and some in a second case.
async fn histories_are_counted_as_plain_code_counts_them(engine: Engine) {
    const DAYS: [&str; 6] = ["2031-01-05", "2031-01-06", "2031-01-31", "2031-02-01", "2031-02-28", "2031-03-01"];
    const FEEDBACK: [&str; 4] = ["TRUE_POSITIVE", "FALSE_POSITIVE", "UNCLEAR", "true_positive"];
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut random = StdRng::seed_from_u64(39);
    let mut history: Vec<(Finding, Option<String>)> = Vec::new();
    for place in 0..36 {
        let finding = Finding {
            id: ids.of(&format!("finding-{place}")),
            rule: ids.of(["a", "b"][random.random_range(0..2)]),
            version: ["1.0.0", "1.1.0"][random.random_range(0..2)],
            line: ids.of(["retail", "private"][random.random_range(0..2)]),
            day: DAYS[random.random_range(0..DAYS.len())],
        };
        taken(&server, finding.record()).await;
        for _ in 0..random.random_range(0..3) {
            let case = made(&server, json!({"observation_ids": [finding.id]})).await;
            for _ in 0..random.random_range(1..3) {
                give(&server, &case, &finding.id, FEEDBACK[random.random_range(0..FEEDBACK.len())]).await;
            }
        }
        let last = last_feedback(&server, &finding.id).await;
        history.push((finding, last));
    }
    let rules: BTreeSet<String> = history.iter().map(|(finding, _)| finding.rule.clone()).collect();
    assert_eq!(rules.len(), 2, "{history:?}");
    // The span leaves out the last day.
    let span = ("2031-01-05", "2031-02-28");
    let period = |by: &str, day: &str| match (by, day) {
        ("DAY", day) => day.to_owned(),
        ("MONTH", day) if day.starts_with("2031-01") => "2031-01-05".to_owned(),
        ("MONTH", _) => "2031-02-01".to_owned(),
        (_, "2031-01-05") => "2031-01-05".to_owned(),
        (_, "2031-01-06") => "2031-01-06".to_owned(),
        (_, "2031-02-28") => "2031-02-24".to_owned(),
        // The last of January and the first of February are days of one week.
        _ => "2031-01-27".to_owned(),
    };
    for rule in rules {
        let of_rule: Vec<&(Finding, Option<String>)> = history.iter().filter(|(finding, _)| finding.rule == rule && finding.day <= span.1).collect();
        for by in ["DAY", "WEEK", "MONTH"] {
            let mut wanted: BTreeMap<String, [u64; 4]> = BTreeMap::new();
            let mut wanted_parts: BTreeMap<(String, String, String), [u64; 4]> = BTreeMap::new();
            for (finding, feedback) in &of_rule {
                let (at, first) = (place(feedback.as_deref()), period(by, finding.day));
                wanted.entry(first.clone()).or_default()[at] += 1;
                wanted_parts.entry((finding.version.to_owned(), finding.line.clone(), first)).or_default()[at] += 1;
            }
            let found = report(&server, &rule, span, by).await;
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let periods = found["periods"].as_array().expect("periods");
            let by_period: BTreeMap<String, [u64; 4]> = periods.iter().map(|of| (text(&of["from"]), counts(&of["counts"]))).collect();
            assert_eq!(by_period, wanted, "{rule} {by}");
            assert_eq!(counts(&found["all"]).iter().sum::<u64>() as usize, of_rule.len(), "{rule} {by}");
            let mut by_part = BTreeMap::new();
            for part in found["parts"].as_array().expect("parts") {
                for of in part["periods"].as_array().expect("periods") {
                    by_part.insert((text(&part["version"]), text(&part["lineOfBusiness"]), text(&of["from"])), counts(&of["counts"]));
                }
            }
            assert_eq!(by_part, wanted_parts, "{rule} {by}");
        }
    }
}

async fn the_last_feedback_counts_in_whichever_case(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let rule = ids.of("rule");
    let finding = Finding { id: ids.of("finding"), rule: rule.clone(), version: "1.0.0", line: ids.of("line"), day: "2031-05-05" };
    taken(&server, finding.record()).await;
    let found = async || counts(&report(&server, &rule, ("2031-05-05", "2031-05-05"), "DAY").await["all"]);
    assert_eq!(found().await, [0, 0, 0, 1]);
    for (mutation, wanted) in [
        ("dismissObservation(input: {observationId: $id, reason: \"noise\", feedback: \"FALSE_POSITIVE\"})", [0, 1, 0, 0]),
        ("restoreObservation(input: {observationId: $id})", [0, 0, 0, 1]),
    ] {
        let query = format!("mutation($id: ID!) {{ {mutation} {{ userErrors {{ code }} }} }}");
        server.graphql(&query, json!({"id": finding.id})).await;
        assert_eq!(found().await, wanted, "{mutation}");
    }
    let first = made(&server, json!({"observation_ids": [finding.id]})).await;
    for (feedback, wanted) in [("TRUE_POSITIVE", [1, 0, 0, 0]), ("UNCLEAR", [0, 0, 1, 0]), ("FALSE_POSITIVE", [0, 1, 0, 0])] {
        give(&server, &first, &finding.id, feedback).await;
        assert_eq!(found().await, wanted, "{feedback} takes the place of what was said before");
    }
    // The report in between has taken longer than a millisecond, so that the second case's feedback is later.
    let second = made(&server, json!({"observation_ids": [finding.id]})).await;
    give(&server, &second, &finding.id, "TRUE_POSITIVE").await;
    assert_eq!(found().await, [1, 0, 0, 0]);
    assert_eq!(report(&server, &rule, ("2031-05-06", "2031-05-07"), "DAY").await, Value::Null, "it is no finding of another day");
    // What is taken back counts no more, nor what stood there before it.
    for (case, wanted) in [(&second, [0, 1, 0, 0]), (&first, [0, 0, 0, 1])] {
        done(&server, "giveObservationFeedback", json!({"caseId": case, "observationId": finding.id, "feedback": null})).await;
        assert_eq!(found().await, wanted);
    }
}

async fn a_rule_whose_precision_falls_is_named(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (right, wrong) = (["TRUE_POSITIVE"; 5], ["FALSE_POSITIVE"; 5]);
    // 5 of 5 and none of 5 do not overlap; 3 of 3 and none of 3 do.
    let table: [(&str, &[&str], &[&str], bool); 4] = [
        ("falls", &right, &wrong, true),
        ("rises", &wrong, &right, false),
        ("few", &right[..3], &wrong[..3], false),
        ("stays", &right, &right, false),
    ];
    for (name, before, latest, falls) in table {
        let rule = ids.of(name);
        judged(&server, &ids, &rule, "2031-06-30", before).await;
        judged(&server, &ids, &rule, "2031-07-01", latest).await;
        let found = report(&server, &rule, ("2031-01-01", "2031-12-31"), "MONTH").await;
        let since = if falls { json!("2031-07-01") } else { Value::Null };
        assert_eq!((&found["falling"]["since"], &found["parts"][0]["falling"]["since"]), (&since, &since), "{found:#}");
        if falls {
            assert_eq!((&found["falling"]["latest"]["findings"], &found["falling"]["before"]["findings"]), (&json!(5), &json!(5)));
        }
        // Within one period nothing falls.
        let found = report(&server, &rule, ("2031-06-30", "2031-07-01"), "WEEK").await;
        assert_eq!((&found["falling"], found["periods"].as_array().map(Vec::len)), (&Value::Null, Some(1)), "{found:#}");
    }
}

async fn only_own_findings_above_the_line_count(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let rule = ids.of("rule");
    let finding = |name: &str| Finding { id: ids.of(name), rule: rule.clone(), version: "1.0.0", line: ids.of("line"), day: "2031-08-01" }.record();
    let bare = observation(&ids.of("bare"));
    let table = [
        finding("plain"),
        // A group's findings are its rule's.
        with(finding("group"), json!({"behaviorId": format!("{rule}@group")})),
        with(finding("below"), json!({"btlFlag": true})),
        with(finding("theirs"), json!({"dataSource": "core"})),
        with(bare, json!({"behaviorId": rule, "businessDate": "2031-08-01", "dataSource": "Service - Detection"})),
    ];
    for record in table {
        taken(&server, record).await;
    }
    let found = report(&server, &rule, ("2031-08-01", "2031-08-01"), "DAY").await;
    assert_eq!(counts(&found["all"]), [0, 0, 0, 3], "{found:#}");
    let parts: Vec<(&Value, &Value, u64)> = found["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .map(|part| (&part["version"], &part["lineOfBusiness"], counts(&part["all"]).iter().sum()))
        .collect();
    assert_eq!(parts, [(&Value::Null, &Value::Null, 1), (&json!("1.0.0"), &json!(ids.of("line")), 2)]);
    let query = "query($line: String!, $from: Date!) { detectionPrecision(lineOfBusiness: $line, from: $from, to: $from) { rules { ruleId all { findings } } } }";
    let of_line = server.graphql(query, json!({"line": ids.of("line"), "from": "2031-08-01"})).await["detectionPrecision"].take();
    assert_eq!(of_line, json!({"rules": [{"ruleId": rule, "all": {"findings": 2}}]}));
}

async fn other_feedback_counts_where_a_setting_says_so(engine: Engine) {
    let meanings = [("AMLGRAPH_DETECTION__FEEDBACK", "CONFIRMED=TRUE_POSITIVE, Known customer=FALSE_POSITIVE")];
    let (server, ids) = (Server::with(Store::of(engine), &meanings), Ids::new());
    let rule = ids.of("rule");
    let feedback = ["CONFIRMED", "TRUE_POSITIVE", "Known customer", "confirmed"];
    judged(&server, &ids, &rule, "2031-09-01", &feedback).await;
    let found = report(&server, &rule, ("2031-09-01", "2031-09-01"), "DAY").await;
    assert_eq!(counts(&found["all"]), [2, 1, 1, 0], "{found:#}");
}

async fn the_command_prints_a_table_and_json(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let rule = ids.of("rule");
    judged(&server, &ids, &rule, "2031-10-31", &["TRUE_POSITIVE"; 5]).await;
    judged(&server, &ids, &rule, "2031-11-01", &["FALSE_POSITIVE"; 5]).await;
    let made = server.post("/admin/keys", json!({"role": "AUDITOR", "name": rule}).to_string()).await.expect(201).json();
    let run = |more: &[&str]| {
        let arguments = ["detect", "report", "--from", "2031-10-01", "--to", "2031-11-30", "--rule", rule.as_str()];
        let mut command = command(&[&arguments[..], more].concat());
        let output = command.env("AMLGRAPH_URL", &server.base).env("AMLGRAPH_KEY", made["key"].as_str().expect("a key")).output();
        let output = output.expect("the program runs");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (done, out, told) = run(&[]);
    assert!(done, "{told}");
    for wanted in ["business days in UTC", "2031-10-01..2031-10-31", "0.566..1.000", "0.000..0.434", "1.0.0"] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    let falls = format!("{rule}: the precision falls, since 2031-11-01 0.000..0.434, before 0.566..1.000");
    assert!(out.lines().any(|line| line == falls), "{out}");
    let (done, out, told) = run(&["--json", "--by", "day"]);
    assert!(done, "{told}");
    let printed: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&printed["falling"], &printed["rules"][0]["periods"][1]["from"]), (&json!([rule]), &json!("2031-11-01")), "{printed:#}");
    let (done, _, told) = run(&["--by", "year"]);
    assert!(!done && told.contains("month"), "{told}");
}

async fn reports_are_bounded(engine: Engine) {
    let server = Server::shared(engine);
    let table = [("2031-01-02", "2031-01-01", "to: must not be before from"), ("2031-01-01", "2036-01-05", "to: must be at most 1830 days")];
    for (from, to, told) in table {
        let query = format!("{{ detectionPrecision(from: \"{from}\", to: \"{to}\") {{ falling }} }}");
        let answer = server.graphql_answer(&query, json!({})).await;
        let error = &answer["errors"][0];
        assert_eq!(error["extensions"]["code"], "INVALID", "{answer}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(told)), "{answer}");
    }
    let longest = "{ detectionPrecision(from: \"2036-01-01\", to: \"2041-01-03\", by: DAY) { rules { ruleId } } }";
    assert_eq!(server.graphql(longest, json!({})).await["detectionPrecision"]["rules"], json!([]));
}

async fn settings_must_make_sense(engine: Engine) {
    for value in ["CONFIRMED", "CONFIRMED=yes", "A=TRUE_POSITIVE,A=FALSE_POSITIVE", "TRUE_POSITIVE=FALSE_POSITIVE"] {
        let store = Store::of(engine);
        let output = store.command(&["serve", "--listen", "127.0.0.1:0"]).env("AMLGRAPH_DETECTION__FEEDBACK", value).output();
        let output = output.expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("detection.feedback"), "{value}: {said}");
    }
}

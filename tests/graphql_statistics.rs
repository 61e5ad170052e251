//! Statistics of cases and observations: each number is what plain code counts of what was put in.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::case_work::{done, made};
use crate::support::fixtures::{case_id, with};
use crate::support::observations::{observation, taken};
use crate::support::{Api, Engine, Ids, Server, eventually, tests};

tests![both: observations_are_counted_as_plain_code_counts_them, cases_are_counted_as_plain_code_counts_them; embedded: what_makes_no_sense_is_refused_with_its_place];

const OBSERVATIONS: &str = "query($filter: ObservationFilter, $keys: [ObservationStatisticsKey!]!, $zone: String!) {
    observationStatistics(filter: $filter, groupBy: $keys, timeZone: $zone) { asOf rowCount truncated total { ...Row } rows { ...Row } } }
    fragment Row on ObservationStatisticsRow { type rule { id } priority typology lineOfBusiness dataSource day isHandled
      count handled oldestAt medianAgeSeconds truePositives falsePositives precision precisionLow precisionHigh }";
const CASES: &str = "query($filter: CaseFilter, $keys: [CaseStatisticsKey!]!, $zone: String!) {
    caseStatistics(filter: $filter, groupBy: $keys, timeZone: $zone) { asOf rowCount truncated total { ...Row } rows { ...Row } } }
    fragment Row on CaseStatisticsRow { status state assignee { id } type workflow { id } tag { id } closeReason createdDay closedDay
      count overdue oldestAt medianAgeSeconds }";

/// Where findings of the service come from: of others the metadata is their own, and says no line of business.
const SERVICE: &str = "Service - Detection";

/// A key as it is named in `groupBy`, and the field of a row.
type Key = (&'static str, &'static str);

const OF_OBSERVATIONS: [Key; 8] = [
    ("TYPE", "type"),
    ("RULE", "rule"),
    ("PRIORITY", "priority"),
    ("TYPOLOGY", "typology"),
    ("LINE_OF_BUSINESS", "lineOfBusiness"),
    ("DATA_SOURCE", "dataSource"),
    ("DAY", "day"),
    ("HANDLED", "isHandled"),
];
const OF_CASES: [Key; 9] = [
    ("STATUS", "status"),
    ("STATE", "state"),
    ("ASSIGNEE", "assignee"),
    ("TYPE", "type"),
    ("WORKFLOW", "workflow"),
    ("TAG", "tag"),
    ("CLOSE_REASON", "closeReason"),
    ("CREATED_DAY", "createdDay"),
    ("CLOSED_DAY", "closedDay"),
];

/// Something that was put in: what it has by each key (several values where it is in several rows), and its numbers.
#[derive(Debug, Clone)]
struct Known {
    by: BTreeMap<&'static str, Vec<Value>>,
    /// Epoch milliseconds.
    at: i64,
    /// Of each of these numbers, which the row adds up.
    numbers: BTreeMap<&'static str, i64>,
}

/// Rows as plain code counts them, by the values of their keys: how many, the oldest, what is added up.
fn counted(known: &[Known], keys: &[Key]) -> BTreeMap<String, Value> {
    let mut groups: BTreeMap<String, Vec<&Known>> = BTreeMap::new();
    for one in known {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for (_, field) in keys {
            rows = rows.iter().flat_map(|row| one.by[field].iter().map(move |value| [row.clone(), vec![value.clone()]].concat())).collect();
        }
        for row in rows {
            groups.entry(json!(row).to_string()).or_default().push(one);
        }
    }
    let row = |group: Vec<&Known>| {
        let oldest = group.iter().map(|one| one.at).min().map(|at| Timestamp(at).to_string());
        let mut row = json!({"count": group.len(), "oldestAt": oldest});
        for one in group {
            for (name, number) in &one.numbers {
                row[*name] = json!(row[*name].as_i64().unwrap_or_default() + number);
            }
        }
        row
    };
    groups.into_iter().map(|(keys, group)| (keys, row(group))).collect()
}

/// The same of an answer.
fn answered(statistics: &Value, keys: &[Key], numbers: &[&str]) -> BTreeMap<String, Value> {
    let id_or_itself = |value: &Value| if value.is_object() { value["id"].clone() } else { value.clone() };
    let rows = statistics["rows"].as_array().expect("rows");
    let named = rows.iter().map(|row| {
        let by: Vec<Value> = keys.iter().map(|(_, field)| id_or_itself(&row[*field])).collect();
        let mut shown = json!({"count": row["count"], "oldestAt": row["oldestAt"]});
        for number in numbers {
            shown[*number] = row[*number].clone();
        }
        (json!(by).to_string(), shown)
    });
    let named: BTreeMap<String, Value> = named.collect();
    assert_eq!((named.len(), &statistics["truncated"]), (rows.len(), &json!(false)), "each combination is one row: {statistics}");
    assert_eq!(statistics["rowCount"], json!(rows.len()));
    let counts: Vec<i64> = rows.iter().filter_map(|row| row["count"].as_i64()).collect();
    assert!(counts.is_sorted_by(|one, next| one >= next), "the largest come first: {counts:?}");
    named
}

/// Each key alone, and each with the next but one.
fn groupings(keys: &[Key]) -> Vec<Vec<Key>> {
    let alone = keys.iter().map(|key| vec![*key]);
    let pairs = (0..keys.len()).map(|at| vec![keys[at], keys[(at + 2) % keys.len()]]);
    alone.chain(pairs).collect()
}

fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|(name, _)| *name).collect()
}

/// The value in the middle, the lower one of two.
fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len().div_ceil(2).checked_sub(1)?).copied()
}

fn millis(time: &Value) -> i64 {
    DateTime::parse_from_rfc3339(time.as_str().expect("a time")).expect("a time").timestamp_millis()
}

async fn observations_are_counted_as_plain_code_counts_them(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let behaviour = ids.of("behaviour");
    // On both sides of midnight in Berlin, in winter and in summer, and of the night between.
    let days = [
        ("2024-03-30T22:59:59Z", "2024-03-30"),
        ("2024-03-30T23:00:00Z", "2024-03-31"),
        ("2024-03-31T21:59:59Z", "2024-03-31"),
        ("2024-03-31T22:00:00Z", "2024-04-01"),
        ("2024-10-27T21:59:59Z", "2024-10-27"),
        ("2024-10-27T23:00:00Z", "2024-10-28"),
    ];
    let (r1, r2) = (ids.of("r1"), ids.of("r2"));
    let more = [
        json!({"priority": "HIGH", "rules": [{"id": r1}, {"id": r2}], "taxonomyDescription": "t1"}),
        json!({"priority": "HIGH", "rules": [{"id": r1}], "dataSource": SERVICE, "metadata": {"lineOfBusiness": "RETAIL"}}),
        json!({"priority": "LOW", "rules": [{"id": r2}], "dataSource": "d1"}),
        json!({"dataSource": "d1", "taxonomyDescription": "t1", "metadata": {"lineOfBusiness": "PRIVATE"}}),
        json!({"type": "ALERT_AML_V2", "priority": "LOW", "dataSource": SERVICE, "metadata": {"lineOfBusiness": "PRIVATE"}}),
        json!({"priority": "LOW", "taxonomyDescription": "t2"}),
    ];
    // What is done with each: whether it is handled, and the feedback that it has last.
    let acts = [
        ("RAISED", 1, "TRUE_POSITIVE"),
        ("RAISED", 1, "FALSE_POSITIVE"),
        ("RAISED", 1, "UNCLEAR"),
        ("DISMISSED", 1, "FALSE_POSITIVE"),
        ("", 0, ""),
        ("", 0, ""),
    ];
    let mut known = Vec::new();
    for (n, (((time, day), more), (act, handled, feedback))) in days.into_iter().zip(more).zip(acts).enumerate() {
        let id = ids.of(&format!("alert-{n}"));
        let at = millis(&json!(time));
        let record = with(with(observation(&id), json!({"behaviorId": behaviour, "date": at / 1_000})), more);
        taken(&server, record.clone()).await;
        match act {
            "RAISED" => {
                let case = made(&server, json!({"observation_ids": [id]})).await;
                for feedback in ["TRUE_POSITIVE", feedback] {
                    done(&server, "giveObservationFeedback", json!({"caseId": case, "observationId": id, "feedback": feedback})).await;
                }
            }
            "DISMISSED" => {
                let dismiss = "mutation($input: DismissObservationInput!) { dismissObservation(input: $input) { userErrors { code } } }";
                let input = json!({"observationId": id, "reason": "known", "feedback": feedback});
                assert_eq!(server.graphql(dismiss, json!({"input": input})).await["dismissObservation"]["userErrors"], json!([]));
            }
            _ => {}
        }
        let rules: Vec<Value> = record["rules"].as_array().into_iter().flatten().map(|rule| rule["id"].clone()).collect();
        let by = BTreeMap::from([
            ("type", vec![record["type"].clone()]),
            ("rule", if rules.is_empty() { vec![Value::Null] } else { rules }),
            ("priority", vec![record["priority"].clone()]),
            ("typology", vec![record["taxonomyDescription"].clone()]),
            ("lineOfBusiness", vec![if record["dataSource"] == SERVICE { record["metadata"]["lineOfBusiness"].clone() } else { Value::Null }]),
            ("dataSource", vec![record["dataSource"].clone()]),
            ("day", vec![json!(day)]),
            ("isHandled", vec![json!(handled == 1)]),
        ]);
        let is = |meaning: &str| i64::from(feedback == meaning);
        let numbers = BTreeMap::from([("handled", handled), ("truePositives", is("TRUE_POSITIVE")), ("falsePositives", is("FALSE_POSITIVE"))]);
        known.push(Known { by, at, numbers });
    }
    let ask = async |filter: Value, keys: &[Key], zone: &str| {
        let filter = with(json!({"behaviorIds": [behaviour]}), filter);
        server.graphql(OBSERVATIONS, json!({"filter": filter, "keys": names(keys), "zone": zone})).await["observationStatistics"].take()
    };
    let numbers = ["handled", "truePositives", "falsePositives"];
    for keys in groupings(&OF_OBSERVATIONS) {
        let shown = ask(json!({}), &keys, "Europe/Berlin").await;
        assert_eq!(answered(&shown, &keys, &numbers), counted(&known, &keys), "{keys:?}");
    }
    let rule = [OF_OBSERVATIONS[1]];
    for (filter, passes) in [
        (json!({"priorities": ["LOW"]}), &[2, 4, 5][..]),
        (json!({"handled": false, "types": ["ALERT_RULE"]}), &[5][..]),
        (json!({"from": days[2].0, "to": days[4].0}), &[2, 3][..]),
        (json!({"priorities": ["NONE"]}), &[][..]),
    ] {
        let passing: Vec<Known> = passes.iter().map(|n| known[*n].clone()).collect();
        let shown = ask(filter.clone(), &rule, "UTC").await;
        assert_eq!(answered(&shown, &rule, &numbers), counted(&passing, &rule), "{filter}");
        assert_eq!(shown["total"]["count"], json!(passing.len()), "{filter}");
        let (as_of, unhandled) = (millis(&shown["asOf"]), passing.iter().all(|one| one.numbers["handled"] == 0));
        let age = median(passing.iter().map(|one| as_of - one.at).collect()).map(|age| age.div_euclid(1_000));
        assert!(!unhandled || shown["total"]["medianAgeSeconds"] == json!(age), "{filter}: {shown}");
    }
    let total = ask(json!({}), &[], "UTC").await;
    let counts = |name: &str| total["total"][name].as_i64();
    assert_eq!([counts("count"), counts("handled"), counts("truePositives"), counts("falsePositives")], [Some(6), Some(4), Some(1), Some(2)]);
    assert_eq!(total["rowCount"], json!(1), "without keys all are one row: {total}");
    let precision = total["total"]["precision"].as_f64().expect("a share");
    assert!((precision - 1.0 / 3.0).abs() < 1e-9, "one of three, of which one was dismissed: {precision}");
    let (low, high) = (total["total"]["precisionLow"].as_f64().expect("a share"), total["total"]["precisionHigh"].as_f64().expect("a share"));
    assert!((low - 0.0615).abs() < 0.001 && (high - 0.7923).abs() < 0.001, "Wilson's interval of one of three: {low} {high}");
}

async fn cases_are_counted_as_plain_code_counts_them(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (all, other, user) = (ids.of("all"), ids.of("other"), case_id());
    let create = "mutation($input: CreateUserInput!) { createUser(input: $input) { userErrors { message } } }";
    server.graphql(create, json!({"input": {"userId": user, "username": ids.of("user")}})).await;
    let flow = ids.of("flow");
    let step = |id: &str, state: &str, due: Value| json!({"id": id, "label": id, "status": id, "state": state, "dueWithinSeconds": due});
    let workflow = json!({"id": flow, "name": "Hasty", "type": "ANALYSIS", "steps": [step("new", "OPEN", json!(1)), step("done", "CLOSED", Value::Null)],
        "moves": [{"action": "CLOSE", "from": "new", "to": "done"}]});
    server.graphql("mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id } }", json!({"input": {"workflow": workflow}})).await;
    let mut known = Vec::new();
    for (n, (tagged, assigned, reason)) in
        [(true, true, ""), (false, true, ""), (false, false, ""), (true, false, "known"), (false, true, "known")].into_iter().enumerate()
    {
        let alert = ids.of(&format!("alert-{n}"));
        taken(&server, observation(&alert)).await;
        let hasty = if n == 1 { json!({"workflow_id": flow}) } else { json!({}) };
        let case = made(&server, with(json!({"observation_ids": [alert]}), hasty)).await;
        let tags: Vec<&String> = [Some(&all), tagged.then_some(&other)].into_iter().flatten().collect();
        let add: Vec<Value> = tags.iter().map(|id| json!({"id": id, "label": id})).collect();
        done(&server, "tagCase", json!({"caseId": case, "add": add})).await;
        if assigned {
            done(&server, "assignCase", json!({"caseId": case, "userId": user})).await;
        }
        if !reason.is_empty() {
            done(&server, "closeCase", json!({"caseId": case, "resolution": "FALSE_POSITIVE", "closeReason": reason})).await;
        }
        let query = "query($id: ID!) { case(id: $id) { createdAt closedAt overdue type step { status state workflow { id } } } }";
        let is_as_wanted = async || n != 1 || server.graphql(query, json!({"id": case})).await["case"]["overdue"] == true;
        eventually("the case of the hasty workflow is overdue", Duration::from_secs(30), is_as_wanted).await;
        let shown = server.graphql(query, json!({"id": case})).await["case"].take();
        // Fourteen hours ahead of UTC.
        let day = |time: &Value| {
            time.as_str().map(|_| (DateTime::from_timestamp_millis(millis(time)).expect("a time") + TimeDelta::hours(14)).date_naive().to_string())
        };
        let created = millis(&shown["createdAt"]);
        let said = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
        let by = BTreeMap::from([
            ("status", vec![shown["step"]["status"].clone()]),
            ("state", vec![shown["step"]["state"].clone()]),
            ("assignee", vec![if assigned { json!(user) } else { Value::Null }]),
            ("type", vec![shown["type"].clone()]),
            ("workflow", vec![shown["step"]["workflow"]["id"].clone()]),
            ("tag", tags.iter().map(|tag| json!(tag)).collect()),
            ("closeReason", vec![said(reason)]),
            ("createdDay", vec![json!(day(&shown["createdAt"]))]),
            ("closedDay", vec![json!(day(&shown["closedAt"]))]),
        ]);
        let numbers = BTreeMap::from([("overdue", i64::from(shown["overdue"] == true))]);
        known.push(Known { by, at: created, numbers });
    }
    let ask = async |filter: Value, keys: &[Key]| {
        let filter = with(json!({"anyTag": [all]}), filter);
        server.graphql(CASES, json!({"filter": filter, "keys": names(keys), "zone": "Etc/GMT-14"})).await["caseStatistics"].take()
    };
    for keys in groupings(&OF_CASES) {
        let shown = ask(json!({}), &keys).await;
        assert_eq!(answered(&shown, &keys, &["overdue"]), counted(&known, &keys), "{keys:?}");
    }
    let by_assignee = [OF_CASES[2]];
    for (filter, passes) in [(json!({"state": ["OPEN"]}), &[0, 1, 2][..]), (json!({"assigned": true, "allTags": [other]}), &[0][..])] {
        let passing: Vec<Known> = passes.iter().map(|n| known[*n].clone()).collect();
        let shown = ask(filter.clone(), &by_assignee).await;
        assert_eq!(answered(&shown, &by_assignee, &["overdue"]), counted(&passing, &by_assignee), "{filter}");
        let as_of = millis(&shown["asOf"]);
        let age = median(passing.iter().map(|one| as_of - one.at).collect()).map(|age| age.div_euclid(1_000));
        assert_eq!((&shown["total"]["count"], &shown["total"]["medianAgeSeconds"]), (&json!(passing.len()), &json!(age)), "{filter}");
    }
}

/// The messages of a query that is refused.
async fn refused(api: &Api, query: &str) -> String {
    let answer = api.graphql_answer(query, json!({})).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID", "{query}: {answer}");
    answer["errors"][0]["message"].as_str().expect("a message").to_owned()
}

async fn what_makes_no_sense_is_refused_with_its_place(engine: Engine) {
    let server = Server::shared(engine);
    for (query, said) in [
        ("{ caseStatistics(groupBy: [STATE, TYPE, STATE]) { rows { count } } }", "groupBy: must name each key once"),
        ("{ observationStatistics(groupBy: [DAY], timeZone: \"Berlin\") { rows { count } } }", "timeZone: must be a name of the IANA"),
        ("{ caseStatistics(filter: {state: []}) { total { count } } }", "filter.state: must name at least one"),
    ] {
        let message = refused(&server, query).await;
        assert!(message.contains(said), "{query}: {message}");
    }
}

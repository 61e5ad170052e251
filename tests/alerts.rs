//! The alerts queue: which observations nobody has handled, in which order, and what is done with them, one by one or in lists.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::case_work::done;
use crate::support::fixtures::{NOON, Payment, actor, case_id, with};
use crate::support::observations::{observation, paid, taken};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: every_filter_and_every_pair, by_score_in_pages_both_ways, by_what_their_payments_add_up_to, one_case_is_raised_from_several, what_is_in_a_case_is_not_raised_again,
    a_dismissal_stays_as_it_was_first, lists_have_one_result_each, the_latest_act_is_shown, the_same_key_raises_one_case;
    embedded: filters_must_make_sense, orders_are_not_mixed, acts_are_for_those_who_work_on_cases];

/// Alerts of one test, which their behaviour tells from all others.
pub struct Queue {
    ids: Ids,
    pub alerts: Vec<Value>,
}

impl Queue {
    pub fn of(alerts: impl IntoIterator<Item = Value>) -> Self {
        let ids = Ids::new();
        let alerts = alerts.into_iter().enumerate();
        let alerts =
            alerts.map(|(n, more)| with(with(observation(&ids.of(&format!("alert-{n}"))), json!({"behaviorId": ids.of("behaviour")})), more));
        Self { alerts: alerts.collect(), ids }
    }

    pub async fn sent(self, api: &Api) -> Self {
        for alert in &self.alerts {
            taken(api, alert.clone()).await;
        }
        self
    }

    fn id(&self, n: usize) -> String {
        self.ids.of(&format!("alert-{n}"))
    }

    /// Numbers of the alerts that pass a filter, in their order; the count says the same.
    async fn found(&self, api: &Api, filter: Value, order: Value) -> Vec<usize> {
        let page = self.page(api, filter, order, json!({"first": 100})).await;
        let found = self.numbers(&page);
        assert_eq!(page["totalCount"], json!(found.len()), "{page}");
        found
    }

    async fn page(&self, api: &Api, filter: Value, order: Value, page: Value) -> Value {
        let query = "query($filter: ObservationFilter, $orderBy: ObservationOrder, $first: Int, $after: String, $last: Int, $before: String) {
            observations(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
              totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { id handled } } } }";
        let filter = with(json!({"behaviorIds": [self.ids.of("behaviour")]}), filter);
        api.graphql(query, with(json!({"filter": filter, "orderBy": order}), page)).await["observations"].take()
    }

    /// Pages of three have these, from the beginning on and from the end on; and so many are counted.
    pub async fn comes_in_pages(&self, api: &Api, filter: &Value, order: &Value, expected: &[usize]) {
        let (mut forward, mut after) = (Vec::new(), Value::Null);
        loop {
            let page = self.page(api, filter.clone(), order.clone(), json!({"first": 3, "after": after})).await;
            forward.extend(self.numbers(&page));
            assert_eq!(page["totalCount"], json!(expected.len()), "{order} {filter}");
            assert!(forward.len() <= expected.len(), "the pages do not end: {forward:?} {order} {filter}");
            if page["pageInfo"]["hasNextPage"] == json!(false) {
                break;
            }
            after = page["pageInfo"]["endCursor"].clone();
        }
        assert_eq!(forward, expected, "{order} {filter}");
        let (mut backward, mut before) = (Vec::new(), Value::Null);
        loop {
            let page = self.page(api, filter.clone(), order.clone(), json!({"last": 3, "before": before})).await;
            backward.splice(0..0, self.numbers(&page));
            assert!(backward.len() <= expected.len(), "the pages do not end: {backward:?} {order} {filter}");
            if page["pageInfo"]["hasPreviousPage"] == json!(false) {
                break;
            }
            before = page["pageInfo"]["startCursor"].clone();
        }
        assert_eq!(backward, expected, "{order} {filter}");
    }

    fn numbers(&self, page: &Value) -> Vec<usize> {
        let edges = page["edges"].as_array().expect("edges");
        let number = |edge: &Value| (0..self.alerts.len()).find(|n| edge["node"]["id"] == self.id(*n).as_str()).expect("one of these");
        edges.iter().map(number).collect()
    }
}

/// Runs a mutation of the queue; answers with its payload.
async fn act(api: &Api, field: &str, input: Value) -> Value {
    const OBSERVATION: &str = "id handled handling { kind at reason userId }";
    let kind = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
    let one = match field {
        "raiseCase" | "raiseCases" => format!("case {{ id version }} observations {{ {OBSERVATION} }} userErrors {{ path code message }}"),
        "dismissObservation" | "dismissObservations" => format!("observation {{ {OBSERVATION} }} userErrors {{ path code message }}"),
        _ => "snoozeId userErrors { path code message }".to_owned(),
    };
    let selection = if field.ends_with('s') { format!("results {{ {one} }} userErrors {{ path code message }}") } else { one };
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ {selection} }} }}");
    api.graphql(&query, json!({"input": input})).await[field].take()
}

/// The codes of a payload's errors.
fn codes(payload: &Value) -> Vec<&str> {
    payload["userErrors"].as_array().expect("errors").iter().map(|error| error["code"].as_str().expect("a code")).collect()
}

async fn handling(api: &Api, id: &str) -> Value {
    let query = "query($id: ID!) { observation(id: $id) { handled handling { kind at reason userId } } }";
    api.graphql(query, json!({"id": id})).await["observation"].take()
}

/// A filter, and the alerts that pass it.
type Expectation = (Value, BTreeSet<usize>);

async fn every_filter_and_every_pair(engine: Engine) {
    let server = Server::shared(engine);
    let of = Ids::new();
    let about = |name: &str| json!([{"actorId": of.of(name), "primary": true}]);
    let queue = Queue::of([
        json!({"priority": "HIGH", "score": 0.9, "actors": about("a"), "rules": [{"id": of.of("r1")}], "dataSource": "d1", "label": "l1"}),
        json!({"priority": "HIGH", "score": 0.5, "actors": about("b"), "rules": [{"id": of.of("r2")}], "programGroup": "p1", "btlFlag": true}),
        json!({"priority": "LOW", "score": 0.5, "actors": about("a"), "rules": [{"id": of.of("r1")}, {"id": of.of("r2")}], "btlFlag": false}),
        json!({"priority": "LOW", "score": 0.1, "actors": about("b"), "taxonomyDescription": "t1", "date": NOON + 60}),
        json!({"type": "ALERT_AML_V2", "actors": about("a"), "dataSource": "d1", "date": NOON + 60}),
        json!({"score": 1, "date": NOON + 120}),
    ])
    .sent(&server)
    .await;
    act(&server, "dismissObservation", json!({"observationId": queue.id(1), "reason": "known"})).await;
    act(&server, "raiseCase", json!({"observationIds": [queue.id(4)]})).await;
    let numbers = |numbers: &[usize]| numbers.iter().copied().collect::<BTreeSet<usize>>();
    let minute = |minutes: i64| graph_schema::date::Timestamp((NOON + 60 * minutes) * 1000).to_string();
    let filters: Vec<Expectation> = vec![
        (json!({"handled": false}), numbers(&[0, 2, 3, 5])),
        (json!({"handled": true}), numbers(&[1, 4])),
        (json!({"priorities": ["HIGH"]}), numbers(&[0, 1])),
        (json!({"ruleIds": [of.of("r2")]}), numbers(&[1, 2])),
        (json!({"minScore": 0.5}), numbers(&[0, 1, 2, 5])),
        (json!({"maxScore": 0.5}), numbers(&[1, 2, 3])),
        (json!({"actorIds": [of.of("a")]}), numbers(&[0, 2, 4])),
        (json!({"actorId": of.of("b")}), numbers(&[1, 3])),
        (json!({"belowTheLine": false}), numbers(&[0, 2, 3, 4, 5])),
        (json!({"labels": ["l1"]}), numbers(&[0])),
        (json!({"programGroups": ["p1"]}), numbers(&[1])),
        (json!({"dataSources": ["d1"]}), numbers(&[0, 4])),
        (json!({"typologies": ["t1", "t2"]}), numbers(&[3])),
        (json!({"types": ["ALERT_RULE"]}), numbers(&[0, 1, 2, 3, 5])),
        (json!({"from": minute(1)}), numbers(&[3, 4, 5])),
        (json!({"to": minute(2)}), numbers(&[0, 1, 2, 3, 4])),
    ];
    for (at, (filter, expected)) in filters.iter().enumerate() {
        let found = queue.found(&server, filter.clone(), Value::Null).await;
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), *expected, "{filter}");
        for (other, also) in &filters[at + 1..] {
            let both = with(filter.clone(), other.clone());
            // A name that both say is said once.
            if both.as_object().map(serde_json::Map::len) == Some(2) {
                let found = queue.found(&server, both.clone(), Value::Null).await;
                assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected & also, "{both}");
            }
        }
    }
    // The same filter of a link.
    let query = "query($id: ID!, $filter: ObservationFilter) { actor(id: $id) { observations(filter: $filter, orderBy: {field: SCORE}) { totalCount
        edges { node { id } } } } }";
    let data = server.graphql(query, json!({"id": of.of("a"), "filter": {"handled": false}})).await;
    let found: Vec<&Value> = data["actor"]["observations"]["edges"].as_array().expect("edges").iter().map(|edge| &edge["node"]["id"]).collect();
    assert_eq!(found, [&json!(queue.id(0)), &json!(queue.id(2))], "{data}");
}

async fn by_score_in_pages_both_ways(engine: Engine) {
    let server = Server::shared(engine);
    let queue = Queue::of([
        json!({"score": 0.5, "date": NOON}),
        json!({"score": 0.25}),
        json!({}),
        json!({"score": 1}),
        json!({"score": 0.5, "date": NOON + 1}),
        json!({"score": 0}),
        json!({"score": 0.5, "date": NOON}),
        json!({"score": 0.123456789}),
    ])
    .sent(&server)
    .await;
    // Of equal scores the newer comes first, then the smaller id.
    let expected = vec![3, 4, 0, 6, 1, 7, 5, 2];
    let descending = json!({"field": "SCORE"});
    assert_eq!(queue.found(&server, json!({}), descending.clone()).await, expected);
    let ascending = json!({"field": "SCORE", "direction": "ASC"});
    let turned: Vec<usize> = expected.iter().rev().copied().collect();
    assert_eq!(queue.found(&server, json!({}), ascending.clone()).await, turned);
    for (order, expected) in [(descending, expected), (ascending, turned)] {
        queue.comes_in_pages(&server, &json!({}), &order, &expected).await;
    }
    // A record that comes again with another score has another place.
    taken(&server, with(queue.alerts[5].clone(), json!({"score": 0.75}))).await;
    assert_eq!(queue.found(&server, json!({}), json!({"field": "SCORE"})).await, [3, 5, 4, 0, 6, 1, 7, 2]);
}

/// Each payment once: of its two records the larger sum of one direction counts. What comes late or is amended counts from then on.
async fn by_what_their_payments_add_up_to(engine: Engine) {
    let server = Server::shared(engine);
    let of = Ids::new();
    let payment = |name: &str, amount: &str| Payment::new(of.of(name), of.of("k"), of.of("l")).amount(amount);
    let received = |name: &str, amount: &str| Payment { direction: "INBOUND", ..payment(name, amount) };
    for payment in [payment("p1", "100.10"), payment("p2", "50.05"), received("p1-in", "100.10"), Payment { currency: "USD", ..payment("p3", "700") }]
    {
        paid(&server, &payment).await;
    }
    let cites = |names: &[&str]| json!({"transactionIds": names.iter().map(|name| of.of(name)).collect::<Vec<_>>()});
    let queue = Queue::of([cites(&["p1", "p2", "p1-in"]), json!({}), cites(&["p3"]), cites(&["late", "p2"])]).sent(&server).await;
    let totals = async || {
        let query = "query($id: ID!) { observation(id: $id) { standardizedTotal } }";
        let mut totals = Vec::new();
        for n in 0..4 {
            totals.push(
                server.graphql(query, json!({"id": queue.id(n)})).await["observation"]["standardizedTotal"].as_str().expect("a number").to_owned(),
            );
        }
        totals
    };
    assert_eq!(totals().await, ["150.15", "0", "700", "50.05"]);
    let by_amount = json!({"field": "AMOUNT"});
    assert_eq!(queue.found(&server, json!({}), by_amount.clone()).await, [2, 0, 3, 1]);
    for (filter, expected) in [
        (json!({"minStandardizedTotal": 150.15}), vec![2, 0]),
        (json!({"maxStandardizedTotal": 150.14}), vec![3, 1]),
        (json!({"currency": "EUR", "minTotal": 50.05}), vec![0, 3]),
        (json!({"currency": "EUR", "minTotal": 50.06}), vec![0]),
        (json!({"currency": "USD", "minTotal": 1, "maxTotal": 700}), vec![2]),
        (json!({"currency": "EUR", "maxTotal": 100}), vec![2, 3, 1]),
    ] {
        assert_eq!(queue.found(&server, filter.clone(), by_amount.clone()).await, expected, "{filter}");
    }
    paid(&server, &payment("late", "1000.5")).await;
    assert_eq!(totals().await[3], "1050.55", "what comes late");
    paid(&server, &payment("p2", "0.05")).await;
    assert_eq!(totals().await, ["100.15", "0", "700", "1000.55"], "what is amended");
    assert_eq!(queue.found(&server, json!({}), by_amount.clone()).await, [3, 2, 0, 1]);
    taken(&server, with(queue.alerts[3].clone(), cites(&["p2"]))).await;
    assert_eq!(totals().await[3], "0.05", "what is cited no more");
}

async fn one_case_is_raised_from_several(engine: Engine) {
    let server = Server::shared(engine);
    let of = Ids::new();
    let queue = Queue::of([
        json!({"actors": [{"actorId": of.of("a"), "primary": true}, {"actorId": of.of("b")}]}),
        json!({"actors": [{"actorId": of.of("b")}, {"actorId": of.of("c"), "primary": true}]}),
    ])
    .sent(&server)
    .await;
    let raised = act(&server, "raiseCase", json!({"observationIds": [queue.id(1), queue.id(0), queue.id(1)]})).await;
    assert_eq!(codes(&raised), Vec::<&str>::new(), "{raised}");
    assert_eq!(raised["case"]["version"], json!(1));
    let handled = raised["observations"].as_array().expect("observations");
    assert_eq!(handled.len(), 2, "each once: {raised}");
    for observation in handled {
        assert_eq!((&observation["handled"], &observation["handling"]["kind"]), (&json!(true), &json!("CASE_RAISED")), "{raised}");
        assert!(observation["handling"]["userId"].is_string() && observation["handling"]["at"].is_string(), "{raised}");
    }
    let query = "query($id: ID!) { case(id: $id) { type step { id } actors(first: 10) { edges { type node { id } } }
        observations(first: 10) { edges { node { id } } } events(first: 10) { edges { node { name } } } } }";
    let case = server.graphql(query, json!({"id": raised["case"]["id"]})).await["case"].take();
    assert_eq!((&case["type"], &case["step"]["id"]), (&json!("ANALYSIS"), &json!("default-analysis/to-do")), "{case}");
    let actors = |kind: &str| -> Vec<Value> {
        let edges = case["actors"]["edges"].as_array().expect("edges").iter();
        edges.filter(|edge| edge["type"] == kind).map(|edge| edge["node"]["id"].clone()).collect()
    };
    assert_eq!((actors("FOCAL"), actors("CONNECTION")), (vec![json!(of.of("a")), json!(of.of("c"))], vec![json!(of.of("b"))]), "{case}");
    assert_eq!(case["observations"]["edges"].as_array().map(Vec::len), Some(2), "{case}");
    assert_eq!(case["events"]["edges"], json!([{"node": {"name": "case.created"}}]), "{case}");
}

async fn what_is_in_a_case_is_not_raised_again(engine: Engine) {
    let server = Server::shared(engine);
    let queue = Queue::of([json!({}), json!({})]).sent(&server).await;
    let unknown = queue.ids.of("unknown");
    // It was named by a case alone; its record has not come.
    server.post("/api/cases", json!({"id": case_id(), "observation_ids": [unknown]}).to_string()).await.expect(200);
    let raised = act(&server, "raiseCase", json!({"observationIds": [queue.id(0)]})).await;
    let case = raised["case"]["id"].as_str().expect("an id");
    for (input, code, said) in [
        (json!({"observationIds": [queue.id(1), queue.id(0)]}), "INVALID", case),
        (json!({"observationIds": []}), "INVALID", "observationIds"),
        (json!({"observationIds": [queue.id(1), unknown]}), "NOT_FOUND", unknown.as_str()),
        (json!({"observationIds": [queue.ids.of("nothing")]}), "NOT_FOUND", "observation"),
        (json!({"observationIds": [queue.id(1)], "workflowId": "default-filing"}), "INVALID", "workflowId"),
        (json!({"observationIds": [queue.id(1)], "workflowId": queue.ids.of("none")}), "INVALID", "workflowId"),
        (json!({"observationIds": [queue.ids.of("nothing")], "workflowId": "default-filing"}), "NOT_FOUND", "observation"),
    ] {
        let refused = act(&server, "raiseCase", input.clone()).await;
        assert_eq!((codes(&refused), &refused["case"], &refused["observations"]), (vec![code], &Value::Null, &json!([])), "{input}: {refused}");
        assert!(refused["userErrors"][0]["message"].as_str().is_some_and(|message| message.contains(said)), "{input}: {refused}");
    }
    assert_eq!(handling(&server, &queue.id(1)).await, json!({"handled": false, "handling": null}), "what is refused changes nothing");
    // Of many at once one makes the case.
    let raises = (0..8).map(|_| act(&server, "raiseCase", json!({"observationIds": [queue.id(1)]})));
    let raised = futures::future::join_all(raises).await;
    let made: Vec<&Value> = raised.iter().map(|raised| &raised["case"]["id"]).filter(|id| id.is_string()).collect();
    assert_eq!(made.len(), 1, "{raised:?}");
}

async fn the_same_key_raises_one_case(engine: Engine) {
    let server = Server::shared(engine);
    let queue = Queue::of([json!({}), json!({})]).sent(&server).await;
    let input = json!({"observationIds": [queue.id(0), queue.id(1)], "idempotencyKey": queue.ids.of("key")});
    let (first, again) = (act(&server, "raiseCase", input.clone()).await, act(&server, "raiseCase", input.clone()).await);
    assert!(first["case"]["id"].is_string() && first["case"]["id"] == again["case"]["id"], "{first} {again}");
    let other = act(&server, "raiseCase", with(input, json!({"observationIds": [queue.id(0)]}))).await;
    assert_eq!(codes(&other), ["INVALID"], "{other}");
}

async fn a_dismissal_stays_as_it_was_first(engine: Engine) {
    let server = Server::shared(engine);
    let queue = Queue::of([json!({})]).sent(&server).await;
    let id = queue.id(0);
    let dismissed = act(&server, "dismissObservation", json!({"observationId": id, "reason": "a campaign"})).await;
    assert_eq!((codes(&dismissed), &dismissed["observation"]["handled"]), (vec![], &json!(true)), "{dismissed}");
    let first = dismissed["observation"]["handling"].clone();
    assert_eq!((&first["kind"], &first["reason"]), (&json!("DISMISSED"), &json!("a campaign")), "{dismissed}");
    assert!(first["userId"].is_string() && first["at"].is_string(), "{dismissed}");
    let again = act(&server, "dismissObservation", json!({"observationId": id, "reason": "another"})).await;
    assert_eq!((codes(&again), &again["observation"]["handling"]), (vec![], &first), "{again}");
    // Its record comes again: it is handled still.
    taken(&server, with(queue.alerts[0].clone(), json!({"title": "Another"}))).await;
    assert_eq!(handling(&server, &id).await, json!({"handled": true, "handling": first}));
    for (input, code) in [
        (json!({"observationId": id, "reason": " "}), "INVALID"),
        (json!({"observationId": id, "reason": "x".repeat(4_001)}), "INVALID"),
        (json!({"observationId": id, "reason": "known", "feedback": " "}), "INVALID"),
        (json!({"observationId": queue.ids.of("nothing"), "reason": "known"}), "NOT_FOUND"),
    ] {
        let refused = act(&server, "dismissObservation", input.clone()).await;
        assert_eq!(codes(&refused), [code], "{input}: {refused}");
    }
}

async fn lists_have_one_result_each(engine: Engine) {
    let server = Server::shared(engine);
    let queue = Queue::of((0..6).map(|_| json!({}))).sent(&server).await;
    let nothing = queue.ids.of("nothing");
    let results = |payload: &Value| payload["results"].as_array().expect("results").clone();

    let ids = json!([queue.id(0), nothing, queue.id(1)]);
    let dismissed =
        act(&server, "dismissObservations", json!({"observationIds": ids, "reason": "known", "idempotencyKey": queue.ids.of("dismiss")})).await;
    let told: Vec<(Value, Vec<String>)> = results(&dismissed)
        .iter()
        .map(|result| (result["observation"]["id"].clone(), codes(result).into_iter().map(str::to_owned).collect()))
        .collect();
    let expected = [(json!(queue.id(0)), vec![]), (Value::Null, vec!["NOT_FOUND".to_owned()]), (json!(queue.id(1)), vec![])];
    assert_eq!(told, expected, "{dismissed}");
    assert_eq!(dismissed["results"][1]["userErrors"][0]["path"], json!(["input", "observationIds", "1"]), "{dismissed}");

    let lists = json!([[queue.id(2)], [nothing], [queue.id(3), queue.id(4)], [queue.id(2)]]);
    let input = json!({"observationIds": lists, "idempotencyKey": queue.ids.of("raise")});
    let raised = act(&server, "raiseCases", input.clone()).await;
    let told: Vec<(usize, Vec<String>)> = results(&raised)
        .iter()
        .map(|result| (result["observations"].as_array().map_or(0, Vec::len), codes(result).into_iter().map(str::to_owned).collect()))
        .collect();
    let invalid = vec!["INVALID".to_owned()];
    assert_eq!(told, [(1, vec![]), (0, vec!["NOT_FOUND".to_owned()]), (2, vec![]), (0, invalid)], "{raised}");
    let path = |of: usize| &raised["results"][of]["userErrors"][0]["path"];
    assert_eq!((path(1), path(3)), (&json!(["input", "observationIds", "1", "0"]), &json!(["input", "observationIds", "3"])), "{raised}");
    let again = act(&server, "raiseCases", input).await;
    let cases = |payload: &Value| -> Vec<Value> { results(payload).iter().map(|result| result["case"]["id"].clone()).collect() };
    assert_eq!(cases(&again), cases(&raised), "the same key and input again");

    server.post("/api/actors", actor(&queue.ids.of("a")).to_string()).await.expect(200);
    let target = |actor: &str, rule: &str| json!({"actorId": queue.ids.of(actor), "ruleId": rule});
    let targets = json!([target("a", "fan-in"), target("nobody", "fan-in"), target("a", "no-rule"), target("a", "fan-out")]);
    let input = json!({"targets": targets, "until": "2999-01-01T00:00:00Z", "reason": "a campaign"});
    let snoozed = act(&server, "snoozeDetections", input).await;
    let told: Vec<(bool, Vec<String>)> =
        results(&snoozed).iter().map(|result| (result["snoozeId"].is_string(), codes(result).into_iter().map(str::to_owned).collect())).collect();
    let refused = |code: &str| (false, vec![code.to_owned()]);
    assert_eq!(told, [(true, vec![]), refused("NOT_FOUND"), refused("INVALID"), (true, vec![])], "{snoozed}");

    for (field, input) in [
        ("dismissObservations", json!({"observationIds": [], "reason": "known"})),
        ("raiseCases", json!({"observationIds": []})),
        ("snoozeDetections", json!({"targets": [], "until": "2999-01-01T00:00:00Z", "reason": "known"})),
    ] {
        let refused = act(&server, field, input).await;
        assert_eq!((codes(&refused), &refused["results"]), (vec!["INVALID"], &json!([])), "{field}: {refused}");
    }
}

async fn the_latest_act_is_shown(engine: Engine) {
    let server = Server::shared(engine);
    let queue = Queue::of([json!({})]).sent(&server).await;
    let id = queue.id(0);
    assert_eq!(handling(&server, &id).await, json!({"handled": false, "handling": null}));
    let raised = act(&server, "raiseCase", json!({"observationIds": [id]})).await;
    let kind = async || handling(&server, &id).await["handling"].clone();
    assert_eq!(kind().await["kind"], "CASE_RAISED");
    let of_case = |more: Value| with(json!({"caseId": raised["case"]["id"], "observationId": id}), more);
    done(&server, "giveObservationFeedback", of_case(json!({"feedback": "TRUE_POSITIVE"}))).await;
    assert_eq!(kind().await["kind"], "FEEDBACK_GIVEN");
    let version = done(&server, "giveObservationFeedback", of_case(json!({"feedback": "FALSE_POSITIVE"}))).await;
    for _ in 0..2 {
        assert_eq!(done(&server, "giveObservationFeedback", of_case(json!({"feedback": null}))).await, version + 1, "taken back, and again");
        assert_eq!(kind().await["kind"], "CASE_RAISED");
    }
    let case = server.get(&format!("/api/cases/{}", raised["case"]["id"].as_str().expect("an id"))).await.expect(200).json();
    assert_eq!(case["observations"], json!([{"id": id}]));
    done(&server, "whitelistObservation", of_case(json!({"comment": "a payroll"}))).await;
    let last = kind().await;
    assert_eq!((&last["kind"], &last["reason"]), (&json!("ACTION_TAKEN"), &json!("a payroll")), "{last}");
}

async fn filters_must_make_sense(engine: Engine) {
    let server = Server::shared(engine);
    for (filter, message) in [
        (json!({"priorities": []}), "filter.priorities: must name at least one"),
        (json!({"ruleIds": ["x".repeat(257)]}), "filter.ruleIds: must be of at most 256 bytes each"),
        (json!({"actorIds": []}), "filter.actorIds: must name at least one"),
        (json!({"minScore": -0.1}), "filter.minScore: must be 0 to 1"),
        (json!({"maxScore": 1.5}), "filter.maxScore: must be 0 to 1"),
        (json!({"minScore": 0.6, "maxScore": 0.5}), "filter.maxScore: must not be less than minScore"),
        (json!({"currency": "EUR"}), "filter.currency: says nothing without minTotal or maxTotal"),
        (json!({"minTotal": 1}), "filter.currency: must be given with minTotal and maxTotal"),
        (json!({"currency": "EUR", "minTotal": 2, "maxTotal": 1}), "filter.maxTotal: must not be less than minTotal"),
        (json!({"minStandardizedTotal": 2, "maxStandardizedTotal": 1}), "filter.maxStandardizedTotal: must not be less"),
        (json!({"type": ["ALERT_RULE"], "types": ["ALERT_RULE"]}), "filter.type: give types alone, which is in its place"),
        (json!({"behaviorId": ["b"], "behaviorIds": ["b"]}), "filter.behaviorId: give behaviorIds alone, which is in its place"),
    ] {
        let query = "query($filter: ObservationFilter) { observations(filter: $filter) { totalCount } }";
        let answer = server.graphql_answer(query, json!({"filter": filter})).await;
        let told = answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{filter}: {answer}"));
        assert!(told.starts_with(message), "{filter}: {told}");
    }
}

async fn orders_are_not_mixed(engine: Engine) {
    let server = Server::shared(engine);
    let answer = server.graphql_answer("{ observations(orderBy: {field: SCORE}, order: ASC) { totalCount } }", json!({})).await;
    assert_eq!(answer["errors"][0]["message"], json!("order: give orderBy or order, not both"), "{answer}");
    let queue = Queue::of([json!({"score": 0.5})]).sent(&server).await;
    let page = queue.page(&server, json!({}), json!({"field": "SCORE"}), json!({"first": 1})).await;
    let by_date = json!({"orderBy": {"field": "DATE"}, "after": page["pageInfo"]["endCursor"]});
    let query = "query($orderBy: ObservationOrder, $after: String) { observations(orderBy: $orderBy, after: $after) { totalCount } }";
    let answer = server.graphql_answer(query, by_date).await;
    let told = answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(told.ends_with("must be a cursor of this list in this order and direction"), "{told}");
}

/// Reading is for all who may explore; acts are not for auditors.
async fn acts_are_for_those_who_work_on_cases(engine: Engine) {
    let server = Server::shared(engine);
    let queue = Queue::of((0..5).map(|_| json!({}))).sent(&server).await;
    for (n, (role, reads, acts)) in
        [("INGEST", false, false), ("ANALYST", true, true), ("SUPERVISOR", true, true), ("AUDITOR", true, false), ("ADMIN", true, true)]
            .into_iter()
            .enumerate()
    {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        let is_forbidden = |answer: &Value| answer["errors"][0]["extensions"]["code"] == "FORBIDDEN";
        let list = "{ observations(first: 1, filter: {handled: false}) { edges { node { id handled } } } }";
        assert_eq!(is_forbidden(&api.graphql_answer(list, json!({})).await), !reads, "{role}");
        let dismiss = "mutation($id: ID!) { dismissObservation(input: {observationId: $id, reason: \"known\"}) { userErrors { code } } }";
        assert_eq!(is_forbidden(&api.graphql_answer(dismiss, json!({"id": queue.id(n)})).await), !acts, "{role}");
        let raise = "mutation($id: ID!) { raiseCase(input: {observationIds: [$id]}) { case { id } userErrors { code } } }";
        assert_eq!(is_forbidden(&api.graphql_answer(raise, json!({"id": queue.id(n)})).await), !acts, "{role}");
        assert_eq!(handling(&server, &queue.id(n)).await["handled"], json!(acts), "{role}");
    }
}

//! Lists of cases: every filter alone and with every other, every order with ties, pages that add up; over REST, and the same over GraphQL.

use std::cmp::Ordering;

use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::{Api, Engine, Ids, Server, stored, tests};

tests![both: every_filter_and_every_pair, every_order_and_its_pages, an_item_is_as_documented, all_faults_are_told_at_once, graphql_has_the_same_list,
    links_lead_both_ways, filters_of_graphql_must_make_sense; embedded: a_page_has_two_hundred];

const PATH: &str = "/api/cases";
/// Cases of a test.
const CASES: usize = 12;

/// A case as it is expected.
#[derive(Clone, Debug)]
struct Case {
    id: String,
    created: i64,
    updated: i64,
    kind: &'static str,
    step: &'static str,
    status: &'static str,
    state: &'static str,
    assigned: bool,
    tags: Vec<String>,
}

impl Case {
    fn workflow(&self) -> &'static str {
        if self.kind == "FILING" { "default-filing" } else { "default-analysis" }
    }
}

/// Cases of which no other test has any of the same time.
struct Docket {
    ids: Ids,
    /// Milliseconds; theirs are within the minute from here.
    begin: i64,
    cases: Vec<Case>,
}

type Holds = Box<dyn Fn(&Case) -> bool + Send + Sync>;

/// A condition in three languages.
struct Filter {
    rest: String,
    graphql: Value,
    holds: Holds,
}

fn at(millis: i64) -> String {
    Timestamp(millis).to_string()
}

async fn mutated(api: &Api, mutation: &str, input: Value) {
    let name = format!("{}{}", mutation[..1].to_uppercase(), &mutation[1..]);
    let query = format!("mutation($input: {name}Input!) {{ result: {mutation}(input: $input) {{ userErrors {{ message }} }} }}");
    let done = api.graphql(&query, json!({"input": input})).await;
    assert_eq!(done["result"]["userErrors"], json!([]), "{mutation}");
}

impl Docket {
    /// Makes them: by the operations, but for what no operation sets.
    async fn make(server: &mut Server) -> Self {
        let ids = Ids::new();
        let mut docket = Self { begin: ids.digits(9).parse::<i64>().expect("a number") * 1000, cases: Vec::new(), ids };
        for n in 0..CASES {
            docket.cases.push(docket.made(server, n).await);
        }
        let rows: Vec<cypher::Value> = docket
            .cases
            .iter()
            .map(|case| {
                let tags = case.tags.iter().map(|tag| cypher::Value::from(tag.as_str())).collect();
                cypher::map([("id", case.id.as_str().into()), ("updated", case.updated.into()), ("tags", cypher::Value::List(tags))])
            })
            .collect();
        let text = "UNWIND $rows AS row MATCH (c:`Case` {id: row.id}) SET c.updatedAt = row.updated
            FOREACH (t IN row.tags | MERGE (x:Tag {id: t}) SET x.label = 'Tag ' + t, x.name = 'Tag ' + t MERGE (c)-[:HAS_TAG]->(x))";
        stored::write(server, text, cypher::Params::rows(rows)).await;
        docket
    }

    async fn made(&self, api: &Api, n: usize) -> Case {
        let (id, kind) = (case_id(), ["ANALYSIS", "FILING"][n % 2]);
        // Three share each time.
        let created = self.begin + (n as i64 / 3) * 10_000;
        let body = json!({"id": id, "type": kind, "created_at": at(created), "observation_ids": [self.ids.of("observation")]});
        api.post(PATH, body.to_string()).await.expect(200);
        let [step, status, state] = match (n % 6, kind) {
            (4, _) => ["in-progress", "IN_PROGRESS", "OPEN"],
            (3, _) => ["drafting", "DRAFTING", "OPEN"],
            (5, _) => ["closed", "CLOSED", "CLOSED"],
            _ => ["to-do", "TO_DO", "OPEN"],
        };
        let action = if state == "CLOSED" { "CLOSE" } else { "CLAIM" };
        if step != "to-do" {
            mutated(api, "actOnCase", json!({"caseId": id, "action": action})).await;
        }
        let assigned = n.is_multiple_of(4);
        if assigned || n == 1 {
            mutated(api, "assignCase", json!({"caseId": id, "userId": self.ids.of("user")})).await;
        }
        if n == 1 {
            mutated(api, "assignCase", json!({"caseId": id, "userId": null})).await;
        }
        let tags = [(2, "red"), (3, "blue")].into_iter().filter(|(every, _)| n.is_multiple_of(*every)).map(|(_, tag)| self.ids.of(tag));
        let mut tags: Vec<String> = tags.collect();
        tags.sort();
        Case { id, created, updated: self.begin + (n as i64 * 7 % 5) * 1000, kind, step, status, state, assigned, tags }
    }

    /// That it is one of these, whatever else is in the store.
    fn own(&self) -> Filter {
        Filter { rest: self.rest(0, 60_000), graphql: self.graphql(0, 60_000), holds: Box::new(|_| true) }
    }

    fn rest(&self, from: i64, to: i64) -> String {
        format!("filter.created_at.from={}&filter.created_at.to={}", at(self.begin + from), at(self.begin + to))
    }

    /// The end of REST is included, that of GraphQL is not.
    fn graphql(&self, from: i64, to: i64) -> Value {
        json!({"createdFrom": at(self.begin + from), "createdTo": at(self.begin + to + 1)})
    }

    /// Every filter of the document; those of times have two parameters, which go together and alone.
    fn filters(&self) -> Vec<Filter> {
        let (red, blue, begin) = (self.ids.of("red"), self.ids.of("blue"), self.begin);
        let mut filters = Vec::new();
        let mut add = |rest: String, graphql: Value, holds: Holds| filters.push(Filter { rest, graphql, holds });
        add("filter.assigned=true".into(), json!({"assigned": true}), Box::new(|case| case.assigned));
        add("filter.assigned=false".into(), json!({"assigned": false}), Box::new(|case| !case.assigned));
        let (from, to) = (begin + 1000, begin + 3000);
        add(format!("filter.updated_at.from={}", at(from)), json!({"updatedFrom": at(from)}), Box::new(move |case| case.updated >= from));
        add(format!("filter.updated_at.to={}", at(to)), json!({"updatedTo": at(to + 1)}), Box::new(move |case| case.updated <= to));
        let (all, any) = (format!("filter.tags.id.all[]={red},{blue}"), format!("filter.tags.id.in[]={red}&filter.tags.id.in[]={blue}"));
        add(all, json!({"allTags": [red, blue]}), Box::new(|case| case.tags.len() == 2));
        add(any, json!({"anyTag": [red, blue]}), Box::new(|case| !case.tags.is_empty()));
        add(format!("filter.tags.id.all[]={red}"), json!({"allTags": [red]}), Box::new(move |case| case.tags.contains(&red)));
        add("filter.type.in[]=FILING".into(), json!({"type": ["FILING"]}), Box::new(|case| case.kind == "FILING"));
        add("filter.type.in[]=FILING,ANALYSIS".into(), json!({"type": ["FILING", "ANALYSIS"]}), Box::new(|_| true));
        add(
            "filter.workflow.id.in[]=default-analysis,none".into(),
            json!({"workflowId": ["default-analysis", "none"]}),
            Box::new(|case| case.kind == "ANALYSIS"),
        );
        add("filter.workflow.state.in[]=CLOSED".into(), json!({"state": ["CLOSED"]}), Box::new(|case| case.state == "CLOSED"));
        add(
            "filter.workflow.status.in[]=TO_DO,DRAFTING".into(),
            json!({"status": ["TO_DO", "DRAFTING"]}),
            Box::new(|case| ["TO_DO", "DRAFTING"].contains(&case.status)),
        );
        add(
            "filter.workflow.step_id.in[]=in-progress&filter.workflow.step_id.in[]=closed".into(),
            json!({"stepId": ["in-progress", "closed"]}),
            Box::new(|case| ["in-progress", "closed"].contains(&case.step)),
        );
        filters
    }

    /// The ids of those for which it holds, in the order of `sort.by`.
    fn sorted(&self, sort: &str, holds: impl Fn(&Case) -> bool) -> Vec<String> {
        let mut cases: Vec<&Case> = self.cases.iter().filter(|case| holds(case)).collect();
        let usual = if sort.is_empty() { "-created_at" } else { sort };
        let by = |field: &str, a: &Case, b: &Case| match field {
            "id" => a.id.cmp(&b.id),
            "created_at" => a.created.cmp(&b.created),
            "updated_at" => a.updated.cmp(&b.updated),
            _ => a.kind.cmp(b.kind),
        };
        cases.sort_by(|a, b| {
            let named = usual.split(',').map(|item| match item.strip_prefix('-') {
                Some(field) => by(field, b, a),
                None => by(item, a, b),
            });
            named.fold(Ordering::Equal, Ordering::then).then_with(|| a.id.cmp(&b.id))
        });
        cases.into_iter().map(|case| case.id.clone()).collect()
    }
}

async fn listed(api: &Api, query: &str) -> Vec<String> {
    let items = api.get(&format!("{PATH}?{query}")).await.expect(200).json();
    items.as_array().expect("a list").iter().map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
}

async fn every_filter_and_every_pair(engine: Engine) {
    let mut server = Server::start(engine);
    let docket = Docket::make(&mut server).await;
    let own = docket.own().rest;
    let filters = docket.filters();
    for (n, one) in filters.iter().enumerate() {
        let wanted = docket.sorted("", &one.holds);
        assert!(!wanted.is_empty(), "{}", one.rest);
        assert_eq!(listed(&server, &format!("{own}&{}", one.rest)).await, wanted, "{}", one.rest);
        // A parameter is given once, but for lists; those would go together.
        let name = |filter: &Filter| filter.rest.split('=').next().expect("a name").to_owned();
        for other in filters[n + 1..].iter().filter(|other| name(other) != name(one)) {
            let wanted = docket.sorted("", |case| (one.holds)(case) && (other.holds)(case));
            assert_eq!(listed(&server, &format!("{own}&{}&{}", one.rest, other.rest)).await, wanted, "{} {}", one.rest, other.rest);
        }
    }
    // Both ends belong to the range; half a range is one.
    for (from, to) in [(0, 0), (10_000, 20_000), (10_001, 19_999), (30_000, 60_000)] {
        let within = |case: &Case| (docket.begin + from..=docket.begin + to).contains(&case.created);
        assert_eq!(listed(&server, &docket.rest(from, to)).await, docket.sorted("", within), "{from} to {to}");
    }
    let from = format!("filter.created_at.from={}&limit=1000&{}", at(docket.begin + 10_000), "filter.workflow.step_id.in[]=none");
    assert_eq!(listed(&server, &from).await, Vec::<String>::new());
}

async fn every_order_and_its_pages(engine: Engine) {
    let mut server = Server::start(engine);
    let docket = Docket::make(&mut server).await;
    let own = docket.own().rest;
    for sort in [
        "",
        "id",
        "-id",
        "created_at",
        "-created_at",
        "updated_at",
        "-updated_at",
        "type",
        "-type",
        "type,-created_at",
        "-type,updated_at,-id",
        "-updated_at,type",
        "updated_at,-created_at,type,id",
    ] {
        let by = if sort.is_empty() { String::new() } else { format!("&sort.by={sort}") };
        let wanted = docket.sorted(sort, |_| true);
        assert_eq!(listed(&server, &format!("{own}{by}")).await, wanted, "{sort}");
        let mut pages = Vec::new();
        for offset in [0, 5, 10, 15] {
            let page = listed(&server, &format!("{own}{by}&limit=5&offset={offset}")).await;
            assert_eq!(page.len(), CASES.saturating_sub(offset).min(5), "{sort} {offset}");
            pages.extend(page);
        }
        assert_eq!(pages, wanted, "{sort}: pages add up");
    }
    // Behind the rows that are kept to find a page.
    assert_eq!(listed(&server, &format!("{own}&limit=1000&offset=2147483647")).await, Vec::<String>::new());
    assert_eq!(listed(&server, &format!("{own}&limit=1000&offset=11")).await, docket.sorted("", |_| true)[11..]);
}

async fn an_item_is_as_documented(engine: Engine) {
    let mut server = Server::start(engine);
    let docket = Docket::make(&mut server).await;
    let items = server.get(&format!("{PATH}?{}&sort.by=id", docket.own().rest)).await.expect(200).json();
    let mut cases = docket.cases.clone();
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    let wanted: Vec<Value> = cases
        .iter()
        .map(|case| {
            let tags: Vec<Value> = case.tags.iter().map(|tag| json!({"id": tag, "label": format!("Tag {tag}")})).collect();
            json!({"id": case.id, "workflow": {"id": case.workflow(), "step_id": case.step, "status": case.status, "state": case.state},
                "created_at": at(case.created), "updated_at": at(case.updated), "type": case.kind, "tags": tags})
        })
        .collect();
    assert_eq!(items, json!(wanted));
    // What Get Case says of one is the same.
    for item in items.as_array().expect("a list") {
        let case = server.get(&format!("{PATH}/{}", item["id"].as_str().expect("an id"))).await.expect(200).json();
        for field in ["created_at", "updated_at", "type", "tags"] {
            assert_eq!(case[field], item[field], "{field}");
        }
        for field in ["id", "step_id", "status", "state"] {
            assert_eq!(case["workflow"][field], item["workflow"][field], "{field}");
        }
    }
}

async fn all_faults_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let table: [(&str, &[&str]); 9] = [
        (
            "limit=0&offset=-1&sort.by=name,-created_at,created_at&filter.assigned=yes&filter.created_at.from=now&filter.created_at.to=1&filter.updated_at.from=x\
             &filter.updated_at.to=2024-01-01&filter.tags.id.all[]=&filter.tags.id.in[]=a,,b&filter.type.in[]=ALERT&filter.workflow.id.in[]=\
             &filter.workflow.state.in[]=OPEN,HALF&filter.workflow.status.in[]=&filter.workflow.step_id.in[]=&filter.typo=1",
            &[
                "filter.assigned",
                "filter.created_at.from",
                "filter.created_at.to",
                "filter.tags.id.all[]",
                "filter.tags.id.in[]",
                "filter.type.in[]",
                "filter.typo",
                "filter.updated_at.from",
                "filter.updated_at.to",
                "filter.workflow.id.in[]",
                "filter.workflow.state.in[]",
                "filter.workflow.status.in[]",
                "filter.workflow.step_id.in[]",
                "limit",
                "offset",
                "sort.by",
                "sort.by",
            ],
        ),
        ("limit=1001", &["limit"]),
        ("limit=-1", &["limit"]),
        ("offset=2147483648", &["offset"]),
        ("limit=1&limit=2&filter.assigned=true&filter.assigned=true", &["filter.assigned", "limit"]),
        ("sort.by=", &["sort.by"]),
        ("sort_by=id&filter.type=FILING", &["filter.type", "sort_by"]),
        ("filter.created_at.from=2024-01-02T00:00:00Z&filter.created_at.to=2024-01-01T00:00:00Z", &["filter.created_at.to"]),
        (
            "filter.created_at.from=2024-01-02T00:00:00Z&filter.created_at.to=2024-01-01T00:00:00Z\
             &filter.updated_at.from=2024-01-02T00:00:00Z&filter.updated_at.to=2024-01-01T00:00:00Z",
            &["filter.created_at.to", "filter.updated_at.to"],
        ),
    ];
    for (query, places) in table {
        let mut told = server.get(&format!("{PATH}?{query}")).await.expect(400).places();
        told.sort();
        assert_eq!(told, places, "{query}");
    }
    let sorting = server.get(&format!("{PATH}?sort.by=workflow")).await.expect(400);
    assert!(sorting.errors()[0].contains("id, created_at, updated_at, type"), "{sorting:?}");
    server.anonymous().get(PATH).await.expect(401);
    server.get(&format!("{PATH}?limit=1000&filter.created_at.from=1971-01-01T00:00:00Z&filter.created_at.to=1971-01-01T00:00:00Z")).await.expect(200);
}

/// The ids of all pages, from one end.
async fn paged(api: &Api, filter: &Value, order: &Value, backward: &str) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), Value::Null);
    let query = "query($first: Int, $after: String, $last: Int, $before: String, $filter: CaseFilter, $order: CaseOrder) {
        cases(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $order) {
            totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { id } } } }";
    let [size, place, more, end] =
        if backward.is_empty() { ["first", "after", "hasNextPage", "endCursor"] } else { ["last", "before", "hasPreviousPage", "startCursor"] };
    loop {
        let variables = json!({size: 5, place: cursor, "filter": filter, "order": order});
        let page = api.graphql(query, variables).await["cases"].take();
        let ids: Vec<String> =
            page["edges"].as_array().expect("edges").iter().map(|edge| edge["node"]["id"].as_str().expect("an id").to_owned()).collect();
        match backward {
            "" => all.extend(ids),
            _ => drop(all.splice(0..0, ids)),
        }
        if page["pageInfo"][more] == json!(false) {
            assert_eq!(page["totalCount"], json!(all.len()), "{filter} {order}");
            return all;
        }
        cursor = page["pageInfo"][end].clone();
    }
}

/// One object with the fields of both.
fn and(one: &Value, other: &Value) -> Value {
    let mut all = one.clone();
    all.as_object_mut().expect("an object").extend(other.as_object().expect("an object").clone());
    all
}

async fn graphql_has_the_same_list(engine: Engine) {
    let mut server = Server::start(engine);
    let docket = Docket::make(&mut server).await;
    let own = docket.own().graphql;
    for filter in docket.filters() {
        let wanted = docket.sorted("", &filter.holds);
        for backward in ["", "backward"] {
            assert_eq!(paged(&server, &and(&own, &filter.graphql), &Value::Null, backward).await, wanted, "{}", filter.graphql);
        }
    }
    // An order turned round is its exact reverse, ties and all.
    for (field, direction, sort) in
        [("CREATED_AT", "DESC", "-created_at"), ("UPDATED_AT", "DESC", "-updated_at"), ("TYPE", "ASC", "type"), ("ID", "ASC", "id")]
    {
        let mut wanted = listed(&server, &format!("{}&sort.by={sort}", docket.own().rest)).await;
        assert_eq!(wanted, docket.sorted(sort, |_| true));
        let turned = if direction == "ASC" { "DESC" } else { "ASC" };
        for direction in [direction, turned] {
            for backward in ["", "backward"] {
                let order = json!({"field": field, "direction": direction});
                assert_eq!(paged(&server, &own, &order, backward).await, wanted, "{order} {backward}");
            }
            wanted.reverse();
        }
    }
}

async fn links_lead_both_ways(engine: Engine) {
    let mut server = Server::start(engine);
    let docket = Docket::make(&mut server).await;
    let case = &docket.cases[4];
    mutated(&server, "commentOnCase", json!({"caseId": case.id, "text": "mine"})).await;
    let query = "query($id: ID!, $own: CaseFilter) { case(id: $id) {
        tags { id label }
        step { id nodeId stepId label status state cases(first: 20, filter: $own, orderBy: {field: ID, direction: ASC}) { totalCount edges { node { id } } } }
        observations(first: 1) { totalCount edges { node { id nodeId name known cases(first: 20, filter: $own) { edges { node { id } } } } } }
        assignee { id cases(first: 20, filter: $own) { totalCount edges { node { id type } } } }
        comments { edges { node { text case { id } } } } } }";
    let shown = server.graphql(query, json!({"id": case.id, "own": docket.own().graphql})).await["case"].take();
    let nodes = |page: &Value| -> Vec<String> {
        page["edges"].as_array().expect("edges").iter().map(|edge| edge["node"]["id"].as_str().expect("an id").to_owned()).collect()
    };
    let step = &shown["step"];
    for (field, wanted) in [
        ("id", "default-analysis/in-progress"),
        ("nodeId", "WorkflowStep:default-analysis/in-progress"),
        ("stepId", "in-progress"),
        ("label", "In progress"),
        ("status", "IN_PROGRESS"),
        ("state", "OPEN"),
    ] {
        assert_eq!(step[field], json!(wanted), "{field}");
    }
    let on_it = docket.sorted("id", |other| other.step == "in-progress");
    assert_eq!((nodes(&step["cases"]), &step["cases"]["totalCount"]), (on_it.clone(), &json!(on_it.len())));
    assert_eq!(nodes(&shown["assignee"]["cases"]), docket.sorted("", |other| other.assigned));
    assert_eq!(shown["comments"]["edges"][0]["node"], json!({"text": "mine", "case": {"id": case.id}}));
    assert_eq!(shown["tags"], json!([{"id": case.tags[0], "label": format!("Tag {}", case.tags[0])}]));
    let observation = &shown["observations"]["edges"][0]["node"];
    let id = docket.ids.of("observation");
    assert_eq!((&observation["id"], &observation["name"], &observation["known"]), (&json!(id), &json!(id), &json!(false)));
    assert_eq!(nodes(&observation["cases"]), docket.sorted("", |_| true));
    // From each of them as from anything that has an id.
    let query = "query($observation: ID!, $step: ID!, $id: ID!) { observation(id: $id) { id } workflowStep(id: \"none\") { id }
        a: node(id: $observation) { __typename id } b: node(id: $step) { __typename id ... on WorkflowStep { label } } }";
    let found = server.graphql(query, json!({"observation": observation["nodeId"], "step": step["nodeId"], "id": id})).await;
    let wanted = json!({"observation": {"id": id}, "workflowStep": null, "a": {"__typename": "Observation", "id": id},
        "b": {"__typename": "WorkflowStep", "id": "default-analysis/in-progress", "label": "In progress"}});
    assert_eq!(found, wanted);
}

async fn filters_of_graphql_must_make_sense(engine: Engine) {
    let server = Server::shared(engine);
    for (filter, told) in [
        (json!({"createdFrom": at(2), "createdTo": at(1)}), "filter.createdTo"),
        (json!({"updatedFrom": at(2), "updatedTo": at(1)}), "filter.updatedTo"),
        (json!({"createdFrom": at(2), "createdTo": at(2)}), "filter.createdTo: must be later than createdFrom"),
        (json!({"anyTag": []}), "filter.anyTag"),
        (json!({"allTags": []}), "filter.allTags"),
        (json!({"type": []}), "filter.type"),
        (json!({"stepId": []}), "filter.stepId"),
    ] {
        let answer = server.graphql_answer("query($filter: CaseFilter) { cases(filter: $filter) { totalCount } }", json!({"filter": filter})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with(told)), "{filter}: {answer}");
    }
}

async fn a_page_has_two_hundred(engine: Engine) {
    let server = Server::start(engine);
    for _ in 0..41 {
        let made = futures::future::join_all((0..5).map(|_| server.post(PATH, "{}"))).await;
        made.into_iter().for_each(|answer| drop(answer.expect(200)));
    }
    assert_eq!(listed(&server, "").await.len(), 200);
    assert_eq!(listed(&server, "offset=200").await.len(), 5);
    assert_eq!(listed(&server, "limit=1000").await.len(), 205);
}

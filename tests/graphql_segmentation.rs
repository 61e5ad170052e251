//! Segmentation over GraphQL: what is changed is what REST reads back, what is found is what plain code over the input finds, and who may.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::fixtures::actor;
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: changes_are_what_rest_reads_back, groups_and_members_are_found_by_filters, what_may_be_chosen_is_listed;
    embedded: what_is_wrong_is_told_with_its_place, roles_decide_who_changes_segments];

const GROUPS: &str = "/api/segmentation/groups";
const ERRORS: &str = "userErrors { code message path }";

/// A mutation with an input, and what is shown of its payload besides its errors.
async fn change(api: &Api, field: &str, input: Value, shown: &str) -> Value {
    answer(api, field, input, shown).await["data"][field].take()
}

/// The same with errors of the field.
async fn answer(api: &Api, field: &str, input: Value, shown: &str) -> Value {
    let kind = match field {
        "addSegmentationGroupMembers" | "removeSegmentationGroupMembers" => "SegmentationGroupMembersInput",
        "addSegmentationGroupOwner" | "removeSegmentationGroupOwner" => "SegmentationGroupOwnerInput",
        "createSegmentationGroup" => "CreateSegmentationGroupInput",
        _ => "CreateSegmentationCategoryInput",
    };
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ {shown} {ERRORS} }} }}");
    api.graphql_in_time(&query, json!({"input": input})).await
}

/// A category and a group in it.
async fn category_and_group(api: &Api, ids: &Ids) -> (String, String) {
    let made = change(api, "createSegmentationCategory", json!({"name": ids.of("category")}), "category { id }").await;
    assert_eq!(made["userErrors"], json!([]), "{made}");
    let category = made["category"]["id"].as_str().expect("an id").to_owned();
    let input = json!({"categoryId": category, "name": "Private banking", "description": "With an adviser"});
    let made = change(api, "createSegmentationGroup", input, "group { id }").await;
    assert_eq!(made["userErrors"], json!([]), "{made}");
    (category, made["group"]["id"].as_str().expect("an id").to_owned())
}

async fn put_actors(api: &Api, ids: &[String]) {
    for id in ids {
        api.post("/api/actors", actor(id).to_string()).await.expect(200);
    }
}

/// What REST lists below a group.
async fn listed(api: &Api, group: &str, what: &str) -> BTreeSet<String> {
    let read = api.get(&format!("{GROUPS}/{group}/{what}")).await.expect(200).json();
    let list =
        if read.is_array() { read } else { read.as_object().and_then(|read| read.values().find(|list| list.is_array())).cloned().expect("a list") };
    list.as_array().expect("a list").iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

async fn changes_are_what_rest_reads_back(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let name = ids.of("appetite");
    let shown = "category { id name updatedAt changedAt updatedBy } categoryEdge { cursor node { id name } }";
    let made = change(&server, "createSegmentationCategory", json!({"name": name, "description": "How much risk"}), shown).await;
    let category = made["category"]["id"].as_str().expect("an id").to_owned();
    let read = server.get(&format!("/api/segmentation/categories/{category}")).await.expect(200).json();
    assert_eq!((&read["name"], &read["description"], &read["created_by"]), (&json!(name), &json!("How much risk"), &made["category"]["updatedBy"]));
    assert_eq!(made["category"]["updatedAt"], made["category"]["changedAt"]);
    assert_eq!(made["categoryEdge"]["node"], json!({"id": category, "name": name}));

    // The same key makes one group, and its edge stands in the list where its cursor says.
    let input = json!({"categoryId": category, "name": "Wealth", "idempotencyKey": ids.of("key")});
    let shown = "group { id category { id } } groupEdge { cursor node { id name } }";
    let first = change(&server, "createSegmentationGroup", input.clone(), shown).await;
    let again = change(&server, "createSegmentationGroup", input, shown).await;
    assert_eq!(first, again);
    let group = first["group"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(first["group"]["category"]["id"], json!(category));
    let read = server.get(&format!("{GROUPS}/{group}")).await.expect(200).json();
    assert_eq!((&read["name"], &read["category_id"]), (&json!("Wealth"), &json!(category)));
    let query = "query($category: [ID!]) { segmentationGroups(first: 5, filter: {categoryIds: $category}) { edges { cursor node { id } } } }";
    let list = server.graphql(query, json!({"category": [category]})).await["segmentationGroups"]["edges"].take();
    assert_eq!(list, json!([{"cursor": first["groupEdge"]["cursor"], "node": {"id": group}}]));

    // Members: one result each, in the order of the input, the unknown one refused alone.
    let known: Vec<String> = ["a", "b", "c"].map(|actor| ids.of(actor)).to_vec();
    put_actors(&server, &known).await;
    let actors = json!([known[1], ids.of("nobody"), known[0], known[1]]);
    let shown = "group { id updatedAt actors { totalCount } } results { actorId memberEdge { cursor since by node { id nodeId name } } userErrors { code message path } }";
    let added = change(&server, "addSegmentationGroupMembers", json!({"groupId": group, "actorIds": actors}), shown).await;
    assert_eq!(added["userErrors"], json!([]), "{added}");
    let results = added["results"].as_array().expect("results");
    let named: Vec<&Value> = results.iter().map(|result| &result["actorId"]).collect();
    assert_eq!(named, [&json!(known[1]), &json!(ids.of("nobody")), &json!(known[0])], "each once");
    assert_eq!((&results[1]["memberEdge"], &results[1]["userErrors"][0]["code"]), (&Value::Null, &json!("NOT_FOUND")));
    assert_eq!(results[1]["userErrors"][0]["path"], json!(["input", "actorIds", "1"]));
    let query =
        "query($id: ID!) { segmentationGroup(id: $id) { actors(first: 9) { totalCount edges { cursor since by node { id nodeId name } } } } }";
    let members = server.graphql(query, json!({"id": group})).await["segmentationGroup"]["actors"].take();
    assert_eq!((&members["totalCount"], &added["group"]["actors"]["totalCount"]), (&json!(2), &json!(2)));
    for result in [&results[0], &results[2]] {
        assert!(members["edges"].as_array().expect("edges").contains(&result["memberEdge"]), "{result} is an edge of the list: {members}");
    }
    assert_eq!(listed(&server, &group, "actors").await, known[..2].iter().cloned().collect());

    // Owners, and back.
    let shown = "group { owners { totalCount } } ownerEdge { since by node { id } }";
    let owner = json!({"groupId": group, "actorId": known[2]});
    let added = change(&server, "addSegmentationGroupOwner", owner.clone(), shown).await;
    assert_eq!((&added["userErrors"], &added["group"]["owners"]["totalCount"]), (&json!([]), &json!(1)), "{added}");
    assert_eq!(added["ownerEdge"]["node"]["id"], json!(known[2]));
    assert_eq!(listed(&server, &group, "owners").await, BTreeSet::from([known[2].clone()]));
    let removed = change(&server, "removeSegmentationGroupOwner", owner.clone(), shown).await;
    assert_eq!(removed, json!({"group": {"owners": {"totalCount": 0}}, "ownerEdge": null, "userErrors": []}));
    let late = change(&server, "removeSegmentationGroupOwner", owner, shown).await;
    assert_eq!((&late["userErrors"][0]["code"], &late["userErrors"][0]["path"]), (&json!("NOT_FOUND"), &json!(["input", "actorId"])), "{late}");
    let input = json!({"groupId": group, "actorIds": [known[0], ids.of("nobody")]});
    let removed = change(
        &server,
        "removeSegmentationGroupMembers",
        input,
        "group { actors { totalCount } } results { actorId memberEdge { cursor } userErrors { code } }",
    )
    .await;
    let gone = |id: &str| json!({"actorId": id, "memberEdge": null, "userErrors": []});
    assert_eq!((&removed["results"], &removed["group"]["actors"]["totalCount"]), (&json!([gone(&known[0]), gone(&ids.of("nobody"))]), &json!(1)));
    assert_eq!(listed(&server, &group, "actors").await, BTreeSet::from([known[1].clone()]));

    // As it was when they came: of whom has left it is said when that was, and by whom.
    let query = "query($id: ID!, $at: DateTime) { segmentationGroup(id: $id) { actors(first: 9, asOf: $at) { edges {
        since by byPrincipal { id } until endedBy endedByPrincipal { id } node { id } } } } }";
    let since = &results[2]["memberEdge"]["since"];
    let were = server.graphql(query, json!({"id": group, "at": since})).await["segmentationGroup"]["actors"]["edges"].take();
    let edge =
        |id: &str| were.as_array().expect("edges").iter().find(|edge| edge["node"]["id"] == json!(id)).unwrap_or_else(|| panic!("{id}: {were}"));
    let (left, stays) = (edge(&known[0]), edge(&known[1]));
    assert!(left["until"].is_string() && left["until"] != left["since"] && left["byPrincipal"]["id"].is_string(), "{left}");
    assert_eq!((&left["since"], &left["endedBy"], &left["endedByPrincipal"]), (since, &left["by"], &left["byPrincipal"]), "{left}");
    assert_eq!((&stays["until"], &stays["endedBy"], &stays["endedByPrincipal"]), (&Value::Null, &Value::Null, &Value::Null), "{stays}");
}

/// Of these names and descriptions, those that have all words.
fn found<'a>(groups: &'a [(String, &str)], words: &str) -> BTreeSet<&'a str> {
    let has = |(name, description): &&(String, &str)| {
        words.to_lowercase().split_whitespace().all(|word| name.to_lowercase().contains(word) || description.to_lowercase().contains(word))
    };
    groups.iter().filter(has).map(|(name, _)| name.as_str()).collect()
}

async fn groups_and_members_are_found_by_filters(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (category, group) = category_and_group(&server, &ids).await;
    let texts = [("Öl und Gas", "Energy, large"), ("Retail", "small LARGE"), ("Shipping", ""), ("Gas stations", "Retail of fuel")];
    let mut groups = vec![("Private banking".to_owned(), "With an adviser")];
    for (name, description) in texts {
        let mut input = json!({"categoryId": category, "name": name});
        if !description.is_empty() {
            input["description"] = json!(description);
        }
        assert_eq!(change(&server, "createSegmentationGroup", input, "").await["userErrors"], json!([]));
        groups.push((name.to_owned(), description));
    }
    let query = "query($filter: SegmentationGroupFilter) { segmentationGroups(first: 50, filter: $filter) { totalCount nodes { name } } }";
    for words in ["gas", "GAS retail", "large", "ÖL", "öl gas", "nothing of it", "  "] {
        let page = server.graphql(query, json!({"filter": {"text": words, "categoryIds": [category]}})).await["segmentationGroups"].take();
        let names: BTreeSet<&str> = page["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["name"].as_str()).collect();
        assert_eq!((names.clone(), &page["totalCount"]), (found(&groups, words), &json!(names.len())), "{words}");
    }

    let people = [("p1", "DE", "INDIVIDUAL"), ("p2", "FR", "INDIVIDUAL"), ("p3", "DE", "LEGAL_ENTITY")];
    for (id, domicile, kind) in people {
        let name = if kind == "INDIVIDUAL" { json!({"firstName": "Anna", "lastName": ids.of(id)}) } else { json!({"name": ids.of(id)}) };
        let mut record = json!({"id": ids.of(id), "type": kind, "asOfDate": "2024-01-01", "domicile": domicile});
        record.as_object_mut().expect("an object").extend(name.as_object().expect("an object").clone());
        server.post("/api/actors", record.to_string()).await.expect(200);
    }
    let members: Vec<String> = people.iter().map(|(id, ..)| ids.of(id)).collect();
    change(&server, "addSegmentationGroupMembers", json!({"groupId": group, "actorIds": members}), "").await;
    let query = "query($id: ID!, $filter: SegmentationMemberFilter) {
        segmentationGroup(id: $id) { actors(first: 9, filter: $filter) { totalCount nodes { id } } } }";
    for (filter, wanted) in [
        (json!({}), vec!["p1", "p2", "p3"]),
        (json!({"domiciles": ["DE"]}), vec!["p1", "p3"]),
        (json!({"domiciles": ["DE", "FR"], "types": ["INDIVIDUAL"]}), vec!["p1", "p2"]),
        (json!({"text": ids.of("P2")}), vec!["p2"]),
        (json!({"riskBands": ["high_risk"]}), vec![]),
        (json!({"addedTo": "2020-01-01T00:00:00Z"}), vec![]),
        (json!({"addedFrom": "2020-01-01T00:00:00Z"}), vec!["p1", "p2", "p3"]),
    ] {
        let page = server.graphql(query, json!({"id": group, "filter": filter})).await["segmentationGroup"]["actors"].take();
        let found: BTreeSet<&str> = page["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["id"].as_str()).collect();
        let wanted: Vec<String> = wanted.into_iter().map(|id| ids.of(id)).collect();
        let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
        assert_eq!((&page["totalCount"], found), (&json!(wanted.len()), wanted), "{filter}");
    }
}

async fn what_may_be_chosen_is_listed(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    // Tags lead to their cases, and stand in the order of their labels.
    let labels = ["b", "a"].map(|label| ids.of(label));
    let mut cases = Vec::new();
    for tags in [&labels[..], &labels[..1]] {
        let case = server.post("/api/cases", "{}").await.expect(200).json()["case_id"].as_str().expect("an id").to_owned();
        let add: Vec<Value> = tags.iter().map(|label| json!({"id": format!("tag-{label}"), "label": label})).collect();
        let query = "mutation($input: TagCaseInput!) { tagCase(input: $input) { case { tags { id nodeId label cases(first: 1) { totalCount } } } userErrors { message } } }";
        let tagged = server.graphql(query, json!({"input": {"caseId": case, "add": add}})).await;
        assert_eq!(tagged["tagCase"]["userErrors"], json!([]));
        cases.push(case);
    }
    let query = "query($one: ID!, $other: ID!, $node: ID!) { one: caseTag(id: $one) { label cases(first: 5) { totalCount nodes { id } } }
        other: caseTag(id: $other) { cases(first: 5) { nodes { id } } } node(id: $node) { __typename id } }";
    let [one, other] = labels.each_ref().map(|label| format!("tag-{label}"));
    let shown = server.graphql(query, json!({"one": one, "other": other, "node": format!("CaseTag:{one}")})).await;
    let of_one: BTreeSet<&str> = shown["one"]["cases"]["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["id"].as_str()).collect();
    assert_eq!((of_one, &shown["one"]["cases"]["totalCount"]), (cases.iter().map(String::as_str).collect(), &json!(2)));
    assert_eq!(shown["other"]["cases"]["nodes"], json!([{"id": cases[0]}]));
    assert_eq!((&shown["one"]["label"], &shown["node"]), (&json!(labels[0]), &json!({"__typename": "CaseTag", "id": one})));
    let ordered = listed_names(&server, "caseTags(first: 500", "label").await;
    let place = |label: &String| ordered.iter().position(|listed| listed == label);
    assert!(ordered.len() > 1 && ordered.is_sorted(), "{ordered:?}");
    assert!(ordered.len() == 500 || place(&labels[1]).zip(place(&labels[0])).is_some_and(|(a, b)| a < b), "{ordered:?}");

    // Users by name, found by words.
    for (username, enabled) in [("zoe", true), ("adam", true), ("mia", false)] {
        let input = json!({"username": ids.of(username), "firstName": ids.of(username), "enabled": enabled});
        server.graphql("mutation($input: CreateUserInput!) { createUser(input: $input) { userErrors { message } } }", json!({"input": input})).await;
    }
    let query =
        "query($filter: UserFilter, $orderBy: UserOrder) { users(first: 9, filter: $filter, orderBy: $orderBy) { totalCount nodes { username } } }";
    for (filter, direction, wanted) in [
        (json!({"text": ids.of("")}), "ASC", vec!["adam", "mia", "zoe"]),
        (json!({"text": ids.of("").to_uppercase(), "enabled": true}), "DESC", vec!["zoe", "adam"]),
        (json!({"text": ids.of("mia"), "enabled": true}), "ASC", vec![]),
        (json!({"text": ids.of(""), "groups": ["nobody's"]}), "ASC", vec![]),
    ] {
        let page = server.graphql(query, json!({"filter": filter, "orderBy": {"field": "NAME", "direction": direction}})).await["users"].take();
        let names: Vec<Value> = wanted.iter().map(|name| json!({"username": ids.of(name)})).collect();
        assert_eq!((&page["nodes"], &page["totalCount"]), (&json!(names), &json!(wanted.len())), "{filter}");
    }

    // Workflows that are offered, for one type of cases.
    let offered = listed_names(&server, "workflows(first: 500, filter: {hidden: false, types: [FILING]}", "id").await;
    assert!(offered.contains(&"default-filing".to_owned()) && !offered.contains(&"default-analysis".to_owned()), "{offered:?}");

    // Rules that observations name, each by its id.
    let rule = ids.of("rule");
    let observation = json!({"id": ids.of("observation"), "type": "ALERT_RULE", "behaviorId": "b", "behaviorName": "B", "date": 1,
        "actors": [{"actorId": ids.of("actor")}], "rules": [{"id": rule}]});
    server.post("/api/observations", observation.to_string()).await.expect(200);
    let query =
        "query($id: ID!, $ids: [ID!]!) { observationRule(id: $id) { id nodeId observations { totalCount } } nodes(ids: $ids) { id __typename } }";
    let shown = server.graphql(query, json!({"id": rule, "ids": [format!("ObservationRule:{rule}")]})).await;
    assert_eq!(
        (&shown["observationRule"]["observations"]["totalCount"], &shown["nodes"]),
        (&json!(1), &json!([{"id": rule, "__typename": "ObservationRule"}]))
    );
}

/// One field of the nodes of a list; `list` has its arguments without the last bracket.
async fn listed_names(api: &Api, list: &str, field: &str) -> Vec<String> {
    let (name, _) = list.split_once('(').expect("arguments");
    let page = api.graphql(&format!("{{ {list}) {{ nodes {{ {field} }} }} }}"), json!({})).await[name].take();
    page["nodes"].as_array().expect("nodes").iter().filter_map(|node| node[field].as_str()).map(str::to_owned).collect()
}

async fn what_is_wrong_is_told_with_its_place(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (category, group) = category_and_group(&server, &ids).await;
    let many: Vec<String> = (0..1_001).map(|at| format!("actor-{at}")).collect();
    for (field, input, code, path) in [
        ("createSegmentationGroup", json!({"categoryId": category, "name": "Private banking"}), "TAKEN", json!(["input", "name"])),
        ("createSegmentationGroup", json!({"categoryId": category, "name": ""}), "INVALID", json!(["input", "name"])),
        ("createSegmentationGroup", json!({"categoryId": ids.of("none"), "name": "x"}), "INVALID", json!(["input", "categoryId"])),
        ("createSegmentationCategory", json!({"name": ids.of("category")}), "TAKEN", json!(["input", "name"])),
        ("createSegmentationCategory", json!({"name": "x", "description": "y".repeat(4_001)}), "INVALID", json!(["input", "description"])),
        ("addSegmentationGroupMembers", json!({"groupId": ids.of("none"), "actorIds": []}), "NOT_FOUND", json!(["input", "groupId"])),
        ("addSegmentationGroupMembers", json!({"groupId": group, "actorIds": many}), "INVALID", json!(["input", "actorIds"])),
        (
            "removeSegmentationGroupMembers",
            json!({"groupId": group, "actorIds": [], "idempotencyKey": "ä"}),
            "INVALID",
            json!(["input", "idempotencyKey"]),
        ),
        ("addSegmentationGroupOwner", json!({"groupId": group, "actorId": ids.of("nobody")}), "NOT_FOUND", json!(["input", "actorId"])),
    ] {
        let changed = change(&server, field, input.clone(), "").await;
        let error = &changed["userErrors"][0];
        assert_eq!((&error["code"], &error["path"]), (&json!(code), &path), "{field} {input}: {changed}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{changed}");
    }
    let query = "query($id: ID!, $filter: SegmentationMemberFilter) { segmentationGroup(id: $id) { actors(filter: $filter) { totalCount } } }";
    for (filter, wrong) in [
        (json!({"types": []}), "filter.types: "),
        (json!({"text": "x ".repeat(11)}), "filter.text: "),
        (json!({"addedFrom": "2024-01-02T00:00:00Z", "addedTo": "2024-01-02T00:00:00Z"}), "filter.addedTo: "),
    ] {
        let refused = server.graphql_in_time(query, json!({"id": group, "filter": filter})).await;
        assert!(refused["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with(wrong)), "{refused}");
    }
}

/// The actors and owners of a group, the groups of its category, and whether there is a category of this name.
async fn segments(api: &Api, category: &str, group: &str, name: &str) -> Value {
    let query = "query($group: ID!, $categories: [ID!]) {
        segmentationGroup(id: $group) { actors(first: 5) { nodes { id } } owners(first: 5) { nodes { id } } }
        segmentationGroups(first: 50, filter: {categoryIds: $categories}) { nodes { name } } segmentationCategories(first: 50) { nodes { name } } }";
    let mut shown = api.graphql(query, json!({"group": group, "categories": [category]})).await;
    // Other tests make categories meanwhile.
    let categories = shown["segmentationCategories"]["nodes"].take();
    shown["segmentationCategories"] = json!(categories.as_array().expect("nodes").iter().any(|node| node["name"] == name));
    shown
}

async fn roles_decide_who_changes_segments(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (category, group) = category_and_group(&server, &ids).await;
    put_actors(&server, &[ids.of("a")]).await;
    for (role, members, groups, keys) in [
        // Who may change members but not see them is refused before anything is changed.
        ("INGEST", false, false, false),
        ("ANALYST", true, false, false),
        ("SUPERVISOR", true, false, false),
        ("AUDITOR", false, false, false),
        ("ADMIN", true, true, true),
    ] {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        let member = json!({"groupId": group, "actorIds": [ids.of("a")]});
        let owner = json!({"groupId": group, "actorId": ids.of("a")});
        let new = json!({"categoryId": category, "name": ids.of(role)});
        for (field, input, may) in [
            ("addSegmentationGroupMembers", member.clone(), members),
            ("removeSegmentationGroupMembers", member.clone(), members),
            ("addSegmentationGroupOwner", owner.clone(), groups),
            ("removeSegmentationGroupOwner", owner.clone(), groups),
            ("createSegmentationGroup", new, groups),
            ("createSegmentationCategory", json!({"name": ids.of(role)}), groups),
        ] {
            // What is to be taken away is there.
            match field {
                "removeSegmentationGroupMembers" => drop(change(&server, "addSegmentationGroupMembers", member.clone(), "").await),
                "removeSegmentationGroupOwner" => drop(change(&server, "addSegmentationGroupOwner", owner.clone(), "").await),
                _ => {}
            }
            let before = segments(&server, &category, &group, &ids.of(role)).await;
            let answer = answer(&api, field, input, "").await;
            let after = segments(&server, &category, &group, &ids.of(role)).await;
            if may {
                assert_eq!(answer["data"][field]["userErrors"], json!([]), "{role} {field}: {answer}");
            } else {
                assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{role} {field}: {answer}");
            }
            assert_eq!(before != after, may, "{role} {field}: {before} {after}");
        }
        // As it was, for the next one.
        change(&server, "removeSegmentationGroupMembers", member, "").await;
        change(&server, "removeSegmentationGroupOwner", owner, "").await;
        let shown = api.graphql_in_time("{ apiKeys { id name kind role createdAt revokedAt } apiClients { id kind } }", json!({})).await;
        if keys {
            let keys = shown["data"]["apiKeys"].as_array().expect("keys");
            assert!(keys.iter().any(|key| key["id"] == made["id"] && key["role"] == role && key["kind"] == "API_KEY"), "{shown}");
            assert!(!shown.to_string().contains(made["key"].as_str().expect("a key")), "no secret is shown");
        } else {
            assert_eq!(shown["errors"][0]["extensions"]["code"], "FORBIDDEN", "{role}: {shown}");
        }
    }
}

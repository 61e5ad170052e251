//! Segmentation: categories, groups, who is in them and who owns them, over REST and GraphQL.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::fixtures::actor;
use crate::support::{Answer, Api, Engine, Ids, Server, Store, tests};

tests![both: a_category_is_made_read_changed_and_listed, a_group_is_made_read_changed_and_listed, names_are_unique, of_two_that_want_a_name_at_once_one_gets_it,
    members_come_and_go, a_group_belongs_to_one_category, an_actor_may_be_in_groups_of_several_categories, owners_come_and_go, lists_are_paged, graphql_leads_both_ways, the_same_again_by_a_key;
    embedded: faults_are_told_at_once, what_is_not_there_is_not_found, other_media_types_are_refused, roles_are_kept_apart, a_large_group_is_paged, a_page_of_large_descriptions_has_a_budget];

const CATEGORIES: &str = "/api/segmentation/categories";
const GROUPS: &str = "/api/segmentation/groups";

/// Makes a category with a name of the test's own.
async fn category(api: &Api, name: &str) -> String {
    id_of(&api.post(CATEGORIES, json!({"name": name}).to_string()).await.expect(200))
}

async fn group(api: &Api, category: &str, name: &str) -> String {
    id_of(&api.post(GROUPS, json!({"category_id": category, "name": name}).to_string()).await.expect(200))
}

/// The id, which is all that such an answer has.
fn id_of(answer: &Answer) -> String {
    let body = answer.json();
    let id = body["id"].as_str().expect("an id").to_owned();
    assert_eq!(body, json!({"id": id}));
    id
}

async fn actors(api: &Api, ids: &[String]) {
    for id in ids {
        api.post("/api/actors", actor(id).to_string()).await.expect(200);
    }
}

async fn add(api: &Api, group: &str, actors: &[&str]) -> Value {
    api.post(&format!("{GROUPS}/{group}/actors"), json!(actors).to_string()).await.expect(200).json()
}

async fn a_category_is_made_read_changed_and_listed(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let name = ids.of("appetite");
    let before = chrono::Utc::now().timestamp();
    let made = server.post(CATEGORIES, json!({"name": name, "description": "how much risk"}).to_string()).await.expect(200);
    let path = format!("{CATEGORIES}/{}", id_of(&made));
    let read = server.get(&path).await.expect(200).json();
    let at = read["created_at"].as_i64().expect("whole seconds");
    assert!((before..=chrono::Utc::now().timestamp()).contains(&at), "{read}");
    let wanted = json!({"id": id_of(&made), "name": name, "description": "how much risk", "created_at": at, "changed_at": at,
        "created_by": read["created_by"], "changed_by": read["created_by"], "type": "COMPUTED_BY_CUSTOMER"});
    assert_eq!(read, wanted);
    assert!(read["created_by"].as_str().is_some_and(|by| !by.is_empty()), "{read}");

    // What is absent stays.
    for (change, name, description) in [
        (json!({}), name.clone(), "how much risk"),
        (json!({"description": "how little"}), name.clone(), "how little"),
        (json!({"name": ids.of("hunger")}), ids.of("hunger"), "how little"),
        (json!({"name": name, "description": ""}), name.clone(), ""),
    ] {
        let changed = server.patch(&path, change.to_string()).await.expect(200);
        assert_eq!(id_of(&changed), id_of(&made));
        let read = server.get(&path).await.expect(200).json();
        assert_eq!((&read["name"], &read["description"]), (&json!(name), &json!(description)), "{change}");
        assert!(read["changed_at"].as_i64() >= Some(at) && read["created_at"] == json!(at), "{read}");
    }
    // Newest first: other tests can't have made hundreds since.
    let listed = server.get(&format!("{CATEGORIES}?limit=1000")).await.expect(200).json();
    let mine = listed["categories"].as_array().expect("a list").iter().find(|item| item["id"] == json!(id_of(&made))).expect("it is listed");
    assert_eq!(*mine, server.get(&path).await.expect(200).json());
    assert_eq!((&listed["limit"], &listed["offset"]), (&json!(1000), &json!(0)));
    // One without a description has none.
    let bare = category(&server, &ids.of("bare")).await;
    assert_eq!(server.get(&format!("{CATEGORIES}/{bare}")).await.expect(200).json().get("description"), None);
}

async fn a_group_is_made_read_changed_and_listed(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let category = category(&server, &ids.of("category")).await;
    let body = json!({"category_id": category, "name": "Private banking", "description": "with an adviser"});
    let made = id_of(&server.post(GROUPS, body.to_string()).await.expect(200));
    let path = format!("{GROUPS}/{made}");
    let read = server.get(&path).await.expect(200).json();
    let (at, by) = (&read["created_at"], &read["created_by"]);
    let wanted = json!({"id": made, "category_id": category, "name": "Private banking", "description": "with an adviser", "created_at": at,
        "changed_at": at, "created_by": by, "changed_by": by});
    assert_eq!(read, wanted);
    // What is absent stays.
    for (change, name, description) in [
        (json!({"name": "Wealth"}), "Wealth", "with an adviser"),
        (json!({"description": "with two"}), "Wealth", "with two"),
        (json!({"name": "Riches", "description": ""}), "Riches", ""),
        (json!({"name": "Wealth", "description": "with two"}), "Wealth", "with two"),
    ] {
        server.patch(&path, change.to_string()).await.expect(200);
        let read = server.get(&path).await.expect(200).json();
        assert_eq!((&read["name"], &read["description"]), (&json!(name), &json!(description)), "{change}");
    }
    let read = server.get(&path).await.expect(200).json();
    let other = group(&server, &category, "Retail").await;
    let listed = server.get(&format!("{CATEGORIES}/{category}/groups")).await.expect(200).json();
    let names: BTreeSet<&str> = listed["groups"].as_array().expect("a list").iter().filter_map(|group| group["name"].as_str()).collect();
    assert_eq!(names, BTreeSet::from(["Retail", "Wealth"]));
    assert_eq!((&listed["limit"], &listed["offset"]), (&json!(100), &json!(0)));
    assert!(listed["groups"].as_array().expect("a list").contains(&read), "an item is what is read: {listed}");
    assert_eq!(server.get(&format!("{CATEGORIES}/{category}/groups?limit=1&offset=2")).await.expect(200).json()["groups"], json!([]));
    assert_ne!(made, other);
}

async fn names_are_unique(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (one, other) = (category(&server, &ids.of("one")).await, category(&server, &ids.of("other")).await);
    let taken = |answer: Answer| assert!(answer.clone().expect(409).errors()[0].starts_with("name: "), "{answer:?}");
    taken(server.post(CATEGORIES, json!({"name": ids.of("one")}).to_string()).await);
    taken(server.patch(&format!("{CATEGORIES}/{other}"), json!({"name": ids.of("one"), "description": "x"}).to_string()).await);
    let unchanged = server.get(&format!("{CATEGORIES}/{other}")).await.expect(200).json();
    assert_eq!((unchanged["name"].as_str(), unchanged.get("description")), (Some(ids.of("other").as_str()), None), "all or nothing");
    // Its own name it may have.
    server.patch(&format!("{CATEGORIES}/{one}"), json!({"name": ids.of("one"), "description": "x"}).to_string()).await.expect(200);
    // A name that was given up is free.
    server.patch(&format!("{CATEGORIES}/{one}"), json!({"name": ids.of("first")}).to_string()).await.expect(200);
    server.patch(&format!("{CATEGORIES}/{other}"), json!({"name": ids.of("one")}).to_string()).await.expect(200);
    taken(server.patch(&format!("{CATEGORIES}/{one}"), json!({"name": ids.of("one")}).to_string()).await);
    category(&server, &ids.of("other")).await;
    // A group's is unique in its category, whatever others have.
    let (first, second) = (group(&server, &one, "A").await, group(&server, &one, "B").await);
    group(&server, &other, "A").await;
    taken(server.post(GROUPS, json!({"category_id": one, "name": "A"}).to_string()).await);
    taken(server.patch(&format!("{GROUPS}/{second}"), json!({"name": "A"}).to_string()).await);
    server.patch(&format!("{GROUPS}/{first}"), json!({"name": "C"}).to_string()).await.expect(200);
    server.patch(&format!("{GROUPS}/{second}"), json!({"name": "A"}).to_string()).await.expect(200);
}

async fn of_two_that_want_a_name_at_once_one_gets_it(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let body = json!({"name": ids.of("race")}).to_string();
    let mut statuses: Vec<u16> =
        futures::future::join_all((0..8).map(|_| server.post(CATEGORIES, body.clone()))).await.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    // The same where things that are there are renamed.
    let category = category(&server, &ids.of("category")).await;
    let mut groups = Vec::new();
    for at in 0..6 {
        groups.push(group(&server, &category, &format!("group {at}")).await);
    }
    let paths: Vec<String> = groups.iter().map(|group| format!("{GROUPS}/{group}")).collect();
    let renamed = paths.iter().map(async |path| server.patch(path, r#"{"name":"wanted"}"#).await.status);
    let mut statuses = futures::future::join_all(renamed).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
    let listed = server.get(&format!("{CATEGORIES}/{category}/groups")).await.expect(200).json();
    let names: Vec<&str> = listed["groups"].as_array().expect("a list").iter().filter_map(|group| group["name"].as_str()).collect();
    assert_eq!((names.len(), names.iter().filter(|name| **name == "wanted").count()), (6, 1), "{names:?}");
}

async fn members_come_and_go(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let [a, b, absent, named] = ["a", "b", "absent", "named"].map(|name| ids.of(name));
    actors(&server, &[a.clone(), b.clone()]).await;
    // One that an account has named only is no actor yet.
    let role = json!({"actors": [{"id": named, "role": "OWNER"}]});
    server.post(&format!("/api/accounts/{}/actors", ids.of("account")), role.to_string()).await.expect(200);
    let category = category(&server, &ids.of("category")).await;
    let (one, two) = (group(&server, &category, "one").await, group(&server, &category, "two").await);
    assert_eq!(add(&server, &one, &[&a, &absent, &b, &named, &a]).await, json!({&*a: true, &*b: true, &*absent: false, &*named: false}));
    assert_eq!(add(&server, &one, &[&a]).await, json!({&*a: true}), "again changes nothing");
    assert_eq!(add(&server, &one, &[]).await, json!({}));
    assert_eq!(add(&server, &two, &[&b]).await, json!({&*b: true}));
    let members = async |group: &str| members_of(&server, &format!("{GROUPS}/{group}/actors")).await;
    assert_eq!(members(&one).await, BTreeSet::from([a.clone(), b.clone()]));
    let all = server.get(&format!("{CATEGORIES}/{category}/actors")).await.expect(200).json();
    assert_eq!(all["actor_ids"].as_array().map(Vec::len), Some(2), "each once: {all}");
    assert_eq!(all["actor_ids"][0], json!(b), "who came last is first");
    let groups = async |actor: &str| server.get(&format!("/api/segmentation/actors/{actor}/groups")).await.expect(200).json();
    assert_eq!(groups(&b).await, json!({"groupIds": [two, one], "offset": 0, "limit": 100}));
    assert_eq!(groups(&absent).await["groupIds"], json!([]));
    // Once it has arrived it can be added.
    actors(&server, std::slice::from_ref(&named)).await;
    assert_eq!(add(&server, &one, &[&named]).await, json!({&*named: true}));

    let remove = async |group: &str, actors: Value| {
        let request =
            server.request("DELETE", &format!("{GROUPS}/{group}/actors")).header("content-type", "application/json").body(actors.to_string());
        server.send(request).await
    };
    assert_eq!(remove(&one, json!([a, absent])).await.expect(200).json(), json!({}));
    assert_eq!(members(&one).await, BTreeSet::from([b.clone(), named.clone()]));
    assert_eq!(members(&two).await, BTreeSet::from([b.clone()]));
    remove(&one, json!([b, named])).await.expect(200);
    remove(&one, json!([b])).await.expect(200);
    assert_eq!(members(&one).await, BTreeSet::new());
    assert_eq!(groups(&b).await["groupIds"], json!([two]));
}

/// It is said when the group is made, and can't be said again.
async fn a_group_belongs_to_one_category(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (own, other) = (category(&server, &ids.of("own")).await, category(&server, &ids.of("other")).await);
    let group = group(&server, &own, "group").await;
    let path = format!("{GROUPS}/{group}");
    for change in [json!({"category_id": other}), json!({"name": "moved", "category_id": other})] {
        assert_eq!(server.patch(&path, change.to_string()).await.expect(400).places(), ["category_id"], "{change}");
    }
    let read = server.get(&path).await.expect(200).json();
    assert_eq!((&read["category_id"], &read["name"]), (&json!(own), &json!("group")));
    for (category, groups) in [(&own, json!([read])), (&other, json!([]))] {
        assert_eq!(server.get(&format!("{CATEGORIES}/{category}/groups")).await.expect(200).json()["groups"], groups);
    }
}

async fn an_actor_may_be_in_groups_of_several_categories(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let actor = ids.of("actor");
    actors(&server, std::slice::from_ref(&actor)).await;
    let mut groups = BTreeSet::new();
    for name in ["one", "other"] {
        let category = category(&server, &ids.of(name)).await;
        let group = group(&server, &category, "group").await;
        assert_eq!(add(&server, &group, &[&actor]).await, json!({&*actor: true}));
        assert_eq!(members_of(&server, &format!("{CATEGORIES}/{category}/actors")).await, BTreeSet::from([actor.clone()]));
        groups.insert(group);
    }
    let listed = server.get(&format!("/api/segmentation/actors/{actor}/groups")).await.expect(200).json();
    let listed: BTreeSet<String> = listed["groupIds"].as_array().expect("a list").iter().map(|id| id.as_str().expect("an id").to_owned()).collect();
    assert_eq!(listed, groups);
}

async fn members_of(api: &Api, path: &str) -> BTreeSet<String> {
    let body = api.get(path).await.expect(200).json();
    body["actor_ids"].as_array().expect("a list").iter().map(|id| id.as_str().expect("an id").to_owned()).collect()
}

async fn owners_come_and_go(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let [a, b] = ["a", "b"].map(|name| ids.of(name));
    actors(&server, &[a.clone(), b.clone()]).await;
    let category = category(&server, &ids.of("category")).await;
    let group = group(&server, &category, "group").await;
    let path = |actor: &str| format!("{GROUPS}/{group}/owners/{actor}");
    server.get(&path(&a)).await.expect(404);
    for _ in 0..2 {
        let put = server.put(&path(&a), "").await.expect(200).json();
        assert!(put["message"].is_string(), "{put}");
    }
    server.put(&path(&b), "").await.expect(200);
    let owners = server.get(&path(&a)).await.expect(200).json();
    assert_eq!((&owners["offset"], &owners["limit"]), (&json!(0), &json!(100)));
    assert_eq!(owners["actorIds"], json!([b, a]), "who came last is first");
    assert_eq!(server.get(&format!("{}?limit=1&offset=1", path(&a))).await.expect(200).json()["actorIds"], json!([a]));
    assert_eq!(server.get(&format!("{GROUPS}/{group}/owners")).await.expect(200).json()["actorIds"], json!([b, a]));
    // An owner need not be a member.
    assert_eq!(members_of(&server, &format!("{GROUPS}/{group}/actors")).await, BTreeSet::new());
    assert!(server.delete(&path(&a)).await.expect(200).json()["message"].is_string());
    assert!(server.delete(&path(&a)).await.expect(404).errors()[0].starts_with("actorId: "));
    server.get(&path(&a)).await.expect(404);
    assert_eq!(server.get(&path(&b)).await.expect(200).json()["actorIds"], json!([b]));
    // A placeholder is no actor, and neither is nobody.
    server.put(&path(&ids.of("nobody")), "").await.expect(404);
    server.put(&format!("{GROUPS}/{}/owners/{a}", ids.of("no-group")), "").await.expect(404);
}

async fn lists_are_paged(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let category = category(&server, &ids.of("category")).await;
    let group = group(&server, &category, "group").await;
    let members: Vec<String> = (0..7).map(|at| ids.of(&format!("actor-{at}"))).collect();
    actors(&server, &members).await;
    for member in &members {
        add(&server, &group, &[member]).await;
        // Who came last is told by milliseconds.
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    let newest: Vec<String> = members.iter().rev().cloned().collect();
    for path in [format!("{GROUPS}/{group}/actors"), format!("{CATEGORIES}/{category}/actors")] {
        let mut all = Vec::new();
        for offset in [0, 3, 6, 9] {
            let page = server.get(&format!("{path}?limit=3&offset={offset}")).await.expect(200).json();
            assert_eq!((&page["limit"], &page["offset"]), (&json!(3), &json!(offset)), "{path}");
            let ids: Vec<String> = page["actor_ids"].as_array().expect("a list").iter().map(|id| id.as_str().expect("an id").to_owned()).collect();
            assert_eq!(ids.len(), 7usize.saturating_sub(offset).min(3), "{path} {offset}");
            all.extend(ids);
        }
        assert_eq!(all, newest, "{path}: pages add up");
    }
}

async fn graphql_leads_both_ways(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let [a, b] = ["a", "b"].map(|name| ids.of(name));
    actors(&server, &[a.clone(), b.clone()]).await;
    let name = ids.of("category");
    let category = category(&server, &name).await;
    let group = group(&server, &category, "group").await;
    add(&server, &group, &[&a, &b]).await;
    server.put(&format!("{GROUPS}/{group}/owners/{a}"), "").await.expect(200);
    let query = "query($category: ID!, $node: ID!) {
        segmentationCategory(id: $category) { id nodeId name description type createdAt changedAt createdBy changedBy
          actors { totalCount edges { node { id } } }
          groups { totalCount edges { node { id name createdBy category { id }
            owners { edges { by node { id ownedGroups { edges { node { id } } } } } }
            actors { totalCount edges { since by node { id segmentationGroups { totalCount edges { node { name category { name } } } } } } } } } } }
        node(id: $node) { __typename id nodeId } }";
    let shown = server.graphql(query, json!({"category": category, "node": format!("SegmentationGroup:{group}")})).await;
    assert_eq!(shown["node"], json!({"__typename": "SegmentationGroup", "id": group, "nodeId": format!("SegmentationGroup:{group}")}));
    let shown = &shown["segmentationCategory"];
    let rest = server.get(&format!("{CATEGORIES}/{category}")).await.expect(200).json();
    assert_eq!((&shown["name"], &shown["type"], &shown["createdBy"]), (&rest["name"], &rest["type"], &rest["created_by"]));
    assert_eq!((&shown["description"], &shown["actors"]["totalCount"]), (&Value::Null, &json!(2)));
    let of_group = &shown["groups"]["edges"][0]["node"];
    assert_eq!((&shown["groups"]["totalCount"], &of_group["id"], &of_group["category"]["id"]), (&json!(1), &json!(group), &json!(category)));
    let owner = &of_group["owners"]["edges"][0];
    assert_eq!((&owner["node"]["id"], &owner["node"]["ownedGroups"]["edges"][0]["node"]["id"]), (&json!(a), &json!(group)));
    let members = of_group["actors"]["edges"].as_array().expect("edges");
    assert_eq!((members.len(), &of_group["actors"]["totalCount"]), (2, &json!(2)));
    for member in members {
        assert!(member["since"].is_string() && member["by"] == rest["created_by"], "{member}");
        let back = &member["node"]["segmentationGroups"];
        assert_eq!((&back["totalCount"], &back["edges"][0]["node"]), (&json!(1), &json!({"name": "group", "category": {"name": name}})));
    }
    let lists = server.graphql("{ segmentationCategories(first: 1) { totalCount edges { node { id } } } segmentationGroups(first: 1) { totalCount edges { node { id } } } }", json!({})).await;
    for list in ["segmentationCategories", "segmentationGroups"] {
        assert!(lists[list]["totalCount"].as_i64() >= Some(1) && lists[list]["edges"][0]["node"]["id"].is_string(), "{lists}");
    }
}

async fn the_same_again_by_a_key(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let send = async |method: &str, path: &str, key: &str, body: &Value| {
        let request = server.request(method, path).header("content-type", "application/json").header("idempotency-key", ids.of(key));
        server.send(request.body(body.to_string())).await
    };
    let body = json!({"name": ids.of("category")});
    let first = send("POST", CATEGORIES, "make", &body).await.expect(200);
    let again = send("POST", CATEGORIES, "make", &body).await.expect(200);
    assert_eq!((first.text.clone(), again.header("idempotent-replayed")), (again.text.clone(), "true"));
    assert!(send("POST", CATEGORIES, "make", &json!({"name": ids.of("other")})).await.expect(400).errors()[0].starts_with("idempotency-key: "));
    let group = group(&server, &id_of(&first), "group").await;
    let a = ids.of("a");
    let path = format!("{GROUPS}/{group}/actors");
    assert_eq!(send("POST", &path, "add", &json!([a])).await.expect(200).json(), json!({&*a: false}));
    actors(&server, std::slice::from_ref(&a)).await;
    assert_eq!(send("POST", &path, "add", &json!([a])).await.expect(200).json(), json!({&*a: false}), "the first answer again");
    assert_eq!(members_of(&server, &path).await, BTreeSet::new());
}

async fn faults_are_told_at_once(engine: Engine) {
    let server = Server::shared(engine);
    let table: [(&str, &str, Value, &[&str]); 10] = [
        ("POST", CATEGORIES, json!({"description": 1, "names": "x"}), &["description", "name", "names"]),
        ("POST", CATEGORIES, json!({"name": ""}), &["name"]),
        ("POST", CATEGORIES, json!({"name": " x "}), &["name"]),
        ("POST", GROUPS, json!({"name": "x".repeat(257), "category": "c"}), &["category", "category_id", "name"]),
        ("POST", GROUPS, json!({"name": "x", "category_id": "no-category"}), &["category_id"]),
        ("PATCH", "/api/segmentation/categories/x", json!({"name": 1, "id": "y"}), &["id", "name"]),
        ("POST", "/api/segmentation/groups/x/actors", json!(["a", 1, ""]), &["[1]", "[2]"]),
        ("POST", "/api/segmentation/groups/x/actors", json!(vec!["a"; 1001]), &["body"]),
        ("DELETE", "/api/segmentation/groups/x/actors", json!(vec!["a"; 1001]), &["body"]),
        ("DELETE", "/api/segmentation/groups/x/actors", json!({"actor_ids": ["a"]}), &["body"]),
    ];
    for (method, path, body, places) in table {
        let request = server.request(method, path).header("content-type", "application/json").body(body.to_string());
        assert_eq!(server.send(request).await.expect(400).places(), places, "{method} {path} {body}");
    }
    for path in
        ["categories", "categories/x/groups", "categories/x/actors", "groups/x/actors", "actors/x/groups", "groups/x/owners", "groups/x/owners/y"]
    {
        let path = format!("/api/segmentation/{path}");
        for (query, places) in
            [("limit=0&offset=-1", &["limit", "offset"][..]), ("limit=1001", &["limit"]), ("limit=-5", &["limit"]), ("sort=name", &["sort"])]
        {
            assert_eq!(server.get(&format!("{path}?{query}")).await.expect(400).places(), places, "{path}?{query}");
        }
    }
}

async fn what_is_not_there_is_not_found(engine: Engine) {
    let server = Server::shared(engine);
    let table = [
        ("GET", "categories/none", ""),
        ("PATCH", "categories/none", r#"{"name":"anything"}"#),
        ("PATCH", "categories/none", "{}"),
        ("GET", "categories/none/groups", ""),
        ("GET", "categories/none/actors", ""),
        ("GET", "groups/none", ""),
        ("PATCH", "groups/none", r#"{"name":"anything"}"#),
        ("POST", "groups/none/actors", r#"["a"]"#),
        ("GET", "groups/none/actors", ""),
        ("DELETE", "groups/none/actors", r#"["a"]"#),
        ("PUT", "groups/none/owners/a", ""),
        ("GET", "groups/none/owners/a", ""),
        ("GET", "groups/none/owners", ""),
        ("DELETE", "groups/none/owners/a", ""),
    ];
    for (method, path, body) in table {
        let request = server.request(method, &format!("/api/segmentation/{path}")).header("content-type", "application/json").body(body);
        let answer = server.send(request).await.expect(404);
        assert!(!answer.errors().is_empty(), "{method} {path}");
    }
    // A name that was refused is free for whoever comes next.
    let name = Ids::new().of("free");
    server.patch(&format!("{CATEGORIES}/none"), json!({"name": name}).to_string()).await.expect(404);
    category(&server, &name).await;
}

async fn other_media_types_are_refused(engine: Engine) {
    let server = Server::shared(engine);
    for (method, path) in [
        ("POST", "categories"),
        ("PATCH", "categories/x"),
        ("POST", "groups"),
        ("PATCH", "groups/x"),
        ("POST", "groups/x/actors"),
        ("DELETE", "groups/x/actors"),
    ] {
        let request = server.request(method, &format!("/api/segmentation/{path}")).header("content-type", "text/plain").body("{}");
        assert_eq!(server.send(request).await.expect(415).places(), ["content-type"], "{method} {path}");
    }
}

async fn roles_are_kept_apart(engine: Engine) {
    let server = Server::shared(engine);
    let shared = category(&server, &Ids::new().of("category")).await;
    let group = group(&server, &shared, "group").await;
    for (role, writes, members) in [("INGEST", 200, 200), ("ANALYST", 403, 200), ("SUPERVISOR", 403, 200), ("AUDITOR", 403, 403), ("ADMIN", 200, 200)]
    {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        api.get(CATEGORIES).await.expect(200);
        api.post(CATEGORIES, json!({"name": Ids::new().of(role)}).to_string()).await.expect(writes);
        api.post(&format!("/api/segmentation/groups/{group}/actors"), "[]").await.expect(members);
    }
    server.anonymous().get(CATEGORIES).await.expect(401);
}

/// Thousands of members: each page is what it should be, wherever it lies.
async fn a_large_group_is_paged(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let category = category(&server, "category").await;
    let group = group(&server, &category, "group").await;
    let all: Vec<String> = (0..2_500).map(|at| format!("actor-{at:05}")).collect();
    for part in all.chunks(100) {
        futures::future::join_all(part.iter().map(|id| async { server.post("/api/actors", actor(id).to_string()).await.expect(200) })).await;
    }
    for part in all.chunks(1000) {
        let added = add(&server, &group, &part.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert!(added.as_object().is_some_and(|added| added.len() == part.len() && added.values().all(|is| *is == json!(true))));
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    let mut seen = BTreeSet::new();
    for offset in [0, 1000, 2000, 3000] {
        seen.extend(members_of(&server, &format!("{GROUPS}/{group}/actors?limit=1000&offset={offset}")).await);
    }
    assert_eq!(seen, all.into_iter().collect());
    let counted = server.graphql("query($id: ID!) { segmentationGroup(id: $id) { actors { totalCount } } }", json!({"id": group})).await;
    assert_eq!(counted["segmentationGroup"]["actors"]["totalCount"], json!(2_500));
}

async fn a_page_of_large_descriptions_has_a_budget(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__BODY", "64KiB"), ("AMLGRAPH_LIMITS__ANSWER", "64KiB")]);
    // 16,000 bytes each.
    let description = "😀".repeat(4_000);
    let mut first = None;
    for number in 0..5 {
        let made = server.post(CATEGORIES, json!({"name": format!("c{number}"), "description": description}).to_string()).await.expect(200);
        let category = first.get_or_insert(id_of(&made)).clone();
        let group = json!({"category_id": category, "name": format!("g{number}"), "description": description});
        server.post(GROUPS, group.to_string()).await.expect(200);
    }
    let groups = format!("{CATEGORIES}/{}/groups", first.expect("a category"));
    for (path, list) in [(CATEGORIES, "categories"), (groups.as_str(), "groups")] {
        let refused = server.get(path).await.expect(400);
        assert!(refused.places() == ["limit"] && refused.text.contains("65536 bytes"), "{refused:?}");
        let page = server.get(&format!("{path}?limit=3")).await.expect(200).json();
        assert_eq!(page[list].as_array().map(Vec::len), Some(3), "{path}");
    }
}

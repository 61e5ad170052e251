//! Every field of the schema, asked by each role: those who may explore see all of them but what is for administrators or for readers of the audit log, and
//! nobody else sees any.
//!
//! The questions are written from `docs/schema.graphql`: for each kind of node all that it shows and all its links, and for each of those links all that
//! the node at its end shows and all of its links in turn.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, FieldDefinition, ServiceDocument, Type, TypeKind, TypeSystemDefinition};
use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::network::Network;
use crate::support::{Engine, Server, tests};

// Who may is decided above the engines; that both take every link is shown in cypher/tests.
tests![embedded: every_field_is_for_those_who_may_explore];

/// Types of values within one another, as in records.
const VALUES: usize = 6;

/// What is for administrators alone.
const OF_ADMINISTRATORS: &[&str] = &["Webhook", "Delivery"];
/// What analysts are not shown.
const RESTRICTED: &[&str] = &["Webhook", "Delivery", "AuditEntry"];

/// The object types of the schema, by name.
struct Schema {
    objects: BTreeMap<String, Vec<FieldDefinition>>,
    /// Kinds of nodes that are not asked for.
    without: &'static [&'static str],
}

impl Schema {
    fn read(without: &'static [&'static str]) -> Self {
        let document: ServiceDocument = parse_schema(include_str!("../docs/schema.graphql")).expect("the schema");
        let object = |definition| match definition {
            TypeSystemDefinition::Type(definition) => match definition.node.kind {
                TypeKind::Object(object) => {
                    Some((definition.node.name.node.to_string(), object.fields.into_iter().map(|field| field.node).collect()))
                }
                _ => None,
            },
            _ => None,
        };
        Self { objects: document.definitions.into_iter().filter_map(object).collect(), without }
    }

    /// Whether a field leads to nodes that are not asked for.
    fn leaves_out(&self, kind: &str) -> bool {
        self.without.contains(&self.node_of(kind).unwrap_or(kind))
    }

    /// The type of the nodes of a connection.
    fn node_of<'a>(&'a self, connection: &str) -> Option<&'a str> {
        let edge = self.objects.get(connection.strip_suffix("Connection").map(|name| format!("{name}Edge"))?.as_str())?;
        edge.iter().find(|field| field.name.node == "node").map(|field| named(&field.ty.node))
    }

    /// All that can be selected of an object, links to other nodes as far as `hops` goes.
    fn selection(&self, name: &str, hops: usize, values: usize, seen: &mut BTreeSet<String>) -> String {
        let mut text = String::new();
        for field in &self.objects[name] {
            if let Some(selected) = self.field(field, hops, values, seen) {
                seen.insert(format!("{name}.{}", field.name.node));
                text.push_str(&selected);
                text.push(' ');
            }
        }
        text
    }

    fn field(&self, field: &FieldDefinition, hops: usize, values: usize, seen: &mut BTreeSet<String>) -> Option<String> {
        let (name, kind) = (&field.name.node, named(&field.ty.node));
        // The nodes of a page are asked for by its edges.
        if self.leaves_out(kind) || name == "nodes" {
            return None;
        }
        if self.node_of(kind).is_some() {
            let selected = (hops > 0).then(|| self.selection(kind, hops - 1, VALUES, seen))?;
            return Some(format!("{name}(first: 1) {{ {selected} }}"));
        }
        if !self.objects.contains_key(kind) {
            return Some(name.to_string());
        }
        // What is no connection is a node too, if it has an id of its own, or a value.
        let is_node = self.objects[kind].iter().any(|field| field.name.node == "nodeId");
        let is_inside = matches!(name.as_str(), "node" | "pageInfo" | "edges");
        let (hops, values) = match (is_node && !is_inside, hops, values) {
            (true, 0, _) | (false, _, 0) => return None,
            (true, hops, _) => (hops - 1, VALUES),
            (false, hops, values) => (hops, values - 1),
        };
        let selected = self.selection(kind, hops, values, seen);
        (!selected.is_empty()).then(|| format!("{name}{} {{ {selected} }}", arguments(field)))
    }

    /// Questions that together ask for all of a kind of node: what it shows, and each link with what is behind it.
    fn questions(&self, kind: &str, seen: &mut BTreeSet<String>) -> Vec<String> {
        let mut questions = vec![self.selection(kind, 0, VALUES, seen)];
        for field in &self.objects[kind] {
            let mut own = BTreeSet::new();
            let selected = self.field(field, 2, VALUES, &mut own).filter(|_| self.field(field, 0, VALUES, &mut BTreeSet::new()).is_none());
            if let Some(selected) = selected {
                seen.append(&mut own);
                seen.insert(format!("{kind}.{}", field.name.node));
                questions.push(selected);
            }
        }
        questions
    }
}

/// The size of what is no page, and may be long; and the times that must be said.
fn arguments(field: &FieldDefinition) -> String {
    let mut said = Vec::new();
    for argument in &field.arguments {
        let argument = &argument.node;
        match (argument.name.node.as_str(), argument.ty.node.nullable || argument.default_value.is_some()) {
            ("first", _) => said.push("first: 1".to_owned()),
            (_, true) => {}
            (name, false) => {
                assert_eq!(named(&argument.ty.node), "DateTime", "{name} of {}", field.name.node);
                said.push(format!("{name}: \"2024-0{}-01T00:00:00Z\"", said.len() + 1));
            }
        }
    }
    if said.is_empty() { String::new() } else { format!("({})", said.join(", ")) }
}

fn named(field: &Type) -> &str {
    match &field.base {
        BaseType::Named(name) => name,
        BaseType::List(item) => named(item),
    }
}

async fn every_field_is_for_those_who_may_explore(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let case = case_id();
    let record = json!({"id": case, "actors": [{"id": network.actor}], "observation_ids": [network.ids.of("observation")]});
    server.post("/api/cases", record.to_string()).await.expect(200);
    let communication = case_id();
    let parties = json!({"sender_identifiable_as_actor": true, "receiver_identifiable_as_actor": true});
    let record =
        json!({"id": communication, "type": "email", "sender_id": network.actor, "receiver_id": network.actor, "subject": "", "metadata": parties});
    server.post(&format!("/api/cases/{case}/communications"), record.to_string()).await.expect(200);
    let form = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\na\r\n--x--\r\n";
    let upload = server.request("POST", &format!("/api/cases/{case}/files")).header("content-type", "multipart/form-data; boundary=x").body(form);
    let file = server.send(upload).await.expect(200).json()["id"].as_str().expect("an id").to_owned();
    let made = server.post("/api/segmentation/categories", json!({"name": network.ids.of("category")}).to_string()).await.expect(200).json();
    let group = json!({"category_id": made["id"], "name": "group"}).to_string();
    let group = server.post("/api/segmentation/groups", group).await.expect(200).json();
    let group = group["id"].as_str().expect("an id");
    server.post(&format!("/api/segmentation/groups/{group}/actors"), json!([network.actor]).to_string()).await.expect(200);
    server.put(&format!("/api/segmentation/groups/{group}/owners/{}", network.actor), "").await.expect(200);
    let user = case_id();
    let create = "mutation($input: CreateUserInput!) { createUser(input: $input) { userErrors { message } } }";
    server.graphql(create, json!({"input": {"userId": user, "username": network.ids.of("user")}})).await;
    let assign = "mutation($input: AssignCaseInput!) { assignCase(input: $input) { userErrors { message } } }";
    server.graphql(assign, json!({"input": {"caseId": case, "userId": user}})).await;
    let observation = json!({"id": network.ids.of("observation"), "type": "ALERT_RULE", "behaviorId": "b", "behaviorName": "B", "date": 1,
        "actors": [{"actorId": network.actor}], "transactionIds": [network.ids.of("payment-0")], "rules": [{"id": network.ids.of("rule")}]});
    server.post("/api/observations", observation.to_string()).await.expect(200);
    let kind = network.ids.of("KYC");
    server.post("/api/request_for_data/schemas", json!({"type": kind, "schema": {}}).to_string()).await.expect(200);
    let ask = "mutation($input: RequestDataInput!) { requestData(input: $input) { requestForData { id } } }";
    let asked = server.graphql(ask, json!({"input": {"caseId": case, "type": kind, "request": {}}})).await;
    let request = asked["requestData"]["requestForData"]["id"].as_str().expect("an id").to_owned();
    let webhook = crate::webhooks::webhook(&server, &network.ids.of("webhook")).await;
    let test = "mutation($id: ID!) { sendTestEvent(input: {webhookId: $id}) { delivery { id event { id } } } }";
    let told = server.graphql(test, json!({"id": webhook["id"]})).await["sendTestEvent"]["delivery"].take();
    let entry = server.graphql("query($id: ID!) { auditEntries(first: 1, filter: {caseIds: [$id]}) { nodes { id } } }", json!({"id": case})).await;
    let id = |of: &Value| of["id"].as_str().expect("an id").to_owned();
    let bulk = network.ids.of("bulk");
    crate::support::bulk::taken(
        &server,
        &bulk,
        &json!({"actors": [{"id": network.ids.of("sent"), "type": "INDIVIDUAL", "as_of_date": "2024-01-01"}]}),
    )
    .await;
    let query = "query($id: String) { bulkRequests(first: 1, requestId: $id) { nodes { id } } }";
    let bulk = id(&server.graphql(query, json!({"id": bulk})).await["bulkRequests"]["nodes"][0]);
    let define = "mutation($input: DefineCustomPropertyInput!) { defineCustomProperty(input: $input) { id } }";
    let property = format!("c__{}", network.ids.of("shown").replace('-', "_"));
    let property = server.graphql(define, json!({"input": {"entity": "CASE", "name": property, "schema": {}}})).await;
    let property = id(&property["defineCustomProperty"]);
    let roots = [
        ("actor", "Actor", network.actor.clone()),
        ("account", "Account", network.account.clone()),
        ("transaction", "Transaction", network.ids.of("payment-0")),
        ("device", "Device", network.device.clone()),
        ("ipAddress", "IpAddress", network.ip(0)),
        ("channelLocation", "ChannelLocation", network.place.clone()),
        ("case", "Case", case),
        ("communication", "Communication", communication),
        ("file", "File", file),
        ("user", "User", user),
        ("segmentationCategory", "SegmentationCategory", made["id"].as_str().expect("an id").to_owned()),
        ("segmentationGroup", "SegmentationGroup", group.to_owned()),
        ("observation", "Observation", network.ids.of("observation")),
        ("workflow", "Workflow", "default-analysis".to_owned()),
        ("requestForData", "RequestForData", request),
        ("webhook", "Webhook", id(&webhook)),
        ("event", "Event", id(&told["event"])),
        ("delivery", "Delivery", id(&told)),
        ("auditEntry", "AuditEntry", id(&entry["auditEntries"]["nodes"][0])),
        ("bulkRequest", "BulkRequest", bulk),
        ("observationRule", "ObservationRule", network.ids.of("rule")),
        ("node", "CustomProperty", property),
    ];
    let mut seen = BTreeSet::new();
    let schema = Schema::read(&[]);
    let asked = questions(&schema, &roots, &mut seen);
    assert_eq!(never_asked(&schema, &seen), Vec::<String>::new(), "fields that nobody asked for");
    let open = questions(&Schema::read(RESTRICTED), &roots, &mut BTreeSet::new());
    let overseen = questions(&Schema::read(OF_ADMINISTRATORS), &roots, &mut BTreeSet::new());
    let all_but = |these: &[(String, Value)]| -> Vec<_> { asked.iter().filter(|question| !these.contains(question)).cloned().collect() };
    let (restricted, of_administrators) = (all_but(&open), all_but(&overseen));
    let counts = [open.len(), overseen.len(), restricted.len(), of_administrators.len()];
    assert!(open.len() > 50 && overseen.len() > open.len() && of_administrators.len() > 5, "{counts:?}");

    for role in ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"] {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        let (answered, refused) = match role {
            "INGEST" => (&[][..], &asked[..]),
            "ADMIN" => (&asked[..], &[][..]),
            "ANALYST" => (&open[..], &restricted[..]),
            _ => (&overseen[..], &of_administrators[..]),
        };
        let may_explore = role != "INGEST";
        let mut told = 0;
        for (query, variables) in refused {
            let answer = api.graphql_in_time(query, variables.clone()).await;
            let codes: BTreeSet<&str> =
                answer["errors"].as_array().into_iter().flatten().filter_map(|error| error["extensions"]["code"].as_str()).collect();
            // Who may explore is shown what is around it, which may be all there is.
            assert!(codes == BTreeSet::from(["FORBIDDEN"]) || (may_explore && codes.is_empty()), "{role}: {query}: {answer}");
            told += usize::from(!codes.is_empty());
            let data = answer["data"].as_object().map(|data| data.values().all(Value::is_null));
            assert!(may_explore || data.unwrap_or(true), "{query}: {answer}");
            assert!(!answer.to_string().contains(webhook["url"].as_str().expect("an address")), "{role}: {query}: {answer}");
        }
        assert!(refused.is_empty() || told > 5, "{role}: {told} of {}", refused.len());
        for (query, variables) in answered {
            let data = api.graphql(query, variables.clone()).await;
            assert!(data.as_object().is_some_and(|data| data.values().all(|root| !root.is_null())), "{role}: {query}: {data}");
        }
    }
    server.delete(&crate::webhooks::path(&webhook)).await.expect(200);
}

/// All questions about these nodes, and all lists.
fn questions(schema: &Schema, roots: &[(&str, &str, String)], seen: &mut BTreeSet<String>) -> Vec<(String, Value)> {
    let mut asked: Vec<(String, Value)> = Vec::new();
    for (root, kind, id) in roots.iter().filter(|(_, kind, _)| !schema.leaves_out(kind)) {
        let questions = schema.questions(kind, seen).into_iter();
        // What has no field of its own is found by its type.
        let (head, tail, id) =
            if *root == "node" { (format!("... on {kind} {{"), "}", format!("{kind}:{id}")) } else { (String::new(), "", id.clone()) };
        asked.extend(questions.map(|question| (format!("query($id: ID!) {{ {root}(id: $id) {{ {head} {question} {tail} }} }}"), json!({"id": id}))));
    }
    // Jobs are nobody's but of who has asked for them; `job_instances` looks at that. Neither they nor runs and snoozes are counted.
    let is_list =
        |kind: &str| schema.node_of(kind).is_some_and(|node| !["Job", "DetectionRun", "DetectionSnooze"].contains(&node)) && !schema.leaves_out(kind);
    let lists = schema.objects["Query"].iter().filter(|field| is_list(named(&field.ty.node)));
    asked.extend(lists.map(|list| (format!("{{ {}(first: 1) {{ totalCount edges {{ node {{ __typename }} }} }} }}", list.name.node), json!({}))));
    asked
}

/// Fields of nodes that no question had.
fn never_asked(schema: &Schema, seen: &BTreeSet<String>) -> Vec<String> {
    let is_node = |fields: &[FieldDefinition]| fields.iter().any(|field| field.name.node == "nodeId");
    let nodes = schema.objects.iter().filter(|(_, fields)| is_node(fields));
    let all = nodes.flat_map(|(kind, fields)| fields.iter().map(move |field| format!("{kind}.{}", field.name.node)));
    all.filter(|field| !seen.contains(field)).collect()
}

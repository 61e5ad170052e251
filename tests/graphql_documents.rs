//! GraphQL documents to the letter: characters however they are written, a mutation that stands in several places, results of the specification's
//! shape, and answers that are too large.

use serde_json::{Value, json};

use crate::support::bulk::{SOON, taken};
use crate::support::fixtures::{actor, case_id, with};
use crate::support::network::Network;
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![both: characters_are_read_however_they_are_written, a_mutation_in_several_places_is_carried_out_once,
        an_object_of_which_no_field_is_left_is_empty, a_field_that_fails_is_null_and_null_climbs, keys_come_in_the_order_of_the_request,
        what_is_selected_in_several_places_is_put_together, what_is_no_input_object_is_refused_before_anything_is_done,
        a_variable_of_another_type_is_refused_before_anything_is_done, a_wrong_default_is_refused_where_it_is;
    embedded: half_a_pair_is_refused_where_it_stands, numbers_keep_their_kind, a_page_of_large_records_has_a_budget];

async fn characters_are_read_however_they_are_written(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("x😀é");
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    for written in [r"x\ud83d\ude00\u00e9", r"x\uD83D\uDE00é", r"x\u{1F600}\u{E9}", "x😀é"] {
        let query = format!("{{ actor(id: \"{written}-{}\") {{ id }} }}", ids.0);
        assert_eq!(server.graphql(&query, json!({})).await["actor"]["id"], json!(id), "{written}");
    }
    // In comments and in texts of several lines there are no escapes.
    let block = format!("# \\ud83d\n{{ actor(id: \"\"\"x\\ud83d\\ude00é-{}\"\"\") {{ id }} }}", ids.0);
    assert_eq!(server.graphql(&block, json!({})).await, json!({"actor": null}));
}

async fn half_a_pair_is_refused_where_it_stands(engine: Engine) {
    let server = Server::shared(engine);
    for wrong in [r"\ud83d", r"\ude00", r"\ude00\ud83d", r"\u{D83D}", r"\u{110000}", r"\u{}"] {
        let answer = server.graphql_answer(&format!("{{\n  actor(id: \"x{wrong}\") {{ id }} }}"), json!({})).await;
        assert_eq!(answer["errors"][0]["locations"][0]["line"], json!(2), "{wrong}: {answer}");
        assert!(answer.get("data").is_none(), "{wrong}: {answer}");
    }
    // What is wrong behind a pair is told where the sender sees it.
    let query = r#"{ actor(id: "\ud83d\ude00\ud83d\ude00") { nothing } }"#;
    let answer = server.graphql_answer(query, json!({})).await;
    let column = query.find("nothing").expect("it is there") + 1;
    assert_eq!(answer["errors"][0]["locations"], json!([{"line": 1, "column": column}]), "{answer}");
}

const COMMENTS: &str = "query($c: ID!) { case(id: $c) { version comments(first: 10) { edges { node { text } } } } }";

async fn comments(api: &Api, case: &str) -> (Value, Vec<String>) {
    let case = api.graphql(COMMENTS, json!({"c": case})).await["case"].take();
    let edges = case["comments"]["edges"].as_array().expect("edges").clone();
    (case["version"].clone(), edges.iter().map(|edge| edge["node"]["text"].as_str().expect("a text").to_owned()).collect())
}

async fn a_mutation_in_several_places_is_carried_out_once(engine: Engine) {
    let server = Server::shared(engine);
    let input = "input: {caseId: $c, text: \"once\"}";
    let one = format!("commentOnCase({input})");
    for (document, more) in [
        (format!("mutation($c: ID!) {{ {one} {{ case {{ id }} }} ...F }} fragment F on Mutation {{ {one} {{ case {{ version }} }} }}"), json!({})),
        (
            format!(
                "mutation($c: ID!) {{ ...F ...G }} fragment F on Mutation {{ {one} {{ case {{ id }} }} }} fragment G on Mutation {{ ...H }}
                 fragment H on Mutation {{ {one} {{ case {{ version }} }} ...F }}"
            ),
            json!({}),
        ),
        (format!("mutation($c: ID!) {{ ... {{ {one} {{ case {{ id }} }} }} ... on Mutation {{ {one} {{ case {{ version }} }} }} }}"), json!({})),
        (
            format!(
                "mutation($c: ID!, $i: Boolean!, $s: Boolean = false) {{ {one} @include(if: $i) {{ case {{ id }} }} ...F @skip(if: $s) }}
                 fragment F on Mutation {{ commentOnCase: {one} {{ case {{ version }} }} }}"
            ),
            json!({"i": true}),
        ),
    ] {
        let made = server.post("/api/cases", "{}").await.expect(200).json();
        let case = made["case_id"].as_str().expect("an id");
        let data = server.graphql(&document, with(json!({"c": case}), more)).await;
        assert_eq!(data, json!({"commentOnCase": {"case": {"id": case, "version": 2}}}), "{document}");
        assert_eq!(comments(&server, case).await, (json!(2), vec!["once".to_owned()]), "{document}");
    }
    let made = server.post("/api/cases", "{}").await.expect(200).json();
    let case = made["case_id"].as_str().expect("an id");
    let two = format!("mutation($c: ID!) {{ a: {one} {{ case {{ version }} }} b: {one} {{ case {{ version }} }} }}");
    server.graphql(&two, json!({"c": case})).await;
    assert_eq!(comments(&server, case).await.1.len(), 2, "two keys are two comments");
    let other = "commentOnCase(input: {caseId: $c, text: \"other\"}) { case { id } }";
    let conflict = format!("mutation($c: ID!) {{ {one} {{ case {{ id }} }} ...F }} fragment F on Mutation {{ {other} }}");
    let answer = server.graphql_answer(&conflict, json!({"c": case})).await;
    assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.contains("differing arguments")), "{answer}");
    assert_eq!(comments(&server, case).await.1.len(), 2, "what contradicts itself is not carried out");
    // Directives of `__typename` nobody else looks at.
    for (selection, named) in [("@foo", "@foo"), ("@include(if: $nope)", "@include(if: $nope)"), ("@skip", "@skip"), ("@deprecated", "@deprecated")] {
        let document = format!("mutation($c: ID!) {{ {one} {{ case {{ id }} }} {one} {{ case {{ version }} }} __typename {selection} }}");
        let answer = server.graphql_answer(&document, json!({"c": case})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.contains(named)), "{document}: {answer}");
        assert_eq!(comments(&server, case).await.1.len(), 2, "{document}");
    }
}

/// A mutation whose second field has a wrong value does not carry out its first.
async fn what_is_no_input_object_is_refused_before_anything_is_done(engine: Engine) {
    let (server, id) = (Server::shared(engine), case_id());
    let first = "a: createCase(input: {id: $id}) { case { id } }";
    let alone = |second: &str| format!("mutation($id: ID!) {{ {first} {second} }}");
    let create = |input: &str| format!("b: createCase(input: {input}) {{ case {{ id }} }}");
    let assign = |cases: &str| format!("b: assignCases(input: {{cases: {cases}, userId: null}}) {{ userErrors {{ code }} }}");
    let given = |of_type: &str, second: String| format!("mutation($id: ID!, $given: {of_type}) {{ {first} {second} }}");
    let text = json!({"given": "x"});
    for (document, more, place) in [
        (alone(&create("\"x\"")), json!({}), "input"),
        (alone(&create("[]")), json!({}), "input"),
        (alone(&create("[{}]")), json!({}), "input"),
        (alone(&create("{actors: [\"x\"]}")), json!({}), "input.actors.0"),
        (alone(&assign("7")), json!({}), "input.cases"),
        (alone(&assign("[{caseId: \"c\"}, [{caseId: \"c\"}]]")), json!({}), "input.cases.1"),
        (format!("{} fragment F on Mutation {{ {} }}", alone("...F"), create("true")), json!({}), "input"),
        (given("CreateCaseInput!", create("$given")), text.clone(), "input"),
        (given("CreateCaseInput!", create("$given")), json!({"given": [{}]}), "input"),
        (given("[CaseVersionInput!]!", assign("$given")), json!({"given": [{"caseId": "c"}, "x"]}), "input.cases.1"),
        (given("CaseVersionInput!", assign("[$given]")), text, "input.cases.0"),
        ("{ cases(first: 1, orderBy: \"x\") { totalCount } }".to_owned(), json!({}), "orderBy"),
        ("{ cases(first: 1, filter: \"x\") { totalCount } }".to_owned(), json!({}), "filter"),
    ] {
        let column = document.rfind(&format!("{}: ", place.split('.').next().unwrap_or_default())).expect("it is there") + 1;
        let variables = if document.contains("$id") { with(json!({"id": id}), more) } else { more };
        for (accept, status) in [("application/graphql-response+json", 400), ("application/json", 200)] {
            let body = json!({"query": document, "variables": variables}).to_string();
            let answer = server.send(server.posting("/graphql", body).header("accept", accept)).await.expect(status).json();
            let errors = answer["errors"].as_array().expect("errors");
            assert!(answer.get("data").is_none() && errors.len() == 1, "{document}: {answer}");
            assert_eq!(errors[0]["extensions"]["code"], json!("INVALID"), "{document}: {answer}");
            assert_eq!(errors[0]["locations"], json!([{"line": 1, "column": column}]), "{document}: {answer}");
            let message = errors[0]["message"].as_str().expect("a message");
            assert!(message.starts_with(&format!("Invalid value for argument \"{place}\", expected type ")), "{document}: {message}");
        }
    }
    let found = async || server.graphql("query($id: ID!) { case(id: $id) { id } }", json!({"id": id})).await["case"]["id"].take();
    assert_eq!(found().await, Value::Null, "nothing is made");
    // One object stands for a list of it.
    server.graphql(&given("[CaseVersionInput!]!", assign("$given")), json!({"id": id, "given": {"caseId": id}})).await;
    assert_eq!(found().await, json!(id));
}

/// A variable that stands where its type may not is refused whatever its value is, with both places.
async fn a_variable_of_another_type_is_refused_before_anything_is_done(engine: Engine) {
    let (server, id) = (Server::shared(engine), case_id());
    let first = "a: createCase(input: {id: $id}) { case { id } }";
    let given = |of_type: &str, second: &str| format!("mutation($id: ID!, $given: {of_type}) {{ {first} {second}");
    let comment = "b: commentOnCase(input: {caseId: $id, text: $given}) { case { id } } }";
    let assign = "b: assignCases(input: {cases: $given, userId: null}) { userErrors { code } } }";
    let within = "b: assignCases(input: {cases: [{caseId: $given}], userId: null}) { userErrors { code } } }";
    let condition = "b: commentOnCase(input: {caseId: $id, text: \"x\"}) @include(if: $given) { case { id } } }";
    let fragment = format!("...F }} fragment F on Mutation {{ {comment}");
    let cases = json!([{"caseId": "c"}]);
    for (of_type, second, value, place, wanted) in [
        ("String", comment, json!("x"), "input.text", "String!\", or give it a default"),
        ("String = null", comment, json!("x"), "input.text", "String!\", or give it a default"),
        ("ID!", comment, json!("x"), "input.text", "String!\""),
        ("ID!", fragment.as_str(), json!("x"), "input.text", "String!\""),
        ("[CaseVersionInput]!", assign, cases.clone(), "input.cases", "[CaseVersionInput!]!\""),
        ("CaseVersionInput!", assign, cases[0].clone(), "input.cases", "[CaseVersionInput!]!\""),
        ("ID", within, json!("c"), "input.cases.0.caseId", "ID!\", or give it a default"),
        ("Boolean", condition, json!(true), "if", "Boolean!\", or give it a default"),
        // What is wrong by its value as well is told once.
        ("Int!", comment, json!(7), "input.text", "String!\""),
    ] {
        let document = given(of_type, second);
        let column = |text: &str| document.rfind(text).expect("it is there") + 1;
        let argument = place.split('.').next().unwrap_or_default();
        let places = json!([{"line": 1, "column": column("$given: ")}, {"line": 1, "column": column(&format!("{argument}: "))}]);
        for (accept, status) in [("application/graphql-response+json", 400), ("application/json", 200)] {
            let body = json!({"query": document, "variables": {"id": id, "given": value}}).to_string();
            let answer = server.send(server.posting("/graphql", body).header("accept", accept)).await.expect(status).json();
            let errors = answer["errors"].as_array().expect("errors");
            assert!(answer.get("data").is_none() && errors.len() == 1, "{document}: {answer}");
            assert_eq!((&errors[0]["extensions"]["code"], &errors[0]["locations"]), (&json!("INVALID"), &places), "{document}: {answer}");
            let message = errors[0]["message"].as_str().expect("a message");
            assert!(
                message.starts_with("Variable \"$given\" of type \"") && message.contains(&format!(" in position \"{place}\" ")),
                "{document}: {message}"
            );
            assert!(message.ends_with(&format!(": define it as \"$given: {wanted}")), "{document}: {message}");
        }
    }
    let query = "query($id: ID!) { case(id: $id) { id comments(first: 1) { nodes { text } } } }";
    assert_eq!(server.graphql(query, json!({"id": id})).await["case"], Value::Null, "nothing is made");
    // A default stands for null.
    server.graphql(&given("String = \"said\"", comment), json!({"id": id})).await;
    assert_eq!(server.graphql(query, json!({"id": id})).await["case"], json!({"id": id, "comments": {"nodes": [{"text": "said"}]}}));
}

async fn a_wrong_default_is_refused_where_it_is(engine: Engine) {
    let (server, id) = (Server::shared(engine), case_id());
    let first = "a: createCase(input: {id: $id}) { case { id } }";
    let create = "b: createCase(input: $given) { case { id } }";
    let assign = "b: assignCases(input: {cases: $given, userId: null}) { userErrors { code } }";
    for (definition, second, message) in [
        ("$given: CreateCaseInput! = \"x\"", create, "Invalid default value for argument: \"given\", expected type \"CreateCaseInput\""),
        (
            "$given: [CaseVersionInput!]! = [{caseId: \"c\"}, 7]",
            assign,
            "Invalid default value for argument: \"given.1\", expected type \"CaseVersionInput\"",
        ),
        (
            "$given: Int = \"x\"",
            "b: createCase(input: {}) { case { comments(first: $given) { totalCount } } }",
            "Invalid default value for argument: \"given\"",
        ),
        ("$given: [Misspelt] = [1]", "", "Unknown type \"Misspelt\""),
    ] {
        let document = format!("mutation($id: ID!, {definition}) {{ {first} {second} }}");
        let answer = server.graphql_answer(&document, json!({"id": id})).await;
        let errors = answer["errors"].as_array().expect("errors");
        assert!(answer.get("data").is_none() && errors.len() == 1, "{document}: {answer}");
        assert_eq!((&errors[0]["extensions"]["code"], &errors[0]["locations"]), (&json!("INVALID"), &json!([{"line": 1, "column": 20}])), "{answer}");
        assert!(errors[0]["message"].as_str().is_some_and(|told| told.starts_with(message)), "{document}: {answer}");
    }
    assert_eq!(server.graphql("query($id: ID!) { case(id: $id) { id } }", json!({"id": id})).await["case"], Value::Null, "nothing is made");
}

async fn an_object_of_which_no_field_is_left_is_empty(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("x");
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    for (query, data) in [
        ("query($id: ID!) { actor(id: $id) { name @skip(if: true) } }", json!({"actor": {}})),
        ("query($id: ID!) { actor(id: $id) { ...F } } fragment F on Node { ... on Account { id } }", json!({"actor": {}})),
        ("query($id: ID!, $no: Boolean = false) { actor(id: $id) { ... @include(if: $no) { name } } }", json!({"actor": {}})),
        ("query($id: ID!) { actor(id: $id) { name @skip(if: true) } actor(id: $id) { id } }", json!({"actor": {"id": id}})),
        ("query($id: ID!) { actor(id: $id) { accounts { totalCount @skip(if: true) } } }", json!({"actor": {"accounts": {}}})),
        ("query($id: ID!) { actor(id: $id) { accounts { edges { cursor @skip(if: true) } } } }", json!({"actor": {"accounts": {"edges": []}}})),
        (
            "query($id: ID!) { actor(id: $id) { accounts { pageInfo { endCursor @skip(if: true) } } } }",
            json!({"actor": {"accounts": {"pageInfo": {}}}}),
        ),
        ("query($id: ID!) { a: actor(id: $id) { id } b: actor(id: \"nobody\") { id @skip(if: true) } }", json!({"a": {"id": id}, "b": null})),
        ("{ actors(first: 1) { edges { node { name @skip(if: true) } } } }", json!({"actors": {"edges": [{"node": {}}]}})),
        ("{ actors(first: 1) { nodes { name @skip(if: true) } } }", json!({"actors": {"nodes": [{}]}})),
        ("query($node: ID!) { node(id: $node) { ... on Account { id } } }", json!({"node": {}})),
        ("query($node: ID!) { node(id: $node) { ... on Account { id } ... on Actor { id } } }", json!({"node": {"id": id}})),
        ("query($node: ID!) { node(id: $node) { __typename ... on Account { id } } }", json!({"node": {"__typename": "Actor"}})),
        ("query($node: ID!) { node(id: $node) { id @skip(if: true) } }", json!({"node": {}})),
        ("{ actors @skip(if: true) { totalCount } }", json!({})),
    ] {
        // A variable that is not used is refused.
        let mut variables = json!({});
        for (name, value) in [("id", id.clone()), ("node", format!("Actor:{id}"))] {
            if query.contains(&format!("${name}:")) {
                variables[name] = json!(value);
            }
        }
        assert_eq!(server.graphql(query, variables).await, data, "{query}");
    }
    let made = server.post("/api/cases", "{}").await.expect(200).json();
    let case = made["case_id"].as_str().expect("an id");
    let comment = "mutation($c: ID!) { commentOnCase(input: {caseId: $c, text: \"once\"}) { case { id @skip(if: true) } } }";
    assert_eq!(server.graphql(comment, json!({"c": case})).await, json!({"commentOnCase": {"case": {}}}));
    assert_eq!(comments(&server, case).await.1, ["once"], "what is looked at twice is done once");
}

async fn a_field_that_fails_is_null_and_null_climbs(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("x");
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    for (query, data, path) in [
        ("{ a: node(id: \"Nothing:1\") { nodeId } b: __typename }", json!({"a": null, "b": "Query"}), json!(["a"])),
        ("{ a: node(id: \"Nothing:1\") { nodeId } }", json!({"a": null}), json!(["a"])),
        ("{ b: actors(first: 1, last: 1) { totalCount } a: __typename }", Value::Null, json!(["b"])),
        ("{ b: actors(first: 1, last: 1) { totalCount } }", Value::Null, json!(["b"])),
        (
            "query($id: ID!) { actor(id: $id) { id accounts(first: 1, last: 1) { totalCount } } a: __typename }",
            json!({"actor": null, "a": "Query"}),
            json!(["actor", "accounts"]),
        ),
        ("query($id: ID!) { actor(id: $id) { accounts(first: 1, last: 1) { totalCount } } }", json!({"actor": null}), json!(["actor", "accounts"])),
        // Beside an object of which nothing is left.
        (
            "query($id: ID!) { b: node(id: \"Nothing:1\") { nodeId } actor(id: $id) { id @skip(if: true) } }",
            json!({"b": null, "actor": {}}),
            json!(["b"]),
        ),
    ] {
        let variables = if query.contains("$id:") { json!({"id": id}) } else { json!({}) };
        let answer = server.graphql_answer(query, variables).await;
        assert_eq!((&answer["data"], &answer["errors"][0]["path"]), (&data, &path), "{query}: {answer}");
        assert!(answer.get("data").is_some() && answer["errors"].as_array().is_some_and(|errors| errors.len() == 1), "{query}: {answer}");
    }
}

async fn keys_come_in_the_order_of_the_request(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("x");
    server.post("/api/actors", actor(&id).to_string()).await.expect(200);
    let query =
        "query($id: ID!) { a: actor(id: $id) { id } b: account(id: $id) { name } c: __typename ...F d: actor(id: $id) { id __typename known } }
        fragment F on Query { e: node(id: \"Nothing:1\") { nodeId } a: actor(id: $id) { known accounts { totalCount } type } }";
    let expected = format!(
        r#"{{"a":{{"id":"{id}","known":true,"accounts":{{"totalCount":0}},"type":"INDIVIDUAL"}},"b":null,"c":"Query","e":null,"d":{{"id":"{id}","__typename":"Actor","known":true}}}}"#
    );
    let body = json!({"query": query, "variables": {"id": id}}).to_string();
    // By chance it was right now and then.
    for _ in 0..5 {
        let answer = server.post("/graphql", body.clone()).await.expect(200);
        assert!(answer.text.starts_with(&format!(r#"{{"data":{expected},"errors":[{{"#)), "{answer:?}");
    }
}

/// Also where a fragment is spread elsewhere and asks for less there.
async fn what_is_selected_in_several_places_is_put_together(engine: Engine) {
    let server = Server::shared(engine);
    let network = Network::make(&server).await;
    let query =
        "query($id: ID!) { account(id: $id) { devices(first: 1) { edges { node { ...F } } nodes { ...F accounts(first: 2) { totalCount } } } } }
        fragment F on Device { accounts(first: 2) { pageInfo { hasNextPage } } }";
    let data = server.graphql(query, json!({"id": network.ids.of("visited-0")})).await;
    let devices = json!({
        "edges": [{"node": {"accounts": {"pageInfo": {"hasNextPage": true}}}}],
        "nodes": [{"accounts": {"pageInfo": {"hasNextPage": true}, "totalCount": 5}}],
    });
    assert_eq!(data["account"]["devices"], devices, "{data:#}");
    // What can't be put together is refused, wherever it stands.
    let conflict = "query($id: ID!) { account(id: $id) { devices(first: 1) { nodes { ...F accounts(first: 1) { totalCount } } } } }
        fragment F on Device { accounts(first: 2) { totalCount } }";
    let answer = server.graphql_answer(conflict, json!({"id": network.ids.of("visited-0")})).await;
    let error = &answer["errors"][0];
    assert!(error["message"].as_str().is_some_and(|message| message.contains("differing arguments")), "{answer}");
    assert!(error["locations"].as_array().is_some_and(|places| places.len() == 2) && answer.get("data").is_none(), "{answer}");
}

/// A dependency that makes all numbers of JSON texts would empty the variables.
async fn numbers_keep_their_kind(engine: Engine) {
    let server = Server::shared(engine);
    let query = "query($amount: Float, $first: Int) { transactions(first: $first, filter: {minStandardizedAmount: $amount}) { totalCount } }";
    server.graphql(query, json!({"amount": 1.5, "first": 1})).await;
    let body = format!(r#"{{"query": {}, "variables": {{"amount": 12345678901234567890123, "first": 1}}}}"#, json!(query));
    let answer = server.post("/graphql", body).await.expect(200).json();
    assert!(answer["errors"].is_null(), "{answer}");
    let too_large = server.graphql_answer(query, json!({"first": 3_000_000_000_u32})).await;
    assert!(!too_large["errors"].is_null(), "an Int has 32 bits: {too_large}");
}

async fn a_page_of_large_records_has_a_budget(engine: Engine) {
    let settings = [("AMLGRAPH_LIMITS__BODY", "1MiB"), ("AMLGRAPH_LIMITS__ANSWER", "1MiB")];
    let server = Server::with(Store::of(engine), &settings);
    for number in 0..8 {
        let record = with(actor(&format!("a{number}")), json!({"metadata": {"filler": "x".repeat(200_000)}}));
        server.post("/api/actors", record.to_string()).await.expect(200);
    }
    let query = "query($first: Int!) { actors(first: $first) { edges { node { id record { metadata } } } } }";
    let small = server.graphql(query, json!({"first": 4})).await;
    assert_eq!(small["actors"]["edges"].as_array().map(Vec::len), Some(4));
    let large = server.graphql_answer(query, json!({"first": 8})).await;
    let error = &large["errors"][0];
    assert_eq!(error["extensions"]["code"], json!("TOO_LARGE"), "{error}");
    assert!(error["message"].as_str().is_some_and(|message| message.contains("1048576 bytes") && message.contains("first: 5")), "{error}");
    assert!(large.to_string().len() < 100_000, "nothing of what was too large is sent");
    // So has a page of what waits in bulk.
    let items = "query($first: Int!) { bulkItems(first: $first, filter: {state: DEFERRED}) { edges { node { record } } } }";
    for number in 0..8 {
        let waiting = json!({"id": case_id(), "actors": [{"id": "nobody"}], "c__filler": "x".repeat(200_000)});
        taken(&server, &format!("r{number}"), &json!({"cases": [waiting]})).await;
    }
    let first = |number: usize| json!({"first": number});
    let waiting = "{ bulkItems(filter: {state: DEFERRED}) { totalCount } }";
    eventually("all wait", SOON, async || server.graphql(waiting, json!({})).await["bulkItems"]["totalCount"] == 8).await;
    assert_eq!(server.graphql(items, first(4)).await["bulkItems"]["edges"].as_array().map(Vec::len), Some(4));
    let large = server.graphql_answer(items, first(8)).await;
    assert_eq!(large["errors"][0]["extensions"]["code"], json!("TOO_LARGE"), "{}", large["errors"][0]);
    // Lists of REST say which query value would be right.
    for number in 0..8 {
        let place = json!({"id": format!("p{number}"), "type": "ATM", "address": {"city": "Ulm", "state": "x".repeat(200_000)}});
        server.post("/api/channel_locations", place.to_string()).await.expect(200);
    }
    let refused = server.get("/api/channel_locations?limit=100").await.expect(400);
    assert!(refused.places() == ["limit"] && refused.text.contains("1048576 bytes"), "{refused:?}");
    let page = server.get("/api/channel_locations?limit=4&offset=4").await.expect(200).json();
    assert_eq!(page["locations"].as_array().map(Vec::len), Some(4));
}

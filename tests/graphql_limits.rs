//! GraphQL: how much may be asked at once. What is too much is refused before it costs anything, and says what would not be.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::network::Network;
use crate::support::{Api, Engine, Server, Store, tests};

tests![embedded: too_much_is_refused_with_a_reason, fragments_count_wherever_they_are_spread, long_documents_are_not_read, depth_has_one_message,
    a_document_that_is_known_keeps_its_limits, introspection_goes_no_further_than_graphiql, every_error_has_a_code, the_schema_can_be_hidden; both: as_deep_as_a_setting_says];

/// Whatever is refused is refused within this, on a busy machine and without optimisation: twenty megabytes have to come first. Less is cut off with another
/// code when the time of a request is over; what would be unfolded without an end takes longer.
const SOON: Duration = Duration::from_secs(60);

/// What GraphiQL asks, with all its options.
const GRAPHIQL: &str =
    "query IntrospectionQuery { __schema { description queryType { name kind } mutationType { name kind } subscriptionType { name kind }
      types { ...FullType } directives { name description isRepeatable locations args { ...InputValue } } } }
    fragment FullType on __Type { kind name description specifiedByURL isOneOf
      fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
      inputFields { ...InputValue } interfaces { ...TypeRef }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
    fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
    fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
      ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }";

/// The code and the message of what must be refused, soon and without data.
async fn refused(api: &Api, query: &str) -> (String, String) {
    let asked = Instant::now();
    let answer = api.graphql_answer(query, json!({})).await;
    assert!(asked.elapsed() < SOON, "{:?} for {}", asked.elapsed(), &query[..query.len().min(200)]);
    let short = answer.to_string().chars().take(1_000).collect::<String>();
    assert!(answer.get("data").is_none() && answer["errors"].as_array().is_some_and(|errors| errors.len() == 1), "{short}");
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{short}")).to_owned();
    (text(&answer["errors"][0]["extensions"]["code"]), text(&answer["errors"][0]["message"]))
}

/// `count` fragments on actors, each of which spreads the next `times`; what the last one holds.
fn chain(count: usize, times: usize, last: &str) -> String {
    let spread = |number: usize| format!("...f{number} ").repeat(times);
    let links = (1..count).map(|number| format!("fragment f{number} on Actor {{ {} }} ", spread(number + 1)));
    links.chain([format!("fragment f{count} on Actor {{ {last} }}")]).collect()
}

/// Fields around one another: an actor's payments, and the actor of one of them. Four levels each time.
fn around_and_around(times: usize, innermost: &str) -> String {
    (0..times).fold(innermost.to_owned(), |inner, _| format!("owner {{ transactions(first: 1) {{ edges {{ node {{ id {inner} }} }} }} }}"))
}

async fn too_much_is_refused_with_a_reason(engine: Engine) {
    let server = Server::shared(engine);
    let aliases: String = (0..31).map(|number| format!("a{number}: actors(first: 1) {{ totalCount }} ")).collect();
    let wide = "{ accounts(first: 500) { edges { node { transactions(first: 500) { edges { node { id } } } } } } }";
    for (query, code, words) in [
        (wide.to_owned(), "TOO_COMPLEX", "at most 50000"),
        (format!("{{ {aliases} }}"), "TOO_LARGE", "aliases: at most 30"),
        // The same without other names costs the same.
        (format!("{{ {} }}", "__typename ".repeat(32)), "TOO_LARGE", "aliases: at most 30"),
        (format!("{{ actors(first: 1) {{ {} }} }}", "edges { cursor } ".repeat(32)), "TOO_LARGE", "aliases: at most 30"),
        (format!("{{ actors(first: 1) {{ totalCount {} }} }}", "@aa".repeat(10)), "TOO_LARGE", "directives in one place: at most 4"),
        (format!("query($x: ID {}) {{ actor(id: $x) {{ id }} }}", "@aa".repeat(10)), "TOO_LARGE", "directives in one place: at most 4"),
        (format!("{{ actors(first: 1) {{ {} }} }}", "totalCount ".repeat(5_000)), "TOO_LARGE", "at most 5000 tokens"),
    ] {
        let (found, message) = refused(&server, &query).await;
        assert!(found == code && message.contains(words), "{found}: {message}");
    }
    let again = format!("{{ {} }}", "__typename @include(if: true) @skip(if: false) ".repeat(31));
    assert_eq!(server.graphql(&again, json!({})).await, json!({"__typename": "Query"}));
    // A document may have several operations; only one is carried out, so that the aliases of each count for themselves.
    let operations: String = ["a", "b"].map(|name| format!("query {name} {{ {} }} ", "x: __typename ".repeat(20))).concat();
    let answer = server.post("/graphql", json!({"query": operations, "operationName": "b"}).to_string()).await.expect(200).json();
    assert_eq!(answer["data"]["x"], json!("Query"), "{answer}");
}

/// What it costs depends on its variables, and it was valid before.
async fn a_document_that_is_known_keeps_its_limits(engine: Engine) {
    let server = Server::shared(engine);
    for (query, what) in [
        (
            "query($n: Int!) { accounts(first: $n) { nodes { transferredTo(first: $n) { nodes { ...F } } } } } fragment F on Account { id name }",
            "as it was sent",
        ),
        (
            "query($n: Int!) { accounts(first: $n) { nodes { transferredTo(first: $n) { nodes { id } } } nodes { transferredTo(first: $n) { nodes { id name } } } } }",
            "with fields that come again",
        ),
    ] {
        let ask = async |size: u32| server.post("/graphql", json!({"query": query, "variables": {"n": size}}).to_string()).await.json();
        for _ in 0..3 {
            assert_eq!(ask(1).await["errors"], json!(null), "{what}");
        }
        let refused = ask(200).await;
        assert_eq!((&refused["errors"][0]["extensions"]["code"], refused.get("data")), (&json!("TOO_COMPLEX"), None), "{what}: {refused}");
    }
}

async fn fragments_count_wherever_they_are_spread(engine: Engine) {
    let server = Server::shared(engine);
    let asking = |count, times, last| format!("{{ actor(id: \"nobody\") {{ ...f1 }} }} {}", chain(count, times, last));
    for (query, code, words) in [
        (asking(20, 2, "id"), "TOO_LARGE", "at most 10000 fields"),
        (asking(30, 30, "id"), "TOO_LARGE", "at most 10000 fields"),
        (asking(6, 2, "x: id"), "TOO_LARGE", "at most 30"),
        (asking(400, 1, "id"), "TOO_DEEP", "at most 24 levels"),
        // Nothing spreads this one.
        (format!("{{ __typename }} {}", chain(30, 30, "id")), "TOO_LARGE", "at most 10000 fields"),
        (asking(3, 1, "...f1"), "INVALID", "contains itself"),
        (asking(3, 30, "id ...f2"), "INVALID", "contains itself"),
        (asking(3, 1, "...unheard_of"), "INVALID", "unheard_of"),
    ] {
        let (found, message) = refused(&server, &query).await;
        assert!(found == code && message.contains(words), "{found}: {message}");
    }
    let actor = server.graphql(&asking(8, 2, "id"), json!({})).await;
    assert_eq!(actor, json!({"actor": null}));
}

/// A text counts one token, however long it is; so bytes are counted too.
async fn long_documents_are_not_read(engine: Engine) {
    let server = Server::shared(engine);
    for length in [80_000, 20_000_000] {
        for query in [format!("{{ actor(id: \"{}\") {{ id }} }}", "x".repeat(length)), format!("{{ __typename }} # {}", "x".repeat(length))] {
            let (code, message) = refused(&server, &query).await;
            assert_eq!((code.as_str(), message.as_str()), ("TOO_LARGE", "the document is too long: at most 80000 bytes"));
        }
    }
    let long = "[{(".repeat(20_000);
    let harmless = format!("{{ actor(id: \"{long}\") {{ id }} }} # {}", &long[..10_000]);
    assert_eq!(server.graphql(&harmless, json!({})).await, json!({"actor": null}));
}

async fn depth_has_one_message(engine: Engine) {
    let server = Server::shared(engine);
    let nested = |count: usize, open: &str, innermost: &str, close: &str| format!("{}{innermost}{}", open.repeat(count), close.repeat(count));
    for query in [
        format!("{{ transaction(id: \"x\") {{ {} }} }}", around_and_around(6, "id")),
        format!("{{ transaction(id: \"x\") {{ {} }} }}", around_and_around(12, "id")),
        format!("{{ transaction(id: \"x\") {{ {} }} }}", around_and_around(100, "id")),
        format!("{{ __type(name: \"Node\") {{ {} }} }}", nested(24, "ofType {", "name", "}")),
        format!("{{ __type(name: \"Node\") {{ {} }} }}", nested(70, "... {", "name", "}")),
        format!("{{ actor(id: {}) {{ id }} }}", nested(2_400, "[", "1", "]")),
        format!("{{ actor(id: {}) {{ id }} }}", nested(1_200, "{a:", "1", "}")),
        format!("query($x: {}) {{ __typename }}", nested(2_400, "[", "ID", "]")),
        nested(1_600, "{a", "", "}"),
        "{a".repeat(2_400),
        "[".repeat(4_900),
        // Twelve levels in each of three fragments.
        format!(
            "{{ actor(id: \"x\") {{ ...a }} }} fragment d on Actor {{ id }} {}",
            ["ab", "bc", "cd"]
                .map(|pair| {
                    let (this, next) = pair.split_at(1);
                    let inner = nested(4, "associates { edges { node {", &format!("...{next}"), "} } }");
                    format!("fragment {this} on Actor {{ {inner} }} ")
                })
                .concat()
        ),
    ] {
        let (code, message) = refused(&server, &query).await;
        let short = &query[..query.len().min(100)];
        assert_eq!((code.as_str(), message.as_str()), ("TOO_DEEP", "the query is nested too deep: at most 24 levels"), "{short}");
    }
}

/// As deep as the setting allows goes well, all the way down; one more does not, and nor does a setting that could not be kept.
async fn as_deep_as_a_setting_says(engine: Engine) {
    let store = Store::of(engine);
    let server = Server::with(store.clone(), &[("AMLGRAPH_GRAPHQL__DEPTH", "40")]);
    let network = Network::make(&server).await;
    let id = network.ids.of("payment-0");
    // 1 + 9 times 4 + owner, accounts, totalCount: the deepest is the 40th.
    let query = |innermost: &str| {
        format!("{{ transaction(id: \"{id}\") {{ {} }} }}", around_and_around(9, &format!("owner {{ accounts(first: 1) {{ {innermost} }} }}")))
    };
    let mut at = &server.graphql(&query("totalCount"), json!({})).await["transaction"];
    for _ in 0..9 {
        at = &at["owner"]["transactions"]["edges"][0]["node"];
        assert!(at["id"].is_string(), "{at}");
    }
    assert!(at["owner"]["accounts"]["totalCount"].is_number(), "{at}");
    let (code, message) = refused(&server, &query("edges { role }")).await;
    assert_eq!((code.as_str(), message.as_str()), ("TOO_DEEP", "the query is nested too deep: at most 40 levels"));
    // Nor do as many fragments within one another as there may be exhaust the stack of a thread.
    let chained = format!("{{ actor(id: \"{}\") {{ ...f1 }} }} {}", network.actor, chain(126, 1, "id"));
    assert_eq!(server.graphql(&chained, json!({})).await["actor"]["id"], json!(network.actor));
    for depth in ["0", "41", "deep"] {
        let output = store.command(&["serve", "--listen", "127.0.0.1:0"]).env("AMLGRAPH_GRAPHQL__DEPTH", depth).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("graphql.depth") && said.contains("1 to 40"), "{said}");
    }
}

async fn introspection_goes_no_further_than_graphiql(engine: Engine) {
    let server = Server::shared(engine);
    let schema = server.graphql(GRAPHIQL, json!({})).await;
    assert!(schema["__schema"]["types"].as_array().is_some_and(|types| types.len() > 50), "{schema}");
    let of_one = server.graphql("{ __type(name: \"Account\") { fields { name type { name fields { name type { name } } } } } }", json!({})).await;
    assert!(of_one["__type"]["fields"].as_array().is_some_and(|fields| fields.len() > 10), "{of_one}");
    let around = (0..8).fold("name".to_owned(), |inner, _| format!("possibleTypes{{interfaces{{{inner}}}}}"));
    let wide: String = (0..30)
        .map(|number| {
            format!("a{number}: __schema {{ types {{ fields {{ name description isDeprecated type {{ name kind }} args {{ name }} }} }} }} ")
        })
        .collect();
    for (query, words) in [
        (format!("{{__type(name:\"Node\"){{{around}}}}}"), "introspection goes too far"),
        (
            "{ __type(name: \"Node\") { ...a } } fragment a on __Type { possibleTypes { ...b } }
              fragment b on __Type { interfaces { possibleTypes { name } } }"
                .into(),
            "too far",
        ),
        ("{ __schema { types { fields { type { ... on __Type { fields { name } } } } } } }".into(), "too far"),
        ("{ __schema { types { inputFields { type { inputFields { type { name } } } } } } }".into(), "too far"),
        (format!("{{ {wide} }}"), "introspection asks for too much: at most 300 fields"),
        (format!("{{ {} }}", "__schema { types { fields { args { name } } } } ".repeat(200)), "too much"),
        (format!("{{ __schema {{ types {{ {} }} }} }}", "fields { args { name } } ".repeat(400)), "too much"),
    ] {
        let (code, message) = refused(&server, &query).await;
        assert!(code == "TOO_COMPLEX" && message.contains(words), "{code}: {message}");
    }
}

async fn every_error_has_a_code(engine: Engine) {
    let server = Server::shared(engine);
    for query in [
        "{ actors { nothing } }",
        "{ actors",
        "query a { __typename } query b { __typename }",
        "{ actors(first: -1) { totalCount } }",
        "{ actors(first: 501) { totalCount } }",
        "{ actors(after: \"?\") { edges { node { id } } } }",
        "{ actors(first: \"one\") { totalCount } }",
        "{ node(id: \"x\") { id } }",
        "{ transaction { id } }",
        "query($id: ID!) { actor(id: $id) { id } }",
        "subscription { x }",
        "fragment a on Actor { id }",
    ] {
        let answer = server.graphql_answer(query, json!({})).await;
        let errors = answer["errors"].as_array().filter(|errors| !errors.is_empty()).unwrap_or_else(|| panic!("{query}: {answer}"));
        assert!(errors.iter().all(|error| error["extensions"]["code"] == json!("INVALID")), "{query}: {answer}");
    }
    let unknown = server.post("/graphql", json!({"query": "query a { __typename }", "operationName": "b"}).to_string()).await.expect(200).json();
    assert_eq!(unknown["errors"][0]["extensions"]["code"], json!("INVALID"), "{unknown}");
}

async fn the_schema_can_be_hidden(engine: Engine) {
    let query = "{ __schema { types { name } } }";
    let open = Server::shared(engine).graphql_answer(query, json!({})).await;
    assert!(open["data"]["__schema"]["types"].as_array().is_some_and(|types| types.len() > 50), "{open}");
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_GRAPHQL__INTROSPECTION", "false"), ("AMLGRAPH_GRAPHQL__DEPTH", "4")]);
    let hidden = server.graphql_answer(query, json!({})).await;
    assert!(hidden.get("data").is_none(), "{hidden}");
    assert_eq!(hidden["errors"][0]["extensions"]["code"], json!("INTROSPECTION_DISABLED"), "{hidden}");
    assert!(hidden["errors"][0]["message"].as_str().is_some_and(|message| message.contains("graphql.introspection")), "{hidden}");
    // There is no type to be seen. Whoever names one must not learn whether there is.
    for name in ["Actor", "Nothing"] {
        let one = server.graphql("query($name: String!) { __type(name: $name) { name } }", json!({"name": name})).await;
        assert_eq!(one, json!({"__type": null}), "{name}");
    }
    let (code, message) = refused(&server, "{ actors { edges { node { accounts { totalCount } } } } }").await;
    assert_eq!((code.as_str(), message.as_str()), ("TOO_DEEP", "the query is nested too deep: at most 4 levels"));
}

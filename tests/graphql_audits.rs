//! What strangers look for first: the thirteen questions of graphql-cop 1.15, in our own words. Beyond loopback, with default settings, none of
//! them may find anything, with a key or without. (`tests/audits/run` asks graphql-cop itself where there is a copy of it.)

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Answer, Api, Engine, Server, Store, tests};

tests![embedded: nothing_is_found_beyond_loopback, the_checks_see_what_is_switched_on];

/// One question, and whether an answer is what it looks for.
struct Check {
    name: &'static str,
    asked: Asked,
    found: fn(&Answer) -> bool,
}

/// How it is asked.
enum Asked {
    Posted(Value),
    InAddress(&'static str),
    AsForm(&'static str),
    AsBrowser,
}

fn posted(query: &str) -> Asked {
    Asked::Posted(json!({"query": query, "operationName": "cop"}))
}

/// What an answer has at a place; null when it has nothing there, or is no JSON.
fn at(answer: &Answer, place: &str) -> Value {
    let body: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    body.pointer(place).cloned().unwrap_or_default()
}

fn says_its_type(answer: &Answer) -> bool {
    at(answer, "/data/__typename").is_string()
}

fn mentions(answer: &Answer, extension: &str) -> bool {
    !at(answer, &format!("/errors/0/extensions/{extension}")).is_null() || answer.text.to_lowercase().contains(&format!("\"{extension}\""))
}

fn checks() -> [Check; 13] {
    let aliases: String = (0..101).map(|number| format!("alias{number}: __typename ")).collect();
    let check = |name, asked, found| Check { name, asked, found };
    [
        check("a hundred aliases", posted(&format!("query cop {{ {aliases} }}")), |answer| at(answer, "/data/alias100").is_string()),
        check("ten requests in a batch", Asked::Posted(json!(vec![json!({"query": "query cop { __typename }"}); 10])), |answer| {
            at(answer, "/9").is_object()
        }),
        check("a field five hundred times", posted(&format!("query cop {{ {} }}", "__typename ".repeat(500))), says_its_type),
        check("ten times a directive that there isn't", posted(&format!("query cop {{ __typename {} }}", "@aa".repeat(10))), |answer| {
            at(answer, "/errors").as_array().is_some_and(|errors| errors.len() >= 10)
        }),
        check(
            "types in circles",
            posted("query cop { __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }"),
            |answer| at(answer, "/data/__schema/types").is_array(),
        ),
        check("the schema", posted("query cop { __schema { types { name fields { name } } } }"), |answer| {
            at(answer, "/data/__schema/types").is_array()
        }),
        check("what a name was meant to be", posted("query cop { __schema { directive } }"), |answer| answer.text.contains("Did you mean")),
        check("the page", Asked::AsBrowser, |answer| answer.text.contains("GraphiQL") || answer.text.contains("graphiql.min")),
        check("a query by GET", Asked::InAddress("query cop { __typename }"), says_its_type),
        check("a mutation by GET", Asked::InAddress("mutation cop { __typename }"), says_its_type),
        check("a query as a form", Asked::AsForm("query cop { __typename }"), says_its_type),
        check("traces", posted("query cop { __typename }"), |answer| mentions(answer, "tracing")),
        check("errors of the inside", posted("qwerty cop { abc }"), |answer| mentions(answer, "exception")),
    ]
}

async fn found_by(api: &Api) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for Check { name, asked, found: is_it } in checks() {
        let request = match asked {
            Asked::Posted(body) => api.posting("/graphql", body.to_string()),
            Asked::InAddress(query) => api.request("GET", "/graphql").query(&[("query", query)]),
            Asked::AsForm(query) => api.request("POST", "/graphql").form(&[("query", query)]),
            Asked::AsBrowser => api.request("GET", "/graphql").header("accept", "text/html"),
        };
        if is_it(&api.send(request).await) {
            found.insert(name);
        }
    }
    found
}

async fn nothing_is_found_beyond_loopback(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LISTEN", "0.0.0.0:0")]);
    let answered = server.graphql("query cop { __typename }", json!({})).await;
    assert_eq!(answered, json!({"__typename": "Query"}), "the key is good");
    assert_eq!(found_by(&server).await, BTreeSet::new());
    assert_eq!(found_by(&server.anonymous()).await, BTreeSet::new());
}

/// What no setting lets in is not here: queries by GET without more, mutations by GET, forms, directives, circles, traces, the inside.
async fn the_checks_see_what_is_switched_on(engine: Engine) {
    let settings = [
        ("AMLGRAPH_LISTEN", "0.0.0.0:0"),
        ("AMLGRAPH_GRAPHQL__BATCH", "10"),
        ("AMLGRAPH_GRAPHQL__ALIASES", "500"),
        ("AMLGRAPH_GRAPHQL__INTROSPECTION", "on"),
        ("AMLGRAPH_GRAPHQL__SUGGESTIONS", "on"),
        ("AMLGRAPH_GRAPHQL__GRAPHIQL", "on"),
    ];
    let server = Server::with(Store::of(engine), &settings);
    let wanted =
        ["a hundred aliases", "ten requests in a batch", "a field five hundred times", "the schema", "what a name was meant to be", "the page"];
    assert_eq!(found_by(&server).await, BTreeSet::from(wanted));
    assert_eq!(found_by(&server.anonymous()).await, BTreeSet::from(["the page"]));
}

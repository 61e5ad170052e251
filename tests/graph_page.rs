//! `docs/graph.md` and `docs/operating.md`: every query runs, and those of the graph's page find something on the sample once its commands have run.

use std::time::Duration;

use crate::graphql_properties::of_the_page;
use crate::support::{Engine, Server, Store, eventually, page, tests};

tests![embedded: every_query_of_the_page_finds_something];

const PAGE: &str = include_str!("../docs/graph.md");
const OPERATING: &str = include_str!("../docs/operating.md");

/// Far longer than a first attempt to deliver takes.
const SOON: Duration = Duration::from_secs(60);

/// The fenced blocks of one kind, in their order.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    page::blocks(page).into_iter().filter(|(of, _)| *of == kind).map(|(_, text)| text).collect()
}

async fn every_query_of_the_page_finds_something(engine: Engine) {
    let settings = [("", "--sample"), ("AMLGRAPH_SCREENING__SANCTIONS", "watchlists"), ("AMLGRAPH_SCREENING__ACTORS", "SANCTIONS")];
    let store = Store::of(engine);
    let server = Server::with(store.clone(), &settings);
    run_commands(&server).await;
    let tried = "amlgraph_delivery_attempts_total";
    let open = server.anonymous();
    eventually("a delivery is tried", SOON, async || open.get("/metrics").await.expect(200).text.contains(tried)).await;
    assert!(server.stop().success(), "the server stops");

    let queries = blocks(PAGE, "cypher");
    assert!(queries.len() > 10, "the page has {} queries", queries.len());
    for query in queries {
        assert!(rows(&store, &query) > 0, "this finds nothing:\n{query}");
    }
    let queries = blocks(OPERATING, "cypher");
    assert!(queries.len() > 2, "the page has {} queries", queries.len());
    for query in queries {
        rows(&store, &query);
    }
    of_the_page(&store);
}

/// Runs the commands of the page.
async fn run_commands(server: &Server) {
    let commands = blocks(PAGE, "sh");
    assert_eq!(commands.len(), 1, "the page has one block of commands");
    let folder = tempfile::tempdir().expect("a folder");
    let output = page::run(server, folder.path(), &commands[0]).await;
    let (printed, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{said}");
}

/// How many rows a query of a document has.
fn rows(store: &Store, query: &str) -> usize {
    let output = store.command(&["query", query]).output().expect("the program runs");
    assert!(output.status.success(), "{query}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().count()
}

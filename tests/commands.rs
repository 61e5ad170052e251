//! Commands that need no server.

use crate::support::{Engine, Ids, Store, tests};

tests![both: a_query_only_reads];

async fn a_query_only_reads(engine: Engine) {
    let (store, ids) = (Store::of(engine), Ids::new());
    assert!(store.command(&["migrate"]).status().expect("the program runs").success());
    let (plain, create) = (store.command(&["query"]), format!("CREATE (n:Device {{id: '{}'}}) RETURN n.id AS id", ids.of("device")));
    let url = plain.get_envs().find(|(name, _)| *name == "AMLGRAPH_DATABASE__URL").and_then(|(_, url)| url?.to_str()).expect("an address").to_owned();
    // A cluster's address, too: there other reads go where writes go.
    for url in [url.clone(), url.replace("bolt://", "neo4j://")] {
        let output = store.command(&["query", &create]).env("AMLGRAPH_DATABASE__URL", &url).output().expect("the program runs");
        assert!(!output.status.success(), "{url}: {}", String::from_utf8_lossy(&output.stdout));
        let reading = store.command(&["query", "RETURN 1 AS one"]).env("AMLGRAPH_DATABASE__URL", &url).output().expect("the program runs");
        assert_eq!(String::from_utf8_lossy(&reading.stdout), "{\"one\":1}\n", "{url}: {}", String::from_utf8_lossy(&reading.stderr));
    }
    let count = format!("MATCH (n:Device {{id: '{}'}}) RETURN count(n) AS count", ids.of("device"));
    assert_eq!(store.cypher(&count)[0]["count"], 0);
}

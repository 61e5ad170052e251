use cypher::{Embedded, Engine, Params, Statement};
use resolvers::testing::numbers::moves::{end, to_move};
use resolvers::{Resolvers, Settings};

/// A known account, some of whose payments have to leave.
const STORE: &str = "CREATE (a:Account {id: 'known', name: 'known'}) CREATE (n:AccountIdentifier {id: 'number', name: 'number'})
        CREATE (m:PaymentMove {id: 'known', name: 'move', createdAt: 1, openedBy: 'later'}) CREATE (m)-[:FROM]->(a) CREATE (m)-[:BY]->(n)";

/// Another write has said since the look that payments have to leave: that nothing was found says nothing about these.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_was_opened_again_does_not_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"));
    cypher::migrate(&engine).await.expect("migrates");
    engine.write(Statement::new("test/put", STORE), Params::none()).await.expect("writes");
    let resolvers = Resolvers::new(engine.clone(), Settings::default());
    for (seen, left) in [("earlier", 1), ("later", 0)] {
        end(&resolvers, "known", seen).await.expect("is made");
        assert_eq!(to_move(&engine).await.expect("reads").len(), left, "{seen}");
    }
}

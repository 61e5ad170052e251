//! Secrets that are set: hard to guess, or there is no start.

use crate::support::{Engine, Server, Store, tests};

tests![embedded: secrets_that_could_be_guessed_stop_the_start, a_key_that_can_open_nothing_stops_the_start; both: a_key_that_is_set_and_is_not_the_stores_is_told];

async fn secrets_that_could_be_guessed_stop_the_start(engine: Engine) {
    let store = Store::of(engine);
    for name in ["AMLGRAPH_ADMIN_KEY", "AMLGRAPH_TOKEN__SECRET", "AMLGRAPH_WEBHOOKS__KEY"] {
        for weak in ["an-administrator-key", "one-character-less-than-enough-0123456789A", "abababababababababababababababababababababababababab"] {
            let output = store.command(&["serve", "--listen", "127.0.0.1:0"]).env(name, weak).output().expect("the program runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && said.contains(name) && said.contains("openssl rand -base64 32"), "{name}={weak}: {said}");
            assert!(!said.contains(weak), "a secret is not repeated: {said}");
        }
    }
}

/// It would be stored, and refused whenever it comes.
async fn a_key_that_can_open_nothing_stops_the_start(engine: Engine) {
    let store = Store::of(engine);
    let mistyped = format!("aml_{}", "Zq7Xw2Lk9Vb4Nf6Rj1Hs".repeat(3).split_at(49).0);
    for useless in [mistyped, "ein-schlüssel-mit-umlaut-Zq7Xw2Lk9Vb4Nf6Rj1Hs".to_owned()] {
        let output = store.command(&["serve", "--listen", "127.0.0.1:0"]).env("AMLGRAPH_ADMIN_KEY", &useless).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("can open nothing"), "{useless}: {said}");
        assert!(!said.contains(&useless), "a secret is not repeated: {said}");
    }
}

/// Whoever counts on a key that does not open the store learns that at the start, and what to do.
async fn a_key_that_is_set_and_is_not_the_stores_is_told(engine: Engine) {
    const OTHER: &str = "another-administrator-key-Zq7Xw2Lk9Vb4Nf6Rj1Hs";
    let told = |server: &Server| server.logged().lines().any(|line| line.contains("AMLGRAPH_ADMIN_KEY") && line.contains("key recover"));
    let first = Server::start(engine);
    assert!(!told(&first), "{}", first.logged());
    let store = first.store.clone();
    first.stop();
    let server = Server::with(store, &[("AMLGRAPH_ADMIN_KEY", OTHER)]);
    assert!(told(&server), "{}", server.logged());
    assert!(!server.logged().contains(OTHER), "a secret is not repeated");
    // The store's own key goes on to be good, and the other is none.
    server.get("/admin/keys").await.expect(200);
    server.with_key(OTHER).get("/admin/keys").await.expect(401);
}

//! The command line as a client: its key goes to the server that was named, and nowhere else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::IntoResponse;
use tokio::net::TcpListener;

use crate::support::bulk::bulk_actor;
use crate::support::import::folder;
use crate::support::{Engine, Server, command, tests};

tests![embedded: no_redirect_is_followed, a_key_goes_over_https_or_stays_on_this_machine, no_proxy_is_told_the_key];

/// Somebody who counts who asks him, and answers that it is elsewhere. His address.
async fn elsewhere(to: Option<String>) -> (String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let app = Router::new().fallback(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let to = to.clone();
        async move {
            match to {
                Some(to) => (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, to)]).into_response(),
                None => (StatusCode::OK, "[]").into_response(),
            }
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, asked)
}

/// Commands that send a key to this address.
fn commands<'a>(url: &'a str, files: &'a str) -> Vec<Vec<&'a str>> {
    vec![
        vec!["key", "list", "--url", url],
        vec!["key", "create", "--role", "ADMIN", "--url", url],
        vec!["client", "list", "--url", url],
        vec!["user", "list", "--url", url],
        vec!["webhook", "listen", "--url", url],
        vec!["import", files, "--url", url],
    ]
}

async fn no_redirect_is_followed(_: Engine) {
    let (thief, robbed) = elsewhere(None).await;
    let (server, asked) = elsewhere(Some(format!("{thief}/here"))).await;
    let files = folder(&[("actors", vec![bulk_actor("ada")])]);
    let commands = commands(&server, files.path().to_str().expect("a path"));
    let count = commands.len();
    for arguments in commands {
        let output = command(&arguments).env("AMLGRAPH_KEY", "a-key").output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("redirect"), "{arguments:?}: {said}");
    }
    assert!(asked.load(Ordering::Relaxed) >= count);
    assert_eq!(robbed.load(Ordering::Relaxed), 0, "the key went to another server");
}

async fn a_key_goes_over_https_or_stays_on_this_machine(_: Engine) {
    let files = folder(&[("actors", vec![bulk_actor("ada")])]);
    // An address for documentation: nobody is there, and nobody must be asked.
    for url in ["http://192.0.2.1:9", "http://aml.example.com", "http://localhost.example.com"] {
        for arguments in commands(url, files.path().to_str().expect("a path")) {
            let output = command(&arguments).env("AMLGRAPH_KEY", "a-key").output().expect("the program runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && said.contains("https"), "{arguments:?}: {said}");
        }
    }
}

async fn no_proxy_is_told_the_key(engine: Engine) {
    let server = Server::shared(engine);
    let (proxy, asked) = elsewhere(None).await;
    let output = command(&["key", "list", "--url", &server.base])
        .env("AMLGRAPH_KEY", server.key())
        .env("HTTP_PROXY", &proxy)
        .env("http_proxy", &proxy)
        .env("ALL_PROXY", &proxy)
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

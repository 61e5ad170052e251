//! `amlgraph webhook listen`: for those who build a receiver.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};

use crate::support::{Api, Engine, Server, Store, command, eventually, tests};

// On Neo4j it would be told of what other tests do.
tests![embedded: what_comes_is_checked_and_printed, what_comes_is_handed_on, a_server_that_takes_no_private_address_is_named];

const SOON: Duration = Duration::from_secs(90);
const BODY: &str = r#"{"id":"event-1","name":"case.created","createdAt":1,"data":{"id":"case-1"}}"#;

/// The command while it runs, and what it has printed.
struct Listener {
    child: Child,
    printed: Arc<Mutex<String>>,
}

impl Listener {
    fn start(server: &Server, arguments: &[&str]) -> Self {
        let mut listen = listening(server, arguments);
        let mut child = listen.stdout(Stdio::piped()).spawn().expect("it starts");
        let output = child.stdout.take().expect("its output");
        let printed: Arc<Mutex<String>> = Arc::default();
        let kept = Arc::clone(&printed);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) += &(line + "\n");
            }
        });
        Self { child, printed }
    }

    fn printed(&self) -> String {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn prints(&self, text: &str) {
        eventually(text, SOON, async || self.printed().contains(text)).await;
    }

    /// Its webhook, of which it has said where it is.
    async fn webhook(&self, api: &Api) -> Value {
        self.prints("until Ctrl-C").await;
        let printed = self.printed();
        let id = printed.split_whitespace().nth(1).expect("an id").to_owned();
        // A change of nothing shows the secret.
        api.patch(&format!("/api/webhooks/{id}"), "{}").await.expect(200).json()
    }

    /// Ends it as Ctrl-C does.
    async fn interrupt(mut self) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let ended = tokio::task::spawn_blocking(move || self.child.wait().expect("it ends")).await.expect("it is waited for");
        assert!(ended.success(), "{ended}");
    }
}

fn listening(server: &Server, arguments: &[&str]) -> Command {
    let mut listen = command(&["webhook", "listen", "--url", &server.base, "--key", server.key()]);
    listen.args(arguments).stderr(Stdio::piped());
    listen
}

/// A delivery as the service signs it.
async fn deliver(webhook: &Value, secret: &str) -> reqwest::Response {
    let now = chrono::Utc::now().timestamp();
    let signature = standardwebhooks::Webhook::new(secret).expect("a secret").sign("event-1", now, BODY.as_bytes()).expect("a signature");
    let request = reqwest::Client::builder().no_proxy().build().expect("a client").post(webhook["url"].as_str().expect("an address"));
    let request = request.header("webhook-id", "event-1").header("webhook-timestamp", now).header("webhook-signature", signature);
    request.header("content-type", "application/json").body(BODY).send().await.expect("it answers")
}

fn server(engine: Engine) -> Server {
    Server::with(Store::of(engine), &[("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE", "true")])
}

async fn what_comes_is_checked_and_printed(engine: Engine) {
    let server = server(engine);
    let listener = Listener::start(&server, &["--events", "case.created,case.closed", "--status", "202"]);
    let webhook = listener.webhook(&server).await;
    assert_eq!((&webhook["events"], &webhook["status"]), (&json!(["case.created", "case.closed"]), &json!("ACTIVE")));
    assert_eq!(deliver(&webhook, webhook["secret"].as_str().expect("a secret")).await.status(), 202);
    listener.prints("case.created  event-1  verified").await;
    for part in ["webhook-signature: v1,", "\"id\": \"case-1\"", "answered 202"] {
        assert!(listener.printed().contains(part), "{part}: {}", listener.printed());
    }
    assert_eq!(deliver(&webhook, "whsec_c29tZWJvZHkgZWxzZXMgc2VjcmV0ISE=").await.status(), 202);
    listener.prints("NOT VERIFIED").await;
    listener.interrupt().await;
    server.get(&format!("/api/webhooks/{}", webhook["id"].as_str().expect("an id"))).await.expect(404);
}

async fn what_comes_is_handed_on(engine: Engine) {
    let server = server(engine);
    let behind = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/hook", behind.local_addr().expect("an address"));
    let app = Router::new()
        .route("/hook", post(async |headers: HeaderMap, body: String| (StatusCode::IM_A_TEAPOT, format!("{:?} {body}", headers["webhook-id"]))));
    tokio::spawn(async move { axum::serve(behind, app).await });
    let listener = Listener::start(&server, &["--forward", &address]);
    let webhook = listener.webhook(&server).await;
    assert_eq!(webhook["events"], json!(["*"]));
    let answer = deliver(&webhook, webhook["secret"].as_str().expect("a secret")).await;
    assert_eq!(answer.status(), 418);
    assert_eq!(answer.text().await.expect("a body"), format!("\"event-1\" {BODY}"));
    listener.prints("answered 418").await;
    listener.interrupt().await;

    let nobody = Listener::start(&server, &["--forward", "http://127.0.0.1:1/"]);
    let webhook = nobody.webhook(&server).await;
    assert_eq!(deliver(&webhook, webhook["secret"].as_str().expect("a secret")).await.status(), 502);
    nobody.prints("could not be handed on").await;
    nobody.interrupt().await;
}

async fn a_server_that_takes_no_private_address_is_named(engine: Engine) {
    let server = Server::shared(engine);
    let output = listening(&server, &[]).stdout(Stdio::piped()).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE") && told.contains("url: "), "{told}");
    assert!(output.stdout.is_empty(), "{output:?}");
}

//! A receiver of webhooks: a real server on a port of its own, which notes what it is sent and answers as the test says.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::sync::Semaphore;

/// One request that came.
#[derive(Clone, Debug)]
pub struct Received {
    /// Method and path.
    pub line: String,
    pub headers: HeaderMap,
    pub text: String,
    pub at: Instant,
    /// Whether the answer was to be a success.
    pub taken: bool,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The id of the event, which is the same at each attempt.
    pub fn id(&self) -> &str {
        self.header("webhook-id")
    }

    /// The case that it is about.
    pub fn case(&self) -> Option<String> {
        let data = &self.body()["data"];
        data["id"].as_str().or(data["case_id"].as_str()).map(str::to_owned)
    }

    pub fn name(&self) -> String {
        self.body()["name"].as_str().expect("an event has a name").to_owned()
    }
}

/// How a request is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    Status(u16),
    /// With a header.
    With(u16, &'static str, String),
    /// With a text.
    Text(u16, String),
    /// After a while.
    Late(Duration, u16),
    /// With a text, once somebody lets it go: whoever takes a permit from here leaves it for the next one.
    Held(Arc<Semaphore>, u16, String),
    /// Never.
    Hang,
    /// The connection ends without an answer.
    Reset,
}

impl Reply {
    fn is_success(&self) -> bool {
        matches!(
            self,
            Self::Status(200..=299) | Self::With(200..=299, ..) | Self::Text(200..=299, _) | Self::Late(_, 200..=299) | Self::Held(_, 200..=299, _)
        )
    }
}

type Wanted = Arc<dyn Fn(&Received) -> bool + Send + Sync>;
type Answering = Arc<dyn Fn(usize, &Received) -> Reply + Send + Sync>;

/// A receiver; it ends with its test.
pub struct Receiver {
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Receiver {
    /// One that is told of some cases, and answers by a function of how many requests about them came before, and of the request. What comes about
    /// others, of tests that share the store, it takes and forgets.
    pub async fn about(cases: &[String], answer: impl Fn(usize, &Received) -> Reply + Send + Sync + 'static) -> Self {
        let cases: BTreeSet<String> = cases.iter().cloned().collect();
        Self::start(move |received| received.case().is_some_and(|case| cases.contains(&case)), answer).await
    }

    /// One that answers all requests by such a function.
    pub async fn of_all(answer: impl Fn(usize, &Received) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(|_| true, answer).await
    }

    async fn start(
        wanted: impl Fn(&Received) -> bool + Send + Sync + 'static,
        answer: impl Fn(usize, &Received) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (noted, wanted, answer): (_, Wanted, Answering) = (Arc::clone(&received), Arc::new(wanted), Arc::new(answer));
        let app = axum::Router::new().fallback(move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
            let text = String::from_utf8_lossy(&body).into_owned();
            let received = Received { line: format!("{method} {uri}"), headers, text, at: Instant::now(), taken: false };
            let given = if wanted(&received) { note(&noted, received, &answer) } else { Reply::Status(204) };
            reply(given)
        });
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, received }
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// All that came, in the order in which it came.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many ids all that came has: what is sent again has the id that it had.
    pub fn distinct_ids(&self) -> usize {
        self.received().iter().map(Received::id).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// What came and was taken.
    pub fn taken(&self) -> Vec<Received> {
        self.received().into_iter().filter(|received| received.taken).collect()
    }

    pub fn count(&self) -> usize {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// How many requests were taken.
    pub fn taken_count(&self) -> usize {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|received| received.taken).count()
    }

    /// How many events were taken, each counted once. Thousands are not copied for it: who asks often is not to keep requests waiting.
    pub fn events_taken(&self) -> usize {
        let received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        received.iter().filter(|received| received.taken).map(Received::id).collect::<BTreeSet<_>>().len()
    }
}

fn note(noted: &Mutex<Vec<Received>>, mut received: Received, answer: &Answering) -> Reply {
    let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
    let reply = answer(noted.len(), &received);
    received.taken = reply.is_success();
    noted.push(received);
    reply
}

async fn reply(reply: Reply) -> Response {
    let status = |code: u16| axum::http::StatusCode::from_u16(code).expect("a status");
    match reply {
        Reply::Status(code) => status(code).into_response(),
        Reply::With(code, name, value) => (status(code), [(name, value)]).into_response(),
        Reply::Text(code, text) => (status(code), text).into_response(),
        Reply::Late(wait, code) => {
            tokio::time::sleep(wait).await;
            status(code).into_response()
        }
        Reply::Held(gate, code, text) => {
            drop(gate.acquire().await.expect("it is never closed"));
            (status(code), text).into_response()
        }
        Reply::Hang => std::future::pending().await,
        // The server drops a connection whose handler is gone; nothing is printed of it.
        Reply::Reset => std::panic::resume_unwind(Box::new("reset")),
    }
}

//! A network between the service and its Neo4j that loses an answer: the statement arrives and is carried out, and nobody hears of it. The connection
//! ends, or nothing more comes.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// So long Neo4j is silent once it has said all there is: on a busy machine a moment lies between its first word and the commit.
const SILENT: Duration = Duration::from_secs(2);

/// Messages by which something is made durable: their tags of the Bolt protocol, without what follows.
#[derive(Clone, Copy, Debug)]
pub enum Message {
    /// Fetches what a statement answers. Of one that is a transaction of its own that is its commit.
    Pull,
    Commit,
}

impl Message {
    fn tag(self) -> &'static [u8] {
        match self {
            Self::Pull => &[0xB1, 0x3F],
            Self::Commit => &[0xB0, 0x12],
        }
    }
}

/// How an answer is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The connection ends.
    Cut,
    /// It stays, and nothing comes.
    Silence,
}

/// Whose answer is lost: of such a message, the first that comes on a connection after this text did.
struct Wanted {
    text: String,
    message: Message,
    loss: Loss,
}

/// The network. It is gone with its test.
pub struct Lossy {
    address: SocketAddr,
    wanted: Arc<Mutex<Option<Wanted>>>,
}

impl Lossy {
    /// One that leads to a server, such as `bolt://127.0.0.1:7687`.
    pub async fn to(url: &str) -> Self {
        let server = url.strip_prefix("bolt://").expect("a bolt address").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let wanted: Arc<Mutex<Option<Wanted>>> = Arc::default();
        let shared = Arc::clone(&wanted);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, wanted) = (server.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    let server = TcpStream::connect(server).await.expect("Neo4j listens");
                    between(client, server, &wanted).await;
                });
            }
        });
        Self { address, wanted }
    }

    pub fn url(&self) -> String {
        format!("bolt://{}", self.address)
    }

    /// Loses one answer.
    pub fn lose(&self, text: &str, message: Message, loss: Loss) {
        *lock(&self.wanted) = Some(Wanted { text: text.to_owned(), message, loss });
    }

    pub fn has_lost(&self) -> bool {
        lock(&self.wanted).is_none()
    }
}

fn lock(wanted: &Mutex<Option<Wanted>>) -> std::sync::MutexGuard<'_, Option<Wanted>> {
    wanted.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes on what both sides say, until an answer is to be lost or one of them goes.
async fn between(mut client: TcpStream, mut server: TcpStream, wanted: &Mutex<Option<Wanted>>) {
    let (mut said, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut heard = Vec::new();
    loop {
        tokio::select! {
            read = client.read(&mut said) => {
                let Some(said) = read.ok().filter(|count| *count > 0).map(|count| &said[..count]) else { return };
                if server.write_all(said).await.is_err() {
                    return;
                }
                heard.extend_from_slice(said);
                if let Some(loss) = is_said(&heard, wanted) {
                    *lock(wanted) = None;
                    hear_out(&mut server).await;
                    if loss == Loss::Silence {
                        // Until the client has enough of it.
                        while client.read(&mut answered).await.is_ok_and(|count| count > 0) {}
                    }
                    return;
                }
                if lock(wanted).is_none() {
                    heard.clear();
                }
            }
            read = server.read(&mut answered) => {
                let Some(answered) = read.ok().filter(|count| *count > 0).map(|count| &answered[..count]) else { return };
                if client.write_all(answered).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// How the answer is to be lost, where the text came, and then the message.
fn is_said(heard: &[u8], wanted: &Mutex<Option<Wanted>>) -> Option<Loss> {
    let wanted = lock(wanted);
    let Wanted { text, message, loss } = wanted.as_ref()?;
    let at = find(heard, text.as_bytes())?;
    find(&heard[at..], message.tag()).map(|_| *loss)
}

fn find(heard: &[u8], wanted: &[u8]) -> Option<usize> {
    heard.windows(wanted.len()).position(|window| window == wanted)
}

/// Until it has said something and is silent.
async fn hear_out(server: &mut TcpStream) {
    let mut answered = vec![0; 1 << 16];
    // A cold Neo4j plans for seconds before it says anything.
    let Ok(mut read) = tokio::time::timeout(SILENT * 5, server.read(&mut answered)).await else { return };
    while read.is_ok_and(|count| count > 0) {
        match tokio::time::timeout(SILENT, server.read(&mut answered)).await {
            Ok(next) => read = next,
            Err(_) => return,
        }
    }
}

//! Writers that go on while something happens to the server or its database, and what they were told.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::fixtures::{NOON, Payment};
use super::{Api, Ids};

/// What a writer was told of one payment.
#[derive(Clone, Debug)]
pub struct Told {
    /// None: the connection broke.
    pub status: Option<u16>,
    pub retry_after: String,
    pub asked_at: Instant,
    pub took: Duration,
}

/// Payments between ten accounts, each with an id of its own, in as many runs as are wanted.
#[derive(Clone)]
pub struct Load {
    ids: Ids,
    next: Arc<AtomicUsize>,
    told: Arc<Mutex<BTreeMap<usize, Told>>>,
}

/// Writers at work.
pub struct Running {
    go_on: Arc<AtomicBool>,
    writers: Vec<JoinHandle<()>>,
}

impl Load {
    pub fn new(ids: &Ids) -> Self {
        Self { ids: ids.clone(), next: Arc::default(), told: Arc::default() }
    }

    /// The id all payments begin with.
    pub fn prefix(&self) -> String {
        format!("{}-", self.ids.of("load"))
    }

    fn payment(&self, number: usize) -> Payment {
        let hub = |number: usize| self.ids.of(&format!("hub-{}", number % 10));
        let amount = format!("{}.{:09}", number % 89, number * 1_234_567 % 1_000_000_000);
        let id = format!("{}{number:06}", self.prefix());
        Payment::new(id, hub(number), hub(number / 10 + 1)).amount(amount).at(NOON + number as i64)
    }

    /// Lets writers loose on a server.
    pub fn run(&self, writers: usize, api: impl Fn() -> Api) -> Running {
        Running::start(writers, |go_on| self.clone().write(api(), go_on))
    }

    async fn write(self, api: Api, go_on: Arc<AtomicBool>) {
        while go_on.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let asked_at = Instant::now();
            let answer = api.try_send(api.posting("/api/v2/transactions", self.payment(number).text())).await;
            let took = asked_at.elapsed();
            let (status, retry_after) = match answer {
                Ok(answer) => (Some(answer.status), answer.header("retry-after").to_owned()),
                Err(_) => (None, String::new()),
            };
            self.told().insert(number, Told { status, retry_after, asked_at, took });
            if status != Some(200) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }

    /// What was told so far, by number.
    pub fn told(&self) -> std::sync::MutexGuard<'_, BTreeMap<usize, Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ids of the payments that were acknowledged.
    pub fn acknowledged(&self) -> Vec<String> {
        self.told().iter().filter(|(_, told)| told.status == Some(200)).map(|(number, _)| self.payment(*number).id).collect()
    }

    /// The payment with an id, as it was sent.
    pub fn sent(&self, id: &str) -> Payment {
        let number = id.strip_prefix(&self.prefix()).and_then(|number| number.parse().ok());
        self.payment(number.unwrap_or_else(|| panic!("{id} is none of these")))
    }

    /// When the first payment that was asked for after a moment was acknowledged.
    pub fn first_acknowledged_after(&self, moment: Instant) -> Option<Instant> {
        let told = self.told();
        told.values().filter(|told| told.status == Some(200) && told.asked_at + told.took > moment).map(|told| told.asked_at + told.took).min()
    }
}

impl Running {
    /// Starts writers that go on until they are told to stop.
    pub fn start<F: Future<Output = ()> + Send + 'static>(writers: usize, writer: impl Fn(Arc<AtomicBool>) -> F) -> Self {
        let go_on = Arc::new(AtomicBool::new(true));
        let writers = (0..writers).map(|_| tokio::spawn(writer(Arc::clone(&go_on)))).collect();
        Self { go_on, writers }
    }

    /// Lets each writer finish what it is at.
    pub async fn stop(self) {
        self.go_on.store(false, Ordering::Relaxed);
        for writer in self.writers {
            writer.await.expect("a writer ends well");
        }
    }
}

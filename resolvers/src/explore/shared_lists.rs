//! Pages and counts of whole lists that several ask for at the same time: one statement answers all who came before it began.
//!
//! Who comes while it is under way waits for the next, which begins when that one ends: so nobody is answered with what was true before he asked. Who would
//! wait long asks by himself, unless his lists are slow, and what differs in anything is not held up at all. An answer is forgotten when it has been given.
//!
//! Each statement takes one of the places of somebody who waits for it ([`ListPlaces`]); who waits for that of another takes none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cypher::graph::Composed;
use cypher::{Engine, Error, Row};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::places::ListPlaces;
use crate::Caller;
use crate::loader::Loader;

/// Longer than this nobody waits for a statement to begin: one that takes so long is not asked for by many at once.
const PATIENCE: Duration = Duration::from_millis(100);

type Answer = Result<Option<Arc<Row>>, Error>;

/// Questions that are under way, each with those who wait for its next answer. Cheap to clone; all clones share.
#[derive(Clone)]
pub(crate) struct SharedLists {
    all: Arc<Mutex<All>>,
    places: ListPlaces,
    /// Where others may wait.
    walks: Loader,
    /// How long somebody waits for a statement to begin.
    patience: Duration,
}

#[derive(Default)]
struct All {
    waiting: HashMap<Arc<str>, Vec<Waiter>>,
    next_number: u64,
}

/// Somebody who waits for an answer.
struct Waiter {
    number: u64,
    caller: String,
    answer: oneshot::Sender<Answer>,
}

/// A question, and where it is asked.
#[derive(Clone)]
pub(crate) struct Question {
    pub engine: Engine,
    pub label: &'static str,
    pub composed: Composed,
    pub limit: Duration,
}

impl Question {
    async fn ask(&self) -> Answer {
        let rows = self.engine.read_composed(self.label, self.composed.clone(), self.limit).await?;
        Ok(rows.into_iter().next().map(Arc::new))
    }
}

/// What somebody does who has a question.
enum Turn {
    /// He is the first, and asks.
    Asks(UnderWay),
    /// He waits, under this number.
    Waits(Question, u64, oneshot::Receiver<Answer>),
}

impl SharedLists {
    /// None yet, beside those who walk.
    pub(crate) fn new(walks: Loader) -> Self {
        Self { all: Arc::default(), places: ListPlaces::default(), walks, patience: PATIENCE }
    }

    /// The one row of a composed statement, if it has one.
    pub(crate) async fn row(&self, caller: &Caller, question: Question) -> Answer {
        // Floats have no hash.
        let name: Arc<str> = format!("{} {:?}", question.composed.text, question.composed.params).into();
        match self.turn(&name, &caller.id, question) {
            Turn::Asks(under_way) => {
                let answer = self.ask_alone(&caller.id, &under_way.question).await;
                drop(under_way);
                answer
            }
            Turn::Waits(question, number, mut answered) => {
                let dropped = |_| Err(Error::Unavailable { statement: question.label, detail: "the question was dropped".into() });
                match tokio::time::timeout(self.patience, &mut answered).await {
                    Ok(answer) => answer.unwrap_or_else(dropped),
                    // Whose lists are slow would wait for a place: the next answer serves all of them.
                    Err(_) if !self.places.are_slow(&caller.id) && self.stops_waiting(&name, number) => self.ask_alone(&caller.id, &question).await,
                    Err(_) => answered.await.unwrap_or_else(dropped),
                }
            }
        }
    }

    async fn ask_alone(&self, caller: &str, question: &Question) -> Answer {
        let place = self.places.enter(caller, || self.walks.has_others_than(caller)).await;
        let answer = question.ask().await;
        place.read();
        answer
    }

    fn turn(&self, name: &Arc<str>, caller: &str, question: Question) -> Turn {
        let mut all = self.locked();
        all.next_number += 1;
        let number = all.next_number;
        match all.waiting.get_mut(name) {
            Some(waiting) => {
                let (answer, answered) = oneshot::channel();
                waiting.push(Waiter { number, caller: caller.to_owned(), answer });
                Turn::Waits(question, number, answered)
            }
            None => {
                all.waiting.insert(Arc::clone(name), Vec::new());
                Turn::Asks(UnderWay { lists: self.clone(), name: Arc::clone(name), question })
            }
        }
    }

    /// Whether somebody has waited so far in vain, and does so no more: what he asks is not under way.
    fn stops_waiting(&self, name: &str, number: u64) -> bool {
        let mut all = self.locked();
        let Some(waiting) = all.waiting.get_mut(name) else { return false };
        let before = waiting.len();
        waiting.retain(|waiter| waiter.number != number);
        waiting.len() < before
    }

    /// Nothing panics while it is held; a poisoned lock is as good as any.
    fn locked(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question of which a statement is under way. When that has ended, however it did, it is asked again for those who wait.
struct UnderWay {
    lists: SharedLists,
    name: Arc<str>,
    question: Question,
}

impl UnderWay {
    /// Those who wait now and have not hung up; when there is nobody, whoever comes next is the first again.
    fn next(&self) -> Vec<Waiter> {
        let mut all = self.lists.locked();
        let mut waiting = all.waiting.get_mut(&self.name).map(std::mem::take).unwrap_or_default();
        waiting.retain(|waiter| !waiter.answer.is_closed());
        if waiting.is_empty() {
            all.waiting.remove(&self.name);
        }
        waiting
    }

    /// Asks for all of them. A statement whose answer nobody waits for any more is given up.
    async fn ask_for(self, mut waiting: Vec<Waiter>) {
        let caller = waiting.first().map(|waiter| waiter.caller.clone()).unwrap_or_default();
        let all_have_hung_up = async {
            for waiter in &mut waiting {
                waiter.answer.closed().await;
            }
        };
        let answer = tokio::select! {
            answer = self.lists.ask_alone(&caller, &self.question) => answer,
            () = all_have_hung_up => return,
        };
        for waiter in waiting {
            let _ = waiter.answer.send(answer.clone());
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let waiting = self.next();
        if waiting.is_empty() {
            return;
        }
        let next = Self { lists: self.lists.clone(), name: Arc::clone(&self.name), question: self.question.clone() };
        // A task of its own: any of them may hang up. Without a runtime they hear that the question was dropped.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(next.ask_for(waiting));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cypher::{Embedded, Params, Statement};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    /// Counts nodes, and takes its time for it.
    fn slow_count(label: &str) -> Composed {
        let text = format!("UNWIND range(1, 50000) AS i WITH count(i) AS n OPTIONAL MATCH (m:{label}) WITH n, count(m) AS m RETURN n + m AS total");
        Composed { text: text.into(), for_embedded: None, params: Params::none() }
    }

    fn question(engine: &Engine, composed: Composed) -> Question {
        Question { engine: engine.clone(), label: "test", composed, limit: LIMIT }
    }

    async fn store() -> (tempfile::TempDir, Engine) {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("opens"));
        (folder, engine)
    }

    /// Nothing is kept of a question once it has been answered, a moment later.
    async fn forgotten(lists: &SharedLists) {
        for _ in 0..1_000 {
            if lists.locked().waiting.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("questions are kept: {:?}", lists.locked().waiting.keys());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_answer_serves_all_who_wait() {
        let (_folder, engine) = store().await;
        // Nobody stops waiting, however busy the machine is.
        let lists = SharedLists { patience: LIMIT, ..SharedLists::new(Loader::new(engine.clone(), LIMIT)) };
        let caller = Caller::operator("test");
        let all = futures::future::join_all((0..50).map(|_| lists.row(&caller, question(&engine, slow_count("Nothing"))))).await;
        let rows: Vec<Arc<Row>> = all.into_iter().map(|answer| answer.expect("it is answered").expect("a row")).collect();
        assert!(rows.iter().all(|row| row.get("total").as_int() == Some(50_000)));
        let different: HashSet<*const Row> = rows.iter().map(Arc::as_ptr).collect();
        assert!(different.len() <= 3, "{} answers for 50 who asked at once", different.len());
        forgotten(&lists).await;
    }

    /// What was written before somebody asked is in his answer, though an older question is under way.
    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_is_answered_with_what_was_before() {
        let (_folder, engine) = store().await;
        let (lists, caller) = (SharedLists::new(Loader::new(engine.clone(), LIMIT)), Caller::operator("test"));
        for written in 1..=5 {
            let older = loop {
                let older = tokio::spawn({
                    let (lists, engine, caller) = (lists.clone(), engine.clone(), caller.clone());
                    async move { lists.row(&caller, question(&engine, slow_count("Written"))).await }
                });
                // Until it has begun: then nobody waits for what is under its name. On a busy machine it may be over before that is seen.
                while !older.is_finished() && !lists.locked().waiting.values().any(Vec::is_empty) {
                    tokio::task::yield_now().await;
                }
                if !older.is_finished() {
                    break older;
                }
                older.await.expect("it ends").expect("it is answered");
            };
            let params = Params::none().with("id", written);
            engine.write(Statement::new("test/write", "CREATE (:Written {id: $id})"), params).await.expect("written");
            let row = lists.row(&caller, question(&engine, slow_count("Written"))).await.expect("it is answered").expect("a row");
            assert_eq!(row.get("total").as_int(), Some(50_000 + written));
            older.await.expect("it ends").expect("it is answered");
            forgotten(&lists).await;
        }
    }

    /// Behind a statement that takes long nobody waits.
    #[tokio::test(flavor = "multi_thread")]
    async fn who_would_wait_long_asks_by_himself() {
        let (_folder, engine) = store().await;
        let (lists, caller) = (SharedLists::new(Loader::new(engine.clone(), LIMIT)), Caller::operator("test"));
        // Somebody's statement that never ends.
        lists.locked().waiting.insert(format!("{} {:?}", slow_count("Nothing").text, Params::none()).into(), Vec::new());
        let answer = lists.row(&caller, question(&engine, slow_count("Nothing"))).await;
        assert_eq!(answer.expect("it is answered").expect("a row").get("total").as_int(), Some(50_000));
        assert!(lists.locked().waiting.values().all(Vec::is_empty), "nobody waits any more");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_hangs_up_leaves_the_others_their_answer() {
        let (_folder, engine) = store().await;
        let (lists, caller) = (SharedLists::new(Loader::new(engine.clone(), LIMIT)), Caller::operator("test"));
        let first = tokio::spawn({
            let (lists, engine, caller) = (lists.clone(), engine.clone(), caller.clone());
            async move { lists.row(&caller, question(&engine, slow_count("Nothing"))).await }
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
        first.abort();
        assert!(lists.row(&caller, question(&engine, slow_count("Nothing"))).await.is_ok());
        let refused = Composed { text: "MTCH (n) RETURN n".into(), for_embedded: None, params: Params::none() };
        assert!(lists.row(&caller, question(&engine, refused)).await.is_err());
        forgotten(&lists).await;
    }
}

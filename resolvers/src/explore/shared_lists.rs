//! Pages and counts of whole lists that several ask for at the same time: one statement answers all who came before it began.
//!
//! Who comes while it is under way waits for the next, which begins when that one ends: so nobody is answered with what was true before he asked. Who would
//! wait long asks by himself, and what differs in anything is not held up at all. An answer is forgotten when it has been given.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cypher::graph::Composed;
use cypher::{Engine, Error, Row};
use tokio::sync::oneshot;

/// Longer than this nobody waits for a statement to begin: one that takes so long is not asked for by many at once.
const PATIENCE: Duration = Duration::from_millis(100);

type Answer = Result<Option<Arc<Row>>, Error>;

/// Questions that are under way, each with those who wait for its next answer. Cheap to clone; all clones share.
#[derive(Clone, Default)]
pub(crate) struct SharedLists {
    all: Arc<Mutex<All>>,
}

#[derive(Default)]
struct All {
    waiting: HashMap<String, Vec<Waiter>>,
    next_number: u64,
}

/// Somebody who waits for an answer.
struct Waiter {
    number: u64,
    answer: oneshot::Sender<Answer>,
}

/// A question, and where it is asked.
#[derive(Clone)]
struct Question {
    engine: Engine,
    label: &'static str,
    composed: Composed,
    limit: Duration,
}

impl Question {
    async fn ask(&self) -> Answer {
        let rows = self.engine.read_composed(self.label, self.composed.clone(), self.limit).await?;
        Ok(rows.into_iter().next().map(Arc::new))
    }
}

impl SharedLists {
    /// The one row of a composed statement, if it has one.
    pub(crate) async fn row(&self, engine: &Engine, label: &'static str, composed: Composed, limit: Duration) -> Answer {
        // Floats have no hash.
        let name = format!("{} {:?}", composed.text, composed.params);
        let question = Question { engine: engine.clone(), label, composed, limit };
        let (number, mut answered) = self.wait(&name, &question);
        let dropped = |_| Err(Error::Unavailable { statement: label, detail: "the question was dropped".into() });
        match tokio::time::timeout(PATIENCE, &mut answered).await {
            Ok(answer) => answer.unwrap_or_else(dropped),
            Err(_) if self.stops_waiting(&name, number) => question.ask().await,
            Err(_) => answered.await.unwrap_or_else(dropped),
        }
    }

    /// Waits for the next answer, and sees to it that somebody asks.
    fn wait(&self, name: &str, question: &Question) -> (u64, oneshot::Receiver<Answer>) {
        let (answer, answered) = oneshot::channel();
        let mut all = self.locked();
        all.next_number += 1;
        let number = all.next_number;
        let waiter = Waiter { number, answer };
        if let Some(waiting) = all.waiting.get_mut(name) {
            waiting.push(waiter);
        } else {
            all.waiting.insert(name.to_owned(), vec![waiter]);
            // A task of its own: whoever came first may hang up while others wait for the same answer.
            tokio::spawn(UnderWay { lists: self.clone(), name: name.to_owned(), ended: false }.ask(question.clone()));
        }
        (number, answered)
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

/// A question that somebody takes care of, until this is dropped.
struct UnderWay {
    lists: SharedLists,
    name: String,
    /// Whether nobody waited any more: from then on the name may be somebody else's.
    ended: bool,
}

impl UnderWay {
    /// Asks until nobody waits any more. A statement whose answer nobody waits for is given up.
    async fn ask(mut self, question: Question) {
        while let Some(mut waiting) = self.next() {
            let all_have_hung_up = async {
                for waiter in &mut waiting {
                    waiter.answer.closed().await;
                }
            };
            let answer = tokio::select! {
                answer = question.ask() => answer,
                () = all_have_hung_up => continue,
            };
            for waiter in waiting {
                let _ = waiter.answer.send(answer.clone());
            }
        }
    }

    /// Those who wait now and have not hung up; when there is nobody, whoever comes next is the first again.
    fn next(&mut self) -> Option<Vec<Waiter>> {
        let mut all = self.lists.locked();
        let mut waiting = std::mem::take(all.waiting.get_mut(&self.name)?);
        waiting.retain(|waiter| !waiter.answer.is_closed());
        if waiting.is_empty() {
            all.waiting.remove(&self.name);
            self.ended = true;
            return None;
        }
        Some(waiting)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        // Only where asking was cut off: those who wait hear of it, and whoever comes next is the first again.
        if !self.ended {
            self.lists.locked().waiting.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cypher::{Embedded, Params, Statement};

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    fn slow_count(label: &str) -> Composed {
        let text = format!("UNWIND range(1, 300000) AS i WITH count(i) AS n OPTIONAL MATCH (m:{label}) WITH n, count(m) AS m RETURN n + m AS total");
        Composed { text: text.into(), params: Params::none() }
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
        let lists = SharedLists::default();
        let all = futures::future::join_all((0..50).map(|_| lists.row(&engine, "test", slow_count("Nothing"), LIMIT))).await;
        let rows: Vec<Arc<Row>> = all.into_iter().map(|answer| answer.expect("it is answered").expect("a row")).collect();
        assert!(rows.iter().all(|row| row.get("total").as_int() == Some(300_000)));
        let different: HashSet<*const Row> = rows.iter().map(Arc::as_ptr).collect();
        assert!(different.len() <= 3, "{} answers for 50 who asked at once", different.len());
        forgotten(&lists).await;
    }

    /// What was written before somebody asked is in his answer, though an older question is under way.
    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_is_answered_with_what_was_before() {
        let (_folder, engine) = store().await;
        let lists = SharedLists::default();
        for written in 1..=5 {
            let older = tokio::spawn({
                let (lists, engine) = (lists.clone(), engine.clone());
                async move { lists.row(&engine, "test", slow_count("Written"), LIMIT).await }
            });
            // Until it has begun: then nobody waits for what is under its name.
            while !lists.locked().waiting.values().any(Vec::is_empty) {
                tokio::task::yield_now().await;
            }
            let params = Params::none().with("id", written);
            engine.write(Statement::new("test/write", "CREATE (:Written {id: $id})"), params).await.expect("written");
            let row = lists.row(&engine, "test", slow_count("Written"), LIMIT).await.expect("it is answered").expect("a row");
            assert_eq!(row.get("total").as_int(), Some(300_000 + written));
            older.await.expect("it ends").expect("it is answered");
            forgotten(&lists).await;
        }
    }

    /// Behind a statement that takes long nobody waits.
    #[tokio::test(flavor = "multi_thread")]
    async fn who_would_wait_long_asks_by_himself() {
        let (_folder, engine) = store().await;
        let lists = SharedLists::default();
        // Somebody's statement that never ends.
        lists.locked().waiting.insert(format!("{} {:?}", slow_count("Nothing").text, Params::none()), Vec::new());
        let answer = lists.row(&engine, "test", slow_count("Nothing"), LIMIT).await;
        assert_eq!(answer.expect("it is answered").expect("a row").get("total").as_int(), Some(300_000));
        assert!(lists.locked().waiting.values().all(Vec::is_empty), "nobody waits any more");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_hangs_up_leaves_the_others_their_answer() {
        let (_folder, engine) = store().await;
        let lists = SharedLists::default();
        let first = tokio::spawn({
            let (lists, engine) = (lists.clone(), engine.clone());
            async move { lists.row(&engine, "test", slow_count("Nothing"), LIMIT).await }
        });
        tokio::time::sleep(Duration::from_millis(5)).await;
        first.abort();
        assert!(lists.row(&engine, "test", slow_count("Nothing"), LIMIT).await.is_ok());
        let refused = Composed { text: "MTCH (n) RETURN n".into(), params: Params::none() };
        assert!(lists.row(&engine, "test", refused, LIMIT).await.is_err());
        forgotten(&lists).await;
    }
}

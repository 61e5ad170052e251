//! Pages and counts of whole lists that several ask for at the same time: one statement answers all who came before it began.
//!
//! Who comes while it is under way waits for the next, which begins when that one ends: so nobody is answered with what was true before he asked. What
//! differs in anything is not held up. An answer is forgotten when it has been given.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cypher::graph::Composed;
use cypher::{Engine, Error, Row};
use tokio::sync::oneshot;

type Answer = Result<Option<Arc<Row>>, Error>;
type Waiting = HashMap<String, Vec<oneshot::Sender<Answer>>>;

/// Questions that are under way, each with those who wait for its next answer. Cheap to clone; all clones share.
#[derive(Clone, Default)]
pub(crate) struct SharedLists {
    waiting: Arc<Mutex<Waiting>>,
}

/// A question, and where it is asked.
struct Question {
    engine: Engine,
    label: &'static str,
    composed: Composed,
    limit: Duration,
}

impl SharedLists {
    /// The one row of a composed statement, if it has one.
    pub(crate) async fn row(&self, engine: &Engine, label: &'static str, composed: Composed, limit: Duration) -> Answer {
        // Floats have no hash.
        let name = format!("{} {:?}", composed.text, composed.params);
        let (answer, answered) = oneshot::channel();
        let is_first = {
            let mut waiting = self.locked();
            let is_first = !waiting.contains_key(&name);
            waiting.entry(name.clone()).or_default().push(answer);
            is_first
        };
        if is_first {
            let question = Question { engine: engine.clone(), label, composed, limit };
            // A task of its own: whoever came first may hang up, and the others wait for the answer all the same.
            tokio::spawn(UnderWay { lists: self.clone(), name, ended: false }.ask(question));
        }
        answered.await.unwrap_or_else(|_| Err(Error::Unavailable { statement: label, detail: "the question was dropped".into() }))
    }

    /// Nothing panics while it is held; a poisoned lock is as good as any.
    fn locked(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// Asks until nobody waits any more.
    async fn ask(mut self, question: Question) {
        while let Some(waiting) = self.next() {
            let Question { engine, label, composed, limit } = &question;
            let answer = engine.read_composed(label, composed.clone(), *limit).await.map(|rows| rows.into_iter().next().map(Arc::new));
            for waiter in waiting {
                let _ = waiter.send(answer.clone());
            }
        }
    }

    /// Those who wait now and have not hung up; when there is nobody, whoever comes next is the first again.
    fn next(&mut self) -> Option<Vec<oneshot::Sender<Answer>>> {
        let mut all = self.lists.locked();
        let mut waiting = std::mem::take(all.get_mut(&self.name)?);
        waiting.retain(|waiter| !waiter.is_closed());
        if waiting.is_empty() {
            all.remove(&self.name);
            drop(all);
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
            self.lists.locked().remove(&self.name);
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
            if lists.locked().is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("questions are kept: {:?}", lists.locked().keys());
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
        let older = tokio::spawn({
            let (lists, engine) = (lists.clone(), engine.clone());
            async move { lists.row(&engine, "test", slow_count("Written"), LIMIT).await }
        });
        for written in 1..=5 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let params = Params::none().with("id", written);
            engine.write(Statement::new("test/write", "CREATE (:Written {id: $id})"), params).await.expect("written");
            let row = lists.row(&engine, "test", slow_count("Written"), LIMIT).await.expect("it is answered").expect("a row");
            assert!(row.get("total").as_int() >= Some(300_000 + written), "{row:?} after {written}");
        }
        older.await.expect("it ends").expect("it is answered");
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

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
pub struct SharedLists {
    pub all: Arc<Mutex<All>>,
    pub places: ListPlaces,
    /// Where others may wait.
    pub walks: Loader,
    /// How long somebody waits for a statement to begin.
    pub patience: Duration,
}

#[derive(Default)]
pub struct All {
    pub waiting: HashMap<Arc<str>, Vec<Waiter>>,
    next_number: u64,
}

/// Somebody who waits for an answer.
pub struct Waiter {
    number: u64,
    caller: String,
    answer: oneshot::Sender<Answer>,
}

/// A question, and where it is asked.
#[derive(Clone)]
pub struct Question {
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
    pub fn new(walks: Loader) -> Self {
        Self { all: Arc::default(), places: ListPlaces::default(), walks, patience: PATIENCE }
    }

    /// The one row of a composed statement, if it has one.
    pub async fn row(&self, caller: &Caller, question: Question) -> Answer {
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
    pub fn locked(&self) -> MutexGuard<'_, All> {
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

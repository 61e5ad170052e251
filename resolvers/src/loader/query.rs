//! What the loader can be asked: one statement that takes `$ids`.

use std::any::Any;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use cypher::graph::{Fingerprint, Found, Walk};
use cypher::{Engine, Error, Moment, Params, Reading, Row, Statement, Value};
use queries::ReadCache;
use serde::de::DeserializeOwned;

use crate::explain;

/// The label of composed statements in metrics and logs.
const WALK: &str = "walk";

/// A question: a statement that takes `$ids`, and its other parameters. Two are the same if they would answer the same for every id.
#[derive(Clone)]
pub struct LoaderQuery {
    kind: Arc<Kind>,
    fingerprint: Fingerprint,
}

enum Kind {
    Rows { statement: Statement, params: Params, read: ReadRows },
    Walk(Arc<Walk>),
}

/// A row that is shared by all who asked for it.
pub trait LoadedRow: DeserializeOwned + Send + Sync + 'static {}

impl<R: DeserializeOwned + Send + Sync + 'static> LoadedRow for R {}

/// The rows of one id, a `Vec` of the statement's own type.
type AnyRows = Arc<dyn Any + Send + Sync>;

/// Reads them, as the statement's type does.
type ReadRows = fn(Statement, Vec<Row>) -> Result<AnyRows, Error>;

/// The answer for one id; shared by all who asked.
#[derive(Clone)]
pub enum Loaded {
    /// The rows of a statement, in their order.
    Rows(AnyRows),
    /// What was found there, if there is such a node.
    Found(Option<Arc<Found>>),
}

/// Where what a walk finds is kept that is read from a moment on.
pub(super) struct Keeping<'a> {
    cache: &'a ReadCache,
    walk: &'a Walk,
    since: Moment,
}

impl Keeping<'_> {
    /// Keeps it, one after the other: there may be very many, and others have to come in between.
    pub(super) async fn keep(&self, found: &[Arc<Found>]) {
        for found in found {
            self.cache.keep_walk(self.walk, found, self.since);
            tokio::task::yield_now().await;
        }
    }
}

impl Loaded {
    pub(super) fn found(&self) -> Option<&Arc<Found>> {
        match self {
            Self::Found(found) => found.as_ref(),
            Self::Rows(_) => None,
        }
    }
}

impl LoaderQuery {
    /// A statement of the catalogue.
    pub fn rows<R: LoadedRow>(reading: Reading<R>, params: Params) -> Self {
        let statement = reading.statement();
        let fingerprint = Fingerprint::of(format!("{} {params:?}", statement.label));
        let read = |statement: Statement, rows| Ok(Arc::new(Reading::<R>::new(statement.label, statement.text).rows(rows)?) as AnyRows);
        Self { kind: Arc::new(Kind::Rows { statement, params, read }), fingerprint }
    }

    /// A question for a tree of links.
    pub(crate) fn walk(walk: Arc<Walk>) -> Self {
        let fingerprint = walk.fingerprint().clone();
        Self { kind: Arc::new(Kind::Walk(walk)), fingerprint }
    }

    pub fn label(&self) -> &'static str {
        match &*self.kind {
            Kind::Rows { statement, .. } => statement.label,
            Kind::Walk(_) => WALK,
        }
    }

    /// The answers of the ids that there are; of others there is none.
    pub(super) async fn ask(&self, engine: &Engine, ids: &[Arc<str>], limit: Duration) -> Result<HashMap<Arc<str>, Loaded>, Error> {
        let keys = ("ids".into(), Value::List(ids.iter().map(|id| Value::from(&**id)).collect()));
        match &*self.kind {
            Kind::Rows { statement, params, read } => {
                let mut params = params.clone();
                params.0.push(keys);
                let rows = engine.read(*statement, params, limit).await?;
                let mut by_id: HashMap<Arc<str>, Vec<Row>> = HashMap::with_capacity(ids.len());
                for row in rows {
                    by_id.entry(Arc::from(statement.id_of(&row)?)).or_default().push(row);
                }
                by_id.into_iter().map(|(id, rows)| Ok((id, Loaded::Rows(read(*statement, rows)?)))).collect()
            }
            Kind::Walk(walk) => {
                let mut composed = walk.composed().clone();
                composed.params.0.push(keys);
                let rows = engine.read_composed(WALK, composed, limit).await?;
                let read = |row| walk.visit().read(row).map(|(id, found)| (id, Loaded::Found(Some(found))));
                rows.into_iter().map(read).collect::<Result<_, _>>().map_err(|mismatch| Error::rejected(WALK, mismatch))
            }
        }
    }

    /// Where answers are kept, if they are. What must hold of a node for it to be found is asked of the store each time.
    pub(super) fn keeping<'a>(&'a self, cache: Option<&'a ReadCache>) -> Option<Keeping<'a>> {
        let Kind::Walk(walk) = &*self.kind else { return None };
        let cache = cache.filter(|_| walk.visit().passing.is_none())?;
        Some(Keeping { cache, walk, since: cache.now() })
    }

    /// Tells that it is asked, should somebody want to know.
    pub(super) fn note(&self, id: &str) {
        match &*self.kind {
            Kind::Rows { statement, params, .. } => explain::note(|| Arc::from(statement.text), params, Some(id)),
            Kind::Walk(walk) => explain::note(|| Arc::clone(walk.text()), &walk.composed().params, Some(id)),
        }
    }

    /// What is answered for an id that there is not.
    pub(super) fn nothing(&self) -> Result<Loaded, Error> {
        match &*self.kind {
            Kind::Rows { statement, read, .. } => read(*statement, Vec::new()).map(Loaded::Rows),
            Kind::Walk(_) => Ok(Loaded::Found(None)),
        }
    }
}

impl PartialEq for LoaderQuery {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}
impl Eq for LoaderQuery {}
impl Hash for LoaderQuery {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprint.hash(state);
    }
}

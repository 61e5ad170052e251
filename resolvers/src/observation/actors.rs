//! Whom observations are about, said apart from their records.

use std::sync::Arc;

use cypher::statements::rows::KnownObservation;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::given::GivenList;
use graph_schema::id::ObservationId;
use graph_schema::observation::{ObservationActor, check_actors};

use super::record::{actor_rows, by_actor};
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Add Actors to Observation: links actors to an observation that is there. One that is linked already is updated.
    #[boxed]
    pub async fn add_observation_actors(
        &self,
        caller: &Caller,
        id: &ObservationId,
        given: GivenList<ObservationActor>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Observation", id.as_str()))?;
        let mut faults = Vec::new();
        check_actors("", given.items.iter().map(|item| &item.value), &mut faults);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let actors = by_actor(given.items.iter().map(|item| &item.value));
        let locks: Vec<LockHint> = actors.keys().map(|actor| LockHint::of("Actor", actor)).collect();
        let entry = self.inner.entry(&permit, "Observation", id.as_str(), "observation.actors.added").with_new_value(Arc::clone(&given.record));
        let row = AddedActors { id: id.clone(), actors: actor_rows(&actors) };
        let once = Once { key, body: &given.record };
        self.inner.answer_once(&permit, once, r#"{"status":"OK"}"#, &Amending::<AddActors>::NEW, Write::new(row, entry).locking(locks)).await
    }
}

/// Actors to be linked to an observation.
struct AddedActors {
    id: ObservationId,
    actors: Value,
}

/// Links actors to an observation.
struct AddActors;

impl Amend for AddActors {
    type Row = AddedActors;
    type Locked = KnownObservation;
    type Stored = KnownObservation;
    type Answer = ();

    const LOCK: Reading<KnownObservation> = statements::observation::LOCK_KNOWN;
    const WRITE: WriteStatement = statements::observation::ADD_ACTORS;
    const RANK: Rank = Rank::Transaction;

    fn id(added: &AddedActors) -> &str {
        added.id.as_str()
    }

    fn size(added: &AddedActors) -> usize {
        1_000 + added.actors.size()
    }

    fn decide(added: &AddedActors, stored: Option<KnownObservation>, _: Decision<'_>) -> Result<Amended<()>> {
        match stored.and_then(|stored| stored.record) {
            Some(_) => Ok(Amended::by((), map([("id", added.id.as_str().into()), ("actors", added.actors.clone())]))),
            None => Err(Error::not_found(ObjectKind::Observation, added.id.as_str())),
        }
    }
}

//! Observations of the alerts queue that somebody adds to an open case.
//!
//! They are added by the rule by which a case is raised from them ([`super::alerts`]): none of them is in a case, and the case focuses on, or concerns, those of
//! their actors that it has not. What it says of the others stays.

use std::collections::BTreeSet;

use cypher::statements::rows::{LockedAlerts, PreparedAlert};
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::case::{CaseActorType, MAX_CASE_ACTORS};
use graph_schema::id::{CaseId, ObservationId};
use graph_schema::workflow::StepState;
use serde_json::json;

use super::alerts::{OBSERVATIONS, actors_of, check, in_turn};
use super::field_times::{FieldTimes, Said};
use super::stored::{CaseChange, Counters, absent};
use crate::policy::Permit;
use crate::queue::{Amend, Amended, Amending, Decision, Part, Rank, Write};
use crate::{Error, Inner, ObjectKind, Result};

impl Inner {
    /// The write that adds observations to a case.
    pub(super) async fn adding_part(&self, permit: &Permit<'_>, case: &CaseId, observations: &[ObservationId]) -> Result<Part> {
        let id = case.as_str();
        // Nothing is locked where none of the observations is there: so that it is known then that the case is.
        let there = self.read(permit, statements::bulk::CASES_THERE, Params::none().with("ids", vec![id])).await?;
        if there.is_empty() {
            return Err(absent(case));
        }
        let said = json!({"observationIds": observations}).to_string();
        let entry = self.entry(permit, "Case", id, "case.updated").in_case(id).with_new_value(said);
        let row = AlertsToAdd { case: case.clone(), observations: observations.to_vec(), by: permit.caller().id.clone() };
        Ok(Part::new(&Amending::<AddAlerts>::NEW, in_turn(Write::new(row, entry), observations)))
    }
}

/// Observations to be added to a case.
struct AlertsToAdd {
    case: CaseId,
    /// Each once, in the order of their ids.
    observations: Vec<ObservationId>,
    by: String,
}

/// A case, and what is to be added to it.
struct StoredAlerts {
    counters: Counters,
    state: StepState,
    times: FieldTimes,
    observations: Vec<PreparedAlert>,
    /// Those of their actors that are the case's.
    linked: BTreeSet<String>,
}

impl From<LockedAlerts> for StoredAlerts {
    fn from(row: LockedAlerts) -> Self {
        let mut linked = BTreeSet::new();
        let observations = row.observations.into_iter().map(|found| {
            linked.extend(found.linked);
            PreparedAlert { id: found.id, known: found.known, handled: found.handled, actors: found.actors, cases: found.cases }
        });
        let observations = observations.collect();
        Self {
            counters: Counters { version: row.version, event_sequence: row.event_sequence },
            state: row.state,
            times: FieldTimes::stored(row.field_times.as_deref(), row.logical_time, row.clock),
            observations,
            linked,
        }
    }
}

/// Adds observations to an open case.
struct AddAlerts;

impl Amend for AddAlerts {
    type Row = AlertsToAdd;
    type Locked = LockedAlerts;
    type Stored = StoredAlerts;
    type Answer = ();

    const LOCK: Reading<LockedAlerts> = statements::case::LOCK_ALERTS;
    const WRITE: WriteStatement = statements::case::EXTEND;
    const RANK: Rank = Rank::Case;

    fn id(row: &AlertsToAdd) -> &str {
        row.case.as_str()
    }

    fn lock_row(row: &AlertsToAdd, write_id: &str) -> Value {
        let observations: Vec<&str> = row.observations.iter().map(|id| id.as_str()).collect();
        map([("id", row.case.as_str().into()), ("writeId", write_id.into()), ("observations", observations.into())])
    }

    fn size(row: &AlertsToAdd) -> usize {
        1_000 + row.observations.iter().map(|id| 2 * id.as_str().len()).sum::<usize>()
    }

    fn decide(row: &AlertsToAdd, stored: Option<StoredAlerts>, decision: Decision<'_>) -> Result<Amended<()>> {
        let none_there = || Error::not_found(ObjectKind::Observation, row.observations.first().map_or("", |id| id.as_str()));
        let stored = stored.ok_or_else(none_there)?;
        if stored.state == StepState::Closed {
            return Err(Error::invalid("caseId", "is the id of a case that is closed; reopen it, or leave caseId out for a new case"));
        }
        check(&row.observations, &stored.observations)?;
        let alerts: Vec<&PreparedAlert> = stored.observations.iter().collect();
        let actors: Vec<_> = actors_of(&alerts).into_iter().filter(|actor| !stored.linked.contains(actor.id.as_str())).collect();
        if actors.len() > MAX_CASE_ACTORS {
            let problem = format!("are about {} more actors; add at most {MAX_CASE_ACTORS} at once", actors.len());
            return Err(Error::invalid(OBSERVATIONS, problem));
        }
        let of_type = |wanted: CaseActorType| -> Value {
            let of_it = actors.iter().filter(|actor| actor.kind.unwrap_or_default() == wanted);
            Value::List(of_it.map(|actor| map([("id", actor.id.as_str().into()), ("props", Value::Map(Vec::new()))])).collect())
        };
        let times = stored.times.with(actors.iter().map(|actor| Said::actor(actor.id.as_str(), false)), &decision);
        let observations: Vec<&str> = row.observations.iter().map(|id| id.as_str()).collect();
        let nothing = || Value::List(Vec::new());
        let more = [
            ("relinked", nothing()),
            ("focal", of_type(CaseActorType::Focal)),
            ("connected", of_type(CaseActorType::Connection)),
            ("observations", observations.into()),
            ("linkedAt", decision.now.millis().into()),
            ("linkedBy", decision.entry.id().into()),
            ("by", row.by.as_str().into()),
            ("named", nothing()),
            ("described", nothing()),
        ];
        let change = CaseChange::of(&row.case, stored.counters).setting(times);
        Ok(change.telling_of_an_update().amended((), &decision, more))
    }
}

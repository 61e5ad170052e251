//! All batchers, one an operation, and the lane they share.

use std::time::Duration;

use cypher::{Engine, Params, Statement, statements};

use crate::batcher::{Batcher, Lane};
use crate::simple::{Answers, Simple};
use crate::transaction::RecordTransactions;
use crate::versioned::{RecordAccounts, RecordActors};

/// Every kind of write.
pub(crate) struct Writers {
    lane: Lane,
    pub actors: Batcher<RecordActors>,
    pub accounts: Batcher<RecordAccounts>,
    pub transactions: Batcher<RecordTransactions>,
    pub associates: Batcher<Simple>,
    pub exclusions: Batcher<Simple>,
    pub assessments: Batcher<Simple>,
    pub extended_information: Batcher<Simple>,
    pub risk_scores: Batcher<Simple>,
    pub balances: Batcher<Simple>,
    pub roles: Batcher<Simple>,
    pub role_removals: Batcher<Simple>,
    pub channel_locations: Batcher<Simple>,
    pub devices: Batcher<Simple>,
    pub sign_ins: Batcher<Simple>,
    pub keys: Batcher<Simple>,
    pub first_keys: Batcher<Simple>,
    pub key_revocations: Batcher<Simple>,
    pub clients: Batcher<Simple>,
    pub client_revocations: Batcher<Simple>,
}

impl Writers {
    pub fn start(engine: &Engine) -> Self {
        let lane = Lane::default();
        let simple = |statement: Statement, answers: Answers| Batcher::start(Simple { statement, answers }, engine.clone(), lane.clone());
        Self {
            actors: Batcher::start(RecordActors, engine.clone(), lane.clone()),
            accounts: Batcher::start(RecordAccounts, engine.clone(), lane.clone()),
            transactions: Batcher::start(RecordTransactions, engine.clone(), lane.clone()),
            associates: simple(statements::associate::RECORD, Answers::Nothing),
            exclusions: simple(statements::risk::EXCLUDE, Answers::Nothing),
            assessments: simple(statements::risk::ASSESS, Answers::Nothing),
            extended_information: simple(statements::risk::EXTEND, Answers::Nothing),
            risk_scores: simple(statements::risk::SCORE, Answers::Nothing),
            balances: simple(statements::account::ADD_BALANCE, Answers::Nothing),
            roles: simple(statements::account::ADD_ACTORS, Answers::Nothing),
            role_removals: simple(statements::account::REMOVE_ACTOR, Answers::Changed),
            channel_locations: simple(statements::channel_location::RECORD, Answers::Nothing),
            devices: simple(statements::device::RECORD, Answers::Nothing),
            sign_ins: simple(statements::device::SIGN_IN, Answers::Nothing),
            keys: simple(statements::credential::CREATE_KEY, Answers::Nothing),
            first_keys: simple(statements::credential::FIRST_KEY, Answers::Changed),
            key_revocations: simple(statements::credential::REVOKE_KEY, Answers::Changed),
            clients: simple(statements::credential::CREATE_CLIENT, Answers::Nothing),
            client_revocations: simple(statements::credential::REVOKE_CLIENT, Answers::Changed),
            lane: lane.clone(),
        }
    }

    /// Waits for the transactions under way, if there are any.
    pub async fn idle(&self) {
        drop(self.lane.write().await);
    }
}

/// Statements of the write path, the hottest first: a cold Neo4j takes seconds to plan the largest of them.
const PLANNED_AHEAD: [Statement; 13] = [
    statements::transaction::RECORD,
    statements::transaction::RECORD_ONE_SIDED,
    statements::account::RESOLVE_IDENTIFIERS,
    statements::transaction::LOCK,
    statements::transaction::UNLINK,
    statements::transfer::ADD,
    statements::transfer::REFRESH_SPAN,
    statements::audit_and_outbox::APPEND,
    statements::actor::LOCK,
    statements::actor::RECORD,
    statements::account::LOCK,
    statements::account::RECORD,
    statements::account::ADD_ACTORS,
];

/// Statements of a walk along the money, which take a cold Neo4j long as well.
const READ_AHEAD: [Statement; 5] = [
    statements::account::FACTS,
    statements::actor::FACTS,
    statements::account::TRANSFERRED_TO,
    statements::account::TRANSFERRED_TO_THRICE,
    statements::account::RECEIVED_FROM_THRICE,
];

/// How long one of them may take to plan.
const PLANNING: Duration = Duration::from_secs(30);

/// How long after a failed attempt the next one is made.
const AGAIN: Duration = Duration::from_millis(250);

/// Runs the statements of the hot paths without rows, which changes nothing and leaves their plans in the database's cache: those of writes at
/// once, and all whenever the database was away. Ends with the task that runs it.
pub(crate) async fn keep_warm(engine: &Engine) {
    while let Err(error) = plan_writes(engine).await {
        again_later(&error).await;
    }
    loop {
        engine.outage().await;
        while let Err(error) = plan_writes(engine).await {
            again_later(&error).await;
        }
        while let Err(error) = plan_reads(engine).await {
            again_later(&error).await;
        }
    }
}

async fn again_later(error: &cypher::Error) {
    tracing::debug!(%error, "warming up");
    tokio::time::sleep(AGAIN).await;
}

async fn plan_writes(engine: &Engine) -> Result<(), cypher::Error> {
    for statement in PLANNED_AHEAD {
        planned(engine.write_within(statement, Params::rows(Vec::new()), PLANNING).await)?;
    }
    Ok(())
}

async fn plan_reads(engine: &Engine) -> Result<(), cypher::Error> {
    let nobody = || Params::none().with("ids", Vec::<String>::new());
    let steps = || nobody().with("limit", 1i64).with("limit2", 1i64).with("limit3", 1i64);
    for statement in READ_AHEAD {
        planned(engine.read(statement, steps(), PLANNING).await)?;
    }
    Ok(())
}

/// Only a database that is away is worth another try.
fn planned(outcome: Result<Vec<cypher::Row>, cypher::Error>) -> Result<(), cypher::Error> {
    match outcome {
        Err(error) if error.is_outage() => Err(error),
        Err(error) => {
            tracing::warn!(%error, "warming up");
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}

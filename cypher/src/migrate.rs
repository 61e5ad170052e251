//! Bringing a store up to date. Every statement of a migration says `IF NOT EXISTS`, and marking one as applied is a `MERGE`, so that two
//! instances that start together do no harm to each other, and one that was cut short is simply repeated.
//!
//! A statement that goes through all nodes of a label takes `$after`, an id, does its part for some behind it in the order of ids, and answers with the `last`
//! of them. It comes again until there are no more: one transaction over all of a large store would take longer than any may, and be undone each time. A change
//! during which the database is away, or slow, is made again: whoever began anew would go through all parts before it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use graph_schema::migrations::{MIGRATIONS, Migration};
use serde::Deserialize;

use crate::{Engine, Error, Params, Reading, Statement, boxed, statements};

const LIMIT: Duration = Duration::from_secs(5);
/// How long one part of a statement that comes again may take.
const PART_LIMIT: Duration = Duration::from_secs(50);
/// How long a change is tried again that the database does not make, because it is away or slow.
const PATIENCE: Duration = Duration::from_secs(300);
/// The log says how far a statement has come each time that it has done so many parts. Not up to which id, as the log has none.
const PARTS_TOLD: usize = 20;
/// Two instances that create the same constraint at once: one of them is told of a conflict and tries again.
const TRIES: u32 = 20;
/// Migrations whose indexes serve lists in an order: behind the first property of each index come those by which its list is sorted. Neo4j reads such an index in
/// that order. The embedded engine keeps an index as a hash table of all its properties together, which has no order, and has none of links. There these indexes
/// would speed up no list, and each write would pay for them.
const FOR_NEO4J_ALONE: &[&str] = &["0032_audit_lists", "0034_actor_seeks", "0035_choices", "0037_lists_by_rule_and_type"];
/// Migrations of which that holds for the indexes of several properties, and not for the rest.
const IN_PART_FOR_NEO4J_ALONE: &[&str] = &["0033_case_queues", "0036_case_counts"];
/// The migration by which other processes can be told of what is written. A store without it has none that listen.
const TELLING: &str = "0038_cache_writers";

/// A row of a statement that comes again.
#[derive(Deserialize)]
struct PartRow {
    /// The id of the last node; null where there are no more.
    last: Option<String>,
}

/// Applies the migrations that the store does not have yet; answers with their ids. Refuses a store that is newer than this program.
#[boxed]
pub async fn migrate(engine: &Engine) -> Result<Vec<&'static str>, Error> {
    let applied = applied(engine).await?;
    if let Some(newer) = applied.iter().find(|id| !MIGRATIONS.iter().any(|known| known.id == **id)) {
        let detail = format!("the store is newer than this program: it has the migration {newer}");
        return Err(Error::Rejected { statement: "migrate", detail });
    }
    let missing = MIGRATIONS.iter().filter(|migration| !applied.iter().any(|id| id == migration.id));
    let (mut done, mut can_tell) = (Vec::new(), applied.iter().any(|id| id == TELLING));
    for migration in missing {
        let telling = if can_tell { engine.clone() } else { engine.unstamped() };
        apply(&telling, migration).await?;
        can_tell |= migration.id == TELLING;
        tracing::info!(migration = migration.id, "applied");
        done.push(migration.id);
    }
    // Whoever finds all applied may have come a moment after who did it.
    engine.await_indexes().await;
    Ok(done)
}

/// Whether the store has all migrations that this program knows.
#[boxed]
pub async fn is_migrated(engine: &Engine) -> Result<bool, Error> {
    let applied = applied(engine).await?;
    Ok(MIGRATIONS.iter().all(|migration| applied.iter().any(|id| id == migration.id)))
}

async fn applied(engine: &Engine) -> Result<Vec<String>, Error> {
    let rows = engine.read_as(statements::migration::LIST, Params::none(), LIMIT).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

async fn apply(engine: &Engine, migration: &'static Migration) -> Result<(), Error> {
    let is_for_it = |text: &&str| {
        let is_for_neo4j = FOR_NEO4J_ALONE.contains(&migration.id) || (IN_PART_FOR_NEO4J_ALONE.contains(&migration.id) && is_of_several(text));
        matches!(engine, Engine::Bolt(_)) || !is_for_neo4j
    };
    for text in migration.statements().filter(is_for_it) {
        // Planned before an index is ready, it would go through all nodes of a label.
        if text.starts_with("MATCH") {
            engine.await_indexes().await;
        }
        if text.contains("$after") {
            in_parts(engine, migration.id, text).await?;
        } else {
            patiently(|| engine.change_schema(Statement::new("migration/apply", text))).await?;
        }
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64);
    let mark = || Params::none().with("id", migration.id).with("name", format!("Migration {}", migration.id)).with("at", now);
    patiently(|| async { engine.write(statements::migration::MARK, mark()).await.map(drop) }).await
}

/// Runs a statement until it has gone through all nodes.
async fn in_parts(engine: &Engine, migration: &'static str, text: &'static str) -> Result<(), Error> {
    let part = Reading::<PartRow>::new("migration/part", text);
    let (mut after, mut parts) = (String::new(), 0_usize);
    loop {
        let rows = patiently(|| engine.write_within_as(part, Params::none().with("after", after.as_str()), PART_LIMIT)).await?;
        let Some(last) = part.first(rows)?.last else { return Ok(()) };
        (after, parts) = (last, parts + 1);
        if parts.is_multiple_of(PARTS_TOLD) {
            tracing::info!(migration, parts, "going through the store");
        }
    }
}

/// Whether a statement makes an index of several properties.
fn is_of_several(text: &str) -> bool {
    text.starts_with("CREATE INDEX") && text.rsplit_once('(').is_some_and(|(_, properties)| properties.contains(','))
}

/// Makes a change that may be made twice, however often that takes.
async fn patiently<T, F: Future<Output = Result<T, Error>>>(change: impl Fn() -> F) -> Result<T, Error> {
    let (began, mut tries) = (Instant::now(), 1);
    loop {
        match change().await {
            Err(Error::Conflict { .. } | Error::Constraint { .. }) if tries < TRIES => {
                tries += 1;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Err(error) if (error.is_outage() || matches!(error, Error::TimeLimit { .. })) && began.elapsed() < PATIENCE => {
                tracing::warn!(%error, "a change of a migration is made again");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            outcome => return outcome,
        }
    }
}

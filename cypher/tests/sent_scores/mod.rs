//! How an actor stands by scores that were sent in any order is what all of them together say, whether an older program has kept the first of them or not.

use cypher::{Engine, Params, Statement, Value, map, statements};
use graph_schema::migrations::MIGRATIONS;
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::{LONG, without_a_trace};

const CLEAN: Statement = Statement::new(
    "test/sent_scores/clean",
    "UNWIND $ids AS id MATCH (n:Actor {id: id}) OPTIONAL MATCH (n)-[:HAS_RISK_SCORE]->(x:RiskScore) DETACH DELETE n, x",
);
const STANDING: Statement = Statement::new(
    "test/sent_scores/standing",
    "UNWIND $ids AS id MATCH (n:Actor {id: id}) RETURN n.riskScore AS score, n.riskBand AS band, n.riskScoreAsOf AS asOf, n.calculatedRiskScore AS calculated, \
     n.riskScoreOverridden AS overridden, n.riskScoreParts AS parts",
);
const PLACES: Statement = Statement::new(
    "test/sent_scores/places",
    "UNWIND $ids AS id MATCH (n:Actor {id: id}) RETURN n.riskScoreKey AS place, n.riskScoreAlone AS alone, n.riskOverrideKey AS overridePlace, \
     n.riskOverrideScore AS override, n.riskScoreParts AS parts, n.riskScoreOrder AS inOrder",
);
const ACTORS: usize = 60;

/// A score: its place among all, its date, its final score, what is said to have been calculated, and whether it overrides.
struct Sent {
    place: String,
    as_of: String,
    value: f64,
    calculated: Option<f64>,
    overrides: Option<bool>,
    row: Value,
}

fn sent(random: &mut StdRng, actor: &str, at: usize) -> Sent {
    let as_of = format!("2026-01-{:02}", random.random_range(1..5));
    let ingested_at = 1_700_000_000_000_i64 + random.random_range(0..3);
    let id = format!("{actor}-{}-{at}", random.random_range(0..100));
    let place = format!("{as_of}/{ingested_at:015}/{id}");
    let value = [10.0, 49.999, 50.0, 90.25, 1e300][random.random_range(0..5)];
    let calculated = random.random_bool(0.5).then_some(7.5);
    let overrides = [None, None, Some(true), Some(false)][random.random_range(0..4)];
    let score = map([
        ("name", "desk".into()),
        ("riskRuleId", "desk".into()),
        ("riskRuleVersion", Value::Null),
        ("asOfDate", as_of.as_str().into()),
        ("finalScore", value.into()),
        ("calculatedScore", calculated.into()),
        ("override", overrides.into()),
        ("overrideReason", Value::Null),
        ("dataSource", Value::Null),
        ("riskBand", "low_risk".into()),
        ("ingestedAt", ingested_at.into()),
        ("ingestedBy", "me".into()),
        ("record", "{}".into()),
    ]);
    let nothing = || Value::Map(Vec::new());
    let row = map([
        ("id", actor.into()),
        ("scoreId", id.into()),
        ("key", place.as_str().into()),
        ("mediumFrom", 50.0_f64.into()),
        ("highFrom", 80.0_f64.into()),
        ("score", score),
        ("more", nothing()),
        ("standing", nothing()),
    ]);
    Sent { place, as_of, value, calculated, overrides, row }
}

/// As an actor stands that has all of them: score, band, date, calculated score, whether one overrides, parts.
fn expected(scores: &[Sent]) -> [Value; 6] {
    let latest = |wanted: &dyn Fn(&&Sent) -> bool| scores.iter().filter(wanted).max_by(|one, other| one.place.cmp(&other.place));
    let last = latest(&|_| true).expect("a score");
    let overriding = latest(&|score| score.overrides.is_some()).filter(|score| score.overrides == Some(true));
    let value = overriding.unwrap_or(last).value;
    let band = match value {
        value if value >= 80.0 => "high_risk",
        value if value >= 50.0 => "medium_risk",
        _ => "low_risk",
    };
    let parts = (value.min(900_000_000_000_000.0) * 10_000.0) as i64;
    [value.into(), band.into(), last.as_of.as_str().into(), last.calculated.into(), overriding.is_some().into(), parts.into()]
}

pub async fn leave_what_all_of_them_say(engine: Engine) {
    let ids: Vec<String> = (0..ACTORS).map(|at| format!("sent-scores-{at}")).collect();
    engine.write_within(CLEAN, Params::none().with("ids", ids.clone()), LONG).await.expect("clean");
    let mut random = StdRng::seed_from_u64(29);
    let scores: Vec<Vec<Sent>> = ids.iter().map(|actor| (0..random.random_range(1..6)).map(|at| sent(&mut random, actor, at)).collect()).collect();
    for at in 0.. {
        let next = scores.iter().enumerate().filter_map(|(actor, scores)| Some((actor, scores.len(), scores.get(at)?)));
        // An older program has kept the first ones of every third actor, but for the last.
        let (former, new): (Vec<_>, Vec<_>) = next.partition(|(actor, count, _)| actor % 3 == 0 && at < count / 2);
        if former.is_empty() && new.is_empty() {
            break;
        }
        for (statement, some) in [(statements::risk::SCORE, former), (statements::risk::ADD_SCORE, new)] {
            write(&engine, statement.statement(), some.iter().map(|(_, _, score)| score.row.clone()).collect()).await;
        }
    }
    for (actor, scores) in ids.iter().zip(&scores) {
        let rows = engine.read(STANDING, Params::none().with("ids", vec![actor.as_str()]), LONG).await.expect("it is read");
        let [row] = rows.as_slice() else { panic!("{actor}: {rows:?}") };
        let standing = ["score", "band", "asOf", "calculated", "overridden", "parts"].map(|column| row.get(column).clone());
        let sent: Vec<_> = scores.iter().map(|score| (&score.place, score.value, score.overrides)).collect();
        assert_eq!(standing, expected(scores), "{} of {actor} on {}: {sent:?}", scores.len(), engine.name());
    }
    are_placed_by_the_migration(&engine).await;
}

/// Actors whose scores an older program has kept, all of them, get the places that it has not kept.
async fn are_placed_by_the_migration(engine: &Engine) {
    let ids: Vec<String> = (0..20).map(|at| format!("sent-scores-older-{at:02}")).collect();
    engine.write_within(CLEAN, Params::none().with("ids", ids.clone()), LONG).await.expect("clean");
    let mut random = StdRng::seed_from_u64(34);
    let scores: Vec<Vec<Sent>> = ids.iter().map(|actor| (0..random.random_range(1..6)).map(|at| sent(&mut random, actor, at)).collect()).collect();
    for score in scores.iter().flatten() {
        write(engine, statements::risk::SCORE.statement(), vec![score.row.clone()]).await;
    }
    let migration = MIGRATIONS.iter().find(|migration| migration.id == "0034_actor_lists").expect("the migration");
    let text = migration.statements().find(|text| text.contains("riskScoreKey")).expect("its statement");
    let mut after = Value::from("sent-scores-older");
    while after != Value::Null {
        let rows = engine.write_within(Statement::new("test/sent_scores/migrate", text), Params::none().with("after", after), LONG).await;
        after = rows.expect("it is written")[0].get("last").clone();
    }
    for (actor, scores) in ids.iter().zip(&scores) {
        let rows = engine.read(PLACES, Params::none().with("ids", vec![actor.as_str()]), LONG).await.expect("it is read");
        let placed = ["place", "alone", "overridePlace", "override", "parts", "inOrder"].map(|column| rows[0].get(column).clone());
        let latest = |wanted: &dyn Fn(&&Sent) -> bool| scores.iter().filter(wanted).max_by(|one, other| one.place.cmp(&other.place));
        let (last, decision) = (latest(&|_| true).expect("a score"), latest(&|score| score.overrides.is_some()));
        let overriding = decision.filter(|score| score.overrides == Some(true)).map(|score| score.value);
        let parts = (overriding.unwrap_or(last.value).min(900_000_000_000_000.0) * 10_000.0) as i64;
        let place = decision.map(|score| score.place.as_str());
        let wanted: [Value; 6] = [last.place.as_str().into(), last.value.into(), place.into(), overriding.into(), parts.into(), parts.into()];
        assert_eq!(placed, wanted, "{actor} on {}", engine.name());
    }
}

async fn write(engine: &Engine, statement: Statement, rows: Vec<Value>) {
    engine.write_within(statement, without_a_trace(Params::rows(rows)), LONG).await.expect("it is written");
}

use std::time::{Duration, Instant};

use cypher::{Engine, Params, Statement, statements};
use resolvers::testing::warm::{PLANNING, Warmth, nothing_to_do, run_behind_a_change};

#[test]
fn the_service_is_ready_when_plans_are_made_or_patience_is_over() {
    let (warmth, now) = (Warmth::default(), Instant::now());
    let later = |seconds| now + Duration::from_secs(seconds);
    assert!(warmth.is_enough(now), "none are to be made");
    warmth.cold(later(10));
    assert!(!warmth.is_enough(now) && !warmth.is_enough(later(9)));
    assert!(warmth.is_enough(later(10)), "nobody waits for ever");
    warmth.wait_no_more();
    assert!(warmth.is_enough(now), "nor after an outage");
}

/// With nothing to do each of them does nothing, behind a change or not.
#[tokio::test(flavor = "multi_thread")]
async fn planning_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(cypher::Embedded::open(folder.path()).await.expect("it opens"));
    cypher::migrate(&engine).await.expect("it migrates");
    for statement in statements::COMING_FIRST.into_iter().chain(statements::BEHIND_A_CHANGE) {
        engine.write(statement, nothing_to_do()).await.expect("it does nothing");
    }
    let made = metrics::gauge!("plans");
    for which in [0, 1] {
        run_behind_a_change(&engine, which, &made).await.expect("it does nothing");
    }
    let all = Statement::new("test/all", "MATCH (n:AuditEntry) RETURN count(*) AS total");
    let rows = engine.read(all, Params::none(), PLANNING).await.expect("it is read");
    assert_eq!(rows[0].get("total").as_int(), Some(0));
}

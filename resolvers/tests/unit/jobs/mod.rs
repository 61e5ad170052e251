mod instance;
mod record;

use std::collections::BTreeSet;
use std::time::Duration;

use resolvers::testing::jobs::standard;

#[test]
fn every_job_has_a_name_of_its_own_and_a_lease_that_can_be_renewed() {
    let jobs = standard();
    let names: BTreeSet<&str> = jobs.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), jobs.len());
    assert!(jobs.iter().all(|(_, lease)| *lease >= Duration::from_secs(10)), "a database may be silent for some seconds");
}

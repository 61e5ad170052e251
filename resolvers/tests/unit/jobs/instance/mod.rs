mod store;

use std::collections::BTreeSet;
use std::time::Duration;

use resolvers::testing::jobs::instance::standard;

#[test]
fn every_kind_has_a_name_of_its_own_and_a_lease_that_can_be_renewed() {
    let kinds = standard();
    let names: BTreeSet<&str> = kinds.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names.len(), kinds.len());
    assert!(kinds.iter().all(|(_, lease, at_once, failures)| *lease >= Duration::from_secs(10) && *at_once > 0 && *failures > 0));
}

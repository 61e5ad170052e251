use resolvers::testing::screening::pending::wait_after;

#[test]
fn waits_for_a_silent_provider_grow_and_have_an_end() {
    let seconds: Vec<u64> = [0, 1, 2, 9, 10, i64::MAX].map(|tries| wait_after(tries).as_secs()).to_vec();
    assert_eq!(seconds, [1, 2, 4, 512, 600, 600]);
}

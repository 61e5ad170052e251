use resolvers::testing::watchlist::request::{faults, id_of};

#[test]
fn names_that_differ_in_signs_alone_are_one_list() {
    for (name, id) in
        [("OFAC SDN", "ofac-sdn"), ("ofac/sdn", "ofac-sdn"), (" UN — consolidated ", "un-consolidated"), ("Список 1", "список-1"), ("—", "")]
    {
        assert_eq!(id_of(name), id, "{name}");
    }
    assert_eq!(faults("—", "").len(), 1);
    assert!(faults("OFAC SDN", "ofac-sdn").is_empty());
}

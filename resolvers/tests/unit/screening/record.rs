use graph_schema::screening::ScreeningResponse;
use resolvers::testing::screening::record::said_less;

#[test]
fn of_two_responses_one_at_most_takes_the_others_place() {
    use ScreeningResponse::{Error, Hit, Miss, Timeout};
    for (one, other, takes) in
        [(Hit, Miss, true), (Hit, Error, true), (Hit, Timeout, true), (Miss, Error, true), (Miss, Timeout, true), (Error, Timeout, false)]
    {
        assert_eq!((said_less(one).contains(&other), said_less(other).contains(&one)), (takes, false), "{one:?}, {other:?}");
        assert!(!said_less(one).contains(&one), "{one:?}");
    }
}

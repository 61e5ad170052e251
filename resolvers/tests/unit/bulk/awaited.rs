use graph_schema::bulk::{MissingRelation, RelationKind};
use resolvers::testing::bulk::awaited::Awaited;

#[test]
fn what_arrives_wakes_those_that_wait_for_it_once() {
    let awaited = Awaited::default();
    let actor = |id: &str| MissingRelation { kind: RelationKind::Actor, id: id.to_owned() };
    assert!(!awaited.arrived("Actor", "a"), "nobody waits");
    awaited.wait_for(&[actor("a"), actor("b")], "x");
    awaited.wait_for(&[actor("a")], "y");
    awaited.wait_for(&[actor("a")], "y");
    assert!(!awaited.arrived("Observation", "a"));
    assert!(awaited.arrived("Actor", "a") && awaited.arrived("Actor", "b"));
    assert_eq!((awaited.take_woken(1), awaited.take_woken(9)), (vec!["x".to_owned()], vec!["y".to_owned()]));
    assert!(!awaited.arrived("Actor", "a") && awaited.take_woken(9).is_empty());
    awaited.wake_again(["x".to_owned()]);
    assert_eq!(awaited.take_woken(9), ["x"], "what could not be tried is woken again");
}

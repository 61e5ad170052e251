use analytics::ActorIndex;
use cypher::Value;
use graph_schema::date::Date;
use resolvers::testing::risk::facts::{KnownActor, Scope};
use resolvers::testing::risk::load::{Times, compare_volumes, ties_among};
use risk::{ActorType, Facts, Input, Tie, TieKind};

fn actor(id: &str, volume: u128, segments: &[&str]) -> KnownActor {
    KnownActor {
        id: id.to_owned(),
        kind: Some(ActorType::Individual),
        monitoring: None,
        is_of_line: true,
        facts: Facts::default(),
        volume,
        segments: segments.iter().map(|segment| (*segment).to_owned()).collect(),
        ties: Vec::new(),
        read: 0,
    }
}

fn compared(actor: &KnownActor) -> Option<String> {
    actor.facts.number(Input::VolumeAgainstSegment).map(|number| number.to_string())
}

#[test]
fn volumes_are_compared_with_the_median_of_the_segment() {
    let mut actors: Vec<KnownActor> = (0..10).map(|at| actor(&format!("retail-{at}"), 100, &["retail", "tiny"])).collect();
    actors.push(actor("large", 1_000, &["retail"]));
    actors.push(actor("elsewhere", 50, &[]));
    actors.push(actor("idle", 0, &["retail"]));
    compare_volumes(&mut actors);
    let of = |id: &str| actors.iter().find(|actor| actor.id == id).and_then(compared);
    assert_eq!(of("retail-0").as_deref(), Some("1"));
    assert_eq!(of("large").as_deref(), Some("10"));
    assert_eq!(of("elsewhere").as_deref(), Some("0.5"));
    assert_eq!(of("idle").as_deref(), Some("0"));
}

#[test]
fn nobody_who_paid_anything_leaves_no_volume_to_compare_with() {
    let mut actors = vec![actor("a", 0, &[]), actor("b", 0, &[])];
    compare_volumes(&mut actors);
    assert_eq!(actors.iter().filter_map(compared).count(), 0);
}

#[test]
fn ties_lead_to_those_who_are_there() {
    let mut actors = vec![actor("a", 0, &[]), actor("b", 0, &[])];
    actors[0].ties = vec![("b".to_owned(), TieKind::Pays, Some(0.5)), ("gone".to_owned(), TieKind::Owns, None)];
    let linked = ties_among(&actors);
    let ties: Vec<&[Tie]> = linked.iter().map(|linked| linked.ties.as_slice()).collect();
    assert_eq!(ties, [&[Tie { to: ActorIndex(1), kind: TieKind::Pays, share: Some(0.5) }][..], &[]]);
    // Whoever was not there is another tie as soon as it comes.
    assert_eq!(linked[1].read, actors[1].read);
    assert_ne!(linked[0].read, actors[0].read);
    actors.push(actor("gone", 0, &[]));
    let now = ties_among(&actors);
    assert_eq!((now[0].ties.len(), now[0].read), (2, actors[0].read));
}

#[test]
fn reads_are_told_their_times() {
    let scope = Scope { line: None, day: Date::parse("2026-03-31").expect("a date") };
    let params = Times { known_up_to: 3, begin: 1, behind: 2 }.params(&scope);
    let of = |name: &str| params.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    assert_eq!(of("asOf"), Some(Value::from("2026-03-31")));
    assert_eq!((of("knownUpTo"), of("begin"), of("behind")), (Some(3_i64.into()), Some(1_i64.into()), Some(2_i64.into())));
}

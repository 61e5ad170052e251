use std::time::Duration;

use cypher::statements::rows::{NamedEvent, SetEvents};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use resolvers::testing::change_feed::events::{Choice, MOST_BYTES};
use resolvers::testing::change_feed::position;
use resolvers::{Error, EventNames, EventPosition, EventsQuery, Result};

fn query(limit: usize, names: EventNames) -> EventsQuery {
    EventsQuery { after: None, limit, names, wait: Duration::ZERO }
}

fn set(position: i64, events: &[&str]) -> SetEvents {
    SetEvents { position, events: events.iter().map(|id| (*id).to_owned()).collect() }
}

/// An event whose name is what stands before the dash in its id.
fn named(id: &str, size: i64) -> NamedEvent {
    let event_name = id.split('-').next().unwrap_or_default().to_owned();
    NamedEvent { id: id.to_owned(), event_name, size }
}

/// Sets 1 to 4: an event, none, three events, one.
fn sets() -> Vec<SetEvents> {
    vec![set(1, &["a-1"]), set(2, &[]), set(3, &["a-2", "b-1", "a-3"]), set(4, &["b-2"])]
}

const ALL: [&str; 5] = ["a-1", "a-2", "b-1", "a-3", "b-2"];

/// What a choice of sets takes behind a position, and up to where it comes.
fn taken_of(sets: Vec<SetEvents>, after: &str, query: &EventsQuery, kept: &[NamedEvent]) -> Result<(Vec<String>, String)> {
    let after = EventPosition::parse(after).expect("a position");
    let last = sets.len() as i64;
    let mut choice = Choice::behind(after, query, MOST_BYTES);
    let listed = choice.listed(sets.into_iter().filter(|row| row.position > position::set(after)).collect())?;
    choice.take_some(&listed, kept.to_vec())?;
    let at = if choice.is_full { choice.at } else { position::behind(last) };
    Ok((choice.chosen.into_iter().map(|event| event.id).collect(), at.to_string()))
}

fn taken(after: &str, query: &EventsQuery, kept: &[NamedEvent]) -> Result<(Vec<String>, String)> {
    taken_of(sets(), after, query, kept)
}

fn small() -> Vec<NamedEvent> {
    ALL.iter().map(|id| named(id, 10)).collect()
}

#[test]
fn parts_of_any_size_put_together_are_all_events_in_their_order() {
    let only_b = EventNames::These(vec!["b".to_owned()]);
    for (names, wanted) in [(EventNames::All, ALL.to_vec()), (only_b, vec!["b-1", "b-2"])] {
        for limit in 1..=6 {
            let query = query(limit, names.clone());
            let (mut read, mut at) = (Vec::new(), "0".to_owned());
            for _ in 0..=ALL.len() {
                let (some, next) = taken(&at, &query, &small()).expect("all is kept");
                assert!(some.len() <= limit, "{some:?}");
                read.extend(some);
                at = next;
            }
            assert_eq!(read, wanted, "{limit} of {names:?}");
            assert_eq!(at, "4", "{limit} of {names:?}");
        }
    }
}

/// Sets at random: some have no event, the others a few of a few names.
fn some_sets(random: &mut StdRng) -> Vec<SetEvents> {
    let mut sets = Vec::new();
    for position in 1..=random.random_range(1..12) {
        let many = random.random_range(0..5);
        let events = (0..many).map(|at| format!("{}-{position}-{at}", ["a", "b", "c"][random.random_range(0..3)])).collect();
        sets.push(SetEvents { position, events });
    }
    sets
}

#[test]
fn random_sets_in_random_parts_are_what_going_through_all_of_them_gives() {
    let mut random = StdRng::seed_from_u64(7);
    for _ in 0..500 {
        let sets = some_sets(&mut random);
        let all: Vec<&String> = sets.iter().flat_map(|set| &set.events).collect();
        let kept: Vec<NamedEvent> = all.iter().map(|id| named(id, 10)).collect();
        let these: Vec<String> = ["a", "b", "c"].iter().filter(|_| random.random_bool(0.6)).map(|name| (*name).to_owned()).collect();
        let wanted: Vec<&String> = all.iter().copied().filter(|id| these.iter().any(|name| id.starts_with(name.as_str()))).collect();
        let (mut read, mut at) = (Vec::new(), "0".to_owned());
        while at != sets.len().to_string() {
            let query = query(random.random_range(1..5), EventNames::These(these.clone()));
            let (some, next) = taken_of(sets.clone(), &at, &query, &kept).expect("all is kept");
            assert!(some.len() <= query.limit && next != at, "{some:?} behind {at}, then {next}");
            read.extend(some);
            at = next;
        }
        assert_eq!(read.iter().collect::<Vec<_>>(), wanted, "{these:?} of {sets:?}");

        let places = sets.iter().flat_map(|set| (1..=set.events.len()).map(move |read| position::inside(set.position, read, set.events.len())));
        for (behind, place) in places.enumerate() {
            let rest = taken_of(sets.clone(), &place.to_string(), &query(1_000, EventNames::All), &kept).expect("all is kept").0;
            assert_eq!(rest.iter().collect::<Vec<_>>(), all[behind + 1..], "behind {place} of {sets:?}");
        }
    }
}

#[test]
fn an_answer_ends_before_it_is_too_large_and_has_one_event_at_least() {
    let of_size = |size| ALL.iter().map(|id| named(id, size)).collect::<Vec<_>>();
    let query = query(100, EventNames::All);
    assert_eq!(taken("0", &query, &of_size(MOST_BYTES * 2)).expect("kept").0, ["a-1"]);
    let halves = taken("0", &query, &of_size(MOST_BYTES / 2)).expect("kept");
    assert_eq!(halves, (vec!["a-1".to_owned(), "a-2".to_owned()], "3.1".to_owned()));
}

#[test]
fn what_is_kept_no_more_is_told_and_never_passed_over() {
    let query = query(100, EventNames::All);
    let without = |gone: &[&str]| small().into_iter().filter(|event| !gone.contains(&event.id.as_str())).collect::<Vec<_>>();
    let refused = taken("0", &query, &without(&["a-1", "a-2"]));
    assert!(matches!(refused, Err(Error::Forgotten { oldest: 3 })), "{refused:?}");
    assert_eq!(taken("0", &query, &without(&["b-1"])).expect("some are kept").0, ["a-1", "a-2"], "the next read is told");
    let only_b = EventsQuery { names: EventNames::These(vec!["b".to_owned()]), ..query };
    let refused = taken("0", &only_b, &without(&["a-1"]));
    assert!(matches!(refused, Err(Error::Forgotten { oldest: 1 })), "nobody knows which name it had: {refused:?}");
}

#[test]
fn a_position_behind_more_events_than_a_set_has_is_refused() {
    let query = query(100, EventNames::All);
    assert_eq!(taken("3.3", &query, &small()).expect("all of the set").0, ["b-2"]);
    for after in ["3.4", "2.1"] {
        assert!(matches!(taken(after, &query, &small()), Err(Error::Invalid(_))), "{after}");
    }
}

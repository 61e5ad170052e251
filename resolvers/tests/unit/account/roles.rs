use cypher::statements::rows::{LockedRole, RoleLink};
use proptest::prelude::*;
use resolvers::testing::account::roles::{FormerRole, Roles};
use resolvers::testing::logical_time::{Acknowledged, LogicalTime, TICK};

const DATES: [&str; 3] = ["2024-01-01", "2024-02-01", "2024-03-01"];

/// What is asked for, in the order of acknowledgements.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Single(usize),
    /// Written when so many others were asked for.
    InBulk(usize, usize),
    Removal,
}

fn asked() -> impl Strategy<Value = Asked> {
    prop_oneof![
        2 => (0..DATES.len()).prop_map(Asked::Single),
        4 => (0..DATES.len(), 0usize..6).prop_map(|(date, later)| Asked::InBulk(date, later)),
        2 => Just(Asked::Removal),
    ]
}

/// The latest date that was given, unless everything was taken away after it was given last.
fn wanted(acknowledged: &[Option<usize>]) -> Option<&'static str> {
    let latest = acknowledged.iter().flatten().max()?;
    let given = acknowledged.iter().rposition(|date| *date == Some(*latest));
    let removed = acknowledged.iter().rposition(Option::is_none);
    (given > removed).then_some(DATES[*latest])
}

/// What the next transaction finds of what these have written; `ended` gathers all that has ended.
fn stored(roles: &Roles, ended: &mut Vec<FormerRole>) -> Roles {
    ended.extend(roles.former.iter().cloned());
    let row = |link, name: &str, as_of: &str, logical_time| LockedRole {
        id: String::new(),
        now: roles.now,
        link: Some(link),
        role: Some(name.to_owned()),
        as_of_date: Some(as_of.to_owned()),
        logical_time,
        removed_time: None,
        since: None,
        until: None,
    };
    let mut found = Roles { now: roles.now, ..Roles::default() };
    for former in ended.iter() {
        let FormerRole { name, as_of, time, removed, since, until } = former;
        found.stored(LockedRole { removed_time: *removed, since: *since, until: Some(*until), ..row(RoleLink::HadRole, name, as_of, *time) });
    }
    for (name, role) in &roles.by_name {
        let Some(held) = role.held else { continue };
        found.stored(LockedRole { since: held.since, ..row(RoleLink::HasRole, name, &role.as_of, role.time) });
    }
    found
}

fn is_held(roles: &Roles) -> bool {
    roles.by_name.values().any(|role| role.held.is_some())
}

/// How many links say that it was there at a moment.
fn links_at(roles: &Roles, ended: &[FormerRole], at: i64) -> usize {
    let former = ended.iter().chain(&roles.former).filter(|former| former.since.is_none_or(|since| since <= at) && at < former.until);
    let present = roles.by_name.values().filter(|role| role.held.is_some_and(|held| held.since.is_none_or(|since| since <= at)));
    former.count() + present.count()
}

proptest! {
    #[test]
    fn whenever_it_is_written_what_was_acknowledged_last_counts(asked in prop::collection::vec(asked(), 1..12)) {
        let (mut roles, mut clock) = (Roles { now: Some(TICK), ..Roles::default() }, TICK);
        let mut acknowledged: Vec<Option<usize>> = Vec::new();
        let mut queue: Vec<(usize, usize, LogicalTime)> = Vec::new();
        // What was known at each moment.
        let mut known: Vec<(i64, bool)> = Vec::new();
        let (mut now, mut ended) = (0, Vec::new());
        for (at, asked) in asked.iter().enumerate() {
            now += 1;
            roles = stored(&roles, &mut ended);
            match *asked {
                Asked::Single(date) => {
                    roles.give("OWNER", DATES[date], Acknowledged::Written, now);
                    acknowledged.push(Some(date));
                }
                Asked::InBulk(date, later) => {
                    clock += TICK;
                    roles.now = Some(clock);
                    queue.push((at + later, date, LogicalTime::first_of_tick(clock)));
                    acknowledged.push(Some(date));
                }
                // Where there is none yet, nothing is removed.
                Asked::Removal if roles.remove(Acknowledged::Written, now) => acknowledged.push(None),
                Asked::Removal => {}
            }
            for (_, date, time) in queue.extract_if(.., |(due, ..)| *due <= at) {
                known.push((now, is_held(&roles)));
                now += 1;
                roles.give("OWNER", DATES[date], Acknowledged::Before(time), now);
            }
            known.push((now, is_held(&roles)));
        }
        for (_, date, time) in queue {
            now += 1;
            roles.give("OWNER", DATES[date], Acknowledged::Before(time), now);
        }
        let held = roles.by_name.get("OWNER").filter(|role| role.held.is_some()).map(|role| role.as_of.as_str());
        prop_assert_eq!(held, wanted(&acknowledged));
        for (at, was_held) in known {
            prop_assert_eq!(links_at(&roles, &ended, at), usize::from(was_held), "at {}", at);
        }
    }
}

//! Who has which roles on an account.
//!
//! An actor has a role when it was given after all of them were taken away last, by the order of acknowledgements ([`crate::logical_time`]): the role with
//! its latest `asOfDate`, of one date the one that was acknowledged last. So what was given before a removal does not come back when it is written
//! later, and neither does what speaks of an older date. What was removed is kept for that, as `HAD_ROLE`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use cypher::statements::rows::{LockedRole, RoleLink};
use cypher::{Error as DatabaseError, Params, Value, map, statements};
use graph_schema::account::AccountActors;
use graph_schema::given::Given;
use graph_schema::id::{AccountId, ActorId};

use crate::audit::AuditDraft;
use crate::logical_time::Acknowledged;
use crate::policy::Permit;
use crate::queue::{AtDatabase, Change, Done, Item, LockHint, Outcomes, Rank, SameSubject, UnitOfWork, Values, Write};
use crate::{Error, Inner, ObjectKind, Result};

/// What is to become of roles on an account.
pub(crate) struct RoleChange {
    account: AccountId,
    kind: RoleChangeKind,
}

enum RoleChangeKind {
    /// Actors with the role that each is given, as of a date.
    Give { as_of: String, roles: Vec<(ActorId, String)> },
    /// All roles of an actor are taken away.
    Remove(ActorId),
}

/// Gives actors roles on accounts, and takes them away.
pub(crate) struct ChangeRoles;

pub(crate) static CHANGE_ROLES: ChangeRoles = ChangeRoles;

impl Inner {
    pub(crate) fn roles_write(&self, permit: &Permit<'_>, id: &AccountId, given: &Given<AccountActors>) -> Result<Write<RoleChange>> {
        let as_of = self.as_of(permit, "asOfDate", given.value.as_of_date)?;
        let roles: Vec<(ActorId, String)> =
            given.value.actors.iter().map(|actor| (ActorId::new(actor.id.as_str()), actor.role.as_str().to_owned())).collect();
        let entry = self.entry(permit, "Account", id.as_str(), "account.actors.recorded").with_new_value(Arc::clone(&given.record));
        let row = RoleChange { account: id.clone(), kind: RoleChangeKind::Give { as_of, roles } };
        Ok(Write::new(row, entry).locking(given.value.actors.iter().map(|actor| LockHint::of("Actor", actor.id.as_str()))))
    }

    pub(super) fn roles_removal(&self, account: &AccountId, actor: &ActorId, entry: AuditDraft) -> Write<RoleChange> {
        let row = RoleChange { account: account.clone(), kind: RoleChangeKind::Remove(actor.clone()) };
        Write::new(row, entry).locking([LockHint::of("Actor", actor.as_str())])
    }
}

impl RoleChange {
    fn actors(&self) -> Vec<&ActorId> {
        match &self.kind {
            RoleChangeKind::Give { roles, .. } => roles.iter().map(|(actor, _)| actor).collect(),
            RoleChangeKind::Remove(actor) => vec![actor],
        }
    }

    fn pair(&self, actor: &ActorId) -> Pair {
        (self.account.as_str().to_owned(), actor.as_str().to_owned())
    }
}

/// An account and an actor.
type Pair = (String, String);

/// A role that an actor was given, whether he has it or not.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GivenRole {
    as_of: String,
    /// When it was acknowledged; nothing where an older program wrote it.
    time: Option<i64>,
    is_held: bool,
}

/// Roles of one actor on one account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Roles {
    by_name: BTreeMap<String, GivenRole>,
    /// When all of them were taken away last.
    removed: Option<i64>,
    now: Option<i64>,
    /// The names of those that are to be written.
    changed: BTreeSet<String>,
}

impl Roles {
    fn stored(&mut self, row: LockedRole) {
        self.now = row.now;
        self.removed = self.removed.max(row.removed_time);
        let (Some(link), Some(name)) = (row.link, row.role) else { return };
        let found = GivenRole { as_of: row.as_of_date.unwrap_or_default(), time: row.logical_time, is_held: link == RoleLink::HasRole };
        match self.by_name.get_mut(&name) {
            None => drop(self.by_name.insert(name, found)),
            Some(known) => {
                let is_held = known.is_held || found.is_held;
                if (&found.as_of, found.time) > (&known.as_of, known.time) {
                    *known = found;
                }
                known.is_held = is_held;
            }
        }
    }

    /// Whether the role is another than before.
    fn give(&mut self, name: &str, as_of: &str, acknowledged: Acknowledged) -> bool {
        let before = self.by_name.get(name);
        if before.is_some_and(|before| before.as_of.as_str() > as_of) {
            return false;
        }
        let given_on_that_day = before.filter(|before| before.as_of == as_of);
        // What is acknowledged once it is written comes after all that it finds, a removal included.
        let found = given_on_that_day.and_then(|before| before.time);
        let Some(time) = acknowledged.in_place_of(found, self.now) else { return false };
        let time = match acknowledged {
            Acknowledged::Written => time.max(self.removed.map_or(i64::MIN, |removed| removed + 1)),
            Acknowledged::Before(_) => time,
        };
        let is_held = self.removed.is_none_or(|removed| removed < time);
        self.by_name.insert(name.to_owned(), GivenRole { as_of: as_of.to_owned(), time: Some(time), is_held });
        self.changed.insert(name.to_owned());
        true
    }

    /// Whether there was one to be taken away.
    fn remove(&mut self, acknowledged: Acknowledged) -> bool {
        if !self.by_name.values().any(|role| role.is_held) {
            return false;
        }
        let latest = self.by_name.values().filter_map(|role| role.time).max();
        self.removed = acknowledged.in_place_of(latest.max(self.removed), self.now).map(|time| latest.map_or(time, |latest| time.max(latest + 1)));
        for (name, role) in self.by_name.iter_mut().filter(|(_, role)| role.is_held) {
            role.is_held = false;
            self.changed.insert(name.clone());
        }
        true
    }

    /// Rows for `account/put_roles`.
    fn rows(&self, (account, actor): &Pair, until: i64) -> Vec<Value> {
        let row = |name: &String| {
            let role = self.by_name.get(name)?;
            let given = [("asOfDate", role.as_of.as_str().into()), ("logicalTime", role.time.into())];
            let removal = [("removedTime", self.removed.into()), ("until", until.into())];
            let (held, former) = match role.is_held {
                true => (vec![map(given)], Vec::new()),
                false => (Vec::new(), vec![Value::Map(given.into_iter().chain(removal).map(|(name, value)| (name.into(), value)).collect())]),
            };
            Some(map([
                ("id", account.as_str().into()),
                ("actor", actor.as_str().into()),
                ("role", name.as_str().into()),
                ("held", held.into()),
                ("former", former.into()),
            ]))
        };
        self.changed.iter().filter_map(row).collect()
    }
}

impl Change for ChangeRoles {
    type Row = RoleChange;
    type Answer = ();

    fn name(&self) -> &'static str {
        statements::account::PUT_ROLES.label()
    }

    fn rank(&self) -> Rank {
        Rank::Relation
    }

    fn same_subject(&self) -> SameSubject {
        SameSubject::Together
    }

    fn size(&self, row: &RoleChange) -> usize {
        1_000 + row.actors().iter().map(|actor| 200 + actor.as_str().len()).sum::<usize>()
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, RoleChange>]) -> AtDatabase<'a, Outcomes<()>> {
        Box::pin(async move {
            let mut roles = lock(unit, items).await?;
            let outcomes: Vec<Result<Done<()>>> = items.iter().map(|item| decide(item, &mut roles)).collect();
            let until = items.first().map_or(0, |first| first.entry.at().millis());
            let mut changed: Vec<(&Pair, &Roles)> = roles.iter().collect();
            changed.sort_by_key(|(pair, _)| *pair);
            let rows: Vec<Value> = changed.into_iter().flat_map(|(pair, roles)| roles.rows(pair, until)).collect();
            if !rows.is_empty() {
                unit.put(statements::account::PUT_ROLES, Params::rows(rows)).await?;
            }
            Ok(outcomes)
        })
    }
}

/// Roles of all pairs that the items name, locked.
async fn lock(unit: &mut UnitOfWork, items: &[Item<'_, RoleChange>]) -> std::result::Result<HashMap<Pair, Roles>, DatabaseError> {
    // Whether a role is given; in the order in which accounts are locked everywhere.
    let mut pairs: BTreeMap<Pair, (bool, &str)> = BTreeMap::new();
    for item in items {
        for actor in item.row.actors() {
            let (gives, _) = pairs.entry(item.row.pair(actor)).or_insert((false, item.entry.id()));
            *gives |= matches!(item.row.kind, RoleChangeKind::Give { .. });
        }
    }
    let keys: HashMap<String, Pair> = pairs.keys().map(|pair| (format!("{}\n{}", pair.0, pair.1), pair.clone())).collect();
    let row = |((account, actor), (gives, write_id)): (&Pair, &(bool, &str))| {
        let given = if *gives { vec![true] } else { Vec::new() };
        map([
            ("key", format!("{account}\n{actor}").into()),
            ("id", account.as_str().into()),
            ("actor", actor.as_str().into()),
            ("writeId", (*write_id).into()),
            ("given", Value::List(given.into_iter().map(Value::from).collect())),
        ])
    };
    let rows = unit.run(statements::account::LOCK_ROLES, Params::rows(pairs.iter().map(row).collect())).await?;
    let mut roles: HashMap<Pair, Roles> = HashMap::new();
    for row in rows {
        if let Some(pair) = keys.get(&row.id) {
            roles.entry(pair.clone()).or_default().stored(row);
        }
    }
    Ok(roles)
}

fn decide(item: &Item<'_, RoleChange>, stored: &mut HashMap<Pair, Roles>) -> Result<Done<()>> {
    let acknowledged = item.entry.acknowledged();
    match &item.row.kind {
        RoleChangeKind::Give { as_of, roles } => {
            let mut gave = false;
            for (actor, role) in roles {
                gave |= stored.entry(item.row.pair(actor)).or_default().give(role, as_of, acknowledged);
            }
            Ok(if gave { Done::new(()) } else { Done { entry: Some(Values::superseded()), ..Done::new(()) } })
        }
        RoleChangeKind::Remove(actor) => {
            let removed = stored.get_mut(&item.row.pair(actor)).is_some_and(|roles| roles.remove(acknowledged));
            if removed { Ok(Done::new(())) } else { Err(Error::not_found(ObjectKind::AccountRole, actor.as_str())) }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::logical_time::{LogicalTime, TICK};

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

    proptest! {
        #[test]
        fn whenever_it_is_written_what_was_acknowledged_last_counts(asked in prop::collection::vec(asked(), 1..12)) {
            let (mut roles, mut clock) = (Roles { now: Some(TICK), ..Roles::default() }, TICK);
            let mut acknowledged: Vec<Option<usize>> = Vec::new();
            let mut queue: Vec<(usize, usize, LogicalTime)> = Vec::new();
            for (at, asked) in asked.iter().enumerate() {
                match *asked {
                    Asked::Single(date) => {
                        roles.give("OWNER", DATES[date], Acknowledged::Written);
                        acknowledged.push(Some(date));
                    }
                    Asked::InBulk(date, later) => {
                        clock += TICK;
                        roles.now = Some(clock);
                        queue.push((at + later, date, LogicalTime::first_of_tick(clock)));
                        acknowledged.push(Some(date));
                    }
                    // Where there is none yet, nothing is removed.
                    Asked::Removal if roles.remove(Acknowledged::Written) => acknowledged.push(None),
                    Asked::Removal => {}
                }
                for (_, date, time) in queue.extract_if(.., |(due, ..)| *due <= at) {
                    roles.give("OWNER", DATES[date], Acknowledged::Before(time));
                }
            }
            for (_, date, time) in queue {
                roles.give("OWNER", DATES[date], Acknowledged::Before(time));
            }
            let held = roles.by_name.get("OWNER").filter(|role| role.is_held).map(|role| role.as_of.as_str());
            prop_assert_eq!(held, wanted(&acknowledged));
        }
    }
}

//! Who has which roles on an account.
//!
//! An actor has a role when it was given after all of them were taken away last, by the order of acknowledgements ([`crate::logical_time`]): the role with
//! its latest `asOfDate`, of one date the one that was acknowledged last. So what was given before a removal does not come back when it is written
//! later, and neither does what speaks of an older date. What was removed is kept for that, as `HAD_ROLE`: one for each time that the role was there, with
//! when it was given and when it was taken away, so that the roles of any moment can be told. A role that is given again as of another date has not ended.

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
pub struct GivenRole {
    pub as_of: String,
    /// When it was acknowledged; nothing where an older program wrote it.
    pub time: Option<i64>,
    /// Nothing where it is not held.
    pub held: Option<Held>,
    /// When it ended last.
    pub ended: Option<i64>,
}

/// Since when a role is there; nothing is known of that where an older program wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    pub since: Option<i64>,
}

/// A time in which a role was there, and how it was then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerRole {
    pub name: String,
    pub as_of: String,
    pub time: Option<i64>,
    /// When the last removal was acknowledged.
    pub removed: Option<i64>,
    pub since: Option<i64>,
    pub until: i64,
}

/// Roles of one actor on one account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    pub by_name: BTreeMap<String, GivenRole>,
    /// When all of them were taken away last.
    pub removed: Option<i64>,
    pub now: Option<i64>,
    /// The names of those that are to be written.
    pub changed: BTreeSet<String>,
    /// Those that have ended, to be written.
    pub former: Vec<FormerRole>,
}

impl Roles {
    pub fn stored(&mut self, row: LockedRole) {
        self.now = row.now;
        self.removed = self.removed.max(row.removed_time);
        let (Some(link), Some(name)) = (row.link, row.role) else { return };
        let held = (link == RoleLink::HasRole).then_some(Held { since: row.since });
        let found = GivenRole { as_of: row.as_of_date.unwrap_or_default(), time: row.logical_time, held, ended: row.until };
        match self.by_name.get_mut(&name) {
            None => drop(self.by_name.insert(name, found)),
            Some(known) => {
                let (held, ended) = (known.held.or(found.held), known.ended.max(found.ended));
                if (&found.as_of, found.time) > (&known.as_of, known.time) {
                    *known = found;
                }
                (known.held, known.ended) = (held, ended);
            }
        }
    }

    /// Whether the role is another than before. `at` is when it is written.
    pub fn give(&mut self, name: &str, as_of: &str, acknowledged: Acknowledged, at: i64) -> bool {
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
        let (held, ended) = before.map_or((None, None), |before| (before.held, before.ended));
        // From now on, or from when it ended last, whatever the clocks of two instances say.
        let held = held.unwrap_or(Held { since: ended.max(Some(at)) });
        let mut role = GivenRole { as_of: as_of.to_owned(), time: Some(time), held: Some(held), ended };
        if !is_held {
            self.former.push(role.end(name, held, self.removed, at));
        }
        self.by_name.insert(name.to_owned(), role);
        self.changed.insert(name.to_owned());
        true
    }

    /// Whether there was one to be taken away. `at` is when that is written.
    pub fn remove(&mut self, acknowledged: Acknowledged, at: i64) -> bool {
        if !self.by_name.values().any(|role| role.held.is_some()) {
            return false;
        }
        let latest = self.by_name.values().filter_map(|role| role.time).max();
        self.removed = acknowledged.in_place_of(latest.max(self.removed), self.now).map(|time| latest.map_or(time, |latest| time.max(latest + 1)));
        for (name, role) in &mut self.by_name {
            let Some(held) = role.held else { continue };
            self.former.push(role.end(name, held, self.removed, at));
            self.changed.insert(name.clone());
        }
        true
    }

    /// Rows for `account/put_roles`.
    fn rows(&self, (account, actor): &Pair) -> Vec<Value> {
        let row = |name: &String| {
            let role = self.by_name.get(name)?;
            let held: Vec<Value> = role.held.iter().map(|held| held.props(role)).collect();
            let former: Vec<Value> = self.former.iter().filter(|former| former.name == *name).map(FormerRole::props).collect();
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

impl GivenRole {
    /// Ends it; gives the time in which it was there.
    fn end(&mut self, name: &str, held: Held, removed: Option<i64>, at: i64) -> FormerRole {
        let until = held.since.map_or(at, |since| at.max(since));
        (self.held, self.ended) = (None, Some(until));
        FormerRole { name: name.to_owned(), as_of: self.as_of.clone(), time: self.time, removed, since: held.since, until }
    }
}

impl Held {
    /// What the link says.
    fn props(&self, role: &GivenRole) -> Value {
        map([("asOfDate", role.as_of.as_str().into()), ("logicalTime", role.time.into()), ("since", self.since.into())])
    }
}

impl FormerRole {
    /// What the link says.
    fn props(&self) -> Value {
        map([
            ("asOfDate", self.as_of.as_str().into()),
            ("logicalTime", self.time.into()),
            ("removedTime", self.removed.into()),
            ("since", self.since.into()),
            ("until", self.until.into()),
        ])
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
            let mut changed: Vec<(&Pair, &Roles)> = roles.iter().collect();
            changed.sort_by_key(|(pair, _)| *pair);
            let rows: Vec<Value> = changed.into_iter().flat_map(|(pair, roles)| roles.rows(pair)).collect();
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
    let (acknowledged, at) = (item.entry.acknowledged(), item.entry.at().millis());
    match &item.row.kind {
        RoleChangeKind::Give { as_of, roles } => {
            let mut gave = false;
            for (actor, role) in roles {
                gave |= stored.entry(item.row.pair(actor)).or_default().give(role, as_of, acknowledged, at);
            }
            Ok(if gave { Done::new(()) } else { Done { entry: Some(Values::superseded()), ..Done::new(()) } })
        }
        RoleChangeKind::Remove(actor) => {
            let removed = stored.get_mut(&item.row.pair(actor)).is_some_and(|roles| roles.remove(acknowledged, at));
            if removed { Ok(Done::new(())) } else { Err(Error::not_found(ObjectKind::AccountRole, actor.as_str())) }
        }
    }
}

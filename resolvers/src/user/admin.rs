//! Making users and changing them.

use cypher::statements::rows::{LockedUser, PreparedUser};
use cypher::{Key, Reading, Value, WriteStatement, map, statements};
use graph_schema::given;
use graph_schema::user::{CreateUser, UpdateUser};
use serde_json::json;

use super::{USER, caption, distinct, id_of_subject, usernames};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::unique_name::Renaming;
use crate::{Answered, Caller, Conflict, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Makes a user; answers with its id. Whom others have named by that id already becomes this user.
    #[boxed]
    pub async fn create_user(&self, caller: &Caller, user: CreateUser) -> Result<Answered> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Administer, Subject::List(USER))?;
        let key = key(user.idempotency_key.as_deref())?;
        given::check(&user)?;
        let id = match (&user.user_id, &user.subject) {
            (Some(id), _) => id.to_string(),
            (None, Some(subject)) => {
                let issuer = inner.tokens.issuer();
                let issuer =
                    issuer.ok_or_else(|| Error::invalid("subject", "must be absent: there is no outside issuer (settings: token.jwks_url)"))?;
                id_of_subject(issuer, subject)
            }
            (None, None) => inner.clock.id(),
        };
        // The same input is the same request whatever id is made for it.
        let body = json!({"user": CreateUser { idempotency_key: None, ..user.clone() }}).to_string();
        let write = inner.user_write(&permit, &id, user, body.as_str());
        let made = inner.answer_new_once(&permit, Once { key, body: &body }, id.as_str(), &Amending::<MakeUser>::NEW, write).await;
        inner.recognised_users.forget(&id).await;
        made
    }

    /// Changes a user. One who is not enabled any more is refused at once on this instance, and a moment later on others.
    #[boxed]
    pub async fn update_user(&self, caller: &Caller, update: UpdateUser) -> Result<Answered> {
        let inner = &self.inner;
        let id = update.user_id.to_string();
        let permit = inner.enter(caller, Action::Administer, Subject::One(USER, &id))?;
        let key = key(update.idempotency_key.as_deref())?;
        given::check(&update)?;
        let body = json!({"user": UpdateUser { idempotency_key: None, ..update.clone() }}).to_string();
        let write = inner.user_change(&permit, update, &body);
        let changed = inner.answer_once(&permit, Once { key, body: &body }, id.as_str(), &Amending::<ChangeUser>::NEW, write).await;
        inner.recognised_users.forget(&id).await;
        changed
    }
}

fn key(text: Option<&str>) -> Result<Option<IdempotencyKey>> {
    const NAME: &str = "idempotencyKey";
    let key = text.map(IdempotencyKey::parse).transpose().map_err(|problem| Error::invalid(NAME, problem))?;
    Ok(key.map(|key| key.named(NAME)))
}

impl Inner {
    /// A user to be made; `said` is what the audit entry keeps.
    pub(super) fn user_write(&self, permit: &Permit<'_>, id: &str, user: CreateUser, said: &str) -> Write<NewUser> {
        let entry = self.entry(permit, USER, id, "user.created").with_new_value(said);
        let name_id = usernames().id(&user.username);
        let text = |text: &Option<String>| Value::from(text.as_deref());
        let groups = texts(&distinct(user.groups.unwrap_or_default()));
        let props: Vec<(Key, Value)> = vec![
            ("name".into(), caption(&user.username, user.first_name.as_deref(), user.last_name.as_deref()).into()),
            ("username".into(), user.username.as_str().into()),
            ("firstName".into(), text(&user.first_name)),
            ("lastName".into(), text(&user.last_name)),
            ("enabled".into(), user.enabled.unwrap_or(true).into()),
            ("subject".into(), text(&user.subject)),
            ("createdAt".into(), entry.at().millis().into()),
            ("groups".into(), groups),
        ];
        let lock = LockHint::of("UniqueName", &name_id);
        Write::new(NewUser { id: id.to_owned(), name_id, props }, entry).locking([lock])
    }

    pub(super) fn user_change(&self, permit: &Permit<'_>, update: UpdateUser, said: &str) -> Write<UserChange> {
        let id = update.user_id.to_string();
        let entry = self.entry(permit, USER, &id, "user.updated").with_new_value(said);
        let lock = update.username.as_deref().map_or_else(|| id.clone(), |username| usernames().id(username));
        Write::new(UserChange { id, lock, update }, entry)
    }
}

fn texts(texts: &[String]) -> Value {
    Value::List(texts.iter().map(|text| text.as_str().into()).collect())
}

/// A user to be made.
pub(super) struct NewUser {
    id: String,
    name_id: String,
    props: Vec<(Key, Value)>,
}

/// Makes a user, unless there is one by this id or this name.
pub(super) struct MakeUser;

impl Amend for MakeUser {
    type Row = NewUser;
    type Locked = PreparedUser;
    type Stored = PreparedUser;
    type Answer = ();

    const LOCK: Reading<PreparedUser> = statements::user::PREPARE;
    const WRITE: WriteStatement = statements::user::CREATE;
    const RANK: Rank = Rank::Administration;

    fn id(new: &NewUser) -> &str {
        &new.name_id
    }

    fn lock_row(new: &NewUser, write_id: &str) -> Value {
        map([("id", new.name_id.as_str().into()), ("user", new.id.as_str().into()), ("writeId", write_id.into())])
    }

    fn decide(new: &NewUser, prepared: Option<PreparedUser>, _: Decision<'_>) -> Result<Amended<()>> {
        match prepared {
            Some(PreparedUser { user: Some(_), .. }) => Err(Error::Conflict(Conflict::UserExists)),
            Some(PreparedUser { holder: None, .. }) => {
                let props = Value::Map(new.props.clone());
                Ok(Amended::by((), map([("id", new.id.as_str().into()), ("nameId", new.name_id.as_str().into()), ("props", props)])))
            }
            // Another has it, or takes it in this very transaction.
            Some(_) | None => Err(Error::Conflict(Conflict::UsernameTaken)),
        }
    }
}

/// A user to be changed.
pub(super) struct UserChange {
    id: String,
    /// The id of the name that is wanted, else the user's: no two of a transaction may want the same name.
    lock: String,
    update: UpdateUser,
}

/// Changes a user, unless another has the name that is wanted.
pub(super) struct ChangeUser;

impl Amend for ChangeUser {
    type Row = UserChange;
    type Locked = LockedUser;
    type Stored = LockedUser;
    type Answer = ();

    const LOCK: Reading<LockedUser> = statements::user::LOCK;
    const WRITE: WriteStatement = statements::user::AMEND;
    const RANK: Rank = Rank::Administration;

    fn id(change: &UserChange) -> &str {
        &change.lock
    }

    fn lock_row(change: &UserChange, write_id: &str) -> Value {
        let names: Vec<&str> = change.update.username.iter().map(|_| change.lock.as_str()).collect();
        map([("id", change.lock.as_str().into()), ("user", change.id.as_str().into()), ("names", names.into()), ("writeId", write_id.into())])
    }

    fn decide(change: &UserChange, stored: Option<LockedUser>, _: Decision<'_>) -> Result<Amended<()>> {
        // Another takes the name in this very transaction.
        let stored = stored.ok_or(Error::Conflict(Conflict::UsernameTaken))?;
        let (Some(_), Some(before)) = (&stored.user, &stored.username) else { return Err(Error::not_found(ObjectKind::User, &change.id)) };
        let update = &change.update;
        let renaming = Renaming::decide(&usernames(), stored.holder.as_deref(), &change.id, before, update.username.as_deref());
        let renaming = renaming.map_err(|_| Error::Conflict(Conflict::UsernameTaken))?;
        let after = After::of(update, &stored, before);
        if after.is_as(&stored, before) {
            return Ok(Amended::nothing(()));
        }
        let old = json!({"username": before, "firstName": stored.first_name, "lastName": stored.last_name, "enabled": stored.enabled,
            "groups": stored.groups});
        Ok(Amended::by((), renaming.row(&change.id, after.props())).replacing(Some(old.to_string())))
    }
}

/// What a user is after a change.
pub struct After<'a> {
    username: &'a str,
    first_name: Option<&'a String>,
    last_name: Option<&'a String>,
    enabled: bool,
    groups: Vec<String>,
}

impl<'a> After<'a> {
    pub fn of(update: &'a UpdateUser, stored: &'a LockedUser, username: &'a str) -> Self {
        Self {
            username: update.username.as_deref().unwrap_or(username),
            first_name: update.first_name.as_ref().or(stored.first_name.as_ref()),
            last_name: update.last_name.as_ref().or(stored.last_name.as_ref()),
            enabled: update.enabled.or(stored.enabled).unwrap_or(true),
            groups: update.groups.clone().map(distinct).or_else(|| stored.groups.clone()).unwrap_or_default(),
        }
    }

    pub fn is_as(&self, stored: &LockedUser, username: &str) -> bool {
        self.username == username
            && self.first_name == stored.first_name.as_ref()
            && self.last_name == stored.last_name.as_ref()
            && Some(self.enabled) == stored.enabled
            && self.groups == stored.groups.as_deref().unwrap_or_default()
    }

    fn props(&self) -> Vec<(Key, Value)> {
        let [first, last] = [self.first_name, self.last_name].map(|name| name.map(String::as_str));
        vec![
            ("name".into(), caption(self.username, first, last).into()),
            ("username".into(), self.username.into()),
            ("firstName".into(), first.into()),
            ("lastName".into(), last.into()),
            ("enabled".into(), self.enabled.into()),
            ("groups".into(), texts(&self.groups)),
        ]
    }
}

//! Whose token of an outside issuer this is. Who comes for the first time is made a user; what the issuer says of somebody's groups is kept.

use std::time::Duration;

use cypher::{Params, statements};
use graph_schema::date::Timestamp;
use graph_schema::id::UserId;
use graph_schema::identity::visible;
use graph_schema::user::{CreateUser, UpdateUser};
use moka::future::Cache;

use super::admin::{ChangeUser, MakeUser};
use super::{caption, distinct, id_of_subject};
use crate::policy::{Action, Permit, Subject};
use crate::queue::Amending;
use crate::{Caller, Conflict, CredentialType, Error, Identified, Inner, Result, Role, Roles, TokenFault, Unrecognised};

/// How long a user is not looked up again.
const TRUSTED: Duration = Duration::from_millis(20);
/// The most characters of a name, and the most groups, that are kept of what an issuer says.
const MOST_CHARS: usize = 256;
const MOST_GROUPS: usize = 200;

/// What groups are to this service: a setting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RolesOfGroups(pub Vec<(String, Role)>);

impl RolesOfGroups {
    /// The roles of a user of these groups: those of all of them together; `None` where none gives a role.
    pub fn roles(&self, groups: &[String]) -> Option<Roles> {
        Roles::of(self.0.iter().filter(|(group, _)| groups.contains(group)).map(|(_, role)| *role))
    }
}

/// What an issuer's token says of somebody.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arrival {
    pub issuer: String,
    pub subject: String,
    pub username: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub role: Option<Role>,
    /// Absent where the token does not speak of groups.
    pub groups: Option<Vec<String>>,
    /// When the token ends.
    pub expires_at: Option<Timestamp>,
}

/// A user who is known.
#[derive(Debug, Clone)]
pub(crate) struct KnownUser {
    /// As lists of users and `Principal` have it: everywhere a user is called the same.
    name: String,
    enabled: bool,
    groups: Vec<String>,
}

/// Users who were looked up a moment ago, by their ids.
pub(crate) struct Known(Cache<String, Option<KnownUser>>);

impl Default for Known {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(10_000).time_to_live(TRUSTED).build())
    }
}

impl Known {
    pub async fn forget(&self, id: &str) {
        self.0.invalidate(id).await;
    }
}

impl Inner {
    /// Who comes with a token of an outside issuer. Refused where he is not enabled, or neither the token nor his groups give him a role.
    pub(crate) async fn arrived(&self, arrival: Arrival) -> Result<Identified> {
        let id = id_of_subject(&arrival.issuer, &arrival.subject);
        let known = self.known_user(&id).await?;
        if known.as_ref().is_some_and(|user| !user.enabled) {
            return Err(refused(TokenFault::UserDisabled));
        }
        let said = arrival.groups.clone().map(kept_groups);
        let groups = said.as_ref().or(known.as_ref().map(|user| &user.groups));
        let of_groups = groups.and_then(|groups| self.settings.tokens.groups.roles(groups));
        let follows_groups = arrival.role.is_none() && said.is_none();
        let roles = arrival.role.map(Roles::from).or(of_groups).ok_or_else(|| refused(TokenFault::NoRole))?;
        let name = match known {
            None => self.first_seen(&id, &arrival).await?,
            Some(user) => {
                if let Some(groups) = said.filter(|groups| *groups != user.groups) {
                    self.keep_groups(&id, groups).await?;
                }
                user.name
            }
        };
        let user = Some(id.clone());
        Ok(Identified { id, name, roles, means: CredentialType::Token, expires_at: arrival.expires_at, follows_groups, user })
    }

    async fn known_user(&self, id: &str) -> Result<Option<KnownUser>> {
        let looked_up = self.recognised_users.0.try_get_with(id.to_owned(), async { self.find_user(id).await }).await;
        looked_up.map_err(|error| Error::clone(&error))
    }

    async fn find_user(&self, id: &str) -> Result<Option<KnownUser>> {
        let rows = self.read(&Permit::of_service(), statements::user::FIND, Params::none().with("ids", vec![id])).await?;
        Ok(rows.into_iter().next().map(|row| KnownUser { name: row.name, enabled: row.enabled, groups: row.groups }))
    }

    /// Makes a user of somebody who was not seen before; answers with the name by which the user is shown. Where another has the username, theirs is a longer one.
    async fn first_seen(&self, id: &str, arrival: &Arrival) -> Result<String> {
        let by = Caller::system("sign-in", Role::Admin, self.clock.id().into());
        let permit = self.enter(&by, Action::Administer, Subject::Linked)?;
        let plain = arrival.username.as_deref().and_then(kept).or_else(|| kept(&arrival.subject)).unwrap_or_else(|| id.to_owned());
        let longer = format!("{} ({id})", plain.chars().take(MOST_CHARS - id.len() - 3).collect::<String>());
        for username in [plain, longer] {
            let user = CreateUser {
                user_id: None,
                subject: Some(arrival.subject.clone()),
                username: username.clone(),
                first_name: arrival.first_name.as_deref().and_then(kept),
                last_name: arrival.last_name.as_deref().and_then(kept),
                enabled: Some(true),
                groups: arrival.groups.clone().map(kept_groups),
                idempotency_key: None,
            };
            let name = caption(&username, user.first_name.as_deref(), user.last_name.as_deref());
            let said = serde_json::json!({"user": user}).to_string();
            let made = self.queue.write(&Amending::<MakeUser>::NEW, self.user_write(&permit, id, user, &said)).await;
            self.recognised_users.forget(id).await;
            match made {
                Ok(()) => return Ok(name),
                Err(Error::Conflict(Conflict::UsernameTaken)) => {}
                // Two requests with his first token, here or on two instances: the other was quicker.
                Err(Error::Conflict(Conflict::UserExists)) => break,
                Err(error) => return Err(error),
            }
        }
        let known = self.find_user(id).await?;
        known.map(|user| user.name).ok_or_else(|| Error::Internal("a user who was made is not there".to_owned()))
    }

    async fn keep_groups(&self, id: &str, groups: Vec<String>) -> Result<()> {
        let by = Caller::system("sign-in", Role::Admin, self.clock.id().into());
        let permit = self.enter(&by, Action::Administer, Subject::Linked)?;
        let said = serde_json::json!({"user": {"groups": groups}}).to_string();
        let (user_id, groups) = (UserId::new(id), Some(groups));
        let update = UpdateUser { user_id, username: None, first_name: None, last_name: None, enabled: None, groups, idempotency_key: None };
        let changed = self.queue.write(&Amending::<ChangeUser>::NEW, self.user_change(&permit, update, &said)).await;
        self.recognised_users.forget(id).await;
        changed
    }
}

/// What is kept of a text that an issuer says; nothing of one that nobody could read.
pub fn kept(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|char| !char.is_control()).take(MOST_CHARS).collect();
    visible(&text).map(str::to_owned)
}

pub fn kept_groups(groups: Vec<String>) -> Vec<String> {
    distinct(groups.iter().filter_map(|group| kept(group)).take(MOST_GROUPS).collect())
}

fn refused(fault: TokenFault) -> Error {
    Error::Unauthenticated(Unrecognised::Token(fault))
}

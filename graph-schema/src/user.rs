//! Users: people who work with the platform.

use async_graphql::InputObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    fault::Fault,
    given::Input,
    id::{UserId, is_uuid},
    identity::visible,
};

/// Most characters of a name.
const MAX_NAME_CHARS: usize = 256;
/// Most groups that one user is in.
const MAX_GROUPS: usize = 200;
/// What a user's id must be.
const UUID_RULE: &str = "must be a UUID, such as 0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";

/// A user as it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserRecord {
    #[schema(value_type = String, format = Uuid)]
    pub user_id: UserId,
    pub username: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// Nobody comes in as a user who is not.
    pub enabled: bool,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub groups: Vec<String>,
}

/// A user to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, InputObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "CreateUserInput")]
pub struct CreateUser {
    /// A UUID; one is made when absent. Who was named by it before, as somebody to whom a case is assigned, becomes this user.
    #[schema(value_type = Option<String>, format = Uuid)]
    pub user_id: Option<UserId>,
    /// By whose tokens they come in: the `sub` of the outside issuer's tokens. Their id follows from it, so that `userId` must be absent.
    pub subject: Option<String>,
    /// No other user has it.
    pub username: String,
    /// The given name. The user is shown by it and the family name.
    pub first_name: Option<String>,
    /// The family name.
    pub last_name: Option<String>,
    /// `true`, when absent.
    pub enabled: Option<bool>,
    /// None, when absent.
    pub groups: Option<Vec<String>>,
    /// The same key and input again make nothing more.
    pub idempotency_key: Option<String>,
}

/// A change of a user; what is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, InputObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "UpdateUserInput")]
pub struct UpdateUser {
    /// The user to change.
    pub user_id: UserId,
    /// A new login name that no other user has.
    pub username: Option<String>,
    /// A new given name.
    pub first_name: Option<String>,
    /// A new family name.
    pub last_name: Option<String>,
    /// With `false` their tokens are refused.
    pub enabled: Option<bool>,
    /// All of them, in place of those they had.
    pub groups: Option<Vec<String>>,
    /// The same key and input again change nothing more.
    pub idempotency_key: Option<String>,
}

impl Input for CreateUser {
    fn check(&self, faults: &mut Vec<Fault>) {
        if let Some(id) = &self.user_id
            && !is_user_id(id)
        {
            faults.push(Fault::new("userId", UUID_RULE));
        }
        if self.user_id.is_some() && self.subject.is_some() {
            faults.push(Fault::new("userId", "must be absent where there is a subject: it follows from that"));
        }
        check_text("subject", self.subject.as_deref(), faults);
        check_text("username", Some(&self.username), faults);
        check_text("firstName", self.first_name.as_deref(), faults);
        check_text("lastName", self.last_name.as_deref(), faults);
        check_groups(self.groups.as_deref(), faults);
    }
}

impl Input for UpdateUser {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_text("username", self.username.as_deref(), faults);
        check_text("firstName", self.first_name.as_deref(), faults);
        check_text("lastName", self.last_name.as_deref(), faults);
        check_groups(self.groups.as_deref(), faults);
    }
}

/// Whether a text may be the id of a user who is known: a UUID, as it is usually written.
pub fn is_user_id(id: &UserId) -> bool {
    is_uuid(id.as_str()) && !id.as_str().bytes().any(|byte| byte.is_ascii_uppercase())
}

/// A text that people can see, and that can be told from others by that.
fn check_text(at: &str, text: Option<&str>, faults: &mut Vec<Fault>) {
    let Some(text) = text else { return };
    if visible(text) != Some(text) || text.chars().any(char::is_control) {
        faults.push(Fault::new(at, "must be seen, neither begin nor end with a blank, nor contain control characters"));
    } else if text.chars().count() > MAX_NAME_CHARS {
        faults.push(Fault::new(at, format!("must be at most {MAX_NAME_CHARS} characters")));
    }
}

fn check_groups(groups: Option<&[String]>, faults: &mut Vec<Fault>) {
    let Some(groups) = groups else { return };
    if groups.len() > MAX_GROUPS {
        faults.push(Fault::new("groups", format!("must have at most {MAX_GROUPS} items")));
    }
    for (at, group) in groups.iter().enumerate() {
        check_text(&format!("groups[{at}]"), Some(group), faults);
    }
}

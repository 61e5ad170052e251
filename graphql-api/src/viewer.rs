//! The sender of the request, and what its roles allow.

use async_graphql::resolver_utils::EnumType;
use async_graphql::{ComplexObject, Context, Enum, ID, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graphql_service::principal::{Principal, PrincipalKind, principal};
use resolvers::{Action, CredentialEntry};

use super::audit::CredentialType;
use super::user::{UserNode, as_user};
use super::{asking, refused};
use crate::boxed;

/// The sender of the request.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct Viewer {
    /// The id of the user, key or client that the credential names. Whatever the sender does is kept under it.
    id: ID,
    /// The name of the user, key or client, as `Principal` and the audit log have it.
    name: String,
    /// The role of the credential, or those of the user's groups: at least one.
    roles: Vec<Role>,
    /// What these roles allow, so that a user interface shows no button in vain.
    permissions: Vec<Permission>,
    /// The kind of credential that the request has.
    credential_type: CredentialType,
    /// The time from which the credential is refused; null for keys, which are good until they are revoked.
    expires_at: Option<Timestamp>,
}

#[ComplexObject]
impl Viewer {
    /// The user, key or client that the credential names. Null for a command on the machine of the service, which needs no credential.
    async fn principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, Some(self.id.as_str())).await
    }

    /// The user behind the request; null for keys and clients.
    async fn user(&self, context: &Context<'_>) -> Result<Option<UserNode>> {
        match principal(context, Some(self.id.as_str())).await? {
            Some(principal) => as_user(&principal.0),
            None => Ok(None),
        }
    }
}

/// The sender of the request that is being answered.
pub fn viewer(context: &Context<'_>) -> Result<Viewer> {
    let (resolvers, caller) = asking(context)?;
    let allowed = resolvers.viewer(caller).map_err(refused)?;
    let permissions = Permission::items().iter().map(|item| item.value);
    Ok(Viewer {
        id: ID(caller.id.clone()),
        name: caller.name.clone(),
        roles: caller.roles.iter().map(Role::from).collect(),
        permissions: permissions.filter(|permission| allowed.may(Action::from(*permission))).collect(),
        credential_type: caller.means.into(),
        expires_at: caller.expires_at,
    })
}

/// An API key or an API client, without its secret.
#[derive(SimpleObject)]
pub struct Credential {
    /// The id of the key or client, by which `Principal` names it.
    id: ID,
    /// The name that it was given.
    name: String,
    /// Whether it is a key or a client.
    kind: PrincipalKind,
    /// The role that it has.
    role: Role,
    /// The time at which it was made.
    created_at: Timestamp,
    /// The time at which it was revoked; null while it works.
    revoked_at: Option<Timestamp>,
}

impl Credential {
    fn of(kind: PrincipalKind, CredentialEntry { id, name, role, created_at, revoked_at }: CredentialEntry) -> Self {
        Self { id: ID(id), name, kind, role: role.into(), created_at, revoked_at }
    }
}

/// All API keys, the newest first.
#[boxed]
pub async fn api_keys(context: &Context<'_>) -> Result<Vec<Credential>> {
    let (resolvers, caller) = asking(context)?;
    let keys = resolvers.list_keys(caller).await.map_err(refused)?;
    Ok(keys.into_iter().map(|key| Credential::of(PrincipalKind::ApiKey, key)).collect())
}

/// All API clients, the newest first.
#[boxed]
pub async fn api_clients(context: &Context<'_>) -> Result<Vec<Credential>> {
    let (resolvers, caller) = asking(context)?;
    let clients = resolvers.list_clients(caller).await.map_err(refused)?;
    Ok(clients.into_iter().map(|client| Credential::of(PrincipalKind::Client, client)).collect())
}

/// Sets of permissions, which credentials and groups of users have.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "resolvers::Role")]
pub enum Role {
    /// A system that sends records and may read them back.
    Ingest,
    /// A person who investigates.
    Analyst,
    /// A person who answers for the work of analysts and for the rules of detection.
    Supervisor,
    /// A person who checks what was done, and changes nothing.
    Auditor,
    /// A person or system that administers the service, and has all permissions.
    Admin,
}

/// What a role may allow: one for each row of the service's table of rights.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "Action")]
pub enum Permission {
    /// Sends actors, accounts, transactions, observations and other records, one by one or in bulk.
    #[graphql(name = "SEND_RECORDS")]
    Ingest,
    /// Reads records, reference lists and reports over REST.
    #[graphql(name = "READ_RECORDS")]
    ReadRecord,
    /// Makes and changes cases over REST, with their actors, files and communications; rejects requests for data.
    #[graphql(name = "CHANGE_CASES")]
    RecordCase,
    /// Raises, assigns, moves, tags and comments on cases, and asks for data, over GraphQL.
    #[graphql(name = "WORK_ON_CASES")]
    WorkOnCase,
    /// Reads the graph over GraphQL, and downloads files of cases.
    Explore,
    /// Reads `viewer`, and the names of those who have done something.
    ReadPrincipals,
    /// Adds actors to segmentation groups and removes them.
    #[graphql(name = "CHANGE_SEGMENT_MEMBERS")]
    ChangeMembers,
    /// Sends exclusions, risk assessments, and risk scores that override, over REST.
    #[graphql(name = "SEND_DECISIONS")]
    SendDecision,
    /// Whitelists, dismisses and snoozes, clears matches of screening, files reports and reopens what was filed; excludes actors, sets and lifts risk scores,
    /// records risk assessments.
    #[graphql(name = "MAKE_DECISIONS")]
    Decide,
    /// Reads the whole audit log.
    ReadAuditLog,
    /// Reads the audit log of one case at a time.
    ReadCaseAuditLog,
    /// Reads runs, rules, snoozes and backtests of detection, and rules of risk.
    ReadRules,
    /// Starts runs of detection.
    StartDetection,
    /// Calculates the risk score of one actor.
    CalculateRisk,
    /// Tunes and backtests rules, and switches them into shadow or off.
    TuneRules,
    /// Adds rules, and switches them live.
    PublishRules,
    /// Reads watchlists, their versions and entries.
    ReadWatchlists,
    /// Uploads and imports watchlists.
    ImportWatchlists,
    /// Has all actors screened.
    ScreenActors,
    /// Reads the change feed.
    FollowChanges,
    /// Reads the events of all cases by `GET /events`.
    FollowEvents,
    /// Sees the jobs of all.
    ReadJobs,
    /// Sees the jobs that the sender has started.
    ReadOwnJobs,
    /// Cancels the jobs of all.
    CancelJobs,
    /// Cancels the jobs that the sender has started.
    #[graphql(name = "CANCEL_OWN_JOBS")]
    CancelOwnJob,
    /// Starts jobs that are for the service itself, such as `verifyTransfers`.
    StartJobs,
    /// Reads webhooks and their deliveries.
    ReadWebhooks,
    /// Manages credentials, users, workflows, custom properties, webhooks and settings.
    Administer,
}

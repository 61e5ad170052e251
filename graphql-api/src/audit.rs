//! The audit log: who did what to which object, and the fields that differ since. All of it is for supervisors, auditors and administrators; an analyst
//! names cases, whose entries are shown.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, Enum, Error, ID, InputObject, Result, SimpleObject};
use graph_schema::audit::LogType;
use graph_schema::date::Timestamp;
use graph_schema::enum_name::EnumName;
use graph_schema::id::{CaseId, UserId};
use graphql_service::filtering::not_too_many;
use graphql_service::orders::{AuditEntryOrder, AuditEntryOrderField};
use resolvers::explore::{AuditEntryFilter, AuditEntrySummary, ListFilter, Page, lists, node, nodes};

use super::asking;
use super::case::CaseNode;
use super::changes::{FieldChange, changes};
use super::connection::{AuditEntries, NodeConnection, list_by};
use super::object::{graph_node, object_with_links};
use super::page::PageArguments;
use super::walk::{At, LinkArguments, Shown};
use crate::boxed;

/// A page of entries.
pub type AuditEntryConnection = NodeConnection<AuditEntryNode, EmptyFields, AuditEntries>;

/// How an act ended.
#[derive(Enum, Clone, Copy, PartialEq, Eq)]
pub enum AuditOutcome {
    /// It was done.
    Success,
    /// It was not allowed, or not possible as things were.
    Refused,
}

/// Kinds of credentials, as the audit log names them.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
#[graphql(remote = "resolvers::CredentialType")]
pub enum CredentialType {
    /// An API key, in the header `x-api-key`.
    ApiKey,
    /// A token of a client, or of a user of the identity provider, in the header `authorization`.
    Token,
    /// A client's secret, with which a client asks for a token. It opens nothing else.
    #[graphql(name = "CLIENT_SECRET")]
    Secret,
    /// None: the service itself, or a command on its machine.
    System,
}

/// Who did something: a user, an API key or a client, as they were then.
#[derive(SimpleObject)]
pub struct AuditPrincipal {
    /// The id of the user, key or client.
    id: ID,
    /// The name that they had.
    name: Option<String>,
    /// The roles that they had.
    roles: Vec<String>,
}

/// What an act was on, as it is called now.
#[derive(SimpleObject)]
pub struct AuditObject {
    /// An id that `node` takes.
    node_id: ID,
    /// What people know it by.
    name: String,
}

/// An act: a change, a read, a sign-in, or that one was refused.
#[derive(Clone)]
pub struct AuditEntryNode(Shown<AuditEntrySummary>);

graph_node!(AuditEntryNode shows AuditEntrySummary);

object_with_links! {
    /// An act: a change, a read, a sign-in, or that one was refused. For supervisors, auditors and administrators, and for analysts in a list of cases.
    AuditEntryNode as "AuditEntry" {
        /// The service's own id of the entry.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("AuditEntry:{}", self.0.at.id()))
        }

        /// The action and the object, for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The case that it belongs to; null where it is of none, or the case is not there.
        async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
            match &self.0.summary(context).await?.case_id {
                Some(case) => At::named(context, &nodes::CASE, case).await?.map(CaseNode::new).transpose(),
                None => Ok(None),
            }
        }

        /// The object, where it is a node, is still there, and the sender may see it; null otherwise. Those of a page are one statement for each type.
        async fn object(&self, context: &Context<'_>) -> Result<Option<AuditObject>> {
            let summary = self.0.summary(context).await?;
            let Some((kind, id)) = node(&summary.object_type).zip(summary.object_id.as_deref()) else { return Ok(None) };
            let (resolvers, caller) = asking(context)?;
            if !resolvers.is_shown(caller, kind) {
                return Ok(None);
            }
            let found = At::named(context, kind, id).await?;
            Ok(found.map(|at| AuditObject { node_id: ID(format!("{}:{}", kind.label, at.id())), name: at.name().to_owned() }))
        }

        /// The fields that differ between `oldValue` and `newValue`; empty where one of them is not there. A field that is null is as one that is not there.
        // Ten changes of three fields: what is asked below has no name within the macro.
        #[graphql(complexity = 31)]
        async fn changes(&self, context: &Context<'_>) -> Result<Vec<FieldChange>> {
            let summary = self.0.summary(context).await?;
            let Some((old, new)) = summary.old_value.as_deref().zip(summary.new_value.as_deref()) else { return Ok(Vec::new()) };
            changes(context, old, new)
        }
    }
    shown {
        /// The time of the act.
        at: Timestamp = |it| it.at;
        /// Whether it tells of a reading or of a change.
        log_type: LogType = |it| it.log_type;
        /// What was done, such as `case.assigned`.
        action: String = |it| it.action.clone();
        /// How it ended.
        outcome: AuditOutcome = |it| AuditOutcome::named(&it.outcome).unwrap_or(AuditOutcome::Success);
        /// The area that it belongs to, such as `case_management`.
        domain: String = |it| it.domain.clone();
        /// What else is to be said, such as what was read together with the object; null when nothing is.
        notes: Option<String> = |it| it.notes.clone(), counted;
        /// Who did it; null where credentials were nobody's.
        by: Option<AuditPrincipal> = principal;
        /// By what the sender showed who they are.
        credential_type: Option<CredentialType> = |it| it.means.as_deref().and_then(CredentialType::named);
        /// The address that the request came from; null where it is not known.
        ip_address: Option<String> = |it| it.ip_address.clone();
        /// The id of the request, as `x-request-id` has it.
        request_id: Option<ID> = |it| it.request_id.clone().map(ID);
        /// The type of the object, such as `Actor`. Where it is a type of `Node`, `node` takes it with a colon and the object's id behind it.
        object_type: String = |it| it.object_type.clone();
        /// The id of the object; null where a list was read.
        object_id: Option<ID> = |it| it.object_id.clone().map(ID);
        /// The id of the case that it belongs to; null where it is of none.
        case_id: Option<ID> = |it| it.case_id.clone().map(ID);
        /// What was replaced or taken away, as it was stored: JSON for most objects. Null where nothing was, and where the object itself still has it.
        old_value: Option<String> = |it| it.old_value.clone(), counted;
        /// What was said. Null for reads, and where the object's record has it and nothing was replaced.
        new_value: Option<String> = |it| it.new_value.clone(), counted;
    }
}

fn principal(entry: &AuditEntrySummary) -> Option<AuditPrincipal> {
    let roles = entry.user_roles.iter().flat_map(|roles| roles.split(',')).map(str::to_owned).collect();
    Some(AuditPrincipal { id: ID(entry.user_id.clone()?), name: entry.user_name.clone(), roles })
}

/// A page of the audit log.
#[boxed]
pub async fn audit_entries(
    context: &Context<'_>,
    page: PageArguments,
    filter: Option<AuditEntryFilterInput>,
    order_by: Option<AuditEntryOrder>,
) -> Result<AuditEntryConnection> {
    let list = &lists::AUDIT_ENTRIES;
    let filter = filter.map_or(Ok(ListFilter::All), AuditEntryFilterInput::into_filter)?;
    let usual = list.link.usual_page();
    // There is one order.
    let order =
        order_by.map_or(usual, |AuditEntryOrder { field: AuditEntryOrderField::At, direction }| Page { direction: direction.into(), ..usual });
    list_by(context, list, LinkArguments { page, filter, order }).await
}

/// Which entries. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "AuditEntryFilter")]
pub struct AuditEntryFilterInput {
    /// At this time or later.
    from: Option<Timestamp>,
    /// Before this time.
    to: Option<Timestamp>,
    /// By one of these users, API keys or clients.
    principal_ids: Option<Vec<ID>>,
    /// One of these actions, such as `case.assigned`.
    actions: Option<Vec<String>>,
    /// On one of these objects. Objects of two types may have the same id: `objectTypes` tells them apart.
    object_ids: Option<Vec<ID>>,
    /// On objects of these types, such as `Actor`.
    object_types: Option<Vec<String>>,
    /// In one of these cases. Analysts have to name some.
    case_ids: Option<Vec<CaseId>>,
    /// Of one of these kinds.
    log_types: Option<Vec<LogType>>,
    /// With one of these outcomes.
    outcomes: Option<Vec<AuditOutcome>>,
}

/// No id or name of an action is longer, in bytes.
const LONGEST_TEXT: usize = 1_024;

impl AuditEntryFilterInput {
    /// The filter. What can't hold for any entry is a mistake, and said to be one.
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { from, to, principal_ids, actions, object_ids, object_types, case_ids: cases, log_types, outcomes } = self;
        let texts = |ids: Vec<ID>| ids.into_iter().map(|id| id.0).collect::<Vec<String>>();
        let spelled = |ids: Vec<ID>| ids.iter().map(|id| UserId::spelled(id).into_owned()).collect::<Vec<String>>();
        let (principals, objects) = (principal_ids.map(spelled), object_ids.map(texts));
        let outcomes = outcomes.map(|outcomes| outcomes.iter().map(|outcome| outcome.text().to_owned()).collect());
        let filter = AuditEntryFilter { objects, cases, principals, actions, object_types, log_types, outcomes, from, to };
        check(&filter)?;
        Ok(ListFilter::AuditEntries(filter))
    }
}

fn check(filter: &AuditEntryFilter) -> Result<()> {
    let wrong = |name: &str, problem: &str| Err(Error::new(format!("filter.{name}: {problem}")));
    if filter.from.zip(filter.to).is_some_and(|(from, to)| from >= to) {
        return wrong("to", "must be later than from");
    }
    let texts = [
        ("principalIds", &filter.principals),
        ("actions", &filter.actions),
        ("objectIds", &filter.objects),
        ("objectTypes", &filter.object_types),
        ("outcomes", &filter.outcomes),
    ];
    let others = [("caseIds", filter.cases.as_ref().map(Vec::len)), ("logTypes", filter.log_types.as_ref().map(Vec::len))];
    for (name, length) in others.into_iter().chain(texts.map(|(name, texts)| (name, texts.as_ref().map(Vec::len)))) {
        not_too_many(name, length)?;
    }
    match texts.into_iter().find(|(_, texts)| texts.iter().flatten().any(|text| text.len() > LONGEST_TEXT)) {
        Some((name, _)) => wrong(name, &format!("must be of at most {LONGEST_TEXT} bytes each")),
        None => Ok(()),
    }
}

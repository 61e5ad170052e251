//! Which fields are written at once.

use std::collections::BTreeMap;

use async_graphql::{EmptyMutation, EmptySubscription, Schema};
use graph_schema::edge::{
    AssociateFields, CaseActorFields, CaseObservationFields, IdentityFields, MoveFields, ObservationActorFields, ObservationRuleFields, RoleFields,
    SignInFields, TransferFields,
};

use graphql_api::at_once::{NodeFields, is_spelled};
use graphql_api::connection::{ConnectionName, EdgeFields};
use graphql_api::{
    account, actor, audit, balance, bulk, case, channel_location, connection, device, identity, ip_address, observation, query, risk, screening,
};
use graphql_api::{segmentation, transaction, user, version, webhook};

/// Fields by types.
type Names = BTreeMap<String, Vec<String>>;

async fn of_the_schema() -> Names {
    let schema = Schema::new(query::Query::default(), EmptyMutation, EmptySubscription);
    let answer = schema.execute("{ __schema { types { name fields(includeDeprecated: true) { name } } } }").await;
    let answer = answer.data.into_json().expect("an answer");
    let names = |of: &serde_json::Value| -> Vec<String> {
        let fields = of["fields"].as_array().into_iter().flatten();
        fields.filter_map(|field| field["name"].as_str().map(str::to_owned)).collect()
    };
    let types = answer["__schema"]["types"].as_array().into_iter().flatten();
    types.filter_map(|of| Some((of["name"].as_str()?.to_owned(), names(of)))).collect()
}

fn tabled<N: NodeFields>(at: &mut BTreeMap<String, Vec<&'static str>>) {
    let names = N::LEAVES.iter().map(|leaf| leaf.name).chain(N::LINKS.iter().map(|link| link.name));
    at.insert(N::type_name().into_owned(), names.collect());
}

fn tabled_edge<E: EdgeFields, C: ConnectionName>(at: &mut BTreeMap<String, Vec<&'static str>>) {
    at.insert(format!("{}Edge", C::NAME), E::LEAVES.iter().map(|leaf| leaf.name).chain(["node", "cursor"]).collect());
}

#[tokio::test]
async fn all_fields_are_written_at_once_but_those_with_a_function_of_their_own() {
    let mut tables = BTreeMap::new();
    tabled::<account::AccountNode>(&mut tables);
    tabled::<actor::ActorNode>(&mut tables);
    tabled::<audit::AuditEntryNode>(&mut tables);
    tabled::<balance::BalanceNode>(&mut tables);
    tabled::<bulk::BulkItemNode>(&mut tables);
    tabled::<bulk::BulkRequestNode>(&mut tables);
    tabled::<case::CaseNode>(&mut tables);
    tabled::<case::CommentNode>(&mut tables);
    tabled::<case::CommunicationNode>(&mut tables);
    tabled::<case::FileNode>(&mut tables);
    tabled::<case::RequestNode>(&mut tables);
    tabled::<case::StepNode>(&mut tables);
    tabled::<case::request::RequestSchemaNode>(&mut tables);
    tabled::<case::workflow::PropertyNode>(&mut tables);
    tabled::<case::workflow::WorkflowNode>(&mut tables);
    tabled::<channel_location::ChannelLocationNode>(&mut tables);
    tabled::<device::DeviceNode>(&mut tables);
    tabled::<identity::IdentityNode>(&mut tables);
    tabled::<ip_address::IpAddressNode>(&mut tables);
    tabled::<observation::FeedbackNode>(&mut tables);
    tabled::<observation::ObservationActionNode>(&mut tables);
    tabled::<observation::ObservationNode>(&mut tables);
    tabled::<observation::RuleNode>(&mut tables);
    tabled::<observation::SignalNode>(&mut tables);
    tabled::<risk::ExclusionNode>(&mut tables);
    tabled::<risk::ExtendedInformationNode>(&mut tables);
    tabled::<risk::RiskAssessmentNode>(&mut tables);
    tabled::<risk::RiskScoreNode>(&mut tables);
    tabled::<screening::ClearedMatchNode>(&mut tables);
    tabled::<screening::ScreeningNode>(&mut tables);
    tabled::<segmentation::CategoryNode>(&mut tables);
    tabled::<segmentation::GroupNode>(&mut tables);
    tabled::<transaction::TransactionNode>(&mut tables);
    tabled::<user::UserNode>(&mut tables);
    tabled::<version::AccountVersion>(&mut tables);
    tabled::<version::ActorVersion>(&mut tables);
    tabled::<version::TransactionVersion>(&mut tables);
    tabled::<webhook::DeliveryNode>(&mut tables);
    tabled::<webhook::EventNode>(&mut tables);
    tabled::<webhook::WebhookNode>(&mut tables);
    tabled_edge::<AssociateFields, connection::Associates>(&mut tables);
    tabled_edge::<CaseActorFields, connection::CaseActors>(&mut tables);
    tabled_edge::<case::DecisionEdge, connection::DecidedTransactions>(&mut tables);
    tabled_edge::<CaseObservationFields, connection::CaseObservations>(&mut tables);
    tabled_edge::<case::TransactionInCase, connection::CaseTransactions>(&mut tables);
    tabled_edge::<user::MemberEdge, connection::SegmentationMembers>(&mut tables);
    tabled_edge::<IdentityFields, connection::Identities>(&mut tables);
    tabled_edge::<MoveFields, connection::WorkflowMoves>(&mut tables);
    tabled_edge::<ObservationActorFields, connection::ObservationActors>(&mut tables);
    tabled_edge::<ObservationRuleFields, connection::ObservationRules>(&mut tables);
    tabled_edge::<RoleFields, connection::RolesOfActor>(&mut tables);
    tabled_edge::<SignInFields, connection::AccountDevices>(&mut tables);
    tabled_edge::<TransferFields, connection::Transfers>(&mut tables);

    let schema = of_the_schema().await;
    let mut left = Vec::new();
    for (name, tabled) in tables {
        let fields = schema.get(&name).unwrap_or_else(|| panic!("no type {name}"));
        for tabled in &tabled {
            assert!(fields.iter().any(|field| is_spelled(field, tabled)), "{name} has no {tabled}");
        }
        let is_left = |field: &&String| !["id", "nodeId", "name"].contains(&field.as_str()) && !tabled.iter().any(|name| is_spelled(field, name));
        left.extend(fields.iter().filter(is_left).filter(|field| *field != "record").map(|field| format!("{name}.{field}")));
    }
    let expected = [
        "Account.recordedBy",
        "AccountBalance.recordedBy",
        "AccountVersion.changes",
        "AccountVersion.recordedBy",
        "Actor.riskFactors",
        "Actor.flowTotals",
        "Actor.recordedBy",
        "Actor.riskHistory",
        "ActorExclusion.recordedBy",
        "ActorVersion.changes",
        "ActorVersion.recordedBy",
        "AuditEntry.case",
        "AuditEntry.object",
        "AuditEntry.changes",
        "BulkRequest.progress",
        "BulkRequest.sentBy",
        "Case.title",
        "Case.actions",
        "Case.workflow",
        "Case.metadata",
        "Case.resolution",
        "Case.source",
        "Case.overdue",
        "Case.jurisdiction",
        "Case.narrative",
        "Case.customProperties",
        "Case.tags",
        "Case.createdBy",
        "Case.earlierCases",
        "CaseComment.createdBy",
        "CaseTransactionEdge.decidedBy",
        "ClearedMatch.active",
        "ClearedMatch.clearedByPrincipal",
        "ClearedMatch.endedByPrincipal",
        "CustomProperty.updatedBy",
        "DecidedTransactionEdge.decidedByPrincipal",
        "Delivery.attempts",
        "ExtendedInformation.recordedBy",
        "File.url",
        "File.uploadedByPrincipal",
        "Observation.missingReferences",
        "Observation.handling",
        "Observation.features",
        "Observation.submittedBy",
        "Observation.evidence",
        "ObservationAction.createdBy",
        "ObservationFeedback.createdBy",
        "RequestForData.schema",
        "RequestForData.overdue",
        "RequestForData.requestedByPrincipal",
        "RequestForData.endedByPrincipal",
        "RequestForDataSchema.type",
        "RiskAssessment.recordedBy",
        "RiskScore.subScores",
        "RiskScore.metadata",
        "RiskScore.recordedBy",
        "SegmentationCategory.createdByPrincipal",
        "SegmentationCategory.updatedByPrincipal",
        "SegmentationGroup.createdByPrincipal",
        "SegmentationGroup.updatedByPrincipal",
        "SegmentationMemberEdge.byPrincipal",
        "SegmentationMemberEdge.endedByPrincipal",
        "Transaction.account",
        "Transaction.owner",
        "Transaction.changes",
        "Transaction.recordedBy",
        "TransactionVersion.changes",
        "TransactionVersion.recordedBy",
        "Webhook.statistics",
    ];
    assert_eq!(left, expected);
}

#[test]
fn names_are_spelled_as_graphql_does() {
    for (graphql, rust) in [("id", "id"), ("asOfDate", "as_of_date"), ("type", "type"), ("ipAddresses", "ip_addresses")] {
        assert!(is_spelled(graphql, rust), "{graphql} {rust}");
    }
    for (graphql, rust) in [("asOfdate", "as_of_date"), ("asOf", "as_of_date"), ("asOfDates", "as_of_date"), ("", "id"), ("as_of_date", "as_of_date")]
    {
        assert!(!is_spelled(graphql, rust), "{graphql} {rust}");
    }
}
